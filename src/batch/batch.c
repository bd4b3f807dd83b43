/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Life of a batch. In: a model, a number of worlds, bodies to watch. Out: the first scene with its saved state, the
 * worlds that share its trees, and arrays with a row per world; resets.
 */
#include "batch/batch.h"

#include <string.h>

#include "math/numbers.h"
#include "model/mass.h"
#include "robot/configuration.h"

const char *const abut_batch_field_names[ABUT_BATCH_FIELD_COUNT + 1] = {"qpos", "qvel", "ctrl", "torque", "act", "time",
    "status", "contact", "sensordata", "gravity", "friction", "mass", "gain", NULL};

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static void set_widths(AbutBatch *b) {
    const AbutModel *m = b->model;
    const int32_t width[ABUT_BATCH_FIELD_COUNT][2] = {{abut_model_number_count(m, ABUT_NUMBERS_POSITIONS), 1},
        {abut_model_number_count(m, ABUT_NUMBERS_VELOCITIES), 1}, {m->actuator_count, 1}, {0, 1},
        {abut_model_number_count(m, ABUT_NUMBERS_ACTIVATIONS), 1}, {1, 1}, {1, 1}, {b->watch_count, 6},
        {m->sensor_values, 1}, {3, 1}, {m->shape_count, 1}, {m->body_count, 1}, {m->actuator_count, 4}};
    memcpy(b->width, width, sizeof width);
}

/* Zeroed, or filled with copies of a row; one number more than there are. */
static double *take_rows(const AbutBatch *b, int field, int32_t rows, const double *row) {
    size_t width = abut_batch_width(b, field), count = (size_t)rows * width;
    double *out = abut_alloc_array(count + 1, sizeof *out);
    if (out) memset(out, 0, (count + 1) * sizeof *out);
    for (int32_t i = 0; out && row && width > 0 && i < rows; ++i)
        memcpy(out + (size_t)i * width, row, width * sizeof *out);
    return out;
}

/* Parameters as the model has them. */
static void fill_model_row(const AbutBatch *b, int field, double *row) {
    const AbutModel *m = b->model;
    if (field == ABUT_BATCH_GRAVITY) abut_vec3_put(b->def.gravity, row);
    for (int32_t i = 0; field == ABUT_BATCH_FRICTION && i < m->shape_count; ++i)
        row[i] = m->shapes[i].material.friction;
    for (int32_t i = 0; field == ABUT_BATCH_MASS && i < m->body_count; ++i) row[i] = abut_rigid_of_body(m, i).mass;
    for (int32_t i = 0; field == ABUT_BATCH_GAIN && i < m->actuator_count; ++i) {
        row[4 * i] = m->actuators[i].gain;
        memcpy(row + 4 * i + 1, m->actuators[i].bias, 3 * sizeof *row);
    }
}

/* The arrays of a field that nobody has asked for before. */
static int take_field(AbutBatch *b, int field) {
    int parameter = field >= ABUT_BATCH_GRAVITY;
    double *row = parameter ? take_rows(b, field, 1, NULL) : NULL;
    if (row) fill_model_row(b, field, row);
    double *array = parameter && !row ? NULL : take_rows(b, field, b->worlds, row),
           *applied = parameter && array ? take_rows(b, field, b->worlds, row) : NULL;
    if (array && (applied || !parameter)) {
        b->array[field] = array;
        b->applied[field] = applied;
        b->model_row[field] = row;
        return 1;
    }
    abut_free(array);
    abut_free(row);
    return 0;
}

void *abut_batch_array(AbutBatch *b, int field, int32_t shape[3]) {
    ABUT_ASSERT(b && shape);
    if (field < 0 || field >= ABUT_BATCH_FIELD_COUNT) return NULL;
    int single = field == ABUT_BATCH_TIME || field == ABUT_BATCH_STATUS;
    shape[0] = b->worlds;
    shape[1] = single ? 0 : b->width[field][0];
    shape[2] = b->width[field][1];
    if (field == ABUT_BATCH_STATUS) return b->status;
    return b->array[field] || take_field(b, field) ? b->array[field] : NULL;
}

/* ---- keyframes --------------------------------------------------------------------------------------------------- */

static size_t keyframe_width(const AbutBatch *b) {
    return 1 + abut_batch_width(b, ABUT_BATCH_POSITIONS) + abut_batch_width(b, ABUT_BATCH_VELOCITIES) +
           abut_batch_width(b, ABUT_BATCH_CONTROLS) + abut_batch_width(b, ABUT_BATCH_ACTIVATIONS);
}

