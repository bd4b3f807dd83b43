/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut modes: every way a set of contacts can move. In: a file of contacts, a scene, a robot, or a named system. Out:
 * sign strings, or their number; with --html also a page. Exit status 1 when the run was interrupted.
 */
#include "modes.h"
#include "operands.h"

#include <stdlib.h>
#include <string.h>

static void check_args(const ModesArgs *a)
{
    if (a->cs && a->of)
        cli_error("--cs and --of exclude each other");
    if (a->json && a->text)
        cli_error("--json and --text exclude each other");
    if (strcmp(a->method, "search") != 0 && strcmp(a->method, "paper") != 0)
        cli_error("--method: expected search or paper, got '%s'", a->method);
    if (a->wrench && (a->cs || a->nonlinear))
        cli_error("--wrench needs the sliding directions: it goes with neither --cs nor --nonlinear");
    if (a->page && a->nonlinear)
        cli_error("--html and --nonlinear exclude each other: the page shows a velocity of each mode");
    if (a->lattice && a->nonlinear)
        cli_error("--lattice and --nonlinear exclude each other: faces are told apart by directions");
    if (a->stable && (a->of || a->limit || a->page || a->lattice))
        cli_error("--stable looks at all modes: it goes with none of --of, --limit, --html, --lattice");
    if (a->consistent && (a->stable || a->page || a->lattice))
        cli_error("--consistent lists solutions: it goes with none of --stable, --html, --lattice");
    if (a->grasp && (a->stable || a->consistent || a->page || a->lattice || a->of || a->count))
        cli_error("--grasp prints a grasp and no modes: it goes with --keyframe, --margin and --json");
    if (a->page && !abut_page_available())
        cli_error("--html: this build has no pages (Node.js was missing when it was built)");
    cli_check_files(1, &a->source, 3, (const char *const[]){a->output, a->page, a->lattice});
    cli_check_range("--tol", a->tolerance, 1e-15, 0.1);
    cli_check_range("--mu", a->mu, 0.0, 1e6);
    cli_check_range("--margin", a->margin, 1e-12, 0.1);
}

/* ---- the pattern of --of ----------------------------------------------------------------------------------------- */

/* One entry per contact. */
static int8_t *read_pattern(const ModesArgs *a, const AbutModeSystem *rows)
{
    size_t words = (size_t)abut_mode_words(rows, 0);
    int8_t *cs = cli_room((size_t)rows->contacts, 1);
    uint64_t *bits = cli_room(2 * words, sizeof *bits);
    cli_need_of("--of", abut_mode_parse(rows, 0, a->of, (AbutMode){bits, bits + words}, &cli_why));
    for (int i = 0; i < rows->contacts; ++i)
        cs[i] = (int8_t)(bits[i >> 6] >> (i & 63) & 1);
    abut_free(bits);
    return cs;
}

/* ---- the force of --wrench --------------------------------------------------------------------------------------- */

/* `dof` numbers with commas between. */
static void read_force(const char *text, int dof, double *out)
{
    int count = 0;
    for (const char *at = text;; ++at) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || !isfinite(value))
            cli_error("--wrench: expected %d finite numbers with commas between, got '%s'", dof, text);
        if (count < dof)
            out[count] = value;
        ++count;
        at = end;
        if (*at == 0)
            break;
        if (*at != ',')
            cli_error("--wrench: expected a comma at '%s'", at);
    }
    if (count != dof)
        cli_error("--wrench: the system has %d velocities, got %d numbers", dof, count);
}

