/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intersection of half-space regions in 1..6 dimensions against an exhaustive long-double reference; every certificate
 * is checked again here. Empty, unbounded, touching, parallel, duplicate and zero rows, bad input, and polyhedra.
 */
#include "abut/literature.h"
#include "abut/query.h"
#include "oracle/row_conflict.h"
#include "support/check.h"
#include "support/random_bodies.h"

#include <string.h>

enum { MAX_ROWS = 40, MAX_N = 8 };

typedef struct Case {
    int n, count_a, count_b;
    double rows[MAX_ROWS * (MAX_N + 1)]; /* A's, then B's: normal and offset */
} Case;

static double memory[400000];

static AbutIntersection ask(const Case *c, AbutIntersectMethod method) {
    double normal[MAX_ROWS * MAX_N], offset[MAX_ROWS];
    AbutIntersectDef def = {.search = abut_intersect_ren};
    def.method = method;
    int n = c->n, count = c->count_a + c->count_b;
    for (int i = 0; i < count; ++i) {
        memcpy(normal + i * n, c->rows + i * (n + 1), (size_t)n * sizeof(double));
        offset[i] = c->rows[i * (n + 1) + n];
    }
    AbutRegion a = {c->count_a, normal, offset}, b = {c->count_b, normal + c->count_a * n, offset + c->count_a};
    assert_true(abut_intersect_workspace_size(n, count) <= sizeof memory);
    return abut_intersect_regions(n, &a, &b, &def, memory, abut_intersect_workspace_size(n, count));
}

static double largest_offset(const Case *c) {
    double most = 0;
    for (int i = 0; i < c->count_a + c->count_b; ++i) {
        const double *row = c->rows + i * (c->n + 1);
        double length = 0;
        for (int k = 0; k < c->n; ++k) length = hypot(length, row[k]);
        if (length > 0) most = fmax(most, fabs(row[c->n]) / length);
    }
    return most > 0 ? most : 1;
}

static long double unit_row(const Case *c, int i, long double *p) {
    const double *row = c->rows + i * (c->n + 1);
    long double length = 0;
    for (int k = 0; k < c->n; ++k) length += (long double)row[k] * row[k];
    length = length > 0 ? sqrtl(length) : 1;
    for (int k = 0; k < c->n; ++k) p[k] = row[k] / length;
    return row[c->n] / length;
}

static void check_witness(const Case *c, const AbutIntersection *r, double scale) {
    for (int i = 0; i < c->count_a + c->count_b; ++i) {
        long double p[MAX_N], value = -unit_row(c, i, p);
        for (int k = 0; k < c->n; ++k) value += p[k] * r->witness[k];
        if (!(value <= 2e-10L * scale))
            print_error("method %d, n %d: row %d passed by %.3Lg, scale %g\n", (int)r->method, c->n, i, value, scale);
        CHECK((double)value <= 2e-10 * scale);
    }
}

/* The combination of rows that proves a no. */
static void check_proof(const Case *c, const AbutIntersection *r) {
    long double sum[MAX_N] = {0}, part[MAX_N] = {0}, total = 0, offset_a = 0, weights = 0, along = 0, length = 0;
    assert_true(r->proof_count >= 1 && r->proof_count <= c->n + 1);
    for (int k = 0; k < r->proof_count; ++k) {
        int i = r->proof_row[k];
        long double p[MAX_N], w = r->proof_weight[k], q;
        assert_true(i >= 0 && i < c->count_a + c->count_b && w > 0);
        assert_true(r->outcome != ABUT_INTERSECT_EMPTY_A || i < c->count_a);
        assert_true(r->outcome != ABUT_INTERSECT_EMPTY_B || i >= c->count_a);
        q = unit_row(c, i, p);
        total += w * q;
        weights += w;
        offset_a += i < c->count_a ? w * q : 0;
        for (int j = 0; j < c->n; ++j) {
            sum[j] += w * p[j];
            part[j] += i < c->count_a ? w * p[j] : 0;
        }
    }
    assert_true(total < 0);
    for (int j = 0; j < c->n; ++j) {
        CHECK((double)fabsl(sum[j]) <= 1e-11 * (double)weights);
        length += part[j] * part[j];
        along += part[j] * r->plane[j];
    }
    if (r->outcome != ABUT_INTERSECT_APART) return;
    length = sqrtl(length);
    CHECK_NEAR((double)(along / length), 1, 1e-12); /* the plane is along A's part ... */
    CHECK((double)(offset_a / length) <
          r->plane_offset + 1e-12 * fabs(r->plane_offset)); /* ... and between the regions */
    CHECK((double)((offset_a - total) / length) > r->plane_offset - 1e-12 * fabs(r->plane_offset));
    CHECK(r->gap > 0);
}

