/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the program that check_bits builds share. */
#ifndef ABUT_CHECK_BITS_H
#define ABUT_CHECK_BITS_H

#include "abut/mesh.h"

#include <stdio.h>

extern AbutError error;

/* Ends the program where a call has failed. */
void must(AbutStatus status);

/* Random numbers that are told to whoever asks the same through another language. */
double random_number(AbutRng *rng, double reach);
AbutPose random_pose(AbutRng *rng, double reach);

uint64_t hash_vec3(AbutVec3 v, uint64_t hash);

/* Directions, modes, robots and a plan. */
void ask_more(void);

#endif
