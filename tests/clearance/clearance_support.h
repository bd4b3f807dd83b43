/* SPDX-License-Identifier: Apache-2.0 */
/* Random motions, bodies and movers for tests of clearance. */
#ifndef ABUT_TESTS_CLEARANCE_SUPPORT_H
#define ABUT_TESTS_CLEARANCE_SUPPORT_H

#include "abut/clearance.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/prepared.h"
#include "support/random_bodies.h"

#include <string.h>

/* A place and two hinges that follow polynomials over 0 .. 1, with all that they point to. */
typedef struct FreeMotion {
    AbutCurvePiece piece[5];
    AbutChainJoint joint[3];
    AbutChain chain;
} FreeMotion;

static inline AbutCurve random_curve(AbutRng *rng, double about, double most, AbutCurvePiece *piece) {
    double b[6];
    for (int k = 0; k < 6; ++k) b[k] = about + abut_rng_between(rng, -most, most);
    *piece = abut_curve_bernstein(0.0, 1.0, 5, b);
    return (AbutCurve){1, piece, 1.0};
}

/* Moves within `way` of a random place `away` from the origin, and turns by up to `turn` about two axes. */
static inline AbutMotion random_free_motion(AbutRng *rng, double away, double way, double turn, FreeMotion *m) {
    AbutMotion out;
    AbutError error;
    AbutVec3 offset = abut_scale(abut_random_direction(rng), away);
    memset(m, 0, sizeof *m);
    for (int j = 0; j < 3; ++j) {
        m->joint[j].parent = j - 1;
        m->joint[j].kind = j == 0 ? ABUT_CHAIN_PLACE : ABUT_CHAIN_HINGE;
        m->joint[j].fixed = abut_pose(abut_zero(), j == 1 ? abut_random_quat(rng) : abut_quat_identity());
        m->joint[j].axis = abut_random_direction(rng);
    }
    for (int k = 0; k < 3; ++k) m->joint[0].curve[k] = random_curve(rng, abut_get(offset, k), way, &m->piece[k]);
    for (int j = 1; j < 3; ++j) m->joint[j].curve[0] = random_curve(rng, 0.0, turn, &m->piece[2 + j]);
    m->chain = (AbutChain){3, m->joint};
    good(abut_motion_chain(&m->chain, 2, &out, &error), &error);
    return out;
}

static inline AbutClearanceBody *body_of_mesh(const AbutMeshTree *tree) {
    AbutClearanceBody *body;
    AbutError error;
    good(abut_clearance_body_create(1, (AbutSolid[]){abut_solid_mesh(tree)}, &body, &error), &error);
    return body;
}

static inline AbutClearanceBody *body_of_pieces(int32_t count, const AbutConvex *pieces) {
    AbutClearanceBody *body;
    AbutError error;
    good(prepare_union(count, pieces, &body, &error), &error);
    return body;
}

static inline AbutClearanceSpace *new_space(void) {
    AbutClearanceSpace *space;
    AbutError error;
    good(abut_clearance_space_create(0, &space, &error), &error);
    return space;
}

static inline AbutClearanceDef over_unit(double eps) { return (AbutClearanceDef){.from = 0.0, .to = 1.0, .eps = eps}; }

static inline AbutPose pose_of_b_in_a(const AbutMover *a, const AbutMover *b, double t) {
    return abut_pose_between(abut_motion_pose(&a->motion, t), abut_motion_pose(&b->motion, t));
}

/* A time to look at: the first `even` of `count` at equal distances, the others near t. */
static inline double sample_time(int k, int even, int count, double t) {
    double near = t + 0.015 * (2.0 * (k - even) / (double)(count - even) - 1.0);
    return k < even ? k / (double)(even - 1) : abut_smaller(1.0, abut_larger(0.0, near));
}

#endif
