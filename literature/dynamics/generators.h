/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Friction generators, which several contact models share. Vectors of six are in the axes of the contact (e1, e2, nu)
 * about the centroid, linear part first.
 */
#ifndef ABUT_LITERATURE_DYNAMICS_GENERATORS_H
#define ABUT_LITERATURE_DYNAMICS_GENERATORS_H

#include "dynamics/sim.h"
#include "literature/solve/active_set.h"

enum { ABUT_MAX_GENERATORS = ABUT_CONTACT_VERTICES * 64, ABUT_MAX_KEPT = 24 };

/* Uses of AbutSolverContact.model by the generator models and the joint one. */
enum {
    ABUT_AT_EPS =
        0, /* impulses of the generators in model_index[2 ..], model_index[0] of them, for model_index[1] vertices */
    ABUT_AT_ANGLE = 24,  /* of the first generator from e1 */
    ABUT_AT_TARGET = 25, /* wanted velocity, six numbers */
    ABUT_AT_DUAL = 31,   /* paper: eps = max(0, a.y) with these six y */
    ABUT_AT_MOMENTS = 37 /* s, m1x, m1y, xx, xy, yy of the projected surface */
};

/* Wrench of a unit of generator `index` = vertex * P + side. */
void abut_generator(const AbutSolverContact *c, int index, int sides, double a[6]);

/* Readies target, angle and friction of a contact for this step; impulses are left alone. */
void abut_generators_begin(AbutSimulation *sim, AbutSolverContact *c);

/* Sliding speed at vertex i when the contact moves with u. */
double abut_vertex_speed(const AbutSolverContact *c, int i, const double u[6]);

/* Keeps the impulses x of the passive generators with the contact and its vertices. */
void abut_generators_keep(AbutSolverContact *c, int sides, const int32_t *index, const double *x, int count);

/* Compliance R = alpha E phi E: E keeps the normal force and the two tilting torques. */
double abut_compliance(const AbutSolverContact *c, int i, int j);

/*
 * How far the contact is from its law when it moves with u: largest violation of w >= 0, and of w = 0 where the impulse
 * is positive, over all generators; with `coulomb` the sliding term mu |u_l| is part of w. m/s.
 */
double abut_generator_residual(const AbutSolverContact *c, int sides, int coulomb, int dense, const double u[6]);

/* The printed formula on its own: eps[count] and y for the wrench `wanted`, over generators a. */
void abut_paper_impulse(const double (*a)[6], int count, const double wanted[6], double y[6], double *eps);

#endif
