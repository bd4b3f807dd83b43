/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The certificate. In: a problem, a trajectory, a level. For every piece of the trajectory the interval is halved until
 * for every pair the bound of certificate_bound.c lies above the level (proved), or the distance at the middle does not
 * (contact), or the interval is too short (undecided). One posture serves all pairs that are still open. The bound is
 * tried with capsules around the pieces first, then with the normal of the exact distance. Surfaces of triangles are
 * asked by surface.c; their inside counts at the start, from where a piece cannot get into it. The edges of the support
 * polygon are open in the same way: the centre of mass moves by at most h |velocity| + h^2/2 bound of its acceleration.
 * Out: the answer for each pair, and for balance.
 */
#include "plan/certify.h"

#include <string.h>

/* Intervals are not halved beyond this part of a piece. */
static const double SHORTEST = 1.0 / (1 << 22);
enum { LEVELS = 24 };
static const int64_t BUDGET = 5000000;

static const char *const names[ABUT_CERTIFICATE_STATUS_COUNT] = {
    "clear", "contact", "undecided", "nothing to check", "clear_except"};

const char *abut_certificate_status_name(AbutCertificateStatus status)
{
    ABUT_ASSERT((unsigned)status < ABUT_CERTIFICATE_STATUS_COUNT);
    return names[status];
}

typedef struct Proof {
    const AbutPlanProblem *problem;
    const AbutTrajectory *trajectory;
    double level;
    int64_t budget;
    AbutPlanMoment moment;
    double from, to;             /* the interval, as parts of the whole time */
    AbutConvexCache *caches;     /* per item */
    AbutPairCertificate *pairs;  /* times in the trajectory's */
    AbutPlanCenterMotion center; /* over the interval, where edges are open */
    AbutCertificate *out;
} Proof;

/* ---- one item over one interval ---------------------------------------------------------------------------------- */

static double time_of(const Proof *proof, int32_t piece, double x)
{
    double a = proof->trajectory->times[piece], b = proof->trajectory->times[piece + 1];
    return a + x * (b - a);
}

static double part_of(const Proof *proof, double t)
{
    const AbutTrajectory *x = proof->trajectory;
    double part = (t - x->times[0]) / (x->times[x->piece_count] - x->times[0]);
    return fmin(fmax(part, 0.0), 1.0);
}

/* May a pair meet in the middle of the interval, or in all of it? */
static int may_meet_amid(const Proof *proof, int32_t pair)
{
    return abut_plan_may_meet(proof->problem, pair, 0.5 * (proof->from + proof->to));
}

static int may_meet_throughout(const Proof *proof, int32_t pair)
{
    return abut_plan_may_meet(proof->problem, pair, proof->from) && abut_plan_may_meet(proof->problem, pair, proof->to);
}

static void worsen(AbutPairCertificate *pair, AbutCertificateStatus status, double t)
{
    if (status == ABUT_CERTIFICATE_CONTACT) {
        pair->status = status;
        pair->first = fmin(pair->first, t);
    } else if (pair->status == ABUT_CERTIFICATE_CLEAR) {
        pair->status = status;
        pair->undecided_at = t;
    }
    pair->lb = -INFINITY;
}

static int is_proved(AbutPairCertificate *pair, double bound, double level, double t)
{
    if (!(bound > level))
        return 0;
    if (pair->status == ABUT_CERTIFICATE_CLEAR && bound < pair->lb) {
        pair->lb = bound;
        pair->t = pair->ub < INFINITY ? pair->t : t;
    }
    return 1;
}

/* Is it no use, or too much, to halve the interval? */
static int is_last(const Proof *proof, int32_t joints)
{
    return joints == 0 || proof->moment.h < SHORTEST || proof->out->bounds >= proof->budget;
}

static void measure(AbutPairCertificate *pair, double distance, double t)
{
    if (distance < pair->ub) {
        pair->ub = distance;
        pair->t = t;
    }
}

/* Is nothing more to be asked about an item in this interval? */
static int is_done(Proof *proof, int32_t i, double t)
{
    const AbutPlanProblem *problem = proof->problem;
    const AbutPlanItem *item = &problem->items[i];
    const AbutPlanMoment *m = &proof->moment;
    AbutPairCertificate *pair = &proof->pairs[item->pair];
    if (may_meet_throughout(proof, item->pair))
        return 1;
    double bend = abut_plan_item_bend(problem, item, m);
    AbutVec3 n = abut_plan_item_direction(problem, item, &m->at);
    ++proof->out->bounds;
    if (is_proved(pair, abut_plan_item_bound(problem, item, m, n, 1, bend), proof->level, t))
        return 1;
    AbutPlanDistance d = abut_plan_item_distance(problem, item, &m->at, &proof->caches[i]);
    ++proof->out->distances;
    int free = may_meet_amid(proof, item->pair);
    if (!free)
        measure(pair, d.distance, t);
    if (d.distance <= proof->level && !free) {
        worsen(pair, ABUT_CERTIFICATE_CONTACT, t);
        return 1;
    }
    n = problem->pieces[item->b].flat ? n : d.normal;
    if (is_proved(pair, abut_plan_item_bound(problem, item, m, n, 0, bend), proof->level, t))
        return 1;
    if (!is_last(proof, item->count_a + item->count_b))
        return 0;
    worsen(pair, ABUT_CERTIFICATE_UNDECIDED, t);
    return 1;
}

