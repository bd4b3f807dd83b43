/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench: the registry of the benchmark program. A case has a name and a run function; it makes its own input, times
 * some probes side by side and adds one row per probe to the table. To add cases: a new case_*.c with a BenchList,
 * named once in main.c.
 */
#ifndef ABUT_BENCH_H
#define ABUT_BENCH_H

#include <stdio.h>

#include "abut/abut.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BenchRun {
    int repeat;    /* timed rounds over all probes of a case */
    double budget; /* seconds at most for one probe in one case */
    int seeds;     /* of the simulation cases; 0: as many as a case takes by itself */
    uint64_t first_seed;
    FILE *csv;          /* NULL: none */
    FILE *pairs;        /* the pairs of boxes go there, for engines outside of this program; NULL: nowhere */
    const char *name;   /* of the case that is running */
    long wrong, failed; /* of abut's own engines, over all rows: the exit status */
} BenchRun;

/* One row. Counts below 0 mean "does not apply" and print as a dash. */
typedef struct BenchRow {
    const char *engine;
    double ns;            /* per question, best round */
    int asked;            /* questions in one round */
    int wrong_6, wrong_3; /* answers off by more than 1e-6 and 1e-3 of the body size */
    int failed;           /* no answer, or one that is not a number */
    int own;              /* an engine of abut: what it gets wrong fails the run */
} BenchRow;

typedef struct BenchCase {
    const char *name;
    void (*run)(BenchRun *run, int parameter);
    int parameter;
} BenchCase;

typedef struct BenchList {
    const BenchCase *cases;
    int count;
    int on_request;      /* takes long: left out unless a filter names it */
    const char *heading; /* of its own table; NULL: that of bench_row. Likewise the CSV */
    const char *csv_heading;
} BenchList;

/* Something to time: `once` handles `items` questions. */
typedef struct BenchProbe {
    void (*once)(void *user);
    void *user;
    int items;
    double ns; /* out: best time per item */
} BenchProbe;

/* Times the probes in turn, round after round, in short batches, and keeps the best batch of each. */
void bench_time(const BenchRun *run, BenchProbe *probes, int count);

/* Prints the row and writes it to the CSV file. */
void bench_row(BenchRun *run, const BenchRow *row);

/* Seconds of a steady clock; seconds that this thread had a processor. */
double bench_now(void);
double bench_spent(void);

/* Ends the program with a message when memory or a shape cannot be had: a benchmark has nothing to save. */
void *bench_memory(size_t count, size_t bytes_each);
void bench_require(AbutStatus status, const AbutError *error);

extern const BenchList bench_convex_list;      /* case_convex.c */
extern const BenchList bench_parts_list;       /* case_parts.c */
extern const BenchList bench_large_list;       /* case_large.c */
extern const BenchList bench_intersect_list;   /* case_intersect.c */
extern const BenchList bench_overlap_list;     /* case_overlap.c */
extern const BenchList bench_sim_cases_list;   /* sim_cases.c */
extern const BenchList bench_sim_long_list;    /* sim_cases.c */
extern const BenchList bench_sim_scale_list;   /* sim_scale.c */
extern const BenchList bench_sim_round_list;   /* sim_round.c */
extern const BenchList bench_sim_asleep_list;  /* sim_asleep.c */
extern const BenchList bench_sim_hull_list;    /* sim_hull.c */
extern const BenchList bench_sim_meshes_list;  /* sim_meshes.c */
extern const BenchList bench_sim_stats_list;   /* sim_stats.c */
extern const BenchList bench_manip_list;       /* case_manip.c */
extern const BenchList bench_modes_list;       /* case_modes.c */
extern const BenchList bench_mesh_list;        /* case_mesh.c */
extern const BenchList bench_mesh_motion_list; /* case_mesh_motion.c */
extern const BenchList bench_depth_list;       /* case_depth.c */
extern const BenchList bench_clearance_list;   /* case_clearance.c */
extern const BenchList bench_direction_list;   /* case_direction.c */
extern const BenchList bench_robot_list;       /* case_robot.c */
extern const BenchList bench_stand_list;       /* case_stand.c */
extern const BenchList bench_copies_list;      /* case_stand.c */
extern const BenchList bench_act_list;         /* case_act.c */
extern const BenchList bench_plan_list;        /* case_plan.c */
extern const BenchList bench_families_list;    /* case_families.c */

#ifdef __cplusplus
}
#endif

#endif
