/* SPDX-License-Identifier: Apache-2.0 */
/* abut distance: boxes with known answers in the world frame, convex and other meshes, --convex, exit status, bad
 * input. */
#include "support/cli.h"

#include <string.h>

/* Every answer: the six keys, a unit normal, and witness points that differ by distance * normal. */
static void check_json(const char *outcome, double distance, AbutVec3 normal) {
    static const char *const keys[] = {"outcome", "distance", "normal", "point_a", "point_b", "iterations"};
    char text[40];
    assert_true(json_valid(tool.out));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) assert_non_null(json_at(tool.out, keys[i]));
    snprintf(text, sizeof text, "\"%s\"", outcome);
    assert_true(json_is(tool.out, "outcome", text));
    CHECK_NEAR(json_number(tool.out, "distance"), distance, 1e-12);
    CHECK_VEC_NEAR(json_vec3("normal"), normal, 1e-12);
    CHECK_VEC_NEAR(abut_sub(json_vec3("point_b"), json_vec3("point_a")), abut_scale(normal, distance), 1e-12);
    CHECK(json_number(tool.out, "iterations") >= 1);
}

static void boxes_in_the_world(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-a 5,0,0 --pose-b 5,1.25,0 --json"), 0);
    check_json("separated", 0.25, abut_axis(1));
    CHECK_NEAR(json_number(tool.out, "point_a.1"), 0.5, 1e-12);
    CHECK_NEAR(json_number(tool.out, "point_b.1"), 0.75, 1e-12);
    CHECK(fabs(json_number(tool.out, "point_a.0") - 5) <= 0.5);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-b 0.1,0.2,-0.9 --json"), 0);
    check_json("penetrating", -0.1, abut_neg(abut_axis(2)));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-a 0,0,3 --pose-b 1,0.25,3 --json"), 0);
    check_json("touching", 0, abut_axis(0));
    /* A turned by 90 degrees about z: the normal and the points follow into the world */
    assert_int_equal(tool_run(&tool, ABUT_CLI,
                         "distance box.obj box.obj --pose-a 1,2,3,0.70710678118654757,0,0,0.70710678118654757 "
                         "--pose-b 3,2.25,3,1,0,0,0 --json"),
        0);
    check_json("separated", 1, abut_axis(0));
    CHECK_NEAR(json_number(tool.out, "point_a.0"), 1.5, 1e-12);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-b 0,0,2"), 0);
    assert_non_null(strstr(tool.out, "separated"));
    assert_non_null(strstr(tool.out, "distance     1 m"));
}

/* Convex meshes of every kind have a signed distance without --convex, others the distance of their surfaces. */
static void convex_and_other_meshes(void **state) {
    (void)state;
    static const char *const convex[] = {"sphere", "box --triangles 3000", "cylinder", "cone", "capsule"};
    static const char *const other[] = {"torus", "cup", "knot", "fish"};
    for (size_t i = 0; i < sizeof convex / sizeof convex[0]; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "make %s -o m.obj", convex[i]), 0);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance m.obj m.obj --pose-b 2,0,0 --json"), 0);
        double distance = json_number(tool.out, "distance");
        CHECK(distance > 1 && distance < 2);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance m.obj m.obj --pose-b 2,0,0 --convex --json"), 0);
        CHECK_NEAR(json_number(tool.out, "distance"), distance, 1e-12);
    }
    for (size_t i = 0; i < sizeof other / sizeof other[0]; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "make %s -o m.obj", other[i]), 0);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance m.obj m.obj --pose-b 2,0,0 --json"), 0);
        double distance = json_number(tool.out, "distance");
        check_json("separated", distance, json_vec3("normal"));
        assert_true(json_is(tool.out, "kind", "\"exact\"") && json_is(tool.out, "outcome", "\"separated\""));
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance m.obj m.obj --pose-b 2,0,0 --convex --json"), 0);
        CHECK(json_number(tool.out, "distance") > 0.5 && json_number(tool.out, "distance") <= distance + 1e-12);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance m.obj m.obj --pose-b 0.01,0,0 --json"), 0);
        assert_true(json_is(tool.out, "outcome", "\"penetrating\"") && json_number(tool.out, "distance") < 0);
        assert_true(json_is(tool.out, "kind", "\"sweep\"") && json_is(tool.out, "certified", "false"));
        assert_true(json_is(tool.out, "verified_free", "true"));
        check_json("penetrating", json_number(tool.out, "distance"), json_vec3("normal"));
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance m.obj m.obj --pose-b 0.01,0,0 --depth none --json"), 0);
        assert_true(json_is(tool.out, "kind", "\"surface\"") && json_number(tool.out, "distance") == 0);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance m.obj m.obj --pose-b 0.01,0,0 --depth none"), 0);
        assert_non_null(strstr(tool.out, "no depth"));
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance m.obj m.obj --pose-b 2,0,0 --within 0.1"), 0);
        assert_non_null(strstr(tool.out, "farther\n  distance     more than 0.1 m\n  iterations"));
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance m.obj m.obj --pose-b 2,0,0 --within 0.1 --json"), 0);
        assert_true(json_is(tool.out, "distance", "null") && json_number(tool.out, "farther_than") == 0.1);
        assert_true(json_is(tool.out, "surface_distance", "null") && json_is(tool.out, "certified", "true"));
    }
    tool_file(&tool, "far.csv", "0,2,0,0,1,0,0,0\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance m.obj m.obj --path far.csv --within 0.1"), 0);
    assert_non_null(strstr(tool.out, "\n0,farther,nan,nan,nan,nan,"));
}

