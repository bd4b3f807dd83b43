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
        int32_t i =
            abut_model_find(models[k], ABUT_MODEL_BODY, k && only ? text + strlen(ABUT_PLAN_OBSTACLE_PREFIX) : text);
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
        AbutPair pair;
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
            AbutPair a = p->only.pairs[i], b = p->allowed.pairs[k];
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

/* ---- postures ------------------------------------------------------------------------------------------------------- */

/* Number of a hinge or slide; -1 after one line. */
static int32_t find_joint(const char *option, const char *name, const Robot *robot)
{
    const AbutModel *model = robot->model;
    int32_t i = abut_model_find(model, ABUT_MODEL_JOINT, name);
    if (i >= 0 && model->joints[i].kind != ABUT_JOINT_BALL)
        return i;
    const char *near = model->joint_count && i < 0
                           ? abut_suggest(name, model->joint_count, &model->joints[0].name, sizeof model->joints[0])
                           : NULL;
    if (near)
        cli_error("%s: no joint '%s'; did you mean '%s'?", option, name, near);
    cli_error("%s: no hinge or slide '%s' in %s", option, name, robot->source);
}

/* The next part of a list with commas between, copied to `word`; NULL at the end. */
static const char *next_word(const char *text, char *word, size_t size)
{
    size_t length = strcspn(text, ",");
    snprintf(word, size, "%.*s", (int)length, text);
    return text[length] ? text + length + 1 : NULL;
}

/* Does name=... stand within the first `length` characters of a list? */
static int is_named(const char *text, const char *name, size_t length)
{
    size_t size = strlen(name);
    for (const char *p = text; (size_t)(p - text) < length; p += strcspn(p, ",") + 1)
        if (strncmp(p, name, size) == 0 && p[size] == '=')
            return 1;
    return 0;
}

/* All positions of the model, as numbers with commas between. */
static void set_numbers(const char *option, const char *text, Robot *robot)
{
    int32_t n = abut_configuration_position_count(robot->c), count = 1;
    const char *bad = cli_bad_real(text);
    double *q = cli_room((size_t)n, sizeof *q);
    for (const char *p = text; *p; ++p)
        count += *p == ',';
    if (bad)
        cli_error("%s: a finite number expected, got '%.*s'", option, (int)strcspn(bad, ","), bad);
    if (count != n)
        cli_error("%s: %d numbers, all positions of the model, expected, got %d", option, (int)n, (int)count);
    for (int32_t i = 0; i < n; ++i, text += *text == ',') {
        char *end;
        q[i] = strtod(text, &end);
        text = end;
    }
    cli_need_of(option, abut_configuration_set(robot->c, n, q, 0, NULL, &cli_why));
    abut_free(q);
}

/* Joints that follow one of a list, and are not in it themselves. */
static void follow(const Robot *robot, const char *text, double *q)
{
    const AbutModel *model = robot->model;
    for (int32_t j = 0; j < model->joint_count; ++j) {
        AbutCoupling coupling = abut_tree_coupling(abut_configuration_tree(robot->c), j);
        if (coupling.follows > 0 && coupling.leader >= 0 &&
            is_named(text, model->joints[coupling.leader].name, strlen(text)) &&
            !is_named(text, model->joints[j].name, strlen(text)))
            q[abut_configuration_joint_place(robot->c, j, ABUT_NUMBERS_POSITIONS)] =
                coupling.factor * q[abut_configuration_joint_place(robot->c, coupling.leader, ABUT_NUMBERS_POSITIONS)] +
                coupling.offset;
    }
}

