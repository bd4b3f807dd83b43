/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random trees written as MJCF and read by MuJoCo and by us: poses, mass matrix, bias, passive torques, Jacobians,
 * accelerations, center of mass and momentum agree. Needs MuJoCo; without it the test is skipped.
 */
#include "robot/robot_support.h"

#ifndef ABUT_HAVE_MUJOCO
int main(void) { return 77; }
#else

#include <string.h>

#include <mujoco/mujoco.h>

#include "abut/import.h"
#include "support/tool.h"
#include "support/write_mjcf.h"

static void check_bodies(const mjModel *m, const mjData *d, const Case *item) {
    static double ours[6 * ROBOT_NUMBERS], theirs[6 * ROBOT_NUMBERS];
    for (int b = 0; b < item->model->body_count; ++b) {
        int id = mj_name2id(m, mjOBJ_BODY, item->model->bodies[b].name);
        const double *x = d->xpos + 3 * id, *q = d->xquat + 4 * id;
        AbutPose pose = abut_configuration_body_pose(item->c, b);
        AbutVec3 point = abut_vec3(x[0], x[1], x[2]);
        CHECK_VEC_NEAR(pose.p, point, 1e-12);
        CHECK_NEAR(fabs(abut_quat_dot(pose.q, abut_quat(q[0], q[1], q[2], q[3]))), 1.0, 1e-12);
        abut_configuration_jacobian(item->c, b, point, ours);
        mj_jac(m, d, theirs, theirs + 3 * m->nv, x, id);
        CHECK_NEAR(relative_gap(ours, theirs, 6 * (size_t)m->nv), 0.0, 1e-9);
    }
}

static void check_dynamics(const mjModel *m, mjData *d, Case *item) {
    static double ours[ROBOT_NUMBERS * ROBOT_NUMBERS], theirs[ROBOT_NUMBERS * ROBOT_NUMBERS];
    size_t n = (size_t)m->nv;
    double torques[ROBOT_NUMBERS] = {0};
    abut_configuration_mass_matrix(item->c, ours);
    mj_fullM(m, theirs, d->qM);
    CHECK_NEAR(relative_gap(ours, theirs, n * n), 0.0, 1e-9);
    abut_configuration_bias(item->c, ours);
    CHECK_NEAR(relative_gap(ours, d->qfrc_bias, n), 0.0, 1e-9);
    abut_configuration_passive(item->c, torques);
    CHECK_NEAR(relative_gap(torques, d->qfrc_passive, n), 0.0, 1e-9);
    abut_configuration_forward_dynamics(item->c, ABUT_FORWARD_AUTOMATIC, torques, ours);
    CHECK_NEAR(relative_gap(ours, d->qacc_smooth, n), 0.0, 1e-8);
}

/* Was there something to compare? MuJoCo takes no rotation behind a ball. */
static int check_random_tree(AbutRng *rng, MjcfText *t, const char *path) {
    char why[1000] = "";
    AbutModel *model = random_tree(rng, 1 + (int)abut_rng_below(rng, 12)), *read;
    AbutError error = {0};
    write_mjcf(t, model);
    abut_model_free(model);
    FILE *f = fopen(path, "w");
    fputs(t->text, f);
    fclose(f);
    mjModel *m = mj_loadXML(path, NULL, why, sizeof why);
    if (!m && strstr(why, "ball followed by rotation")) return 0;
    if (!m) fail_msg("MuJoCo: %s\n%s", why, t->text);
    good(abut_model_read(path, NULL, &read, &error), &error);
    mjData *d = mj_makeData(m);
    Case item = case_of(rng, read);
    assert_int_equal(item.nv, m->nv);
    memcpy(d->qpos, item.q, (size_t)item.nq * sizeof *item.q);
    memcpy(d->qvel, item.v, (size_t)item.nv * sizeof *item.v);
    mj_forward(m, d);
    check_bodies(m, d, &item);
    if (item.nv) check_dynamics(m, d, &item);
    case_free(&item);
    mj_deleteData(d);
    mj_deleteModel(m);
    return 1;
}

static void test_random_trees(void **state) {
    (void)state;
    static MjcfText t;
    AbutRng rng = abut_rng(31, 0);
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/tree.xml", tool.folder);
    int compared = 0, cases = check_cases(200);
    for (int i = 0; i < cases; ++i) compared += check_random_tree(&rng, &t, path);
    assert_true(compared > cases / 4);
    tool_close(&tool);
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_trees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
