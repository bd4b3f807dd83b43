/* SPDX-License-Identifier: Apache-2.0 */
/* Convex hull: against qhull, and by its own laws on hard point sets. */
#include "support/check.h"

#include "abut/shape.h"
#include "oracle/qhull_oracle.h"
#include "shape/hull.h"
#include "support/hull_check.h"

#include <string.h>

enum { MAX_POINTS = 200000 };
static AbutVec3 points[MAX_POINTS], moved[MAX_POINTS];
static unsigned char oracle_vertex[MAX_POINTS];

static double extent_of(const AbutVec3 *p, int count) {
    AbutAabb box = abut_aabb_empty();
    for (int i = 0; i < count; ++i) box = abut_aabb_add(box, p[i]);
    return abut_max_abs(abut_sub(box.max, box.min)) + 1e-4 * fmax(abut_max_abs(box.min), abut_max_abs(box.max));
}

/* The hull, proved sound; containment to 1e-10 of the size (1e-14 of the largest coordinate). */
static AbutPolyhedron *sound_hull(const AbutVec3 *p, int count) {
    AbutPolyhedron *hull = NULL;
    AbutError error;
    AbutStatus status = abut_polyhedron_from_points(p, count, NULL, &hull, &error);
    if (status != ABUT_OK) fail_msg("hull of %d points: %s", count, error.text);
    const char *fault = hull_fault(hull, p, count, 1.5e-10 * extent_of(p, count));
    if (fault) fail_msg("hull of %d points (%d vertices): %s", count, hull->vertex_count, fault);
    return hull;
}

static void expect_counts(const AbutVec3 *p, int count, int dimension, int vertices, int faces) {
    AbutPolyhedron *hull = sound_hull(p, count);
    assert_int_equal(hull->dimension, dimension);
    assert_int_equal(hull->vertex_count, vertices);
    assert_int_equal(hull->face_count, faces);
    abut_polyhedron_free(hull);
}

static void turn_all(AbutRng *rng, int count, AbutVec3 shift, double scale) {
    AbutQuat q = abut_random_quat(rng);
    for (int i = 0; i < count; ++i) moved[i] = abut_add(abut_scale(abut_quat_rotate(q, points[i]), scale), shift);
}

static int vertex_number(const AbutPolyhedron *hull, AbutVec3 p) {
    const AbutVec3 *v = abut_polyhedron_vertices(hull);
    for (int i = 0; i < hull->vertex_count; ++i)
        if (v[i].x == p.x && v[i].y == p.y && v[i].z == p.z) return i;
    return -1;
}

/* Volume and area always; the vertex set where no three faces nearly meet in a line (`exact`). */
static int agrees_with_qhull(const AbutVec3 *p, int count, int exact) {
    QhullAnswer answer;
    if (qhull_oracle(p, count, &answer, oracle_vertex) != 1) return 0;
    AbutPolyhedron *hull = sound_hull(p, count);
    CHECK_NEAR(hull->mass.volume, answer.volume, 1e-9 * pow(extent_of(p, count), 3.0));
    CHECK_NEAR(hull->mass.area, answer.area, 1e-9 * pow(extent_of(p, count), 2.0));
    if (exact) {
        assert_int_equal(hull->vertex_count, answer.vertex_count);
        for (int i = 0; i < count; ++i)
            if (oracle_vertex[i]) CHECK(vertex_number(hull, p[i]) >= 0);
    }
    abut_polyhedron_free(hull);
    return 1;
}

static AbutVec3 random_point(AbutRng *rng, int kind) {
    AbutVec3 d = abut_random_direction(rng);
    switch (kind) {
    case 0:
        return abut_scale(d, cbrt(abut_rng_unit(rng))); /* ball */
    case 1:
        return d; /* sphere */
    case 2:
        return abut_vec3(abut_rng_unit(rng), abut_rng_unit(rng), abut_rng_unit(rng)); /* cube */
    case 3:
        return abut_mul(d, abut_vec3(1.0, 1e-2, 1e-4)); /* needle */
    case 4:                                             /* grid */
        return abut_vec3(abut_rng_below(rng, 5), abut_rng_below(rng, 5), abut_rng_below(rng, 5));
    default: /* on a sphere and near to each other */
        return abut_normalize(abut_add_scaled(abut_vec3(1, 0, 0), d, 1e-2));
    }
}

