/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinematic trees the slow way, in long double: poses by walking up from each body, velocities and accelerations as
 * differences of poses along a path, mass matrix and bias by d'Alembert's principle over all bodies.
 */
#ifndef ABUT_TESTS_TREE_ORACLE_H
#define ABUT_TESTS_TREE_ORACLE_H

#include "abut/model.h"

/* R is row-major. q has the order of abut/robot.h. */
void tree_oracle_pose(const AbutModel *model, const long double *q, int body, long double p[3], long double r[9]);

/* Moves q along v for the time h. */
void tree_oracle_integrate(const AbutModel *model, const double *q, const double *v, long double h, long double *out);

/* Velocity of the body's point at `local`, and angular velocity, when q moves along v. */
void tree_oracle_velocity(const AbutModel *model, const double *q, const double *v, int body, const double local[3],
    double linear[3], double angular[3]);

/* Mass matrix [nv][nv] with armature, and bias [nv]; bodies state their masses. */
void tree_oracle_mass_matrix(const AbutModel *model, const double *q, double *out);
void tree_oracle_bias(const AbutModel *model, const double *q, const double *v, double *out);

#endif
