/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Friction against spinning and rolling: torques of one body on the other about the contact, beside the forces at its
 * vertices. In: a contact with its load, its angular velocity and its responses. Out: the torque impulse s.
 *
 * The materials give two lengths. With N the normal impulse of the contact, the torque along the normal stops the spin
 * or is L_s N against it; the torque across it stops the rolling or has the length L_r N against it. Both are visited
 * after the vertices in every sweep, as friction at a vertex is: a step to rest, or else a step down the gradient back
 * onto the disc, whose fixed point opposes the motion.
 */
#include "dynamics/mover.h"

/* Below this part of the square of its mean a response has one direction only, as that of a hinge. */
static const double STIFF = 1e-12;

static double load_of(const AbutSolverContact *c) {
    double n = 0.0;
    for (int i = 0; i < c->count; ++i) n += c->point[i].n;
    return n;
}

static double clamped(double x, double most) { return x > most ? most : x < -most ? -most : x; }

/* Shortens (x, y) to the length `most`. */
static void shorten(double *x, double *y, double most) {
    double length = sqrt(*x * *x + *y * *y);
    if (length > most && length > 0.0) *x *= most / length, *y *= most / length;
}

void abut_spin_limit(AbutSolverContact *c) {
    double n = load_of(c);
    shorten(&c->torque[0], &c->torque[1], c->rolling_length * n);
    c->torque[2] = clamped(c->torque[2], c->spinning_length * n);
}

AbutVec3 abut_spin_world(const AbutSolverContact *c) {
    return abut_add(
        abut_add(abut_scale(c->e1, c->torque[0]), abut_scale(c->e2, c->torque[1])), abut_scale(c->nu, c->torque[2]));
}

void abut_spin_from_world(AbutSolverContact *c, AbutVec3 torque) {
    c->torque[0] = abut_dot(c->e1, torque);
    c->torque[1] = abut_dot(c->e2, torque);
    c->torque[2] = abut_dot(c->nu, torque);
}

/* The new torque along contact axis 3 + k; u and w follow. */
static void take(AbutSolverContact *c, int k, double next, double u[6], double w[6]) {
    double change = next - c->torque[k];
    c->torque[k] = next;
    w[3 + k] += change;
    for (int i = 0; i < 6; ++i) u[i] += c->touch->phi[i][3 + k] * change;
}

static void solve_rolling(AbutSolverContact *c, double most, double u[6], double w[6]) {
    double a = c->touch->phi[3][3], b = c->touch->phi[3][4], d = c->touch->phi[4][4], det = a * d - b * b,
           half = 0.5 * (a + d);
    double x = c->torque[0] - (d * u[3] - b * u[4]) / det, y = c->torque[1] - (a * u[4] - b * u[3]) / det;
    if (!(half > 0.0)) return; /* nothing gives way, as between slides */
    if (!(det > STIFF * half * half) || x * x + y * y > most * most) {
        double largest = half + sqrt(0.25 * (a - d) * (a - d) + b * b);
        x = c->torque[0] - u[3] / largest;
        y = c->torque[1] - u[4] / largest;
        shorten(&x, &y, most);
    }
    take(c, 0, x, u, w);
    take(c, 1, y, u, w);
}

void abut_spin_visit(AbutSolverContact *c, double u[6], double w[6]) {
    double n = load_of(c);
    if (c->touch->phi[5][5] > 0.0)
        take(c, 2, clamped(c->torque[2] - u[5] / c->touch->phi[5][5], c->spinning_length * n), u, w);
    solve_rolling(c, c->rolling_length * n, u, w);
}
