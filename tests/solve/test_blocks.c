/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices of blocks over graphs: the order of elimination and its factor, and conjugate gradients, against a dense
 * Cholesky factor in long double; graphs that are too dear, threads, bad input. */
#include "solve/block_gradient.h"
#include "solve/block_order.h"
#include "support/check.h"

#include <string.h>

enum { MOST = 24, EDGES = 80, SIZE = 6 * MOST };

/* A matrix I + sum of J^T J over edges, whose ends each take a random 6x6 matrix times `stiff`. */
typedef struct Matrix {
    int32_t count, edges;
    uint64_t edge[EDGES]; /* sorted */
    AbutBlock diagonal[MOST], between[EDGES];
    double right[SIZE];
} Matrix;

static int compare_edges(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static AbutBlock random_block(AbutRng *rng, double stiff) {
    AbutBlock b;
    for (int i = 0; i < 36; ++i) b.m[i / 6][i % 6] = stiff * abut_rng_normal(rng);
    return b;
}

/* to += a^T b */
static void add_square(AbutBlock *to, const AbutBlock *a, const AbutBlock *b) {
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            for (int k = 0; k < 6; ++k) to->m[i][j] += a->m[k][i] * b->m[k][j];
}

static void random_matrix(AbutRng *rng, Matrix *m, double stiff) {
    memset(m, 0, sizeof *m);
    m->count = 1 + (int32_t)abut_rng_below(rng, MOST);
    m->edges = (int32_t)abut_rng_below(rng, EDGES);
    for (int32_t k = 0; k < m->edges; ++k)
        m->edge[k] = abut_pair_key(
            (int32_t)abut_rng_below(rng, (uint32_t)m->count), (int32_t)abut_rng_below(rng, (uint32_t)m->count));
    qsort(m->edge, (size_t)m->edges, sizeof *m->edge, compare_edges);
    for (int32_t i = 0; i < m->count; ++i)
        for (int k = 0; k < 6; ++k) {
            m->diagonal[i].m[k][k] = 1.0;
            m->right[6 * i + k] = abut_rng_normal(rng);
        }
    for (int32_t k = 0; k < m->edges; ++k) {
        int32_t low = (int32_t)(m->edge[k] >> 32), high = (int32_t)(m->edge[k] & UINT32_MAX);
        AbutBlock a = random_block(rng, stiff), b = random_block(rng, stiff);
        add_square(&m->diagonal[low], &a, &a);
        if (low == high) continue;
        add_square(&m->diagonal[high], &b, &b);
        add_square(&m->between[k], &b, &a); /* row high, column low */
    }
}

/* ---- the oracle -------------------------------------------------------------------------------------------------- */

static void dense_solution(const Matrix *m, long double x[SIZE]) {
    static long double a[SIZE][SIZE];
    int n = 6 * m->count;
    memset(a, 0, sizeof a);
    for (int32_t i = 0; i < m->count; ++i)
        for (int k = 0; k < 36; ++k) a[6 * i + k / 6][6 * i + k % 6] = m->diagonal[i].m[k / 6][k % 6];
    for (int32_t e = 0; e < m->edges; ++e)
        for (int k = 0; k < 36; ++k)
            if (m->edge[e] >> 32 != (m->edge[e] & UINT32_MAX))
                a[6 * (m->edge[e] & UINT32_MAX) + (unsigned)(k / 6)][6 * (m->edge[e] >> 32) + (unsigned)(k % 6)] +=
                    m->between[e].m[k / 6][k % 6];
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < j; ++k)
            for (int i = j; i < n; ++i) a[i][j] -= a[i][k] * a[j][k];
        long double d = sqrtl(a[j][j]);
        for (int i = j; i < n; ++i) a[i][j] /= d;
    }
    for (int i = 0; i < n; ++i) {
        x[i] = m->right[i];
        for (int k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) x[i] -= a[k][i] * x[k];
        x[i] /= a[i][i];
    }
}

/* ---- the blocks -------------------------------------------------------------------------------------------------- */

typedef struct Room {
    AbutBlockStructure structure;
    AbutBlockRoom room;
    AbutBlock diagonal[MOST], below[MOST * MOST];
    double x[SIZE], gradient[19 * MOST];
} Room;

static Room room;

