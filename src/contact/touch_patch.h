/* SPDX-License-Identifier: Apache-2.0 */
/* Patches from the touches of two meshes: few contacts that hold as all the touches do. */
#ifndef ABUT_CONTACT_TOUCH_PATCH_H
#define ABUT_CONTACT_TOUCH_PATCH_H

#include "contact/patch.h"
#include "mesh/mesh_features.h"

enum { ABUT_TOUCH_PATCHES = 32 }; /* of a pair, at most */

/* A place in a contact plane. */
typedef struct AbutTouchCorner {
    double x, y, gap;
} AbutTouchCorner;

/* Room of one worker. Zeroed: empty. */
typedef struct AbutTouchScratch {
    int32_t *group, *member;
    size_t group_capacity, member_capacity;
    AbutTouchCorner *corner, *hull;
    size_t corner_capacity, hull_capacity;
    double *row; /* numbers of all touches, one kind after the other */
    size_t row_capacity;
} AbutTouchScratch;

void abut_touch_scratch_free(AbutTouchScratch *scratch);

/* How touches become patches: margins of both bodies together, their size, and how far apart along the normal touches
 * of one plane may lie. */
typedef struct AbutTouchPatchDef {
    double margins, scale, offset;
} AbutTouchPatchDef;

/* Patches of `count` touches, at most ABUT_TOUCH_PATCHES; gives their number, -1: no memory. */
int abut_touch_patches(AbutTouchScratch *scratch, const AbutFeatureTouch *touch, int32_t count,
    const AbutTouchPatchDef *def, AbutPatch *out);

#endif
