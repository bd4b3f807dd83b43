/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the file room: what a path leads to. */
#ifndef ABUT_SRC_FILE_FILE_TARGET_H
#define ABUT_SRC_FILE_FILE_TARGET_H

#include <sys/stat.h>

#include "abut/base.h"

/*
 * The file that writing to `path` would change, links followed, as an absolute name where its folder is there; to be
 * freed with abut_free, NULL: no memory. *exists tells whether it is there, and *about then what it is.
 */
char *abut_file_target(const char *path, int *exists, struct stat *about);

/* Is it one of the files of abut_file_reserve_outputs? Always 0 on Windows, which does not number files here. */
int abut_file_is_reserved(const struct stat *about);

#endif
