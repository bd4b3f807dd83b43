/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sensors of simulations against closed forms: a pendulum, free fall, a box at rest, an arm held still, limits, rays,
 * equalities; saving, restoring and reading change nothing; what is no sensor is refused.
 * python/tests/adapters/test_sensors.py compares all kinds with MuJoCo.
 */
#include "dynamics/robot_world.h"

#include <string.h>

enum { VALUES = 64 };

static const double G = ABUT_GRAVITY;

static AbutSensorDef sensor_on(const char *kind, int32_t body, AbutVec3 at) {
    AbutSensorDef def = {.kind = kind, .body = body, .pose = {.p = at}};
    return def;
}

/* The place of its values. */
static int32_t put(AbutModel *model, AbutSensorDef def) {
    AbutError error;
    int32_t number;
    good(abut_model_add_sensor(model, &def, &number, &error), &error);
    return model->sensors[number].place;
}

static int32_t put_site(AbutModel *model, const char *kind, int32_t body, AbutVec3 at) {
    return put(model, sensor_on(kind, body, at));
}

static int32_t put_numbered(AbutModel *model, const char *kind, int32_t number) {
    return put(model, (AbutSensorDef){.kind = kind, .number = number});
}

static const double *read_all(const World *world) {
    static double values[VALUES];
    AbutError error;
    assert_true(abut_scene_robot_model(world->scene, 0)->sensor_values <= VALUES);
    good(abut_simulation_get_sensors(world->sim, 0, values, &error), &error);
    return values;
}

static void check_vec3(const double *v, double x, double y, double z, double tolerance) {
    CHECK_NEAR(v[0], x, tolerance);
    CHECK_NEAR(v[1], y, tolerance);
    CHECK_NEAR(v[2], z, tolerance);
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

/* A point mass on a rod: the rod pulls it by m (g cos q + l v^2), across nothing, and that is what the mass feels. */
static void test_pendulum(void **state) {
    (void)state;
    const double m = 2.0, l = 0.7, dt = 1e-5, q = 0.9, v = 1.7;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    int32_t rod = add_mass(model, ABUT_BODY_LINK, -1, abut_vec3(0, 0, 2), m, abut_vec3(0, 0, -l), 1e-5);
    put_hinge(model, rod, abut_axis(1));
    int32_t felt = put_site(model, "accelerometer", rod, abut_vec3(0, 0, -l)),
            force = put_site(model, "force", rod, abut_zero()), torque = put_site(model, "torque", rod, abut_zero()),
            speed = put_site(model, "velocimeter", rod, abut_vec3(0, 0, -l)),
            gyro = put_site(model, "gyro", rod, abut_zero()), clock = put_numbered(model, "clock", 0),
            kinetic = put_numbered(model, "e_kinetic", 0), momentum = put_numbered(model, "subtreeangmom", -1);
    World world = world_of_model(model, &def);
    assert_true(isnan(read_all(&world)[felt]) && isnan(read_all(&world)[force])); /* no step yet */
    set_joints(&world, &q, &v);
    check_vec3(read_all(&world) + speed, -l * v, 0, 0, 1e-12);
    for (int i = 0; i < 20000; ++i) {
        world_step(&world, dt);
        if (i % 1000) continue;
        const double *s = read_all(&world), angle = joint_at(&world, 0), w = speed_at(&world, 0);
        double pull = G * cos(angle) + l * w * w;
        check_vec3(s + felt, 0, 0, pull, 2e-3);
        check_vec3(s + force, 0, 0, m * pull, 4e-3);
        check_vec3(s + torque, 0, 0, 0, 1e-2);
        check_vec3(s + gyro, 0, w, 0, 1e-12);
        CHECK_NEAR(s[kinetic], 0.5 * m * l * l * w * w, 1e-6);
        CHECK_NEAR(s[clock], abut_simulation_time(world.sim), 0);
        check_vec3(s + momentum, 0, 0, 0, 1e-8);
    }
    world_free(&world);
}

static void test_free_fall(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    int32_t body = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, 100), 3.0, abut_vec3(0.1, 0, 0), 0.2);
    int32_t felt = put_site(model, "accelerometer", body, abut_vec3(0.1, 0, 0)),
            off = put_site(model, "accelerometer", body, abut_vec3(0.1, 0, 0.5)),
            rate = put_site(model, "framelinacc", body, abut_vec3(0.1, 0, 0)),
            force = put_site(model, "force", body, abut_zero()), center = put_numbered(model, "subtreelinvel", body);
    World world = world_of_model(model, &def);
    double q[7] = {0, 0, 100, 1, 0, 0, 0}, v[6] = {1, 0, 0, 0, 0, 3};
    set_joints(&world, q, v);
    for (int i = 0; i < 100; ++i) world_step(&world, 1e-3);
    const double *s = read_all(&world);
    check_vec3(s + felt, 0, 0, 0, 0.02); /* the body turns by 3 rad/s: first order in the step */
    check_vec3(s + off, 0, 0, 0, 0.02);
    check_vec3(s + rate, 0, 0, 0, 0.02);
    check_vec3(s + force, 0, 0, 0, 0.06);
    CHECK_NEAR(s[center + 2], -0.1 * G, 1e-9);
    v[5] = 0.0;
    set_joints(&world, q, v);
    world_step(&world, 1e-3);
    check_vec3(read_all(&world) + felt, 0, 0, 0, 1e-9);
    world_free(&world);
}

