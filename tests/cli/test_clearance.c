/* SPDX-License-Identifier: Apache-2.0 */
/* abut clearance: known answers, solid hulls, motions of joints, exit status, bad input. */
#include "support/cli.h"

#include "abut/picture.h"

static void make_files(void) {
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 0.2,0.2,0.2 -o small.obj"), 0);
    tool_file(&tool, "pass.csv", "0,-3,0.85,0,1,0,0,0\n1,3,0.85,0,1,0,0,0\n");
    tool_file(&tool, "through.csv", "0,-3,0.3,0,1,0,0,0\n1,3,0.3,0,1,0,0,0\n");
    tool_file(&tool, "graze.csv", "0,-3,0.6001,0,1,0,0,0\n1,3,0.6001,0,1,0,0,0\n");
    tool_file(&tool, "turn.json",
        "{\"format\":\"abut-motion\",\"version\":1,\"joints\":[\n"
        "  {\"kind\":\"hinge\",\"axis\":[0,0,1],\"position\":[2,0,0],\"curve\":{\"degree\":3,\"control\":[0,1,2,3]}},\n"
        "  {\"kind\":\"fixed\",\"position\":[1,0,0]}]}\n");
}

static void boxes_pass(void **state) {
    (void)state;
    make_files();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b pass.csv --json"), 0);
    assert_true(
        json_valid(tool.out) && json_is(tool.out, "status", "\"clear\"") && json_is(tool.out, "certified", "true"));
    CHECK_NEAR(json_number(tool.out, "ub"), 0.25, 1e-9);
    assert_true(json_number(tool.out, "lb") >= 0.249 && json_number(tool.out, "lb") <= 0.25);
    CHECK_VEC_NEAR(json_vec3("normal"), abut_vec3(0, 1, 0), 1e-12);
    CHECK_NEAR(json_vec3("point_b").y - json_vec3("point_a").y, 0.25, 1e-12);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance small.obj box.obj --motion-a pass.csv --eps 1e-6"), 0);
    assert_true(has(tool.out, "to 0.25 m") && has(tool.out, "clear"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b through.csv --json"), 1);
    assert_true(json_is(tool.out, "status", "\"contact\"") && json_number(tool.out, "ub") == 0);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b through.csv --convex --json"), 1);
    CHECK_NEAR(json_number(tool.out, "ub"), -0.3, 2e-3); /* sideways out */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b graze.csv --json"), 3);
    assert_true(json_is(tool.out, "status", "\"undecided\""));
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b graze.csv --eps 1e-5 --json"), 0);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b through.csv --from 0 --to 0.2 --json"), 0);
}

