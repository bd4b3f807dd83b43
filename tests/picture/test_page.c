/* SPDX-License-Identifier: Apache-2.0 */
/* Pages. Tables come back through a decoder of their own; files, limits, hostile names and bad input. */
#include "picture/page.h"
#include "support/check.h"
#include "support/json.h"

#include <string.h>
#include <unistd.h>

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static AbutPage empty_page(AbutError *error) {
    AbutPage page;
    memset(&page, 0, sizeof page);
    page.json = abut_json_to_file(NULL, 0);
    page.error = error;
    abut_json_begin_object(&page.json);
    return page;
}

/* Integers of a table, by the description in docs/howto/panels.md. */
static void decode(
    const AbutPage *page, size_t at, int rows, int columns, int order, const int32_t *before, int64_t *out) {
    for (int c = 0; c < columns; ++c)
        for (int r = 0; r < rows; ++r) {
            uint64_t bits = 0;
            for (int shift = 0;; shift += 7) {
                unsigned char byte = page->pool[at++];
                bits |= (uint64_t)(byte & 127) << shift;
                if (byte < 128) break;
            }
            int64_t value = bits & 1 ? -(int64_t)(bits >> 1) - 1 : (int64_t)(bits >> 1);
            int p = before ? before[r] : r - 1;
            if (p >= 0) value += out[p * columns + c];
            if (order == 2 && p > 0) value += out[p * columns + c] - out[(p - 1) * columns + c];
            out[r * columns + c] = value;
        }
    assert_int_equal(at, page->count);
}

static const char *finish_json(AbutPage *page) {
    abut_json_end_object(&page->json);
    assert_int_equal(abut_json_finish(&page->json, NULL), ABUT_OK);
    assert_true(json_valid(page->json.text));
    return page->json.text;
}

static void tables_come_back(void **state) {
    enum { ROWS = 40, COLUMNS = 3 };
    int orders[3] = {0, 0, 0}, cases = check_cases(2000);
    AbutRng rng = abut_rng(7, 0);
    (void)state;
    for (int i = 0; i < cases; ++i) {
        double values[ROWS * COLUMNS], scale = pow(10.0, abut_rng_between(&rng, -3.0, 6.0)),
                                       step = i % 2 ? scale * 1e-6 : 0.0;
        int64_t integers[ROWS * COLUMNS];
        int smooth = (int)abut_rng_below(&rng, 2), shift = (int)abut_rng_below(&rng, 16);
        for (int k = 0; k < ROWS * COLUMNS; ++k)
            values[k] = scale * (smooth ? (double)(k * k) / 1e4 : abut_rng_between(&rng, -1.0, 1.0));
        AbutPage page = empty_page(NULL);
        abut_page_numbers(&page, "t", values, ROWS, COLUMNS, step, shift);
        assert_int_equal(page.status, ABUT_OK);
        const char *text = finish_json(&page);
        int order = json_at(text, "t.order") ? (int)json_number(text, "t.order") : 1;
        ++orders[order];
        assert_int_equal((int)json_number(text, "t.rows"), ROWS);
        decode(&page, (size_t)json_number(text, "t.at"), ROWS, COLUMNS, order, NULL, integers);
        for (int k = 0; k < ROWS * COLUMNS; ++k) {
            uint32_t bits = (uint32_t)llabs(integers[k]) << shift;
            float f;
            memcpy(&f, &bits, sizeof f);
            double got = step > 0.0 ? step * (double)integers[k] : (integers[k] < 0 ? -(double)f : (double)f);
            CHECK_NEAR(got, values[k],
                step > 0.0 ? 0.501 * step : fabs(values[k]) * (ldexp(1.01, shift - 24) + 0x1p-24) + 1e-38);
        }
        abut_page_free(&page);
    }
    assert_true(orders[1] > cases / 10 && orders[2] > cases / 10);
}

static double get_row(const void *source, int64_t row, int32_t column) {
    return ((const double *)source)[row + column];
}

static void rows_count_from_others(void **state) {
    double values[6] = {100, 50, 101, 51, 102, 7};
    int32_t before[6] = {-1, -1, 0, 1, 2, -1};
    int64_t out[6];
    (void)state;
    AbutPage page = empty_page(NULL);
    AbutPageTable table = {get_row, values, 6, 1, 1.0, 0, 0.0, before};
    abut_page_table(&page, "t", &table);
    finish_json(&page);
    decode(&page, 0, 6, 1, 1, before, out);
    for (int i = 0; i < 6; ++i) assert_int_equal(out[i], (int64_t)values[i]);
    abut_page_free(&page);
}

