/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes out and in again, bit for bit; files appear whole or not at all. */
#include "mesh_text.h"
#include "support/tool.h"

#include <dirent.h>
#include <float.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static Tool tool;

static const char *path_of(const char *name) { return tool_path(&tool, name); }

static int make_folder(void **state) {
    (void)state;
    tool = tool_open();
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    tool_close(&tool);
    return 0;
}

static int files_in_folder(void) {
    DIR *listing = opendir(tool.folder);
    assert_non_null(listing);
    int count = 0;
    while (readdir(listing)) ++count;
    closedir(listing);
    return count - 2;
}

/* Vertices of all magnitudes in their order of first use, so that welding keeps the numbering. */
static AbutMesh random_mesh(AbutRng *rng, int triangles, int as_float) {
    AbutMesh mesh;
    assert_int_equal(abut_mesh_create(3 * triangles, triangles, &mesh, NULL), ABUT_OK);
    for (int i = 0; i < mesh.vertex_count; ++i) {
        double scale = pow(10.0, abut_rng_between(rng, -30.0, 30.0)), x[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = abut_rng_normal(rng) * scale;
            if (as_float) x[k] = (double)(float)x[k];
        }
        mesh.vertices[i] = abut_vec3(x[0], x[1], x[2]);
        mesh.triangles[i / 3].v[i % 3] = i;
    }
    /* share some: the last triangle reuses the first corners */
    mesh.triangles[triangles - 1] = (AbutTriangle){{2, 1, 0}};
    mesh.vertex_count -= 3;
    return mesh;
}

static void round_trip(const char *name, int as_float, const char *format) {
    AbutRng rng = abut_rng(31, strlen(format));
    int cases = check_cases(50);
    for (int i = 0; i < cases; ++i) {
        AbutMesh mesh = random_mesh(&rng, 2 + (int)abut_rng_below(&rng, 60), as_float), back;
        AbutError error = {0};
        AbutMeshFileInfo info;
        if (abut_mesh_write(path_of(name), &mesh, &error) ||
            abut_mesh_read(path_of(name), NULL, 0, &back, &info, &error))
            fail_msg("%s", error.text);
        assert_string_equal(info.format, format);
        same_mesh(&mesh, &back);
        abut_mesh_free(&mesh);
        abut_mesh_free(&back);
        assert_int_equal(files_in_folder(), 1);
    }
    unlink(path_of(name));
}

static void obj_comes_back(void **state) {
    (void)state;
    round_trip("m.obj", 0, "obj");
    round_trip("M.OBJ", 0, "obj");
}

static void stl_ascii_comes_back(void **state) {
    (void)state;
    round_trip("m.stla", 0, "stl-ascii");
}

static void stl_binary_comes_back(void **state) {
    (void)state;
    round_trip("m.stl", 1, "stl-binary");
}

static AbutMesh extreme_mesh(AbutVec3 *vertices, AbutTriangle *triangle) {
    vertices[0] = abut_vec3(DBL_MAX, -DBL_MAX, 5e-324);
    vertices[1] = abut_vec3(-0.0, 0.0, DBL_MIN);
    vertices[2] = abut_vec3(1.0 / 3.0, -5e-324, 0.1);
    *triangle = (AbutTriangle){{0, 1, 2}};
    AbutMesh mesh = {3, 1, vertices, triangle};
    return mesh;
}

static void extremes_come_back(void **state) {
    (void)state;
    AbutVec3 vertices[3];
    AbutTriangle triangle;
    AbutMesh mesh = extreme_mesh(vertices, &triangle), back;
    static const char *const names[] = {"e.obj", "e.stla"};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(abut_mesh_write(path_of(names[i]), &mesh, NULL), ABUT_OK);
        assert_int_equal(abut_mesh_read(path_of(names[i]), NULL, 0, &back, NULL, NULL), ABUT_OK);
        same_mesh(&mesh, &back);
        abut_mesh_free(&back);
        unlink(path_of(names[i]));
    }
    AbutError error;
    assert_int_equal(abut_mesh_write(path_of("e.stl"), &mesh, &error), ABUT_ERROR_NUMBER);
    assert_non_null(strstr(error.text, "/e.stl: expected vertex 0 finite and at most 3.40282e+38, got (1.79769e+308"));
    assert_int_equal(files_in_folder(), 0);
}

