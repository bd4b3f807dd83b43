/* SPDX-License-Identifier: Apache-2.0 */
/* io: every variant of OBJ, STL and PLY that is read, hand-written. */
#include "mesh_text.h"
#include "support/optional_data.h"

#include <dirent.h>

#define CORNERS "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

/* ---- OBJ --------------------------------------------------------------------------------------------------------- */

static void obj_corner_forms(void **state) {
    (void)state;
    AbutMeshFileInfo info;
    AbutMesh mesh =
        parse_good("# comment\nmtllib /etc/passwd\no thing\ng a b\nusemtl red\ns off\n" CORNERS
                   "vt 0 0\nvn 0 0 1\nf 1 2 3\nf 1/1 2/1 3/1\nf 1//1 3//1 4//1\nf 1/1/1 3/1/1 4/1/1\n"
                   "f -4 -3 -2\n\tf\t-1/-1\t-3//-1   -2/-1/-1  # end\nf 1/ 2/ 3/\nl 1 2\np 1\ncurv 0 1 1 2\n",
            "a.obj", &info);
    assert_string_equal(info.format, "obj");
    assert_int_equal(info.elements_ignored, 3);
    assert_int_equal(info.polygons_split, 0);
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.triangle_count, 7);
    triangle_is(&mesh, 0, 0, 1, 2);
    triangle_is(&mesh, 1, 0, 1, 2);
    triangle_is(&mesh, 2, 0, 2, 3);
    triangle_is(&mesh, 3, 0, 2, 3);
    triangle_is(&mesh, 4, 0, 1, 2);
    triangle_is(&mesh, 5, 3, 1, 2);
    abut_mesh_free(&mesh);
}

static void obj_numbers_keep_every_bit(void **state) {
    (void)state;
    AbutMesh mesh = parse_good("v 0.12345678901234567 -1.7976931348623157e308 5e-324\nv +1. .5 -0 1.0\n"
                               "v 1E2 1e-400 3 0.5 0.25 1\nf 1 2 3\n",
        "a.obj", NULL);
    assert_true(mesh.vertices[0].x == 0.12345678901234567 && mesh.vertices[0].y == -1.7976931348623157e308);
    assert_true(mesh.vertices[0].z == 5e-324 && mesh.vertices[1].y == 0.5 && signbit(mesh.vertices[1].z));
    assert_true(mesh.vertices[2].x == 100.0 && mesh.vertices[2].y == 0.0 && mesh.vertices[2].z == 3.0);
    abut_mesh_free(&mesh);
}

static void obj_lines_of_all_kinds(void **state) {
    (void)state;
    static const char *const texts[] = {"v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
        "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3", "v 0 0 \\\n0\nv 1 \\\r\n0 0\nv 0 1 0\nf 1 2 \\\n3",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\n# C:\\\nf 1 2 3 # x \\\n",
        "\n\n  v 0 0 0\n\n\tv 1 0 0  \nv 0 1 0\n\n   f 1 2 3  \n\n",
        "g a \\\nf 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3",
        "\xef\xbb\xbfsolid\nfacet outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet endsolid"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        AbutMesh mesh = parse_good(texts[i], i % 2 ? "noname" : "b.OBJ", NULL);
        assert_int_equal(mesh.vertex_count, 3);
        assert_int_equal(mesh.triangle_count, 1);
        assert_true(mesh.vertices[1].x == 1.0 && mesh.vertices[2].y == 1.0);
        triangle_is(&mesh, 0, 0, 1, 2);
        abut_mesh_free(&mesh);
    }
}

static void obj_lines_may_be_long(void **state) {
    (void)state;
    enum { SPACES = 200000 };
    char *text = malloc(SPACES + 200);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2");
    memset(text + n, ' ', SPACES);
    strcpy(text + n + SPACES, "3\n");
    AbutMesh mesh = parse_good(text, "a.obj", NULL);
    assert_int_equal(mesh.triangle_count, 1);
    abut_mesh_free(&mesh);
    free(text);
}

