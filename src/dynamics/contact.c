/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts from pairs: the geometry stage of a step.
 *
 * Every candidate pair is looked at once; one that is apart only when its bodies may have met since (apart.c). A
 * contact whose bodies have not moved against each other keeps its polygon and its responses, which are constant in the
 * frame of A, and only follows A through the world; the thickness at its vertices follows the little that did change.
 * Otherwise it is built anew (contact_build.c).
 *
 * The stage runs in two parallel loops with a serial one between, so that contacts get their places in a fixed order:
 * sort the pairs into gone / kept / to build; give places; build.
 */
#include "dynamics/mesh_contact.h"
#include "dynamics/tolerance.h"

#include <string.h>

enum { PAIR_APART = 0, PAIR_KEPT, PAIR_BUILD, PAIR_IDLE, PAIR_MEASURE };

static AbutPairSides pair_sides(const AbutSimulation *sim, const AbutScenePair *pair) {
    const AbutShape *shape = sim->scene->shape;
    int fixed = sim->mover[shape[pair->a].body].inv_mass == 0.0;
    int32_t a = fixed ? pair->a : pair->b, b = fixed ? pair->b : pair->a;
    AbutPairSides s = {a, b, shape[a].body, shape[b].body};
    return s;
}

/* How far points of B have moved against A since the last build, in all directions. */
static double way_since_built(const AbutSolverContact *c, const AbutMat3 *r, AbutVec3 p) {
    const AbutTouch *t = c->touch;
    AbutMat3 d = abut_mat3_sub(*r, t->built_rotation);
    double turned = abut_larger(abut_max_abs(d.x), abut_larger(abut_max_abs(d.y), abut_max_abs(d.z)));
    return abut_max_abs(abut_sub(p, t->built_position)) + turned * (fabs(c->rb.x) + fabs(c->rb.y) + fabs(c->rb.z));
}

/*
 * May a contact keep its polygon? Where its bodies have hardly moved; and where faces lie on each other with all
 * corners of the polygon, for a little longer: there the thickness follows exactly, and the outline lags by no more
 * than the faces slide. Models that look at every build get every one, and so do robots: a stack that a finger rests on
 * trembles more with outlines that lag.
 */
static int is_coherent(const AbutSimulation *sim, const AbutSolverContact *c, const AbutMat3 *r, AbutVec3 p) {
    if (sim->mover[c->body_a].locked || sim->mover[c->body_b].locked)
        return 0; /* responses depend on where the axes of the world lie */
    double way = way_since_built(c, r, p);
    if (way < sim->contacts.coherence * abut_contact_size(sim, c)) return 1;
    return c->touch->flat && sim->contacts.coherence > 0.0 && !sim->model->built && !sim->trees &&
           way < ABUT_OUTLINE * c->ell && abut_contact_thin(c, r, p) > 0.0;
}

/* ---- the stage --------------------------------------------------------------------------------------------------- */

static int is_awake(const AbutSolverBody *mover) { return !mover->asleep && mover->kind != ABUT_BODY_STATIC; }

/* Contacts of a pair of meshes that may be kept, or whether it is to be measured. */
static void sort_mesh_pair(AbutSimulation *sim, AbutPairSides s, int32_t i, AbutPairMemory *memory) {
    AbutMat3 r;
    AbutVec3 p;
    abut_contact_pose(&sim->mover[s.body_a], &sim->mover[s.body_b], &r, &p);
    int known = memory->contact >= 0 && sim->contacts.touch[memory->contact].mesh;
    if (known && is_coherent(sim, &sim->contacts.at[memory->contact], &r, p)) {
        for (int32_t place = memory->contact; place >= 0; place = sim->contacts.touch[place].next - 1)
            abut_contact_follow(sim, &sim->contacts.at[place], &r, p);
        memory->state = PAIR_KEPT;
        return;
    }
    memory->state = abut_mesh_pair_is_near(sim, s, i) ? PAIR_MEASURE : PAIR_APART;
}

