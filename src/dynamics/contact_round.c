/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What contacts of round bodies need beyond their patch: joints of a floor, and the bend of surfaces over a step.
 *
 * Joints: a ball that rolls over the joint of two boxes in one plane meets the edge of the second with a tilted normal
 * before it is over it. But a round body lies above the tangent plane of each of its contacts, so an edge or a corner
 * that is not above such a plane is not in its way: its contact is dropped. A step that stands higher than the margins
 * is never dropped. The same of polyhedra on a static body of several shapes, as the pieces of a height field: where
 * one enters the next piece, the overlap may be thinner along the way than it is high, and its normal that of a wall
 * which is not there. A contact all of which lies, within the margins, in the plane of a larger one of the same two
 * bodies is dropped.
 *
 * Bend: a vertex sees its tangent plane. A ball that rolls over a ball leaves that plane by v^2 h^2 / 2r in a step, and
 * would fly where it should roll. So both bodies are moved on by the step, the distance is asked again, and what it is
 * larger than the vertices expect is closed in the same step. Where the normal has turned far by then, a fast body is
 * past an edge or on the other side of a thin one, and no surface was followed: that is no bend.
 */
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static int32_t round_shape(const AbutSolverContact *c)
{
    return c->seat_of_b ? c->shape_b : c->shape_a;
}

/* Is A one of several shapes of a body that does not move, or a height field, and are both polyhedra? */
static int is_on_pieces(const AbutSimulation *sim, const AbutSolverContact *c)
{
    const AbutBody *body = &sim->scene->body[c->body_a];
    int several = body->first_shape != body->last_shape || abut_shape_grid(&sim->scene->shape[c->shape_a]);
    return body->inv_mass == 0.0 && several && !c->sensor && c->count > 0 &&
           !sim->shapes.grown.of_shape[c->shape_a]->round && !sim->shapes.grown.of_shape[c->shape_b]->round;
}

/* The shape by which contacts are listed that may tell a joint; -1: this one tells none. */
static int32_t listed_by(const AbutSimulation *sim, const AbutSolverContact *c)
{
    if (is_on_pieces(sim, c))
        return c->shape_b;
    return c->seat == ABUT_SEAT_FLAT && !c->sensor && c->count > 0 ? round_shape(c) : -1;
}

int abut_seams_begin(AbutSimulation *sim)
{
    int edges = 0;
    for (int32_t k = 0; k < sim->awake.pair_count; ++k) {
        int32_t place = sim->contacts.memory[sim->awake.pair[k]].contact;
        const AbutSolverContact *c = place >= 0 ? &sim->contacts.at[place] : NULL;
        edges += c && ((!c->sensor && c->seat == ABUT_SEAT_EDGE) || is_on_pieces(sim, c));
    }
    if (edges == 0)
        return 0;
    size_t shapes = (size_t)sim->scene->shape_places;
    if (!abut_grow((void **)&sim->contacts.seat_first, &sim->contacts.seat_first_capacity, shapes,
            sizeof *sim->contacts.seat_first))
        return -1;
    for (size_t s = 0; s < shapes; ++s)
        sim->contacts.seat_first[s] = -1;
    for (int32_t k = 0; k < sim->awake.pair_count; ++k) {
        int32_t place = sim->contacts.memory[sim->awake.pair[k]].contact;
        AbutSolverContact *c = place >= 0 ? &sim->contacts.at[place] : NULL;
        int32_t shape = c ? listed_by(sim, c) : -1;
        if (shape < 0)
            continue;
        c->seat_next = sim->contacts.seat_first[shape];
        sim->contacts.seat_first[shape] = place;
    }
    return edges;
}

/* Contact point in the world, and the normal towards the round body. */
static AbutVec3 place_of(const AbutSimulation *sim, const AbutSolverContact *c)
{
    return abut_add(sim->mover[c->body_a].x, c->ra);
}

static AbutVec3 up_of(const AbutSolverContact *c)
{
    return c->seat_of_b ? c->nu : abut_neg(c->nu);
}

/* Does all of a contact lie in the plane of another of the same bodies, within the margins? */
static int lies_in_plane(const AbutSimulation *sim, const AbutSolverContact *c, const AbutSolverContact *of)
{
    double most = c->margins + sim->constants.slop;
    for (int i = 0; i < c->count; ++i) {
        AbutVec3 at = abut_add_scaled(abut_add_scaled(c->ra, c->e1, c->point[i].x), c->e2, c->point[i].y);
        if (!(fabs(abut_dot(of->nu, abut_sub(at, of->ra))) <= most))
            return 0;
    }
    return 1;
}

/* Does the piece stand higher over the plane of another contact than a joint does, as the wall of a bin over its floor?
 */
