/* SPDX-License-Identifier: Apache-2.0 */
/* Weights of flats in double-double numbers. */
#define DOUBLE_DOUBLE 1
#define WEIGHT abut_mode_flat_weight_double_double
#include "mode/flat_weight.inc"
