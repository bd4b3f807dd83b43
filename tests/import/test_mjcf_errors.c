/* SPDX-License-Identifier: Apache-2.0 */
/* MJCF that must be refused, or read with leave alone: each with its status, its line, and a text that names what is
 * wrong. */
#include "support/check.h"
#include "import/parse.h"

#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "abut/import.h"
#include "support/tool.h"

/* Into a model and into a scene. */
static AbutStatus parse(const char *text, const char *folder, AbutError *error) {
    AbutScene *scene = NULL;
    AbutModel *model;
    AbutModelReadOptions options = {.folder = folder};
    *error = (AbutError){0};
    assert_int_equal(abut_scene_create(&scene, NULL), ABUT_OK);
    AbutStatus status = abut_model_parse_mjcf(text, strlen(text), "bad.xml", &options, &model, error);
    if (!status)
        status = abut_scene_add_model(scene, model, abut_pose_identity(), NULL, error);
    else
        assert_null(model);
    if (status) assert_int_equal(abut_scene_body_count(scene), 0);
    abut_model_free(model);
    abut_scene_free(scene);
    return status;
}

static void refuse(const char *text, AbutStatus status, const char *part) {
    AbutError error;
    if (parse(text, NULL, &error) != status || !strstr(error.text, part) || strncmp(error.text, "bad.xml:", 8) != 0)
        fail_msg("%s\n gave '%s', expected status %d and '%s'", text, error.text, (int)status, part);
}

#define WORLD(inside) "<mujoco>\n<worldbody>\n" inside "</worldbody></mujoco>"

