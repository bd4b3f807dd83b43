/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part that a scene has in the saved state of a simulation. One walk over the state serves all three ways (measure,
 * save, restore), so they cannot disagree.
 */
#ifndef ABUT_SCENE_SCENE_STATE_H
#define ABUT_SCENE_SCENE_STATE_H

#include "scene/scene.h"

typedef enum AbutWalkWay { ABUT_WALK_MEASURE, ABUT_WALK_SAVE, ABUT_WALK_RESTORE } AbutWalkWay;

typedef struct AbutWalk {
    AbutWalkWay way;
    unsigned char *at; /* NULL when measuring */
    size_t used;
} AbutWalk;

void abut_walk_pass(AbutWalk *walk, void *data, size_t bytes);

typedef struct AbutSceneState {
    int32_t body_places, shape_places, node_places, pair_places, node_free, root, pair_free, pair_table_used;
    int32_t moved_count;
    uint32_t pair_serial;
    uint64_t pair_table_size, fingerprint;
    double margin;
} AbutSceneState;

AbutSceneState abut_scene_state(const AbutScene *scene);

/* Does the scene have the same bodies and shapes? Are the counts possible in a state of so many bytes? */
int abut_scene_state_belongs(const AbutSceneState *state, const AbutScene *scene);
int abut_scene_state_counts(const AbutSceneState *state, size_t bytes);

/* Room for the arrays; 0: no memory. The walk over them. State of a restored scene; 1: contacts were built from
 * pairs as they are. */
int abut_scene_state_reserve(AbutScene *scene, const AbutSceneState *state);
void abut_scene_state_pass(AbutWalk *walk, AbutScene *scene, const AbutSceneState *state);
int abut_scene_state_end(AbutScene *scene, const AbutSceneState *state);

#endif
