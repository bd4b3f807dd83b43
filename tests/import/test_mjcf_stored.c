/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small models in tests/import/mjcf that put the elements of MJCF together in unusual ways: reference, poses of bodies,
 * masses, mass matrix and bias at two states each, against values of MuJoCo 3.14 that lie beside them. The ones called
 * random were drawn. A file of values has the numbers of positions, velocities and bodies; the reference; and for each
 * state positions, velocities, M x with x[i] = (7 i mod 11 - 5) / 5, bias, mass and center of mass, and a line for each
 * body: name, position, orientation.
 */
#include "robot/robot_support.h"

#include <string.h>

#include "abut/import.h"

static const char *const names[] = {"aligned", "attach", "attach_copies", "attach_deep", "attach_includes",
    "bent_quads", "bounds_and_total", "fingers", "fitted", "fitted_to_vertices", "folders", "frames", "free_and_ball",
    "gravity_off", "includes", "inertial_alone", "joints", "least_masses", "least_moments", "least_moments_outside",
    "loops", "massless_geoms", "mesh_rules", "nameless", "nested_classes", "nested_includes", "orientations",
    "pointing", "random_1", "random_2", "random_3", "random_4", "random_5", "random_6", "random_7", "random_8",
    "replicate", "sections", "shells", "small_sections", "standing_parts", "thin_shells"};

static void numbers(FILE *file, int count, double *out) {
    for (int i = 0; i < count; ++i) assert_int_equal(fscanf(file, "%lf", &out[i]), 1);
}

/* The largest difference, in parts of the largest number or of `least`. */
static double gap(const double *a, const double *b, int count, double least) {
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        least = fmax(least, fabs(b[i]));
        most = isfinite(a[i]) ? fmax(most, fabs(a[i] - b[i])) : INFINITY;
    }
    return most / least;
}

static void check_bodies(FILE *file, const Case *item, int bodies) {
    for (int i = 0; i < bodies; ++i) {
        char name[100];
        double x[7];
        assert_int_equal(fscanf(file, "%99s", name), 1);
        numbers(file, 7, x);
        int32_t body = abut_model_find(item->model, ABUT_MODEL_BODY, name);
        if (body < 0) fail_msg("no body %s", name);
        AbutPose pose = abut_configuration_body_pose(item->c, body);
        CHECK_VEC_NEAR(pose.p, abut_vec3(x[0], x[1], x[2]), 1e-13);
        CHECK_NEAR(fabs(abut_quat_dot(pose.q, abut_quat(x[3], x[4], x[5], x[6]))), 1.0, 1e-13);
    }
}

static void check_masses(FILE *file, const Case *item) {
    double expected[4], mass = 0.0;
    AbutVec3 sum = abut_zero();
    numbers(file, 4, expected);
    for (int32_t b = 0; b < item->model->body_count; ++b) { /* of those that stand too */
        const AbutBodyDef *def = &item->model->bodies[b];
        sum = abut_add_scaled(sum, abut_pose_apply(abut_configuration_body_pose(item->c, b), def->center), def->mass);
        mass += def->mass;
    }
    CHECK_NEAR(mass, expected[0], 1e-12 * expected[0]);
    CHECK_VEC_NEAR(abut_scale(sum, 1.0 / mass), abut_vec3(expected[1], expected[2], expected[3]), 1e-12);
}

static void check_state(FILE *file, Case *item, int nq, int nv, int bodies) {
    static double matrix[ROBOT_NUMBERS * ROBOT_NUMBERS];
    double q[ROBOT_NUMBERS], v[ROBOT_NUMBERS], expected[ROBOT_NUMBERS], found[ROBOT_NUMBERS];
    AbutError error = {0};
    numbers(file, nq, q);
    numbers(file, nv, v);
    good(abut_configuration_set(item->c, nq, q, nv, v, &error), &error);
    abut_configuration_mass_matrix(item->c, matrix);
    for (int i = 0; i < nv; ++i) {
        found[i] = 0.0;
        for (int k = 0; k < nv; ++k) found[i] += matrix[i * nv + k] * ((double)(7 * k % 11) - 5.0) / 5.0;
    }
    numbers(file, nv, expected);
    CHECK_NEAR(gap(found, expected, nv, 0.0), 0.0, 1e-10);
    abut_configuration_bias(item->c, found);
    numbers(file, nv, expected);
    CHECK_NEAR(gap(found, expected, nv, 1e-3), 0.0, 1e-10);
    check_masses(file, item);
    check_bodies(file, item, bodies);
}

static void check_model(const char *name) {
    char path[1000];
    AbutModel *model;
    AbutError error = {0};
    AbutRng rng = abut_rng(1, 0);
    double reference[ROBOT_NUMBERS];
    int nq, nv, bodies;
    snprintf(path, sizeof path, "%s/tests/import/mjcf/%s/model.xml", ABUT_SOURCE_DIR, name);
    good(abut_model_read(path, NULL, &model, &error), &error);
    for (int32_t k = 0; k < model->keyframe_count; ++k)
        assert_int_equal(model->keyframes[k].position_count, abut_model_number_count(model, ABUT_NUMBERS_POSITIONS));
    snprintf(path, sizeof path, "%s/tests/import/mjcf/%s/values.txt", ABUT_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d %d %d", &nq, &nv, &bodies), 3);
    assert_int_equal(nq, abut_model_number_count(model, ABUT_NUMBERS_POSITIONS));
    assert_int_equal(nv, abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES));
    assert_true(nq <= ROBOT_NUMBERS);
    numbers(file, nq, reference);
    Case item = case_of(&rng, model);
    abut_configuration_reset(item.c);
    CHECK_NEAR(gap(abut_configuration_positions(item.c), reference, nq, 1.0), 0.0, 1e-15);
    for (int state = 0; state < 2; ++state) check_state(file, &item, nq, nv, bodies);
    case_free(&item);
    fclose(file);
}

static void test_models(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        print_message("%s\n", names[i]);
        check_model(names[i]);
    }
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
