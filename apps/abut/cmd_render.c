/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut render: pictures and films of a logged run, without a browser. In: run.npz. Out: one PNG, an animated GIF, or an
 * MP4 (through the program ffmpeg where it is installed).
 */
#include "progress.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Of a film: an hour at 25 frames a second in full size, or so. */
static const double MOST_FRAMES = 100000.0, MOST_PIXELS = 1e11;

typedef struct Args {
    const char *log, *file;
    double time; /* NaN: the end */
    double rate, speed;
    int forces, follow;
    CliReals size, eye, target;
    double angle; /* degrees; NaN: that of the definition */
    AbutRenderDef def;
} Args;

/* The logged step nearest to a time. */
static int step_at(const AbutRun *run, double time)
{
    const double *times = abut_run_f8(run, ABUT_RUN_TIME);
    int best = 0;
    for (int i = 1; i < run->steps; ++i)
        if (fabs(times[i] - time) < fabs(times[best] - time))
            best = i;
    return best;
}

static AbutVec3 vector(const CliReals *r)
{
    return abut_vec3(r->value[0], r->value[1], r->value[2]);
}

/* The camera as it was asked for, instead of the one that sees everything; a missing end keeps its place. */
static void place_camera(Args *args)
{
    AbutVec3 way = abut_sub(args->def.eye, args->def.target);
    if (args->target.count == 3) {
        args->def.target = vector(&args->target);
        args->def.eye = abut_add(args->def.target, way);
    }
    if (args->eye.count == 3)
        args->def.eye = vector(&args->eye);
}

static AbutStatus draw_png(const AbutRunView *view, const AbutRun *run, Args *args, AbutError *error)
{
    int step = step_at(run, isnan(args->time) ? INFINITY : args->time);
    step = isnan(args->time) ? run->steps - 1 : step;
    AbutImage image;
    abut_run_view_aim(view, step, &args->def);
    place_camera(args);
    AbutStatus status = abut_run_view_draw(view, step, args->forces, &args->def, &image, error);
    if (status != ABUT_OK)
        return status;
    status = abut_image_write_png(args->file, &image, error);
    abut_image_free(&image);
    return status;
}

/* Where the frames of a film go. */
typedef struct Film {
    AbutGif *gif;
    FILE *pipe;       /* to ffmpeg */
    AbutFileOut file; /* what ffmpeg writes, under its own name only when all is done */
} Film;

/* The MP4 is written by a program that takes raw pictures from a pipe. */
static AbutStatus open_mp4(Film *film, const Args *args, AbutError *error)
{
    char line[5000];
    if (strchr(args->file, '\''))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: a name without ' was expected", args->file);
    if (system("command -v ffmpeg >/dev/null 2>&1") != 0)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED,
            "%s: MP4 needs the program ffmpeg, which is not installed; a film.gif needs nothing", args->file);
    if (abut_file_out_open(&film->file, args->file, error) != ABUT_OK)
        return error->status;
    snprintf(line, sizeof line,
        "ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgb24 -s %dx%d -r %g -i - -pix_fmt yuv420p -f mp4 "
        "'file:%.4000s'",
        args->def.width, args->def.height, args->rate, film->file.temporary ? film->file.temporary : film->file.target);
    signal(SIGPIPE, SIG_IGN); /* where ffmpeg ends early, writing to it fails, and that is said */
    film->pipe = popen(line, "w");
    if (film->pipe)
        return ABUT_OK;
    abut_file_out_cancel(&film->file);
    return abut_fail(error, ABUT_ERROR_FILE, "%s: ffmpeg could not be started", args->file);
}

static AbutStatus open_film(Film *film, const Args *args, AbutError *error)
{
    if (cli_has_ending(args->file, ".gif"))
        return abut_gif_open(
            args->file, args->def.width, args->def.height, (int)(1000.0 / args->rate + 0.5), &film->gif, error);
    return open_mp4(film, args, error);
}

static AbutStatus add_frame(Film *film, const AbutImage *image, const Args *args, AbutError *error)
{
    if (film->gif)
        return abut_gif_add(film->gif, image, error);
    size_t bytes = 3 * (size_t)image->width * (size_t)image->height;
    return fwrite(image->rgb, 1, bytes, film->pipe) == bytes
               ? ABUT_OK
               : abut_fail(error, ABUT_ERROR_FILE, "%s: ffmpeg stopped", args->file);
}

