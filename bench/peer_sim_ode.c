/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ODE as a simulator: boxes, balls and capsules on a plane, QuickStep, world settings at their defaults. Friction is
 * the pyramid that depends on the normal force (dContactApprox1): without it ODE takes mu for a force.
 */
#include "bench/sim_engine.h"

#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR_CONTACTS = 8 };

typedef struct GroundContact {
    dJointFeedback feedback;
    dVector3 normal;
    int part, box_first; /* the box is body 1 of the joint */
} GroundContact;

typedef struct State {
    int count, pairs;
    double friction;
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    dGeomID ground;
    dBodyID *body;
    GroundContact *touch;
    int touch_count, touch_most;
} State;

static int part_of(dBodyID body) { return (int)(intptr_t)dBodyGetData(body); }

/* Keeps the force of a joint with the ground for reading after the step. */
static void watch_ground(State *state, dJointID joint, dBodyID box, int box_first, const dContact *contact) {
    if (state->touch_count == state->touch_most) return;
    GroundContact *touch = &state->touch[state->touch_count++];
    touch->part = part_of(box);
    touch->box_first = box_first;
    memcpy(touch->normal, contact->geom.normal, sizeof touch->normal);
    dJointSetFeedback(joint, &touch->feedback);
}

static void collide(void *user, dGeomID a, dGeomID b) {
    State *state = user;
    dContact contact[PAIR_CONTACTS];
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b) return; /* two walls */
    int count = dCollide(a, b, PAIR_CONTACTS, &contact[0].geom, sizeof contact[0]);
    state->pairs += count > 0;
    for (int i = 0; i < count; ++i) {
        memset(&contact[i].surface, 0, sizeof contact[i].surface);
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = state->friction;
        dJointID joint = dJointCreateContact(state->world, state->joints, &contact[i]);
        dJointAttach(joint, body_a, body_b);
        if (a == state->ground || b == state->ground)
            watch_ground(state, joint, body_a ? body_a : body_b, body_a != 0, &contact[i]);
    }
}

/* NULL: ODE has no such shape, or collides it badly (hulls, cylinders). */
static dGeomID make_geom(dSpaceID space, const SimScene *scene, int number, dMass *mass) {
    AbutVec3 size = sim_shape(scene, number)->form.size;
    double total = sim_body(scene, number)->mass;
    switch (sim_shape(scene, number)->form.kind) {
    case ABUT_SHAPE_BOX:
        dMassSetBoxTotal(mass, total, 2.0 * size.x, 2.0 * size.y, 2.0 * size.z);
        return dCreateBox(space, 2.0 * size.x, 2.0 * size.y, 2.0 * size.z);
    case ABUT_SHAPE_SPHERE:
        dMassSetSphereTotal(mass, total, size.x);
        return dCreateSphere(space, size.x);
    case ABUT_SHAPE_CAPSULE:
        dMassSetCapsuleTotal(mass, total, 3, size.x, 2.0 * size.z);
        return dCreateCapsule(space, size.x, 2.0 * size.z);
    default:
        return NULL;
    }
}

static dBodyID make_body(State *state, const SimScene *scene, int number) {
    AbutPose pose = sim_start(scene, number);
    dMass mass;
    dBodyID body = dBodyCreate(state->world);
    dGeomID geom = make_geom(state->space, scene, number, &mass);
    dQuaternion q = {pose.q.w, pose.q.x, pose.q.y, pose.q.z};
    dBodySetMass(body, &mass);
    dBodySetPosition(body, pose.p.x, pose.p.y, pose.p.z);
    dBodySetQuaternion(body, q);
    dBodySetData(body, (void *)(intptr_t)number);
    dGeomSetBody(geom, body);
    return body;
}

static void add_walls(State *state, const SimScene *scene) {
    for (int i = 0; i < scene->wall_count; ++i) {
        AbutPose pose = scene->wall[i].pose;
        AbutVec3 half = scene->wall[i].half;
        dGeomID geom = dCreateBox(state->space, 2.0 * half.x, 2.0 * half.y, 2.0 * half.z);
        dQuaternion q = {pose.q.w, pose.q.x, pose.q.y, pose.q.z};
        dGeomSetPosition(geom, pose.p.x, pose.p.y, pose.p.z);
        dGeomSetQuaternion(geom, q);
    }
}

static int offers(const SimScene *scene) {
    for (int i = 0; i < scene->count; ++i) {
        AbutShapeKind kind = sim_shape(scene, i)->form.kind;
        if (kind != ABUT_SHAPE_BOX && kind != ABUT_SHAPE_SPHERE && kind != ABUT_SHAPE_CAPSULE) return 0;
    }
    return 1;
}

static void *open_state(const SimScene *scene, double dt, int threads) {
    (void)dt;
    if (threads != 1 || !offers(scene)) return NULL;
    dInitODE2(0);
    dRandSetSeed(1); /* QuickStep shuffles its rows */
    State *state = bench_memory(1, sizeof *state);
    AbutVec3 n = scene->ground.normal;
    state->count = scene->count;
    state->friction = scene->friction;
    state->world = dWorldCreate();
    state->space = dHashSpaceCreate(0);
    state->joints = dJointGroupCreate(0);
    state->ground = dCreatePlane(state->space, n.x, n.y, n.z, scene->ground.offset);
    state->body = bench_memory((size_t)scene->count, sizeof *state->body);
    state->touch_most = PAIR_CONTACTS * scene->count;
    state->touch = bench_memory((size_t)state->touch_most, sizeof *state->touch);
    dWorldSetGravity(state->world, scene->gravity.x, scene->gravity.y, scene->gravity.z);
    for (int i = 0; i < scene->count; ++i) state->body[i] = make_body(state, scene, i);
    add_walls(state, scene);
    return state;
}

static int step(void *user, double dt) {
    State *state = user;
    state->pairs = state->touch_count = 0;
    dJointGroupEmpty(state->joints);
    dSpaceCollide(state->space, state, collide);
    return dWorldQuickStep(state->world, dt);
}

static void info(void *user, SimStep *out) { out->pairs = ((State *)user)->pairs; }

static AbutVec3 vec(const dReal *v) { return abut_vec3(v[0], v[1], v[2]); }

static void read_bodies(void *user, SimBody *body) {
    State *state = user;
    for (int i = 0; i < state->count; ++i) {
        const dReal *q = dBodyGetQuaternion(state->body[i]);
        SimBody out = {abut_pose(vec(dBodyGetPosition(state->body[i])), abut_quat(q[0], q[1], q[2], q[3])),
            vec(dBodyGetLinearVel(state->body[i])), vec(dBodyGetAngularVel(state->body[i])), 0.0};
        body[i] = out;
    }
    for (int i = 0; i < state->touch_count; ++i) {
        const GroundContact *t = &state->touch[i];
        AbutVec3 force = vec(t->box_first ? t->feedback.f1 : t->feedback.f2);
        /* the normal points into the first geom */
        body[t->part].ground_force += (t->box_first ? 1.0 : -1.0) * abut_dot(force, vec(t->normal));
    }
}

static void close_state(void *user) {
    State *state = user;
    dJointGroupDestroy(state->joints);
    dSpaceDestroy(state->space);
    dWorldDestroy(state->world);
    free(state->body);
    free(state->touch);
    free(state);
    dCloseODE();
}

const SimEngine sim_ode = {"ODE QuickStep", 0, 0, open_state, step, info, read_bodies, close_state};
