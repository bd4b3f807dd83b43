/* SPDX-License-Identifier: Apache-2.0 */
/* abut simulate: summary, table of contacts and its physics, log, determinism, interrupt, bad input. */
#include "support/cli.h"

#include <stdlib.h>
#include <string.h>

#include "abut/import.h"
#include "abut/literature.h"

static const double weight = 1e-3 * 9.80665;

static const char header[] = "t,body_a,body_b,fx,fy,fz,tx,ty,tz,cx,cy,cz,nx,ny,nz,area,volume,depth,state";

typedef struct Row {
    double t;
    char a[40], b[40], state[10];
    double v[15]; /* fx .. depth */
} Row;

/* Reads the row at *text (without quoted names) and moves on; 0 at the end. */
static int next_row(char **text, Row *row) {
    if (!**text || **text == '#') return 0;
    char *line = *text, *end = strchr(line, '\n');
    assert_non_null(end);
    *end = 0;
    *text = end + 1;
    char *field = strtok(line, ",");
    int count = 0;
    for (; field; field = strtok(NULL, ","), ++count) {
        if (count == 1 || count == 2 || count == 18)
            snprintf(count == 1 ? row->a : count == 2 ? row->b : row->state, count == 18 ? 10 : 40, "%s", field);
        else if (count == 0)
            row->t = strtod(field, NULL);
        else if (count < 18)
            row->v[count - 3] = strtod(field, NULL);
    }
    assert_int_equal(count, 19);
    return 1;
}

/* Checks the header and gives the rows behind it. */
static char *rows_of(char *text) {
    size_t length = strlen(header);
    assert_non_null(text);
    assert_int_equal(strncmp(text, header, length), 0);
    assert_int_equal(text[length], '\n');
    return text + length + 1;
}

static void no_parts_left(void) { assert_int_equal(tool_run(&tool, "sh", "-c 'ls *.part'") != 0, 1); }

/* ---- summary ----------------------------------------------------------------------------------------------------- */

static void summary_has_its_keys(void **state) {
    (void)state;
    static const char *const keys[] = {"steps", "time", "seconds_total", "us_per_step", "max_depth", "kinetic_energy",
        "energy_rise_max", "iterations_mean", "capped_steps", "stages", "residual.max", "contacts", "hash", "partial"};
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:3 --time 0.2 --dt 0.002 --json"), 0);
    assert_true(json_valid(tool.out));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) assert_non_null(json_at(tool.out, keys[i]));
    /* processor time of one thread is wall time or less, and it is not nothing */
    double busy = json_number(tool.out, "us_per_step"), wall = json_number(tool.out, "wall_us_per_step");
    CHECK(busy > 0.0 && busy <= 1.05 * wall + 1.0);
    CHECK_NEAR(wall, 1e6 * json_number(tool.out, "seconds_total") / 100, 1e-9 * wall);
    CHECK_NEAR(json_number(tool.out, "steps"), 100, 0);
    CHECK_NEAR(json_number(tool.out, "time"), 0.2, 1e-12);
    assert_int_equal(json_count(tool.out, "stages"), ABUT_STAGE_COUNT);
    CHECK_NEAR(json_number(tool.out, "bodies"), 4, 0);
    CHECK_NEAR(json_number(tool.out, "contacts"), 3, 0);
    CHECK(json_number(tool.out, "max_depth") < 2e-4);
    CHECK(json_number(tool.out, "kinetic_energy") >= 0 && json_number(tool.out, "kinetic_energy") < 1e-9);
    assert_true(json_is(tool.out, "partial", "false"));
    assert_string_equal(tool.err, "");
}

