/* SPDX-License-Identifier: Apache-2.0 */
/* What couples joints and bodies: four-bar linkages, welds, couplings, tendons; forces from outside and controllers. */
#include "dynamics/robot_world.h"

static int32_t put_rod(AbutModel *model, int32_t parent, AbutVec3 at, double length, double mass) {
    int32_t body = add_mass(model, ABUT_BODY_LINK, parent, at, mass, abut_vec3(0, 0, -0.5 * length), 0.05);
    put_hinge(model, body, abut_axis(1));
    return body;
}

/* ---- linkages ---------------------------------------------------------------------------------------------------- */

/* Two cranks of the same length and a coupler: each point of the coupler moves on a circle, as a pendulum does. */
static double parallelogram_period(double dt, double *gap) {
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    int32_t left = put_rod(model, -1, abut_zero(), 1.0, 1.0),
            right = put_rod(model, -1, abut_vec3(0.5, 0, 0), 1.0, 1.0);
    int32_t coupler = add_mass(model, ABUT_BODY_LINK, left, abut_vec3(0, 0, -1), 1.0, abut_vec3(0.25, 0, 0), 0.05);
    put_hinge(model, coupler, abut_axis(1));
    put_connect(model, ABUT_EQUALITY_CONNECT, coupler, abut_vec3(0.5, 0, 0), right, abut_vec3(0, 0, -1));
    World world = world_of_model(model, &def);
    double start[3] = {0.3, 0.3, -0.3}, before = 0.3, first = 0.0, third = 0.0;
    set_joints(&world, start, NULL);
    *gap = 0.0;
    for (int step = 0, crossings = 0; crossings < 3; ++step) {
        world_step(&world, dt);
        double q[3];
        abut_scene_get_joints(world.scene, 0, q, NULL);
        double t = (step + before / (before - q[0])) * dt;
        if (before * q[0] < 0.0 && ++crossings == 1) first = t;
        third = t;
        before = q[0];
        AbutBodyState c = body_of(&world, abut_scene_robot_body(world.scene, 0, coupler)),
                      r = body_of(&world, abut_scene_robot_body(world.scene, 0, right));
        *gap = fmax(*gap, abut_point_distance(abut_pose_apply(c.pose, abut_vec3(0.5, 0, 0)),
                              abut_pose_apply(r.pose, abut_vec3(0, 0, -1))));
    }
    world_free(&world);
    return third - first;
}

static void test_parallelogram(void **state) {
    (void)state;
    double gap, period = parallelogram_period(1e-3, &gap), a = 1.0, g = cos(0.15), small = 0.4 * 0.05 * 0.05;
    for (int i = 0; i < 8; ++i) {
        double mean = 0.5 * (a + g);
        g = sqrt(a * g), a = mean;
    }
    /* cranks of inertia 1/4 + small about their ends, the coupler a point at 1 */
    double inertia = 2.0 * (0.25 + small) + 1.0, weight = ABUT_GRAVITY * (0.5 + 0.5 + 1.0);
    double exact = 2.0 * ABUT_PI / a * sqrt(inertia / weight);
    CHECK_NEAR(period / exact, 1.0, 1e-5);
    CHECK(gap < 1e-8); /* joins give way a little */
}

/* A connect of a link and its parent at their very hinge holds what is held: nothing gives way there. */
static void test_connect_at_a_hinge(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    double end[2][2];
    for (int held = 0; held < 2; ++held) {
        AbutModel *model = new_model();
        int32_t upper = put_rod(model, -1, abut_zero(), 0.3, 1.0),
                lower = put_rod(model, upper, abut_vec3(0, 0, -0.3), 0.3, 1.0);
        if (held) put_connect(model, ABUT_EQUALITY_CONNECT, upper, abut_vec3(0, 0, -0.3), lower, abut_zero());
        World world = world_of_model(model, &def);
        double start[2] = {0.8, 0.3};
        set_joints(&world, start, NULL);
        world_run(&world, 1e-3, 500);
        abut_scene_get_joints(world.scene, 0, end[held], NULL);
        world_free(&world);
    }
    CHECK_NEAR(end[1][0], end[0][0], 1e-6);
    CHECK_NEAR(end[1][1], end[0][1], 1e-6);
}

