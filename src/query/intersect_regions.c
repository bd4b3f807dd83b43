/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do two regions given by half-space rows meet? In: rows in 1..8 dimensions. Out: a verified witness point, a verified
 * separating plane with the nonnegative combination of rows it follows from, the region that is empty, or "undecided".
 *
 * Steps: rows are brought to unit normals and relaxed by half the tolerance; a point is sought by a linear
 * program, which tries the rows as given first, or by a search of the caller's; it is checked against the rows as
 * given. Without a point a linear program gives the rows that cannot hold together (Farkas), which are checked too.
 * Since the certificate decides, an answer of a search that rounding has spoilt cannot get out.
 */
#include "query/intersect_rows.h"
#include "query/tolerance.h"

#include "solve/solve.h"

#include <math.h>
#include <string.h>

enum { MAX_ROWS = 1 << 24 };

size_t abut_intersect_workspace_size(int dimension, int rows_of_both) {
    if (dimension < 1 || dimension > ABUT_INTERSECT_MAX_DIMENSION || rows_of_both < 0 || rows_of_both > MAX_ROWS)
        return 0;
    size_t rows = (size_t)rows_of_both, n = (size_t)dimension;
    return rows * (2 * n + 3) * sizeof(double) + abut_lp_workspace_size(dimension, rows > 0 ? rows_of_both : 1) + 64;
}

/* Unit normal, or zero normal for a constant row. False on NaN and infinity. */
static int normalize_row(int n, const double *normal, double offset, double *row) {
    double size = 0.0, square = 0.0;
    for (int c = 0; c < n; ++c) {
        if (!isfinite(normal[c])) return 0;
        size = fmax(size, fabs(normal[c]));
    }
    for (int c = 0; c < n; ++c) {
        row[c] = size > 0.0 ? normal[c] / size : 0.0;
        square += row[c] * row[c];
    }
    double length = sqrt(square);
    row[n] = size > 0.0 ? offset / size / length : offset;
    if (!isfinite(offset)) return 0;
    int constant = !(size > 0.0) || !(fabs(row[n]) < ABUT_INTERSECT_FAR);
    for (int c = 0; c < n; ++c) row[c] = constant ? 0.0 : row[c] / length;
    if (constant) row[n] = offset;
    return 1;
}

static int is_constant(int n, const double *row) {
    for (int c = 0; c < n; ++c)
        if (row[c] != 0.0) return 0;
    return 1;
}

/* A typical offset: the lower median of those that are not zero, by a coarse histogram of binary exponents. */
static double typical_offset(const AbutRows *rows) {
    enum { LOWEST = -512, BINS = 1024 };
    int n = rows->dimension, bins[BINS] = {0}, total = 0, below = 0;
    for (int i = 0; i < rows->count_a + rows->count_b; ++i) {
        const double *row = rows->row + (size_t)i * (size_t)(n + 1);
        int exponent;
        frexp(row[n], &exponent);
        if (row[n] == 0.0 || is_constant(n, row)) continue;
        exponent = exponent < LOWEST ? LOWEST : exponent >= LOWEST + BINS ? LOWEST + BINS - 1 : exponent;
        ++bins[exponent - LOWEST];
        ++total;
    }
    if (total == 0) return 1.0;
    int bin = 0;
    while (bin < BINS - 1 && below + bins[bin] < (total + 1) / 2) below += bins[bin++];
    return ldexp(1.0, bin + LOWEST);
}

static void relax_rows(AbutRows *rows, double tolerance) {
    int n = rows->dimension;
    for (int i = 0; i < rows->count_a + rows->count_b; ++i) {
        double *q = &rows->row[(size_t)i * (size_t)(n + 1) + (size_t)n];
        rows->relaxed[i] = 0.5 * tolerance * fmax(fabs(*q), rows->scale);
        *q += rows->relaxed[i];
    }
}

/* Most by which x passes a row of the region (relaxation taken out); -infinity without rows. */
static double violation_of(const AbutRows *rows, const double *x, int *within) {
    int n = rows->dimension;
    double most = -INFINITY;
    *within = 1;
    for (int i = 0; i < rows->count_a + rows->count_b; ++i) {
        const double *row = rows->row + (size_t)i * (size_t)(n + 1);
        double value = -(row[n] - rows->relaxed[i]);
        for (int c = 0; c < n; ++c) value += row[c] * x[c];
        if (!(value <= 2.0 * rows->relaxed[i])) *within = 0;
        most = fmax(most, value);
    }
    return most;
}

