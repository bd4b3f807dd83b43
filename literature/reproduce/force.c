/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures 4, 5 and 6 of the volumetric paper: force on a box over time. In: a case. Out: the curve and what can be
 * counted on it; tables and plots.
 */
#include "volumetric.h"
#include "abut/literature.h"

#include <string.h>

const PaperCase figure_4_cases[FIGURE_4_CASES] = {
    {"point, bare", ABUT_CONTACT_MODEL_POINT, 1, 0, 1.0},
    {"point, with margin", ABUT_CONTACT_MODEL_POINT, 0, 0, 0.0},
};

const PaperCase figure_5_cases[FIGURE_5_CASES] = {
    {"vol, bare", ABUT_CONTACT_MODEL_VOL, 1, 0, 1.0},
    {"vol, with margin", ABUT_CONTACT_MODEL_VOL, 0, 0, 0.0},
};

/* The first three are the curves of the paper. */
const PaperCase figure_6_cases[FIGURE_6_CASES] = {
    {"vol, 10 iterations", ABUT_CONTACT_MODEL_VOL, 1, 10, 0.1},
    {"vol, 100 iterations", ABUT_CONTACT_MODEL_VOL, 1, 100, 0.1},
    {"direct", ABUT_CONTACT_MODEL_DIRECT, 1, 0, 0.1},
    {"paper, 10 iterations", ABUT_CONTACT_MODEL_PAPER, 1, 10, 0.1},
    {"paper, 100 iterations", ABUT_CONTACT_MODEL_PAPER, 1, 100, 0.1},
    {"paper-guarded, 10 iterations", ABUT_CONTACT_MODEL_PAPER_GUARDED, 1, 10, 0.1},
    {"emin, 10 iterations", ABUT_CONTACT_MODEL_EMIN, 1, 10, 0.1},
    {"convex, 10 iterations", ABUT_CONTACT_MODEL_CONVEX, 1, 10, 0.1},
    {"vol, with margin", ABUT_CONTACT_MODEL_VOL, 0, 0, 0.0},
};

enum { BOXES_MAX = 8, SEEDS = 8, QUICK_SEEDS = 2 };

/* State of each box in one step. */
typedef struct Touch {
    double force[BOXES_MAX]; /* normal force from the ground (pile) or norm of all forces (drop) */
    int sliding;
} Touch;

/* Boxes are numbered from 0; the ground is the body before them. */
static int box_number(const AbutScene *scene, AbutBodyId id) {
    AbutBodyState state;
    int number = -1;
    if (!abut_scene_get_body(scene, id, &state) || sscanf(state.name, "box%d", &number) != 1 || number >= BOXES_MAX)
        return -1;
    return number;
}

