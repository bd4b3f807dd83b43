/* SPDX-License-Identifier: Apache-2.0 */
/* A planning problem: making it from a configuration and obstacles, and what it is made of. */
#include "proof/problem.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

AbutPlanDef abut_plan_def_default(void) {
    AbutPlanDef def = {.margin = 0.005, .neighbors = 1, .support = -1, .other_foot = -1, .balance_margin = 0.005};
    return def;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static AbutStatus check_links(
    const AbutPlanProblem *problem, int32_t count, const AbutPair *links, const char *what, AbutError *error) {
    int32_t most = abut_plan_link_count(problem);
    for (int32_t i = 0; i < count; ++i)
        if (links[i].a < 0 || links[i].a >= most || links[i].b < 0 || links[i].b >= most || links[i].a == links[i].b)
            return abut_fail(error, ABUT_ERROR_ARGUMENT,
                "%s %d: expected two different links from 0 to %d, got %d and %d", what, (int)i, (int)most - 1,
                (int)links[i].a, (int)links[i].b);
    return ABUT_OK;
}

static int is_good_mesh(const AbutModel *obstacles, const AbutPlanMesh *mesh) {
    int32_t last = mesh->shape + mesh->shape_count;
    return obstacles && !mesh->tree != !mesh->cloud && mesh->body >= 0 && mesh->body < obstacles->body_count &&
           mesh->shape >= 0 && mesh->shape_count >= 0 && mesh->shape_count <= obstacles->shape_count &&
           last <= obstacles->shape_count && abut_is_finite(mesh->pose.p) &&
           fabs(abut_quat_dot(mesh->pose.q, mesh->pose.q) - 1.0) < 1e-6;
}

static AbutStatus check_def(const AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error) {
    if (!(def->margin >= 0.0 && def->margin < 1e60))
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "margin", ": expected 0 or more, got %g", def->margin);
    if (def->support < -1 || def->support >= problem->model->body_count)
        return abut_fail_field(
            error, ABUT_ERROR_ARGUMENT, "support", ": expected a body of the model, got %d", (int)def->support);
    if (def->other_foot < -1 || def->other_foot >= problem->model->body_count ||
        (def->other_foot >= 0 && def->support < 0) || (def->other_foot >= 0 && def->other_foot == def->support))
        return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "other_foot", ": expected a body beside the support, got %d",
            (int)def->other_foot);
    if (def->other_foot >= 0 && def->coordinate_count > 0)
        return abut_fail_field(
            error, ABUT_ERROR_ARGUMENT, "other_foot", ": expected no coupling of the caller's with two feet");
    if (def->neighbors < 0 || def->coordinate_count < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "neighbors, coordinate_count: expected 0 or more, got %d, %d",
            (int)def->neighbors, (int)def->coordinate_count);
    return ABUT_OK;
}

/* Lists of links, and what they say of obstacles. */
static AbutStatus check_lists(const AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error) {
    for (int32_t i = 0; i < def->mesh_count; ++i)
        if (!is_good_mesh(problem->obstacles, &def->meshes[i]))
            return abut_fail(error, ABUT_ERROR_ARGUMENT,
                "mesh %d: expected a tree or a cloud, a body of the obstacles, a pose and shapes of theirs", (int)i);
    ABUT_TRY(check_links(problem, def->left_out_count, def->left_out, "left_out", error));
    ABUT_TRY(check_links(problem, def->only_count, def->only, "only", error));
    ABUT_TRY(check_links(problem, def->added_count, def->added, "added", error));
    for (int32_t i = 0; i < def->window_count; ++i)
        ABUT_TRY(check_links(problem, 1, &def->windows[i].links, "window", error));
    return abut_plan_windows_check(def, error);
}

static AbutStatus refuse_movable(const AbutModel *obstacles, AbutError *error) {
    if (!obstacles || obstacles->joint_count == 0) return ABUT_OK;
    const AbutJointDef *joint = &obstacles->joints[0];
    int named = joint->name[0] != 0;
    return abut_fail_field(error, ABUT_ERROR_ARGUMENT, "obstacles", ": %s '%s' moves; expected what stands",
        named ? "joint" : "body", named ? joint->name : obstacles->bodies[joint->body].name);
}

