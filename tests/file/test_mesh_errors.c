/* SPDX-License-Identifier: Apache-2.0 */
/* io: what is wrong with a mesh file is told with its line or byte; hostile files are refused, never followed. */
#include "mesh_text.h"
#include "support/memory.h"
#include "support/tool.h"

#include <sys/stat.h>
#include <unistd.h>

#define OBJ3 "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define PLY3 "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define FACES "element face 1\nproperty list uchar int vertex_indices\nend_header\n"

typedef struct BadText {
    const char *text;
    AbutStatus status;
    const char *message; /* behind the name */
} BadText;

static void expect_all(const BadText *bad, size_t count, const char *name) {
    for (size_t i = 0; i < count; ++i) {
        char expected[500];
        snprintf(expected, sizeof expected, "%s%s", name, bad[i].message);
        text_bad(bad[i].text, name, bad[i].status, expected);
    }
}

static void obj_errors_name_the_line(void **state) {
    (void)state;
    static const BadText bad[] = {
        {"", ABUT_ERROR_FORMAT, ": expected mesh, got 0 bytes"},
        {"# only a comment\n", ABUT_ERROR_EMPTY, ": no triangles (0 vertices)"},
        {OBJ3, ABUT_ERROR_EMPTY, ": no triangles (3 vertices)"},
        {OBJ3 "f 1 2 4\n", ABUT_ERROR_FORMAT, ":4: expected vertex index from 1 to 3 (or negative as far), got '4'"},
        {OBJ3 "f 1 2 0\n", ABUT_ERROR_FORMAT, ":4: expected vertex index from 1 to 3 (or negative as far), got '0'"},
        {OBJ3 "f 1 2 -4\n", ABUT_ERROR_FORMAT, ":4: expected vertex index from 1 to 3 (or negative as far), got '-4'"},
        {OBJ3 "f 1 2 4294967297\n", ABUT_ERROR_FORMAT,
            ":4: expected vertex index from 1 to 3 (or negative as far), got '4294967297'"},
        {OBJ3 "f 1 2 99999999999999999999999\n", ABUT_ERROR_FORMAT,
            ":4: expected vertex index from 1 to 3 (or negative as far), got '99999999999999999999999'"},
        {"v 0 0 0\nf 1 2 3\nv 1 0 0\nv 0 1 0\n", ABUT_ERROR_FORMAT,
            ":2: expected vertex index from 1 to 1 (or negative as far), got '2'"},
        {OBJ3 "f 1 2 +07/1/2\n", ABUT_ERROR_FORMAT,
            ":4: expected vertex index from 1 to 3 (or negative as far), got '+07/1/2'"},
        {OBJ3 "f 1 2\n", ABUT_ERROR_FORMAT, ":4: expected at least 3 corners of a face, got 2"},
        {OBJ3 "f 1 2 \\\n", ABUT_ERROR_FORMAT, ":5: expected at least 3 corners of a face, got 2"},
        {OBJ3 "f 1 2 3/a\n", ABUT_ERROR_FORMAT, ":4: expected corner as v, v/vt, v//vn or v/vt/vn, got '3/a'"},
        {OBJ3 "f 1 2 3/1/1/1\n", ABUT_ERROR_FORMAT, ":4: expected corner as v, v/vt, v//vn or v/vt/vn, got '3/1/1/1'"},
        {OBJ3 "f 1 2 3.5\n", ABUT_ERROR_FORMAT, ":4: expected corner as v, v/vt, v//vn or v/vt/vn, got '3.5'"},
        {"\r\nv 1 2\r\n", ABUT_ERROR_FORMAT, ":2: expected z coordinate, got end of line"},
        {"v 1 2", ABUT_ERROR_FORMAT, ":1: expected z coordinate, got end of file"},
        {"v 1 nan 2\n", ABUT_ERROR_NUMBER, ":1: expected finite y coordinate, got 'nan'"},
        {"v 0 0 0\n\nv -INF 1 2\n", ABUT_ERROR_NUMBER, ":3: expected finite x coordinate, got '-INF'"},
        {"v 1 2 1e999\n", ABUT_ERROR_NUMBER, ":1: expected finite z coordinate, got '1e999'"},
        {"v 1 2 1.#QNAN\n", ABUT_ERROR_NUMBER, ":1: expected finite z coordinate, got '1.#QNAN'"},
        {"v 1 2 3x\n", ABUT_ERROR_FORMAT, ":1: expected z coordinate, got '3x'"},
        {"v 1 0x10 3\n", ABUT_ERROR_FORMAT, ":1: expected y coordinate, got '0x10'"},
        {"v 1 2,5 3\n", ABUT_ERROR_FORMAT, ":1: expected y coordinate, got '2,5'"},
        {"v 0 0 0\n<html>\n", ABUT_ERROR_FORMAT, ":2: expected OBJ statement (v, f, ...), got '<html>'"},
        {"<html>\n", ABUT_ERROR_FORMAT,
            ":1: expected a mesh (OBJ, STL, PLY, TRI, GLB or DAE), got a file of another kind"},
        {"\xff\xfe garbage", ABUT_ERROR_FORMAT,
            ":1: expected a mesh (OBJ, STL, PLY, TRI, GLB or DAE), got a file of another kind"},
    };
    expect_all(bad, sizeof bad / sizeof bad[0], "dir/a.obj");
}