static Touch look(const PaperWorld *world, int norm) {
    Touch touch;
    memset(&touch, 0, sizeof touch);
    int count = abut_simulation_contact_count(world->simulation);
    for (int i = 0; i < count; ++i) {
        AbutContact c;
        if (!abut_simulation_get_contact(world->simulation, i, &c)) continue;
        int a = box_number(world->scene, c.body_a), b = box_number(world->scene, c.body_b);
        if ((a < 0) == (b < 0)) continue; /* two boxes */
        touch.force[a < 0 ? b : a] += norm ? abut_length(c.force) : abut_dot(c.force, c.normal);
        touch.sliding |= c.sliding;
    }
    return touch;
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

typedef struct Film {
    double *force; /* [steps][BOXES_MAX] */
    int steps;
} Film;

static AbutStatus make_room(Film *film, PaperForce *out, AbutError *error) {
    size_t steps = (size_t)film->steps;
    memset(out, 0, sizeof *out);
    film->force = abut_alloc_array(steps * BOXES_MAX, sizeof *film->force);
    out->time = abut_alloc_array(steps, sizeof *out->time);
    out->force = abut_alloc_array(steps, sizeof *out->force);
    if (film->force && out->time && out->force) return ABUT_OK;
    abut_free(film->force);
    paper_force_free(out);
    return abut_fail_memory(error);
}

/* Counts what happens from the first touch on. */
static void watch(const PaperWorld *world, const Touch *now, int *before, double time, PaperForce *out) {
    AbutBodyState box;
    int state = now->force[0] > 0.0 ? 1 + (now->sliding != 0) : 0;
    if (!abut_scene_get_body(world->scene, abut_scene_find_body(world->scene, "box0"), &box)) return;
    if (state && out->touch == 0.0) out->touch = time;
    if (out->touch > 0.0) {
        out->rise_speed = fmax(out->rise_speed, box.velocity.z);
        out->peak = fmax(out->peak, now->force[0] / paper_weight);
    }
    out->changes += state != *before;
    *before = state;
    if (abut_length(box.velocity) > 1e-3) out->rest_time = time;
}

static void run(PaperWorld *world, double dt, int norm, Film *film, PaperForce *out) {
    double start = abut_simulation_energy(world->simulation, NULL, NULL);
    int before = 0;
    for (int i = 0; i < film->steps && !out->blew_up; ++i) {
        AbutStepReport report;
        if (abut_simulation_step(world->simulation, dt, &report, NULL) != ABUT_OK) {
            out->blew_up = 1;
            break;
        }
        Touch touch = look(world, norm);
        out->time[i] = (i + 1) * dt;
        memcpy(film->force + (size_t)i * BOXES_MAX, touch.force, sizeof touch.force);
        out->count = i + 1;
        out->energy = fmax(out->energy, (report.kinetic + report.potential) / start);
        out->blew_up = !(out->energy < 10.0);
        watch(world, &touch, &before, out->time[i], out);
    }
}

/* Picks the box that the ground bears up most in the last quarter, and counts those that lose touch then. */
static void pick_box(const Film *film, PaperForce *out) {
    double sum[BOXES_MAX] = {0.0};
    int lost[BOXES_MAX] = {0}, count = out->count / 4;
    for (int i = out->count - count; i < out->count; ++i)
        for (int k = 0; k < BOXES_MAX; ++k) {
            double force = film->force[(size_t)i * BOXES_MAX + (size_t)k];
            sum[k] += force;
            lost[k] |= force <= 0.0;
        }
    for (int k = 0; k < BOXES_MAX; ++k) {
        int borne = sum[k] > 0.01 * paper_weight * count;
        out->box = sum[k] > sum[out->box] ? k : out->box;
        out->floor += borne;
        out->chatter += borne && lost[k];
    }
    for (int i = 0; i < out->count; ++i) out->force[i] = film->force[(size_t)i * BOXES_MAX + (size_t)out->box];
}

static void measure_rest(PaperForce *f) {
    int first = f->count - f->count / 4, count = f->count - first, zero = 0;
    double sum = 0.0, square = 0.0;
    if (count < 1) return;
    for (int i = first; i < f->count; ++i) {
        sum += f->force[i];
        zero += f->force[i] <= 0.0;
        f->rest_peak = fmax(f->rest_peak, f->force[i] / paper_weight);
    }
    double mean = sum / count;
    for (int i = first; i < f->count; ++i) square += (f->force[i] - mean) * (f->force[i] - mean);
    f->rest_mean = mean / paper_weight;
    f->rest_cv = mean > 0.0 ? sqrt(square / count) / mean : 0.0;
    f->rest_zero = (double)zero / count;
}

typedef struct Setting {
    const char *scene;
    uint64_t seed;
    double time, dt;
    int norm;
} Setting;

static AbutStatus follow(const PaperCase *how, const Setting *set, PaperForce *out, AbutError *error) {
    PaperWorld world;
    Film film = {NULL, (int)(set->time / set->dt + 0.5)};
    AbutStatus status = make_room(&film, out, error);
    if (status != ABUT_OK) return status;
    status = paper_world_open(&world, set->scene, set->seed, how, error);
    if (status == ABUT_OK) {
        run(&world, set->dt, set->norm, &film, out);
        pick_box(&film, out);
        measure_rest(out);
        paper_world_close(&world);
    }
    abut_free(film.force);
    if (status != ABUT_OK) paper_force_free(out);
    return status;
}

/* Adds one pile; cv is kept in ascending order. */
static void add_pile(PaperPiles *out, const PaperForce *f, double *cv) {
    int k = out->seeds++;
    for (; k > 0 && cv[k - 1] > f->rest_cv; --k) cv[k] = cv[k - 1];
    cv[k] = f->rest_cv;
    out->floor += f->floor;
    out->chatter += f->chatter;
    out->mean += f->rest_mean;
    out->zero += f->rest_zero;
    out->peak = fmax(out->peak, f->rest_peak);
}

AbutStatus paper_piles(const PaperCase *how, const ReproduceArgs *args, PaperPiles *out, AbutError *error) {
    double cv[SEEDS] = {0};
    int seeds = args->quick ? QUICK_SEEDS : SEEDS;
    AbutStatus status = ABUT_OK;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < seeds && status == ABUT_OK; ++i) {
        PaperForce own = {0};
        PaperForce *force = i ? &own : &out->first;
        Setting set = {"boxes:7", (uint64_t)(i + 1), 2.0, args->quick ? 1e-3 : 1e-4, 0};
        status = follow(how, &set, force, error);
        if (status == ABUT_OK) add_pile(out, force, cv);
        if (status == ABUT_OK && i) paper_force_free(&own);
    }
    if (status != ABUT_OK) return status;
    out->mean /= seeds;
    out->zero /= seeds;
    out->cv = 0.5 * (cv[(seeds - 1) / 2] + cv[seeds / 2]);
    return ABUT_OK;
}