static void special_numbers(void **state) {
    double values[5] = {NAN, -INFINITY, 1e300, -1e-300, 5e-5};
    int64_t out[5];
    AbutError error;
    (void)state;
    AbutPage page = empty_page(&error);
    AbutPageTable table = {get_row, values, 5, 1, 0.0, 11, 1e-4, NULL};
    abut_page_table(&page, "t", &table);
    assert_int_equal(page.status, ABUT_OK);
    int order = strstr(finish_json(&page), "order") ? 2 : 1;
    decode(&page, 0, 5, 1, order, NULL, out);
    assert_true(out[0] << 11 > 0x7f800000);          /* NaN */
    assert_int_equal(out[1], -(0x7f800000LL >> 11)); /* -infinity */
    assert_int_equal(out[2], 0x7f800000LL >> 11);    /* too large for a float */
    assert_int_equal(out[3], 0);
    assert_int_equal(out[4], 0); /* below the floor */
    abut_page_free(&page);
    page = empty_page(&error);
    abut_page_numbers(&page, "t", values, 5, 1, 0.5, 0);
    assert_int_equal(page.status, ABUT_ERROR_NUMBER);
    assert_non_null(strstr(error.text, "finite"));
    abut_page_free(&page);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

enum { FRAMES = 200, BODIES = 4 };

/* The ground and three bodies of two equal geometries, one of a hostile name and one without. */
static AbutModel *make_model(void) {
    static const char *const names[BODIES] = {"ground", "</script><b>", NULL, "last"};
    AbutModel *model;
    assert_int_equal(abut_model_create(&model, NULL), ABUT_OK);
    for (int b = 0; b < BODIES; ++b) {
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = abut_shape_default();
        AbutPolyhedron *box = NULL;
        body.name = names[b];
        body.kind = b ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC;
        shape.form.kind = b == 0 ? ABUT_SHAPE_HALF_SPACE : b < 3 ? ABUT_SHAPE_POLYHEDRON : ABUT_SHAPE_BOX;
        shape.color = b == 1 ? 0xff0000 : 0;
        assert_int_equal(abut_polyhedron_box(abut_vec3(0.1, 0.2, 0.3), &box, NULL), ABUT_OK);
        shape.form.polyhedron = box;
        assert_int_equal(abut_model_add_body(model, &body, &shape.body, NULL), ABUT_OK);
        assert_int_equal(abut_model_add_shape(model, &shape, NULL, NULL), ABUT_OK);
        abut_polyhedron_free(box);
    }
    return model;
}

static AbutContact random_contact(AbutRng *rng) {
    AbutContact c;
    memset(&c, 0, sizeof c);
    c.normal = abut_axis(2);
    c.force = abut_vec3(abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng));
    c.vertex_count = 3;
    for (int k = 0; k < 3; ++k) {
        c.vertex[k].point = abut_vec3(abut_rng_unit(rng), abut_rng_unit(rng), abut_rng_unit(rng));
        c.vertex[k].pressure = abut_rng_unit(rng);
    }
    return c;
}

/* Random poses; with `gaps` body 2 is there from frame 50 and body 3 until frame 99, and some contacts name no body. */
static AbutRun *make_run(int gaps) {
    AbutRng rng = abut_rng(3, 1);
    AbutModel *model = make_model();
    AbutRun *run;
    assert_int_equal(abut_run_create(model, NULL, &run, NULL), ABUT_OK);
    abut_model_free(model);
    for (int i = 0; i < FRAMES; ++i) {
        AbutStepReport report = {.time = i / 60.0, .residual = abut_rng_normal(&rng), .potential = i, .kinetic = 1.0};
        AbutRunBody rows[BODIES];
        for (int b = 0; b < BODIES; ++b) {
            AbutVec3 p = abut_vec3(abut_rng_normal(&rng), abut_rng_normal(&rng), abut_rng_normal(&rng));
            rows[b] = (AbutRunBody){.pose = abut_pose(p, abut_quat(1.0, 0.1 * b, 0.0, 0.0))};
            if (gaps && ((b == 2 && i < 50) || (b == 3 && i >= 100))) rows[b].pose.p.x = NAN;
        }
        AbutContact contact = random_contact(&rng);
        assert_int_equal(abut_run_add_step(run, &report, rows, NULL), ABUT_OK);
        int32_t other = gaps && i % 7 == 0 ? -1 : 1 + i % 2;
        assert_int_equal(abut_run_add_contact(run, 0, other, &contact, NULL), ABUT_OK);
    }
    return run;
}

