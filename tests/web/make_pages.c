/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the pages that the browser tests open: make_pages FOLDER. Runs here follow formulas, so that the tests can say
 * what a page must show at a time; pile.html is a simulation.
 */
#include "web/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACT_CORNERS = 4 };

void must(AbutStatus status, const AbutError *error, const char *what)
{
    if (status == ABUT_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, error->text);
    exit(1);
}

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        exit(1);
    return memory;
}

AbutMesh box_mesh(AbutVec3 half_size)
{
    AbutPolyhedron *box;
    AbutMesh mesh;
    AbutError error;
    must(abut_polyhedron_box(half_size, &box, &error), &error, "box");
    must(abut_polyhedron_to_mesh(box, &mesh, &error), &error, "mesh");
    abut_polyhedron_free(box);
    return mesh;
}

/* ---- runs by formula --------------------------------------------------------------------------------------------- */

typedef struct Run {
    AbutPageRun page;
    AbutPageBody *bodies;
    AbutPageShape shapes[2]; /* the ground and the box of all others */
    AbutMesh mesh;
    char (*names)[24];
    double *times, *poses, *velocities, *energy;
    int32_t *asleep, *islands;
    int64_t *contact_start, *vertex_start;
    int32_t *contact_body, *contact_sliding;
    double *force, *torque, *center, *normal, *area, *volume, *depth, *point, *vertex_force, *pressure;
} Run;

static void make_bodies(Run *run, int bodies)
{
    run->mesh = box_mesh(abut_vec3(0.2, 0.2, 0.2));
    run->shapes[0] = (AbutPageShape){NULL, abut_pose_identity(), 0};
    run->shapes[1] = (AbutPageShape){&run->mesh, abut_pose_identity(), 0};
    run->bodies = need((size_t)bodies, sizeof *run->bodies);
    run->names = need((size_t)bodies, sizeof *run->names);
    for (int b = 0; b < bodies; ++b) {
        snprintf(run->names[b], sizeof *run->names, b ? "box%d" : "ground", b);
        run->bodies[b] = (AbutPageBody){
            run->names[b], b ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC, b ? 2.0 : 0.0, &run->shapes[b ? 1 : 0], 1};
    }
}

/* Box b stands in a grid and moves along x as 0.1 sin(2 pi t), sunk into the ground by 0.1 mm. */
static void make_motion(Run *run, int bodies, int frames)
{
    int side = (int)ceil(sqrt(bodies));
    run->times = need((size_t)frames, sizeof(double));
    run->energy = need((size_t)frames, sizeof(double));
    run->poses = need((size_t)(frames * bodies), 7 * sizeof(double));
    run->velocities = need((size_t)(frames * bodies), 6 * sizeof(double));
    run->asleep = need((size_t)(frames * bodies), sizeof(int32_t));
    run->islands = need((size_t)(frames * bodies), sizeof(int32_t));
    for (int f = 0; f < frames; ++f) {
        double t = f / 60.0, phase = 2.0 * ABUT_PI * t;
        run->times[f] = t;
        run->energy[f] = 10.0 * t;
        for (int b = 0; b < bodies; ++b) {
            double *p = run->poses + 7 * (f * bodies + b), *v = run->velocities + 6 * (f * bodies + b);
            p[3] = 1.0;
            run->islands[f * bodies + b] = b ? (b + 1) % 4 : -1;
            run->asleep[f * bodies + b] = b > 0 && f > frames / 2 && b % 2;
            if (b == 0)
                continue;
            p[0] = (b - 1) % side + 0.1 * sin(phase);
            p[1] = (b - 1) / side;
            p[2] = 0.1999;
            v[0] = 0.2 * ABUT_PI * cos(phase);
        }
    }
}

static void make_one_contact(Run *run, int c, const double *pose, int body, double t)
{
    static const double x[CONTACT_CORNERS] = {-0.2, 0.2, 0.2, -0.2}, y[CONTACT_CORNERS] = {-0.2, -0.2, 0.2, 0.2};
    run->contact_body[2 * c + 1] = body;
    run->contact_sliding[c] = body % 2;
    run->force[3 * c] = body % 2 ? -3.0 : 0.0;
    run->force[3 * c + 2] = 20.0 + t;
    run->normal[3 * c + 2] = 1.0;
    run->center[3 * c] = pose[0];
    run->center[3 * c + 1] = pose[1];
    run->area[c] = 0.16;
    run->depth[c] = 1e-4;
    run->volume[c] = 0.16 * 1e-4;
    for (int k = 0; k < CONTACT_CORNERS; ++k) {
        int v = CONTACT_CORNERS * c + k;
        run->point[3 * v] = pose[0] + x[k];
        run->point[3 * v + 1] = pose[1] + y[k];
        run->vertex_force[3 * v + 2] = (20.0 + t) / CONTACT_CORNERS;
        run->pressure[v] = (20.0 + t) / 0.16 * (1.0 + 0.5 * k);
    }
}

