/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Obstacles as triangles. In: a convex piece of a link, a mesh that stands, an interval of time. Out: whether the piece
 * keeps farther than a level from every triangle at all times of it. Method: the bound of certificate_bound.c, whose
 * second body is a box of the tree of the mesh instead of a triangle. A box that the bound does not part from the piece
 * is opened where it may be touched in the middle of the interval, or is large against what the motion takes from the
 * bound; else the interval is too long. Single triangles are measured, and bounded with their own normal.
 *
 * Triangles have no inside: a piece that is outside of a closed mesh at one time, and never touches its surface, stays
 * outside. Frame: that of the mesh.
 */
#include "abut/mesh.h"
#include "mesh/kernels.h"
#include "proof/certify.h"
#include "shape/mesh_tree.h"

enum { STACK = 128 };

/* Boxes are held as float, of coordinates up to 1. */
static const double SPARE = 1e-6;

AbutStatus abut_plan_surfaces_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error) {
    problem->surfaces = abut_alloc_array((size_t)def->mesh_count + 1, sizeof *problem->surfaces);
    if (!problem->surfaces) return abut_fail_memory(error);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        const AbutPlanMesh *mesh = &def->meshes[i];
        AbutPose pose = abut_pose_mul(abut_plan_standing(problem->obstacles, mesh->body), mesh->pose);
        if (mesh->tree->triangle_count > 0)
            problem->surfaces[problem->surface_count++] = (AbutPlanSurface){
                mesh->tree, pose, mesh->pose, problem->model->body_count + mesh->body, mesh->shape_count > 0};
    }
    return ABUT_OK;
}

static AbutPose piece_in_mesh(const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanPosture *at) {
    AbutPose piece = abut_plan_piece_pose(&problem->pieces[facing->piece], at);
    return abut_pose_between(problem->surfaces[facing->surface].pose, piece);
}

AbutPlanDistance abut_plan_facing_distance(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanPosture *at) {
    const AbutPlanSurface *surface = &problem->surfaces[facing->surface];
    AbutGap d = abut_mesh_convex_distance(
        surface->tree, &problem->pieces[facing->piece].convex, piece_in_mesh(problem, facing, at), NULL, NULL);
    if (d.outcome == ABUT_INVALID) return (AbutPlanDistance){NAN, INFINITY, abut_axis(2), abut_zero(), abut_zero()};
    return (AbutPlanDistance){d.distance, d.error, abut_quat_rotate(surface->pose.q, d.normal),
        abut_pose_apply(surface->pose, d.point_b), abut_pose_apply(surface->pose, d.point_a)};
}

int abut_plan_facing_is_inside(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanPosture *at) {
    const AbutPlanPiece *piece = &problem->pieces[facing->piece];
    AbutVec3 p = abut_convex_farthest(&piece->convex, abut_axis(0));
    return !piece->flat && abut_mesh_inside(problem->surfaces[facing->surface].tree,
                               abut_pose_apply(piece_in_mesh(problem, facing, at), p)) == 1;
}

/* ---- a piece that moves ------------------------------------------------------------------------------------------ */

typedef struct Walk {
    const AbutMeshTree *tree;
    const AbutConvex *body;
    AbutPose pose;       /* of the body */
    AbutCapsule around;  /* it */
    AbutPlanTwist twist; /* velocity of its points in the middle */
    double h, fall;      /* half width; what accelerations and rounding may take away */
    double level, spare; /* spare: what rounding takes from boxes */
    AbutPlanFaced answer;
} Walk;

static Walk start_walk(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanMoment *m, double level) {
    const AbutPlanSurface *surface = &problem->surfaces[facing->surface];
    const AbutPlanPiece *piece = &problem->pieces[facing->piece];
    AbutPlanTwist twist = abut_plan_twist(problem, m, facing->joints, facing->count);
    double bend = abut_plan_piece_bend(problem, m, piece, facing->joints, facing->count);
    double far = surface->tree->radius + abut_length(surface->tree->center) + abut_length(surface->pose.p);
    Walk w = {.tree = surface->tree,
        .body = &piece->convex,
        .pose = piece_in_mesh(problem, facing, &m->at),
        .around = {abut_pose_apply_inv(surface->pose, abut_plan_piece_point(piece, &m->at, piece->hull.a)),
            abut_pose_apply_inv(surface->pose, abut_plan_piece_point(piece, &m->at, piece->hull.b)),
            piece->hull.radius},
        .h = m->h,
        .fall = 0.5 * bend * m->h * m->h + m->slack + 1e-10 * far,
        .level = level,
        .spare = SPARE * surface->tree->unit,
        .answer = {.status = ABUT_CERTIFICATE_CLEAR, .lb = INFINITY, .ub = INFINITY}};
    w.twist.turn = abut_quat_rotate_inv(surface->pose.q, twist.turn);
    w.twist.shift =
        abut_quat_rotate_inv(surface->pose.q, abut_add(abut_cross(twist.turn, surface->pose.p), twist.shift));
    return w;
}

