/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers with commas between, and poses as text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/math.h"

int abut_numbers_parse(const char *text, int most, double *out) {
    ABUT_ASSERT(text && out);
    for (int count = 0; count < most; ++text) {
        char *end;
        if (*text == ' ' || *text == '\t' || *text == '\n') return 0;
        out[count] = strtod(text, &end);
        if (end == text || !isfinite(out[count++])) return 0;
        text = end;
        if (*text != ',') return *text == 0 ? count : 0;
    }
    return 0;
}

/* A vector brought to size 1 in its largest number first, so that huge numbers are no special case; 0: it is zero. */
static int unit_size(double *v, int count) {
    double size = 0.0;
    for (int i = 0; i < count; ++i) size = fmax(size, fabs(v[i]));
    for (int i = 0; i < count && size > 0.0; ++i) v[i] /= size;
    return size > 0.0;
}

static int quaternion(double *v, AbutQuat *out) {
    if (!unit_size(v, 4)) return 0;
    *out = abut_quat_normalize(abut_quat(v[0], v[1], v[2], v[3]));
    return 1;
}

/* Turns about the fixed axes x, then y, then z. */
static int roll_pitch_yaw(double *v, AbutQuat *out) {
    AbutQuat x = abut_quat_axis_angle(abut_axis(0), v[0]), y = abut_quat_axis_angle(abut_axis(1), v[1]);
    *out = abut_quat_normalize(abut_quat_mul(abut_quat_axis_angle(abut_axis(2), v[2]), abut_quat_mul(y, x)));
    return 1;
}

static int axis_and_angle(double *v, AbutQuat *out) {
    if (!unit_size(v, 3)) return 0;
    *out = abut_quat_axis_angle(abut_normalize(abut_vec3(v[0], v[1], v[2])), v[3]);
    return 1;
}

/* The ways to say a rotation behind x,y,z. */
static const struct {
    const char *prefix;
    int numbers;
    int (*rotation)(double *v, AbutQuat *out);
} rotations[] = {{"rpy:", 3, roll_pitch_yaw}, {"axis:", 4, axis_and_angle}, {"", 4, quaternion}};

int abut_pose_parse(const char *text, AbutPose *out) {
    ABUT_ASSERT(text && out);
    double v[8];
    AbutPose pose = abut_pose_identity();
    int way = 0;
    while (strncmp(text, rotations[way].prefix, strlen(rotations[way].prefix)) != 0) ++way;
    int count = abut_numbers_parse(text + strlen(rotations[way].prefix), 8, v);
    int plain = count == 3 && !*rotations[way].prefix;
    if (!plain && (count != 3 + rotations[way].numbers || !rotations[way].rotation(v + 3, &pose.q))) return 0;
    pose.p = abut_vec3(v[0], v[1], v[2]);
    *out = pose;
    return 1;
}
