/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direction: in which direction do two bodies separate? Answers that do not jump while the bodies move, for penalty
 * forces, haptics and planners, on closed meshes that need not be convex.
 *
 * The soft direction sums the area vectors of both surfaces, weighted by the distance field of the other body. It
 * changes no faster than a known rate, whatever the bodies are; docs/theory/direction.md has the proof, and the reason
 * why every such direction must fail somewhere. Directions point from A to B: moving B along them separates the bodies.
 */
#ifndef ABUT_DIRECTION_H
#define ABUT_DIRECTION_H

#include "abut/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* How fine to sample a body; valid when zeroed. */
typedef struct AbutSoftBodyDef {
    double tau;  /* smoothing length, m; 0: 0.04 of the diameter of the body. Use the same for both bodies of a pair */
    double step; /* of the distance grid, m; 0: 0.7 tau. Choose a third of the thinnest wall if depth in it matters */
    double margin;   /* of the grid around the body, m; 0: 12 tau. The gradient is exact up to it */
    int32_t threads; /* 0: all processors; the bits are the same for any number */
    int32_t lazy;    /* 1: rows of the grid are filled on first use: faster for a few queries. Same answers;
                        any number of threads may query */
} AbutSoftBodyDef;

/*
 * A closed mesh prepared for soft directions, in one block of memory without pointers that can be saved and shared:
 * samples of the surface (position, area vector, area) in a tree of balls, points without area (vertices, sharp edges)
 * in another, and the signed distance on a grid.
 */
typedef struct AbutSoftBody {
    uint32_t magic, version;
    uint64_t bytes;   /* size of the whole block, this header included */
    uint64_t source;  /* hash of the mesh and the settings it was made of */
    uint64_t content; /* hash of everything else in the block */
    double tau, spacing, step, margin;
    AbutVec3 center; /* of a ball around the body */
    double radius;
    AbutVec3 grid_origin;
    int32_t grid_count[3]; /* nodes along x, y, z */
    int32_t sample_count, sample_node_count, point_count, point_node_count;
    int32_t lazy; /* 1: the grid fills itself from data before the block: it cannot be saved or copied */
    uint64_t grid_at, sample_at, sample_node_at, point_at, point_node_at; /* byte offsets */
} AbutSoftBody;

#define ABUT_SOFT_BODY_MAGIC 0x53545541u /* "AUTS" in memory */
#define ABUT_SOFT_BODY_VERSION 2u
#define ABUT_SOFT_MAX_SAMPLES 4000000
#define ABUT_SOFT_MAX_NODES 64000000 /* of the grid; where tau alone asks for more, it is coarser: see `step` */

/*
 * Makes the body of a mesh, which must be closed, oriented and have a volume. `def` may be NULL. Refuses a tau that
 * needs more than ABUT_SOFT_MAX_SAMPLES samples, and a given step or margin that needs more than ABUT_SOFT_MAX_NODES
 * nodes. Free with abut_soft_body_free.
 * `content` of a lazy body is 0.
 */
ABUT_API AbutStatus abut_soft_body_create(
    const AbutMesh *mesh, const AbutSoftBodyDef *def, AbutSoftBody **out, AbutError *error);
ABUT_API void abut_soft_body_free(AbutSoftBody *body);

/* The `source` of a body of this mesh and these settings: its name in a cache. */
ABUT_API uint64_t abut_soft_body_source(const AbutMesh *mesh, const AbutSoftBodyDef *def);

/* A suitable smoothing length for two meshes: 0.04 of the smaller diameter. 0 if a mesh has no vertices. */
ABUT_API double abut_soft_tau(const AbutMesh *a, const AbutMesh *b);

/* Is this block of memory of `bytes` bytes, aligned to 64, a valid body for queries? */
ABUT_API AbutStatus abut_soft_body_check(const void *block, size_t bytes, AbutError *error);

/* The distance field of a body at a point of its own frame: signed, smoothed over the grid, below 0 inside. *gradient,
 * which may be NULL, receives its gradient. NaN for a point that is not finite or beyond 1e60. */
ABUT_API double abut_soft_field(const AbutSoftBody *body, AbutVec3 point, AbutVec3 *gradient);

/* ---- soft direction ---------------------------------------------------------------------------------------------- */

