/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Friction generators: the impulses that a contact can give are sums, with coefficients eps >= 0, of forces nu + mu
 * (cos th e1 + sin th e2) at the vertices of the contact polygon, th over the P sides of a pyramid. One side points
 * along the velocity that the contact would have without contact forces, which makes the pyramid exact for plain
 * sliding and for sticking.
 */
#include "literature/dynamics/generators.h"
#include "literature/dynamics/tolerance.h"
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

void abut_generator(const AbutSolverContact *c, int index, int sides, double a[6]) {
    const AbutSolverVertex *v = &c->point[index / sides];
    double angle = c->room->number[ABUT_AT_ANGLE] + 2.0 * ABUT_PI * (index % sides) / sides;
    a[0] = v->mu * abut_cos(angle);
    a[1] = v->mu * abut_sin(angle);
    a[2] = 1.0;
    a[3] = v->y;
    a[4] = -v->x;
    a[5] = a[1] * v->xt - a[0] * v->yt;
}

double abut_vertex_speed(const AbutSolverContact *c, int i, const double u[6]) {
    const AbutSolverVertex *v = &c->point[i];
    double u1 = u[0] - u[5] * v->yt, u2 = u[1] + u[5] * v->xt;
    return sqrt(u1 * u1 + u2 * u2);
}

double abut_compliance(const AbutSolverContact *c, int i, int j) {
    return i >= 2 && i <= 4 && j >= 2 && j <= 4 ? c->alpha * c->touch->phi[i][j] : 0.0;
}

/* How far the point of B over (x, y) has risen along nu since the contact was built. */
static double risen(const AbutSolverContact *c, const AbutMat3 *r, AbutVec3 p, double x, double y) {
    AbutVec3 q = abut_add(c->touch->p_a, abut_add(abut_scale(c->touch->e1_a, x), abut_scale(c->touch->e2_a, y)));
    AbutVec3 on_b = abut_mat3_apply_t(c->touch->built_rotation, abut_sub(q, c->touch->built_position));
    return abut_dot(c->touch->nu_a, abut_sub(abut_add(abut_mat3_apply(*r, on_b), p), q));
}

/* Thickness now, as a plane over the contact: at the centroid, and its slopes. */
static void thickness_plane(const AbutSimulation *sim, const AbutSolverContact *c, double plane[3]) {
    AbutMat3 r;
    AbutVec3 p;
    abut_contact_pose(&sim->mover[c->body_a], &sim->mover[c->body_b], &r, &p);
    double up = risen(c, &r, p, 0.0, 0.0), length = c->ell;
    plane[0] = c->touch->plane[0] - up;
    plane[1] = c->touch->plane[1] - (risen(c, &r, p, length, 0.0) - up) / length;
    plane[2] = c->touch->plane[2] - (risen(c, &r, p, 0.0, length) - up) / length;
}

/* Direction of the first generator: the velocity without contact forces, or the farthest vertex when there is none. */
static double first_angle(const AbutSimulation *sim, const AbutSolverContact *c) {
    double u[6], farthest = 0.0, angle = 0.0;
    abut_contact_start_velocity(sim, c, abut_scale(sim->def.gravity, sim->constants.dt), u);
    if (abut_hypot(u[0], u[1]) > ABUT_SLIP_SPEED * sim->constants.gravity_dt) return abut_atan2(u[1], u[0]);
    for (int i = 0; i < c->count; ++i) {
        double d = abut_hypot(c->point[i].x, c->point[i].y);
        if (d > farthest) {
            farthest = d;
            angle = abut_atan2(c->point[i].y, c->point[i].x);
        }
    }
    return angle;
}

void abut_generators_begin(AbutSimulation *sim, AbutSolverContact *c) {
    double plane[3], *target = c->room->number + ABUT_AT_TARGET, u[6];
    double half_k = 0.5 * sim->constants.beta / sim->constants.dt;
    abut_contact_set_targets(sim, c); /* friction of the vertices */
    thickness_plane(sim, c, plane);
    target[0] = target[1] = target[5] = 0.0;
    target[2] = abut_smaller(
        half_k * (plane[0] - c->touch->margins - sim->constants.slop), ABUT_PUSH_SPEED * abut_contact_speed(sim, c));
    target[3] = half_k * plane[2];
    target[4] = -half_k * plane[1];
    if (c->touch->restitution > 0.0) {
        abut_contact_start_velocity(sim, c, abut_zero(), u);
        if (u[2] < -ABUT_BOUNCE_STEPS * sim->constants.gravity_dt)
            target[2] = abut_larger(target[2], -c->touch->restitution * u[2]);
    }
    c->room->number[ABUT_AT_ANGLE] = first_angle(sim, c);
    if (c->room->index[1] != c->count) c->room->index[0] = 0;
    c->room->index[1] = c->count;
}

void abut_generators_keep(AbutSolverContact *c, int sides, const int32_t *index, const double *x, int count) {
    c->room->index[0] = 0;
    for (int i = 0; i < c->count; ++i) c->point[i].n = c->point[i].t1 = c->point[i].t2 = 0.0;
    for (int k = 0; k < count; ++k) {
        AbutSolverVertex *v = &c->point[index[k] / sides];
        double a[6];
        abut_generator(c, index[k], sides, a);
        v->n += x[k];
        v->t1 += x[k] * a[0];
        v->t2 += x[k] * a[1];
        if (c->room->index[0] < ABUT_MAX_KEPT) {
            c->room->index[2 + c->room->index[0]] = index[k];
            c->room->number[ABUT_AT_EPS + c->room->index[0]++] = x[k];
        }
    }
}

/* Impulse of a generator as kept by abut_generators_keep, or by the dual of the paper's model. */
static double impulse_of(const AbutSolverContact *c, int index, int dense, const double a[6]) {
    if (dense) {
        double y = 0.0;
        for (int k = 0; k < 6; ++k) y += a[k] * c->room->number[ABUT_AT_DUAL + k];
        return abut_larger(0.0, y);
    }
    for (int k = 0; k < c->room->index[0]; ++k)
        if (c->room->index[2 + k] == index) return c->room->number[ABUT_AT_EPS + k];
    return 0.0;
}

double abut_generator_residual(const AbutSolverContact *c, int sides, int coulomb, int dense, const double u[6]) {
    double wrench[6], error[6], total = 0.0, worst = 0.0;
    abut_contact_wrench(c, wrench);
    for (int i = 0; i < 6; ++i) {
        error[i] = u[i] - c->room->number[ABUT_AT_TARGET + i];
        for (int j = 0; j < 6; ++j) error[i] += abut_compliance(c, i, j) * wrench[j];
    }
    for (int i = 0; i < c->count; ++i) total += c->point[i].n;
    for (int k = 0; k < c->count * sides; ++k) {
        double a[6], w = coulomb ? c->point[k / sides].mu * abut_vertex_speed(c, k / sides, u) : 0.0;
        abut_generator(c, k, sides, a);
        for (int i = 0; i < 6; ++i) w += a[i] * error[i];
        worst = abut_larger(worst, -w);
        if (impulse_of(c, k, dense, a) > ABUT_GENERATOR_LOAD * total) worst = abut_larger(worst, w);
    }
    return worst;
}
