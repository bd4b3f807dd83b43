/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search for the depth by sweeps.
 *
 * In: an AbutDepthSearch with its directions. Out: the shortest free translation found. Method: lengths along many
 * directions, dropped as soon as they pass the best; the best few are refined; rings of directions around the best one.
 * Exits (beyond which nothing meets any more) are cheap but miss pockets; the first free place along a direction finds
 * these. With few triangles every candidate descends through free space; with many the exits are refined by planes of
 * contact, and only the best of them, and what lies in pockets, descends.
 */
#include "mesh/depth_search.h"
#include "mesh/tolerance.h"

enum { MOST_STARTS = 8, RING = 6, RINGS = 4, RING_ROUNDS = 12, DESCENT = 30, POLISH = 12, DEEP_DIRECTIONS = 60 };

typedef double Measure(AbutDepthSearch *d, AbutVec3 u, double cut);

/* ---- directions -------------------------------------------------------------------------------------------------- */

static void add_direction(AbutDepthSearch *d, AbutVec3 u) {
    if (d->direction_count < ABUT_DEPTH_DIRECTIONS) d->direction[d->direction_count++] = u;
}

void abut_depth_directions(
    AbutDepthSearch *d, int count, int turn, const AbutMeshCore *core_a, const AbutMeshCore *core_b) {
    const AbutMeshPair *q = &d->sweep.pair;
    const double golden = ABUT_PI * (3.0 - sqrt(5.0));
    AbutVec3 center = abut_add(abut_mat3_apply(q->r, abut_scale(q->b->center, q->scale)), d->sweep.start);
    d->direction_count = 0;
    add_direction(d, abut_normalize_or(abut_sub(center, abut_scale(q->a->center, q->scale)), abut_axis(0)));
    for (int i = 0; core_a && i < core_a->normal_count; ++i) add_direction(d, core_a->normal[i]);
    for (int i = 0; core_b && i < core_b->normal_count; ++i)
        add_direction(d, abut_neg(abut_mat3_apply(q->r, core_b->normal[i])));
    for (int i = 0; i < count; ++i) {
        double z = 1.0 - (2.0 * i + 1.0) / count, r = sqrt(1.0 - z * z), angle = golden * i + 0.7 * turn;
        AbutVec3 u = abut_vec3(r * abut_cos(angle), r * abut_sin(angle), z);
        add_direction(d, turn % 3 == 0 ? u : (turn % 3 == 1 ? abut_vec3(u.y, u.z, u.x) : abut_vec3(u.z, u.x, u.y)));
    }
}

/* ---- starts ------------------------------------------------------------------------------------------------------ */

/* The best few directions, shortest first. */
typedef struct Starts {
    int count, room;
    double slack; /* those longer than the best by this factor are of no interest */
    double s[MOST_STARTS];
    AbutVec3 u[MOST_STARTS];
} Starts;

static double starts_cut(const Starts *x, double best) {
    double cut = abut_smaller(best, x->count > 0 ? x->s[0] : INFINITY) * x->slack;
    return x->count == x->room ? abut_smaller(cut, x->s[x->room - 1]) : cut;
}

static void keep_start(Starts *x, AbutVec3 u, double s) {
    int k = x->count < x->room ? x->count++ : x->room - 1;
    for (; k > 0 && x->s[k - 1] > s; --k) x->s[k] = x->s[k - 1], x->u[k] = x->u[k - 1];
    x->s[k] = s, x->u[k] = u;
}

static Starts scan(AbutDepthSearch *d, Measure *measure, int room, double slack) {
    Starts x = {.room = room, .slack = slack};
    for (int i = 0; i < d->direction_count; ++i) {
        double s = measure(d, d->direction[i], starts_cut(&x, d->best));
        if (!d->sweep.abandoned) keep_start(&x, d->direction[i], s);
    }
    return x;
}

/* ---- what is done with a start ----------------------------------------------------------------------------------- */

/* Takes the place at length s along u, then descends from it. */
static void descend_from(AbutDepthSearch *d, AbutVec3 u, double s, int rounds) {
    AbutVec3 q = abut_depth_outside(d, u, s);
    if (!abut_depth_is_free(d, q)) return;
    (void)abut_depth_accept(d, abut_depth_place(d, u, s));
    (void)abut_depth_accept(d, abut_depth_descend(d, q, rounds));
}

static void descend_start(AbutDepthSearch *d, AbutVec3 u, double s) { descend_from(d, u, s, DESCENT); }

static void refine_start(AbutDepthSearch *d, AbutVec3 u, double s) {
    AbutVec3 better = u;
    abut_depth_propose(d, abut_depth_place(d, u, s));
    s = abut_depth_refine(d, u, &better, 12);
    if (s < INFINITY) abut_depth_propose(d, abut_depth_place(d, better, s));
}

typedef void Use(AbutDepthSearch *d, AbutVec3 u, double s);

static void use_starts(AbutDepthSearch *d, const Starts *x, Use *use) {
    for (int i = 0; i < x->count; ++i)
        if (i == 0 || x->s[i] <= x->slack * d->best) use(d, x->u[i], x->s[i]);
}

