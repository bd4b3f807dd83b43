/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The soft direction of two bodies.
 *
 * In: two soft bodies, the pose of B in A, a smoothing length tau. Out: direction, vector, soft distance D with its
 * gradient in six dimensions, nearest field value, rates of turning. Frame: A; directions from A to B.
 *
 * 1. The points without area give `nearest`, the least value of the field of the other body.
 * 2. A walk through the samples of both bodies keeps those whose field value phi is within 6 tau of it, which is far
 *    enough where D is a little below it, as almost always; where not, another walk goes farther.
 * 3. D solves  sum a t^6 = tau^2  with t = 1 - (phi - D) / (6 tau) where that is positive. The sixth root of the sum is
 *    convex in D, so that Newton's method cannot go wrong.
 * 4. Vector: sum of t^5 times the area vectors of A, less those of B, over W = sum a t^5. Gradient of D: the weighted
 *    mean of the gradients of phi.
 * Every sum is a Lipschitz function of the pose; docs/theory/direction.md tells why, and what follows.
 */
#include "direction/soft_query.h"
#include "math/functions.h"
#include "mesh/mesh_pair.h"

#include <string.h>

static AbutSoft no_answer(AbutSoftOutcome outcome) {
    AbutSoft out;
    memset(&out, 0, sizeof out);
    out.outcome = outcome;
    return out;
}

static AbutSoft invalid(void) {
    AbutSoft out = no_answer(ABUT_SOFT_INVALID);
    out.direction = out.vector = out.gradient_move = out.gradient_turn = abut_vec3(NAN, NAN, NAN);
    out.distance = out.nearest = out.confidence = out.coherence = out.rate_move = out.rate_turn = out.tau = NAN;
    return out;
}

/* ---- soft distance ----------------------------------------------------------------------------------------------- */

static double sixth_root(double x) { return abut_cbrt(sqrt(x)); }

/* Step of Newton's method from D downward; NaN where no sample has weight. */
static double step_down(const AbutSoftSearch *q, double d) {
    double s = 0.0, s1 = 0.0, per = 1.0 / (ABUT_SOFT_SUPPORT * q->tau), unit = 1.0 / (q->tau * q->tau);
    for (int32_t i = 0; i < q->hits; ++i) {
        double t = abut_larger(1.0 - (q->phi[i] - d) * per, 0.0), t2 = t * t, w = q->area[i] * (t2 * t2 * t);
        s1 += w;
        s += w * t;
    }
    return s > 0.0 ? ABUT_SOFT_SUPPORT * q->tau * (s / s1) * (1.0 - 1.0 / sixth_root(s * unit)) : NAN;
}

/* NaN when there is none. */
static double solve_distance(const AbutSoftSearch *q) {
    enum { MOST = 100 };
    double d = q->nearest;
    for (int k = 0; k < MOST; ++k) {
        double step = step_down(q, d);
        step = isnan(step) ? -ABUT_SOFT_SUPPORT * q->tau : step;
        d -= step;
        if (fabs(step) <= abut_larger(ABUT_SOFT_SETTLED * q->tau, 4e-16 * fabs(d))) return d;
    }
    return NAN;
}

