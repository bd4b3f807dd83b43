/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the caller's rows to the plan: columns and rows scaled by powers of two, zero rows marked, rows that are
 * parallel up to sign merged, small rationals turned into integers. Also the block arena of the room.
 *
 * Signs do not change when a row or a column (a unit of velocity) is multiplied by a positive number, so the scaling
 * makes the tolerance independent of units.
 */
#include "mode/plan.h"

#include <string.h>

AbutStatus abut_mode_system_check(const AbutModeSystem *system, AbutError *error)
{
    if (!system)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "no system of contacts was given");
    int n = system->contacts, d = system->dof, t = system->lines;
    if (n < 0 || d < 0 || t < 0 || n > ABUT_MODE_SIZE || d > ABUT_MODE_SIZE || t > ABUT_MODE_SIZE)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "contacts %d, dof %d, lines %d: each must be 0 to %d", n, d, t, ABUT_MODE_SIZE);
    if ((n > 0 && d > 0 && !system->normal_rows) || (n > 0 && d > 0 && t > 0 && !system->tangent_rows))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "the rows of the contacts are missing");
    for (size_t i = 0; i < (size_t)n * (size_t)d; ++i)
        if (!isfinite(system->normal_rows[i]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "normal_rows: row %d is not finite", (int)(i / (size_t)d));
    for (size_t i = 0; i < (size_t)n * (size_t)t * (size_t)d; ++i)
        if (!isfinite(system->tangent_rows[i]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "tangent_rows: row %d is not finite", (int)(i / (size_t)d));
    for (size_t i = 0; system->low_rows && i < (size_t)n * (size_t)(1 + t) * (size_t)d; ++i)
        if (!isfinite(system->low_rows[i]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "low_rows: row %d is not finite", (int)(i / (size_t)d));
    return ABUT_OK;
}

static const double *raw_row(const AbutModeSystem *s, int raw)
{
    return raw < s->contacts ? s->normal_rows + (size_t)raw * (size_t)s->dof
                             : s->tangent_rows + (size_t)(raw - s->contacts) * (size_t)s->dof;
}

/* The power of two that brings x > 0 into [1, 2). */
static double to_unit(double x)
{
    return ldexp(1.0, -ilogb(x));
}

static double row_max(const double *row, int d)
{
    double m = 0.0;
    for (int j = 0; j < d; ++j)
        m = fmax(m, fabs(row[j]));
    return m;
}

/* Column factors from the largest entry of each column; a column of nothing but rounding is not blown up. */
static void scale_columns(const AbutModeSystem *s, int raw, double *column)
{
    double all = 0.0;
    for (int j = 0; j < s->dof; ++j) {
        column[j] = 0.0;
        for (int i = 0; i < raw; ++i)
            column[j] = fmax(column[j], fabs(raw_row(s, i)[j]));
        all = fmax(all, column[j]);
    }
    for (int j = 0; j < s->dof; ++j)
        column[j] = all > 0.0 ? to_unit(column[j] > 1e-12 * all ? column[j] : all) : 1.0;
}

/* 1 or -1 when the rows a and b (largest entry in [1, 2)) are parallel up to sign within the tolerance, else 0. */
static int parallel(const double *a, const double *b, int d, double tolerance)
{
    int at = 0;
    for (int j = 1; j < d; ++j)
        if (fabs(a[j]) > fabs(a[at]))
            at = j;
    if (fabs(b[at]) < 0.25)
        return 0;
    double factor = b[at] / a[at];
    for (int j = 0; j < d; ++j)
        if (fabs(b[j] - factor * a[j]) > tolerance)
            return 0;
    return factor > 0.0 ? 1 : -1;
}

/* The same in pairs; the largest part of b that is left is compared. */
static int parallel_pairs(const double *a, const double *al, const double *b, const double *bl, int d, double tolerance)
{
    int at = 0;
    for (int j = 1; j < d; ++j)
        if (fabs(a[j]) > fabs(a[at]))
            at = j;
    if (fabs(b[at]) < 0.25)
        return 0;
    AbutPair factor = abut_pair_div((AbutPair){b[at], bl[at]}, (AbutPair){a[at], al[at]});
    for (int j = 0; j < d; ++j) {
        AbutPair part = abut_pair_mul(factor, (AbutPair){a[j], al[j]});
        if (fabs(abut_pair_sub((AbutPair){b[j], bl[j]}, part).hi) > tolerance)
            return 0;
    }
    return factor.hi > 0.0 ? 1 : -1;
}

/* Are unique row u and the row behind the last one parallel? */
static int same_row(const AbutModePlan *plan, int u)
{
    size_t d = (size_t)plan->dof, at = (size_t)u * d, last = (size_t)plan->unique * d;
    if (!plan->pairs)
        return parallel(plan->matrix + at, plan->matrix + last, plan->dof, plan->tolerance);
    return parallel_pairs(
        plan->matrix + at, plan->low + at, plan->matrix + last, plan->low + last, plan->dof, plan->tolerance);
}

/* Scaled copy of raw row i behind the last unique row; 0 when it counts as a zero row. `largest`: scaled, of all. */
static int scaled_row(const AbutModeSystem *s, const AbutModePlan *plan, int i, double largest)
{
    double *row = plan->matrix + (size_t)plan->unique * (size_t)s->dof;
    double *low = plan->low + (size_t)plan->unique * (size_t)s->dof;
    const double *from = raw_row(s, i);
    for (int j = 0; j < s->dof; ++j)
        row[j] = from[j] * plan->column[j];
    double m = row_max(row, s->dof);
    if (!(m > plan->tolerance * largest))
        return 0;
    double factor = to_unit(m);
    for (int j = 0; j < s->dof; ++j) {
        row[j] *= factor;
        if (plan->pairs) {
            AbutPair x =
                abut_pair_sum(row[j], s->low_rows[(size_t)i * (size_t)s->dof + (size_t)j] * plan->column[j] * factor);
            row[j] = x.hi, low[j] = x.lo;
        }
    }
    return 1;
}

static AbutStatus merge_rows(const AbutModeSystem *s, AbutModePlan *plan, AbutError *error)
{
    double largest = 0.0;
    for (int i = 0; i < plan->raw; ++i)
        for (int j = 0; j < s->dof; ++j)
            largest = fmax(largest, fabs(raw_row(s, i)[j] * plan->column[j]));
    for (int i = 0; i < plan->raw; ++i) {
        plan->index[i] = -1, plan->sign[i] = 1;
        if (s->dof == 0 || !scaled_row(s, plan, i, largest))
            continue;
        for (int u = 0; u < plan->unique && plan->index[i] < 0; ++u) {
            int sign = same_row(plan, u);
            if (sign)
                plan->index[i] = u, plan->sign[i] = (int8_t)sign;
        }
        if (plan->index[i] >= 0)
            continue;
        if (plan->unique == ABUT_MODE_ROWS)
            return abut_fail(error, ABUT_ERROR_LIMIT, "more than %d different rows", ABUT_MODE_ROWS);
        plan->index[i] = plan->unique++;
    }
    return ABUT_OK;
}

static int choose_arithmetic(const AbutModeSystem *s, AbutModePlan *plan, AbutModeArithmetic arithmetic)
{
    int more_digits = 0;
    for (int i = 0; plan->pairs && i < plan->unique * s->dof; ++i)
        more_digits |= plan->low[i] != 0.0;
    plan->exact = 0;
    if (arithmetic == ABUT_MODE_DOUBLE || arithmetic == ABUT_MODE_PAIRS || more_digits)
        return 1;
    plan->exact = abut_mode_rationalize(plan->matrix, plan->unique, s->dof, plan->whole, &plan->bits);
    if (plan->exact)
        plan->pairs = 0;
    return plan->exact || arithmetic == ABUT_MODE_AUTO;
}

AbutStatus abut_mode_plan_make(
    const AbutModeSystem *system, double tolerance, AbutModeArithmetic arithmetic, AbutModePlan *plan, AbutError *error)
{
    memset(plan, 0, sizeof *plan);
    AbutStatus status = abut_mode_system_check(system, error);
    if (status != ABUT_OK)
        return status;
    if (!(tolerance >= 0.0 && tolerance < 0.01))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "tolerance %g: must be 0 or more and below 0.01", tolerance);
    plan->contacts = system->contacts, plan->lines = system->lines, plan->dof = system->dof;
    plan->raw = system->contacts * (1 + system->lines);
    plan->pairs =
        system->low_rows && system->dof > 0 && (arithmetic == ABUT_MODE_PAIRS || arithmetic == ABUT_MODE_AUTO);
    if (arithmetic == ABUT_MODE_PAIRS && !system->low_rows)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "the rows have no more digits than a double holds: no pairs");
    plan->tolerance = tolerance > 0.0 ? tolerance : plan->pairs ? ABUT_MODE_PAIR_TOLERANCE : 1e-9;
    size_t raw = (size_t)plan->raw, d = (size_t)system->dof;
    size_t kept = (raw < ABUT_MODE_ROWS ? raw : ABUT_MODE_ROWS) + 1;
    size_t bytes = raw * 4 + raw + d * 8 + kept * d * 24 + 6 * 64;
    unsigned char *memory = abut_alloc(bytes);
    if (!memory)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d rows", plan->raw);
    AbutArena arena = abut_arena(memory, bytes);
    plan->memory = memory;
    plan->matrix = abut_arena_take(&arena, kept * d * 8);
    plan->low = abut_arena_take(&arena, kept * d * 8);
    plan->whole = abut_arena_take(&arena, kept * d * 8);
    plan->column = abut_arena_take(&arena, d * 8);
    plan->index = abut_arena_take(&arena, raw * 4);
    plan->sign = abut_arena_take(&arena, raw);
    scale_columns(system, plan->raw, plan->column);
    status = merge_rows(system, plan, error);
    if (status == ABUT_OK && !choose_arithmetic(system, plan, arithmetic))
        status = abut_fail(error, ABUT_ERROR_UNSUPPORTED, "the rows are not small rationals: no exact arithmetic");
    if (status != ABUT_OK)
        abut_mode_plan_free(plan);
    return status;
}