static void random_sets_agree_with_qhull(void **state) {
    (void)state;
    QhullAnswer answer;
    if (qhull_oracle(points, 0, &answer, NULL) < 0) skip();
    AbutRng rng = abut_rng(11, 0);
    int cases = check_cases(1500), compared = 0;
    for (int c = 0; c < cases; ++c) {
        int kind = c % 6, count = 4 + (int)abut_rng_below(&rng, c % 50 == 0 ? 1000 : 60);
        for (int i = 0; i < count; ++i) points[i] = random_point(&rng, kind);
        compared += agrees_with_qhull(points, count, kind < 3);
        turn_all(&rng, count, abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0.0, 100.0)), 1.0);
        compared += agrees_with_qhull(moved, count, kind < 3);
    }
    assert_true(compared >= cases);
}

static void grids_have_six_faces_at_any_scale(void **state) {
    (void)state;
    AbutRng rng = abut_rng(12, 0);
    int n = 0;
    for (int a = 0; a < 7; ++a)
        for (int b = 0; b < 6; ++b)
            for (int c = 0; c < 5; ++c) points[n++] = abut_vec3(a, b, c);
    expect_counts(points, n, 3, 8, 6);
    for (int c = 0; c < check_cases(200); ++c) {
        double scale = pow(10.0, abut_rng_between(&rng, -9.0, 9.0)),
               far_off = pow(10.0, abut_rng_between(&rng, -3.0, 8.0));
        turn_all(&rng, n, abut_scale(abut_random_direction(&rng), scale * far_off), scale);
        expect_counts(moved, n, 3, 8, 6);
    }
    for (double scale = 1e-40; scale < 1e45; scale *= 1e17) {
        turn_all(&rng, n, abut_zero(), scale);
        expect_counts(moved, n, 3, 8, 6);
    }
}

static void cylinders_and_cones_keep_their_faces(void **state) {
    (void)state;
    AbutRng rng = abut_rng(13, 0);
    for (int sides = 3; sides < 200; sides += 19) {
        int n = 0, m = 0;
        for (int i = 0; i < sides; ++i)
            for (int z = 0; z < 10; ++z) {
                double angle = 2.0 * ABUT_PI * i / sides;
                points[n++] = abut_vec3(cos(angle), sin(angle), 0.1 * z);
            }
        turn_all(&rng, n, abut_vec3(5, -7, 3), 1.0);
        expect_counts(moved, n, 3, 2 * sides, sides + 2);
        for (int i = 0; i < n; ++i)
            points[m++] = abut_vec3(points[i].x * points[i].z, points[i].y * points[i].z, points[i].z);
        turn_all(&rng, m, abut_vec3(5, -7, 3), 1.0);
        expect_counts(moved, m, 3, sides + 1, sides + 1);
    }
}

/* Points of a cube's grid, each many times and each time off by a little. */
static void jitter_of_any_size_is_survived(void **state) {
    (void)state;
    AbutRng rng = abut_rng(14, 0);
    for (int c = 0; c < check_cases(400); ++c) {
        double jitter = pow(10.0, abut_rng_between(&rng, -17.0, -5.0));
        int n = 30 + (int)abut_rng_below(&rng, 400), steps = 1 + (int)abut_rng_below(&rng, 4);
        uint32_t cells = (uint32_t)steps + 1;
        for (int i = 0; i < n; ++i) {
            AbutVec3 p =
                abut_vec3(abut_rng_below(&rng, cells), abut_rng_below(&rng, cells), abut_rng_below(&rng, cells));
            points[i] = abut_add_scaled(abut_scale(p, 1.0 / steps), abut_random_direction(&rng), jitter);
        }
        for (int i = 0; i < 8; ++i) points[n++] = abut_vec3(i & 1, i >> 1 & 1, i >> 2 & 1);
        turn_all(&rng, n, abut_zero(), 1.0);
        AbutPolyhedron *hull = sound_hull(moved, n);
        CHECK_NEAR(hull->mass.volume, 1.0, 10.0 * jitter + 1e-9);
        if (jitter < 1e-12) assert_int_equal(hull->vertex_count, 8);
        abut_polyhedron_free(hull);
    }
}