static AbutStatus close_film(Film *film, AbutStatus status, const Args *args, AbutError *error)
{
    if (film->gif && status == ABUT_OK)
        return abut_gif_commit(film->gif, error);
    abut_gif_cancel(film->gif);
    if (!film->pipe)
        return status;
    if (pclose(film->pipe) != 0 && status == ABUT_OK)
        status = abut_fail(error, ABUT_ERROR_FILE, "%s: ffmpeg failed", args->file);
    if (status == ABUT_OK)
        return abut_file_out_commit(&film->file, error);
    abut_file_out_cancel(&film->file);
    return status;
}

/* A film that nobody could keep is refused before its first frame. */
static AbutStatus count_frames(const AbutRun *run, const Args *args, int *frames, AbutError *error)
{
    const double *times = abut_run_f8(run, ABUT_RUN_TIME);
    double count = floor((times[run->steps - 1] - times[0]) / args->speed * args->rate) + 1.0;
    double pixels = count * args->def.width * args->def.height;
    if (!(count >= 1.0 && count <= MOST_FRAMES && pixels <= MOST_PIXELS))
        return abut_fail(error, ABUT_ERROR_LIMIT,
            "%s: the film would have %.3g frames, %.3g pixels together; at most %.0f frames and %.0e pixels are drawn "
            "(--speed, --rate, --size)",
            args->file, count, pixels, MOST_FRAMES, MOST_PIXELS);
    *frames = (int)count;
    return ABUT_OK;
}

/* Moves the camera towards where it would see the step best: most of the way within a second of the film. */
static void follow(const AbutRunView *view, int step, Args *args)
{
    AbutRenderDef best = args->def;
    double part = 1.0 - exp(-3.0 / args->rate);
    abut_run_view_aim(view, step, &best);
    args->def.eye = abut_add_scaled(args->def.eye, abut_sub(best.eye, args->def.eye), part);
    args->def.target = abut_add_scaled(args->def.target, abut_sub(best.target, args->def.target), part);
}

static AbutStatus draw_film(const AbutRunView *view, const AbutRun *run, Args *args, AbutError *error)
{
    Film film = {0};
    int frames = 0, shown = -1;
    AbutStatus status = count_frames(run, args, &frames, error);
    if (status == ABUT_OK)
        status = open_film(&film, args, error);
    if (status != ABUT_OK)
        return status;
    double start = abut_run_f8(run, ABUT_RUN_TIME)[0];
    AbutImage image = {0, 0, NULL};
    if (args->follow)
        abut_run_view_aim(view, 0, &args->def);
    else
        abut_run_view_aim(view, -1, &args->def);
    place_camera(args);
    Progress progress;
    progress_begin(&progress);
    for (int i = 0; i < frames && status == ABUT_OK; ++i) {
        int step = step_at(run, start + i * args->speed / args->rate);
        if (args->follow)
            follow(view, step, args);
        if (step != shown || args->follow) {
            abut_image_free(&image);
            status = abut_run_view_draw(view, step, args->forces, &args->def, &image, error);
            shown = step;
        }
        if (status == ABUT_OK)
            status = add_frame(&film, &image, args, error);
        progress_bar(&progress, (i + 1.0) / frames, "frame %d of %d", i + 1, frames);
    }
    progress_end(&progress);
    abut_image_free(&image);
    return close_film(&film, status, args, error);
}

/* The camera that was asked for. */
static void check_camera(Args *args)
{
    if ((args->eye.count != 0 && args->eye.count != 3) || (args->target.count != 0 && args->target.count != 3))
        cli_error("--eye and --target take three numbers, as 1,-2,0.5");
    if (args->follow && (args->eye.count || args->target.count))
        cli_error("--follow: the camera cannot follow the bodies and stand at --eye or --target");
    if (args->eye.count && args->target.count && abut_point_distance(vector(&args->eye), vector(&args->target)) == 0.0)
        cli_error("--eye and --target: two different points were expected");
    if (isnan(args->angle))
        return;
    args->def.view_angle = args->angle * (ABUT_PI / 180.0);
    cli_check_range("--angle", args->angle, 1.0, 150.0);
}

/* Options of films for a picture, and the other way round, are not left out in silence. */
static void check_kind(const Args *args)
{
    static const char *const of_films[] = {"--rate", "--speed", "--follow"};
    if (!cli_has_ending(args->file, ".png")) {
        cli_refuse("--time", "a film shows the whole run");
        return;
    }
    for (size_t i = 0; i < sizeof of_films / sizeof *of_films; ++i)
        cli_refuse(of_films[i], "a .png is one picture, not a film");
}

