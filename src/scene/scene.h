/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a scene, for this room and the simulation. Places in the arrays are stable while a body or shape lives;
 * a free place is reused with a new generation.
 */
#ifndef ABUT_SCENE_SCENE_H
#define ABUT_SCENE_SCENE_H

#include "abut/scene.h"
#include "model/geometry.h"
#include "robot/configuration.h"
#include "shape/box_tree.h"

typedef struct AbutBody {
    AbutVec3 x;                    /* center of mass, world */
    AbutQuat q;                    /* body axes to world */
    AbutMat3 rotation;             /* the same as a matrix: kept in step by abut_body_moved */
    AbutVec3 v, w;                 /* velocity of the center of mass, angular velocity; world axes */
    double inv_mass;               /* 0: not moved by forces */
    AbutMat3 inertia, inv_inertia; /* about the center of mass, body axes */
    AbutVec3 local_center;         /* center of mass in the body frame */
    double mass;
    AbutVec3 force, torque; /* of the next step; about the center of mass, world axes */
    double gravity_scale, damping, spin_damping;
    uint32_t locked; /* axes of the world: sum of ABUT_LOCK_X, ... */
    AbutBodyKind kind;
    int32_t alive, never_sleeps, mass_given;
    int32_t first_shape;             /* -1: none; then shape.next */
    int32_t first_visual;            /* shapes that are only drawn: a list of their own */
    int32_t last_shape, last_visual; /* ends of the two lists; -1: empty */
    uint32_t generation;
    uint32_t disturbed; /* counts up when its motion or what it touches changes by other means than a step: it wakes */
    AbutPose (*motion)(double, const void *);
    const void *motion_user;
    char *name; /* "" when it has none */
    void *user;
    int32_t tree, link; /* of a link: its tree and its number there; else -1 */
    int32_t robot;      /* the robot it was placed with; -1: none */
} AbutBody;

typedef struct AbutShape {
    AbutShapeDef def;                 /* name owned and geometry retained here */
    const AbutPolyhedron *polyhedron; /* of the geometry; NULL for a half-space */
    AbutVec3 local_p;                 /* shape frame in body axes, from the center of mass */
    AbutQuat local_q;
    AbutMat3 local_rotation;
    AbutVec3 bound_center; /* bounding sphere, in body axes from the center of mass */
    double bound_radius;   /* infinity for a half-space */
    double size;           /* a length that is typical of it, for fat boxes; 0 for a half-space */
    AbutAabb local_box;    /* about the center of mass in world axes when it was last computed, with the body turned by
                              local_box_q */
    AbutQuat local_box_q;
    AbutAabb box; /* world, around the shape, grown by the margin of the last update; at most a little loose */
    AbutAabb fat; /* the box in the tree; contains `box` between updates */
    int32_t node; /* in the tree; -1: not in it (half-spaces, visual shapes, dead) */
    int32_t body, next, alive;
    int32_t moved; /* 1: in the list of moved shapes */
    uint32_t generation;
} AbutShape;

/* Two shapes whose fat boxes overlap and which may meet; with a height field one pair for each of its pieces. Its place
 * in the pool is stable while it lives. */
typedef struct AbutScenePair {
    int32_t a, b; /* shape places; a < b */
    int32_t alive;
    uint32_t serial; /* counts up over all pairs ever made: a reused place has another serial */
    double friction, friction_kinetic, restitution, friction_spinning, friction_rolling;
    double margin;      /* of contact, of each of the two, where a rule states it; 0: none does */
    int32_t piece, pad; /* of the height field that one of them is; -1: none is */
} AbutScenePair;

/* The key of a pair: the shapes as abut_pair_key has them, and the piece. */
typedef struct AbutPairKey {
    uint64_t shapes;
    int32_t piece, pad;
} AbutPairKey;

typedef struct AbutPairRule {
    int32_t a, b;
    int32_t forced;   /* 1: they meet whatever their filters say */
    AbutPairDef says; /* of which a, b, exclude and the source are not used */
} AbutPairRule;

/* Links that hang together by joints: a part of the model of a robot, as a tree and its state. Poses and velocities of
 * their bodies follow from the configuration. */
typedef struct AbutSceneTree {
    AbutConfiguration *configuration;
    int32_t *body; /* per link: its place in the scene */
    int32_t robot;
    double size; /* how far it reaches from its root, m */
} AbutSceneTree;

