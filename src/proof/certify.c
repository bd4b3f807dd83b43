/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The certificate. In: a problem, a trajectory, a level. For every piece of the trajectory the interval is halved until
 * for every pair a bound lies above the level (proved), or the distance at the middle does not (contact), or the
 * interval is too short (undecided). Covering balls are asked first, for eight intervals and all pairs at once
 * (lanes.inc). Intervals that they leave open are asked of the exact bodies by certify_interval.c. Out: the answer for
 * each pair, and for balance.
 */
#include "proof/certify_interval.h"
#include "proof/lanes.h"

#include <string.h>

enum { LEVELS = 24 };
static const int64_t BUDGET = 5000000;
/* Balls are asked about intervals down to this part of a piece. */
#define FINEST (1.0 / 64)

const char *const abut_certificate_status_names[ABUT_CERTIFICATE_STATUS_COUNT + 1] = {
    "clear", "contact", "undecided", "nothing to check", "clear_except", NULL};

/* ---- balls first ------------------------------------------------------------------------------------------------- */

static int is_within(const AbutProofPart *part, const AbutProofPart *whole) {
    return part->piece == whole->piece && part->from >= whole->from && part->to <= whole->to;
}

/* The open part of one lane of a block. Where balls meet in the middle the exact bodies are asked, and what these
 * settle is not asked again in parts of the interval. Lists what is left; returns how many. */
static int32_t ask_lane(AbutProof *proof, const AbutPlanBlock *block, int lane, const AbutProofPart *part) {
    int32_t count = 0, placed = 0;
    double middle = 0.5 * (part->from + part->to), t = abut_proof_time(proof, part->piece, middle);
    abut_proof_set_part(proof, part);
    for (int32_t i = 0; i < block->ask_count; ++i) {
        const AbutPlanAsk *ask = &block->asks[i];
        if (!(ask->lanes >> lane & 1) || abut_proof_may_meet(proof, ask->pair)) continue;
        int32_t item = abut_plan_find_asked(proof->problem, ask);
        if (item < 0 || is_within(part, &proof->done[item])) continue;
        if (ask->near >> lane & 1) {
            if (!placed)
                abut_plan_moment_set(
                    proof->problem, proof->trajectory, part->piece, part->from, part->to, &proof->moment);
            placed = 1;
            if (abut_proof_is_done(proof, item, t)) {
                proof->done[item] = *part;
                continue;
            }
        }
        proof->open[count++] = item;
    }
    return count;
}

/* Halves of an interval for further blocks, or where it is short for the exact bodies. */
static void settle(AbutProof *proof, const AbutPlanBlock *block, int lane, const AbutProofPart *part,
    AbutProofPart *stack, int32_t *top) {
    int32_t count = ask_lane(proof, block, lane, part);
    double middle = 0.5 * (part->from + part->to);
    if (count == 0) return;
    if (part->to - part->from <= FINEST || proof->out->bounds >= proof->budget) {
        abut_proof_halve(proof, part->piece, part->from, middle, proof->open, count);
        abut_proof_halve(proof, part->piece, middle, part->to, proof->open, count);
        return;
    }
    stack[(*top)++] = (AbutProofPart){part->piece, middle, part->to};
    stack[(*top)++] = (AbutProofPart){part->piece, part->from, middle};
    proof->out->shortest = fmin(proof->out->shortest, middle - part->from);
}

/* Parts into which a piece is cut before anything is asked: joints move by about LENGTH in each. */
static int32_t parts_of(const AbutProof *proof, int32_t piece) {
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
    while (parts * FINEST < 1.0 && parts * LENGTH < sqrt(sum)) parts *= 2;
    return parts;
}

/* The next part that has not been asked about; 0: there is none. */
typedef struct Ahead {
    int32_t piece, part, parts;
} Ahead;

static int next_part(const AbutProof *proof, Ahead *ahead, AbutProofPart *out) {
    if (ahead->part == ahead->parts) {
        if (++ahead->piece >= proof->trajectory->piece_count) return 0;
        ahead->parts = parts_of(proof, ahead->piece);
        ahead->part = 0;
    }
    double width = 1.0 / ahead->parts;
    *out = (AbutProofPart){ahead->piece, ahead->part * width, (ahead->part + 1) * width};
    ++ahead->part;
    return 1;
}