/* ---- still ------------------------------------------------------------------------------------------------------- */

static void test_resting_box(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    const double m = 5.0;
    put_floor(model, 0.5);
    int32_t box = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, 0.1), m, abut_zero(), 0.1);
    put_box(model, box, abut_zero(), abut_vec3(0.1, 0.1, 0.1), 0.5);
    AbutSensorDef sole = sensor_on("touch", box, abut_vec3(0, 0, -0.1)), half = sole, none = sole, cut = sole;
    sole.zone = half.zone = none.zone = cut.zone = ABUT_SHAPE_BOX;
    sole.zone_size = cut.zone_size = abut_vec3(0.15, 0.15, 0.02);
    half.zone_size = abut_vec3(0.15, 0.15, 0.02), half.pose.p.x = 0.15;
    none.zone_size = abut_vec3(0.15, 0.15, 0.02), none.pose.p.z = 0.05;
    cut.cutoff = 7.0;
    int32_t all = put(model, sole), right = put(model, half), missed = put(model, none), limited = put(model, cut),
            felt = put_site(model, "accelerometer", box, abut_zero()),
            force = put_site(model, "force", box, abut_zero()),
            torque = put_site(model, "torque", box, abut_vec3(0.03, 0, 0));
    World world = world_of_model(model, &def);
    world_run(&world, 2e-3, 1000);
    const double *s = read_all(&world);
    CHECK_NEAR(s[all], m * G, 1e-6);
    CHECK_NEAR(s[right], 0.5 * m * G, 1e-3);
    CHECK_NEAR(s[missed], 0.0, 0);
    CHECK_NEAR(s[limited], 7.0, 0);
    check_vec3(s + felt, 0, 0, G, 1e-6);
    check_vec3(s + force, 0, 0, 0, 1e-6); /* nothing holds it but the ground */
    check_vec3(s + torque, 0, 0, 0, 1e-3);
    world_free(&world);
}

/* Torques that just balance gravity: each joint carries what hangs beyond it. */
static void test_arm_at_rest(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutActuatorDef motor = abut_actuator_default();
    AbutError error;
    const double m1 = 2.0, m2 = 1.5, l = 0.4, c = 0.2, r = 0.05;
    int32_t upper = add_mass(model, ABUT_BODY_LINK, -1, abut_vec3(0, 0, 1), m1, abut_vec3(c, 0, 0), r);
    put_hinge(model, upper, abut_axis(1));
    int32_t lower = add_mass(model, ABUT_BODY_LINK, upper, abut_vec3(l, 0, 0), m2, abut_vec3(c, 0, 0), r);
    put_hinge(model, lower, abut_axis(1));
    for (motor.number = 0; motor.number < 2; ++motor.number)
        good(abut_model_add_actuator(model, &motor, NULL, &error), &error);
    int32_t elbow = put_site(model, "force", lower, abut_zero()), bend = put_site(model, "torque", lower, abut_zero()),
            shoulder = put_site(model, "force", upper, abut_zero()),
            moment = put_site(model, "torque", upper, abut_zero()), sum = put_numbered(model, "jointactuatorfrc", 0),
            own = put_numbered(model, "actuatorfrc", 1), energy = put_numbered(model, "e_potential", 0);
    World world = world_of_model(model, &def);
    double q[2] = {0, 0}, u[2] = {-G * (m1 * c + m2 * (l + c)), -G * m2 * c};
    set_joints(&world, q, NULL);
    set_control(&world, u);
    world_step(&world, 1e-3);
    const double *s = read_all(&world);
    check_vec3(s + elbow, 0, 0, m2 * G, 1e-8);
    check_vec3(s + bend, 0, -m2 * G * c, 0, 1e-8);
    check_vec3(s + shoulder, 0, 0, (m1 + m2) * G, 1e-8);
    check_vec3(s + moment, 0, u[0], 0, 1e-8);
    CHECK_NEAR(s[sum], u[0], 1e-12);
    CHECK_NEAR(s[own], u[1], 1e-12);
    CHECK_NEAR(s[energy], (m1 + m2) * G, 1e-9);
    world_free(&world);
}

