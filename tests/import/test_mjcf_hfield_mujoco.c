/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Height fields of MJCF files: by file as MuJoCo's rays see them, by elevation the same with the rows turned round; a
 * ball comes to rest on one; bad input. What needs MuJoCo is left out without it.
 */
#include "support/check.h"
#include "import/parse.h"

#include <string.h>

#include "abut/dynamics.h"
#include "abut/import.h"
#include "support/tool.h"

#ifdef ABUT_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#endif

#define FIELD(more) "<mujoco>\n<asset>\n<hfield name='h' size='2 1 0.5 0.25'" more "/></asset>\n<worldbody>"
#define GROUND "<geom name='g' type='hfield' hfield='h' pos='0.1 -0.2 0.3' euler='0 0 30'/>"
#define END "</worldbody></mujoco>"
#define HILLS " nrow='3' ncol='4' elevation='0 0 1 2  5 4 4 1  0 3 3 0.5'"

static int warnings;

static void warn(const char *text, void *user) {
    (void)text, (void)user;
    ++warnings;
}

/* Highest point of a scene on the vertical line through a place, as a ray sees it; -INFINITY: none. */
static double height_over(const AbutScene *scene, double x, double y) {
    AbutCast cast = {.ray = {abut_vec3(x, y, 5), abut_vec3(0, 0, -10)}};
    AbutSceneHit hit = abut_scene_cast(scene, &cast, NULL, NULL);
    return hit.hit.outcome == ABUT_IMPACT_HIT ? 5 - 10 * hit.hit.t : -INFINITY;
}

