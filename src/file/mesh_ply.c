/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PLY, ascii and binary of either byte order. Elements come in the order of the header; vertices and faces are kept,
 * other elements and properties are skipped with their right size. Counts are checked against the bytes left before
 * memory is taken. Faces with fewer than three corners count as ignored.
 */
#include "file/mesh_formats.h"
#include "base/number.h"
#include "file/ply.h"
#include "file/points.h"

#include <stdio.h>
#include <string.h>

typedef struct Body {
    AbutText *text;
    const AbutPlyHeader *header;
    AbutMeshBuilder *builder;
} Body;

static int is_binary(const Body *body) { return body->header->encoding != ABUT_PLY_ASCII; }

/* ---- values ------------------------------------------------------------------------------------------------------ */

static double decode(const char *bytes, AbutPlyType type, AbutPlyEncoding encoding) {
    char turned[8] = {0};
    int size = abut_ply_size(type);
    for (int i = 0; i < size; ++i) turned[i] = bytes[encoding == ABUT_PLY_BIG ? size - 1 - i : i];
    uint64_t bits = abut_load_u64(turned);
    float single;
    double wide;
    uint32_t low = (uint32_t)bits;
    switch (type) {
    case ABUT_PLY_INT8:
        return (double)(int8_t)low;
    case ABUT_PLY_INT16:
        return (double)(int16_t)low;
    case ABUT_PLY_INT32:
        return (double)(int32_t)low;
    case ABUT_PLY_FLOAT:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case ABUT_PLY_DOUBLE:
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    default:
        return (double)bits;
    }
}

/* One value; `what` names it in a failure. Ascii values must be finite. */
static AbutStatus read_value(Body *body, AbutPlyType type, const char *what, double *out) {
    AbutText *text = body->text;
    if (!is_binary(body)) {
        abut_text_skip_space(text);
        return abut_text_number(text, what, out);
    }
    int size = abut_ply_size(type);
    if (text->end - text->at < size)
        return abut_byte_fail(text, text->at, ABUT_ERROR_FORMAT, "expected %s of %d bytes, got end of file after %lld",
            what, size, (long long)(text->end - text->at));
    *out = decode(text->at, type, body->header->encoding);
    text->at += size;
    return ABUT_OK;
}

static AbutStatus fail_at(const Body *body, const char *where, AbutStatus status, const char *what, double found) {
    return is_binary(body) ? abut_byte_fail(body->text, where, status, "%s, got %.17g", what, found)
                           : abut_text_fail(body->text, where, status, "%s, got %.17g", what, found);
}

static AbutStatus builder_fail(const Body *body, AbutStatus status) {
    return abut_mesh_builder_fail(body->text, body->text->at, status, is_binary(body));
}

/* Passes over one ascii value, whatever it is (properties that are not ours may be nan). */
static AbutStatus skip_ascii_value(Body *body) {
    AbutText *text = body->text;
    abut_text_skip_space(text);
    if (text->at == text->end)
        return abut_text_fail(text, text->at, ABUT_ERROR_FORMAT, "expected value of a property, got end of file");
    while (text->at < text->end && !abut_is_space(*text->at)) ++text->at;
    return ABUT_OK;
}

static AbutStatus skip_values(Body *body, AbutPlyType type, int64_t count) {
    if (is_binary(body)) {
        int64_t left = body->text->end - body->text->at;
        if (left / abut_ply_size(type) < count)
            return abut_byte_fail(body->text, body->text->at, ABUT_ERROR_FORMAT,
                "expected %lld values of %d bytes, got %lld bytes", (long long)count, abut_ply_size(type),
                (long long)left);
        body->text->at += count * abut_ply_size(type);
        return ABUT_OK;
    }
    for (int64_t i = 0; i < count; ++i) ABUT_TRY(skip_ascii_value(body));
    return ABUT_OK;
}