static int is_wall(const AbutSimulation *sim, const AbutSolverContact *c, const AbutSolverContact *of)
{
    const AbutShape *shape = &sim->scene->shape[c->shape_a];
    AbutPose pose = abut_shape_pose(sim->scene, shape);
    AbutVec3 origin = abut_add(sim->mover[of->body_a].x, of->ra);
    const AbutPolyhedron *p =
        abut_shape_grid(shape) ? sim->shapes.grown.of_pair[c->pair]->polyhedron : shape->polyhedron;
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    for (int32_t i = 0; i < p->vertex_count; ++i)
        if (abut_dot(of->nu, abut_sub(abut_pose_apply(pose, v[i]), origin)) >
            ABUT_JOINT_RISE * abut_contact_size(sim, c))
            return 1;
    return 0;
}

static int is_between_pieces(const AbutSimulation *sim, const AbutSolverContact *c)
{
    for (int32_t k = sim->contacts.seat_first[c->shape_b]; k >= 0; k = sim->contacts.at[k].seat_next) {
        const AbutSolverContact *of = &sim->contacts.at[k];
        if (of->alive && of->body_a == c->body_a && of->area > c->area && abut_dot(of->nu, c->nu) < ABUT_JOINT_TURNED &&
            lies_in_plane(sim, c, of) && !is_wall(sim, c, of))
            return 1;
    }
    return 0;
}

int abut_contact_on_seam(const AbutSimulation *sim, const AbutSolverContact *c)
{
    if (is_on_pieces(sim, c))
        return is_between_pieces(sim, c);
    if (c->seat != ABUT_SEAT_EDGE || c->sensor)
        return 0;
    for (int32_t k = sim->contacts.seat_first[round_shape(c)]; k >= 0; k = sim->contacts.at[k].seat_next) {
        const AbutSolverContact *flat = &sim->contacts.at[k];
        AbutVec3 up = up_of(flat);
        double height = abut_dot(up, abut_sub(place_of(sim, c), place_of(sim, flat)));
        if (abut_dot(up, up_of(c)) > ABUT_SEAM_ALONG && height <= c->margins + sim->constants.slop)
            return 1;
    }
    return 0;
}

/* ---- bend -------------------------------------------------------------------------------------------------------- */

/* Least gap at the end of the step as the vertices see it. */
static double expected_gap(const AbutSimulation *sim, const AbutSolverContact *c, double h)
{
    const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    double u[6], least = INFINITY;
    abut_contact_relative(c, a->v, a->w, b->v, b->w, u);
    for (int i = 0; i < c->count; ++i) {
        const AbutSolverVertex *v = &c->point[i];
        least = abut_smaller(least, c->margins - v->thickness + h * (u[2] + u[3] * v->y - u[4] * v->x));
    }
    return least;
}

/* How far the bodies move against each other in a step, at most: as a whole, and where they touch, which may be far
 * from what they turn about. */
static double way_of(const AbutSimulation *sim, const AbutSolverContact *c, double size, double h)
{
    const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    AbutVec3 va = abut_add(a->v, abut_cross(a->w, c->ra)), vb = abut_add(b->v, abut_cross(b->w, c->rb));
    double whole = abut_point_distance(a->v, b->v) + size * (abut_length(a->w) + abut_length(b->w));
    return h * abut_larger(whole, abut_point_distance(va, vb));
}

double abut_contact_bend(const AbutSimulation *sim, const AbutSolverContact *c, const AbutPatchPair *pair)
{
    double h = sim->constants.dt, size = abut_smaller(pair->a->size, pair->b->size), way = way_of(sim, c, size, h);
    const AbutConvex *rolls = c->seat_of_b ? &pair->b->body : &pair->a->body;
    if (!(way > ABUT_BEND_LEAST * size && way < ABUT_BEND_MOST * size) ||
        (c->seat == ABUT_SEAT_FLAT && rolls->kind == ABUT_CONVEX_POINT)) /* a ball on a plane has none */
        return 0.0;
    const AbutShape *sa = &sim->scene->shape[c->shape_a], *sb = &sim->scene->shape[c->shape_b];
    AbutPatchPair next = *pair;
    AbutRoundHit hit;
    next.b_in_a = abut_pose_between(
        abut_shape_pose_after(&sim->mover[c->body_a], sa, h), abut_shape_pose_after(&sim->mover[c->body_b], sb, h));
    next.last_normal = abut_mat3_apply_t(sa->local_rotation, c->nu_a);
    if (abut_round_distance(&next, INFINITY, &hit) <= 0 || !(abut_dot(hit.normal, next.last_normal) > ABUT_BEND_TURNED))
        return 0.0;
    double bend = hit.distance - expected_gap(sim, c, h);
    return bend > ABUT_BEND_LEAST * size ? bend : 0.0;
}
