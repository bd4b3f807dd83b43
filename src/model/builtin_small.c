/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes of a box or a few: drop, stack, slope, slide, spin, bridge. The box is 0.2 x 0.1 x 0.05 m, 1 g, friction 0.5.
 */
#include "math/functions.h"
#include "model/builtin_scene.h"

static const double half_height = 0.025;

static AbutStatus floor_and_box(AbutBuild *build, AbutPose pose, AbutVec3 velocity, AbutVec3 spin) {
    AbutBodyDef body = abut_build_box_body(pose);
    AbutShapeDef shape = abut_build_box_shape();
    body.velocity = velocity;
    body.spin = spin;
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), ABUT_DEFAULT_FRICTION);
    return status == ABUT_OK ? abut_build_body(build, &body, &shape, "box", 0) : status;
}

static AbutPose at(double x, double y, double z) { return abut_pose(abut_vec3(x, y, z), abut_quat_identity()); }

AbutStatus abut_build_drop(AbutBuild *build) {
    double degree = ABUT_PI / 180.0;
    AbutQuat first = abut_quat_axis_angle(abut_axis(2), 60.0 * degree),
             second = abut_quat_axis_angle(abut_axis(1), 45.0 * degree);
    AbutQuat third = abut_quat_axis_angle(abut_axis(2), 30.0 * degree);
    AbutPose pose = abut_pose(abut_vec3(0.0, 0.0, 1.0), abut_quat_mul(first, abut_quat_mul(second, third)));
    build->model->time = 1.0;
    return floor_and_box(build, pose, abut_zero(), abut_zero());
}

AbutStatus abut_build_slide(AbutBuild *build) {
    build->model->time = 0.5;
    return floor_and_box(build, at(0.0, 0.0, half_height), abut_axis(0), abut_zero());
}

AbutStatus abut_build_spin(AbutBuild *build) {
    build->model->time = 0.5;
    return floor_and_box(build, at(0.0, 0.0, half_height), abut_zero(), abut_vec3(0.0, 0.0, 10.0));
}

AbutStatus abut_build_stack(AbutBuild *build) {
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), ABUT_DEFAULT_FRICTION);
    for (int i = 0; i < (int)build->number && status == ABUT_OK; ++i)
        status = abut_build_box(build, at(0.0, 0.0, half_height * (2 * i + 1)), i);
    build->model->time = 2.0;
    return status;
}

/* Cubes of 0.1 m; the heavy ones are red. */
AbutStatus abut_build_heavy(AbutBuild *build) {
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), ABUT_DEFAULT_FRICTION);
    for (int i = 0; i < 4 && status == ABUT_OK; ++i) {
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = abut_build_box_shape();
        body.pose = at(0.0, 0.0, 0.05 + 0.1 * i);
        shape.form.size = abut_vec3(0.05, 0.05, 0.05);
        shape.density = i % 2 ? 1000.0 * build->number : 1000.0;
        shape.color = i % 2 ? 0xc0392b : 0;
        status = abut_build_body(build, &body, &shape, "box", i);
    }
    build->model->time = 2.0;
    return status;
}

/* The half-space itself is turned, downhill along +x; the box lies on it at the origin. */
AbutStatus abut_build_incline(AbutBuild *build) {
    AbutQuat turn = abut_quat_axis_angle(abut_axis(1), abut_atan2(build->number, 1.0));
    ABUT_TRY(abut_build_ground(build, abut_pose(abut_zero(), turn), ABUT_DEFAULT_FRICTION));
    build->model->time = 1.0;
    return abut_build_box(build, abut_pose(abut_quat_rotate(turn, abut_vec3(0.0, 0.0, half_height)), turn), 0);
}

/* Two static blocks, 0.16 m apart from middle to middle; the second is lower by the argument, or higher. The box
 * lies on the higher one. */
AbutStatus abut_build_bridge(AbutBuild *build) {
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), ABUT_DEFAULT_FRICTION);
    for (int i = 0; i < 2 && status == ABUT_OK; ++i) {
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = abut_build_box_shape();
        double top = 0.05 - i * build->number, half = top > 0.0 ? 0.5 * top : 0.025;
        body.kind = ABUT_BODY_STATIC;
        body.pose = at(i ? 0.08 : -0.08, 0.0, top - half);
        shape.form.size = abut_vec3(0.02, 0.05, half);
        status = abut_build_body(build, &body, &shape, "support", i);
    }
    build->model->time = 1.0;
    double top = 0.05 + abut_larger(-build->number, 0.0);
    return status == ABUT_OK ? abut_build_box(build, at(0.0, 0.0, top + half_height), 0) : status;
}
