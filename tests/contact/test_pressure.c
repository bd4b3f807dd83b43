/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forces of pressure: their derivative is that of differences, closed loops take no work but by the error of the
 * samples, which falls with the spacing; closed forms of fields are distances; a face on a floor is pressed as by hand.
 */
#include "direction/soft_pairs.h"
#include "abut/contact.h"
#include "abut/literature.h"

#include <string.h>

enum { BAR = 5, PEG = 7 };

static AbutPressureBody surface_of(const AbutSoftBody *body) { return (AbutPressureBody){body, NULL}; }

static AbutPressure press(const AbutSoftBody *a, const AbutSoftBody *b, AbutPose pose, AbutPressureDef def) {
    AbutPressure p = abut_pressure_force(surface_of(a), surface_of(b), pose, &def);
    assert_int_equal(p.valid, 1);
    return p;
}

static const AbutPressureDef law = {.pressure = 1e4, .reach = 0.03, .derivative = 1};

/* One of the pairs where a run has few cases: making their fields takes most of the time. */
static int pressed_pairs(void) { return check_cases(1) < 50 ? 1 : PAIRS; }

/* A pose at which the bodies press on each other. */
static AbutPose pressed_pose(AbutRng *rng, const SoftPair *p) {
    for (;;) {
        AbutPose pose = near_pose(rng, p);
        AbutPressure f = press(p->a, p->b, pose, law);
        if (f.samples > 20 && f.nearest > -0.05) return pose;
    }
}

static double six(const AbutPressure *p, int i) { return abut_get(i < 3 ? p->force : p->torque, i % 3); }

/* Moved by `by` along axis k, or turned about it through the origin of B. */
static AbutPose nudged(AbutPose pose, int k, double by) {
    if (k < 3) return abut_pose(abut_add_scaled(pose.p, abut_axis(k), by), pose.q);
    return abut_pose(pose.p, abut_quat_mul(abut_quat_axis_angle(abut_axis(k - 3), by), pose.q));
}

