/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Geometry and responses of one contact. In: the grown shapes of a pair and the movers of its bodies. Out: the contact
 * with its frame, polygon, thickness and responses, and the impulses of its old vertices at the nearest new ones.
 */
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

#include <string.h>

/* ---- following the bodies ---------------------------------------------------------------------------------------- */

static void place_frame(AbutSolverContact *c, const AbutSolverBody *a, const AbutSolverBody *b) {
    const AbutTouch *t = c->touch;
    c->nu = abut_mat3_apply(a->rotation, t->nu_a);
    c->e1 = abut_mat3_apply(a->rotation, t->e1_a);
    c->e2 = abut_mat3_apply(a->rotation, t->e2_a);
    c->ra = abut_mat3_apply(a->rotation, t->p_a);
    c->rb = abut_add(abut_sub(a->x, b->x), c->ra);
}

/* A vertex in the frame of A. */
static AbutVec3 vertex_in_a(const AbutTouch *t, const AbutSolverVertex *v) {
    return abut_add(t->p_a, abut_add(abut_scale(t->e1_a, v->x), abut_scale(t->e2_a, v->y)));
}

/* Points that were in the plane of the contact have risen on B by so much over A: a plane again, as B turns as a whole.
 */
double abut_contact_thin(const AbutSolverContact *c, const AbutMat3 *r, AbutVec3 p) {
    AbutTouch *t = c->touch;
    double least = INFINITY;
    AbutVec3 slope = abut_sub(abut_mat3_apply(t->built_rotation, abut_mat3_apply_t(*r, t->nu_a)), t->nu_a);
    double x = abut_dot(slope, t->e1_a), y = abut_dot(slope, t->e2_a),
           rise =
               abut_dot(t->nu_a, abut_sub(p, t->built_position)) + abut_dot(slope, abut_sub(t->p_a, t->built_position));
    for (int i = 0; i < c->count; ++i) {
        __builtin_prefetch(&c->point[i].n); /* the solve stage reads it soon; also, so few vertices need no vectors */
        t->vertex[i].thickness = t->vertex[i].built - (rise + x * c->point[i].x + y * c->point[i].y);
        least = abut_smaller(least, t->vertex[i].thickness);
    }
    return least;
}

void abut_contact_follow(const AbutSimulation *sim, AbutSolverContact *c, const AbutMat3 *rotation, AbutVec3 position) {
    place_frame(c, &sim->mover[c->body_a], &sim->mover[c->body_b]);
    abut_contact_thin(c, rotation, position);
    c->touch->bend = 0.0;
}

double abut_contact_depth(const AbutSolverContact *c) {
    const AbutTouch *t = c->touch;
    double now = c->count ? -(double)INFINITY : 0.0, built = now;
    for (int i = 0; i < c->count; ++i) {
        now = abut_larger(now, t->vertex[i].thickness);
        built = abut_larger(built, t->vertex[i].built);
    }
    return abut_larger(0.0, t->built_depth + (now - built));
}

double abut_contact_size(const AbutSimulation *sim, const AbutSolverContact *c) {
    return abut_smaller(
        sim->shapes.grown.of_shape[c->touch->shape_a]->size, sim->shapes.grown.of_shape[c->touch->shape_b]->size);
}

/*
 * Bodies that touch, or overlap by less than has a shape, keep the polygon they had as long as its thickness has not
 * become a gap; 0 when there is none.
 */
static int keep_touching(const AbutSimulation *sim, AbutSolverContact *c, AbutOverlapOutcome outcome) {
    double size = abut_contact_size(sim, c), most = -INFINITY;
    AbutMat3 r;
    AbutVec3 p;
    abut_contact_pose(&sim->mover[c->body_a], &sim->mover[c->body_b], &r, &p);
    if (outcome == ABUT_OVERLAP_DISJOINT ||
        !(abut_point_distance(p, c->touch->built_position) < ABUT_KEPT_SHIFT * size))
        return 0;
    abut_contact_follow(sim, c, &r, p);
    for (int i = 0; i < c->count; ++i) most = abut_larger(most, c->touch->vertex[i].thickness);
    return most >= -ABUT_KEPT_GAP * size;
}

/* ---- impulses of the old vertices -------------------------------------------------------------------------------- */

