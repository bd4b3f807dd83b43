/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The demands of a motion on the joints and the ground. In: a trajectory. Torques are those of inverse dynamics (room
 * robot); of a robot that stands the base gets the wrench that nothing gives it there, the feet have to, and the
 * torques are less what the feet do. On two feet the wrenches are the smallest ones that will do. Running through the
 * same path T times slower divides speeds by T and accelerations by T squared, so that torques and wrenches are G + D /
 * T^2 with the static part G: the shortest duration that keeps a limit follows in closed form. Sampled, not proved.
 */
#include "plan/effort.h"

#include "solve/solve.h"

#include <string.h>

static const double ARM = 0.05; /* m: lever at which a moment counts like a force when two feet share */

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static int32_t root_of_support(const AbutPlanProblem *problem) {
    return problem->support < 0 ? -1 : abut_plan_root_of(problem->model, problem->support);
}

AbutStatus abut_plan_dynamics_make(const AbutPlanProblem *problem, AbutPlanDynamics *out, AbutError *error) {
    AbutPlanDynamics d = {
        .problem = problem, .root = root_of_support(problem), .foot_count = problem->other_foot < 0 ? 1 : 2};
    AbutStatus status = abut_configuration_create(problem->robot, &d.c, error);
    *out = d;
    if (status) return status;
    size_t nq = (size_t)problem->position_count, nv = (size_t)abut_configuration_velocity_count(d.c);
    size_t posture = abut_plan_posture_size(&problem->tree);
    d.memory = abut_alloc(posture + (nq + 3 * nv + 12 * nv + 1) * sizeof(double));
    if (!d.memory) {
        abut_configuration_free(d.c);
        return abut_fail_memory(error);
    }
    d.at = abut_plan_posture_in(&problem->tree, d.memory);
    d.positions = (double *)((char *)d.memory + posture);
    d.velocities = d.positions + nq;
    d.accelerations = d.velocities + nv;
    d.torques = d.accelerations + nv;
    d.jacobian = d.torques + nv;
    d.velocity_count = (int32_t)nv;
    d.base = d.root < 0 ? -1 : abut_configuration_body_place(d.c, d.root, ABUT_NUMBERS_VELOCITIES);
    *out = d;
    return ABUT_OK;
}

