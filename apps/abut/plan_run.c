/* SPDX-License-Identifier: Apache-2.0 */
/* The work of `abut plan`: postures, goals by the pose of a frame, planning, files. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "progress.h"

enum { GOAL_TRIES = 400 };

/* ---- postures ---------------------------------------------------------------------------------------------------- */

static void make_postures(const PlanArgs *args, PlanPostures *out) {
    size_t n = (size_t)abut_plan_coordinate_count(args->setup.problem);
    size_t joints = (size_t)args->setup.robot.model->joint_count;
    out->numbers = cli_room((1 + PLAN_GOALS + ABUT_PLAN_VIA_LIMIT) * n + joints, sizeof *out->numbers);
    out->start = out->numbers;
    out->goals = out->start + n;
    out->via = out->goals + PLAN_GOALS * n;
    out->joints = out->via + ABUT_PLAN_VIA_LIMIT * n;
}

/* Are joints that follow another one where that one puts them? */
static void check_followers(const Robot *robot, const char *option, const double *joints) {
    const AbutModel *model = robot->model;
    for (int32_t j = 0; j < model->joint_count; ++j) {
        AbutCoupling coupling = abut_tree_coupling(abut_configuration_tree(robot->c), j);
        if (coupling.follows <= 0) continue;
        double must = coupling.offset + (coupling.leader < 0 ? 0.0 : coupling.factor * joints[coupling.leader]);
        if (fabs(joints[j] - must) > 1e-6)
            cli_error("%s: joint '%s' is %.6g, and must be %.6g there, as %s%s%s", option, model->joints[j].name,
                joints[j], must, coupling.leader < 0 ? "an equality" : "it follows joint '",
                coupling.leader < 0 ? " has it" : model->joints[coupling.leader].name, coupling.leader < 0 ? "" : "'");
    }
}

/* Told where couplings do not let the coordinates have it. */
void plan_take_coordinates(const PlanArgs *args, const char *option, double *joints, double *u) {
    const AbutPlanProblem *problem = args->setup.problem;
    const AbutModel *model = args->setup.robot.model;
    double *wanted = cli_room((size_t)model->joint_count, sizeof *wanted);
    abut_plan_joints_at(args->setup.robot.c, wanted);
    abut_plan_coordinates_of(problem, wanted, u);
    abut_plan_joints_of(problem, u, joints);
    check_followers(&args->setup.robot, option, wanted);
    for (int32_t j = 0; j < model->joint_count; ++j)
        if (fabs(joints[j] - wanted[j]) > 1e-6)
            cli_error("%s: joint '%s' is %.6g, and must be %.6g there, as it %s", option, model->joints[j].name,
                wanted[j], joints[j], args->joints ? "is held or follows another" : "follows another");
}

/* "0.5:POSTURE;0.7:POSTURE" */
static void read_vias(PlanArgs *args, PlanPostures *p) {
    int32_t n = abut_plan_coordinate_count(args->setup.problem);
    for (const char *at = args->via; at;) {
        char text[2000], *rest;
        size_t length = strcspn(at, ";");
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        at = at[length] ? at + length + 1 : NULL;
        if (p->via_count == ABUT_PLAN_VIA_LIMIT) cli_error("--via: expected at most %d postures", ABUT_PLAN_VIA_LIMIT);
        p->via_at[p->via_count] = strtod(text, &rest);
        if (rest == text || *rest != ':') cli_error("--via: expected PART:POSTURE;..., got '%s'", text);
        posture_set("--via", plan_srdf_text(&args->setup, "--via", rest + 1), &args->setup.robot);
        plan_take_coordinates(args, "--via", p->joints, p->via + p->via_count * n);
        ++p->via_count;
    }
}

/* FRAME=x,y,z or FRAME=x,y,z,qw,qx,qy,qz. */
static AbutIkTask read_target(const PlanArgs *args, const char *text) {
    char name[200];
    const char *value = strchr(text, '=');
    CliReals v;
    const char *bad = value ? cli_bad_real(value + 1) : NULL;
    if (bad) cli_error("--goal-pose: expected a finite number, got '%.*s'", (int)strcspn(bad, ","), bad);
    if (!value || !cli_read_reals(value + 1, &v) || (v.count != 3 && v.count != 7))
        cli_error("--goal-pose: expected FRAME=x,y,z or FRAME=x,y,z,qw,qx,qy,qz, got '%s'", text);
    snprintf(name, sizeof name, "%.*s", (int)(value - text), text);
    return robot_task("--goal-pose", "--goal-pose", &args->setup.robot, name, &v);
}

