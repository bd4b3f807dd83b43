/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which links must not meet. All pairs but neighbors, pairs that the model excludes, pairs that the caller leaves out,
 * and pairs that are always near (near_pairs.c), which are listed apart: nothing is proved of them. Those that the
 * caller adds count all the same. Joints of the model count here, whether they move in this problem or not; a free base
 * counts as one. Out: the pairs, and for each the pairs of its convex pieces with the joints that move them, which may
 * be none.
 */
#include "proof/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

AbutStatus abut_plan_add_note(AbutPlanProblem *problem, AbutError *error, const char *format, ...) {
    char text[300];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    char *copy = abut_alloc(strlen(text) + 1);
    if (!copy ||
        !abut_grow((void **)&problem->notes, &problem->note_capacity, (size_t)problem->note_count + 1, sizeof copy)) {
        abut_free(copy);
        return abut_fail_memory(error);
    }
    strcpy(copy, text);
    problem->notes[problem->note_count++] = copy;
    return ABUT_OK;
}

/* ---- one item ---------------------------------------------------------------------------------------------------- */

/* Joints of a node that are not joints of the other. */
static void set_joints(const AbutPlanProblem *problem, AbutPlanItem *item) {
    const AbutPlanTree *tree = &problem->tree;
    int32_t node[2] = {problem->pieces[item->a].node, problem->pieces[item->b].node}, count[2], common = 0;
    const int32_t *path[2];
    for (int k = 0; k < 2; ++k) {
        path[k] = tree->path + (node[k] < 0 ? 0 : tree->path_start[node[k]]);
        count[k] = node[k] < 0 ? 0 : tree->path_start[node[k] + 1] - tree->path_start[node[k]];
    }
    while (common < count[0] && common < count[1] && path[0][common] == path[1][common]) ++common;
    item->joints_a = path[0] + common;
    item->joints_b = path[1] + common;
    item->count_a = count[0] - common;
    item->count_b = count[1] - common;
}

AbutPlanItem abut_plan_item_of(const AbutPlanProblem *problem, int32_t a, int32_t b) {
    int swap = problem->pieces[a].flat;
    AbutPlanItem item = {.a = swap ? b : a, .b = swap ? a : b};
    set_joints(problem, &item);
    return item;
}

/* ---- which pairs ------------------------------------------------------------------------------------------------- */

static int is_listed(int32_t count, const AbutPair *list, int32_t a, int32_t b) {
    for (int32_t i = 0; i < count; ++i)
        if ((list[i].a == a && list[i].b == b) || (list[i].a == b && list[i].b == a)) return 1;
    return 0;
}

static int is_excluded(const AbutModel *model, int32_t a, int32_t b) {
    for (int32_t i = 0; i < model->pair_count; ++i) {
        const AbutPairDef *p = &model->pairs[i];
        if (p->exclude && ((p->a == a && p->b == b) || (p->a == b && p->b == a))) return 1;
    }
    return 0;
}

/* ---- joints of the model ----------------------------------------------------------------------------------------- */

/* The tree in which every hinge and slide of the model moves. */
typedef struct Census {
    AbutPlanProblem *problem;
    const AbutPlanDef *def;
    AbutPlanTree tree;
} Census;

static int has_pieces(const AbutPlanProblem *problem, int32_t link) {
    int has = problem->piece_start[link + 1] > problem->piece_start[link];
    for (int32_t i = 0; i < problem->surface_count && !has; ++i) has = problem->surfaces[i].link == link;
    return has;
}

/* 1: a body hangs on a free base that no support holds. */
static int is_adrift(const Census *c, int32_t root) {
    const AbutModel *model = c->problem->model;
    int32_t support = c->def->support;
    return model->bodies[root].kind == ABUT_BODY_DYNAMIC && (support < 0 || abut_plan_root_of(model, support) != root);
}

