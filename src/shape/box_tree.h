/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tree of boxes that items come into and leave: each leaf holds a box and a number of the user's. It knows nothing of
 * what the items are; asking it which boxes meet a box takes time with the logarithm of their number.
 */
#ifndef ABUT_SHAPE_BOX_TREE_H
#define ABUT_SHAPE_BOX_TREE_H

#include "abut/shape.h"

typedef struct AbutBoxNode {
    AbutAabb box;
    int32_t parent, child[2], height;
    int32_t item; /* >= 0: a leaf; parent links free nodes */
    int32_t pad;  /* 0: nodes are saved as bytes */
} AbutBoxNode;

/* Nodes hold no pointers: a tree may be copied array by array. */
typedef struct AbutBoxTree {
    AbutBoxNode *node;
    size_t capacity;
    int32_t places, free, root; /* free, root: -1 for none */
} AbutBoxTree;

AbutBoxTree abut_box_tree_make(void); /* empty */
void abut_box_tree_free(AbutBoxTree *tree);

int abut_box_tree_reserve(AbutBoxTree *tree, int32_t leaves); /* room for that many more leaves; 0: no memory */

/* Room must have been reserved. Gives the leaf, by which the item is removed. */
int32_t abut_box_tree_insert(AbutBoxTree *tree, AbutAabb box, int32_t item);
void abut_box_tree_remove(AbutBoxTree *tree, int32_t leaf);

/* Calls visit for each item whose box overlaps `box`, in the order of the tree; stops and gives 0 when it gives 0. */
typedef int AbutBoxVisitor(int32_t item, void *user);
int abut_box_tree_visit(const AbutBoxTree *tree, AbutAabb box, AbutBoxVisitor *visit, void *user);

/* As above, for each item whose box, grown by `grow` on every side, is met by origin + t way, 0 <= t <= *limit; and for
 * each whose box is not farther than *limit from a point. The visitor may lower the limit. */
int abut_box_tree_visit_ray(const AbutBoxTree *tree, AbutVec3 origin, AbutVec3 way, AbutVec3 grow, const double *limit,
    AbutBoxVisitor *visit, void *user);
int abut_box_tree_visit_near(
    const AbutBoxTree *tree, AbutVec3 point, const double *limit, AbutBoxVisitor *visit, void *user);

#endif
