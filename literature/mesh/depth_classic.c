/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The depth by out and in projections, for comparison (Je, Tang, Lee, Lee, Kim: PolyDepth, ACM Transactions on Graphics
 * 31, 2012; and Lee's thesis of 2017).
 *
 * In: an AbutDepthSearch with its directions. Out: the shortest free translation of all starts. Method, from a free
 * place far out: OUT moves straight towards the origin up to the first contact; IN takes the planes of all contacts
 * there and goes to the point of them nearest to the origin; again from there, while it becomes shorter. Corrected
 * against the published code: the quadratic program is solved to the end, tolerances are relative, every start counts,
 * and what is taken has been verified.
 */
#include "abut/literature.h"
#include "mesh/depth_search.h"
#include "mesh/tolerance.h"

#define ABUT_CLASSIC_CONTACT 1e-4     /* triangles this near are in contact, of the size of the scene */
#define ABUT_CLASSIC_SAME_NORMAL 0.99 /* cosine above which two planes of contact are one */

enum { ROUNDS = 20 };

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

typedef struct Contacts {
    AbutDepthPlanes planes;
    AbutVec3 at; /* where B stands */
} Contacts;

/* The plane of a pair of triangles that nearly touch: across their shortest distance. */
static void add_contact(AbutMeshPair *pair, int32_t slot_a, int32_t slot_b) {
    Contacts *c = pair->user;
    AbutVec3 a[3], b[3];
    abut_mesh_triangle_a(pair, slot_a, a);
    abut_mesh_triangle_b(pair, slot_b, b);
    AbutTriangleGap gap = abut_triangle_gap(a, b);
    double length = sqrt(gap.square);
    if (!(length > 0.0) || c->planes.count == ABUT_DEPTH_PLANES) return;
    AbutVec3 n = abut_normalize(gap.d);
    double offset = abut_dot(n, c->at) - length;
    for (int k = 0; k < c->planes.count; ++k)
        if (abut_dot(n, c->planes.normal[k]) > ABUT_CLASSIC_SAME_NORMAL) {
            c->planes.offset[k] = abut_larger(c->planes.offset[k], offset);
            return;
        }
    c->planes.normal[c->planes.count] = n;
    c->planes.offset[c->planes.count++] = offset;
}

static void find_contacts(const AbutDepthSearch *d, AbutVec3 at, Contacts *out) {
    AbutMeshPair pair = d->sweep.pair;
    double within = ABUT_CLASSIC_CONTACT * d->sweep.size;
    out->planes.count = 0;
    out->at = at;
    pair.t = abut_add(d->sweep.start, at);
    pair.best.slot_a = pair.best.slot_b = -1;
    pair.best.gap.square = within * within;
    pair.waiting = 0;
    pair.visit = add_contact;
    pair.user = out;
    abut_mesh_pair_tighten(&pair);
    abut_mesh_pair_turn(&pair, abut_normalize_or(at, abut_axis(0)));
    abut_mesh_walk()->distance(&pair);
}

/* ---- projections ------------------------------------------------------------------------------------------------- */

/* From the free place `from` straight to `to`, up to a hair before the first contact; 0 when nothing is in the way. */
static int project_out(AbutDepthSearch *d, AbutVec3 from, AbutVec3 to, AbutVec3 *at) {
    AbutVec3 way = abut_sub(to, from);
    double length = abut_length(way);
    if (!(length > 0.0)) return 0;
    AbutVec3 e = abut_scale(way, 1.0 / length);
    abut_sweep_shift(&d->sweep, from);
    double s = abut_sweep_first_contact(&d->sweep, e, length);
    abut_sweep_shift(&d->sweep, abut_zero());
    ++d->sweeps;
    *at = abut_add_scaled(from, e, s - abut_smaller(s, ABUT_DEPTH_HAIR * d->sweep.size));
    return d->sweep.slot_a >= 0;
}

/* The next free place to go on from after contact at `at`; 0: none that is shorter than `best`. */
static int project_in(AbutDepthSearch *d, AbutVec3 at, double best, AbutVec3 *next) {
    Contacts c;
    AbutVec3 x;
    find_contacts(d, at, &c);
    if (c.planes.count == 0 || !abut_depth_nearest(&c.planes, &x) || !(abut_length(x) < best)) return 0;
    if (abut_depth_is_free(d, abut_scale(x, ABUT_DEPTH_VERIFY)))
        *next = abut_scale(x, ABUT_DEPTH_VERIFY);
    else if (!project_out(d, at, x, next))
        return 0;
    return abut_length(*next) < best;
}

/* From the free place q towards the origin and along the planes of contact. */
static void search_from(AbutDepthSearch *d, AbutVec3 q) {
    double best = INFINITY, enough = ABUT_DEPTH_HAIR * d->sweep.size;
    AbutVec3 at;
    for (int round = 0; round < ROUNDS; ++round) {
        if (!project_out(d, q, abut_zero(), &at) || abut_length(at) >= best - enough) return;
        best = abut_length(at);
        (void)abut_depth_accept(d, at);
        if (!project_in(d, at, best - enough, &q)) return;
        (void)abut_depth_accept(d, q);
    }
}

void abut_depth_classic(AbutDepthSearch *d, AbutVec3 warm) {
    const AbutMeshPair *pair = &d->sweep.pair;
    double far = 2.0 * (pair->a->radius + pair->b->radius) * pair->scale;
    if (abut_length_sq(warm) > 0.5) search_from(d, abut_scale(warm, far));
    for (int i = 0; i < d->direction_count; ++i) search_from(d, abut_scale(d->direction[i], far));
}
