/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut render: pictures and films of a logged run, without a browser. In: run.npz. Out: one PNG, an animated GIF, or an
 * MP4 (through the program ffmpeg where it is installed).
 */
#include "progress.h"

#include <math.h>

typedef struct Args {
    const char *file;
    CliReals size, eye, target;
    double angle; /* degrees; NaN: that of the definition */
    AbutFilmDef film;
} Args;

/* One of the two ends of the camera. */
static AbutVec3 vector(const CliReals *r, int *given) {
    if (r->count != 0 && r->count != 3) cli_error("--eye and --target take three numbers, as 1,-2,0.5");
    *given = r->count == 3;
    return abut_vec3(r->value[0], r->value[1], r->value[2]);
}

static void check_camera(Args *args) {
    AbutFilmDef *film = &args->film;
    film->eye = vector(&args->eye, &film->has_eye);
    film->target = vector(&args->target, &film->has_target);
    if (film->follow && (film->has_eye || film->has_target))
        cli_error("--follow: the camera cannot follow the bodies and stand at --eye or --target");
    if (film->has_eye && film->has_target && abut_point_distance(film->eye, film->target) == 0.0)
        cli_error("--eye and --target: expected two different points");
    if (!isnan(args->angle)) film->render.view_angle = args->angle * (ABUT_PI / 180.0);
}

/* Options of films for a picture, and the other way round, are not left out in silence. */
static void check_kind(const Args *args) {
    static const char *const of_films[] = {"--rate", "--speed", "--follow"};
    if (!cli_has_ending(args->file, ".png")) cli_refuse("--time", "a film shows the whole run");
    for (int i = 0; i < CLI_ROWS(of_films) && cli_has_ending(args->file, ".png"); ++i)
        cli_refuse(of_films[i], "a .png is one picture, not a film");
}

static void check(Args *args) {
    AbutFilmDef *film = &args->film;
    AbutRenderDef *def = &film->render;
    if (!args->file) cli_error("expected -o: frame.png, film.gif or film.mp4");
    if (!cli_has_ending(args->file, ".png") && !cli_has_ending(args->file, ".gif") &&
        !cli_has_ending(args->file, ".mp4"))
        cli_error("%s: expected a name ending in .png, .gif or .mp4", args->file);
    if (!(film->rate > 0.0 && film->rate <= 120.0) || !(film->speed > 0.0 && film->speed <= 1000.0))
        cli_error("--rate must be above 0 and up to 120, --speed above 0 and up to 1000");
    if (args->size.count != 0 && args->size.count != 2) cli_error("--size takes two numbers, as 1280,720");
    for (int i = 0; i < args->size.count; ++i)
        if (!(args->size.value[i] >= 16.0 && args->size.value[i] <= 8192.0))
            cli_error("--size %s: expected from 16 to 8192 pixels", cli_written("--size", args->size.value[i]).text);
    if (args->size.count == 2)
        def->width = (int32_t)args->size.value[0], def->height = (int32_t)args->size.value[1];
    else if (cli_has_ending(args->file, ".gif")) /* films that can be sent */
        def->width = 640, def->height = 360;
    if (cli_has_ending(args->file, ".mp4")) /* its colors come in pairs of pixels */
        def->width &= ~1, def->height &= ~1;
    check_kind(args);
    check_camera(args);
}

static void show(int32_t frame, int32_t frames, void *user) {
    progress_bar(user, (double)frame / frames, "frame %d of %d", frame, frames);
}

int cli_render(int argc, char **argv) {
    Args args = {.angle = NAN,
        .film = {.render = abut_render_default(), .time = NAN, .rate = 25.0, .speed = 1.0, .progress = show}};
    const CliOption options[] = {
        OPTION("--output", CLI_OUTPUT, &args.file, "FILE", "frame.png, film.gif or film.mp4", .brief = "-o"),
        OPTION("--time", CLI_REAL, &args.film.time, "T", "of a .png: time of the picture, s (default: the end)"),
        OPTION("--size", CLI_REALS, &args.size, "W,H", "pixels (default: 1280,720; of a .gif 640,360)"),
        OPTION(
            "--eye", CLI_REALS, &args.eye, "X,Y,Z", "where the camera is, m (default: where it sees all that moves)"),
        OPTION("--target", CLI_REALS, &args.target, "X,Y,Z", "where it looks, m (default: the middle of that)"),
        OPTION("--angle", CLI_REAL, &args.angle, "DEGREES", "how much it sees from top to bottom (default: 38)", 1.0,
            150.0),
        OPTION("--rate", CLI_REAL, &args.film.rate, "N", "of a film: frames a second"),
        OPTION("--speed", CLI_REAL, &args.film.speed, "X", "of a film: seconds of the run per second"),
        OPTION("--forces", CLI_FLAG, &args.film.forces, NULL, "draw the contact forces as arrows"),
        OPTION("--follow", CLI_FLAG, &args.film.follow, NULL,
            "of a film: let the camera follow the bodies (default: it stands where it sees the whole run)"),
    };
    int operands = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (operands != 1) cli_error("expected one log, as 'abut render run.npz -o frame.png', got %d", operands);
    check(&args);
    AbutRun *run;
    Progress progress;
    cli_need(abut_run_read(argv[0], NULL, 0, &run, &cli_why));
    if (run->steps == 0) cli_error("%s: the log holds no step", argv[0]);
    if (args.film.forces && run->keep != ABUT_RUN_KEEP_ALL)
        cli_error("--forces: %s holds no contacts; it was logged with --keep %s", argv[0],
            abut_word(abut_run_keep_names, run->keep));
    progress_begin(&progress);
    args.film.user = &progress;
    AbutStatus status = abut_run_write_picture(args.file, run, &args.film, &cli_why);
    progress_end(&progress);
    cli_need(status);
    printf("%s\n", args.file);
    return CLI_OK;
}
