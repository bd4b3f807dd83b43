/* SPDX-License-Identifier: Apache-2.0 */
/* PLY header: magic, format, elements with their properties, end_header. Lines end with \n, \r\n or \r. */
#include "base/number.h"
#include "file/ply.h"

#include <string.h>

static void skip_blanks(AbutText *text) {
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t')) ++text->at;
}

static void skip_line(AbutText *text) {
    while (text->at < text->end && *text->at != '\n' && *text->at != '\r') ++text->at;
    if (text->at < text->end && *text->at++ == '\r' && text->at < text->end && *text->at == '\n') ++text->at;
}

/* Word on this line as [start, start + length); length 0 at the end of the line. */
static size_t take_word(AbutText *text, const char **start) {
    skip_blanks(text);
    *start = text->at;
    while (text->at < text->end && !abut_is_space(*text->at)) ++text->at;
    return (size_t)(text->at - *start);
}

static int is_word(const char *start, size_t length, const char *word) {
    return strlen(word) == length && memcmp(start, word, length) == 0;
}

static AbutStatus fail_expected(const AbutText *text, const char *where, const char *expected) {
    AbutFound found = abut_text_found(text, where);
    return abut_text_fail(text, where, ABUT_ERROR_FORMAT, "expected %s, got %s", expected, found.text);
}

static AbutStatus read_format(AbutText *text, AbutPlyHeader *header) {
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    const char *word;
    size_t length = take_word(text, &word);
    for (int i = 0; i < 3; ++i)
        if (is_word(word, length, names[i])) {
            header->encoding = (AbutPlyEncoding)i;
            length = take_word(text, &word);
            return is_word(word, length, "1.0") ? ABUT_OK : fail_expected(text, word, "PLY version 1.0");
        }
    return fail_expected(text, word, "ascii, binary_little_endian or binary_big_endian");
}

static AbutPlyKind kind_of(const char *word, size_t length) {
    if (is_word(word, length, "vertex")) return ABUT_PLY_KIND_VERTEX;
    return is_word(word, length, "face") ? ABUT_PLY_KIND_FACE : ABUT_PLY_KIND_OTHER;
}

static AbutStatus read_element(AbutText *text, AbutPlyHeader *header) {
    const char *name, *number;
    size_t length = take_word(text, &name), digits;
    if (length == 0) return fail_expected(text, name, "name of an element");
    if (is_word(name, length, "tristrips"))
        return abut_text_fail(text, name, ABUT_ERROR_UNSUPPORTED, "expected faces, got triangle strips");
    if (header->element_count == ABUT_PLY_ELEMENTS)
        return abut_text_fail(text, name, ABUT_ERROR_LIMIT, "expected at most %d elements", ABUT_PLY_ELEMENTS);
    AbutPlyElement *element = &header->elements[header->element_count];
    *element = (AbutPlyElement){kind_of(name, length), 0, header->property_count, 0, name};
    for (int i = 0; i < header->element_count; ++i)
        if (element->kind != ABUT_PLY_KIND_OTHER && header->elements[i].kind == element->kind)
            return fail_expected(text, name, "one vertex and one face element");
    digits = take_word(text, &number);
    const char *after = number;
    if (abut_parse_integer(&after, text->end, &element->count) != ABUT_NUMBER_OK || after != number + digits ||
        element->count < 0)
        return fail_expected(text, number, "count of an element");
    ++header->element_count;
    return ABUT_OK;
}

