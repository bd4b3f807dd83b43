/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private: for which s do two triangles meet when the second is moved by s along the first axis? Parts without
 * branches, used one pair at a time (sweep.c) and eight at a time (sweep_walk.inc), so that both give the same bits.
 *
 * The Minkowski difference of two triangles is convex, so that s fills one interval. Seen along the axis its ends are
 * where a corner of one lies over the face of the other, or where two sides cross. Corners and crossings count a little
 * beyond the ends (ABUT_SWEEP_OVER): intervals come out too long rather than too short. Faces and pairs of sides that
 * are seen edge-on are left out; their ends are found by their neighbors.
 */
#ifndef ABUT_MESH_SWEEP_PAIR_H
#define ABUT_MESH_SWEEP_PAIR_H

#include "mesh/tolerance.h"
#include "mesh/triangle_pair.h"

/* A triangle seen along the first axis. */
typedef struct AbutSweepFace {
    AbutVec3 p0, p1, p2;
    double y0, z0, y1, z1, y2, z2; /* sides */
    double sign, inverse, slack;   /* of the area; slack: -1e300 where it is seen edge-on */
    double good;
} AbutSweepFace;

ABUT_TRIANGLE_PART AbutSweepFace abut_sweep_face(AbutVec3 p0, AbutVec3 p1, AbutVec3 p2) {
    AbutSweepFace f;
    f.p0 = p0, f.p1 = p1, f.p2 = p2;
    f.y0 = p1.y - p0.y, f.z0 = p1.z - p0.z;
    f.y1 = p2.y - p1.y, f.z1 = p2.z - p1.z;
    f.y2 = p0.y - p2.y, f.z2 = p0.z - p2.z;
    double area = f.y0 * f.z1 - f.z0 * f.y1;
    f.sign = area > 0.0 ? 1.0 : -1.0;
    area *= f.sign;
    double squares = (f.y0 * f.y0 + f.z0 * f.z0) + (f.y1 * f.y1 + f.z1 * f.z1);
    f.good = area > ABUT_SWEEP_EDGE_ON * squares ? 1.0 : 0.0;
    f.inverse = 1.0 / (f.good > 0.0 ? area : 1.0);
    f.slack = -ABUT_SWEEP_OVER * area;
    return f;
}

/* First coordinate of the face over the point p; *hit is 1 where p lies over it, else 0. */
ABUT_TRIANGLE_PART double abut_sweep_over(const AbutSweepFace *f, AbutVec3 p, double *hit) {
    double e0 = f->sign * (f->y0 * (p.z - f->p0.z) - f->z0 * (p.y - f->p0.y));
    double e1 = f->sign * (f->y1 * (p.z - f->p1.z) - f->z1 * (p.y - f->p1.y));
    double e2 = f->sign * (f->y2 * (p.z - f->p2.z) - f->z2 * (p.y - f->p2.y));
    double least = e0 < e1 ? e0 : e1;
    least = least < e2 ? least : e2;
    *hit = least >= f->slack ? f->good : 0.0;
    return (e1 * f->p0.x + e2 * f->p1.x + e0 * f->p2.x) * f->inverse;
}

/* First coordinate of side a minus that of side b where they cross; *hit is 1 where they do, else 0. */
ABUT_TRIANGLE_PART double abut_sweep_sides(AbutVec3 a, AbutVec3 a_end, AbutVec3 b, AbutVec3 b_end, double *hit) {
    double ax = a_end.x - a.x, ay = a_end.y - a.y, az = a_end.z - a.z;
    double bx = b_end.x - b.x, by = b_end.y - b.y, bz = b_end.z - b.z;
    double den = ay * bz - az * by, ry = b.y - a.y, rz = b.z - a.z, sign = den > 0.0 ? 1.0 : -1.0;
    den *= sign;
    double p = (ry * bz - rz * by) * sign, q = (ry * az - rz * ay) * sign, slack = ABUT_SWEEP_OVER * den;
    double least = p < q ? p : q, most = p > q ? p : q;
    double edge_on = ABUT_SWEEP_EDGE_ON * ((ay * ay + az * az) + (by * by + bz * bz));
    double good = den > edge_on ? 1.0 : 0.0, inverse = 1.0 / (good > 0.0 ? den : 1.0);
    good = least >= -slack ? good : 0.0;
    *hit = most <= den + slack ? good : 0.0;
    return (a.x + p * inverse * ax) - (b.x + q * inverse * bx);
}

#endif
