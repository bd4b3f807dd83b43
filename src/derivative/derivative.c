/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Life of a derivative, and the chain through the parts of a step: each part has [2n][columns] by its own places,
 * velocities, inputs and parameters; the total by those at the start of the step.
 */
#include "derivative/derivative.h"

#include <math.h>
#include <string.h>

const char *const abut_break_names[] = {
    "none", "opens", "slides", "feature", "limit", "rocking", "solver", "motion", NULL};

void abut_derivative_breaks(AbutDerivative *d, AbutDerivativeBreak why, int32_t contact) {
    if (d->why != ABUT_BREAK_NONE) return;
    d->why = why;
    d->contact = contact;
}

/* ---- frames of bodies ---------------------------------------------------------------------------------------------- */

static AbutVec3 center_arm(const AbutDerivative *d, int32_t place) {
    const AbutBody *body = &d->sim->scene->body[place];
    return abut_mat3_apply(body->rotation, body->local_center);
}

/* rows[way] += sign (turn x arm), for all columns. */
static void shift_places(const AbutDerivative *d, double *matrix, double sign) {
    size_t width = (size_t)d->columns;
    for (int32_t b = 0; b < d->body_count; ++b) {
        AbutVec3 arm = abut_scale(center_arm(d, d->body[b]), sign);
        double *way = matrix + (size_t)d->first_of_body[d->body[b]] * width, *turn = way + 3 * width;
        for (size_t k = 0; k < width && abut_max_abs(arm) > 0.0; ++k) {
            AbutVec3 moved = abut_cross(abut_vec3(turn[k], turn[width + k], turn[2 * width + k]), arm);
            way[k] += moved.x, way[width + k] += moved.y, way[2 * width + k] += moved.z;
        }
    }
}

/* A center that lies elsewhere in its body: where the body is does not change. */
static void shift_centers(const AbutDerivative *d, double *matrix, double sign) {
    for (int32_t p = 0; p < d->parameters; ++p) {
        const AbutDerivativeParameter *x = &d->parameter[p];
        if (x->kind != ABUT_PARAMETER_CENTER) continue;
        int32_t place = abut_scene_body_place(d->sim->scene, x->body);
        AbutVec3 arm = abut_mat3_apply(d->sim->scene->body[place].rotation, abut_axis(x->axis));
        for (int i = 0; i < 3; ++i)
            matrix[(size_t)(d->first_of_body[place] + i) * (size_t)d->columns + (size_t)(2 * d->n + d->inputs + p)] +=
                sign * abut_get(arm, i);
    }
}

static void begin(AbutDerivative *d) {
    size_t width = (size_t)d->columns, rows = 2 * (size_t)d->n;
    memset(d->total, 0, rows * width * sizeof *d->total);
    for (size_t k = 0; k < rows; ++k) d->total[k * width + k] = 1.0;
    shift_places(d, d->total, 1.0);
    shift_centers(d, d->total, 1.0);
    d->why = ABUT_BREAK_NONE;
    d->contact = -1;
    d->residual = 0.0;
    d->ready = 0;
    d->unique = 1;
}

/* total <- part total, with what the part has of its own in inputs and parameters. */
static void chain(AbutDerivative *d) {
    size_t width = (size_t)d->columns, rows = 2 * (size_t)d->n;
    for (size_t i = 0; i < rows; ++i) {
        const double *part = d->part + i * width;
        double *to = d->next + i * width;
        memset(to, 0, rows * sizeof *to);
        memcpy(to + rows, part + rows, (width - rows) * sizeof *to);
        for (size_t k = 0; k < rows; ++k) {
            double f = part[k];
            const double *from = d->total + k * width;
            for (size_t j = 0; f != 0.0 && j < width; ++j) to[j] += f * from[j];
        }
    }
    double *total = d->total;
    d->total = d->next, d->next = total;
}

static void finish(AbutDerivative *d) {
    size_t rows = 2 * (size_t)d->n, width = (size_t)d->columns;
    shift_places(d, d->total, -1.0);
    shift_centers(d, d->total, -1.0);
    const size_t count[3] = {rows, (size_t)d->inputs, (size_t)d->parameters}, first[3] = {0, rows, rows + count[1]};
    for (int m = 0; m < 3; ++m)
        for (size_t i = 0; i < rows; ++i)
            memcpy(d->out[m] + i * count[m], d->total + i * width + first[m], count[m] * sizeof(double));
    d->ready = 1;
}

/* ---- parts --------------------------------------------------------------------------------------------------------- */

static AbutStatus watch(AbutSimulation *sim, double h, int moved, void *user, AbutError *error) {
    AbutDerivative *d = user;
    (void)sim;
    if (moved) {
        abut_derivative_moved(d);
        return ABUT_OK;
    }
    d->good = 1;
    d->contact = -1;
    abut_derivative_groups(d, h);
    if (d->good) abut_derivative_moves(d, h);
    abut_pool_free(&d->work);
    if (!d->good) return abut_fail_memory(error);
    chain(d);
    return ABUT_OK;
}

/* ---- life ---------------------------------------------------------------------------------------------------------- */

static int moves(const AbutBody *b) { return b->alive && b->kind == ABUT_BODY_DYNAMIC && b->inv_mass > 0.0; }

static int32_t count_bodies(const AbutScene *scene, int32_t *list) {
    int32_t n = 0;
    for (int32_t i = 0; i < scene->body_places; ++i)
        if (moves(&scene->body[i]) && scene->body[i].tree < 0) {
            if (list) list[n] = i;
            ++n;
        }
    return n;
}

static int32_t count_controls(const AbutScene *scene) {
    int32_t n = 0;
    for (int32_t r = 0; r < scene->robot_count; ++r)
        n += scene->robot[r].passive ? 0 : scene->robot[r].model->actuator_count;
    return n;
}

