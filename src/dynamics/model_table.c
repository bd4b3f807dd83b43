/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of contact models: a new model is one file that fills an AbutContactModel, an enumerator in
 * abut/dynamics.h, and one row here.
 */
#include "dynamics/models.h"

#include <string.h>

/* clang-format off */
#define ROWS(ROW) \
    ROW(VOL, vol) \
    ROW(VOL_GENERATOR, vol_generator) \
    ROW(CONVEX, convex) \
    ROW(EMIN, emin) \
    ROW(PAPER, paper) \
    ROW(PAPER_GUARDED, paper_guarded) \
    ROW(DIRECT, direct) \
    ROW(POINT, point) \
    ROW(PRESSURE, pressure) \
    ROW(PENALTY, penalty)
/* clang-format on */

#define DECLARE(kind, model) extern const AbutContactModel abut_contact_model_##model;
#define ENTER(kind, model) [ABUT_CONTACT_MODEL_##kind] = &abut_contact_model_##model,

ROWS(DECLARE)

static const AbutContactModel *const models[ABUT_CONTACT_MODEL_COUNT] = {ROWS(ENTER)};

const AbutContactModel *abut_contact_model(AbutContactModelKind kind)
{
    return (unsigned)kind < ABUT_CONTACT_MODEL_COUNT ? models[kind] : NULL;
}

const char *abut_contact_model_name(AbutContactModelKind model)
{
    const AbutContactModel *m = abut_contact_model(model);
    return m ? m->name : "unknown";
}

int abut_contact_model_find(const char *name)
{
    ABUT_ASSERT(name);
    for (int i = 0; i < ABUT_CONTACT_MODEL_COUNT; ++i)
        if (strcmp(models[i]->name, name) == 0)
            return i;
    return -1;
}