static void normals_are_written(void **state) {
    (void)state;
    AbutVec3 vertices[3] = {{0, 0, 0}, {1e-200, 0, 0}, {0, 1e-200, 0}};
    AbutTriangle triangles[2] = {{{0, 1, 2}}, {{0, 0, 1}}};
    AbutMesh mesh = {3, 2, vertices, triangles};
    assert_int_equal(abut_mesh_write(path_of("n.stla"), &mesh, NULL), ABUT_OK);
    FILE *file = fopen(path_of("n.stla"), "r");
    assert_non_null(file);
    char text[500] = "";
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    unlink(path_of("n.stla"));
    assert_string_equal(text, "solid abut\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1e-200 0 0\n"
                              "vertex 0 1e-200 0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\n"
                              "vertex 0 0 0\nvertex 1e-200 0 0\nendloop\nendfacet\nendsolid abut\n");
}

static void bad_calls_are_refused(void **state) {
    (void)state;
    AbutVec3 vertices[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    AbutTriangle triangle = {{0, 1, 2}};
    AbutMesh mesh = {3, 1, vertices, &triangle}, empty = {0, 0, NULL, NULL};
    AbutError error;
    assert_int_equal(abut_mesh_write(path_of("a.xyz"), &mesh, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "/a.xyz: expected name ending with .obj, .stl or .stla"));
    assert_int_equal(abut_mesh_write("", &mesh, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_write(path_of("a.obj"), &empty, &error), ABUT_ERROR_EMPTY);
    triangle.v[1] = 3;
    assert_int_equal(abut_mesh_write(path_of("a.obj"), &mesh, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, ": expected vertex index below 3 in triangle 0, got 3"));
    triangle.v[1] = 1;
    vertices[2].y = NAN;
    assert_int_equal(abut_mesh_write(path_of("a.obj"), &mesh, &error), ABUT_ERROR_NUMBER);
    vertices[2].y = 1.0;
    assert_int_equal(abut_mesh_write(path_of("no/such/a.obj"), &mesh, &error), ABUT_ERROR_FILE);
    assert_non_null(strstr(error.text, "/no/such/a.obj: cannot be written: No such file"));
    assert_int_equal(files_in_folder(), 0);
}

/* A limit on the size of files stands for a full disk: the old file stays, and no part is left behind. */
static void full_disk_leaves_the_old_file(void **state) {
    (void)state;
    AbutRng rng = abut_rng(33, 0);
    AbutMesh small = random_mesh(&rng, 3, 0), large = random_mesh(&rng, 3000, 0), back;
    assert_int_equal(abut_mesh_write(path_of("d.obj"), &small, NULL), ABUT_OK);
    struct rlimit before, tight;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = before;
    tight.rlim_cur = 20000;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    AbutError error = {0};
    AbutStatus status = abut_mesh_write(path_of("d.obj"), &large, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, old);
    assert_int_equal(status, ABUT_ERROR_FILE);
    assert_non_null(strstr(error.text, "/d.obj: cannot be written: "));
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(abut_mesh_read(path_of("d.obj"), NULL, 0, &back, NULL, NULL), ABUT_OK);
    same_mesh(&small, &back);
    abut_mesh_free(&small);
    abut_mesh_free(&large);
    abut_mesh_free(&back);
    unlink(path_of("d.obj"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_comes_back),
        cmocka_unit_test(stl_ascii_comes_back),
        cmocka_unit_test(stl_binary_comes_back),
        cmocka_unit_test(extremes_come_back),
        cmocka_unit_test(normals_are_written),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(full_disk_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
