/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of `abut reproduce`. */
#ifndef ABUT_CLI_REPRODUCE_H
#define ABUT_CLI_REPRODUCE_H

#include "cli.h"

typedef struct ReproduceArgs {
    const char *folder; /* exists */
    int quick;          /* shorter runs with a longer step: for tests */
    int as_printed;     /* modes: also with the faults of the published program */
} ReproduceArgs;

int reproduce_volumetric(const ReproduceArgs *args);
int reproduce_depth(const ReproduceArgs *args);
int reproduce_mcd(const ReproduceArgs *args);
int reproduce_planning(const ReproduceArgs *args);
int reproduce_phong(const ReproduceArgs *args);
int reproduce_intersection(const ReproduceArgs *args);
int reproduce_modes(const ReproduceArgs *args);

/* Writes summary.md into the folder from what `put` prints. */
typedef void ReproducePut(FILE *to, const ReproduceArgs *args, const void *results);
AbutStatus reproduce_write_summary(const ReproduceArgs *args, ReproducePut *put, const void *results, AbutError *error);

/* A part of a page: the folder with its summary.md, NULL: it failed. */
typedef struct ReproduceSection {
    const char *name, *folder;
} ReproduceSection;

/* Summaries with their pictures as one page that needs no other file. */
AbutStatus reproduce_page(
    const char *path, const char *title, int count, const ReproduceSection *sections, AbutError *error);

#endif
