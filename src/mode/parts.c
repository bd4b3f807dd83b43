/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of contacts and bodies, Jacobians included, in one block of memory: header, contacts, bodies, Jacobians. */
#include "mode/rows.h"

#include <string.h>

static size_t jacobian_count(const AbutModeParts *parts)
{
    size_t count = 0;
    for (int i = 0; i < parts->body_count; ++i)
        count += parts->bodies[i].kind == ABUT_MODE_BODY_JACOBIAN;
    return count;
}

AbutModeParts *abut_mode_parts_copy(const AbutModeParts *from)
{
    size_t n = (size_t)from->contact_count, m = (size_t)from->body_count, each = 6 * (size_t)from->dof;
    size_t bytes = sizeof *from + n * sizeof(AbutPointContact) + m * sizeof(AbutModeBody) +
                   jacobian_count(from) * each * sizeof(double);
    AbutModeParts *out = abut_alloc(bytes);
    if (!out)
        return NULL;
    AbutPointContact *contacts = (AbutPointContact *)(out + 1);
    AbutModeBody *bodies = (AbutModeBody *)(contacts + n);
    double *jacobian = (double *)(bodies + m);
    *out = *from;
    out->contacts = contacts;
    out->bodies = bodies;
    if (n > 0)
        memcpy(contacts, from->contacts, n * sizeof *contacts);
    if (m > 0)
        memcpy(bodies, from->bodies, m * sizeof *bodies);
    for (size_t i = 0; i < m; ++i) {
        bodies[i].jacobian = NULL;
        if (bodies[i].kind != ABUT_MODE_BODY_JACOBIAN)
            continue;
        if (each > 0)
            memcpy(jacobian, from->bodies[i].jacobian, each * sizeof *jacobian);
        bodies[i].jacobian = jacobian;
        jacobian += each;
    }
    return out;
}
