/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of `abut simulate`: what was asked, the run with its files, and the summary. */
#ifndef ABUT_CLI_SIMULATE_H
#define ABUT_CLI_SIMULATE_H

#include "plan.h"

typedef struct SimulateArgs {
    const char *scene, *log, *contacts, *page; /* files: NULL when not wanted */
    const char *model, *seed_text;
    int keep; /* an AbutRunKeep */
    CliTexts push;
    int final;
    const char *keyframe, *ctrl, *joints;           /* of robots; NULL: not given */
    const char *plan, *obstacles, *support, *allow; /* of a plan; NULL: not given */
    double time, dt;                                /* NaN until known */
    int every, json, list, hulls, pieces, stages;
    int32_t key; /* number of the keyframe; -1: none */
    uint64_t seed;
    double page_size, mu; /* NaN: not given */
    CliReals gravity;
    AbutSimulationDef def;
} SimulateArgs;

/* A plan that is followed. */
typedef struct SimulatePlan {
    PlanSetup setup;
    AbutTrajectory trajectory;
    AbutCertificate certificate;
    AbutPlanFollower follower;
} SimulatePlan;

/* Sums over a run. Energies in J, speeds in m/s, lengths in m. */
typedef struct SimulateTotals {
    int64_t steps;
    double time;
    double seconds, processor; /* in steps, files apart: wall time, time of all threads */
    double stage[ABUT_STAGE_COUNT];
    double energy_start, kinetic, potential;
    double rise_max;       /* most that one step added to the energy */
    double work, gain_max; /* of actuators and forces; most that one step added to the energy beyond it */
    double excess_max;     /* most that the energy was over its start */
    double kinetic_max, potential_min, potential_max;
    double max_depth, depth; /* over the run; at the end */
    int64_t contact_steps, capped_steps, guarded_steps, continuous_hits;
    char guarded_bodies[256]; /* of the last guarded step */
    char gain_bodies[256];    /* of the deepest contact in the step of gain_max; empty: none touched */
    double gain_time, gain_depth;
    int contacts_max;
    double contacts_sum, sweeps_sum; /* the second over contact_steps */
    int sweeps_max;
    double residual_sum, residual_max;
    AbutStepReport last;
    int bodies, dynamic;
    int partial; /* ended before its time */
    uint64_t hash;
    SimulatePlan *plan; /* NULL: none */
} SimulateTotals;

/* ---- plans ------------------------------------------------------------------------------------------------------- */

/* Reads the plan that the arguments name, and what stands around. */
SimulatePlan *simulate_plan_open(const SimulateArgs *args);

void simulate_plan_print(const SimulatePlan *plan);
/* How it was followed, for a table; NULL without a plan. */
typedef struct SimulateFollowed SimulateFollowed;
const SimulateFollowed *simulate_plan_followed(const SimulatePlan *plan);
extern const AbutRecord simulate_plan_record;

/* Runs and writes the files that were asked for. CLI_BAD after a step that failed. */
int simulate_run(const SimulateArgs *args, AbutScene *scene, const AbutModel *model, SimulateTotals *totals);

int simulate_print(const SimulateArgs *args, const SimulateTotals *totals, const AbutScene *scene, int status);
int simulate_print_list(int json);

/* A force (N, world axes) at a point of the body frame, from a time to another. */
typedef struct Push {
    AbutBodyId body;
    int link; /* 1: a link of a robot */
    double from, to;
    AbutVec3 force, point;
} Push;

/* From BODY:t0,t1,fx,fy,fz[,px,py,pz]; without a point at the center of mass. */
AbutStatus push_parse(const char *text, const AbutScene *scene, Push *out, AbutError *error);

/* Applies pushes to the step of that length that begins at this time. */
AbutStatus push_step(int count, const Push *pushes, AbutScene *scene, AbutSimulation *simulation, double time,
    double dt, AbutError *error);

#endif