AbutStatus paper_drop(const PaperCase *how, const ReproduceArgs *args, PaperForce *out, AbutError *error) {
    Setting set = {"drop", 1, 1.0, args->quick ? 1e-3 : 1e-4, 1};
    return follow(how, &set, out, error);
}

void paper_force_free(PaperForce *force) {
    abut_free(force->time);
    abut_free(force->force);
    memset(force, 0, sizeof *force);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static AbutStatus write_table(const char *path, const PaperCase *cases, const PaperForce *forces, int count,
    double from, double to, AbutError *error) {
    char header[400] = "t";
    AbutCsv *csv;
    int longest = 0;
    for (int k = 0; k < count; ++k) {
        size_t used = strlen(header);
        snprintf(header + used, sizeof header - used, ",\"%s\"", cases[k].label);
        longest = forces[k].count > forces[longest].count ? k : longest;
    }
    AbutStatus status = abut_csv_open(path, header, &csv, error);
    if (status != ABUT_OK) return status;
    for (int i = 0; i < forces[longest].count; ++i) {
        double t = forces[longest].time[i];
        if (t < from || t > to) continue;
        abut_csv_number(csv, t);
        for (int k = 0; k < count; ++k) {
            if (i < forces[k].count)
                abut_csv_number(csv, forces[k].force[i]);
            else
                abut_csv_text(csv, "");
        }
        abut_csv_end_row(csv);
    }
    return abut_csv_commit(csv, error);
}

AbutStatus paper_force_write(const ReproduceArgs *args, const char *stem, const AbutPlot *frame, const PaperCase *cases,
    const PaperForce *forces, int count, AbutError *error) {
    char name[80];
    AbutPlotSeries series[FIGURE_6_CASES];
    AbutPlot plot = *frame;
    snprintf(name, sizeof name, "%s.csv", stem);
    AbutStatus status = write_table(paper_path(args, name), cases, forces, count, plot.x_min, plot.x_max, error);
    for (int k = 0; k < count; ++k)
        series[k] = (AbutPlotSeries){cases[k].label, forces[k].time, forces[k].force, forces[k].count, 0, 0};
    plot.x_label = "time, s";
    plot.series = series;
    plot.series_count = count;
    snprintf(name, sizeof name, "%s.svg", stem);
    return status == ABUT_OK ? abut_plot_write_svg(paper_path(args, name), &plot, error) : status;
}
