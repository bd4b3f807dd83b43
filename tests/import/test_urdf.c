/* SPDX-License-Identifier: Apache-2.0 */
/* URDF into models: trees, joints, masses, shapes, packages, and what is refused, with the line. */
#include "support/check.h"
#include "import/parse.h"

#include <string.h>
#include <sys/stat.h>

#include "abut/import.h"
#include "support/tool.h"
#include "support/tree_of.h"

static char warnings[20000];
static AbutError error;

static void on_warning(const char *text, void *user) {
    (void)user;
    if (strlen(warnings) + strlen(text) + 2 < sizeof warnings) strcat(strcat(warnings, text), "\n");
}

static AbutStatus parse(const char *inside, const AbutModelReadOptions *given, AbutModel **out) {
    static char text[20000];
    AbutModelReadOptions options = {0};
    if (given) options = *given;
    options.warn = on_warning;
    warnings[0] = 0;
    snprintf(text, sizeof text, "<robot name='r'>\n%s\n</robot>", inside);
    return abut_model_parse_urdf(text, strlen(text), "r.urdf", &options, out, &error);
}

static AbutModel *read_text(const char *inside) {
    AbutModel *model;
    good(parse(inside, NULL, &model), &error);
    return model;
}

static void refuse(const char *inside, AbutStatus status, const char *part) {
    AbutModel *model;
    if (parse(inside, NULL, &model) != status || !strstr(error.text, part) || strncmp(error.text, "r.urdf", 6) != 0)
        fail_msg("%s\n gave '%s', expected '%s'", inside, error.text, part);
}

#define MASS "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
#define JOINT(name, type, parent, child, more)                                                                         \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" more "</joint>\n"

static void test_tree(void **state) {
    (void)state;
    AbutModel *model = read_text(
        "<link name='tip'>" MASS "</link><link name='base'/><link name='a'>" MASS
        "</link><link name='flange'/>\n" JOINT("j2", "prismatic", "a", "tip",
            "<origin xyz='0 0 1'/><axis xyz='0 0 2'/><limit lower='-1' upper='2' effort='30' velocity='1'/>")
            JOINT("j1", "revolute", "base", "a",
                "<origin xyz='1 2 3' rpy='0.1 0.2 0.3'/><limit lower='-1' upper='1' effort='0'/>"
                "<dynamics damping='.5' friction='.25'/><safety_controller/>")
                JOINT("f", "fixed", "tip", "flange", "<origin xyz='0 .5 0'/>") JOINT("m", "continuous", "base", "w",
                    "<mimic joint='j1' multiplier='-2' offset='.1'/>") "<link "
                                                                       "name='w'>" MASS "</link><gazebo/>");
    assert_int_equal(model->body_count, 5);
    assert_string_equal(model->bodies[0].name, "base");
    assert_string_equal(model->bodies[1].name, "a"); /* in the order of the joints, from the root */
    assert_string_equal(model->bodies[2].name, "tip");
    assert_string_equal(model->bodies[3].name, "flange");
    assert_int_equal(model->bodies[0].kind, ABUT_BODY_STATIC);
    assert_int_equal(model->joint_count, 3);
    assert_string_equal(model->joints[0].name, "j1");
    CHECK_VEC_NEAR(model->joints[0].axis, abut_axis(0), 0); /* of URDF, when none is given */
    CHECK_NEAR(model->joints[0].damping, 0.5, 0);
    CHECK_NEAR(model->joints[0].friction_loss, 0.25, 0);
    assert_int_equal(model->joints[0].force_limited, 0);
    assert_int_equal(model->joints[1].kind, ABUT_JOINT_SLIDE);
    CHECK_VEC_NEAR(model->joints[1].axis, abut_axis(2), 0);
    CHECK_NEAR(model->joints[1].force_range[0], -30.0, 0);
    assert_int_equal(model->joints[2].limited, 0);
    CHECK_NEAR(model->equalities[0].polynomial[1], -2.0, 0);
    CHECK_NEAR(model->equalities[0].polynomial[0], 0.1, 0);
    /* fixed axes: first about x, then y, then z */
    AbutQuat q = abut_quat_mul(abut_quat_axis_angle(abut_axis(2), 0.3),
        abut_quat_mul(abut_quat_axis_angle(abut_axis(1), 0.2), abut_quat_axis_angle(abut_axis(0), 0.1)));
    CHECK_NEAR(fabs(abut_quat_dot(q, model->bodies[1].pose.q)), 1.0, 1e-15);
    assert_non_null(strstr(warnings, "<safety_controller>: is ignored ("));
    assert_non_null(strstr(warnings, "more like it: <gazebo>)\n"));
    CHECK_VEC_NEAR(model->gravity, abut_vec3(0.0, 0.0, -9.80665), 0);
    abut_model_free(model);
}

