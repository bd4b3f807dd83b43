/* SPDX-License-Identifier: Apache-2.0 */
/*
 * literature: methods of the papers, to reproduce their results and to compare with. The library answers none of its
 * questions with them. They are linked into the tool, the tests, the benchmark and the Python package, and are not
 * installed.
 */
#ifndef ABUT_LITERATURE_H
#define ABUT_LITERATURE_H

#include "abut/clearance.h"
#include "abut/dynamics.h"
#include "abut/mode.h"
#include "abut/plan.h"

/* ---- least distance over a motion -------------------------------------------------------------------------------- */

typedef enum AbutClearanceMethod {
    ABUT_CLEARANCE_FRONT = 0,        /* abut_clearance */
    ABUT_CLEARANCE_GOLDEN,           /* golden section: proves nothing */
    ABUT_CLEARANCE_ADVANCE,          /* bisection of the level by conservative advancement */
    ABUT_CLEARANCE_HYBRID_CLASSIC,   /* one round of that, then golden section; a wide bracket */
    ABUT_CLEARANCE_HYBRID,           /* golden section, then one advancement from each end as its proof */
    ABUT_CLEARANCE_SUBDIVIDE,        /* adaptive subdivision with the cone of the speed bound */
    ABUT_CLEARANCE_SUBDIVIDE_THESIS, /* with the cone narrowed as in the thesis of Lee: proves nothing */
    ABUT_CLEARANCE_SAMPLING,         /* as many samples as the speed bound asks for */
    ABUT_CLEARANCE_BEST_FIRST,       /* subdivision that takes the interval of the least bound first */
    ABUT_CLEARANCE_METHOD_COUNT
} AbutClearanceMethod;

/* "front", "gss", "ca", "hybrid-classic", "hybrid", "as", "as-thesis", "sampling", "as-best". */
extern const char *const abut_clearance_method_names[];

/*
 * This question by another method; INVALID with half-spaces and planes. `evaluations` counts distances of the whole
 * bodies; `budget` limits them. Without a proof lb is -INFINITY and certified is 0.
 */
AbutClearance abut_clearance_by(AbutClearanceMethod method, const AbutMover *a, const AbutMover *b,
    const AbutClearanceDef *def, AbutClearanceSpace *space);

/* ---- contact models ---------------------------------------------------------------------------------------------- */

/* Numbers of the contact models that abut_literature_register adds to those of abut/dynamics.h. */
enum {
    ABUT_CONTACT_MODEL_VOL_GENERATOR = 1, /* "vol-generator": vol with friction pyramids by active set: reference */
    ABUT_CONTACT_MODEL_CONVEX = 2,        /* "convex": convex relaxation (CCP) */
    ABUT_CONTACT_MODEL_EMIN = 3,          /* "emin": least squares of the paper's velocity error per contact */
    ABUT_CONTACT_MODEL_PAPER = 4,         /* "paper": the printed algorithm: unstable */
    ABUT_CONTACT_MODEL_PAPER_GUARDED = 5, /* "paper-guarded": with a step length that never gains energy */
    ABUT_CONTACT_MODEL_DIRECT = 6,        /* "direct": all contacts of an island in one problem */
    ABUT_CONTACT_MODEL_POINT = 7,         /* "point": point contacts, projected Gauss-Seidel */
    ABUT_CONTACT_MODEL_PENALTY = 9,       /* "penalty": compliant: a spring along the shortest way out, which jumps */
    ABUT_CONTACT_MODEL_COUNT = 10         /* all numbers below this are models, those of the library included */
};

/* Makes them known by number and name. To be called once, before simulations are created. */
void abut_literature_register(void);

/* ---- convolution ------------------------------------------------------------------------------------------------- */

/*
 * The difference of two bodies is the set of all a - b, with a in A and b in B: the translations of B at which it meets
 * A. The convolution of two closed meshes is a set of flat facets that hold its boundary, and sheets inside it.
 */
typedef struct AbutConvolution AbutConvolution;

