/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs as NumPy archives. Out: one array per column of the table, the scene document, the names of the stages. In: an
 * archive whose arrays have the names, types and shapes of the table, whose ragged arrays ascend within their bounds,
 * and whose contacts name bodies that are there. Numbers may be NaN: bodies come and go, and a run that blew up is a
 * run.
 */
#include "file/run.h"

#include <string.h>

#include "abut/file.h"
#include "file/input.h"
#include "file/npz.h"

/* ---- out --------------------------------------------------------------------------------------------------------- */

static AbutArray text_array(const char *name, const char *text, size_t count) {
    AbutArray array = {.type = ABUT_ARRAY_U1, .dimensions = 1, .shape = {(int64_t)count}, .data = text};
    strcpy(array.name, name);
    return array;
}

static AbutArray number_array(const char *name, const int32_t *number) {
    AbutArray array = {.type = ABUT_ARRAY_I4, .dimensions = 1, .shape = {1}, .data = number};
    strcpy(array.name, name);
    return array;
}

/* Lists of numbers of robots: a log without robots has none of them. */
static const struct {
    const char *names;
    AbutRunColumn column;
} robot_lists[ABUT_NUMBERS_LISTS] = {{"position_names", ABUT_RUN_JOINT_POSITION},
    {"velocity_names", ABUT_RUN_JOINT_VELOCITY}, {"actuator_names", ABUT_RUN_ACTUATOR_FORCE},
    {"sensor_names", ABUT_RUN_SENSOR}, {"activation_names", ABUT_RUN_ACTIVATION}};

static const char *robot_names(const AbutRun *run, int list) {
    const char *const names[ABUT_NUMBERS_LISTS] = {
        run->position_names, run->velocity_names, run->actuator_names, run->sensor_names, run->activation_names};
    return names[list];
}

AbutStatus abut_run_write(const char *path, const AbutRun *run, AbutError *error) {
    ABUT_ASSERT(path && run);
    AbutArray arrays[ABUT_RUN_COLUMN_COUNT + 9];
    int32_t keep = (int32_t)run->keep;
    int count = 0;
    AbutJson json;
    AbutStatus status = abut_scene_document_write(run->model, run->settings, &json, error);
    if (status == ABUT_OK) {
        arrays[count++] = text_array("scene_json", json.text, json.count);
        arrays[count++] = text_array("stage_names", run->stage_names, strlen(run->stage_names));
        for (int i = 0; i < ABUT_NUMBERS_LISTS; ++i)
            if (*robot_names(run, i))
                arrays[count++] = text_array(robot_lists[i].names, robot_names(run, i), strlen(robot_names(run, i)));
        for (int i = 0; i < ABUT_RUN_COLUMN_COUNT; ++i)
            if (abut_run_keeps(run, (AbutRunColumn)i)) {
                arrays[count] = abut_run_array((AbutRunColumn)i, abut_run_size(run));
                arrays[count++].data = abut_run_inside(run)->column[i].data;
            }
        arrays[count++] = number_array("partial", &run->partial);
        if (keep != ABUT_RUN_KEEP_ALL) arrays[count++] = number_array("keep", &keep);
        status = abut_npz_write(path, arrays, count, error);
    }
    abut_json_free(&json);
    return status;
}

/* ---- in ---------------------------------------------------------------------------------------------------------- */

static AbutStatus fail(const AbutText *text, const char *array, const char *what) {
    return abut_name_fail(text, ABUT_ERROR_FORMAT, "array '%s': %s", array, what);
}

/* Length of one dimension of a column; -1 when it is not there. */
static int64_t length_of(const AbutArchive *archive, AbutRunColumn column, int dimension) {
    const AbutArray *array = abut_npz_find(archive, abut_run_columns[column].name);
    return array && dimension < array->dimensions ? array->shape[dimension] : -1;
}