static void test_links(void **state) {
    (void)state;
    AbutModel *model =
        read_text("<link name='l'><inertial><origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/><mass value='3'/>"
                  "<inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/></inertial>"
                  "<collision name='c'><origin xyz='0 0 1'/><geometry><box size='2 4 6'/></geometry></collision>"
                  "<collision><geometry><cylinder radius='.5' length='3'/></geometry></collision>"
                  "<visual><geometry><sphere radius='2'/></geometry><material name='m'/></visual>"
                  "<visual><geometry><mesh filename='gone.dae'/></geometry></visual>"
                  "<contact><lateral_friction value='.9'/></contact></link>");
    CHECK_VEC_NEAR(model->bodies[0].center, abut_axis(0), 0);
    CHECK_NEAR(model->bodies[0].inertia.x.x, 2.0, 1e-12);
    assert_int_equal(model->shape_count, 3);
    CHECK_VEC_NEAR(model->shapes[0].form.size, abut_vec3(1, 2, 3), 0);
    CHECK_NEAR(model->shapes[0].material.friction, 0.9, 0);
    CHECK_NEAR(model->shapes[1].form.size.z, 1.5, 0);
    assert_int_equal(model->shapes[2].visual, 1);
    assert_non_null(strstr(warnings, "only drawn"));
    abut_model_free(model);
    AbutModelReadOptions options = {.free_root = 1};
    good(parse("<link name='l'>" MASS "</link>", &options, &model), &error);
    assert_int_equal(model->bodies[0].kind, ABUT_BODY_DYNAMIC);
    abut_model_free(model);
    model = read_text("<link name='w'/><link name='l'>" MASS "</link>" JOINT("f", "floating", "w", "l", ""));
    assert_int_equal(model->bodies[1].kind, ABUT_BODY_DYNAMIC);
    assert_string_equal(model->bodies[1].joint_name, "f");
    abut_model_free(model);
    model = read_text("<link name='w'/><link name='t'/><link name='l'>" MASS
                      "</link>" JOINT("o", "fixed", "w", "t", "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>")
                          JOINT("f", "floating", "t", "l", "<origin xyz='1 0 0'/>"));
    assert_int_equal(model->bodies[2].kind, ABUT_BODY_DYNAMIC);
    CHECK_VEC_NEAR(model->bodies[2].pose.p, abut_vec3(1, 3, 3), 1e-15);
    abut_model_free(model);
    /* what moves without any <inertial> has the mass of its shapes, with what is fixed to it; else shapes have none */
    const char *box = "<collision><geometry><box size='1 .1 .1'/></geometry></collision></link>";
    static const char *const first[] = {"", MASS, ""}, *const second[] = {"", "", MASS};
    static const double total[] = {20.0, 2.0, 2.0};
    for (int i = 0; i < 3; ++i) {
        char links[1500];
        snprintf(links, sizeof links, "<link name='a'>%s<link name='b'>%s%s<link name='c'>%s%s%s%s", box, first[i], box,
            second[i], box, JOINT("j", "continuous", "a", "b", ""), JOINT("f", "fixed", "b", "c", ""));
        model = read_text(links);
        assert_true(!strstr(warnings, "no <inertial>") == (i > 0));
        AbutConfiguration *c;
        good(configuration_of(model, &c, &error), &error);
        CHECK_NEAR(abut_configuration_mass(c), total[i], 1e-12);
        abut_configuration_free(c);
        abut_model_free(model);
    }
    refuse("<link name='a'/><link name='b'>" MASS "</link><link name='c'>" MASS
           "</link>" JOINT("j", "continuous", "a", "b", "") JOINT("f", "floating", "b", "c", ""),
        ABUT_ERROR_UNSUPPORTED, "a floating joint leads away from a link that is fixed to the world");
    model = read_text("<link name='a'/><link name='b'>" MASS
                      "</link>\n" JOINT("j", "revolute", "a", "b", "<limit lower='0' upper='1' effort='-1'/>"));
    assert_non_null(strstr(warnings, "r.urdf:3: <limit>: effort -1 is taken as no limit"));
    assert_false(model->joints[0].force_limited);
    abut_model_free(model);
    model = read_text("<link name='l'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3'/></inertial></link>");
    assert_non_null(strstr(warnings, "those of no solid"));
    CHECK_NEAR(model->bodies[0].inertia.z.z, 2.0, 1e-12);
    abut_model_free(model);
}

