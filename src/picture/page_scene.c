/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies, meshes and poses of a page. Each geometry of the model is written once. Where a body is not there it keeps
 * the place it had last, or will have first, and a table says that it is not shown.
 */
#include "math/numbers.h"
#include "model/geometry.h"
#include "picture/page.h"

#include <string.h>

#include "file/geometry_list.h"

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static double get_vertex(const void *source, int64_t row, int32_t column) {
    const AbutMesh *mesh = source;
    return abut_get(mesh->vertices[row], column);
}

static double get_corner(const void *source, int64_t row, int32_t column) {
    const AbutMesh *mesh = source;
    return mesh->triangles[row].v[column];
}

void abut_page_mesh(AbutPage *page, const AbutMesh *mesh) {
    AbutPageTable vertices = {get_vertex, mesh, mesh->vertex_count, 3, 0.0, 0, 0.0, NULL};
    AbutPageTable triangles = {get_corner, mesh, mesh->triangle_count, 3, 1.0, 0, 0.0, NULL};
    abut_page_table(page, "vertices", &vertices);
    abut_page_table(page, "triangles", &triangles);
}

/* Round shapes as kind and size: the page draws them as finely as it likes. */
static void put_geometry(AbutPage *page, const AbutGeometry *geometry) {
    AbutMesh mesh;
    abut_json_begin_object(&page->json);
    if (geometry->resolution > 0) {
        abut_json_put_string(&page->json, "round", abut_word(abut_shape_kind_names, geometry->kind));
        abut_json_put_vec3(&page->json, "size", geometry->size);
    } else {
        abut_page_keep(page, abut_geometry_to_mesh(geometry, 0, &mesh, page->error));
        if (page->status == ABUT_OK) {
            abut_page_mesh(page, &mesh);
            abut_mesh_free(&mesh);
        }
    }
    abut_json_end_object(&page->json);
}

