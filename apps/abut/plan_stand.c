/* SPDX-License-Identifier: Apache-2.0 */
/* What the robot of `abut plan` stands on: feet in words, the support polygon, and the base that follows from them. */
#include "plan.h"

#include <string.h>

CliOption plan_support_option(PlanSetup *setup)
{
    return (CliOption){"--support", NULL, CLI_TEXT, &setup->support, "FOOT",
        "what stands still of a robot with a free base: a body, left, right, both or A,B (both feet); fixed or free: "
        "the "
        "base stays (default: fixed)"};
}

CliOption plan_balance_option(PlanSetup *setup)
{
    static const char *const texts[2] = {
        "feet: the centre of mass stays over them; x,y;x,y;..: over these corners; none (default: feet with --support)",
        "feet: the centre of mass stays over them; x,y;x,y;..: over these corners; none (default: none)"};
    return (CliOption){"--balance", NULL, CLI_TEXT, &setup->balance, "B", texts[setup->balance != NULL]};
}

CliOption plan_balance_margin_option(PlanSetup *setup)
{
    return (CliOption){"--balance-margin", NULL, CLI_REAL, &setup->balance_margin, "D",
        "with --support or --balance: distance from the edges of the support that the search keeps, m"};
}

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
    double *q = abut_alloc_array((size_t)n + 1, sizeof *q);
    while (body >= 0 && robot->model->bodies[root].parent >= 0)
        root = robot->model->bodies[root].parent;
    int at = body < 0 ? -1 : abut_configuration_body_position(robot->c, root);
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