/* All pairs that balls are asked about, over the whole trajectory. */
static void sweep(AbutProof *proof, AbutPlanBlock *block, int32_t seen) {
    AbutProofPart stack[16 * ABUT_PLAN_LANES], now[ABUT_PLAN_LANES];
    Ahead ahead = {-1, 0, 0};
    int32_t top = 0;
    for (;;) {
        while (top < ABUT_PLAN_LANES && next_part(proof, &ahead, &stack[top])) ++top;
        if (top == 0) return;
        int count = top < ABUT_PLAN_LANES ? top : ABUT_PLAN_LANES;
        top -= count;
        memcpy(now, stack + top, (size_t)count * sizeof *now);
        for (int i = 0; i < ABUT_PLAN_LANES; ++i) {
            const AbutProofPart *x = &now[i < count ? i : 0];
            abut_plan_block_set(block, i, proof->trajectory, x->piece, x->from, x->to, proof->level);
            block->t.x[i] = (float)(x->piece + 0.5 * (x->from + x->to));
        }
        block->active = (1u << count) - 1u;
        abut_plan_block_run(block);
        proof->out->poses += count;
        proof->out->bounds += (int64_t)count * seen;
        for (int i = 0; i < count; ++i) settle(proof, block, i, &now[i], stack, &top);
    }
}

/* Takes the least bounds by balls over into the answers; their times are counted in pieces. */
static void take_bounds(AbutProof *proof, const AbutPlanBlock *block) {
    int32_t last = proof->trajectory->piece_count - 1;
    for (int32_t k = 0; k < proof->problem->pair_count; ++k)
        for (int i = 0; i < ABUT_PLAN_LANES && proof->problem->scene.is_seen[k]; ++i) {
            double when = block->when[k].x[i];
            int32_t piece = when < last ? (int32_t)when : last;
            abut_proof_take_bound(&proof->pairs[k], fmax(block->lb[k].x[i], nextafter(proof->level, INFINITY)),
                -INFINITY, abut_proof_time(proof, piece, fmin(when - piece, 1.0)));
        }
}

