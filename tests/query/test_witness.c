/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Witness points of bodies of every kind with every kind, deep in each other and nearly aligned: middles in the same
 * place or a little aside, axes that agree or are 1e-12 to 1e-2 apart, sizes that are equal or not. Both points have to
 * lie in their bodies, and B's differs from A's by the distance along the normal. How far a point lies outside a body
 * is the largest excess of the point over the extents of the body, in long double.
 */
#include "oracle/extent_oracle.h"
#include "oracle/oracle_vec.h"
#include "support/check.h"
#include "support/random_bodies.h"

enum { KINDS = ABUT_CONVEX_KIND_COUNT, PASSES = 11, ANGLES = 11 };

static char asked[240]; /* the pair that is judged, to be named when it fails */

static int is_endless(const AbutConvex *c) { return c->kind == ABUT_CONVEX_HALF_SPACE || c->kind == ABUT_CONVEX_PLANE; }

static AbutVec3 inner_farthest(AbutVec3 d, const void *user) { return abut_convex_farthest(user, d); }

/* Sizes from a short list, so that two bodies often have one in common. */
static double some_size(AbutRng *rng) {
    static const double sizes[5] = {0.25, 0.5, 1.0, 1.2, 2.0};
    return sizes[abut_rng_below(rng, 5)];
}

static AbutConvex make_body(AbutRng *rng, AbutConvexKind kind, const AbutPolyhedron *hull, AbutConvex *inner) {
    double r = some_size(rng), h = some_size(rng), other = abut_rng_below(rng, 2) ? r : some_size(rng);
    double radius = abut_rng_below(rng, 4) ? 0.0 : 0.125;
    AbutPlane plane = {abut_axis((int)abut_rng_below(rng, 3)), -0.5};
    switch (kind) {
    case ABUT_CONVEX_POINT:
        return abut_convex_point(abut_zero(), r);
    case ABUT_CONVEX_SEGMENT:
        return abut_convex_segment(abut_vec3(0, 0, -h), abut_vec3(0, 0, h), radius);
    case ABUT_CONVEX_TRIANGLE:
        return abut_convex_triangle(abut_vec3(-r, -r, 0), abut_vec3(r, -r, 0), abut_vec3(0, h, 0), radius);
    case ABUT_CONVEX_BOX:
        return abut_convex_box(abut_vec3(r, other, h), radius);
    case ABUT_CONVEX_POLYHEDRON:
        return abut_convex_polyhedron(hull, radius);
    case ABUT_CONVEX_CYLINDER:
        return abut_convex_cylinder(r, h, radius);
    case ABUT_CONVEX_CONE:
        return abut_convex_cone(r, h, radius);
    case ABUT_CONVEX_HALF_SPACE:
        return abut_convex_half_space(plane, radius);
    case ABUT_CONVEX_PLANE:
        return abut_convex_plane(plane, radius);
    case ABUT_CONVEX_SUPPORT:
        *inner = make_body(rng, abut_rng_below(rng, 2) ? ABUT_CONVEX_CYLINDER : ABUT_CONVEX_BOX, hull, NULL);
        inner->radius = 0.0;
        return abut_convex_support(inner_farthest, inner, radius);
    default:
        return abut_convex_ellipsoid(abut_vec3(r, other, h), radius);
    }
}

/* Turned by 1e-12 to 1e-2, or not, and by quarter turns; moved little, or not, or a good way. */
static AbutPose place(AbutRng *rng, int angle) {
    double turn = angle == 0 ? 0.0 : pow(10, -1 - angle), away = abut_rng_below(rng, 2) ? 0.0 : turn;
    AbutVec3 about = abut_rng_below(rng, 2) ? abut_axis((int)abut_rng_below(rng, 3)) : abut_random_direction(rng);
    AbutQuat quarter =
        abut_quat_axis_angle(abut_axis((int)abut_rng_below(rng, 3)), (double)abut_rng_below(rng, 2) * 0.5 * ABUT_PI);
    if (abut_rng_below(rng, 3) == 0) away = 0.1;
    AbutVec3 p = abut_scale(abut_rng_below(rng, 2) ? about : abut_random_direction(rng), away);
    return abut_pose(p, abut_quat_mul(abut_quat_axis_angle(about, turn), quarter));
}

