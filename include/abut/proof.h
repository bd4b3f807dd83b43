/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proof: robots among obstacles, and whether a motion avoids the robot itself and all obstacles.
 *
 * A problem is a robot in a posture, obstacles, and the pairs of links that must not meet. A trajectory gives every
 * joint of the model a value over time, as polynomials. A certificate says of a trajectory that at no time, not even
 * between samples, does any pair come nearer than a level; or it names a pair, a time and the distance there.
 *
 * Links are numbered: the bodies of the robot's model, then those of the obstacles. Lengths in meters, angles in
 * radians, times in seconds.
 */
#ifndef ABUT_PROOF_H
#define ABUT_PROOF_H

#include "abut/clearance.h"
#include "abut/robot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- obstacles of triangles --------------------------------------------------------------------------------------- */

/*
 * An obstacle as triangles, closed or open; the inside of a closed mesh belongs to it. Proofs take the triangles as
 * they are. The search needs directions out of it, and takes shapes in its place: convex pieces of the mesh, say.
 */
typedef struct AbutPlanMesh {
    int32_t body;                  /* of the obstacles */
    AbutPose pose;                 /* in that body */
    const AbutMeshTree *tree;      /* must outlive the problem; NULL with a cloud */
    const struct AbutCloud *cloud; /* in place of the tree: of abut_plan_obstacles_add_points; else NULL */
    int32_t shape, shape_count; /* shapes of the obstacles, from this one on, that the search takes, and that proofs do
                                   not look at; none: the search does not see the mesh, and its plans may fail */
} AbutPlanMesh;

/* A model that stands, and meshes and clouds in it: what problems take as `obstacles` and AbutPlanDef.meshes. Good when
 * zeroed. */
typedef struct AbutPlanObstacles {
    AbutModel *model;
    int32_t mesh_count;
    AbutPlanMesh *meshes; /* with trees and clouds of their own */
    size_t mesh_capacity;
    int32_t open;      /* of abut_plan_obstacles_from_mesh: 1: the mesh has no inside, its triangles alone count */
    double thick;      /* of an open mesh: how thick its worst sheet is where sheets are not flat, m; else 0 */
    AbutPieces pieces; /* of a closed mesh that is not convex: what the search takes; else none */
} AbutPlanObstacles;

/*
 * A mesh as the only obstacle, a body of this name: its hull where it is convex, else its triangles. With `search` it
 * has stand-ins: convex pieces of a closed mesh, thin sheets over the triangles of an open one. Free with
 * abut_plan_obstacles_free.
 */
ABUT_API AbutStatus abut_plan_obstacles_from_mesh(
    const AbutMesh *mesh, const char *name, int search, AbutPlanObstacles *out, AbutError *error);

/* Adds the triangles of a mesh; `place` says where, and which shapes stand for it in the search (its tree is made). */
ABUT_API AbutStatus abut_plan_obstacles_add(
    AbutPlanObstacles *obstacles, const AbutMesh *mesh, const AbutPlanMesh *place, AbutError *error);

/*
 * Adds the surfaces of a model, the same one as that of the obstacles or the same file read with surfaces. Shapes of
 * the obstacles that come from the same element of the file stand for them in the search.
 */
ABUT_API AbutStatus abut_plan_obstacles_add_surfaces(
    AbutPlanObstacles *obstacles, const AbutModel *surfaces, AbutError *error);

/*
 * Adds points of the world as an obstacle of its own, a body of this name; `obstacles` may be zeros. Every point is a
 * ball of this radius; with `half` above 0 a cube along the axes with edges of 2 `half`, rounded by the radius, as the
 * voxels of occupancy maps. Proofs hold for these bodies as they are. The search by proved edges sees them, the smooth
 * attempts do not, and lose against it where they meet them.
 */
ABUT_API AbutStatus abut_plan_obstacles_add_points(AbutPlanObstacles *obstacles, const char *name, int64_t count,
    const AbutVec3 *points, double radius, double half, AbutError *error);
ABUT_API void abut_plan_obstacles_free(AbutPlanObstacles *obstacles); /* leaves none */