/* Skipped by blocks: pairs that no joint moves, once; half-spaces that move, and edges, over every piece. */
static void prove_rest(AbutProof *proof) {
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
        for (int32_t i = 0; i < p->edge_count; ++i) proof->open[count++] = p->item_count + p->facing_count + i;
        if (count == 0) return;
        abut_proof_halve(proof, k, 0.0, 1.0, proof->open, count);
    }
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* The distance of a pair that bounds alone were enough for, where the bound was least. */
static void measure_pair(AbutProof *proof, int32_t k, double *joints) {
    const AbutPlanProblem *problem = proof->problem;
    AbutPairCertificate *pair = &proof->pairs[k];
    if (pair->ub < INFINITY || !isfinite(pair->t)) return;
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

static void summarize(AbutProof *proof, int all, double *joints) {
    static const int order[ABUT_CERTIFICATE_STATUS_COUNT] = {0, 2, 1, 0};
    const AbutPairCertificate *pairs = proof->pairs;
    AbutCertificate *out = proof->out;
    for (int32_t i = 0; i < proof->problem->pair_count; ++i) {
        const AbutPairCertificate *p = &pairs[i], *best = out->pair < 0 ? NULL : &pairs[out->pair];
        int above = best ? order[p->status] - order[best->status] : 1;
        double mine = p->status == ABUT_CERTIFICATE_CLEAR ? p->lb : p->ub;
        double least = best ? (p->status == ABUT_CERTIFICATE_CLEAR ? best->lb : best->ub) : INFINITY;
        if (above > 0 || (above == 0 && mine < least)) out->pair = i;
    }
    for (int32_t i = 0; i < proof->problem->pair_count; ++i)
        if (all || i == out->pair) measure_pair(proof, i, joints);
    if (out->pair < 0) return;
    const AbutPairCertificate *worst = &pairs[out->pair];
    out->status = worst->status;
    out->lb = worst->lb;
    out->ub = worst->ub;
    out->t = worst->status == ABUT_CERTIFICATE_UNDECIDED ? worst->undecided_at : worst->t;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static AbutStatus check_held(
    const AbutPlanProblem *problem, const AbutTrajectory *trajectory, int32_t joint, AbutError *error) {
    for (int32_t k = 0; k < trajectory->piece_count; ++k) {
        const double *c = abut_trajectory_piece(trajectory, k, joint);
        double off = fabs(c[0] - problem->rest[joint]);
        for (int i = 1; i < 6; ++i) off = fmax(off, fabs(c[i]));
        if (off > 1e-9)
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "joint '%s' is held, and moves in the trajectory",
                problem->model->joints[joint].name);
    }
    return ABUT_OK;
}

static AbutStatus check_input(
    const AbutPlanProblem *problem, const AbutTrajectory *trajectory, double level, AbutError *error) {
    AbutStatus status = abut_trajectory_check(trajectory, error);
    if (status) return status;
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
static AbutStatus take_memory(AbutProof *proof, AbutPairCertificate *pairs, double **joints, AbutError *error) {
    const AbutPlanProblem *problem = proof->problem;
    size_t items = (size_t)problem->item_count + (size_t)problem->facing_count + (size_t)problem->edge_count;
    size_t caches = (items + 1) * sizeof *proof->caches, normals = (items + 1) * sizeof *proof->normals;
    size_t done = (items + 1) * sizeof *proof->done;
    size_t answers = ((size_t)problem->pair_count + 1) * sizeof *pairs, moment = abut_plan_moment_size(&problem->tree);
    size_t values = ((size_t)problem->model->joint_count + 1) * sizeof **joints;
    char *block = abut_alloc(
        values + moment + caches + normals + done + answers + (items + 1) * (LEVELS + 2) * sizeof *proof->open);
    if (!block) return abut_fail_memory(error);
    *joints = (double *)block;
    proof->moment = abut_plan_moment_in(&problem->tree, block + values);
    proof->caches = (AbutConvexCache *)(block + values + moment);
    proof->normals = (AbutVec3 *)(block + values + moment + caches);
    proof->done = (AbutProofPart *)(block + values + moment + caches + normals);
    memset(proof->caches, 0, caches + normals + done); /* parts from 0 to 0 hold nothing */
    proof->pairs = pairs ? pairs : (AbutPairCertificate *)(block + values + moment + caches + normals + done);
    proof->open = (int32_t *)(block + values + moment + caches + normals + done + answers);
    return ABUT_OK;
}

/* Nothing is known yet. */
static AbutPairCertificate unknown(AbutCertificateStatus status) {
    return (AbutPairCertificate){
        .status = status, .lb = INFINITY, .ub = INFINITY, .t = NAN, .first = INFINITY, .undecided_at = NAN};
}

int abut_certificate_is_proof(const AbutCertificate *x) {
    ABUT_ASSERT(x);
    return x->status == ABUT_CERTIFICATE_CLEAR && abut_plan_is_proved(x);
}

int abut_plan_is_proved(const AbutCertificate *x) {
    return (x->status == ABUT_CERTIFICATE_CLEAR || x->status == ABUT_CERTIFICATE_CLEAR_EXCEPT) &&
           (x->balance.status == ABUT_CERTIFICATE_CLEAR || x->balance.status == ABUT_CERTIFICATE_NOTHING);
}

AbutStatus abut_plan_certify(const AbutPlanProblem *problem, const AbutTrajectory *trajectory,
    const AbutCertifyDef *def, AbutCertificate *out, AbutPairCertificate *pairs, AbutError *error) {
    ABUT_ASSERT(problem && trajectory && def && out);
    AbutCertificate answer = {.status = problem->pair_count ? ABUT_CERTIFICATE_CLEAR : ABUT_CERTIFICATE_NOTHING,
        .pair = -1,
        .edge = -1,
        .balance = unknown(problem->edge_count ? ABUT_CERTIFICATE_CLEAR : ABUT_CERTIFICATE_NOTHING),
        .lb = INFINITY,
        .ub = INFINITY,
        .t = trajectory->times ? trajectory->times[0] : 0.0,
        .shortest = 1.0};
    AbutProof proof = {problem, trajectory, def->level, def->budget > 0 ? def->budget : BUDGET, .out = &answer};
    double *joints = NULL;
    AbutPlanBlock *block = NULL;
    int32_t seen = 0;
    AbutStatus status = check_input(problem, trajectory, def->level, error);
    if (!status) status = abut_plan_block_make(problem, 0, &block, error);
    if (!status) status = take_memory(&proof, pairs, &joints, error);
    if (status) {
        abut_plan_block_free(block);
        return status;
    }
    for (int32_t i = 0; i < problem->pair_count; ++i) {
        proof.pairs[i] = unknown(ABUT_CERTIFICATE_CLEAR);
        seen += problem->scene.is_seen[i];
    }
    abut_proof_look_inside(&proof);
    if (seen) sweep(&proof, block, seen);
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
