/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mesh file into memory, its format found by content with the name's ending as a hint, then the reader of the format.
 */
#include "file/mesh_formats.h"

#include <string.h>

#include "file/file_in.h"

static int ends_with(const char *name, const char *lower)
{
    size_t n = strlen(name), m = strlen(lower);
    if (n < m)
        return 0;
    for (size_t i = 0; i < m; ++i) {
        char c = name[n - m + i];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != lower[i])
            return 0;
    }
    return 1;
}

/* Bytes that no text has, among the first 1024. */
static int looks_binary(const AbutText *text)
{
    const char *end = text->end - text->begin > 1024 ? text->begin + 1024 : text->end;
    for (const char *p = text->begin; p < end; ++p)
        if ((unsigned char)*p < ' ' && !abut_is_space(*p))
            return 1;
    return 0;
}

/* Some editors put a byte order mark in front of a text. */
static void skip_mark(AbutText *text)
{
    if (text->end - text->at >= 3 && memcmp(text->at, "\xef\xbb\xbf", 3) == 0)
        text->at += 3;
}

static int fits_binary_stl(const AbutText *text)
{
    size_t size = (size_t)(text->end - text->begin);
    return size >= 84 && 84 + UINT64_C(50) * abut_load_u32(text->begin + 80) == size;
}

static AbutMeshFormat find_format(const AbutText *text)
{
    size_t size = (size_t)(text->end - text->begin);
    if (size >= 4 && memcmp(text->begin, "ply", 3) == 0 && (text->begin[3] == '\n' || text->begin[3] == '\r'))
        return ABUT_MESH_FORMAT_PLY;
    if (ends_with(text->name, ".ply"))
        return ABUT_MESH_FORMAT_PLY;
    if (fits_binary_stl(text))
        return ABUT_MESH_FORMAT_STL_BINARY;
    AbutText words = *text;
    skip_mark(&words);
    abut_text_skip_space(&words);
    int solid = abut_text_is_word(&words, "solid"), binary = looks_binary(text), obj = ends_with(text->name, ".obj");
    if (solid && !binary)
        return ABUT_MESH_FORMAT_STL_ASCII;
    if (ends_with(text->name, ".stl"))
        return binary ? ABUT_MESH_FORMAT_STL_BINARY : ABUT_MESH_FORMAT_STL_ASCII;
    if (ends_with(text->name, ".stla"))
        return ABUT_MESH_FORMAT_STL_ASCII;
    return obj || !binary ? ABUT_MESH_FORMAT_OBJ : ABUT_MESH_FORMAT_UNKNOWN;
}

AbutStatus abut_mesh_parse(
    const void *bytes, size_t count, const char *name, AbutMesh *out, AbutMeshFileInfo *info, AbutError *error)
{
    AbutMeshFileInfo own = {ABUT_MESH_FORMAT_UNKNOWN, 0, 0};
    memset(out, 0, sizeof *out);
    if (info)
        *info = own;
    AbutText text = {name ? name : "mesh", bytes, bytes, bytes, error};
    if (count == 0 || !bytes)
        return abut_name_fail(&text, ABUT_ERROR_FORMAT, "mesh expected, found 0 bytes");
    text.end = text.begin + count;
    own.format = find_format(&text);
    AbutStatus status;
    switch (own.format) {
    case ABUT_MESH_FORMAT_OBJ:
        skip_mark(&text);
        status = abut_read_obj(&text, out, &own);
        break;
    case ABUT_MESH_FORMAT_STL_ASCII:
        skip_mark(&text);
        status = abut_read_stl_ascii(&text, out, &own);
        break;
    case ABUT_MESH_FORMAT_STL_BINARY:
        status = abut_read_stl_binary(&text, out, &own);
        break;
    case ABUT_MESH_FORMAT_PLY:
        status = abut_read_ply(&text, out, &own);
        break;
    default:
        return abut_name_fail(&text, ABUT_ERROR_FORMAT, "OBJ, STL or PLY expected, found something else");
    }
    if (info)
        *info = own;
    return status;
}

AbutStatus abut_mesh_read(const char *path, AbutMesh *out, AbutMeshFileInfo *info, AbutError *error)
{
    AbutMeshFileInfo none = {ABUT_MESH_FORMAT_UNKNOWN, 0, 0};
    memset(out, 0, sizeof *out);
    if (info)
        *info = none;
    if (!path || !*path)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "path of a mesh file expected, found none");
    char *bytes = NULL;
    size_t count = 0;
    AbutStatus status = abut_file_load(path, "mesh", SIZE_MAX, &bytes, &count, error);
    if (status)
        return status;
    status = abut_mesh_parse(bytes, count, path, out, info, error);
    abut_free(bytes);
    return status;
}