/* Obstacles with the name of a link get another one. */
static AbutStatus name_obstacles(AbutPlanProblem *problem, AbutError *error) {
    size_t count = problem->obstacles ? (size_t)problem->obstacles->body_count : 0;
    problem->obstacle_names = abut_alloc_array(count + 1, sizeof *problem->obstacle_names);
    if (!problem->obstacle_names) return abut_fail_memory(error);
    memset(problem->obstacle_names, 0, (count + 1) * sizeof *problem->obstacle_names);
    for (size_t i = 0; i < count; ++i) {
        const char *name = problem->obstacles->bodies[i].name;
        if (abut_model_find(problem->model, ABUT_MODEL_BODY, name) < 0) continue;
        size_t size = strlen(ABUT_PLAN_OBSTACLE_PREFIX) + strlen(name) + 1;
        problem->obstacle_names[i] = abut_alloc(size);
        if (!problem->obstacle_names[i]) return abut_fail_memory(error);
        snprintf(problem->obstacle_names[i], size, ABUT_PLAN_OBSTACLE_PREFIX "%s", name);
    }
    return ABUT_OK;
}

void abut_plan_joints_at(const AbutConfiguration *posture, double *joints) {
    ABUT_ASSERT(posture && joints);
    const AbutModel *model = abut_configuration_model(posture);
    for (int32_t i = 0; i < model->joint_count; ++i)
        joints[i] = model->joints[i].kind == ABUT_JOINT_BALL
                        ? 0.0
                        : abut_configuration_positions(
                              posture)[abut_configuration_joint_place(posture, i, ABUT_NUMBERS_POSITIONS)];
}

static AbutStatus set_rest(AbutPlanProblem *problem, const AbutConfiguration *posture, AbutError *error) {
    const AbutModel *model = problem->model;
    problem->position_count = abut_configuration_position_count(posture);
    problem->positions = abut_alloc_array((size_t)problem->position_count + 1, sizeof *problem->positions);
    problem->rest = abut_alloc_array((size_t)model->joint_count + 1, sizeof *problem->rest);
    if (!problem->rest || !problem->positions) return abut_fail_memory(error);
    memcpy(problem->positions, abut_configuration_positions(posture),
        (size_t)problem->position_count * sizeof *problem->positions);
    abut_plan_joints_at(posture, problem->rest);
    return ABUT_OK;
}

static AbutStatus make_tree(
    AbutPlanProblem *problem, const AbutConfiguration *posture, const AbutPlanDef *def, AbutError *error) {
    const AbutModel *model = problem->model;
    uint8_t *held = abut_alloc((size_t)model->joint_count + 1);
    if (!held) return abut_fail_memory(error);
    for (int32_t i = 0; i < model->joint_count; ++i)
        held[i] = model->joints[i].kind == ABUT_JOINT_BALL || (def->held && def->held[i]);
    AbutStatus status = abut_plan_tree_make(posture, held, problem->rest, def->support, &problem->tree, error);
    abut_free(held);
    return status;
}

/* ---- the robot --------------------------------------------------------------------------------------------------- */

static AbutStatus place_rest(AbutPlanRobot *robot, AbutError *error) {
    const AbutPlanTree *tree = &robot->base.tree;
    size_t posture = abut_plan_posture_size(tree);
    char *memory = abut_alloc(posture + ((size_t)tree->joint_count + 1) * sizeof(double));
    if (!memory) return abut_fail_memory(error);
    double *q = (double *)(memory + posture);
    robot->rest = abut_plan_posture_in(tree, memory);
    abut_plan_pick_joints(&robot->base, robot->base.rest, q);
    abut_plan_tree_place(tree, q, &robot->rest);
    return ABUT_OK;
}

static AbutStatus make_robot(
    AbutPlanRobot *robot, const AbutConfiguration *posture, const AbutPlanDef *def, AbutError *error) {
    AbutPlanProblem *base = &robot->base;
    ABUT_TRY(check_def(base, def, error));
    ABUT_TRY(set_rest(base, posture, error));
    ABUT_TRY(make_tree(base, posture, def, error));
    ABUT_TRY(place_rest(robot, error));
    ABUT_TRY(abut_plan_pieces_make(base, def, error));
    ABUT_TRY(abut_plan_body_make(base, &robot->body, error));
    ABUT_TRY(abut_plan_pairs_make(robot, posture, def, error));
    ABUT_TRY(abut_plan_limits_make(base, def, error));
    ABUT_TRY(abut_plan_couplings_make(base, def, error));
    ABUT_TRY(abut_plan_coordinates_make(base, def, error));
    return abut_plan_balance_make(base, posture, def, error);
}

