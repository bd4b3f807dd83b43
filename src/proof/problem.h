/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the room: the tree of joints, the convex pieces of the links, and their pairs. */
#ifndef ABUT_SRC_PROOF_PROBLEM_H
#define ABUT_SRC_PROOF_PROBLEM_H

#include "abut/proof.h"
#include "motion/trajectory.h"
#include "proof/balls.h"
#include "robot/tree.h"

/* A step of the tree as the plan hangs it: pose = pose of the parent * before * (joint by sign q) * after. */
typedef struct AbutPlanNode {
    int32_t parent; /* a node before this one; -1: the world */
    int32_t joint;  /* of the problem; -1: does not move */
    int32_t slide;  /* 1: moves along the axis, 0: turns about it */
    double sign;    /* -1 where the tree was turned round */
    AbutVec3 axis;
    AbutPose before, after;
} AbutPlanNode;

/* The tree. Joints of a path are those from the root to a node, root first. */
typedef struct AbutPlanTree {
    int32_t node_count, joint_count;
    AbutPlanNode *nodes;
    int32_t *body_node;  /* of every body of the model */
    int32_t *joints;     /* number of each among the joints of the model */
    double *reference;   /* subtracted from the value of each */
    uint8_t *slides;     /* per joint */
    int32_t *path_start; /* node_count + 1 places in `path` */
    int32_t *path;
} AbutPlanTree;

/* A posture: poses of the nodes, axis and a point of it for every joint. */
typedef struct AbutPlanPosture {
    AbutPose *node;
    AbutVec3 *axis, *origin;
} AbutPlanPosture;

/* A convex part of a link. */
typedef struct AbutPlanPiece {
    int32_t link, node; /* node -1: stands in the world */
    int32_t flat;       /* 1: a half-space, whose only direction is its normal */
    int32_t stand_in;   /* 1: stands for a surface in the search; proofs take the surface */
    uint32_t category, mask;
    AbutConvex convex;
    AbutPose pose;    /* in the node */
    AbutSphere ball;  /* around it, in the node; of a half-space not used */
    AbutCapsule hull; /* around it, in the node */
} AbutPlanPiece;

/* Two pieces, with the joints that lead from their common node to each. */
typedef struct AbutPlanItem {
    int32_t a, b; /* pieces; a half-space is always b */
    int32_t pair;
    int32_t count_a, count_b;
    const int32_t *joints_a, *joints_b;
} AbutPlanItem;

/* An obstacle as triangles, or as a cloud. */
typedef struct AbutPlanSurface {
    const AbutMeshTree *tree; /* NULL: a cloud */
    const struct AbutCloud *cloud;
    AbutPose pose, home; /* in the world, in its body */
    int32_t link;
    int32_t has_stand_in; /* 1: the search takes pieces in its place */
} AbutPlanSurface;

/* A piece of a link of the robot and a surface, with the joints that move the piece. */
typedef struct AbutPlanFacing {
    int32_t piece, surface, pair;
    int32_t count;
    const int32_t *joints;
} AbutPlanFacing;

/* Parts of the time in which a pair may meet; none where `from` is above `to`. */
typedef struct AbutPlanSpan {
    double from, to;
} AbutPlanSpan;

typedef struct AbutPlanEntry {
    int32_t joint, coordinate;
    double factor;
} AbutPlanEntry;

/* Mass of a body as a part of the whole, at a point of a node. */
typedef struct AbutPlanMass {
    int32_t node;
    double part;
    AbutVec3 center;
} AbutPlanMass;

/* Where x cx + y cy <= offset the center of mass is inside; (x, y) is a unit vector. */
typedef struct AbutPlanEdge {
    double x, y, offset;
} AbutPlanEdge;