/* A moving part of a model, in the order of its positions: a free body, or a joint of a tree. */
typedef struct AbutRobotMove {
    int32_t tree; /* -1: a free body */
    int32_t body; /* its place, of a free body */
    int32_t joint;
    int32_t in_positions, in_velocities; /* first places in the tree */
    int32_t position_count, velocity_count;
} AbutRobotMove;

/* A model with joints, actuators, equalities or keyframes, as it was placed. */
typedef struct AbutSceneRobot {
    const AbutModel *model;
    int32_t borrowed; /* 1: the model outlives the scene */
    int32_t passive;  /* 1: a table of free bodies alone, of which simulations know nothing */
    AbutPool pool;    /* of the arrays here and in its trees; empty where another scene has them */
    AbutPose at;
    int32_t first_tree, tree_count;
    int32_t *body;                         /* per body of the model: its place */
    int32_t *tree;                         /* per body: its tree, -1: none */
    AbutBodyPlace *place;                  /* per body: its link in its tree */
    int32_t *tree_move;                    /* per joint: its move in its tree */
    AbutPose *pose;                        /* per body: in the frame of the body of the scene that it belongs to */
    int32_t *move_of_joint, *move_of_body; /* -1: the body is not free */
    AbutRobotMove *move;
    int32_t move_count, position_count, velocity_count;
} AbutSceneRobot;

enum { ABUT_DISTURBED_KEPT = 32 };

struct AbutScene {
    AbutBody *body;
    size_t body_capacity;
    int32_t body_places, body_free; /* free list through first_shape; -1: empty */
    AbutShape *shape;
    size_t shape_capacity;
    int32_t shape_places, shape_free;
    AbutBoxTree tree;    /* of the fat boxes of shapes */
    AbutScenePair *pair; /* pool */
    size_t pair_capacity;
    int32_t pair_places, pair_free; /* free list through a */
    uint32_t pair_serial;
    int32_t *pair_table;     /* open addressing hash of (a, b) -> place in the pool, -1 empty, -2 deleted */
    size_t pair_table_size;  /* a power of two, or 0 */
    int32_t pair_table_used; /* entries that are not empty */
    int32_t *moved;          /* shapes whose fat box changed since the last update of the pairs, each once */
    size_t moved_capacity;   /* always enough for every shape */
    int32_t moved_count;
    int32_t *live; /* places of the bodies alive, ascending */
    size_t live_capacity;
    int32_t live_count;
    int32_t *plane; /* half-spaces: they stay out of the tree */
    size_t plane_capacity;
    int32_t plane_count;
    AbutPairKey *fresh; /* pairs about to be added */
    size_t fresh_capacity;
    double margin;      /* of the last update of the bounds */
    uint64_t *excluded; /* sorted keys of body pairs */
    size_t excluded_capacity;
    int32_t excluded_count;
    AbutPairRule *pair_rule; /* sorted by (a, b) */
    size_t pair_rule_capacity;
    int32_t pair_rule_count;
    int (*pair_filter)(const AbutScene *, AbutShapeId, AbutShapeId, void *); /* NULL: none */
    void *pair_filter_user;
    AbutSceneRobot *robot;
    size_t robot_capacity;
    int32_t robot_count;
    AbutSceneTree *robot_tree;
    size_t robot_tree_capacity;
    int32_t robot_tree_count;
    AbutGeometrySet geometry;
    uint32_t revision;                      /* changes when bodies or shapes come or go */
    uint32_t disturbances;                  /* counts what was done to any body: see AbutBody.disturbed */
    int32_t disturbed[ABUT_DISTURBED_KEPT]; /* the bodies of the last ones, by their count */
    uint32_t pair_changes;                  /* counts pairs that came or went */
};

/*
 * As abut_scene_add_model at the origin of an empty scene, for scenes that share: the model is not copied, and it is a
 * robot whatever it has. With `like`, a scene with this model, its trees and tables are shared. Both must outlive the
 * scene. `shapes`, if not NULL, receives shape_count ids.
 */
AbutStatus abut_scene_share_model(
    AbutScene *scene, const AbutModel *model, const AbutScene *like, AbutShapeId *shapes, AbutError *error);

/* Something was done to a body: it wakes in the next step of a simulation. */
static inline void abut_scene_disturb(AbutScene *scene, AbutBody *body) {
    ++body->disturbed;
    scene->disturbed[scene->disturbances++ % ABUT_DISTURBED_KEPT] = (int32_t)(body - scene->body);
}

/* Brings the rotation in step with q. */
void abut_body_moved(AbutBody *body);

