/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structure of matrices of blocks: see block_order.h. In: edges between unknowns. Out: the rows of each column.
 *
 * Order of elimination: unknowns wait in lists by their number of neighbors; the first of the lowest list is taken
 * out, and its neighbors become neighbors of each other. Edges are sorted before that, so the order is a function of
 * the set of edges.
 * Reference: A. George, J. Liu, The evolution of the minimum degree ordering algorithm, SIAM Review 31, 1989.
 */
#include "solve/block_order.h"

#include <string.h>

enum { WIDEST = 48 }; /* neighbors of an unknown at its elimination stay below this */

#define ROOM(owner, field, n)                                                                                          \
    abut_grow((void **)&(owner)->field, &(owner)->field##_capacity, (n), sizeof *(owner)->field)

static int32_t low_end(uint64_t edge) { return (int32_t)(edge >> 32); }

static int32_t high_end(uint64_t edge) { return (int32_t)(edge & UINT32_MAX); }

/* ---- graph ------------------------------------------------------------------------------------------------------- */

static int reserve(AbutBlockStructure *s, AbutBlockRoom *m, size_t count) {
    return ROOM(m, degree, count) && ROOM(m, head, (size_t)WIDEST + 1) && ROOM(m, link, count) &&
           ROOM(m, turn, count) && ROOM(m, near_count, count) && ROOM(m, near, count * WIDEST) &&
           ROOM(s, first, count + 1) && ROOM(s, up_first, count + 1) && ROOM(s, row, count * WIDEST);
}

/* Adds a neighbor unless it is there; 0: there are too many. */
static int add_near(AbutBlockRoom *m, int32_t of, int32_t neighbor) {
    int32_t *list = m->near + (size_t)of * WIDEST;
    for (int32_t i = 0; i < m->near_count[of]; ++i)
        if (list[i] == neighbor) return 1;
    if (m->near_count[of] >= WIDEST - 1) return 0;
    list[m->near_count[of]++] = neighbor;
    return 1;
}

/* Neighbors of each unknown; 0: some have too many. */
static int list_neighbors(AbutBlockRoom *m, const AbutBlockEdges *edges) {
    memset(m->near_count, 0, (size_t)edges->count * sizeof *m->near_count);
    for (int32_t k = 0; k < edges->edges; ++k) {
        int32_t a = low_end(edges->edge[k]), b = high_end(edges->edge[k]);
        if (a != b && (!add_near(m, a, b) || !add_near(m, b, a))) return 0;
    }
    return 1;
}

/* ---- least degree ------------------------------------------------------------------------------------------------ */

/* Lists through `link`, and back through `turn`, which an unknown that is out no longer needs for that. */
static void put_in(AbutBlockRoom *m, int32_t i) {
    int32_t *head = &m->head[m->near_count[i]];
    m->degree[i] = m->near_count[i];
    m->link[i] = *head;
    m->turn[i] = -1;
    if (*head >= 0) m->turn[*head] = i;
    *head = i;
}

static void take_out(AbutBlockRoom *m, int32_t i) {
    if (m->link[i] >= 0) m->turn[m->link[i]] = m->turn[i];
    if (m->turn[i] >= 0)
        m->link[m->turn[i]] = m->link[i];
    else
        m->head[m->degree[i]] = m->link[i];
}

static void remove_near(AbutBlockRoom *m, int32_t of, int32_t neighbor) {
    int32_t *list = m->near + (size_t)of * WIDEST, i = 0;
    while (list[i] != neighbor) ++i;
    list[i] = list[--m->near_count[of]];
}

/* The neighbors of v become neighbors of each other; 0: some have too many. */
static int join_neighbors(AbutBlockRoom *m, int32_t v) {
    const int32_t *list = m->near + (size_t)v * WIDEST;
    for (int32_t i = 0; i < m->near_count[v]; ++i) {
        take_out(m, list[i]);
        remove_near(m, list[i], v);
        for (int32_t k = 0; k < m->near_count[v]; ++k)
            if (k != i && !add_near(m, list[i], list[k])) return 0;
        put_in(m, list[i]);
    }
    return 1;
}

/* Eliminates all unknowns; the rows of the columns are unknowns yet. 0: too dear. */
static int eliminate(AbutBlockRoom *m, AbutBlockStructure *s, double budget) {
    double work = 0.0;
    for (int d = 0; d <= WIDEST; ++d) m->head[d] = -1;
    for (int32_t i = s->count - 1; i >= 0; --i) put_in(m, i);
    s->first[0] = 0;
    for (int32_t j = 0; j < s->count; ++j) {
        int low = 0;
        while (m->head[low] < 0) ++low;
        int32_t v = m->head[low], near = m->near_count[v];
        take_out(m, v);
        m->turn[v] = j;
        memcpy(s->row + s->first[j], m->near + (size_t)v * WIDEST, (size_t)near * sizeof *s->row);
        s->first[j + 1] = s->first[j] + near;
        work += 0.5 * (near + 1) * (near + 2);
        if (work > budget || !join_neighbors(m, v)) return 0;
    }
    return 1;
}

/* ---- structure --------------------------------------------------------------------------------------------------- */

/* Columns that have each row; 0: no memory. */
static int list_columns(AbutBlockStructure *s, AbutBlockRoom *m) {
    s->blocks = s->first[s->count];
    if (!ROOM(s, up_column, (size_t)s->blocks + 1) || !ROOM(s, up_at, (size_t)s->blocks + 1)) return 0;
    abut_blocks_list_columns(s->count, s->first, s->row, s->up_first, s->up_column, s->up_at, m->link);
    return 1;
}

AbutBlockOutcome abut_blocks_order(
    AbutBlockStructure *s, AbutBlockRoom *m, const AbutBlockEdges *edges, double budget) {
    s->count = edges->count;
    if (!reserve(s, m, (size_t)s->count)) return ABUT_BLOCKS_STARVED;
    if (!list_neighbors(m, edges) || !eliminate(m, s, budget)) return ABUT_BLOCKS_DEAR;
    abut_blocks_sort_rows(s->count, s->first, s->row, m->turn);
    return list_columns(s, m) ? ABUT_BLOCKS_FOUND : ABUT_BLOCKS_STARVED;
}

int abut_blocks_of_edges(AbutBlockStructure *s, AbutBlockRoom *m, const AbutBlockEdges *edges) {
    size_t count = (size_t)edges->count;
    s->count = edges->count;
    if (!ROOM(m, link, count) || !ROOM(s, first, count + 1) || !ROOM(s, up_first, count + 1) ||
        !ROOM(s, row, (size_t)edges->edges + 1))
        return 0;
    int32_t column = 0, blocks = 0;
    for (int32_t k = 0; k < edges->edges; ++k) {
        int32_t a = low_end(edges->edge[k]), b = high_end(edges->edge[k]);
        if (a == b || (k > 0 && edges->edge[k] == edges->edge[k - 1])) continue;
        for (; column <= a; ++column) s->first[column] = blocks;
        s->row[blocks++] = b;
    }
    for (; column <= s->count; ++column) s->first[column] = blocks;
    return list_columns(s, m);
}

AbutBlocks abut_blocks_with(const AbutBlockStructure *s, AbutBlock *diagonal, AbutBlock *below) {
    return (AbutBlocks){s->count, s->first, s->row, s->up_first, s->up_column, s->up_at, diagonal, below};
}

int32_t abut_block_at(const AbutBlockStructure *s, int32_t a, int32_t b) {
    int32_t column = a < b ? a : b, row = a < b ? b : a, low = s->first[column], high = s->first[column + 1] - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (s->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void abut_block_structure_free(AbutBlockStructure *s) {
    abut_free(s->first);
    abut_free(s->row);
    abut_free(s->up_first);
    abut_free(s->up_column);
    abut_free(s->up_at);
}

void abut_block_room_free(AbutBlockRoom *m) {
    abut_free(m->turn);
    abut_free(m->degree);
    abut_free(m->head);
    abut_free(m->link);
    abut_free(m->near);
    abut_free(m->near_count);
}
