/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut plan check: does a trajectory keep clear at all times? In: a robot, a file of joint positions, obstacles. Out: a
 * proof, or a pair and a time. Exit 0 proved clear, 1 contact, 3 undecided.
 */
#include "plan.h"

#include <math.h>
#include <string.h>

static const CliCommand check_command = {"plan check", NULL,
    "MODEL TRAJECTORY [--obstacles FILE] [--level D] [--interpolate KIND] [--cert FILE] [--json]",
    "proves that a trajectory keeps clear at all times, or names a pair and a time",
    "MODEL is a robot as for 'abut robot'. TRAJECTORY is CSV with a first line t,JOINT,... (and JOINT:v, JOINT:a for "
    "speeds\n"
    "and accelerations), or an archive .npz as 'abut plan' and numpy.savez write them. Joints that it does not name "
    "stay\n"
    "as in the state. All pairs of links count but neighbours; what is left out is reported. Exit status 0 when every "
    "pair\n"
    "is proved to stay farther apart than the level at all times, 1 when a pair does not, 3 when neither was shown or\n"
    "there is no pair to check. Positions beyond the limits of the model are told, with joint and time; with --limits\n"
    "speeds and accelerations too, and a limit that is broken gives exit status 1. Torques are not looked at.\n"};

typedef struct Args {
    PlanSetup setup;
    const char *trajectory_file, *interpolate, *cert, *html, *beside;
    double level;
    int json, budget;
    AbutTrajectory trajectory;
    AbutCertificate certificate;
    AbutPairCertificate *pairs;
    int32_t excess_count;
    AbutPlanExcess *excess; /* limits of joints that are broken */
} Args;

static int exit_status(const Args *args)
{
    const AbutCertificate *x = &args->certificate;
    int lost = x->status == ABUT_CERTIFICATE_CONTACT || x->balance.status == ABUT_CERTIFICATE_CONTACT ||
               (args->setup.limits_file && args->excess_count > 0);
    if (lost)
        return CLI_NO;
    return abut_certificate_is_proof(x) ? CLI_OK : CLI_UNDECIDED;
}

/* ---- work -------------------------------------------------------------------------------------------------------- */

static void read_trajectory(Args *args)
{
    const AbutModel *model = args->setup.robot.model;
    int kind = args->interpolate ? abut_word_find(abut_interpolation_names, args->interpolate) : -1;
    if (args->interpolate && kind < 0)
        cli_error("--interpolate: linear, cubic or quintic expected, got '%s'", args->interpolate);
    args->setup.held = cli_room((size_t)model->joint_count, 1);
    cli_need(abut_trajectory_read(
        args->trajectory_file, NULL, 0, args->setup.robot.c, kind, &args->trajectory, args->setup.held, &cli_why));
    for (int32_t i = 0; i < model->joint_count; ++i)
        args->setup.held[i] = !args->setup.held[i];
}

/* Joints that are not where the ones that they follow put them, at the ends of pieces. */
static void warn_untied(const Args *args)
{
    const AbutModel *model = args->setup.robot.model;
    const AbutTrajectory *t = &args->trajectory;
    double *q = cli_room((size_t)model->joint_count, sizeof *q);
    for (int32_t i = 0; i < model->equality_count; ++i) {
        const AbutEqualityDef *e = &model->equalities[i];
        double worst = 1e-6, at = NAN;
        for (int32_t k = 0; k <= t->piece_count && e->kind == ABUT_EQUALITY_JOINT && !e->inactive; ++k) {
            abut_trajectory_value(t, t->times[k], 0, q);
            double y = e->b < 0 ? 0.0 : q[e->b] - model->joints[e->b].reference, must = 0.0;
            for (int c = 4; c >= 0; --c)
                must = must * y + e->polynomial[c];
            double off = fabs(q[e->a] - model->joints[e->a].reference - must);
            at = off > worst ? t->times[k] : at;
            worst = fmax(worst, off);
        }
        if (!isnan(at))
            cli_warning("%s: joint '%s' is %.3g off what it follows, '%s', at %.6g s", args->trajectory_file,
                model->joints[e->a].name, worst, e->b < 0 ? "a fixed value" : model->joints[e->b].name, at);
    }
    abut_free(q);
}

static void find_excess(Args *args)
{
    int32_t most = ABUT_PLAN_LIMIT_COUNT * abut_plan_joint_count(args->setup.problem);
    args->excess = cli_room((size_t)most, sizeof *args->excess);
    cli_need(abut_plan_check_limits(
        args->setup.problem, &args->trajectory, most, args->excess, &args->excess_count, &cli_why));
}

