/* SPDX-License-Identifier: Apache-2.0 */
/* Families of planning problems (plan_families.h). */
#include "support/plan_families.h"
#include "support/tree_of.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const plan_family_names[PLAN_FAMILIES] = {
    "shelf of two boards", "tall shelf", "thin shelf", "open box", "cage", "table", "under the table"};

/* ---- an arm of seven hinges -------------------------------------------------------------------------------------- */

typedef struct ArmLink {
    AbutVec3 at, axis;
    double low, high;
    AbutVec3 a, b; /* a capsule from a to b */
    double radius;
} ArmLink;

static const ArmLink seven[7] = {
    {{0, 0, 0.333}, {0, 0, 1}, -2.89, 2.89, {0, 0, -0.16}, {0, 0, -0.09}, 0.055},
    {{0, 0, 0}, {0, 1, 0}, -1.76, 1.76, {0, 0, 0}, {0, 0, 0.06}, 0.055},
    {{0, 0, 0.316}, {0, 0, 1}, -2.89, 2.89, {0, 0, -0.12}, {0, 0, -0.08}, 0.055},
    {{0.0825, 0, 0}, {0, -1, 0}, -3.07, -0.07, {0, 0, 0}, {-0.03, 0, 0.06}, 0.05},
    {{-0.0825, 0, 0.384}, {0, 0, 1}, -2.89, 2.89, {0, 0, -0.24}, {0, 0, -0.07}, 0.05},
    {{0, 0, 0}, {0, -1, 0}, -0.01, 3.75, {0, 0, 0}, {0.04, 0, 0}, 0.045},
    {{0.088, 0, 0}, {0, 0, -1}, -2.89, 2.89, {0, 0, -0.04}, {0, 0, -0.06}, 0.045},
};

static AbutStatus add_shape_at(
    AbutModel *m, int32_t body, AbutShapeKind kind, AbutVec3 size, AbutPose at, AbutError *e) {
    AbutShapeDef shape = abut_shape_default();
    shape.body = body;
    shape.form.kind = kind;
    shape.form.size = size;
    shape.pose = at;
    return abut_model_add_shape(m, &shape, NULL, e);
}

static AbutStatus add_arm_capsule(AbutModel *m, int32_t body, const ArmLink *x, AbutError *e) {
    AbutVec3 way = abut_sub(x->b, x->a), axis = abut_normalize_or(way, abut_axis(2));
    AbutVec3 turn = abut_cross(abut_axis(2), axis);
    double angle = atan2(abut_length(turn), axis.z);
    AbutPose at = {
        abut_scale(abut_add(x->a, x->b), 0.5), abut_quat_axis_angle(abut_normalize_or(turn, abut_axis(0)), angle)};
    return add_shape_at(m, body, ABUT_SHAPE_CAPSULE, abut_vec3(x->radius, x->radius, 0.5 * abut_length(way)), at, e);
}

static AbutStatus add_hand(AbutModel *m, int32_t body, AbutError *e) {
    AbutFrameDef frame = abut_frame_default();
    AbutPose at = abut_pose_identity();
    at.p.z = -0.137;
    ABUT_TRY(add_shape_at(m, body, ABUT_SHAPE_BOX, abut_vec3(0.03, 0.1, 0.03), at, e));
    for (int i = 0; i < 2; ++i) {
        at.p = abut_vec3(0, i ? 0.045 : -0.045, -0.187);
        ABUT_TRY(add_shape_at(m, body, ABUT_SHAPE_BOX, abut_vec3(0.01, 0.008, 0.022), at, e));
    }
    frame.name = "tool";
    frame.body = body;
    frame.pose = abut_pose(abut_vec3(0, 0, -0.21), abut_quat_axis_angle(abut_axis(0), ABUT_PI));
    return abut_model_add_frame(m, &frame, NULL, e);
}

