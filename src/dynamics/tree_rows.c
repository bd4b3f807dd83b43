/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a tree in a step: which are active, their coefficients, targets and bounds, and y = L^-T b. In: the positions
 * and velocities before the step. An impulse l of a row wants u = y.z = target - softness l, low <= l <= high.
 *
 *     limit       u >= -gap / h: the joint reaches its limit in this step, never passes it
 *     friction    u = 0 with |l| <= h times the friction loss
 *     coupling    u takes back a part of the error
 *     spring and servo on a tendon, servo on a ball or frame   l = h (f - k (length + h u) - d u), which is u + l /
 * (h^2 k + h d) = h (f - k length) / (h^2 k + h d): implicit, whatever the stiffness
 */
#include "dynamics/solver_tree.h"
#include "dynamics/tolerance.h"

static double clamped(double x, double most) { return abut_larger(-most, abut_smaller(most, x)); }

/* Sum of coefficients times positions; of a path its length. */
static double length_of(const AbutTrees *t, const AbutTreeRow *row) {
    double length = 0.0;
    if (row->path) return row->length;
    for (int32_t i = 0; i < row->term_count; ++i)
        length += t->term[row->first_term + i].coefficient * *t->term[row->first_term + i].position;
    return length;
}

static double speed_of(const AbutTrees *t, const AbutTreeRow *row) {
    double speed = 0.0;
    for (int32_t i = 0; i < row->term_count; ++i)
        speed += t->term[row->first_term + i].coefficient * t->start[t->term[row->first_term + i].dof];
    return speed;
}

/* A gap that must not close: active when it could in this step. */
static void set_gap(const AbutTrees *t, const AbutSolverTree *tree, AbutTreeRow *row, double gap, double h) {
    double fast = row->turns ? tree->turning : tree->speed;
    row->active = gap < h * (2.0 * fabs(speed_of(t, row)) + ABUT_LIMIT_SPEED * fast);
    row->target = gap > 0.0 ? -gap / h : abut_smaller(ABUT_ROW_SPEED * fast, -ABUT_ROW_BETA * gap / h);
    row->low = 0.0;
    row->high = INFINITY;
    if (!row->active) row->impulse = 0.0;
}

static void set_coupling(
    const AbutTrees *t, const AbutSolverTree *tree, AbutTreeRow *row, const AbutModel *model, double h) {
    const AbutEqualityDef *def = &model->equalities[row->number];
    const double *p = def->polynomial;
    AbutRowTerm *terms = t->term + row->first_term;
    double x = row->term_count > 1 ? *terms[1].position - model->joints[def->b].reference : 0.0;
    double value = p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4])));
    double slope = p[1] + x * (2.0 * p[2] + x * (3.0 * p[3] + x * 4.0 * p[4]));
    double error = *terms[0].position - model->joints[def->a].reference - value;
    if (row->term_count > 1) terms[1].coefficient = -slope;
    double fast = row->turns ? tree->turning : tree->speed;
    row->target = clamped(-ABUT_ROW_BETA * error / h, ABUT_ROW_SPEED * fast);
    row->low = -INFINITY;
    row->high = INFINITY;
}

/* Force f - k length - d speed along the row, implicit; not active where there is nothing but f. */
static void set_soft(AbutTreeRow *row, double f, double k, double d, double length, double h) {
    double gamma = h * h * k + h * d;
    row->active = row->soft = gamma > 0.0;
    row->target = row->active ? h * (f - k * length) / gamma : 0.0;
    row->softness = row->active ? 1.0 / gamma : 0.0;
    row->low = -INFINITY;
    row->high = INFINITY;
    if (!row->active) row->impulse = 0.0;
}

static void set_tendon_spring(const AbutTrees *t, AbutTreeRow *row, const AbutTendonDef *def, double h) {
    double length = length_of(t, row), rest = abut_larger(def->rest[0], abut_smaller(def->rest[1], length));
    double k = rest == length ? 0.0 : def->stiffness;
    set_soft(row, k * rest, k, def->damping, length, h);
}

/* A servo that is a row; forces that do not depend on length and speed are those of tree_drive.c. */
static void set_servo(AbutSimulation *sim, AbutTreeRow *row, const AbutActuatorDef *def, double h) {
    const AbutTrees *t = sim->trees;
    AbutActuatorLaw law = abut_actuator_law_now(sim, row->robot, row->number);
    int tendon = def->target == ABUT_TARGET_TENDON;
    double length = tendon ? length_of(t, row) : abut_servo_terms(sim, row), g = tendon ? def->gear[0] : 1.0,
           f = g * law.given;
    double k = abut_larger(0.0, -g * g * law.by_length), d = abut_larger(0.0, -g * g * law.by_speed);
    set_soft(row, f, k, d, length, h);
    if (def->force_limited) {
        row->low = h * abut_smaller(g * def->force_range[0], g * def->force_range[1]);
        row->high = h * abut_larger(g * def->force_range[0], g * def->force_range[1]);
    }
}

