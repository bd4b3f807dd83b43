/* SPDX-License-Identifier: Apache-2.0 */
/* The work of `abut plan`: postures, goals by the pose of a frame, planning, files. */
#include "plan_run.h"

#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "plan_page.h"
#include "plan_postures.h"
#include "progress.h"

enum { GOAL_TRIES = 400 };

/* ---- postures ---------------------------------------------------------------------------------------------------- */

static int make_postures(const CliCommand *command, const PlanArgs *args, PlanPostures *out)
{
    size_t n = (size_t)abut_plan_coordinate_count(args->setup.problem);
    size_t joints = (size_t)args->setup.robot.model->joint_count;
    out->numbers = abut_alloc_array((1 + PLAN_GOALS + ABUT_PLAN_VIA_LIMIT) * n + joints + 1, sizeof *out->numbers);
    if (!out->numbers)
        return cli_error(command, "no memory for postures");
    out->start = out->numbers;
    out->goals = out->start + n;
    out->via = out->goals + PLAN_GOALS * n;
    out->joints = out->via + ABUT_PLAN_VIA_LIMIT * n;
    return CLI_GO;
}

/* Are joints that follow another one where that one puts them? */
static int check_followers(const CliCommand *command, const Robot *robot, const char *option, const double *joints)
{
    const AbutModel *model = robot->model;
    for (int32_t j = 0; j < model->joint_count; ++j) {
        AbutCoupling coupling = abut_tree_coupling(abut_configuration_tree(robot->c), j);
        if (coupling.follows <= 0)
            continue;
        double must = coupling.offset + (coupling.leader < 0 ? 0.0 : coupling.factor * joints[coupling.leader]);
        if (fabs(joints[j] - must) > 1e-6)
            return cli_error(command, "%s: joint '%s' is %.6g, and must be %.6g there, as %s%s%s", option,
                model->joints[j].name, joints[j], must, coupling.leader < 0 ? "an equality" : "it follows joint '",
                coupling.leader < 0 ? " has it" : model->joints[coupling.leader].name, coupling.leader < 0 ? "" : "'");
    }
    return CLI_GO;
}

/* Coordinates of the posture that the robot is in; told where couplings do not let the coordinates have it. */
static int take_coordinates(
    const CliCommand *command, const PlanArgs *args, const char *option, double *joints, double *u)
{
    const AbutPlanProblem *problem = args->setup.problem;
    const AbutModel *model = args->setup.robot.model;
    double *wanted = abut_alloc_array((size_t)model->joint_count + 1, sizeof *wanted);
    int status = wanted ? CLI_GO : cli_error(command, "no memory for joints");
    if (status == CLI_GO) {
        abut_plan_joints_at(args->setup.robot.c, wanted);
        abut_plan_coordinates_of(problem, wanted, u);
        abut_plan_joints_of(problem, u, joints);
    }
    if (status == CLI_GO)
        status = check_followers(command, &args->setup.robot, option, wanted);
    for (int32_t j = 0; status == CLI_GO && j < model->joint_count; ++j)
        if (fabs(joints[j] - wanted[j]) > 1e-6)
            status = cli_error(command, "%s: joint '%s' is %.6g, and must be %.6g there, as it %s", option,
                model->joints[j].name, wanted[j], joints[j],
                args->joints ? "is held or follows another" : "follows another");
    abut_free(wanted);
    return status;
}

/* "0.5:POSTURE;0.7:POSTURE" */
static int read_vias(const CliCommand *command, PlanArgs *args, PlanPostures *p)
{
    int32_t n = abut_plan_coordinate_count(args->setup.problem);
    for (const char *at = args->via; at;) {
        char text[2000], *rest;
        size_t length = strcspn(at, ";");
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        at = at[length] ? at + length + 1 : NULL;
        if (p->via_count == ABUT_PLAN_VIA_LIMIT)
            return cli_error(command, "--via: at most %d postures expected", ABUT_PLAN_VIA_LIMIT);
        p->via_at[p->via_count] = strtod(text, &rest);
        if (rest == text || *rest != ':')
            return cli_error(command, "--via: PART:POSTURE;... expected, got '%s'", text);
        if (posture_set(command, "--via", rest + 1, &args->setup.robot) != CLI_GO ||
            take_coordinates(command, args, "--via", p->joints, p->via + p->via_count * n) != CLI_GO)
            return CLI_BAD;
        ++p->via_count;
    }
    return CLI_GO;
}

