/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs: made-up steps read back number by number, a real run, bodies that come and go, logs of version 1, logs that
 * contradict themselves, NumPy.
 */
#include "support/check.h"

#include <string.h>

#include "abut/file.h"
#include "file/npz_file.h"
#include "file/run.h"
#include "support/json.h"
#include "support/tool.h"

static AbutScene *two_bodies(void) {
    AbutScene *scene = NULL;
    assert_int_equal(abut_scene_create(&scene, NULL), ABUT_OK);
    for (int i = 0; i < 2; ++i) {
        AbutBodyDef def = abut_body_default();
        AbutShapeDef shape = abut_shape_default();
        AbutBodyId id;
        def.name = i ? "box" : "ground";
        def.kind = i ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC;
        shape.form.kind = i ? ABUT_SHAPE_BOX : ABUT_SHAPE_HALF_SPACE;
        shape.form.size = abut_vec3(0.05, 0.05, 0.05);
        def.pose.p = abut_vec3(0, 0, i ? 0.05 : 0.0);
        assert_int_equal(abut_scene_add_body(scene, &def, &id, NULL), ABUT_OK);
        assert_int_equal(abut_scene_add_shape(scene, id, &shape, NULL, NULL), ABUT_OK);
    }
    return scene;
}

static AbutVec3 random_vector(AbutRng *rng) {
    return abut_vec3(abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng));
}

static AbutContact random_contact(AbutRng *rng) {
    AbutContact c;
    memset(&c, 0, sizeof c);
    c.force = random_vector(rng);
    c.torque = random_vector(rng);
    c.center = random_vector(rng);
    c.normal = random_vector(rng);
    c.area = abut_rng_unit(rng);
    c.volume = abut_rng_unit(rng);
    c.depth = abut_rng_unit(rng);
    c.sliding = (int32_t)abut_rng_below(rng, 2);
    c.vertex_count = (int32_t)abut_rng_below(rng, ABUT_CONTACT_VERTICES + 1);
    for (int i = 0; i < c.vertex_count; ++i) {
        c.vertex[i].point = random_vector(rng);
        c.vertex[i].force = random_vector(rng);
        c.vertex[i].pressure = abut_rng_unit(rng);
    }
    return c;
}

/* The ground and a box. */
static AbutModel *small_model(void) {
    AbutScene *scene = two_bodies();
    AbutModel *model = NULL;
    assert_int_equal(abut_model_create(&model, NULL), ABUT_OK);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(abut_scene_describe_body(scene, abut_scene_body_at(scene, i), model, NULL, NULL), ABUT_OK);
    abut_scene_free(scene);
    model->gravity = abut_vec3(0, 0, -9.81);
    return model;
}

static void check_vec(const double *row, AbutVec3 v) { assert_true(row[0] == v.x && row[1] == v.y && row[2] == v.z); }

/* The scene document of a file; to be freed. */
static char *scene_text(const char *path) {
    AbutArchive archive;
    assert_int_equal(npz_read(path, &archive, NULL), ABUT_OK);
    const AbutArray *array = abut_npz_find(&archive, "scene_json");
    assert_non_null(array);
    char *text = calloc((size_t)array->shape[0] + 1, 1);
    memcpy(text, array->data, (size_t)array->shape[0]);
    abut_npz_free(&archive);
    return text;
}