/* Another trajectory of the same joints, and what is to be said of it. */
static void read_beside(Args *args, AbutTrajectory *out, char *title, size_t room)
{
    const AbutModel *model = args->setup.robot.model;
    AbutCertifyDef def = {args->level, args->budget, 0};
    AbutCertificate x;
    uint8_t *given = cli_room((size_t)model->joint_count, 1);
    int kind = args->interpolate ? abut_word_find(abut_interpolation_names, args->interpolate) : -1;
    AbutStatus status = abut_trajectory_read(args->beside, NULL, 0, args->setup.robot.c, kind, out, given, &cli_why);
    if (status == ABUT_ERROR_ARGUMENT) /* polynomials, and --interpolate is of the first file */
        status = abut_trajectory_read(args->beside, NULL, 0, args->setup.robot.c, -1, out, given, &cli_why);
    if (!status)
        status = abut_plan_certify(args->setup.problem, out, &def, &x, NULL, &cli_why);
    abut_free(given);
    if (status)
        cli_error("--beside: %s", cli_why.text);
    snprintf(title, room, "%s: %s", cli_base_name(args->beside), abut_word(abut_certificate_status_names, x.status));
}

static void write_page(Args *args)
{
    AbutTrajectory other = {0};
    char title[2][300];
    const char *said = abut_word(abut_certificate_status_names, args->certificate.status);
    if (args->beside)
        read_beside(args, &other, title[1], sizeof title[1]);
    snprintf(title[0], sizeof title[0], "%s: %s", cli_base_name(args->trajectory_file), said);
    PlanMotion motion = {&args->trajectory, args->pairs, args->beside ? title[0] : said},
               second = {&other, NULL, title[1]};
    plan_write_page(args->html, &args->setup, &motion, args->beside ? &second : NULL);
    abut_trajectory_free(&other);
}

