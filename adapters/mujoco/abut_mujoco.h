/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut_mujoco.h: MuJoCo asks abut for the contacts of convex and mesh geoms. C17; MuJoCo 2.2 to 4.
 *
 * Call abut_mujoco_attach once after loading a model. From then on pairs of its ellipsoids, cylinders, boxes and meshes
 * with each other, with spheres and capsules, and of meshes with planes have the contact points of abut: where the true
 * bodies touch, up to eight for each pair of convex bodies, with the gap at every point. Closed meshes that are not
 * convex count as convex pieces, in place of their hull. All other pairs, and models that are not attached, stay as
 * they are.
 *
 *     if (!abut_mujoco_attach(model, NULL, error, sizeof error)) puts(error);
 *
 * Build abut_mujoco.c with your program, or load it as a shared library. Functions for contacts are one table for the
 * whole process: attach and detach while no thread steps; steps of any number of threads may run.
 */
#ifndef ABUT_MUJOCO_H
#define ABUT_MUJOCO_H

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ABUT_MUJOCO_API __attribute__((visibility("default")))
#else
#define ABUT_MUJOCO_API
#endif

typedef struct AbutMujocoDef {
    int points;    /* of a pair of convex bodies, 1 .. 8; 0: 8. If there are more: the deepest and those that spread
                      farthest */
    int hulls;     /* 1: meshes count as their hulls, as in MuJoCo */
    int pieces;    /* most pieces of a mesh; 0: 32 */
    double excess; /* volume that its pieces may have beyond the mesh, as a fraction of it; 0: 0.02 */
} AbutMujocoDef;

/* 1: done; a model that is attached already is prepared anew. 0: it is not attached, and `error` has a line why. `def`
 * may be NULL. Detach before the model is deleted, or its geoms change. */
ABUT_MUJOCO_API int abut_mujoco_attach(const mjModel *model, const AbutMujocoDef *def, char *error, int error_size);

/* The number of the version of MuJoCo whose headers it was built with: only that one can use it. */
ABUT_MUJOCO_API int abut_mujoco_version(void);

/* The model has MuJoCo's contacts again; after the last model the table is as it was. One that is not attached is left
 * alone. */
ABUT_MUJOCO_API void abut_mujoco_detach(const mjModel *model);

#ifdef __cplusplus
}
#endif

#endif
