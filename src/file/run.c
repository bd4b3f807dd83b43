/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs in memory: columns that grow row by row. Room is taken for all columns of a kind of row before any is written,
 * so that a step or contact for which there is no memory leaves no trace. A body that comes later widens the rows of
 * the steps before it.
 */
#include "file/run.h"

#include <string.h>

#include "file/npz.h"
#include "math/numbers.h"

AbutRunSize abut_run_size(const AbutRun *run) {
    return (AbutRunSize){run->steps, run->bodies, run->contacts, run->vertices, run->positions, run->velocities,
        run->actuators, run->sensors, run->activations};
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static const void *column_of(const AbutRun *run, AbutRunColumn column, AbutArrayType type) {
    ABUT_ASSERT(run && column >= 0 && column < ABUT_RUN_COLUMN_COUNT && abut_run_columns[column].type == type);
    (void)type;
    return abut_run_keeps(run, column) ? abut_run_inside(run)->column[column].data : NULL;
}

const double *abut_run_f8(const AbutRun *run, AbutRunColumn column) { return column_of(run, column, ABUT_ARRAY_F8); }

const int32_t *abut_run_i4(const AbutRun *run, AbutRunColumn column) { return column_of(run, column, ABUT_ARRAY_I4); }

const int64_t *abut_run_i8(const AbutRun *run, AbutRunColumn column) { return column_of(run, column, ABUT_ARRAY_I8); }

/* Room for a column in a run of this size, and for one number at least. */
static int reserve(AbutRunInside *in, AbutRunColumn column, AbutRunSize size) {
    AbutRunData *c = &in->column[column];
    size_t need = (size_t)(abut_run_rows(column, size) * abut_run_width(column));
    need += need == 0;
    return need <= c->capacity ||
           abut_grow(&c->data, &c->capacity, need, abut_array_bytes_each(abut_run_columns[column].type));
}

static int reserve_all(AbutRunInside *in, AbutRunSize size) {
    int good = 1;
    for (int i = 0; i < ABUT_RUN_COLUMN_COUNT && good; ++i)
        good = !abut_run_keeps(&in->run, (AbutRunColumn)i) || reserve(in, (AbutRunColumn)i, size);
    return good;
}

/* A row of a column, to be written. */
static double *f8(AbutRunInside *in, AbutRunColumn column, int64_t row) {
    return (double *)in->column[column].data + row * abut_run_width(column);
}

static int32_t *i4(AbutRunInside *in, AbutRunColumn column, int64_t row) {
    return (int32_t *)in->column[column].data + row * abut_run_width(column);
}

static int64_t *i8(AbutRunInside *in, AbutRunColumn column, int64_t row) {
    return (int64_t *)in->column[column].data + row;
}

/* ---- create and free --------------------------------------------------------------------------------------------- */

char *abut_run_keep_text(const char *text, size_t length) {
    char *copy = abut_alloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

/* The names of this library's stages, one per line. */
static char *list_stages(void) {
    char names[64 * ABUT_STAGE_COUNT];
    size_t n = 0;
    for (int i = 0; i < ABUT_STAGE_COUNT; ++i)
        n += (size_t)snprintf(names + n, sizeof names - n, "%.60s\n", abut_word(abut_stage_names, i));
    return abut_run_keep_text(names, n);
}

AbutStatus abut_run_create_empty(const char *settings, AbutRunInside **out, AbutError *error) {
    AbutRunInside *in = *out = abut_alloc(sizeof *in);
    if (!in) return abut_fail_memory(error);
    memset(in, 0, sizeof *in);
    AbutStatus status = abut_model_create(&in->model, error);
    in->stage_names = list_stages();
    in->settings = settings ? abut_run_keep_text(settings, strlen(settings)) : NULL;
    if (status == ABUT_OK && (!in->stage_names || (settings && !in->settings))) status = abut_fail_memory(error);
    if (status != ABUT_OK) {
        abut_run_free(&in->run);
        *out = NULL;
        return status;
    }
    in->run.model = in->model;
    in->run.settings = in->settings;
    in->run.stage_names = in->stage_names;
    abut_run_set_robot_names(in);
    return ABUT_OK;
}

void abut_run_free(AbutRun *run) {
    if (!run) return;
    AbutRunInside *in = abut_run_inside(run);
    for (int i = 0; i < ABUT_RUN_COLUMN_COUNT; ++i) abut_free(in->column[i].data);
    abut_model_free(in->model);
    abut_free(in->settings);
    abut_free(in->stage_names);
    for (int i = 0; i < ABUT_NUMBERS_LISTS; ++i) abut_free(in->robot_names[i]);
    abut_free(in->follow.ids);
    abut_free(in->follow.place);
    abut_free(in->follow.rows);
    abut_free(in);
}

/* Bodies, shapes and pairs of `from`; functions and pointers of the caller stay behind. */
static AbutStatus copy_model(const AbutModel *from, AbutModel *to, AbutError *error) {
    AbutStatus status = abut_model_set_name(to, from->name, error);
    to->gravity = from->gravity;
    to->timestep = from->timestep;
    to->time = from->time;
    for (int32_t i = 0; i < from->body_count && status == ABUT_OK; ++i) {
        AbutBodyDef def = from->bodies[i];
        def.motion = NULL;
        def.motion_user = def.user = NULL;
        status = abut_model_add_body(to, &def, NULL, error);
    }
    for (int32_t i = 0; i < from->shape_count && status == ABUT_OK; ++i) {
        AbutShapeDef def = from->shapes[i];
        def.user = NULL;
        status = abut_model_add_shape(to, &def, NULL, error);
    }
    for (int32_t i = 0; i < from->pair_count && status == ABUT_OK; ++i)
        status = abut_model_add_pair(to, &from->pairs[i], NULL, error);
    return status;
}

AbutStatus abut_run_create(const AbutModel *model, const char *settings, AbutRun **out, AbutError *error) {
    ABUT_ASSERT(model && out);
    AbutRunInside *in;
    *out = NULL;
    ABUT_TRY(abut_run_create_empty(settings, &in, error));
    AbutStatus status = copy_model(model, in->model, error);
    in->run.bodies = in->model->body_count;
    if (status == ABUT_OK && !reserve_all(in, abut_run_size(&in->run))) status = abut_fail_memory(error);
    if (status != ABUT_OK) {
        abut_run_free(&in->run);
        return status;
    }
    *i8(in, ABUT_RUN_CONTACT_START, 0) = 0;
    *i8(in, ABUT_RUN_VERTEX_START, 0) = 0;
    *out = &in->run;
    return ABUT_OK;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static int is_there(const double *pose) {
    int there = 1;
    for (int k = 0; k < 7; ++k) there &= isfinite(pose[k]) != 0;
    return there;
}

int abut_run_has_body(const AbutRun *run, int32_t step, int32_t body) {
    ABUT_ASSERT(run && step >= 0 && step < run->steps && body >= 0 && body < run->bodies);
    return is_there(abut_run_f8(run, ABUT_RUN_POSE) + 7 * ((int64_t)step * run->bodies + body));
}

static void put_body(AbutRunInside *in, int64_t row, const AbutRunBody *body) {
    abut_pose_put(body->pose, f8(in, ABUT_RUN_POSE, row));
    if (!abut_run_keeps(&in->run, ABUT_RUN_VELOCITY)) return;
    abut_vec3_put(body->velocity, f8(in, ABUT_RUN_VELOCITY, row));
    abut_vec3_put(body->spin, f8(in, ABUT_RUN_VELOCITY, row) + 3);
    *f8(in, ABUT_RUN_SPEED, row) = abut_length(body->velocity);
    *i4(in, ABUT_RUN_ASLEEP, row) = body->asleep;
    *i4(in, ABUT_RUN_ISLAND, row) = body->island;
}

/* Moves the rows of a column apart, from `before` to `after` bodies per step; there is room. */
static void widen(AbutRunInside *in, AbutRunColumn column, int64_t before, int64_t after) {
    size_t each = abut_array_bytes_each(abut_run_columns[column].type) * (size_t)abut_run_width(column);
    unsigned char *data = in->column[column].data;
    for (int64_t t = in->run.steps - 1; t > 0; --t)
        memmove(data + each * (size_t)(t * after), data + each * (size_t)(t * before), each * (size_t)before);
}

int abut_run_reserve_body(AbutRunInside *in) {
    AbutRunSize size = abut_run_size(&in->run);
    ++size.bodies;
    return reserve_all(in, size);
}

void abut_run_join_body(AbutRunInside *in) {
    AbutRunBody none = abut_run_absent();
    int64_t before = in->run.bodies++, after = in->run.bodies;
    for (int i = 0; i < ABUT_RUN_COLUMN_COUNT; ++i)
        if (abut_run_columns[i].row == ABUT_RUN_PER_BODY && abut_run_keeps(&in->run, (AbutRunColumn)i))
            widen(in, (AbutRunColumn)i, before, after);
    for (int64_t t = 0; t < in->run.steps; ++t) put_body(in, t * after + before, &none);
}

AbutStatus abut_run_add_body(
    AbutRun *run, const AbutBodyDef *def, const AbutShapeDef *shapes, int shape_count, int32_t *out, AbutError *error) {
    ABUT_ASSERT(run && def && shape_count >= 0 && (shapes || shape_count == 0));
    AbutRunInside *in = abut_run_inside(run);
    int32_t number;
    if (!abut_run_reserve_body(in)) return abut_fail_memory(error);
    AbutStatus status = abut_model_add_body(in->model, def, &number, error);
    for (int i = 0; i < shape_count && status == ABUT_OK; ++i) {
        AbutShapeDef shape = shapes[i];
        shape.body = number;
        status = abut_model_add_shape(in->model, &shape, NULL, error);
    }
    if (in->model->body_count > run->bodies) abut_run_join_body(in);
    if (status == ABUT_OK && out) *out = number;
    return status;
}

/* ---- steps and contacts ------------------------------------------------------------------------------------------ */

AbutStatus abut_run_add_step(AbutRun *run, const AbutStepReport *report, const AbutRunBody *bodies, AbutError *error) {
    ABUT_ASSERT(run && report && (bodies || run->bodies == 0));
    AbutRunInside *in = abut_run_inside(run);
    AbutRunSize size = abut_run_size(run);
    int64_t step = size.steps++;
    if (step == INT32_MAX || !reserve_all(in, size)) return abut_fail_memory(error);
    *f8(in, ABUT_RUN_TIME, step) = report->time;
    *f8(in, ABUT_RUN_RESIDUAL, step) = report->residual;
    *i4(in, ABUT_RUN_SWEEPS, step) = report->sweeps;
    *f8(in, ABUT_RUN_KINETIC, step) = report->kinetic;
    *f8(in, ABUT_RUN_POTENTIAL, step) = report->potential;
    *f8(in, ABUT_RUN_MAX_DEPTH, step) = report->max_depth;
    memcpy(f8(in, ABUT_RUN_STAGE_SECONDS, step), report->seconds, sizeof report->seconds);
    for (int64_t i = 0; i < run->bodies; ++i) put_body(in, step * run->bodies + i, &bodies[i]);
    *i8(in, ABUT_RUN_CONTACT_START, step + 1) = run->contacts;
    ++run->steps;
    return ABUT_OK;
}

static void put_vertices(AbutRunInside *in, const AbutContact *contact, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
        int64_t row = in->run.vertices + i;
        abut_vec3_put(contact->vertex[i].point, f8(in, ABUT_RUN_VERTEX_POINT, row));
        abut_vec3_put(contact->vertex[i].force, f8(in, ABUT_RUN_VERTEX_FORCE, row));
        *f8(in, ABUT_RUN_VERTEX_PRESSURE, row) = contact->vertex[i].pressure;
    }
}

AbutStatus abut_run_add_contact(
    AbutRun *run, int32_t body_a, int32_t body_b, const AbutContact *contact, AbutError *error) {
    ABUT_ASSERT(run && contact && run->steps > 0);
    ABUT_ASSERT(body_a >= -1 && body_a < run->bodies && body_b >= -1 && body_b < run->bodies);
    ABUT_ASSERT(contact->vertex_count >= 0 && contact->vertex_count <= ABUT_CONTACT_VERTICES);
    AbutRunInside *in = abut_run_inside(run);
    AbutRunSize size = abut_run_size(run);
    if (run->keep != ABUT_RUN_KEEP_ALL) return ABUT_OK;
    int64_t row = size.contacts++;
    size.vertices += contact->vertex_count;
    if (!reserve_all(in, size)) return abut_fail_memory(error);
    i4(in, ABUT_RUN_CONTACT_BODY, row)[0] = body_a;
    i4(in, ABUT_RUN_CONTACT_BODY, row)[1] = body_b;
    abut_vec3_put(contact->force, f8(in, ABUT_RUN_CONTACT_FORCE, row));
    abut_vec3_put(contact->torque, f8(in, ABUT_RUN_CONTACT_TORQUE, row));
    abut_vec3_put(contact->center, f8(in, ABUT_RUN_CONTACT_CENTER, row));
    abut_vec3_put(contact->normal, f8(in, ABUT_RUN_CONTACT_NORMAL, row));
    *f8(in, ABUT_RUN_CONTACT_AREA, row) = contact->area;
    *f8(in, ABUT_RUN_CONTACT_VOLUME, row) = contact->volume;
    *f8(in, ABUT_RUN_CONTACT_DEPTH, row) = contact->depth;
    *i4(in, ABUT_RUN_CONTACT_SLIDING, row) = contact->sliding;
    put_vertices(in, contact, contact->vertex_count);
    run->vertices = size.vertices;
    run->contacts = size.contacts;
    *i8(in, ABUT_RUN_VERTEX_START, run->contacts) = run->vertices;
    *i8(in, ABUT_RUN_CONTACT_START, run->steps) = run->contacts;
    return ABUT_OK;
}