int abut_contact_old(const AbutSolverContact *c, const AbutSolverBody *a, AbutOldVertex *old) {
    const AbutTouch *t = c->touch;
    for (int i = 0; i < c->count; ++i) {
        const AbutSolverVertex *v = &c->point[i];
        AbutVec3 e1 = abut_mat3_apply(a->rotation, t->e1_a), e2 = abut_mat3_apply(a->rotation, t->e2_a),
                 nu = abut_mat3_apply(a->rotation, t->nu_a);
        old[i].place = vertex_in_a(t, v);
        old[i].normal = t->nu_a;
        old[i].impulse = abut_add(abut_add(abut_scale(e1, v->t1), abut_scale(e2, v->t2)), abut_scale(nu, v->n));
        old[i].last_n = t->vertex[i].last_n;
    }
    return c->count;
}

void abut_contact_limit_impulses(AbutSolverContact *c) {
    for (int i = 0; i < c->count; ++i) {
        AbutSolverVertex *v = &c->point[i];
        v->n = abut_larger(v->n, 0.0);
        double t = sqrt(v->t1 * v->t1 + v->t2 * v->t2), most = c->touch->mu_static * v->n;
        if (t > most) {
            double s = t > 0.0 ? most / t : 0.0;
            v->t1 *= s;
            v->t2 *= s;
        }
    }
}