/* ---- the problem: what moves, and what must not meet ------------------------------------------------------------- */

typedef struct AbutPlanProblem AbutPlanProblem;

/* Two links that may meet during a part of the motion, as at a grasp; nothing is proved of them then. */
typedef struct AbutPlanWindow {
    AbutPair links;
    double from, to; /* parts of the whole time, 0 .. 1 */
} AbutPlanWindow;

/* Limits of a joint, beside those of the model; NaN: none of this kind. */
typedef struct AbutPlanJointLimits {
    double lower, upper; /* rad or m; the narrower of these and the model's hold */
    double speed;        /* per second; NaN: as the settings say */
    double acceleration; /* per second squared; NaN: as the settings say */
    double torque;       /* N m or N, both ways; NaN: as the model says: its force range, or that of its actuators */
} AbutPlanJointLimits;

enum { ABUT_PLAN_FEET = 4, ABUT_PLAN_CORNERS = 32 };

typedef struct AbutPlanDef {
    double margin;       /* distance that the search of a plan aims to keep, m; what is proved is the level */
    int32_t neighbors;   /* links of the robot with at most so many joints of the model between them, moving or not,
                             may touch: no pair. A free base counts as a joint, unless a support holds it */
    const uint8_t *held; /* per joint of the model, 1: stays as it is in the posture; NULL: hinges and slides move */
    int32_t support;     /* body that stands still, as a foot does; -1: the robot stands as its model says. The
                            robot hangs on this body then, and its free base moves along */
    int32_t other_foot;  /* -1, or another one that stands still too: the joints of both legs become the coordinates
                        sway, hip and knee, which move the base and no foot. For legs of hip yaw, roll and pitch,
                        knee, ankle pitch and roll with axes that meet; others are refused */
    int32_t balance; /* 1: the center of mass stays over the hull of where `support` and `other_foot` touch the ground
                        in the posture, or of `corners` */
    double balance_margin; /* distance from the edges of that hull that the search keeps, m; the level is proved */
    int32_t corner_count;  /* 0, or 3 .. ABUT_PLAN_CORNERS points whose hull it is instead; z is not looked at */
    const AbutVec3 *corners;
    const AbutPlanJointLimits *limits; /* per joint of the model; NULL: none beside the model's */
    int32_t capsules;                  /* 1: links of the robot count as a capsule around each of their shapes */
    const double *radii;    /* with capsules: their radius, per body of the model; NaN: as it fits; NULL: all */
    int32_t left_out_count; /* pairs that may meet */
    const AbutPair *left_out;
    int32_t only_count; /* above 0: these pairs, and no others; neighbors too */
    const AbutPair *only;
    int32_t added_count; /* additional pairs, even if they are neighbors, near or excluded by the model */
    const AbutPair *added;
    int32_t window_count; /* pairs that may meet at times, one for each pair; a note names each */
    const AbutPlanWindow *windows;
    int32_t coordinate_count;    /* 0: one for each joint that moves and does not follow another one. Else joints are
                                    q = coupling u + offset */
    const double *coupling;      /* [joints of the model][coordinate_count] */
    const double *offset;        /* [joints of the model] */
    const double *lower, *upper; /* [coordinate_count], limits of u; NULL: those of the joints, where a coordinate
                                    moves one alone with a factor of 1, else +-pi */
    int32_t mesh_count;          /* obstacles as triangles, beside the shapes of their model */
    const AbutPlanMesh *meshes;
} AbutPlanDef;

ABUT_API AbutPlanDef abut_plan_def_default(void);

/*
 * The robot's half of problems: its joints, exact bodies, covering balls, and the pairs of its links that must not
 * meet. Made once and shared by any number of problems and threads. `def` may be NULL; of its lists, pairs with
 * obstacles are left to the problems. A problem keeps its robot as long as it needs it.
 */
typedef struct AbutPlanRobot AbutPlanRobot;
ABUT_API AbutStatus abut_plan_robot_create(
    const AbutConfiguration *posture, const AbutPlanDef *def, AbutPlanRobot **out, AbutError *error);
ABUT_API void abut_plan_robot_free(const AbutPlanRobot *robot);

