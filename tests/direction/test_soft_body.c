/* SPDX-License-Identifier: Apache-2.0 */
/* Soft bodies: the field against exact distances and its proven bounds, samples, the same bits for any number of
 * threads, blocks from outside, refused meshes, failing memory, benchmark meshes. */
#include "direction/field.h"
#include "abut/literature.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/meshes.h"

#include <string.h>

static AbutSoftBody *make(const AbutMesh *mesh, double tau, int threads) {
    AbutSoftBodyDef def = {.tau = tau, .threads = threads};
    AbutSoftBody *body;
    AbutError error;
    good(abut_soft_body_create(mesh, &def, &body, &error), &error);
    return body;
}

static AbutMesh made(const char *name, int triangles) {
    AbutMesh mesh;
    AbutError error;
    good(abut_mesh_make(name, triangles, NULL, &mesh, &error), &error);
    return mesh;
}

static AbutVec3 place(AbutRng *rng, const AbutSoftBody *b, double reach) {
    return abut_add_scaled(b->center, abut_random_direction(rng), reach * b->radius * abut_rng_unit(rng));
}

/* Inside the grid the field is within 0.87 steps of the distance; its gradient is its own; slopes stay below 1.2. */
static void the_field_keeps_its_bounds(void **state) {
    (void)state;
    static const char *const names[] = {"cup", "cross", "knot", "fish"};
    AbutRng rng = abut_rng(601, 1);
    double steepest = 0.0;
    for (int k = 0; k < 4; ++k) {
        AbutMesh mesh = made(names[k], 600);
        AbutMeshTree *tree = tree_of(&mesh);
        AbutSoftBody *b = make(&mesh, 0.02, 0);
        for (int i = 0; i < check_cases(2000); ++i) {
            AbutVec3 p = place(&rng, b, 1.5), d = abut_random_direction(&rng);
            AbutMeshNearest near = abut_mesh_nearest(tree, p, 0.0);
            AbutVec3 gradient;
            double f = abut_soft_field(b, p, &gradient);
            double signed_distance = near.inside ? -near.distance : near.distance, step = 1e-6 * b->step;
            CHECK(f <= signed_distance + 0.87 * b->step);
            if (near.distance < b->margin) CHECK(f >= signed_distance - 0.87 * b->step);
            double ahead = abut_soft_field(b, abut_add_scaled(p, d, step), NULL),
                   back = abut_soft_field(b, abut_add_scaled(p, d, -step), NULL);
            CHECK_NEAR((ahead - back) / (2.0 * step), abut_dot(gradient, d), 2e-6);
            steepest = fmax(steepest, abut_length(gradient));
            AbutVec3 q = abut_add_scaled(p, d, b->step * abut_rng_between(&rng, 0.1, 4.0));
            CHECK(fabs(abut_soft_field(b, q, NULL) - f) <= ABUT_SOFT_LIPSCHITZ * abut_point_distance(p, q));
        }
        abut_soft_body_free(b);
        abut_mesh_tree_free(tree);
        abut_mesh_free(&mesh);
    }
    CHECK(steepest <= ABUT_SOFT_LIPSCHITZ && steepest > 0.99);
}

/* A linear function on a grid comes out as it is. */
static void splines_reproduce_linear_functions(void **state) {
    (void)state;
    enum { N = 6 };
    static float node[N * N * N + ABUT_SOFT_GRID_PADDING];
    AbutRng rng = abut_rng(602, 1);
    for (int i = 0; i < N * N * N; ++i) node[i] = (float)(2 + i % N - 2 * (i / N % N) + 0.5 * (i / (N * N)));
    AbutSoftGrid g = {node, N, N * N, abut_zero(), abut_vec3(N - 2, N - 2, N - 2), 0.5, 2.0, NULL};
    for (int i = 0; i < 200; ++i) {
        AbutVec3 p = abut_vec3(abut_rng_between(&rng, 0.5, 2.0), abut_rng_between(&rng, 0.5, 2.0),
            i == 0 ? 2.0 : abut_rng_between(&rng, 0.5, 2.0));
        AbutVec3 gradient;
        double value = abut_soft_value_gradient(&g, p, &gradient);
        CHECK_NEAR(value, 2 + 2 * p.x - 4 * p.y + p.z, 1e-13);
        CHECK(value == abut_soft_value(&g, p));
        CHECK_VEC_NEAR(gradient, abut_vec3(2, -4, 1), 1e-13);
    }
}

