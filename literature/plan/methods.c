/* SPDX-License-Identifier: Apache-2.0 */
/* Methods of AbutPlanSettings to compare with, and what they refuse. */
#include "literature/plan/methods.h"

enum { MOST_SAMPLES = 1000 };

static AbutStatus check_thesis(const AbutPlanProblem *problem, int64_t value, AbutError *error) {
    if (!abut_plan_has_thesis())
        return abut_fail_field(error, ABUT_ERROR_UNSUPPORTED, "method",
            " thesis: this build has no IPOPT (package coinor-libipopt-dev, -DABUT_WITH_IPOPT=ON)");
    if (problem->spans)
        return abut_fail_field(
            error, ABUT_ERROR_UNSUPPORTED, "method", " thesis: expected no windows, as it has its own spans of time");
    if (value < 0 || value >= ABUT_PLAN_MCD_COUNT)
        return abut_fail_field(
            error, ABUT_ERROR_ARGUMENT, "mcd", ": expected 0 to %d, got %d", ABUT_PLAN_MCD_COUNT - 1, (int)value);
    return ABUT_OK;
}

static AbutStatus check_samples(const AbutPlanProblem *problem, int64_t value, AbutError *error) {
    (void)problem;
    if (value < 0 || value > MOST_SAMPLES)
        return abut_fail_field(
            error, ABUT_ERROR_ARGUMENT, "samples", ": expected 0 to %d, got %d", (int)MOST_SAMPLES, (int)value);
    if (value < 2)
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "samples", ": expected two or more, got %d", (int)value);
    return ABUT_OK;
}

AbutPlanMethod abut_plan_by_thesis(AbutPlanMcd mcd) {
    static const AbutPlanMethodRow row = {check_thesis, abut_plan_solve_thesis};
    return (AbutPlanMethod){&row, mcd};
}

AbutPlanMethod abut_plan_by_samples(int32_t samples) {
    static const AbutPlanMethodRow row = {check_samples, NULL};
    return (AbutPlanMethod){&row, samples};
}
