/* SPDX-License-Identifier: Apache-2.0 */
/* Real robots, where they lie beside the checkout, against values of MuJoCo 3.14 that are stored here. */
#include "robot/robot_support.h"

#include <string.h>

#include "abut/import.h"
#include "support/optional_data.h"

typedef struct Stored {
    const char *file;
    int nq, nv, bodies;
    const char *const *names;
    const double *q, *v, *product, *bias, *places; /* places: center of mass, then the bodies */
} Stored;

#include "robot/mujoco_values.inc"

static void check_places(const Case *item, const Stored *s) {
    for (int i = 0; i < s->bodies; ++i) {
        int32_t body = abut_model_find(item->model, ABUT_MODEL_BODY, s->names[i]);
        const double *p = s->places + 3 + 3 * i;
        if (body < 0) fail_msg("%s: no body %s", s->file, s->names[i]);
        CHECK_VEC_NEAR(abut_configuration_body_pose(item->c, body).p, abut_vec3(p[0], p[1], p[2]), 1e-12);
    }
}

static void check_dynamics(Case *item, const Stored *s) {
    static double matrix[ROBOT_NUMBERS * ROBOT_NUMBERS], product[ROBOT_NUMBERS], bias[ROBOT_NUMBERS];
    size_t n = (size_t)s->nv;
    abut_configuration_mass_matrix(item->c, matrix);
    for (size_t i = 0; i < n; ++i) {
        product[i] = 0.0;
        for (size_t j = 0; j < n; ++j) product[i] += matrix[i * n + j] * ((double)(7 * j % 11) - 5.0) / 5.0;
    }
    abut_configuration_bias(item->c, bias);
    CHECK_NEAR(relative_gap(product, s->product, n), 0.0, 1e-9);
    CHECK_NEAR(relative_gap(bias, s->bias, n), 0.0, 1e-9);
}

static void test_robots(void **state) {
    (void)state;
    const char *found = optional_data("robots");
    if (!found) skip();
    char folder[4096], path[5000];
    strcpy(folder, found);
    for (size_t i = 0; i < sizeof stored / sizeof stored[0]; ++i) {
        const Stored *s = &stored[i];
        AbutModelReadOptions options = {.without_visuals = 1};
        AbutError error = {0};
        AbutModel *model;
        AbutRng rng = abut_rng(1, 0);
        snprintf(path, sizeof path, "%s/%s", folder, s->file);
        good(abut_model_read(path, &options, &model, &error), &error);
        Case item = case_of(&rng, model);
        good(abut_configuration_set(item.c, s->nq, s->q, s->nv, s->v, &error), &error);
        check_places(&item, s);
        check_dynamics(&item, s);
        case_free(&item);
    }
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_robots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
