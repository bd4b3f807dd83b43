/* SPDX-License-Identifier: Apache-2.0 */
/* Robots in a simulation without contacts, against closed forms: pendulums, chains in the air, limits, friction,
 * servos. */
#include "dynamics/robot_world.h"
#include "support/tree_of.h"

static AbutSimulationDef settings(void) {
    AbutSimulationDef def = abut_simulation_default();
    return def;
}

/* ---- pendulums --------------------------------------------------------------------------------------------------- */

static World pendulum(double length) {
    AbutModel *model = new_model();
    AbutSimulationDef def = settings();
    int32_t bob = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 1.0, abut_vec3(0, 0, -length), 1e-3);
    put_hinge(model, bob, abut_axis(1));
    return world_of_model(model, &def);
}

/* From the first passage through zero to the third, places within steps by a line. */
static double period_of(World *world, double dt) {
    double before = joint_at(world, 0), first = 0.0;
    for (int step = 0, crossings = 0;; ++step) {
        world_step(world, dt);
        double now = joint_at(world, 0), t = (step + before / (before - now)) * dt;
        if (before * now < 0.0 && ++crossings == 1) first = t;
        if (crossings == 3) return t - first;
        before = now;
    }
}

static double period_error(double dt) {
    double r = 1e-3, length = 1.0, start = 1.0, still = 0.0, a = 1.0, g = cos(0.5 * start);
    World world = pendulum(length);
    set_joints(&world, &start, &still);
    double found = period_of(&world, dt);
    world_free(&world);
    for (int i = 0; i < 8; ++i) {
        double mean = 0.5 * (a + g);
        g = sqrt(a * g);
        a = mean;
    }
    double inertia = length * length + 0.4 * r * r;
    return found / (2.0 * ABUT_PI / a * sqrt(inertia / (ABUT_GRAVITY * length))) - 1.0;
}

static void test_pendulum_period(void **state) {
    (void)state;
    double coarse = period_error(1e-3), fine = period_error(5e-4);
    CHECK(fabs(coarse) < 2e-6);
    CHECK(fabs(coarse / fine - 4.0) < 0.4);
}

/* A ball joint: the bob goes round at a constant height. */
static void test_conical_pendulum(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = settings();
    int32_t bob = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 1.0, abut_vec3(0, 0, -1.0), 1e-4);
    AbutJointDef ball = joint_def(ABUT_JOINT_BALL, bob, abut_axis(2));
    put_joint(model, &ball);
    World world = world_of_model(model, &def);
    double angle = 0.5, rate = sqrt(ABUT_GRAVITY / cos(angle));
    AbutQuat q = abut_quat_exp(abut_vec3(0.0, -angle, 0.0));
    AbutVec3 spin = abut_quat_rotate_inv(q, abut_vec3(0, 0, rate));
    double position[4] = {q.w, q.x, q.y, q.z}, velocity[3] = {spin.x, spin.y, spin.z};
    set_joints(&world, position, velocity);
    double low = 0.0, high = -2.0;
    for (int i = 0; i < 5000; ++i) {
        world_step(&world, 1e-3);
        double z = body_of(&world, abut_scene_robot_body(world.scene, 0, 0)).center.z;
        low = fmin(low, z), high = fmax(high, z);
    }
    world_free(&world);
    CHECK(high - low < 1e-9);
}

static void test_double_pendulum_energy(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = settings();
    int32_t upper = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 1.0, abut_vec3(0, 0, -0.5), 0.1);
    int32_t lower = add_mass(model, ABUT_BODY_LINK, upper, abut_vec3(0, 0, -1.0), 1.0, abut_vec3(0, 0, -0.5), 0.1);
    put_hinge(model, upper, abut_axis(1));
    put_hinge(model, lower, abut_axis(1));
    World world = world_of_model(model, &def);
    double start[2] = {2.0, 1.0}, k, first, worst = 0.0, fastest = 0.0, last = 0.0;
    set_joints(&world, start, NULL);
    first = abut_simulation_energy(world.sim, NULL, NULL);
    for (int i = 0; i < check_cases(20000); ++i) {
        world_step(&world, 1e-3);
        last = abut_simulation_energy(world.sim, &k, NULL) - first;
        worst = fmax(worst, fabs(last));
        fastest = fmax(fastest, k);
    }
    world_free(&world);
    CHECK(worst < 0.05 * fastest);
    CHECK(fabs(last) < 0.01 * fastest);
}

