/* SPDX-License-Identifier: Apache-2.0 */
/* What the verbs of this room share. */
#ifndef ABUT_SRC_SOLID_SOLID_H
#define ABUT_SRC_SOLID_SOLID_H

#include "abut/solid.h"

/* Are both kinds in the tables? */
static inline int abut_solids_are_known(AbutSolid a, AbutSolid b)
{
    return (unsigned)a.kind < ABUT_SOLID_KIND_COUNT && (unsigned)b.kind < ABUT_SOLID_KIND_COUNT;
}

#endif
