/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller must not do asserts, before anything else happens. Needs a library that was built with assertions. */
#include "abut/literature.h"
#include "support/check.h"

#if ABUT_ASSERT_LEVEL >= 1

#include "support/asserts.h"

static void missing_pointers_assert(void **state) {
    (void)state;
    static double row[3] = {0, 0, 1};
    static uint64_t bits[2];
    static AbutModeSystem system = {.contacts = 1, .dof = 3, .normal_rows = row};
    static AbutModeSystem other;
    static AbutModeResult result;
    static AbutModeForceResult forces;
    static AbutModeSystemDef def = {.contact_count = 1};
    static double velocity[3];
    AbutMode mode = {bits, bits + 1}, none = {NULL, NULL};
    ASSERTS(abut_mode_system_build(NULL, &other, NULL));
    ASSERTS(abut_mode_system_build(&def, &other, NULL));
    ASSERTS(abut_mode_builtin(NULL, &other, NULL));
    ASSERTS(abut_mode_enumerate(NULL, NULL, &result, NULL));
    ASSERTS(abut_mode_enumerate(&system, NULL, NULL, NULL));
    ASSERTS(abut_mode_velocity(&system, none, velocity, NULL));
    ASSERTS(abut_mode_velocity(&system, mode, NULL, NULL));
    ASSERTS(abut_mode_parse(&system, 0, NULL, mode, NULL));
    ASSERTS(abut_mode_force_feasible(&system, mode, NULL, &forces, NULL, NULL, NULL));
    ASSERTS(abut_mode_neighbors(&system, mode, 0, NULL, NULL, NULL, NULL));
}

static void places_out_of_range_assert(void **state) {
    (void)state;
    static AbutModeList empty = {.words = 1};
    ASSERTS(abut_mode_list_get(&empty, 0).plus);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_pointers_assert),
        cmocka_unit_test(places_out_of_range_assert),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) { return 77; /* skipped */ }

#endif
