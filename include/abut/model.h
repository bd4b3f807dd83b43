/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model: what bodies are, before they are placed anywhere. One description of bodies, joints, shapes, materials, names
 * and filters; file readers, built-in scenes and users make it, and scenes, robots, logs, pages and pictures read it.
 *
 * Bodies, shapes and joints are numbered from 0 in the order in which they were added; a parent comes before its
 * children. Checks are made once, here: what a model holds, a scene can hold. Units are SI, z is up.
 */
#ifndef ABUT_MODEL_H
#define ABUT_MODEL_H

#include "abut/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ABUT_DEFAULT_DENSITY 1000.0 /* kg/m^3 */
#define ABUT_DEFAULT_FRICTION 0.5

/* ---- geometry: made once, shared by every shape that looks the same ---------------------------------------------- */

typedef enum AbutShapeKind {
    /* Round shapes have the vertices of their polyhedra on the true surface; volume and mass are those of the
       polyhedron. */
    ABUT_SHAPE_BOX = 0,    /* size = half sizes */
    ABUT_SHAPE_SPHERE,     /* size.x = radius; as a polyhedron of `resolution` */
    ABUT_SHAPE_CAPSULE,    /* size.x = radius, size.z = half length of the axis along z; polyhedral */
    ABUT_SHAPE_CYLINDER,   /* size.x = radius, size.z = half height along z; a prism of `resolution` sides */
    ABUT_SHAPE_ELLIPSOID,  /* size = half axes; polyhedral */
    ABUT_SHAPE_POLYHEDRON, /* polyhedron, copied; on a dynamic body it has volume */
    ABUT_SHAPE_HALF_SPACE, /* z <= 0 of the shape frame; static and kinematic bodies only */
    ABUT_SHAPE_KIND_COUNT
} AbutShapeKind;

/* "box", "sphere", ..., "half_space": as in files. */
ABUT_API const char *abut_shape_kind_name(AbutShapeKind kind);
ABUT_API int abut_shape_kind_find(const char *name); /* -1: no such kind */

/* Immutable once made; counted references, safe to share between threads. */
typedef struct AbutGeometry {
    AbutShapeKind kind;
    AbutVec3 size;                    /* the numbers that count; the others repeat them or are 0 */
    int32_t resolution;               /* of round shapes, else 0 */
    const AbutPolyhedron *polyhedron; /* shape frame; NULL for a half-space */
    uint64_t hash;                    /* equal geometry, equal hash */
} AbutGeometry;

typedef struct AbutGeometryDef {
    AbutShapeKind kind;
    AbutVec3 size;
    const AbutPolyhedron *polyhedron; /* of the kind polyhedron, else not looked at */
    int resolution;                   /* points around the equator of a round shape, 3 .. 256; 0: 16 */
} AbutGeometryDef;

/* To be released. Models and scenes share equal geometry by themselves. */
ABUT_API AbutStatus abut_geometry_create(const AbutGeometryDef *def, const AbutGeometry **out, AbutError *error);
ABUT_API const AbutGeometry *abut_geometry_retain(const AbutGeometry *geometry);
ABUT_API void abut_geometry_release(const AbutGeometry *geometry); /* accepts NULL */

/* The geometry as a body of the queries, in the shape frame. It points into the geometry. */
ABUT_API AbutConvex abut_geometry_convex(const AbutGeometry *geometry);

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

typedef enum AbutBodyKind {
    ABUT_BODY_DYNAMIC = 0, /* moves freely by forces; needs a mass, or a simulation refuses it */
    ABUT_BODY_STATIC,      /* never moves */
    ABUT_BODY_KINEMATIC,   /* moves as prescribed, pushes and is not pushed */
    ABUT_BODY_LINK,        /* held to its parent (or to the world) by its joints; welded when it has none */
    ABUT_BODY_KIND_COUNT
} AbutBodyKind;

ABUT_API const char *abut_body_kind_name(AbutBodyKind kind); /* "dynamic", "static", "kinematic", "link" */
ABUT_API int abut_body_kind_find(const char *name);          /* -1: no such kind */

/* Where a thing stands in a file; zeroed: nowhere. */
typedef struct AbutSource {
    const char *file;
    int32_t line;
} AbutSource;

/* Prescribed motion of a kinematic body: its pose at a time. Velocities follow by difference over a step. */
typedef AbutPose AbutMotionFunction(double time, const void *user);

typedef struct AbutBodyDef {
    AbutBodyKind kind;
    const char *name;           /* NULL: no name */
    int32_t parent;             /* of a link: number of its parent, -1: the world. Else -1 */
    AbutPose pose;              /* of the body frame in its parent's; the quaternion has length 1 to 1e-6 */
    AbutVec3 velocity, spin;    /* of the centre of mass; angular; world axes. Zero for static bodies and links */
    double mass;                /* 0: from the shapes and their densities. Ignored for static and kinematic bodies */
    AbutVec3 center;            /* centre of mass in the body frame, used when mass > 0 */
    AbutMat3 inertia;           /* about the centre of mass in body axes, used when mass > 0: symmetric, positive
                                   definite (of a link also singular: what it is welded to may make up for it), and
                                   its largest moment at most the sum of the two others */
    AbutMotionFunction *motion; /* kinematic bodies; NULL: moves on with its velocity */
    const void *motion_user;
    int never_sleeps;
    void *user; /* the caller's own; kept, never looked at */
    AbutSource source;
} AbutBodyDef;

ABUT_API AbutBodyDef abut_body_default(void);

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

typedef struct AbutMaterial {
    double friction, friction_kinetic; /* static; kinetic, at most the static one (negative: the same) */
    double restitution;                /* 0 .. 1; the larger of two rules */
} AbutMaterial;

