/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings of a reader: each kind once, at most 200; and the largest number of a vector. */
#ifndef ABUT_SRC_IMPORT_WARN_H
#define ABUT_SRC_IMPORT_WARN_H

#include <stdarg.h>

#include "abut/import.h"
#include "file/xml.h"

enum { ABUT_IMPORT_WARNINGS = 200, ABUT_IMPORT_IGNORED = 400 };

#define ABUT_IMPORT_LARGEST 1e60 /* vectors beyond this are refused: products with their squares would overflow */

typedef struct AbutWarnings {
    uint64_t kind[ABUT_IMPORT_WARNINGS];
    char *text[ABUT_IMPORT_WARNINGS];   /* the first of its kind */
    int32_t more[ABUT_IMPORT_WARNINGS]; /* others of it */
    int32_t count, left_out;
    char ignored[2][ABUT_IMPORT_IGNORED]; /* elements and attributes, each name followed by ", " */
} AbutWarnings;

/* Keeps "file:line: <tag>: ..." until the end. Warnings that differ in names and numbers alone are of a kind, and all
 * elements or attributes that are ignored; with all_warnings only those of the same text are. */
void abut_import_warn(AbutWarnings *warnings, const AbutModelReadOptions *options, const AbutXmlElement *element,
    const char *format, va_list args);

/* Hands the warnings to the function of the options, in the order of their first places. */
void abut_import_warn_end(AbutWarnings *warnings, const AbutModelReadOptions *options);

#endif
