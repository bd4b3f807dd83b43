/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Height fields of an MJCF file: <hfield> by `elevation` or by a binary file of MuJoCo's own (rows, columns as 32-bit
 * integers, then floats, row by row). Elevations are brought to 0 .. 1 as MJCF says, times the third size; the ground
 * below them is as deep as the fourth. The rows of `elevation` run from the far side to the near one, as one sees them
 * from above; those of a file from the near side on. A geom becomes the convex pieces of its field.
 */
#include "import/mjcf_read.h"

#include <stdio.h>
#include <string.h>

#include "file/mesh_formats.h"

enum { MOST_SIDE = 10000, MOST_PIECES = 100000, FILE_HEAD = 8 };

AbutStatus abut_mjcf_hfield(AbutMjcfReader *reader, const AbutXmlElement *element)
{
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    AbutDraftField field = {.path = ""};
    int64_t rows = 0, columns = 0;
    AbutStatus status = abut_mjcf_view(reader, element, abut_mjcf_root_class(reader), &view);
    if (!status)
        status =
            abut_mjcf_place(reader, element, ABUT_MJCF_KIND_HFIELD, draft->field_count, &field.name, &field.source);
    if (!status)
        status = abut_mjcf_numbers(&view, "size", 4, 4, field.size, NULL);
    if (!status)
        status = abut_mjcf_integer(&view, "nrow", 0, MOST_SIDE, &rows);
    if (!status)
        status = abut_mjcf_integer(&view, "ncol", 0, MOST_SIDE, &columns);
    if (status)
        return status;
    for (int i = 0; i < 4; ++i)
        if (!(field.size[i] > 0.0))
            return abut_xml_fail(
                reader->error, element, ABUT_ERROR_FORMAT, "attribute size: four positive numbers expected");
    field.rows = (int32_t)rows, field.columns = (int32_t)columns;
    const char *file = abut_xml_attribute(element, "file");
    size_t count = 0;
    if (file && *file)
        status = abut_mjcf_asset_path(&view, file, &field.path);
    else if (rows < 2 || columns < 2)
        status =
            abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT, "a file, or nrow and ncol of 2 or more expected");
    else if (abut_xml_attribute(element, "elevation"))
        status = abut_mjcf_number_list(&view, "elevation", &field.elevation, &count);
    if (!status && field.elevation && count != (size_t)(rows * columns))
        status = abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            "attribute elevation: nrow times ncol, %d, numbers expected, found %zu", (int)(rows * columns), count);
    if (!status)
        status = abut_mjcf_room(
            reader, element, &draft->fields, &reader->field_capacity, draft->field_count, sizeof *draft->fields);
    if (!status)
        draft->fields[draft->field_count++] = field;
    abut_mjcf_ignore_others(reader, element, "asset/hfield");
    return status;
}

/* ---- elevations -------------------------------------------------------------------------------------------------- */

/* Rows turned round, so that y grows with them. */
static void copy_elevation(const AbutDraftField *field, double *out)
{
    for (int32_t r = 0; r < field->rows; ++r)
        for (int32_t c = 0; c < field->columns; ++c)
            out[(int64_t)r * field->columns + c] =
                field->elevation ? field->elevation[(int64_t)(field->rows - 1 - r) * field->columns + c] : 0.0;
}

static AbutStatus fail_file(AbutMjcfReader *reader, const AbutDraftField *field, AbutStatus status, const char *text)
{
    AbutXmlElement at = abut_mjcf_at(field->source, "hfield");
    return abut_xml_fail(reader->error, &at, status, "attribute file: '%.100s': %.200s", field->path, text);
}