/* Every old vertex gives its impulse to the nearest new one. */
static void hand_over(AbutSolverContact *c, const AbutOldVertex *old, int count) {
    for (int k = 0; k < count && c->count > 0; ++k) {
        AbutVec3 r = abut_sub(old[k].place, c->touch->p_a);
        double x = abut_dot(r, c->touch->e1_a), y = abut_dot(r, c->touch->e2_a), least = INFINITY;
        int near = 0;
        for (int i = 0; i < c->count; ++i) {
            double dx = c->point[i].x - x, dy = c->point[i].y - y, d = dx * dx + dy * dy;
            if (d < least) {
                least = d;
                near = i;
            }
        }
        c->point[near].n += abut_dot(c->nu, old[k].impulse);
        c->point[near].t1 += abut_dot(c->e1, old[k].impulse);
        c->point[near].t2 += abut_dot(c->e2, old[k].impulse);
        c->touch->vertex[near].last_n += old[k].last_n;
    }
    abut_contact_limit_impulses(c);
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

/* A direction that no joint gives way in takes no impulse; where one tangent is such, the other one alone does. */
static void leave_stiff(AbutSolverVertex *v, double kn, double k11, double k12, double k22, double reference) {
    double half = 0.5 * (k11 + k22), large = half + sqrt(0.25 * (k11 - k22) * (k11 - k22) + k12 * k12),
           small = large > 0.0 ? (k11 * k22 - k12 * k12) / large : 0.0;
    if (!(kn > reference)) v->inv_kn = v->n = v->t1 = v->t2 = 0.0;
    if (!(large > reference)) {
        v->it11 = v->it12 = v->it22 = v->inv_kt = 0.0;
    } else if (!(small > ABUT_STIFF_PART * large)) {
        v->it11 = k11 / (large * large);
        v->it12 = k12 / (large * large);
        v->it22 = k22 / (large * large);
    }
}

/* Response of the contact velocity to impulses at one vertex. */
static void build_point(const AbutSolverContact *c, AbutSolverVertex *v, double reference) {
    const double(*phi)[6] = (const double(*)[6])c->touch->phi;
    for (int i = 0; i < 6; ++i) {
        v->cn[i] = phi[i][2] + v->y * phi[i][3] - v->x * phi[i][4];
        v->c1[i] = phi[i][0] - v->yt * phi[i][5];
        v->c2[i] = phi[i][1] + v->xt * phi[i][5];
    }
    double kn = v->cn[2] + v->y * v->cn[3] - v->x * v->cn[4];
    double k11 = v->c1[0] - v->yt * v->c1[5], k12 = v->c2[0] - v->yt * v->c2[5], k22 = v->c2[1] + v->xt * v->c2[5];
    double det = k11 * k22 - k12 * k12, half = 0.5 * (k11 + k22),
           root = sqrt(0.25 * (k11 - k22) * (k11 - k22) + k12 * k12);
    v->inv_kn = 1.0 / kn;
    v->it11 = k22 / det;
    v->it12 = -k12 / det;
    v->it22 = k11 / det;
    v->inv_kt = 1.0 / (half + root);
    if (reference > 0.0) leave_stiff(v, kn, k11, k12, k22, reference);
}

void abut_contact_set_points(AbutSolverContact *c, double reference) {
    for (int i = 0; i < c->count; ++i) build_point(c, &c->point[i], reference);
}

/* The patch lies in the frame of the shape of A. */
static void copy_patch(AbutTouch *t, const AbutPatch *patch, const AbutShape *shape) {
    t->nu_a = abut_mat3_apply(shape->local_rotation, patch->normal);
    t->e1_a = abut_mat3_apply(shape->local_rotation, patch->e1);
    t->e2_a = abut_mat3_apply(shape->local_rotation, patch->e2);
    t->p_a = abut_add(shape->local_p, abut_mat3_apply(shape->local_rotation, patch->centroid));
    t->area = patch->polygon_area;
    t->volume = patch->volume;
    memcpy(t->plane, patch->plane, sizeof t->plane);
    t->built_depth = patch->high - patch->low - t->margins;
    t->flat = !patch->round && patch->flat && patch->vertex_count > 2;
    t->seat = (int32_t)patch->seat;
    t->seat_of_b = patch->seat_of_b;
}

/* 0: no memory. */
static int copy_vertices(AbutContacts *contacts, AbutSolverContact *c, const AbutPatch *patch, int worker) {
    c->ell = patch->length;
    c->touch->torsion = patch->torsion;
    int good = abut_contact_set_count(contacts, c, patch->vertex_count, worker);
    for (int i = 0; i < c->count; ++i) {
        c->point[i].x = patch->x[i];
        c->point[i].y = patch->y[i];
        c->point[i].xt = patch->torsion * patch->x[i];
        c->point[i].yt = patch->torsion * patch->y[i];
        c->touch->vertex[i].built = c->touch->vertex[i].thickness = patch->thickness[i];
    }
    return good;
}

/* Where the load of a polygon lies, from its middle in the axes of A; where that is near the middle, its first corner.
 */
static AbutVec3 lean_of(const AbutSolverContact *c) {
    double x = 0.0, y = 0.0, n = 0.0;
    if (c->count < 3) return abut_zero();
    for (int i = 0; i < c->count; ++i) {
        x += c->point[i].n * c->point[i].x;
        y += c->point[i].n * c->point[i].y;
        n += c->point[i].n;
    }
    if (!(x * x + y * y > 0.25 * c->ell * c->ell * n * n)) x = c->point[0].x, y = c->point[0].y;
    return abut_add(abut_scale(c->touch->e1_a, x), abut_scale(c->touch->e2_a, y));
}

/* A rim of a cylinder, or of a cone on its base, that goes on from the last step: its point runs round, and the force
 * of a step acts ahead of where it is. */
static int is_running_rim(const AbutSimulation *sim, const AbutSolverContact *c, const AbutPatchPair *pair) {
    const AbutConvexKind kind[2] = {pair->a->body.kind, pair->b->body.kind};
    const AbutShape *shape[2] = {&sim->scene->shape[c->touch->shape_a], &sim->scene->shape[c->touch->shape_b]};
    int rim = 0;
    for (int s = 0; s < 2 && c->count == 1; ++s) {
        AbutVec3 axis = abut_mat3_apply(sim->mover[shape[s]->body].rotation, shape[s]->local_rotation.z);
        int base = s ? abut_dot(axis, c->nu) > 0.0 : abut_dot(axis, c->nu) < 0.0;
        rim |= kind[s] == ABUT_CONVEX_CYLINDER || (kind[s] == ABUT_CONVEX_CONE && base);
    }
    return rim;
}

double abut_contact_ask(
    const AbutSimulation *sim, const AbutSolverContact *c, AbutGrownBody *beside, AbutPatchPair *pair) {
    const AbutShape *shape = &sim->scene->shape[c->touch->shape_a];
    pair->b = abut_grown_side(&sim->shapes.grown, sim->scene, c->touch->shape_b, c->touch->pair);
    pair->a = abut_grown_beside(
        abut_grown_side(&sim->shapes.grown, sim->scene, c->touch->shape_a, c->touch->pair), pair->b, beside);
    pair->b_in_a = abut_contact_shape_pose(sim->scene, c->touch->shape_a, c->touch->shape_b);
    double ahead = is_running_rim(sim, c, pair) ? ABUT_RIM_AHEAD * sim->constants.dt : 0.0;
    if (ahead > 0.0)
        pair->b_in_a = abut_pose_between(abut_shape_pose_after(&sim->mover[c->body_a], shape, ahead),
            abut_shape_pose_after(&sim->mover[c->body_b], &sim->scene->shape[c->touch->shape_b], ahead));
    pair->last_normal = c->count ? abut_mat3_apply_t(shape->local_rotation, c->touch->nu_a) : abut_zero();
    pair->lean = abut_patch_is_round(pair) ? abut_mat3_apply_t(shape->local_rotation, lean_of(c)) : abut_zero();
    pair->uniform_torsion = sim->def.torsion_uniform;
    return ahead;
}

/* Overlap and patch of the shapes of a contact; 0 when they do not overlap after all. */
static int measure(AbutSimulation *sim, AbutSolverContact *c, int worker, const AbutPatchPair *pair,
    AbutOverlap *overlap, AbutPatch *patch) {
    void *room = sim->shapes.workspace + (size_t)worker * sim->shapes.workspace_bytes;
    /* under a press of a thousand weights, other roundings than those of the clip add 0.7 um of depth */
    c->touch->cache.shape.off = sim->trees != NULL;
    if (abut_patch_find(pair, &c->touch->cache, room, sim->shapes.workspace_bytes, overlap, patch) <= 0) return 0;
    if (sim->def.fit == ABUT_FIT_MOMENTS && !patch->round) {
        AbutSurfaceMoments m = abut_surface_moments(overlap, patch, 1);
        abut_patch_fit_moments(&m, patch);
    }
    return 1;
}

/* For the shapes of a contact, the question of `measure`. */
typedef struct Sides {
    const AbutSimulation *sim;
    const AbutSolverContact *c;
} Sides;

static AbutPose pose_at(int side, double t, void *user) {
    const Sides *s = user;
    const AbutShape *shape = &s->sim->scene->shape[side ? s->c->touch->shape_b : s->c->touch->shape_a];
    return abut_shape_pose_after(&s->sim->mover[shape->body], shape, t);
}

int abut_contact_build(AbutSimulation *sim, AbutSolverContact *c, int worker) {
    const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    AbutPatchPair pair;
    AbutOverlap overlap;
    AbutPatch patch;
    AbutGrownBody room;
    abut_contact_ask(sim, c, &room, &pair);
    if (!measure(sim, c, worker, &pair, &overlap, &patch)) return keep_touching(sim, c, overlap.outcome);
    AbutOldVertex old[ABUT_CONTACT_VERTICES];
    int old_count = abut_contact_old(c, a, old);
    const AbutShape *shape = &sim->scene->shape[c->touch->shape_a];
    AbutVec3 apart = patch.round && old_count == 0 ? abut_round_first_touch(&pair, pose_at, &(Sides){sim, c},
                                                         -ABUT_TOUCH_BACK * sim->constants.dt, &patch)
                                                   : abut_zero();
    AbutVec3 torque = abut_spin_world(c);
    c->touch->margins = pair.a->margin + pair.b->margin;
    c->touch->root = sqrt(abut_contact_size(sim, c) / ABUT_REFERENCE_SIZE);
    copy_patch(c->touch, &patch, shape);
    if (!copy_vertices(&sim->contacts, c, &patch, worker)) return 0;
    abut_contact_pose(a, b, &c->touch->built_rotation, &c->touch->built_position);
    place_frame(c, a, b);
    c->rb = abut_add(c->rb, abut_mat3_apply(a->rotation, abut_mat3_apply(shape->local_rotation, apart)));
    abut_spin_from_world(c, torque);
    AbutBuilt built = {&pair, &overlap, &patch, worker};
    if (sim->model->built) sim->model->built(sim, c, &built);
    hand_over(c, old, old_count);
    c->touch->bend = patch.round ? abut_contact_bend(sim, c, &pair) : 0.0;
    abut_contact_set_response(sim, c);
    abut_contact_set_points(c, a->locked || b->locked ? ABUT_STIFF_PART * (a->inv_mass + b->inv_mass) : 0.0);
    return 1;
}

int abut_contact_place(AbutSimulation *sim, AbutSolverContact *c, const AbutPatch *patch, double margins, int worker) {
    const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    c->touch->margins = margins;
    c->touch->root = sqrt(abut_contact_size(sim, c) / ABUT_REFERENCE_SIZE);
    copy_patch(c->touch, patch, &sim->scene->shape[c->touch->shape_a]);
    if (!copy_vertices(&sim->contacts, c, patch, worker)) return 0;
    abut_contact_pose(a, b, &c->touch->built_rotation, &c->touch->built_position);
    place_frame(c, a, b);
    c->touch->bend = 0.0;
    memset(c->torque, 0, sizeof c->torque);
    abut_contact_set_response(sim, c);
    abut_contact_set_points(c, a->locked || b->locked ? ABUT_STIFF_PART * (a->inv_mass + b->inv_mass) : 0.0);
    return 1;
}
