/* SPDX-License-Identifier: Apache-2.0 */
/* The rotation a part of the way from one to another, the shorter way round. */
#ifndef ABUT_TESTS_SUPPORT_SLERP_H
#define ABUT_TESTS_SUPPORT_SLERP_H

#include "abut/math.h"

static inline AbutQuat slerp(AbutQuat a, AbutQuat b, double t) {
    AbutVec3 turn = abut_quat_log(abut_quat_mul(abut_quat_conj(a), b));
    return abut_quat_mul(a, abut_quat_exp(abut_scale(turn, t)));
}

#endif
