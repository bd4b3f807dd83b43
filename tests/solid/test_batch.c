/* SPDX-License-Identifier: Apache-2.0 */
/* Batches against single questions, with the same bits on 1, 2 and 7 threads; world-frame answers against turning by
 * hand. */
#include "abut/solid.h"
#include "support/check.h"

#include <string.h>

enum { PAIRS = 500, BODIES = 12 };

typedef struct Set {
    AbutPolyhedron *hull[BODIES];
    AbutConvex body[BODIES];
    AbutSolidPair pair[PAIRS];
} Set;

static AbutConvex make_body(AbutRng *rng, int i, AbutPolyhedron **hull) {
    AbutVec3 p[40];
    AbutPlane plane = {abut_random_direction(rng), -1.0};
    *hull = NULL;
    switch (i % 6) {
    case 0:
        return abut_convex_point(abut_random_direction(rng), 0.3);
    case 1:
        return abut_convex_segment(abut_random_direction(rng), abut_random_direction(rng), 0.2);
    case 2:
        return abut_convex_box(abut_vec3(1, 0.7, 0.4), 0);
    case 3:
        return abut_convex_half_space(plane, 0);
    default:
        for (int k = 0; k < 40; ++k) p[k] = abut_random_direction(rng);
        assert_int_equal(abut_polyhedron_from_points(p, 40, NULL, hull, NULL), ABUT_OK);
        return abut_convex_polyhedron(*hull, 0);
    }
}

static void make_set(Set *set, uint64_t seed) {
    AbutRng rng = abut_rng(seed, 1);
    for (int i = 0; i < BODIES; ++i) set->body[i] = make_body(&rng, i, &set->hull[i]);
    for (int i = 0; i < PAIRS; ++i) {
        AbutPose pose = abut_pose(abut_scale(abut_random_direction(&rng), 2), abut_random_quat(&rng));
        const AbutConvex *a = &set->body[abut_rng_below(&rng, BODIES)], *b = &set->body[abut_rng_below(&rng, BODIES)];
        set->pair[i] = (AbutSolidPair){abut_solid_convex(a), abut_solid_convex(b), pose, NULL};
    }
}

static void free_set(Set *set) {
    for (int i = 0; i < BODIES; ++i) abut_polyhedron_free(set->hull[i]);
}

static void check_equal(const AbutGap *x, const AbutGap *y) {
    assert_int_equal(x->outcome, y->outcome);
    assert_memory_equal(&x->part_a, &y->part_a, sizeof x->part_a);
    assert_memory_equal(&x->error, &y->error, sizeof x->error);
    assert_memory_equal(&x->distance, &y->distance, sizeof x->distance);
    assert_memory_equal(&x->normal, &y->normal, sizeof x->normal);
    assert_memory_equal(&x->point_a, &y->point_a, sizeof x->point_a);
    assert_memory_equal(&x->point_b, &y->point_b, sizeof x->point_b);
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 7, 0};
    static Set set;
    static AbutGap distance[PAIRS];
    static AbutGapCache cache[PAIRS];
    make_set(&set, 71);
    for (int t = 0; t < 4; ++t)
        for (int warm = 0; warm < 3; ++warm) { /* cold, then twice with caches: empty and full */
            for (int i = 0; i < PAIRS; ++i) {
                set.pair[i].cache = warm ? &cache[i] : NULL;
                if (warm == 1) memset(&cache[i], 0, sizeof cache[i]);
            }
            AbutGap single[PAIRS];
            for (int i = 0; i < PAIRS; ++i) {
                AbutConvexCache copy = cache[i].convex;
                const AbutSolidPair *p = &set.pair[i];
                single[i] = abut_convex_distance(p->a.convex, p->b.convex, p->b_in_a, NULL, warm ? &copy : NULL);
            }
            abut_distance_batch(PAIRS, set.pair, NULL, distance, threads[t]);
            for (int i = 0; i < PAIRS; ++i) check_equal(&distance[i], &single[i]);
        }
    int yes = 0;
    for (int i = 0; i < PAIRS; ++i) {
        const AbutSolidPair *p = &set.pair[i];
        int meets = abut_gap_meets(abut_collide(p->a, p->b, p->b_in_a, NULL).outcome);
        assert_int_equal(meets, abut_convex_meet(p->a.convex, p->b.convex, p->b_in_a, NULL));
        yes += meets;
    }
    assert_true(yes > PAIRS / 8 && yes < PAIRS - PAIRS / 8);
    abut_distance_batch(0, NULL, NULL, NULL, 4);
    free_set(&set);
}

static void world_answers_are_turned(void **state) {
    (void)state;
    static Set set;
    make_set(&set, 72);
    AbutRng rng = abut_rng(73, 1);
    for (int i = 0; i < PAIRS; ++i) {
        const AbutConvex *a = set.pair[i].a.convex, *b = set.pair[i].b.convex;
        AbutPose pa = abut_pose(abut_scale(abut_random_direction(&rng), 3), abut_random_quat(&rng));
        AbutPose pb = abut_pose_mul(pa, set.pair[i].b_in_a), between = abut_pose_between(pa, pb);
        AbutGap own = abut_convex_distance(a, b, between, NULL, NULL);
        AbutGap world = abut_gap_in(pa, abut_convex_distance(a, b, abut_pose_between(pa, pb), NULL, NULL));
        own.normal = abut_quat_rotate(pa.q, own.normal);
        own.point_a = abut_pose_apply(pa, own.point_a), own.point_b = abut_pose_apply(pa, own.point_b);
        check_equal(&world, &own);
        assert_int_equal(
            abut_convex_meet(a, b, abut_pose_between(pa, pb), NULL), abut_convex_meet(a, b, between, NULL));
    }
    free_set(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(world_answers_are_turned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
