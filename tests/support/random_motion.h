/* SPDX-License-Identifier: Apache-2.0 */
/* Random smooth motions. */
#ifndef ABUT_TEST_RANDOM_MOTION_H
#define ABUT_TEST_RANDOM_MOTION_H

#include "abut/motion.h"

static inline AbutVec3 random_arm(AbutRng *rng, double most) {
    return abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0, most));
}

static inline AbutMotion random_motion(AbutRng *rng, AbutVec3 from, double way, double spin) {
    AbutMotion m = abut_motion_static(abut_pose(from, abut_random_quat(rng)));
    m.center = random_arm(rng, 0.3);
    m.path[0] = abut_add(abut_scale(from, -1), random_arm(rng, way));
    m.path[1] = random_arm(rng, way);
    m.path[2] = random_arm(rng, way);
    m.spin = random_arm(rng, spin);
    return m;
}

#endif
