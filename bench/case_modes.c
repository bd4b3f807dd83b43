/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases of contact modes: the rows of the published table, and three families that grow: boxes in a row, gears in a
 * row, random contacts on one body. A question is one mode, so that "ns/question" is the cost of a mode, which should
 * stay flat. Counts are checked against the true ones, or counting against listing.
 */
#include "bench/bench.h"
#include "abut/literature.h"

#include <string.h>

typedef struct ModeProbe {
    const AbutModeSystem *system;
    AbutModeOptions options;
    uint64_t modes;
    int failed;
} ModeProbe;

static int pass_over(AbutMode mode, void *user) {
    *(uint64_t *)user ^= mode.plus[0];
    return 0;
}

static void run_probe(void *user) {
    ModeProbe *p = user;
    AbutModeResult result;
    uint64_t mixed = 0;
    p->options.user = &mixed;
    p->failed |= abut_mode_enumerate(p->system, &p->options, &result, NULL) != ABUT_OK;
    p->modes = result.modes;
}

/* A probe that is longer than the budget runs once. */
static void time_probe(BenchRun *run, ModeProbe *probe, const char *engine, uint64_t truth) {
    double began = bench_now(), spent;
    run_probe(probe);
    spent = bench_now() - began;
    double modes = probe->modes ? (double)probe->modes : 1.0;
    BenchProbe timed = {run_probe, probe, 1, 1e9 * spent};
    if (spent < run->budget) bench_time(run, &timed, 1);
    BenchRow row = {
        engine, timed.ns / modes, modes < 2e9 ? (int)modes : 2000000000, probe->modes != truth, -1, probe->failed, 1};
    bench_row(run, &row);
}

enum { WITHOUT_LIST = 1, WITH_PAPER = 2 };

/* Counting and listing, on one and two threads; `truth` 0: what listing finds. */
static void time_system(BenchRun *run, const AbutModeSystem *system, uint64_t truth, int what) {
    static const char *const engines[] = {"list", "list, 2 threads", "count", "count, 2 threads"};
    for (int i = what & WITHOUT_LIST ? 2 : 0; i < 4; ++i) {
        ModeProbe probe = {.system = system, .options = abut_mode_options_default()};
        probe.options.threads = 1 + i % 2;
        probe.options.visit = i < 2 ? pass_over : NULL;
        if (truth == 0) {
            run_probe(&probe);
            truth = probe.modes;
        }
        time_probe(run, &probe, engines[i], truth);
    }
    ModeProbe paper = {.system = system, .options = abut_mode_options_default()};
    paper.options.method = abut_mode_paper;
    if (what & WITH_PAPER) time_probe(run, &paper, "paper", truth);
}

/* ---- the published table ----------------------------------------------------------------------------------------- */

static const struct {
    const char *system;
    uint64_t modes;
    int what;
} table[] = {
    {"box:1", 196, WITH_PAPER},
    {"box:2", 228, WITH_PAPER},
    {"box:3", 136, WITH_PAPER},
    {"box:4", 10, WITH_PAPER},
    {"box:5", 2, WITH_PAPER},
    {"peg:4", 9, WITH_PAPER},
    {"peg:8", 9, WITH_PAPER},
    {"box-box:1", 9996, WITH_PAPER},
    {"box-box:2", 29046, WITH_PAPER},
    {"hand-ball-generic", 605156850, WITHOUT_LIST},
};

static void run_table(BenchRun *run, int parameter) {
    AbutModeSystem system;
    AbutError error;
    bench_require(abut_mode_builtin(table[parameter].system, &system, &error), &error);
    time_system(run, &system, table[parameter].modes, table[parameter].what);
    abut_mode_system_free(&system);
}

/* ---- families ---------------------------------------------------------------------------------------------------- */

enum { MOST = 64 };

static void build_and_time(BenchRun *run, const AbutModeSystemDef *def) {
    AbutModeSystem system;
    AbutError error;
    bench_require(abut_mode_system_build(def, &system, &error), &error);
    time_system(run, &system, 0, 0);
    abut_mode_system_free(&system);
}