/* ---- in the air -------------------------------------------------------------------------------------------------- */

/* A chain of ten links thrown with all joints turning: its center of mass flies a parabola, and it keeps its angular
 * momentum. */
static void test_chain_in_the_air(void **state) {
    (void)state;
    enum { LINKS = 10 };
    AbutModel *model = new_model();
    AbutSimulationDef def = settings();
    AbutRng random = abut_rng(7, 0);
    for (int32_t i = 0; i < LINKS; ++i) {
        int32_t body = add_mass(model, i ? ABUT_BODY_LINK : ABUT_BODY_DYNAMIC, i - 1, abut_vec3(i ? 0.1 : 0.0, 0, 0),
            0.5, abut_vec3(0.05, 0.01, 0), 0.04);
        if (i) put_hinge(model, body, abut_axis(i % 3));
    }
    AbutConfiguration *c;
    AbutError error;
    AbutModel *kept;
    good(abut_model_copy(model, &kept, &error), &error);
    World world = world_of_model(model, &def);
    double q[7 + LINKS] = {0, 0, 3, 1}, v[6 + LINKS];
    for (int i = 0; i < LINKS - 1; ++i) q[7 + i] = abut_rng_between(&random, -1.0, 1.0);
    for (int i = 0; i < 5 + LINKS; ++i) v[i] = abut_rng_between(&random, -2.0, 2.0);
    set_joints(&world, q, v);
    good(configuration_of(kept, &c, &error), &error);
    good(abut_configuration_set(c, 6 + LINKS, q, 5 + LINKS, v, &error), &error);
    AbutTwist first = abut_configuration_momentum(c);
    AbutVec3 center = abut_configuration_center(c), speed = abut_configuration_center_velocity(c);
    double dt = 1e-3;
    int steps = 1000;
    world_run(&world, dt, steps);
    abut_scene_get_joints(world.scene, 0, q, v);
    good(abut_configuration_set(c, 6 + LINKS, q, 5 + LINKS, v, &error), &error);
    AbutTwist last = abut_configuration_momentum(c);
    AbutVec3 fall = abut_scale(abut_vec3(0, 0, -ABUT_GRAVITY), steps * dt);
    CHECK(abut_point_distance(abut_configuration_center_velocity(c), abut_add(speed, fall)) < 1e-9);
    CHECK(abut_point_distance(last.angular, first.angular) < 1e-9);
    /* steps of semi-implicit Euler: v h summed */
    double n = steps;
    AbutVec3 expected = abut_add(abut_add_scaled(center, speed, n * dt),
        abut_scale(abut_vec3(0, 0, -ABUT_GRAVITY), 0.5 * n * (n + 1.0) * dt * dt));
    CHECK(abut_point_distance(abut_configuration_center(c), expected) < 1e-9);
    abut_configuration_free(c);
    abut_model_free(kept);
    world_free(&world);
}

/* A slender body that turns across its axis, with a small child on a hinge: energy, momentum and the spin about the
 * axis stay, as they do without the child. */
