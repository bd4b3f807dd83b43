/* SPDX-License-Identifier: Apache-2.0 */
/* abut make and abut info against closed forms, and the warnings for meshes that are no solids. */
#include "support/cli.h"

#include <string.h>

/* Makes a shape, reads it back, and leaves the JSON of `abut info` in tool.out. */
static void make_and_measure(const char *shape_and_options, const char *file, const char *info_options) {
    if (tool_run(&tool, ABUT_CLI, "make %s -o %s", shape_and_options, file) != 0) print_error("%s", tool.err);
    assert_int_equal(tool.status, 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info --json %s %s", info_options, file), 0);
    assert_true(json_valid(tool.out));
}

static void keys_are_stable(void **state) {
    (void)state;
    static const char *const keys[] = {"file", "format", "vertices", "triangles", "closed", "oriented", "degenerate",
        "volume", "area", "centroid.2", "inertia.5", "min.2", "max.2", "warnings"};
    make_and_measure("torus", "torus.stl", "");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i)
        if (!json_at(tool.out, keys[i])) fail_msg("key %s is missing in %s", keys[i], tool.out);
    assert_int_equal(json_count(tool.out, "inertia"), 6);
    assert_int_equal(json_count(tool.out, "centroid"), 3);
    assert_int_equal(json_count(tool.out, "warnings"), 0);
    assert_true(json_is(tool.out, "format", "\"stl-binary\""));
    assert_string_equal(tool.err, "");
}

static void box_is_exact(void **state) {
    (void)state;
    const double a = 0.7, b = 1.1, c = 2.3, v = a * b * c;
    make_and_measure("box --size 0.7,1.1,2.3", "box.obj", "--hull");
    for (int hull = 0; hull < 2; ++hull) {
        const char *in = hull ? json_at(tool.out, "hull") : tool.out;
        char *text = strdup(in);
        if (hull) { /* cut the object out */
            char *end = strchr(text, '}');
            assert_non_null(end);
            end[1] = 0;
        }
        CHECK_NEAR(json_number(text, "volume"), v, 1e-12 * v);
        CHECK_NEAR(json_number(text, "area"), 2 * (a * b + b * c + c * a), 1e-11);
        CHECK_NEAR(json_number(text, "inertia.0"), v * (b * b + c * c) / 12, 1e-12);
        CHECK_NEAR(json_number(text, "inertia.1"), v * (a * a + c * c) / 12, 1e-12);
        CHECK_NEAR(json_number(text, "inertia.2"), v * (a * a + b * b) / 12, 1e-12);
        for (int i = 3; i < 6; ++i)
            CHECK_NEAR(json_number(text, i == 3 ? "inertia.3" : i == 4 ? "inertia.4" : "inertia.5"), 0, 1e-12);
        free(text);
    }
    CHECK_NEAR(json_number(tool.out, "max.0") - json_number(tool.out, "min.0"), a, 1e-15);
    CHECK_NEAR(json_number(tool.out, "hull.vertices"), 8, 0);
    CHECK_NEAR(json_number(tool.out, "hull.faces"), 6, 0);
}

/* xy, xz and yz have their own places: a tetrahedron with three different products. */
static void inertia_order(void **state) {
    (void)state;
    tool_file(&tool, "tet.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info --json tet.obj"), 0);
    const double v = 1.0; /* 1*2*3/6; second moments about the centroid: v/80 (3 s_i^2) and -v/80 s_i s_j */
    CHECK_NEAR(json_number(tool.out, "volume"), v, 1e-15);
    CHECK_NEAR(json_number(tool.out, "centroid.2"), 0.75, 1e-15);
    CHECK_NEAR(json_number(tool.out, "inertia.0"), v / 80 * 3 * (4 + 9), 1e-14);
    CHECK_NEAR(json_number(tool.out, "inertia.3"), v / 80 * 1 * 2, 1e-14);
    CHECK_NEAR(json_number(tool.out, "inertia.4"), v / 80 * 1 * 3, 1e-14);
    CHECK_NEAR(json_number(tool.out, "inertia.5"), v / 80 * 2 * 3, 1e-14);
}