/*
 * A robot among obstacles: a fraction of a millisecond for tens of them. Of `def`, which may be NULL, the meshes, the
 * windows and the lists of pairs count here; pass the one that the robot was made with.
 */
ABUT_API AbutStatus abut_plan_robot_problem(const AbutPlanRobot *robot, const AbutModel *obstacles,
    const AbutPlanDef *def, AbutPlanProblem **out, AbutError *error);

/* Puts an obstacle elsewhere: `link` is its number among the links, `pose` where its body stands from now on. Nothing
 * is made anew, and pairs stay the same; not while another thread asks the problem. */
ABUT_API void abut_plan_move_obstacle(AbutPlanProblem *problem, int32_t link, AbutPose pose);

/*
 * A robot made for one problem alone, and that problem. The robot in the posture of a configuration; free bodies and
 * balls stay in it. The models must outlive the problem; `obstacles` may be NULL, stands where it says, and has no
 * joints that move. Shapes count as the exact bodies they describe, and those that are only drawn do not count. Filters
 * and excluded pairs of the model hold. `def` may be NULL.
 */
ABUT_API AbutStatus abut_plan_problem_create(const AbutConfiguration *posture, const AbutModel *obstacles,
    const AbutPlanDef *def, AbutPlanProblem **out, AbutError *error);
ABUT_API void abut_plan_problem_free(AbutPlanProblem *problem);

/* Values of all joints of the model in a posture; of balls 0. */
ABUT_API void abut_plan_joints_at(const AbutConfiguration *posture, double *joints);

/* Joints that move: their number, and the number of each among the joints of the model. */
ABUT_API int32_t abut_plan_joint_count(const AbutPlanProblem *problem);
ABUT_API int32_t abut_plan_joint(const AbutPlanProblem *problem, int32_t i);

/* Pairs of links that must not meet; how many links there are, and their names. */
ABUT_API int32_t abut_plan_pair_count(const AbutPlanProblem *problem);
ABUT_API AbutPair abut_plan_pair(const AbutPlanProblem *problem, int32_t i);
ABUT_API int32_t abut_plan_link_count(const AbutPlanProblem *problem);
/* An obstacle that has the name of a link of the robot is called obstacles/NAME; any obstacle is found by that too. */
#define ABUT_PLAN_OBSTACLE_PREFIX "obstacles/"
ABUT_API const char *abut_plan_link_name(const AbutPlanProblem *problem, int32_t link);

/* Triangles that proofs of the pair take as they are; 0: its bodies are convex shapes. */
ABUT_API int64_t abut_plan_pair_triangles(const AbutPlanProblem *problem, int32_t i);

/*
 * Pairs that are always near, of which nothing is proved: nearer than the margin + 1 mm at the reference of the model,
 * in the posture, at every keyframe and in 200 random postures within the limits of the joints, the same in every run.
 * Plans with such pairs are CERTIFIED_EXCEPT; `left_out` of the def accepts a pair, `added` makes it count. Obstacles
 * are not among them: one so near to a link that no joint moves is a neighbor of it, and a note names the two. Returns
 * their number; *pairs, unless NULL, is the list.
 */
ABUT_API int32_t abut_plan_exceptions(const AbutPlanProblem *problem, const AbutPair **pairs);

/* Pairs that were left out and why, a line each. */
ABUT_API int32_t abut_plan_note_count(const AbutPlanProblem *problem);
ABUT_API const char *abut_plan_note(const AbutPlanProblem *problem, int32_t i);

/* Planned coordinates u: their number, limits (lower, upper) and names. */
ABUT_API int32_t abut_plan_coordinate_count(const AbutPlanProblem *problem);
ABUT_API void abut_plan_coordinate_limits(const AbutPlanProblem *problem, int32_t i, double limits[2]);
ABUT_API const char *abut_plan_coordinate_name(const AbutPlanProblem *problem, int32_t i);

/* Limits of joint number i of those that move, after all that applies; INFINITY: none, NaN: as the settings say. */
ABUT_API AbutPlanJointLimits abut_plan_joint_limits(const AbutPlanProblem *problem, int32_t i);

