/* SPDX-License-Identifier: Apache-2.0 */
/* abut plan batch: rows agree with abut plan, for any number of threads; obstacles of each line, files, exit status,
 * refusals with the line. */
#include "support/cli.h"

static const char lines[] =
    "{\"goal\": \"shoulder=1.2\"}\n\n"
    "{\"name\": \"up\", \"start\": [0.1,0,0,0,0,0], \"goal\": [0.5,0.2,0.3,0,0,0], \"seed\": 4}\n"
    "{\"name\": \"points\", \"start\": \"shoulder=-0.5\", \"goal\": \"shoulder=0.5,upper=0.9\", \"obstacles\": "
    "\"post.pcd\", "
    "\"radius\": 0.01}\n"
    "{\"name\": \"cubes\", \"goal\": \"upper=0.4\", \"obstacles\": \"post.pcd\", \"voxel\": 0.02}\n"
    "{\"name\": \"again\", \"goal\": \"upper=0.5\", \"obstacles\": \"post.pcd\", \"voxel\": 0.02}\n";

static void write_files(void) {
    char pcd[4000] = "VERSION 0.7\nFIELDS x y z\nSIZE 8 8 8\nTYPE F F F\nWIDTH 31\nHEIGHT 1\nDATA ascii\n", row[60];
    for (int i = 0; i <= 30; ++i) {
        snprintf(row, sizeof row, "0.5 0 %.2f\n", 0.02 * i);
        strcat(pcd, row);
    }
    tool_file(&tool, "post.pcd", pcd);
    tool_file(&tool, "b.jsonl", lines);
}

/* The answer without its times, which differ from run to run. */
static char *timeless(const char *json) {
    char *out = strdup(json), *to = out;
    for (const char *p = json; *p;) {
        if (strncmp(p, "\"time\":", 7) == 0) p += strcspn(p, "\n");
        *to++ = *p;
        p += *p != 0;
    }
    *to = 0;
    return out;
}

static void rows_agree_with_single_plans(void **state) {
    (void)state;
    static const char *const alone[] = {"--goal shoulder=1.2",
        "--start 0.1,0,0,0,0,0 --goal 0.5,0.2,0.3,0,0,0 --seed 4",
        "--start shoulder=-0.5 --goal shoulder=0.5,upper=0.9 --obstacles post.pcd --radius 0.01",
        "--goal upper=0.4 --obstacles post.pcd --voxel 0.02", "--goal upper=0.5 --obstacles post.pcd --voxel 0.02"};
    static const char *const names[] = {"1", "up", "points", "cubes", "again"};
    write_files();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan batch arm6 b.jsonl --attempts 2 --json --csv b.csv -o way-"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "plans", "5") && json_is(tool.out, "certified", "5"));
    assert_true(json_is(tool.out, "problems", "3") && json_is(tool.out, "rows.2.line", "4"));
    char *answer = strdup(tool.out), *csv = tool_text(&tool, "b.csv");
    assert_true(has(csv, "name,line,status,certified,cost,duration,time,lb\n") && has(csv, "\nup,3,certified,"));
    free(csv);
    for (int i = 0; i < 5; ++i) {
        char key[60], file[60];
        assert_int_equal(tool_run(&tool, ABUT_CLI, "plan arm6 %s --attempts 2 --json -o one.npz", alone[i]), 0);
        snprintf(key, sizeof key, "rows.%d.cost", i);
        assert_true(json_number(answer, key) == json_number(tool.out, "cost"));
        snprintf(key, sizeof key, "rows.%d.duration", i);
        assert_true(json_number(answer, key) == json_number(tool.out, "duration"));
        snprintf(file, sizeof file, "way-%s.npz", names[i]);
        char *one = tool_text(&tool, "one.npz"), *many = tool_text(&tool, file);
        assert_true(one && many && memcmp(one, many, 2000) == 0);
        free(one);
        free(many);
    }
    free(answer);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    write_files();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan batch arm6 b.jsonl --attempts 2 --json --threads 1"), 0);
    char *one = timeless(tool.out);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan batch arm6 b.jsonl --attempts 2 --json --threads 3"), 0);
    char *three = timeless(tool.out);
    assert_string_equal(one, three);
    free(one);
    free(three);
}

static void status_is_the_worst(void **state) {
    (void)state;
    write_files();
    tool_file(&tool, "far.jsonl", "{\"goal\": \"shoulder=0.2\"}\n{\"goal\": \"shoulder=99\"}\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan batch arm6 far.jsonl"), 1);
    assert_true(has(tool.out, "infeasible_input") && has(tool.out, "1 of 2 plans certified"));
    tool_file(&tool, "near.jsonl", "{\"goal\": \"shoulder=0.2\"}\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan batch arm6 near.jsonl"), 0);
    assert_true(has(tool.out, "1 of 1 plans certified, 1 problem\n"));
}