/* A pyramid over a square with its base pulled in by `dent`, without its last triangle, or inside out. */
static void write_pyramid(double dent, int triangles, int inside_out) {
    static const int corner[][3] = {
        {0, 1, 5}, {1, 2, 5}, {2, 3, 5}, {3, 0, 5}, {1, 0, 4}, {2, 1, 4}, {3, 2, 4}, {0, 3, 4}};
    char text[600];
    int n = snprintf(text, sizeof text, "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 0 %.17g\nv 0 0 1\n", dent);
    for (int i = 0; i < triangles; ++i)
        n += snprintf(text + n, sizeof text - (size_t)n, "f %d %d %d\n", 1 + corner[i][0],
            1 + corner[i][inside_out ? 2 : 1], 1 + corner[i][inside_out ? 1 : 2]);
    tool_file(&tool, "pyramid.obj", text);
}

/* What is not the surface of its hull is taken as a mesh. */
static void faults_make_a_mesh(void **state) {
    (void)state;
    static const struct {
        double dent;
        int triangles, inside_out, is_mesh;
    } cases[] = {{0, 8, 0, 0}, {1e-6, 8, 0, 1}, {0.1, 8, 0, 1}, {0, 7, 0, 1}, {0, 8, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        write_pyramid(cases[i].dent, cases[i].triangles, cases[i].inside_out);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance pyramid.obj pyramid.obj --pose-b 0,0,-2 --json"), 0);
        assert_int_equal(json_at(tool.out, "surface_distance") != NULL, cases[i].is_mesh);
        double distance = json_number(tool.out, "distance"); /* of the base, which the dent takes away, over the apex */
        CHECK(distance >= 1 - 1e-12 && distance <= 1 + 1e-12 + cases[i].dent);
    }
    tool_file(&tool, "flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance flat.obj flat.obj --pose-b 0,0,0.25 --json"), 0);
    check_json("separated", 0.25, abut_axis(2));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance flat.obj flat.obj --pose-b 0,0,0.5 --convex --json"), 0);
    check_json("separated", 0.5, abut_axis(2));
}

