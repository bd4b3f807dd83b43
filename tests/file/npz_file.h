/* SPDX-License-Identifier: Apache-2.0 */
/* A NumPy archive read from a file. */
#ifndef ABUT_TESTS_FILE_NPZ_FILE_H
#define ABUT_TESTS_FILE_NPZ_FILE_H

#include "file/npz.h"

static inline AbutStatus npz_read(const char *path, AbutArchive *out, AbutError *error) {
    char *bytes;
    size_t count;
    *out = (AbutArchive){0, NULL};
    ABUT_TRY(abut_file_load(path, "NumPy archive", UINT32_MAX, &bytes, &count, error));
    AbutStatus status = abut_npz_parse(bytes, count, path, out, error);
    abut_free(bytes);
    return status;
}

#endif
