/* SPDX-License-Identifier: Apache-2.0 */
/* One set of pairs, every engine: answers counted against the truth, then timed side by side. */
#include "bench/engine.h"

#include <stdlib.h>

static const BenchEngine *const engines[] = {
    &bench_abut,
    &bench_abut_warm,
#ifdef BENCH_HAVE_CCD
    &bench_ccd_epa,
    &bench_ccd_mpr,
#endif
#ifdef BENCH_HAVE_FCL
    &bench_fcl_ccd,
    &bench_fcl_indep,
#endif
#ifdef BENCH_HAVE_COAL
    &bench_coal,
#endif
#ifdef BENCH_HAVE_PARRY
    &bench_parry,
#endif
#ifdef BENCH_HAVE_BULLET
    &bench_bullet,
#endif
#ifdef BENCH_HAVE_ODE
    &bench_ode,
#endif
#ifdef BENCH_HAVE_MUJOCO
    &bench_mujoco,
#endif
};

enum { ENGINES = sizeof engines / sizeof engines[0] };

const BenchEngine *bench_engine(int index) { return index >= 0 && index < ENGINES ? engines[index] : NULL; }

typedef struct Entry {
    const BenchEngine *engine;
    const BenchSet *set;
    void *state;
    double sink; /* keeps the answers alive */
} Entry;

static void ask_all(void *user) {
    Entry *entry = user;
    const BenchSet *set = entry->set;
    double sum = 0.0;
    for (int pose = 0; pose < set->pose_count; ++pose) {
        for (int i = 0; i < set->pair_count; ++i) {
            BenchAnswer answer = entry->engine->ask(entry->state, i, pose);
            sum += answer.distance + answer.meets;
        }
    }
    entry->sink += sum;
}

/* Error relative to the size of the bodies; a wrong yes or no counts as a whole body. */
static double error_of(const BenchSet *set, const BenchPair *pair, int pose, BenchAnswer answer) {
    double truth = pair->truth[pose];
    if (set->question != BENCH_MEET) return fabs(answer.distance - truth) / pair->size;
    return fabs(truth) > 1e-6 * pair->size && answer.meets != (truth < 0.0) ? 1.0 : 0.0;
}

static BenchRow judge(const Entry *entry) {
    const BenchSet *set = entry->set;
    BenchRow row = {entry->engine->name, 0.0, set->pair_count * set->pose_count, 0, 0, 0, entry->engine->own};
    for (int pose = 0; pose < set->pose_count; ++pose) {
        for (int i = 0; i < set->pair_count; ++i) {
            BenchAnswer answer = entry->engine->ask(entry->state, i, pose);
            if (answer.failed || !isfinite(answer.distance)) {
                ++row.failed;
                continue;
            }
            double error = error_of(set, &set->pairs[i], pose, answer);
            row.wrong_6 += error > 1e-6;
            row.wrong_3 += error > 1e-3;
        }
    }
    return row;
}

/* A body as numbers with spaces between: half sizes of a box, or the vertices of a hull. */
static void write_body(FILE *to, const AbutConvex *c) {
    int hull = c->kind == ABUT_CONVEX_POLYHEDRON, count = hull ? c->polyhedron->vertex_count : 1;
    const AbutVec3 *v = hull ? abut_polyhedron_vertices(c->polyhedron) : c->p;
    for (int i = 0; i < count; ++i) fprintf(to, "%s%.17g %.17g %.17g", i ? " " : "", v[i].x, v[i].y, v[i].z);
    fputc(',', to);
}

/* Pairs of boxes or hulls as lines of CSV: bodies, pose of B in A, truth, size. */
static void write_pairs(const BenchRun *run, const BenchSet *set) {
    for (int i = 0; i < set->pair_count * set->pose_count; ++i) {
        const BenchPair *pair = &set->pairs[i / set->pose_count];
        const AbutConvex *a = &set->shapes[pair->a], *b = &set->shapes[pair->b];
        AbutPose x = pair->b_in_a[i % set->pose_count];
        if ((a->kind != ABUT_CONVEX_BOX && a->kind != ABUT_CONVEX_POLYHEDRON) || set->question == BENCH_MEET ||
            set->warm)
            return;
        fprintf(run->pairs, "%s,", run->name);
        write_body(run->pairs, a);
        write_body(run->pairs, b);
        fprintf(run->pairs, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", x.p.x, x.p.y, x.p.z, x.q.w,
            x.q.x, x.q.y, x.q.z, pair->truth[i % set->pose_count], pair->size);
    }
}

void bench_compare(BenchRun *run, const BenchSet *set) {
    Entry entries[ENGINES];
    BenchProbe probes[ENGINES];
    BenchRow rows[ENGINES];
    int count = 0;
    if (run->pairs) write_pairs(run, set);
    for (int i = 0; i < ENGINES; ++i) {
        void *state = engines[i]->open(set);
        if (!state) continue;
        Entry entry = {engines[i], set, state, 0.0};
        entries[count] = entry;
        rows[count] = judge(&entries[count]);
        BenchProbe probe = {ask_all, &entries[count], rows[count].asked, 0.0};
        probes[count++] = probe;
    }
    bench_time(run, probes, count);
    for (int i = 0; i < count; ++i) {
        rows[i].ns = probes[i].ns;
        bench_row(run, &rows[i]);
        entries[i].engine->close(entries[i].state);
    }
}
