/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV text of poses over time. In: lines `t,x,y,z,qw,qx,qy,qz`; a first line with these words, empty lines and lines
 * that begin with # are skipped. Out: keyframes in the order of the lines, quaternions normalized. A list of poses may
 * have its times in any order; those of a motion must grow.
 */
#include "import/motion_text.h"
#include "base/csv_field.h"
#include "base/number.h"

#include <string.h>

enum { NUMBERS = 8, MOST_ROWS = 10000000 };
static const char HEADER[] = "t,x,y,z,qw,qx,qy,qz";

typedef struct Rows {
    AbutKeyframe *row;
    size_t count, capacity;
    int growing; /* must the times? */
} Rows;

static int is_header(const char *p, const char *end) {
    size_t length = sizeof HEADER - 1;
    return (size_t)(end - p) >= length && memcmp(p, HEADER, length) == 0 && abut_csv_skip_space(p + length, end) == end;
}

/* Eight numbers with commas between; 0 for anything else. */
static int read_numbers(const char *p, const char *end, double number[NUMBERS]) {
    for (int i = 0; i < NUMBERS; ++i) {
        p = abut_csv_skip_space(p, end);
        if (abut_parse_double(&p, end, &number[i]) != ABUT_NUMBER_OK) return 0;
        p = abut_csv_skip_space(p, end);
        if (i + 1 < NUMBERS && (p == end || *p++ != ',')) return 0;
    }
    return p == end;
}

static AbutStatus read_row(AbutText *text, const char *end, void *user) {
    Rows *out = user;
    double v[NUMBERS];
    const char *p = text->at;
    if (out->count == 0 && is_header(p, end)) return ABUT_OK;
    if (!read_numbers(p, end, v))
        return abut_text_fail(text, p, ABUT_ERROR_FORMAT, "expected eight finite numbers %s", HEADER);
    for (int i = 0; i < 4; ++i)
        if (!abut_motion_fits(v[i]))
            return abut_text_fail(text, p, ABUT_ERROR_NUMBER, "%s %g: expected no more than 1e60",
                i == 0 ? "a time of" : "a length of", v[i]);
    if (out->growing && out->count > 0 && !(v[0] > out->row[out->count - 1].t))
        return abut_text_fail(text, p, ABUT_ERROR_ARGUMENT, "its time %g is not after %g, that of the pose before",
            v[0], out->row[out->count - 1].t);
    if (!abut_motion_unit(4, v + 4))
        return abut_text_fail(text, p, ABUT_ERROR_NUMBER, "the quaternion qw,qx,qy,qz has no direction");
    if (out->count >= MOST_ROWS) return abut_text_fail(text, p, ABUT_ERROR_LIMIT, "more than %d poses", MOST_ROWS);
    if (!abut_grow((void **)&out->row, &out->capacity, out->count + 1, sizeof *out->row))
        return abut_fail_memory(text->error);
    out->row[out->count++] =
        (AbutKeyframe){v[0], abut_pose(abut_vec3(v[1], v[2], v[3]), abut_quat(v[4], v[5], v[6], v[7]))};
    return ABUT_OK;
}

static AbutStatus parse(const void *bytes, size_t count, const char *name, int growing, int32_t *keyframe_count,
    AbutKeyframe **out, AbutError *error) {
    AbutText text = abut_text_of(name, bytes, count, error);
    Rows rows = {.growing = growing};
    *out = NULL, *keyframe_count = 0;
    AbutStatus status = abut_csv_lines(&text, read_row, &rows);
    if (status == ABUT_OK && rows.count == 0)
        status = abut_name_fail(&text, ABUT_ERROR_FORMAT, "there is no pose %s in it", HEADER);
    if (status != ABUT_OK) {
        abut_free(rows.row);
        return status;
    }
    *out = rows.row;
    *keyframe_count = (int32_t)rows.count;
    return ABUT_OK;
}

AbutStatus abut_keyframes_parse(const void *bytes, size_t count, const char *name, int32_t *keyframe_count,
    AbutKeyframe **out, int *animation, AbutError *error) {
    int animated = abut_keyframes_are_animation(bytes, count);
    if (animation) *animation = animated;
    return animated ? abut_keyframes_parse_animation(bytes, count, name, keyframe_count, out, error)
                    : parse(bytes, count, name, 0, keyframe_count, out, error);
}

AbutStatus abut_keyframes_parse_growing(
    const void *bytes, size_t count, const char *name, int32_t *keyframe_count, AbutKeyframe **out, AbutError *error) {
    return parse(bytes, count, name, 1, keyframe_count, out, error);
}
