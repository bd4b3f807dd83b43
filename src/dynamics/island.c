/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Islands: bodies that touch, directly or through others; immovable bodies do not join. Each island is solved on its
 * own, in parallel, so its contacts are listed together, from the lowest up where they share a body. Also here: which
 * contacts are visited two at a time, and which are soft under load.
 */
#include "base/sort.h"
#include "dynamics/tolerance.h"
#include "dynamics/solver_tree.h"

#include <stdlib.h>
#include <string.h>

static int32_t find_root(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* ---- order by height --------------------------------------------------------------------------------------------- */

void abut_sort_by_height(AbutIslands *islands, int32_t from, int32_t to) {
    if (from < to) /* else there may be no contacts to take heights of */
        abut_sort_places(islands->height, sizeof *islands->height, islands->order + from, islands->sorted, to - from);
}

static AbutVec3 up_of(const AbutSimulation *sim) { return abut_normalize_or(abut_neg(sim->def.gravity), abut_axis(2)); }

static double height_of(const AbutSimulation *sim, const AbutSolverContact *c, AbutVec3 up) {
    return abut_dot(up, abut_add(sim->mover[c->body_a].x, c->ra));
}

static int reserve(AbutIslands *islands, size_t contacts) {
    return abut_grow((void **)&islands->order, &islands->order_capacity, contacts, sizeof *islands->order) &&
           abut_grow((void **)&islands->contact, &islands->contact_capacity, contacts, sizeof *islands->contact) &&
           abut_grow((void **)&islands->height, &islands->height_capacity, contacts, sizeof *islands->height) &&
           abut_grow((void **)&islands->key, &islands->key_capacity, contacts, sizeof *islands->key) &&
           abut_grow((void **)&islands->sorted, &islands->sorted_capacity, contacts, sizeof *islands->sorted) &&
           abut_grow((void **)&islands->mate, &islands->mate_capacity, contacts, sizeof *islands->mate);
}

/* Contacts alive: those of the last order that still live, then the new ones; sorted. */
static int order_contacts(AbutSimulation *sim) {
    AbutIslands *islands = &sim->islands;
    AbutTouch *touch = sim->contacts.touch;
    if (!reserve(islands, (size_t)sim->contacts.places)) return 0;
    AbutVec3 up = up_of(sim);
    int32_t kept = sim->awake.settled_contacts;
    for (int32_t k = 0; k < sim->awake.pair_count; ++k) {
        for (int32_t place = sim->contacts.memory[sim->awake.pair[k]].contact; place >= 0;
             place = touch[place].next - 1)
            touch[place].island = -1;
    }
    for (int32_t k = sim->awake.settled_contacts; k < islands->order_count; ++k) {
        AbutTouch *t = &touch[islands->order[k]];
        if (t->alive && !t->sensor && t->island == -1) {
            t->island = -2; /* listed */
            islands->order[kept++] = islands->order[k];
        }
    }
    for (int32_t k = 0; k < sim->awake.pair_count; ++k) {
        for (int32_t place = sim->contacts.memory[sim->awake.pair[k]].contact; place >= 0;
             place = touch[place].next - 1) {
            if (touch[place].sensor) continue;
            islands->height[place] = height_of(sim, &sim->contacts.at[place], up);
            if (touch[place].island == -1) islands->order[kept++] = place;
        }
    }
    islands->order_count = kept;
    abut_sort_by_height(islands, sim->awake.settled_contacts, kept);
    return 1;
}

/* ---- islands ----------------------------------------------------------------------------------------------------- */

static void join(int32_t *parent, int32_t a, int32_t b) {
    int32_t i = find_root(parent, a), j = find_root(parent, b);
    parent[i > j ? i : j] = i > j ? j : i;
}

static int moves(const AbutSimulation *sim, int32_t place) { return place >= 0 && sim->mover[place].inv_mass > 0.0; }

/* Links of a tree, trees that a row couples, and bodies that are joined. */
static void join_trees(AbutSimulation *sim) {
    const AbutTrees *t = sim->trees;
    for (int32_t i = 0; i < t->tree_count; ++i) {
        for (int32_t k = 1; k < t->tree[i].c->tree->link_count; ++k)
            join(sim->islands.parent, t->tree[i].body[0], t->tree[i].body[k]);
        for (int32_t k = 0; k < t->tree[i].row_count; ++k) {
            const AbutTreeRow *row = &t->row[t->tree[i].first_row + k];
            for (int32_t term = 0; term < row->term_count; ++term)
                join(sim->islands.parent, t->tree[i].body[0],
                    t->tree[t->tree_of[t->term[row->first_term + term].dof]].body[0]);
        }
    }
    for (int32_t i = 0; i < t->join_count; ++i)
        if (moves(sim, t->join[i].body[0]) && moves(sim, t->join[i].body[1]))
            join(sim->islands.parent, t->join[i].body[0], t->join[i].body[1]);
}

static int join_bodies(AbutSimulation *sim) {
    if (!abut_grow((void **)&sim->islands.parent, &sim->islands.parent_capacity, (size_t)sim->mover_count,
            sizeof *sim->islands.parent))
        return 0;
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        sim->islands.parent[sim->awake.body[k]] = sim->awake.body[k];
        sim->mover[sim->awake.body[k]].island = -1;
        sim->mover[sim->awake.body[k]].level = 0;
    }
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count; ++k) {
        const AbutSolverContact *c = abut_ordered_contact(sim, k);
        if (sim->mover[c->body_a].inv_mass > 0.0) join(sim->islands.parent, c->body_b, c->body_a);
    }
    if (sim->trees) join_trees(sim);
    return 1;
}