AbutStatus abut_plan_robot_create(
    const AbutConfiguration *posture, const AbutPlanDef *def, AbutPlanRobot **out, AbutError *error) {
    ABUT_ASSERT(posture && out);
    AbutPlanDef preset = abut_plan_def_default();
    AbutPlanRobot *robot = abut_alloc(sizeof *robot);
    *out = NULL;
    if (!robot) return abut_fail_memory(error);
    memset(robot, 0, sizeof *robot);
    atomic_init(&robot->references, 1);
    def = def ? def : &preset;
    robot->base.shared = robot;
    robot->base.model = abut_configuration_model(posture);
    robot->base.robot = abut_tree_retain(abut_configuration_tree(posture));
    robot->base.margin = def->margin;
    robot->base.support = def->support;
    robot->base.other_foot = def->other_foot;
    AbutStatus status = make_robot(robot, posture, def, error);
    if (status)
        abut_plan_robot_free(robot);
    else
        *out = robot;
    return status;
}

/* Owned by each problem. */
static void free_lists(AbutPlanProblem *problem) {
    abut_plan_scene_free(&problem->scene);
    abut_free(problem->places);
    abut_free(problem->home);
    abut_free(problem->pieces);
    abut_free(problem->piece_start);
    for (int32_t i = 0; i < problem->made_count; ++i) abut_polyhedron_free(problem->made[i]);
    abut_free(problem->made);
    abut_free(problem->pairs);
    abut_free(problem->exceptions);
    abut_free(problem->spans);
    abut_free(problem->items);
    abut_free(problem->item_start);
    abut_free(problem->surfaces);
    abut_free(problem->facings);
    for (int32_t i = 0; i < problem->note_count; ++i) abut_free(problem->notes[i]);
    abut_free(problem->notes);
    for (int32_t i = 0; problem->obstacle_names && problem->obstacles && i < problem->obstacles->body_count; ++i)
        abut_free(problem->obstacle_names[i]);
    abut_free(problem->obstacle_names);
}

void abut_plan_robot_free(const AbutPlanRobot *robot) {
    AbutPlanRobot *own = (AbutPlanRobot *)(uintptr_t)robot;
    if (!own || atomic_fetch_sub_explicit(&own->references, 1, memory_order_acq_rel) > 1) return;
    AbutPlanProblem *base = &own->base;
    free_lists(base);
    abut_plan_body_free(&own->body);
    abut_free(own->joints_to_world);
    abut_free(own->rest.node);
    abut_plan_tree_free(&base->tree);
    abut_tree_release(base->robot);
    abut_free(base->rest);
    abut_free(base->positions);
    abut_free(base->masses);
    abut_free(base->limits);
    abut_free(base->entries);
    abut_free(base->offset);
    abut_free(base->lower);
    abut_free(base->upper);
    if (base->names) abut_free(base->names[0]);
    abut_free(base->names);
    abut_free(own);
}

/* ---- a robot among obstacles ------------------------------------------------------------------------------------- */

static int copy_list(void *out, size_t *capacity, const void *from, int32_t count, size_t size) {
    void *list = NULL;
    if (!abut_grow(&list, capacity, (size_t)count + 1, size)) return 0;
    if (count > 0) memcpy(list, from, (size_t)count * size);
    memcpy(out, &list, sizeof list);
    return 1;
}

/* Takes over what the robot has; its lists are copied, to be longer. */
static AbutStatus take_robot(const AbutPlanRobot *robot, AbutPlanProblem *out, AbutError *error) {
    const AbutPlanProblem *base = &robot->base;
    *out = *base;
    out->scene = (AbutPlanScene){0};
    out->pieces = NULL;
    out->piece_start = out->item_start = NULL;
    out->pairs = out->exceptions = NULL;
    out->items = NULL;
    out->notes = NULL;
    out->made = NULL;
    out->made_count = out->note_count = 0;
    out->piece_capacity = out->made_capacity = out->pair_capacity = out->item_capacity = out->exception_capacity =
        out->note_capacity = 0;
    atomic_fetch_add_explicit(&((AbutPlanRobot *)(uintptr_t)robot)->references, 1, memory_order_relaxed);
    AbutStatus status = ABUT_OK;
    if (!copy_list(&out->pieces, &out->piece_capacity, base->pieces, base->piece_count, sizeof *out->pieces) ||
        !copy_list(&out->pairs, &out->pair_capacity, base->pairs, base->pair_count, sizeof *out->pairs) ||
        !copy_list(&out->items, &out->item_capacity, base->items, base->item_count, sizeof *out->items) ||
        !copy_list(&out->exceptions, &out->exception_capacity, base->exceptions, base->exception_count,
            sizeof *out->exceptions))
        status = abut_fail_memory(error);
    for (int32_t i = 0; i < base->note_count && !status; ++i)
        status = abut_plan_add_note(out, error, "%s", base->notes[i]);
    return status;
}

