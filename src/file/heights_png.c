/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PNG picture as heights: black is 0, white is 1. Gray pictures of 1 to 16 bits, with or without an alpha channel,
 * which is skipped; pictures in color where every pixel is gray. The upper edge of the picture is the far side of the
 * ground. Chunks are checked by their sums, sizes against the bytes that are there before memory is taken. PNG
 * specification, third edition; unpacking is zlib's.
 */
#include "file/heights.h"

#include <stdlib.h>
#include <string.h>

#include "file/npz.h"

#ifdef ABUT_HAVE_ZLIB
#include <zlib.h>
#endif

static const unsigned char SIGNATURE[8] = {137, 'P', 'N', 'G', 13, 10, 26, 10};

enum { GRAY = 0, COLOR = 2, PALETTE = 3, GRAY_ALPHA = 4, COLOR_ALPHA = 6, MOST_PACKING = 1100 };

typedef struct Head {
    uint32_t columns, rows;
    int depth, kind, channels;
    size_t stride, pixel; /* bytes of a row, and of a pixel, at least 1 */
} Head;

/* A part of the file: its name and data. */
typedef struct Chunk {
    const char *name, *data;
    uint32_t size;
} Chunk;

static uint32_t big_endian(const char *p) {
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

int abut_heights_is_png(const AbutText *text) {
    return text->end - text->begin >= 8 && memcmp(text->begin, SIGNATURE, 8) == 0;
}

/* The chunk at *at, which moves behind it. */
static AbutStatus next_chunk(const AbutText *text, const char **at, Chunk *out) {
    size_t left = (size_t)(text->end - *at);
    uint32_t size = left >= 12 ? big_endian(*at) : UINT32_MAX;
    if (left < 12 || size > left - 12)
        return abut_byte_fail(text, *at, ABUT_ERROR_FORMAT, "expected a whole chunk of a PNG picture: cut short");
    *out = (Chunk){*at + 4, *at + 8, size};
    if (abut_crc32(0, out->name, 4 + (size_t)size) != big_endian(out->data + size))
        return abut_byte_fail(text, *at, ABUT_ERROR_FORMAT, "expected a chunk whose sum agrees: damaged");
    *at += 12 + (size_t)size;
    return ABUT_OK;
}

static int is(const Chunk *chunk, const char *name) { return memcmp(chunk->name, name, 4) == 0; }

static int known_depth(int kind, int depth) {
    return depth == 8 || depth == 16 || (kind == GRAY && (depth == 1 || depth == 2 || depth == 4));
}

static AbutStatus read_head(const AbutText *text, const Chunk *chunk, Head *head) {
    if (!is(chunk, "IHDR") || chunk->size != 13)
        return abut_byte_fail(text, chunk->name, ABUT_ERROR_FORMAT, "expected the chunk IHDR of 13 bytes");
    const unsigned char *b = (const unsigned char *)chunk->data;
    head->columns = big_endian(chunk->data), head->rows = big_endian(chunk->data + 4);
    head->depth = b[8], head->kind = b[9];
    if (head->kind == PALETTE)
        return abut_byte_fail(text, chunk->name, ABUT_ERROR_UNSUPPORTED, "expected a gray picture without a palette");
    if (b[12] != 0)
        return abut_byte_fail(text, chunk->name, ABUT_ERROR_UNSUPPORTED, "expected a picture without interlacing");
    head->channels = head->kind == GRAY ? 1 : head->kind == GRAY_ALPHA ? 2 : head->kind == COLOR ? 3 : 4;
    if ((head->channels == 4 && head->kind != COLOR_ALPHA) || !known_depth(head->kind, head->depth) || b[10] || b[11])
        return abut_byte_fail(text, chunk->name, ABUT_ERROR_FORMAT,
            "expected a kind of picture that PNG has, got kind %d of %d bits", head->kind, head->depth);
    if (!abut_heights_fit(head->columns, head->rows))
        return abut_byte_fail(
            text, chunk->name, ABUT_ERROR_LIMIT, "expected 2 to %d pixels along each side", ABUT_HEIGHTS_SIDE);
    size_t bits = (size_t)head->channels * (size_t)head->depth;
    head->stride = (bits * head->columns + 7) / 8;
    head->pixel = bits < 8 ? 1 : bits / 8;
    return ABUT_OK;
}

/* ---- packed rows ------------------------------------------------------------------------------------------------- */

#ifdef ABUT_HAVE_ZLIB

/* The data of all IDAT chunks as one stream of exactly `size` bytes. */
static AbutStatus unpack(const AbutText *text, const char *at, unsigned char *out, size_t size) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit(&stream) != Z_OK) return abut_fail_memory(text->error);
    stream.next_out = out;
    stream.avail_out = (uInt)size;
    int result = Z_OK;
    AbutStatus status = ABUT_OK;
    for (Chunk c = {0}; result == Z_OK && !status && !(c.name && is(&c, "IEND"));) {
        status = next_chunk(text, &at, &c);
        if (status || !is(&c, "IDAT") || c.size == 0) continue;
        stream.next_in = (Bytef *)(uintptr_t)c.data;
        stream.avail_in = c.size;
        result = inflate(&stream, Z_NO_FLUSH);
    }
    inflateEnd(&stream);
    if (!status && (result != Z_STREAM_END || stream.avail_out != 0))
        status = abut_name_fail(text, ABUT_ERROR_FORMAT, "expected pixels of the whole picture, got less or damaged");
    return status;
}