static const char path[] = "test_page.html";

/* The data of the page at `path` between their tags; to be freed. */
static char *read_data(size_t *page_size) {
    static const char begin[] = "<script type=\"application/json\" id=\"abut-data\">";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *page_size = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(*page_size + 1, 1);
    assert_int_equal(fread(text, 1, *page_size, file), *page_size);
    fclose(file);
    char *from = strstr(text, begin);
    assert_non_null(from);
    from += strlen(begin);
    char *to = strstr(from, "</script>");
    assert_non_null(to);
    memmove(text, from, (size_t)(to - from));
    text[to - from] = 0;
    return text;
}

static void need_template(void) {
    if (!abut_page_available()) skip();
}

static void a_run_is_written(void **state) {
    size_t size;
    AbutError error;
    AbutPageHead head = {.title = "Title <1>"};
    (void)state;
    need_template();
    AbutRun *run = make_run(0);
    assert_int_equal(abut_page_write_run(path, &head, run, NULL, &error), ABUT_OK);
    char *data = read_data(&size);
    assert_true(json_valid(data));
    assert_null(strchr(data, '<')); /* nothing in it can end the element */
    assert_int_equal(json_count(data, "times"), FRAMES);
    assert_int_equal(json_count(data, "meshes"), 2); /* three bodies, two geometries, the ground */
    assert_int_equal((int)json_number(data, "bodies.0.shapes.0.mesh"), -1);
    assert_int_equal((int)json_number(data, "bodies.1.shapes.0.mesh"), 0);
    assert_int_equal((int)json_number(data, "bodies.2.shapes.0.mesh"), 0);
    assert_int_equal((int)json_number(data, "bodies.3.shapes.0.mesh"), 1);
    assert_true(json_is(data, "bodies.1.name", "\"\\u003c/script>\\u003cb>\""));
    CHECK_NEAR(json_number(data, "bodies.1.mass"), 48.0, 1e-9);
    assert_int_equal((int)json_number(data, "stride"), 1);
    assert_null(json_at(data, "there")); /* all bodies all the time */
    assert_true(json_is(data, "series.0.group", "\"Ground force\""));
    assert_true(json_is(data, "series.5.name", "\"total\""));
    assert_int_equal(json_count(data, "series"), 9); /* times of stages are not asked for */
    free(data);
    head.stages = 1;
    assert_int_equal(abut_page_write_run(path, &head, run, NULL, &error), ABUT_OK);
    data = read_data(&size);
    assert_int_equal(json_count(data, "series"), 9 + ABUT_STAGE_COUNT);
    assert_true(json_is(data, "series.9.name", "\"bounds\""));
    free(data);
    abut_run_free(run);
    unlink(path);
}

/* Bodies that come later or go, and contacts without a body, are legal. */
static void bodies_may_come_and_go(void **state) {
    size_t size;
    AbutError error = {0};
    AbutPageHead head = {0};
    (void)state;
    need_template();
    AbutRun *run = make_run(1);
    if (abut_page_write_run(path, &head, run, NULL, &error) != ABUT_OK) fail_msg("%s", error.text);
    char *data = read_data(&size);
    assert_int_equal((int)json_number(data, "there.rows"), FRAMES);
    assert_int_equal((int)json_number(data, "there.columns"), BODIES);
    free(data);
    abut_run_free(run);
    unlink(path);
}

/* A box at rest on the origin: centers of contact are next to nothing beside the vertices. */
static void contacts_may_lie_at_the_origin(void **state) {
    AbutError error = {0};
    AbutPageHead head = {0};
    AbutModel *model = make_model();
    AbutRun *run;
    AbutStepReport report = {0};
    AbutRunBody rows[BODIES] = {0};
    AbutContact contact;
    (void)state;
    need_template();
    memset(&contact, 0, sizeof contact);
    contact.normal = abut_axis(2);
    contact.center.x = -1.6e-15;
    contact.vertex_count = 1;
    contact.vertex[0].point.x = 0.1;
    assert_int_equal(abut_run_create(model, NULL, &run, NULL), ABUT_OK);
    assert_int_equal(abut_run_add_step(run, &report, rows, NULL), ABUT_OK);
    assert_int_equal(abut_run_add_contact(run, 0, 1, &contact, NULL), ABUT_OK);
    if (abut_page_write_run(path, &head, run, NULL, &error) != ABUT_OK) fail_msg("%s", error.text);
    abut_run_free(run);
    abut_model_free(model);
    unlink(path);
}

