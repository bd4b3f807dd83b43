/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structure of sparse matrices of blocks (block_factor.h) from the edges of a graph: in an order of elimination that
 * fills in little, or as the graph is. Both are functions of the set of edges.
 */
#ifndef ABUT_SOLVE_BLOCK_ORDER_H
#define ABUT_SOLVE_BLOCK_ORDER_H

#include "base/sort.h"
#include "solve/block_factor.h"

#include <stddef.h>

/* What AbutBlocks points to. Zeroed: empty. */
typedef struct AbutBlockStructure {
    int32_t count, blocks; /* unknowns; blocks below the diagonal */
    int32_t *first, *row, *up_first, *up_column, *up_at;
    size_t first_capacity, row_capacity, up_first_capacity, up_column_capacity, up_at_capacity;
} AbutBlockStructure;

/* Room for finding one, kept for the next. Zeroed: empty. `turn` is the place of each unknown in the last order that
 * was found. */
typedef struct AbutBlockRoom {
    int32_t *turn, *degree, *head, *link, *near, *near_count;
    size_t turn_capacity, degree_capacity, head_capacity, link_capacity, near_capacity, near_count_capacity;
} AbutBlockRoom;

/* Edges of a graph of unknowns 0 .. count - 1, ascending, as keys of two (abut_pair_key). Ends that are the same, and
 * edges that come again, count for nothing. */
typedef struct AbutBlockEdges {
    const uint64_t *edge;
    int32_t edges, count;
} AbutBlockEdges;

typedef enum AbutBlockOutcome { ABUT_BLOCKS_STARVED, ABUT_BLOCKS_DEAR, ABUT_BLOCKS_FOUND } AbutBlockOutcome;

/* The order of least degree and the structure of the factor. Too dear: more than `budget` products of blocks, or a
 * column of more than 47 blocks. */
AbutBlockOutcome abut_blocks_order(
    AbutBlockStructure *structure, AbutBlockRoom *room, const AbutBlockEdges *edges, double budget);

/* The matrix itself, without what elimination fills in, in the order of the unknowns. 0: no memory. */
int abut_blocks_of_edges(AbutBlockStructure *structure, AbutBlockRoom *room, const AbutBlockEdges *edges);

AbutBlocks abut_blocks_with(const AbutBlockStructure *structure, AbutBlock *diagonal, AbutBlock *below);

/* Where the block of two unknowns stands below the diagonal, which has it. */
int32_t abut_block_at(const AbutBlockStructure *structure, int32_t a, int32_t b);

void abut_block_structure_free(AbutBlockStructure *structure);
void abut_block_room_free(AbutBlockRoom *room);

#endif
