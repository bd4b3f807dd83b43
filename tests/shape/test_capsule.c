/* SPDX-License-Identifier: Apache-2.0 */
/* Capsules: mass in closed form against a numerical integral, and the fit around points against a slow search. */
#include "abut/shape.h"
#include "math/matrix.h"
#include "oracle/capsule_search.h"
#include "support/check.h"
#include "shape/round_mass.h"

#include <float.h>
#include <string.h>

enum { MAX_POINTS = 100000 };
static AbutVec3 points[MAX_POINTS];

static AbutCapsule fit(const AbutVec3 *set, int count) {
    AbutCapsule c, again;
    AbutError error;
    error.text[0] = 0;
    good(abut_capsule_around(set, count, &c, &error), &error);
    for (int i = 0; i < count; ++i) CHECK(oracle_segment_distance(set[i], c.a, c.b) <= c.radius);
    assert_int_equal(abut_capsule_around(set, count, &again, NULL), ABUT_OK);
    assert_memory_equal(&c, &again, sizeof c);
    return c;
}

/* Volume of the fit over the best one of the slow search. */
static double compare(const AbutVec3 *set, int count, uint64_t seed) {
    double ratio = abut_capsule_mass(fit(set, count)).volume / oracle_capsule_volume(set, count, 40, 3000, seed);
    if (getenv("ABUT_TEST_VERBOSE")) print_message("seed %d, %d points: ratio %.4f\n", (int)seed, count, ratio);
    return ratio;
}

static AbutVec3 random_in_box(AbutRng *rng, AbutVec3 half) {
    double x = abut_rng_between(rng, -1, 1), y = abut_rng_between(rng, -1, 1), z = abut_rng_between(rng, -1, 1);
    return abut_mul(abut_vec3(x, y, z), half);
}

/* A cloud of one of several kinds, at a random place and turn. */
static int random_cloud(AbutRng *rng, int kind, AbutVec3 *out) {
    int count = 4 + (int)abut_rng_below(rng, 60);
    AbutQuat q = abut_random_quat(rng);
    AbutVec3 shift = random_in_box(rng, abut_vec3(5, 5, 5));
    AbutVec3 half =
        abut_vec3(abut_rng_between(rng, 0.1, 1), abut_rng_between(rng, 0.1, 1), abut_rng_between(rng, 0.1, 2));
    if (kind == 0) count = 8;
    for (int i = 0; i < count; ++i) {
        AbutVec3 p = random_in_box(rng, half);
        if (kind == 0) /* corners of a box */
            p = abut_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
        if (kind == 1) /* an ellipsoid */
            p = abut_mul(abut_random_direction(rng), half);
        if (kind == 2) /* flat */
            p.x = 0.0;
        if (kind == 3) /* a true capsule */
            p = abut_add_scaled(
                abut_scale(abut_random_direction(rng), half.x), abut_axis(2), abut_rng_between(rng, -1, 1));
        out[i] = abut_add(abut_quat_rotate(q, p), shift);
    }
    return count;
}

static void clouds_are_within_a_few_percent(void **state) {
    (void)state;
    AbutRng rng = abut_rng(5, 1);
    int cases = check_cases(180);
    double worst = 0.0, sum = 0.0;
    for (int k = 0; k < cases; ++k) {
        int count = random_cloud(&rng, k % 5, points);
        double ratio = compare(points, count, (uint64_t)k);
        worst = fmax(worst, ratio), sum += ratio;
    }
    print_message("capsule fit over slow search: mean %.4f, worst %.4f of %d\n", sum / cases, worst, cases);
    CHECK(worst <= 1.03);
    CHECK(sum / cases <= 1.005);
}

static void made_shapes_are_within_a_few_percent(void **state) {
    (void)state;
    const char *names[] = {"finger", "fish", "statue", "capsule", "box", "cup", "cross", "knot"};
    int reached = 0;
    for (int k = 0; k < 8; ++k) {
        AbutMesh mesh;
        assert_int_equal(abut_mesh_make(names[k], 600, NULL, &mesh, NULL), ABUT_OK);
        double ratio = compare(mesh.vertices, mesh.vertex_count, (uint64_t)k);
        CHECK(ratio <= 1.03);
        abut_mesh_free(&mesh);
        ++reached;
    }
    assert_int_equal(reached, 8);
}