/* The outcome that the reference asks for, or -1 where the margin is too thin to say. */
static int expected(const Case *c, double scale, int *both_empty) {
    const double *b = c->rows + c->count_a * (c->n + 1);
    double thin = 1e-12 * scale, wide = 1e-9 * scale;
    double conflict[3] = {(double)row_conflict(c->n, c->count_a, c->rows), (double)row_conflict(c->n, c->count_b, b),
        (double)row_conflict(c->n, c->count_a + c->count_b, c->rows)};
    const int outcome[3] = {ABUT_INTERSECT_EMPTY_A, ABUT_INTERSECT_EMPTY_B, ABUT_INTERSECT_APART};
    *both_empty = conflict[0] > thin && conflict[1] > thin;
    for (int k = 0; k < 3; ++k) {
        if (conflict[k] > wide) return outcome[k];
        if (conflict[k] > thin) return -1;
    }
    return ABUT_INTERSECT_MEET;
}

/* All methods on one case; gives the outcome or -1. */
static int compare(const Case *c, int *overruled) {
    double scale = largest_offset(c);
    int both_empty, want = expected(c, scale, &both_empty);
    for (int m = ABUT_INTERSECT_DEFAULT; m <= ABUT_INTERSECT_GJK; ++m) {
        AbutIntersection r = ask(c, (AbutIntersectMethod)m);
        if (m == ABUT_INTERSECT_GJK && r.outcome == ABUT_INTERSECT_UNSUPPORTED) continue;
        int either = both_empty && r.outcome == ABUT_INTERSECT_EMPTY_B;
        if (want >= 0 && (int)r.outcome != want && !either) {
            print_error("n %d rows %d %d method %d: ", c->n, c->count_a, c->count_b, m);
            print_error("outcome %d, expected %d\n", (int)r.outcome, want);
            for (int i = 0; i < c->count_a + c->count_b; ++i, print_error("\n"))
                for (int k = 0; k <= c->n; ++k) print_error("%.17g ", c->rows[i * (c->n + 1) + k]);
            fail();
        }
        if (r.outcome == ABUT_INTERSECT_MEET)
            check_witness(c, &r, scale);
        else if (r.outcome != ABUT_INTERSECT_UNDECIDED && r.method != ABUT_INTERSECT_GJK)
            check_proof(c, &r);
        *overruled += r.overruled;
    }
    return want;
}

/* Rows around a center (bounded or not), with real or whole coefficients. */
static void random_region(AbutRng *rng, Case *c, int first, int count, int whole, double spread, double empty) {
    double center[MAX_N];
    for (int k = 0; k < c->n; ++k)
        center[k] = whole ? (double)abut_rng_below(rng, 5) - 2 : spread * abut_rng_normal(rng);
    for (int i = first; i < first + count; ++i) {
        double *row = c->rows + i * (c->n + 1), at = 0;
        for (int k = 0; k < c->n; ++k) {
            row[k] = whole ? (double)abut_rng_below(rng, 3) - 1 : abut_rng_normal(rng);
            at += row[k] * center[k];
        }
        row[c->n] = at + (whole ? (double)abut_rng_below(rng, 3) : abut_rng_between(rng, empty, 1));
        if (i > first && abut_rng_below(rng, 12) == 0) /* a copy, or the same plane from the other side */
            for (int k = 0; k <= c->n; ++k)
                row[k] = (abut_rng_below(rng, 2) ? 2.0 : 1.0) * c->rows[first * (c->n + 1) + k];
        if (abut_rng_below(rng, 12) == 0 && i > first)
            for (int k = 0; k <= c->n; ++k) row[k] = -row[k];
    }
}

static void random_regions(void **state) {
    (void)state;
    AbutRng rng = abut_rng(50, 1);
    int seen[4] = {0}, overruled = 0, cases = check_cases(24000);
    for (int i = 0; i < cases; ++i) {
        Case c;
        c.n = 1 + i % 6;
        int most = c.n <= 3 ? 9 : 6, whole = (int)abut_rng_below(&rng, 2);
        c.count_a = (int)abut_rng_below(&rng, (uint32_t)most + 1);
        c.count_b = (int)abut_rng_below(&rng, (uint32_t)most + 1);
        random_region(&rng, &c, 0, c.count_a, whole, 1, i % 3 ? 0 : -0.3);
        random_region(&rng, &c, c.count_a, c.count_b, whole, 1, i % 5 ? 0 : -0.3);
        int outcome = compare(&c, &overruled);
        if (outcome >= 0) ++seen[outcome];
    }
    for (int k = 0; k < 4; ++k) assert_true(seen[k] > cases / 100);
    assert_true(overruled < cases / 1000 + 3);
}

