/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Movers: the seam between the simulation and what moves. Contacts, islands, models and continuous motion see a body
 * as its mover; a contact asks for a relative velocity, gives an impulse, and knows its response. Movers are loaded
 * from the bodies of the scene at the start of a step, and their velocities go back after the solve.
 *
 * Signs and axes are those of contact.h.
 */
#ifndef ABUT_DYNAMICS_MOVER_H
#define ABUT_DYNAMICS_MOVER_H

#include "dynamics/sim.h"

/* How far a body has gone, never less than that: its center of mass, and how much it has turned. A point that is `r`
 * from the center has moved by no more than moved + r turned. Read from the true poses, whoever changed them. */
typedef struct AbutOdometer {
    double moved, turned;
    AbutVec3 x; /* where it was read last */
    AbutQuat q;
} AbutOdometer;

struct AbutSolverBody {
    AbutVec3 v, w;        /* velocity of the center of mass, angular velocity; world axes */
    double inv_mass;      /* 0: not moved by forces */
    AbutMat3 inv_inertia; /* about the center of mass, world axes */
    double rest_time;     /* how long it has been slow */
    double motion_part;   /* of the step: below 1 when it would pass through another */
    double reach;         /* of its shapes, from the center of mass; those without an end left out */
    AbutBodyKind kind;
    int32_t alive, asleep, island, never_sleeps; /* island -1: none */
    int32_t number;                              /* in the Newton step of its island */
    int32_t level;                               /* of the contacts that come next (island.c) */
    int32_t slept;                               /* asleep at the end of the last step, as told by events */
    int32_t tree;                                /* of a link: its robot's tree; else -1 */
    AbutVec3 start_v, start_w;                   /* velocities before the step: restitution, friction state */
    AbutVec3 free_v, free_w;                     /* after gravity and forces, before the impulses of contacts */
    AbutVec3 x;                                  /* center of mass */
    AbutQuat q;                                  /* body axes to world */
    AbutMat3 rotation;                           /* the same as a matrix */
    double size;                                 /* of its largest shape */
    uint32_t locked;                             /* axes of the world */
    int32_t mark;                                /* of the last sum over the bodies of its island */
    AbutVec3 along, about;                       /* 1 for an axis that is free, 0 for one that is locked */
    AbutVec3 force, torque;                      /* that push it from outside, at its center of mass; world axes */
    uint32_t generation, disturbed;              /* of the body when it was loaded */
    uint32_t revision;                           /* of the scene, plus one, when the inertia was computed; 0: never */
    int32_t guarded;                             /* 1: its island was, in this step */
    AbutVec3 shove_v, shove_w;                   /* of a guarded island: for this step alone (guard.c) */
    AbutOdometer odometer;
};

/* Room for a mover of each body; 0: no memory. */
int abut_movers_reserve(AbutSimulation *sim);

/* Poses, velocities and masses of the bodies; those that were disturbed since wake up. */
void abut_movers_load(AbutSimulation *sim);

/* A mover of another body than last time begins anew; one that was disturbed wakes. */
void abut_mover_follow(AbutSolverBody *mover, const AbutBody *body);

/* Rotation and inertia of a mover whose body has turned. */
void abut_mover_turned(AbutSolverBody *mover, const AbutBody *body);

AbutMat3 abut_mover_inertia(const AbutSimulation *sim, int32_t place); /* about the center of mass, world axes */

void abut_body_advance(AbutBody *body, AbutSolverBody *mover, double h); /* by its velocities (step/advance.c) */

/* Pose of a shape when its body has moved on for time t. */
AbutPose abut_shape_pose_after(const AbutSolverBody *body, const AbutShape *shape, double t);

/* Velocities to the bodies. */
void abut_movers_store(AbutSimulation *sim);

