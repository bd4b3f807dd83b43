/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A planned motion in `abut simulate`: the robot starts where the plan does and follows it (abut_plan_follower_drive).
 * Out: the least distance beside the planned one, and how far the joints were off.
 */
#include "simulate.h"

#include <math.h>

/* The robot at the start of the plan; with a support that stays where the state has it. */
static void set_start(SimulatePlan *p) {
    Robot *robot = &p->setup.robot;
    const AbutModel *model = robot->model;
    int32_t foot = p->setup.support_body, n = abut_configuration_position_count(robot->c);
    AbutPose stand = foot < 0 ? abut_pose_identity() : abut_configuration_body_pose(robot->c, foot);
    double *q = cli_room((size_t)n, sizeof *q), *joints = cli_room((size_t)model->joint_count, sizeof *joints);
    for (int32_t i = 0; i < n; ++i) q[i] = abut_configuration_positions(robot->c)[i];
    abut_trajectory_value(&p->trajectory, p->trajectory.times[0], 0, joints);
    for (int32_t j = 0; j < model->joint_count; ++j)
        if (model->joints[j].kind != ABUT_JOINT_BALL)
            q[abut_configuration_joint_place(robot->c, j, ABUT_NUMBERS_POSITIONS)] = joints[j];
    cli_need(abut_configuration_set(robot->c, n, q, 0, NULL, &cli_why));
    if (foot >= 0) plan_place_support(&p->setup, stand);
}

SimulatePlan *simulate_plan_open(const SimulateArgs *args) {
    SimulatePlan *p = cli_room(1, sizeof *p);
    AbutCertifyDef def = {0.0, 0, 0};
    p->setup = plan_setup_make();
    p->setup.robot.source = args->scene;
    p->setup.robot.key = args->keyframe;
    p->setup.obstacle_file = args->obstacles;
    p->setup.support = args->support;
    p->setup.allow = args->allow;
    p->setup.balance = "none";
    plan_setup_read(&p->setup);
    plan_find_support(&p->setup);
    uint8_t *given = cli_room((size_t)p->setup.robot.model->joint_count, 1);
    cli_need(abut_trajectory_read(args->plan, NULL, 0, p->setup.robot.c, -1, &p->trajectory, given, &cli_why));
    set_start(p);
    plan_setup_problem(&p->setup);
    p->follower = (AbutPlanFollower){
        .problem = p->setup.problem, .c = p->setup.robot.c, .trajectory = &p->trajectory, .given = given};
    cli_need(abut_plan_follower_create(&p->follower, &cli_why));
    if (p->follower.followed == 0)
        cli_error("--plan: %s has no position servo on a joint that %s moves", args->scene, args->plan);
    cli_need_of(args->plan, abut_plan_certify(p->setup.problem, &p->trajectory, &def, &p->certificate, NULL, &cli_why));
    return p;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static void print_near(const SimulatePlan *p, const char *what, const AbutPlanNear *near, double t, const char *more) {
    if (near->pair >= 0)
        printf("  %-12s %.6g m, %s at %.4g s%s\n", what, near->distance, plan_pair_text(p->setup.problem, near->pair),
            t, more);
}

void simulate_plan_print(const SimulatePlan *p) {
    const AbutPlanFollower *r = &p->follower;
    print_near(p, "planned", &r->planned, r->planned_t,
        p->certificate.status == ABUT_CERTIFICATE_CLEAR          ? ", proved clear"
        : p->certificate.status == ABUT_CERTIFICATE_CLEAR_EXCEPT ? ", proved clear but for pairs left out"
                                                                 : ", not proved clear");
    print_near(p, "measured", &r->measured, r->measured_t, "");
    if (r->joint >= 0)
        printf("  %-12s at most %.4g, joint %s at %.4g s; %d joints follow by servos%s\n", "off the plan", r->error,
            p->setup.robot.model->joints[r->joint].name, r->error_t, (int)r->followed,
            r->fixed ? ", torques fed forward" : "");
}

typedef struct Near {
    double distance, t;
    PlanPair pair;
} Near;

static const AbutField near_fields[] = {
    {ABUT_FIELD(Near, distance, REAL, "m", "Distance of the nearest links.")},
    {PLAN_PAIR_FIELD(Near, "Their names.")},
    {ABUT_FIELD(Near, t, REAL, "s", "When.")},
};
static const AbutRecord near_record = ABUT_RECORD("near", "", Near, near_fields);

struct SimulateFollowed {
    AbutCertificateStatus status;
    Near near[2];
    const Near *planned, *measured;
    double error;
    const char *joint;
    int32_t followed;
};

static const AbutField followed_fields[] = {
    {ABUT_FIELD_WORDS(SimulateFollowed, status, abut_certificate_status_names, "Status of the certificate.")},
    {ABUT_FIELD_AT(SimulateFollowed, planned, near_record, "Nearest links of the plan; null: no pairs.")},
    {ABUT_FIELD_AT(SimulateFollowed, measured, near_record, "Nearest links where they really were.")},
    {ABUT_FIELD(SimulateFollowed, error, REAL, "rad or m", "Largest error of a joint.")},
    {ABUT_FIELD(SimulateFollowed, joint, TEXT, "", "That joint; null: none was off.")},
    {ABUT_FIELD(SimulateFollowed, followed, INT, "", "Joints that follow by servos.")},
};
const AbutRecord simulate_plan_record = ABUT_RECORD("plan", "", SimulateFollowed, followed_fields);

const SimulateFollowed *simulate_plan_followed(const SimulatePlan *p) {
    const AbutPlanFollower *r = &p->follower;
    SimulateFollowed *x = cli_room(1, sizeof *x);
    *x = (SimulateFollowed){.status = p->certificate.status,
        .near = {{r->planned.distance, r->planned_t, plan_pair(p->setup.problem, r->planned.pair)},
            {r->measured.distance, r->measured_t, plan_pair(p->setup.problem, r->measured.pair)}},
        .planned = r->planned.pair < 0 ? NULL : &x->near[0],
        .measured = r->measured.pair < 0 ? NULL : &x->near[1],
        .error = r->error,
        .joint = r->joint < 0 ? NULL : p->setup.robot.model->joints[r->joint].name,
        .followed = r->followed};
    return x;
}
