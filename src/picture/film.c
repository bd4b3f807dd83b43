/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures and films of a run. In: a run and a camera. Out: one PNG, an animated GIF, or an MP4 through the program
 * ffmpeg, which takes raw pictures from a pipe.
 */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "abut/picture.h"

/* Limit of a film: an hour at 25 frames a second in full size, or so. */
static const double MOST_FRAMES = 100000.0, MOST_PIXELS = 1e11;

typedef struct Film {
    const char *path;
    const AbutRun *run;
    AbutRunView *view;
    AbutFilmDef def;
    AbutGif *gif;
    FILE *pipe;       /* to ffmpeg */
    AbutFileOut file; /* what ffmpeg writes, under its own name only when all is done */
} Film;

static int has_ending(const char *path, const char *ending) {
    size_t n = strlen(path), m = strlen(ending);
    int same = n > m;
    for (size_t i = 0; same && i < m; ++i) same = (path[n - m + i] | 0x20) == (ending[i] | 0x20);
    return same;
}

/* The logged step nearest to a time. */
static int step_at(const AbutRun *run, double time) {
    const double *times = abut_run_f8(run, ABUT_RUN_TIME);
    int best = 0;
    for (int i = 1; i < run->steps; ++i)
        if (fabs(times[i] - time) < fabs(times[best] - time)) best = i;
    return best;
}

/* The camera where it sees a step, or with -1 everything, but as far as it was placed; a missing end keeps its place.
 */
static void aim(Film *film, int step) {
    AbutRenderDef *def = &film->def.render;
    abut_run_view_aim(film->view, step, def);
    AbutVec3 way = abut_sub(def->eye, def->target);
    if (film->def.has_target) {
        def->target = film->def.target;
        def->eye = abut_add(def->target, way);
    }
    if (film->def.has_eye) def->eye = film->def.eye;
}

static AbutStatus draw_picture(Film *film, AbutError *error) {
    int step = isnan(film->def.time) ? film->run->steps - 1 : step_at(film->run, film->def.time);
    AbutImage image;
    aim(film, step);
    AbutStatus status = abut_run_view_draw(film->view, step, film->def.forces, &film->def.render, &image, error);
    if (status != ABUT_OK) return status;
    status = abut_image_write_png(film->path, &image, error);
    abut_image_free(&image);
    return status;
}

/* ---- films ------------------------------------------------------------------------------------------------------- */

static AbutStatus open_mp4(Film *film, AbutError *error) {
    char line[5000];
    if (strchr(film->path, '\''))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: expected a name without '", film->path);
    if (system("command -v ffmpeg >/dev/null 2>&1") != 0)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED,
            "%s: MP4 needs the program ffmpeg, which is not installed; a film.gif needs nothing", film->path);
    AbutStatus status = abut_file_out_open(&film->file, film->path, error);
    if (status != ABUT_OK) return status;
    snprintf(line, sizeof line,
        "ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgb24 -s %dx%d -r %g -i - -pix_fmt yuv420p -f mp4 "
        "'file:%.4000s'",
        film->def.render.width, film->def.render.height, film->def.rate,
        film->file.temporary ? film->file.temporary : film->file.target);
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN); /* where ffmpeg ends early, writing to it fails, and that is said */
#endif
    film->pipe = popen(line, "w");
    if (film->pipe) return ABUT_OK;
    abut_file_out_cancel(&film->file);
    return abut_fail(error, ABUT_ERROR_FILE, "%s: ffmpeg could not be started", film->path);
}

static AbutStatus open_film(Film *film, AbutError *error) {
    const AbutRenderDef *def = &film->def.render;
    return has_ending(film->path, ".gif") ? abut_gif_open(film->path, def->width, def->height,
                                                (int)(1000.0 / film->def.rate + 0.5), &film->gif, error)
                                          : open_mp4(film, error);
}

static AbutStatus add_frame(Film *film, const AbutImage *image, AbutError *error) {
    size_t bytes = 3 * (size_t)image->width * (size_t)image->height;
    if (film->gif) return abut_gif_add(film->gif, image, error);
    return fwrite(image->rgb, 1, bytes, film->pipe) == bytes
               ? ABUT_OK
               : abut_fail(error, ABUT_ERROR_FILE, "%s: ffmpeg stopped", film->path);
}