static void certify(Args *args)
{
    AbutCertifyDef def = {args->level, args->budget, 0};
    args->pairs = cli_room((size_t)abut_plan_pair_count(args->setup.problem), sizeof *args->pairs);
    if (abut_plan_certify(args->setup.problem, &args->trajectory, &def, &args->certificate, args->pairs, &cli_why) !=
        ABUT_OK)
        cli_error("%s: %s", args->trajectory_file, cli_why.text);
    find_excess(args);
    if (args->cert)
        plan_write_certificate(
            args->cert, &args->setup, args->level, &args->trajectory, &args->certificate, args->pairs);
    if (args->html)
        write_page(args);
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static double first_time(const Args *args)
{
    double first = INFINITY;
    for (int32_t i = 0; i < abut_plan_pair_count(args->setup.problem); ++i)
        if (args->pairs[i].status == ABUT_CERTIFICATE_CONTACT)
            first = fmin(first, args->pairs[i].first);
    return first;
}

typedef struct Limit {
    const char *joint;
    AbutPlanExcess x;
} Limit;

static const AbutField limit_fields[] = {
    {ABUT_FIELD(Limit, joint, TEXT, "", "Name of the joint.")},
    {ABUT_FIELD_OF(Limit, x, abut_plan_excess_record, "kind value limit t")},
};
static const AbutRecord limit_record = ABUT_RECORD("limit", "", Limit, limit_fields);

typedef struct Answer {
    const Args *args;
    int certified;
    double level, first_seen, from, to;
    int32_t joints, pairs;
    PlanProof proof;
} Answer;

static void put_limits(AbutJson *json, const void *member)
{
    const Args *args = *(const Args *const *)member;
    abut_json_begin_array(json);
    for (int32_t i = 0; i < args->excess_count; ++i) {
        Limit limit = {args->setup.robot.model->joints[args->excess[i].joint].name, args->excess[i]};
        abut_record_put_object(json, &limit_record, &limit);
    }
    abut_json_end_array(json);
}

static const AbutField answer_fields[] = {
    {ABUT_FIELD_OF(Answer, proof.certificate, abut_certificate_record, "status")},
    {ABUT_FIELD(Answer, certified, FLAG, "", "Everything that was asked is proved.")},
    {ABUT_FIELD(Answer, level, REAL, "m", "Distance that is proved.")},
    {ABUT_FIELD_OF(Answer, proof, plan_proof_record, "clearance balance")},
    {ABUT_FIELD_AS("limits", Answer, args, PUT, "", "Limits of joints that are broken."), .put = put_limits,
        .record = &limit_record},
    {ABUT_FIELD(Answer, first_seen, REAL, "s", "First time at which contact was seen; null for none.")},
    {ABUT_FIELD(Answer, from, REAL, "s", "Begin of the motion.")},
    {ABUT_FIELD(Answer, to, REAL, "s", "End of the motion.")},
    {ABUT_FIELD(Answer, joints, INT, "", "Joints that move.")},
    {ABUT_FIELD(Answer, pairs, INT, "", "Pairs that are checked.")},
    {ABUT_FIELD_OF(Answer, proof, plan_proof_record, "left_out poses distances bounds triangles")},
};
const AbutRecord cli_plan_check_answer = ABUT_RECORD("plan check", "", Answer, answer_fields);

static void print_limits(const Args *args)
{
    for (int32_t i = 0; i < args->excess_count; ++i) {
        const AbutPlanExcess *x = &args->excess[i];
        const char *name = args->setup.robot.model->joints[x->joint].name;
        if (isinf(x->value))
            printf("  %-12s the speed of joint %s jumps at %.6g s\n", "limit", name, x->t);
        else
            printf("  %-12s %s of joint %s is %.6g at %.6g s, its limit %.6g\n", "limit",
                abut_word(abut_plan_limit_names, x->kind), name, x->value, x->t, x->limit);
    }
}

static int print_text(const Args *args, const Answer *a)
{
    const AbutCertificate *x = &args->certificate;
    const AbutRecord *record = &cli_plan_check_answer;
    printf("  %-12s %s\n  %-12s %d of %d joints, %d pairs, %.6g to %.6g s\n", "status",
        abut_word(abut_certificate_status_names, x->status), "problem", (int)a->joints,
        (int)args->setup.robot.model->joint_count, (int)a->pairs, a->from, a->to);
    plan_print_balance(x);
    print_limits(args);
    if (x->pair < 0)
        return exit_status(args);
    printf("  %-12s %s\n", "pair", plan_pair_text(args->setup.problem, x->pair));
    if (x->status == ABUT_CERTIFICATE_CLEAR || x->status == ABUT_CERTIFICATE_CLEAR_EXCEPT)
        printf("  %-12s at least %.6g m, %s\n", "distance", x->lb, plan_when(&args->setup));
    else
        printf("  %-12s %.6g m at %.6g s\n", "distance", x->ub, x->t);
    if (x->status == ABUT_CERTIFICATE_CONTACT)
        abut_record_print(stdout, record, "  first seen   {first_seen:.6g} s\n", a);
    abut_record_print(stdout, record, "  looked at    {poses} postures, {distances} distances", a);
    if (args->setup.obstacles.mesh_count)
        abut_record_print(stdout, record, "; {triangles} triangles as they are", a);
    printf("\n");
    return exit_status(args);
}

static int print_answer(const Args *args)
{
    const AbutTrajectory *t = &args->trajectory;
    const Answer a = {args, abut_certificate_is_proof(&args->certificate), args->level, first_time(args), t->times[0],
        t->times[t->piece_count], abut_plan_joint_count(args->setup.problem), abut_plan_pair_count(args->setup.problem),
        plan_proof(&args->setup, &args->certificate)};
    return args->json ? cli_answer(2, &cli_plan_check_answer, NULL, &a, exit_status(args)) : print_text(args, &a);
}

static int answer(Args *args)
{
    plan_setup_read(&args->setup);
    plan_find_support(&args->setup);
    read_trajectory(args);
    warn_untied(args);
    plan_setup_problem(&args->setup);
    certify(args);
    return print_answer(args);
}

int plan_check(int argc, char **argv)
{
    Args args = {.setup = plan_setup_make()};
    args.setup.balance = "none";
    const CliOption options[] = {
        cli_row("--obstacles", &args.setup.obstacle_file),
        {"--level", NULL, CLI_REAL, &args.level, "D", "distance that must be kept; what is not farther is contact, m"},
        {"--interpolate", NULL, CLI_TEXT, &args.interpolate, "KIND",
            "linear, cubic or quintic between rows (default: by the columns of the file)"},
        cli_row("--state", &args.setup.robot.state),
        cli_row("--keyframe", &args.setup.robot.key),
        {"--limits", NULL, CLI_TEXT, &args.setup.limits_file, "FILE",
            "CSV joint,lower,upper,speed,acceleration: limits that must be kept"},
        cli_row("--allow-outside", &operands_outside),
        cli_row("--warnings", &operands_warnings),
        cli_row("--support", &args.setup.support),
        {"--balance", NULL, CLI_TEXT, &args.setup.balance, "B",
            "feet: the centre of mass stays over them; x,y;x,y;..: over these corners; none (default: none)"},
        cli_row("--shapes", &args.setup.shapes),
        cli_row("--pairs", &args.setup.pairs),
        cli_row("--add", &args.setup.add),
        cli_row("--allow", &args.setup.allow),
        cli_row("--neighbours", &args.setup.neighbours),
        {"--budget", NULL, CLI_COUNT, &args.budget, "N", "bounds to compute at most (default: 5000000)"},
        {"--cert", NULL, CLI_TEXT, &args.cert, "FILE", "write the bounds of every pair as JSON"},
        cli_row("--html", &args.html),
        {"--beside", NULL, CLI_TEXT, &args.beside, "FILE",
            "with --html: another trajectory, beside the first on the page"},
        cli_row("--json", &args.json),
    };
    cli_command = &check_command;
    int operands = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (operands != 2)
        cli_error("a model and a trajectory expected, got %d; see 'abut help plan check'", operands);
    args.setup.robot.source = argv[0];
    args.trajectory_file = argv[1];
    args.setup.proof_only = !args.html; /* a page draws pieces */
    const char *const inputs[] = {argv[0], argv[1], args.setup.obstacle_file, args.setup.robot.state,
        args.setup.limits_file, args.beside, plan_pair_file(args.setup.allow), plan_pair_file(args.setup.pairs),
        plan_pair_file(args.setup.add)};
    const char *const outputs[] = {args.cert, args.html};
    cli_check_files(9, inputs, 2, outputs);
    cli_check_range("--level", args.level, 0.0, 1e6);
    int status = answer(&args);
    plan_setup_free(&args.setup);
    abut_trajectory_free(&args.trajectory);
    abut_free(args.pairs);
    abut_free(args.excess);
    return status;
}
