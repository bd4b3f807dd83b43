/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut ik: joint coordinates that bring a frame to a target. In: a model, the name of a frame or body, a point or a
 * pose. Out: qpos and the errors that are left. Exit 0 reached, 1 not reached.
 */
#include "operands.h"
#include "robot.h"

#include <math.h>

typedef struct Args {
    Robot robot;
    const char *frame;
    CliReals target;
    int restarts, iterations, seed, fix_base, json;
    double tolerance;
} Args;

static AbutIkTask make_task(const Args *args) {
    if (!args->frame || !args->target.count) cli_error("expected --frame and --target; see 'abut help ik'");
    if (args->target.count != 3 && args->target.count != 7)
        cli_error("--target: expected x,y,z or x,y,z,qw,qx,qy,qz, got %d numbers", args->target.count);
    for (int i = 0; i < 3; ++i) cli_check_range("--target", args->target.value[i], -1e60, 1e60);
    return robot_task("--frame", "--target", &args->robot, args->frame, &args->target);
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

static int answer(Args *args) {
    AbutIkTask task = make_task(args);
    AbutIkSettings settings = abut_ik_default();
    AbutIkResult result;
    settings.tolerance_position = settings.tolerance_rotation = args->tolerance;
    settings.iterations = args->iterations;
    settings.restarts = args->restarts;
    settings.seed = (uint64_t)args->seed;
    uint8_t *locked = cli_room((size_t)abut_configuration_velocity_count(args->robot.c), 1);
    for (int32_t i = 0; args->fix_base && i < args->robot.model->body_count; ++i) /* dynamic bodies do not move */
        for (int32_t k = 0, at = abut_configuration_body_place(args->robot.c, i, ABUT_NUMBERS_VELOCITIES);
             at >= 0 && k < 6; ++k)
            locked[at + k] = 1;
    settings.locked = locked;
    cli_need(abut_configuration_ik(args->robot.c, 1, &task, &settings, &result, &cli_why));
    const AbutConfiguration *c = args->robot.c;
    Answer found = {result, abut_configuration_positions(c), abut_configuration_position_count(c)};
    return cli_answer(
        args->json ? 0 : CLI_AS_TEXT, &cli_ik_answer, answer_text, &found, result.reached ? CLI_OK : CLI_NO);
}

int cli_ik(int argc, char **argv) {
    AbutIkSettings preset = abut_ik_default();
    Args args = {.restarts = preset.restarts,
        .iterations = preset.iterations,
        .seed = (int)preset.seed,
        .tolerance = preset.tolerance_position};
    const CliOption options[] = {
        OPTION("--frame", CLI_TEXT, &args.frame, "F", "name of a frame (site) or body that is to reach the target"),
        OPTION("--target", CLI_REALS, &args.target, "POSE", "x,y,z for a point, x,y,z,qw,qx,qy,qz for a pose; world"),
        cli_row("--state", &args.robot.state),
        cli_row("--keyframe", &args.robot.key),
        OPERAND_MODELS,
        OPTION("--tol", CLI_REAL, &args.tolerance, "D", "error that counts as reached, meters and radians", 0.0, 1e60),
        OPTION("--iterations", CLI_COUNT, &args.iterations, "N", "steps per start"),
        OPTION("--restarts", CLI_WHOLE, &args.restarts, "N", "random starts after the first (default: 20)"),
        OPTION("--seed", CLI_WHOLE, &args.seed, "S", "of the random starts (default: 1)"),
        OPTION("--fix-base", CLI_FLAG, &args.fix_base, NULL, "free bodies stay where they are"),
        cli_row("--json", &args.json),
    };
    int operands = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (operands != 1) cli_error("expected one model, got %d; see 'abut help ik'", operands);
    args.robot.source = argv[0];
    robot_load(&args.robot);
    robot_warn(&args.robot);
    return answer(&args);
}
