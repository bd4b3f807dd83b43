/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the contact models of the literature to the table of the library. */
#include "literature/dynamics/models.h"

void abut_literature_register(void) {
    static const AbutContactModel *const models[] = {&abut_contact_model_vol_generator, &abut_contact_model_convex,
        &abut_contact_model_emin, &abut_contact_model_paper, &abut_contact_model_paper_guarded,
        &abut_contact_model_direct, &abut_contact_model_point, &abut_contact_model_penalty};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; ++i) abut_contact_model_register(models[i]);
}
