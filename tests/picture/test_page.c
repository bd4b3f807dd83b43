/* SPDX-License-Identifier: Apache-2.0 */
/* io: pages. Tables come back through a decoder of their own; files, limits, hostile names and bad input. */
#include "picture/page.h"
#include "support/check.h"
#include "support/json.h"

#include <string.h>
#include <unistd.h>

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static AbutPage empty_page(AbutError *error)
{
    AbutPage page;
    memset(&page, 0, sizeof page);
    page.json = abut_json_to_memory(0);
    page.error = error;
    abut_json_begin_object(&page.json);
    return page;
}

/* Integers of a table, by the description in docs/panels.md. */
static void decode(
    const AbutPage *page, size_t at, int rows, int columns, int order, const int32_t *before, int64_t *out)
{
    for (int c = 0; c < columns; ++c)
        for (int r = 0; r < rows; ++r) {
            uint64_t bits = 0;
            for (int shift = 0;; shift += 7) {
                unsigned char byte = page->pool[at++];
                bits |= (uint64_t)(byte & 127) << shift;
                if (byte < 128)
                    break;
            }
            int64_t value = bits & 1 ? -(int64_t)(bits >> 1) - 1 : (int64_t)(bits >> 1);
            int p = before ? before[r] : r - 1;
            if (p >= 0)
                value += out[p * columns + c];
            if (order == 2 && p > 0)
                value += out[p * columns + c] - out[(p - 1) * columns + c];
            out[r * columns + c] = value;
        }
    assert_int_equal(at, page->count);
}

static const char *finish_json(AbutPage *page)
{
    abut_json_end_object(&page->json);
    assert_int_equal(abut_json_finish(&page->json, NULL), ABUT_OK);
    assert_true(json_valid(page->json.text));
    return page->json.text;
}

