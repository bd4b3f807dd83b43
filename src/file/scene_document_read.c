/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scene document in: JSON into a model. The text comes from a file: every value is checked where its key is known,
 * and the model checks the rest. Version 1 had a polyhedron in every shape and no inertia; its bodies get shapes of
 * even density.
 */
#include "file/run.h"

#include <string.h>

#include "json/read.h"
#include "model/field_json.h"

typedef struct Reader {
    const AbutJsonText *json;
    AbutModel *model;
    AbutError *error;
    int version;
    const AbutGeometry **geometry; /* of version 1: one per shape, in the order of the text */
    int32_t geometry_count;
    int32_t shapes_read;
    double density; /* of the shapes of version 1 */
} Reader;

typedef AbutStatus ReadItem(Reader *r, const AbutJsonNode *node);

/* ---- values ------------------------------------------------------------------------------------------------------ */

static AbutStatus wrong(const Reader *r, const AbutJsonNode *node, const char *expected) {
    return abut_json_fail(r->json, node, r->error, ABUT_ERROR_FORMAT, "expected %s", expected);
}

static const AbutJsonNode *member(const Reader *r, const AbutJsonNode *node, const char *key) {
    return abut_json_member(r->json, node, key);
}

/* The numbers of an array of `count`; the node is the object that has it. */
static AbutStatus read_numbers(const Reader *r, const AbutJsonNode *object, const char *key, int count, double *out) {
    const AbutJsonNode *node = member(r, object, key);
    if (!node)
        return abut_json_fail(
            r->json, object, r->error, ABUT_ERROR_FORMAT, "expected \"%s\" with %d numbers", key, count);
    return abut_json_read_numbers(r->json, node, count, out, r->error);
}

static AbutStatus read_vec3(const Reader *r, const AbutJsonNode *object, const char *key, AbutVec3 *out) {
    double v[3];
    AbutStatus status = read_numbers(r, object, key, 3, v);
    if (status == ABUT_OK) *out = abut_vec3(v[0], v[1], v[2]);
    return status;
}

static AbutStatus read_pose(const Reader *r, const AbutJsonNode *object, AbutPose *out) {
    double p[7];
    AbutStatus status = read_numbers(r, object, "pose", 7, p);
    if (status == ABUT_OK) *out = abut_pose(abut_vec3(p[0], p[1], p[2]), abut_quat(p[3], p[4], p[5], p[6]));
    return status;
}

/* A number where there is one; *out is left alone when the key is not there. */
static AbutStatus read_number(const Reader *r, const AbutJsonNode *object, const char *key, double *out) {
    const AbutJsonNode *node = member(r, object, key);
    if (!node) return ABUT_OK;
    if (node->kind != ABUT_JSON_NUMBER) return wrong(r, node, "a number");
    *out = node->number;
    return ABUT_OK;
}

/* A whole number from `low` to `high` where there is one; *out is left alone when it is not. */
static AbutStatus read_integer(
    const Reader *r, const AbutJsonNode *object, const char *key, double low, double high, double *out) {
    const AbutJsonNode *node = member(r, object, key);
    double number = *out;
    AbutStatus status = read_number(r, object, key, &number);
    if (status == ABUT_OK && node && !(number >= low && number <= high && floor(number) == number))
        status = abut_json_fail(
            r->json, node, r->error, ABUT_ERROR_FORMAT, "expected a whole number from %.0f to %.0f", low, high);
    *out = status == ABUT_OK ? number : *out;
    return status;
}

static AbutStatus read_text(const Reader *r, const AbutJsonNode *object, const char *key, const char **out) {
    const AbutJsonNode *node = member(r, object, key);
    *out = NULL;
    if (!node || node->kind == ABUT_JSON_NULL) return ABUT_OK;
    if (node->kind != ABUT_JSON_STRING) return wrong(r, node, "a text");
    *out = node->string;
    return ABUT_OK;
}