/* Copies the combination of rows into `out` and checks it. The plane is along the part of A. */
static int take_proof(const AbutRows *rows, int first, const AbutLpResult *lp, AbutIntersection *out) {
    int n = rows->dimension;
    double sum[ABUT_INTERSECT_MAX_DIMENSION] = {0}, part[ABUT_INTERSECT_MAX_DIMENSION] = {0};
    double weights = 0.0, total = 0.0, relaxed = 0.0, offset_a = 0.0, residual = 0.0, length = 0.0;
    out->proof_count = 0;
    for (int k = 0; k < lp->conflict_count; ++k) {
        int i = first + lp->conflict[k];
        const double *row = rows->row + (size_t)i * (size_t)(n + 1);
        double w = lp->multiplier[k], q = row[n] - rows->relaxed[i];
        if (!(w > 0.0)) continue;
        out->proof_row[out->proof_count] = i;
        out->proof_weight[out->proof_count++] = w;
        weights += w;
        total += w * q;
        relaxed += w * row[n];
        offset_a += i < rows->count_a ? w * q : 0.0;
        for (int c = 0; c < n; ++c) {
            sum[c] += w * row[c];
            part[c] += i < rows->count_a ? w * row[c] : 0.0;
        }
    }
    for (int c = 0; c < n; ++c) {
        residual += sum[c] * sum[c];
        length += part[c] * part[c];
    }
    length = sqrt(length);
    out->gap = length > 0.0 ? -total / length : 0.0;
    out->plane_offset = length > 0.0 ? (offset_a - 0.5 * total) / length : 0.0;
    for (int c = 0; c < n; ++c) out->plane[c] = length > 0.0 ? part[c] / length : 0.0;
    return out->proof_count > 0 && total < 0.0 && relaxed < 0.0 && sqrt(residual) <= ABUT_INTERSECT_PROOF * weights;
}

/*
 * One linear program over the rows first .. first + count - 1, relaxed or as given; `seed` picks its objective.
 * 1: a point, in `witness`; 0: a proof that there is none, even of the relaxed rows (proof rows are numbered from the
 * first of all); -1: neither.
 */
static int is_feasible(const AbutRows *rows, int first, int count, int relaxed, uint64_t seed, AbutIntersection *out,
    void *workspace, size_t size) {
    int n = rows->dimension;
    double *a = workspace, *b = a + (size_t)count * (size_t)n;
    for (int i = 0; i < count; ++i) {
        const double *row = rows->row + (size_t)(first + i) * (size_t)(n + 1);
        int constant = is_constant(n, row);
        memcpy(a + (size_t)i * (size_t)n, row, (size_t)n * sizeof(double));
        if (constant) a[(size_t)i * (size_t)n] = 1.0;
        b[i] = constant ? INFINITY : row[n] - (relaxed ? 0.0 : rows->relaxed[first + i]);
    }
    size_t used = (size_t)count * (size_t)(n + 1) * sizeof(double);
    AbutLp lp = {n, count, a, b, NULL, seed, 0.0};
    AbutLpResult result = abut_lp_solve(&lp, b + count, size - used);
    out->tests += result.iterations;
    if (result.outcome == ABUT_LP_INFEASIBLE) return take_proof(rows, first, &result, out) ? 0 : -1;
    if (result.outcome == ABUT_LP_UNDECIDED) return -1;
    memcpy(out->witness, result.x, (size_t)n * sizeof(double));
    return 1;
}

/* A region whose constant rows contradict, with that row as the proof; -1: none. */
static int contradictory_row(const AbutRows *rows) {
    int n = rows->dimension;
    for (int i = 0; i < rows->count_a + rows->count_b; ++i) {
        const double *row = rows->row + (size_t)i * (size_t)(n + 1);
        if (row[n] < 0.0 && is_constant(n, row)) return i;
    }
    return -1;
}

static void name_empty(AbutIntersection *out, AbutIntersectOutcome which) {
    out->outcome = which;
    out->gap = out->plane_offset = 0.0;
    memset(out->plane, 0, sizeof out->plane);
}

/* All rows cannot hold together: is one region empty by itself, or do they lie apart? `out` holds the proof of the
 * whole. */
static void explain_no(const AbutRows *rows, int both_known, AbutIntersection *out, void *workspace, size_t size) {
    AbutIntersection alone = *out;
    out->outcome = ABUT_INTERSECT_APART;
    if (!both_known) {
        for (int region = 0; region < 2; ++region) {
            int first = region ? rows->count_a : 0, count = region ? rows->count_b : rows->count_a;
            int feasible = count == 0 ? 1 : is_feasible(rows, first, count, 1, 1, &alone, workspace, size);
            out->tests = alone.tests;
            if (feasible == 0) {
                *out = alone;
                name_empty(out, region ? ABUT_INTERSECT_EMPTY_B : ABUT_INTERSECT_EMPTY_A);
                return;
            }
        }
    }
    if (!(out->gap > 0.0)) out->outcome = ABUT_INTERSECT_UNDECIDED;
}

static void accept_witness(const AbutRows *rows, AbutIntersection *out) {
    int within;
    out->violation = violation_of(rows, out->witness, &within);
    out->outcome = within ? ABUT_INTERSECT_MEET : ABUT_INTERSECT_UNDECIDED;
}

