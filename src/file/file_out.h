/* SPDX-License-Identifier: Apache-2.0 */
/* A file that appears whole or not at all: written beside its place under another name, then renamed. */
#ifndef ABUT_SRC_FILE_FILE_OUT_H
#define ABUT_SRC_FILE_FILE_OUT_H

#include <stdio.h>

#include "abut/base.h"

typedef struct AbutFileOut {
    FILE *file;
    const char *path;
    char *temporary;
} AbutFileOut;

/* Opens the temporary file; `path` must live until the commit. */
AbutStatus abut_file_out_open(AbutFileOut *out, const char *path, AbutError *error);

/* Flushes, closes and renames when all is well; else removes the temporary file. Ends the use of *out in any case. */
AbutStatus abut_file_out_commit(AbutFileOut *out, AbutError *error);

/* Gives up: closes and removes the temporary file. */
void abut_file_out_cancel(AbutFileOut *out);

#endif
