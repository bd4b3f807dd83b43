/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the patch of a contact changes as its bodies move against each other. In: a contact and its grown shapes. Out:
 * rates of the normal, of the points where forces act and of the thickness, in the axes of body A.
 *
 * The patch is a function of the relative pose alone, without iteration that carries over from step to step: vertices
 * are meets of planes, round bodies have an exact distance. Its differences of fourth order along the six relative
 * motions, by a small part of the thickness, are right to about 1e-8; steps themselves are never differenced. A corner
 * that is there on one side only, or belongs to other edges there, is a break; then the side that has the corners of
 * the contact counts, or else B's surface moves with B as it is.
 */
#include "derivative/derivative.h"

#include <math.h>
#include <string.h>

#define WIDTH 0.01 /* of differences, in parts of the least thickness of an overlap */

#define AGREE 1e-5 /* rates by two widths: as parts of what points move by; none better is looked for; no two sides */
#define AGREE_WELL 1e-7
#define AGREE_NOT 1e300
#define BEND_NEAR 3e-8 /* of the size */

/* What a patch is, in the axes of body A from its center of mass. */
typedef struct Look {
    int count;
    AbutVec3 normal, point[ABUT_CONTACT_VERTICES], grip[ABUT_CONTACT_VERTICES];
    double thickness[ABUT_CONTACT_VERTICES];
} Look;

typedef struct Question {
    const AbutSimulation *sim;
    const AbutSolverContact *c;
    const AbutShape *a, *b;
    AbutPatchPair pair;
    AbutGrownBody beside;
    AbutPose b_in_a; /* of the bodies */
    void *room;
} Question;

static AbutPose body_pose(const AbutSolverBody *m, double ahead) {
    AbutQuat q = abut_quat_mul(abut_quat_exp(abut_scale(m->w, ahead)), m->q);
    return abut_pose(abut_add_scaled(m->x, m->v, ahead), abut_quat_normalize(q));
}

static double ask(const AbutSimulation *sim, const AbutSolverContact *c, Question *q) {
    q->sim = sim, q->c = c;
    q->a = &sim->scene->shape[c->touch->shape_a], q->b = &sim->scene->shape[c->touch->shape_b];
    q->room = sim->shapes.workspace;
    AbutSolverBody a = sim->mover[c->body_a], b = sim->mover[c->body_b];
    double ahead = abut_contact_ask(sim, c, &q->beside, &q->pair);
    a.v = a.start_v, a.w = a.start_w, b.v = b.start_v, b.w = b.start_w;
    q->b_in_a = abut_pose_between(body_pose(&a, ahead), body_pose(&b, ahead));
    return ahead;
}

/* The patch where B has moved by so much from where it is. */
static int look(const Question *q, AbutVec3 way, AbutVec3 turn, Look *out) {
    AbutPatchPair pair = q->pair;
    AbutOverlap overlap;
    AbutPatch patch;
    AbutPose body =
        abut_pose(abut_add(q->b_in_a.p, way), abut_quat_normalize(abut_quat_mul(abut_quat_exp(turn), q->b_in_a.q)));
    AbutPose a = abut_pose(q->a->local_p, q->a->local_q), b = abut_pose(q->b->local_p, q->b->local_q);
    pair.b_in_a = abut_pose_between(a, abut_pose_mul(body, b));
    if (abut_patch_find(&pair, NULL, q->room, q->sim->shapes.workspace_bytes, &overlap, &patch) <= 0) return 0;
    if (q->sim->def.fit == ABUT_FIT_MOMENTS && !patch.round) {
        AbutSurfaceMoments m = abut_surface_moments(&overlap, &patch, 1);
        abut_patch_fit_moments(&m, &patch);
    }
    out->count = patch.vertex_count;
    out->normal = abut_mat3_apply(q->a->local_rotation, patch.normal);
    AbutVec3 center = abut_pose_apply(a, patch.centroid);
    for (int i = 0; i < patch.vertex_count; ++i) {
        AbutVec3 arm = abut_mat3_apply(q->a->local_rotation, abut_sub(abut_patch_vertex(&patch, i), patch.centroid));
        out->point[i] = abut_add(center, arm);
        out->grip[i] = abut_add_scaled(center, arm, patch.torsion);
        out->thickness[i] = patch.thickness[i];
    }
    return 1;
}