static void flat_sets_have_their_dimension(void **state) {
    (void)state;
    AbutRng rng = abut_rng(15, 0);
    for (int c = 0; c < check_cases(300); ++c) {
        int n = 40, dimension = c % 3;
        for (int i = 0; i < n; ++i)
            points[i] =
                abut_vec3(dimension > 0 ? abut_rng_below(&rng, 6) : 0, dimension > 1 ? abut_rng_below(&rng, 6) : 0, 0);
        if (dimension > 0) {
            points[0] = abut_zero();
            points[1] = abut_vec3(5, 0, 0);
        }
        if (dimension > 1) {
            points[2] = abut_vec3(0, 5, 0);
            points[3] = abut_vec3(5, 5, 0);
        }
        turn_all(&rng, n, abut_scale(abut_random_direction(&rng), 10.0), 1.0);
        AbutPolyhedron *hull = sound_hull(moved, n);
        assert_int_equal(hull->dimension, dimension);
        assert_int_equal(hull->vertex_count, dimension == 2 ? 4 : dimension + 1);
        assert_int_equal(hull->half_edge_count, dimension == 2 ? 8 : 0);
        assert_int_equal(hull->face_count, dimension == 2 ? 2 : 0);
        CHECK_NEAR(hull->mass.area, dimension == 2 ? 50.0 : 0.0, 1e-12);
        CHECK(hull->mass.volume == 0.0 && hull->inner_radius == 0.0);
        abut_polyhedron_free(hull);
        AbutHullDef def = {.solid_only = 1};
        assert_int_equal(abut_polyhedron_from_points(moved, n, &def, &hull, NULL), ABUT_ERROR_DEGENERATE);
        assert_null(hull);
    }
}

static void flat_disc_keeps_every_corner(void **state) {
    (void)state;
    AbutRng rng = abut_rng(16, 0);
    for (int sides = 3; sides < 3000; sides = sides * 3 - 2) {
        for (int i = 0; i < sides; ++i)
            points[i] = abut_vec3(cos(2.0 * ABUT_PI * i / sides), sin(2.0 * ABUT_PI * i / sides), 0.0);
        turn_all(&rng, sides, abut_vec3(1, 2, 3), 1.0);
        expect_counts(moved, sides, 2, sides, 2);
    }
}

static void few_points_and_bad_calls(void **state) {
    (void)state;
    AbutPolyhedron *hull = (AbutPolyhedron *)points;
    AbutError error;
    AbutVec3 p[4] = {{1, 2, 3}, {4, 5, 7}, {0, 0, 1}, {1, 2, 3}};
    assert_int_equal(abut_polyhedron_from_points(p, 0, NULL, &hull, &error), ABUT_ERROR_EMPTY);
    assert_null(hull);
    assert_int_equal(abut_polyhedron_from_points(NULL, 3, NULL, &hull, &error), ABUT_ERROR_EMPTY);
    expect_counts(p, 1, 0, 1, 0);
    expect_counts(p, 2, 1, 2, 0);
    expect_counts(p, 3, 2, 3, 2);
    expect_counts(p, 4, 2, 3, 2);
    AbutHullDef def = {0};
    def.tolerance = -1.0;
    assert_int_equal(abut_polyhedron_from_points(p, 4, &def, &hull, &error), ABUT_ERROR_ARGUMENT);
    def.tolerance = NAN;
    assert_int_equal(abut_polyhedron_from_points(p, 4, &def, &hull, &error), ABUT_ERROR_ARGUMENT);
    def = (AbutHullDef){0};
    def.max_vertices = 2;
    assert_int_equal(abut_polyhedron_from_points(p, 4, &def, &hull, &error), ABUT_ERROR_LIMIT);
    def.max_vertices = 3;
    assert_int_equal(abut_polyhedron_from_points(p, 4, &def, &hull, &error), ABUT_OK);
    abut_polyhedron_free(hull);
    p[2].y = NAN;
    assert_int_equal(abut_polyhedron_from_points(p, 4, NULL, &hull, &error), ABUT_ERROR_NUMBER);
    p[2].y = -INFINITY;
    assert_int_equal(abut_polyhedron_from_points(p, 4, NULL, &hull, &error), ABUT_ERROR_NUMBER);
    p[2].y = 1e200;
    assert_int_equal(abut_polyhedron_from_points(p, 4, NULL, &hull, &error), ABUT_ERROR_LIMIT);
    AbutVec3 tiny[3] = {{1e-300, 0, 0}, {0, 1e-320, 0}, {0, 0, 0}};
    expect_counts(tiny, 3, 0, 1, 0);
}

