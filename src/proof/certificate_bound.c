/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bound behind the certificate. For a point p of a link and |e| <= h, Taylor gives n.p(m + e) >= n.p + e n.p' - K
 * e^2/2 with K a bound of |p''|. The first two terms are linear in p, so that their least value over a body is a
 * support query; as a function of e that is concave, hence least at e = -h or h. Four support queries bound the
 * distance over the whole interval, to second order in h, for any direction n; no series of sines, no remainder.
 *
 * K: with r_j the distance of p from the axis of hinge j,
 *   p'' = sum q''_j z_j x d_j + sum q'_j^2 z_j x (z_j x d_j) + 2 sum_{i<j} q'_i q'_j z_i x (z_j x d_j),
 * and r_j grows over the interval only by the joints behind j. A slide has 1 in the place of r_j, and does not turn
 * what is behind it.
 */
#include "proof/certify.h"

/* ---- moments ----------------------------------------------------------------------------------------------------- */

size_t abut_plan_moment_size(const AbutPlanTree *tree) {
    return abut_plan_posture_size(tree) + 4 * (size_t)tree->joint_count * sizeof(double) + sizeof(double);
}

AbutPlanMoment abut_plan_moment_in(const AbutPlanTree *tree, void *memory) {
    AbutPlanMoment out = {.at = abut_plan_posture_in(tree, memory)};
    out.q = (double *)((char *)memory + abut_plan_posture_size(tree));
    out.v = out.q + tree->joint_count;
    out.v_most = out.v + tree->joint_count;
    out.a_most = out.v_most + tree->joint_count;
    return out;
}

double abut_plan_slack(const AbutPlanProblem *problem, double turned, double slid) {
    static const double UNITS = 16.0 * 0x1p-52, MORE = 64.0; /* MORE: what poses themselves lose */
    double reach = problem->reach + slid;
    return problem->slack + fmax(0.0, UNITS * (turned + MORE) * reach - 0.5 * problem->slack);
}

void abut_plan_moment_set(const AbutPlanProblem *problem, const AbutTrajectory *trajectory, int32_t piece, double from,
    double to, AbutPlanMoment *out) {
    double x = 0.5 * (from + to), h = out->h = 0.5 * (to - from), size[2] = {0.0, 0.0};
    for (int32_t i = 0; i < problem->tree.joint_count; ++i) {
        const double *c = abut_trajectory_piece(trajectory, piece, problem->tree.joints[i]);
        AbutPlanJointMotion m = abut_plan_joint_motion(c, x, h);
        out->q[i] = m.q;
        out->v[i] = m.v;
        out->a_most[i] = m.a_most;
        out->v_most[i] = m.v_most;
        size[problem->tree.slides[i] != 0] += fabs(problem->tree.reference[i]) + m.size;
    }
    out->slack = abut_plan_slack(problem, size[0], size[1]);
    abut_plan_tree_place(&problem->tree, out->q, &out->at);
}

/* ---- the bound --------------------------------------------------------------------------------------------------- */

/* Distance of the farther end of a capsule from the axis of a joint. */
static double reach(const AbutPlanMoment *m, int32_t joint, AbutVec3 a, AbutVec3 b) {
    AbutVec3 z = m->at.axis[joint], o = m->at.origin[joint];
    return sqrt(fmax(abut_length_sq(abut_cross(z, abut_sub(a, o))), abut_length_sq(abut_cross(z, abut_sub(b, o)))));
}

/* Turning speeds of the joints before number i of a chain. */
static double turning_before(
    const AbutPlanProblem *problem, const AbutPlanMoment *m, const int32_t *joints, int32_t i) {
    double sum = 0.0;
    for (int32_t k = 0; k < i; ++k) sum += problem->tree.slides[joints[k]] ? 0.0 : m->v_most[joints[k]];
    return sum;
}

/* For all points of a capsule of the world. */
static double bend_of(
    const AbutPlanProblem *problem, const AbutPlanMoment *m, AbutCapsule around, const int32_t *joints, int32_t count) {
    double moved = 0.0, bend = 0.0, before = turning_before(problem, m, joints, count);
    for (int32_t i = count - 1; i >= 0; --i) {
        int32_t j = joints[i];
        int slide = problem->tree.slides[j] != 0;
        double v = m->v_most[j];
        double r = slide ? 1.0 : reach(m, j, around.a, around.b) + around.radius + moved;
        before -= slide ? 0.0 : v;
        bend += r * (m->a_most[j] + (slide ? 0.0 : v * v) + 2.0 * v * fmax(before, 0.0));
        moved += m->h * v * r;
    }
    return bend * (1.0 + 1e-12);
}