static void list_numbers(AbutDerivative *d) {
    const AbutScene *scene = d->sim->scene;
    d->body_count = count_bodies(scene, NULL);
    d->body = abut_pool_take_array(&d->pool, (size_t)d->body_count, sizeof *d->body, &d->good);
    d->first_of_body = abut_pool_take_array(&d->pool, (size_t)scene->body_places, sizeof *d->first_of_body, &d->good);
    d->first_of_tree =
        abut_pool_take_array(&d->pool, (size_t)scene->robot_tree_count, sizeof *d->first_of_tree, &d->good);
    if (!d->good) return;
    count_bodies(scene, d->body);
    for (int32_t i = 0; i < scene->body_places; ++i) d->first_of_body[i] = -1;
    for (int32_t b = 0; b < d->body_count; ++b, d->n += 6) d->first_of_body[d->body[b]] = d->n;
    for (int32_t t = 0; t < scene->robot_tree_count; ++t) {
        d->first_of_tree[t] = d->n;
        d->n += scene->robot_tree[t].configuration->tree->nv;
    }
    d->controls = count_controls(scene);
    d->inputs = d->controls + (d->def.forces ? 6 * d->body_count : 0);
    d->parameters = d->def.parameter_count;
    d->columns = 2 * d->n + d->inputs + d->parameters;
}

static void take_matrices(AbutDerivative *d) {
    size_t n = (size_t)d->n, width = (size_t)d->columns;
    double **whole[] = {&d->part, &d->total, &d->next}, **half[] = {&d->solved, &d->mean};
    for (int i = 0; i < 3; ++i) *whole[i] = abut_pool_take_array(&d->pool, 2 * n * width, sizeof(double), &d->good);
    for (int i = 0; i < 2; ++i) *half[i] = abut_pool_take_array(&d->pool, n * width, sizeof(double), &d->good);
    d->expected = abut_pool_take_array(&d->pool, n, sizeof(double), &d->good);
    const size_t columns[3] = {2 * n, (size_t)d->inputs, (size_t)d->parameters};
    for (int i = 0; i < 3; ++i)
        d->out[i] = abut_pool_take_array(&d->pool, 2 * n * columns[i], sizeof(double), &d->good);
}

AbutStatus abut_derivative_create(
    AbutSimulation *sim, const AbutDerivativeDef *def, AbutDerivative **out, AbutError *error) {
    ABUT_ASSERT(sim && out);
    *out = NULL;
    ABUT_TRY(abut_derivative_check(sim, def, error));
    AbutDerivative *d = abut_alloc(sizeof *d);
    if (!d) return abut_fail_memory(error);
    memset(d, 0, sizeof *d);
    d->sim = sim;
    d->good = 1;
    if (def) d->def = *def;
    size_t parameters = (size_t)d->def.parameter_count;
    d->parameter = abut_pool_take_array(&d->pool, parameters, sizeof *d->parameter, &d->good);
    if (d->good && parameters) memcpy(d->parameter, def->parameters, parameters * sizeof *d->parameter);
    d->def.parameters = d->parameter;
    if (d->good) list_numbers(d);
    if (d->good) take_matrices(d);
    if (!d->good) {
        abut_derivative_free(d);
        return abut_fail_memory(error);
    }
    *out = d;
    return ABUT_OK;
}

void abut_derivative_free(AbutDerivative *d) {
    if (!d) return;
    abut_pool_free(&d->work);
    abut_pool_free(&d->pool);
    abut_free(d);
}

/* Bodies and robots as they were when it was made. */
static int same_scene(const AbutDerivative *d) {
    const AbutScene *scene = d->sim->scene;
    int32_t n = 6 * d->body_count, bodies = count_bodies(scene, NULL);
    for (int32_t t = 0; t < scene->robot_tree_count; ++t) n += scene->robot_tree[t].configuration->tree->nv;
    if (bodies != d->body_count || n != d->n || count_controls(scene) != d->controls) return 0;
    for (int32_t b = 0; b < d->body_count; ++b)
        if (!moves(&scene->body[d->body[b]]) || scene->body[d->body[b]].tree >= 0) return 0;
    return 1;
}

AbutStatus abut_derivative_step(AbutDerivative *d, double dt, AbutStepReport *report, AbutError *error) {
    ABUT_ASSERT(d);
    AbutSimulation *sim = d->sim;
    if (!same_scene(d))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "derivative: expected the bodies that it was made for: make another one");
    begin(d);
    sim->watch = watch;
    sim->watch_user = d;
    AbutStatus status = abut_simulation_step(sim, dt, report, error);
    sim->watch = NULL;
    sim->watch_user = NULL;
    if (status == ABUT_OK) finish(d);
    return status;
}

/* Its number among the contacts; -1: it is gone. */
static int32_t contact_number(const AbutDerivative *d) {
    for (int32_t k = 0; d->contact >= 0 && k < d->sim->islands.order_count; ++k)
        if (d->sim->islands.order[k] == d->contact) return k;
    return -1;
}

AbutDerivativeResult abut_derivative_result(const AbutDerivative *d) {
    ABUT_ASSERT(d);
    AbutDerivativeResult r;
    memset(&r, 0, sizeof r);
    r.contact = -1;
    if (!d->ready) return r;
    r.n = d->n;
    r.control_count = d->controls;
    r.force_count = d->inputs - d->controls;
    r.parameter_count = d->parameters;
    r.smooth = d->why == ABUT_BREAK_NONE;
    r.why = d->why;
    r.contact = contact_number(d);
    r.residual = d->residual;
    r.unique = d->unique;
    r.by_state = d->out[0], r.by_input = d->out[1], r.by_parameter = d->out[2];
    return r;
}
