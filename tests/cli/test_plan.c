/* SPDX-License-Identifier: Apache-2.0 */
/* abut plan and abut plan check: plans, proofs, contacts between rows, files, and refusals. */
#include "support/cli.h"

#include "abut/literature.h"
#include "abut/picture.h"

static const char bar[] = "<mujoco><worldbody><body name='bar' pos='0.9 0 0.5'>"
                          "<geom type='capsule' size='0.003 0.5' euler='90 0 0'/></body></worldbody></mujoco>";
/* a straight arm swings from above to below through the bar at 0.9 m, between two rows */
static const char swing[] = "t,link0,link1,link2\n0,-0.5,0,0\n1,0.3,0,0\n";

static void write_files(void) {
    tool_file(&tool, "bar.xml", bar);
    tool_file(&tool, "swing.csv", swing);
}

static void a_clear_motion_is_proved(void **state) {
    (void)state;
    write_files();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check planar-arm:3 swing.csv --level 0.001 --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "status", "\"clear\""));
    CHECK(json_number(tool.out, "clearance.lb") > 0.001);
    CHECK(json_number(tool.out, "clearance.ub") >= json_number(tool.out, "clearance.lb"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check planar-arm:3 swing.csv"), 0);
    assert_true(has(tool.out, "clear") && has(tool.out, "at all times"));
}

/* The bar as points: balls, cubes, both; in files of every kind. */
static void points_are_obstacles(void **state) {
    (void)state;
    char ply[4000] =
        "ply\nformat ascii 1.0\nelement vertex 101\nproperty double x\nproperty double y\nproperty double z\n"
        "end_header\n";
    char pcd[4000] = "VERSION 0.7\nFIELDS x y z\nSIZE 8 8 8\nTYPE F F F\nWIDTH 101\nHEIGHT 1\nDATA ascii\n", row[60];
    write_files();
    for (int i = 0; i <= 100; ++i) {
        snprintf(row, sizeof row, "0.9 %.2f 0.5\n", 0.01 * (i - 50));
        strcat(ply, row);
        strcat(pcd, row);
    }
    tool_file(&tool, "bar.ply", ply);
    tool_file(&tool, "bar.pcd", pcd);
    static const char *const ways[] = {"bar.ply --radius 0.006", "bar.pcd --radius 0.006", "bar.pcd --voxel 0.01",
        "bar.ply --voxel 0.005 --radius 0.002"};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(
            tool_run(&tool, ABUT_CLI, "plan check planar-arm:3 swing.csv --obstacles %s --json", ways[i]), 1);
        assert_true(json_is(tool.out, "status", "\"contact\"") && json_is(tool.out, "points", "101"));
        assert_true(json_is(tool.out, "clearance.pair.0", "\"link2\""));
        CHECK_NEAR(json_number(tool.out, "clearance.t"), 0.625, 0.1);
    }
    assert_int_equal(
        tool_run(&tool, ABUT_CLI,
            "plan planar-arm:3 --start link0=-0.5 --goal link0=0.3,link1=-2 --obstacles bar.ply --radius 0.006 "
            "-o way.npz --json"),
        0);
    assert_true(json_is(tool.out, "status", "\"certified\""));
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan check planar-arm:3 way.npz --obstacles bar.ply --radius 0.006 --json"), 0);
    refuses("plan check", "planar-arm:3 swing.csv --obstacles bar.pcd", "--obstacles: expected --radius or --voxel");
    refuses("plan check", "planar-arm:3 swing.csv --radius 0.1", "expected --obstacles with points");
    tool_file(&tool, "bad.pcd",
        "VERSION 0.7\nFIELDS x y z\nSIZE 8 8 8\nTYPE F F F\nWIDTH 1\nHEIGHT 1\nDATA ascii\n1 nan 2\n");
    refuses("plan check", "planar-arm:3 swing.csv --obstacles bad.pcd --radius 0.1", "bad.pcd:8: expected finite");
}

#ifdef ABUT_TEST_XML
static void a_contact_between_rows_is_found(void **state) {
    (void)state;
    write_files();
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan check planar-arm:3 swing.csv --obstacles bar.xml --cert c.json --json"), 1);
    assert_true(json_is(tool.out, "status", "\"contact\"") && json_is(tool.out, "certified", "false"));
    assert_true(json_is(tool.out, "clearance.pair.0", "\"link2\"") && json_is(tool.out, "clearance.pair.1", "\"bar\""));
    CHECK(json_number(tool.out, "clearance.ub") <= 0.0);
    CHECK_NEAR(json_number(tool.out, "clearance.t"), 0.625, 0.1);
    char *cert = tool_text(&tool, "c.json");
    assert_non_null(cert);
    assert_true(json_valid(cert) && json_is(cert, "status", "\"contact\""));
    assert_int_equal(json_count(cert, "pairs"), (int)json_number(tool.out, "pairs"));
    free(cert);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan check planar-arm:3 swing.csv --obstacles bar.xml --allow link2:bar"), 0);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan check planar-arm:3 swing.csv --obstacles bar.xml --pairs link0:bar"), 0);
    refuses("plan check", "planar-arm:3 swing.csv --obstacles bar.xml --allow link2:baar", "did you mean 'bar'");
    refuses("plan check", "planar-arm:3 swing.csv --obstacles bar.xml --allow link2", "pairs A:B,C:D, or a file");
}

