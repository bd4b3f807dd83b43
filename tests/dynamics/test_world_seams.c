/* SPDX-License-Identifier: Apache-2.0 */
/* Floors of tiles: flat bodies that slide without friction over the joints between static boxes keep their speed and
 * their height, wherever they start; a tile that stands higher stops them. */
#include "dynamics/world_support.h"

#define TILES 7
#define PITCH 0.4

static void add_tiles(AbutScene *scene, double rise) {
    for (int i = 0; i < TILES; ++i) {
        AbutError error;
        AbutBodyId id;
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = box_def(0.5 * PITCH, 0.6, 0.1, 1000.0, 0.0);
        body.kind = ABUT_BODY_STATIC;
        body.pose.p = abut_vec3(PITCH * (i - 2), 0.0, -0.1 + (i == TILES - 1 ? rise : 0.0));
        good(abut_scene_add_body(scene, &body, &id, &error), &error);
        good(abut_scene_add_shape(scene, id, &shape, NULL, &error), &error);
    }
}

/* A box or a cylinder at x, turned about z, with a speed along x; its state after so many steps of a millisecond. */
static AbutBodyState slide(AbutShapeKind kind, double x, double turn, double speed, double rise, int steps) {
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef shape = box_def(0.1, 0.1, 0.1, 1000.0, 0.0);
    shape.form.kind = kind;
    add_tiles(scene, rise);
    AbutPose pose = {abut_vec3(x, 0.013, 0.1), abut_quat_axis_angle(abut_axis(2), turn)};
    AbutBodyId id = throw_box(scene, pose, abut_vec3(speed, 0.0, 0.0), abut_zero(), &shape);
    World world = world_of(scene, &def);
    world_run(&world, 1e-3, steps);
    AbutBodyState out = body_of(&world, id);
    world_free(&world);
    return out;
}

static void joints_do_not_brake(void **state) {
    (void)state;
    AbutRng random = abut_rng(41, 0);
    for (int i = 0; i < check_cases(60); ++i) {
        AbutShapeKind kind = i % 2 ? ABUT_SHAPE_BOX : ABUT_SHAPE_CYLINDER;
        double x = -0.7 + 0.3 * abut_rng_unit(&random), turn = i % 4 < 2 ? 0.0 : abut_rng_between(&random, -0.7, 0.7);
        double speed = i % 3 ? 1.0 : 0.5;
        AbutBodyState end = slide(kind, i % 5 ? x : 1e-3 * floor(1e3 * x), turn, speed, 0.0, 900);
        CHECK_NEAR(end.velocity.x, speed, 5e-3 * speed);
        CHECK_NEAR(end.pose.p.z, 0.1, 1e-4);
    }
}

/* The front of the body is on a joint to the last bit when it starts. */
static void a_start_on_a_joint_does_not_throw(void **state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        AbutBodyState end = slide(i ? ABUT_SHAPE_BOX : ABUT_SHAPE_CYLINDER, 0.1, 0.0, 1.0, 0.0, 100);
        CHECK_NEAR(end.velocity.x, 1.0, 1e-3);
        CHECK_NEAR(end.velocity.z, 0.0, 1e-4);
    }
}

static void a_higher_tile_stops(void **state) {
    (void)state;
    for (int i = 0; i < 2; ++i) { /* the edge of the last tile is at x = 1.4 */
        AbutBodyState end = slide(i ? ABUT_SHAPE_BOX : ABUT_SHAPE_CYLINDER, 1.2, 0.0, 0.2, 2e-3, 1000);
        CHECK(end.pose.p.x < 1.3 + 1e-3 && end.velocity.x < 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_do_not_brake),
        cmocka_unit_test(a_start_on_a_joint_does_not_throw),
        cmocka_unit_test(a_higher_tile_stops),
    };
    return cmocka_run_group_tests_name("dynamics/world_seams", tests, NULL, NULL);
}
