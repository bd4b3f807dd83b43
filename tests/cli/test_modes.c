/* SPDX-License-Identifier: Apache-2.0 */
/* abut modes and abut reproduce modes: named systems, files, scenes, forces, bad input, interrupts. */
#include "abut/literature.h"
#include "support/optional_data.h"
#include "support/cli.h"

#include "abut/picture.h"

#include <string.h>

static void expect_counts(const char *what, double cs, double ss) {
    if (tool_run(&tool, ABUT_CLI, "modes %s --count --json", what) != 0) fail_msg("%s: %s", what, tool.err);
    assert_true(json_valid(tool.out));
    if (json_number(tool.out, "cs") != cs || json_number(tool.out, "ss") != ss) fail_msg("%s: %s", what, tool.out);
    assert_true(json_is(tool.out, "partial", "false"));
}

static const struct {
    const char *name, *file;
    double cs, ss;
} table[] = {
    {"box:1", "box-1", 10, 196},
    {"box:2", "box-2", 46, 228},
    {"box:3", "box-3", 136, 136},
    {"box:4", "box-4", 10, 10},
    {"box:5", "box-5", 2, 2},
    {"peg:4", "peg-in-hole-4", 1, 9},
    {"peg:8", "peg-in-hole-8", 1, 9},
    {"box-box:1", "box-box-1", 10, 9996},
    {"box-box:2", "box-box-2", 184, 29046},
};
enum { TABLE = sizeof table / sizeof table[0] };

static void named_systems_have_the_true_counts(void **state) {
    (void)state;
    char what[100];
    for (int i = 0; i < TABLE; ++i) {
        expect_counts(table[i].name, table[i].cs, table[i].ss);
        snprintf(what, sizeof what, "%s --method paper", table[i].name);
        expect_counts(what, table[i].cs, table[i].ss);
        snprintf(what, sizeof what, "%s --threads 2", table[i].name);
        expect_counts(what, table[i].cs, table[i].ss);
    }
}

static void case_files_have_the_true_counts(void **state) {
    (void)state;
    char what[700];
    const char *folder = optional_data("cases/modes");
    if (!folder) skip();
    for (int i = 0; i < TABLE; ++i) {
        snprintf(what, sizeof what, "%s/%s.json", folder, table[i].file);
        expect_counts(what, table[i].cs, table[i].ss);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "modes %s/%s.json", folder, table[i].file), 0);
        assert_int_equal(lines_of(tool.out), table[i].ss);
    }
}

static void text_is_one_string_per_line(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1"), 0);
    assert_int_equal(lines_of(tool.out), 196);
    assert_string_equal(tool.err, "");
    int separated = 0;
    for (const char *line = tool.out; *line; line += 13) {
        assert_int_equal(line[12], '\n');
        assert_int_equal(strspn(line, "0+-."), 12);
        assert_true(strspn(line, "0+") >= 4);
        for (int i = 0; i < 8; ++i) /* a dot exactly where the contact separates */
            assert_int_equal(line[4 + i] == '.', line[i / 2] == '+');
        separated += strncmp(line, "++++........", 12) == 0;
    }
    assert_int_equal(separated, 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 --cs"), 0);
    assert_int_equal(lines_of(tool.out), 10);
    assert_int_equal(strlen(tool.out), 50);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 --nonlinear --of 0000"), 0);
    assert_int_equal(strcspn(tool.out, "\n"), 8);
}

static void parts_add_up(void **state) {
    (void)state;
    double sum = 0;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:2 --cs"), 0);
    char *patterns = strdup(tool.out);
    for (char *p = strtok(patterns, "\n"); p; p = strtok(NULL, "\n")) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:2 --of %s --count --json", p), 0);
        sum += json_number(tool.out, "ss");
    }
    free(patterns);
    assert_true(sum == 228);
}

static void lines_can_be_chosen(void **state) {
    (void)state;
    for (int k = 1; k <= 4; ++k) { /* one point contact: 4 k + 1 tangential modes, but 3 for one line; and separation */
        tool_file(&tool, "one.json", "{\"contacts\":[{\"point\":[0,0,0],\"normal\":[0,0,1]}]}");
        assert_int_equal(tool_run(&tool, ABUT_CLI, "modes one.json --count --json --nt %d", k), 0);
        assert_true(json_number(tool.out, "ss") == (k == 1 ? 4 : 4 * k + 2));
        assert_int_equal(tool_run(&tool, ABUT_CLI, "modes grasp:1 --count --json --nt %d", k), 0);
        assert_true(json_number(tool.out, "ss") == (k == 1 ? 4 : 4 * k + 2));
    }
}

