/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timing on a noisy machine: every probe runs in batches of about a quarter of a millisecond, the probes take turns,
 * and the best batch counts. Only the processor time of the calling thread counts; other processes can still make a
 * batch slower, so the smallest time is the steadiest figure.
 */
#include "bench/bench.h"

#include <stdlib.h>
#include <time.h>

static double seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_now(void) { return seconds_of(CLOCK_MONOTONIC); }

double bench_spent(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

/* Seconds of `loops` calls. */
static double run_batch(const BenchProbe *probe, int loops) {
    double start = bench_spent();
    for (int i = 0; i < loops; ++i) probe->once(probe->user);
    return bench_spent() - start;
}

/* Calls that fill a batch; the first call is not counted: it warms the caches. */
static int batch_loops(const BenchProbe *probe) {
    run_batch(probe, 1);
    double once = run_batch(probe, 1);
    double loops = 2.5e-4 / (once > 1e-9 ? once : 1e-9);
    return loops < 1.0 ? 1 : (loops > 1e5 ? 100000 : (int)loops);
}

void bench_time(const BenchRun *run, BenchProbe *probes, int count) {
    int *loops = bench_memory((size_t)count, sizeof *loops);
    double *spent = bench_memory((size_t)count, sizeof *spent);
    for (int i = 0; i < count; ++i) {
        loops[i] = batch_loops(&probes[i]);
        probes[i].ns = HUGE_VAL;
    }
    for (int round = 0; round < run->repeat; ++round) {
        for (int i = 0; i < count; ++i) {
            if (round > 0 && spent[i] > run->budget) continue;
            double seconds = run_batch(&probes[i], loops[i]);
            spent[i] += seconds;
            probes[i].ns = fmin(probes[i].ns, 1e9 * seconds / ((double)loops[i] * probes[i].items));
        }
    }
    free(loops);
    free(spent);
}