/* The soft distance: below the exact one here, with a bracket as narrow; it wants two meshes and nothing else. */
static void soft_distance(void **state) {
    (void)state;
    make_files();
    const char *soft = "clearance box.obj small.obj --motion-b pass.csv --distance soft";
    char words[300];
    snprintf(words, sizeof words, "%s --tau 0.02 --json", soft);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", words), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "status", "\"clear\"") &&
                json_is(tool.out, "distance", "\"soft\"") && json_is(tool.out, "point_a", "null"));
    double ub = json_number(tool.out, "ub"), lb = json_number(tool.out, "lb");
    assert_true(ub - lb <= 1e-3 && ub > 0.1 && ub < 0.25);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b through.csv --distance soft --json"), 1);
    assert_true(json_is(tool.out, "status", "\"contact\""));
    snprintf(words, sizeof words, "%s --minima 3", soft);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", words), 2);
    assert_true(has(tool.err, "--distance soft"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --distance round"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --tau 0.1"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj sphere:0.1 --distance soft"), 2);
}

/* Surfaces end at zero, with a depth beside it that is not proved; convex pieces go on below. */
static void depth_below_zero(void **state) {
    (void)state;
    make_files();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus --size 0.3,0.1 --triangles 400 -o torus.obj"), 0);
    const char *in_contact = "clearance box.obj small.obj --motion-b through.csv --from 0.5 --to 0.5";
    char words[200];
    snprintf(words, sizeof words, "%s --json", in_contact);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", words), 1);
    assert_true(json_valid(tool.out) && json_is(tool.out, "status", "\"contained\"") && !strstr(tool.out, "pieces"));
    CHECK_NEAR(json_number(tool.out, "depth_uncertified"), 0.3, 1e-6); /* 0.2 from the top, and its own 0.1 */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", in_contact), 1);
    assert_true(has(tool.out, "not certified") && has(tool.out, "touches are of the surfaces"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b pass.csv --json"), 0);
    assert_true(json_is(tool.out, "depth_uncertified", "null") && json_is(tool.out, "depth_t", "null"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b through.csv --json"), 1);
    CHECK_NEAR(json_number(tool.out, "depth_uncertified"), 0.3, 1e-6); /* in the middle of the contact */
    CHECK_NEAR(json_number(tool.out, "depth_t"), 0.5, 1e-6);

    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b through.csv --pieces --json"), 1);
    assert_true(json_is(tool.out, "status", "\"contact\"") && json_is(tool.out, "certified", "true"));
    CHECK_NEAR(json_number(tool.out, "ub"), -0.3, 1e-3);
    assert_true(json_number(tool.out, "lb") <= -0.3 && json_is(tool.out, "depth_uncertified", "null"));
    assert_true(json_number(tool.out, "pieces.0") == 1 && json_number(tool.out, "excess.0") < 1e-12);
    /* The ball passes over a torus of radius 0.1, whose hull it would touch; then through its ring. */
    tool_file(&tool, "over.csv", "0,-1,0,0.25,1,0,0,0\n1,1,0,0.25,1,0,0,0\n");
    tool_file(&tool, "ring.csv", "0,0,0,-1,1,0,0,0\n1,0,0,1,1,0,0,0\n");
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance torus.obj sphere:0.1 --motion-b over.csv --pieces --json"), 0);
    CHECK_NEAR(json_number(tool.out, "ub"), 0.05, 0.01);
    assert_true(json_number(tool.out, "pieces.0") > 3 && json_number(tool.out, "pieces.1") == 1);
    assert_true(json_number(tool.out, "excess.0") > 0 && json_number(tool.out, "excess.0") < 0.1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance torus.obj sphere:0.1 --motion-b ring.csv --pieces"), 0);
    assert_true(has(tool.out, "pieces of A") && !strstr(tool.out, "pieces of B"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance torus.obj sphere:0.25 --motion-b ring.csv --pieces"), 1);
    assert_true(has(tool.out, "contact is one of the pieces"));
    refuses("clearance", "box.obj small.obj --motion-b pass.csv --pieces --convex", "--convex");
    refuses("clearance", "sphere:1 sphere:0.1 --motion-b pass.csv --pieces", "mesh file");
}

/* Convex pieces from a folder, as `abut decompose` and other tools write them. */
static void pieces_from_folders(void **state) {
    (void)state;
    make_files();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus --triangles 200 -o ring.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "decompose ring.obj -o ring --max 8"), 1);
    tool_file(&tool, "drop.csv", "0,0,0,1,1,0,0,0\n1,0,0,0.3,1,0,0,0\n");
    const char *made = "clearance ring.obj small.obj --motion-b drop.csv --pieces-a ring --json";
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", made), 0);
    assert_true(json_valid(tool.out) && has(tool.out, "\"pieces\": [8, 1]") && has(tool.out, "null"));
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "distance ring.obj box.obj --depth decomposition --pieces-a ring --json"), 0);
    assert_true(json_number(tool.out, "distance") < 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o ring/one.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus -o ring/two.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", made), 1);
    assert_true(has(tool.err, "two.obj is not convex") && has(tool.out, "\"pieces\": [10, 1]"));
    tool_file(&tool, "ring/three.obj", "not a mesh");
    refuses("clearance", "ring.obj small.obj --motion-b drop.csv --pieces-a ring", "three.obj");
    refuses("clearance", "ring.obj small.obj --motion-b drop.csv --pieces-b nowhere", "nowhere");
    refuses("clearance", "sphere:1 small.obj --motion-b drop.csv --pieces-a ring", "--pieces-a");
    refuses("clearance", "ring.obj small.obj --motion-b drop.csv --pieces-a ring --convex", "--convex");
    refuses("distance", "ring.obj box.obj --pieces-a ring", "three.obj");
}

static void bodies_in_words(void **state) {
    (void)state;
    make_files();
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance sphere:0.5 sphere:0.1 --motion-b pass.csv --eps 1e-6 --json"), 0);
    CHECK_NEAR(json_number(tool.out, "ub"), 0.25, 1e-6);
    CHECK_NEAR(json_number(tool.out, "t"), 0.5, 1e-3);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj sphere:0.1 --motion-b through.csv --json"), 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance cylinder:0.5,1 sphere:0.1 --motion-b through.csv --json"), 1);
    CHECK_NEAR(json_number(tool.out, "ub"), -0.3, 2e-3);
}

static void joints_move_bodies(void **state) {
    (void)state;
    make_files();
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b turn.json --eps 1e-5 --json"), 0);
    assert_true(json_number(tool.out, "t") > 0.9); /* the arm of 1 m comes round to 1.01, behind the box at 0.5 */
    CHECK_NEAR(json_number(tool.out, "ub"), 2 + cos(3.0) - 0.5 - 0.1 * (cos(3.0 - ABUT_PI) + sin(ABUT_PI - 3.0)), 1e-4);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "toi box.obj small.obj --motion-b turn.json --json"), 1);
}

static void curves_minima_and_contact_times(void **state) {
    (void)state;
    make_files();
    tool_file(&tool, "twice.csv", "0,-3,0.85,0,1,0,0,0\n1,3,0.85,0,1,0,0,0\n2,-3,0.86,0,1,0,0,0\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "clearance sphere:0.5 sphere:0.1 --motion-b twice.csv --minima 5 --band 0.1 --json "
                         "--curve curve.csv --contact-times"),
        0);
    assert_true(json_valid(tool.out) && json_count(tool.out, "minima") == 2);
    CHECK_NEAR(json_number(tool.out, "minima.0.t"), 0.5, 1e-6);
    CHECK_NEAR(json_number(tool.out, "minima.0.d"), 0.25, 1e-9);
    CHECK_NEAR(json_number(tool.out, "minima.1.t"), 1.5, 1e-2);
    assert_true(json_is(tool.out, "first_contact", "null") && json_is(tool.out, "minima.0.kind", "\"interior\""));
    char *curve = tool_text(&tool, "curve.csv");
    assert_true(strncmp(curve, "from,to,t,distance,lower\n0,", 27) == 0 && lines_of(curve) > 20);
    free(curve);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance sphere:0.5 sphere:0.1 --motion-b through.csv --contact-times --json"), 1);
    double half = sqrt(0.36 - 0.09) / 6;
    CHECK_NEAR(json_number(tool.out, "first_contact.touching"), 0.5 - half, 2e-6);
    CHECK_NEAR(json_number(tool.out, "last_contact.touching"), 0.5 + half, 2e-6);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b pass.csv --html page.html"),
        abut_page_available() ? 0 : 2);
    refuses("clearance", "box.obj small.obj --motion-b pass.csv --curve box.obj", "box.obj");
    refuses("clearance", "box.obj small.obj --motion-b pass.csv --minima 2 --band -1", "--band");
    refuses("clearance", "box.obj small.obj --motion-b pass.csv --band 0.1", "--band goes with --minima or --html");
    tool_file(&tool, "still.csv", "t,x,y,z,qw,qx,qy,qz\n\n0,0,0,3,1,0,0,0\n# here\n0,0,0,2,1,0,0,0\n");
    refuses("clearance", "box.obj small.obj --motion-b still.csv", "still.csv:5: its time 0 is not after 0");
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance sphere:0.5 sphere:0.1 --motion-b pass.csv --method as --json"), 0);
    assert_true(json_is(tool.out, "method", "\"as\"") && json_is(tool.out, "certified", "true"));
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance sphere:0.5 sphere:0.1 --motion-b pass.csv --method gss --json"), 3);
    refuses("clearance", "box.obj small.obj --motion-b pass.csv --method best", "--method");
    refuses("clearance", "box.obj small.obj --motion-b pass.csv --method as --minima 3", "--minima");
}

