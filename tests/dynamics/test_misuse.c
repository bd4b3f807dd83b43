/* SPDX-License-Identifier: Apache-2.0 */
/* Misuse of contacts and simulations asserts where assertions are built in; data that is bad does not. */
#include "abut/dynamics.h"
#include "support/asserts.h"
#include "contact/grown.h"

#include <string.h>

static void misuse_asserts(void **state) {
    (void)state;
    if (ABUT_ASSERT_LEVEL < 1) skip();
    static AbutGrownBody body;
    static AbutContact contact;
    static AbutContactList list;
    static AbutGrownPair pair;
    static AbutSimulationDef def;
    static AbutSimulation *sim;
    static AbutConvex box = {.kind = ABUT_CONVEX_POLYHEDRON};
    AbutBodyId id = {1, 1};
    char state_bytes[8] = {0};
    def = abut_simulation_default();
    ASSERTS((abut_grown_body_create(NULL, 0.0, &body, NULL)));
    ASSERTS((abut_grown_body_create(&box, 0.0, &body, NULL))); /* a polyhedron without its polyhedron */
    ASSERTS((abut_grown_body_free(NULL), 0));
    ASSERTS(abut_contact_workspace_size(NULL, &body));
    ASSERTS(abut_contact_find(&pair, NULL, 0, &contact));
    ASSERTS((abut_contact_list_free(NULL), 0));
    ASSERTS(abut_scene_find_contacts(NULL, 0.0, 0, &list, NULL));
    ASSERTS(abut_simulation_create(NULL, &def, &sim, NULL));
    ASSERTS(abut_simulation_step(NULL, 1e-3, NULL, NULL));
    ASSERTS(abut_simulation_time(NULL));
    ASSERTS(abut_simulation_energy(NULL, NULL, NULL));
    ASSERTS(abut_simulation_contact_count(NULL));
    ASSERTS(abut_simulation_get_contact(NULL, 0, &contact));
    ASSERTS(abut_simulation_get_contacts(NULL, &list, NULL));
    ASSERTS(abut_simulation_get_activity(NULL, id, NULL, NULL));
    ASSERTS(abut_simulation_state_size(NULL));
    ASSERTS((abut_simulation_save(NULL, state_bytes), 0));
    ASSERTS(abut_simulation_restore(NULL, state_bytes, sizeof state_bytes, NULL));
    ASSERTS(abut_simulation_hash(NULL));
    ASSERTS(abut_contact_model_find(NULL));
}

/* What is no misuse asserts nothing at any level. */
static void proper_use_does_not(void **state) {
    (void)state;
    AbutScene *scene;
    AbutSimulation *sim;
    AbutContact contact;
    AbutContactList list;
    int32_t asleep, island;
    AbutBodyId id = {7, 7};
    AbutSimulationDef def = abut_simulation_default();
    assert_int_equal(abut_scene_create(&scene, NULL), ABUT_OK);
    assert_int_equal(abut_simulation_create(scene, &def, &sim, NULL), ABUT_OK);
    assert_int_equal(abut_simulation_step(sim, -1.0, NULL, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_simulation_step(sim, 1e-3, NULL, NULL), ABUT_OK);
    assert_int_equal(abut_simulation_get_contact(sim, 0, &contact), 0);
    assert_int_equal(abut_simulation_get_contact(sim, -1, &contact), 0);
    assert_int_equal(abut_simulation_get_activity(sim, id, &asleep, &island), 0);
    assert_int_equal(island, -1);
    assert_int_equal(abut_simulation_get_contacts(sim, &list, NULL), ABUT_OK);
    assert_int_equal(list.count, 0);
    abut_contact_list_free(&list);
    assert_int_equal(abut_simulation_restore(sim, NULL, 0, NULL), ABUT_ERROR_FORMAT);
    assert_int_equal(abut_contact_model_find("no such model"), -1);
    abut_simulation_free(NULL);
    abut_simulation_free(sim);
    abut_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misuse_asserts),
        cmocka_unit_test(proper_use_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