/* Poses and velocities of the bodies of a tree from its configuration. */
void abut_scene_place_links(AbutScene *scene, const AbutSceneTree *tree);
AbutStatus abut_scene_check_robot(const AbutScene *scene, int32_t robot, AbutError *error); /* is there one? */

/* Shape frame in the world; that of shape b in that of a. */
AbutPose abut_shape_pose(const AbutScene *scene, const AbutShape *shape);
AbutPose abut_contact_shape_pose(const AbutScene *scene, int32_t shape_a, int32_t shape_b);

/* How far the farthest point of a shape is from the center of mass; radius of the ball inside, infinite for a
 * half-space, of a height field half of how thick it is. */
double abut_shape_reach(const AbutShape *shape);
double abut_shape_inner_radius(const AbutShape *shape);

/* Over all shapes of a body that touch: the largest size, without sensors, 0: none; the longest reach, without
 * half-spaces.
 */
void abut_body_extent(const AbutScene *scene, const AbutBody *body, double *size, double *reach);

/*
 * Boxes of the shapes, grown by `margin`. A fat box contains that box over the whole way of the
 * body in the next `dt`; where it no longer does, or has become far too large, there is a new one, fattened by
 * `fatten` times the size of the shape, and farther ahead where the body is fast. Static bodies, and those that
 * `still` (by body place, NULL: none) marks, are looked at only when `margin` is another one than last time.
 */
AbutStatus abut_scene_update_bounds(AbutScene *scene, double margin, double fatten, double dt, const uint8_t *still);

/* Brings the pool of pairs in step with the fat boxes: new pairs are added in a fixed order, parted ones removed. */
AbutStatus abut_scene_update_pairs(AbutScene *scene);

/* Calls visit for each shape whose fat box overlaps `box`, in tree order, half-spaces last; stops when it gives 0. */
void abut_scene_visit(const AbutScene *scene, AbutAabb box, AbutBoxVisitor *visit, void *user);

/* As above, with the shapes as bodies of the queries in their frames; a height field piece by piece, with its number
 * (-1: it is none). */
typedef int AbutConvexVisitor(int32_t place, int32_t piece, const AbutConvex *convex, void *user);
void abut_scene_visit_bodies(const AbutScene *scene, AbutAabb box, AbutConvexVisitor *visit, void *user);

/* Fails when a dynamic body has no mass: such a body stands still, and a simulation should refuse it. */
AbutStatus abut_scene_check(const AbutScene *scene, AbutError *error);

/* Place in the pool of the pair of shapes a < b, with that piece of the one that is a height field (-1: neither is);
 * -1: none. */
int32_t abut_scene_find_pair(const AbutScene *scene, int32_t a, int32_t b, int32_t piece);

/* The grid of a shape that is a height field; NULL: it is none. And a box of the world in the frame of such a shape,
 * grown by `by`. */
static inline const AbutHeightGrid *abut_shape_grid(const AbutShape *shape) {
    return abut_geometry_grid(shape->def.geometry);
}

AbutAabb abut_shape_box_inside(const AbutScene *scene, const AbutShape *field, AbutAabb box, double by);

/* A piece of a height field as a body of the queries, which points to the prism. */
AbutConvex abut_shape_piece(const AbutShape *field, int32_t piece, AbutHeightPrism *prism);

/* May these shapes meet: bodies differ, not both immovable, filters and exclusions agree? */
int abut_scene_may_meet(const AbutScene *scene, int32_t shape_a, int32_t shape_b);
int abut_scene_may_push(const AbutScene *scene, int32_t shape_a, int32_t shape_b); /* and neither is a sensor? */

/* Friction, restitution and margin of a pair, as its rule says, or else the materials of its shapes; and the margin
 * that a rule states for two shapes, 0: none does. */
void abut_scene_set_pair_material(const AbutScene *scene, AbutScenePair *pair);
double abut_scene_pair_margin(const AbutScene *scene, int32_t shape_a, int32_t shape_b);

/* As above, for all pairs; returns the number of those that had another margin. */
int abut_scene_renew_pairs(AbutScene *scene);

/* Ids to places; -1 when the id is null, stale or not of this scene. */
int32_t abut_scene_body_place(const AbutScene *scene, AbutBodyId id);
int32_t abut_scene_shape_place(const AbutScene *scene, AbutShapeId id);
AbutBodyId abut_scene_body_id(const AbutScene *scene, int32_t place);
AbutShapeId abut_scene_shape_id(const AbutScene *scene, int32_t place);

#endif