static void stl_ascii_errors_name_the_line(void **state) {
    (void)state;
    static const BadText bad[] = {
        {"solid a\nendsolid a\n", ABUT_ERROR_EMPTY, ": no triangles (0 vertices)"},
        {"solid a\n", ABUT_ERROR_FORMAT, ":2: expected facet or endsolid, got end of file"},
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", ABUT_ERROR_FORMAT,
            ":5: expected z coordinate, got end of file"},
        {"solid a\nfacet normal 0 0 1\nouter\nvertex 0 0 0\n", ABUT_ERROR_FORMAT, ":4: expected loop, got 'vertex'"},
        {"solid a\nfacet\nouter loop\nvertex 0 0 0 vertex 1 0 0\nvertex inf 1 0\nendloop\nendfacet\nendsolid\n",
            ABUT_ERROR_NUMBER, ":5: expected finite x coordinate, got 'inf'"},
        {"solid a\nfacet\nouter loop\nvertex 0 0 0 vertex 1 0 0\nendloop\nendfacet\nendsolid\n", ABUT_ERROR_FORMAT,
            ":5: expected vertex, got 'endloop'"},
        {"solid a\nfacet\nouter loop\nvertex 0 0 0 vertex 1 0 0 vertex 1 1 0\nvertex 0 1 "
         "0\nendloop\nendfacet\nendsolid\n",
            ABUT_ERROR_FORMAT, ":5: expected endloop, got 'vertex'"},
        {"solid a\nendsolid\nnonsense", ABUT_ERROR_FORMAT, ":3: expected solid, got 'nonsense'"},
        {"hello", ABUT_ERROR_FORMAT, ":1: expected solid, got 'hello'"},
    };
    expect_all(bad, sizeof bad / sizeof bad[0], "a.STL");
}

