/* SPDX-License-Identifier: Apache-2.0 */
/* Private: the Phong distance's object, and the fans of facets around the vertices of a Minkowski difference. */
#ifndef ABUT_SRC_DIRECTION_PHONG_FAN_H
#define ABUT_SRC_DIRECTION_PHONG_FAN_H

#include "literature/minkowski/convolution.h"
#include "abut/literature.h"
#include "literature/direction/tolerance.h"

enum {
    ABUT_PHONG_PAIRS = 8192,
    ABUT_PHONG_TRIANGLES = 16384,
    ABUT_PHONG_MEMBERS = 1 << 17,
    ABUT_PHONG_SLOTS = 1 << 15
};

typedef struct AbutPairVertex {
    int32_t a, b;
    AbutVec3 place, normal;
    int32_t first, count, done; /* of its fan, in `member` */
} AbutPairVertex;

typedef struct AbutPairTriangle {
    int32_t corner[3];
    int32_t tried;
    AbutVec3 normal;
} AbutPairTriangle;

struct AbutPhong {
    AbutConvolution *c;
    AbutMeshTree *tree[2];
    double size;
    AbutPairVertex *pair;
    AbutPairTriangle *triangle;
    int32_t *member, *pair_slot, *triangle_slot; /* slots hold number + 1; 0: free */
    int32_t pairs, triangles, members, full;
    int32_t has_last, corner_a[3], corner_b[3];
    AbutVec3 last;
    int32_t gave_up; /* a search found nothing at this pose */
    AbutPose gave_up_at;
    double gave_up_reach;
};

/* Forgets all pairs and triangles. */
void abut_phong_clear(AbutPhong *p);

/* The number of a pair, made where it is new; -1 when there is no more room. */
int32_t abut_phong_pair(AbutPhong *p, int32_t a, int32_t b);

/* Makes the fan of a pair, and its normal, unless that was done. */
void abut_phong_make_fan(AbutPhong *p, int32_t number);

#endif