#else

static AbutStatus unpack(const AbutText *text, const char *at, unsigned char *out, size_t size) {
    (void)at, (void)out, (void)size;
    return abut_name_fail(text, ABUT_ERROR_UNSUPPORTED, "this build reads no PNG pictures (made without zlib)");
}

#endif

/* Least number of packed bytes of the picture: checked before there is memory for it. */
static AbutStatus check_packing(const AbutText *text, const char *at, size_t size) {
    size_t packed = 0;
    for (Chunk c = {0}; !(c.name && is(&c, "IEND"));) {
        ABUT_TRY(next_chunk(text, &at, &c));
        packed += is(&c, "IDAT") ? c.size : 0;
    }
    if (size / MOST_PACKING > packed)
        return abut_name_fail(text, ABUT_ERROR_FORMAT, "expected pixels of the whole picture, got fewer");
    return ABUT_OK;
}

static int predict(int a, int b, int c) {
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* Takes the filter off a row; `above` is NULL for the first. 0: no such filter. */
static int unfilter(int filter, unsigned char *row, const unsigned char *above, const Head *head) {
    if (filter > 4) return 0;
    for (size_t i = 0; i < head->stride; ++i) {
        int left = i >= head->pixel ? row[i - head->pixel] : 0, up = above ? above[i] : 0,
            corner = above && i >= head->pixel ? above[i - head->pixel] : 0;
        int add[5] = {0, left, up, (left + up) / 2, predict(left, up, corner)};
        row[i] = (unsigned char)(row[i] + add[filter]);
    }
    return 1;
}

/* ---- pixels ------------------------------------------------------------------------------------------------------ */

/* Sample k of a row, 0 .. 2^depth - 1. */
static unsigned sample(const unsigned char *row, const Head *head, size_t k) {
    if (head->depth == 16) return (unsigned)row[2 * k] << 8 | row[2 * k + 1];
    size_t bit = k * (size_t)head->depth;
    return (unsigned)row[bit / 8] >> (8 - (size_t)head->depth - bit % 8) & ((1U << head->depth) - 1);
}

static AbutStatus take_row(const AbutText *text, const Head *head, const unsigned char *row, uint32_t r, double *out) {
    double white = (double)((1U << head->depth) - 1);
    size_t channels = (size_t)head->channels;
    for (size_t c = 0; c < head->columns; ++c) {
        unsigned gray = sample(row, head, channels * c);
        if (channels > 2 &&
            (sample(row, head, channels * c + 1) != gray || sample(row, head, channels * c + 2) != gray))
            return abut_name_fail(
                text, ABUT_ERROR_FORMAT, "expected a gray picture, got a color at column %zu of row %u", c, r);
        out[c] = gray / white;
    }
    return ABUT_OK;
}

static AbutStatus take_rows(const AbutText *text, const Head *head, unsigned char *bytes, AbutHeights *out) {
    const unsigned char *above = NULL;
    for (uint32_t r = 0; r < head->rows; ++r) {
        unsigned char *row = bytes + (size_t)r * (head->stride + 1) + 1;
        if (!unfilter(row[-1], row, above, head))
            return abut_name_fail(
                text, ABUT_ERROR_FORMAT, "expected a filter from 0 to 4 at row %u, got %d", r, row[-1]);
        ABUT_TRY(take_row(text, head, row, r, out->values + (size_t)(head->rows - 1 - r) * head->columns));
        above = row;
    }
    return ABUT_OK;
}

AbutStatus abut_heights_png(const AbutText *text, AbutHeights *out) {
    Head head = {0};
    Chunk first;
    const char *at = text->begin + sizeof SIGNATURE;
    ABUT_TRY(next_chunk(text, &at, &first));
    ABUT_TRY(read_head(text, &first, &head));
    size_t size = (head.stride + 1) * head.rows;
    ABUT_TRY(check_packing(text, at, size));
    ABUT_TRY(abut_heights_make(text, head.columns, head.rows, out));
    unsigned char *bytes = abut_alloc(size);
    if (!bytes) return abut_fail_memory(text->error);
    AbutStatus status = unpack(text, at, bytes, size);
    if (!status) status = take_rows(text, &head, bytes, out);
    abut_free(bytes);
    return status;
}