/* The times of a contact that lasts a split second at the tip of the motion, and of one in a long interval. */
static void short_contacts_have_times(void **state) {
    (void)state;
    make_files();
    tool_file(&tool, "tip.csv", "0,0,0,300,1,0,0,0\n1,0,0,0.5999,1,0,0,0\n2,0,0,300,1,0,0,0\n");
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b tip.csv --contact-times --json"), 1);
    assert_true(json_is(tool.out, "status", "\"contact\""));
    assert_true(json_is(tool.out, "first_contact.resolved", "true"));
    assert_true(json_is(tool.out, "last_contact.resolved", "true"));
    double way = 1e-4 / (300 - 0.5999); /* the tip is 1e-4 deep */
    CHECK_NEAR(json_number(tool.out, "first_contact.touching"), 1 - way, 1e-6);
    CHECK_NEAR(json_number(tool.out, "last_contact.touching"), 1 + way, 1e-6);
    const char *commands[2] = {"clearance box.obj small.obj --motion-b through.csv --contact-times --json",
        "clearance box.obj small.obj --motion-b through.csv --from=-2e4 --to 2e4 --contact-times --json"};
    for (int k = 0; k < 2; ++k) { /* 0.6 from the center, at 6 m/s */
        assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", commands[k]), 1);
        assert_true(json_is(tool.out, "first_contact.resolved", "true"));
        assert_true(json_is(tool.out, "last_contact.resolved", "true"));
        CHECK_NEAR(json_number(tool.out, "first_contact.touching"), 0.4, 1e-6);
        CHECK_NEAR(json_number(tool.out, "last_contact.touching"), 0.6, 1e-6);
    }
}

