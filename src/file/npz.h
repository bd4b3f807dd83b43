/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of NumPy archives: element types, headers of arrays, checksums. All numbers in the files are little-endian. */
#ifndef ABUT_SRC_FILE_NPZ_H
#define ABUT_SRC_FILE_NPZ_H

#include "abut/file.h"
#include "base/text.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ABUT_NPY_ORDER '>'
#else
#define ABUT_NPY_ORDER '<'
#endif

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