static void read_goal(PlanArgs *args, PlanPostures *p) {
    AbutIkTask tasks[ABUT_IK_TASKS];
    args->goal = plan_srdf_text(&args->setup, "--goal", args->goal);
    if (args->goal) {
        p->goal_count = 1;
        posture_set("--goal", args->goal, &args->setup.robot);
        plan_take_coordinates(args, "--goal", p->joints, p->goals);
        return;
    }
    if (args->goal_pose.count > ABUT_IK_TASKS) cli_error("--goal-pose: expected at most %d frames", ABUT_IK_TASKS);
    for (int i = 0; i < args->goal_pose.count; ++i) tasks[i] = read_target(args, args->goal_pose.value[i]);
    AbutPlanReach reach = {p->start, args->goal_pose.count, tasks, GOAL_TRIES, args->settings.seed};
    cli_need_of(
        "--goal-pose", abut_plan_reach(args->setup.problem, &reach, PLAN_GOALS, p->goals, &p->goal_count, &cli_why));
}

/* ---- planning ---------------------------------------------------------------------------------------------------- */

typedef struct Watch {
    Progress progress;
    int32_t attempts;
} Watch;

static int show(int32_t attempts, double best_cost, void *user) {
    Watch *watch = user;
    watch->attempts = attempts;
    if (progress_due(&watch->progress))
        progress_line(&watch->progress, "%d attempts, best cost %.4g", (int)attempts, best_cost);
    return *interrupt_flag();
}

