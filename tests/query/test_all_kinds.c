/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every kind of convex body against every kind, the same number of random pairs each, in both orders: from far apart to
 * concentric, with axes that nearly agree, thin and small bodies, rounded or not, at scales from 1e-6 to 1e6.
 *   Kinds with vertices are held against the exhaustive reference in long double, half-spaces and planes against closed
 * forms, both to 1e-12 of the size. Round kinds and support functions are judged by extents in long double: apart along
 * the normal, from there uphill, and by the places of their points; overlapping by a search over all directions; to
 * 1e-9 of the size apart or up to 2 % deep, deeper to 1e-6. In every case `gap` has to bound the error.
 *   ABUT_TEST_SCALE=100 makes it 1,004,300 pairs, 8,300 of each kind with each.
 */
#include "oracle/extent_oracle.h"
#include "oracle/oracle_vec.h"
#include "support/check.h"
#include "support/random_bodies.h"

enum { KINDS = ABUT_CONVEX_KIND_COUNT, PASSES = 83, REGIMES = 8 };

typedef enum Regime { AROUND, AROUND_TOO, NEAR, NEAR_TOO, VERY_NEAR, ALIGNED, CONCENTRIC, FAR } Regime;

/* One round over all pairs of kinds: bodies of one scale, placed in one way. */
typedef struct Pass {
    AbutRng rng;
    int number;
    Regime regime;
    double least, scale;
    AbutPolyhedron *hull;
    AbutConvex inner[2]; /* of support functions */
} Pass;

/* Of one pair of kinds. */
typedef struct Tally {
    int pairs, unsure; /* unsure: not converged */
    double worst;      /* error as part of the size */
} Tally;

static Tally tally[KINDS][KINDS];
static char asked[200]; /* the pair that is judged, to be named when it fails */

static int is_endless(const AbutConvex *c) { return c->kind == ABUT_CONVEX_HALF_SPACE || c->kind == ABUT_CONVEX_PLANE; }

static int has_vertices(const AbutConvex *c) { return c->kind <= ABUT_CONVEX_POLYHEDRON; }

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static AbutVec3 inner_farthest(AbutVec3 d, const void *user) { return abut_convex_farthest(user, d); }

static AbutConvex make_body(Pass *pass, AbutConvexKind kind, AbutConvex *inner) {
    AbutRng *rng = &pass->rng;
    double s[3], radius = abut_rng_unit(rng) < 0.25 ? pass->scale * abut_rng_between(rng, 0.01, 0.3) : 0.0;
    AbutVec3 p[3];
    for (int i = 0; i < 3; ++i) {
        s[i] = pass->scale * pow(pass->least, abut_rng_unit(rng));
        p[i] = abut_scale(abut_random_direction(rng), s[i]);
    }
    AbutPlane plane = {abut_random_direction(rng), pass->scale * abut_rng_between(rng, -1, 1)};
    switch (kind) {
    case ABUT_CONVEX_POINT:
        return abut_convex_point(p[0], radius);
    case ABUT_CONVEX_SEGMENT:
        return abut_convex_segment(p[0], p[1], radius);
    case ABUT_CONVEX_TRIANGLE:
        return abut_convex_triangle(p[0], p[1], p[2], radius);
    case ABUT_CONVEX_BOX:
        return abut_convex_box(abut_vec3(s[0], s[1], s[2]), radius);
    case ABUT_CONVEX_POLYHEDRON:
        return abut_convex_polyhedron(pass->hull, radius);
    case ABUT_CONVEX_CYLINDER:
        return abut_convex_cylinder(s[0], s[1], radius);
    case ABUT_CONVEX_CONE:
        return abut_convex_cone(s[0], s[1], radius);
    case ABUT_CONVEX_HALF_SPACE:
        return abut_convex_half_space(plane, radius);
    case ABUT_CONVEX_PLANE:
        return abut_convex_plane(plane, radius);
    case ABUT_CONVEX_SUPPORT:
        *inner = make_body(pass, abut_rng_below(rng, 2) ? ABUT_CONVEX_ELLIPSOID : ABUT_CONVEX_BOX, NULL);
        inner->radius = 0.0;
        return abut_convex_support(inner_farthest, inner, radius);
    default:
        return abut_convex_ellipsoid(abut_vec3(s[0], s[1], s[2]), radius);
    }
}

/* Two endless bodies face each other, or the same way, or are tilted. */
static void align_planes(Pass *pass, const AbutConvex *a, AbutConvex *b, AbutPose *pose) {
    if (!is_endless(a) || !is_endless(b) || pass->number % 3 == 0) return;
    b->p[0] = pass->number % 3 == 1 ? a->p[0] : abut_neg(a->p[0]);
    pose->q = abut_quat_identity();
}

