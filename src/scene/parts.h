/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this room share and nobody else needs. */
#ifndef ABUT_SCENE_PARTS_H
#define ABUT_SCENE_PARTS_H

#include "model/check.h"
#include "scene/scene.h"

/* A copy of `name` ("" for NULL) in *out. */
AbutStatus abut_scene_copy_name(const char *name, char **out, AbutError *error);

/* ---- mass -------------------------------------------------------------------------------------------------------- */

/* Mass, centre and inertia from the shapes (unless given), then everything that depends on them. The body frame stays.
 */
AbutStatus abut_body_update_mass(AbutScene *scene, AbutBody *body, AbutError *error);

/* Pose of the body frame. */
AbutPose abut_body_pose(const AbutBody *body);

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* Plane of a half-space in the world. */
AbutPlane abut_shape_plane(const AbutScene *scene, const AbutShape *shape);

/* Around a shape that is no half-space, in the world, as its body stands now. */
AbutAabb abut_shape_box(const AbutScene *scene, const AbutShape *shape);

/* Does a half-space, grown by the margin, reach into the box? */
int abut_shape_reaches(const AbutScene *scene, const AbutShape *half_space, AbutAabb box);

/* Takes a shape out of the tree or the list of half-spaces and out of the list of moved shapes. */
void abut_shape_leave(AbutScene *scene, int32_t place);

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

/* New boxes for all shapes of a body that was put somewhere else or got a shape; its pairs are looked for anew. */
void abut_scene_refit_body(AbutScene *scene, const AbutBody *body);
void abut_scene_add_half_space(AbutScene *scene, int32_t place); /* to the list; room has been reserved */
void abut_scene_mark_moved(AbutScene *scene, int32_t place);

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static inline uint64_t abut_pair_key(int32_t a, int32_t b)
{
    return a < b ? (uint64_t)(uint32_t)a << 32 | (uint32_t)b : (uint64_t)(uint32_t)b << 32 | (uint32_t)a;
}

void abut_scene_drop_pairs(AbutScene *scene, int32_t body); /* of a body; bodies on the other side wake up */
void abut_scene_drop_forbidden(AbutScene *scene);           /* pairs that may no longer meet; their bodies wake up */
void abut_scene_wake_neighbours(AbutScene *scene, int32_t body);
int abut_scene_filters_agree(const AbutScene *scene, int32_t shape_a, int32_t shape_b);
/* The shapes meet whatever their filters say, with the friction of `def`. */
AbutStatus abut_scene_add_pair(
    AbutScene *scene, AbutShapeId a, AbutShapeId b, const AbutPairDef *def, AbutError *error);
void abut_scene_set_pair_material(const AbutScene *scene, AbutScenePair *pair);
void abut_scene_forget_rules(AbutScene *scene, int32_t body); /* exclusions and pair frictions of a body that goes */

#endif
