/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scene: bodies in the world. Each body has a pose, a velocity, mass properties and convex shapes; the scene keeps
 * their bounding boxes in a tree and finds the pairs that may meet.
 *
 * Bodies and shapes are named by small ids with a generation, so that an id of a removed body is refused, not confused
 * with its successor; a zeroed id is null. Units are SI, z is up.
 */
#ifndef ABUT_SCENE_H
#define ABUT_SCENE_H

#include "abut/mode.h"
#include "abut/model.h"
#include "abut/solid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutScene AbutScene;

ABUT_API AbutStatus abut_scene_create(AbutScene **out, AbutError *error);
ABUT_API void abut_scene_free(AbutScene *scene);

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Dynamic, static and kinematic bodies; links come with a model. `out` may be NULL. A call that fails leaves the scene
   as it was; so do all functions below. */
ABUT_API AbutStatus abut_scene_add_body(AbutScene *scene, const AbutBodyDef *def, AbutBodyId *out, AbutError *error);

/* Removes the shapes and pairs of the body, and the rules about them, too. */
ABUT_API AbutStatus abut_scene_remove_body(AbutScene *scene, AbutBodyId body, AbutError *error);

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* Adds a shape to a body (def.body is not looked at) and updates its mass properties; the body frame stays, the center
 * of mass may move. Shapes of one body never meet each other, visual shapes meet nothing and weigh nothing. Equal
 * geometry is shared. `out` may be NULL. */
ABUT_API AbutStatus abut_scene_add_shape(
    AbutScene *scene, AbutBodyId body, const AbutShapeDef *def, AbutShapeId *out, AbutError *error);

/* Removes a shape and the rules about it. The body frame stays, mass properties follow as in adding, and points
 * of the body keep their velocity. A dynamic body that is left without mass is refused by the next step. Bodies of
 * robots are refused. */
ABUT_API AbutStatus abut_scene_remove_shape(AbutScene *scene, AbutShapeId shape, AbutError *error);

/* Gives a shape another form and pose in its body, in the same way; id, material, filter and rules stay, its touches
 * end and begin anew. A half-space stays one, and nothing else becomes one. */
ABUT_API AbutStatus abut_scene_set_form(
    AbutScene *scene, AbutShapeId shape, const AbutGeometryDef *form, AbutPose pose, AbutError *error);

/* ---- models ------------------------------------------------------------------------------------------------------ */

/*
 * Places a model with its frame at `pose`: its pairs and exclusions too. A link without joints becomes part of the body
 * that it hangs on; one with joints is a body of the kind link, which never meets the link it hangs on unless a pair of
 * the model sets it. `bodies`, where not NULL, gets body_count ids, those of welded links being that of their body.
 * When it fails the scene is as it was.
 */
ABUT_API AbutStatus abut_scene_add_model(
    AbutScene *scene, const AbutModel *model, AbutPose pose, AbutBodyId *bodies, AbutError *error);

/* The scene as it stands, as a model whose bodies are numbered as abut_scene_body_at numbers them; geometry is shared,
 * gravity is the standard one, and links stand without their joints. To be freed with abut_model_free. */
ABUT_API AbutStatus abut_scene_model(const AbutScene *scene, AbutModel **out, AbutError *error);

/* Adds one body in the same way to a model; a failure may leave it there without all its shapes. `out` may
 * be NULL. */
ABUT_API AbutStatus abut_scene_describe_body(
    const AbutScene *scene, AbutBodyId body, AbutModel *model, int32_t *out, AbutError *error);

/* ---- robots ------------------------------------------------------------------------------------------------------ */

/*
 * A model with joints, actuators, equalities or keyframes is a robot of the scene once it is placed; robots are
 * numbered from 0 in that order, and their bodies stay as long as the scene does. Its positions and velocities are in
 * the order of abut/robot.h, free bodies included, in the world. It starts at its reference. A robot that is not there
 * is refused: "no such robot", and nothing moves.
 */
ABUT_API int32_t abut_scene_robot_count(const AbutScene *scene);
ABUT_API const AbutModel *abut_scene_robot_model(
    const AbutScene *scene, int32_t robot); /* the scene's copy; NULL: no such robot */
ABUT_API AbutBodyId abut_scene_robot_body(
    const AbutScene *scene, int32_t robot, int32_t body); /* the null id: no such robot or body */