/* A robot without obstacles is a problem too, and problems with obstacles take over its data. */
struct AbutPlanProblem {
    const AbutPlanRobot *shared; /* retained; of that of the robot the robot itself */
    AbutPlanScene scene;
    const AbutTree *robot;
    const AbutModel *model, *obstacles; /* model: of the tree */
    AbutPlanTree tree;
    int32_t position_count;
    double *positions;  /* of the configuration */
    int32_t other_foot; /* foot that stands too; -1: none */
    int32_t mass_count, edge_count;
    AbutPlanMass *masses; /* of the robot that the support belongs to */
    AbutPlanEdge edges[ABUT_PLAN_CORNERS];
    AbutVec3 corners[ABUT_PLAN_CORNERS];
    double balance_margin, ground; /* height of the ground, m */
    AbutPlanJointLimits *limits;   /* per joint of the problem, resolved */
    char **obstacle_names;         /* of those that have the name of a link; else NULL */
    AbutPose *places;              /* of obstacles */
    double *rest;                  /* values of all joints of the model in the posture; balls: 0 */
    int32_t piece_count, pair_count, item_count;
    AbutPlanPiece *pieces; /* those of a link follow each other */
    int32_t *piece_start;  /* per link, and the end */
    AbutPlanPiece *home;   /* those of obstacles in their bodies */
    size_t piece_capacity, made_capacity;
    AbutPolyhedron **made; /* for the pieces of height fields */
    int32_t made_count;
    AbutPair *pairs;
    AbutPlanSpan *spans;                /* per pair; NULL: none may ever meet */
    AbutPlanItem *items;                /* those of a pair follow each other */
    int32_t *item_start, *facing_start; /* per pair, and the end */
    size_t pair_capacity, item_capacity, facing_capacity;
    int32_t surface_count, facing_count;
    AbutPlanSurface *surfaces;
    AbutPlanFacing *facings;
    double margin;
    int32_t support; /* -1: none */
    double reach;    /* lengths that poses add up, m */
    double slack;    /* what rounding may do to a bound, m */
    int32_t coordinate_count, entry_count;
    AbutPlanEntry *entries;        /* joints of the problem by coordinates */
    double *offset;                /* per joint of the problem */
    double *lower, *upper;         /* per coordinate */
    char **names;                  /* of coordinates */
    const AbutEqualityDef *curved; /* of joints that move, and that the coordinates cannot have; NULL: none */
    int32_t exception_count;       /* pairs that are always near, of which nothing is proved */
    AbutPair *exceptions;
    size_t exception_capacity;
    int32_t note_count;
    char **notes;
    size_t note_capacity;
};

/* Shared by problems of one robot. Pieces, pairs, items, exceptions and notes of `base` are copied, the rest is not.
 */
struct AbutPlanRobot {
    AbutPlanProblem base;
    AbutPlanBody body;
    int32_t *joints_to_world; /* per body: joints of the model between it and what stands */
    AbutPlanPosture rest;     /* of the tree in the posture */
    _Atomic int32_t references;
};

static inline const AbutPlanBody *abut_plan_body(const AbutPlanProblem *problem) { return &problem->shared->body; }

/* ---- tree -------------------------------------------------------------------------------------------------------- */

/* `held` has an entry for each joint of the model; `rest` a value. */
AbutStatus abut_plan_tree_make(const AbutConfiguration *posture, const uint8_t *held, const double *rest,
    int32_t support, AbutPlanTree *out, AbutError *error);
void abut_plan_tree_free(AbutPlanTree *tree);

/* q has a number for each joint of the tree. */
void abut_plan_tree_place(const AbutPlanTree *tree, const double *q, AbutPlanPosture *out);

/* Bytes of a posture, and the posture in that much memory. */
size_t abut_plan_posture_size(const AbutPlanTree *tree);
AbutPlanPosture abut_plan_posture_in(const AbutPlanTree *tree, void *memory);

/* ---- pieces and pairs -------------------------------------------------------------------------------------------- */

/* For a robot, and for obstacles behind those of the robot. */
AbutStatus abut_plan_pieces_make(AbutPlanProblem *robot, const AbutPlanDef *def, AbutError *error);
AbutStatus abut_plan_obstacle_pieces_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error);
/* Rounding of bounds, from the sizes of all pieces. */
void abut_plan_set_slack(AbutPlanProblem *problem);
/* The exact body of a shape. */
AbutConvex abut_plan_exact_convex(const AbutGeometry *geometry);
/* Where a body of a model without joints is. */
AbutPose abut_plan_standing(const AbutModel *model, int32_t body);

/* Obstacles as triangles. */
AbutStatus abut_plan_surfaces_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error);

/* Pairs of links of a robot; those with obstacles. */
AbutStatus abut_plan_pairs_make(
    AbutPlanRobot *robot, const AbutConfiguration *posture, const AbutPlanDef *def, AbutError *error);
AbutStatus abut_plan_obstacle_pairs_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error);
/* Two pieces as an item that belongs to no pair; whether their filters let them touch. */
AbutPlanItem abut_plan_item_of(const AbutPlanProblem *problem, int32_t a, int32_t b);
int abut_plan_may_touch(const AbutPlanProblem *problem, int32_t a, int32_t b);

/* near_pairs.c: `near` of pairs that are not always nearer than the limit becomes 0; those with 0 are not looked at.
 * `all` is the tree in which every joint of the model moves. */
typedef struct AbutPlanNearPair {
    AbutPair links;
    int32_t near, postures; /* postures looked at */
    double distance;        /* the largest there */
} AbutPlanNearPair;
/* The least distance of two links, as proofs see them, where it is below the limit; else INFINITY. */
double abut_plan_links_apart(const AbutPlanProblem *problem, const AbutPlanPosture *at, AbutPair links, double limit);
AbutStatus abut_plan_find_always_near(const AbutPlanProblem *problem, const AbutPlanTree *all, double limit,
    int32_t count, AbutPlanNearPair *pairs, AbutError *error);
/* windows.c: when pairs may meet. */
AbutStatus abut_plan_windows_check(const AbutPlanDef *def, AbutError *error);
AbutStatus abut_plan_windows_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error);
static inline int abut_plan_may_meet(const AbutPlanProblem *problem, int32_t pair, double part) {
    return problem->spans && part >= problem->spans[pair].from && part <= problem->spans[pair].to;
}

