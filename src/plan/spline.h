/* SPDX-License-Identifier: Apache-2.0 */
/* Clamped B-splines of degree 5 with uniform knots over s = 0 .. 1, as polynomials in every span. */
#ifndef ABUT_SRC_PLAN_SPLINE_H
#define ABUT_SRC_PLAN_SPLINE_H

#include "abut/plan.h"
#include "proof/problem.h"

enum {
    ABUT_SPLINE_DEGREE = 5,
    ABUT_SPLINE_ENDS = 3, /* control points at each end that are fixed: position, no speed, no acceleration */
    ABUT_SPLINE_LEAST = 9,
    ABUT_SPLINE_MOST = 32
};

/* Control points are numbered from 0; span k has those from k to k + 5. */
typedef struct AbutPlanSpline {
    int32_t points, spans, free;                     /* free = points - 6 */
    double part[ABUT_SPLINE_MOST][6][6];             /* [span][control point][power of x], x = 0 .. 1 in the span */
    double jerk[ABUT_SPLINE_MOST][ABUT_SPLINE_MOST]; /* integral of the third derivatives, 1/720 of it */
    double mass[ABUT_SPLINE_MOST][ABUT_SPLINE_MOST]; /* integral of the values */
} AbutPlanSpline;

/* points: from ABUT_SPLINE_LEAST to ABUT_SPLINE_MOST. */
void abut_plan_spline_make(int32_t points, AbutPlanSpline *out);

/* Values of the six control points that count at s; gives the first of them. */
int32_t abut_plan_spline_basis(const AbutPlanSpline *spline, double s, double value[6]);

/* The curve at s; control is [points][width]. */
void abut_plan_spline_at(const AbutPlanSpline *spline, int32_t width, const double *control, double s, double *out);

/*
 * The first of `count` growing parts s at which the curve cannot be put anywhere by the free control points while it
 * keeps what it has at the parts before; -1: there is none.
 */
int32_t abut_plan_spline_unmet(const AbutPlanSpline *spline, int32_t count, const double *s);

/* Half the integral of the squared third derivatives, where 1/2 is one coordinate moved by 1 from rest to rest. */
double abut_plan_spline_cost(const AbutPlanSpline *spline, int32_t width, const double *control);

/* Control point i of the derivative by s of this order (1 .. 3) of one curve: the sum of out[k] times control point
 * i + k, k = 0 .. order. */
void abut_plan_spline_difference(int32_t spans, int order, int32_t i, double out[4]);

/* The largest |derivative| by s of this order (1 .. 3) of a joint of the problem, bounded by that of its control
 * points, any number of them from ABUT_SPLINE_LEAST on. */
double abut_plan_spline_steepest(
    const AbutPlanProblem *problem, int32_t points, const double *control, int32_t joint, int order);

/* abut_plan_spline_cost of any number of points. */
double abut_plan_curve_cost(int32_t width, int32_t points, const double *control);

/* As joints of the model over 0 .. duration. */
AbutStatus abut_plan_spline_trajectory(const AbutPlanProblem *problem, int32_t points, const double *control,
    double duration, AbutTrajectory *out, AbutError *error);

#endif