/* Prepares two meshes, which must be closed and outward and have no vertex where surfaces meet, or with more than 64
 * edges of which more than 31 are reflex; B stands where A does. */
AbutStatus abut_convolution_create(const AbutMesh *a, const AbutMesh *b, AbutConvolution **out, AbutError *error);
void abut_convolution_free(AbutConvolution *convolution);

/* Places B; 0 when the pose is not good, and B stays where it is. Takes no memory. */
int abut_convolution_place(AbutConvolution *convolution, AbutPose b_in_a);

enum {
    ABUT_FACET_FACE_VERTEX = 0, /* face a of A with vertex b of B: a triangle */
    ABUT_FACET_VERTEX_FACE,     /* vertex a of A with face b of B */
    ABUT_FACET_EDGES,           /* two edges, by the numbers of the convolution: a parallelogram */
    ABUT_FACET_KIND_COUNT
};

typedef struct AbutFacet {
    int32_t kind; /* ABUT_FACET_FACE_VERTEX, ... */
    int32_t a, b;
    int32_t sign;    /* multiplicity; 1 on the boundary */
    AbutVec3 normal; /* unit, outward; off by up to 1e-9 */
} AbutFacet;

typedef struct AbutFacetCorner {
    int32_t a, b;   /* vertices of A and of B */
    AbutVec3 place; /* a - b */
} AbutFacetCorner;

/* The 3 or 4 corners of a facet, counter-clockwise about its normal. */
int abut_facet_corners(const AbutConvolution *convolution, const AbutFacet *facet, AbutFacetCorner out[4]);

/* All facets that may come within `radius` of `center`. `whole` 1: with multiplicities, a closed chain; 0: those that
 * can be part of the boundary. */
void abut_convolution_facets(const AbutConvolution *convolution, AbutVec3 center, double radius, int whole,
    void (*task)(const AbutFacet *facet, void *user), void *user);

typedef struct AbutConvolutionMeasure {
    int64_t facets;
    double area;    /* of all facets */
    double open;    /* length of the sum of area vectors over the area: 0 but for rounding, the chain being closed */
    double winding; /* of the chain about the origin: Euler characteristic of what the bodies have in common */
    double volume;  /* its integral over all translations; of convex bodies the volume of the difference */
} AbutConvolutionMeasure;

/* Measures the closed chain at the present pose. */
AbutConvolutionMeasure abut_convolution_measure(const AbutConvolution *convolution);

/* ---- difference and sum ------------------------------------------------------------------------------------------ */

/* How to make a Minkowski difference or sum; good when zeroed. */
typedef struct AbutMinkowskiDef {
    int32_t grid;    /* cells along the longest side, 4 to ABUT_MINKOWSKI_MAX_GRID; 0: 32. Not used for convex meshes */
    int32_t threads; /* 0: all processors; the mesh is the same for any number */
    int32_t convolution; /* 1: not the boundary but the signed convolution: all facets, each as often as its
                            multiplicity says, turned over where that is negative. Closed, and exact */
    int32_t difference;  /* 1: of all a - b, the translations of B at which it meets A; 0: of all a + b */
    AbutVec3 center;     /* of a convolution: only the facets that may come into the ball about `center`, frame of A, */
    double radius;       /* of this radius, m; 0: all facets */
} AbutMinkowskiDef;

#define ABUT_MINKOWSKI_MAX_GRID 160
#define ABUT_MINKOWSKI_MAX_PAIRS 8000000 /* of vertices of two convex meshes */

typedef struct AbutMinkowskiReport {
    int32_t exact; /* 1: both meshes are convex, and the answer is the hull of all differences of vertices */
    int32_t padding;
    double step; /* of the grid, m: what is thinner may be missed, and slits narrower than it are closed; 0: no grid */
    AbutConvolutionMeasure chain; /* of a convolution: its facets that were written; else zeros */
} AbutMinkowskiReport;

/*
 * The boundary of all a + b, or a - b, as a closed mesh, to be freed. Exact for convex meshes. For others its vertices
 * lie on the boundary, and between them it is flat. `def` and `report` may be NULL. Meshes as for a convolution. A
 * convolution of which no facet comes into the ball is ABUT_ERROR_EMPTY.
 */
