/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys by which orders of Newton steps are kept: islands whose bodies touch in other ways have other keys, or a step is
 * taken with the bodies of another island. Asked of every way in which bodies touch in one contact or two, each body on
 * something that stands still or on another one.
 */
#include "dynamics/newton.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { BODIES = 48, EDGES = BODIES * (BODIES + 1) / 2, KEYS = EDGES + EDGES * (EDGES + 1) / 2 };

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Between bodies a <= b; the same twice: between that body and what stands still, at place 0. */
static AbutSolverContact contact_of(int32_t a, int32_t b) {
    AbutSolverContact c;
    memset(&c, 0, sizeof c);
    c.body_a = a == b ? 0 : a;
    c.body_b = b;
    return c;
}

static void islands_of_one_or_two_contacts_have_keys_of_their_own(void **state) {
    (void)state;
    AbutSimulation *sim = calloc(1, sizeof *sim);
    AbutSolverBody *mover = calloc(BODIES + 1, sizeof *mover);
    AbutSolverContact *edge = calloc(EDGES, sizeof *edge);
    uint64_t *key = calloc(KEYS, sizeof *key);
    assert_true(sim && mover && edge && key);
    int32_t list[2], edges = 0, keys = 0;
    AbutIsland one = {.count = 1}, two = {.count = 2};
    for (int32_t i = 1; i <= BODIES; ++i) mover[i].inv_mass = 1.0;
    for (int32_t a = 1; a <= BODIES; ++a)
        for (int32_t b = a; b <= BODIES; ++b) edge[edges++] = contact_of(a, b);
    sim->mover = mover;
    sim->contacts.at = edge;
    sim->islands.contact = list;
    for (list[0] = 0; list[0] < EDGES; ++list[0]) {
        key[keys++] = abut_newton_key(sim, &one);
        for (list[1] = list[0]; list[1] < EDGES; ++list[1]) key[keys++] = abut_newton_key(sim, &two);
    }
    assert_int_equal(keys, KEYS);
    qsort(key, KEYS, sizeof *key, compare);
    for (int i = 1; i < KEYS; ++i) CHECK(key[i] != key[i - 1]);
    free(key);
    free(edge);
    free(mover);
    free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(islands_of_one_or_two_contacts_have_keys_of_their_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
