/* SPDX-License-Identifier: Apache-2.0 */
/* The page of `abut modes`: the bodies it shows, and rows without noise. */
#ifndef ABUT_CLI_MODES_PAGE_H
#define ABUT_CLI_MODES_PAGE_H

#include "modes.h"

typedef struct ModesBodies {
    AbutModel *model;
    int *place; /* body of the rows to body of the model */
} ModesBodies;

/* `system` has parts. */
AbutStatus modes_bodies_make(const char *source, const ModesSystem *system, ModesBodies *out, AbutError *error);
void modes_bodies_free(ModesBodies *bodies);

/* Workspace of modes_clean_rows. */
typedef struct ModesClean {
    const AbutModeSystem *from;
    double tolerance;
    double *rows, *left, *span, *column;
} ModesClean;

AbutStatus modes_clean_begin(const AbutModeSystem *system, double tolerance, ModesClean *out, AbutError *error);
void modes_clean_end(ModesClean *clean);

/* A system whose mode of the same bits has the same velocities, without noise. Its rows live in `clean`, until the next
 * call. */
AbutModeSystem modes_clean_rows(ModesClean *clean, const uint64_t *plus, const uint64_t *minus);

#endif
