/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies, meshes and poses of a page. Equal meshes are written once. */
#include "picture/page.h"

#include <string.h>

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static int same_mesh(const AbutMesh *a, const AbutMesh *b)
{
    return a == b || (a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
                         memcmp(a->vertices, b->vertices, sizeof *a->vertices * (size_t)a->vertex_count) == 0 &&
                         memcmp(a->triangles, b->triangles, sizeof *a->triangles * (size_t)a->triangle_count) == 0);
}

static double get_vertex(const void *source, int64_t row, int32_t column)
{
    const AbutMesh *mesh = source;
    return abut_get(mesh->vertices[row], column);
}

static double get_corner(const void *source, int64_t row, int32_t column)
{
    const AbutMesh *mesh = source;
    return mesh->triangles[row].v[column];
}

static void check_mesh(AbutPage *page, const AbutMesh *mesh)
{
    for (int32_t i = 0; i < mesh->vertex_count; ++i)
        if (!abut_is_finite(mesh->vertices[i]))
            abut_page_fail(page, ABUT_ERROR_NUMBER, "page: a vertex is not finite");
    for (int32_t i = 0; i < mesh->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            if (mesh->triangles[i].v[k] < 0 || mesh->triangles[i].v[k] >= mesh->vertex_count)
                abut_page_fail(page, ABUT_ERROR_ARGUMENT, "page: a triangle names a vertex that is not there");
}

void abut_page_mesh(AbutPage *page, const AbutMesh *mesh)
{
    check_mesh(page, mesh);
    AbutPageTable vertices = {get_vertex, mesh, mesh->vertex_count, 3, 0.0, 0, 0.0, NULL};
    AbutPageTable triangles = {get_corner, mesh, mesh->triangle_count, 3, 1.0, 0, 0.0, NULL};
    abut_page_table(page, "vertices", &vertices);
    abut_page_table(page, "triangles", &triangles);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Meshes written so far; the number of a mesh is its place. */
typedef struct MeshList {
    const AbutMesh **item;
    size_t count, capacity;
} MeshList;

static int32_t mesh_number(AbutPage *page, MeshList *list, const AbutMesh *mesh)
{
    if (!mesh)
        return -1;
    for (size_t i = 0; i < list->count; ++i)
        if (same_mesh(list->item[i], mesh))
            return (int32_t)i;
    void *memory = list->item;
    int grown = abut_grow(&memory, &list->capacity, list->count + 1, sizeof *list->item);
    list->item = memory;
    if (!grown) {
        abut_page_fail(page, ABUT_ERROR_MEMORY, "page: no memory for its meshes");
        return -1;
    }
    list->item[list->count++] = mesh;
    return (int32_t)list->count - 1;
}

static void put_shape(AbutPage *page, MeshList *list, const AbutPageShape *shape)
{
    AbutJson *json = &page->json;
    if (!abut_is_finite(shape->pose.p) || !isfinite(shape->pose.q.w) ||
        !abut_is_finite(abut_vec3(shape->pose.q.x, shape->pose.q.y, shape->pose.q.z)))
        abut_page_fail(page, ABUT_ERROR_NUMBER, "page: the pose of a shape is not finite");
    double rotation[4] = {shape->pose.q.w, shape->pose.q.x, shape->pose.q.y, shape->pose.q.z};
    abut_json_begin_object(json);
    abut_json_put_integer(json, "mesh", mesh_number(page, list, shape->mesh));
    abut_json_put_vec3(json, "position", shape->pose.p);
    abut_json_key(json, "rotation");
    abut_json_numbers(json, rotation, 4);
    abut_json_put_integer(json, "color", shape->color);
    abut_json_end_object(json);
}

static void put_body(AbutPage *page, MeshList *list, const AbutPageBody *body)
{
    static const char *const kinds[] = {"dynamic", "static", "kinematic"};
    AbutJson *json = &page->json;
    abut_json_begin_object(json);
    abut_json_put_string(json, "name", body->name ? body->name : "");
    abut_json_put_string(json, "kind", kinds[(unsigned)body->kind < 3 ? body->kind : 0]);
    abut_json_put_number(json, "mass", isfinite(body->mass) ? body->mass : 0.0);
    abut_json_key(json, "shapes");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < body->shape_count; ++i)
        put_shape(page, list, &body->shapes[i]);
    abut_json_end_array(json);
    abut_json_end_object(json);
}

void abut_page_bodies(AbutPage *page, const AbutPageBody *bodies, int32_t count)
{
    MeshList list = {NULL, 0, 0};
    AbutJson *json = &page->json;
    abut_json_key(json, "bodies");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < count; ++i)
        put_body(page, &list, &bodies[i]);
    abut_json_end_array(json);
    abut_json_key(json, "meshes");
    abut_json_begin_array(json);
    for (size_t i = 0; i < list.count; ++i) {
        abut_json_begin_object(json);
        abut_page_mesh(page, list.item[i]);
        abut_json_end_object(json);
    }
    abut_json_end_array(json);
    abut_free(list.item);
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

double abut_page_step(const double *values, int64_t rows, int32_t stride, int32_t columns)
{
    double low = 0.0, high = 0.0, range = 0.0;
    for (int32_t c = 0; c < columns; ++c) {
        double least = INFINITY, most = -INFINITY;
        for (int64_t r = 0; r < rows; ++r) {
            least = abut_smaller(values[r * stride + c], least);
            most = abut_larger(values[r * stride + c], most);
        }
        low = abut_smaller(least, low);
        high = abut_larger(most, high);
        range = abut_larger(most - least, range);
    }
    double step = abut_larger(range * 0x1p-22, abut_larger(high, -low) * 0x1p-40);
    return step > 0.0 && isfinite(step) ? step : 0x1p-40;
}

typedef struct Poses {
    const double *values; /* positions and quaternions */
    const double *rotations;
    const int32_t *frame;
    int32_t bodies;
} Poses;

static double get_position(const void *source, int64_t row, int32_t column)
{
    const Poses *poses = source;
    return poses->values[7 * ((int64_t)poses->frame[row] * poses->bodies + column / 3) + column % 3];
}

static double get_rotation(const void *source, int64_t row, int32_t column)
{
    const Poses *poses = source;
    return poses->rotations[4 * (row * poses->bodies + column / 4) + column % 4];
}

/* Unit quaternions of the kept frames, each with the sign that is nearer to the frame before. */
static double *steady_rotations(const double *poses, const int32_t *frame, int32_t count, int32_t bodies)
{
    double *out = abut_alloc_array((size_t)count * (size_t)bodies, 4 * sizeof *out);
    for (int32_t f = 0; out && f < count; ++f)
        for (int32_t b = 0; b < bodies; ++b) {
            const double *p = poses + 7 * ((int64_t)frame[f] * bodies + b) + 3;
            double *q = out + 4 * ((int64_t)f * bodies + b), *last = q - 4 * (int64_t)bodies, along = 0.0;
            AbutQuat unit = abut_quat_normalize(abut_quat(p[0], p[1], p[2], p[3]));
            double value[4] = {unit.w, unit.x, unit.y, unit.z};
            for (int k = 0; k < 4 && f > 0; ++k)
                along += value[k] * last[k];
            for (int k = 0; k < 4; ++k)
                q[k] = along < 0.0 ? -value[k] : value[k];
        }
    return out;
}

void abut_page_poses(AbutPage *page, const double *poses, const int32_t *frame, int32_t count, int32_t bodies)
{
    double *rotations = steady_rotations(poses, frame, count, bodies);
    if (!rotations) {
        abut_page_fail(page, ABUT_ERROR_MEMORY, "page: no memory for its poses");
        return;
    }
    int64_t all = ((int64_t)frame[count - 1] + 1) * bodies;
    Poses source = {poses, rotations, frame, bodies};
    AbutPageTable positions = {
        get_position, &source, count, 3 * bodies, abut_page_step(poses, all, 7, 3), 0, 0.0, NULL};
    AbutPageTable turns = {get_rotation, &source, count, 4 * bodies, 0x1p-16, 0, 0.0, NULL};
    abut_page_table(page, "positions", &positions);
    abut_page_table(page, "rotations", &turns);
    abut_free(rotations);
}

void abut_page_rest(AbutPage *page, const AbutPose *poses, int32_t bodies)
{
    double zero = 0.0, *numbers = abut_alloc_array((size_t)bodies, 7 * sizeof *numbers);
    int32_t frame = 0;
    if (!numbers) {
        abut_page_fail(page, ABUT_ERROR_MEMORY, "page: no memory for its poses");
        return;
    }
    for (int32_t i = 0; i < bodies; ++i) {
        AbutPose p = poses[i];
        double row[7] = {p.p.x, p.p.y, p.p.z, p.q.w, p.q.x, p.q.y, p.q.z};
        memcpy(numbers + 7 * i, row, sizeof row);
    }
    abut_json_key(&page->json, "times");
    abut_json_numbers(&page->json, &zero, 1);
    abut_page_poses(page, numbers, &frame, 1, bodies);
    abut_json_key(&page->json, "series");
    abut_json_begin_array(&page->json);
    abut_json_end_array(&page->json);
    abut_free(numbers);
}
