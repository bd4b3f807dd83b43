/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The geometry of a COLLADA file (Khronos, COLLADA 1.4.1, chapter 5): positions in a <source>, corners as indices in
 * <p>, of which every `stride`-th belongs to the positions. Triangles, polygons, fans and strips are read; lines and
 * holes are counted as ignored.
 */
#include "file/mesh_dae.h"

#include <string.h>

enum { MOST_STRIDE = 1000 };

/* Positions that were added: of which source, from which vertex on, how many. */
typedef struct Points {
    const AbutXmlElement *source;
    size_t first;
    int32_t count;
} Points;

/* Layout of the indices of a primitive. */
typedef struct Inputs {
    int64_t stride, offset; /* offset: of the vertex among the `stride` numbers of a corner */
    const AbutXmlElement *vertex;
} Inputs;

/* ---- positions --------------------------------------------------------------------------------------------------- */

/* How rows lie in the array of a source. */
typedef struct Rows {
    const AbutXmlElement *array;
    int64_t count, offset, stride;
    int place[3]; /* of x, y and z in a row */
} Rows;

static void find_places(const AbutXmlElement *accessor, Rows *out) {
    int found = 0, k = 0;
    for (const AbutXmlElement *e = abut_dae_child(accessor, "param"); e; e = abut_dae_same(e, "param"), ++k) {
        const char *name = abut_xml_attribute(e, "name");
        if (name && *name && found < 3) out->place[found++] = k;
    }
}

static AbutStatus read_rows(AbutDae *dae, const AbutXmlElement *source, Rows *out) {
    const AbutXmlElement *accessor = abut_dae_child(abut_dae_child(source, "technique_common"), "accessor");
    *out = (Rows){abut_dae_child(source, "float_array"), -1, 0, 3, {0, 1, 2}};
    if (!out->array || !accessor)
        return abut_xml_fail(dae->text->error, source, ABUT_ERROR_FORMAT, "expected a <float_array> and an <accessor>");
    ABUT_TRY(abut_dae_integer(dae, accessor, "count", ABUT_MESH_LIMIT, &out->count));
    ABUT_TRY(abut_dae_integer(dae, accessor, "offset", ABUT_MESH_LIMIT, &out->offset));
    ABUT_TRY(abut_dae_integer(dae, accessor, "stride", MOST_STRIDE, &out->stride));
    find_places(accessor, out);
    for (int k = 0; k < 3; ++k)
        if (out->count < 0 || out->place[k] >= out->stride)
            return abut_xml_fail(dae->text->error, accessor, ABUT_ERROR_FORMAT,
                "expected a count, and a stride above the place of three parameters");
    /* a number and a space are two bytes, the last number one */
    if ((uint64_t)out->count * (uint64_t)out->stride > out->array->text_size / 2 + 1 + (uint64_t)out->stride)
        return abut_xml_fail(dae->text->error, accessor, ABUT_ERROR_FORMAT,
            "expected count %lld and stride %lld that the array can hold", (long long)out->count,
            (long long)out->stride);
    return ABUT_OK;
}

/* The count of an element, where it has one, must be that of its values or faces. */
static AbutStatus check_count(AbutDae *dae, const AbutXmlElement *element, const char *what, int64_t count) {
    int64_t told = -1;
    AbutStatus status = abut_dae_integer(dae, element, "count", 3 * (int64_t)ABUT_MESH_LIMIT, &told);
    if (status == ABUT_OK && told >= 0 && told != count)
        return abut_xml_fail(dae->text->error, element, ABUT_ERROR_FORMAT,
            "attribute count: expected %lld, the number of its %s, got %lld", (long long)count, what, (long long)told);
    return status;
}

static int64_t count_values(const AbutXmlElement *array) {
    int64_t count = 0;
    const char *p = array->text ? array->text : "", *end = p + array->text_size;
    for (int before = 1; p < end; ++p) {
        int space = abut_is_space(*p);
        count += before && !space;
        before = space;
    }
    return count;
}

