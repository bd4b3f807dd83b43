/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes with round bodies: down a slope, bowling, a coin, conveyor belts. */
#include "math/functions.h"
#include "model/builtin_scene.h"

static AbutShapeDef round_shape(AbutShapeKind kind, double radius, double half, double friction) {
    AbutShapeDef shape = abut_shape_default();
    shape.form.kind = kind;
    shape.form.size = abut_vec3(radius, radius, half);
    shape.form.resolution = 48;
    shape.material.friction = friction;
    return shape;
}

/* Side by side across a slope that falls along +x. The pipe is a cylinder with all its mass at the rim. */
AbutStatus abut_build_roll(AbutBuild *build) {
    static const AbutShapeKind kinds[] = {
        ABUT_SHAPE_SPHERE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER};
    static const char *names[] = {"ball", "cylinder", "capsule", "pipe"};
    const double r = 0.1, h = 0.12;
    AbutQuat turn = abut_quat_axis_angle(abut_axis(1), abut_atan2(build->number, 1.0)),
             lying = abut_quat_axis_angle(abut_axis(0), 0.5 * ABUT_PI);
    AbutStatus status = abut_build_ground(build, abut_pose(abut_zero(), turn), 1.0);
    build->model->time = 3.0;
    for (int i = 0; i < 4 && status == ABUT_OK; ++i) {
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = round_shape(kinds[i], r, h, 1.0);
        shape.pose.q = lying;
        body.pose = abut_pose(abut_quat_rotate(turn, abut_vec3(0.0, 0.5 * (i - 1.5), r)), turn);
        if (i == 3) {
            body.mass = 1.0;
            body.inertia = abut_mat3_diagonal(0.5 * r * r + h * h / 3.0, r * r, 0.5 * r * r + h * h / 3.0);
        }
        status = abut_build_body(build, &body, &shape, names[i], -1);
    }
    return status;
}

/* Ten pins in a triangle, 30.48 cm apart; cylinders of the height and weight of real ones. */
static AbutStatus add_pins(AbutBuild *build, double x) {
    const double apart = 0.3048, half = 0.19, radius = 0.045, mass = 1.5;
    AbutStatus status = ABUT_OK;
    for (int row = 0, number = 0; row < 4; ++row)
        for (int i = 0; i <= row && status == ABUT_OK; ++i, ++number) {
            AbutBodyDef body = abut_body_default();
            AbutShapeDef shape = round_shape(ABUT_SHAPE_CYLINDER, radius, half, 0.3);
            body.pose.p = abut_vec3(x + row * apart * 0.5 * sqrt(3.0), apart * (i - 0.5 * row), half);
            shape.density = mass / (2.0 * ABUT_PI * radius * radius * half);
            shape.material.restitution = 0.5;
            status = abut_build_body(build, &body, &shape, "pin", number);
        }
    return status;
}

AbutStatus abut_build_bowling(AbutBuild *build) {
    const double radius = 0.108, mass = 7.0;
    AbutBodyDef body = abut_body_default();
    AbutShapeDef ball = round_shape(ABUT_SHAPE_SPHERE, radius, radius, 0.2);
    ABUT_TRY(abut_build_ground(build, abut_pose_identity(), 0.2));
    build->model->time = 3.0;
    body.pose.p = abut_vec3(0.0, 0.04, radius);
    body.velocity = abut_vec3(7.0, 0.0, 0.0);
    ball.density = mass / (4.0 / 3.0 * ABUT_PI * radius * radius * radius);
    ABUT_TRY(abut_build_body(build, &body, &ball, "ball", -1));
    return add_pins(build, 6.0);
}