static void true_capsule_is_found(void **state) {
    (void)state;
    AbutMesh mesh;
    double sizes[2] = {0.1, 0.5};
    assert_int_equal(abut_mesh_make("capsule", 20000, sizes, &mesh, NULL), ABUT_OK);
    AbutCapsule c = fit(mesh.vertices, mesh.vertex_count);
    CHECK_NEAR(c.radius, 0.1, 1e-3);
    CHECK_NEAR(abut_point_distance(c.a, c.b), 0.5, 3e-3);
    abut_mesh_free(&mesh);
}

static void large_clouds_are_contained(void **state) {
    (void)state;
    AbutRng rng = abut_rng(6, 1);
    for (int i = 0; i < MAX_POINTS; ++i) points[i] = random_in_box(&rng, abut_vec3(0.3, 0.2, 1.0));
    double all = abut_capsule_mass(fit(points, MAX_POINTS)).volume;
    AbutVec3 corners[8];
    for (int i = 0; i < 8; ++i) corners[i] = abut_vec3(i & 1 ? 0.3 : -0.3, i & 2 ? 0.2 : -0.2, i & 4 ? 1.0 : -1.0);
    double box = abut_capsule_mass(fit(corners, 8)).volume;
    CHECK(all <= 1.01 * box && all >= 0.9 * box);
}

static void degenerate_sets_have_a_capsule(void **state) {
    (void)state;
    AbutVec3 one = abut_vec3(3, -4, 5), many[7];
    AbutCapsule c = fit(&one, 1);
    assert_true(c.radius == 0.0 && abut_point_distance(c.a, one) == 0.0 && abut_point_distance(c.b, one) == 0.0);
    for (int i = 0; i < 7; ++i) many[i] = one;
    assert_true(fit(many, 7).radius == 0.0);
    for (int i = 0; i < 7; ++i) /* on a line */
        many[i] = abut_add_scaled(one, abut_vec3(1, 2, -0.5), 0.1 * i * i);
    c = fit(many, 7);
    CHECK(c.radius < 1e-13);
    CHECK_NEAR(abut_point_distance(c.a, c.b), abut_point_distance(many[0], many[6]), 1e-12);
    for (int i = 0; i < 7; ++i) /* on a circle: a ball is best, or near it */
        many[i] = abut_vec3(cos(2 * ABUT_PI * i / 7), sin(2 * ABUT_PI * i / 7), 0);
    CHECK(compare(many, 7, 1) <= 1.03);
    AbutMesh ball;
    assert_int_equal(abut_mesh_make("sphere", 3000, NULL, &ball, NULL), ABUT_OK);
    c = fit(ball.vertices, ball.vertex_count);
    CHECK(abut_capsule_mass(c).volume <= 1.01 * abut_sphere_mass((AbutSphere){abut_zero(), 0.25}).volume);
    abut_mesh_free(&ball);
}

