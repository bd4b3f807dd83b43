/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV of joints over time. In: a first line `t,JOINT,...` in any order of joints, with JOINT:v for its speed and
 * JOINT:a for its acceleration, in quotes where a name holds commas, quotes or line breaks; a row of finite numbers for
 * each time. Empty lines and lines that begin with # are skipped.
 */
#include "file/trajectory_file.h"
#include "base/csv_field.h"
#include "base/number.h"
#include "base/text.h"

#include <string.h>

enum { MOST_COLUMNS = 4000, MOST_ROWS = 1000000 };

typedef struct Column {
    int32_t joint, order;
} Column;

static AbutStatus read_column(
    AbutText *text, const char *field, size_t length, AbutTrajectoryTable *table, Column *out) {
    AbutError inner;
    char room[ABUT_CSV_QUOTED];
    const char *p = field;
    out->order = 0;
    if (!abut_csv_name(text, &p, &length, room)) return ABUT_ERROR_FORMAT;
    if (length > 2 && p[length - 2] == ':' && (p[length - 1] == 'v' || p[length - 1] == 'a')) {
        out->order = p[length - 1] == 'v' ? 1 : 2;
        length -= 2;
    }
    out->joint = abut_trajectory_joint(table->model, "column", p, length, &inner);
    if (out->joint < 0) return abut_text_fail(text, field, ABUT_ERROR_FORMAT, "%s", inner.text);
    if (table->given[out->order][out->joint])
        return abut_text_fail(text, field, ABUT_ERROR_FORMAT, "column '%.*s' stands there twice", (int)length, p);
    table->given[out->order][out->joint] = 1;
    return ABUT_OK;
}

static AbutStatus read_header(
    AbutText *text, const char *end, AbutTrajectoryTable *table, Column *columns, int *count) {
    const char *p = text->at, *word = p, *stop = abut_csv_field_end(p, end);
    AbutStatus status = ABUT_OK;
    if (abut_csv_trimmed(&word, stop) != 1 || *word != 't')
        return abut_text_fail(
            text, p, ABUT_ERROR_FORMAT, "expected a first line t,JOINT,..., got %s", abut_text_found(text, p).text);
    while (stop < end && !status) {
        word = stop + 1;
        stop = abut_csv_field_end(word, end);
        size_t length = abut_csv_trimmed(&word, stop);
        if (*count == MOST_COLUMNS)
            return abut_text_fail(text, word, ABUT_ERROR_LIMIT, "more than %d columns", MOST_COLUMNS);
        status = read_column(text, word, length, table, &columns[(*count)++]);
    }
    return status;
}

static AbutStatus read_number(AbutText *text, const char **p, const char *end, double *out) {
    const char *at = *p = abut_csv_skip_space(*p, end);
    if (abut_parse_double(p, end, out) != ABUT_NUMBER_OK)
        return abut_text_fail(
            text, at, ABUT_ERROR_FORMAT, "expected a finite number, got %s", abut_text_found(text, at).text);
    *p = abut_csv_skip_space(*p, end);
    return ABUT_OK;
}

static AbutStatus read_row(
    AbutText *text, const char *end, AbutTrajectoryTable *table, const Column *columns, int count) {
    const char *p = text->at;
    double value;
    ABUT_TRY(read_number(text, &p, end, &value));
    if (table->count == MOST_ROWS) return abut_text_fail(text, p, ABUT_ERROR_LIMIT, "more than %d rows", MOST_ROWS);
    if (!abut_trajectory_add_row(table, value)) return abut_fail_memory(text->error);
    size_t row = (size_t)(table->count - 1) * (size_t)table->model->joint_count;
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < count; ++i) {
        if (p == end || *p++ != ',')
            return abut_text_fail(
                text, text->at, ABUT_ERROR_FORMAT, "expected %d numbers with commas between", count + 1);
        status = read_number(text, &p, end, &value);
        if (status) return status;
        table->order[columns[i].order][row + (size_t)columns[i].joint] = value;
    }
    return p == end ? ABUT_OK : abut_text_fail(text, p, ABUT_ERROR_FORMAT, "expected %d numbers, got more", count + 1);
}

/* The table that is being filled, and what its first line says. */
typedef struct Reader {
    AbutTrajectoryTable *table;
    Column *columns;
    int count, header;
} Reader;

static AbutStatus read_line(AbutText *text, const char *end, void *user) {
    Reader *r = user;
    int header = r->header;
    r->header = 1;
    return header ? read_row(text, end, r->table, r->columns, r->count)
                  : read_header(text, end, r->table, r->columns, &r->count);
}

AbutStatus abut_trajectory_parse_csv(
    const void *bytes, size_t count, const char *name, AbutTrajectoryTable *out, AbutError *error) {
    AbutText text = abut_text_of(name, bytes, count, error);
    Reader r = {.table = out, .columns = abut_alloc_array(MOST_COLUMNS, sizeof *r.columns)};
    AbutStatus status = r.columns ? abut_csv_lines(&text, read_line, &r) : abut_fail_memory(text.error);
    if (!status && out->count < 2)
        status = abut_name_fail(
            &text, ABUT_ERROR_FORMAT, "expected a line t,JOINT,... and two rows of numbers, got %d", (int)out->count);
    abut_free(r.columns);
    return status;
}