static void order_of_points_does_not_matter(void **state) {
    (void)state;
    AbutRng rng = abut_rng(17, 0);
    for (int c = 0; c < check_cases(100); ++c) {
        int n = 300, kind = c % 5;
        for (int i = 0; i < n; ++i) points[i] = random_point(&rng, kind);
        memcpy(moved, points, (size_t)n * sizeof *points);
        for (int i = n - 1; i > 0; --i) {
            uint32_t k = abut_rng_below(&rng, (uint32_t)i + 1);
            AbutVec3 t = moved[i];
            moved[i] = moved[k];
            moved[k] = t;
        }
        AbutPolyhedron *a = sound_hull(points, n), *b = sound_hull(moved, n);
        assert_int_equal(a->vertex_count, b->vertex_count);
        assert_int_equal(a->face_count, b->face_count);
        for (int i = 0; i < a->vertex_count; ++i) CHECK(vertex_number(b, abut_polyhedron_vertices(a)[i]) >= 0);
        abut_polyhedron_free(a);
        abut_polyhedron_free(b);
    }
}

static void hundred_thousand_points(void **state) {
    (void)state;
    AbutRng rng = abut_rng(18, 0);
    int n = check_cases(100000);
    for (int kind = 0; kind < 3; ++kind) {
        for (int i = 0; i < n; ++i) points[i] = random_point(&rng, kind);
        AbutPolyhedron *hull;
        assert_int_equal(abut_polyhedron_from_points(points, n, NULL, &hull, NULL), ABUT_OK);
        assert_int_equal(abut_polyhedron_check(hull, (size_t)hull->bytes, NULL), ABUT_OK);
        if (kind == 1) CHECK(hull->vertex_count > n - n / 1000 - 2);
        const AbutFace *faces = abut_polyhedron_faces(hull);
        for (int k = 0; k < 20; ++k) {
            AbutPlane plane = faces[abut_rng_below(&rng, (uint32_t)hull->face_count)].plane;
            for (int i = 0; i < n; ++i) CHECK(abut_dot(plane.normal, points[i]) <= plane.offset + 1e-10);
        }
        abut_polyhedron_free(hull);
    }
}

/* Near-coplanar noise at the size of the tolerance, and tolerances set by the caller. */
static void wide_tolerances_simplify(void **state) {
    (void)state;
    AbutRng rng = abut_rng(19, 0);
    for (int c = 0; c < check_cases(200); ++c) {
        int n = 500;
        AbutHullDef def = {0};
        def.tolerance = pow(10.0, abut_rng_between(&rng, -12.0, -3.0));
        for (int i = 0; i < n; ++i) points[i] = c % 2 ? abut_random_direction(&rng) : random_point(&rng, 4);
        for (int i = 0; i < n && c % 2 == 0; ++i)
            points[i] = abut_add_scaled(points[i], abut_random_direction(&rng), 5.0 * def.tolerance);
        AbutPolyhedron *hull;
        AbutError error;
        assert_int_equal(abut_polyhedron_from_points(points, n, &def, &hull, &error), ABUT_OK);
        const char *fault = hull_fault(hull, points, n, 12.0 * def.tolerance * extent_of(points, n));
        if (fault) fail_msg("tolerance %g: %s", def.tolerance, fault);
        abut_polyhedron_free(hull);
    }
}