static void derivative_is_that_of_differences(void **state) {
    (void)state;
    const double h = 1e-6;
    AbutRng rng = abut_rng(11, 1);
    for (int i = 0; i < check_cases(10); ++i) {
        const SoftPair *p = soft_pair(i % pressed_pairs());
        AbutPose pose = pressed_pose(&rng, p);
        AbutPressure at = press(p->a, p->b, pose, law);
        double size = 0.0;
        for (int r = 0; r < 36; ++r) size = fmax(size, fabs(at.derivative[r / 6][r % 6]));
        for (int k = 0; k < 6; ++k) {
            AbutPressure low = press(p->a, p->b, nudged(pose, k, -h), law),
                         high = press(p->a, p->b, nudged(pose, k, h), law);
            for (int r = 0; r < 6; ++r)
                CHECK_NEAR((six(&high, r) - six(&low, r)) / (2.0 * h), at.derivative[r][k], 1e-6 * size);
        }
    }
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

typedef struct Loop {
    AbutPose pose;
    AbutVec3 first, second, turn[2]; /* circle of the way, axes of the turn */
} Loop;

static Loop random_loop(AbutRng *rng, AbutPose pose) {
    Loop l = {pose, abut_random_direction(rng), abut_zero(), {abut_random_direction(rng), abut_random_direction(rng)}};
    l.second = abut_cross(l.first, abut_perpendicular(l.first));
    return l;
}

/* 2 cm around, and 0.15 rad to and fro. */
static AbutPose on_loop(const Loop *l, double t) {
    double c = cos(2.0 * ABUT_PI * t), s = sin(2.0 * ABUT_PI * t);
    AbutVec3 p = abut_add(abut_scale(l->first, 0.02 * c), abut_scale(l->second, 0.02 * s));
    AbutVec3 turn = abut_add(abut_scale(l->turn[0], 0.15 * c), abut_scale(l->turn[1], 0.15 * s));
    return abut_pose(abut_add(l->pose.p, p), abut_quat_mul(abut_quat_exp(turn), l->pose.q));
}

typedef struct Work {
    double sum, all;
} Work;

typedef void WrenchFunction(const SoftPair *p, AbutPose pose, AbutVec3 *force, AbutVec3 *torque);

static Work work_of(const SoftPair *p, const Loop *l, WrenchFunction *wrench, int steps) {
    Work w = {0.0, 0.0};
    for (int i = 0; i < steps; ++i) {
        AbutPose from = on_loop(l, (double)i / steps), to = on_loop(l, (i + 1.0) / steps);
        AbutVec3 force, torque, turn = abut_quat_log(abut_quat_mul(to.q, abut_quat_conj(from.q)));
        wrench(p, on_loop(l, (i + 0.5) / steps), &force, &torque);
        double done = abut_dot(force, abut_sub(to.p, from.p)) + abut_dot(torque, turn);
        w.sum += done;
        w.all += fabs(done);
    }
    return w;
}

static void pressure_wrench(const SoftPair *p, AbutPose pose, AbutVec3 *force, AbutVec3 *torque) {
    AbutPressureDef plain = law;
    plain.derivative = 0;
    AbutPressure f = press(p->a, p->b, pose, plain);
    *force = f.force, *torque = f.torque;
}

static void potential_wrench(const SoftPair *p, AbutPose pose, AbutVec3 *force, AbutVec3 *torque) {
    AbutSoft s = ask(p, pose);
    (void)abut_soft_potential(&s, 1e3, 0.05, force, torque);
}

/* Largest part of the work that a loop leaves over. */
static double worst_loop(int number, const SoftPair *p, WrenchFunction *wrench, int loops, int steps) {
    AbutRng rng = abut_rng(12, 1);
    double worst = 0.0;
    for (int i = 0; i < loops; ++i) {
        Loop l = random_loop(&rng, abut_direction_case_pose(number, (i + 0.5) / loops));
        Work w = work_of(p, &l, wrench, steps);
        worst = fmax(worst, w.all > 0.0 ? fabs(w.sum) / w.all : 0.0);
    }
    return worst;
}

/* Power 4, reach 0.03: at most 0.04 at a spacing of 1 cm, and a third of it at half the spacing. The spoon is 12 mm
 * thick: a spacing of half of that tells its sides apart. */
static void loops_take_no_work(void **state) {
    (void)state;
    int few = check_cases(1) < 50, loops = few ? 3 : 12; /* fine fields take long to make */
    for (int k = 0; k < PAIRS; ++k) {
        AbutMesh a, b;
        AbutError error;
        double worst[2] = {0.0, 0.0};
        if (k == PLATE || k == PEG || (few && k != BAR)) continue; /* plate and peg: boxes, as the others */
        good(abut_direction_case_meshes(k, &a, &b, &error), &error);
        for (int fine = 0; fine < (few ? 1 : 2); ++fine) {
            double spacing = k == SPOON ? 0.006 : 0.01;
            SoftPair p = open_pair(&a, &b, fine ? 0.5 * spacing : spacing);
            worst[fine] = worst_loop(k, &p, pressure_wrench, loops, 200);
            close_pair(&p);
        }
        if (getenv("ABUT_TEST_VERBOSE"))
            print_message("loops, pair %d: %.5f, %.5f at half the spacing\n", k, worst[0], worst[1]);
        CHECK(worst[0] <= 0.04);
        CHECK(few || worst[1] <= worst[0] / 3.0 + 1e-4);
        abut_mesh_free(&a);
        abut_mesh_free(&b);
    }
}

static void potential_takes_no_work(void **state) {
    (void)state;
    for (int k = 0; k < pressed_pairs(); ++k) {
        double worst = worst_loop(k, soft_pair(k), potential_wrench, check_cases(1) < 50 ? 2 : 12, 400);
        CHECK(worst <= 1e-3);
    }
    AbutSoft none = {.outcome = ABUT_SOFT_INVALID};
    none.distance = none.gradient_move.x = none.gradient_turn.y = NAN;
    AbutVec3 force, torque;
    CHECK(abut_soft_potential(&none, 1.0, 1.0, &force, &torque) == 0.0 && force.x == 0.0 && torque.y == 0.0);
}

/* ---- what must hold ---------------------------------------------------------------------------------------------- */

/* The same from the other side, and as the whole is moved; the points add up to it. */
static void both_sides_agree(void **state) {
    (void)state;
    AbutRng rng = abut_rng(13, 1);
    for (int i = 0; i < check_cases(10); ++i) {
        const SoftPair *p = soft_pair(i % pressed_pairs());
        AbutPose pose = pressed_pose(&rng, p), back = abut_pose_inv(pose);
        AbutPressure f = press(p->a, p->b, pose, law), g = press(p->b, p->a, back, law);
        AbutVec3 sum = abut_zero(), expected = abut_neg(abut_quat_rotate(pose.q, g.force));
        double size = 1e-12 * f.load, load = 0.0;
        CHECK_VEC_NEAR(f.force, expected, size);
        /* about the origin of A, that of B against A */
        AbutVec3 about_a = abut_add(f.torque, abut_cross(pose.p, f.force));
        CHECK_VEC_NEAR(about_a, abut_neg(abut_quat_rotate(pose.q, g.torque)), 10.0 * size);
        for (int k = 0; k < f.point_count; ++k) {
            sum = abut_add(sum, f.point[k].force);
            load += f.point[k].load;
            CHECK(f.point[k].load > 0.0 && f.point[k].stiffness > 0.0);
        }
        CHECK_VEC_NEAR(sum, f.force, size);
        CHECK_NEAR(load, f.load, size);
        CHECK(abut_length(f.force) <= f.load && f.nearest < law.reach && f.area > 0.0);
    }
}

/* A box over a floor: its face is pressed as the law says, twice, for the floor has no samples. */
static void floor_presses_a_face(void **state) {
    (void)state;
    const double sides[3] = {0.4, 0.3, 0.2};
    AbutMesh mesh;
    AbutError error;
    good(abut_mesh_make("box", 12, sides, &mesh, &error), &error);
    AbutSoftBody *box = soft_body(&mesh, 0.005);
    AbutPlane ground = {abut_axis(2), 0.0};
    AbutConvex floor_solid = abut_convex_half_space(ground, 0.0);
    AbutPressureBody floor_body = {NULL, &floor_solid};
    for (double gap = -0.02; gap < 0.035; gap += 0.005) {
        AbutPose pose = abut_pose(abut_vec3(3.0, -2.0, 0.1 + gap), abut_quat_identity());
        AbutPressureDef def = {.pressure = 500.0, .reach = 0.02, .power = 3};
        AbutPressure p = abut_pressure_force(floor_body, surface_of(box), pose, &def);
        double x = fmax(0.0, (0.02 - gap) / 0.02);
        CHECK_VEC_NEAR(p.force, abut_vec3(0.0, 0.0, 2.0 * 500.0 * x * x * x * 0.12), 0.01 * 120.0 * x * x * x + 0.2);
        CHECK_VEC_NEAR(p.torque, abut_zero(), 0.01 * 0.2 * 120.0 * x * x * x + 0.01);
        AbutPressure other = abut_pressure_force(surface_of(box), floor_body, abut_pose_inv(pose), &def);
        CHECK_VEC_NEAR(other.force, abut_neg(p.force), 1e-9);
    }
    abut_soft_body_free(box);
    abut_mesh_free(&mesh);
}

/* Closed forms of fields: a tiny body is pressed where the distance of the solid says so, along its gradient. */
static void closed_forms_are_distances(void **state) {
    (void)state;
    AbutMesh mesh;
    AbutError error;
    const double size[1] = {1e-4};
    good(abut_mesh_make("sphere", 100, size, &mesh, &error), &error);
    AbutSoftBody *probe = soft_body(&mesh, 2e-5);
    AbutPolyhedron *box;
    good(abut_polyhedron_box(abut_vec3(0.3, 0.2, 0.1), &box, &error), &error);
    AbutPlane tilted = {abut_normalize(abut_vec3(1, 2, 3)), 0.1};
    const AbutConvex solids[] = {abut_convex_point(abut_vec3(0.1, 0, 0), 0.2),
        abut_convex_segment(abut_vec3(0, 0, -0.2), abut_vec3(0, 0, 0.2), 0.1), abut_convex_cylinder(0.2, 0.15, 0.0),
        abut_convex_half_space(tilted, 0.05), abut_convex_box(abut_vec3(0.3, 0.2, 0.1), 0.01),
        abut_convex_polyhedron(box, 0.0)};
    AbutRng rng = abut_rng(14, 1);
    for (int i = 0; i < check_cases(300); ++i) {
        const AbutConvex *solid = &solids[i % 6];
        AbutVec3 at = abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0.0, 0.6));
        AbutConvex point = abut_convex_point(at, 0.0);
        AbutGap d = abut_convex_distance(solid, &point, abut_pose_identity(), NULL, NULL);
        AbutPressureDef def = {.pressure = 1.0, .reach = 1.0, .power = 2};
        AbutPressure p = abut_pressure_force(
            (AbutPressureBody){NULL, solid}, surface_of(probe), abut_pose(at, abut_quat_identity()), &def);
        assert_int_equal(p.valid, 1);
        if (i % 6 < 5 || d.distance < 0.0)             /* beyond the edges of a polyhedron it is less */
            CHECK_NEAR(p.nearest, d.distance, 1.2e-4); /* the probe is so large */
        else
            CHECK(p.nearest <= d.distance);
        /* the force of a small body in a field of pressure is minus the gradient times its volume, twice here */
        if (fabs(d.distance) > 0.01 && i % 6 < 5 && abut_length(p.force) > 0.0)
            CHECK(abut_dot(abut_normalize(p.force), d.normal) > 0.98 || d.distance < 0.0);
    }
    abut_soft_body_free(probe);
    abut_polyhedron_free(box);
    abut_mesh_free(&mesh);
}

