/* SPDX-License-Identifier: Apache-2.0 */
/* Private: what the files of this room share. */
#ifndef ABUT_GRASP_MODES_H
#define ABUT_GRASP_MODES_H

#include "abut/grasp.h"
#include "scene/internal.h"

/* abut_scene_mode_system before equalities: rows in all velocities of the scene. */
AbutStatus abut_scene_mode_rows(
    const AbutScene *scene, const AbutContactList *list, int lines, AbutModeSystem *out, AbutError *error);

/* Velocities of the scene that begin at this body: six of a free body, those of the tree at its root. */
int abut_scene_mode_width(const AbutScene *scene, const AbutBody *body);

/* Forces, velocities, masses and friction in all velocities of the scene. */
void abut_scene_all_forces(
    const AbutScene *scene, const AbutContactList *contacts, AbutVec3 gravity, const AbutSceneForces *out);

#endif