/* Boxes in n dimensions: the answer is known, so that dimensions 7 and 8 and exact touching are covered. */
static void boxes_touch_exactly(void **state) {
    (void)state;
    AbutRng rng = abut_rng(51, 1);
    int meets = 0, apart = 0;
    for (int i = 0; i < check_cases(4000); ++i) {
        Case c;
        c.n = 1 + i % 8;
        if (4 * c.n > MAX_ROWS) continue;
        c.count_a = c.count_b = 2 * c.n;
        int expect = 1, edge = (int)abut_rng_below(&rng, (uint32_t)c.n), state_of_edge = (int)abut_rng_below(&rng, 3);
        memset(c.rows, 0, sizeof c.rows);
        for (int k = 0; k < c.n; ++k) {
            double low_a = 0, high_a = 1, low_b = abut_rng_below(&rng, 2) * 0.5, high_b = low_b + 1;
            if (k == edge && state_of_edge) {
                low_b = state_of_edge == 1 ? 1 : 1 + pow(10.0, abut_rng_between(&rng, -7, 0));
                high_b = low_b + 1;
                expect = state_of_edge == 1;
            }
            const double limits[4] = {high_a, -low_a, high_b, -low_b};
            for (int j = 0; j < 4; ++j) {
                double *row = c.rows + ((j < 2 ? 2 * k + j : c.count_a + 2 * k + j - 2) * (c.n + 1));
                double factor = abut_rng_between(&rng, 0.1, 9);
                row[k] = (j & 1 ? -1 : 1) * factor;
                row[c.n] = limits[j] * factor;
            }
        }
        meets += expect, apart += !expect;
        for (int m = ABUT_INTERSECT_REN; m <= ABUT_INTERSECT_LP; ++m) {
            AbutIntersection r = ask(&c, (AbutIntersectMethod)m);
            assert_int_equal(r.outcome, expect ? ABUT_INTERSECT_MEET : ABUT_INTERSECT_APART);
            assert_int_equal(r.overruled, 0);
            if (expect)
                check_witness(&c, &r, 2);
            else
                check_proof(&c, &r);
        }
    }
    assert_true(meets > 10 && apart > 5);
}

static void simple_cases(void **state) {
    (void)state;
    for (int m = ABUT_INTERSECT_REN; m <= ABUT_INTERSECT_LP; ++m) {
        AbutIntersectMethod method = (AbutIntersectMethod)m;
        Case none = {3, 0, 0, {0}};
        assert_int_equal(ask(&none, method).outcome, ABUT_INTERSECT_MEET);
        Case zero = {2, 1, 1, {0, 0, 0, 0, 0, 1}}; /* 0 <= 0 and 0 <= 1 */
        assert_int_equal(ask(&zero, method).outcome, ABUT_INTERSECT_MEET);
        zero.rows[2] = -1;
        assert_int_equal(ask(&zero, method).outcome, ABUT_INTERSECT_EMPTY_A);
        Case slabs = {2, 1, 1, {1, 1, 1, -1, -1, -1}}; /* x + y <= 1 and >= 1: one line */
        assert_int_equal(ask(&slabs, method).outcome, ABUT_INTERSECT_MEET);
        slabs.rows[5] = -1.001;
        AbutIntersection r = ask(&slabs, method);
        assert_int_equal(r.outcome, ABUT_INTERSECT_APART);
        CHECK_NEAR(r.plane[0], sqrt(0.5), 1e-14);
        CHECK_NEAR(r.plane_offset, 1.0005 * sqrt(0.5), 1e-12);
        CHECK_NEAR(r.gap, 0.001 * sqrt(0.5), 1e-12);
        Case huge = {1, 2, 2, {1, 1e200, -1, 0, 1, -1, -1, 2}}; /* [0, 1e200] and [-2, -1] */
        assert_int_equal(ask(&huge, method).outcome, ABUT_INTERSECT_APART);
        Case both = {1, 2, 2, {1, 0, -1, -1, 1, 5, -1, -6}}; /* x <= 0, x >= 1; x <= 5, x >= 6 */
        assert_int_equal(ask(&both, method).outcome, ABUT_INTERSECT_EMPTY_A);
        for (int k = 0; k < 8; ++k) {
            Case bad = {1, 2, 2, {1, 1, -1, 0, 1, 1, -1, 0}};
            bad.rows[k] = k & 1 ? NAN : INFINITY;
            assert_int_equal(ask(&bad, method).outcome, ABUT_INTERSECT_INVALID);
        }
        AbutRegion region = {0, NULL, NULL};
        AbutIntersectDef def = {method, -1, 0, abut_intersect_ren};
        assert_int_equal(
            abut_intersect_regions(3, &region, &region, &def, memory, sizeof memory).outcome, ABUT_INTERSECT_INVALID);
    }
    AbutRegion region = {0, NULL, NULL};
    assert_int_equal(
        abut_intersect_regions(9, &region, &region, NULL, memory, sizeof memory).outcome, ABUT_INTERSECT_INVALID);
    assert_int_equal(
        abut_intersect_regions(0, &region, &region, NULL, memory, sizeof memory).outcome, ABUT_INTERSECT_INVALID);
    assert_int_equal(abut_intersect_regions(3, &region, &region, NULL, memory, 8).outcome, ABUT_INTERSECT_INVALID);
    assert_int_equal(abut_intersect_workspace_size(9, 4), 0);
}

