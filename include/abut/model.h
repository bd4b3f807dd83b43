/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model: what bodies are, before they are placed anywhere. One description of bodies, joints, shapes, materials,
 * frames, actuators, names and filters; file readers, built-in scenes and users make it, and scenes, robots, logs,
 * pages and pictures read it.
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
    /* Round shapes are exact in contact, mass and queries; their polyhedra, with the vertices on the true surface, are
       for pictures. */
    ABUT_SHAPE_BOX = 0,      /* size = half sizes */
    ABUT_SHAPE_SPHERE,       /* size.x = radius */
    ABUT_SHAPE_CAPSULE,      /* size.x = radius, size.z = half length of the axis along z */
    ABUT_SHAPE_CYLINDER,     /* size.x = radius, size.z = half height along z */
    ABUT_SHAPE_ELLIPSOID,    /* size = half axes, the least at least 1e-6 of the largest */
    ABUT_SHAPE_POLYHEDRON,   /* polyhedron, copied; on a dynamic body it has volume */
    ABUT_SHAPE_HALF_SPACE,   /* z <= 0 of the shape frame; static and kinematic bodies only */
    ABUT_SHAPE_HEIGHT_FIELD, /* field, copied: ground over a grid; static and kinematic bodies only. The convex pieces
                                under a body are made when it comes near */
    ABUT_SHAPE_CONE,         /* size.x = radius of the base at z = -size.z, the apex at z = size.z */
    ABUT_SHAPE_KIND_COUNT
} AbutShapeKind;

/* "box", "sphere", ..., "cone": as in files. */
ABUT_API extern const char *const abut_shape_kind_names[];

/* Immutable once made; counted references, safe to share between threads. */
typedef struct AbutGeometry {
    AbutShapeKind kind;
    AbutVec3 size;                    /* the numbers that count; the others repeat them or are 0 */
    int32_t resolution;               /* of round shapes, else 0 */
    const AbutPolyhedron *polyhedron; /* shape frame; of round shapes for pictures; of a height field the box around
                                         it; NULL for a half-space */
    AbutMass mass;                    /* of the body itself, density 1; zero for half-spaces and height fields */
    AbutSphere bound;                 /* around the body itself; infinite for a half-space */
    uint64_t hash;                    /* equal geometry, equal hash */
    const AbutMesh *surface;          /* of a polyhedron that stands for a mesh: the mesh; NULL: none */
    const AbutHeightField *field;     /* of a height field, with its heights; NULL: none */
    int32_t surface_closed;           /* 0: there is no surface, or it is open and good for pictures alone */
} AbutGeometry;

typedef struct AbutGeometryDef {
    AbutShapeKind kind;
    AbutVec3 size;
    const AbutPolyhedron *polyhedron; /* of the kind polyhedron, else not looked at */
    int resolution;                   /* of pictures: points around the equator of a round shape, 3 .. 256; 0: 16 */
    const AbutMesh *surface;          /* of the kind polyhedron: a closed mesh inside it, copied, which it is the hull
                                         of; contact models `vol` (setting `features`) and `pressure` and pictures take
                                         it, and its mass; all else takes the polyhedron. Open ones are for shapes that are only
                                         drawn. NULL: none
                                       */
    const AbutHeightField *field;     /* of the kind height field, else not looked at */
} AbutGeometryDef;

/* To be released. Models and scenes share equal geometry by themselves. */
ABUT_API AbutStatus abut_geometry_create(const AbutGeometryDef *def, const AbutGeometry **out, AbutError *error);
ABUT_API void abut_geometry_release(const AbutGeometry *geometry); /* accepts NULL */

/* The geometry as a body of the queries, in the shape frame; of a height field the box around it. It points into the
 * geometry. */
ABUT_API AbutConvex abut_geometry_convex(const AbutGeometry *geometry);

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

typedef enum AbutBodyKind {
    ABUT_BODY_DYNAMIC = 0, /* moves freely by forces; needs a mass, or a simulation refuses it */
    ABUT_BODY_STATIC,      /* never moves */
    ABUT_BODY_KINEMATIC,   /* moves as prescribed, pushes and is not pushed */
    ABUT_BODY_LINK,        /* held to its parent (or to the world) by its joints; welded when it has none */
    ABUT_BODY_KIND_COUNT
} AbutBodyKind;

