/* SPDX-License-Identifier: Apache-2.0 */
/* Private: what the files of this room share. */
#ifndef ABUT_GRASP_MODES_H
#define ABUT_GRASP_MODES_H

#include "abut/grasp.h"
#include "scene/internal.h"

/* Velocities that begin at this body in abut_scene_mode_system: six of a free body, those of the tree at its root. */
int abut_scene_mode_width(const AbutScene *scene, const AbutBody *body);

#endif
