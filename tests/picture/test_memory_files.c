/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that runs out while files are read and written, continued from test_memory.c: meshes in trees and pieces,
 * MJCF, archives, logs, motions, pictures, films and pages. What is written goes to a device.
 */
#define _POSIX_C_SOURCE 200809L /* mkstemp */

#include "support/memory.h"
#include "file/npz.h"
#include "import/parse.h"

#include "abut/abut.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char nowhere[] = "/dev/null";

/* Bytes of files and a run, made before memory runs out. */
static char *archive, *log_file;
static size_t archive_size, log_size;
static AbutRun *short_run;

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static AbutStatus trees_and_pieces(void) {
    AbutMesh mesh = {0};
    AbutMeshTree *tree = NULL;
    AbutPieces pieces = {0};
    AbutDecomposeDef def = {.max_pieces = 2, .threads = 1};
    AbutStatus status = abut_mesh_make("box", 12, NULL, &mesh, NULL);
    if (status == ABUT_OK) status = abut_mesh_tree_create(&mesh, 1, &tree, NULL);
    if (status == ABUT_OK) status = abut_mesh_tree_refit(tree, &mesh, 1, NULL);
    if (status == ABUT_OK) status = abut_mesh_decompose(&mesh, &def, &pieces, NULL);
    abut_pieces_free(&pieces);
    abut_mesh_tree_free(tree);
    abut_mesh_free(&mesh);
    return status;
}

/* ---- models, motions, arrays, logs ------------------------------------------------------------------------------- */

static AbutStatus models(void) {
    static const char text[] =
        "<mujoco><default><geom friction='0.5 0 0'/></default><worldbody><geom type='plane' size='1 1 1'/>"
        "<body name='a' pos='0 0 1'><freejoint/><geom type='box' size='1 1 1'/>"
        "<body name='b' pos='0 0 2'><joint type='hinge' axis='0 1 0'/><geom type='capsule' size='0.1 1'/></body></body>"
        "</worldbody></mujoco>";
    AbutModel *model = NULL;
    AbutStatus status = abut_model_parse_mjcf(text, strlen(text), "m.xml", NULL, &model, NULL);
    abut_model_free(model);
    return status == ABUT_ERROR_UNSUPPORTED ? ABUT_OK : status;
}

static AbutStatus parse_motion(const char *text) {
    AbutMotion *motion = NULL;
    AbutStatus status = abut_motion_parse(text, strlen(text), "m", &motion, NULL, NULL);
    abut_motion_free(motion);
    return status;
}

static AbutStatus motions(void) {
    AbutStatus status = parse_motion("t,x,y,z,qw,qx,qy,qz\n0,3.5,0,0,1,0,0,0\n1,0.5,0,0,1,0,0,0\n");
    if (status == ABUT_OK)
        status = parse_motion("{\"format\":\"abut-motion\",\"version\":1,\"joints\":[{\"kind\":\"hinge\",\"axis\":"
                              "[0,0,1],\"curve\":{\"times\":[0,1,2],\"polynomials\":[[0,0.5],[0.5,0.5,-0.1]]}}]}");
    return status;
}

static AbutStatus arrays(void) {
    static const double numbers[6] = {1, 2, 3, 4, 5, 6};
    AbutArray array = {"x", ABUT_ARRAY_F8, 2, {2, 3}, numbers};
    AbutArchive read = {0};
    AbutStatus status = abut_npz_write(nowhere, &array, 1, NULL);
    if (status == ABUT_OK) status = abut_npz_parse(archive, archive_size, "a.npz", &read, NULL);
    abut_npz_free(&read);
    return status;
}

static AbutStatus logs(void) {
    AbutRun *run = NULL;
    AbutStatus status = abut_run_read("r.npz", log_file, log_size, &run, NULL);
    if (status == ABUT_OK) status = abut_run_write(nowhere, run, NULL);
    abut_run_free(run);
    return status;
}

static AbutStatus tables(void) {
    AbutCsv *csv = NULL;
    AbutStatus status = abut_csv_open(nowhere, "a,b", &csv, NULL);
    if (status != ABUT_OK) return status;
    abut_csv_number(csv, 1.0);
    abut_csv_number(csv, 2.0);
    return abut_csv_commit(csv, NULL);
}

/* ---- pictures and pages ------------------------------------------------------------------------------------------ */

