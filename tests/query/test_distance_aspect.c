/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long thin bodies, and small bodies against large ones: distance and depth against an oracle in quadruple precision.
 * For lengths up to 1e8 times the width an answer is right to 1e-12 of the larger extent, `gap` bounds its error, and
 * swapped arguments agree.
 */
#include "oracle/quad_oracle.h"
#include "support/check.h"
#include "support/random_bodies.h"

#include <float.h>

/* A body as the library sees it, and its vertices. */
typedef struct Body {
    AbutConvex convex;
    AbutPolyhedron *hull;
    AbutVec3 point[QUAD_VERTICES];
    int count;
    double extent; /* largest distance of a vertex from the origin */
} Body;

typedef enum Form { BOX, BOX_HULL, PRISM, TETRAHEDRON, TRIANGLE, SEGMENT, FORMS } Form;

static AbutVec3 wobble(AbutRng *rng, AbutVec3 p) {
    double x = abut_rng_between(rng, 0.7, 1.0), y = abut_rng_between(rng, 0.7, 1.0);
    return abut_vec3(p.x * x, p.y * y, p.z * abut_rng_between(rng, 0.7, 1.0));
}

/* A body of half sizes h. */
static Body make_body(AbutRng *rng, Form form, AbutVec3 h) {
    static const int corner[FORMS][QUAD_VERTICES] = {[BOX] = {0, 1, 2, 3, 4, 5, 6, 7},
        [BOX_HULL] = {0, 1, 2, 3, 4, 5, 6, 7},
        [PRISM] = {0, 1, 2, 3, 4, 5},
        [TETRAHEDRON] = {0, 3, 5, 6},
        [TRIANGLE] = {0, 3, 5},
        [SEGMENT] = {0, 7}};
    static const int count[FORMS] = {8, 8, 6, 4, 3, 2};
    Body body = {.count = count[form]};
    for (int i = 0; i < body.count; ++i) {
        int k = corner[form][i];
        AbutVec3 p = abut_vec3(k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z);
        body.point[i] = form == BOX || form == BOX_HULL ? p : wobble(rng, p);
        body.extent = fmax(body.extent, abut_length(body.point[i]));
    }
    if (form == BOX) {
        body.convex = abut_convex_box(h, 0.0);
    } else if (form == TRIANGLE) {
        body.convex = abut_convex_triangle(body.point[0], body.point[1], body.point[2], 0.0);
    } else if (form == SEGMENT) {
        body.convex = abut_convex_segment(body.point[0], body.point[1], 0.0);
    } else {
        AbutHullDef def = {.tolerance = 1e-14};
        assert_int_equal(abut_polyhedron_from_points(body.point, body.count, &def, &body.hull, NULL), ABUT_OK);
        body.convex = abut_convex_polyhedron(body.hull, 0.0);
    }
    return body;
}

typedef struct Tally {
    int cases, overlapping, unsure;
    double worst; /* error, of the larger extent */
} Tally;

static void check_pair(const Body *a, const Body *b, AbutPose pose, Tally *tally) {
    Quad error, truth = quad_distance(a->point, a->count, b->point, b->count, pose, &error);
    double extent = fmax(a->extent, b->extent), far = a->extent + b->extent + abut_length(pose.p);
    double wanted = 1e-12 * extent + 8e-15 * far;
    AbutGap d = abut_convex_distance(&a->convex, &b->convex, pose, NULL, NULL);
    AbutGap swapped = abut_convex_distance(&b->convex, &a->convex, abut_pose_inv(pose), NULL, NULL);
    assert_true((double)error < 1e-17 * far);
    double miss = fabs((double)(d.distance - truth)), between = fabs(swapped.distance - d.distance);
    ++tally->cases;
    tally->overlapping += truth < 0;
    if (d.outcome == ABUT_NOT_CONVERGED || swapped.outcome == ABUT_NOT_CONVERGED) {
        ++tally->unsure;
        return;
    }
    tally->worst = fmax(tally->worst, (miss - 8e-15 * far) / extent);
    if (!(miss <= wanted) || !(miss <= d.error) || !(between <= 2.0 * wanted) || !(d.error <= wanted))
        print_error("case %d: extents %g %g, truth %.17g, distance %.17g (%d), swapped %.17g (%d), gap %g\n",
            tally->cases, a->extent, b->extent, (double)truth, d.distance, (int)d.outcome, swapped.distance,
            (int)swapped.outcome, d.error);
    CHECK(miss <= wanted && miss <= d.error && d.error <= wanted);
    CHECK(between <= 2.0 * wanted);
    AbutVec3 apart = abut_sub(d.point_b, d.point_a);
    CHECK(abut_point_distance(apart, abut_scale(d.normal, d.distance)) <= wanted);
    if (miss < fabs((double)truth) - d.error)
        assert_int_equal(abut_convex_meet(&a->convex, &b->convex, pose, NULL), truth < 0);
    if (d.outcome != ABUT_TOUCHING) assert_int_equal(d.outcome, truth < 0 ? ABUT_PENETRATING : ABUT_SEPARATED);
}