/* Velocity of B relative to A when they move with (va, wa) and (vb, wb), in the contact frame. */
static inline void abut_contact_relative(
    const AbutSolverContact *c, AbutVec3 va, AbutVec3 wa, AbutVec3 vb, AbutVec3 wb, double u[6]) {
    AbutVec3 w = abut_sub(wb, wa);
    AbutVec3 v = abut_sub(abut_add(vb, abut_cross(wb, c->rb)), abut_add(va, abut_cross(wa, c->ra)));
    u[0] = abut_dot(c->e1, v);
    u[1] = abut_dot(c->e2, v);
    u[2] = abut_dot(c->nu, v);
    u[3] = abut_dot(c->e1, w);
    u[4] = abut_dot(c->e2, w);
    u[5] = abut_dot(c->nu, w);
}

/* For contacts with links (tree_columns.c). */
void abut_contact_link_velocity(const AbutSimulation *sim, const AbutSolverContact *c, double u[6]);
void abut_contact_link_apply(const AbutSimulation *sim, const AbutSolverContact *c, const double f[6]);

/* The velocities of the surfaces against their bodies. */
static inline void abut_contact_add_surface(const AbutSolverContact *c, double u[6]) {
    if (c->moving) {
        u[0] += c->surface[0];
        u[1] += c->surface[1];
    }
}

/* As above, now, with that of the surfaces. */
static inline void abut_contact_velocity(const AbutSimulation *sim, const AbutSolverContact *c, double u[6]) {
    if (c->link_sides) {
        abut_contact_link_velocity(sim, c, u);
    } else {
        const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
        abut_contact_relative(c, a->v, a->w, b->v, b->w, u);
    }
    abut_contact_add_surface(c, u);
}

/* As above, before the step, with `kick` added to what forces move. */
static inline void abut_contact_start_velocity(
    const AbutSimulation *sim, const AbutSolverContact *c, AbutVec3 kick, double u[6]) {
    const AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    AbutVec3 va = abut_add(a->start_v, a->inv_mass > 0.0 ? kick : abut_zero()), vb = abut_add(b->start_v, kick);
    abut_contact_relative(c, va, a->start_w, vb, b->start_w, u);
    abut_contact_add_surface(c, u);
}

/* The remainder of a force. */
static inline AbutVec3 abut_mover_free(const AbutSolverBody *m, AbutVec3 force) {
    return m->locked ? abut_mul(force, m->along) : force;
}

/* An impulse at r from the center of mass. */
static inline void abut_mover_push(AbutSolverBody *m, AbutVec3 r, AbutVec3 force, AbutVec3 torque) {
    if (m->inv_mass > 0.0) {
        m->v = abut_add_scaled(m->v, abut_mover_free(m, force), m->inv_mass);
        m->w = abut_add(m->w, abut_mat3_apply(m->inv_inertia, abut_add(torque, abut_cross(r, force))));
    }
}

/* An impulse on B, and its opposite on A. */
static inline void abut_contact_apply(const AbutSimulation *sim, const AbutSolverContact *c, const double f[6]) {
    if (c->link_sides) {
        abut_contact_link_apply(sim, c, f);
        return;
    }
    AbutSolverBody *a = &sim->mover[c->body_a], *b = &sim->mover[c->body_b];
    AbutVec3 force = abut_add(abut_add(abut_scale(c->e1, f[0]), abut_scale(c->e2, f[1])), abut_scale(c->nu, f[2]));
    AbutVec3 torque = abut_add(abut_add(abut_scale(c->e1, f[3]), abut_scale(c->e2, f[4])), abut_scale(c->nu, f[5]));
    b->v = abut_add_scaled(b->v, abut_mover_free(b, force), b->inv_mass);
    b->w = abut_add(b->w, abut_mat3_apply(b->inv_inertia, abut_add(torque, abut_cross(c->rb, force))));
    if (a->inv_mass > 0.0) {
        a->v = abut_add_scaled(a->v, abut_mover_free(a, force), -a->inv_mass);
        a->w = abut_sub(a->w, abut_mat3_apply(a->inv_inertia, abut_add(torque, abut_cross(c->ra, force))));
    }
}

