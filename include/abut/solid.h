/* SPDX-License-Identifier: Apache-2.0 */
/*
 * solid: one name for every kind of body, so that each question has one verb.
 *
 * A solid refers to geometry that the caller keeps alive: a convex body, a mesh through its tree, or convex pieces. A
 * mover is a solid with a motion. The kernels of the rooms query and mesh do the work.
 */
#ifndef ABUT_SOLID_H
#define ABUT_SOLID_H

#include "abut/mesh.h"
#include "abut/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum AbutSolidKind {
    ABUT_SOLID_CONVEX = 0,
    ABUT_SOLID_MESH,   /* triangles; closed meshes have an inside */
    ABUT_SOLID_PIECES, /* the union of convex pieces */
    ABUT_SOLID_KIND_COUNT
} AbutSolidKind;

/* A body of any kind. The geometry is not copied. */
typedef struct AbutSolid {
    AbutSolidKind kind;
    union {
        const AbutConvex *convex;
        const AbutMeshTree *mesh;
        const AbutPieces *pieces;
    };
} AbutSolid;

ABUT_INLINE AbutSolid abut_solid_convex(const AbutConvex *convex)
{
    AbutSolid solid = {ABUT_SOLID_CONVEX, {convex}};
    return solid;
}

ABUT_INLINE AbutSolid abut_solid_mesh(const AbutMeshTree *mesh)
{
    AbutSolid solid = {ABUT_SOLID_MESH, {NULL}};
    solid.mesh = mesh;
    return solid;
}

ABUT_INLINE AbutSolid abut_solid_pieces(const AbutPieces *pieces)
{
    AbutSolid solid = {ABUT_SOLID_PIECES, {NULL}};
    solid.pieces = pieces;
    return solid;
}

/* A solid that moves. A half-space must not turn. */
typedef struct AbutMover {
    AbutSolid solid;
    AbutMotion motion;
} AbutMover;

/* ---- tables of fields --------------------------------------------------------------------------------------------- */

ABUT_API extern const AbutRecord abut_impact_record, abut_cast_hit_record;

#ifdef __cplusplus
}
#endif

#endif
