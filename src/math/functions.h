/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: functions as in C's math.h (abut_ln is its log), special values included, to within 1 ulp; but the same bits
 * with every compiler, C library and machine. The sine and the cosine are public.
 */
#ifndef ABUT_MATH_FUNCTIONS_H
#define ABUT_MATH_FUNCTIONS_H

#include "abut/math.h"

double abut_atan2(double y, double x);
double abut_exp(double x);
double abut_ln(double x);
double abut_cbrt(double x);
double abut_hypot(double x, double y);

#endif
