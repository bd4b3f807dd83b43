/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A path by two trees that grow towards each other (RRT-Connect, Kuffner and LaValle 2000) in the planned coordinates.
 * Samples are normal around the line between the ends. Edges are checked in small steps with a clearance; the path is
 * cut short at random, and control points are fitted to it. With postures on the way leg by leg.
 *
 * Balance on a foot leaves so thin a set of a humanoid's postures that samples all miss it. Focused trees spread only
 * coordinates that move what the first motion goes through, and farther; the others stay on the line. Their steps are
 * moved, by all coordinates, to where the center of mass is over the support (Berenson and others 2009, CBiRRT).
 */
#include "plan/planner.h"

#include <string.h>

static const double STEP = 0.4;   /* length of an edge, rad */
static const double CHECK = 0.08; /* between postures that are looked at */
static const double SPREAD = 0.5; /* of samples about the line */
static const double FOCUS = 0.8;  /* the same of few coordinates */
static const double LEAN = 2e-3;  /* m: room that a step over the support gets beyond what is wanted */
enum { NODES = 6000, SHORTCUTS = 200, PATH = 400 };

typedef struct Tree {
    int32_t count;
    int32_t *parent;
    double *u; /* [NODES][width] */
} Tree;

typedef struct Roads {
    AbutPlanWork *work;
    Tree tree[2];
    double *path; /* [PATH][width] of the whole motion */
    int32_t path_count;
    double *leg; /* of one leg */
    double *sample, *point;
    double *spread;     /* of samples, per coordinate */
    int leans;          /* 1: steps are moved over the support */
    int32_t in_the_way; /* item that was last */
} Roads;

/* ---- free space -------------------------------------------------------------------------------------------------- */

static double gap(int32_t width, const double *a, const double *b)
{
    double sum = 0.0;
    for (int32_t c = 0; c < width; ++c)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sqrt(sum);
}

/* Is u next to a posture of the task at whose time the pair of an item may meet? */
static int may_touch(const AbutPlanWork *w, int32_t k, const double *u)
{
    const AbutPlanTask *task = w->task;
    int32_t pair = w->problem->items[k].pair;
    int near = abut_plan_may_meet(w->problem, pair, 0.0) && gap(w->width, u, task->start) < STEP;
    near |= abut_plan_may_meet(w->problem, pair, 1.0) && gap(w->width, u, task->goal) < STEP;
    for (int32_t i = 0; i < task->via_count; ++i)
        near |= abut_plan_may_meet(w->problem, pair, task->via_s[i]) && gap(w->width, u, task->via[i]) < STEP;
    return near;
}

/* In the first posture of the grid. */
static int is_item_apart(AbutPlanWork *w, int32_t k)
{
    double wanted = abut_plan_wanted(w, k) + 1e-3;
    const AbutPlanItem *item = &w->problem->items[k];
    const AbutPlanPosture *at = &w->postures[0];
    return abut_plan_grid_apart(w, item, 0) > wanted || abut_plan_item_hulls_apart(w->problem, item, at) > wanted ||
           abut_plan_item_distance(w->problem, item, at, &w->caches[k]).distance >= wanted;
}

/* What was last in the way is asked first. */
static int is_free(Roads *r, const double *u)
{
    AbutPlanWork *w = r->work;
    const AbutPlanProblem *p = w->problem;
    AbutPlanPosture *at = &w->postures[0];
    for (int32_t c = 0; c < w->width; ++c)
        if (u[c] < p->lower[c] || u[c] > p->upper[c])
            return 0;
    abut_plan_place(w, u, at);
    if (!abut_plan_is_steady(w, u, at))
        return 0;
    for (int32_t k = 0; k < p->piece_count; ++k)
        w->centers[k] = abut_plan_piece_point(&p->pieces[k], at, p->pieces[k].ball.center);
    if (r->in_the_way < p->item_count && !is_item_apart(w, r->in_the_way) && !may_touch(w, r->in_the_way, u))
        return 0;
    for (int32_t k = 0; k < p->item_count; ++k)
        if (k != r->in_the_way && !is_item_apart(w, k) && !may_touch(w, k, u)) {
            r->in_the_way = k;
            return 0;
        }
    return 1;
}

/* From a to b, b included: b, then ever finer, the sooner to find what is in the way. */
static int is_edge_free(Roads *r, const double *a, const double *b)
{
    AbutPlanWork *w = r->work;
    int n = (int)ceil(gap(w->width, a, b) / CHECK), step = 1;
    while (step < n)
        step *= 2;
    for (int odd = 0; step > 0; step /= 2, odd = 1)
        for (int k = odd ? step : 0; k < n; k += odd ? 2 * step : n) {
            for (int32_t c = 0; c < w->width; ++c)
                r->point[c] = a[c] + (b[c] - a[c]) * (n - k) / n;
            if (!is_free(r, r->point))
                return 0;
        }
    return 1;
}

