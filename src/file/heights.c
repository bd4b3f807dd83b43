/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heights over a grid from files: MuJoCo's own binary format (rows and columns as 32-bit integers, then floats, row by
 * row from the near side on, all little-endian), or a gray PNG picture (heights_png.c), told apart by content.
 */
#include "file/heights.h"

#include "file/input.h"
#include "file/mesh_formats.h"

enum { HEAD = 8 };

int abut_heights_fit(uint32_t columns, uint32_t rows) {
    return columns >= 2 && rows >= 2 && columns <= ABUT_HEIGHTS_SIDE && rows <= ABUT_HEIGHTS_SIDE;
}

AbutStatus abut_heights_make(const AbutText *text, uint32_t columns, uint32_t rows, AbutHeights *out) {
    out->values = abut_alloc_array((size_t)columns * rows, sizeof *out->values);
    if (!out->values) return abut_fail_memory(text->error);
    out->columns = (int32_t)columns;
    out->rows = (int32_t)rows;
    return ABUT_OK;
}

static AbutStatus parse_binary(const AbutText *text, AbutHeights *out) {
    size_t size = (size_t)(text->end - text->begin);
    uint32_t rows = size >= HEAD ? abut_load_u32(text->begin) : 0,
             columns = size >= HEAD ? abut_load_u32(text->begin + 4) : 0;
    if (!abut_heights_fit(columns, rows) || size != HEAD + 4 * (size_t)columns * rows)
        return abut_name_fail(text, ABUT_ERROR_FORMAT,
            "expected a PNG picture, or rows and columns from 2 to %d and as many finite floats", ABUT_HEIGHTS_SIDE);
    ABUT_TRY(abut_heights_make(text, columns, rows, out));
    for (size_t i = 0; i < (size_t)columns * rows; ++i)
        if (!abut_load_float(text->begin + HEAD + 4 * i, &out->values[i]))
            return abut_byte_fail(
                text, text->begin + HEAD + 4 * i, ABUT_ERROR_NUMBER, "expected finite height %zu, got another", i);
    return ABUT_OK;
}

AbutStatus abut_heights_read(const char *name, const void *bytes, size_t count, int32_t *columns, int32_t *rows,
    double **out, AbutError *error) {
    ABUT_ASSERT(name && columns && rows && out);
    char *own;
    AbutHeights heights = {0};
    *out = NULL;
    ABUT_TRY(abut_file_take(name, "heights", (size_t)1 << 30, &bytes, &count, &own, error));
    const char *begin = bytes;
    AbutText text = {name, begin, begin, begin + count, error};
    AbutStatus status = abut_heights_is_png(&text) ? abut_heights_png(&text, &heights) : parse_binary(&text, &heights);
    abut_free(own);
    if (status)
        abut_free(heights.values);
    else
        *columns = heights.columns, *rows = heights.rows, *out = heights.values;
    return status;
}

void abut_heights_scale(int64_t count, double *heights, double height) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < count; ++i) low = abut_smaller(low, heights[i]), high = abut_larger(high, heights[i]);
    double scale = high - low > 1e-14 ? height / (high - low) : height;
    for (int64_t i = 0; i < count; ++i) heights[i] = (heights[i] - low) * scale;
}
