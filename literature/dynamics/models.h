/* SPDX-License-Identifier: Apache-2.0 */
/* The contact models of the literature. */
#ifndef ABUT_LITERATURE_DYNAMICS_MODELS_H
#define ABUT_LITERATURE_DYNAMICS_MODELS_H

#include "abut/literature.h"
#include "dynamics/sim.h"

extern const AbutContactModel abut_contact_model_vol_generator, abut_contact_model_convex, abut_contact_model_emin,
    abut_contact_model_paper, abut_contact_model_paper_guarded, abut_contact_model_direct, abut_contact_model_point,
    abut_contact_model_penalty;

/* The joint problem without the sliding term: the exact answer to what `convex` iterates for. For tests. */
extern const AbutContactModel abut_contact_model_joint_convex;

/* A point contact, in the frame of A. */
typedef struct AbutFoundPoint {
    AbutVec3 place, normal; /* the normal points from A to B */
    double depth;
} AbutFoundPoint;

/* Contact points of a pair with its patch, at most ABUT_CONTACT_VERTICES, at least one; gives their number. */
int abut_patch_find_points(const AbutPatchPair *pair, const AbutPatch *patch, AbutFoundPoint *out);

#endif
