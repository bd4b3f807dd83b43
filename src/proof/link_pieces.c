/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The convex pieces of all links. In: the shapes of the robot's model and of the obstacles. Out: the exact bodies that
 * the shapes describe (round ones are not replaced by polyhedra, height fields become their convex pieces), or the
 * capsules around those of the robot, with a ball and a capsule around each.
 */
#include "math/matrix.h"
#include "proof/problem.h"

#include <string.h>

AbutConvex abut_plan_exact_convex(const AbutGeometry *g) {
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

/* The capsule of a radius about the line through `at`, with points whose distance from that is not beyond the radius.
 */
static AbutCapsule about(const AbutVec3 *points, int count, AbutVec3 at, AbutVec3 axis, double radius) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; ++i) {
        AbutVec3 d = abut_sub(points[i], at);
        double along = abut_dot(axis, d);
        double cap = sqrt(fmax(radius * radius - abut_length_sq(abut_cross(axis, d)), 0.0));
        low = fmin(low, along + cap);
        high = fmax(high, along - cap);
    }
    if (low > high) low = high = 0.5 * (low + high);
    return (AbutCapsule){abut_add_scaled(at, axis, low), abut_add_scaled(at, axis, high), radius};
}

/* A small capsule around points of the shape frame, about the axis along which they are spread. */
static AbutCapsule around(const AbutVec3 *points, int count) {
    static const double RADII[6] = {1.0 + 1e-12, 1.03, 1.08, 1.16, 1.3, 1.5};
    AbutMat3 sum = {abut_zero(), abut_zero(), abut_zero()};
    AbutVec3 mean = abut_bounding_sphere(points, count).center;
    AbutCapsule best = {mean, mean, INFINITY};
    double wide = 0.0, least = INFINITY;
    for (int i = 0; i < count; ++i) {
        AbutVec3 d = abut_sub(points[i], mean);
        sum.x = abut_add_scaled(sum.x, d, d.x);
        sum.y = abut_add_scaled(sum.y, d, d.y);
        sum.z = abut_add_scaled(sum.z, d, d.z);
    }
    AbutVec3 axis = abut_mat3_eigen_symmetric(sum, NULL).z;
    for (int i = 0; i < count; ++i) wide = fmax(wide, abut_length(abut_cross(axis, abut_sub(points[i], mean))));
    for (int i = 0; i < 6; ++i) {
        AbutCapsule c = about(points, count, mean, axis, wide * RADII[i]);
        double volume = c.radius * c.radius * (abut_point_distance(c.a, c.b) + 4.0 / 3.0 * c.radius);
        if (volume < least) {
            least = volume;
            best = c;
        }
    }
    return best;
}

/* The least capsule around points: where it is to stand for them. */
static AbutCapsule least_around(const AbutVec3 *points, int count) {
    AbutCapsule out;
    if (abut_capsule_around(points, count, &out, NULL) != ABUT_OK) {
        AbutSphere ball = abut_bounding_sphere(points, count);
        out = (AbutCapsule){ball.center, ball.center, ball.radius};
    }
    return out;
}

static AbutCapsule capsule_of(const AbutGeometry *g, const AbutPolyhedron *polyhedron, int32_t least) {
    AbutVec3 corner[8], end = abut_vec3(0.0, 0.0, g->size.z);
    switch (g->kind) {
    case ABUT_SHAPE_SPHERE:
        return (AbutCapsule){abut_zero(), abut_zero(), g->size.x};
    case ABUT_SHAPE_CAPSULE:
    case ABUT_SHAPE_CYLINDER:
        return (AbutCapsule){abut_neg(end), end, g->size.x};
    case ABUT_SHAPE_POLYHEDRON:
    case ABUT_SHAPE_HEIGHT_FIELD:
        return (polyhedron->vertex_count <= least ? least_around : around)(
            abut_polyhedron_vertices(polyhedron), polyhedron->vertex_count);
    default:
        for (int i = 0; i < 8; ++i)
            corner[i] = abut_vec3(
                (i & 1) ? g->size.x : -g->size.x, (i & 2) ? g->size.y : -g->size.y, (i & 4) ? g->size.z : -g->size.z);
        return (8 <= least ? least_around : around)(corner, 8);
    }
}

