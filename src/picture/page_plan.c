/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a motion of a robot: bodies over time and what they sweep, the distances of pairs with what is proved of
 * them, joints; another motion beside it. */
#include "picture/page_plan.h"

enum { CHARTED = 6 }; /* pairs in the charts of many */

static void put_line(
    AbutPage *page, const char *group, const char *unit, const char *name, const double *values, int32_t count) {
    AbutPlainNumbers plain = {values, 1};
    AbutPageTable table = {abut_page_plain, &plain, count, 1, 0.0, 0, 0.0, NULL};
    abut_page_line(page, group, name, unit, &table);
}

static void put_lines(AbutPage *page, const AbutPageFrames *p) {
    abut_json_begin_array(abut_json_key(&page->json, "series"));
    int32_t pairs = p->pair_count < CHARTED ? p->pair_count : CHARTED;
    for (int32_t i = 0; i < pairs; ++i)
        put_line(page, "Distance", "m", p->pair_names[i], p->distances + (size_t)i * (size_t)p->count, p->count);
    for (int32_t i = 0; i < pairs; ++i)
        put_line(page, "Proved not below", "m", p->pair_names[i], p->lower + (size_t)i * (size_t)p->count, p->count);
    for (int32_t i = 0; i < p->joint_count; ++i)
        put_line(page, "Joints", "rad, m", p->joint_names[i], p->joints + (size_t)i * (size_t)p->count, p->count);
    for (int32_t i = 0; p->range && i < p->joint_count; ++i)
        put_line(page, "Joints between their limits, 0 to 1", "", p->joint_names[i],
            p->range + (size_t)i * (size_t)p->count, p->count);
    if (p->balance) put_line(page, "Balance: center of mass inside the support", "m", "inside", p->balance, p->count);
    abut_json_end_array(&page->json);
}

/* Every pair, for a chart of the one that is chosen. */
static void put_pairs(AbutPage *page, const AbutPageFrames *p) {
    abut_page_panel(page, "pairs", "");
    abut_json_begin_array(abut_json_key(&page->json, "names"));
    for (int32_t i = 0; i < p->pair_count; ++i) abut_json_put_string(&page->json, NULL, p->pair_names[i]);
    abut_json_end_array(&page->json);
    abut_page_numbers(page, "distances", p->distances, p->pair_count, p->count, 0.0, 0);
    abut_page_numbers(page, "lower", p->lower, p->pair_count, p->count, 0.0, 0);
    abut_json_end_object(&page->json);
}

static void put_motion(AbutPage *page, const AbutPageFrames *plan) {
    abut_json_put_integer(&page->json, "stride", 1);
    abut_page_bodies(page, plan->model);
    abut_page_frames(page, plan->times, plan->poses, plan->count, plan->model->body_count);
    put_lines(page, plan);
}

static void put_beside(AbutPage *page, const AbutPageFrames *plan, const char *title) {
    AbutPageHead head = {.title = title};
    abut_json_begin_object(abut_json_key(&page->json, "beside"));
    abut_page_heading(page, &head, abut_zero());
    put_motion(page, plan);
    abut_json_begin_array(abut_json_key(&page->json, "panels"));
    abut_json_end_array(&page->json);
    abut_json_end_object(&page->json);
}

static AbutStatus write_frames(const char *path, const AbutPageHead *head, const AbutPageFrames *plan,
    const AbutPageFrames *beside, const char *beside_title, AbutError *error) {
    AbutPage page = abut_page_begin(head, abut_zero(), error);
    put_motion(&page, plan);
    if (beside) put_beside(&page, beside, beside_title);
    abut_json_begin_array(abut_json_key(&page.json, "panels"));
    if (plan->minimum_count > 0)
        abut_page_minima(&page, head->note, plan->minimum_count, plan->minima, plan->minimum_names);
    if (plan->pair_count > 0) put_pairs(&page, plan);
    abut_page_panel(&page, "plots", head->note);
    return abut_page_finish(&page, path);
}

AbutStatus abut_page_write_plan(
    const char *path, const AbutPageHead *head, const AbutPagePlan *plan, AbutError *error) {
    ABUT_ASSERT(path && head && plan && plan->problem && plan->trajectory && plan->trajectory->piece_count > 0);
    const AbutPageFrames *frames = NULL, *beside = NULL;
    AbutStatus status = abut_page_frames_make(plan->problem, plan->trajectory, plan->pairs, &frames, error);
    if (!status && plan->beside) status = abut_page_frames_make(plan->problem, plan->beside, NULL, &beside, error);
    if (!status) status = write_frames(path, head, frames, beside, plan->beside_title, error);
    abut_page_frames_free(frames);
    abut_page_frames_free(beside);
    return status;
}