/* ---- trees ------------------------------------------------------------------------------------------------------- */

static int32_t nearest(const Roads *r, const Tree *t, const double *u)
{
    int32_t best = 0, width = r->work->width;
    double least = INFINITY;
    for (int32_t i = 0; i < t->count; ++i) {
        double sum = 0.0;
        const double *v = t->u + (size_t)i * (size_t)width;
        for (int32_t c = 0; c < width && sum < least; ++c)
            sum += (u[c] - v[c]) * (u[c] - v[c]);
        if (sum < least) {
            least = sum;
            best = i;
        }
    }
    return best;
}

/* The edge of the support that the center of mass is farthest beyond, and its room there; -1: all have enough. */
static int32_t find_edge(const AbutPlanWork *w, const AbutPlanPosture *at, double *room)
{
    const AbutPlanProblem *p = w->problem;
    AbutVec3 center = abut_plan_center(p, at);
    int32_t worst = -1;
    *room = LEAN;
    for (int32_t e = 0; e < p->edge_count; ++e) {
        double own = abut_plan_edge_inside(&p->edges[e], center) - abut_plan_wanted(w, p->item_count + e);
        if (own < *room) {
            *room = own;
            worst = e;
        }
    }
    return worst;
}

/* Moves u by about the least that brings the center of mass over the support; 0: it stays outside. */
static int lean(AbutPlanWork *w, double *u)
{
    enum { ROUNDS = 8 };
    const AbutPlanProblem *p = w->problem;
    AbutPlanPosture *at = &w->postures[0];
    for (int i = 0; i < ROUNDS; ++i) {
        double room, square = 1e-12, *gradient = w->coordinates;
        abut_plan_place(w, u, at);
        int32_t edge = find_edge(w, at, &room);
        if (edge < 0)
            return 1;
        abut_plan_edge_gradient(p, &p->edges[edge], at, w->joint_row, gradient);
        for (int32_t c = 0; c < w->width; ++c)
            square += gradient[c] * gradient[c];
        for (int32_t c = 0; c < w->width; ++c)
            u[c] = fmin(fmax(u[c] + gradient[c] * (1.5 * LEAN - room) / square, p->lower[c]), p->upper[c]);
    }
    return 0;
}

/* A step from node `from` towards u; the new node, or -1. *reached: it is u. */
static int32_t extend(Roads *r, Tree *t, int32_t from, const double *u, int *reached)
{
    int32_t width = r->work->width;
    if (t->count == NODES)
        return -1;
    const double *a = t->u + (size_t)from * (size_t)width;
    double *b = t->u + (size_t)t->count * (size_t)width, d = gap(width, a, u), part = d > STEP ? STEP / d : 1.0;
    for (int32_t c = 0; c < width; ++c)
        b[c] = a[c] + part * (u[c] - a[c]);
    if (r->leans && (!lean(r->work, b) || (part < 1.0 && gap(width, b, u) > d - 0.1 * STEP)))
        return -1;
    if (!is_edge_free(r, a, b))
        return -1;
    *reached = part == 1.0 && (!r->leans || gap(width, b, u) == 0.0);
    t->parent[t->count] = from;
    return t->count++;
}

/* The way from the root of one tree to the root of the other; gives the number of its points, 0: too long. */
static int32_t trace(const Roads *r, int32_t in_first, int32_t in_second, double *out)
{
    int32_t n = 0, width = r->work->width;
    size_t bytes = (size_t)width * sizeof *out;
    for (int32_t i = in_first; i >= 0; i = r->tree[0].parent[i])
        ++n;
    if (n > PATH / 2)
        return 0;
    for (int32_t i = in_first, k = n - 1; i >= 0; i = r->tree[0].parent[i], --k)
        memcpy(out + k * width, r->tree[0].u + (size_t)i * (size_t)width, bytes);
    for (int32_t i = in_second; i >= 0; i = r->tree[1].parent[i]) {
        if (n == PATH)
            return 0;
        memcpy(out + n++ * width, r->tree[1].u + (size_t)i * (size_t)width, bytes);
    }
    return n;
}

static void draw_sample(Roads *r, const double *from, const double *to)
{
    AbutPlanWork *w = r->work;
    double x = abut_rng_unit(&w->rng);
    for (int32_t c = 0; c < w->width; ++c) {
        double u = from[c] + x * (to[c] - from[c]) + r->spread[c] * abut_rng_normal(&w->rng);
        r->sample[c] = fmin(fmax(u, w->problem->lower[c]), w->problem->upper[c]);
    }
}

