/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiments of the volumetric paper (Zhang, Wakisaka, Sugihara: A fast volumetric contact force computation of
 * rigid bodies by decomposition and iteration): boxes of 0.2 x 0.1 x 0.05 m and 1 g, friction 0.5 static and 0.45
 * kinetic, dt 1e-4 s.
 */
#ifndef ABUT_CLI_REPRODUCE_VOLUMETRIC_H
#define ABUT_CLI_REPRODUCE_VOLUMETRIC_H

#include "reproduce.h"

/* ---- worlds ------------------------------------------------------------------------------------------------------ */

/* One way to compute forces. A bare case has no margin, no compliance and a fixed number of sweeps, as the methods of
 * the paper. */
typedef struct PaperCase {
    const char *label;
    int model;
    int bare, iterations; /* 0: the default */
    double beta;          /* 0: the default */
} PaperCase;

typedef struct PaperWorld {
    AbutScene *scene;
    AbutSimulation *simulation;
} PaperWorld;

/* A built-in scene with the friction of the paper. */
AbutStatus paper_world_open(
    PaperWorld *world, const char *scene, uint64_t seed, const PaperCase *how, AbutError *error);
/* These bodies in this state, simulated another way. */
AbutStatus paper_world_copy(PaperWorld *world, const PaperWorld *from, const PaperCase *how, AbutError *error);
void paper_world_close(PaperWorld *world);

/* "folder/name"; the text lives until the next call. */
const char *paper_path(const ReproduceArgs *args, const char *name);

/* ---- force on a box (figures 4, 5, 6) ---------------------------------------------------------------------------- */

static const double paper_weight = 1e-3 * ABUT_GRAVITY; /* of one box, N */

/* Force on one box over time. */
typedef struct PaperForce {
    double *time, *force; /* [count] */
    int count;
    int box; /* which box it is */
    /* in the last quarter: mean over the weight of a box, spread over mean, share of steps without force, peak over
     * weight */
    double rest_mean, rest_cv, rest_zero, rest_peak;
    int floor, chatter; /* boxes that the ground bears up in the last quarter, and those of them that lose all force in
                           a step */
    /* from the first touch on */
    double touch, peak; /* s; peak over weight */
    int changes;        /* touching or not, sticking or sliding */
    double rise_speed;  /* greatest upward speed of the center, m/s */
    double energy;      /* greatest energy over that at the start */
    double rest_time;   /* last time that the box was faster than 1 mm/s */
    int blew_up;        /* the energy passed ten times its start, or a step failed: the rest is left out */
} PaperForce;

enum { FIGURE_4_CASES = 2, FIGURE_5_CASES = 2, FIGURE_6_CASES = 9, FIGURE_6_PLOTTED = 3 };
extern const PaperCase figure_4_cases[FIGURE_4_CASES], figure_5_cases[FIGURE_5_CASES], figure_6_cases[FIGURE_6_CASES];

/* Piles of seven boxes from several seeds, since one pile proves nothing. */
typedef struct PaperPiles {
    PaperForce first;            /* of the first seed: for the plot */
    int seeds, floor, chatter;   /* the last two summed over seeds */
    double mean, cv, zero, peak; /* as rest_... : means over seeds, cv the median, peak the largest */
} PaperPiles;

/* Seven boxes; the force is that of the ground on the box that bears most at rest, along the normal. */
AbutStatus paper_piles(const PaperCase *how, const ReproduceArgs *args, PaperPiles *out, AbutError *error);
/* The drop of one box; norm of the force. */
AbutStatus paper_drop(const PaperCase *how, const ReproduceArgs *args, PaperForce *out, AbutError *error);
void paper_force_free(PaperForce *force);

/* Table and plot of some forces; `frame` has the title, the labels and the ranges. Its x range holds for the table too.
 */
AbutStatus paper_force_write(const ReproduceArgs *args, const char *stem, const AbutPlot *frame, const PaperCase *cases,
    const PaperForce *forces, int count, AbutError *error);

/* ---- pictures (figures 3 and 7) ---------------------------------------------------------------------------------- */

/* A built-in scene at four times, as one PNG. */
AbutStatus paper_snapshots(const ReproduceArgs *args, const char *scene, const char *file, AbutError *error);

/* ---- time per step (figure 8) ------------------------------------------------------------------------------------ */

enum { FIGURE_8_CASES = 3, FIGURE_8_SIZES = 5 };
extern const PaperCase figure_8_cases[FIGURE_8_CASES];

typedef struct PaperTimes {
    int sizes, n[FIGURE_8_SIZES];
    double contacts[FIGURE_8_SIZES];              /* mean over the samples */
    double step[FIGURE_8_CASES][FIGURE_8_SIZES];  /* us */
    double solve[FIGURE_8_CASES][FIGURE_8_SIZES]; /* us, of that in the solver */
    double growth[FIGURE_8_CASES];                /* exponent of n that fits the solver's time best */
} PaperTimes;

AbutStatus paper_times(const ReproduceArgs *args, PaperTimes *out, AbutError *error);
AbutStatus paper_times_write(const ReproduceArgs *args, const PaperTimes *times, AbutError *error);

/* ---- summary ----------------------------------------------------------------------------------------------------- */

typedef struct PaperResults {
    PaperPiles figure_4[FIGURE_4_CASES], figure_5[FIGURE_5_CASES];
    PaperForce figure_6[FIGURE_6_CASES];
    PaperTimes figure_8;
} PaperResults;

AbutStatus paper_summary_write(const ReproduceArgs *args, const PaperResults *results, AbutError *error);

#endif