static void a_small_limit_thins_the_run(void **state) {
    size_t whole, thin;
    AbutPageReport report;
    AbutError error;
    AbutPageHead head = {0};
    (void)state;
    need_template();
    AbutRun *run = make_run(0);
    assert_int_equal(abut_page_write_run(path, &head, run, NULL, &error), ABUT_OK);
    free(read_data(&whole));
    head.size_limit = whole - 1000;
    assert_int_equal(abut_page_write_run(path, &head, run, NULL, &error), ABUT_OK);
    char *data = read_data(&thin);
    assert_true(thin <= whole - 1000);
    assert_int_equal((int)json_number(data, "stride"), 1);
    assert_true(json_number(data, "contacts.stride") > 1);
    free(data);
    head.without_charts = 1;
    assert_int_equal(abut_page_write_run(path, &head, run, NULL, &error), ABUT_OK);
    data = read_data(&thin);
    assert_int_equal(json_count(data, "series"), 0);
    free(data);
    head.without_charts = 0;
    head.size_limit = 1; /* cannot be met: as little as there is */
    assert_int_equal(abut_page_write_run(path, &head, run, &report, &error), ABUT_OK);
    data = read_data(&thin);
    assert_true(json_number(data, "stride") > 1);
    assert_true(json_count(data, "times") >= 2);
    assert_int_equal(report.frame_stride, (int)json_number(data, "stride"));
    assert_int_equal(report.contact_stride, (int)(json_number(data, "stride") * json_number(data, "contacts.stride")));
    assert_int_equal(json_count(data, "seriesTimes"), run->steps); /* the charts keep every step */
    for (int i = 0; i < json_count(data, "series"); ++i) {
        char key[40];
        snprintf(key, sizeof key, "series.%d.values.rows", i);
        assert_int_equal((int)json_number(data, key), run->steps);
    }
    free(data);
    abut_run_free(run);
    unlink(path);
}

static void expect(AbutStatus status, const AbutRun *run, const char *words) {
    AbutError error = {0};
    AbutPageHead head = {0};
    assert_int_equal(abut_page_write_run(path, &head, run, NULL, &error), status);
    if (!strstr(error.text, words)) print_error("'%s' does not say '%s'\n", error.text, words);
    assert_non_null(strstr(error.text, words));
    assert_int_not_equal(access(path, F_OK), 0);
}

static void bad_runs_are_refused(void **state) {
    AbutModel *model = make_model(), *none;
    AbutRun *run;
    AbutStepReport report = {0};
    AbutRunBody rows[BODIES] = {0};
    (void)state;
    assert_int_equal(abut_run_create(model, NULL, &run, NULL), ABUT_OK);
    expect(ABUT_ERROR_EMPTY, run, "step");
    report.time = INFINITY;
    assert_int_equal(abut_run_add_step(run, &report, rows, NULL), ABUT_OK);
    expect(ABUT_ERROR_NUMBER, run, "time 0");
    abut_run_free(run);
    assert_int_equal(abut_model_create(&none, NULL), ABUT_OK);
    assert_int_equal(abut_run_create(none, NULL, &run, NULL), ABUT_OK);
    assert_int_equal(abut_run_add_step(run, &report, NULL, NULL), ABUT_OK);
    expect(ABUT_ERROR_EMPTY, run, "body");
    abut_run_free(run);
    abut_model_free(none);
    abut_model_free(model);
    run = make_run(0);
    if (abut_page_available()) {
        AbutContact contact;
        memset(&contact, 0, sizeof contact);
        contact.center.x = NAN;
        assert_int_equal(abut_run_add_contact(run, 0, 1, &contact, NULL), ABUT_OK);
        expect(ABUT_ERROR_NUMBER, run, "finite");
    } else
        expect(ABUT_ERROR_UNSUPPORTED, run, "template");
    abut_run_free(run);
}

