/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What contacts of round bodies need beyond their patch: joints of a floor, and the bend of surfaces over a step.
 *
 * Joints: a ball that rolls over the joint of two boxes in one plane meets the edge of the second with a tilted normal
 * before it is over it. But a round body lies above the tangent plane of each of its contacts, so an edge or a corner
 * that is not above such a plane is not in its way: its contact is dropped. A step that stands higher than the margins
 * is never dropped.
 *
 * Bend: a vertex sees its tangent plane. A ball that rolls over a ball leaves that plane by v^2 h^2 / 2r in a step, and
 * would fly where it should roll. So both bodies are moved on by the step, the distance is asked again, and what it is
 * larger than the vertices expect is closed in the same step.
 */
#include "dynamics/mover.h"
#include "dynamics/tolerance.h"

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static int32_t round_shape(const AbutSolverContact *c)
{
    return c->seat_of_b ? c->shape_b : c->shape_a;
}

int abut_seams_begin(AbutSimulation *sim)
{
    int edges = 0;
    for (int32_t k = 0; k < sim->active_pair_count; ++k) {
        int32_t place = sim->memory[sim->active_pair[k]].contact;
        edges += place >= 0 && !sim->contact[place].sensor && sim->contact[place].seat == ABUT_SEAT_EDGE;
    }
    if (edges == 0)
        return 0;
    size_t shapes = (size_t)sim->scene->shape_places;
    if (!abut_grow((void **)&sim->seat_first, &sim->seat_first_capacity, shapes, sizeof *sim->seat_first))
        return -1;
    for (size_t s = 0; s < shapes; ++s)
        sim->seat_first[s] = -1;
    for (int32_t k = 0; k < sim->active_pair_count; ++k) {
        int32_t place = sim->memory[sim->active_pair[k]].contact;
        AbutSolverContact *c = place >= 0 ? &sim->contact[place] : NULL;
        if (!c || c->sensor || c->seat != ABUT_SEAT_FLAT || c->count == 0)
            continue;
        c->seat_next = sim->seat_first[round_shape(c)];
        sim->seat_first[round_shape(c)] = place;
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

int abut_contact_on_seam(const AbutSimulation *sim, const AbutSolverContact *c)
{
    if (c->seat != ABUT_SEAT_EDGE || c->sensor)
        return 0;
    for (int32_t k = sim->seat_first[round_shape(c)]; k >= 0; k = sim->contact[k].seat_next) {
        const AbutSolverContact *flat = &sim->contact[k];
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
    double u[6], least = INFINITY;
    abut_contact_velocity(sim, c, u);
    for (int i = 0; i < c->count; ++i) {
        const AbutSolverVertex *v = &c->point[i];
        least = abut_smaller(least, c->margins - v->thickness + h * (u[2] + u[3] * v->y - u[4] * v->x));
    }
    return least;
}

/* How far the bodies move against each other in a step, at most. */
static double way_of(const AbutSimulation *sim, const AbutSolverContact *c, double size, double h)
{
    const AbutMover *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    return h * (abut_distance(a->v, b->v) + size * (abut_length(a->w) + abut_length(b->w)));
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
    if (abut_round_distance(&next, INFINITY, &hit) <= 0)
        return 0.0;
    double bend = hit.distance - expected_gap(sim, c, h);
    return bend > ABUT_BEND_LEAST * size ? bend : 0.0;
}
