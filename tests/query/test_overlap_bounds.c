/* SPDX-License-Identifier: Apache-2.0 */
/* Polyhedra inside and around bodies, and bounds of overlap volumes, against formulas: whole bodies, lenses, caps. */
#include "query/overlap.h"
#include "abut/query.h"
#include "support/check.h"
#include "support/random_bodies.h"
#include "query/overlap.h"
#include "shape/round_mass.h"

static AbutPose at(double x, double y, double z) { return abut_pose(abut_vec3(x, y, z), abut_quat_identity()); }

/* The volume lies between the bounds, which differ by at most `part` of it. */
static void check_bounds(
    const AbutConvex *a, const AbutConvex *b, AbutPose pose, int directions, double volume, double part) {
    AbutVolume v = {.low = 0.0}, back = {.low = 0.0};
    AbutError error;
    good(abut_convex_overlap_volume(a, b, pose, directions, &v, &error), &error);
    good(abut_convex_overlap_volume(b, a, abut_pose_inv(pose), directions, &back, &error), &error);
    CHECK(v.low <= volume * (1 + 1e-12) && v.high >= volume * (1 - 1e-12));
    CHECK(v.high - v.low <= part * volume);
    CHECK_NEAR(back.low, v.low, 1e-9 * volume);
    CHECK_NEAR(back.high, v.high, 1e-9 * volume);
}

static void check_held(const AbutConvex *a, const AbutConvex *b, AbutPose pose, double volume) {
    AbutVolume v = {.low = 0.0};
    good(abut_convex_overlap_volume(a, b, pose, 0, &v, NULL), NULL);
    CHECK(v.low <= volume && v.high >= volume);
}