/* The samples hold the whole area, their area vectors close, every sample lies in the balls above it. */
static void samples_hold_the_surface(void **state) {
    (void)state;
    AbutMesh mesh = made("cup", 1000);
    AbutMeshReport report;
    AbutError error;
    good(abut_mesh_report(&mesh, &report, &error), &error);
    AbutSoftBody *b = make(&mesh, 0.02, 0);
    AbutVec3 closed = abut_zero();
    double area = 0.0;
    for (int i = 0; i < b->sample_count; ++i) {
        const AbutSoftSample *s = &abut_soft_samples(b)[i];
        area += s->area;
        closed = abut_add(closed, s->area_vector);
        CHECK(abut_length(s->area_vector) <= s->area * (1.0 + 1e-12));
    }
    CHECK_NEAR(area, report.mass.area, 1e-12);
    CHECK(abut_length(closed) <= 1e-13);
    for (int k = 0; k < b->sample_node_count; ++k) {
        const AbutBallNode *n = &abut_soft_sample_nodes(b)[k];
        for (int i = n->first; i < n->first + n->count; ++i)
            CHECK(abut_point_distance(n->center, abut_soft_samples(b)[i].p) <= n->radius);
    }
    abut_soft_body_free(b);
    abut_mesh_free(&mesh);
}

static void bits_do_not_depend_on_threads(void **state) {
    (void)state;
    AbutMesh mesh = made("fish", 400);
    AbutSoftBody *one = make(&mesh, 0.02, 1), *four = make(&mesh, 0.02, 4);
    AbutSoftBodyDef def = {.tau = 0.02}, other = {.tau = 0.021};
    assert_int_equal(one->bytes, four->bytes);
    assert_memory_equal(one, four, (size_t)one->bytes);
    assert_true(one->source == abut_soft_body_source(&mesh, &def));
    assert_true(one->source != abut_soft_body_source(&mesh, &other));
    abut_soft_body_free(one);
    abut_soft_body_free(four);
    abut_mesh_free(&mesh);
}

static void blocks_are_checked(void **state) {
    (void)state;
    AbutMesh mesh = box_mesh(abut_zero(), abut_vec3(0.1, 0.1, 0.1), 0);
    AbutSoftBody *b = make(&mesh, 0.05, 0);
    AbutError error;
    size_t bytes = (size_t)b->bytes;
    good(abut_soft_body_check(b, bytes, &error), &error);
    assert_int_equal(abut_soft_body_check(b, bytes - 64, &error), ABUT_ERROR_FORMAT);
    assert_int_equal(abut_soft_body_check(b, 0, &error), ABUT_ERROR_FORMAT);
    assert_int_equal(abut_soft_body_check((char *)b + 8, bytes - 8, &error), ABUT_ERROR_FORMAT);
    unsigned char *copy = abut_alloc(bytes);
    AbutRng rng = abut_rng(603, 1);
    for (int i = 0; i < check_cases(300); ++i) {
        size_t at = abut_rng_below(&rng, (uint32_t)(i % 2 ? sizeof *b : bytes));
        memcpy(copy, b, bytes);
        copy[at] ^= (unsigned char)(1u << abut_rng_below(&rng, 8));
        assert_int_equal(abut_soft_body_check(copy, bytes, &error), ABUT_ERROR_FORMAT);
    }
    abut_free(copy);
    abut_soft_body_free(b);
    abut_mesh_free(&mesh);
}

static void refuses(const AbutMesh *mesh, const AbutSoftBodyDef *def, AbutStatus want, const char *says) {
    AbutSoftBody *body = NULL;
    AbutError error = {0};
    assert_int_equal(abut_soft_body_create(mesh, def, &body, &error), want);
    assert_null(body);
    if (!strstr(error.text, says)) fail_msg("'%s' expected in: %s", says, error.text);
}

static void bad_meshes_and_settings_are_refused(void **state) {
    (void)state;
    AbutMesh box = box_mesh(abut_zero(), abut_vec3(0.1, 0.2, 0.3), 0), empty = {0, 0, NULL, NULL};
    AbutMesh inward = box_mesh(abut_zero(), abut_vec3(0.1, 0.2, 0.3), 1);
    AbutMesh flat = box_mesh(abut_zero(), abut_vec3(0.1, 0.2, 0.0), 0);
    refuses(&empty, NULL, ABUT_ERROR_EMPTY, "no triangles");
    refuses(&inward, NULL, ABUT_ERROR_DEGENERATE, "volume");
    refuses(&flat, NULL, ABUT_ERROR_DEGENERATE, "volume");
    AbutSoftBodyDef nan = {.tau = NAN}, negative = {.tau = -1.0}, tiny = {.tau = 1e-5}, thin = {.margin = 1e-9};
    refuses(&box, &nan, ABUT_ERROR_NUMBER, "tau");
    refuses(&box, &negative, ABUT_ERROR_ARGUMENT, "tau");
    refuses(&box, &tiny, ABUT_ERROR_LIMIT, "larger");
    refuses(&box, &thin, ABUT_ERROR_ARGUMENT, "margin");
    AbutSoftBodyDef fine = {.step = 1e-4}, wide = {.margin = 10.0}, vast = {.margin = 1e15};
    refuses(&box, &fine, ABUT_ERROR_LIMIT, "a step of 0.0001 m and a margin of");
    refuses(&box, &wide, ABUT_ERROR_LIMIT, "a margin of 10 m need a grid of");
    refuses(&box, &vast, ABUT_ERROR_LIMIT, "nodes, expected at most 6.4e+07");
    AbutTriangle kept = box.triangles[3];
    box.triangles[3] = (AbutTriangle){{kept.v[0], kept.v[2], kept.v[1]}};
    refuses(&box, NULL, ABUT_ERROR_ARGUMENT, "same way");
    box.triangles[3] = kept;
    --box.triangle_count;
    refuses(&box, NULL, ABUT_ERROR_ARGUMENT, "open");
    ++box.triangle_count;
    box.vertices[0].x = NAN;
    refuses(&box, NULL, ABUT_ERROR_NUMBER, "");
    abut_mesh_free(&box);
    abut_mesh_free(&inward);
    abut_mesh_free(&flat);
}

