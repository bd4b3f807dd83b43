/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts that follow from a force, not from a wanted velocity: the part that the models `pressure` and `penalty`
 * share.
 *
 * In: a wrench, and up to eight points with their share of the force and their stiffness. The wrench acts as it is, for
 * half of the last part of a step and half of this one: velocities then stand between the places, as in the leapfrog
 * method, and energy stays where nothing takes it away, also while the parts change. Dissipation comes on top, at
 * the points: damping along the normal of a point, in proportion to its stiffness, as of a linear oscillator with the
 * restitution of the pair; and Coulomb friction of up to mu times the force along the normal. Both are found with the
 * velocities after the step, by sweeps, and only ever brake. Axes are those of the contact.
 *
 * Room of a contact, in `model`: the wrench so far; of each point its normal and its height over the plane through the
 * center, its stiffness, the force along the normal, and its damping.
 */
#include "dynamics/pressure.h"
#include "dynamics/tolerance.h"
#include "dynamics/solver_tree.h"

#include <string.h>

enum {
    AT_WRENCH = 0,
    AT_POINT = 6,
    AT_STIFF = AT_POINT + 4 * ABUT_CONTACT_VERTICES,
    AT_PUSH = AT_STIFF + ABUT_CONTACT_VERTICES,
    AT_DAMPING = AT_PUSH + ABUT_CONTACT_VERTICES,
    AT_PULSE = AT_DAMPING + ABUT_CONTACT_VERTICES, /* square of the angular frequency */
    AT_END
};

_Static_assert(AT_END <= 64 && (int)ABUT_PRESSURE_POINTS <= (int)ABUT_CONTACT_VERTICES, "room of a contact");

/* ---- law --------------------------------------------------------------------------------------------------------- */

/*
 * Settings left open: lengths follow from the smallest body that moves, the pressure from the one that is
 * heaviest for its size. The largest load on the shape of a body: the body, or the robot that it is a link of.
 */
static double mass_over(const AbutSimulation *sim, int32_t body) {
    const AbutBody *b = &sim->scene->body[body];
    return b->tree >= 0 && sim->trees ? sim->trees->tree[b->tree].mass : b->mass;
}

/* A surface presses over its area within the reach, a spring along the depth: it takes its load at half of the reach.
 */
static void choose_law(AbutSimulation *sim, AbutPressureSet *set, int surfaces) {
    const AbutScene *scene = sim->scene;
    double least = INFINITY, most = 0.0, g = ABUT_GRAVITY * abut_scale_gravity(&sim->def);
    for (int32_t i = 0; i < scene->shape_places; ++i) {
        const AbutShape *s = &scene->shape[i];
        if (!s->alive || s->def.visual || s->def.sensor || !(scene->body[s->body].inv_mass > 0.0)) continue;
        least = abut_smaller(least, s->size);
        most = abut_larger(most, mass_over(sim, s->body) * g / (s->size * s->size));
    }
    least = isfinite(least) ? least : ABUT_REFERENCE_SIZE;
    double weights = surfaces ? ABUT_PRESSURE_WEIGHTS : ABUT_PRESSURE_WEIGHTS / ABUT_PRESSURE_REACH;
    AbutPressureDef law = {.pressure = sim->def.pressure, .reach = surfaces ? sim->def.reach : 0.0};
    law.reach = law.reach > 0.0 ? law.reach : ABUT_PRESSURE_REACH * least;
    law.pressure = law.pressure > 0.0 ? law.pressure : abut_larger(weights * most, 1e-30);
    set->law = law;
    set->spacing = sim->def.spacing > 0.0 ? sim->def.spacing : ABUT_PRESSURE_SPACING * law.reach;
}

AbutStatus abut_pressure_settle(AbutSimulation *sim, int surfaces, AbutError *error) {
    if (!sim->pressure) {
        sim->pressure = abut_alloc(sizeof *sim->pressure);
        if (!sim->pressure) return abut_fail_memory(error);
        memset(sim->pressure, 0, sizeof *sim->pressure);
    }
    if (sim->pressure->current && sim->pressure->revision == sim->scene->revision) return ABUT_OK;
    choose_law(sim, sim->pressure, surfaces);
    return abut_pressure_set_update(sim->pressure, sim->scene, surfaces, sim->def.threads, error);
}

void abut_pressure_forget(AbutSimulation *sim) {
    if (sim->pressure) abut_pressure_set_free(sim->pressure);
    abut_free(sim->pressure);
    sim->pressure = NULL;
}

/* ---- geometry ---------------------------------------------------------------------------------------------------- */

/* The direction of the force; where its parts are in balance, that of the largest. */
static AbutVec3 normal_of(const AbutPressure *p) {
    AbutVec3 n = p->force;
    double most = 0.0;
    for (int i = 0; i < p->point_count && abut_length(p->force) <= ABUT_PRESSURE_BALANCE * p->load; ++i)
        if (p->point[i].load > most) most = p->point[i].load, n = p->point[i].force;
    return abut_normalize_or(n, abut_axis(2));
}

