/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of contact models, by number. The library has two; a program that brings others registers them once, before
 * it creates a simulation.
 */
#include "dynamics/sim.h"

#include <string.h>

enum { PLACES = 16 };

extern const AbutContactModel abut_contact_model_vol, abut_contact_model_pressure;

static const AbutContactModel *models[PLACES] = {
    [ABUT_CONTACT_MODEL_VOL] = &abut_contact_model_vol,
    [ABUT_CONTACT_MODEL_PRESSURE] = &abut_contact_model_pressure,
};

void abut_contact_model_register(const AbutContactModel *model) {
    ABUT_ASSERT(model && model->number >= 0 && model->number < PLACES);
    ABUT_ASSERT(!models[model->number] || models[model->number] == model);
    models[model->number] = model;
}

const AbutContactModel *abut_contact_model(int number) {
    return number >= 0 && number < PLACES ? models[number] : NULL;
}

const char *abut_contact_model_name(int number) {
    const AbutContactModel *m = abut_contact_model(number);
    return m ? m->name : "unknown";
}

int abut_contact_model_find(const char *name) {
    ABUT_ASSERT(name);
    for (int i = 0; i < PLACES; ++i)
        if (models[i] && strcmp(models[i]->name, name) == 0) return i;
    return -1;
}
