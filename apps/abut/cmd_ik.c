/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut ik: joint coordinates that bring a frame to a target. In: a model, the name of a frame or body, a point or a
 * pose. Out: qpos and the errors that are left. Exit 0 reached, 1 not reached.
 */
#include "operands.h"
#include "robot.h"

#include <math.h>
#include <string.h>

typedef struct Args {
    Robot robot;
    const char *frame;
    CliReals target;
    int restarts, iterations, seed, fix_base, json;
    double tolerance;
} Args;

static void make_task(const Args *args, AbutIkTask *task)
{
    const double *v = args->target.value;
    *task = abut_ik_task_default();
    if (!args->frame || !args->target.count)
        cli_error("--frame and --target expected; see 'abut help ik'");
    if (args->target.count != 3 && args->target.count != 7)
        cli_error("--target: x,y,z or x,y,z,qw,qx,qy,qz expected, got %d numbers", args->target.count);
    for (int i = 0; i < 3; ++i)
        cli_check_range("--target", v[i], -1e60, 1e60);
    task->kind = args->target.count == 3 ? ABUT_IK_POSITION : ABUT_IK_POSE;
    task->target.p = abut_vec3(v[0], v[1], v[2]);
    if (args->target.count == 7) {
        if (v[3] == 0.0 && v[4] == 0.0 && v[5] == 0.0 && v[6] == 0.0)
            cli_error("--target: the quaternion is zero");
        task->target.q = abut_quat_normalize(abut_quat(v[3], v[4], v[5], v[6]));
    }
    robot_find_frame("--frame", &args->robot, args->frame, &task->body, &task->pose);
}

typedef struct Answer {
    AbutIkResult result;
    const double *qpos;
    int32_t count;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD_OF(Answer, result, abut_ik_result_record, "reached")},
    {ABUT_FIELD(Answer, qpos, REAL, "m, rad", "Coordinates of the best state that was found."),
        .rows = ABUT_FIELD_POINTER, .count_at = offsetof(Answer, count)},
    {ABUT_FIELD_OF(Answer, result, abut_ik_result_record, "error_position error_rotation restarts iterations")},
};

const AbutRecord cli_ik_answer = ABUT_RECORD("ik", "", Answer, answer_fields);

static const char answer_text[] = "  reached          {reached}\n"
                                  "  position error   {error_position:.3g} m\n"
                                  "  rotation error   {error_rotation:.3g} rad\n"
                                  "  iterations       {iterations}\n"
                                  "  restarts         {restarts}\n"
                                  "  qpos             {qpos~:.9g}\n";

/* The six coordinates of dynamic bodies do not move. */
static void lock_bases(const Robot *robot, uint8_t *locked)
{
    for (int32_t i = 0; i < robot->model->body_count; ++i)
        for (int32_t k = 0, at = abut_configuration_body_place(robot->c, i, ABUT_NUMBERS_VELOCITIES); at >= 0 && k < 6;
             ++k)
            locked[at + k] = 1;
}

static int answer(Args *args)
{
    AbutIkTask task;
    AbutIkSettings settings = abut_ik_default();
    AbutIkResult result;
    make_task(args, &task);
    settings.tolerance_position = settings.tolerance_rotation = args->tolerance;
    settings.iterations = args->iterations;
    settings.restarts = args->restarts;
    settings.seed = (uint64_t)args->seed;
    size_t n = (size_t)abut_configuration_velocity_count(args->robot.c) + 1;
    uint8_t *locked = cli_room(n, 1);
    memset(locked, 0, n);
    if (args->fix_base)
        lock_bases(&args->robot, locked);
    settings.locked = locked;
    AbutStatus status = abut_configuration_ik(args->robot.c, 1, &task, &settings, &result, &cli_why);
    abut_free(locked);
    cli_need(status);
    const AbutConfiguration *c = args->robot.c;
    Answer found = {result, abut_configuration_positions(c), abut_configuration_position_count(c)};
    return cli_answer(
        args->json ? 0 : CLI_AS_TEXT, &cli_ik_answer, answer_text, &found, result.reached ? CLI_OK : CLI_NO);
}

int cli_ik(int argc, char **argv)
{
    AbutIkSettings preset = abut_ik_default();
    Args args = {.restarts = preset.restarts,
        .iterations = preset.iterations,
        .seed = (int)preset.seed,
        .tolerance = preset.tolerance_position};
    const CliOption options[] = {
        {"--frame", NULL, CLI_TEXT, &args.frame, "F", "name of a frame (site) or body that is to reach the target"},
        {"--target", NULL, CLI_REALS, &args.target, "POSE", "x,y,z for a point, x,y,z,qw,qx,qy,qz for a pose; world"},
        cli_row("--state", &args.robot.state),
        cli_row("--keyframe", &args.robot.key),
        cli_row("--allow-outside", &operands_outside),
        cli_row("--warnings", &operands_warnings),
        {"--tol", NULL, CLI_REAL, &args.tolerance, "D", "error that counts as reached, metres and radians"},
        {"--iterations", NULL, CLI_COUNT, &args.iterations, "N", "steps per start"},
        {"--restarts", NULL, CLI_WHOLE, &args.restarts, "N", "random starts after the first (default: 20)"},
        {"--seed", NULL, CLI_WHOLE, &args.seed, "S", "of the random starts (default: 1)"},
        {"--fix-base", NULL, CLI_FLAG, &args.fix_base, NULL, "free bodies stay where they are"},
        cli_row("--json", &args.json),
    };
    int operands = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (operands != 1)
        cli_error("one model expected, got %d; see 'abut help ik'", operands);
    cli_check_range("--tol", args.tolerance, 0.0, 1e60);
    args.robot.source = argv[0];
    robot_load(&args.robot);
    for (int i = 0; i < args.robot.warning_count; ++i)
        cli_warning("%s", args.robot.warnings[i]);
    int status = answer(&args);
    robot_free(&args.robot);
    return status;
}