/* A keyframe: values that it does not state are those of the reference. */
static AbutStatus read_keyframe(
    const AbutBatch *b, AbutConfiguration *c, int32_t number, double *row, AbutError *error) {
    const AbutKeyframeDef *key = &b->model->keyframes[number];
    size_t nq = abut_batch_width(b, ABUT_BATCH_POSITIONS), nv = abut_batch_width(b, ABUT_BATCH_VELOCITIES);
    ABUT_TRY(abut_configuration_set_keyframe(c, number, error));
    row[0] = key->time;
    memcpy(row + 1, c->q, nq * sizeof *row);
    memcpy(row + 1 + nq, c->v, nv * sizeof *row);
    row += 1 + nq + nv;
    if (key->control_count) memcpy(row, key->controls, (size_t)key->control_count * sizeof *row);
    row += abut_batch_width(b, ABUT_BATCH_CONTROLS);
    if (key->activation_count) memcpy(row, key->activations, (size_t)key->activation_count * sizeof *row);
    return ABUT_OK;
}

static AbutStatus read_keyframes(AbutBatch *b, AbutError *error) {
    size_t width = keyframe_width(b), count = (size_t)b->model->keyframe_count + 1,
           nq = abut_batch_width(b, ABUT_BATCH_POSITIONS);
    const AbutTree *tree = NULL;
    AbutConfiguration *c = NULL;
    b->keyframes = abut_alloc_array(count * width, sizeof *b->keyframes);
    if (!b->keyframes) return abut_fail_memory(error);
    memset(b->keyframes, 0, count * width * sizeof *b->keyframes);
    abut_scene_get_joints(b->first.scene, 0, b->keyframes + 1, b->keyframes + 1 + nq);
    if (count == 1) return ABUT_OK;
    AbutStatus status = abut_tree_create(b->model, &tree, error);
    if (status == ABUT_OK) status = abut_configuration_create(tree, &c, error);
    abut_tree_release(tree);
    for (int32_t k = 0; k < b->model->keyframe_count && status == ABUT_OK; ++k)
        status = read_keyframe(b, c, k, b->keyframes + ((size_t)k + 1) * width, error);
    abut_configuration_free(c);
    return status;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static AbutStatus check(const AbutModel *model, int32_t worlds, int32_t count, const AbutPair *w, AbutError *error) {
    if (worlds < 1)
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "worlds", ": expected 1 or more, got %d", (int)worlds);
    if (count < 0)
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "watch_count", ": expected 0 or more, got %d", (int)count);
    for (int32_t i = 0; i < count; ++i)
        if (w[i].a < 0 || w[i].a >= model->body_count || w[i].b < -1 || w[i].b >= model->body_count)
            return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "watches",
                "[%d]: expected numbers of bodies below %d, got %d and %d", (int)i, (int)model->body_count, (int)w[i].a,
                (int)w[i].b);
    return ABUT_OK;
}

/* Owned by the batch as a whole. */
static AbutStatus take_memory(AbutBatch *b, const AbutPair *watches, AbutError *error) {
    size_t worlds = (size_t)b->worlds, watch_bytes = (size_t)b->watch_count * sizeof *b->watch;
    b->world = abut_alloc_array(worlds, sizeof *b->world);
    if (b->world) memset(b->world, 0, worlds * sizeof *b->world);
    b->status = abut_alloc_array(worlds, sizeof *b->status);
    if (b->status) memset(b->status, 0, worlds * sizeof *b->status);
    b->watch = abut_alloc(watch_bytes);
    if (b->watch && watch_bytes) memcpy(b->watch, watches, watch_bytes);
    b->shape = abut_alloc_array((size_t)b->model->shape_count, sizeof *b->shape);
    b->scratch = abut_alloc_array((size_t)b->threads * abut_batch_scratch(b), sizeof *b->scratch);
    b->room = abut_alloc_array((size_t)b->threads, sizeof *b->room);
    if (b->room) memset(b->room, 0, (size_t)b->threads * sizeof *b->room);
    return b->world && b->status && b->watch && b->shape && b->scratch && b->room ? ABUT_OK : abut_fail_memory(error);
}

static AbutStatus make_first(AbutBatch *b, AbutError *error) {
    ABUT_TRY(abut_world_make(b, NULL, b->shape, &b->first, error));
    if (!b->first.scene->robot[0].passive) b->width[ABUT_BATCH_TORQUES][0] = b->width[ABUT_BATCH_VELOCITIES][0];
    b->start_bytes = abut_simulation_state_size(b->first.sim);
    b->start = abut_alloc(b->start_bytes);
    if (!b->start) return abut_fail_memory(error);
    abut_simulation_save(b->first.sim, b->start);
    for (int i = 0; i < b->threads; ++i)
        if (!abut_solver_make(&b->room[i].solver, b->first.sim->model, 1)) return abut_fail_memory(error);
    return read_keyframes(b, error);
}

static AbutStatus make_all(AbutBatch *b, const AbutModel *model, const AbutPair *watches, AbutError *error) {
    static const int always[] = {ABUT_BATCH_POSITIONS, ABUT_BATCH_VELOCITIES, ABUT_BATCH_CONTROLS,
        ABUT_BATCH_ACTIVATIONS, ABUT_BATCH_TIME, ABUT_BATCH_CONTACT};
    ABUT_TRY(abut_model_copy(model, &b->model, error));
    set_widths(b);
    ABUT_TRY(take_memory(b, watches, error));
    for (size_t i = 0; i < sizeof always / sizeof *always; ++i)
        if (!take_field(b, always[i])) return abut_fail_memory(error);
    ABUT_TRY(make_first(b, error));
    for (int32_t i = 0; i < b->worlds; ++i) ABUT_TRY(abut_world_make(b, NULL, NULL, &b->world[i], error));
    return abut_batch_reset(b, NULL, -1, error);
}

