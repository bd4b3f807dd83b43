/* SPDX-License-Identifier: Apache-2.0 */
/* Robots that stand, grasp, push and fall: the built-in ones, and small trees made for one question. */
#include "dynamics/robot_world.h"

static AbutVec3 contact_force_on(const World *world, AbutBodyId body) {
    AbutVec3 sum = abut_zero();
    AbutContact c;
    for (int i = 0; abut_simulation_get_contact(world->sim, i, &c); ++i) {
        if (c.body_b.index1 == body.index1) sum = abut_add(sum, c.force);
        if (c.body_a.index1 == body.index1) sum = abut_sub(sum, c.force);
    }
    return sum;
}

/* ---- standing ---------------------------------------------------------------------------------------------------- */

static void test_biped_stands(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = robot_from("biped", &def);
    AbutBodyId left = abut_scene_find_body(world.scene, "left_foot"),
               right = abut_scene_find_body(world.scene, "right_foot");
    AbutVec3 foot = body_of(&world, left).center;
    double start[64], before[64], after[64], force[2] = {0, 0}, square[2] = {0, 0}, mass = 0.0;
    abut_scene_get_joints(world.scene, 0, start, NULL);
    world_run(&world, 1e-3, 8000); /* it sways for a while */
    abut_scene_get_joints(world.scene, 0, before, NULL);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(before[k], start[k], 5e-3); /* the servos give */
    int steps = check_cases(3000);
    for (int i = 0; i < steps; ++i) {
        world_step(&world, 1e-3);
        double f[2] = {contact_force_on(&world, left).z, contact_force_on(&world, right).z};
        for (int k = 0; k < 2; ++k) force[k] += f[k] / steps, square[k] += f[k] * f[k] / steps;
    }
    abut_scene_get_joints(world.scene, 0, after, NULL);
    for (int i = 0; i < abut_scene_body_count(world.scene); ++i)
        mass += body_of(&world, abut_scene_body_at(world.scene, i)).mass;
    CHECK_NEAR((force[0] + force[1]) / (mass * ABUT_GRAVITY), 1.0, 1e-6);
    for (int k = 0; k < 2; ++k) CHECK(square[k] / (force[k] * force[k]) - 1.0 < 1e-6);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(after[k], before[k], 1e-6);
    CHECK_VEC_NEAR(body_of(&world, left).center, foot, 1e-5);
    world_free(&world);
}

/* A minute, the first ten seconds of which it may sway: the trunk is then where it was. */
static void test_humanoid_stands_for_a_minute(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = robot_from("humanoid", &def);
    double before[64], after[64];
    world_run(&world, 1e-3, 10000);
    abut_scene_get_joints(world.scene, 0, before, NULL);
    world_run(&world, 1e-3, check_cases(50000));
    abut_scene_get_joints(world.scene, 0, after, NULL);
    for (int k = 0; k < 7; ++k) CHECK_NEAR(after[k], before[k], 1e-5);
    world_free(&world);
}

/* The same with long steps. */
static void test_biped_stands_at_long_steps(void **state) {
    (void)state;
    static const double steps[] = {2e-3, 5e-3, 1e-2};
    for (int s = 0; s < 3; ++s) {
        AbutSimulationDef def = abut_simulation_default();
        World world = robot_from("biped", &def);
        double before[64], after[64];
        world_run(&world, steps[s], (int)(8.0 / steps[s]));
        abut_scene_get_joints(world.scene, 0, before, NULL);
        world_run(&world, steps[s], (int)(1.0 / steps[s]));
        abut_scene_get_joints(world.scene, 0, after, NULL);
        for (int k = 0; k < 3; ++k) CHECK_NEAR(after[k], before[k], 1e-5);
        CHECK(after[2] > 0.85);
        world_free(&world);
    }
}

/* ---- grasping ---------------------------------------------------------------------------------------------------- */

static void test_gripper_holds_a_box(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = robot_from("gripper", &def);
    AbutBodyId box = abut_scene_find_body(world.scene, "box");
    double u[2] = {-0.13, 0.02};
    set_control(&world, u);
    world_run(&world, 1e-3, 1000); /* down */
    u[1] = -0.04;
    set_control(&world, u);
    world_run(&world, 1e-3, 500); /* close */
    u[0] = 0.1;
    set_control(&world, u);
    world_run(&world, 1e-3, 1500); /* up */
    AbutBodyState before = body_of(&world, box);
    world_run(&world, 1e-3, 1000);
    AbutBodyState after = body_of(&world, box);
    CHECK(after.center.z > 0.2);
    CHECK_VEC_NEAR(after.center, before.center, 1e-5);
    CHECK_NEAR(contact_force_on(&world, box).z, 0.2 * ABUT_GRAVITY, 1e-5);
    double q[16];
    abut_scene_get_joints(world.scene, 0, q, NULL);
    CHECK_NEAR(q[9], -q[8], 1e-6); /* the fingers are coupled */
    world_free(&world);
}