/* An island of free bodies before it is solved. */
static void begin_island(const AbutSimulation *sim, AbutIsland *island, int32_t first, int32_t count) {
    memset(island, 0, sizeof *island);
    island->first = first;
    island->count = island->contacts = count;
    island->iterations = sim->constants.iterations;
    island->tolerance = sim->constants.tolerance;
}

/* Islands with contacts of meshes take more sweeps. */
static void give_sweeps(AbutSimulation *sim) {
    if (!sim->meshes || sim->def.iterations > 0) return;
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count; ++k) {
        const AbutTouch *touch = abut_ordered_contact(sim, k)->touch;
        if (touch->mesh) sim->islands.at[touch->island].iterations = ABUT_MESH_SWEEPS;
    }
}

/* The island of a body, a new one where it has none; -1: no memory. */
static int32_t island_of(AbutSimulation *sim, int32_t body) {
    AbutSolverBody *root = &sim->mover[find_root(sim->islands.parent, body)];
    if (root->island >= 0) return root->island;
    if (!abut_grow(
            (void **)&sim->islands.at, &sim->islands.capacity, (size_t)sim->islands.count + 1, sizeof *sim->islands.at))
        return -1;
    begin_island(sim, &sim->islands.at[sim->islands.count], 0, 0);
    return root->island = sim->islands.count++;
}

static int32_t island_of_join(AbutSimulation *sim, const AbutJoin *join) {
    return island_of(sim, moves(sim, join->body[0]) ? join->body[0] : join->body[1]);
}

/* Trees and joins of each island, in the order of their numbers. */
static int list_trees(AbutSimulation *sim) {
    AbutTrees *t = sim->trees;
    int32_t trees = 0, joins = 0, good = 1;
    for (int32_t i = 0; i < t->tree_count; ++i) good &= island_of(sim, t->tree[i].body[0]) >= 0;
    for (int32_t i = 0; i < t->join_count; ++i) good &= island_of_join(sim, &t->join[i]) >= 0;
    if (!good) return 0;
    for (int32_t i = 0; i < t->tree_count; ++i) ++sim->islands.at[island_of(sim, t->tree[i].body[0])].tree_count;
    for (int32_t i = 0; i < t->join_count; ++i) ++sim->islands.at[island_of_join(sim, &t->join[i])].join_count;
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i) {
        AbutIsland *island = &sim->islands.at[i];
        island->first_tree = trees;
        island->first_join = joins;
        trees += island->tree_count;
        joins += island->join_count;
        if (island->tree_count + island->join_count > 0) {
            island->iterations = sim->def.iterations > 0 ? sim->def.iterations : ABUT_TREE_SWEEPS;
            island->tolerance = ABUT_TREE_TOLERANCE * sim->constants.tolerance;
        }
        island->tree_count = island->join_count = 0;
    }
    for (int32_t i = 0; i < t->tree_count; ++i) {
        AbutIsland *island = &sim->islands.at[island_of(sim, t->tree[i].body[0])];
        t->island_tree[island->first_tree + island->tree_count++] = i;
    }
    for (int32_t i = 0; i < t->join_count; ++i) {
        AbutIsland *island = &sim->islands.at[island_of_join(sim, &t->join[i])];
        t->island_join[island->first_join + island->join_count++] = i;
    }
    return 1;
}

