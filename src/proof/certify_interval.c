/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The certificate over one interval. In: a proof, a part of the trajectory, what is open there. For every item, that is
 * two pieces, a piece and a surface of triangles, or the center of mass and an edge of the support polygon, either a
 * bound lies above the level (proved), or the distance at the middle does not (contact), or the interval is too short
 * (undecided), or the halves are asked. Two pieces: the bound of certificate_bound.c with the normal that was last of
 * use, and where that fails the distance and its normal. One posture serves all that is still open. Surfaces are asked
 * by surface.c; their inside counts at the start, from where a piece cannot get into it. The center of mass moves by at
 * most h |velocity| + h^2/2 bound of its acceleration.
 */
#include "proof/certify_interval.h"

/* Intervals are not halved beyond this part of a piece. */
static const double SHORTEST = 1.0 / (1 << 22);

/* ---- one item over one interval ---------------------------------------------------------------------------------- */

double abut_proof_time(const AbutProof *proof, int32_t piece, double x) {
    double a = proof->trajectory->times[piece], b = proof->trajectory->times[piece + 1];
    return a + x * (b - a);
}

static double part_of(const AbutProof *proof, double t) {
    const AbutTrajectory *x = proof->trajectory;
    double part = (t - x->times[0]) / (x->times[x->piece_count] - x->times[0]);
    return fmin(fmax(part, 0.0), 1.0);
}

void abut_proof_set_part(AbutProof *proof, const AbutProofPart *part) {
    proof->from = part_of(proof, abut_proof_time(proof, part->piece, part->from));
    proof->to = part_of(proof, abut_proof_time(proof, part->piece, part->to));
}

/* May a pair meet in the middle of the interval? */
static int may_meet_amid(const AbutProof *proof, int32_t pair) {
    return abut_plan_may_meet(proof->problem, pair, 0.5 * (proof->from + proof->to));
}

int abut_proof_may_meet(const AbutProof *proof, int32_t pair) {
    return abut_plan_may_meet(proof->problem, pair, proof->from) && abut_plan_may_meet(proof->problem, pair, proof->to);
}

static void worsen(AbutPairCertificate *pair, AbutCertificateStatus status, double t) {
    if (status == ABUT_CERTIFICATE_CONTACT) {
        pair->status = status;
        pair->first = fmin(pair->first, t);
    } else if (pair->status == ABUT_CERTIFICATE_CLEAR) {
        pair->status = status;
        pair->undecided_at = t;
    }
    pair->lb = -INFINITY;
}

int abut_proof_take_bound(AbutPairCertificate *pair, double bound, double level, double t) {
    if (!(bound > level)) return 0;
    if (pair->status == ABUT_CERTIFICATE_CLEAR && bound < pair->lb) {
        pair->lb = bound;
        pair->t = pair->ub < INFINITY ? pair->t : t;
    }
    return 1;
}

/* Is it no use, or too much, to halve the interval? */
static int is_last(const AbutProof *proof, int32_t joints) {
    return joints == 0 || proof->moment.h < SHORTEST || proof->out->bounds >= proof->budget;
}

static void measure(AbutPairCertificate *pair, double distance, double t) {
    if (distance < pair->ub) {
        pair->ub = distance;
        pair->t = t;
    }
}

/* A bound along the last normal of an item. */
static int is_still_proved(AbutProof *proof, int32_t i, double bend, double t) {
    const AbutPlanItem *item = &proof->problem->items[i];
    const AbutPlanPiece *b = &proof->problem->pieces[item->b];
    AbutVec3 n = b->flat ? b->convex.p[0] : proof->normals[i];
    if (!(abut_length_sq(n) > 0.0)) return 0;
    n = abut_quat_rotate(abut_plan_piece_pose(b, &proof->moment.at).q, n);
    ++proof->out->bounds;
    double bound = abut_plan_item_bound(proof->problem, item, &proof->moment, n, bend);
    return abut_proof_take_bound(&proof->pairs[item->pair], bound, proof->level, t);
}

/* Is nothing more to be asked about an item in this interval? */
static int is_done(AbutProof *proof, int32_t i, double t) {
    const AbutPlanProblem *problem = proof->problem;
    const AbutPlanItem *item = &problem->items[i];
    const AbutPlanMoment *m = &proof->moment;
    AbutPairCertificate *pair = &proof->pairs[item->pair];
    if (abut_proof_may_meet(proof, item->pair)) return 1;
    double bend = abut_plan_item_bend(problem, item, m);
    if (is_still_proved(proof, i, bend, t)) return 1;
    AbutPlanDistance d = abut_plan_item_distance(problem, item, &m->at, &proof->caches[i]);
    ++proof->out->distances;
    int free = may_meet_amid(proof, item->pair);
    if (!free) measure(pair, d.distance, t);
    if (d.distance <= proof->level && !free) {
        worsen(pair, ABUT_CERTIFICATE_CONTACT, t);
        return 1;
    }
    proof->normals[i] = abut_quat_rotate_inv(abut_plan_piece_pose(&problem->pieces[item->b], &m->at).q, d.normal);
    if (is_still_proved(proof, i, bend, t)) return 1;
    if (!is_last(proof, item->count_a + item->count_b)) return 0;
    worsen(pair, ABUT_CERTIFICATE_UNDECIDED, t);
    return 1;
}