static void sort_pairs(int begin, int end, int worker, void *user) {
    AbutSimulation *sim = user;
    (void)worker;
    for (int k = begin; k < end; ++k) {
        int32_t i = sim->awake.pair[k];
        const AbutScenePair *pair = &sim->scene->pair[i];
        AbutPairMemory *memory = &sim->contacts.memory[i];
        AbutPairSides s = pair_sides(sim, pair);
        const AbutSolverBody *a = &sim->mover[s.body_a], *b = &sim->mover[s.body_b];
        if (!is_awake(a) && !is_awake(b)) {
            memory->state = PAIR_IDLE;
            continue;
        }
        if (abut_pair_is_mesh(sim, i)) {
            sort_mesh_pair(sim, s, i, memory);
            continue;
        }
        if (memory->contact < 0) {
            memory->state = abut_pair_may_meet(sim, s, i, memory) ? PAIR_BUILD : PAIR_APART;
            continue;
        }
        AbutSolverContact *c = &sim->contacts.at[memory->contact];
        AbutMat3 r;
        AbutVec3 p;
        abut_contact_pose(a, b, &r, &p);
        memory->state = is_coherent(sim, c, &r, p) ? PAIR_KEPT : PAIR_BUILD;
        if (memory->state == PAIR_KEPT) abut_contact_follow(sim, c, &r, p);
    }
}

static void build_contacts(int begin, int end, int worker, void *user) {
    AbutSimulation *sim = user;
    for (int k = begin; k < end; ++k) {
        AbutPairMemory *memory = &sim->contacts.memory[sim->awake.build[k]];
        if (k + 1 < end) abut_contact_fetch(&sim->contacts.at[sim->contacts.memory[sim->awake.build[k + 1]].contact]);
        if (abut_pair_is_mesh(sim, sim->awake.build[k])) {
            abut_mesh_pair_build(sim, sim->awake.build[k], worker);
            continue;
        }
        AbutSolverContact *c = &sim->contacts.at[memory->contact];
        if (!(sim->model->build ? sim->model->build(sim, c, worker) : abut_contact_build(sim, c, worker)))
            memory->state = PAIR_APART;
    }
}

static void free_contact(AbutSimulation *sim, AbutPairMemory *memory) {
    AbutSolverContact *c = &sim->contacts.at[memory->contact];
    if (c->touch->known) abut_event_contact(sim, c, ABUT_EVENT_END);
    for (int32_t place = memory->contact, next; place >= 0; place = next) {
        next = sim->contacts.touch[place].next - 1;
        abut_contact_give_back(&sim->contacts, place);
    }
    memory->contact = -1;
}

/* Lever of the resistance to rocking: a part of the smaller body; round shapes roll freely. */
static double rolling_length(const AbutSimulation *sim, AbutPairSides s) {
    const AbutShape *shape = sim->scene->shape;
    if (abut_geometry_is_round(shape[s.shape_a].def.geometry) || abut_geometry_is_round(shape[s.shape_b].def.geometry))
        return 0.0;
    return sim->def.rolling *
           abut_smaller(sim->shapes.grown.of_shape[s.shape_b]->size, sim->shapes.grown.of_shape[s.shape_a]->size);
}

/* A place for a contact of pair i; -1: no memory. */
static int32_t take_place(AbutSimulation *sim, int32_t i) {
    const AbutScenePair *pair = &sim->scene->pair[i];
    const AbutShape *shape = sim->scene->shape;
    int32_t place = abut_contact_take(&sim->contacts);
    if (place < 0) return place;
    AbutPairSides s = pair_sides(sim, pair);
    AbutSolverContact *c = &sim->contacts.at[place];
    AbutTouch *t = c->touch;
    c->body_a = s.body_a, c->body_b = s.body_b;
    t->shape_a = s.shape_a, t->shape_b = s.shape_b;
    t->pair = i;
    t->serial = pair->serial;
    t->rolling = rolling_length(sim, s);
    t->sensor = shape[s.shape_a].def.sensor || shape[s.shape_b].def.sensor;
    return place;
}

