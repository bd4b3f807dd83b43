/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies that a page of contact modes shows. */
#ifndef ABUT_SRC_PICTURE_MODE_BODIES_H
#define ABUT_SRC_PICTURE_MODE_BODIES_H

#include "abut/picture.h"

/* The bodies of the scene, or of contacts alone, as a model to be freed; `source` names a system of abut_mode_builtin.
 * place[i] is the body of the model for body i of the rows. */
AbutStatus abut_mode_bodies(const char *source, const AbutScene *scene, const AbutModeSystemDef *def, AbutModel **model,
    int *place, AbutError *error);

#endif