static void json_has_all_keys(void **state) {
    (void)state;
    static const char *const keys[] = {
        "contacts", "dof", "cs", "ss", "tolerance_margin", "seconds", "modes.0", "partial", "depends_on_tolerance"};
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:3 --json"), 0);
    assert_true(json_valid(tool.out));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i)
        if (!json_at(tool.out, keys[i])) fail_msg("key %s is missing", keys[i]);
    assert_int_equal(json_count(tool.out, "modes"), 136);
    assert_true(json_is(tool.out, "tolerance_margin", "null")); /* exact */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes grasp:3 --json"), 0);
    CHECK(json_number(tool.out, "tolerance_margin") > 10);
}

static void limit_marks_partial(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box-box:2 --limit 100 --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "partial", "true"));
    assert_int_equal(json_count(tool.out, "modes"), 100);
    assert_non_null(strstr(tool.err, "partial"));
}

/* The same modes in every run, and a status that says that there are more. */
static void budget_marks_partial(void **state) {
    (void)state;
    static char first[1 << 16];
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box-box:2 --budget 1000"), 3);
    assert_non_null(strstr(tool.err, "partial; the budget ended it"));
    snprintf(first, sizeof first, "%s", tool.out);
    assert_true(strlen(first) > 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box-box:2 --budget 1000"), 3);
    assert_string_equal(tool.out, first);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box-box:2 --budget 1e9 --count --json"), 0);
    assert_true(json_is(tool.out, "partial", "false") && json_is(tool.out, "out_of_budget", "false"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box-box:2 --budget 1000 --count --json"), 3);
    assert_true(json_is(tool.out, "partial", "true") && json_is(tool.out, "out_of_budget", "true"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:2 --budget 0"), 2);
}

/* The signal must find the program at work: on a busy machine the first tries may come before it has begun. */
static void interrupt_marks_partial(void **state) {
    (void)state;
    static const double waits[] = {0.3, 0.6, 1.2};
    int counted = 0, listed = 0;
    for (int i = 0; i < 3 && !counted; ++i) {
        tool_run(&tool, "timeout", "-s INT %g %s modes hand-ball-generic --count --json", waits[i], ABUT_CLI);
        counted = json_valid(tool.out) && json_is(tool.out, "partial", "true");
    }
    assert_true(counted);
    CHECK(json_number(tool.out, "ss") < 605156850);
    assert_non_null(strstr(tool.err, "partial"));
    for (int i = 0; i < 3 && !listed; ++i) {
        tool_run(&tool, "timeout", "-s INT %g %s modes hand-ball-generic -o list.txt; ls", 0.5 * waits[i], ABUT_CLI);
        listed = strstr(tool.out, "list.txt") != NULL && strstr(tool.out, ".part") == NULL;
        tool_run(&tool, "rm", "-f list.txt list.txt.part");
    }
    assert_true(listed);
}

static void output_goes_to_a_file(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 -o modes.txt"), 0);
    assert_string_equal(tool.out, "");
    assert_int_equal(tool_run(&tool, "cat", "modes.txt"), 0);
    assert_int_equal(lines_of(tool.out), 196);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 -o no/such/folder.txt"), 2);
}

static void order_does_not_depend_on_threads(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box-box:2"), 0);
    char *one = strdup(tool.out);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box-box:2 --threads 3"), 0);
    assert_string_equal(one, tool.out);
    free(one);
}

/* ---- scenes and forces ------------------------------------------------------------------------------------------- */

static void scenes_have_modes(void **state) {
    (void)state;
    expect_counts("stack:1", 10, 196);
    expect_counts("stack:2", 100, 196 * 196);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes drop --json"), 0); /* in the air: one mode, no contact */
    assert_true(json_number(tool.out, "contacts") == 0 && json_number(tool.out, "ss") == 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes peg --json"), 0); /* the scene; peg:8 is a system of contacts */
    assert_true(json_number(tool.out, "dof") == 6);
}

#ifdef ABUT_TEST_XML
static void scene_files_have_modes(void **state) {
    (void)state;
    tool_file(&tool, "corner.xml",
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/><geom type='box' size='1 5 5' pos='-1.5 0 5'/>"
        "<body name='cube' pos='0 0 .5'><freejoint/><geom type='box' size='.5 .5 .5'/></body></worldbody></mujoco>");
    expect_counts("corner.xml", 46, 228); /* box:2 */
    assert_true(json_number(tool.out, "contacts") == 8);
}
#endif

/* A unit cube on the ground, 10 N heavy, pushed sideways: rest is possible up to friction. */
static void wrench_marks_modes(void **state) {
    (void)state;
    static const struct {
        const char *force;
        int rests;
    } cases[] = {{"0,0,-10,0,0,0", 1}, {"4.9,0,-10,0,0,0", 1}, {"5.1,0,-10,0,0,0", 0}, {"0,0,10,0,0,0", 0},
        {"0,0,-10,0,4.9,0", 1}, {"0,0,-10,0,5.1,0", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 --mu 0.5 --wrench %s", cases[i].force), 0);
        assert_int_equal(strncmp(tool.out, cases[i].rests ? "000000000000 feasible\n" : "000000000000 infeasible\n",
                             cases[i].rests ? 22 : 24),
            0);
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 --mu 0.5 --wrench 0,0,-10,0,0,0 --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "feasible.0", "true"));
    assert_int_equal(json_count(tool.out, "feasible"), 196);
    CHECK(json_number(tool.out, "feasible_count") >= 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes stack:1 --wrench gravity"), 0);
    assert_int_equal(strncmp(tool.out, "000000000000 feasible\n", 22), 0);
}

/* ---- robots ------------------------------------------------------------------------------------------------------ */

static void robots_have_modes(void **state) {
    (void)state;
    expect_counts("biped --keyframe stand", 100, 196 * 196); /* two feet, each a box on the ground */
    assert_true(json_number(tool.out, "dof") == 18);
    expect_counts("biped --keyframe 0", 100, 196 * 196);
    expect_counts("gripper", 10, 196);              /* the box between the fingers stands on the ground */
    assert_true(json_number(tool.out, "dof") == 8); /* of two coupled fingers one moves by itself */
    expect_counts("box-hand", 460, 25792);
}

/* The page of a scene shows what stands still as it is: contacts name it, and no plane of the world is made up. */
static void page_names_bodies_that_stand(void **state) {
    (void)state;
    if (!abut_page_available()) skip();
    tool_file(&tool, "finger.xml",
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.1 "
        ".1 "
        ".1'/></body><body pos='.15 0 .1'><geom type='sphere' size='.05'/></body></worldbody></mujoco>");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes finger.xml --count --html finger.html"), 0);
    char *page = tool_text(&tool, "finger.html");
    assert_true(strstr(page, "\"normal\":[-1,0,0],\"a\":2,\"b\":1}") != NULL);
    assert_true(strstr(page, "\"a\":-1") == NULL);
    free(page);
}

/* All solutions: a box that slides does so on, slower by mu g h; the forces of its corners carry it. */
static void solutions_are_listed(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes slide --consistent --json"), 0);
    assert_int_equal(json_count(tool.out, "modes"), 1);
    CHECK_NEAR(json_number(tool.out, "velocities.0.0"), 1.0 - 0.5 * 9.80665e-3, 1e-9);
    double force = 0.0;
    for (int i = 0; i < 4; ++i) {
        char key[40];
        snprintf(key, sizeof key, "forces.0.%d.0", i);
        force += json_number(tool.out, key);
    }
    CHECK_NEAR(force, 1e-3 * 9.80665, 1e-12);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes slide --consistent"), 0); /* one line with the same numbers */
    assert_int_equal(lines_of(tool.out), 1);
    assert_true(has(tool.out, "  velocity 0.995097 0 ") && has(tool.out, "  forces 0.00"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 --consistent --mu 0.5 --wrench 0,0,-10,0,0,0 --count"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 --consistent --mu 0.5"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes slide --consistent --stable"), 2);
}

static void grasps_are_printed(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes stack:1 --grasp box0 --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "closure", "false"));
    assert_true(json_number(tool.out, "contacts") == 4 && json_number(tool.out, "rank") == 6);
    assert_int_equal(json_count(tool.out, "matrix"), 6);
    assert_int_equal(json_count(tool.out, "jacobian"), 12);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes stack:1 --grasp box0"), 0);
    assert_non_null(strstr(tool.out, "closure    no"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes stack:1 --grasp nobody"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 --grasp box0"), 2);
}

#ifdef ABUT_TEST_XML
/* A foot on three hinges: slides or not while it stays, tips over either edge likewise, or lifts. */
static void robot_files_have_modes(void **state) {
    (void)state;
    tool_file(&tool, "arm.xml",
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/><body pos='-3 0 3'><joint axis='0 1 0'/>"
        "<geom type='sphere' size='.1'/><body pos='1 0 -1.5'><joint axis='0 1 0'/><geom type='sphere' size='.1'/>"
        "<body pos='1 0 -.9'><joint axis='0 1 0'/><geom type='box' size='.25 .2 .1' pos='1.75 0 -.5'/>"
        "</body></body></body></worldbody><keyframe><key name='flat' qpos='0 0 0'/><key name='up' qpos='-1 0 0'/>"
        "</keyframe></mujoco>");
    expect_counts("arm.xml --keyframe flat", 4, 10);
    expect_counts("arm.xml --keyframe up", 1, 1);
    refuses("modes", "arm.xml --keyframe upp", "did you mean 'up'");
}

/* A lever on the ground: its weight, and a torque that turns it down, rest on the contact; one that lifts it does not.
 */
static void forces_are_those_of_joints(void **state) {
    (void)state;
    static const char *const forces[] = {"gravity", "1", "-1"};
    tool_file(&tool, "lever.xml",
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/><body pos='0 0 .4'><joint axis='0 1 0'/>"
        "<geom type='box' size='.25 .2 .1' pos='1.75 0 -.3'/></body></worldbody></mujoco>");
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "modes lever.xml --mu .5 --wrench %s", forces[i]), 0);
        assert_int_equal(lines_of(tool.out), 2);
        assert_int_equal(strncmp(tool.out, "000000000000 feasible", 21) == 0, i < 2);
    }
}
#endif

/* ---- stable or not ----------------------------------------------------------------------------------------------- */

#ifdef ABUT_TEST_XML
static const char BLOCK[] =
    "<mujoco><option gravity='%s'/><worldbody><geom type='plane' size='5 5 1' friction='.5'/><body pos='0 0 .5'>"
    "<freejoint/><geom type='box' size='.5 .5 .5' friction='.5'/></body></worldbody></mujoco>";

/* A block rests up to the slope of its friction; a peg between two walls may jam or fall, so that rest is not all. */
static void stable_is_rest_alone(void **state) {
    (void)state;
    char text[600];
    snprintf(text, sizeof text, BLOCK, "4.4 0 -9");
    tool_file(&tool, "gentle.xml", text);
    snprintf(text, sizeof text, BLOCK, "4.6 0 -9");
    tool_file(&tool, "steep.xml", text);
    tool_file(&tool, "jam.xml",
        "<mujoco><worldbody><geom type='box' size='.5 1 1' pos='-1 0 1' friction='.9'/><geom type='box' size='.5 1 1' "
        "pos='1 0 1' friction='.9'/><body pos='0 0 1'><freejoint/><geom type='box' size='.5 .5 .5' friction='.9'/>"
        "</body></worldbody></mujoco>");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes gentle.xml --stable --json"), 0);
    assert_true(json_is(tool.out, "stable", "true") && json_number(tool.out, "feasible_count") == 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes steep.xml --stable --json"), 0);
    assert_true(json_is(tool.out, "stable", "false") && json_number(tool.out, "feasible_count") == 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes jam.xml --stable --json"), 0);
    assert_true(json_is(tool.out, "stable", "false"));
    CHECK(json_number(tool.out, "feasible_count") > 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes stack:1 --stable"), 0);
    assert_non_null(strstr(tool.out, "\nstable     yes\n"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes stack:1 --stable --wrench 0,0,1,0,0,0"), 0);
    assert_non_null(strstr(tool.out, "\nstable     no\n"));
}
#endif

/* ---- lattices ---------------------------------------------------------------------------------------------------- */

static int occurrences(const char *text, const char *part) {
    int count = 0;
    for (; (text = strstr(text, part)); ++text) ++count;
    return count;
}

/* Edges of the library's own diagram, of a named system. */
static size_t edges_of(const char *name) {
    AbutModeSystem system;
    AbutModeList list = {0};
    AbutModeResult result;
    AbutPair *edges;
    AbutError error;
    size_t count;
    good(abut_mode_builtin(name, &system, &error), &error);
    good(abut_mode_collect(&system, NULL, &list, &result, &error), &error);
    good(abut_mode_hasse(&system, &list, &count, &edges, &error), &error);
    abut_free(edges);
    abut_mode_list_free(&list);
    abut_mode_system_free(&system);
    return count;
}

/* The modes cut the closed cone of all allowed velocities into open cells: their numbers by dimension, with alternating
 * signs, add up to 0, or for a cone that is a space of dimension d to (-1)^d. */
static void expect_lattice(const char *what, int modes, int euler) {
    if (tool_run(&tool, ABUT_CLI, "modes %s --count --json --lattice lattice.svg", what) != 0)
        fail_msg("%s: %s", what, tool.err);
    double sum = 0.0, alternating = 0.0, edges = json_number(tool.out, "edges");
    for (int i = 0; i < json_count(tool.out, "layers"); ++i) {
        char key[32];
        snprintf(key, sizeof key, "layers.%d", i);
        sum += json_number(tool.out, key);
        alternating += (i % 2 ? -1.0 : 1.0) * json_number(tool.out, key);
    }
    if (sum != modes || alternating != euler) fail_msg("%s: %s", what, tool.out);
    assert_int_equal(tool_run(&tool, "cat", "lattice.svg"), 0);
    assert_int_equal(occurrences(tool.out, "<circle"), modes);
    assert_true(occurrences(tool.out, "<line") == edges);
    if (!strpbrk(what, " ") && strncmp(what, "stack", 5) != 0) assert_true((double)edges_of(what) == edges);
}

static void lattices_are_drawn(void **state) {
    (void)state;
    expect_lattice("box:1", 196, 0);
    expect_lattice("box:2", 228, 0);
    expect_lattice("box:3", 136, 0);
    expect_lattice("box:5", 2, 0);
    expect_lattice("peg:4", 9, 1);
    expect_lattice("grasp:1", 10, 0);
    expect_lattice("grasp:2", 81, -1);
    expect_lattice("stack:1", 196, 0); /* rows with noise */
    expect_lattice("box:2 --cs", 46, 0);
    expect_lattice("biped --cs", 100, 0);
    expect_lattice("box-hand --cs", 460, 0); /* too many for signs */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes peg:4 --count --lattice lattice.html"), 0);
    assert_int_equal(tool_run(&tool, "cat", "lattice.html"), 0);
    assert_true(strncmp(tool.out, "<!doctype html>", 15) == 0 && occurrences(tool.out, "<circle") == 9);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes peg:4 --count --lattice lattice.svg"), 0);
    assert_non_null(strstr(tool.out, "layers     1 4 4\nedges      12\n"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 --count --lattice lattice.svg"), 0);
    assert_non_null(strstr(tool.out, "layers     1 16 48 66 48 16 1\nedges      688\n"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 --mu .5 --wrench 0,0,-1,0,0,0 --lattice lattice.svg"), 0);
    assert_int_equal(tool_run(&tool, "grep", "-c '#009e73' lattice.svg"), 0);
    assert_int_equal(atoi(tool.out), 1); /* rest alone balances a weight */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box-box:1 --limit 50 --lattice lattice.svg"), 0);
    assert_int_equal(tool_run(&tool, "grep", "-c 'the first 50 modes' lattice.svg"), 0);
    refuses("modes", "box-box:1 --lattice none.svg", "at most 2000 modes, and there are more: choose with --of");
    assert_int_not_equal(tool_run(&tool, "cat", "none.svg"), 0);
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

static void expect_page(const char *what) {
    tool_run(&tool, "rm", "-f page.html");
    if (tool_run(&tool, ABUT_CLI, "modes %s --html page.html", what) != 0) fail_msg("modes %s: %s", what, tool.err);
    assert_int_equal(tool_run(&tool, "head", "-c 2 page.html"), 0);
    assert_string_equal(tool.out, "<!");
}

static void expect_no_page(const char *what, const char *says) {
    tool_run(&tool, "rm", "-f page.html");
    refuses("modes --html page.html", what, says);
    assert_int_not_equal(tool_run(&tool, "cat", "page.html"), 0);
}

static void pages_are_written(void **state) {
    (void)state;
    static const char *const sources[] = {"box:1", "box:2 --json", "box:3 --of 000000000000", "peg:4", "grasp:3 --nt 3",
        "box-box:1 --cs", "box-box:2 --limit 50", "hand-ball-generic --limit 10 --count", "stack:1", "stack:2 --cs",
        "stack:1 --wrench gravity", "biped --limit 20", "gripper", "pyramid:2 --limit 60", "drop",
        "box:1 --wrench 0,0,-1,0,0,0 --mu 0.5", "one.json", "line.json", "flat.json", "bodies.json"};
    if (!abut_page_available()) {
        expect_no_page("box:1", "no pages");
        skip();
    }
    tool_file(&tool, "one.json", "{\"contacts\":[{\"point\":[1,2,3],\"normal\":[0,3,4]}]}");
    tool_file(&tool, "line.json",
        "{\"contacts\":[{\"point\":[0,0,0],\"normal\":[0,0,1]},{\"point\":[1,0,0],\"normal\":[0,0,1]}]}");
    tool_file(&tool, "flat.json",
        "{\"planar\":true,\"contacts\":[{\"point\":[0,0],\"normal\":[0,1]},{\"point\":[1,0],\"normal\":[0,1]}]}");
    tool_file(&tool, "bodies.json",
        "{\"bodies\":[{\"name\":\"<b>\"},{\"name\":\"alone\",\"position\":[5,0,0]},{\"name\":\"still\",\"kind\":"
        "\"fixed\"}],"
        "\"contacts\":[{\"point\":[0,0,0],\"normal\":[0,0,1],\"body_a\":\"<b>\",\"body_b\":\"still\"}]}");
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; ++i) expect_page(sources[i]);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 --html page.html"), 0);
    assert_int_equal(lines_of(tool.out), 196); /* the list is still there */
}

static void a_page_tells_what_is_feasible(void **state) {
    (void)state;
    if (!abut_page_available()) skip();
    expect_page("box:1 --wrench 0,0,-1,0,0,0 --mu 0.5");
    assert_int_equal(
        tool_run(&tool, "grep", "-Ec '\"texts\":\\[\"000000000000\",.*\"ranks\":\\[0,.*\"feasible\":\\[1,0' page.html"),
        0);
    expect_page("stack:1"); /* weights without being asked */
    assert_int_equal(tool_run(&tool, "grep", "-Ec '\"feasible\":\\[1,0' page.html"), 0);
    expect_page("box:1");
    assert_int_equal(tool_run(&tool, "grep", "-Ec '\"feasible\":\\[-1,-1' page.html"), 0);
}

static void pages_that_cannot_be_are_refused(void **state) {
    (void)state;
    if (!abut_page_available()) skip();
    tool_file(&tool, "rows.json", "{\"normal_rows\":[[1,0],[0,1]]}");
    expect_no_page("rows.json", "rows alone");
    expect_no_page("box-box:1", "--of or --cs");
    expect_no_page("hand-ball", "at most 2000");
    expect_no_page("box:1 --nonlinear", "--nonlinear");
    expect_no_page("box:1 -o page.html", "the same file as the output");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes box:1 --html no/such/folder.html"), 2);
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void bad_input_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *arguments, *says;
    } bad[] = {
        {"", "expected one file"},
        {"box:1 box:2", "expected one file"},
        {"box:9", "1 to 5 walls"},
        {"bxo:1", "did you mean 'box:1'?"},
        {"nothing", "'nothing' is no"},
        {"none.json", "none.json"},
        {"none.xml", "none.xml"},
        {"box:1 --cs --of 0000", "exclude"},
        {"box:1 --of 000", "--of: "},
        {"box:1 --of 000-", "--of: "},
        {"box:1 --nt 100", "--nt"},
        {"box:1 --tol -1", "--tol"},
        {"box:1 --method simplex", "--method"},
        {"box:1 --mu 1", "--wrench"},
        {"box:1 --wrench 1,2,3,4,5,6", "--mu"},
        {"box:1 --wrench 1,2 --mu 1", "6 velocities"},
        {"box:1 --wrench 1,2,x --mu 1", "--wrench"},
        {"box:1 --wrench gravity --mu 1", "gravity"},
        {"box:1 --wrench 1 --mu 1 --cs", "--cs"},
        {"box:1 --json --text", "exclude"},
        {"box:1 --keyframe home", "only a model has keyframes"},
        {"stack:1 --keyframe home", "has no keyframes"},
        {"biped --keyframe stnad", "did you mean 'stand'"},
        {"bipde", "did you mean 'biped'?"},
        {"stack:1 --stable --limit 3", "--stable looks at all modes"},
        {"box:1 --stable --mu .5", "only the bodies of a scene have masses"},
        {"box:1 --nonlinear --lattice l.svg", "--lattice and --nonlinear"},
        {"box:1 --lattice no/such/l.svg", "no/such/l.svg"},
        {"box:1 -o l.svg --lattice l.svg", "the same file"},
        {"zero.json", "zero.json:2: contacts[0].normal: a zero vector"},
        {"nan.json", "contacts[0].point[0]: expected a finite number"},
    };
    tool_file(&tool, "zero.json", "{\"contacts\":\n[{\"point\":[0,0,0],\"normal\":[0,0,0]}]}");
    tool_file(&tool, "nan.json", "{\"contacts\":[{\"point\":[NaN,0,0],\"normal\":[0,0,1]}]}");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) refuses("modes", bad[i].arguments, bad[i].says);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes stack:40 --count --json"), 2); /* nothing half-written */
    assert_string_equal(tool.err, "abut modes: expected at most 256 different rows, got more\n");
    assert_string_equal(tool.out, "");
}

static void table_is_reproduced(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "reproduce modes --quick -o out"), 0);
    assert_non_null(strstr(tool.out, "9 systems, 0 counts differ"));
    assert_int_equal(tool_run(&tool, "cat", "out/summary.md out/table.csv"), 0);
    assert_non_null(
        strstr(tool.out, "| box-3 | 12 | 6 | **190** | 136 | 136 | 136 | **2386** | 136 | 136 | 136 | 136 |"));
    assert_non_null(strstr(
        tool.out, "| box-box-2 | 16 | 9 | 184 | 184 | 184 | 184 | **168746** | 29046 | 29046 | 29046 | 29046 |"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_systems_have_the_true_counts),
        cmocka_unit_test(case_files_have_the_true_counts),
        cmocka_unit_test(text_is_one_string_per_line),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(lines_can_be_chosen),
        cmocka_unit_test(json_has_all_keys),
        cmocka_unit_test(limit_marks_partial),
        cmocka_unit_test(budget_marks_partial),
        cmocka_unit_test(interrupt_marks_partial),
        cmocka_unit_test(output_goes_to_a_file),
        cmocka_unit_test(order_does_not_depend_on_threads),
        cmocka_unit_test(scenes_have_modes),
#ifdef ABUT_TEST_XML
        cmocka_unit_test(scene_files_have_modes),
#endif
        cmocka_unit_test(wrench_marks_modes),
        cmocka_unit_test(robots_have_modes),
        cmocka_unit_test(solutions_are_listed),
        cmocka_unit_test(page_names_bodies_that_stand),
        cmocka_unit_test(grasps_are_printed),
#ifdef ABUT_TEST_XML
        cmocka_unit_test(robot_files_have_modes),
        cmocka_unit_test(forces_are_those_of_joints),
        cmocka_unit_test(stable_is_rest_alone),
#endif
        cmocka_unit_test(lattices_are_drawn),
        cmocka_unit_test(pages_are_written),
        cmocka_unit_test(a_page_tells_what_is_feasible),
        cmocka_unit_test(pages_that_cannot_be_are_refused),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(table_is_reproduced),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
