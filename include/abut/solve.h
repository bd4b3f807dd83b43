/* SPDX-License-Identifier: Apache-2.0 */
/*
 * solve: small dense problems. Symmetric positive systems up to any small size, 6x6 with scaling and a pseudo-inverse
 * fall-back, non-negative least squares, quadratic programs by active set, linear programs in few dimensions.
 * Matrices are row-major arrays. Nothing here allocates: workspaces are the caller's or fixed in size.
 */
#ifndef ABUT_SOLVE_H
#define ABUT_SOLVE_H

#include "abut/math.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