static void test_refused(void **state) {
    (void)state;
    refuse(
        "<link name='a'/><link name='a'/>", ABUT_ERROR_FORMAT, "r.urdf:2: <link>: attribute name: expected a new name");
    refuse("<link name='a'/>\n" JOINT("j", "fixed", "a", "b", ""), ABUT_ERROR_FORMAT, "r.urdf:3: <child>");
    /* empty attributes are as absent: those that are needed are missed, the others have their defaults */
    refuse("<link name=''/>", ABUT_ERROR_FORMAT, "<link>: attribute name: expected a name, got nothing");
    refuse("<link name='a'><collision><geometry><mesh filename=''/></geometry></collision></link>", ABUT_ERROR_FORMAT,
        "<mesh>: attribute filename: expected a file, got nothing");
    refuse("<link name='a'/><link name='b'/>" JOINT("j", "", "a", "b", ""), ABUT_ERROR_FORMAT,
        "<joint>: attribute type: expected one of revolute");
    AbutModel *model;
    good(parse("<link name='a'/><link name='b'/>" JOINT("j", "fixed", "a", "b", "<origin xyz='' rpy='0 0 1'/>"), NULL,
             &model),
        &error);
    abut_model_free(model);
    refuse("<link name='a'/><link name='b'/><link name='c'/>\n" JOINT("j", "fixed", "a", "c", "")
               JOINT("k", "fixed", "b", "c", ""),
        ABUT_ERROR_FORMAT, "r.urdf:4: <joint>: link 'c' has two parents");
    refuse("<link name='a'/><link name='b'/>" JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "b", "a", ""),
        ABUT_ERROR_FORMAT, "cycle");
    refuse("<link name='a'/><link name='b'/>", ABUT_ERROR_FORMAT, "expected one tree");
    refuse("<link name='r'/><link name='a'/><link name='b'/>" JOINT("j", "fixed", "a", "b", "")
               JOINT("k", "fixed", "b", "a", ""),
        ABUT_ERROR_FORMAT, "without cycles");
    refuse("<link name='a'/><link name='b'/>\n" JOINT("j", "continuous", "a", "b", ""), ABUT_ERROR_DEGENERATE,
        "r.urdf:2: body 'b' moves and has no mass");
    refuse("<link name='a'/><link name='b'>" MASS "</link>\n" JOINT("j", "revolute", "a", "b", ""), ABUT_ERROR_FORMAT,
        "r.urdf:3: <joint>: expected <limit> in joint 'j', got none");
    refuse("<link name='a'/><link name='b'>" MASS "</link>\n" JOINT("j", "prismatic", "a", "b", ""), ABUT_ERROR_FORMAT,
        "r.urdf:3: <joint>: expected <limit> in joint 'j'");
    refuse("<link name='a'/><link name='b'>" MASS
           "</link>\n" JOINT("j", "continuous", "a", "b", "\n<origin xyz='0 -1e61 0'/>"),
        ABUT_ERROR_NUMBER, "r.urdf:4: <origin>: attribute xyz: expected numbers of at most 1e+60");
    refuse("<link name='a'/><link name='b'>" MASS
           "</link>\n" JOINT("j", "revolute", "a", "b", "<limit lower='1' upper='-1'/>"),
        ABUT_ERROR_FORMAT, "r.urdf:3: <limit>: expected lower at most upper");
    refuse("<link name='a'/><link name='b'/>" JOINT("j", "planar", "a", "b", ""), ABUT_ERROR_UNSUPPORTED, "type");
    refuse("<link name='a'/><link name='b'>" MASS "</link>" JOINT("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>"),
        ABUT_ERROR_FORMAT, "expected a direction");
    refuse("<link name='a'/><link name='b'>" MASS "</link>" JOINT("j", "continuous", "a", "b", "<mimic joint='gone'/>"),
        ABUT_ERROR_FORMAT, "<mimic>");
    refuse("<link name='a'><collision><geometry><mesh filename='part.dae'/></geometry></collision></link>",
        ABUT_ERROR_FORMAT, "attribute filename");
    refuse("<link name='a'><collision><geometry><mesh filename='part.dae' scale='1 1'/></geometry></collision></link>",
        ABUT_ERROR_FORMAT, "attribute scale: expected 3 finite numbers, got '1 1'");
    refuse("<link name='a'><collision><geometry><box size='1 2'/></geometry></collision></link>", ABUT_ERROR_FORMAT,
        "attribute size: expected 3 finite numbers, got '1 2'");
    refuse("<link name='a'><inertial><mass value='nan'/></inertial></link>", ABUT_ERROR_FORMAT, "attribute value");
    refuse("<link name='a'><inertial><mass value='1'/><inertia ixx='-1'/></inertial></link>", ABUT_ERROR_FORMAT,
        "moments of at least 0");
    refuse("", ABUT_ERROR_FORMAT, "expected a <link>");
    refuse("<xacro:macro name='x'/>", ABUT_ERROR_FORMAT, "Namespace prefix xacro");
}