/* The last resort of the merge: only exactly coplanar triangles join. It must pass at the least tolerance there is. */
static void exact_merge_never_fails(void **state) {
    (void)state;
    AbutRng rng = abut_rng(21, 0);
    for (int c = 0; c < check_cases(400); ++c) {
        int n = 8 + (int)abut_rng_below(&rng, 150);
        double grain = ldexp(1.0, -10 - (int)abut_rng_below(&rng, 50));
        for (int i = 0; i < n; ++i) {
            AbutVec3 cell = abut_vec3(abut_rng_below(&rng, 3), abut_rng_below(&rng, 3), abut_rng_below(&rng, 3));
            AbutVec3 noise = abut_vec3(
                (int)abut_rng_below(&rng, 3) - 1, (int)abut_rng_below(&rng, 3) - 1, (int)abut_rng_below(&rng, 3) - 1);
            points[i] = abut_add_scaled(abut_scale(abut_sub(cell, abut_vec3(1, 1, 1)), 0.25), noise, grain);
        }
        AbutHullSimplex simplex = abut_hull_simplex(points, n, 1e-14);
        if (simplex.dimension < 3) continue;
        AbutHullTriangles triangles;
        AbutShell shell;
        assert_int_equal(abut_hull_build(points, n, simplex, (AbutHullReach){1e-14, 0}, &triangles, NULL), ABUT_OK);
        assert_int_equal(abut_hull_merge(points, n, &triangles, 0.0, &shell, NULL), ABUT_OK);
        assert_int_equal(shell.vertex_count - shell.half_edge_count / 2 + shell.face_count, 2);
        for (int h = 0; h < shell.half_edge_count; ++h)
            assert_int_equal(shell.half_edges[shell.half_edges[h].twin].twin, h);
        AbutPolyhedron *p;
        assert_int_equal(abut_polyhedron_pack(points, &shell, &p, NULL), ABUT_OK);
        const char *fault = hull_fault(p, points, n, 1e-13);
        if (fault) fail_msg("grain %g: %s", grain, fault);
        abut_polyhedron_free(p);
        abut_shell_free(&shell);
        abut_free(triangles.items);
    }
}

/* A square plate no thicker than the noise of its points. A corner hardly above the two sides of the first, sharp
 * simplex is far above the rim that comes later. Values are 64 cells and units of the noise. */
static void corner_of_a_thin_plate_is_found(void **state) {
    (void)state;
    static const int8_t raw[][3] = {{0, 5, -1}, {0, 0, 68}, {68, 68, 68}, {-1, 30, 68}, {68, 68, 5}, {1, 0, 5},
        {-1, -1, 3}, {0, 7, 32}, {0, 0, 0}, {0, 5, 0}, {5, 0, 76}, {67, 76, 76}, {76, 76, 12}, {0, -1, 5}, {1, 1, 1}};
    int n = (int)(sizeof raw / sizeof *raw);
    for (int i = 0; i < n; ++i) {
        double x[3];
        for (int k = 0; k < 3; ++k) x[k] = raw[i][k] / 64 + 1e-8 * (raw[i][k] % 64) / 64.0;
        points[i] = abut_vec3(x[0], x[1], x[2]);
    }
    AbutPolyhedron *hull = sound_hull(points, n);
    CHECK(vertex_number(hull, points[12]) >= 0);
    abut_polyhedron_free(hull);
}

/* Points near some places of a plane or of two planes close to each other, with noise around the tolerance. */
static void thin_plates_hold_every_point(void **state) {
    (void)state;
    AbutRng rng = abut_rng(22, 0);
    for (int c = 0; c < check_cases(100000); ++c) {
        int n = 5 + (int)abut_rng_below(&rng, 60);
        double noise = pow(10.0, abut_rng_between(&rng, -12.5, -9.0));
        double thick = c % 4 ? 0.0 : pow(10.0, abut_rng_between(&rng, -10.0, -1.0));
        AbutVec3 a = abut_random_direction(&rng), b = abut_random_direction(&rng);
        AbutVec3 up = abut_scale(abut_normalize(abut_cross(a, b)), thick);
        for (int i = 0; i < n; ++i) {
            double angle = abut_rng_below(&rng, 12) * ABUT_PI / 6.0;
            AbutVec3 p = abut_add(abut_scale(a, cos(angle)), abut_scale(b, sin(angle)));
            p = abut_add_scaled(p, up, abut_rng_below(&rng, 2));
            points[i] = abut_add_scaled(p, abut_random_direction(&rng), noise * abut_rng_below(&rng, 32));
        }
        AbutPolyhedron *hull = sound_hull(points, n);
        double slack = 10.0 * 1e-11 * abut_max_abs(abut_sub(hull->box.max, hull->box.min));
        for (int f = 0; f < hull->face_count; ++f)
            for (int i = 0; i < n; ++i) {
                AbutPlane plane = abut_polyhedron_faces(hull)[f].plane;
                CHECK(abut_dot(plane.normal, points[i]) <= plane.offset + slack);
            }
        abut_polyhedron_free(hull);
    }
}