/* A piece in another frame. */
static void carry(AbutPlanPiece *out, const AbutPlanPiece *from, AbutPose by) {
    out->pose = abut_pose_mul(by, from->pose);
    out->ball.center = abut_pose_apply(by, from->ball.center);
    out->hull.a = abut_pose_apply(by, from->hull.a);
    out->hull.b = abut_pose_apply(by, from->hull.b);
}

/* Where obstacles are, and their pieces as they are in them. */
static AbutStatus note_places(AbutPlanProblem *problem, AbutError *error) {
    int32_t bodies = problem->model->body_count, own = problem->shared->base.piece_count;
    size_t count = (size_t)(abut_plan_link_count(problem) - bodies);
    problem->places = abut_alloc_array(count + 1, sizeof *problem->places);
    problem->home = abut_alloc_array((size_t)(problem->piece_count - own) + 1, sizeof *problem->home);
    if (!problem->places || !problem->home) return abut_fail_memory(error);
    for (size_t i = 0; i < count; ++i) problem->places[i] = abut_plan_standing(problem->obstacles, (int32_t)i);
    for (int32_t i = own; i < problem->piece_count; ++i) {
        problem->home[i - own] = problem->pieces[i];
        carry(&problem->home[i - own], &problem->pieces[i],
            abut_pose_inv(problem->places[problem->pieces[i].link - bodies]));
    }
    return ABUT_OK;
}

static AbutStatus make_problem(AbutPlanProblem *problem, const AbutPlanRobot *robot, const AbutModel *obstacles,
    const AbutPlanDef *def, AbutError *error) {
    AbutStatus status = take_robot(robot, problem, error);
    problem->obstacles = obstacles;
    ABUT_TRY(status);
    ABUT_TRY(check_lists(problem, def, error));
    ABUT_TRY(refuse_movable(obstacles, error));
    ABUT_TRY(name_obstacles(problem, error));
    ABUT_TRY(abut_plan_obstacle_pieces_make(problem, def, error));
    ABUT_TRY(note_places(problem, error));
    ABUT_TRY(abut_plan_surfaces_make(problem, def, error));
    ABUT_TRY(abut_plan_obstacle_pairs_make(problem, def, error));
    ABUT_TRY(abut_plan_windows_make(problem, def, error));
    return abut_plan_scene_make(problem, error);
}

AbutStatus abut_plan_robot_problem(const AbutPlanRobot *robot, const AbutModel *obstacles, const AbutPlanDef *def,
    AbutPlanProblem **out, AbutError *error) {
    ABUT_ASSERT(robot && out);
    AbutPlanDef preset = abut_plan_def_default();
    AbutPlanProblem *problem = abut_alloc(sizeof *problem);
    *out = NULL;
    if (!problem) return abut_fail_memory(error);
    AbutStatus status = make_problem(problem, robot, obstacles, def ? def : &preset, error);
    if (status)
        abut_plan_problem_free(problem);
    else
        *out = problem;
    return status;
}

AbutStatus abut_plan_problem_create(const AbutConfiguration *posture, const AbutModel *obstacles,
    const AbutPlanDef *def, AbutPlanProblem **out, AbutError *error) {
    AbutPlanRobot *robot;
    ABUT_ASSERT(posture && out);
    *out = NULL;
    ABUT_TRY(abut_plan_robot_create(posture, def, &robot, error));
    AbutStatus status = abut_plan_robot_problem(robot, obstacles, def, out, error);
    abut_plan_robot_free(robot);
    return status;
}

void abut_plan_problem_free(AbutPlanProblem *problem) {
    if (!problem) return;
    free_lists(problem);
    abut_plan_robot_free(problem->shared);
    abut_free(problem);
}

