/* SPDX-License-Identifier: Apache-2.0 */
/* MJCF into scenes: poses, shapes, masses, classes, filters, and our own scene files. */
#include "support/check.h"
#include "import/parse.h"

#include <string.h>

#include "abut/import.h"

static char warnings[20000];

static void on_warning(const char *text, void *user) {
    (void)user;
    if (strlen(warnings) + strlen(text) + 2 < sizeof warnings) {
        strcat(warnings, text);
        strcat(warnings, "\n");
    }
}

/* Model of the elements inside <mujoco>. */
static AbutModel *model_of(const char *inside) {
    static char text[100000];
    AbutModelReadOptions options = {.warn = on_warning};
    AbutError error = {0};
    AbutModel *model;
    warnings[0] = 0;
    snprintf(text, sizeof text, "<mujoco>\n%s\n</mujoco>", inside);
    good(abut_model_parse_mjcf(text, strlen(text), "test.xml", &options, &model, &error), &error);
    return model;
}

static AbutScene *placed(AbutModel *model) {
    AbutScene *scene = NULL;
    AbutError error = {0};
    assert_int_equal(abut_scene_create(&scene, NULL), ABUT_OK);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    abut_model_free(model);
    return scene;
}

static AbutScene *scene_of(const char *inside) { return placed(model_of(inside)); }

static AbutBodyState body_of(const AbutScene *scene, const char *name) {
    AbutBodyState state;
    AbutBodyId id = abut_scene_find_body(scene, name);
    if (!abut_scene_get_body(scene, id, &state)) fail_msg("no body %s", name);
    return state;
}

static AbutShapeDef shape_of(const AbutScene *scene, const char *body, int index) {
    AbutShapeDef state;
    AbutBodyId id = abut_scene_find_body(scene, body);
    if (!abut_scene_get_shape(scene, abut_scene_shape_at(scene, id, index), &state, NULL))
        fail_msg("no shape %d of %s", index, body);
    return state;
}

static void test_bodies(void **state) {
    (void)state;
    AbutScene *scene =
        scene_of("<worldbody><geom name='floor' type='plane' size='1 1 1' pos='0 0 -1'/>"
                 "<body name='table' pos='1 2 3'><geom type='box' size='1 2 3'/></body>"
                 "<body name='hand' mocap='true'><geom size='0.1'/></body>"
                 "<body pos='0 0 1'><freejoint/><geom type='box' size='.1 .2 .3' mass='6' rgba='1 0 0.5 1'/>"
                 "</body></worldbody>");
    assert_int_equal(abut_scene_body_count(scene), 4);
    assert_int_equal(body_of(scene, "world").kind, ABUT_BODY_STATIC);
    assert_int_equal(body_of(scene, "table").kind, ABUT_BODY_STATIC);
    assert_int_equal(body_of(scene, "hand").kind, ABUT_BODY_KINEMATIC);
    AbutBodyState box = body_of(scene, "body3");
    assert_int_equal(box.kind, ABUT_BODY_DYNAMIC);
    CHECK_NEAR(box.mass, 6.0, 1e-12);
    CHECK_NEAR(box.inertia.x.x, 6.0 / 3 * (0.04 + 0.09), 1e-12);
    CHECK_VEC_NEAR(box.pose.p, abut_vec3(0, 0, 1), 0);
    AbutShapeDef floor = shape_of(scene, "world", 0);
    assert_int_equal(floor.form.kind, ABUT_SHAPE_HALF_SPACE);
    assert_string_equal(floor.name, "floor");
    CHECK_VEC_NEAR(floor.pose.p, abut_vec3(0, 0, -1), 0);
    assert_int_equal(shape_of(scene, "body3", 0).color, 0xff0080);
    abut_scene_free(scene);
}