/* Numbers that are none are refused with the name of the file. */
static void too_large_for_a_mass(void **state) {
    (void)state;
    tool_file(
        &tool, "huge.obj", "v 0 0 0\nv 1e300 0 0\nv 0 1e300 0\nv 0 0 1e300\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info huge.obj"), 2);
    assert_non_null(strstr(tool.err, "huge.obj: mesh: too large for its mass to be a number"));
}

/* Errors of an inscribed mesh fall like 1 / triangles: three refinements, each by four. */
static void converges(const char *shape, double volume, double area, double inertia_z) {
    double last[3] = {INFINITY, INFINITY, INFINITY};
    for (int triangles = 1000; triangles <= 64000; triangles *= 4) {
        char options[100];
        snprintf(options, sizeof options, "%s --triangles %d", shape, triangles);
        make_and_measure(options, "round.obj", "");
        assert_true(json_is(tool.out, "closed", "true") && json_is(tool.out, "oriented", "true"));
        CHECK_NEAR(json_number(tool.out, "triangles"), triangles, 0.25 * triangles);
        const double error[3] = {fabs(json_number(tool.out, "volume") - volume) / volume,
            fabs(json_number(tool.out, "area") - area) / area,
            fabs(json_number(tool.out, "inertia.2") - inertia_z) / inertia_z};
        for (int i = 0; i < 3; ++i) {
            CHECK(error[i] < 0.35 * last[i] || error[i] < 1e-12);
            last[i] = error[i];
        }
    }
    CHECK(last[0] < 1e-3 && last[1] < 1e-3 && last[2] < 1e-3);
}

static void sphere_and_torus_converge(void **state) {
    (void)state;
    double r = 0.25, v = 4.0 / 3.0 * ABUT_PI * r * r * r;
    converges("sphere --size 0.25", v, 4 * ABUT_PI * r * r, 0.4 * v * r * r);
    double ring = 0.3, tube = 0.1;
    v = 2 * ABUT_PI * ABUT_PI * ring * tube * tube;
    converges("torus --size 0.3,0.1", v, 4 * ABUT_PI * ABUT_PI * ring * tube, v * (ring * ring + 0.75 * tube * tube));
}

static void hull_and_capsule_contain(void **state) {
    (void)state;
    static const char *const shapes[] = {"torus", "cup", "finger", "fish", "knot", "cross"};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        make_and_measure(shapes[i], "s.stl", "--hull --capsule");
        double volume = json_number(tool.out, "volume");
        CHECK(volume > 0 && json_number(tool.out, "hull.volume") >= volume);
        CHECK(json_number(tool.out, "capsule.volume") >= json_number(tool.out, "hull.volume"));
        CHECK(json_number(tool.out, "capsule.radius") > 0);
        assert_int_equal(json_count(tool.out, "capsule.a"), 3);
        assert_int_equal(json_count(tool.out, "capsule.b"), 3);
        assert_int_equal(json_count(tool.out, "hull.inertia"), 6);
    }
}

/* Every shape of the list can be made, in every format that can be written, and comes back sound. */
static void every_shape_is_sound(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make --list --json"), 0);
    char *list = strdup(tool.out);
    int count = json_count(list, "");
    assert_true(count >= 9);
    static const char *const endings[] = {"obj", "stl", "stla"};
    for (int i = 0; i < count; ++i) {
        char path[20], name[40], options[100], file[20];
        snprintf(path, sizeof path, "%d.name", i);
        const char *at = json_at(list, path);
        assert_non_null(at);
        assert_int_equal(sscanf(at, "\"%39[^\"]\"", name), 1);
        snprintf(options, sizeof options, "%s --triangles 3000", name);
        snprintf(file, sizeof file, "m.%s", endings[i % 3]);
        make_and_measure(options, file, "");
        CHECK(json_is(tool.out, "closed", "true") && json_is(tool.out, "oriented", "true"));
        CHECK(json_number(tool.out, "degenerate") == 0 && json_number(tool.out, "volume") > 0);
    }
    free(list);
}

static void warns(const char *name, const char *text, const char *part) {
    tool_file(&tool, name, text);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info --json %s", name), 0);
    assert_true(json_valid(tool.out) && json_count(tool.out, "warnings") >= 1);
    if (!strstr(tool.err, name) || !strstr(tool.err, part) || !strstr(tool.err, "warning"))
        fail_msg("expected a warning about '%s' in: %s", part, tool.err);
}