/* The turn of a ball must stay below its range; the row is along the axis of the turn. */
static void set_ball(
    const AbutTrees *t, const AbutSolverTree *tree, AbutTreeRow *row, const AbutJointDef *def, double h) {
    AbutRowTerm *terms = t->term + row->first_term;
    const AbutConfiguration *c = tree->c;
    int32_t move = 0;
    while (c->tree->moves[move].velocity != terms[0].dof - tree->first) ++move;
    const double *q = c->q + c->tree->moves[move].position;
    AbutVec3 turn = abut_quat_log(abut_quat(q[0], q[1], q[2], q[3]));
    double angle = abut_length(turn);
    AbutVec3 axis = angle > 0.0 ? abut_scale(turn, 1.0 / angle) : abut_axis(0);
    for (int k = 0; k < 3; ++k) terms[k].coefficient = -abut_get(axis, k);
    set_gap(t, tree, row, def->range[1] - angle, h);
}

static void set_friction(AbutTreeRow *row, double most) {
    row->target = 0.0;
    row->low = -most;
    row->high = most;
}

/* Everything but y. */
static void set_row(AbutSimulation *sim, const AbutSolverTree *tree, AbutTreeRow *row, double h) {
    const AbutTrees *t = sim->trees;
    const AbutModel *model = sim->scene->robot[row->robot].model;
    row->active = 1;
    row->softness = 0.0;
    row->soft = 0;
    if (row->path) {
        int32_t number = row->kind == ABUT_ROW_SERVO ? model->actuators[row->number].number : row->number;
        abut_path_terms(sim, row, &model->tendons[number]);
    }
    switch (row->kind) {
    case ABUT_ROW_COUPLING:
        set_coupling(t, tree, row, model, h);
        break;
    case ABUT_ROW_SERVO:
        set_servo(sim, row, &model->actuators[row->number], h);
        break;
    case ABUT_ROW_TENDON_SPRING:
        set_tendon_spring(t, row, &model->tendons[row->number], h);
        break;
    case ABUT_ROW_TENDON_FRICTION:
        set_friction(row, h * model->tendons[row->number].friction_loss);
        break;
    case ABUT_ROW_TENDON_LOW:
        set_gap(t, tree, row, length_of(t, row) - model->tendons[row->number].range[0], h);
        break;
    case ABUT_ROW_TENDON_HIGH:
        set_gap(t, tree, row, model->tendons[row->number].range[1] + length_of(t, row), h);
        break;
    case ABUT_ROW_FRICTION:
        set_friction(row, h * t->loss[row->number]);
        row->active = !row->locked;
        break;
    case ABUT_ROW_LOW:
        set_gap(t, tree, row, *t->term[row->first_term].position - row->limit, h);
        break;
    case ABUT_ROW_HIGH:
        set_gap(t, tree, row, row->limit - *t->term[row->first_term].position, h);
        break;
    case ABUT_ROW_BALL:
        set_ball(t, tree, row, &model->joints[row->number], h);
        break;
    }
}

static void set_response(AbutTrees *t, AbutTreeRow *row) {
    double *y = t->row_y + row->first, sum = row->softness;
    const int32_t *dof = t->row_dof + row->first;
    for (int32_t k = 0; k < row->count; ++k) {
        y[k] = 0.0;
        t->spot[dof[k]] = k;
    }
    for (int32_t i = 0; i < row->term_count; ++i)
        y[t->spot[t->term[row->first_term + i].dof]] += t->term[row->first_term + i].coefficient;
    abut_whiten(t, dof, row->count, y, 1);
    for (int32_t k = 0; k < row->count; ++k) sum += y[k] * y[k];
    row->inverse = sum > 0.0 ? 1.0 / sum : 0.0;
}

/* After an impact the impulse of a limit is far larger than what rest needs; it begins with so many steps of gravity.
 */
static double warm_most(const AbutSimulation *sim, const AbutTreeRow *row) {
    int limit = row->low == 0.0 && row->high == INFINITY;
    return limit ? ABUT_ROW_WARM * sim->constants.gravity_dt / row->weight * row->inverse : row->high;
}

void abut_rows_measure(AbutSimulation *sim, const AbutSolverTree *tree, double h) {
    for (int32_t i = 0; i < tree->row_count; ++i) set_row(sim, tree, &sim->trees->row[tree->first_row + i], h);
}

void abut_rows_set(AbutSimulation *sim, AbutSolverTree *tree, double h) {
    for (int32_t i = 0; i < tree->row_count; ++i) {
        AbutTreeRow *row = &sim->trees->row[tree->first_row + i];
        set_row(sim, tree, row, h);
        if (!row->active) continue;
        set_response(sim->trees, row);
        row->impulse = abut_larger(row->low, abut_smaller(warm_most(sim, row), row->impulse));
    }
}
