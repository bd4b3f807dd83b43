/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overlaps of boxes and half-spaces that keep the shape of last time, against those that are cut anew: along small
 * motions of boxes at any turn, nearly aligned, turned about one axis, and of boxes on half-spaces.
 */
#include "query/overlap_again.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

typedef struct Family {
    double tilt; /* largest turn out of the axes, rad */
    int about_z, flat_a, flat_b;
    double least_hits; /* part of the questions */
} Family;

static AbutConvex random_box(AbutRng *rng) {
    AbutVec3 half = {
        abut_rng_between(rng, 0.02, 0.1), abut_rng_between(rng, 0.02, 0.1), abut_rng_between(rng, 0.02, 0.1)};
    return abut_convex_box(half, 0.0);
}

static AbutConvex random_half_space(AbutRng *rng) {
    AbutPlane plane = {abut_random_direction(rng), abut_rng_between(rng, -0.02, 0.02)};
    return abut_convex_half_space(plane, 0.0);
}

/* Of every vertex of one the nearest of the other lies within `most`. */
static void check_vertices(const AbutVec3 *a, const AbutVec3 *b, int count, double most) {
    for (int i = 0; i < count; ++i) {
        double least = INFINITY;
        for (int k = 0; k < count; ++k) least = fmin(least, abut_point_distance(a[i], b[k]));
        CHECK(least <= most);
    }
}

/* A motion of small steps, from 1e-2 down to 1e-6 of a meter and radian; gives how often the shape was kept. */
static int follow(AbutRng *rng, const Family *family, int steps, int *asked) {
    AbutConvex a = family->flat_a ? random_half_space(rng) : random_box(rng),
               b = family->flat_b ? random_half_space(rng) : random_box(rng);
    size_t size = abut_overlap_workspace_size(&a, &b);
    void *memory = malloc(size), *other = malloc(size);
    AbutOverlapCache cache = {0};
    double step = pow(10.0, abut_rng_between(rng, -6.0, -2.0));
    AbutVec3 axis = family->about_z ? abut_axis(2) : abut_random_direction(rng);
    AbutPose pose = {abut_scale(abut_random_direction(rng), 0.1 * abut_rng_unit(rng)),
        abut_quat_axis_angle(axis, family->tilt * abut_rng_between(rng, -1.0, 1.0))};
    int kept = 0;
    for (int i = 0; i < steps; ++i) {
        AbutOverlap again, cold = abut_overlap(&a, &b, pose, NULL, memory, size);
        int hit = abut_overlap_again(&a, &b, pose, &cache.shape, other, &again);
        *asked += cold.outcome == ABUT_OVERLAP_VOLUME;
        kept += hit;
        if (hit) {
            assert_int_equal(cold.outcome, ABUT_OVERLAP_VOLUME);
            assert_int_equal(again.vertex_count, cold.vertex_count);
            assert_int_equal(again.face_count, cold.face_count);
            assert_int_equal(again.corner_count, cold.corner_count);
            check_vertices(again.vertex, cold.vertex, cold.vertex_count, 1e-12);
            check_vertices(cold.vertex, again.vertex, cold.vertex_count, 1e-12);
            CHECK_NEAR(again.volume, cold.volume, 1e-8 * cold.volume);
            CHECK_NEAR(again.area, cold.area, 1e-8 * cold.area);
            CHECK(abut_point_distance(again.centroid, cold.centroid) <= 1e-11);
            CHECK(abut_point_distance(again.normal, cold.normal) <= 1e-9 || cold.normal_from_depth);
        }
        abut_overlap(&a, &b, pose, &cache, other, size);
        pose.p = abut_add_scaled(pose.p, abut_random_direction(rng), step);
        AbutVec3 turn = family->about_z ? abut_axis(2) : abut_random_direction(rng);
        pose.q = abut_quat_mul(abut_quat_axis_angle(turn, step * fmin(1.0, family->tilt)), pose.q);
    }
    free(memory);
    free(other);
    return kept;
}