/* The matrix with unknown i at place turn[i]; NULL: at i. */
static AbutBlocks fill(const Matrix *m, const int32_t *turn) {
    memset(room.below, 0, sizeof room.below);
    for (int32_t i = 0; i < m->count; ++i) {
        int32_t at = turn ? turn[i] : i;
        room.diagonal[at] = m->diagonal[i];
        memcpy(room.x + 6 * at, m->right + 6 * i, 6 * sizeof *room.x);
    }
    for (int32_t e = 0; e < m->edges; ++e) {
        int32_t low = (int32_t)(m->edge[e] >> 32), high = (int32_t)(m->edge[e] & UINT32_MAX);
        int32_t column = turn ? turn[low] : low, row = turn ? turn[high] : high;
        if (low == high) continue;
        int32_t at = abut_block_at(&room.structure, row, column);
        CHECK(room.structure.row[at] == (row > column ? row : column));
        for (int k = 0; k < 36; ++k)
            room.below[at].m[k / 6][k % 6] +=
                row > column ? m->between[e].m[k / 6][k % 6] : m->between[e].m[k % 6][k / 6];
    }
    return abut_blocks_with(&room.structure, room.diagonal, room.below);
}

static double error_of(const Matrix *m, const int32_t *turn) {
    long double x[SIZE], off = 0.0L, all = 1e-300L;
    dense_solution(m, x);
    for (int32_t i = 0; i < 6 * m->count; ++i) {
        long double d = room.x[turn ? 6 * turn[i / 6] + i % 6 : i] - x[i];
        off += d * d, all += x[i] * x[i];
    }
    return (double)sqrtl(off / all);
}

static void factor_and_gradients_solve(void **state) {
    (void)state;
    AbutRng rng = abut_rng(61, 0);
    static Matrix m;
    CHECK(abut_gradient_room(MOST) == sizeof room.gradient / sizeof *room.gradient);
    for (int k = 0; k < check_cases(200); ++k) {
        random_matrix(&rng, &m, k % 2 ? 1.0 : 30.0);
        AbutBlockEdges edges = {m.edge, m.edges, m.count};
        CHECK(abut_blocks_order(&room.structure, &room.room, &edges, 1e6) == ABUT_BLOCKS_FOUND);
        AbutBlocks blocks = fill(&m, room.room.turn);
        CHECK(abut_blocks_factorize(&blocks));
        abut_blocks_substitute(&blocks, room.x);
        CHECK(error_of(&m, room.room.turn) < 1e-8);
        CHECK(abut_blocks_of_edges(&room.structure, &room.room, &edges));
        blocks = fill(&m, NULL);
        AbutGradient run = {5 * 6 * m.count, 1e-13, 1, room.gradient, 0, 0.0};
        CHECK(abut_blocks_gradient(&blocks, room.x, &run));
        CHECK(run.left <= 1e-13 && error_of(&m, NULL) < 1e-8);
        blocks = fill(&m, NULL);
        run.most = 3;
        CHECK(abut_blocks_gradient(&blocks, room.x, &run) && run.done <= 3 && run.left < 10.0);
    }
    abut_block_structure_free(&room.structure);
    abut_block_room_free(&room.room);
    memset(&room, 0, sizeof room);
}

/* The structure is that of the set of edges: every edge once, none of a body with itself; elimination adds what it
 * fills in. */
static void the_structure_has_the_edges(void **state) {
    (void)state;
    uint64_t edge[] = {abut_pair_key(0, 0), abut_pair_key(0, 2), abut_pair_key(0, 2), abut_pair_key(3, 0),
        abut_pair_key(2, 1), abut_pair_key(3, 2)};
    qsort(edge, 6, sizeof *edge, compare_edges);
    AbutBlockEdges edges = {edge, 6, 5};
    CHECK(abut_blocks_of_edges(&room.structure, &room.room, &edges));
    static const int32_t first[] = {0, 2, 3, 4, 4, 4}, row[] = {2, 3, 2, 3};
    CHECK(room.structure.blocks == 4);
    CHECK(memcmp(room.structure.first, first, sizeof first) == 0 && memcmp(room.structure.row, row, sizeof row) == 0);
    uint64_t ring[] = {
        abut_pair_key(0, 1), abut_pair_key(0, 3), abut_pair_key(1, 2), abut_pair_key(2, 3)}; /* fills one in */
    AbutBlockEdges cycle = {ring, 4, 4};
    CHECK(abut_blocks_order(&room.structure, &room.room, &cycle, 100.0) == ABUT_BLOCKS_FOUND);
    CHECK(room.structure.blocks == 5);
    CHECK(abut_blocks_order(&room.structure, &room.room, &cycle, 9.0) == ABUT_BLOCKS_DEAR);
}

