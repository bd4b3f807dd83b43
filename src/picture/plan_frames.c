/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A motion of a robot as numbers for a page. In: a problem and a trajectory. Out: one model of all bodies, with the
 * nearest points and the center of mass as markers; frames at both ends of the motion and in the middle of every cell;
 * curves of all pairs, the nearest first; joints with their limits; balance.
 */
#include "base/pool.h"
#include "picture/page_plan.h"

#include <stdio.h>

#include "abut/plan.h"
#include "proof/problem.h"

enum { CELLS = 40, LEAST_FRAMES = 180, MINIMA = 6, NAME = 120 };

typedef struct Page {
    AbutPageFrames plan; /* first: what others see of it */
    const AbutPlanProblem *problem;
    const AbutTrajectory *trajectory;
    AbutModel *model;
    int32_t cells; /* of each piece */
    AbutClearanceSample *samples;
    AbutPose *poses;
    double *numbers; /* times, distances, bounds, joints, their ranges, balance */
    int32_t markers; /* first body beside links: two nearest points, then the center of mass where it counts */
    const char **joint_names;
    int32_t pairs;           /* 0: their curves are not wanted */
    int32_t *order;          /* of pairs */
    char (*names)[NAME];     /* in that order */
    const char **pair_names; /* the same */
    AbutClearanceMinimum minima[MINIMA];
    const char *minimum_names[MINIMA];
    AbutPool pool; /* of all arrays */
} Page;

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* All bodies of a model, drawn only. */
static AbutStatus add_bodies(AbutModel *to, const AbutModel *from, int moves, AbutError *error) {
    int32_t first = to->body_count;
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < from->body_count && !status; ++i) {
        AbutBodyDef body = abut_body_default();
        body.name = from->bodies[i].name;
        body.kind = moves && abut_model_is_movable(from, i) ? ABUT_BODY_KINEMATIC : ABUT_BODY_STATIC;
        status = abut_model_add_body(to, &body, NULL, error);
    }
    for (int32_t i = 0; i < from->shape_count && !status; ++i) {
        AbutShapeDef shape = from->shapes[i];
        shape.body += first;
        if (!from->shapes[i].visual) status = abut_model_add_shape(to, &shape, NULL, error);
    }
    return status;
}

/* ---- markers ----------------------------------------------------------------------------------------------------- */

static AbutStatus add_ball(AbutModel *model, const char *name, double radius, AbutError *error) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    body.name = name;
    body.kind = ABUT_BODY_KINEMATIC;
    shape.form.kind = ABUT_SHAPE_SPHERE;
    shape.form.size = abut_vec3(radius, radius, radius);
    AbutStatus status = abut_model_add_body(model, &body, &shape.body, error);
    return status ? status : abut_model_add_shape(model, &shape, NULL, error);
}

/* The support polygon as a thin plate. */
static AbutStatus add_polygon(AbutModel *model, int32_t count, const AbutVec3 *corners, AbutError *error) {
    AbutVec3 points[2 * ABUT_PLAN_CORNERS];
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutPolyhedron *plate;
    for (int32_t i = 0; i < 2 * count; ++i)
        points[i] = abut_add(corners[i % count], abut_vec3(0.0, 0.0, i < count ? 0.001 : 0.003));
    ABUT_TRY(abut_polyhedron_from_points(points, 2 * count, NULL, &plate, error));
    body.name = "support polygon";
    body.kind = ABUT_BODY_STATIC;
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    shape.form.polyhedron = plate;
    AbutStatus status = abut_model_add_body(model, &body, &shape.body, error);
    if (!status) status = abut_model_add_shape(model, &shape, NULL, error);
    abut_polyhedron_free(plate);
    return status;
}

/* Bodies that show the nearest points and, over the support polygon, the center of mass. */
static AbutStatus add_markers(Page *p, AbutError *error) {
    AbutVec3 corners[ABUT_PLAN_CORNERS];
    int32_t count = abut_plan_polygon(p->problem, corners);
    p->markers = p->model->body_count;
    AbutStatus status = add_ball(p->model, "nearest point, one", 0.008, error);
    if (!status) status = add_ball(p->model, "nearest point, other", 0.008, error);
    if (!status && count) status = add_ball(p->model, "center of mass, on the ground", 0.015, error);
    return status || !count ? status : add_polygon(p->model, count, corners, error);
}

