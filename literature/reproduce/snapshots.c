/* SPDX-License-Identifier: Apache-2.0 */
/* Figures 3 and 7 of the volumetric paper: the piles as pictures. In: a scene and times. Out: one image, frames in a
 * row. */
#include <string.h>

#include "volumetric.h"

enum { FRAMES = 4, WIDTH = 420, HEIGHT = 320 };

static const double frame_times[FRAMES] = {0.0, 0.35, 0.7, 2.0};
static const PaperCase plain_case = {"vol", ABUT_CONTACT_MODEL_VOL, 0, 0, 0.0};

static AbutStatus record(const ReproduceArgs *args, PaperWorld *world, AbutRun *run, AbutError *error) {
    double dt = args->quick ? 2e-3 : 1e-3, time = 0.0;
    AbutStatus status = ABUT_OK;
    AbutStepReport report;
    memset(&report, 0, sizeof report);
    for (int i = 0; i < FRAMES && status == ABUT_OK; ++i) {
        for (; time < frame_times[i] - 0.5 * dt && status == ABUT_OK; time += dt)
            status = abut_simulation_step(world->simulation, dt, &report, error);
        if (status == ABUT_OK) status = abut_run_record(run, world->simulation, &report, error);
    }
    return status;
}

static void paste(const AbutImage *frame, int at, AbutImage *strip) {
    for (int y = 0; y < HEIGHT; ++y)
        memcpy(strip->rgb + 3 * ((size_t)y * FRAMES * WIDTH + (size_t)at * WIDTH), frame->rgb + 3 * (size_t)y * WIDTH,
            3 * (size_t)WIDTH);
}

/* The first frame has the camera that shows all that is in the air, the others that of the pile at rest. */
static AbutStatus draw(const AbutRunView *view, AbutImage *strip, AbutError *error) {
    AbutStatus status = ABUT_OK;
    AbutRenderDef def = abut_render_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    for (int i = 0; i < FRAMES && status == ABUT_OK; ++i) {
        AbutImage frame = {0, 0, NULL};
        abut_run_view_aim(view, i, &def);
        status = abut_run_view_draw(view, i, i + 1 == FRAMES, &def, &frame, error);
        if (status == ABUT_OK) paste(&frame, i, strip);
        abut_image_free(&frame);
    }
    return status;
}

AbutStatus paper_snapshots(const ReproduceArgs *args, const char *scene, const char *file, AbutError *error) {
    PaperWorld world = {NULL, NULL};
    AbutRun *run = NULL;
    AbutRunView *view = NULL;
    AbutImage strip = {0, 0, NULL};
    AbutStatus status = paper_world_open(&world, scene, 1, &plain_case, error);
    if (status == ABUT_OK) status = abut_run_create_of_scene(world.scene, NULL, NULL, &run, error);
    if (status == ABUT_OK) status = record(args, &world, run, error);
    if (status == ABUT_OK) status = abut_run_view_create(run, &view, error);
    if (status == ABUT_OK) status = abut_image_create(FRAMES * WIDTH, HEIGHT, &strip, error);
    if (status == ABUT_OK) status = draw(view, &strip, error);
    if (status == ABUT_OK) status = abut_image_write_png(paper_path(args, file), &strip, error);
    abut_image_free(&strip);
    abut_run_view_free(view);
    abut_run_free(run);
    paper_world_close(&world);
    return status;
}
