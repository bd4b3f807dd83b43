/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The surroundings of a robot, as blocks of intervals see them: obstacles, and links that no joint moves. Each piece is
 * a box, a cylinder, a capsule, a sphere or a plane in its own axes, or a box around it; pieces with equal axes follow
 * each other, so that a center is turned into them once. Sizes are rounded up by what single precision loses.
 */
#include "proof/cloud.h"
#include "proof/problem.h"

#include <string.h>

static const double SINGLE = 0x1p-22; /* four roundings in single precision */

/* A box, in the axes of a pose. */
static void set_box(AbutPlanStanding *out, AbutVec3 low, AbutVec3 high, AbutPose pose, AbutQuat axes) {
    AbutVec3 c = abut_quat_rotate_inv(axes, abut_pose_apply(pose, abut_scale(abut_add(low, high), 0.5)));
    AbutVec3 h = abut_scale(abut_sub(high, low), 0.5);
    double lost = SINGLE * (fabs(c.x) + fabs(c.y) + fabs(c.z) + fmax(fmax(h.x, h.y), h.z));
    out->center[0] = (float)c.x;
    out->center[1] = (float)c.y;
    out->center[2] = (float)c.z;
    out->h[0] = (float)(h.x + lost);
    out->h[1] = (float)(h.y + lost);
    out->h[2] = (float)(h.z + lost);
}

static AbutAabb box_of(const AbutConvex *x) {
    AbutAabb out;
    double low[3], high[3];
    if (x->kind == ABUT_CONVEX_POLYHEDRON) return x->polyhedron->box;
    for (int i = 0; i < 3; ++i) {
        AbutVec3 axis = abut_axis(i);
        high[i] = abut_dot(axis, abut_convex_farthest(x, axis));
        low[i] = abut_dot(axis, abut_convex_farthest(x, abut_neg(axis)));
    }
    out.min = abut_vec3(low[0], low[1], low[2]);
    out.max = abut_vec3(high[0], high[1], high[2]);
    return out;
}

/* The box around the points, and what single precision loses of these. */
static void set_cloud(AbutPlanStanding *out, const struct AbutCloud *cloud, AbutPose pose) {
    AbutVec3 half = abut_vec3(cloud->half, cloud->half, cloud->half);
    set_box(out, abut_sub(cloud->box.min, half), abut_add(cloud->box.max, half), pose, pose.q);
    double far = fabs(out->center[0]) + fabs(out->center[1]) + fabs(out->center[2]) + cloud->ball.radius;
    out->cloud = cloud;
    out->tight = 1;
    out->add = (float)((cloud->radius + 4.0 * SINGLE * far) * (1.0 + 1e-6));
}

static AbutQuat axes_of(const AbutConvex *x, AbutPose pose) {
    AbutVec3 along = abut_axis(2);
    if (x->kind == ABUT_CONVEX_HALF_SPACE) along = x->p[0];
    if (x->kind == ABUT_CONVEX_SEGMENT && abut_point_distance(x->p[0], x->p[1]) > 0.0)
        along = abut_normalize(abut_sub(x->p[1], x->p[0]));
    return abut_quat_mul(pose.q, abut_plan_align(along));
}

/* Sizes of a convex piece in the axes that axes_of gives. */
static void set_convex(AbutPlanStanding *out, const AbutConvex *x, AbutPose pose, AbutQuat axes) {
    AbutVec3 zero = abut_zero(), h = x->p[0];
    out->add = (float)x->radius * (1.0f + 1e-6f);
    out->form = ABUT_PLAN_ROUND;
    out->tight = 1;
    if (x->kind == ABUT_CONVEX_POINT) {
        set_box(out, h, h, pose, axes);
    } else if (x->kind == ABUT_CONVEX_SEGMENT) {
        AbutVec3 middle = abut_lerp(x->p[0], x->p[1], 0.5);
        set_box(out, middle, middle, pose, axes);
        out->h[2] += (float)(0.5 * abut_point_distance(x->p[0], x->p[1])) * (1.0f + 1e-6f);
    } else if (x->kind == ABUT_CONVEX_CYLINDER) {
        set_box(out, abut_neg(h), h, pose, axes);
    } else if (x->kind == ABUT_CONVEX_HALF_SPACE) {
        double offset = x->p[1].x + x->radius + abut_dot(abut_quat_rotate(pose.q, h), pose.p);
        set_box(out, zero, zero, abut_pose_identity(), axes);
        out->form = ABUT_PLAN_FLAT;
        out->add = 0.0f;
        out->h[2] = (float)(offset + 4.0 * SINGLE * fabs(offset));
    } else {
        AbutAabb box = box_of(x);
        out->form = ABUT_PLAN_BOX;
        out->tight = x->kind == ABUT_CONVEX_BOX;
        set_box(out, box.min, box.max, pose, axes);
    }
}

