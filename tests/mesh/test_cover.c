/* SPDX-License-Identifier: Apache-2.0 */
/* Covering balls: every point of a body lies in one, inner balls lie in the body, no ball reaches farther out than the
 * excess says. Points of bodies come from support functions, distances from the convex query. */
#include "mesh/cover.h"
#include "support/check.h"
#include "support/random_bodies.h"

static AbutVec3 draw_direction(AbutRng *rng) {
    return abut_normalize(abut_vec3(abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng)));
}

/* A point of the surface. */
static AbutVec3 draw_end(AbutRng *rng, const AbutConvex *body) {
    AbutVec3 d = draw_direction(rng);
    return abut_add_scaled(abut_convex_farthest(body, d), d, body->radius);
}

/* A point of the surface, of an edge or chord, or of the inside. */
static AbutVec3 draw_point(AbutRng *rng, const AbutConvex *body) {
    AbutVec3 p = draw_end(rng, body);
    for (uint32_t i = abut_rng_below(rng, 4); i > 0; --i) p = abut_lerp(p, draw_end(rng, body), abut_rng_unit(rng));
    return p;
}

static int is_held(const AbutCover *cover, AbutVec3 p) {
    for (int32_t i = 0; i < cover->count; ++i)
        if (abut_point_distance(p, cover->ball[i].center) <= cover->ball[i].outer) return 1;
    return 0;
}

static double distance_to(const AbutConvex *body, AbutVec3 p) {
    AbutConvex point = abut_convex_point(p, 0.0);
    return abut_convex_distance(body, &point, abut_pose_identity(), NULL, NULL).distance;
}

static AbutCover check_cover(AbutRng *rng, const AbutConvex *body, double size, int32_t most) {
    AbutCover cover;
    AbutError error;
    int points = check_cases(2000);
    good(abut_cover_make(body, 0.02 * size, most, &cover, &error), &error);
    CHECK(cover.count > 0 && cover.count <= most);
    for (int i = 0; i < points; ++i) CHECK(is_held(&cover, draw_point(rng, body)));
    for (int32_t i = 0; i < cover.count; ++i)
        for (int k = 0; k < 20; ++k) {
            const AbutCoverBall *ball = &cover.ball[i];
            AbutVec3 d = draw_direction(rng);
            CHECK(distance_to(body, abut_add_scaled(ball->center, d, ball->outer)) <= cover.excess + 1e-9 * size);
            if (ball->inner > 0.0)
                CHECK(distance_to(body, abut_add_scaled(ball->center, d, ball->inner)) <= 1e-9 * size);
        }
    return cover;
}

static void round_bodies_are_covered(void **state) {
    (void)state;
    AbutRng rng = abut_rng(3, 1);
    int cases = check_cases(30);
    for (int i = 0; i < cases; ++i) {
        double a = abut_rng_between(&rng, 0.01, 1.0), b = abut_rng_between(&rng, 0.01, 1.0);
        double c = abut_rng_between(&rng, 0.01, 1.0), r = i % 2 ? abut_rng_between(&rng, 0.0, 0.2) : 0.0;
        double size = a + b + c + r;
        AbutConvex body[] = {abut_convex_point(abut_vec3(a, b, c), r), abut_convex_box(abut_vec3(a, b, c), r),
            abut_convex_segment(abut_vec3(a, 0, 0), abut_vec3(0, b, -c), r), abut_convex_cylinder(a, b, r),
            abut_convex_cone(a, b, r), abut_convex_ellipsoid(abut_vec3(a, b, c), r),
            abut_convex_triangle(abut_vec3(a, 0, 0), abut_vec3(0, b, 0), abut_vec3(0, 0, c), r)};
        for (size_t k = 0; k < sizeof body / sizeof body[0]; ++k)
            check_cover(&rng, &body[k], size, 1 + (int32_t)abut_rng_below(&rng, ABUT_COVER_MOST));
    }
}

static void hulls_are_covered_ever_closer(void **state) {
    (void)state;
    AbutRng rng = abut_rng(3, 2);
    int cases = check_cases(60);
    double sum[2] = {0.0, 0.0};
    for (int i = 0; i < cases; ++i) {
        AbutVec3 axes = abut_vec3(
            abut_rng_between(&rng, 0.02, 1.0), abut_rng_between(&rng, 0.02, 1.0), abut_rng_between(&rng, 0.02, 1.0));
        AbutPolyhedron *hull = random_hull(&rng, 4 + (int)abut_rng_below(&rng, 200), axes);
        AbutConvex body = abut_convex_polyhedron(hull, i % 3 ? 0.0 : 0.05);
        double size = axes.x + axes.y + axes.z;
        sum[0] += check_cover(&rng, &body, size, 1).excess;
        sum[1] += check_cover(&rng, &body, size, ABUT_COVER_MOST).excess;
        abut_polyhedron_free(hull);
    }
    CHECK(sum[1] < 0.5 * sum[0]); /* measured: 0.34 */
}

/* Cuts that pass exactly through corners and edges: bodies with much symmetry. */
static void symmetric_hulls_are_covered(void **state) {
    (void)state;
    AbutRng rng = abut_rng(3, 3);
    for (int n = 3; n < 16; ++n) {
        AbutVec3 points[32];
        for (int i = 0; i < n; ++i) {
            double x = abut_cos(2.0 * ABUT_PI * i / n), y = abut_sin(2.0 * ABUT_PI * i / n);
            points[i] = abut_vec3(x, y, -2.0);
            points[n + i] = abut_vec3(x, y, 2.0);
        }
        AbutPolyhedron *prism = hull_of(points, 2 * n);
        AbutConvex body = abut_convex_polyhedron(prism, 0.0);
        check_cover(&rng, &body, 4.0, ABUT_COVER_MOST);
        abut_polyhedron_free(prism);
    }
}

static void bodies_without_end_are_refused(void **state) {
    (void)state;
    AbutPlane ground = {abut_axis(2), 0.0};
    AbutConvex half = abut_convex_half_space(ground, 0.0), sheet = abut_convex_plane(ground, 0.0);
    AbutCover cover;
    AbutError error;
    assert_int_equal(abut_cover_make(&half, 0.01, 4, &cover, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_cover_make(&sheet, 0.01, 4, &cover, &error), ABUT_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_bodies_are_covered),
        cmocka_unit_test(hulls_are_covered_ever_closer),
        cmocka_unit_test(symmetric_hulls_are_covered),
        cmocka_unit_test(bodies_without_end_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
