/* SPDX-License-Identifier: Apache-2.0 */
/* Private: what the readers of motions share. */
#ifndef ABUT_IMPORT_MOTION_TEXT_H
#define ABUT_IMPORT_MOTION_TEXT_H

#include "abut/import.h"
#include "motion/chain.h"

/* Brings a vector of finite numbers to unit length, whatever its own; 0 when all are zero. */
static inline int abut_motion_unit(int count, double *v) {
    double most = 0.0, square = 0.0;
    for (int i = 0; i < count; ++i) most = abut_larger(most, fabs(v[i]));
    if (!(most > 0.0)) return 0;
    for (int i = 0; i < count; ++i) {
        v[i] /= most;
        square += v[i] * v[i];
    }
    double scale = 1.0 / sqrt(square);
    for (int i = 0; i < count; ++i) v[i] *= scale;
    return 1;
}

/* keyframes_animation.c: an animation, and whether bytes are one, by their first word. */
int abut_keyframes_are_animation(const void *bytes, size_t count);
AbutStatus abut_keyframes_parse_animation(
    const void *bytes, size_t count, const char *name, int32_t *keyframe_count, AbutKeyframe **out, AbutError *error);

/* As abut_keyframes_parse, for a motion: a time that is not after the one before is refused with its line
 * (keyframes_parse.c). */
AbutStatus abut_keyframes_parse_growing(
    const void *bytes, size_t count, const char *name, int32_t *keyframe_count, AbutKeyframe **out, AbutError *error);

#endif
