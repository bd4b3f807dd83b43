/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Animations of the PolyDepth release (.ani). In: a text `<frames>f`, then for each frame its number `<k>f` and twelve
 * numbers, the rotation column by column and the translation. Out: keyframes at the times k. A matrix may differ from a
 * rotation by 1e-3, as few digits make it; the quaternion nearest to it counts.
 */
#include "import/motion_text.h"
#include "base/number.h"
#include "base/text.h"

enum { NUMBERS = 12, MOST_FRAMES = 10000000, LEAST_BYTES = 27 }; /* of a frame: "0f" and twelve times " 0", a space */

static const double ROTATION = 1e-3; /* entries of the product of the matrix and its transpose may be off by this */

/* `<number>f` at p, with white space or the end behind it; -1 for anything else. *behind is moved behind it. */
static int64_t read_frame_word(const char *p, const char *end, const char **behind) {
    int64_t number;
    if (p == end || *p < '0' || *p > '9' || abut_parse_integer(&p, end, &number) != ABUT_NUMBER_OK || p == end ||
        *p++ != 'f' || (p < end && !abut_is_space(*p)))
        return -1;
    *behind = p;
    return number;
}

static AbutStatus next_frame_word(AbutText *text, const char *what, int64_t least, int64_t *out) {
    abut_text_skip_space(text);
    const char *start = text->at;
    *out = read_frame_word(start, text->end, &text->at);
    if (*out >= least && *out <= MOST_FRAMES) return ABUT_OK;
    AbutFound found = abut_text_found(text, start);
    return abut_text_fail(text, start, ABUT_ERROR_FORMAT, "expected %s from %lldf to %df, got %s", what,
        (long long)least, MOST_FRAMES, found.text);
}

static int is_rotation(AbutMat3 m) {
    if (!(abut_max_abs(m.x) < 2.0 && abut_max_abs(m.y) < 2.0 && abut_max_abs(m.z) < 2.0)) return 0;
    AbutMat3 off = abut_mat3_sub(abut_mat3_mul_t(m, m), abut_mat3_identity());
    double worst = abut_larger(abut_max_abs(off.x), abut_larger(abut_max_abs(off.y), abut_max_abs(off.z)));
    return worst <= ROTATION && abut_triple(m.x, m.y, m.z) > 0.0;
}

static AbutStatus read_frame(AbutText *text, int64_t least, AbutKeyframe *out) {
    double v[NUMBERS];
    int64_t number;
    AbutStatus status = next_frame_word(text, "a frame", least, &number);
    const char *where = text->at;
    for (int i = 0; i < NUMBERS && status == ABUT_OK; ++i) {
        abut_text_skip_space(text);
        status = abut_text_number(text, i < 9 ? "number of a rotation" : "number of a translation", &v[i]);
    }
    if (status) return status;
    AbutMat3 m = abut_mat3(abut_vec3(v[0], v[1], v[2]), abut_vec3(v[3], v[4], v[5]), abut_vec3(v[6], v[7], v[8]));
    if (!is_rotation(m))
        return abut_text_fail(text, where, ABUT_ERROR_NUMBER, "expected a rotation as nine numbers, column by column");
    if (!abut_motion_fits_all(abut_vec3(v[9], v[10], v[11])))
        return abut_text_fail(text, where, ABUT_ERROR_NUMBER, "a translation beyond 1e60");
    out->t = (double)number;
    out->pose = abut_pose(abut_vec3(v[9], v[10], v[11]), abut_quat_normalize(abut_quat_from_mat3(m)));
    return ABUT_OK;
}

int abut_keyframes_are_animation(const void *bytes, size_t count) {
    AbutText text = abut_text_of(NULL, bytes, count, NULL);
    abut_text_skip_space(&text);
    return read_frame_word(text.at, text.end, &text.at) >= 0;
}

static AbutStatus read_frames(AbutText *text, int64_t count, AbutKeyframe *key) {
    for (int64_t i = 0; i < count; ++i) ABUT_TRY(read_frame(text, i > 0 ? (int64_t)key[i - 1].t + 1 : 0, &key[i]));
    abut_text_skip_space(text);
    if (text->at == text->end) return ABUT_OK;
    AbutFound found = abut_text_found(text, text->at);
    return abut_text_fail(text, text->at, ABUT_ERROR_FORMAT, "expected end of file behind %lld frames, got %s",
        (long long)count, found.text);
}

AbutStatus abut_keyframes_parse_animation(
    const void *bytes, size_t count, const char *name, int32_t *keyframe_count, AbutKeyframe **out, AbutError *error) {
    AbutText text = abut_text_of(name, bytes, count, error);
    int64_t frames;
    *out = NULL, *keyframe_count = 0;
    ABUT_TRY(next_frame_word(&text, "a number of frames", 1, &frames));
    if (frames * LEAST_BYTES > text.end - text.at + 1)
        return abut_text_fail(&text, text.at, ABUT_ERROR_FORMAT,
            "expected %lld bytes or more for %lld frames, got %lld", (long long)frames * LEAST_BYTES, (long long)frames,
            (long long)(text.end - text.at));
    AbutKeyframe *key = abut_alloc_array((size_t)frames, sizeof *key);
    if (!key) return abut_fail_memory(text.error);
    AbutStatus status = read_frames(&text, frames, key);
    if (status) {
        abut_free(key);
        return status;
    }
    *out = key;
    *keyframe_count = (int32_t)frames;
    return ABUT_OK;
}