AbutStatus abut_minkowski(const AbutMesh *a, const AbutMesh *b, AbutPose b_in_a, const AbutMinkowskiDef *def,
    AbutMesh *out, AbutMinkowskiReport *report, AbutError *error);

/* ---- depth of meshes --------------------------------------------------------------------------------------------- */

/* A method of depth: out and in projections from many starts (Je, Tang, Lee, Lee and Kim: PolyDepth 2012), corrected.
 */
void abut_depth_classic(struct AbutDepthSearch *search, AbutVec3 warm);

/* ---- contact modes ----------------------------------------------------------------------------------------------- */

/* A named system: box:1..5, peg:N, box-box:1|2, box-hand, hand-ball, hand-ball-generic, grasp:N (N >= 1 fingers on a
 * ball). */
AbutStatus abut_mode_builtin(const char *name, AbutModeSystem *out, AbutError *error);

/* Signs as numbers -1, 0, 1: contacts, then contacts * lines (nonlinear: contacts). */
void abut_mode_signs(const AbutModeSystem *system, int nonlinear, AbutMode mode, int8_t *signs);

/* A method of AbutModeOptions: polar dual, hull, face lattice; zonotope for the tangent rows. Slow, for small systems
 * only. */
AbutStatus abut_mode_paper(struct AbutModeRun *run, AbutError *error);

/* ---- plans ------------------------------------------------------------------------------------------------------- */

/* How the thesis finds the least distance over a span of the motion. */
typedef enum AbutPlanMcd {
    ABUT_PLAN_MCD_GOLDEN = 0, /* golden section: one valley is trusted */
    ABUT_PLAN_MCD_ADVANCE,    /* advancing as far as a bound allows */
    ABUT_PLAN_MCD_HYBRID,     /* golden section around the least of nine samples */
    ABUT_PLAN_MCD_SUBDIVIDE,  /* halving the interval with the least bound, to 1 mm */
    ABUT_PLAN_MCD_COUNT
} AbutPlanMcd;

/* "gss", "ca", "hybrid", "as". */
extern const char *const abut_plan_mcd_names[];

/* The least distance of a pair over one piece of a trajectory, and where in it (0 .. 1). */
typedef struct AbutPlanLeast {
    double distance, x;
    int64_t evaluations;
} AbutPlanLeast;

/* A pair over a piece; of SUBDIVIDE to within 1 mm, of the others without proof. Takes memory. */
AbutStatus abut_plan_mcd(const AbutPlanProblem *problem, const AbutTrajectory *trajectory, AbutPlanMcd mcd,
    int32_t pair, int32_t piece, AbutPlanLeast *out, AbutError *error);

/* 1: this build has IPOPT, and plans can be made as in the thesis. */
int abut_plan_has_thesis(void);

/* Methods of AbutPlanSettings. The first: one nonlinear program by IPOPT as in Lee's thesis; refused without IPOPT. The
 * second: constraints at so many fixed times alone, as other planners do. */
AbutPlanMethod abut_plan_by_thesis(AbutPlanMcd mcd);
AbutPlanMethod abut_plan_by_samples(int32_t samples);

/* ---- regions of half-spaces -------------------------------------------------------------------------------------- */

/* A search of AbutIntersectDef: the recursion of Ren, Hong and Meng (2000), corrected: one row after the other as an
 * equation. Allocates. At most `max_reductions` rows are rewritten; 0: 50 million. */
AbutIntersectOutcome abut_intersect_ren(const struct AbutRows *rows, int64_t max_reductions, AbutIntersection *out);

/* ---- overlap by duality ------------------------------------------------------------------------------------------ */

/* The set of abut_overlap by duality about an interior point (Muller and Preparata): slower, allocates; to check the
 * other by. */
AbutOverlap abut_overlap_by_duality(
    const AbutConvex *a, const AbutConvex *b, AbutPose b_in_a, void *workspace, size_t workspace_size);