/* Pairs from a file, pairs that are added, and pairs that may meet at times. */
static void pairs_have_files_and_times(void **state) {
    (void)state;
    static const char check[] = "plan check planar-arm:3 swing.csv --obstacles bar.xml --json";
    write_files();
    tool_file(&tool, "pairs.txt", "# two\nlink2:bar\n\n  link0:bar # and no more");
    tool_file(&tool, "empty.txt", "# none\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s --pairs pairs.txt", check), 1);
    assert_true(json_is(tool.out, "pairs", "2"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s --allow pairs.txt", check), 0);
    int few = (int)json_number(tool.out, "pairs");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s --allow pairs.txt --add link0:link1", check), 1);
    assert_int_equal((int)json_number(tool.out, "pairs"), few + 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s --allow link2:bar@0.5:0.8", check), 0);
    assert_true(has(tool.out, "nothing is proved of them then") && has(tool.err, "warning"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s --allow link2:bar@0.9:1", check), 1);
    refuses("plan check", "planar-arm:3 swing.csv --pairs empty.txt", "expected pairs A:B, one on each line, got none");
    refuses("plan check", "planar-arm:3 swing.csv --add link0:link9", "--add: no link 'link9'");
    refuses("plan check", "planar-arm:3 swing.csv --allow link0:link2@0.9", "--allow: expected A:B@FROM:TO");
    refuses("plan check", "planar-arm:3 swing.csv --allow link0:link2@0.9:0.1", "--allow: expected A:B@FROM:TO");
    refuses("plan check", "planar-arm:3 swing.csv --pairs pairs.txt --cert pairs.txt", "pairs.txt");
    refuses("plan", "planar-arm:3 --goal link0=0.1 --retime --allow link0:link2@0:0.5",
        "--retime: expected no times in --allow");
}
#endif

/* Columns that are not there change nothing that is measured: the arm swings into the ground. */
static void held_joints_hide_no_contact(void **state) {
    (void)state;
    double ub[2];
    tool_file(&tool, "one.csv", "t,upper\n0,0\n1,2.2\n");
    tool_file(&tool, "all.csv", "t,shoulder,upper,fore,wrist,roll,flange\n0,0,0,0,0,0,0\n1,0,2.2,0,0,0,0\n");
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm6 %s.csv --json", i ? "all" : "one"), 1);
        assert_true(
            json_is(tool.out, "clearance.pair.0", "\"ground\"") && json_is(tool.out, "clearance.pair.1", "\"flange\""));
        ub[i] = json_number(tool.out, "clearance.ub");
    }
    CHECK_NEAR(ub[0], ub[1], 1e-12);
    CHECK_NEAR(ub[0], -0.287877, 1e-5);
}

static void nothing_to_check_is_no_proof(void **state) {
    (void)state;
    write_files();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check planar-arm:3 swing.csv --neighbors 9 --json"), 3);
    assert_true(json_is(tool.out, "status", "\"nothing to check\"") && json_is(tool.out, "certified", "false"));
    assert_true(json_is(tool.out, "clearance.lb", "null") && json_is(tool.out, "pairs", "0"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan planar-arm:3 --goal link0=0.3 --neighbors 9 --json"), 3);
    assert_true(json_is(tool.out, "status", "\"clear_uncertified\"") && has(tool.out, "nothing to check"));
    assert_true(json_is(tool.out, "clearance.lb", "null"));
}

static void missed_postures_are_told(void **state) {
    (void)state;
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan arm6 --goal shoulder=0.5 --via 0.02:shoulder=1 --attempts 1 --json"), 3);
    assert_true(json_is(tool.out, "certified", "false") && has(tool.out, "via 1, at the part 0.02"));
    refuses("plan",
        "arm6 --goal shoulder=0.5 --via '0.4:shoulder=.1;0.4001:shoulder=.2;0.4002:shoulder=.3;0.4003:shoulder=0.4'",
        "--via: the part 0.4001 is too close");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan arm6 --goal shoulder=0.5 --via 0.05:shoulder=0.1 --budget 60"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan arm6 --goal shoulder=0.5 --via '0.4:shoulder=.1' --json"), 0);
}

static void postures_are_numbers_too(void **state) {
    (void)state;
    double cost[2];
    static const char *const goals[2] = {"shoulder=0.3,fore=0.2", "0.3,0,0.2,0,0,0"};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(
            tool_run(&tool, ABUT_CLI, "plan arm6 --start 0,0,0,0,0,0 --goal %s --attempts 1 --json", goals[i]), 0);
        cost[i] = json_number(tool.out, "cost");
    }
    CHECK_NEAR(cost[0], cost[1], 0.0);
    refuses("plan", "arm6 --goal 0,0.5", "--goal: expected 6 numbers, all positions of the model, got 2");
    refuses("plan", "arm6 --goal 0,0.5,1x,0,0,0", "got '1x'");
    refuses("plan", "arm6 --goal upper=1,fore=2,upper=1", "joint 'upper' stands there twice");
    refuses("plan", "arm6 --goal-pose tool=1,1x,2", "got '1x'");
    refuses("plan", "arm6 --goal-pose tool=0.3,0,0.5,0,0,0,0", "a quaternion other than 0,0,0,0");
    refuses("plan", "arm6 --goal-pose toool=1,2,3", "--goal-pose: no frame or body 'toool'");
    refuses("plan", "arm6 --goal home --support fot", "--support: no frame or body 'fot'");
    refuses("plan", "arm6 --goal home --support base", "--support 'base': expected");
    refuses("plan", "arm6 --goal home -o plan.txt", "--output: expected a name that ends in .npz or .csv");
    refuses("plan", "arm6 --goal home --speed 0", "--speed: ");
    refuses("plan", "arm6 --goal home --points 4", "--points: expected a whole number from 9 to 32, got '4'");
    refuses("plan check", "arm6 a.csv --zzzzzz 3", "see 'abut plan check --help'");
    refuses("plan scenario", "posts --model arm.xml", "brings its own robot");
}

#ifdef ABUT_TEST_XML
/* An obstacle with the name of a link. */
static void obstacles_may_have_names_of_links(void **state) {
    (void)state;
    tool_file(&tool, "link2.xml",
        "<mujoco><worldbody><body name='link2' pos='0.9 0 0.5'>"
        "<geom type='capsule' size='0.003 0.5' euler='90 0 0'/></body></worldbody></mujoco>");
    write_files();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check planar-arm:3 swing.csv --obstacles link2.xml --json"), 1);
    assert_true(json_is(tool.out, "clearance.pair.0", "\"link2\"") &&
                json_is(tool.out, "clearance.pair.1", "\"obstacles/link2\""));
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "plan check planar-arm:3 swing.csv --obstacles link2.xml --allow link2:obstacles/link2"),
        0);
    write_files();
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "plan check planar-arm:3 swing.csv --obstacles bar.xml --pairs link2:obstacles/bar --json"),
        1);
    assert_true(json_is(tool.out, "clearance.pair.1", "\"bar\""));
}
#endif

