/* SPDX-License-Identifier: Apache-2.0 */
/* What the verbs of this room share. */
#ifndef ABUT_SRC_SOLID_SOLID_H
#define ABUT_SRC_SOLID_SOLID_H

#include "abut/solid.h"

/* Is the kind in the tables? A prepared solid is not: it knows clearance alone. */
static inline int abut_solid_is_known(AbutSolid solid)
{
    return (unsigned)solid.kind < ABUT_SOLID_PREPARED;
}

static inline int abut_solids_are_known(AbutSolid a, AbutSolid b)
{
    return abut_solid_is_known(a) && abut_solid_is_known(b);
}

#endif
