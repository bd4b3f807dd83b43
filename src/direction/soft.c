/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The soft direction of two bodies.
 *
 * In: two soft bodies, the pose of B in A, a smoothing length tau. Out: direction, vector, soft distance D with its
 * gradient in six dimensions, nearest field value, rates of turning. Frame: A; directions from A to B.
 *
 * 1. The points without area give `nearest`, the least value of the field of the other body.
 * 2. A walk through the samples of both bodies keeps those whose field value phi is within 9 tau of it.
 * 3. D solves  sum a t^6 = tau^2  with t = 1 - (phi - D) / (6 tau) where that is positive. The sixth root of the sum is
 *    convex in D, so that Newton's method cannot go wrong.
 * 4. Vector: sum of t^5 times the area vectors of A, less those of B, over W = sum a t^5. Gradient of D: the weighted
 *    mean of the gradients of phi.
 * Every sum is a Lipschitz function of the pose; docs/theory/direction.md tells why, and what follows.
 */
#include "direction/field.h"
#include "mesh/pair.h"

#include <string.h>

/* One body as the other sees it. */
typedef struct Side {
    const AbutSoftBody *body;
    AbutSoftGrid other; /* field that its samples are looked up in */
    AbutMat3 to_other;  /* its coordinates to those of the other body */
    AbutVec3 offset;
    double slack; /* the other field differs from a 1-Lipschitz function by this, twice */
} Side;

typedef struct Query {
    Side side[2]; /* samples of A, samples of B */
    AbutMat3 r;   /* B to A */
    AbutVec3 p;
    double tau, nearest, cut;
    AbutAabb region;    /* of the hits, frame of A */
    double *phi, *area; /* of the hits */
    int32_t *item;      /* sample of A, or ~sample of B */
    int32_t hits;
    int64_t evaluations;
} Query;

static AbutSoft no_answer(AbutSoftOutcome outcome)
{
    AbutSoft out;
    memset(&out, 0, sizeof out);
    out.outcome = outcome;
    return out;
}

static AbutSoft invalid(void)
{
    AbutSoft out = no_answer(ABUT_SOFT_INVALID);
    out.direction = out.vector = out.gradient_move = out.gradient_turn = abut_vec3(NAN, NAN, NAN);
    out.distance = out.nearest = out.confidence = out.coherence = out.rate_move = out.rate_turn = out.tau = NAN;
    return out;
}

/* ---- walk -------------------------------------------------------------------------------------------------------- */

static AbutVec3 in_other(const Side *s, AbutVec3 p)
{
    return abut_add(abut_mat3_apply(s->to_other, p), s->offset);
}

static double field_at(Query *q, const Side *s, AbutVec3 p)
{
    ++q->evaluations;
    return abut_soft_value(&s->other, in_other(s, p));
}

/* Below every field value in the ball of a node. */
static double bound_of(Query *q, const Side *s, const AbutSoftNode *node)
{
    double most = abut_smaller(ABUT_SOFT_LIPSCHITZ * node->radius, node->radius + s->slack);
    return field_at(q, s, node->center) - most;
}

static void visit_points(Query *q, const Side *s, const AbutSoftNode *leaf)
{
    const AbutVec3 *points = abut_soft_points(s->body);
    for (int32_t i = leaf->first; i < leaf->first + leaf->count; ++i)
        q->nearest = abut_smaller(field_at(q, s, points[i]), q->nearest);
}

static void visit_nearest(Query *q, const Side *s, const AbutSoftNode *leaf)
{
    const AbutSoftSample *samples = abut_soft_samples(s->body);
    for (int32_t i = leaf->first; i < leaf->first + leaf->count; ++i)
        q->nearest = abut_smaller(field_at(q, s, samples[i].p), q->nearest);
}

static void visit_samples(Query *q, const Side *s, const AbutSoftNode *leaf)
{
    const AbutSoftSample *samples = abut_soft_samples(s->body);
    int of_a = s == &q->side[0];
    for (int32_t i = leaf->first; i < leaf->first + leaf->count; ++i) {
        AbutVec3 there = in_other(s, samples[i].p);
        double phi = abut_soft_value(&s->other, there);
        ++q->evaluations;
        if (!(phi <= q->nearest + q->cut))
            continue;
        q->nearest = abut_smaller(phi, q->nearest);
        q->phi[q->hits] = phi;
        q->area[q->hits] = samples[i].area;
        q->item[q->hits++] = of_a ? i : ~i;
        q->region = abut_aabb_add(q->region, of_a ? samples[i].p : there);
    }
}

typedef void Visit(Query *q, const Side *s, const AbutSoftNode *leaf);

