/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Goals given by where a frame shall be. In: targets of inverse kinematics. The search of room robot is started from
 * the start posture and from random ones around it; what it reaches is kept when it lies within the limits, still
 * reaches the target once coupled joints follow, is clear and in balance; robots that stand have a search of their own
 * (reach_standing.c). Out: the postures, nearest to the start first.
 */
#include "plan/reach.h"

#include <string.h>

static const double SPREAD = 0.5; /* of random starts */

typedef struct Reach {
    const AbutPlanProblem *problem;
    const AbutPlanReach *wanted;
    AbutConfiguration *c;
    AbutIkSettings settings;
    uint8_t *locked;
    double *positions; /* of the posture, with the base where it stands */
    double *joints, *u, *distance;
    void *stand; /* memory of a robot that stands; NULL: it does not */
} Reach;

static void set_locks(Reach *r) {
    const AbutModel *model = r->problem->model;
    memset(r->locked, 1, (size_t)abut_configuration_velocity_count(r->c));
    for (int32_t e = 0; e < r->problem->entry_count; ++e) { /* leaders move, followers do not */
        const AbutPlanEntry *entry = &r->problem->entries[e];
        int32_t joint = r->problem->tree.joints[entry->joint];
        if (entry->factor == 1.0 && model->joints[joint].kind != ABUT_JOINT_BALL)
            r->locked[abut_configuration_joint_place(r->c, joint, ABUT_NUMBERS_VELOCITIES)] = 0;
    }
    r->settings.locked = r->locked;
}

static AbutStatus set_coordinates(Reach *r, const double *u, AbutError *error) {
    const AbutModel *model = r->problem->model;
    abut_plan_joints_of(r->problem, u, r->joints);
    for (int32_t j = 0; j < model->joint_count; ++j)
        if (model->joints[j].kind != ABUT_JOINT_BALL)
            r->positions[abut_configuration_joint_place(r->c, j, ABUT_NUMBERS_POSITIONS)] = r->joints[j];
    return abut_configuration_set(r->c, abut_configuration_position_count(r->c), r->positions, 0, NULL, error);
}

/* Coordinates of the configuration; 0 where the limits or the couplings do not let them reach the target. */
static int take_coordinates(Reach *r, AbutError *error) {
    const AbutPlanProblem *p = r->problem;
    AbutIkSettings none = r->settings;
    AbutIkResult result;
    for (int32_t j = 0; j < p->model->joint_count; ++j)
        r->joints[j] =
            p->model->joints[j].kind == ABUT_JOINT_BALL
                ? 0.0
                : abut_configuration_positions(r->c)[abut_configuration_joint_place(r->c, j, ABUT_NUMBERS_POSITIONS)];
    abut_plan_coordinates_of(p, r->joints, r->u);
    for (int32_t c = 0; c < p->coordinate_count; ++c)
        if (r->u[c] < p->lower[c] || r->u[c] > p->upper[c]) return 0;
    none.iterations = 1;
    none.restarts = 0;
    memset(r->locked, 1, (size_t)abut_configuration_velocity_count(r->c));
    int reached =
        set_coordinates(r, r->u, error) == ABUT_OK &&
        abut_configuration_ik(r->c, r->wanted->task_count, r->wanted->tasks, &none, &result, error) == ABUT_OK &&
        result.reached;
    set_locks(r);
    return reached;
}

/* Puts r->u into the list where its distance from the start belongs. */
static void insert(Reach *r, int32_t capacity, double *out, int32_t *count) {
    const double *start = r->wanted->start;
    int32_t n = r->problem->coordinate_count, at = *count;
    double square = 0.0;
    for (int32_t c = 0; c < n; ++c) square += (r->u[c] - start[c]) * (r->u[c] - start[c]);
    while (at > 0 && square < r->distance[at - 1]) --at;
    if (at == capacity) return;
    int32_t last = *count < capacity ? (*count)++ : capacity - 1;
    memmove(out + (at + 1) * n, out + at * n, (size_t)((last - at) * n) * sizeof *out);
    memmove(r->distance + at + 1, r->distance + at, (size_t)(last - at) * sizeof *r->distance);
    memcpy(out + at * n, r->u, (size_t)n * sizeof *out);
    r->distance[at] = square;
}

