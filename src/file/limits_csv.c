/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV of limits of joints. In: a first line `joint,COLUMN,...` and a row for each joint; * stands for all joints, and
 * fills what their own rows leave open. Out: limits of every joint of a model, NaN where there are none.
 */
#include "abut/file.h"
#include "base/csv_field.h"
#include "base/number.h"
#include "file/input.h"
#include "file/trajectory_file.h"

#include <math.h>
#include <string.h>

enum { KINDS = 5, MOST_BYTES = 1 << 24 };
static const char *const kinds[KINDS] = {"lower", "upper", "speed", "acceleration", "torque"};

typedef struct Reader {
    AbutText text;
    const AbutModel *model;
    int column[KINDS], count; /* kinds of the columns after the first */
    int header;               /* 1: the first line was read */
    AbutPlanJointLimits *out;
    AbutPlanJointLimits all; /* of the row of *, which is put in at the end */
    uint8_t *seen;           /* per joint, then *: has it had its row? */
} Reader;

static double *field_of(AbutPlanJointLimits *limits, int kind) {
    double *const all[KINDS] = {&limits->lower, &limits->upper, &limits->speed, &limits->acceleration, &limits->torque};
    return all[kind];
}

static int find_kind(const char *word, size_t length) {
    for (int k = 0; k < KINDS; ++k)
        if (strlen(kinds[k]) == length && memcmp(kinds[k], word, length) == 0) return k;
    return -1;
}

static AbutStatus read_header(Reader *r, const char *end) {
    const char *word = r->text.at, *stop = abut_csv_field_end(word, end);
    if (abut_csv_trimmed(&word, stop) != 5 || memcmp(word, "joint", 5) != 0)
        return abut_text_fail(&r->text, word, ABUT_ERROR_FORMAT, "expected a first line joint,lower,upper,..., got %s",
            abut_text_found(&r->text, word).text);
    while (stop < end) {
        word = stop + 1;
        stop = abut_csv_field_end(word, end);
        size_t length = abut_csv_trimmed(&word, stop);
        int kind = find_kind(word, length);
        for (int i = 0; i < r->count; ++i)
            if (r->column[i] == kind) kind = -1;
        if (kind < 0)
            return abut_text_fail(&r->text, word, ABUT_ERROR_FORMAT,
                "expected each of lower, upper, speed, acceleration and torque at most once, got '%.*s'",
                (int)(length < 60 ? length : 60), word);
        r->column[r->count++] = kind;
    }
    return ABUT_OK;
}

/* A field of a joint, or with joint_count of *. */
static AbutStatus read_field(Reader *r, const char *word, size_t length, int kind, int32_t joint) {
    const char *p = word;
    double value;
    if (length == 0) return ABUT_OK;
    if (abut_parse_double(&p, word + length, &value) != ABUT_NUMBER_OK || p != word + length)
        return abut_text_fail(&r->text, word, ABUT_ERROR_FORMAT, "expected a finite number or nothing, got %s",
            abut_text_found(&r->text, word).text);
    if (kind >= 2 && !(value > 0.0))
        return abut_text_fail(
            &r->text, word, ABUT_ERROR_NUMBER, "%s: expected a number above 0, got %g", kinds[kind], value);
    *field_of(joint < r->model->joint_count ? &r->out[joint] : &r->all, kind) = value;
    return ABUT_OK;
}

static AbutStatus read_row(Reader *r, const char *end) {
    const char *word = r->text.at, *stop = abut_csv_field_end(word, end);
    size_t length = abut_csv_trimmed(&word, stop);
    AbutError inner;
    char room[ABUT_CSV_QUOTED];
    const char *name = word;
    int32_t joint = r->model->joint_count;
    AbutStatus status = ABUT_OK;
    if (!abut_csv_name(&r->text, &name, &length, room)) return ABUT_ERROR_FORMAT;
    if (length != 1 || *name != '*') {
        joint = abut_trajectory_joint(r->model, "row", name, length, &inner);
        if (joint < 0) return abut_text_fail(&r->text, word, ABUT_ERROR_FORMAT, "%s", inner.text);
    }
    if (r->seen[joint]) return abut_text_fail(&r->text, word, ABUT_ERROR_FORMAT, "a row that stands there twice");
    r->seen[joint] = 1;
    for (int i = 0; i < r->count && !status; ++i) {
        if (stop == end)
            return abut_text_fail(
                &r->text, r->text.at, ABUT_ERROR_FORMAT, "expected %d fields with commas between", r->count + 1);
        word = stop + 1;
        stop = abut_csv_field_end(word, end);
        length = abut_csv_trimmed(&word, stop);
        status = read_field(r, word, length, r->column[i], joint);
    }
    if (!status && stop < end)
        status = abut_text_fail(&r->text, stop, ABUT_ERROR_FORMAT, "expected %d fields, got more", r->count + 1);
    return status;
}

static AbutStatus read_line(AbutText *text, const char *end, void *user) {
    Reader *r = user;
    int header = r->header;
    r->text.at = text->at;
    r->header = 1;
    return header ? read_row(r, end) : read_header(r, end);
}

AbutStatus abut_limits_read(const char *name, const void *bytes, size_t count, const AbutModel *model,
    AbutPlanJointLimits *out, AbutError *error) {
    ABUT_ASSERT(name && model && out);
    size_t joints = (size_t)model->joint_count;
    const AbutPlanJointLimits none = {NAN, NAN, NAN, NAN, NAN};
    char *own;
    ABUT_TRY(abut_file_take(name, "limits of joints", MOST_BYTES, &bytes, &count, &own, error));
    AbutText text = abut_text_of(name, bytes, count, error);
    Reader r = {.text = text, .model = model, .out = out, .all = none, .seen = abut_alloc(joints + 1)};
    AbutStatus status = r.seen ? ABUT_OK : abut_fail_memory(error);
    if (!status) {
        memset(r.seen, 0, joints + 1);
        for (size_t j = 0; j < joints; ++j) out[j] = none;
        status = abut_csv_lines(&text, read_line, &r);
    }
    if (!status && !r.header)
        status = abut_name_fail(&r.text, ABUT_ERROR_FORMAT, "expected a line joint,..., got none");
    for (size_t j = 0; j < joints && !status; ++j)
        for (int kind = 0; kind < KINDS; ++kind)
            if (isnan(*field_of(&out[j], kind))) *field_of(&out[j], kind) = *field_of(&r.all, kind);
    abut_free(r.seen);
    abut_free(own);
    return status;
}
