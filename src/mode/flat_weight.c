/* SPDX-License-Identifier: Apache-2.0 */
/* Weights of flats in double. */
#define DOUBLE_DOUBLE 0
#define WEIGHT abut_mode_flat_weight
#include "mode/flat_weight.inc"
