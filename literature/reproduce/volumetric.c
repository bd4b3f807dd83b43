/* SPDX-License-Identifier: Apache-2.0 */
/* abut reproduce volumetric: runs the cases of each figure, writes its table and plot, and in the end the summary. */
#include "volumetric.h"

#include <string.h>

#include "progress.h"

static AbutStatus run_piles(
    const PaperCase *cases, int count, const ReproduceArgs *args, PaperPiles *out, AbutError *error) {
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < count && status == ABUT_OK; ++i) status = paper_piles(&cases[i], args, &out[i], error);
    return status;
}

/* The plot shows the piles of the first seed. */
static AbutStatus write_piles(const ReproduceArgs *args, const char *stem, const AbutPlot *frame,
    const PaperCase *cases, const PaperPiles *piles, int count, AbutError *error) {
    PaperForce first[FIGURE_4_CASES + FIGURE_5_CASES];
    for (int i = 0; i < count; ++i) first[i] = piles[i].first;
    return paper_force_write(args, stem, frame, cases, first, count, error);
}

/* Both plots have the same scale: that of the force at rest, so that impacts go over the top. */
static AbutStatus figures_4_and_5(const ReproduceArgs *args, PaperResults *r, AbutError *error) {
    AbutPlot frame = abut_plot_default();
    AbutStatus status = run_piles(figure_4_cases, FIGURE_4_CASES, args, r->figure_4, error);
    if (status == ABUT_OK) status = run_piles(figure_5_cases, FIGURE_5_CASES, args, r->figure_5, error);
    if (status != ABUT_OK) return status;
    frame.title = "Figure 4: normal force on the lowest of 7 boxes, point contacts";
    frame.y_label = "normal force, N (impacts cut off)";
    frame.x_max = 2.0;
    frame.y_max = 1.1 * paper_weight * fmax(2.0, fmax(r->figure_4[0].first.rest_peak, r->figure_5[0].first.rest_peak));
    status = write_piles(args, "figure4", &frame, figure_4_cases, r->figure_4, FIGURE_4_CASES, error);
    frame.title = "Figure 5: normal force on the lowest of 7 boxes, volumetric contact";
    if (status == ABUT_OK)
        status = write_piles(args, "figure5", &frame, figure_5_cases, r->figure_5, FIGURE_5_CASES, error);
    return status;
}

/* From just before the first touch to just after rest. */
static AbutStatus figure_6(const ReproduceArgs *args, PaperResults *r, AbutError *error) {
    AbutPlot frame = abut_plot_default();
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < FIGURE_6_CASES && status == ABUT_OK; ++i)
        status = paper_drop(&figure_6_cases[i], args, &r->figure_6[i], error);
    if (status != ABUT_OK) return status;
    frame.title = "Figure 6: norm of the contact force of the dropped box";
    frame.y_label = "force, N";
    frame.log_y = 1;
    frame.y_min = 1e-4;
    frame.y_max = 100.0;
    frame.x_min = fmax(0.0, r->figure_6[0].touch - 0.01);
    frame.x_max = r->figure_6[0].rest_time > r->figure_6[0].touch ? fmin(1.0, r->figure_6[0].rest_time + 0.03) : 1.0;
    return paper_force_write(args, "figure6", &frame, figure_6_cases, r->figure_6, FIGURE_6_PLOTTED, error);
}

static AbutStatus figure_8(const ReproduceArgs *args, PaperResults *r, AbutError *error) {
    AbutStatus status = paper_times(args, &r->figure_8, error);
    return status == ABUT_OK ? paper_times_write(args, &r->figure_8, error) : status;
}

static AbutStatus figures_3_and_7(const ReproduceArgs *args, PaperResults *r, AbutError *error) {
    (void)r;
    AbutStatus status = paper_snapshots(args, "boxes:7", "figure3.png", error);
    return status == ABUT_OK ? paper_snapshots(args, "boxes:50", "figure7.png", error) : status;
}

static void free_results(PaperResults *r) {
    for (int i = 0; i < FIGURE_4_CASES; ++i) paper_force_free(&r->figure_4[i].first);
    for (int i = 0; i < FIGURE_5_CASES; ++i) paper_force_free(&r->figure_5[i].first);
    for (int i = 0; i < FIGURE_6_CASES; ++i) paper_force_free(&r->figure_6[i]);
}

int reproduce_volumetric(const ReproduceArgs *args) {
    const struct {
        const char *name, *files;
        AbutStatus (*run)(const ReproduceArgs *args, PaperResults *results, AbutError *error);
    } parts[] = {
        {"figures 3 and 7", "figure3.png figure7.png", figures_3_and_7},
        {"figures 4 and 5", "figure4.csv figure4.svg figure5.csv figure5.svg", figures_4_and_5},
        {"figure 6", "figure6.csv figure6.svg", figure_6},
        {"figure 8", "figure8.csv figure8.svg", figure_8},
    };
    PaperResults results;
    AbutStatus status = ABUT_OK;
    memset(&results, 0, sizeof results);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == ABUT_OK; ++i) {
        double before = cli_clock();
        status = parts[i].run(args, &results, &cli_why);
        if (status == ABUT_OK) printf("%-16s %6.1f s  %s\n", parts[i].name, cli_clock() - before, parts[i].files);
        fflush(stdout);
    }
    if (status == ABUT_OK) status = paper_summary_write(args, &results, &cli_why);
    free_results(&results);
    cli_need(status);
    printf("published and measured side by side: %s\n", paper_path(args, "summary.md"));
    return CLI_OK;
}
