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

/* The pairs of a text, or of the file that it names; NULL: nothing. */
static PlanPairs read_pairs(const PlanSetup *setup, const char *option, const char *text, int timed) {
    PlanPairs out = {.timed = timed};
    char *bytes, *file = NULL;
    size_t count;
    if (text && !strchr(text, ':')) {
        if (abut_file_load(text, "pairs A:B", MOST_BYTES, &bytes, &count, &cli_why) != ABUT_OK)
            cli_error("%s: pairs A:B,C:D, or a file of them, expected: %s", option, cli_why.text);
        file = memcpy(cli_room(count, 1), bytes, count);
    }
    if (text)
        cli_need_of(
            option, plan_pairs_parse(file ? file : text, setup->robot.model, setup->obstacles.model, &out, &cli_why));
    if (file && out.count + out.window_count == 0)
        cli_error("%s: %s: expected pairs A:B, one on each line, got none", option, text);
    return out;
}

static int is_pair(AbutPair x, AbutPair y) { return (x.a == y.a && x.b == y.b) || (x.a == y.b && x.b == y.a); }

/* Is a pair both to be kept clear and allowed to meet? */
static void check_both(const PlanSetup *setup, const AbutPlanDef *def) {
    for (int32_t i = 0; i < def->only_count; ++i)
        for (int32_t k = 0; k < def->left_out_count; ++k) {
            if (is_pair(def->only[i], def->left_out[k]))
                cli_error("--allow: '%s' names a pair of --pairs '%s' too", setup->allow, setup->pairs);
        }
}

/* More pairs that may meet; one that --pairs names is kept. */
static void leave_out(AbutPlanDef *def, int32_t more, const AbutPair *pairs) {
    AbutPair *all = cli_room((size_t)(def->left_out_count + more), sizeof *all);
    int32_t count = 0;
    for (int32_t i = 0; i < def->left_out_count; ++i) all[count++] = def->left_out[i];
    for (int32_t i = 0; i < more; ++i) {
        int kept = 0;
        for (int32_t k = 0; k < def->only_count && !kept; ++k) kept = is_pair(def->only[k], pairs[i]);
        if (!kept) all[count++] = pairs[i];
    }
    def->left_out = all, def->left_out_count = count;
}

const char *plan_srdf_text(const PlanSetup *setup, const char *option, const char *text) {
    int state = text && strncmp(text, "state:", 6) == 0, group = text && strncmp(text, "group:", 6) == 0;
    if (!state && !group) return text;
    const AbutSrdf *srdf = &setup->srdf;
    const AbutAttribute *list = state ? srdf->states : srdf->groups, *found = NULL;
    int32_t count = state ? srdf->state_count : srdf->group_count;
    if (!setup->srdf_file) cli_error("%s: '%s' requires --srdf", option, text);
    for (int32_t i = 0; i < count; ++i) {
        const char *slash = strchr(list[i].name, '/');
        if (strcmp(list[i].name, text + 6) != 0 && !(state && slash && strcmp(slash + 1, text + 6) == 0)) continue;
        if (found)
            cli_error(
                "%s: expected one state, got '%s', which is '%s' and '%s'", option, text, found->name, list[i].name);
        found = &list[i];
    }
    if (!found)
        cli_error("%s: expected a %s of %s, got '%s'", option, state ? "state" : "group", setup->srdf_file, text + 6);
    if (!*found->value)
        cli_error("%s: %s '%s' has no joint that moves", option, state ? "state" : "group", found->name);
    return found->value;
}

void plan_take_pairs(const PlanSetup *setup, AbutPlanDef *def) {
    const char *only = setup->pairs && strcmp(setup->pairs, "all") != 0 ? setup->pairs : NULL;
    PlanPairs allow = read_pairs(setup, "--allow", setup->allow, 1), kept = read_pairs(setup, "--pairs", only, 0);
    def->left_out = allow.pairs, def->left_out_count = allow.count;
    def->windows = allow.windows, def->window_count = allow.window_count;
    def->only = kept.pairs, def->only_count = kept.count;
    check_both(setup, def);
    if (setup->srdf.pairs && *setup->srdf.pairs) {
        PlanPairs disabled = read_pairs(setup, "--srdf", setup->srdf.pairs, 0);
        leave_out(def, disabled.count, disabled.pairs);
    }
    leave_out(def, setup->scene.allowed_count, setup->scene.allowed);
    PlanPairs added = read_pairs(setup, "--add", setup->add, 0);
    int32_t held = setup->scene.added_count;
    AbutPair *all = cli_room((size_t)(added.count + held), sizeof *all);
    for (int32_t i = 0; i < added.count + held; ++i) all[i] = i < held ? setup->scene.added[i] : added.pairs[i - held];
    def->added = all, def->added_count = added.count + held;
}

