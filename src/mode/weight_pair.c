/* SPDX-License-Identifier: Apache-2.0 */
/* Weights of flats in pairs of doubles. */
#define PAIR 1
#define WEIGHT abut_mode_flat_weight_pair
#include "mode/weight.inc"
