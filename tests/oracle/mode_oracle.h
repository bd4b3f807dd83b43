/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contact modes by brute force, in exact integers: a sign pattern is extended row by row and every extension is tested
 * by a linear program. Slow, and it shares nothing with the library but the definition.
 */
#ifndef ABUT_TESTS_MODE_ORACLE_H
#define ABUT_TESTS_MODE_ORACLE_H

#include <stddef.h>
#include <stdint.h>

enum { MODE_ORACLE_ROWS = 64, MODE_ORACLE_DOF = 18 };

typedef struct ModeOracle {
    int contacts, lines, dof;
    int rows[MODE_ORACLE_ROWS][MODE_ORACLE_DOF]; /* normal rows, then tangent rows */
    size_t found, limit;
    uint64_t *plus, *minus; /* `limit` entries each */
    uint64_t programs;      /* linear programs solved */
} ModeOracle;

/* 1: is there a velocity with the first `count` signs? (2 in `signs` means: no constraint.) */
int mode_oracle_feasible(ModeOracle *oracle, const int8_t *signs, int count);

/* Fills plus and minus; 0 when there are more than `limit` modes. */
int mode_oracle_run(ModeOracle *oracle);

#endif
