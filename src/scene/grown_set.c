/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grown shapes, one for each geometry and margin. In: the shapes of a scene and a rule of margins. Out: for each shape
 * its grown body, and for each pair of shapes with a margin of its own theirs. Method: a fresh list is filled through a
 * hash table over the pointers of the geometries; bodies of the old list move over, those that nothing uses any more
 * are freed with it.
 */
#include "contact/grown.h"
#include "scene/grown_set.h"
#include "model/geometry.h"
#include "scene/feature_set.h"

#include <string.h>

/* Open addressing: places in a list of entries, -1 where empty. */
typedef struct Table {
    int32_t *slot;
    size_t size; /* a power of two */
} Table;

static int table_make(Table *table, size_t entries) {
    table->size = 8;
    while (table->size < 2 * entries) table->size *= 2;
    table->slot = abut_alloc_array(table->size, sizeof *table->slot);
    for (size_t i = 0; table->slot && i < table->size; ++i) table->slot[i] = -1;
    return table->slot != NULL;
}

/* The slot of a geometry with this margin of its own, or the empty one where it belongs. */
static int32_t *table_find(const Table *table, const AbutGrownEntry *entry, const AbutGeometry *geometry, double own) {
    size_t i = (size_t)geometry->hash & (table->size - 1);
    while (table->slot[i] >= 0 && (entry[table->slot[i]].geometry != geometry || entry[table->slot[i]].own != own))
        i = (i + 1) & (table->size - 1);
    return &table->slot[i];
}

static void free_entries(AbutGrownEntry *entry, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
        abut_grown_body_free(&entry[i].body);
        abut_geometry_release(entry[i].geometry);
    }
    abut_free(entry);
}

void abut_grown_set_free(AbutGrownSet *set) {
    free_entries(set->entry, set->entry_count);
    abut_grown_pieces_free(set);
    abut_free(set->of_shape);
    abut_free(set->slot);
    memset(set, 0, sizeof *set);
}

/* The update under way. */
typedef struct Update {
    AbutGrownSet *set;
    const AbutScene *scene;
    AbutGrownEntry *entry;
    int32_t count;
    AbutMarginRule rule;
    double smallest; /* size of any shape that forces move */
    int32_t fields, open;
    size_t piece_bytes; /* workspace of the contact of two pieces of height fields */
    Table was, now;
} Update;

int abut_margin_rule_same(AbutMarginRule a, AbutMarginRule b) {
    return a.fixed == b.fixed && a.alone == b.alone &&
           (a.fixed >= 0.0 || (a.of_size == b.of_size && a.of_root == b.of_root));
}

const AbutGrownBody *abut_grown_beside(const AbutGrownBody *body, const AbutGrownBody *other, AbutGrownBody *room) {
    if (body->convex.kind != ABUT_CONVEX_HALF_SPACE || body->margin >= other->margin) return body;
    *room = *body;
    room->convex.radius += other->margin - body->margin;
    room->margin = other->margin;
    return room;
}

static int touches(const AbutShape *shape) { return shape->alive && !shape->def.visual; }

static int is_moved(const AbutScene *scene, const AbutShape *shape) { return scene->body[shape->body].inv_mass > 0.0; }

static double smallest_size(const AbutScene *scene) {
    double least = INFINITY;
    for (int32_t s = 0; s < scene->shape_places; ++s)
        if (touches(&scene->shape[s]) && is_moved(scene, &scene->shape[s]))
            least = abut_smaller(least, scene->shape[s].size);
    return least;
}

const AbutGrownBody *abut_grown_with(const AbutGrownSet *set, const AbutScene *scene, int32_t shape, double margin) {
    if (!(margin > 0.0) || set->rule.alone) return set->of_shape[shape];
    Table table = {set->slot, set->slot_count};
    int32_t i = *table_find(&table, set->entry, scene->shape[shape].def.geometry, margin);
    ABUT_ASSERT(i >= 0);
    return &set->entry[i].body;
}

double abut_grown_margins(const AbutGrownSet *set, const AbutScene *scene, int32_t a, int32_t b) {
    double own = abut_scene_pair_margin(scene, a, b);
    const AbutGrownBody *of_a = abut_grown_with(set, scene, a, own), *of_b = abut_grown_with(set, scene, b, own);
    AbutGrownBody room;
    return abut_grown_beside(of_a, of_b, &room)->margin + abut_grown_beside(of_b, of_a, &room)->margin;
}

/* For a shape where it, or its pair, states `own`. */
static double margin_of(const Update *u, const AbutShape *shape, double own) {
    double size = is_moved(u->scene, shape) ? shape->size : abut_smaller(shape->size, u->smallest);
    if (own > 0.0 || u->rule.fixed >= 0.0) return own > 0.0 ? own : u->rule.fixed;
    return shape->polyhedron ? abut_larger(u->rule.of_size * size, u->rule.of_root * sqrt(size)) : 0.0;
}

