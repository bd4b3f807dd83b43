/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts from pairs: the geometry stage of a step.
 *
 * Every candidate pair is looked at once. A contact whose bodies have not moved against each other keeps its polygon
 * and its responses, which are constant in the frame of A, and only follows A through the world; the thickness at its
 * vertices follows the little that did change. Otherwise it is built anew (contact_build.c).
 *
 * The stage runs in two parallel loops with a serial one between, so that contacts get their places in a fixed order:
 * sort the pairs into gone / kept / to build; give places; build.
 */
#include "dynamics/mover.h"

#include <string.h>

enum { PAIR_APART = 0, PAIR_KEPT, PAIR_BUILD, PAIR_IDLE };

/* Shapes and bodies of a pair in the order of a contact: A is the immovable one, or else that of the higher shape. */
typedef struct Sides {
    int32_t shape_a, shape_b, body_a, body_b;
} Sides;

static Sides pair_sides(const AbutSimulation *sim, const AbutScenePair *pair)
{
    const AbutShape *shape = sim->scene->shape;
    int fixed = sim->mover[shape[pair->a].body].inv_mass == 0.0;
    int32_t a = fixed ? pair->a : pair->b, b = fixed ? pair->b : pair->a;
    Sides s = {a, b, shape[a].body, shape[b].body};
    return s;
}

static int is_coherent(const AbutSimulation *sim, const AbutSolverContact *c, const AbutMat3 *r, AbutVec3 p)
{
    double limit = sim->contacts.coherence * abut_contact_size(sim, c);
    if (sim->mover[c->body_a].locked || sim->mover[c->body_b].locked)
        return 0; /* responses depend on where the axes of the world lie */
    double shift = abut_max_abs(abut_sub(p, c->built_position));
    if (!(shift < limit))
        return 0;
    AbutMat3 d = abut_mat3_sub(*r, c->built_rotation);
    double turned = abut_larger(abut_max_abs(d.x), abut_larger(abut_max_abs(d.y), abut_max_abs(d.z)));
    return shift + turned * (fabs(c->rb.x) + fabs(c->rb.y) + fabs(c->rb.z)) < limit;
}

/* Centre of the bounding sphere of a shape, in the world. */
static AbutVec3 bound_center(const AbutSolverBody *mover, const AbutShape *shape)
{
    return abut_add(mover->x, abut_mat3_apply(mover->rotation, shape->bound_center));
}

/* Are the bounding spheres apart by more than the margins? */
static int spheres_apart(const AbutSimulation *sim, Sides s, int32_t pair)
{
    const AbutShape *a = &sim->scene->shape[s.shape_a], *b = &sim->scene->shape[s.shape_b];
    AbutVec3 between = abut_sub(bound_center(&sim->mover[s.body_b], b), bound_center(&sim->mover[s.body_a], a));
    double reach = abut_grown_whole(&sim->shapes.grown, sim->scene, s.shape_a, pair)->reach +
                   abut_grown_whole(&sim->shapes.grown, sim->scene, s.shape_b, pair)->reach;
    return abut_length_sq(between) > reach * reach;
}

/* The same by the exact distance, where one of them is round; the normal serves the next question. */
static int are_near(const AbutGrownBody *a, const AbutGrownBody *b, AbutPose b_in_a, AbutPairMemory *memory)
{
    AbutPatchPair pair = {.a = a, .b = b, .b_in_a = b_in_a, .last_normal = memory->cache.direction};
    AbutRoundHit hit;
    int near = abut_round_distance(&pair, a->margin + b->margin, &hit);
    if (near >= 0)
        memory->cache.direction = hit.normal;
    return near > 0;
}

/* Do the grown shapes meet? */
static int may_overlap(const AbutSimulation *sim, Sides s, int32_t pair, AbutPairMemory *memory)
{
    const AbutGrownBody *a = abut_grown_side(&sim->shapes.grown, sim->scene, s.shape_a, pair),
                        *b = abut_grown_side(&sim->shapes.grown, sim->scene, s.shape_b, pair);
    if (spheres_apart(sim, s, pair))
        return 0;
    AbutGrownBody room;
    a = abut_grown_beside(a, b, &room);
    AbutPose pose = abut_contact_shape_pose(sim->scene, s.shape_a, s.shape_b);
    if (a->round || b->round)
        return are_near(a, b, pose, memory);
    return abut_convex_meet(&a->convex, &b->convex, pose, &memory->cache) > 0;
}

