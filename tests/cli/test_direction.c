/* SPDX-License-Identifier: Apache-2.0 */
/* abut distance --direction: keys, sign and frame, paths with their largest turn, the kept bodies, bad input. */
#include "support/cli.h"

#include <dirent.h>

static void make_boxes(void) {
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 0.4,0.4,0.2 -o low.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 0.2,0.2,0.2 -o high.obj"), 0);
}

/* B above A, both in a world that is turned by 90 degrees about y: the direction is from A to B. */
static void the_direction_is_from_a_to_b_in_the_world(void **state) {
    (void)state;
    make_boxes();
    for (int k = 0; k < 2; ++k) { /* apart, overlapping */
        assert_int_equal(tool_run(&tool, ABUT_CLI,
                             "distance low.obj high.obj --pose-a rpy:1,0,0,0,1.5707963267948966,0 --pose-b "
                             "rpy:%g,0,0,0,1.5707963267948966,0 --direction soft --json",
                             k ? 1.19 : 1.21),
            0);
        assert_true(json_valid(tool.out));
        CHECK(json_vec3("direction").x > 0.999);
        CHECK_VEC_NEAR(
            json_vec3("vector"), abut_scale(json_vec3("direction"), json_number(tool.out, "coherence")), 1e-12);
        CHECK_NEAR(json_number(tool.out, "signed"), k ? -0.01 : 0.01, 0.003);
        CHECK(json_number(tool.out, "soft") < json_number(tool.out, "nearest"));
        CHECK(json_number(tool.out, "confidence") > 0.5 && json_number(tool.out, "rate_move") > 0.0);
        CHECK(json_number(tool.out, "rate_turn") >= 1.0);
        assert_true(json_is(tool.out, "status", "\"clear\""));
        assert_true(json_is(tool.out, "method", "\"soft\""));
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance low.obj high.obj --pose-b 0,0,0.3 --direction euclid"), 0);
    assert_true(has(tool.out, "direction    0 0 1 (euclid)"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance low.obj high.obj --pose-b 0,0,0.3 --direction soft"), 0);
    assert_true(has(tool.out, "confidence") && has(tool.out, "clear") && has(tool.out, "degrees per mm"));
}

/* The option adds a direction; distance and normal stay as they are without it, in overlap too. */
static void the_depth_stays(void **state) {
    (void)state;
    static const char *const methods[3] = {"soft", "phong", "kernel"};
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus --size 0.3,0.1 --triangles 400 -o ring.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance ring.obj ring.obj --pose-b 0.02,0.01,0.17 --json"), 0);
    double depth = json_number(tool.out, "distance");
    AbutVec3 normal = json_vec3("normal");
    CHECK(depth < -0.001);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI,
                             "distance ring.obj ring.obj --pose-b 0.02,0.01,0.17 --direction %s --json", methods[i]),
            0);
        CHECK_NEAR(json_number(tool.out, "distance"), depth, 1e-12);
        CHECK_VEC_NEAR(json_vec3("normal"), normal, 1e-12);
        assert_true(json_is(tool.out, "method", i == 1 ? "\"phong\"" : "\"soft\"")); /* no kernel here: soft is taken */
    }
}

/* A path in steps of `step`, over the edge of the lower box. */
static void write_path(double step) {
    char text[40000];
    int at = 0;
    for (double t = 0.0; t < 0.1; t += step)
        at += snprintf(text + at, sizeof text - (size_t)at, "%g,%g,0.02,0.21,1,0,0,0\n", t, 0.15 + 2.0 * t);
    tool_file(&tool, "path.csv", text);
}

static void paths_tell_the_largest_turn(void **state) {
    (void)state;
    double largest[2], proved[2];
    make_boxes();
    for (int k = 0; k < 2; ++k) {
        write_path(k ? 0.0002 : 0.0004);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance low.obj high.obj --path path.csv --direction soft"), 0);
        assert_true(has(tool.out, ",bx,by,bz,ux,uy,uz,vx,vy,vz\n"));
        const char *end = strstr(tool.out, "# largest turn ");
        assert_non_null(end);
        assert_int_equal(sscanf(end, "# largest turn %lf", &largest[k]), 1);
        end = strstr(end, "at most ");
        assert_non_null(end);
        assert_int_equal(sscanf(end, "at most %lf", &proved[k]), 1);
        CHECK(largest[k] > 0.0 && largest[k] <= proved[k]);
    }
    CHECK_NEAR(largest[1] / largest[0], 0.5, 0.1);
    write_path(0.01);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "distance low.obj high.obj --path path.csv --direction soft --html page.html"), 0);
    assert_true(has(tool.out, "no bound is proved"));
    char *page = tool_text(&tool, "page.html");
    assert_non_null(page);
    assert_non_null(strstr(page, "\"directions\""));
    free(page);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance low.obj high.obj --path path.csv --direction euclid"), 0);
    assert_true(has(tool.out, "# largest turn"));
}