/* ---- kernel direction -------------------------------------------------------------------------------------------- */

typedef struct AbutKernelDirection {
    AbutVec3 direction, vector; /* unit, frame of A, from A to B; before it is made a unit. Zero: none */
    double coherence;           /* length of `vector` */
} AbutKernelDirection;

/* For two convex bodies: the mean normal of the boundary of the difference, weighted by a Gaussian of this width about
 * the origin; `distance` is the signed distance of the bodies. A bad width gives zeros. */
AbutKernelDirection abut_kernel_direction(const AbutConvolution *convolution, double distance, double width);

/* ---- Phong distance ---------------------------------------------------------------------------------------------- */

/*
 * The Phong distance of Lee (2017), chapter V, with its gaps filled: a foot point on the boundary of the difference
 * whose blended normal points along the way to the origin. Smoother than Euclid on shallow contacts of finely cut
 * convex bodies; elsewhere it jumps, ends, or has several answers, and says so. For comparison; forces want the soft
 * direction.
 */
typedef struct AbutPhong AbutPhong;

typedef enum AbutPhongMode {
    ABUT_PHONG_TRACK = 0, /* the foot point nearest to the last one */
    ABUT_PHONG_LEAST,     /* the one nearest to the origin */
    ABUT_PHONG_MODE_COUNT
} AbutPhongMode;

/* Settings of a query; good when zeroed. */
typedef struct AbutPhongDef {
    AbutPhongMode mode;
    int32_t literal; /* 1: take foot points inside the difference too, as the thesis does */
} AbutPhongDef;

typedef struct AbutPhongDistance {
    int32_t found;      /* 0: no foot point; direction and foot are where it comes nearest to one, zero where no
                           triangle was tried */
    int32_t free;       /* 1: B moved by the foot, and a hair more, is apart from A */
    int32_t premise_ok; /* the premise of the thesis: corner normals within 9.987 degrees of each other */
    int32_t solutions;  /* foot points seen on the way, free or not */
    int32_t lost;       /* 1: not found beside the last one */
    int32_t overlap;    /* 1: the bodies meet */
    int32_t full;       /* 1: more facets than there is room for; some were not looked at */
    int32_t tried;      /* triangles */
    double distance;    /* length of the foot, negative in overlap; NaN: not found */
    AbutVec3 direction; /* unit, frame of A, from A to B */
    AbutVec3 foot;      /* B moved by it touches A */
    double residual;    /* of the root, m; not found: sine of the angle at the best triangle */
    double premise;     /* largest angle between corner normals of the triangle, radians */
} AbutPhongDistance;

/* Meshes as for a convolution. The object holds the last answer: one thread at a time. */
AbutStatus abut_phong_create(const AbutMesh *a, const AbutMesh *b, AbutPhong **out, AbutError *error);
void abut_phong_free(AbutPhong *phong);

/* The Phong distance at a pose; `def` may be NULL. Takes no memory. */
AbutPhongDistance abut_phong_distance(AbutPhong *phong, AbutPose b_in_a, const AbutPhongDef *def);

/* Forgets the last answer: the next query starts at the Euclidean foot point. */
void abut_phong_restart(AbutPhong *phong);

/* ---- pairs of bodies -------------------------------------------------------------------------------------------------- */

/*
 * Pairs of bodies and a path for each, on which directions are compared. The first four are those of Lee (2017),
 * section VI.B, with stand-ins for bodies and paths that are not public: A rests, B moves.
 */
typedef struct AbutDirectionCase {
    const char *name;    /* "cone/axis" */
    const char *summary; /* one line */
    double tau;          /* smoothing length for it */
} AbutDirectionCase;

/* The table of cases; *count is its length. */
const AbutDirectionCase *abut_direction_cases(int *count);

/* The meshes of a case, to be freed. */
AbutStatus abut_direction_case_meshes(int number, AbutMesh *a, AbutMesh *b, AbutError *error);

/* The pose of B in A at 0 <= t <= 1 of the path of a case. */
AbutPose abut_direction_case_pose(int number, double t);

#endif
