/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of links of `abut plan`: --pairs, --add, --allow. In: a text A:B,C:D, or the name of a file with a pair on each
 * line; of --allow A:B@FROM:TO as well, pairs that may meet in a part of the time. Out: lists for the problem.
 */
#include "plan_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

int32_t plan_find_link(const PlanSetup *setup, const char *option, const char *name, size_t length)
{
    char text[200];
    const AbutModel *models[2] = {setup->robot.model, setup->obstacles.model};
    const char *near = NULL;
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    int only = strncmp(text, ABUT_PLAN_OBSTACLE_PREFIX, strlen(ABUT_PLAN_OBSTACLE_PREFIX)) == 0 && models[1];
    for (int k = 0; k < 2 && models[k]; ++k) {
        int32_t i = abut_model_find_body(models[k], k && only ? text + strlen(ABUT_PLAN_OBSTACLE_PREFIX) : text);
        if (i >= 0)
            return k ? models[0]->body_count + i : i;
        if (!near && models[k]->body_count)
            near = abut_suggest(text, models[k]->body_count, &models[k]->bodies[0].name, sizeof models[k]->bodies[0]);
    }
    for (int32_t i = 0; models[1] && i < models[1]->body_count; ++i) {
        const char *file = models[1]->bodies[i].name; /* of a mesh, whose ending was left away */
        near = strncmp(file, text, strlen(text)) == 0 && file[strlen(text)] == '.' ? file : near;
    }
    if (near)
        cli_error("%s: no link '%s'; did you mean '%s'?", option, text, near);
    cli_error("%s: no link '%s' in the robot or the obstacles", option, text);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

const char *plan_pair_file(const char *text)
{
    return text && !strchr(text, ':') && strcmp(text, "all") != 0 ? text : NULL;
}

/* Lines as one text A:B,C:D; empty ones and what follows # are skipped. `out` has room for count + 1. Gives its length.
 */
static size_t join_lines(const char *bytes, size_t count, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < count; ++i) {
        while (i < count && bytes[i] == '#')
            while (i < count && bytes[i] != '\n')
                ++i;
        if (i >= count || bytes[i] == ' ' || bytes[i] == '\r' || bytes[i] == 0)
            continue;
        char c = bytes[i] == '\n' ? ',' : bytes[i];
        if (c != ',' || (n > 0 && out[n - 1] != ','))
            out[n++] = c;
    }
    n -= n > 0 && out[n - 1] == ',';
    out[n] = 0;
    return n;
}

/* The pairs of a file as such a text, to be freed. */
static void load_pairs(const char *option, const char *path, char **out)
{
    char *bytes = NULL;
    size_t count = 0, n = 0;
    if (abut_file_load(path, "pairs A:B", MOST_BYTES, &bytes, &count, &cli_why) != ABUT_OK)
        cli_error("%s: pairs A:B,C:D, or a file of them, expected: %s", option, cli_why.text);
    *out = cli_room(count, 1);
    n = join_lines(bytes, count, *out);
    abut_free(bytes);
    if (!n)
        cli_error("%s: %s: pairs A:B, one on each line, expected, got none", option, path);
}

/* Two links from a text A:B of some length. */
static void read_links(const PlanSetup *setup, const char *option, const char *text, size_t length, AbutPlanLinks *out)
{
    size_t first = strcspn(text, ":");
    if (first >= length)
        cli_error("%s: pairs A:B,C:D expected, got '%.*s'", option, (int)length, text);
    out->a = plan_find_link(setup, option, text, first);
    out->b = plan_find_link(setup, option, text + first + 1, length - first - 1);
    if (out->a == out->b)
        cli_error("%s: two different links expected, got '%.*s'", option, (int)length, text);
}

/* FROM:TO of some length. */
static void read_span(const char *text, size_t length, AbutPlanWindow *out)
{
    char *end = NULL;
    out->from = strtod(text, &end);
    int good = end > text && *end == ':';
    if (good) {
        const char *second = end + 1;
        out->to = strtod(second, &end);
        good = end > second && end == text + length;
    }
    if (!(good && out->from >= 0.0 && out->from < out->to && out->to <= 1.0 && out->to - out->from < 1.0))
        cli_error("--allow: A:B@FROM:TO with parts of the time, 0 to 1, expected, got '@%.*s'", (int)length, text);
}

/* Fills a list, and `windows`, unless NULL, with pairs that have times. */
static void read_list(
    const PlanSetup *setup, const char *option, const char *text, PlanPairList *list, PlanWindowList *windows)
{
    size_t most = 1;
    for (const char *p = text; *p; ++p)
        most += *p == ',';
    list->pairs = cli_room(most, sizeof *list->pairs);
    if (windows)
        windows->windows = cli_room(most, sizeof *windows->windows);
    for (const char *p = text; p;) {
        size_t length = strcspn(p, ","), links = windows ? strcspn(p, ",@") : length;
        AbutPlanLinks pair;
        read_links(setup, option, p, links, &pair);
        if (links < length) {
            AbutPlanWindow *w = &windows->windows[windows->count++];
            w->links = pair;
            read_span(p + links + 1, length - links - 1, w);
        } else {
            list->pairs[list->count++] = pair;
        }
        p = p[length] ? p + length + 1 : NULL;
    }
}

/* The same from a text or a file; NULL: nothing. */
static void take_list(
    const PlanSetup *setup, const char *option, const char *text, PlanPairList *list, PlanWindowList *windows)
{
    char *loaded = NULL;
    const char *path = plan_pair_file(text);
    if (path)
        load_pairs(option, path, &loaded);
    if (text)
        read_list(setup, option, loaded ? loaded : text, list, windows);
    abut_free(loaded);
}

/* Is a pair both to be kept clear and allowed to meet? */
static void check_both(const PlanSetup *setup, const PlanPairs *p)
{
    for (int32_t i = 0; i < p->only.count; ++i)
        for (int32_t k = 0; k < p->allowed.count; ++k) {
            AbutPlanLinks a = p->only.pairs[i], b = p->allowed.pairs[k];
            if ((a.a == b.a && a.b == b.b) || (a.a == b.b && a.b == b.a))
                cli_error("--allow: '%s' names a pair of --pairs '%s' too", setup->allow, setup->pairs);
        }
}

void plan_take_pairs(const PlanSetup *setup, PlanPairs *out)
{
    const char *only = setup->pairs && strcmp(setup->pairs, "all") != 0 ? setup->pairs : NULL;
    memset(out, 0, sizeof *out);
    take_list(setup, "--allow", setup->allow, &out->allowed, &out->timed);
    take_list(setup, "--pairs", only, &out->only, NULL);
    check_both(setup, out);
    take_list(setup, "--add", setup->add, &out->added, NULL);
}

void plan_free_pairs(PlanPairs *pairs)
{
    abut_free(pairs->allowed.pairs);
    abut_free(pairs->only.pairs);
    abut_free(pairs->added.pairs);
    abut_free(pairs->timed.windows);
}
