/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The benchmark pairs of Lee's thesis (2017), section VI.B: the direction of parting along a path by Euclid, by the
 * Phong distance of the thesis and by the soft direction. Out: phong.csv with all frames, plots of the magnitude, of
 * the direction and of its turn from frame to frame for each pair, and summary.md: the largest turn at three step sizes
 * (what is continuous halves), times beside Table 6.4, and a rotation at which the Phong direction jumps, against
 * Theorem 5.2.
 */
#include "progress.h"
#include "reproduce.h"

#include "abut/literature.h"

#include <math.h>
#include <string.h>

typedef enum Method { EUCLID, PHONG, SOFT, METHODS } Method;

static const char *const names[METHODS] = {"euclid", "phong", "soft"};
static const double published_ms[] = {1.39, 4.23, 3.33, 4.42};

static const double LEAST_TURN = 1e-3; /* that is drawn, degrees */

enum { PAIRS = 4, SIZES = 3, FRAMES = 400, QUICK_FRAMES = 16, STALK = 6 /* box/box */ };

typedef struct Bodies {
    AbutMesh mesh[2];
    AbutMeshTree *tree[2];
    AbutSoftBody *soft[2];
    AbutPhong *phong;
    void *workspace;
} Bodies;

typedef struct Answer {
    int found;
    AbutVec3 direction;
    double distance;
} Answer;

/* For one pair and method. */
typedef struct Track {
    double turn[SIZES]; /* largest, degrees */
    double ms;
    int lost, without;
} Track;

typedef struct Event {
    double angle, gap[METHODS]; /* where, radians; change of direction across it, degrees */
} Event;

typedef struct Results {
    Track track[PAIRS][METHODS];
    Event event;
    int frames;
} Results;

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static void free_bodies(Bodies *x) {
    for (int k = 0; k < 2; ++k) {
        abut_mesh_free(&x->mesh[k]);
        abut_mesh_tree_free(x->tree[k]);
        abut_soft_body_free(x->soft[k]);
    }
    abut_phong_free(x->phong);
    abut_free(x->workspace);
}