/* A rod along x against a body of size 1 somewhere at its side, turned as a whole; nearer than its size or overlapping.
 */
static void rods(void **state) {
    (void)state;
    Tally tally = {0};
    for (int power = 0; power <= 8; ++power) {
        AbutRng rng = abut_rng(820, (uint64_t)power);
        for (int k = check_cases(120); k > 0; --k) {
            double length = pow(10.0, power);
            Body rod = make_body(&rng, (Form)abut_rng_below(&rng, FORMS), abut_vec3(length, 1.0, 0.6));
            Body body = make_body(&rng, (Form)abut_rng_below(&rng, FORMS), abut_vec3(1.0, 0.8, 0.5));
            double turn = 2.0 * ABUT_PI * abut_rng_unit(&rng), away = abut_rng_between(&rng, 0.0, 4.0);
            AbutVec3 at = abut_vec3(length * abut_rng_between(&rng, -1.1, 1.1), away * cos(turn), away * sin(turn));
            AbutPose pose = abut_pose(at, random_turn(&rng));
            if (k % 2)
                check_pair(&rod, &body, pose, &tally);
            else
                check_pair(&body, &rod, abut_pose_inv(pose), &tally);
            abut_polyhedron_free(rod.hull);
            abut_polyhedron_free(body.hull);
        }
    }
    print_message("rods: %d pairs, %d overlapping, %d not converged, worst %.2g of the extent\n", tally.cases,
        tally.overlapping, tally.unsure, tally.worst);
    assert_int_equal(tally.unsure, 0);
    CHECK(tally.overlapping > tally.cases / 5);
}

/* Two rods of any two lengths that cross, or run nearly along each other. */
static void two_rods(void **state) {
    (void)state;
    Tally tally = {0};
    AbutRng rng = abut_rng(821, 0);
    for (int k = check_cases(800); k > 0; --k) {
        double la = pow(10.0, abut_rng_between(&rng, 0.0, 8.0)), lb = pow(10.0, abut_rng_between(&rng, 0.0, 8.0));
        Body a = make_body(&rng, (Form)abut_rng_below(&rng, FORMS), abut_vec3(la, 1.0, 0.6));
        Body b = make_body(&rng, (Form)abut_rng_below(&rng, FORMS), abut_vec3(lb, 0.8, 0.9));
        double away = abut_rng_between(&rng, -3.0, 3.0), slant = pow(10.0, abut_rng_between(&rng, -6.0, 0.0));
        AbutQuat q = k % 3 ? random_turn(&rng)
                           : abut_quat_normalize(
                                 abut_quat(1.0, slant, slant * abut_rng_normal(&rng), slant * abut_rng_normal(&rng)));
        AbutVec3 on_b = abut_quat_rotate(q, abut_vec3(lb * abut_rng_between(&rng, -1.0, 1.0), 0.0, 0.0));
        AbutVec3 across = abut_normalize_or(abut_cross(abut_axis(0), on_b), abut_axis(2));
        AbutVec3 at =
            abut_sub(abut_add_scaled(abut_vec3(la * abut_rng_between(&rng, -1.0, 1.0), 0.0, 0.0), across, away), on_b);
        check_pair(&a, &b, abut_pose(at, q), &tally);
        abut_polyhedron_free(a.hull);
        abut_polyhedron_free(b.hull);
    }
    print_message("two rods: %d pairs, %d overlapping, %d not converged, worst %.2g of the extent\n", tally.cases,
        tally.overlapping, tally.unsure, tally.worst);
    assert_int_equal(tally.unsure, 0);
    CHECK(tally.overlapping > tally.cases / 5);
}