/* The same turn written in each way. */
static void test_orientations(void **state) {
    (void)state;
    AbutScene *scene = scene_of("<compiler angle='degree' eulerseq='zyx'/><worldbody>"
                                "<body name='a' quat='2 0 0 2'><geom size='1'/></body><body name='b' axisangle='0 0 3 "
                                "90'><geom size='1'/></body>"
                                "<body name='c' euler='90 0 0'><geom size='1'/></body><body name='d' xyaxes='0 2 0 -1 "
                                "1 0'><geom size='1'/></body>"
                                "<body name='e' zaxis='1 0 0'><geom size='1'/></body></worldbody>");
    for (const char *p = "abcd"; *p; ++p) {
        char name[2] = {*p, 0};
        AbutPose pose = body_of(scene, name).pose;
        CHECK_VEC_NEAR(abut_quat_rotate(pose.q, abut_axis(0)), abut_axis(1), 1e-15);
        CHECK_VEC_NEAR(abut_quat_rotate(pose.q, abut_axis(2)), abut_axis(2), 1e-15);
    }
    CHECK_VEC_NEAR(abut_quat_rotate(body_of(scene, "e").pose.q, abut_axis(2)), abut_axis(0), 1e-15);
    abut_scene_free(scene);
    /* intrinsic xyz: turn about x, then about the new y; extrinsic XYZ is the other order */
    scene = scene_of("<worldbody><body name='in' euler='90 90 0'><geom size='1'/></body></worldbody>");
    CHECK_VEC_NEAR(abut_quat_rotate(body_of(scene, "in").pose.q, abut_axis(2)), abut_axis(0), 1e-15);
    abut_scene_free(scene);
    scene = scene_of(
        "<compiler eulerseq='XYZ'/><worldbody><body name='out' euler='90 90 0'><geom size='1'/></body></worldbody>");
    CHECK_VEC_NEAR(abut_quat_rotate(body_of(scene, "out").pose.q, abut_axis(2)), abut_neg(abut_axis(1)), 1e-15);
    abut_scene_free(scene);
}

static void test_geoms(void **state) {
    (void)state;
    AbutScene *scene = scene_of(
        "<asset><mesh name='tetra' vertex='0 0 0 1 0 0 0 1 0 0 0 1' scale='3 1 -1' refpos='0 0 1'/></asset><worldbody>"
        "<geom type='capsule' fromto='0 0 0 0 4 0' size='0.5'/><geom type='cylinder' size='1 2'/>"
        "<geom type='ellipsoid' size='1 2 3' friction='0.3 1 1' density='5'/><geom type='mesh' mesh='tetra' "
        "condim='1'/>"
        "</worldbody>");
    AbutShapeDef capsule = shape_of(scene, "world", 0), cylinder = shape_of(scene, "world", 1);
    AbutShapeDef ellipsoid = shape_of(scene, "world", 2);
    assert_int_equal(capsule.form.kind, ABUT_SHAPE_CAPSULE);
    CHECK_VEC_NEAR(capsule.pose.p, abut_vec3(0, 2, 0), 1e-15);
    CHECK_NEAR(fabs(abut_quat_rotate(capsule.pose.q, abut_axis(2)).y), 1.0, 1e-15);
    CHECK_NEAR(capsule.form.size.x, 0.5, 0);
    CHECK_NEAR(capsule.form.size.z, 2.0, 1e-15);
    assert_int_equal(cylinder.form.kind, ABUT_SHAPE_CYLINDER);
    CHECK_NEAR(cylinder.form.size.z, 2.0, 0);
    CHECK_NEAR(ellipsoid.material.friction, 0.3, 0);
    CHECK_VEC_NEAR(ellipsoid.form.size, abut_vec3(1, 2, 3), 0);
    AbutShapeDef mesh = shape_of(scene, "world", 3);
    CHECK_NEAR(mesh.material.friction, 0.0, 0);
    assert_int_equal(mesh.geometry->polyhedron->vertex_count, 4);
    CHECK_VEC_NEAR(mesh.geometry->polyhedron->box.max, abut_vec3(3, 1, 1), 1e-15);
    CHECK_VEC_NEAR(mesh.geometry->polyhedron->box.min, abut_vec3(0, 0, 0), 1e-15);
    abut_scene_free(scene);
}