AbutStatus abut_plan_coordinates_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error);

/* couplings.c: what equalities ask of the joints that move. */
AbutStatus abut_plan_couplings_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error);
/* Number among the joints that move; -1: it does not. */
int32_t abut_plan_moving(const AbutPlanProblem *problem, int32_t joint);
/* Can motions be planned in the coordinates? Fails where an equality ties joints on a curve. */
AbutStatus abut_plan_check_couplings(const AbutPlanProblem *problem, AbutError *error);

/* limits.c: of the joints of the problem, from the model and the caller. */
AbutStatus abut_plan_limits_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error);
/* Does a joint follow more than one coordinate, so that its limits are no limits of coordinates? */
int abut_plan_is_mixed(const AbutPlanProblem *problem, int32_t joint);

/* feet.c: what a joint of a leg follows when both feet stand: factors of sway, hip and knee. */
enum { ABUT_PLAN_LEG_COORDINATES = 3 };
typedef struct AbutPlanLegs {
    uint8_t *is_leg;                             /* per joint of the problem */
    double (*factor)[ABUT_PLAN_LEG_COORDINATES]; /* the same */
} AbutPlanLegs;
AbutStatus abut_plan_legs_make(const AbutPlanProblem *problem, AbutPlanLegs *out, AbutError *error);
void abut_plan_legs_free(AbutPlanLegs *legs);
/* Do both feet stand, whatever the coordinates? */
AbutStatus abut_plan_legs_check(const AbutPlanProblem *problem, AbutError *error);
/* The lowest point of a body; INFINITY: it has none. */
double abut_plan_lowest(const AbutConfiguration *posture, int32_t body);
/* The body that a body hangs on in the end. */
int32_t abut_plan_root_of(const AbutModel *model, int32_t body);

/* balance.c: masses and the support polygon; how far the center of mass is inside of an edge. */
AbutStatus abut_plan_balance_make(
    AbutPlanProblem *problem, const AbutConfiguration *posture, const AbutPlanDef *def, AbutError *error);
AbutVec3 abut_plan_center(const AbutPlanProblem *problem, const AbutPlanPosture *at);
static inline double abut_plan_edge_inside(const AbutPlanEdge *edge, AbutVec3 center) {
    return edge->offset - edge->x * center.x - edge->y * center.y;
}
/* How that changes with the coordinates; `by_joints` is room for a number of each joint of the problem. */
void abut_plan_edge_gradient(const AbutPlanProblem *problem, const AbutPlanEdge *edge, const AbutPlanPosture *at,
    double *by_joints, double *by_coordinates);

/* A line for the user. */
AbutStatus abut_plan_add_note(AbutPlanProblem *problem, AbutError *error, const char *format, ...) ABUT_PRINTF(3, 4);

/* abut_plan_nearest of the pairs that may not meet at this part of the time. */
AbutStatus abut_plan_nearest_then(
    const AbutPlanProblem *problem, const double *joints, double part, AbutPlanNear *out, AbutError *error);

/* Joints of the problem from joints of the model. */
void abut_plan_pick_joints(const AbutPlanProblem *problem, const double *joints, double *q);

/* ---- distances --------------------------------------------------------------------------------------------------- */

/* Distance of two pieces; the normal points from B to A inside of this room, so that it grows along it. */
typedef struct AbutPlanDistance {
    double distance, gap;
    AbutVec3 normal, point_a, point_b;
} AbutPlanDistance;

static inline AbutPose abut_plan_piece_pose(const AbutPlanPiece *piece, const AbutPlanPosture *at) {
    return piece->node < 0 ? piece->pose : abut_pose_mul(at->node[piece->node], piece->pose);
}

static inline AbutVec3 abut_plan_piece_point(const AbutPlanPiece *piece, const AbutPlanPosture *at, AbutVec3 p) {
    return piece->node < 0 ? p : abut_pose_apply(at->node[piece->node], p);
}

/* A lower bound by the balls. */
double abut_plan_item_apart(const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanPosture *at);

/* A lower bound by the capsules around the pieces. */
double abut_plan_item_hulls_apart(const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanPosture *at);

AbutPlanDistance abut_plan_item_distance(
    const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanPosture *at, AbutConvexCache *cache);

/* The least distance along n, which the distance is never below; n points from B to A. */
AbutPlanDistance abut_plan_item_along(
    const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanPosture *at, AbutVec3 n);

/* For a piece and a surface: 0 where they meet or the piece is inside; `distance` alone is set there. */
AbutPlanDistance abut_plan_facing_distance(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanPosture *at);

/* Is a point of the piece inside a closed surface? */
int abut_plan_facing_is_inside(const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanPosture *at);

/* How a distance changes with the coordinates u. */
void abut_plan_item_gradient(const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanPosture *at,
    const AbutPlanDistance *distance, double *by_coordinates);

#endif
