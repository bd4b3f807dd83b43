/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recorder of runs: columns that grow row by row in memory, written at the end as one NumPy archive. A step or
 * contact for which there is no memory leaves no trace in any column.
 */
#include "file/run_log.h"

#include <string.h>

#include "file/npz.h"

typedef struct Column {
    void *data;
    size_t count, capacity; /* numbers */
} Column;

struct AbutRunLog {
    const AbutScene *scene;
    AbutRunLogSize size;
    AbutBodyId *body; /* those that are logged */
    int32_t *place;   /* from index1 of a body id to its number here, or -1 */
    uint32_t place_count;
    Column column[ABUT_LOG_COLUMNS];
    AbutJson json;
    char stages[256]; /* names, one per line */
    int32_t partial;
};

static AbutStatus no_memory(AbutError *error)
{
    return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the log of a run");
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Room for `rows` more rows in a column. */
static int reserve(AbutRunLog *log, AbutRunLogColumn column, size_t rows)
{
    const AbutRunLogColumnInfo *about = &abut_run_log_columns[column];
    Column *c = &log->column[column];
    size_t width = about->width ? (size_t)about->width : 1;
    return abut_grow(&c->data, &c->capacity, c->count + rows * width, abut_array_bytes_each(about->type));
}

/* All columns of one kind of row at once, so that what follows cannot fail. */
static int reserve_rows(AbutRunLog *log, AbutRunLogRow row, size_t rows)
{
    for (int i = 0; i < ABUT_LOG_COLUMNS; ++i)
        if (abut_run_log_columns[i].row == row && !reserve(log, (AbutRunLogColumn)i, rows))
            return 0;
    return 1;
}

static void put_f8(AbutRunLog *log, AbutRunLogColumn column, double value)
{
    Column *c = &log->column[column];
    ((double *)c->data)[c->count++] = value;
}

static void put_i4(AbutRunLog *log, AbutRunLogColumn column, int32_t value)
{
    Column *c = &log->column[column];
    ((int32_t *)c->data)[c->count++] = value;
}

static void put_i8(AbutRunLog *log, AbutRunLogColumn column, int64_t value)
{
    Column *c = &log->column[column];
    ((int64_t *)c->data)[c->count++] = value;
}

static void put_vec3(AbutRunLog *log, AbutRunLogColumn column, AbutVec3 v)
{
    put_f8(log, column, v.x);
    put_f8(log, column, v.y);
    put_f8(log, column, v.z);
}

/* ---- create and free --------------------------------------------------------------------------------------------- */

static AbutStatus list_bodies(AbutRunLog *log, AbutError *error)
{
    int count = abut_scene_body_count(log->scene);
    log->size.bodies = count;
    log->body = abut_alloc_array((size_t)count, sizeof *log->body);
    if (!log->body)
        return no_memory(error);
    for (int i = 0; i < count; ++i) {
        log->body[i] = abut_scene_body_at(log->scene, i);
        if (log->body[i].index1 >= log->place_count)
            log->place_count = log->body[i].index1 + 1;
    }
    log->place = abut_alloc_array(log->place_count, sizeof *log->place);
    if (!log->place)
        return no_memory(error);
    memset(log->place, -1, log->place_count * sizeof *log->place);
    for (int i = 0; i < count; ++i)
        log->place[log->body[i].index1] = i;
    return ABUT_OK;
}

AbutStatus abut_run_log_create(
    const AbutScene *scene, const AbutModel *info, const char *settings, AbutRunLog **out, AbutError *error)
{
    AbutRunLog *log = *out = abut_alloc(sizeof *log);
    if (!log)
        return no_memory(error);
    memset(log, 0, sizeof *log);
    log->scene = scene;
    for (int i = 0; i < ABUT_STAGE_COUNT; ++i) {
        strcat(log->stages, abut_stage_name((AbutStage)i));
        strcat(log->stages, "\n");
    }
    AbutStatus status = list_bodies(log, error);
    if (!status)
        status = abut_run_log_scene_json(scene, info, settings, &log->json, error);
    if (!status && (!reserve(log, ABUT_LOG_CONTACTS_AT, 1) || !reserve(log, ABUT_LOG_VERTICES_AT, 1)))
        status = no_memory(error);
    if (status) {
        abut_run_log_free(log);
        *out = NULL;
        return status;
    }
    put_i8(log, ABUT_LOG_CONTACTS_AT, 0);
    put_i8(log, ABUT_LOG_VERTICES_AT, 0);
    return ABUT_OK;
}

void abut_run_log_free(AbutRunLog *log)
{
    if (!log)
        return;
    for (int i = 0; i < ABUT_LOG_COLUMNS; ++i)
        abut_free(log->column[i].data);
    abut_free(log->body);
    abut_free(log->place);
    abut_json_free(&log->json);
    abut_free(log);
}

/* ---- record ------------------------------------------------------------------------------------------------------ */

static void put_body(AbutRunLog *log, AbutBodyId id)
{
    AbutBodyState state;
    if (!abut_scene_get_body(log->scene, id, &state)) {
        AbutVec3 none = abut_vec3(NAN, NAN, NAN);
        state = (AbutBodyState){.pose = {none, {NAN, NAN, NAN, NAN}}, .velocity = none, .spin = none, .island = -1};
    }
    put_vec3(log, ABUT_LOG_POSE, state.pose.p);
    put_f8(log, ABUT_LOG_POSE, state.pose.q.w);
    put_vec3(log, ABUT_LOG_POSE, abut_vec3(state.pose.q.x, state.pose.q.y, state.pose.q.z));
    put_vec3(log, ABUT_LOG_VELOCITY, state.velocity);
    put_vec3(log, ABUT_LOG_VELOCITY, state.spin);
    put_f8(log, ABUT_LOG_SPEED, abut_length(state.velocity));
    put_i4(log, ABUT_LOG_ASLEEP, state.asleep);
    put_i4(log, ABUT_LOG_ISLAND, state.island);
}

AbutStatus abut_run_log_add_step(AbutRunLog *log, const AbutStepReport *report, AbutError *error)
{
    if (!reserve_rows(log, ABUT_LOG_STEP, 1) || !reserve_rows(log, ABUT_LOG_CONTACT_START, 1) ||
        !reserve_rows(log, ABUT_LOG_BODY, (size_t)log->size.bodies))
        return no_memory(error);
    put_f8(log, ABUT_LOG_TIME, report->time);
    put_f8(log, ABUT_LOG_RESIDUAL, report->residual);
    put_i4(log, ABUT_LOG_SWEEPS, report->sweeps);
    put_f8(log, ABUT_LOG_KINETIC, report->kinetic);
    put_f8(log, ABUT_LOG_POTENTIAL, report->potential);
    put_f8(log, ABUT_LOG_MAX_DEPTH, report->max_depth);
    for (int i = 0; i < ABUT_STAGE_COUNT; ++i)
        put_f8(log, ABUT_LOG_STAGE_SECONDS, report->seconds[i]);
    for (int64_t i = 0; i < log->size.bodies; ++i)
        put_body(log, log->body[i]);
    put_i8(log, ABUT_LOG_CONTACTS_AT, log->size.contacts);
    ++log->size.steps;
    return ABUT_OK;
}

/* Number of a body in the log; -1 when it came later. */
static int32_t body_number(const AbutRunLog *log, AbutBodyId id)
{
    int32_t place = id.index1 < log->place_count ? log->place[id.index1] : -1;
    return place >= 0 && log->body[place].generation == id.generation ? place : -1;
}

AbutStatus abut_run_log_add_contact(AbutRunLog *log, const AbutContact *contact, AbutError *error)
{
    int32_t vertices = contact->vertex_count < 0 ? 0 : contact->vertex_count;
    if (vertices > ABUT_CONTACT_VERTICES)
        vertices = ABUT_CONTACT_VERTICES;
    if (!reserve_rows(log, ABUT_LOG_CONTACT, 1) || !reserve_rows(log, ABUT_LOG_VERTEX_START, 1) ||
        !reserve_rows(log, ABUT_LOG_VERTEX, (size_t)vertices))
        return no_memory(error);
    put_i4(log, ABUT_LOG_CONTACT_BODY, body_number(log, contact->body_a));
    put_i4(log, ABUT_LOG_CONTACT_BODY, body_number(log, contact->body_b));
    put_vec3(log, ABUT_LOG_CONTACT_FORCE, contact->force);
    put_vec3(log, ABUT_LOG_CONTACT_TORQUE, contact->torque);
    put_vec3(log, ABUT_LOG_CONTACT_CENTER, contact->center);
    put_vec3(log, ABUT_LOG_CONTACT_NORMAL, contact->normal);
    put_f8(log, ABUT_LOG_CONTACT_AREA, contact->area);
    put_f8(log, ABUT_LOG_CONTACT_VOLUME, contact->volume);
    put_f8(log, ABUT_LOG_CONTACT_DEPTH, contact->depth);
    put_i4(log, ABUT_LOG_CONTACT_SLIDING, contact->sliding);
    for (int32_t i = 0; i < vertices; ++i) {
        put_vec3(log, ABUT_LOG_VERTEX_POINT, contact->vertex[i].point);
        put_vec3(log, ABUT_LOG_VERTEX_FORCE, contact->vertex[i].force);
        put_f8(log, ABUT_LOG_VERTEX_PRESSURE, contact->vertex[i].pressure);
    }
    ++log->size.contacts;
    log->size.vertices += vertices;
    put_i8(log, ABUT_LOG_VERTICES_AT, log->size.vertices);
    Column *at = &log->column[ABUT_LOG_CONTACTS_AT];
    ((int64_t *)at->data)[at->count - 1] = log->size.contacts;
    return ABUT_OK;
}

AbutStatus abut_run_log_record(
    AbutRunLog *log, const AbutSimulation *simulation, const AbutStepReport *report, AbutError *error)
{
    AbutRunLogSize size = log->size;
    size_t counts[ABUT_LOG_COLUMNS];
    for (int i = 0; i < ABUT_LOG_COLUMNS; ++i)
        counts[i] = log->column[i].count;
    AbutStatus status = abut_run_log_add_step(log, report, error);
    int contacts = abut_simulation_contact_count(simulation);
    for (int i = 0; i < contacts && !status; ++i) {
        AbutContact contact;
        if (abut_simulation_get_contact(simulation, i, &contact))
            status = abut_run_log_add_contact(log, &contact, error);
    }
    if (status) { /* as it was */
        log->size = size;
        for (int i = 0; i < ABUT_LOG_COLUMNS; ++i)
            log->column[i].count = counts[i];
    }
    return status;
}

/* ---- write ------------------------------------------------------------------------------------------------------- */

void abut_run_log_set_partial(AbutRunLog *log)
{
    log->partial = 1;
}

static AbutArray text_array(const char *name, const char *text, size_t count)
{
    AbutArray array = {.type = ABUT_ARRAY_U1, .dimensions = 1, .shape = {(int64_t)count}, .data = text};
    strcpy(array.name, name);
    return array;
}

AbutRunLogData abut_run_log_peek(const AbutRunLog *log)
{
    AbutRunLogData out;
    const void *data[ABUT_LOG_COLUMNS];
    memset(&out, 0, sizeof out);
    for (int i = 0; i < ABUT_LOG_COLUMNS; ++i)
        data[i] = log->column[i].data;
    abut_run_log_point(&out, log->size, data);
    out.scene_json = log->json.text;
    out.stage_names = log->stages;
    out.partial = log->partial;
    return out;
}

AbutStatus abut_run_log_write(const AbutRunLog *log, const char *path, AbutError *error)
{
    AbutArray arrays[ABUT_LOG_COLUMNS + 3];
    arrays[0] = text_array("scene_json", log->json.text, log->json.count);
    arrays[1] = text_array("stage_names", log->stages, strlen(log->stages));
    for (int i = 0; i < ABUT_LOG_COLUMNS; ++i) {
        arrays[i + 2] = abut_run_log_array((AbutRunLogColumn)i, log->size);
        arrays[i + 2].data = log->column[i].data;
    }
    arrays[ABUT_LOG_COLUMNS + 2] =
        (AbutArray){.name = "partial", .type = ABUT_ARRAY_I4, .dimensions = 1, .shape = {1}, .data = &log->partial};
    return abut_npz_write(path, arrays, ABUT_LOG_COLUMNS + 3, error);
}