static void paths_give_rows(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus -o ring.obj"), 0);
    tool_file(&tool, "path.csv", "0,3,0,0,1,0,0,0\n0.5,2,0,0,1,0,0,0\n1,0.5,0,0,1,0,0,0\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --path path.csv"), 0);
    assert_int_equal(lines_of(tool.out), 4);
    assert_true(has(tool.out, "0.5,separated,1,1,0,0,0.5,"));
    assert_true(has(tool.out, "1,penetrating,-0.5,"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj ring.obj --path path.csv"), 0);
    assert_true(has(tool.out, "0,separated,2.1") && has(tool.out, "1,penetrating,-0."));
    refuses("distance", "box.obj ring.obj --path path.csv --json", "--path");
    refuses("distance", "box.obj ring.obj --within -1", "--within");
    refuses("distance", "box.obj ring.obj --path path.csv --html path.csv", "path.csv");
    tool_file(&tool, "back.csv", "1,3,0,0,1,0,0,0\n0.5,2,0,0,1,0,0,0\n");
    refuses("distance", "box.obj ring.obj --path back.csv --html page.html", "pose 2: --html shows times that grow");
}

/* Animations: column by column, and meshes with the centroid of their volume at the origin. */
static void animations_center_the_meshes(void **state) {
    (void)state;
    tool_file(&tool, "off.tri",
        "TRI\n8\n12\n7 0 0\n8 0 0\n7 1 0\n8 1 0\n7 0 1\n8 0 1\n7 1 1\n8 1 1\n"
        "0 2 1\n1 2 3\n4 5 6\n5 7 6\n0 1 4\n1 5 4\n2 6 3\n3 6 7\n0 4 2\n2 4 6\n1 3 5\n3 7 5\n");
    tool_file(&tool, "b.ani", "2f\n0f 1 0 0 0 1 0 0 0 1 3 0 0\n1f 0 1 0 -1 0 0 0 0 1 0 1.25 0\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus -o ring.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance off.tri off.tri --path b.ani"), 0);
    assert_true(has(tool.out, "0,separated,2,1,0,0,0.5,") && has(tool.out, "1,separated,0.25000000"));
    assert_non_null(strstr(tool.err, "b.ani is an animation: both meshes are moved"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "collide off.tri off.tri --path b.ani"), 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "toi off.tri off.tri --motion-b b.ani --json"), 0); /* turns */
    CHECK(json_number(tool.out, "t") > 0.6 && json_number(tool.out, "t") < 1);
    tool_file(&tool, "flat.obj", "v 4 0 0\nv 7 0 0\nv 4 3 0\nf 1 2 3\n"); /* from 1 left of its centroid to 2 right */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance flat.obj off.tri --path b.ani"), 0);
    assert_non_null(strstr(tool.out, "0,separated,0.70710678"));
    assert_non_null(
        strstr(tool.err, "flat.obj: no closed surface, so that it has no volume: the centroid of its surf"));
    assert_null(strstr(tool.err, "off.tri: no closed"));
    tool_file(&tool, "open.tri", /* the box without its side at x = 8: five squares, their centroid at 7.4 */
        "TRI\n8\n10\n7 0 0\n8 0 0\n7 1 0\n8 1 0\n7 0 1\n8 0 1\n7 1 1\n8 1 1\n"
        "0 2 1\n1 2 3\n4 5 6\n5 7 6\n0 1 4\n1 5 4\n2 6 3\n3 6 7\n0 4 2\n2 4 6\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance off.tri open.tri --path b.ani --depth none"), 0);
    assert_true(has(tool.out, "0,separated,2.1") || has(tool.out, "0,separated,2.0999999999"));
    assert_non_null(strstr(tool.err, "open.tri: no closed surface"));
    tool_file(&tool, "none.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance none.obj off.tri --path b.ani"), 2);
    assert_non_null(strstr(tool.err, "none.obj: expected a mesh with an area"));
}

