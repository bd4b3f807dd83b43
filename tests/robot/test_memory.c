/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: none is taken after a configuration was made; where it runs out, readers and makers say so and leave nothing.
 */
#include "support/memory.h"
#include "import/parse.h"

#include <string.h>

#include "abut/import.h"
#include "robot/robot_support.h"

static const char arm[] =
    "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody><body name='a'><joint "
    "name='j'/>"
    "<geom type='mesh' mesh='m'/><site name='s'/><replicate count='2' offset='1 0 0'><body name='r'><joint name='k'/>"
    "<geom size='1'/></body></replicate></body></worldbody><tendon><fixed name='t'><joint joint='j' coef='1'/></fixed>"
    "</tendon><equality><joint joint1='j'/></equality><actuator><position joint='k' "
    "dampratio='1'/></actuator><keyframe>"
    "<key qpos='0 1 2'/></keyframe></mujoco>";

static const char urdf[] =
    "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
    "</inertial><collision><geometry><box size='1 1 1'/></geometry></collision></link><joint name='j' type='revolute'>"
    "<parent link='a'/><child link='b'/><limit lower='-1' upper='1'/></joint></robot>";

/* All questions to a configuration, with an allocator that has nothing to give. */
static void ask_everything(Case *item) {
    static double big[4][ROBOT_NUMBERS * ROBOT_NUMBERS];
    AbutIkSettings settings = abut_ik_default();
    AbutIkTask tasks[2] = {abut_ik_task_default(), abut_ik_task_default()};
    AbutIkResult result;
    AbutError error = {0};
    tasks[0].body = item->model->body_count - 1;
    tasks[1].kind = ABUT_IK_CENTER;
    good(abut_configuration_set(item->c, item->nq, item->q, item->nv, item->v, &error), &error);
    abut_configuration_mass_matrix(item->c, big[0]);
    abut_configuration_bias(item->c, big[0]);
    abut_configuration_passive(item->c, big[1]);
    abut_configuration_forward_dynamics(item->c, ABUT_FORWARD_FACTOR, big[1], big[0]);
    abut_configuration_forward_dynamics(item->c, ABUT_FORWARD_ARTICULATED, big[1], big[0]);
    abut_configuration_forward_derivatives(item->c, big[1], big[0], big[2], big[3]);
    abut_configuration_center_jacobian(item->c, big[0]);
    abut_configuration_momentum_matrix(item->c, big[0]);
    abut_configuration_jacobian(item->c, tasks[0].body, abut_zero(), big[0]);
    settings.restarts = 3;
    good(abut_configuration_ik(item->c, 2, tasks, &settings, &result, &error), &error);
    abut_configuration_reset(item->c);
}

static void test_none_taken(void **state) {
    (void)state;
    AbutRng rng = abut_rng(51, 0);
    FailingMemory memory = {0, 0};
    AbutAllocator empty = {failing_alloc, failing_release, &memory};
    Case item = case_of(&rng, random_tree(&rng, 12));
    abut_set_allocator(&empty);
    ask_everything(&item);
    abut_set_allocator(NULL);
    assert_true(memory.left == 0); /* nobody asked */
    case_free(&item);
}

static AbutStatus read_and_make(const char *text, int is_urdf) {
    AbutModel *model;
    AbutConfiguration *c = NULL;
    AbutStatus status = is_urdf ? abut_model_parse_urdf(text, strlen(text), "r", NULL, &model, NULL)
                                : abut_model_parse_mjcf(text, strlen(text), "m", NULL, &model, NULL);
    if (!status) status = configuration_of(model, &c, NULL);
    abut_configuration_free(c);
    abut_model_free(model);
    return status;
}

static AbutStatus work_mjcf(void) { return read_and_make(arm, 0); }

static AbutStatus work_urdf(void) { return read_and_make(urdf, 1); }

static AbutStatus work_biped(void) {
    AbutModel *model;
    AbutConfiguration *c = NULL;
    AbutStatus status = abut_model_build("biped", 1, &model, NULL);
    if (!status) status = configuration_of(model, &c, NULL);
    abut_configuration_free(c);
    abut_model_free(model);
    return status;
}

static void test_runs_out(void **state) {
    (void)state;
    assert_true(check_memory_failures("biped", work_biped) > 10);
#ifdef ABUT_TEST_XML
    assert_true(check_memory_failures("mjcf", work_mjcf) > 10);
    assert_true(check_memory_failures("urdf", work_urdf) > 5);
#else
    (void)work_mjcf, (void)work_urdf;
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_none_taken), cmocka_unit_test(test_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
