/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the mode room: rows of a system by their number, and the bits of a mode. */
#ifndef ABUT_SRC_MODE_MODE_BITS_H
#define ABUT_SRC_MODE_MODE_BITS_H

#include "abut/mode.h"

/* Row i of a system: the normal rows, then the tangent rows. */
static inline const double *abut_mode_row(const AbutModeSystem *s, int row) {
    return row < s->contacts ? s->normal_rows + (size_t)row * (size_t)s->dof
                             : s->tangent_rows + (size_t)(row - s->contacts) * (size_t)s->dof;
}

static inline int abut_mode_row_count(const AbutModeSystem *s) { return s->contacts * (1 + s->lines); }

/* Correction to add to row i; NULL when the system has no more digits. */
static inline const double *abut_mode_low_row(const AbutModeSystem *s, int row) {
    return s->low_rows ? s->low_rows + (size_t)row * (size_t)s->dof : NULL;
}

/* Do the rows have more digits than a double? */
static inline int abut_mode_has_low(const AbutModeSystem *s) {
    size_t numbers = (size_t)s->contacts * (size_t)(1 + s->lines) * (size_t)s->dof;
    for (size_t i = 0; s->low_rows && i < numbers; ++i)
        if (s->low_rows[i] != 0.0) return 1;
    return 0;
}

static inline int abut_mode_bit(const uint64_t *words, int i) { return (int)(words[i >> 6] >> (i & 63)) & 1; }

static inline void abut_mode_set_bit(uint64_t *words, int i) { words[i >> 6] |= (uint64_t)1 << (i & 63); }

/* -1, 0 or 1. */
static inline int abut_mode_sign(AbutMode mode, int row) {
    return abut_mode_bit(mode.plus, row) - abut_mode_bit(mode.minus, row);
}

/* Does a row count in a mode? Lines of separating contacts do not. */
static inline int abut_mode_counts(const AbutModeSystem *s, AbutMode mode, int row) {
    return row < s->contacts || !abut_mode_bit(mode.plus, (row - s->contacts) / s->lines);
}

/* The mode whose bits lie one after the other in `bits`: `words` of plus, `words` of minus. */
static inline AbutMode abut_mode_in(uint64_t *bits, size_t words) { return (AbutMode){bits, bits + words}; }

#endif