static AbutStatus make_bodies(int number, Bodies *x, AbutError *error) {
    int count;
    AbutSoftBodyDef def = {.tau = abut_direction_cases(&count)[number].tau};
    memset(x, 0, sizeof *x);
    AbutStatus status = abut_direction_case_meshes(number, &x->mesh[0], &x->mesh[1], error);
    for (int k = 0; k < 2 && status == ABUT_OK; ++k) {
        status = abut_mesh_tree_create(&x->mesh[k], 0, &x->tree[k], error);
        if (status == ABUT_OK) status = abut_soft_body_create(&x->mesh[k], &def, &x->soft[k], error);
    }
    if (status == ABUT_OK) status = abut_phong_create(&x->mesh[0], &x->mesh[1], &x->phong, error);
    if (status == ABUT_OK && !(x->workspace = abut_alloc(abut_soft_size(x->soft[0], x->soft[1]))))
        status = abut_fail_memory(error);
    if (status != ABUT_OK) free_bodies(x);
    return status;
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

static Answer ask_euclid(const Bodies *x, AbutPose pose) {
    AbutGap d = abut_distance(abut_solid_mesh(x->tree[0]), abut_solid_mesh(x->tree[1]), pose, NULL, NULL);
    Answer out = {.found = 1, .direction = d.normal, .distance = d.distance};
    if (d.distance > 0.0) return out;
    AbutGap depth = abut_depth(abut_solid_mesh(x->tree[0]), abut_solid_mesh(x->tree[1]), pose, NULL, NULL);
    out.direction = depth.normal, out.distance = depth.distance;
    return out;
}

static Answer ask_phong(const Bodies *x, AbutPose pose, Track *track) {
    AbutPhongDistance d = abut_phong_distance(x->phong, pose, NULL);
    Answer out = {.found = d.found, .direction = d.direction, .distance = d.distance};
    track->lost += d.lost, track->without += !d.found;
    return out;
}

static Answer ask_soft(const Bodies *x, AbutPose pose) {
    AbutSoft s = abut_soft_direction(x->soft[0], x->soft[1], pose, NULL, x->workspace);
    Answer out = {.found = s.outcome < ABUT_SOFT_NONE, .direction = s.direction, .distance = s.distance};
    return out;
}

static Answer ask(const Bodies *x, Method method, AbutPose pose, Track *track) {
    return method == EUCLID ? ask_euclid(x, pose) : method == PHONG ? ask_phong(x, pose, track) : ask_soft(x, pose);
}

/* ---- path -------------------------------------------------------------------------------------------------------- */

typedef enum Plot { MAGNITUDE, DIRECTION, TURN, PLOTS } Plot;

static const char *const plot_names[PLOTS] = {"distance", "direction", "turn"};
static const char *const plot_labels[PLOTS] = {
    "signed distance, m", "angle from the first direction of euclid, degrees", "turn from frame to frame, degrees"};

/* Curves of the finest path, for the plots. */
typedef struct Curves {
    double time[FRAMES + 1], value[PLOTS][METHODS][FRAMES + 1];
    AbutVec3 start;
} Curves;

static void put_row(AbutCsv *csv, const char *pair, Method method, double t, const Answer *x) {
    abut_csv_text(csv, pair);
    abut_csv_text(csv, names[method]);
    abut_csv_number(csv, t);
    abut_csv_integer(csv, x->found);
    abut_csv_number(csv, x->distance);
    for (int k = 0; k < 3; ++k) abut_csv_number(csv, abut_get(x->direction, k));
    abut_csv_end_row(csv);
}

static void put_curves(Curves *c, Method method, int i, const Answer *x, double turn) {
    if (method == EUCLID && i == 0) c->start = x->direction;
    c->value[MAGNITUDE][method][i] = x->found ? x->distance : NAN;
    c->value[DIRECTION][method][i] = x->found ? abut_angle_between(c->start, x->direction) * 180.0 / ABUT_PI : NAN;
    c->value[TURN][method][i] = i > 0 && x->found ? fmax(turn, LEAST_TURN) : NAN;
}

/* One method along the path in `frames` steps; rows and curves where `csv` is given. */
static void follow(
    const Bodies *x, int number, Method method, int frames, int size, AbutCsv *csv, Curves *curves, Track *track) {
    int count;
    const char *pair = abut_direction_cases(&count)[number].name;
    Answer last = {0};
    abut_phong_restart(x->phong);
    track->lost = track->without = 0;
    double seconds = 0.0;
    for (int i = 0; i <= frames; ++i) {
        AbutPose pose = abut_direction_case_pose(number, (double)i / frames);
        double began = cli_clock();
        Answer now = ask(x, method, pose, track);
        seconds += cli_clock() - began;
        double turn =
            last.found && now.found ? abut_angle_between(last.direction, now.direction) * 180.0 / ABUT_PI : 0.0;
        track->turn[size] = fmax(track->turn[size], turn);
        if (csv) {
            curves->time[i] = (double)i / frames;
            put_curves(curves, method, i, &now, turn);
            put_row(csv, pair, method, curves->time[i], &now);
        }
        last = now.found || method != PHONG ? now : last;
    }
    track->ms = 1e3 * seconds / (frames + 1);
}

static AbutStatus draw(const ReproduceArgs *args, int number, const Curves *c, int frames, AbutError *error) {
    int count;
    AbutPlotSeries series[METHODS];
    AbutPlot plot = abut_plot_default();
    AbutStatus status = ABUT_OK;
    char path[4096];
    for (int which = 0; which < PLOTS && status == ABUT_OK; ++which) {
        for (int k = 0; k < METHODS; ++k)
            series[k] = (AbutPlotSeries){names[k], c->time, c->value[which][k], frames + 1, 0, 0};
        plot.title = abut_direction_cases(&count)[number].name;
        plot.x_label = "part of the path";
        plot.y_label = plot_labels[which];
        plot.log_y = which == TURN;
        plot.series = series, plot.series_count = METHODS;
        snprintf(path, sizeof path, "%.3000s/%s%d.svg", args->folder, plot_names[which], number + 1);
        status = abut_plot_write_svg(path, &plot, error);
    }
    return status;
}

static AbutStatus measure_pair(
    const ReproduceArgs *args, int number, AbutCsv *csv, Curves *curves, Results *r, AbutError *error) {
    Bodies x;
    AbutStatus status = make_bodies(number, &x, error);
    if (status != ABUT_OK) return status;
    for (int method = 0; method < METHODS; ++method)
        for (int size = 0; size < SIZES; ++size)
            follow(&x, number, (Method)method, r->frames >> (SIZES - 1 - size), size, size == SIZES - 1 ? csv : NULL,
                curves, &r->track[number][method]);
    free_bodies(&x);
    return draw(args, number, curves, r->frames, error);
}

/* ---- a rotation that breaks the theorem -------------------------------------------------------------------------- */

/* Two boxes in shallow contact, B turning. */
static AbutPose turning(double angle) {
    return abut_pose(abut_vec3(0.02, 0.15, 0.14),
        abut_quat_mul(abut_quat_exp(abut_vec3(0, 0, angle)), abut_quat_exp(abut_vec3(0.3, 0.2, 0.1))));
}

static Answer ask_turning(const Bodies *x, Method method, double angle) {
    Track unused = {0};
    abut_phong_restart(x->phong);
    return ask(x, method, turning(angle), &unused);
}

static double gap_between(const Bodies *x, Method method, double low, double high) {
    Answer a = ask_turning(x, method, low), b = ask_turning(x, method, high);
    return a.found && b.found ? abut_angle_between(a.direction, b.direction) * 180.0 / ABUT_PI : 0.0;
}

/* The largest change of the Phong direction in steps of a turn, brought down to 1e-7 rad. */
static AbutStatus find_event(const ReproduceArgs *args, Event *out, AbutError *error) {
    Bodies x;
    int steps = args->quick ? 100 : 1000;
    double low = 0.0, high = 0.0, most = 0.0;
    AbutStatus status = make_bodies(STALK, &x, error);
    if (status != ABUT_OK) return status;
    for (int i = 0; i < steps; ++i) {
        double from = 3.0 * i / steps, to = 3.0 * (i + 1) / steps, gap = gap_between(&x, PHONG, from, to);
        if (gap > most) most = gap, low = from, high = to;
    }
    while (high - low > 1e-7) {
        double middle = 0.5 * (low + high);
        int first = gap_between(&x, PHONG, low, middle) >= gap_between(&x, PHONG, middle, high);
        *(first ? &high : &low) = middle;
    }
    out->angle = low;
    for (int k = 0; k < METHODS; ++k) out->gap[k] = gap_between(&x, (Method)k, low, high);
    free_bodies(&x);
    return ABUT_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void put_tracks(FILE *to, const Results *r) {
    int count;
    const AbutDirectionCase *cases = abut_direction_cases(&count);
    fprintf(to, "| pair | method | %d frames | %d | %d | ratio | lost | no answer | ms | thesis, ms |\n", r->frames / 4,
        r->frames / 2, r->frames);
    fputs("|---|---|---|---|---|---|---|---|---|---|\n", to);
    for (int i = 0; i < PAIRS; ++i)
        for (int k = 0; k < METHODS; ++k) {
            const Track *t = &r->track[i][k];
            fprintf(to, "| %s | %s | %.2f | %.2f | %.2f | %.2f |", cases[i].name, names[k], t->turn[0], t->turn[1],
                t->turn[2], t->turn[2] / fmax(t->turn[1], 1e-9));
            if (k == PHONG)
                fprintf(to, " %d | %d | %.3g | %.2f |\n", t->lost, t->without, t->ms, published_ms[i]);
            else
                fprintf(to, " - | - | %.3g | - |\n", t->ms);
        }
}

static void put_summary(FILE *to, const ReproduceArgs *args, const void *results) {
    const Results *r = results;
    fprintf(to,
        "# Directions along the paths of Lee's thesis\n\n"
        "The largest change of direction between two frames, in degrees, at three step sizes: what is continuous "
        "halves. "
        "Bodies and paths are\n"
        "stand-ins of the same kind and size; those of the thesis are not public. `lost`: the foot point was not found "
        "beside the last one. Times\n"
        "are means per frame on this machine, one thread; the last column is the total of Table 6.4. abut %s%s.\n\n",
        abut_version(), args->quick ? ", --quick" : "");
    put_tracks(to, r);
    fprintf(to,
        "\n## Theorem 5.2\n\nIt says that the Phong direction is continuous under rotation. Two boxes in shallow "
        "contact, one "
        "turning about z: at %.7f rad, over a\n"
        "step of 1e-7 rad, the Phong direction changes by **%.2f degrees**, the Euclidean one by %.2f, the soft one by "
        "%.5f. The facets of the Minkowski\n"
        "difference change there, and with them the normals at their corners.\n",
        r->event.angle, r->event.gap[PHONG], r->event.gap[EUCLID], r->event.gap[SOFT]);
    for (int i = 0; i < PAIRS; ++i)
        fprintf(to, "\n![magnitude](distance%d.svg)\n![direction](direction%d.svg)\n![turn](turn%d.svg)\n", i + 1,
            i + 1, i + 1);
}

static AbutStatus measure(const ReproduceArgs *args, AbutCsv *csv, Results *r, AbutError *error) {
    Curves *curves = abut_alloc(sizeof *curves);
    Progress progress;
    AbutStatus status = curves ? ABUT_OK : abut_fail_memory(error);
    progress_begin(&progress);
    for (int i = 0; i < PAIRS && status == ABUT_OK; ++i) {
        progress_bar(&progress, (double)i / PAIRS, "pair %d of %d", i + 1, PAIRS);
        status = measure_pair(args, i, csv, curves, r, error);
    }
    progress_end(&progress);
    abut_free(curves);
    return status == ABUT_OK ? find_event(args, &r->event, error) : status;
}

int reproduce_phong(const ReproduceArgs *args) {
    Results results;
    AbutCsv *csv = NULL;
    char path[4096];
    memset(&results, 0, sizeof results);
    results.frames = args->quick ? QUICK_FRAMES : FRAMES;
    snprintf(path, sizeof path, "%s/phong.csv", args->folder);
    AbutStatus status = abut_csv_open(path, "pair,method,t,found,distance,ux,uy,uz", &csv, &cli_why);
    if (status == ABUT_OK) status = measure(args, csv, &results, &cli_why);
    if (csv && status == ABUT_OK)
        status = abut_csv_commit(csv, &cli_why);
    else if (csv)
        abut_csv_cancel(csv);
    if (status == ABUT_OK) status = reproduce_write_summary(args, put_summary, &results, &cli_why);
    cli_need(status);
    printf("%s/summary.md, phong.csv and %d plots written\n", args->folder, PLOTS * PAIRS);
    return CLI_OK;
}