/* 1: a link of a robot on two feet that stands still whatever the joints do, or what is no part of a robot. */
static int stands(const Census *c, int32_t link) {
    const AbutModel *model = c->problem->model;
    if (c->def->other_foot < 0) return 0;
    return link >= model->body_count || link == c->def->support || link == c->def->other_foot ||
           model->bodies[link].kind == ABUT_BODY_STATIC;
}

/* Joints between two links; obstacles have none of their own. */
static int32_t joints_between(const Census *c, int32_t a, int32_t b) {
    const AbutModel *model = c->problem->model;
    int32_t link[2] = {a, b}, count[2] = {0, 0}, root[2] = {-1, -1}, adrift = 0, common = 0;
    const int32_t *path[2] = {c->tree.path, c->tree.path};
    for (int k = 0; k < 2; ++k)
        if (link[k] < model->body_count) {
            int32_t node = c->tree.body_node[link[k]], first = c->tree.path_start[node];
            path[k] = c->tree.path + first;
            count[k] = c->tree.path_start[node + 1] - first;
            root[k] = abut_plan_root_of(model, link[k]);
            adrift += is_adrift(c, root[k]);
        }
    if (stands(c, a) && stands(c, b)) return 0;
    while (common < count[0] && common < count[1] && path[0][common] == path[1][common]) ++common;
    return count[0] + count[1] - 2 * common + (root[0] == root[1] ? 0 : adrift);
}

/* Balls stay as they are in the posture. */
static AbutStatus make_census(Census *c, const AbutConfiguration *posture, AbutError *error) {
    const AbutModel *model = c->problem->model;
    uint8_t *held = abut_alloc((size_t)model->joint_count + 1);
    if (!held) return abut_fail_memory(error);
    for (int32_t i = 0; i < model->joint_count; ++i) held[i] = model->joints[i].kind == ABUT_JOINT_BALL;
    AbutStatus status = abut_plan_tree_make(posture, held, c->problem->rest, c->def->support, &c->tree, error);
    abut_free(held);
    return status;
}

/* ---- one pair ---------------------------------------------------------------------------------------------------- */

int abut_plan_may_touch(const AbutPlanProblem *problem, int32_t a, int32_t b) {
    if (problem->pieces[a].flat && problem->pieces[b].flat) return 0;
    return problem->pieces[a].link >= problem->model->body_count ||
           problem->pieces[b].link >= problem->model->body_count ||
           ((problem->pieces[a].category & problem->pieces[b].mask) &&
               (problem->pieces[b].category & problem->pieces[a].mask));
}

/* Adds the pairs of pieces of two links, as those of pair number pair_count. */
static AbutStatus add_items(AbutPlanProblem *problem, AbutPair links, AbutError *error) {
    const int32_t *start = problem->piece_start;
    size_t most = (size_t)(start[links.a + 1] - start[links.a]) * (size_t)(start[links.b + 1] - start[links.b]);
    if (!abut_grow((void **)&problem->items, &problem->item_capacity, (size_t)problem->item_count + most + 1,
            sizeof *problem->items))
        return abut_fail_memory(error);
    for (int32_t i = start[links.a]; i < start[links.a + 1]; ++i)
        for (int32_t k = start[links.b]; k < start[links.b + 1]; ++k)
            if (abut_plan_may_touch(problem, i, k)) {
                problem->items[problem->item_count] = abut_plan_item_of(problem, i, k);
                problem->items[problem->item_count++].pair = problem->pair_count;
            }
    return ABUT_OK;
}

/* As above, for pieces and surfaces. */
static AbutStatus add_facings(AbutPlanProblem *problem, AbutPair links, AbutError *error) {
    const AbutPlanTree *tree = &problem->tree;
    for (int32_t k = 0; k < problem->surface_count; ++k)
        for (int32_t i = problem->piece_start[links.a];
             problem->surfaces[k].link == links.b && i < problem->piece_start[links.a + 1]; ++i) {
            int32_t node = problem->pieces[i].node;
            if (!abut_grow((void **)&problem->facings, &problem->facing_capacity, (size_t)problem->facing_count + 1,
                    sizeof *problem->facings))
                return abut_fail_memory(error);
            problem->facings[problem->facing_count++] = (AbutPlanFacing){i, k, problem->pair_count,
                tree->path_start[node + 1] - tree->path_start[node], tree->path + tree->path_start[node]};
        }
    return ABUT_OK;
}

