/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scene: bodies in the world. Each body has a pose, a velocity, mass properties and convex shapes; the scene keeps
 * their bounding boxes in a tree and finds the pairs that may meet.
 *
 * Bodies and shapes have small ids with a generation, so that the id of a removed body is refused and not confused with
 * its successor; a zeroed id is null. Units are SI, z is up.
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

/* Dynamic, static and kinematic bodies; links come with a model. `out` may be NULL. A failed call leaves the scene
   unchanged; the same holds for all functions below. */
ABUT_API AbutStatus abut_scene_add_body(AbutScene *scene, const AbutBodyDef *def, AbutBodyId *out, AbutError *error);

/* Also removes the shapes and pairs of the body, and the rules about them. */
ABUT_API AbutStatus abut_scene_remove_body(AbutScene *scene, AbutBodyId body, AbutError *error);

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* Adds a shape to a body (def.body is ignored) and updates its mass properties; the body frame stays, the center
 * of mass may move. Shapes of one body never meet each other, visual shapes meet nothing and weigh nothing. Equal
 * geometry is shared. `out` may be NULL. */
ABUT_API AbutStatus abut_scene_add_shape(
    AbutScene *scene, AbutBodyId body, const AbutShapeDef *def, AbutShapeId *out, AbutError *error);

/* Removes a shape and the rules about it. The body frame stays, mass properties are updated, and points
 * of the body keep their velocity. The next step refuses a dynamic body without mass. Bodies of robots are refused. */
ABUT_API AbutStatus abut_scene_remove_shape(AbutScene *scene, AbutShapeId shape, AbutError *error);

/* Gives a shape another form and pose in its body; mass properties are updated. Id, material, filter and rules stay;
 * its touches end and begin again. A half-space stays one, and nothing else becomes one. */
ABUT_API AbutStatus abut_scene_set_form(
    AbutScene *scene, AbutShapeId shape, const AbutGeometryDef *form, AbutPose pose, AbutError *error);

/* ---- models ------------------------------------------------------------------------------------------------------ */

/*
 * Places a model with its frame at `pose`: its pairs and exclusions too. A link without joints becomes part of its
 * parent body; one with joints is a body of the kind link, which never meets its parent link unless the model has a
 * pair for the two. `bodies`, if not NULL, receives body_count ids; a welded link has the id of its body. On failure
 * the scene is unchanged.
 */
ABUT_API AbutStatus abut_scene_add_model(
    AbutScene *scene, const AbutModel *model, AbutPose pose, AbutBodyId *bodies, AbutError *error);

/* The present scene as a model, with bodies in the order of abut_scene_body_at. Geometry is shared, gravity is the
 * standard one, and links have no joints. Free with abut_model_free. */
ABUT_API AbutStatus abut_scene_model(const AbutScene *scene, AbutModel **out, AbutError *error);

/* Adds one body in the same way to a model; on failure it may lack some of its shapes. `out` may be NULL. */
ABUT_API AbutStatus abut_scene_describe_body(
    const AbutScene *scene, AbutBodyId body, AbutModel *model, int32_t *out, AbutError *error);

/* ---- robots ------------------------------------------------------------------------------------------------------ */

/*
 * A placed model with joints, actuators, equalities or keyframes is a robot of the scene. Robots are numbered from 0 in
 * the order of placing, and their bodies exist as long as the scene. Positions and velocities are in the order of
 * abut/robot.h, including free bodies, in world coordinates. A robot starts at its reference. An unknown number is
 * refused with "no such robot", and nothing moves.
 */
ABUT_API int32_t abut_scene_robot_count(const AbutScene *scene);
ABUT_API const AbutModel *abut_scene_robot_model(
    const AbutScene *scene, int32_t robot); /* the scene's copy; NULL: no such robot */
ABUT_API AbutBodyId abut_scene_robot_body(
    const AbutScene *scene, int32_t robot, int32_t body); /* the null id: no such robot or body */