static void a_mesh_is_an_obstacle(void **state) {
    (void)state;
    write_files();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus --size 0.9,0.02 --triangles 160 -o ring.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check planar-arm:3 swing.csv --obstacles ring.obj --json"), 0);
    assert_true(json_is(tool.out, "status", "\"clear\""));
}

#ifdef ABUT_TEST_XML
static const char posts[] =
    "<mujoco><worldbody><body name='post1' pos='0.45 0.1 0.4'><geom type='capsule' size='0.006 0.4'/></body>"
    "<body name='post2' pos='0.25 0.45 0.4'><geom type='capsule' size='0.006 0.4'/></body></worldbody></mujoco>";
#define FREE "plan arm6 --obstacles posts.xml --start shoulder=-0.6,upper=0.9,fore=0.6 "
#define ARM FREE "--budget 60 "

static void a_plan_is_made_and_checked(void **state) {
    (void)state;
    tool_file(&tool, "posts.xml", posts);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, ARM "--goal shoulder=1.9 --csv p.csv --rate 200 --cert c.json --json"), 0);
    assert_true(
        json_valid(tool.out) && json_is(tool.out, "status", "\"certified\"") && json_is(tool.out, "certified", "true"));
    CHECK(json_number(tool.out, "clearance.lb") > 0.001);
    assert_true(json_count(tool.out, "attempts") == 2 && json_is(tool.out, "attempts.0.kind", "\"fast\""));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm6 p.csv --obstacles posts.xml --level 0.0005"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, ARM "--goal-pose tool=0.1,0.5,0.3"), 0);
    assert_true(has(tool.out, "certified") && has(tool.out, "at all times"));