/* Length of a list, checked against the bytes left. */
static AbutStatus read_length(Body *body, const AbutPlyProperty *property, int64_t *length) {
    if (!is_binary(body)) abut_text_skip_space(body->text);
    const char *where = body->text->at;
    double value = 0.0;
    ABUT_TRY(read_value(body, property->list_type, "length of a list", &value));
    int64_t left = body->text->end - body->text->at;
    int64_t room = is_binary(body) ? left / abut_ply_size(property->type) : left / 2 + 1;
    if (!(value >= 0.0) || value != floor(value) || value > (double)room)
        return fail_at(body, where, ABUT_ERROR_FORMAT, "expected length of a list that fits the file", value);
    *length = (int64_t)value;
    return ABUT_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static AbutStatus read_coordinate(Body *body, const AbutPlyProperty *property, double *out) {
    static const char *const names[] = {"", "x coordinate", "y coordinate", "z coordinate"};
    const char *where = body->text->at;
    AbutStatus status = read_value(body, property->type, names[property->role], out);
    if (status == ABUT_OK && !isfinite(*out))
        return abut_byte_fail(body->text, where, ABUT_ERROR_NUMBER, "expected finite %s, got %s", names[property->role],
            isnan(*out) ? "nan" : "infinity");
    return status;
}

static AbutStatus read_corners(Body *body, const AbutPlyProperty *property) {
    int64_t length = 0;
    AbutStatus status = read_length(body, property, &length);
    AbutMeshBuilder *builder = body->builder;
    builder->corner_count = 0;
    for (int64_t i = 0; i < length && status == ABUT_OK; ++i) {
        if (!is_binary(body)) abut_text_skip_space(body->text);
        const char *where = body->text->at;
        double value = 0.0;
        status = read_value(body, property->type, "vertex index", &value);
        if (status) return status;
        if (!(value >= 0.0 && value < (double)builder->vertex_count && value == floor(value))) {
            char what[80];
            snprintf(what, sizeof what, "expected vertex index below %zu", builder->vertex_count);
            return fail_at(body, where, ABUT_ERROR_FORMAT, what, value);
        }
        status = abut_mesh_builder_corner(builder, (int32_t)value);
        if (status) return builder_fail(body, status);
    }
    return status;
}

/* One row of any element. Coordinates and corners go to their places, the rest is skipped. */
static AbutStatus read_row(Body *body, const AbutPlyElement *element, double x[3]) {
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < element->property_count && status == ABUT_OK; ++i) {
        const AbutPlyProperty *property = &body->header->properties[element->first_property + i];
        int64_t length = 1;
        if (property->role == ABUT_PLY_INDICES) {
            status = read_corners(body, property);
        } else if (property->role != ABUT_PLY_OTHER) {
            status = read_coordinate(body, property, &x[property->role - ABUT_PLY_X]);
        } else {
            if (property->list_type != ABUT_PLY_NONE) status = read_length(body, property, &length);
            if (status == ABUT_OK) status = skip_values(body, property->type, length);
        }
    }
    return status;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

/* Does the file have room for the rows? A value takes its size, or a digit and a space in ascii. */
static AbutStatus check_room(const Body *body, const AbutPlyElement *element) {
    int64_t row = 0, left = body->text->end - body->text->at;
    for (int i = 0; i < element->property_count; ++i) {
        const AbutPlyProperty *p = &body->header->properties[element->first_property + i];
        row += is_binary(body) ? abut_ply_size(p->list_type != ABUT_PLY_NONE ? p->list_type : p->type) : 2;
    }
    int64_t room = left + !is_binary(body); /* the last value of a text needs no space behind it */
    if (element->kind != ABUT_PLY_KIND_OTHER && element->count > ABUT_MESH_LIMIT)
        return abut_text_fail(body->text, element->where, ABUT_ERROR_LIMIT, "expected at most %d rows, got %lld",
            ABUT_MESH_LIMIT, (long long)element->count);
    if (row > 0 && element->count > room / row)
        return abut_text_fail(body->text, element->where, ABUT_ERROR_FORMAT,
            "expected %lld rows of at least %lld bytes, got %lld bytes", (long long)element->count, (long long)row,
            (long long)left);
    return ABUT_OK;
}

static AbutStatus add_row(Body *body, AbutPlyKind kind, const double x[3]) {
    AbutStatus status = ABUT_OK;
    if (kind == ABUT_PLY_KIND_VERTEX)
        status = abut_mesh_builder_vertex(body->builder, abut_vec3(x[0], x[1], x[2]));
    else if (kind == ABUT_PLY_KIND_FACE && body->builder->corner_count >= 3)
        status = abut_mesh_builder_polygon(body->builder);
    else
        abut_mesh_builder_ignore(body->builder, 1);
    return status ? builder_fail(body, status) : ABUT_OK;
}

static AbutStatus read_element(Body *body, const AbutPlyElement *element) {
    AbutStatus status = check_room(body, element);
    if (status == ABUT_OK && element->property_count == 0) {
        abut_mesh_builder_ignore(body->builder, element->count);
        return ABUT_OK;
    }
    if (status == ABUT_OK && element->kind == ABUT_PLY_KIND_VERTEX) {
        status = abut_mesh_builder_reserve_vertices(body->builder, (size_t)element->count);
        if (status) return builder_fail(body, status);
    }
    for (int64_t i = 0; i < element->count && status == ABUT_OK; ++i) {
        double x[3] = {0.0, 0.0, 0.0};
        status = read_row(body, element, x);
        if (status == ABUT_OK) status = add_row(body, element->kind, x);
    }
    return status;
}

static AbutStatus read_body(Body *body) {
    AbutText *text = body->text;
    for (int i = 0; i < body->header->element_count; ++i) ABUT_TRY(read_element(body, &body->header->elements[i]));
    if (!is_binary(body)) abut_text_skip_space(text);
    if (text->at == text->end) return ABUT_OK;
    if (is_binary(body))
        return abut_byte_fail(text, text->at, ABUT_ERROR_FORMAT, "expected end of file, got %lld more bytes",
            (long long)(text->end - text->at));
    AbutFound found = abut_text_found(text, text->at);
    return abut_text_fail(text, text->at, ABUT_ERROR_FORMAT, "expected end of file, got %s", found.text);
}

AbutStatus abut_mesh_ply_points(AbutText *text, AbutMeshBuilder *builder) {
    AbutPlyHeader header;
    ABUT_TRY(abut_ply_read_header(text, &header));
    Body body = {text, &header, builder};
    return read_body(&body);
}

static AbutStatus read_ply(AbutText *text, AbutMeshBuilder *builder) {
    AbutPlyHeader header;
    ABUT_TRY(abut_ply_read_header(text, &header));
    if (!header.has_faces) return abut_name_fail(text, ABUT_ERROR_EMPTY, "no face element, so no triangles");
    Body body = {text, &header, builder};
    return read_body(&body);
}

static int sniff_ply(const AbutText *text) {
    int marked = text->end - text->begin >= 4 && memcmp(text->begin, "ply", 3) == 0 &&
                 (text->begin[3] == '\n' || text->begin[3] == '\r');
    return marked || abut_mesh_has_ending(text->name, ".ply") ? ABUT_SNIFF_MARK : 0;
}

const AbutMeshFormat abut_mesh_ply = {"ply", ".ply", 0.0, sniff_ply, 0, read_ply, NULL};
