/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a run, and what the user is told about it. */
#ifndef ABUT_CLI_RUN_PAGE_H
#define ABUT_CLI_RUN_PAGE_H

#include "cli.h"

/* --page-size: bytes; NaN: not given. `needs` is "with --html: ", or empty where the page is all there is. */
#define RUN_PAGE_OPTIONS(size, stages, needs, of_stages)                                                               \
    OPTION("--page-size", CLI_REAL, size, "BYTES",                                                                     \
        needs "above this the page keeps fewer frames of the 3-D view (default: 3e6)", 1.0, 2e9),                      \
        OPTION("--stages", CLI_FLAG, stages, NULL, of_stages "chart the time that each stage of a step took")

typedef struct RunPage {
    const char *path, *title, *subtitle;
    double size; /* NaN: as by default */
    const AbutRun *run;
    const AbutRun *beside; /* to compare it with; or NULL */
    const char *beside_title;
    const struct AbutPageLine *lines; /* charts besides those of the run */
    int32_t line_count;
    const AbutModel *robot; /* to be posed by hand; or NULL */
    int without_charts;     /* for what is no simulation */
    int stages;             /* with the time of each stage */
} RunPage;

/* Writes the page; says on standard error what was left out. */
void run_page_write(const RunPage *page);

#endif
