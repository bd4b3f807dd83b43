/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page of a run. In: the run and a limit of size. Out: the file, and a line about what the page leaves out: frames
 * and contacts of the 3-D view, never of the charts.
 */
#include "run_page.h"

#include <math.h>
#include <stdio.h>

void run_page_write(const RunPage *page) {
    AbutPageHead head = {.title = page->title,
        .subtitle = page->subtitle,
        .size_limit = isnan(page->size) ? 0 : (size_t)page->size,
        .beside = page->beside,
        .beside_title = page->beside_title,
        .lines = page->lines,
        .line_count = page->line_count,
        .robot = page->robot,
        .without_charts = page->without_charts,
        .stages = page->stages};
    AbutPageReport report;
    cli_need(abut_page_write_run(page->path, &head, page->run, &report, &cli_why));
    char frames[64] = "all frames";
    if (report.frame_stride > 1) snprintf(frames, sizeof frames, "1 of %d frames", report.frame_stride);
    if (report.frame_stride > 1 || report.contact_stride > 1)
        cli_warning("%s: to stay small the 3-D view has %s and the contacts of 1 of %d; the charts have all %d steps. "
                    "--page-size sets the limit",
            page->path, frames, report.contact_stride, page->run->steps);
    if (!isnan(page->size) && (double)report.size > page->size) /* the page itself and the charts are never thinned */
        cli_warning("%s has %.0f kB, above --page-size %s: the page itself and its charts need them", page->path,
            (double)report.size / 1e3, cli_written("--page-size", page->size).text);
}
