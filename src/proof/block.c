/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of blocks of eight intervals, their middles and bounds; which vector unit runs them. */
#include "base/taker.h"
#include "proof/certify.h"
#include "proof/lanes.h"

#include <string.h>

static int32_t most_balls(const AbutPlanBody *body) {
    int32_t most = 0;
    for (int32_t i = 0; i < body->mover_count; ++i) {
        const AbutPlanMover *m = &body->movers[i];
        const AbutPlanCluster *last = &body->clusters[m->first + m->count - 1];
        int32_t count = last->first + last->count - body->clusters[m->first].first;
        most = count > most ? count : most;
    }
    return most;
}

static void take_all(AbutTaker *t, AbutPlanBlock *x) {
    const AbutPlanProblem *p = x->problem;
    const AbutPlanBody *body = abut_plan_body(p);
    size_t joints = (size_t)p->tree.joint_count + 1, lane = sizeof(AbutPlanLane), movers = (size_t)body->mover_count;
    size_t balls = 2 * (size_t)most_balls(body), pairs = x->mode ? 0 : (size_t)p->pair_count;
    x->q = abut_take(t, joints, sizeof *x->q);
    x->v = abut_take(t, joints, sizeof *x->v);
    x->v_most = abut_take(t, joints, lane);
    x->a_most = abut_take(t, joints, lane);
    x->speed = abut_take(t, joints, lane);
    x->frame = abut_take(t, 12 * joints, lane);
    x->center = abut_take(t, 3 * movers + 1, lane);
    x->reach = abut_take(t, (size_t)body->reach_count + 1, lane);
    x->near_reach = abut_take(t, (size_t)body->reach_count + 1, lane);
    x->first = abut_take(t, movers + 1, lane);
    x->ball = abut_take(t, 3 * balls + 1, lane);
    x->ball_speed = abut_take(t, 3 * balls + 1, lane);
    x->is_clear = abut_take(t, balls + 1, 1);
    x->lb = abut_take(t, pairs + 1, lane);
    x->when = abut_take(t, pairs + 1, lane);
    x->asks = abut_take(t, (size_t)p->item_count + (size_t)p->facing_count + 1, sizeof *x->asks);
}

AbutStatus abut_plan_block_make(
    const AbutPlanProblem *problem, AbutPlanBlockMode mode, AbutPlanBlock **out, AbutError *error) {
    AbutPlanBlock plan = {.problem = problem, .mode = mode};
    AbutTaker size = {NULL, 0};
    abut_take(&size, 1, sizeof plan);
    take_all(&size, &plan);
    char *memory = abut_alloc(size.used + 64);
    *out = NULL;
    if (!memory) return abut_fail_memory(error);
    AbutTaker taker = {memory + (64 - (uintptr_t)memory % 64) % 64, 0};
    AbutPlanBlock *x = abut_take(&taker, 1, sizeof *x);
    *x = plan;
    x->memory = memory;
    take_all(&taker, x);
    for (int32_t i = 0; i < problem->pair_count && !mode; ++i)
        for (int k = 0; k < ABUT_PLAN_LANES; ++k) {
            x->lb[i].x[k] = INFINITY;
            x->when[i].x[k] = 0.0f;
        }
    *out = x;
    return ABUT_OK;
}

void abut_plan_block_free(AbutPlanBlock *block) {
    if (block) abut_free(block->memory);
}

static const double WIDER = 1.0 + 1e-6;

/* Rounding in a lane: joints of these sizes, in sum, turn and slide that much over half the interval. */
static void set_keep(AbutPlanBlock *block, int lane, const double size[2], double turned, double slid, double keep) {
    const AbutPlanProblem *p = block->problem;
    double single = abut_plan_body(p)->slack * (p->shared->base.reach + slid) * (1.0 + turned);
    double slack = (single + abut_plan_slack(p, size[0], size[1])) * WIDER;
    block->slack.x[lane] = (float)slack;
    block->keep.x[lane] = (float)(fmax(keep, 0.0) * WIDER + slack);
}

void abut_plan_block_set(AbutPlanBlock *block, int lane, const AbutTrajectory *trajectory, int32_t piece, double from,
    double to, double keep) {
    const AbutPlanProblem *p = block->problem;
    double x = 0.5 * (from + to), h = 0.5 * (to - from), turned = 0.0, slid = 0.0, size[2] = {0.0, 0.0};
    for (int32_t i = 0; i < p->tree.joint_count; ++i) {
        const double *c = abut_trajectory_piece(trajectory, piece, p->tree.joints[i]);
        AbutPlanJointMotion m = abut_plan_joint_motion(c, x, h);
        block->q[i][lane] = m.q;
        block->v[i][lane] = m.v;
        block->v_most[i].x[lane] = (float)(m.v_most * WIDER);
        block->a_most[i].x[lane] = (float)(m.a_most * WIDER);
        int slides = p->tree.slides[i] != 0;
        size[slides] += fabs(p->tree.reference[i]) + m.size;
        *(slides ? &slid : &turned) += slides ? m.size + fabs(p->tree.reference[i]) : h * m.v_most;
    }
    block->h.x[lane] = (float)(h * WIDER);
    set_keep(block, lane, size, turned, slid, keep);
}

void abut_plan_block_line(
    AbutPlanBlock *block, int first, int count, const double *v, const double *size, double h, double keep) {
    const AbutPlanTree *tree = &block->problem->tree;
    double turned = 0.0, sizes[2] = {0.0, 0.0};
    for (int32_t i = 0; i < tree->joint_count; ++i) {
        double most = fabs(v[i]);
        for (int k = first; k < first + count; ++k) {
            block->v[i][k] = v[i];
            block->v_most[i].x[k] = (float)(most * WIDER);
            block->a_most[i].x[k] = 0.0f;
        }
        sizes[tree->slides[i] != 0] += fabs(tree->reference[i]) + size[i];
        turned += tree->slides[i] ? 0.0 : h * most;
    }
    set_keep(block, first, sizes, turned, sizes[1], keep);
    for (int k = first + 1; k < first + count; ++k) {
        block->slack.x[k] = block->slack.x[first];
        block->keep.x[k] = block->keep.x[first];
    }
}

int32_t abut_plan_find_asked(const AbutPlanProblem *p, const AbutPlanAsk *ask) {
    if (ask->b >= p->piece_count) {
        for (int32_t i = p->facing_start[ask->pair]; i < p->facing_start[ask->pair + 1]; ++i)
            if (p->facings[i].piece == ask->a && p->facings[i].surface == ask->b - p->piece_count)
                return p->item_count + i;
        return -1;
    }
    for (int32_t i = p->item_start[ask->pair]; i < p->item_start[ask->pair + 1]; ++i)
        if ((p->items[i].a == ask->a && p->items[i].b == ask->b) ||
            (p->items[i].a == ask->b && p->items[i].b == ask->a))
            return i;
    return -1;
}

#if defined(__x86_64__) && defined(__GNUC__)
/* As fast as AVX2 where joints move, and faster where they do not. */
static int has_avx512(void) { return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"); }
#endif

int abut_plan_block_run(AbutPlanBlock *block) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (block->still && has_avx512()) return abut_plan_block_avx512(block);
    if (__builtin_cpu_supports("avx2")) return abut_plan_block_avx2(block);
#endif
    return abut_plan_block_plain(block);
}