typedef enum AbutSoftOutcome {
    ABUT_SOFT_CLEAR = 0, /* a meaningful direction */
    ABUT_SOFT_UNDECIDED, /* confidence below 0.1, or below 0.3 with a coherence below 0.03: the bodies are held from
                            several sides, and no separating direction is clearly better */
    ABUT_SOFT_NONE,      /* the vector vanishes: it and the direction are zero, and there are no rates */
    ABUT_SOFT_INVALID,   /* a bad pose, bad settings, or bodies farther apart than 1e9 tau: all are NaN */
    ABUT_SOFT_OUTCOME_COUNT
} AbutSoftOutcome;

/* A word for each: "clear", "undecided", "none", "invalid". */
ABUT_API extern const char *const abut_soft_outcome_names[];

/* Settings of a query; valid when zeroed. */
typedef struct AbutSoftDef {
    double tau;       /* smoothing length, m, at least the spacing of both bodies; 0: the larger tau of the two */
    int32_t adaptive; /* 1: tau grows far away to a quarter of the distance and at most of the smaller
                         diameter; the gradient is then not exact */
    int32_t padding;
} AbutSoftDef;

typedef struct AbutSoft {
    AbutSoftOutcome outcome;
    int32_t samples;        /* with weight */
    AbutVec3 direction;     /* unit, frame of A: moving B along it separates the bodies; zero: none */
    AbutVec3 vector;        /* the same before normalization, at most 1 long; continuous everywhere */
    double distance;        /* soft distance D, with a continuous gradient; less than 6 tau below `nearest`, and
                               above it where little surface is near */
    AbutVec3 gradient_move; /* of D as B moves, */
    AbutVec3 gradient_turn; /* and as it turns about its origin; both in the axes of A */
    double nearest;         /* least field value of any sample: signed distance to about the spacing; farther apart than
                               the margin of the grids a lower bound of it */
    double confidence;      /* length of gradient_move: about 1 for a clear contact */
    double coherence;       /* length of `vector` */
    double rate_move;       /* radians that the direction turns at most per meter that B moves, */
    double rate_turn;       /* and per radian that it turns about its origin; both to first order in the step, which
                               abut_soft_turn_bound is not */
    double tau;             /* that was used */
    int64_t evaluations;    /* of distance fields */
    /* Input of a turning certificate; plain numbers of one answer. */
    struct AbutSoftCertificate {
        double moment[6]; /* sums of area times t^k over the samples with weight t^5 > 0 */
        double near_area; /* of samples without weight that a step may give one */
        AbutVec3 center;  /* of a ball around all samples that were looked at, frame of A */
        double radius;
        double spare;      /* how far t may change before samples that were not looked at count */
        double most;       /* largest t */
        double lever;      /* from the center of B to the farthest sample that matters */
        double tau, slack; /* slack: the field differs from a distance by less than this */
        int32_t adaptive, padding;
    } certificate;
} AbutSoft;

/* Bytes of memory that a query of these bodies needs. */
ABUT_API size_t abut_soft_size(const AbutSoftBody *a, const AbutSoftBody *b);

/* The soft direction of two bodies. No state: the answer depends only on the pose. `def` may be NULL; `workspace` is
 * abut_soft_size bytes, aligned to 8, and holds nothing between queries. */
ABUT_API AbutSoft abut_soft_direction(
    const AbutSoftBody *a, const AbutSoftBody *b, AbutPose b_in_a, const AbutSoftDef *def, void *workspace);

/*
 * Turning certificate: the answer at `from` is `soft`. At every pose of B on the step from there to `to`, the direction
 * is proved to be within this angle of soft->direction. PI if nothing is proved. With the answer `last` at `to` (NULL:
 * unknown) the angle is that between both answers, each covering part of the step if that is better.
 */
ABUT_API double abut_soft_turn_bound(
    const AbutSoftBody *b, const AbutSoft *soft, AbutPose from, const AbutSoft *last, AbutPose to);

/* Angle between two unit vectors, radians; 0 if one of them is zero. */
ABUT_API double abut_angle_between(AbutVec3 u, AbutVec3 v);

/* ---- potential ---------------------------------------------------------------------------------------------------- */

/*
 * The energy of a spring on the soft distance D, for planners and optimizers: k/2 (reach - D)^2 if D is below
 * `reach`, for an answer without adaptive tau. Force and torque on B are minus its gradient, the torque about B's
 * origin, axes of A. Zero if the answer has no numbers.
 */
ABUT_API double abut_soft_potential(
    const AbutSoft *soft, double stiffness, double reach, AbutVec3 *force, AbutVec3 *torque);

#ifdef __cplusplus
}
#endif

#endif