/* The least d.p over the points of the body, or of the capsule around it. */
static double least_along(const Walk *w, AbutVec3 d, int exact) {
    if (!exact)
        return abut_smaller(abut_dot(d, w->around.a), abut_dot(d, w->around.b)) - w->around.radius * abut_length(d);
    AbutVec3 local = abut_quat_rotate_inv(w->pose.q, abut_neg(d));
    return abut_dot(d, w->pose.p) - abut_dot(local, abut_convex_farthest(w->body, local)) -
           w->body->radius * abut_length(d);
}

/* What n.p of its points does not fall below in the interval. */
static double low_over(const Walk *w, AbutVec3 n, int exact) {
    AbutVec3 g = abut_cross(n, w->twist.turn);
    double k = w->h * abut_dot(n, w->twist.shift);
    double before = least_along(w, abut_add_scaled(n, g, -w->h), exact) - k;
    double after = least_along(w, abut_add_scaled(n, g, w->h), exact) + k;
    return abut_smaller(before, after) - w->fall;
}

/* From a place to the nearest point of the axis of the capsule. */
static AbutVec3 way_from(const Walk *w, AbutVec3 place) {
    AbutVec3 along = abut_sub(w->around.b, w->around.a), to = abut_sub(place, w->around.a);
    double square = abut_length_sq(along), x = square > 0.0 ? abut_dot(to, along) / square : 0.0;
    x = abut_larger(0.0, abut_smaller(1.0, x));
    return abut_sub(abut_add_scaled(w->around.a, along, x), place);
}

/* ---- boxes of triangles ------------------------------------------------------------------------------------------ */

typedef struct Box {
    AbutVec3 center, axis[3]; /* half axes */
    AbutVec3 normal;          /* zero: none; else normal.x of its points lies in offset -+ half */
    double offset, half;
} Box;

static AbutVec3 lane(const float v[3][8], int i, double unit) {
    return abut_vec3(unit * (double)v[0][i], unit * (double)v[1][i], unit * (double)v[2][i]);
}

static Box child_box(const AbutMeshTree *t, const AbutTreeInner *node, int i) {
    Box box = {.center = abut_add(t->center, lane(node->c, i, t->unit)), .normal = lane(node->normal, i, 1.0)};
    for (int k = 0; k < 3; ++k) box.axis[k] = lane(node->a[k], i, t->unit);
    box.offset = abut_dot(box.normal, t->center) + t->unit * (double)node->slab_offset[i];
    box.half = t->unit * (double)node->slab_half[i];
    return box;
}

static Box whole_box(const AbutMeshTree *t) {
    return (Box){.center = t->oriented_center,
        .axis = {t->oriented_axis[0], t->oriented_axis[1], t->oriented_axis[2]},
        .normal = abut_zero()};
}

/* n.x of its points is at most this. */
static double top_of(const Walk *w, const Box *box, AbutVec3 n) {
    return abut_dot(n, box->center) + fabs(abut_dot(n, box->axis[0])) + fabs(abut_dot(n, box->axis[1])) +
           fabs(abut_dot(n, box->axis[2])) + w->spare;
}

enum { PARTED, OPEN, TOO_LONG };

/* Tries a direction; `room` becomes the distance along it in the middle where that is larger, `loss` what time takes
 * from it. */
static int part_along(Walk *w, AbutVec3 n, double top, double *room, double *loss) {
    ++w->answer.boxes;
    for (int exact = 0; exact < 2; ++exact) {
        double bound = low_over(w, n, exact) - top;
        if (bound > w->level) {
            w->answer.lb = abut_smaller(w->answer.lb, bound);
            return 1;
        }
        double now = least_along(w, n, exact) - top;
        if (now > *room) {
            *room = now;
            *loss = now - bound;
        }
    }
    return 0;
}

