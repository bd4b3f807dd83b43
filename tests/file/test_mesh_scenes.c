/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file: meshes with a tree of nodes (binary glTF, COLLADA) and TRI, all written here: placed copies are where they
 * should be and stay closed and outward; what is wrong is told with its place; hostile files end quickly.
 */
#include "mesh_text.h"
#include "support/memory.h"

/* ---- TRI --------------------------------------------------------------------------------------------------------- */

#define TRI4 "TRI\n4\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"

static void tri_is_read(void **state) {
    (void)state;
    AbutMeshFileInfo info;
    AbutMeshReport report;
    AbutMesh mesh = parse_good(TRI4 "0 2 1\n0 1 3\n1 2 3\n2 0 3\n", "noname", &info);
    assert_string_equal(info.format, "tri");
    assert_int_equal(mesh.vertex_count, 4);
    triangle_is(&mesh, 3, 2, 0, 3);
    assert_int_equal(abut_mesh_report(&mesh, &report, NULL), ABUT_OK);
    CHECK_NEAR(report.mass.volume, 1.0 / 6.0, 1e-15);
    abut_mesh_free(&mesh);
    mesh = parse_good("\xef\xbb\xbf  tri 3 1\r\n0 0 0 1e0 0 0\t0 1 0 0 1 2", "a.TRI", NULL);
    assert_int_equal(mesh.triangle_count, 1);
    abut_mesh_free(&mesh);
}

typedef struct Bad {
    const char *text;
    AbutStatus status;
    const char *message;
} Bad;

