/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inverse kinematics in the planned coordinates of a robot that stands: the base follows from the joints, and legs on
 * two feet move together, which room robot does not know. Damped Gauss-Newton steps u += J' (J J' + d^2)^-1 r, at most
 * 0.3 long in each coordinate and kept within limits; positions, and with poses rotations as vectors.
 */
#include "solve/solve.h"
#include "plan/reach.h"

#include <string.h>

static const double LENGTH = 0.3;   /* m that one radian counts as */
static const double DAMPING = 1e-4; /* m */
static const double LONGEST = 0.3;  /* step of a coordinate */
static const double REACHED = 1e-6; /* m, and rad times LENGTH */
enum { STEPS = 60, ROWS = 6 * ABUT_IK_TASKS };

size_t abut_plan_stand_size(const AbutPlanProblem *problem) {
    return abut_plan_posture_size(&problem->tree) +
           ((size_t)problem->tree.joint_count + (size_t)ROWS * (size_t)problem->coordinate_count + 1) * sizeof(double);
}

/* Twice the vector part of the turn from a to b. */
static AbutVec3 turn_between(AbutQuat a, AbutQuat b) {
    AbutQuat q = abut_quat_mul(b, abut_quat_conj(a));
    return abut_scale(abut_vec3(q.x, q.y, q.z), q.w < 0.0 ? -2.0 : 2.0);
}

/* Adds a column of a joint to the rows of a task, for every coordinate that moves the joint. */
static void add_column(const AbutPlanProblem *p, int32_t joint, AbutVec3 move, AbutVec3 turn, int turns, double *rows) {
    const double parts[6] = {move.x, move.y, move.z, LENGTH * turn.x, LENGTH * turn.y, LENGTH * turn.z};
    for (int32_t e = 0; e < p->entry_count; ++e)
        for (int k = 0; p->entries[e].joint == joint && k < (turns ? 6 : 3); ++k)
            rows[k * p->coordinate_count + p->entries[e].coordinate] += p->entries[e].factor * parts[k];
}

/* Rows and what is missing of one task; gives how many rows. */
static int set_task(
    const AbutPlanProblem *p, const AbutIkTask *task, const AbutPlanPosture *at, double *rows, double *r) {
    const AbutPlanTree *tree = &p->tree;
    int32_t node = tree->body_node[task->body];
    AbutPose pose = abut_pose_mul(at->node[node], task->pose);
    int turns = task->kind == ABUT_IK_POSE;
    AbutVec3 move = abut_sub(task->target.p, pose.p), turn = abut_scale(turn_between(pose.q, task->target.q), LENGTH);
    const double missing[6] = {move.x, move.y, move.z, turn.x, turn.y, turn.z};
    memset(rows, 0, 6 * (size_t)p->coordinate_count * sizeof *rows);
    memcpy(r, missing, sizeof missing);
    for (int32_t i = tree->path_start[node]; i < tree->path_start[node + 1]; ++i) {
        int32_t j = tree->path[i];
        AbutVec3 z = at->axis[j];
        if (tree->slides[j])
            add_column(p, j, z, abut_zero(), turns, rows);
        else
            add_column(p, j, abut_cross(z, abut_sub(pose.p, at->origin[j])), z, turns, rows);
    }
    return turns ? 6 : 3;
}

/* The step, applied to u. */
static void step(const AbutPlanProblem *p, int m, const double *rows, double *r, double *u) {
    double normal[ROWS * ROWS], scale[ROWS];
    int32_t n = p->coordinate_count;
    for (int a = 0; a < m; ++a)
        for (int b = 0; b <= a; ++b) {
            double sum = a == b ? DAMPING * DAMPING : 0.0;
            for (int32_t c = 0; c < n; ++c) sum += rows[a * n + c] * rows[b * n + c];
            normal[a * m + b] = sum;
        }
    if (abut_cholesky_factor(m, normal, scale, 1e-14) >= 0) return;
    abut_cholesky_solve(m, normal, scale, r);
    for (int32_t c = 0; c < n; ++c) {
        double change = 0.0;
        for (int a = 0; a < m; ++a) change += rows[a * n + c] * r[a];
        change = fmin(fmax(change, -LONGEST), LONGEST);
        u[c] = fmin(fmax(u[c] + change, p->lower[c]), p->upper[c]);
    }
}

int abut_plan_stand_ik(
    const AbutPlanProblem *problem, int32_t task_count, const AbutIkTask *tasks, void *memory, double *u) {
    AbutPlanPosture at = abut_plan_posture_in(&problem->tree, memory);
    double *q = (double *)((char *)memory + abut_plan_posture_size(&problem->tree)), r[ROWS];
    double *rows = q + problem->tree.joint_count;
    for (int i = 0; i < STEPS; ++i) {
        int m = 0;
        double most = 0.0;
        memcpy(q, problem->offset, (size_t)problem->tree.joint_count * sizeof *q);
        for (int32_t e = 0; e < problem->entry_count; ++e)
            q[problem->entries[e].joint] += problem->entries[e].factor * u[problem->entries[e].coordinate];
        abut_plan_tree_place(&problem->tree, q, &at);
        for (int32_t t = 0; t < task_count; ++t)
            m += set_task(problem, &tasks[t], &at, rows + (size_t)m * (size_t)problem->coordinate_count, r + m);
        for (int k = 0; k < m; ++k) most = fmax(most, fabs(r[k]));
        if (most < REACHED) return 1;
        step(problem, m, rows, r, u);
    }
    return 0;
}
