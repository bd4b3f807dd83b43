/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of the search for the depth: inscribed balls, planes of contact, refinement of an exit, descent through free
 * space.
 *
 * In: an AbutDepthSearch. Out: lengths and translations. Method: pairs of balls inside the solids prove overlap over
 * long stretches of a direction at the cost of a few additions. A plane of contact is what a sweep ended at; the point
 * of all planes nearest to the origin is the next place to try. The refinement keeps planes of exits, which suits
 * curved surfaces; the descent moves through free places only and drops planes that are no longer touched, which finds
 * the bottom of a dent.
 */
#include "mesh/depth_search.h"
#include "mesh/kernels.h"
#include "mesh/tolerance.h"

/* ---- balls ------------------------------------------------------------------------------------------------------- */

static void place_pair(AbutDepthBalls *balls, int k, AbutVec3 way, double reach) {
    balls->x[k] = (float)way.x, balls->y[k] = (float)way.y, balls->z[k] = (float)way.z;
    balls->rest[k] = (float)(reach * reach - abut_length_sq(way) - ABUT_DEPTH_BALL_SLACK);
}

/* How many balls of a mesh are worth their cost: the first are the largest. */
static int balls_used(const AbutMeshCore *core, const AbutMeshTree *tree) {
    int most = tree->triangle_count < 500 ? 8 : (tree->triangle_count < 5000 ? 16 : ABUT_MESH_CORE_BALLS);
    return core->ball_count < most ? core->ball_count : most;
}

void abut_depth_balls_place(AbutDepthSearch *d, const AbutMeshCore *a, const AbutMeshCore *b) {
    const AbutMeshPair *q = &d->sweep.pair;
    AbutDepthBalls *balls = &d->balls;
    balls->count = 0;
    if (!a || !b) return;
    int count_a = balls_used(a, q->a), count_b = balls_used(b, q->b);
    for (int j = 0; j < count_b; ++j) {
        AbutVec3 at = abut_add(abut_mat3_apply(q->r, abut_scale(b->ball[j].center, q->scale)), d->sweep.start);
        for (int i = 0; i < count_a; ++i)
            place_pair(balls, balls->count++, abut_sub(abut_scale(a->ball[i].center, q->scale), at),
                (a->ball[i].radius + b->ball[j].radius) * q->scale);
    }
    while (balls->count % 8 != 0) {
        place_pair(balls, balls->count, abut_zero(), 0.0);
        balls->rest[balls->count++] = -4.0F;
    }
}

static float most_of(const float lane[8]) {
    float most = lane[0];
    for (int l = 1; l < 8; ++l) most = lane[l] > most ? lane[l] : most;
    return most;
}

double abut_depth_balls_exit(const AbutDepthBalls *balls, AbutVec3 u) {
    const float x = (float)u.x, y = (float)u.y, z = (float)u.z;
    float most[8] = {0};
    for (int k = 0; k < balls->count; k += 8)
        for (int l = 0; l < 8; ++l) {
            float b = balls->x[k + l] * x + balls->y[k + l] * y + balls->z[k + l] * z, q = balls->rest[k + l] + b * b;
            float root = sqrtf(q > 0.0F ? q : 0.0F), high = b + root;
            high = q > 0.0F ? high : 0.0F;
            most[l] = high > most[l] ? high : most[l];
        }
    return (double)most_of(most) * (1.0 - 1e-5);
}

void abut_depth_balls_turn(AbutDepthBalls *balls, AbutVec3 u) {
    const float x = (float)u.x, y = (float)u.y, z = (float)u.z;
    for (int k = 0; k < balls->count; ++k) {
        float b = balls->x[k] * x + balls->y[k] * y + balls->z[k] * z, q = balls->rest[k] + b * b;
        float r = sqrtf(q > 0.0F ? q : 0.0F), low = b - r, high = b + r;
        balls->low[k] = q > 0.0F ? low : 1e30F;
        balls->high[k] = q > 0.0F ? high : -1e30F;
    }
}

