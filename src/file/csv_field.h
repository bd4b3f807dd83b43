/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of a line of CSV that is read in place. */
#ifndef ABUT_SRC_FILE_CSV_FIELD_H
#define ABUT_SRC_FILE_CSV_FIELD_H

#include "base/text.h"

static inline const char *abut_csv_skip_space(const char *p, const char *end)
{
    while (p < end && abut_is_space(*p))
        ++p;
    return p;
}

static inline const char *abut_csv_field_end(const char *p, const char *end)
{
    while (p < end && *p != ',')
        ++p;
    return p;
}

/* What stands between p and end, without the spaces around. */
static inline size_t abut_csv_trimmed(const char **p, const char *end)
{
    *p = abut_csv_skip_space(*p, end);
    while (end > *p && abut_is_space(end[-1]))
        --end;
    return (size_t)(end - *p);
}

static inline const char *abut_csv_line_end(const char *p, const char *end)
{
    while (p < end && *p != '\n' && *p != '\r')
        ++p;
    return p;
}

#endif
