/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random scenes read by MuJoCo and by us: poses of bodies and geoms, masses, centers and moments of inertia agree;
 * whose full tensors of inertia are those of the file. Needs MuJoCo; without it the test is skipped.
 */
#include "support/check.h"
#include "math/matrix.h"

#ifndef ABUT_HAVE_MUJOCO
int main(void) { return 77; }
#else

#include <string.h>

#include <mujoco/mujoco.h>

#include "abut/import.h"
#include "support/tool.h"

typedef struct Text {
    char text[60000];
    size_t count;
    AbutRng rng;
    int geoms;
} Text;

static void add(Text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(Text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->text + t->count, sizeof t->text - t->count, format, args);
    va_end(args);
    t->count += (size_t)n;
    if (t->count >= sizeof t->text) abort();
}

static double number(Text *t) { return abut_rng_between(&t->rng, -1.0, 1.0); }

static void add_pose(Text *t) {
    add(t, " pos='%.17g %.17g %.17g'", number(t), number(t), number(t));
    double a = number(t), b = number(t), c = number(t), d = number(t);
    switch (abut_rng_below(&t->rng, 6)) {
    case 0:
        add(t, " quat='%.17g %.17g %.17g %.17g'", a, b, c, d);
        break;
    case 1:
        add(t, " axisangle='%.17g %.17g %.17g %.17g'", a, b, c, 100 * d);
        break;
    case 2:
        add(t, " euler='%.17g %.17g %.17g'", 100 * a, 100 * b, 100 * c);
        break;
    case 3:
        add(t, " xyaxes='%.17g %.17g %.17g %.17g %.17g %.17g'", a, b, c, d, number(t), number(t));
        break;
    case 4:
        add(t, " zaxis='%.17g %.17g %.17g'", a, b, c);
        break;
    default:
        break;
    }
}

static double size(Text *t) { return abut_rng_between(&t->rng, 0.05, 0.5); }

