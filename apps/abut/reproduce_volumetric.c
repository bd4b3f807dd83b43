/* SPDX-License-Identifier: Apache-2.0 */
/* abut reproduce volumetric: runs the cases of each figure, writes its table and plot, and in the end the summary. */
#include "reproduce_volumetric.h"

#include <string.h>

#include "simulate.h"

typedef AbutStatus Experiment(const PaperCase *how, const ReproduceArgs *args, PaperForce *out, AbutError *error);

static AbutStatus run_cases(Experiment *experiment, const PaperCase *cases, int count, const ReproduceArgs *args, PaperForce *out,
    AbutError *error)
{
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < count && status == ABUT_OK; ++i)
        status = experiment(&cases[i], args, &out[i], error);
    return status;
}

static AbutStatus figures_4_and_5(const ReproduceArgs *args, PaperResults *r, AbutError *error)
{
    AbutStatus status = run_cases(paper_pile, figure_4_cases, FIGURE_4_CASES, args, r->figure_4, error);
    if (status == ABUT_OK)
        status = paper_force_write(args, "figure4", "Figure 4: normal force on the lowest of 7 boxes, point contacts", "normal force, N",
            figure_4_cases, r->figure_4, FIGURE_4_CASES, 0.0, 2.0, error);
    if (status == ABUT_OK)
        status = run_cases(paper_pile, figure_5_cases, FIGURE_5_CASES, args, r->figure_5, error);
    if (status == ABUT_OK)
        status = paper_force_write(args, "figure5", "Figure 5: normal force on the lowest of 7 boxes, volumetric contact",
            "normal force, N", figure_5_cases, r->figure_5, FIGURE_5_CASES, 0.0, 2.0, error);
    return status;
}

/* From just before the first touch to just after rest. */
static AbutStatus figure_6(const ReproduceArgs *args, PaperResults *r, AbutError *error)
{
    AbutStatus status = run_cases(paper_drop, figure_6_cases, FIGURE_6_CASES, args, r->figure_6, error);
    if (status != ABUT_OK)
        return status;
    double from = fmax(0.0, r->figure_6[0].touch - 0.01), to = fmin(1.0, r->figure_6[0].rest_time + 0.03);
    return paper_force_write(args, "figure6", "Figure 6: norm of the contact force of the dropped box", "force, N", figure_6_cases,
        r->figure_6, FIGURE_6_PLOTTED, from, to > from ? to : 1.0, error);
}

static AbutStatus figure_8(const ReproduceArgs *args, PaperResults *r, AbutError *error)
{
    AbutStatus status = paper_times(args, &r->figure_8, error);
    return status == ABUT_OK ? paper_times_write(args, &r->figure_8, error) : status;
}

static void free_results(PaperResults *r)
{
    for (int i = 0; i < FIGURE_4_CASES; ++i)
        paper_force_free(&r->figure_4[i]);
    for (int i = 0; i < FIGURE_5_CASES; ++i)
        paper_force_free(&r->figure_5[i]);
    for (int i = 0; i < FIGURE_6_CASES; ++i)
        paper_force_free(&r->figure_6[i]);
}

int reproduce_volumetric(const CliCommand *command, const ReproduceArgs *args)
{
    const struct {
        const char *name, *files;
        AbutStatus (*run)(const ReproduceArgs *args, PaperResults *results, AbutError *error);
    } parts[] = {
        {"figures 4 and 5", "figure4.csv figure4.svg figure5.csv figure5.svg", figures_4_and_5},
        {"figure 6", "figure6.csv figure6.svg", figure_6},
        {"figure 8", "figure8.csv figure8.svg", figure_8},
    };
    PaperResults results;
    AbutError error;
    AbutStatus status = ABUT_OK;
    memset(&results, 0, sizeof results);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == ABUT_OK; ++i) {
        double before = simulate_clock();
        status = parts[i].run(args, &results, &error);
        if (status == ABUT_OK)
            printf("%-16s %6.1f s  %s\n", parts[i].name, simulate_clock() - before, parts[i].files);
        fflush(stdout);
    }
    if (status == ABUT_OK)
        status = paper_summary_write(args, &results, &error);
    free_results(&results);
    if (status != ABUT_OK)
        return cli_error(command, "%s", error.text);
    printf("published and measured side by side: %s\n", paper_path(args, "summary.md"));
    return CLI_OK;
}
