/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A team of threads that does pieces of work in stages: pieces of one stage in any order, a stage after all of the ones
 * before it. For stages of microseconds, far too short to start threads for each. A thread takes a piece only when it
 * can be done, so that one which is put aside by a busy machine seldom holds the others up; who finds none looks for a
 * while, then lets others run. One thread where there is no OpenMP, or where the caller is one of several threads
 * itself.
 */
#ifndef ABUT_BASE_TEAM_H
#define ABUT_BASE_TEAM_H

#include <stdint.h>

enum { ABUT_TEAM_MOST = 64 };

typedef struct AbutTeamWork {
    int32_t count;                                      /* pieces, numbered by their order */
    int32_t (*before)(int32_t piece, const void *user); /* pieces of the stages before its own */
    int (*piece)(
        int32_t piece, int member, void *user); /* does one, member < ABUT_TEAM_MOST; 0: no stage shall follow */
    void *user;
} AbutTeamWork;

/* Does the pieces with at most `threads` threads; 0: all processors. */
void abut_team_run(int threads, const AbutTeamWork *work);

#endif
