/* SPDX-License-Identifier: Apache-2.0 */
/* The same bits on every run, for any number of threads, and after saving and restoring in the middle; bad states are
 * refused. */
#include "dynamics/world_support.h"

#include <string.h>

static const double DT = 1e-3;
enum { BEFORE = 1000, AFTER = 200 }; /* steps: the first boxes have landed, the last have not */

static AbutSimulationDef def_with(int threads, int sleeping) {
    AbutSimulationDef def = abut_simulation_default();
    def.threads = threads;
    def.sleeping = sleeping;
    return def;
}

/* Hashes along a run: one every hundred steps, so that a difference cannot heal unseen. */
static uint64_t run_hash(World *world, int steps) {
    uint64_t hash = 0;
    for (int i = 1; i <= steps; ++i) {
        world_step(world, DT);
        uint64_t now = abut_simulation_hash(world->sim);
        if (i % 100 == 0 || i == steps) hash = abut_hash(&now, sizeof now, hash);
    }
    return hash;
}

typedef struct Saved {
    unsigned char *bytes;
    size_t size;
} Saved;

static Saved save(const World *world) {
    Saved s = {NULL, abut_simulation_state_size(world->sim)};
    s.bytes = malloc(s.size + 16);
    memset(s.bytes + s.size, 0x5a, 16);
    abut_simulation_save(world->sim, s.bytes);
    for (size_t i = 0; i < 16; ++i) CHECK(s.bytes[s.size + i] == 0x5a); /* not a byte more than was said */
    return s;
}

static void restore(World *world, Saved saved) {
    AbutError error;
    good(abut_simulation_restore(world->sim, saved.bytes, saved.size, &error), &error);
}

/* Two whole runs, then the busy end of the run with 2, 3 and 8 threads. */
static void runs_and_threads_agree(const char *spec, int sleeping) {
    static const int threads[] = {2, 3, 8};
    AbutSimulationDef def = def_with(1, sleeping);
    World world = world_from(spec, 5, &def), again = world_from(spec, 5, &def), other = world_from(spec, 6, &def);
    world_run(&world, DT, BEFORE);
    Saved saved = save(&world);
    uint64_t first = run_hash(&world, AFTER);
    CHECK(abut_simulation_contact_count(world.sim) > 10);
    world_run(&again, DT, BEFORE);
    CHECK(run_hash(&again, AFTER) == first);
    world_run(&other, DT, BEFORE);
    CHECK(run_hash(&other, AFTER) != first); /* another pile: the hash tells */
    for (size_t k = 0; k < sizeof threads / sizeof threads[0]; ++k) {
        def = def_with(threads[k], sleeping);
        World threaded = world_from(spec, 5, &def);
        world_run(&threaded, DT, 20);
        restore(&threaded, saved);
        CHECK(run_hash(&threaded, AFTER) == first);
        world_free(&threaded);
    }
    free(saved.bytes);
    world_free(&world);
    world_free(&again);
    world_free(&other);
}

static void boxes_agree_for_any_thread_count(void **state) {
    (void)state;
    runs_and_threads_agree("boxes:30", 0);
    runs_and_threads_agree("boxes:30", 1);
}

static void hulls_agree_for_any_thread_count(void **state) {
    (void)state;
    runs_and_threads_agree("hulls:20", 0);
    runs_and_threads_agree("hulls:20", 1);
    runs_and_threads_agree("shapes:40", 0);
    runs_and_threads_agree("shapes:40", 1);
}

/* Saved at `before`, continued in the same simulation, in a fresh one, and in one that has run elsewhere meanwhile. */
static void restored_runs_continue(const char *spec, int sleeping, int before, int after) {
    AbutSimulationDef def = def_with(1, sleeping);
    World world = world_from(spec, 5, &def), fresh = world_from(spec, 5, &def), strayed = world_from(spec, 5, &def);
    world_run(&world, DT, before);
    Saved saved = save(&world);
    uint64_t at_save = abut_simulation_hash(world.sim), end = run_hash(&world, after);

    restore(&world, saved);
    CHECK(abut_simulation_hash(world.sim) == at_save);
    CHECK_NEAR(abut_simulation_time(world.sim), before * DT, 1e-9);
    CHECK(run_hash(&world, after) == end);

    restore(&fresh, saved);
    CHECK(abut_simulation_hash(fresh.sim) == at_save);
    CHECK(run_hash(&fresh, after) == end);

    world_run(&strayed, 4e-3, 200); /* another margin, other pairs, other times */
    restore(&strayed, saved);
    CHECK(run_hash(&strayed, after) == end);

    free(saved.bytes);
    world_free(&world);
    world_free(&fresh);
    world_free(&strayed);
}

static void a_restored_run_continues_bit_for_bit(void **state) {
    (void)state;
    for (int sleeping = 0; sleeping < 2; ++sleeping) {
        restored_runs_continue("boxes:30", sleeping, BEFORE, AFTER);
        restored_runs_continue("hulls:20", sleeping, BEFORE, AFTER);
        restored_runs_continue("shapes:40", sleeping, BEFORE, AFTER);
        restored_runs_continue("boxes:30", sleeping, 0, 400); /* before the first step */
    }
    restored_runs_continue("stack:3", 1, 2500, 200); /* asleep */
}