void abut_plan_dynamics_free(AbutPlanDynamics *d) {
    abut_configuration_free(d->c);
    abut_free(d->memory);
    memset(d, 0, sizeof *d);
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

/* Velocity and acceleration of a frame, at a point of it. */
typedef struct Moving {
    AbutVec3 point, v, a, turn, bend; /* turn: angular velocity, bend: its change */
} Moving;

static Moving carry(Moving m, AbutVec3 to) {
    AbutVec3 d = abut_sub(to, m.point), w = abut_cross(m.turn, d);
    m.a = abut_add(m.a, abut_add(abut_cross(m.bend, d), abut_cross(m.turn, w)));
    m.v = abut_add(m.v, w);
    m.point = to;
    return m;
}

/* For a node, by the joints from the support to it. */
static Moving move_node(const AbutPlanDynamics *d, int32_t node, const double *v, const double *a) {
    const AbutPlanTree *tree = &d->problem->tree;
    Moving m = {abut_zero(), abut_zero(), abut_zero(), abut_zero(), abut_zero()};
    for (int32_t i = tree->path_start[node]; i < tree->path_start[node + 1]; ++i) {
        int32_t j = tree->path[i];
        AbutVec3 z = d->at.axis[j], swept = abut_cross(m.turn, z);
        m = carry(m, d->at.origin[j]);
        AbutVec3 *speed = tree->slides[j] ? &m.v : &m.turn, *change = tree->slides[j] ? &m.a : &m.bend;
        *change = abut_add_scaled(abut_add_scaled(*change, z, a[j]), swept, (tree->slides[j] ? 2.0 : 1.0) * v[j]);
        *speed = abut_add_scaled(*speed, z, v[j]);
    }
    return carry(m, d->at.node[node].p);
}

/* The free base follows from the joints. */
static void set_base(AbutPlanDynamics *d, const double *v, const double *a) {
    int32_t node = d->problem->tree.body_node[d->root],
            at = abut_configuration_body_place(d->c, d->root, ABUT_NUMBERS_POSITIONS);
    AbutPose pose = d->at.node[node];
    const double numbers[7] = {pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z};
    memcpy(d->positions + at, numbers, sizeof numbers);
    if (!v) return;
    Moving m = move_node(d, node, v, a);
    AbutVec3 turn = abut_quat_rotate_inv(pose.q, m.turn), bend = abut_quat_rotate_inv(pose.q, m.bend);
    const double speed[6] = {m.v.x, m.v.y, m.v.z, turn.x, turn.y, turn.z};
    const double change[6] = {m.a.x, m.a.y, m.a.z, bend.x, bend.y, bend.z};
    memcpy(d->velocities + d->base, speed, sizeof speed);
    memcpy(d->accelerations + d->base, change, sizeof change);
}

static AbutStatus set_state(AbutPlanDynamics *d, const double *q, const double *v, const double *a, AbutError *error) {
    const AbutPlanProblem *p = d->problem;
    memcpy(d->positions, p->positions, (size_t)p->position_count * sizeof *d->positions);
    memset(d->velocities, 0, (size_t)d->velocity_count * sizeof *d->velocities);
    memset(d->accelerations, 0, (size_t)d->velocity_count * sizeof *d->accelerations);
    for (int32_t i = 0; i < p->tree.joint_count; ++i) {
        int32_t at = abut_configuration_joint_place(d->c, p->tree.joints[i], ABUT_NUMBERS_VELOCITIES);
        d->positions[abut_configuration_joint_place(d->c, p->tree.joints[i], ABUT_NUMBERS_POSITIONS)] = q[i];
        d->velocities[at] = v ? v[i] : 0.0;
        d->accelerations[at] = v ? a[i] : 0.0;
    }
    if (d->base >= 0) {
        abut_plan_tree_place(&p->tree, q, &d->at);
        set_base(d, v, a);
    }
    return abut_configuration_set(d->c, p->position_count, d->positions, d->velocity_count, d->velocities, error);
}

/* ---- feet -------------------------------------------------------------------------------------------------------- */

/* The wrenches at the feet that together are what the base asks for; the torques are less what these do. */
static void push_feet(AbutPlanDynamics *d) {
    enum { SIX = 6 };
    const int32_t feet[2] = {d->problem->support, d->problem->other_foot};
    int n = SIX * d->foot_count, nv = d->velocity_count;
    double normal[SIX * SIX] = {0}, scale[SIX], y[SIX];
    for (int f = 0; f < d->foot_count; ++f)
        abut_configuration_jacobian(
            d->c, feet[f], abut_configuration_body_pose(d->c, feet[f]).p, d->jacobian + (size_t)(SIX * f) * (size_t)nv);
    for (int a = 0; a < SIX; ++a) {
        y[a] = d->torques[d->base + a];
        for (int b = 0; b <= a; ++b)
            for (int k = 0; k < n; ++k) {
                const double *row = d->jacobian + (size_t)k * (size_t)nv + d->base;
                normal[a * SIX + b] += (k % SIX < 3 ? 1.0 : ARM * ARM) * row[a] * row[b];
            }
    }
    if (abut_cholesky_factor(SIX, normal, scale, 1e-14) >= 0) return;
    abut_cholesky_solve(SIX, normal, scale, y);
    for (int k = 0; k < n; ++k) {
        const double *row = d->jacobian + (size_t)k * (size_t)nv;
        double push = 0.0;
        for (int a = 0; a < SIX; ++a) push += (k % SIX < 3 ? 1.0 : ARM * ARM) * row[d->base + a] * y[a];
        for (int j = 0; j < nv; ++j) d->torques[j] -= row[j] * push;
    }
}

AbutStatus abut_plan_dynamics_at(AbutPlanDynamics *d, const double *q, const double *v, const double *a,
    double *torques, AbutPlanWrench *ground, AbutError *error) {
    AbutStatus status = set_state(d, q, v, a, error);
    if (status) return status;
    abut_configuration_inverse_dynamics(d->c, d->accelerations, d->torques);
    *ground = (AbutPlanWrench){abut_zero(), abut_zero(), abut_zero()};
    if (d->base >= 0) {
        const double *b = d->torques + d->base;
        AbutPose pose = abut_configuration_body_pose(d->c, d->root);
        *ground = (AbutPlanWrench){
            pose.p, abut_vec3(b[0], b[1], b[2]), abut_quat_rotate(pose.q, abut_vec3(b[3], b[4], b[5]))};
        push_feet(d);
    }
    for (int32_t i = 0; i < d->problem->tree.joint_count; ++i)
        torques[i] =
            d->torques[abut_configuration_joint_place(d->c, d->problem->tree.joints[i], ABUT_NUMBERS_VELOCITIES)];
    return ABUT_OK;
}

/* ---- along a trajectory ------------------------------------------------------------------------------------------ */

typedef struct Survey {
    AbutPlanDynamics d;
    double *all;                        /* joints of the model */
    double *q, *v, *a, *still, *moving; /* of the problem */
    double torque_most, zmp_most;       /* of (duration / shortest)^2 */
    AbutPlanEffort *out;
} Survey;

double abut_plan_edge_moment(const AbutPlanProblem *problem, const AbutPlanEdge *edge, const AbutPlanWrench *w) {
    double up = w->point.z - problem->ground, f = w->force.z;
    double x = w->point.x * f - w->moment.y - up * w->force.x, y = w->point.y * f + w->moment.x - up * w->force.y;
    return edge->offset * f - edge->x * x - edge->y * y;
}

static void survey_zmp(Survey *s, const AbutPlanWrench *still, const AbutPlanWrench *moving, double t) {
    const AbutPlanProblem *p = s->d.problem;
    for (int32_t e = 0; e < p->edge_count; ++e) {
        double rest = abut_plan_edge_moment(p, &p->edges[e], still),
               now = abut_plan_edge_moment(p, &p->edges[e], moving);
        double inside = moving->force.z > 0.0 ? now / moving->force.z : -INFINITY;
        if (inside < s->out->zmp) {
            s->out->zmp = inside;
            s->out->zmp_t = t;
        }
        if (!(rest > 0.0))
            s->zmp_most = 0.0;
        else if (now < rest)
            s->zmp_most = fmin(s->zmp_most, rest / (rest - now));
    }
}

static void survey_torques(Survey *s, double t) {
    const AbutPlanProblem *p = s->d.problem;
    for (int32_t i = 0; i < p->tree.joint_count; ++i) {
        double most = p->limits[i].torque, rest = s->still[i], change = s->moving[i] - rest;
        if (!isfinite(most)) continue;
        if (fabs(s->moving[i]) / most > s->out->part) {
            s->out->part = fabs(s->moving[i]) / most;
            s->out->joint = p->tree.joints[i];
            s->out->torque = s->moving[i];
            s->out->t = t;
        }
        if (fabs(rest) > most)
            s->torque_most = 0.0;
        else if (change != 0.0)
            s->torque_most = fmin(s->torque_most, ((change > 0.0 ? most : -most) - rest) / change);
    }
}

static void pick(
    const AbutPlanProblem *problem, const AbutTrajectory *t, double time, int order, double *all, double *out) {
    abut_trajectory_value(t, time, order, all);
    abut_plan_pick_joints(problem, all, out);
}

static AbutStatus survey(Survey *s, const AbutTrajectory *trajectory, double *torques, AbutError *error) {
    const AbutPlanProblem *p = s->d.problem;
    double from = trajectory->times[0], to = trajectory->times[trajectory->piece_count];
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < ABUT_PLAN_EFFORT_SAMPLES && !status; ++i) {
        double t = from + (to - from) * i / (ABUT_PLAN_EFFORT_SAMPLES - 1);
        AbutPlanWrench still, moving;
        pick(p, trajectory, t, 0, s->all, s->q);
        pick(p, trajectory, t, 1, s->all, s->v);
        pick(p, trajectory, t, 2, s->all, s->a);
        status = abut_plan_dynamics_at(&s->d, s->q, NULL, NULL, s->still, &still, error);
        if (!status) status = abut_plan_dynamics_at(&s->d, s->q, s->v, s->a, s->moving, &moving, error);
        if (status) break;
        survey_torques(s, t);
        survey_zmp(s, &still, &moving, t);
        if (torques)
            memcpy(torques + (size_t)i * (size_t)p->tree.joint_count, s->moving,
                (size_t)p->tree.joint_count * sizeof *torques);
    }
    return status;
}