static void bad_lines_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"", "lines of JSON"},
        {"\n\n", "expected a JSON object on each line, got none"},
        {"{\"goal\": \"shoulder=1\"}\n{\"start\": \"shoulder=1\"}", "bad.jsonl:2: expected a key goal"},
        {"{\"goal\": \"shoulder=x\"}", "bad.jsonl:1: goal: expected joint=value"},
        {"{\"goal\": [1, 2]}", "bad.jsonl:1: goal: expected 6 numbers"},
        {"{\"goal\": [1, null]}", "bad.jsonl:1: goal.1: expected a posture"},
        {"{\"goal\": {\"a\": 1}}", "expected"},
        {"{\"goal\": \"shoulder=1\", \"gaol\": 1}", "expected keys name, start, goal"},
        {"\n{\"goal\" 2}", "bad.jsonl:2"},
        {"{\"goal\": \"shoulder=1\", \"seed\": 1.5}", "seed: expected a whole number"},
        {"{\"goal\": \"shoulder=1\", \"radius\": -1}", "radius: expected a number of 0 or more"},
        {"{\"goal\": \"shoulder=1\", \"obstacles\": \"none.xml\"}", "none.xml"},
        {"{\"goal\": \"shoulder=1\", \"obstacles\": \"post.pcd\"}", "expected --radius or --voxel"},
    };
    write_files();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        tool_file(&tool, "bad.jsonl", cases[i].text);
        refuses("plan batch", "arm6 bad.jsonl", cases[i].said);
    }
    refuses("plan batch", "arm6", "expected a model and a file");
    refuses("plan batch", "arm6 none.jsonl", "none.jsonl");
    refuses("plan batch", "arm6 b.jsonl --csv b.txt", "--csv: expected a name that ends in .csv");
    tool_file(&tool, "bad.jsonl", "{\"goal\": \"shoulder=1\", \"name\": \"a/b\"}");
    refuses("plan batch", "arm6 bad.jsonl -o way", "name: expected no /");
    tool_file(
        &tool, "bad.jsonl", "{\"goal\": \"shoulder=1\", \"name\": \"a\"}\n{\"goal\": \"shoulder=1\", \"name\": \"a\"}");
    refuses("plan batch", "arm6 bad.jsonl -o way", "bad.jsonl:2: name: expected names that differ");
}

/* A map of the robot alone leads plans and batches among obstacles; files and exit status. */
static void roadmaps_are_taken(void **state) {
    (void)state;
    write_files();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan roadmap arm6 --count 200 -o map.npz --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "postures", "200") && json_is(tool.out, "coordinates", "6"));
    assert_true(json_number(tool.out, "edges") > 300.0 && json_number(tool.out, "largest") > 20.0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan roadmap arm6 --count 200 -o two.npz --threads 2"), 0);
    assert_true(has(tool.out, "200 free postures"));
    char *one = tool_text(&tool, "map.npz"), *two = tool_text(&tool, "two.npz");
    assert_true(one && two && memcmp(one, two, 8000) == 0);
    free(one);
    free(two);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI,
            "plan arm6 --goal shoulder=1.9 --obstacles post.pcd --radius 0.01 --quality fast --roadmap map.npz"),
        0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan batch arm6 b.jsonl --attempts 2 --roadmap map.npz --json"), 0);
    assert_true(json_is(tool.out, "certified", "5"));
    refuses("plan", "arm6 --goal shoulder=1 --roadmap b.jsonl", "b.jsonl");
    refuses("plan", "arm6 --goal shoulder=1 --torque --roadmap map.npz", "roadmap: expected no postures on the way");
    refuses("plan", "two-arms --goal left_shoulder=1 --roadmap map.npz", "roadmap: expected 14 coordinates, got 6");
    refuses("plan roadmap", "arm6", "expected -o FILE");
    refuses("plan roadmap", "-o map.npz", "expected one model");
    refuses("plan roadmap", "arm6 -o map.txt", "--output: expected a name that ends in .npz");
    refuses("plan roadmap", "arm6 -o map.npz --count 0", "--count");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_agree_with_single_plans),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(status_is_the_worst),
        cmocka_unit_test(bad_lines_are_refused),
        cmocka_unit_test(roadmaps_are_taken),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