/* Moves the numbers of a column from the archive to the run. */
static AbutStatus take_column(const AbutText *text, AbutArchive *archive, AbutRunColumn column, AbutRunInside *in) {
    AbutArray expected = abut_run_array(column, abut_run_size(&in->run));
    AbutArray *found = (AbutArray *)(uintptr_t)abut_npz_find(archive, expected.name);
    if (!found) return fail(text, expected.name, "expected, and not there");
    if (found->type != expected.type) return fail(text, expected.name, "expected another type of numbers");
    int same = found->dimensions == expected.dimensions;
    for (int32_t i = 0; i < expected.dimensions && same; ++i) same = found->shape[i] == expected.shape[i];
    if (!same) return fail(text, expected.name, "its shape does not agree with the other arrays");
    in->column[column].data = (void *)(uintptr_t)found->data;
    in->column[column].capacity = (size_t)abut_array_count(found);
    found->data = NULL;
    return ABUT_OK;
}

/* A text of the archive; zero-terminated. */
static AbutStatus find_text(const AbutText *text, const AbutArchive *archive, const char *name, const AbutArray **out) {
    const AbutArray *found = *out = abut_npz_find(archive, name);
    if (!found || found->type != ABUT_ARRAY_U1 || found->dimensions != 1)
        return fail(text, name, "expected a row of bytes");
    if (memchr(found->data, 0, (size_t)found->shape[0])) return fail(text, name, "expected text without zero bytes");
    return ABUT_OK;
}

static AbutStatus find_number(const AbutText *text, const AbutArchive *archive, const char *name, int32_t *out) {
    const AbutArray *found = abut_npz_find(archive, name);
    if (!found || found->type != ABUT_ARRAY_I4 || found->dimensions != 1 || found->shape[0] != 1)
        return fail(text, name, "expected one whole number");
    *out = *(const int32_t *)found->data;
    return ABUT_OK;
}

static AbutStatus find_partial(const AbutText *text, const AbutArchive *archive, int32_t *out) {
    AbutStatus status = find_number(text, archive, "partial", out);
    return status || *out == 0 || *out == 1 ? status : fail(text, "partial", "expected 0 or 1");
}

/* Logs that keep all do not say so. */
static AbutStatus find_keep(const AbutText *text, const AbutArchive *archive, AbutRunKeep *out) {
    int32_t keep = ABUT_RUN_KEEP_ALL;
    AbutStatus status = abut_npz_find(archive, "keep") ? find_number(text, archive, "keep", &keep) : ABUT_OK;
    if (!status && (keep < 0 || keep >= ABUT_RUN_KEEP_COUNT)) status = fail(text, "keep", "expected 0, 1 or 2");
    *out = status ? ABUT_RUN_KEEP_ALL : (AbutRunKeep)keep;
    return status;
}

static AbutStatus check_starts(
    const AbutText *text, const char *name, const int64_t *start, int64_t count, int64_t end) {
    if (start[0] != 0 || start[count] != end)
        return fail(text, name, "expected 0 as its first and the number of rows as its last number");
    for (int64_t i = 0; i < count; ++i)
        if (start[i + 1] < start[i]) return fail(text, name, "expected ascending numbers");
    return ABUT_OK;
}

static AbutStatus check_content(const AbutText *text, const AbutRun *run) {
    const int32_t *body = abut_run_i4(run, ABUT_RUN_CONTACT_BODY);
    const double *time = abut_run_f8(run, ABUT_RUN_TIME);
    ABUT_TRY(check_starts(text, "contact_start", abut_run_i8(run, ABUT_RUN_CONTACT_START), run->steps, run->contacts));
    ABUT_TRY(check_starts(text, "vertex_start", abut_run_i8(run, ABUT_RUN_VERTEX_START), run->contacts, run->vertices));
    for (int64_t i = 0; i < 2 * run->contacts; ++i)
        if (body[i] < -1 || body[i] >= run->bodies) return fail(text, "contact_body", "expected numbers of bodies");
    for (int64_t i = 1; i < run->steps; ++i)
        if (!(time[i] >= time[i - 1])) return fail(text, "time", "expected ascending numbers");
    return ABUT_OK;
}

/* How many numbers robots have follows from their names. */
static AbutStatus take_robots(const AbutText *text, const AbutArchive *archive, AbutRunInside *in) {
    for (int i = 0; i < ABUT_NUMBERS_LISTS; ++i) {
        const AbutArray *names;
        if (!abut_npz_find(archive, robot_lists[i].names)) continue;
        ABUT_TRY(find_text(text, archive, robot_lists[i].names, &names));
        in->robot_names[i] = abut_run_keep_text(names->data, (size_t)names->shape[0]);
        if (!in->robot_names[i]) return abut_fail_memory(text->error);
        for (const char *c = in->robot_names[i]; *c; ++c) *abut_run_robot_count(in, i) += *c == '\n';
    }
    abut_run_set_robot_names(in);
    return ABUT_OK;
}