static void test_limits(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutActuatorDef motor = abut_actuator_default();
    AbutTendonDef tendon = {.count = 1, .limited = 1, .range = {-10.0, 0.3}};
    const int32_t joints[1] = {1};
    const double coefficients[1] = {2.0};
    AbutError error;
    for (int i = 0; i < 2; ++i) {
        int32_t arm = add_mass(model, ABUT_BODY_LINK, -1, abut_vec3(0, 0, 1), 1.0, abut_vec3(0.2, 0, 0), 0.05);
        AbutJointDef joint = joint_def(ABUT_JOINT_HINGE, arm, abut_axis(2));
        joint.limited = i == 0;
        joint.range[0] = -1.0, joint.range[1] = 0.4;
        put_joint(model, &joint);
        motor.number = i;
        good(abut_model_add_actuator(model, &motor, NULL, &error), &error);
    }
    tendon.joints = joints, tendon.coefficients = coefficients;
    good(abut_model_add_tendon(model, &tendon, NULL, &error), &error);
    int32_t gap = put_numbered(model, "jointlimitpos", 0), rate = put_numbered(model, "jointlimitvel", 0),
            force = put_numbered(model, "jointlimitfrc", 0), cable = put_numbered(model, "tendonlimitfrc", 0),
            length = put_numbered(model, "tendonpos", 0);
    World world = world_of_model(model, &def);
    double beyond[2] = {0.45, 0}, moving[2] = {2.0, 0}, u[2] = {3.0, 5.0};
    set_joints(&world, beyond, moving);
    CHECK_NEAR(read_all(&world)[gap], -0.05, 1e-12); /* to its lower side it would be 1.45 */
    CHECK_NEAR(read_all(&world)[rate], -2.0, 1e-12);
    beyond[0] = 0.3, moving[0] = 0.0;
    set_joints(&world, beyond, moving);
    CHECK_NEAR(read_all(&world)[gap], 0.0, 0);
    set_control(&world, u);
    world_run(&world, 1e-3, 2000);
    CHECK_NEAR(read_all(&world)[force], 3.0, 1e-6);
    CHECK_NEAR(read_all(&world)[cable], 2.5, 1e-6); /* its arm is 2 */
    CHECK_NEAR(read_all(&world)[length], 0.3, 1e-6);
    world_free(&world);
}

/* ---- the scene --------------------------------------------------------------------------------------------------- */

static void test_rays(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    put_floor(model, 0.5);
    int32_t box = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, 3), 1.0, abut_zero(), 0.1);
    put_box(model, box, abut_zero(), abut_vec3(0.1, 0.1, 0.1), 0.5);
    AbutSensorDef down = sensor_on("rangefinder", box, abut_zero()), near,
                  reference = sensor_on("framepos", box, abut_zero());
    down.pose.q = abut_quat_axis_angle(abut_axis(0), ABUT_PI);
    near = down, near.cutoff = 1.25;
    reference.has_reference = 1, reference.reference_body = 0, reference.reference_pose.p = abut_vec3(0, 0, 1);
    int32_t below = put(model, down), cut = put(model, near), above = put_site(model, "rangefinder", box, abut_zero()),
            place = put_site(model, "framepos", box, abut_zero()), seen = put(model, reference);
    AbutScene *scene = new_scene();
    AbutError error;
    AbutPose at = abut_pose(abut_vec3(5, 0, 0), abut_quat_axis_angle(abut_axis(2), 0.5 * ABUT_PI));
    good(abut_scene_add_model(scene, model, at, NULL, &error), &error);
    abut_model_free(model);
    World world = world_of(scene, &def);
    CHECK_NEAR(read_all(&world)[below], 3.0, 1e-11);
    CHECK_NEAR(read_all(&world)[cut], 1.25, 0);
    CHECK_NEAR(read_all(&world)[above], -1.0, 0);
    check_vec3(read_all(&world) + place, 5, 0, 3, 1e-12);
    check_vec3(read_all(&world) + seen, 0, 0, 2, 1e-12);
    world_free(&world);
}

/* A box that a weld holds in the air: nothing else carries it. */
static void test_welded(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    int32_t box = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, 3), 2.0, abut_vec3(0.05, 0, 0), 0.1);
    put_connect(model, ABUT_EQUALITY_WELD, -1, abut_vec3(0, 0, 3), box, abut_zero());
    int32_t force = put_site(model, "force", box, abut_zero()), torque = put_site(model, "torque", box, abut_zero()),
            felt = put_site(model, "accelerometer", box, abut_zero());
    World world = world_of_model(model, &def);
    world_run(&world, 1e-3, 500);
    check_vec3(read_all(&world) + force, 0, 0, 0, 1e-3);
    check_vec3(read_all(&world) + torque, 0, 0, 0, 1e-3);
    check_vec3(read_all(&world) + felt, 0, 0, G, 1e-3);
    world_free(&world);
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

