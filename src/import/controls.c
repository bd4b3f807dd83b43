/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Controls over time from CSV. In: a first line `t,NAME,...` with names of actuators of a model (in quotes where they
 * hold commas, quotes or line breaks), then lines of numbers with growing times; empty lines and lines that begin with
 * # are passed over. Out: a table; between its times the last line holds.
 */
#include <string.h>

#include "abut/import.h"
#include "base/csv_field.h"
#include "base/number.h"
#include "file/input.h"

enum { MOST_BYTES = 1 << 28 };

/* The field that begins at *p, without blanks around it; *next is behind the comma, NULL at the end of the line. */
static size_t next_field(const char **p, const char *end, const char **next) {
    const char *comma = abut_csv_field_end(*p, end);
    *next = comma < end ? comma + 1 : NULL;
    return abut_csv_trimmed(p, comma);
}

static int32_t find_actuator(const AbutModel *model, const char *name, size_t length) {
    for (int32_t i = 0; i < model->actuator_count; ++i)
        if (strlen(model->actuators[i].name) == length && memcmp(model->actuators[i].name, name, length) == 0) return i;
    return -1;
}

/* The name of a column, perhaps in quotes; it must be that of an actuator, once. */
static AbutStatus read_name(
    AbutText *text, const char *field, size_t length, const AbutModel *model, AbutControls *out) {
    char room[ABUT_CSV_QUOTED];
    const char *name = field;
    if (!abut_csv_name(text, &name, &length, room)) return ABUT_ERROR_FORMAT;
    int32_t actuator = find_actuator(model, name, length);
    if (actuator < 0)
        return abut_text_fail(text, field, ABUT_ERROR_FORMAT, "the model has no actuator '%.*s'",
            (int)(length < 100 ? length : 100), name);
    for (int32_t i = 0; i < out->actuator_count; ++i)
        if (out->actuators[i] == actuator)
            return abut_text_fail(text, field, ABUT_ERROR_FORMAT, "the actuator '%.100s' stands here twice",
                model->actuators[actuator].name);
    out->actuators[out->actuator_count++] = actuator;
    return ABUT_OK;
}

/* Takes the names of the first line. */
static AbutStatus read_names(AbutText *text, const char *end, const AbutModel *model, AbutControls *out) {
    const char *p = text->at, *next;
    AbutStatus status = ABUT_OK;
    if (next_field(&p, end, &next) != 1 || *p != 't')
        return abut_text_fail(text, p, ABUT_ERROR_FORMAT, "expected a first line t,NAME,... with names of actuators");
    out->actuators = abut_alloc_array((size_t)model->actuator_count + 1, sizeof *out->actuators);
    if (!out->actuators) return abut_fail_memory(text->error);
    while (next && !status) {
        p = next;
        size_t length = next_field(&p, end, &next);
        status = read_name(text, p, length, model, out);
    }
    return status;
}

/* Room for one more row: its time, then its controls. */
static double *add_row(AbutControls *out, size_t *capacity) {
    size_t width = (size_t)out->actuator_count + 1, at = (size_t)out->row_count * width;
    return abut_grow((void **)&out->numbers, capacity, at + width, sizeof *out->numbers) ? out->numbers + at : NULL;
}

static AbutStatus read_row(AbutText *text, const char *end, AbutControls *out, size_t *capacity) {
    double *row = add_row(out, capacity);
    const char *begin = text->at, *next = begin;
    if (!row) return abut_fail_memory(text->error);
    for (int32_t i = 0; i <= out->actuator_count; ++i) {
        const char *p = next;
        size_t length = next_field(&p, end, &next);
        const char *word = p, *stop = p + length;
        if (abut_parse_double(&p, stop, &row[i]) != ABUT_NUMBER_OK || p != stop || !isfinite(row[i]))
            return abut_text_fail(text, begin, ABUT_ERROR_FORMAT, "expected %d finite numbers, got '%.*s'",
                (int)out->actuator_count + 1, (int)(length < 60 ? length : 60), word);
        if (i < out->actuator_count && !next)
            return abut_text_fail(text, begin, ABUT_ERROR_FORMAT, "expected %d numbers, got %d",
                (int)out->actuator_count + 1, (int)i + 1);
    }
    if (next)
        return abut_text_fail(
            text, begin, ABUT_ERROR_FORMAT, "expected no more than %d numbers", (int)out->actuator_count + 1);
    if (out->row_count > 0 && !(row[0] > row[-out->actuator_count - 1]))
        return abut_text_fail(text, begin, ABUT_ERROR_FORMAT, "the time %g does not grow", row[0]);
    ++out->row_count;
    return ABUT_OK;
}

typedef struct Reader {
    const AbutModel *model;
    AbutControls *out;
    size_t capacity;
} Reader;

static AbutStatus read_line(AbutText *text, const char *end, void *user) {
    Reader *r = user;
    return r->out->actuators ? read_row(text, end, r->out, &r->capacity) : read_names(text, end, r->model, r->out);
}

AbutStatus abut_controls_read(
    const char *name, const void *bytes, size_t count, const AbutModel *model, AbutControls *out, AbutError *error) {
    ABUT_ASSERT((name || bytes) && model && out);
    Reader reader = {.model = model, .out = out};
    char *own;
    memset(out, 0, sizeof *out);
    ABUT_TRY(abut_file_take(name, "controls as CSV", MOST_BYTES, &bytes, &count, &own, error));
    AbutText text = abut_text_of(name && *name ? name : "controls", bytes, count, error);
    AbutStatus status = abut_csv_lines(&text, read_line, &reader);
    if (status == ABUT_OK && out->row_count == 0)
        status = abut_name_fail(&text, ABUT_ERROR_FORMAT, "there are no controls in it");
    if (status != ABUT_OK) abut_controls_free(out);
    abut_free(own);
    return status;
}

void abut_controls_free(AbutControls *controls) {
    if (!controls) return;
    abut_free(controls->actuators);
    abut_free(controls->numbers);
    memset(controls, 0, sizeof *controls);
}

void abut_controls_at(const AbutControls *controls, double time, double *out) {
    ABUT_ASSERT(controls && out);
    int32_t width = controls->actuator_count + 1, low = -1, high = controls->row_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (controls->numbers[(size_t)middle * (size_t)width] <= time)
            low = middle;
        else
            high = middle;
    }
    for (int32_t i = 0; low >= 0 && i < controls->actuator_count; ++i)
        out[controls->actuators[i]] = controls->numbers[(size_t)low * (size_t)width + 1 + (size_t)i];
}
