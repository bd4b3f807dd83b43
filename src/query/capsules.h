/* SPDX-License-Identifier: Apache-2.0 */
/* Private: distance of capsules. */
#ifndef ABUT_QUERY_CAPSULES_H
#define ABUT_QUERY_CAPSULES_H

#include "abut/query.h"

/* The signed distance of two capsules (or spheres: a = b) in one common frame. */
AbutGap abut_capsule_distance(AbutCapsule a, AbutCapsule b);

#endif
