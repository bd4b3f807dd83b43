/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heights over a grid from files: MuJoCo's own binary format (rows and columns as 32-bit integers, then floats, row by
 * row from the near side on, all little-endian), or a gray PNG picture (heights_png.c), told apart by content.
 */
#include "file/heights.h"

#include <string.h>

#include "file/input.h"
#include "file/mesh_formats.h"

enum { HEAD = 8 };

int abut_heights_fit(uint32_t columns, uint32_t rows)
{
    return columns >= 2 && rows >= 2 && columns <= ABUT_HEIGHTS_SIDE && rows <= ABUT_HEIGHTS_SIDE;
}

AbutStatus abut_heights_make(const AbutText *text, uint32_t columns, uint32_t rows, AbutHeights *out)
{
    out->values = abut_alloc_array((size_t)columns * rows, sizeof *out->values);
    if (!out->values)
        return abut_fail_memory(text->error);
    out->columns = (int32_t)columns;
    out->rows = (int32_t)rows;
    return ABUT_OK;
}

static AbutStatus parse_binary(const AbutText *text, AbutHeights *out)
{
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

AbutStatus abut_heights_read(const char *name, const void *bytes, size_t count, AbutHeights *out, AbutError *error)
{
    ABUT_ASSERT(name && out);
    char *own;
    memset(out, 0, sizeof *out);
    ABUT_TRY(abut_file_take(name, "heights", (size_t)1 << 30, &bytes, &count, &own, error));
    const char *begin = bytes;
    AbutText text = {name, begin, begin, begin + count, error};
    AbutStatus status = abut_heights_is_png(&text) ? abut_heights_png(&text, out) : parse_binary(&text, out);
    if (status)
        abut_heights_free(out);
    abut_free(own);
    return status;
}

void abut_heights_free(AbutHeights *heights)
{
    abut_free(heights->values);
    memset(heights, 0, sizeof *heights);
}

void abut_heights_scale(AbutHeights *heights, double height)
{
    size_t count = (size_t)heights->columns * (size_t)heights->rows;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; ++i)
        low = abut_smaller(low, heights->values[i]), high = abut_larger(high, heights->values[i]);
    double scale = high - low > 1e-14 ? height / (high - low) : height;
    for (size_t i = 0; i < count; ++i)
        heights->values[i] = (heights->values[i] - low) * scale;
}
