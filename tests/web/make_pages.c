/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the pages that the browser tests open: make_pages FOLDER. Runs here follow formulas, so that the tests can say
 * what a page must show at a time; some are simulations.
 */
#include "web/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void must(AbutStatus status, const AbutError *error, const char *what) {
    if (status == ABUT_OK) return;
    fprintf(stderr, "%s: %s\n", what, error->text);
    exit(1);
}

/* ---- runs by formula --------------------------------------------------------------------------------------------- */

/* The ground, and boxes of 2 kg: "box1", "box2", ... */
static AbutModel *make_boxes(int bodies, const char *first_name) {
    AbutModel *model;
    AbutError error;
    must(abut_model_create(&model, &error), &error, "model");
    for (int b = 0; b < bodies; ++b) {
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = abut_shape_default();
        char name[24];
        snprintf(name, sizeof name, b ? "box%d" : "ground", b);
        body.name = b == 1 && first_name ? first_name : name;
        body.kind = b ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC;
        shape.form.kind = b ? ABUT_SHAPE_BOX : ABUT_SHAPE_HALF_SPACE;
        shape.form.size = abut_vec3(0.2, 0.2, 0.2);
        shape.density = 2.0 / 0.064;
        must(abut_model_add_body(model, &body, &shape.body, &error), &error, name);
        must(abut_model_add_shape(model, &shape, NULL, &error), &error, name);
    }
    return model;
}

/* Box b stands in a grid and moves along x as 0.1 sin(2 pi t), sunk into the ground by 0.1 mm. */
static AbutRunBody box_at(int b, int bodies, double t, int asleep) {
    int side = (int)ceil(sqrt(bodies));
    double phase = 2.0 * ABUT_PI * t;
    AbutRunBody row = {.pose = abut_pose_identity(), .island = -1};
    if (b == 0) return row;
    row.pose.p = abut_vec3((b - 1) % side + 0.1 * sin(phase), (b - 1) / side, 0.1999);
    row.velocity.x = 0.2 * ABUT_PI * cos(phase);
    row.island = (b + 1) % 4;
    row.asleep = asleep && b % 2;
    return row;
}

/* The box on the ground: force 20 + t upwards; boxes with odd numbers slide. */
static AbutContact contact_at(const AbutRunBody *box, int b, double t) {
    static const double x[] = {-0.2, 0.2, 0.2, -0.2}, y[] = {-0.2, -0.2, 0.2, 0.2};
    AbutContact c;
    memset(&c, 0, sizeof c);
    c.sliding = b % 2;
    c.force = abut_vec3(b % 2 ? -3.0 : 0.0, 0.0, 20.0 + t);
    c.normal = abut_axis(2);
    c.center = abut_vec3(box->pose.p.x, box->pose.p.y, 0.0);
    c.area = 0.16;
    c.depth = 1e-4;
    c.volume = 0.16 * 1e-4;
    c.vertex_count = 4;
    for (int k = 0; k < 4; ++k) {
        c.vertex[k].point = abut_add(c.center, abut_vec3(x[k], y[k], 0.0));
        c.vertex[k].force.z = (20.0 + t) / 4;
        c.vertex[k].pressure = (20.0 + t) / 0.16 * (1.0 + 0.5 * k);
    }
    return c;
}

/* Who is there at a time; NULL: all. */
typedef int Presence(int body, double t);

/* Energy 10 t J; every box rests on the ground. */
static AbutRun *make_run(int bodies, int frames, int contacts, const char *first_name, Presence *there) {
    AbutError error;
    AbutRun *run;
    AbutModel *model = make_boxes(bodies, first_name);
    AbutRunBody *rows = calloc((size_t)bodies, sizeof *rows);
    if (!rows) exit(1);
    model->gravity = abut_vec3(0.0, 0.0, -9.81);
    must(abut_run_create(model, "make_pages", &run, &error), &error, "run");
    abut_model_free(model);
    for (int f = 0; f < frames; ++f) {
        AbutStepReport report = {.time = f / 60.0, .potential = 10.0 * f / 60.0};
        for (int b = 0; b < bodies; ++b) {
            rows[b] = box_at(b, bodies, report.time, f > frames / 2);
            if (there && !there(b, report.time)) rows[b].pose.p.x = NAN;
        }
        must(abut_run_add_step(run, &report, rows, &error), &error, "step");
        for (int b = 1; b < bodies && contacts; ++b) {
            AbutRunBody box = box_at(b, bodies, report.time, 0);
            AbutContact contact = contact_at(&box, b, report.time);
            int known = !there || there(b, report.time);
            must(abut_run_add_contact(run, 0, known ? b : -1, &contact, &error), &error, "contact");
        }
    }
    free(rows);
    return run;
}