static void signs_are_exact(void **state) {
    (void)state;
    AbutVec3 a = {0.5, 0.25, 0.125}, b = {-0.5, 0.75, 0.3}, c = {0.1, -0.9, 0.7};
    int on = 0, above = 0, below = 0;
    AbutRng rng = abut_rng(20, 0);
    for (int i = 0; i < 2000; ++i) {
        /* a point of the plane z = 0, lifted by the least step of the grid or not at all */
        double lift = (i % 3 - 1) * 0x1p-60;
        AbutVec3 u = {a.x, a.y, 0}, v = {b.x, b.y, 0}, w = {c.x, c.y, 0};
        AbutVec3 d = {abut_rng_between(&rng, -1, 1), abut_rng_between(&rng, -1, 1), lift};
        int side = abut_exact_side(u, v, w, d), turn = abut_exact_turn(u, v, w);
        assert_int_equal(side, turn * (i % 3 - 1));
        on += side == 0;
        above += side > 0;
        below += side < 0;
    }
    assert_true(on > 600 && above > 600 && below > 600);
    AbutVec3 thin = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)};
    thin.x += 0x1p-58;
    AbutVec3 n = abut_exact_normal(a, b, thin);
    CHECK_NEAR(abut_dot(n, abut_normalize(abut_sub(b, a))), 0.0, 1e-15);
}

/* Coarse volumes are a little too small, never too large; without coarseness those of the polyhedron. */
static void coarse_volumes_are_near(void **state) {
    (void)state;
    AbutRng rng = abut_rng(29, 9);
    AbutVec3 point[300];
    for (int i = 0; i < check_cases(2000); ++i) {
        int n = 4 + (int)abut_rng_below(&rng, 296);
        double flat = i % 3 == 0 ? 0.01 : 1.0, size = i % 2 ? 1e-3 : 40.0, exact, coarse;
        for (int k = 0; k < n; ++k) {
            AbutVec3 p = abut_vec3(abut_rng_normal(&rng), abut_rng_normal(&rng), abut_rng_normal(&rng));
            p = i % 5 < 3 ? abut_normalize(p) : p;
            point[k] = abut_scale(abut_vec3(p.x, p.y, flat * p.z), size);
        }
        AbutPolyhedron *hull = NULL;
        assert_int_equal(abut_polyhedron_from_points(point, n, NULL, &hull, NULL), ABUT_OK);
        assert_int_equal(abut_hull_volume(point, n, 0.0, &exact, NULL), ABUT_OK);
        assert_int_equal(abut_hull_volume(point, n, 4e-3, &coarse, NULL), ABUT_OK);
        CHECK_NEAR(exact, hull->mass.volume, 1e-9 * hull->mass.volume);
        CHECK(coarse <= exact * (1.0 + 1e-9));
        CHECK(coarse >= 0.97 * exact);
        abut_polyhedron_free(hull);
    }
    double volume = 1.0;
    for (int k = 0; k < 20; ++k) point[k].z = 0.25;
    assert_int_equal(abut_hull_volume(point, 20, 4e-3, &volume, NULL), ABUT_OK);
    CHECK(volume == 0.0);
    point[3].x = NAN;
    assert_int_equal(abut_hull_volume(point, 20, 4e-3, &volume, NULL), ABUT_ERROR_NUMBER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coarse_volumes_are_near),
        cmocka_unit_test(random_sets_agree_with_qhull),
        cmocka_unit_test(grids_have_six_faces_at_any_scale),
        cmocka_unit_test(cylinders_and_cones_keep_their_faces),
        cmocka_unit_test(jitter_of_any_size_is_survived),
        cmocka_unit_test(flat_sets_have_their_dimension),
        cmocka_unit_test(flat_disc_keeps_every_corner),
        cmocka_unit_test(few_points_and_bad_calls),
        cmocka_unit_test(order_of_points_does_not_matter),
        cmocka_unit_test(hundred_thousand_points),
        cmocka_unit_test(wide_tolerances_simplify),
        cmocka_unit_test(exact_merge_never_fails),
        cmocka_unit_test(corner_of_a_thin_plate_is_found),
        cmocka_unit_test(thin_plates_hold_every_point),
        cmocka_unit_test(signs_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