static void bad_input_is_told(void **state) {
    (void)state;
    const SoftPair *p = soft_pair(0);
    AbutPressureBody a = surface_of(p->a), b = surface_of(p->b), none = {NULL, NULL};
    AbutConvex cone = abut_convex_cone(1.0, 1.0, 0.0);
    AbutPressureBody no_field = {p->a, &cone};
    AbutPose here = abut_pose_identity(), bad = here;
    const AbutPressureDef bads[] = {{.reach = 1.0}, {.pressure = 1.0}, {.pressure = NAN, .reach = 1.0},
        {.pressure = 1.0, .reach = INFINITY}, {.pressure = 1.0, .reach = 1.0, .power = 1},
        {.pressure = 1.0, .reach = 1.0, .power = 9}};
    bad.p.x = NAN;
    assert_int_equal(abut_pressure_force(a, b, bad, &law).valid, 0);
    bad.p.x = 0.0, bad.q.w = 2.0;
    assert_int_equal(abut_pressure_force(a, b, bad, &law).valid, 0);
    assert_int_equal(abut_pressure_force(none, b, here, &law).valid, 0);
    assert_int_equal(abut_pressure_force(a, none, here, &law).valid, 0);
    assert_int_equal(abut_pressure_force(no_field, b, here, &law).valid, 0);
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; ++i)
        assert_int_equal(abut_pressure_force(a, b, here, &bads[i]).valid, 0);
    AbutPressure far = abut_pressure_force(a, b, abut_pose(abut_vec3(9, 0, 0), here.q), &law);
    CHECK(far.valid && far.samples == 0 && far.nearest == law.reach && far.point_count == 0);
    CHECK(abut_length(far.force) == 0.0 && far.load == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivative_is_that_of_differences),
        cmocka_unit_test(loops_take_no_work),
        cmocka_unit_test(potential_takes_no_work),
        cmocka_unit_test(both_sides_agree),
        cmocka_unit_test(floor_presses_a_face),
        cmocka_unit_test(closed_forms_are_distances),
        cmocka_unit_test(bad_input_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, close_pairs);
}