double abut_depth_balls_ahead(const void *user, double from) {
    const AbutDepthBalls *balls = user;
    float s = (float)from;
    for (int round = 0; round < 50; ++round) {
        float most[8] = {0};
        for (int k = 0; k < balls->count; k += 8)
            for (int l = 0; l < 8; ++l) {
                float low = balls->low[k + l], high = balls->high[k + l];
                high = low <= s ? high : 0.0F;
                most[l] = high > most[l] ? high : most[l];
            }
        float end = most_of(most);
        if (!(end > s * 1.000001F + 1e-12F)) break;
        s = end;
    }
    return abut_larger(from, (double)s * (1.0 - 2e-6));
}

/* ---- sweeps and candidates --------------------------------------------------------------------------------------- */

double abut_depth_exit(AbutDepthSearch *d, AbutVec3 u, double cut) {
    ++d->sweeps;
    return abut_sweep_exit(&d->sweep, u, abut_depth_balls_exit(&d->balls, u), cut);
}

double abut_depth_first_free(AbutDepthSearch *d, AbutVec3 u, double cut) {
    ++d->sweeps;
    abut_depth_balls_turn(&d->balls, u);
    return abut_sweep_first_free(&d->sweep, u, cut, d->balls.count > 0 ? abut_depth_balls_ahead : NULL, &d->balls);
}

int abut_depth_is_free(const AbutDepthSearch *d, AbutVec3 q) {
    const AbutMeshPair *pair = &d->sweep.pair;
    AbutPose pose = d->pose;
    pose.p = abut_add_scaled(pose.p, q, 1.0 / pair->scale);
    return abut_mesh_collide(pair->a, pair->b, pose, NULL).outcome == ABUT_SEPARATED;
}

AbutVec3 abut_depth_place(const AbutDepthSearch *d, AbutVec3 u, double s) {
    return abut_scale(u, abut_larger(s, ABUT_SWEEP_TINY * d->sweep.size));
}

void abut_depth_propose(AbutDepthSearch *d, AbutVec3 q) {
    double length = abut_length(q);
    if (length < d->best) d->best = length, d->q = q, d->verified = 0;
}

int abut_depth_accept(AbutDepthSearch *d, AbutVec3 q) {
    if (!(abut_length(q) < d->best * (1.0 - 1e-9)) || !abut_depth_is_free(d, abut_scale(q, ABUT_DEPTH_VERIFY)))
        return 0;
    abut_depth_propose(d, q);
    d->verified = 1;
    return 1;
}

AbutVec3 abut_depth_outside(const AbutDepthSearch *d, AbutVec3 u, double s) {
    return abut_scale(u, s * (1.0 + 1e-9) + 2.0 * ABUT_DEPTH_HAIR * d->sweep.size);
}

/* ---- planes ------------------------------------------------------------------------------------------------------ */

int abut_depth_nearest(const AbutDepthPlanes *planes, AbutVec3 *x) {
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3] = {0, 0, 0};
    double a[3 * ABUT_DEPTH_PLANES], b[ABUT_DEPTH_PLANES], out[3], work[512];
    for (int k = 0; k < planes->count; ++k) {
        AbutVec3 n = planes->normal[k];
        a[3 * k] = -n.x, a[3 * k + 1] = -n.y, a[3 * k + 2] = -n.z;
        b[k] = -planes->offset[k];
    }
    AbutQp qp = {3, planes->count, 0, identity, zero, a, b};
    if (abut_qp_solve(&qp, out, NULL, work, sizeof work).outcome != ABUT_QP_OK) return 0;
    *x = abut_vec3(out[0], out[1], out[2]);
    return 1;
}

static void add_plane(AbutDepthPlanes *p, int room, AbutVec3 normal, double offset) {
    if (p->count == room) {
        for (int k = 1; k < room; ++k) p->normal[k - 1] = p->normal[k], p->offset[k - 1] = p->offset[k];
        --p->count;
    }
    p->normal[p->count] = normal;
    p->offset[p->count++] = offset;
}

/* The nearest point of all planes if it is shorter than `limit`, else that of the newest alone; 0 when neither is. */
static int next_target(AbutDepthPlanes *p, double limit, AbutVec3 *x) {
    if (abut_depth_nearest(p, x) && abut_length(*x) < limit) return 1;
    if (p->count > 1) {
        p->normal[0] = p->normal[p->count - 1], p->offset[0] = p->offset[p->count - 1];
        p->count = 1;
    }
    *x = abut_scale(p->normal[0], p->offset[0]);
    return p->offset[0] > 0.0 && abut_length(*x) < limit;
}

