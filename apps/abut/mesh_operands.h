/* SPDX-License-Identifier: Apache-2.0 */
/* The two meshes of a command as trees, with the poses and files of poses that place them. */
#ifndef ABUT_CLI_MESH_OPERANDS_H
#define ABUT_CLI_MESH_OPERANDS_H

#include "operands.h"

typedef struct MeshOperands {
    AbutMeshTree *tree[2]; /* NULL: a body in words */
    AbutConvex convex[2];  /* of words */
    AbutKeyframe *path;    /* of --path; NULL: not given */
    int32_t path_count;
} MeshOperands;

/* Reads `path` unless NULL, and the operands: meshes, convex or not, and one body in words. CLI_GO, or CLI_BAD after
 * one line.
 */
int mesh_operands_read(const CliCommand *command, Operands *operands, const char *path, MeshOperands *out);
void mesh_operands_free(MeshOperands *meshes);

/* A file of poses, t,x,y,z,qw,qx,qy,qz to a line, or an animation, whose meshes are then read centred; free *out with
 * abut_free. CLI_GO, or CLI_BAD after one line. */
int mesh_operands_poses(
    const CliCommand *command, Operands *operands, const char *file, int32_t *count, AbutKeyframe **out);

/* Option rows. */
CliOption mesh_operands_path(const char **path);

#endif