/* The recursion gives up at its limit and the linear program answers. */
static void limit_is_kept(void **state) {
    (void)state;
    AbutRng rng = abut_rng(52, 1);
    Case c = {6, 18, 18, {0}};
    random_region(&rng, &c, 0, 18, 0, 0, 0);
    random_region(&rng, &c, 18, 18, 0, 9, 0);
    double normal[MAX_ROWS * MAX_N], offset[MAX_ROWS];
    for (int i = 0; i < 36; ++i) {
        memcpy(normal + i * 6, c.rows + i * 7, 6 * sizeof(double));
        offset[i] = c.rows[i * 7 + 6];
    }
    AbutRegion a = {18, normal, offset}, b = {18, normal + 18 * 6, offset + 18};
    AbutIntersectDef def = {ABUT_INTERSECT_REN, 0, 100, abut_intersect_ren};
    AbutIntersection r = abut_intersect_regions(6, &a, &b, &def, memory, sizeof memory);
    assert_true(r.outcome <= ABUT_INTERSECT_EMPTY_B && r.overruled == 1 && r.method == ABUT_INTERSECT_LP);
    assert_true(r.reductions < 100 + 100 * 36);
}

/* ---- polyhedra --------------------------------------------------------------------------------------------------- */

static AbutPolyhedron *rough_hull(AbutRng *rng, int points, double scale) {
    AbutVec3 v[200];
    for (int i = 0; i < points; ++i)
        v[i] = abut_scale(abut_random_direction(rng), scale * abut_rng_between(rng, 0.7, 1));
    return hull_of(v, points);
}

static void check_plane(const AbutPolyhedron *a, const AbutPolyhedron *b, AbutPose pose, const AbutIntersection *r) {
    AbutVec3 n = abut_vec3(r->plane[0], r->plane[1], r->plane[2]);
    double slack = 1e-12 * (fabs(r->plane_offset) + a->bound.radius + b->bound.radius);
    CHECK_NEAR(abut_length(n), 1, 1e-14);
    for (int i = 0; i < a->vertex_count; ++i)
        CHECK(abut_dot(n, abut_polyhedron_vertices(a)[i]) <= r->plane_offset + slack);
    for (int i = 0; i < b->vertex_count; ++i)
        CHECK(abut_dot(n, abut_pose_apply(pose, abut_polyhedron_vertices(b)[i])) >= r->plane_offset - slack);
}

static double beyond(const AbutPolyhedron *p, AbutVec3 x) {
    double most = -INFINITY;
    for (int f = 0; f < p->face_count; ++f) {
        AbutPlane plane = abut_polyhedron_faces(p)[f].plane;
        most = fmax(most, abut_dot(plane.normal, x) - plane.offset);
    }
    return most;
}