/* As above, for a piece and a surface. */
static int is_facing_done(AbutProof *proof, int32_t i, double t) {
    const AbutPlanFacing *facing = &proof->problem->facings[i];
    AbutPairCertificate *pair = &proof->pairs[facing->pair];
    if (abut_proof_may_meet(proof, facing->pair)) return 1;
    int free = may_meet_amid(proof, facing->pair);
    AbutPlanFaced x = abut_plan_facing_prove(proof->problem, facing, &proof->moment, proof->level);
    proof->out->bounds += x.boxes;
    proof->out->triangles += x.triangles;
    proof->out->distances += x.triangles;
    if (!free)
        measure(pair, x.ub, t);
    else if (x.status == ABUT_CERTIFICATE_CONTACT)
        x.status = ABUT_CERTIFICATE_UNDECIDED;
    if (x.status == ABUT_CERTIFICATE_CLEAR && abut_proof_take_bound(pair, x.lb, proof->level, t)) return 1;
    if (x.status != ABUT_CERTIFICATE_CONTACT && !is_last(proof, facing->count)) return 0;
    worsen(pair, x.status == ABUT_CERTIFICATE_CONTACT ? x.status : ABUT_CERTIFICATE_UNDECIDED, t);
    return 1;
}

/* Is a piece inside a closed surface at a time? */
static void look_inside_at(AbutProof *proof, const AbutPlanFacing *facing, double t) {
    const AbutTrajectory *x = proof->trajectory;
    int32_t k = 0;
    while (k + 1 < x->piece_count && t > x->times[k + 1]) ++k;
    double at = (t - x->times[k]) / (x->times[k + 1] - x->times[k]);
    abut_plan_moment_set(proof->problem, x, k, at, at, &proof->moment);
    if (!abut_plan_facing_is_inside(proof->problem, facing, &proof->moment.at)) return;
    measure(&proof->pairs[facing->pair], 0.0, t);
    worsen(&proof->pairs[facing->pair], ABUT_CERTIFICATE_CONTACT, t);
}

void abut_proof_look_inside(AbutProof *proof) {
    const AbutPlanProblem *p = proof->problem;
    double begin = proof->trajectory->times[0], end = proof->trajectory->times[proof->trajectory->piece_count];
    for (int32_t i = 0; i < p->facing_count; ++i) {
        const AbutPlanFacing *facing = &p->facings[i];
        const AbutPlanSpan *span = p->spans ? &p->spans[facing->pair] : NULL;
        if (!abut_plan_may_meet(p, facing->pair, 0.0)) look_inside_at(proof, facing, begin);
        if (span && span->to > span->from && span->to < 1.0)
            look_inside_at(proof, facing, begin + span->to * (end - begin));
    }
}

/* As above, for the center of mass and an edge of the support polygon. */
static int is_edge_done(AbutProof *proof, int32_t e, double t) {
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
    if (abut_proof_take_bound(
            balance, inside - h * drift - 0.5 * h * h * c->bend - proof->moment.slack, proof->level, t))
        return 1;
    if (!is_last(proof, 1)) return 0;
    worsen(balance, ABUT_CERTIFICATE_UNDECIDED, t);
    return 1;
}

/* ---- all items over one interval --------------------------------------------------------------------------------- */

int abut_proof_is_done(AbutProof *proof, int32_t i, double t) {
    int32_t items = proof->problem->item_count, facings = proof->problem->facing_count;
    if (i < items) return is_done(proof, i, t);
    return i < items + facings ? is_facing_done(proof, i - items, t) : is_edge_done(proof, i - items - facings, t);
}

void abut_proof_halve(AbutProof *proof, int32_t piece, double from, double to, int32_t *open, int32_t count) {
    int32_t *rest = open + count, left = 0;
    double middle = 0.5 * (from + to);
    abut_plan_moment_set(proof->problem, proof->trajectory, piece, from, to, &proof->moment);
    abut_proof_set_part(proof, &(AbutProofPart){piece, from, to});
    ++proof->out->poses;
    proof->out->shortest = fmin(proof->out->shortest, to - from);
    if (open[count - 1] >= proof->problem->item_count + proof->problem->facing_count)
        proof->center = abut_plan_center_motion(proof->problem, &proof->moment);
    for (int32_t i = 0; i < count; ++i) {
        double t = abut_proof_time(proof, piece, middle);
        if (!abut_proof_is_done(proof, open[i], t)) rest[left++] = open[i];
    }
    if (left == 0) return;
    abut_proof_halve(proof, piece, from, middle, rest, left);
    abut_proof_halve(proof, piece, middle, to, rest, left);
}