/* FRAME=x,y,z or FRAME=x,y,z,qw,qx,qy,qz. */
static int read_target(const CliCommand *command, const PlanArgs *args, const char *text, AbutIkTask *task)
{
    char name[200];
    const char *value = strchr(text, '=');
    CliReals v;
    *task = abut_ik_task_default();
    const char *bad = value ? cli_bad_real(value + 1) : NULL;
    if (bad)
        return cli_error(command, "--goal-pose: a finite number expected, got '%.*s'", (int)strcspn(bad, ","), bad);
    if (!value || !cli_read_reals(value + 1, &v) || (v.count != 3 && v.count != 7))
        return cli_error(command, "--goal-pose: FRAME=x,y,z or FRAME=x,y,z,qw,qx,qy,qz expected, got '%s'", text);
    snprintf(name, sizeof name, "%.*s", (int)(value - text), text);
    task->kind = v.count == 3 ? ABUT_IK_POSITION : ABUT_IK_POSE;
    task->target.p = abut_vec3(v.value[0], v.value[1], v.value[2]);
    if (v.count == 7 && v.value[3] == 0.0 && v.value[4] == 0.0 && v.value[5] == 0.0 && v.value[6] == 0.0)
        return cli_error(command, "--goal-pose: a quaternion other than 0,0,0,0 expected, got '%s'", text);
    if (v.count == 7)
        task->target.q = abut_quat_normalize(abut_quat(v.value[3], v.value[4], v.value[5], v.value[6]));
    return robot_find_frame(command, "--goal-pose", &args->setup.robot, name, &task->body, &task->pose);
}

static int read_goal(const CliCommand *command, PlanArgs *args, PlanPostures *p)
{
    AbutIkTask tasks[ABUT_IK_TASKS];
    AbutError error;
    if (args->goal) {
        p->goal_count = 1;
        return posture_set(command, "--goal", args->goal, &args->setup.robot) == CLI_GO
                   ? take_coordinates(command, args, "--goal", p->joints, p->goals)
                   : CLI_BAD;
    }
    if (args->goal_pose.count > ABUT_IK_TASKS)
        return cli_error(command, "--goal-pose: at most %d frames expected", ABUT_IK_TASKS);
    for (int i = 0; i < args->goal_pose.count; ++i)
        if (read_target(command, args, args->goal_pose.value[i], &tasks[i]) != CLI_GO)
            return CLI_BAD;
    AbutPlanReach reach = {p->start, args->goal_pose.count, tasks, GOAL_TRIES, args->settings.seed};
    if (abut_plan_reach(args->setup.problem, &reach, PLAN_GOALS, p->goals, &p->goal_count, &error) != ABUT_OK)
        return cli_error(command, "--goal-pose: %s", error.text);
    return CLI_GO;
}

/* ---- planning ---------------------------------------------------------------------------------------------------- */

typedef struct Watch {
    Progress progress;
    int32_t attempts;
} Watch;

static int show(int32_t attempts, double best_cost, void *user)
{
    Watch *watch = user;
    watch->attempts = attempts;
    if (progress_due(&watch->progress))
        progress_line(&watch->progress, "%d attempts, best cost %.4g", (int)attempts, best_cost);
    return *interrupt_flag();
}

