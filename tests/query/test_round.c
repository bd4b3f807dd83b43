/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All kinds of convex bodies in the distance query, each with each. Every answer is judged by long double supports of
 * the kinds, written here again: bodies apart along the normal, from there uphill, and by the places of their points;
 * overlapping ones by a search over all directions.
 */
#include "abut/query.h"
#include "support/check.h"
#include "support/random_bodies.h"

#include <string.h>

typedef long double Real;
typedef struct Dir {
    Real x[3];
} Dir;

enum { KINDS = 8 };

/* ---- the kinds in long double ------------------------------------------------------------------------------------ */

static Real dot(Dir a, Dir b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static Dir real(AbutVec3 v)
{
    return (Dir){{v.x, v.y, v.z}};
}

static Dir unit(Dir d)
{
    Real s = 1 / sqrtl(dot(d, d));
    return (Dir){{d.x[0] * s, d.x[1] * s, d.x[2] * s}};
}

static AbutVec3 vertex_of(const AbutConvex *c, int i)
{
    AbutVec3 h = c->p[0];
    if (c->kind == ABUT_CONVEX_BOX)
        return abut_vec3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    return c->kind == ABUT_CONVEX_POLYHEDRON ? abut_polyhedron_vertices(c->polyhedron)[i] : c->p[i];
}

static int vertices_of(const AbutConvex *c)
{
    return c->kind == ABUT_CONVEX_BOX          ? 8
           : c->kind == ABUT_CONVEX_POLYHEDRON ? c->polyhedron->vertex_count
           : c->kind <= ABUT_CONVEX_TRIANGLE   ? (int)c->kind + 1
                                               : 1; /* of a plane its normal, which only scales tolerances */
}

/* Largest n . x over the body, its radius included; n is a unit vector in its frame. */
static Real extent(const AbutConvex *c, Dir n)
{
    Real a = c->p[0].x, b = c->p[0].y, h = c->p[0].z, q = hypotl(n.x[0], n.x[1]), most = -HUGE_VALL;
    switch (c->kind) {
    case ABUT_CONVEX_CYLINDER:
        return a * q + h * fabsl(n.x[2]) + c->radius;
    case ABUT_CONVEX_CONE:
        return fmaxl(h * n.x[2], a * q - h * n.x[2]) + c->radius;
    case ABUT_CONVEX_ELLIPSOID:
        return sqrtl(a * a * n.x[0] * n.x[0] + b * b * n.x[1] * n.x[1] + h * h * n.x[2] * n.x[2]) + c->radius;
    default:
        for (int i = 0; i < vertices_of(c); ++i)
            most = fmaxl(most, dot(n, real(vertex_of(c, i))));
        return most + c->radius;
    }
}

/* A question with its rotation in long double. */
typedef struct Question {
    const AbutConvex *a, *b;
    AbutPose pose;
    Dir row[3];
    double size;
} Question;

static Question question(const AbutConvex *a, const AbutConvex *b, AbutPose pose)
{
    Question q = {a, b, pose, {{{0}}}, 0.0};
    Real w = pose.q.w, x = pose.q.x, y = pose.q.y, z = pose.q.z, s = 2 / (w * w + x * x + y * y + z * z);
    q.row[0] = (Dir){{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)}};
    q.row[1] = (Dir){{s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)}};
    q.row[2] = (Dir){{s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
    for (int i = 0; i < 3; ++i) {
        Dir e = {{i == 0, i == 1, i == 2}}, f = {{-e.x[0], -e.x[1], -e.x[2]}};
        q.size = fmax(q.size, (double)(extent(a, e) + extent(a, f) + extent(b, e) + extent(b, f)) / 2);
    }
    if (!(q.size > 0.0)) /* two points */
        q.size = 1.0;
    return q;
}

/* Gap along the unit vector n from A to B. */
static Real separation(const Question *q, Dir n)
{
    Dir nb = {{0}};
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            nb.x[j] -= q->row[i].x[j] * n.x[i];
    return dot(n, real(q->pose.p)) - extent(q->b, nb) - extent(q->a, n);
}

/* Hill-climbing on the separation from n: a pattern that shrinks. */
static Real climb(const Question *q, Dir n, Real step)
{
    Real best = separation(q, n);
    for (int round = 0; round < 300 && step > 1e-10L; ++round) {
        Dir e = fabsl(n.x[0]) < 0.7L ? (Dir){{1, 0, 0}} : (Dir){{0, 1, 0}}, u, v;
        u = unit((Dir){
            {n.x[1] * e.x[2] - n.x[2] * e.x[1], n.x[2] * e.x[0] - n.x[0] * e.x[2], n.x[0] * e.x[1] - n.x[1] * e.x[0]}});
        v = (Dir){
            {n.x[1] * u.x[2] - n.x[2] * u.x[1], n.x[2] * u.x[0] - n.x[0] * u.x[2], n.x[0] * u.x[1] - n.x[1] * u.x[0]}};
        int better = 0;
        for (int k = 0; k < 16 && !better; ++k) {
            Real c = step * cosl(k * 0.39269908L), s = step * sinl(k * 0.39269908L);
            Dir trial = n;
            for (int i = 0; i < 3; ++i)
                trial.x[i] += c * u.x[i] + s * v.x[i];
            trial = unit(trial);
            Real value = separation(q, trial);
            if (value > best)
                best = value, n = trial, better = 1;
        }
        step *= better ? 1.5L : 0.5L;
    }
    return best;
}

/* The signed distance by looking everywhere. */
static Real everywhere(const Question *q, Dir hint)
{
    enum { DIRECTIONS = 500, STARTS = 3 };
    Real value[STARTS], best;
    Dir start[STARTS];
    int count = 0;
    for (int i = 0; i < DIRECTIONS; ++i) {
        double z = 1.0 - (2.0 * i + 1.0) / DIRECTIONS, r = sqrt(1.0 - z * z), angle = 2.399963229728653 * i;
        Dir n = {{r * cos(angle), r * sin(angle), z}};
        Real s = separation(q, n);
        int at = count;
        while (at > 0 && value[at - 1] < s)
            --at;
        if (at >= STARTS)
            continue;
        count += count < STARTS;
        for (int k = count - 1; k > at; --k)
            value[k] = value[k - 1], start[k] = start[k - 1];
        value[at] = s, start[at] = n;
    }
    best = climb(q, hint, 1e-4L);
    for (int k = 0; k < count; ++k)
        best = fmaxl(best, climb(q, start[k], 0.05L));
    return best;
}

/* How far a point lies outside a sharp round body, by its inequalities; 0 for other bodies. */
static Real outside(const AbutConvex *c, AbutVec3 p)
{
    Real a = c->p[0].x, b = c->p[0].y, h = c->p[0].z, rho = hypotl(p.x, p.y);
    switch (c->radius == 0.0 ? c->kind : ABUT_CONVEX_POINT) {
    case ABUT_CONVEX_CYLINDER:
        return fmaxl(rho - a, fabsl(p.z) - h);
    case ABUT_CONVEX_CONE:
        return fmaxl(-h - p.z, (2 * h * (rho - a) + a * (p.z + h)) / hypotl(2 * h, a));
    case ABUT_CONVEX_ELLIPSOID:
        return (hypotl(hypotl(p.x / a, p.y / b), p.z / h) - 1) * fminl(a, fminl(b, h));
    default:
        return 0;
    }
}

/* ---- random pairs ------------------------------------------------------------------------------------------------ */

static AbutConvex body_of(AbutRng *rng, int kind, const AbutPolyhedron *hull, double least)
{
    double s[3], radius = abut_rng_between(rng, 0, 1) < 0.25 ? abut_rng_between(rng, 0.01, 0.3) : 0.0;
    for (int i = 0; i < 3; ++i)
        s[i] = pow(least, abut_rng_between(rng, 0, 1));
    AbutVec3 p[3];
    for (int i = 0; i < 3; ++i)
        p[i] = abut_scale(abut_random_direction(rng), s[i]);
    switch (kind) {
    case 0:
        return abut_convex_point(p[0], radius);
    case 1:
        return abut_convex_segment(p[0], p[1], radius);
    case 2:
        return abut_convex_triangle(p[0], p[1], p[2], radius);
    case 3:
        return abut_convex_box(abut_vec3(s[0], s[1], s[2]), radius);
    case 4:
        return abut_convex_polyhedron(hull, radius);
    case 5:
        return abut_convex_cylinder(s[0], s[1], radius);
    case 6:
        return abut_convex_cone(s[0], s[1], radius);
    default:
        return abut_convex_ellipsoid(abut_vec3(s[0], s[1], s[2]), radius);
    }
}

/* What the header promises for this pair. */
static void judge(const Question *q, const AbutDistance *d, int count[3])
{
    AbutDistance back = abut_convex_distance(q->b, q->a, abut_pose_inv(q->pose), NULL);
    Real along = separation(q, unit(real(d->normal)));
    int apart = d->distance > 0.0, shallow = !apart && d->distance > -0.02 * q->size;
    double tolerance = (apart || shallow ? 1e-9 : 1e-6) * q->size;
    ++count[apart ? 0 : shallow ? 1 : 2];
    CHECK_NEAR((double)along, d->distance, tolerance);
    CHECK_NEAR(back.distance, d->distance, tolerance);
    CHECK_VEC_NEAR(abut_sub(d->point_b, d->point_a), abut_scale(d->normal, d->distance), 1e-12 * q->size);
    if (fabs(d->distance) > tolerance)
        assert_int_equal(abut_convex_meet(q->a, q->b, q->pose, NULL), !apart);
    assert_true(!apart || outside(q->a, d->point_a) <= tolerance);
    assert_true(!apart || outside(q->b, abut_pose_apply_inv(q->pose, d->point_b)) <= tolerance);
    /* parted bodies have one best direction, overlapping ones many that look best from near */
    Real best = apart ? climb(q, unit(real(d->normal)), 1e-4L) : everywhere(q, unit(real(d->normal)));
    if (!(best <= d->distance + tolerance))
        print_error("kinds %d %d, size %g\n", (int)q->a->kind, (int)q->b->kind, q->size);
    CHECK_NEAR((double)best, d->distance, tolerance);
    CHECK((double)best <= d->distance + d->gap + 1e-12 * q->size || apart);
}

static void random_pairs(double least, int cases, uint64_t seed)
{
    AbutRng rng = abut_rng(seed, 1);
    AbutPolyhedron *hull = random_hull(&rng, 20, abut_vec3(0.4, 0.6, 0.8));
    int count[3] = {0}, unsure = 0;
    for (int i = 0; i < cases; ++i) {
        int ka = i % KINDS, kb = i / KINDS % KINDS;
        AbutConvex x = body_of(&rng, ka, hull, least), y = body_of(&rng, kb, hull, least), *a = &x, *b = &y;
        AbutPose pose = random_pose(&rng, 1.5);
        AbutDistance d = abut_convex_distance(a, b, pose, NULL);
        if (i / (KINDS * KINDS) % 2) /* near contact: from apart by 1 % to 3 % deep */
            pose.p = abut_add_scaled(pose.p, d.normal, abut_rng_between(&rng, -0.03, 0.01) - d.distance);
        d = abut_convex_distance(a, b, pose, NULL);
        Question q = question(a, b, pose);
        unsure += d.outcome == ABUT_NOT_CONVERGED;
        assert_true(d.outcome <= ABUT_NOT_CONVERGED);
        judge(&q, &d, count);
    }
    assert_true(unsure <= cases / 500);
    assert_true(cases < 100 || (count[0] > cases / 10 && count[1] > cases / 20 && count[2] > cases / 20));
    abut_polyhedron_free(hull);
}

static void ordinary_sizes(void **state)
{
    (void)state;
    random_pairs(0.1, check_cases(7000), 71);
}

static void thin_and_small(void **state)
{
    (void)state;
    random_pairs(0.005, check_cases(3000), 72);
}

/* ---- known answers ----------------------------------------------------------------------------------------------- */

static void known_answers(void **state)
{
    (void)state;
    AbutConvex can = abut_convex_cylinder(0.5, 1, 0), cone = abut_convex_cone(0.5, 1, 0),
               egg = abut_convex_ellipsoid(abut_vec3(1, 2, 3), 0), ball = abut_convex_point(abut_zero(), 0.25);
    AbutQuat straight = abut_quat_identity();
    AbutDistance d = abut_convex_distance(&can, &ball, abut_pose(abut_vec3(3, 4, 0), straight), NULL);
    CHECK_NEAR(d.distance, 4.25, 1e-14);
    CHECK_VEC_NEAR(d.normal, abut_vec3(0.6, 0.8, 0), 1e-9);
    d = abut_convex_distance(&cone, &ball, abut_pose(abut_vec3(0, 0, 3), straight), NULL);
    CHECK_NEAR(d.distance, 1.75, 1e-13);
    d = abut_convex_distance(&egg, &ball, abut_pose(abut_vec3(0, 0, 5), straight), NULL);
    CHECK_NEAR(d.distance, 1.75, 1e-14);
    CHECK_VEC_NEAR(d.normal, abut_axis(2), 1e-12);
    d = abut_convex_distance(&can, &can, abut_pose(abut_vec3(0.2, 0.1, 1.99), straight), NULL);
    CHECK_NEAR(d.distance, -0.01, 1e-12);
    d = abut_convex_distance(&egg, &egg, abut_pose(abut_vec3(2, 0, 0), straight), NULL);
    assert_int_equal(d.outcome, ABUT_TOUCHING);
    CHECK_VEC_NEAR(abut_convex_farthest(&egg, abut_vec3(0, 7, 0)), abut_vec3(0, 2, 0), 1e-15);
    CHECK_VEC_NEAR(abut_convex_farthest(&cone, abut_vec3(0, 0, 1e-70)), abut_vec3(0, 0, 1), 0);
}

static void on_half_spaces_and_planes(void **state)
{
    (void)state;
    AbutRng rng = abut_rng(73, 1);
    AbutPolyhedron *hull = random_hull(&rng, 20, abut_vec3(0.4, 0.6, 0.8));
    for (int i = 0; i < check_cases(4000); ++i) {
        AbutConvex body = body_of(&rng, i % KINDS, hull, 0.1);
        AbutPlane plane = {abut_random_direction(&rng), abut_rng_between(&rng, -1, 1)};
        AbutConvex ground = abut_convex_half_space(plane, 0.0), sheet = abut_convex_plane(plane, 0.0);
        AbutPose pose = random_pose(&rng, 1.5);
        Question q = question(&ground, &body, pose);
        Dir up = real(plane.normal), nb = {{0}}, mb;
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                nb.x[j] += q.row[k].x[j] * up.x[k];
        mb = (Dir){{-nb.x[0], -nb.x[1], -nb.x[2]}};
        Real centre = dot(up, real(pose.p)) - plane.offset, low = centre - extent(&body, mb),
             high = centre + extent(&body, nb);
        AbutDistance d = abut_convex_distance(&ground, &body, pose, NULL);
        CHECK_NEAR(d.distance, (double)low, 1e-14);
        d = abut_convex_distance(&sheet, &body, pose, NULL);
        CHECK_NEAR(d.distance, (double)fmaxl(low, -high), 1e-14);
        CHECK_VEC_NEAR(abut_sub(d.point_b, d.point_a), abut_scale(d.normal, d.distance), 1e-14);
        CHECK_VEC_NEAR(d.normal, low > -high ? plane.normal : abut_neg(plane.normal), 0);
        AbutDistance back = abut_convex_distance(&body, &sheet, abut_pose_inv(pose), NULL);
        CHECK_NEAR(back.distance, d.distance, 1e-14);
        assert_int_equal(abut_convex_meet(&sheet, &body, pose, NULL), low <= 0 && high >= 0);
    }
    abut_polyhedron_free(hull);
}

static void planes_among_themselves(void **state)
{
    (void)state;
    AbutPlane floor = {{0, 0, 1}, 0};
    AbutConvex sheet = abut_convex_plane(floor, 0), ground = abut_convex_half_space(floor, 0);
    AbutQuat over = abut_quat_exp(abut_vec3(ABUT_PI, 0, 0)), tilt = abut_quat_exp(abut_vec3(0.1, 0, 0));
    AbutQuat turns[2] = {abut_quat_identity(), over};
    for (int i = 0; i < 2; ++i)
        for (int sign = -1; sign <= 1; sign += 2) {
            AbutPose pose = abut_pose(abut_vec3(1, 2, 3 * sign), turns[i]);
            CHECK_NEAR(abut_convex_distance(&sheet, &sheet, pose, NULL).distance, 3, 1e-14);
            CHECK_NEAR(abut_convex_distance(&ground, &sheet, pose, NULL).distance, 3 * sign, 1e-14);
        }
    AbutPose above = abut_pose(abut_vec3(0, 0, 1), over), tilted = abut_pose(abut_vec3(0, 0, 9), tilt);
    CHECK_NEAR(abut_convex_distance(&sheet, &ground, above, NULL).distance, 1, 1e-14);
    assert_true(abut_convex_distance(&sheet, &sheet, tilted, NULL).distance == -INFINITY);
    assert_true(abut_convex_distance(&sheet, &ground, tilted, NULL).distance == -INFINITY);
    assert_int_equal(abut_convex_meet(&ground, &sheet, tilted, NULL), 1);
}

/* Stood almost upright on a box: the distance is that of the lowest point of the rim, within the gap. */
static void slightly_tilted(void **state)
{
    (void)state;
    AbutRng rng = abut_rng(5, 5);
    AbutConvex a = abut_convex_box(abut_vec3(3, 3, 1), 0);
    for (int i = 0; i < check_cases(20000); ++i) {
        double angle = pow(10, abut_rng_between(&rng, -7, -3)), r = abut_rng_between(&rng, 0.3, 1);
        double h = abut_rng_between(&rng, 0.3, 1), phi = abut_rng_between(&rng, 0, 6), s = sin(0.5 * angle);
        AbutConvex b = i % 2 ? abut_convex_cone(r, h, 0) : abut_convex_cylinder(r, h, 0);
        AbutPose pose = abut_pose(abut_vec3(0.3, -0.2, 1 + h + r * angle + pow(10, abut_rng_between(&rng, -6, 0))),
            abut_quat(cos(0.5 * angle), s * cos(phi), s * sin(phi), 0));
        long double w = pose.q.w, x = pose.q.x, y = pose.q.y, one = w * w + x * x + y * y;
        long double sine = 2 * w * sqrtl(x * x + y * y) / one, cosine = (w * w - x * x - y * y) / one;
        AbutDistance d = abut_convex_distance(&a, &b, pose, NULL);
        CHECK_NEAR(d.distance, (double)(pose.p.z - 1 - h * cosine - r * sine), d.gap);
    }
}

static void degenerate_and_bad(void **state)
{
    (void)state;
    AbutConvex ball = abut_convex_point(abut_zero(), 0.5), disc = abut_convex_cylinder(1, 0, 0),
               needle = abut_convex_cone(0, 1, 0), dot_like = abut_convex_cylinder(0, 0, 0);
    AbutPose up = abut_pose(abut_vec3(0, 0, 2), abut_quat_identity());
    CHECK_NEAR(abut_convex_distance(&disc, &ball, up, NULL).distance, 1.5, 1e-12);
    CHECK_NEAR(abut_convex_distance(&needle, &ball, up, NULL).distance, 0.5, 1e-12);
    CHECK_NEAR(abut_convex_distance(&dot_like, &ball, up, NULL).distance, 1.5, 1e-12);
    AbutConvex bad[] = {abut_convex_cylinder(-1, 1, 0), abut_convex_cylinder(1, NAN, 0),
        abut_convex_cone(INFINITY, 1, 0), abut_convex_cone(1, -1, 0), abut_convex_ellipsoid(abut_vec3(1, 0, 1), 0),
        abut_convex_ellipsoid(abut_vec3(1, 1e-9, 1), 0), abut_convex_ellipsoid(abut_vec3(1, NAN, 1), 0),
        abut_convex_ellipsoid(abut_vec3(1, 1, 1), -1)};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_int_equal(abut_convex_distance(&bad[i], &ball, up, NULL).outcome, ABUT_INVALID);
        assert_int_equal(abut_convex_distance(&ball, &bad[i], up, NULL).outcome, ABUT_INVALID);
        assert_int_equal(abut_convex_meet(&bad[i], &ball, up, NULL), -1);
    }
}

/* A speck of subnormal size, seen from afar. */
static void specks(void **state)
{
    (void)state;
    AbutConvex speck = abut_convex_ellipsoid(abut_vec3(4e-313, 1e-312, 4e-313), 0.0);
    AbutConvex point = abut_convex_sphere((AbutSphere){abut_vec3(1.0, 2.0, -2.0), 0.5});
    AbutDistance d = abut_convex_distance(&speck, &point, abut_pose_identity(), NULL);
    assert_int_equal(d.outcome, ABUT_SEPARATED);
    CHECK_NEAR(d.distance, 2.5, 1e-15);
    CHECK_VEC_NEAR(d.normal, abut_vec3(1.0 / 3, 2.0 / 3, -2.0 / 3), 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specks),
        cmocka_unit_test(known_answers),
        cmocka_unit_test(on_half_spaces_and_planes),
        cmocka_unit_test(planes_among_themselves),
        cmocka_unit_test(slightly_tilted),
        cmocka_unit_test(degenerate_and_bad),
        cmocka_unit_test(ordinary_sizes),
        cmocka_unit_test(thin_and_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