/* All leaves that may hold a field value up to `cut` above the nearest, likely ones first. */
static void walk(Query *q, const Side *s, const AbutSoftNode *nodes, double cut, Visit *visit)
{
    struct {
        int32_t node;
        double bound;
    } stack[ABUT_SOFT_DEPTH];
    int count = 1;
    stack[0].node = 0, stack[0].bound = -INFINITY;
    while (count > 0) {
        --count;
        if (stack[count].bound > q->nearest + cut)
            continue;
        int32_t id = stack[count].node;
        if (nodes[id].right < 0) {
            visit(q, s, &nodes[id]);
            continue;
        }
        int32_t child[2] = {id + 1, nodes[id].right};
        double bound[2] = {bound_of(q, s, &nodes[child[0]]), bound_of(q, s, &nodes[child[1]])};
        int first = bound[1] < bound[0]; /* the nearer one is pushed last */
        for (int k = 0; k < 2; ++k, ++count)
            stack[count].node = child[k ^ first ^ 1], stack[count].bound = bound[k ^ first ^ 1];
    }
}

static void find_nearest(Query *q, int samples_too)
{
    for (int k = 0; k < 2; ++k)
        walk(q, &q->side[k], abut_soft_point_nodes(q->side[k].body), 0.0, visit_points);
    for (int k = 0; k < 2 && samples_too; ++k)
        walk(q, &q->side[k], abut_soft_sample_nodes(q->side[k].body), 0.0, visit_nearest);
}

static void collect(Query *q)
{
    q->hits = 0;
    q->region = abut_aabb_empty();
    for (int k = 0; k < 2; ++k)
        walk(q, &q->side[k], abut_soft_sample_nodes(q->side[k].body), q->cut, visit_samples);
}

/* ---- soft distance ----------------------------------------------------------------------------------------------- */

static double sixth_root(double x)
{
    return abut_cbrt(sqrt(x));
}

/* Step of Newton's method from D downward; NaN where no sample has weight. */
static double step_down(const Query *q, double d)
{
    double s = 0.0, s1 = 0.0, per = 1.0 / (ABUT_SOFT_SUPPORT * q->tau), unit = 1.0 / (q->tau * q->tau);
    for (int32_t i = 0; i < q->hits; ++i) {
        double t = abut_larger(1.0 - (q->phi[i] - d) * per, 0.0), t2 = t * t, w = q->area[i] * (t2 * t2 * t);
        s1 += w;
        s += w * t;
    }
    return s > 0.0 ? ABUT_SOFT_SUPPORT * q->tau * (s / s1) * (1.0 - 1.0 / sixth_root(s * unit)) : NAN;
}

/* NaN when there is none. */
static double solve_distance(const Query *q)
{
    enum { MOST = 100 };
    double d = q->nearest;
    for (int k = 0; k < MOST; ++k) {
        double step = step_down(q, d);
        step = isnan(step) ? -ABUT_SOFT_SUPPORT * q->tau : step;
        d -= step;
        if (fabs(step) <= abut_larger(ABUT_SOFT_SETTLED * q->tau, 4e-16 * fabs(d)))
            return d;
    }
    return NAN;
}