static void ply_errors_name_the_line(void **state) {
    (void)state;
    static const BadText bad[] = {
        {"hello\n", ABUT_ERROR_FORMAT, ":1: expected ply, got 'hello'"},
        {"ply\nelement vertex 3\n", ABUT_ERROR_FORMAT, ":2: expected format, got 'element'"},
        {"ply\nformat ascii 2.0\n", ABUT_ERROR_FORMAT, ":2: expected PLY version 1.0, got '2.0'"},
        {"ply\nformat binary 1.0\n", ABUT_ERROR_FORMAT,
            ":2: expected ascii, binary_little_endian or binary_big_endian, got 'binary'"},
        {"ply\nformat ascii 1.0\nwhat\n", ABUT_ERROR_FORMAT,
            ":3: expected element, property or end_header, got 'what'"},
        {"ply\nformat ascii 1.0\nelement vertex\n", ABUT_ERROR_FORMAT,
            ":3: expected count of an element, got end of line"},
        {"ply\nformat ascii 1.0\nelement vertex -3\n", ABUT_ERROR_FORMAT, ":3: expected count of an element, got '-3'"},
        {"ply\nformat ascii 1.0\nproperty int x\n", ABUT_ERROR_FORMAT, ":3: expected element, got a property"},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty long x\n", ABUT_ERROR_FORMAT,
            ":4: expected type of a property, got 'long'"},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty list float int x\n", ABUT_ERROR_FORMAT,
            ":4: expected integer type, got 'float'"},
        {"ply\nformat ascii 1.0\nelement tristrips 3\n", ABUT_ERROR_UNSUPPORTED,
            ":3: expected faces, got triangle strips"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n", ABUT_ERROR_FORMAT,
            ":3: expected vertices with x, y and z"},
        {PLY3 "end_header\n0 0 0\n1 0 0\n0 1 0\n", ABUT_ERROR_EMPTY, ": no face element, so no triangles"},
        {PLY3 "element face 1\nproperty int a\nend_header\n", ABUT_ERROR_FORMAT,
            ":7: expected faces with a list vertex_indices"},
        {PLY3 "property float x\n", ABUT_ERROR_FORMAT, ":7: expected a property once in its element, got again"},
        {PLY3 "element vertex 1\n", ABUT_ERROR_FORMAT, ":7: expected one vertex and one face element, got 'vertex'"},
        {PLY3 FACES "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", ABUT_ERROR_FORMAT, ":13: expected vertex index below 3, got 3"},
        {PLY3 FACES "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", ABUT_ERROR_FORMAT, ":13: expected vertex index below 3, got -1"},
        {PLY3 FACES "0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n", ABUT_ERROR_FORMAT,
            ":13: expected vertex index below 3, got 1.5"},
        {PLY3 FACES "0 0 0\n1 0 0\n0 1 0\n4000000000 0 1 2\n", ABUT_ERROR_FORMAT,
            ":13: expected length of a list that fits the file, got 4000000000"},
        {PLY3 FACES "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", ABUT_ERROR_NUMBER,
            ":11: expected finite y coordinate, got 'nan'"},
        {PLY3 FACES "0 0 0\n1 0 0\n0 1 0\n3 0 1", ABUT_ERROR_FORMAT, ":13: expected vertex index, got end of file"},
        {PLY3 FACES "0 0 0\n1 0 0\n0 1 0\n3 0 1 2 8\n", ABUT_ERROR_FORMAT, ":13: expected end of file, got '8'"},
        {PLY3 FACES "0 0 0\n1 0 0\n0 1 0\n2 0 1\n", ABUT_ERROR_EMPTY, ": no triangles (3 vertices)"},
        {"ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float "
         "z\n" FACES,
            ABUT_ERROR_LIMIT, ":3: expected at most 100000000 rows, got 4000000000"},
        {"ply\nformat ascii 1.0\nelement vertex 90000000\nproperty float x\nproperty float y\nproperty float z\n" FACES
         "0",
            ABUT_ERROR_FORMAT, ":3: expected 90000000 rows of at least 6 bytes, got 1 bytes"},
        {"ply\nformat ascii 1.0\nelement thing 4000000000\nproperty list uchar uchar x\nelement vertex 0\nproperty "
         "float x\n"
         "property float y\nproperty float z\n" FACES "1",
            ABUT_ERROR_FORMAT, ":3: expected 4000000000 rows of at least 2 bytes, got 1 bytes"},
        {"ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n3 0 0 0\n",
            ABUT_ERROR_FORMAT, ":3: expected vertices in front of the faces"},
    };
    expect_all(bad, sizeof bad / sizeof bad[0], "a.ply");
}

static void stl_binary_errors_name_the_byte(void **state) {
    (void)state;
    Bytes b = binary_stl("", 4);
    parse_bad(b.data, b.count - 1, "a.stl", ABUT_ERROR_FORMAT,
        "a.stl: byte 80: expected a file of 284 bytes for 4 triangles, got 283 bytes");
    parse_bad(b.data, 50, "a.stl", ABUT_ERROR_FORMAT,
        "a.stl: byte 50: expected binary STL header of 84 bytes, got end of file");
    b.data[80] = b.data[81] = b.data[82] = b.data[83] = 255;
    parse_bad(b.data, b.count, "a.stl", ABUT_ERROR_FORMAT,
        "a.stl: byte 80: expected a file of 214748364834 bytes for 4294967295 triangles, got 284 bytes");
    b = binary_stl("solid and yet binary", 2);
    parse_bad(b.data, b.count - 50, "a.stl", ABUT_ERROR_FORMAT,
        "a.stl: byte 80: expected a file of 184 bytes for 2 triangles, got 134 bytes");
    b = binary_stl("", 0);
    parse_bad(b.data, b.count, "a.stl", ABUT_ERROR_EMPTY, "a.stl: no triangles");
    b = binary_stl("", 3);
    memcpy(b.data + 84 + 50 + 12 + 16, "\0\0\xc0\x7f", 4);
    parse_bad(b.data, b.count, "a.stl", ABUT_ERROR_NUMBER,
        "a.stl: byte 162: expected finite coordinate of triangle 1, got nan");
    memcpy(b.data + 84 + 50 + 12 + 16, "\0\0\x80\xff", 4);
    parse_bad(b.data, b.count, "a.stl", ABUT_ERROR_NUMBER,
        "a.stl: byte 162: expected finite coordinate of triangle 1, got infinity");
    parse_bad("\0\1\2\3", 4, "photo.png", ABUT_ERROR_FORMAT,
        "photo.png: expected mesh file (.obj, .stl, .stla, .ply, .tri, .glb or .dae), got something else");
}