/* One row of a source, the numbers in front of the first row skipped. */
static AbutStatus read_row(AbutDae *dae, AbutDaeScan *scan, const Rows *rows, int last, double p[3]) {
    AbutStatus status = ABUT_OK;
    int64_t width = last ? 1 : rows->stride; /* the last row may end behind the coordinates */
    for (int i = 0; i < 3 && last; ++i) width = rows->place[i] >= width ? rows->place[i] + 1 : width;
    for (int64_t k = 0; k < width && status == ABUT_OK; ++k) {
        double value;
        status = abut_dae_number(dae, scan, &value);
        for (int i = 0; i < 3 && status == ABUT_OK; ++i)
            if (rows->place[i] == k) p[i] = value;
    }
    return status;
}

static AbutStatus add_points(AbutDae *dae, const AbutXmlElement *source, const AbutMeshPlace *place, Points *out) {
    Rows rows;
    AbutDaeScan scan;
    AbutMeshBuilder *builder = dae->builder;
    ABUT_TRY(read_rows(dae, source, &rows));
    *out = (Points){source, builder->vertex_count, (int32_t)rows.count};
    if (builder->vertex_count + (size_t)rows.count > ABUT_MESH_PLACED)
        return abut_xml_fail(dae->text->error, source, ABUT_ERROR_LIMIT,
            "expected at most %d vertices, copies included, got more", ABUT_MESH_PLACED);
    AbutStatus status = check_count(dae, rows.array, "values", count_values(rows.array));
    if (status == ABUT_OK) status = abut_dae_scan(dae, rows.array, &scan);
    double p[3] = {0.0, 0.0, 0.0};
    for (int64_t i = 0; i < rows.offset && status == ABUT_OK; ++i) status = abut_dae_number(dae, &scan, p);
    for (int64_t i = 0; i < rows.count && status == ABUT_OK; ++i) {
        status = read_row(dae, &scan, &rows, i + 1 == rows.count, p);
        AbutVec3 v = abut_mesh_place_apply(place, abut_vec3(p[0], p[1], p[2]));
        if (status == ABUT_OK && !abut_is_finite(v))
            status =
                abut_xml_fail(dae->text->error, source, ABUT_ERROR_NUMBER, "expected finite vertex %lld", (long long)i);
        if (status == ABUT_OK && (status = abut_mesh_builder_vertex(builder, v)) != ABUT_OK)
            return abut_mesh_builder_fail(dae->text, dae->text->begin, status, 1);
    }
    return status;
}

/* ---- primitives -------------------------------------------------------------------------------------------------- */

static AbutStatus read_inputs(AbutDae *dae, const AbutXmlElement *primitive, Inputs *out) {
    *out = (Inputs){1, -1, NULL};
    for (const AbutXmlElement *e = abut_dae_child(primitive, "input"); e; e = abut_dae_same(e, "input")) {
        const char *semantic = abut_xml_attribute(e, "semantic");
        int64_t offset = 0;
        ABUT_TRY(abut_dae_integer(dae, e, "offset", MOST_STRIDE - 1, &offset));
        out->stride = offset + 1 > out->stride ? offset + 1 : out->stride;
        if (semantic && strcmp(semantic, "VERTEX") == 0) out->offset = offset, out->vertex = e;
    }
    return out->vertex ? ABUT_OK
                       : abut_xml_fail(dae->text->error, primitive, ABUT_ERROR_FORMAT,
                             "expected an <input> with the semantic VERTEX");
}

/* From <input> over <vertices> to the positions, which are added unless they are those added last. */
static AbutStatus find_points(AbutDae *dae, const AbutXmlElement *input, const AbutMeshPlace *place, Points *points) {
    const AbutXmlElement *vertices, *source, *e;
    ABUT_TRY(abut_dae_follow(dae, input, "source", &vertices));
    for (e = abut_dae_child(vertices, "input"); e; e = abut_dae_same(e, "input")) {
        const char *semantic = abut_xml_attribute(e, "semantic");
        if (semantic && strcmp(semantic, "POSITION") == 0) break;
    }
    if (!e)
        return abut_xml_fail(
            dae->text->error, vertices, ABUT_ERROR_FORMAT, "expected an <input> with the semantic POSITION");
    AbutStatus status = abut_dae_follow(dae, e, "source", &source);
    return status || source == points->source ? status : add_points(dae, source, place, points);
}