/* Corners of the support polygon, counter-clockwise seen from above, at most ABUT_PLAN_CORNERS; 0: no balance. */
ABUT_API int32_t abut_plan_polygon(const AbutPlanProblem *problem, AbutVec3 *corners);

/* The center of mass at joints of the model, and how far it is inside the support polygon (INFINITY: there is none). */
typedef struct AbutPlanBalance {
    AbutVec3 center;
    double inside;
    int32_t edge; /* the nearest, from corner `edge` to the next; -1: none */
} AbutPlanBalance;

ABUT_API AbutStatus abut_plan_balance(
    const AbutPlanProblem *problem, const double *joints, AbutPlanBalance *out, AbutError *error);

/*
 * Feet of a robot with a free base: the two bodies that are lowest in the posture, to within 1 cm; the one on the left
 * of the base first. Gives their number, 0 .. 2; where it is not 2 the lowest alone, or none.
 */
ABUT_API int32_t abut_plan_find_feet(const AbutConfiguration *posture, int32_t feet[2]);

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

/* As above for links at these poses, whatever the joints: bodies of the robot, in the world. */
ABUT_API AbutStatus abut_plan_nearest_poses(
    const AbutPlanProblem *problem, const AbutPose *bodies, AbutPlanNear *out, double *distances, AbutError *error);

/* Where all links are then: bodies of the robot, then those of the obstacles. */
ABUT_API AbutStatus abut_plan_link_poses(
    const AbutPlanProblem *problem, const double *joints, AbutPose *poses, AbutError *error);

/* ---- limits of a trajectory -------------------------------------------------------------------------------------- */

/* A limit of a joint that a trajectory breaks. */
typedef enum AbutPlanLimit {
    ABUT_PLAN_LIMIT_POSITION = 0,
    ABUT_PLAN_LIMIT_SPEED,
    ABUT_PLAN_LIMIT_ACCELERATION,
    ABUT_PLAN_LIMIT_COUNT
} AbutPlanLimit;

/* "position", "speed", "acceleration". */
ABUT_API extern const char *const abut_plan_limit_names[];

typedef struct AbutPlanExcess {
    int32_t joint; /* of the model */
    AbutPlanLimit kind;
    double value, limit, t; /* the value farthest beyond the limit, and when; infinite where a speed jumps */
} AbutPlanExcess;

ABUT_API extern const AbutRecord abut_plan_excess_record;

/* Limits of the problem's joints that a trajectory breaks at any time, between samples too, by more than 1e-9: one for
 * each joint and kind. Writes at most `capacity`; *count is how many there are. */
ABUT_API AbutStatus abut_plan_check_limits(const AbutPlanProblem *problem, const AbutTrajectory *trajectory,
    int32_t capacity, AbutPlanExcess *out, int32_t *count, AbutError *error);

/* ---- certificate ------------------------------------------------------------------------------------------------- */

typedef enum AbutCertificateStatus {
    ABUT_CERTIFICATE_CLEAR = 0,    /* proved: no pair comes as near as the level at any time */
    ABUT_CERTIFICATE_CONTACT,      /* a pair is not farther than the level at a time */
    ABUT_CERTIFICATE_UNDECIDED,    /* neither: the depth of bisection, or the budget, was used up */
    ABUT_CERTIFICATE_NOTHING,      /* there is no pair to look at, and nothing is proved */
    ABUT_CERTIFICATE_CLEAR_EXCEPT, /* clear, but for pairs that are always near: abut_plan_exceptions; not of a pair */
    ABUT_CERTIFICATE_STATUS_COUNT
} AbutCertificateStatus;

/* "clear", "contact", "undecided", "nothing to check", "clear_except". */
ABUT_API extern const char *const abut_certificate_status_names[];

/* For one pair. */
typedef struct AbutPairCertificate {
    AbutCertificateStatus status;
    double lb; /* no nearer at any time; -INFINITY unless clear. Proofs end above the level: the truth may be larger */
    double ub, t;        /* the least distance that was evaluated, and when */
    double first;        /* in contact: the first time at which it was seen, which need not be when it begins */
    double undecided_at; /* undecided: a time that is; else NaN */
} AbutPairCertificate;