static AbutStatus make_and_free(void) {
    AbutMesh mesh;
    AbutSoftBody *body = NULL;
    AbutSoftBodyDef def = {.tau = 0.1, .threads = 1}, lazy = {.tau = 0.1, .threads = 1, .lazy = 1};
    AbutStatus status = abut_mesh_make("box", 12, NULL, &mesh, NULL);
    if (status != ABUT_OK) return status;
    status = abut_soft_body_create(&mesh, &def, &body, NULL);
    abut_soft_body_free(body);
    if (status == ABUT_OK) {
        status = abut_soft_body_create(&mesh, &lazy, &body, NULL);
        abut_soft_body_free(body);
    }
    abut_mesh_free(&mesh);
    return status;
}

static void memory_may_fail(void **state) {
    (void)state;
    CHECK(check_memory_failures("soft body", make_and_free) > 5);
}

/* Scales: a body a million times smaller or larger has the same answers. */
static void sizes_do_not_matter(void **state) {
    (void)state;
    double expected = 0.0;
    for (int k = 0; k < 3; ++k) {
        double scale = k == 0 ? 1.0 : (k == 1 ? 1e-12 : 1e12);
        AbutMesh mesh = made("cone", 200);
        for (int i = 0; i < mesh.vertex_count; ++i) mesh.vertices[i] = abut_scale(mesh.vertices[i], scale);
        CHECK_NEAR(abut_soft_tau(&mesh, &mesh) / scale, 0.04 * 2.0 * 0.25, 0.004);
        AbutSoftBody *b = make(&mesh, 0.02 * scale, 0);
        double *workspace = malloc(abut_soft_size(b, b));
        AbutPose pose = abut_pose(abut_vec3(0.2 * scale, 0.1 * scale, 0.3 * scale), abut_quat_exp(abut_vec3(1, 2, 0)));
        AbutSoft s = abut_soft_direction(b, b, pose, NULL, workspace);
        expected = k == 0 ? s.distance : expected;
        CHECK_NEAR(s.distance / scale, expected, 1e-4);
        CHECK(s.outcome == ABUT_SOFT_CLEAR);
        free(workspace);
        abut_soft_body_free(b);
        abut_mesh_free(&mesh);
    }
}

static void benchmark_meshes_are_solids(void **state) {
    (void)state;
    static const int triangles[][2] = {{36, 1000}, {1000, 1326}, {1600, 950}, {2000, 2000}};
    int count;
    const AbutDirectionCase *cases = abut_direction_cases(&count);
    AbutError error;
    for (int k = 0; k < count; ++k) {
        AbutMesh mesh[2];
        good(abut_direction_case_meshes(k, &mesh[0], &mesh[1], &error), &error);
        for (int i = 0; i < 2; ++i) {
            AbutMeshReport report;
            good(abut_mesh_report(&mesh[i], &report, &error), &error);
            CHECK(report.outward && report.degenerate == 0 && report.components == 1 && report.unused_vertices == 0);
            if (k < 4) CHECK_NEAR(mesh[i].triangle_count, triangles[k][i], 0.02 * triangles[k][i]);
            abut_mesh_free(&mesh[i]);
        }
        CHECK(strlen(cases[k].summary) > 10 && cases[k].tau > 0.0);
        CHECK(abut_pose_is_finite(abut_direction_case_pose(k, 0.3)));
    }
    AbutMesh a, b;
    assert_int_equal(abut_direction_case_meshes(count, &a, &b, &error), ABUT_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_field_keeps_its_bounds),
        cmocka_unit_test(splines_reproduce_linear_functions),
        cmocka_unit_test(samples_hold_the_surface),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(blocks_are_checked),
        cmocka_unit_test(bad_meshes_and_settings_are_refused),
        cmocka_unit_test(memory_may_fail),
        cmocka_unit_test(sizes_do_not_matter),
        cmocka_unit_test(benchmark_meshes_are_solids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
