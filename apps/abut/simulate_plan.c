/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A planned motion in `abut simulate`: the robot starts where the plan does, its position servos follow it, with the
 * torques of inverse dynamics as feed-forward where the robot stands fast, and after every step the distances of all
 * pairs are measured where the links really are. Out: the least distance beside the planned one, and how far the joints
 * were off.
 */
#include "simulate.h"

#include <math.h>
#include <string.h>

#include "plan.h"

struct SimulatePlan {
    PlanSetup setup;
    AbutTrajectory trajectory;
    uint8_t *given; /* per joint: does the plan move it? */
    AbutCertificate certificate;
    double *numbers, *q, *v, *a; /* joints of the plan */
    double *positions, *velocities, *accelerations, *torques;
    double *state; /* positions of the robot, to set and to read */
    AbutPose *poses;
    int fixed; /* no free body: torques are fed forward */
    int32_t followed;
    SimulatePlanReport report;
};

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void take_memory(SimulatePlan *p)
{
    const AbutModel *model = p->setup.robot.model;
    size_t joints = (size_t)model->joint_count, nq = (size_t)abut_model_number_count(model, ABUT_NUMBERS_POSITIONS);
    size_t nv = (size_t)abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES);
    size_t links =
        (size_t)model->body_count + (size_t)(p->setup.obstacles.model ? p->setup.obstacles.model->body_count : 0);
    p->given = cli_room(joints, 1);
    p->numbers = cli_room(3 * joints + 2 * nq + 3 * nv, sizeof *p->numbers);
    p->poses = cli_room(links, sizeof *p->poses);
    p->q = p->numbers;
    p->v = p->q + joints;
    p->a = p->v + joints;
    p->positions = p->a + joints;
    p->state = p->positions + nq;
    p->velocities = p->state + nq;
    p->accelerations = p->velocities + nv;
    p->torques = p->accelerations + nv;
    p->fixed = nq == joints;
}

/* Joints of the plan at a time into the positions, and with `rates` the velocities and accelerations. */
static void take_joints(SimulatePlan *p, double time, int rates)
{
    const AbutConfiguration *c = p->setup.robot.c;
    const AbutModel *model = p->setup.robot.model;
    double *orders[3] = {p->q, p->v, p->a};
    for (int order = 0; order < 3; ++order)
        abut_trajectory_value(&p->trajectory, p->trajectory.times[0] + time, order, orders[order]);
    for (int32_t j = 0; j < model->joint_count; ++j) {
        if (model->joints[j].kind == ABUT_JOINT_BALL)
            continue;
        p->positions[abut_configuration_joint_place(c, j, ABUT_NUMBERS_POSITIONS)] = p->q[j];
        if (rates) {
            p->velocities[abut_configuration_joint_place(c, j, ABUT_NUMBERS_VELOCITIES)] = p->v[j];
            p->accelerations[abut_configuration_joint_place(c, j, ABUT_NUMBERS_VELOCITIES)] = p->a[j];
        }
    }
}

/* The robot at the start of the plan; with a support that stays where the state has it. */
static void set_start(SimulatePlan *p)
{
    Robot *robot = &p->setup.robot;
    int32_t foot = p->setup.support_body, n = abut_configuration_position_count(robot->c);
    AbutPose stand = foot < 0 ? abut_pose_identity() : abut_configuration_body_pose(robot->c, foot);
    memcpy(p->positions, abut_configuration_positions(robot->c), (size_t)n * sizeof *p->positions);
    take_joints(p, 0.0, 0);
    cli_need(abut_configuration_set(robot->c, n, p->positions, 0, NULL, &cli_why));
    if (foot >= 0)
        plan_place_support(&p->setup, stand);
    memcpy(p->positions, abut_configuration_positions(robot->c), (size_t)n * sizeof *p->positions);
}

int simulate_plan_follows(const SimulatePlan *p, int32_t actuator)
{
    const AbutActuatorDef *a = &p->setup.robot.model->actuators[actuator];
    return a->target == ABUT_TARGET_JOINT && a->gain > 0.0 && a->bias[1] < 0.0 && p->given[a->number];
}

static int32_t count_followed(const SimulatePlan *p)
{
    int32_t count = 0;
    for (int32_t i = 0; i < p->setup.robot.model->actuator_count; ++i)
        count += simulate_plan_follows(p, i);
    return count;
}

