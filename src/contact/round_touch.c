/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Round bodies that ran far into each other within one step: the normal of such an overlap has turned since they met,
 * and would throw them the wrong way. In: a patch of one vertex, and where the bodies were before. Out: the same patch
 * with the normal of the moment at which they met, and how far the points that lie deepest along it are apart.
 *
 * Method: the time of the meeting by false position (Illinois) between now and the earliest time, to 1e-4 of the size.
 */
#include "contact/patch.h"
#include "contact/tolerance.h"

enum { ROUNDS = 16 };

/* The bodies at a time before now. */
typedef struct Earlier {
    const AbutPatchPair *pair;
    AbutPoseAt *pose;
    void *user;
    AbutVec3 normal; /* in the frame of A now */
} Earlier;

/* Distance at time t; INFINITY: not known. */
static double distance_at(Earlier *e, double t) {
    AbutPatchPair then = *e->pair;
    AbutPose a = e->pose(0, t, e->user);
    AbutRoundHit hit;
    then.b_in_a = abut_pose_between(a, e->pose(1, t, e->user));
    if (abut_round_distance(&then, INFINITY, &hit) <= 0) return INFINITY;
    e->normal = abut_quat_rotate_inv(e->pose(0, 0.0, e->user).q, abut_quat_rotate(a.q, hit.normal));
    return hit.distance;
}

/* Did they meet between the earliest time and now, where they are at `deep`? Then `normal` is that of the meeting. */
static int find_meeting(Earlier *e, double earliest, double deep, double near) {
    double from = earliest, to = 0.0, at_from = distance_at(e, from), at_to = deep;
    if (!(at_from > 0.0) || !isfinite(at_from)) return 0;
    for (int i = 0; i < ROUNDS; ++i) {
        double t = from + (to - from) * at_from / (at_from - at_to), d = distance_at(e, t);
        if (fabs(d) <= near) return 1;
        if (!isfinite(d)) return 0;
        if (d > 0.0)
            from = t, at_from = d, at_to *= 0.5;
        else
            to = t, at_to = d, at_from *= 0.5;
    }
    return 0;
}

static AbutVec3 deepest(const AbutConvex *c, AbutVec3 unit) {
    return abut_add_scaled(abut_convex_farthest(c, unit), unit, c->radius);
}

AbutVec3 abut_round_first_touch(
    const AbutPatchPair *pair, AbutPoseAt *pose, void *user, double earliest, AbutPatch *patch) {
    Earlier e = {pair, pose, user, abut_zero()};
    double size = abut_smaller(pair->a->size, pair->b->size), margins = pair->a->margin + pair->b->margin,
           distance = margins - (patch->high - patch->low);
    if (patch->vertex_count != 1 || patch->seat == ABUT_SEAT_FLAT || !(distance < -ABUT_TOUCH_DEEP * size) ||
        !find_meeting(&e, earliest, distance, ABUT_TOUCH_NEAR * size))
        return abut_zero();
    AbutVec3 on_a = deepest(&pair->a->body, e.normal),
             against = abut_neg(abut_quat_rotate_inv(pair->b_in_a.q, e.normal)),
             on_b = abut_pose_apply(pair->b_in_a, deepest(&pair->b->body, against)), apart = abut_sub(on_b, on_a);
    double full = margins - abut_dot(e.normal, apart);
    if (!(full > 0.0)) return abut_zero();
    patch->normal = e.normal;
    patch->e1 = abut_perpendicular(e.normal);
    patch->e2 = abut_cross(e.normal, patch->e1);
    patch->centroid = on_a;
    patch->thickness[0] = patch->plane[0] = full;
    patch->high = 0.5 * full;
    patch->low = -patch->high;
    return apart;
}
