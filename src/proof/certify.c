/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The certificate. In: a problem, a trajectory, a level. For every piece of the trajectory the interval is halved until
 * for every pair a bound lies above the level (proved), or the distance at the middle does not (contact), or the
 * interval is too short (undecided). Covering balls are asked first, for eight intervals and all pairs at once
 * (lanes.inc). What they leave open is asked of the exact bodies: the bound of certificate_bound.c with the normal that
 * was last of use, and where that fails the distance and its normal. One posture serves all pairs that are still open.
 * Surfaces of triangles are asked by surface.c; their inside counts at the start, from where a piece cannot get into
 * it. The edges of the support polygon are open in the same way: the center of mass moves by at most h |velocity| +
 * h^2/2 bound of its acceleration. Out: the answer for each pair, and for balance.
 */
#include "proof/certify.h"
#include "proof/lanes.h"

#include <string.h>

/* Intervals are not halved beyond this part of a piece. */
static const double SHORTEST = 1.0 / (1 << 22);
enum { LEVELS = 24 };
static const int64_t BUDGET = 5000000;
/* Balls are asked about intervals down to this part of a piece. */
#define FINEST (1.0 / 64)

const char *const abut_certificate_status_names[ABUT_CERTIFICATE_STATUS_COUNT + 1] = {
    "clear", "contact", "undecided", "nothing to check", "clear_except", NULL};

/* Of a piece of the trajectory. */
typedef struct Part {
    int32_t piece;
    double from, to;
} Part;

