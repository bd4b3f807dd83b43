/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random robots: trees of hinges, slides and balls with limits, friction losses, springs and servos, loops that
 * connects close, on a floor with a box beside them, at steps of 0.5 to 5 ms; more than half of them begin with links
 * in each other. Energy is the oracle: no step gains more than 1 % of the largest energy beyond the work of the
 * actuators. `make check-all` runs 500 of them.
 */
#include "dynamics/robot_world.h"

enum { MOST_LINKS = 12 };

typedef struct Robot {
    AbutModel *model;
    int32_t link[MOST_LINKS];
    AbutPose pose[MOST_LINKS]; /* in the world, at the start */
    AbutVec3 tip[MOST_LINKS];  /* likewise: children begin there */
    int count;
} Robot;

static void put_link_shape(AbutRng *rng, AbutModel *model, int32_t body, double length) {
    AbutShapeDef def = abut_shape_default();
    AbutError error;
    def.body = body;
    def.pose.p = abut_vec3(0.5 * length, 0.0, 0.0);
    def.form.size = abut_vec3(0.35 * length, 0.03, 0.03);
    if (abut_rng_below(rng, 2)) {
        def.form.kind = ABUT_SHAPE_CAPSULE;
        def.pose.q = abut_quat_axis_angle(abut_axis(1), 0.5 * ABUT_PI);
        def.form.size = abut_vec3(0.03, 0.35 * length, 0.0);
    }
    def.material.friction = abut_rng_between(rng, 0.2, 1.0);
    good(abut_model_add_shape(model, &def, NULL, &error), &error);
}

static void put_random_servo(AbutRng *rng, AbutModel *model, int32_t joint, double weight) {
    AbutActuatorDef servo = abut_actuator_default();
    AbutError error;
    double kp = weight * pow(10.0, abut_rng_between(rng, 0.0, 3.0)), kd = kp * abut_rng_between(rng, 0.001, 0.2);
    int velocity = abut_rng_below(rng, 3) == 0;
    servo.number = joint;
    servo.gain = velocity ? kd : kp;
    servo.bias[1] = velocity ? 0.0 : -kp;
    servo.bias[2] = -kd;
    servo.force_limited = 1;
    servo.force_range[1] = weight * abut_rng_between(rng, 0.1, 3.0);
    servo.force_range[0] = -servo.force_range[1];
    good(abut_model_add_actuator(model, &servo, NULL, &error), &error);
}

static void put_random_joint(AbutRng *rng, AbutModel *model, int32_t body, double weight) {
    AbutJointDef joint = joint_def(
        (AbutJointKind)(abut_rng_below(rng, 4) ? 0 : abut_rng_below(rng, 3)), body, abut_random_direction(rng));
    joint.friction_loss = abut_rng_below(rng, 2) ? weight * abut_rng_between(rng, 0.001, 0.3) : 0.0;
    joint.damping = abut_rng_below(rng, 2) ? weight * abut_rng_between(rng, 0.0, 0.05) : 0.0;
    joint.stiffness = abut_rng_below(rng, 4) ? 0.0 : weight * abut_rng_unit(rng);
    joint.limited = joint.kind != ABUT_JOINT_BALL && abut_rng_below(rng, 2);
    joint.range[0] = abut_rng_between(rng, -1.0, -0.01);
    joint.range[1] = abut_rng_between(rng, 0.01, 1.0);
    int32_t number = put_joint(model, &joint);
    if (joint.kind != ABUT_JOINT_BALL && abut_rng_below(rng, 2)) put_random_servo(rng, model, number, weight);
}

static void put_random_link(AbutRng *rng, Robot *robot, int floats) {
    AbutBodyDef def = abut_body_default();
    AbutError error;
    int i = robot->count, first = i == 0, parent = first ? -1 : (int)abut_rng_below(rng, (uint32_t)i);
    double length = abut_rng_between(rng, 0.1, 0.3), mass = pow(10.0, abut_rng_between(rng, -1.5, 0.5));
    AbutVec3 from = first ? abut_vec3(0, 0, abut_rng_between(rng, 0.6, 1.0)) : robot->tip[parent];
    def.kind = first && floats ? ABUT_BODY_DYNAMIC : ABUT_BODY_LINK;
    def.parent = first ? -1 : robot->link[parent];
    robot->pose[i] = abut_pose(from, abut_random_quat(rng));
    def.pose = first ? robot->pose[i] : abut_pose_mul(abut_pose_inv(robot->pose[parent]), robot->pose[i]);
    def.mass = mass;
    def.center = abut_vec3(0.5 * length, 0.0, 0.0);
    def.inertia = abut_mat3_diagonal(mass * 1e-3, mass * length * length / 12.0, mass * length * length / 12.0);
    good(abut_model_add_body(robot->model, &def, &robot->link[i], &error), &error);
    put_link_shape(rng, robot->model, robot->link[i], length);
    if (def.kind == ABUT_BODY_LINK) put_random_joint(rng, robot->model, robot->link[i], mass * ABUT_GRAVITY * length);
    robot->tip[i] = abut_pose_apply(robot->pose[i], abut_vec3(length, 0.0, 0.0));
    ++robot->count;
}