/* Every box rests on the ground: force 20 + t upwards; boxes with odd numbers slide. */
static void make_contacts(Run *run, int bodies, int frames)
{
    int per = bodies - 1, count = per * frames;
    run->contact_start = need((size_t)frames + 1, sizeof(int64_t));
    run->vertex_start = need((size_t)count + 1, sizeof(int64_t));
    run->contact_body = need((size_t)count, 2 * sizeof(int32_t));
    run->contact_sliding = need((size_t)count, sizeof(int32_t));
    double **triples[] = {&run->force, &run->torque, &run->center, &run->normal};
    for (int i = 0; i < 4; ++i)
        *triples[i] = need((size_t)count, 3 * sizeof(double));
    double **singles[] = {&run->area, &run->volume, &run->depth};
    for (int i = 0; i < 3; ++i)
        *singles[i] = need((size_t)count, sizeof(double));
    run->point = need((size_t)(CONTACT_CORNERS * count), 3 * sizeof(double));
    run->vertex_force = need((size_t)(CONTACT_CORNERS * count), 3 * sizeof(double));
    run->pressure = need((size_t)(CONTACT_CORNERS * count), sizeof(double));
    for (int f = 0; f < frames; ++f) {
        run->contact_start[f + 1] = (int64_t)(f + 1) * per;
        for (int b = 1; b < bodies; ++b)
            make_one_contact(run, f * per + b - 1, run->poses + 7 * (f * bodies + b), b, run->times[f]);
    }
    for (int c = 0; c <= count; ++c)
        run->vertex_start[c] = (int64_t)c * CONTACT_CORNERS;
}

static void use_contacts(Run *run)
{
    AbutPageRun *page = &run->page;
    page->contact_start = run->contact_start;
    page->contact_body = run->contact_body;
    page->contact_sliding = run->contact_sliding;
    page->contact_force = run->force;
    page->contact_torque = run->torque;
    page->contact_center = run->center;
    page->contact_normal = run->normal;
    page->contact_area = run->area;
    page->contact_volume = run->volume;
    page->contact_depth = run->depth;
    page->vertex_start = run->vertex_start;
    page->vertex_point = run->point;
    page->vertex_force = run->vertex_force;
    page->vertex_pressure = run->pressure;
}

static void free_run(Run *run)
{
    void *memory[] = {run->bodies, run->names, run->times, run->poses, run->velocities, run->energy, run->asleep,
        run->islands, run->contact_start, run->vertex_start, run->contact_body, run->contact_sliding, run->force,
        run->torque, run->center, run->normal, run->area, run->volume, run->depth, run->point, run->vertex_force,
        run->pressure};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; ++i)
        free(memory[i]);
    abut_mesh_free(&run->mesh);
}

static void write_run(const char *path, const char *title, int bodies, int frames, int contacts, const char *first_name)
{
    Run run;
    AbutError error;
    memset(&run, 0, sizeof run);
    make_bodies(&run, bodies);
    make_motion(&run, bodies, frames);
    if (first_name)
        run.bodies[1].name = first_name;
    AbutPageSeries series[] = {{"Energy", "total", "J", run.energy}};
    run.page.title = title;
    run.page.subtitle = "made by a formula";
    run.page.gravity = abut_vec3(0.0, 0.0, -9.81);
    run.page.bodies = run.bodies;
    run.page.body_count = bodies;
    run.page.frame_count = frames;
    run.page.times = run.times;
    run.page.poses = run.poses;
    run.page.velocities = run.velocities;
    run.page.asleep = run.asleep;
    run.page.islands = run.islands;
    run.page.series = series;
    run.page.series_count = 1;
    if (contacts) {
        make_contacts(&run, bodies, frames);
        use_contacts(&run);
    }
    must(abut_page_write_run(path, &run.page, &error), &error, path);
    free_run(&run);
}