/* The same of a piece and a surface. */
static int is_facing_done(Proof *proof, int32_t i, double t)
{
    const AbutPlanFacing *facing = &proof->problem->facings[i];
    AbutPairCertificate *pair = &proof->pairs[facing->pair];
    if (may_meet_throughout(proof, facing->pair))
        return 1;
    int free = may_meet_amid(proof, facing->pair);
    AbutPlanFaced x = abut_plan_facing_prove(proof->problem, facing, &proof->moment, proof->level);
    proof->out->bounds += x.boxes;
    proof->out->triangles += x.triangles;
    proof->out->distances += x.triangles;
    if (!free)
        measure(pair, x.ub, t);
    else if (x.status == ABUT_CERTIFICATE_CONTACT)
        x.status = ABUT_CERTIFICATE_UNDECIDED;
    if (x.status == ABUT_CERTIFICATE_CLEAR && is_proved(pair, x.lb, proof->level, t))
        return 1;
    if (x.status != ABUT_CERTIFICATE_CONTACT && !is_last(proof, facing->count))
        return 0;
    worsen(pair, x.status == ABUT_CERTIFICATE_CONTACT ? x.status : ABUT_CERTIFICATE_UNDECIDED, t);
    return 1;
}

/* Is a piece inside a closed surface at a time? */
static void look_inside_at(Proof *proof, const AbutPlanFacing *facing, double t)
{
    const AbutTrajectory *x = proof->trajectory;
    int32_t k = 0;
    while (k + 1 < x->piece_count && t > x->times[k + 1])
        ++k;
    double at = (t - x->times[k]) / (x->times[k + 1] - x->times[k]);
    abut_plan_moment_set(proof->problem, x, k, at, at, &proof->moment);
    if (!abut_plan_facing_is_inside(proof->problem, facing, &proof->moment.at))
        return;
    measure(&proof->pairs[facing->pair], 0.0, t);
    worsen(&proof->pairs[facing->pair], ABUT_CERTIFICATE_CONTACT, t);
}

/* Pieces that are inside a closed surface at the beginning, or when they may no longer meet. */
static void look_inside(Proof *proof)
{
    const AbutPlanProblem *p = proof->problem;
    double begin = proof->trajectory->times[0], end = proof->trajectory->times[proof->trajectory->piece_count];
    for (int32_t i = 0; i < p->facing_count; ++i) {
        const AbutPlanFacing *facing = &p->facings[i];
        const AbutPlanSpan *span = p->spans ? &p->spans[facing->pair] : NULL;
        if (!abut_plan_may_meet(p, facing->pair, 0.0))
            look_inside_at(proof, facing, begin);
        if (span && span->to > span->from && span->to < 1.0)
            look_inside_at(proof, facing, begin + span->to * (end - begin));
    }
}

/* The same of the centre of mass and an edge of the support polygon. */
static int is_edge_done(Proof *proof, int32_t e, double t)
{
    const AbutPlanEdge *edge = &proof->problem->edges[e];
    const AbutPlanCenterMotion *c = &proof->center;
    AbutPairCertificate *balance = &proof->out->balance;
    double inside = abut_plan_edge_inside(edge, c->center), h = proof->moment.h;
    double drift = fabs(edge->x * c->velocity.x + edge->y * c->velocity.y);
    ++proof->out->bounds;
    if (inside < balance->ub) {
        balance->ub = inside;
        balance->t = t;
        proof->out->edge = e;
    }
    if (!(inside > proof->level)) {
        worsen(balance, ABUT_CERTIFICATE_CONTACT, t);
        return 1;
    }
    if (is_proved(balance, inside - h * drift - 0.5 * h * h * c->bend - proof->moment.slack, proof->level, t))
        return 1;
    if (!is_last(proof, 1))
        return 0;
    worsen(balance, ABUT_CERTIFICATE_UNDECIDED, t);
    return 1;
}

/* ---- all items over one interval --------------------------------------------------------------------------------- */

static int is_any_done(Proof *proof, int32_t i, double t)
{
    int32_t items = proof->problem->item_count, facings = proof->problem->facing_count;
    if (i < items)
        return is_done(proof, i, t);
    return i < items + facings ? is_facing_done(proof, i - items, t) : is_edge_done(proof, i - items - facings, t);
}

