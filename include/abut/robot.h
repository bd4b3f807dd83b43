/* SPDX-License-Identifier: Apache-2.0 */
/*
 * robot: configurations of a model. Where the bodies of a kinematic tree are, how they move, which forces that
 * requires, and which joint coordinates bring a frame to a target. No simulation and no contacts.
 *
 * A configuration has positions q and velocities v in MJCF's order: body by body, a dynamic body first with 7 and 6
 * numbers (x, y, z, quaternion w, x, y, z; velocity of the origin of its frame along world axes, angular velocity about
 * body axes), then its joints in order (hinge and slide 1 and 1, ball a quaternion and an angular velocity about the
 * axes of the child). Angles count from the `reference` of a joint. Vectors and matrices of the tangent space have
 * velocity_count entries; matrices are row-major. Links without joints move with their parent.
 *
 * Spatial quantities of this header are linear before angular, along world axes. Setting a configuration computes all
 * poses and velocities; after that nothing here allocates. A configuration belongs to one thread at a time.
 */
#ifndef ABUT_ROBOT_H
#define ABUT_ROBOT_H

#include "abut/model.h"
#include "abut/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- trees of joints --------------------------------------------------------------------------------------------- */

/*
 * A model compiled once: joints in order, with axes, parents, masses and couplings. A tree never changes, so any number
 * of configurations, motions and plans share it, from any thread. Each of them keeps its own reference.
 */
typedef struct AbutTree AbutTree;

/* The model must outlive the tree and stay unchanged. Release the tree when the caller no longer needs it. */
ABUT_API AbutStatus abut_tree_create(const AbutModel *model, const AbutTree **out, AbutError *error);
ABUT_API const AbutTree *abut_tree_retain(const AbutTree *tree); /* adds a reference; returns the tree */
ABUT_API void abut_tree_release(const AbutTree *tree);           /* drops a reference; accepts NULL */

/* How equalities of the model make a joint follow another one, directly or through others:
 * q = factor q_leader + offset. */
typedef struct AbutCoupling {
    int32_t follows; /* 1: on a straight line; 0: not at all; -1: on a curve, in a cycle, or two joints at once */
    int32_t leader;  /* joint of the model; -1: none, the joint stays at the offset */
    double factor, offset;
    const AbutEqualityDef *equality; /* the last one of the chain; NULL: the joint does not follow */
} AbutCoupling;

ABUT_API AbutCoupling abut_tree_coupling(const AbutTree *tree, int32_t joint);

/* ---- configurations ---------------------------------------------------------------------------------------------- */

typedef struct AbutConfiguration AbutConfiguration;

/*
 * Starts at the reference: joints at their references, dynamic bodies at their poses, no velocity. Refuses moving
 * links without mass, and degrees of freedom without inertia (the text names the body and its line in the file).
 */
ABUT_API AbutStatus abut_configuration_create(const AbutTree *tree, AbutConfiguration **out, AbutError *error);
ABUT_API void abut_configuration_free(AbutConfiguration *configuration); /* accepts NULL */

/* Its tree, the model of the tree, and the numbers of positions and velocities. */
ABUT_API const AbutTree *abut_configuration_tree(const AbutConfiguration *configuration);
ABUT_API const AbutModel *abut_configuration_model(const AbutConfiguration *configuration);
ABUT_API int32_t abut_configuration_position_count(const AbutConfiguration *configuration);
ABUT_API int32_t abut_configuration_velocity_count(const AbutConfiguration *configuration);

/* ---- state ------------------------------------------------------------------------------------------------------- */

/*
 * Sets all positions, and all velocities (count 0: none, they are zero). Wrong counts, non-finite numbers and
 * quaternions of length 0 are refused, and nothing changes; quaternions are normalized.
 */
ABUT_API AbutStatus abut_configuration_set(AbutConfiguration *configuration, int32_t position_count,
    const double *positions, int32_t velocity_count, const double *velocities, AbutError *error);
ABUT_API void abut_configuration_reset(AbutConfiguration *configuration); /* to the reference, at rest */
/* Sets the state of a keyframe of the model; values that it does not state are those of the reference. An unknown
 * keyframe is refused. */
ABUT_API AbutStatus abut_configuration_set_keyframe(
    AbutConfiguration *configuration, int32_t keyframe, AbutError *error);

/* All positions and all velocities; they belong to the configuration. */
ABUT_API const double *abut_configuration_positions(const AbutConfiguration *configuration);
ABUT_API const double *abut_configuration_velocities(const AbutConfiguration *configuration);

