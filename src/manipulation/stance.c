/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The touches of the object at a pose: the contact points of every pair of shapes on the true bodies. A pair that is a
 * little apart is brought together first, so that its features are those of the touch, and its gap is added again.
 */
#include "abut/contact.h"
#include "manipulation/manip.h"

#include <math.h>

static double friction_of(const AbutManipShape *a, const AbutManipShape *b) {
    if (a->priority != b->priority) return a->priority > b->priority ? a->friction : b->friction;
    return a->friction > b->friction ? a->friction : b->friction;
}

static void add_touch(AbutManipStance *s, AbutVec3 p, AbutVec3 n, double gap, double friction, int32_t pair) {
    if (s->count == ABUT_MANIP_TOUCHES) return;
    AbutVec3 t = abut_perpendicular(n);
    s->touch[s->count++] = (AbutManipTouch){p, n, t, abut_cross(n, t), gap, friction, pair};
}

static void add_pair(const AbutManip *m, int32_t i, int32_t j, AbutPose at, const AbutGap *gap, AbutManipStance *s) {
    const AbutManipShape *part = &m->part[i], *wall = &m->wall[j];
    AbutPose touching = at;
    AbutContactFeatures f;
    double friction = friction_of(part, wall), apart = gap->distance;
    int32_t pair = i * m->wall_count + j;
    touching.p = abut_add_scaled(at.p, gap->normal, -apart);
    AbutConvexContact query = {&wall->convex, &part->convex, wall->pose, touching, 0.5 * ABUT_MANIP_FEATURE};
    if (abut_contact_features(&query, &f) != 1 || !f.count) {
        add_touch(s, abut_lerp(gap->point_a, gap->point_b, 0.5), gap->normal, apart, friction, pair);
        return;
    }
    for (int32_t k = 0; k < f.count; ++k)
        add_touch(s, abut_add_scaled(f.point[k], f.normal, 0.5 * apart), f.normal, f.gap[k] + apart, friction, pair);
}

void abut_manip_stand(const AbutManip *m, AbutPose x, double tolerance, int touches, AbutManipStance *out) {
    out->x = x;
    out->count = 0;
    out->nearest = INFINITY;
    for (int32_t i = 0; i < m->part_count; ++i) {
        AbutPose at = abut_pose_mul(x, m->part[i].pose);
        for (int32_t j = 0; j < m->wall_count; ++j) {
            const AbutManipShape *wall = &m->wall[j];
            AbutConvex point = abut_convex_point(abut_zero(), m->part[i].reach);
            AbutGap far = abut_convex_distance(&wall->convex, &point, abut_pose_between(wall->pose, at), NULL, NULL);
            if (far.distance > tolerance) {
                out->nearest = far.distance < out->nearest ? far.distance : out->nearest;
                continue;
            }
            AbutGap gap = abut_gap_in(wall->pose,
                abut_convex_distance(&wall->convex, &m->part[i].convex, abut_pose_between(wall->pose, at), NULL, NULL));
            out->nearest = gap.distance < out->nearest ? gap.distance : out->nearest;
            if (touches && gap.distance <= tolerance) add_pair(m, i, j, at, &gap, out);
        }
    }
}