static void tables_come_back(void **state)
{
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

static double get_row(const void *source, int64_t row, int32_t column)
{
    return ((const double *)source)[row + column];
}

static void rows_count_from_others(void **state)
{
    double values[6] = {100, 50, 101, 51, 102, 7};
    int32_t before[6] = {-1, -1, 0, 1, 2, -1};
    int64_t out[6];
    (void)state;
    AbutPage page = empty_page(NULL);
    AbutPageTable table = {get_row, values, 6, 1, 1.0, 0, 0.0, before};
    abut_page_table(&page, "t", &table);
    finish_json(&page);
    decode(&page, 0, 6, 1, 1, before, out);
    for (int i = 0; i < 6; ++i)
        assert_int_equal(out[i], (int64_t)values[i]);
    abut_page_free(&page);
}

static void special_numbers(void **state)
{
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

enum { FRAMES = 200, BODIES = 3 };

typedef struct Sample {
    AbutMesh mesh, copy;
    AbutPageShape shapes[3];
    AbutPageBody bodies[BODIES];
    double times[FRAMES], poses[FRAMES * BODIES * 7], noise[FRAMES];
    int64_t contact_start[FRAMES + 1], vertex_start[FRAMES + 1];
    int32_t contact_body[2 * FRAMES], sliding[FRAMES];
    double force[3 * FRAMES], torque[3 * FRAMES], center[3 * FRAMES], normal[3 * FRAMES];
    double area[FRAMES], volume[FRAMES], depth[FRAMES];
    double point[9 * FRAMES], vertex_force[9 * FRAMES], pressure[3 * FRAMES];
    AbutPageSeries series[1];
    AbutPageRun run;
} Sample;

static AbutMesh triangle_mesh(void)
{
    AbutMesh mesh;
    assert_int_equal(abut_mesh_create(3, 1, &mesh, NULL), ABUT_OK);
    for (int i = 0; i < 3; ++i) {
        mesh.vertices[i] = abut_vec3(i == 1, i == 2, 0.0);
        mesh.triangles[0].v[i] = i;
    }
    return mesh;
}

static void fill_sample(Sample *s)
{
    AbutRng rng = abut_rng(3, 1);
    for (int i = 0; i < FRAMES; ++i) {
        s->times[i] = i / 60.0;
        s->noise[i] = abut_rng_normal(&rng);
        s->contact_start[i + 1] = i + 1;
        s->vertex_start[i + 1] = 3 * (i + 1);
        s->contact_body[2 * i + 1] = 1 + i % 2;
        for (int k = 0; k < 3; ++k) {
            s->force[3 * i + k] = abut_rng_normal(&rng);
            s->normal[3 * i + k] = k == 2;
            s->pressure[3 * i + k] = abut_rng_unit(&rng);
        }
        for (int k = 0; k < 9; ++k)
            s->point[9 * i + k] = abut_rng_unit(&rng);
        for (int k = 0; k < BODIES * 7; ++k)
            s->poses[i * BODIES * 7 + k] = abut_rng_normal(&rng);
    }
}

static Sample *make_sample(void)
{
    Sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->mesh = triangle_mesh();
    s->copy = triangle_mesh();
    s->shapes[0] = (AbutPageShape){NULL, abut_pose_identity(), 0};
    s->shapes[1] = (AbutPageShape){&s->mesh, abut_pose_identity(), 0xff0000};
    s->shapes[2] = (AbutPageShape){&s->copy, abut_pose_identity(), 0};
    const char *names[BODIES] = {"ground", "</script><b>", NULL};
    for (int b = 0; b < BODIES; ++b)
        s->bodies[b] = (AbutPageBody){names[b], b ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC, b, &s->shapes[b], 1};
    fill_sample(s);
    s->series[0] = (AbutPageSeries){"Noise", "one", "m", s->noise};
    AbutPageRun run = {"Title <1>", NULL, {0.0, 0.0, -9.81}, s->bodies, NULL, BODIES, FRAMES, s->times, s->poses, NULL,
        NULL, NULL, s->contact_start, s->contact_body, s->sliding, s->force, s->torque, s->center, s->normal, s->area,
        s->volume, s->depth, s->vertex_start, s->point, s->vertex_force, s->pressure, NULL, s->series, 1, 0};
    s->run = run;
    return s;
}

static void free_sample(Sample *s)
{
    abut_mesh_free(&s->mesh);
    abut_mesh_free(&s->copy);
    free(s);
}

static const char path[] = "test_page.html";

/* The data of the page at `path` between their tags; to be freed. */
static char *read_data(size_t *page_size)
{
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

static void need_template(void)
{
    if (!abut_page_available())
        skip();
}

static void a_run_is_written(void **state)
{
    size_t size;
    AbutError error;
    (void)state;
    need_template();
    Sample *s = make_sample();
    assert_int_equal(abut_page_write_run(path, &s->run, &error), ABUT_OK);
    char *data = read_data(&size);
    assert_true(json_valid(data));
    assert_null(strchr(data, '<')); /* nothing in it can end the element */
    assert_int_equal(json_count(data, "times"), FRAMES);
    assert_int_equal(json_count(data, "meshes"), 1); /* two equal meshes, one written */
    assert_int_equal((int)json_number(data, "bodies.0.shapes.0.mesh"), -1);
    assert_int_equal((int)json_number(data, "bodies.2.shapes.0.mesh"), 0);
    assert_true(json_is(data, "bodies.1.name", "\"\\u003c/script>\\u003cb>\""));
    assert_int_equal((int)json_number(data, "stride"), 1);
    free(data);
    free_sample(s);
    unlink(path);
}

static void a_small_limit_thins_the_run(void **state)
{
    size_t whole, thin;
    AbutError error;
    (void)state;
    need_template();
    Sample *s = make_sample();
    assert_int_equal(abut_page_write_run(path, &s->run, &error), ABUT_OK);
    free(read_data(&whole));
    s->run.size_limit = whole - 1000;
    assert_int_equal(abut_page_write_run(path, &s->run, &error), ABUT_OK);
    char *data = read_data(&thin);
    assert_true(thin <= whole - 1000);
    assert_int_equal((int)json_number(data, "stride"), 1);
    assert_true(json_number(data, "contacts.stride") > 1);
    free(data);
    s->run.size_limit = 1; /* cannot be met: as little as there is */
    assert_int_equal(abut_page_write_run(path, &s->run, &error), ABUT_OK);
    data = read_data(&thin);
    assert_true(json_number(data, "stride") > 1);
    assert_true(json_count(data, "times") >= 2);
    free(data);
    free_sample(s);
    unlink(path);
}

static void expect(AbutStatus status, const AbutPageRun *run, const char *words)
{
    AbutError error = {ABUT_OK, ""};
    assert_int_equal(abut_page_write_run(path, run, &error), status);
    if (!strstr(error.text, words))
        print_error("'%s' does not say '%s'\n", error.text, words);
    assert_non_null(strstr(error.text, words));
    assert_int_not_equal(access(path, F_OK), 0);
}

static void bad_runs_are_refused(void **state)
{
    (void)state;
    Sample *s = make_sample();
    AbutPageRun run = s->run;
    run.frame_count = 0;
    expect(ABUT_ERROR_ARGUMENT, &run, "frame");
    run = s->run;
    run.bodies = NULL;
    expect(ABUT_ERROR_ARGUMENT, &run, "bodies");
    s->poses[8] = NAN;
    expect(ABUT_ERROR_NUMBER, &s->run, "pose of body 1");
    s->poses[8] = 0.0;
    s->times[5] = 0.0;
    expect(ABUT_ERROR_NUMBER, &s->run, "time 5");
    s->times[5] = 5.0 / 60.0;
    s->contact_body[7] = BODIES;
    expect(ABUT_ERROR_ARGUMENT, &s->run, "contact 3");
    s->contact_body[7] = 0;
    s->vertex_start[4] = 0;
    expect(ABUT_ERROR_ARGUMENT, &s->run, "vertices");
    s->vertex_start[4] = 12;
    if (abut_page_available()) {
        s->center[0] = NAN;
        expect(ABUT_ERROR_NUMBER, &s->run, "finite");
        s->center[0] = 0.0;
        s->mesh.triangles[0].v[0] = 3;
        expect(ABUT_ERROR_ARGUMENT, &s->run, "triangle");
        s->mesh.triangles[0].v[0] = 0;
        s->shapes[1].pose.p.x = INFINITY;
        expect(ABUT_ERROR_NUMBER, &s->run, "shape");
    } else
        expect(ABUT_ERROR_UNSUPPORTED, &s->run, "template");
    free_sample(s);
}

static void results_are_checked(void **state)
{
    AbutError error;
    AbutPagePair pair;
    (void)state;
    need_template();
    memset(&pair, 0, sizeof pair);
    pair.poses[0] = pair.poses[1] = abut_pose_identity();
    AbutVec3 zero = abut_zero();
    assert_int_equal(abut_page_write_distance(path, &pair, NAN, zero, zero, zero, &error), ABUT_ERROR_NUMBER);
    assert_int_equal(
        abut_page_write_distance("no/such/folder.html", &pair, 1.0, zero, zero, zero, &error), ABUT_ERROR_FILE);
    assert_int_equal(abut_page_write_distance(NULL, &pair, 1.0, zero, zero, zero, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_page_write_distance(path, &pair, 1.0, zero, zero, zero, &error), ABUT_OK);
    AbutPageOverlap none = {NULL, 0.0, 0.0, {0, 0, 0}, {0, 0, 0}};
    assert_int_equal(abut_page_write_overlap(path, &pair, &none, &error), ABUT_OK);
    pair.poses[1].p.y = NAN;
    assert_int_equal(abut_page_write_overlap(path, &pair, &none, &error), ABUT_ERROR_NUMBER);
    AbutPageModes modes;
    memset(&modes, 0, sizeof modes);
    assert_int_equal(abut_page_write_modes(path, &modes, &error), ABUT_ERROR_ARGUMENT);
    AbutPointContact contact = {{0, 0, 0}, {0, 0, 1}, {0, 0, 0}, {0, 0, 0}, -1, 1};
    modes.bodies = pair.bodies;
    modes.poses = pair.poses;
    modes.body_count = 1;
    modes.contacts = &contact;
    modes.contact_count = 1;
    assert_int_equal(abut_page_write_modes(path, &modes, &error), ABUT_ERROR_ARGUMENT);
    contact.body_b = 0;
    assert_int_equal(abut_page_write_modes(path, &modes, &error), ABUT_OK);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_come_back),
        cmocka_unit_test(rows_count_from_others),
        cmocka_unit_test(special_numbers),
        cmocka_unit_test(a_run_is_written),
        cmocka_unit_test(a_small_limit_thins_the_run),
        cmocka_unit_test(bad_runs_are_refused),
        cmocka_unit_test(results_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
