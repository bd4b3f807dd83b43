/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of MJCF that robots need: frames, replicate, attach, sites, actuators, equalities, tendons, keyframes, mass
 * rules of meshes. Poses and names of copies are those that MuJoCo 3.14 gives for the same text.
 */
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

static AbutModel *read_in(const char *folder, const char *inside) {
    static char text[60000];
    AbutModelReadOptions options = {.warn = on_warning, .folder = folder};
    AbutModel *model;
    warnings[0] = 0;
    snprintf(text, sizeof text, "<mujoco>\n%s\n</mujoco>", inside);
    good(abut_model_parse_mjcf(text, strlen(text), "test.xml", &options, &model, &error), &error);
    return model;
}

static AbutModel *read_text(const char *inside) { return read_in(NULL, inside); }

static void refuse(const char *inside, AbutStatus status, const char *part) {
    char text[4000];
    AbutModel *model;
    snprintf(text, sizeof text, "<mujoco>\n%s\n</mujoco>", inside);
    if (abut_model_parse_mjcf(text, strlen(text), "bad.xml", NULL, &model, &error) != status ||
        !strstr(error.text, part) || strncmp(error.text, "bad.xml:", 8) != 0)
        fail_msg("%s\n gave '%s', expected '%s'", text, error.text, part);
}

static void check_pose(const AbutModel *model, const char *name, AbutVec3 p) {
    AbutConfiguration *c;
    int32_t body = abut_model_find(model, ABUT_MODEL_BODY, name);
    if (body < 0) fail_msg("no body %s", name);
    good(configuration_of(model, &c, &error), &error);
    CHECK_VEC_NEAR(abut_configuration_body_pose(c, body).p, p, 1e-12);
    abut_configuration_free(c);
}

static void check_turn(const AbutModel *model, const char *name, AbutQuat q) {
    AbutConfiguration *c;
    good(configuration_of(model, &c, &error), &error);
    AbutQuat found = abut_configuration_body_pose(c, abut_model_find(model, ABUT_MODEL_BODY, name)).q;
    CHECK_NEAR(fabs(found.w * q.w + found.x * q.x + found.y * q.y + found.z * q.z), 1.0, 1e-15);
    CHECK_NEAR(found.x, q.x, 1e-14);
    abut_configuration_free(c);
}

#define HEAVY "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"

static void test_frames(void **state) {
    (void)state;
    AbutModel *model =
        read_text("<default><default class='big'><geom size='.3'/></default></default><worldbody>"
                  "<body name='b0' pos='0 0 1'>" HEAVY "<frame pos='0 1 0' euler='0 0 90' childclass='big'>"
                  "<joint name='j' pos='.1 .2 0' axis='1 0 0'/><geom pos='1 0 0'/>"
                  "<site name='s' pos='.5 0 0'/><frame pos='0 0 2'><body name='b1' pos='1 0 0'>" HEAVY
                  "</body></frame></frame></body></worldbody>");
    CHECK_VEC_NEAR(model->joints[0].position, abut_vec3(-0.2, 1.1, 0), 1e-15);
    CHECK_VEC_NEAR(model->joints[0].axis, abut_axis(1), 1e-15);
    CHECK_VEC_NEAR(model->shapes[0].pose.p, abut_vec3(0, 2, 0), 1e-15);
    CHECK_NEAR(model->shapes[0].form.size.x, 0.3, 0);
    CHECK_VEC_NEAR(model->frames[0].pose.p, abut_vec3(0, 1.5, 0), 1e-15);
    assert_int_equal(model->frames[0].body, 0);
    check_pose(model, "b1", abut_vec3(0, 2, 3));
    abut_model_free(model);
}