/* To every goal; the best plan is kept. */
static void plan_all(PlanArgs *args, const PlanPostures *p) {
    int32_t n = abut_plan_coordinate_count(args->setup.problem);
    AbutPlanQuery query = {p->start, NULL, p->via_count, p->via_at, p->via};
    Watch watch;
    args->settings.progress = show;
    args->settings.user = &watch;
    progress_begin(&watch.progress);
    interrupt_catch();
    for (int32_t i = 0; i < p->goal_count && !*interrupt_flag(); ++i) {
        AbutPlan plan;
        query.goal = p->goals + i * n;
        plan_need(abut_plan_solve(args->setup.problem, &query, &args->settings, &plan, &cli_why));
        int better = i == 0 || plan.status < args->plan.status ||
                     (plan.status == args->plan.status && plan.cost < args->plan.cost);
        AbutPlan worse = better ? args->plan : plan;
        args->plan = better ? plan : args->plan;
        abut_plan_free(&worse);
    }
    interrupt_release();
    progress_end(&watch.progress);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

void plan_write_trajectory(const PlanArgs *args, const char *path) {
    const AbutModel *model = args->setup.robot.model;
    uint8_t *given = cli_room((size_t)model->joint_count, 1);
    for (int32_t i = 0; i < abut_plan_joint_count(args->setup.problem); ++i)
        given[abut_plan_joint(args->setup.problem, i)] = 1;
    if (path) cli_need(abut_trajectory_write(path, model, &args->plan.trajectory, given, args->rate, &cli_why));
}

static void warn_undrawn(const PlanSetup *setup) {
    if (setup->points) cli_warning("%s: its points are not drawn", setup->obstacle_file);
}

void plan_write_page(const char *path, const PlanSetup *setup, const PlanMotion *motion, const PlanMotion *beside) {
    warn_undrawn(setup);
    AbutPageHead head = {.title = beside ? motion->title : cli_base_name(setup->robot.source),
        .subtitle = beside ? NULL : motion->title};
    AbutPagePlan plan = {.problem = setup->problem,
        .trajectory = motion->trajectory,
        .pairs = motion->pairs,
        .beside = beside ? beside->trajectory : NULL,
        .beside_title = beside ? beside->title : NULL};
    cli_need(abut_page_write_plan(path, &head, &plan, &cli_why));
}

void plan_write_picture(const char *path, const PlanSetup *setup, const AbutTrajectory *trajectory) {
    AbutPagePlan plan = {.problem = setup->problem, .trajectory = trajectory};
    warn_undrawn(setup);
    cli_need(abut_picture_plan(path, &plan, setup->robot.model, setup->obstacles.model, &cli_why));
}

static void write_files(const PlanArgs *args) {
    if (!args->plan.trajectory.times) {
        if (args->output || args->csv || args->cert || args->html || args->picture)
            cli_warning("no motion was found: no files are written");
        return;
    }
    plan_write_trajectory(args, args->output);
    plan_write_trajectory(args, args->csv);
    if (args->cert)
        plan_write_certificate(args->cert, &args->setup, args->settings.level, &args->plan.trajectory,
            &args->plan.certificate, args->plan.pairs);
    PlanMotion motion = {
        &args->plan.trajectory, args->plan.pairs, abut_word(abut_plan_status_names, args->plan.status)};
    if (args->html) plan_write_page(args->html, &args->setup, &motion, NULL);
    if (args->picture) plan_write_picture(args->picture, &args->setup, &args->plan.trajectory);
}

static void read_postures(PlanArgs *args, PlanPostures *p) {
    plan_take_coordinates(args, "--start", p->joints, p->start);
    read_vias(args, p);
    if (args->goal && args->via) /* of joint=value, what is not named is as at the start */
        if (args->start) posture_set("--start", args->start, &args->setup.robot);
    read_goal(args, p);
}

/* Is this posture joint=value,..., which says nothing of the base? */
static int is_list(const Robot *robot, const char *text) {
    return strchr(text, '=') && abut_model_find(robot->model, ABUT_MODEL_KEYFRAME, text) < 0 &&
           !cli_has_ending(text, ".json") && !cli_is_file(text);
}

/* The start; of a list of joints the support stays where the state has it, and the base moves. */
static void set_start(PlanArgs *args) {
    PlanSetup *setup = &args->setup;
    AbutPose stand = setup->support_body < 0 ? abut_pose_identity()
                                             : abut_configuration_body_pose(setup->robot.c, setup->support_body);
    args->start = plan_srdf_text(setup, "--start", args->start);
    int list = args->start && is_list(&setup->robot, args->start);
    if (args->start) posture_set("--start", args->start, &setup->robot);
    if ((args->stand || (list && setup->support_body >= 0)))
        plan_place_support(setup, args->stand ? *args->stand : stand);
}

void plan_take_held(PlanArgs *args) {
    args->joints = plan_srdf_text(&args->setup, "--joints", args->joints);
    if (!args->joints) return;
    args->setup.held = cli_room((size_t)args->setup.robot.model->joint_count, 1);
    cli_need_of("--joints", abut_posture_held(args->setup.robot.c, args->joints, args->setup.held, &cli_why));
}

void plan_prepare(PlanArgs *args, PlanPostures *out) {
    plan_setup_read(&args->setup);
    memset(out, 0, sizeof *out);
    plan_take_held(args);
    plan_find_support(&args->setup);
    set_start(args);
    plan_setup_problem(&args->setup);
    make_postures(args, out);
    read_postures(args, out);
}

/* Runs the path in the least time and proves it again; where that fails the plan stays unchanged, which is reported. */
static void retime(PlanArgs *args) {
    AbutPlan *plan = &args->plan;
    AbutCertifyDef def = {args->settings.level, 0, 0};
    AbutPairCertificate *pairs;
    AbutCertificate proof;
    AbutTrajectory fast;
    int certified = plan->status == ABUT_PLAN_CERTIFIED || plan->status == ABUT_PLAN_CERTIFIED_EXCEPT;
    if (args->retime && !certified && plan->trajectory.times)
        cli_warning("--retime: the plan stays as it is: it is %s, and certified plans alone are made faster",
            abut_word(abut_plan_status_names, plan->status));
    if (!args->retime || !certified) return;
    pairs = cli_room((size_t)abut_plan_pair_count(args->setup.problem), sizeof *pairs);
    AbutStatus status = abut_plan_retime(args->setup.problem, &plan->trajectory, &args->settings, &fast, &cli_why);
    if (!status) status = abut_plan_certify(args->setup.problem, &fast, &def, &proof, pairs, &cli_why);
    if (status || !(abut_certificate_is_proof(&proof) || proof.status == ABUT_CERTIFICATE_CLEAR_EXCEPT)) {
        cli_warning("--retime: the plan stays as it is: %s", status ? cli_why.text : "the faster one is not proved");
        return;
    }
    args->smooth = plan->trajectory.times[plan->trajectory.piece_count];
    plan->trajectory = fast;
    plan->certificate = proof;
    plan->pairs = pairs;
    plan->effort.samples = 0;
}

void plan_run(PlanArgs *args) {
    PlanPostures postures;
    plan_prepare(args, &postures);
    if (postures.goal_count == 0) {
        args->plan.status = ABUT_PLAN_INFEASIBLE_INPUT;
        args->plan.best = -1;
        snprintf(args->plan.reason, sizeof args->plan.reason, "goal: no clear posture reaches the pose in %d searches",
            GOAL_TRIES);
    }
    plan_all(args, &postures);
    retime(args);
    if (!args->plan.effort.samples && args->plan.trajectory.times) /* where the planner did not need it */
        cli_need(abut_plan_effort(args->setup.problem, &args->plan.trajectory, &args->plan.effort, NULL, &cli_why));
    write_files(args);
}
