/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of a logged run: the shapes in its scene_json become meshes, the poses of a step place them. */
#include "abut/picture.h"
#include "file/json_read.h"

#include <string.h>

typedef struct ShapeView {
    int32_t body, ground, moves;
    AbutPose pose; /* in the body frame */
    AbutMesh mesh;
    uint32_t color;
} ShapeView;

struct AbutRunView {
    const AbutRunLogData *log;
    ShapeView *shape;
    size_t capacity;
    int32_t count;
};

static const uint32_t palette[] = {0x4e79a7, 0xf28e2b, 0x59a14f, 0xe15759, 0x76b7b2, 0xedc948, 0xb07aa1, 0x9c755f};

void abut_run_view_free(AbutRunView *view)
{
    if (!view)
        return;
    for (int32_t i = 0; i < view->count; ++i)
        abut_mesh_free(&view->shape[i].mesh);
    abut_free(view->shape);
    abut_free(view);
}

/* ---- geometry from JSON ------------------------------------------------------------------------------------------ */

static int read_numbers(const AbutJsonText *json, const AbutJsonNode *node, double *to, int count)
{
    if (!node || node->kind != ABUT_JSON_ARRAY || node->count != count)
        return 0;
    const AbutJsonNode *n = abut_json_first(node);
    for (int i = 0; i < count; ++i, n = abut_json_next(json, n)) {
        if (n->kind != ABUT_JSON_NUMBER)
            return 0;
        to[i] = n->number;
    }
    return 1;
}

static AbutPose pose_of(const double p[7])
{
    return abut_pose(abut_vec3(p[0], p[1], p[2]), abut_quat_normalize(abut_quat(p[3], p[4], p[5], p[6])));
}

/* Triangles that the faces fall into; -1 when a face is none. */
static int32_t count_triangles(const AbutJsonText *json, const AbutJsonNode *faces)
{
    int64_t total = 0;
    for (const AbutJsonNode *f = abut_json_first(faces); f; f = abut_json_next(json, f)) {
        if (f->kind != ABUT_JSON_ARRAY || f->count < 3)
            return -1;
        total += f->count - 2;
    }
    return total <= ABUT_MESH_LIMIT ? (int32_t)total : -1;
}

static int fill_mesh(const AbutJsonText *json, const AbutJsonNode *vertices, const AbutJsonNode *faces, AbutMesh *mesh)
{
    AbutVec3 *v = mesh->vertices;
    for (const AbutJsonNode *n = abut_json_first(vertices); n; n = abut_json_next(json, n)) {
        double p[3];
        if (!read_numbers(json, n, p, 3))
            return 0;
        *v++ = abut_vec3(p[0], p[1], p[2]);
    }
    AbutTriangle *t = mesh->triangles;
    for (const AbutJsonNode *f = abut_json_first(faces); f; f = abut_json_next(json, f)) {
        int32_t corner[2] = {0, 0}, k = 0;
        for (const AbutJsonNode *n = abut_json_first(f); n; n = abut_json_next(json, n), ++k) {
            if (n->kind != ABUT_JSON_NUMBER || !(n->number >= 0.0 && n->number < mesh->vertex_count))
                return 0;
            int32_t at = (int32_t)n->number;
            if (k >= 2) {
                AbutTriangle triangle = {{corner[0], corner[1], at}};
                *t++ = triangle;
            }
            corner[k == 0 ? 0 : 1] = at;
        }
    }
    return 1;
}

static AbutStatus read_mesh(const AbutJsonText *json, const AbutJsonNode *shape, AbutMesh *mesh, AbutError *error)
{
    const AbutJsonNode *vertices = abut_json_member(json, shape, "vertices"),
                       *faces = abut_json_member(json, shape, "faces");
    if (!vertices || !faces || vertices->kind != ABUT_JSON_ARRAY || faces->kind != ABUT_JSON_ARRAY ||
        vertices->count < 1)
        return abut_json_fail(json, shape, error, ABUT_ERROR_FORMAT, "a shape with vertices and faces was expected");
    int32_t triangles = count_triangles(json, faces);
    if (triangles < 0)
        return abut_json_fail(json, faces, error, ABUT_ERROR_FORMAT, "faces of three or more corners were expected");
    AbutStatus status = abut_mesh_create(vertices->count, triangles, mesh, error);
    if (status == ABUT_OK && !fill_mesh(json, vertices, faces, mesh)) {
        abut_mesh_free(mesh);
        status = abut_json_fail(json, shape, error, ABUT_ERROR_FORMAT,
            "vertices of three numbers, and faces that name them, were expected");
    }
    return status;
}

static AbutStatus read_shape(
    AbutRunView *view, const AbutJsonText *json, const AbutJsonNode *shape, int32_t body, int moves, AbutError *error)
{
    double pose[7];
    if (!abut_grow((void **)&view->shape, &view->capacity, (size_t)view->count + 1, sizeof *view->shape))
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the shapes of the run");
    ShapeView *s = &view->shape[view->count];
    memset(s, 0, sizeof *s);
    const AbutJsonNode *kind = abut_json_member(json, shape, "kind"), *color = abut_json_member(json, shape, "color");
    if (!read_numbers(json, abut_json_member(json, shape, "pose"), pose, 7))
        return abut_json_fail(json, shape, error, ABUT_ERROR_FORMAT, "a shape with a pose of 7 numbers was expected");
    s->body = body;
    s->moves = moves;
    s->pose = pose_of(pose);
    s->color = color && color->kind == ABUT_JSON_NUMBER && color->number > 0.0 && color->number <= 0xffffff
                   ? (uint32_t)color->number
               : moves ? palette[(unsigned)body % (sizeof palette / sizeof *palette)]
                       : 0xb8bcc4u;
    s->ground = kind && kind->kind == ABUT_JSON_STRING && strcmp(kind->string, "half_space") == 0;
    AbutStatus status = s->ground ? ABUT_OK : read_mesh(json, shape, &s->mesh, error);
    view->count += status == ABUT_OK;
    return status;
}

