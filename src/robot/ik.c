/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inverse kinematics by damped least squares: (J J^T + (|e|^2 / 2 + 1e-6 R^2) 1) y = e, dq = J^T y, with the reach R of
 * the robot, at most half a radian in any coordinate; coordinates that stand at a limit and want to leave are held and
 * the step is solved again. The damping that fades with the error is T. Sugihara's, Solvability-unconcerned inverse
 * kinematics by the Levenberg-Marquardt method, 2011. Starts that fail are followed by random ones within the limits.
 */
#include <string.h>

#include "robot/ik_task.h"

AbutIkSettings abut_ik_default(void) {
    AbutIkSettings settings = {.tolerance_position = 1e-6,
        .tolerance_rotation = 1e-6,
        .length = 0.0,
        .iterations = 100,
        .restarts = 20,
        .seed = 1};
    return settings;
}

static AbutStatus check_settings(const AbutIkSettings *s, AbutError *error) {
    const struct {
        const char *name;
        double value, least;
    } fields[] = {{"tolerance_position", s->tolerance_position, 0.0},
        {"tolerance_rotation", s->tolerance_rotation, 0.0}, {"length", s->length, 0.0},
        {"iterations", s->iterations, 1.0}, {"restarts", s->restarts, 0.0}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; ++i)
        if (!(fields[i].value >= fields[i].least) || !isfinite(fields[i].value))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "inverse kinematics: %s: expected %g or more, got %g",
                fields[i].name, fields[i].least, fields[i].value);
    return ABUT_OK;
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* The limits of a move with one coordinate; 0: it has none. */
static int limits(const AbutConfiguration *c, const AbutMove *move, double *lo, double *hi) {
    if (move->joint < 0 || move->kind == ABUT_MOVE_BALL || !c->tree->model->joints[move->joint].limited) return 0;
    *lo = c->tree->model->joints[move->joint].range[0];
    *hi = c->tree->model->joints[move->joint].range[1];
    return 1;
}

static void clamp(const AbutConfiguration *c, double *q) {
    double lo, hi;
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        const AbutMove *move = &c->tree->moves[i];
        if (limits(c, move, &lo, &hi)) q[move->position] = abut_smaller(abut_larger(q[move->position], lo), hi);
    }
}

/* Holds what stands at a limit and wants to leave; how many were held now? */
static int hold(AbutConfiguration *c, double scale) {
    int held = 0;
    double lo, hi;
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        const AbutMove *move = &c->tree->moves[i];
        double q = c->q[move->position], step = scale * c->ik_step[move->velocity];
        if (c->ik_held[move->velocity] || !limits(c, move, &lo, &hi)) continue;
        if ((q <= lo && step < 0.0) || (q >= hi && step > 0.0)) {
            c->ik_held[move->velocity] = 1;
            ++held;
        }
    }
    return held;
}

/* ---- one start --------------------------------------------------------------------------------------------------- */

/* The step of the coordinates that are not held; gives the factor that keeps it below half a radian. */
static double solve_step(AbutConfiguration *c, const AbutIkRows *rows, double reach) {
    size_t n = (size_t)c->tree->nv;
    int m = rows->count;
    double y[ABUT_IK_ROWS], scale[ABUT_IK_ROWS], energy = 0.0, largest = 0.0;
    for (int i = 0; i < m; ++i) energy += rows->error[i] * rows->error[i];
    for (int i = 0; i < m; ++i) {
        y[i] = rows->error[i];
        for (int j = 0; j <= i; ++j) {
            const double *a = c->ik_rows + (size_t)i * n, *b = c->ik_rows + (size_t)j * n;
            double sum = i == j ? 0.5 * energy + 1e-6 * reach * reach : 0.0;
            for (size_t d = 0; d < n; ++d) sum += c->ik_held[d] ? 0.0 : a[d] * b[d];
            c->ik_matrix[i * m + j] = sum;
        }
    }
    memset(c->ik_step, 0, n * sizeof *c->ik_step);
    if (abut_cholesky_factor(m, c->ik_matrix, scale, 0.0) >= 0) return 0.0;
    abut_cholesky_solve(m, c->ik_matrix, scale, y);
    for (int i = 0; i < m; ++i)
        for (size_t d = 0; d < n; ++d) c->ik_step[d] += c->ik_held[d] ? 0.0 : c->ik_rows[(size_t)i * n + d] * y[i];
    for (size_t d = 0; d < n; ++d) largest = abut_larger(largest, fabs(c->ik_step[d]));
    return largest > 0.5 ? 0.5 / largest : 1.0;
}

typedef struct Search {
    AbutConfiguration *c;
    int32_t task_count;
    const AbutIkTask *tasks;
    const AbutIkSettings *settings;
    AbutIkResult *result;
    double best;          /* error of the best state, as the search weighs it */
    double reach, length; /* of the robot; that one radian counts as */
} Search;