/* Twice the area of each triangle along z; all must be positive, and their sum is the polygon's. */
static double check_area(const AbutMesh *mesh, int expect_triangles) {
    assert_int_equal(mesh->triangle_count, expect_triangles);
    double sum = 0.0;
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *v = mesh->triangles[i].v;
        AbutVec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
        double area = abut_cross(abut_sub(b, a), abut_sub(c, a)).z;
        assert_true(area > 0.0);
        sum += area;
    }
    return sum / 2;
}

static void polygons_are_cut(void **state) {
    (void)state;
    AbutMeshFileInfo info;
    AbutMesh mesh = parse_good(CORNERS "f 1 2 3 4\n", "a.obj", &info);
    assert_int_equal(info.polygons_split, 1);
    CHECK_NEAR(check_area(&mesh, 2), 1.0, 0.0);
    triangle_is(&mesh, 0, 0, 1, 2);
    triangle_is(&mesh, 1, 0, 2, 3);
    abut_mesh_free(&mesh);
    /* bent ones along the shorter diagonal, where that is no matter of taste */
    mesh = parse_good("v 0 0 0\nv 1 0 0\nv 1 1 1\nv 0 1 0\nf 1 2 3 4\nf 2 3 4 1\n", "a.obj", NULL);
    triangle_is(&mesh, 0, 0, 1, 3);
    triangle_is(&mesh, 1, 1, 2, 3);
    triangle_is(&mesh, 2, 1, 2, 3);
    triangle_is(&mesh, 3, 1, 3, 0);
    abut_mesh_free(&mesh);
    /* an arrow head whose fan from its first corner would turn over */
    mesh = parse_good("v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\nf 3 4 1 2\n", "a.obj", NULL);
    CHECK_NEAR(check_area(&mesh, 2), 1.0, 1e-15);
    abut_mesh_free(&mesh);
    /* a corner in the middle of a side: no flat triangle comes out */
    mesh = parse_good("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4 5\n", "a.obj", NULL);
    CHECK_NEAR(check_area(&mesh, 3), 4.0, 0.0);
    abut_mesh_free(&mesh);
    /* a square ring joined by a bridge that is run both ways */
    mesh = parse_good("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 1 0\nv 1 3 0\nv 3 3 0\nv 3 1 0\nf 1 2 3 4 1 5 6 7 8 5\n",
        "a.obj", NULL);
    CHECK_NEAR(check_area(&mesh, 8), 12.0, 1e-14);
    abut_mesh_free(&mesh);
}

/* Random star-shaped polygons, far from convex, at huge and tiny scale, tilted into any coordinate plane. */
static void concave_polygons_keep_their_area(void **state) {
    (void)state;
    AbutRng rng = abut_rng(21, 0);
    static char text[20000];
    int cases = check_cases(500);
    for (int i = 0; i < cases; ++i) {
        int n = 4 + (int)abut_rng_below(&rng, 40), axis = i % 3, turned = i & 1;
        double scale = pow(10.0, abut_rng_between(&rng, -150.0, 150.0)), area = 0.0, x[64], y[64];
        size_t at = 0;
        for (int k = 0; k < n; ++k) {
            double angle = (turned ? -2.0 : 2.0) * ABUT_PI * (k + abut_rng_between(&rng, 0.1, 0.9)) / n;
            double r = abut_rng_between(&rng, 0.1, 1.0);
            x[k] = r * cos(angle), y[k] = r * sin(angle);
            double p[3] = {0};
            p[(axis + 1) % 3] = scale * x[k], p[(axis + 2) % 3] = scale * y[k];
            at += (size_t)sprintf(text + at, "v %.17g %.17g %.17g\n", p[0], p[1], p[2]);
        }
        for (int k = 0; k < n; ++k) area += (x[k] * y[(k + 1) % n] - y[k] * x[(k + 1) % n]) / 2;
        text[at++] = 'f';
        for (int k = 1; k <= n; ++k) at += (size_t)sprintf(text + at, " %d", k);
        strcpy(text + at, "\n");
        AbutMesh mesh = parse_good(text, "a.obj", NULL);
        assert_int_equal(mesh.triangle_count, n - 2);
        double sum = 0.0;
        for (int t = 0; t < mesh.triangle_count; ++t) {
            const int32_t *v = mesh.triangles[t].v;
            double one = ((x[v[1]] - x[v[0]]) * (y[v[2]] - y[v[0]]) - (y[v[1]] - y[v[0]]) * (x[v[2]] - x[v[0]])) / 2;
            assert_true(turned ? one < 0.0 : one > 0.0);
            sum += one;
        }
        CHECK_NEAR(sum, area, 1e-12);
        abut_mesh_free(&mesh);
    }
}

