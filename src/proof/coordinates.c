/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planned coordinates u: the joints of the problem are q = C u + d. Without a coupling of the caller's every joint is a
 * coordinate, but those that follow another joint on a straight line (equalities of the model; URDF mimic), which have
 * a factor of that one's; and those of the legs of a robot on two feet (feet.c). The limits of a coordinate hold the
 * limits of all joints that follow it alone; those of joints that follow several are rows of the search.
 */
#include "proof/problem.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 64 };

static AbutStatus take_memory(AbutPlanProblem *problem, int32_t coordinates, size_t entries, AbutError *error) {
    size_t n = (size_t)coordinates + 1;
    problem->coordinate_count = coordinates;
    problem->entries = abut_alloc_array(entries + 1, sizeof *problem->entries);
    problem->offset = abut_alloc_array((size_t)problem->tree.joint_count + 1, sizeof *problem->offset);
    problem->lower = abut_alloc_array(n, sizeof *problem->lower);
    problem->upper = abut_alloc_array(n, sizeof *problem->upper);
    problem->names = abut_alloc_array(n, sizeof *problem->names);
    char *text = abut_alloc_array(n, NAME);
    if (problem->names) problem->names[0] = text; /* freed with the problem */
    if (!problem->entries || !problem->offset || !problem->lower || !problem->upper || !problem->names || !text) {
        if (!problem->names) abut_free(text);
        return abut_fail_memory(error);
    }
    memset(text, 0, n * NAME);
    for (int32_t i = 0; i <= coordinates; ++i) problem->names[i] = text + (size_t)i * NAME;
    return ABUT_OK;
}

static void add_entry(AbutPlanProblem *problem, int32_t joint, int32_t coordinate, double factor) {
    problem->entries[problem->entry_count++] = (AbutPlanEntry){joint, coordinate, factor};
}

/* ---- by the model ------------------------------------------------------------------------------------------------ */

/* Does this joint of the problem follow another one, or stay where an equality has it? */
static int follows(const AbutPlanProblem *problem, int32_t i, AbutCoupling *out) {
    *out = abut_tree_coupling(problem->robot, problem->tree.joints[i]);
    return out->follows > 0;
}

static void set_limits(AbutPlanProblem *problem, int32_t c, int32_t i) {
    const AbutJointDef *joint = &problem->model->joints[problem->tree.joints[i]];
    double wide = joint->kind == ABUT_JOINT_SLIDE ? 10.0 : ABUT_PI;
    problem->lower[c] = isfinite(problem->limits[i].lower) ? problem->limits[i].lower : -wide;
    problem->upper[c] = isfinite(problem->limits[i].upper) ? problem->limits[i].upper : wide;
    snprintf(problem->names[c], NAME, "%s", joint->name);
}

/* Narrows the limits of a coordinate to what joint number i of the problem with q = factor u + offset allows. */
static void narrow(AbutPlanProblem *problem, int32_t c, double factor, double offset, int32_t i) {
    if (factor == 0.0) return;
    double one = (problem->limits[i].lower - offset) / factor, two = (problem->limits[i].upper - offset) / factor;
    problem->lower[c] = fmax(problem->lower[c], fmin(one, two));
    problem->upper[c] = fmin(problem->upper[c], fmax(one, two));
}

/* The last coordinates: sway, hip and knee of a robot on two feet. */
static void add_legs(AbutPlanProblem *problem, const AbutPlanLegs *legs, int32_t first) {
    static const char *const names[ABUT_PLAN_LEG_COORDINATES] = {"sway", "hip", "knee"};
    for (int k = 0; k < ABUT_PLAN_LEG_COORDINATES; ++k) {
        problem->lower[first + k] = -ABUT_PI;
        problem->upper[first + k] = ABUT_PI;
        snprintf(problem->names[first + k], NAME, "%s", names[k]);
    }
    for (int32_t i = 0; i < problem->tree.joint_count; ++i) {
        int32_t count = 0, last = 0;
        if (!legs->is_leg[i]) continue;
        problem->offset[i] = problem->tree.reference[i];
        for (int k = 0; k < ABUT_PLAN_LEG_COORDINATES; ++k)
            if (legs->factor[i][k] != 0.0) {
                add_entry(problem, i, first + k, legs->factor[i][k]);
                last = k;
                ++count;
            }
        if (count == 1) narrow(problem, first + last, legs->factor[i][last], problem->offset[i], i);
    }
}

/* A joint follows all coordinates of the one that leads it, and stays where that one is held. */
static void add_follower(AbutPlanProblem *problem, int32_t i, const AbutCoupling *coupling) {
    int32_t leader = coupling->leader < 0 ? -1 : abut_plan_moving(problem, coupling->leader),
            last = problem->entry_count;
    problem->offset[i] = coupling->offset;
    if (leader < 0) {
        problem->offset[i] += coupling->leader < 0 ? 0.0 : coupling->factor * problem->rest[coupling->leader];
        return;
    }
    problem->offset[i] += coupling->factor * problem->offset[leader];
    for (int32_t c = 0; c < last; ++c) {
        const AbutPlanEntry *entry = &problem->entries[c];
        if (entry->joint != leader) continue;
        add_entry(problem, i, entry->coordinate, coupling->factor * entry->factor);
        if (!abut_plan_is_mixed(problem, leader))
            narrow(problem, entry->coordinate, coupling->factor * entry->factor, problem->offset[i], i);
    }
}