AbutStatus abut_build_coin(AbutBuild *build) {
    const double radius = 0.05, half = 0.003, tilt = 0.1;
    AbutBodyDef body = abut_body_default();
    AbutShapeDef coin = round_shape(ABUT_SHAPE_CYLINDER, radius, half, 0.5);
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), 0.5);
    double c = abut_cos(tilt), s = abut_sin(tilt);
    build->model->timestep = 5e-4;
    build->model->time = 4.0;
    coin.density = 8000.0;
    body.pose =
        abut_pose(abut_vec3(0.0, 0.0, radius * c + half * s), abut_quat_axis_angle(abut_axis(0), 0.5 * ABUT_PI + tilt));
    body.spin = abut_vec3(0.0, 0.0, 30.0);
    return status == ABUT_OK ? abut_build_body(build, &body, &coin, "coin", -1) : status;
}

/* After Lee, "Continuous distance computation for planning and haptics" (thesis, 2017), Figure 1.4: which way the ball
 * is thrown depends on whether the direction of the force jumps. Nothing takes energy. */
AbutStatus abut_build_edge(AbutBuild *build) {
    AbutBodyDef bar = abut_body_default(), ball = abut_body_default();
    AbutShapeDef box = abut_shape_default(), sphere = round_shape(ABUT_SHAPE_SPHERE, 0.1, 0.0, 0.0);
    bar.kind = ABUT_BODY_STATIC;
    box.form.size = abut_vec3(0.4, 0.1, 0.06);
    box.material.friction = 0.0;
    box.material.restitution = sphere.material.restitution = 1.0;
    sphere.density = 3.0 / (4.0 * ABUT_PI * 1e-3); /* 1 kg */
    ball.pose.p = abut_vec3(0.0, build->number, 0.2);
    ball.velocity = abut_vec3(0.0, 0.0, -6.0);
    build->model->gravity = abut_zero();
    build->model->timestep = 5e-4;
    build->model->time = 0.15;
    AbutStatus status = abut_build_body(build, &bar, &box, "bar", -1);
    return status == ABUT_OK ? abut_build_body(build, &ball, &sphere, "ball", -1) : status;
}

static AbutStatus add_belt(AbutBuild *build, const char *name, AbutVec3 center, AbutVec3 half, AbutVec3 velocity) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    body.kind = ABUT_BODY_STATIC;
    body.pose.p = center;
    shape.form.kind = ABUT_SHAPE_BOX;
    shape.form.size = half;
    shape.material.friction = 0.6;
    shape.material.surface_velocity = velocity;
    shape.color = 0x404850;
    return abut_build_body(build, &body, &shape, name, -1);
}

/* The first belt runs along +x, the second one lies lower and runs along +y; bodies are laid on the first, one behind
 * the other, balls and lying cylinders among the boxes. */
AbutStatus abut_build_conveyor(AbutBuild *build) {
    const double apart = 0.3, top = 0.6, half = 0.06;
    int count = (int)build->number;
    double length = apart * (count + 1);
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), 0.6);
    build->model->time = 8.0;
    if (status == ABUT_OK)
        status = add_belt(build, "belt", abut_vec3(-0.5 * length, 0.0, top - 0.05), abut_vec3(0.5 * length, 0.25, 0.05),
            abut_vec3(1.0, 0.0, 0.0));
    if (status == ABUT_OK)
        status = add_belt(build, "belt-across", abut_vec3(0.5, 1.0, 0.5 * top - 0.05), abut_vec3(0.45, 1.5, 0.05),
            abut_vec3(0.0, 1.0, 0.0));
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        static const AbutShapeKind kinds[] = {ABUT_SHAPE_BOX, ABUT_SHAPE_SPHERE, ABUT_SHAPE_BOX, ABUT_SHAPE_CYLINDER};
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = round_shape(kinds[i % 4], half, half, 0.6);
        body.pose.p = abut_vec3(-apart * (i + 1), 0.1 * abut_rng_between(&build->rng, -1.0, 1.0), top + half);
        if (shape.form.kind == ABUT_SHAPE_BOX)
            shape.form.resolution = 0;
        else
            shape.material.friction_rolling = 1e-3;
        if (shape.form.kind == ABUT_SHAPE_CYLINDER) shape.pose.q = abut_quat_axis_angle(abut_axis(0), 0.5 * ABUT_PI);
        status = abut_build_body(build, &body, &shape, "part", i);
    }
    return status;
}