static void write_run(
    const char *path, const char *title, int bodies, int frames, int contacts, const char *first_name) {
    AbutError error;
    AbutPageHead head = {.title = title, .subtitle = "made by a formula"};
    AbutRun *run = make_run(bodies, frames, contacts, first_name, NULL);
    must(abut_page_write_run(path, &head, run, NULL, &error), &error, path);
    abut_run_free(run);
}

/* A blow of 4000 N in one step of 2001, in a page with room for a part of its frames. */
static void write_peak(const char *path) {
    AbutError error;
    AbutPageHead head = {.title = "A blow", .subtitle = "made by a formula", .size_limit = 750000};
    AbutModel *model = make_boxes(40, NULL);
    AbutRun *blow;
    must(abut_run_create(model, "make_pages", &blow, &error), &error, "run");
    abut_model_free(model);
    for (int f = 0; f < 2001; ++f) {
        AbutRunBody rows[40];
        AbutStepReport report = {.time = f / 60.0};
        for (int b = 0; b < 40; ++b) rows[b] = box_at(b, 40, report.time, 0);
        must(abut_run_add_step(blow, &report, rows, &error), &error, "step");
        AbutContact contact = contact_at(&rows[1], 1, 0.0);
        contact.force.z = f == 1003 ? 4000.0 : 20.0;
        must(abut_run_add_contact(blow, 0, 1, &contact, &error), &error, "contact");
    }
    must(abut_page_write_run(path, &head, blow, NULL, &error), &error, path);
    abut_run_free(blow);
}

/* box1 goes at 1 s, box2 comes at 0.5 s; their contacts then name no body. */
static int some_are_there(int body, double t) { return body == 1 ? t < 0.99 : body == 2 ? t > 0.49 : 1; }

static void write_coming(const char *path) {
    AbutError error;
    AbutPageHead head = {.title = "Coming and going", .subtitle = "made by a formula"};
    AbutRun *run = make_run(4, 121, 1, NULL, some_are_there);
    must(abut_page_write_run(path, &head, run, NULL, &error), &error, path);
    abut_run_free(run);
}

/* ---- a simulation ------------------------------------------------------------------------------------------------ */

/* What the page must show at some times: a body, the number of contacts, the vertical force of the ground. */
static void write_expected(const char *path, const AbutRun *run) {
    AbutJson json;
    AbutError error;
    const int64_t *start = abut_run_i8(run, ABUT_RUN_CONTACT_START);
    const int32_t *bodies = abut_run_i4(run, ABUT_RUN_CONTACT_BODY);
    const double *force = abut_run_f8(run, ABUT_RUN_CONTACT_FORCE);
    FILE *file = fopen(path, "w");
    if (!file) exit(1);
    json = abut_json_to_file(file, 2);
    abut_json_begin_array(&json);
    for (int32_t step = 29; step < run->steps; step += 190) {
        int32_t body = 1 + step % (run->bodies - 1);
        double ground = 0.0;
        for (int64_t c = start[step]; c < start[step + 1]; ++c)
            ground += bodies[2 * c] == 0 ? force[3 * c + 2] : bodies[2 * c + 1] == 0 ? -force[3 * c + 2] : 0.0;
        abut_json_begin_object(&json);
        abut_json_put_number(&json, "time", abut_run_f8(run, ABUT_RUN_TIME)[step]);
        abut_json_put_integer(&json, "body", body);
        abut_json_key(&json, "position");
        abut_json_numbers(&json, abut_run_f8(run, ABUT_RUN_POSE) + 7 * ((int64_t)step * run->bodies + body), 3);
        abut_json_put_integer(&json, "contacts", start[step + 1] - start[step]);
        abut_json_put_number(&json, "ground", ground);
        abut_json_end_object(&json);
    }
    abut_json_end_array(&json);
    must(abut_json_finish(&json, &error), &error, path);
    abut_json_free(&json);
    fclose(file);
}