static void crossed_and_flat_polygons_are_cut_too(void **state) {
    (void)state;
    static const char *const texts[] = {CORNERS "f 1 3 2 4\n", CORNERS "f 1 1 1 1 1\n", CORNERS "f 1 2 1 2 1 2\n",
        "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nf 1 2 3 4\n",
        "v 1e308 0 0\nv -1e308 1e308 0\nv -1e308 -1e308 1e308\nv 0 0 1e308\nf 1 2 3 4\n",
        "v 0 0 0\nv 5e-324 0 0\nv 5e-324 5e-324 0\nv 0 5e-324 0\nf 1 2 3 4\n"};
    static const int triangles[] = {2, 3, 4, 2, 2, 2};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        AbutMesh mesh = parse_good(texts[i], "a.obj", NULL);
        assert_int_equal(mesh.triangle_count, triangles[i]);
        abut_mesh_free(&mesh);
    }
}

/* ---- STL --------------------------------------------------------------------------------------------------------- */

static void stl_ascii_variants(void **state) {
    (void)state;
    AbutMeshFileInfo info;
    AbutMesh mesh =
        parse_good("solid first facet\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"
                   "   vertex 0 1e0 0\n  endloop\n endfacet\nendsolid first\n"
                   "SOLID\r\nFACET NORMAL nan nan nan OUTER LOOP VERTEX 1 0 0 VERTEX 1 1 0 VERTEX -0 1 0\r\n"
                   "ENDLOOP ENDFACET\r\nfacet outer loop vertex 5 5 5 vertex 6 5 5 vertex 5 6 5 endloop\nendfacet\n"
                   "facet normal outer loop vertex 5 5 5 vertex 6 5 5 vertex 5 6 5 endloop endfacet\n"
                   "EndSolid",
            "x.stl", &info);
    assert_string_equal(info.format, "stl-ascii");
    assert_int_equal(mesh.triangle_count, 4);
    assert_int_equal(mesh.vertex_count, 7);
    triangle_is(&mesh, 0, 0, 1, 2);
    triangle_is(&mesh, 1, 1, 3, 2);
    triangle_is(&mesh, 2, 4, 5, 6);
    abut_mesh_free(&mesh);
}

static void stl_binary_even_when_it_says_solid(void **state) {
    (void)state;
    static const char *const headers[] = {"solid made by a program", "", "COLOR=", "ply"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; ++i) {
        Bytes b = binary_stl(headers[i], 4);
        AbutMesh mesh;
        AbutMeshFileInfo info;
        assert_int_equal(parse_copy(b.data, b.count, i % 2 ? "x" : "x.stl", &mesh, &info, NULL), ABUT_OK);
        assert_string_equal(info.format, "stl-binary");
        assert_int_equal(mesh.vertex_count, 4);
        assert_int_equal(mesh.triangle_count, 4);
        triangle_is(&mesh, 0, 0, 1, 2);
        triangle_is(&mesh, 3, 1, 0, 3);
        assert_true(mesh.vertices[3].z == 1.0);
        abut_mesh_free(&mesh);
    }
}

/* ---- PLY --------------------------------------------------------------------------------------------------------- */