static AbutStatus close_film(Film *film, AbutStatus status, AbutError *error) {
    if (film->gif && status == ABUT_OK) return abut_gif_commit(film->gif, error);
    abut_gif_cancel(film->gif);
    if (!film->pipe) return status;
    if (pclose(film->pipe) != 0 && status == ABUT_OK)
        status = abut_fail(error, ABUT_ERROR_FILE, "%s: ffmpeg failed", film->path);
    if (status == ABUT_OK) return abut_file_out_commit(&film->file, error);
    abut_file_out_cancel(&film->file);
    return status;
}

/* A film that nobody could keep is refused before its first frame. */
static AbutStatus count_frames(const Film *film, int *frames, AbutError *error) {
    const double *times = abut_run_f8(film->run, ABUT_RUN_TIME);
    double count = floor((times[film->run->steps - 1] - times[0]) / film->def.speed * film->def.rate) + 1.0;
    double pixels = count * film->def.render.width * film->def.render.height;
    *frames = (int)fmin(count, MOST_FRAMES);
    return count >= 1.0 && count <= MOST_FRAMES && pixels <= MOST_PIXELS
               ? ABUT_OK
               : abut_fail(error, ABUT_ERROR_LIMIT,
                     "%s: the film would have %.3g frames, %.3g pixels together; at most %.0f frames and %.0e pixels "
                     "are drawn (--speed, --rate, --size)",
                     film->path, count, pixels, MOST_FRAMES, MOST_PIXELS);
}

/* Moves the camera towards where it would see the step best: most of the way within a second of the film. */
static void follow(Film *film, int step) {
    AbutRenderDef *def = &film->def.render, best = *def;
    double part = 1.0 - exp(-3.0 / film->def.rate);
    abut_run_view_aim(film->view, step, &best);
    def->eye = abut_add_scaled(def->eye, abut_sub(best.eye, def->eye), part);
    def->target = abut_add_scaled(def->target, abut_sub(best.target, def->target), part);
}

static AbutStatus draw_frames(Film *film, int frames, AbutError *error) {
    double start = abut_run_f8(film->run, ABUT_RUN_TIME)[0];
    AbutImage image = {0, 0, NULL};
    AbutStatus status = ABUT_OK;
    for (int i = 0, shown = -1; i < frames && status == ABUT_OK; ++i) {
        int step = step_at(film->run, start + i * film->def.speed / film->def.rate);
        if (film->def.follow) follow(film, step);
        if (step != shown || film->def.follow) {
            abut_image_free(&image);
            status = abut_run_view_draw(film->view, step, film->def.forces, &film->def.render, &image, error);
            shown = step;
        }
        if (status == ABUT_OK) status = add_frame(film, &image, error);
        if (film->def.progress) film->def.progress(i + 1, frames, film->def.user);
    }
    abut_image_free(&image);
    return status;
}

static AbutStatus draw_film(Film *film, AbutError *error) {
    int frames = 0;
    AbutStatus status = count_frames(film, &frames, error);
    if (status == ABUT_OK) status = open_film(film, error);
    if (status != ABUT_OK) return status;
    aim(film, film->def.follow ? 0 : -1);
    return close_film(film, draw_frames(film, frames, error), error);
}

AbutStatus abut_run_write_picture(const char *path, const AbutRun *run, const AbutFilmDef *def, AbutError *error) {
    ABUT_ASSERT(path && run && def && def->rate > 0.0 && def->speed > 0.0);
    Film film = {.path = path, .run = run, .def = *def};
    if (run->steps <= 0) return abut_fail(error, ABUT_ERROR_EMPTY, "the log holds no step");
    AbutStatus status = abut_run_view_create(run, &film.view, error);
    if (status == ABUT_OK) status = has_ending(path, ".png") ? draw_picture(&film, error) : draw_film(&film, error);
    abut_run_view_free(film.view);
    return status;
}
