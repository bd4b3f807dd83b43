/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in text, independent of the locale and correctly rounded. */
#ifndef ABUT_SRC_BASE_NUMBER_H
#define ABUT_SRC_BASE_NUMBER_H

#include <stdint.h>

typedef enum AbutNumber {
    ABUT_NUMBER_OK = 0,
    ABUT_NUMBER_NONE,      /* no number here */
    ABUT_NUMBER_NOT_FINITE /* nan, inf, or beyond the largest double */
} AbutNumber;

/*
 * Decimal number at *at, nearest double (ties to even), tiny ones become 0. On success *at moves behind it. What
 * follows is for the caller to check, except that "1.#QNAN" and its kind count as not finite.
 */
AbutNumber abut_parse_double(const char **at, const char *end, double *out);

/* Integer with an optional sign; values beyond 10^17 are cut to +-10^17. */
AbutNumber abut_parse_integer(const char **at, const char *end, int64_t *out);

#endif
