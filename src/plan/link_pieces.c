/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The convex pieces of all links. In: the shapes of the robot's model and of the obstacles. Out: the exact bodies that
 * the shapes describe (round ones are not replaced by polyhedra, height fields become their convex pieces), or the
 * capsules around those of the robot, with a ball and a capsule around each.
 */
#include "plan/problem.h"

#include <string.h>

AbutConvex abut_plan_exact_convex(const AbutGeometry *g)
{
    AbutVec3 end = abut_vec3(0.0, 0.0, g->size.z);
    switch (g->kind) {
    case ABUT_SHAPE_BOX:
        return abut_convex_box(g->size, 0.0);
    case ABUT_SHAPE_SPHERE:
        return abut_convex_point(abut_zero(), g->size.x);
    case ABUT_SHAPE_CAPSULE:
        return abut_convex_segment(abut_neg(end), end, g->size.x);
    case ABUT_SHAPE_CYLINDER:
        return abut_convex_cylinder(g->size.x, g->size.z, 0.0);
    case ABUT_SHAPE_ELLIPSOID:
        return abut_convex_ellipsoid(g->size, 0.0);
    default:
        return abut_geometry_convex(g);
    }
}

/* Around points of the shape frame. */
static AbutCapsule around(const AbutVec3 *points, int count)
{
    AbutCapsule out;
    if (abut_capsule_around(points, count, &out, NULL) != ABUT_OK) {
        AbutSphere ball = abut_bounding_sphere(points, count);
        out = (AbutCapsule){ball.center, ball.center, ball.radius};
    }
    return out;
}

static AbutCapsule capsule_of(const AbutGeometry *g, const AbutPolyhedron *polyhedron)
{
    AbutVec3 corner[8], end = abut_vec3(0.0, 0.0, g->size.z);
    switch (g->kind) {
    case ABUT_SHAPE_SPHERE:
        return (AbutCapsule){abut_zero(), abut_zero(), g->size.x};
    case ABUT_SHAPE_CAPSULE:
    case ABUT_SHAPE_CYLINDER:
        return (AbutCapsule){abut_neg(end), end, g->size.x};
    case ABUT_SHAPE_POLYHEDRON:
    case ABUT_SHAPE_HEIGHT_FIELD:
        return around(abut_polyhedron_vertices(polyhedron), polyhedron->vertex_count);
    default:
        for (int i = 0; i < 8; ++i)
            corner[i] = abut_vec3(
                (i & 1) ? g->size.x : -g->size.x, (i & 2) ? g->size.y : -g->size.y, (i & 4) ? g->size.z : -g->size.z);
        return around(corner, 8);
    }
}

/* The smaller of the ball around the capsule and that of the polyhedron; widened by what rounding may take away. */
static void set_bounds(AbutPlanPiece *piece, const AbutGeometry *g)
{
    const AbutPolyhedron *polyhedron = piece->convex.polyhedron; /* a piece of a height field, or the shape */
    AbutCapsule hull = capsule_of(g, polyhedron);
    AbutSphere ball = {abut_lerp(hull.a, hull.b, 0.5), 0.5 * abut_point_distance(hull.a, hull.b) + hull.radius};
    if (polyhedron && polyhedron->bound.radius < ball.radius)
        ball = polyhedron->bound;
    double wider = 1e-12 * (ball.radius + abut_length(ball.center) + abut_length(piece->pose.p));
    piece->hull =
        (AbutCapsule){abut_pose_apply(piece->pose, hull.a), abut_pose_apply(piece->pose, hull.b), hull.radius + wider};
    piece->ball = (AbutSphere){abut_pose_apply(piece->pose, ball.center), ball.radius + wider};
}

/* NULL: the shape itself; else a piece of the height field that it is. */
static AbutPlanPiece make_piece(
    const AbutShapeDef *shape, int32_t link, int32_t node, AbutPose outer, const AbutPolyhedron *part)
{
    AbutPlanPiece piece = {.link = link, .node = node, .pose = abut_pose_mul(outer, shape->pose)};
    piece.category = shape->category;
    piece.mask = shape->mask;
    piece.flat = shape->geometry->kind == ABUT_SHAPE_HALF_SPACE;
    piece.convex = part ? abut_convex_polyhedron(part, 0.0) : abut_plan_exact_convex(shape->geometry);
    if (!piece.flat)
        set_bounds(&piece, shape->geometry);
    return piece;
}

/* Obstacles stand where their model says; links of it hang on what they hang on. */
AbutPose abut_plan_standing(const AbutModel *model, int32_t body)
{
    AbutPose pose = model->bodies[body].pose;
    for (int32_t up = model->bodies[body].parent; up >= 0; up = model->bodies[up].parent)
        pose = abut_pose_mul(model->bodies[up].pose, pose);
    return pose;
}

