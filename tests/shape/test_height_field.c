/* SPDX-License-Identifier: Apache-2.0 */
/* Height fields: the mesh is closed and has the volume under the triangles; pieces are convex, disjoint and make the
 * same solid; inside and outside follow the heights; bad input. */
#include "abut/mesh.h"
#include "support/check.h"

#include <string.h>

enum { MOST = 400, POINTS = 400 };

typedef struct Sum {
    int count;
    double volume;
    AbutPolyhedron *piece[MOST];
} Sum;

static AbutStatus keep(const AbutPolyhedron *piece, void *user, AbutError *error) {
    Sum *sum = user;
    (void)error;
    assert_true(sum->count < MOST);
    sum->volume += piece->mass.volume;
    sum->piece[sum->count] = malloc((size_t)piece->bytes);
    assert_non_null(sum->piece[sum->count]);
    memcpy(sum->piece[sum->count++], piece, (size_t)piece->bytes);
    return ABUT_OK;
}

static Sum pieces_of(const AbutHeightField *field) {
    AbutError error;
    Sum sum = {0};
    good(abut_height_field_pieces(field, keep, &sum, &error), &error);
    return sum;
}

static void free_pieces(Sum *sum) {
    for (int i = 0; i < sum->count; ++i) free(sum->piece[i]);
}

/* Height over a place, by the triangle it lies over. */
static double surface(const AbutHeightField *f, double x, double y) {
    double u = (x / f->half_x + 1) / 2 * (f->columns - 1), v = (y / f->half_y + 1) / 2 * (f->rows - 1);
    int c = (int)fmin(floor(u), f->columns - 2), r = (int)fmin(floor(v), f->rows - 2);
    const double *z = f->heights + r * f->columns + c;
    u -= c, v -= r;
    double far = z[f->columns + 1], right = z[1], up = z[f->columns];
    return u >= v ? z[0] + u * (right - z[0]) + v * (far - right) : z[0] + v * (up - z[0]) + u * (far - up);
}

/* Sum over the triangles of area times mean height over the bottom. */
static double volume_under(const AbutHeightField *f) {
    double area = 2 * f->half_x * f->half_y / ((f->columns - 1) * (f->rows - 1)), sum = 0;
    for (int r = 0; r + 1 < f->rows; ++r)
        for (int c = 0; c + 1 < f->columns; ++c) {
            const double *z = f->heights + r * f->columns + c;
            sum += area * ((z[0] + z[1] + z[f->columns + 1]) / 3 - f->bottom);
            sum += area * ((z[f->columns + 1] + z[0] + z[f->columns]) / 3 - f->bottom);
        }
    return sum;
}

static int holds(const AbutPolyhedron *p, AbutVec3 x, double slack) {
    for (int i = 0; i < p->face_count; ++i) {
        AbutPlane plane = abut_polyhedron_faces(p)[i].plane;
        if (abut_dot(plane.normal, x) > plane.offset + slack) return 0;
    }
    return 1;
}

/* A place is in the solid by the heights, by the mesh and by exactly one piece, or by none of them. */
static void check_places(AbutRng *rng, const AbutHeightField *f, const AbutMeshTree *tree, const Sum *sum) {
    for (int i = 0; i < 60; ++i) {
        double x = abut_rng_between(rng, -f->half_x, f->half_x), y = abut_rng_between(rng, -f->half_y, f->half_y);
        double top = surface(f, x, y), z = abut_rng_between(rng, f->bottom - 0.2, top + 0.5);
        int inside = z < top && z > f->bottom, held = 0;
        if (fabs(z - top) < 1e-9 || fabs(z - f->bottom) < 1e-9) continue;
        assert_int_equal(abut_mesh_inside(tree, abut_vec3(x, y, z)), inside);
        for (int k = 0; k < sum->count; ++k) held += holds(sum->piece[k], abut_vec3(x, y, z), -1e-12);
        assert_true(held <= 1);
        for (int k = 0; k < sum->count && !held; ++k) held = holds(sum->piece[k], abut_vec3(x, y, z), 1e-12);
        assert_int_equal(held, inside);
    }
}