/* Does a vertex that moves with `speed` along the normal reach the surface in this step? Meshes are looked at from
 * afar.
 */
static inline int abut_contact_closes(const AbutSimulation *sim, const AbutSolverContact *c, int i, double speed) {
    const AbutTouch *t = c->touch;
    return !t->mesh || t->margins - t->vertex[i].thickness <= -speed * sim->constants.dt;
}

/* Free bodies without locks, surfaces that stand still, no torques: what lanes and visits of two take. */
static inline int abut_contact_is_plain(const AbutSimulation *sim, const AbutSolverContact *c) {
    return !c->link_sides && !c->moving && !abut_contact_resists_spin(c) && !sim->mover[c->body_a].locked &&
           !sim->mover[c->body_b].locked;
}

/* visit_two.c: visits of two plain contacts that share no body that moves; gives the larger change, squared. */
double abut_visit_two(AbutSimulation *sim, AbutSolverContact *p, AbutSolverContact *q, int backward);

/* A force at a point of the contact frame: its wrench; the velocity of the point when the contact moves with u. */
static inline void abut_point_wrench(AbutVec3 p, AbutVec3 f, double w[6]) {
    AbutVec3 t = abut_cross(p, f);
    w[0] += f.x, w[1] += f.y, w[2] += f.z;
    w[3] += t.x, w[4] += t.y, w[5] += t.z;
}

static inline AbutVec3 abut_point_velocity(AbutVec3 p, const double u[6]) {
    return abut_add(abut_vec3(u[0], u[1], u[2]), abut_cross(abut_vec3(u[3], u[4], u[5]), p));
}

/* Adds the change of the contact velocity by an impulse f at p to u, and its wrench to `wrench`, which may be NULL. */
static inline void abut_point_add(const AbutSolverContact *c, AbutVec3 p, AbutVec3 f, double u[6], double *wrench) {
    double w[6] = {0, 0, 0, 0, 0, 0};
    abut_point_wrench(p, f, w);
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) u[i] += c->touch->phi[i][j] * w[j];
    for (int i = 0; i < 6 && wrench; ++i) wrench[i] += w[i];
}

/* Velocity along d at p for a unit impulse along d there. */
static inline double abut_point_response(const AbutSolverContact *c, AbutVec3 p, AbutVec3 d) {
    double u[6] = {0, 0, 0, 0, 0, 0};
    abut_point_add(c, p, d, u, NULL);
    return abut_dot(d, abut_point_velocity(p, u));
}

/* Impulse of a vertex, as a world vector; its place and normal in the frame of A. */
typedef struct AbutOldVertex {
    AbutVec3 place, normal, impulse;
    double last_n;
} AbutOldVertex;

/* Those of the vertices that a contact has; gives their number. Then: no impulse pulls, and friction keeps its limit.
 */
int abut_contact_old(const AbutSolverContact *contact, const AbutSolverBody *a, AbutOldVertex *old);
void abut_contact_limit_impulses(AbutSolverContact *contact);

/* A contact with the geometry of this patch, and without impulses; 0: no memory. */
int abut_contact_place(
    AbutSimulation *sim, AbutSolverContact *contact, const AbutPatch *patch, double margins, int worker);

/* Fills phi: change of the contact velocity by a unit impulse at the centroid. */
void abut_contact_set_response(const AbutSimulation *sim, AbutSolverContact *c);
void abut_add_response(
    double phi[6][6], const AbutMat3 *frame, const AbutSolverBody *mover, AbutVec3 arm); /* of one side */

/* Pose of B in A. */
static inline void abut_contact_pose(
    const AbutSolverBody *a, const AbutSolverBody *b, AbutMat3 *rotation, AbutVec3 *position) {
    *rotation = abut_mat3_mul_t(a->rotation, b->rotation);
    *position = abut_mat3_apply_t(a->rotation, abut_sub(b->x, a->x));
}

#endif
