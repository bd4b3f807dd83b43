/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan: motions of a robot that keep clear of the robot itself and of what stands around it, with proof.
 *
 * A problem is a robot in a posture, obstacles, and the pairs of links that must not meet. A trajectory gives every
 * joint of the model a value over time, as polynomials. A certificate says of a trajectory that at no time, between
 * samples neither, any pair comes nearer than a level; or it names a pair, a time and the distance there.
 *
 * Links are numbered: the bodies of the robot's model, then those of the obstacles. Lengths in metres, angles in
 * radians, times in seconds.
 */
#ifndef ABUT_PLAN_H
#define ABUT_PLAN_H

#include "abut/robot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the problem: what moves, and what must not meet ------------------------------------------------------------- */

typedef struct AbutPlanProblem AbutPlanProblem;

/* Two links. */
typedef struct AbutPlanLinks {
    int32_t a, b;
} AbutPlanLinks;

typedef struct AbutPlanDef {
    double margin;          /* distance that a plan keeps, m */
    int32_t neighbours;     /* links with at most so many moving joints between them may touch: no pair */
    int32_t near_joints;    /* links with at most so many that are nearer than the margin + 1 mm at the reference of the
                               model are left out as well; a note names each */
    const uint8_t *held;    /* per joint of the model, 1: stays as it is in the posture; NULL: hinges and slides move */
    int32_t support;        /* body that stands still, as a foot does; -1: the robot stands as its model says. The
                               robot hangs on this body then, and its free base moves along */
    int32_t left_out_count; /* pairs that may meet */
    const AbutPlanLinks *left_out;
    int32_t only_count; /* above 0: these pairs, and no others */
    const AbutPlanLinks *only;
    int32_t coordinate_count;    /* 0: one for each joint that moves and does not follow another one. Else joints are
                                    q = coupling u + offset */
    const double *coupling;      /* [joints of the model][coordinate_count] */
    const double *offset;        /* [joints of the model] */
    const double *lower, *upper; /* [coordinate_count], limits of u; NULL: those of the joints, where a coordinate
                                    moves one alone with a factor of 1, else +-pi */
} AbutPlanDef;

ABUT_API AbutPlanDef abut_plan_def_default(void);

/*
 * The robot in the posture of a configuration; free bodies and balls stay in it. The models must outlive the problem;
 * `obstacles` may be NULL, stands where it says, and has no joints that move. Shapes count as the exact bodies they
 * describe, and those that are only drawn do not count. Filters and excluded pairs of the model hold. `def` may be
 * NULL.
 */
ABUT_API AbutStatus abut_plan_problem_create(const AbutConfiguration *posture, const AbutModel *obstacles,
    const AbutPlanDef *def, AbutPlanProblem **out, AbutError *error);
ABUT_API void abut_plan_problem_free(AbutPlanProblem *problem);

/* Joints that move: their number, and the number of each among the joints of the model. */
ABUT_API int32_t abut_plan_joint_count(const AbutPlanProblem *problem);
ABUT_API int32_t abut_plan_joint(const AbutPlanProblem *problem, int32_t i);

/* Pairs of links that must not meet, and the name of a link. */
ABUT_API int32_t abut_plan_pair_count(const AbutPlanProblem *problem);
ABUT_API AbutPlanLinks abut_plan_pair(const AbutPlanProblem *problem, int32_t i);
ABUT_API const char *abut_plan_link_name(const AbutPlanProblem *problem, int32_t link);
ABUT_API int32_t abut_plan_link_find(const AbutPlanProblem *problem, const char *name); /* -1: none */

/* What was left out and why, a line each. */
ABUT_API int32_t abut_plan_note_count(const AbutPlanProblem *problem);
ABUT_API const char *abut_plan_note(const AbutPlanProblem *problem, int32_t i);

/* Planned coordinates u: their number, limits (lower, upper) and names. */
ABUT_API int32_t abut_plan_coordinate_count(const AbutPlanProblem *problem);
ABUT_API void abut_plan_coordinate_limits(const AbutPlanProblem *problem, int32_t i, double limits[2]);
ABUT_API const char *abut_plan_coordinate_name(const AbutPlanProblem *problem, int32_t i);

/* Joints of the model, joint_count numbers, from coordinates; and the coordinates nearest to joints. */
ABUT_API void abut_plan_joints_of(const AbutPlanProblem *problem, const double *u, double *joints);
ABUT_API void abut_plan_coordinates_of(const AbutPlanProblem *problem, const double *joints, double *u);

/* The nearest pair. */
typedef struct AbutPlanNear {
    int32_t pair; /* -1: there is none */
    double distance;
    AbutVec3 point_a, point_b; /* world */
    AbutVec3 normal;           /* from a to b */
} AbutPlanNear;

