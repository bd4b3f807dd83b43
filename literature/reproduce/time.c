/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figure 8 of the volumetric paper: time per step against the number of boxes. A run of `vol` gives states spread over
 * the fall and the rest of the pile; from each of them every model does a few steps, the first of which (without warm
 * start) is not counted; the quickest of the others is, which leaves out most of what else the machine does. So all
 * models are timed on the same states, and the slow one need not do the whole run.
 */
#include "volumetric.h"
#include "abut/literature.h"

#include <string.h>

#include "progress.h"

const PaperCase figure_8_cases[FIGURE_8_CASES] = {
    {"point", ABUT_CONTACT_MODEL_POINT, 0, 0, 0.0},
    {"direct", ABUT_CONTACT_MODEL_DIRECT, 0, 0, 0.0},
    {"vol", ABUT_CONTACT_MODEL_VOL, 0, 0, 0.0},
};

enum { SAMPLES = 20, STEPS = 4 };

static double sample_step(const ReproduceArgs *args) { return args->quick ? 1e-3 : 1e-4; }

/* Adds the microseconds of a step from the state of `from`, over SAMPLES. */
static AbutStatus sample(
    const PaperWorld *from, const PaperCase *how, double dt, double *step_us, double *solve_us, AbutError *error) {
    PaperWorld world;
    AbutStepReport report;
    AbutStatus status = paper_world_copy(&world, from, how, error);
    if (status != ABUT_OK) return status;
    status = abut_simulation_step(world.simulation, dt, &report, error);
    double step = INFINITY, solve = INFINITY;
    for (int i = 0; i < STEPS && status == ABUT_OK; ++i) {
        double before = cli_clock();
        status = abut_simulation_step(world.simulation, dt, &report, error);
        step = fmin(step, cli_clock() - before);
        solve = fmin(solve, report.seconds[ABUT_STAGE_SOLVE]);
    }
    *step_us += 1e6 * step / SAMPLES;
    *solve_us += 1e6 * solve / SAMPLES;
    paper_world_close(&world);
    return status;
}

/* One size: the reference run with its samples. */
static AbutStatus time_size(const ReproduceArgs *args, PaperTimes *out, int k, AbutError *error) {
    PaperWorld world;
    AbutStepReport report;
    char scene[20];
    double dt = sample_step(args);
    int steps = (int)((args->quick ? 0.6 : 2.0) / dt + 0.5), every = steps / SAMPLES;
    snprintf(scene, sizeof scene, "boxes:%d", out->n[k]);
    AbutStatus status = paper_world_open(&world, scene, 1, &figure_8_cases[FIGURE_8_CASES - 1], error);
    if (status != ABUT_OK) return status;
    for (int i = 1; i <= steps && status == ABUT_OK; ++i) {
        status = abut_simulation_step(world.simulation, dt, &report, error);
        if (i % every != 0) continue;
        out->contacts[k] += (double)report.contacts / SAMPLES;
        for (int c = 0; c < FIGURE_8_CASES && status == ABUT_OK; ++c)
            status = sample(&world, &figure_8_cases[c], dt, &out->step[c][k], &out->solve[c][k], error);
    }
    paper_world_close(&world);
    return status;
}

/* Slope of log time over log n. */
static double slope(const int *n, const double *time, int count) {
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int i = 0; i < count; ++i) {
        double x = log(n[i]), y = log(fmax(time[i], 1e-3));
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

AbutStatus paper_times(const ReproduceArgs *args, PaperTimes *out, AbutError *error) {
    AbutStatus status = ABUT_OK;
    memset(out, 0, sizeof *out);
    out->sizes = args->quick ? 2 : FIGURE_8_SIZES;
    for (int k = 0; k < out->sizes && status == ABUT_OK; ++k) {
        out->n[k] = (args->quick ? 4 : 10) * (k + 1);
        status = time_size(args, out, k, error);
    }
    for (int c = 0; c < FIGURE_8_CASES; ++c) out->growth[c] = slope(out->n, out->solve[c], out->sizes);
    return status;
}

static AbutStatus write_table(const ReproduceArgs *args, const PaperTimes *t, AbutError *error) {
    AbutCsv *csv;
    AbutStatus status =
        abut_csv_open(paper_path(args, "figure8.csv"), "n,model,contacts,us_per_step,us_solve", &csv, error);
    if (status != ABUT_OK) return status;
    for (int k = 0; k < t->sizes; ++k)
        for (int c = 0; c < FIGURE_8_CASES; ++c) {
            abut_csv_integer(csv, t->n[k]);
            abut_csv_text(csv, figure_8_cases[c].label);
            abut_csv_number(csv, t->contacts[k]);
            abut_csv_number(csv, t->step[c][k]);
            abut_csv_number(csv, t->solve[c][k]);
            abut_csv_end_row(csv);
        }
    return abut_csv_commit(csv, error);
}

AbutStatus paper_times_write(const ReproduceArgs *args, const PaperTimes *times, AbutError *error) {
    double n[FIGURE_8_SIZES];
    AbutPlotSeries series[FIGURE_8_CASES];
    AbutPlot plot = abut_plot_default();
    AbutStatus status = write_table(args, times, error);
    for (int k = 0; k < times->sizes; ++k) n[k] = times->n[k];
    for (int c = 0; c < FIGURE_8_CASES; ++c)
        series[c] = (AbutPlotSeries){figure_8_cases[c].label, n, times->step[c], times->sizes, 1, 0};
    plot.title = "Figure 8: time per step";
    plot.x_label = "number of boxes";
    plot.y_label = "time per step, us";
    plot.log_y = 1;
    plot.series = series;
    plot.series_count = FIGURE_8_CASES;
    return status == ABUT_OK ? abut_plot_write_svg(paper_path(args, "figure8.svg"), &plot, error) : status;
}