/* One ring around the best direction; 1 when that has become shorter. */
static int try_ring(AbutDepthSearch *d, double angle, double phase, Measure *measure, Use *use) {
    AbutVec3 u = abut_normalize_or(d->q, abut_axis(0)), v = abut_perpendicular(u), w = abut_cross(u, v);
    double before = d->best * (1.0 - 1e-6);
    for (int i = 0; i < RING; ++i) {
        double turn = 2.0 * ABUT_PI * i / RING + phase;
        AbutVec3 side = abut_add(abut_scale(v, abut_cos(turn)), abut_scale(w, abut_sin(turn)));
        AbutVec3 to = abut_normalize(abut_add(abut_scale(u, abut_cos(angle)), abut_scale(side, abut_sin(angle))));
        double s = measure(d, to, d->best);
        if (!d->sweep.abandoned) use(d, to, s);
        if (d->best < before) return 1;
    }
    return 0;
}

static void try_rings(AbutDepthSearch *d, Measure *measure, Use *use) {
    static const double angle[RINGS] = {0.35, 0.18, 0.09, 0.045};
    int k = 0;
    for (int round = 0; k < RINGS && round < RING_ROUNDS && d->best < INFINITY; ++round)
        k += !try_ring(d, angle[k], 0.5 * k, measure, use);
}

/* ---- searches ---------------------------------------------------------------------------------------------------- */

static int is_given(AbutVec3 warm) { return abut_length_sq(warm) > 0.5; }

/* Deep overlaps have many valleys: more of them are followed. */
static int is_deep(const AbutDepthSearch *d, double s) {
    const AbutMeshPair *q = &d->sweep.pair;
    return s > ABUT_DEPTH_DEEP * q->scale * abut_smaller(q->a->radius, q->b->radius);
}

void abut_depth_search_small(AbutDepthSearch *d, AbutVec3 warm) {
    if (is_given(warm)) descend_start(d, warm, abut_depth_exit(d, warm, INFINITY));
    Starts exits = scan(d, abut_depth_exit, 3, 1.2);
    use_starts(d, &exits, descend_start);
    for (int turn = 1; turn <= 2; ++turn) {
        int deep = is_deep(d, d->best);
        Starts pockets = scan(d, abut_depth_first_free, deep ? 6 : 4, deep ? 1.3 : 1.15);
        use_starts(d, &pockets, descend_start);
        try_rings(d, abut_depth_first_free, descend_start);
        if (!deep) break;
        abut_depth_directions(d, DEEP_DIRECTIONS, turn, NULL, NULL);
    }
}

/* Surfaces alone: triangles in one plane that move in it have no end that a sweep sees, so every exit is asked. */
static double surface_exit(AbutDepthSearch *d, AbutVec3 u, double cut) {
    double s = abut_depth_exit(d, u, cut);
    if (!d->sweep.abandoned && !abut_depth_is_free(d, abut_scale(abut_depth_place(d, u, s), ABUT_DEPTH_VERIFY)))
        d->sweep.abandoned = 1;
    return d->sweep.abandoned ? INFINITY : s;
}

static void refine_surface(AbutDepthSearch *d, AbutVec3 u, double s) {
    AbutVec3 better = u;
    (void)abut_depth_accept(d, abut_depth_place(d, u, s));
    s = abut_depth_refine(d, u, &better, 12);
    if (s < INFINITY) (void)abut_depth_accept(d, abut_depth_place(d, better, s));
}

/* Both ways across the two triangles that meet: the shortest where surfaces touch or lie in each other. */
static void add_normals_there(AbutDepthSearch *d) {
    const AbutMeshPair *q = &d->sweep.pair;
    AbutVec3 v[3];
    for (int k = 0; k < 2 && d->slot_a >= 0; ++k) {
        if (k == 0)
            abut_mesh_triangle_a(q, d->slot_a, v);
        else
            abut_mesh_triangle_b(q, d->slot_b, v);
        AbutVec3 n = abut_normalize_or(abut_cross(abut_sub(v[1], v[0]), abut_sub(v[2], v[0])), abut_axis(0));
        add_direction(d, n);
        add_direction(d, abut_neg(n));
    }
}

void abut_depth_search_surface(AbutDepthSearch *d, AbutVec3 warm) {
    if (is_given(warm)) refine_surface(d, warm, abut_depth_exit(d, warm, INFINITY));
    add_normals_there(d);
    Starts exits = scan(d, surface_exit, 4, 1.25);
    use_starts(d, &exits, refine_surface);
    try_rings(d, surface_exit, refine_surface);
}

/* Free places nearer than the best along the directions; 1 when there were any. */
static int scan_pockets(AbutDepthSearch *d) {
    double before = d->best;
    for (int i = 0; i < d->direction_count; ++i) {
        double s = abut_depth_first_free(d, d->direction[i], d->best);
        if (!d->sweep.abandoned && s < d->best) descend_start(d, d->direction[i], s);
    }
    return d->best < before;
}

void abut_depth_search_large(AbutDepthSearch *d, AbutVec3 warm) {
    if (is_given(warm)) refine_start(d, warm, abut_depth_exit(d, warm, INFINITY));
    Starts exits = scan(d, abut_depth_exit, 5, is_given(warm) ? 1.0 : 1.25);
    if (exits.count > 2 && !is_deep(d, exits.s[0])) exits.count = 2, exits.slack = 1.1;
    use_starts(d, &exits, refine_start);
    try_rings(d, abut_depth_exit, refine_start);
    descend_from(d, abut_normalize_or(d->q, abut_axis(0)), d->best, POLISH);
    if (scan_pockets(d)) try_rings(d, abut_depth_first_free, descend_start);
}