static void add_geom(Text *t) {
    static const char *const types[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"};
    uint32_t type = abut_rng_below(&t->rng, 6);
    add(t, "<geom name='g%d' type='%s'", t->geoms++, types[type]);
    if (type < 5) add(t, " size='%.17g %.17g %.17g'", size(t), size(t), size(t));
    if (type == 5) add(t, " mesh='m'");
    if (type >= 1 && type < 5 && abut_rng_below(&t->rng, 3) == 0)
        add(t, " fromto='%.17g %.17g %.17g %.17g %.17g %.17g'", number(t), number(t), number(t), number(t), number(t),
            number(t));
    else
        add_pose(t);
    if (abut_rng_below(&t->rng, 3) == 0) add(t, " class='heavy'");
    if (abut_rng_below(&t->rng, 3) == 0) add(t, " mass='%.17g'", size(t));
    add(t, "/>");
}

static void add_inner(Text *t, int depth) {
    for (uint32_t i = abut_rng_below(&t->rng, 3) + (depth == 0); i > 0; --i) add_geom(t);
    if (depth > 0 && abut_rng_below(&t->rng, 3) == 0)
        add(t, "<inertial pos='%.17g 0 1' mass='2' diaginertia='1 1.5 2' euler='%.17g 0 30'/>", number(t),
            90 * number(t));
    if (depth == 2) return;
    for (uint32_t i = abut_rng_below(&t->rng, 3); i > 0; --i) {
        add(t, "<body");
        add_pose(t);
        add(t, ">");
        add_inner(t, depth + 1);
        add(t, "</body>");
    }
}

static void make_scene(Text *t) {
    static const char *const sequences[] = {"xyz", "zyx", "XYZ", "zXz", "YzX"};
    t->count = 0;
    t->geoms = 0;
    add(t, "<mujoco><compiler angle='%s' eulerseq='%s'/>", abut_rng_below(&t->rng, 2) ? "degree" : "radian",
        sequences[abut_rng_below(&t->rng, 5)]);
    add(t, "<default><geom density='%.17g'/><default class='heavy'><geom density='5000'/></default></default>",
        1000 * size(t));
    /* a block: old versions of MuJoCo take the mass of any mesh from the block with its inertia */
    add(t,
        "<asset><mesh name='m' vertex='0 0 0 .4 0 0 0 .3 0 .4 .3 0 0 0 .2 .4 0 .2 0 .3 .2 .4 .3 .2' scale='1 %s "
        "2'/></asset>"
        "<worldbody>",
        abut_rng_below(&t->rng, 2) ? "1" : "-1");
    for (int i = 0; i < 4; ++i) {
        add(t, "<body name='b%d'", i);
        add_pose(t);
        add(t, "><freejoint/>");
        add_inner(t, 0);
        add(t, "</body>");
    }
    add(t, "</worldbody></mujoco>");
}

/* MuJoCo keeps welded bodies apart: their sum, in the frame of the outer one. */
static void sum_mass(const mjModel *m, const mjData *d, int root, double *mass, AbutVec3 *center, AbutMat3 *inertia) {
    AbutVec3 first = abut_zero();
    *mass = 0.0;
    for (int i = 1; i < m->nbody; ++i)
        if (m->body_rootid[i] == root) {
            *mass += m->body_mass[i];
            first = abut_add_scaled(
                first, abut_vec3(d->xipos[3 * i], d->xipos[3 * i + 1], d->xipos[3 * i + 2]), m->body_mass[i]);
        }
    *center = abut_scale(first, 1.0 / *mass);
    *inertia = abut_mat3_diagonal(0, 0, 0);
    for (int i = 1; i < m->nbody; ++i)
        if (m->body_rootid[i] == root) {
            const double *r = d->ximat + 9 * i, *own = m->body_inertia + 3 * i;
            AbutMat3 axes =
                abut_mat3(abut_vec3(r[0], r[3], r[6]), abut_vec3(r[1], r[4], r[7]), abut_vec3(r[2], r[5], r[8]));
            AbutMat3 turned = abut_mat3_mul(
                abut_mat3_mul(axes, abut_mat3_diagonal(own[0], own[1], own[2])), abut_mat3_transpose(axes));
            AbutMat3 s =
                abut_mat3_skew(abut_sub(abut_vec3(d->xipos[3 * i], d->xipos[3 * i + 1], d->xipos[3 * i + 2]), *center));
            *inertia =
                abut_mat3_add(*inertia, abut_mat3_sub(turned, abut_mat3_scale(abut_mat3_mul(s, s), m->body_mass[i])));
        }
}

static void compare_body(const mjModel *m, const mjData *d, const AbutScene *scene, const char *name) {
    int index = mj_name2id(m, mjOBJ_BODY, name);
    AbutBodyState state;
    assert_true(index > 0 && abut_scene_get_body(scene, abut_scene_find_body(scene, name), &state));
    const double *x = d->xpos + 3 * index, *q = d->xquat + 4 * index;
    CHECK_VEC_NEAR(state.pose.p, abut_vec3(x[0], x[1], x[2]), 1e-12);
    CHECK_NEAR(fabs(abut_quat_dot(state.pose.q, abut_quat(q[0], q[1], q[2], q[3]))), 1.0, 1e-12);
    double mass;
    AbutVec3 center;
    AbutMat3 inertia, r = abut_quat_to_mat3(state.pose.q);
    sum_mass(m, d, index, &mass, &center, &inertia);
    /* MuJoCo keeps meshes in single precision */
    CHECK_NEAR(state.mass, mass, 1e-5 * mass);
    CHECK_VEC_NEAR(state.center, center, 1e-5);
    AbutMat3 ours = abut_mat3_mul(abut_mat3_mul(r, state.inertia), abut_mat3_transpose(r));
    double scale = abut_mat3_trace(inertia);
    for (int i = 0; i < 3; ++i)
        CHECK_VEC_NEAR(abut_mat3_apply(ours, abut_axis(i)), abut_mat3_apply(inertia, abut_axis(i)), 2e-5 * scale);
}

/* Frames of geoms but meshes, whose frame MuJoCo moves to their center. */
static int compare_geoms(const mjModel *m, const mjData *d, const AbutScene *scene) {
    int seen = 0;
    for (int b = 0; b < abut_scene_body_count(scene); ++b) {
        AbutBodyId id = abut_scene_body_at(scene, b);
        AbutBodyState body;
        assert_true(abut_scene_get_body(scene, id, &body));
        for (int i = 0; i < abut_scene_shape_count(scene, id); ++i) {
            AbutShapeDef shape;
            assert_true(abut_scene_get_shape(scene, abut_scene_shape_at(scene, id, i), &shape, NULL));
            int g = mj_name2id(m, mjOBJ_GEOM, shape.name);
            assert_true(g >= 0);
            if (shape.form.kind == ABUT_SHAPE_POLYHEDRON) continue;
            AbutPose pose = abut_pose_mul(body.pose, shape.pose);
            const double *x = d->geom_xpos + 3 * g, *r = d->geom_xmat + 9 * g;
            CHECK_VEC_NEAR(pose.p, abut_vec3(x[0], x[1], x[2]), 1e-9);
            AbutMat3 ours = abut_quat_to_mat3(pose.q);
            CHECK_VEC_NEAR(ours.x, abut_vec3(r[0], r[3], r[6]), 1e-9);
            CHECK_VEC_NEAR(ours.y, abut_vec3(r[1], r[4], r[7]), 1e-9);
            ++seen;
        }
    }
    return seen;
}

static void test_random_scenes(void **state) {
    (void)state;
    static Text t;
    t.rng = abut_rng(17, 4);
    Tool tool = tool_open();
    char path[300], why[1000] = "";
    snprintf(path, sizeof path, "%s/scene.xml", tool.folder);
    int geoms = 0, cases = check_cases(150);
    for (int c = 0; c < cases; ++c) {
        make_scene(&t);
        tool_file(&tool, "scene.xml", t.text);
        mjModel *m = mj_loadXML(path, NULL, why, sizeof why);
        if (!m) fail_msg("MuJoCo: %s\n%s", why, t.text);
        mjData *d = mj_makeData(m);
        mj_kinematics(m, d);
        mj_comPos(m, d);
        AbutScene *scene = NULL;
        AbutModel *model;
        AbutError error = {0};
        assert_int_equal(abut_scene_create(&scene, NULL), ABUT_OK);
        if (abut_model_read(path, NULL, &model, &error) != ABUT_OK ||
            abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error) != ABUT_OK)
            fail_msg("%s\n%s", error.text, t.text);
        abut_model_free(model);
        assert_int_equal(abut_scene_body_count(scene), 4);
        for (int i = 0; i < 4; ++i) {
            char name[3] = {'b', (char)('0' + i), 0};
            compare_body(m, d, scene, name);
        }
        geoms += compare_geoms(m, d, scene);
        abut_scene_free(scene);
        mj_deleteData(d);
        mj_deleteModel(m);
    }
    assert_true(geoms > 10 * cases);
    tool_close(&tool);
}

