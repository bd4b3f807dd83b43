/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run logs in: an archive whose arrays have the names, types and shapes of the table, whose ragged arrays ascend within
 * their bounds, and whose contacts name bodies that are there. Numbers may be NaN: a run that blew up is a run.
 */
#include "file/run_log.h"

#include <string.h>

#include "file/file_in.h"
#include "file/npz.h"

static AbutStatus fail(const AbutText *text, const char *array, const char *what)
{
    return abut_name_fail(text, ABUT_ERROR_FORMAT, "array '%s': %s", array, what);
}

/* Length of one dimension of a column; -1 when it is not there. */
static int64_t length_of(const AbutArchive *archive, AbutRunLogColumn column, int dimension)
{
    const AbutArray *array = abut_npz_find(archive, abut_run_log_columns[column].name);
    return array && dimension < array->dimensions ? array->shape[dimension] : -1;
}

static AbutStatus find_column(
    const AbutText *text, const AbutArchive *archive, AbutRunLogColumn column, AbutRunLogSize size, const void **data)
{
    AbutArray expected = abut_run_log_array(column, size);
    const AbutArray *found = abut_npz_find(archive, expected.name);
    if (!found)
        return fail(text, expected.name, "expected, and not there");
    if (found->type != expected.type)
        return fail(text, expected.name, "another type of numbers expected");
    int same = found->dimensions == expected.dimensions;
    for (int32_t i = 0; i < expected.dimensions && same; ++i)
        same = found->shape[i] == expected.shape[i];
    if (!same)
        return fail(text, expected.name, "its shape does not agree with the other arrays");
    *data = found->data;
    return ABUT_OK;
}

static AbutStatus find_text(const AbutText *text, const AbutArchive *archive, const char *name, const char **out)
{
    const AbutArray *found = abut_npz_find(archive, name);
    if (!found || found->type != ABUT_ARRAY_U1 || found->dimensions != 1)
        return fail(text, name, "a row of bytes expected");
    *out = found->data;
    if (memchr(*out, 0, (size_t)found->shape[0]))
        return fail(text, name, "text without zero bytes expected");
    return ABUT_OK;
}

static AbutStatus find_partial(const AbutText *text, const AbutArchive *archive, int32_t *out)
{
    const AbutArray *found = abut_npz_find(archive, "partial");
    if (!found || found->type != ABUT_ARRAY_I4 || found->dimensions != 1 || found->shape[0] != 1)
        return fail(text, "partial", "one whole number expected");
    *out = *(const int32_t *)found->data;
    return *out == 0 || *out == 1 ? ABUT_OK : fail(text, "partial", "0 or 1 expected");
}

static AbutStatus check_starts(const AbutText *text, const char *name, const int64_t *start, int64_t count, int64_t end)
{
    if (start[0] != 0 || start[count] != end)
        return fail(text, name, "0 as its first and the number of rows as its last number expected");
    for (int64_t i = 0; i < count; ++i)
        if (start[i + 1] < start[i])
            return fail(text, name, "ascending numbers expected");
    return ABUT_OK;
}

static AbutStatus check_content(const AbutText *text, const AbutRunLogData *data)
{
    AbutStatus status = check_starts(text, "contact_start", data->contact_start, data->steps, data->contacts);
    if (!status)
        status = check_starts(text, "vertex_start", data->vertex_start, data->contacts, data->vertices);
    for (int64_t i = 0; i < 2 * data->contacts && !status; ++i)
        if (data->contact_body[i] < -1 || data->contact_body[i] >= data->bodies)
            status = fail(text, "contact_body", "numbers of bodies expected");
    for (int64_t i = 1; i < data->steps && !status; ++i)
        if (!(data->time[i] >= data->time[i - 1]))
            status = fail(text, "time", "ascending numbers expected");
    return status;
}

static AbutStatus read_columns(const AbutText *text, AbutRunLogData *out)
{
    AbutArchive *archive = &out->archive;
    AbutRunLogSize size = {length_of(archive, ABUT_LOG_TIME, 0), length_of(archive, ABUT_LOG_POSE, 1),
        length_of(archive, ABUT_LOG_CONTACT_BODY, 0), length_of(archive, ABUT_LOG_VERTEX_PRESSURE, 0)};
    if (size.steps < 0 || size.bodies < 0 || size.contacts < 0 || size.vertices < 0 || size.steps > INT32_MAX ||
        size.bodies > INT32_MAX)
        return abut_name_fail(
            text, ABUT_ERROR_FORMAT, "the log of a run expected: arrays time, pose, contact_body and vertex_pressure");
    const void *data[ABUT_LOG_COLUMNS];
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < ABUT_LOG_COLUMNS && !status; ++i)
        status = find_column(text, archive, (AbutRunLogColumn)i, size, &data[i]);
    if (!status)
        status = find_text(text, archive, "scene_json", &out->scene_json);
    if (!status)
        status = find_text(text, archive, "stage_names", &out->stage_names);
    if (!status)
        status = find_partial(text, archive, &out->partial);
    if (status)
        return status;
    abut_run_log_point(out, size, data);
    return check_content(text, out);
}

AbutStatus abut_run_log_parse(const void *bytes, size_t count, const char *name, AbutRunLogData *out, AbutError *error)
{
    memset(out, 0, sizeof *out);
    AbutText text = {name ? name : "run log", NULL, NULL, NULL, error};
    AbutStatus status = abut_npz_parse(bytes, count, text.name, &out->archive, error);
    if (!status)
        status = read_columns(&text, out);
    if (status)
        abut_run_log_data_free(out);
    return status;
}

AbutStatus abut_run_log_read(const char *path, AbutRunLogData *out, AbutError *error)
{
    memset(out, 0, sizeof *out);
    if (!path || !*path)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "path of a run log expected, found none");
    char *bytes;
    size_t count;
    AbutStatus status = abut_file_load(path, "run log", UINT32_MAX, &bytes, &count, error);
    if (!status)
        status = abut_run_log_parse(bytes, count, path, out, error);
    abut_free(bytes);
    return status;
}

void abut_run_log_data_free(AbutRunLogData *data)
{
    abut_npz_free(&data->archive);
    memset(data, 0, sizeof *data);
}