/* The hits, and D from them; walks again in the rare case that the weight reaches beyond what was looked at. */
static double settle(Query *q)
{
    enum { WALKS = 8 };
    for (int k = 0; k < WALKS; ++k) {
        collect(q);
        double d = q->hits > 0 ? solve_distance(q) : NAN;
        if (isnan(d) || d + ABUT_SOFT_SUPPORT * q->tau <= q->nearest + q->cut)
            return d;
        q->cut = d - q->nearest + (ABUT_SOFT_SUPPORT + 1.0) * q->tau;
    }
    return NAN;
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

typedef struct Sums {
    AbutVec3 force, move, turn;
    double moment[6], near_area, most;
    int32_t count;
} Sums;

static void add_moments(double t, double area, Sums *out)
{
    for (int k = 0; k < 6; ++k, area *= t)
        out->moment[k] += area;
    out->most = abut_larger(t, out->most);
    ++out->count;
}

static void add_hit(const Query *q, int32_t item, double t, Sums *out)
{
    int of_b = item < 0;
    const Side *side = &q->side[of_b];
    const AbutSoftSample *s = &abut_soft_samples(side->body)[of_b ? ~item : item];
    AbutVec3 there = in_other(side, s->p), g;
    (void)abut_soft_value_gradient(&side->other, there, &g);
    double t2 = t * t, weight = t2 * t2 * t;
    AbutVec3 normal = of_b ? abut_mat3_apply(q->r, s->area_vector) : s->area_vector;
    AbutVec3 place = of_b ? there : s->p;
    g = of_b ? g : abut_neg(abut_mat3_apply(q->r, g)); /* of phi as B moves, axes of A */
    out->force = abut_add_scaled(out->force, normal, of_b ? -weight : weight);
    out->move = abut_add_scaled(out->move, g, s->area * weight);
    out->turn = abut_add_scaled(out->turn, abut_cross(abut_sub(place, q->p), g), s->area * weight);
    add_moments(t, s->area, out);
}

static Sums sum_up(const Query *q, double d)
{
    Sums out;
    double per = 1.0 / (ABUT_SOFT_SUPPORT * q->tau);
    memset(&out, 0, sizeof out);
    for (int32_t i = 0; i < q->hits; ++i) {
        double t = 1.0 - (q->phi[i] - d) * per;
        if (t > 0.0)
            add_hit(q, q->item[i], t, &out);
        else
            out.near_area += q->area[i];
    }
    return out;
}

static AbutSoftCertificate certificate_of(const Query *q, const Sums *s, double d, int adaptive)
{
    AbutSoftCertificate c;
    const AbutSoftBody *a = q->side[0].body, *b = q->side[1].body;
    double apart = abut_distance(a->center, abut_add(abut_mat3_apply(q->r, b->center), q->p));
    double far = b->radius + 1.4143 * abut_larger(q->nearest + q->cut, 0.0) + 2.0 * b->step;
    memset(&c, 0, sizeof c);
    memcpy(c.moment, s->moment, sizeof c.moment);
    c.near_area = s->near_area;
    c.most = s->most;
    c.center = abut_lerp(q->region.min, q->region.max, 0.5);
    c.radius = 0.5 * abut_distance(q->region.min, q->region.max);
    c.spare = (q->nearest + q->cut - d) / (ABUT_SOFT_SUPPORT * q->tau) - 1.0;
    c.lever = abut_larger(b->radius, abut_smaller(far, apart + a->radius));
    c.tau = q->tau;
    c.slack = abut_larger(q->side[0].slack, q->side[1].slack);
    c.adaptive = adaptive;
    return c;
}

static AbutSoft finish(const Query *q, double d, int adaptive)
{
    Sums s = sum_up(q, d);
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
    out.outcome = out.confidence < ABUT_SOFT_CONFIDENT ? ABUT_SOFT_UNDECIDED : ABUT_SOFT_CLEAR;
    out.rate_move = 5.0 / 3.0 * ABUT_SOFT_LIPSCHITZ * s.moment[4] / (q->tau * force);
    out.rate_turn = w / force;
    out.certificate = certificate_of(q, &s, d, adaptive);
    return out;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

size_t abut_soft_size(const AbutSoftBody *a, const AbutSoftBody *b)
{
    ABUT_ASSERT(a && b);
    return ((size_t)a->sample_count + (size_t)b->sample_count) * (2 * sizeof(double) + sizeof(int32_t));
}

static void open_query(Query *q, const AbutSoftBody *a, const AbutSoftBody *b, AbutPose b_in_a, void *workspace)
{
    size_t most = (size_t)a->sample_count + (size_t)b->sample_count;
    memset(q, 0, sizeof *q);
    q->r = abut_quat_to_mat3(b_in_a.q);
    q->p = b_in_a.p;
    q->side[0] = (Side){a, abut_soft_grid_open(b), abut_mat3_transpose(q->r), abut_neg(abut_mat3_apply_t(q->r, q->p)),
        2.0 * ABUT_SOFT_FIELD_OFF * b->step};
    q->side[1] = (Side){b, abut_soft_grid_open(a), q->r, q->p, 2.0 * ABUT_SOFT_FIELD_OFF * a->step};
    q->phi = workspace;
    q->area = q->phi + most;
    q->item = (int32_t *)(void *)(q->area + most);
    q->nearest = INFINITY;
}

/* A quarter of the distance, but no more than a quarter of the smaller diameter: beyond it both sides cancel. */
static double adapted(const Query *q, double tau)
{
    double most = ABUT_SOFT_ADAPT * 2.0 * abut_smaller(q->side[0].body->radius, q->side[1].body->radius);
    return abut_larger(tau, abut_smaller(ABUT_SOFT_ADAPT * q->nearest, most));
}

AbutSoft abut_soft_direction(
    const AbutSoftBody *a, const AbutSoftBody *b, AbutPose b_in_a, const AbutSoftDef *def, void *workspace)
{
    static const AbutSoftDef usual = {0.0, 0, 0};
    Query q;
    ABUT_ASSERT(a && b && workspace);
    def = def ? def : &usual;
    double least = abut_larger(a->spacing, b->spacing), tau = def->tau == 0.0 ? abut_larger(a->tau, b->tau) : def->tau;
    if (!abut_mesh_pose_is_good(b_in_a) || abut_max_abs(b_in_a.p) > ABUT_QUERY_LARGEST || !(tau >= least) ||
        !(tau <= ABUT_SOFT_LENGTH))
        return invalid();
    open_query(&q, a, b, b_in_a, workspace);
    find_nearest(&q, def->adaptive);
    q.tau = def->adaptive ? adapted(&q, tau) : tau;
    q.cut = ABUT_SOFT_CUT * q.tau;
    if (!(fabs(q.nearest) <= ABUT_SOFT_FARTHEST * tau))
        return invalid();
    double d = settle(&q);
    return isnan(d) ? invalid() : finish(&q, d, def->adaptive);
}

const char *abut_soft_outcome_name(AbutSoftOutcome outcome)
{
    static const char *const names[ABUT_SOFT_OUTCOME_COUNT] = {"clear", "undecided", "none", "invalid"};
    ABUT_ASSERT(outcome >= 0 && outcome < ABUT_SOFT_OUTCOME_COUNT);
    return names[outcome];
}