/* ---- refinement -------------------------------------------------------------------------------------------------- */

double abut_depth_refine(AbutDepthSearch *d, AbutVec3 u, AbutVec3 *u_out, int rounds) {
    AbutDepthPlanes planes = {0};
    AbutVec3 x, point_a, point_b;
    double best = INFINITY;
    int failures = 0;
    for (int round = 0; round < rounds && failures <= 3; ++round) {
        double s = abut_depth_exit(d, u, round == 0 ? INFINITY : 1.5 * best);
        if (d->sweep.slot_a < 0) break;
        int gains = !d->sweep.abandoned && s<best, little = s> best * (1.0 - 1e-7);
        failures = gains ? 0 : failures + 1;
        if (gains) best = s, *u_out = u;
        if (gains && little) break;
        AbutVec3 n = abut_sweep_plane(&d->sweep, 1, &point_a, &point_b);
        add_plane(&planes, 8, n, s * abut_dot(n, u));
        if (!next_target(&planes, best * (1.0 - 1e-9), &x)) break;
        u = abut_normalize_or(x, u);
    }
    return best;
}

/* ---- descent ----------------------------------------------------------------------------------------------------- */

typedef struct Descent {
    AbutVec3 at, best, target;
    AbutDepthPlanes planes;
    double size, hair;
    int stuck;
} Descent;

static void move_to(Descent *w, AbutVec3 at) {
    w->at = at;
    if (abut_length_sq(at) < abut_length_sq(w->best)) w->best = at;
}

/* Keeps planes that are touched where the descent stands and not parallel to the new one. */
static void drop_planes(Descent *w, AbutVec3 n) {
    int kept = 0;
    for (int k = 0; k < w->planes.count; ++k) {
        AbutVec3 m = w->planes.normal[k];
        if (abut_dot(m, w->at) < w->planes.offset[k] + ABUT_DEPTH_TIGHT * w->size && abut_dot(m, n) < 0.99999) {
            w->planes.normal[kept] = m;
            w->planes.offset[kept++] = w->planes.offset[k];
        }
    }
    w->planes.count = kept;
}

/* After contact at length s along e: where to next? 0: nowhere. */
static int slide(AbutDepthSearch *d, Descent *w, AbutVec3 e, double s) {
    AbutVec3 point_a, point_b, n = abut_sweep_plane(&d->sweep, 0, &point_a, &point_b);
    AbutVec3 contact = abut_add_scaled(w->at, e, s);
    move_to(w, abut_add_scaled(w->at, e, s - abut_smaller(s, w->hair)));
    w->stuck = s < 10.0 * w->hair ? w->stuck + 1 : 0;
    drop_planes(w, n);
    add_plane(&w->planes, 12, n, abut_dot(n, contact) + w->hair);
    int before = w->planes.count;
    if (!next_target(&w->planes, abut_length(w->at) * (1.0 - 1e-7) - w->hair, &w->target)) return 0;
    w->stuck += w->planes.count < before;
    return w->stuck <= 6;
}

AbutVec3 abut_depth_descend(AbutDepthSearch *d, AbutVec3 q, int rounds) {
    Descent w = {.at = q, .best = q, .size = d->sweep.size, .hair = ABUT_DEPTH_HAIR * d->sweep.size};
    double mark = abut_length(q);
    for (int round = 0; round < rounds; ++round) {
        AbutVec3 way = abut_sub(w.target, w.at);
        double length = abut_length(way);
        if (length < 1e-9 * w.size) break;
        abut_sweep_shift(&d->sweep, w.at);
        ++d->sweeps;
        AbutVec3 e = abut_scale(way, 1.0 / length);
        double s = abut_sweep_first_contact(&d->sweep, e, length);
        if (d->sweep.slot_a < 0) {
            move_to(&w, w.target);
            w.target = abut_zero();
            w.planes.count = 0;
        } else if (!slide(d, &w, e, s)) {
            break;
        }
        if (round % 8 == 7) {
            if (abut_length(w.best) > mark * (1.0 - 1e-4)) break;
            mark = abut_length(w.best);
        }
    }
    abut_sweep_shift(&d->sweep, abut_zero());
    return w.best;
}
