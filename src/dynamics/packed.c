/* SPDX-License-Identifier: Apache-2.0 */
/* Compact sweeps of large islands: see packed.h. One visit does what `visit` of model_vol.c does. */
#include "dynamics/packed.h"
#include "dynamics/tolerance.h"

#include <string.h>

void abut_packed_free(AbutPacked *p)
{
    abut_free(p->body);
    abut_free(p->contact);
    abut_free(p->vertex);
    abut_free(p->place);
    memset(p, 0, sizeof *p);
}

/* ---- copying ----------------------------------------------------------------------------------------------------- */

static int is_plain(const AbutSimulation *sim, const AbutSolverContact *c)
{
    return !c->link_sides && !c->moving && !abut_contact_resists_spin(c) && !sim->mover[c->body_a].locked &&
           !sim->mover[c->body_b].locked;
}

/* Vertices of an island that can be packed; 0: it cannot. */
static size_t packable(const AbutSimulation *sim, const AbutIsland *island)
{
    size_t vertices = 0;
    if (island->count < ABUT_PACKED_LEAST || island->tree_count + island->join_count > 0)
        return 0;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = &sim->contact[sim->island_contact[island->first + k]];
        if (!is_plain(sim, c))
            return 0;
        vertices += (size_t)c->count;
    }
    return vertices;
}

static int reserve(AbutPacked *p, size_t contacts, size_t vertices)
{
    size_t bodies = 2 * contacts + 1;
    return abut_grow((void **)&p->contact, &p->contact_capacity, contacts, sizeof *p->contact) &&
           abut_grow((void **)&p->vertex, &p->vertex_capacity, vertices, sizeof *p->vertex) &&
           abut_grow((void **)&p->body, &p->body_capacity, bodies, sizeof *p->body) &&
           abut_grow((void **)&p->place, &p->place_capacity, bodies, sizeof *p->place);
}

static int32_t add_body(AbutPacked *p, const AbutMover *m, int32_t place)
{
    AbutMat3 i = m->inv_inertia;
    AbutPackedBody *body = &p->body[p->body_count];
    *body = (AbutPackedBody){m->v, m->w, m->inv_mass, {i.x.x, i.y.y, i.z.z, i.y.x, i.z.x, i.z.y}, {0}};
    if (!(m->inv_mass > 0.0))
        memset(body->inertia, 0, sizeof body->inertia);
    p->place[p->body_count] = place;
    return p->body_count++;
}

/* A body that forces do not move belongs to several islands and keeps its velocity: it may stand here several times. */
static int32_t fixed_body(AbutPacked *p, const AbutMover *m, int32_t place, int32_t *last)
{
    if (*last < 0 || p->place[*last] != place)
        *last = add_body(p, m, place);
    return *last;
}

static void number_bodies(AbutSimulation *sim, const AbutIsland *island, AbutPacked *p)
{
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = &sim->contact[sim->island_contact[island->first + k]];
        sim->mover[c->body_b].number = -1;
        if (sim->mover[c->body_a].inv_mass > 0.0)
            sim->mover[c->body_a].number = -1;
    }
    int32_t last = -1;
    for (int32_t k = 0; k < island->count; ++k) {
        const AbutSolverContact *c = &sim->contact[sim->island_contact[island->first + k]];
        const int32_t side[2] = {c->body_a, c->body_b};
        int32_t number[2];
        for (int s = 0; s < 2; ++s) {
            AbutMover *m = &sim->mover[side[s]];
            if (!(m->inv_mass > 0.0)) {
                number[s] = fixed_body(p, m, side[s], &last);
                continue;
            }
            if (m->number < 0)
                m->number = add_body(p, m, side[s]);
            number[s] = m->number;
        }
        p->contact[k].a = number[0];
        p->contact[k].b = number[1];
    }
}

static void copy_contact(AbutPacked *p, AbutPackedContact *to, const AbutSolverContact *c)
{
    to->e1 = c->e1, to->e2 = c->e2, to->nu = c->nu;
    to->ra = c->ra, to->rb = c->rb;
    to->alpha = c->alpha, to->ell = c->ell, to->torsion = c->torsion;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            to->phi[i][j] = (float)c->phi[j][i]; /* column by column */
    to->first = p->vertex_count;
    to->count = c->count;
    for (int i = 0; i < c->count; ++i) {
        const AbutSolverVertex *v = &c->point[i];
        p->vertex[p->vertex_count++] = (AbutPackedVertex){v->x, v->y, v->target, v->n, v->t1, v->t2, (float)v->inv_kn,
            (float)v->inv_kt, (float)v->it11, (float)v->it12, (float)v->it22, (float)v->mu, v->sliding, 0};
    }
}

int abut_packed_begin(AbutSimulation *sim, AbutIsland *island, AbutPacked *p)
{
    size_t vertices = packable(sim, island);
    if (vertices == 0)
        return 0;
    island->starved = !reserve(p, (size_t)island->count, vertices);
    if (island->starved)
        return 0;
    p->body_count = p->vertex_count = 0;
    p->contact_count = island->count;
    number_bodies(sim, island, p);
    for (int32_t k = 0; k < island->count; ++k)
        copy_contact(p, &p->contact[k], &sim->contact[sim->island_contact[island->first + k]]);
    return 1;
}

void abut_packed_end(AbutSimulation *sim, const AbutIsland *island, const AbutPacked *p)
{
    for (int32_t k = 0; k < island->count; ++k) {
        AbutSolverContact *c = &sim->contact[sim->island_contact[island->first + k]];
        const AbutPackedVertex *from = &p->vertex[p->contact[k].first];
        for (int i = 0; i < c->count; ++i) {
            c->point[i].n = from[i].n;
            c->point[i].t1 = from[i].t1;
            c->point[i].t2 = from[i].t2;
            c->point[i].sliding = from[i].sliding;
        }
    }
    for (int32_t i = 0; i < p->body_count; ++i) {
        AbutMover *m = &sim->mover[p->place[i]];
        if (m->inv_mass > 0.0) {
            m->v = p->body[i].v;
            m->w = p->body[i].w;
        }
    }
}

