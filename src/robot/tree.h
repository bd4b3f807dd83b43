/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tree of joints inside: a model compiled once. Bodies that are welded together form one link; links hang on each
 * other by joints, parents first; links that hang on the world are roots. Nothing here changes after it is made, so
 * any number of configurations, motions, plans and scenes share it by reference.
 *
 * The mass matrix has a row for each degree of freedom, with an entry for each of its ancestors, root first and itself
 * last: entry k of row i, at row[i] + k, is the column ancestor[row[i] + k].
 */
#ifndef ABUT_ROBOT_TREE_H
#define ABUT_ROBOT_TREE_H

#include <stdatomic.h>

#include "abut/robot.h"
#include "base/pool.h"

typedef enum AbutMoveKind {
    ABUT_MOVE_HINGE = 0, /* as AbutJointKind */
    ABUT_MOVE_SLIDE,
    ABUT_MOVE_BALL,
    ABUT_MOVE_FREE
} AbutMoveKind;

/* A joint, or the six degrees of freedom of a dynamic body. */
typedef struct AbutMove {
    AbutMoveKind kind;
    int32_t joint; /* of the model; -1: a dynamic body */
    int32_t link;
    int32_t position, velocity; /* first places */
    int32_t force_limited, lifted;
    int32_t beside;    /* 0: `at` is the origin of the link */
    AbutVec3 at, axis; /* in the frame of the link */
    double reference, stiffness, spring_reference;
} AbutMove;

typedef struct AbutLink {
    int32_t parent; /* -1: the world */
    int32_t body;   /* the outermost of its bodies */
    int32_t root;   /* number of its root */
    int32_t first_move, move_count, first_dof, dof_count;
    int32_t last;   /* last degree of freedom from the root to here */
    int32_t turned; /* 0: `fixed` does not turn */
    AbutPose fixed; /* in the parent */
    double mass, lifted_mass;
    AbutVec3 center, lifted_center; /* lifted: mass whose weight is compensated, and its center */
    AbutMat3 inertia;               /* about the center, link axes */
} AbutLink;

/* One degree of freedom. */
typedef struct AbutDof {
    int32_t parent, depth, link; /* depth: number of those from the root to here, itself included */
    int32_t group;               /* those of one ball, or of one half of a free body, share a number */
    int32_t prismatic;           /* 1: of the linear half of a free body */
    double damping, armature;
} AbutDof;

typedef struct AbutBodyPlace {
    int32_t link;               /* -1: does not move */
    int32_t position, velocity; /* of a dynamic body, else -1 */
    AbutPose pose;              /* in the link, or in the world */
} AbutBodyPlace;

struct AbutTree {
    const AbutModel *model;
    AbutPool pool;
    atomic_int references;
    int32_t nq, nv, link_count, move_count, root_count, depth;
    double mass;
    AbutLink *links;
    AbutMove *moves;
    AbutDof *dofs;
    AbutBodyPlace *bodies;   /* per body of the model */
    int32_t *move_of;        /* per joint of the model */
    int32_t *row, *ancestor; /* row: nv + 1 */
    AbutCoupling *couplings; /* per joint of the model; NULL in a part */
};

/*
 * A part of a model as a scene places it: the bodies whose `root_of` is `root`. Parts of one model write their entries
 * of `bodies` and `move_of`, which the caller has for the whole model and which must outlive the tree.
 */
typedef struct AbutTreePart {
    const int32_t *root_of; /* per body of the model */
    int32_t root;
    const AbutPose *base; /* where the frame stands that the root is given in; NULL: at the origin */
    AbutBodyPlace *bodies;
    int32_t *move_of;
} AbutTreePart;

AbutStatus abut_tree_create_part(
    const AbutModel *model, const AbutTreePart *part, const AbutTree **out, AbutError *error);

/*
 * Joints that are not `given`, and that equalities of the model make follow one that is, over others too, are put where
 * it leads them, and are given then. Fails where a curve makes polynomials above degree 5 of the pieces. Both arrays
 * are of all joints of the model.
 */
AbutStatus abut_trajectory_couple(const AbutTree *tree, AbutTrajectory *trajectory, uint8_t *given, AbutError *error);

/* coupling.c: fills the couplings. */
void abut_tree_make_couplings(AbutTree *tree);

/* Moves that a body begins with: a pointer to the first, and their number. */
static inline int32_t abut_tree_moves(const AbutTree *tree, int32_t body, const AbutMove **out) {
    int32_t number = tree->bodies[body].link;
    const AbutLink *link = number >= 0 && tree->links[number].body == body ? &tree->links[number] : NULL;
    *out = link ? &tree->moves[link->first_move] : NULL;
    return link ? link->move_count : 0;
}

/* First place of the quaternion of a move among the positions; -1: it has none. */
static inline int32_t abut_move_quaternion(const AbutMove *move) {
    return move->kind == ABUT_MOVE_FREE ? move->position + 3 : move->kind == ABUT_MOVE_BALL ? move->position : -1;
}

#endif
