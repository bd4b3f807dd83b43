/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Needed by contacts of round bodies beyond their patch: joints of a floor, and the bend of surfaces over a step.
 *
 * Joints: a ball that rolls over the joint of two boxes in one plane meets the edge of the second with a tilted normal
 * before it is over it. But a round body lies above the tangent plane of each of its contacts, so an edge or a corner
 * that is not above such a plane is not in its way: its contact is dropped. A step that stands higher than the margins
 * is never dropped. Faces on several shapes that stand still, tiles of a floor or pieces of a height field, have the
 * same trouble: where one enters the next piece, the overlap may be thinner along the way than it is high, and its
 * normal that of a wall which is not there. A contact whose middle lies, within the margins, in the plane of a larger
 * one of the same shape is dropped.
 *
 * Bend: a vertex sees its tangent plane. A ball that rolls over a ball leaves that plane by v^2 h^2 / 2r in a step, and
 * would fly where it should roll. So both bodies are moved on by the step, the distance is asked again, and what it is
 * larger than the vertices expect is closed in the same step. Where the normal has turned far by then, a fast body is
 * past an edge or on the other side of a thin one, and no surface was followed: that is no bend.
 */
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static int32_t round_shape(const AbutSolverContact *c) {
    return c->touch->seat_of_b ? c->touch->shape_b : c->touch->shape_a;
}

/* Is A a polyhedron that stands still? */
static int is_on_piece(const AbutSimulation *sim, const AbutSolverContact *c) {
    const AbutSolverBody *a = &sim->mover[c->body_a];
    return !c->touch->mesh && sim->scene->body[c->body_a].inv_mass == 0.0 && !c->touch->sensor && c->count > 0 &&
           abut_length_sq(a->v) + abut_length_sq(a->w) == 0.0 && !sim->shapes.grown.of_shape[c->touch->shape_a]->round;
}

/* The shape by which contacts are listed that may tell a joint; -1: this one tells none. */
static int32_t listed_by(const AbutSimulation *sim, const AbutSolverContact *c) {
    if (is_on_piece(sim, c)) return c->touch->shape_b;
    return c->touch->seat == ABUT_SEAT_FLAT && !c->touch->sensor && c->count > 0 ? round_shape(c) : -1;
}

int abut_seams_begin(AbutSimulation *sim) {
    int32_t edges = 0, floor = -1; /* a floor of one shape has no joints, but one of a height field */
    for (int32_t k = 0; k < sim->awake.pair_count; ++k) {
        int32_t place = sim->contacts.memory[sim->awake.pair[k]].contact;
        const AbutSolverContact *c = place >= 0 ? &sim->contacts.at[place] : NULL;
        if (!c) continue;
        edges += !c->touch->sensor && c->touch->seat == ABUT_SEAT_EDGE;
        if (!is_on_piece(sim, c)) continue;
        floor = floor < 0 ? c->touch->shape_a : floor;
        edges += floor != c->touch->shape_a || abut_shape_grid(&sim->scene->shape[floor]);
    }
    if (edges == 0) return 0;
    size_t shapes = (size_t)sim->scene->shape_places;
    if (!abut_grow((void **)&sim->contacts.seat_first, &sim->contacts.seat_first_capacity, shapes,
            sizeof *sim->contacts.seat_first))
        return -1;
    for (size_t s = 0; s < shapes; ++s) sim->contacts.seat_first[s] = -1;
    for (int32_t k = 0; k < sim->awake.pair_count; ++k) {
        int32_t place = sim->contacts.memory[sim->awake.pair[k]].contact;
        AbutSolverContact *c = place >= 0 ? &sim->contacts.at[place] : NULL;
        int32_t shape = c ? listed_by(sim, c) : -1;
        if (shape < 0) continue;
        c->touch->seat_next = sim->contacts.seat_first[shape];
        sim->contacts.seat_first[shape] = place;
    }
    return edges;
}

/* Contact point in the world, and the normal towards the round body. */
static AbutVec3 place_of(const AbutSimulation *sim, const AbutSolverContact *c) {
    return abut_add(sim->mover[c->body_a].x, c->ra);
}

static AbutVec3 up_of(const AbutSolverContact *c) { return c->touch->seat_of_b ? c->nu : abut_neg(c->nu); }

/* Does the middle of a contact lie in the plane of another of the same shape? */
static int lies_in_plane(const AbutSimulation *sim, const AbutSolverContact *c, const AbutSolverContact *of) {
    double most = ABUT_JOINT_NEAR * (c->touch->margins + sim->constants.slop);
    return fabs(abut_dot(of->nu, abut_sub(c->rb, of->rb))) <= most;
}

/* Does the piece stand higher over the plane of another contact than a joint does, as the wall of a bin over its floor?
 */
