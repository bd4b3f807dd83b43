/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies and joints of a model as MJCF, for comparisons with MuJoCo: masses and joints, no shapes. */
#ifndef ABUT_TESTS_WRITE_MJCF_H
#define ABUT_TESTS_WRITE_MJCF_H

#include <stddef.h>

#include "abut/model.h"

typedef struct MjcfText {
    char text[200000];
    size_t count;
} MjcfText;

/* Bodies are called b0, b1, ... by their numbers; those inside others come in the order of their numbers. */
void write_mjcf(MjcfText *t, const AbutModel *model);

#endif