static void tri_errors_name_the_line(void **state) {
    (void)state;
    static const Bad bad[] = {
        {"TRY 1 1", ABUT_ERROR_FORMAT, "a.tri:1: expected the word TRI, got 'TRY'"},
        {"TRI\nx", ABUT_ERROR_FORMAT, "a.tri:2: expected number of vertices from 0 to 100000000, got 'x'"},
        {"TRI\n3\n-1", ABUT_ERROR_FORMAT, "a.tri:3: expected number of triangles from 0 to 100000000, got '-1'"},
        {"TRI\n99999999\n1\n0 0 0", ABUT_ERROR_FORMAT,
            "a.tri:2: expected 600000000 bytes or more for 99999999 vertices and 1 triangles, got 6"},
        {"TRI\n1\n0\n0 0 0\n", ABUT_ERROR_EMPTY, "a.tri: no triangles (1 vertices)"},
        {"TRI\n3\n1\n0 0 0 1 nan 0 0 1 0\n0 1 2", ABUT_ERROR_NUMBER,
            "a.tri:4: expected finite y coordinate, got 'nan'"},
        {"TRI\n3\n1\n0 0 0 1 0 0 0 1 0\n0 1 3", ABUT_ERROR_FORMAT, "a.tri:5: expected vertex from 0 to 2, got '3'"},
        {"TRI\n3\n1\n0 0 0 1 0 0 0 1 0\n0 1 2\n7", ABUT_ERROR_FORMAT,
            "a.tri:6: expected end of file behind 1 triangles, got '7'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        text_bad(bad[i].text, "a.tri", bad[i].status, bad[i].message);
}

/* ---- glTF -------------------------------------------------------------------------------------------------------- */

static const int tetrahedron[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

/* Header and chunk of JSON, padded to a multiple of four; the binary chunk follows. */
static Bytes glb(const char *json, const Bytes *binary) {
    Bytes b = {{0}, 0};
    size_t length = (strlen(json) + 3) / 4 * 4;
    add_text(&b, "glTF");
    add_uint(&b, 2, 4, 0);
    add_uint(&b, 12 + 8 + length + (binary ? 8 + binary->count : 0), 4, 0);
    add_uint(&b, length, 4, 0);
    add_text(&b, "JSON");
    add_text(&b, json);
    while (b.count < 20 + length) add_text(&b, " ");
    if (binary) {
        add_uint(&b, binary->count, 4, 0);
        add_text(&b, "BIN");
        b.count += 1;
        memcpy(b.data + b.count, binary->data, binary->count);
        b.count += binary->count;
    }
    return b;
}

/* Four positions of 16 bytes each, then twelve indices of 2 bytes. */
static Bytes tetrahedron_numbers(void) {
    Bytes b = {{0}, 0};
    for (int i = 0; i < 16; ++i) add_float(&b, i % 4 == 3 ? 9.0F : i / 4 == i % 4 + 1 ? 1.0F : 0.0F, 0);
    for (int i = 0; i < 12; ++i) add_uint(&b, (unsigned)tetrahedron[i / 3][i % 3], 2, 0);
    return b;
}

#define ACCESSORS(count)                                                                                               \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"                          \
    "{\"bufferView\":1,\"componentType\":5123,\"count\":" count ",\"type\":\"SCALAR\"}]"
#define VIEWS                                                                                                          \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64,\"byteStride\":16},"                                             \
    "{\"buffer\":0,\"byteOffset\":64,\"byteLength\":24}]"
#define MESH(more) "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1" more "}]}]"
#define ONE "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}]"

static AbutMesh parse_glb(const char *json, const Bytes *binary, AbutMeshFileInfo *info) {
    Bytes b = glb(json, binary);
    AbutMesh mesh;
    AbutError error = {0};
    if (parse_copy(b.data, b.count, "noname", &mesh, info, &error)) fail_msg("%s", error.text);
    return mesh;
}

/* Copies under turned, moved and mirrored nodes: closed, outward, of the right size and place. */
static void glb_nodes_place_their_meshes(void **state) {
    (void)state;
    Bytes numbers = tetrahedron_numbers();
    AbutMeshFileInfo info;
    AbutMeshReport report;
    AbutMesh mesh =
        parse_glb("{\"asset\":{\"version\":\"2.0\"},\"scene\":1,\"scenes\":[{\"nodes\":[3]},{\"nodes\":[0]}],"
                  "\"nodes\":[{\"children\":[1,2],\"translation\":[10,0,0]},{\"mesh\":0,\"scale\":[-2,2,2]},"
                  "{\"mesh\":0,\"rotation\":[0,0,0.7071067811865476,0.7071067811865476],\"translation\":[5,0,"
                  "0]},{}]," MESH("") "," ACCESSORS("12") "," VIEWS "}",
            &numbers, &info);
    assert_string_equal(info.format, "glb");
    assert_int_equal(info.elements_ignored, 0);
    assert_int_equal(mesh.vertex_count, 8);
    assert_int_equal(mesh.triangle_count, 8);
    assert_int_equal(abut_mesh_report(&mesh, &report, NULL), ABUT_OK);
    assert_true(report.closed && report.oriented && report.components == 2);
    CHECK_NEAR(report.mass.volume, 9.0 / 6.0, 1e-12);
    CHECK_NEAR(report.box.min.x, 8, 1e-12);
    CHECK_NEAR(report.box.max.x, 15, 1e-12);
    abut_mesh_free(&mesh);
    mesh = parse_glb(
        "{\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"matrix\":[0,2,0,0,-2,0,0,0,0,0,2,0,1,2,3,1]}]," MESH(
            "") "," ACCESSORS("12") "," VIEWS "}",
        &numbers, &info);
    CHECK_VEC_NEAR(mesh.vertices[1], abut_vec3(-1, 2, 3), 0); /* (0, 1, 0) */
    abut_mesh_free(&mesh);
    mesh = parse_glb("{" MESH("") "," ACCESSORS("12") "," VIEWS "}", &numbers, NULL); /* no scene at all */
    assert_int_equal(mesh.triangle_count, 4);
    abut_mesh_free(&mesh);
}

#define TREE                                                                                                           \
    "\"nodes\":[{\"mesh\":0,\"translation\":[1,0,0]},{\"children\":[0],\"translation\":[10,0,0]},"                     \
    "{\"mesh\":0,\"translation\":[0,7,0]}]"

/* Where no scene lists nodes, all that are no child of another are roots, and their transforms count. */
static void glb_without_a_scene_keeps_transforms(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{" TREE "," MESH("") "," ACCESSORS("12") "," VIEWS "}",
        "{\"scenes\":[]," TREE "," MESH("") "," ACCESSORS("12") "," VIEWS "}",
        "{\"scenes\":[{}]," TREE "," MESH("") "," ACCESSORS("12") "," VIEWS "}",
    };
    Bytes numbers = tetrahedron_numbers();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        AbutMeshReport report;
        AbutMesh mesh = parse_glb(texts[i], &numbers, NULL);
        assert_int_equal(mesh.triangle_count, 8);
        assert_int_equal(abut_mesh_report(&mesh, &report, NULL), ABUT_OK);
        CHECK_VEC_NEAR(report.box.min, abut_vec3(0, 0, 0), 0);
        CHECK_VEC_NEAR(report.box.max, abut_vec3(12, 8, 1), 0);
        abut_mesh_free(&mesh);
    }
}

static void glb_strips_fans_and_lines(void **state) {
    (void)state;
    Bytes numbers = tetrahedron_numbers();
    AbutMeshFileInfo info;
    AbutMesh mesh = parse_glb("{" ONE "," MESH(",\"mode\":5") "," ACCESSORS("5") "," VIEWS "}", &numbers, &info);
    assert_int_equal(mesh.triangle_count, 3); /* 0 2 1 0 1: 021, 201 turned, 101 */
    triangle_is(&mesh, 0, 0, 1, 2);
    triangle_is(&mesh, 1, 1, 0, 2);
    abut_mesh_free(&mesh);
    mesh = parse_glb("{" ONE "," MESH(",\"mode\":6") "," ACCESSORS("4") "," VIEWS "}", &numbers, &info);
    triangle_is(&mesh, 1, 0, 2, 0);
    abut_mesh_free(&mesh);
    mesh = parse_glb("{" ONE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1},"
                     "{\"attributes\":{\"POSITION\":0},\"mode\":1}]}]," ACCESSORS("12") "," VIEWS "}",
        &numbers, &info);
    assert_int_equal(info.elements_ignored, 1);
    abut_mesh_free(&mesh);
}

