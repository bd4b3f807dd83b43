/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables as CSV, row by row, and whole files at once. In: fields in the order of the header. Out: a file with line
 * feeds, texts in double quotes where they hold a comma, a quote or a line break (quotes doubled) or have a blank at an
 * end, numbers as the
 * shortest text that reads back the same.
 */
#include <string.h>

#include "abut/file.h"
#include "base/text.h"
#include "field/pick.h"

struct AbutCsv {
    AbutFileOut out;
    int fields;   /* of the row so far */
    int standard; /* to standard output */
};

AbutStatus abut_file_write(const char *path, const void *bytes, size_t count, AbutError *error) {
    ABUT_ASSERT(path && (bytes || count == 0));
    AbutFileOut out;
    ABUT_TRY(abut_file_out_open(&out, path, error));
    if (count) fwrite(bytes, 1, count, out.file);
    return abut_file_out_commit(&out, error);
}

AbutStatus abut_csv_open(const char *path, const char *header, AbutCsv **out, AbutError *error) {
    ABUT_ASSERT(header && out);
    AbutCsv *csv = *out = abut_alloc(sizeof *csv);
    if (!csv) return abut_fail_memory(error);
    *csv = (AbutCsv){.out = {.file = stdout}, .standard = path == NULL};
    AbutStatus status = path ? abut_file_out_open(&csv->out, path, error) : ABUT_OK;
    if (status != ABUT_OK) {
        abut_free(csv);
        *out = NULL;
        return status;
    }
    if (*header) fprintf(csv->out.file, "%s\n", header);
    return ABUT_OK;
}

static void next_field(AbutCsv *csv) {
    if (csv->fields++) fputc(',', csv->out.file);
}

/* Blanks at an end would be lost on readers that trim. */
static int needs_quotes(const char *text) {
    size_t length = strlen(text);
    return strcspn(text, ",\"\r\n") < length || (length && (abut_is_space(text[0]) || abut_is_space(text[length - 1])));
}

void abut_csv_text(AbutCsv *csv, const char *text) {
    ABUT_ASSERT(csv && text);
    next_field(csv);
    if (!needs_quotes(text)) {
        fputs(text, csv->out.file);
        return;
    }
    fputc('"', csv->out.file);
    for (; *text; ++text) {
        if (*text == '"') fputc('"', csv->out.file);
        fputc(*text, csv->out.file);
    }
    fputc('"', csv->out.file);
}

void abut_csv_number(AbutCsv *csv, double value) {
    ABUT_ASSERT(csv);
    char text[ABUT_DOUBLE_TEXT];
    abut_format_double(text, sizeof text, value);
    next_field(csv);
    fputs(text, csv->out.file);
}

void abut_csv_integer(AbutCsv *csv, int64_t value) {
    ABUT_ASSERT(csv);
    next_field(csv);
    fprintf(csv->out.file, "%lld", (long long)value);
}

void abut_csv_end_row(AbutCsv *csv) {
    ABUT_ASSERT(csv);
    fputc('\n', csv->out.file);
    csv->fields = 0;
}

static void put_value(AbutCsv *csv, const AbutField *field, const void *value) {
    if (field->kind == ABUT_FIELD_REAL)
        abut_csv_number(csv, *(const double *)value);
    else if (field->kind == ABUT_FIELD_TEXT)
        abut_csv_text(csv, *(const char *const *)value);
    else if (field->kind == ABUT_FIELD_WORD)
        abut_csv_text(csv, abut_word(field->words, *(const int32_t *)value));
    else
        abut_csv_integer(csv, field->kind == ABUT_FIELD_LONG ? *(const int64_t *)value : *(const int32_t *)value);
}

void abut_csv_record(AbutCsv *csv, const AbutRecord *record, const char *pick, const void *data) {
    ABUT_ASSERT(csv && record && pick && data);
    for (AbutPicked picked; abut_pick_next(&pick, &picked);) {
        const char *at = data;
        const AbutField *field = abut_record_find(record, picked.name, &at);
        ABUT_ASSERT(field);
        AbutFieldValues v = abut_field_values(field, at);
        for (int i = 0; i < (v.is_array ? v.rows : 1); ++i)
            put_value(csv, field, v.at + (size_t)i * abut_field_size(field));
    }
    abut_csv_end_row(csv);
}

void abut_csv_comment(AbutCsv *csv, const char *text) {
    ABUT_ASSERT(csv && text);
    fprintf(csv->out.file, "# %s\n", text);
}

AbutStatus abut_csv_commit(AbutCsv *csv, AbutError *error) {
    ABUT_ASSERT(csv);
    AbutStatus status = csv->standard ? ABUT_OK : abut_file_out_commit(&csv->out, error);
    abut_free(csv);
    return status;
}

void abut_csv_cancel(AbutCsv *csv) {
    if (!csv) return;
    if (!csv->standard) abut_file_out_cancel(&csv->out);
    abut_free(csv);
}