/* The smaller of the ball around the capsule and that of the polyhedron; widened by what rounding may take away. */
static void set_bounds(AbutPlanPiece *piece, const AbutGeometry *g, int32_t least) {
    const AbutPolyhedron *polyhedron = piece->convex.polyhedron; /* a piece of a height field, or the shape */
    AbutCapsule hull = capsule_of(g, polyhedron, least);
    AbutSphere ball = {abut_lerp(hull.a, hull.b, 0.5), 0.5 * abut_point_distance(hull.a, hull.b) + hull.radius};
    if (polyhedron && polyhedron->bound.radius < ball.radius) ball = polyhedron->bound;
    double wider = 1e-12 * (ball.radius + abut_length(ball.center) + abut_length(piece->pose.p));
    piece->hull =
        (AbutCapsule){abut_pose_apply(piece->pose, hull.a), abut_pose_apply(piece->pose, hull.b), hull.radius + wider};
    piece->ball = (AbutSphere){abut_pose_apply(piece->pose, ball.center), ball.radius + wider};
}

/* Obstacles stand where their model says; links of it hang on what they hang on. */
AbutPose abut_plan_standing(const AbutModel *model, int32_t body) {
    AbutPose pose = model->bodies[body].pose;
    for (int32_t up = model->bodies[body].parent; up >= 0; up = model->bodies[up].parent)
        pose = abut_pose_mul(model->bodies[up].pose, pose);
    return pose;
}

/* All lengths that are added up: rounding is off in proportion to them. */
static double reach_of(const AbutPlanProblem *problem) {
    double sum = 1e-3, far = 0.0;
    for (int32_t i = 0; i < problem->tree.node_count; ++i)
        sum += abut_length(problem->tree.nodes[i].before.p) + abut_length(problem->tree.nodes[i].after.p);
    for (int32_t i = 0; i < problem->piece_count; ++i)
        if (!problem->pieces[i].flat)
            far = fmax(far, abut_length(problem->pieces[i].ball.center) + problem->pieces[i].ball.radius);
    return sum + far;
}

/* The capsule around a piece instead of it, with the radius that the caller wants for its link. */
static void make_capsule(AbutPlanPiece *piece, const double *radii) {
    if (piece->flat) return;
    if (radii && radii[piece->link] > 0.0) piece->hull.radius = radii[piece->link];
    piece->pose = abut_pose_identity();
    piece->convex = abut_convex_segment(piece->hull.a, piece->hull.b, piece->hull.radius);
    piece->ball = (AbutSphere){
        abut_lerp(piece->hull.a, piece->hull.b, 0.5), 0.5 * abut_point_distance(piece->hull.a, piece->hull.b)};
    piece->ball.radius = (piece->ball.radius + piece->hull.radius) * (1.0 + 1e-12);
}

/* Does shape number i of the obstacles stand for a mesh? */
static int stands_in(const AbutPlanDef *def, int32_t i) {
    for (int32_t k = 0; k < def->mesh_count; ++k)
        if (i >= def->meshes[k].shape && i - def->meshes[k].shape < def->meshes[k].shape_count) return 1;
    return 0;
}

/* ---- list -------------------------------------------------------------------------------------------------------- */

enum { MOST_PIECES = 500000 }; /* of height fields */
enum { FEW_CORNERS = 16 };     /* of bodies whose least capsule is found soon */

typedef struct Adding {
    AbutPlanProblem *problem;
    const AbutShapeDef *shape;
    int32_t link, node, stand_in;
    AbutPose outer;
    int32_t least; /* its capsule is the least one where it has at most so many corners */
} Adding;

/* NULL: the shape itself; else a piece of the height field that it is. */
static AbutPlanPiece make_piece(const Adding *a, const AbutPolyhedron *part) {
    const AbutShapeDef *shape = a->shape;
    AbutPlanPiece piece = {
        .link = a->link, .node = a->node, .stand_in = a->stand_in, .pose = abut_pose_mul(a->outer, shape->pose)};
    piece.category = shape->category;
    piece.mask = shape->mask;
    piece.flat = shape->geometry->kind == ABUT_SHAPE_HALF_SPACE;
    piece.convex = part ? abut_convex_polyhedron(part, 0.0) : abut_plan_exact_convex(shape->geometry);
    if (!piece.flat) set_bounds(&piece, shape->geometry, a->least);
    return piece;
}

