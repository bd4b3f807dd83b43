/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a simulation: what the stages of a step hand to each other.
 *
 * For a contact, B is the body that the contact frame is fixed to (the immovable one, if there is one), and nu points
 * from B to A. Wrenches and velocities of a contact are 6-vectors (linear, angular) about the centroid p of the
 * overlap, in the axes (e1, e2, nu) of the contact frame, of A relative to B; an impulse acts on A, and its opposite on
 * B.
 */
#ifndef ABUT_DYNAMICS_SIM_H
#define ABUT_DYNAMICS_SIM_H

#include "abut/dynamics.h"
#include "scene/scene.h"

enum { ABUT_MAX_CONTACT_VERTICES = ABUT_CONTACT_VERTICES };

/* ---- geometry: clip.c, patch.c ----------------------------------------------------------------------------------- */

/* A shape grown by the margin, in body axes from the centre of mass: what overlaps are made of. */
typedef struct AbutClipHull {
    int32_t vertex_count, face_count, corner_count; /* a half-space has one face and no vertices */
    int32_t is_box;
    AbutVec3 box_half, box_center; /* boxes: grown half sizes */
    AbutMat3 box_axes;
    AbutVec3 *vertex;
    AbutPlane *plane;
    int32_t *first; /* corners of face f: corner[first[f]] .. corner[first[f + 1] - 1] */
    int32_t *corner;
    AbutPolyhedron *polyhedron; /* the same in the shape frame, for distance queries; NULL for boxes and half-spaces */
    AbutAabb box;               /* of the vertices, in body axes */
    AbutVec3 center;            /* bounding sphere */
    double radius, margin;
    double size;         /* typical length of the body, for the tolerances that are lengths */
    uint32_t generation; /* of the shape it was made from, and where that sat */
    AbutVec3 shape_p;
    AbutQuat shape_q;
} AbutClipHull;

/* Builds the hull of a shape; on failure `hull` is empty. Free with abut_clip_hull_free. */
AbutStatus abut_clip_hull_build(AbutClipHull *hull, const AbutShape *shape, double margin);
void abut_clip_hull_free(AbutClipHull *hull);

/* A face of an overlap. */
typedef struct AbutClipFace {
    int32_t first, count, owner; /* points point[first] ..; owner 0: A, 1: B */
    AbutVec3 normal;             /* outward */
    double area;
} AbutClipFace;

/* The overlap of A and B in the frame of B, and room to make it. */
typedef struct AbutClipSpace {
    AbutClipFace *face;
    AbutVec3 *point;
    AbutVec3 *vertex;      /* of A, in B */
    AbutPlane *plane;      /* planes that may cut, frame of B */
    uint64_t *out, *touch; /* bits of the vertices: beyond these planes; beyond or on them */
    int32_t face_count, point_count, face_room, point_room, vertex_room;
} AbutClipSpace;

/* Memory for pairs of hulls of at most so many vertices, faces and corners; false when there is none. */
int abut_clip_space_reserve(AbutClipSpace *space, int32_t vertices, int32_t faces, int32_t corners);
void abut_clip_space_free(AbutClipSpace *space);

/* Numbers of an overlap, frame of B. */
typedef struct AbutPatch {
    double volume;
    AbutVec3 centroid, nu;
    double area;      /* half the projected surface: area of the shadow along nu */
    double low, high; /* extent along nu, from the centroid */
    int vertex_count; /* of the contact polygon */
    double x[ABUT_MAX_CONTACT_VERTICES], y[ABUT_MAX_CONTACT_VERTICES]; /* about the centroid, along e1, e2 */
    double thickness[ABUT_MAX_CONTACT_VERTICES];
    double plane[3]; /* the thickness as a plane: at the centroid, slopes along e1, e2 */
    AbutVec3 e1, e2;
    double ell; /* patch length */
    double polygon_area;
    double torsion; /* factor on the twisting friction of the vertices; 1 unless uniform pressure is asked for */
} AbutPatch;

/*
 * Do the hulls overlap? A at (rotation, position) in B. `axis` (frame of B) is tried first and receives a separating
 * direction. Hulls that are not both boxes are left undecided (1) here when no quick test parts them.
 */
int abut_clip_may_overlap(
    const AbutClipHull *a, const AbutClipHull *b, const AbutMat3 *rotation, AbutVec3 position, AbutVec3 *axis);

/* Overlap as faces in `space`; 0 when empty. */
int abut_clip_overlap(
    AbutClipSpace *space, const AbutClipHull *a, const AbutClipHull *b, const AbutMat3 *rotation, AbutVec3 position);