static void ply_ascii_with_everything(void **state) {
    (void)state;
    AbutMeshFileInfo info;
    AbutMesh mesh =
        parse_good("ply\nformat ascii 1.0\ncomment by hand\nobj_info x\nelement material 2\nproperty uchar r\n"
                   "property list uchar float shades\nelement vertex 4\nproperty float nx\nproperty double x\n"
                   "property list int int neighbors\nproperty float32 y\nproperty float64 z\n"
                   "element face 3\nproperty uchar flags\nproperty list uint8 int32 vertex_indices\n"
                   "property list uchar float texcoord\nelement edge 1\nproperty int a\nproperty int b\n"
                   "element nothing 4000000000\nend_header\n"
                   "7 2 0.5 nan\n8 0\nnan 0 2 1 2 0 0\n0 1 0 0 0\n0 1 1 9 1 0\n0 0 0 1 0.1\n"
                   "1 4 0 1 2 3 6 0 0 1 1 0 1\n2 3 2 1 0 0\n3 2 0 1 0\n0 1\n\n",
            "a.ply", &info);
    assert_string_equal(info.format, "ply");
    assert_int_equal(info.polygons_split, 1);
    assert_int_equal(info.elements_ignored, INT32_MAX);
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.triangle_count, 3);
    triangle_is(&mesh, 2, 2, 1, 0);
    assert_true(mesh.vertices[3].z == 0.1 && mesh.vertices[2].x == 1.0);
    abut_mesh_free(&mesh);
}

static Bytes binary_ply(int big) {
    Bytes b = {{0}, 0};
    add_text(&b, "ply\nformat ");
    add_text(&b, big ? "binary_big_endian" : "binary_little_endian");
    add_text(&b,
        " 1.0\nelement vertex 4\nproperty short tag\nproperty float x\nproperty double y\n"
        "property list ushort double extra\nproperty int z\nelement face 2\n"
        "property list uint ushort vertex_index\nproperty char c\nelement more 2\nproperty list uchar uchar bytes\n"
        "end_header\n");
    for (int i = 0; i < 4; ++i) {
        add_uint(&b, 65535, 2, big);
        add_float(&b, 0.5f * (float)(i % 2), big);
        add_double(&b, 0.1 * (i / 2), big);
        add_uint(&b, (uint64_t)i, 2, big);
        for (int k = 0; k < i; ++k) add_double(&b, NAN, big);
        add_uint(&b, (uint64_t)(int64_t)-i, 4, big);
    }
    static const uint16_t corners[] = {0, 1, 3, 2, 0, 3, 1};
    for (int face = 0, at = 0; face < 2; ++face) {
        int length = face == 0 ? 4 : 3;
        add_uint(&b, (uint64_t)length, 4, big);
        for (int k = 0; k < length; ++k) add_uint(&b, corners[at++], 2, big);
        add_uint(&b, 1, 1, big);
    }
    add_uint(&b, 0, 1, big);
    add_uint(&b, 5, 1, big);
    for (int k = 0; k < 5; ++k) add_uint(&b, 9, 1, big);
    return b;
}

static void ply_binary_both_ways_round(void **state) {
    (void)state;
    for (int big = 0; big < 2; ++big) {
        Bytes b = binary_ply(big);
        AbutMesh mesh;
        AbutMeshFileInfo info;
        AbutError error = {0};
        if (parse_copy(b.data, b.count, "a.ply", &mesh, &info, &error)) fail_msg("%s", error.text);
        assert_int_equal(mesh.vertex_count, 4);
        assert_int_equal(mesh.triangle_count, 3);
        assert_int_equal(info.elements_ignored, 2);
        for (int i = 0; i < 4; ++i)
            assert_true(
                mesh.vertices[i].x == 0.5 * (i % 2) && mesh.vertices[i].y == 0.1 * (i / 2) && mesh.vertices[i].z == -i);
        triangle_is(&mesh, 2, 0, 3, 1);
        abut_mesh_free(&mesh);
        for (size_t cut = 0; cut < b.count; ++cut)
            assert_int_not_equal(parse_copy(b.data, cut, "a.ply", &mesh, NULL, NULL), ABUT_OK);
        b.count += 1;
        assert_int_equal(parse_copy(b.data, b.count, "a.ply", &mesh, NULL, &error), ABUT_ERROR_FORMAT);
        char expected[80];
        snprintf(expected, sizeof expected, "a.ply: byte %zu: expected end of file, got 1 more bytes", b.count - 1);
        assert_string_equal(error.text, expected);
    }
}

