/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The convex pieces of all links. In: the shapes of the robot's model and of the obstacles. Out: the exact bodies that
 * the shapes describe (round ones are not replaced by polyhedra), or the capsules around those of the robot, with a
 * ball and a capsule around each.
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

static AbutCapsule capsule_of(const AbutGeometry *g)
{
    AbutVec3 corner[8], end = abut_vec3(0.0, 0.0, g->size.z);
    switch (g->kind) {
    case ABUT_SHAPE_SPHERE:
        return (AbutCapsule){abut_zero(), abut_zero(), g->size.x};
    case ABUT_SHAPE_CAPSULE:
    case ABUT_SHAPE_CYLINDER:
        return (AbutCapsule){abut_neg(end), end, g->size.x};
    case ABUT_SHAPE_POLYHEDRON:
        return around(abut_polyhedron_vertices(g->polyhedron), g->polyhedron->vertex_count);
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
    AbutCapsule hull = capsule_of(g);
    AbutSphere ball = {abut_lerp(hull.a, hull.b, 0.5), 0.5 * abut_distance(hull.a, hull.b) + hull.radius};
    if (g->kind == ABUT_SHAPE_POLYHEDRON && g->polyhedron->bound.radius < ball.radius)
        ball = g->polyhedron->bound;
    double wider = 1e-12 * (ball.radius + abut_length(ball.center) + abut_length(piece->pose.p));
    piece->hull =
        (AbutCapsule){abut_pose_apply(piece->pose, hull.a), abut_pose_apply(piece->pose, hull.b), hull.radius + wider};
    piece->ball = (AbutSphere){abut_pose_apply(piece->pose, ball.center), ball.radius + wider};
}

static AbutPlanPiece make_piece(const AbutShapeDef *shape, int32_t link, int32_t node, AbutPose outer)
{
    AbutPlanPiece piece = {.link = link, .node = node, .pose = abut_pose_mul(outer, shape->pose)};
    piece.category = shape->category;
    piece.mask = shape->mask;
    piece.flat = shape->geometry->kind == ABUT_SHAPE_HALF_SPACE;
    piece.convex = abut_plan_exact_convex(shape->geometry);
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

/* How far rounding may be off: in proportion to all lengths that are added up. */
static double slack_of(const AbutPlanProblem *problem)
{
    double sum = 1e-3, far = 0.0;
    for (int32_t i = 0; i < problem->tree.node_count; ++i)
        sum += abut_length(problem->tree.nodes[i].before.p) + abut_length(problem->tree.nodes[i].after.p);
    for (int32_t i = 0; i < problem->piece_count; ++i)
        if (!problem->pieces[i].flat)
            far = fmax(far, abut_length(problem->pieces[i].ball.center) + problem->pieces[i].ball.radius);
    return 1e-10 * (sum + far);
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
    piece->ball =
        (AbutSphere){abut_lerp(piece->hull.a, piece->hull.b, 0.5), 0.5 * abut_distance(piece->hull.a, piece->hull.b)};
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

AbutStatus abut_plan_pieces_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error)
{
    const AbutModel *model = problem->model, *obstacles = problem->obstacles;
    size_t most = (size_t)model->shape_count + (size_t)(obstacles ? obstacles->shape_count : 0);
    problem->pieces = abut_alloc_array(most + 1, sizeof *problem->pieces);
    if (!problem->pieces)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %zu shapes", most);
    for (int32_t i = 0; i < model->shape_count; ++i) {
        const AbutShapeDef *shape = &model->shapes[i];
        if (!shape->visual)
            problem->pieces[problem->piece_count++] =
                make_piece(shape, shape->body, problem->tree.body_node[shape->body], abut_pose_identity());
    }
    for (int32_t i = 0; def->capsules && i < problem->piece_count; ++i)
        make_capsule(&problem->pieces[i], def->radii);
    for (int32_t i = 0; obstacles && i < obstacles->shape_count; ++i) {
        const AbutShapeDef *shape = &obstacles->shapes[i];
        if (shape->visual)
            continue;
        AbutPlanPiece *piece = &problem->pieces[problem->piece_count++];
        *piece = make_piece(shape, model->body_count + shape->body, -1, abut_plan_standing(obstacles, shape->body));
        piece->stand_in = stands_in(def, i);
    }
    problem->slack = slack_of(problem);
    return ABUT_OK;
}