static void results_are_checked(void **state) {
    AbutError error;
    AbutModel *model = make_model(), *none;
    AbutPageHead head = {0};
    AbutGap distance;
    AbutOverlap overlap;
    (void)state;
    need_template();
    memset(&distance, 0, sizeof distance);
    memset(&overlap, 0, sizeof overlap);
    overlap.outcome = ABUT_OVERLAP_DISJOINT;
    distance.distance = NAN;
    assert_int_equal(abut_page_write_distance(path, &head, model, &distance, &error), ABUT_ERROR_NUMBER);
    distance.distance = 1.0;
    assert_int_equal(abut_page_write_distance("no/such/folder.html", &head, model, &distance, &error), ABUT_ERROR_FILE);
    assert_int_equal(abut_page_write_distance("", &head, model, &distance, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_page_write_distance(path, &head, model, &distance, &error), ABUT_OK);
    AbutMesh box = {0, 0, NULL, NULL};
    AbutPose poses[2] = {abut_pose_identity(), abut_pose_identity()};
    AbutGap distances[2] = {distance, distance};
    double times[2] = {0.0, 1.0};
    assert_int_equal(abut_mesh_make("box", 12, NULL, &box, NULL), ABUT_OK);
    AbutPageMeshes meshes = {.mesh = {&box, &box},
        .name = {"A", NULL},
        .pose_a = abut_pose_identity(),
        .count = 2,
        .times = times,
        .pose_b = poses,
        .distance = distances};
    assert_int_equal(abut_page_write_meshes(path, &head, &meshes, &error), ABUT_OK);
    const AbutVec3 direction[2] = {{0, 0, 1}, {0, 1, 0}};
    meshes.direction = direction, meshes.soft = times;
    assert_int_equal(abut_page_write_meshes(path, &head, &meshes, &error), ABUT_OK);
    meshes.direction = NULL, meshes.soft = NULL;
    const double lower[2] = {0.1, 0.2};
    const AbutClearanceMinimum minimum = {.t = 0.5, .d = 0.3, .lb = 0.1};
    meshes.poses_a = poses, meshes.lower = lower, meshes.minima = &minimum, meshes.minimum_count = 1;
    assert_int_equal(abut_page_write_meshes(path, &head, &meshes, &error), ABUT_OK);
    meshes.poses_a = NULL, meshes.lower = NULL, meshes.minimum_count = 0;
    meshes.count = 1;
    assert_int_equal(abut_page_write_meshes(path, &head, &meshes, &error), ABUT_OK);
    meshes.count = 0;
    assert_int_equal(abut_page_write_meshes(path, &head, &meshes, &error), ABUT_ERROR_EMPTY);
    meshes.count = 2, times[1] = -1.0;
    assert_int_equal(abut_page_write_meshes(path, &head, &meshes, &error), ABUT_ERROR_NUMBER);
    times[1] = 1.0, poses[1].p.x = NAN;
    assert_int_equal(abut_page_write_meshes(path, &head, &meshes, &error), ABUT_ERROR_NUMBER);
    abut_mesh_free(&box);
    assert_int_equal(abut_page_write_overlap(path, &head, model, &overlap, abut_pose_identity(), &error), ABUT_OK);
    assert_int_equal(abut_model_create(&none, NULL), ABUT_OK);
    AbutPointContact contact = {{0, 0, 0}, {0, 0, 1}, {0, 0, 0}, {0, 0, 0}, BODIES, -1};
    AbutPageModes modes = {.model = none};
    assert_int_equal(abut_page_write_modes(path, &head, &modes, &error), ABUT_ERROR_EMPTY);
    modes.model = model;
    modes.contacts = &contact;
    modes.contact_count = 1;
    assert_int_equal(abut_page_write_modes(path, &head, &modes, &error), ABUT_ERROR_ARGUMENT);
    contact.body_a = 0;
    assert_int_equal(abut_page_write_modes(path, &head, &modes, &error), ABUT_OK);
    abut_model_free(model);
    abut_model_free(none);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_come_back),
        cmocka_unit_test(rows_count_from_others),
        cmocka_unit_test(special_numbers),
        cmocka_unit_test(a_run_is_written),
        cmocka_unit_test(bodies_may_come_and_go),
        cmocka_unit_test(contacts_may_lie_at_the_origin),
        cmocka_unit_test(a_small_limit_thins_the_run),
        cmocka_unit_test(bad_runs_are_refused),
        cmocka_unit_test(results_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
