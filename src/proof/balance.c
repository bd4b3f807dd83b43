/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Static balance: the center of mass stays over the support polygon. In: the bodies that stand, in the posture that the
 * problem is made from, or corners. Out: edges of the convex hull of where they are lowest, and the masses of the robot
 * as parts of the whole, so that the center of mass and its gradient are sums over links. The distance inside an edge
 * is a row of the search and is proved over time like the distance of a pair.
 */
#include "math/functions.h"
#include "proof/problem.h"

#include "model/mass.h"

#include <stdlib.h>
#include <string.h>

enum { AROUND = 64, POINTS = 4096 };

/* ---- polygon ----------------------------------------------------------------------------------------------------- */

typedef struct Sole {
    AbutVec3 *points;
    int32_t count;
} Sole;

/* Points of a shape that are lowest, seen from slightly different sides. */
static void add_shape(const AbutShapeDef *shape, AbutPose body, Sole *sole) {
    static const double TILT = 0.01;
    AbutPose pose = abut_pose_mul(body, shape->pose);
    AbutConvex convex = abut_plan_exact_convex(shape->geometry);
    for (int i = 0; i < AROUND && sole->count < POINTS; ++i) {
        double a = 2.0 * ABUT_PI * (i + 0.5) / AROUND;
        AbutVec3 d = abut_normalize(abut_vec3(TILT * abut_cos(a), TILT * abut_sin(a), -1.0));
        AbutVec3 local = abut_quat_rotate_inv(pose.q, d), p = abut_convex_farthest(&convex, local);
        sole->points[sole->count++] = abut_add_scaled(abut_pose_apply(pose, p), d, convex.radius);
    }
}

static void add_foot(const AbutConfiguration *posture, int32_t body, Sole *sole) {
    const AbutModel *model = abut_configuration_model(posture);
    for (int32_t i = abut_model_next_shape(model, body, -1); body >= 0 && i >= 0;
         i = abut_model_next_shape(model, body, i))
        if (!model->shapes[i].visual && model->shapes[i].geometry->kind != ABUT_SHAPE_HALF_SPACE)
            add_shape(&model->shapes[i], abut_configuration_body_pose(posture, body), sole);
}

/* Those within 2 mm of the lowest. */
static void keep_lowest(Sole *sole) {
    double low = INFINITY;
    int32_t count = 0;
    for (int32_t i = 0; i < sole->count; ++i) low = fmin(low, sole->points[i].z);
    for (int32_t i = 0; i < sole->count; ++i)
        if (sole->points[i].z < low + 0.002) sole->points[count++] = sole->points[i];
    sole->count = count;
}