/* Each object of the array `key`. */
static AbutStatus read_list(Reader *r, const AbutJsonNode *object, const char *key, ReadItem *read) {
    const AbutJsonNode *list = member(r, object, key);
    char expected[60];
    snprintf(expected, sizeof expected, "\"%s\" with a list of objects", key);
    if (!list || list->kind != ABUT_JSON_ARRAY) return wrong(r, list ? list : object, expected);
    for (const AbutJsonNode *n = abut_json_first(list); n; n = abut_json_next(r->json, n))
        ABUT_TRY(n->kind == ABUT_JSON_OBJECT ? read(r, n) : wrong(r, n, "an object"));
    return ABUT_OK;
}

/* ---- geometry ---------------------------------------------------------------------------------------------------- */

/* Rows of three finite numbers under `key`, to be freed. */
static AbutStatus read_rows(Reader *r, const AbutJsonNode *node, const char *key, int *count, AbutVec3 **out) {
    const AbutJsonNode *list = member(r, node, key);
    char expected[60];
    snprintf(expected, sizeof expected, "\"%s\" with rows of three numbers", key);
    *out = NULL;
    *count = 0;
    if (!list || list->kind != ABUT_JSON_ARRAY || list->count < 1) return wrong(r, list ? list : node, expected);
    AbutVec3 *rows = abut_alloc_array((size_t)list->count, sizeof *rows);
    if (!rows) return abut_fail_memory(r->error);
    AbutStatus status = ABUT_OK;
    for (const AbutJsonNode *n = abut_json_first(list); n && status == ABUT_OK; n = abut_json_next(r->json, n)) {
        const AbutJsonNode *x = n->kind == ABUT_JSON_ARRAY && n->count == 3 ? abut_json_first(n) : NULL;
        double v[3] = {0};
        for (int k = 0; k < 3 && x; ++k, x = abut_json_next(r->json, x))
            v[k] = x->kind == ABUT_JSON_NUMBER ? x->number : NAN;
        if (n->kind != ABUT_JSON_ARRAY || n->count != 3 || !isfinite(v[0] + v[1] + v[2]))
            status = wrong(r, n, "a row of three numbers");
        rows[(*count)++] = abut_vec3(v[0], v[1], v[2]);
    }
    if (status != ABUT_OK)
        abut_free(rows);
    else
        *out = rows;
    return status;
}

static AbutStatus read_points(Reader *r, const AbutJsonNode *node, AbutPolyhedron **out) {
    AbutVec3 *points;
    int count;
    AbutStatus status = read_rows(r, node, "vertices", &count, &points);
    if (status == ABUT_OK) status = abut_polyhedron_from_points(points, count, NULL, out, r->error);
    abut_free(points);
    return status;
}

/* Corners of triangles: whole numbers below `vertices`. */
static AbutStatus fill_triangles(
    Reader *r, const AbutJsonNode *node, const AbutVec3 *rows, int vertices, AbutMesh *mesh) {
    for (int32_t i = 0; i < mesh->triangle_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double v = abut_get(rows[i], k);
            if (!(v >= 0.0 && v < vertices && floor(v) == v))
                return wrong(r, node, "\"triangles\" with numbers of vertices");
            mesh->triangles[i].v[k] = (int32_t)v;
        }
    return ABUT_OK;
}

/* The mesh under "surface", to be freed; none where the key is not there. */
static AbutStatus read_surface(Reader *r, const AbutJsonNode *node, AbutMesh *out) {
    const AbutJsonNode *surface = member(r, node, "surface");
    AbutVec3 *points = NULL, *rows = NULL;
    int vertices = 0, triangles = 0;
    memset(out, 0, sizeof *out);
    if (!surface) return ABUT_OK;
    if (surface->kind != ABUT_JSON_OBJECT) return wrong(r, surface, "an object");
    AbutStatus status = read_rows(r, surface, "vertices", &vertices, &points);
    if (status == ABUT_OK) status = read_rows(r, surface, "triangles", &triangles, &rows);
    if (status == ABUT_OK) status = abut_mesh_create(vertices, triangles, out, r->error);
    if (status == ABUT_OK) {
        memcpy(out->vertices, points, (size_t)vertices * sizeof *points);
        status = fill_triangles(r, surface, rows, vertices, out);
    }
    abut_free(points);
    abut_free(rows);
    return status;
}

