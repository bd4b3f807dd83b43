/* SPDX-License-Identifier: Apache-2.0 */
/* A contact model: the table of functions that a step calls. */
#ifndef ABUT_DYNAMICS_CONTACT_MODEL_H
#define ABUT_DYNAMICS_CONTACT_MODEL_H

#include "dynamics/contact.h"
#include "dynamics/island.h"

/* New geometry of a contact, in the frame of the shape of its A. */
typedef struct AbutBuilt {
    const AbutPatchPair *pair;
    const AbutOverlap *overlap;
    const AbutPatch *patch;
    int worker;
} AbutBuilt;

/*
 * A model is a small table; the loop around it is common to all. `begin` readies a contact for this step (targets, warm
 * start applied to the bodies); `visit` improves one contact and gives the square of the change of velocity it made.
 * The others may be NULL: `visit_two` visits two contacts that share no moving body; `solve_island` replaces the
 * sweeps; `prepare` gets memory before them; `built` sees a contact whose geometry is new, before it inherits impulses;
 * `residual` measures how far a contact is from its law, m/s.
 *
 * Compliant models have the last three: `settle` readies them for the shapes of the scene, `build` makes a contact in
 * every step instead of abut_contact_build, and `longest` is the longest part of a step, s.
 */
typedef struct AbutContactModel {
    const char *name;
    int number;
    int newton;  /* 1: Newton steps go between the sweeps, and sweeps of large islands are compact (packed.h) */
    int watched; /* 1: its impulses were seen to run away (calm.c) */
    int keeps;   /* 1: it keeps numbers with a contact (AbutModelRoom) */
    void (*begin)(AbutSimulation *sim, AbutSolverContact *contact, int worker);
    double (*visit)(AbutSimulation *sim, AbutSolverContact *contact, int backward, int worker);
    double (*visit_two)(AbutSimulation *sim, AbutSolverContact *one, AbutSolverContact *other, int backward);
    void (*solve_island)(AbutSimulation *sim, AbutIsland *island, int worker);
    AbutStatus (*prepare)(AbutSimulation *sim, AbutError *error);
    void (*built)(AbutSimulation *sim, AbutSolverContact *contact, const AbutBuilt *built);
    double (*residual)(AbutSimulation *sim, const AbutSolverContact *contact);
    AbutStatus (*settle)(AbutSimulation *sim, AbutError *error);
    int (*build)(AbutSimulation *sim, AbutSolverContact *contact, int worker);
    double (*longest)(const AbutSimulation *sim);
} AbutContactModel;

const AbutContactModel *abut_contact_model(int number); /* NULL: there is none */

/* Adds a model under its number. To be called before simulations are created, by one thread. */
void abut_contact_model_register(const AbutContactModel *model);

#endif
