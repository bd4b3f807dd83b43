/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file into memory. */
#ifndef ABUT_SRC_FILE_FILE_IN_H
#define ABUT_SRC_FILE_FILE_IN_H

#include "abut/base.h"

/*
 * Regular files of 1 to `limit` bytes only; `what` is what an empty file lacks, for the message. On success *bytes is
 * to be freed with abut_free.
 */
AbutStatus abut_file_load(
    const char *path, const char *what, size_t limit, char **bytes, size_t *count, AbutError *error);

#endif