/* As many contacts as pair i has patches; those that it has stay, as far as they are needed. 0: no memory. */
static int take_chain(AbutSimulation *sim, int32_t i) {
    AbutPairMemory *memory = &sim->contacts.memory[i];
    int32_t count = sim->meshes->memory[i].patch_count, last = -1, place = memory->contact;
    memory->state = count > 0 ? PAIR_BUILD : PAIR_APART;
    if (count == 0) return 1;
    for (int32_t have = 0; have < count; ++have) {
        if (place < 0) {
            place = take_place(sim, i);
            if (place < 0) return 0;
            if (last < 0)
                memory->contact = place;
            else
                sim->contacts.touch[last].next = place + 1;
        }
        last = place;
        place = sim->contacts.touch[place].next - 1;
    }
    sim->contacts.touch[last].next = 0;
    for (int32_t next; place >= 0; place = next) {
        next = sim->contacts.touch[place].next - 1;
        abut_contact_give_back(&sim->contacts, place);
    }
    sim->contacts.chained = 1;
    return 1;
}

static void measure_pairs(int begin, int end, int worker, void *user) {
    AbutSimulation *sim = user;
    for (int k = begin; k < end; ++k) {
        int32_t i = sim->awake.pair[k];
        if (sim->contacts.memory[i].state == PAIR_MEASURE)
            abut_mesh_pair_measure(sim, pair_sides(sim, &sim->scene->pair[i]), i, worker);
    }
}

/* Patches of pairs of meshes, and places for them; 0: no memory. */
static int measure_meshes(AbutSimulation *sim) {
    abut_parallel_for(sim->awake.pair_count, 1, sim->def.threads, measure_pairs, sim);
    int good = !abut_mesh_contacts_starved(sim);
    for (int k = 0; k < sim->awake.pair_count && good; ++k)
        if (sim->contacts.memory[sim->awake.pair[k]].state == PAIR_MEASURE) good = take_chain(sim, sim->awake.pair[k]);
    return good;
}

/* Contacts of meshes that are no longer taken as such begin anew. */
static void drop_chains(AbutSimulation *sim) {
    for (int32_t i = 0; i < sim->contacts.memory_count; ++i) {
        AbutPairMemory *memory = &sim->contacts.memory[i];
        if (memory->contact >= 0 && sim->contacts.touch[memory->contact].mesh && !abut_pair_is_mesh(sim, i))
            free_contact(sim, memory);
    }
    sim->contacts.chained = sim->meshes != NULL;
}

/* Memory of pairs in step with the pool: a place with a new serial begins anew. */
static int follow_pairs(AbutSimulation *sim) {
    AbutScene *scene = sim->scene;
    if (sim->awake.pairs_listed && sim->awake.seen_pairs == scene->pair_changes) return 1;
    if (!abut_grow((void **)&sim->contacts.memory, &sim->contacts.memory_capacity, (size_t)scene->pair_places,
            sizeof *sim->contacts.memory))
        return 0;
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        AbutPairMemory *memory = &sim->contacts.memory[i];
        int fresh = i >= sim->contacts.memory_count;
        if (!fresh && memory->serial == scene->pair[i].serial && scene->pair[i].alive) continue;
        if (!fresh && memory->contact >= 0) free_contact(sim, memory);
        memset(memory, 0, sizeof *memory);
        memory->serial = scene->pair[i].serial;
        memory->contact = -1;
    }
    sim->contacts.memory_count = scene->pair_places;
    return abut_awake_list_pairs(sim);
}

/* Other shapes, masses or margins than last time: what was built no longer holds. */
static void forget_geometry(AbutSimulation *sim) {
    if (abut_margin_rule_same(sim->contacts.margins, sim->constants.margins) &&
        sim->contacts.revision == sim->scene->revision)
        return;
    for (int32_t k = 0; k < sim->contacts.places; ++k)
        sim->contacts.touch[k].built_position.x = INFINITY;                                       /* never coherent */
    for (int32_t k = 0; k < sim->contacts.memory_count; ++k) sim->contacts.memory[k].until = 0.0; /* asked about */
    sim->contacts.margins = sim->constants.margins;
    sim->contacts.revision = sim->scene->revision;
}

