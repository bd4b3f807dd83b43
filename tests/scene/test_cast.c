/* SPDX-License-Identifier: Apache-2.0 */
/* Casts in scenes against a loop over all shapes: rays, moved bodies, nearest points, filters, all hits, batches. */
#include "abut/scene.h"
#include "support/casts.h"
#include "support/check.h"
#include "support/random_bodies.h"

enum { MOST = 200 };

typedef struct World {
    AbutScene *scene;
    int count;
    AbutShapeId shape[MOST];
    AbutConvex convex[MOST];
    AbutPlaced placed[MOST];
} World;

/* All shapes of a scene as a plain set. */
static void list_shapes(World *w) {
    w->count = 0;
    for (int b = 0; b < abut_scene_body_count(w->scene); ++b) {
        AbutBodyId body = abut_scene_body_at(w->scene, b);
        AbutBodyState state;
        abut_scene_get_body(w->scene, body, &state);
        for (int i = 0; i < abut_scene_shape_count(w->scene, body) && w->count < MOST; ++i) {
            AbutShapeDef shape;
            AbutShapeId id = abut_scene_shape_at(w->scene, body, i);
            abut_scene_get_shape(w->scene, id, &shape, NULL);
            w->convex[w->count] = abut_geometry_convex(shape.geometry);
            w->placed[w->count] =
                (AbutPlaced){abut_solid_convex(&w->convex[w->count]), abut_pose_mul(state.pose, shape.pose)};
            w->shape[w->count++] = id;
        }
    }
}

static World open_world(const char *spec) {
    World w = {0};
    AbutError error;
    good(abut_scene_create(&w.scene, &error), &error);
    good(abut_scene_build(w.scene, spec, 1, &error), &error);
    return w;
}

static void compare_first(const World *w, AbutCast cast) {
    AbutBodySet set = {w->count, w->placed, NULL, NULL, NULL};
    AbutCastHit slow =
        cast.moved ? first_cast(&set, cast.moved, cast.ray.way, cast.tolerance) : first_ray(&set, cast.ray);
    AbutSceneHit fast = abut_scene_cast(w->scene, &cast, NULL, NULL), all[MOST];
    assert_int_equal(fast.hit.outcome == ABUT_IMPACT_NONE, slow.outcome == ABUT_IMPACT_NONE);
    CHECK_NEAR(fast.hit.t, slow.t, 1e-9);
    int32_t count = abut_scene_cast_all(w->scene, &cast, NULL, NULL, MOST, all);
    assert_int_equal(count > 0, slow.body >= 0);
    for (int i = 0; i < count; ++i) CHECK(i == 0 || all[i - 1].hit.t <= all[i].hit.t);
    CHECK(count == 0 || all[0].hit.t == fast.hit.t);
}

static void agrees_with_a_loop(void **state) {
    (void)state;
    static const char *const specs[] = {"stack:8", "wall", "hulls:30"};
    AbutRng rng = abut_rng(91, 1);
    AbutConvex ball = abut_convex_point(abut_zero(), 0.1);
    for (size_t k = 0; k < sizeof specs / sizeof specs[0]; ++k) {
        World w = open_world(specs[k]);
        list_shapes(&w);
        for (int i = 0; i < check_cases(300); ++i) {
            AbutVec3 from = abut_scale(abut_random_direction(&rng), 4), to = abut_scale(abut_random_direction(&rng), 1);
            from.z = fabs(from.z) + 0.5;
            AbutCast cast = {.ray = {from, abut_scale(abut_sub(to, from), 1.5)}};
            compare_first(&w, cast);
            AbutPlaced moved = {abut_solid_convex(&ball), abut_pose(from, abut_random_quat(&rng))};
            cast.moved = &moved;
            compare_first(&w, cast);
            AbutBodySet set = {w.count, w.placed, NULL, NULL, NULL};
            AbutNearestPoint near = abut_scene_nearest_point(w.scene, to, NULL, NULL, NULL);
            CHECK_NEAR(near.distance, nearest_of_set(&set, to).distance, 1e-12);
        }
        abut_scene_free(w.scene);
    }
}

static int not_this(AbutShapeId shape, void *user) { return shape.index1 != ((const AbutShapeId *)user)->index1; }

static void filters_and_bad_numbers(void **state) {
    (void)state;
    World w = open_world("stack:8");
    AbutCast cast = {.ray = {{0.01, 0.02, 20}, {0, 0, -40}}};
    AbutSceneHit first = abut_scene_cast(w.scene, &cast, NULL, NULL), all[MOST];
    int32_t count = abut_scene_cast_all(w.scene, &cast, NULL, NULL, MOST, all);
    assert_true(first.hit.outcome == ABUT_IMPACT_HIT && first.shape.index1 != 0 && first.body.index1 != 0);
    assert_int_equal(count, 9); /* eight boxes and the ground */
    assert_int_equal(abut_scene_cast_all(w.scene, &cast, NULL, NULL, 1, all), count);
    AbutSceneHit second = abut_scene_cast(w.scene, &cast, not_this, &first.shape);
    CHECK(second.hit.t > first.hit.t && second.shape.index1 != first.shape.index1);
    cast.ray.origin.x = NAN;
    assert_int_equal(abut_scene_cast(w.scene, &cast, NULL, NULL).hit.outcome, ABUT_IMPACT_INVALID);
    assert_int_equal(abut_scene_cast_all(w.scene, &cast, NULL, NULL, MOST, all), -1);
    assert_int_equal(abut_scene_nearest_point(w.scene, cast.ray.origin, NULL, NULL, NULL).body, -1);
    abut_scene_free(w.scene);
}

/* Without a way: all that overlaps a body, by the distance of each pair. */
static void no_way_finds_what_overlaps(void **state) {
    (void)state;
    World w = open_world("shapes:60");
    list_shapes(&w);
    AbutRng rng = abut_rng(91, 0);
    int found = 0;
    for (int i = 0; i < check_cases(300); ++i) {
        AbutConvex ball = abut_convex_point(abut_zero(), abut_rng_between(&rng, 0.02, 0.3));
        AbutVec3 at = {
            abut_rng_between(&rng, -0.4, 0.4), abut_rng_between(&rng, -0.4, 0.4), abut_rng_between(&rng, 0, 3)};
        AbutPlaced moved = {abut_solid_convex(&ball), abut_pose(at, abut_quat_identity())};
        AbutCast cast = {.moved = &moved};
        AbutSceneHit all[MOST];
        int32_t count = abut_scene_cast_all(w.scene, &cast, NULL, NULL, MOST, all), expected = 0, unsure = 0;
        for (int k = 0; k < w.count; ++k) {
            AbutPose in = abut_pose_between(w.placed[k].pose, moved.pose);
            double d = abut_convex_distance(&w.convex[k], &ball, in, NULL, NULL).distance;
            expected += d < -1e-6;
            unsure += fabs(d) <= 1e-6;
        }
        CHECK(count >= expected && count <= expected + unsure);
        for (int k = 0; k < count; ++k) CHECK(all[k].hit.t == 0.0);
        found += count;
    }
    CHECK(3 * found > check_cases(300)); /* not all places are free */
    abut_scene_free(w.scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_loop),
        cmocka_unit_test(filters_and_bad_numbers),
        cmocka_unit_test(no_way_finds_what_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
