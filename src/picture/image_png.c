/* SPDX-License-Identifier: Apache-2.0 */
/* Images and PNG files. The pixels are deflated with zlib where the library has it, else stored as they are. */
#include "abut/picture.h"
#include "abut/file.h"
#include "file/npz.h"

#include <string.h>

#ifdef ABUT_HAVE_ZLIB
#include <zlib.h>
#endif

enum { MAX_SIDE = 16384 };

AbutStatus abut_image_create(int width, int height, AbutImage *out, AbutError *error) {
    ABUT_ASSERT(out);
    memset(out, 0, sizeof *out);
    if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "image of %d x %d: expected sides from 1 to %d", width, height, (int)MAX_SIDE);
    out->rgb = abut_alloc_array((size_t)width * (size_t)height, 3);
    if (!out->rgb) return abut_fail_memory(error);
    out->width = width;
    out->height = height;
    return ABUT_OK;
}

void abut_image_free(AbutImage *image) {
    abut_free(image->rgb);
    memset(image, 0, sizeof *image);
}

static void put32(uint8_t *p, uint32_t v) {
    for (int i = 0; i < 4; ++i) p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static void write_chunk(FILE *file, const char *type, const uint8_t *data, uint32_t size) {
    uint8_t word[4];
    put32(word, size);
    fwrite(word, 1, 4, file);
    uint32_t crc = abut_crc32(0, type, 4);
    fwrite(type, 1, 4, file);
    if (size > 0) {
        crc = abut_crc32(crc, data, size);
        fwrite(data, 1, size, file);
    }
    put32(word, crc);
    fwrite(word, 1, 4, file);
}

#ifndef ABUT_HAVE_ZLIB
/* A zlib stream of stored blocks. */
static size_t store(uint8_t *to, const uint8_t *from, size_t size) {
    size_t at = 0;
    uint32_t a = 1, b = 0;
    to[at++] = 0x78, to[at++] = 0x01;
    for (size_t done = 0; done < size || done == 0;) {
        size_t block = size - done < 65535 ? size - done : 65535;
        to[at++] = done + block == size;
        to[at++] = (uint8_t)block, to[at++] = (uint8_t)(block >> 8);
        to[at++] = (uint8_t)~block, to[at++] = (uint8_t)(~block >> 8);
        memcpy(to + at, from + done, block);
        at += block;
        done += block;
    }
    for (size_t i = 0; i < size; ++i) {
        a = (a + from[i]) % 65521;
        b = (b + a) % 65521;
    }
    put32(to + at, b << 16 | a);
    return at + 4;
}
#endif

/* Rows with a filter byte each (difference to the pixel on the left), packed; *size receives the bytes. */
static uint8_t *pack_pixels(const AbutImage *image, size_t *size) {
    size_t row = (size_t)image->width * 3, raw_size = (row + 1) * (size_t)image->height,
           room = raw_size + raw_size / 500 + 1024;
    uint8_t *raw = abut_alloc(raw_size), *packed = abut_alloc(room);
    if (raw && packed) {
        for (int32_t y = 0; y < image->height; ++y) {
            const uint8_t *from = image->rgb + (size_t)y * row;
            uint8_t *to = raw + (size_t)y * (row + 1);
            *to++ = 1;
            for (size_t i = 0; i < row; ++i) to[i] = (uint8_t)(from[i] - (i >= 3 ? from[i - 3] : 0));
        }
#ifdef ABUT_HAVE_ZLIB
        uLongf bytes = (uLongf)room;
        int failed = compress2(packed, &bytes, raw, (uLong)raw_size, 6) != Z_OK;
        *size = failed ? 0 : (size_t)bytes;
#else
        *size = store(packed, raw, raw_size);
#endif
    }
    abut_free(raw);
    if (!raw || !packed || *size == 0) {
        abut_free(packed);
        return NULL;
    }
    return packed;
}

AbutStatus abut_image_write_png(const char *path, const AbutImage *image, AbutError *error) {
    ABUT_ASSERT(path && image && image->rgb);
    size_t size = 0;
    uint8_t *packed = pack_pixels(image, &size), header[13];
    if (!packed) return abut_fail_memory(error);
    AbutFileOut out;
    AbutStatus status = abut_file_out_open(&out, path, error);
    if (status == ABUT_OK) {
        put32(header, (uint32_t)image->width);
        put32(header + 4, (uint32_t)image->height);
        memcpy(header + 8, "\x08\x02\x00\x00\x00", 5); /* 8 bits, color */
        fwrite("\x89PNG\r\n\x1a\n", 1, 8, out.file);
        write_chunk(out.file, "IHDR", header, sizeof header);
        write_chunk(out.file, "IDAT", packed, (uint32_t)size);
        write_chunk(out.file, "IEND", NULL, 0);
        status = abut_file_out_commit(&out, error);
    }
    abut_free(packed);
    return status;
}
