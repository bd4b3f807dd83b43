/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of `abut simulate`: what was asked, the run with its files, and the summary. */
#ifndef ABUT_CLI_SIMULATE_H
#define ABUT_CLI_SIMULATE_H

#include "cli.h"

typedef struct SimulateArgs {
    const char *scene, *log, *contacts, *page; /* files: NULL when not wanted */
    const char *model, *seed_text;
    int keep; /* an AbutRunKeep */
    CliTexts push;
    int final;
    const char *keyframe, *ctrl, *joints;           /* of robots; NULL: not given */
    const char *plan, *obstacles, *support, *allow; /* of a plan; NULL: not given */
    double time, dt;                                /* NaN until known */
    int every, json, list, hulls, stages;
    int32_t key; /* number of the keyframe; -1: none */
    uint64_t seed;
    double page_size, mu; /* NaN: not given */
    CliReals gravity;
    AbutSimulationDef def;
} SimulateArgs;

typedef struct SimulatePlan SimulatePlan;

/* What is added up over a run. Energies in J, speeds in m/s, lengths in m. */
typedef struct SimulateTotals {
    int64_t steps;
    double time;
    double seconds, processor; /* in steps, files apart: wall time, time of all threads */
    double stage[ABUT_STAGE_COUNT];
    double energy_start, kinetic, potential;
    double rise_max;         /* most that one step added to the energy */
    double work, gain_max;   /* of actuators and forces; most that one step added to the energy beyond it */
    double excess_max;       /* most that the energy was over its start */
    double max_depth, depth; /* over the run; at the end */
    int64_t contact_steps, capped_steps, guarded_steps, continuous_hits;
    char guarded_bodies[256]; /* of the last guarded step */
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

/* What was measured while a plan was followed. */
typedef struct SimulatePlanReport {
    AbutPlanNear planned, measured; /* nearest pair by the plan, at the times of the steps, and where the links were */
    double planned_t, measured_t;
    double error, error_t;
    int32_t joint; /* that was off by most; -1: none was */
} SimulatePlanReport;

/* Reads the plan that the arguments name, and what stands around. */
SimulatePlan *simulate_plan_open(const SimulateArgs *args);
int simulate_plan_follows(const SimulatePlan *plan, int32_t actuator); /* is it a servo of a joint that is planned? */
double simulate_plan_duration(const SimulatePlan *plan);
const AbutModel *simulate_plan_obstacles(const SimulatePlan *plan); /* NULL: none */

/* Puts the robot to the start; sets controls, and torques; measures after a step. */
void simulate_plan_begin(const SimulatePlan *plan, AbutScene *scene);
AbutStatus simulate_plan_drive(
    SimulatePlan *plan, AbutSimulation *simulation, double time, double *control, AbutError *error);
AbutStatus simulate_plan_measure(SimulatePlan *plan, const AbutScene *scene, double time, AbutError *error);

void simulate_plan_print(const SimulatePlan *plan);
/* How it was followed, for a table; NULL without a plan. */
typedef struct SimulateFollowed SimulateFollowed;
const SimulateFollowed *simulate_plan_followed(const SimulatePlan *plan);
extern const AbutRecord simulate_plan_record;

/* A force (N, world axes) at a point of the body frame, from a time to another. */
typedef struct SimulatePush {
    AbutBodyId body;
    int link; /* 1: a link of a robot */
    double from, to;
    AbutVec3 force, point;
} SimulatePush;

typedef struct SimulatePushes {
    SimulatePush push[CLI_TEXTS_MAX];
    int count;
} SimulatePushes;

void simulate_read_pushes(const SimulateArgs *args, const AbutScene *scene, SimulatePushes *out);

/* Applies them to the step that begins at this time. */
AbutStatus simulate_push(const SimulatePushes *pushes, AbutScene *scene, AbutSimulation *simulation, double time,
    double dt, AbutError *error);

/* Runs and writes the files that were asked for. CLI_BAD after a step that failed. */
int simulate_run(const SimulateArgs *args, AbutScene *scene, const AbutModel *model, SimulateTotals *totals);

/* ---- robots ------------------------------------------------------------------------------------------------------ */

/* Robots of a run: what drives the first one, and the table of joints. Good when zeroed. */
typedef struct SimulateRobots {
    AbutControls controls;
    double *control; /* of the first robot */
    AbutCsv *csv;
    SimulatePlan *plan; /* NULL: none; not owned */
} SimulateRobots;

/* State and controls as the arguments say; the tables are opened. */
void simulate_robots_begin(
    SimulateRobots *robots, const SimulateArgs *args, AbutScene *scene, AbutSimulation *simulation);
AbutStatus simulate_robots_drive(SimulateRobots *robots, AbutSimulation *simulation, double time, AbutError *error);
void simulate_robots_record(SimulateRobots *robots, const AbutSimulation *simulation, double time);

int simulate_print(const SimulateArgs *args, const SimulateTotals *totals, const AbutScene *scene, int status);
int simulate_print_list(int json);

#endif