void abut_plan_move_obstacle(AbutPlanProblem *problem, int32_t link, AbutPose pose) {
    ABUT_ASSERT(problem && link >= problem->model->body_count && link < abut_plan_link_count(problem));
    int32_t own = problem->shared->base.piece_count;
    problem->places[link - problem->model->body_count] = pose;
    for (int32_t i = problem->piece_start[link]; i < problem->piece_start[link + 1]; ++i)
        carry(&problem->pieces[i], &problem->home[i - own], pose);
    for (int32_t i = 0; i < problem->surface_count; ++i)
        if (problem->surfaces[i].link == link)
            problem->surfaces[i].pose = abut_pose_mul(pose, problem->surfaces[i].home);
    abut_plan_set_slack(problem);
    abut_plan_scene_move(problem, link);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

int32_t abut_plan_joint_count(const AbutPlanProblem *problem) {
    ABUT_ASSERT(problem);
    return problem->tree.joint_count;
}

int32_t abut_plan_joint(const AbutPlanProblem *problem, int32_t i) {
    ABUT_ASSERT(problem && i >= 0 && i < problem->tree.joint_count);
    return problem->tree.joints[i];
}

int32_t abut_plan_pair_count(const AbutPlanProblem *problem) {
    ABUT_ASSERT(problem);
    return problem->pair_count;
}

AbutPair abut_plan_pair(const AbutPlanProblem *problem, int32_t i) {
    ABUT_ASSERT(problem && i >= 0 && i < problem->pair_count);
    return problem->pairs[i];
}

int64_t abut_plan_pair_triangles(const AbutPlanProblem *problem, int32_t i) {
    ABUT_ASSERT(problem && i >= 0 && i < problem->pair_count);
    int64_t count = 0;
    for (int32_t k = 0; k < problem->surface_count; ++k)
        if (problem->surfaces[k].link == problem->pairs[i].b && problem->surfaces[k].tree)
            count += problem->surfaces[k].tree->triangle_count;
    return count;
}

int32_t abut_plan_link_count(const AbutPlanProblem *problem) {
    ABUT_ASSERT(problem);
    return problem->model->body_count + (problem->obstacles ? problem->obstacles->body_count : 0);
}

const char *abut_plan_link_name(const AbutPlanProblem *problem, int32_t link) {
    ABUT_ASSERT(problem && link >= 0);
    int32_t bodies = problem->model->body_count;
    if (link < bodies) return problem->model->bodies[link].name;
    const char *other = problem->obstacle_names[link - bodies];
    return other ? other : problem->obstacles->bodies[link - bodies].name;
}

int32_t abut_plan_exceptions(const AbutPlanProblem *problem, const AbutPair **pairs) {
    ABUT_ASSERT(problem);
    if (pairs) *pairs = problem->exceptions;
    return problem->exception_count;
}

int32_t abut_plan_note_count(const AbutPlanProblem *problem) {
    ABUT_ASSERT(problem);
    return problem->note_count;
}

const char *abut_plan_note(const AbutPlanProblem *problem, int32_t i) {
    ABUT_ASSERT(problem && i >= 0 && i < problem->note_count);
    return problem->notes[i];
}

int32_t abut_plan_coordinate_count(const AbutPlanProblem *problem) {
    ABUT_ASSERT(problem);
    return problem->coordinate_count;
}

void abut_plan_coordinate_limits(const AbutPlanProblem *problem, int32_t i, double limits[2]) {
    ABUT_ASSERT(problem && i >= 0 && i < problem->coordinate_count);
    limits[0] = problem->lower[i];
    limits[1] = problem->upper[i];
}

const char *abut_plan_coordinate_name(const AbutPlanProblem *problem, int32_t i) {
    ABUT_ASSERT(problem && i >= 0 && i < problem->coordinate_count);
    return problem->names[i];
}

AbutPlanJointLimits abut_plan_joint_limits(const AbutPlanProblem *problem, int32_t i) {
    ABUT_ASSERT(problem && i >= 0 && i < problem->tree.joint_count);
    return problem->limits[i];
}

int32_t abut_plan_polygon(const AbutPlanProblem *problem, AbutVec3 *corners) {
    ABUT_ASSERT(problem && corners);
    memcpy(corners, problem->corners, (size_t)problem->edge_count * sizeof *corners);
    return problem->edge_count;
}
