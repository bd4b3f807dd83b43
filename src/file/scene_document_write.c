/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scene document out: the bodies of a model with their shapes as JSON, complete enough to draw them without abut.
 * Equal geometry is written once; shapes name it by its number.
 */
#include "file/geometry_list.h"
#include "file/run.h"
#include "math/numbers.h"
#include "model/field_json.h"

#include <float.h>

typedef struct Writer {
    const AbutModel *model;
    AbutJson *json;
    AbutGeometryList list;
    int32_t *place; /* of each shape: its number in the document, where shapes stand with their bodies */
} Writer;

static void put_pose(AbutJson *json, AbutPose pose) {
    double numbers[7];
    abut_pose_put(pose, numbers);
    abut_json_numbers(abut_json_key(json, "pose"), numbers, 7);
}

static void put_vec3(AbutJson *json, AbutVec3 v) {
    double numbers[3] = {v.x, v.y, v.z};
    abut_json_numbers(json, numbers, 3);
}

static void put_polyhedron(AbutJson *json, const AbutPolyhedron *p) {
    const AbutVec3 *vertices = abut_polyhedron_vertices(p);
    const AbutFace *faces = abut_polyhedron_faces(p);
    const AbutHalfEdge *edges = abut_polyhedron_half_edges(p);
    abut_json_begin_array(abut_json_key(json, "vertices"));
    for (int32_t i = 0; i < p->vertex_count; ++i) put_vec3(json, vertices[i]);
    abut_json_end_array(json);
    abut_json_begin_array(abut_json_key(json, "faces"));
    for (int32_t i = 0; i < p->face_count; ++i) {
        abut_json_begin_array(json);
        for (int32_t k = 0; k < faces[i].count; ++k)
            abut_json_put_integer(json, NULL, edges[faces[i].first + k].origin);
        abut_json_end_array(json);
    }
    abut_json_end_array(json);
}

static void put_surface(AbutJson *json, const AbutMesh *mesh) {
    abut_json_begin_object(abut_json_key(json, "surface"));
    abut_json_begin_array(abut_json_key(json, "vertices"));
    for (int32_t i = 0; i < mesh->vertex_count; ++i) put_vec3(json, mesh->vertices[i]);
    abut_json_end_array(json);
    abut_json_begin_array(abut_json_key(json, "triangles"));
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        abut_json_begin_array(json);
        for (int k = 0; k < 3; ++k) abut_json_put_integer(json, NULL, mesh->triangles[i].v[k]);
        abut_json_end_array(json);
    }
    abut_json_end_array(json);
    abut_json_end_object(json);
}

static void put_geometry(AbutJson *json, const AbutGeometry *g) {
    abut_json_begin_object(json);
    abut_json_put_string(json, "kind", abut_word(abut_shape_kind_names, g->kind));
    abut_json_put_vec3(json, "size", g->size);
    abut_json_put_integer(json, "resolution", g->resolution);
    if (g->field)
        abut_field_write(json, g->field);
    else if (g->polyhedron)
        put_polyhedron(json, g->polyhedron);
    if (g->surface) put_surface(json, g->surface);
    abut_json_end_object(json);
}

static void put_shape(const Writer *w, int32_t number) {
    const AbutShapeDef *shape = &w->model->shapes[number];
    AbutJson *json = w->json;
    abut_json_begin_object(json);
    abut_json_put_string(json, "name", shape->name);
    abut_json_put_integer(json, "geometry", w->list.of_shape[number]);
    put_pose(json, shape->pose);
    abut_json_put_number(json, "density", shape->density);
    abut_json_put_number(json, "friction", shape->material.friction);
    abut_json_put_number(json, "friction_kinetic", shape->material.friction_kinetic);
    abut_json_put_number(json, "restitution", shape->material.restitution);
    abut_json_put_number(json, "friction_spinning", shape->material.friction_spinning);
    abut_json_put_number(json, "friction_rolling", shape->material.friction_rolling);
    if (abut_max_abs(shape->material.surface_velocity) > 0.0)
        abut_json_put_vec3(json, "surface_velocity", shape->material.surface_velocity);
    abut_json_put_integer(json, "category", shape->category);
    abut_json_put_integer(json, "mask", shape->mask);
    abut_json_put_integer(json, "color", shape->color);
    abut_json_put_bool(json, "visual", shape->visual);
    if (shape->margin > 0.0) abut_json_put_number(json, "margin", shape->margin);
    if (shape->priority != 0) abut_json_put_integer(json, "priority", shape->priority);
    if (shape->sensor) abut_json_put_bool(json, "sensor", 1);
    abut_json_end_object(json);
}