static void test_content(void **state) {
    (void)state;
    refuse("<robot/>", ABUT_ERROR_FORMAT, "bad.xml:1: <robot>: expected root element <mujoco>");
    refuse(WORLD("<geom size='1 nan'/>"), ABUT_ERROR_NUMBER,
        "bad.xml:3: <geom>: attribute size: expected finite numbers, got 'nan'");
    refuse(WORLD("<geom size='1e999'/>"), ABUT_ERROR_NUMBER, "attribute size");
    refuse(WORLD("<geom size='x'/>"), ABUT_ERROR_FORMAT, "got 'x'");
    refuse(WORLD("<geom size='1' pos='1 2'/>"), ABUT_ERROR_FORMAT, "attribute pos: expected 3 numbers, got 2");
    refuse(WORLD("<geom size='1' pos='1 2 3 4'/>"), ABUT_ERROR_FORMAT,
        "attribute pos: expected 3 numbers, got more than 3");
    refuse(WORLD("<body>\n<geom size='1' pos='1e308 0 0'/></body>"), ABUT_ERROR_NUMBER,
        "bad.xml:4: <geom>: attribute pos: expected numbers of at most 1e+60, got 1e+308");
    refuse(WORLD("<geom size='1 2 3 4'/>"), ABUT_ERROR_FORMAT, "expected 1 to 3 numbers");
    refuse(WORLD("<geom type='box' size='1'/>"), ABUT_ERROR_FORMAT,
        "attribute size: expected 3 positive numbers for a box");
    refuse(WORLD("<geom size='-1'/>"), ABUT_ERROR_FORMAT, "positive");
    refuse(WORLD("<body><geom size='1'/>\n<joint damping='-1'/></body>"), ABUT_ERROR_FORMAT,
        "bad.xml:4: <joint>: attribute damping: expected a number of at least 0, got -1");
    refuse(WORLD("<body><geom size='1'/>\n<joint stiffness='-2 1'/></body>"), ABUT_ERROR_FORMAT,
        "bad.xml:4: <joint>: attribute stiffness: expected a number of at least 0, got -2");
    refuse("<mujoco><default>\n<joint damping='-3'/></default><worldbody><body><geom size='1'/>\n<joint/></body>"
           "</worldbody></mujoco>",
        ABUT_ERROR_FORMAT, "bad.xml:2: <joint>: attribute damping: expected a number of at least 0, got -3");
    refuse(WORLD("<geom type='cube'/>"), ABUT_ERROR_FORMAT, "attribute type: expected one of plane, sphere");
    refuse(WORLD("<geom size='1' fromto='0 0 0 1 1 1'/>"), ABUT_ERROR_FORMAT, "fromto");
    refuse(WORLD("<geom size='1' quat='0 0 0 0'/>"), ABUT_ERROR_FORMAT, "attribute quat: expected a direction");
    refuse(WORLD("<geom size='1' quat='1 0 0 0' euler='0 0 0'/>"), ABUT_ERROR_FORMAT, "got quat and euler");
    refuse(WORLD("<geom size='1' condim='2'/>"), ABUT_ERROR_FORMAT,
        "bad.xml:3: <geom>: attribute condim: expected 1, 3, 4 or 6, got 2");
    refuse(WORLD("<geom size='1' condim='5'/>"), ABUT_ERROR_FORMAT, "expected 1, 3, 4 or 6, got 5");
    refuse(WORLD("<geom size='1' contype='1.5'/>"), ABUT_ERROR_FORMAT, "attribute contype: expected an integer");
    refuse(WORLD("<geom size='1' density='-1'/>"), ABUT_ERROR_FORMAT, "attribute density");
    refuse(WORLD("<geom size='1' class='gone'/>"), ABUT_ERROR_FORMAT,
        "attribute class: expected a default class, got 'gone'");
    refuse(WORLD("<body childclass='gone'/>"), ABUT_ERROR_FORMAT, "attribute childclass");
    refuse(WORLD("<geom type='mesh' mesh='gone'/>"), ABUT_ERROR_FORMAT,
        "attribute mesh: expected name of a mesh, got 'gone'");
    refuse(WORLD("<geom size='1' material='gone'/>"), ABUT_ERROR_FORMAT, "expected name of a material");
    refuse("<mujoco><worldbody/><sensor><tendonpos tendon='gone'/></sensor></mujoco>", ABUT_ERROR_FORMAT,
        "attribute tendon: expected name of a tendon, got 'gone'");
    refuse("<mujoco><worldbody/><actuator><motor tendon='gone'/></actuator></mujoco>", ABUT_ERROR_FORMAT,
        "attribute tendon: expected name of a tendon, got 'gone'");
    refuse(WORLD("<geom size='1' name='a'/>\n<geom size='1' name='a'/>"), ABUT_ERROR_FORMAT,
        "bad.xml:4: <geom>: attribute name: expected a new name, got 'a' again");
    refuse(WORLD("<body name='world'/>"), ABUT_ERROR_FORMAT, "got 'world' again");
    refuse(WORLD("<body><freejoint/></body>"), ABUT_ERROR_FORMAT, "no mass");
    refuse(WORLD("<body><freejoint/><freejoint/><geom size='1'/></body>"), ABUT_ERROR_FORMAT, "only joint");
    refuse(WORLD("<body><body><freejoint/><geom size='1'/></body></body>"), ABUT_ERROR_FORMAT, "stands in the world");
    refuse(WORLD("<body>\n<joint axis='0 0 0'/></body>"), ABUT_ERROR_FORMAT, "attribute axis");
    refuse(WORLD("<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 9'/></body>"), ABUT_ERROR_FORMAT,
        "passes the sum");
    refuse(WORLD("<body><freejoint/><inertial pos='0 0 0' mass='1'/></body>"), ABUT_ERROR_ARGUMENT,
        "the inertia is not positive definite");
    refuse(WORLD("<body><freejoint/><geom type='plane'/></body>"), ABUT_ERROR_FORMAT, "bad.xml:3: <body>");
    refuse(
        "<mujoco><option timestep='0'/></mujoco>", ABUT_ERROR_FORMAT, "attribute timestep: expected a positive number");
    refuse("<mujoco><compiler eulerseq='xxq'/></mujoco>", ABUT_ERROR_FORMAT, "eulerseq");
    refuse("<mujoco><compiler coordinate='global'/></mujoco>", ABUT_ERROR_FORMAT, "expected one of local");
    refuse("<mujoco><default><default/></default></mujoco>", ABUT_ERROR_FORMAT, "attribute class: expected a name");
    refuse("<mujoco><default><geom/><geom/></default></mujoco>", ABUT_ERROR_FORMAT, "a second time");
    refuse("<mujoco><default><default class='main'/></default></mujoco>", ABUT_ERROR_FORMAT, "got 'main' again");
    refuse("<mujoco><asset><mesh name='m'/></asset></mujoco>", ABUT_ERROR_FORMAT, "expected attribute file or vertex");
    refuse("<mujoco><asset><mesh name='m' file=''/></asset></mujoco>", ABUT_ERROR_FORMAT,
        "expected attribute file or vertex");
    refuse("<mujoco><include file=''/></mujoco>", ABUT_ERROR_FORMAT, "attribute file: expected name of a file");
    refuse("<mujoco><default><default class=''/></default></mujoco>", ABUT_ERROR_FORMAT,
        "attribute class: expected a name");
    refuse("<mujoco><worldbody><geom type='mesh' mesh=''/></worldbody></mujoco>", ABUT_ERROR_FORMAT,
        "attribute mesh: expected name of a mesh");
    refuse("<mujoco><asset><mesh name='m' vertex='1 2 3 4'/></asset></mujoco>", ABUT_ERROR_FORMAT, "got 4 numbers");
    refuse("<mujoco><contact><exclude body1='world' body2='gone'/></contact></mujoco>", ABUT_ERROR_FORMAT,
        "attribute body2: expected name of a body");
    refuse("<mujoco><asset><mesh name='flat' vertex='0 0 0 1 0 0 0 1 0 1 1 0'/></asset>"
           "<worldbody><geom type='mesh' mesh='flat'/></worldbody></mujoco>",
        ABUT_ERROR_DEGENERATE, "expected a hull with volume");
}