static void check_root(Tool *tool, const char *text, const char *part) {
    char path[600];
    AbutModel *model;
    AbutModelReadOptions options = {.warn = on_warning};
    warnings[0] = 0;
    tool_file(tool, "root.xml", text);
    snprintf(path, sizeof path, "%s/root.xml", tool->folder);
    AbutStatus status = abut_model_read(path, &options, &model, &error);
    if (!part || *part == '<') {
        good(status, &error);
        assert_true(part ? strstr(warnings, part) != NULL : !*warnings);
    } else if (!status || !strstr(error.text, part))
        fail_msg("%s\n gave '%s', expected '%s'", text, error.text, part);
    abut_model_free(model);
}

/* The root element says what a file is, not words in comments, values or inner elements. */
static void test_root(void **state) {
    (void)state;
    Tool tool = tool_open();
    check_root(&tool, "<?xml version='1.0'?>\n<!-- was <mujoco model='m'/> -->\n<robot><link name='a'/></robot>", NULL);
    check_root(&tool, "<robot><link name='a'/><!-- <xacro:macro/> <mujoco> --></robot>", NULL);
    check_root(&tool, "<robot><mujoco><compiler/></mujoco><link name='a'/></robot>", "<mujoco>: is ignored");
    check_root(&tool, "\xEF\xBB\xBF<robot\n><link name='a'/></robot>", NULL);
    check_root(&tool, "<!-- <robot> --><mujoco><worldbody><geom size='1'/></worldbody></mujoco>", NULL);
    check_root(&tool, "<?xml version=\"0.0\" ?>\n<robot><link name='a'/></robot>", NULL);
    check_root(&tool, "<?xml version='0.0' ?>\n<robot>\n<link/></robot>",
        "root.xml:3: <link>: attribute name: expected a name, got nothing");
    check_root(&tool, "<?xml version='0.0'", "expected well-formed XML");
    check_root(&tool, "<robots/>", "expected root element <mujoco>");
    check_root(&tool, "<robot/>", "expected a <link>");
    check_root(&tool, "<robot", "expected well-formed XML");
    check_root(&tool, "<!-- <robot>", "root.xml");
    check_root(&tool, "", "root.xml");
    check_root(&tool, "<robot><xacro:macro name='x'/></robot>", "Namespace prefix xacro");
    tool_close(&tool);
}