static AbutStatus add_link(AbutModel *m, int i, int32_t *parent, AbutError *e) {
    static const char *const names[7] = {"link1", "link2", "link3", "link4", "link5", "link6", "link7"};
    AbutBodyDef body = abut_body_default();
    AbutJointDef joint = abut_joint_default();
    body.kind = ABUT_BODY_LINK;
    body.name = joint.name = names[i];
    body.parent = *parent;
    body.pose.p = seven[i].at;
    ABUT_TRY(abut_model_add_body(m, &body, parent, e));
    joint.kind = ABUT_JOINT_HINGE;
    joint.body = *parent;
    joint.axis = seven[i].axis;
    joint.limited = 1;
    joint.range[0] = seven[i].low, joint.range[1] = seven[i].high;
    ABUT_TRY(abut_model_add_joint(m, &joint, NULL, e));
    return add_arm_capsule(m, *parent, &seven[i], e);
}

static AbutStatus build_seven(AbutModel **out, AbutError *e) {
    AbutBodyDef body = abut_body_default();
    AbutPose at = abut_pose_identity();
    int32_t base, parent = -1;
    ABUT_TRY(abut_model_create(out, e));
    body.kind = ABUT_BODY_STATIC;
    body.name = "base";
    ABUT_TRY(abut_model_add_body(*out, &body, &base, e));
    at.p.z = 0.05;
    ABUT_TRY(add_shape_at(*out, base, ABUT_SHAPE_BOX, abut_vec3(0.08, 0.08, 0.05), at, e));
    for (int i = 0; i < 7; ++i) ABUT_TRY(add_link(*out, i, &parent, e));
    return add_hand(*out, parent, e);
}

/* ---- robots ------------------------------------------------------------------------------------------------------ */

static void take_tool(PlanFamilyRobot *r, const char *name) {
    AbutIkTask *task = &r->tool[r->tool_count++];
    int32_t frame = abut_model_find(r->model, ABUT_MODEL_FRAME, name);
    *task = abut_ik_task_default();
    task->body = r->model->frames[frame].body;
    task->pose = r->model->frames[frame].pose;
}

static AbutStatus set_home(PlanFamilyRobot *r, const double *q, AbutError *error) {
    AbutPlanProblem *alone;
    double joints[64];
    if (q)
        ABUT_TRY(abut_configuration_set(r->c, r->model->joint_count, q, 0, NULL, error));
    else
        ABUT_TRY(abut_configuration_set_keyframe(r->c, 0, error));
    ABUT_TRY(abut_plan_robot_create(r->c, &r->def, &r->half, error));
    ABUT_TRY(abut_plan_robot_problem(r->half, NULL, &r->def, &alone, error));
    r->width = abut_plan_coordinate_count(alone);
    abut_plan_joints_at(r->c, joints);
    abut_plan_coordinates_of(alone, joints, r->home);
    abut_plan_problem_free(alone);
    return ABUT_OK;
}

static void stand(PlanFamilyRobot *r) {
    static const char *const feet[2] = {"left_foot", "right_foot"};
    for (int i = 0; i < 2; ++i)
        r->stands[i] = (AbutPair){
            abut_model_find(r->model, ABUT_MODEL_BODY, "ground"), abut_model_find(r->model, ABUT_MODEL_BODY, feet[i])};
    r->def.left_out_count = 2;
    r->def.left_out = r->stands;
}

AbutStatus plan_family_robot_make(const char *name, PlanFamilyRobot *r, AbutError *error) {
    static const double folded[7] = {0, -0.785, 0, -2.356, 0, 1.571, 0.785}, raised[6] = {0, -0.4, 1.9, 0.9, 0, 0};
    int is_seven = strcmp(name, "arm7") == 0, is_humanoid = strcmp(name, "humanoid") == 0;
    memset(r, 0, sizeof *r);
    r->aims = is_seven;
    r->def = abut_plan_def_default();
    r->def.held = r->held;
    ABUT_TRY(is_seven ? build_seven(&r->model, error) : abut_model_build(name, 1, &r->model, error));
    ABUT_TRY(configuration_of(r->model, &r->c, error));
    if (is_humanoid) {
        r->shift = abut_vec3(-0.22, -0.25, 0.7);
        for (int32_t j = 0; j < r->model->joint_count; ++j)
            r->held[j] = strncmp(r->model->joints[j].name, "waist", 5) &&
                         strncmp(r->model->joints[j].name, "chest", 5) && j < r->model->joint_count - 7;
        stand(r);
        take_tool(r, "right_grip");
        return set_home(r, NULL, error);
    }
    if (strcmp(name, "two-arms") == 0) {
        take_tool(r, "left_tool");
        take_tool(r, "right_tool");
        return set_home(r, NULL, error);
    }
    take_tool(r, "tool");
    return set_home(r, is_seven ? folded : raised, error);
}