/* Settings come from the element, its class, the class's parents, in this order. */
static void test_classes(void **state) {
    (void)state;
    AbutScene *scene = scene_of(
        "<default><geom friction='0.9' size='1 2 3'/><default class='a'><geom type='box' friction='0.8'/>"
        "<default class='b'><geom size='7'/></default></default><default class='c'><geom friction='0.1'/></default>"
        "</default><worldbody><geom/><geom class='a'/><geom class='b'/><geom class='b' size='9 8' friction='0.5'/>"
        "<body name='inner' childclass='c'><geom/><body childclass='b'><geom/></body><body><geom "
        "class='a'/></body></body>"
        "</worldbody>");
    double friction[4] = {0.9, 0.8, 0.8, 0.5}, inner[3] = {0.1, 0.8, 0.8};
    for (int i = 0; i < 4; ++i) CHECK_NEAR(shape_of(scene, "world", i).material.friction, friction[i], 0);
    for (int i = 0; i < 3; ++i) CHECK_NEAR(shape_of(scene, "inner", i).material.friction, inner[i], 0);
    assert_int_equal(shape_of(scene, "world", 0).form.kind, ABUT_SHAPE_SPHERE);
    CHECK_VEC_NEAR(shape_of(scene, "world", 1).form.size, abut_vec3(1, 2, 3), 0);
    CHECK_VEC_NEAR(shape_of(scene, "world", 2).form.size, abut_vec3(7, 2, 3), 0);
    CHECK_VEC_NEAR(shape_of(scene, "world", 3).form.size, abut_vec3(9, 8, 3), 0);
    abut_scene_free(scene);
}

/* Two welded boxes have the mass of the one box they make together. */
static void test_welding(void **state) {
    (void)state;
    AbutScene *scene = scene_of(
        "<worldbody><body name='two' pos='5 0 0' euler='10 20 30'><joint type='free'/><geom type='box' size='.5 .5 .5' "
        "pos='-.5 0 0'/>"
        "<body pos='1 0 0' euler='90 0 0'><body pos='-0.5 0 0'><geom type='box' size='.5 .5 .5'/></body></body></body>"
        "<body name='one'><freejoint/><geom type='box' size='1 .5 .5'/></body></worldbody>");
    assert_int_equal(abut_scene_body_count(scene), 2);
    AbutBodyState two = body_of(scene, "two"), one = body_of(scene, "one");
    assert_int_equal(two.shape_count, 2);
    CHECK_NEAR(two.mass, one.mass, 1e-9);
    CHECK_VEC_NEAR(two.local_center, abut_zero(), 1e-15);
    for (int i = 0; i < 3; ++i)
        CHECK_VEC_NEAR(abut_mat3_apply(two.inertia, abut_axis(i)), abut_mat3_apply(one.inertia, abut_axis(i)), 1e-9);
    CHECK_VEC_NEAR(shape_of(scene, "two", 1).pose.p, abut_vec3(0.5, 0, 0), 1e-15);
    abut_scene_free(scene);
}

static void test_inertial(void **state) {
    (void)state;
    AbutScene *scene = scene_of(
        "<worldbody><body name='d'><freejoint/><inertial pos='1 2 3' mass='4' diaginertia='1 2 2.5' euler='0 0 90'/>"
        "<geom size='1'/></body><body name='f'><freejoint/><inertial pos='0 0 0' mass='1' fullinertia='3 3 3 0.5 0.1 "
        "0.2'/>"
        "</body></worldbody>");
    AbutBodyState d = body_of(scene, "d"), f = body_of(scene, "f");
    CHECK_NEAR(d.mass, 4, 0);
    CHECK_VEC_NEAR(d.local_center, abut_vec3(1, 2, 3), 0);
    CHECK_NEAR(d.inertia.x.x, 2, 1e-12);
    CHECK_NEAR(d.inertia.y.y, 1, 1e-12);
    CHECK_NEAR(f.inertia.x.y, 0.5, 1e-12);
    CHECK_NEAR(f.inertia.z.y, 0.2, 1e-12);
    abut_scene_free(scene);
}

static int may_meet(const AbutShapeDef *a, const AbutShapeDef *b) {
    return (a->category & b->mask) && (b->category & a->mask);
}

/* Friction of pairs: what they say, else what their geoms have. Numbers that MuJoCo 2.2.2 has too where all are said.
 */
