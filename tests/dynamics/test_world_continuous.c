/* SPDX-License-Identifier: Apache-2.0 */
/* Fast bodies do not pass through thin ones: a box of 0.1 m at 300 m/s and a plate of 1 mm, from many sides; a rod that
 * turns, and a post. */
#include "dynamics/robot_world.h"

static const double SPEED = 300.0;
enum { PLATE_STATIC, PLATE_HEAVY };

typedef struct Shot {
    World world;
    AbutBodyId box, plate;
} Shot;

/* A box flies along +x (turned by `tilt` radians off the normal of the plate) towards a square plate of 2 x 2 m. */
static Shot shoot(AbutRng *rng, int plate_kind, double tilt, double spin, int continuous) {
    Shot shot;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef plate = box_def(0.0005, 1.0, 1.0, 7800.0 * 100.0, 0.5), box = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    AbutVec3 side =
        abut_quat_rotate(abut_quat_axis_angle(abut_axis(0), abut_rng_between(rng, 0.0, 2.0 * ABUT_PI)), abut_axis(1));
    AbutVec3 direction = abut_normalize(abut_add_scaled(abut_axis(0), side, tan(tilt)));
    double away = abut_rng_between(rng, 0.2, 0.9);
    def.gravity = abut_zero();
    def.continuous = continuous;
    shot.plate = add_body(scene, plate_kind == PLATE_STATIC ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC, at(0.0, 0.0, 0.0));
    add_shape(scene, shot.plate, &plate);
    AbutPose from = abut_pose(abut_scale(direction, -away / direction.x), abut_random_quat(rng));
    shot.box = throw_box(scene, from, abut_scale(direction, SPEED), abut_scale(abut_random_direction(rng), spin), &box);
    shot.world = world_of(scene, &def);
    return shot;
}

/* Flies for `time`; gives how far the center of the box has come past the plate (in the frame of the plate). */
static double fly(Shot *shot, double dt, double time, int *hits) {
    double most = -INFINITY;
    for (int i = 0; i < (int)(time / dt); ++i) {
        *hits += world_step(&shot->world, dt).continuous_hits;
        AbutPose plate = body_of(&shot->world, shot->plate).pose;
        AbutVec3 p = abut_pose_apply(abut_pose_inv(plate), body_of(&shot->world, shot->box).center);
        if (fabs(p.y) < 0.9 && fabs(p.z) < 0.9) most = abut_larger(most, p.x);
    }
    return most;
}

static void shots_stop(int plate_kind, double dt) {
    AbutRng rng = abut_rng(17, (uint64_t)plate_kind * 2 + (dt > 5e-3));
    int cases = check_cases(200), hits = 0;
    for (int i = 0; i < cases; ++i) {
        double tilt = abut_rng_between(&rng, 0.0, 0.9),
               spin = abut_rng_below(&rng, 3) ? abut_rng_between(&rng, 0.0, 300.0) : 0.0;
        Shot shot = shoot(&rng, plate_kind, tilt, spin, 1);
        double past = fly(&shot, dt, 0.02, &hits);
        if (!(past < 0.0))
            fail_msg("shot %d (plate %d, dt %g, tilt %.3g, spin %.3g) is past the plate by %.3g m", i, plate_kind, dt,
                tilt, spin, past);
        world_free(&shot.world);
    }
    CHECK(hits >= cases / 2); /* it was this stage that stopped them */
}

static void a_fast_box_stops_at_a_fixed_plate(void **state) {
    (void)state;
    shots_stop(PLATE_STATIC, 1e-3);
    shots_stop(PLATE_STATIC, 1e-2);
}

static void a_fast_box_stops_at_a_heavy_plate(void **state) {
    (void)state;
    shots_stop(PLATE_HEAVY, 1e-3);
    shots_stop(PLATE_HEAVY, 1e-2);
}

static void without_it_the_box_passes(void **state) {
    (void)state;
    AbutRng rng = abut_rng(18, 0);
    int passed = 0, hits = 0;
    for (int i = 0; i < 50; ++i) {
        Shot shot = shoot(&rng, PLATE_STATIC, 0.0, 0.0, 0);
        passed += fly(&shot, 1e-3, 0.01, &hits) > 0.0;
        world_free(&shot.world);
    }
    CHECK(passed > 10 && hits == 0);
}

