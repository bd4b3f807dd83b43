/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Zip archives out. Each entry is a local header, its name and its bytes; the directory at the end repeats the headers.
 * All dates are 1980-01-01, so that the same content gives the same bytes. Entries are deflated where the library has
 * zlib, else stored, as numpy.savez does.
 */
#include "file/npz_zip.h"

#include <string.h>

#include "file/npz.h"

#ifdef ABUT_HAVE_ZLIB
#include <zlib.h>
#endif

enum { LOCAL = 30, CENTRAL = 46, END = 22, VERSION = 20, DATE = 33 }; /* 1980-01-01 */

uint32_t abut_crc32(uint32_t crc, const void *bytes, size_t count) {
    /* Four bits at a time: sums of all remainders of 0 .. 15. */
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278,
        0xbdbdf21c};
    const unsigned char *p = bytes;
    crc = ~crc;
    for (size_t i = 0; i < count; ++i) {
        crc = table[(crc ^ p[i]) & 15] ^ crc >> 4;
        crc = table[(crc ^ (uint32_t)p[i] >> 4) & 15] ^ crc >> 4;
    }
    return ~crc;
}

static unsigned char *put2(unsigned char *p, uint32_t value) {
    p[0] = (unsigned char)value;
    p[1] = (unsigned char)(value >> 8);
    return p + 2;
}

static unsigned char *put4(unsigned char *p, uint32_t value) { return put2(put2(p, value & 0xffff), value >> 16); }

/* The part that the local header and the directory share: version to the length of the extra field. */
static unsigned char *put_common(
    unsigned char *p, int deflated, uint32_t crc, size_t packed, size_t size, size_t name_length) {
    p = put2(put2(p, VERSION), 0);
    p = put2(put2(put2(p, deflated ? 8 : 0), 0), DATE);
    p = put4(put4(put4(p, crc), (uint32_t)packed), (uint32_t)size);
    return put2(put2(p, (uint32_t)name_length), 0);
}

static AbutStatus add_directory(
    AbutZipWriter *zip, const char *name, int deflated, uint32_t crc, size_t packed, size_t size) {
    size_t n = strlen(name);
    void *memory = zip->directory;
    int grown = abut_grow(&memory, &zip->directory_capacity, zip->directory_size + CENTRAL + n, 1);
    zip->directory = memory;
    if (!grown) return abut_fail_memory(zip->error);
    unsigned char *p = zip->directory + zip->directory_size;
    p = put2(put4(p, 0x02014b50), VERSION);
    p = put_common(p, deflated, crc, packed, size, n);
    p = put4(put2(put2(put2(p, 0), 0), 0), 0); /* comment, disk, attributes inside and outside */
    p = put4(p, (uint32_t)zip->offset);
    memcpy(p, name, n);
    zip->directory_size += CENTRAL + n;
    ++zip->count;
    return ABUT_OK;
}

/* Deflates both pieces into fresh memory, *deflated: NULL when that saves nothing. False when there is no memory. */
static int deflate_pieces(
    const void *head, size_t head_size, const void *body, size_t body_size, size_t *packed, unsigned char **deflated) {
    *deflated = NULL;
#ifdef ABUT_HAVE_ZLIB
    enum { LEVEL = 1 };
    size_t room = head_size + body_size;
    if (room > UINT32_MAX) return 1;
    unsigned char *out = abut_alloc(room);
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (!out || deflateInit2(&stream, LEVEL, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        abut_free(out);
        return 0;
    }
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    stream.next_in = (Bytef *)(uintptr_t)head;
    stream.avail_in = (uInt)head_size;
    int result = deflate(&stream, body_size ? Z_NO_FLUSH : Z_FINISH);
    if (body_size && result == Z_OK) {
        stream.next_in = (Bytef *)(uintptr_t)body;
        stream.avail_in = (uInt)body_size;
        result = deflate(&stream, Z_FINISH);
    }
    *packed = room - stream.avail_out;
    deflateEnd(&stream);
    if (result == Z_STREAM_END)
        *deflated = out;
    else
        abut_free(out);
#else
    (void)head, (void)head_size, (void)body, (void)body_size, (void)packed;
#endif
    return 1;
}

AbutStatus abut_zip_add(
    AbutZipWriter *zip, const char *name, const void *head, size_t head_size, const void *body, size_t body_size) {
    size_t size = head_size + body_size, packed = size, n = strlen(name);
    if (zip->offset + size + LOCAL + n > UINT32_MAX - 1000000)
        return abut_fail(zip->error, ABUT_ERROR_LIMIT, "%.300s: expected less than 4 GB", zip->path);
    uint32_t crc = abut_crc32(abut_crc32(0, head, head_size), body, body_size);
    unsigned char *deflated;
    if (!deflate_pieces(head, head_size, body, body_size, &packed, &deflated)) return abut_fail_memory(zip->error);
    if (!deflated) packed = size;
    unsigned char header[LOCAL];
    put_common(put4(header, 0x04034b50), deflated != NULL, crc, packed, size, n);
    AbutStatus status = add_directory(zip, name, deflated != NULL, crc, packed, size);
    fwrite(header, 1, LOCAL, zip->file);
    fwrite(name, 1, n, zip->file);
    if (deflated) {
        fwrite(deflated, 1, packed, zip->file);
    } else {
        fwrite(head, 1, head_size, zip->file);
        if (body_size) fwrite(body, 1, body_size, zip->file);
    }
    zip->offset += LOCAL + n + packed;
    abut_free(deflated);
    return status; /* failures of the stream are told when the file is committed */
}

AbutStatus abut_zip_end(AbutZipWriter *zip) {
    unsigned char end[END];
    unsigned char *p = put2(put2(put4(end, 0x06054b50), 0), 0);
    p = put2(put2(p, (uint32_t)zip->count), (uint32_t)zip->count);
    put2(put4(put4(p, (uint32_t)zip->directory_size), (uint32_t)zip->offset), 0);
    if (zip->directory_size) fwrite(zip->directory, 1, zip->directory_size, zip->file);
    fwrite(end, 1, END, zip->file);
    return ABUT_OK;
}

void abut_zip_free(AbutZipWriter *zip) {
    abut_free(zip->directory);
    zip->directory = NULL;
}