/* The numbers of a binary file; rows and columns become those of the file. */
static AbutStatus load_file(AbutMjcfReader *reader, AbutDraftField *field, double **out)
{
    char path[4096], *bytes;
    size_t size;
    AbutError inner;
    AbutXmlElement at = abut_mjcf_at(field->source, "hfield");
    AbutStatus status = abut_mjcf_file_path(reader, &at, field->path, path, sizeof path, reader->error);
    if (status)
        return status;
    if (abut_mesh_has_ending(field->path, ".png"))
        return fail_file(reader, field, ABUT_ERROR_UNSUPPORTED,
            "a binary file of rows, columns and floats expected: pictures are not read as heights");
    status = abut_file_load(path, "a height field", (size_t)1 << 30, &bytes, &size, &inner);
    if (status)
        return fail_file(reader, field, status, inner.text);
    uint32_t rows = size >= FILE_HEAD ? abut_load_u32(bytes) : 0,
             columns = size >= FILE_HEAD ? abut_load_u32(bytes + 4) : 0;
    uint64_t count = (uint64_t)rows * columns;
    int good = rows >= 2 && columns >= 2 && rows <= MOST_SIDE && columns <= MOST_SIDE && size == FILE_HEAD + 4 * count;
    *out = good ? abut_alloc_array((size_t)count, sizeof **out) : NULL;
    for (uint64_t i = 0; i < count && *out && good; ++i)
        good = abut_load_float(bytes + FILE_HEAD + 4 * i, &(*out)[i]);
    abut_free(bytes);
    field->rows = (int32_t)rows, field->columns = (int32_t)columns;
    if (good && *out)
        return ABUT_OK;
    abut_free(*out);
    return good ? fail_file(reader, field, ABUT_ERROR_MEMORY, "no memory for it")
                : fail_file(reader, field, ABUT_ERROR_FORMAT,
                      "rows and columns from 2 to 10000 and as many finite floats expected");
}

/* To heights: 0 .. 1 of the least and the largest, times the elevation size. */
static void scale_heights(const AbutDraftField *field, double *heights)
{
    int64_t count = (int64_t)field->rows * field->columns;
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < count; ++i)
        low = abut_smaller(low, heights[i]), high = abut_larger(high, heights[i]);
    double scale = high - low > 1e-14 ? field->size[2] / (high - low) : field->size[2];
    for (int64_t i = 0; i < count; ++i)
        heights[i] = (heights[i] - low) * scale;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

typedef struct Adding {
    AbutModel *model;
    AbutShapeDef def;
    int32_t count;
} Adding;

static AbutStatus add_piece(const AbutPolyhedron *piece, void *user, AbutError *error)
{
    Adding *adding = user;
    if (++adding->count > MOST_PIECES)
        return abut_fail(error, ABUT_ERROR_LIMIT, "a field of at most %d pieces expected, found more", MOST_PIECES);
    adding->def.form.polyhedron = piece;
    return abut_model_add_shape(adding->model, &adding->def, NULL, error);
}

AbutStatus abut_mjcf_add_field(AbutMjcfReader *reader, AbutModel *model, int32_t number, const AbutShapeDef *def)
{
    AbutDraftField field = reader->draft.fields[number];
    AbutXmlElement at = abut_mjcf_at(def->source, "geom");
    double *heights = NULL;
    AbutStatus status = ABUT_OK;
    if (*field.path) {
        status = load_file(reader, &field, &heights);
    } else {
        heights = abut_alloc_array((size_t)field.rows * (size_t)field.columns, sizeof *heights);
        if (heights)
            copy_elevation(&field, heights);
        else
            status = abut_mjcf_no_memory(reader, &at);
    }
    if (status || !heights)
        return status;
    scale_heights(&field, heights);
    AbutHeightField ground = {field.columns, field.rows, field.size[0], field.size[1], -field.size[3], heights};
    Adding adding = {model, *def, 0};
    AbutError inner;
    status = abut_height_field_pieces(&ground, add_piece, &adding, &inner);
    abut_free(heights);
    if (status)
        return abut_xml_fail(reader->error, &at, status, "%.300s", inner.text);
    abut_mjcf_warn(reader, &at, "height field '%.60s' of %d by %d points becomes %d convex pieces", field.name,
        field.columns, field.rows, adding.count);
    return ABUT_OK;
}