static void place_point(
    AbutSolverContact *c, int i, const struct AbutPressurePoint *from, AbutVec3 center, AbutMat3 frame) {
    AbutVec3 r = abut_mat3_apply_t(frame, abut_sub(from->place, center)), n = abut_mat3_apply_t(frame, from->normal);
    double *at = &c->room->number[AT_POINT + 4 * i];
    c->point[i].x = c->point[i].xt = r.x;
    c->point[i].y = c->point[i].yt = r.y;
    at[0] = n.x, at[1] = n.y, at[2] = n.z, at[3] = r.z;
    c->room->number[AT_STIFF + i] = from->stiffness;
    c->room->number[AT_PUSH + i] = abut_larger(0.0, abut_dot(from->force, from->normal));
}

static void set_wrench(AbutSolverContact *c, const AbutPressure *p, AbutVec3 origin, AbutMat3 frame) {
    AbutVec3 torque = abut_add(p->torque, abut_cross(abut_sub(origin, p->center), p->force));
    AbutVec3 f = abut_mat3_apply_t(frame, p->force), t = abut_mat3_apply_t(frame, torque);
    const double w[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
    memcpy(&c->room->number[AT_WRENCH], w, sizeof w);
}

/* Frame, center and points, from the axes of the shape of A. 0: no memory. */
static int set_geometry(AbutSimulation *sim, AbutSolverContact *c, const AbutPressure *p, AbutVec3 origin, int worker) {
    AbutTouch *t = c->touch;
    const AbutShape *shape = &sim->scene->shape[t->shape_a];
    AbutVec3 nu = normal_of(p), e1 = abut_perpendicular(nu), e2 = abut_cross(nu, e1);
    AbutMat3 frame = abut_mat3(e1, e2, nu);
    t->nu_a = abut_mat3_apply(shape->local_rotation, nu);
    t->e1_a = abut_mat3_apply(shape->local_rotation, e1);
    t->e2_a = abut_mat3_apply(shape->local_rotation, e2);
    t->p_a = abut_add(shape->local_p, abut_mat3_apply(shape->local_rotation, p->center));
    int good = abut_contact_set_count(&sim->contacts, c, p->point_count, worker);
    for (int i = 0; i < c->count; ++i) place_point(c, i, &p->point[i], p->center, frame);
    set_wrench(c, p, origin, frame);
    t->area = p->area;
    t->built_depth = abut_larger(0.0, -p->nearest);
    t->root = sqrt(abut_contact_size(sim, c) / ABUT_REFERENCE_SIZE);
    c->ell = sqrt(abut_larger(p->area, 0.0));
    return good;
}

int abut_pressed_build(AbutSimulation *sim, AbutSolverContact *c, int worker, AbutPressFunction *press) {
    AbutTouch *t = c->touch;
    AbutPressure p;
    AbutPose b_in_a = abut_contact_shape_pose(sim->scene, t->shape_a, t->shape_b);
    if (!press(sim, c, &p) || !(p.load > 0.0) || !set_geometry(sim, c, &p, b_in_a.p, worker)) return 0;
    abut_contact_pose(&sim->mover[c->body_a], &sim->mover[c->body_b], &t->built_rotation, &t->built_position);
    abut_contact_follow(sim, c, &t->built_rotation, t->built_position);
    t->whole = 1;
    for (int i = 0; i < c->count; ++i) t->vertex[i].thickness = t->vertex[i].built = 0.0;
    abut_contact_set_response(sim, c);
    return 1;
}

/* ---- damping and friction ---------------------------------------------------------------------------------------- */

static AbutVec3 point_normal(const AbutSolverContact *c, int i) {
    const double *at = &c->room->number[AT_POINT + 4 * i];
    return abut_vec3(at[0], at[1], at[2]);
}

static AbutVec3 point_place(const AbutSolverContact *c, int i) {
    return abut_vec3(c->point[i].x, c->point[i].y, c->room->number[AT_POINT + 4 * i + 3]);
}

/* Part of the critical damping that a linear oscillator bounces with so much of its speed by. */
static double damping_ratio(double restitution) {
    if (restitution >= 1.0) return 0.0;
    if (restitution <= ABUT_PRESSURE_DEAD) return 1.0;
    double log = abut_ln(restitution);
    return -log / sqrt(ABUT_PI * ABUT_PI + log * log);
}

static void set_friction(const AbutSimulation *sim, AbutSolverContact *c) {
    double u[6], speed = abut_contact_speed(sim, c),
                 stick = sim->def.stick_speed >= 0.0 ? sim->def.stick_speed : ABUT_STICK_SPEED * speed;
    abut_contact_start_velocity(sim, c, abut_zero(), u);
    for (int i = 0; i < c->count; ++i) {
        AbutVec3 n = point_normal(c, i), v = abut_point_velocity(point_place(c, i), u),
                 slip = abut_sub(v, abut_scale(n, abut_dot(n, v)));
        c->point[i].mu = abut_length(slip) < stick ? c->touch->mu_static : c->touch->mu_kinetic;
    }
}

void abut_pressed_begin(AbutSimulation *sim, AbutSolverContact *c, int worker) {
    double h = sim->constants.dt, kick = sim->constants.kick, pulse = 0.0;
    (void)worker;
    set_friction(sim, c);
    for (int k = 0; k < 6; ++k) c->room->number[AT_WRENCH + k] *= kick;
    abut_contact_apply(sim, c, &c->room->number[AT_WRENCH]);
    for (int i = 0; i < c->count; ++i)
        pulse += c->room->number[AT_STIFF + i] * abut_point_response(c, point_place(c, i), point_normal(c, i));
    double lag = pulse > 0.0 ? 2.0 * damping_ratio(c->touch->restitution) / sqrt(pulse) : 0.0;
    c->room->number[AT_PULSE] = pulse;
    for (int i = 0; i < c->count; ++i) {
        AbutVec3 push = abut_scale(point_normal(c, i), kick * c->room->number[AT_PUSH + i]);
        c->room->number[AT_DAMPING + i] = h * lag * c->room->number[AT_STIFF + i];
        c->point[i].t1 = push.x, c->point[i].t2 = push.y, c->point[i].n = push.z;
    }
}

/* Impulse along the normal after damping: it brakes, and never pulls. */
static double damped(const AbutSolverContact *c, int i, double push, double speed, double response, double least) {
    double damping = c->room->number[AT_DAMPING + i],
           now = damping * (response * (push - least) - speed) / (1.0 + damping * response);
    return abut_larger(least + now, 0.0);
}

static void solve_point(AbutSimulation *sim, AbutSolverContact *c, int i, double u[6], double w[6]) {
    AbutSolverVertex *v = &c->point[i];
    AbutVec3 p = point_place(c, i), n = point_normal(c, i), old = abut_vec3(v->t1, v->t2, v->n);
    double kn = abut_point_response(c, p, n), push = abut_dot(n, old),
           base = sim->constants.kick * c->room->number[AT_PUSH + i];
    double next = damped(c, i, push, abut_dot(n, abut_point_velocity(p, u)), kn, base);
    abut_point_add(c, p, abut_scale(n, next - push), u, w);
    AbutVec3 across = abut_sub(old, abut_scale(n, push)), slip = abut_point_velocity(p, u);
    slip = abut_sub(slip, abut_scale(n, abut_dot(n, slip)));
    AbutVec3 e1 = abut_perpendicular(n), e2 = abut_cross(n, e1);
    double k = abut_larger(abut_point_response(c, p, e1), abut_point_response(c, p, e2)), most = v->mu * next;
    AbutVec3 friction = k > 0.0 ? abut_sub(across, abut_scale(slip, 1.0 / k)) : across;
    double length = abut_length(friction);
    c->sliding[i] = length > most;
    if (c->sliding[i]) friction = abut_scale(friction, most / length);
    abut_point_add(c, p, abut_sub(friction, across), u, w);
    AbutVec3 now = abut_add(friction, abut_scale(n, next));
    v->t1 = now.x, v->t2 = now.y, v->n = now.z;
}

double abut_pressed_visit(AbutSimulation *sim, AbutSolverContact *c, int backward, int worker) {
    double u[6], before[6], w[6] = {0, 0, 0, 0, 0, 0}, change = 0.0;
    (void)worker;
    abut_contact_velocity(sim, c, u);
    memcpy(before, u, sizeof before);
    for (int i = 0; i < c->count; ++i) solve_point(sim, c, backward ? c->count - 1 - i : i, u, w);
    abut_contact_apply(sim, c, w);
    for (int k = 0; k < 6; ++k) {
        double d = (k < 3 ? 1.0 : c->ell) * (u[k] - before[k]);
        c->room->number[AT_WRENCH + k] += w[k];
        change += d * d;
    }
    return change;
}

/* ---- step size --------------------------------------------------------------------------------------------------- */

static double fastest(const AbutSimulation *sim) {
    double most = 0.0;
    for (int32_t i = 0; i < sim->scene->shape_places; ++i) {
        const AbutShape *s = &sim->scene->shape[i];
        const AbutBody *body = &sim->scene->body[s->body];
        if (s->alive && !s->def.visual && s->polyhedron && body->kind != ABUT_BODY_STATIC)
            most = abut_larger(most, abut_length(body->v) + abut_length(body->w) * s->bound_radius);
    }
    return most;
}

double abut_pressed_longest(const AbutSimulation *sim) {
    double pulse = 0.0, speed = fastest(sim);
    for (int32_t k = 0; k < sim->islands.order_count; ++k)
        pulse = abut_larger(pulse, abut_ordered_contact(sim, k)->room->number[AT_PULSE]);
    return abut_smaller(pulse > 0.0 ? ABUT_PRESSURE_TURN / sqrt(pulse) : INFINITY,
        speed > 0.0 ? ABUT_PRESSURE_PART * sim->pressure->law.reach / speed : INFINITY);
}
