/* SPDX-License-Identifier: Apache-2.0 */
/* rapier (Rust) as functions of C, from the library that `scripts/deps peers` builds of bench/rust. */
#ifndef ABUT_BENCH_RAPIER_H
#define ABUT_BENCH_RAPIER_H

#include <stddef.h>

#include "bench/sim_engine.h"

typedef struct RapierWorld RapierWorld;

/* A world with the half-space normal . x <= offset; `unit` is the length of a usual body; 4 iterations are
 * its own choice. */
RapierWorld *rapier_open(
    const AbutVec3 *gravity, const AbutVec3 *normal, double offset, double friction, double unit, int iterations);
/* `kind`: 0 box, 1 ball, 2 capsule and 3 cylinder along z, 4 hull of `count` points. Mass 0: fixed. 0: refused. */
int rapier_add(RapierWorld *world, int kind, const AbutVec3 *size, const AbutVec3 *points, size_t count, double mass,
    const AbutPose *pose, double friction);
void rapier_step(RapierWorld *world, double dt);
int rapier_pairs(const RapierWorld *world);
void rapier_read(const RapierWorld *world, SimBody *out);
void rapier_close(RapierWorld *world);

#endif