static void any_scale_and_place_is_fitted(void **state) {
    (void)state;
    AbutRng rng = abut_rng(8, 1);
    AbutVec3 base[30], moved[30];
    for (int i = 0; i < 30; ++i) base[i] = random_in_box(&rng, abut_vec3(0.3, 0.5, 1.0));
    AbutCapsule c = fit(base, 30);
    double scales[] = {1e-100, 1e-30, 1e-6, 1e6, 1e50, 1e100};
    for (int k = 0; k < 6; ++k) {
        for (int i = 0; i < 30; ++i) moved[i] = abut_scale(base[i], scales[k]);
        CHECK_NEAR(fit(moved, 30).radius / scales[k] / c.radius, 1.0, 1e-2);
    }
    for (int i = 0; i < 30; ++i) moved[i] = abut_add(base[i], abut_vec3(1e6, -1e6, 1e6));
    CHECK_NEAR(fit(moved, 30).radius / c.radius, 1.0, 1e-2);
    moved[0] = abut_vec3(0, 0, 0), moved[1] = abut_vec3(DBL_TRUE_MIN, 0, 0);
    fit(moved, 2);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    AbutCapsule c;
    AbutError error;
    AbutVec3 bad[3] = {{0, 0, 0}, {1, NAN, 0}, {0, 1, 0}};
    assert_int_equal(abut_capsule_around(bad, 0, &c, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_capsule_around(bad, -1, &c, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_capsule_around(bad, 3, &c, &error), ABUT_ERROR_NUMBER);
    bad[1].y = INFINITY;
    assert_int_equal(abut_capsule_around(bad, 3, &c, &error), ABUT_ERROR_NUMBER);
    bad[1].y = 1e200;
    assert_int_equal(abut_capsule_around(bad, 3, &c, &error), ABUT_ERROR_NUMBER);
}

/* Mass of a capsule by summing thin discs across a turned axis. */
static AbutMass sum_discs(AbutCapsule capsule) {
    AbutMass mass = {0};
    AbutVec3 axis = abut_normalize(abut_sub(capsule.b, capsule.a)), middle = abut_lerp(capsule.a, capsule.b, 0.5);
    double half = 0.5 * abut_point_distance(capsule.a, capsule.b), top = half + capsule.radius, along = 0, across = 0;
    int n = 200000;
    for (int i = 0; i < n; ++i) {
        double dz = 2 * top / n, z = -top + (i + 0.5) * dz, over = fmax(fabs(z) - half, 0.0);
        double r_sq = capsule.radius * capsule.radius - over * over, m = ABUT_PI * r_sq * dz;
        mass.volume += m;
        along += 0.5 * m * r_sq;
        across += m * (0.25 * r_sq + z * z);
    }
    mass.centroid = middle;
    mass.inertia = abut_mat3_add(
        abut_mat3_diagonal(across, across, across), abut_mat3_scale(abut_mat3_outer(axis, axis), along - across));
    return mass;
}

static void check_same_mass(AbutMass got, AbutMass want, double tolerance) {
    double size = abut_mat3_trace(want.inertia);
    CHECK_NEAR(got.volume / want.volume, 1.0, tolerance);
    CHECK_VEC_NEAR(got.centroid, want.centroid, tolerance);
    CHECK_VEC_NEAR(got.inertia.x, want.inertia.x, tolerance * size);
    CHECK_VEC_NEAR(got.inertia.y, want.inertia.y, tolerance * size);
    CHECK_VEC_NEAR(got.inertia.z, want.inertia.z, tolerance * size);
}

static void mass_is_the_integral(void **state) {
    (void)state;
    AbutRng rng = abut_rng(11, 1);
    for (int k = 0; k < 10; ++k) {
        AbutCapsule c = {random_in_box(&rng, abut_vec3(1, 1, 1)), random_in_box(&rng, abut_vec3(1, 1, 1)),
            abut_rng_between(&rng, 0.05, 1.0)};
        check_same_mass(abut_capsule_mass(c), sum_discs(c), 1e-8);
    }
    AbutVec3 center = abut_vec3(1, 2, 3);
    AbutMass ball = abut_sphere_mass((AbutSphere){center, 0.7}),
             round = abut_capsule_mass((AbutCapsule){center, center, 0.7});
    check_same_mass(ball, round, 1e-14);
    CHECK_NEAR(ball.area, round.area, 1e-14);
    CHECK_NEAR(ball.volume, 4.0 / 3.0 * ABUT_PI * 0.343, 1e-14);
    CHECK_NEAR(ball.inertia.y.y, 0.4 * ball.volume * 0.49, 1e-14);
    CHECK_NEAR(abut_capsule_mass((AbutCapsule){abut_zero(), abut_vec3(0, 0, 2), 0.5}).area, ABUT_PI * 3.0, 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clouds_are_within_a_few_percent),
        cmocka_unit_test(made_shapes_are_within_a_few_percent),
        cmocka_unit_test(true_capsule_is_found),
        cmocka_unit_test(large_clouds_are_contained),
        cmocka_unit_test(degenerate_sets_have_a_capsule),
        cmocka_unit_test(any_scale_and_place_is_fitted),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(mass_is_the_integral),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
