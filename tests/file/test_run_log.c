/* SPDX-License-Identifier: Apache-2.0 */
/* Run logs: made-up steps read back number by number, a real run, logs that contradict themselves, NumPy. */
#include "support/check.h"

#include <string.h>

#include "abut/file.h"
#include "file/run_log.h"
#include "support/json.h"
#include "support/tool.h"

static AbutScene *two_bodies(void)
{
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

static AbutVec3 random_vector(AbutRng *rng)
{
    return abut_vec3(abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng));
}

static AbutContact random_contact(AbutRng *rng, const AbutScene *scene)
{
    AbutContact c;
    memset(&c, 0, sizeof c);
    c.body_a = abut_scene_body_at(scene, 0);
    c.body_b = abut_scene_body_at(scene, 1);
    if (abut_rng_below(rng, 4) == 0)
        c.body_b.generation += 7; /* a body that is not in the log */
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

static void check_vec(const double *row, AbutVec3 v)
{
    assert_true(row[0] == v.x && row[1] == v.y && row[2] == v.z);
}

static void test_made_up(void **state)
{
    (void)state;
    enum { STEPS = 20, MOST = 5 };
    static AbutContact contacts[STEPS][MOST];
    AbutStepReport reports[STEPS];
    int counts[STEPS];
    AbutRng rng = abut_rng(3, 9);
    AbutScene *scene = two_bodies();
    AbutModel info = {.gravity = {0, 0, -9.81}, .timestep = 0.001};
    AbutRunLog *log = NULL;
    AbutError error = {0};
    assert_int_equal(abut_run_log_create(scene, &info, "a \"b\"", &log, &error), ABUT_OK);
    for (int t = 0; t < STEPS; ++t) {
        memset(&reports[t], 0, sizeof reports[t]);
        reports[t].time = 0.1 * t;
        reports[t].residual = abut_rng_unit(&rng);
        reports[t].sweeps = t * 3;
        for (int i = 0; i < ABUT_STAGE_COUNT; ++i)
            reports[t].seconds[i] = abut_rng_unit(&rng);
        assert_int_equal(abut_scene_set_pose(scene, abut_scene_body_at(scene, 1),
                             abut_pose(abut_vec3(t, 2, 3), abut_quat(0, 1, 0, 0)), NULL),
            ABUT_OK);
        assert_int_equal(abut_run_log_add_step(log, &reports[t], &error), ABUT_OK);
        counts[t] = (int)abut_rng_below(&rng, MOST + 1);
        for (int i = 0; i < counts[t]; ++i) {
            contacts[t][i] = random_contact(&rng, scene);
            assert_int_equal(abut_run_log_add_contact(log, &contacts[t][i], &error), ABUT_OK);
        }
    }
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    AbutRunLogData data;
    if (abut_run_log_write(log, path, &error) != ABUT_OK || abut_run_log_read(path, &data, &error) != ABUT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(data.steps, STEPS);
    assert_int_equal(data.bodies, 2);
    assert_true(data.contacts > STEPS && data.vertices > STEPS);
    for (int t = 0; t < STEPS; ++t) {
        assert_true(data.time[t] == reports[t].time && data.residual[t] == reports[t].residual);
        assert_int_equal(data.sweeps[t], reports[t].sweeps);
        assert_memory_equal(data.stage_seconds + t * ABUT_STAGE_COUNT, reports[t].seconds, sizeof reports[t].seconds);
        const double pose[7] = {t, 2, 3, 0, 1, 0, 0};
        assert_memory_equal(data.pose + (2 * t + 1) * 7, pose, sizeof pose);
        assert_int_equal(data.contact_start[t + 1] - data.contact_start[t], counts[t]);
        for (int i = 0; i < counts[t]; ++i) {
            const AbutContact *c = &contacts[t][i];
            int64_t k = data.contact_start[t] + i;
            int known = c->body_b.generation == abut_scene_body_at(scene, 1).generation;
            assert_int_equal(data.contact_body[2 * k], 0);
            assert_int_equal(data.contact_body[2 * k + 1], known ? 1 : -1);
            check_vec(data.contact_force + 3 * k, c->force);
            check_vec(data.contact_torque + 3 * k, c->torque);
            check_vec(data.contact_center + 3 * k, c->center);
            check_vec(data.contact_normal + 3 * k, c->normal);
            assert_true(data.contact_area[k] == c->area && data.contact_volume[k] == c->volume);
            assert_true(data.contact_depth[k] == c->depth);
            assert_int_equal(data.contact_sliding[k], c->sliding);
            assert_int_equal(data.vertex_start[k + 1] - data.vertex_start[k], c->vertex_count);
            for (int v = 0; v < c->vertex_count; ++v) {
                check_vec(data.vertex_point + 3 * (data.vertex_start[k] + v), c->vertex[v].point);
                check_vec(data.vertex_force + 3 * (data.vertex_start[k] + v), c->vertex[v].force);
                assert_true(data.vertex_pressure[data.vertex_start[k] + v] == c->vertex[v].pressure);
            }
        }
    }
    assert_string_equal(data.stage_names, "bounds\npairs\ncontacts\nislands\nsolve\nadvance\n");
    assert_true(json_valid(data.scene_json));
    assert_true(json_is(data.scene_json, "bodies.1.name", "\"box\""));
    assert_true(json_is(data.scene_json, "settings", "\"a \\\"b\\\"\""));
    assert_int_equal(json_count(data.scene_json, "bodies.1.shapes.0.vertices"), 8);
    assert_int_equal(json_count(data.scene_json, "bodies.1.shapes.0.faces"), 6);
    CHECK_NEAR(json_number(data.scene_json, "gravity.2"), -9.81, 0);
    abut_run_log_data_free(&data);
    abut_run_log_free(log);
    abut_scene_free(scene);
    tool_close(&tool);
}

/* A box at rest: the log tells its weight. */
static void test_real_run(void **state)
{
    (void)state;
    AbutScene *scene = two_bodies();
    AbutSimulationDef def = abut_simulation_default();
    def.threads = 1;
    AbutSimulation *simulation = NULL;
    AbutRunLog *log = NULL;
    AbutError error = {0};
    assert_int_equal(abut_simulation_create(scene, &def, &simulation, &error), ABUT_OK);
    assert_int_equal(abut_run_log_create(scene, NULL, NULL, &log, &error), ABUT_OK);
    for (int i = 0; i < 300; ++i) {
        AbutStepReport report;
        assert_int_equal(abut_simulation_step(simulation, 0.001, &report, &error), ABUT_OK);
        if (i % 10 == 0)
            assert_int_equal(abut_run_log_record(log, simulation, &report, &error), ABUT_OK);
    }
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    AbutRunLogData data;
    if (abut_run_log_write(log, path, &error) != ABUT_OK || abut_run_log_read(path, &data, &error) != ABUT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(data.steps, 30);
    assert_true(data.contacts >= 29);
    int64_t last = data.contacts - 1;
    AbutBodyState box;
    assert_true(abut_scene_get_body(scene, abut_scene_find_body(scene, "box"), &box));
    CHECK_NEAR(fabs(data.contact_force[3 * last + 2]), -box.mass * def.gravity.z, 1e-3 * box.mass);
    double sum = 0;
    for (int64_t i = data.vertex_start[last]; i < data.vertex_start[last + 1]; ++i)
        sum += data.vertex_force[3 * i + 2];
    CHECK_NEAR(sum, data.contact_force[3 * last + 2], 1e-6);
    CHECK_NEAR(data.pose[(2 * 29 + 1) * 7 + 2], 0.05, 1e-4);
    abut_run_log_data_free(&data);
    tool_run(&tool, "/usr/bin/env", "python3 -c 'import numpy'");
    if (tool.status == 0) {
        tool_file(&tool, "check.py",
            "import json, numpy as np\nz = np.load('run.npz')\nassert z['pose'].shape == (30, 2, 7)\n"
            "s = json.loads(bytes(z['scene_json']))\nassert s['bodies'][1]['name'] == 'box'\n"
            "assert z['contact_start'][-1] == len(z['contact_force'])\n");
        if (tool_run(&tool, "/usr/bin/env", "python3 check.py") != 0)
            fail_msg("%s", tool.err);
    }
    abut_run_log_free(log);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    tool_close(&tool);
}

/* Sound archives that are no sound logs. */
static void test_contradictions(void **state)
{
    (void)state;
    AbutScene *scene = two_bodies();
    AbutRunLog *log = NULL;
    AbutRng rng = abut_rng(1, 2);
    AbutStepReport report;
    memset(&report, 0, sizeof report);
    assert_int_equal(abut_run_log_create(scene, NULL, NULL, &log, NULL), ABUT_OK);
    for (int i = 0; i < 3; ++i) {
        AbutContact contact = random_contact(&rng, scene);
        assert_int_equal(abut_run_log_add_step(log, &report, NULL), ABUT_OK);
        assert_int_equal(abut_run_log_add_contact(log, &contact, NULL), ABUT_OK);
    }
    Tool tool = tool_open();
    char path[300];
    snprintf(path, sizeof path, "%s/run.npz", tool.folder);
    assert_int_equal(abut_run_log_write(log, path, NULL), ABUT_OK);
    AbutArchive archive;
    AbutRunLogData data;
    AbutError error = {0};
    assert_int_equal(abut_npz_read(path, &archive, NULL), ABUT_OK);
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
            if (way == 1)
                strcpy(a->name, archive.arrays[i].name);
            if (way == 2 && a->type == ABUT_ARRAY_U1)
                continue; /* a shorter text is a text */
            assert_int_equal(abut_npz_write(path, all, archive.count, &error), ABUT_OK);
            if (abut_run_log_read(path, &data, &error) != ABUT_ERROR_FORMAT)
                fail_msg("%s, way %d, was not refused", archive.arrays[i].name, way);
        }
    }
    int64_t *start = (int64_t *)(uintptr_t)abut_npz_find(&archive, "contact_start")->data;
    start[1] = 3;
    start[2] = 2;
    assert_int_equal(abut_npz_write(path, archive.arrays, archive.count, &error), ABUT_OK);
    assert_int_equal(abut_run_log_read(path, &data, &error), ABUT_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "contact_start"));
    start[1] = 1;
    int32_t *body = (int32_t *)(uintptr_t)abut_npz_find(&archive, "contact_body")->data;
    body[0] = 2;
    assert_int_equal(abut_npz_write(path, archive.arrays, archive.count, &error), ABUT_OK);
    assert_int_equal(abut_run_log_read(path, &data, &error), ABUT_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "contact_body"));
    body[0] = 0;
    assert_int_equal(abut_npz_write(path, archive.arrays, archive.count, &error), ABUT_OK);
    assert_int_equal(abut_run_log_read(path, &data, &error), ABUT_OK);
    abut_run_log_data_free(&data);
    abut_npz_free(&archive);
    abut_run_log_free(log);
    abut_scene_free(scene);
    tool_close(&tool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_up), cmocka_unit_test(test_real_run), cmocka_unit_test(test_contradictions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