static void test_general_linkage(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    int32_t left = put_rod(model, -1, abut_zero(), 0.6, 1.0),
            right = put_rod(model, -1, abut_vec3(0.7, 0, 0), 0.9, 1.0);
    int32_t coupler = add_mass(model, ABUT_BODY_LINK, left, abut_vec3(0, 0, -0.6), 1.0, abut_vec3(0.4, 0, 0.1), 0.1);
    put_hinge(model, coupler, abut_axis(1));
    put_connect(model, ABUT_EQUALITY_CONNECT, coupler, abut_vec3(0.8, 0, 0), right, abut_vec3(0, 0, -0.9));
    World world = world_of_model(model, &def);
    /* the right crank swung out; the left one so that the coupler of 0.8 reaches its pin */
    double out = 0.4, pin[2] = {0.7 - 0.9 * sin(out), -0.9 * cos(out)}, best = 0.0, miss = 1e9;
    for (int i = -15000; i <= 15000; ++i) {
        double angle = i * 1e-4, away = fabs(hypot(pin[0] + 0.6 * sin(angle), pin[1] + 0.6 * cos(angle)) - 0.8);
        if (away < miss) miss = away, best = angle;
    }
    double turn = -atan2(pin[1] + 0.6 * cos(best), pin[0] + 0.6 * sin(best)) - best, q[3] = {best, out, turn};
    set_joints(&world, q, NULL);
    world_run(&world, 1e-3, 200); /* closes the loop */
    double energy = abut_simulation_energy(world.sim, NULL, NULL), worst = 0.0, gap = 0.0, fastest = 0.0, k;
    for (int i = 0; i < check_cases(20000); ++i) {
        world_step(&world, 1e-3);
        worst = fmax(worst, fabs(abut_simulation_energy(world.sim, &k, NULL) - energy));
        fastest = fmax(fastest, k);
        AbutBodyState c = body_of(&world, abut_scene_robot_body(world.scene, 0, coupler)),
                      r = body_of(&world, abut_scene_robot_body(world.scene, 0, right));
        gap = fmax(gap, abut_point_distance(abut_pose_apply(c.pose, abut_vec3(0.8, 0, 0)),
                            abut_pose_apply(r.pose, abut_vec3(0, 0, -0.9))));
    }
    CHECK(gap < 1e-5);
    CHECK(worst < 0.01 * fastest);
    world_free(&world);
}

/* Two spinning trees welded together in the air keep their momentum and stay together. */
static void test_weld_of_two_trees(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    int32_t tip[2];
    for (int k = 0; k < 2; ++k) {
        int32_t base =
            add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(k ? 0.4 : 0.0, 0, 0), 1.0 + k, abut_zero(), 0.1);
        tip[k] = add_mass(
            model, ABUT_BODY_LINK, base, abut_vec3(k ? -0.1 : 0.1, 0, 0), 0.5, abut_vec3(k ? -0.05 : 0.05, 0, 0), 0.05);
        put_hinge(model, tip[k], abut_axis(k));
    }
    put_connect(model, ABUT_EQUALITY_WELD, tip[0], abut_vec3(0.1, 0, 0), tip[1], abut_vec3(-0.1, 0, 0));
    World world = world_of_model(model, &def);
    double q[16], v[14] = {0.1, 0.2, 0.3, 1.0, 0.5, -0.7, 0.4, 0.1, 0.2, 0.3, 1.0, 0.5, -0.7, 0.3};
    abut_scene_get_joints(world.scene, 0, q, NULL);
    set_joints(&world, q, v);
    AbutVec3 p0 = abut_zero(), p1 = abut_zero();
    world_run(&world, 1e-3, 100);
    for (int i = 0; i < 4; ++i) {
        AbutBodyState b = body_of(&world, abut_scene_body_at(world.scene, i));
        p0 = abut_add_scaled(p0, b.velocity, b.mass);
    }
    world_run(&world, 1e-3, 1000);
    for (int i = 0; i < 4; ++i) {
        AbutBodyState b = body_of(&world, abut_scene_body_at(world.scene, i));
        p1 = abut_add_scaled(p1, b.velocity, b.mass);
    }
    AbutBodyState a = body_of(&world, abut_scene_robot_body(world.scene, 0, tip[0])),
                  b = body_of(&world, abut_scene_robot_body(world.scene, 0, tip[1]));
    double gap = abut_point_distance(
        abut_pose_apply(a.pose, abut_vec3(0.1, 0, 0)), abut_pose_apply(b.pose, abut_vec3(-0.1, 0, 0)));
    p0 = abut_add_scaled(p0, abut_vec3(0, 0, -ABUT_GRAVITY), 4.0 * 1.0);
    CHECK(gap < 1e-6);
    CHECK(abut_length(abut_quat_log(abut_quat_mul(a.pose.q, abut_quat_conj(b.pose.q)))) < 1e-6);
    CHECK_VEC_NEAR(p1, p0, 1e-9);
    world_free(&world);
}