/* The hits, and D from them; walks again in the rare case that the weight reaches beyond what was looked at. */
static double settle(AbutSoftSearch *q) {
    enum { WALKS = 8 };
    for (int k = 0; k < WALKS; ++k) {
        abut_soft_unit()->collect(q);
        double d = q->hits > 0 ? solve_distance(q) : NAN;
        if (isnan(d) || d + ABUT_SOFT_LOOKED_AT * q->tau <= q->nearest + q->cut) return d;
        q->cut = d - q->nearest + (ABUT_SOFT_LOOKED_AT + 0.5) * q->tau;
    }
    return NAN;
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

static struct AbutSoftCertificate certificate_of(
    const AbutSoftSearch *q, const AbutSoftSums *s, double d, int adaptive) {
    struct AbutSoftCertificate c;
    const AbutSoftBody *a = q->side[0].body, *b = q->side[1].body;
    double apart = abut_point_distance(a->center, abut_add(abut_mat3_apply(q->r, b->center), q->p));
    double far = b->radius + 1.4143 * abut_larger(q->nearest + q->cut, 0.0) + 2.0 * b->step;
    memset(&c, 0, sizeof c);
    memcpy(c.moment, s->moment, sizeof c.moment);
    c.near_area = s->near_area;
    c.most = s->most;
    c.center = abut_lerp(q->region.min, q->region.max, 0.5);
    c.radius = 0.5 * abut_point_distance(q->region.min, q->region.max);
    c.spare = (q->nearest + q->cut - d) / (ABUT_SOFT_SUPPORT * q->tau) - 1.0;
    c.lever = abut_larger(b->radius, abut_smaller(far, apart + a->radius));
    c.tau = q->tau;
    c.slack = abut_larger(q->side[0].slack, q->side[1].slack);
    c.adaptive = adaptive;
    return c;
}

static AbutSoft finish(const AbutSoftSearch *q, AbutPose b_in_a, double d, int adaptive) {
    AbutSoftSums s = abut_soft_unit()->sum_up(q, d);
    double w = s.moment[5], force = abut_length(s.force);
    AbutSoft out = no_answer(ABUT_SOFT_CLEAR);
    out.distance = d, out.nearest = q->nearest, out.tau = q->tau;
    out.samples = s.count, out.evaluations = q->evaluations + s.count;
    out.gradient_move = abut_scale(s.move, 1.0 / w);
    out.gradient_turn = abut_scale(s.turn, 1.0 / w);
    out.confidence = abut_length(out.gradient_move);
    if (!(force >= ABUT_SOFT_COHERENT * w)) {
        out.outcome = ABUT_SOFT_NONE;
        return out;
    }
    out.coherence = force / w;
    out.direction = abut_normalize(s.force);
    out.vector = abut_scale(s.force, 1.0 / w);
    double least = out.coherence < ABUT_SOFT_CANCELED ? ABUT_SOFT_SURE : ABUT_SOFT_CONFIDENT;
    out.outcome = out.confidence < least ? ABUT_SOFT_UNDECIDED : ABUT_SOFT_CLEAR;
    out.certificate = certificate_of(q, &s, d, adaptive);
    abut_soft_set_rates(q->side[1].body, b_in_a, &out);
    return out;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

size_t abut_soft_size(const AbutSoftBody *a, const AbutSoftBody *b) {
    ABUT_ASSERT(a && b);
    return ((size_t)a->sample_count + (size_t)b->sample_count) * (2 * sizeof(double) + sizeof(int32_t));
}

/* These numbers, four to a row, for vector units. */
static void fill_lanes(AbutSoftSide *s) {
    const AbutVec3 row[6] = {s->to_other.x, s->to_other.y, s->to_other.z, s->offset, s->other.origin, s->other.high};
    double *out[6] = {s->column[0], s->column[1], s->column[2], s->shift, s->low, s->high};
    for (int k = 0; k < 18; ++k) out[k / 3][k % 3] = abut_get(row[k / 3], k % 3);
}

static void open_query(
    AbutSoftSearch *q, const AbutSoftBody *a, const AbutSoftBody *b, AbutPose b_in_a, void *workspace) {
    size_t most = (size_t)a->sample_count + (size_t)b->sample_count;
    memset(q, 0, sizeof *q);
    q->r = abut_quat_to_mat3(b_in_a.q);
    q->p = b_in_a.p;
    q->side[0] = (AbutSoftSide){.body = a,
        .other = abut_soft_grid_open(b),
        .to_other = abut_mat3_transpose(q->r),
        .offset = abut_neg(abut_mat3_apply_t(q->r, q->p)),
        .slack = 2.0 * ABUT_SOFT_FIELD_OFF * b->step};
    q->side[1] = (AbutSoftSide){.body = b,
        .other = abut_soft_grid_open(a),
        .to_other = q->r,
        .offset = q->p,
        .slack = 2.0 * ABUT_SOFT_FIELD_OFF * a->step};
    fill_lanes(&q->side[0]), fill_lanes(&q->side[1]);
    q->phi = workspace;
    q->area = q->phi + most;
    q->item = (int32_t *)(void *)(q->area + most);
    q->nearest = INFINITY;
}

/* A quarter of the distance, but no more than a quarter of the smaller diameter: beyond it both sides cancel. */
static double adapted(const AbutSoftSearch *q, double tau) {
    double most = ABUT_SOFT_ADAPT * 2.0 * abut_smaller(q->side[0].body->radius, q->side[1].body->radius);
    return abut_larger(tau, abut_smaller(ABUT_SOFT_ADAPT * q->nearest, most));
}

AbutSoft abut_soft_direction(
    const AbutSoftBody *a, const AbutSoftBody *b, AbutPose b_in_a, const AbutSoftDef *def, void *workspace) {
    static const AbutSoftDef usual = {0.0, 0, 0};
    AbutSoftSearch q;
    ABUT_ASSERT(a && b && workspace);
    def = def ? def : &usual;
    double least = abut_larger(a->spacing, b->spacing), tau = def->tau == 0.0 ? abut_larger(a->tau, b->tau) : def->tau;
    if (!abut_mesh_pose_is_good(b_in_a) || abut_max_abs(b_in_a.p) > ABUT_QUERY_LARGEST || !(tau >= least) ||
        !(tau <= ABUT_SOFT_LENGTH))
        return invalid();
    open_query(&q, a, b, b_in_a, workspace);
    abut_soft_unit()->find_nearest(&q, def->adaptive);
    q.tau = def->adaptive ? adapted(&q, tau) : tau;
    q.cut = ABUT_SOFT_CUT * q.tau;
    if (!(fabs(q.nearest) <= ABUT_SOFT_FARTHEST * tau)) return invalid();
    double d = settle(&q);
    return isnan(d) ? invalid() : finish(&q, b_in_a, d, def->adaptive);
}

const char *const abut_soft_outcome_names[ABUT_SOFT_OUTCOME_COUNT + 1] = {
    "clear", "undecided", "none", "invalid", NULL};

double abut_soft_potential(const AbutSoft *soft, double stiffness, double reach, AbutVec3 *force, AbutVec3 *torque) {
    ABUT_ASSERT(soft && force && torque);
    *force = *torque = abut_zero();
    if (soft->outcome == ABUT_SOFT_INVALID) return 0.0;
    double in = abut_larger(reach - soft->distance, 0.0);
    *force = abut_scale(soft->gradient_move, stiffness * in);
    *torque = abut_scale(soft->gradient_turn, stiffness * in);
    return 0.5 * stiffness * in * in;
}
