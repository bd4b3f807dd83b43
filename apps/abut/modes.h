/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of `abut modes`: what was asked, the system, and the enumeration with its output. */
#ifndef ABUT_CLI_MODES_H
#define ABUT_CLI_MODES_H

#include "cli.h"

#define MODES_STEP 1e-3 /* s: over which forces change the velocities of a scene, with --consistent */

extern const char *const modes_methods[];

typedef struct ModesArgs {
    const char *source, *of, *wrench, *output, *page; /* NULL: not given */
    const char *keyframe, *lattice, *grasp, *plan;
    int method; /* 1: that of the paper */
    int cs, count, lines, nonlinear, limit, threads, json, text, stable, consistent;
    double tolerance, mu, margin; /* NaN: not given */
    double at;                    /* time of the plan */
    double budget;                /* work of the enumeration */
} ModesArgs;

/* A system with what acts on it. */
typedef struct ModesSystem {
    AbutModeSystem rows;
    AbutScene *scene;         /* where it came from, or NULL */
    AbutContactList contacts; /* of the scene */
    double *force;            /* dof: weights of a scene, or NULL */
    double *velocity;         /* dof: of the bodies of a scene, or NULL */
    double *mass;             /* dof x dof, of a scene, or NULL */
    double *friction;         /* one per contact, of a scene, or NULL */
    double *basis; /* all_dof x dof: velocities of the scene from those of the rows; NULL: they are the same */
    int all_dof;
} ModesSystem;

/* Finds what the operand names and makes its rows. */
void modes_load(const ModesArgs *args, ModesSystem *out);

/* Writes the lattice as the picture args->lattice. */
void modes_write_lattice(const ModesArgs *args, const ModesSystem *system, const int8_t *cs,
    const AbutModeForces *forces, AbutModeLayers *out);

/* Lists or counts, and prints. `cs` is the pattern of --of or NULL, `lattice` of --lattice or NULL. Gives the exit
 * status. */
int modes_run(const ModesArgs *args, const ModesSystem *system, const int8_t *cs, const AbutModeForces *forces,
    const AbutModeLayers *lattice);

/* Prints the grasp of the body args->grasp of a scene. Gives the exit status. */
int modes_print_grasp(const ModesArgs *args, const ModesSystem *system);

/* How to enumerate what was asked for. */
AbutModeOptions modes_options(const ModesArgs *args, const int8_t *cs);

/* Writes the page args->page. */
void modes_write_page(const ModesArgs *args, const ModesSystem *system, const int8_t *cs, const AbutModeForces *forces);

#endif