enum { LARGE = 1000000 };

/* A body of 1e-6 at a face, an edge or a corner of one of 1e6. */
typedef struct SmallAtLarge {
    Body big, tiny;
    AbutPose pose; /* of the tiny one */
} SmallAtLarge;

static SmallAtLarge draw_small_at_large(AbutRng *rng, int k) {
    const double small = 1e-6, large = LARGE;
    Form form = (Form)(k % TRIANGLE);
    SmallAtLarge out = {.big = make_body(rng, form == PRISM ? BOX : form, abut_vec3(large, large, large))};
    out.tiny = make_body(rng, (Form)abut_rng_below(rng, FORMS), abut_vec3(small, small, small));
    int corner = (int)abut_rng_below(rng, (uint32_t)out.big.count);
    AbutVec3 at = out.big.point[corner];
    if (k % 3 > 0) at = abut_lerp(at, out.big.point[(corner + 1) % out.big.count], abut_rng_unit(rng));
    at = abut_add_scaled(at, abut_quat_rotate(random_turn(rng), abut_axis(2)), abut_rng_between(rng, 0.0, 4.0) * small);
    out.pose = abut_pose(at, random_turn(rng));
    return out;
}

static void free_small_at_large(SmallAtLarge *pair) {
    abut_polyhedron_free(pair->big.hull);
    abut_polyhedron_free(pair->tiny.hull);
}

/* The small body is not lost in a tolerance of the larger one's size. */
static void small_at_large(void **state) {
    (void)state;
    AbutRng rng = abut_rng(822, 0);
    double rounding = 3e-14 * LARGE;
    int told = 0, cases = check_cases(600);
    for (int k = cases; k > 0; --k) {
        SmallAtLarge p = draw_small_at_large(&rng, k);
        Quad error, truth = quad_distance(p.big.point, p.big.count, p.tiny.point, p.tiny.count, p.pose, &error);
        AbutGap d = abut_convex_distance(&p.big.convex, &p.tiny.convex, p.pose, NULL, NULL);
        assert_true((double)error < 1e-17 * (p.big.extent + p.tiny.extent + abut_length(p.pose.p)));
        CHECK_NEAR(d.distance, (double)truth, rounding);
        if (fabs((double)truth) > 2.0 * rounding) {
            assert_int_equal(d.outcome, truth < 0 ? ABUT_PENETRATING : ABUT_SEPARATED);
            ++told;
        }
        free_small_at_large(&p);
    }
    CHECK(told > cases / 2);
}

/* Many more of them, without the oracle: both orders of the bodies come to their answer, and to the same. */
static void small_at_large_swapped(void **state) {
    (void)state;
    AbutRng rng = abut_rng(822, 0);
    double most = 0.0;
    for (int k = check_cases(60000); k > 0; --k) {
        SmallAtLarge p = draw_small_at_large(&rng, k);
        AbutGap d = abut_convex_distance(&p.big.convex, &p.tiny.convex, p.pose, NULL, NULL);
        AbutGap swapped = abut_convex_distance(&p.tiny.convex, &p.big.convex, abut_pose_inv(p.pose), NULL, NULL);
        CHECK_NEAR(swapped.distance, d.distance, swapped.error + d.error);
        CHECK(d.outcome <= ABUT_PENETRATING && swapped.outcome <= ABUT_PENETRATING);
        most = fmax(most, fmax(d.error, swapped.error) / (p.big.extent + p.tiny.extent + abut_length(p.pose.p)));
        free_small_at_large(&p);
    }
    print_message("small at large: gaps up to %.2g of the extents and the way between\n", most);
    CHECK(most <= 208.0 * DBL_EPSILON); /* 48 + 4 roundings of a support point, each 4: the polytope's, and of inputs */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods),
        cmocka_unit_test(two_rods),
        cmocka_unit_test(small_at_large),
        cmocka_unit_test(small_at_large_swapped),
    };
    return cmocka_run_group_tests_name("long, thin and tiny bodies", tests, NULL, NULL);
}
