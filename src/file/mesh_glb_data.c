/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks and accessors of a binary glTF 2.0 file (Khronos, sections 3.6 and 4): 12 bytes of header, a chunk of JSON, a
 * chunk of numbers. An accessor says how many rows of which type lie where in the second chunk; every size is checked
 * before anything is read. Other files are never opened.
 */
#include "file/mesh_glb.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 12, CHUNK = 8, TYPE_JSON = 0x4e4f534a, TYPE_BINARY = 0x004e4942 };
enum { INT8 = 5120, UINT8, INT16, UINT16, UINT32 = 5125, FLOAT, LARGEST_STRIDE = 252 };

static const int64_t MOST_BYTES = INT64_C(1) << 40; /* of a size in the JSON */

/* ---- numbers of the JSON ----------------------------------------------------------------------------------------- */

AbutStatus abut_glb_integer(
    const AbutGlb *glb, const AbutJsonNode *object, const char *key, int64_t last, int64_t *out) {
    const AbutJsonNode *m = abut_json_member(&glb->json, object, key);
    if (!m) return ABUT_OK;
    if (last < 0) return ABUT_GLB_FAIL(glb, m, ABUT_ERROR_FORMAT, "expected a number in a list, got an empty list");
    if (m->kind != ABUT_JSON_NUMBER || !(m->number >= 0.0 && m->number <= (double)last) ||
        (double)(int64_t)m->number != m->number)
        return ABUT_GLB_FAIL(glb, m, ABUT_ERROR_FORMAT, "expected an integer from 0 to %lld", (long long)last);
    *out = (int64_t)m->number;
    return ABUT_OK;
}

AbutStatus abut_glb_numbers(
    const AbutGlb *glb, const AbutJsonNode *object, const char *key, int count, double *out, int *found) {
    const AbutJsonNode *m = abut_json_member(&glb->json, object, key);
    *found = m != NULL;
    if (!m) return ABUT_OK;
    int k = 0, good = m->kind == ABUT_JSON_ARRAY && m->count == count;
    for (const AbutJsonNode *e = good ? abut_json_first(m) : NULL; e && good; e = abut_json_next(&glb->json, e)) {
        good = e->kind == ABUT_JSON_NUMBER;
        out[k++] = e->number;
    }
    return good ? ABUT_OK : ABUT_GLB_FAIL(glb, m, ABUT_ERROR_FORMAT, "expected an array of %d numbers", count);
}

static AbutStatus make_table(AbutGlb *glb, const char *key, AbutGlbTable *out) {
    const AbutJsonNode *m = abut_json_member(&glb->json, &glb->json.nodes[0], key);
    if (!m) return ABUT_OK;
    if (m->kind != ABUT_JSON_ARRAY) return ABUT_GLB_FAIL(glb, m, ABUT_ERROR_FORMAT, "expected an array");
    out->item = abut_alloc_array((size_t)m->count, sizeof(void *));
    if (!out->item) return abut_fail_memory(glb->text->error);
    for (const AbutJsonNode *e = abut_json_first(m); e; e = abut_json_next(&glb->json, e)) {
        if (e->kind != ABUT_JSON_OBJECT) return ABUT_GLB_FAIL(glb, e, ABUT_ERROR_FORMAT, "expected an object");
        out->item[out->count++] = e;
    }
    return ABUT_OK;
}

/* ---- chunks ------------------------------------------------------------------------------------------------------ */

static AbutStatus check_header(const AbutText *text) {
    uint64_t size = (uint64_t)(text->end - text->begin);
    if (size < HEADER + CHUNK || memcmp(text->begin, "glTF", 4) != 0)
        return abut_byte_fail(text, text->begin, ABUT_ERROR_FORMAT, "expected header of a binary glTF file (glTF)");
    if (abut_load_u32(text->begin + 4) != 2)
        return abut_byte_fail(text, text->begin + 4, ABUT_ERROR_UNSUPPORTED, "expected version 2, got %u",
            abut_load_u32(text->begin + 4));
    if (abut_load_u32(text->begin + 8) != size)
        return abut_byte_fail(text, text->begin + 8, ABUT_ERROR_FORMAT, "expected length of the file, %llu, got %u",
            (unsigned long long)size, abut_load_u32(text->begin + 8));
    return ABUT_OK;
}

/* The chunk at *at, behind which *at is moved. */
static AbutStatus next_chunk(const AbutText *text, const char **at, uint32_t *type, uint32_t *size) {
    uint64_t left = (uint64_t)(text->end - *at);
    *size = left >= CHUNK ? abut_load_u32(*at) : 0;
    if (left < CHUNK || *size > left - CHUNK)
        return abut_byte_fail(text, *at, ABUT_ERROR_FORMAT,
            "expected a chunk that ends within the file, got %u bytes of %llu", *size, (unsigned long long)left);
    *type = abut_load_u32(*at + 4);
    *at += CHUNK + *size;
    return ABUT_OK;
}