/* The next corner of a list of indices. */
static AbutStatus read_corner(AbutDae *dae, AbutDaeScan *scan, const Inputs *inputs, const Points *points) {
    for (int64_t k = 0; k < inputs->stride; ++k) {
        int32_t index;
        ABUT_TRY(abut_dae_index(dae, scan, &index));
        if (k != inputs->offset) continue;
        if (index >= points->count)
            return abut_xml_fail(dae->text->error, scan->element, ABUT_ERROR_FORMAT,
                "expected vertex indices below %d, got %d", points->count, index);
        AbutStatus status = abut_mesh_builder_corner(dae->builder, (int32_t)points->first + index);
        if (status) return abut_mesh_builder_fail(dae->text, dae->text->begin, status, 1);
    }
    return ABUT_OK;
}

/* The corners so far become triangles; turned over where the place mirrors. */
static AbutStatus close_polygon(AbutDae *dae, const AbutXmlElement *element, int turned) {
    AbutMeshBuilder *builder = dae->builder;
    size_t n = builder->corner_count;
    if (n < 3)
        return abut_xml_fail(
            dae->text->error, element, ABUT_ERROR_FORMAT, "expected at least 3 corners of a face, got %zu", n);
    for (size_t i = 0; turned && i < n / 2; ++i) {
        int32_t swap = builder->corners[i];
        builder->corners[i] = builder->corners[n - 1 - i];
        builder->corners[n - 1 - i] = swap;
    }
    if (builder->triangle_count + n > ABUT_MESH_PLACED)
        return abut_xml_fail(dae->text->error, element, ABUT_ERROR_LIMIT,
            "expected at most %d triangles, copies included, got more", ABUT_MESH_PLACED);
    AbutStatus status = abut_mesh_builder_polygon(builder);
    return status ? abut_mesh_builder_fail(dae->text, dae->text->begin, status, 1) : ABUT_OK;
}

/* How many corners each face of a <p> has: three, all of them, or as <vcount> tells. */
typedef enum Faces { FACES_THREE, FACES_ALL, FACES_COUNTED, FACES_FAN, FACES_STRIP } Faces;

/* Faces of a list of indices with the same number of corners, or with those that `counts` tells. */
static AbutStatus add_faces(AbutDae *dae, const AbutXmlElement *p, Faces faces, const Inputs *inputs,
    const Points *points, int turned, int64_t *count) {
    AbutDaeScan scan, counts = {NULL, NULL, NULL};
    AbutStatus status = abut_dae_scan(dae, p, &scan);
    if (status == ABUT_OK && faces == FACES_COUNTED) {
        const AbutXmlElement *vcount = abut_dae_child(p->parent, "vcount");
        status = vcount ? abut_dae_scan(dae, vcount, &counts)
                        : abut_xml_fail(dae->text->error, p->parent, ABUT_ERROR_FORMAT, "expected a <vcount>");
    }
    while (status == ABUT_OK && !abut_dae_ended(&scan)) {
        int32_t corners = 3;
        dae->builder->corner_count = 0;
        if (faces == FACES_COUNTED) status = abut_dae_index(dae, &counts, &corners);
        for (int32_t i = 0; status == ABUT_OK && (faces == FACES_ALL ? !abut_dae_ended(&scan) : i < corners); ++i)
            status = read_corner(dae, &scan, inputs, points);
        if (status == ABUT_OK) status = close_polygon(dae, p, turned);
        ++*count;
    }
    if (status == ABUT_OK && faces == FACES_COUNTED && !abut_dae_ended(&counts))
        return abut_xml_fail(dae->text->error, counts.element, ABUT_ERROR_FORMAT,
            "expected %lld numbers, of the faces in <p>, got more", (long long)*count);
    return status;
}

