/* SPDX-License-Identifier: Apache-2.0 */
/* One mode as numbers. */
#include "abut/literature.h"
#include "mode/mode_bits.h"

void abut_mode_signs(const AbutModeSystem *system, int nonlinear, AbutMode mode, int8_t *signs) {
    ABUT_ASSERT(system && mode.plus && mode.minus && signs);
    int rows = system->contacts * (1 + (nonlinear ? 1 : system->lines));
    for (int i = 0; i < rows; ++i) signs[i] = (int8_t)abut_mode_sign(mode, i);
}