static void advance(const Search *s, const AbutIkRows *rows) {
    AbutConfiguration *c = s->c;
    const AbutIkSettings *settings = s->settings;
    double scale = 0.0;
    for (int32_t d = 0; d < c->tree->nv; ++d) c->ik_held[d] = settings->locked && settings->locked[d];
    for (int round = 0; round < 3; ++round) {
        scale = solve_step(c, rows, s->reach);
        if (!hold(c, scale)) break;
    }
    abut_configuration_integrate(c, c->q, c->ik_step, scale, c->q);
    clamp(c, c->q);
    abut_robot_place(c);
}

static int is_reached(const AbutIkRows *rows, const AbutIkSettings *settings) {
    return rows->position <= settings->tolerance_position && rows->rotation <= settings->tolerance_rotation;
}

/* Keeps the state when it is the best so far. */
static void keep_best(Search *s, const AbutIkRows *rows) {
    double error = rows->position + s->length * rows->rotation;
    if (!(error < s->best)) return;
    s->best = error;
    s->result->error_position = rows->position;
    s->result->error_rotation = rows->rotation;
    memcpy(s->c->ik_best, s->c->q, (size_t)s->c->tree->nq * sizeof *s->c->q);
}

static void run_start(Search *s) {
    AbutIkRows rows;
    for (int i = 0;; ++i) {
        abut_ik_rows(s->c, s->task_count, s->tasks, s->length, &rows);
        keep_best(s, &rows);
        s->result->reached = is_reached(&rows, s->settings);
        if (s->result->reached || i == s->settings->iterations) return;
        advance(s, &rows);
        ++s->result->iterations;
    }
}

/* ---- starts ------------------------------------------------------------------------------------------------------ */

/* A random coordinate within its limits, within a turn or a meter where it has none. Dynamic bodies stay. */
static void random_move(const AbutConfiguration *c, const AbutMove *move, AbutRng *rng, double *q) {
    double lo = move->kind == ABUT_MOVE_SLIDE ? -1.0 : -ABUT_PI, hi = -lo;
    if (move->kind == ABUT_MOVE_FREE) return;
    if (move->kind == ABUT_MOVE_BALL) {
        AbutQuat turn = abut_random_quat(rng);
        q[0] = turn.w, q[1] = turn.x, q[2] = turn.y, q[3] = turn.z;
        return;
    }
    limits(c, move, &lo, &hi);
    *q = abut_rng_between(rng, lo, hi);
}

/* Does any of the tasks depend on the move? */
static int influences(const Search *s, const AbutMove *move) {
    for (int32_t i = 0; i < s->task_count; ++i) {
        const AbutIkTask *task = &s->tasks[i];
        int32_t link = task->body < 0 ? -1 : s->c->tree->bodies[task->body].link;
        while (link >= 0 && link != move->link) link = s->c->tree->links[link].parent;
        if (link >= 0 || task->kind == ABUT_IK_CENTER) return 1;
    }
    return 0;
}

/* Joints that no task depends on stay. */
static void random_start(Search *s, AbutRng *rng) {
    AbutConfiguration *c = s->c;
    memcpy(c->q, c->ik_best, (size_t)c->tree->nq * sizeof *c->q);
    for (int32_t i = 0; i < c->tree->move_count; ++i)
        if (influences(s, &c->tree->moves[i]) &&
            (!s->settings->locked || !s->settings->locked[c->tree->moves[i].velocity]))
            random_move(c, &c->tree->moves[i], rng, c->q + c->tree->moves[i].position);
    abut_robot_place(c);
}

AbutStatus abut_configuration_ik(AbutConfiguration *configuration, int32_t task_count, const AbutIkTask *tasks,
    const AbutIkSettings *settings, AbutIkResult *out, AbutError *error) {
    ABUT_ASSERT(configuration && tasks && settings && out);
    AbutConfiguration *c = configuration;
    ABUT_TRY(abut_ik_check(c, task_count, tasks, error));
    ABUT_TRY(check_settings(settings, error));
    double reach = abut_ik_reach(c, task_count, tasks);
    double length = settings->length > 0.0 ? settings->length : 0.3 * reach;
    Search search = {c, task_count, tasks, settings, out, INFINITY, reach, length};
    AbutRng rng = abut_rng(settings->seed, 0);
    *out = (AbutIkResult){0};
    memset(c->v, 0, (size_t)c->tree->nv * sizeof *c->v);
    clamp(c, c->q);
    memcpy(c->ik_best, c->q, (size_t)c->tree->nq * sizeof *c->q);
    abut_robot_place(c);
    run_start(&search);
    for (; !out->reached && out->restarts < settings->restarts; ++out->restarts) {
        random_start(&search, &rng);
        run_start(&search);
    }
    memcpy(c->q, c->ik_best, (size_t)c->tree->nq * sizeof *c->q);
    abut_robot_place(c);
    return ABUT_OK;
}
