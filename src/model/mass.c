/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of mass properties by the parallel axis theorem. */
#include "math/matrix.h"
#include "model/mass.h"

AbutMat3 abut_point_inertia(double mass, AbutVec3 d) {
    double dd = abut_length_sq(d);
    return abut_mat3_scale(abut_mat3_sub(abut_mat3_diagonal(dd, dd, dd), abut_mat3_outer(d, d)), mass);
}

AbutRigid abut_rigid_move(AbutRigid a, AbutPose pose) {
    AbutMat3 r = abut_quat_to_mat3(pose.q);
    a.center = abut_pose_apply(pose, a.center);
    a.inertia = abut_mat3_mul(abut_mat3_mul(r, a.inertia), abut_mat3_transpose(r));
    return a;
}

AbutRigid abut_rigid_add(AbutRigid a, AbutRigid b) {
    double mass = a.mass + b.mass;
    AbutRigid sum = {mass, a.center, abut_mat3_add(a.inertia, b.inertia)};
    if (!(mass > 0.0)) {
        sum.mass = 0.0;
        return sum;
    }
    sum.center = abut_lerp(a.center, b.center, b.mass / mass);
    sum.inertia = abut_mat3_add(sum.inertia, abut_point_inertia(a.mass, abut_sub(a.center, sum.center)));
    sum.inertia = abut_mat3_add(sum.inertia, abut_point_inertia(b.mass, abut_sub(b.center, sum.center)));
    return sum;
}

AbutRigid abut_rigid_of_body(const AbutModel *model, int32_t body) {
    const AbutBodyDef *def = &model->bodies[body];
    AbutRigid sum = {def->mass, def->center, def->inertia}, none = {0};
    if (def->mass > 0.0) return sum;
    sum = none;
    for (int32_t s = abut_model_next_shape(model, body, -1); s >= 0; s = abut_model_next_shape(model, body, s)) {
        const AbutShapeDef *shape = &model->shapes[s];
        if (shape->visual || shape->sensor || !shape->geometry->polyhedron) continue;
        AbutMass solid = shape->geometry->mass;
        AbutRigid own = {shape->density * solid.volume, solid.centroid, abut_mat3_scale(solid.inertia, shape->density)};
        sum = abut_rigid_add(sum, abut_rigid_move(own, shape->pose));
    }
    return sum;
}
