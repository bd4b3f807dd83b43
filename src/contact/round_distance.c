/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed distance of a pair with a round body, for contacts: as the query of room query gives it, and quicker where the
 * last normal of the pair is known. In: the bodies before growing, the pose of B in A. Out: distance, normal from A to
 * B and the points, in the frame of A.
 *
 * Method: where the bodies are farther apart along the last normal than asked for, that is all. Spheres, capsules and
 * ellipsoids are cores with a radius, whose cores stay apart in any contact. Two sharp bodies (a cylinder on a box) are
 * moved apart along the last normal first: the nearest points of the parted bodies give the next normal, and the
 * distance along it, of the bodies where they stand, is the answer when the normal has settled; the error shrinks in
 * each round by D / (D + rho - depth), D the way moved and rho the radius of curvature of A - B. At last a normal close
 * to that of a face gives way to it, if the bodies are as far apart along the face: a distance is a maximum over
 * directions, so a true contact of a face always wins, and its normal is exact.
 */
#include "contact/patch.h"
#include "contact/tolerance.h"
#include "math/matrix.h"

#include <string.h>

enum { MAX_SHIFTS = 6 };

static int has_faces(const AbutConvex *c) { return c->kind == ABUT_CONVEX_BOX || c->kind == ABUT_CONVEX_POLYHEDRON; }

static int is_sharp(const AbutConvex *c) {
    return c->kind == ABUT_CONVEX_CYLINDER || c->kind == ABUT_CONVEX_CONE || has_faces(c);
}

static int has_closed_form(const AbutPatchPair *pair) {
    const AbutConvex *a = &pair->a->body, *b = &pair->b->body;
    int points = a->kind == ABUT_CONVEX_POINT || b->kind == ABUT_CONVEX_POINT;
    return a->kind == ABUT_CONVEX_HALF_SPACE || b->kind == ABUT_CONVEX_HALF_SPACE ||
           (a->kind <= ABUT_CONVEX_SEGMENT && b->kind <= ABUT_CONVEX_SEGMENT) ||
           (points && a->kind != ABUT_CONVEX_POLYHEDRON && b->kind != ABUT_CONVEX_POLYHEDRON);
}

/* Farthest points of A along n and of B against it, and how far B is beyond A along n. */
static double separation(const AbutPatchPair *pair, AbutVec3 n, AbutVec3 *on_a, AbutVec3 *on_b) {
    const AbutConvex *a = &pair->a->body, *b = &pair->b->body;
    AbutVec3 back = abut_neg(abut_quat_rotate_inv(pair->b_in_a.q, n));
    *on_a = abut_add_scaled(abut_convex_farthest(a, n), n, a->radius);
    *on_b = abut_add_scaled(abut_pose_apply(pair->b_in_a, abut_convex_farthest(b, back)), n, -b->radius);
    return abut_dot(n, abut_sub(*on_b, *on_a));
}

/* ---- faces ------------------------------------------------------------------------------------------------------- */

int abut_nearest_face(const AbutConvex *c, AbutVec3 d, AbutVec3 *normal) {
    if (c->kind == ABUT_CONVEX_BOX) {
        AbutVec3 size = abut_abs(d);
        int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2, up = abut_get(d, axis) > 0.0;
        *normal = abut_scale(abut_axis(axis), up ? 1.0 : -1.0);
        return 2 * axis + up;
    }
    const AbutFace *face = abut_polyhedron_faces(c->polyhedron);
    int best = 0;
    double most = -INFINITY;
    for (int f = 0; f < c->polyhedron->face_count; ++f) {
        double along = abut_dot(face[f].plane.normal, d);
        if (along > most) most = along, best = f;
    }
    *normal = face[best].plane.normal;
    return best;
}

/* Takes the normal n of a face of one body where the distance along it is as large. */
static void try_face(const AbutPatchPair *pair, AbutVec3 n, int of_a, double slack, AbutRoundHit *hit) {
    AbutVec3 a, b;
    if (!(abut_dot(n, hit->normal) > ABUT_ROUND_FACE)) return;
    double distance = separation(pair, n, &a, &b);
    if (!(distance >= hit->distance - slack)) return;
    AbutConvexKind other = of_a ? pair->b->body.kind : pair->a->body.kind;
    hit->normal = n;
    hit->distance = distance;
    if (other == ABUT_CONVEX_POINT || other == ABUT_CONVEX_ELLIPSOID) { /* it touches where it is farthest */
        hit->point_a = of_a ? abut_add_scaled(b, n, -distance) : a;
        hit->point_b = of_a ? b : abut_add_scaled(a, n, distance);
    }
}

