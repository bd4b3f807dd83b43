/* SPDX-License-Identifier: Apache-2.0 */
/* Balls that hold a convex body, for tests that ask about many bodies at once. */
#ifndef ABUT_SRC_MESH_COVER_H
#define ABUT_SRC_MESH_COVER_H

#include "abut/query.h"

enum { ABUT_COVER_MOST = 16 };

typedef struct AbutCoverBall {
    AbutVec3 center;
    double outer; /* every point of the body is in the outer ball of at least one center */
    double inner; /* the ball of this radius lies in the body; negative: none does */
} AbutCoverBall;

typedef struct AbutCover {
    int32_t count;
    double excess; /* no outer ball reaches farther out of the body */
    AbutCoverBall ball[ABUT_COVER_MOST];
} AbutCover;

/*
 * Covers a body with balls, in its own frame: as few as keep the excess below `excess`, and at most `most`. Refuses
 * bodies without end and those of which only a support function is known.
 */
AbutStatus abut_cover_make(const AbutConvex *body, double excess, int32_t most, AbutCover *out, AbutError *error);

#endif