static AbutStatus try_once(
    Reach *r, AbutRng *rng, int32_t number, int32_t capacity, double *out, int32_t *count, AbutError *error) {
    const AbutPlanProblem *p = r->problem;
    AbutPlanNear near;
    AbutPlanBalance balance;
    AbutIkResult result;
    for (int32_t c = 0; c < p->coordinate_count; ++c) {
        double u = r->wanted->start[c] + (number ? SPREAD * abut_rng_normal(rng) : 0.0);
        r->u[c] = fmin(fmax(u, p->lower[c]), p->upper[c]);
    }
    AbutStatus status = ABUT_OK;
    if (r->stand) {
        if (!abut_plan_stand_ik(p, r->wanted->task_count, r->wanted->tasks, r->stand, r->u)) return ABUT_OK;
    } else {
        status = set_coordinates(r, r->u, error);
        if (!status)
            status = abut_configuration_ik(r->c, r->wanted->task_count, r->wanted->tasks, &r->settings, &result, error);
        if (status || !result.reached || !take_coordinates(r, error)) return status;
    }
    abut_plan_joints_of(p, r->u, r->joints);
    status = abut_plan_nearest_then(p, r->joints, 1.0, &near, error);
    if (!status) status = abut_plan_balance(p, r->joints, &balance, error);
    if (!status && (near.pair < 0 || near.distance >= p->margin + 1e-3) && balance.inside >= p->balance_margin + 1e-3)
        insert(r, capacity, out, count);
    return status;
}

static AbutStatus check_targets(const AbutPlanProblem *problem, const AbutPlanReach *reach, AbutError *error) {
    AbutStatus status = abut_plan_check_couplings(problem, error);
    for (int32_t i = 0; i < reach->task_count && problem->support >= 0 && !status; ++i) {
        const AbutIkTask *task = &reach->tasks[i];
        if ((task->kind != ABUT_IK_POSITION && task->kind != ABUT_IK_POSE) || task->body < 0)
            status = abut_fail(error, ABUT_ERROR_UNSUPPORTED,
                "a robot that stands: expected positions and poses of its frames as targets");
    }
    return status;
}

static AbutStatus take_memory(Reach *r, int32_t capacity, AbutError *error) {
    const AbutPlanProblem *problem = r->problem;
    AbutStatus status = abut_configuration_create(problem->robot, &r->c, error);
    if (status) return status;
    size_t positions = (size_t)problem->position_count;
    size_t numbers = positions + (size_t)problem->model->joint_count + (size_t)problem->coordinate_count;
    r->stand = problem->support >= 0 ? abut_alloc(abut_plan_stand_size(problem)) : NULL;
    r->positions = abut_alloc_array(numbers + (size_t)capacity + 4, sizeof *r->positions);
    r->locked = abut_alloc((size_t)abut_configuration_velocity_count(r->c) + 1);
    if ((problem->support >= 0 && !r->stand) || !r->positions || !r->locked) return abut_fail_memory(error);
    r->joints = r->positions + positions;
    r->u = r->joints + problem->model->joint_count;
    r->distance = r->u + problem->coordinate_count;
    memcpy(r->positions, problem->positions, positions * sizeof *r->positions);
    return ABUT_OK;
}

AbutStatus abut_plan_reach(const AbutPlanProblem *problem, const AbutPlanReach *reach, int32_t capacity, double *out,
    int32_t *count, AbutError *error) {
    ABUT_ASSERT(problem && reach && reach->start && out && count);
    Reach r = {.problem = problem, .wanted = reach, .settings = abut_ik_default()};
    AbutRng rng = abut_rng(reach->seed, 1000);
    *count = 0;
    AbutStatus status = check_targets(problem, reach, error);
    if (!status) status = take_memory(&r, capacity, error);
    if (!status) {
        r.settings.restarts = 0;
        set_locks(&r);
    }
    for (int32_t i = 0; i < reach->tries && !status; ++i) status = try_once(&r, &rng, i, capacity, out, count, error);
    abut_configuration_free(r.c);
    abut_free(r.positions);
    abut_free(r.locked);
    abut_free(r.stand);
    return status;
}