/* At joints of the model, in their order; `distances`, unless NULL, receives that of every pair. Takes memory. */
ABUT_API AbutStatus abut_plan_nearest(
    const AbutPlanProblem *problem, const double *joints, AbutPlanNear *out, double *distances, AbutError *error);

/* Where a body of the robot is then. */
ABUT_API AbutStatus abut_plan_body_poses(
    const AbutPlanProblem *problem, const double *joints, AbutPose *poses, AbutError *error);

/* ---- trajectories ------------------------------------------------------------------------------------------------ */

/*
 * Values of the joints of a model over time. In piece k, from times[k] to times[k+1], joint j is c[0] + c[1] x + ... +
 * c[5] x^5, where x goes from 0 to 1 and c = coefficients + 6 (k joint_count + j). Free it with abut_trajectory_free.
 */
typedef struct AbutTrajectory {
    int32_t joint_count, piece_count;
    double *times;
    double *coefficients;
} AbutTrajectory;

typedef enum AbutInterpolation {
    ABUT_INTERPOLATE_LINEAR = 0, /* straight from sample to sample */
    ABUT_INTERPOLATE_CUBIC,      /* with the given speeds; without them the smooth spline that is at rest at its ends */
    ABUT_INTERPOLATE_QUINTIC,    /* with the given speeds and accelerations */
    ABUT_INTERPOLATION_COUNT
} AbutInterpolation;

/* "linear", "cubic", "quintic"; and back, -1: none. */
ABUT_API const char *abut_interpolation_name(AbutInterpolation interpolation);
ABUT_API int abut_interpolation_find(const char *name);

/* Samples of joints over time: arrays [count][joint_count]; speeds and accelerations may be NULL. */
typedef struct AbutJointSamples {
    int32_t joint_count, count;
    const double *times;
    const double *values, *speeds, *accelerations;
} AbutJointSamples;

/* Through samples whose times grow, at least two. */
ABUT_API AbutStatus abut_trajectory_interpolate(
    AbutInterpolation interpolation, const AbutJointSamples *samples, AbutTrajectory *out, AbutError *error);
ABUT_API void abut_trajectory_free(AbutTrajectory *trajectory); /* leaves an empty one */

/* Are all numbers finite, and do the times grow? */
ABUT_API AbutStatus abut_trajectory_check(const AbutTrajectory *trajectory, AbutError *error);

/* Values, or derivatives by time of this order (0 .. 5), of all joints at time t; at rest before and after. */
ABUT_API void abut_trajectory_value(const AbutTrajectory *trajectory, double t, int order, double *out);

/* ---- certificate ------------------------------------------------------------------------------------------------- */

typedef enum AbutCertificateStatus {
    ABUT_CERTIFICATE_CLEAR = 0, /* proved: no pair comes as near as the level at any time */
    ABUT_CERTIFICATE_CONTACT,   /* a pair is not farther than the level at a time */
    ABUT_CERTIFICATE_UNDECIDED, /* neither: the depth of bisection, or the budget, was used up */
    ABUT_CERTIFICATE_STATUS_COUNT
} AbutCertificateStatus;

/* "clear", "contact", "undecided". */
ABUT_API const char *abut_certificate_status_name(AbutCertificateStatus status);

/* Of one pair. */
typedef struct AbutPairCertificate {
    AbutCertificateStatus status;
    double lb; /* no nearer at any time; -INFINITY unless clear. Proofs end above the level: the truth may be larger */
    double ub, t;        /* the least distance that was evaluated, and when */
    double first;        /* in contact: the first time at which it was seen, which need not be when it begins */
    double undecided_at; /* undecided: a time that is; else NaN */
} AbutPairCertificate;

typedef struct AbutCertificate {
    AbutCertificateStatus status;
    int32_t pair;      /* the one in contact that is nearest, or undecided, or of the least lb; -1: no pairs */
    double lb, ub, t;  /* of that pair */
    int64_t poses;     /* postures looked at */
    int64_t distances; /* evaluated */
    int64_t bounds;    /* of pairs over an interval */
    double shortest;   /* interval, as part of its piece */
} AbutCertificate;

typedef struct AbutCertifyDef {
    double level;   /* m */
    int64_t budget; /* bounds; 0: 5 million */
} AbutCertifyDef;

/*
 * Proves or refutes that every pair of the problem stays farther apart than the level for all times of the trajectory,
 * whose joints are those of the model. Joints that the problem holds must not move in it. `pairs`, unless NULL, has an
 * entry for every pair. The answer does not depend on how fast the trajectory is run through.
 */
ABUT_API AbutStatus abut_plan_certify(const AbutPlanProblem *problem, const AbutTrajectory *trajectory,
    const AbutCertifyDef *def, AbutCertificate *out, AbutPairCertificate *pairs, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