/* Writes abut_model_number_count numbers each; either may be NULL. 0: no such robot. */
ABUT_API int abut_scene_get_joints(const AbutScene *scene, int32_t robot, double *positions, double *velocities);

/* Sets all of them, as abut_configuration_set does (velocity count 0: zero). Wrong counts and non-finite numbers
 * are refused, and nothing moves. */
ABUT_API AbutStatus abut_scene_set_joints(AbutScene *scene, int32_t robot, int32_t position_count,
    const double *positions, int32_t velocity_count, const double *velocities, AbutError *error);

/* Sets the state of a keyframe of the model; values that it does not state are those of the reference. An unknown
 * keyframe is refused. */
ABUT_API AbutStatus abut_scene_set_keyframe(AbutScene *scene, int32_t robot, int32_t keyframe, AbutError *error);

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

/* The shapes of these two bodies never meet. */
ABUT_API AbutStatus abut_scene_exclude(AbutScene *scene, AbutBodyId a, AbutBodyId b, AbutError *error);

/* Friction of one pair of shapes, whatever their priority. Without it, the shape with the higher priority decides; at
 * equal priority the larger static value with its kinetic one. */
ABUT_API AbutStatus abut_scene_set_pair_friction(
    AbutScene *scene, AbutShapeId a, AbutShapeId b, double friction, double friction_kinetic, AbutError *error);

/* Properties of one pair of shapes: friction of all kinds, restitution, margin of contact. Fields left at their default
 * (abut_pair_default) follow from the shapes. `a`, `b` and `exclude` of `def` are ignored, and filters stay unchanged.
 * The bodies of a near pair wake. */
ABUT_API AbutStatus abut_scene_set_pair(
    AbutScene *scene, AbutShapeId a, AbutShapeId b, const AbutPairDef *def, AbutError *error);

/*
 * A function that forbids pairs, called once for each pair of shapes that is otherwise allowed, when their boxes come
 * near each other, and in queries of contacts and distances. 0: they do not meet. Its answer must not change while they
 * are near; if it does, set it again. It must change nothing in the scene. NULL: none. Saved states and models do not
 * contain it.
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
    double gravity_scale;         /* fraction of its weight that acts; by default 1 less the gravity compensation */
    double damping, spin_damping; /* 1/s; 0 unless set */
    uint32_t locked;              /* axes of fixed position and rotation: sum of ABUT_LOCK_X, ... */
} AbutBodyState;

ABUT_API int abut_scene_body_count(const AbutScene *scene);
/* Bodies in the order of their slots: index 0 .. count-1; null if out of range. Removed bodies leave no gap. */
ABUT_API AbutBodyId abut_scene_body_at(const AbutScene *scene, int index);
ABUT_API AbutBodyId abut_scene_find_body(
    const AbutScene *scene, const char *name); /* the first of this name; null: none */
ABUT_API int abut_scene_get_body(const AbutScene *scene, AbutBodyId body, AbutBodyState *out); /* 0: no such body */
ABUT_API AbutStatus abut_scene_set_pose(AbutScene *scene, AbutBodyId body, AbutPose pose, AbutError *error);
ABUT_API AbutStatus abut_scene_set_velocity(
    AbutScene *scene, AbutBodyId body, AbutVec3 velocity, AbutVec3 spin, AbutError *error);

/* ---- acting on dynamic bodies, which wakes them ------------------------------------------------------------------ */

/* Adds to the force (N, at a point of the world) and the torque (N m) of the next step of a simulation, including all
 * substeps; after the step both are zero. World axes. For a lasting force, also on links: abut_simulation_set_force. */
ABUT_API AbutStatus abut_scene_add_force(
    AbutScene *scene, AbutBodyId body, AbutVec3 force, AbutVec3 point, AbutError *error);
ABUT_API AbutStatus abut_scene_add_torque(AbutScene *scene, AbutBodyId body, AbutVec3 torque, AbutError *error);