/* ---- postures ------------------------------------------------------------------------------------------------------- */

void posture_set(const char *option, const char *text, Robot *robot) {
    int file = abut_model_find(robot->model, ABUT_MODEL_KEYFRAME, text) < 0 &&
               (cli_has_ending(text, ".json") || cli_is_file(text));
    if (file)
        cli_need(abut_state_read(text, NULL, 0, robot->c, &cli_why));
    else
        cli_need_of(option, abut_posture_set(robot->c, text, &cli_why));
}

/* ---- what the robot stands on ----------------------------------------------------------------------------------------------- */

/* Feet in the state, else in the reference of the model. */
static int32_t find_feet(const Robot *robot, int32_t feet[2]) {
    AbutConfiguration *reference;
    int32_t count = abut_plan_find_feet(robot->c, feet);
    if (count == 2 || abut_configuration_create(abut_configuration_tree(robot->c), &reference, NULL) != ABUT_OK)
        return count;
    return abut_plan_find_feet(reference, feet);
}

static void find_body(const Robot *robot, const char *name, int32_t *out) {
    AbutPose pose;
    *out = abut_model_find(robot->model, ABUT_MODEL_BODY, name);
    if (*out < 0) robot_find_frame("--support", robot, name, out, &pose);
}

void plan_find_support(PlanSetup *setup) {
    const char *word = setup->support;
    int32_t feet[2];
    setup->support_body = setup->other_body = -1;
    if (!word || strcmp(word, "fixed") == 0 || strcmp(word, "free") == 0) return;
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
    if (comma) find_body(&setup->robot, comma + 1, &setup->other_body);
}

/* Moves the free base so that the support stands there. */
void plan_place_support(PlanSetup *setup, AbutPose stand) {
    Robot *robot = &setup->robot;
    int32_t body = setup->support_body, root = body, n = abut_configuration_position_count(robot->c);
    double *q = cli_room((size_t)n, sizeof *q);
    while (body >= 0 && robot->model->bodies[root].parent >= 0) root = robot->model->bodies[root].parent;
    int at = body < 0 ? -1 : abut_configuration_body_place(robot->c, root, ABUT_NUMBERS_POSITIONS);
    if (at < 0) cli_error("--support: expected a body of a robot whose base is free");
    AbutPose base = abut_pose_mul(stand,
        abut_pose_between(abut_configuration_body_pose(robot->c, body), abut_configuration_body_pose(robot->c, root)));
    double pose[7] = {base.p.x, base.p.y, base.p.z, base.q.w, base.q.x, base.q.y, base.q.z};
    memcpy(q, abut_configuration_positions(robot->c), (size_t)n * sizeof *q);
    memcpy(q + at, pose, sizeof pose);
    cli_need(abut_configuration_set(robot->c, n, q, 0, NULL, &cli_why));
}

/* ---- balance ----------------------------------------------------------------------------------------------------- */

/* "x,y;x,y;..." */
static void read_corners(const char *text, int32_t *count, AbutVec3 *out) {
    *count = 0;
    for (const char *p = text; p; ++*count) {
        char word[100];
        size_t length = strcspn(p, ";");
        CliReals v;
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        if (*count == ABUT_PLAN_CORNERS || cli_bad_real(word) || !cli_read_reals(word, &v) || v.count != 2)
            cli_error(
                "--balance: expected feet, none, or 3 to %d corners x,y;x,y;.., got '%s'", ABUT_PLAN_CORNERS, text);
        out[*count] = abut_vec3(v.value[0], v.value[1], 0.0);
        p = p[length] ? p + length + 1 : NULL;
    }
    if (*count < 3) cli_error("--balance: expected three corners or more, got '%s'", text);
}

void plan_take_stand(const PlanSetup *setup, AbutVec3 *corners, AbutPlanDef *def) {
    const char *word = setup->balance ? setup->balance : setup->support_body >= 0 ? "feet" : "none";
    def->support = setup->support_body;
    def->other_foot = setup->other_body;
    def->balance_margin = setup->balance_margin;
    def->balance = strcmp(word, "none") != 0;
    def->corners = corners;
    if (def->balance && setup->support_body < 0)
        cli_error("--balance: expected --support too, with the body that the robot stands on");
    if (def->balance && strcmp(word, "feet") != 0) read_corners(word, &def->corner_count, corners);
}