/* A free box welded to the world hangs there; the weld carries its weight. */
static void test_weld_to_the_world(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    int32_t box = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, 1), 2.0, abut_vec3(0.1, 0, 0), 0.1);
    put_connect(model, ABUT_EQUALITY_WELD, -1, abut_vec3(0, 0, 1), box, abut_zero());
    World world = world_of_model(model, &def);
    world_run(&world, 1e-3, 500);
    double force[6];
    AbutRobotForces out = {.equality = force};
    abut_simulation_get_robot_forces(world.sim, 0, &out);
    CHECK_VEC_NEAR(body_of(&world, abut_scene_robot_body(world.scene, 0, box)).pose.p, abut_vec3(0, 0, 1), 1e-6);
    CHECK_NEAR(force[2], 2.0 * ABUT_GRAVITY, 1e-6);
    CHECK_NEAR(force[4], -2.0 * ABUT_GRAVITY * 0.1, 1e-6);
    world_free(&world);
}

/* ---- couplings and tendons --------------------------------------------------------------------------------------- */

static AbutModel *two_hinges(void) {
    AbutModel *model = new_model();
    for (int k = 0; k < 2; ++k) {
        int32_t body = add_mass(model, ABUT_BODY_LINK, -1, abut_vec3(k, 0, 0), 1.0 + k, abut_vec3(0.3, 0, 0), 0.1);
        put_hinge(model, body, abut_axis(1));
    }
    return model;
}

/* Joints of two trees coupled by a curve. */
static void test_coupling_by_a_curve(void **state) {
    (void)state;
    AbutModel *model = two_hinges();
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    AbutEqualityDef curve = abut_equality_default();
    curve.a = 1, curve.b = 0;
    curve.polynomial[0] = 0.1, curve.polynomial[1] = -0.5, curve.polynomial[2] = 0.3;
    good(abut_model_add_equality(model, &curve, NULL, &error), &error);
    World world = world_of_model(model, &def);
    double start[2] = {0.2, 0.1 - 0.5 * 0.2 + 0.3 * 0.04}, worst = 0.0;
    set_joints(&world, start, NULL);
    for (int i = 0; i < 2000; ++i) {
        world_step(&world, 1e-3);
        double x = joint_at(&world, 0);
        worst = fmax(worst, fabs(joint_at(&world, 1) - (0.1 - 0.5 * x + 0.3 * x * x)));
    }
    CHECK(worst < 1e-4);
    world_free(&world);
}

/* A tendon of length q1 + 2 q2 under torques that pull along it, without weights: at rest a spring of it, and a servo
 * on it, give by the pull over the stiffness; a limit of it holds where it is, with the pull. */
/* Two slides at rest, coupled with an error of 0.3 that is taken back: the speed that is left. */
static double speed_after_error(double bend) {
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutEqualityDef curve = abut_equality_default();
    AbutError error;
    double q[2] = {0.4, 0.0}, v[2];
    for (int i = 0; i < 2; ++i) {
        int32_t body = add_mass(model, ABUT_BODY_LINK, -1, abut_vec3(3.0 * i, 0, 0), 1.0 + i, abut_zero(), 0.1);
        AbutJointDef slide = joint_def(ABUT_JOINT_SLIDE, body, abut_axis(i));
        put_joint(model, &slide);
    }
    curve.a = 0, curve.b = 1;
    curve.polynomial[0] = 0.1, curve.polynomial[1] = 0.5, curve.polynomial[2] = bend;
    good(abut_model_add_equality(model, &curve, NULL, &error), &error);
    World world = world_of_model(model, &def);
    set_joints(&world, q, NULL);
    world_run(&world, 1e-3, 500);
    abut_scene_get_joints(world.scene, 0, q, v);
    CHECK_NEAR(q[0], 0.1 + q[1] * (0.5 + bend * q[1]), 1e-6);
    world_free(&world);
    return fmax(fabs(v[0]), fabs(v[1]));
}

static void test_error_at_the_start(void **state) {
    (void)state;
    CHECK(speed_after_error(0.0) < 1e-9);
    CHECK(speed_after_error(-0.3) < 0.05); /* along the curve; the error went at 2 m/s */
}