/* At every step of a short run: whatever is half done between two steps must be in the state. */
static void every_step_can_be_saved(void **state) {
    (void)state;
    AbutSimulationDef def = def_with(1, 1);
    World world = world_from("hulls:6", 3, &def), twin = world_from("hulls:6", 3, &def);
    for (int i = 0; i < 600; ++i) {
        if (i % 3 == 0) {
            Saved saved = save(&world);
            restore(&twin, saved);
            free(saved.bytes);
        }
        world_step(&world, DT);
        world_step(&twin, DT);
        if (abut_simulation_hash(world.sim) != abut_simulation_hash(twin.sim)) fail_msg("the runs part at step %d", i);
    }
    world_free(&world);
    world_free(&twin);
}

/* Equal states are equal byte by byte, the gaps between fields included. */
static void saved_bytes_are_defined(void **state) {
    (void)state;
    AbutSimulationDef def = def_with(1, 0);
    World world = world_from("pyramid:4", 0, &def), twin = world_from("pyramid:4", 0, &def);
    world_run(&world, DT, 20);
    world_run(&twin, DT, 20);
    Saved a = save(&world), b = save(&twin);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    free(a.bytes);
    free(b.bytes);
    world_free(&world);
    world_free(&twin);
}

static void contacts_are_restored_with_their_forces(void **state) {
    (void)state;
    AbutSimulationDef def = def_with(1, 0);
    World world = world_from("stack:4", 0, &def), fresh = world_from("stack:4", 0, &def);
    world_run(&world, DT, 300);
    Saved saved = save(&world);
    restore(&fresh, saved);
    int count = abut_simulation_contact_count(world.sim);
    assert_int_equal(count, 4);
    assert_int_equal(abut_simulation_contact_count(fresh.sim), count);
    for (int i = 0; i < count; ++i) {
        AbutContact a, b;
        CHECK(abut_simulation_get_contact(world.sim, i, &a) && abut_simulation_get_contact(fresh.sim, i, &b));
        CHECK(abut_length(a.force) > 0.0);
        CHECK_VEC_NEAR(a.force, b.force, 0.0);
        CHECK_VEC_NEAR(a.torque, b.torque, 0.0);
    }
    free(saved.bytes);
    world_free(&world);
    world_free(&fresh);
}

static void refused(World *world, const void *bytes, size_t size) {
    AbutError error = {0};
    uint64_t before = abut_simulation_hash(world->sim);
    AbutStatus status = abut_simulation_restore(world->sim, bytes, size, &error);
    CHECK(status == ABUT_ERROR_FORMAT || status == ABUT_ERROR_ARGUMENT);
    CHECK(strlen(error.text) > 0);
    CHECK(abut_simulation_hash(world->sim) == before); /* untouched */
}

static void bad_states_are_refused(void **state) {
    (void)state;
    AbutSimulationDef def = def_with(1, 0);
    World world = world_from("boxes:8", 1, &def);
    world_run(&world, DT, 600);
    Saved saved = save(&world);
    for (size_t cut = 0; cut < saved.size; cut += cut < 400 ? 1 : 997) refused(&world, saved.bytes, cut);
    AbutRng rng = abut_rng(3, 0);
    for (int i = 0; i < 2000; ++i) { /* one flipped bit anywhere, the header and the hash often */
        size_t at =
            i < 600 ? abut_rng_below(&rng, 320)
                    : (i < 700 ? saved.size - 1 - abut_rng_below(&rng, 8) : abut_rng_below(&rng, (uint32_t)saved.size));
        unsigned char bit = (unsigned char)(1u << abut_rng_below(&rng, 8));
        saved.bytes[at] ^= bit;
        refused(&world, saved.bytes, saved.size);
        saved.bytes[at] ^= bit;
    }
    restore(&world, saved); /* and unharmed it is taken */
    World fewer = world_from("boxes:7", 1, &def), other = world_from("hulls:8", 1, &def),
          alike = world_from("stack:8", 1, &def);
    refused(&fewer, saved.bytes, saved.size);
    refused(&other, saved.bytes, saved.size);
    AbutError error;
    good(abut_simulation_restore(alike.sim, saved.bytes, saved.size, &error), &error); /* the same bodies, elsewhere */
    CHECK(abut_simulation_hash(alike.sim) == abut_simulation_hash(world.sim));
    AbutBodyId last = abut_scene_body_at(world.scene, 8);
    good(abut_scene_remove_body(world.scene, last, &error), &error);
    refused(&world, saved.bytes, saved.size); /* the place is there, the body is not */
    add_box(world.scene, ABUT_BODY_DYNAMIC, at(0, 0, 5), abut_vec3(0.1, 0.05, 0.025));
    refused(&world, saved.bytes, saved.size);
    free(saved.bytes);
    world_free(&world);
    world_free(&fewer);
    world_free(&other);
    world_free(&alike);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_agree_for_any_thread_count),
        cmocka_unit_test(hulls_agree_for_any_thread_count),
        cmocka_unit_test(a_restored_run_continues_bit_for_bit),
        cmocka_unit_test(every_step_can_be_saved),
        cmocka_unit_test(saved_bytes_are_defined),
        cmocka_unit_test(contacts_are_restored_with_their_forces),
        cmocka_unit_test(bad_states_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