static void glb_errors_name_the_place(void **state) {
    (void)state;
    static const Bad bad[] = {
        {"[]", ABUT_ERROR_FORMAT, "expected an object"},
        {"{\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}", ABUT_ERROR_UNSUPPORTED,
            "extensionsRequired[0]: the extension KHR_draco_mesh_compression is needed, and is not supported"},
        {"{}", ABUT_ERROR_EMPTY, "no triangles (0 vertices)"},
        {"{" ONE "," MESH("") "," ACCESSORS("13") "," VIEWS "}", ABUT_ERROR_FORMAT,
            "accessors[1]: expected a count of rows that end within the 24 bytes of the bufferView"},
        {"{" ONE "," MESH("") "," ACCESSORS("11") "," VIEWS "}", ABUT_ERROR_FORMAT,
            "expected three corners for each triangle, got 11 corners"},
        {"{" ONE "," MESH(",\"mode\":7") "}", ABUT_ERROR_FORMAT, "mode: expected an integer from 0 to 6"},
        {"{" ONE ",\"meshes\":[{}]}", ABUT_ERROR_FORMAT, "meshes[0]: expected an array primitives"},
        {"{\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[0]}]}", ABUT_ERROR_FORMAT,
            "node 0 stands twice in the tree of nodes"},
        {"{\"scenes\":[{\"nodes\":[2]}],\"nodes\":[{}]}", ABUT_ERROR_FORMAT, "expected a node below 1"},
        {"{" ONE "," MESH("") "," ACCESSORS("12") ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":99}]}",
            ABUT_ERROR_FORMAT, "expected byteOffset and byteLength within the 88 bytes of the binary chunk"},
        {"{" ONE "," MESH("") "," ACCESSORS("12") ",\"bufferViews\":[{\"buffer\":1,\"byteLength\":9}]}",
            ABUT_ERROR_UNSUPPORTED, "no other file is opened"},
        {"{" ONE "," MESH("") ",\"accessors\":[{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{}]}",
            ABUT_ERROR_UNSUPPORTED, "expected a bufferView and no sparse values"},
        {"{" ONE "," MESH("") "," ACCESSORS("12") "," VIEWS ",\"buffers\":[{\"uri\":\"far.bin\",\"byteLength\":88}]}",
            ABUT_ERROR_UNSUPPORTED,
            "buffers[0].uri: expected the binary chunk as buffer 0, got far.bin: no other file is opened"},
        {"{\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}", ABUT_ERROR_FORMAT,
            "nodes[0]: expected a tree of nodes, got node 0 below itself"},
        {"{" ONE "," MESH("") ",\"accessors\":[{\"bufferView\":0,\"componentType\":7,\"count\":99,\"type\":\"VEC3\"},"
                              "{}]," VIEWS "}",
            ABUT_ERROR_FORMAT, "accessors[0]: expected componentType from 5120 to 5123, 5125 or 5126, got 7"},
    };
    Bytes numbers = tetrahedron_numbers();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        Bytes b = glb(bad[i].text, &numbers);
        AbutMesh mesh;
        AbutError error = {0};
        AbutStatus status = parse_copy(b.data, b.count, "a.glb", &mesh, NULL, &error);
        if (status != bad[i].status || !strstr(error.text, bad[i].message) || strncmp(error.text, "a.glb", 5) != 0)
            fail_msg("case %zu: status %d, %s", i, status, error.text);
    }
    Bytes b = glb("{}", NULL);
    b.data[4] = 1;
    parse_bad(b.data, b.count, "a.glb", ABUT_ERROR_UNSUPPORTED, "a.glb: byte 4: expected version 2, got 1");
    b.data[4] = 2, b.data[8] += 4;
    parse_bad(b.data, b.count, "a.glb", ABUT_ERROR_FORMAT, "a.glb: byte 8: expected length of the file, 24, got 28");
}

