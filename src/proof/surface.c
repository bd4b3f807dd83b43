/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Obstacles as triangles. In: a convex piece of a link, a mesh that stands, an interval of time. Out: whether the piece
 * keeps farther than a level from every triangle at all times of it. Method: the bound of certificate_bound.c, whose
 * second body is a box of the tree of the mesh instead of a triangle. A box that the bound does not part from the piece
 * is opened where it may be touched in the middle of the interval, or is large against what the motion takes from the
 * bound; else the interval is too long. Single triangles are measured, and bounded with their own normal.
 *
 * Clouds of points are left to cloud_facing.c. Triangles have no inside: a piece that is outside of a closed mesh at
 * one time, and never touches its surface, stays outside. Frame: that of the mesh.
 */
#include "abut/mesh.h"
#include "mesh/kernels.h"
#include "proof/cloud.h"
#include "proof/walk.h"
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
        if (mesh->cloud || mesh->tree->triangle_count > 0)
            problem->surfaces[problem->surface_count++] = (AbutPlanSurface){mesh->tree, mesh->cloud, pose, mesh->pose,
                problem->model->body_count + mesh->body, mesh->shape_count > 0};
    }
    return ABUT_OK;
}

AbutPlanDistance abut_plan_facing_distance(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanPosture *at) {
    const AbutPlanSurface *surface = &problem->surfaces[facing->surface];
    if (surface->cloud) return abut_plan_cloud_distance(problem, facing, at);
    AbutGap d = abut_mesh_convex_distance(surface->tree, &problem->pieces[facing->piece].convex,
        abut_plan_piece_in_surface(problem, facing, at), NULL, NULL);
    if (d.outcome == ABUT_INVALID) return (AbutPlanDistance){NAN, INFINITY, abut_axis(2), abut_zero(), abut_zero()};
    return (AbutPlanDistance){d.distance, d.error, abut_quat_rotate(surface->pose.q, d.normal),
        abut_pose_apply(surface->pose, d.point_b), abut_pose_apply(surface->pose, d.point_a)};
}

int abut_plan_facing_is_inside(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanPosture *at) {
    const AbutPlanPiece *piece = &problem->pieces[facing->piece];
    AbutVec3 p = abut_convex_farthest(&piece->convex, abut_axis(0));
    const AbutMeshTree *tree = problem->surfaces[facing->surface].tree;
    return tree && !piece->flat &&
           abut_mesh_inside(tree, abut_pose_apply(abut_plan_piece_in_surface(problem, facing, at), p)) == 1;
}

/* ---- boxes of triangles ------------------------------------------------------------------------------------------ */

static AbutVec3 lane(const float v[3][8], int i, double unit) {
    return abut_vec3(unit * (double)v[0][i], unit * (double)v[1][i], unit * (double)v[2][i]);
}

static AbutPlanPartBox child_box(const AbutMeshTree *t, const AbutTreeInner *node, int i) {
    AbutPlanPartBox box = {
        .center = abut_add(t->center, lane(node->c, i, t->unit)), .normal = lane(node->normal, i, 1.0)};
    for (int k = 0; k < 3; ++k) box.axis[k] = lane(node->a[k], i, t->unit);
    box.offset = abut_dot(box.normal, t->center) + t->unit * (double)node->slab_offset[i];
    box.half = t->unit * (double)node->slab_half[i];
    return box;
}

static AbutPlanPartBox whole_box(const AbutMeshTree *t) {
    return (AbutPlanPartBox){.center = t->oriented_center,
        .axis = {t->oriented_axis[0], t->oriented_axis[1], t->oriented_axis[2]},
        .normal = abut_zero()};
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

static double top_of_triangle(const AbutVec3 v[3], AbutVec3 n) {
    return abut_larger(abut_dot(n, v[0]), abut_larger(abut_dot(n, v[1]), abut_dot(n, v[2])));
}

static void try_triangle(AbutPlanWalk *w, int32_t slot) {
    const AbutVec3 *v = abut_tree_vertices(w->surface->tree) + 3 * (size_t)slot;
    AbutVec3 middle = abut_scale(abut_add(abut_add(v[0], v[1]), v[2]), 1.0 / 3.0);
    AbutVec3 n = abut_normalize_or(abut_plan_walk_way(w, middle), abut_axis(2));
    double room = -INFINITY, loss = 0.0;
    if (abut_plan_walk_part(w, n, top_of_triangle(v, n), &room, &loss)) return;
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
    else if (!abut_plan_walk_part(w, d.normal, top_of_triangle(v, d.normal), &room, &loss))
        w->answer.status = ABUT_CERTIFICATE_UNDECIDED;
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

typedef struct Entry {
    int32_t node;
    double room;
} Entry;

/* Puts the children that are still open on the stack, the nearest last. Gives the new top. */
static int open_node(AbutPlanWalk *w, const AbutTreeInner *node, Entry *stack, int top) {
    int base = top;
    for (int i = 0; i < node->count; ++i) {
        AbutPlanPartBox box = child_box(w->surface->tree, node, i);
        double room;
        int verdict = abut_plan_walk_judge(w, &box, &room);
        if (verdict == ABUT_PLAN_TOO_LONG) {
            w->answer.status = ABUT_CERTIFICATE_UNDECIDED;
            return 0;
        }
        if (verdict == ABUT_PLAN_PARTED) continue;
        int k = top++;
        for (; k > base && stack[k - 1].room < room; --k) stack[k] = stack[k - 1];
        stack[k] = (Entry){node->child[i], room};
    }
    return top;
}

static void walk(AbutPlanWalk *w) {
    Entry stack[STACK];
    AbutPlanPartBox whole = whole_box(w->surface->tree);
    double room;
    int top = abut_plan_walk_judge(w, &whole, &room) != ABUT_PLAN_PARTED;
    stack[0] = (Entry){abut_tree_root(w->surface->tree), 0.0};
    while (top > 0 && w->answer.status == ABUT_CERTIFICATE_CLEAR) {
        int32_t node = stack[--top].node;
        if (node >= 0) {
            top = open_node(w, &abut_tree_inner(w->surface->tree)[node], stack, top);
            continue;
        }
        int count = abut_tree_leaves(w->surface->tree)[~node].count;
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
    const AbutMeshTree *tree = problem->surfaces[facing->surface].tree;
    if (!tree) return abut_plan_cloud_prove(problem, facing, m, level);
    AbutPlanWalk w = abut_plan_walk_start(problem, facing, m, (AbutSphere){tree->center, tree->radius}, level);
    w.spare = SPARE * tree->unit;
    walk(&w);
    return w.answer;
}

double abut_plan_facing_bound(
    const AbutPlanProblem *problem, const AbutPlanFacing *facing, const AbutPlanMoment *m, double distance) {
    const AbutPlanSurface *x = &problem->surfaces[facing->surface];
    AbutSphere ball = x->cloud ? x->cloud->ball : (AbutSphere){x->tree->center, x->tree->radius};
    AbutPlanWalk w = abut_plan_walk_start(problem, facing, m, ball, 0.0);
    return distance - abut_plan_walk_shift(&w);
}
