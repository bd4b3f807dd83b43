/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs that may meet during a part of the motion, as a hand and what it takes hold of. In: windows of the caller. Out:
 * a span for each pair, empty for most, that search and proof leave alone; a note of each, as nothing is proved in it.
 */
#include "proof/problem.h"

#include <string.h>

static int32_t find_pair(const AbutPlanProblem *problem, AbutPair links) {
    for (int32_t i = 0; i < problem->pair_count; ++i) {
        AbutPair p = problem->pairs[i];
        if ((p.a == links.a && p.b == links.b) || (p.a == links.b && p.b == links.a)) return i;
    }
    return -1;
}

AbutStatus abut_plan_windows_check(const AbutPlanDef *def, AbutError *error) {
    for (int32_t i = 0; i < def->window_count; ++i) {
        const AbutPlanWindow *w = &def->windows[i];
        if (!(w->from >= 0.0 && w->from < w->to && w->to <= 1.0 && w->to - w->from < 1.0))
            return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "window",
                " %d: expected parts of the time that grow within 0 .. 1, less than all of it, got %g and %g", (int)i,
                w->from, w->to);
    }
    return ABUT_OK;
}

static AbutStatus add_window(AbutPlanProblem *problem, const AbutPlanWindow *w, AbutError *error) {
    const char *a = abut_plan_link_name(problem, w->links.a), *b = abut_plan_link_name(problem, w->links.b);
    int32_t pair = find_pair(problem, w->links);
    if (pair < 0)
        return abut_plan_add_note(problem, error, "%s and %s are no pair that counts: they may always meet", a, b);
    if (problem->spans[pair].to > 0.0)
        return abut_fail_field(
            error, ABUT_ERROR_ARGUMENT, "window", ": expected one for each pair, got two of %s and %s", a, b);
    problem->spans[pair] = (AbutPlanSpan){w->from, w->to};
    return abut_plan_add_note(problem, error,
        "%s and %s may meet from the part %g to %g of the time: nothing is proved of them then", a, b, w->from, w->to);
}

AbutStatus abut_plan_windows_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error) {
    AbutStatus status = ABUT_OK;
    if (def->window_count < 1) return ABUT_OK;
    problem->spans = abut_alloc_array((size_t)problem->pair_count + 1, sizeof *problem->spans);
    if (!problem->spans) return abut_fail_memory(error);
    for (int32_t i = 0; i < problem->pair_count; ++i) problem->spans[i] = (AbutPlanSpan){1.0, 0.0};
    for (int32_t i = 0; i < def->window_count && !status; ++i) status = add_window(problem, &def->windows[i], error);
    return status;
}