/* ---- COLLADA ----------------------------------------------------------------------------------------------------- */

#define GEOMETRY(primitive)                                                                                            \
    "<library_geometries><geometry id=\"g\"><mesh><source id=\"s\"><float_array count=\"12\">0 0 0 1 0 0 0 1 0 0 0 1"  \
    "</float_array><technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"><param name=\"X\"/>"             \
    "<param name=\"Y\"/><param name=\"Z\"/></accessor></technique_common></source><vertices id=\"v\">"                 \
    "<input semantic=\"POSITION\" source=\"#s\"/></vertices>" primitive "</mesh></geometry></library_geometries>"
#define INPUTS                                                                                                         \
    "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><input semantic=\"NORMAL\" source=\"#n\" offset=\"1\"/>"
#define TRIANGLES "<triangles count=\"4\">" INPUTS "<p>0 9 2 9 1 9 0 9 1 9 3 9 1 9 2 9 3 9 2 9 0 9 3 9</p></triangles>"
#define SCENE(nodes)                                                                                                   \
    "<library_visual_scenes><visual_scene id=\"z\">" nodes "</visual_scene></library_visual_scenes>"                   \
    "<scene><instance_visual_scene url=\"#z\"/></scene>"
#define DAE(text) "<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\">" text "</COLLADA>\n"
#define COPY "<instance_geometry url=\"#g\"/>"

/* Is there an XML reader in this build? */
static int has_xml(void) {
    AbutMesh mesh;
    AbutStatus status = abut_mesh_read("a.dae", DAE(""), strlen(DAE("")), &mesh, NULL, NULL);
    return status != ABUT_ERROR_UNSUPPORTED;
}

