/* SPDX-License-Identifier: Apache-2.0 */
/* Private: the overlap of boxes and half-spaces whose shape is that of last time. */
#ifndef ABUT_QUERY_OVERLAP_AGAIN_H
#define ABUT_QUERY_OVERLAP_AGAIN_H

#include "query/overlap.h"

/* The shape of an overlap into the cache; none where a body is another kind, or more than three planes meet at a
 * vertex. */
void abut_overlap_learn(const AbutConvex *a, const AbutConvex *b, const AbutOverlap *overlap, AbutOverlapShape *shape);

/* The overlap at another pose, where its shape is still the same; 0: it is not, or too near another one to say. */
int abut_overlap_again(const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, const AbutOverlapShape *shape,
    void *workspace, AbutOverlap *out);

#endif