static AbutStatus read_bodies(AbutRunView *view, const AbutJsonText *json, AbutError *error)
{
    const AbutJsonNode *bodies = abut_json_member(json, json->nodes, "bodies");
    if (!bodies || bodies->kind != ABUT_JSON_ARRAY || bodies->count != view->log->bodies)
        return abut_json_fail(
            json, json->nodes, error, ABUT_ERROR_FORMAT, "%d bodies were expected", view->log->bodies);
    int32_t i = 0;
    for (const AbutJsonNode *b = abut_json_first(bodies); b; b = abut_json_next(json, b), ++i) {
        const AbutJsonNode *shapes = abut_json_member(json, b, "shapes"), *kind = abut_json_member(json, b, "kind");
        int moves = !(kind && kind->kind == ABUT_JSON_STRING && strcmp(kind->string, "static") == 0);
        if (!shapes || shapes->kind != ABUT_JSON_ARRAY)
            return abut_json_fail(json, b, error, ABUT_ERROR_FORMAT, "a body with a list of shapes was expected");
        for (const AbutJsonNode *s = abut_json_first(shapes); s; s = abut_json_next(json, s)) {
            AbutStatus status = read_shape(view, json, s, i, moves, error);
            if (status != ABUT_OK)
                return status;
        }
    }
    return ABUT_OK;
}

AbutStatus abut_run_view_create(const AbutRunLogData *log, AbutRunView **out, AbutError *error)
{
    *out = NULL;
    AbutRunView *view = abut_alloc(sizeof *view);
    if (!view)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a view");
    memset(view, 0, sizeof *view);
    view->log = log;
    AbutJsonText json;
    AbutStatus status = abut_json_parse(log->scene_json, strlen(log->scene_json), "scene_json", &json, error);
    if (status == ABUT_OK) {
        status = read_bodies(view, &json, error);
        abut_json_text_free(&json);
    }
    if (status != ABUT_OK) {
        abut_run_view_free(view);
        return status;
    }
    *out = view;
    return ABUT_OK;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* Items of a step into `items` (room for all shapes); with `moving` only those of bodies that move. Gives their number.
 */
static int place_items(const AbutRunView *view, int step, int moving, AbutRenderItem *items)
{
    int n = 0;
    for (int32_t i = 0; i < view->count; ++i) {
        const ShapeView *s = &view->shape[i];
        const double *p = view->log->pose + 7 * ((size_t)step * (size_t)view->log->bodies + (size_t)s->body);
        if (!isfinite(p[0]) || (moving && !s->moves))
            continue; /* removed bodies have no pose */
        items[n].mesh = s->ground ? NULL : &s->mesh;
        items[n].pose = abut_pose_mul(pose_of(p), s->pose);
        items[n++].color = s->color;
    }
    return n;
}

void abut_run_view_aim(const AbutRunView *view, int step, AbutRenderDef *def)
{
    AbutRenderItem *items = abut_alloc_array((size_t)view->count + 1, sizeof *items);
    if (items)
        abut_render_aim(items, place_items(view, step, 1, items), def);
    abut_free(items);
}

/* Arrows of the contact forces of a step, the largest a fifth of the distance to the target. */
static int place_arrows(const AbutRunView *view, int step, const AbutRenderDef *def, AbutRenderArrow *arrows)
{
    const AbutRunLogData *log = view->log;
    int64_t first = log->contact_start[step], count = log->contact_start[step + 1] - first;
    double largest = 0.0, length = 0.2 * abut_distance(def->eye, def->target);
    for (int64_t i = 0; i < count; ++i) {
        const double *f = log->contact_force + 3 * (first + i);
        largest = abut_larger(largest, abut_length(abut_vec3(f[0], f[1], f[2])));
    }
    int n = 0;
    for (int64_t i = 0; i < count && largest > 0.0; ++i) {
        const double *f = log->contact_force + 3 * (first + i), *c = log->contact_center + 3 * (first + i);
        AbutVec3 force = abut_vec3(f[0], f[1], f[2]);
        if (abut_length(force) < 0.01 * largest)
            continue;
        arrows[n].from = abut_vec3(c[0], c[1], c[2]);
        arrows[n].to = abut_add_scaled(arrows[n].from, force, length / largest);
        arrows[n++].color = log->contact_sliding[first + i] ? 0xe8a33du : 0xd7263du;
    }
    return n;
}

AbutStatus abut_run_view_draw(
    const AbutRunView *view, int step, int forces, const AbutRenderDef *def, AbutImage *out, AbutError *error)
{
    if (step < 0 || step >= view->log->steps)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "step %d of a run of %d logged steps", step, view->log->steps);
    size_t contacts = (size_t)(view->log->contact_start[step + 1] - view->log->contact_start[step]);
    AbutRenderItem *items = abut_alloc_array((size_t)view->count + 1, sizeof *items);
    AbutRenderArrow *arrows = abut_alloc_array(contacts + 1, sizeof *arrows);
    AbutStatus status = ABUT_ERROR_MEMORY;
    if (items && arrows)
        status = abut_render(items, place_items(view, step, 0, items), arrows,
            forces ? place_arrows(view, step, def, arrows) : 0, def, out, error);
    else
        abut_fail(error, status, "no memory to draw step %d", step);
    abut_free(items);
    abut_free(arrows);
    return status;
}
