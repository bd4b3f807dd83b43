/* SPDX-License-Identifier: Apache-2.0 */
/* Input of readers: bytes in memory, or a file. */
#ifndef ABUT_SRC_FILE_INPUT_H
#define ABUT_SRC_FILE_INPUT_H

#include "abut/base.h"

/* Where *bytes is NULL it becomes the content of the file `name`, as of abut_file_load, which is *own then, to be
 * freed; else *own is NULL. */
AbutStatus abut_file_take(
    const char *name, const char *what, size_t limit, const void **bytes, size_t *count, char **own, AbutError *error);

#endif
