/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The attachment of a muscle, at loading: how fast a unit force accelerates it at the reference, and the least and
 * the largest length of its path within the limits of the joints. The extremes are found joint by joint, each on a grid
 * that is refined, until no joint changes them.
 */
#include <string.h>

#include "robot/actuator.h"
#include "robot/sensors.h"

enum { GRID = 16, REFINED = 24, ROUNDS = 6 };

typedef struct Measure {
    AbutConfiguration *c;
    const AbutActuatorDef *def;
    AbutSensed s;
    AbutPool pool;
    double *arm;     /* per velocity: change of the length */
    double *largest; /* of these at two states: 0 for what never moves the length */
} Measure;

static double length_now(Measure *m, double *speed) {
    abut_robot_update(m->c);
    abut_sense_again(m->c, &m->s);
    return abut_sensed_target(&m->s, m->def, speed);
}

/* The change of the length with each velocity. */
static void find_arms(Measure *m) {
    memset(m->c->v, 0, (size_t)m->c->tree->nv * sizeof *m->c->v);
    for (int32_t d = 0; d < m->c->tree->nv; ++d) {
        m->c->v[d] = 1.0;
        (void)length_now(m, &m->arm[d]);
        m->c->v[d] = 0.0;
    }
}

static double response(Measure *m) {
    double sum = 0.0;
    find_arms(m);
    abut_configuration_solve(m->c, m->arm);
    for (int32_t d = 0; d < m->c->tree->nv; ++d) sum += m->arm[d] * m->arm[d];
    return sqrt(sum);
}

static double length_at(Measure *m, double *q, double x) {
    double speed;
    *q = x;
    return length_now(m, &speed);
}

/* Moves one joint to where `sign` times the length is largest; the gain. */
static double climb(Measure *m, const AbutMove *move, double sign) {
    const AbutJointDef *joint = &m->c->tree->model->joints[move->joint];
    double *q = m->c->q + move->position, low = joint->range[0], high = joint->range[1], best = *q,
           most = sign * length_at(m, q, best), before = most;
    for (int round = 0; round < REFINED; ++round) {
        double step = (high - low) / GRID;
        for (int i = 0; i <= GRID; ++i) {
            double x = low + i * step, value = sign * length_at(m, q, x);
            if (value > most) most = value, best = x;
        }
        low = abut_larger(joint->range[0], best - step), high = abut_smaller(joint->range[1], best + step);
    }
    (void)length_at(m, q, best);
    return most - before;
}

static void note_arms(Measure *m) {
    find_arms(m);
    for (int32_t d = 0; d < m->c->tree->nv; ++d) m->largest[d] = abut_larger(m->largest[d], fabs(m->arm[d]));
}

/* Joints that change the length at the reference, or somewhere between the limits. */
static void find_movers(Measure *m) {
    note_arms(m);
    for (int32_t i = 0; i < m->c->tree->move_count; ++i) {
        const AbutMove *move = &m->c->tree->moves[i];
        const AbutJointDef *joint = move->joint >= 0 ? &m->c->tree->model->joints[move->joint] : NULL;
        if (joint && joint->limited && joint->kind != ABUT_JOINT_BALL)
            m->c->q[move->position] = joint->range[0] + 0.37 * (joint->range[1] - joint->range[0]);
    }
    note_arms(m);
}

/* A joint that moves the length has limits. */
static AbutStatus extreme(Measure *m, double sign, double *out, AbutError *error) {
    double gain = INFINITY, speed;
    abut_configuration_reset(m->c);
    for (int round = 0; round < ROUNDS && gain > 1e-12; ++round) {
        const double *arm = m->largest;
        gain = 0.0;
        for (int32_t i = 0; i < m->c->tree->move_count; ++i) {
            const AbutMove *move = &m->c->tree->moves[i];
            int32_t count = move->kind == ABUT_MOVE_FREE ? 6 : move->kind == ABUT_MOVE_BALL ? 3 : 1;
            double size = 0.0;
            for (int32_t k = 0; k < count; ++k) size = abut_larger(size, fabs(arm[move->velocity + k]));
            if (size < 1e-12) continue;
            const AbutJointDef *joint = move->joint >= 0 ? &m->c->tree->model->joints[move->joint] : NULL;
            if (!joint || !joint->limited || count > 1)
                return abut_fail(error, ABUT_ERROR_FORMAT,
                    "expected a length range, or limits of joint '%.60s' that moves it", joint ? joint->name : "free");
            gain += climb(m, move, sign);
        }
    }
    *out = length_now(m, &speed);
    return ABUT_OK;
}

static AbutStatus measure(Measure *m, AbutActuatorDef *def, AbutError *error) {
    int good = abut_sense_configuration(m->c, &m->pool, &m->s);
    m->arm = abut_pool_take_array(&m->pool, (size_t)m->c->tree->nv, sizeof *m->arm, &good);
    m->largest = abut_pool_take_array(&m->pool, (size_t)m->c->tree->nv, sizeof *m->largest, &good);
    if (!good) return abut_fail_memory(error);
    def->response = response(m);
    if (def->length_range[0] != def->length_range[1]) return ABUT_OK;
    find_movers(m);
    ABUT_TRY(extreme(m, -1.0, &def->length_range[0], error));
    return extreme(m, 1.0, &def->length_range[1], error);
}

AbutStatus abut_actuator_measure(const AbutModel *model, AbutActuatorDef *def, AbutError *error) {
    Measure m = {.def = def};
    const AbutTree *tree;
    ABUT_TRY(abut_tree_create(model, &tree, error));
    AbutStatus status = abut_configuration_create(tree, &m.c, error);
    abut_tree_release(tree);
    if (!status) status = measure(&m, def, error);
    abut_pool_free(&m.pool);
    abut_configuration_free(m.c);
    return status;
}

static void place_at_springs(AbutConfiguration *c) {
    for (int32_t i = 0; i < c->tree->move_count; ++i) {
        const AbutMove *move = &c->tree->moves[i];
        if (move->joint >= 0 && move->kind <= ABUT_MOVE_SLIDE)
            c->q[move->position] = c->tree->model->joints[move->joint].spring_reference;
    }
}

AbutStatus abut_tendon_rest(const AbutModel *model, const AbutTendonDef *def, double *out, AbutError *error) {
    AbutConfiguration *c = NULL;
    const AbutTree *tree;
    AbutSensed s;
    AbutPool pool = {0};
    double speed;
    ABUT_TRY(abut_tree_create(model, &tree, error));
    AbutStatus status = abut_configuration_create(tree, &c, error);
    abut_tree_release(tree);
    if (!status && !abut_sense_configuration(c, &pool, &s)) status = abut_fail_memory(error);
    if (!status) {
        place_at_springs(c);
        abut_robot_update(c);
        abut_sense_again(c, &s);
        *out = abut_sensed_length(&s, def, &speed);
    }
    abut_pool_free(&pool);
    abut_configuration_free(c);
    return status;
}
