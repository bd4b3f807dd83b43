/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut plan check: does a trajectory keep clear at all times? In: a robot, a file of joint positions, obstacles. Out: a
 * proof, or a pair and a time. Exit 0 proved clear, 1 contact, 3 undecided.
 */
#include "plan.h"

#include <math.h>
#include <string.h>

typedef struct Args {
    PlanSetup setup;
    const char *trajectory_file, *cert, *html, *beside;
    double level;
    int json, budget, interpolate; /* interpolate -1: not given */
    AbutTrajectory trajectory;
    AbutCertificate certificate;
    AbutPairCertificate *pairs;
    int32_t excess_count;
    AbutPlanExcess *excess; /* limits of joints that are broken */
} Args;

static int exit_status(const Args *args) {
    const AbutCertificate *x = &args->certificate;
    int lost = x->status == ABUT_CERTIFICATE_CONTACT || x->balance.status == ABUT_CERTIFICATE_CONTACT ||
               (args->setup.limits_file && args->excess_count > 0);
    if (lost) return CLI_NO;
    return abut_certificate_is_proof(x) ? CLI_OK : CLI_UNDECIDED;
}

/* ---- work -------------------------------------------------------------------------------------------------------- */

static void read_trajectory(Args *args) {
    const AbutModel *model = args->setup.robot.model;
    args->setup.held = cli_room((size_t)model->joint_count, 1);
    cli_need(abut_trajectory_read(args->trajectory_file, NULL, 0, args->setup.robot.c, args->interpolate,
        &args->trajectory, args->setup.held, &cli_why));
    for (int32_t i = 0; i < model->joint_count; ++i) args->setup.held[i] = !args->setup.held[i];
}

/* Joints that are not where the ones that they follow put them, at the ends of pieces. */
static void warn_untied(const Args *args) {
    const AbutModel *model = args->setup.robot.model;
    const AbutTrajectory *t = &args->trajectory;
    double *q = cli_room((size_t)model->joint_count, sizeof *q);
    for (int32_t i = 0; i < model->equality_count; ++i) {
        const AbutEqualityDef *e = &model->equalities[i];
        double worst = 1e-6, at = NAN;
        for (int32_t k = 0; k <= t->piece_count && e->kind == ABUT_EQUALITY_JOINT && !e->inactive; ++k) {
            abut_trajectory_value(t, t->times[k], 0, q);
            double y = e->b < 0 ? 0.0 : q[e->b] - model->joints[e->b].reference, must = 0.0;
            for (int c = 4; c >= 0; --c) must = must * y + e->polynomial[c];
            double off = fabs(q[e->a] - model->joints[e->a].reference - must);
            at = off > worst ? t->times[k] : at;
            worst = fmax(worst, off);
        }
        if (!isnan(at))
            cli_warning("%s: joint '%s' is %.3g off what it follows, '%s', at %.6g s", args->trajectory_file,
                model->joints[e->a].name, worst, e->b < 0 ? "a fixed value" : model->joints[e->b].name, at);
    }
}

/* Another trajectory of the same joints, and what is to be said of it. */
static void read_beside(Args *args, AbutTrajectory *out, char *title, size_t room) {
    const AbutModel *model = args->setup.robot.model;
    AbutCertifyDef def = {args->level, args->budget, 0};
    AbutCertificate x;
    uint8_t *given = cli_room((size_t)model->joint_count, 1);
    AbutStatus status =
        abut_trajectory_read(args->beside, NULL, 0, args->setup.robot.c, args->interpolate, out, given, &cli_why);
    if (status == ABUT_ERROR_ARGUMENT) /* polynomials, and --interpolate is of the first file */
        status = abut_trajectory_read(args->beside, NULL, 0, args->setup.robot.c, -1, out, given, &cli_why);
    if (!status) status = abut_plan_certify(args->setup.problem, out, &def, &x, NULL, &cli_why);
    cli_need_of("--beside", status);
    snprintf(title, room, "%s: %s", cli_base_name(args->beside), abut_word(abut_certificate_status_names, x.status));
}