static void test_made_up(void **state) {
    (void)state;
    enum { STEPS = 20, MOST = 5 };
    static AbutContact contacts[STEPS][MOST];
    AbutStepReport reports[STEPS];
    int counts[STEPS], known[STEPS][MOST];
    AbutRng rng = abut_rng(3, 9);
    AbutModel *model = small_model();
    AbutRun *log = NULL;
    AbutError error = {0};
    assert_int_equal(abut_run_create(model, "a \"b\"", &log, &error), ABUT_OK);
    abut_model_free(model);
    for (int t = 0; t < STEPS; ++t) {
        AbutRunBody rows[2] = {{.pose = abut_pose_identity()},
            {.pose = abut_pose(abut_vec3(t, 2, 3), abut_quat(0, 1, 0, 0)), .velocity = {3, 4, 0}, .island = 7}};
        memset(&reports[t], 0, sizeof reports[t]);
        reports[t].time = 0.1 * t;
        reports[t].residual = abut_rng_unit(&rng);
        reports[t].sweeps = t * 3;
        for (int i = 0; i < ABUT_STAGE_COUNT; ++i) reports[t].seconds[i] = abut_rng_unit(&rng);
        assert_int_equal(abut_run_add_step(log, &reports[t], rows, &error), ABUT_OK);
        counts[t] = (int)abut_rng_below(&rng, MOST + 1);
        for (int i = 0; i < counts[t]; ++i) {
            contacts[t][i] = random_contact(&rng);
            known[t][i] = abut_rng_below(&rng, 4) != 0;
            assert_int_equal(abut_run_add_contact(log, 0, known[t][i] ? 1 : -1, &contacts[t][i], &error), ABUT_OK);
        }
    }
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    AbutRun *data = NULL;
    if (abut_run_write(path, log, &error) != ABUT_OK || abut_run_read(path, NULL, 0, &data, &error) != ABUT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(data->steps, STEPS);
    assert_int_equal(data->bodies, 2);
    assert_true(data->contacts > STEPS && data->vertices > STEPS);
    for (int t = 0; t < STEPS; ++t) {
        assert_true(abut_run_f8(data, ABUT_RUN_TIME)[t] == reports[t].time &&
                    abut_run_f8(data, ABUT_RUN_RESIDUAL)[t] == reports[t].residual);
        assert_int_equal(abut_run_i4(data, ABUT_RUN_SWEEPS)[t], reports[t].sweeps);
        assert_memory_equal(abut_run_f8(data, ABUT_RUN_STAGE_SECONDS) + t * ABUT_STAGE_COUNT, reports[t].seconds,
            sizeof reports[t].seconds);
        const double pose[7] = {t, 2, 3, 0, 1, 0, 0};
        assert_true(abut_run_f8(data, ABUT_RUN_SPEED)[2 * t + 1] == 5.0);
        assert_int_equal(abut_run_i4(data, ABUT_RUN_ISLAND)[2 * t + 1], 7);
        assert_memory_equal(abut_run_f8(data, ABUT_RUN_POSE) + (2 * t + 1) * 7, pose, sizeof pose);
        assert_int_equal(
            abut_run_i8(data, ABUT_RUN_CONTACT_START)[t + 1] - abut_run_i8(data, ABUT_RUN_CONTACT_START)[t], counts[t]);
        for (int i = 0; i < counts[t]; ++i) {
            const AbutContact *c = &contacts[t][i];
            int64_t k = abut_run_i8(data, ABUT_RUN_CONTACT_START)[t] + i;
            assert_int_equal(abut_run_i4(data, ABUT_RUN_CONTACT_BODY)[2 * k], 0);
            assert_int_equal(abut_run_i4(data, ABUT_RUN_CONTACT_BODY)[2 * k + 1], known[t][i] ? 1 : -1);
            check_vec(abut_run_f8(data, ABUT_RUN_CONTACT_FORCE) + 3 * k, c->force);
            check_vec(abut_run_f8(data, ABUT_RUN_CONTACT_TORQUE) + 3 * k, c->torque);
            check_vec(abut_run_f8(data, ABUT_RUN_CONTACT_CENTER) + 3 * k, c->center);
            check_vec(abut_run_f8(data, ABUT_RUN_CONTACT_NORMAL) + 3 * k, c->normal);
            assert_true(abut_run_f8(data, ABUT_RUN_CONTACT_AREA)[k] == c->area &&
                        abut_run_f8(data, ABUT_RUN_CONTACT_VOLUME)[k] == c->volume);
            assert_true(abut_run_f8(data, ABUT_RUN_CONTACT_DEPTH)[k] == c->depth);
            assert_int_equal(abut_run_i4(data, ABUT_RUN_CONTACT_SLIDING)[k], c->sliding);
            assert_int_equal(
                abut_run_i8(data, ABUT_RUN_VERTEX_START)[k + 1] - abut_run_i8(data, ABUT_RUN_VERTEX_START)[k],
                c->vertex_count);
            for (int v = 0; v < c->vertex_count; ++v) {
                check_vec(
                    abut_run_f8(data, ABUT_RUN_VERTEX_POINT) + 3 * (abut_run_i8(data, ABUT_RUN_VERTEX_START)[k] + v),
                    c->vertex[v].point);
                check_vec(
                    abut_run_f8(data, ABUT_RUN_VERTEX_FORCE) + 3 * (abut_run_i8(data, ABUT_RUN_VERTEX_START)[k] + v),
                    c->vertex[v].force);
                assert_true(
                    abut_run_f8(data, ABUT_RUN_VERTEX_PRESSURE)[abut_run_i8(data, ABUT_RUN_VERTEX_START)[k] + v] ==
                    c->vertex[v].pressure);
            }
        }
    }
    assert_string_equal(data->stage_names, "bounds\npairs\ncontacts\nislands\nsolve\nadvance\n");
    char *text = scene_text(path);
    assert_true(json_valid(text));
    assert_true(json_is(text, "bodies.1.name", "\"box\""));
    assert_true(json_is(text, "settings", "\"a \\\"b\\\"\""));
    assert_int_equal(json_count(text, "geometries.1.vertices"), 8);
    assert_int_equal(json_count(text, "geometries.1.faces"), 6);
    CHECK_NEAR(json_number(text, "gravity.2"), -9.81, 0);
    assert_string_equal(data->settings, "a \"b\"");
    free(text);
    abut_run_free(data);
    abut_run_free(log);
    tool_close(&tool);
}

/* A run may leave out contacts, or keep poses only; it comes back as it was. */
static void test_keep(void **state) {
    (void)state;
    Tool tool = tool_open();
    for (int keep = 0; keep < ABUT_RUN_KEEP_COUNT; ++keep) {
        AbutModel *model = small_model();
        AbutRun *run, *back = NULL;
        AbutError error = {0};
        AbutStepReport report = {.time = 0.5};
        AbutRunBody rows[2] = {{.pose = abut_pose_identity()}, {.pose = abut_pose_identity(), .velocity = {3, 4, 0}}};
        AbutRng rng = abut_rng(5, 0);
        AbutContact contact = random_contact(&rng);
        char path[300];
        snprintf(path, sizeof path, "%s/keep.npz", tool.folder);
        assert_int_equal(abut_run_create(model, NULL, &run, &error), ABUT_OK);
        abut_model_free(model);
        run->keep = (AbutRunKeep)keep;
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(abut_run_add_step(run, &report, rows, &error), ABUT_OK);
            assert_int_equal(abut_run_add_contact(run, 0, 1, &contact, &error), ABUT_OK);
        }
        if (abut_run_write(path, run, &error) != ABUT_OK || abut_run_read(path, NULL, 0, &back, &error) != ABUT_OK)
            fail_msg("%s", error.text);
        assert_int_equal(back->keep, keep);
        assert_int_equal(back->contacts, keep == ABUT_RUN_KEEP_ALL ? 3 : 0);
        assert_true(abut_run_f8(back, ABUT_RUN_POSE)[7 * 5 + 3] == 1.0);
        if (keep == ABUT_RUN_KEEP_POSES)
            assert_true(!abut_run_f8(back, ABUT_RUN_VELOCITY) && !abut_run_i4(back, ABUT_RUN_ASLEEP));
        else
            assert_true(abut_run_f8(back, ABUT_RUN_SPEED)[5] == 5.0);
        assert_int_equal(abut_word_find(abut_run_keep_names, abut_word(abut_run_keep_names, keep)), keep);
        abut_run_free(run);
        abut_run_free(back);
    }
    assert_int_equal(abut_word_find(abut_run_keep_names, "some"), -1);
    tool_close(&tool);
}

