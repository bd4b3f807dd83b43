/* SPDX-License-Identifier: Apache-2.0 */
/* Real robots, where their files lie beside the checkout: a humanoid stands, an arm pushes a box, a hand closes, and
 * carries a ball and a box. */
#include "dynamics/robot_world.h"

#include <string.h>

#include "abut/import.h"
#include "support/optional_data.h"
#include "support/tree_of.h"

/* The robot of a file; skips where there is none. */
static World robot_file(const char *file, AbutSimulationDef *def) {
    const char *found = optional_data("robots");
    char path[5000];
    AbutModel *model;
    AbutError error;
    if (!found) skip();
    snprintf(path, sizeof path, "%s/%s", found, file);
    good(abut_model_read(path, NULL, &model, &error), &error);
    def->gravity = model->gravity;
    World world = world_of_model(model, def);
    if (abut_scene_robot_model(world.scene, 0)->keyframe_count) {
        const AbutKeyframeDef *key = &abut_scene_robot_model(world.scene, 0)->keyframes[0];
        good(abut_scene_set_keyframe(world.scene, 0, 0, &error), &error);
        if (key->control_count)
            good(abut_simulation_set_control(world.sim, 0, key->control_count, key->controls, &error), &error);
    }
    return world;
}

/* Force of the ground on everything, up. */
static double ground_force(const World *world) {
    double sum = 0.0;
    AbutContact c;
    for (int i = 0; abut_simulation_get_contact(world->sim, i, &c); ++i)
        if (body_of(world, c.body_a).kind == ABUT_BODY_STATIC) sum += c.force.z;
    return sum;
}

static void a_humanoid_stands(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = robot_file("pal_talos/scene_position.xml", &def);
    double weight = 0.0, before[64], after[64];
    for (int i = 0; i < abut_scene_body_count(world.scene); ++i)
        weight += body_of(&world, abut_scene_body_at(world.scene, i)).mass * abut_length(def.gravity);
    world_run(&world, 1e-3, 3000);
    abut_scene_get_joints(world.scene, 0, before, NULL);
    for (int i = 0; i < 1000; ++i) {
        world_step(&world, 1e-3);
        CHECK_NEAR(ground_force(&world) / weight, 1.0, 2e-5);
    }
    abut_scene_get_joints(world.scene, 0, after, NULL);
    CHECK_NEAR(after[2], 1.0176, 1e-3);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(after[k], before[k], 1e-6);
    world_free(&world);
}

/* The servos of an arm that stands over a box bring it down on the box's side and push. */
static void an_arm_pushes_a_box(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = robot_file("trossen_wx250s/scene.xml", &def);
    const AbutModel *model = abut_scene_robot_model(world.scene, 0);
    AbutConfiguration *c;
    AbutError error;
    good(configuration_of(model, &c, &error), &error);
    good(abut_configuration_set_keyframe(c, 0, &error), &error);
    int32_t hand = model->body_count - 1;
    while (hand > 0 && !strstr(model->bodies[hand].name, "gripper")) --hand;
    AbutVec3 start = abut_configuration_body_pose(c, hand).p;
    /* a box of 0.3 kg on the floor ahead of where the hand comes down */
    AbutShapeDef shape = box_def(0.03, 0.06, 0.06, 0.3 / (8 * 0.03 * 0.06 * 0.06), 0.5);
    AbutBodyId box = throw_box(world.scene, at(0.45, 0.0, 0.06), abut_zero(), abut_zero(), &shape);
    AbutIkTask task = abut_ik_task_default();
    AbutIkSettings settings = abut_ik_default();
    AbutIkResult result;
    double control[16] = {0};
    for (int i = 0; i < 3000; ++i) {
        double down = fmin(1.0, i / 1000.0), ahead = fmax(0.0, fmin(1.0, (i - 1000) / 1500.0));
        AbutVec3 low = abut_vec3(0.25, 0.0, 0.12);
        task.kind = ABUT_IK_POSITION;
        task.body = hand;
        task.target.p = abut_add(abut_lerp(start, low, down), abut_vec3(0.12 * ahead, 0.0, 0.0));
        good(abut_configuration_ik(c, 1, &task, &settings, &result, &error), &error);
        for (int32_t a = 0; a < model->actuator_count; ++a)
            control[a] = abut_configuration_positions(
                c)[abut_configuration_joint_place(c, model->actuators[a].number, ABUT_NUMBERS_POSITIONS)];
        good(abut_simulation_set_control(world.sim, 0, model->actuator_count, control, &error), &error);
        world_step(&world, 1e-3);
    }
    AbutBodyState pushed = body_of(&world, box);
    CHECK(pushed.center.x > 0.5);
    CHECK_NEAR(pushed.center.z, 0.06, 5e-3); /* it has not tipped */
    abut_configuration_free(c);
    world_free(&world);
}