static void write_page(Args *args) {
    AbutTrajectory other = {0};
    char title[2][300];
    const char *said = abut_word(abut_certificate_status_names, args->certificate.status);
    if (args->beside) read_beside(args, &other, title[1], sizeof title[1]);
    snprintf(title[0], sizeof title[0], "%s: %s", cli_base_name(args->trajectory_file), said);
    PlanMotion motion = {&args->trajectory, args->pairs, args->beside ? title[0] : said},
               second = {&other, NULL, title[1]};
    plan_write_page(args->html, &args->setup, &motion, args->beside ? &second : NULL);
}

static void certify(Args *args) {
    AbutCertifyDef def = {args->level, args->budget, 0};
    args->pairs = cli_room((size_t)abut_plan_pair_count(args->setup.problem), sizeof *args->pairs);
    cli_need_of(args->trajectory_file,
        abut_plan_certify(args->setup.problem, &args->trajectory, &def, &args->certificate, args->pairs, &cli_why));
    int32_t most = ABUT_PLAN_LIMIT_COUNT * abut_plan_joint_count(args->setup.problem);
    args->excess = cli_room((size_t)most, sizeof *args->excess);
    cli_need(abut_plan_check_limits(
        args->setup.problem, &args->trajectory, most, args->excess, &args->excess_count, &cli_why));
    if (args->cert)
        plan_write_certificate(
            args->cert, &args->setup, args->level, &args->trajectory, &args->certificate, args->pairs);
    if (args->html) write_page(args);
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static double first_time(const Args *args) {
    double first = INFINITY;
    for (int32_t i = 0; i < abut_plan_pair_count(args->setup.problem); ++i)
        if (args->pairs[i].status == ABUT_CERTIFICATE_CONTACT) first = fmin(first, args->pairs[i].first);
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
    const Limit *limits;
    int32_t limit_count;
    int certified;
    double level, first_seen, from, to;
    int32_t joints, pairs;
    PlanProof proof;
} Answer;

static const AbutField answer_fields[] = {
    {ABUT_FIELD_OF(Answer, proof.certificate, abut_certificate_record, "status")},
    {ABUT_FIELD(Answer, certified, FLAG, "", "Everything that was asked is proved.")},
    {ABUT_FIELD(Answer, level, REAL, "m", "Distance that is proved.")},
    {ABUT_FIELD_OF(Answer, proof, plan_proof_record, "clearance balance")},
    {ABUT_FIELD_AT(Answer, limits, limit_record, "Limits of joints that are broken."),
        .count_at = offsetof(Answer, limit_count)},
    {ABUT_FIELD(Answer, first_seen, REAL, "s", "First time at which contact was seen; null for none.")},
    {ABUT_FIELD(Answer, from, REAL, "s", "Begin of the motion.")},
    {ABUT_FIELD(Answer, to, REAL, "s", "End of the motion.")},
    {ABUT_FIELD(Answer, joints, INT, "", "Joints that move.")},
    {ABUT_FIELD(Answer, pairs, INT, "", "Pairs that are checked.")},
    {ABUT_FIELD_OF(Answer, proof, plan_proof_record, "left_out poses distances bounds triangles points")},
};
const AbutRecord cli_plan_check_answer = ABUT_RECORD("plan check", "", Answer, answer_fields);

static int print_text(const Args *args, const Answer *a) {
    const AbutCertificate *x = &args->certificate;
    const AbutRecord *record = &cli_plan_check_answer;
    printf("  %-12s %s\n  %-12s %d of %d joints, %d pairs, %.6g to %.6g s\n", "status",
        abut_word(abut_certificate_status_names, x->status), "problem", (int)a->joints,
        (int)args->setup.robot.model->joint_count, (int)a->pairs, a->from, a->to);
    plan_print_balance(x);
    for (int32_t i = 0; i < a->limit_count; ++i)
        abut_record_print(stdout, &limit_record,
            isinf(a->limits[i].x.value)
                ? "  limit        the speed of joint {joint} jumps at {t:.6g} s\n"
                : "  limit        {kind} of joint {joint} is {value:.6g} at {t:.6g} s, its limit {limit:.6g}\n",
            &a->limits[i]);
    plan_print_clearance(&args->setup, x);
    if (x->pair < 0) return exit_status(args);
    if (x->status == ABUT_CERTIFICATE_CONTACT)
        abut_record_print(stdout, record, "  first seen   {first_seen:.6g} s\n", a);
    abut_record_print(stdout, record, "  looked at    {poses} postures, {distances} distances", a);
    if (plan_triangles(&args->setup)) abut_record_print(stdout, record, "; {triangles} triangles as they are", a);
    printf("\n");
    return exit_status(args);
}

static int print_answer(const Args *args) {
    const AbutTrajectory *t = &args->trajectory;
    Limit *limits = cli_room((size_t)args->excess_count, sizeof *limits);
    for (int32_t i = 0; i < args->excess_count; ++i)
        limits[i] = (Limit){args->setup.robot.model->joints[args->excess[i].joint].name, args->excess[i]};
    const Answer a = {limits, args->excess_count, abut_certificate_is_proof(&args->certificate), args->level,
        first_time(args), t->times[0], t->times[t->piece_count], abut_plan_joint_count(args->setup.problem),
        abut_plan_pair_count(args->setup.problem), plan_proof(&args->setup, &args->certificate)};
    return args->json ? cli_answer(2, &cli_plan_check_answer, NULL, &a, exit_status(args)) : print_text(args, &a);
}

int cli_plan_check(int argc, char **argv) {
    Args args = {.setup = plan_setup_make(), .interpolate = -1};
    args.setup.balance = "none";
    const CliOption options[] = {
        cli_row("--obstacles", &args.setup.obstacle_file),
        cli_row("--radius", &args.setup.radius),
        cli_row("--voxel", &args.setup.voxel),
        OPTION("--level", CLI_REAL, &args.level, "D", "distance that must be kept; what is not farther is contact, m",
            0.0, 1e6),
        OPTION("--interpolate", CLI_WORD, &args.interpolate, "KIND",
            "linear, cubic or quintic between rows (default: by the columns of the file)",
            .words = abut_interpolation_names),
        cli_row("--state", &args.setup.robot.state),
        cli_row("--keyframe", &args.setup.robot.key),
        OPTION("--limits", CLI_INPUT, &args.setup.limits_file, "FILE",
            "CSV joint,lower,upper,speed,acceleration: limits that must be kept"),
        OPERAND_MODELS,
        cli_row("--support", &args.setup.support),
        OPTION("--balance", CLI_TEXT, &args.setup.balance, "B",
            "feet: the center of mass stays over them; x,y;x,y;..: over these corners; none (default: none)"),
        cli_row("--shapes", &args.setup.shapes),
        cli_row("--pairs", &args.setup.pairs),
        cli_row("--add", &args.setup.add),
        cli_row("--allow", &args.setup.allow),
        cli_row("--neighbors", &args.setup.neighbors),
        OPTION("--budget", CLI_COUNT, &args.budget, "N", "bounds to compute at most (default: 5000000)"),
        OPTION("--cert", CLI_OUTPUT, &args.cert, "FILE", "write the bounds of every pair as JSON"),
        cli_row("--html", &args.html),
        OPTION("--beside", CLI_INPUT, &args.beside, "FILE",
            "with --html: another trajectory, beside the first on the page"),
        cli_row("--json", &args.json),
    };
    int operands = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (operands != 2) cli_error("expected a model and a trajectory, got %d; see 'abut help plan check'", operands);
    args.setup.robot.source = argv[0];
    args.trajectory_file = argv[1];
    args.setup.proof_only = !args.html; /* a page draws pieces */
    plan_setup_read(&args.setup);
    plan_find_support(&args.setup);
    read_trajectory(&args);
    warn_untied(&args);
    plan_setup_problem(&args.setup);
    certify(&args);
    return print_answer(&args);
}
