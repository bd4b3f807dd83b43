/* SPDX-License-Identifier: Apache-2.0 */
/* A motion of a robot as a page. */
#include "plan_page.h"

CliOption plan_page_option(const char **path)
{
    return (CliOption){
        "--html", NULL, CLI_TEXT, path, "FILE", "write a page with the motion, its distances and joints"};
}

int plan_write_page(const CliCommand *command, const char *path, const PlanSetup *setup, const PlanMotion *motion,
    const PlanMotion *beside)
{
    AbutPageHead head = {.title = beside ? motion->title : cli_base_name(setup->robot.source),
        .subtitle = beside ? NULL : motion->title};
    AbutPagePlan plan = {.problem = setup->problem,
        .trajectory = motion->trajectory,
        .pairs = motion->pairs,
        .beside = beside ? beside->trajectory : NULL,
        .beside_title = beside ? beside->title : NULL};
    AbutError error;
    return abut_page_write_plan(path, &head, &plan, &error) ? cli_error(command, "%s", error.text) : CLI_GO;
}
