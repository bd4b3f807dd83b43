/* SPDX-License-Identifier: Apache-2.0 */
/* Zip archives, as far as NumPy archives need them: stored and deflated entries, no encryption, below 4 GB. */
#ifndef ABUT_SRC_FILE_NPZ_ZIP_H
#define ABUT_SRC_FILE_NPZ_ZIP_H

#include "abut/file.h"
#include "base/text.h"

/* ---- writing ----------------------------------------------------------------------------------------------------- */

typedef struct AbutZipWriter {
    FILE *file;
    const char *path;
    AbutError *error;
    uint64_t offset;
    unsigned char *directory; /* grows */
    size_t directory_size, directory_capacity;
    int32_t count;
} AbutZipWriter;

/* One entry from two pieces of memory, one behind the other; deflated when that is smaller. */
AbutStatus abut_zip_add(
    AbutZipWriter *zip, const char *name, const void *head, size_t head_size, const void *body, size_t body_size);
AbutStatus abut_zip_end(AbutZipWriter *zip); /* writes the directory */
void abut_zip_free(AbutZipWriter *zip);

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct AbutZipEntry {
    const char *name; /* in the archive's bytes, not zero-terminated */
    size_t name_length;
    const unsigned char *data;
    size_t packed, size;
    uint32_t crc;
    int deflated;
} AbutZipEntry;

/* All entries, checked against the bytes that are there: at most `most`. */
AbutStatus abut_zip_read(const AbutText *text, AbutZipEntry *entries, int most, int *count);

/* Unpacks into `out` (entry->size bytes) and checks the sum. */
AbutStatus abut_zip_unpack(const AbutText *text, const AbutZipEntry *entry, unsigned char *out);

#endif
