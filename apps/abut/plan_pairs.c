/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of links as text. In: A:B,C:D, or lines with one each; A:B@FROM:TO as well where pairs may meet in a part of
 * the time. Out: lists for a planning problem.
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"

static AbutStatus find_link(
    const AbutModel *const models[2], const char *name, size_t length, int32_t *out, AbutError *error) {
    char text[200];
    const char *near = NULL;
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    int only = strncmp(text, ABUT_PLAN_OBSTACLE_PREFIX, strlen(ABUT_PLAN_OBSTACLE_PREFIX)) == 0 && models[1];
    for (int k = 0; k < 2 && models[k]; ++k) {
        int32_t i =
            abut_model_find(models[k], ABUT_MODEL_BODY, k && only ? text + strlen(ABUT_PLAN_OBSTACLE_PREFIX) : text);
        *out = k ? models[0]->body_count + i : i;
        if (i >= 0) return ABUT_OK;
        if (!near && models[k]->body_count)
            near = abut_suggest(text, models[k]->body_count, &models[k]->bodies[0].name, sizeof models[k]->bodies[0]);
    }
    for (int32_t i = 0; models[1] && i < models[1]->body_count; ++i) {
        const char *file = models[1]->bodies[i].name; /* of a mesh, whose ending was left away */
        near = strncmp(file, text, strlen(text)) == 0 && file[strlen(text)] == '.' ? file : near;
    }
    return near ? abut_fail(error, ABUT_ERROR_ARGUMENT, "no link '%s'; did you mean '%s'?", text, near)
                : abut_fail(error, ABUT_ERROR_ARGUMENT, "no link '%s' in the robot or the obstacles", text);
}

/* Two links from a text A:B of some length. */
static AbutStatus read_links(
    const AbutModel *const models[2], const char *text, size_t length, AbutPair *out, AbutError *error) {
    size_t first = strcspn(text, ":");
    if (first >= length)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "expected pairs A:B,C:D, got '%.*s'", (int)length, text);
    AbutStatus status = find_link(models, text, first, &out->a, error);
    if (status == ABUT_OK) status = find_link(models, text + first + 1, length - first - 1, &out->b, error);
    if (status == ABUT_OK && out->a == out->b)
        status = abut_fail(error, ABUT_ERROR_ARGUMENT, "expected two different links, got '%.*s'", (int)length, text);
    return status;
}

/* FROM:TO of some length. */
static AbutStatus read_span(const char *text, size_t length, AbutPlanWindow *out, AbutError *error) {
    char *end = NULL;
    out->from = strtod(text, &end);
    int good = end > text && *end == ':';
    if (good) {
        const char *second = end + 1;
        out->to = strtod(second, &end);
        good = end > second && end == text + length;
    }
    return good && out->from >= 0.0 && out->from < out->to && out->to <= 1.0 && out->to - out->from < 1.0
               ? ABUT_OK
               : abut_fail(error, ABUT_ERROR_ARGUMENT,
                     "expected A:B@FROM:TO with parts of the time, 0 to 1, got '@%.*s'", (int)length, text);
}

/* The length of the pair at `text`, up to a comma, a blank, the end of a line or a comment. */
static size_t pair_length(const char *text) { return strcspn(text, ", \r\n#"); }

/* Where the next pair begins; NULL: there is none. */
static const char *next_pair(const char *text) {
    for (; *text == '#' || strspn(text, " \r\n"); text += strspn(text, " \r\n"))
        text += *text == '#' ? strcspn(text, "\n") : 0;
    return *text ? text : NULL;
}

AbutStatus plan_pairs_parse(
    const char *text, const AbutModel *robot, const AbutModel *obstacles, PlanPairs *out, AbutError *error) {
    ABUT_ASSERT(text && robot && out);
    const AbutModel *const models[2] = {robot, obstacles};
    size_t most = 2;
    AbutStatus status = ABUT_OK;
    for (const char *p = text; *p; ++p) most += *p == ',' || *p == '\n';
    out->pairs = abut_alloc_array(most, sizeof *out->pairs);
    out->windows = abut_alloc_array(most, sizeof *out->windows);
    if (!out->pairs || !out->windows) return abut_fail_memory(error);
    for (const char *p = next_pair(text); p && status == ABUT_OK;) {
        size_t length = pair_length(p), links = out->timed ? strcspn(p, ", \r\n#@") : length;
        AbutPair pair;
        status = read_links(models, p, links, &pair, error);
        if (status == ABUT_OK && links < length) {
            AbutPlanWindow *w = &out->windows[out->window_count++];
            w->links = pair;
            status = read_span(p + links + 1, length - links - 1, w, error);
        } else {
            out->pairs[out->count++] = pair;
        }
        p += length;
        p = *p == ',' && !next_pair(p + 1) ? p + 1 : next_pair(p + (*p == ','));
    }
    return status;
}
