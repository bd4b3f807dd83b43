/* SPDX-License-Identifier: Apache-2.0 */
/* The table of what is read, as the readers ask it. */
#ifndef ABUT_SRC_IMPORT_TABLE_H
#define ABUT_SRC_IMPORT_TABLE_H

#include "abut/import.h"

/* Does the row of an element have the attribute? */
int abut_import_reads(const char *format, const char *element, const char *attribute);

#endif