static void check(Args *args)
{
    if (!args->file)
        cli_error("-o was expected: frame.png, film.gif or film.mp4");
    if (!cli_has_ending(args->file, ".png") && !cli_has_ending(args->file, ".gif") &&
        !cli_has_ending(args->file, ".mp4"))
        cli_error("%s: a name ending in .png, .gif or .mp4 was expected", args->file);
    if (!(args->rate > 0.0 && args->rate <= 120.0) || !(args->speed > 0.0 && args->speed <= 1000.0))
        cli_error("--rate must be above 0 and up to 120, --speed above 0 and up to 1000");
    if (args->size.count != 0 && args->size.count != 2)
        cli_error("--size takes two numbers, as 1280,720");
    if (args->size.count == 2) {
        for (int i = 0; i < 2; ++i)
            if (!(args->size.value[i] >= 16.0 && args->size.value[i] <= 8192.0))
                cli_error(
                    "--size %s: from 16 to 8192 pixels were expected", cli_written("--size", args->size.value[i]).text);
        args->def.width = (int32_t)args->size.value[0];
        args->def.height = (int32_t)args->size.value[1];
    }
    if (args->size.count == 0 && cli_has_ending(args->file, ".gif")) /* films that can be sent */
        args->def.width = 640, args->def.height = 360;
    if (cli_has_ending(args->file, ".mp4")) /* its colours come in pairs of pixels */
        args->def.width &= ~1, args->def.height &= ~1;
    check_kind(args);
    check_camera(args);
}

int cli_render(int argc, char **argv)
{
    Args args = {.time = NAN, .rate = 25.0, .speed = 1.0, .angle = NAN, .def = abut_render_default()};
    const CliOption options[] = {
        {"--output", "-o", CLI_TEXT, &args.file, "FILE", "frame.png, film.gif or film.mp4"},
        {"--time", NULL, CLI_REAL, &args.time, "T", "of a .png: time of the picture, s (default: the end)"},
        {"--size", NULL, CLI_REALS, &args.size, "W,H", "pixels (default: 1280,720; of a .gif 640,360)"},
        {"--eye", NULL, CLI_REALS, &args.eye, "X,Y,Z",
            "where the camera is, m (default: where it sees all that moves)"},
        {"--target", NULL, CLI_REALS, &args.target, "X,Y,Z", "where it looks, m (default: the middle of that)"},
        {"--angle", NULL, CLI_REAL, &args.angle, "DEGREES", "how much it sees from top to bottom (default: 38)"},
        {"--rate", NULL, CLI_REAL, &args.rate, "N", "of a film: frames a second"},
        {"--speed", NULL, CLI_REAL, &args.speed, "X", "of a film: seconds of the run per second"},
        {"--forces", NULL, CLI_FLAG, &args.forces, NULL, "draw the contact forces as arrows"},
        {"--follow", NULL, CLI_FLAG, &args.follow, NULL,
            "of a film: let the camera follow the bodies (default: it stands where it sees the whole run)"},
    };
    int operands = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (operands != 1)
        cli_error("one log was expected, as 'abut render run.npz -o frame.png', got %d", operands);
    check(&args);
    cli_check_files(1, (const char *const *)argv, 1, &args.file);
    AbutRun *run;
    AbutRunView *view = NULL;
    cli_need(abut_run_read(argv[0], NULL, 0, &run, &cli_why));
    AbutStatus status =
        run->steps > 0 ? ABUT_OK : abut_fail(&cli_why, ABUT_ERROR_EMPTY, "%s: the log holds no step", argv[0]);
    if (status == ABUT_OK && args.forces && run->keep != ABUT_RUN_KEEP_ALL)
        status = abut_fail(&cli_why, ABUT_ERROR_EMPTY, "--forces: %s holds no contacts; it was logged with --keep %s",
            argv[0], abut_word(abut_run_keep_names, run->keep));
    if (status == ABUT_OK)
        status = abut_run_view_create(run, &view, &cli_why);
    if (status == ABUT_OK)
        status = cli_has_ending(args.file, ".png") ? draw_png(view, run, &args, &cli_why)
                                                   : draw_film(view, run, &args, &cli_why);
    abut_run_view_free(view);
    abut_run_free(run);
    cli_need(status);
    printf("%s\n", args.file);
    return CLI_OK;
}