/* Holds two links together where the tip of the first is. */
static void close_loop(AbutRng *rng, Robot *robot) {
    AbutEqualityDef def = abut_equality_default();
    AbutError error;
    uint32_t count = (uint32_t)robot->count, a = abut_rng_below(rng, count), b = abut_rng_below(rng, count);
    if (a == b) return;
    def.kind = ABUT_EQUALITY_CONNECT;
    def.a = robot->link[a], def.b = robot->link[b];
    def.pose_a = def.pose_b = abut_pose_identity();
    def.pose_a.p = abut_pose_apply_inv(robot->pose[a], robot->tip[a]);
    def.pose_b.p = abut_pose_apply_inv(robot->pose[b], robot->tip[a]);
    good(abut_model_add_equality(robot->model, &def, NULL, &error), &error);
}

static World random_robot(AbutRng *rng) {
    Robot robot = {.model = new_model()};
    AbutSimulationDef def = abut_simulation_default();
    int links = 3 + (int)abut_rng_below(rng, MOST_LINKS - 2), floats = (int)abut_rng_below(rng, 2);
    put_floor(robot.model, 0.8);
    for (int i = 0; i < links; ++i) put_random_link(rng, &robot, floats);
    for (uint32_t i = abut_rng_below(rng, 3); i > 0; --i) close_loop(rng, &robot);
    World world = world_of_model(robot.model, &def);
    AbutShapeDef box = box_def(0.05, 0.05, 0.05, 500.0, 0.5);
    throw_box(world.scene, at(0.1, 0.1, 0.3), abut_zero(), abut_zero(), &box);
    double control[MOST_LINKS];
    for (int i = 0; i < MOST_LINKS; ++i) control[i] = abut_rng_between(rng, -1.0, 1.0);
    set_control(&world, control);
    return world;
}

typedef struct Outcome {
    double gain, most; /* of a step, beyond work; largest energy */
    int deep;          /* it began with links in each other */
} Outcome;

static Outcome run(World *world, double dt) {
    double k, p, last = abut_simulation_energy(world->sim, &k, &p), high = p, low = p, fast = k, moved = 0.0;
    Outcome out = {0.0, 0.0, 0};
    for (int i = 0; i < (int)(0.5 / dt); ++i) {
        AbutStepReport r = world_step(world, dt);
        out.deep |= i == 0 && r.max_depth > 1e-4;
        out.gain = fmax(out.gain, r.kinetic + r.potential - last - r.work);
        last = r.kinetic + r.potential;
        moved += fabs(r.work);
        high = fmax(high, r.potential), low = fmin(low, r.potential), fast = fmax(fast, r.kinetic);
    }
    out.most = fmax(fmax(fast, high - low), moved);
    return out;
}

static void random_robots_gain_no_energy(void **state) {
    (void)state;
    int cases = check_cases(15), bad = 0, deep = 0;
    for (int i = 0; i < cases; ++i) {
        AbutRng rng = abut_rng(29, (uint64_t)i);
        double dt = 5e-4 * pow(10.0, abut_rng_unit(&rng));
        World world = random_robot(&rng);
        Outcome out = run(&world, dt);
        deep += out.deep;
        if (!(out.gain < 0.01 * out.most)) {
            ++bad;
            print_error("robot %d%s, step %.3g s: a step gained %.3g J, its largest energy is %.3g J\n", i,
                out.deep ? ", links in each other" : "", dt, out.gain, out.most);
        }
        world_free(&world);
    }
    print_message("%d random robots, %d of them begin with links in each other\n", cases, deep);
    if (bad > 0) fail_msg("%d of %d random robots gain energy", bad, cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_robots_gain_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