/* How long it must take when squares of speeds may be `most` times as large as now; 0: as long as you like. */
static double shortest(double duration, double most) { return most > 0.0 ? duration / sqrt(most) : INFINITY; }

AbutStatus abut_plan_effort(const AbutPlanProblem *problem, const AbutTrajectory *trajectory, AbutPlanEffort *out,
    double *torques, AbutError *error) {
    ABUT_ASSERT(problem && trajectory && out);
    Survey s = {.torque_most = INFINITY, .zmp_most = INFINITY, .out = out};
    size_t n = (size_t)problem->tree.joint_count + 1;
    AbutStatus status = abut_trajectory_check(trajectory, error);
    if (!status && trajectory->joint_count != problem->model->joint_count)
        status = abut_fail(error, ABUT_ERROR_ARGUMENT, "trajectory: expected %d joints, got %d",
            (int)problem->model->joint_count, (int)trajectory->joint_count);
    if (!status) status = abut_plan_dynamics_make(problem, &s.d, error);
    if (status) return status;
    s.all = abut_alloc_array((size_t)problem->model->joint_count + 5 * n, sizeof *s.all);
    if (!s.all) status = abut_fail_memory(error);
    *out = (AbutPlanEffort){.samples = ABUT_PLAN_EFFORT_SAMPLES, .joint = -1, .zmp = INFINITY};
    if (!status) {
        s.q = s.all + problem->model->joint_count;
        s.v = s.q + n;
        s.a = s.v + n;
        s.still = s.a + n;
        s.moving = s.still + n;
        status = survey(&s, trajectory, torques, error);
    }
    double duration = trajectory->times[trajectory->piece_count] - trajectory->times[0];
    out->torque_duration = shortest(duration, s.torque_most);
    out->zmp_duration = shortest(duration, s.zmp_most);
    abut_free(s.all);
    abut_plan_dynamics_free(&s.d);
    return status;
}