/* First index of a joint, or of a dynamic body, among the positions or the velocities (ABUT_NUMBERS_POSITIONS, ...);
 * -1: the body has none. */
ABUT_API int32_t abut_configuration_joint_place(const AbutConfiguration *configuration, int32_t joint, int which);
ABUT_API int32_t abut_configuration_body_place(const AbutConfiguration *configuration, int32_t body, int which);

/* out = q moved by the velocity v for the time h (out may be q); and the v that moves a to b in unit time. */
ABUT_API void abut_configuration_integrate(
    const AbutConfiguration *configuration, const double *q, const double *v, double h, double *out);
ABUT_API void abut_configuration_difference(
    const AbutConfiguration *configuration, const double *a, const double *b, double *out);

/* ---- kinematics -------------------------------------------------------------------------------------------------- */

/* World coordinates. */
ABUT_API AbutPose abut_configuration_body_pose(const AbutConfiguration *configuration, int32_t body);
ABUT_API AbutPose abut_configuration_frame_pose(const AbutConfiguration *configuration, int32_t frame);

/* out[6][velocity_count]: rows of the velocity of the body's point that is now at `point`, then of the angular
 * velocity, as functions of v. */
ABUT_API void abut_configuration_jacobian(
    const AbutConfiguration *configuration, int32_t body, AbutVec3 point, double *out);
/* As above, for the origin of a frame. */
ABUT_API void abut_configuration_frame_jacobian(const AbutConfiguration *configuration, int32_t frame, double *out);

/* ---- mass -------------------------------------------------------------------------------------------------------- */

/* Mass and center of mass of all moving bodies. */
ABUT_API double abut_configuration_mass(const AbutConfiguration *configuration);
ABUT_API AbutVec3 abut_configuration_center(const AbutConfiguration *configuration);
ABUT_API AbutVec3 abut_configuration_center_velocity(const AbutConfiguration *configuration);
ABUT_API void abut_configuration_center_jacobian(AbutConfiguration *configuration, double *out); /* [3][velocities] */

/* Momentum and angular momentum about the center of mass; the matrix [6][velocity_count] computes them from v. */
ABUT_API AbutTwist abut_configuration_momentum(const AbutConfiguration *configuration);
ABUT_API void abut_configuration_momentum_matrix(AbutConfiguration *configuration, double *out);

/* Armature counts as kinetic energy. The potential is that of gravity (0 at the origin), without springs. */
ABUT_API double abut_configuration_kinetic_energy(const AbutConfiguration *configuration);
ABUT_API double abut_configuration_potential_energy(const AbutConfiguration *configuration);

/* ---- dynamics ---------------------------------------------------------------------------------------------------- */

/* M a + bias = torques. The mass matrix M [n][n] includes armatures; the bias is gravity and velocity products. */
ABUT_API void abut_configuration_mass_matrix(AbutConfiguration *configuration, double *out);
ABUT_API void abut_configuration_bias(AbutConfiguration *configuration, double *out);

/* Torques of springs, damping and gravity compensation, without friction loss. */
ABUT_API void abut_configuration_passive(const AbutConfiguration *configuration, double *out);

/* The torques for accelerations a. */
ABUT_API void abut_configuration_inverse_dynamics(
    AbutConfiguration *configuration, const double *accelerations, double *torques);

enum {
    ABUT_FORWARD_AUTOMATIC = 0, /* factor; articulated if a chain is deeper than 48 */
    ABUT_FORWARD_FACTOR,        /* sparse factor M = L^T L */
    ABUT_FORWARD_ARTICULATED    /* articulated inertias: linear in the number of links */
};

/* The accelerations under torques; outputs may not overlap inputs. Not finite if M is singular, as for two aligned
   joints of one body without armature. */
ABUT_API void abut_configuration_forward_dynamics(
    AbutConfiguration *configuration, int method, const double *torques, double *accelerations);
ABUT_API void abut_configuration_solve(AbutConfiguration *configuration, double *x); /* x <- M^-1 x */

/*
 * Derivatives [n][n] by row: entry [i][j] is that of output i by coordinate j. Positions change in the tangent space,
 * as in abut_configuration_integrate. The forward form also returns the accelerations.
 */
ABUT_API void abut_configuration_inverse_derivatives(
    AbutConfiguration *configuration, const double *accelerations, double *by_position, double *by_velocity);
ABUT_API void abut_configuration_forward_derivatives(AbutConfiguration *configuration, const double *torques,
    double *accelerations, double *by_position, double *by_velocity);

