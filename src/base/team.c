/* SPDX-License-Identifier: Apache-2.0 */
/* Work in stages by a team of threads: see team.h. */
#include "base/team.h"
#include "abut/base.h"

#ifdef _OPENMP
#include <omp.h>
#include <stdatomic.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#endif

/* Looks before a thread that finds no piece lets others run. */
enum { LOOKS = 2000 };

typedef struct Team {
    _Alignas(64) atomic_int taken;
    _Alignas(64) atomic_int done;
} Team;

static void pause_a_little(int looks) {
    if (looks < LOOKS) {
#if defined(__x86_64__) && defined(__GNUC__)
        __builtin_ia32_pause();
#endif
        return;
    }
#if defined(__unix__) || defined(__APPLE__)
    sched_yield();
#endif
}

/* The next piece that can be done; -1: all are taken. */
static int32_t take(Team *team, const AbutTeamWork *work) {
    int next = atomic_load_explicit(&team->taken, memory_order_relaxed);
    for (int looks = 0; next < work->count;) {
        if (atomic_load_explicit(&team->done, memory_order_acquire) >= work->before(next, work->user)) {
            if (atomic_compare_exchange_weak_explicit(
                    &team->taken, &next, next + 1, memory_order_relaxed, memory_order_relaxed))
                return next;
        } else {
            looks += looks < LOOKS;
            pause_a_little(looks);
            next = atomic_load_explicit(&team->taken, memory_order_relaxed);
        }
    }
    return -1;
}

static void take_part(Team *team, const AbutTeamWork *work, int member) {
    for (int32_t piece; (piece = take(team, work)) >= 0;) {
        if (!work->piece(piece, member, work->user))
            atomic_store_explicit(&team->taken, work->count, memory_order_relaxed);
        atomic_fetch_add_explicit(&team->done, 1, memory_order_acq_rel);
    }
}
#endif

void abut_team_run(int threads, const AbutTeamWork *work) {
    ABUT_ASSERT(work);
#ifdef _OPENMP
    int wanted = abut_thread_count(threads);
    if (wanted > 1 && !omp_in_parallel()) {
        Team team;
        atomic_init(&team.taken, 0);
        atomic_init(&team.done, 0);
#pragma omp parallel num_threads(wanted < ABUT_TEAM_MOST ? wanted : ABUT_TEAM_MOST)
        take_part(&team, work, omp_get_thread_num());
        return;
    }
#else
    (void)threads;
#endif
    for (int32_t i = 0; i < work->count && work->piece(i, 0, work->user); ++i)
        ;
}