/* The margin that a shape states, where it counts. */
static double stated(const Update *u, const AbutShape *shape) { return u->rule.alone ? 0.0 : shape->def.margin; }

static int begin(Update *u) {
    size_t shapes = (size_t)u->scene->shape_places + 1, most = shapes + 2 * (size_t)u->scene->pair_rule_count;
    u->entry = abut_alloc_array(most, sizeof *u->entry);
    if (!u->entry || !table_make(&u->was, (size_t)u->set->entry_count) || !table_make(&u->now, most) ||
        !abut_grow((void **)&u->set->of_shape, &u->set->of_shape_capacity, shapes, sizeof *u->set->of_shape))
        return 0;
    for (int32_t i = 0; i < u->set->entry_count; ++i)
        *table_find(&u->was, u->set->entry, u->set->entry[i].geometry, u->set->entry[i].own) = i;
    return 1;
}

/* Takes the geometry of a shape into the fresh list, with its body of the old one where there is one. */
static AbutStatus take(Update *u, const AbutShape *shape, double own, AbutError *error) {
    const AbutGeometry *geometry = shape->def.geometry;
    double margin = margin_of(u, shape, own);
    int32_t *slot = table_find(&u->now, u->entry, geometry, own);
    if (*slot >= 0) return ABUT_OK;
    AbutGrownEntry *fresh = &u->entry[u->count];
    int32_t old = *table_find(&u->was, u->set->entry, geometry, own);
    if (old >= 0 && u->set->entry[old].body.margin == margin) {
        fresh->body = u->set->entry[old].body;
        memset(&u->set->entry[old].body, 0, sizeof u->set->entry[old].body);
    } else {
        AbutConvex convex = abut_geometry_convex(geometry);
        AbutStatus status = abut_grown_body_begin(&convex, margin, &fresh->body, error);
        if (status != ABUT_OK) return status;
    }
    fresh->place = (int32_t)(shape - u->scene->shape);
    u->open += fresh->body.open;
    u->fields += geometry->field != NULL;
    fresh->geometry = abut_geometry_retain(geometry);
    fresh->own = own;
    *slot = u->count++;
    return ABUT_OK;
}

/* The same, with the shape named where that fails. */
static AbutStatus take_shape(Update *u, int32_t place, double own, AbutError *error) {
    const AbutShape *shape = &u->scene->shape[place];
    AbutError why;
    AbutStatus status = take(u, shape, own, &why);
    return status == ABUT_OK ? ABUT_OK
                             : abut_fail(error, status, "shape %d of body '%s': %s", place,
                                   u->scene->body[shape->body].name, why.text);
}

/* Shapes that forces move, or the others, which take what is there of equal geometry. */
static AbutStatus take_shapes(Update *u, int moved, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int32_t s = 0; s < u->scene->shape_places && status == ABUT_OK; ++s) {
        const AbutShape *shape = &u->scene->shape[s];
        if (touches(shape) && is_moved(u->scene, shape) == moved) status = take_shape(u, s, stated(u, shape), error);
    }
    return status;
}

/* Both shapes of each pair that states a margin. */
static AbutStatus take_pairs(Update *u, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < u->scene->pair_rule_count && status == ABUT_OK; ++i) {
        const AbutPairRule *rule = &u->scene->pair_rule[i];
        int32_t side[2] = {rule->a, rule->b};
        for (int k = 0; k < 2 && status == ABUT_OK; ++k)
            if (rule->says.margin > 0.0 && !u->rule.alone && touches(&u->scene->shape[side[k]]))
                status = take_shape(u, side[k], rule->says.margin, error);
    }
    return status;
}

/* Room for the contact of any two that are finished. */
static void measure_workspace(AbutGrownSet *set) {
    const AbutGrownBody *largest = NULL;
    for (int32_t i = 0; i < set->entry_count; ++i) {
        const AbutPolyhedron *p = set->entry[i].body.polyhedron;
        if (p && (!largest || p->face_count > largest->polyhedron->face_count)) largest = &set->entry[i].body;
    }
    size_t bytes = largest ? (abut_contact_workspace_size(largest, largest) + 63) & ~(size_t)63 : 64;
    set->workspace_bytes = bytes > set->piece_bytes ? bytes : set->piece_bytes;
}

static void finish(Update *u) {
    AbutGrownSet *set = u->set;
    free_entries(set->entry, set->entry_count);
    set->entry = u->entry;
    set->entry_count = u->count;
    set->rule = u->rule;
    set->largest = 0.0;
    for (int32_t i = 0; i < u->count; ++i) set->largest = abut_larger(set->largest, u->entry[i].body.margin);
    set->piece_bytes = u->piece_bytes;
    set->open_count = u->open;
    set->finished_pairs = 0;
    measure_workspace(set);
    set->field_count = u->fields;
    set->pieces_current = 0;
    for (int32_t s = 0; s < u->scene->shape_places; ++s) {
        const AbutShape *shape = &u->scene->shape[s];
        int32_t *slot = touches(shape) ? table_find(&u->now, u->entry, shape->def.geometry, stated(u, shape)) : NULL;
        set->of_shape[s] = slot ? &u->entry[*slot].body : NULL;
    }
    abut_free(set->slot);
    set->slot = u->now.slot;
    set->slot_count = u->now.size;
    u->now.slot = NULL;
}