/* Does anything of a chain touch? Contacts of meshes are there before they do. */
static int touches(const AbutContacts *contacts, int32_t first) {
    for (int32_t place = first; place >= 0; place = contacts->touch[place].next - 1)
        for (int i = 0; i < contacts->at[place].count; ++i)
            if (contacts->touch[place].vertex[i].thickness > 0.0) return 1;
    return 0;
}

/* Contacts of a pair: their law, their events, their count. */
static AbutStatus keep_pair(AbutSimulation *sim, const AbutPairMemory *memory, AbutError *error) {
    AbutStepReport *report = &sim->report;
    for (int32_t place = memory->contact; place >= 0; place = sim->contacts.touch[place].next - 1) {
        AbutSolverContact *c = &sim->contacts.at[place];
        ABUT_TRY(abut_contact_set_law(sim, c, memory->state == PAIR_IDLE, error));
        report->contacts += !c->touch->sensor;
        report->vertices += c->touch->sensor ? 0 : c->count;
    }
    AbutSolverContact *head = &sim->contacts.at[memory->contact];
    if (!head->touch->known && (!head->touch->mesh || touches(&sim->contacts, memory->contact))) {
        abut_event_contact(sim, head, ABUT_EVENT_BEGIN);
        head->touch->known = 1;
    }
    return ABUT_OK;
}

/* Contacts that are still there. */
static AbutStatus keep_contacts(AbutSimulation *sim, int seams, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int k = 0; k < sim->awake.pair_count && status == ABUT_OK; ++k) {
        AbutPairMemory *memory = &sim->contacts.memory[sim->awake.pair[k]];
        sim->report.rebuilt += memory->state == PAIR_BUILD;
        if (seams > 0 && memory->contact >= 0 && abut_contact_on_seam(sim, &sim->contacts.at[memory->contact]))
            memory->state = PAIR_APART;
        if (memory->state == PAIR_APART && memory->contact >= 0) free_contact(sim, memory);
        if (memory->contact >= 0) status = keep_pair(sim, memory, error);
    }
    return status;
}

AbutStatus abut_stage_contacts(AbutSimulation *sim, AbutError *error) {
    enum { GRAIN = 64, BUILDS = 16 };
    if (!follow_pairs(sim)) return abut_fail_memory(error);
    AbutStatus made = abut_grown_set_pieces(&sim->shapes.grown, sim->scene, error);
    if (made != ABUT_OK) return made;
    if (sim->def.features || sim->meshes) ABUT_TRY(abut_mesh_contacts_begin(sim, error));
    if (sim->contacts.chained) drop_chains(sim);
    int count = sim->awake.pair_count;
    forget_geometry(sim);
    abut_parallel_for(count, GRAIN, sim->def.threads, sort_pairs, sim);
    if (sim->meshes && !measure_meshes(sim)) return abut_fail_memory(error);
    int builds = 0;
    for (int k = 0; k < count; ++k) {
        AbutPairMemory *memory = &sim->contacts.memory[sim->awake.pair[k]];
        if (memory->state != PAIR_BUILD) continue;
        sim->awake.build[builds++] = sim->awake.pair[k];
        if (memory->contact < 0 && (memory->contact = take_place(sim, sim->awake.pair[k])) < 0)
            return abut_fail_memory(error);
    }
    abut_parallel_for(builds, BUILDS, sim->def.threads, build_contacts, sim);
    if (abut_contacts_starved(&sim->contacts) || abut_mesh_contacts_starved(sim)) return abut_fail_memory(error);
    int seams = abut_seams_begin(sim);
    if (seams < 0) return abut_fail_memory(error);
    sim->report.candidates = sim->awake.all_pairs;
    sim->report.contacts = sim->awake.settled_contacts;
    sim->report.vertices = sim->awake.settled_vertices;
    sim->report.rebuilt = 0;
    AbutStatus status = keep_contacts(sim, seams, error);
    if (status == ABUT_OK && !abut_awake_touched(sim)) status = abut_fail_memory(error);
    return status;
}