ABUT_API extern const AbutRecord abut_pair_certificate_record;

typedef struct AbutCertificate {
    AbutCertificateStatus status;
    int32_t pair;     /* the one in contact that is nearest, or undecided, or of the least lb; -1: there are none */
    double lb, ub, t; /* of that pair */
    AbutPairCertificate balance; /* of the center of mass: its distance inside the support polygon, CONTACT where it is
                                    not above the level; NOTHING without balance. `lb` to `first` as for pairs */
    int32_t edge;                /* of the polygon that it comes nearest to; -1: none */
    int64_t poses;               /* postures looked at */
    int64_t distances;           /* evaluated, those of single triangles among them */
    int64_t bounds;              /* of pairs over an interval, and of boxes of triangles */
    int64_t triangles;           /* whose distance was evaluated, with repetitions */
    double shortest;             /* interval, as part of its piece */
} AbutCertificate;

ABUT_API extern const AbutRecord abut_certificate_record;

typedef struct AbutCertifyDef {
    double level;   /* m */
    int64_t budget; /* bounds; 0: 5 million */
    int32_t lean;   /* 1: distances are evaluated only where the proof needs them, and for the pair of the certificate;
                       `ub` of the other pairs is INFINITY */
} AbutCertifyDef;

/*
 * Proves or refutes that every pair of the problem stays farther apart than the level for all times of the trajectory,
 * whose joints are those of the model. Joints that the problem holds must not move in it. `pairs`, unless NULL, has an
 * entry for every pair. The answer does not depend on how fast the trajectory is run through. Depths in triangles are
 * not known: with obstacles of them the level is 0 or more, and a pair that meets has the distance 0.
 */
ABUT_API AbutStatus abut_plan_certify(const AbutPlanProblem *problem, const AbutTrajectory *trajectory,
    const AbutCertifyDef *def, AbutCertificate *out, AbutPairCertificate *pairs, AbutError *error);

/* 1: every pair is proved clear, there is one, none was left out as always near, and balance is proved where the
 * problem asks for it. */
ABUT_API int abut_certificate_is_proof(const AbutCertificate *certificate);

/* ---- edges and postures ------------------------------------------------------------------------------------------ */

/*
 * Asks about edges, straight lines in planned coordinates, with memory for one thread. An edge is free when all pairs
 * are proved to keep farther apart than the level at every place of it, both ends included, and the center of mass that
 * far inside the support where the problem asks for balance. Limits of joints are not looked at, and windows are
 * ignored: their pairs count throughout. The problem must outlive it, and no obstacle may be moved meanwhile.
 */
typedef struct AbutPlanProver AbutPlanProver;
ABUT_API AbutStatus abut_plan_prover_create(
    const AbutPlanProblem *problem, double level, AbutPlanProver **out, AbutError *error);
ABUT_API void abut_plan_prover_free(AbutPlanProver *prover);

/* 1: the edge is proved free. 0: it is not, or a proof would need intervals below 0.004 rad; numbers that are not
 * finite prove nothing. Takes no memory. */
ABUT_API int abut_plan_edge_free(AbutPlanProver *prover, const double *from, const double *to);

/* Many at once: postures from[count][coordinates], or edges from there to `to` unless that is NULL. free[i] is 1 where
 * number i is proved free; the same for any number of threads, 0: all processors. */
ABUT_API AbutStatus abut_plan_free_batch(const AbutPlanProblem *problem, double level, int64_t count,
    const double *from, const double *to, int threads, uint8_t *free, AbutError *error);

ABUT_API extern const AbutRecord abut_plan_sample_record; /* of samples of abut_plan_curve */

/* The distance of a pair over the whole trajectory, every piece cut into `cells` equal parts: piece_count * cells
 * samples, of which none is `beyond`. */
ABUT_API AbutStatus abut_plan_curve(const AbutPlanProblem *problem, const AbutTrajectory *trajectory, int32_t pair,
    int32_t cells, AbutClearanceSample *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