static AbutStatus read_kind(const Reader *r, const AbutJsonNode *node, AbutShapeKind *out) {
    const char *name;
    AbutStatus status = read_text(r, node, "kind", &name);
    int kind = status == ABUT_OK && name ? abut_word_find(abut_shape_kind_names, name) : -1;
    *out = kind < 0 ? ABUT_SHAPE_BOX : (AbutShapeKind)kind;
    return status == ABUT_OK && kind < 0 ? wrong(r, node, "\"kind\" with a kind of shape") : status;
}

/* The geometry that a node describes: of an entry of "geometries", or of a shape of version 1. */
static AbutStatus read_geometry(Reader *r, const AbutJsonNode *node) {
    AbutGeometryDef def = {0};
    AbutPolyhedron *polyhedron = NULL;
    AbutMesh surface = {0};
    AbutHeightField field = {0};
    double resolution = 0.0, *heights = NULL;
    AbutStatus status = read_kind(r, node, &def.kind);
    if (r->version == 1 && def.kind != ABUT_SHAPE_HALF_SPACE && def.kind != ABUT_SHAPE_BOX)
        def.kind = ABUT_SHAPE_POLYHEDRON; /* how round shapes were cut was not told */
    if (status == ABUT_OK &&
        (def.kind != ABUT_SHAPE_POLYHEDRON && def.kind != ABUT_SHAPE_HALF_SPACE && def.kind != ABUT_SHAPE_HEIGHT_FIELD))
        status = read_vec3(r, node, "size", &def.size);
    if (status == ABUT_OK) status = read_integer(r, node, "resolution", 0.0, INT32_MAX, &resolution);
    if (status == ABUT_OK && def.kind == ABUT_SHAPE_POLYHEDRON) status = read_points(r, node, &polyhedron);
    if (status == ABUT_OK) status = read_surface(r, node, &surface);
    if (status == ABUT_OK && def.kind == ABUT_SHAPE_HEIGHT_FIELD)
        status = abut_field_read(r->json, node, &field, &heights, r->error);
    if (status == ABUT_OK) {
        def.field = &field;
        def.resolution = (int)resolution;
        def.polyhedron = polyhedron;
        def.surface = surface.triangle_count > 0 ? &surface : NULL;
        status = abut_geometry_create(&def, &r->geometry[r->geometry_count], r->error);
        r->geometry_count += status == ABUT_OK;
    }
    abut_polyhedron_free(polyhedron);
    abut_mesh_free(&surface);
    abut_free(heights);
    return status;
}