/* ---- sweeping ---------------------------------------------------------------------------------------------------- */

static AbutVec3 turn_by(const double i[6], AbutVec3 t)
{
    return abut_vec3(i[0] * t.x + i[3] * t.y + i[4] * t.z, i[3] * t.x + i[1] * t.y + i[5] * t.z,
        i[4] * t.x + i[5] * t.y + i[2] * t.z);
}

static void relative(const AbutPackedContact *c, const AbutPackedBody *a, const AbutPackedBody *b, double u[6])
{
    AbutVec3 w = abut_sub(b->w, a->w);
    AbutVec3 v = abut_sub(abut_add(b->v, abut_cross(b->w, c->rb)), abut_add(a->v, abut_cross(a->w, c->ra)));
    u[0] = abut_dot(c->e1, v);
    u[1] = abut_dot(c->e2, v);
    u[2] = abut_dot(c->nu, v);
    u[3] = abut_dot(c->e1, w);
    u[4] = abut_dot(c->e2, w);
    u[5] = abut_dot(c->nu, w);
}

static void apply(const AbutPackedContact *c, AbutPackedBody *a, AbutPackedBody *b, const double f[6])
{
    AbutVec3 force = abut_add(abut_add(abut_scale(c->e1, f[0]), abut_scale(c->e2, f[1])), abut_scale(c->nu, f[2]));
    AbutVec3 torque = abut_add(abut_add(abut_scale(c->e1, f[3]), abut_scale(c->e2, f[4])), abut_scale(c->nu, f[5]));
    b->v = abut_add_scaled(b->v, force, b->inv_mass);
    b->w = abut_add(b->w, turn_by(b->inertia, abut_add(torque, abut_cross(c->rb, force))));
    a->v = abut_add_scaled(a->v, force, -a->inv_mass);
    a->w = abut_sub(a->w, turn_by(a->inertia, abut_add(torque, abut_cross(c->ra, force))));
}

/* Tangential impulse of a vertex with the normal impulse n, that moves by (u1, u2) across. */
static void slide_or_stick(AbutPackedVertex *v, double n, double u1, double u2, double *s1, double *s2)
{
    double most = v->mu * n;
    *s1 = v->t1 - (v->it11 * u1 + v->it12 * u2);
    *s2 = v->t2 - (v->it12 * u1 + v->it22 * u2);
    v->sliding = *s1 * *s1 + *s2 * *s2 > most * most;
    if (!v->sliding)
        return;
    *s1 = v->t1 - v->inv_kt * u1;
    *s2 = v->t2 - v->inv_kt * u2;
    double length = sqrt(*s1 * *s1 + *s2 * *s2);
    if (length > most) {
        *s1 *= most / length;
        *s2 *= most / length;
    }
}

static inline void solve_point(const AbutPackedContact *c, AbutPackedVertex *v, double u[6], double w[6])
{
    double xt = c->torsion * v->x, yt = c->torsion * v->y, un = u[2] + u[3] * v->y - u[4] * v->x, s1, s2;
    double n = v->n + ((v->target - un) * v->inv_kn - c->alpha * v->n) / (1.0 + c->alpha);
    n = n > 0.0 ? n : 0.0;
    double dn = n - v->n, tip_1 = dn * v->y, tip_2 = -dn * v->x;
    v->n = n;
    for (int k = 0; k < 6; ++k)
        u[k] += c->phi[2][k] * dn + c->phi[3][k] * tip_1 + c->phi[4][k] * tip_2;
    slide_or_stick(v, n, u[0] - u[5] * yt, u[1] + u[5] * xt, &s1, &s2);
    double d1 = s1 - v->t1, d2 = s2 - v->t2, twist = d2 * xt - d1 * yt;
    v->t1 = s1;
    v->t2 = s2;
    for (int k = 0; k < 6; ++k)
        u[k] += c->phi[0][k] * d1 + c->phi[1][k] * d2 + c->phi[5][k] * twist;
    w[0] += d1;
    w[1] += d2;
    w[2] += dn;
    w[3] += tip_1;
    w[4] += tip_2;
    w[5] += twist;
}

static double visit(AbutPacked *p, const AbutPackedContact *c, int backward)
{
    AbutPackedBody *a = &p->body[c->a], *b = &p->body[c->b];
    double u[6], u0[6], w[6] = {0, 0, 0, 0, 0, 0};
    relative(c, a, b, u);
    memcpy(u0, u, sizeof u0);
    for (int i = 0; i < c->count; ++i)
        solve_point(c, &p->vertex[c->first + (backward ? c->count - 1 - i : i)], u, w);
    apply(c, a, b, w);
    double linear = 0.0, angular = 0.0;
    for (int k = 0; k < 3; ++k) {
        linear += (u[k] - u0[k]) * (u[k] - u0[k]);
        angular += (u[3 + k] - u0[3 + k]) * (u[3 + k] - u0[3 + k]);
    }
    return linear + c->ell * c->ell * angular;
}

double abut_packed_sweep(AbutPacked *p, int backward)
{
    double worst = 0.0;
    for (int32_t k = 0; k < p->contact_count; ++k) {
        double change = visit(p, &p->contact[backward ? p->contact_count - 1 - k : k], backward);
        worst = change > worst ? change : worst;
    }
    return worst;
}
