/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of links of `abut plan`: --pairs, --add, --allow. In: a text A:B,C:D, or the name of a file with a pair on each
 * line; of --allow A:B@FROM:TO as well, pairs that may meet in a part of the time. Out: lists for the problem.
 */
#include "plan.h"

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

/* The pairs of a file as such a text. */
static char *load_pairs(const char *option, const char *path)
{
    char *bytes = NULL;
    size_t count = 0;
    if (abut_file_load(path, "pairs A:B", MOST_BYTES, &bytes, &count, &cli_why) != ABUT_OK)
        cli_error("%s: pairs A:B,C:D, or a file of them, expected: %s", option, cli_why.text);
    char *out = cli_room(count, 1);
    if (!join_lines(bytes, count, out))
        cli_error("%s: %s: pairs A:B, one on each line, expected, got none", option, path);
    return out;
}

/* Two links from a text A:B of some length. */
static void read_links(const PlanSetup *setup, const char *option, const char *text, size_t length, AbutPair *out)
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

/* The pairs of a text, or of the file that it names; NULL: nothing. Those with times go to `def`, of --allow. */
static AbutPair *read_pairs(
    const PlanSetup *setup, const char *option, const char *text, int32_t *count, AbutPlanDef *def)
{
    size_t most = 1;
    if (text && !strchr(text, ':') && strcmp(text, "all") != 0)
        text = load_pairs(option, text);
    for (const char *p = text; p && *p; ++p)
        most += *p == ',';
    AbutPair *pairs = cli_room(most, sizeof *pairs);
    AbutPlanWindow *windows = cli_room(most, sizeof *windows);
    if (def)
        def->windows = windows;
    for (const char *p = text; p;) {
        size_t length = strcspn(p, ","), links = def ? strcspn(p, ",@") : length;
        AbutPair pair;
        read_links(setup, option, p, links, &pair);
        if (links < length) {
            AbutPlanWindow *w = &windows[def->window_count++];
            w->links = pair;
            read_span(p + links + 1, length - links - 1, w);
        } else {
            pairs[(*count)++] = pair;
        }
        p = p[length] ? p + length + 1 : NULL;
    }
    return pairs;
}

/* Is a pair both to be kept clear and allowed to meet? */
static void check_both(const PlanSetup *setup, const AbutPlanDef *def)
{
    for (int32_t i = 0; i < def->only_count; ++i)
        for (int32_t k = 0; k < def->left_out_count; ++k) {
            AbutPair a = def->only[i], b = def->left_out[k];
            if ((a.a == b.a && a.b == b.b) || (a.a == b.b && a.b == b.a))
                cli_error("--allow: '%s' names a pair of --pairs '%s' too", setup->allow, setup->pairs);
        }
}

void plan_take_pairs(const PlanSetup *setup, AbutPlanDef *def)
{
    const char *only = setup->pairs && strcmp(setup->pairs, "all") != 0 ? setup->pairs : NULL;
    def->left_out = read_pairs(setup, "--allow", setup->allow, &def->left_out_count, def);
    def->only = read_pairs(setup, "--pairs", only, &def->only_count, NULL);
    check_both(setup, def);
    def->added = read_pairs(setup, "--add", setup->add, &def->added_count, NULL);
}

/* ---- postures ------------------------------------------------------------------------------------------------------- */

void posture_set(const char *option, const char *text, Robot *robot)
{
    int file = abut_model_find_keyframe(robot->model, text) < 0 && (cli_has_ending(text, ".json") || cli_is_file(text));
    if (file)
        cli_need(abut_state_read(text, robot->c, &cli_why));
    else
        cli_need_of(option, abut_posture_set(robot->c, text, &cli_why));
}

/* ---- what the robot stands on ----------------------------------------------------------------------------------------------- */

/* Feet in the state, else in the reference of the model. */
static int32_t find_feet(const Robot *robot, int32_t feet[2])
{
    AbutConfiguration *reference;
    int32_t count = abut_plan_find_feet(robot->c, feet);
    if (count == 2 || abut_configuration_create(abut_configuration_tree(robot->c), &reference, NULL) != ABUT_OK)
        return count;
    return abut_plan_find_feet(reference, feet);
}

