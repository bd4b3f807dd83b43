/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A body settles onto what it nearly touches. In: pairs of a body that stands and a part of the one that moves. Out:
 * the least motion after which their contact points have no gap. Method: Gauss and Newton on the gaps; a pair that is
 * a little apart is brought together first, so that its features are those of the touch, and its gap is added again.
 */
#include "contact/settle.h"

#include "abut/contact.h"
#include "solve/solve.h"

#include <math.h>
#include <string.h>

enum { POINTS = 64, ROUNDS = 12 };

#define CLOSED 1e-6 /* of the margin: gaps below are closed */

static double dot6(const double *a, const double *b) {
    double sum = 0.0;
    for (int k = 0; k < 6; ++k) sum += a[k] * b[k];
    return sum;
}

int abut_contact_closing_step(double (*rows)[6], const double *gap, int count, double most, double d[6]) {
    double a[36] = {0}, scale[6], trace = 0.0;
    for (int k = 0; k < 6; ++k) d[k] = 0.0;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 6; ++k) {
            for (int j = 0; j < 6; ++j) a[6 * k + j] += rows[i][k] * rows[i][j];
            d[k] -= rows[i][k] * gap[i];
        }
    for (int k = 0; k < 6; ++k) trace += a[7 * k];
    for (int k = 0; k < 6; ++k) a[7 * k] += 1e-9 * trace;
    if (abut_cholesky_factor(6, a, scale, 1e-15) != -1) return 0;
    abut_cholesky_solve(6, a, scale, d);
    return dot6(d, d) <= most * most;
}

/* Contact points of the pairs, as rows for a motion about `center`. */
typedef struct Points {
    AbutVec3 center;
    double length, worst;
    int count;
    double row[POINTS][6], gap[POINTS];
} Points;

static int add_point(Points *s, AbutVec3 p, AbutVec3 n, double gap) {
    AbutVec3 turn = abut_scale(abut_cross(abut_sub(p, s->center), n), 1.0 / s->length);
    if (s->count == POINTS) return 0;
    memcpy(s->row[s->count], (double[]){n.x, n.y, n.z, turn.x, turn.y, turn.z}, sizeof *s->row);
    s->gap[s->count++] = gap;
    s->worst = fmax(s->worst, fabs(gap));
    return 1;
}

/* 1; 0: too many points; -1: undecided. */
static int add_pair(Points *s, const AbutConvexContact *pair, AbutPose move) {
    AbutContactFeatures f;
    AbutConvexContact now = *pair;
    now.pose_b = abut_pose_mul(move, pair->pose_b);
    AbutGap gap = abut_gap_in(
        now.pose_a, abut_convex_distance(now.a, now.b, abut_pose_between(now.pose_a, now.pose_b), NULL, NULL));
    if (gap.outcome == ABUT_INVALID || !isfinite(gap.distance)) return -1;
    if (gap.distance > 2.0 * pair->margin) return 1;
    now.pose_b.p = abut_add_scaled(now.pose_b.p, gap.normal, -gap.distance);
    if (abut_contact_features(&now, &f) != 1 || !f.count)
        return add_point(s, abut_lerp(gap.point_a, gap.point_b, 0.5), gap.normal, gap.distance);
    for (int k = 0; k < f.count; ++k) {
        double apart = f.gap[k] + gap.distance;
        AbutVec3 p = abut_add_scaled(f.point[k], f.normal, 0.5 * gap.distance);
        if (apart <= 2.0 * pair->margin && !add_point(s, p, f.normal, apart)) return 0;
    }
    return 1;
}

/* The motion by a step about the center, before the motion so far. */
static AbutPose go_on(AbutPose move, const Points *s, const double d[6]) {
    AbutQuat turn = abut_quat_exp(abut_scale(abut_vec3(d[3], d[4], d[5]), 1.0 / s->length));
    AbutVec3 to = abut_add(s->center, abut_vec3(d[0], d[1], d[2]));
    AbutPose step = abut_pose(abut_sub(to, abut_quat_rotate(turn, s->center)), turn);
    move = abut_pose_mul(step, move);
    move.q = abut_quat_normalize(move.q);
    return move;
}

int abut_contact_settle(const AbutConvexContact *pairs, int count, double length, AbutPose *move) {
    ABUT_ASSERT((pairs || count == 0) && move);
    double margin = 0.0, most = INFINITY, d[6];
    *move = abut_pose_identity();
    for (int i = 0; i < count; ++i) margin = fmax(margin, pairs[i].margin), most = fmin(most, pairs[i].margin);
    if (count < 0 || (count && !(most > 0.0 && isfinite(margin))) || !(length > 0.0 && isfinite(length))) return -1;
    for (int round = 0; count && round < ROUNDS; ++round) {
        Points s = {.center = abut_pose_apply(*move, pairs[0].pose_b.p), .length = length};
        for (int i = 0; i < count; ++i)
            if (add_pair(&s, &pairs[i], *move) < 1) return *move = abut_pose_identity(), -1;
        if (!s.count && round == 0) return 0;
        if (s.count && s.worst <= CLOSED * most) return s.count;
        if (!s.count || !abut_contact_closing_step(s.row, s.gap, s.count, 10.0 * margin, d)) break;
        *move = go_on(*move, &s, d);
    }
    *move = abut_pose_identity();
    return count ? -1 : 0;
}