static void put_meshes(AbutPage *page, const AbutGeometryList *list) {
    abut_json_begin_array(abut_json_key(&page->json, "meshes"));
    for (int32_t i = 0; i < list->count && page->status == ABUT_OK; ++i)
        if (list->item[i]->polyhedron) put_geometry(page, list->item[i]);
    abut_json_end_array(&page->json);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Numbers of geometries to those of their meshes: polyhedra are counted; -1 for a half-space. */
static AbutStatus number_meshes(AbutGeometryList *list, int32_t shapes, AbutError *error) {
    int32_t *mesh = abut_alloc_array((size_t)list->count, sizeof *mesh), count = 0;
    if (!mesh) return abut_fail_memory(error);
    for (int32_t i = 0; i < list->count; ++i) mesh[i] = list->item[i]->polyhedron ? count++ : -1;
    for (int32_t s = 0; s < shapes; ++s) list->of_shape[s] = mesh[list->of_shape[s]];
    abut_free(mesh);
    return ABUT_OK;
}

/* Does a body have a mesh that is only drawn? Its other shapes are then shown on demand. */
static int has_picture(const AbutModel *model, int32_t body) {
    for (int32_t s = abut_model_next_shape(model, body, -1); s >= 0; s = abut_model_next_shape(model, body, s))
        if (model->shapes[s].visual && model->shapes[s].geometry->kind == ABUT_SHAPE_POLYHEDRON) return 1;
    return 0;
}

static void put_shape(AbutPage *page, const AbutShapeDef *shape, int32_t mesh, int covered) {
    AbutJson *json = &page->json;
    double rotation[4] = {shape->pose.q.w, shape->pose.q.x, shape->pose.q.y, shape->pose.q.z};
    abut_json_begin_object(json);
    abut_json_put_integer(json, "mesh", mesh);
    abut_json_put_vec3(json, "position", shape->pose.p);
    abut_json_numbers(abut_json_key(json, "rotation"), rotation, 4);
    abut_json_put_integer(json, "color", shape->color);
    if (covered) abut_json_put_bool(json, "covered", 1);
    abut_json_end_object(json);
}

/* As given, or of the shapes; 0 for a body that forces do not move. */
static double mass_of(const AbutModel *model, int32_t body) {
    double mass = 0.0;
    if (model->bodies[body].kind == ABUT_BODY_STATIC || model->bodies[body].kind == ABUT_BODY_KINEMATIC) return 0.0;
    if (model->bodies[body].mass > 0.0) return model->bodies[body].mass;
    for (int32_t s = abut_model_next_shape(model, body, -1); s >= 0; s = abut_model_next_shape(model, body, s)) {
        const AbutPolyhedron *p = model->shapes[s].geometry->polyhedron;
        if (p && !model->shapes[s].visual) mass += model->shapes[s].density * p->mass.volume;
    }
    return mass;
}

static void put_body(AbutPage *page, const AbutModel *model, int32_t number, const int32_t *mesh_of_shape) {
    AbutJson *json = &page->json;
    int covered = has_picture(model, number);
    abut_json_begin_object(json);
    abut_json_put_string(json, "name", model->bodies[number].name);
    abut_json_put_string(json, "kind", abut_word(abut_body_kind_names, model->bodies[number].kind));
    abut_json_put_number(json, "mass", mass_of(model, number));
    abut_json_begin_array(abut_json_key(json, "shapes"));
    for (int32_t s = abut_model_next_shape(model, number, -1); s >= 0; s = abut_model_next_shape(model, number, s))
        put_shape(page, &model->shapes[s], mesh_of_shape[s], covered && !model->shapes[s].visual);
    abut_json_end_array(json);
    abut_json_end_object(json);
}

void abut_page_bodies(AbutPage *page, const AbutModel *model) {
    AbutGeometryList list;
    AbutStatus status = abut_geometry_list_make(model, &list, page->error);
    if (status == ABUT_OK)
        status = number_meshes(&list, model->shape_count, page->error); /* from here on the list tells meshes */
    abut_page_keep(page, status);
    if (status != ABUT_OK) {
        abut_geometry_list_free(&list);
        return;
    }
    abut_json_begin_array(abut_json_key(&page->json, "bodies"));
    for (int32_t i = 0; i < model->body_count; ++i) put_body(page, model, i, list.of_shape);
    abut_json_end_array(&page->json);
    put_meshes(page, &list);
    abut_geometry_list_free(&list);
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

double abut_page_step(const double *values, int64_t rows, int32_t stride, int32_t columns) {
    double low = 0.0, high = 0.0, range = 0.0;
    for (int32_t c = 0; c < columns; ++c) {
        double least = INFINITY, most = -INFINITY;
        for (int64_t r = 0; r < rows; ++r) {
            double x = values[r * stride + c];
            least = isfinite(x) ? abut_smaller(x, least) : least;
            most = isfinite(x) ? abut_larger(x, most) : most;
        }
        low = abut_smaller(least, low);
        high = abut_larger(most, high);
        range = abut_larger(most - least, range);
    }
    double step = abut_larger(range * 0x1p-22, abut_larger(high, -low) * 0x1p-40);
    return step > 0.0 && isfinite(step) ? step : 0x1p-40;
}

/* Poses of the kept frames, without gaps: [count, bodies]. */
typedef struct Poses {
    double *numbers; /* 7 each: position, unit quaternion */
    char *there;     /* 1: the body is there */
    int32_t count, bodies, missing;
} Poses;

static double get_position(const void *source, int64_t row, int32_t column) {
    const Poses *poses = source;
    return poses->numbers[7 * (row * poses->bodies + column / 3) + column % 3];
}

static double get_rotation(const void *source, int64_t row, int32_t column) {
    const Poses *poses = source;
    return poses->numbers[7 * (row * poses->bodies + column / 4) + 3 + column % 4];
}

static double get_there(const void *source, int64_t row, int32_t column) {
    const Poses *poses = source;
    return poses->there[row * poses->bodies + column];
}

/* A pose with its quaternion of unit length and of the sign that is nearer to `last` (NULL: its own). */
static void steady_pose(const double *pose, const double *last, double *out) {
    AbutQuat unit = abut_quat_normalize(abut_quat(pose[3], pose[4], pose[5], pose[6]));
    double q[4] = {unit.w, unit.x, unit.y, unit.z}, along = 0.0;
    memcpy(out, pose, 3 * sizeof *out);
    for (int k = 0; k < 4 && last; ++k) along += q[k] * last[3 + k];
    for (int k = 0; k < 4; ++k) out[3 + k] = along < 0.0 ? -q[k] : q[k];
}

/* One body over the kept frames: where it is not there, its last pose, before its first the first. */
static void fill_body(Poses *p, const double *poses, const int32_t *frame, int32_t body) {
    static const double nowhere[7] = {0, 0, 0, 1, 0, 0, 0};
    int32_t first = -1;
    double *last = NULL;
    for (int32_t f = 0; f < p->count; ++f) {
        int64_t at = (int64_t)f * p->bodies + body;
        const double *pose = poses + 7 * ((int64_t)frame[f] * p->bodies + body);
        double *out = p->numbers + 7 * at;
        int there = 1;
        for (int k = 0; k < 7; ++k) there &= isfinite(pose[k]) != 0;
        if (there)
            steady_pose(pose, last, out);
        else
            memcpy(out, last ? last : nowhere, 7 * sizeof *out);
        if (there && first < 0) first = f;
        last = there || last ? out : NULL;
        p->there[at] = (char)there;
        p->missing |= !there;
    }
    for (int32_t f = 0; f < first; ++f)
        memcpy(p->numbers + 7 * ((int64_t)f * p->bodies + body), p->numbers + 7 * ((int64_t)first * p->bodies + body),
            7 * sizeof *p->numbers);
}

void abut_page_poses(AbutPage *page, const double *poses, const int32_t *frame, int32_t count, int32_t bodies) {
    Poses p = {.count = count, .bodies = bodies};
    size_t each = (size_t)count * (size_t)bodies;
    p.numbers = abut_alloc_array(each, 7 * sizeof *p.numbers);
    p.there = abut_alloc_array(each, 1);
    if (p.numbers && p.there) {
        for (int32_t b = 0; b < bodies; ++b) fill_body(&p, poses, frame, b);
        double step = abut_page_step(poses, ((int64_t)frame[count - 1] + 1) * bodies, 7, 3);
        AbutPageTable positions = {get_position, &p, count, 3 * bodies, step, 0, 0.0, NULL};
        AbutPageTable turns = {get_rotation, &p, count, 4 * bodies, 0x1p-16, 0, 0.0, NULL};
        AbutPageTable there = {get_there, &p, count, bodies, 1.0, 0, 0.0, NULL};
        abut_page_table(page, "positions", &positions);
        abut_page_table(page, "rotations", &turns);
        if (p.missing) abut_page_table(page, "there", &there);
    } else
        abut_page_fail(page, ABUT_ERROR_MEMORY, "out of memory");
    abut_free(p.numbers);
    abut_free(p.there);
}

void abut_page_frames(AbutPage *page, const double *times, const AbutPose *poses, int32_t count, int32_t bodies) {
    size_t rows = (size_t)count * (size_t)bodies;
    double *numbers = abut_alloc_array(rows + 1, 7 * sizeof *numbers);
    int32_t *frame = abut_alloc_array((size_t)count, sizeof *frame);
    abut_json_numbers(abut_json_key(&page->json, "times"), times, count);
    for (size_t i = 0; numbers && i < rows; ++i) abut_pose_put(poses[i], numbers + 7 * i);
    for (int32_t i = 0; frame && i < count; ++i) frame[i] = i;
    if (numbers && frame)
        abut_page_poses(page, numbers, frame, count, bodies);
    else
        abut_page_fail(page, ABUT_ERROR_MEMORY, "out of memory");
    abut_free(numbers);
    abut_free(frame);
}

void abut_page_rest(AbutPage *page, const AbutModel *model) {
    const double zero = 0.0;
    AbutPose *poses = abut_alloc_array((size_t)model->body_count, sizeof *poses);
    if (!poses) {
        abut_page_fail(page, ABUT_ERROR_MEMORY, "out of memory");
        return;
    }
    for (int32_t i = 0; i < model->body_count; ++i) { /* parents come before their children */
        int32_t parent = model->bodies[i].parent;
        poses[i] = parent >= 0 ? abut_pose_mul(poses[parent], model->bodies[i].pose) : model->bodies[i].pose;
    }
    abut_page_frames(page, &zero, poses, 1, model->body_count);
    abut_json_begin_array(abut_json_key(&page->json, "series"));
    abut_json_end_array(&page->json);
    abut_free(poses);
}