/* As many numbers as abut_model_number_count says; either may be NULL. 0: no such robot. */
ABUT_API int abut_scene_get_joints(const AbutScene *scene, int32_t robot, double *positions, double *velocities);

/* Sets all of them, as abut_configuration_set does (velocity count 0: zero). Wrong counts and numbers that are not
 * finite are refused, and nothing moves. */
ABUT_API AbutStatus abut_scene_set_joints(AbutScene *scene, int32_t robot, int32_t position_count,
    const double *positions, int32_t velocity_count, const double *velocities, AbutError *error);

/* The state of a keyframe of the model; what it does not state is as in the reference. A keyframe that is not there is
 * refused. */
ABUT_API AbutStatus abut_scene_set_keyframe(AbutScene *scene, int32_t robot, int32_t keyframe, AbutError *error);

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

/* The shapes of these two bodies never meet. */
ABUT_API AbutStatus abut_scene_exclude(AbutScene *scene, AbutBodyId a, AbutBodyId b, AbutError *error);

/* Friction of one pair of shapes, whatever their priority; without it the friction of the shape with the higher
 * priority rules, of equal ones the larger static value with its kinetic one. */
ABUT_API AbutStatus abut_scene_set_pair_friction(
    AbutScene *scene, AbutShapeId a, AbutShapeId b, double friction, double friction_kinetic, AbutError *error);

/* All that one pair of shapes has of its own: friction of all kinds, restitution, margin of contact. What `def` leaves
 * open (abut_pair_default) is as the shapes say; its a, b and exclude are not looked at, and filters stay as they are.
 * The bodies of a pair that is near wake. */
ABUT_API AbutStatus abut_scene_set_pair(
    AbutScene *scene, AbutShapeId a, AbutShapeId b, const AbutPairDef *def, AbutError *error);

/*
 * A function that forbids pairs: called once for each pair of shapes that everything else allows, when their boxes come
 * near each other, and in queries of contacts and distances; 0: they do not meet. Its answer must depend on nothing
 * that changes while they are near; when it does, set it again. It must change nothing in the scene. NULL: none.
 * Saved states and models do not have it.
 */
ABUT_API void abut_scene_set_pair_filter(
    AbutScene *scene, int (*filter)(const AbutScene *scene, AbutShapeId a, AbutShapeId b, void *user), void *user);

/* ---- state ------------------------------------------------------------------------------------------------------- */

typedef struct AbutBodyState {
    AbutBodyKind kind;
    const char *name; /* never NULL */
    AbutPose pose;    /* of the body frame */
    AbutVec3 center;  /* center of mass, world */
    AbutVec3 velocity, spin;
    double mass; /* 0 for static and kinematic bodies */
    AbutVec3 local_center;
    AbutMat3 inertia; /* about the center of mass, body axes */
    int32_t shape_count;
    void *user;
    double gravity_scale;         /* part of its weight that acts; 1 less the gravity compensation unless set */
    double damping, spin_damping; /* 1/s; 0 unless set */
    uint32_t locked;              /* axes along and about which it does not move: sum of ABUT_LOCK_X, ... */
} AbutBodyState;

ABUT_API int abut_scene_body_count(const AbutScene *scene);
/* Bodies in the order of their places: index 0 .. count-1; null when out of range. Removed bodies leave no gap here. */
ABUT_API AbutBodyId abut_scene_body_at(const AbutScene *scene, int index);
ABUT_API AbutBodyId abut_scene_find_body(const AbutScene *scene, const char *name); /* the first so named; null: none */
ABUT_API int abut_scene_get_body(const AbutScene *scene, AbutBodyId body, AbutBodyState *out); /* 0: no such body */
ABUT_API AbutStatus abut_scene_set_pose(AbutScene *scene, AbutBodyId body, AbutPose pose, AbutError *error);
ABUT_API AbutStatus abut_scene_set_velocity(
    AbutScene *scene, AbutBodyId body, AbutVec3 velocity, AbutVec3 spin, AbutError *error);

/* ---- acting on dynamic bodies; what rests wakes up --------------------------------------------------------------- */

/* Adds to the force (N, at a point of the world) and the torque (N m) that act during the next step of a simulation,
 * all parts of it; after the step both are zero. World axes. What acts until it is set again, also on links:
 * abut_simulation_set_force. */
