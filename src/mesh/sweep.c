/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps of mesh B along a direction: last contact, first contact, first free place.
 *
 * In: an AbutMeshSweep and a unit vector. Out: lengths, exact but for rounding, with the pair of triangles that gave
 * them. Method: one or a few walks (sweep_walk.inc). The pairs that ended the last sweeps are measured before the walk,
 * because neighboring directions often end at the same pair, and then the walk has little left to look at.
 */
#include "mesh/sweep.h"
#include "mesh/sweep_pair.h"
#include "mesh/tolerance.h"

enum { ROUNDS = 400 };

int abut_sweep_open(AbutMeshSweep *s, const AbutMeshTree *a, const AbutMeshTree *b, AbutPose b_in_a, int outward) {
    AbutMeshPair *q = &s->pair;
    if (!abut_mesh_pair_open(q, a, b, b_in_a, 2.0 * (a->radius + b->radius))) return 0;
    s->start = q->t;
    s->size = q->size / q->frame_scale;
    s->outward = outward;
    s->facing = 0;
    s->killers = s->next_killer = 0;
    s->slot_a = s->slot_b = -1;
    double unit = q->scale * q->frame_scale;
    s->factor_a = (float)(a->unit * unit), s->factor_b = (float)(b->unit * unit);
    s->inverse_a = 1.0F / s->factor_a, s->inverse_b = 1.0F / s->factor_b;
    return 1;
}

void abut_sweep_shift(AbutMeshSweep *s, AbutVec3 q) { s->pair.t = abut_add(s->start, q); }

/* Puts u along the first axis. */
static void turn_to(AbutMeshSweep *s, AbutVec3 u) {
    AbutMeshPair *q = &s->pair;
    abut_mesh_pair_turn(q, u);
    AbutMat3 back = abut_mat3_transpose(q->turn);
    AbutVec3 center = abut_scale(q->a->center, q->scale);
    s->turn = q->turn;
    s->to_a = abut_mat3_scale(back, q->scale);
    s->to_b = abut_mat3_mul(back, abut_mat3_scale(q->r, q->scale));
    s->place_a = abut_neg(abut_mat3_apply(back, center));
    s->place_b = abut_mat3_apply(back, abut_sub(q->t, center));
}

static void begin(AbutMeshSweep *s, AbutSweepMode mode, double best, double at, double cut, int facing) {
    s->mode = mode;
    s->best = best, s->at = at, s->cut = cut;
    s->facing = facing && s->outward;
    s->slot_a = s->slot_b = -1;
    s->abandoned = 0;
    s->pair.waiting = 0;
}

static void try_killers(AbutMeshSweep *s) {
    for (int k = 0; k < s->killers; ++k) s->pair.batch_a[k] = s->kill_a[k], s->pair.batch_b[k] = s->kill_b[k];
    s->pair.waiting = s->killers;
}

static void remember_killer(AbutMeshSweep *s) {
    for (int k = 0; k < s->killers; ++k)
        if (s->kill_a[k] == s->slot_a && s->kill_b[k] == s->slot_b) return;
    if (s->slot_a < 0) return;
    s->kill_a[s->next_killer] = s->slot_a, s->kill_b[s->next_killer] = s->slot_b;
    s->next_killer = (s->next_killer + 1) % ABUT_SWEEP_KILLERS;
    s->killers += s->killers < ABUT_SWEEP_KILLERS;
}

double abut_sweep_exit(AbutMeshSweep *s, AbutVec3 u, double known, double cut) {
    begin(s, ABUT_SWEEP_EXIT, known, 0.0, cut, 1);
    s->abandoned = known > cut;
    if (s->abandoned) return known;
    turn_to(s, u);
    try_killers(s);
    abut_mesh_walk()->sweep(s);
    remember_killer(s);
    return s->best;
}

double abut_sweep_first_contact(AbutMeshSweep *s, AbutVec3 u, double limit) {
    turn_to(s, u);
    begin(s, ABUT_SWEEP_FIRST, limit, 0.0, limit, 1);
    abut_mesh_walk()->sweep(s);
    return s->best;
}

/* Is one mesh inside the other with B moved by `at` along u? */
static int nested_at(AbutMeshSweep *s, AbutVec3 u, double at) {
    AbutVec3 keep = s->pair.t;
    int known;
    s->pair.t = abut_add_scaled(keep, u, at);
    AbutGapOutcome outcome = abut_mesh_pair_nesting(&s->pair, &known);
    s->pair.t = keep;
    return outcome != ABUT_SEPARATED;
}

/* Goes from `at` to the end of the intervals that hold it. 1: it went on, and there may be more. */
static int stab(AbutMeshSweep *s, double *at, double cut, int first) {
    double tiny = ABUT_SWEEP_TINY * s->size;
    begin(s, ABUT_SWEEP_STAB, *at, *at + tiny, cut, 0);
    if (first) try_killers(s);
    abut_mesh_walk()->sweep(s);
    int grew = s->slot_a >= 0 && s->best > *at + tiny;
    *at = s->best;
    return grew;
}

