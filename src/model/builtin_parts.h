/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes that built-in scenes are made of: threads, holes, gears, handles. Closed and outward; lengths in meters. */
#ifndef ABUT_MODEL_BUILTIN_PARTS_H
#define ABUT_MODEL_BUILTIN_PARTS_H

#include "abut/shape.h"

/* A point of an outline about the z axis. */
typedef struct AbutTurnedPoint {
    double radius, height;
} AbutTurnedPoint;

/* An outline turned about the z axis, counter-clockwise with the radius to the right and the height up, in `sides`
 * planes, the first of them turned by `turned` of an angle between two. No point lies on the axis, but the first and
 * the last may: the solid is closed there. */
AbutStatus abut_part_turned(
    const AbutTurnedPoint *outline, int count, int sides, double turned, AbutMesh *out, AbutError *error);

enum { ABUT_THREAD_POINTS = 4 };

/*
 * A metric thread about the z axis: right-handed, basic profile with flanks of 30 degrees. From z = 0 upwards. A nut is
 * a ring of the outer radius `outer` with the thread inside; 0: a bolt. `clearance` moves the profile outwards.
 */
typedef struct AbutThread {
    double diameter, pitch, clearance, outer;
    int turns, sides;
} AbutThread;

AbutStatus abut_part_thread(const AbutThread *thread, AbutMesh *out, AbutError *error);

/* A spur gear about the z axis with involute flanks of 20 degrees, each of so many points; `thin` is taken off the
 * thickness of the teeth at the pitch circle. A tooth lies on the x axis. */
typedef struct AbutGear {
    int teeth, points;
    double module, width, thin;
} AbutGear;

AbutStatus abut_part_gear(const AbutGear *gear, AbutMesh *out, AbutError *error);

/* Half a torus in the x-z plane, with its ends on x = 0. */
AbutStatus abut_part_handle(double ring, double tube, int along, int around, AbutMesh *out, AbutError *error);

#endif