AbutStatus abut_batch_create(const AbutModel *model, int32_t worlds, const AbutSimulationDef *def, int32_t watch_count,
    const AbutPair *watches, AbutBatch **out, AbutError *error) {
    ABUT_ASSERT(model && out && (watches || watch_count == 0));
    *out = NULL;
    ABUT_TRY(check(model, worlds, watch_count, watches, error));
    AbutBatch *b = abut_alloc(sizeof *b);
    if (!b) return abut_fail_memory(error);
    memset(b, 0, sizeof *b);
    b->worlds = worlds;
    b->watch_count = watch_count;
    b->def = def ? *def : abut_simulation_default();
    if (!def) b->def.gravity = model->gravity;
    b->threads = abut_thread_count(b->def.threads);
    b->def.threads = b->def.threads < 0 ? b->def.threads : 1; /* negative: refused with the other settings */
    AbutStatus status = make_all(b, model, watches, error);
    if (status == ABUT_OK)
        *out = b;
    else
        abut_batch_free(b);
    return status;
}

void abut_batch_free(AbutBatch *b) {
    if (!b) return;
    for (int32_t i = 0; b->world && i < b->worlds; ++i) abut_world_free(&b->world[i]);
    abut_world_free(&b->first);
    for (int f = 0; f < ABUT_BATCH_FIELD_COUNT; ++f) {
        abut_free(b->array[f]);
        abut_free(b->applied[f]);
        abut_free(b->model_row[f]);
    }
    abut_free(b->world);
    abut_free(b->status);
    abut_free(b->watch);
    abut_free(b->shape);
    abut_free(b->scratch);
    for (int i = 0; b->room && i < b->threads; ++i) {
        abut_free(b->room[i].workspace);
        abut_solver_free(&b->room[i].solver);
    }
    abut_free(b->room);
    abut_free(b->keyframes);
    abut_free(b->start);
    abut_model_free(b->model);
    abut_free(b);
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

const AbutModel *abut_batch_model(const AbutBatch *b) {
    ABUT_ASSERT(b);
    return b->model;
}

const char *abut_batch_reason(const AbutBatch *b, int32_t world) {
    ABUT_ASSERT(b);
    return world >= 0 && world < b->worlds ? b->world[world].reason : NULL;
}

const AbutSimulation *abut_batch_simulation(const AbutBatch *b, int32_t world) {
    ABUT_ASSERT(b);
    return world >= 0 && world < b->worlds ? b->world[world].sim : NULL;
}

/* ---- reset ------------------------------------------------------------------------------------------------------- */

typedef struct Reset {
    AbutBatch *b;
    const uint8_t *mask;
    const double *row;
} Reset;

/* Copies the next numbers of a keyframe. */
static const double *put(const AbutBatch *b, int field, int32_t world, const double *from) {
    size_t width = abut_batch_width(b, field);
    if (width > 0) memcpy(abut_batch_row(b, field, world), from, width * sizeof *from);
    return from + width;
}

static void clear(const AbutBatch *b, int field, int32_t world) {
    double *row = abut_batch_row(b, field, world);
    if (row) memset(row, 0, abut_batch_width(b, field) * sizeof *row);
}

static void reset_worlds(int begin, int end, int worker, void *user) {
    const Reset *r = user;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        AbutError error;
        if (r->mask && !r->mask[i]) continue;
        AbutStatus status = abut_world_renew(r->b, i, &error);
        abut_world_fail(r->b, i, status, status == ABUT_OK ? "" : error.text);
        const double *from = put(r->b, ABUT_BATCH_TIME, i, r->row);
        from = put(r->b, ABUT_BATCH_POSITIONS, i, from);
        from = put(r->b, ABUT_BATCH_VELOCITIES, i, from);
        from = put(r->b, ABUT_BATCH_CONTROLS, i, from);
        put(r->b, ABUT_BATCH_ACTIVATIONS, i, from);
        clear(r->b, ABUT_BATCH_TORQUES, i);
        clear(r->b, ABUT_BATCH_CONTACT, i);
        clear(r->b, ABUT_BATCH_SENSORS, i);
    }
}

AbutStatus abut_batch_reset(AbutBatch *b, const uint8_t *mask, int32_t keyframe, AbutError *error) {
    ABUT_ASSERT(b);
    if (keyframe < -1 || keyframe >= b->model->keyframe_count)
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "keyframe",
            ": expected -1 or the number of a keyframe below %d, got %d", (int)b->model->keyframe_count, (int)keyframe);
    Reset r = {b, mask, b->keyframes + (size_t)(keyframe + 1) * keyframe_width(b)};
    abut_parallel_for(b->worlds, 1, b->threads, reset_worlds, &r);
    return ABUT_OK;
}