static void set_values(const char *option, const char *text, Robot *robot)
{
    int32_t n = abut_configuration_position_count(robot->c);
    double *q = cli_room((size_t)n, sizeof *q);
    memcpy(q, abut_configuration_positions(robot->c), (size_t)n * sizeof *q);
    for (const char *p = text; p;) {
        char word[200];
        const char *start = p;
        p = next_word(p, word, sizeof word);
        char *value = strchr(word, '=');
        CliReals number;
        if (!value || !cli_read_reals(value + 1, &number) || number.count != 1)
            cli_error("%s: joint=value expected, got '%s'", option, word);
        *value = 0;
        int32_t joint = find_joint(option, word, robot);
        if (is_named(text, word, (size_t)(start - text)))
            cli_error("%s: joint '%s' stands there twice", option, word);
        q[abut_configuration_joint_place(robot->c, joint, ABUT_NUMBERS_POSITIONS)] = number.value[0];
    }
    follow(robot, text, q);
    cli_need_of(option, abut_configuration_set(robot->c, n, q, 0, NULL, &cli_why));
    abut_free(q);
}

void posture_set(const char *option, const char *text, Robot *robot)
{
    int32_t key = abut_model_find(robot->model, ABUT_MODEL_KEYFRAME, text);
    if (key >= 0)
        cli_need_of(option, abut_configuration_set_keyframe(robot->c, key, &cli_why));
    else if (cli_has_ending(text, ".json") || cli_is_file(text))
        cli_need(abut_state_read(text, NULL, 0, robot->c, &cli_why));
    else if (strchr(text, '='))
        set_values(option, text, robot);
    else if (*text && strchr("+-.0123456789", *text))
        set_numbers(option, text, robot);
    else
        cli_error(
            "%s: a keyframe of the model, a file .json, joint=value,..., or numbers expected, got '%s'", option, text);
}

void posture_held(const char *text, const Robot *robot, uint8_t **held)
{
    size_t n = (size_t)robot->model->joint_count;
    if (!text)
        return;
    *held = cli_room(n, 1);
    memset(*held, 1, n);
    for (const char *p = text; p;) {
        char word[200];
        p = next_word(p, word, sizeof word);
        (*held)[find_joint("--joints", word, robot)] = 0;
    }
    for (int32_t j = 0; j < robot->model->joint_count; ++j) {
        AbutCoupling coupling = abut_tree_coupling(abut_configuration_tree(robot->c), j);
        if (coupling.follows > 0 && coupling.leader >= 0 && coupling.factor != 0.0 && !(*held)[coupling.leader])
            (*held)[j] = 0; /* it moves along */
    }
}

/* ---- what the robot stands on --------------------------------------------------------------------------------------- */

/* ---- feet -------------------------------------------------------------------------------------------------------- */

/* Feet in the state, else in the reference of the model. */
static int32_t find_feet(const Robot *robot, int32_t feet[2])
{
    AbutConfiguration *reference;
    int32_t count = abut_plan_find_feet(robot->c, feet);
    if (count == 2 || abut_configuration_create(abut_configuration_tree(robot->c), &reference, NULL) != ABUT_OK)
        return count;
    count = abut_plan_find_feet(reference, feet);
    abut_configuration_free(reference);
    return count;
}

static void find_body(const Robot *robot, const char *name, int32_t *out)
{
    AbutPose pose;
    *out = abut_model_find(robot->model, ABUT_MODEL_BODY, name);
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
    if ((left || right || both) && abut_model_find(setup->robot.model, ABUT_MODEL_BODY, word) < 0) {
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
    double *q = abut_alloc_array((size_t)n + 1, sizeof *q);
    while (body >= 0 && robot->model->bodies[root].parent >= 0)
        root = robot->model->bodies[root].parent;
    int at = body < 0 ? -1 : abut_configuration_body_place(robot->c, root, ABUT_NUMBERS_POSITIONS);
    if (!q || at < 0) {
        abut_free(q);
        cli_error("--support: expected a body of a robot whose base is free");
    }
    AbutPose base = abut_pose_mul(stand,
        abut_pose_between(abut_configuration_body_pose(robot->c, body), abut_configuration_body_pose(robot->c, root)));
    double pose[7] = {base.p.x, base.p.y, base.p.z, base.q.w, base.q.x, base.q.y, base.q.z};
    memcpy(q, abut_configuration_positions(robot->c), (size_t)n * sizeof *q);
    memcpy(q + at, pose, sizeof pose);
    AbutStatus status = abut_configuration_set(robot->c, n, q, 0, NULL, &cli_why);
    abut_free(q);
    cli_need(status);
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