static void test_slender_robot_in_the_air(void **state) {
    (void)state;
    static const double ratios[] = {2.0, 100.0, 1e3, 1e4}, speeds[] = {5.0, 20.0, 100.0, 500.0};
    for (int k = 0; k < 32; ++k) {
        AbutModel *model = new_model();
        AbutSimulationDef def = settings();
        AbutBodyDef body = abut_body_default();
        AbutError error;
        int32_t root;
        double axial = 1.0 / ratios[k & 3], speed = speeds[(k >> 2) & 3], dt = k >> 4 ? 1e-4 : 1e-3;
        def.gravity = abut_zero();
        body.mass = 1.0;
        body.inertia = abut_mat3_diagonal(1.0, 1.0, axial);
        good(abut_model_add_body(model, &body, &root, &error), &error);
        int32_t child = add_mass(model, ABUT_BODY_LINK, root, abut_zero(), 1e-3, abut_zero(), 0.05);
        put_hinge(model, child, abut_axis(2));
        World world = world_of_model(model, &def);
        double q[8] = {0, 0, 0, 1, 0, 0, 0, 0}, v[7] = {0, 0, 0, speed, 0, 3, 0};
        set_joints(&world, q, v);
        double first = abut_simulation_energy(world.sim, NULL, NULL);
        world_run(&world, dt, 100);
        CHECK_NEAR(abut_simulation_energy(world.sim, NULL, NULL), first, 1e-9 * first);
        CHECK_NEAR(speed_at(&world, 5), 3.0, 1e-6);
        CHECK_NEAR(speed_at(&world, 6), 0.0, 1e-6);
        world_free(&world);
    }
}

/* Change of energy of a body whose arm turns fast, in parts of what it began with, after 0.2 s. */
static double energy_of_turning_arm(double dt) {
    AbutModel *model = new_model();
    AbutSimulationDef def = settings();
    def.gravity = abut_zero();
    int32_t root = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_zero(), 1.0, abut_zero(), 0.1);
    int32_t arm = add_mass(model, ABUT_BODY_LINK, root, abut_vec3(0.1, 0, 0), 0.5, abut_vec3(0.2, 0, 0), 0.05);
    put_hinge(model, arm, abut_axis(1));
    World world = world_of_model(model, &def);
    double q[8] = {0, 0, 0, 1, 0, 0, 0, 0}, v[7] = {0, 0, 0, 3, 1, 5, 4};
    set_joints(&world, q, v);
    double first = abut_simulation_energy(world.sim, NULL, NULL);
    world_run(&world, dt, (int)(0.2 / dt + 0.5));
    double change = abut_simulation_energy(world.sim, NULL, NULL) / first - 1.0;
    world_free(&world);
    return change;
}

static void test_energy_of_moving_joints(void **state) {
    (void)state;
    double coarse = energy_of_turning_arm(1e-3), half = energy_of_turning_arm(5e-4);
    CHECK(fabs(coarse) < 1e-4);
    CHECK_NEAR(coarse / half, 2.0, 0.2);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static World slider(const AbutJointDef *more, double mass) {
    AbutModel *model = new_model();
    AbutSimulationDef def = settings();
    def.gravity = abut_zero();
    AbutJointDef slide = *more;
    slide.kind = ABUT_JOINT_SLIDE;
    slide.body = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), mass, abut_zero(), 0.1);
    slide.axis = abut_axis(0);
    put_joint(model, &slide);
    return world_of_model(model, &def);
}

static void pull(World *world, double force) {
    AbutError error;
    good(abut_simulation_set_torque(world->sim, 0, 1, &force, &error), &error);
}

/* Well below its friction a joint is locked: it creeps by no more than a billionth, its friction is told, and it gives
 * way in the step in which the load passes the friction. */
static void test_friction_lock(void **state) {
    (void)state;
    AbutJointDef joint = abut_joint_default();
    joint.friction_loss = 5.0;
    World world = slider(&joint, 1.0);
    double friction;
    AbutRobotForces forces = {.friction = &friction};
    pull(&world, -3.0);
    for (int i = 0; i < 100; ++i) {
        world_step(&world, 1e-3);
        CHECK(fabs(speed_at(&world, 0)) < 1e-9);
        abut_simulation_get_robot_forces(world.sim, 0, &forces);
        CHECK_NEAR(friction, 3.0, 1e-6);
    }
    pull(&world, -6.0);
    world_step(&world, 1e-3);
    CHECK_NEAR(speed_at(&world, 0), -1e-3, 1e-9);
    abut_simulation_get_robot_forces(world.sim, 0, &forces);
    CHECK_NEAR(friction, 5.0, 1e-9);
    world_free(&world);
}

