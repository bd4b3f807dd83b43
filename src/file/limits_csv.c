/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV of limits of joints. In: a first line `joint,COLUMN,...` and a row for each joint; * stands for all joints, and
 * fills what their own rows leave open. Out: limits of every joint of a model, NaN where there are none.
 */
#include "abut/file.h"
#include "base/csv_field.h"
#include "base/number.h"
#include "file/trajectory_file.h"

#include <math.h>
#include <string.h>

enum { KINDS = 5, MOST_BYTES = 1 << 24 };
static const char *const kinds[KINDS] = {"lower", "upper", "speed", "acceleration", "torque"};

typedef struct Reader {
    AbutText text;
    const AbutModel *model;
    int column[KINDS], count; /* kinds of the columns after the first */
    AbutPlanJointLimits *out;
    AbutPlanJointLimits all; /* of the row of *, which is put in at the end */
    uint8_t *seen;           /* per joint, then *: has it had its row? */
} Reader;

static double *field_of(AbutPlanJointLimits *limits, int kind)
{
    double *const all[KINDS] = {&limits->lower, &limits->upper, &limits->speed, &limits->acceleration, &limits->torque};
    return all[kind];
}

static int find_kind(const char *word, size_t length)
{
    for (int k = 0; k < KINDS; ++k)
        if (strlen(kinds[k]) == length && memcmp(kinds[k], word, length) == 0)
            return k;
    return -1;
}

static AbutStatus read_header(Reader *r, const char *end)
{
    const char *word = r->text.at, *stop = abut_csv_field_end(word, end);
    if (abut_csv_trimmed(&word, stop) != 5 || memcmp(word, "joint", 5) != 0)
        return abut_text_fail(&r->text, word, ABUT_ERROR_FORMAT,
            "a first line joint,lower,upper,... expected, found %s", abut_text_found(&r->text, word).text);
    while (stop < end) {
        word = stop + 1;
        stop = abut_csv_field_end(word, end);
        size_t length = abut_csv_trimmed(&word, stop);
        int kind = find_kind(word, length);
        for (int i = 0; i < r->count; ++i)
            if (r->column[i] == kind)
                kind = -1;
        if (kind < 0)
            return abut_text_fail(&r->text, word, ABUT_ERROR_FORMAT,
                "each of lower, upper, speed, acceleration and torque at most once expected, found '%.*s'",
                (int)(length < 60 ? length : 60), word);
        r->column[r->count++] = kind;
    }
    return ABUT_OK;
}

/* A field of a joint, or with joint_count of *. */
static AbutStatus read_field(Reader *r, const char *word, size_t length, int kind, int32_t joint)
{
    const char *p = word;
    double value;
    if (length == 0)
        return ABUT_OK;
    if (abut_parse_double(&p, word + length, &value) != ABUT_NUMBER_OK || p != word + length)
        return abut_text_fail(&r->text, word, ABUT_ERROR_FORMAT, "a finite number or nothing expected, found %s",
            abut_text_found(&r->text, word).text);
    if (kind >= 2 && !(value > 0.0))
        return abut_text_fail(
            &r->text, word, ABUT_ERROR_NUMBER, "%s: a number above 0 expected, got %g", kinds[kind], value);
    *field_of(joint < r->model->joint_count ? &r->out[joint] : &r->all, kind) = value;
    return ABUT_OK;
}

static AbutStatus read_row(Reader *r, const char *end)
{
    const char *word = r->text.at, *stop = abut_csv_field_end(word, end);
    size_t length = abut_csv_trimmed(&word, stop);
    AbutError inner;
    char room[ABUT_CSV_QUOTED];
    const char *name = word;
    int32_t joint = r->model->joint_count;
    AbutStatus status = ABUT_OK;
    if (!abut_csv_name(&r->text, &name, &length, room))
        return ABUT_ERROR_FORMAT;
    if (length != 1 || *name != '*') {
        joint = abut_trajectory_joint(r->model, "row", name, length, &inner);
        if (joint < 0)
            return abut_text_fail(&r->text, word, ABUT_ERROR_FORMAT, "%s", inner.text);
    }
    if (r->seen[joint])
        return abut_text_fail(&r->text, word, ABUT_ERROR_FORMAT, "a row that stands there twice");
    r->seen[joint] = 1;
    for (int i = 0; i < r->count && !status; ++i) {
        if (stop == end)
            return abut_text_fail(
                &r->text, r->text.at, ABUT_ERROR_FORMAT, "%d fields with commas between expected", r->count + 1);
        word = stop + 1;
        stop = abut_csv_field_end(word, end);
        length = abut_csv_trimmed(&word, stop);
        status = read_field(r, word, length, r->column[i], joint);
    }
    if (!status && stop < end)
        status = abut_text_fail(&r->text, stop, ABUT_ERROR_FORMAT, "%d fields expected, found more", r->count + 1);
    return status;
}

static AbutStatus read_lines(Reader *r)
{
    AbutStatus status = ABUT_OK;
    int header = 0;
    while (r->text.at < r->text.end && !status) {
        const char *end = abut_csv_line_end(r->text.at, r->text.end), *next = end < r->text.end ? end + 1 : end;
        r->text.at = abut_csv_skip_space(r->text.at, end);
        if (r->text.at < end && *r->text.at != '#') {
            status = header ? read_row(r, end) : read_header(r, end);
            header = 1;
        }
        r->text.at = next;
    }
    return status || header ? status
                            : abut_name_fail(&r->text, ABUT_ERROR_FORMAT, "a line joint,... expected, found none");
}

AbutStatus abut_limits_parse(const void *bytes, size_t count, const char *name, const AbutModel *model,
    AbutPlanJointLimits *out, AbutError *error)
{
    ABUT_ASSERT((bytes || !count) && name && model && out);
    size_t joints = (size_t)model->joint_count;
    const char *begin = count ? bytes : "";
    const AbutPlanJointLimits none = {NAN, NAN, NAN, NAN, NAN};
    AbutText text = {name, begin, abut_text_begin(begin, count), begin + count, error};
    Reader r = {.text = text, .model = model, .out = out, .all = none, .seen = abut_alloc(joints + 1)};
    if (!r.seen)
        return abut_fail_memory(r.text.error);
    memset(r.seen, 0, joints + 1);
    for (size_t j = 0; j < joints; ++j)
        out[j] = none;
    AbutStatus status = read_lines(&r);
    for (size_t j = 0; j < joints && !status; ++j)
        for (int kind = 0; kind < KINDS; ++kind)
            if (isnan(*field_of(&out[j], kind)))
                *field_of(&out[j], kind) = *field_of(&r.all, kind);
    abut_free(r.seen);
    return status;
}

AbutStatus abut_limits_read(const char *path, const AbutModel *model, AbutPlanJointLimits *out, AbutError *error)
{
    ABUT_ASSERT(path && model && out);
    char *bytes;
    size_t count;
    ABUT_TRY(abut_file_load(path, "limits of joints", MOST_BYTES, &bytes, &count, error));
    AbutStatus status = abut_limits_parse(bytes, count, path, model, out, error);
    abut_free(bytes);
    return status;
}
