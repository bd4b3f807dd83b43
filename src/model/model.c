/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models: descriptions that grow by one body, shape, joint, pair or element at a time.
 *
 * Behind the public fields stand the growing arrays, the memory of all texts, the geometry that shapes share, and lists
 * that lead from a body to its shapes and joints. What fails leaves the counts as they were.
 */
#include "abut/model.h"

#include <string.h>

#include "model/check.h"
#include "model/inside.h"

typedef AbutModelInside Model;

/* From each body to its things in the order of their numbers; -1: none. */
typedef AbutModelChain Chain;

/* ---- life -------------------------------------------------------------------------------------------------------- */

AbutStatus abut_model_create(AbutModel **out, AbutError *error)
{
    ABUT_ASSERT(out);
    *out = NULL;
    Model *m = abut_alloc(sizeof *m);
    if (!m)
        return abut_fail_memory(error);
    memset(m, 0, sizeof *m);
    m->model.name = "";
    m->model.gravity = abut_vec3(0.0, 0.0, -ABUT_GRAVITY);
    *out = &m->model;
    return ABUT_OK;
}

void abut_model_free(AbutModel *model)
{
    if (!model)
        return;
    Model *m = abut_model_inside(model);
    for (int32_t i = 0; i < model->shape_count; ++i)
        abut_geometry_release(m->shapes[i].geometry);
    abut_geometry_set_free(&m->geometry);
    void *arrays[] = {m->bodies, m->shapes, m->joints, m->pairs, m->elements, m->body_shapes, m->body_joints,
        m->next_shape, m->next_joint, m->frames, m->tendons, m->actuators, m->equalities, m->keyframes};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
        abut_free(arrays[i]);
    abut_pool_free(&m->texts);
    abut_free(m);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* A copy of a text, "" for NULL; NULL: no memory. */
static const char *keep_text(Model *m, const char *text)
{
    return text && *text ? abut_pool_text(&m->texts, text, strlen(text)) : "";
}

int abut_model_keep_names(Model *m, const char **name, AbutSource *source)
{
    *name = keep_text(m, *name);
    if (!source->file)
        return *name != NULL;
    if (!m->last_file || strcmp(m->last_file, source->file) != 0)
        m->last_file = keep_text(m, source->file);
    source->file = m->last_file;
    return *name && source->file;
}

AbutStatus abut_model_set_name(AbutModel *model, const char *name, AbutError *error)
{
    ABUT_ASSERT(model);
    const char *copy = keep_text(abut_model_inside(model), name);
    if (!copy)
        return abut_fail_memory(error);
    model->name = copy;
    return ABUT_OK;
}

/* ---- lists of a body --------------------------------------------------------------------------------------------- */

static void link_to(Chain *chain, int32_t *next, int32_t number)
{
    next[number] = -1;
    if (chain->first < 0)
        chain->first = number;
    else
        next[chain->last] = number;
    chain->last = number;
}

int32_t abut_model_next_shape(const AbutModel *model, int32_t body, int32_t after)
{
    ABUT_ASSERT(model && body >= 0 && body < model->body_count && after >= -1 && after < model->shape_count);
    return after < 0 ? abut_model_inside(model)->body_shapes[body].first : abut_model_inside(model)->next_shape[after];
}

int32_t abut_model_next_joint(const AbutModel *model, int32_t body, int32_t after)
{
    ABUT_ASSERT(model && body >= 0 && body < model->body_count && after >= -1 && after < model->joint_count);
    return after < 0 ? abut_model_inside(model)->body_joints[body].first : abut_model_inside(model)->next_joint[after];
}

int abut_model_is_movable(const AbutModel *model, int32_t body)
{
    ABUT_ASSERT(model && body >= -1 && body < model->body_count);
    for (; body >= 0; body = model->bodies[body].parent)
        if (model->bodies[body].kind != ABUT_BODY_LINK || abut_model_next_joint(model, body, -1) >= 0)
            break;
    return body >= 0 && (model->bodies[body].kind == ABUT_BODY_DYNAMIC || model->bodies[body].kind == ABUT_BODY_LINK);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static AbutStatus check_parent(const AbutModel *model, const AbutBodyDef *def, AbutError *error)
{
    const char *name = def->name ? def->name : "";
    if (def->kind != ABUT_BODY_LINK && def->parent != -1)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "body '%.100s': only a link has a parent", name);
    if (def->parent < -1 || def->parent >= model->body_count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "body '%.100s': its parent %d is not one of the %d bodies before it", name, (int)def->parent,
            (int)model->body_count);
    return ABUT_OK;
}

static int body_room(Model *m)
{
    size_t need = (size_t)m->model.body_count + 1;
    int good = need < INT32_MAX / 2 && abut_grow((void **)&m->bodies, &m->body_capacity, need, sizeof *m->bodies) &&
               abut_grow((void **)&m->body_shapes, &m->body_shapes_capacity, need, sizeof *m->body_shapes) &&
               abut_grow((void **)&m->body_joints, &m->body_joints_capacity, need, sizeof *m->body_joints);
    m->model.bodies = m->bodies;
    return good;
}

AbutStatus abut_model_add_body(AbutModel *model, const AbutBodyDef *given, int32_t *out, AbutError *error)
{
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutBodyDef def = *given;
    Chain none = {-1, -1};
    ABUT_TRY(abut_check_body(&def, error));
    ABUT_TRY(check_parent(model, &def, error));
    if (!body_room(m) || !abut_model_keep_names(m, &def.name, &def.source) ||
        !(def.joint_name = keep_text(m, def.joint_name)))
        return abut_fail_memory(error);
    int32_t number = model->body_count++;
    m->bodies[number] = def;
    m->body_shapes[number] = m->body_joints[number] = none;
    if (out)
        *out = number;
    return ABUT_OK;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static int shape_room(Model *m)
{
    size_t need = (size_t)m->model.shape_count + 1;
    int good = need < INT32_MAX / 2 && abut_grow((void **)&m->shapes, &m->shape_capacity, need, sizeof *m->shapes) &&
               abut_grow((void **)&m->next_shape, &m->next_shape_capacity, need, sizeof *m->next_shape);
    m->model.shapes = m->shapes;
    return good;
}

AbutStatus abut_model_add_shape(AbutModel *model, const AbutShapeDef *given, int32_t *out, AbutError *error)
{
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutShapeDef def = *given;
    if (def.body < 0 || def.body >= model->body_count)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "shape '%.100s': there is no body %d", def.name ? def.name : "", (int)def.body);
    ABUT_TRY(abut_check_shape(
        &m->geometry, model->bodies[def.body].name, abut_model_is_movable(model, def.body), &def, error));
    if (!shape_room(m) || !abut_model_keep_names(m, &def.name, &def.source)) {
        abut_geometry_release(def.geometry);
        return abut_fail_memory(error);
    }
    int32_t number = model->shape_count++;
    m->shapes[number] = def;
    link_to(&m->body_shapes[def.body], m->next_shape, number);
    if (out)
        *out = number;
    return ABUT_OK;
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static int joint_room(Model *m)
{
    size_t need = (size_t)m->model.joint_count + 1;
    int good = need < INT32_MAX / 2 && abut_grow((void **)&m->joints, &m->joint_capacity, need, sizeof *m->joints) &&
               abut_grow((void **)&m->next_joint, &m->next_joint_capacity, need, sizeof *m->next_joint);
    m->model.joints = m->joints;
    return good;
}

AbutStatus abut_model_add_joint(AbutModel *model, const AbutJointDef *given, int32_t *out, AbutError *error)
{
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutJointDef def = *given;
    const char *name = def.name ? def.name : "";
    if (def.body < 0 || def.body >= model->body_count || model->bodies[def.body].kind != ABUT_BODY_LINK)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "joint '%.100s': body %d is not a link", name, (int)def.body);
    ABUT_TRY(abut_check_joint(&def, error));
    if (!joint_room(m) || !abut_model_keep_names(m, &def.name, &def.source))
        return abut_fail_memory(error);
    int32_t number = model->joint_count++;
    m->joints[number] = def;
    link_to(&m->body_joints[def.body], m->next_joint, number);
    if (out)
        *out = number;
    return ABUT_OK;
}

/* ---- pairs and elements ------------------------------------------------------------------------------------------ */

AbutStatus abut_model_add_pair(AbutModel *model, const AbutPairDef *given, int32_t *out, AbutError *error)
{
    ABUT_ASSERT(model && given);
    Model *m = abut_model_inside(model);
    AbutPairDef def = *given;
    const char *none = NULL;
    int32_t count = def.exclude ? model->body_count : model->shape_count;
    if (def.a < 0 || def.a >= count || def.b < 0 || def.b >= count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "pair %d %d: there are %d %s", (int)def.a, (int)def.b, (int)count,
            def.exclude ? "bodies" : "shapes");
    ABUT_TRY(def.exclude ? ABUT_OK : abut_check_pair(&def, error));
    size_t need = (size_t)model->pair_count + 1;
    int room = need < INT32_MAX / 2 && abut_grow((void **)&m->pairs, &m->pair_capacity, need, sizeof *m->pairs);
    model->pairs = m->pairs;
    if (!room || !abut_model_keep_names(m, &none, &def.source))
        return abut_fail_memory(error);
    m->pairs[model->pair_count] = def;
    if (out)
        *out = model->pair_count;
    ++model->pair_count;
    return ABUT_OK;
}

/* Copies of all attributes; NULL: no memory. */
static const AbutAttribute *keep_attributes(Model *m, const AbutElement *def)
{
    AbutAttribute *copy = abut_pool_take(&m->texts, (size_t)def->attribute_count * sizeof *copy);
    for (int32_t i = 0; copy && i < def->attribute_count; ++i) {
        copy[i].name = keep_text(m, def->attributes[i].name);
        copy[i].value = keep_text(m, def->attributes[i].value);
        if (!copy[i].name || !copy[i].value)
            return NULL;
    }
    return copy;
}

AbutStatus abut_model_add_element(AbutModel *model, const AbutElement *given, int32_t *out, AbutError *error)
{
    ABUT_ASSERT(model && given && given->attribute_count >= 0);
    Model *m = abut_model_inside(model);
    AbutElement def = *given;
    size_t need = (size_t)model->element_count + 1;
    int room =
        need < INT32_MAX / 2 && abut_grow((void **)&m->elements, &m->element_capacity, need, sizeof *m->elements);
    model->elements = m->elements;
    def.section = keep_text(m, def.section);
    def.tag = keep_text(m, def.tag);
    def.attributes = keep_attributes(m, given);
    if (!room || !abut_model_keep_names(m, &def.name, &def.source) || !def.section || !def.tag || !def.attributes)
        return abut_fail_memory(error);
    m->elements[model->element_count] = def;
    if (out)
        *out = model->element_count;
    ++model->element_count;
    return ABUT_OK;
}

const char *abut_element_attribute(const AbutElement *element, const char *name)
{
    ABUT_ASSERT(element && name);
    for (int32_t i = 0; i < element->attribute_count; ++i)
        if (strcmp(element->attributes[i].name, name) == 0)
            return element->attributes[i].value;
    return NULL;
}