/* An impulse (N s) at a point of the world: changes the velocities immediately. */
ABUT_API AbutStatus abut_scene_add_impulse(
    AbutScene *scene, AbutBodyId body, AbutVec3 impulse, AbutVec3 point, AbutError *error);

/* Fraction of its weight that acts on a body: 1 all, 0 none. */
ABUT_API AbutStatus abut_scene_set_gravity_scale(AbutScene *scene, AbutBodyId body, double scale, AbutError *error);

/* Drag: velocity and spin decay at these rates, 1/s, 0 or above. */
ABUT_API AbutStatus abut_scene_set_damping(
    AbutScene *scene, AbutBodyId body, double damping, double spin_damping, AbutError *error);

/* World axes along which a body does not move, or about which it does not turn. */
enum {
    ABUT_LOCK_X = 1,
    ABUT_LOCK_Y = 2,
    ABUT_LOCK_Z = 4,
    ABUT_LOCK_TURN_X = 8,
    ABUT_LOCK_TURN_Y = 16,
    ABUT_LOCK_TURN_Z = 32
};

/* Locks these axes of a dynamic body and frees the others; its velocity along locked axes is lost. Bodies of robots are
 * refused. */
ABUT_API AbutStatus abut_scene_lock_axes(AbutScene *scene, AbutBodyId body, uint32_t axes, AbutError *error);

/* Wakes a sleeping body and all that it touches, from the next step on. */
ABUT_API AbutStatus abut_scene_wake(AbutScene *scene, AbutBodyId body, AbutError *error);

/* Mass, center and inertia of a dynamic body, as in AbutBodyDef; mass 0: from its shapes and their densities. The body
 * frame and the velocity of its points stay. */
ABUT_API AbutStatus abut_scene_set_mass(
    AbutScene *scene, AbutBodyId body, double mass, AbutVec3 center, AbutMat3 inertia, AbutError *error);

/*
 * A body becomes dynamic (with the mass of its shapes, which must be above 0), static (it stops) or kinematic (it keeps
 * its velocity, or follows its motion). Its touches end and begin again. Links, bodies of robots, and half-spaces that
 * would have to move are refused.
 */
ABUT_API AbutStatus abut_scene_set_kind(AbutScene *scene, AbutBodyId body, AbutBodyKind kind, AbutError *error);

/* Material and filter of a shape, also while it touches another. */
ABUT_API AbutStatus abut_scene_set_material(
    AbutScene *scene, AbutShapeId shape, const AbutMaterial *material, AbutError *error);
ABUT_API AbutStatus abut_scene_set_filter(
    AbutScene *scene, AbutShapeId shape, uint32_t category, uint32_t mask, AbutError *error);

/* ---- stored shapes ----------------------------------------------------------------------------------------------- */

/* Shapes of a body in the order of adding: index 0 .. count-1; null if out of range. */
ABUT_API int abut_scene_shape_count(const AbutScene *scene, AbutBodyId body);
ABUT_API AbutShapeId abut_scene_shape_at(const AbutScene *scene, AbutBodyId body, int index);

/* A stored shape: name, form and geometry belong to the scene. `body` of the definition has no meaning; *body receives
 * its body. Either may be NULL. 0: no such shape. */
ABUT_API int abut_scene_get_shape(const AbutScene *scene, AbutShapeId shape, AbutShapeDef *out, AbutBodyId *body);

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/*
 * Contacts of the present scene: no simulation is needed, and nothing in the scene changes. Shapes touch if they meet
 * with every face moved out by `margin` (m; negative: 3e-5 of the size of each shape, the cube
 * root of its volume): faces closer than 2 margins, edges and corners from somewhat farther. Forces are zero. A is the
 * immovable body, or else that of the shape that was added later; contacts are in the order of their shapes.
 * Free with abut_contact_list_free.
 *
 * With `features` 1 the contact points are on the true bodies, for modes and grasps: normal, center, vertices, the area
 * between them, and depth; the volume is 0. Convex shapes go by abut_contact_features. A shape that keeps a closed mesh
 * touches as that mesh, with a contact for each of its flat patches, at most 32 for a pair: beyond that, those whose
 * wrenches differ most. Its hull counts against a height field.
 */