/* ---- the stage --------------------------------------------------------------------------------------------------- */

static int is_awake(const AbutSolverBody *mover)
{
    return !mover->asleep && mover->kind != ABUT_BODY_STATIC;
}

static void sort_pairs(int begin, int end, int worker, void *user)
{
    AbutSimulation *sim = user;
    (void)worker;
    for (int k = begin; k < end; ++k) {
        int32_t i = sim->awake.pair[k];
        const AbutScenePair *pair = &sim->scene->pair[i];
        AbutPairMemory *memory = &sim->contacts.memory[i];
        Sides s = pair_sides(sim, pair);
        const AbutSolverBody *a = &sim->mover[s.body_a], *b = &sim->mover[s.body_b];
        if (!is_awake(a) && !is_awake(b)) {
            memory->state = PAIR_IDLE;
            continue;
        }
        AbutMat3 r;
        AbutVec3 p;
        abut_contact_pose(a, b, &r, &p);
        if (memory->contact >= 0 && is_coherent(sim, &sim->contacts.at[memory->contact], &r, p)) {
            abut_contact_follow(sim, &sim->contacts.at[memory->contact], &r, p);
            memory->state = PAIR_KEPT;
            continue;
        }
        memory->state = memory->contact >= 0 || may_overlap(sim, s, i, memory) ? PAIR_BUILD : PAIR_APART;
    }
}

static void build_contacts(int begin, int end, int worker, void *user)
{
    AbutSimulation *sim = user;
    for (int k = begin; k < end; ++k) {
        AbutPairMemory *memory = &sim->contacts.memory[sim->awake.pair[k]];
        const AbutPairMemory *next = &sim->contacts.memory[sim->awake.pair[k + 1 < end ? k + 1 : k]];
        if (next->state == PAIR_BUILD)
            abut_contact_fetch(&sim->contacts.at[next->contact]);
        if (memory->state != PAIR_BUILD)
            continue;
        AbutSolverContact *c = &sim->contacts.at[memory->contact];
        if (!(sim->model->build ? sim->model->build(sim, c, worker) : abut_contact_build(sim, c, worker)))
            memory->state = PAIR_APART;
    }
}

static void free_contact(AbutSimulation *sim, AbutPairMemory *memory)
{
    AbutSolverContact *c = &sim->contacts.at[memory->contact];
    if (c->known)
        abut_event_contact(sim, c, ABUT_EVENT_END);
    c->alive = 0;
    c->pair = sim->contacts.free;
    sim->contacts.free = memory->contact;
    memory->contact = -1;
}

/* Friction may be changed while bodies touch. */
static void set_material(AbutSolverContact *c, const AbutScenePair *pair)
{
    c->mu_static = pair->friction;
    c->mu_kinetic = pair->friction_kinetic;
    c->restitution = pair->restitution;
    c->spinning_length = pair->friction_spinning;
    c->rolling_length = pair->friction_rolling;
}

/* Velocity of the surface of a shape against its body, in the world. */
static AbutVec3 surface_of(const AbutSimulation *sim, int32_t place)
{
    const AbutShape *shape = &sim->scene->shape[place];
    return abut_mat3_apply(
        sim->mover[shape->body].rotation, abut_mat3_apply(shape->local_rotation, shape->def.material.surface_velocity));
}

static void set_surface(const AbutSimulation *sim, AbutSolverContact *c)
{
    const AbutShape *shape = sim->scene->shape;
    c->moving = abut_max_abs(shape[c->shape_a].def.material.surface_velocity) > 0.0 ||
                abut_max_abs(shape[c->shape_b].def.material.surface_velocity) > 0.0;
    if (!c->moving)
        return;
    AbutVec3 s = abut_sub(surface_of(sim, c->shape_b), surface_of(sim, c->shape_a));
    c->surface[0] = abut_dot(c->e1, s);
    c->surface[1] = abut_dot(c->e2, s);
}