static void defaults_come_from_the_scene(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate slide --json"), 0);
    CHECK_NEAR(json_number(tool.out, "steps"), 500, 0);
    CHECK_NEAR(json_number(tool.out, "dt"), 1e-3, 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate slide --gravity 0,0,-1 --time 0.1"), 0);
    assert_non_null(strstr(tool.out, "100, 0.1 s simulated"));
    assert_non_null(strstr(tool.out, "us processor time"));
    assert_non_null(strstr(tool.out, "stopped at the limit"));
}

/* The same friction by the option and in the file, to the bit; without any a box that was thrown slides on. */
static void friction_of_all_shapes(void **state) {
    (void)state;
    static const char scene[] =
        "<mujoco><worldbody><geom type='plane' size='1 1 1' friction='%s'/><body name='box' pos='0 0 .1'>"
        "<freejoint/><geom type='box' size='.1 .1 .1' friction='%s'/></body></worldbody></mujoco>";
    char text[400], hash[40];
    const char *push = "--push 'box:0,0.1,20,0,0' --time 0.3 --json --final";
    snprintf(text, sizeof text, scene, "0.3", "0.3");
    tool_file(&tool, "own.xml", text);
    snprintf(text, sizeof text, scene, "1", "0.7");
    tool_file(&tool, "other.xml", text);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate own.xml %s", push), 0);
    snprintf(hash, sizeof hash, "%s", strstr(tool.out, "\"hash\""));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate other.xml --mu 0.3 %s", push), 0);
    assert_non_null(strstr(tool.out, hash));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate other.xml %s", push), 0);
    assert_null(strstr(tool.out, hash));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate slide --mu 0 --time 0.2 --json"), 0);
    double free = json_number(tool.out, "kinetic_energy");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate slide --time 0.2 --json"), 0);
    assert_true(json_number(tool.out, "kinetic_energy") < free);
}

/* A push of 0.02 N for 0.1 s against friction of 0.005 m g gives a box of 1 g its speed; without it the box stays. */
static void pushes_and_final_states(void **state) {
    (void)state;
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "simulate stack:1 --time 0.1 --json --final --push box0:0,0.1,0.02,0,0"), 0);
    assert_true(json_valid(tool.out));
    assert_int_equal(json_count(tool.out, "final"), 2);
    assert_non_null(strstr(tool.out, "\"box0\""));
    CHECK_NEAR(json_number(tool.out, "kinetic_energy"), 0.5 * 1e-3 * pow(0.1 * (20.0 - 0.5 * 9.80665), 2.0), 1e-5);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:1 --time 0.1 --json"), 0);
    CHECK(json_number(tool.out, "kinetic_energy") < 1e-9);
    assert_null(strstr(tool.out, "final"));
}

/* Two pushes of half the force are one of the whole, in either order; one later in time comes on top. */
static void pushes_add_up(void **state) {
    (void)state;
    static const char *const pushes[] = {"--push box0:0,0.1,0.02,0,0",
        "--push box0:0,0.1,0.01,0,0 --push box0:0,0.1,0.01,0,0",
        "--push box0:0,0.05,0.02,0,0 --push box0:0.05,0.1,0.02,0,0"};
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:1 --time 0.1 --json %s", pushes[i]), 0);
        CHECK_NEAR(json_number(tool.out, "kinetic_energy"), 0.5 * 1e-3 * pow(0.1 * (20.0 - 0.5 * 9.80665), 2.0), 1e-5);
    }
}

/* Links of robots are pushed too, while the push lasts. */
static void links_are_pushed(void **state) {
    (void)state;
    static const char *const pushes[] = {
        "", "--push link0:0,0.02,0,0,5", "--push link0:0,0.02,0,0,3 --push link0:0,0.02,0,0,2"};
    double energy[3];
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(
            tool_run(&tool, ABUT_CLI, "simulate planar-arm:2 --time 0.02 --gravity 0,0,0 --json %s", pushes[i]), 0);
        energy[i] = json_number(tool.out, "kinetic_energy");
    }
    CHECK(energy[0] < 1e-12 && energy[1] > 1e-6);
    CHECK_NEAR(energy[2] / energy[1], 1.0, 1e-9);
}

