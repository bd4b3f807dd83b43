/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which links must not meet. All pairs but neighbours, pairs that the model excludes, pairs that the caller leaves out,
 * and pairs with few joints between them that are in contact at the reference of the model, of which a note is kept;
 * those that the caller adds count all the same. Joints of the model count here, whether they move in this problem or
 * not; a free base counts as one. Out: the pairs, and for each the pairs of its convex pieces with the joints that move
 * them, which may be none.
 */
#include "plan/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

AbutStatus abut_plan_add_note(AbutPlanProblem *problem, AbutError *error, const char *format, ...)
{
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
static void set_joints(const AbutPlanProblem *problem, AbutPlanItem *item)
{
    const AbutPlanTree *tree = &problem->tree;
    int32_t node[2] = {problem->pieces[item->a].node, problem->pieces[item->b].node}, count[2], common = 0;
    const int32_t *path[2];
    for (int k = 0; k < 2; ++k) {
        path[k] = tree->path + (node[k] < 0 ? 0 : tree->path_start[node[k]]);
        count[k] = node[k] < 0 ? 0 : tree->path_start[node[k] + 1] - tree->path_start[node[k]];
    }
    while (common < count[0] && common < count[1] && path[0][common] == path[1][common])
        ++common;
    item->joints_a = path[0] + common;
    item->joints_b = path[1] + common;
    item->count_a = count[0] - common;
    item->count_b = count[1] - common;
}

static AbutPlanItem make_item(const AbutPlanProblem *problem, int32_t a, int32_t b)
{
    int swap = problem->pieces[a].flat;
    AbutPlanItem item = {.a = swap ? b : a, .b = swap ? a : b};
    set_joints(problem, &item);
    return item;
}

/* ---- which pairs ------------------------------------------------------------------------------------------------- */

static int is_listed(int32_t count, const AbutPair *list, int32_t a, int32_t b)
{
    for (int32_t i = 0; i < count; ++i)
        if ((list[i].a == a && list[i].b == b) || (list[i].a == b && list[i].b == a))
            return 1;
    return 0;
}

static int is_excluded(const AbutModel *model, int32_t a, int32_t b)
{
    for (int32_t i = 0; i < model->pair_count; ++i) {
        const AbutPairDef *p = &model->pairs[i];
        if (p->exclude && ((p->a == a && p->b == b) || (p->a == b && p->b == a)))
            return 1;
    }
    return 0;
}

/* ---- joints of the model ----------------------------------------------------------------------------------------- */

/* The tree in which every hinge and slide of the model moves, and where its reference puts the nodes of the problem. */
typedef struct Census {
    AbutPlanProblem *problem;
    const AbutPlanDef *def;
    AbutPlanTree tree;
    AbutPlanPosture at; /* nodes of the problem's tree; no axes */
} Census;

static int has_pieces(const AbutPlanProblem *problem, int32_t link)
{
    for (int32_t i = 0; i < problem->piece_count; ++i)
        if (problem->pieces[i].link == link)
            return 1;
    for (int32_t i = 0; i < problem->surface_count; ++i)
        if (problem->surfaces[i].link == link)
            return 1;
    return 0;
}

/* 1: a body hangs on a free base that no support holds. */
static int is_adrift(const Census *c, int32_t root)
{
    const AbutModel *model = c->problem->model;
    int32_t support = c->def->support;
    return model->bodies[root].kind == ABUT_BODY_DYNAMIC && (support < 0 || abut_plan_root_of(model, support) != root);
}

/* 1: a link of a robot on two feet that stands still whatever the joints do, or what is no part of a robot. */
static int stands(const Census *c, int32_t link)
{
    const AbutModel *model = c->problem->model;
    if (c->def->other_foot < 0)
        return 0;
    return link >= model->body_count || link == c->def->support || link == c->def->other_foot ||
           model->bodies[link].kind == ABUT_BODY_STATIC;
}

/* Joints between two links; obstacles have none of their own. */
static int32_t joints_between(const Census *c, int32_t a, int32_t b)
{
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
    if (stands(c, a) && stands(c, b))
        return 0;
    while (common < count[0] && common < count[1] && path[0][common] == path[1][common])
        ++common;
    return count[0] + count[1] - 2 * common + (root[0] == root[1] ? 0 : adrift);
}

static void free_census(Census *c)
{
    abut_plan_tree_free(&c->tree);
    abut_free(c->at.node);
}

/* Balls stay as they are in the posture. */
static AbutStatus make_census(Census *c, const AbutConfiguration *posture, AbutError *error)
{
    const AbutModel *model = c->problem->model;
    const AbutPlanTree *inner = &c->problem->tree;
    uint8_t *held = abut_alloc((size_t)model->joint_count + 1);
    AbutStatus status = held ? ABUT_OK : abut_fail_memory(error);
    for (int32_t i = 0; i < model->joint_count && !status; ++i)
        held[i] = model->joints[i].kind == ABUT_JOINT_BALL;
    if (!status)
        status = abut_plan_tree_make(posture, held, c->problem->rest, c->def->support, &c->tree, error);
    void *room = status ? NULL : abut_alloc(abut_plan_posture_size(&c->tree) + 1);
    void *memory = status ? NULL : abut_alloc(abut_plan_posture_size(inner) + 1);
    if (!status && (!room || !memory))
        status = abut_fail_memory(error);
    if (!status) {
        AbutPlanPosture all = abut_plan_posture_in(&c->tree, room);
        abut_plan_tree_place(&c->tree, c->tree.reference, &all);
        c->at = abut_plan_posture_in(inner, memory);
        for (int32_t i = 0; i < model->body_count; ++i)
            c->at.node[inner->body_node[i]] = all.node[c->tree.body_node[i]];
    } else {
        abut_free(memory);
    }
    abut_free(room);
    abut_free(held);
    return status;
}

/* ---- one pair ---------------------------------------------------------------------------------------------------- */

static int filters_agree(const AbutPlanProblem *problem, int32_t a, int32_t b)
{
    return problem->pieces[a].link >= problem->model->body_count ||
           problem->pieces[b].link >= problem->model->body_count ||
           ((problem->pieces[a].category & problem->pieces[b].mask) &&
               (problem->pieces[b].category & problem->pieces[a].mask));
}

/* Counts, or with `items` writes, the pairs of pieces of two links. */
static int32_t list_items(const AbutPlanProblem *problem, AbutPair links, int32_t pair, AbutPlanItem *items)
{
    int32_t count = 0;
    for (int32_t i = 0; i < problem->piece_count; ++i) {
        if (problem->pieces[i].link != links.a)
            continue;
        for (int32_t k = 0; k < problem->piece_count; ++k) {
            if (problem->pieces[k].link != links.b || (problem->pieces[i].flat && problem->pieces[k].flat) ||
                !filters_agree(problem, i, k))
                continue;
            if (items) {
                items[count] = make_item(problem, i, k);
                items[count].pair = pair;
            }
            ++count;
        }
    }
    return count;
}

/* The same of pieces and surfaces. */
static int32_t list_facings(const AbutPlanProblem *problem, AbutPair links, int32_t pair, AbutPlanFacing *facings)
{
    const AbutPlanTree *tree = &problem->tree;
    int32_t count = 0;
    for (int32_t k = 0; k < problem->surface_count; ++k)
        for (int32_t i = 0; problem->surfaces[k].link == links.b && i < problem->piece_count; ++i) {
            int32_t node = problem->pieces[i].node;
            if (problem->pieces[i].link != links.a)
                continue;
            if (facings)
                facings[count] = (AbutPlanFacing){i, k, pair, tree->path_start[node + 1] - tree->path_start[node],
                    tree->path + tree->path_start[node]};
            ++count;
        }
    return count;
}

static int is_wanted(const Census *c, int32_t a, int32_t b)
{
    const AbutPlanProblem *problem = c->problem;
    const AbutPlanDef *def = c->def;
    if (!has_pieces(problem, a) || !has_pieces(problem, b))
        return 0;
    if (def->only_count > 0)
        return is_listed(def->only_count, def->only, a, b);
    if (is_listed(def->left_out_count, def->left_out, a, b))
        return 0;
    if (is_listed(def->added_count, def->added, a, b))
        return 1;
    return b >= problem->model->body_count ||
           (joints_between(c, a, b) > def->neighbours && !is_excluded(problem->model, a, b));
}

/* ---- contact at the reference ------------------------------------------------------------------------------------ */

/* The least distance of two links at the reference, as proofs see them. */
static double at_reference(const AbutPlanProblem *problem, AbutPair links, const AbutPlanPosture *at)
{
    double least = INFINITY;
    for (int32_t i = 0; i < problem->piece_count; ++i) {
        if (problem->pieces[i].link != links.a)
            continue;
        for (int32_t k = 0; k < problem->piece_count; ++k)
            if (problem->pieces[k].link == links.b && !problem->pieces[k].stand_in &&
                !(problem->pieces[i].flat && problem->pieces[k].flat)) {
                AbutPlanItem item = make_item(problem, i, k);
                least = fmin(least, abut_plan_item_distance(problem, &item, at, NULL).distance);
            }
        for (int32_t k = 0; k < problem->surface_count; ++k)
            if (problem->surfaces[k].link == links.b) {
                AbutPlanFacing facing = {.piece = i, .surface = k};
                least = fmin(least, abut_plan_facing_distance(problem, &facing, at).distance);
            }
    }
    return least;
}

/* Is the pair left out as one of near neighbours, or as an obstacle that a link stands on? -1: no memory. */
static int is_near(const Census *c, AbutPair links, AbutError *error)
{
    AbutPlanProblem *problem = c->problem;
    int32_t most = links.b < problem->model->body_count ? c->def->near_joints : 0;
    if (c->def->only_count > 0 || is_listed(c->def->added_count, c->def->added, links.a, links.b) ||
        joints_between(c, links.a, links.b) > most)
        return 0;
    double d = at_reference(problem, links, &c->at);
    if (d >= c->def->margin + 1e-3)
        return 0;
    AbutStatus status = abut_plan_add_note(problem, error, "%s and %s are left out: %s at the reference, %.1f mm",
        abut_plan_link_name(problem, links.a), abut_plan_link_name(problem, links.b),
        d < 0.0 ? "in each other" : "near", 1e3 * d);
    return status ? -1 : 1;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

/* How many there is room for. */
typedef struct Room {
    size_t pairs, items, facings;
} Room;

static AbutStatus add_pair(AbutPlanProblem *problem, AbutPair links, Room *room, AbutError *error)
{
    int32_t count = list_items(problem, links, 0, NULL), faced = list_facings(problem, links, 0, NULL);
    if (!count && !faced)
        return ABUT_OK;
    if (!abut_grow((void **)&problem->pairs, &room->pairs, (size_t)problem->pair_count + 1, sizeof *problem->pairs) ||
        !abut_grow((void **)&problem->items, &room->items, (size_t)problem->item_count + (size_t)count,
            sizeof *problem->items) ||
        !abut_grow((void **)&problem->facings, &room->facings, (size_t)problem->facing_count + (size_t)faced,
            sizeof *problem->facings))
        return abut_fail_memory(error);
    if (count)
        list_items(problem, links, problem->pair_count, problem->items + problem->item_count);
    if (faced)
        list_facings(problem, links, problem->pair_count, problem->facings + problem->facing_count);
    problem->item_count += count;
    problem->facing_count += faced;
    problem->pairs[problem->pair_count++] = links;
    return ABUT_OK;
}

/* Pairs that the caller listed, and that have nothing to measure, are named. */
static AbutStatus note_empty(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error)
{
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < def->only_count && !status; ++i)
        if (!is_listed(problem->pair_count, problem->pairs, def->only[i].a, def->only[i].b))
            status = abut_plan_add_note(problem, error,
                "%s and %s are left out: both are obstacles, or have no shapes that may meet",
                abut_plan_link_name(problem, def->only[i].a), abut_plan_link_name(problem, def->only[i].b));
    return status;
}

AbutStatus abut_plan_pairs_make(
    AbutPlanProblem *problem, const AbutConfiguration *posture, const AbutPlanDef *def, AbutError *error)
{
    int32_t links = abut_plan_link_count(problem);
    Room room = {0, 0, 0};
    Census c = {.problem = problem, .def = def};
    AbutStatus status = make_census(&c, posture, error);
    for (int32_t a = 0; a < problem->model->body_count && !status; ++a)
        for (int32_t b = a + 1; b < links && !status; ++b) {
            AbutPair pair = {a, b};
            if (!is_wanted(&c, a, b))
                continue;
            int near = is_near(&c, pair, error);
            status = near < 0 ? ABUT_ERROR_MEMORY : near ? ABUT_OK : add_pair(problem, pair, &room, error);
        }
    free_census(&c);
    return status ? status : note_empty(problem, def, error);
}