static void warnings_are_precise(void **state) {
    (void)state;
    warns("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n", "3 edges with one triangle");
    warns("flipped.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", "not oriented");
    warns("inside-out.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n", "inside out");
    warns("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "1 of 1 triangles are degenerate");
    assert_true(json_is(tool.out, "closed", "false"));
    CHECK_NEAR(json_number(tool.out, "degenerate"), 1, 0);
    /* flat and thin sets still answer when hull and capsule are asked for */
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info --json --hull --capsule flat.obj"), 0);
    assert_true(json_valid(tool.out));
}

/* Names that JSON must escape, and names that look like options. */
/* Exact numbers of bodies in words, in closed form. */
static void bodies_in_words(void **state) {
    (void)state;
    static const struct {
        const char *words;
        double volume, area, centroid_z, inertia_z, top;
    } known[] = {{"sphere:0.5", ABUT_PI / 6, ABUT_PI, 0, ABUT_PI / 60, 0.5},
        {"cylinder:0.5,1", ABUT_PI / 2, 2.5 * ABUT_PI, 0, ABUT_PI / 16, 1},
        {"cone:0.6,0.4", 0.096 * ABUT_PI, 0.96 * ABUT_PI, -0.2, 0.096 * 0.108 * ABUT_PI, 0.4},
        {"box:1,2,3", 48, 88, 0, 80, 3}, {"ellipsoid:1,1,2", 8 * ABUT_PI / 3, 21.479, 0, 16 * ABUT_PI / 15, 2},
        {"capsule:0.5,1", ABUT_PI * 2 / 3, 3 * ABUT_PI, 0, ABUT_PI * (1.0 / 16 + 1.0 / 60), 1.5}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        assert_int_equal(tool_run(&tool, ABUT_CLI, "info %s --json", known[i].words), 0);
        assert_true(json_valid(tool.out) && json_is(tool.out, "format", "\"exact\""));
        CHECK_NEAR(json_number(tool.out, "volume"), known[i].volume, 1e-13);
        CHECK_NEAR(json_number(tool.out, "area"), known[i].area, 1e-3);
        CHECK_NEAR(json_number(tool.out, "centroid.2"), known[i].centroid_z, 1e-15);
        CHECK_NEAR(json_number(tool.out, "inertia.2"), known[i].inertia_z, 1e-13 * known[i].inertia_z);
        CHECK_NEAR(json_number(tool.out, "max.2"), known[i].top, 1e-15);
    }
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info sphere:1 cone:1,1"), 0);
    refuses("info", "plane:0,0,1,0", "no end");
    refuses("info", "sphere:1,2", "expected sphere:RADIUS");
}

static void odd_file_names(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box -o 'a \"b\" \\c\t.obj'"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info --json 'a \"b\" \\c\t.obj'"), 0);
    assert_true(json_is(tool.out, "file", "\"a \\\"b\\\" \\\\c\\t.obj\""));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --output=-box.obj"), 0);
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info --json -- -box.obj"), 0);
    assert_true(json_is(tool.out, "file", "\"-box.obj\""));
}

static void text_says_the_same(void **state) {
    (void)state;
    assert_int_equal(tool_run(&tool, ABUT_CLI, "make box --size 1,2,3 -o a.obj"), 0);
    assert_non_null(strstr(tool.out, "a.obj"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info --hull --capsule a.obj"), 0);
    assert_non_null(strstr(tool.out, "volume       6 m^3"));
    assert_non_null(strstr(tool.out, "area         22 m^2"));
    assert_non_null(strstr(tool.out, "convex hull"));
    assert_int_equal(tool_run(&tool, ABUT_CLI, "info a.obj a.obj"), 0);
    assert_int_equal(lines_of(tool.out), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_stable),
        cmocka_unit_test(box_is_exact),
        cmocka_unit_test(inertia_order),
        cmocka_unit_test(too_large_for_a_mass),
        cmocka_unit_test(sphere_and_torus_converge),
        cmocka_unit_test(hull_and_capsule_contain),
        cmocka_unit_test(every_shape_is_sound),
        cmocka_unit_test(warnings_are_precise),
        cmocka_unit_test(bodies_in_words),
        cmocka_unit_test(odd_file_names),
        cmocka_unit_test(text_says_the_same),
    };
    return cmocka_run_group_tests(tests, open_tool, close_tool);
}