typedef struct Proof {
    const AbutPlanProblem *problem;
    const AbutTrajectory *trajectory;
    double level;
    int64_t budget;
    AbutPlanMoment moment;
    double from, to;             /* the interval, as parts of the whole time */
    AbutConvexCache *caches;     /* per item */
    AbutVec3 *normals;           /* per item, in the axes of piece b: the last that was of use; zero: none yet */
    Part *done;                  /* per item and facing: the last part over which it was settled */
    int32_t *open;               /* room for lists */
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

/* A bound along the last normal of an item. */
static int is_still_proved(Proof *proof, int32_t i, double bend, double t)
{
    const AbutPlanItem *item = &proof->problem->items[i];
    const AbutPlanPiece *b = &proof->problem->pieces[item->b];
    AbutVec3 n = b->flat ? b->convex.p[0] : proof->normals[i];
    if (!(abut_length_sq(n) > 0.0))
        return 0;
    n = abut_quat_rotate(abut_plan_piece_pose(b, &proof->moment.at).q, n);
    ++proof->out->bounds;
    double bound = abut_plan_item_bound(proof->problem, item, &proof->moment, n, bend);
    return is_proved(&proof->pairs[item->pair], bound, proof->level, t);
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
    if (is_still_proved(proof, i, bend, t))
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
    proof->normals[i] = abut_quat_rotate_inv(abut_plan_piece_pose(&problem->pieces[item->b], &m->at).q, d.normal);
    if (is_still_proved(proof, i, bend, t))
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

/* The same of the center of mass and an edge of the support polygon. */
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

/* ---- balls first ------------------------------------------------------------------------------------------------- */

static void set_part(Proof *proof, const Part *part)
{
    proof->from = part_of(proof, time_of(proof, part->piece, part->from));
    proof->to = part_of(proof, time_of(proof, part->piece, part->to));
}

static int is_within(const Part *part, const Part *whole)
{
    return part->piece == whole->piece && part->from >= whole->from && part->to <= whole->to;
}

/* What a block left open of one lane. Where balls meet in the middle the exact bodies are asked, and what these settle
 * is not asked again in parts of the interval. Lists what is left; returns how many. */
static int32_t ask_lane(Proof *proof, const AbutPlanBlock *block, int lane, const Part *part)
{
    int32_t count = 0, placed = 0;
    double middle = 0.5 * (part->from + part->to), t = time_of(proof, part->piece, middle);
    set_part(proof, part);
    for (int32_t i = 0; i < block->ask_count; ++i) {
        const AbutPlanAsk *ask = &block->asks[i];
        if (!(ask->lanes >> lane & 1) || may_meet_throughout(proof, ask->pair))
            continue;
        int32_t item = abut_plan_find_asked(proof->problem, ask);
        if (item < 0 || is_within(part, &proof->done[item]))
            continue;
        if (ask->near >> lane & 1) {
            if (!placed)
                abut_plan_moment_set(
                    proof->problem, proof->trajectory, part->piece, part->from, part->to, &proof->moment);
            placed = 1;
            if (is_any_done(proof, item, t)) {
                proof->done[item] = *part;
                continue;
            }
        }
        proof->open[count++] = item;
    }
    return count;
}

/* Halves of an interval for further blocks, or where it is short for the exact bodies. */
static void settle(Proof *proof, const AbutPlanBlock *block, int lane, const Part *part, Part *stack, int32_t *top)
{
    int32_t count = ask_lane(proof, block, lane, part);
    double middle = 0.5 * (part->from + part->to);
    if (count == 0)
        return;
    if (part->to - part->from <= FINEST || proof->out->bounds >= proof->budget) {
        prove(proof, part->piece, part->from, middle, proof->open, count);
        prove(proof, part->piece, middle, part->to, proof->open, count);
        return;
    }
    stack[(*top)++] = (Part){part->piece, middle, part->to};
    stack[(*top)++] = (Part){part->piece, part->from, middle};
    proof->out->shortest = fmin(proof->out->shortest, middle - part->from);
}

/* Parts into which a piece is cut before anything is asked: joints move by about LENGTH in each. */
static int32_t parts_of(const Proof *proof, int32_t piece)
{
    static const double LENGTH = 0.2;
    const AbutPlanTree *tree = &proof->problem->tree;
    double sum = 0.0;
    int32_t parts = 1;
    for (int32_t i = 0; i < tree->joint_count; ++i) {
        const double *c = abut_trajectory_piece(proof->trajectory, piece, tree->joints[i]);
        double most = fabs(c[1]) + fabs(c[2]) + fabs(c[3]) + fabs(c[4]) + fabs(c[5]);
        double way = fmin(2.0 * fabs(c[1] + c[2] + c[3] + c[4] + c[5]) + LENGTH, most);
        sum += way * way;
    }
    while (parts * FINEST < 1.0 && parts * LENGTH < sqrt(sum))
        parts *= 2;
    return parts;
}

/* The next part that has not been asked about; 0: there is none. */
typedef struct Ahead {
    int32_t piece, part, parts;
} Ahead;

static int next_part(const Proof *proof, Ahead *ahead, Part *out)
{
    if (ahead->part == ahead->parts) {
        if (++ahead->piece >= proof->trajectory->piece_count)
            return 0;
        ahead->parts = parts_of(proof, ahead->piece);
        ahead->part = 0;
    }
    double width = 1.0 / ahead->parts;
    *out = (Part){ahead->piece, ahead->part * width, (ahead->part + 1) * width};
    ++ahead->part;
    return 1;
}

/* All pairs that balls are asked about, over the whole trajectory. */
static void sweep(Proof *proof, AbutPlanBlock *block, int32_t seen)
{
    Part stack[16 * ABUT_PLAN_LANES], now[ABUT_PLAN_LANES];
    Ahead ahead = {-1, 0, 0};
    int32_t top = 0;
    for (;;) {
        while (top < ABUT_PLAN_LANES && next_part(proof, &ahead, &stack[top]))
            ++top;
        if (top == 0)
            return;
        int count = top < ABUT_PLAN_LANES ? top : ABUT_PLAN_LANES;
        top -= count;
        memcpy(now, stack + top, (size_t)count * sizeof *now);
        for (int i = 0; i < ABUT_PLAN_LANES; ++i) {
            const Part *x = &now[i < count ? i : 0];
            abut_plan_block_set(block, i, proof->trajectory, x->piece, x->from, x->to, proof->level);
            block->t.x[i] = (float)(x->piece + 0.5 * (x->from + x->to));
        }
        block->active = (1u << count) - 1u;
        abut_plan_block_run(block);
        proof->out->poses += count;
        proof->out->bounds += (int64_t)count * seen;
        for (int i = 0; i < count; ++i)
            settle(proof, block, i, &now[i], stack, &top);
    }
}

/* Takes the least bounds by balls over into the answers; their times are counted in pieces. */
static void take_bounds(Proof *proof, const AbutPlanBlock *block)
{
    int32_t last = proof->trajectory->piece_count - 1;
    for (int32_t k = 0; k < proof->problem->pair_count; ++k)
        for (int i = 0; i < ABUT_PLAN_LANES && proof->problem->scene.is_seen[k]; ++i) {
            double when = block->when[k].x[i];
            int32_t piece = when < last ? (int32_t)when : last;
            is_proved(&proof->pairs[k], fmax(block->lb[k].x[i], nextafter(proof->level, INFINITY)), -INFINITY,
                time_of(proof, piece, fmin(when - piece, 1.0)));
        }
}

/* What blocks do not look at: pairs that no joint moves, once; half-spaces that move, and edges, over every piece. */
static void prove_rest(Proof *proof)
{
    const AbutPlanProblem *p = proof->problem;
    for (int32_t k = 0; k < proof->trajectory->piece_count; ++k) {
        int32_t count = 0;
        for (int32_t i = 0; i < p->item_count + p->facing_count; ++i) {
            int32_t f = i - p->item_count, pair = f < 0 ? p->items[i].pair : p->facings[f].pair;
            int moves = f < 0 ? p->items[i].count_a + p->items[i].count_b : p->facings[f].count;
            if (!p->scene.is_seen[pair] && (f >= 0 || !p->pieces[p->items[i].b].stand_in) &&
                (k == 0 || moves || p->spans))
                proof->open[count++] = i;
        }
        for (int32_t i = 0; i < p->edge_count; ++i)
            proof->open[count++] = p->item_count + p->facing_count + i;
        if (count == 0)
            return;
        prove(proof, k, 0.0, 1.0, proof->open, count);
    }
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* The distance of a pair that bounds alone were enough for, where the bound was least. */
static void measure_pair(Proof *proof, int32_t k, double *joints)
{
    const AbutPlanProblem *problem = proof->problem;
    AbutPairCertificate *pair = &proof->pairs[k];
    if (pair->ub < INFINITY || !isfinite(pair->t))
        return;
    abut_trajectory_value(proof->trajectory, pair->t, 0, joints);
    abut_plan_pick_joints(problem, joints, proof->moment.q);
    abut_plan_tree_place(&problem->tree, proof->moment.q, &proof->moment.at);
    for (int32_t i = problem->facing_start[k]; i < problem->facing_start[k + 1]; ++i)
        pair->ub = fmin(pair->ub, abut_plan_facing_distance(problem, &problem->facings[i], &proof->moment.at).distance);
    for (int32_t i = problem->item_start[k]; i < problem->item_start[k + 1]; ++i)
        if (!problem->pieces[problem->items[i].b].stand_in &&
            abut_plan_item_apart(problem, &problem->items[i], &proof->moment.at) < pair->ub) {
            ++proof->out->distances;
            pair->ub = fmin(pair->ub,
                abut_plan_item_distance(problem, &problem->items[i], &proof->moment.at, &proof->caches[i]).distance);
        }
}

static void summarize(Proof *proof, int all, double *joints)
{
    static const int order[ABUT_CERTIFICATE_STATUS_COUNT] = {0, 2, 1, 0};
    const AbutPairCertificate *pairs = proof->pairs;
    AbutCertificate *out = proof->out;
    for (int32_t i = 0; i < proof->problem->pair_count; ++i) {
        const AbutPairCertificate *p = &pairs[i], *best = out->pair < 0 ? NULL : &pairs[out->pair];
        int above = best ? order[p->status] - order[best->status] : 1;
        double mine = p->status == ABUT_CERTIFICATE_CLEAR ? p->lb : p->ub;
        double least = best ? (p->status == ABUT_CERTIFICATE_CLEAR ? best->lb : best->ub) : INFINITY;
        if (above > 0 || (above == 0 && mine < least))
            out->pair = i;
    }
    for (int32_t i = 0; i < proof->problem->pair_count; ++i)
        if (all || i == out->pair)
            measure_pair(proof, i, joints);
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
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "trajectory: expected %d joints, as in the model, got %d",
            (int)problem->model->joint_count, (int)trajectory->joint_count);
    if (!(fabs(level) < 1e60))
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "level", ": expected a finite number, got %g", level);
    if (problem->facing_count && level < 0.0)
        return abut_fail_field(
            error, ABUT_ERROR_ARGUMENT, "level", ": expected 0 or more with obstacles of triangles, got %g", level);
    for (int32_t j = 0; j < trajectory->joint_count && !status; ++j)
        if (abut_plan_moving(problem, j) < 0 && problem->model->joints[j].kind != ABUT_JOINT_BALL)
            status = check_held(problem, trajectory, j, error);
    return status;
}

/* Memory of a proof in one block that begins with `joints`: a moment, caches, normals, answers, lists for all levels.
 */
static AbutStatus take_memory(Proof *proof, AbutPairCertificate *pairs, double **joints, AbutError *error)
{
    const AbutPlanProblem *problem = proof->problem;
    size_t items = (size_t)problem->item_count + (size_t)problem->facing_count + (size_t)problem->edge_count;
    size_t caches = (items + 1) * sizeof *proof->caches, normals = (items + 1) * sizeof *proof->normals;
    size_t done = (items + 1) * sizeof *proof->done;
    size_t answers = ((size_t)problem->pair_count + 1) * sizeof *pairs, moment = abut_plan_moment_size(&problem->tree);
    size_t values = ((size_t)problem->model->joint_count + 1) * sizeof **joints;
    char *block = abut_alloc(
        values + moment + caches + normals + done + answers + (items + 1) * (LEVELS + 2) * sizeof *proof->open);
    if (!block)
        return abut_fail_memory(error);
    *joints = (double *)block;
    proof->moment = abut_plan_moment_in(&problem->tree, block + values);
    proof->caches = (AbutConvexCache *)(block + values + moment);
    proof->normals = (AbutVec3 *)(block + values + moment + caches);
    proof->done = (Part *)(block + values + moment + caches + normals);
    memset(proof->caches, 0, caches + normals + done); /* parts from 0 to 0 hold nothing */
    proof->pairs = pairs ? pairs : (AbutPairCertificate *)(block + values + moment + caches + normals + done);
    proof->open = (int32_t *)(block + values + moment + caches + normals + done + answers);
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
    AbutPlanBlock *block = NULL;
    int32_t seen = 0;
    AbutStatus status = check_input(problem, trajectory, def->level, error);
    if (!status)
        status = abut_plan_block_make(problem, 0, &block, error);
    if (!status)
        status = take_memory(&proof, pairs, &joints, error);
    if (status) {
        abut_plan_block_free(block);
        return status;
    }
    for (int32_t i = 0; i < problem->pair_count; ++i) {
        proof.pairs[i] = unknown(ABUT_CERTIFICATE_CLEAR);
        seen += problem->scene.is_seen[i];
    }
    look_inside(&proof);
    if (seen)
        sweep(&proof, block, seen);
    take_bounds(&proof, block);
    prove_rest(&proof);
    summarize(&proof, pairs && !def->lean, joints);
    if (answer.status == ABUT_CERTIFICATE_CLEAR && problem->exception_count)
        answer.status = ABUT_CERTIFICATE_CLEAR_EXCEPT;
    abut_plan_block_free(block);
    abut_free(joints);
    *out = answer;
    return ABUT_OK;
}