static void read_plan(const SimulateArgs *args, SimulatePlan *p)
{
    AbutCertifyDef def = {0.0, 0, 0};
    plan_setup_read(&p->setup);
    plan_find_support(&p->setup);
    take_memory(p);
    cli_need(abut_trajectory_read(args->plan, NULL, 0, p->setup.robot.c, -1, &p->trajectory, p->given, &cli_why));
    set_start(p);
    plan_setup_problem(&p->setup);
    p->followed = count_followed(p);
    if (p->followed == 0)
        cli_error("--plan: %s has no position servo on a joint that %s moves", args->scene, args->plan);
    cli_need_of(args->plan, abut_plan_certify(p->setup.problem, &p->trajectory, &def, &p->certificate, NULL, &cli_why));
}

void simulate_plan_open(const SimulateArgs *args, SimulatePlan **out)
{
    SimulatePlan *p = cli_room(sizeof *p, 1);
    *out = p;
    memset(p, 0, sizeof *p);
    p->setup = plan_setup_make();
    p->setup.robot.source = args->scene;
    p->setup.robot.key = args->keyframe;
    p->setup.obstacle_file = args->obstacles;
    p->setup.support = args->support;
    p->setup.allow = args->allow;
    p->setup.balance = "none";
    p->report.planned = p->report.measured = (AbutPlanNear){.pair = -1, .distance = INFINITY};
    p->report.joint = -1;
    read_plan(args, p);
}

void simulate_plan_free(SimulatePlan *p)
{
    if (!p)
        return;
    plan_setup_free(&p->setup);
    abut_trajectory_free(&p->trajectory);
    abut_free(p->given);
    abut_free(p->numbers);
    abut_free(p->poses);
    abut_free(p);
}

double simulate_plan_duration(const SimulatePlan *p)
{
    return p->trajectory.times[p->trajectory.piece_count] - p->trajectory.times[0];
}