/* Where they are at joints; gives how far the center of mass is inside. */
static AbutStatus place_markers(const Page *p, const double *joints, AbutPose *row, double *inside, AbutError *error) {
    AbutPlanNear near;
    AbutPlanBalance balance;
    AbutVec3 corners[ABUT_PLAN_CORNERS];
    ABUT_TRY(abut_plan_nearest(p->problem, joints, &near, NULL, error));
    ABUT_TRY(abut_plan_balance(p->problem, joints, &balance, error));
    for (int32_t b = p->markers; b < p->model->body_count; ++b) row[b] = abut_pose_identity();
    row[p->markers].p = near.point_a;
    row[p->markers + 1].p = near.point_b;
    *inside = balance.inside;
    if (abut_plan_polygon(p->problem, corners))
        row[p->markers + 2].p = abut_vec3(balance.center.x, balance.center.y, corners[0].z);
    return ABUT_OK;
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* All pairs by the least distances that were evaluated. */
static void sort_pairs(Page *p, const AbutPairCertificate *pairs) {
    for (int32_t i = 0; i < p->pairs; ++i) {
        int32_t at = i;
        for (; at > 0 && pairs[i].ub < pairs[p->order[at - 1]].ub; --at) p->order[at] = p->order[at - 1];
        p->order[at] = i;
    }
}

/* The nearest points of all pairs when number k of the chosen ones is nearest, unless another pair is nearer then. */
static AbutStatus add_minimum(
    Page *p, int32_t k, int32_t pair, const AbutPairCertificate *x, double *joints, AbutError *error) {
    AbutPlanNear near;
    if (!isfinite(x->t) || p->plan.minimum_count == MINIMA) return ABUT_OK;
    abut_trajectory_value(p->trajectory, x->t, 0, joints);
    AbutStatus status = abut_plan_nearest(p->problem, joints, &near, NULL, error);
    if (status || near.pair != pair) return status;
    p->minimum_names[p->plan.minimum_count] = p->names[k];
    p->minima[p->plan.minimum_count++] = (AbutClearanceMinimum){
        .t = x->t, .d = near.distance, .lb = x->lb, .point_a = near.point_a, .point_b = near.point_b};
    return ABUT_OK;
}

/* The distances of all pairs at both ends of the motion, where nothing is sampled. */
static AbutStatus fill_ends(Page *p, double *joints, AbutError *error) {
    size_t frames = (size_t)p->plan.count;
    double *distances = p->numbers + frames, *at_end = joints + p->problem->model->joint_count;
    for (size_t end = 0; end < 2; ++end) {
        size_t frame = end ? frames - 1 : 0;
        AbutPlanNear near;
        abut_trajectory_value(p->trajectory, p->plan.times[frame], 0, joints);
        ABUT_TRY(abut_plan_nearest(p->problem, joints, &near, at_end, error));
        for (int32_t k = 0; k < p->pairs; ++k) distances[(size_t)k * frames + frame] = at_end[p->order[k]];
    }
    return ABUT_OK;
}

static AbutStatus fill_curves(Page *p, const AbutPairCertificate *pairs, AbutError *error) {
    size_t frames = (size_t)p->plan.count, all = (size_t)p->pairs * frames;
    double *distances = p->numbers + frames, *lower = distances + all, *joints = lower + all;
    AbutStatus status = ABUT_OK;
    sort_pairs(p, pairs);
    for (int32_t k = 0; k < p->pairs && !status; ++k) {
        int32_t pair = p->order[k];
        AbutPair links = abut_plan_pair(p->problem, pair);
        status = abut_plan_curve(p->problem, p->trajectory, pair, p->cells, p->samples, error);
        snprintf(p->names[k], NAME, "%s and %s", abut_plan_link_name(p->problem, links.a),
            abut_plan_link_name(p->problem, links.b));
        p->pair_names[k] = p->names[k];
        if (!status && k < MINIMA) status = add_minimum(p, k, pair, &pairs[pair], joints, error);
        for (size_t i = 0; i < frames && !status; ++i) { /* what is proved of a cell holds at its ends too */
            const AbutClearanceSample *cell = &p->samples[i == 0 ? 0 : i == frames - 1 ? i - 2 : i - 1];
            distances[(size_t)k * frames + i] = cell->d;
            lower[(size_t)k * frames + i] = cell->lb;
        }
    }
    if (!status) status = fill_ends(p, joints, error);
    p->plan.minima = p->minima;
    p->plan.minimum_names = p->minimum_names;
    p->plan.distances = distances;
    p->plan.lower = lower;
    p->plan.pair_count = p->pairs;
    p->plan.pair_names = p->pair_names;
    return status;
}

/* Times of the frames: both ends, and the middle of each cell between them. */
static void fill_times(Page *p) {
    const double *times = p->trajectory->times;
    int32_t last = p->plan.count - 1;
    p->numbers[0] = times[0];
    p->numbers[last] = times[p->trajectory->piece_count];
    for (int32_t i = 1; i < last; ++i) {
        int32_t piece = (i - 1) / p->cells;
        double x = ((i - 1) % p->cells + 0.5) / p->cells;
        p->numbers[i] = times[piece] + x * (times[piece + 1] - times[piece]);
    }
    p->plan.times = p->numbers;
}

static AbutStatus fill_frames(Page *p, AbutError *error) {
    const AbutModel *robot = p->problem->model;
    int32_t frames = p->plan.count, moving = abut_plan_joint_count(p->problem);
    double *joints = p->numbers + (1 + 2 * (size_t)p->pairs) * (size_t)frames,
           *range = joints + (size_t)moving * (size_t)frames;
    double *balance = range + (size_t)moving * (size_t)frames, *now = balance + frames;
    AbutVec3 corners[ABUT_PLAN_CORNERS];
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < frames && !status; ++i) {
        AbutPose *row = p->poses + (size_t)i * (size_t)p->model->body_count;
        abut_trajectory_value(p->trajectory, p->plan.times[i], 0, now);
        status = abut_plan_link_poses(p->problem, now, row, error);
        if (!status) status = place_markers(p, now, row, &balance[i], error);
        for (int32_t j = 0; j < moving; ++j) {
            AbutPlanJointLimits limits = abut_plan_joint_limits(p->problem, j);
            double q = now[abut_plan_joint(p->problem, j)], wide = limits.upper - limits.lower;
            joints[(size_t)j * (size_t)frames + (size_t)i] = q;
            range[(size_t)j * (size_t)frames + (size_t)i] = isfinite(wide) ? (q - limits.lower) / wide : NAN;
        }
    }
    p->plan.range = range;
    p->plan.balance = abut_plan_polygon(p->problem, corners) ? balance : NULL;
    for (int32_t j = 0; j < moving; ++j) p->joint_names[j] = robot->joints[abut_plan_joint(p->problem, j)].name;
    p->plan.joint_count = moving;
    p->plan.joint_names = p->joint_names;
    p->plan.joints = joints;
    p->plan.poses = p->poses;
    p->plan.model = p->model;
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static AbutStatus take_memory(Page *p, AbutError *error) {
    size_t frames = (size_t)p->plan.count, joints = (size_t)p->problem->model->joint_count + 1;
    size_t pairs = (size_t)p->pairs;
    int good = 1;
    p->samples = abut_pool_take_array(&p->pool, frames, sizeof *p->samples, &good);
    p->poses = abut_pool_take_array(&p->pool, frames * (size_t)p->model->body_count, sizeof *p->poses, &good);
    p->numbers = abut_pool_take_array(
        &p->pool, frames * (2 + 2 * pairs + 2 * joints) + joints + pairs, sizeof *p->numbers, &good);
    p->joint_names = abut_pool_take_array(&p->pool, joints, sizeof *p->joint_names, &good);
    p->order = abut_pool_take_array(&p->pool, pairs, sizeof *p->order, &good);
    p->names = abut_pool_take_array(&p->pool, pairs, sizeof *p->names, &good);
    p->pair_names = abut_pool_take_array(&p->pool, pairs, sizeof *p->pair_names, &good);
    return good ? ABUT_OK : abut_fail_memory(error);
}

static AbutStatus fill(Page *page, const AbutPlanProblem *problem, const AbutPairCertificate *pairs, AbutError *error) {
    int32_t pieces = page->trajectory->piece_count;
    page->problem = problem;
    page->cells = LEAST_FRAMES / pieces < CELLS ? LEAST_FRAMES / pieces + 1 : CELLS;
    page->plan.count = page->cells * pieces + 2;
    page->pairs = pairs ? abut_plan_pair_count(problem) : 0;
    ABUT_TRY(abut_model_create(&page->model, error));
    ABUT_TRY(add_bodies(page->model, problem->model, 1, error));
    if (problem->obstacles) ABUT_TRY(add_bodies(page->model, problem->obstacles, 0, error));
    ABUT_TRY(add_markers(page, error));
    ABUT_TRY(take_memory(page, error));
    fill_times(page);
    AbutStatus status = ABUT_OK;
    if (pairs) status = fill_curves(page, pairs, error);
    return status ? status : fill_frames(page, error);
}

AbutStatus abut_page_frames_make(const AbutPlanProblem *problem, const AbutTrajectory *trajectory,
    const AbutPairCertificate *pairs, const AbutPageFrames **out, AbutError *error) {
    Page *page = abut_alloc_array(1, sizeof *page);
    *out = page ? &page->plan : NULL;
    if (!page) return abut_fail_memory(error);
    *page = (Page){.trajectory = trajectory};
    return fill(page, problem, pairs, error);
}

void abut_page_frames_free(const AbutPageFrames *frames) {
    Page *page = (Page *)(uintptr_t)frames;
    if (!page) return;
    abut_model_free(page->model);
    abut_pool_free(&page->pool);
    abut_free(page);
}
