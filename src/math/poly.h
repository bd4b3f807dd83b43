/* SPDX-License-Identifier: Apache-2.0 */
/* Private: polynomials in one variable, with sound bounds and real roots. */
#ifndef ABUT_MATH_POLY_H
#define ABUT_MATH_POLY_H

#include "math/interval.h"

enum { ABUT_POLY_MAX_DEGREE = 24 };

/* c[0] + c[1] t + ... + c[degree] t^degree */
typedef struct AbutPoly {
    int degree;
    double c[ABUT_POLY_MAX_DEGREE + 1];
} AbutPoly;

/*
 * This curve by its Bernstein coefficients on [lo, hi]: it starts at b[0], ends at b[degree] and stays between the
 * smallest and the largest coefficient. Each true coefficient is within `error` of the stored one: the functions
 * below keep this promise through their own rounding, so bounds computed from it are sound.
 */
typedef struct AbutBernstein {
    int degree;
    double lo, hi, error;
    double b[ABUT_POLY_MAX_DEGREE + 1];
} AbutBernstein;

AbutPoly abut_poly(int degree, const double *coefficients); /* the degree is clamped to its range */
double abut_poly_eval(const AbutPoly *p, double t);
AbutPoly abut_poly_scale(const AbutPoly *a, double s);
AbutPoly abut_poly_derivative(const AbutPoly *p);

/*
 * Lowest and highest value of p over [lo, hi], enclosed: the true range lies inside the answer. `levels` halvings at
 * most (0 takes the coefficients as they are; 8 is plenty); stops early where the answer is sharp. The whole line
 * when a number is not finite or overflows.
 */
AbutInterval abut_poly_bounds(const AbutPoly *p, double lo, double hi, int levels);

/*
 * Real roots of p in [lo, hi], ascending, each one isolated by sign changes of the Bernstein coefficients and refined
 * to rounding. Roots that rounding cannot tell apart (a double root, or closer than 1e-12 of the width) count once.
 * Gives the number written, at most `capacity`; 0 for the zero polynomial and for input that is not finite.
 */
int abut_poly_roots(const AbutPoly *p, double lo, double hi, double *roots, int capacity);

AbutBernstein abut_bernstein_from_poly(const AbutPoly *p, double lo, double hi);

/* Cuts at the fraction s of the way from lo to hi (0..1). left and right may not be p. */
void abut_bernstein_split(const AbutBernstein *p, double s, AbutBernstein *left, AbutBernstein *right);

#endif