/* What ends a search early is told: outcome, exit status, and a gap that holds the whole answer. */
static void limits_are_told(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make capsule --triangles 2000 -o s.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance s.obj s.obj --pose-b 3,2,1,0.5,-0.5,0.1,0.7 --json"), 0);
    double whole = json_number(tool.out, "distance"), all = json_number(tool.out, "iterations");
    CHECK(json_number(tool.out, "gap") <= 1e-12);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "distance s.obj s.obj --pose-b 3,2,1,0.5,-0.5,0.1,0.7 --within 0.5 --json"), 0);
    assert_true(json_is(tool.out, "outcome", "\"farther\""));
    double gap = json_number(tool.out, "gap");
    CHECK_NEAR(json_number(tool.out, "distance"), whole, gap + 1e-12);
    CHECK(json_number(tool.out, "distance") - gap > 0.5 && json_number(tool.out, "iterations") < all);
    CHECK(json_number(tool.out, "farther_than") == 0.5);
    assert_int_equal(
        tool_run(&tool, ABUT_CLI, "distance s.obj s.obj --pose-b 3,2,1,0.5,-0.5,0.1,0.7 --within 100 --json"), 0);
    assert_true(json_is(tool.out, "outcome", "\"separated\"") && json_number(tool.out, "distance") == whole);
    for (int inside = 0; inside < 2; ++inside) {
        const char *at = inside ? "0.3,0.2,0.1" : "3,2,1,0.5,-0.5,0.1,0.7";
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance s.obj s.obj --pose-b %s --json", at), 0);
        whole = json_number(tool.out, "distance");
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance s.obj s.obj --pose-b %s --max-supports 2 --json", at), 3);
        assert_true(json_is(tool.out, "outcome", "\"not converged\"") && json_is(tool.out, "certified", "false"));
        CHECK_NEAR(json_number(tool.out, "distance"), whole, json_number(tool.out, "gap") + 1e-12);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance s.obj s.obj --pose-b %s --max-supports 2", at), 3);
        assert_true(has(tool.out, "ended early"));
    }
    refuses("distance", "s.obj s.obj --max-supports 0", "--max-supports");
    tool_run(&tool, ABUT_CLI, "make torus -o ring.obj");
    refuses("distance", "s.obj ring.obj --max-supports 5", "--max-supports");
}

/* Boxes whose depth is known, as convex bodies and as meshes, by every method and along directions. */
static void depths_have_methods(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus -o ring.obj"), 0);
    static const char *const method[] = {"sweep", "classic"};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(
            tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-b 0.75,0.1,0 --depth %s --json", method[i]), 0);
        assert_true(json_valid(tool.out) && has(json_at(tool.out, "kind"), method[i]));
        CHECK_NEAR(json_number(tool.out, "distance"), -0.25, 1e-8);
        CHECK_VEC_NEAR(json_vec3("normal"), abut_axis(0), 1e-6);
        assert_true(json_is(tool.out, "verified_free", "true"));
    }
    assert_int_equal(
        tool_run(&tool, ABUT_CLI,
            "distance box.obj box.obj --pose-a 5,0,0,0.5,0.5,0.5,0.5 --pose-b 5.75,0.1,0 --along 0,2,0 --json"),
        0);
    CHECK_NEAR(json_number(tool.out, "distance"), -0.9, 1e-8);
    CHECK_VEC_NEAR(json_vec3("normal"), abut_axis(1), 1e-9);
    tool_file(&tool, "open.obj", "v -2 -2 -2\nv 4 -1 -1\nv -1 4 -1\nv -1 -1 4\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance open.obj box.obj --pose-b -2,-2,-2 --json"), 0);
    assert_true(json_is(tool.out, "kind", "\"surface\"") && json_number(tool.out, "distance") < 0);
    refuses("distance", "box.obj ring.obj --depth deep", "--depth");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-b 9,0,0 --along 0,1,0"), 0);
    assert_non_null(strstr(tool.out, "--along is for meshes that overlap"));
    refuses("distance", "box.obj ring.obj --along 0,0,0", "--along");
    refuses("distance", "box.obj ring.obj --along 1,0", "--along");
    refuses("distance", "box.obj ring.obj --along 1,0,0 --depth classic", "--along");
    refuses("distance", "box.obj ring.obj --convex --depth sweep", "--convex");
    refuses("distance", "sphere:1 sphere:1 --depth sweep", "a mesh file");
}

