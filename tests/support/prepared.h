/* SPDX-License-Identifier: Apache-2.0 */
/* Unions of convex bodies, prepared for clearance. */
#ifndef ABUT_TESTS_PREPARED_H
#define ABUT_TESTS_PREPARED_H

#include "abut/clearance.h"

static inline AbutStatus prepare_union(
    int32_t count, const AbutConvex *pieces, AbutClearanceBody **out, AbutError *error) {
    AbutSolid solids[64];
    *out = NULL;
    if (count > 64) return abut_fail(error, ABUT_ERROR_LIMIT, "more pieces than the test holds");
    for (int32_t i = 0; i < count; ++i) solids[i] = abut_solid_convex(&pieces[i]);
    return abut_clearance_body_create(count, solids, out, error);
}

#endif
