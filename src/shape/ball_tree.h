/* SPDX-License-Identifier: Apache-2.0 */
/* Private: a binary tree of balls over places. */
#ifndef ABUT_SHAPE_BALL_TREE_H
#define ABUT_SHAPE_BALL_TREE_H

#include "abut/math.h"

/* A ball around the items first .. first + count - 1. The left child of an inner node stands behind it. */
typedef struct AbutBallNode {
    AbutVec3 center;
    double radius;
    int32_t right; /* -1: a leaf */
    int32_t first, count, padding;
} AbutBallNode;

/* Nodes that the tree over `count` items has; it halves down to `leaf` of them. */
int32_t abut_ball_node_count(int32_t count, int32_t leaf);

/*
 * Builds the tree over the places of items, `stride` bytes apart, and gives the order in which the items are to stand.
 * `order` and `key` hold `count` entries, `nodes` as many as abut_ball_node_count says.
 */
typedef struct AbutBallKey {
    double key;
    int32_t item, padding;
} AbutBallKey;

void abut_ball_tree(
    const void *places, size_t stride, int32_t count, int32_t leaf, AbutBallKey *order, AbutBallNode *nodes);

#endif