/* ---- a simulation ------------------------------------------------------------------------------------------------ */

/* What the page must show at some times: a body, the number of contacts, the vertical force of the ground. */
static void write_expected(const char *path, const AbutRunLogData *data)
{
    AbutJson json;
    AbutError error;
    FILE *file = fopen(path, "w");
    if (!file)
        exit(1);
    json = abut_json_to_file(file, 2);
    abut_json_begin_array(&json);
    for (int32_t step = 29; step < data->steps; step += 190) {
        int32_t body = 1 + step % (data->bodies - 1);
        double ground = 0.0;
        for (int64_t c = data->contact_start[step]; c < data->contact_start[step + 1]; ++c)
            ground += data->contact_body[2 * c] == 0       ? data->contact_force[3 * c + 2]
                      : data->contact_body[2 * c + 1] == 0 ? -data->contact_force[3 * c + 2]
                                                           : 0.0;
        abut_json_begin_object(&json);
        abut_json_put_number(&json, "time", data->time[step]);
        abut_json_put_integer(&json, "body", body);
        abut_json_key(&json, "position");
        abut_json_numbers(&json, data->pose + 7 * ((int64_t)step * data->bodies + body), 3);
        abut_json_put_integer(&json, "contacts", data->contact_start[step + 1] - data->contact_start[step]);
        abut_json_put_number(&json, "ground", ground);
        abut_json_end_object(&json);
    }
    abut_json_end_array(&json);
    must(abut_json_finish(&json, &error), &error, path);
    abut_json_free(&json);
    fclose(file);
}

static void write_simulation(
    const char *log_path, const char *expected, const char *path, const char *spec, double seconds)
{
    AbutError error;
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutRunLog *log;
    AbutRunLogData data;
    AbutSimulationDef def = abut_simulation_default();
    must(abut_scene_create(&scene, &error), &error, "scene");
    must(abut_scene_build(scene, spec, 1, &error), &error, spec);
    must(abut_simulation_create(scene, &def, &simulation, &error), &error, "simulation");
    must(abut_run_log_create(scene, NULL, "make_pages", &log, &error), &error, "log");
    for (int i = 1; i <= (int)(seconds * 240.0 + 0.5); ++i) {
        AbutStepReport report;
        must(abut_simulation_step(simulation, 1.0 / 240.0, &report, &error), &error, "step");
        if (i % 4 == 0)
            must(abut_run_log_record(log, simulation, &report, &error), &error, "record");
    }
    must(abut_run_log_write(log, log_path, &error), &error, log_path);
    must(abut_run_log_read(log_path, &data, &error), &error, log_path);
    must(abut_page_write_run_log(path, &data, "Fifty boxes", "volumetric contact, 240 steps per second", &error),
        &error, path);
    write_expected(expected, &data);
    abut_run_log_data_free(&data);
    abut_run_log_free(log);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
}

/* ----  ------------------------------------------------------------------------------------------------------------ */

static const char *in_folder(const char *folder, const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

int main(int argc, char **argv)
{
    const char *hostile = "<img src=x onerror=\"document.title='broken'\">";
    char log_path[4096], expected[4096];
    if (argc != 2) {
        fprintf(stderr, "usage: make_pages FOLDER\n");
        return 2;
    }
    if (!abut_page_available()) {
        fprintf(stderr, "this build has no page template\n");
        return 77;
    }
    snprintf(log_path, sizeof log_path, "%s", in_folder(argv[1], "pile.npz"));
    snprintf(expected, sizeof expected, "%s", in_folder(argv[1], "pile.json"));
    write_run(in_folder(argv[1], "run.html"), "Sliding boxes", 10, 121, 1, NULL);
    write_run(in_folder(argv[1], "one.html"), "One frame", 5, 1, 1, NULL);
    write_run(in_folder(argv[1], "free.html"), "No contacts", 5, 61, 0, NULL);
    write_run(in_folder(argv[1], "crowd.html"), "Five hundred", 501, 61, 1, NULL);
    write_run(in_folder(argv[1], "names.html"), "</script><script>document.title='broken'</script>", 3, 5, 1, hostile);
    write_distance(in_folder(argv[1], "distance.html"));
    write_overlap(in_folder(argv[1], "overlap.html"));
    write_modes(in_folder(argv[1], "modes.html"));
    write_simulation(log_path, expected, in_folder(argv[1], "pile.html"), "boxes:50", 10.0);
    return 0;
}