/* `open` lists `count` items, then facings counted on from the items, then edges; behind them there is room for as many
 * for each level to come. */
static void prove(Proof *proof, int32_t piece, double from, double to, int32_t *open, int32_t count)
{
    int32_t *rest = open + count, left = 0;
    double middle = 0.5 * (from + to);
    abut_plan_moment_set(proof->problem, proof->trajectory, piece, from, to, &proof->moment);
    proof->from = part_of(proof, time_of(proof, piece, from));
    proof->to = part_of(proof, time_of(proof, piece, to));
    ++proof->out->poses;
    proof->out->shortest = fmin(proof->out->shortest, to - from);
    if (open[count - 1] >= proof->problem->item_count + proof->problem->facing_count)
        proof->center = abut_plan_center_motion(proof->problem, &proof->moment);
    for (int32_t i = 0; i < count; ++i) {
        double t = time_of(proof, piece, middle);
        if (!is_any_done(proof, open[i], t))
            rest[left++] = open[i];
    }
    if (left == 0)
        return;
    prove(proof, piece, from, middle, rest, left);
    prove(proof, piece, middle, to, rest, left);
}

/* Pairs that bounds alone were enough for: their distance where the bound was least. */
static void measure_rest(Proof *proof, double *joints)
{
    const AbutPlanProblem *problem = proof->problem;
    for (int32_t k = 0; k < problem->pair_count; ++k) {
        AbutPairCertificate *pair = &proof->pairs[k];
        if (pair->ub < INFINITY || !isfinite(pair->t))
            continue;
        abut_trajectory_value(proof->trajectory, pair->t, 0, joints);
        abut_plan_pick_joints(problem, joints, proof->moment.q);
        abut_plan_tree_place(&problem->tree, proof->moment.q, &proof->moment.at);
        for (int32_t i = 0; i < problem->facing_count; ++i)
            if (problem->facings[i].pair == k)
                pair->ub = fmin(
                    pair->ub, abut_plan_facing_distance(problem, &problem->facings[i], &proof->moment.at).distance);
        for (int32_t i = 0; i < problem->item_count; ++i)
            if (problem->items[i].pair == k && !problem->pieces[problem->items[i].b].stand_in &&
                abut_plan_item_apart(problem, &problem->items[i], &proof->moment.at) < pair->ub) {
                ++proof->out->distances;
                pair->ub = fmin(
                    pair->ub, abut_plan_item_distance(problem, &problem->items[i], &proof->moment.at, &proof->caches[i])
                                  .distance);
            }
    }
}

static void summarise(const AbutPlanProblem *problem, const AbutPairCertificate *pairs, AbutCertificate *out)
{
    static const int order[ABUT_CERTIFICATE_STATUS_COUNT] = {0, 2, 1, 0};
    for (int32_t i = 0; i < problem->pair_count; ++i) {
        const AbutPairCertificate *p = &pairs[i], *best = out->pair < 0 ? NULL : &pairs[out->pair];
        int above = best ? order[p->status] - order[best->status] : 1;
        double mine = p->status == ABUT_CERTIFICATE_CLEAR ? p->lb : p->ub;
        double least = best ? (p->status == ABUT_CERTIFICATE_CLEAR ? best->lb : best->ub) : INFINITY;
        if (above > 0 || (above == 0 && mine < least))
            out->pair = i;
    }
    if (out->pair < 0)
        return;
    const AbutPairCertificate *worst = &pairs[out->pair];
    out->status = worst->status;
    out->lb = worst->lb;
    out->ub = worst->ub;
    out->t = worst->status == ABUT_CERTIFICATE_UNDECIDED ? worst->undecided_at : worst->t;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static AbutStatus check_held(
    const AbutPlanProblem *problem, const AbutTrajectory *trajectory, int32_t joint, AbutError *error)
{
    for (int32_t k = 0; k < trajectory->piece_count; ++k) {
        const double *c = abut_trajectory_piece(trajectory, k, joint);
        double off = fabs(c[0] - problem->rest[joint]);
        for (int i = 1; i < 6; ++i)
            off = fmax(off, fabs(c[i]));
        if (off > 1e-9)
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "joint '%s' is held, and moves in the trajectory",
                problem->model->joints[joint].name);
    }
    return ABUT_OK;
}

