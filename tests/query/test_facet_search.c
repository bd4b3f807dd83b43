/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Depth of large polyhedra: the search over arcs against the exhaustive reference, known depths of bodies in
 * themselves, and the number of support points, which may grow no faster than the bodies.
 */
#include "oracle/convex_oracle.h"
#include "query/convex_pair.h"
#include "support/check.h"
#include "support/random_bodies.h"

enum { MAX_POINTS = 12000 };
static AbutVec3 points[MAX_POINTS];

/* The search alone, knowing nothing. */
static AbutFacet facet_of(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, int32_t *supports) {
    AbutPairView pair;
    AbutFacet nothing = {0};
    assert_true(abut_pair_view(&pair, a, b, b_in_a));
    AbutFacet facet = abut_facet_search(&pair, &nothing);
    *supports = pair.supports;
    return facet;
}

static void check_search(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a) {
    OracleBody oa = oracle_body(a, abut_pose_identity()), ob = oracle_body(b, b_in_a);
    OracleDistance truth = oracle_distance(&oa, &ob, 0);
    double size = (double)(oa.size + ob.size);
    int32_t supports;
    if (truth.distance < 0.0L) {
        AbutFacet facet = facet_of(a, b, b_in_a, &supports);
        CHECK(facet.found && facet.gap <= 1e-10 * size);
        CHECK_NEAR(facet.depth, -(double)truth.distance, 1e-13 * size + facet.gap);
    }
    oracle_body_free(&oa);
    oracle_body_free(&ob);
}

static AbutVec3 random_axes(AbutRng *rng) {
    return abut_vec3(pow(10.0, abut_rng_between(rng, -1.5, 0.0)), pow(10.0, abut_rng_between(rng, -1.5, 0.0)), 1.0);
}

static void random_hulls(void **state) {
    (void)state;
    AbutRng rng = abut_rng(611, 0);
    for (int k = check_cases(600); k > 0; --k) {
        int na = 4 + (int)abut_rng_below(&rng, 60), nb = 4 + (int)abut_rng_below(&rng, 60);
        AbutPolyhedron *pa = random_hull(&rng, na, random_axes(&rng)), *pb = random_hull(&rng, nb, random_axes(&rng));
        AbutConvex a = abut_convex_polyhedron(pa, 0.0), b = abut_convex_polyhedron(pb, 0.0);
        check_search(&a, &b, random_pose(&rng, k % 3 == 0 ? 0.0 : 0.3));
        abut_polyhedron_free(pa);
        abut_polyhedron_free(pb);
    }
}

/* Polygons of no thickness against solids and each other: arcs of half a turn. */
static void flat_hulls(void **state) {
    (void)state;
    AbutRng rng = abut_rng(612, 0);
    for (int k = check_cases(300); k > 0; --k) {
        AbutPolyhedron *pa = random_hull(&rng, 3 + k % 20, abut_vec3(1.0, 0.5, 0.0));
        AbutPolyhedron *pb = random_hull(&rng, 4 + k % 30, abut_vec3(0.5, 1.0, 0.8));
        AbutConvex a = abut_convex_polyhedron(pa, 0.0), b = abut_convex_polyhedron(pb, 0.0);
        AbutPose pose = random_pose(&rng, 0.2);
        check_search(&a, &b, pose);
        check_search(&b, &a, abut_pose_inv(pose));
        abut_polyhedron_free(pa);
        abut_polyhedron_free(pb);
    }
}

/* Points spread evenly over the unit sphere along a spiral, with their opposites: the hull is its own mirror image. */
static AbutPolyhedron *spiral(int half) {
    for (int i = 0; i < half; ++i) {
        double z = (i + 0.5) / half, r = sqrt(1.0 - z * z), angle = 2.399963229728653 * i;
        points[2 * i] = abut_vec3(r * cos(angle), r * sin(angle), z);
        points[2 * i + 1] = abut_neg(points[2 * i]);
    }
    return hull_of(points, 2 * half);
}

/* A body that is its own mirror image, in itself: the way out is across its nearest face, twice. */
static int32_t check_in_itself(const AbutPolyhedron *p) {
    double nearest = INFINITY;
    int32_t supports;
    AbutConvex a = abut_convex_polyhedron(p, 0.0);
    for (int f = 0; f < p->face_count; ++f) nearest = fmin(nearest, abut_polyhedron_faces(p)[f].plane.offset);
    AbutFacet facet = facet_of(&a, &a, abut_pose_identity(), &supports);
    CHECK(facet.found);
    CHECK_NEAR(facet.depth, 2.0 * nearest, 1e-10);
    AbutGap d = abut_convex_distance(&a, &a, abut_pose_identity(), NULL, NULL);
    assert_int_equal(d.outcome, ABUT_PENETRATING);
    CHECK_NEAR(d.distance, -2.0 * nearest, 1e-10);
    return supports;
}

