/* SPDX-License-Identifier: Apache-2.0 */
/*
 * minkowski: Minkowski differences and sums of closed meshes that need not be convex, and the convolution that holds
 * their boundary.
 */
#ifndef ABUT_MINKOWSKI_H
#define ABUT_MINKOWSKI_H

#include "abut/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- convolution ------------------------------------------------------------------------------------------------- */

/*
 * The difference of two bodies is the set of all a - b, with a in A and b in B: the translations of B at which it meets
 * A. The convolution of two closed meshes is a set of flat facets that hold its boundary, and sheets inside it.
 */
typedef struct AbutConvolution AbutConvolution;

/* Prepares two meshes, which must be closed and outward and have no vertex where surfaces meet, or with more than 64
 * edges of which more than 31 are reflex; B stands where A does. */
ABUT_API AbutStatus abut_convolution_create(
    const AbutMesh *a, const AbutMesh *b, AbutConvolution **out, AbutError *error);
ABUT_API void abut_convolution_free(AbutConvolution *convolution);

/* Places B; 0 when the pose is not good, and B stays where it is. Takes no memory. */
ABUT_API int abut_convolution_place(AbutConvolution *convolution, AbutPose b_in_a);

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
ABUT_API int abut_facet_corners(const AbutConvolution *convolution, const AbutFacet *facet, AbutFacetCorner out[4]);

/* All facets that may come within `radius` of `center`. `whole` 1: with multiplicities, a closed chain; 0: those that
 * can be part of the boundary. */
ABUT_API void abut_convolution_facets(const AbutConvolution *convolution, AbutVec3 center, double radius, int whole,
    void (*task)(const AbutFacet *facet, void *user), void *user);

typedef struct AbutConvolutionMeasure {
    int64_t facets;
    double area;    /* of all facets */
    double open;    /* length of the sum of area vectors over the area: 0 but for rounding, the chain being closed */
    double winding; /* of the chain about the origin: Euler characteristic of what the bodies have in common */
    double volume;  /* its integral over all translations; of convex bodies the volume of the difference */
} AbutConvolutionMeasure;

/* Measures the closed chain at the present pose. */
ABUT_API AbutConvolutionMeasure abut_convolution_measure(const AbutConvolution *convolution);

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
ABUT_API AbutStatus abut_minkowski(const AbutMesh *a, const AbutMesh *b, AbutPose b_in_a, const AbutMinkowskiDef *def,
    AbutMesh *out, AbutMinkowskiReport *report, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