static AbutStatus write_film(const AbutRunView *view) {
    AbutRenderDef def = abut_render_default();
    AbutImage image = {0};
    AbutGif *gif = NULL;
    def.width = def.height = 24;
    AbutStatus status = abut_gif_open(nowhere, 24, 24, 20, &gif, NULL);
    for (int step = 0; step < 2 && status == ABUT_OK; ++step) {
        status = abut_run_view_draw(view, step, 1, &def, &image, NULL);
        if (status == ABUT_OK) status = abut_gif_add(gif, &image, NULL);
        if (status == ABUT_OK) status = abut_image_write_png(nowhere, &image, NULL);
        abut_image_free(&image);
    }
    if (status == ABUT_OK) return abut_gif_commit(gif, NULL);
    abut_gif_cancel(gif);
    return status;
}

static AbutStatus films(void) {
    AbutRunView *view = NULL;
    AbutStatus status = abut_run_view_create(short_run, &view, NULL);
    if (status == ABUT_OK) status = write_film(view);
    abut_run_view_free(view);
    return status;
}

static AbutStatus plots(void) {
    static const double x[3] = {0, 1, 2}, y[3] = {1, 4, 9};
    AbutPlotSeries series = {.name = "s", .x = x, .y = y, .count = 3};
    AbutPlot plot = abut_plot_default();
    plot.series = &series;
    plot.series_count = 1;
    return abut_plot_write_svg(nowhere, &plot, NULL);
}

static AbutStatus write_pages(const AbutModel *model) {
    AbutPageHead head = {.title = "t"};
    AbutGap distance = {.distance = 1.0, .normal = {0, 0, 1}, .point_b = {0, 0, 1}};
    AbutStatus status = abut_page_write_distance(nowhere, &head, model, &distance, NULL);
    if (status == ABUT_OK) status = abut_page_write_run(nowhere, &head, short_run, NULL, NULL);
    return status;
}

static AbutStatus pages(void) {
    AbutModel *model = NULL;
    AbutStatus status = abut_model_build("stack:2", 1, &model, NULL);
    if (status == ABUT_OK) status = write_pages(model);
    abut_model_free(model);
    return status == ABUT_ERROR_UNSUPPORTED ? ABUT_OK : status;
}

/* ---- before memory runs out -------------------------------------------------------------------------------------- */

/* The bytes that `write` puts into a file. */
static char *bytes_of(AbutStatus (*write)(const char *path, AbutError *error), size_t *size) {
    char path[] = "/tmp/abut-memory-XXXXXX", *bytes = NULL;
    AbutError error;
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    good(write(path, &error), &error);
    good(abut_file_load(path, "test", 1 << 24, &bytes, size, &error), &error);
    remove(path);
    return bytes;
}

static AbutStatus write_archive(const char *path, AbutError *error) {
    static const int32_t numbers[4] = {1, 2, 3, 4};
    AbutArray array = {"n", ABUT_ARRAY_I4, 1, {4}, numbers};
    return abut_npz_write(path, &array, 1, error);
}

static AbutStatus write_run(const char *path, AbutError *error) { return abut_run_write(path, short_run, error); }

/* Two steps of a small stack. */
static void record(void) {
    AbutModel *model;
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutSimulationDef def = abut_simulation_default();
    AbutStepReport report;
    AbutError error;
    good(abut_model_build("stack:2", 1, &model, &error), &error);
    good(abut_scene_create(&scene, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    good(abut_simulation_create(scene, &def, &simulation, &error), &error);
    good(abut_run_create_of_scene(scene, model, "x", &short_run, &error), &error);
    for (int i = 0; i < 2; ++i) {
        good(abut_simulation_step(simulation, 1e-3, &report, &error), &error);
        good(abut_run_record(short_run, simulation, &report, &error), &error);
    }
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    abut_model_free(model);
}

static void every_request_may_fail(void **state) {
    (void)state;
    static const struct {
        const char *name;
        AbutStatus (*work)(void);
    } works[] = {{"trees and pieces", trees_and_pieces}, {"models", models}, {"motions", motions}, {"arrays", arrays},
        {"logs", logs}, {"tables", tables}, {"films", films}, {"plots", plots}, {"pages", pages}};
    record();
    archive = bytes_of(write_archive, &archive_size);
    log_file = bytes_of(write_run, &log_size);
    for (size_t i = 0; i < sizeof works / sizeof works[0]; ++i)
        print_message("%s: %d requests\n", works[i].name, check_memory_failures(works[i].name, works[i].work));
    abut_free(archive);
    abut_free(log_file);
    abut_run_free(short_run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