static void test_tendons(void **state) {
    (void)state;
    static const double k = 100.0, u = 0.05, pull = 0.7, most = 0.02;
    static const double torque[2] = {pull, 2.0 * pull}, coefficients[2] = {1.0, 2.0}, across[2] = {2.0, -1.0};
    for (int kind = 0; kind < 3; ++kind) {
        AbutModel *model = two_hinges();
        AbutError error;
        AbutSimulationDef def = abut_simulation_default();
        int32_t joints[2] = {0, 1};
        double found[2] = {0.0, 0.0}, servo_force = 0.0;
        AbutTendonDef tendon = {0}, brake = {0};
        def.gravity = abut_zero();
        tendon.count = brake.count = 2, tendon.joints = brake.joints = joints;
        tendon.coefficients = coefficients, brake.coefficients = across;
        tendon.damping = brake.damping = 5.0; /* the second so that nothing swings across */
        if (kind == 0) tendon.stiffness = k, tendon.rest[0] = tendon.rest[1] = u;
        if (kind == 2) tendon.limited = 1, tendon.range[0] = -1.0, tendon.range[1] = most;
        good(abut_model_add_tendon(model, &tendon, NULL, &error), &error);
        good(abut_model_add_tendon(model, &brake, NULL, &error), &error);
        AbutActuatorDef servo = abut_actuator_default();
        servo.target = ABUT_TARGET_TENDON;
        servo.number = 0;
        servo.gain = k, servo.bias[1] = -k;
        if (kind == 1) good(abut_model_add_actuator(model, &servo, NULL, &error), &error);
        World world = world_of_model(model, &def);
        if (kind == 1) set_control(&world, &u);
        AbutRobotForces out = {.tendon = found, .actuator = &servo_force};
        good(abut_simulation_set_torque(world.sim, 0, 2, torque, &error), &error);
        world_run(&world, 1e-3, 4000);
        double length = joint_at(&world, 0) + 2.0 * joint_at(&world, 1);
        abut_simulation_get_robot_forces(world.sim, 0, &out);
        CHECK_NEAR(length, kind == 2 ? most : u + pull / k, 1e-9);
        CHECK_NEAR(kind == 1 ? servo_force : found[0], -pull, 1e-8);
        world_free(&world);
    }
}

/* ---- from outside ------------------------------------------------------------------------------------------------ */

static void test_forces_on_links_and_bodies(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    def.gravity = abut_zero();
    int32_t bar = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 1.0, abut_vec3(0.5, 0, 0), 0.1);
    put_hinge(model, bar, abut_axis(2));
    int32_t ball = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 5, 0), 2.0, abut_zero(), 0.1);
    World world = world_of_model(model, &def);
    good(abut_simulation_set_force(
             world.sim, abut_scene_robot_body(world.scene, 0, bar), abut_vec3(0, 1, 0), abut_vec3(0, 0, 0.25), &error),
        &error);
    good(abut_simulation_set_force(world.sim, abut_scene_robot_body(world.scene, 0, ball), abut_vec3(1, 0, 0),
             abut_vec3(0, 0, 0.008), &error),
        &error);
    world_run(&world, 1e-3, 1);
    CHECK_NEAR(speed_at(&world, 0), 1e-3 * 0.75 / (0.25 + 0.004), 1e-12);
    world_run(&world, 1e-3, 999);
    AbutBodyState b = body_of(&world, abut_scene_robot_body(world.scene, 0, ball));
    CHECK_VEC_NEAR(b.velocity, abut_vec3(0.5, 0, 0), 1e-12);
    CHECK_VEC_NEAR(b.spin, abut_vec3(0, 0, 1.0), 1e-12);
    world_free(&world);
}

static AbutStatus hold(AbutSimulation *sim, double time, void *user, AbutError *error) {
    double q[1], v[1], torque;
    ++*(int *)user;
    if (time > 0.5) return abut_fail(error, ABUT_ERROR_ARGUMENT, "enough");
    abut_scene_get_joints(abut_simulation_scene(sim), 0, q, v);
    torque = -50.0 * q[0] - 5.0 * v[0];
    return abut_simulation_set_torque(sim, 0, 1, &torque, error);
}

static void test_controller(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    int calls = 0;
    int32_t bar = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 1.0, abut_vec3(0.1, 0, 0), 0.1);
    put_hinge(model, bar, abut_axis(1));
    World world = world_of_model(model, &def);
    abut_simulation_set_controller(world.sim, hold, &calls);
    world_run(&world, 1e-3, 500);
    CHECK_NEAR(joint_at(&world, 0), ABUT_GRAVITY * 0.1 / 50.0, 2e-3);
    assert_int_equal(calls, 500);
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < 3 && status == ABUT_OK; ++i) status = abut_simulation_step(world.sim, 1e-3, NULL, &error);
    assert_int_equal(status, ABUT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "enough");
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parallelogram),
        cmocka_unit_test(test_connect_at_a_hinge),
        cmocka_unit_test(test_general_linkage),
        cmocka_unit_test(test_weld_of_two_trees),
        cmocka_unit_test(test_weld_to_the_world),
        cmocka_unit_test(test_coupling_by_a_curve),
        cmocka_unit_test(test_error_at_the_start),
        cmocka_unit_test(test_tendons),
        cmocka_unit_test(test_forces_on_links_and_bodies),
        cmocka_unit_test(test_controller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
