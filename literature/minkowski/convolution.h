/* SPDX-License-Identifier: Apache-2.0 */
/* Private: two prepared meshes, B placed in the frame of A, and the facets of their Minkowski difference. */
#ifndef ABUT_SRC_MINKOWSKI_CONVOLUTION_H
#define ABUT_SRC_MINKOWSKI_CONVOLUTION_H

#include "literature/minkowski/rings.h"
#include "literature/minkowski/tolerance.h"

struct AbutConvolution {
    AbutRings a, b;
    AbutPose pose;
    AbutVec3 *b_vertex;                                     /* in the frame of A */
    AbutVec3 *b_turned;                                     /* the same, turned a little: for signs only */
    AbutVec3 *b_normal, *b_face_normal, *b_center, *b_axis; /* turned a little; the last two of the nodes */
};

/* Multiplicity of vertex v in direction n: 1 where it is the top of the solid, negative for saddles, 0 for none.
 * `support`: 1 for tops alone. `vertex` and `normal` are the placed arrays of `r`. */
int abut_vertex_index(
    const AbutRings *r, const AbutVec3 *vertex, const AbutVec3 *normal, int32_t v, AbutVec3 n, int support);

/* Sign of the facet of two edges, 0: none; its unit normal. `convex`: of convex edges alone. */
int abut_edge_facet(const AbutConvolution *c, int32_t edge_a, int32_t edge_b, int convex, AbutVec3 *normal);

/* A ball about the origin that holds all facets. */
double abut_convolution_reach(const AbutConvolution *c);

/* For the facets that may come into a ball, with their signs: measures, and a mesh to be freed. Fails where there is
 * none. */
AbutConvolutionMeasure abut_convolution_measure_ball(const AbutConvolution *c, AbutVec3 center, double radius);
AbutStatus abut_convolution_mesh(
    const AbutConvolution *c, AbutVec3 center, double radius, AbutMesh *out, AbutError *error);

#endif
