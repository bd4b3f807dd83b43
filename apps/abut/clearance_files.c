/* SPDX-License-Identifier: Apache-2.0 */
/* The curve of `abut clearance` as CSV, and its page. */
#include "endless.h"
#include "clearance_run.h"

#include <math.h>
#include <string.h>

void clearance_write_curve(const ClearanceRun *run)
{
    AbutFileOut out;
    cli_need(abut_file_out_open(&out, run->args->curve, &cli_why));
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
    cli_need(abut_file_out_commit(&out, &cli_why));
}

/* Arrays of a page, one row for each sample. */
typedef struct Rows {
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

static int make_rows(const ClearanceRun *run, Rows *r)
{
    size_t n = (size_t)run->sample_count;
    r->times = abut_alloc_array(n, sizeof *r->times);
    r->lower = abut_alloc_array(n, sizeof *r->lower);
    r->pose[0] = abut_alloc_array(n, sizeof *r->pose[0]);
    r->pose[1] = abut_alloc_array(n, sizeof *r->pose[1]);
    r->distance = abut_alloc_array(n, sizeof *r->distance);
    if (!r->times || !r->lower || !r->pose[0] || !r->pose[1] || !r->distance)
        return 0;
    for (size_t i = 0; i < n; ++i) {
        const AbutClearanceSample *x = &run->samples[i];
        memset(&r->distance[i], 0, sizeof r->distance[i]);
        r->times[i] = x->t;
        r->lower[i] = x->lb;
        r->distance[i].distance = x->d;
        r->pose[0][i] = abut_motion_pose(&run->a.motion, x->t);
        r->pose[1][i] = abut_motion_pose(&run->b.motion, x->t);
    }
    return 1;
}

void clearance_write_page(const ClearanceRun *run)
{
    const Operand *a = &run->args->operands.of[0], *b = &run->args->operands.of[1];
    Rows rows = {0};
    char note[200], text[256], names[300];
    snprintf(names, sizeof names, "%.140s and %.140s", a->file, b->file);
    snprintf(note, sizeof note, "Proved: at no time nearer than %.6g m. The band under the curve holds at every time.",
        run->answer.lb);
    AbutPageHead head = {
        .title = "Clearance over a motion", .subtitle = names, .note = endless_note(&run->args->operands, note, text)};
    AbutMesh plate[2] = {{0}, {0}};
    const AbutMesh *shown[2] = {NULL, NULL};
    if (!make_rows(run, &rows))
        cli_error("no memory for the page");
    EndlessPoses poses = {run->sample_count, rows.pose[0], rows.pose[1]};
    endless_meshes(&run->args->operands, poses, plate, shown);
    AbutPageMeshes meshes = {.mesh = {shown[0], shown[1]},
        .name = {a->file, b->file},
        .count = run->sample_count,
        .times = rows.times,
        .poses_a = rows.pose[0],
        .pose_b = rows.pose[1],
        .distance = rows.distance,
        .lower = rows.lower,
        .minima = run->minima,
        .minimum_count = clearance_minima_kept(run)};
    if (abut_page_write_meshes(run->args->page, &head, &meshes, &cli_why) != ABUT_OK)
        cli_error("%s", cli_why.text);
    abut_mesh_free(&plate[0]);
    abut_mesh_free(&plate[1]);
    free_rows(&rows);
}
