/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies that the page of `abut modes` shows. */
#ifndef ABUT_CLI_MODES_PAGE_H
#define ABUT_CLI_MODES_PAGE_H

#include "modes.h"

typedef struct ModesBodies {
    AbutPageBody *bodies;
    AbutPose *poses; /* of the body frames, world */
    AbutPageShape *shapes;
    AbutMesh *meshes;
    int *place; /* body of the rows to body of the page */
    char (*names)[24];
    int count, shape_count;
} ModesBodies;

/* `system` has a def. Names of a scene's bodies point into it. */
AbutStatus modes_bodies_make(const char *source, const ModesSystem *system, ModesBodies *out, AbutError *error);
void modes_bodies_free(ModesBodies *bodies);

#endif