#ifdef ABUT_TEST_ZLIB
    assert_int_equal(tool_run(&tool, ABUT_CLI, ARM "--goal shoulder=1.9 -o a.npz"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, ARM "--goal shoulder=1.9 --threads 2 -o b.npz"), 0);
    assert_int_equal(tool_run(&tool, "cmp", "a.npz b.npz"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm6 a.npz --obstacles posts.xml --level 0.001"), 0);
#endif
}

/* The hand lies in the forearm at the reference, which limits forbid; with a ball for a hand at every posture. */
#define FOREARM                                                                                                        \
    "<mujoco><compiler angle='radian'/><worldbody><body name='base'><geom type='box' size='0.04 0.04 0.01' pos='0 0 "  \
    "-0.2'/></body><body name='forearm'><joint name='elbow' axis='0 1 0' range='-2.8 -0.1' limited='true'/><geom "     \
    "type='capsule' size='0.04' fromto='0 0 0.06 0 0 0.36'/><body name='wrist' pos='0 0 0.4'><joint name='bend' "      \
    "axis='0 1 0' range='-0.1 3.2' limited='true'/><geom type='sphere' size='0.01'/><body name='hand'><joint "         \
    "name='roll' axis='0 0 1' range='-3 3' limited='true'/><geom type='"
#define HAND "'/></body></body></body></worldbody><keyframe><key name='home' qpos='-1 2.5 0'/></keyframe></mujoco>"

static void exceptions_are_told(void **state) {
    (void)state;
    tool_file(&tool, "box.xml", FOREARM "box' size='0.03 0.05 0.04' pos='0 0 -0.11" HAND);
    tool_file(&tool, "ball.xml", FOREARM "sphere' size='0.05" HAND);
    tool_file(&tool, "roll.csv", "t,elbow,bend,roll\n0,-1,2.5,0\n1,-0.5,2,1\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan box.xml --keyframe home --goal bend=0.1 --json"), 1);
    assert_true(has(tool.out, "goal: forearm and hand overlap by") && has(tool.out, "allow the pair forearm:hand"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan box.xml --keyframe home --start bend=0.1 --goal bend=2"), 1);
    assert_true(has(tool.out, "start: forearm and hand overlap by"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan ball.xml --keyframe home --goal bend=2 --json"), 3);
    assert_true(json_is(tool.out, "status", "\"certified_except\"") && json_is(tool.out, "certified", "false"));
    assert_true(
        has(tool.out, "proved except for forearm:hand") && has(tool.err, "forearm and hand are left out: always"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan ball.xml --keyframe home --goal bend=2 --allow forearm:hand"), 0);
    assert_true(has(tool.out, "certified\n") && !has(tool.err, "left out"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check ball.xml roll.csv --json"), 3);
    assert_true(json_is(tool.out, "status", "\"clear_except\"") && json_is(tool.out, "certified", "false"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check ball.xml roll.csv --allow forearm:hand"), 0);
}

/* A search that time ends says so; attempts alone end it at the same place in every run. */
static void limits_of_a_search(void **state) {
    (void)state;
    tool_file(&tool, "posts.xml", posts);
    assert_int_equal(tool_run(&tool, ABUT_CLI, FREE "--goal shoulder=1.9 --budget 1e-5 --json"), 3);
    assert_true(json_is(tool.out, "status", "\"budget\"") && json_is(tool.out, "out_of_time", "true"));
    assert_true(has(tool.out, "budget: time ran out after 1e-05 s and 1 of 17 attempts"));
    CHECK(json_number(tool.out, "attempt_count") == 1 && json_number(tool.out, "attempt_limit") == 17);
    assert_int_equal(tool_run(&tool, ABUT_CLI, FREE "--goal shoulder=1.9 --attempts 4 --csv a.csv --json"), 0);
    assert_true(json_is(tool.out, "out_of_time", "false"));
    CHECK(json_number(tool.out, "attempt_limit") == 4);
    assert_int_equal(tool_run(&tool, ABUT_CLI, FREE "--goal shoulder=1.9 --attempts 4 --threads 2 --csv b.csv"), 0);
    assert_int_equal(tool_run(&tool, "cmp", "a.csv b.csv"), 0);
    refuses("plan", "arm6 --goal shoulder=1 --budget 0", "--budget: ");
}

static void failures_have_reasons(void **state) {
    (void)state;
    tool_file(&tool, "posts.xml", posts);
    assert_int_equal(tool_run(&tool, ABUT_CLI, ARM "--goal shoulder=0.11 --json"), 1);
    assert_true(
        json_is(tool.out, "status", "\"infeasible_input\"") && has(tool.out, "goal: ") && has(tool.out, "overlap by"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, ARM "--goal-pose tool=5,0,0"), 1);
    assert_true(has(tool.out, "no clear posture reaches the pose") && !has(tool.out, "attempts"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, ARM "--goal shoulder=1.9 --method sampled:10 --attempts 3"), 3);
    assert_true(has(tool.out, "clear at its samples alone"));
    /* out of a closed cage there is no way */
    tool_file(&tool, "gantry.xml",
        "<mujoco><worldbody><body name='x'><joint name='jx' type='slide' axis='1 0 0' range='-2 2'/><inertial pos='0 0 "
        "0' "
        "mass='1' diaginertia='1 1 1'/><body name='y'><joint name='jy' type='slide' axis='0 1 0' range='-2 "
        "2'/><inertial "
        "pos='0 0 0' mass='1' diaginertia='1 1 1'/><body name='ball'><joint name='jz' type='slide' axis='0 0 1' "
        "range='-2 2'/><geom size='0.05' mass='1'/></body></body></body></worldbody></mujoco>");
    tool_file(&tool, "cage.xml",
        "<mujoco><worldbody><body name='cage'><geom type='box' size='.3 .3 .01' pos='0 0 .3'/><geom type='box' "
        "size='.3 "
        ".3 .01' pos='0 0 -.3'/><geom type='box' size='.3 .01 .3' pos='0 .3 0'/><geom type='box' size='.3 .01 .3' "
        "pos='0 "
        "-.3 0'/><geom type='box' size='.01 .3 .3' pos='.3 0 0'/><geom type='box' size='.01 .3 .3' pos='-.3 0 "
        "0'/></body></worldbody></mujoco>");
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan gantry.xml --goal jx=1 --obstacles cage.xml --budget 60 --json -o best.csv"),
        1);
    assert_true(json_is(tool.out, "status", "\"blocked\"") && has(tool.out, "none clear: in the best ball and cage"));
    assert_int_equal(json_count(tool.out, "attempts"), 17);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check gantry.xml best.csv --obstacles cage.xml"), 1);
    refuses("plan", "arm6", "expected --goal or --goal-pose");
    refuses("plan", "arm6 --goal shouldr=1", "did you mean 'shoulder'");
    refuses("plan", "arm6 --goal nowhere", "a keyframe of the model");
    refuses("plan", "arm6 --goal home --joints shoulder", "is held");
    refuses("plan", "arm6 --goal home --via half:home", "PART:POSTURE");
    refuses("plan", "arm6 --goal home --method guess", "sampled:N");
    refuses("plan", "arm6 --goal home --level 0.1", "--level");
    refuses("plan", "arm6 --goal home --points 33", "--points: expected a whole number from 9 to 32");
    refuses("plan", "arm6 --goal-pose hook=1,2,3", "no frame or body 'hook'");
}
#endif

/* Feet in words, balance, limits of joints and torques. */
static void standing_robots_keep_balance(void **state) {
    (void)state;
    tool_file(&tool, "limits.csv", "joint,speed,torque\n*,1,\nshoulder,0.5,\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "plan humanoid --keyframe stand --support both --goal chest=0.3,left_shoulder=-1.2 --budget "
                         "60 --json -o h.npz"),
        0);
    assert_true(json_is(tool.out, "balance.status", "\"clear\""));
    CHECK(json_number(tool.out, "balance.lb") > 0.001 && json_number(tool.out, "zmp.inside") >= -1e-9);
    CHECK(json_number(tool.out, "torque.part") > 0.0 && json_number(tool.out, "torque.part") < 1.0);
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "plan check humanoid h.npz --keyframe stand --support both --balance feet --level 0.001"),
        0);
    assert_true(has(tool.out, "center of mass at least"));
    assert_int_equal(
        tool_run(&tool, ABUT_CLI,
            "plan check humanoid h.npz --keyframe stand --support both --balance '1,1;2,1;2,2;1,2' --json"),
        1);
    assert_true(json_is(tool.out, "balance.status", "\"lost\""));
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "plan humanoid --keyframe stand --support both --goal chest=0.8,left_shoulder=-2.5,"
                         "right_shoulder=-2.5,left_thigh=0,right_thigh=0,left_shin=0.6,right_shin=0.6,"
                         "left_ankle=-0.6,right_ankle=-0.6"),
        1);
    assert_true(has(tool.out, "goal: out of balance"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan arm6 --goal shoulder=1 --limits limits.csv --json"), 0);
    CHECK(json_number(tool.out, "duration") > 1.0 / 0.5);
    refuses("plan", "arm6 --goal shoulder=1 --support both", "two feet");
    refuses("plan", "arm6 --goal shoulder=1 --balance feet", "expected --support");
    refuses("plan", "humanoid --keyframe stand --support left --goal chest=0.1 --balance 1,2", "--balance");
    refuses("plan", "arm6 --goal shoulder=1 --limits nowhere.csv", "nowhere.csv");
    refuses("plan", "arm6 --goal shoulder=1 --shapes ball", "hull or capsule");
}

/* A plan in the simulator: it is followed, nothing is touched, and both distances are told. */
static void plans_are_followed(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "plan arm6 --start shoulder=-0.6,upper=0.9,fore=0.6 --goal shoulder=1.2 --budget 60 -o a.npz"),
        0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "simulate arm6 --plan a.npz --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "plan.status", "\"clear\""));
    CHECK(json_number(tool.out, "plan.error") < 0.01 && json_number(tool.out, "plan.followed") == 6);
    CHECK_NEAR(json_number(tool.out, "plan.measured.distance"), json_number(tool.out, "plan.planned.distance"), 0.005);
    CHECK(json_number(tool.out, "contacts_max") == 0);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI,
            "plan humanoid --keyframe stand --support both --goal chest=0.2,left_shoulder=-0.6 --budget 60 -o h.npz"),
        0);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "simulate humanoid --keyframe stand --support both --plan h.npz --dt 0.002"), 0);
    assert_true(has(tool.out, "planned") && has(tool.out, "measured") && has(tool.out, "30 joints follow"));
    tool_file(
        &tool, "press.csv", "t,palm,left\n0,0.1,0\n1,-0.13,0\n"); /* lowers the fingers beside the box, no contact */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes gripper --keyframe home --plan press.csv --at 0 --cs --json"), 0);
    int apart = (int)json_number(tool.out, "contacts");
    tool_file(&tool, "grip.csv", "t,palm,left\n0,-0.13,0\n1,-0.13,-0.0201\n"); /* and closes them on it */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes gripper --keyframe home --plan grip.csv --at 1 --cs --json"), 0);
    assert_true((int)json_number(tool.out, "contacts") > apart);
    /* the same as a plan that may touch at its end */
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "plan gripper --keyframe home --start palm=0.1,left=0 --goal palm=-0.12,left=-0.0201 --allow "
                         "left:box@0.8:1,right:box@0.8:1 --time 0.4 --speed 9 --acceleration 99 --budget 60 -o t.npz"),
        0);
    assert_true(has(tool.out, "certified") && has(tool.out, "when they may not meet"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes gripper --keyframe home --plan t.npz --at 0 --cs --json"), 0);
    apart = (int)json_number(tool.out, "contacts");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "modes gripper --keyframe home --plan t.npz --at 0.4 --cs --json"), 0);
    assert_true((int)json_number(tool.out, "contacts") > apart);
    refuses("modes", "box --plan grip.csv", "no model");
    refuses("simulate", "arm6 --obstacles a.npz", "--obstacles goes with --plan");
    refuses("simulate", "stack --plan a.npz", "abut simulate");
}