static AbutStatus read_geometry_of_shapes(Reader *r, const AbutJsonNode *body) {
    return read_list(r, body, "shapes", read_geometry);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static AbutStatus read_material(const Reader *r, const AbutJsonNode *node, AbutShapeDef *def) {
    ABUT_TRY(read_number(r, node, "density", &def->density));
    ABUT_TRY(read_number(r, node, "friction", &def->material.friction));
    ABUT_TRY(read_number(r, node, "friction_kinetic", &def->material.friction_kinetic));
    ABUT_TRY(read_number(r, node, "restitution", &def->material.restitution));
    ABUT_TRY(read_number(r, node, "friction_spinning", &def->material.friction_spinning));
    ABUT_TRY(read_number(r, node, "friction_rolling", &def->material.friction_rolling));
    ABUT_TRY(read_number(r, node, "margin", &def->margin));
    if (member(r, node, "surface_velocity"))
        ABUT_TRY(read_vec3(r, node, "surface_velocity", &def->material.surface_velocity));
    return ABUT_OK;
}

static int is_true(const Reader *r, const AbutJsonNode *object, const char *key) {
    const AbutJsonNode *node = member(r, object, key);
    return node && node->kind == ABUT_JSON_TRUE;
}

static AbutStatus read_bits(const Reader *r, const AbutJsonNode *node, AbutShapeDef *def) {
    double category = def->category, mask = def->mask, color = 0.0, priority = 0.0;
    ABUT_TRY(read_integer(r, node, "category", 0.0, UINT32_MAX, &category));
    ABUT_TRY(read_integer(r, node, "mask", 0.0, UINT32_MAX, &mask));
    ABUT_TRY(read_integer(r, node, "color", 0.0, 0xffffff, &color));
    ABUT_TRY(read_integer(r, node, "priority", INT32_MIN, INT32_MAX, &priority));
    def->category = (uint32_t)category;
    def->mask = (uint32_t)mask;
    def->color = (uint32_t)color;
    def->priority = (int32_t)priority;
    def->visual = is_true(r, node, "visual");
    def->sensor = is_true(r, node, "sensor");
    return ABUT_OK;
}

/* A shape of the last body. */
static AbutStatus read_shape(Reader *r, const AbutJsonNode *node) {
    AbutShapeDef def = abut_shape_default();
    double number = r->shapes_read++;
    def.body = r->model->body_count - 1;
    def.density = r->density;
    ABUT_TRY(read_text(r, node, "name", &def.name));
    if (r->version > 1) {
        number = -1.0;
        ABUT_TRY(read_integer(r, node, "geometry", 0.0, r->geometry_count - 1.0, &number));
        if (number < 0.0) return wrong(r, node, "\"geometry\"");
    }
    ABUT_TRY(read_pose(r, node, &def.pose));
    ABUT_TRY(read_material(r, node, &def));
    ABUT_TRY(read_bits(r, node, &def));
    def.geometry = r->geometry[(int32_t)number];
    return abut_model_add_shape(r->model, &def, NULL, r->error);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static AbutStatus read_mass(const Reader *r, const AbutJsonNode *node, AbutBodyDef *def) {
    double i[6];
    AbutStatus status = read_number(r, node, "mass", &def->mass);
    if (status != ABUT_OK || !(def->mass > 0.0)) return status;
    status = read_vec3(r, node, "center", &def->center);
    if (status == ABUT_OK) status = read_numbers(r, node, "inertia", 6, i);
    if (status == ABUT_OK) def->inertia = (AbutMat3){{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}};
    return status;
}

/* Version 1: the density that gives the next `count` shapes this mass together. */
static AbutStatus read_density(Reader *r, const AbutJsonNode *node) {
    const AbutJsonNode *shapes = member(r, node, "shapes");
    double mass = 0.0, volume = 0.0;
    AbutStatus status = read_number(r, node, "mass", &mass);
    for (int32_t i = 0; i < shapes->count; ++i) {
        const AbutPolyhedron *p = r->geometry[r->shapes_read + i]->polyhedron;
        volume += p ? p->mass.volume : 0.0;
    }
    r->density = mass > 0.0 && isfinite(mass / volume) ? mass / volume : 0.0;
    return status;
}

static AbutStatus read_body_kind(const Reader *r, const AbutJsonNode *node, AbutBodyDef *def) {
    const char *name;
    double parent = -1.0;
    ABUT_TRY(read_text(r, node, "kind", &name));
    int kind = name ? abut_word_find(abut_body_kind_names, name) : -1;
    if (kind < 0) return wrong(r, node, "\"kind\" with a kind of body");
    ABUT_TRY(read_integer(r, node, "parent", -1.0, r->model->body_count - 1.0, &parent));
    def->kind = (AbutBodyKind)kind;
    def->parent = (int32_t)parent;
    return ABUT_OK;
}

static AbutStatus read_body(Reader *r, const AbutJsonNode *node) {
    AbutBodyDef def = abut_body_default();
    ABUT_TRY(read_text(r, node, "name", &def.name));
    ABUT_TRY(read_body_kind(r, node, &def));
    ABUT_TRY(r->version == 1 ? read_density(r, node) : read_mass(r, node, &def));
    ABUT_TRY(read_pose(r, node, &def.pose));
    ABUT_TRY(abut_model_add_body(r->model, &def, NULL, r->error));
    return read_list(r, node, "shapes", read_shape);
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static AbutStatus read_law(const Reader *r, const AbutJsonNode *node, AbutPairDef *def) {
    const struct {
        const char *key;
        double *value;
    } says[] = {{"friction", &def->friction}, {"friction_kinetic", &def->friction_kinetic},
        {"restitution", &def->restitution}, {"friction_spinning", &def->friction_spinning},
        {"friction_rolling", &def->friction_rolling}, {"margin", &def->margin}};
    for (size_t i = 0; i < sizeof says / sizeof says[0]; ++i)
        ABUT_TRY(read_number(r, node, says[i].key, says[i].value));
    return ABUT_OK;
}

static AbutStatus read_pair(Reader *r, const AbutJsonNode *node) {
    AbutPairDef def = abut_pair_default();
    const AbutJsonNode *exclude = member(r, node, "exclude");
    def.exclude = exclude && exclude->kind == ABUT_JSON_TRUE;
    double most = (def.exclude ? r->model->body_count : r->model->shape_count) - 1.0, a = -1.0, b = -1.0;
    ABUT_TRY(read_integer(r, node, "a", 0.0, most, &a));
    ABUT_TRY(read_integer(r, node, "b", 0.0, most, &b));
    if (a < 0.0 || b < 0.0)
        return wrong(r, node, "\"a\" and \"b\" with numbers of shapes, or of bodies that are excluded");
    ABUT_TRY(read_law(r, node, &def));
    AbutError why;
    def.a = (int32_t)a, def.b = (int32_t)b;
    AbutStatus status = abut_model_add_pair(r->model, &def, NULL, &why);
    return status == ABUT_OK ? ABUT_OK : abut_json_fail(r->json, node, r->error, status, "%.200s", why.text);
}

/* ---- document ---------------------------------------------------------------------------------------------------- */

static AbutStatus read_head(Reader *r, const AbutJsonNode *root, char **settings) {
    const char *name = NULL, *text = NULL;
    double version = 0.0;
    ABUT_TRY(read_integer(r, root, "version", 0.0, 1e9, &version));
    if (version < 1.0 || version > ABUT_SCENE_DOCUMENT_VERSION)
        return abut_json_fail(r->json, root, r->error, ABUT_ERROR_FORMAT,
            "expected a scene of version 1 or %d, got version %.0f", ABUT_SCENE_DOCUMENT_VERSION, version);
    r->version = (int)version;
    if (member(r, root, "gravity")) ABUT_TRY(read_vec3(r, root, "gravity", &r->model->gravity));
    ABUT_TRY(read_number(r, root, "timestep", &r->model->timestep));
    ABUT_TRY(read_text(r, root, "name", &name));
    if (name) ABUT_TRY(abut_model_set_name(r->model, name, r->error));
    ABUT_TRY(read_text(r, root, "settings", &text));
    if (text && !(*settings = abut_run_keep_text(text, strlen(text)))) return abut_fail_memory(r->error);
    return ABUT_OK;
}

static AbutStatus read_document(Reader *r, const AbutJsonNode *root, char **settings) {
    ABUT_TRY(root->kind == ABUT_JSON_OBJECT ? read_head(r, root, settings) : wrong(r, root, "a scene as an object"));
    r->geometry = abut_alloc_array((size_t)r->json->count, sizeof *r->geometry); /* fewer than values */
    if (!r->geometry) return abut_fail_memory(r->error);
    AbutStatus status = r->version == 1 ? read_list(r, root, "bodies", read_geometry_of_shapes)
                                        : read_list(r, root, "geometries", read_geometry);
    if (status == ABUT_OK) status = read_list(r, root, "bodies", read_body);
    return status == ABUT_OK && member(r, root, "pairs") ? read_list(r, root, "pairs", read_pair) : status;
}

AbutStatus abut_scene_document_read(
    const char *text, size_t count, const char *name, AbutModel *model, char **settings, AbutError *error) {
    AbutJsonText json;
    *settings = NULL;
    ABUT_TRY(abut_json_parse(text, count, name, &json, error));
    Reader r = {.json = &json, .model = model, .error = error};
    AbutStatus status = read_document(&r, json.nodes, settings);
    for (int32_t i = 0; i < r.geometry_count; ++i) abut_geometry_release(r.geometry[i]);
    abut_free((void *)r.geometry);
    abut_json_text_free(&json);
    return status;
}