/* A ball of radius 0.1 in an L: out by 0.6, whichever comes first; along z by 0.6 or 3.6. A half-space: by 0.3. */
static void meshes_and_bodies_have_a_depth(void **state) {
    (void)state;
    static const char *const ball[] = {
        "ell.obj sphere:0.1 --pose-b 0.5,0.5,0.5", "sphere:0.1 ell.obj --pose-a 0.5,0.5,0.5"};
    tool_file(&tool, "ell.obj",
        "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nv 0 0 4\nv 2 0 4\nv 2 1 4\nv 1 1 4\nv 1 3 4\nv 0 3 4\n"
        "f 6 5 4\nf 6 4 1\nf 4 3 1\nf 3 2 1\nf 10 11 12\nf 7 10 12\nf 7 9 10\nf 7 8 9\n"
        "f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n");
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance %s --json", ball[i]), 0);
        assert_true(json_is(tool.out, "kind", "\"sweep\"") && json_is(tool.out, "verified_free", "true"));
        CHECK_NEAR(json_number(tool.out, "distance"), -0.6, 1e-6);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance %s --along 0,0,%d --json", ball[i], 2 * i - 1), 0);
        CHECK_NEAR(json_number(tool.out, "distance"), -0.6, 1e-6);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance %s --along 0,0,%d --json", ball[i], 1 - 2 * i), 0);
        CHECK_NEAR(json_number(tool.out, "distance"), -3.6, 1e-6);
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance %s --depth none --json", ball[i]), 0);
        assert_true(json_number(tool.out, "distance") == 0.0);
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance ell.obj half-space:0,0,1,0.3 --json"), 0);
    CHECK_NEAR(json_number(tool.out, "distance"), -0.3, 1e-6);
    CHECK_VEC_NEAR(json_vec3("normal"), abut_vec3(0, 0, -1), 1e-9);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance ell.obj half-space:0,0,1,0.3 --along 1,0,0"), 2);
    assert_non_null(strstr(tool.err, "no move parts"));
    refuses("distance", "ell.obj sphere:1 --depth classic", "two mesh files");
    refuses("distance", "ell.obj sphere:1 --depth decomposition", "two mesh files");
}

static void bad_input_is_named(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj box.obj box.obj"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj missing.obj"), 2);
    assert_non_null(strstr(tool.err, "missing.obj"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-b 1,2"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-b nan,0,0"), 2);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box.obj box.obj --pose-b 1e80,0,0"), 2);
    assert_non_null(strstr(tool.err, "too large"));
}

/* Bodies in words are exact, with themselves and with meshes; what is wrong with them is said. */
static void bodies_in_words(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        double distance;
    } cases[] = {{"cylinder:0.1,0.3", "box:0.2,0.2,0.2", 0.5}, {"cone:0.1,0.3", "sphere:0.25", 0.45},
        {"ellipsoid:0.1,0.2,0.3", "capsule:0.1,0.2", 0.4}, {"half-space:0,0,2,0", "cylinder:0.1,0.3", 0.7},
        {"plane:0,0,1,0", "cone:0.1,0.25", 0.75}, {"box:0.5,0.5,0.5", "box.obj", 0}};
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "distance %s %s --pose-b 0,0,1 --json", cases[i].a, cases[i].b), 0);
        CHECK_NEAR(json_number(tool.out, "distance"), cases[i].distance, 1e-12);
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance cone:1,1 cylinder:1,1 --pose-b 3,0,0 --html page.html"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance box:1,1,1 box:1,1,1 --pose-b 2,0,0"), 0);
    assert_true(has(tool.out, "distance     0 m"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus -o ring.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance ring.obj cylinder:0.1,0.25 --pose-b 0,0,3 --json"), 0);
    double above = json_number(tool.out, "distance"), height = json_number(tool.out, "point_b.2");
    CHECK_NEAR(height, 2.75, 1e-12);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance cylinder:0.1,0.25 ring.obj --pose-a 0,0,3 --json"), 0);
    CHECK_NEAR(json_number(tool.out, "distance"), above, 1e-12);
    CHECK_NEAR(json_number(tool.out, "point_a.2"), 2.75, 1e-12);
    CHECK(json_number(tool.out, "normal.2") < 0 && json_number(tool.out, "triangle_b") >= 0);
    tool_file(&tool, "planes.txt", "0 0 1 1\n");
    static const struct {
        const char *line, *message;
    } bad[] = {{"distance cylinder:1 sphere:1", "expected cylinder:RADIUS,HALF_HEIGHT"},
        {"distance sphere:-1 sphere:1", "all positive"}, {"distance sphre:1 sphere:1", "did you mean 'sphere'"},
        {"distance plane:0,0,0,1 sphere:1", "not zero"}, {"distance plane:0,0,1,0 plane:0,1,0,0", "no move parts"},
        {"distance half-space:0,0,1,0 half-space:0,0,1,1", "do not face each other"},
        {"distance ellipsoid:1,1,1e-7 sphere:1", "at least 1e-06 of the longest"},
        {"intersect sphere:1 box:1,1,1 --method lp", "bodies in words are for gjk"},
        {"intersect sphere:1 planes.txt", "go with meshes"},
        {"distance plane:0,0,1,0 sphere:1 --direction soft", "two mesh files"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", bad[i].line), 2);
        assert_true(has(tool.err, bad[i].message));
    }
}

/* abut intersect: a point of both bodies, or a plane between them. */
static void bodies_in_words_meet_or_not(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect cone:0.5,1 sphere:0.5 --pose-b 0,0,1.4 --json"), 0);
    assert_true(json_is(tool.out, "meets", "true"));
    AbutVec3 x = json_vec3("witness");
    CHECK(abut_point_distance(x, abut_vec3(0, 0, 1.4)) <= 0.5 + 1e-9 && x.z <= 1 + 1e-9);
    CHECK(hypot(x.x, x.y) <= 0.25 * (1 - x.z) + 1e-9);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect cylinder:0.5,1 plane:0,0,1,2 --json"), 1);
    assert_true(json_is(tool.out, "meets", "false"));
    CHECK_NEAR(json_number(tool.out, "gap"), 1, 1e-12);
    CHECK_NEAR(json_number(tool.out, "plane.3"), 1.5, 1e-12);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect plane:0,0,1,1 half-space:1,1,0,-3"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,1,1 -o box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect box.obj ellipsoid:1,0.2,0.2 --pose-b 1.5,0,0"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "intersect box.obj ellipsoid:1,0.2,0.2 --pose-b 1.501,0,0"), 1);
}