/* Centroid, normal, polygon and thickness of the overlap in `space`; `last_nu` (zero: none) decides degenerate normals.
 * 0: no volume. */
int abut_patch_measure(const AbutClipSpace *space, const AbutClipHull *a, const AbutClipHull *b,
    const AbutMat3 *rotation, AbutVec3 position, AbutVec3 last_nu, int uniform_torsion, AbutPatch *patch);

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

typedef struct AbutContactPoint {
    double x, y;                               /* about the centroid, in the contact plane */
    double xt, yt;                             /* the same for friction: shrunk when torsion is uniform */
    double built_thickness, thickness, target; /* overlap at the last build; now; wanted normal velocity */
    double n, t1, t2;                          /* impulse on A */
    double last_n;                             /* normal impulse the last warm start began with */
    double inv_kn, inv_kt;                     /* 1 / normal response; 1 / largest tangential response */
    double it11, it12, it22;                   /* inverse of the 2x2 tangential response */
    double mu;
    double cn[6], c1[6], c2[6]; /* change of the contact velocity by a unit impulse along nu, e1, e2 at this vertex */
    int32_t sliding, pad;
} AbutContactPoint;

typedef struct AbutTouch {
    int32_t pair, alive, built; /* place in the scene's pool of pairs; built in this step */
    int32_t shape_a, shape_b, body_a, body_b;
    int32_t island, count, capped;
    uint32_t serial;
    double mu_static, mu_kinetic, restitution;
    double alpha; /* compliance */
    double ell, height;
    double rolling;                 /* lever of the resistance to rocking, m */
    AbutVec3 nu, e1, e2;            /* world */
    AbutVec3 ra, rb;                /* centroid from the centres of mass, world */
    AbutVec3 nu_b, e1_b, e2_b, p_b; /* frame of B */
    AbutVec3 built_position;        /* A in B at the last build */
    AbutMat3 built_rotation;
    double area, volume, depth, built_depth;
    double plane[3];  /* thickness at the last build: at the centroid, slopes along e1, e2 */
    double phi[6][6]; /* change of the contact velocity by a unit impulse at the centroid */
    AbutContactPoint point[ABUT_MAX_CONTACT_VERTICES];
    double model[64]; /* room for a contact model; zeroed when the contact is new */
    int32_t model_index[32];
} AbutTouch;

/* What is remembered of a pair that does not touch. */
typedef struct AbutPairMemory {
    AbutVec3 axis; /* last separating direction, frame of B */
    AbutDistanceCache cache;
    uint32_t serial;
    int32_t contact; /* -1: none */
    int32_t state;   /* of this step: see contact.c */
} AbutPairMemory;

/* Constants of a part of a step, derived from the definition and its length dt. */
typedef struct AbutStepConstants {
    double dt, beta, margin, slop, alpha, tolerance, gravity_dt; /* tolerance in m/s */
    int iterations;
} AbutStepConstants;

typedef struct AbutIsland {
    int32_t first, count; /* contacts: island_contact[first] .. */
    int32_t sweeps, capped, contacts, asleep;
    double residual, part; /* part: of the step that its bodies move */
    double violation;      /* distance from the law of contact, m/s, when asked for */
} AbutIsland;

typedef struct AbutContactModel AbutContactModel;

struct AbutSimulation {
    AbutScene *scene;
    AbutSimulationDef def;
    const AbutContactModel *model;
    double time, last_dt;
    int64_t step;
    uint32_t scene_revision;
    AbutStepConstants constants;

    AbutClipHull *hull; /* by shape place */
    size_t hull_capacity;
    int32_t hull_count;
    double hull_margin;
    double coherence; /* of the size: relative motion below this keeps the geometry of a contact */

    AbutPairMemory *memory; /* by pair place */
    size_t memory_capacity;
    int32_t memory_count;

    AbutTouch *contact; /* pool */
    size_t contact_capacity;
    int32_t contact_places, contact_free; /* free list through pair */
    double contact_margin;                /* what the contacts were built with: where it differs they are built anew */
    uint32_t contact_revision;

    int32_t *order; /* contacts alive, by height */
    size_t order_capacity;
    int32_t order_count;

    int32_t *parent; /* union-find over bodies */
    size_t parent_capacity;
    AbutIsland *island;
    size_t island_capacity;
    int32_t island_count;
    int32_t *island_contact;
    size_t island_contact_capacity;

    AbutVec3 *start_v, *start_w; /* velocities before the step, by body place: restitution, friction state */
    size_t start_v_capacity, start_w_capacity;