void abut_mode_plan_free(AbutModePlan *plan)
{
    abut_free(plan->memory);
    memset(plan, 0, sizeof *plan);
}

/* ---- block arena ------------------------------------------------------------------------------------------------- */

/* Goes on to the next block that is large enough, or links a new one behind the current. NULL without memory. */
void *abut_mode_arena_more(AbutModeArena *arena, size_t bytes)
{
    AbutModeBlock *block = arena->block ? arena->block->next : arena->first;
    if (!block || block->size - ABUT_MODE_BLOCK_HEAD < bytes) {
        size_t size = (size_t)1 << 18;
        if (size < bytes + ABUT_MODE_BLOCK_HEAD)
            size = bytes + ABUT_MODE_BLOCK_HEAD;
        AbutModeBlock *fresh = abut_alloc(size);
        if (!fresh)
            return NULL;
        fresh->size = size, fresh->next = block;
        if (arena->block)
            arena->block->next = fresh;
        else
            arena->first = fresh;
        block = fresh;
    }
    arena->block = block;
    arena->used = ABUT_MODE_BLOCK_HEAD + bytes;
    return (unsigned char *)block + ABUT_MODE_BLOCK_HEAD;
}

void abut_mode_arena_free(AbutModeArena *arena)
{
    for (AbutModeBlock *block = arena->first; block;) {
        AbutModeBlock *next = block->next;
        abut_free(block);
        block = next;
    }
    memset(arena, 0, sizeof *arena);
}