/* A box at rest: the log tells its weight. */
static void test_real_run(void **state) {
    (void)state;
    AbutScene *scene = two_bodies();
    AbutSimulationDef def = abut_simulation_default();
    def.threads = 1;
    AbutSimulation *simulation = NULL;
    AbutRun *log = NULL;
    AbutError error = {0};
    assert_int_equal(abut_simulation_create(scene, &def, &simulation, &error), ABUT_OK);
    assert_int_equal(abut_run_create_of_scene(scene, NULL, NULL, &log, &error), ABUT_OK);
    for (int i = 0; i < 300; ++i) {
        AbutStepReport report;
        assert_int_equal(abut_simulation_step(simulation, 0.001, &report, &error), ABUT_OK);
        if (i % 10 == 0) assert_int_equal(abut_run_record(log, simulation, &report, &error), ABUT_OK);
    }
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    AbutRun *data = NULL;
    if (abut_run_write(path, log, &error) != ABUT_OK || abut_run_read(path, NULL, 0, &data, &error) != ABUT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(data->steps, 30);
    assert_true(data->contacts >= 29);
    int64_t last = data->contacts - 1;
    AbutBodyState box;
    assert_true(abut_scene_get_body(scene, abut_scene_find_body(scene, "box"), &box));
    CHECK_NEAR(
        fabs(abut_run_f8(data, ABUT_RUN_CONTACT_FORCE)[3 * last + 2]), -box.mass * def.gravity.z, 1e-3 * box.mass);
    double sum = 0;
    for (int64_t i = abut_run_i8(data, ABUT_RUN_VERTEX_START)[last];
         i < abut_run_i8(data, ABUT_RUN_VERTEX_START)[last + 1]; ++i)
        sum += abut_run_f8(data, ABUT_RUN_VERTEX_FORCE)[3 * i + 2];
    CHECK_NEAR(sum, abut_run_f8(data, ABUT_RUN_CONTACT_FORCE)[3 * last + 2], 1e-6);
    CHECK_NEAR(abut_run_f8(data, ABUT_RUN_POSE)[(2 * 29 + 1) * 7 + 2], 0.05, 1e-4);
    abut_run_free(data);
    tool_run(&tool, "/usr/bin/env", "python3 -c 'import numpy'");
    if (tool.status == 0) {
        tool_file(&tool, "check.py",
            "import json, numpy as np\nz = np.load('run.npz')\nassert z['pose'].shape == (30, 2, 7)\n"
            "s = json.loads(bytes(z['scene_json']))\nassert s['bodies'][1]['name'] == 'box'\n"
            "assert z['contact_start'][-1] == len(z['contact_force'])\n");
        if (tool_run(&tool, "/usr/bin/env", "python3 check.py") != 0) fail_msg("%s", tool.err);
    }
    abut_run_free(log);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    tool_close(&tool);
}

/* Sound archives that are no sound logs. */
static void test_contradictions(void **state) {
    (void)state;
    AbutModel *model = small_model();
    AbutRun *log = NULL;
    AbutRng rng = abut_rng(1, 2);
    AbutStepReport report;
    AbutRunBody rows[2] = {{.pose = abut_pose_identity()}, {.pose = abut_pose_identity()}};
    memset(&report, 0, sizeof report);
    assert_int_equal(abut_run_create(model, NULL, &log, NULL), ABUT_OK);
    abut_model_free(model);
    for (int i = 0; i < 3; ++i) {
        AbutContact contact = random_contact(&rng);
        assert_int_equal(abut_run_add_step(log, &report, rows, NULL), ABUT_OK);
        assert_int_equal(abut_run_add_contact(log, 0, 1, &contact, NULL), ABUT_OK);
    }
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    assert_int_equal(abut_run_write(path, log, NULL), ABUT_OK);
    AbutArchive archive;
    AbutRun *data;
    AbutError error = {0};
    assert_int_equal(npz_read(path, &archive, NULL), ABUT_OK);
    for (int i = 0; i < archive.count; ++i) { /* each array left out, of another type, of another shape */
        AbutArray all[64];
        for (int way = 0; way < 3; ++way) {
            memcpy(all, archive.arrays, (size_t)archive.count * sizeof *all);
            AbutArray *a = &all[i];
            if (way == 0)
                strcpy(a->name, "other");
            else if (way == 1)
                *a = (AbutArray){.type = ABUT_ARRAY_F4, .dimensions = 1, .shape = {1}, .data = archive.arrays[0].data};
            else
                a->shape[0] = a->dimensions ? a->shape[0] - 1 : 0;
            if (way == 1) strcpy(a->name, archive.arrays[i].name);
            if (way == 2 && a->type == ABUT_ARRAY_U1) continue; /* other tests cut texts */
            assert_int_equal(abut_npz_write(path, all, archive.count, &error), ABUT_OK);
            if (abut_run_read(path, NULL, 0, &data, &error) != ABUT_ERROR_FORMAT)
                fail_msg("%s, way %d, was not refused", archive.arrays[i].name, way);
        }
    }
    int64_t *start = (int64_t *)(uintptr_t)abut_npz_find(&archive, "contact_start")->data;
    start[1] = 3;
    start[2] = 2;
    assert_int_equal(abut_npz_write(path, archive.arrays, archive.count, &error), ABUT_OK);
    assert_int_equal(abut_run_read(path, NULL, 0, &data, &error), ABUT_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "contact_start"));
    start[1] = 1;
    int32_t *body = (int32_t *)(uintptr_t)abut_npz_find(&archive, "contact_body")->data;
    body[0] = 2;
    assert_int_equal(abut_npz_write(path, archive.arrays, archive.count, &error), ABUT_OK);
    assert_int_equal(abut_run_read(path, NULL, 0, &data, &error), ABUT_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "contact_body"));
    body[0] = 0;
    assert_int_equal(abut_npz_write(path, archive.arrays, archive.count, &error), ABUT_OK);
    assert_int_equal(abut_run_read(path, NULL, 0, &data, &error), ABUT_OK);
    abut_run_free(data);
    abut_npz_free(&archive);
    abut_run_free(log);
    tool_close(&tool);
}

