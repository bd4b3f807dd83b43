/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings of a reader: each text once, at most 200; and the largest number of a vector. */
#ifndef ABUT_SRC_IMPORT_WARN_H
#define ABUT_SRC_IMPORT_WARN_H

#include <stdarg.h>

#include "abut/import.h"
#include "file/xml.h"

enum { ABUT_IMPORT_WARNINGS = 200 };

#define ABUT_IMPORT_LARGEST 1e60 /* vectors beyond this are refused: products with their squares would overflow */

typedef struct AbutWarnings {
    uint64_t warned[ABUT_IMPORT_WARNINGS];
    int32_t count;
} AbutWarnings;

/* "file:line: <tag>: ..." to the function of the options, unless the text behind the place was told before. */
void abut_import_warn(AbutWarnings *warnings, const AbutModelReadOptions *options, const AbutXmlElement *element,
    const char *format, va_list args);

#endif