static void test_replicate(void **state) {
    (void)state;
    AbutModel *model = read_text(
        "<worldbody><replicate count='12' offset='1 0 0' euler='0 0 90'><body name='r' pos='0 .1 0'>" HEAVY
        "<joint name='rj'/><site name='rs'/></body></replicate><body name='other'>" HEAVY
        "<joint name='oj'/></body></worldbody><actuator><motor name='rm' joint='rj'/><motor name='om' joint='oj'/>"
        "</actuator><contact><exclude body1='r' body2='other'/></contact>");
    assert_int_equal(model->body_count, 13);
    check_pose(model, "r00", abut_vec3(0, 0.1, 0));
    check_pose(model, "r01", abut_vec3(0.9, 0, 0));
    check_pose(model, "r02", abut_vec3(1, 0.9, 0));
    check_pose(model, "r11", abut_vec3(0.1, 1, 0));
    assert_int_equal(model->actuator_count, 13); /* copies stand behind the others */
    assert_string_equal(model->actuators[0].name, "om");
    assert_string_equal(model->actuators[12].name, "rm11");
    assert_int_equal(model->actuators[12].number, abut_model_find(model, ABUT_MODEL_JOINT, "rj11"));
    assert_int_equal(model->pair_count, 12);
    assert_true(abut_model_find(model, ABUT_MODEL_FRAME, "rs07") >= 0);
    abut_model_free(model);
    model = read_text("<worldbody><replicate count='2' sep='_' offset='0 0 1'><replicate count='3' offset='1 0 0'>"
                      "<body name='b'/></replicate></replicate></worldbody>");
    assert_int_equal(model->body_count, 6);
    check_pose(model, "b2_1", abut_vec3(2, 0, 1));
    abut_model_free(model);
    model = read_text("<compiler angle='radian'/><worldbody><replicate count='3' euler='0 .3 .5' offset='.1 .2 .3'>"
                      "<body name='b' pos='.1 .2 .3'/></replicate></worldbody>");
    check_turn(model, "b2", /* angles grow, each for itself */
        abut_quat(0.8383866435942036, 0.1416799342470381, 0.2593433800522308, 0.45801271084729195));
    abut_model_free(model);
    refuse("<worldbody><replicate count='-1'/></worldbody>", ABUT_ERROR_FORMAT, "attribute count");
    refuse("<worldbody><replicate count='100000'><replicate count='1000'><geom size='1'/></replicate></replicate>"
           "</worldbody>",
        ABUT_ERROR_LIMIT, "elements in all");
}