/* May the caller's lists and the model let two links meet? */
static int is_wanted(const AbutPlanProblem *problem, const AbutPlanDef *def, int32_t a, int32_t b, int32_t between) {
    if (!has_pieces(problem, a) || !has_pieces(problem, b)) return 0;
    if (def->only_count > 0) return is_listed(def->only_count, def->only, a, b);
    if (is_listed(def->left_out_count, def->left_out, a, b)) return 0;
    if (is_listed(def->added_count, def->added, a, b)) return 1;
    return b >= problem->model->body_count || (between > def->neighbors && !is_excluded(problem->model, a, b));
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static AbutStatus add_pair(AbutPlanProblem *problem, AbutPair links, AbutError *error) {
    int32_t items = problem->item_count, facings = problem->facing_count;
    AbutStatus status = add_items(problem, links, error);
    if (!status) status = add_facings(problem, links, error);
    if (status || (problem->item_count == items && problem->facing_count == facings)) return status;
    if (!abut_grow(
            (void **)&problem->pairs, &problem->pair_capacity, (size_t)problem->pair_count + 1, sizeof *problem->pairs))
        return abut_fail_memory(error);
    problem->pairs[problem->pair_count++] = links;
    return ABUT_OK;
}

/* Where the items and facings of each pair begin. */
static AbutStatus list_starts(AbutPlanProblem *problem, AbutError *error) {
    size_t count = (size_t)problem->pair_count + 2;
    int32_t *item = problem->item_start = abut_alloc_array(2 * count, sizeof *item), *facing = item + count;
    if (!item) return abut_fail_memory(error);
    problem->facing_start = facing;
    memset(item, 0, 2 * count * sizeof *item);
    for (int32_t i = 0; i < problem->item_count; ++i) ++item[problem->items[i].pair + 1];
    for (int32_t i = 0; i < problem->facing_count; ++i) ++facing[problem->facings[i].pair + 1];
    for (int32_t i = 0; i < problem->pair_count; ++i) {
        item[i + 1] += item[i];
        facing[i + 1] += facing[i];
    }
    return ABUT_OK;
}

/* Pairs that the caller listed, and that have nothing to measure, are named. */
static AbutStatus note_empty(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < def->only_count && !status; ++i)
        if (!is_listed(problem->pair_count, problem->pairs, def->only[i].a, def->only[i].b))
            status = abut_plan_add_note(problem, error,
                "%s and %s are left out: both are obstacles, or have no shapes that may meet",
                abut_plan_link_name(problem, def->only[i].a), abut_plan_link_name(problem, def->only[i].b));
    return status;
}

/* Can the pair be left out as always near? Not what the caller lists. */
static int may_be_near(const AbutPlanDef *def, AbutPair links) {
    return def->only_count == 0 && !is_listed(def->added_count, def->added, links.a, links.b);
}

/* All pairs of links of the robot that are wanted, to be freed. */
static AbutStatus list_wanted(const Census *c, AbutPlanNearPair **out, int32_t *count, AbutError *error) {
    int32_t bodies = c->problem->model->body_count;
    size_t room = 0;
    *out = NULL;
    *count = 0;
    for (int32_t a = 0; a < bodies; ++a)
        for (int32_t b = a + 1; b < bodies; ++b) {
            AbutPair pair = {a, b};
            if (!is_wanted(c->problem, c->def, a, b, joints_between(c, a, b))) continue;
            if (!abut_grow((void **)out, &room, (size_t)*count + 1, sizeof **out)) return abut_fail_memory(error);
            (*out)[(*count)++] = (AbutPlanNearPair){pair, may_be_near(c->def, pair), 0, 0.0};
        }
    return ABUT_OK;
}

