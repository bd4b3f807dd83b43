/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut modes: every way a set of contacts can move. In: a file of contacts, a scene, a robot, or a named system. Out:
 * sign strings, or their number; with --html also a page. Exit status 1 when the run was interrupted.
 */
#include "modes.h"
#include "operands.h"

#include <stdlib.h>
#include <string.h>

static void check_args(const ModesArgs *a) {
    if (a->cs && a->of) cli_error("--cs and --of exclude each other");
    if (a->json && a->text) cli_error("--json and --text exclude each other");
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
}

/* ---- the pattern of --of ----------------------------------------------------------------------------------------- */

/* One entry per contact. */
static int8_t *read_pattern(const ModesArgs *a, const AbutModeSystem *rows) {
    size_t words = (size_t)abut_mode_words(rows, 0);
    int8_t *cs = cli_room((size_t)rows->contacts, 1);
    uint64_t *bits = cli_room(2 * words, sizeof *bits);
    cli_need_of("--of", abut_mode_parse(rows, 0, a->of, (AbutMode){bits, bits + words}, &cli_why));
    for (int i = 0; i < rows->contacts; ++i) cs[i] = (int8_t)(bits[i >> 6] >> (i & 63) & 1);
    return cs;
}

/* ---- the force of --wrench --------------------------------------------------------------------------------------- */

/* `dof` numbers with commas between. */
static void read_force(const char *text, int dof, double *out) {
    int count = 0;
    const char *bad = cli_bad_real(text), *at = text;
    if (bad) cli_error("--wrench: expected %d finite numbers with commas between, got '%s'", dof, text);
    for (char *end; *at; at = end + (*end == ',')) {
        double value = strtod(at, &end);
        if (count++ < dof) out[count - 1] = value;
    }
    if (count != dof) cli_error("--wrench: the system has %d velocities, got %d numbers", dof, count);
}