static AbutScene *place_model(const AbutModel *model) {
    AbutScene *scene;
    AbutError error;
    good(abut_scene_create(&scene, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    return scene;
}

static AbutModel *read_model(const char *path) {
    AbutModel *model;
    AbutError error;
    AbutModelReadOptions options = {.warn = warn};
    good(abut_model_read(path, &options, &model, &error), &error);
    return model;
}

static void compare_rays(const char *path, const AbutScene *scene) {
#ifdef ABUT_HAVE_MUJOCO
    char why[1000];
    AbutRng rng = abut_rng(5, 5);
    mjModel *m = mj_loadXML(path, NULL, why, sizeof why);
    if (!m) fail_msg("MuJoCo: %s", why);
    mjData *d = mj_makeData(m);
    mj_forward(m, d);
    for (int i = 0; i < 300; ++i) {
        double from[3] = {abut_rng_between(&rng, -2, 2), abut_rng_between(&rng, -2, 2), 5}, down[3] = {0, 0, -1};
        int geom;
        double way = mj_ray(m, d, from, down, NULL, 1, -1, &geom), ours = height_over(scene, from[0], from[1]);
        if (way < 0)
            assert_true(ours < 0.3 + 1e-6); /* MuJoCo's rays miss the walls from above */
        else
            CHECK_NEAR(5 - way, ours, 1e-5);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
#else
    (void)path, (void)scene;
#endif
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t count) {
    FILE *out = fopen(path, "wb");
    assert_true(out && fwrite(bytes, 1, count, out) == count && fclose(out) == 0);
}

static void fields_are_where_mujoco_has_them(void **state) {
    (void)state;
    Tool tool = tool_open();
    char path[400];
    snprintf(path, sizeof path, "%s/scene.xml", tool.folder);
    tool_file(&tool, "scene.xml", FIELD(HILLS) GROUND END);
    AbutModel *model = read_model(path);
    AbutScene *scene = place_model(model);
    assert_true(warnings == 0 && model->shape_count == 1);
    const AbutGeometry *ground = model->shapes[0].geometry;
    assert_true(ground->kind == ABUT_SHAPE_HEIGHT_FIELD && ground->field->columns == 4 && ground->field->rows == 3);
    CHECK_NEAR(height_over(scene, 0.1, -0.2), 0.3 + 0.5 * 4 / 5, 1e-12); /* the middle lies between two points of 4 */
    static const float values[12] = {0, 3, 3, 0.5F, 5, 4, 4, 1, 0, 0, 1, 2}; /* HILLS, the last row first */
    unsigned char bytes[8 + sizeof values] = {3, 0, 0, 0, 4, 0, 0, 0};
    memcpy(bytes + 8, values, sizeof values);
    char file[400];
    snprintf(file, sizeof file, "%s/ground.bin", tool.folder);
    write_bytes(file, bytes, sizeof bytes);
    tool_file(&tool, "scene.xml", FIELD(" file='ground.bin'") GROUND END);
    AbutModel *same = read_model(path);
    AbutScene *scene_of_same = place_model(same);
    AbutRng rng = abut_rng(6, 6);
    for (int i = 0; i < 300; ++i) {
        double x = abut_rng_between(&rng, -1, 1), y = abut_rng_between(&rng, -0.5, 0.5);
        CHECK_NEAR(height_over(scene_of_same, x, y), height_over(scene, x, y), 1e-12);
    }
    compare_rays(path, scene_of_same);
    abut_scene_free(scene);
    abut_scene_free(scene_of_same);
    abut_model_free(model);
    abut_model_free(same);
    tool_close(&tool);
}

/* A picture of another program: heights in steps of 1/255, the upper edge far away, as MuJoCo reads it. */
static void pictures_are_heights(void **state) {
    (void)state;
#ifndef ABUT_TEST_ZLIB
    skip();
#endif
    static const unsigned char picture[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0,
        0, 0, 3, 8, 0, 0, 0, 0, 145, 159, 241, 26, 0, 0, 0, 23, 73, 68, 65, 84, 120, 218, 99, 96, 96, 48, 78, 99, 252,
        127, 150, 33, 157, 137, 241, 236, 217, 231, 0, 29, 158, 5, 82, 9, 194, 135, 78, 0, 0, 0, 0, 73, 69, 78, 68, 174,
        66, 96, 130};
    Tool tool = tool_open(); /* HILLS times 51 */
    char path[400], file[400];
    snprintf(path, sizeof path, "%s/scene.xml", tool.folder);
    snprintf(file, sizeof file, "%s/ground.png", tool.folder);
    write_bytes(file, picture, sizeof picture);
    tool_file(&tool, "scene.xml", FIELD(HILLS) GROUND END);
    AbutModel *model = read_model(path);
    AbutScene *scene = place_model(model);
    tool_file(&tool, "scene.xml", FIELD(" file='ground.png'") GROUND END);
    AbutModel *same = read_model(path);
    AbutScene *scene_of_same = place_model(same);
    compare_rays(path, scene_of_same);
    AbutRng rng = abut_rng(7, 7);
    for (int i = 0; i < 300; ++i) {
        double x = abut_rng_between(&rng, -1, 1), y = abut_rng_between(&rng, -0.5, 0.5);
        CHECK_NEAR(height_over(scene_of_same, x, y), height_over(scene, x, y), 0.5 * 0.5 / 255 + 1e-12);
    }
    abut_scene_free(scene);
    abut_scene_free(scene_of_same);
    abut_model_free(model);
    abut_model_free(same);
    tool_close(&tool);
}

static void a_ball_rests_in_a_hollow(void **state) {
    (void)state;
    static const char text[] =
        "<mujoco><asset><hfield name='h' size='1 1 0.5 0.1' nrow='3' ncol='3' elevation='1 1 1 1 0 1 1 1 1'/></asset>"
        "<worldbody><geom type='hfield' hfield='h'/><body name='b' pos='0.3 0.2 0.7'><freejoint/><geom type='sphere' "
        "size='0.1'/></body></worldbody></mujoco>";
    AbutError error;
    AbutModel *model;
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutSimulationDef def = abut_simulation_default();
    AbutBodyState ball;
    good(abut_model_parse_mjcf(text, strlen(text), "a.xml", NULL, &model, &error), &error);
    good(abut_scene_create(&scene, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    good(abut_simulation_create(scene, &def, &simulation, &error), &error);
    for (int i = 0; i < 3000; ++i) good(abut_simulation_step(simulation, 1e-3, NULL, &error), &error);
    assert_true(abut_scene_get_body(scene, abut_scene_find_body(scene, "b"), &ball));
    assert_true(ball.pose.p.z > 0.08 && ball.pose.p.z < 0.2 && fabs(ball.pose.p.x) < 0.2 && fabs(ball.pose.p.y) < 0.2);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    abut_model_free(model);
}

/* Speed left of a body that slides or rolls 2 m over ground of small bumps, more than a thousand pieces, without
 * friction (a box) or with it (a ball): joints between pieces do not stop it. */
static double speed_left(const char *geom, double height) {
    enum { SIDE = 40 };
    static char text[40000];
    AbutRng rng = abut_rng(8, 8);
    AbutError error;
    AbutModel *model;
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutSimulationDef def = abut_simulation_default();
    AbutBodyState body;
    int at = snprintf(text, sizeof text,
        "<mujoco><asset><hfield name='h' size='2 1 %g 0.1' nrow='%d' ncol='%d' elevation='", height, SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; ++i)
        at += snprintf(text + at, sizeof text - (size_t)at, "%.6f ", abut_rng_unit(&rng));
    snprintf(text + at, sizeof text - (size_t)at,
        "'/></asset><worldbody><geom type='hfield' hfield='h' friction='0.8'/><body name='b' pos='-1.2 0.013 %g'>"
        "<freejoint/>%s</body></worldbody></mujoco>",
        0.1 + height, geom);
    good(abut_model_parse_mjcf(text, strlen(text), "a.xml", NULL, &model, &error), &error);
    assert_int_equal(model->shape_count, 2);
    good(abut_scene_create(&scene, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    AbutBodyId id = abut_scene_find_body(scene, "b");
    good(abut_scene_set_velocity(scene, id, abut_vec3(1, 0, 0), abut_vec3(0, 10, 0), &error), &error);
    if (strstr(geom, "box")) good(abut_scene_set_velocity(scene, id, abut_vec3(1, 0, 0), abut_zero(), &error), &error);
    good(abut_simulation_create(scene, &def, &simulation, &error), &error);
    for (int i = 0; i < 2000; ++i) good(abut_simulation_step(simulation, 1e-3, NULL, &error), &error);
    assert_true(abut_scene_get_body(scene, id, &body));
    assert_true(fabs(body.pose.p.z - 0.1) < 1e-3 + height);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    abut_model_free(model);
    return body.velocity.x;
}

static void joints_of_pieces_stop_nothing(void **state) {
    (void)state;
    double ball = speed_left("<geom type='sphere' size='0.1'/>", 1e-5);
    assert_true(ball > 0.99 && ball < 1.001);
    for (double height = 1e-7; height < 5e-4; height *= 10.0) {
        double box = speed_left("<geom type='box' size='0.15 0.15 0.1' friction='0' priority='1'/>", height);
        if (!(box > 0.98 && box < 1.001)) fail_msg("bumps of %g m leave %.4f m/s of 1", height, box);
    }
}

/* A quarter of a million points: what makes all pieces, or grows with the square of their number, would not end. */
static void large_fields_load(void **state) {
    (void)state;
    enum { SIDE = 500 };
    static unsigned char bytes[8 + 4 * SIDE * SIDE] = {SIDE & 255, SIDE >> 8, 0, 0, SIDE & 255, SIDE >> 8, 0, 0};
    static const char text[] =
        FIELD(" file='rough.bin'") GROUND "<body pos='0 0 2'><freejoint/><geom size='0.1'/></body>" END;
    AbutRng rng = abut_rng(9, 9);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        float z = (float)abut_rng_unit(&rng);
        memcpy(bytes + 8 + 4 * i, &z, sizeof z);
    }
    Tool tool = tool_open();
    char file[400];
    snprintf(file, sizeof file, "%s/rough.bin", tool.folder);
    write_bytes(file, bytes, sizeof bytes);
    AbutModelReadOptions options = {.folder = tool.folder};
    AbutError error;
    AbutModel *model, *copy;
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutSimulationDef def = abut_simulation_default();
    good(abut_model_parse_mjcf(text, strlen(text), "a.xml", &options, &model, &error), &error);
    assert_int_equal(model->shape_count, 2);
    good(abut_scene_create(&scene, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    good(abut_simulation_create(scene, &def, &simulation, &error), &error);
    for (int i = 0; i < 10; ++i) good(abut_simulation_step(simulation, 1e-3, NULL, &error), &error);
    good(abut_scene_model(scene, &copy, &error), &error);
    assert_int_equal(copy->shape_count, 2);
    assert_ptr_equal(copy->shapes[0].geometry->field, model->shapes[0].geometry->field); /* shared, not copied */
    abut_model_free(copy);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    abut_model_free(model);
    tool_close(&tool);
}

/* A pair that names a height field holds for it as for any other geom. */
static void pairs_name_fields(void **state) {
    (void)state;
    static const char text[] =
        FIELD(HILLS) "<geom name='g' type='hfield' hfield='h' contype='0' conaffinity='0'/>"
                     "<body pos='0 0 1'><freejoint/><geom name='s' size='0.1' contype='0' "
                     "conaffinity='0'/></body></worldbody>"
                     "<contact><pair geom1='g' geom2='s' friction='0.25 0.25'/></contact></mujoco>";
    AbutModel *model;
    AbutError error;
    good(abut_model_parse_mjcf(text, strlen(text), "a.xml", NULL, &model, &error), &error);
    assert_int_equal(model->pair_count, 1);
    AbutScene *scene = place_model(model);
    AbutSimulation *simulation;
    AbutSimulationDef def = abut_simulation_default();
    good(abut_simulation_create(scene, &def, &simulation, &error), &error);
    AbutStepReport report = {0};
    for (int i = 0; i < 1000 && report.contacts == 0; ++i)
        good(abut_simulation_step(simulation, 1e-3, &report, &error), &error);
    assert_true(report.contacts > 0);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    abut_model_free(model);
}

static void bad_fields_are_named(void **state) {
    (void)state;
    static const struct {
        const char *text;
        AbutStatus status;
        const char *part;
    } bad[] = {
        {FIELD(" nrow='1' ncol='4'") GROUND END, ABUT_ERROR_FORMAT,
            "a.xml:3: <hfield>: expected a file, or nrow and ncol of 2"},
        {FIELD(" nrow='2' ncol='2' elevation='1 2 3'") GROUND END, ABUT_ERROR_FORMAT,
            "a.xml:3: <hfield>: attribute elevation: expected nrow times ncol, 4, numbers, got 3"},
        {FIELD(" nrow='2' ncol='2' elevation='1 2 3 nan'") GROUND END, ABUT_ERROR_NUMBER, "a.xml:3: <hfield>"},
        {FIELD(" file='../x.bin'") GROUND END, ABUT_ERROR_FORMAT, "a file inside the folder"},
        {FIELD(" file='x.png'") GROUND END, ABUT_ERROR_FILE, "x.png"},
        {FIELD(" file='missing.bin'") GROUND END, ABUT_ERROR_FILE, "missing.bin"},
        {FIELD(" file='short.bin'") GROUND END, ABUT_ERROR_FORMAT,
            "expected a PNG picture, or rows and columns from 2 to 10000 and as many finite floats"},
        {FIELD(HILLS) "<geom type='hfield' hfield='x'/>" END, ABUT_ERROR_FORMAT,
            "attribute hfield: expected name of a height field, got 'x'"},
        {FIELD(HILLS) "<body><freejoint/><geom size='1'/>" GROUND "</body>" END, ABUT_ERROR_UNSUPPORTED,
            "expected a height field on a body that does not move"},
        {"<mujoco><asset><hfield name='h' size='1 1 0 1'/></asset></mujoco>", ABUT_ERROR_FORMAT,
            "attribute size: expected four positive numbers"},
    };
    Tool tool = tool_open();
    tool_file(&tool, "short.bin", "abcdefghi");
    AbutModelReadOptions options = {.folder = tool.folder};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        AbutModel *model;
        AbutError error = {0};
        AbutStatus status = abut_model_parse_mjcf(bad[i].text, strlen(bad[i].text), "a.xml", &options, &model, &error);
        if (status != bad[i].status || !strstr(error.text, bad[i].part) || model)
            fail_msg("case %zu: %d %s", i, (int)status, error.text);
    }
    tool_close(&tool);
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_where_mujoco_has_them),
        cmocka_unit_test(pictures_are_heights),
        cmocka_unit_test(a_ball_rests_in_a_hollow),
        cmocka_unit_test(joints_of_pieces_stop_nothing),
        cmocka_unit_test(large_fields_load),
        cmocka_unit_test(pairs_name_fields),
        cmocka_unit_test(bad_fields_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