AbutStatus abut_grown_set_update(AbutGrownSet *set, const AbutScene *scene, AbutMarginRule rule, AbutError *error) {
    Update u = {.set = set, .scene = scene, .rule = rule, .smallest = smallest_size(scene)};
    AbutStatus status = begin(&u) ? take_shapes(&u, 1, error) : abut_fail_memory(error);
    if (status == ABUT_OK) status = take_shapes(&u, 0, error);
    if (status == ABUT_OK) status = take_pairs(&u, error);
    u.piece_bytes = u.fields > 0 ? (abut_grown_piece_workspace() + 63) & ~(size_t)63 : 0;
    if (status == ABUT_OK && u.fields > 0 && u.piece_bytes == 0) status = abut_fail_memory(error);
    if (status == ABUT_OK) {
        finish(&u);
    } else {
        free_entries(u.entry, u.count);
        abut_grown_set_free(set);
    }
    abut_free(u.was.slot);
    abut_free(u.now.slot);
    return status;
}

/* ---- bodies of pairs --------------------------------------------------------------------------------------------- */

typedef struct Finish {
    AbutGrownSet *set;
    const AbutScene *scene;
    int32_t *entry; /* that have to be finished */
    int32_t count;
    AbutStatus *status; /* of each */
} Finish;

static void finish_bodies(int begin, int end, int worker, void *user) {
    const Finish *f = user;
    (void)worker;
    for (int i = begin; i < end; ++i) f->status[i] = abut_grown_body_finish(&f->set->entry[f->entry[i]].body, NULL);
}

static void want(Finish *f, const AbutGrownBody *body) {
    if (body->open != 1) return;
    int32_t i = (int32_t)((const AbutGrownEntry *)(const void *)((const char *)body - offsetof(AbutGrownEntry, body)) -
                          f->set->entry);
    f->set->entry[i].body.open = 2; /* listed */
    f->entry[f->count++] = i;
}

static AbutStatus finish_wanted(Finish *f, int threads, AbutError *error) {
    abut_parallel_for(f->count, 1, threads, finish_bodies, f);
    for (int32_t i = 0; i < f->count; ++i) {
        int32_t place = f->set->entry[f->entry[i]].place;
        if (f->status[i] != ABUT_OK)
            return abut_fail(error, f->status[i], "shape %d of body '%s': it cannot be grown by its margin of contact",
                place, f->scene->body[f->scene->shape[place].body].name);
    }
    f->set->open_count -= f->count;
    if (f->count > 0) measure_workspace(f->set);
    return ABUT_OK;
}

static void want_all(Finish *f) {
    for (int32_t i = 0; i < f->set->entry_count; ++i) want(f, &f->set->entry[i].body);
}

static void want_pairs(Finish *f, AbutGrowWhich which) {
    for (int32_t i = 0; i < f->scene->pair_places; ++i) {
        const AbutScenePair *pair = &f->scene->pair[i];
        if (!pair->alive || (which == ABUT_GROW_CONVEX_PAIRS && abut_pair_has_features(f->scene, pair))) continue;
        want(f, abut_grown_whole(f->set, f->scene, pair->a, i));
        want(f, abut_grown_whole(f->set, f->scene, pair->b, i));
    }
    f->set->finished_pairs = (int32_t)which;
    f->set->finished_at = f->scene->pair_changes;
}

AbutStatus abut_grown_set_finish(
    AbutGrownSet *set, const AbutScene *scene, AbutGrowWhich which, int threads, AbutError *error) {
    int all = which == ABUT_GROW_ALL;
    if (set->open_count == 0 ||
        (!all && set->finished_pairs == (int32_t)which && set->finished_at == scene->pair_changes))
        return ABUT_OK;
    size_t most = (size_t)set->open_count;
    Finish f = {.set = set, .scene = scene};
    f.entry = abut_alloc_array(most, sizeof *f.entry);
    f.status = abut_alloc_array(most, sizeof *f.status);
    AbutStatus status = f.entry && f.status ? ABUT_OK : abut_fail_memory(error);
    if (status == ABUT_OK) {
        if (all)
            want_all(&f);
        else
            want_pairs(&f, which);
        status = finish_wanted(&f, threads, error);
    }
    abut_free(f.entry);
    abut_free(f.status);
    if (status != ABUT_OK) abut_grown_set_free(set);
    return status;
}