/* To every goal; the best plan is kept. */
static int plan_all(const CliCommand *command, PlanArgs *args, const PlanPostures *p)
{
    int32_t n = abut_plan_coordinate_count(args->setup.problem);
    AbutPlanQuery query = {p->start, NULL, p->via_count, p->via_at, p->via};
    AbutError error;
    Watch watch;
    int status = CLI_GO;
    args->settings.progress = show;
    args->settings.user = &watch;
    progress_begin(&watch.progress);
    interrupt_catch();
    for (int32_t i = 0; i < p->goal_count && status == CLI_GO && !*interrupt_flag(); ++i) {
        AbutPlan plan;
        query.goal = p->goals + i * n;
        if (abut_plan_solve(args->setup.problem, &query, &args->settings, &plan, &error) != ABUT_OK) {
            status = plan_setting_error(command, &error);
            break;
        }
        int better = i == 0 || plan.status < args->plan.status ||
                     (plan.status == args->plan.status && plan.cost < args->plan.cost);
        AbutPlan worse = better ? args->plan : plan;
        args->plan = better ? plan : args->plan;
        abut_plan_free(&worse);
    }
    interrupt_release();
    progress_end(&watch.progress);
    return status;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

int plan_write_trajectory(const CliCommand *command, const PlanArgs *args, const char *path)
{
    const AbutModel *model = args->setup.robot.model;
    AbutError error;
    uint8_t *given = path ? abut_alloc((size_t)model->joint_count + 1) : NULL;
    if (!path)
        return CLI_GO;
    if (!given)
        return cli_error(command, "no memory for joints");
    memset(given, 0, (size_t)model->joint_count);
    for (int32_t i = 0; i < abut_plan_joint_count(args->setup.problem); ++i)
        given[abut_plan_joint(args->setup.problem, i)] = 1;
    AbutStatus status = abut_trajectory_write(path, model, &args->plan.trajectory, given, args->rate, &error);
    abut_free(given);
    return status ? cli_error(command, "%s", error.text) : CLI_GO;
}

static int write_files(const CliCommand *command, const PlanArgs *args)
{
    if (!args->plan.trajectory.times) {
        if (args->output || args->csv || args->cert || args->html || args->picture)
            cli_warning(command, "no motion was found: no files are written");
        return CLI_GO;
    }
    int status = plan_write_trajectory(command, args, args->output);
    if (status == CLI_GO)
        status = plan_write_trajectory(command, args, args->csv);
    if (status == CLI_GO && args->cert)
        status = plan_write_certificate(command, args->cert, &args->setup, args->settings.level, &args->plan.trajectory,
            &args->plan.certificate, args->plan.pairs);
    PlanMotion motion = {&args->plan.trajectory, args->plan.pairs, abut_plan_status_name(args->plan.status)};
    if (status == CLI_GO && args->html)
        status = plan_write_page(command, args->html, &args->setup, &motion, NULL);
    if (status == CLI_GO && args->picture)
        status = plan_write_picture(command, args->picture, &args->setup, &args->plan.trajectory);
    return status;
}

static int read_postures(const CliCommand *command, PlanArgs *args, PlanPostures *p)
{
    int status = take_coordinates(command, args, "--start", p->joints, p->start);
    if (status == CLI_GO)
        status = read_vias(command, args, p);
    if (status == CLI_GO && args->goal && args->via) /* of joint=value, what is not named is as at the start */
        status = args->start ? posture_set(command, "--start", args->start, &args->setup.robot) : CLI_GO;
    return status == CLI_GO ? read_goal(command, args, p) : status;
}

/* Is this posture joint=value,..., which says nothing of the base? */
static int is_list(const Robot *robot, const char *text)
{
    return strchr(text, '=') && abut_model_find_keyframe(robot->model, text) < 0 && !cli_has_ending(text, ".json") &&
           !cli_is_file(text);
}

/* The start; of a list of joints the support stays where the state has it, and the base moves. */
static int set_start(const CliCommand *command, PlanArgs *args)
{
    PlanSetup *setup = &args->setup;
    AbutPose stand = setup->support_body < 0 ? abut_pose_identity()
                                             : abut_configuration_body_pose(setup->robot.c, setup->support_body);
    int list = args->start && is_list(&setup->robot, args->start);
    int status = args->start ? posture_set(command, "--start", args->start, &setup->robot) : CLI_GO;
    if (status == CLI_GO && (args->stand || (list && setup->support_body >= 0)))
        status = plan_place_support(command, setup, args->stand ? *args->stand : stand);
    return status;
}

int plan_prepare(const CliCommand *command, PlanArgs *args, PlanPostures *out)
{
    int status = plan_setup_read(command, &args->setup);
    memset(out, 0, sizeof *out);
    if (status == CLI_GO)
        status = posture_held(command, args->joints, &args->setup.robot, &args->setup.held);
    if (status == CLI_GO)
        status = plan_find_support(command, &args->setup);
    if (status == CLI_GO)
        status = set_start(command, args);
    if (status == CLI_GO)
        status = plan_setup_problem(command, &args->setup);
    if (status == CLI_GO)
        status = make_postures(command, args, out);
    return status == CLI_GO ? read_postures(command, args, out) : status;
}

/* Where the planner did not need it. */
static int measure_effort(const CliCommand *command, PlanArgs *args)
{
    AbutError error;
    if (args->plan.effort.samples || !args->plan.trajectory.times)
        return CLI_GO;
    return abut_plan_effort(args->setup.problem, &args->plan.trajectory, &args->plan.effort, NULL, &error) == ABUT_OK
               ? CLI_GO
               : cli_error(command, "%s", error.text);
}

/* The same path in the least time, proved anew; the plan stays as it is where that does not succeed, which is told. */
static int retime(const CliCommand *command, PlanArgs *args)
{
    AbutPlan *plan = &args->plan;
    AbutCertifyDef def = {args->settings.level, 0};
    AbutPairCertificate *pairs;
    AbutCertificate proof;
    AbutTrajectory fast;
    AbutError error;
    int certified = plan->status == ABUT_PLAN_CERTIFIED || plan->status == ABUT_PLAN_CERTIFIED_EXCEPT;
    if (args->retime && !certified && plan->trajectory.times)
        cli_warning(command, "--retime: the plan stays as it is: it is %s, and certified plans alone are made faster",
            abut_plan_status_name(plan->status));
    if (!args->retime || !certified)
        return CLI_GO;
    pairs = abut_alloc_array((size_t)abut_plan_pair_count(args->setup.problem) + 1, sizeof *pairs);
    if (!pairs)
        return cli_error(command, "no memory for the answers");
    AbutStatus status = abut_plan_retime(args->setup.problem, &plan->trajectory, &args->settings, &fast, &error);
    if (!status)
        status = abut_plan_certify(args->setup.problem, &fast, &def, &proof, pairs, &error);
    if (status || !(abut_certificate_is_proof(&proof) || proof.status == ABUT_CERTIFICATE_CLEAR_EXCEPT)) {
        cli_warning(
            command, "--retime: the plan stays as it is: %s", status ? error.text : "the faster one is not proved");
        abut_free(pairs);
        abut_trajectory_free(&fast);
        return CLI_GO;
    }
    args->smooth = plan->trajectory.times[plan->trajectory.piece_count];
    abut_trajectory_free(&plan->trajectory);
    abut_free(plan->pairs);
    plan->trajectory = fast;
    plan->certificate = proof;
    plan->pairs = pairs;
    plan->effort.samples = 0;
    return CLI_GO;
}

int plan_run(const CliCommand *command, PlanArgs *args)
{
    PlanPostures postures;
    int status = plan_prepare(command, args, &postures);
    if (status == CLI_GO && postures.goal_count == 0) {
        args->plan.status = ABUT_PLAN_INFEASIBLE_INPUT;
        args->plan.best = -1;
        snprintf(args->plan.reason, sizeof args->plan.reason, "goal: no clear posture reaches the pose in %d searches",
            GOAL_TRIES);
    }
    if (status == CLI_GO)
        status = plan_all(command, args, &postures);
    if (status == CLI_GO)
        status = retime(command, args);
    if (status == CLI_GO)
        status = measure_effort(command, args);
    if (status == CLI_GO)
        status = write_files(command, args);
    abut_free(postures.numbers);
    return status;
}
