/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The penalty model: a spring along the shortest way out of the overlap, which jumps from face to face. Its stiffness
 * is the pressure times the size of the smaller shape. Shapes are convex; a surface counts as its hull.
 */
#include "literature/dynamics/models.h"

#include "dynamics/pressure.h"

#include <string.h>

static int spring(const AbutSimulation *sim, const AbutSolverContact *c, AbutPressure *out) {
    const AbutScene *scene = sim->scene;
    AbutPose pose = abut_contact_shape_pose(scene, c->touch->shape_a, c->touch->shape_b);
    const AbutGrownBody *piece = abut_grown_piece(&sim->shapes.grown, c->touch->shape_a, c->touch->pair);
    AbutConvex a = piece ? piece->body : abut_geometry_convex(scene->shape[c->touch->shape_a].def.geometry),
               b = abut_geometry_convex(scene->shape[c->touch->shape_b].def.geometry);
    AbutGap d = abut_convex_distance(&a, &b, pose, NULL, NULL);
    double stiffness = sim->pressure->law.pressure * abut_contact_size(sim, c), depth = -d.distance;
    memset(out, 0, sizeof *out);
    if (!(depth > 0.0)) return 0;
    out->center = abut_lerp(d.point_a, d.point_b, 0.5);
    out->load = stiffness * depth;
    out->force = abut_scale(d.normal, out->load);
    out->torque = abut_cross(abut_sub(out->center, pose.p), out->force);
    out->nearest = -depth;
    out->point_count = 1;
    out->point[0] = (struct AbutPressurePoint){out->center, out->force, d.normal, out->load, stiffness};
    return 1;
}

static int build_penalty(AbutSimulation *sim, AbutSolverContact *c, int worker) {
    return abut_pressed_build(sim, c, worker, spring);
}

static AbutStatus settle_penalty(AbutSimulation *sim, AbutError *error) { return abut_pressure_settle(sim, 0, error); }

const AbutContactModel abut_contact_model_penalty = {.name = "penalty",
    .number = ABUT_CONTACT_MODEL_PENALTY,
    .keeps = 1,
    .begin = abut_pressed_begin,
    .visit = abut_pressed_visit,
    .settle = settle_penalty,
    .build = build_penalty,
    .longest = abut_pressed_longest};
