/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where energy comes from. Oracle: the energy at the end less that at the start is the work that a report counts, less
 * what is lost; forces and ways that are known in closed form give the work itself.
 */
#include "dynamics/robot_world.h"

typedef struct Ledger {
    double start, end, work, gain; /* gain: most that a step added beyond its work */
} Ledger;

static Ledger run(World *world, double dt, int steps) {
    Ledger sum = {abut_simulation_energy(world->sim, NULL, NULL), 0.0, 0.0, -INFINITY};
    sum.end = sum.start;
    for (int i = 0; i < steps; ++i) {
        AbutStepReport r = world_step(world, dt);
        double now = r.kinetic + r.potential;
        sum.gain = fmax(sum.gain, now - sum.end - r.work);
        sum.work += r.work;
        sum.end = now;
    }
    return sum;
}

/* A slide along x with this spring and actuator; mass 2 kg, no gravity. */
static World slide(double stiffness, double gain, double kp, double kd, double most) {
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutActuatorDef motor = abut_actuator_default();
    AbutError error;
    def.gravity = abut_zero();
    AbutJointDef joint = joint_def(ABUT_JOINT_SLIDE, 0, abut_axis(0));
    joint.body = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 2.0, abut_zero(), 0.1);
    joint.stiffness = stiffness;
    motor.number = put_joint(model, &joint);
    motor.gain = gain;
    motor.bias[1] = -kp, motor.bias[2] = -kd;
    motor.force_limited = most > 0.0;
    motor.force_range[0] = -most, motor.force_range[1] = most;
    good(abut_model_add_actuator(model, &motor, NULL, &error), &error);
    return world_of_model(model, &def);
}

static void motors_do_work(void **state) {
    (void)state;
    double u = 3.0;
    World motor = slide(0.0, 1.0, 0.0, 0.0, 0.0), servo = slide(0.0, 500.0, 500.0, 5.0, 20.0);
    set_control(&motor, &u);
    Ledger sum = run(&motor, 1e-3, 1000);
    CHECK_NEAR(sum.work, 0.5 * 2.0 * 1.5 * 1.5, 1e-9); /* 3 N on 2 kg for 1 s */
    CHECK_NEAR(sum.end - sum.start, sum.work, 1e-9);
    u = 0.3;
    set_control(&servo, &u);
    sum = run(&servo, 1e-3, 200); /* at its limit, then within it: nothing else takes or gives energy */
    CHECK(sum.work > 0.1);
    CHECK_NEAR(sum.end - sum.start, sum.work, 1e-9);
    world_free(&motor);
    world_free(&servo);
}

static void springs_are_potential_energy(void **state) {
    (void)state;
    double u = 0.0, q = 0.5;
    World world = slide(100.0, 1.0, 0.0, 0.0, 0.0);
    set_control(&world, &u);
    set_joints(&world, &q, NULL);
    Ledger sum = run(&world, 1e-5, 20000);
    CHECK_NEAR(sum.start, 0.5 * 100.0 * 0.25, 1e-12);
    CHECK_NEAR(sum.end, sum.start, 1e-2 * sum.start); /* implicit: it loses a little, and never gains */
    CHECK(sum.gain < 1e-12);
    CHECK_NEAR(sum.work, 0.0, 0.0);
    world_free(&world);
}

/* A link that is carried altogether floats: moving it up takes no energy. */
static void carried_weight_is_no_potential_energy(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutBodyDef body = abut_body_default();
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    double q = 0.0, v = 2.0;
    body.kind = ABUT_BODY_LINK;
    body.mass = 1.0;
    body.inertia = abut_mat3_diagonal(0.01, 0.01, 0.01);
    body.gravity_compensation = 1.0;
    AbutJointDef joint = joint_def(ABUT_JOINT_SLIDE, 0, abut_axis(2));
    good(abut_model_add_body(model, &body, &joint.body, &error), &error);
    put_joint(model, &joint);
    World world = world_of_model(model, &def);
    set_joints(&world, &q, &v);
    world_step(&world, 1e-3);
    Ledger sum = run(&world, 1e-3, 500);
    CHECK_NEAR(joint_at(&world, 0), 2.0 * 0.501, 1e-9);
    CHECK_NEAR(sum.end, sum.start, 1e-9);
    world_free(&world);
}

static void forces_from_outside_do_work(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef box = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    AbutError error;
    def.gravity = abut_zero();
    AbutBodyId id = throw_box(scene, at(0, 0, 0), abut_vec3(0, 1, 0), abut_zero(), &box);
    World world = world_of(scene, &def);
    good(abut_simulation_set_force(world.sim, id, abut_vec3(5, 0, 0), abut_vec3(0, 0, 0.01), &error), &error);
    Ledger sum = run(&world, 1e-3, 300);
    CHECK_NEAR(sum.work, 0.5 * 1.0 * 1.5 * 1.5 + 0.5 * 0.003 * 0.003 / (1.0 * 0.01 / 6.0), 1e-6);
    CHECK_NEAR(sum.end - sum.start, sum.work, 1e-9);
    world_free(&world);
}

/* A platform rises with a box of 1 kg on it. */
static void kinematic_bodies_do_work(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef plate = box_def(0.3, 0.3, 0.05, 1000.0, 0.5), box = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    AbutError error;
    AbutBodyId platform = add_body(scene, ABUT_BODY_KINEMATIC, at(0, 0, 0));
    add_shape(scene, platform, &plate);
    throw_box(scene, at(0, 0, 0.1), abut_vec3(0, 0, 0.2), abut_zero(), &box);
    good(abut_scene_set_velocity(scene, platform, abut_vec3(0, 0, 0.2), abut_zero(), &error), &error);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, 100);
    Ledger sum = run(&world, 1e-3, 1000);
    CHECK_NEAR(sum.work, 1.0 * ABUT_GRAVITY * 0.2, 1e-4);
    CHECK_NEAR(sum.end - sum.start, sum.work, 1e-4);
    world_free(&world);
}

/* Belts bring boxes from rest to their speed; half of their work is lost by slip. */
static void belts_do_work(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = world_from("conveyor:3", 1, &def);
    Ledger sum = run(&world, 1e-3, 1000);
    CHECK(sum.work > 0.0);
    CHECK(sum.gain < 1e-3 * sum.work);
    world_free(&world);
}

/* A joint that starts beyond its limit is taken back, which costs work. */
static void limits_do_work_on_joints_beyond_them(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutJointDef joint = joint_def(ABUT_JOINT_SLIDE, 0, abut_axis(2));
    double q = 0.0;
    joint.body = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 2.0, abut_zero(), 0.1);
    joint.limited = 1;
    joint.range[0] = 0.3, joint.range[1] = 1.0;
    put_joint(model, &joint);
    World world = world_of_model(model, &def);
    set_joints(&world, &q, NULL);
    Ledger sum = run(&world, 1e-3, 1000);
    CHECK(joint_at(&world, 0) > 0.299);
    CHECK(sum.work > 2.0 * ABUT_GRAVITY * 0.29 && sum.gain < 0.01 * sum.work);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motors_do_work),
        cmocka_unit_test(springs_are_potential_energy),
        cmocka_unit_test(carried_weight_is_no_potential_energy),
        cmocka_unit_test(forces_from_outside_do_work),
        cmocka_unit_test(kinematic_bodies_do_work),
        cmocka_unit_test(belts_do_work),
        cmocka_unit_test(limits_do_work_on_joints_beyond_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