static AbutPose place(Pass *pass, const AbutConvex *a, const AbutConvex *b) {
    AbutRng *rng = &pass->rng;
    AbutPose pose = random_pose(rng, 1.5 * pass->scale);
    double little = pow(10, abut_rng_between(rng, -6, -1));
    if (pass->regime == ALIGNED) pose.q = abut_quat_exp(abut_scale(abut_random_direction(rng), little));
    if (pass->regime == ALIGNED || pass->regime == CONCENTRIC) pose.p = abut_scale(pose.p, little);
    if (pass->regime == FAR) pose.p = abut_scale(pose.p, 20);
    if (pass->regime != NEAR && pass->regime != NEAR_TOO && pass->regime != VERY_NEAR) return pose;
    AbutGap d = abut_convex_distance(a, b, pose, NULL, NULL);
    double tiny = pow(10, abut_rng_between(rng, -13, -3)) * (abut_rng_below(rng, 2) ? 1 : -1);
    double to = pass->regime == VERY_NEAR ? tiny : abut_rng_between(rng, -0.03, 0.01);
    if (isfinite(d.distance)) pose.p = abut_add_scaled(pose.p, d.normal, to * pass->scale - d.distance);
    return pose;
}

/* ---- the truth --------------------------------------------------------------------------------------------------- */

/* Of a half-space or plane with a bounded body: A, or B. */
static long double plane_with_body(const ExtentPair *q, int plane_is_b) {
    const AbutConvex *plane = plane_is_b ? q->b : q->a, *body = plane_is_b ? q->a : q->b;
    OracleVec n = ov_from(plane->p[0]), p = ov_from(q->pose.p), in_a = n, in_body = extent_in_b(q, n);
    if (plane_is_b) in_body = in_a = ov(ov_dot(q->row[0], n), ov_dot(q->row[1], n), ov_dot(q->row[2], n));
    long double middle = (plane_is_b ? -1 : 1) * ov_dot(in_a, p) - plane->p[1].x;
    long double low = middle - extent_along(body, ov_scale(in_body, -1)), high = middle + extent_along(body, in_body);
    return (plane->kind == ABUT_CONVEX_PLANE ? fmaxl(low, -high) : low) - plane->radius;
}

/* Of two endless bodies: minus infinity, unless their normals agree and there is room between. */
static long double plane_with_plane(const ExtentPair *q) {
    double along = abut_dot(q->a->p[0], abut_quat_rotate(q->pose.q, q->b->p[0]));
    long double radii = (long double)q->a->radius + q->b->radius;
    long double gap =
        ov_dot(ov_from(q->a->p[0]), ov_from(q->pose.p)) - q->a->p[1].x + copysign(1, along) * q->b->p[1].x;
    if (fabs(along) < 1 - 1e-9) return -INFINITY;
    int sheet_a = q->a->kind == ABUT_CONVEX_PLANE, sheet_b = q->b->kind == ABUT_CONVEX_PLANE;
    if (sheet_a && sheet_b) return fabsl(gap) - radii;
    if (sheet_a) /* the half-space B lies below or above its plane */
        return (along > 0 ? -gap : gap) - radii;
    return sheet_b || along < 0 ? gap - radii : -INFINITY;
}

/* Vertices against vertices, by every pair of features. */
static long double exhaustive(const ExtentPair *q) {
    OracleBody a = oracle_body(q->a, abut_pose_identity()), b = oracle_body(q->b, q->pose);
    OracleDistance d = oracle_distance(&a, &b, 0);
    oracle_body_free(&a);
    oracle_body_free(&b);
    return d.distance;
}

/* ---- judges ------------------------------------------------------------------------------------------------------ */

static void note(const ExtentPair *q, double error) {
    Tally *t = &tally[q->a->kind][q->b->kind];
    t->worst = fmax(t->worst, fabs(error) / q->size);
}

/* The true distance is known. */
static void judge_exact(const ExtentPair *q, const AbutGap *d, long double truth) {
    CHECK(d->outcome <= ABUT_PENETRATING);
    if (isinf(truth)) {
        CHECK(d->distance == -INFINITY);
        return;
    }
    double error = (double)(d->distance - truth);
    note(q, error);
    CHECK_NEAR(error, 0.0, d->error);
    CHECK_NEAR(error, 0.0, 1e-12 * fmax(q->size, 0.1 * abut_length(q->pose.p)));
}

/* Long double extents from the normal of the answer. */
static void judge_by_extents(const ExtentPair *q, const AbutGap *d) {
    OracleVec n = ov_unit(ov_from(d->normal));
    int smooth = q->a->kind == ABUT_CONVEX_SUPPORT || q->b->kind == ABUT_CONVEX_SUPPORT, apart = d->distance > 0.0;
    int fine = apart || (!smooth && d->distance > -0.02 * q->size);
    double tolerance = (fine ? 1e-9 : 1e-6) * q->size, rounding = 1e-14 * q->size;
    CHECK(d->outcome <= (smooth ? ABUT_NOT_CONVERGED : ABUT_PENETRATING));
    if (d->outcome == ABUT_NOT_CONVERGED) tolerance = d->error + rounding;
    CHECK_NEAR((double)extent_gap(q, n), d->distance, tolerance);
    CHECK(!apart || extent_outside(q->a, d->point_a) <= tolerance);
    CHECK(!apart || extent_outside(q->b, abut_pose_apply_inv(q->pose, d->point_b)) <= tolerance);
    /* parted bodies have one best direction, overlapping ones many that look best from near */
    long double best = apart ? extent_climb(q, n, 1e-4L) : extent_everywhere(q, n);
    note(q, (double)(best - d->distance));
    CHECK_NEAR((double)best, d->distance, tolerance);
    CHECK((double)(best - d->distance) <= d->error + rounding);
}