/* ---- sensors ----------------------------------------------------------------------------------------------------- */

/*
 * All values of the model's sensors (sensor_values), as if the bodies had these accelerations (NULL: none are known).
 * NaN for what only a simulation knows: forces of actuators, limits and contacts, distances of a scene, and without
 * accelerations what depends on them.
 */
ABUT_API AbutStatus abut_configuration_sensors(
    AbutConfiguration *configuration, const double *accelerations, double *out, AbutError *error);

/* ---- inverse kinematics ------------------------------------------------------------------------------------------ */

enum {
    ABUT_IK_POSITION = 0, /* origin of the frame at target.p */
    ABUT_IK_POSE,         /* and its axes along those of the target */
    ABUT_IK_ROTATION,     /* only the axes */
    ABUT_IK_UPRIGHT,      /* `axis` of the frame along the world direction `direction` */
    ABUT_IK_LOOK_AT,      /* `axis` of the frame, from its origin, towards the point target.p */
    ABUT_IK_CENTER,       /* the center of mass at target.p; body and pose are ignored */
    ABUT_IK_KIND_COUNT
};

/* The frame is given by its body and its pose in that body (a frame of the model has both). */
typedef struct AbutIkTask {
    int32_t kind;             /* ABUT_IK_POSITION, ... */
    int32_t body;             /* -1: the world */
    AbutPose pose;            /* of the frame in the body */
    AbutPose target;          /* world */
    AbutVec3 axis, direction; /* unit vectors, of upright and look-at */
    double weight;            /* above 0, usually 1 */
} AbutIkTask;

ABUT_API AbutIkTask abut_ik_task_default(void); /* a pose of weight 1 */

enum { ABUT_IK_TASKS = 8 };

typedef struct AbutIkSettings {
    double tolerance_position; /* meters */
    double tolerance_rotation; /* radians */
    double length;             /* meters equivalent to one radian; 0: 0.3 of the reach of the robot */
    int iterations;            /* per start */
    int restarts;              /* random starts within the limits after the first one fails */
    uint64_t seed;
    const uint8_t *locked; /* per velocity, 1: does not move; NULL: all move */
} AbutIkSettings;

ABUT_API AbutIkSettings abut_ik_default(void);

/* The largest errors over all tasks; those of the best start if not reached. */
typedef struct AbutIkResult {
    int32_t reached; /* 1: both errors within their tolerances */
    int32_t iterations, restarts;
    double error_position, error_rotation;
} AbutIkResult;

ABUT_API extern const AbutRecord abut_ik_result_record;

/*
 * Damped least squares from the present positions; joint limits hold throughout, and a start beyond them is moved
 * inside first. Leaves the configuration at the best state found, with zero velocities. Equalities between joints are
 * not kept. Fails on bad tasks or settings; an unreached target is not a failure.
 */
ABUT_API AbutStatus abut_configuration_ik(AbutConfiguration *configuration, int32_t task_count, const AbutIkTask *tasks,
    const AbutIkSettings *settings, AbutIkResult *out, AbutError *error);

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* A model that moves: its bodies as links of a chain of joints, for abut_clearance and abut_time_of_impact. */
typedef struct AbutRobotMotion AbutRobotMotion;

/*
 * Through `count` rows of positions at increasing times. Hinges, slides and positions of dynamic bodies move straight
 * from one row to the next; balls and dynamic bodies turn at constant spins, the shorter way round. At rest before the
 * first row and after the last. Refuses what abut_configuration_set refuses.
 */
ABUT_API AbutStatus abut_robot_motion_create(const AbutTree *tree, int32_t count, const double *times,
    const double *positions, AbutRobotMotion **out, AbutError *error);

/* One curve for each position, such as a spline; a curve without pieces keeps the reference. Quaternions cannot follow
 * curves: theirs have no pieces. */
ABUT_API AbutStatus abut_robot_motion_create_curves(
    const AbutTree *tree, int32_t count, const AbutCurve *curves, AbutRobotMotion **out, AbutError *error);
ABUT_API void abut_robot_motion_free(AbutRobotMotion *motion); /* accepts NULL */

/* The motion of a body of the model; points into the object. Bodies of one model share its chain and its data. */
ABUT_API AbutMotion abut_robot_motion_body(const AbutRobotMotion *motion, int32_t body);

/* Number of a joint of the model in that chain, for abut_chain_gradient. */
ABUT_API int32_t abut_robot_motion_joint(const AbutRobotMotion *motion, int32_t joint);

#ifdef __cplusplus
}
#endif

#endif
