/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models: descriptions that grow by one body, shape, joint, pair or element at a time.
 *
 * Behind the public fields stand the growing arrays, the memory of all texts, the geometry that shapes share, and lists
 * that lead from a body to its shapes and joints. A call that fails leaves the counts unchanged.
 */
#include "abut/model.h"

#include <string.h>

#include "model/check.h"
#include "model/inside.h"

typedef AbutModelInside Model;

/* From each body to its things in the order of their numbers; -1: none. */
typedef AbutModelChain Chain;

/* ---- life -------------------------------------------------------------------------------------------------------- */

AbutStatus abut_model_create(AbutModel **out, AbutError *error) {
    ABUT_ASSERT(out);
    *out = NULL;
    Model *m = abut_alloc(sizeof *m);
    if (!m) return abut_fail_memory(error);
    memset(m, 0, sizeof *m);
    m->model.name = "";
    m->model.gravity = abut_vec3(0.0, 0.0, -ABUT_GRAVITY);
    m->model.magnetic = abut_vec3(0.0, -0.5, 0.0);
    *out = &m->model;
    return ABUT_OK;
}

void abut_model_free(AbutModel *model) {
    if (!model) return;
    Model *m = abut_model_inside(model);
    for (int32_t i = 0; i < model->shape_count; ++i) abut_geometry_release(model->shapes[i].geometry);
    abut_geometry_set_free(&m->geometry);
    const void *arrays[] = {model->bodies, model->shapes, model->joints, model->pairs, model->elements, m->body_shapes,
        m->body_joints, m->next_shape, m->next_joint, model->frames, model->tendons, model->actuators,
        model->equalities, model->keyframes, model->sensors};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) abut_free((void *)(uintptr_t)arrays[i]);
    abut_pool_free(&m->texts);
    abut_free(m);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* A copy of a text, "" for NULL; NULL: no memory. */
static const char *keep_text(Model *m, const char *text) {
    return text && *text ? abut_pool_text(&m->texts, text, strlen(text)) : "";
}

/* Copies a name and the file of a source in place; 0: no memory. */
static int keep_names(Model *m, const char **name, AbutSource *source) {
    *name = keep_text(m, *name);
    if (!source->file) return *name != NULL;
    if (!m->last_file || strcmp(m->last_file, source->file) != 0) m->last_file = keep_text(m, source->file);
    source->file = m->last_file;
    return *name && source->file;
}

AbutStatus abut_model_append(AbutModelInside *m, const AbutModelList *list, const char **name, AbutSource *source,
    int32_t *out, AbutError *error) {
    void *memory;
    size_t need = (size_t)*list->count + 1;
    memcpy(&memory, list->array, sizeof memory);
    int good =
        need < INT32_MAX / 2 && abut_grow(&memory, list->capacity, need, list->bytes) && keep_names(m, name, source);
    memcpy(list->array, &memory, sizeof memory);
    if (!good) return abut_fail_memory(error);
    memcpy((char *)memory + (need - 1) * list->bytes, list->def, list->bytes);
    if (out) *out = *list->count;
    ++*list->count;
    return ABUT_OK;
}

AbutStatus abut_model_set_name(AbutModel *model, const char *name, AbutError *error) {
    ABUT_ASSERT(model);
    const char *copy = keep_text(abut_model_inside(model), name);
    if (!copy) return abut_fail_memory(error);
    model->name = copy;
    return ABUT_OK;
}

/* ---- lists of a body --------------------------------------------------------------------------------------------- */

static void link_to(Chain *chain, int32_t *next, int32_t number) {
    next[number] = -1;
    if (chain->first < 0)
        chain->first = number;
    else
        next[chain->last] = number;
    chain->last = number;
}

int32_t abut_model_next_shape(const AbutModel *model, int32_t body, int32_t after) {
    ABUT_ASSERT(model && body >= 0 && body < model->body_count && after >= -1 && after < model->shape_count);
    return after < 0 ? abut_model_inside(model)->body_shapes[body].first : abut_model_inside(model)->next_shape[after];
}

int32_t abut_model_next_joint(const AbutModel *model, int32_t body, int32_t after) {
    ABUT_ASSERT(model && body >= 0 && body < model->body_count && after >= -1 && after < model->joint_count);
    return after < 0 ? abut_model_inside(model)->body_joints[body].first : abut_model_inside(model)->next_joint[after];
}

int abut_model_is_movable(const AbutModel *model, int32_t body) {
    ABUT_ASSERT(model && body >= -1 && body < model->body_count);
    for (; body >= 0; body = model->bodies[body].parent)
        if (model->bodies[body].kind != ABUT_BODY_LINK || abut_model_next_joint(model, body, -1) >= 0) break;
    return body >= 0 && (model->bodies[body].kind == ABUT_BODY_DYNAMIC || model->bodies[body].kind == ABUT_BODY_LINK);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static AbutStatus check_parent(const AbutModel *model, const AbutBodyDef *def, AbutError *error) {
    const char *name = def->name ? def->name : "";
    if (def->kind != ABUT_BODY_LINK && def->parent != -1)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "body '%.100s': only a link has a parent", name);
    if (def->parent < -1 || def->parent >= model->body_count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "body '%.100s': its parent %d is not one of the %d bodies before it", name, (int)def->parent,
            (int)model->body_count);
    return ABUT_OK;
}

