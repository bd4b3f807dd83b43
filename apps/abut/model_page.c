/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a model is that of a run that stands still: one step for each state that is shown. */
#include "model_page.h"

#include <math.h>
#include <string.h>

#include "operands.h"
#include "run_page.h"

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
        cli_need(
            abut_scene_set_joints(s->scene, 0, abut_model_position_count(page->model), page->state, 0, NULL, &cli_why));
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