/* ---- bodies that come and go ------------------------------------------------------------------------------------- */

static AbutBodyId add_ball(AbutScene *scene) {
    AbutBodyDef def = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutBodyId id;
    def.name = "ball";
    def.pose.p = abut_vec3(1, 0, 0.05);
    shape.form.kind = ABUT_SHAPE_SPHERE;
    shape.form.size = abut_vec3(0.05, 0, 0);
    assert_int_equal(abut_scene_add_body(scene, &def, &id, NULL), ABUT_OK);
    assert_int_equal(abut_scene_add_shape(scene, id, &shape, NULL, NULL), ABUT_OK);
    return id;
}

static void check_presence(const AbutRun *run) {
    enum { GROUND, BOX, BALL, SECOND };
    const int32_t first[] = {0, 0, 2, 6}, last[] = {7, 3, 7, 7};
    const double *pose = abut_run_f8(run, ABUT_RUN_POSE);
    assert_int_equal(run->bodies, 4);
    assert_int_equal(run->steps, 8);
    assert_string_equal(run->model->bodies[BALL].name, "ball");
    assert_string_equal(run->model->bodies[SECOND].name, "ball");
    for (int32_t t = 0; t < run->steps; ++t)
        for (int32_t b = 0; b < run->bodies; ++b) {
            int there = t >= first[b] && t <= last[b];
            assert_int_equal(abut_run_has_body(run, t, b), there);
            assert_int_equal(isnan(pose[7 * (t * run->bodies + b)]) == 0, there);
            assert_int_equal(isnan(abut_run_f8(run, ABUT_RUN_SPEED)[t * run->bodies + b]) == 0, there);
        }
    CHECK_NEAR(pose[7 * (4 * run->bodies + BALL)], 1.0, 1e-3);
    int seen[4] = {0};
    for (int64_t c = 0; c < run->contacts; ++c) ++seen[abut_run_i4(run, ABUT_RUN_CONTACT_BODY)[2 * c + 1]];
    assert_true(seen[BOX] >= 3 && seen[BALL] >= 4 && seen[GROUND] == 0);
}