static void whole_bodies(void **state) {
    (void)state;
    AbutVec3 axes = abut_vec3(0.3, 0.7, 1.2);
    AbutCapsule capsule = {{0.1, 0.2, 0.3}, {0.7, -0.4, 0.5}, 0.25};
    AbutSphere sphere = {{1, 2, 3}, 0.5};
    const struct {
        AbutConvex body;
        double volume;
    } cases[] = {{abut_convex_cylinder(0.4, 0.9, 0), abut_cylinder_mass(0.4, 0.9).volume},
        {abut_convex_cone(0.4, 0.9, 0), abut_cone_mass(0.4, 0.9).volume},
        {abut_convex_ellipsoid(axes, 0), abut_ellipsoid_mass(axes).volume},
        {abut_convex_segment(capsule.a, capsule.b, capsule.radius), abut_capsule_mass(capsule).volume},
        {abut_convex_point(sphere.center, sphere.radius), abut_sphere_mass(sphere).volume},
        {abut_convex_box(abut_vec3(0.5, 0.5, 0.5), 0.1), 1 + 6 * 0.1 + 12 * ABUT_PI * 0.0025 + ABUT_PI * 0.004 / 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        AbutPolyhedron *inside, *around;
        AbutError error;
        good(abut_convex_polyhedra(&cases[i].body, 0, &inside, &around, &error), &error);
        CHECK(inside->mass.volume <= cases[i].volume && around->mass.volume >= cases[i].volume);
        CHECK(around->mass.volume - inside->mass.volume <= 0.04 * cases[i].volume);
        AbutMass mass;
        AbutStatus status = abut_convex_mass(&cases[i].body, &mass, &error);
        if (i + 1 == sizeof cases / sizeof cases[0])
            assert_int_equal(status, ABUT_ERROR_UNSUPPORTED); /* rounded */
        else
            CHECK(status == ABUT_OK && mass.volume == cases[i].volume && inside->mass.area <= mass.area &&
                  abut_point_distance(mass.centroid, inside->mass.centroid) <= 0.02);
        abut_polyhedron_free(inside);
        abut_polyhedron_free(around);
    }
}

static void masses_of_bodies_with_faces(void **state) {
    (void)state;
    AbutConvex box = abut_convex_box(abut_vec3(0.5, 1, 1.5), 0),
               floor = abut_convex_half_space((AbutPlane){{0, 0, 1}, 0}, 0);
    AbutPolyhedron *hull;
    AbutMass mass, other;
    AbutError error;
    good(abut_convex_mass(&box, &mass, &error), &error);
    CHECK_NEAR(mass.volume, 6, 1e-14);
    CHECK_NEAR(mass.area, 22, 1e-14);
    CHECK_NEAR(mass.inertia.x.x, 6 * (4.0 + 9.0) / 12, 1e-13);
    good(abut_polyhedron_box(abut_vec3(0.5, 1, 1.5), &hull, &error), &error);
    AbutConvex sharp = abut_convex_polyhedron(hull, 0), soft = abut_convex_polyhedron(hull, 0.1);
    good(abut_convex_mass(&sharp, &other, &error), &error);
    assert_memory_equal(&mass, &other, sizeof mass);
    assert_int_equal(abut_convex_mass(&soft, &other, &error), ABUT_ERROR_UNSUPPORTED);
    assert_int_equal(abut_convex_mass(&floor, &other, &error), ABUT_ERROR_UNSUPPORTED);
    abut_polyhedron_free(hull);
}

static void lenses_and_caps(void **state) {
    (void)state;
    AbutConvex ball = abut_convex_point(abut_zero(), 1), can = abut_convex_cylinder(0.5, 1, 0),
               egg = abut_convex_ellipsoid(abut_vec3(1, 2, 3), 0), cone = abut_convex_cone(1, 1, 0);
    AbutPlane floor = {{0, 0, 1}, 0};
    AbutConvex ground = abut_convex_half_space(floor, 0);
    double d = 1.2, lens = ABUT_PI * (4 + d) * (2 - d) * (2 - d) / 12; /* unit balls d apart */
    check_bounds(&ball, &ball, at(d, 0, 0), 0, lens, 0.06);
    check_bounds(&ball, &ball, at(d, 0, 0), 4000, lens, 0.01);
    check_bounds(&egg, &egg, at(d, 0, 0), 0, 6 * lens, 0.06);
    check_bounds(&can, &can, at(0, 0, 1.5), 0, 0.5 * ABUT_PI * 0.25, 1e-3);
    check_bounds(&ground, &ball, at(0, 0, 0.4), 0, ABUT_PI * 0.36 * (3 - 0.6) / 3, 0.06);
    check_bounds(&ground, &cone, at(0, 0, 0), 0, ABUT_PI / 3 * 2 * (1 - 1.0 / 8), 1e-3);
}

/* Long thin bodies, whose polyhedra lose faces to merging: the volume is between the bounds all the same. */
static void long_and_thin(void **state) {
    (void)state;
    for (double ratio = 1e3; ratio < 2e8; ratio *= 10.0) {
        double r = 1 / sqrt(ratio), h = sqrt(ratio);
        AbutCapsule capsule = {{0, 0, -h}, {0, 0, h}, r};
        AbutConvex can = abut_convex_cylinder(r, h, 0), cone = abut_convex_cone(r, h, 0),
                   pill = abut_convex_segment(capsule.a, capsule.b, capsule.radius),
                   around = abut_convex_box(abut_vec3(2 * h, 2 * h, 2 * h), 0),
                   cut = abut_convex_box(abut_vec3(1, 1, 1), 0);
        AbutPose across = abut_pose(abut_zero(), abut_quat_axis_angle(abut_axis(0), 0.5 * ABUT_PI));
        check_held(&can, &cut, at(0, 0, 0), 2 * ABUT_PI * r * r);
        check_held(&can, &around, at(0, 0, 0), abut_cylinder_mass(r, h).volume);
        check_held(&can, &can, across, 16 * r * r * r / 3);
        check_held(&cone, &around, at(0, 0, 0), abut_cone_mass(r, h).volume);
        check_held(&pill, &around, at(0, 0, 0), abut_capsule_mass(capsule).volume);
    }
}

static void faces_have_one_volume(void **state) {
    (void)state;
    AbutRng rng = abut_rng(74, 1);
    for (int i = 0; i < check_cases(50); ++i) {
        AbutPolyhedron *hull = random_hull(&rng, 20, abut_vec3(0.4, 0.6, 0.8));
        AbutConvex box = abut_convex_box(abut_vec3(0.5, 0.4, 0.3), 0), body = abut_convex_polyhedron(hull, 0);
        AbutVolume v;
        good(abut_convex_overlap_volume(&box, &body, random_pose(&rng, 0.5), 0, &v, NULL), NULL);
        CHECK(v.low == v.high);
        abut_polyhedron_free(hull);
    }
}

static void nothing_in_common(void **state) {
    (void)state;
    AbutConvex ball = abut_convex_point(abut_zero(), 1), dot = abut_convex_point(abut_zero(), 0),
               sheet = abut_convex_plane((AbutPlane){{0, 0, 1}, 0}, 0),
               ground = abut_convex_half_space((AbutPlane){{0, 0, 1}, 0}, 0), bad = abut_convex_cylinder(-1, 1, 0);
    AbutVolume v = {.low = 1.0, .high = 1.0};
    AbutPolyhedron *inside, *around;
    good(abut_convex_overlap_volume(&ball, &ball, at(3, 0, 0), 0, &v, NULL), NULL);
    CHECK(v.low == 0 && v.high == 0);
    good(abut_convex_overlap_volume(&ball, &dot, at(0, 0, 0), 0, &v, NULL), NULL);
    CHECK(v.low == 0 && v.high == 0);
    good(abut_convex_overlap_volume(&sheet, &ball, at(0, 0, 0), 0, &v, NULL), NULL);
    CHECK(v.low == 0 && v.high == 0);
    good(abut_convex_overlap_volume(&ground, &ground, at(0, 0, 0), 0, &v, NULL), NULL);
    CHECK(v.low == INFINITY && v.high == INFINITY);
    assert_int_equal(abut_convex_overlap_volume(&bad, &ball, at(0, 0, 0), 0, &v, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_convex_overlap_volume(&ball, &ball, at(NAN, 0, 0), 0, &v, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_convex_overlap_volume(&ball, &ball, at(0, 0, 0), 5, &v, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_convex_polyhedra(&ground, 0, &inside, &around, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_convex_polyhedra(&dot, 0, &inside, &around, NULL), ABUT_ERROR_DEGENERATE);
    assert_true(!inside && !around);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_bodies),
        cmocka_unit_test(masses_of_bodies_with_faces),
        cmocka_unit_test(lenses_and_caps),
        cmocka_unit_test(long_and_thin),
        cmocka_unit_test(faces_have_one_volume),
        cmocka_unit_test(nothing_in_common),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