/* Fills `forces`; `own` is room for dof numbers. */
static void set_forces(const ModesArgs *a, const ModesSystem *s, double *own, AbutModeForces *forces) {
    *forces = (AbutModeForces){.force = own, .default_friction = a->mu};
    if (isnan(a->mu) && !s->friction)
        cli_error("%s needs the friction of the contacts: --mu M", a->stable       ? "--stable"
                                                                   : a->consistent ? "--consistent"
                                                                                   : "--wrench");
    if (isnan(a->mu)) forces->friction = s->friction, forces->default_friction = 0.0;
    if (a->stable && !s->mass) cli_error("--stable asks where forces lead: only the bodies of a scene have masses");
    if (a->stable || a->consistent) forces->mass = s->mass;
    if (a->consistent && s->mass) forces->velocity = s->velocity, forces->step = MODES_STEP;
    if (strcmp(a->wrench, "gravity") != 0) {
        read_force(a->wrench, s->rows.dof, own);
        return;
    }
    if (!s->force) cli_error("--wrench gravity: only the bodies of a scene have weights");
    forces->force = s->force;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int run_system(const ModesArgs *a, const ModesSystem *s) {
    AbutModeForces forces;
    AbutModeLayers lattice = {0};
    if (a->grasp) return modes_print_grasp(a, s);
    int8_t *cs = a->of ? read_pattern(a, &s->rows) : NULL;
    double *own = cli_room((size_t)s->rows.dof, sizeof *own);
    if (a->wrench) set_forces(a, s, own, &forces);
    if (a->page) modes_write_page(a, s, cs, a->wrench ? &forces : NULL);
    if (a->lattice) modes_write_lattice(a, s, cs, a->wrench ? &forces : NULL, &lattice);
    return modes_run(a, s, cs, a->wrench ? &forces : NULL, a->lattice ? &lattice : NULL);
}

int cli_modes(int argc, char **argv) {
    ModesArgs a = {
        .lines = -1, .threads = 1, .tolerance = NAN, .mu = NAN, .margin = NAN, .budget = (double)ABUT_MODE_BUDGET};
    const CliOption options[] = {
        OPTION("--cs", CLI_FLAG, &a.cs, NULL, "contacting or separating only"),
        OPTION("--of", CLI_TEXT, &a.of, "MODE", "only the modes of this pattern of 0 and +"),
        OPTION("--count", CLI_FLAG, &a.count, NULL, "count, do not list"),
        OPTION("--nt", CLI_WHOLE, &a.lines, "K",
            "lines that divide the tangent plane (default: as the file says, or 2)", 0, 64),
        OPTION("--nonlinear", CLI_FLAG, &a.nonlinear, NULL, "only sticking (0) and sliding (+) are told apart"),
        OPTION("--tol", CLI_REAL, &a.tolerance, "E",
            "relative size of what counts as zero (default: 1e-9; scenes: 1e-6, or 4 times the largest gap over the "
            "size of a body)",
            1e-15, 0.1),
        OPTION("--method", CLI_WORD, &a.method, "M", "search, or paper: hull and face lattice, for small systems",
            .words = modes_methods),
        OPTION("--wrench", CLI_TEXT, &a.wrench, "F1,..",
            "generalized force that acts; marks the modes whose contact forces can balance it"),
        OPTION("--stable", CLI_FLAG, &a.stable, NULL,
            "is rest the only mode that the forces can lead to? counts (--wrench: gravity unless given)"),
        OPTION("--consistent", CLI_FLAG, &a.consistent, NULL,
            "only modes that forces can bring about, each with a velocity and contact forces: all solutions of the "
            "contact problem (--wrench: gravity unless given, of a scene)"),
        OPTION("--grasp", CLI_TEXT, &a.grasp, "BODY",
            "print the grasp matrix of this body of a model, what holds it, rank and force closure"),
        OPTION("--mu", CLI_REAL, &a.mu, "M",
            "with --wrench, --stable or --consistent: friction of the contacts (default: that of the scene)", 0.0, 1e6),
        OPTION("--limit", CLI_COUNT, &a.limit, "N", "stop after N modes"),
        OPTION("--budget", CLI_REAL, &a.budget, "N",
            "stop after so much work, about N numbers made or sets compared: partial, exit status 3; the same in every "
            "run (default: 2e10)",
            1.0, 1e19),
        OPTION("--threads", CLI_COUNT, &a.threads, "N", "threads; the order is the same for any number", 1, 1024),
        OPTION("--margin", CLI_REAL, &a.margin, "D",
            "bodies of a scene touch up to twice this distance, m (default: 3e-5 of their size)", 1e-12, 0.1),
        OPERAND_MODELS,
        OPTION("--keyframe", CLI_TEXT, &a.keyframe, "NAME", "model in this keyframe, by name or number"),
        OPTION("--plan", CLI_INPUT, &a.plan, "FILE", "joints as in this trajectory of 'abut plan'"),
        OPTION("--at", CLI_REAL, &a.at, "T", "with --plan: time of the trajectory, s (default: 0)"),
        OPTION("--json", CLI_FLAG, &a.json, NULL, "print JSON"),
        OPTION("--text", CLI_FLAG, &a.text, NULL, "print one sign string per line, as without any of these"),
        OPTION("--html", CLI_OUTPUT, &a.page, "FILE",
            "write the modes as a page to look at, at most 2,000; needs contacts, not rows alone"),
        OPTION("--lattice", CLI_OUTPUT, &a.lattice, "FILE.svg",
            "draw the modes by layers of dimension, with lines between neighbors, at most 2,000; a page with "
            "FILE.html"),
        OPTION("--output", CLI_OUTPUT, &a.output, "FILE", "write to a file instead", .brief = "-o"),
    };
    ModesSystem system;
    int count = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (count != 1) cli_error("expected one file, scene or name, got %d", count);
    a.source = argv[0];
    a.count |= a.stable;
    if ((a.stable || a.consistent) && !a.wrench) a.wrench = "gravity";
    check_args(&a);
    modes_load(&a, &system);
    if (!isnan(a.tolerance)) system.rows.tolerance = a.tolerance;
    return run_system(&a, &system);
}