/* A ball joins at step 2, the box goes after step 3, a second ball takes its place at step 6. */
static void test_bodies_come_and_go(void **state) {
    (void)state;
    AbutScene *scene = two_bodies();
    AbutSimulationDef def = abut_simulation_default();
    AbutSimulation *simulation = NULL;
    AbutRun *run = NULL, *back = NULL;
    AbutError error = {0};
    def.threads = 1;
    assert_int_equal(abut_simulation_create(scene, &def, &simulation, &error), ABUT_OK);
    assert_int_equal(abut_run_create_of_scene(scene, NULL, NULL, &run, &error), ABUT_OK);
    for (int t = 0; t < 8; ++t) {
        AbutStepReport report;
        if (t == 2 || t == 6) add_ball(scene);
        if (t == 4)
            assert_int_equal(abut_scene_remove_body(scene, abut_scene_find_body(scene, "box"), &error), ABUT_OK);
        assert_int_equal(abut_simulation_step(simulation, 0.001, &report, &error), ABUT_OK);
        assert_int_equal(abut_run_record(run, simulation, &report, &error), ABUT_OK);
    }
    check_presence(run);
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    if (abut_run_write(path, run, &error) != ABUT_OK || abut_run_read(path, NULL, 0, &back, &error) != ABUT_OK)
        fail_msg("%s", error.text);
    check_presence(back);
    abut_run_free(back);
    abut_run_free(run);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    tool_close(&tool);
}

/* ---- the scene document ------------------------------------------------------------------------------------------ */

static void test_equal_geometry_is_written_once(void **state) {
    (void)state;
    AbutScene *scene = NULL;
    AbutRun *run = NULL, *back = NULL;
    assert_int_equal(abut_scene_create(&scene, NULL), ABUT_OK);
    assert_int_equal(abut_scene_build(scene, "boxes:50", 1, NULL), ABUT_OK);
    assert_int_equal(abut_run_create_of_scene(scene, NULL, NULL, &run, NULL), ABUT_OK);
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    assert_int_equal(abut_run_write(path, run, NULL), ABUT_OK);
    char *text = scene_text(path);
    assert_int_equal(json_count(text, "geometries"), 2); /* the ground and one box */
    assert_int_equal(json_count(text, "bodies"), 51);
    assert_int_equal(abut_run_read(path, NULL, 0, &back, NULL), ABUT_OK);
    assert_ptr_equal(back->model->shapes[7].geometry, back->model->shapes[50].geometry);
    free(text);
    abut_run_free(back);
    abut_run_free(run);
    abut_scene_free(scene);
    tool_close(&tool);
}