/* ---- falling ----------------------------------------------------------------------------------------------------- */

/* The built-in biped without its servos. */
static World limp_biped(void) {
    AbutSimulationDef def = abut_simulation_default();
    AbutModel *model, *limp = new_model();
    AbutError error;
    good(abut_model_build("biped", 1, &model, &error), &error);
    for (int32_t i = 0; i < model->body_count; ++i)
        good(abut_model_add_body(limp, &model->bodies[i], NULL, &error), &error);
    for (int32_t i = 0; i < model->shape_count; ++i)
        good(abut_model_add_shape(limp, &model->shapes[i], NULL, &error), &error);
    for (int32_t i = 0; i < model->joint_count; ++i)
        good(abut_model_add_joint(limp, &model->joints[i], NULL, &error), &error);
    abut_model_free(model);
    return world_of_model(limp, &def);
}

static void throw_biped(World *world, AbutRng *rng) {
    const AbutModel *model = abut_scene_robot_model(world->scene, 0);
    double q[64] = {0, 0, 1.5};
    AbutQuat turned = abut_quat_exp(
        abut_vec3(abut_rng_between(rng, -2, 2), abut_rng_between(rng, -2, 2), abut_rng_between(rng, -2, 2)));
    q[3] = turned.w, q[4] = turned.x, q[5] = turned.y, q[6] = turned.z;
    for (int32_t i = 0; i < model->joint_count; ++i)
        q[7 + i] = abut_rng_between(rng, 0.5 * model->joints[i].range[0], 0.5 * model->joints[i].range[1]);
    set_joints(world, q, NULL);
}

/* How far joints are beyond their limits. */
static double beyond_limits(const World *world) {
    const AbutModel *model = abut_scene_robot_model(world->scene, 0);
    double q[64], most = 0.0;
    abut_scene_get_joints(world->scene, 0, q, NULL);
    for (int32_t j = 0; j < model->joint_count; ++j)
        most = fmax(most, fmax(model->joints[j].range[0] - q[7 + j], q[7 + j] - model->joints[j].range[1]));
    return most;
}

static void test_limp_biped_falls(void **state) {
    (void)state;
    AbutRng rng = abut_rng(100, 0);
    for (int run = 0, runs = check_cases(20); run < runs; ++run) {
        World world = limp_biped();
        AbutStepReport report;
        do {
            throw_biped(&world, &rng);
            report = world_step(&world, 1e-3);
        } while (report.max_depth > 1e-4); /* it begins in itself */
        double start = report.kinetic + report.potential, rise = 0.0, depth = 0.0, beyond = 0.0;
        for (int i = 0; i < 3000; ++i) {
            report = world_step(&world, 1e-3);
            rise = fmax(rise, report.kinetic + report.potential - start);
            depth = fmax(depth, report.max_depth);
            beyond = fmax(beyond, beyond_limits(&world));
        }
        CHECK(rise < 1e-6 * start);
        CHECK(beyond < 2e-2);
        CHECK(report.kinetic > 1e-6 || report.max_depth < 1e-5);
        world_free(&world);
    }
}

/* ---- hard cases -------------------------------------------------------------------------------------------------- */

/* A bar on a hinge strikes a plate: only one direction gives way, and a fast one does not pass through. */
static void test_hinged_bar_on_a_plate(void **state) {
    (void)state;
    for (int fast = 0; fast < 2; ++fast) {
        AbutModel *model = new_model();
        AbutSimulationDef def = abut_simulation_default();
        int32_t bar = add_mass(model, ABUT_BODY_LINK, -1, abut_zero(), 1.0, abut_vec3(0.5, 0, 0), 0.2);
        put_hinge(model, bar, abut_axis(1));
        put_box(model, bar, abut_vec3(0.5, 0, 0), abut_vec3(0.5, 0.02, 0.02), 0.5);
        int32_t plate = add_mass(model, ABUT_BODY_STATIC, -1, abut_vec3(0.0, 0.0, -0.5), 0.0, abut_zero(), 0.1);
        put_box(model, plate, abut_zero(), abut_vec3(0.0025, 0.3, 0.3), 0.5);
        World world = world_of_model(model, &def);
        double q = 0.3, v = fast ? 88.0 : 1.0, most = 0.0;
        set_joints(&world, &q, &v);
        for (int i = 0; i < 1000; ++i) {
            world_step(&world, 1e-3);
            most = fmax(most, joint_at(&world, 0));
        }
        /* its lower face, 0.02 off its axis, on the edge of the plate */
        double touch = acos(0.02 / hypot(0.2, 0.0025)) - atan2(0.0025, 0.2);
        CHECK(most < touch + (fast ? 1e-3 : 6e-3)); /* a slow one may sink in by what it moves in a step */
        CHECK_NEAR(joint_at(&world, 0), touch, 1e-3);
        world_free(&world);
    }
}