/* ---- contacts that can be visited together ------------------------------------------------------------------------ */

/* A key is a level, and within it the number of vertices, downwards; from LONELY on a contact is visited alone. */
enum { KEYS_OF_LEVEL = 16, LONELY = ABUT_CONTACT_VERTICES + 1 };
_Static_assert(ABUT_CONTACT_VERTICES + 2 <= KEYS_OF_LEVEL, "a level has a key for each number of vertices");

/* The level of a contact is one more than those of the contacts below it that share a body that moves with it. In the
 * order of levels any two that share one stay in the order of heights, and contacts of one level share none. Islands of
 * robots stay as they are. */
static int32_t within_level(const AbutSimulation *sim, const AbutSolverContact *c) {
    return sim->model->visit_two && abut_contact_is_plain(sim, c) ? ABUT_CONTACT_VERTICES - c->count : LONELY;
}

static int32_t key_of(AbutSimulation *sim, const AbutSolverContact *c) {
    const AbutIsland *island = &sim->islands.at[c->touch->island];
    if (!sim->model->visit_two || island->tree_count + island->join_count > 0) return LONELY;
    AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    int32_t level = a->inv_mass > 0.0 && a->level > b->level ? a->level : b->level;
    a->level = b->level = level + 1;
    return KEYS_OF_LEVEL * level + within_level(sim, c);
}

/* Contacts awake by their keys into `sorted`; 0: no memory. */
static int sort_by_level(AbutSimulation *sim) {
    AbutIslands *islands = &sim->islands;
    int32_t from = sim->awake.settled_contacts, to = islands->order_count, most = 0;
    for (int32_t k = from; k < to; ++k) {
        islands->key[k] = key_of(sim, abut_ordered_contact(sim, k));
        most = islands->key[k] > most ? islands->key[k] : most;
    }
    if (!abut_grow((void **)&islands->next, &islands->next_capacity, (size_t)most + 2, sizeof *islands->next)) return 0;
    memset(islands->next, 0, ((size_t)most + 2) * sizeof *islands->next);
    for (int32_t k = from; k < to; ++k) ++islands->next[islands->key[k] + 1];
    for (int32_t i = 0; i < most; ++i) islands->next[i + 1] += islands->next[i];
    for (int32_t k = from; k < to; ++k) islands->sorted[islands->next[islands->key[k]]++] = k;
    return 1;
}

/* Contacts of the islands by level, and which of them are visited two at a time. */
static int list_contacts(AbutSimulation *sim) {
    AbutIslands *islands = &sim->islands;
    int32_t count = islands->order_count - sim->awake.settled_contacts;
    if (!sort_by_level(sim)) return 0;
    for (int32_t i = 0; i < count; ++i) {
        int32_t k = islands->sorted[i], key = islands->key[k];
        AbutIsland *island = &islands->at[abut_ordered_contact(sim, k)->touch->island];
        int32_t at = island->first + island->count++;
        int lonely = key % KEYS_OF_LEVEL >= LONELY;
        islands->contact[at] = islands->order[k];
        islands->mate[at] = lonely || island->level != key / KEYS_OF_LEVEL ? ABUT_MATE_NONE : ABUT_MATE_SECOND;
        if (islands->mate[at] == ABUT_MATE_SECOND) islands->mate[at - 1] = ABUT_MATE_FIRST;
        /* the level of a contact that waits for a mate */
        island->level = lonely || islands->mate[at] == ABUT_MATE_SECOND ? -1 : key / KEYS_OF_LEVEL;
    }
    return 1;
}

/* Numbers the islands by their lowest contact, those of robots without any after them, and lists their contacts. */
static int list_islands(AbutSimulation *sim) {
    sim->islands.count = sim->awake.settled_islands;
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count; ++k) {
        AbutSolverContact *c = abut_ordered_contact(sim, k);
        c->touch->island = island_of(sim, c->body_b);
        if (c->touch->island < 0) return 0;
        ++sim->islands.at[c->touch->island].count;
    }
    give_sweeps(sim);
    if (sim->trees && !list_trees(sim)) return 0;
    int32_t at = 0;
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i) {
        AbutIsland *island = &sim->islands.at[i];
        island->first = at;
        at += island->count;
        island->contacts = island->count;
        island->count = 0;
        island->level = -1;
    }
    for (int32_t k = 0; k < sim->awake.body_count; ++k) {
        AbutSolverBody *m = &sim->mover[sim->awake.body[k]];
        if (m->alive && m->inv_mass > 0.0)
            m->island = sim->mover[find_root(sim->islands.parent, sim->awake.body[k])].island;
    }
    return list_contacts(sim);
}