double abut_plan_piece_bend(const AbutPlanProblem *problem, const AbutPlanMoment *m, const AbutPlanPiece *piece,
    const int32_t *joints, int32_t count) {
    if (count == 0) return 0.0;
    AbutCapsule around = {abut_plan_piece_point(piece, &m->at, piece->hull.a),
        abut_plan_piece_point(piece, &m->at, piece->hull.b), piece->hull.radius};
    return bend_of(problem, m, around, joints, count);
}

double abut_plan_item_bend(const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanMoment *moment) {
    return abut_plan_piece_bend(problem, moment, &problem->pieces[item->a], item->joints_a, item->count_a) +
           abut_plan_piece_bend(problem, moment, &problem->pieces[item->b], item->joints_b, item->count_b);
}

AbutPlanCenterMotion abut_plan_center_motion(const AbutPlanProblem *problem, const AbutPlanMoment *m) {
    const AbutPlanTree *tree = &problem->tree;
    AbutPlanCenterMotion out = {abut_zero(), abut_zero(), 0.0};
    for (int32_t k = 0; k < problem->mass_count; ++k) {
        const AbutPlanMass *mass = &problem->masses[k];
        AbutVec3 p = abut_pose_apply(m->at.node[mass->node], mass->center), v = abut_zero();
        const int32_t *joints = tree->path + tree->path_start[mass->node];
        int32_t count = tree->path_start[mass->node + 1] - tree->path_start[mass->node];
        AbutCapsule point = {p, p, 0.0};
        for (int32_t i = 0; i < count; ++i) {
            int32_t j = joints[i];
            AbutVec3 by = tree->slides[j] ? m->at.axis[j] : abut_cross(m->at.axis[j], abut_sub(p, m->at.origin[j]));
            v = abut_add_scaled(v, by, m->v[j]);
        }
        out.center = abut_add_scaled(out.center, p, mass->part);
        out.velocity = abut_add_scaled(out.velocity, v, mass->part);
        out.bend += mass->part * bend_of(problem, m, point, joints, count);
    }
    return out;
}

/* n.p' = g.p + k for the points p of a link. */
typedef struct Slope {
    AbutVec3 g;
    double k;
} Slope;

AbutPlanTwist abut_plan_twist(
    const AbutPlanProblem *problem, const AbutPlanMoment *m, const int32_t *joints, int32_t count) {
    AbutPlanTwist out = {abut_zero(), abut_zero()};
    for (int32_t i = 0; i < count; ++i) {
        AbutVec3 z = m->at.axis[joints[i]];
        double v = m->v[joints[i]];
        if (problem->tree.slides[joints[i]]) {
            out.shift = abut_add_scaled(out.shift, z, v);
            continue;
        }
        out.turn = abut_add_scaled(out.turn, z, v);
        out.shift = abut_add_scaled(out.shift, abut_cross(m->at.origin[joints[i]], z), v);
    }
    return out;
}

static Slope slope_of(
    const AbutPlanProblem *problem, const AbutPlanMoment *m, AbutVec3 n, const int32_t *joints, int32_t count) {
    AbutPlanTwist twist = abut_plan_twist(problem, m, joints, count);
    return (Slope){abut_cross(n, twist.turn), abut_dot(n, twist.shift)};
}

/* Largest d.p over the points of a piece. */
static double support(const AbutPlanPiece *piece, const AbutPlanMoment *m, AbutVec3 d) {
    AbutPose pose = abut_plan_piece_pose(piece, &m->at);
    AbutVec3 local = abut_quat_rotate_inv(pose.q, d);
    return abut_dot(local, abut_convex_farthest(&piece->convex, local)) + piece->convex.radius * abut_length(d) +
           abut_dot(d, pose.p);
}

double abut_plan_item_bound(
    const AbutPlanProblem *problem, const AbutPlanItem *item, const AbutPlanMoment *moment, AbutVec3 n, double bend) {
    const AbutPlanPiece *a = &problem->pieces[item->a], *b = &problem->pieces[item->b];
    Slope of_a = slope_of(problem, moment, n, item->joints_a, item->count_a);
    Slope of_b = slope_of(problem, moment, n, item->joints_b, item->count_b);
    double least = INFINITY, h = moment->h;
    for (int side = 0; side < 2; ++side) {
        double e = side ? h : -h;
        double low = -support(a, moment, abut_neg(abut_add_scaled(n, of_a.g, e))) + e * of_a.k;
        double high = support(b, moment, abut_add_scaled(n, of_b.g, e)) + e * of_b.k;
        least = abut_smaller(low - high, least);
    }
    return least - 0.5 * bend * h * h - moment->slack;
}
