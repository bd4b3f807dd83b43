/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A binary tree of balls over places. In: places. Out: nodes in the order of a depth-first walk, and the order in which
 * the items stand under them. Method: halves at the median of the longest side of the box, ties by number; the ball is
 * about the middle of the box.
 */
#include "shape/ball_tree.h"

#include <stdlib.h>
#include <string.h>

typedef struct Build {
    const unsigned char *places;
    size_t stride;
    AbutBallKey *order;
    AbutBallNode *nodes;
    int32_t count, leaf;
} Build;

static AbutVec3 place_of(const Build *b, int32_t i) {
    AbutVec3 p;
    memcpy(&p, b->places + (size_t)b->order[i].item * b->stride, sizeof p);
    return p;
}

static int compare_keys(const void *x, const void *y) {
    const AbutBallKey *a = x, *b = y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

static AbutAabb box_of(const Build *b, int32_t first, int32_t count) {
    AbutAabb box = abut_aabb_empty();
    for (int32_t i = first; i < first + count; ++i) box = abut_aabb_add(box, place_of(b, i));
    return box;
}

static void sort_along(Build *b, AbutAabb box, int32_t first, int32_t count) {
    AbutVec3 side = abut_sub(box.max, box.min);
    int axis = side.x >= side.y && side.x >= side.z ? 0 : (side.y >= side.z ? 1 : 2);
    for (int32_t i = first; i < first + count; ++i) b->order[i].key = abut_get(place_of(b, i), axis);
    qsort(b->order + first, (size_t)count, sizeof *b->order, compare_keys);
}

static int32_t build(Build *b, int32_t first, int32_t count) {
    int32_t id = b->count++;
    AbutBallNode *node = &b->nodes[id];
    AbutAabb box = box_of(b, first, count);
    memset(node, 0, sizeof *node);
    node->center = abut_lerp(box.min, box.max, 0.5);
    for (int32_t i = first; i < first + count; ++i)
        node->radius = abut_larger(node->radius, abut_point_distance(node->center, place_of(b, i)));
    node->first = first, node->count = count, node->right = -1;
    if (count <= b->leaf) return id;
    sort_along(b, box, first, count);
    (void)build(b, first, count / 2);
    node->right = build(b, first + count / 2, count - count / 2);
    return id;
}

int32_t abut_ball_node_count(int32_t count, int32_t leaf) {
    if (count <= leaf) return count > 0;
    return 1 + abut_ball_node_count(count / 2, leaf) + abut_ball_node_count(count - count / 2, leaf);
}

void abut_ball_tree(
    const void *places, size_t stride, int32_t count, int32_t leaf, AbutBallKey *order, AbutBallNode *nodes) {
    Build b = {places, stride, order, nodes, 0, leaf};
    for (int32_t i = 0; i < count; ++i) order[i].item = i, order[i].key = 0.0, order[i].padding = 0;
    if (count > 0) (void)build(&b, 0, count);
}
