/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page of a run. In: the run and a limit of size. Out: the file, and a line about what the page leaves out: frames
 * and contacts of the 3-D view, never of the charts.
 */
#include "run_page.h"
#include "operands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void run_page_check(double size)
{
    cli_check_range("--page-size", size, 1.0, 2e9);
}

/* The page itself and the charts are never thinned. */
static void say_size(const RunPage *page, const AbutPageReport *report)
{
    if (!isnan(page->size) && (double)report->size > page->size)
        cli_warning("%s has %.0f kB, above --page-size %s: the page itself and its charts need them", page->path,
            (double)report->size / 1e3, cli_written("--page-size", page->size).text);
}

static void say_thinning(const char *path, const AbutPageReport *report, const AbutRun *run)
{
    if (report->frame_stride == 1 && report->contact_stride == 1)
        return;
    char frames[64] = "all frames";
    if (report->frame_stride > 1)
        snprintf(frames, sizeof frames, "1 of %d frames", report->frame_stride);
    cli_warning(
        "%s: to stay small the 3-D view has %s and the contacts of 1 of %d; the charts have all %d steps. --page-size "
        "sets the limit",
        path, frames, report->contact_stride, run->steps);
}

void run_page_write(const RunPage *page)
{
    AbutPageHead head = {.title = page->title,
        .subtitle = page->subtitle,
        .size_limit = isnan(page->size) ? 0 : (size_t)page->size,
        .beside = page->beside,
        .beside_title = page->beside_title,
        .robot = page->robot,
        .without_charts = page->without_charts,
        .stages = page->stages};
    AbutPageReport report;
    cli_need(abut_page_write_run(page->path, &head, page->run, &report, &cli_why));
    say_thinning(page->path, &report, page->run);
    say_size(page, &report);
}

/* ---- models --------------------------------------------------------------------------------------------------------- */

typedef struct Showing {
    const ModelPage *page;
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutRun *run;
    double time;
} Showing;

static void show(Showing *s)
{
    AbutStepReport report;
    memset(&report, 0, sizeof report);
    report.time = s->time;
    s->time += 1.0;
    cli_need(abut_run_record(s->run, s->simulation, &report, &cli_why));
}

static void show_key(Showing *s, int32_t key)
{
    cli_need(abut_scene_set_keyframe(s->scene, 0, key, &cli_why));
    show(s);
}

static void show_states(Showing *s)
{
    const ModelPage *page = s->page;
    if (page->key >= 0) {
        show_key(s, page->key);
        return;
    }
    if (page->state && abut_scene_robot_count(s->scene))
        cli_need(abut_scene_set_joints(
            s->scene, 0, abut_model_number_count(page->model, ABUT_NUMBERS_POSITIONS), page->state, 0, NULL, &cli_why));
    show(s);
    for (int32_t k = 0; k < page->model->keyframe_count && !page->state; ++k)
        show_key(s, k);
}

static void write(const Showing *s)
{
    const AbutModel *model = s->page->model;
    char about[200];
    snprintf(about, sizeof about, "bodies: %d, joints: %d, keyframes: %d", (int)model->body_count,
        (int)model->joint_count, (int)model->keyframe_count);
    RunPage page = {.path = s->page->path,
        .title = s->page->title,
        .subtitle = about,
        .size = NAN,
        .run = s->run,
        .robot = model,
        .without_charts = 1};
    run_page_write(&page);
}

void model_page_write(const ModelPage *page)
{
    Showing s = {.page = page};
    AbutSimulationDef def = abut_simulation_default();
    s.scene = operands_scene(page->model);
    cli_need(abut_simulation_create(s.scene, &def, &s.simulation, &cli_why));
    cli_need(abut_run_create_of_scene(s.scene, page->model, NULL, &s.run, &cli_why));
    show_states(&s);
    write(&s);
    abut_run_free(s.run);
    abut_simulation_free(s.simulation);
    abut_scene_free(s.scene);
}