static void dae_nodes_place_their_geometry(void **state) {
    (void)state;
    AbutMeshFileInfo info;
    AbutMeshReport report;
    if (!has_xml()) skip();
    AbutMesh mesh = parse_good(
        DAE("<asset><unit meter=\"0.01\"/><up_axis>Y_UP</up_axis></asset>" GEOMETRY(
            TRIANGLES) "<library_nodes><node id=\"n\"><scale>-2 2 2</scale>" COPY
                       "</node></library_nodes>" SCENE(
                           "<node><translate>10 0 0</translate><node><rotate>0 0 1 90</rotate>" COPY "</node>"
                           "<instance_node url=\"#n\"/><instance_controller url=\"#c\"/></node>"
                           "<node><matrix>1 0 0 20 0 1 0 0 0 0 1 0 0 0 0 1</matrix>" COPY "</node>")),
        "noname", &info);
    assert_string_equal(info.format, "dae");
    assert_int_equal(info.elements_ignored, 1);
    assert_int_equal(mesh.triangle_count, 12);
    assert_int_equal(abut_mesh_report(&mesh, &report, NULL), ABUT_OK);
    assert_true(report.closed && report.oriented && report.mass.volume > 0);
    CHECK_NEAR(report.mass.volume, 10.0 / 6.0 * 1e-6, 1e-18);
    CHECK_NEAR(report.box.min.x, 0.08, 1e-15);
    CHECK_NEAR(report.box.max.x, 0.21, 1e-15);
    abut_mesh_free(&mesh);
}

/* The same tetrahedron with faces written in every way. */
static void dae_faces_of_all_kinds(void **state) {
    (void)state;
    static const char *const texts[] = {
        DAE(GEOMETRY(TRIANGLES)),
        DAE(GEOMETRY("<polylist count=\"4\">" INPUTS
                     "<vcount>3 3 3 3</vcount><p>0 9 2 9 1 9 0 9 1 9 3 9 1 9 2 9 3 9 2 9 0 9 3 9</p></polylist>")),
        DAE(GEOMETRY("<polygons count=\"4\">" INPUTS
                     "<p>0 9 2 9 1 9</p><p>0 9 1 9 3 9</p><p>1 9 2 9 3 9</p><p>2 9 0 9 3 9</p></polygons>")),
        DAE(GEOMETRY("<trifans>" INPUTS "<p>0 9 2 9 1 9 3 9 2 9</p></trifans><tristrips>" INPUTS
                     "<p>1 9 2 9 3 9</p></tristrips>")),
        DAE(GEOMETRY("<tristrips>" INPUTS "<p>0 9 2 9 1 9 3 9 0 9 2 9</p></tristrips><lines count=\"1\"/>")),
    };
    if (!has_xml()) skip();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        AbutMeshReport report;
        AbutMesh mesh = parse_good(texts[i], "a.dae", NULL);
        assert_int_equal(mesh.triangle_count, 4);
        assert_int_equal(mesh.vertex_count, 4);
        assert_int_equal(abut_mesh_report(&mesh, &report, NULL), ABUT_OK);
        assert_true(report.closed && report.oriented);
        CHECK_NEAR(report.mass.volume, 1.0 / 6.0, 1e-15);
        abut_mesh_free(&mesh);
    }
}