/* A near pass is no touch: neither what is proved clear nor, for small bodies, what is apart beside their size. */
static void near_passes_are_no_contacts(void **state) {
    (void)state;
    const double size[3] = {1.0, 1.0, 1e-6}, gap[3] = {5e-6, 1e-10, 4e-6}, eps[3] = {1e-7, 1e-12, 1e-3};
    const double way[3] = {2, 2, 2e-5};
    for (int k = 0; k < 3; ++k) {
        char command[160], motion[160];
        snprintf(command, sizeof command, "make box --size %g,%g,%g -o cube.obj", size[k], size[k], size[k]);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", command), 0);
        snprintf(motion, sizeof motion, "0,%g,%.12g,0,1,0,0,0\n1,%g,%.12g,0,1,0,0,0\n", -way[k], size[k] + gap[k],
            way[k], size[k] + gap[k]);
        tool_file(&tool, "near.csv", motion);
        snprintf(command, sizeof command,
            "clearance cube.obj cube.obj --motion-b near.csv --eps %g --contact-times --json", eps[k]);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", command), k < 2 ? 0 : 3);
        assert_true(json_is(tool.out, "status", k < 2 ? "\"clear\"" : "\"undecided\""));
        assert_true(json_is(tool.out, "first_contact", "null") && json_is(tool.out, "last_contact", "null"));
    }
}

/* Numbers beyond 1e60 are refused with their line; directions may have any length. */
static void large_numbers(void **state) {
    (void)state;
    make_files();
    static const char *const commands[] = {"clearance", "toi"};
    tool_file(&tool, "far.csv", "0,3,0,0,1,0,0,0\n1,1e300,0,0,1,0,0,0\n");
    tool_file(&tool, "late.csv", "0,3,0,0,1,0,0,0\n1e100,0,0,0,1,0,0,0\n");
    tool_file(&tool, "far.json",
        "{\"format\":\"abut-motion\",\"version\":1,\"joints\":[\n{\"kind\":\"fixed\",\"position\":[1e200,0,0]}]}");
    for (int k = 0; k < 2; ++k) {
        refuses(commands[k], "box.obj box.obj --motion-b far.csv", "far.csv:2: a length");
        refuses(commands[k], "box.obj box.obj --motion-b late.csv", "late.csv:2: a time");
        refuses(commands[k], "box.obj box.obj --motion-b far.json", "far.json:2: joints[0]");
        refuses(commands[k], "box.obj box.obj --motion-b through.csv --to 1e160", "--to");
    }
    tool_file(&tool, "huge.csv", "0,1e20,0,0,1,0,0,0\n1,3,0,0,1,0,0,0\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj box.obj --motion-b huge.csv --json"), 3);
    assert_true(json_number(tool.out, "lb") == 0 && json_number(tool.out, "t") == 1);
    CHECK_NEAR(json_number(tool.out, "ub"), 2, 1e-12);
    tool_file(&tool, "long.csv", "0,-3,0.85,0,1e200,0,0,0\n1,3,0.85,0,1e-200,0,0,0\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b long.csv --json"), 0);
    CHECK_NEAR(json_number(tool.out, "ub"), 0.25, 1e-9);
    tool_file(&tool, "long.json",
        "{\"format\":\"abut-motion\",\"version\":1,\"joints\":[\n"
        "{\"kind\":\"slide\",\"axis\":[0,-1e300,0],\"rotation\":[1e200,0,0,0],\"curve\":-1},\n"
        "{\"kind\":\"ball\",\"times\":[0],\"rotations\":[[1e308,0,0,0]]}]}");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b long.json --json"), 0);
    CHECK_NEAR(json_number(tool.out, "ub"), 0.4, 1e-9);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-b 0.8,0,0 --along 1e300,0,0 --json"), 0);
    CHECK_NEAR(json_number(tool.out, "distance"), -0.2, 1e-9);
}

