/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a fuzz target taken one by one, as small numbers or as numbers; zeros where they end. */
#ifndef ABUT_TESTS_FUZZ_INPUT_H
#define ABUT_TESTS_FUZZ_INPUT_H

#include <stdint.h>
#include <string.h>

#include "abut/math.h"

typedef struct Input {
    const uint8_t *data;
    size_t size;
    double tame; /* a number is one signed byte times this; 0: eight bytes as they stand, which can be anything */
} Input;

static inline int next_byte(Input *in) {
    if (in->size == 0) return 0;
    --in->size;
    return *in->data++;
}

static inline double next_number(Input *in) {
    double x = 0.0;
    if (in->tame != 0.0) return in->tame * (double)(int8_t)next_byte(in);
    size_t n = in->size < sizeof x ? in->size : sizeof x;
    if (n > 0) memcpy(&x, in->data, n);
    in->data += n, in->size -= n;
    return x;
}

static inline AbutVec3 next_vec3(Input *in) {
    AbutVec3 v;
    v.x = next_number(in);
    v.y = next_number(in);
    v.z = next_number(in);
    return v;
}

/* Near (1, 0, 0, 0) for small numbers, of any length. */
static inline AbutQuat next_quat(Input *in) {
    AbutQuat q;
    q.w = 1.0 + next_number(in);
    q.x = next_number(in);
    q.y = next_number(in);
    q.z = next_number(in);
    return q;
}

#endif