ABUT_API AbutStatus abut_scene_add_force(
    AbutScene *scene, AbutBodyId body, AbutVec3 force, AbutVec3 point, AbutError *error);
ABUT_API AbutStatus abut_scene_add_torque(AbutScene *scene, AbutBodyId body, AbutVec3 torque, AbutError *error);

/* A blow (N s) at a point of the world: changes the velocities at once. */
ABUT_API AbutStatus abut_scene_add_impulse(
    AbutScene *scene, AbutBodyId body, AbutVec3 impulse, AbutVec3 point, AbutError *error);

/* Part of its weight that acts on a body: 1 all, 0 none. */
ABUT_API AbutStatus abut_scene_set_gravity_scale(AbutScene *scene, AbutBodyId body, double scale, AbutError *error);

/* Drag: velocity and spin decay at these rates, 1/s, 0 or above. */
ABUT_API AbutStatus abut_scene_set_damping(
    AbutScene *scene, AbutBodyId body, double damping, double spin_damping, AbutError *error);

/* Axes of the world along which a body does not move, and about which it does not turn. */
enum {
    ABUT_LOCK_X = 1,
    ABUT_LOCK_Y = 2,
    ABUT_LOCK_Z = 4,
    ABUT_LOCK_TURN_X = 8,
    ABUT_LOCK_TURN_Y = 16,
    ABUT_LOCK_TURN_Z = 32
};

/* Locks this sum of axes of a dynamic body, and frees the others; what it had of a velocity there is lost. Bodies of
 * robots are refused. */
ABUT_API AbutStatus abut_scene_lock_axes(AbutScene *scene, AbutBodyId body, uint32_t axes, AbutError *error);

/* A body that sleeps is looked at again in the next step, and what it touches with it. */
ABUT_API AbutStatus abut_scene_wake(AbutScene *scene, AbutBodyId body, AbutError *error);

/* Mass, center and inertia of a dynamic body, as in AbutBodyDef; mass 0: from its shapes and their densities. The body
 * frame stays, and so does the velocity of its points. */
ABUT_API AbutStatus abut_scene_set_mass(
    AbutScene *scene, AbutBodyId body, double mass, AbutVec3 center, AbutMat3 inertia, AbutError *error);

/*
 * A body becomes dynamic (with the mass of its shapes, which it must have), static (it stops) or kinematic (it moves on
 * with its velocity, or as its motion says). Its touches end and begin anew. Links, bodies of robots, and half-spaces
 * that would have to move are refused.
 */
ABUT_API AbutStatus abut_scene_set_kind(AbutScene *scene, AbutBodyId body, AbutBodyKind kind, AbutError *error);

/* Material and filter of a shape, also while it is touched. */
ABUT_API AbutStatus abut_scene_set_material(
    AbutScene *scene, AbutShapeId shape, const AbutMaterial *material, AbutError *error);
ABUT_API AbutStatus abut_scene_set_filter(
    AbutScene *scene, AbutShapeId shape, uint32_t category, uint32_t mask, AbutError *error);

/* ---- shapes as they are kept ------------------------------------------------------------------------------------- */

/* Shapes of a body in the order in which they came: index 0 .. count-1; null when out of range. */
ABUT_API int abut_scene_shape_count(const AbutScene *scene, AbutBodyId body);
ABUT_API AbutShapeId abut_scene_shape_at(const AbutScene *scene, AbutBodyId body, int index);

/* A shape as it is kept: name, form and geometry lie in the scene; `body` of the definition means nothing, the other
 * one is where it belongs. Either may be NULL. 0: no such shape. */
ABUT_API int abut_scene_get_shape(const AbutScene *scene, AbutShapeId shape, AbutShapeDef *out, AbutBodyId *body);

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/*
 * Contacts of the scene as it stands: no simulation is needed, nothing moves and nothing in the scene changes. Shapes
 * touch when they meet with every face moved out by `margin` (m; negative: 3e-5 of the size of each shape, the cube
 * root of its volume): faces closer than 2 margins, edges and corners from somewhat farther. Forces are zero. A is the
 * immovable body, or else the one of the shape that was added later; the contacts are in the order of their shapes.
 * Free with abut_contact_list_free.
 *
 * With `features` 1 the same pairs have contact points on the true bodies, as abut_contact_features finds them, for
 * modes and grasps: normal, center and vertices, the area between these, the depth; the volume is 0.
 */