static void dae_errors_name_the_line(void **state) {
    (void)state;
    static const Bad bad[] = {
        {"<a/>", ABUT_ERROR_FORMAT, "a.dae:1: <a>: expected <COLLADA>"},
        {DAE("<library_geometries><geometry id=\"g\"><mesh><source id=\"s\"><float_array count=\"5\">0 0 0 1 0 0 0 1 0"
             "</float_array><technique_common><accessor count=\"3\"/></technique_common></source><vertices id=\"v\">"
             "<input semantic=\"POSITION\" source=\"#s\"/></vertices><triangles>" INPUTS
             "<p>0 0 1 0 2 0</p></triangles></mesh></geometry></library_geometries>"),
            ABUT_ERROR_FORMAT, "a.dae:2: <float_array>: attribute count: expected 9, the number of its values, got 5"},
        {DAE(""), ABUT_ERROR_EMPTY, "a.dae: no triangles (0 vertices)"},
        {DAE("<asset><unit meter=\"-1\"/></asset>"), ABUT_ERROR_NUMBER,
            "a.dae:2: <unit>: attribute meter: expected a positive number, got '-1'"},
        {DAE(GEOMETRY("<triangles>" INPUTS "<p>0 0 1 0 4 0</p></triangles>")), ABUT_ERROR_FORMAT,
            "a.dae:2: <p>: expected vertex indices below 4, got 4"},
        {DAE(GEOMETRY("<triangles>" INPUTS "<p>0 0 1 0 2</p></triangles>")), ABUT_ERROR_FORMAT,
            "a.dae:2: <p>: expected an index, got the end of its text"},
        {DAE(GEOMETRY("<triangles><p>0 1 2</p></triangles>")), ABUT_ERROR_FORMAT,
            "a.dae:2: <triangles>: expected an <input> with the semantic VERTEX"},
        {DAE(GEOMETRY("<polylist>" INPUTS "<vcount>2</vcount><p>0 0 1 0</p></polylist>")), ABUT_ERROR_FORMAT,
            "a.dae:2: <p>: expected at least 3 corners of a face, got 2"},
        {DAE(GEOMETRY("<triangles count=\"2\">" INPUTS "<p>0 0 1 0 2 0</p></triangles>")), ABUT_ERROR_FORMAT,
            "a.dae:2: <triangles>: attribute count: expected 1, the number of its faces, got 2"},
        {DAE(GEOMETRY("<tristrips count=\"2\">" INPUTS "<p>0 0 1 0 2 0 3 0</p></tristrips>")), ABUT_ERROR_FORMAT,
            "a.dae:2: <tristrips>: attribute count: expected 1, the number of its faces, got 2"},
        {DAE(GEOMETRY("<polygons count=\"3\">" INPUTS "<p>0 0 1 0 2 0</p><p>0 0 1 0 3 0</p></polygons>")),
            ABUT_ERROR_FORMAT, "a.dae:2: <polygons>: attribute count: expected 2, the number of its faces, got 3"},
        {DAE(GEOMETRY("<triangles count=\"-1\">" INPUTS "<p>0 0 1 0 2 0</p></triangles>")), ABUT_ERROR_FORMAT,
            "a.dae:2: <triangles>: attribute count: expected an integer from 0 to 300000000, got '-1'"},
        {DAE(GEOMETRY("<polylist>" INPUTS "<vcount>3 3</vcount><p>0 0 1 0 2 0</p></polylist>")), ABUT_ERROR_FORMAT,
            "a.dae:2: <vcount>: expected 1 numbers, of the faces in <p>, got more"},
        {DAE(GEOMETRY("<polylist>" INPUTS "<vcount>3</vcount><p>0 0 1 0 2 0 3 0</p></polylist>")), ABUT_ERROR_FORMAT,
            "a.dae:2: <vcount>: expected an index, got the end of its text"},
        {DAE(GEOMETRY("<triangles count=\"1\">" INPUTS "</triangles>")), ABUT_ERROR_FORMAT,
            "a.dae:2: <triangles>: attribute count: expected 0, the number of its faces, got 1"},
        {DAE(GEOMETRY(TRIANGLES) SCENE("<node><skew>1 2 3 4 5 6 7</skew>" COPY "</node>")), ABUT_ERROR_UNSUPPORTED,
            "a.dae:2: <skew>: expected a transform as matrix, translate, rotate or scale above geometry"},
        {DAE(SCENE("<node><instance_geometry url=\"#x\"/></node>")), ABUT_ERROR_FORMAT,
            "a.dae:2: <instance_geometry>: attribute url: there is no 'x'"},
        {DAE(SCENE("<node><instance_geometry url=\"other.dae#x\"/></node>")), ABUT_ERROR_UNSUPPORTED,
            "a.dae:2: <instance_geometry>: attribute url: expected '#id' of this file, got 'other.dae#x'"},
        {DAE(SCENE("<node><translate>1 2</translate></node>")), ABUT_ERROR_FORMAT,
            "a.dae:2: <translate>: expected a number, got the end of its text"},
        {DAE(SCENE("<node id=\"n\"><instance_node url=\"#n\"/></node>")), ABUT_ERROR_LIMIT,
            "a.dae:2: <node>: expected nodes at most 256 deep and at most 1000000 of them, copies included"},
        {"<!DOCTYPE COLLADA []><COLLADA/>", ABUT_ERROR_FORMAT, "a.dae:1: expected no document type, got <!DOCTYPE"},
    };
    if (!has_xml()) skip();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        text_bad(bad[i].text, "a.dae", bad[i].status, bad[i].message);
}

