/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenes of parts that fit into each other, with hollow bodies as meshes: a nut on its bolt, a peg in its hole, gears,
 * a chain, mugs, rings over a post. Shapes keep their mesh, so that contact by features takes them as they are.
 */
#include "math/functions.h"
#include "model/builtin_parts.h"
#include "model/builtin_scene.h"

#include <stdio.h>

static const double STEEL = 7850.0, CLAY = 2400.0;

static AbutPose at(double x, double y, double z) { return abut_pose(abut_vec3(x, y, z), abut_quat_identity()); }

static AbutPose turned(AbutPose pose, AbutVec3 axis, double angle) {
    pose.q = abut_quat_mul(abut_quat_axis_angle(abut_normalize(axis), angle), pose.q);
    return pose;
}

/* Adds a mesh as a shape of a body, and frees it. */
static AbutStatus add_mesh(AbutBuild *build, const AbutShapeDef *given, AbutMesh *mesh) {
    AbutShapeDef shape = *given;
    AbutHullDef def = {.solid_only = 1};
    AbutPolyhedron *hull = NULL;
    AbutStatus status = abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, &def, &hull, build->error);
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    shape.form.polyhedron = hull;
    shape.form.surface = mesh;
    if (status == ABUT_OK) status = abut_model_add_shape(build->model, &shape, NULL, build->error);
    abut_polyhedron_free(hull);
    abut_mesh_free(mesh);
    return status;
}

static AbutShapeDef steel(double friction) {
    AbutShapeDef shape = abut_shape_default();
    shape.density = STEEL;
    shape.material.friction = friction;
    return shape;
}

/* A body with one mesh, which is freed; `made` is what making it said. */
static AbutStatus add_body(AbutBuild *build, AbutStatus made, AbutBodyKind kind, const char *name, AbutPose pose,
    double friction, AbutMesh *mesh) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = steel(friction);
    body.kind = kind;
    body.name = name;
    body.pose = pose;
    if (made == ABUT_OK) made = abut_model_add_body(build->model, &body, &shape.body, build->error);
    if (made == ABUT_OK) return add_mesh(build, &shape, mesh);
    abut_mesh_free(mesh);
    return made;
}

/* ---- nut, peg, gears --------------------------------------------------------------------------------------------- */

/* M20 x 2.5 with 0.1 mm of radial clearance. Numbers of planes without a common divisor: else facets lock. */
AbutStatus abut_build_nut(AbutBuild *build) {
    AbutThread bolt = {20e-3, 2.5e-3, 0.0, 0.0, 16, 64}, nut = {20e-3, 2.5e-3, 0.1e-3, 15e-3, 6, 61};
    AbutMesh mesh = {0};
    AbutStatus status = abut_part_thread(&bolt, &mesh, build->error);
    status = add_body(build, status, ABUT_BODY_STATIC, "bolt", abut_pose_identity(), build->number, &mesh);
    if (status == ABUT_OK) {
        status = abut_part_thread(&nut, &mesh, build->error);
        status = add_body(
            build, status, ABUT_BODY_DYNAMIC, "nut", at(0.0, 0.0, 6.0 * nut.pitch + 0.02e-3), build->number, &mesh);
    }
    build->model->time = 0.5;
    return status;
}

AbutStatus abut_build_peg(AbutBuild *build) {
    enum { SIDES = 64 };
    const double height = 40e-3, half = 30e-3, radius = 10e-3, hole = (radius + 0.05e-3) / abut_cos(ABUT_PI / SIDES);
    const AbutTurnedPoint ring[] = {
        {hole, 0.0}, {30e-3, 0.0}, {30e-3, height}, {hole + 1e-3, height}, {hole, height - 1e-3}};
    const AbutTurnedPoint rod[] = {
        {0.0, -half}, {radius - 0.5e-3, -half}, {radius, -half + 0.5e-3}, {radius, half}, {0.0, half}};
    AbutPose pose = turned(at(0.3e-3, 0.0, height + half + 1e-3), abut_vec3(0.3, 1.0, 0.0), 0.02);
    AbutMesh mesh = {0};
    ABUT_TRY(abut_build_ground(build, abut_pose_identity(), 0.1));
    AbutStatus status = abut_part_turned(ring, 5, SIDES, 0.5, &mesh, build->error);
    status = add_body(build, status, ABUT_BODY_STATIC, "hole", abut_pose_identity(), 0.1, &mesh);
    if (status == ABUT_OK) {
        status = abut_part_turned(rod, 5, SIDES, 0.0, &mesh, build->error);
        status = add_body(build, status, ABUT_BODY_DYNAMIC, "peg", pose, 0.1, &mesh);
    }
    build->model->time = 0.6;
    return status;
}

/* The driven gear turns on a hinge with damping. */
static AbutStatus add_driven(AbutBuild *build, const AbutGear *gear, AbutPose pose) {
    AbutJointDef joint = abut_joint_default();
    AbutMesh mesh = {0};
    AbutStatus status = abut_part_gear(gear, &mesh, build->error);
    status = add_body(build, status, ABUT_BODY_LINK, "driven", pose, 0.1, &mesh);
    joint.name = "driven";
    joint.body = build->model->body_count - 1;
    joint.damping = 5e-3;
    return status == ABUT_OK ? abut_model_add_joint(build->model, &joint, NULL, build->error) : status;
}