static AbutStatus check_input(
    const AbutPlanProblem *problem, const AbutTrajectory *trajectory, double level, AbutError *error)
{
    AbutStatus status = abut_trajectory_check(trajectory, error);
    if (status)
        return status;
    if (trajectory->joint_count != problem->model->joint_count)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "trajectory: %d joints expected, as the model has, got %d",
            (int)problem->model->joint_count, (int)trajectory->joint_count);
    if (!(fabs(level) < 1e60))
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "level", ": a finite number expected, got %g", level);
    if (problem->facing_count && level < 0.0)
        return abut_fail_field(
            error, ABUT_ERROR_ARGUMENT, "level", ": 0 or more expected with obstacles of triangles, got %g", level);
    for (int32_t j = 0; j < trajectory->joint_count && !status; ++j)
        if (abut_plan_moving(problem, j) < 0 && problem->model->joints[j].kind != ABUT_JOINT_BALL)
            status = check_held(problem, trajectory, j, error);
    return status;
}

/* Memory of a proof in one block that begins with `joints`: a moment, caches, lists for all levels, answers. */
static AbutStatus take_memory(
    Proof *proof, AbutPairCertificate *pairs, double **joints, int32_t **open, AbutError *error)
{
    const AbutPlanProblem *problem = proof->problem;
    size_t items = (size_t)problem->item_count + (size_t)problem->facing_count + (size_t)problem->edge_count;
    size_t caches = (items + 1) * sizeof *proof->caches;
    size_t answers = ((size_t)problem->pair_count + 1) * sizeof *pairs, moment = abut_plan_moment_size(&problem->tree);
    size_t values = ((size_t)problem->model->joint_count + 1) * sizeof **joints;
    char *block = abut_alloc(values + moment + caches + answers + (items + 1) * (LEVELS + 2) * sizeof **open);
    if (!block)
        return abut_fail_memory(error);
    *joints = (double *)block;
    proof->moment = abut_plan_moment_in(&problem->tree, block + values);
    proof->caches = (AbutConvexCache *)(block + values + moment);
    memset(proof->caches, 0, caches);
    proof->pairs = pairs ? pairs : (AbutPairCertificate *)(block + values + moment + caches);
    *open = (int32_t *)(block + values + moment + caches + answers);
    return ABUT_OK;
}

/* Nothing is known yet. */
static AbutPairCertificate unknown(AbutCertificateStatus status)
{
    return (AbutPairCertificate){
        .status = status, .lb = INFINITY, .ub = INFINITY, .t = NAN, .first = INFINITY, .undecided_at = NAN};
}

int abut_certificate_is_proof(const AbutCertificate *x)
{
    ABUT_ASSERT(x);
    return x->status == ABUT_CERTIFICATE_CLEAR && abut_plan_is_proved(x);
}

int abut_plan_is_proved(const AbutCertificate *x)
{
    return (x->status == ABUT_CERTIFICATE_CLEAR || x->status == ABUT_CERTIFICATE_CLEAR_EXCEPT) &&
           (x->balance.status == ABUT_CERTIFICATE_CLEAR || x->balance.status == ABUT_CERTIFICATE_NOTHING);
}

AbutStatus abut_plan_certify(const AbutPlanProblem *problem, const AbutTrajectory *trajectory,
    const AbutCertifyDef *def, AbutCertificate *out, AbutPairCertificate *pairs, AbutError *error)
{
    ABUT_ASSERT(problem && trajectory && def && out);
    int32_t all = problem->item_count + problem->facing_count + problem->edge_count, count = 0;
    AbutCertificate answer = {.status = problem->pair_count ? ABUT_CERTIFICATE_CLEAR : ABUT_CERTIFICATE_NOTHING,
        .pair = -1,
        .edge = -1,
        .balance = unknown(problem->edge_count ? ABUT_CERTIFICATE_CLEAR : ABUT_CERTIFICATE_NOTHING),
        .lb = INFINITY,
        .ub = INFINITY,
        .t = trajectory->times ? trajectory->times[0] : 0.0,
        .shortest = 1.0};
    Proof proof = {problem, trajectory, def->level, def->budget > 0 ? def->budget : BUDGET, .out = &answer};
    double *joints = NULL;
    int32_t *open = NULL;
    AbutStatus status = check_input(problem, trajectory, def->level, error);
    if (!status)
        status = take_memory(&proof, pairs, &joints, &open, error);
    if (status)
        return status;
    for (int32_t i = 0; i < problem->pair_count; ++i)
        proof.pairs[i] = unknown(ABUT_CERTIFICATE_CLEAR);
    for (int32_t i = 0; i < all; ++i)
        if (i >= problem->item_count || !problem->pieces[problem->items[i].b].stand_in)
            open[count++] = i;
    look_inside(&proof);
    for (int32_t k = 0; k < trajectory->piece_count && count > 0; ++k)
        prove(&proof, k, 0.0, 1.0, open, count);
    measure_rest(&proof, joints);
    summarise(problem, proof.pairs, &answer);
    if (answer.status == ABUT_CERTIFICATE_CLEAR && problem->exception_count)
        answer.status = ABUT_CERTIFICATE_CLEAR_EXCEPT;
    abut_free(joints);
    *out = answer;
    return ABUT_OK;
}