static void test_friction_loss(void **state) {
    (void)state;
    AbutJointDef joint = abut_joint_default();
    joint.friction_loss = 5.0;
    World world = slider(&joint, 1.0);
    pull(&world, -4.9);
    world_run(&world, 1e-3, 500);
    CHECK_NEAR(speed_at(&world, 0), 0.0, 1e-12);
    double friction;
    AbutRobotForces forces = {.friction = &friction};
    abut_simulation_get_robot_forces(world.sim, 0, &forces);
    CHECK_NEAR(friction, 4.9, 1e-9);
    pull(&world, -6.0);
    world_run(&world, 1e-3, 1000);
    CHECK_NEAR(speed_at(&world, 0), -1.0, 1e-9);
    pull(&world, 0.0);
    world_run(&world, 1e-3, 199);
    CHECK(speed_at(&world, 0) < -4e-3);
    world_run(&world, 1e-3, 2);
    CHECK_NEAR(speed_at(&world, 0), 0.0, 1e-12);
    world_free(&world);
}

/* A hinge falls on its limit and stays there: no overshoot, and the limit carries the weight. */
static void test_limit(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = settings();
    int32_t bar = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 2.0, abut_vec3(0.5, 0, 0), 0.1);
    AbutJointDef hinge = joint_def(ABUT_JOINT_HINGE, bar, abut_axis(1));
    hinge.limited = 1;
    hinge.range[0] = -1.0;
    hinge.range[1] = 0.5;
    put_joint(model, &hinge);
    World world = world_of_model(model, &def);
    double most = -1.0, limit;
    for (int i = 0; i < 2000; ++i) {
        world_step(&world, 1e-3);
        most = fmax(most, joint_at(&world, 0));
    }
    AbutRobotForces forces = {.limit = &limit};
    abut_simulation_get_robot_forces(world.sim, 0, &forces);
    CHECK(most < 0.5 + 1e-12);
    CHECK_NEAR(joint_at(&world, 0), 0.5, 1e-9);
    CHECK_NEAR(limit, -2.0 * ABUT_GRAVITY * 0.5 * cos(0.5), 1e-9);
    world_free(&world);
}

/* Springs, damping, armature and a servo are those of implicit Euler. */
static void test_implicit_joint(void **state) {
    (void)state;
    AbutJointDef joint = abut_joint_default();
    joint.stiffness = 40.0;
    joint.spring_reference = 0.2;
    joint.damping = 3.0;
    joint.armature = 0.5;
    World world = slider(&joint, 1.5);
    double x = 0.0, v = 0.0, h = 1e-3, m = 2.0;
    for (int i = 0; i < 1000; ++i) {
        world_step(&world, h);
        v = (m * v + h * 40.0 * (0.2 - x)) / (m + h * 3.0 + h * h * 40.0);
        x += h * v;
    }
    CHECK_NEAR(joint_at(&world, 0), x, 1e-12);
    CHECK_NEAR(speed_at(&world, 0), v, 1e-12);
    world_free(&world);
}

static int32_t put_actuator(AbutModel *model, int32_t joint, double gain, double kp, double kd) {
    AbutActuatorDef def = abut_actuator_default();
    AbutError error;
    int32_t number;
    def.number = joint;
    def.gain = gain;
    def.bias[1] = -kp;
    def.bias[2] = -kd;
    good(abut_model_add_actuator(model, &def, &number, &error), &error);
    return number;
}

static World driven(double gain, double kp, double kd, double most) {
    AbutModel *model = new_model();
    AbutSimulationDef def = settings();
    def.gravity = abut_zero();
    AbutJointDef slide = joint_def(ABUT_JOINT_SLIDE, 0, abut_axis(2));
    slide.body = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 2.0, abut_zero(), 0.1);
    slide.force_limited = most > 0.0;
    slide.force_range[0] = -most;
    slide.force_range[1] = most;
    put_actuator(model, put_joint(model, &slide), gain, kp, kd);
    return world_of_model(model, &def);
}

