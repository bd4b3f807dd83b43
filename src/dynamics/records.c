/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables of the results of this room. */
#include "abut/dynamics.h"

static const AbutField report_fields[] = {
    {ABUT_FIELD(AbutStepReport, time, REAL, "s", "Time after the step.")},
    {ABUT_FIELD(AbutStepReport, seconds, REAL, "s",
         "Wall time of the stages bounds, pairs, contacts, islands, solve, advance."),
        .rows = ABUT_STAGE_COUNT},
    {ABUT_FIELD(AbutStepReport, bodies_awake, INT, "", "Bodies that are awake.")},
    {ABUT_FIELD(AbutStepReport, candidates, INT, "", "Pairs whose boxes overlap.")},
    {ABUT_FIELD(AbutStepReport, contacts, INT, "", "Pairs in contact.")},
    {ABUT_FIELD(AbutStepReport, vertices, INT, "", "Vertices of all contact polygons.")},
    {ABUT_FIELD(AbutStepReport, islands, INT, "", "Groups of bodies connected by contacts.")},
    {ABUT_FIELD(AbutStepReport, rebuilt, INT, "", "Contacts whose geometry was computed anew.")},
    {ABUT_FIELD(AbutStepReport, sweeps, INT, "", "Most solver sweeps of any island.")},
    {ABUT_FIELD(AbutStepReport, sweeps_mean, REAL, "", "Mean number of sweeps, weighted by contacts.")},
    {ABUT_FIELD(AbutStepReport, residual, REAL, "m/s", "Last change of velocity in a sweep, largest of any island.")},
    {ABUT_FIELD(AbutStepReport, capped_islands, INT, "", "Islands that stopped at the iteration limit.")},
    {ABUT_FIELD(AbutStepReport, guarded_islands, INT, "", "Islands that gained energy and were solved anew.")},
    {ABUT_FIELD(AbutStepReport, continuous_hits, INT, "", "Bodies stopped at a time of impact.")},
    {ABUT_FIELD(AbutStepReport, max_depth, REAL, "m", "Deepest overlap.")},
    {ABUT_FIELD(AbutStepReport, kinetic, REAL, "J", "Kinetic energy.")},
    {ABUT_FIELD(AbutStepReport, potential, REAL, "J", "Potential energy, of springs too.")},
    {ABUT_FIELD(AbutStepReport, work, REAL, "J",
        "Work of actuators, torques, forces from outside, kinematic bodies, belts and limits.")},
};

const AbutRecord abut_step_report_record =
    ABUT_RECORD("StepReport", "What a step of a simulation did.", AbutStepReport, report_fields);