static void test_not_simulated(void **state) {
    (void)state;
    refuse(WORLD("<body name='hand' mocap='true'><geom size='1'/>\n<body><geom size='1'/><joint/></body></body>"),
        ABUT_ERROR_UNSUPPORTED, "bad.xml:4: <body>: a joint on a body with prescribed motion is not simulated");
    refuse(WORLD("<geom type='hfield'/>"), ABUT_ERROR_FORMAT, "attribute hfield: expected name of a height field");
    refuse(WORLD("<composite/>"), ABUT_ERROR_UNSUPPORTED, "<composite>: is not supported");
    refuse("<mujoco><deformable/></mujoco>", ABUT_ERROR_UNSUPPORTED, "<deformable>: is not supported");
    refuse("<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
           "<worldbody><geom type='mesh' mesh='m' shellinertia='true'/></worldbody></mujoco>",
        ABUT_ERROR_FORMAT, "attribute shellinertia: a mesh has inertia=\"shell\" instead");
}

static void test_xml(void **state) {
    (void)state;
    refuse("<mujoco>\n<worldbody>\n</mujoco>", ABUT_ERROR_FORMAT, "bad.xml:3: expected well-formed XML");
    refuse("<mujoco", ABUT_ERROR_FORMAT, "expected well-formed XML");
    refuse("hello", ABUT_ERROR_FORMAT, "expected well-formed XML");
    refuse("<!DOCTYPE mujoco><mujoco/>", ABUT_ERROR_FORMAT, "expected no document type");
    refuse("<!DOCTYPE m [<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;'>]><mujoco model='&b;'/>", ABUT_ERROR_FORMAT,
        "no document type");
    refuse("<!DOCTYPE m [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><mujoco>&a;</mujoco>", ABUT_ERROR_FORMAT,
        "no document type");
    refuse("<!DOCTYPE m SYSTEM 'http://127.0.0.1/x.dtd'><mujoco/>", ABUT_ERROR_FORMAT, "no document type");
    refuse("<mujoco>&gone;</mujoco>", ABUT_ERROR_FORMAT, "expected well-formed XML");
    AbutError error;
    assert_int_equal(parse("", NULL, &error), ABUT_ERROR_FORMAT);
    /* ampersands and other characters by number */
    AbutModel *model;
    const char *text = "<?xml version='1.0'?><mujoco model='a &amp; &#66;&lt;'/>";
    assert_int_equal(abut_model_parse_mjcf(text, strlen(text), "ok.xml", NULL, &model, &error), ABUT_OK);
    assert_string_equal(model->name, "a & B<");
    abut_model_free(model);
}

