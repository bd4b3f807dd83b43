/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Robots that were made to explode, reduced: loops that begin far open, servos on frames and balls that are stiffer
 * than a step, joints that share a direction. Oracle: energy, and rest where damping leaves nothing else.
 */
#include "dynamics/robot_world.h"

/* Largest kinetic energy over so many steps; everything stays finite, or world_step fails. */
static double fastest(World *world, double dt, int steps) {
    double most = 0.0;
    for (int i = 0; i < steps; ++i) most = fmax(most, world_step(world, dt).kinetic);
    return most;
}

static int32_t put_hinged(AbutModel *model, int32_t parent, AbutVec3 at, AbutVec3 axis) {
    int32_t body = add_mass(model, ABUT_BODY_LINK, parent, at, 1.0, abut_vec3(0.1, 0, 0), 0.05);
    AbutJointDef joint = joint_def(ABUT_JOINT_HINGE, body, axis);
    put_joint(model, &joint);
    return body;
}

/* A tip that a connect holds to a place half a meter away comes there no faster than limits take joints back. */
static void open_loops_close_slowly(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutEqualityDef loop = abut_equality_default();
    AbutError error;
    def.gravity = abut_zero();
    int32_t upper = put_hinged(model, -1, abut_zero(), abut_axis(1));
    int32_t lower = put_hinged(model, upper, abut_vec3(0.3, 0, 0), abut_axis(1));
    loop.kind = ABUT_EQUALITY_CONNECT;
    loop.a = lower, loop.b = -1;
    loop.pose_a = loop.pose_b = abut_pose_identity();
    loop.pose_a.p = abut_vec3(0.3, 0, 0);
    loop.pose_b.p = abut_vec3(0.3, 0, 0.4);
    good(abut_model_add_equality(model, &loop, NULL, &error), &error);
    World world = world_of_model(model, &def);
    CHECK(fastest(&world, 1e-3, 1000) < 20.0); /* half of the gap in a step would be 2e4 J */
    world_free(&world);
}

/* A velocity servo with kv h / m = 1e4 on a frame, and on a ball, brings its link to rest. */
static void stiff_servos_are_stable(void **state) {
    (void)state;
    for (int ball = 0; ball < 2; ++ball) {
        AbutModel *model = new_model();
        AbutSimulationDef def = abut_simulation_default();
        AbutActuatorDef servo = abut_actuator_default();
        AbutFrameDef frame = abut_frame_default();
        AbutError error;
        int32_t body = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 1.0, abut_vec3(0.1, 0, 0), 0.05);
        AbutJointDef joint = joint_def(ball ? ABUT_JOINT_BALL : ABUT_JOINT_HINGE, body, abut_axis(1));
        servo.number = put_joint(model, &joint);
        servo.gain = 0.0;
        servo.bias[2] = -1e7;
        servo.gear[1] = ball ? 1.0 : 0.0;
        servo.gear[0] = ball ? 1.0 : 0.0;
        servo.gear[2] = 1.0;
        if (!ball) {
            frame.body = body;
            frame.pose.p = abut_vec3(0.2, 0, 0);
            servo.target = ABUT_TARGET_FRAME;
            good(abut_model_add_frame(model, &frame, &servo.number, &error), &error);
        }
        good(abut_model_add_actuator(model, &servo, NULL, &error), &error);
        World world = world_of_model(model, &def);
        CHECK(fastest(&world, 1e-3, 500) < (ball ? 2.0 : 1e-6)); /* a ball is free about two axes */
        world_free(&world);
    }
}

/* Two hinges of one body about the same axis: their difference has no inertia. */
static void joints_that_share_an_axis_stay_finite(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    int32_t body = put_hinged(model, -1, abut_zero(), abut_axis(1));
    AbutJointDef again = joint_def(ABUT_JOINT_HINGE, body, abut_axis(1));
    put_joint(model, &again);
    World world = world_of_model(model, &def);
    CHECK(fastest(&world, 1e-3, 1000) < 2.5); /* falls by 0.2 m at most */
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_loops_close_slowly),
        cmocka_unit_test(stiff_servos_are_stable),
        cmocka_unit_test(joints_that_share_an_axis_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