/* A built-in scene through time, recorded 60 times a second. */
static AbutRun *simulate(const char *spec, double seconds) {
    AbutError error;
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutRun *run;
    AbutSimulationDef def = abut_simulation_default();
    must(abut_scene_create(&scene, &error), &error, "scene");
    must(abut_scene_build(scene, spec, 1, &error), &error, spec);
    must(abut_simulation_create(scene, &def, &simulation, &error), &error, "simulation");
    must(abut_run_create_of_scene(scene, NULL, "make_pages", &run, &error), &error, "run");
    for (int i = 1; i <= (int)(seconds * 240.0 + 0.5); ++i) {
        AbutStepReport report;
        must(abut_simulation_step(simulation, 1.0 / 240.0, &report, &error), &error, "step");
        if (i % 4 == 0) must(abut_run_record(run, simulation, &report, &error), &error, "record");
    }
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    return run;
}

static void write_pile(const char *log_path, const char *expected, const char *path) {
    AbutError error;
    AbutRun *run = simulate("boxes:50", 10.0), *back;
    AbutPageHead head = {.title = "Fifty boxes", .subtitle = "volumetric contact, 240 steps per second"};
    must(abut_run_write(log_path, run, &error), &error, log_path);
    must(abut_run_read(log_path, NULL, 0, &back, &error), &error, log_path);
    must(abut_page_write_run(path, &head, back, NULL, &error), &error, path);
    write_expected(expected, back);
    abut_run_free(back);
    abut_run_free(run);
}

static void write_scene(const char *path, const char *spec, double seconds) {
    AbutError error;
    AbutRun *run = simulate(spec, seconds);
    AbutPageHead head = {.title = spec, .subtitle = "240 steps per second"};
    must(abut_page_write_run(path, &head, run, NULL, &error), &error, path);
    abut_run_free(run);
}

/* An arm of two links in two states, one second apart, with sliders. */
static void write_arm(const char *path) {
    AbutError error;
    AbutModel *model;
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutRun *run;
    AbutSimulationDef def = abut_simulation_default();
    must(abut_model_build("planar-arm:2", 1, &model, &error), &error, "arm");
    must(abut_scene_create(&scene, &error), &error, "scene");
    must(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error, "arm");
    must(abut_simulation_create(scene, &def, &simulation, &error), &error, "simulation");
    must(abut_run_create_of_scene(scene, model, "make_pages", &run, &error), &error, "run");
    for (int i = 0; i < 2; ++i) {
        const double q[2] = {0.3 * i, -0.5 * i};
        AbutStepReport report = {.time = i};
        must(abut_scene_set_joints(scene, 0, 2, q, 0, NULL, &error), &error, "joints");
        must(abut_run_record(run, simulation, &report, &error), &error, "record");
    }
    AbutPageHead head = {.title = "Arm", .robot = model};
    must(abut_page_write_run(path, &head, run, NULL, &error), &error, path);
    abut_run_free(run);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    abut_model_free(model);
}

/* Two runs of different length and bodies beside each other. */
static void write_two(const char *path) {
    AbutError error;
    AbutRun *run = make_run(4, 121, 1, NULL, NULL), *beside = make_run(5, 61, 1, NULL, NULL);
    AbutPageHead head = {.title = "Three", .beside = beside, .beside_title = "Four"};
    must(abut_page_write_run(path, &head, run, NULL, &error), &error, path);
    abut_run_free(run);
    abut_run_free(beside);
}

/* ----  ------------------------------------------------------------------------------------------------------------ */

static const char *in_folder(const char *folder, const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

int main(int argc, char **argv) {
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
    write_run(in_folder(argv[1], "crowd.html"), "A thousand", 1001, 31, 1, NULL);
    write_run(in_folder(argv[1], "names.html"), "</script><script>document.title='broken'</script>", 3, 5, 1, hostile);
    write_peak(in_folder(argv[1], "peak.html"));
    write_coming(in_folder(argv[1], "coming.html"));
    write_arm(in_folder(argv[1], "arm.html"));
    write_two(in_folder(argv[1], "two.html"));
    write_distance(in_folder(argv[1], "distance.html"));
    write_overlap(in_folder(argv[1], "overlap.html"));
    write_modes(in_folder(argv[1], "modes.html"));
    write_sweep(in_folder(argv[1], "sweep.html"));
    write_visual(in_folder(argv[1], "visual.html"));
    write_pile(log_path, expected, in_folder(argv[1], "pile.html"));
    write_scene(in_folder(argv[1], "arch.html"), "arch:9", 0.5);
    write_scene(in_folder(argv[1], "bin.html"), "bin:8", 1.5);
    write_scene(in_folder(argv[1], "slope.html"), "incline:0.6", 0.5);
    return 0;
}