/* Leaves a pair out, with a note. It is an exception of the proof, unless it is an obstacle that a link stands on: no
 * joint moves one against the other, so that the two are neighbors. */
static AbutStatus leave_out(AbutPlanProblem *problem, const AbutPlanNearPair *pair, AbutError *error) {
    const char *a = abut_plan_link_name(problem, pair->links.a), *b = abut_plan_link_name(problem, pair->links.b);
    const char *how = pair->distance < 0.0 ? "in each other by" : "apart by";
    double mm = 1e3 * fabs(pair->distance);
    if (pair->links.b >= problem->model->body_count)
        return abut_plan_add_note(
            problem, error, "%s and %s are left out: %s %.1f mm, and no joint moves them", a, b, how, mm);
    if (!abut_grow((void **)&problem->exceptions, &problem->exception_capacity, (size_t)problem->exception_count + 1,
            sizeof *problem->exceptions))
        return abut_fail_memory(error);
    problem->exceptions[problem->exception_count++] = pair->links;
    return abut_plan_add_note(problem, error,
        "%s and %s are left out: always near, at best %s %.1f mm in %d postures; allow or add the pair", a, b, how, mm,
        (int)pair->postures);
}

static const double BESIDE = 1e-3; /* beyond the margin, m: nearer than that a search has no room */

AbutStatus abut_plan_pairs_make(
    AbutPlanRobot *robot, const AbutConfiguration *posture, const AbutPlanDef *def, AbutError *error) {
    AbutPlanProblem *problem = &robot->base;
    Census c = {.problem = problem, .def = def};
    AbutPlanNearPair *wanted = NULL;
    int32_t count = 0, bodies = problem->model->body_count;
    AbutStatus status = make_census(&c, posture, error);
    robot->joints_to_world = abut_alloc_array((size_t)bodies + 1, sizeof *robot->joints_to_world);
    if (!status && !robot->joints_to_world) status = abut_fail_memory(error);
    for (int32_t i = 0; i < bodies && !status; ++i) robot->joints_to_world[i] = joints_between(&c, i, bodies);
    if (!status) status = list_wanted(&c, &wanted, &count, error);
    if (!status) status = abut_plan_find_always_near(problem, &c.tree, def->margin + BESIDE, count, wanted, error);
    for (int32_t i = 0; i < count && !status; ++i)
        status = wanted[i].near ? leave_out(problem, &wanted[i], error) : add_pair(problem, wanted[i].links, error);
    abut_plan_tree_free(&c.tree);
    abut_free(wanted);
    return status;
}

/* A link that no joint moves and an obstacle that it is next to are neighbors. */
static AbutStatus add_obstacle_pair(
    AbutPlanProblem *problem, const AbutPlanDef *def, AbutPair links, AbutError *error) {
    double limit = def->margin + BESIDE;
    if (problem->shared->joints_to_world[links.a] == 0 && may_be_near(def, links)) {
        double distance = abut_plan_links_apart(problem, &problem->shared->rest, links, limit);
        AbutPlanNearPair near = {links, 1, 1, distance};
        if (distance < limit) return leave_out(problem, &near, error);
    }
    return add_pair(problem, links, error);
}

AbutStatus abut_plan_obstacle_pairs_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error) {
    AbutStatus status = ABUT_OK;
    int32_t bodies = problem->model->body_count, links = abut_plan_link_count(problem);
    for (int32_t a = 0; a < bodies; ++a)
        for (int32_t b = bodies; b < links && !status; ++b) {
            AbutPair pair = {a, b};
            if (is_wanted(problem, def, a, b, 0)) status = add_obstacle_pair(problem, def, pair, error);
        }
    if (!status) status = list_starts(problem, error);
    return status ? status : note_empty(problem, def, error);
}