/* Fills `forces`; `own` is room for dof numbers. */
static void set_forces(const ModesArgs *a, const ModesSystem *s, double *own, AbutModeForces *forces)
{
    *forces = (AbutModeForces){.force = own, .default_friction = a->mu};
    if (isnan(a->mu) && !s->friction)
        cli_error("%s needs the friction of the contacts: --mu M", a->stable       ? "--stable"
                                                                   : a->consistent ? "--consistent"
                                                                                   : "--wrench");
    if (isnan(a->mu))
        forces->friction = s->friction, forces->default_friction = 0.0;
    if (a->stable && !s->mass)
        cli_error("--stable asks where forces lead: only the bodies of a scene have masses");
    if (a->stable || a->consistent)
        forces->mass = s->mass;
    if (a->consistent && s->mass)
        forces->velocity = s->velocity, forces->step = MODES_STEP;
    if (strcmp(a->wrench, "gravity") != 0) {
        read_force(a->wrench, s->rows.dof, own);
        return;
    }
    if (!s->force)
        cli_error("--wrench gravity: only the bodies of a scene have weights");
    forces->force = s->force;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int run_system(const ModesArgs *a, const ModesSystem *s)
{
    AbutModeForces forces;
    AbutModeLayers lattice = {0};
    if (a->grasp)
        return modes_print_grasp(a, s);
    int8_t *cs = a->of ? read_pattern(a, &s->rows) : NULL;
    double *own = cli_room((size_t)s->rows.dof, sizeof *own);
    if (a->wrench)
        set_forces(a, s, own, &forces);
    if (a->page)
        modes_write_page(a, s, cs, a->wrench ? &forces : NULL);
    if (a->lattice)
        modes_write_lattice(a, s, cs, a->wrench ? &forces : NULL, &lattice);
    int status = modes_run(a, s, cs, a->wrench ? &forces : NULL, a->lattice ? &lattice : NULL);
    abut_free(lattice.layers);
    abut_free(own);
    abut_free(cs);
    return status;
}

static int run(ModesArgs *args, char **argv, int count)
{
    ModesSystem system;
    if (count != 1)
        cli_error("expected one file, scene or name, got %d", count);
    args->source = argv[0];
    args->count |= args->stable;
    if ((args->stable || args->consistent) && !args->wrench)
        args->wrench = "gravity";
    check_args(args);
    modes_load(args, &system);
    if (!isnan(args->tolerance))
        system.rows.tolerance = args->tolerance;
    int status = run_system(args, &system);
    modes_free(&system);
    return status;
}

int cli_modes(int argc, char **argv)
{
    ModesArgs a = {.method = "search", .lines = -1, .threads = 1, .tolerance = NAN, .mu = NAN, .margin = NAN};
    const CliOption options[] = {
        {"--cs", NULL, CLI_FLAG, &a.cs, NULL, "contacting or separating only"},
        {"--of", NULL, CLI_TEXT, &a.of, "MODE", "only the modes of this pattern of 0 and +"},
        {"--count", NULL, CLI_FLAG, &a.count, NULL, "count, do not list"},
        {"--nt", NULL, CLI_WITHIN, &(CliWithin){&a.lines, 0, 64}, "K",
            "lines that divide the tangent plane (default: as the file says, or 2)"},
        {"--nonlinear", NULL, CLI_FLAG, &a.nonlinear, NULL, "only sticking (0) and sliding (+) are told apart"},
        {"--tol", NULL, CLI_REAL, &a.tolerance, "E",
            "relative size of what counts as zero (default: 1e-9; scenes: 1e-6, or 4 times the largest gap over the "
            "size "
            "of a body)"},
        {"--method", NULL, CLI_TEXT, &a.method, "M", "search, or paper: hull and face lattice, for small systems"},
        {"--wrench", NULL, CLI_TEXT, &a.wrench, "F1,..",
            "generalised force that acts; marks the modes whose contact forces can balance it"},
        {"--stable", NULL, CLI_FLAG, &a.stable, NULL,
            "is rest the only mode that the forces can lead to? counts (--wrench: gravity unless given)"},
        {"--consistent", NULL, CLI_FLAG, &a.consistent, NULL,
            "only modes that forces can bring about, each with a velocity and contact forces: all solutions of the "
            "contact problem (--wrench: gravity unless given, of a scene)"},
        {"--grasp", NULL, CLI_TEXT, &a.grasp, "BODY",
            "print the grasp matrix of this body of a model, what holds it, rank and force closure"},
        {"--mu", NULL, CLI_REAL, &a.mu, "M",
            "with --wrench, --stable or --consistent: friction of the contacts (default: that of the scene)"},
        {"--limit", NULL, CLI_COUNT, &a.limit, "N", "stop after N modes"},
        {"--threads", NULL, CLI_WITHIN, &(CliWithin){&a.threads, 1, 1024}, "N",
            "threads; the order is the same for any number"},
        {"--margin", NULL, CLI_REAL, &a.margin, "D",
            "bodies of a scene touch up to twice this distance, m (default: 3e-5 of their size)"},
        cli_row("--allow-outside", &operands_outside),
        cli_row("--warnings", &operands_warnings),
        cli_row("--no-cache", &operands_no_cache),
        {"--keyframe", NULL, CLI_TEXT, &a.keyframe, "NAME", "model in this keyframe, by name or number"},
        {"--plan", NULL, CLI_TEXT, &a.plan, "FILE", "joints as in this trajectory of 'abut plan'"},
        {"--at", NULL, CLI_REAL, &a.at, "T", "with --plan: time of the trajectory, s (default: 0)"},
        {"--json", NULL, CLI_FLAG, &a.json, NULL, "print JSON"},
        {"--text", NULL, CLI_FLAG, &a.text, NULL, "print one sign string per line, as without any of these"},
        {"--html", NULL, CLI_TEXT, &a.page, "FILE",
            "write the modes as a page to look at, at most 2,000; needs contacts, not rows alone"},
        {"--lattice", NULL, CLI_TEXT, &a.lattice, "FILE.svg",
            "draw the modes by layers of dimension, with lines between neighbours, at most 2,000; a page with "
            "FILE.html"},
        {"--output", "-o", CLI_TEXT, &a.output, "FILE", "write to a file instead"},
    };
    int count = cli_parse(options, CLI_ROWS(options), argc, argv);
    return run(&a, argv, count);
}