static void test_limits(void **state) {
    (void)state;
    enum { DEEP = 5000 };
    char *text = calloc(DEEP, 40);
    strcpy(text, "<mujoco><worldbody>");
    for (int i = 0; i < 400; ++i) strcat(text, "<body>");
    for (int i = 0; i < 400; ++i) strcat(text, "</body>");
    strcat(text, "</worldbody></mujoco>");
    refuse(text, ABUT_ERROR_LIMIT, "200 deep");
    strcpy(text, "<mujoco ");
    for (int i = 0; i < 101; ++i) snprintf(text + strlen(text), 40, "a%d='1' ", i);
    strcat(text, "/>");
    refuse(text, ABUT_ERROR_LIMIT, "100 attributes");
    strcpy(text, "<mujoco><worldbody>");
    for (int i = 0; i < 33; ++i) snprintf(text + strlen(text), 80, "<geom size='1' contype='%d'/>", i + 1);
    strcat(text, "</worldbody></mujoco>");
    refuse(text, ABUT_ERROR_LIMIT, "at most 32");
    free(text);
    size_t size = (size_t)ABUT_XML_BYTES + 1;
    char *large = malloc(size);
    memset(large, ' ', size);
    AbutModel *model;
    assert_int_equal(abut_model_parse_mjcf(large, size, "large.xml", NULL, &model, NULL), ABUT_ERROR_LIMIT);
    free(large);
}

static void refuse_in(const Tool *tool, const char *text, AbutStatus status, const char *part) {
    AbutError error;
    if (parse(text, tool->folder, &error) != status || !strstr(error.text, part))
        fail_msg("%s\n gave '%s', expected '%s'", text, error.text, part);
}