/* The Phong distance says what it found, and where it was lost. */
static void phong_tells_its_status(void **state) {
    (void)state;
    static const char *const methods[] = {"phong", "phong-track"};
    make_boxes();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make sphere --size 0.1 --triangles 800 -o ball.obj"), 0);
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(
            tool_run(&tool, ABUT_CLI,
                "distance low.obj ball.obj --pose-b rpy:0.02,0.01,0.195,0.7,0.3,0 --direction %s --json", methods[k]),
            0);
        assert_true(json_valid(tool.out));
        assert_true(json_is(tool.out, "found", "true") && json_is(tool.out, "free", "true"));
        CHECK(json_vec3("direction").z > 0.9 && json_number(tool.out, "solutions") >= 1);
        CHECK_NEAR(json_number(tool.out, "signed"), -0.005, 0.002);
    }
    write_path(0.01);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance low.obj ball.obj --path path.csv --direction phong-track"), 0);
    assert_true(has(tool.out, "# largest turn") && has(tool.out, "lost at"));
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "distance low.obj ball.obj --pose-b 0,0,0.3 --direction phong --thesis-literal"), 0);
    assert_true(has(tool.out, "phong "));
}

/* The kernel is for convex meshes; of others soft is taken, and that is said. */
static void kernels_are_for_convex_meshes(void **state) {
    (void)state;
    make_boxes();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus --triangles 200 -o ring.obj"), 0);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "distance low.obj high.obj --pose-b 0.02,0,0.19 --direction kernel --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "method", "\"kernel\""));
    CHECK(json_vec3("direction").z > 0.99 && json_number(tool.out, "coherence") > 0.9);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance low.obj ring.obj --pose-b 0,0,0.3 --direction kernel"), 0);
    assert_true(has(tool.err, "soft is taken") && has(tool.out, "confidence"));
}

/* Sums and differences as files: boxes exactly, a ring by a grid. */
static void minkowski_writes_meshes(void **state) {
    (void)state;
    make_boxes();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus --triangles 200 -o ring.obj"), 0);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "minkowski low.obj high.obj --pose-a 1,0,0 --pose-b 0,2,0 -o sum.obj --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "exact", "true") && json_is(tool.out, "kind", "\"sum\""));
    CHECK_NEAR(json_number(tool.out, "volume"), 0.6 * 0.6 * 0.4, 1e-12);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info sum.obj --json"), 0);
    CHECK_VEC_NEAR(json_vec3("centroid"), abut_vec3(1, 2, 0), 1e-9);
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "minkowski low.obj high.obj --pose-a 1,0,0 --pose-b 0,2,0 --difference -o difference.obj"),
        0);
    assert_true(has(tool.out, "difference, 8 vertices") && has(tool.out, "exact"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info difference.obj --json"), 0);
    CHECK_VEC_NEAR(json_vec3("centroid"), abut_vec3(1, -2, 0), 1e-9);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "minkowski ring.obj high.obj --grid 8 -o grown.stl --json"), 0);
    assert_true(json_is(tool.out, "exact", "false"));
    CHECK(json_number(tool.out, "step") > 0.0 && json_number(tool.out, "components") == 1);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "minkowski ring.obj high.obj --difference --convolution -o chain.obj --json"), 0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "convolution", "true") && json_is(tool.out, "whole", "true"));
    CHECK(json_number(tool.out, "facets") > 100 && json_number(tool.out, "open") <= 1e-12);
    CHECK_NEAR(json_number(tool.out, "winding"), round(json_number(tool.out, "winding")), 1e-9);
    double facets = json_number(tool.out, "facets"), volume = json_number(tool.out, "volume");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info chain.obj --json"), 0);
    CHECK_NEAR(json_number(tool.out, "volume"), volume, 1e-9);
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "minkowski ring.obj high.obj --pose-a 1,0,0 --convolution --ball 1.45,0,0,0.05 -o part.obj "
                         "--json"),
        0);
    assert_true(json_valid(tool.out) && json_is(tool.out, "whole", "false"));
    CHECK(json_number(tool.out, "facets") >= 1 && json_number(tool.out, "facets") < facets);
    refuses("minkowski", "ring.obj high.obj --convolution --ball 9,0,0,0.1 -o x.obj", "no facet");
    refuses("minkowski", "ring.obj high.obj --convolution --ball 9,0,0 -o x.obj", "--ball");
    refuses("minkowski", "ring.obj high.obj --ball 0,0,0,0.1 -o x.obj", "--convolution");
    refuses("minkowski", "ring.obj high.obj --convolution --grid 8 -o x.obj", "--grid");
    refuses("minkowski", "low.obj high.obj", "--output");
    refuses("minkowski", "low.obj high.obj -o low.obj", "low.obj");
    refuses("minkowski", "low.obj sphere:1 -o x.obj", "two mesh files");
    refuses("minkowski", "low.obj ring.obj --grid 2 -o x.obj", "--grid");
    tool_file(&tool, "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    refuses("minkowski", "low.obj open.obj -o x.obj", "closed mesh");
}

