/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Height fields of an MJCF file: <hfield> by `elevation`, or by a file: a gray PNG picture or MuJoCo's binary format.
 * Heights are brought to 0 .. 1 as MJCF says, times the third size; the ground below them is as deep as the fourth. The
 * rows of `elevation` run from the far side to the near one, as one sees them from above. A geom becomes one shape.
 */
#include "import/mjcf_read.h"

#include "abut/file.h"

enum { MOST_SIDE = 10000 };

AbutStatus abut_mjcf_hfield(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    AbutDraftField field = {.path = ""};
    int64_t rows = 0, columns = 0;
    ABUT_TRY(abut_mjcf_view(reader, element, abut_mjcf_root_class(reader), &view));
    ABUT_TRY(abut_mjcf_place(reader, element, ABUT_MJCF_KIND_HFIELD, draft->field_count, &field.name, &field.source));
    ABUT_TRY(abut_mjcf_numbers(&view, "size", 4, 4, field.size, NULL));
    ABUT_TRY(abut_mjcf_integer(&view, "nrow", 0, MOST_SIDE, &rows));
    ABUT_TRY(abut_mjcf_integer(&view, "ncol", 0, MOST_SIDE, &columns));
    for (int i = 0; i < 4; ++i)
        if (!(field.size[i] > 0.0))
            return abut_xml_fail(
                reader->error, element, ABUT_ERROR_FORMAT, "attribute size: expected four positive numbers");
    field.rows = (int32_t)rows, field.columns = (int32_t)columns;
    const char *file = abut_xml_attribute(element, "file");
    size_t count = 0;
    AbutStatus status = ABUT_OK;
    if (file)
        status = abut_mjcf_asset_path(&view, file, &field.path);
    else if (rows < 2 || columns < 2)
        status =
            abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT, "expected a file, or nrow and ncol of 2 or more");
    else if (abut_xml_attribute(element, "elevation"))
        status = abut_mjcf_number_list(&view, "elevation", &field.elevation, &count);
    if (!status && field.elevation && count != (size_t)(rows * columns))
        status = abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            "attribute elevation: expected nrow times ncol, %d, numbers, got %zu", (int)(rows * columns), count);
    if (!status) status = ABUT_MJCF_ADD(reader, draft, fields, field, field);
    abut_mjcf_ignore_others(reader, element, "asset/hfield");
    return status;
}

/* ---- elevations -------------------------------------------------------------------------------------------------- */

/* Rows turned round, so that y grows with them. */
static AbutStatus copy_elevation(AbutMjcfReader *reader, const AbutDraftField *field, double **out) {
    *out = abut_alloc_array((size_t)field->rows * (size_t)field->columns, sizeof **out);
    for (int32_t r = 0; r < field->rows && *out; ++r)
        for (int32_t c = 0; c < field->columns; ++c)
            (*out)[(int64_t)r * field->columns + c] =
                field->elevation ? field->elevation[(int64_t)(field->rows - 1 - r) * field->columns + c] : 0.0;
    return *out ? ABUT_OK : abut_fail_memory(reader->error);
}

static AbutStatus load_file(
    AbutMjcfReader *reader, const AbutDraftField *field, int32_t *columns, int32_t *rows, double **out) {
    char path[4096];
    AbutError inner;
    AbutXmlElement at = abut_mjcf_at(field->source, "hfield");
    ABUT_TRY(abut_mjcf_file_path(reader, &at, field->path, path, sizeof path, reader->error));
    AbutStatus status = abut_heights_read(path, NULL, 0, columns, rows, out, &inner);
    if (!status) return ABUT_OK;
    abut_mjcf_hide_content(&inner);
    return abut_xml_fail(reader->error, &at, status, "attribute file: %.300s", inner.text);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

AbutStatus abut_mjcf_add_field(
    AbutMjcfReader *reader, AbutModel *model, int32_t number, const AbutShapeDef *def, int32_t *out) {
    const AbutDraftField *field = &reader->draft.fields[number];
    AbutXmlElement at = abut_mjcf_at(def->source, "geom");
    int32_t columns = field->columns, rows = field->rows;
    double *heights;
    ABUT_TRY(
        *field->path ? load_file(reader, field, &columns, &rows, &heights) : copy_elevation(reader, field, &heights));
    abut_heights_scale((int64_t)columns * rows, heights, field->size[2]);
    AbutHeightField ground = {columns, rows, field->size[0], field->size[1], -field->size[3], heights};
    AbutShapeDef shape = *def;
    AbutError inner;
    shape.form.kind = ABUT_SHAPE_HEIGHT_FIELD;
    shape.form.field = &ground;
    AbutStatus status = abut_model_add_shape(model, &shape, out, &inner);
    abut_free(heights);
    return status ? abut_xml_fail(reader->error, &at, status, "%.300s", inner.text) : ABUT_OK;
}