/* A link on a slide that a motor presses down, onto the floor or onto a box on it: it sags by one margin at most,
 * however hard it is pressed, and the floor carries all of it. */
static void test_a_press_sinks_no_deeper(void **state) {
    (void)state;
    for (int k = 0; k < 10; ++k) {
        AbutModel *model = new_model();
        AbutSimulationDef def = abut_simulation_default();
        AbutJointDef slide = joint_def(ABUT_JOINT_SLIDE, 0, abut_axis(2));
        double force = pow(10.0, 1 + k / 2), size = 0.1;
        int box = k % 2, steps = 300;
        put_floor(model, 0.5);
        slide.body = add_mass(model, ABUT_BODY_LINK, -1, abut_vec3(0, 0, box ? 0.15 : 0.05), 1.0, abut_zero(), 0.05);
        put_box(model, slide.body, abut_zero(), abut_vec3(0.05, 0.05, 0.05), 0.5);
        put_joint(model, &slide);
        if (box) {
            int32_t between = add_mass(model, ABUT_BODY_DYNAMIC, -1, abut_vec3(0, 0, 0.05), 1.0, abut_zero(), 0.05);
            put_box(model, between, abut_zero(), abut_vec3(0.05, 0.05, 0.05), 0.5);
        }
        World world = world_of_model(model, &def);
        double torque[7] = {-force}, margin = fmax(3e-5 * size, 0.005 * 1e-3), depth = 0.0;
        AbutError error;
        good(abut_simulation_set_torque(world.sim, 0, box ? 7 : 1, torque, &error), &error);
        for (int i = 0; i < steps; ++i) depth = fmax(depth, world_step(&world, 1e-3).max_depth);
        CHECK(depth < 1.1 * margin);
        CHECK_NEAR(-contact_force_on(&world, abut_scene_find_body(world.scene, "ground")).z,
            force + (1 + box) * ABUT_GRAVITY, 1e-3 * force);
        world_free(&world);
    }
}

/* A finger rests on a tall stack, which stays. */
static void test_finger_on_a_stack(void **state) {
    (void)state;
    AbutModel *model;
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    int boxes = check_cases(50) < 50 ? 10 : 50;
    char spec[20];
    snprintf(spec, sizeof spec, "stack:%d", boxes);
    good(abut_model_build(spec, 1, &model, &error), &error);
    AbutPose top = model->bodies[model->body_count - 1].pose;
    AbutVec3 half = model->shapes[model->shape_count - 1].form.size;
    int32_t finger = add_mass(
        model, ABUT_BODY_LINK, -1, abut_vec3(-0.3, 0, top.p.z + half.z + 0.021), 0.2, abut_vec3(0.15, 0, 0), 0.03);
    put_box(model, finger, abut_vec3(0.17, 0, 0), abut_vec3(0.15, 0.02, 0.02), 0.5);
    put_hinge(model, finger, abut_axis(1));
    World world = world_of_model(model, &def);
    double worst = 0.0;
    for (int i = 0; i < 2000; ++i) {
        world_step(&world, 1e-3);
        if (i < 1000) continue;
        for (int b = 0; b < abut_scene_body_count(world.scene); ++b) {
            AbutBodyState body = body_of(&world, abut_scene_body_at(world.scene, b));
            if (body.kind == ABUT_BODY_DYNAMIC) worst = fmax(worst, abut_length(body.velocity));
        }
    }
    CHECK(worst < 1e-3);
    CHECK(abut_length(contact_force_on(&world, abut_scene_robot_body(world.scene, 0, finger))) > 0.3);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_biped_stands),
        cmocka_unit_test(test_humanoid_stands_for_a_minute),
        cmocka_unit_test(test_biped_stands_at_long_steps),
        cmocka_unit_test(test_gripper_holds_a_box),
        cmocka_unit_test(test_limp_biped_falls),
        cmocka_unit_test(test_hinged_bar_on_a_plate),
        cmocka_unit_test(test_a_press_sinks_no_deeper),
        cmocka_unit_test(test_finger_on_a_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