/* One body of every kind of shape, a link, filters, colors. */
static AbutModel *rich_model(void) {
    AbutModel *model = NULL;
    AbutPolyhedron *wedge = NULL;
    AbutVec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const double heights[4] = {0.1, 0.2, 0.3, 0.25};
    AbutHeightField field = {2, 2, 1, 1, -1, heights};
    assert_int_equal(abut_polyhedron_from_points(points, 4, NULL, &wedge, NULL), ABUT_OK);
    assert_int_equal(abut_model_create(&model, NULL), ABUT_OK);
    assert_int_equal(abut_model_set_name(model, "zoo", NULL), ABUT_OK);
    model->timestep = 0.002;
    for (int kind = 0; kind < ABUT_SHAPE_KIND_COUNT; ++kind) {
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = abut_shape_default();
        int stands = kind == ABUT_SHAPE_HALF_SPACE || kind == ABUT_SHAPE_HEIGHT_FIELD;
        body.kind = stands ? ABUT_BODY_STATIC : kind == 2 ? ABUT_BODY_LINK : ABUT_BODY_DYNAMIC;
        body.parent = kind == 2 ? 1 : -1;
        body.name = abut_word(abut_shape_kind_names, kind);
        body.pose = abut_pose(abut_vec3(kind, 2, 3), abut_quat_axis_angle(abut_vec3(0.6, 0, 0.8), 0.1 * kind));
        if (kind == 3) {
            body.mass = 2.5;
            body.center = abut_vec3(0.1, 0.2, 0.3);
            body.inertia = (AbutMat3){{1.0, 0.1, 0.2}, {0.1, 1.5, 0.3}, {0.2, 0.3, 2.0}};
        }
        shape.name = "part";
        shape.form.kind = (AbutShapeKind)kind;
        shape.form.size = abut_vec3(0.3, 0.2, 0.1);
        shape.form.polyhedron = wedge;
        shape.form.field = &field;
        shape.form.resolution = 8 + kind;
        shape.density = 100.0 + kind;
        shape.material = (AbutMaterial){0.7, 0.6, 0.25, 1e-3, 2e-4, {0.5, 0.0, -0.25}};
        shape.sensor = kind == 1;
        shape.margin = kind == 2 ? 1.5e-3 : 0.0;
        shape.priority = kind == 3 ? -7 : 0;
        shape.category = 0x80000001u;
        shape.mask = 0xfffffff0u;
        shape.color = 0x123456;
        shape.visual = kind == 4;
        AbutError error = {0};
        if (abut_model_add_body(model, &body, &shape.body, &error) != ABUT_OK ||
            abut_model_add_shape(model, &shape, NULL, &error) != ABUT_OK)
            fail_msg("%s", error.text);
    }
    /* A shape that joins its body late stands earlier in the document than its number says. */
    AbutShapeDef late = abut_shape_default();
    AbutPairDef apart = {.exclude = 1, .a = 3, .b = 1}, pair = abut_pair_default();
    pair.a = 2, pair.friction = 0.25, pair.friction_rolling = 0.0, pair.margin = 2.5e-4;
    if (abut_model_add_shape(model, &late, &pair.b, NULL) != ABUT_OK ||
        abut_model_add_pair(model, &apart, NULL, NULL) != ABUT_OK ||
        abut_model_add_pair(model, &pair, NULL, NULL) != ABUT_OK)
        fail_msg("pairs are refused");
    abut_polyhedron_free(wedge);
    return model;
}

static void test_models_come_back(void **state) {
    (void)state;
    AbutModel *model = rich_model();
    AbutRun *run = NULL, *back = NULL;
    AbutError error = {0};
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    assert_int_equal(abut_run_create(model, NULL, &run, NULL), ABUT_OK);
    assert_int_equal(abut_run_write(path, run, NULL), ABUT_OK);
    if (abut_run_read(path, NULL, 0, &back, &error) != ABUT_OK) fail_msg("%s", error.text);
    assert_null(back->settings);
    assert_string_equal(back->model->name, "zoo");
    assert_true(back->model->timestep == 0.002);
    assert_int_equal(back->model->shape_count, model->shape_count);
    for (int32_t i = 0; i < model->body_count; ++i) {
        const AbutBodyDef *a = &model->bodies[i], *b = &back->model->bodies[i];
        const AbutShapeDef *s = &model->shapes[i], *t = &back->model->shapes[i + (i > 0)];
        assert_string_equal(a->name, b->name);
        assert_true(a->kind == b->kind && a->parent == b->parent && a->mass == b->mass);
        CHECK_NEAR(abut_point_distance(a->pose.p, b->pose.p), 0.0, 0.0);
        CHECK_NEAR(abut_quat_dot(a->pose.q, b->pose.q), 1.0, 1e-15);
        assert_memory_equal(&a->inertia, &b->inertia, sizeof a->inertia);
        assert_memory_equal(&a->center, &b->center, sizeof a->center);
        assert_string_equal(s->name, t->name);
        assert_true(s->geometry->hash == t->geometry->hash && s->geometry->kind == t->geometry->kind);
        assert_memory_equal(&s->material, &t->material, sizeof s->material);
        assert_true(s->density == t->density && s->category == t->category && s->mask == t->mask);
        assert_true(s->margin == t->margin && s->priority == t->priority);
        assert_true(s->color == t->color && s->visual == t->visual && s->sensor == t->sensor && s->body == t->body);
    }
    assert_int_equal(back->model->pair_count, 2);
    const AbutPairDef *apart = &back->model->pairs[0], *pair = &back->model->pairs[1];
    assert_true(apart->exclude && apart->a == 3 && apart->b == 1);
    assert_true(!pair->exclude && pair->a == 3 && pair->b == 1); /* as the document numbers the shapes */
    assert_true(pair->friction == 0.25 && pair->friction_kinetic < 0.0 && pair->restitution < 0.0);
    assert_true(pair->friction_spinning < 0.0 && pair->friction_rolling == 0.0 && pair->margin == 2.5e-4);
    abut_run_free(run);
    abut_run_free(back);
    abut_model_free(model);
    tool_close(&tool);
}

/* A log of no step with this scene document. */
static AbutStatus read_with_scene(
    const char *path, const AbutArchive *archive, const char *text, AbutRun **out, AbutError *error) {
    AbutArray all[64];
    memcpy(all, archive->arrays, (size_t)archive->count * sizeof *all);
    for (int i = 0; i < archive->count; ++i)
        if (strcmp(all[i].name, "scene_json") == 0) {
            all[i].data = text;
            all[i].shape[0] = (int64_t)strlen(text);
        }
    assert_int_equal(abut_npz_write(path, all, archive->count, NULL), ABUT_OK);
    return abut_run_read(path, NULL, 0, out, error);
}