/* How far the point, in the frame of the body, lies outside; negative: inside. */
static double outside(const AbutConvex *c, AbutVec3 p) {
    if (is_endless(c)) {
        double over = abut_dot(c->p[0], p) - c->p[1].x;
        return (c->kind == ABUT_CONVEX_PLANE ? fabs(over) : over) - c->radius;
    }
    AbutConvex dot = abut_convex_point(p, 0.0);
    ExtentPair q = extent_pair(c, &dot, abut_pose_identity());
    return (double)extent_everywhere(&q, ov_unit(ov_from(abut_add(p, abut_vec3(1e-9, 0, 0)))));
}

static void check_points(const ExtentPair *q, const AbutGap *d) {
    int vertices = q->a->kind <= ABUT_CONVEX_POLYHEDRON && q->b->kind <= ABUT_CONVEX_POLYHEDRON;
    double promised = vertices || d->distance > 0.0 ? 1e-12 : d->distance > -0.02 * q->size ? 1e-9 : 1e-6;
    double out_a = outside(q->a, d->point_a), out_b = outside(q->b, abut_pose_apply_inv(q->pose, d->point_b));
    CHECK_VEC_NEAR(abut_sub(d->point_b, d->point_a), abut_scale(d->normal, d->distance), 1e-14 * q->size);
    double most = d->outcome == ABUT_NOT_CONVERGED ? d->error : fmin(promised * q->size, d->error + 1e-14 * q->size);
    CHECK(d->outcome != ABUT_NOT_CONVERGED || q->a->kind == ABUT_CONVEX_SUPPORT || q->b->kind == ABUT_CONVEX_SUPPORT);
    CHECK(out_a <= most);
    CHECK(out_b <= most);
}

static void ask(AbutRng *rng, int kinds, int angle, const AbutPolyhedron *hull) {
    AbutConvex inner[2], a = make_body(rng, (AbutConvexKind)(kinds / KINDS), hull, &inner[0]),
                         b = make_body(rng, (AbutConvexKind)(kinds % KINDS), hull, &inner[1]);
    AbutPose pose = place(rng, angle);
    ExtentPair q = extent_pair(&a, &b, pose);
    AbutGap d = abut_convex_distance(&a, &b, pose, NULL, NULL);
    if (!isfinite(d.distance)) return; /* endless bodies that no move parts */
    snprintf(asked, sizeof asked,
        "kinds %d and %d, angle %d, sizes %g %g %g, %g %g %g: distance %.17g, gap %g, outcome %d", kinds / KINDS,
        kinds % KINDS, angle, a.p[0].x, a.p[0].y, a.p[0].z, b.p[0].x, b.p[0].y, b.p[0].z, d.distance, d.error,
        (int)d.outcome);
    check_points(&q, &d);
    asked[0] = 0;
}

static void points_lie_in_their_bodies(void **state) {
    (void)state;
    AbutRng rng = abut_rng(103, 1);
    for (int i = 0; i < check_cases(PASSES); ++i) {
        AbutPolyhedron *hull = random_hull(&rng, 24, abut_vec3(1, 1, some_size(&rng)));
        for (int k = 0; k < KINDS * KINDS; ++k) ask(&rng, k, (i + k) % ANGLES, hull);
        abut_polyhedron_free(hull);
    }
}

static int name_failure(void **state) {
    (void)state;
    if (asked[0]) print_error("%s\n", asked);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(points_lie_in_their_bodies, name_failure)};
    return cmocka_run_group_tests_name("witness points", tests, NULL, NULL);
}