static AbutPlyType type_of(const char *word, size_t length) {
    static const struct {
        const char *name;
        AbutPlyType type;
    } types[] = {{"char", ABUT_PLY_INT8}, {"int8", ABUT_PLY_INT8}, {"uchar", ABUT_PLY_UINT8}, {"uint8", ABUT_PLY_UINT8},
        {"short", ABUT_PLY_INT16}, {"int16", ABUT_PLY_INT16}, {"ushort", ABUT_PLY_UINT16}, {"uint16", ABUT_PLY_UINT16},
        {"int", ABUT_PLY_INT32}, {"int32", ABUT_PLY_INT32}, {"uint", ABUT_PLY_UINT32}, {"uint32", ABUT_PLY_UINT32},
        {"float", ABUT_PLY_FLOAT}, {"float32", ABUT_PLY_FLOAT}, {"double", ABUT_PLY_DOUBLE},
        {"float64", ABUT_PLY_DOUBLE}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
        if (is_word(word, length, types[i].name)) return types[i].type;
    return ABUT_PLY_NONE;
}

static AbutStatus read_type(AbutText *text, int integer, AbutPlyType *type) {
    const char *word;
    size_t length = take_word(text, &word);
    *type = type_of(word, length);
    if (*type == ABUT_PLY_NONE) return fail_expected(text, word, "type of a property");
    if (integer && *type >= ABUT_PLY_FLOAT) return fail_expected(text, word, "integer type");
    return ABUT_OK;
}

static AbutPlyRole role_of(AbutPlyKind kind, int list, const char *word, size_t length) {
    if (kind == ABUT_PLY_KIND_VERTEX && !list && length == 1 && *word >= 'x' && *word <= 'z')
        return (AbutPlyRole)(ABUT_PLY_X + (*word - 'x'));
    if (kind == ABUT_PLY_KIND_FACE && list &&
        (is_word(word, length, "vertex_indices") || is_word(word, length, "vertex_index")))
        return ABUT_PLY_INDICES;
    return ABUT_PLY_OTHER;
}

static AbutStatus read_property(AbutText *text, AbutPlyHeader *header) {
    if (header->element_count == 0)
        return abut_text_fail(text, text->at, ABUT_ERROR_FORMAT, "expected element, got a property");
    if (header->property_count == ABUT_PLY_PROPERTIES)
        return abut_text_fail(text, text->at, ABUT_ERROR_LIMIT, "expected at most %d properties", ABUT_PLY_PROPERTIES);
    AbutPlyElement *element = &header->elements[header->element_count - 1];
    AbutPlyProperty property = {ABUT_PLY_NONE, ABUT_PLY_NONE, ABUT_PLY_OTHER};
    const char *word;
    skip_blanks(text);
    int list = text->end - text->at > 4 && memcmp(text->at, "list", 4) == 0 && abut_is_space(text->at[4]);
    AbutStatus status = ABUT_OK;
    if (list) {
        text->at += 4;
        status = read_type(text, 1, &property.list_type);
    }
    const char *type_at = text->at;
    if (status == ABUT_OK) status = read_type(text, 0, &property.type);
    if (status) return status;
    size_t length = take_word(text, &word);
    if (length == 0) return fail_expected(text, word, "name of a property");
    property.role = role_of(element->kind, list, word, length);
    if (property.role == ABUT_PLY_INDICES && property.type >= ABUT_PLY_FLOAT)
        return abut_text_fail(text, type_at, ABUT_ERROR_FORMAT, "expected integer type of vertex indices, got float");
    for (int i = 0; i < element->property_count && property.role != ABUT_PLY_OTHER; ++i)
        if (header->properties[element->first_property + i].role == property.role)
            return abut_text_fail(text, word, ABUT_ERROR_FORMAT, "expected a property once in its element, got again");
    header->properties[header->property_count++] = property;
    ++element->property_count;
    return ABUT_OK;
}

/* Is every property that we need there? */
static AbutStatus check_elements(const AbutText *text, AbutPlyHeader *header) {
    int vertices = 0, faces = 0;
    for (int i = 0; i < header->element_count; ++i) {
        const AbutPlyElement *element = &header->elements[i];
        unsigned roles = 0;
        for (int k = 0; k < element->property_count; ++k)
            roles |= 1u << header->properties[element->first_property + k].role;
        if (element->kind == ABUT_PLY_KIND_VERTEX && (roles & 0xeu) != 0xeu)
            return abut_text_fail(text, element->where, ABUT_ERROR_FORMAT, "expected vertices with x, y and z");
        if (element->kind == ABUT_PLY_KIND_FACE && !(roles & 1u << ABUT_PLY_INDICES))
            return abut_text_fail(text, element->where, ABUT_ERROR_FORMAT, "expected faces with a list vertex_indices");
        if (element->kind == ABUT_PLY_KIND_FACE && !vertices)
            return abut_text_fail(text, element->where, ABUT_ERROR_FORMAT, "expected vertices in front of the faces");
        vertices |= element->kind == ABUT_PLY_KIND_VERTEX;
        faces |= element->kind == ABUT_PLY_KIND_FACE;
    }
    header->has_faces = faces;
    return ABUT_OK;
}

AbutStatus abut_ply_read_header(AbutText *text, AbutPlyHeader *header) {
    const char *word;
    size_t length = take_word(text, &word);
    if (!is_word(word, length, "ply")) return fail_expected(text, word, "ply");
    skip_line(text);
    memset(header, 0, sizeof *header);
    for (int formats = 0;; skip_line(text)) {
        length = take_word(text, &word);
        AbutStatus status = ABUT_OK;
        if (!formats && !is_word(word, length, "format") && !is_word(word, length, "comment"))
            return fail_expected(text, word, "format");
        if (is_word(word, length, "format"))
            status = formats++ ? fail_expected(text, word, "one format") : read_format(text, header);
        else if (is_word(word, length, "element"))
            status = read_element(text, header);
        else if (is_word(word, length, "property"))
            status = read_property(text, header);
        else if (is_word(word, length, "end_header"))
            break;
        else if (!is_word(word, length, "comment") && !is_word(word, length, "obj_info"))
            return fail_expected(text, word, "element, property or end_header");
        if (status) return status;
    }
    skip_line(text);
    return check_elements(text, header);
}
