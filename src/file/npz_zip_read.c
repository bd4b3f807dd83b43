/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Zip archives in, from memory. The directory at the end says where entries lie; every offset and length is checked
 * against the bytes that are there, entries may not overlap, and the sum of each entry must agree.
 */
#include "file/npz_zip.h"

#include <string.h>

#include "file/npz.h"

#ifdef ABUT_HAVE_ZLIB
#include <zlib.h>
#endif

enum { LOCAL = 30, CENTRAL = 46, END = 22 };

static uint32_t get2(const unsigned char *p) { return p[0] | (uint32_t)p[1] << 8; }

static uint32_t get4(const unsigned char *p) { return get2(p) | get2(p + 2) << 16; }

static const unsigned char *begin_of(const AbutText *text) { return (const unsigned char *)text->begin; }

static size_t size_of(const AbutText *text) { return (size_t)(text->end - text->begin); }

static AbutStatus fail(const AbutText *text, size_t offset, AbutStatus status, const char *what) {
    return abut_byte_fail(text, text->begin + offset, status, "%s", what);
}

/* The record at the very end, in front of a comment of the length it says. */
static AbutStatus find_end(const AbutText *text, size_t *offset) {
    const unsigned char *p = begin_of(text);
    size_t size = size_of(text), least = size > END + 65535 ? size - END - 65535 : 0;
    if (size >= END)
        for (size_t at = size - END + 1; at-- > least;)
            if (get4(p + at) == 0x06054b50 && get2(p + at + 20) == size - at - END) {
                *offset = at;
                return ABUT_OK;
            }
    return abut_name_fail(
        text, ABUT_ERROR_FORMAT, "expected end of a zip archive, got none: cut short, or another format");
}

/* One record of the directory at `at`; the local header must name the same file. */
static AbutStatus read_entry(const AbutText *text, size_t at, size_t directory, AbutZipEntry *out) {
    const unsigned char *p = begin_of(text), *c = p + at;
    uint32_t flags = get2(c + 8), method = get2(c + 10);
    size_t local = get4(c + 42);
    *out = (AbutZipEntry){.name = (const char *)c + CENTRAL,
        .name_length = get2(c + 28),
        .packed = get4(c + 20),
        .size = get4(c + 24),
        .crc = get4(c + 16),
        .deflated = method == 8};
    if (flags & 0x2041) return fail(text, at, ABUT_ERROR_UNSUPPORTED, "expected an entry without encryption");
    if (method != 0 && method != 8)
        return fail(text, at, ABUT_ERROR_UNSUPPORTED, "expected a stored or deflated entry");
    if (out->packed == UINT32_MAX || out->size == UINT32_MAX || local == UINT32_MAX)
        return fail(text, at, ABUT_ERROR_UNSUPPORTED, "expected an archive below 4 GB");
    if (directory < LOCAL || local > directory - LOCAL || get4(p + local) != 0x04034b50)
        return fail(text, at, ABUT_ERROR_FORMAT, "expected a local header where the directory points");
    size_t start = local + LOCAL + get2(p + local + 26) + get2(p + local + 28);
    if (start > directory || out->packed > directory - start)
        return fail(text, local, ABUT_ERROR_FORMAT, "an entry ends behind the archive");
    if (get2(p + local + 26) != out->name_length || memcmp(p + local + LOCAL, out->name, out->name_length) != 0)
        return fail(text, local, ABUT_ERROR_FORMAT, "directory and local header name different files");
    if (!out->deflated && out->packed != out->size)
        return fail(text, at, ABUT_ERROR_FORMAT, "a stored entry has two sizes");
    if (out->size / 1100 > out->packed)
        return fail(text, at, ABUT_ERROR_FORMAT, "an entry says a size that its bytes cannot unpack to");
    out->data = p + start;
    return ABUT_OK;
}

AbutStatus abut_zip_read(const AbutText *text, AbutZipEntry *entries, int most, int *count) {
    const unsigned char *p = begin_of(text);
    size_t end = 0;
    ABUT_TRY(find_end(text, &end));
    size_t number = get2(p + end + 10), bytes = get4(p + end + 12), directory = get4(p + end + 16);
    if (get4(p + end + 4) != 0 || get2(p + end + 8) != number || directory > end || bytes != end - directory)
        return fail(text, end, ABUT_ERROR_FORMAT, "expected a whole directory in one file");
    if (number > (size_t)most) return fail(text, end, ABUT_ERROR_LIMIT, "expected fewer entries");
    const unsigned char *behind = p; /* end of the entry before */
    size_t at = directory;
    AbutStatus status = ABUT_OK;
    for (size_t i = 0; i < number; ++i) {
        if (end - at < CENTRAL || get4(p + at) != 0x02014b50)
            return fail(text, at, ABUT_ERROR_FORMAT, "expected a record of the directory");
        size_t length = CENTRAL + get2(p + at + 28) + get2(p + at + 30) + get2(p + at + 32);
        if (length > end - at) return fail(text, at, ABUT_ERROR_FORMAT, "a record ends behind the directory");
        status = read_entry(text, at, directory, &entries[i]);
        if (status) return status;
        if (p + get4(p + at + 42) < behind)
            return fail(text, at, ABUT_ERROR_FORMAT, "expected entries in order and apart");
        behind = entries[i].data + entries[i].packed;
        at += length;
    }
    *count = (int)number;
    return at == end ? ABUT_OK : fail(text, at, ABUT_ERROR_FORMAT, "the directory is longer than its records");
}

static int inflate_entry(const AbutZipEntry *entry, unsigned char *out) {
#ifdef ABUT_HAVE_ZLIB
    z_stream stream;
    unsigned char none;
    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, -15) != Z_OK) return 0;
    stream.next_in = (Bytef *)(uintptr_t)entry->data;
    stream.avail_in = (uInt)entry->packed;
    stream.next_out = entry->size ? out : &none;
    stream.avail_out = (uInt)entry->size;
    int result = inflate(&stream, Z_FINISH);
    int whole = result == Z_STREAM_END && stream.avail_out == 0 && stream.avail_in == 0;
    inflateEnd(&stream);
    return whole;
#else
    (void)entry, (void)out;
    return 0;
#endif
}

AbutStatus abut_zip_unpack(const AbutText *text, const AbutZipEntry *entry, unsigned char *out) {
    size_t offset = (size_t)(entry->data - begin_of(text));
#ifndef ABUT_HAVE_ZLIB
    if (entry->deflated)
        return fail(text, offset, ABUT_ERROR_UNSUPPORTED, "this build unpacks no deflated entries (made without zlib)");
#endif
    if (!entry->deflated) {
        if (entry->size) memcpy(out, entry->data, entry->size);
    } else if (!inflate_entry(entry, out)) {
        return fail(text, offset, ABUT_ERROR_FORMAT, "expected deflated bytes of the stated size");
    }
    if (abut_crc32(0, out, entry->size) != entry->crc)
        return fail(text, offset, ABUT_ERROR_FORMAT, "the checksum of an entry does not agree");
    return ABUT_OK;
}