static void random_fields(void **state) {
    (void)state;
    AbutRng rng = abut_rng(77, 3);
    for (int i = 0; i < check_cases(2000); ++i) {
        double heights[POINTS];
        int columns = 2 + (int)abut_rng_below(&rng, 8), rows = 2 + (int)abut_rng_below(&rng, 8);
        int steps = (int)abut_rng_below(&rng, 3); /* 0: any, 1: steps, 2: ramps */
        for (int k = 0; k < columns * rows; ++k)
            heights[k] = steps == 0   ? abut_rng_between(&rng, -0.5, 1)
                         : steps == 1 ? 0.25 * abut_rng_below(&rng, 2)
                                      : 0.125 * (k % columns) - 0.25 * (k / columns / 3);
        AbutHeightField f = {
            columns, rows, abut_rng_between(&rng, 0.2, 3), abut_rng_between(&rng, 0.2, 3), -1, heights};
        f.bottom = steps == 2 ? -2 : -1;
        AbutMesh mesh;
        AbutMeshReport report;
        AbutMeshTree *tree;
        AbutError error;
        good(abut_height_field_mesh(&f, &mesh, &error), &error);
        good(abut_mesh_report(&mesh, &report, &error), &error);
        assert_true(report.closed && report.oriented && report.components == 1);
        double volume = volume_under(&f);
        CHECK_NEAR(report.mass.volume, volume, 1e-12 * volume);
        Sum sum = pieces_of(&f);
        CHECK_NEAR(sum.volume, volume, 1e-11 * volume);
        good(abut_mesh_tree_create(&mesh, 1, &tree, &error), &error);
        check_places(&rng, &f, tree, &sum);
        free_pieces(&sum);
        abut_mesh_tree_free(tree);
        abut_mesh_free(&mesh);
    }
}

static void flat_parts_are_one_piece(void **state) {
    (void)state;
    double flat[POINTS], ramp[POINTS], step[POINTS];
    for (int i = 0; i < POINTS; ++i)
        flat[i] = 0.3, ramp[i] = 0.1 * (i % 20) + 0.03 * (i / 20), step[i] = i % 20 < 10 ? 0 : 1;
    AbutHeightField f = {20, 20, 1, 1, -1, flat};
    Sum sum = pieces_of(&f);
    assert_int_equal(sum.count, 1);
    assert_int_equal(sum.piece[0]->face_count, 6);
    free_pieces(&sum);
    f.heights = ramp;
    sum = pieces_of(&f);
    assert_int_equal(sum.count, 1);
    free_pieces(&sum);
    f.heights = step;
    sum = pieces_of(&f);
    assert_int_equal(sum.count, 3); /* low, slope, high */
    free_pieces(&sum);
}

static AbutStatus refuse(const AbutPolyhedron *piece, void *user, AbutError *error) {
    (void)piece, (void)user;
    return abut_fail(error, ABUT_ERROR_LIMIT, "enough");
}

static void bad_fields_are_refused(void **state) {
    (void)state;
    double heights[4] = {0, 0, 0, 0};
    AbutHeightField good_field = {2, 2, 1, 1, -1, heights},
                    bad[5] = {good_field, good_field, good_field, good_field, good_field};
    AbutError error;
    AbutMesh mesh;
    bad[0].columns = 1, bad[1].rows = 60000000, bad[2].half_x = 0, bad[3].half_y = NAN, bad[4].bottom = 0;
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(
            abut_height_field_mesh(&bad[i], &mesh, &error), i == 4 ? ABUT_ERROR_NUMBER : ABUT_ERROR_ARGUMENT);
        assert_true(!mesh.vertices && strstr(error.text, "height field: ") == error.text);
        assert_int_equal(
            abut_height_field_pieces(&bad[i], refuse, NULL, NULL), i == 4 ? ABUT_ERROR_NUMBER : ABUT_ERROR_ARGUMENT);
    }
    heights[3] = 1e300;
    assert_int_equal(abut_height_field_mesh(&good_field, &mesh, &error), ABUT_ERROR_NUMBER);
    assert_true(strstr(error.text, "height 3: expected above") && strstr(error.text, "below 1e50, got 1e+300"));
    heights[3] = NAN;
    assert_int_equal(abut_height_field_mesh(&good_field, &mesh, &error), ABUT_ERROR_NUMBER);
    heights[3] = 0;
    assert_int_equal(abut_height_field_pieces(&good_field, refuse, NULL, &error), ABUT_ERROR_LIMIT);
    assert_string_equal(error.text, "enough");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_fields),
        cmocka_unit_test(flat_parts_are_one_piece),
        cmocka_unit_test(bad_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
