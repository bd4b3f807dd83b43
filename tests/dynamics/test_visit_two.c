/* SPDX-License-Identifier: Apache-2.0 */
/* Visits of two contacts at a time against a twin whose contacts are visited one after the other: the same bits. */
#include "dynamics/mover.h"
#include "dynamics/world_support.h"
#include "support/check.h"

static int mates(const AbutSimulation *sim) {
    int count = 0;
    for (int32_t k = 0; k < sim->islands.order_count - sim->awake.settled_contacts; ++k)
        count += sim->islands.mate[k] == ABUT_MATE_FIRST;
    return count;
}

/* Contacts that are visited together share no body that moves, and stand in one island. */
static void check_mates(const AbutSimulation *sim) {
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i) {
        const AbutIsland *island = &sim->islands.at[i];
        for (int32_t k = 0; k < island->count; ++k) {
            const uint8_t *mate = &sim->islands.mate[island->first + k];
            if (*mate != ABUT_MATE_FIRST) continue;
            assert_true(k + 1 < island->count && mate[1] == ABUT_MATE_SECOND);
            const AbutSolverContact *p = abut_island_contact(sim, island, k),
                                    *q = abut_island_contact(sim, island, k + 1);
            CHECK(p->body_b != q->body_b && p->body_a != q->body_b && p->body_b != q->body_a);
            CHECK(p->body_a != q->body_a || !(sim->mover[p->body_a].inv_mass > 0.0));
        }
    }
}

static void two_visits_have_the_bits_of_one_after_the_other(void **state) {
    (void)state;
    static const char *const scenes[] = {"boxes:30", "bin:30", "wall:4", "balls:20", "conveyor:5"};
    for (int s = 0; s < (int)(sizeof scenes / sizeof scenes[0]); ++s) {
        AbutSimulationDef def = abut_simulation_default();
        World w = world_from(scenes[s], 3, &def), twin = world_from(scenes[s], 3, &def);
        AbutContactModel alone = *twin.sim->model;
        alone.visit_two = NULL;
        twin.sim->model = &alone;
        int together = 0;
        for (int i = 0; i < 900; ++i) {
            world_step(&w, 1e-3);
            world_step(&twin, 1e-3);
            together += mates(w.sim);
            check_mates(w.sim);
            assert_int_equal(mates(twin.sim), 0);
        }
        CHECK(together > 100 || s > 2);
        assert_true(abut_simulation_hash(w.sim) == abut_simulation_hash(twin.sim));
        world_free(&w);
        world_free(&twin);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_visits_have_the_bits_of_one_after_the_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