/* Twenty levels of nodes that each hold the one below twice: a million nodes, of which the reader soon has enough. */
static void copies_without_end_are_refused(void **state) {
    (void)state;
    static char text[20000];
    if (!has_xml()) skip();
    int n = snprintf(text, sizeof text, "<COLLADA>" GEOMETRY(TRIANGLES) "<library_nodes>");
    for (int i = 0; i < 22; ++i)
        n += snprintf(text + n, sizeof text - (size_t)n,
            "<node id=\"n%d\"><instance_node url=\"#n%d\"/><instance_node url=\"#n%d\"/></node>", i, i + 1, i + 1);
    n += snprintf(text + n, sizeof text - (size_t)n,
        "<node id=\"n22\"/></library_nodes>" SCENE("<node><instance_node url=\"#n0\"/></node>") "</COLLADA>");
    AbutMesh mesh;
    assert_int_equal(parse_copy(text, (size_t)n, "a.dae", &mesh, NULL, NULL), ABUT_ERROR_LIMIT);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void every_truncation_is_survived(void **state) {
    (void)state;
    static const char tri[] = TRI4 "0 2 1\n0 1 3\n1 2 3\n2 0 3";
    static const char dae[] = DAE(GEOMETRY(TRIANGLES) SCENE("<node><rotate>0 0 1 9</rotate>" COPY "</node>"));
    AbutMesh mesh;
    for (size_t cut = 0; cut < sizeof tri - 1; ++cut)
        assert_int_not_equal(parse_copy(tri, cut, "a.tri", &mesh, NULL, NULL), ABUT_OK);
    for (size_t cut = 0; cut + 2 < sizeof dae - 1; ++cut)
        assert_int_not_equal(parse_copy(dae, cut, "a.dae", &mesh, NULL, NULL), ABUT_OK);
    Bytes numbers = tetrahedron_numbers();
    Bytes b = glb("{" ONE "," MESH("") "," ACCESSORS("12") "," VIEWS "}", &numbers);
    for (size_t cut = 0; cut < b.count; ++cut)
        assert_int_not_equal(parse_copy(b.data, cut, "a.glb", &mesh, NULL, NULL), ABUT_OK);
}

static void running_out_of_memory_leaves_nothing(void **state) {
    (void)state;
    Bytes numbers = tetrahedron_numbers();
    Bytes b[3] = {{{0}, 0}, glb("{" ONE "," MESH("") "," ACCESSORS("12") "," VIEWS "}", &numbers), {{0}, 0}};
    add_text(&b[0], TRI4 "0 2 1\n0 1 3\n1 2 3\n2 0 3");
    add_text(&b[2], DAE(GEOMETRY(TRIANGLES) SCENE("<node><rotate>0 0 1 9</rotate>" COPY "</node>")));
    FailingMemory memory = {0, 0};
    AbutAllocator allocator = {failing_alloc, failing_release, &memory};
    abut_set_allocator(&allocator);
    for (size_t i = 0; i < (has_xml() ? 3 : 2); ++i)
        for (int n = 0, done = 0; n < 400 && !done; ++n) {
            AbutMesh mesh;
            AbutError error;
            memory.left = n;
            AbutStatus status = abut_mesh_read("a", b[i].data, b[i].count, &mesh, NULL, &error);
            if (status != ABUT_OK)
                assert_int_equal(status, ABUT_ERROR_MEMORY);
            else
                abut_mesh_free(&mesh), done = 1;
            assert_int_equal(memory.live, 0);
        }
    abut_set_allocator(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tri_is_read),
        cmocka_unit_test(tri_errors_name_the_line),
        cmocka_unit_test(glb_nodes_place_their_meshes),
        cmocka_unit_test(glb_without_a_scene_keeps_transforms),
        cmocka_unit_test(glb_strips_fans_and_lines),
        cmocka_unit_test(glb_errors_name_the_place),
        cmocka_unit_test(dae_nodes_place_their_geometry),
        cmocka_unit_test(dae_faces_of_all_kinds),
        cmocka_unit_test(dae_errors_name_the_line),
        cmocka_unit_test(copies_without_end_are_refused),
        cmocka_unit_test(every_truncation_is_survived),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