/* ---- kept -------------------------------------------------------------------------------------------------------- */

/* Is everything that islands and their lists follow from as it was when they were made? Heights move; they need not
 * change the order. */
static int are_listed(AbutSimulation *sim) {
    AbutIslands *islands = &sim->islands;
    if (!islands->listed || islands->seen_changes != sim->contacts.changes ||
        islands->seen_revision != sim->scene->revision || sim->contacts.rule)
        return 0;
    AbutVec3 up = up_of(sim);
    double below = -(double)INFINITY;
    for (int32_t k = sim->awake.settled_contacts, last = -1; k < islands->order_count; ++k) {
        int32_t place = islands->order[k];
        const AbutSolverContact *c = &sim->contacts.at[place];
        double height = islands->height[place] = height_of(sim, c, up);
        if (!(height > below || (height == below && place > last)) ||
            islands->key[k] % KEYS_OF_LEVEL != within_level(sim, c))
            return 0;
        below = height;
        last = place;
    }
    return 1;
}

static void renew_islands(AbutSimulation *sim) {
    for (int32_t i = sim->awake.settled_islands; i < sim->islands.count; ++i)
        begin_island(sim, &sim->islands.at[i], sim->islands.at[i].first, sim->islands.at[i].contacts);
    give_sweeps(sim);
    sim->islands.listed = 1;
}

/* 0: no memory. */
static int make_islands(AbutSimulation *sim) {
    AbutIslands *islands = &sim->islands;
    if (!order_contacts(sim) || !join_bodies(sim) || !list_islands(sim)) return 0;
    islands->listed = !sim->trees && !sim->contacts.rule; /* a rule chooses which contacts push */
    islands->seen_changes = sim->contacts.changes;
    islands->seen_revision = sim->scene->revision;
    return 1;
}

/* ---- load gate --------------------------------------------------------------------------------------------------- */

/* 1 / mass; a link counts with the mass of its robot. */
static double carried_by(const AbutSimulation *sim, const AbutSolverBody *m) {
    return m->tree < 0 ? m->inv_mass : 1.0 / sim->trees->tree[m->tree].mass;
}

/*
 * A contact that carries much more than the weight of its lighter body is part of a tall stack, whose slow modes a few
 * sweeps do not solve; a little compliance there keeps it quiet. Contacts under light load stay rigid, so that friction
 * does not creep.
 */
static void set_compliance(AbutSimulation *sim, double h) {
    double g = abut_length(sim->def.gravity);
    for (int32_t k = sim->awake.settled_contacts; k < sim->islands.order_count; ++k) {
        AbutSolverContact *c = abut_ordered_contact(sim, k);
        const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
        double inv = abut_larger(carried_by(sim, a), carried_by(sim, b)), load = 0.0;
        for (int i = 0; i < c->count; ++i) load += c->point[i].n;
        double weights = g > 0.0 ? load * inv / (g * h) : 0.0;
        c->alpha = sim->constants.alpha *
                   abut_smaller(1.0, abut_larger(0.0, (weights - ABUT_LOAD_FROM) / (ABUT_LOAD_FULL - ABUT_LOAD_FROM)));
    }
}

void abut_islands_free(AbutIslands *islands) {
    abut_free(islands->at);
    abut_free(islands->order);
    abut_free(islands->contact);
    abut_free(islands->height);
    abut_free(islands->parent);
    abut_free(islands->key);
    abut_free(islands->sorted);
    abut_free(islands->next);
    abut_free(islands->mate);
}

AbutStatus abut_stage_islands(AbutSimulation *sim, AbutError *error) {
    int listed = are_listed(sim);
    sim->islands.listed = 0;
    if (listed)
        renew_islands(sim);
    else if (!make_islands(sim))
        return abut_fail_memory(error);
    if (sim->def.sleeping) abut_update_sleep(sim);
    set_compliance(sim, sim->constants.dt);
    return ABUT_OK;
}