/* Limits of joints: told, and with --limits a no. */
static void limits_are_told(void **state) {
    (void)state;
    tool_file(&tool, "far.csv", "t,shoulder\n0,0\n1,0.5\n2,9\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm6 far.csv --json"), 0);
    assert_true(
        json_is(tool.out, "limits.0.joint", "\"shoulder\"") && json_is(tool.out, "limits.0.kind", "\"position\""));
    CHECK_NEAR(json_number(tool.out, "limits.0.t"), 2.0, 1e-9);
    tool_file(&tool, "slow.csv", "joint,speed,acceleration\n*,0.2,1\n");
    tool_file(&tool, "near.csv", "t,shoulder\n0,0\n1,0.1\n2,0.5\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm6 near.csv --limits slow.csv"), 1);
    assert_true(
        has(tool.out, "speed of joint shoulder is 0.4") && has(tool.out, "the speed of joint shoulder jumps at 1 s"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm6 near.csv"), 0);
    refuses("plan check", "arm6 near.csv --limits nowhere.csv", "nowhere.csv");
}

/* The same path in less time, within the limits, proved again. */
static void plans_are_retimed(void **state) {
    (void)state;
    tool_file(&tool, "fast.csv", "joint,speed,acceleration\n*,2,8\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan arm6 --goal shoulder=2 --budget 60 --retime -o r.npz --json"), 0);
    CHECK(json_number(tool.out, "duration") < 1.26 && json_number(tool.out, "smooth_duration") > 1.5);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm6 r.npz --limits fast.csv --level 0.001"), 0);
    refuses("plan", "arm6 --goal shoulder=1 --retime --time 3", "--retime");
}