AbutStatus abut_build_gears(AbutBuild *build) {
    AbutGear gear = {20, 13, 2e-3, 10e-3, 0.05e-3};
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = steel(0.1);
    AbutMesh mesh = {0};
    body.kind = ABUT_BODY_KINEMATIC;
    body.name = "driver";
    body.spin = abut_vec3(0.0, 0.0, build->number);
    ABUT_TRY(abut_part_gear(&gear, &mesh, build->error));
    AbutStatus status = abut_model_add_body(build->model, &body, &shape.body, build->error);
    if (status == ABUT_OK) status = add_mesh(build, &shape, &mesh);
    abut_mesh_free(&mesh);
    double distance = gear.module * gear.teeth;
    AbutPose pose = turned(at(distance, 0.0, 0.0), abut_axis(2), ABUT_PI + ABUT_PI / gear.teeth);
    build->model->time = 2.0;
    return status == ABUT_OK ? add_driven(build, &gear, pose) : status;
}

/* ---- chain, rings, mugs ------------------------------------------------------------------------------------------ */

static AbutStatus make_torus(double ring, double tube, AbutMesh *out, AbutError *error) {
    const double sizes[2] = {ring, tube};
    return abut_mesh_make("torus", 1536, sizes, out, error);
}

/* The first link is held. */
AbutStatus abut_build_chain(AbutBuild *build) {
    const double ring = 30e-3, tube = 6e-3;
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < (int)build->number && status == ABUT_OK; ++i) {
        AbutMesh mesh = {0};
        char name[24];
        AbutPose pose = turned(turned(at(0.0, 0.0, -i * (2.0 * (ring - tube) + 0.15e-3)), abut_axis(0), 0.5 * ABUT_PI),
            abut_axis(2), i & 1 ? 0.5 * ABUT_PI : 0.0);
        pose.q = abut_quat_mul(pose.q, abut_quat_axis_angle(abut_axis(2), 0.01 * (i + 1)));
        snprintf(name, sizeof name, "%s%d", "link", i);
        status = make_torus(ring, tube, &mesh, build->error);
        status = add_body(build, status, i ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC, name, pose, 0.3, &mesh);
    }
    build->model->time = 1.0;
    return status;
}

AbutStatus abut_build_rings(AbutBuild *build) {
    AbutBodyDef post = abut_body_default();
    AbutShapeDef shape = steel(0.3);
    ABUT_TRY(abut_build_ground(build, abut_pose_identity(), 0.3));
    post.kind = ABUT_BODY_STATIC;
    post.pose = at(0.0, 0.0, 0.1);
    shape.form.kind = ABUT_SHAPE_CYLINDER;
    shape.form.size = abut_vec3(15e-3, 0.0, 0.1);
    AbutStatus status = abut_build_body(build, &post, &shape, "post", -1);
    for (int i = 0; i < (int)build->number && status == ABUT_OK; ++i) {
        AbutMesh mesh = {0};
        char name[24];
        AbutPose pose = turned(at(5e-3 * abut_cos(i), 5e-3 * abut_sin(i), 0.22 + 0.05 * i), abut_axis(i & 1), 0.15);
        snprintf(name, sizeof name, "%s%d", "ring", i);
        status = make_torus(40e-3, 8e-3, &mesh, build->error);
        status = add_body(build, status, ABUT_BODY_DYNAMIC, name, pose, 0.3, &mesh);
    }
    build->model->time = 2.0;
    return status;
}

/* A cup with a handle, whose ends lie in its wall. */
static AbutStatus add_mug(AbutBuild *build, AbutPose pose, int number) {
    const AbutTurnedPoint wall[] = {
        {0.0, 0.0}, {36e-3, 0.0}, {40e-3, 4e-3}, {40e-3, 90e-3}, {36e-3, 90e-3}, {36e-3, 5e-3}, {0.0, 5e-3}};
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = steel(0.5);
    AbutMesh mesh = {0};
    char name[24];
    snprintf(name, sizeof name, "%s%d", "mug", number);
    body.name = name;
    body.pose = pose;
    shape.density = CLAY;
    ABUT_TRY(abut_model_add_body(build->model, &body, &shape.body, build->error));
    ABUT_TRY(abut_part_turned(wall, 7, 32, 0.0, &mesh, build->error));
    ABUT_TRY(add_mesh(build, &shape, &mesh));
    ABUT_TRY(abut_part_handle(25e-3, 5e-3, 16, 12, &mesh, build->error));
    shape.pose = at(38e-3, 0.0, 45e-3);
    return add_mesh(build, &shape, &mesh);
}

AbutStatus abut_build_mugs(AbutBuild *build) {
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), ABUT_DEFAULT_FRICTION);
    for (int i = 0; i < (int)build->number && status == ABUT_OK; ++i)
        status = add_mug(build,
            turned(at(0.03 * (i % 4), 0.01 * (i % 3), 0.03 + 0.13 * i), abut_vec3(1.0, 0.4, 0.0), 0.2 * (i + 1)), i);
    build->model->time = 2.0;
    return status;
}