/* Turned against each other there is no formula: both ways round agree, and the move parts them. */
static void check_turned(const AbutPolyhedron *p, AbutPose pose) {
    AbutConvex a = abut_convex_polyhedron(p, 0.0);
    AbutWork work = {0};
    AbutGapDef counted = {.work = &work};
    AbutGap ab = abut_convex_distance(&a, &a, pose, &counted, NULL);
    AbutGap ba = abut_convex_distance(&a, &a, abut_pose_inv(pose), NULL, NULL);
    assert_int_equal(ab.outcome, ABUT_PENETRATING);
    assert_int_equal(ba.outcome, ABUT_PENETRATING);
    CHECK(ab.error <= 1e-10 && ba.error <= 1e-10);
    CHECK_NEAR(ab.distance, ba.distance, 1e-12 + ab.error + ba.error);
    CHECK(work.supports < 40 * p->vertex_count + 8000);
    pose.p = abut_add_scaled(pose.p, ab.normal, -ab.distance + 1e-9);
    assert_int_equal(abut_convex_meet(&a, &a, pose, NULL), 0);
}

static void large_spheres(void **state) {
    (void)state;
    AbutRng rng = abut_rng(613, 0);
    for (int half = 600; half <= MAX_POINTS / 2; half *= 3) {
        AbutPolyhedron *p = spiral(half);
        CHECK(check_in_itself(p) < 40 * p->vertex_count);
        check_turned(p, random_pose(&rng, 0.0));
        check_turned(p, random_pose(&rng, 0.5));
        abut_polyhedron_free(p);
    }
}

static void coaxial_prisms(void **state) {
    (void)state;
    for (int sides = 500; sides <= 4000; sides *= 2) {
        AbutPolyhedron *p;
        AbutError error;
        good(abut_polyhedron_prism(sides, 0.5, 0.5, 2.0, &p, &error), &error);
        CHECK(check_in_itself(p) < 40 * p->vertex_count);
        for (int k = 0; k < 3; ++k) {
            AbutPose pose = abut_pose_identity();
            pose.q = abut_quat_axis_angle(abut_axis(k), k == 2 ? 0.3 / sides : 0.5 * ABUT_PI);
            pose.p.z = 0.25;
            check_turned(p, pose);
        }
        abut_polyhedron_free(p);
    }
}

/* Most by which a point lies outside a polyhedron. */
static double outside(const AbutPolyhedron *p, AbutVec3 x) {
    double most = -INFINITY;
    for (int f = 0; f < p->face_count; ++f) {
        AbutPlane plane = abut_polyhedron_faces(p)[f].plane;
        most = fmax(most, abut_dot(plane.normal, x) - plane.offset);
    }
    return most;
}

/* Facets of hundreds of vertices: the witness points lie on both bodies wherever the vertices begin to count. */
static void witness_of_large_facets(void **state) {
    (void)state;
    AbutRng rng = abut_rng(614, 0);
    for (int sides = 40; sides <= 4000; sides *= 10) {
        AbutPolyhedron *p;
        AbutError error;
        good(abut_polyhedron_prism(sides, 0.5, 0.5, 2.0, &p, &error), &error);
        AbutConvex a = abut_convex_polyhedron(p, 0.0);
        for (int k = 0; k < 8; ++k) {
            AbutVec3 at = abut_vec3(abut_rng_between(&rng, -0.5, 0.5), abut_rng_between(&rng, -0.5, 0.5), 1.99);
            AbutPose pose = abut_pose(at, abut_quat_axis_angle(abut_axis(2), abut_rng_between(&rng, 0.0, 6.0)));
            AbutPairView pair;
            assert_true(abut_pair_view(&pair, &a, &a, pose));
            AbutSimplex s = abut_facet_witness(&pair, abut_axis(2), 0.01);
            AbutVec3 pa = abut_zero(), pb = abut_zero();
            for (int i = 0; i < s.count; ++i) {
                pa = abut_add_scaled(pa, abut_add(s.p[i].w, s.p[i].b), s.weight[i]);
                pb = abut_add_scaled(pb, s.p[i].b, s.weight[i]);
            }
            CHECK_VEC_NEAR(abut_sub(pa, pb), abut_vec3(0.0, 0.0, 0.01), 1e-12);
            CHECK(outside(p, pa) <= 1e-12 && outside(p, abut_pose_apply_inv(pose, pb)) <= 1e-12);
        }
        abut_polyhedron_free(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_hulls),
        cmocka_unit_test(flat_hulls),
        cmocka_unit_test(large_spheres),
        cmocka_unit_test(coaxial_prisms),
        cmocka_unit_test(witness_of_large_facets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