static int judge(Walk *w, const Box *box, double *room) {
    AbutVec3 way = way_from(w, box->center), n = abut_normalize_or(way, abut_axis(2));
    double loss = 0.0;
    *room = -INFINITY;
    if (part_along(w, n, top_of(w, box, n), room, &loss)) return PARTED;
    double length = abut_length(box->normal);
    if (length > 0.5) {
        double side = abut_dot(box->normal, way) < 0.0 ? -1.0 : 1.0;
        double top = (side * box->offset + box->half) / length + w->spare;
        if (part_along(w, abut_scale(box->normal, side / length), top, room, &loss)) return PARTED;
    }
    double size = abut_length(box->axis[0]) + abut_length(box->axis[1]) + abut_length(box->axis[2]);
    return *room <= w->level || size > 0.5 * loss ? OPEN : TOO_LONG;
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

static double top_of_triangle(const AbutVec3 v[3], AbutVec3 n) {
    return abut_larger(abut_dot(n, v[0]), abut_larger(abut_dot(n, v[1]), abut_dot(n, v[2])));
}

static void try_triangle(Walk *w, int32_t slot) {
    const AbutVec3 *v = abut_tree_vertices(w->tree) + 3 * (size_t)slot;
    AbutVec3 middle = abut_scale(abut_add(abut_add(v[0], v[1]), v[2]), 1.0 / 3.0);
    AbutVec3 n = abut_normalize_or(way_from(w, middle), abut_axis(2));
    double room = -INFINITY, loss = 0.0;
    if (part_along(w, n, top_of_triangle(v, n), &room, &loss)) return;
    AbutConvex triangle = abut_convex_triangle(v[0], v[1], v[2], 0.0);
    AbutGap d = abut_convex_distance(&triangle, w->body, w->pose, NULL, NULL);
    ++w->answer.triangles;
    if (d.outcome == ABUT_INVALID) {
        w->answer.status = ABUT_CERTIFICATE_UNDECIDED;
        return;
    }
    w->answer.ub = abut_smaller(w->answer.ub, abut_larger(0.0, d.distance));
    if (d.distance <= w->level)
        w->answer.status = ABUT_CERTIFICATE_CONTACT;
    else if (!part_along(w, d.normal, top_of_triangle(v, d.normal), &room, &loss))
        w->answer.status = ABUT_CERTIFICATE_UNDECIDED;
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

typedef struct Entry {
    int32_t node;
    double room;
} Entry;

/* Puts the children that are still open on the stack, the nearest last. Gives the new top. */
static int open_node(Walk *w, const AbutTreeInner *node, Entry *stack, int top) {
    int base = top;
    for (int i = 0; i < node->count; ++i) {
        Box box = child_box(w->tree, node, i);
        double room;
        int verdict = judge(w, &box, &room);
        if (verdict == TOO_LONG) {
            w->answer.status = ABUT_CERTIFICATE_UNDECIDED;
            return 0;
        }
        if (verdict == PARTED) continue;
        int k = top++;
        for (; k > base && stack[k - 1].room < room; --k) stack[k] = stack[k - 1];
        stack[k] = (Entry){node->child[i], room};
    }
    return top;
}

static void walk(Walk *w) {
    Entry stack[STACK];
    Box whole = whole_box(w->tree);
    double room;
    int top = judge(w, &whole, &room) != PARTED;
    stack[0] = (Entry){abut_tree_root(w->tree), 0.0};
    while (top > 0 && w->answer.status == ABUT_CERTIFICATE_CLEAR) {
        int32_t node = stack[--top].node;
        if (node >= 0) {
            top = open_node(w, &abut_tree_inner(w->tree)[node], stack, top);
            continue;
        }
        int count = abut_tree_leaves(w->tree)[~node].count;
        for (int i = 0; i < count && w->answer.status == ABUT_CERTIFICATE_CLEAR; ++i)
            try_triangle(w, ABUT_TREE_WIDTH * ~node + i);
    }
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

AbutPlanFaced abut_plan_facing_prove(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanMoment *m, double level) {
    if (problem->pieces[facing->piece].flat) { /* which does not move */
        double d = abut_plan_facing_distance(problem, facing, &m->at).distance;
        AbutCertificateStatus status = d > level ? ABUT_CERTIFICATE_CLEAR : ABUT_CERTIFICATE_CONTACT;
        return (AbutPlanFaced){status, d - problem->slack, d, 1, 1};
    }
    Walk w = start_walk(problem, facing, m, level);
    walk(&w);
    return w.answer;
}

double abut_plan_facing_bound(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanMoment *m, double distance) {
    Walk w = start_walk(problem, facing, m, 0.0);
    double speed = abut_length(w.twist.turn) * w.around.radius;
    AbutVec3 a = abut_add(abut_cross(w.twist.turn, w.around.a), w.twist.shift);
    AbutVec3 b = abut_add(abut_cross(w.twist.turn, w.around.b), w.twist.shift);
    return distance - w.h * (speed + abut_larger(abut_length(a), abut_length(b))) - w.fall;
}
