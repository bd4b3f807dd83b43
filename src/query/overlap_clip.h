/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A body of an overlap as a polyhedron that planes can be taken off (shape/clip.h). Coordinates are those of the body
 * whose planes cut, about an origin near the bodies, so that its planes need no turning.
 */
#ifndef ABUT_QUERY_OVERLAP_CLIP_H
#define ABUT_QUERY_OVERLAP_CLIP_H

#include "query/overlap.h"
#include "shape/clip.h"

/* The body to load: `turn` and `shift` take it from its own frame to the coordinates of the clip; labels say `owner`.
 */
typedef struct AbutClipBase {
    const AbutFaceted *body;
    AbutMat3 turn;
    AbutVec3 shift;
    int owner;
} AbutClipBase;

/* Bytes for bodies that have `faces` faces together. */
size_t abut_clip_size(int faces);

/* An empty clip in `memory` of abut_clip_size bytes. */
void abut_clip_create(AbutClip *clip, int faces, void *memory);

/* Loads the body and makes the first cut: faces that lie wholly beyond the plane are never loaded. */
AbutCutResult abut_clip_start(AbutClip *clip, const AbutClipBase *base, AbutPlane plane, int32_t label);

#endif
