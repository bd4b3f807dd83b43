/* SPDX-License-Identifier: Apache-2.0 */
/* How deep do two meshes overlap? The part of `abut distance` behind --depth and --along; `abut clearance` takes it
 * too. */
#ifndef ABUT_CLI_DISTANCE_DEPTH_H
#define ABUT_CLI_DISTANCE_DEPTH_H

#include "operands.h"

typedef struct DepthArgs {
    const char *method;    /* NULL: not given */
    CliReals along;        /* count 0: not given */
    AbutPieces pieces[2];  /* of --depth decomposition, made by depth_prepare */
    const char *folder[2]; /* of these, NULL: none, they are computed */
} DepthArgs;

/* What is made once and carried from pose to pose. */
typedef struct DepthState {
    int ready;
    AbutMeshCore core[2];
    AbutDepthCache cache;
} DepthState;

/* Option rows. */
CliOption depth_method_option(DepthArgs *args);
CliOption depth_along_option(DepthArgs *args);

/* Are the words and numbers good? CLI_GO, or CLI_BAD after one line. */
void depth_check(const DepthArgs *args);

/* Were options given that ask for the depth of meshes, convex or not? */
int depth_is_asked(const DepthArgs *args);

/* Is there a depth to be had of these operands: two meshes, and not --depth none? */
int depth_is_wanted(const DepthArgs *args, const Operands *operands);

/* Warns where the mesh of convex pieces is open, or they are coarse. */
void depth_warn_pieces(const char *file, const AbutPieces *pieces);

/* The convex pieces of the mesh that an operand kept, to be freed; warns where it is open or they are coarse. CLI_GO,
 * or CLI_BAD after one line. */
void depth_decompose(const Operand *operand, AbutPieces *out);

/* Makes the convex pieces where the method needs them. CLI_GO, or CLI_BAD after one line. */
void depth_prepare(const Operands *operands, DepthArgs *args);
int depth_needs_pieces(const DepthArgs *args);
void depth_free(DepthArgs *args);

/* The depth in the frame of A; the work is added to *work unless it is NULL. */
AbutGap depth_measure(
    const DepthArgs *args, const Operands *operands, AbutPose b_in_a, DepthState *state, AbutWork *work);

/* Is a depth proved, within its kind? */
int depth_is_certified(const DepthArgs *args, const AbutGap *gap);

#endif