static void test_servos(void **state) {
    (void)state;
    double u = 0.3, h = 1e-3, force;
    AbutRobotForces forces = {.actuator = &force};
    World motor = driven(1.0, 0.0, 0.0, 0.0), servo = driven(500.0, 500.0, 20.0, 0.0),
          velocity = driven(50.0, 0, 50, 0), weak = driven(500.0, 500.0, 0.0, 1.0), stiff = driven(1e9, 1e9, 1e7, 0.0);
    World *worlds[] = {&motor, &servo, &velocity, &weak, &stiff};
    for (int i = 0; i < 5; ++i) {
        set_control(worlds[i], &u);
        world_run(worlds[i], h, 500);
    }
    CHECK_NEAR(speed_at(&motor, 0), 0.3 * 0.5 / 2.0, 1e-12);
    double x = 0.0, v = 0.0;
    for (int i = 0; i < 500; ++i) {
        v = (2.0 * v + h * 500.0 * (u - x)) / (2.0 + h * 20.0 + h * h * 500.0);
        x += h * v;
    }
    CHECK_NEAR(joint_at(&servo, 0), x, 1e-12);
    abut_simulation_get_robot_forces(servo.sim, 0, &forces);
    CHECK_NEAR(force, 500.0 * (u - x) - 20.0 * v, 1e-9);
    CHECK_NEAR(speed_at(&velocity, 0), u * (1.0 - pow(2.0 / (2.0 + h * 50.0), 500)), 1e-12);
    CHECK_NEAR(speed_at(&weak, 0), 0.5 * 1.0 * 0.5, 1e-3); /* the force of 1 N, while it is far from its target */
    CHECK_NEAR(joint_at(&stiff, 0), u, 1e-9);
    for (int i = 0; i < 5; ++i) world_free(worlds[i]);
}

/* A strong servo of velocity on a light slide. Held at its limit of force for a whole step it would throw the slide to
 * 400 times the speed that is asked for. The limit is that of the joint, or of the actuator. */
static World strong_servo(int of_joint) {
    AbutModel *model = new_model();
    AbutSimulationDef def = settings();
    AbutActuatorDef servo = abut_actuator_default();
    AbutError error;
    def.gravity = abut_zero();
    AbutJointDef slide = joint_def(ABUT_JOINT_SLIDE, 0, abut_axis(2));
    slide.body = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 2e-3, abut_zero(), 0.1);
    slide.force_limited = of_joint;
    slide.force_range[0] = servo.force_range[0] = -400.0;
    slide.force_range[1] = servo.force_range[1] = 400.0;
    servo.number = put_joint(model, &slide);
    servo.gain = 2000.0;
    servo.bias[2] = -2000.0;
    servo.force_limited = !of_joint;
    good(abut_model_add_actuator(model, &servo, NULL, &error), &error);
    return world_of_model(model, &def);
}

static void test_saturated_servos_do_not_overshoot(void **state) {
    (void)state;
    double u = 1.0, start = 500.0, q = 0.0, h = 2e-3;
    for (int of_joint = 0; of_joint < 2; ++of_joint) {
        World world = strong_servo(of_joint);
        set_control(&world, &u);
        world_step(&world, h);
        CHECK_NEAR(speed_at(&world, 0), h * 2000.0 / (2e-3 + h * 2000.0), 1e-9); /* of implicit Euler */
        set_joints(&world, &q, &start);
        world_step(&world, h); /* 400 N still slow it by 400 m/s: the servo is at its limit for all of the step */
        CHECK_NEAR(speed_at(&world, 0), 100.0, 1e-9);
        for (int i = 0; i < 5; ++i) {
            double before = speed_at(&world, 0);
            world_step(&world, h);
            CHECK(speed_at(&world, 0) <= before && speed_at(&world, 0) >= u - 1e-9);
        }
        world_free(&world);
    }
}

/* A thin rod on a ball that strikes its limit, which makes it spin about its own axis: how far it passes the limit, and
 * the most that it turns in one step. */