static void snap_to_faces(const AbutPatchPair *pair, double size, AbutRoundHit *hit) {
    double slack = ABUT_ROUND_FACE_SLACK * size + hit->gap;
    AbutVec3 n;
    if (has_faces(&pair->a->body)) {
        abut_nearest_face(&pair->a->body, hit->normal, &n);
        try_face(pair, n, 1, slack, hit);
    }
    if (has_faces(&pair->b->body)) {
        abut_nearest_face(&pair->b->body, abut_neg(abut_quat_rotate_inv(pair->b_in_a.q, hit->normal)), &n);
        try_face(pair, abut_neg(abut_quat_rotate(pair->b_in_a.q, n)), 0, slack, hit);
    }
}

/* ---- searches ---------------------------------------------------------------------------------------------------- */

static int ask(const AbutPatchPair *pair, AbutPose b_in_a, double far, AbutVec3 last, AbutGap *out) {
    AbutGapDef def = {0};
    AbutConvexCache cache;
    memset(&cache, 0, sizeof cache);
    cache.direction = last;
    def.within = far > 0.0 && isfinite(far) ? far : 0.0;
    *out = abut_convex_distance(&pair->a->body, &pair->b->body, b_in_a, &def, &cache);
    return out->outcome != ABUT_INVALID && isfinite(out->distance);
}

static int query(const AbutPatchPair *pair, double far, AbutRoundHit *hit) {
    AbutGap d;
    if (!ask(pair, pair->b_in_a, far, pair->last_normal, &d)) return 0;
    *hit = (AbutRoundHit){d.distance, d.error, d.normal, d.point_a, d.point_b};
    return 1;
}

/* From the last normal, with the bodies moved apart; 0: it leads nowhere. */
static int follow(const AbutPatchPair *pair, double size, AbutRoundHit *hit) {
    double way = ABUT_ROUND_PART * size;
    AbutVec3 n = pair->last_normal;
    for (int round = 0; round < MAX_SHIFTS; ++round) {
        AbutVec3 move = abut_scale(n, way), a, b;
        AbutPose moved = {abut_add(pair->b_in_a.p, move), pair->b_in_a.q};
        AbutGap d;
        if (!ask(pair, moved, 0.0, n, &d) || d.outcome != ABUT_SEPARATED || !(d.distance > 0.1 * way)) return 0;
        *hit =
            (AbutRoundHit){separation(pair, d.normal, &a, &b), d.error, d.normal, d.point_a, abut_sub(d.point_b, move)};
        if (abut_point_distance(d.normal, n) < ABUT_ROUND_SETTLED) return 1;
        n = d.normal;
    }
    return 1;
}

/*
 * Shortcut: along the normal of a face of a box that is near the last one the other body ends over that face. Then any
 * other direction brings the bodies nearer, and the distance is the one along the face.
 */
static int is_on_box_face(const AbutPatchPair *pair, double size, AbutRoundHit *hit) {
    for (int of_b = 0; of_b < 2; ++of_b) {
        const AbutConvex *box = of_b ? &pair->b->body : &pair->a->body;
        AbutVec3 n, a, b, last = pair->last_normal;
        if (box->kind != ABUT_CONVEX_BOX || box->radius > 0.0) continue;
        AbutVec3 towards = of_b ? abut_neg(abut_quat_rotate_inv(pair->b_in_a.q, last)) : last;
        int axis = abut_nearest_face(box, towards, &n) / 2, next = (axis + 1) % 3, third = (axis + 2) % 3;
        AbutVec3 normal = of_b ? abut_neg(abut_quat_rotate(pair->b_in_a.q, n)) : n;
        double distance = separation(pair, normal, &a, &b);
        AbutVec3 end = of_b ? abut_pose_apply_inv(pair->b_in_a, a) : b;
        if (!(abut_dot(n, towards) > ABUT_ROUND_FACE) || !(distance > -ABUT_ROUND_PART * size) ||
            !(fabs(abut_get(end, next)) < abut_get(box->p[0], next)) ||
            !(fabs(abut_get(end, third)) < abut_get(box->p[0], third)))
            continue;
        *hit = (AbutRoundHit){distance, 0.0, normal, of_b ? a : abut_add_scaled(b, normal, -distance),
            of_b ? abut_add_scaled(a, normal, distance) : b};
        return 1;
    }
    return 0;
}

int abut_round_distance(const AbutPatchPair *pair, double far, AbutRoundHit *hit) {
    double size = abut_smaller(pair->a->size, pair->b->size);
    int known = abut_length_sq(pair->last_normal) > 0.5 && !has_closed_form(pair);
    if (known) {
        hit->normal = pair->last_normal;
        if (separation(pair, pair->last_normal, &hit->point_a, &hit->point_b) > far) return 0;
        if (is_on_box_face(pair, size, hit)) return hit->distance < far;
    }
    int sharp = is_sharp(&pair->a->body) && is_sharp(&pair->b->body);
    if (!(known && sharp && follow(pair, size, hit)) && !query(pair, far, hit)) return -1;
    if (!(hit->distance < far)) return 0;
    snap_to_faces(pair, size, hit);
    return 1;
}