/* Two fast boxes that meet head-on, and one that falls fast onto the half-space. */
static void fast_bodies_meet_each_other_and_the_ground(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef box = box_def(0.01, 0.01, 0.01, 1000.0, 0.5);
    for (int k = 0; k < 2; ++k) {
        AbutScene *scene = new_scene();
        add_ground(scene, abut_quat_identity(), 0.5);
        AbutBodyId a = throw_box(scene, at(-0.5, 0.0, 1.0), abut_vec3(SPEED, 0.0, 0.0), abut_zero(), &box);
        AbutBodyId b = throw_box(scene, at(0.43, 0.0, 1.0), abut_vec3(-SPEED, 0.0, 0.0), abut_zero(), &box);
        AbutBodyId c =
            throw_box(scene, at(5.0, 0.0, 3.0), abut_vec3(0.0, 0.0, -SPEED), abut_vec3(100.0, 30.0, 0.0), &box);
        World world = world_of(scene, &def);
        for (int i = 0; i < 60; ++i) {
            world_step(&world, k ? 1e-2 : 1e-3);
            CHECK(body_of(&world, a).center.x < body_of(&world, b).center.x);
            CHECK(body_of(&world, c).center.z > 0.0);
        }
        world_free(&world);
    }
}

/* A slow body is not held back: a ball that rolls past a wall, and a body that falls freely, move by the full step. */
static void what_does_not_touch_is_not_held_back(void **state) {
    (void)state;
    AbutSimulationDef def = abut_simulation_default();
    AbutScene *scene = new_scene();
    def.gravity = abut_zero();
    AbutShapeDef plate = box_def(1.0, 0.0005, 1.0, 1000.0, 0.5), box = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(0.0, 0.06, 0.0)), &plate);
    AbutBodyId id =
        throw_box(scene, at(-1.0, 0.0, 0.0), abut_vec3(SPEED, 0.0, 0.0), abut_zero(), &box); /* 1 cm along the plate */
    World world = world_of(scene, &def);
    int hits = 0;
    for (int i = 0; i < 10; ++i) hits += world_step(&world, 1e-3).continuous_hits;
    CHECK_NEAR(body_of(&world, id).center.x, -1.0 + SPEED * 0.01, 1e-9);
    assert_int_equal(hits, 0);
    world_free(&world);
}

/* ---- turning ----------------------------------------------------------------------------------------------------- */

/* A rod of half length 1 m along x, and a thin post along z; `thin` in centimeters. */
static AbutShapeDef rod_def(int kind, double thin) {
    static const AbutShapeKind kinds[] = {
        ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_BOX};
    AbutShapeDef def = abut_shape_default();
    double r = 0.01 * thin;
    def.form.kind = kinds[kind];
    def.form.size = kind < 3 ? abut_vec3(r, r, 1.0) : abut_vec3(1.0, r, r);
    def.pose.q = kind < 3 ? abut_quat_axis_angle(abut_axis(1), 0.5 * ABUT_PI) : abut_quat_identity();
    return def;
}

static AbutShapeDef post_def(int kind, double thin) {
    static const AbutShapeKind kinds[] = {ABUT_SHAPE_BOX, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_SPHERE};
    AbutShapeDef def = abut_shape_default();
    double r = (kind < 3 ? 0.005 : 0.01) * thin;
    def.form.kind = kinds[kind];
    def.form.size = abut_vec3(r, r, kind < 3 ? 2.0 : r);
    return def;
}

/* A rod on a hinge, or free, that turns about z at the origin against a post; gives its spin after it should have hit.
 */
static double spin_behind_post(int rod, int post, double thin, int hinged, AbutVec3 place, double speed) {
    AbutModel *model = new_model();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef shape[2] = {rod_def(rod, thin), post_def(post, thin)};
    AbutBodyDef body = abut_body_default();
    AbutError error;
    double v[6] = {0, 0, 0, 0, 0, speed}, first = atan2(place.y, place.x) / speed;
    def.gravity = abut_zero();
    body.kind = hinged ? ABUT_BODY_LINK : ABUT_BODY_DYNAMIC;
    good(abut_model_add_body(model, &body, &shape[0].body, &error), &error);
    if (hinged) put_hinge(model, shape[0].body, abut_axis(2));
    body.kind = ABUT_BODY_STATIC;
    body.pose.p = place;
    good(abut_model_add_body(model, &body, &shape[1].body, &error), &error);
    for (int i = 0; i < 2; ++i) good(abut_model_add_shape(model, &shape[i], NULL, &error), &error);
    World world = world_of_model(model, &def);
    AbutBodyId id = abut_scene_body_at(world.scene, 0);
    if (hinged)
        set_joints(&world, (double[1]){0.0}, v + 5);
    else
        good(abut_scene_set_velocity(world.scene, id, abut_zero(), abut_vec3(0, 0, speed), &error), &error);
    world_run(&world, 1e-3, (int)(first / 1e-3) + 5);
    double spin = body_of(&world, id).spin.z;
    world_free(&world);
    return spin;
}