AbutStatus abut_model_add_body(AbutModel *model, const AbutBodyDef *given, int32_t *out, AbutError *error) {
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutBodyDef def = *given;
    size_t need = (size_t)model->body_count + 1;
    ABUT_TRY(abut_check_body(&def, error));
    ABUT_TRY(check_parent(model, &def, error));
    if (!abut_grow((void **)&m->body_shapes, &m->body_shapes_capacity, need, sizeof *m->body_shapes) ||
        !abut_grow((void **)&m->body_joints, &m->body_joints_capacity, need, sizeof *m->body_joints) ||
        !(def.joint_name = keep_text(m, def.joint_name)))
        return abut_fail_memory(error);
    m->body_shapes[need - 1] = m->body_joints[need - 1] = (Chain){-1, -1};
    return ABUT_MODEL_APPEND(m, bodies, body, &def.name);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

AbutStatus abut_model_add_shape(AbutModel *model, const AbutShapeDef *given, int32_t *out, AbutError *error) {
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutShapeDef def = *given;
    int32_t number = model->shape_count;
    if (def.body < 0 || def.body >= model->body_count)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "shape '%.100s': there is no body %d", def.name ? def.name : "", (int)def.body);
    ABUT_TRY(abut_check_shape(
        &m->geometry, model->bodies[def.body].name, abut_model_is_movable(model, def.body), &def, error));
    int room = abut_grow((void **)&m->next_shape, &m->next_shape_capacity, (size_t)number + 1, sizeof *m->next_shape);
    AbutStatus status = room ? ABUT_MODEL_APPEND(m, shapes, shape, &def.name) : abut_fail_memory(error);
    if (status)
        abut_geometry_release(def.geometry);
    else
        link_to(&m->body_shapes[def.body], m->next_shape, number);
    return status;
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

AbutStatus abut_model_add_joint(AbutModel *model, const AbutJointDef *given, int32_t *out, AbutError *error) {
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutJointDef def = *given;
    int32_t number = model->joint_count;
    if (def.body < 0 || def.body >= model->body_count || model->bodies[def.body].kind != ABUT_BODY_LINK)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "joint '%.100s': body %d is not a link", def.name ? def.name : "",
            (int)def.body);
    ABUT_TRY(abut_check_joint(&def, error));
    if (!abut_grow((void **)&m->next_joint, &m->next_joint_capacity, (size_t)number + 1, sizeof *m->next_joint))
        return abut_fail_memory(error);
    ABUT_TRY(ABUT_MODEL_APPEND(m, joints, joint, &def.name));
    link_to(&m->body_joints[def.body], m->next_joint, number);
    return ABUT_OK;
}

/* ---- pairs and elements ------------------------------------------------------------------------------------------ */

AbutStatus abut_model_add_pair(AbutModel *model, const AbutPairDef *given, int32_t *out, AbutError *error) {
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutPairDef def = *given;
    const char *none = NULL;
    int32_t count = def.exclude ? model->body_count : model->shape_count;
    if (def.a < 0 || def.a >= count || def.b < 0 || def.b >= count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "pair %d %d: there are %d %s", (int)def.a, (int)def.b, (int)count,
            def.exclude ? "bodies" : "shapes");
    ABUT_TRY(def.exclude ? ABUT_OK : abut_check_pair(&def, error));
    return ABUT_MODEL_APPEND(m, pairs, pair, &none);
}

/* Copies of all attributes; NULL: no memory. */
static const AbutAttribute *keep_attributes(Model *m, const AbutElement *def) {
    AbutAttribute *copy = abut_pool_take(&m->texts, (size_t)def->attribute_count * sizeof *copy);
    for (int32_t i = 0; copy && i < def->attribute_count; ++i) {
        copy[i].name = keep_text(m, def->attributes[i].name);
        copy[i].value = keep_text(m, def->attributes[i].value);
        if (!copy[i].name || !copy[i].value) return NULL;
    }
    return copy;
}

AbutStatus abut_model_add_element(AbutModel *model, const AbutElement *given, int32_t *out, AbutError *error) {
    ABUT_ASSERT(model && given && given->attribute_count >= 0);
    Model *m = abut_model_inside(model);
    AbutElement def = *given;
    def.section = keep_text(m, def.section);
    def.tag = keep_text(m, def.tag);
    def.attributes = keep_attributes(m, given);
    if (!def.section || !def.tag || !def.attributes) return abut_fail_memory(error);
    return ABUT_MODEL_APPEND(m, elements, element, &def.name);
}

const char *abut_element_attribute(const AbutElement *element, const char *name) {
    ABUT_ASSERT(element && name);
    for (int32_t i = 0; i < element->attribute_count; ++i)
        if (strcmp(element->attributes[i].name, name) == 0) return element->attributes[i].value;
    return NULL;
}