static void plant(Roads *r, int which, const double *u)
{
    r->tree[which].count = 1;
    r->tree[which].parent[0] = -1;
    memcpy(r->tree[which].u, u, (size_t)r->work->width * sizeof *u);
}

/* One leg; gives the points of r->leg, 0: not found. */
static int32_t connect(Roads *r, const double *from, const double *to, int samples)
{
    int32_t width = r->work->width;
    plant(r, 0, from);
    plant(r, 1, to);
    for (int i = 0; i < samples && !abut_plan_is_over(r->work); ++i) {
        Tree *one = &r->tree[i & 1], *two = &r->tree[1 - (i & 1)];
        int reached = 0;
        draw_sample(r, from, to);
        int32_t mine = extend(r, one, nearest(r, one, r->sample), r->sample, &reached);
        if (mine < 0)
            continue;
        const double *u = one->u + (size_t)mine * (size_t)width;
        int32_t other = nearest(r, two, u);
        for (reached = 0; other >= 0 && !reached;)
            other = extend(r, two, other, u, &reached);
        if (other >= 0)
            return trace(r, i & 1 ? other : mine, i & 1 ? mine : other, r->leg);
    }
    return 0;
}

/* ---- the path ---------------------------------------------------------------------------------------------------- */

static int32_t shorten(Roads *r, int32_t n)
{
    int32_t width = r->work->width;
    for (int i = 0; i < SHORTCUTS && n > 2; ++i) {
        int32_t a = (int32_t)abut_rng_below(&r->work->rng, (uint32_t)n);
        int32_t b = (int32_t)abut_rng_below(&r->work->rng, (uint32_t)n), low = a < b ? a : b, high = a < b ? b : a;
        if (high - low < 2 || !is_edge_free(r, r->leg + low * width, r->leg + high * width))
            continue;
        memmove(r->leg + (low + 1) * width, r->leg + high * width, (size_t)(n - high) * (size_t)width * sizeof *r->leg);
        n -= high - low - 1;
    }
    return n;
}

/* Adds a leg behind the path, whose last point it begins with. */
static int append(Roads *r, int32_t n)
{
    int32_t width = r->work->width, skip = r->path_count > 0;
    if (r->path_count + n > PATH)
        return 0;
    memcpy(r->path + r->path_count * width, r->leg + skip * width, (size_t)((n - skip) * width) * sizeof *r->leg);
    r->path_count += n - skip;
    return 1;
}

static int find_path(Roads *r, int samples)
{
    const AbutPlanTask *task = r->work->task;
    const double *from = task->start;
    for (int32_t leg = 0; leg <= task->via_count; ++leg) {
        const double *to = leg < task->via_count ? task->via[leg] : task->goal;
        int32_t n = connect(r, from, to, samples);
        if (n < 2 || !append(r, shorten(r, n)))
            return 0;
        from = to;
    }
    return 1;
}

/* Coordinates that move a pair which work->control brings too near are spread, if there are any; no others are. */
static void focus(Roads *r)
{
    AbutPlanWork *w = r->work;
    int any = 0;
    memset(r->spread, 0, (size_t)w->width * sizeof *r->spread);
    abut_plan_collect(w, w->control, 0, &w->now);
    for (int32_t i = 0; i < w->now.count; ++i) {
        const AbutPlanRow *row = &w->now.rows[i];
        for (int32_t c = 0; c < w->width && row->item < w->problem->item_count && row->value < row->wanted; ++c)
            if (row->gradient[c] != 0.0) {
                r->spread[c] = FOCUS;
                any = 1;
            }
    }
    for (int32_t c = 0; c < w->width && !any; ++c)
        r->spread[c] = SPREAD;
}

int abut_plan_rrt(AbutPlanWork *work, int samples, int focused)
{
    size_t width = (size_t)work->width, numbers = (2 * NODES + 2 * PATH + 3) * (width + 1);
    double *block = abut_alloc(numbers * sizeof *block + 2 * NODES * sizeof(int32_t));
    if (!block)
        return -1;
    Roads r = {.work = work, .path = block, .leg = block + PATH * width};
    r.sample = r.leg + PATH * width;
    r.point = r.sample + width;
    r.spread = r.point + width;
    r.tree[0].u = r.spread + width;
    r.tree[1].u = r.tree[0].u + NODES * width;
    r.tree[0].parent = (int32_t *)(block + numbers);
    r.tree[1].parent = r.tree[0].parent + NODES;
    r.leans = focused && work->problem->edge_count > 0;
    for (size_t c = 0; c < width; ++c)
        r.spread[c] = SPREAD;
    if (focused)
        focus(&r);
    int found = find_path(&r, samples);
    if (found)
        abut_plan_fit(work, r.path_count, r.path);
    abut_free(block);
    return found;
}