static double give_up(AbutMeshSweep *s, double at) {
    s->abandoned = 1;
    return at;
}

double abut_sweep_first_free(AbutMeshSweep *s, AbutVec3 u, double cut, AbutSweepAhead *ahead, const void *user) {
    double tiny = ABUT_SWEEP_TINY * s->size, at = ahead ? ahead(user, 0.0) : 0.0;
    int32_t slot_a = -1, slot_b = -1;
    turn_to(s, u);
    for (int round = 0; round < ROUNDS && at <= cut; ++round) {
        int grew = stab(s, &at, cut, round == 0);
        if (s->slot_a >= 0) slot_a = s->slot_a, slot_b = s->slot_b;
        if (s->abandoned) return at;
        if (grew) {
            at = ahead ? abut_larger(at, ahead(user, at)) : at;
        } else if (nested_at(s, u, at + 4.0 * tiny)) {
            begin(s, ABUT_SWEEP_FIRST, cut, at + tiny, cut, 0);
            abut_mesh_walk()->sweep(s);
            if (s->slot_a < 0) return give_up(s, cut);
            at = s->best;
        } else {
            s->slot_a = slot_a, s->slot_b = slot_b;
            remember_killer(s);
            return at;
        }
    }
    return give_up(s, at);
}

/* ---- plane of contact -------------------------------------------------------------------------------------------- */

/* The best feature of a pair so far, in the coordinates of the sweep. */
typedef struct Feature {
    int last;
    double s;
    AbutVec3 normal, a, b;
} Feature;

static void try_feature(Feature *f, double hit, double s, AbutVec3 normal, AbutVec3 a, AbutVec3 b) {
    if (hit > 0.0 && (f->last ? s > f->s + ABUT_SWEEP_SAME : s < f->s - ABUT_SWEEP_SAME))
        f->s = s, f->normal = normal, f->a = a, f->b = b;
}

static void try_corners(Feature *f, const AbutVec3 face[3], const AbutVec3 corner[3], int corner_is_b) {
    AbutSweepFace g = abut_sweep_face(face[0], face[1], face[2]);
    AbutVec3 n = abut_cross(abut_sub(face[1], face[0]), abut_sub(face[2], face[0]));
    for (int k = 0; k < 3; ++k) {
        double hit, x = abut_sweep_over(&g, corner[k], &hit);
        AbutVec3 foot = abut_vec3(x, corner[k].y, corner[k].z);
        if (corner_is_b)
            try_feature(f, hit, x - corner[k].x, n, foot, corner[k]);
        else
            try_feature(f, hit, corner[k].x - x, n, corner[k], foot);
    }
}

static void try_sides(Feature *f, const AbutVec3 a[3], const AbutVec3 b[3]) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            AbutVec3 a1 = a[(i + 1) % 3], b1 = b[(j + 1) % 3], u = abut_sub(a1, a[i]), v = abut_sub(b1, b[j]);
            double hit, s = abut_sweep_sides(a[i], a1, b[j], b1, &hit), den = u.y * v.z - u.z * v.y;
            double along = ((b[j].y - a[i].y) * v.z - (b[j].z - a[i].z) * v.y) / (den != 0.0 ? den : 1.0);
            AbutVec3 p = abut_add_scaled(a[i], u, along);
            try_feature(f, hit, s, abut_cross(u, v), p, abut_vec3(p.x - s, p.y, p.z));
        }
}

AbutVec3 abut_sweep_plane(const AbutMeshSweep *s, int last, AbutVec3 *point_a, AbutVec3 *point_b) {
    const AbutMeshPair *q = &s->pair;
    AbutVec3 a[3], b[3], center = abut_scale(q->a->center, q->scale);
    Feature f = {last, last ? -INFINITY : INFINITY, abut_axis(0), abut_zero(), abut_zero()};
    for (int k = 0; k < 3; ++k) {
        a[k] =
            abut_add(abut_mat3_apply(s->to_a, abut_tree_vertices(q->a)[3 * (size_t)s->slot_a + (size_t)k]), s->place_a);
        b[k] =
            abut_add(abut_mat3_apply(s->to_b, abut_tree_vertices(q->b)[3 * (size_t)s->slot_b + (size_t)k]), s->place_b);
    }
    try_corners(&f, a, b, 1);
    try_corners(&f, b, a, 0);
    try_sides(&f, a, b);
    *point_a = abut_add(abut_mat3_apply(s->turn, f.a), center);
    *point_b = abut_add(abut_mat3_apply(s->turn, f.b), center);
    AbutVec3 n = abut_normalize_or(abut_mat3_apply(s->turn, f.normal), s->turn.x);
    return (abut_dot(n, s->turn.x) < 0.0) == last ? abut_neg(n) : n;
}