static void points_lie_on_their_bodies(void **state) {
    (void)state;
    make_files();
    tool_file(&tool, "slow.csv", "0,0,0,0,1,0,0,0\n1,0.1,0,0,1,0,0,0\n");
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance box.obj sphere:0.3 --pose-b 0.5,0,0 --motion-a slow.csv --json"), 1);
    AbutVec3 a = abut_sub(json_vec3("point_a"), abut_vec3(0.1 * json_number(tool.out, "t"), 0, 0));
    CHECK_NEAR(abut_max_abs(a), 0.5, 1e-9);
    CHECK_NEAR(abut_point_distance(json_vec3("point_b"), abut_vec3(0.5, 0, 0)), 0.3, 1e-9);
    refuses("clearance", "half-space:0,0,-1,-2 plane:0,0,1,0 --motion-a slow.csv", "no clearance");
    refuses("clearance", "box.obj plane:0,0,1,0 --motion-a slow.csv --method ca", "front alone");
    tool_file(&tool, "dip.csv", "0,0,0,2,1,0,0,0\n1,0,0,1,1,0,0,0\n2,0,0,2,1,0,0,0\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance box.obj half-space:0,0,1,0.1 --motion-a dip.csv --json"), 0);
    CHECK_NEAR(json_number(tool.out, "ub"), 0.4, 1e-12);
    CHECK_NEAR(json_number(tool.out, "t"), 1, 1e-12);
    CHECK_VEC_NEAR(json_vec3("normal"), abut_vec3(0, 0, -1), 1e-12);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "clearance sphere:1.5 plane:0,0,1,0 --motion-a dip.csv --json"), 1);
    CHECK_NEAR(json_number(tool.out, "ub"), -0.5, 1e-9);
    refuses("clearance", "box.obj small.obj --motion-a slow.csv --minima 1000000000", "from 1 to 1000000,");
    tool_file(&tool, "end.csv", "0,2,0,0,1,0,0,0\n1,1,0,0,1,0,0,0\n"); /* touches at its end */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "toi box.obj box.obj --motion-b end.csv --json"), 0);
    assert_true(json_is(tool.out, "outcome", "\"hit\"") && json_number(tool.out, "t_hi") == 1);
}

/* A limit of time leaves a true bracket, which may be wide; a generous one changes nothing but the order of the work.
 */
static void limits_of_time(void **state) {
    (void)state;
    make_files();
    int rc = tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b pass.csv --seconds 1e-9 --json");
    assert_true(rc == 0 || rc == 3);
    assert_true(json_is(tool.out, "certified", "false") && json_is(tool.out, "reason", "\"time\""));
    double lb = json_number(tool.out, "lb"), ub = json_number(tool.out, "ub");
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b pass.csv --seconds 60 --json"), 0);
    assert_true(json_is(tool.out, "reason", "\"tolerance\""));
    assert_true(lb <= json_number(tool.out, "ub") && ub >= json_number(tool.out, "lb"));
    rc = tool_run(&tool, ABUT_CLI, "clearance box.obj small.obj --motion-b pass.csv --seconds 1e-9");
    assert_true(rc && has(tool.out, "not certified: time ran out"));
}

static void bad_input_is_refused(void **state) {
    (void)state;
    make_files();
    refuses("clearance", "box.obj small.obj", "nothing moves");
    refuses("clearance", "box.obj --motion-b pass.csv", "two bodies");
    refuses("clearance", "box.obj small.obj --motion-b pass.csv --pose-b 1,0,0", "--pose-b");
    refuses("clearance", "box.obj small.obj --motion-b pass.csv --eps 0", "--eps");
    refuses("clearance", "box.obj small.obj --motion-b pass.csv --seconds -1", "--seconds");
    refuses("clearance", "box.obj small.obj --motion-b pass.csv --seconds 1 --method gss", "--seconds");
    refuses("clearance", "box.obj small.obj --motion-b pass.csv --from 1 --to 0", "--to");
    refuses("clearance", "box.obj small.obj --motion-b none.csv", "none.csv");
    tool_file(&tool, "bad.json",
        "{\"format\":\"abut-motion\",\"version\":1,\"joints\":[\n{\"kind\":\"hinge\",\n\"curve\":{}}]}");
    refuses("clearance", "box.obj small.obj --motion-b bad.json", "bad.json:3: joints[0].curve");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_pass),
        cmocka_unit_test(soft_distance),
        cmocka_unit_test(depth_below_zero),
        cmocka_unit_test(pieces_from_folders),
        cmocka_unit_test(bodies_in_words),
        cmocka_unit_test(joints_move_bodies),
        cmocka_unit_test(curves_minima_and_contact_times),
        cmocka_unit_test(short_contacts_have_times),
        cmocka_unit_test(near_passes_are_no_contacts),
        cmocka_unit_test(large_numbers),
        cmocka_unit_test(points_lie_on_their_bodies),
        cmocka_unit_test(limits_of_time),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
