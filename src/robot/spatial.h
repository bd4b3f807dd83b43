/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spatial vectors (angular, linear) along world axes, all about one point O. Motions: angular velocity and velocity of
 * the body's point at O. Forces: torque about O and force. Inertias about O are ten numbers that add up.
 * R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 2.
 */
#ifndef ABUT_ROBOT_SPATIAL_H
#define ABUT_ROBOT_SPATIAL_H

#include "abut/math.h"

typedef struct AbutSpatial {
    AbutVec3 w, l;
} AbutSpatial;

typedef struct AbutInertia {
    double m;
    AbutVec3 h; /* mass times center */
    double xx, yy, zz, xy, xz, yz;
} AbutInertia;

static inline AbutSpatial abut_spatial(AbutVec3 w, AbutVec3 l) {
    AbutSpatial s = {w, l};
    return s;
}

static inline AbutSpatial abut_spatial_zero(void) { return abut_spatial(abut_zero(), abut_zero()); }

static inline AbutSpatial abut_spatial_add(AbutSpatial a, AbutSpatial b) {
    return abut_spatial(abut_add(a.w, b.w), abut_add(a.l, b.l));
}

/* a + s b */
static inline AbutSpatial abut_spatial_add_scaled(AbutSpatial a, AbutSpatial b, double s) {
    return abut_spatial(abut_add_scaled(a.w, b.w, s), abut_add_scaled(a.l, b.l, s));
}

static inline double abut_spatial_dot(AbutSpatial a, AbutSpatial b) { return abut_dot(a.w, b.w) + abut_dot(a.l, b.l); }

/* Rate of change of the motion x when it moves with v. */
static inline AbutSpatial abut_cross_motion(AbutSpatial v, AbutSpatial x) {
    return abut_spatial(abut_cross(v.w, x.w), abut_add(abut_cross(v.w, x.l), abut_cross(v.l, x.w)));
}

/* Rate of change of the force f when it moves with v. */
static inline AbutSpatial abut_cross_force(AbutSpatial v, AbutSpatial f) {
    return abut_spatial(abut_add(abut_cross(v.w, f.w), abut_cross(v.l, f.l)), abut_cross(v.w, f.l));
}

/* Momentum of the motion v. */
static inline AbutSpatial abut_inertia_apply(const AbutInertia *i, AbutSpatial v) {
    AbutVec3 turn = abut_vec3(i->xx * v.w.x + i->xy * v.w.y + i->xz * v.w.z,
        i->xy * v.w.x + i->yy * v.w.y + i->yz * v.w.z, i->xz * v.w.x + i->yz * v.w.y + i->zz * v.w.z);
    return abut_spatial(abut_add(turn, abut_cross(i->h, v.l)), abut_add(abut_scale(v.l, i->m), abut_cross(v.w, i->h)));
}

static inline void abut_inertia_add(AbutInertia *to, const AbutInertia *i) {
    to->m += i->m;
    to->h = abut_add(to->h, i->h);
    to->xx += i->xx, to->yy += i->yy, to->zz += i->zz;
    to->xy += i->xy, to->xz += i->xz, to->yz += i->yz;
}

#endif