/* ---- the rule of the caller -------------------------------------------------------------------------------------- */

void abut_simulation_set_contact_rule(AbutSimulation *sim, AbutContactRule *rule, void *user)
{
    ABUT_ASSERT(sim);
    sim->contacts.rule = rule;
    sim->contacts.rule_user = user;
    abut_simulation_wake_all(sim); /* it decides about what sleeps, too */
}

static int is_law(const AbutContactLaw *law)
{
    return law->friction_kinetic >= 0.0 && law->friction_kinetic <= law->friction && isfinite(law->friction) &&
           law->restitution >= 0.0 && law->restitution <= 1.0;
}

/* No impulse is left of a contact that does not push: it begins anew when it does. */
static void let_go(AbutSolverContact *c)
{
    for (int i = 0; i < c->count; ++i)
        c->point[i].n = c->point[i].t1 = c->point[i].t2 = c->point[i].last_n = 0.0;
    memset(c->torque, 0, sizeof c->torque);
}

/* Asks the rule about a contact between shapes that push. */
static AbutStatus ask_rule(AbutSimulation *sim, AbutSolverContact *c, AbutError *error)
{
    AbutContactLaw law = {c->mu_static, c->mu_kinetic, c->restitution};
    AbutContact contact;
    c->depth = abut_contact_depth(c);
    abut_contact_read(sim, c, &contact);
    c->sensor = !sim->contacts.rule(sim, &contact, &law, sim->contacts.rule_user);
    if (!is_law(&law))
        return abut_fail(error, ABUT_ERROR_NUMBER,
            "rule of contacts: friction %g, kinetic %g, restitution %g: not 0 <= kinetic <= static, 0 to 1",
            law.friction, law.friction_kinetic, law.restitution);
    c->mu_static = law.friction;
    c->mu_kinetic = law.friction_kinetic;
    c->restitution = law.restitution;
    if (c->sensor)
        let_go(c);
    return ABUT_OK;
}

static int has_sensor(const AbutSimulation *sim, const AbutSolverContact *c)
{
    return sim->scene->shape[c->shape_a].def.sensor || sim->scene->shape[c->shape_b].def.sensor;
}

/* Lever of the resistance to rocking: a part of the smaller body; round shapes roll freely. */
static double rolling_length(const AbutSimulation *sim, Sides s)
{
    const AbutShape *shape = sim->scene->shape;
    if (abut_geometry_is_round(shape[s.shape_a].def.geometry) || abut_geometry_is_round(shape[s.shape_b].def.geometry))
        return 0.0;
    return sim->def.rolling *
           abut_smaller(sim->shapes.grown.of_shape[s.shape_b]->size, sim->shapes.grown.of_shape[s.shape_a]->size);
}

/* A place for the contact of pair i, zeroed. */
static int take_contact(AbutSimulation *sim, int i)
{
    int32_t place = sim->contacts.free;
    if (place >= 0) {
        sim->contacts.free = sim->contacts.at[place].pair;
    } else {
        if (!abut_grow((void **)&sim->contacts.at, &sim->contacts.capacity, (size_t)sim->contacts.places + 1,
                sizeof *sim->contacts.at))
            return 0;
        place = sim->contacts.places++;
    }
    const AbutScenePair *pair = &sim->scene->pair[i];
    Sides s = pair_sides(sim, pair);
    AbutSolverContact *c = &sim->contacts.at[place];
    memset(c, 0, sizeof *c);
    c->pair = i;
    c->alive = 1;
    c->serial = pair->serial;
    c->shape_a = s.shape_a, c->shape_b = s.shape_b, c->body_a = s.body_a, c->body_b = s.body_b;
    c->rolling = rolling_length(sim, s);
    c->sensor = has_sensor(sim, c);
    sim->contacts.memory[i].contact = place;
    return 1;
}

