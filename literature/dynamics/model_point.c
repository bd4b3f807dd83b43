/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Point contacts solved by projected Gauss-Seidel, after Nakaoka: the baseline that volumetric contact is compared
 * with.
 *
 * The points take the place of the vertices of the contact polygon, so that impulses, warm start and reports are those
 * of any contact; a point also has a normal n and a height z over the contact plane of its own (model[4 i ..]: n along
 * e1, e2, nu; z). It wants the velocity (beta/dt)(depth - d0) along n; impulses along n stay >= 0, and those across it
 * within mu times that. The impulse of a point is stored in contact axes (t1, t2, n), whatever its normal is.
 */
#include "literature/dynamics/models.h"

#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

static AbutVec3 normal_of(const AbutSolverContact *c, int i) {
    return abut_vec3(c->room->number[4 * i], c->room->number[4 * i + 1], c->room->number[4 * i + 2]);
}

static AbutVec3 place_of(const AbutSolverContact *c, int i) {
    return abut_vec3(c->point[i].x, c->point[i].y, c->room->number[4 * i + 3]);
}

static void built(AbutSimulation *sim, AbutSolverContact *c, const AbutBuilt *geometry) {
    AbutFoundPoint found[ABUT_CONTACT_VERTICES];
    const AbutPatch *patch = geometry->patch;
    abut_contact_set_count(&sim->contacts, c, abut_patch_find_points(geometry->pair, patch, found), geometry->worker);
    for (int i = 0; i < c->count; ++i) {
        AbutVec3 r = abut_sub(found[i].place, patch->centroid), n = found[i].normal;
        c->point[i].x = c->point[i].xt = abut_dot(r, patch->e1);
        c->point[i].y = c->point[i].yt = abut_dot(r, patch->e2);
        c->touch->vertex[i].built = c->touch->vertex[i].thickness = found[i].depth;
        c->room->number[4 * i] = abut_dot(n, patch->e1);
        c->room->number[4 * i + 1] = abut_dot(n, patch->e2);
        c->room->number[4 * i + 2] = abut_dot(n, patch->normal);
        c->room->number[4 * i + 3] = abut_dot(r, patch->normal);
    }
}

static void begin(AbutSimulation *sim, AbutSolverContact *c, int worker) {
    double w[6] = {0, 0, 0, 0, 0, 0}, k = sim->constants.beta / sim->constants.dt;
    (void)worker;
    abut_contact_set_targets(sim, c); /* friction, restitution */
    for (int i = 0; i < c->count; ++i) {
        AbutSolverVertex *v = &c->point[i];
        double kn = abut_point_response(c, place_of(c, i), normal_of(c, i)),
               half = 0.5 * k * (c->touch->vertex[i].thickness - c->touch->margins - sim->constants.slop);
        double cap =
                   ABUT_WARM_GROWTH * c->touch->vertex[i].last_n + ABUT_WARM_ALLOWANCE * sim->constants.gravity_dt / kn,
               s = v->n > cap ? cap / v->n : 1.0;
        v->target = abut_larger(v->target, half) + half; /* the whole overlap, not half of it */
        v->n *= s, v->t1 *= s, v->t2 *= s;
        c->touch->vertex[i].last_n = v->n;
        abut_point_wrench(place_of(c, i), abut_vec3(v->t1, v->t2, v->n), w);
    }
    abut_contact_apply(sim, c, w);
}

/* One point: normal impulse, then friction along two tangents. u follows, w collects the change of the wrench. */
static void solve_point(AbutSolverContact *c, int i, double u[6], double w[6]) {
    AbutSolverVertex *v = &c->point[i];
    AbutVec3 p = place_of(c, i), n = normal_of(c, i), old = abut_vec3(v->t1, v->t2, v->n), e1 = abut_perpendicular(n),
             e2 = abut_cross(n, e1);
    double kn = abut_point_response(c, p, n), push = abut_dot(n, old);
    double next = abut_larger(0.0, push + (v->target - abut_dot(n, abut_point_velocity(p, u))) / kn - c->alpha * push);
    abut_point_add(c, p, abut_scale(n, next - push), u, NULL);
    AbutVec3 slip = abut_point_velocity(p, u);
    double k1 = abut_point_response(c, p, e1), k2 = abut_point_response(c, p, e2), k = abut_larger(k1, k2),
           most = v->mu * next;
    double t1 = abut_dot(e1, old) - abut_dot(e1, slip) / k1, t2 = abut_dot(e2, old) - abut_dot(e2, slip) / k2;
    c->sliding[i] = abut_hypot(t1, t2) > most;
    if (c->sliding[i]) { /* one step length for both, so that friction opposes the sliding */
        t1 = abut_dot(e1, old) - abut_dot(e1, slip) / k;
        t2 = abut_dot(e2, old) - abut_dot(e2, slip) / k;
    }
    double length = abut_hypot(t1, t2);
    if (length > most) {
        t1 *= most / length;
        t2 *= most / length;
    }
    AbutVec3 across = abut_sub(old, abut_scale(n, push)), tangent = abut_add(abut_scale(e1, t1), abut_scale(e2, t2));
    abut_point_add(c, p, abut_sub(tangent, across), u, NULL);
    AbutVec3 now = abut_add(tangent, abut_scale(n, next));
    abut_point_wrench(p, abut_sub(now, old), w);
    v->t1 = now.x, v->t2 = now.y, v->n = now.z;
}

static double visit(AbutSimulation *sim, AbutSolverContact *c, int backward, int worker) {
    double u[6], u0[6], w[6] = {0, 0, 0, 0, 0, 0}, linear = 0.0, angular = 0.0;
    (void)worker;
    abut_contact_velocity(sim, c, u);
    for (int k = 0; k < 6; ++k) u0[k] = u[k];
    for (int i = 0; i < c->count; ++i) solve_point(c, backward ? c->count - 1 - i : i, u, w);
    abut_contact_apply(sim, c, w);
    for (int k = 0; k < 3; ++k) {
        linear += (u[k] - u0[k]) * (u[k] - u0[k]);
        angular += (u[3 + k] - u0[3 + k]) * (u[3 + k] - u0[3 + k]);
    }
    return linear + c->ell * c->ell * angular;
}

const AbutContactModel abut_contact_model_point = {
    .name = "point", .number = ABUT_CONTACT_MODEL_POINT, .keeps = 1, .begin = begin, .visit = visit, .built = built};