static AbutStatus by_model(AbutPlanProblem *problem, AbutError *error) {
    AbutPlanLegs legs = {0};
    AbutCoupling coupling;
    int32_t n = problem->tree.joint_count, count = 0;
    AbutStatus status = abut_plan_legs_make(problem, &legs, error);
    if (status) return status;
    for (int32_t i = 0; i < n; ++i) count += !follows(problem, i, &coupling) && !legs.is_leg[i];
    status = take_memory(problem, count + (problem->other_foot >= 0 ? ABUT_PLAN_LEG_COORDINATES : 0),
        ABUT_PLAN_LEG_COORDINATES * (size_t)n, error);
    if (status) {
        abut_plan_legs_free(&legs);
        return status;
    }
    count = 0;
    for (int32_t i = 0; i < n; ++i)
        if (!follows(problem, i, &coupling) && !legs.is_leg[i]) {
            problem->offset[i] = 0.0;
            set_limits(problem, count, i);
            add_entry(problem, i, count++, 1.0);
        }
    if (problem->other_foot >= 0) add_legs(problem, &legs, count);
    for (int32_t i = 0; i < n; ++i)
        if (!legs.is_leg[i] && follows(problem, i, &coupling)) add_follower(problem, i, &coupling);
    abut_plan_legs_free(&legs);
    return ABUT_OK;
}

/* ---- by the caller ----------------------------------------------------------------------------------------------- */

static void caller_limits(AbutPlanProblem *problem, const AbutPlanDef *def, int32_t c) {
    int32_t alone = -1, entries = 0;
    for (int32_t e = 0; e < problem->entry_count; ++e)
        if (problem->entries[e].coordinate == c) {
            ++entries;
            alone = problem->entries[e].factor == 1.0 ? problem->entries[e].joint : alone;
        }
    snprintf(problem->names[c], NAME, "u%d", (int)c);
    problem->lower[c] = def->lower ? def->lower[c] : -ABUT_PI;
    problem->upper[c] = def->upper ? def->upper[c] : ABUT_PI;
    if (entries == 1 && alone >= 0) {
        const AbutJointDef *joint = &problem->model->joints[problem->tree.joints[alone]];
        snprintf(problem->names[c], NAME, "%s", joint->name);
        narrow(problem, c, 1.0, problem->offset[alone], alone);
    }
}

static AbutStatus by_caller(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error) {
    int32_t n = problem->tree.joint_count, m = def->coordinate_count;
    if (!def->coupling || !def->offset)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "expected coupling and offset with coordinate_count %d", (int)m);
    AbutStatus status = take_memory(problem, m, (size_t)n * (size_t)m, error);
    for (int32_t i = 0; i < n && !status; ++i) {
        int32_t joint = problem->tree.joints[i];
        problem->offset[i] = def->offset[joint];
        for (int32_t c = 0; c < m; ++c) {
            double factor = def->coupling[(size_t)joint * (size_t)m + (size_t)c];
            if (!isfinite(factor) || !isfinite(def->offset[joint]))
                return abut_fail(error, ABUT_ERROR_NUMBER, "coupling: expected finite numbers");
            if (factor != 0.0) add_entry(problem, i, c, factor);
        }
    }
    for (int32_t c = 0; c < m && !status; ++c) caller_limits(problem, def, c);
    return status;
}

AbutStatus abut_plan_coordinates_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error) {
    AbutStatus status = def->coordinate_count > 0 ? by_caller(problem, def, error) : by_model(problem, error);
    for (int32_t c = 0; c < problem->coordinate_count && !status; ++c)
        if (!(problem->lower[c] <= problem->upper[c]))
            status = abut_fail(error, ABUT_ERROR_ARGUMENT, "coordinate '%s': its limits %g and %g leave nothing",
                problem->names[c], problem->lower[c], problem->upper[c]);
    return status || problem->other_foot < 0 ? status : abut_plan_legs_check(problem, error);
}

/* ---- there and back ---------------------------------------------------------------------------------------------- */

void abut_plan_joints_of(const AbutPlanProblem *problem, const double *u, double *joints) {
    ABUT_ASSERT(problem && u && joints);
    memcpy(joints, problem->rest, (size_t)problem->model->joint_count * sizeof *joints);
    for (int32_t i = 0; i < problem->tree.joint_count; ++i) joints[problem->tree.joints[i]] = problem->offset[i];
    for (int32_t e = 0; e < problem->entry_count; ++e) {
        const AbutPlanEntry *entry = &problem->entries[e];
        joints[problem->tree.joints[entry->joint]] += entry->factor * u[entry->coordinate];
    }
}

/* One coordinate at a time: least squares where coordinates do not share joints, and a good start where they do. */
void abut_plan_coordinates_of(const AbutPlanProblem *problem, const double *joints, double *u) {
    ABUT_ASSERT(problem && joints && u);
    enum { SWEEPS = 200 };
    memset(u, 0, (size_t)problem->coordinate_count * sizeof *u);
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        double most = 0.0;
        for (int32_t c = 0; c < problem->coordinate_count; ++c) {
            double sum = 0.0, weight = 0.0;
            for (int32_t e = 0; e < problem->entry_count; ++e) {
                const AbutPlanEntry *entry = &problem->entries[e];
                if (entry->coordinate != c) continue;
                double miss = joints[problem->tree.joints[entry->joint]] - problem->offset[entry->joint];
                for (int32_t k = 0; k < problem->entry_count; ++k)
                    if (problem->entries[k].joint == entry->joint)
                        miss -= problem->entries[k].factor * u[problem->entries[k].coordinate];
                sum += entry->factor * miss;
                weight += entry->factor * entry->factor;
            }
            double step = weight > 0.0 ? sum / weight : 0.0;
            u[c] += step;
            most = fmax(most, fabs(step));
        }
        if (most < 1e-15) break;
    }
}