    double *motion_part; /* part of the step that a body moves: below 1 when it would pass through another */
    size_t motion_part_capacity;

    AbutClipSpace *space; /* by worker */
    int32_t space_count;

    void *model_memory; /* workspace of the model, by worker */
    size_t model_memory_bytes;
    int32_t wants_violation; /* 1: fill island.violation */
    int32_t one_way;         /* 1: all sweeps in the same direction */
    AbutStepReport report;
};

/* ---- contact models ---------------------------------------------------------------------------------------------- */

/*
 * A model is a small table; the loop around it is common to all. `begin` readies a contact for this step (targets, warm
 * start applied to the bodies); `visit` improves one contact and gives the square of the change of velocity it made.
 * The others may be NULL: `solve_island` replaces the sweeps; `prepare` gets memory before them; `built` sees a contact
 * whose geometry is new, before it inherits impulses; `residual` measures how far a contact is from its law, m/s.
 */
struct AbutContactModel {
    const char *name;
    AbutContactModelKind kind;
    void (*begin)(AbutSimulation *sim, AbutTouch *contact, int worker);
    double (*visit)(AbutSimulation *sim, AbutTouch *contact, int backward, int worker);
    void (*solve_island)(AbutSimulation *sim, AbutIsland *island, int worker);
    AbutStatus (*prepare)(AbutSimulation *sim, AbutError *error);
    void (*built)(AbutSimulation *sim, AbutTouch *contact, const AbutClipSpace *space, const AbutPatch *patch);
    double (*residual)(AbutSimulation *sim, const AbutTouch *contact);
};

const AbutContactModel *abut_contact_model(AbutContactModelKind kind);

/* Velocity of A relative to B at the contact, and an impulse applied to both, in the contact frame. */
static inline void abut_contact_velocity(const AbutTouch *c, const AbutBody *a, const AbutBody *b, double u[6])
{
    AbutVec3 w = abut_sub(a->w, b->w);
    AbutVec3 v = abut_sub(abut_add(a->v, abut_cross(a->w, c->ra)), abut_add(b->v, abut_cross(b->w, c->rb)));
    u[0] = abut_dot(c->e1, v);
    u[1] = abut_dot(c->e2, v);
    u[2] = abut_dot(c->nu, v);
    u[3] = abut_dot(c->e1, w);
    u[4] = abut_dot(c->e2, w);
    u[5] = abut_dot(c->nu, w);
}

static inline void abut_contact_apply(const AbutTouch *c, AbutBody *a, AbutBody *b, const double f[6])
{
    AbutVec3 force = abut_add(abut_add(abut_scale(c->e1, f[0]), abut_scale(c->e2, f[1])), abut_scale(c->nu, f[2]));
    AbutVec3 torque = abut_add(abut_add(abut_scale(c->e1, f[3]), abut_scale(c->e2, f[4])), abut_scale(c->nu, f[5]));
    a->v = abut_add_scaled(a->v, force, a->inv_mass);
    a->w = abut_add(a->w, abut_mat3_apply(a->inv_inertia_world, abut_add(torque, abut_cross(c->ra, force))));
    if (b->inv_mass > 0.0) {
        b->v = abut_add_scaled(b->v, force, -b->inv_mass);
        b->w = abut_sub(b->w, abut_mat3_apply(b->inv_inertia_world, abut_add(torque, abut_cross(c->rb, force))));
    }
}

/* Targets and friction of the vertices from the velocities before the step; impulses of the last step, capped and
 * applied. */
void abut_contact_set_targets(AbutSimulation *sim, AbutTouch *contact);
void abut_contact_warm_start(AbutSimulation *sim, AbutTouch *contact);

/* Sum of the vertex impulses as a wrench in the contact frame. */
void abut_contact_wrench(const AbutTouch *contact, double wrench[6]);

/* ---- stages of a step -------------------------------------------------------------------------------------------- */

AbutStatus abut_stage_hulls(AbutSimulation *sim, AbutError *error);    /* grown shapes in step with the scene */
AbutStatus abut_stage_contacts(AbutSimulation *sim, AbutError *error); /* geometry of all pairs */
AbutStatus abut_stage_islands(AbutSimulation *sim, AbutError *error);
void abut_stage_solve(AbutSimulation *sim, double h);
void abut_stage_advance(AbutSimulation *sim, double h);
void abut_limit_motion(AbutSimulation *sim, double h); /* continuous.c: fills motion_part for fast bodies */

#endif
