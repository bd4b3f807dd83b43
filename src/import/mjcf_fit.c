/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Round shapes and boxes that are fitted to a mesh, by MuJoCo's rules: to the box that has the inertia of the mesh, or
 * (compiler fitaabb) to the box around its vertices, both in the principal axes of the mesh.
 */
#include "import/mjcf_read.h"

/* Half sides of the box with these moments and this volume. */
static AbutVec3 inertia_box(const AbutMjcfInertial *solid) {
    const double *m = solid->moment, sum = m[0] + m[1] + m[2], unit = 1.5 / solid->mass;
    return abut_vec3(sqrt(abut_larger(unit * (sum - 2.0 * m[0]), 0.0)),
        sqrt(abut_larger(unit * (sum - 2.0 * m[1]), 0.0)), sqrt(abut_larger(unit * (sum - 2.0 * m[2]), 0.0)));
}

static AbutVec3 fit_box(AbutMjcfGeomType type, AbutVec3 box) {
    double radius = 0.5 * (box.x + box.y), ball = (box.x + box.y + box.z) / 3.0;
    if (type == ABUT_MJCF_SPHERE) return abut_vec3(ball, ball, ball);
    if (type == ABUT_MJCF_CAPSULE) return abut_vec3(radius, radius, abut_larger(0.0, box.z - 0.5 * radius));
    return type == ABUT_MJCF_CYLINDER ? abut_vec3(radius, radius, box.z) : box;
}

void abut_mjcf_measure(const AbutMesh *mesh, const AbutMjcfInertial *solid, AbutAabb *out) {
    *out = abut_aabb_empty();
    for (int32_t i = 0; i < mesh->vertex_count; ++i)
        *out = abut_aabb_add(*out, abut_pose_apply_inv(solid->place, mesh->vertices[i]));
}

static AbutVec3 fit_extent(AbutMjcfGeomType type, AbutVec3 half) {
    double radius = abut_larger(half.x, half.y), ball = abut_larger(radius, half.z);
    if (type == ABUT_MJCF_SPHERE) return abut_vec3(ball, ball, ball);
    if (type == ABUT_MJCF_CAPSULE) return abut_vec3(radius, radius, abut_larger(0.0, half.z - radius));
    return type == ABUT_MJCF_CYLINDER ? abut_vec3(radius, radius, half.z) : half;
}

void abut_mjcf_fit(const AbutMjcfSolid *mesh, AbutDraftGeom *geom) {
    AbutPose place = mesh->inertial.place;
    const AbutAabb *box = &mesh->extent;
    AbutVec3 size = geom->fit_vertices ? fit_extent(geom->type, abut_scale(abut_sub(box->max, box->min), 0.5))
                                       : fit_box(geom->type, inertia_box(&mesh->inertial));
    if (geom->fit_vertices) place.p = abut_pose_apply(place, abut_lerp(box->min, box->max, 0.5));
    geom->def.form.size = abut_scale(size, geom->fit);
    geom->def.pose = abut_pose_mul(geom->def.pose, place);
}