static void pairs_have_friction_of_all_kinds(void **state) {
    (void)state;
    static const struct {
        const char *says;
        double friction, spinning, rolling;
        int warns;
    } cases[] = {{"", -1.0, -1.0, -1.0, 0}, {"friction='0.25'", 0.25, 0.0, 0.0, 0},
        {"friction='0.25 0.25 0.03 0.004 0.004'", 0.25, 0.0, 0.0, 0},
        {"friction='0.25 0.25 0.03 0.004 0.004' condim='4'", 0.25, 0.03, 0.0, 0},
        {"friction='0.25 0.2 0.03 0.004 0.004' condim='6'", 0.25, 0.03, 0.004, 1}, {"condim='6'", 0.4, 0.02, 0.002, 0},
        {"condim='1'", 0.0, 0.0, 0.0, 0}, {"margin='0.01'", -1.0, -1.0, -1.0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[800];
        snprintf(text, sizeof text,
            "<worldbody><geom name='a' type='plane' size='1 1 1' friction='0.3 0.01 0.002'/><body pos='0 0 1'>"
            "<freejoint/><geom name='b' size='0.1' friction='0.4 0.02 0.001'/></body></worldbody><contact><pair "
            "geom1='a' geom2='b' %s/></contact>",
            cases[i].says);
        AbutModel *model = model_of(text);
        assert_int_equal(model->pair_count, 1);
        const AbutPairDef *pair = &model->pairs[0];
        CHECK(pair->friction == cases[i].friction && pair->friction_spinning == cases[i].spinning);
        CHECK(pair->friction_rolling == cases[i].rolling && pair->restitution < 0.0 && pair->margin == 0.0);
        assert_int_equal(warnings[0] != 0, cases[i].warns);
        abut_model_free(model);
    }
}

/* Random contype and conaffinity: the model's rule gives what MJCF's rule gives; pairs, which overrule it, are kept. */
static void test_filters(void **state) {
    (void)state;
    enum { GEOMS = 12 };
    AbutRng rng = abut_rng(41, 1);
    int met = 0, apart = 0, cases = check_cases(200);
    for (int c = 0; c < cases; ++c) {
        char text[4000] = "<worldbody>";
        uint32_t type[GEOMS], affinity[GEOMS];
        int pair_a = (int)abut_rng_below(&rng, GEOMS), pair_b = (int)abut_rng_below(&rng, GEOMS - 1);
        pair_b += pair_b >= pair_a;
        for (int i = 0; i < GEOMS; ++i) {
            type[i] = abut_rng_below(&rng, 8);
            affinity[i] = abut_rng_below(&rng, 8);
            size_t n = strlen(text);
            snprintf(text + n, sizeof text - n, "<geom name='g%d' size='1' contype='%u' conaffinity='%u'/>", i, type[i],
                affinity[i]);
        }
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "</worldbody><contact><pair geom1='g%d' geom2='g%d'/></contact>", pair_a,
            pair_b);
        AbutModel *model = model_of(text);
        assert_int_equal(model->pair_count, 1);
        assert_true(model->pairs[0].a == pair_a && model->pairs[0].b == pair_b && !model->pairs[0].exclude);
        for (int i = 0; i < GEOMS; ++i)
            for (int j = i + 1; j < GEOMS; ++j) {
                int expected = (type[i] & affinity[j]) || (type[j] & affinity[i]);
                if (!may_meet(&model->shapes[i], &model->shapes[j]) != !expected)
                    fail_msg("case %d: g%d and g%d", c, i, j);
                met += expected;
                apart += !expected;
            }
        for (int i = 0; i < GEOMS; ++i)
            assert_int_equal(model->shapes[i].visual, !type[i] && !affinity[i] && i != pair_a && i != pair_b);
        abut_model_free(model);
    }
    assert_true(met > cases * 10 && apart > cases);
}

static void count_warning(const char *text, void *user) {
    char **out = user;
    *out += sprintf(*out, "%s\n", text);
}

/* One line per kind: names and numbers do not make one; all of them on request. A file without a step has that of
 * the format. */
