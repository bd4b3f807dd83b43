/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The law of a contact in this step: friction and restitution of the pair, moving surfaces, sensors, and the rule of
 * the caller, which may change all of that.
 */
#include "dynamics/mover.h"

#include <string.h>

void abut_simulation_set_contact_rule(AbutSimulation *sim,
    int (*rule)(const AbutSimulation *, const AbutContact *, AbutContactLaw *, void *), void *user) {
    ABUT_ASSERT(sim);
    sim->contacts.rule = rule;
    sim->contacts.rule_user = user;
    abut_simulation_wake_all(sim); /* it decides about what sleeps, too */
}

/* Friction may be changed while bodies touch. */
static void set_material(AbutSolverContact *c, const AbutScenePair *pair) {
    c->touch->mu_static = pair->friction;
    c->touch->mu_kinetic = pair->friction_kinetic;
    c->touch->restitution = pair->restitution;
    c->spinning_length = pair->friction_spinning;
    c->rolling_length = pair->friction_rolling;
}

/* Velocity of the surface of a shape against its body, in the world. */
static AbutVec3 surface_of(const AbutSimulation *sim, const AbutShape *shape) {
    return abut_mat3_apply(
        sim->mover[shape->body].rotation, abut_mat3_apply(shape->local_rotation, shape->def.material.surface_velocity));
}

static void set_surface(const AbutSimulation *sim, AbutSolverContact *c, const AbutShape *a, const AbutShape *b) {
    c->moving =
        abut_max_abs(a->def.material.surface_velocity) > 0.0 || abut_max_abs(b->def.material.surface_velocity) > 0.0;
    if (!c->moving) return;
    AbutVec3 s = abut_sub(surface_of(sim, b), surface_of(sim, a));
    c->surface[0] = abut_dot(c->e1, s);
    c->surface[1] = abut_dot(c->e2, s);
}

static int is_law(const AbutContactLaw *law) {
    return law->friction_kinetic >= 0.0 && law->friction_kinetic <= law->friction && isfinite(law->friction) &&
           law->restitution >= 0.0 && law->restitution <= 1.0;
}

/* No impulse is left of a contact that does not push: it begins anew when it does. */
static void let_go(AbutSolverContact *c) {
    for (int i = 0; i < c->count; ++i)
        c->point[i].n = c->point[i].t1 = c->point[i].t2 = c->touch->vertex[i].last_n = 0.0;
    memset(c->torque, 0, sizeof c->torque);
}

/* Asks the rule about a contact between shapes that push. */
static AbutStatus ask_rule(AbutSimulation *sim, AbutSolverContact *c, AbutError *error) {
    AbutTouch *t = c->touch;
    AbutContactLaw law = {t->mu_static, t->mu_kinetic, t->restitution};
    AbutContact contact;
    t->depth = abut_contact_depth(c);
    abut_contact_read(sim, c, &contact);
    t->sensor = !sim->contacts.rule(sim, &contact, &law, sim->contacts.rule_user);
    if (!is_law(&law))
        return abut_fail(error, ABUT_ERROR_NUMBER,
            "rule of contacts: friction %g, kinetic %g, restitution %g: not 0 <= kinetic <= static, 0 to 1",
            law.friction, law.friction_kinetic, law.restitution);
    t->mu_static = law.friction;
    t->mu_kinetic = law.friction_kinetic;
    t->restitution = law.restitution;
    if (t->sensor) let_go(c);
    return ABUT_OK;
}

AbutStatus abut_contact_set_law(AbutSimulation *sim, AbutSolverContact *c, int idle, AbutError *error) {
    AbutTouch *t = c->touch;
    const AbutShape *a = &sim->scene->shape[t->shape_a], *b = &sim->scene->shape[t->shape_b];
    set_material(c, &sim->scene->pair[t->pair]);
    set_surface(sim, c, a, b);
    memset(t->impact, 0, sizeof t->impact);
    if (idle) return ABUT_OK;
    t->sensor = a->def.sensor || b->def.sensor;
    return sim->contacts.rule && !t->sensor ? ask_rule(sim, c, error) : ABUT_OK;
}
