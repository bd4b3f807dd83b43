/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which shapes may meet, and with what friction: filters, excluded pairs of bodies, friction of pairs of shapes. Both
 * lists are sorted by places, and entries go when their body goes, so that a reused place starts without rules.
 */
#include "scene/parts.h"

#include <string.h>

/* ---- exclusions -------------------------------------------------------------------------------------------------- */

/* First entry that is not below the key. */
static int32_t lower_excluded(const AbutScene *scene, uint64_t key)
{
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

int abut_scene_may_meet(const AbutScene *scene, int32_t shape_a, int32_t shape_b)
{
    const AbutShape *a = &scene->shape[shape_a], *b = &scene->shape[shape_b];
    if (a->body == b->body || !(a->def.category & b->def.mask) || !(b->def.category & a->def.mask))
        return 0;
    if (scene->body[a->body].inv_mass == 0.0 && scene->body[b->body].inv_mass == 0.0)
        return 0;
    if (scene->excluded_count == 0)
        return 1;
    uint64_t key = abut_pair_key(a->body, b->body);
    int32_t i = lower_excluded(scene, key);
    return i == scene->excluded_count || scene->excluded[i] != key;
}

AbutStatus abut_scene_exclude(AbutScene *scene, AbutBodyId a, AbutBodyId b, AbutError *error)
{
    int32_t place_a = abut_scene_body_place(scene, a), place_b = abut_scene_body_place(scene, b);
    if (place_a < 0 || place_b < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "exclude: no such body");
    if (place_a == place_b)
        return ABUT_OK; /* shapes of one body never meet */
    uint64_t key = abut_pair_key(place_a, place_b);
    int32_t i = lower_excluded(scene, key);
    if (i < scene->excluded_count && scene->excluded[i] == key)
        return ABUT_OK;
    if (!abut_grow((void **)&scene->excluded, &scene->excluded_capacity, (size_t)scene->excluded_count + 1,
            sizeof *scene->excluded))
        return abut_fail(error, ABUT_ERROR_MEMORY, "exclude: no memory");
    memmove(
        scene->excluded + i + 1, scene->excluded + i, (size_t)(scene->excluded_count - i) * sizeof *scene->excluded);
    scene->excluded[i] = key;
    ++scene->excluded_count;
    abut_scene_drop_forbidden(scene);
    return ABUT_OK;
}

/* ---- friction ---------------------------------------------------------------------------------------------------- */

/* First entry that is not below (a, b). */
static int32_t lower_friction(const AbutScene *scene, uint64_t key)
{
    int32_t low = 0, high = scene->pair_friction_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (abut_pair_key(scene->pair_friction[middle].a, scene->pair_friction[middle].b) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int has_friction(const AbutScene *scene, int32_t i, uint64_t key)
{
    return i < scene->pair_friction_count && abut_pair_key(scene->pair_friction[i].a, scene->pair_friction[i].b) == key;
}

static double kinetic_or(double kinetic, double friction)
{
    return kinetic < 0.0 ? friction : kinetic;
}

void abut_scene_set_pair_material(const AbutScene *scene, AbutScenePair *pair)
{
    const AbutShapeDef *a = &scene->shape[pair->a].def, *b = &scene->shape[pair->b].def;
    double kinetic_a = kinetic_or(a->material.friction_kinetic, a->material.friction),
           kinetic_b = kinetic_or(b->material.friction_kinetic, b->material.friction);
    int first = a->material.friction > b->material.friction ||
                (a->material.friction == b->material.friction && kinetic_a >= kinetic_b);
    pair->friction = first ? a->material.friction : b->material.friction;
    pair->friction_kinetic = first ? kinetic_a : kinetic_b;
    pair->restitution = abut_larger(a->material.restitution, b->material.restitution);
    uint64_t key = abut_pair_key(pair->a, pair->b);
    int32_t i = lower_friction(scene, key);
    if (has_friction(scene, i, key)) {
        pair->friction = scene->pair_friction[i].friction;
        pair->friction_kinetic = kinetic_or(scene->pair_friction[i].friction_kinetic, pair->friction);
    }
}

AbutStatus abut_scene_set_pair_friction(
    AbutScene *scene, AbutShapeId a, AbutShapeId b, double friction, double friction_kinetic, AbutError *error)
{
    int32_t place_a = abut_scene_shape_place(scene, a), place_b = abut_scene_shape_place(scene, b);
    if (place_a < 0 || place_b < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "pair friction: no such shape");
    if (!(friction >= 0.0) || !isfinite(friction) || !isfinite(friction_kinetic) || friction_kinetic > friction)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "pair friction: static %g and kinetic %g: not 0 <= kinetic <= static", friction, friction_kinetic);
    uint64_t key = abut_pair_key(place_a, place_b);
    int32_t i = lower_friction(scene, key);
    if (!has_friction(scene, i, key)) {
        if (!abut_grow((void **)&scene->pair_friction, &scene->pair_friction_capacity,
                (size_t)scene->pair_friction_count + 1, sizeof *scene->pair_friction))
            return abut_fail(error, ABUT_ERROR_MEMORY, "pair friction: no memory");
        memmove(scene->pair_friction + i + 1, scene->pair_friction + i,
            (size_t)(scene->pair_friction_count - i) * sizeof *scene->pair_friction);
        ++scene->pair_friction_count;
    }
    AbutPairFriction entry = {(int32_t)(key >> 32), (int32_t)(key & UINT32_MAX), friction, friction_kinetic};
    scene->pair_friction[i] = entry;
    int32_t pair = abut_scene_find_pair(scene, place_a, place_b);
    if (pair >= 0)
        abut_scene_set_pair_material(scene, &scene->pair[pair]);
    return ABUT_OK;
}

void abut_scene_forget_rules(AbutScene *scene, int32_t body)
{
    int32_t n = 0;
    for (int32_t i = 0; i < scene->excluded_count; ++i) {
        uint64_t key = scene->excluded[i];
        if ((int32_t)(key >> 32) != body && (int32_t)(key & UINT32_MAX) != body)
            scene->excluded[n++] = key;
    }
    scene->excluded_count = n;
    n = 0;
    for (int32_t i = 0; i < scene->pair_friction_count; ++i) {
        AbutPairFriction entry = scene->pair_friction[i];
        if (scene->shape[entry.a].body != body && scene->shape[entry.b].body != body)
            scene->pair_friction[n++] = entry;
    }
    scene->pair_friction_count = n;
}