/* The triangles of a fan or a strip, whose corners are all read first. */
static AbutStatus add_row(
    AbutDae *dae, const AbutXmlElement *p, Faces faces, const Inputs *inputs, const Points *points, int turned) {
    AbutDaeScan scan;
    AbutMeshBuilder *builder = dae->builder;
    AbutStatus status = abut_dae_scan(dae, p, &scan);
    builder->corner_count = 0;
    while (status == ABUT_OK && !abut_dae_ended(&scan)) status = read_corner(dae, &scan, inputs, points);
    size_t n = builder->corner_count;
    builder->corner_count = 0;
    if (status || n < 3) return status ? status : close_polygon(dae, p, turned);
    if (builder->triangle_count + n > ABUT_MESH_PLACED)
        return abut_xml_fail(dae->text->error, p, ABUT_ERROR_LIMIT,
            "expected at most %d triangles, copies included, got more", ABUT_MESH_PLACED);
    status = abut_mesh_builder_reserve_triangles(builder, n - 2);
    if (status) return abut_mesh_builder_fail(dae->text, dae->text->begin, status, 1);
    const int32_t *c = builder->corners;
    for (size_t i = 0; i + 2 < n; ++i) {
        int over = turned ^ (faces == FACES_STRIP && (i & 1) ? 1 : 0);
        int32_t a = c[faces == FACES_FAN ? 0 : i], b = c[i + (over ? 2 : 1)], d = c[i + (over ? 1 : 2)];
        builder->triangles[builder->triangle_count++] = (AbutTriangle){{a, b, d}};
    }
    return ABUT_OK;
}

static AbutStatus add_primitive(
    AbutDae *dae, const AbutXmlElement *primitive, Faces faces, const AbutMeshPlace *place, Points *points) {
    Inputs inputs;
    int turned = abut_mesh_place_turns(place);
    int64_t count = 0;
    if (!abut_dae_child(primitive, "p")) return check_count(dae, primitive, "faces", 0);
    AbutStatus status = read_inputs(dae, primitive, &inputs);
    if (status == ABUT_OK) status = find_points(dae, inputs.vertex, place, points);
    for (const AbutXmlElement *p = abut_dae_child(primitive, "p"); p && status == ABUT_OK; p = abut_dae_same(p, "p")) {
        status = faces >= FACES_FAN ? add_row(dae, p, faces, &inputs, points, turned)
                                    : add_faces(dae, p, faces, &inputs, points, turned, &count);
        count += faces >= FACES_FAN;
    }
    for (const AbutXmlElement *e = abut_dae_child(primitive, "ph"); e; e = abut_dae_same(e, "ph"))
        abut_mesh_builder_ignore(dae->builder, 1), count += faces == FACES_ALL;
    return status ? status : check_count(dae, primitive, "faces", count);
}

AbutStatus abut_dae_add_geometry(AbutDae *dae, const AbutXmlElement *geometry, const AbutMeshPlace *place) {
    static const struct {
        const char *tag;
        Faces faces;
    } kinds[] = {{"triangles", FACES_THREE}, {"polylist", FACES_COUNTED}, {"polygons", FACES_ALL},
        {"trifans", FACES_FAN}, {"tristrips", FACES_STRIP}};
    const AbutXmlElement *mesh = abut_dae_child(geometry, "mesh");
    Points points = {NULL, 0, 0};
    AbutStatus status = ABUT_OK;
    if (!mesh) abut_mesh_builder_ignore(dae->builder, 1);
    for (const AbutXmlElement *e = mesh ? mesh->child : NULL; e && status == ABUT_OK; e = e->next) {
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && status == ABUT_OK; ++i)
            if (strcmp(e->tag, kinds[i].tag) == 0) status = add_primitive(dae, e, kinds[i].faces, place, &points);
        if (strcmp(e->tag, "lines") == 0 || strcmp(e->tag, "linestrips") == 0)
            abut_mesh_builder_ignore(dae->builder, 1);
    }
    return status;
}