static void test_files(void **state) {
    (void)state;
    Tool tool = tool_open();
    AbutError error;
    tool_file(&tool, "part.xml", "<part><geom size='1' name='a'/><geom size='2'/></part>");
    tool_file(&tool, "self.xml", "<part><include file='self.xml'/></part>");
    tool_file(&tool, "broken.obj", "v 0 0 zero\n");
    const char *good =
        "<mujoco><worldbody><geom size='3'/><include file='part.xml'/><geom size='4'/></worldbody></mujoco>";
    AbutModel *model;
    AbutModelReadOptions options = {.folder = tool.folder};
    assert_int_equal(abut_model_parse_mjcf(good, strlen(good), "m", &options, &model, &error), ABUT_OK);
    assert_int_equal(model->shape_count, 4);
    const double sizes[4] = {3, 1, 2, 4}; /* in the order of the text */
    for (int i = 0; i < 4; ++i) CHECK_NEAR(model->shapes[i].form.size.x, sizes[i], 0);
    assert_non_null(strstr(model->shapes[1].source.file, "part.xml"));
    abut_model_free(model);
    refuse_in(&tool, "<mujoco><include file='gone.xml'/></mujoco>", ABUT_ERROR_FILE, "cannot be opened");
    refuse_in(&tool, "<mujoco><include file='../part.xml'/></mujoco>", ABUT_ERROR_FORMAT,
        "a file in the same folder or below");
    refuse_in(&tool, "<mujoco><include file='/etc/passwd'/></mujoco>", ABUT_ERROR_FORMAT,
        "a file in the same folder or below");
    refuse_in(&tool, "<mujoco><include file='self.xml'/></mujoco>", ABUT_ERROR_FORMAT, "a second time");
    refuse("<mujoco><include file='part.xml'/></mujoco>", ABUT_ERROR_FORMAT, "no folder");
#define MESH(file)                                                                                                     \
    "<mujoco><asset><mesh name='m' file='" file                                                                        \
    "'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
    refuse_in(&tool, MESH("gone.obj"), ABUT_ERROR_FILE, "bad.xml:1: <mesh>: attribute file:");
    refuse_in(&tool, MESH("broken.obj"), ABUT_ERROR_FORMAT, "broken.obj:1:");
    refuse_in(&tool, MESH("../x.obj"), ABUT_ERROR_FORMAT, "inside the folder");
    refuse_in(&tool, MESH("a/../../x.obj"), ABUT_ERROR_FORMAT, "inside the folder");
    refuse_in(&tool, MESH("/etc/x.obj"), ABUT_ERROR_FORMAT, "inside the folder");
    refuse(MESH("x.obj"), ABUT_ERROR_FORMAT, "no folder");
    assert_int_equal(abut_model_read("/nowhere/gone.xml", NULL, &model, &error), ABUT_ERROR_FILE);
    assert_int_equal(abut_model_read("", NULL, &model, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_model_read(tool.folder, NULL, &model, &error), ABUT_ERROR_FILE);
    assert_null(model);
    tool_close(&tool);
}

/* Nested includes beside the file that includes them, then beside the first; links and contents that stay hidden;
 * empty attributes. */
static void nested_files_and_links(void **state) {
    (void)state;
    Tool tool = tool_open();
    AbutError error;
    AbutModel *model;
    AbutModelReadOptions options = {.folder = tool.folder};
    char there[400];
    snprintf(there, sizeof there, "%s/sub", tool.folder);
    assert_int_equal(mkdir(there, 0700), 0);
    tool_file(&tool, "sub/a.xml", "<part><include file='b.xml'/><include file='c.xml'/></part>");
    tool_file(&tool, "sub/b.xml",
        "<part><geom name='' class='' type='' size='5' rgba='' friction='' pos='' quat='' euler='' mass=''/></part>");
    tool_file(&tool, "b.xml", "<part><geom size='6'/></part>");
    tool_file(&tool, "c.xml", "<part><geom size='7'/></part>");
    const char *nested = "<mujoco><worldbody><include file='sub/a.xml'/><include file='b.xml'/></worldbody></mujoco>";
    good(abut_model_parse_mjcf(nested, strlen(nested), "m", &options, &model, &error), &error);
    assert_int_equal(model->shape_count, 3);
    for (int i = 0; i < 3; ++i) CHECK_NEAR(model->shapes[i].form.size.x, i == 0 ? 5 : i == 1 ? 7 : 6, 0);
    abut_model_free(model);
    tool_file(&tool, "sub/loop.xml", "<part><include file='loop.xml'/></part>");
    refuse_in(&tool, "<mujoco><include file='sub/loop.xml'/></mujoco>", ABUT_ERROR_FORMAT, "a second time");
    static const char *const contents[] = {"pass:word 12345\n", "v pass:word 1 2\n", "v 0 0 0\npass:word\n",
        "f pass:word\n", "solid a\npass:word\n", "solid pass:word\nfacet normal pass:word\n", "ply\npass:word\n",
        "ply\nformat ascii 1.0\nelement vertex pass:word\n", "TRI pass:word\n", "TRI\npass:word\n"};
    const char *secret = MESH("secret.obj"), *linked = MESH("sub/out.obj");
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; ++i) {
        tool_file(&tool, "secret.obj", contents[i]);
        refuse_in(&tool, secret, ABUT_ERROR_FORMAT, "secret.obj:");
        assert_int_not_equal(abut_model_parse_mjcf(secret, strlen(secret), "m", &options, &model, &error), ABUT_OK);
        assert_null(strstr(error.text, "pass:word"));
    }
    Tool other = tool_open();
    tool_file(&other, "t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    assert_int_equal(symlink(tool_path(&other, "t.obj"), tool_path(&tool, "sub/out.obj")), 0);
    refuse_in(&tool, linked, ABUT_ERROR_FORMAT, "is a link out of the folder");
    options.allow_outside = 1;
    good(abut_model_parse_mjcf(linked, strlen(linked), "m", &options, &model, &error), &error);
    abut_model_free(model);
    tool_close(&other);
    tool_close(&tool);
}

/* Reads `text` as a file of the folder `in`, with or without leave to read elsewhere. */
static AbutStatus read_in(const char *folder, const char *text, int urdf, int outside, int32_t *shapes) {
    AbutModel *model;
    AbutError error;
    AbutModelReadOptions options = {.folder = folder, .allow_outside = outside};
    AbutStatus status = urdf ? abut_model_parse_urdf(text, strlen(text), "m", &options, &model, &error)
                             : abut_model_parse_mjcf(text, strlen(text), "m", &options, &model, &error);
    *shapes = status ? -1 : model->shape_count;
    abut_model_free(model);
    return status;
}

/* Files above the folder and absolute paths are read with allow_outside alone. */
static void test_outside(void **state) {
    (void)state;
    Tool tool = tool_open();
    char folder[2000], text[9][4000];
    tool_file(&tool, "part.xml", "<part><geom size='1' name='a'/></part>");
    tool_file(&tool, "model.xml", "<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>");
    tool_file(&tool, "solid.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    snprintf(folder, sizeof folder, "%s/sub", tool.folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    const char *up = "..", *at = tool.folder;
    static const char include[] = "<mujoco><worldbody><include file='%s/part.xml'/></worldbody></mujoco>";
    static const char mesh[] = "<mujoco><compiler meshdir='m'/><asset><mesh name='m' file='%s/solid.obj'/></asset>"
                               "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
    static const char meshdir[] = "<mujoco><compiler meshdir='%s'/><asset><mesh name='m' file='solid.obj'/></asset>"
                                  "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
    static const char attach[] = "<mujoco><asset><model name='o' file='%s/model.xml'/></asset><worldbody>"
                                 "<body><attach model='o' prefix='p'/></body></worldbody></mujoco>";
    static const char urdf[] = "<robot name='r'><link name='l'><collision><geometry><mesh filename='%s/solid.obj'/>"
                               "</geometry></collision></link></robot>";
    const char *forms[9] = {include, include, mesh, meshdir, meshdir, attach, attach, urdf, urdf};
    for (int i = 0; i < 9; ++i) {
        const char *where = i == 2 || i == 1 || i == 4 || i == 6 || i == 8 ? at : up;
        snprintf(text[i], sizeof text[i], forms[i], where);
        int32_t shapes;
        assert_int_equal(read_in(folder, text[i], i >= 7, 0, &shapes), ABUT_ERROR_FORMAT);
        if (read_in(folder, text[i], i >= 7, 1, &shapes) != ABUT_OK || shapes != 1)
            fail_msg("%s: %d shapes", text[i], (int)shapes);
    }
    tool_close(&tool);
}

/* Every cut of a good file is refused, and none leaves a scene behind. */
static void test_cuts(void **state) {
    (void)state;
    char path[1000];
    snprintf(path, sizeof path, "%s/scenes/table.xml", ABUT_SOURCE_DIR);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char text[5000];
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    AbutError error;
    assert_int_equal(parse(text, NULL, &error), ABUT_OK);
    size_t whole = (size_t)(strstr(text, "</mujoco>") - text) + 9;
    for (size_t cut = whole - 1; cut > 0; cut -= cut > 7 ? 7 : cut) {
        text[cut] = 0;
        assert_int_not_equal(parse(text, NULL, &error), ABUT_OK);
    }
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_content), cmocka_unit_test(test_not_simulated),
        cmocka_unit_test(nested_files_and_links), cmocka_unit_test(test_xml), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_files), cmocka_unit_test(test_outside), cmocka_unit_test(test_cuts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