static int page_shows_plate(void) {
    char *page = tool_text(&tool, "plate.html");
    int shows = page && strstr(page, "a plate of it is shown") != NULL;
    free(page);
    return shows;
}

/* What has no end is on a page as a plate, and the page says so. */
static void pages_of_endless_bodies(void **state) {
    (void)state;
    static const char *const lines[] = {"distance plane:0,0,1,0 sphere:0.5 --pose-b 0,0,2 --html plate.html",
        "distance cone:0.5,1 half-space:0,1,1,-3 --path two.csv --html plate.html",
        "distance half-space:0,0,1,0 half-space:0,0,-1,-2 --html plate.html",
        "distance torus.obj half-space:0,0,1,-2 --html plate.html",
        "volume box:1,1,1 half-space:0,0,1,0 --html plate.html",
        "clearance torus.obj half-space:0,0,1,-2 --motion-b two.csv --html plate.html"};
    tool_file(&tool, "two.csv", "0,0,0,0,1,0,0,0\n1,3,0,0,1,0,0,0\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make torus --triangles 200 -o torus.obj"), 0);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        remove(tool_path(&tool, "plate.html"));
        assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", lines[i]), 0);
        assert_true(page_shows_plate());
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "distance sphere:1 sphere:1 --html plate.html"), 0);
    assert_false(page_shows_plate());
}

/* A body with itself shares its volume, pieces or not; elsewhere the bounds hold it. */
static void volumes_by_pieces(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make cross --triangles 200 -o cross.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info cross.obj --json"), 0);
    double volume = json_number(tool.out, "volume");
    const char *same = "volume cross.obj cross.obj --pose-a 1,2,3 --pose-b 1,2,3 --pieces --json";
    assert_int_equal(tool_run(&tool, ABUT_CLI, "%s", same), 0);
    CHECK_NEAR(json_number(tool.out, "volume_low"), volume, 1e-15);
    CHECK_NEAR(json_number(tool.out, "volume_high"), volume, 1e-15);
    /* moved along a bar: 0.5 long and 0.1 thick, the others' ends stand out by 0.2 */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume cross.obj cross.obj --pose-b 0.1,0,0 --pieces --json"), 0);
    CHECK(json_number(tool.out, "volume_low") <= 0.004 && json_number(tool.out, "volume_high") >= 0.004);
    CHECK(json_number(tool.out, "volume_high") < 0.0042);
}

