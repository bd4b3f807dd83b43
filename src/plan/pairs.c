/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which links must not meet. All pairs between which a joint moves, but neighbours, pairs that the model excludes,
 * pairs that the caller leaves out, and pairs with few joints between them that are in contact at the reference of the
 * model, of which a note is kept. Out: the pairs, and for each the pairs of its convex pieces with the joints that
 * count.
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
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a note");
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

static int is_listed(int32_t count, const AbutPlanLinks *list, int32_t a, int32_t b)
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

/* Moving joints between two links: -1 when one of them has no piece. */
static int32_t joints_between(const AbutPlanProblem *problem, int32_t a, int32_t b)
{
    int32_t of_a = -1, of_b = -1;
    for (int32_t i = 0; i < problem->piece_count; ++i) {
        of_a = problem->pieces[i].link == a ? i : of_a;
        of_b = problem->pieces[i].link == b ? i : of_b;
    }
    if (of_a < 0 || of_b < 0)
        return -1;
    AbutPlanItem item = make_item(problem, of_a, of_b);
    return item.count_a + item.count_b;
}

static int filters_agree(const AbutPlanProblem *problem, int32_t a, int32_t b)
{
    return problem->pieces[a].link >= problem->model->body_count ||
           problem->pieces[b].link >= problem->model->body_count ||
           ((problem->pieces[a].category & problem->pieces[b].mask) &&
               (problem->pieces[b].category & problem->pieces[a].mask));
}

/* Counts, or with `items` writes, the pairs of pieces of two links. */
static int32_t list_items(const AbutPlanProblem *problem, AbutPlanLinks links, int32_t pair, AbutPlanItem *items)
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

static int is_wanted(const AbutPlanProblem *problem, const AbutPlanDef *def, int32_t a, int32_t b)
{
    int32_t bodies = problem->model->body_count, between = joints_between(problem, a, b);
    if (between <= 0)
        return 0;
    if (def->only_count > 0)
        return is_listed(def->only_count, def->only, a, b);
    if (is_listed(def->left_out_count, def->left_out, a, b))
        return 0;
    return b >= bodies || (between > def->neighbours && !is_excluded(problem->model, a, b));
}

/* ---- contact at the reference ------------------------------------------------------------------------------------ */

/* The least distance of two links at the reference. */
static double at_reference(const AbutPlanProblem *problem, AbutPlanLinks links, const AbutPlanPosture *at)
{
    double least = INFINITY;
    for (int32_t i = 0; i < problem->piece_count; ++i)
        for (int32_t k = 0; problem->pieces[i].link == links.a && k < problem->piece_count; ++k)
            if (problem->pieces[k].link == links.b && !(problem->pieces[i].flat && problem->pieces[k].flat)) {
                AbutPlanItem item = make_item(problem, i, k);
                least = fmin(least, abut_plan_item_distance(problem, &item, at, NULL).distance);
            }
    return least;
}

/* Is the pair left out as one of near neighbours? -1: no memory. */
static int is_near(
    AbutPlanProblem *problem, const AbutPlanDef *def, AbutPlanLinks links, const AbutPlanPosture *at, AbutError *error)
{
    if (def->only_count > 0 || links.b >= problem->model->body_count ||
        joints_between(problem, links.a, links.b) > def->near_joints)
        return 0;
    double d = at_reference(problem, links, at);
    if (d >= def->margin + 1e-3)
        return 0;
    AbutStatus status = abut_plan_add_note(problem, error, "%s and %s are left out: %s at the reference, %.1f mm",
        abut_plan_link_name(problem, links.a), abut_plan_link_name(problem, links.b),
        d < 0.0 ? "in each other" : "near", 1e3 * d);
    return status ? -1 : 1;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static AbutStatus add_pair(
    AbutPlanProblem *problem, AbutPlanLinks links, size_t *pairs, size_t *items, AbutError *error)
{
    int32_t count = list_items(problem, links, 0, NULL);
    if (!count)
        return ABUT_OK;
    if (!abut_grow((void **)&problem->pairs, pairs, (size_t)problem->pair_count + 1, sizeof *problem->pairs) ||
        !abut_grow(
            (void **)&problem->items, items, (size_t)problem->item_count + (size_t)count, sizeof *problem->items))
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d pairs of pieces", (int)count);
    list_items(problem, links, problem->pair_count, problem->items + problem->item_count);
    problem->item_count += count;
    problem->pairs[problem->pair_count++] = links;
    return ABUT_OK;
}

AbutStatus abut_plan_pairs_make(AbutPlanProblem *problem, const AbutPlanDef *def, AbutError *error)
{
    int32_t links = abut_plan_link_count(problem);
    void *memory = abut_alloc(abut_plan_posture_size(&problem->tree) + 1);
    size_t pairs = 0, items = 0;
    AbutStatus status = memory ? ABUT_OK : abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a posture");
    if (status)
        return status;
    AbutPlanPosture at = abut_plan_posture_in(&problem->tree, memory);
    abut_plan_tree_place(&problem->tree, problem->tree.reference, &at);
    for (int32_t a = 0; a < problem->model->body_count && !status; ++a)
        for (int32_t b = a + 1; b < links && !status; ++b) {
            AbutPlanLinks pair = {a, b};
            if (!is_wanted(problem, def, a, b))
                continue;
            int near = is_near(problem, def, pair, &at, error);
            status = near < 0 ? ABUT_ERROR_MEMORY : near ? ABUT_OK : add_pair(problem, pair, &pairs, &items, error);
        }
    abut_free(memory);
    return status;
}
