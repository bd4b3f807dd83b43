/* SPDX-License-Identifier: Apache-2.0 */
/* The dimension of a mode; -1: it has no velocity, or there is no memory to tell. */
#ifndef ABUT_TESTS_SUPPORT_MODE_DIMENSION_H
#define ABUT_TESTS_SUPPORT_MODE_DIMENSION_H

#include "abut/mode.h"

static inline int mode_dimension(const AbutModeSystem *system, AbutMode mode) {
    int dimension;
    (void)abut_mode_dimension(system, mode, &dimension, NULL);
    return dimension;
}

#endif