static void test_attach(void **state) {
    (void)state;
    Tool tool = tool_open();
    tool_file(&tool, "c.xml",
        "<mujoco><compiler angle='radian'/><default><geom size='.2'/></default><worldbody><geom name='wg' pos='0 0 7'/>"
        "<body name='root' pos='1 1 1'><joint name='rootj'/><geom/><body name='arm' pos='0 3 0'>"
        "<joint name='aj' range='0 .5'/><geom name='ag'/></body></body></worldbody><actuator>"
        "<position name='am' joint='aj' kp='4' inheritrange='1'/><motor name='rootm' "
        "joint='rootj'/></actuator></mujoco>");
    tool_file(&tool, "self.xml",
        "<mujoco><asset><model name='self' file='self.xml'/></asset><worldbody>"
        "<body><attach model='self' prefix='x'/></body></worldbody></mujoco>");
    AbutModel *model = read_in(tool.folder,
        "<asset><model name='c' file='c.xml'/></asset><worldbody><body name='host' pos='5 0 0'>" HEAVY
        "<joint name='hj'/><frame pos='0 0 2' euler='90 0 0'><attach model='c' body='arm' prefix='p_'/></frame>"
        "<attach model='c' prefix='w_'/></body></worldbody>");
    check_pose(model, "p_arm", abut_vec3(5, 0, 5));
    check_pose(model, "w_root", abut_vec3(6, 1, 1));
    check_pose(model, "w_arm", abut_vec3(6, 4, 1));
    assert_int_equal(model->actuator_count, 3);
    assert_string_equal(model->actuators[0].name, "p_am");
    assert_string_equal(model->actuators[2].name, "w_rootm");
    CHECK_NEAR(model->actuators[0].control_range[1], 0.5, 0); /* in the units of its own file */
    CHECK_NEAR(model->shapes[0].form.size.x, 0.2, 0);
    abut_model_free(model);
    char folder[400];
    snprintf(folder, sizeof folder, "%s/sub", tool.folder);
    mkdir(folder, 0755);
    snprintf(folder, sizeof folder, "%s/sub/parts", tool.folder);
    mkdir(folder, 0755);
    tool_file(&tool, "sub/parts/m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    tool_file(&tool, "sub/d.xml",
        "<mujoco><compiler meshdir='parts'/><asset><mesh file='m.obj'/></asset><worldbody><body name='d'>"
        "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
    model = read_in(tool.folder, "<asset><model name='d' file='sub/d.xml'/></asset><worldbody><body name='a'>"
                                 "<attach model='d' body='d' prefix='x'/></body></worldbody>");
    assert_int_equal(model->shape_count, 1); /* its meshes lie beside the attached file */
    abut_model_free(model);
    tool_file(&tool, "e.xml",
        "<mujoco><compiler boundmass='3'/><worldbody><body name='e'><joint/><geom size='.1' "
        "mass='1'/></body></worldbody>"
        "</mujoco>");
    model =
        read_in(tool.folder, "<compiler boundmass='5' settotalmass='-1'/><asset><model name='e' file='e.xml'/></asset>"
                             "<worldbody><body name='a'><joint/><geom size='.1' mass='1'/>"
                             "<attach model='e' body='e' prefix='x'/></body></worldbody>");
    CHECK_NEAR(model->bodies[0].mass, 5.0, 0); /* each by the bounds of its own file */
    CHECK_NEAR(model->bodies[1].mass, 3.0, 0);
    abut_model_free(model);
    AbutModelReadOptions options = {.folder = tool.folder};
    const char *endless = "<mujoco><asset><model name='s' file='self.xml'/></asset><worldbody><attach model='s' "
                          "prefix='a'/></worldbody></mujoco>";
    assert_int_equal(abut_model_parse_mjcf(endless, strlen(endless), "m", &options, &model, &error), ABUT_ERROR_LIMIT);
    refuse("<worldbody><attach model='gone' prefix='a'/></worldbody>", ABUT_ERROR_FORMAT, "attribute model");
    tool_close(&tool);
}

/* One default holds for all kinds of actuators, and each applies its own rules on top. */
static void test_actuators(void **state) {
    (void)state;
    AbutModel *model = read_text(
        "<compiler angle='radian'/><default><general ctrlrange='-1 1'/><position kp='7' kv='2'/>"
        "<default class='x'><motor gear='3'/></default></default><worldbody>"
        "<site name='s'/><body name='b'><site name='s1' pos='3 0 4'/>" HEAVY
        "<joint name='j' range='-1 3' armature='3'/></body>"
        "<body name='f'>" HEAVY "<freejoint name='fj'/></body></worldbody>"
        "<tendon><fixed name='t' springlength='.1 .2' stiffness='5'><joint joint='j' coef='2'/></fixed>"
        "<spatial name='sp' stiffness='1'><site site='s'/><site site='s1'/></spatial></tendon>"
        "<actuator><position name='pp' joint='j'/><general name='gg' joint='j'/><motor name='mm' class='x' joint='j'/>"
        "<velocity name='vv' joint='j' kv='5'/><position name='d' joint='j' kp='9' dampratio='1' inheritrange='.5'/>"
        "<motor name='ff' joint='fj' gear='0 0 1'/><motor name='tt' tendon='t'/><motor name='ss' site='s'/>"
        "<general name='lag' joint='j' dyntype='filter'/><muscle name='mu' joint='j'/><motor name='sps' site='s' "
        "refsite='s'/>"
        "</actuator><sensor><tendonpos name='st' tendon='t'/><tendonpos name='ssp' tendon='sp'/></sensor>"
        "<keyframe><key name='k' qpos='1 0 0 0 1 0 0 0' ctrl='1 2 3 4 5 6 7 8 9 10 11'/></keyframe>");
    const AbutActuatorDef *a = model->actuators;
    assert_int_equal(model->actuator_count, 10); /* the last one is kept as an element */
    CHECK_NEAR(a[0].gain, 7, 0);
    CHECK_NEAR(a[0].bias[1], -7, 0);
    CHECK_NEAR(a[0].bias[2], -2, 0);
    CHECK_NEAR(a[0].control_range[1], 1, 0);
    CHECK_NEAR(a[1].gain, 7, 0);
    CHECK_NEAR(a[2].gain, 1, 0);
    CHECK_NEAR(a[2].gear[0], 3, 0);
    CHECK_NEAR(a[2].bias[1], 0, 0);
    CHECK_NEAR(a[3].bias[2], -5, 0);
    CHECK_NEAR(a[3].bias[1], 0, 0);
    CHECK_NEAR(a[4].bias[2], -2.0 * sqrt(9.0 * 4.0), 1e-12); /* inertia 1 and armature 3 */
    CHECK_NEAR(a[4].control_range[0], 0.0, 1e-15);
    CHECK_NEAR(a[4].control_range[1], 2.0, 1e-15);
    assert_int_equal(a[5].target, ABUT_TARGET_BODY);
    assert_int_equal(a[6].target, ABUT_TARGET_TENDON);
    assert_int_equal(a[7].target, ABUT_TARGET_FRAME);
    assert_int_equal(a[8].dynamics, ABUT_ACTIVATION_FILTER);
    assert_true(a[9].muscle && a[9].dynamics == ABUT_ACTIVATION_MUSCLE);
    assert_int_equal(model->keyframes[0].control_count, 10);
    CHECK_NEAR(model->keyframes[0].controls[7], 8, 0);
    assert_int_equal(model->element_count, 1);
    assert_int_equal(model->sensor_count, 2);
    assert_non_null(strstr(warnings, "drives nothing"));
    CHECK_NEAR(model->tendons[0].rest[1], 0.2, 0);
    assert_int_equal(model->tendons[1].path_count, 2);
    CHECK_NEAR(model->tendons[1].rest[0], 5.0, 1e-15);
    abut_model_free(model);
}

static void check_servo(const AbutActuatorDef *a, double gain, double bias0, double bias1, double bias2) {
    CHECK_NEAR(a->gain, gain, 0);
    CHECK_NEAR(a->bias[0], bias0, 0);
    CHECK_NEAR(a->bias[1], bias1, 0);
    CHECK_NEAR(a->bias[2], bias2, 1e-9);
}

/* What a servo is follows from its numbers, not from its tag: values of MuJoCo 3.14. */
static void test_servos(void **state) {
    (void)state;
    AbutModel *model = read_text(
        "<compiler angle='radian'/><default><default class='g'><general biasprm='3 -4 -5' gainprm='7 8'"
        " biastype='affine'/></default><default class='p'><position kp='20' dampratio='.5'/></default>"
        "<default class='i'><position kp='20' inheritrange='.5'/></default></default><worldbody>"
        "<body><joint name='j' range='-1 3'/><geom size='.1' pos='1 0 0'/></body></worldbody>"
        "<tendon><fixed name='t'><joint joint='j' coef='-2'/></fixed></tendon><actuator>"
        "<position class='g' joint='j' kp='3'/><velocity class='g' joint='j' kv='3'/><motor class='g' joint='j'/>"
        "<general class='p' joint='j'/><velocity class='p' joint='j' kv='2'/><motor class='p' joint='j'/>"
        "<general joint='j' gainprm='10' biastype='affine' biasprm='1 -10 2'/><motor class='i' joint='j'/>"
        "<general class='i' joint='j'/><position tendon='t' kp='20' dampratio='.5'/></actuator>");
    const AbutActuatorDef *a = model->actuators;
    assert_int_equal(model->actuator_count, 10);
    check_servo(&a[0], 3, 3, -3, -5);
    check_servo(&a[1], 3, 0, 0, -3);
    check_servo(&a[2], 1, 0, 0, 0);
    check_servo(&a[3], 20, 0, -20, -9.171199883990685);
    check_servo(&a[4], 2, 0, 0, -2);
    check_servo(&a[5], 1, 0, 0, 0);
    check_servo(&a[6], 10, 1, -10, -25.940070518348364);
    check_servo(&a[9], 20, 0, -20, -9.171199883990685 / 2.0);
    assert_false(a[7].control_limited);
    assert_true(a[8].control_limited);
    CHECK_NEAR(a[8].control_range[1], 2.0, 1e-15);
    abut_model_free(model);
}

static void test_equalities(void **state) {
    (void)state;
    AbutModel *model = read_text(
        "<worldbody><body name='a' pos='1 0 0'>" HEAVY "<joint name='j'/><site name='sa' pos='0 0 1'/></body>"
        "<body name='b' pos='0 2 0' euler='0 0 90'>" HEAVY "<joint name='k'/><site name='sb' pos='0 0 2'/></body>"
        "</worldbody><equality><joint joint1='j' joint2='k' polycoef='0 2'/><joint joint1='j' active='false'/>"
        "<connect body1='a' body2='b' anchor='1 0 0'/><connect site1='sa' site2='sb'/><weld body1='a' body2='b'/>"
        "<weld body1='a' relpose='0 0 1 1 0 0 0' anchor='0 0 .5'/><tendon tendon1='t'/></equality>");
    const AbutEqualityDef *e = model->equalities;
    assert_int_equal(model->equality_count, 6);
    CHECK_NEAR(e[0].polynomial[1], 2, 0);
    assert_int_equal(e[1].b, -1);
    assert_int_equal(e[1].inactive, 1);
    CHECK_VEC_NEAR(e[2].pose_a.p, abut_axis(0), 0);
    CHECK_VEC_NEAR(e[2].pose_b.p, abut_vec3(-2, -2, 0), 1e-15); /* (2, 0, 0) seen from b */
    CHECK_VEC_NEAR(e[3].pose_b.p, abut_vec3(0, 0, 2), 0);
    CHECK_VEC_NEAR(e[4].pose_a.p, abut_vec3(-1, 2, 0), 1e-15);
    CHECK_VEC_NEAR(abut_quat_rotate(e[4].pose_a.q, abut_axis(0)), abut_axis(1), 1e-15);
    assert_int_equal(e[5].b, -1);
    CHECK_VEC_NEAR(e[5].pose_a.p, abut_vec3(0, 0, 1), 0); /* as in eq_data of MuJoCo 3.14: where a has the anchor */
    CHECK_VEC_NEAR(e[5].pose_b.p, abut_vec3(0, 0, 0.5), 1e-15);
    assert_non_null(strstr(warnings, "not in force"));
    abut_model_free(model);
    refuse("<worldbody><body><joint name='j'/></body></worldbody><equality><joint joint1='x'/></equality>",
        ABUT_ERROR_FORMAT, "attribute joint1: expected name of a joint, got 'x'");
    refuse("<worldbody><body>" HEAVY "<joint name='j'/></body></worldbody><keyframe>\n<key qpos='1 2'/></keyframe>",
        ABUT_ERROR_ARGUMENT, "bad.xml:3: <key>: keyframe '': expected 1 positions, got 2");
    refuse("<worldbody><body>" HEAVY
           "<joint name='j'/></body></worldbody><tendon><fixed><joint joint='j'/></fixed></tendon>",
        ABUT_ERROR_FORMAT, "coef");
}

/* A cube with a cube-shaped cavity, and the rules by which it has mass. */
/* Without springlength a tendon rests where its joints are at springref, as MuJoCo has it; ref does not matter. */
static void test_tendon_rest(void **state) {
    (void)state;
    AbutModel *model = read_text(
        "<worldbody><body>" HEAVY "<joint name='h' ref='10' springref='90'/></body><body>" HEAVY
        "<joint name='s' type='slide' ref='3'/><joint name='r' type='slide' springref='.5'/></body></worldbody><tendon>"
        "<fixed stiffness='1 2'><joint joint='h' coef='2'/><joint joint='s' coef='5'/><joint joint='r' "
        "coef='-1'/></fixed>"
        "<fixed springlength='.25'><joint joint='h' coef='2'/></fixed></tendon>");
    for (int i = 0; i < 2; ++i) {
        CHECK_NEAR(model->tendons[0].rest[i], ABUT_PI - 0.5, 1e-15);
        CHECK_NEAR(model->tendons[1].rest[i], 0.25, 0);
    }
    assert_non_null(strstr(warnings, "<fixed>: of stiffness and damping the first number alone is used"));
    abut_model_free(model);
    refuse("<worldbody><body>" HEAVY "<joint name='j'/></body></worldbody><tendon>\n<fixed damping='-1'>"
           "<joint joint='j' coef='1'/></fixed></tendon>",
        ABUT_ERROR_FORMAT, "bad.xml:3: <fixed>: attribute damping: expected a number of at least 0, got -1");
}

/* Limits of balls hold in a simulation: nothing is said about them. */
static void test_ball_limit(void **state) {
    (void)state;
    AbutModel *model =
        read_text("<worldbody><body>" HEAVY "<joint type='ball' range='0 30' limited='true'/></body></worldbody>");
    assert_true(model->joints[0].limited);
    CHECK_NEAR(model->joints[0].range[1], ABUT_PI / 6.0, 1e-15);
    assert_string_equal(warnings, "");
    abut_model_free(model);
}

static void test_mesh_mass(void **state) {
    (void)state;
    static const char cube[] = "0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5";
    static const char *const rules[] = {"exact", "legacy", "convex", "shell"};
    static const double masses[] = {7000, 9000, 8000, 30000};
    char text[3000], inner[400] = "";
    int v[36], n = 0;
    for (const char *p = cube; *p; p += p[1] ? 2 : 1) v[n++] = *p - '0';
    for (int i = 0; i < 36; i += 3) /* the cavity is turned inside out */
        snprintf(inner + strlen(inner), 40, " %d %d %d", v[i] + 8, v[i + 2] + 8, v[i + 1] + 8);
    for (int i = 0; i < 4; ++i) {
        snprintf(text, sizeof text,
            "<asset><mesh name='m' inertia='%s' face='%s%s' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 "
            "1 1"
            " 1 1 1 -.5 -.5 -.5 .5 -.5 -.5 -.5 .5 -.5 .5 .5 -.5 -.5 -.5 .5 .5 -.5 .5 -.5 .5 .5 .5 .5 .5'/></asset>"
            "<worldbody><body name='b'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody>",
            rules[i], cube, inner);
        AbutModel *model = read_text(text);
        CHECK_NEAR(model->bodies[0].mass, masses[i], 1e-9);
        CHECK_VEC_NEAR(model->bodies[0].center, abut_zero(), 1e-15);
        assert_int_equal(strstr(warnings, "legacy") != NULL, i == 1);
        abut_model_free(model);
    }
}

/* Vertices are floats, as in MuJoCo: six of them, so that no vectorized loop rounds only a part. */
static void test_mesh_floats(void **state) {
    (void)state;
    AbutModel *model = read_text(
        "<asset><mesh name='m' inertia='exact' face='0 2 4 2 1 4 1 3 4 3 0 4 2 0 5 1 2 5 3 1 5 0 3 5' vertex='.2 0 .01 "
        "-.15 0 0 0 .18 0 0 -.12 0 .02 0 .2 0 0 -.1'/></asset>"
        "<worldbody><body name='b'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody>");
    CHECK_NEAR(model->bodies[0].mass, 5.240000290870672, 1e-13);
    abut_model_free(model);
}

static void test_settings(void **state) {
    (void)state;
    AbutModel *model =
        read_text("<compiler inertiagrouprange='0 1' settotalmass='10'/><option><flag gravity='disable'/></option>"
                  "<worldbody><body gravcomp='.5'><joint type='free' armature='.1'/><geom size='1' group='2'/>"
                  "<geom size='1' mass='4'/></body><body><joint/><geom size='1' mass='1'/></body></worldbody>");
    CHECK_NEAR(model->bodies[0].mass, 8.0, 1e-14);
    CHECK_NEAR(model->bodies[1].mass, 2.0, 1e-14);
    CHECK_NEAR(model->bodies[0].armature, 0.1, 0);
    assert_null(strstr(warnings, "ignored"));
    CHECK_NEAR(model->bodies[0].gravity_compensation, 0.5, 0);
    CHECK_VEC_NEAR(model->gravity, abut_zero(), 0);
    abut_model_free(model);
}

/* Geoms that overlap and a pair that names them: neither meets where the flag says so. */
static void test_contact_flag(void **state) {
    (void)state;
    static const char *const words[] = {"disable", "enable"};
    for (int on = 0; on < 2; ++on) {
        char text[600];
        snprintf(text, sizeof text,
            "<option><flag contact='%s'/></option><worldbody><body><freejoint/><geom name='a' size='1'/></body>"
            "<body><freejoint/><geom name='b' size='1'/></body></worldbody>"
            "<contact><pair geom1='a' geom2='b'/></contact>",
            words[on]);
        AbutModel *model = read_text(text);
        assert_null(strstr(warnings, "ignored"));
        assert_int_equal(model->pair_count, on);
        for (int i = 0; i < 2; ++i) assert_int_equal((model->shapes[i].category & model->shapes[i].mask) != 0, on);
        abut_model_free(model);
    }
}

/* Meshes that are only drawn stay what they are, open or not; what touches becomes its hull as ever. */
static void test_drawn_meshes(void **state) {
    (void)state;
    static const char text[] =
        "<mujoco><asset><mesh name='m' scale='1 1 -1' vertex='0 0 0 1 0 0 0 1 0 0 0 1 .1 .1 .1' face='0 2 1 0 1 4 1 2 "
        "4'/>"
        "</asset><worldbody><body><freejoint/><geom size='.1'/><geom type='mesh' mesh='m' contype='0' conaffinity='0' "
        "mass='0'/><geom type='mesh' mesh='m' mass='0'/></body></worldbody></mujoco>";
    for (int drawn = 0; drawn < 2; ++drawn) {
        AbutModelReadOptions options = {.drawn_meshes = drawn};
        AbutModel *model;
        good(abut_model_parse_mjcf(text, strlen(text), "test.xml", &options, &model, &error), &error);
        assert_int_equal(model->shape_count, 3);
        const AbutMesh *surface = model->shapes[1].geometry->surface;
        assert_true(model->shapes[1].visual && !model->shapes[2].visual && !model->shapes[2].geometry->surface);
        assert_int_equal(surface != NULL, drawn);
        if (drawn) { /* mirrored: turned outside out */
            assert_int_equal(surface->triangle_count, 3);
            assert_int_equal(surface->triangles[0].v[1], 1);
            assert_int_equal(model->shapes[1].geometry->surface_closed, 0);
        }
        abut_model_free(model);
    }
}

/* An <inertial> gives way to geoms that count, and to no others; bounds hold for either. */
static void test_inertial(void **state) {
    (void)state;
#define BODY(geoms) "<body><joint/><inertial pos='0 0 1' mass='3' diaginertia='1 1 1'/>" geoms "</body>"
    AbutModel *model = read_text("<compiler inertiafromgeom='true' inertiagrouprange='0 1'/><worldbody>" BODY("")
            BODY("<geom size='1' mass='4' group='2'/>") BODY("<geom size='1' mass='4'/>") "</worldbody>");
    const double masses[] = {3.0, 3.0, 4.0}, heights[] = {1.0, 1.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(model->bodies[i].mass, masses[i], 0);
        CHECK_NEAR(model->bodies[i].center.z, heights[i], 0);
    }
    abut_model_free(model);
    model = read_text("<compiler boundmass='3.5' boundinertia='1.25'/><worldbody>" BODY(
        "") "<body><joint/><geom size='1' mass='4'/></body></worldbody>");
    CHECK_NEAR(model->bodies[0].mass, 3.5, 0);
    CHECK_NEAR(model->bodies[0].inertia.y.y, 1.25, 1e-15);
    CHECK_NEAR(model->bodies[1].mass, 4.0, 0);
    CHECK_NEAR(model->bodies[1].inertia.x.x, 1.6, 1e-15);
    abut_model_free(model);
}

/* What a free joint says is kept; that it is not simulated is told, and nothing is called ignored. */
static void test_free_joint(void **state) {
    (void)state;
    AbutModel *model = read_text("<worldbody><body><joint type='free' armature='.5' damping='2'/><geom size='1'/>"
                                 "</body></worldbody>");
    CHECK_NEAR(model->bodies[0].armature, 0.5, 0);
    CHECK_NEAR(model->bodies[0].damping, 2.0, 0);
    assert_null(strstr(warnings, "ignored"));
    assert_non_null(strstr(warnings, "not simulated"));
    abut_model_free(model);
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_mesh_floats),
        cmocka_unit_test(test_replicate), cmocka_unit_test(test_attach), cmocka_unit_test(test_actuators),
        cmocka_unit_test(test_servos), cmocka_unit_test(test_equalities), cmocka_unit_test(test_tendon_rest),
        cmocka_unit_test(test_ball_limit), cmocka_unit_test(test_mesh_mass), cmocka_unit_test(test_settings),
        cmocka_unit_test(test_contact_flag), cmocka_unit_test(test_inertial), cmocka_unit_test(test_drawn_meshes),
        cmocka_unit_test(test_free_joint)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