ABUT_API extern const char *const abut_body_kind_names[]; /* "dynamic", "static", "kinematic", "link" */

/* Where a thing stands in a file; zeroed: nowhere. */
typedef struct AbutSource {
    const char *file;
    int32_t line;
} AbutSource;

typedef struct AbutBodyDef {
    AbutBodyKind kind;
    const char *name;        /* NULL: no name */
    int32_t parent;          /* of a link: number of its parent, -1: the world. Else -1 */
    AbutPose pose;           /* of the body frame in its parent's; the quaternion has length 1 to 1e-6 */
    AbutVec3 velocity, spin; /* of the center of mass; angular; world axes. Zero for static bodies and links */
    double mass;             /* 0: from the shapes and their densities. Ignored for static and kinematic bodies */
    AbutVec3 center;         /* center of mass in the body frame, used when mass > 0 */
    AbutMat3 inertia;        /* about the center of mass in body axes, used when mass > 0: symmetric, positive
                                definite (of a link also singular: what it is welded to may make up for it), and
                                its largest moment at most the sum of the two others */
    /* Kinematic bodies: the pose at a time; velocities follow by difference over a step. NULL: moves on with its
     * velocity */
    AbutPose (*motion)(double time, const void *user);
    const void *motion_user;
    double gravity_compensation;             /* part of its weight that something not described carries; 0: none */
    const char *joint_name;                  /* of a dynamic body: name of its six degrees of freedom; NULL: none */
    double damping, armature, friction_loss; /* of these six, each; 0 or above */
    int never_sleeps;
    void *user; /* the caller's own; kept, never looked at */
    AbutSource source;
} AbutBodyDef;

ABUT_API AbutBodyDef abut_body_default(void);

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

typedef struct AbutMaterial {
    double friction, friction_kinetic;          /* static; kinetic, at most the static one (negative: the same) */
    double restitution;                         /* 0 .. 1; the larger of two rules, whatever their priority */
    double friction_spinning, friction_rolling; /* lengths, m: the torque about the normal, and across it, is at most
                                                   this times the normal force; 0: none; of two shapes as
                                                   the priority says */
    AbutVec3 surface_velocity; /* of the surface against its body, as on a belt: shape axes, m/s; what it has along the
                                  normal of a contact does nothing. Simulations feel it */
} AbutMaterial;