ABUT_API AbutStatus abut_scene_find_contacts(
    const AbutScene *scene, double margin, int features, AbutContactList *out, AbutError *error);

/* ---- distances --------------------------------------------------------------------------------------------------- */

/* The nearest shapes of two bodies that may meet. */
typedef struct AbutSceneDistance {
    AbutBodyId body_a, body_b;
    AbutShapeId shape_a, shape_b;
    AbutGap gap; /* in world coordinates; in overlap the distance is 0 if a mesh was measured by its triangles */
    int32_t mesh_a, mesh_b; /* 1: the shape was measured by the triangles of its mesh, 0: as a convex body */
} AbutSceneDistance;

/*
 * The meshes of shapes (AbutGeometryDef.surface) as trees, for distances by triangles instead of hulls. The scene must
 * outlive the object. Shapes that are added or changed afterward count as convex.
 */
typedef struct AbutSceneSurfaces AbutSceneSurfaces;

ABUT_API AbutStatus abut_scene_surfaces_create(
    const AbutScene *scene, int threads, AbutSceneSurfaces **out, AbutError *error);
ABUT_API void abut_scene_surfaces_free(AbutSceneSurfaces *surfaces); /* accepts NULL */

/*
 * All pairs of bodies in the present scene that may meet and are at most `within` (m, infinity: all) apart, in the
 * order of their slots: self-distance of a robot, and its distance from obstacles. Returns the count and writes at most
 * `capacity`. Round shapes are exact. With the `surfaces` of the scene (NULL: none), meshes are measured by triangles.
 * The search then starts at the nearest triangles of the last answer, which is faster and changes nothing, and serves
 * one thread at a time. Allocates nothing.
 */
ABUT_API int32_t abut_scene_distances(
    const AbutScene *scene, AbutSceneSurfaces *surfaces, double within, int32_t capacity, AbutSceneDistance *out);

/*
 * Depth of the two shapes of an answer in which a mesh meets (its distance is 0): abut_depth, with points and
 * directions in world coordinates. The search by sweeps finds a separating move, never shorter than the least one. A
 * convex partner counts as its drawn polyhedron. UNSUPPORTED if neither shape has a mesh, or one is a half-space or a
 * height field. Allocates.
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
 * Casts against the shapes of the present scene; round ones are exact, and nothing changes. If the way is zero, the
 * hits are the shapes that overlap the origin, or the moved body, at t = 0. A shape for which `filter` returns 0 is
 * skipped; `filter` may be NULL. Visual shapes and sensors are never hit.
 *
 * Returns the first hit, on ties that of the shape added first; INVALID for bad numbers. `hit.body` is 0.
 */
ABUT_API AbutSceneHit abut_scene_cast(
    const AbutScene *scene, const AbutCast *cast, int (*filter)(AbutShapeId shape, void *user), void *user);

/* All hits, one for each shape, in order of t. Returns the count and writes at most `capacity`; -1 for bad numbers. */
ABUT_API int32_t abut_scene_cast_all(const AbutScene *scene, const AbutCast *cast,
    int (*filter)(AbutShapeId shape, void *user), void *user, int32_t capacity, AbutSceneHit *hits);

/* The shape with the least signed distance from a point. *shape becomes null if there is none; `shape` may be NULL. */
ABUT_API AbutNearestPoint abut_scene_nearest_point(const AbutScene *scene, AbutVec3 point,
    int (*filter)(AbutShapeId shape, void *user), void *user, AbutShapeId *shape);

/* ---- built-in scenes --------------------------------------------------------------------------------------------- */

/* Fills an empty scene with the built-in one of this name, by abut_model_build; the model itself also has gravity,
 * timestep and a sensible time. On failure the scene stays empty. */
ABUT_API AbutStatus abut_scene_build(AbutScene *scene, const char *spec, uint64_t seed, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
