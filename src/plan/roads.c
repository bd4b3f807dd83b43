/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A path by two trees that grow towards each other (RRT-Connect, Kuffner and LaValle 2000) in the planned coordinates.
 * Every edge is proved over its whole length (room proof), so that the path is proved too. The straight edge is tried
 * first, then a roadmap where there is one. Samples are normal numbers about the line between the ends; of few
 * coordinates every other one is spread evenly over the limits (Halton 1960), with domains of nodes that shrink where
 * edges fail (Yershova and others 2005). With postures on the way leg by leg.
 *
 * Balance on a foot leaves so thin a set of a humanoid's postures that samples all miss it. Focused trees spread only
 * coordinates that move what the first motion goes through, and farther; the others stay on the line. Their steps are
 * moved, by all coordinates, to where the center of mass is over the support (Berenson and others 2009, CBiRRT).
 */
#include "base/system.h"
#include "plan/roadmap.h"

#include <string.h>

static const double NEAR = 0.4;   /* of a posture on the way: where its windows count, rad */
static const double CHECK = 0.08; /* between postures whose torques are looked at */
static const double SPREAD = 0.5; /* of samples about the line */
static const double FOCUS = 0.8;  /* the same of few coordinates */
static const double LEAN = 2e-3;  /* m: room that a step over the support gets beyond what is wanted */
static const double RANGE = 1.0, RANGE_SHORT = 0.2; /* of edges, rad; every fourth step leaves narrow places */
static const float DOMAIN_FIRST = 4.0f, DOMAIN_LEAST = 1.0f, DOMAIN_RATE = 1e-4f;
enum { NODES = 12000, UNIFORM_MOST = 10, NODES_LOOKED_AT = 64 };

/* ---- edges ------------------------------------------------------------------------------------------------------- */

/* Pairs whose windows are open where both ends of an edge are next to a posture of the task. */
static void set_windows(AbutPlanRoads *r, const double *a, const double *b) {
    const AbutPlanTask *task = r->task;
    memset(r->free, 0, (size_t)r->problem->pair_count);
    for (int32_t i = -2; i < task->via_count; ++i) {
        const double *u = i == -2 ? task->start : i == -1 ? task->goal : task->via[i];
        double s = i == -2 ? 0.0 : i == -1 ? 1.0 : task->via_s[i];
        if (abut_plan_apart(r->width, a, u) >= NEAR || abut_plan_apart(r->width, b, u) >= NEAR) continue;
        for (int32_t k = 0; k < r->problem->pair_count; ++k)
            r->free[k] |= (uint8_t)(abut_plan_may_meet(r->problem, k, s) != 0);
    }
}

int abut_plan_is_within(const AbutPlanProblem *p, const double *u) {
    for (int32_t j = 0; j < p->tree.joint_count; ++j) {
        double q = p->offset[j];
        if (!abut_plan_is_mixed(p, j)) continue;
        for (int32_t e = 0; e < p->entry_count; ++e)
            q += p->entries[e].joint == j ? p->entries[e].factor * u[p->entries[e].coordinate] : 0.0;
        if (!(q >= p->limits[j].lower && q <= p->limits[j].upper)) return 0;
    }
    return 1;
}

/* Torques along an edge, where these count, at some places. */
static int is_steady(AbutPlanRoads *r, const double *a, const double *b) {
    AbutPlanWork *w = r->work;
    if (!w || !w->dynamics) return 1;
    int n = (int)ceil(abut_plan_apart(r->width, a, b) / CHECK);
    for (int i = 1; i <= n; ++i) {
        for (int32_t c = 0; c < r->width; ++c) r->point[c] = a[c] + (b[c] - a[c]) * i / n;
        abut_plan_place(w, r->point, &w->postures[0]);
        if (!abut_plan_is_steady(w, r->point, &w->postures[0])) return 0;
    }
    return 1;
}

int abut_plan_roads_edge(AbutPlanRoads *r, const double *a, const double *b) {
    if (r->free) set_windows(r, a, b);
    return abut_plan_is_within(r->problem, b) && abut_plan_prove_edge(r->prover, a, b) && is_steady(r, a, b);
}

/* ---- trees ------------------------------------------------------------------------------------------------------- */

static void set_lane(const AbutPlanRoads *r, AbutPlanTreeOfNodes *t, int32_t node) {
    float *block = t->lanes + (size_t)(node - node % ABUT_PLAN_LANES) * (size_t)r->width;
    for (int32_t c = 0; c < r->width; ++c) {
        float *row = block + c * ABUT_PLAN_LANES;
        for (int i = 0; i < ABUT_PLAN_LANES && node % ABUT_PLAN_LANES == 0; ++i) row[i] = INFINITY;
        row[node % ABUT_PLAN_LANES] = (float)t->u[(size_t)node * (size_t)r->width + (size_t)c];
    }
}

