/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which shapes may meet, and with what friction: filters, excluded pairs of bodies, rules of pairs of shapes. Both
 * lists are sorted by places, and entries go when their body goes, so that a reused place starts without rules.
 */
#include "scene/internal.h"

#include <string.h>

/* First entry that is not below (a, b). */
static int32_t lower_rule(const AbutScene *scene, uint64_t key) {
    int32_t low = 0, high = scene->pair_rule_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (abut_pair_key(scene->pair_rule[middle].a, scene->pair_rule[middle].b) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int has_rule(const AbutScene *scene, int32_t i, uint64_t key) {
    return i < scene->pair_rule_count && abut_pair_key(scene->pair_rule[i].a, scene->pair_rule[i].b) == key;
}

/* ---- exclusions -------------------------------------------------------------------------------------------------- */

/* First entry that is not below the key. */
static int32_t lower_excluded(const AbutScene *scene, uint64_t key) {
    int32_t low = 0, high = scene->excluded_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (scene->excluded[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int abut_scene_filters_agree(const AbutScene *scene, int32_t shape_a, int32_t shape_b) {
    const AbutShapeDef *a = &scene->shape[shape_a].def, *b = &scene->shape[shape_b].def;
    return (a->category & b->mask) && (b->category & a->mask);
}

static int is_forced(const AbutScene *scene, int32_t shape_a, int32_t shape_b) {
    uint64_t key = abut_pair_key(shape_a, shape_b);
    int32_t i = lower_rule(scene, key);
    return has_rule(scene, i, key) && scene->pair_rule[i].forced;
}

int abut_scene_may_meet(const AbutScene *scene, int32_t shape_a, int32_t shape_b) {
    const AbutShape *a = &scene->shape[shape_a], *b = &scene->shape[shape_b];
    if (a->body == b->body || (a->def.sensor && b->def.sensor)) return 0;
    if (!abut_scene_filters_agree(scene, shape_a, shape_b) && !is_forced(scene, shape_a, shape_b)) return 0;
    if (scene->body[a->body].inv_mass == 0.0 && scene->body[b->body].inv_mass == 0.0) return 0;
    if (scene->excluded_count > 0) {
        uint64_t key = abut_pair_key(a->body, b->body);
        int32_t i = lower_excluded(scene, key);
        if (i < scene->excluded_count && scene->excluded[i] == key) return 0;
    }
    return !scene->pair_filter || scene->pair_filter(scene, abut_scene_shape_id(scene, shape_a),
                                      abut_scene_shape_id(scene, shape_b), scene->pair_filter_user);
}

int abut_scene_may_push(const AbutScene *scene, int32_t shape_a, int32_t shape_b) {
    return !scene->shape[shape_a].def.sensor && !scene->shape[shape_b].def.sensor &&
           abut_scene_may_meet(scene, shape_a, shape_b);
}

void abut_scene_set_pair_filter(
    AbutScene *scene, int (*filter)(const AbutScene *, AbutShapeId, AbutShapeId, void *), void *user) {
    ABUT_ASSERT(scene);
    scene->pair_filter = filter;
    scene->pair_filter_user = user;
    abut_scene_drop_forbidden(scene);
    for (int32_t s = 0; s < scene->shape_places; ++s)
        if (scene->shape[s].alive && !scene->shape[s].def.visual) /* pairs that were not allowed are looked for */
            abut_scene_mark_moved(scene, s);
}

AbutStatus abut_scene_exclude(AbutScene *scene, AbutBodyId a, AbutBodyId b, AbutError *error) {
    ABUT_ASSERT(scene);
    int32_t place_a = abut_scene_body_place(scene, a), place_b = abut_scene_body_place(scene, b);
    if (place_a < 0 || place_b < 0) return abut_fail(error, ABUT_ERROR_ARGUMENT, "exclude: no such body");
    if (place_a == place_b) return ABUT_OK; /* shapes of one body never meet */
    uint64_t key = abut_pair_key(place_a, place_b);
    int32_t i = lower_excluded(scene, key);
    if (i < scene->excluded_count && scene->excluded[i] == key) return ABUT_OK;
    if (!abut_grow((void **)&scene->excluded, &scene->excluded_capacity, (size_t)scene->excluded_count + 1,
            sizeof *scene->excluded))
        return abut_fail_memory(error);
    memmove(
        scene->excluded + i + 1, scene->excluded + i, (size_t)(scene->excluded_count - i) * sizeof *scene->excluded);
    scene->excluded[i] = key;
    ++scene->excluded_count;
    abut_scene_drop_forbidden(scene);
    return ABUT_OK;
}

static double kinetic_or(double kinetic, double friction) { return kinetic < 0.0 ? friction : kinetic; }

/* Friction of all kinds is that of the shape with the higher priority; of equal ones the larger of each kind. */
static void combine_friction(const AbutShapeDef *a, const AbutShapeDef *b, AbutScenePair *pair) {
    const AbutMaterial *m = &a->material, *n = &b->material;
    if (a->priority != b->priority) m = n = a->priority > b->priority ? m : n;
    double kinetic_m = kinetic_or(m->friction_kinetic, m->friction),
           kinetic_n = kinetic_or(n->friction_kinetic, n->friction);
    int first = m->friction > n->friction || (m->friction == n->friction && kinetic_m >= kinetic_n);
    pair->friction = first ? m->friction : n->friction;
    pair->friction_kinetic = first ? kinetic_m : kinetic_n;
    pair->friction_spinning = abut_larger(m->friction_spinning, n->friction_spinning);
    pair->friction_rolling = abut_larger(m->friction_rolling, n->friction_rolling);
}

/* Values that a rule states override those of the materials. */
static void follow_rule(const AbutPairDef *says, AbutScenePair *pair) {
    if (says->friction >= 0.0) {
        pair->friction = says->friction;
        pair->friction_kinetic = kinetic_or(says->friction_kinetic, says->friction);
    }
    if (says->restitution >= 0.0) pair->restitution = says->restitution;
    if (says->friction_spinning >= 0.0) pair->friction_spinning = says->friction_spinning;
    if (says->friction_rolling >= 0.0) pair->friction_rolling = says->friction_rolling;
    pair->margin = says->margin;
}

void abut_scene_set_pair_material(const AbutScene *scene, AbutScenePair *pair) {
    const AbutShapeDef *a = &scene->shape[pair->a].def, *b = &scene->shape[pair->b].def;
    combine_friction(a, b, pair);
    pair->restitution = abut_larger(a->material.restitution, b->material.restitution);
    pair->margin = 0.0;
    uint64_t key = abut_pair_key(pair->a, pair->b);
    int32_t i = lower_rule(scene, key);
    if (has_rule(scene, i, key)) follow_rule(&scene->pair_rule[i].says, pair);
}

int abut_scene_renew_pairs(AbutScene *scene) {
    int changed = 0;
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        AbutScenePair *pair = &scene->pair[i];
        double was = pair->margin;
        if (pair->alive) abut_scene_set_pair_material(scene, pair);
        changed += pair->alive && pair->margin != was;
    }
    return changed;
}

double abut_scene_pair_margin(const AbutScene *scene, int32_t shape_a, int32_t shape_b) {
    uint64_t key = abut_pair_key(shape_a, shape_b);
    int32_t i = lower_rule(scene, key);
    return has_rule(scene, i, key) ? scene->pair_rule[i].says.margin : 0.0;
}

/* Room for a rule about these shapes in its place; NULL: no memory. The old rule is kept where there is one. */
static AbutPairRule *take_rule(AbutScene *scene, uint64_t key) {
    int32_t i = lower_rule(scene, key);
    if (has_rule(scene, i, key)) return &scene->pair_rule[i];
    if (!abut_grow((void **)&scene->pair_rule, &scene->pair_rule_capacity, (size_t)scene->pair_rule_count + 1,
            sizeof *scene->pair_rule))
        return NULL;
    memmove(scene->pair_rule + i + 1, scene->pair_rule + i,
        (size_t)(scene->pair_rule_count - i) * sizeof *scene->pair_rule);
    ++scene->pair_rule_count;
    AbutPairRule fresh = {(int32_t)(key >> 32), (int32_t)(key & UINT32_MAX), 0, abut_pair_default()};
    scene->pair_rule[i] = fresh;
    return &scene->pair_rule[i];
}

static void refresh(AbutScene *scene, AbutScenePair *pair) {
    abut_scene_set_pair_material(scene, pair);
    abut_scene_disturb(scene, &scene->body[scene->shape[pair->a].body]);
    abut_scene_disturb(scene, &scene->body[scene->shape[pair->b].body]);
}

/* To the pair of the shapes that is there; a height field has one for each of its pieces that is near. */
static void apply_rule(AbutScene *scene, int32_t a, int32_t b) {
    int several = abut_shape_grid(&scene->shape[a]) || abut_shape_grid(&scene->shape[b]);
    int32_t only = several ? -1 : abut_scene_find_pair(scene, a, b, -1);
    if (only >= 0) refresh(scene, &scene->pair[only]);
    for (int32_t i = 0; several && i < scene->pair_places; ++i) {
        AbutScenePair *pair = &scene->pair[i];
        if (pair->alive && abut_pair_key(pair->a, pair->b) == abut_pair_key(a, b)) refresh(scene, pair);
    }
}

/* The rule about two shapes, a new one where there is none. */
static AbutStatus open_rule(AbutScene *scene, AbutShapeId a, AbutShapeId b, AbutPairRule **out, AbutError *error) {
    AbutShape *of_a, *of_b;
    ABUT_TRY(abut_scene_need_shape(scene, a, "pair", &of_a, error));
    ABUT_TRY(abut_scene_need_shape(scene, b, "pair", &of_b, error));
    *out = take_rule(scene, abut_pair_key((int32_t)(of_a - scene->shape), (int32_t)(of_b - scene->shape)));
    return *out ? ABUT_OK : abut_fail_memory(error);
}

AbutStatus abut_scene_set_pair_friction(
    AbutScene *scene, AbutShapeId a, AbutShapeId b, double friction, double friction_kinetic, AbutError *error) {
    AbutPairRule *rule;
    ABUT_TRY(abut_check_pair_friction(friction, friction_kinetic, error));
    ABUT_TRY(open_rule(scene, a, b, &rule, error));
    rule->says.friction = friction;
    rule->says.friction_kinetic = friction_kinetic;
    apply_rule(scene, rule->a, rule->b);
    return ABUT_OK;
}

AbutStatus abut_scene_set_pair(
    AbutScene *scene, AbutShapeId a, AbutShapeId b, const AbutPairDef *def, AbutError *error) {
    ABUT_ASSERT(def);
    AbutPairRule *rule;
    ABUT_TRY(abut_check_pair(def, error));
    ABUT_TRY(open_rule(scene, a, b, &rule, error));
    scene->revision += rule->says.margin != def->margin; /* shapes are grown for this pair, or no longer */
    rule->says = *def;
    rule->says.source = (AbutSource){NULL, 0};
    apply_rule(scene, rule->a, rule->b);
    return ABUT_OK;
}

AbutStatus abut_scene_add_pair(
    AbutScene *scene, AbutShapeId a, AbutShapeId b, const AbutPairDef *def, AbutError *error) {
    ABUT_TRY(abut_scene_set_pair(scene, a, b, def, error));
    int32_t place_a = abut_scene_shape_place(scene, a), place_b = abut_scene_shape_place(scene, b);
    take_rule(scene, abut_pair_key(place_a, place_b))->forced = 1;
    abut_scene_refit_body(scene, &scene->body[scene->shape[place_a].body]); /* the pair is looked for again */
    return ABUT_OK;
}

void abut_scene_forget_shape(AbutScene *scene, int32_t shape) {
    int32_t n = 0;
    for (int32_t i = 0; i < scene->pair_rule_count; ++i)
        if (scene->pair_rule[i].a != shape && scene->pair_rule[i].b != shape)
            scene->pair_rule[n++] = scene->pair_rule[i];
    scene->pair_rule_count = n;
}

void abut_scene_forget_rules(AbutScene *scene, int32_t body) {
    int32_t n = 0;
    for (int32_t i = 0; i < scene->excluded_count; ++i) {
        uint64_t key = scene->excluded[i];
        if ((int32_t)(key >> 32) != body && (int32_t)(key & UINT32_MAX) != body) scene->excluded[n++] = key;
    }
    scene->excluded_count = n;
    n = 0;
    for (int32_t i = 0; i < scene->pair_rule_count; ++i) {
        AbutPairRule entry = scene->pair_rule[i];
        if (scene->shape[entry.a].body != body && scene->shape[entry.b].body != body) scene->pair_rule[n++] = entry;
    }
    scene->pair_rule_count = n;
}
