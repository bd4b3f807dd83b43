/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a run log: its arrays as they are, and its columns as charts. */
#include "picture/page.h"

#include <string.h>

enum { PLAIN_SERIES = 6, STAGE_NAME = 32 };

/* Charts from columns that are not plain arrays of one double per step. */
typedef struct Columns {
    double *sweeps, *total;
    double *stage[ABUT_STAGE_COUNT]; /* milliseconds */
    char name[ABUT_STAGE_COUNT][STAGE_NAME];
} Columns;

/* Line `number` of a text of lines, cut to the room. */
static void copy_line(char *out, size_t room, const char *text, int number)
{
    for (; text && number > 0; --number) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    size_t length = text ? strcspn(text, "\n") : 0;
    length = length < room ? length : room - 1;
    if (length > 0)
        memcpy(out, text, length);
    out[length] = 0;
}

static Columns make_columns(const AbutRunLogData *log, double *memory)
{
    Columns c;
    memset(&c, 0, sizeof c);
    int32_t steps = log->steps;
    c.sweeps = memory;
    c.total = memory + steps;
    for (int k = 0; k < ABUT_STAGE_COUNT; ++k) {
        c.stage[k] = memory + (int64_t)(2 + k) * steps;
        copy_line(c.name[k], STAGE_NAME, log->stage_names, k);
    }
    for (int32_t i = 0; i < steps; ++i) {
        c.sweeps[i] = log->sweeps[i];
        c.total[i] = log->kinetic[i] + log->potential[i];
        for (int k = 0; k < ABUT_STAGE_COUNT; ++k)
            c.stage[k][i] = 1e3 * log->stage_seconds[(int64_t)i * ABUT_STAGE_COUNT + k];
    }
    return c;
}

static AbutPageRun run_of_log(const AbutRunLogData *log)
{
    AbutPageRun run;
    memset(&run, 0, sizeof run);
    run.scene_json = log->scene_json;
    run.body_count = log->bodies;
    run.frame_count = log->steps;
    run.times = log->time;
    run.poses = log->pose;
    run.velocities = log->velocity;
    run.asleep = log->asleep;
    run.islands = log->island;
    run.contact_start = log->contact_start;
    run.contact_body = log->contact_body;
    run.contact_sliding = log->contact_sliding;
    run.contact_force = log->contact_force;
    run.contact_torque = log->contact_torque;
    run.contact_center = log->contact_center;
    run.contact_normal = log->contact_normal;
    run.contact_area = log->contact_area;
    run.contact_volume = log->contact_volume;
    run.contact_depth = log->contact_depth;
    run.vertex_start = log->vertex_start;
    run.vertex_point = log->vertex_point;
    run.vertex_force = log->vertex_force;
    run.vertex_pressure = log->vertex_pressure;
    return run;
}

AbutStatus abut_page_write_run_log(
    const char *path, const AbutRunLogData *log, const char *title, const char *subtitle, AbutError *error)
{
    if (log->steps < 1)
        return abut_fail(error, ABUT_ERROR_EMPTY, "page: the run has no step");
    double *memory = abut_alloc_array((size_t)log->steps, (2 + ABUT_STAGE_COUNT) * sizeof *memory);
    if (!memory)
        return abut_fail(error, ABUT_ERROR_MEMORY, "page: no memory for the charts");
    Columns c = make_columns(log, memory);
    AbutPageSeries series[PLAIN_SERIES + ABUT_STAGE_COUNT] = {
        {"Energy", "kinetic", "J", log->kinetic},
        {"Energy", "potential", "J", log->potential},
        {"Energy", "total", "J", c.total},
        {"Deepest overlap", "depth", "m", log->max_depth},
        {"Residual of the contact solver", "residual", "m/s", log->residual},
        {"Sweeps of the contact solver", "sweeps", "", c.sweeps},
    };
    for (int k = 0; k < ABUT_STAGE_COUNT; ++k)
        series[PLAIN_SERIES + k] = (AbutPageSeries){"Time per stage", c.name[k], "ms", c.stage[k]};
    AbutPageRun run = run_of_log(log);
    run.title = title ? title : "Run";
    run.subtitle = subtitle;
    run.gravity = abut_vec3(0.0, 0.0, -9.81); /* the scene of the log overrides it */
    run.series = series;
    run.series_count = PLAIN_SERIES + ABUT_STAGE_COUNT;
    AbutStatus status = abut_page_write_run(path, &run, error);
    abut_free(memory);
    return status;
}