static AbutStatus take_columns(const AbutText *text, AbutArchive *archive, AbutRunInside *in) {
    int64_t steps = length_of(archive, ABUT_RUN_TIME, 0), bodies = length_of(archive, ABUT_RUN_POSE, 1);
    in->run.contacts = length_of(archive, ABUT_RUN_CONTACT_BODY, 0);
    in->run.vertices = length_of(archive, ABUT_RUN_VERTEX_PRESSURE, 0);
    if (steps < 0 || bodies < 0 || in->run.contacts < 0 || in->run.vertices < 0 || steps >= INT32_MAX ||
        bodies >= INT32_MAX)
        return abut_name_fail(
            text, ABUT_ERROR_FORMAT, "expected the log of a run: arrays time, pose, contact_body and vertex_pressure");
    in->run.steps = (int32_t)steps;
    in->run.bodies = (int32_t)bodies;
    ABUT_TRY(find_keep(text, archive, &in->run.keep));
    if (in->run.keep != ABUT_RUN_KEEP_ALL && in->run.contacts > 0)
        return fail(text, "contact_body", "expected no contacts where 'keep' leaves them out");
    ABUT_TRY(take_robots(text, archive, in));
    for (int i = 0; i < ABUT_RUN_COLUMN_COUNT; ++i)
        if (abut_run_keeps(&in->run, (AbutRunColumn)i)) ABUT_TRY(take_column(text, archive, (AbutRunColumn)i, in));
    return check_content(text, &in->run);
}

static AbutStatus take_stages(const AbutText *text, const AbutArchive *archive, AbutRunInside *in) {
    const AbutArray *names;
    ABUT_TRY(find_text(text, archive, "stage_names", &names));
    abut_free(in->stage_names);
    in->run.stage_names = in->stage_names = abut_run_keep_text(names->data, (size_t)names->shape[0]);
    return in->stage_names ? ABUT_OK : abut_fail_memory(text->error);
}

static AbutStatus take_scene(const AbutText *text, const AbutArchive *archive, AbutRunInside *in) {
    const AbutArray *scene;
    char name[300];
    ABUT_TRY(find_text(text, archive, "scene_json", &scene));
    snprintf(name, sizeof name, "%.250s: scene_json", text->name);
    ABUT_TRY(
        abut_scene_document_read(scene->data, (size_t)scene->shape[0], name, in->model, &in->settings, text->error));
    in->run.settings = in->settings;
    if (in->model->body_count != in->run.bodies)
        return abut_name_fail(text, ABUT_ERROR_FORMAT, "the log has %d bodies and its scene_json %d",
            (int)in->run.bodies, (int)in->model->body_count);
    return ABUT_OK;
}

static AbutStatus take_all(const AbutText *text, AbutArchive *archive, AbutRunInside *in) {
    ABUT_TRY(take_columns(text, archive, in));
    ABUT_TRY(take_stages(text, archive, in));
    ABUT_TRY(find_partial(text, archive, &in->run.partial));
    return take_scene(text, archive, in);
}

AbutStatus abut_run_read(const char *name, const void *bytes, size_t count, AbutRun **out, AbutError *error) {
    ABUT_ASSERT(out);
    AbutRunInside *in = NULL;
    AbutArchive archive;
    AbutText text = {name ? name : "run log", NULL, NULL, NULL, error};
    char *own;
    *out = NULL;
    if (!bytes && (!name || !*name))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "expected path of a run log, got none");
    ABUT_TRY(abut_file_take(name, "run log", UINT32_MAX, &bytes, &count, &own, error));
    AbutStatus status = abut_npz_parse(bytes, count, text.name, &archive, error);
    abut_free(own);
    if (!status) status = abut_run_create_empty(NULL, &in, error);
    if (!status) status = take_all(&text, &archive, in);
    abut_npz_free(&archive);
    if (!status)
        *out = &in->run;
    else if (in)
        abut_run_free(&in->run);
    return status;
}
