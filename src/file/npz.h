/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: arrays as NumPy archives, and the parts of such a file: element types, headers of arrays, checksums. All
 * numbers in the files are little-endian.
 */
#ifndef ABUT_SRC_FILE_NPZ_H
#define ABUT_SRC_FILE_NPZ_H

#include "abut/file.h"
#include "base/text.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ABUT_NPY_ORDER '>'
#else
#define ABUT_NPY_ORDER '<'
#endif

#define ABUT_NPZ_ARRAYS 256

enum { ABUT_ARRAY_DIMENSIONS = 4, ABUT_ARRAY_NAME = 64 };

/* Rows last index fastest. */
typedef struct AbutArray {
    char name[ABUT_ARRAY_NAME];
    AbutArrayType type;
    int32_t dimensions; /* 0: one number */
    int64_t shape[ABUT_ARRAY_DIMENSIONS];
    const void *data;
} AbutArray;

typedef struct AbutArchive {
    int32_t count;
    AbutArray *arrays;
} AbutArchive;

/* The file appears whole or not at all. Equal arrays give equal bytes (for one version of zlib). */
AbutStatus abut_npz_write(const char *path, const AbutArray *arrays, int count, AbutError *error);

/* Reads what abut_npz_write or numpy.savez wrote, in these types. Sizes, checksums and bounds are checked. */
AbutStatus abut_npz_parse(const void *bytes, size_t count, const char *name, AbutArchive *out, AbutError *error);
void abut_npz_free(AbutArchive *archive); /* leaves an empty archive */

const AbutArray *abut_npz_find(const AbutArchive *archive, const char *name); /* NULL when it is not there */
int64_t abut_array_count(const AbutArray *array);                             /* product of the shape */

enum { ABUT_NPY_HEADER = 256 }; /* room for the header of an array of up to ABUT_ARRAY_DIMENSIONS dimensions */

size_t abut_array_bytes_each(AbutArrayType type);

/* CRC-32 of zip files; start with 0 and chain. */
uint32_t abut_crc32(uint32_t crc, const void *bytes, size_t count);

/* Bytes of the array's data; 0 and LIMIT when the product passes ABUT_NPZ_BYTES or a length is negative. */
AbutStatus abut_array_bytes(const AbutArray *array, size_t *out);

/* The .npy header in front of the data, a multiple of 64 bytes; gives its length. */
size_t abut_npy_write_header(const AbutArray *array, char header[ABUT_NPY_HEADER]);

/* Reads a header from `count` bytes into type, dimensions and shape; *used is its length. A failure names `text`. */
AbutStatus abut_npy_read_header(
    const AbutText *text, const char *entry, const unsigned char *bytes, size_t count, AbutArray *array, size_t *used);

#endif