/* The same mesh by a table, by walking up, and beside the file; and the two readers behind one. */
static void test_files(void **state) {
    (void)state;
    static const char mesh[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    Tool tool = tool_open();
    char folder[400], path[600];
    AbutModel *model;
    snprintf(folder, sizeof folder, "%s/pack", tool.folder);
    mkdir(folder, 0755);
    snprintf(folder, sizeof folder, "%s/pack/urdf", tool.folder);
    mkdir(folder, 0755);
    tool_file(&tool, "pack/part.obj", mesh);
    tool_file(&tool, "pack/urdf/near.obj", mesh);
    tool_file(&tool, "pack/urdf/r.urdf",
        "<?xml version='1.0'?>\n<robot name='r'><link name='a'><collision><geometry><mesh filename="
        "'package://pack/part.obj' scale='2 2 -2'/></geometry></collision><collision><geometry><mesh "
        "filename='near.obj'/></geometry></collision></link></robot>");
    snprintf(path, sizeof path, "%s/pack/urdf/r.urdf", tool.folder);
    good(abut_model_read(path, NULL, &model, &error), &error);
    assert_int_equal(model->shape_count, 2);
    CHECK_NEAR(model->shapes[0].geometry->polyhedron->box.min.z, -2.0, 0);
    abut_model_free(model);
    snprintf(folder, sizeof folder, "%s/pack", tool.folder);
    AbutAttribute package = {"other", folder};
    AbutModelReadOptions options = {.package_count = 1, .packages = &package};
    good(parse("<link name='a'><collision><geometry><mesh filename='package://other/part.obj'/></geometry></collision>"
               "</link>",
             &options, &model),
        &error);
    abut_model_free(model);
#define ONE(file) "<link name='a'><collision><geometry><mesh filename='" file "'/></geometry></collision></link>"
    assert_int_equal(parse(ONE("package://other/../x.obj"), &options, &model), ABUT_ERROR_FORMAT);
    assert_int_equal(parse(ONE("package://gone/x.obj"), &options, &model), ABUT_ERROR_FILE);
    options.folder = tool.folder;
    assert_int_equal(parse(ONE("file:///etc/passwd"), &options, &model), ABUT_ERROR_FORMAT);
    assert_int_equal(parse(ONE("pack/gone.obj"), &options, &model), ABUT_ERROR_FILE);
    tool_file(&tool, "m.xml", "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
    snprintf(path, sizeof path, "%s/m.xml", tool.folder);
    good(abut_model_read(path, NULL, &model, &error), &error);
    abut_model_free(model);
    tool_close(&tool);
}

/* A mesh that is not convex: its hull, alone or with the mesh, or the pieces that cover it, which are reported;
 * mirrored as well. */
static void test_pieces(void **state) {
    (void)state;
    Tool tool = tool_open();
    AbutMesh mesh;
    AbutModel *model;
    char path[600];
    good(abut_mesh_make("cross", 500, NULL, &mesh, &error), &error);
    snprintf(path, sizeof path, "%s/cross.obj", tool.folder);
    good(abut_mesh_write(path, &mesh, &error), &error);
    abut_mesh_free(&mesh);
    for (int k = 0; k < 4; ++k) {
        AbutModelReadOptions options = {.folder = tool.folder, .convex_pieces = k == 1 || k == 2, .hulls = k == 0};
        good(parse(k == 2 ? ONE("cross.obj' scale='1 1 -1") : ONE("cross.obj"), &options, &model), &error);
        assert_true(k == 0 || k == 3 ? model->shape_count == 1 : model->shape_count >= 5);
        assert_int_equal(strstr(warnings, "mesh 'cross.obj' is not convex: it becomes") != NULL, k == 1 || k == 2);
        assert_int_equal(model->shapes[0].geometry->surface_closed, k == 3);
        double volume = 0;
        for (int i = 0; i < model->shape_count; ++i) volume += model->shapes[i].geometry->polyhedron->mass.volume;
        CHECK_NEAR(volume, k == 0 || k == 3 ? 0.143 / 3 : 0.013, 0.05 * volume); /* 13 cubes of 0.1 m, and their hull */
        abut_model_free(model);
    }
    tool_close(&tool);
}

/* Every cut of a file is refused or read, never more. */
static void test_cuts(void **state) {
    (void)state;
    static const char text[] = "<robot name='r'><link name='a'/><link name='b'>" MASS "</link>" JOINT("j", "revolute",
        "a", "b", "<origin xyz='1 2 3' rpy='1 2 3'/><axis xyz='1 2 3'/><limit lower='0' upper='1'/>") "</robot>";
    for (size_t n = 0; n < sizeof text; ++n) {
        AbutModel *model;
        AbutStatus status = abut_model_parse_urdf(text, n, "r.urdf", NULL, &model, &error);
        assert_int_equal(status == ABUT_OK, model != NULL);
        abut_model_free(model);
    }
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tree), cmocka_unit_test(test_links),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_root), cmocka_unit_test(test_files),
        cmocka_unit_test(test_pieces), cmocka_unit_test(test_cuts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