static AbutPlanTurn turn_of(AbutQuat axes) {
    AbutPlanTurn out;
    for (int i = 0; i < 3; ++i) {
        AbutVec3 axis = abut_quat_rotate(axes, abut_axis(i));
        out.row[3 * i] = (float)axis.x;
        out.row[3 * i + 1] = (float)axis.y;
        out.row[3 * i + 2] = (float)axis.z;
    }
    return out;
}

/* Where a standing piece or surface is, and its axes. */
static AbutPose place_of(const AbutPlanProblem *problem, int32_t piece) {
    if (piece >= problem->piece_count) return problem->surfaces[piece - problem->piece_count].pose;
    const AbutPlanPiece *p = &problem->pieces[piece];
    return p->node < 0 ? p->pose : abut_pose_mul(abut_plan_body(problem)->inside[p->node], p->pose);
}

/* Fills in what a piece or surface is; its turn is entered as number `turn`. */
static void set_standing(const AbutPlanProblem *problem, AbutPlanStanding *out, AbutPlanTurn *turn) {
    AbutPose pose = place_of(problem, out->piece);
    out->proved = 1;
    if (out->piece >= problem->piece_count) {
        const AbutPlanSurface *surface = &problem->surfaces[out->piece - problem->piece_count];
        out->form = ABUT_PLAN_BOX;
        out->tight = 0;
        out->add = 0.0f;
        *turn = turn_of(pose.q);
        if (surface->cloud)
            set_cloud(out, surface->cloud, pose);
        else
            set_box(out, surface->tree->box.min, surface->tree->box.max, pose, pose.q);
        return;
    }
    const AbutPlanPiece *piece = &problem->pieces[out->piece];
    AbutQuat axes = axes_of(&piece->convex, pose);
    out->proved = !piece->stand_in;
    *turn = turn_of(axes);
    set_convex(out, &piece->convex, pose, axes);
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static int32_t link_of(const AbutPlanProblem *problem, int32_t piece) {
    return piece < problem->piece_count ? problem->pieces[piece].link
                                        : problem->surfaces[piece - problem->piece_count].link;
}

static int stands(const AbutPlanProblem *problem, int32_t piece) {
    return piece >= problem->piece_count || problem->pieces[piece].node < 0 ||
           abut_plan_body(problem)->node[problem->pieces[piece].node] == 0;
}

/* Each piece has a turn of its own where obstacles may be moved; equal ones that follow each other are turned once. */
static void list_standing(AbutPlanProblem *problem) {
    AbutPlanScene *scene = &problem->scene;
    for (int32_t i = 0; i < problem->piece_count + problem->surface_count; ++i) {
        if (!stands(problem, i)) continue;
        AbutPlanTurn turn;
        AbutPlanStanding *x = &scene->standing[scene->standing_count];
        *x = (AbutPlanStanding){.piece = i};
        set_standing(problem, x, &turn);
        x->turn = scene->standing_count;
        scene->turns[scene->standing_count++] = turn;
        if (x->turn > 0 && memcmp(&turn, &scene->turns[x->turn - 1], sizeof turn) == 0)
            x->turn = scene->standing[x->turn - 1].turn;
    }
}

static void list_pairs(AbutPlanProblem *problem, int32_t *first, int32_t *end) {
    AbutPlanScene *scene = &problem->scene;
    const AbutPlanBody *body = abut_plan_body(problem);
    size_t count = (size_t)scene->standing_count;
    int32_t links = abut_plan_link_count(problem);
    for (size_t i = 0; i < (size_t)body->mover_count * count; ++i) scene->pair[i] = -1;
    memset(first, 0, (size_t)links * sizeof *first);
    memset(end, 0, (size_t)links * sizeof *end);
    for (int32_t k = 0, before = -1; k < scene->standing_count; ++k) {
        int32_t link = link_of(problem, scene->standing[k].piece);
        if (link != before && end[link] == 0) first[link] = k;
        end[link] = k + 1;
        before = link;
    }
    for (int32_t i = 0; i < problem->pair_count; ++i) {
        AbutPair p = problem->pairs[i];
        int32_t a = p.a < problem->model->body_count ? body->mover[p.a] : -1;
        int32_t b = p.b < problem->model->body_count ? body->mover[p.b] : -1;
        if (a >= 0 && b >= 0) {
            int32_t common = 0;
            const AbutPlanMover *m = &body->movers[a], *n = &body->movers[b];
            while (common < m->path_count && common < n->path_count && m->path[common] == n->path[common]) ++common;
            scene->own[scene->own_count++] = (AbutPlanOwn){i, a, b, common};
            scene->is_seen[i] = 1;
            continue;
        }
        int32_t mover = a >= 0 ? a : b, link = a >= 0 ? p.b : p.a;
        scene->is_seen[i] = mover >= 0 && end[link] > first[link];
        for (int32_t k = first[link]; mover >= 0 && k < end[link]; ++k)
            if (link_of(problem, scene->standing[k].piece) == link) scene->pair[(size_t)mover * count + (size_t)k] = i;
    }
}

AbutStatus abut_plan_scene_make(AbutPlanProblem *problem, AbutError *error) {
    AbutPlanScene *scene = &problem->scene;
    size_t most = (size_t)problem->piece_count + (size_t)problem->surface_count + 1;
    size_t links = (size_t)abut_plan_link_count(problem) + 1;
    *scene = (AbutPlanScene){.own = abut_alloc_array((size_t)problem->pair_count + 1, sizeof *scene->own),
        .standing = abut_alloc_array(most, sizeof *scene->standing),
        .turns = abut_alloc_array(most, sizeof *scene->turns),
        .is_seen = abut_alloc((size_t)problem->pair_count + 1)};
    int32_t *ends = abut_alloc_array(2 * links, sizeof *ends);
    if (scene->own && scene->standing && scene->turns && scene->is_seen && ends) {
        list_standing(problem);
        scene->pair = abut_alloc_array(
            (size_t)abut_plan_body(problem)->mover_count * (size_t)scene->standing_count + 1, sizeof *scene->pair);
    }
    if (scene->pair) list_pairs(problem, ends, ends + links);
    abut_free(ends);
    return scene->pair ? ABUT_OK : abut_fail_memory(error);
}

void abut_plan_scene_move(AbutPlanProblem *problem, int32_t link) {
    AbutPlanScene *scene = &problem->scene;
    for (int32_t k = 0; k < scene->standing_count; ++k)
        if (link_of(problem, scene->standing[k].piece) == link) {
            for (int32_t i = k + 1; i < scene->standing_count && scene->standing[i].turn == k; ++i) {
                scene->turns[i] = scene->turns[k]; /* the next ones turn by themselves from now on */
                scene->standing[i].turn = i;
            }
            scene->standing[k].turn = k;
            set_standing(problem, &scene->standing[k], &scene->turns[k]);
        }
}

void abut_plan_scene_free(AbutPlanScene *scene) {
    abut_free(scene->own);
    abut_free(scene->standing);
    abut_free(scene->turns);
    abut_free(scene->pair);
    abut_free(scene->is_seen);
    memset(scene, 0, sizeof *scene);
}
