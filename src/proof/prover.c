/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edges and postures that are proved. In: straight lines in planned coordinates, a level. An edge is cut into
 * intervals, eight of them spread over all of it in a block (lanes.inc), so that the first that is blocked ends the
 * edge soon. Intervals that balls cannot prove are asked of the exact bodies where balls meet in the middle, and halved
 * elsewhere, down to SHORTEST. Out: 1 where every pair is proved to keep the level at all places of the edge. Postures
 * are edges of no length, eight at once.
 */
#include "base/taker.h"
#include "proof/prover.h"

#include <string.h>

static const double CELL = 1.5;       /* of joints, rad or m: what eight intervals cover */
static const double SHORTEST = 0.004; /* of joints: half widths are not smaller */
enum { CELLS_MOST = 4096 };           /* longer edges begin with longer intervals */

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void take_all(AbutTaker *t, AbutPlanProver *x) {
    const AbutPlanProblem *p = x->problem;
    size_t items = (size_t)p->item_count + (size_t)p->facing_count + 1, joints = (size_t)p->tree.joint_count + 1;
    void *moment = abut_take(t, abut_plan_moment_size(&p->tree), 1);
    x->caches = abut_take(t, items, sizeof *x->caches);
    x->normals = abut_take(t, items, sizeof *x->normals);
    x->done = abut_take(t, items, sizeof *x->done);
    x->touched = abut_take(t, items, sizeof *x->touched);
    x->rest = abut_take(t, items, sizeof *x->rest);
    x->from = abut_take(t, joints, sizeof *x->from);
    x->way = abut_take(t, joints, sizeof *x->way);
    x->size = abut_take(t, joints, sizeof *x->size);
    x->q = abut_take(t, joints, sizeof *x->q);
    x->stack = abut_take(t, ABUT_PLAN_PROVER_PARTS, sizeof *x->stack);
    if (!t->block) return;
    x->moment = abut_plan_moment_in(&p->tree, moment);
    memset(x->caches, 0, items * sizeof *x->caches);
    memset(x->normals, 0, items * sizeof *x->normals);
    for (size_t i = 0; i < items; ++i) x->done[i].h = -1.0;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* Joints of the problem at coordinates u. */
static void spread(const AbutPlanProblem *p, const double *u, double *q) {
    for (int32_t i = 0; i < p->tree.joint_count; ++i) q[i] = p->offset[i];
    for (int32_t e = 0; e < p->entry_count; ++e)
        q[p->entries[e].joint] += p->entries[e].factor * u[p->entries[e].coordinate];
}

/* Sets up an edge; its length in joints, NaN where a number is not finite. */
static double lay(AbutPlanProver *x, const double *from, const double *to) {
    const AbutPlanProblem *p = x->problem;
    double sum = 0.0;
    spread(p, from, x->from);
    spread(p, to, x->way);
    for (int32_t i = 0; i < p->tree.joint_count; ++i) {
        double end = x->way[i];
        x->way[i] = end - x->from[i];
        x->size[i] = fmax(fabs(end), fabs(x->from[i])) + fabs(x->way[i]);
        sum += x->way[i] * x->way[i];
    }
    return sqrt(sum);
}

/* The middle of a part of the edge for the exact bodies. */
static void set_moment(AbutPlanProver *x, const AbutPlanPart *part) {
    const AbutPlanTree *tree = &x->problem->tree;
    AbutPlanMoment *m = &x->moment;
    double size[2] = {0.0, 0.0};
    for (int32_t i = 0; i < tree->joint_count; ++i) {
        m->q[i] = x->from[i] + part->x * x->way[i];
        m->v[i] = x->way[i];
        m->v_most[i] = fabs(x->way[i]);
        m->a_most[i] = 0.0;
        size[tree->slides[i] != 0] += fabs(tree->reference[i]) + x->size[i];
    }
    m->h = part->h;
    m->slack = abut_plan_slack(x->problem, size[0], size[1]);
    abut_plan_tree_place(tree, m->q, &m->at);
}

/* ---- exact bodies ------------------------------------------------------------------------------------------------ */

typedef enum Verdict { PROVED, OPEN, BLOCKED } Verdict;

/* A bound along the last normal. */
static int is_still_proved(AbutPlanProver *x, int32_t i, double bend) {
    const AbutPlanItem *item = &x->problem->items[i];
    const AbutPlanPiece *b = &x->problem->pieces[item->b];
    AbutVec3 n = b->flat ? b->convex.p[0] : x->normals[i];
    if (!(abut_length_sq(n) > 0.0)) return 0;
    n = abut_quat_rotate(abut_plan_piece_pose(b, &x->moment.at).q, n);
    return abut_plan_item_bound(x->problem, item, &x->moment, n, bend) > x->level;
}

/* An item, or counted on from the items a facing, over the part that the moment is set to. */
static Verdict ask_exact(AbutPlanProver *x, int32_t i) {
    const AbutPlanProblem *p = x->problem;
    if (i >= p->item_count) {
        AbutPlanFaced faced = abut_plan_facing_prove(p, &p->facings[i - p->item_count], &x->moment, x->level);
        return faced.status == ABUT_CERTIFICATE_CONTACT                        ? BLOCKED
               : faced.status == ABUT_CERTIFICATE_CLEAR && faced.lb > x->level ? PROVED
                                                                               : OPEN;
    }
    const AbutPlanItem *item = &p->items[i];
    double bend = abut_plan_item_bend(p, item, &x->moment);
    if (is_still_proved(x, i, bend)) return PROVED;
    AbutPlanDistance d = abut_plan_item_distance(p, item, &x->moment.at, &x->caches[i]);
    if (!(d.distance > x->level)) return BLOCKED;
    x->normals[i] = abut_quat_rotate_inv(abut_plan_piece_pose(&p->pieces[item->b], &x->moment.at).q, d.normal);
    return is_still_proved(x, i, bend) ? PROVED : OPEN;
}

/* Skipped by blocks: items and facings that still move, and the center of mass. */
static Verdict ask_rest(AbutPlanProver *x) {
    const AbutPlanProblem *p = x->problem;
    Verdict worst = PROVED;
    for (int32_t i = 0; i < x->rest_count && worst != BLOCKED; ++i) {
        int32_t k = x->rest[i], pair = k < p->item_count ? p->items[k].pair : p->facings[k - p->item_count].pair;
        Verdict v = x->free && x->free[pair] ? PROVED : ask_exact(x, k);
        worst = v > worst ? v : worst;
    }
    if (p->edge_count == 0 || worst == BLOCKED) return worst;
    AbutPlanCenterMotion c = abut_plan_center_motion(p, &x->moment);
    double h = x->moment.h;
    for (int32_t e = 0; e < p->edge_count && worst != BLOCKED; ++e) {
        const AbutPlanEdge *edge = &p->edges[e];
        double inside = abut_plan_edge_inside(edge, c.center);
        double drift = fabs(edge->x * c.velocity.x + edge->y * c.velocity.y);
        if (!(inside > x->room))
            worst = BLOCKED;
        else if (!(inside - h * drift - 0.5 * h * h * c.bend - x->moment.slack > x->room))
            worst = OPEN;
    }
    return worst;
}

/* ---- parts of an edge -------------------------------------------------------------------------------------------- */

static int is_settled(const AbutPlanProver *x, int32_t item, const AbutPlanPart *part) {
    const AbutPlanPart *whole = &x->done[item];
    return whole->h >= 0.0 && fabs(part->x - whole->x) + part->h <= whole->h * (1.0 + 1e-9);
}

static void set_settled(AbutPlanProver *x, int32_t item, const AbutPlanPart *part) {
    if (x->done[item].h < 0.0) x->touched[x->touched_count++] = item;
    x->done[item] = *part;
}

static void forget_settled(AbutPlanProver *x) {
    for (int32_t i = 0; i < x->touched_count; ++i) x->done[x->touched[i]].h = -1.0;
    x->touched_count = 0;
}

/* The open part of a lane of a block; `last`: the part is not to be halved. */
static Verdict ask_lane(AbutPlanProver *x, const AbutPlanBlock *block, int lane, const AbutPlanPart *part, int last) {
    int placed = 0;
    Verdict worst = PROVED;
    if (x->rest_count || x->problem->edge_count) {
        set_moment(x, part);
        placed = 1;
        worst = ask_rest(x);
    }
    for (int32_t i = 0; i < block->ask_count && worst != BLOCKED; ++i) {
        const AbutPlanAsk *ask = &block->asks[i];
        if (!(ask->lanes >> lane & 1) || (x->free && x->free[ask->pair])) continue;
        int32_t item = abut_plan_find_asked(x->problem, ask);
        if (item < 0 || is_settled(x, item, part)) continue;
        Verdict v = OPEN;
        if (last || (ask->near >> lane & 1)) {
            if (!placed) set_moment(x, part);
            placed = 1;
            v = ask_exact(x, item);
            if (v == PROVED) set_settled(x, item, part);
        }
        worst = v > worst ? v : worst;
    }
    return worst == OPEN && last ? BLOCKED : worst;
}

/* A block of parts of an edge; what is left open goes on the stack, halved. 0: blocked. */
static int run_parts(AbutPlanProver *x, const AbutPlanPart *parts, int count, double shortest) {
    AbutPlanBlock *block = x->block;
    for (int i = 0; i < ABUT_PLAN_LANES; ++i) {
        const AbutPlanPart *part = &parts[i < count ? i : 0];
        for (int32_t k = 0; k < x->problem->tree.joint_count; ++k) x->q[k] = x->from[k] + part->x * x->way[k];
        abut_plan_block_lane(block, i, x->q, part->h);
    }
    block->active = (1u << count) - 1u;
    if (!abut_plan_block_run(block)) return 0;
    for (int i = 0; i < count; ++i) {
        double half = 0.5 * parts[i].h;
        switch (ask_lane(x, block, i, &parts[i], half < shortest)) {
        case BLOCKED:
            return 0;
        case PROVED:
            break;
        default:
            if (x->top + 2 > ABUT_PLAN_PROVER_PARTS) return 0;
            x->stack[x->top++] = (AbutPlanPart){parts[i].x + half, half};
            x->stack[x->top++] = (AbutPlanPart){parts[i].x - half, half};
        }
    }
    return 1;
}

static int prove_parts(AbutPlanProver *x, int32_t blocks, double shortest) {
    AbutPlanPart parts[ABUT_PLAN_LANES];
    int32_t n = blocks * ABUT_PLAN_LANES;
    for (int32_t b = 0; b < blocks; ++b) {
        for (int i = 0; i < ABUT_PLAN_LANES; ++i)
            parts[i] = (AbutPlanPart){(i * blocks + b + 0.5) / n, (0.5 / n) * (1.0 + 1e-12)};
        if (!run_parts(x, parts, ABUT_PLAN_LANES, shortest)) return 0;
        while (x->top >= ABUT_PLAN_LANES || (b + 1 == blocks && x->top > 0)) {
            int count = x->top < ABUT_PLAN_LANES ? x->top : ABUT_PLAN_LANES;
            x->top -= count;
            memcpy(parts, x->stack + x->top, (size_t)count * sizeof *parts);
            if (!run_parts(x, parts, count, shortest)) return 0;
        }
    }
    return 1;
}

static int is_apart_at_rest(const AbutPlanProver *x) { return x->still_pair < 0 || x->still > x->level; }

int abut_plan_prove_edge(AbutPlanProver *x, const double *from, const double *to) {
    double length = lay(x, from, to);
    if (!(length < 1e9) || !is_apart_at_rest(x)) return 0;
    forget_settled(x);
    x->top = 0;
    if (!(length > 1e-9)) { /* a posture, with what it may be off */
        for (int32_t i = 0; i < x->problem->tree.joint_count; ++i) x->size[i] += 1.0;
        AbutPlanPart whole = {0.5, 0.5};
        abut_plan_block_line(x->block, 0, ABUT_PLAN_LANES, x->way, x->size, whole.h, x->level);
        return run_parts(x, &whole, 1, INFINITY);
    }
    int32_t blocks = (int32_t)fmin(ceil(length / CELL), CELLS_MOST);
    abut_plan_block_line(x->block, 0, ABUT_PLAN_LANES, x->way, x->size, 0.5 / (blocks * ABUT_PLAN_LANES), x->level);
    return prove_parts(x, blocks, SHORTEST / length);
}

int abut_plan_prover_is_outside(AbutPlanProver *x, const double *u) {
    const AbutPlanProblem *p = x->problem;
    AbutPlanPart start = {0.0, 0.0};
    if (p->facing_count == 0) return 1;
    if (!isfinite(lay(x, u, u))) return 0;
    set_moment(x, &start);
    for (int32_t i = 0; i < p->facing_count; ++i)
        if (!(x->free && x->free[p->facings[i].pair]) && abut_plan_facing_is_inside(p, &p->facings[i], &x->moment.at))
            return 0;
    return 1;
}

/* ---- postures ---------------------------------------------------------------------------------------------------- */

uint32_t abut_plan_prove_postures(AbutPlanProver *x, int count, const double *u) {
    const AbutPlanProblem *p = x->problem;
    AbutPlanBlock *block = x->postures;
    AbutPlanPart whole = {0.0, 0.0};
    uint32_t out = 0;
    for (int32_t k = 0; k < p->tree.joint_count; ++k) x->way[k] = 0.0;
    for (int i = 0; i < ABUT_PLAN_LANES; ++i) {
        spread(p, u + (i < count ? i : 0) * p->coordinate_count, x->q);
        for (int32_t k = 0; k < p->tree.joint_count; ++k) x->size[k] = fabs(x->q[k]);
        abut_plan_block_lane(block, i, x->q, 0.0);
        abut_plan_block_line(block, i, 1, x->way, x->size, 0.0, x->level);
    }
    block->active = (1u << count) - 1u;
    if (!is_apart_at_rest(x) || !abut_plan_block_run(block)) return 0;
    int plain = block->ask_count == 0 && x->rest_count == 0 && p->edge_count == 0;
    for (int i = 0; i < count; ++i) {
        if (!(block->active >> i & 1) || !isfinite(lay(x, u + i * p->coordinate_count, u + i * p->coordinate_count)))
            continue;
        forget_settled(x);
        if (plain || ask_lane(x, block, i, &whole, 1) == PROVED) out |= 1u << i;
    }
    return out;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

/* Skipped by blocks; pairs that no joint moves are measured once. */
static void list_rest(AbutPlanProver *x) {
    const AbutPlanProblem *p = x->problem;
    const AbutPlanPosture *at = &p->shared->rest;
    for (int32_t i = 0; i < p->item_count + p->facing_count; ++i) {
        int32_t f = i - p->item_count, pair = f < 0 ? p->items[i].pair : p->facings[f].pair;
        if (p->scene.is_seen[pair] ||
            (f < 0 && (p->pieces[p->items[i].b].stand_in || p->pieces[p->items[i].a].stand_in)))
            continue;
        if (f < 0 ? p->items[i].count_a + p->items[i].count_b : p->facings[f].count) {
            x->rest[x->rest_count++] = i;
            continue;
        }
        double d = f < 0 ? abut_plan_item_distance(p, &p->items[i], at, NULL).distance
                         : abut_plan_facing_distance(p, &p->facings[f], at).distance;
        if (x->still_pair < 0 || !(d >= x->still)) {
            x->still_pair = pair;
            x->still = d;
        }
    }
}

static AbutStatus check_level(double level, AbutError *error) {
    if (level >= 0.0 && level < 1e60) return ABUT_OK;
    return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "level", ": expected a number of 0 or more, got %g", level);
}

AbutStatus abut_plan_prover_create(
    const AbutPlanProblem *problem, double level, AbutPlanProver **out, AbutError *error) {
    ABUT_ASSERT(problem && out);
    AbutPlanProver plan = {.problem = problem, .level = level, .room = level, .still_pair = -1};
    AbutTaker size = {NULL, 0};
    *out = NULL;
    ABUT_TRY(check_level(level, error));
    abut_take(&size, 1, sizeof plan);
    take_all(&size, &plan);
    char *memory = abut_alloc(size.used + 64);
    if (!memory) return abut_fail_memory(error);
    AbutTaker taker = {memory + (64 - (uintptr_t)memory % 64) % 64, 0};
    AbutPlanProver *x = abut_take(&taker, 1, sizeof *x);
    *x = plan;
    x->memory = memory;
    take_all(&taker, x);
    AbutPlanBlockMode mode = problem->spans ? ABUT_PLAN_BLOCK_BOUNDS : ABUT_PLAN_BLOCK_EDGE; /* some pairs may meet */
    AbutStatus status = abut_plan_block_make(problem, mode, &x->block, error);
    if (!status) status = abut_plan_block_make(problem, ABUT_PLAN_BLOCK_EACH, &x->postures, error);
    if (status) {
        abut_plan_prover_free(x);
        return status;
    }
    x->postures->still = 1;
    list_rest(x);
    *out = x;
    return ABUT_OK;
}

void abut_plan_prover_free(AbutPlanProver *prover) {
    if (!prover) return;
    abut_plan_block_free(prover->block);
    abut_plan_block_free(prover->postures);
    abut_free(prover->memory);
}

int abut_plan_edge_free(AbutPlanProver *prover, const double *from, const double *to) {
    ABUT_ASSERT(prover && from && to);
    return abut_plan_prove_edge(prover, from, to) && abut_plan_prover_is_outside(prover, from);
}

/* ---- many -------------------------------------------------------------------------------------------------------- */

typedef struct Many {
    const AbutPlanProblem *problem;
    double level;
    const double *from, *to;
    uint8_t *free;
    int64_t count;
    int64_t chunk;
    AbutStatus *status; /* per part */
} Many;

static void ask_postures(AbutPlanProver *x, int64_t begin, int64_t end, const Many *m) {
    int32_t width = m->problem->coordinate_count;
    for (int64_t i = begin; i < end; i += ABUT_PLAN_LANES) {
        int count = end - i < ABUT_PLAN_LANES ? (int)(end - i) : ABUT_PLAN_LANES;
        uint32_t good = abut_plan_prove_postures(x, count, m->from + i * width);
        for (int k = 0; k < count; ++k)
            m->free[i + k] = (good >> k & 1) && abut_plan_prover_is_outside(x, m->from + (i + k) * width);
    }
}

static void ask_part(int begin, int end, int worker, void *user) {
    Many *m = user;
    (void)worker;
    for (int part = begin; part < end; ++part) {
        AbutPlanProver *x;
        int64_t first = part * m->chunk, last = first + m->chunk < m->count ? first + m->chunk : m->count;
        m->status[part] = abut_plan_prover_create(m->problem, m->level, &x, NULL);
        if (m->status[part]) continue;
        if (!m->to) ask_postures(x, first, last, m);
        int32_t width = m->problem->coordinate_count;
        for (int64_t i = first; i < last && m->to; ++i)
            m->free[i] = (uint8_t)abut_plan_edge_free(x, m->from + i * width, m->to + i * width);
        abut_plan_prover_free(x);
    }
}

AbutStatus abut_plan_free_batch(const AbutPlanProblem *problem, double level, int64_t count, const double *from,
    const double *to, int threads, uint8_t *free, AbutError *error) {
    enum { CHUNK = 16384, PARTS = 4096 };
    ABUT_ASSERT(problem && count >= 0 && (!count || (from && free)));
    AbutStatus parts[PARTS] = {ABUT_OK};
    Many m = {problem, level, from, to, free, count, CHUNK, parts};
    ABUT_TRY(check_level(level, error));
    while ((count + m.chunk - 1) / m.chunk > PARTS) m.chunk *= 2;
    int used = (int)((count + m.chunk - 1) / m.chunk);
    abut_parallel_for(used, 1, threads, ask_part, &m);
    for (int i = 0; i < used; ++i)
        if (parts[i]) return abut_fail_memory(error);
    return ABUT_OK;
}