/* What leads is enough: joints that follow it do, in plans and in files. */
static void joints_follow(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan arm-gripper --start finger=0.002 --goal finger=0.005 --json"), 0);
    assert_true(json_is(tool.out, "coordinates", "7"));
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan arm-gripper --joints finger --goal finger=0.005 -o f.npz --json"), 0);
    assert_true(json_is(tool.out, "coordinates", "1"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm-gripper f.npz --level 0.001"), 0);
    assert_true(!has(tool.err, "follow"));
    refuses("plan", "arm-gripper --goal thumb=0.005", "must be 0 there, as it follows joint 'finger'");
    refuses("plan", "arm-gripper --goal finger=0.005,thumb=0", "must be -0.005 there, as it follows joint 'finger'");
    tool_file(&tool, "apart.csv", "t,finger,thumb\n0,0,0\n1,0.005,-0.003\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm-gripper apart.csv"), 0);
    assert_true(has(tool.err, "apart.csv: joint 'thumb' is 0.002 off what it follows, 'finger', at 1 s"));
}

#ifdef ABUT_TEST_XML
/* A joint that follows on a curve: it goes through the floor, which a proof sees, and plans are refused. */
static void curves_count(void **state) {
    (void)state;
    tool_file(&tool, "curve.xml",
        "<mujoco><compiler angle='radian'/><worldbody><body name='l1'><joint name='j1' axis='0 1 0'/>"
        "<geom type='sphere' size='.02' pos='.5 0 0'/></body><body name='l2' pos='0 1 0'><joint name='j2' "
        "axis='0 1 0'/><geom type='capsule' fromto='.1 0 0 1 0 0' size='.02'/></body></worldbody>"
        "<equality><joint joint1='j2' joint2='j1' polycoef='0 0 3 0 0'/></equality></mujoco>");
    tool_file(&tool, "floor.xml",
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 .1' pos='0 0 -0.5'/></worldbody></mujoco>");
    tool_file(&tool, "lead.csv", "t,j1\n0,0\n1,0.55\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check curve.xml lead.csv --obstacles floor.xml --json"), 1);
    assert_true(json_is(tool.out, "status", "\"contact\"") && json_is(tool.out, "clearance.pair.0", "\"l2\""));
    refuses("plan check", "curve.xml lead.csv --interpolate cubic", "joint 'j2' follows 'j1' on a curve");
    refuses("plan", "curve.xml --goal j1=.55 --obstacles floor.xml", "curve.xml:1: joint 'j2' follows 'j1' on a curve");
}
#endif

/* Nothing that was asked for is dropped without a word. */
static void nothing_is_silent(void **state) {
    (void)state;
    write_files();
    tool_run(&tool, ABUT_CLI, "plan planar-arm:3 --goal link0=0.3 --neighbors 9 --retime");
    assert_true(has(tool.err, "--retime: the plan stays as it is: it is clear_uncertified"));
    refuses("plan", "arm6 --goal shoulder=1 -o z.npz --cert nowhere/c.json", "nowhere/c.json: cannot be written");
    assert_null(tool_text(&tool, "z.npz"));
    refuses("plan", "arm6 --goal shoulder=1 --picture x.jpg", "--picture: expected a name that ends in .png");
    refuses("plan scenario", "posts --picture x.jpg", "--picture: expected a name that ends in .png");
    refuses("plan check", "planar-arm:3 swing.csv --html nowhere/p.html", "nowhere/p.html: cannot be written");
    refuses("plan check", "planar-arm:3 swing.csv --pairs link0:link2 --allow link2:link0", "names a pair of --pairs");
    tool_file(&tool, "only-a.csv", "t,link0,link0:a\n0,0,0\n1,0.1,0\n");
    refuses("plan check", "planar-arm:3 only-a.csv", "accelerations without speeds");
    tool_file(&tool, "two.csv", "joint,speed\nlink0,0.01\nlink0,1\n");
    refuses("plan check", "planar-arm:3 swing.csv --limits two.csv", "two.csv:3: a row that stands there twice");
}

/* A ball leaves a box without a lid, in which it does not overlap anything, and flat meshes are obstacles too. */
#ifdef ABUT_TEST_XML
static void open_meshes_have_no_inside(void **state) {
    (void)state;
    tool_file(&tool, "ball.xml",
        "<mujoco><worldbody><body name='b'><joint name='x' type='slide' axis='1 0 0'/><joint name='y' type='slide' "
        "axis='0 1 0'/><joint name='z' type='slide' axis='0 0 1'/><geom type='sphere' size='.05'/></body></worldbody>"
        "</mujoco>");
    tool_file(&tool, "bin.obj",
        "v -.3 -.3 -.3\nv .3 -.3 -.3\nv .3 .3 -.3\nv -.3 .3 -.3\nv -.3 -.3 .3\nv .3 -.3 .3\nv .3 .3 .3\nv -.3 .3 .3\n"
        "f 1 3 2\nf 1 4 3\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan ball.xml --goal x=1 --obstacles bin.obj -o out.npz --json"), 0);
    assert_true(json_is(tool.out, "status", "\"certified\"") && has(tool.err, "bin.obj is open: it has no inside"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check ball.xml out.npz --obstacles bin.obj --level 0.001"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan ball.xml --goal x=1 --obstacles ./bin.obj --pairs b:bin"), 2);
    assert_true(has(tool.err, "no link 'bin'; did you mean 'bin.obj'?"));
    tool_file(&tool, "wall.obj", "v .5 -1 -1\nv .5 1 -1\nv .5 1 1\nv .5 -1 1\nf 1 2 3\nf 1 3 4\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan ball.xml --goal x=1 --obstacles wall.obj --json"), 0);
    CHECK(json_number(tool.out, "cost") > 0.6);
}
#endif