/* In single precision, eight nodes at once. */
static int32_t nearest(const AbutPlanRoads *r, const AbutPlanTreeOfNodes *t, const double *u) {
    float least[ABUT_PLAN_LANES];
    int32_t where[ABUT_PLAN_LANES] = {0}, best = 0;
    const float *row = t->lanes;
    for (int i = 0; i < ABUT_PLAN_LANES; ++i) least[i] = INFINITY;
    for (int32_t node = 0; node < t->count; node += ABUT_PLAN_LANES) {
        float sum[ABUT_PLAN_LANES] = {0};
        for (int32_t c = 0; c < r->width; ++c, row += ABUT_PLAN_LANES) {
            float x = (float)u[c];
            for (int i = 0; i < ABUT_PLAN_LANES; ++i) sum[i] += (x - row[i]) * (x - row[i]);
        }
        for (int i = 0; i < ABUT_PLAN_LANES; ++i) {
            where[i] = sum[i] < least[i] ? node + i : where[i];
            least[i] = sum[i] < least[i] ? sum[i] : least[i];
        }
    }
    for (int i = 1; i < ABUT_PLAN_LANES; ++i)
        if (least[i] < least[best] || (least[i] == least[best] && where[i] < where[best])) best = i;
    return where[best];
}

/* The edge of the support that the center of mass is farthest beyond, and its room there; -1: all have enough. */
static int32_t find_edge(const AbutPlanWork *w, const AbutPlanPosture *at, double *room) {
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
static int lean(AbutPlanWork *w, double *u) {
    enum { ROUNDS = 8 };
    const AbutPlanProblem *p = w->problem;
    AbutPlanPosture *at = &w->postures[0];
    for (int i = 0; i < ROUNDS; ++i) {
        double room, square = 1e-12, *gradient = w->coordinates;
        abut_plan_place(w, u, at);
        int32_t edge = find_edge(w, at, &room);
        if (edge < 0) return 1;
        abut_plan_edge_gradient(p, &p->edges[edge], at, w->joint_row, gradient);
        for (int32_t c = 0; c < w->width; ++c) square += gradient[c] * gradient[c];
        for (int32_t c = 0; c < w->width; ++c)
            u[c] = fmin(fmax(u[c] + gradient[c] * (1.5 * LEAN - room) / square, p->lower[c]), p->upper[c]);
    }
    return 0;
}

/* A step from node `from` towards u; the new node, or -1. *reached: it is u. */
static int32_t extend(AbutPlanRoads *r, AbutPlanTreeOfNodes *t, int32_t from, const double *u, int *reached) {
    int32_t width = r->width;
    if (t->count == NODES) return -1;
    const double *a = t->u + (size_t)from * (size_t)width;
    double *b = t->u + (size_t)t->count * (size_t)width;
    double d = abut_plan_apart(width, a, u), part = d > r->range ? r->range / d : 1.0;
    for (int32_t c = 0; c < width; ++c) b[c] = part == 1.0 ? u[c] : a[c] + part * (u[c] - a[c]);
    if (r->leans && (!lean(r->work, b) || (part < 1.0 && abut_plan_apart(width, b, u) > d - 0.1 * r->range))) return -1;
    if (!abut_plan_roads_edge(r, a, b)) return -1;
    *reached = part == 1.0 && (!r->leans || abut_plan_apart(width, b, u) == 0.0);
    t->parent[t->count] = from;
    t->domain[t->count] = INFINITY;
    set_lane(r, t, t->count);
    return t->count++;
}

/* The way from the root of one tree to the root of the other; gives the number of its points, 0: too long. */
static int32_t trace(const AbutPlanRoads *r, int32_t in_first, int32_t in_second, double *out) {
    int32_t n = 0, width = r->width;
    size_t bytes = (size_t)width * sizeof *out;
    for (int32_t i = in_first; i >= 0; i = r->tree[0].parent[i]) ++n;
    if (n > ABUT_PLAN_PATH_MOST / 2) return 0;
    for (int32_t i = in_first, k = n - 1; i >= 0; i = r->tree[0].parent[i], --k)
        memcpy(out + k * width, r->tree[0].u + (size_t)i * (size_t)width, bytes);
    for (int32_t i = in_second; i >= 0; i = r->tree[1].parent[i]) {
        if (n == ABUT_PLAN_PATH_MOST) return 0;
        memcpy(out + n++ * width, r->tree[1].u + (size_t)i * (size_t)width, bytes);
    }
    return n;
}

/* Number i of Halton's sequence to a base. */
static double halton(uint32_t i, uint32_t base) {
    double part = 1.0, sum = 0.0;
    for (; i; i /= base) {
        part /= base;
        sum += part * (i % base);
    }
    return sum;
}

static void draw_sample(AbutPlanRoads *r, int number, const double *from, const double *to) {
    static const uint32_t primes[UNIFORM_MOST] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
    int even = r->uniform && number % 2 == 0;
    double x = even ? 0.0 : abut_rng_unit(r->rng);
    for (int32_t c = 0; c < r->width; ++c) {
        if (even) {
            double y = halton((uint32_t)number / 2 + 1, primes[c]) + r->shift[c];
            r->sample[c] = r->low[c] + (r->high[c] - r->low[c]) * (y - floor(y));
            continue;
        }
        double u = from[c] + x * (to[c] - from[c]) + r->spread[c] * abut_rng_normal(r->rng);
        r->sample[c] = fmin(fmax(u, r->problem->lower[c]), r->problem->upper[c]);
    }
}

static void plant(AbutPlanRoads *r, int which, const double *u) {
    AbutPlanTreeOfNodes *t = &r->tree[which];
    t->count = 1;
    t->parent[0] = -1;
    t->domain[0] = INFINITY;
    memcpy(t->u, u, (size_t)r->width * sizeof *u);
    set_lane(r, t, 0);
}

/* Where even samples lie: within limits, and of far ones about the ends. */
static void set_box(AbutPlanRoads *r, const double *from, const double *to) {
    for (int32_t c = 0; c < r->width; ++c) {
        r->low[c] = fmax(r->problem->lower[c], fmin(from[c], to[c]) - ABUT_PI);
        r->high[c] = fmin(r->problem->upper[c], fmax(from[c], to[c]) + ABUT_PI);
        r->shift[c] = abut_rng_unit(r->rng);
    }
}

/* The domain of a node shrinks where its edges fail, and grows where they do not. */
static void set_domain(float *domain, int failed) {
    if (failed)
        *domain = *domain == INFINITY ? DOMAIN_FIRST : fmaxf(DOMAIN_LEAST, *domain * (1.0f - DOMAIN_RATE));
    else if (*domain != INFINITY)
        *domain *= 1.0f + DOMAIN_RATE;
}

/* A sample, a step of one tree towards it, and steps of the other towards that. The points of r->leg where the trees
 * meet; 0: they do not. */
static int32_t grow(AbutPlanRoads *r, int which) {
    AbutPlanTreeOfNodes *one = &r->tree[which], *two = &r->tree[1 - which];
    int32_t width = r->width, from = nearest(r, one, r->sample);
    int reached = 0;
    if (r->uniform && abut_plan_apart(width, one->u + (size_t)from * (size_t)width, r->sample) > one->domain[from])
        return 0;
    int32_t mine = extend(r, one, from, r->sample, &reached);
    if (r->uniform) set_domain(&one->domain[from], mine < 0);
    if (mine < 0) return 0;
    const double *u = one->u + (size_t)mine * (size_t)width;
    int32_t other = nearest(r, two, u);
    for (reached = 0; other >= 0 && !reached;) other = extend(r, two, other, u, &reached);
    return other < 0 ? 0 : trace(r, which ? other : mine, which ? mine : other, r->leg);
}

/* One leg; gives the points of r->leg, 0: not found. */
static int32_t connect(AbutPlanRoads *r, const double *from, const double *to, int samples) {
    size_t bytes = (size_t)r->width * sizeof *from;
    int32_t n = 0;
    if (!r->leans && abut_plan_roads_edge(r, from, to)) {
        memcpy(r->leg, from, bytes);
        memcpy(r->leg + r->width, to, bytes);
        return 2;
    }
    if (r->map && !r->leans) n = abut_plan_route_find(r, from, to);
    if (n > 0) return n;
    plant(r, 0, from);
    plant(r, 1, to);
    set_box(r, from, to);
    for (int i = 0; i < samples && n == 0; ++i) {
        if (i % NODES_LOOKED_AT == 0 && abut_clock() > r->deadline) return 0;
        draw_sample(r, i, from, to);
        if (r->uniform) r->range = i % 4 == 3 ? RANGE_SHORT : RANGE;
        n = grow(r, r->uniform ? r->tree[0].count > r->tree[1].count : i & 1);
    }
    return n;
}

/* ---- the path ---------------------------------------------------------------------------------------------------- */

/* Adds a leg behind the path, whose last point it begins with. */
static int append(AbutPlanRoads *r, int32_t n) {
    int32_t width = r->width, skip = r->path_count > 0;
    if (r->path_count + n > ABUT_PLAN_PATH_MOST) return 0;
    memcpy(r->path + r->path_count * width, r->leg + skip * width, (size_t)((n - skip) * width) * sizeof *r->leg);
    r->path_count += n - skip;
    return 1;
}

int abut_plan_roads_find(AbutPlanRoads *r, int samples) {
    const AbutPlanTask *task = r->task;
    const double *from = task->start;
    r->path_count = 0;
    for (int32_t leg = 0; leg <= task->via_count; ++leg) {
        const double *to = leg < task->via_count ? task->via[leg] : task->goal;
        if (r->free) set_windows(r, from, from);
        int32_t n = abut_plan_prover_is_outside(r->prover, from) ? connect(r, from, to, samples) : 0;
        if (n < 2 || !append(r, abut_plan_shorten(r, r->leg, n))) return 0;
        from = to;
    }
    return 1;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

AbutStatus abut_plan_roads_make(const AbutPlanProblem *problem, const AbutPlanTask *task, double level, AbutRng *rng,
    double deadline, AbutPlanRoads *out, AbutError *error) {
    size_t width = (size_t)problem->coordinate_count + 1, pairs = (size_t)problem->pair_count + 1;
    size_t numbers = (2 * NODES + 2 * ABUT_PLAN_PATH_MOST + 6) * width;
    size_t node = sizeof(int32_t) + (1 + width) * sizeof(float); /* parent, domain, lanes */
    double *block = abut_alloc(numbers * sizeof *block + 2 * NODES * node + pairs);
    AbutPlanRoads r = {.problem = problem, .task = task, .rng = rng, .deadline = deadline, .range = RANGE};
    r.width = problem->coordinate_count;
    r.uniform = r.width <= UNIFORM_MOST;
    *out = r;
    if (!block) return abut_fail_memory(error);
    double *rows[] = {NULL, NULL, NULL, NULL, NULL, NULL}, *at = block;
    r.memory = r.path = block;
    r.leg = r.path + ABUT_PLAN_PATH_MOST * width;
    at = r.leg + ABUT_PLAN_PATH_MOST * width;
    for (int i = 0; i < 6; ++i, at += width) rows[i] = at;
    r.sample = rows[0], r.point = rows[1], r.spread = rows[2], r.low = rows[3], r.high = rows[4], r.shift = rows[5];
    r.tree[0].u = at;
    r.tree[1].u = at + NODES * width;
    r.tree[0].parent = (int32_t *)(block + numbers);
    r.tree[1].parent = r.tree[0].parent + NODES;
    r.tree[0].domain = (float *)(r.tree[1].parent + NODES);
    r.tree[1].domain = r.tree[0].domain + NODES;
    r.tree[0].lanes = r.tree[1].domain + NODES;
    r.tree[1].lanes = r.tree[0].lanes + NODES * width;
    r.free = problem->spans ? (uint8_t *)(r.tree[1].lanes + NODES * width) : NULL;
    for (size_t c = 0; c + 1 < width; ++c) r.spread[c] = SPREAD;
    AbutStatus status = abut_plan_prover_create(problem, level, &r.prover, error);
    if (!status) {
        r.prover->free = r.free;
        r.prover->room = problem->balance_margin;
    }
    *out = r;
    if (status) abut_plan_roads_free(out);
    return status;
}

void abut_plan_roads_free(AbutPlanRoads *roads) {
    abut_plan_prover_free(roads->prover);
    abut_free(roads->route.memory);
    abut_free(roads->memory);
    memset(roads, 0, sizeof *roads);
}

/* ---- for an attempt ---------------------------------------------------------------------------------------------- */

/* Coordinates that move a pair which work->control brings too near are spread, if there are any; no others are. */
static void focus(AbutPlanRoads *r) {
    AbutPlanWork *w = r->work;
    int any = 0;
    memset(r->spread, 0, (size_t)r->width * sizeof *r->spread);
    abut_plan_collect(w, w->control, 0, &w->now);
    for (int32_t i = 0; i < w->now.count; ++i) {
        const AbutPlanRow *row = &w->now.rows[i];
        for (int32_t c = 0; c < w->width && row->item < w->problem->item_count && row->value < row->wanted; ++c)
            if (row->gradient[c] != 0.0) {
                r->spread[c] = FOCUS;
                any = 1;
            }
    }
    for (int32_t c = 0; c < r->width && !any; ++c) r->spread[c] = SPREAD;
}

int abut_plan_find_path(AbutPlanWork *work, int samples, int focused) {
    AbutPlanRoads r;
    double level = work->problem->margin;
    if (abut_plan_roads_make(work->problem, work->task, level, &work->rng, work->deadline, &r, NULL)) return -1;
    r.work = work;
    r.uniform = 0; /* the fast attempt spreads its samples evenly */
    r.range = NEAR;
    r.leans = focused && work->problem->edge_count > 0;
    if (focused) focus(&r);
    int found = abut_plan_roads_find(&r, samples);
    if (found) abut_plan_fit(work, r.path_count, r.path);
    abut_plan_roads_free(&r);
    return found;
}