static int by_place(const void *a, const void *b) {
    const AbutVec3 *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

static double turn(AbutVec3 a, AbutVec3 b, AbutVec3 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/* Andrew's monotone chain over sorted points, seen from above; gives the number of corners. */
static int32_t hull_of(Sole *sole, AbutVec3 *out) {
    int32_t n = 0;
    qsort(sole->points, (size_t)sole->count, sizeof *sole->points, by_place);
    for (int pass = 0; pass < 2; ++pass) {
        int32_t base = n;
        for (int32_t k = 0; k < sole->count; ++k) {
            AbutVec3 p = sole->points[pass ? sole->count - 1 - k : k];
            while (n - base >= 2 && turn(out[n - 2], out[n - 1], p) <= 1e-9) --n;
            out[n++] = p;
        }
        --n; /* the end of one pass begins the other */
    }
    return n;
}

/* Corners beyond what there is room for are left out evenly, which makes the polygon smaller. */
static void set_corners(AbutPlanProblem *problem, int32_t n, const AbutVec3 *hull) {
    int32_t kept = n < ABUT_PLAN_CORNERS ? n : ABUT_PLAN_CORNERS;
    for (int32_t i = 0; i < kept; ++i) problem->corners[i] = hull[(int64_t)i * n / kept];
    for (int32_t i = 0; i < kept; ++i) {
        AbutVec3 a = problem->corners[i], b = problem->corners[(i + 1) % kept];
        double length = abut_hypot(b.x - a.x, b.y - a.y), x = (b.y - a.y) / length, y = (a.x - b.x) / length;
        problem->edges[i] = (AbutPlanEdge){x, y, x * a.x + y * a.y};
    }
    problem->edge_count = kept;
}

static AbutStatus make_polygon(
    AbutPlanProblem *problem, const AbutConfiguration *posture, const AbutPlanDef *def, AbutError *error) {
    AbutVec3 *memory = abut_alloc_array(3 * (size_t)POINTS + 8, sizeof *memory), *hull = memory + POINTS + 2;
    Sole sole = {memory, 0};
    double area = 0.0;
    if (!memory) return abut_fail_memory(error);
    for (int32_t i = 0; i < def->corner_count; ++i) sole.points[sole.count++] = def->corners[i];
    if (def->corner_count == 0) {
        add_foot(posture, def->support, &sole);
        if (def->other_foot >= 0) add_foot(posture, def->other_foot, &sole);
        keep_lowest(&sole);
    }
    int32_t n = sole.count > 2 ? hull_of(&sole, hull) : 0;
    for (int32_t i = 0; i < n; ++i) area += 0.5 * turn(abut_zero(), hull[i], hull[(i + 1) % n]);
    if (n >= 3 && area > 1e-8) set_corners(problem, n, hull);
    abut_free(memory);
    return problem->edge_count
               ? ABUT_OK
               : abut_fail_field(error, ABUT_ERROR_ARGUMENT, "balance", ": what stands touches the ground in no area");
}

/* ---- masses ------------------------------------------------------------------------------------------------------ */

static AbutStatus make_masses(AbutPlanProblem *problem, AbutError *error) {
    const AbutModel *model = problem->model;
    int32_t root = abut_plan_root_of(model, problem->support);
    double whole = 0.0;
    problem->masses = abut_alloc_array((size_t)model->body_count + 1, sizeof *problem->masses);
    if (!problem->masses) return abut_fail_memory(error);
    for (int32_t b = 0; b < model->body_count; ++b) {
        AbutRigid own = abut_rigid_of_body(model, b);
        if (abut_plan_root_of(model, b) != root || !(own.mass > 0.0)) continue;
        problem->masses[problem->mass_count++] = (AbutPlanMass){problem->tree.body_node[b], own.mass, own.center};
        whole += own.mass;
    }
    for (int32_t i = 0; i < problem->mass_count; ++i) problem->masses[i].part /= whole;
    return ABUT_OK;
}

AbutStatus abut_plan_balance_make(
    AbutPlanProblem *problem, const AbutConfiguration *posture, const AbutPlanDef *def, AbutError *error) {
    problem->balance_margin = def->balance_margin;
    problem->ground = def->support < 0 ? 0.0 : abut_plan_lowest(posture, def->support);
    if (!def->balance) return ABUT_OK;
    if (def->support < 0)
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "balance", ": expected a support that the robot stands on");
    if (!(def->balance_margin >= 0.0 && def->balance_margin < 1e3))
        return abut_fail_field(
            error, ABUT_ERROR_ARGUMENT, "balance_margin", ": expected 0 or more, got %g", def->balance_margin);
    if (def->corner_count < 0 || def->corner_count == 1 || def->corner_count == 2 ||
        def->corner_count > ABUT_PLAN_CORNERS)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "corner_count: expected 0, or 3 to %d, got %d", ABUT_PLAN_CORNERS,
            (int)def->corner_count);
    for (int32_t i = 0; i < def->corner_count; ++i)
        if (!isfinite(def->corners[i].x + def->corners[i].y))
            return abut_fail_field(error, ABUT_ERROR_NUMBER, "corners", ": expected finite numbers");
    AbutStatus status = make_polygon(problem, posture, def, error);
    return status ? status : make_masses(problem, error);
}

/* ---- the center of mass ------------------------------------------------------------------------------------------ */

AbutVec3 abut_plan_center(const AbutPlanProblem *problem, const AbutPlanPosture *at) {
    AbutVec3 sum = abut_zero();
    for (int32_t k = 0; k < problem->mass_count; ++k)
        sum = abut_add_scaled(sum, abut_pose_apply(at->node[problem->masses[k].node], problem->masses[k].center),
            problem->masses[k].part);
    return sum;
}

void abut_plan_edge_gradient(const AbutPlanProblem *problem, const AbutPlanEdge *edge, const AbutPlanPosture *at,
    double *by_joints, double *by_coordinates) {
    const AbutPlanTree *tree = &problem->tree;
    AbutVec3 n = abut_vec3(-edge->x, -edge->y, 0.0);
    memset(by_joints, 0, (size_t)tree->joint_count * sizeof *by_joints);
    memset(by_coordinates, 0, (size_t)problem->coordinate_count * sizeof *by_coordinates);
    for (int32_t k = 0; k < problem->mass_count; ++k) {
        const AbutPlanMass *mass = &problem->masses[k];
        AbutVec3 p = abut_pose_apply(at->node[mass->node], mass->center);
        for (int32_t i = tree->path_start[mass->node]; i < tree->path_start[mass->node + 1]; ++i) {
            int32_t j = tree->path[i];
            by_joints[j] += mass->part * (tree->slides[j] ? abut_dot(n, at->axis[j])
                                                          : abut_triple(n, at->axis[j], abut_sub(p, at->origin[j])));
        }
    }
    for (int32_t e = 0; e < problem->entry_count; ++e)
        by_coordinates[problem->entries[e].coordinate] +=
            problem->entries[e].factor * by_joints[problem->entries[e].joint];
}
