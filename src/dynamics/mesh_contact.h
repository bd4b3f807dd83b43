/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts of closed meshes as they are, by their features (mesh/mesh_features.h). A pair has as many contacts as
 * patches, in a chain that begins with the contact its memory names.
 */
#ifndef ABUT_DYNAMICS_MESH_CONTACT_H
#define ABUT_DYNAMICS_MESH_CONTACT_H

#include "contact/touch_patch.h"
#include "dynamics/mover.h"
#include "scene/feature_set.h"

/* Kept for a pair with a mesh; touches do not depend on the list, so states are saved without it. */
typedef struct AbutMeshPairMemory {
    uint32_t serial;
    int32_t patch_count, old_count;
    AbutMeshFeatures *ground;   /* of the piece of a height field that the pair is about; NULL: there is none ... */
    const AbutHeightGrid *grid; /* ... which it is of */
    AbutTouchList list;
    AbutPatch *patch; /* of this step */
    AbutOldVertex *old;
    size_t patch_capacity, old_capacity;
    double margins;
    int seen;            /* in this step; then ... */
    AbutPairSides sides; /* ... from these sides ... */
    AbutVec3 way, turn;  /* ... for this motion of B against A */
    int limited;         /* in this step: then ... */
    double part;         /* ... its bodies move on by this part of it at most */
} AbutMeshPairMemory;

/* For one worker. */
typedef struct AbutMeshRoom {
    AbutTouchRoom touch;
    AbutTouchScratch scratch;
    int starved;
} AbutMeshRoom;

/* Owned by the contact stage. NULL in a simulation: no shape is taken by its features. */
typedef struct AbutMeshContacts {
    AbutFeatureSet features;
    AbutMeshPairMemory *memory; /* by pair place */
    size_t memory_capacity;
    int32_t memory_count;
    AbutMeshRoom *room;
    int32_t workers;
} AbutMeshContacts;

void abut_mesh_contacts_free(AbutSimulation *sim);

/* Readies features and memory for the pairs awake, or lets them go where the settings want none. */
AbutStatus abut_mesh_contacts_begin(AbutSimulation *sim, AbutError *error);

/* Do closed meshes touch by their features? */
static inline int abut_meshes_touch(const AbutSimulation *sim) {
    return sim->def.features && sim->model->number == ABUT_CONTACT_MODEL_VOL;
}

/* Is this a pair of features? */
static inline int abut_pair_is_mesh(const AbutSimulation *sim, int32_t pair) {
    return sim->meshes && abut_pair_has_features(sim->scene, &sim->scene->pair[pair]);
}

/* Can the bodies of a pair come near each other in this step? */
int abut_mesh_pair_is_near(const AbutSimulation *sim, AbutPairSides sides, int32_t pair);

/* Patches of a pair in this step and the impulses of its vertices in the last one, by that worker; then their number,
 * which the pair needs contacts for; then those contacts. */
void abut_mesh_pair_measure(AbutSimulation *sim, AbutPairSides sides, int32_t pair, int worker);
void abut_mesh_pair_build(AbutSimulation *sim, int32_t pair, int worker);

/* Was a pair measured in this step for the motion that the step left it with, to within `most`? */
int abut_mesh_pair_goes_as_seen(const AbutSimulation *sim, const AbutMeshPairMemory *pair, double most);
/* 1: a worker had no memory since it was asked last. */
int abut_mesh_contacts_starved(AbutSimulation *sim);

#endif
