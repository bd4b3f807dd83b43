/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The charts of a run for a page: the columns that the table charts, lines of the caller, and the force of the ground.
 * Charts have every step of the run, whatever the page leaves out of its frames and contacts: a peak that lasts one
 * step is shown.
 */
#include "file/npz.h"
#include "picture/page.h"

#include <string.h>

enum { LINE_NAME = 64 };

/* One line: numbers of a column over the steps, or numbers of our own. */
typedef struct Source {
    const AbutRun *run;
    AbutRunColumn column;
    int32_t number; /* of a row */
    double scale;
    const double *own; /* [steps, 3]; NULL: the column */
} Source;

static double get_charted(const void *from, int64_t step, int32_t at) {
    const Source *source = from;
    const AbutRunColumnInfo *about = abut_run_column_info(source->column);
    int64_t index = step * abut_run_number_count(source->run, source->column) + source->number;
    (void)at;
    return source->scale * (about->type == ABUT_ARRAY_F8 ? abut_run_f8(source->run, source->column)[index]
                                                         : abut_run_i4(source->run, source->column)[index]);
}

static double get_energy(const void *from, int64_t step, int32_t at) {
    const Source *source = from;
    (void)at;
    return abut_run_f8(source->run, ABUT_RUN_KINETIC)[step] + abut_run_f8(source->run, ABUT_RUN_POTENTIAL)[step];
}

static double get_own(const void *from, int64_t step, int32_t at) {
    const Source *source = from;
    (void)at;
    return source->own[3 * step + source->number];
}

static void put_line(
    AbutPage *page, const struct AbutRunChart *chart, const char *name, const Source *source, AbutPageGet *get) {
    AbutPageTable table = {get, source, source->run->steps, 1, 0.0, 0, 0.0, NULL};
    abut_page_line(page, chart->title, name, chart->unit, &table);
}

static void put_chart(AbutPage *page, const AbutRun *run, AbutRunColumn column) {
    const AbutRunColumnInfo *about = abut_run_column_info(column);
    int32_t width = abut_run_number_count(run, column);
    Source source = {.run = run, .column = column, .scale = about->chart.scale};
    for (source.number = 0; source.number < width; ++source.number) {
        char name[LINE_NAME];
        abut_run_number_name(run, column, source.number, sizeof name, name);
        put_line(page, &about->chart, about->chart.line ? about->chart.line : name, &source, get_charted);
    }
    if (column == ABUT_RUN_POTENTIAL) /* the last of the energies */
        put_line(page, &about->chart, "total", &source, get_energy);
}

/* ---- lines of the caller ----------------------------------------------------------------------------------------- */

static double get_value(const void *from, int64_t step, int32_t at) {
    (void)at;
    return ((const double *)from)[step];
}

static void put_lines(AbutPage *page, const AbutPageHead *head, int32_t steps) {
    for (int32_t i = 0; i < head->line_count; ++i) {
        const struct AbutPageLine *line = &head->lines[i];
        AbutPageTable table = {get_value, line->values, steps, 1, 0.0, 0, 0.0, NULL};
        abut_page_line(page, line->title, line->name, line->unit, &table);
    }
}

/* ---- the force of the ground ------------------------------------------------------------------------------------- */

static int is_static(const AbutRun *run, int32_t body) {
    return body >= 0 && run->model->bodies[body].kind == ABUT_BODY_STATIC;
}

/* Forces of the bodies that never move on the others, summed over the contacts of each step. */
static void add_ground_force(const AbutRun *run, double *force) {
    const int64_t *start = abut_run_i8(run, ABUT_RUN_CONTACT_START);
    const int32_t *body = abut_run_i4(run, ABUT_RUN_CONTACT_BODY);
    const double *on_b = abut_run_f8(run, ABUT_RUN_CONTACT_FORCE);
    memset(force, 0, 3 * (size_t)run->steps * sizeof *force);
    for (int32_t step = 0; step < run->steps; ++step)
        for (int64_t i = start[step]; i < start[step + 1]; ++i) {
            int sign = is_static(run, body[2 * i]) - is_static(run, body[2 * i + 1]);
            for (int k = 0; k < 3; ++k) force[3 * (int64_t)step + k] += sign * on_b[3 * i + k];
        }
}

static void put_ground_force(AbutPage *page, const AbutRun *run) {
    static const struct AbutRunChart chart = {"Ground force", NULL, "N", 1.0};
    static const char *const names[] = {"x", "y", "z"};
    double *force = abut_alloc_array((size_t)run->steps, 3 * sizeof *force);
    if (!force) {
        abut_page_fail(page, ABUT_ERROR_MEMORY, "out of memory");
        return;
    }
    add_ground_force(run, force);
    Source source = {.run = run, .own = force};
    for (source.number = 0; source.number < 3; ++source.number)
        put_line(page, &chart, names[source.number], &source, get_own);
    abut_free(force);
}

/* Is a column charted? Times of stages differ from run to run, and matter only to those who ask for them. */
static int is_charted(const AbutPageHead *head, AbutRunColumn column) {
    return abut_run_column_info(column)->chart.title && (column != ABUT_RUN_STAGE_SECONDS || head->stages);
}

void abut_page_series(AbutPage *page, const AbutRun *run, const AbutPageHead *head, int own_times) {
    int charts = !head->without_charts;
    if (charts && own_times) {
        abut_json_numbers(abut_json_key(&page->json, "seriesTimes"), abut_run_f8(run, ABUT_RUN_TIME), run->steps);
    }
    abut_json_begin_array(abut_json_key(&page->json, "series"));
    if (charts) put_lines(page, head, run->steps);
    if (charts && run->contacts > 0) put_ground_force(page, run);
    for (int i = 0; charts && i < ABUT_RUN_COLUMN_COUNT; ++i)
        if (is_charted(head, (AbutRunColumn)i)) put_chart(page, run, (AbutRunColumn)i);
    abut_json_end_array(&page->json);
}