static void test_grouped_warnings(void **state) {
    (void)state;
    const char *text = "<mujoco><asset>\n<mesh name='a' file='a1.obj'/>\n<mesh name='b' file='b22.obj'/></asset>"
                       "<worldbody><geom type='mesh' mesh='a' contype='0' conaffinity='0'/>"
                       "<geom type='mesh' mesh='b' contype='0' conaffinity='0'/></worldbody></mujoco>";
    for (int all = 0; all < 2; ++all) {
        char told[2000] = "", *at = told;
        AbutModelReadOptions options = {.warn = count_warning, .user = &at, .all_warnings = all, .folder = "/nowhere"};
        AbutModel *model;
        AbutError error;
        good(abut_model_parse_mjcf(text, strlen(text), "m.xml", &options, &model, &error), &error);
        CHECK_NEAR(model->timestep, 0.002, 0.0);
        abut_model_free(model);
        int lines = 0;
        for (const char *p = told; *p; ++p) lines += *p == '\n';
        assert_int_equal(lines, 1 + all);
        assert_non_null(strstr(told, all ? "m.xml:2: <mesh>: mesh 'a' is not drawn: it is not found\n"
                                         : "m.xml:2: <mesh>: mesh 'a' is not drawn: it is not found (and 1 more"));
    }
}

static void test_warnings(void **state) {
    (void)state;
    AbutScene *scene = scene_of(
        "<visual/>\n<worldbody>\n<light/><geom size='1' solref='1 1'/>\n<geom size='1' solref='1 1'\n margin='0'/>"
        "<geom size='1' contype='0' conaffinity='0'/></worldbody><sensor><user dim='1'/></sensor>");
    assert_int_equal(body_of(scene, "world").shape_count, 3);
    assert_int_equal(shape_of(scene, "world", 1).visual, 0);
    assert_int_equal(shape_of(scene, "world", 2).visual, 1);
    assert_non_null(strstr(warnings, "test.xml:2: <visual>: is ignored (and 1 more like it: <light>)\n"));
    const char *line = "test.xml:4: <geom>: attribute solref is ignored (and 2 more like it: <geom> margin)\n";
    assert_non_null(strstr(warnings, line));
    assert_null(strstr(warnings, "test.xml:5: <geom>"));
    assert_non_null(strstr(warnings, "<sensor>: is not simulated"));
    abut_scene_free(scene);
    /* What a class sets counts like what an element sets, once for both. */
    scene =
        scene_of("<default>\n<geom solref='1 1'/><default class='c'><joint solreflimit='1 1'/></default></default>\n"
                 "<worldbody><geom size='1' solref='1 1'/></worldbody>");
    line = "test.xml:3: <geom>: attribute solref is ignored (and 2 more like it: <joint> solreflimit)\n";
    assert_non_null(strstr(warnings, line));
    assert_null(strstr(warnings, "test.xml:4: <geom>"));
    abut_scene_free(scene);
}

/* What each body becomes, and the joints of the links. */
static void test_kinds_of_bodies(void **state) {
    (void)state;
    AbutModel *model = model_of(
        "<worldbody><body name='table'><geom size='1'/></body><body name='hand' mocap='true'/>"
        "<body name='box'><freejoint/><geom size='1'/><body name='lid'><geom size='1' mass='0'/></body></body>\n"
        "<body name='door'><joint name='hinge' range='0 90'/><geom size='1'/>"
        "<body name='knob' pos='1 0 0'><joint type='slide' axis='2 0 0'/><joint type='ball'/><geom size='1'/></body>"
        "</body></worldbody><contact><exclude body1='door' body2='world'/></contact>");
    static const AbutBodyKind kinds[] = {
        ABUT_BODY_STATIC, ABUT_BODY_KINEMATIC, ABUT_BODY_DYNAMIC, ABUT_BODY_LINK, ABUT_BODY_LINK, ABUT_BODY_LINK};
    static const int parents[] = {-1, -1, -1, 2, -1, 4};
    assert_int_equal(model->body_count, 6); /* nothing stands for the world, which has no geom */
    for (int i = 0; i < 6; ++i) assert_true(model->bodies[i].kind == kinds[i] && model->bodies[i].parent == parents[i]);
    assert_int_equal(model->joint_count, 3);
    assert_true(model->joints[0].kind == ABUT_JOINT_HINGE && model->joints[0].body == 4);
    assert_string_equal(model->joints[0].name, "hinge");
    CHECK_NEAR(model->joints[0].range[1], 0.5 * ABUT_PI, 1e-15);
    assert_true(model->joints[0].limited && model->joints[0].source.line == 3);
    assert_int_equal(model->joints[1].kind, ABUT_JOINT_SLIDE);
    CHECK_VEC_NEAR(model->joints[1].axis, abut_axis(0), 0);
    assert_int_equal(model->joints[2].kind, ABUT_JOINT_BALL);
    assert_int_equal(abut_model_next_joint(model, 5, 1), 2);
    CHECK_NEAR(model->bodies[4].mass, 1000.0 * 4.0 / 3.0 * ABUT_PI, 1e-9); /* of the sphere, not of its polyhedron */
    CHECK_NEAR(model->bodies[3].mass, 0.0, 0);
    CHECK_NEAR(model->shapes[abut_model_next_shape(model, 3, -1)].density, 0.0, 0); /* so that it stays 0 */
    assert_int_equal(model->pair_count, 0);
    abut_model_free(model);
}