static void test_states(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    double before[VALUES], q[2] = {0.5, -0.3};
    World world[2];
    for (int k = 0; k < 2; ++k) {
        AbutModel *model = new_model();
        int32_t upper = add_mass(model, ABUT_BODY_LINK, -1, abut_vec3(0, 0, 1), 1.0, abut_vec3(0.2, 0, 0), 0.05);
        put_hinge(model, upper, abut_axis(1));
        int32_t lower = add_mass(model, ABUT_BODY_LINK, upper, abut_vec3(0.4, 0, 0), 1.0, abut_vec3(0.2, 0, 0), 0.05);
        put_hinge(model, lower, abut_vec3(0.6, 0.8, 0));
        if (k == 0)
            put_site(model, "accelerometer", lower, abut_vec3(0.4, 0, 0)),
                put_site(model, "torque", upper, abut_zero());
        world[k] = world_of_model(model, &def);
        set_joints(&world[k], q, NULL);
        for (int i = 0; i < 200; ++i) {
            world_step(&world[k], 1e-3);
            if (k == 0) read_all(&world[k]);
        }
    }
    assert_true(abut_simulation_hash(world[0].sim) == abut_simulation_hash(world[1].sim)); /* sensors move nothing */
    memcpy(before, read_all(&world[0]), sizeof before);
    size_t bytes = abut_simulation_state_size(world[0].sim);
    void *saved = malloc(bytes);
    AbutError error;
    abut_simulation_save(world[0].sim, saved);
    world_run(&world[0], 1e-3, 50);
    assert_true(memcmp(before, read_all(&world[0]), 6 * sizeof *before) != 0);
    good(abut_simulation_restore(world[0].sim, saved, bytes, &error), &error);
    assert_memory_equal(before, read_all(&world[0]), 6 * sizeof *before);
    free(saved);
    world_free(&world[0]);
    world_free(&world[1]);
}

static void refuse(AbutModel *model, AbutSensorDef def, const char *part) {
    AbutError error = {0};
    int32_t count = model->sensor_count, values = model->sensor_values;
    assert_int_equal(abut_model_add_sensor(model, &def, NULL, &error), ABUT_ERROR_ARGUMENT);
    if (!strstr(error.text, part)) fail_msg("expected '%s' in '%s'", part, error.text);
    assert_true(model->sensor_count == count && model->sensor_values == values);
}

static void test_refusals(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef settings = abut_simulation_default();
    AbutError error;
    double value;
    int32_t body = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 1.0, abut_vec3(1, 0, 0), 0.1);
    put_hinge(model, body, abut_axis(0));
    refuse(
        model, (AbutSensorDef){.kind = "gyroscope", .name = "g"}, "sensor 'g': expected a known kind, got 'gyroscope'");
    refuse(model, (AbutSensorDef){.kind = NULL}, "expected a known kind");
    refuse(model, (AbutSensorDef){.kind = "jointpos", .number = 1},
        "expected the number of a hinge or slide of the model, got 1");
    refuse(model, (AbutSensorDef){.kind = "ballquat"}, "number of a ball");
    refuse(model, (AbutSensorDef){.kind = "tendonpos"}, "number of a tendon");
    refuse(model, (AbutSensorDef){.kind = "actuatorfrc"}, "number of a actuator");
    refuse(model, (AbutSensorDef){.kind = "gyro", .body = 7}, "number of a body of the model, got 7");
    refuse(model, (AbutSensorDef){.kind = "framepos", .has_reference = 1, .reference_body = 9}, "number of a body");
    refuse(model, (AbutSensorDef){.kind = "subtreecom", .number = -2}, "got -2");
    refuse(model, (AbutSensorDef){.kind = "jointpos", .cutoff = -1.0}, "expected a cutoff");
    refuse(model, (AbutSensorDef){.kind = "jointpos", .cutoff = NAN}, "expected a cutoff");
    refuse(model, (AbutSensorDef){.kind = "gyro", .pose = {.q = {2, 0, 0, 0}}}, "has length 2");
    World world = world_of_model(model, &settings);
    assert_int_equal(abut_simulation_get_sensors(world.sim, 3, &value, &error), ABUT_ERROR_ARGUMENT);
    good(abut_simulation_get_sensors(world.sim, 0, NULL, &error), &error); /* it has none */
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pendulum), cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_resting_box), cmocka_unit_test(test_arm_at_rest), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_rays), cmocka_unit_test(test_welded), cmocka_unit_test(test_states),
        cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