static void ply_headers_of_all_line_ends(void **state) {
    (void)state;
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    static const char *const lines[] = {"ply", "format ascii 1.0", "element vertex 3", "property float x",
        "property float y", "property float z", "element face 1", "property list uchar int vertex_indices",
        "end_header", "0 0 0", "1 0 0", "0 1 0", "3 0 1 2"};
    for (int e = 0; e < 3; ++e) {
        char text[500] = "";
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) strcat(strcat(text, lines[i]), ends[e]);
        AbutMesh mesh = parse_good(text, "noname", NULL);
        triangle_is(&mesh, 0, 0, 1, 2);
        abut_mesh_free(&mesh);
    }
}

/* ---- files that do not belong to the project --------------------------------------------------------------------- */

static int read_folder(const char *folder) {
    DIR *listing = opendir(folder);
    int read = 0;
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        char path[4096];
        size_t n = strlen(entry->d_name);
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        AbutMesh mesh;
        AbutError error = {0};
        if (n > 4 && (strcmp(entry->d_name + n - 4, ".stl") == 0 || strcmp(entry->d_name + n - 4, ".STL") == 0)) {
            if (abut_mesh_read(path, NULL, 0, &mesh, NULL, &error)) fail_msg("%s", error.text);
            assert_true(mesh.vertex_count < 3 * mesh.triangle_count);
            abut_mesh_free(&mesh);
            ++read;
        } else {
            read += read_folder(path);
        }
    }
    if (listing) closedir(listing);
    return read;
}

static void robots_are_read(void **state) {
    (void)state;
    const char *folder = optional_data("robots");
    if (!folder) skip();
    char copy[4096];
    snprintf(copy, sizeof copy, "%s", folder);
    int read = read_folder(copy);
    print_message("%d STL files of robots read\n", read);
    assert_true(read > 0);
}

/* A bent quadrilateral is cut along its shorter diagonal, convex or not; of equal ones along the second, as MuJoCo. */
static void bent_quads(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int32_t cut[2][3];
    } cases[] = {{"v 0 0 0\nv 1 0 0.1\nv 1 1 0\nv 0 1 0.1\nf 1 2 3 4\n", {{0, 1, 3}, {1, 2, 3}}},
        {"v 0 0 0\nv 1 0 0.2\nv 0.9 0.9 0\nv 0 1 0.2\nf 1 2 3 4\n", {{0, 1, 2}, {0, 2, 3}}},
        {"v 0 0 0\nv 2 0 0.1\nv 0.3 0.3 0\nv 0 2 0.1\nf 1 2 3 4\n", {{0, 1, 2}, {0, 2, 3}}},
        {"v 0 0 0\nv 1 0.9 0.1\nv 4 0 0\nv 1 1.5 -0.1\nf 1 2 3 4\n", {{0, 1, 3}, {1, 2, 3}}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        AbutMesh mesh;
        AbutError error;
        good(abut_mesh_read("q.obj", cases[i].text, strlen(cases[i].text), &mesh, NULL, &error), &error);
        assert_int_equal(mesh.triangle_count, 2);
        assert_memory_equal(mesh.triangles, cases[i].cut, sizeof cases[i].cut);
        abut_mesh_free(&mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bent_quads),
        cmocka_unit_test(obj_corner_forms),
        cmocka_unit_test(obj_numbers_keep_every_bit),
        cmocka_unit_test(obj_lines_of_all_kinds),
        cmocka_unit_test(obj_lines_may_be_long),
        cmocka_unit_test(polygons_are_cut),
        cmocka_unit_test(concave_polygons_keep_their_area),
        cmocka_unit_test(crossed_and_flat_polygons_are_cut_too),
        cmocka_unit_test(stl_ascii_variants),
        cmocka_unit_test(stl_binary_even_when_it_says_solid),
        cmocka_unit_test(ply_ascii_with_everything),
        cmocka_unit_test(ply_binary_both_ways_round),
        cmocka_unit_test(ply_headers_of_all_line_ends),
        cmocka_unit_test(robots_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