/* Boxes that move along x and z, each on the ground and against the one before. */
static void run_boxes(BenchRun *run, int boxes) {
    AbutPointContact contacts[MOST];
    AbutModeBody bodies[MOST];
    double jacobians[MOST][6 * 2 * MOST];
    int n = 0, dof = 2 * boxes;
    memset(contacts, 0, sizeof contacts);
    memset(bodies, 0, sizeof bodies);
    memset(jacobians, 0, sizeof jacobians);
    for (int b = 0; b < boxes; ++b) {
        jacobians[b][0 * dof + 2 * b] = jacobians[b][2 * dof + 2 * b + 1] = 1.0;
        bodies[b] = (AbutModeBody){.kind = ABUT_MODE_BODY_JACOBIAN,
            .position = {b, 0.0, 0.0},
            .rotation = abut_mat3_identity(),
            .jacobian = jacobians[b]};
        contacts[n++] = (AbutPointContact){.point = {b, 0.0, -0.5},
            .normal = {0.0, 0.0, 1.0},
            .tangent_x = {1.0, 0.0, 0.0},
            .body_a = -1,
            .body_b = b};
        if (b > 0)
            contacts[n++] = (AbutPointContact){.point = {b - 0.5, 0.0, 0.0},
                .normal = {1.0, 0.0, 0.0},
                .tangent_x = {0.0, 0.0, 1.0},
                .body_a = b - 1,
                .body_b = b};
    }
    build_and_time(run, &(AbutModeSystemDef){n, boxes, contacts, bodies, dof, 1, 0, 0});
}

/* Gears on fixed axes along z, each with one flank against the gear before. */
static void run_gears(BenchRun *run, int gears) {
    AbutPointContact contacts[MOST];
    AbutModeBody bodies[MOST];
    double jacobians[MOST][6 * MOST];
    int n = 0;
    memset(contacts, 0, sizeof contacts);
    memset(bodies, 0, sizeof bodies);
    memset(jacobians, 0, sizeof jacobians);
    for (int g = 0; g < gears; ++g) {
        jacobians[g][5 * gears + g] = 1.0;
        bodies[g] = (AbutModeBody){.kind = ABUT_MODE_BODY_JACOBIAN,
            .position = {2.0 * g, 0.0, 0.0},
            .rotation = abut_mat3_identity(),
            .jacobian = jacobians[g]};
        if (g > 0) /* flanks lean by 1/4 */
            contacts[n++] = (AbutPointContact){.point = {2.0 * g - 1.0, 0.0, 0.0},
                .normal = {0.25, g % 2 ? 1.0 : -1.0, 0.0},
                .body_a = g - 1,
                .body_b = g};
    }
    build_and_time(run, &(AbutModeSystemDef){n, gears, contacts, bodies, gears, 2, 0, 0});
}

/* A body with contacts at random corners of a grid, random slanted normals: many planes in six dimensions. */
static void run_random(BenchRun *run, int count) {
    AbutPointContact contacts[MOST];
    AbutModeBody body = {.kind = ABUT_MODE_BODY_FREE};
    AbutRng rng = abut_rng(5, (uint64_t)count);
    memset(contacts, 0, sizeof contacts);
    for (int i = 0; i < count; ++i) {
        AbutVec3 p = abut_vec3(abut_rng_between(&rng, -1.0, 1.0), abut_rng_between(&rng, -1.0, 1.0), -0.5);
        AbutVec3 normal =
            abut_vec3(0.3 * abut_rng_between(&rng, -1.0, 1.0), 0.3 * abut_rng_between(&rng, -1.0, 1.0), 1.0);
        contacts[i] = (AbutPointContact){.point = p, .normal = normal, .body_a = -1};
    }
    build_and_time(run, &(AbutModeSystemDef){count, 1, contacts, &body, 6, 2, 0, 0});
}

static const BenchCase cases[] = {
    {"modes/box:1", run_table, 0},
    {"modes/box:2", run_table, 1},
    {"modes/box:3", run_table, 2},
    {"modes/box:4", run_table, 3},
    {"modes/box:5", run_table, 4},
    {"modes/peg:4", run_table, 5},
    {"modes/peg:8", run_table, 6},
    {"modes/box-box:1", run_table, 7},
    {"modes/box-box:2", run_table, 8},
    {"modes/hand-ball-generic", run_table, 9},
    {"modes/boxes-2", run_boxes, 2},
    {"modes/boxes-4", run_boxes, 4},
    {"modes/boxes-6", run_boxes, 6},
    {"modes/boxes-8", run_boxes, 8},
    {"modes/gears-4", run_gears, 4},
    {"modes/gears-6", run_gears, 6},
    {"modes/gears-8", run_gears, 8},
    {"modes/gears-10", run_gears, 10},
    {"modes/random-2", run_random, 2},
    {"modes/random-4", run_random, 4},
    {"modes/random-6", run_random, 6},
    {"modes/random-8", run_random, 8},
    {"modes/random-12", run_random, 12},
};

const BenchList bench_modes_list = {cases, sizeof cases / sizeof cases[0], 0, NULL, NULL};