static AbutStatus add_piece(const Adding *a, const AbutPolyhedron *part, AbutError *error) {
    AbutPlanProblem *p = a->problem;
    if (!abut_grow((void **)&p->pieces, &p->piece_capacity, (size_t)p->piece_count + 1, sizeof *p->pieces))
        return abut_fail_memory(error);
    p->pieces[p->piece_count++] = make_piece(a, part);
    return ABUT_OK;
}

/* A piece of a height field, copied. */
static AbutStatus add_part(const AbutPolyhedron *part, void *user, AbutError *error) {
    const Adding *a = user;
    AbutPlanProblem *p = a->problem;
    if (p->made_count == MOST_PIECES)
        return abut_fail(error, ABUT_ERROR_LIMIT, "expected height fields of at most %d pieces", MOST_PIECES);
    AbutPolyhedron *copy = abut_grow((void **)&p->made, &p->made_capacity, (size_t)p->made_count + 1, sizeof *p->made)
                               ? abut_alloc((size_t)part->bytes)
                               : NULL;
    if (!copy) return abut_fail_memory(error);
    memcpy(copy, part, (size_t)part->bytes);
    p->made[p->made_count++] = copy;
    return add_piece(a, copy, error);
}

static AbutStatus add_shape(const Adding *a, AbutError *error) {
    if (a->shape->visual) return ABUT_OK;
    const AbutHeightField *field = a->shape->geometry->field;
    return field ? abut_height_field_pieces(field, add_part, (void *)(uintptr_t)a, error) : add_piece(a, NULL, error);
}

/* Brings pieces from number `first` on into the order of their links, and lists where those of each link begin. */
static AbutStatus sort_pieces(AbutPlanProblem *problem, int32_t first, AbutError *error) {
    int32_t links = abut_plan_link_count(problem), count = problem->piece_count - first;
    size_t bytes = (size_t)count * sizeof *problem->pieces;
    AbutPlanPiece *copy = abut_alloc(bytes + 1);
    int32_t *start = problem->piece_start = abut_alloc_array((size_t)links + 2, sizeof *start);
    if (!copy || !start) {
        abut_free(copy);
        return abut_fail_memory(error);
    }
    memset(start, 0, ((size_t)links + 2) * sizeof *start);
    for (int32_t i = 0; i < problem->piece_count; ++i) ++start[problem->pieces[i].link + 2];
    for (int32_t i = 0; i < links; ++i) start[i + 2] += start[i + 1];
    if (count > 0) memcpy(copy, problem->pieces + first, bytes);
    for (int32_t i = 0; i < first; ++i) ++start[problem->pieces[i].link + 1];
    for (int32_t i = 0; i < count; ++i) problem->pieces[start[copy[i].link + 1]++] = copy[i];
    abut_free(copy);
    return ABUT_OK;
}

void abut_plan_set_slack(AbutPlanProblem *problem) {
    problem->reach = reach_of(problem);
    problem->slack = 1e-10 * problem->reach;
}

AbutStatus abut_plan_pieces_make(AbutPlanProblem *robot, const AbutPlanDef *def, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < robot->model->shape_count && status == ABUT_OK; ++i) {
        const AbutShapeDef *shape = &robot->model->shapes[i];
        Adding a = {robot, shape, shape->body, robot->tree.body_node[shape->body], 0, abut_pose_identity(),
            def->capsules ? INT32_MAX : FEW_CORNERS};
        status = add_shape(&a, error);
    }
    for (int32_t i = 0; def->capsules && i < robot->piece_count; ++i) make_capsule(&robot->pieces[i], def->radii);
    abut_plan_set_slack(robot);
    return status ? status : sort_pieces(robot, 0, error);
}

AbutStatus abut_plan_obstacle_pieces_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error) {
    const AbutModel *obstacles = problem->obstacles;
    int32_t own = problem->piece_count;
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; obstacles && i < obstacles->shape_count && status == ABUT_OK; ++i) {
        const AbutShapeDef *shape = &obstacles->shapes[i];
        Adding a = {problem, shape, problem->model->body_count + shape->body, -1, stands_in(def, i),
            abut_plan_standing(obstacles, shape->body), 0};
        status = add_shape(&a, error);
    }
    abut_plan_set_slack(problem);
    return status ? status : sort_pieces(problem, own, error);
}
