/* SPDX-License-Identifier: Apache-2.0 */
/* Private: what the files of this room share, and the room grasp reads. */
#ifndef ABUT_SCENE_INTERNAL_H
#define ABUT_SCENE_INTERNAL_H

#include "base/sort.h"
#include "model/check.h"
#include "model/mass.h"
#include "scene/scene.h"

/* A copy of `name` ("" for NULL) in *out. */
AbutStatus abut_scene_copy_name(const char *name, char **out, AbutError *error);

/* As abut_scene_add_body, for a link too: `mass` is that of its group. */
AbutStatus abut_scene_put_body(AbutScene *scene, const AbutBodyDef *def, AbutBodyId *out, AbutError *error);

/* As abut_scene_remove_body, whatever the body belongs to. */
void abut_scene_take_body(AbutScene *scene, int32_t place);

/* The body or shape of an id, for the call `what`, which the message names where there is none. */
AbutStatus abut_scene_need_body(AbutScene *scene, AbutBodyId id, const char *what, AbutBody **out, AbutError *error);
AbutStatus abut_scene_need_shape(AbutScene *scene, AbutShapeId id, const char *what, AbutShape **out, AbutError *error);

/* ---- robots ------------------------------------------------------------------------------------------------------ */

/* A model as placed: groups of bodies that are welded together. */
typedef struct AbutPlacing {
    AbutScene *scene;
    const AbutModel *model;
    AbutPose at;
    int moved;       /* 0: at the origin, so that its numbers stay as they are */
    int32_t *owner;  /* per body: the outermost body of its group */
    int32_t *stated; /* per owner: does a body of its group state a mass? */
    AbutPose *pose;  /* per body: in the frame of its owner */
    AbutRigid *mass; /* per owner: of its group; mass 0: as its shapes say */
    AbutBodyId *body;
    AbutShapeId *shape;
    AbutSceneRobot *robot; /* NULL: it has nothing of a robot */
    int borrow;            /* 1: the model outlives the scene and is not copied */
    const AbutScene *like; /* shares its trees; NULL: none */
    AbutError *error;
    AbutPool pool; /* of the arrays */
} AbutPlacing;

/* Trees and configurations of a model that has joints; then their bodies, when all are placed. */
AbutStatus abut_robot_begin(AbutPlacing *p);
AbutStatus abut_robot_finish(AbutPlacing *p);
void abut_robot_cancel(AbutPlacing *p);
void abut_scene_free_robots(AbutScene *scene);

/* The link that a body of the model is, in the configuration of its tree; -1: none. */
int32_t abut_placed_link(const AbutPlacing *p, int32_t body, const AbutConfiguration **out);

/* ---- mass -------------------------------------------------------------------------------------------------------- */

/* Mass, center and inertia from the shapes (unless given), then everything that depends on them. The body frame stays.
 */
AbutStatus abut_body_update_mass(AbutScene *scene, AbutBody *body, AbutError *error);

/* Does adding a shape leave mass and center as they are? And the same when the shape has come last, whose frame is all
 * that there is to do then. */
int abut_body_mass_is_fixed(const AbutBody *body);
AbutStatus abut_body_take_shape(AbutScene *scene, AbutBody *body, int32_t shape, AbutError *error);

/* These instead, with the inverse of the inertia. */
void abut_body_set_mass(
    AbutScene *scene, AbutBody *body, double mass, AbutVec3 center, AbutMat3 inertia, AbutMat3 inverse);

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

/* And out of the scene; its body has forgotten it. */
void abut_shape_release(AbutScene *scene, int32_t place);

/* Puts form, pose and geometry of `def` in place of those of the shape, which come back in it. */
void abut_shape_swap_form(AbutShape *shape, AbutShapeDef *def);

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

/* New boxes for all shapes of a body that was put somewhere else or got a shape; its pairs are looked for anew. */
void abut_scene_refit_body(AbutScene *scene, const AbutBody *body);
void abut_scene_refit_shape(AbutScene *scene, int32_t place);
void abut_scene_add_half_space(AbutScene *scene, int32_t place); /* to the list; room has been reserved */
void abut_scene_mark_moved(AbutScene *scene, int32_t place);

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

void abut_scene_drop_pairs(AbutScene *scene, int32_t body); /* of a body; bodies on the other side wake up */
void abut_scene_drop_forbidden(AbutScene *scene);           /* pairs that may no longer meet; their bodies wake up */
void abut_scene_wake_neighbors(AbutScene *scene, int32_t body);
int abut_scene_filters_agree(const AbutScene *scene, int32_t shape_a, int32_t shape_b);
/* The shapes meet whatever their filters say, as `def` says. */
AbutStatus abut_scene_add_pair(
    AbutScene *scene, AbutShapeId a, AbutShapeId b, const AbutPairDef *def, AbutError *error);
void abut_scene_forget_rules(AbutScene *scene, int32_t body);  /* exclusions and pairs of a body that goes */
void abut_scene_forget_shape(AbutScene *scene, int32_t shape); /* pairs of a shape that goes */

#endif