/* All lengths that are added up: rounding is off in proportion to them. */
static double reach_of(const AbutPlanProblem *problem)
{
    double sum = 1e-3, far = 0.0;
    for (int32_t i = 0; i < problem->tree.node_count; ++i)
        sum += abut_length(problem->tree.nodes[i].before.p) + abut_length(problem->tree.nodes[i].after.p);
    for (int32_t i = 0; i < problem->piece_count; ++i)
        if (!problem->pieces[i].flat)
            far = fmax(far, abut_length(problem->pieces[i].ball.center) + problem->pieces[i].ball.radius);
    return sum + far;
}

/* The capsule around a piece instead of it, with the radius that the caller wants for its link. */
static void make_capsule(AbutPlanPiece *piece, const double *radii)
{
    if (piece->flat)
        return;
    if (radii && radii[piece->link] > 0.0)
        piece->hull.radius = radii[piece->link];
    piece->pose = abut_pose_identity();
    piece->convex = abut_convex_segment(piece->hull.a, piece->hull.b, piece->hull.radius);
    piece->ball = (AbutSphere){
        abut_lerp(piece->hull.a, piece->hull.b, 0.5), 0.5 * abut_point_distance(piece->hull.a, piece->hull.b)};
    piece->ball.radius = (piece->ball.radius + piece->hull.radius) * (1.0 + 1e-12);
}

/* Does shape number i of the obstacles stand for a mesh? */
static int stands_in(const AbutPlanDef *def, int32_t i)
{
    for (int32_t k = 0; k < def->mesh_count; ++k)
        if (i >= def->meshes[k].shape && i - def->meshes[k].shape < def->meshes[k].shape_count)
            return 1;
    return 0;
}

/* ---- list -------------------------------------------------------------------------------------------------------- */

enum { MOST_PIECES = 500000 }; /* of height fields */

typedef struct Adding {
    AbutPlanProblem *problem;
    const AbutShapeDef *shape;
    int32_t link, node, stand_in;
    AbutPose outer;
} Adding;

static AbutStatus add_piece(const Adding *a, const AbutPolyhedron *part, AbutError *error)
{
    AbutPlanProblem *p = a->problem;
    if (!abut_grow((void **)&p->pieces, &p->piece_capacity, (size_t)p->piece_count + 1, sizeof *p->pieces))
        return abut_fail_memory(error);
    p->pieces[p->piece_count] = make_piece(a->shape, a->link, a->node, a->outer, part);
    p->pieces[p->piece_count++].stand_in = a->stand_in;
    return ABUT_OK;
}

/* A piece of a height field, copied. */
static AbutStatus add_part(const AbutPolyhedron *part, void *user, AbutError *error)
{
    const Adding *a = user;
    AbutPlanProblem *p = a->problem;
    if (p->made_count == MOST_PIECES)
        return abut_fail(error, ABUT_ERROR_LIMIT, "height fields of at most %d pieces expected", MOST_PIECES);
    AbutPolyhedron *copy = abut_grow((void **)&p->made, &p->made_capacity, (size_t)p->made_count + 1, sizeof *p->made)
                               ? abut_alloc((size_t)part->bytes)
                               : NULL;
    if (!copy)
        return abut_fail_memory(error);
    memcpy(copy, part, (size_t)part->bytes);
    p->made[p->made_count++] = copy;
    return add_piece(a, copy, error);
}

static AbutStatus add_shape(const Adding *a, AbutError *error)
{
    if (a->shape->visual)
        return ABUT_OK;
    const AbutHeightField *field = a->shape->geometry->field;
    return field ? abut_height_field_pieces(field, add_part, (void *)(uintptr_t)a, error) : add_piece(a, NULL, error);
}

AbutStatus abut_plan_pieces_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error)
{
    const AbutModel *model = problem->model, *obstacles = problem->obstacles;
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < model->shape_count && status == ABUT_OK; ++i) {
        const AbutShapeDef *shape = &model->shapes[i];
        Adding a = {problem, shape, shape->body, problem->tree.body_node[shape->body], 0, abut_pose_identity()};
        status = add_shape(&a, error);
    }
    for (int32_t i = 0; def->capsules && i < problem->piece_count; ++i)
        make_capsule(&problem->pieces[i], def->radii);
    for (int32_t i = 0; obstacles && i < obstacles->shape_count && status == ABUT_OK; ++i) {
        const AbutShapeDef *shape = &obstacles->shapes[i];
        Adding a = {problem, shape, model->body_count + shape->body, -1, stands_in(def, i),
            abut_plan_standing(obstacles, shape->body)};
        status = add_shape(&a, error);
    }
    problem->reach = reach_of(problem);
    problem->slack = 1e-10 * problem->reach;
    return status;
}
