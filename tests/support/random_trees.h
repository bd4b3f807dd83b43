/* SPDX-License-Identifier: Apache-2.0 */
/* Random kinematic trees with every kind of joint, and random states of them. */
#ifndef ABUT_TESTS_RANDOM_TREES_H
#define ABUT_TESTS_RANDOM_TREES_H

#include "abut/robot.h"

/* Several trees, some with free roots; welded, static and several-jointed bodies among them. To be freed. */
AbutModel *random_tree(AbutRng *rng, int bodies);

/* A chain of hinges. */
AbutModel *hinge_chain(int links);

/* Positions and velocities of a state; arrays of the counts of the model. */
void random_state(AbutRng *rng, const AbutModel *model, double *q, double *v);

#endif