static double passed_limit(double h, double *most) {
    AbutModel *model = new_model();
    AbutBodyDef body = abut_body_default();
    AbutSimulationDef def = settings();
    AbutError error;
    int32_t rod;
    double q[4] = {1, 0, 0, 0}, v[3] = {3.0, 6.0, 1.0}, passed = -1.0;
    body.kind = ABUT_BODY_LINK;
    body.mass = 1.0;
    body.center = abut_vec3(0.05, 0, -0.5);
    body.inertia = abut_mat3(abut_vec3(0.085, 0, 0.0085), abut_vec3(0, 0.086, 0), abut_vec3(0.0085, 0, 0.00105));
    good(abut_model_add_body(model, &body, &rod, &error), &error);
    AbutJointDef ball = joint_def(ABUT_JOINT_BALL, rod, abut_axis(2));
    ball.limited = 1;
    ball.range[1] = ABUT_PI / 6.0;
    ball.damping = 0.05;
    put_joint(model, &ball);
    World world = world_of_model(model, &def);
    set_joints(&world, q, v);
    *most = 0.0;
    for (double t = 0.0; t < 2.0; t += h) {
        world_step(&world, h);
        abut_scene_get_joints(world.scene, 0, q, v);
        passed = fmax(passed, 2.0 * acos(fmin(1.0, fabs(q[0]))) - ball.range[1]);
        *most = fmax(*most, h * abut_length(abut_vec3(v[0], v[1], v[2])));
    }
    world_free(&world);
    return passed;
}

static void test_ball_limit(void **state) {
    (void)state;
    static const double steps[] = {4e-3, 1e-3, 1e-4};
    for (int i = 0; i < 3; ++i) {
        double most, passed = passed_limit(steps[i], &most);
        CHECK(passed > -1e-2); /* it was reached */
        CHECK(passed < most);
    }
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void test_refused(void **state) {
    (void)state;
    World world = driven(1.0, 0.0, 0.0, 0.0);
    double numbers[3] = {1.0, NAN, 2.0};
    AbutError error;
    assert_int_equal(abut_simulation_set_control(world.sim, 0, 2, numbers, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_simulation_set_control(world.sim, 0, 0, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_simulation_set_control(world.sim, 0, 1, numbers + 1, &error), ABUT_ERROR_NUMBER);
    assert_int_equal(abut_simulation_set_torque(world.sim, 0, 3, numbers, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_scene_set_joints(world.scene, 0, 2, numbers, 0, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_scene_set_joints(world.scene, 0, 1, numbers + 1, 0, NULL, &error), ABUT_ERROR_NUMBER);
    assert_int_equal(abut_scene_set_joints(world.scene, 0, 1, NULL, 0, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "positions: expected 1 numbers, got NULL");
    assert_int_equal(abut_scene_set_joints(world.scene, 0, 1, numbers, 1, NULL, &error), ABUT_ERROR_ARGUMENT);
    AbutBodyId link = abut_scene_robot_body(world.scene, 0, 0);
    assert_int_equal(abut_scene_set_pose(world.scene, link, abut_pose_identity(), &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_scene_set_velocity(world.scene, link, abut_zero(), abut_zero(), &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_scene_remove_body(world.scene, link, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(
        abut_simulation_set_force(world.sim, link, abut_vec3(NAN, 0, 0), abut_zero(), &error), ABUT_ERROR_NUMBER);
    world_run(&world, 1e-3, 10);
    CHECK_NEAR(joint_at(&world, 0), 0.0, 0.0);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum_period),
        cmocka_unit_test(test_conical_pendulum),
        cmocka_unit_test(test_double_pendulum_energy),
        cmocka_unit_test(test_chain_in_the_air),
        cmocka_unit_test(test_slender_robot_in_the_air),
        cmocka_unit_test(test_energy_of_moving_joints),
        cmocka_unit_test(test_friction_loss),
        cmocka_unit_test(test_friction_lock),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_ball_limit),
        cmocka_unit_test(test_implicit_joint),
        cmocka_unit_test(test_servos),
        cmocka_unit_test(test_saturated_servos_do_not_overshoot),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