typedef struct AbutShapeDef {
    int32_t body; /* number of its body in a model; ignored where a scene names the body */
    const char *name;
    AbutPose pose;                /* in the body frame */
    AbutGeometryDef form;         /* what it is; not looked at when there is a geometry */
    const AbutGeometry *geometry; /* shared; retained by whoever keeps the shape; NULL: made from the form */
    double density;               /* kg/m^3 */
    AbutMaterial material;
    uint32_t category, mask; /* two shapes may meet when each category is in the other's mask */
    uint32_t color;          /* 0xrrggbb for pictures; 0: chosen by number */
    int32_t visual;          /* 1: drawn, never touched, without mass */
    void *user;
    AbutSource source;
} AbutShapeDef;

ABUT_API AbutShapeDef abut_shape_default(void);

/* ---- joints ------------------------------------------------------------------------------------------------------ */

typedef enum AbutJointKind {
    ABUT_JOINT_HINGE = 0,
    ABUT_JOINT_SLIDE,
    ABUT_JOINT_BALL,
    ABUT_JOINT_KIND_COUNT
} AbutJointKind;

ABUT_API const char *abut_joint_kind_name(AbutJointKind kind); /* "hinge", "slide", "ball" */

typedef struct AbutJointDef {
    AbutJointKind kind;
    const char *name;
    int32_t body;            /* the link it moves against the link's parent; several per body act in order */
    AbutVec3 position, axis; /* body frame; axis of unit length */
    int32_t limited;
    double range[2]; /* radians or metres */
    double stiffness, damping, armature, friction_loss;
    double reference; /* the joint coordinate at which the body stands at its pose */
    void *user;
    AbutSource source;
} AbutJointDef;

ABUT_API AbutJointDef abut_joint_default(void);

/* ---- filters ----------------------------------------------------------------------------------------------------- */

/* Two bodies that never meet, or two shapes that meet whatever their filters say, with their own friction. */
typedef struct AbutPairDef {
    int32_t exclude; /* 1: a and b are bodies; 0: shapes */
    int32_t a, b;
    double friction, friction_kinetic; /* of shapes; negative: as the materials say */
    AbutSource source;
} AbutPairDef;

/* ---- elements of a file for which the model has no structure of its own ------------------------------------------ */

typedef struct AbutAttribute {
    const char *name, *value;
} AbutAttribute;

typedef struct AbutElement {
    const char *section, *tag, *name; /* "actuator", "motor", its own name */
    const AbutAttribute *attributes;
    int32_t attribute_count;
    AbutSource source;
} AbutElement;

ABUT_API const char *abut_element_attribute(const AbutElement *element, const char *name); /* NULL: none */

/* ---- model ------------------------------------------------------------------------------------------------------- */

/* Gravity, timestep and time may be written; the rest is changed by the functions. Texts are never NULL, but for the
   file of a source that is nowhere. */
typedef struct AbutModel {
    const char *name;
    AbutVec3 gravity; /* (0, 0, -ABUT_GRAVITY) at first */
    double timestep;  /* 0: not stated */
    double time;      /* a sensible length of simulation; 0: not stated */
    int32_t body_count, shape_count, joint_count, pair_count, element_count;
    const AbutBodyDef *bodies;
    const AbutShapeDef *shapes; /* geometry is never NULL, and form says what it is */
    const AbutJointDef *joints;
    const AbutPairDef *pairs;
    const AbutElement *elements;
} AbutModel;

ABUT_API AbutStatus abut_model_create(AbutModel **out, AbutError *error);
ABUT_API void abut_model_free(AbutModel *model); /* accepts NULL */
ABUT_API AbutStatus abut_model_set_name(AbutModel *model, const char *name, AbutError *error);

/* Each copies names, retains geometry, checks what it is given, and gives the number of the new thing (`out` may be
   NULL). A call that fails leaves the model as it was. */
ABUT_API AbutStatus abut_model_add_body(AbutModel *model, const AbutBodyDef *def, int32_t *out, AbutError *error);
ABUT_API AbutStatus abut_model_add_shape(AbutModel *model, const AbutShapeDef *def, int32_t *out, AbutError *error);
ABUT_API AbutStatus abut_model_add_joint(AbutModel *model, const AbutJointDef *def, int32_t *out, AbutError *error);
ABUT_API AbutStatus abut_model_add_pair(AbutModel *model, const AbutPairDef *def, int32_t *out, AbutError *error);
ABUT_API AbutStatus abut_model_add_element(AbutModel *model, const AbutElement *def, int32_t *out, AbutError *error);

ABUT_API int32_t abut_model_find_body(const AbutModel *model, const char *name); /* the first so named; -1: none */

/* Shapes or joints of one body in the order of their numbers: the one after `after`, the first for -1; -1 at the end.
 */
ABUT_API int32_t abut_model_next_shape(const AbutModel *model, int32_t body, int32_t after);
ABUT_API int32_t abut_model_next_joint(const AbutModel *model, int32_t body, int32_t after);

/* Is the body dynamic, a link with a joint, or welded to such a one? */
ABUT_API int abut_model_is_movable(const AbutModel *model, int32_t body);

/* ---- built-in scenes --------------------------------------------------------------------------------------------- */

typedef struct AbutBuiltinScene {
    const char *name, *argument, *summary; /* "stack", "N=10", one line */
} AbutBuiltinScene;

ABUT_API const AbutBuiltinScene *abut_builtin_scenes(int *count);

/*
 * Makes the built-in scene "name" or "name:argument", as "boxes:50". `seed` chooses random poses. The ground is named
 * "ground", the bodies "box0", "box1", ... ("block0" in the arch, "hull0" among hulls). To be freed with
 * abut_model_free.
 */
ABUT_API AbutStatus abut_model_build(const char *spec, uint64_t seed, AbutModel **out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