void plan_family_robot_free(PlanFamilyRobot *r) {
    if (r->half) abut_plan_robot_free(r->half);
    abut_configuration_free(r->c);
    abut_model_free(r->model);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

enum { THINGS = 64 };

/* Where tools go, and the way there. */
typedef struct Thing {
    AbutVec3 at, way;
} Thing;

typedef struct Drawing {
    AbutRng *rng;
    AbutModel *model;
    AbutPose place;
    Thing thing[THINGS];
    int thing_count;
    AbutStatus status;
    AbutError *error;
} Drawing;

static double uniform(Drawing *d, double a, double b) { return abut_rng_between(d->rng, a, b); }

static void put(Drawing *d, AbutShapeKind kind, AbutVec3 at, AbutVec3 size) {
    AbutBodyDef body = abut_body_default();
    char name[40];
    int32_t number;
    snprintf(name, sizeof name, "thing%d", (int)d->model->body_count);
    body.kind = ABUT_BODY_STATIC;
    body.name = name;
    body.pose = abut_pose_mul(d->place, abut_pose(at, abut_quat_identity()));
    if (!d->status) d->status = abut_model_add_body(d->model, &body, &number, d->error);
    if (!d->status) d->status = add_shape_at(d->model, number, kind, size, abut_pose_identity(), d->error);
}

static void box(Drawing *d, double x, double y, double z, double hx, double hy, double hz) {
    put(d, ABUT_SHAPE_BOX, abut_vec3(x, y, z), abut_vec3(hx, hy, hz));
}

static void can(Drawing *d, double x, double y, double z, double r, double h) {
    put(d, ABUT_SHAPE_CYLINDER, abut_vec3(x, y, z), abut_vec3(r, r, h));
}

static void take(Drawing *d, double x, double y, double z, AbutVec3 way) {
    d->thing[d->thing_count++] =
        (Thing){abut_pose_apply(d->place, abut_vec3(x, y, z)), abut_quat_rotate(d->place.q, way)};
}

static void draw_shelf(Drawing *d, int boards, double height, double width, double depth, int walls) {
    double top = (boards - 1) * height, bay = width / (walls - 1);
    for (int b = 0; b < boards; ++b) box(d, 0, 0, b * height, depth / 2, width / 2, 0.01);
    for (int w = 0; w < walls; ++w) box(d, 0, -width / 2 + bay * w, top / 2, depth / 2, 0.01, top / 2 + 0.01);
    for (int b = 0; b + 1 < boards; ++b)
        for (int k = 0; k < 3; ++k) {
            double y = -width / 2 + width * (k + 0.5) / 3 + uniform(d, -0.03, 0.03);
            double x = uniform(d, -depth / 2 + 0.06, 0.0), h = uniform(d, 0.05, 0.07);
            if (fabs(fmod(y + width / 2, bay) - bay / 2) > bay / 2 - 0.09) continue;
            can(d, x, y, b * height + 0.011 + h, uniform(d, 0.02, 0.03), h);
            take(d, x - 0.03, y, b * height + 0.011 + h + uniform(d, 0, 0.03), abut_axis(0));
        }
}

static void draw_box(Drawing *d) {
    double w = uniform(d, 0.18, 0.24), l = uniform(d, 0.16, 0.22), h = uniform(d, 0.09, 0.14);
    double x = uniform(d, -0.05, 0.05), y = uniform(d, -0.06, 0.06);
    box(d, 0, 0, -0.03, 0.4, 0.5, 0.01);
    box(d, 0, 0, 0, l, w, 0.01);
    for (int i = -1; i < 2; i += 2) {
        box(d, i * l, 0, h, 0.01, w, h);
        box(d, 0, i * w, h, l, 0.01, h);
    }
    can(d, x, y, 0.06, 0.025, 0.05);
    take(d, x, y, 0.12, abut_vec3(0, 0, -1));
    take(d, x + 0.06, y, 0.14, abut_vec3(0, 0, -1));
}

static void draw_cage(Drawing *d) {
    static const AbutVec3 down = {0.7071067811865476, 0, -0.7071067811865476};
    double x = uniform(d, -0.08, 0.05), y = uniform(d, -0.12, 0.12);
    box(d, 0, 0, 0, 0.3, 0.32, 0.02);
    box(d, 0.3, 0, 0.34, 0.02, 0.32, 0.34);
    box(d, 0, -0.32, 0.34, 0.3, 0.02, 0.34);
    box(d, 0, 0.32, 0.34, 0.3, 0.02, 0.34);
    box(d, 0.03, 0, 0.7, 0.27, 0.3, 0.02);
    box(d, -0.3, 0, 0.12, 0.02, 0.32, 0.02);
    box(d, -0.3, 0, 0.45, 0.02, 0.32, 0.02);
    box(d, x, y, 0.05, 0.025, 0.025, 0.03);
    take(d, x, y, 0.09, abut_vec3(0, 0, -1));
    take(d, x - 0.04, y, 0.2, abut_axis(0));
    take(d, x, y, 0.14, down);
}

static void draw_table(Drawing *d, int under) {
    static const AbutVec3 down = {0.7071067811865476, 0, -0.7071067811865476};
    double top = uniform(d, 0.35, 0.45);
    box(d, 0, 0, top, 0.3, 0.5, 0.02);
    for (int k = 0; k < 4; ++k)
        box(d, k & 1 ? 0.27 : -0.27, k & 2 ? 0.47 : -0.47, top / 2 - 0.01, 0.02, 0.02, top / 2 - 0.01);
    for (int k = 0; k < 5; ++k) {
        double y = -0.4 + 0.2 * k + uniform(d, -0.04, 0.04), x = uniform(d, -0.2, 0.1), h = uniform(d, 0.03, 0.08);
        if (k == 2)
            put(d, ABUT_SHAPE_SPHERE, abut_vec3(x, y, top + 0.021 + h), abut_vec3(h, h, h));
        else if (k & 1)
            can(d, x, y, top + 0.021 + h, 0.03, h);
        else
            box(d, x, y, top + 0.021 + h, 0.03, uniform(d, 0.03, 0.08), h);
        if (!under && (k & 1)) take(d, x, y, top + 0.03 + 2 * h, abut_vec3(0, 0, -1));
    }
    for (int k = 0; k < 2 && under; ++k) {
        double x = uniform(d, -0.15, 0.0), y = k ? uniform(d, 0.0, 0.3) : uniform(d, -0.25, -0.05);
        can(d, x, y, 0.071, 0.025, 0.07);
        take(d, x - 0.03, y, 0.1, abut_axis(0));
        take(d, x - 0.02, y, 0.16, down);
    }
}

static void draw_scene(Drawing *d, int family, AbutVec3 shift) {
    static const double spot[PLAN_FAMILIES][6] = {/* x, y and z from, to */
        {0.72, 0.85, -0.1, 0.1, 0.2, 0.45}, {0.72, 0.85, -0.1, 0.1, 0.05, 0.2}, {0.72, 0.82, -0.1, 0.1, 0.05, 0.2},
        {0.5, 0.6, -0.15, 0.15, 0.1, 0.25}, {0.68, 0.8, -0.12, 0.12, 0.15, 0.25}, {0.55, 0.65, -0.1, 0.1, 0, 0},
        {0.55, 0.65, -0.1, 0.1, 0, 0}};
    const double *s = spot[family];
    AbutPose turn = abut_pose(shift, abut_quat_axis_angle(abut_axis(2), uniform(d, -0.35, 0.35)));
    AbutVec3 at = {uniform(d, s[0], s[1]), uniform(d, s[2], s[3]), uniform(d, s[4], s[5])};
    d->place = abut_pose_mul(turn, abut_pose(at, abut_quat_axis_angle(abut_axis(2), uniform(d, -0.2, 0.2))));
    if (family == 0) draw_shelf(d, 2, 0.34, 1.0, 0.4, 2);
    if (family == 1) draw_shelf(d, 4, 0.32, 0.9, 0.35, 2);
    if (family == 2) draw_shelf(d, 4, 0.32, 1.2, 0.3, 4);
    if (family == 3) draw_box(d);
    if (family == 4) draw_cage(d);
    if (family >= 5) draw_table(d, family == 6);
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

/* A posture whose tools are at things, behind each other from the left; 0: none was found. */
static int reach(const PlanFamilyRobot *r, Drawing *d, const AbutPlanProblem *problem, double *out) {
    enum { TRIES = 30 };
    AbutIkTask tasks[2 * PLAN_FAMILY_TOOLS];
    int32_t count = 0, found = 0, k[PLAN_FAMILY_TOOLS] = {0};
    for (int i = 0; i < r->tool_count; ++i) k[i] = (int32_t)abut_rng_below(d->rng, (uint32_t)d->thing_count);
    if (r->tool_count > 1 && d->thing[k[0]].at.y < d->thing[k[1]].at.y + 0.1) return 0;
    for (int i = 0; i < r->tool_count; ++i) {
        const Thing *thing = &d->thing[k[i]];
        tasks[count] = r->tool[i];
        tasks[count].kind = ABUT_IK_POSITION;
        tasks[count++].target.p = abut_sub(thing->at, abut_scale(thing->way, uniform(d, 0.0, 0.03)));
        if (!r->aims) continue;
        tasks[count] = r->tool[i];
        tasks[count].kind = ABUT_IK_UPRIGHT;
        tasks[count].axis = abut_axis(2);
        tasks[count++].direction = thing->way;
    }
    AbutPlanReach ask = {r->home, count, tasks, TRIES, abut_rng_u64(d->rng)};
    if (d->status) return 0;
    d->status = abut_plan_reach(problem, &ask, 1, out, &found, d->error);
    return found > 0;
}

static double apart(int32_t n, const double *a, const double *b) {
    double sum = 0.0;
    for (int32_t i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static int is_clear(const AbutPlanProblem *problem, const double *u) {
    uint8_t free = 0;
    return abut_plan_free_batch(problem, 0.0055, 1, u, NULL, 1, &free, NULL) == ABUT_OK && free;
}

/* One drawing; 1: good. */
static int try_problem(const PlanFamilyRobot *r, Drawing *d, int family, int far, PlanFamilyProblem *out) {
    d->status = abut_model_create(&out->obstacles, d->error);
    d->model = out->obstacles;
    d->thing_count = 0;
    if (d->status) return 0;
    draw_scene(d, family, r->shift);
    if (!d->status) d->status = abut_plan_robot_problem(r->half, out->obstacles, &r->def, &out->problem, d->error);
    if (d->status || d->thing_count == 0 || !reach(r, d, out->problem, out->goal)) return 0;
    memcpy(out->start, r->home, sizeof out->start);
    return far ? reach(r, d, out->problem, out->start) && apart(r->width, out->start, out->goal) > 1.0
               : is_clear(out->problem, out->start);
}

AbutStatus plan_family_draw(
    const PlanFamilyRobot *robot, int family, int far, AbutRng *rng, PlanFamilyProblem *out, AbutError *error) {
    enum { TRIES = 400 };
    Drawing d = {.rng = rng, .error = error};
    for (int i = 0; i < TRIES; ++i) {
        memset(out, 0, sizeof *out);
        int good = try_problem(robot, &d, family, far, out);
        if (good && !d.status) return ABUT_OK;
        plan_family_problem_free(out);
        if (d.status) return d.status;
    }
    return abut_fail(error, ABUT_ERROR_EMPTY, "no problem of the family was found");
}

void plan_family_problem_free(PlanFamilyProblem *problem) {
    abut_plan_problem_free(problem->problem);
    abut_model_free(problem->obstacles);
    memset(problem, 0, sizeof *problem);
}