/* All fingers close; nothing leaves its limits by much, and it comes to rest. */
static void a_hand_closes(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    World world = robot_file("wonik_allegro/right_hand.xml", &def);
    const AbutModel *model = abut_scene_robot_model(world.scene, 0);
    double control[16], v[16];
    for (int32_t a = 0; a < model->actuator_count; ++a) control[a] = a % 4 == 0 ? 0.0 : 0.8;
    control[12] = 0.9;
    set_control(&world, control);
    world_run(&world, 1e-3, 2000);
    abut_scene_get_joints(world.scene, 0, NULL, v);
    for (int i = 0; i < 16; ++i) CHECK_NEAR(v[i], 0.0, 1e-3);
    world_free(&world);
}

/* ---- a hand carries ---------------------------------------------------------------------------------------------- */

/* Fingers bent by f, the thumb across them by t. */
static void bend(double f, double t, double q[16]) {
    const double finger[4] = {0.0, f, 0.9 * f, 0.6 * f}, thumb[4] = {1.396, 0.3, t, t};
    for (int k = 0; k < 16; ++k) q[k] = k < 12 ? finger[k % 4] : thumb[k - 12];
}

static AbutBodyId add_object(World *world, int box) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutBodyId id;
    AbutError error;
    body.kind = ABUT_BODY_DYNAMIC;
    body.pose.p = abut_vec3(0.0, box ? -0.015 : -0.024, 0.1);
    shape.form.kind = box ? ABUT_SHAPE_BOX : ABUT_SHAPE_SPHERE;
    shape.form.size = box ? abut_vec3(0.025, 0.05, 0.025) : abut_vec3(0.03, 0.03, 0.03);
    shape.density = 0.05 / (box ? 8.0 * 0.025 * 0.05 * 0.025 : 4.0 / 3.0 * ABUT_PI * 2.7e-5);
    good(abut_scene_add_body(world->scene, &body, &id, &error), &error);
    good(abut_scene_add_shape(world->scene, id, &shape, NULL, &error), &error);
    return id;
}

/* Sum of the lengths of all contact forces on a body. */
static double grip_on(const World *world, AbutBodyId body) {
    double sum = 0.0;
    AbutContact c;
    for (int i = 0; abut_simulation_get_contact(world->sim, i, &c); ++i)
        if (c.body_a.index1 == body.index1 || c.body_b.index1 == body.index1) sum += abut_length(c.force);
    return sum;
}

/* The fingers close on an object without gravity, and carry it then: after 4 s it stands still in the hand. */
static void check_carry(int box, double most_drift, double most_change) {
    AbutSimulationDef def = abut_simulation_default();
    World world = robot_file("wonik_allegro/right_hand.xml", &def);
    AbutBodyId object = add_object(&world, box);
    double q[16], control[16], sum = 0.0, square = 0.0;
    AbutError error;
    bend(0.6, 0.1, q);
    bend(1.4, 0.9, control);
    good(abut_scene_set_joints(world.scene, 0, 16, q, 0, NULL, &error), &error);
    set_control(&world, control);
    good(abut_simulation_set_gravity(world.sim, abut_vec3(0, 0, -1e-9), &error), &error);
    world_run(&world, 1e-3, 600);
    good(abut_simulation_set_gravity(world.sim, abut_vec3(0, 0, -9.81), &error), &error);
    world_run(&world, 1e-3, 3400);
    AbutVec3 before = body_of(&world, object).center;
    for (int i = 0; i < 1000; ++i) {
        world_step(&world, 1e-3);
        double grip = grip_on(&world, object);
        sum += grip / 1000.0, square += grip * grip / 1000.0;
    }
    AbutVec3 after = body_of(&world, object).center;
    double cv = sqrt(fmax(0.0, square - sum * sum)) / sum;
    CHECK(after.z > 0.0 && sum > 0.05 * 9.81);
    CHECK(abut_point_distance(before, after) <= most_drift && cv <= most_change);
    world_free(&world);
}

static void a_hand_carries_a_ball_and_a_box(void **state) {
    (void)state;
    check_carry(0, 1e-5, 1e-3);
    check_carry(1, 1e-4, 1e-2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_humanoid_stands),
        cmocka_unit_test(an_arm_pushes_a_box),
        cmocka_unit_test(a_hand_closes),
        cmocka_unit_test(a_hand_carries_a_ball_and_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