typedef struct AbutShapeDef {
    int32_t body; /* number of its body in a model; ignored where a scene names the body */
    const char *name;
    AbutPose pose;                /* in the body frame */
    AbutGeometryDef form;         /* what it is; not looked at when there is a geometry */
    const AbutGeometry *geometry; /* shared; retained by whoever keeps the shape; NULL: made from the form */
    double density;               /* kg/m^3 */
    double margin;                /* its faces are moved out by this much for contact, m; 0: as the simulation does */
    AbutMaterial material;
    uint32_t category, mask; /* two shapes may meet when each category is in the other's mask */
    uint32_t color;          /* 0xrrggbb for pictures; 0: chosen by number */
    int32_t visual;          /* 1: drawn, never touched, without mass */
    int32_t sensor;   /* 1: tells what is in it by events of a simulation, without force; without mass. Sensors do
                         not feel each other, and queries of a scene pass through them */
    int32_t priority; /* of two shapes the friction of all kinds is that of the one with the higher; equal: the larger
                         of each kind */
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

ABUT_API extern const char *const abut_joint_kind_names[]; /* "hinge", "slide", "ball" */

typedef struct AbutJointDef {
    AbutJointKind kind;
    const char *name;
    int32_t body;            /* the link it moves against the link's parent; several per body act in order */
    AbutVec3 position, axis; /* body frame; axis of unit length */
    int32_t limited;
    double range[2]; /* radians or meters */
    double stiffness, damping, armature, friction_loss;
    double reference;        /* the joint coordinate at which the body stands at its pose */
    double spring_reference; /* the joint coordinate at which the spring is at rest; not of balls */
    int32_t force_limited;   /* 1: the sum of all actuators on it stays in the force range */
    double force_range[2];   /* newtons or newton meters */
    int32_t lifted; /* 1: gravity compensation along this joint is a force of actuators, and stays in that range too */
    void *user;
    AbutSource source;
} AbutJointDef;

ABUT_API AbutJointDef abut_joint_default(void);
ABUT_API extern const AbutRecord abut_joint_record;

/* ---- filters ----------------------------------------------------------------------------------------------------- */

/* Two bodies that never meet, or two shapes that meet whatever their filters say, with their own law of contact. */
typedef struct AbutPairDef {
    int32_t exclude; /* 1: a and b are bodies, and the rest is not looked at; 0: shapes */
    int32_t a, b;
    double friction, friction_kinetic; /* static, negative: both as the materials say; kinetic, negative: the same */
    double restitution;                /* 0 .. 1; negative: as the materials say */
    double friction_spinning, friction_rolling; /* m; negative: as the materials say */
    double margin; /* for contact with each other the faces of both are moved out by this much, m; 0: by what each has
                      elsewhere */
    AbutSource source;
} AbutPairDef;

ABUT_API AbutPairDef abut_pair_default(void); /* two shapes, as their materials say */

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* A named place on a body: a tool, a fingertip, the site of a sensor. */
typedef struct AbutFrameDef {
    const char *name;
    int32_t body;  /* -1: the world */
    AbutPose pose; /* in the body frame */
    AbutSource source;
} AbutFrameDef;

ABUT_API AbutFrameDef abut_frame_default(void);

/* ---- tendons, actuators, equalities ------------------------------------------------------------------------------ */

enum {
    ABUT_PATH_SITE = 0, /* goes through a point */
    ABUT_PATH_SPHERE,   /* between two points: goes around it where it is in the way */
    ABUT_PATH_CYLINDER, /* likewise, without ends */
    ABUT_PATH_PULLEY,   /* begins a new branch, whose length is divided */
    ABUT_PATH_KIND_COUNT
};

ABUT_API extern const char *const abut_path_kind_names[]; /* "site", "sphere", "cylinder", "pulley" */

/* A part of the path of a tendon. Zeroed: the origin of body 0. */
typedef struct AbutPathPoint {
    int32_t kind;
    int32_t body;      /* -1: the world */
    AbutPose pose;     /* in the body frame; a cylinder is along z */
    double radius;     /* of a sphere or cylinder */
    int32_t sided;     /* 1: the path stays on the side of the next point, or inside where that is inside */
    int32_t side_body; /* -1: the world */
    AbutVec3 side;     /* in the frame of side_body */
    double divisor;    /* of a pulley */
} AbutPathPoint;

/*
 * A length: the sum of joint coordinates times coefficients, hinges and slides only; or that of a path through points
 * of bodies, around spheres and cylinders. Each branch of a path has two sites or more, and what it goes around stands
 * between two of them. Zeroed: neither.
 */
typedef struct AbutTendonDef {
    const char *name;
    int32_t count; /* of joints; 0 where there is a path */
    const int32_t *joints;
    const double *coefficients;
    int32_t path_count;
    const AbutPathPoint *path;
    int32_t limited;
    double range[2];
    double stiffness, damping, friction_loss;
    double rest[2]; /* no spring force while the length is between the two */
    AbutSource source;
} AbutTendonDef;

enum {
    ABUT_TARGET_JOINT = 0, /* number of a joint; gear[0], of a ball gear[0..2] about the axes of the child */
    ABUT_TARGET_BODY,      /* number of a dynamic body; gear: force along world axes, torque about body axes */
    ABUT_TARGET_TENDON,    /* number of a tendon; gear[0] */
    ABUT_TARGET_FRAME,     /* number of a frame; gear: force and torque in its axes */
    ABUT_TARGET_CONTACTS, /* number of a body: adhesion, shared by its contacts, of which each pulls along its normal */
    ABUT_TARGET_COUNT
};

ABUT_API extern const char *const abut_target_names[]; /* "joint", "body", "tendon", "frame", "contacts" */

/* How the activation w of an actuator follows its control u. */
enum {
    ABUT_ACTIVATION_NONE = 0,     /* there is none: w = u */
    ABUT_ACTIVATION_INTEGRATOR,   /* w' = u */
    ABUT_ACTIVATION_FILTER,       /* w' = (u - w) / time[0], by steps of Euler's method */
    ABUT_ACTIVATION_FILTER_EXACT, /* the same, solved exactly for a control that holds */
    ABUT_ACTIVATION_MUSCLE,       /* rises with time[0], falls with time[1], both changed by w; smooth over time[2] */
    ABUT_ACTIVATION_COUNT
};

ABUT_API extern const char *const abut_activation_names[]; /* "none", "integrator", ..., as in MJCF */

enum { ABUT_MUSCLE_NUMBERS = 9 };

/*
 * Drives a joint: force = (gain + gain_by[0] length + gain_by[1] speed) w + bias[0] + bias[1] length + bias[2] speed,
 * times the gear. `length` and `speed` are those of the target times the gear. A motor has gain 1 and no bias; a
 * position servo of stiffness kp and damping kv has gain kp and bias 0, -kp, -kv. A muscle pulls by the curves of
 * MuJoCo instead.
 */
typedef struct AbutActuatorDef {
    const char *name;
    int32_t target; /* ABUT_TARGET_JOINT, ... */
    int32_t number; /* of the target */
    double gear[6];
    double gain, bias[3], gain_by[2];
    int32_t control_limited, force_limited, activation_limited;
    double control_range[2], force_range[2], activation_range[2];
    int32_t dynamics;         /* ABUT_ACTIVATION_NONE, ... */
    double time[3];           /* s; of muscles the last has no unit */
    int32_t activation_early; /* 1: the force is that of the activation at the end of a step */
    int32_t muscle;           /* 1: a muscle with the numbers below; gain, gain_by and bias are not used */
    double muscle_numbers[ABUT_MUSCLE_NUMBERS]; /* operating range of the length (2), peak force (negative: from the
                                                   scale), scale, lmin, lmax, vmax, fpmax, fvmax */
    double length_range[2];                     /* of the muscle's length: what its operating range stands for */
    double response; /* acceleration that a unit force gives at the reference: peak force = scale / response */
    AbutSource source;
} AbutActuatorDef;

ABUT_API AbutActuatorDef abut_actuator_default(void); /* a motor of gear 1 */
ABUT_API extern const AbutRecord abut_actuator_record;

typedef enum AbutEqualityKind {
    ABUT_EQUALITY_JOINT = 0, /* q_a - ref_a = polynomial of q_b - ref_b; b = -1: q_a - ref_a = polynomial[0] */
    ABUT_EQUALITY_CONNECT,   /* the points pose_a.p of body a and pose_b.p of body b are one */
    ABUT_EQUALITY_WELD,      /* the frames pose_a of body a and pose_b of body b are one */
    ABUT_EQUALITY_KIND_COUNT
} AbutEqualityKind;

ABUT_API extern const char *const abut_equality_kind_names[]; /* "joint", "connect", "weld" */

typedef struct AbutEqualityDef {
    AbutEqualityKind kind;
    const char *name;
    int32_t a, b;         /* joints or bodies; body -1: the world */
    double polynomial[5]; /* of joints, lowest power first */
    AbutPose pose_a, pose_b;
    int32_t inactive; /* 1: described, not in force */
    AbutSource source;
} AbutEqualityDef;

ABUT_API AbutEqualityDef abut_equality_default(void); /* two joints that move as one */

/* ---- sensors ----------------------------------------------------------------------------------------------------- */

/*
 * Reads one quantity of a robot, as MJCF's sensor of that tag. The kind says which members count: `number` of a joint,
 * tendon or actuator, and of a subtree its body (-1: the world); body and pose of a frame, which may be seen from a
 * reference frame. All sensors of a model write their values one after the other, each from its place. Zeroed
 * quaternions turn nowhere.
 */
typedef struct AbutSensorDef {
    const char *kind; /* one of abut_sensor_kind_names */
    const char *name;
    int32_t number;
    int32_t body; /* -1: the world */
    AbutPose pose;
    int32_t has_reference; /* 1: positions, axes and velocities of frames and bodies are seen from the next two */
    int32_t reference_body;
    AbutPose reference_pose;
    AbutShapeKind zone; /* of touch: contacts in this volume around the frame count */
    AbutVec3 zone_size;
    /* Contact sensors: two sides (ABUT_SENSED_...), normals go from the first to the second; bits of what each row has
     * (ABUT_SENSED_FOUND, ...); which contacts come first; how many rows there are, 0: 1. */
    int32_t first_kind, first, second_kind, second, data, reduce, rows;
    double cutoff;             /* above 0: values stay within it; not of axes and quaternions */
    int32_t row, place, width; /* set by the model: of its kind; first place among the values; how many */
    AbutSource source;
} AbutSensorDef;

/* A side of a sensor of contacts: anything, a shape, a body, a body and all below it; -1: the world. */
enum { ABUT_SENSED_ANY = 0, ABUT_SENSED_SHAPE, ABUT_SENSED_BODY, ABUT_SENSED_SUBTREE, ABUT_SENSED_SIDE_COUNT };

/* Fields of a row, in this order: number of contacts (1); force (3) and torque (3) in the frame of the contact,
 * along its normal first; gap (1), below 0 where the bodies overlap; place (3), normal (3), first tangent (3). */
enum {
    ABUT_SENSED_FOUND = 1,
    ABUT_SENSED_FORCE = 2,
    ABUT_SENSED_TORQUE = 4,
    ABUT_SENSED_GAP = 8,
    ABUT_SENSED_PLACE = 16,
    ABUT_SENSED_NORMAL = 32,
    ABUT_SENSED_TANGENT = 64,
    ABUT_SENSED_ALL = 127
};

/* Contacts as they come; the deepest first; the strongest first; one row for the sum of their forces, world axes. */
enum { ABUT_SENSED_NONE = 0, ABUT_SENSED_DEEPEST, ABUT_SENSED_STRONGEST, ABUT_SENSED_SUM, ABUT_SENSED_REDUCE_COUNT };

ABUT_API extern const char *const abut_sensed_side_names[];   /* "any", "shape", "body", "subtree" */
ABUT_API extern const char *const abut_sensed_reduce_names[]; /* MJCF's: "none", "mindist", "maxforce", "netforce" */

/* "jointpos", "gyro", ...: MJCF's tags; ends with NULL. */
ABUT_API extern const char *const abut_sensor_kind_names[];

/* ---- keyframes --------------------------------------------------------------------------------------------------- */

/* A stored state; arrays of length 0 are not stated. */
typedef struct AbutKeyframeDef {
    const char *name;
    double time;
    int32_t position_count, velocity_count, control_count, activation_count;
    const double *positions, *velocities, *controls; /* in the order of abut/robot.h; one control per actuator */
    const double *activations;                       /* one per actuator that has dynamics */
    AbutSource source;
} AbutKeyframeDef;

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

/* Gravity, timestep, time and the magnetic field may be written; the rest is changed by the functions. Texts are never
   NULL, but for the file of a source that is nowhere. */
typedef struct AbutModel {
    const char *name;
    AbutVec3 gravity; /* (0, 0, -ABUT_GRAVITY) at first */
    double timestep;  /* 0: not stated */
    double time;      /* a sensible length of simulation; 0: not stated */
    int32_t body_count, shape_count, joint_count, pair_count, element_count;
    int32_t frame_count, tendon_count, actuator_count, equality_count, keyframe_count, sensor_count;
    int32_t sensor_values; /* of all sensors together */
    AbutVec3 magnetic;     /* field that magnetometers read: (0, -0.5, 0) at first */
    const AbutBodyDef *bodies;
    const AbutShapeDef *shapes; /* geometry is never NULL, and form says what it is */
    const AbutJointDef *joints;
    const AbutPairDef *pairs;
    const AbutElement *elements;
    const AbutFrameDef *frames;
    const AbutTendonDef *tendons;
    const AbutActuatorDef *actuators;
    const AbutEqualityDef *equalities;
    const AbutKeyframeDef *keyframes;
    const AbutSensorDef *sensors;
} AbutModel;

ABUT_API AbutStatus abut_model_create(AbutModel **out, AbutError *error);
ABUT_API void abut_model_free(AbutModel *model); /* accepts NULL */
ABUT_API AbutStatus abut_model_copy(const AbutModel *model, AbutModel **out, AbutError *error);
ABUT_API AbutStatus abut_model_set_name(AbutModel *model, const char *name, AbutError *error);

/* Each copies names, retains geometry, checks what it is given, and gives the number of the new thing (`out` may be
   NULL). A call that fails leaves the model as it was. */
ABUT_API AbutStatus abut_model_add_body(AbutModel *model, const AbutBodyDef *def, int32_t *out, AbutError *error);
ABUT_API AbutStatus abut_model_add_shape(AbutModel *model, const AbutShapeDef *def, int32_t *out, AbutError *error);
ABUT_API AbutStatus abut_model_add_joint(AbutModel *model, const AbutJointDef *def, int32_t *out, AbutError *error);
ABUT_API AbutStatus abut_model_add_pair(AbutModel *model, const AbutPairDef *def, int32_t *out, AbutError *error);
ABUT_API AbutStatus abut_model_add_element(AbutModel *model, const AbutElement *def, int32_t *out, AbutError *error);

ABUT_API AbutStatus abut_model_add_frame(AbutModel *model, const AbutFrameDef *def, int32_t *out, AbutError *error);
ABUT_API AbutStatus abut_model_add_tendon(AbutModel *model, const AbutTendonDef *def, int32_t *out, AbutError *error);
ABUT_API AbutStatus abut_model_add_actuator(
    AbutModel *model, const AbutActuatorDef *def, int32_t *out, AbutError *error);
ABUT_API AbutStatus abut_model_add_equality(
    AbutModel *model, const AbutEqualityDef *def, int32_t *out, AbutError *error);
/* Numbers of bodies, joints, tendons and actuators must be there. */
ABUT_API AbutStatus abut_model_add_sensor(AbutModel *model, const AbutSensorDef *def, int32_t *out, AbutError *error);
/* After all bodies, joints and actuators: the lengths of its arrays are checked against them. */
ABUT_API AbutStatus abut_model_add_keyframe(
    AbutModel *model, const AbutKeyframeDef *def, int32_t *out, AbutError *error);

enum { ABUT_MODEL_BODY = 0, ABUT_MODEL_JOINT, ABUT_MODEL_FRAME, ABUT_MODEL_KEYFRAME, ABUT_MODEL_KINDS };

/* The first body, joint, frame or keyframe (`what`) so named; -1: none. */
ABUT_API int32_t abut_model_find(const AbutModel *model, int what, const char *name);

/* Lists of numbers of a robot: its state, the forces of its actuators, the values of its sensors. */
enum {
    ABUT_NUMBERS_POSITIONS = 0,
    ABUT_NUMBERS_VELOCITIES,
    ABUT_NUMBERS_FORCES,
    ABUT_NUMBERS_SENSORS,
    ABUT_NUMBERS_ACTIVATIONS, /* states of actuators that have dynamics */
    ABUT_NUMBERS_LISTS
};

/*
 * Numbers that a configuration of the model has: for each body in order 7 positions (x, y, z, quaternion) and 6
 * velocities when it is dynamic, and for each of its joints in order 4 and 3 for a ball, 1 and 1 for the others.
 */
ABUT_API int32_t abut_model_number_count(const AbutModel *model, int which);

/* The name of one of them, as tables and logs have it, cut to the room: NAME of a hinge or slide, NAME.v of its
 * velocity, NAME.x .. NAME.qz and NAME.vx .. NAME.wz of a free body or a ball, NAME.force and NAME.act of an actuator,
 * NAME, NAME.x .. or NAME.qw .. of a sensor. 0: there is no such number, and the name is empty. */
ABUT_API int abut_model_number_name(const AbutModel *model, int which, int32_t place, size_t room, char *out);

/* Shapes or joints of one body in the order of their numbers: the one after `after`, the first for -1; -1 at the end.
 */
ABUT_API int32_t abut_model_next_shape(const AbutModel *model, int32_t body, int32_t after);
ABUT_API int32_t abut_model_next_joint(const AbutModel *model, int32_t body, int32_t after);

/* A capsule around the shapes of a body that touch, in its frame; around those that are only drawn where there are no
 * others. 0: there is none. */
ABUT_API int abut_model_body_capsule(const AbutModel *model, int32_t body, AbutCapsule *out);

/* Adds a capsule that is only drawn. */
ABUT_API AbutStatus abut_model_draw_capsule(
    AbutModel *model, int32_t body, AbutCapsule capsule, uint32_t color, AbutError *error);

/* Is the body dynamic, a link with a joint, or welded to such a one? */
ABUT_API int abut_model_is_movable(const AbutModel *model, int32_t body);

/* ---- built-in scenes --------------------------------------------------------------------------------------------- */

typedef struct AbutBuiltinScene {
    const char *name, *argument, *summary; /* "stack", "N=10", one line */
} AbutBuiltinScene;

/* All scenes, or all robots, which are built as scenes are. */
ABUT_API const AbutBuiltinScene *abut_builtin_scenes(int robots, int *count);
ABUT_API extern const AbutRecord abut_builtin_scene_record;

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