const AbutModel *simulate_plan_obstacles(const SimulatePlan *p)
{
    return p->setup.obstacles.model;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

AbutStatus simulate_plan_begin(const SimulatePlan *p, AbutScene *scene, AbutError *error)
{
    int32_t n = abut_configuration_position_count(p->setup.robot.c);
    return abut_scene_set_joints(scene, 0, n, p->positions, 0, NULL, error);
}

AbutStatus simulate_plan_drive(
    SimulatePlan *p, AbutSimulation *simulation, double time, double *control, AbutError *error)
{
    const AbutModel *model = p->setup.robot.model;
    AbutConfiguration *c = p->setup.robot.c;
    int32_t nq = abut_configuration_position_count(c), nv = abut_configuration_velocity_count(c);
    take_joints(p, time, 1);
    for (int32_t i = 0; i < model->actuator_count; ++i) {
        const AbutActuatorDef *a = &model->actuators[i];
        if (simulate_plan_follows(p, i))
            control[i] = p->q[a->number] - a->bias[2] / a->gain * p->v[a->number];
    }
    if (!p->fixed)
        return ABUT_OK;
    AbutStatus status = abut_configuration_set(c, nq, p->positions, nv, p->velocities, error);
    if (status)
        return status;
    abut_configuration_inverse_dynamics(c, p->accelerations, p->torques);
    return abut_simulation_set_torque(simulation, 0, nv, p->torques, error);
}

/* Joints that are off by most; free bodies do not count. */
static void measure_joints(SimulatePlan *p, double time)
{
    const AbutModel *model = p->setup.robot.model;
    for (int32_t j = 0; j < model->joint_count; ++j) {
        if (!p->given[j])
            continue;
        double off =
            fabs(p->state[abut_configuration_joint_place(p->setup.robot.c, j, ABUT_NUMBERS_POSITIONS)] - p->q[j]);
        if (off > p->report.error) {
            p->report.error = off;
            p->report.joint = j;
            p->report.error_t = time;
        }
    }
}

static void keep_nearest(AbutPlanNear near, double time, AbutPlanNear *least, double *t)
{
    if (near.pair >= 0 && near.distance < least->distance) {
        *least = near;
        *t = time;
    }
}

AbutStatus simulate_plan_measure(SimulatePlan *p, const AbutScene *scene, double time, AbutError *error)
{
    AbutConfiguration *c = p->setup.robot.c;
    const AbutModel *model = p->setup.robot.model;
    AbutPlanNear near;
    abut_scene_get_joints(scene, 0, p->state, NULL);
    AbutStatus status = abut_configuration_set(c, abut_configuration_position_count(c), p->state, 0, NULL, error);
    if (status)
        return status;
    take_joints(p, time, 0);
    measure_joints(p, time);
    for (int32_t b = 0; b < model->body_count; ++b)
        p->poses[b] = abut_configuration_body_pose(c, b);
    status = abut_plan_nearest_poses(p->setup.problem, p->poses, &near, NULL, error);
    if (!status) {
        keep_nearest(near, time, &p->report.measured, &p->report.measured_t);
        status = abut_plan_nearest(p->setup.problem, p->q, &near, NULL, error);
    }
    if (!status)
        keep_nearest(near, time, &p->report.planned, &p->report.planned_t);
    return status;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static void print_near(const SimulatePlan *p, const char *what, const AbutPlanNear *near, double t, const char *more)
{
    if (near->pair >= 0)
        printf("  %-12s %.6g m, %s at %.4g s%s\n", what, near->distance, plan_pair_text(p->setup.problem, near->pair),
            t, more);
}

void simulate_plan_print(const SimulatePlan *p)
{
    const SimulatePlanReport *r = &p->report;
    print_near(p, "planned", &r->planned, r->planned_t,
        p->certificate.status == ABUT_CERTIFICATE_CLEAR          ? ", proved clear"
        : p->certificate.status == ABUT_CERTIFICATE_CLEAR_EXCEPT ? ", proved clear but for pairs left out"
                                                                 : ", not proved clear");
    print_near(p, "measured", &r->measured, r->measured_t, "");
    if (r->joint >= 0)
        printf("  %-12s at most %.4g, joint %s at %.4g s; %d joints follow by servos%s\n", "off the plan", r->error,
            p->setup.robot.model->joints[r->joint].name, r->error_t, (int)p->followed,
            p->fixed ? ", torques fed forward" : "");
}

typedef struct Near {
    double distance, t;
    PlanPair pair;
} Near;

static const AbutField near_fields[] = {
    {ABUT_FIELD(Near, distance, REAL, "m", "Distance of the nearest links.")},
    {ABUT_FIELD(Near, pair, PUT, "", "Their names."), .put = plan_put_pair},
    {ABUT_FIELD(Near, t, REAL, "s", "When.")},
};
static const AbutRecord near_record = ABUT_RECORD("near", "", Near, near_fields);

typedef struct Followed {
    AbutCertificateStatus status;
    const Near *planned, *measured;
    double error;
    const char *joint;
    int32_t followed;
} Followed;

static const AbutField followed_fields[] = {
    {ABUT_FIELD_WORDS(Followed, status, abut_certificate_status_names, "Status of the certificate.")},
    {ABUT_FIELD_AT(Followed, planned, near_record, "Nearest links of the plan; null: no pairs.")},
    {ABUT_FIELD_AT(Followed, measured, near_record, "Nearest links where they really were.")},
    {ABUT_FIELD(Followed, error, REAL, "rad or m", "Largest error of a joint.")},
    {ABUT_FIELD(Followed, joint, TEXT, "", "That joint; null: none was off.")},
    {ABUT_FIELD(Followed, followed, INT, "", "Joints that follow by servos.")},
};
const AbutRecord simulate_plan_record = ABUT_RECORD("plan", "", Followed, followed_fields);

void simulate_plan_put(AbutJson *json, const void *member)
{
    const SimulatePlan *p = *(SimulatePlan *const *)member;
    const SimulatePlanReport *r = &p->report;
    const Near planned = {r->planned.distance, r->planned_t, {p->setup.problem, r->planned.pair}},
               measured = {r->measured.distance, r->measured_t, {p->setup.problem, r->measured.pair}};
    Followed x = {p->certificate.status, r->planned.pair < 0 ? NULL : &planned, r->measured.pair < 0 ? NULL : &measured,
        r->error, r->joint < 0 ? NULL : p->setup.robot.model->joints[r->joint].name, p->followed};
    abut_record_put_object(json, &simulate_plan_record, &x);
}
