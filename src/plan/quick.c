/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast attempt. In: ends that are clear, no windows, balance, torques or postures on the way. A path of proved
 * edges (roads.c) becomes a clamped B-spline of degree 5 with control points evenly along it. As their spacing is
 * halved the curve tends to the path, which keeps more than the level, so that the certificate of the curve succeeds
 * after few halvings. Out: control points, the path for other attempts to begin with, and the certificate.
 */
#include "base/system.h"
#include "plan/attempt.h"
#include "plan/roadmap.h"
#include "proof/certify.h"

#include <string.h>

static const double SPACING = 0.6; /* of control points at first, rad: corners are round */
static const double SPARE = 0.25;  /* of what the margin is above the level: edges keep that much more */
enum { SAMPLES = 10000, HALVINGS = 7, POINTS_MOST = 2000, POINTS_LEAST = 14 };

int abut_plan_is_quick(const AbutPlanProblem *problem, const AbutPlanQuery *query, const AbutPlanSettings *settings) {
    return query->via_count == 0 && !problem->spans && problem->edge_count == 0 && !settings->torque &&
           !(settings->duration > 0.0) && !settings->method.row;
}

double abut_plan_road_level(const AbutPlanProblem *problem, const AbutPlanSettings *settings) {
    return settings->level + SPARE * (problem->margin - settings->level);
}

/* Control points along a path: its ends three times, the others at equal steps. */
static void lay_points(int32_t width, int32_t count, const double *path, int32_t points, double *out) {
    size_t bytes = (size_t)width * sizeof *out;
    int32_t steps = points - 2 * ABUT_SPLINE_ENDS + 1, k = 0;
    double step = abut_plan_path_length(width, count, path) / steps, begin = 0.0;
    double d = abut_plan_apart(width, path, path + width);
    for (int i = 0; i < ABUT_SPLINE_ENDS; ++i) {
        memcpy(out + i * width, path, bytes);
        memcpy(out + (points - 1 - i) * width, path + (count - 1) * width, bytes);
    }
    for (int32_t i = 1; i < steps; ++i) {
        while (k + 2 < count && i * step > begin + d) {
            begin += d;
            ++k;
            d = abut_plan_apart(width, path + k * width, path + (k + 1) * width);
        }
        double x = d > 0.0 ? fmin((i * step - begin) / d, 1.0) : 0.0;
        double *to = out + (ABUT_SPLINE_ENDS - 1 + i) * width;
        for (int32_t c = 0; c < width; ++c)
            to[c] = path[k * width + c] + x * (path[(k + 1) * width + c] - path[k * width + c]);
    }
}

/* A curve along the path, proved if it can be. */
static AbutStatus bend(const AbutPlanProblem *problem, const AbutPlanSettings *settings, double deadline, int32_t count,
    const double *path, AbutPlanTry *out) {
    AbutCertifyDef def = {settings->level, 0, 1};
    int32_t width = problem->coordinate_count;
    double length = abut_plan_path_length(width, count, path), spacing = SPACING;
    AbutStatus status = ABUT_OK;
    for (int i = 0; i <= HALVINGS && !status; ++i, spacing *= 0.5) {
        AbutTrajectory trajectory;
        double wanted = ceil(length / spacing) + 2 * ABUT_SPLINE_ENDS - 1;
        int32_t points = wanted < POINTS_LEAST ? POINTS_LEAST : wanted > POINTS_MOST ? POINTS_MOST : (int32_t)wanted;
        abut_free(out->own);
        out->own = abut_alloc_array((size_t)points * (size_t)width, sizeof *out->own);
        if (!out->own) return ABUT_ERROR_MEMORY;
        out->points = out->own;
        out->point_count = points;
        lay_points(width, count, path, points, out->own);
        status = abut_plan_spline_trajectory(problem, points, out->own, 1.0, &trajectory, NULL);
        if (status) return status;
        status = abut_plan_certify(problem, &trajectory, &def, &out->certificate, NULL, NULL);
        abut_trajectory_free(&trajectory);
        out->report.iterations = i + 1;
        if (status || abut_plan_is_proved(&out->certificate) || out->certificate.status == ABUT_CERTIFICATE_NOTHING ||
            points == POINTS_MOST || !out->path || abut_clock() > deadline)
            break;
    }
    out->report.status = abut_plan_is_proved(&out->certificate) ? ABUT_PLAN_CERTIFIED : ABUT_PLAN_CLEAR_UNCERTIFIED;
    out->report.cost = abut_plan_curve_cost(width, out->point_count, out->own);
    out->done = 1;
    return status;
}

/* Without a path the straight line is what there is, and how far it is from clear. */
static AbutStatus take_line(
    const AbutPlanProblem *problem, const AbutPlanTask *task, const AbutPlanSettings *settings, AbutPlanTry *out) {
    size_t width = (size_t)problem->coordinate_count;
    double *line = abut_alloc_array(2 * width, sizeof *line);
    if (!line) return ABUT_ERROR_MEMORY;
    memcpy(line, task->start, width * sizeof *line);
    memcpy(line + width, task->goal, width * sizeof *line);
    AbutStatus status = bend(problem, settings, 0.0, 2, line, out);
    const AbutCertificate *x = &out->certificate;
    abut_free(line);
    if (status || out->report.status == ABUT_PLAN_CERTIFIED || x->pair < 0) return status;
    out->report.status = ABUT_PLAN_BLOCKED;
    out->report.violation = fmax(problem->margin - x->ub, 0.0);
    out->worst_s = x->t;
    if (problem->item_start[x->pair] < problem->item_start[x->pair + 1]) out->worst = problem->item_start[x->pair];
    return ABUT_OK;
}

static AbutStatus find(const AbutPlanProblem *problem, const AbutPlanTask *task, const AbutPlanSettings *settings,
    double deadline, AbutPlanTry *out) {
    AbutPlanRoads roads;
    AbutRng rng = abut_rng(settings->seed, ABUT_PLAN_ATTEMPTS);
    double level = abut_plan_road_level(problem, settings);
    AbutStatus status = abut_plan_roads_make(problem, task, level, &rng, deadline, &roads, NULL);
    roads.map = settings->roadmap;
    if (!status && roads.map) status = abut_plan_route_make(roads.map, &roads.route);
    if (!status && abut_plan_roads_find(&roads, SAMPLES)) {
        size_t numbers = (size_t)roads.path_count * (size_t)roads.width;
        out->path = abut_alloc_array(numbers, sizeof *out->path);
        out->path_count = roads.path_count;
        status = out->path ? ABUT_OK : ABUT_ERROR_MEMORY;
        if (out->path) memcpy(out->path, roads.path, numbers * sizeof *out->path);
    }
    if (roads.memory) abut_plan_roads_free(&roads);
    return status;
}

void abut_plan_try_quick(const AbutPlanProblem *problem, const AbutPlanTask *task, const AbutPlanSettings *settings,
    double deadline, AbutPlanTry *out) {
    double begin = abut_clock();
    out->report.kind = ABUT_PLAN_FAST;
    out->report.status = ABUT_PLAN_BLOCKED;
    out->missed = out->worst = -1;
    out->status = find(problem, task, settings, deadline, out);
    if (!out->status && out->path)
        out->status = bend(problem, settings, deadline, out->path_count, out->path, out);
    else if (!out->status)
        out->status = take_line(problem, task, settings, out);
    out->report.seconds = abut_clock() - begin;
}