static void ply_binary_errors_name_the_byte(void **state) {
    (void)state;
    Bytes b = {{0}, 0};
    add_text(&b, "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                 "property double z\nelement face 1\nproperty list uchar uint vertex_indices\nend_header\n");
    size_t body = b.count;
    for (int i = 0; i < 3; ++i) {
        add_float(&b, (float)i, 0), add_float(&b, 0, 0);
        add_double(&b, i * i, 0);
    }
    add_uint(&b, 3, 1, 0);
    add_uint(&b, 0, 4, 0), add_uint(&b, 1, 4, 0), add_uint(&b, 0xffffffffu, 4, 0);
    char expected[200];
    snprintf(expected, sizeof expected, "a: byte %zu: expected vertex index below 3, got 4294967295", body + 57);
    parse_bad(b.data, b.count, "a", ABUT_ERROR_FORMAT, expected);
    b.data[body + 57] = 2, b.data[body + 58] = b.data[body + 59] = b.data[body + 60] = 0;
    AbutMesh mesh;
    assert_int_equal(parse_copy(b.data, b.count, "a", &mesh, NULL, NULL), ABUT_OK);
    abut_mesh_free(&mesh);
    b.data[body + 48] = 200;
    snprintf(
        expected, sizeof expected, "a: byte %zu: expected length of a list that fits the file, got 200", body + 48);
    parse_bad(b.data, b.count, "a", ABUT_ERROR_FORMAT, expected);
    memcpy(b.data + body + 16 + 8, "\0\0\0\0\0\0\xf8\x7f", 8);
    snprintf(expected, sizeof expected, "a: byte %zu: expected finite z coordinate, got nan", body + 24);
    parse_bad(b.data, b.count, "a", ABUT_ERROR_NUMBER, expected);
    snprintf(expected, sizeof expected, "a:3: expected 3 rows of at least 16 bytes, got 40 bytes");
    parse_bad(b.data, body + 40, "a", ABUT_ERROR_FORMAT, expected);
}

static void every_truncation_is_survived(void **state) {
    (void)state;
    static const char obj[] = "v 0 0 0\nv 1e0 0.5 0\r\nv 0 1 \\\n0 # c\nv 1 1 1\nf 1/2/3 2//3 -1 4\nl 1 2\nf 1 2 3";
    static const char stl[] = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                              "endloop\nendfacet\nendsolid";
    static const char ply[] = PLY3 FACES "0 0 0\n1 0 0\n0 1 0\n3 0 1 2";
    AbutMesh mesh;
    for (size_t cut = 0; cut < sizeof obj - 1; ++cut)
        if (parse_copy(obj, cut, "a.obj", &mesh, NULL, NULL) == ABUT_OK) abut_mesh_free(&mesh);
    for (size_t cut = 0; cut < sizeof stl - 1; ++cut)
        assert_int_not_equal(parse_copy(stl, cut, "a.stl", &mesh, NULL, NULL), ABUT_OK);
    for (size_t cut = 0; cut < sizeof ply - 1; ++cut)
        assert_int_not_equal(parse_copy(ply, cut, "a.ply", &mesh, NULL, NULL), ABUT_OK);
    Bytes b = binary_stl("solid", 3);
    for (size_t cut = 0; cut < b.count; ++cut)
        assert_int_not_equal(parse_copy(b.data, cut, "a.stl", &mesh, NULL, NULL), ABUT_OK);
}

/* A comb of many teeth is concave everywhere; polygons past the budget are refused instead of holding the reader. */
static void endless_polygons_are_refused(void **state) {
    (void)state;
    enum { CORNERS = 120000 };
    char *text = malloc((size_t)CORNERS * 40);
    assert_non_null(text);
    size_t at = 0;
    for (int i = 0; i < CORNERS; ++i)
        at += (size_t)sprintf(text + at, "v %d %d 0\n", (int)(i * 7919LL % CORNERS), (int)(i * 104729LL % 1000));
    text[at++] = 'f';
    for (int i = 1; i <= CORNERS; ++i) at += (size_t)sprintf(text + at, " %d", i);
    char expected[120];
    snprintf(expected, sizeof expected, "a.obj:%d: polygons with too many corners that are not convex", CORNERS + 1);
    parse_bad(text, at, "a.obj", ABUT_ERROR_UNSUPPORTED, expected);
    free(text);
}

static void file_errors_are_told(void **state) {
    (void)state;
    AbutMesh mesh;
    AbutError error;
    Tool tool = tool_open();
    assert_int_equal(abut_mesh_read(tool_path(&tool, "no.obj"), NULL, 0, &mesh, NULL, &error), ABUT_ERROR_FILE);
    assert_non_null(strstr(error.text, "/no.obj: cannot be opened: No such file"));
    assert_int_equal(abut_mesh_read(tool.folder, NULL, 0, &mesh, NULL, &error), ABUT_ERROR_FILE);
    assert_non_null(strstr(error.text, ": expected file or pipe, got a folder"));
    assert_int_equal(abut_mesh_read("/dev/null", NULL, 0, &mesh, NULL, &error), ABUT_ERROR_FILE);
    assert_non_null(strstr(error.text, "/dev/null: expected file or pipe, got a device"));
    tool_file(&tool, "empty.stl", "");
    const char *path = tool_path(&tool, "empty.stl");
    assert_int_equal(abut_mesh_read(path, NULL, 0, &mesh, NULL, &error), ABUT_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "/empty.stl: expected mesh, got 0 bytes"));
    assert_true(!mesh.vertices && !mesh.triangles);
    if (geteuid() != 0) {
        chmod(path, 0);
        assert_int_equal(abut_mesh_read(path, NULL, 0, &mesh, NULL, &error), ABUT_ERROR_FILE);
        assert_non_null(strstr(error.text, ": cannot be opened: Permission denied"));
    }
    tool_close(&tool);
    assert_int_equal(abut_mesh_read("", NULL, 0, &mesh, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_read(NULL, NULL, 0, &mesh, NULL, NULL), ABUT_ERROR_ARGUMENT);
}

/* ---- memory that runs out ---------------------------------------------------------------------------------------- */

static void running_out_of_memory_leaves_nothing(void **state) {
    (void)state;
    static const char *const texts[] = {OBJ3 "v 1 1 0.5\nf 1 2 4 3\n",
        "solid\nfacet outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet endsolid",
        PLY3 FACES "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 1 0\nv 0 2 0\nf 1 2 3 4 5\n"};
    FailingMemory memory = {0, 0};
    AbutAllocator allocator = {failing_alloc, failing_release, &memory};
    abut_set_allocator(&allocator);
    int refused = 0;
    for (size_t i = 0; i < 4; ++i)
        for (int n = 0; n < 20; ++n) {
            AbutMesh mesh;
            AbutError error;
            memory.left = n;
            AbutStatus status = abut_mesh_read("a", texts[i], strlen(texts[i]), &mesh, NULL, &error);
            refused += status == ABUT_ERROR_MEMORY;
            if (status != ABUT_OK)
                assert_int_equal(status, ABUT_ERROR_MEMORY);
            else
                abut_mesh_free(&mesh);
            assert_int_equal(memory.live, 0);
        }
    abut_set_allocator(NULL);
    assert_true(refused >= 12 && refused < 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_errors_name_the_line),
        cmocka_unit_test(stl_ascii_errors_name_the_line),
        cmocka_unit_test(ply_errors_name_the_line),
        cmocka_unit_test(stl_binary_errors_name_the_byte),
        cmocka_unit_test(ply_binary_errors_name_the_byte),
        cmocka_unit_test(every_truncation_is_survived),
        cmocka_unit_test(endless_polygons_are_refused),
        cmocka_unit_test(file_errors_are_told),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
