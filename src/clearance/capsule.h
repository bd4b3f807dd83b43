/* SPDX-License-Identifier: Apache-2.0 */
/* Private: two capsules, searched without trees. */
#ifndef ABUT_CLEARANCE_CAPSULE_H
#define ABUT_CLEARANCE_CAPSULE_H

#include "clearance/search.h"

/* Is each body a single sphere or capsule? */
int abut_search_is_capsules(const AbutSearch *s);

/* Upper bound and proof at once, over all of the interval. */
void abut_search_capsules(AbutSearch *s);

#endif