static void ask_lp(const AbutRows *rows, int both_known, AbutIntersection *out, void *workspace, size_t size) {
    int count = rows->count_a + rows->count_b;
    int feasible = count == 0 ? 1 : is_feasible(rows, 0, count, 0, 1, out, workspace, size);
    /* apart by less than the tolerance, or touching; another objective takes another way past nearly equal rows */
    for (uint64_t seed = 1; feasible < 0 && seed <= 4; ++seed)
        feasible = is_feasible(rows, 0, count, 1, seed, out, workspace, size);
    out->outcome = ABUT_INTERSECT_UNDECIDED;
    if (feasible == 1)
        accept_witness(rows, out);
    else if (feasible == 0)
        explain_no(rows, both_known, out, workspace, size);
}

/* The search of the def finds the answer, the linear program proves a no. */
static void ask_search(
    const AbutRows *rows, const AbutIntersectDef *def, AbutIntersection *out, void *workspace, size_t size) {
    AbutIntersectOutcome found = def->search(rows, def->max_reductions, out);
    int64_t tests = out->tests;
    if (found == ABUT_INTERSECT_MEET) {
        accept_witness(rows, out);
        if (out->outcome == ABUT_INTERSECT_MEET) return;
    }
    ask_lp(rows, found == ABUT_INTERSECT_APART, out, workspace, size);
    out->tests = tests;
    out->overruled = found == ABUT_INTERSECT_MEET || found == ABUT_INTERSECT_UNDECIDED || found != out->outcome;
    out->method = out->overruled ? ABUT_INTERSECT_LP : ABUT_INTERSECT_REN;
}

AbutIntersection abut_intersect_rows(
    AbutRows *rows, const AbutIntersectDef *def, int both_known, void *workspace, size_t size) {
    AbutIntersection out = {0};
    out.method = def->method == ABUT_INTERSECT_REN && def->search ? ABUT_INTERSECT_REN : ABUT_INTERSECT_LP;
    relax_rows(rows, def->tolerance > 0.0 ? def->tolerance : ABUT_INTERSECT_TOLERANCE);
    int contradictory = contradictory_row(rows);
    if (contradictory >= 0) {
        name_empty(&out, contradictory < rows->count_a ? ABUT_INTERSECT_EMPTY_A : ABUT_INTERSECT_EMPTY_B);
        out.proof_count = 1;
        out.proof_row[0] = contradictory;
        out.proof_weight[0] = 1.0;
        return out;
    }
    if (out.method == ABUT_INTERSECT_REN)
        ask_search(rows, def, &out, workspace, size);
    else
        ask_lp(rows, both_known, &out, workspace, size);
    if (out.outcome == ABUT_INTERSECT_MEET || out.outcome == ABUT_INTERSECT_UNDECIDED) {
        out.proof_count = 0;
        name_empty(&out, out.outcome);
    }
    if (out.outcome != ABUT_INTERSECT_MEET) memset(out.witness, 0, sizeof out.witness);
    return out;
}

AbutRows abut_rows_in(void *workspace, int dimension, int count_a, int count_b, void **rest) {
    size_t count = (size_t)count_a + (size_t)count_b;
    AbutRows rows = {dimension, count_a, count_b, workspace, NULL, 1.0};
    rows.relaxed = rows.row + count * (size_t)(dimension + 1);
    *rest = rows.relaxed + count;
    return rows;
}

static int read_rows(AbutRows *rows, const AbutRegion *region, int first) {
    size_t n = (size_t)rows->dimension;
    for (int i = 0; i < region->count; ++i)
        if (!normalize_row(rows->dimension, region->normal + (size_t)i * n, region->offset[i],
                rows->row + (size_t)(first + i) * (n + 1)))
            return 0;
    return 1;
}

AbutIntersection abut_intersect_regions(int dimension, const AbutRegion *a, const AbutRegion *b,
    const AbutIntersectDef *def, void *workspace, size_t workspace_size) {
    ABUT_ASSERT(a && b);
    AbutIntersectDef plain = {0};
    AbutIntersection out = {0};
    def = def ? def : &plain;
    out.outcome = ABUT_INTERSECT_INVALID;
    if (a->count < 0 || b->count < 0 || a->count > MAX_ROWS || b->count > MAX_ROWS - a->count || !workspace ||
        !(def->tolerance >= 0.0) || !(def->tolerance < 1.0) || (unsigned)def->method >= ABUT_INTERSECT_METHOD_COUNT)
        return out;
    size_t need = abut_intersect_workspace_size(dimension, a->count + b->count);
    if (need == 0 || workspace_size < need) return out;
    void *rest;
    AbutRows rows = abut_rows_in(workspace, dimension, a->count, b->count, &rest);
    if (!read_rows(&rows, a, 0) || !read_rows(&rows, b, a->count)) return out;
    if (def->method == ABUT_INTERSECT_GJK && contradictory_row(&rows) < 0) {
        out = abut_intersect_rows_by_distance(&rows, def);
        if (out.outcome != ABUT_INTERSECT_UNDECIDED) return out;
    }
    rows.scale = typical_offset(&rows);
    size_t used = (size_t)((char *)rest - (char *)workspace);
    return abut_intersect_rows(&rows, def, 0, rest, workspace_size - used);
}