static void kept_shapes_are_those_of_the_clip(void **state) {
    (void)state;
    static const Family families[] = {{3.0, 0, 0, 0, 0.5}, {1e-3, 0, 0, 0, 0.4}, {1e-7, 0, 0, 0, 0.0},
        {3.0, 1, 0, 0, 0.0}, {3.0, 0, 1, 0, 0.5}, {3.0, 0, 0, 1, 0.5}};
    AbutRng rng = abut_rng(3001, 7);
    for (int f = 0; f < (int)(sizeof families / sizeof families[0]); ++f) {
        int asked = 0, kept = 0;
        for (int i = 0; i < check_cases(400); ++i) kept += follow(&rng, &families[f], 12, &asked);
        CHECK(asked > 100);
        CHECK(kept >= families[f].least_hits * asked);
    }
}

static void bad_input_is_refused(void **state) {
    (void)state;
    AbutConvex a = abut_convex_box(abut_vec3(1.0, 2.0, 3.0), 0.0), b = abut_convex_box(abut_vec3(0.5, 0.6, 0.7), 0.0);
    AbutPose pose = {abut_vec3(1.2, 0.1, 0.2), abut_quat_axis_angle(abut_normalize(abut_vec3(1.0, 2.0, 3.0)), 0.7)};
    size_t size = abut_overlap_workspace_size(&a, &b);
    void *memory = malloc(size);
    AbutOverlapCache cache = {0};
    AbutOverlap out;
    abut_overlap(&a, &b, pose, &cache, memory, size);
    assert_true(cache.shape.vertices > 0);
    assert_int_equal(abut_overlap_again(&a, &b, pose, &cache.shape, memory, &out), 1);
    AbutPose bad = pose;
    bad.q.x = NAN;
    assert_int_equal(abut_overlap(&a, &b, bad, &cache, memory, size).outcome, ABUT_OVERLAP_INVALID);
    bad = pose, bad.p.x = INFINITY;
    assert_int_equal(abut_overlap(&a, &b, bad, &cache, memory, size).outcome, ABUT_OVERLAP_INVALID);
    AbutConvex broken = abut_convex_box(abut_vec3(-1.0, 2.0, 3.0), 0.0);
    assert_int_equal(abut_overlap_again(&broken, &b, pose, &cache.shape, memory, &out), 0);
    pose.p.x = 9.0; /* apart */
    assert_int_equal(abut_overlap(&a, &b, pose, &cache, memory, size).outcome, ABUT_OVERLAP_DISJOINT);
    pose.p.x = 1.2;
    for (int byte = 0; byte < 256; byte += 17) { /* rubbish stays within the arrays */
        memset(&cache, byte, sizeof cache);
        cache.shape.off = 0;
        abut_overlap(&a, &b, pose, &cache, memory, size);
    }
    free(memory);
}

static void a_shape_that_is_off_is_neither_learned_nor_used(void **state) {
    (void)state;
    AbutConvex a = abut_convex_box(abut_vec3(1.0, 2.0, 3.0), 0.0), b = abut_convex_box(abut_vec3(0.5, 0.6, 0.7), 0.0);
    AbutPose pose = {abut_vec3(1.2, 0.1, 0.2), abut_quat_axis_angle(abut_normalize(abut_vec3(1.0, 2.0, 3.0)), 0.7)};
    size_t size = abut_overlap_workspace_size(&a, &b);
    void *memory = malloc(size);
    AbutOverlapCache cache = {.shape.off = 1};
    AbutOverlap out;
    abut_overlap(&a, &b, pose, &cache, memory, size);
    assert_int_equal(cache.shape.vertices, 0);
    cache.shape.off = 0;
    abut_overlap(&a, &b, pose, &cache, memory, size);
    assert_true(cache.shape.vertices > 0);
    cache.shape.off = 1;
    assert_int_equal(abut_overlap_again(&a, &b, pose, &cache.shape, memory, &out), 0);
    free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_shapes_are_those_of_the_clip),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(a_shape_that_is_off_is_neither_learned_nor_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