#define POSE "\"pose\": [0, 0, 1, 1, 0, 0, 0]"
#define WITH_PAIRS(list)                                                                                               \
    "{\"version\": 2, \"geometries\": [{\"kind\": \"half_space\"}], \"bodies\": [{\"kind\": \"static\", " POSE         \
    ", \"shapes\": [{\"geometry\": 0, " POSE "}]}], \"pairs\": " list "}"

static void test_scene_documents(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"[]", "object"},
        {"{\"version\": 3, \"bodies\": []}", "version 3"},
        {"{\"bodies\": []}", "version 0"},
        {"{\"version\": 2, \"bodies\": []}", "geometries"},
        {"{\"version\": 2, \"geometries\": [{\"kind\": \"blob\"}], \"bodies\": []}", "kind of shape"},
        {"{\"version\": 2, \"geometries\": [{\"kind\": \"box\"}], \"bodies\": []}", "size"},
        {"{\"version\": 2, \"geometries\": [{\"kind\": \"polyhedron\"}], \"bodies\": []}", "vertices"},
        {"{\"version\": 2, \"geometries\": [{\"kind\": \"polyhedron\", \"vertices\": [[0, 0]]}], \"bodies\": []}",
            "vertices[0]"},
        {"{\"version\": 2, \"geometries\": [], \"bodies\": [{\"kind\": \"static\"}]}", "pose"},
        {"{\"version\": 2, \"geometries\": [], \"bodies\": [{\"kind\": \"static\", " POSE
         ", \"shapes\": [{\"geometry\": 0}]}]}",
            "whole number"},
        {"{\"version\": 2, \"geometries\": [], \"bodies\": [{\"kind\": \"static\", " POSE ", \"shapes\": [{" POSE
         "}]}]}",
            "geometry"},
        {"{\"version\": 2, \"geometries\": [], \"bodies\": [{\"kind\": \"link\", \"parent\": 0, " POSE
         ", \"shapes\": []}]}",
            "parent"},
        {"{\"version\": 2, \"geometries\": [], \"bodies\": [{\"kind\": \"dynamic\", \"mass\": 1, " POSE
         ", \"shapes\": []}]}",
            "center"},
        {"{\"version\": 2, \"geometries\": [], \"bodies\": [{\"kind\": \"static\", " POSE ", \"shapes\": []}]}",
            "2 bodies and its scene_json 1"},
        {WITH_PAIRS("{}"), "list of objects"},
        {WITH_PAIRS("[{\"a\": 0}]"), "\"a\" and \"b\""},
        {WITH_PAIRS("[{\"a\": 0, \"b\": 1}]"), "whole number from 0 to 0"},
        {WITH_PAIRS("[{\"exclude\": true, \"a\": 0, \"b\": -1}]"), "whole number"},
        {WITH_PAIRS("[{\"a\": 0, \"b\": 0, \"margin\": \"wide\"}]"), "expected a number"},
        {WITH_PAIRS("[{\"a\": 0, \"b\": 0, \"margin\": -1}]"), "margin -1"},
    };
    AbutModel *model = small_model();
    AbutRun *run = NULL;
    AbutArchive archive;
    AbutError error;
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    assert_int_equal(abut_run_create(model, NULL, &run, NULL), ABUT_OK);
    assert_int_equal(abut_run_write(path, run, NULL), ABUT_OK);
    assert_int_equal(npz_read(path, &archive, NULL), ABUT_OK);
    abut_run_free(run);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_int_not_equal(read_with_scene(path, &archive, bad[i].text, &run, &error), ABUT_OK);
        assert_null(run);
        if (!strstr(error.text, bad[i].words) || !strstr(error.text, "run.npz"))
            fail_msg("'%s' does not say '%s'", error.text, bad[i].words);
    }
    abut_npz_free(&archive);
    abut_model_free(model);
    tool_close(&tool);
}