/* ---- full tensors ------------------------------------------------------------------------------------------------ */

/* A tensor of inertia of some solid. */
static AbutMat3 random_tensor(AbutRng *rng) {
    AbutMat3 moment = abut_mat3_diagonal(0.01, 0.01, 0.01);
    for (int i = 0; i < 3; ++i) {
        AbutVec3 v = abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0.1, 0.5));
        moment = abut_mat3_add(moment, abut_mat3_outer(v, v));
    }
    double trace = abut_mat3_trace(moment);
    return abut_mat3_sub(abut_mat3_diagonal(trace, trace, trace), moment);
}

static double largest_difference(AbutMat3 a, AbutMat3 b) {
    AbutMat3 d = abut_mat3_sub(a, b);
    return fmax(abut_max_abs(d.x), fmax(abut_max_abs(d.y), abut_max_abs(d.z)));
}

/* MuJoCo's axes and moments as a tensor again. */
static AbutMat3 tensor_of(const mjModel *m, int body) {
    const double *q = m->body_iquat + 4 * body, *own = m->body_inertia + 3 * body;
    AbutMat3 r = abut_quat_to_mat3(abut_quat(q[0], q[1], q[2], q[3]));
    return abut_mat3_mul(abut_mat3_mul(r, abut_mat3_diagonal(own[0], own[1], own[2])), abut_mat3_transpose(r));
}

/* `fullinertia` is kept as it stands, with settotalmass scaled with the mass. MuJoCo keeps axes and moments, and stops
 * turning them at a cosine of 1 - 1e-12, an angle of about 1e-6. */
static void test_full_inertia(void **state) {
    (void)state;
    AbutRng rng = abut_rng(18, 4);
    Tool tool = tool_open();
    AbutError error = {0};
    char path[300], text[1000], why[1000] = "";
    double ours = 0.0, theirs = 0.0;
    snprintf(path, sizeof path, "%s/full.xml", tool.folder);
    for (int c = 0; c < 60; ++c) {
        AbutMat3 t = random_tensor(&rng);
        snprintf(text, sizeof text,
            "<mujoco><compiler settotalmass='7'/><worldbody><body><joint/><inertial pos='0 0 0' mass='2' "
            "fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/></body></worldbody></mujoco>",
            t.x.x, t.y.y, t.z.z, t.x.y, t.x.z, t.y.z);
        tool_file(&tool, "full.xml", text);
        mjModel *m = mj_loadXML(path, NULL, why, sizeof why);
        if (!m) fail_msg("MuJoCo: %s", why);
        AbutModel *model;
        good(abut_model_read(path, NULL, &model, &error), &error);
        AbutMat3 expected = abut_mat3_scale(t, 3.5);
        double size = abut_mat3_trace(expected);
        CHECK_NEAR(model->bodies[0].mass, 7.0, 1e-14);
        ours = fmax(ours, largest_difference(model->bodies[0].inertia, expected) / size);
        theirs = fmax(theirs, largest_difference(tensor_of(m, 1), expected) / size);
        abut_model_free(model);
        mj_deleteModel(m);
    }
    CHECK(ours < 1e-14);
    CHECK(theirs > 1e-8 && theirs < 1e-6);
    tool_close(&tool);
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_scenes), cmocka_unit_test(test_full_inertia)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