static void polyhedra_agree_with_the_distance(void **state) {
    (void)state;
    AbutRng rng = abut_rng(53, 1);
    int meets = 0, apart = 0, by_box = 0, overruled = 0, cases = check_cases(6000);
    for (int i = 0; i < cases; ++i) {
        double scale = pow(10.0, i % 3 ? 0 : abut_rng_between(&rng, -6, 6));
        AbutPolyhedron *a = rough_hull(&rng, 1 + (int)abut_rng_below(&rng, 24), scale);
        AbutPolyhedron *b = rough_hull(&rng, 1 + (int)abut_rng_below(&rng, 24), scale);
        AbutVec3 shift = abut_scale(abut_random_direction(&rng), scale * abut_rng_between(&rng, 0, 2));
        AbutPose pose = abut_pose(shift, abut_random_quat(&rng));
        AbutConvex ca = abut_convex_polyhedron(a, 0), cb = abut_convex_polyhedron(b, 0);
        double distance = abut_convex_distance(&ca, &cb, pose, NULL, NULL).distance;
        for (int m = ABUT_INTERSECT_DEFAULT; m <= ABUT_INTERSECT_GJK; ++m) {
            AbutIntersectDef def = {.search = abut_intersect_ren};
            def.method = (AbutIntersectMethod)m;
            assert_true(abut_intersect_polyhedra_workspace_size(a, b) <= sizeof memory);
            AbutIntersection r = abut_intersect_polyhedra(a, b, pose, &def, memory, sizeof memory);
            assert_true(r.outcome == ABUT_INTERSECT_MEET || r.outcome == ABUT_INTERSECT_APART);
            if (fabs(distance) > 1e-9 * scale) assert_int_equal(r.outcome == ABUT_INTERSECT_MEET, distance < 0);
            meets += r.outcome == ABUT_INTERSECT_MEET, apart += r.outcome == ABUT_INTERSECT_APART;
            by_box += r.decided_by_box, overruled += r.overruled;
            AbutVec3 x = abut_vec3(r.witness[0], r.witness[1], r.witness[2]), y = abut_pose_apply_inv(pose, x);
            if (r.outcome == ABUT_INTERSECT_APART)
                check_plane(a, b, pose, &r);
            else
                CHECK(fmax(beyond(a, x), beyond(b, y)) <= 3e-10 * scale);
        }
        abut_polyhedron_free(a);
        abut_polyhedron_free(b);
    }
    assert_true(meets > cases / 4 && apart > cases / 4 && by_box > cases / 20 && by_box < apart);
    assert_int_equal(overruled, 0);
}

/* How far a point of the world is from a box. */
static double box_distance(AbutVec3 half, AbutPose pose, AbutVec3 x) {
    AbutVec3 p = abut_pose_apply_inv(pose, x);
    return abut_length(
        abut_vec3(fmax(0.0, fabs(p.x) - half.x), fmax(0.0, fabs(p.y) - half.y), fmax(0.0, fabs(p.z) - half.z)));
}

/* Spheres and boxes, whose distance is known in closed form: the outcome, the common point, the plane. */
static void convex_bodies(void **state) {
    (void)state;
    AbutRng rng = abut_rng(77, 0);
    int met = 0, count = check_cases(2000);
    for (int i = 0; i < count; ++i) {
        AbutVec3 half =
            abut_vec3(abut_rng_between(&rng, 0.1, 2), abut_rng_between(&rng, 0.1, 2), abut_rng_between(&rng, 0.1, 2));
        double radius = abut_rng_between(&rng, 0.05, 1.5);
        AbutPose at = random_pose(&rng, 2.0), ball = random_pose(&rng, 2.0);
        AbutConvex a = abut_convex_box(half, 0.0), b = abut_convex_point(abut_zero(), radius);
        AbutIntersection r = abut_intersect_convex(&a, at, &b, ball);
        double gap = box_distance(half, at, ball.p) - radius;
        if (fabs(gap) < 1e-9) continue;
        AbutVec3 x = abut_vec3(r.witness[0], r.witness[1], r.witness[2]);
        AbutVec3 n = abut_vec3(r.plane[0], r.plane[1], r.plane[2]);
        met += gap < 0.0;
        assert_int_equal(r.outcome, gap < 0.0 ? ABUT_INTERSECT_MEET : ABUT_INTERSECT_APART);
        if (gap < 0.0) {
            assert_true(box_distance(half, at, x) < 1e-9 && abut_point_distance(x, ball.p) < radius + 1e-9);
            continue;
        }
        CHECK_NEAR(r.gap, gap, 1e-9);
        assert_true(abut_dot(n, ball.p) - radius >= r.plane_offset);
        for (int k = 0; k < 8; ++k) {
            AbutVec3 corner = abut_vec3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
            assert_true(abut_dot(n, abut_pose_apply(at, corner)) <= r.plane_offset + 1e-12);
        }
    }
    assert_true(met > count / 10 && met < count);
    AbutConvex bad = abut_convex_point(abut_vec3(NAN, 0, 0), 1.0), good = abut_convex_point(abut_zero(), 1.0);
    AbutPose here = abut_pose_identity();
    assert_int_equal(abut_intersect_convex(&bad, here, &good, here).outcome, ABUT_INTERSECT_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_cases),
        cmocka_unit_test(random_regions),
        cmocka_unit_test(boxes_touch_exactly),
        cmocka_unit_test(limit_is_kept),
        cmocka_unit_test(polyhedra_agree_with_the_distance),
        cmocka_unit_test(convex_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