/* A mesh that is not convex is proved against its triangles, from a file and from a model; the certificate tells. */
static void triangles_count(void **state) {
    (void)state;
    static const char ring[] =
        "<mujoco><asset><mesh name='t' file='ring.obj'/></asset><worldbody><body name='ring' pos='0.55 0 0.55' "
        "euler='0 90 0'><geom type='mesh' mesh='t'/></body></worldbody></mujoco>";
    tool_file(&tool, "ring.xml", ring);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus --size 0.17,0.012 --triangles 800 -o ring.obj"), 0);
    tool_file(&tool, "through.csv", "t,shoulder,upper,fore\n0,0.9,0.7,0.9\n1,0,0.7,0.9\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm6 through.csv --obstacles ring.xml --json"), 1);
    assert_true(json_is(tool.out, "status", "\"contact\"") && json_is(tool.out, "clearance.pair.1", "\"ring\""));
    CHECK(json_number(tool.out, "triangles") > 700 && json_number(tool.out, "clearance.ub") == 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "plan arm6 --start shoulder=0.9,upper=0.7,fore=0.9 --goal shoulder=0 --obstacles ring.xml "
                         "--budget 60 -o in.npz --cert plan.json"),
        0);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan check arm6 in.npz --obstacles ring.xml --level 0.001 --cert check.json"), 0);
    assert_true(has(tool.out, "triangles as they are"));
    static const char *const files[] = {"plan.json", "check.json"};
    for (int i = 0; i < 2; ++i) {
        char *text = tool_text(&tool, files[i]);
        assert_true(text && json_valid(text));
        CHECK(json_number(text, "triangles") > 700 && json_number(text, "pairs.0.lb") > 0.001);
        free(text);
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check arm6 in.npz --obstacles ring.obj --json"), 0);
    CHECK(json_number(tool.out, "triangles") > 700);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan scenario mesh-ring --count 1 --budget 60 --json"), 0);
}

