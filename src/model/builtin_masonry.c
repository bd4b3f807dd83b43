/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes that stand by their order: pyramid, wall, arch, row of dominoes. */
#include "model/builtin_scene.h"

static AbutPose at(double x, double y, double z) { return abut_pose(abut_vec3(x, y, z), abut_quat_identity()); }

/* Rows along x, flat side down; neighbors in a row are 1 cm apart. */
AbutStatus abut_build_pyramid(AbutBuild *build) {
    int rows = (int)build->number, number = 0;
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), ABUT_DEFAULT_FRICTION);
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < rows - row && status == ABUT_OK; ++i)
            status = abut_build_box(build, at(0.21 * (i - 0.5 * (rows - row - 1)), 0.0, 0.05 * row + 0.025), number++);
    build->model->time = 2.0;
    return status;
}

/* One brick from x = left to right, in its row. */
static AbutStatus add_brick(AbutBuild *build, double left, double right, int row, int number) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    shape.form.size = abut_vec3(0.5 * (right - left), 0.05, 0.025);
    shape.density = 1800.0;
    body.pose = at(0.5 * (left + right), 0.0, 0.05 * row + 0.025);
    return abut_build_body(build, &body, &shape, "box", number);
}

/* Bricks of 0.2 m less a gap of 1 mm; every other row starts and ends with half a brick. */
AbutStatus abut_build_wall(AbutBuild *build) {
    const double length = 0.2, gap = 0.001;
    const int columns = 10;
    int number = 0;
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), ABUT_DEFAULT_FRICTION);
    for (int row = 0; row < (int)build->number; ++row)
        for (int i = 0; i < columns + row % 2 && status == ABUT_OK; ++i) {
            double left = length * (i - 0.5 * (row % 2)), right = left + length;
            left = abut_larger(left, 0.0) - 0.5 * columns * length;
            right = abut_smaller(right, columns * length) - 0.5 * columns * length;
            status = add_brick(build, left, right - gap, row, number++);
        }
    build->model->time = 2.0;
    return status;
}

/* A slice of a ring about y, from -angle / 2 to angle / 2 of the z axis, with its own middle on the circle at the
 * origin. */
static AbutStatus make_wedge(
    double radius, double thickness, double depth, double angle, AbutPolyhedron **out, AbutError *error) {
    AbutVec3 corner[8];
    for (int i = 0; i < 8; ++i) {
        double r = radius + (i & 1 ? 0.5 : -0.5) * thickness, t = (i & 2 ? 0.5 : -0.5) * angle;
        corner[i] = abut_vec3(r * abut_sin(t), i & 4 ? 0.5 * depth : -0.5 * depth, r * abut_cos(t) - radius);
    }
    return abut_polyhedron_from_points(corner, 8, NULL, out, error);
}

/*
 * Half a ring of mean radius 1 m and thickness 0.3 m, standing on the floor with both ends. A half ring stands when it
 * is thicker than 0.11 of its radius and friction takes the thrust; 0.3 and friction 0.7 leave room on both sides.
 */
AbutStatus abut_build_arch(AbutBuild *build) {
    const double radius = 1.0, friction = 0.7;
    int count = (int)build->number;
    double angle = ABUT_PI / count;
    AbutPolyhedron *wedge;
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    ABUT_TRY(abut_build_ground(build, abut_pose_identity(), friction));
    ABUT_TRY(make_wedge(radius, 0.3, 0.4, angle, &wedge, build->error));
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    shape.form.polyhedron = wedge;
    shape.density = 2000.0;
    shape.material.friction = friction;
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        double t = (i + 0.5 - 0.5 * count) * angle;
        body.pose = abut_pose(
            abut_vec3(radius * abut_sin(t), 0.0, radius * abut_cos(t)), abut_quat_axis_angle(abut_axis(1), t));
        status = abut_build_body(build, &body, &shape, "block", i);
    }
    abut_polyhedron_free(wedge);
    build->model->time = 2.0;
    return status;
}

/* Stones of 0.025 x 0.1 x 0.2 m, 0.1 m apart; the first is turned by 10 degrees about its foot and falls towards +x. */
AbutStatus abut_build_domino(AbutBuild *build) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    int count = (int)build->number;
    shape.form.size = abut_vec3(0.0125, 0.05, 0.1);
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), ABUT_DEFAULT_FRICTION);
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        AbutPose foot = abut_pose(abut_vec3(0.1 * i + shape.form.size.x, 0.0, 0.0),
            abut_quat_axis_angle(abut_axis(1), i ? 0.0 : 10.0 * ABUT_PI / 180.0));
        body.pose = abut_pose_mul(foot, at(-shape.form.size.x, 0.0, shape.form.size.z));
        status = abut_build_body(build, &body, &shape, "box", i);
    }
    build->model->time = abut_larger(2.0, 0.1 * count);
    return status;
}