/* Names of kept bodies in the folder; the last one into `name`. */
static int kept_bodies(char *name, size_t room) {
    DIR *folder = opendir(tool.folder);
    struct dirent *entry;
    int count = 0;
    assert_non_null(folder);
    while ((entry = readdir(folder)))
        if (strstr(entry->d_name, ".soft")) {
            snprintf(name, room, "%s", entry->d_name);
            ++count;
        }
    closedir(folder);
    return count;
}

static void bodies_are_kept_beside_their_meshes(void **state) {
    (void)state;
    static const char question[] = "distance low.obj high.obj --pose-b 0,0,0.25 --direction soft --json --cache";
    char name[300], first[2000];
    make_boxes();
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", question), 0);
    snprintf(first, sizeof first, "%s", tool.out);
    assert_int_equal(kept_bodies(name, sizeof name), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", question), 0);
    assert_string_equal(tool.out, first);
    assert_int_equal(strlen(tool.err), 0);
    tool_file(&tool, name, "not a body");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", question), 0);
    assert_string_equal(tool.out, first);
    assert_true(has(tool.err, "made anew"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", question), 0); /* and was written again */
    assert_int_equal(strlen(tool.err), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s --tau 0.03", question), 0);
    assert_int_equal(kept_bodies(name, sizeof name), 4);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    make_boxes();
    tool_file(&tool, "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    refuses("distance", "low.obj high.obj --direction sideways", "expected euclid, soft, phong, phong-track or kernel");
    refuses("distance", "low.obj high.obj --tau 0.1", "--direction soft");
    refuses("distance", "low.obj high.obj --cache", "--direction soft");
    refuses("distance", "low.obj high.obj --thesis-literal", "phong");
    refuses("distance", "low.obj high.obj --direction phong --tau 0.1", "--direction soft");
    refuses("distance", "low.obj open.obj --direction phong", "closed mesh");
    refuses("distance", "low.obj high.obj --direction kernel --adaptive", "--adaptive goes with --direction soft");
    refuses("distance", "low.obj high.obj --direction soft --within 0.1", "--within");
    refuses("distance", "low.obj high.obj --direction soft --tau 0", "--tau");
    refuses("distance", "low.obj high.obj --direction soft --tau 1e-5", "larger one");
    refuses("distance", "low.obj sphere:0.1 --direction soft", "two mesh files");
    refuses("distance", "low.obj open.obj --direction soft", "closed surface");
    refuses("distance", "low.obj high.obj --direction soft --pose-b 1e30,0,0", "too large");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_depth_stays),
        cmocka_unit_test(the_direction_is_from_a_to_b_in_the_world),
        cmocka_unit_test(paths_tell_the_largest_turn),
        cmocka_unit_test(phong_tells_its_status),
        cmocka_unit_test(kernels_are_for_convex_meshes),
        cmocka_unit_test(minkowski_writes_meshes),
        cmocka_unit_test(bodies_are_kept_beside_their_meshes),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