/* The center of a star of 60 has too many neighbors, which is refused; rows and columns for gradients exist. */
static void a_wide_star_is_too_dear(void **state) {
    (void)state;
    uint64_t edge[60];
    for (int32_t i = 0; i < 60; ++i) edge[i] = abut_pair_key(0, i + 1);
    AbutBlockEdges edges = {edge, 60, 61};
    CHECK(abut_blocks_order(&room.structure, &room.room, &edges, 1e9) == ABUT_BLOCKS_DEAR);
    CHECK(abut_blocks_of_edges(&room.structure, &room.room, &edges) && room.structure.blocks == 60);
    CHECK(abut_block_at(&room.structure, 60, 0) == 59 && abut_block_at(&room.structure, 0, 1) == 0);
}

static void bad_matrices_are_refused(void **state) {
    (void)state;
    AbutRng rng = abut_rng(62, 0);
    static Matrix m;
    do random_matrix(&rng, &m, 1.0);
    while (m.count < 3);
    AbutBlockEdges edges = {m.edge, m.edges, m.count};
    CHECK(abut_blocks_of_edges(&room.structure, &room.room, &edges));
    for (int k = 0; k < 4; ++k) {
        AbutBlocks blocks = fill(&m, NULL);
        AbutGradient run = {50, 1e-6, 1, room.gradient, 0, 0.0};
        if (k == 0)
            room.diagonal[1].m[2][2] = -1.0;
        else if (k == 1)
            room.diagonal[1].m[2][2] = NAN;
        else if (k == 2)
            room.x[4] = INFINITY;
        else
            memset(room.x, 0, sizeof room.x);
        CHECK(abut_blocks_gradient(&blocks, room.x, &run) == (k == 3));
        CHECK(k < 3 || (run.done == 0 && run.left == 0.0 && room.x[0] == 0.0));
    }
}

/* A chain of a thousand, by any number of threads: the same bits. */
static void threads_give_the_same_bits(void **state) {
    enum { LONG = 1000 };
    (void)state;
    static uint64_t edge[LONG];
    static AbutBlock diagonal[LONG], below[LONG];
    static double x[4][6 * LONG], scratch[19 * LONG];
    for (int32_t i = 0; i + 1 < LONG; ++i) edge[i] = abut_pair_key(i, i + 1);
    AbutBlockEdges edges = {edge, LONG - 1, LONG};
    CHECK(abut_blocks_of_edges(&room.structure, &room.room, &edges));
    for (int threads = 1; threads <= 4; ++threads) {
        AbutRng rng = abut_rng(63, 0);
        memset(diagonal, 0, sizeof diagonal);
        memset(below, 0, sizeof below);
        for (int32_t i = 0; i < LONG; ++i) {
            AbutBlock a = random_block(&rng, 1.0), b = random_block(&rng, 1.0);
            for (int k = 0; k < 6; ++k) {
                diagonal[i].m[k][k] += 1.0;
                x[threads - 1][6 * i + k] = abut_rng_normal(&rng);
            }
            add_square(&diagonal[i], &a, &a);
            if (i + 1 < LONG) {
                add_square(&diagonal[i + 1], &b, &b);
                add_square(&below[i], &b, &a);
            }
        }
        AbutBlocks blocks = abut_blocks_with(&room.structure, diagonal, below);
        AbutGradient run = {60, 1e-9, threads, scratch, 0, 0.0};
        CHECK(abut_blocks_gradient(&blocks, x[threads - 1], &run) && run.done > 10);
        CHECK(memcmp(x[0], x[threads - 1], sizeof x[0]) == 0);
    }
}

static int free_room(void **state) {
    (void)state;
    abut_block_structure_free(&room.structure);
    abut_block_room_free(&room.room);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor_and_gradients_solve),
        cmocka_unit_test(the_structure_has_the_edges),
        cmocka_unit_test(a_wide_star_is_too_dear),
        cmocka_unit_test(bad_matrices_are_refused),
        cmocka_unit_test(threads_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, free_room);
}
