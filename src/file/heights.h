/* SPDX-License-Identifier: Apache-2.0 */
/* Private: readers of files of heights. */
#ifndef ABUT_FILE_HEIGHTS_H
#define ABUT_FILE_HEIGHTS_H

#include "abut/file.h"
#include "base/text.h"

typedef struct AbutHeights {
    int32_t columns, rows;
    double *values;
} AbutHeights;

enum { ABUT_HEIGHTS_SIDE = 10000 }; /* most rows, and most columns */

/* Sizes from 2 to ABUT_HEIGHTS_SIDE? And room for them. */
int abut_heights_fit(uint32_t columns, uint32_t rows);
AbutStatus abut_heights_make(const AbutText *text, uint32_t columns, uint32_t rows, AbutHeights *out);

/* By its first bytes; and the picture as heights. */
int abut_heights_is_png(const AbutText *text);
AbutStatus abut_heights_png(const AbutText *text, AbutHeights *out);

#endif