/* What the contact has now. */
static void look_at_contact(const AbutSolverContact *c, Look *out) {
    const AbutTouch *t = c->touch;
    out->count = c->count;
    out->normal = t->nu_a;
    for (int i = 0; i < c->count; ++i) {
        const AbutSolverVertex *v = &c->point[i];
        out->point[i] = abut_add(t->p_a, abut_add(abut_scale(t->e1_a, v->x), abut_scale(t->e2_a, v->y)));
        out->grip[i] = abut_add(t->p_a, abut_add(abut_scale(t->e1_a, v->xt), abut_scale(t->e2_a, v->yt)));
        out->thickness[i] = t->vertex[i].thickness;
    }
}

/* Puts the corners of `look` in the order of those of `like`; 0: some of these are farther than `near` from theirs. */
static int match(const Look *like, double near, Look *look) {
    Look from = *look;
    int taken[ABUT_CONTACT_VERTICES] = {0};
    if (like->count != look->count) return 0;
    for (int i = 0; i < like->count; ++i) {
        int best = -1;
        double least = near;
        for (int k = 0; k < from.count; ++k) {
            double d = abut_point_distance(like->point[i], from.point[k]);
            if (!taken[k] && d <= least) least = d, best = k;
        }
        if (best < 0) return 0;
        taken[best] = 1;
        look->point[i] = from.point[best];
        look->grip[i] = from.grip[best];
        look->thickness[i] = from.thickness[best];
    }
    return 1;
}

/* The surface of B moves with it, and forces act where they do on A. */
static void rate_of_plane(const AbutSolverContact *c, const Look *at, AbutVec3 center, AbutPatchRate *out) {
    for (int k = 0; k < 6; ++k)
        for (int i = 0; i < c->count; ++i) {
            AbutVec3 moved = k < 3 ? abut_axis(k) : abut_cross(abut_axis(k - 3), abut_sub(at->point[i], center));
            out->thickness[i][k] = -abut_dot(at->normal, moved);
        }
}

/* Adds `weight` times the difference of two looks. */
static void difference(int k, const Look *low, const Look *high, double weight, AbutPatchRate *out) {
    out->normal[k] = abut_add_scaled(out->normal[k], abut_sub(high->normal, low->normal), weight);
    for (int i = 0; i < low->count; ++i) {
        out->point[i][k] = abut_add_scaled(out->point[i][k], abut_sub(high->point[i], low->point[i]), weight);
        out->grip[i][k] = abut_add_scaled(out->grip[i][k], abut_sub(high->grip[i], low->grip[i]), weight);
        out->thickness[i][k] += weight * (high->thickness[i] - low->thickness[i]);
    }
}

/* The patch on both sides of where B is, along direction k; gives how many of them have its corners. */
static int look_aside(const Question *q, int k, double by, double most, const Look *now, Look *low, Look *high) {
    AbutVec3 move = abut_scale(abut_axis(k % 3), by), back = abut_neg(move), none = abut_zero();
    int has_low = look(q, k < 3 ? back : none, k < 3 ? none : back, low) && match(now, most, low),
        has_high = look(q, k < 3 ? move : none, k < 3 ? none : move, high) && match(now, most, high);
    if (!has_low) *low = *now;
    if (!has_high) *high = *now;
    return has_low + has_high;
}

/* How much two rates along a direction differ; `unit`: what the points move by. */
static double apart(int k, int count, const AbutPatchRate *a, const AbutPatchRate *b, double unit) {
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = abut_larger(most, abut_point_distance(a->point[i][k], b->point[i][k]));
        most = abut_larger(most, fabs(a->thickness[i][k] - b->thickness[i][k]));
    }
    return most / unit;
}

/* Takes the rates of two widths, the second half the first, so that what is of third order cancels. */
static void take_rates(int k, int count, const AbutPatchRate rate[2], int both, AbutPatchRate *out) {
    const double weight[2] = {both ? -1.0 / 3.0 : 0.0, both ? 4.0 / 3.0 : 1.0};
    out->normal[k] = abut_zero();
    for (int i = 0; i < count; ++i) out->point[i][k] = out->grip[i][k] = abut_zero(), out->thickness[i][k] = 0.0;
    for (int half = 0; half < 2; ++half) {
        out->normal[k] = abut_add_scaled(out->normal[k], rate[half].normal[k], weight[half]);
        for (int i = 0; i < count; ++i) {
            out->point[i][k] = abut_add_scaled(out->point[i][k], rate[half].point[i][k], weight[half]);
            out->grip[i][k] = abut_add_scaled(out->grip[i][k], rate[half].grip[i][k], weight[half]);
            out->thickness[i][k] += weight[half] * rate[half].thickness[i][k];
        }
    }
}