/* Meshes as they are: the ring still hangs on its hook, and the log keeps them. */
static void meshes_press_on_each_other(void **state) {
    (void)state;
    assert_int_equal(
        tool_run(&tool, ABUT_CLI,
            "simulate %s/scenes/rings.xml --model pressure --time 0.3 --reach 0.002 -o %s/rings.npz --json "
            "--final",
            ABUT_SOURCE_DIR, tool.folder),
        0);
    assert_true(json_number(tool.out, "max_depth") < 0.02);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "render %s/rings.npz -o %s/rings.png", tool.folder, tool.folder), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate drop --model pressure --reach -1"), 2);
    assert_non_null(strstr(tool.err, "--reach"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate drop --reach 0.01"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate drop --model penalty --reach 0.01"), 2);
    assert_non_null(strstr(tool.err, "--reach goes with --model pressure, not with penalty"));
    assert_non_null(strstr(tool.err, "--reach goes with --model pressure"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate drop --model point --pressure 100"), 2);
    assert_non_null(strstr(tool.err, "--pressure goes with --model pressure or penalty"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate drop --model pressure --reach 1e-9"), 2);
    assert_non_null(strstr(tool.err, "a longer reach"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate drop --pieces --hulls"), 2);
    assert_non_null(strstr(tool.err, "--pieces: expected no --hulls"));
}

/* The experiment of docs/theory/direction.md: in which direction the ball leaves, degrees from up. */
static double angle_at(const char *y, const char *settings) {
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate edge:%s --model %s --json --final", y, settings), 0);
    return atan2(json_number(tool.out, "final.1.velocity.1"), json_number(tool.out, "final.1.velocity.2")) * 180.0 /
           ABUT_PI;
}

static void a_ball_strikes_an_edge(void **state) {
    (void)state;
    static const char pressure[] = "pressure --pressure 72.773 --reach 0.01", penalty[] = "penalty --pressure 12407";
    CHECK_NEAR(angle_at("0.06", pressure), 18.0, 0.5);
    CHECK_NEAR(angle_at("0.075", pressure), 30.0, 0.5);
    CHECK_NEAR(angle_at("0.06", penalty), 0.0, 0.5);
    CHECK_NEAR(angle_at("0.075", penalty), 112.0, 0.5);
}

static void models_can_be_chosen(void **state) {
    (void)state;
    for (int i = 0; i < ABUT_CONTACT_MODEL_COUNT; ++i) {
        const char *name = abut_contact_model_name(i);
        char quoted[40];
        snprintf(quoted, sizeof quoted, "\"%s\"", name);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:2 --time 0.02 --model %s --json", name), 0);
        assert_true(json_is(tool.out, "model", quoted));
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate --list"), 0);
    assert_non_null(strstr(tool.out, "boxes[:N=50]"));
    assert_non_null(strstr(tool.out, "paper-guarded"));
    assert_non_null(strstr(tool.out, "planar-arm[:N=3]"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate --list --json"), 0);
    assert_true(json_valid(tool.out));
    int robots;
    (void)abut_builtin_scenes(1, &robots);
    assert_int_equal(json_count(tool.out, "robots"), robots);
    assert_int_equal(json_count(tool.out, "models"), ABUT_CONTACT_MODEL_COUNT);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static void ground_bears_the_weight(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate boxes:5 --time 4 --every 1000 --contacts c.csv"), 0);
    char *text = tool_text(&tool, "c.csv"), *at = rows_of(text);
    Row row;
    double sum = 0.0, sideways = 0.0;
    int rows = 0, last = 0;
    while (next_row(&at, &row)) {
        ++rows;
        CHECK_NEAR(row.v[9] * row.v[9] + row.v[10] * row.v[10] + row.v[11] * row.v[11], 1, 1e-9);
        CHECK(row.v[12] >= 0 && row.v[13] >= 0 && row.v[14] >= 0);
        assert_true(strcmp(row.state, "stick") == 0 || strcmp(row.state, "slip") == 0);
        double sign = strcmp(row.a, "ground") == 0 ? 1.0 : strcmp(row.b, "ground") == 0 ? -1.0 : 0.0;
        if (fabs(row.t - 4.0) < 1e-9 && sign != 0.0) {
            sum += sign * row.v[2];
            sideways += sign * row.v[0];
            CHECK_NEAR(sign * row.v[11], 1, 1e-6); /* the normal points from the ground up */
            ++last;
        }
    }
    CHECK(rows >= 10 && last >= 2);
    CHECK_NEAR(sum / (5 * weight), 1, 1e-3);
    CHECK_NEAR(sideways / (5 * weight), 0, 1e-3);
    free(text);
}

/* A sliding box: friction is 0.5 of its weight, against the motion, and its torque keeps the box from tipping. */
static void wrench_of_a_sliding_box(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate slide --dt 1e-4 --time 0.3 --every 100 --contacts c.csv"), 0);
    char *text = tool_text(&tool, "c.csv"), *at = rows_of(text);
    Row row;
    int slip = 0, stick = 0;
    while (next_row(&at, &row)) {
        assert_string_equal(row.a, "ground");
        assert_string_equal(row.b, "box0");
        CHECK_NEAR(row.v[2] / weight, 1, 1e-3);
        if (row.t < 0.19) {
            assert_string_equal(row.state, "slip");
            CHECK_NEAR(row.v[0] / weight, -0.5, 1e-3);
            CHECK_NEAR(row.v[4] / weight, -0.5 * 0.025, 1e-4);
            ++slip;
        } else if (row.t > 0.22) {
            assert_string_equal(row.state, "stick");
            CHECK_NEAR(row.v[0] / weight, 0, 1e-3);
            ++stick;
        }
        CHECK_NEAR(row.v[12], 0.02, 1e-4);
    }
    CHECK(slip >= 15 && stick >= 5);
    free(text);
}

static void every_kth_step_is_logged(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:1 --time 0.05 --every 7 --contacts c.csv -o r.npz"), 0);
    char *text = tool_text(&tool, "c.csv"), *at = rows_of(text), path[400];
    Row row;
    int rows = 0;
    while (next_row(&at, &row)) CHECK_NEAR(row.t, ++rows == 8 ? 0.05 : 0.007 * rows, 1e-12);
    assert_int_equal(rows, 8);
    free(text);
    AbutRun *log;
    AbutError error;
    snprintf(path, sizeof path, "%s/r.npz", tool.folder);
    assert_int_equal(abut_run_read(path, NULL, 0, &log, &error), ABUT_OK);
    assert_int_equal(log->steps, 9); /* and the start */
    assert_int_equal(log->bodies, 2);
    assert_int_equal(log->contacts, 8);
    CHECK_NEAR(abut_run_f8(log, ABUT_RUN_TIME)[0], 0, 0);
    CHECK_NEAR(abut_run_f8(log, ABUT_RUN_TIME)[8], 0.05, 1e-12);
    CHECK_NEAR(abut_run_f8(log, ABUT_RUN_POSE)[7 + 2], 0.025, 1e-12); /* the box at the start */
    assert_non_null(strstr(log->settings, "abut simulate stack:1 --seed 1"));
    assert_int_equal(log->partial, 0);
    abut_run_free(log);
}

/* ---- determinism ------------------------------------------------------------------------------------------------- */

static void same_seed_same_bytes(void **state) {
    (void)state;
    char *first, *other, hash[40];
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "simulate boxes:8 --seed 7 --time 0.6 --every 5 --contacts a.csv --json"), 0);
    const char *at = json_at(tool.out, "hash");
    assert_non_null(at);
    snprintf(hash, sizeof hash, "%.18s", at);
    first = tool_text(&tool, "a.csv");
    CHECK(strlen(first) > 10000);
    for (int threads = 1; threads <= 3; ++threads) {
        assert_int_equal(
            tool_run(&tool, ABUT_CLI,
                "simulate boxes:8 --seed 7 --time 0.6 --every 5 --contacts b.csv --threads %d --json", threads),
            0);
        assert_true(json_is(tool.out, "hash", hash));
        other = tool_text(&tool, "b.csv");
        assert_string_equal(first, other);
        free(other);
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate boxes:8 --seed 8 --time 0.6 --every 5 --contacts b.csv"), 0);
    other = tool_text(&tool, "b.csv");
    assert_int_not_equal(strcmp(first, other), 0);
    free(first);
    free(other);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

#ifdef ABUT_TEST_XML
/* A model may name files outside its folder when it is let, in every command that reads models. */
static void files_outside_the_folder(void **state) {
    (void)state;
    static const char *const commands[] = {"simulate sub/out.xml --time 0.01", "robot sub/out.xml",
        "modes sub/out.xml --count", "view sub/out.xml -o out.html", "cast --scene sub/out.xml --ray 0,0,9,0,0,-9",
        "plan check sub/out.xml way.csv"};
    assert_int_equal(tool_run(&tool, "sh", "-c 'mkdir -p sub'"), 0);
    tool_file(&tool, "solid.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    tool_file(&tool, "way.csv", "t,j\n0,0\n1,0.1\n");
    tool_file(&tool, "sub/out.xml",
        "<mujoco><asset><mesh name='m' file='../solid.obj'/></asset><worldbody><geom type='plane' size='1 1 1'/>"
        "<body pos='0 0 2'><joint name='j' axis='0 0 1'/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", commands[i]), 2);
        assert_non_null(strstr(tool.err, "allow-outside lets it lie elsewhere"));
        if (tool_run(&tool, ABUT_CLI, "%s --allow-outside", commands[i]) == 2)
            fail_msg("%s: %s", commands[i], tool.err);
    }
}

static void scene_files_are_read(void **state) {
    (void)state;
    tool_file(&tool, "scene.xml",
        "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='1 1 1'/>"
        "<body name='a,\"b' pos='0 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1' "
        "mass='2'/></body></worldbody></mujoco>");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate scene.xml --time 0.1 --every 50 --contacts c.csv --json"), 0);
    CHECK_NEAR(json_number(tool.out, "steps"), 50, 0);
    char *text = tool_text(&tool, "c.csv");
    assert_non_null(strstr(text, "0.1,world,\"a,\"\"b\","));
    free(text);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate %s/scenes/table.xml --time 0.1 --json", ABUT_SOURCE_DIR), 0);
    tool_file(&tool, "broken.xml", "<mujoco><worldbody>");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate broken.xml"), 2);
    assert_non_null(strstr(tool.err, "broken.xml"));
}
#endif

/* An interrupt ends the run early; the files are there and say that they are partial. */
static void interrupt_leaves_whole_files(void **state) {
    (void)state;
    char path[400];
    AbutRun *log;
    AbutError error;
    int status = tool_run(&tool, "timeout",
        "--preserve-status -s INT 1 '%s' simulate boxes:20 --time 10000 --every 50 --contacts c.csv -o r.npz --json",
        ABUT_CLI);
    assert_int_equal(status, 1);
    assert_true(json_valid(tool.out) && json_is(tool.out, "partial", "true"));
    assert_non_null(strstr(tool.err, "interrupted at t = "));
    char *text = tool_text(&tool, "c.csv");
    rows_of(text);
    assert_non_null(strstr(text, "\n# partial: the run ended at t = "));
    free(text);
    snprintf(path, sizeof path, "%s/r.npz", tool.folder);
    assert_int_equal(abut_run_read(path, NULL, 0, &log, &error), ABUT_OK);
    assert_int_equal(log->partial, 1);
    abut_run_free(log);
    no_parts_left();
}

static void bad_input_is_one_line(void **state) {
    (void)state;
    static const struct {
        const char *arguments, *says;
    } cases[] = {
        {"", "expected one SCENE"},
        {"drop drop", "expected one SCENE"},
        {"boxs:5", "no built-in model 'boxs:5'"},
        {"boxes:0", "boxes"},
        {"boxes:1.5", "whole number"},
        {"boxes:x", "whole number"},
        {"drop:1", "expected no argument, got '1'"},
        {"nothing.xml", "nothing.xml"},
        {"drop --time 0", "--time"},
        {"drop --time -1", "--time"},
        {"drop --time nan", "--time"},
        {"drop --dt 0", "--dt"},
        {"drop --dt 2", "--dt"},
        {"drop --dt 1e-9 --time 1e6", "more than 1e+09 steps"},
        {"drop --iterations 0", "--iterations"},
        {"drop --iterations 2000000", "--iterations"},
        {"drop --tol -1", "--tol"},
        {"drop --beta 0", "--beta"},
        {"drop --margin -1", "--margin"},
        {"drop --compliance 2", "--compliance"},
        {"drop --threads 0", "--threads"},
        {"drop --seed -1", "--seed"},
        {"drop --seed 1x", "--seed"},
        {"drop --seed 18446744073709551616", "--seed"},
        {"drop --every 0", "--every"},
        {"drop --gravity 0,1", "--gravity"},
        {"drop --mu -0.1", "--mu"},
        {"drop --mu nan", "--mu"},
        {"drop --push box0", "--push"},
        {"drop --push box0 --push box0:0,1,0,0,0", "got 'box0'"},
        {"roll:1e400", "model 'roll': expected a finite number, got '1e400'"},
        {"nut:-0.1", "expected a number of 0 or more, got '-0.1'"},
        {"heavy:0", "expected a number above 0, got '0'"},
        {"drop --push box0:1,0,0,0,0", "t0 <= t1"},
        {"drop --push box7:0,1,0,0,0", "no body 'box7'"},
        {"drop --push ground:0,1,0,0,0", "not dynamic"},
        {"drop --final", "--json"},
        {"drop --model vool", "did you mean 'vol'?"},
        {"drop --model x", "--list"},
        {"drop --fit squares", "thickness or moments"},
        {"drop --tim 1", "--time"},
        {"drop -o no/such/run.npz", "no/such/run.npz: cannot be written"},
        {"drop --contacts no/such/c.csv", "no/such/c.csv: cannot be written"},
        {"drop -o .", "it is a folder"},
        {"drop -o same --contacts same", "the same file as the output"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) refuses("simulate", cases[i].arguments, cases[i].says);
    no_parts_left();
}

/* The cache holds files of its own, changes no number, and --no-cache leaves it alone. */
static void meshes_are_cached(void **state) {
    (void)state;
    static const char model[] =
        "<mujoco><asset><mesh name='m' file='cup.obj'/></asset><worldbody><geom type='plane' size='1 1 1'/>"
        "<body pos='0 0 0.1'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
    char first[64] = "", *hash;
    tool_file(&tool, "cup.xml", model);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make cup --triangles 800 -o cup.obj"), 0);
    static const char *const turns[] = {"--no-cache", "", ""};
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(
            tool_run(&tool, "env", "ABUT_CACHE=kept '%s' simulate cup.xml --time 0.05 %s", ABUT_CLI, turns[i]), 0);
        hash = strstr(tool.out, "state hash");
        assert_non_null(hash);
        if (i == 0) snprintf(first, sizeof first, "%.40s", hash);
        assert_memory_equal(hash, first, strlen(first));
        assert_int_equal(tool_run(&tool, "ls", "kept"), i == 0 ? 2 : 0);
        assert_true(i == 0 || (strlen(tool.out) == 40 && strstr(tool.out, ".pieces\n")));
    }
    assert_int_equal(tool_run(&tool, "rm", "-r kept"), 0);
}

/* Bodies that start in each other are named as the source of the energy that parts them. */
static void sources_of_energy_are_named(void **state) {
    (void)state;
    tool_file(&tool, "overlap.xml",
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/>"
        "<body name='left' pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        "<body name='right' pos='.12 .03 .15'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        "<body name='far' pos='2 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate overlap.xml --time 0.1"), 0);
    const char *line = strstr(tool.out, "energy from");
    assert_non_null(line);
    assert_non_null(strstr(line, "right and left, "));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate overlap.xml --time 0.1 --json"), 0);
    CHECK(json_number(tool.out, "energy_gain_max") > 0.01);
    CHECK(json_number(tool.out, "energy_gain_depth") > 0.02);
    assert_true(json_is(tool.out, "energy_gain_bodies", "\"right and left\""));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate stack:5 --time 0.1"), 0);
    assert_null(strstr(tool.out, "energy from"));
}

/* Residuals are numbers, and no mean is above its maximum, also of robots, long steps and few sweeps. */
static void sweeps_and_residuals_are_numbers(void **state) {
    (void)state;
    static const char *const scenes[] = {"biped", "humanoid", "gripper", "loops", "stack:5"};
    static const char *const options[] = {"", "--iterations 1", "--iterations 3", "--dt 0.01", "--model point"};
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 5; ++k) {
            assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate %s --time 0.06 %s --json", scenes[i], options[k]), 0);
            CHECK(json_number(tool.out, "residual.last") < 100.0 && json_number(tool.out, "residual.mean") < 100.0 &&
                  json_number(tool.out, "residual.max") < 100.0); /* not null either */
            CHECK(json_number(tool.out, "iterations_mean") <= json_number(tool.out, "iterations_max"));
        }
}

int main(void) {
    abut_literature_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_has_its_keys),
        cmocka_unit_test(sources_of_energy_are_named),
        cmocka_unit_test(sweeps_and_residuals_are_numbers),
        cmocka_unit_test(meshes_are_cached),
        cmocka_unit_test(defaults_come_from_the_scene),
        cmocka_unit_test(friction_of_all_shapes),
        cmocka_unit_test(pushes_and_final_states),
        cmocka_unit_test(pushes_add_up),
        cmocka_unit_test(links_are_pushed),
        cmocka_unit_test(meshes_press_on_each_other),
        cmocka_unit_test(a_ball_strikes_an_edge),
        cmocka_unit_test(models_can_be_chosen),
        cmocka_unit_test(ground_bears_the_weight),
        cmocka_unit_test(wrench_of_a_sliding_box),
        cmocka_unit_test(every_kth_step_is_logged),
        cmocka_unit_test(same_seed_same_bytes),
#ifdef ABUT_TEST_XML
        cmocka_unit_test(files_outside_the_folder),
        cmocka_unit_test(scene_files_are_read),
#endif
        cmocka_unit_test(interrupt_leaves_whole_files),
        cmocka_unit_test(bad_input_is_one_line),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
