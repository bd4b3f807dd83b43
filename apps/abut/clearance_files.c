/* SPDX-License-Identifier: Apache-2.0 */
/* The curve of `abut clearance` as CSV, and its page. */
#include "endless.h"
#include "clearance_run.h"

#include <math.h>
#include <string.h>

int clearance_write_curve(const CliCommand *command, const ClearanceRun *run)
{
    AbutFileOut out;
    AbutError error;
    if (abut_file_out_open(&out, run->args->curve, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    FILE *file = out.file;
    fprintf(file, "from,to,t,distance,lower\n");
    for (int32_t i = 0; i < run->sample_count; ++i) {
        const AbutClearanceSample *x = &run->samples[i];
        double row[5] = {x->from, x->to, x->t, x->d, x->lb};
        for (int k = 0; k < 5; ++k) {
            char text[ABUT_DOUBLE_TEXT];
            abut_format_double(text, sizeof text, row[k]);
            fprintf(file, "%s%c", text, k < 4 ? ',' : '\n');
        }
    }
    return abut_file_out_commit(&out, &error) == ABUT_OK ? CLI_GO : cli_error(command, "%s", error.text);
}

/* Arrays of a page: rows for the samples, and for times between them, both ends of the motion among them. */
typedef struct Rows {
    int32_t count;
    double *times, *lower;
    AbutPose *pose[2];
    AbutGap *distance;
} Rows;

static void free_rows(Rows *r)
{
    abut_free(r->times);
    abut_free(r->lower);
    abut_free(r->pose[0]);
    abut_free(r->pose[1]);
    abut_free(r->distance);
}

enum { GRID = 200 }; /* intervals of the times beside those of the samples */

static void add_row(const ClearanceRun *run, Rows *r, double t, double d, double lower)
{
    if (r->count > 0 && r->times[r->count - 1] == t)
        return;
    memset(&r->distance[r->count], 0, sizeof *r->distance);
    r->times[r->count] = t;
    r->lower[r->count] = lower;
    r->distance[r->count].distance = d;
    r->pose[0][r->count] = abut_motion_pose(&run->a.motion, t);
    r->pose[1][r->count++] = abut_motion_pose(&run->b.motion, t);
}

static double grid_time(const ClearanceRun *run, int k)
{
    double part = (double)k / GRID;
    return run->def.from * (1.0 - part) + run->def.to * part;
}

/* Samples may be far apart where little is open or the budget ended. */
static int make_rows(const ClearanceRun *run, Rows *r)
{
    size_t n = (size_t)run->sample_count + GRID + 1;
    int k = 0;
    r->times = abut_alloc_array(n, sizeof *r->times);
    r->lower = abut_alloc_array(n, sizeof *r->lower);
    r->pose[0] = abut_alloc_array(n, sizeof *r->pose[0]);
    r->pose[1] = abut_alloc_array(n, sizeof *r->pose[1]);
    r->distance = abut_alloc_array(n, sizeof *r->distance);
    if (!r->times || !r->lower || !r->pose[0] || !r->pose[1] || !r->distance)
        return 0;
    for (int32_t i = 0; i < run->sample_count; ++i) {
        const AbutClearanceSample *x = &run->samples[i];
        for (; k <= GRID && grid_time(run, k) < x->t; ++k)
            add_row(run, r, grid_time(run, k), clearance_distance_at(run, grid_time(run, k)), x->lb);
        add_row(run, r, x->t, x->d, x->lb);
        for (; k <= GRID && (grid_time(run, k) <= x->to || i + 1 == run->sample_count); ++k)
            add_row(run, r, grid_time(run, k), clearance_distance_at(run, grid_time(run, k)), x->lb);
    }
    return 1;
}

int clearance_write_page(const CliCommand *command, const ClearanceRun *run)
{
    const Operand *a = &run->args->operands.of[0], *b = &run->args->operands.of[1];
    Rows rows = {0};
    AbutError error;
    char note[200], text[256], names[300];
    snprintf(names, sizeof names, "%.140s and %.140s", cli_base_name(a->file), cli_base_name(b->file));
    snprintf(note, sizeof note, "Proved: at no time nearer than %.6g m. The band under the curve holds at every time.",
        run->answer.lb);
    AbutPageHead head = {
        .title = names, .subtitle = "Clearance over a motion", .note = endless_note(&run->args->operands, note, text)};
    AbutMesh plate[2] = {{0}, {0}};
    const AbutMesh *shown[2] = {NULL, NULL};
    int status = make_rows(run, &rows) ? CLI_GO : cli_error(command, "no memory for the page");
    EndlessPoses poses = {rows.count, rows.pose[0], rows.pose[1]};
    if (status == CLI_GO)
        status = endless_meshes(command, &run->args->operands, poses, plate, shown);
    AbutPageMeshes meshes = {.mesh = {shown[0], shown[1]},
        .name = {cli_base_name(a->file), cli_base_name(b->file)},
        .count = rows.count,
        .times = rows.times,
        .poses_a = rows.pose[0],
        .pose_b = rows.pose[1],
        .distance = rows.distance,
        .lower = rows.lower,
        .minima = run->minima,
        .minimum_count = clearance_minima_kept(run)};
    if (status == CLI_GO && abut_page_write_meshes(run->args->page, &head, &meshes, &error) != ABUT_OK)
        status = cli_error(command, "%s", error.text);
    abut_mesh_free(&plate[0]);
    abut_mesh_free(&plate[1]);
    free_rows(&rows);
    return status;
}
