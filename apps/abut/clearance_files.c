/* SPDX-License-Identifier: Apache-2.0 */
/* The curve of `abut clearance` as CSV, and its page. */
#include "endless.h"
#include "clearance_run.h"

#include <math.h>
#include <string.h>

void clearance_write_curve(const ClearanceRun *run)
{
    AbutCsv *csv;
    cli_need(abut_csv_open(run->args->curve, "from,to,t,distance,lower", &csv, &cli_why));
    for (int32_t i = 0; i < run->sample_count; ++i) {
        const AbutClearanceSample *x = &run->samples[i];
        double row[5] = {x->from, x->to, x->t, x->d, x->lb};
        for (int k = 0; k < 5; ++k)
            abut_csv_number(csv, row[k]);
        abut_csv_end_row(csv);
    }
    cli_need(abut_csv_commit(csv, &cli_why));
}

void clearance_write_page(const ClearanceRun *run)
{
    const Operand *a = &run->args->operands.of[0], *b = &run->args->operands.of[1];
    size_t n = (size_t)run->sample_count;
    double *times = cli_room(2 * n, sizeof *times), *lower = times + n;
    AbutPose *pose[2] = {cli_room(n, sizeof *pose[0]), cli_room(n, sizeof *pose[1])};
    AbutGap *distance = cli_room(n, sizeof *distance);
    for (size_t i = 0; i < n; ++i) {
        const AbutClearanceSample *x = &run->samples[i];
        times[i] = x->t;
        lower[i] = x->lb;
        distance[i].distance = x->d;
        pose[0][i] = abut_motion_pose(&run->a.motion, x->t);
        pose[1][i] = abut_motion_pose(&run->b.motion, x->t);
    }
    char note[200], text[256], names[300];
    snprintf(names, sizeof names, "%.140s and %.140s", a->file, b->file);
    snprintf(note, sizeof note, "Proved: at no time nearer than %.6g m. The band under the curve holds at every time.",
        run->answer.lb);
    AbutPageHead head = {
        .title = "Clearance over a motion", .subtitle = names, .note = endless_note(&run->args->operands, note, text)};
    AbutPageMeshes meshes = {.count = run->sample_count,
        .times = times,
        .poses_a = pose[0],
        .pose_b = pose[1],
        .distance = distance,
        .lower = lower,
        .minima = run->minima,
        .minimum_count = clearance_minima_kept(run)};
    operands_write_page(&run->args->operands, run->args->page, &head, &meshes);
    abut_free(times);
    abut_free(pose[0]);
    abut_free(pose[1]);
    abut_free(distance);
}
