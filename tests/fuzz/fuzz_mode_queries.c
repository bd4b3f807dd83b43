/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes become a small system of rows, with or without more digits, and questions about its modes: velocities,
 * dimensions, neighbors, the Hasse diagram, forces, merging. Answers must fit each other where the rows are whole
 * numbers; with numbers of any size they must only end and be finite. Byte 0: contacts, 1: velocities, 2: lines, 3:
 * kind of numbers, 4: which mode, and from 240 on of up to 300 instead of 60, 5: more digits; then the entries.
 */
#include "abut/mode.h"
#include "fuzz.h"
#include "input.h"
#include "support/mode_dimension.h"

#include <math.h>

enum { CONTACTS = 4, DOF = 6, LINES = 3, ROWS = CONTACTS * (1 + LINES) };

static int all_finite(const double *x, int count) {
    for (int i = 0; i < count; ++i)
        if (!isfinite(x[i])) return 0;
    return 1;
}

/* Both sides of the diagram and the search around one mode tell of the same neighbors. */
static void check_order(const AbutModeSystem *s, const AbutModeList *list, size_t at, int whole) {
    AbutPair *edges;
    size_t count;
    uint64_t found[2], expected[2] = {0, 0};
    if (abut_mode_hasse(s, list, &count, &edges, NULL) != ABUT_OK) return;
    for (size_t k = 0; k < count; ++k) {
        FUZZ_REQUIRE((size_t)edges[k].a < list->count && (size_t)edges[k].b < list->count);
        expected[0] += (size_t)edges[k].b == at, expected[1] += (size_t)edges[k].a == at;
    }
    abut_free(edges);
    for (int i = 0; i < 2; ++i)
        if (abut_mode_neighbors(s, abut_mode_list_get(list, at), i ? ABUT_MODE_COFACES : ABUT_MODE_FACETS, NULL, NULL,
                &found[i], NULL) == ABUT_OK &&
            whole)
            FUZZ_REQUIRE(found[i] == expected[i]);
}

static void check_velocity(const AbutModeSystem *s, AbutMode mode, int whole) {
    double velocity[DOF + 1] = {0}, desired[DOF + 1] = {1, -2, 3, -4, 5, -6}, distance;
    uint64_t bits[2];
    AbutStatus status = abut_mode_velocity(s, mode, velocity, NULL);
    FUZZ_REQUIRE(status == ABUT_OK || !whole);
    if (status == ABUT_OK) {
        FUZZ_REQUIRE(all_finite(velocity, s->dof));
        status = abut_mode_of_velocity(s, velocity, 0.0, (AbutMode){bits, bits + 1}, NULL);
        FUZZ_REQUIRE(!whole || (status == ABUT_OK && bits[0] == *mode.plus && bits[1] == *mode.minus));
    }
    if (abut_mode_project(s, 0, mode, desired, NULL, velocity, &distance, NULL) == ABUT_OK)
        FUZZ_REQUIRE(all_finite(velocity, s->dof) && distance >= 0.0);
    int dimension = mode_dimension(s, mode);
    FUZZ_REQUIRE(dimension <= s->dof && (dimension >= 0 || !whole));
}

static void check_forces(const AbutModeSystem *s, AbutMode mode) {
    const double force[DOF + 1] = {0.1, -0.2, -1, 0.05, 0, 0.3};
    double contact_force[3 * CONTACTS + 1];
    AbutModeForces forces = {.force = force, .default_friction = 0.5};
    AbutModeForceResult result;
    if (abut_mode_force_feasible(s, mode, &forces, &result, NULL, contact_force, NULL) == ABUT_OK && result.feasible)
        FUZZ_REQUIRE(all_finite(contact_force, 3 * s->contacts));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    double rows[ROWS * DOF], low[ROWS * DOF];
    Input in = {data, size, 1.0};
    int n = 1 + next_byte(&in) % CONTACTS, d = 1 + next_byte(&in) % DOF, t = next_byte(&in) % (LINES + 1);
    int whole = next_byte(&in) % 4 != 0, which = next_byte(&in), digits = next_byte(&in) % 2;
    in.tame = whole ? 1.0 : 0.0;
    for (int i = 0; i < n * (1 + t) * d; ++i) {
        rows[i] = whole ? (double)(next_byte(&in) % 5 - 2) : next_number(&in);
        low[i] = whole ? 0.0 : 1e-17 * rows[i];
    }
    AbutModeSystem s = {n, d, t, rows, rows + n * d, NULL, digits ? low : NULL, NULL, 0.0};
    AbutModeOptions o = abut_mode_options_default();
    AbutModeResult result;
    AbutModeList list = {0};
    o.limit = which < 240 ? 60 : 300, o.threads = 1; /* the diagram takes the square of it */
    if (abut_mode_collect(&s, &o, &list, &result, NULL) == ABUT_OK && list.count > 0) {
        size_t at = (size_t)which % list.count;
        whole &= result.complete;
        check_order(&s, &list, at, whole);
        check_velocity(&s, abut_mode_list_get(&list, at), whole);
        check_forces(&s, abut_mode_list_get(&list, at));
        size_t before = list.count;
        if (abut_mode_merge(&s, &list, NULL) == ABUT_OK) FUZZ_REQUIRE(list.count <= before && list.count > 0);
    }
    abut_mode_list_free(&list);
    return 0;
}