/* abut volume: bounds of round bodies hold the true volume; bodies with faces have one. */
static void volumes_of_bodies_in_words(void **state) {
    (void)state;
    double d = 1.2, lens = ABUT_PI * (4 + d) * (2 - d) * (2 - d) / 12;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume sphere:1 sphere:1 --pose-b 1.2,0,0 --json"), 0);
    CHECK(json_number(tool.out, "volume_low") < lens && json_number(tool.out, "volume_high") > lens);
    CHECK_NEAR(json_number(tool.out, "volume"), lens, 0.01 * lens);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume sphere:1 sphere:1 --pose-b 1.2,0,0 --directions 5000"), 0);
    assert_true(has(tool.out, "between"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume box:1,1,1 half-space:0,0,1,0 --json"), 0);
    CHECK_NEAR(json_number(tool.out, "volume"), 4, 1e-12);
    CHECK(json_number(tool.out, "volume_low") == json_number(tool.out, "volume_high"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume cone:1,1 cylinder:1,1 --html page.html -o both.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume sphere:1 sphere:1 --pose-b 2.5,0,0"), 1);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "volume sphere:1 sphere:1 --pose-b 1.999,0.01,0.05"), 3);
    assert_true(has(tool.err, "--directions"));
    refuses("volume", "plane:0,0,1,0 sphere:1", "no volume");
    refuses("volume", "half-space:0,0,1,0 half-space:0,1,0,0", "no finite volume");
    refuses("volume", "sphere:1 sphere:1 --directions 3", "--directions");
}

/* Text is for people: what is noise beside the bodies is 0, and there is no -0. JSON keeps what was computed. */
static void noise_is_not_printed(void **state) {
    (void)state;
    static const char *const lines[] = {
        "distance box:1,1,1 box:1,1,1 --pose-b rpy:1.5,0,0,0,0,0.7853981633974483",
        "distance cylinder:0.1,0.3 box:0.2,0.2,0.2 --pose-b rpy:0.5,0.1,0.1,0.3,0.4,0.2",
        "volume box:1,1,1 box:1,1,1 --pose-b rpy:0.2,0.1,0,0.3,0,0",
        "intersect box:1,1,1 box:1,1,1 --pose-b rpy:4,0,0,0,0,0.7853981633974483",
        "cast box:1,1,1 --ray -5,0,0,10,0,0 --pose-a rpy:0,0,0,0,0,0.3",
        "ik arm6 --frame tool --target 0.3,0.2,0.5",
        "robot arm6 --keyframe home",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        CHECK(tool_run(&tool, ABUT_CLI, "%s", lines[i]) <= 1);
        char *vectors = strstr(tool.out, "normal");
        for (const char *p = vectors ? vectors : tool.out; (p = strstr(p, "e-")) != NULL; p += 2)
            if (atoi(p + 2) > 12) fail_msg("%s:\n%s", lines[i], tool.out);
        assert_null(strstr(tool.out, " -0 "));
        assert_null(strstr(tool.out, " -0\n"));
    }
    CHECK(tool_run(&tool, ABUT_CLI, "%s --json", lines[0]) == 0);
    CHECK_NEAR(json_number(tool.out, "distance"), 0.5 - sqrt(2.0), 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_in_the_world),
        cmocka_unit_test(noise_is_not_printed),
        cmocka_unit_test(convex_and_other_meshes),
        cmocka_unit_test(faults_make_a_mesh),
        cmocka_unit_test(bodies_in_words),
        cmocka_unit_test(volumes_of_bodies_in_words),
        cmocka_unit_test(bodies_in_words_meet_or_not),
        cmocka_unit_test(pages_of_endless_bodies),
        cmocka_unit_test(volumes_by_pieces),
        cmocka_unit_test(paths_give_rows),
        cmocka_unit_test(depths_have_methods),
        cmocka_unit_test(meshes_and_bodies_have_a_depth),
        cmocka_unit_test(limits_are_told),
        cmocka_unit_test(animations_center_the_meshes),
        cmocka_unit_test(bad_input_is_named),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
