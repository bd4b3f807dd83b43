/* SPDX-License-Identifier: Apache-2.0 */
/* What the verbs of this room share. */
#ifndef ABUT_SRC_SOLID_SOLID_H
#define ABUT_SRC_SOLID_SOLID_H

#include "abut/solid.h"

/* Is the kind in the tables? That of a prepared solid is not. */
static inline int abut_solid_is_known(AbutSolid solid)
{
    return (unsigned)solid.kind < ABUT_SOLID_KIND_COUNT;
}

static inline int abut_solids_are_known(AbutSolid a, AbutSolid b)
{
    return abut_solid_is_known(a) && abut_solid_is_known(b);
}

#endif