/* What holds for any pair: points and normal agree, exchanged bodies give the same, and so does the yes/no query. */
static void judge_form(const ExtentPair *q, const AbutGap *d) {
    if (!isfinite(d->distance)) return;
    AbutGap back = abut_convex_distance(q->b, q->a, abut_pose_inv(q->pose), NULL, NULL);
    double far = q->size + abut_length(q->pose.p), unsure = d->error + back.error + 1e-14 * far;
    CHECK_NEAR(abut_length(d->normal), 1.0, 1e-12);
    CHECK_VEC_NEAR(abut_sub(d->point_b, d->point_a), abut_scale(d->normal, d->distance), 1e-12 * far);
    CHECK_NEAR(back.distance, d->distance, unsure);
    if (fabs(d->distance) > unsure) assert_int_equal(abut_convex_meet(q->a, q->b, q->pose, NULL), d->distance < 0.0);
}

static void judge(const ExtentPair *q, const AbutGap *d) {
    judge_form(q, d);
    if (is_endless(q->a) && is_endless(q->b))
        judge_exact(q, d, plane_with_plane(q));
    else if (is_endless(q->a) || is_endless(q->b))
        judge_exact(q, d, plane_with_body(q, is_endless(q->b)));
    else if (has_vertices(q->a) && has_vertices(q->b))
        judge_exact(q, d, exhaustive(q));
    else
        judge_by_extents(q, d);
}

/* ---- passes ------------------------------------------------------------------------------------------------------ */

static Pass make_pass(int number) {
    Pass pass = {.rng = abut_rng(71, (uint64_t)number), .number = number, .regime = (Regime)(number % REGIMES)};
    pass.least = number % 5 == 4 ? 0.005 : 0.1;
    pass.scale = number % 3 == 0 ? pow(10, abut_rng_between(&pass.rng, -6, 6)) : 1.0;
    AbutVec3 axes = abut_vec3(0.8, abut_rng_between(&pass.rng, 0.1, 0.8), abut_rng_between(&pass.rng, 0.1, 0.8));
    pass.hull = random_hull(&pass.rng, 4 + (int)abut_rng_below(&pass.rng, 29), abut_scale(axes, pass.scale));
    return pass;
}

static void ask(Pass *pass, AbutConvexKind first, AbutConvexKind second) {
    AbutConvex a = make_body(pass, first, &pass->inner[0]), b = make_body(pass, second, &pass->inner[1]);
    AbutPose pose = abut_pose_identity();
    align_planes(pass, &a, &b, &pose);
    pose = is_endless(&a) && is_endless(&b) ? abut_pose(random_pose(&pass->rng, pass->scale).p, pose.q)
                                            : place(pass, &a, &b);
    ExtentPair q = extent_pair(&a, &b, pose);
    AbutGap d = abut_convex_distance(&a, &b, pose, NULL, NULL);
    Tally *t = &tally[first][second];
    ++t->pairs;
    t->unsure += d.outcome == ABUT_NOT_CONVERGED;
    snprintf(asked, sizeof asked, "pass %d, kinds %d and %d, size %g: distance %.17g, gap %g, outcome %d", pass->number,
        (int)first, (int)second, q.size, d.distance, d.error, (int)d.outcome);
    judge(&q, &d);
    asked[0] = 0;
}

static void print_tally(void) {
    static const char *const names[KINDS] = {"point", "segment", "triangle", "box", "polyhedron", "support",
        "half-space", "cylinder", "cone", "ellipsoid", "plane"};
    int pairs = 0;
    print_message("worst error of the size, as a power of ten, by kinds of A (rows) and B; / not converged\n");
    for (int i = 0; i < KINDS; ++i) {
        print_message("%-10s", names[i]);
        for (int j = 0; j < KINDS; ++j) {
            const Tally *t = &tally[i][j];
            print_message(" %5.1f/%-2d", log10(fmax(t->worst, 1e-19)), t->unsure);
            pairs += t->pairs;
        }
        print_message("\n");
    }
    print_message("%d pairs\n", pairs);
}

static void every_kind_with_every_kind(void **state) {
    (void)state;
    int passes = check_cases(PASSES);
    for (int i = 0; i < passes; ++i) {
        Pass pass = make_pass(i);
        for (int k = 0; k < KINDS * KINDS; ++k) ask(&pass, (AbutConvexKind)(k / KINDS), (AbutConvexKind)(k % KINDS));
        abut_polyhedron_free(pass.hull);
    }
    print_tally();
    for (int k = 0; k < KINDS * KINDS; ++k) assert_int_equal(tally[k / KINDS][k % KINDS].pairs, passes);
}

static int name_failure(void **state) {
    (void)state;
    if (asked[0]) print_error("%s\n", asked);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(every_kind_with_every_kind, name_failure)};
    return cmocka_run_group_tests_name("every kind with every kind", tests, NULL, NULL);
}
