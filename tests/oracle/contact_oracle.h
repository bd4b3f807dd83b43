/* SPDX-License-Identifier: Apache-2.0 */
/* Slow references for contacts: surface moments by brute quadrature, responses by dense products, convex programs by
 * small steps. */
#ifndef ABUT_TESTS_CONTACT_ORACLE_H
#define ABUT_TESTS_CONTACT_ORACLE_H

#include "abut/math.h"

/* Sums Q and C^T nu over a triangle cut into n x n smaller ones, each taken at the middles of its edges. Adds to q and
 * side. Corners are relative to the centroid; with `projected` places fall onto the plane and areas shrink by
 * `shorter`. */
void oracle_surface(
    const AbutVec3 corner[3], AbutVec3 nu, int n, int projected, double shorter, double q[6][6], double side[6]);

/* X M^-1 X^T of a body by dense products: X = [1 -[r]; 0 1], world axes. Adds to phi. */
void oracle_response(double inv_mass, AbutMat3 inv_inertia, AbutVec3 r, double phi[6][6]);

/* min 1/2 x'Hx + g'x over x >= 0, n variables, by projected coordinate steps until nothing moves or `sweeps` are done.
 */
void oracle_nonnegative(int n, const double *h, const double *g, double *x, int sweeps);

#endif
