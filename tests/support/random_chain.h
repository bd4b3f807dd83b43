/* SPDX-License-Identifier: Apache-2.0 */
/* A random chain of joints that move over 0 .. 1, with all that it points to. */
#ifndef ABUT_TESTS_RANDOM_CHAIN_H
#define ABUT_TESTS_RANDOM_CHAIN_H

#include "abut/motion.h"

#include <string.h>

enum { JOINTS = 9, TURNS = 3 };

typedef struct RandomChain {
    AbutCurvePiece piece[JOINTS][3];
    AbutKeyframe turn[JOINTS][TURNS];
    AbutChainJoint joint[JOINTS];
    AbutChain chain;
} RandomChain;

/* A coordinate axis, one that differs from it by less than a square root of the rounding, or any direction. */
static inline AbutVec3 random_axis(AbutRng *rng) {
    static const double off[3] = {0.0, 1e-9, 1e-6};
    AbutVec3 axis = abut_axis((int)abut_rng_below(rng, 3)), any = abut_random_direction(rng);
    int which = (int)abut_rng_below(rng, 6);
    if (which > 2) return any;
    return which == 0 ? abut_scale(axis, abut_rng_below(rng, 2) ? 1.0 : -1.0)
                      : abut_normalize(abut_add_scaled(axis, any, off[which]));
}

/* Joints of all kinds, one after the other, with fixed rotations between; `hinges`: hinges alone, at most `rate` rad/s.
 */
static inline void random_chain(AbutRng *rng, RandomChain *c, int hinges, double rate) {
    memset(c, 0, sizeof *c);
    for (int j = 0; j < JOINTS; ++j) {
        AbutChainJoint *joint = &c->joint[j];
        joint->parent = j - 1;
        joint->kind = hinges ? ABUT_CHAIN_HINGE : (AbutChainKind)abut_rng_below(rng, ABUT_CHAIN_KIND_COUNT);
        AbutVec3 place = abut_random_direction(rng);
        joint->fixed = abut_pose(abut_scale(place, abut_rng_between(rng, 0, 0.3)),
            abut_rng_below(rng, 2) ? abut_random_quat(rng) : abut_quat_identity());
        joint->axis = random_axis(rng);
        for (int k = 0; k < 3; ++k) {
            double b[6] = {0}, slope = abut_rng_between(rng, -1, 1);
            for (int i = 0; i < 6; ++i) b[i] = rate * (slope * i / 5 + 0.05 * abut_rng_between(rng, -1, 1));
            c->piece[j][k] = abut_curve_bernstein(0, 1, 5, b);
            joint->curve[k] = (AbutCurve){1, &c->piece[j][k], 1};
        }
        for (int k = 0; k < TURNS; ++k) c->turn[j][k] = (AbutKeyframe){0.5 * k, {abut_zero(), abut_random_quat(rng)}};
        joint->turn_count = TURNS;
        joint->turns = c->turn[j];
    }
    c->chain = (AbutChain){JOINTS, c->joint};
}

#endif