/* The tip of a slender rod is fast though its middle rests, and goes through a post and beyond in one step; a thin one
 * does at a small part of its size. */
static void turning_rods_stop_at_thin_posts(void **state) {
    (void)state;
    static const double speeds[] = {10, 20, 35, 50, 70, 100, 150, 200, 400};
    AbutRng rng = abut_rng(19, 0);
    for (int k = 0; k < 64; ++k)
        for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; ++i) {
            double thin = k & 1 ? 0.1 : 1.0, speed = thin * speeds[i] * abut_rng_between(&rng, 0.9, 1.1),
                   radius = abut_rng_between(&rng, 0.4, 0.95), angle = abut_rng_between(&rng, 0.2, 0.5);
            AbutVec3 place = abut_vec3(radius * cos(angle), radius * sin(angle), 0.0);
            int rod = (k >> 1) & 3, post = (k >> 3) & 3, hinged = k >> 5;
            double spin = spin_behind_post(rod, post, thin, hinged, place, speed);
            if (!(spin < 0.9 * speed))
                fail_msg("rod %d, post %d, %g cm thin, at %g m, %s: spin %g rad/s of %g", rod, post, thin, radius,
                    hinged ? "hinged" : "free", spin, speed);
        }
}

/* A rod that whirls on a sliding sheet is stopped by a post; the sheet, which it touches, slides on. */
static void slow_bodies_below_a_fast_one_go_on(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef sheet = box_def(1.0, 1.0, 0.01, 1000.0, 0.0), rod = box_def(0.1, 0.01, 0.01, 1000.0, 0.0),
                 post = box_def(0.01, 0.01, 0.2, 1000.0, 0.0);
    add_ground(scene, abut_quat_identity(), 0.0);
    AbutBodyId below = throw_box(scene, at(0.0, 0.0, 0.01), abut_vec3(0.1, 0.0, 0.0), abut_zero(), &sheet);
    throw_box(scene, at(0.0, 0.0, 0.03), abut_zero(), abut_vec3(0.0, 0.0, 400.0), &rod);
    AbutBodyId fixed = add_body(scene, ABUT_BODY_STATIC, at(0.0, 0.08, 0.23));
    add_shape(scene, fixed, &post);
    World world = world_of(scene, &def);
    int hits = 0;
    for (int i = 0; i < 20; ++i) hits += world_step(&world, 5e-3).continuous_hits;
    CHECK(hits > 0);
    CHECK_NEAR(body_of(&world, below).center.x, 0.1 * 20 * 5e-3, 1e-7);
    world_free(&world);
}

/* Boxes that touch and fly together are stopped together: none ends in or beyond the next. */
static void bodies_in_a_row_stop_with_the_first(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef wall = box_def(0.01, 1.0, 1.0, 1000.0, 0.5), box = box_def(0.05, 0.05, 0.05, 1000.0, 0.5);
    AbutBodyId row[4], fixed = add_body(scene, ABUT_BODY_STATIC, at(0.0, 0.0, 0.0));
    add_shape(scene, fixed, &wall);
    for (int k = 0; k < 4; ++k)
        row[k] = throw_box(scene, at(-0.5 - 0.1 * k, 0.0, 0.0), abut_vec3(100.0, 0.0, 0.0), abut_zero(), &box);
    def.gravity = abut_zero();
    World world = world_of(scene, &def);
    int hits = 0;
    for (int i = 0; i < 40; ++i) {
        hits += world_step(&world, 5e-3).continuous_hits;
        double ahead = 0.06;
        for (int k = 0; k < 4; ++k) {
            double x = body_of(&world, row[k]).center.x;
            CHECK(ahead - x > 0.06);
            ahead = x;
        }
    }
    CHECK(hits > 0);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_box_stops_at_a_fixed_plate),
        cmocka_unit_test(a_fast_box_stops_at_a_heavy_plate),
        cmocka_unit_test(without_it_the_box_passes),
        cmocka_unit_test(fast_bodies_meet_each_other_and_the_ground),
        cmocka_unit_test(slow_bodies_below_a_fast_one_go_on),
        cmocka_unit_test(bodies_in_a_row_stop_with_the_first),
        cmocka_unit_test(what_does_not_touch_is_not_held_back),
        cmocka_unit_test(turning_rods_stop_at_thin_posts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
