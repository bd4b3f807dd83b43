/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies that the page of `abut modes` shows. */
#ifndef ABUT_CLI_MODES_PAGE_H
#define ABUT_CLI_MODES_PAGE_H

#include "modes.h"

typedef struct ModesBodies {
    AbutModel *model;
    int *place; /* body of the rows to body of the model */
} ModesBodies;

/* `system` has a def. */
void modes_bodies_make(const char *source, const ModesSystem *system, ModesBodies *out);
void modes_bodies_free(ModesBodies *bodies);

#endif