/* Methods side by side, and the thesis where IPOPT is there. */
static void methods_are_compared(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan bench posts --count 1 --budget 20 --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "0.method", "\"certified\""));
    CHECK(json_number(tool.out, "0.certified") == 1 && json_number(tool.out, "0.plans_per_second") > 0);
    assert_true(json_is(tool.out, "1.method", "\"sampled:20\""));
    refuses("plan bench", "nothing", "no scenario");
    refuses("plan bench", "posts --method sampled:3", "sampled:20");
    refuses("plan", "arm6 --goal shoulder=1 --mcd gss", "--mcd goes with --method thesis");
    refuses("plan", "arm6 --goal shoulder=1 --method thesis --mcd x", "gss, ca, hybrid or as");
    if (abut_plan_has_thesis())
        assert_int_equal(tool_run(&tool, ABUT_CLI, "plan arm6 --goal shoulder=1 --method thesis --budget 20"), 0);
    else
        refuses("plan", "arm6 --goal shoulder=1 --method thesis", "coinor-libipopt-dev");
}

static void pages_are_written(void **state) {
    (void)state;
    write_files();
    if (!abut_page_available()) skip();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan check planar-arm:3 swing.csv --html check.html"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "plan scenario posts --budget 60 --html plan.html"), 0);
    char *page = tool_text(&tool, "plan.html");
    assert_non_null(page);
    assert_true(strstr(page, "Proved not below") && strstr(page, "post1"));
    assert_true(
        strstr(page, "\"type\":\"pairs\"") && strstr(page, "flange and post2") && strstr(page, "ground and wrist"));
    assert_true(strstr(page, "\"clearance\"") && strstr(page, "pointA") && !strstr(page, "\"beside\":{"));
    free(page);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan scenario posts --budget 60 --beside sampled:10 --html two.html"), 0);
    page = tool_text(&tool, "two.html");
    assert_true(page && strstr(page, "\"beside\":{") && strstr(page, "sampled:10: overlaps"));
    free(page);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "plan check planar-arm:3 swing.csv --beside swing.csv --html both.html"), 0);
    page = tool_text(&tool, "both.html");
    assert_true(page && strstr(page, "\"beside\":{") && strstr(page, "swing.csv: clear"));
    free(page);
    refuses("plan check", "planar-arm:3 swing.csv --beside swing.csv", "--beside goes with --html");
    refuses("plan check", "planar-arm:3 swing.csv --beside nowhere.csv --html x.html", "nowhere.csv");
    refuses("plan scenario", "posts --beside sampled:10", "--beside goes with --html");
    refuses("plan check", "planar-arm:3 swing.csv --html swing.csv", "swing.csv");
}

static void bad_input_is_refused(void **state) {
    (void)state;
    write_files();
    refuses("plan", "", "expected");
    refuses("plan check", "planar-arm:3", "expected a model and a trajectory");
    refuses("plan check", "planar-arm:3 none.csv", "none.csv: cannot be opened");
    refuses("plan check", "planar-arm:3 swing.csv --interpolate septic", "linear, cubic or quintic");
    refuses("plan check", "planar-arm:3 swing.csv --interpolate quintic", "speeds and accelerations");
    refuses("plan check", "planar-arm:3 swing.csv --level=-1", "--level");
    refuses("plan check", "planar-arm:3 swing.csv --support link1", "base is free");
    refuses("plan check", "planar-arm:3 swing.csv --cert swing.csv", "swing.csv");
    refuses("plan check", "planar-arm:2 swing.csv", "did you mean");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clear_motion_is_proved),
        cmocka_unit_test(points_are_obstacles),
#ifdef ABUT_TEST_XML
        cmocka_unit_test(a_contact_between_rows_is_found),
        cmocka_unit_test(pairs_have_files_and_times),
        cmocka_unit_test(a_plan_is_made_and_checked),
        cmocka_unit_test(exceptions_are_told),
        cmocka_unit_test(limits_of_a_search),
        cmocka_unit_test(failures_have_reasons),
        cmocka_unit_test(obstacles_may_have_names_of_links),
        cmocka_unit_test(curves_count),
        cmocka_unit_test(open_meshes_have_no_inside),
#endif
        cmocka_unit_test(held_joints_hide_no_contact),
        cmocka_unit_test(nothing_to_check_is_no_proof),
        cmocka_unit_test(missed_postures_are_told),
        cmocka_unit_test(postures_are_numbers_too),
        cmocka_unit_test(a_mesh_is_an_obstacle),
        cmocka_unit_test(standing_robots_keep_balance),
        cmocka_unit_test(plans_are_followed),
        cmocka_unit_test(limits_are_told),
        cmocka_unit_test(plans_are_retimed),
        cmocka_unit_test(joints_follow),
        cmocka_unit_test(nothing_is_silent),
        cmocka_unit_test(triangles_count),
        cmocka_unit_test(methods_are_compared),
        cmocka_unit_test(pages_are_written),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