/* By the widths that agree best: narrower ones beside a kink, wider ones where rounding shows. 1: they agree. */
static int rate_along(
    const Question *q, int k, double by, double unit, double most, const Look *now, AbutPatchRate *out) {
    enum { TRIES = 5 };
    double best = INFINITY;
    for (int round = 0; round < TRIES && best > AGREE_WELL; ++round, by *= 0.1) {
        AbutPatchRate rate[2];
        Look low, high;
        int found[2];
        memset(rate, 0, sizeof rate);
        for (int half = 0; half < 2; ++half) {
            double width = half ? 0.5 * by : by;
            found[half] = look_aside(q, k, width, most, now, &low, &high);
            if (found[half] > 0) difference(k, &low, &high, 1.0 / (found[half] * width), &rate[half]);
        }
        int both = found[0] == 2 && found[1] == 2;
        double off = both ? apart(k, now->count, &rate[0], &rate[1], unit) : found[1] > 0 ? AGREE_NOT : 2.0 * AGREE_NOT;
        if (off < best) take_rates(k, now->count, rate, both, out), best = off;
    }
    return best < AGREE;
}

/* By how much more the surfaces are apart after the step than their vertices expect: where both are then. */
static void look_after(AbutSimulation *sim, const AbutSolverContact *c, const Question *q, AbutPatchRate *out) {
    AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b], now_a = *a, now_b = *b;
    AbutRoundHit hit;
    if (!abut_patch_is_round(&q->pair)) return;
    a->v = a->start_v, a->w = a->start_w, b->v = b->start_v, b->w = b->start_w;
    double bend = abut_contact_bend_all(sim, c, &q->pair, &hit);
    AbutPose shape = abut_shape_pose_after(a, q->a, sim->constants.dt);
    *a = now_a, *b = now_b;
    if (!isfinite(bend)) return;
    if (fabs(bend) < BEND_NEAR * abut_contact_size(sim, c)) out->smooth = 0; /* where it begins to count */
    out->bends = c->touch->bend > 0.0;
    out->after_normal = abut_quat_rotate(shape.q, hit.normal);
    out->after_a = abut_pose_apply(shape, hit.point_a);
    out->after_b = abut_pose_apply(shape, hit.point_b);
}

void abut_patch_rate(AbutSimulation *sim, const AbutSolverContact *c, AbutPatchRate *out) {
    Question q;
    Look at, now;
    memset(out, 0, sizeof *out);
    out->smooth = 1;
    look_at_contact(c, &at);
    double size = abut_contact_size(sim, c), step = abut_smaller(1e-6 * size, WIDTH * c->touch->margins);
    for (int i = 0; i < c->count; ++i)
        if (at.thickness[i] > 0.0) step = abut_smaller(step, WIDTH * at.thickness[i]);
    if (c->touch->mesh) {
        out->smooth = 0;
        rate_of_plane(c, &at,
            abut_mat3_apply_t(
                sim->mover[c->body_a].rotation, abut_sub(sim->mover[c->body_b].x, sim->mover[c->body_a].x)),
            out);
        return;
    }
    out->ahead = ask(sim, c, &q);
    if (!(step > 0.0)) step = 1e-6 * size;
    double near = 1e-3 * (c->ell + step) + 20.0 * step, reach = abut_larger(size, c->ell);
    if (!look(&q, abut_zero(), abut_zero(), &now) || !match(&at, near, &now)) {
        out->smooth = 0;
        rate_of_plane(c, &at, q.b_in_a.p, out);
        return;
    }
    look_after(sim, c, &q, out);
    double lever = reach + abut_length(abut_sub(q.b_in_a.p, at.point[0]));
    double most = abut_larger(1e3 * step, 0.01 * c->ell);
    for (int k = 0; k < 6; ++k)
        out->smooth &= rate_along(&q, k, k < 3 ? step : step / lever, k < 3 ? 1.0 : lever, most, &now, out);
}