/* As version 0.1.0 wrote it: a polyhedron in every shape, a mass without inertia. */
static void test_version_1_is_read(void **state) {
    (void)state;
    static const char text[] =
        "{\"format\": \"abut run\", \"version\": 1, \"gravity\": [0, 0, -1.62], \"timestep\": 0.001, "
        "\"settings\": \"old\", \"bodies\": ["
        "{\"name\": \"ground\", \"kind\": \"static\", \"mass\": 0, \"center\": [0, 0, 0], " POSE
        ", \"shapes\": [{\"name\": \"\", \"kind\": \"half_space\", " POSE
        ", \"size\": [0, 0, 0], \"friction\": 0.5, \"friction_kinetic\": -1, \"color\": 0}]}, "
        "{\"name\": \"gem\", \"kind\": \"dynamic\", \"mass\": 3, \"center\": [0, 0, 0], " POSE
        ", \"shapes\": [{\"name\": \"\", \"kind\": \"sphere\", " POSE
        ", \"size\": [1, 1, 1], \"friction\": 0.5, \"friction_kinetic\": 0.4, \"color\": 255, "
        "\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
        "\"faces\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}]}]}";
    AbutModel *model = small_model();
    AbutRun *run = NULL;
    AbutArchive archive;
    AbutError error = {0};
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    assert_int_equal(abut_run_create(model, NULL, &run, NULL), ABUT_OK);
    assert_int_equal(abut_run_write(path, run, NULL), ABUT_OK);
    assert_int_equal(npz_read(path, &archive, NULL), ABUT_OK);
    abut_run_free(run);
    if (read_with_scene(path, &archive, text, &run, &error) != ABUT_OK) fail_msg("%s", error.text);
    const AbutShapeDef *gem = &run->model->shapes[1];
    assert_string_equal(run->settings, "old");
    assert_string_equal(run->model->bodies[1].name, "gem");
    CHECK_NEAR(run->model->gravity.z, -1.62, 0.0);
    assert_int_equal(run->model->shapes[0].geometry->kind, ABUT_SHAPE_HALF_SPACE);
    assert_int_equal(gem->geometry->polyhedron->vertex_count, 4);
    CHECK_NEAR(gem->density * gem->geometry->polyhedron->mass.volume, 3.0, 1e-12);
    assert_int_equal(gem->color, 255);
    abut_run_free(run);
    abut_npz_free(&archive);
    abut_model_free(model);
    tool_close(&tool);
}

/* A text of a scene with a part of it replaced. */
static AbutStatus read_changed(const char *text, const char *part, const char *by, AbutError *error) {
    char changed[4000];
    const char *at = strstr(text, part);
    AbutModel *model;
    char *settings = NULL;
    assert_true(at && strlen(text) + strlen(by) < sizeof changed);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, by, at + strlen(part));
    assert_int_equal(abut_model_create(&model, NULL), ABUT_OK);
    AbutStatus status = abut_scene_document_read(changed, strlen(changed), "a", model, &settings, error);
    abut_free(settings);
    abut_model_free(model);
    return status;
}

static void test_height_fields_are_kept(void **state) {
    (void)state;
    static const double heights[6] = {0.25, 0.125, 0, 1, 0.5, 0.1};
    AbutHeightField field = {3, 2, 1.5, 0.75, -0.5, heights};
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutModel *model, *read;
    AbutJson json;
    AbutError error;
    char *settings = NULL;
    body.kind = ABUT_BODY_STATIC;
    shape.form.kind = ABUT_SHAPE_HEIGHT_FIELD, shape.form.field = &field;
    good(abut_model_create(&model, &error), &error);
    good(abut_model_add_body(model, &body, &shape.body, &error), &error);
    good(abut_model_add_shape(model, &shape, NULL, &error), &error);
    good(abut_scene_document_write(model, NULL, &json, &error), &error);
    good(abut_model_create(&read, &error), &error);
    good(abut_scene_document_read(json.text, json.count, "a", read, &settings, &error), &error);
    const AbutHeightField *kept = read->shapes[0].geometry->field;
    assert_true(kept && kept->columns == 3 && kept->rows == 2 && kept->half_x == 1.5 && kept->half_y == 0.75);
    assert_true(kept->bottom == -0.5 && memcmp(kept->heights, heights, sizeof heights) == 0);
    assert_int_equal(read->shapes[0].geometry->hash, model->shapes[0].geometry->hash);
    static const char *const bad[][3] = {{"\"columns\":3", "\"columns\":4", "as many numbers as columns times rows"},
        {"\"columns\":3", "\"columns\":1", "a whole number of 2 or more"},
        {"\"half_x\"", "\"half\"", "\"half_x\" with a number"}, {"0.125", "true", "expected a number"},
        {"\"field\"", "\"fold\"", "\"field\" with an object"},
        {"\"bottom\":-0.5", "\"bottom\":0.5", "above the bottom"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_int_not_equal(read_changed(json.text, bad[i][0], bad[i][1], &error), ABUT_OK);
        if (!strstr(error.text, bad[i][2])) fail_msg("%s", error.text);
    }
    abut_free(settings);
    abut_json_free(&json);
    abut_model_free(model);
    abut_model_free(read);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_up),
        cmocka_unit_test(test_keep),
        cmocka_unit_test(test_real_run),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_bodies_come_and_go),
        cmocka_unit_test(test_equal_geometry_is_written_once),
        cmocka_unit_test(test_models_come_back),
        cmocka_unit_test(test_scene_documents),
        cmocka_unit_test(test_height_fields_are_kept),
        cmocka_unit_test(test_version_1_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