static void put_body(const Writer *w, int32_t number) {
    const AbutBodyDef *body = &w->model->bodies[number];
    const AbutMat3 *i = &body->inertia;
    double inertia[6] = {i->x.x, i->y.y, i->z.z, i->y.x, i->z.x, i->z.y};
    AbutJson *json = w->json;
    abut_json_begin_object(json);
    abut_json_put_string(json, "name", body->name);
    abut_json_put_string(json, "kind", abut_word(abut_body_kind_names, body->kind));
    if (body->kind == ABUT_BODY_LINK) abut_json_put_integer(json, "parent", body->parent);
    abut_json_put_number(json, "mass", body->mass);
    if (body->mass > 0.0) {
        abut_json_put_vec3(json, "center", body->center);
        abut_json_numbers(abut_json_key(json, "inertia"), inertia, 6);
    }
    put_pose(json, body->pose);
    abut_json_begin_array(abut_json_key(json, "shapes"));
    for (int32_t s = abut_model_next_shape(w->model, number, -1); s >= 0;
         s = abut_model_next_shape(w->model, number, s))
        put_shape(w, s);
    abut_json_end_array(json);
    abut_json_end_object(json);
}

/* Values that two shapes do not state are not written. */
static void put_pair(const Writer *w, const AbutPairDef *pair) {
    AbutJson *json = w->json;
    const struct {
        const char *key;
        double value, least;
    } says[] = {{"friction", pair->friction, 0.0}, {"friction_kinetic", pair->friction_kinetic, 0.0},
        {"restitution", pair->restitution, 0.0}, {"friction_spinning", pair->friction_spinning, 0.0},
        {"friction_rolling", pair->friction_rolling, 0.0}, {"margin", pair->margin, DBL_MIN}};
    abut_json_begin_object(json);
    if (pair->exclude) abut_json_put_bool(json, "exclude", 1);
    abut_json_put_integer(json, "a", pair->exclude ? pair->a : w->place[pair->a]);
    abut_json_put_integer(json, "b", pair->exclude ? pair->b : w->place[pair->b]);
    for (size_t i = 0; !pair->exclude && i < sizeof says / sizeof says[0]; ++i)
        if (says[i].value >= says[i].least) abut_json_put_number(json, says[i].key, says[i].value);
    abut_json_end_object(json);
}

static void put_pairs(const Writer *w) {
    abut_json_begin_array(abut_json_key(w->json, "pairs"));
    for (int32_t i = 0; i < w->model->pair_count; ++i) put_pair(w, &w->model->pairs[i]);
    abut_json_end_array(w->json);
}

static void put_document(const Writer *w, const char *settings) {
    AbutJson *json = w->json;
    abut_json_begin_object(json);
    abut_json_put_string(json, "format", "abut run");
    abut_json_put_integer(json, "version", ABUT_SCENE_DOCUMENT_VERSION);
    abut_json_put_string(json, "name", w->model->name);
    abut_json_put_vec3(json, "gravity", w->model->gravity);
    abut_json_put_number(json, "timestep", w->model->timestep);
    abut_json_put_string(json, "settings", settings);
    abut_json_begin_array(abut_json_key(json, "geometries"));
    for (int32_t i = 0; i < w->list.count; ++i) put_geometry(json, w->list.item[i]);
    abut_json_end_array(json);
    abut_json_begin_array(abut_json_key(json, "bodies"));
    for (int32_t i = 0; i < w->model->body_count; ++i) put_body(w, i);
    abut_json_end_array(json);
    if (w->model->pair_count > 0) put_pairs(w);
    abut_json_end_object(json);
}

/* 0: no memory. */
static int number_shapes(Writer *w) {
    const AbutModel *model = w->model;
    int32_t count = 0;
    w->place = abut_alloc_array((size_t)model->shape_count + 1, sizeof *w->place);
    for (int32_t b = 0; w->place && b < model->body_count; ++b)
        for (int32_t s = abut_model_next_shape(model, b, -1); s >= 0; s = abut_model_next_shape(model, b, s))
            w->place[s] = count++;
    return w->place != NULL;
}

AbutStatus abut_scene_document_write(const AbutModel *model, const char *settings, AbutJson *out, AbutError *error) {
    Writer w = {.model = model, .json = out};
    *out = abut_json_to_file(NULL, 0);
    ABUT_TRY(abut_geometry_list_make(model, &w.list, error));
    AbutStatus status = ABUT_OK;
    if (number_shapes(&w))
        put_document(&w, settings);
    else
        status = abut_fail_memory(error);
    abut_free(w.place);
    abut_geometry_list_free(&w.list);
    return status == ABUT_OK ? abut_json_finish(out, error) : status;
}