static int is_wall(const AbutSimulation *sim, const AbutSolverContact *c, const AbutSolverContact *of) {
    const AbutShape *shape = &sim->scene->shape[c->touch->shape_a];
    AbutPose pose = abut_shape_pose(sim->scene, shape);
    AbutVec3 origin = abut_add(sim->mover[of->body_a].x, of->ra);
    const AbutPolyhedron *p =
        abut_shape_grid(shape) ? sim->shapes.grown.of_pair[c->touch->pair]->polyhedron : shape->polyhedron;
    if (!p) return 1; /* a half-space */
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    for (int32_t i = 0; i < p->vertex_count; ++i)
        if (abut_dot(of->nu, abut_sub(abut_pose_apply(pose, v[i]), origin)) >
            ABUT_JOINT_RISE * abut_contact_size(sim, c))
            return 1;
    return 0;
}

static int is_between_pieces(const AbutSimulation *sim, const AbutSolverContact *c) {
    for (int32_t k = sim->contacts.seat_first[c->touch->shape_b]; k >= 0; k = sim->contacts.touch[k].seat_next) {
        const AbutSolverContact *of = &sim->contacts.at[k];
        if (of->touch->alive && of->touch->area > c->touch->area && abut_dot(of->nu, c->nu) < ABUT_JOINT_TURNED &&
            lies_in_plane(sim, c, of) && !is_wall(sim, c, of))
            return 1;
    }
    return 0;
}

int abut_contact_on_seam(const AbutSimulation *sim, const AbutSolverContact *c) {
    if (is_on_piece(sim, c) && is_between_pieces(sim, c)) return 1;
    if (c->touch->seat != ABUT_SEAT_EDGE || c->touch->sensor) return 0;
    for (int32_t k = sim->contacts.seat_first[round_shape(c)]; k >= 0; k = sim->contacts.touch[k].seat_next) {
        const AbutSolverContact *flat = &sim->contacts.at[k];
        if (flat->touch->seat != ABUT_SEAT_FLAT) continue;
        AbutVec3 up = up_of(flat);
        double height = abut_dot(up, abut_sub(place_of(sim, c), place_of(sim, flat)));
        if (abut_dot(up, up_of(c)) > ABUT_SEAM_ALONG && height <= c->touch->margins + sim->constants.slop) return 1;
    }
    return 0;
}

/* ---- bend -------------------------------------------------------------------------------------------------------- */

/* Least gap at the end of the step as the vertices see it. */
static double expected_gap(const AbutSimulation *sim, const AbutSolverContact *c, double h) {
    const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    double u[6], least = INFINITY;
    abut_contact_relative(c, a->v, a->w, b->v, b->w, u);
    for (int i = 0; i < c->count; ++i) {
        const AbutSolverVertex *v = &c->point[i];
        least = abut_smaller(
            least, c->touch->margins - c->touch->vertex[i].thickness + h * (u[2] + u[3] * v->y - u[4] * v->x));
    }
    return least;
}

/* How far the bodies move against each other in a step, at most: as a whole, and where they touch, which may be far
 * from what they turn about. */
static double way_of(const AbutSimulation *sim, const AbutSolverContact *c, double size, double h) {
    const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    AbutVec3 va = abut_add(a->v, abut_cross(a->w, c->ra)), vb = abut_add(b->v, abut_cross(b->w, c->rb));
    double whole = abut_point_distance(a->v, b->v) + size * (abut_length(a->w) + abut_length(b->w));
    return h * abut_larger(whole, abut_point_distance(va, vb));
}

double abut_contact_bend_all(
    const AbutSimulation *sim, const AbutSolverContact *c, const AbutPatchPair *pair, AbutRoundHit *hit) {
    double h = sim->constants.dt, size = abut_smaller(pair->a->size, pair->b->size), way = way_of(sim, c, size, h);
    const AbutConvex *rolls = c->touch->seat_of_b ? &pair->b->body : &pair->a->body;
    if (!(way > ABUT_BEND_LEAST * size && way < ABUT_BEND_MOST * size) ||
        (c->touch->seat == ABUT_SEAT_FLAT && rolls->kind == ABUT_CONVEX_POINT)) /* a ball on a plane has none */
        return -INFINITY;
    const AbutShape *sa = &sim->scene->shape[c->touch->shape_a], *sb = &sim->scene->shape[c->touch->shape_b];
    AbutPatchPair next = *pair;
    next.b_in_a = abut_pose_between(
        abut_shape_pose_after(&sim->mover[c->body_a], sa, h), abut_shape_pose_after(&sim->mover[c->body_b], sb, h));
    next.last_normal = abut_mat3_apply_t(sa->local_rotation, c->touch->nu_a);
    if (abut_round_distance(&next, INFINITY, hit) <= 0 || !(abut_dot(hit->normal, next.last_normal) > ABUT_BEND_TURNED))
        return -INFINITY;
    return hit->distance - expected_gap(sim, c, h);
}

double abut_contact_bend(const AbutSimulation *sim, const AbutSolverContact *c, const AbutPatchPair *pair) {
    AbutRoundHit hit;
    double bend = abut_contact_bend_all(sim, c, pair, &hit);
    return bend > ABUT_BEND_LEAST * abut_smaller(pair->a->size, pair->b->size) ? bend : 0.0;
}