static AbutStatus read_chunks(AbutGlb *glb) {
    const AbutText *text = glb->text;
    const char *at = text->begin + HEADER;
    uint32_t type = 0, size = 0;
    ABUT_TRY(next_chunk(text, &at, &type, &size));
    if (type != TYPE_JSON)
        return abut_byte_fail(text, text->begin + HEADER + 4, ABUT_ERROR_FORMAT, "a chunk of JSON expected first");
    AbutStatus status = abut_json_parse(at - size, size, text->name, &glb->json, text->error);
    while (status == ABUT_OK && at < text->end) {
        status = next_chunk(text, &at, &type, &size);
        if (status == ABUT_OK && type == TYPE_BINARY && !glb->binary)
            glb->binary = at - size, glb->binary_size = size;
        else if (status == ABUT_OK)
            abut_mesh_builder_ignore(glb->builder, 1);
    }
    return status;
}

/* Extensions that a reader must know: those of materials and textures do not touch geometry. */
static AbutStatus check_extensions(const AbutGlb *glb) {
    static const char *const harmless[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_"};
    const AbutJsonNode *m = abut_json_member(&glb->json, &glb->json.nodes[0], "extensionsRequired");
    for (const AbutJsonNode *e = m ? abut_json_first(m) : NULL; e; e = abut_json_next(&glb->json, e)) {
        int known = 0;
        for (size_t i = 0; i < sizeof harmless / sizeof harmless[0] && e->kind == ABUT_JSON_STRING; ++i)
            known |= strncmp(e->string, harmless[i], strlen(harmless[i])) == 0;
        if (!known)
            return ABUT_GLB_FAIL(glb, e, ABUT_ERROR_UNSUPPORTED, "the extension %.60s is needed, and is not supported",
                e->kind == ABUT_JSON_STRING ? e->string : "");
    }
    return ABUT_OK;
}

/* The first buffer is the binary chunk; one with a uri would be another file, or text. */
static AbutStatus check_buffer(const AbutGlb *glb) {
    const AbutJsonNode *list = abut_json_member(&glb->json, &glb->json.nodes[0], "buffers");
    const AbutJsonNode *first = list && list->kind == ABUT_JSON_ARRAY ? abut_json_first(list) : NULL;
    const AbutJsonNode *uri = first ? abut_json_member(&glb->json, first, "uri") : NULL;
    if (!uri) return ABUT_OK;
    return ABUT_GLB_FAIL(glb, uri, ABUT_ERROR_UNSUPPORTED,
        "expected the binary chunk as buffer 0, got %.60s: no other file is opened",
        uri->kind == ABUT_JSON_STRING ? uri->string : "a uri");
}

AbutStatus abut_glb_open(AbutGlb *out) {
    ABUT_TRY(check_header(out->text));
    ABUT_TRY(read_chunks(out));
    if (out->json.nodes[0].kind != ABUT_JSON_OBJECT)
        return ABUT_GLB_FAIL(out, &out->json.nodes[0], ABUT_ERROR_FORMAT, "expected an object");
    ABUT_TRY(check_extensions(out));
    ABUT_TRY(check_buffer(out));
    ABUT_TRY(make_table(out, "nodes", &out->nodes));
    ABUT_TRY(make_table(out, "meshes", &out->meshes));
    ABUT_TRY(make_table(out, "accessors", &out->accessors));
    return make_table(out, "bufferViews", &out->views);
}

void abut_glb_close(AbutGlb *glb) {
    abut_free(glb->nodes.item);
    abut_free(glb->meshes.item);
    abut_free(glb->accessors.item);
    abut_free(glb->views.item);
    abut_json_text_free(&glb->json);
}

/* ---- accessors --------------------------------------------------------------------------------------------------- */

/* A part of the binary chunk. */
typedef struct View {
    uint64_t offset, size;
    int64_t stride; /* 0: rows stand close */
} View;

static AbutStatus read_view(const AbutGlb *glb, const AbutJsonNode *accessor, View *out) {
    int64_t number = -1, buffer = 0, offset = 0, size = -1;
    out->stride = 0;
    ABUT_TRY(abut_glb_integer(glb, accessor, "bufferView", (int64_t)glb->views.count - 1, &number));
    if (number < 0 || abut_json_member(&glb->json, accessor, "sparse"))
        return ABUT_GLB_FAIL(
            glb, accessor, ABUT_ERROR_UNSUPPORTED, "expected a bufferView and no sparse values: others are not read");
    const AbutJsonNode *view = glb->views.item[number];
    ABUT_TRY(abut_glb_integer(glb, view, "buffer", INT32_MAX, &buffer));
    ABUT_TRY(abut_glb_integer(glb, view, "byteOffset", MOST_BYTES, &offset));
    ABUT_TRY(abut_glb_integer(glb, view, "byteLength", MOST_BYTES, &size));
    ABUT_TRY(abut_glb_integer(glb, view, "byteStride", LARGEST_STRIDE, &out->stride));
    if (buffer != 0 || !glb->binary)
        return ABUT_GLB_FAIL(
            glb, view, ABUT_ERROR_UNSUPPORTED, "expected the binary chunk as buffer 0: no other file is opened");
    if (size < 0 || (uint64_t)offset + (uint64_t)size > glb->binary_size)
        return ABUT_GLB_FAIL(glb, view, ABUT_ERROR_FORMAT,
            "expected byteOffset and byteLength within the %llu bytes of the binary chunk",
            (unsigned long long)glb->binary_size);
    out->offset = (uint64_t)offset, out->size = (uint64_t)size;
    return ABUT_OK;
}

/* Bytes of a component; 0: there is no such type. */
static int bytes_of(int64_t type) {
    if (type == INT8 || type == UINT8) return 1;
    if (type == INT16 || type == UINT16) return 2;
    return type == UINT32 || type == FLOAT ? 4 : 0;
}

/* The rows of an accessor, each of `width` components of its type; the type of `element` (SCALAR, VEC3) is checked. */
static AbutStatus read_rows(
    const AbutGlb *glb, const AbutJsonNode *node, int64_t number, const char *element, int width, AbutGlbRows *out) {
    int64_t type = 0, count = -1, offset = 0;
    View view = {0, 0, 0};
    if (number < 0 || number >= glb->accessors.count)
        return ABUT_GLB_FAIL(glb, node, ABUT_ERROR_FORMAT, "expected an accessor below %d", glb->accessors.count);
    const AbutJsonNode *accessor = glb->accessors.item[number];
    const AbutJsonNode *kind = abut_json_member(&glb->json, accessor, "type");
    ABUT_TRY(abut_glb_integer(glb, accessor, "componentType", INT32_MAX, &type));
    ABUT_TRY(abut_glb_integer(glb, accessor, "count", ABUT_MESH_LIMIT, &count));
    ABUT_TRY(abut_glb_integer(glb, accessor, "byteOffset", MOST_BYTES, &offset));
    ABUT_TRY(read_view(glb, accessor, &view));
    if (!kind || kind->kind != ABUT_JSON_STRING || strcmp(kind->string, element) != 0)
        return ABUT_GLB_FAIL(glb, accessor, ABUT_ERROR_FORMAT, "expected type %s", element);
    int each = bytes_of(type);
    if (each == 0)
        return ABUT_GLB_FAIL(glb, accessor, ABUT_ERROR_FORMAT,
            "expected componentType from %d to %d, %d or %d, got %lld", INT8, UINT16, UINT32, FLOAT, (long long)type);
    uint64_t row = (uint64_t)each * (uint64_t)width, stride = view.stride > 0 ? (uint64_t)view.stride : row;
    if (count < 1 || stride < row || (uint64_t)offset + stride * (uint64_t)(count - 1) + row > view.size)
        return ABUT_GLB_FAIL(glb, accessor, ABUT_ERROR_FORMAT,
            "expected a count of rows that end within the %llu bytes of the bufferView", (unsigned long long)view.size);
    *out = (AbutGlbRows){glb->binary + view.offset + (uint64_t)offset, (int32_t)count, (uint32_t)stride, (int32_t)type};
    return ABUT_OK;
}

AbutStatus abut_glb_positions(const AbutGlb *glb, const AbutJsonNode *node, int64_t accessor, AbutGlbRows *out) {
    AbutStatus status = read_rows(glb, node, accessor, "VEC3", 3, out);
    if (status == ABUT_OK && out->type != FLOAT)
        return ABUT_GLB_FAIL(glb, glb->accessors.item[accessor], ABUT_ERROR_UNSUPPORTED,
            "expected componentType %d (float) of positions, got %d", FLOAT, out->type);
    return status;
}

AbutStatus abut_glb_indices(const AbutGlb *glb, const AbutJsonNode *node, int64_t accessor, AbutGlbRows *out) {
    AbutStatus status = read_rows(glb, node, accessor, "SCALAR", 1, out);
    if (status == ABUT_OK && out->type != UINT8 && out->type != UINT16 && out->type != UINT32)
        return ABUT_GLB_FAIL(glb, glb->accessors.item[accessor], ABUT_ERROR_FORMAT,
            "expected componentType %d, %d or %d of indices, got %d", UINT8, UINT16, UINT32, out->type);
    return status;
}

int abut_glb_position(const AbutGlbRows *rows, int32_t i, AbutVec3 *out) {
    const char *p = rows->at + (size_t)i * rows->stride;
    return abut_load_float(p, &out->x) & abut_load_float(p + 4, &out->y) & abut_load_float(p + 8, &out->z);
}

uint32_t abut_glb_index(const AbutGlbRows *rows, int32_t i) {
    const unsigned char *p = (const unsigned char *)rows->at + (size_t)i * rows->stride;
    if (rows->type == UINT8) return p[0];
    return rows->type == UINT16 ? (uint32_t)(p[0] | p[1] << 8) : abut_load_u32((const char *)p);
}