/* Memory of pairs in step with the pool: a place with a new serial begins anew. */
static int follow_pairs(AbutSimulation *sim)
{
    AbutScene *scene = sim->scene;
    if (sim->awake.pairs_listed && sim->awake.seen_pairs == scene->pair_changes)
        return 1;
    if (!abut_grow((void **)&sim->contacts.memory, &sim->contacts.memory_capacity, (size_t)scene->pair_places,
            sizeof *sim->contacts.memory))
        return 0;
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        AbutPairMemory *memory = &sim->contacts.memory[i];
        int fresh = i >= sim->contacts.memory_count;
        if (!fresh && memory->serial == scene->pair[i].serial && scene->pair[i].alive)
            continue;
        if (!fresh && memory->contact >= 0)
            free_contact(sim, memory);
        memset(memory, 0, sizeof *memory);
        memory->serial = scene->pair[i].serial;
        memory->contact = -1;
    }
    sim->contacts.memory_count = scene->pair_places;
    return abut_awake_list_pairs(sim);
}

/* Other shapes, masses or margins than last time: what was built no longer holds. */
static void forget_geometry(AbutSimulation *sim)
{
    if (abut_margin_rule_same(sim->contacts.margins, sim->constants.margins) &&
        sim->contacts.revision == sim->scene->revision)
        return;
    for (int32_t k = 0; k < sim->contacts.places; ++k)
        sim->contacts.at[k].built_position.x = INFINITY; /* never coherent */
    sim->contacts.margins = sim->constants.margins;
    sim->contacts.revision = sim->scene->revision;
}

void abut_contacts_free(AbutContacts *contacts)
{
    abut_free(contacts->at);
    abut_free(contacts->memory);
    abut_free(contacts->seat_first);
}

AbutStatus abut_stage_contacts(AbutSimulation *sim, AbutError *error)
{
    enum { GRAIN = 64 };
    if (!follow_pairs(sim))
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d pairs", sim->scene->pair_places);
    AbutStatus made = abut_grown_set_pieces(&sim->shapes.grown, sim->scene, error);
    if (made != ABUT_OK)
        return made;
    int count = sim->awake.pair_count;
    forget_geometry(sim);
    abut_parallel_for(count, GRAIN, sim->def.threads, sort_pairs, sim);
    for (int k = 0; k < count; ++k) {
        const AbutPairMemory *memory = &sim->contacts.memory[sim->awake.pair[k]];
        if (memory->state == PAIR_BUILD && memory->contact < 0 && !take_contact(sim, sim->awake.pair[k]))
            return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d contacts", sim->contacts.places + 1);
    }
    abut_parallel_for(count, GRAIN, sim->def.threads, build_contacts, sim);
    int seams = abut_seams_begin(sim);
    if (seams < 0)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d shapes", sim->scene->shape_places);
    AbutStepReport *report = &sim->report;
    report->candidates = sim->awake.all_pairs;
    report->contacts = sim->awake.settled_contacts;
    report->vertices = sim->awake.settled_vertices;
    report->rebuilt = 0;
    for (int k = 0; k < count; ++k) {
        int32_t i = sim->awake.pair[k];
        AbutPairMemory *memory = &sim->contacts.memory[i];
        report->rebuilt += memory->state == PAIR_BUILD;
        if (seams > 0 && memory->contact >= 0 && abut_contact_on_seam(sim, &sim->contacts.at[memory->contact]))
            memory->state = PAIR_APART;
        if (memory->state == PAIR_APART && memory->contact >= 0)
            free_contact(sim, memory);
        if (memory->contact < 0)
            continue;
        AbutSolverContact *c = &sim->contacts.at[memory->contact];
        set_material(c, &sim->scene->pair[i]);
        memset(c->impact, 0, sizeof c->impact);
        set_surface(sim, c);
        c->sensor = memory->state == PAIR_IDLE ? c->sensor : has_sensor(sim, c);
        AbutStatus status =
            sim->contacts.rule && memory->state != PAIR_IDLE && !c->sensor ? ask_rule(sim, c, error) : ABUT_OK;
        if (status != ABUT_OK)
            return status;
        report->contacts += !c->sensor;
        report->vertices += c->sensor ? 0 : c->count;
        if (!c->known)
            abut_event_contact(sim, c, ABUT_EVENT_BEGIN);
        c->known = 1;
    }
    return abut_awake_touched(sim) ? ABUT_OK : abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the bodies awake");
}