/* Meshes that are only drawn may be missing; those that touch or weigh may not; without meshes none is looked for. */
static void test_meshes_for_the_eye(void **state) {
    (void)state;
#define MESH_WORLD(more, inside)                                                                                       \
    "<asset><mesh name='m' file='gone.obj'/></asset><worldbody><geom size='1'/>" more                                  \
    "<geom type='mesh' mesh='m' " inside "/></worldbody>"
    AbutModel *model = model_of(MESH_WORLD("", "contype='0' conaffinity='0'"));
    assert_int_equal(model->shape_count, 1);
    assert_non_null(strstr(warnings, "<mesh>: mesh 'm' is not drawn"));
    abut_model_free(model);
    static const char *const text = "<mujoco>" MESH_WORLD("", "") "</mujoco>";
    AbutModelReadOptions options = {.without_meshes = 1};
    AbutError error;
    assert_int_equal(abut_model_parse_mjcf(text, strlen(text), "m.xml", NULL, &model, &error), ABUT_ERROR_FORMAT);
    assert_int_equal(abut_model_parse_mjcf(text, strlen(text), "m.xml", &options, &model, &error), ABUT_OK);
    assert_int_equal(model->shape_count, 1);
    abut_model_free(model);
}

static void test_scene_files(void **state) {
    (void)state;
    static const struct {
        const char *file;
        int bodies, shapes;
    } files[] = {{"table", 6, 10}, {"mixed", 10, 14}, {"domino", 5, 5}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char path[1000];
        AbutError error = {0};
        AbutModel *model;
        AbutModelReadOptions options = {.warn = on_warning};
        warnings[0] = 0;
        snprintf(path, sizeof path, "%s/scenes/%s.xml", ABUT_SOURCE_DIR, files[i].file);
        good(abut_model_read(path, &options, &model, &error), &error);
        CHECK_NEAR(model->gravity.z, -9.81, 0);
        CHECK_NEAR(model->timestep, 0.001, 0);
        AbutScene *scene = placed(model);
        assert_string_equal(warnings, "");
        assert_int_equal(abut_scene_body_count(scene), files[i].bodies);
        int shapes = 0;
        for (int k = 0; k < files[i].bodies; ++k) shapes += abut_scene_shape_count(scene, abut_scene_body_at(scene, k));
        assert_int_equal(shapes, files[i].shapes);
        abut_scene_free(scene);
    }
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_have_friction_of_all_kinds),
        cmocka_unit_test(test_bodies), cmocka_unit_test(test_orientations), cmocka_unit_test(test_geoms),
        cmocka_unit_test(test_classes), cmocka_unit_test(test_welding), cmocka_unit_test(test_inertial),
        cmocka_unit_test(test_filters), cmocka_unit_test(test_warnings), cmocka_unit_test(test_grouped_warnings),
        cmocka_unit_test(test_kinds_of_bodies), cmocka_unit_test(test_meshes_for_the_eye),
        cmocka_unit_test(test_scene_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