ABUT_API AbutStatus abut_scene_find_contacts(
    const AbutScene *scene, double margin, int features, AbutContactList *out, AbutError *error);

/* ---- distances --------------------------------------------------------------------------------------------------- */

/* The nearest shapes of two bodies that may meet. */
typedef struct AbutSceneDistance {
    AbutBodyId body_a, body_b;
    AbutShapeId shape_a, shape_b;
    AbutGap gap;            /* in the world; the distance is 0 in overlap where a mesh was measured by its triangles */
    int32_t mesh_a, mesh_b; /* 1: the shape was measured by the triangles of its mesh, 0: as a convex body */
} AbutSceneDistance;

/*
 * The meshes that shapes stand for (AbutGeometryDef.surface), as trees, for distances by their triangles instead of
 * their hulls. The scene must outlive the object. Shapes that come, or get another form, afterward count as convex.
 */
typedef struct AbutSceneSurfaces AbutSceneSurfaces;

ABUT_API AbutStatus abut_scene_surfaces_create(
    const AbutScene *scene, int threads, AbutSceneSurfaces **out, AbutError *error);
ABUT_API void abut_scene_surfaces_free(AbutSceneSurfaces *surfaces); /* accepts NULL */

/*
 * All pairs of bodies that may meet and are at most `within` (m, infinity: all) apart as the scene stands, in the order
 * of their places: self-distance of a robot, and its distance from what is around. Returns the count and writes at most
 * `capacity`. Round shapes count as exact ones. With the `surfaces` of the scene (NULL: none) by triangles where there
 * are some; then it begins at the nearest triangles of the last answer, which makes it quicker and changes nothing, and
 * serves one thread at a time. Takes no memory.
 */
ABUT_API int32_t abut_scene_distances(
    const AbutScene *scene, AbutSceneSurfaces *surfaces, double within, int32_t capacity, AbutSceneDistance *out);

/*
 * How deep the two shapes of an answer are in each other where a mesh meets (its distance is 0): abut_depth,
 * points and directions in the world. The search by sweeps finds a way out, never shorter than the least one. A convex
 * partner counts as the polyhedron it is drawn as. UNSUPPORTED where neither shape has a mesh, or one is a half-space
 * or a height field; takes memory.
 */
ABUT_API AbutStatus abut_scene_surface_depth(
    const AbutSceneSurfaces *surfaces, const AbutSceneDistance *pair, AbutGap *out, AbutError *error);

/* ---- casts ------------------------------------------------------------------------------------------------------- */

typedef struct AbutSceneHit {
    AbutCastHit hit;
    AbutShapeId shape; /* null: no hit */
    AbutBodyId body;
} AbutSceneHit;

/*
 * Asks a scene as it stands, against its shapes, round ones as they are; nothing in it changes. With a way of zero all
 * hits are what overlaps the origin, or the moved body, at t = 0. A shape for which `filter` returns 0 is skipped; it
 * may be NULL. Visual shapes and sensors are never met.
 *
 * The first hit, of equal ones that of the shape added first; INVALID for bad numbers. `hit.body` is 0.
 */
ABUT_API AbutSceneHit abut_scene_cast(
    const AbutScene *scene, const AbutCast *cast, int (*filter)(AbutShapeId shape, void *user), void *user);

/* All hits, one for each shape, in order of t. Returns the count and writes at most `capacity`; -1 for bad numbers. */
ABUT_API int32_t abut_scene_cast_all(const AbutScene *scene, const AbutCast *cast,
    int (*filter)(AbutShapeId shape, void *user), void *user, int32_t capacity, AbutSceneHit *hits);

/* The shape nearest to a point, or around it: the one with the least signed distance. *shape becomes null where there
 * is none; it may be NULL. */
ABUT_API AbutNearestPoint abut_scene_nearest_point(const AbutScene *scene, AbutVec3 point,
    int (*filter)(AbutShapeId shape, void *user), void *user, AbutShapeId *shape);

/* ---- built-in scenes --------------------------------------------------------------------------------------------- */

/* Fills an empty scene with the built-in one of this name, as abut_model_build makes it; the model itself also tells
 * gravity, timestep and a sensible time. When it fails the scene stays empty. */
ABUT_API AbutStatus abut_scene_build(AbutScene *scene, const char *spec, uint64_t seed, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