static void find_body(const Robot *robot, const char *name, int32_t *out)
{
    AbutPose pose;
    *out = abut_model_find_body(robot->model, name);
    if (*out < 0)
        robot_find_frame("--support", robot, name, out, &pose);
}

void plan_find_support(PlanSetup *setup)
{
    const char *word = setup->support;
    int32_t feet[2];
    setup->support_body = setup->other_body = -1;
    if (!word || strcmp(word, "fixed") == 0 || strcmp(word, "free") == 0)
        return;
    int left = strcmp(word, "left") == 0, right = strcmp(word, "right") == 0, both = strcmp(word, "both") == 0;
    if ((left || right || both) && abut_model_find_body(setup->robot.model, word) < 0) {
        if (find_feet(&setup->robot, feet) != 2)
            cli_error(
                "--support %s: two feet, the lowest bodies of a robot with a free base, expected in %s; name the body",
                word, setup->robot.source);
        setup->support_body = feet[right];
        setup->other_body = both ? feet[1] : -1;
        return;
    }
    const char *comma = strchr(word, ',');
    char first[200];
    snprintf(first, sizeof first, "%.*s", (int)(comma ? comma - word : (long)strlen(word)), word);
    find_body(&setup->robot, first, &setup->support_body);
    if (comma)
        find_body(&setup->robot, comma + 1, &setup->other_body);
}

/* Moves the free base so that the support stands there. */
void plan_place_support(PlanSetup *setup, AbutPose stand)
{
    Robot *robot = &setup->robot;
    int32_t body = setup->support_body, root = body, n = abut_configuration_position_count(robot->c);
    double *q = cli_room((size_t)n, sizeof *q);
    while (body >= 0 && robot->model->bodies[root].parent >= 0)
        root = robot->model->bodies[root].parent;
    int at = body < 0 ? -1 : abut_configuration_body_position(robot->c, root);
    if (at < 0)
        cli_error("--support: expected a body of a robot whose base is free");
    AbutPose base = abut_pose_mul(stand,
        abut_pose_between(abut_configuration_body_pose(robot->c, body), abut_configuration_body_pose(robot->c, root)));
    double pose[7] = {base.p.x, base.p.y, base.p.z, base.q.w, base.q.x, base.q.y, base.q.z};
    memcpy(q, abut_configuration_positions(robot->c), (size_t)n * sizeof *q);
    memcpy(q + at, pose, sizeof pose);
    cli_need(abut_configuration_set(robot->c, n, q, 0, NULL, &cli_why));
}

/* ---- balance ----------------------------------------------------------------------------------------------------- */

/* "x,y;x,y;..." */
static void read_corners(const char *text, int32_t *count, AbutVec3 *out)
{
    *count = 0;
    for (const char *p = text; p; ++*count) {
        char word[100];
        size_t length = strcspn(p, ";");
        CliReals v;
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        if (*count == ABUT_PLAN_CORNERS || cli_bad_real(word) || !cli_read_reals(word, &v) || v.count != 2)
            cli_error(
                "--balance: feet, none, or 3 to %d corners x,y;x,y;.. expected, got '%s'", ABUT_PLAN_CORNERS, text);
        out[*count] = abut_vec3(v.value[0], v.value[1], 0.0);
        p = p[length] ? p + length + 1 : NULL;
    }
    if (*count < 3)
        cli_error("--balance: three corners or more expected, got '%s'", text);
}

void plan_take_stand(const PlanSetup *setup, AbutVec3 *corners, AbutPlanDef *def)
{
    const char *word = setup->balance ? setup->balance : setup->support_body >= 0 ? "feet" : "none";
    def->support = setup->support_body;
    def->other_foot = setup->other_body;
    def->balance_margin = setup->balance_margin;
    def->balance = strcmp(word, "none") != 0;
    def->corners = corners;
    if (def->balance && setup->support_body < 0)
        cli_error("--balance: --support expected too, with what the robot stands on");
    if (def->balance && strcmp(word, "feet") != 0)
        read_corners(word, &def->corner_count, corners);
}
