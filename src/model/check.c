/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of descriptions, as check.h says. */
#include "math/matrix.h"
#include "model/check.h"

#include <stdio.h>

#include "model/tolerance.h"
#include "model/geometry.h"

AbutStatus abut_check_pose(const char *what, const AbutPose *pose, AbutError *error) {
    if (!abut_pose_is_finite(*pose)) return abut_fail(error, ABUT_ERROR_NUMBER, "%s: the pose is not finite", what);
    double length = sqrt(abut_quat_dot(pose->q, pose->q));
    if (!(fabs(length - 1.0) <= ABUT_UNIT_TOLERANCE))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the quaternion %g %g %g %g has length %g, not 1", what,
            pose->q.w, pose->q.x, pose->q.y, pose->q.z, length);
    return ABUT_OK;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

int abut_invert_inertia(AbutMat3 inertia, AbutMat3 *out) {
    double scale = abut_mat3_trace(inertia);
    if (!(scale > 0.0) || !isfinite(scale)) return 0;
    AbutMat3 unit = abut_mat3_scale(inertia, 1.0 / scale);
    double moment[3];
    (void)abut_mat3_eigen_symmetric(unit, moment);
    if (!(moment[0] > ABUT_LEAST_MOMENT)) return 0;
    *out = abut_mat3_scale(abut_mat3_inv(unit), 1.0 / scale);
    return isfinite(abut_mat3_trace(*out));
}

/* The given inertia, symmetric to rounding and one that a rigid body can have. */
static AbutStatus check_given_mass(AbutBodyDef *def, AbutError *error) {
    const char *name = def->name ? def->name : "";
    AbutMat3 t = abut_mat3_transpose(def->inertia), inverse;
    AbutMat3 inertia = abut_mat3_scale(abut_mat3_add(def->inertia, t), 0.5);
    AbutMat3 odd = abut_mat3_sub(def->inertia, t);
    double size = abut_mat3_trace(inertia);
    if (!isfinite(1.0 / def->mass) || !abut_is_finite(def->center) || !abut_is_finite(t.x) || !abut_is_finite(t.y) ||
        !abut_is_finite(t.z))
        return abut_fail(error, ABUT_ERROR_NUMBER, "body '%s': expected finite mass, center and inertia", name);
    if (!(fabs(odd.x.y) + fabs(odd.x.z) + fabs(odd.y.z) <= ABUT_SYMMETRY_TOLERANCE * size))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "body '%s': the inertia is not symmetric", name);
    double moment[3];
    (void)abut_mat3_eigen_symmetric(inertia, moment);
    if (def->kind == ABUT_BODY_LINK ? !(moment[0] >= -ABUT_LEAST_MOMENT * size)
                                    : !abut_invert_inertia(inertia, &inverse))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "body '%s': the inertia is not positive definite", name);
    if (moment[2] > (moment[0] + moment[1]) * (1.0 + ABUT_MOMENT_TOLERANCE))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "body '%s': no body has the moments of inertia %g %g %g (the largest exceeds the sum of the others)", name,
            moment[0], moment[1], moment[2]);
    def->inertia = inertia;
    return ABUT_OK;
}

AbutStatus abut_check_body(AbutBodyDef *def, AbutError *error) {
    char what[120] = "body";
    int moves = abut_max_abs(def->velocity) > 0.0 || abut_max_abs(def->spin) > 0.0;
    if (def->name) snprintf(what, sizeof what, "body '%.100s'", def->name);
    if ((int)def->kind < 0 || def->kind >= ABUT_BODY_KIND_COUNT)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: unknown kind %d", what, (int)def->kind);
    if (!abut_is_finite(def->velocity) || !abut_is_finite(def->spin))
        return abut_fail(error, ABUT_ERROR_NUMBER, "%s: the velocity is not finite", what);
    if (moves && (def->kind == ABUT_BODY_STATIC || def->kind == ABUT_BODY_LINK))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: a %s has no velocity", what,
            def->kind == ABUT_BODY_LINK ? "link" : "static body");
    if (def->motion && def->kind != ABUT_BODY_KINEMATIC)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: only a kinematic body has a prescribed motion", what);
    if (!(def->mass >= 0.0) || !isfinite(def->mass))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the mass %g is negative or not finite", what, def->mass);
    if (!isfinite(def->gravity_compensation) || !(def->damping >= 0.0 && def->damping < INFINITY) ||
        !(def->armature >= 0.0 && def->armature < INFINITY) ||
        !(def->friction_loss >= 0.0 && def->friction_loss < INFINITY))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "%s: gravity compensation %g, damping %g, armature %g, friction loss %g: expected finite numbers, "
            "the last three 0 or above",
            what, def->gravity_compensation, def->damping, def->armature, def->friction_loss);
    AbutStatus status = abut_check_pose(what, &def->pose, error);
    if (status != ABUT_OK || def->mass == 0.0 || def->kind == ABUT_BODY_STATIC || def->kind == ABUT_BODY_KINEMATIC)
        return status;
    return check_given_mass(def, error);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

AbutStatus abut_check_material(const char *what, const AbutMaterial *m, AbutError *error) {
    if (!(m->friction >= 0.0) || !isfinite(m->friction))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "%s: the friction %g is negative or not finite", what, m->friction);
    if (!isfinite(m->friction_kinetic) || m->friction_kinetic > m->friction)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "%s: the kinetic friction %g is above the static one, %g, or not finite", what, m->friction_kinetic,
            m->friction);
    if (!(m->friction_spinning >= 0.0) || !isfinite(m->friction_spinning) || !(m->friction_rolling >= 0.0) ||
        !isfinite(m->friction_rolling))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "%s: friction against spinning %g and rolling %g: expected lengths of 0 or above", what,
            m->friction_spinning, m->friction_rolling);
    if (!abut_is_finite(m->surface_velocity))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the surface velocity is not finite", what);
    if (!(m->restitution >= 0.0 && m->restitution <= 1.0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the restitution %g is not in 0 .. 1", what, m->restitution);
    return ABUT_OK;
}

/* All but the geometry. */
static AbutStatus check_shape(const char *what, int movable, AbutShapeDef *def, AbutError *error) {
    AbutShapeKind kind = def->geometry ? def->geometry->kind : def->form.kind;
    if (kind == ABUT_SHAPE_HALF_SPACE && movable && !def->visual)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: a half-space cannot be part of a dynamic body", what);
    if (kind == ABUT_SHAPE_HEIGHT_FIELD && movable && !def->visual)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: a height field cannot be part of a dynamic body", what);
    if (!(def->density >= 0.0) || !isfinite(def->density))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "%s: the density %g is negative or not finite", what, def->density);
    if (!(def->margin >= 0.0) || !isfinite(def->margin))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the margin %g is negative or not finite", what, def->margin);
    AbutStatus status = abut_check_material(what, &def->material, error);
    return status == ABUT_OK ? abut_check_pose(what, &def->pose, error) : status;
}

AbutStatus abut_check_shape(AbutGeometrySet *set, const char *body, int movable, AbutShapeDef *def, AbutError *error) {
    char what[200];
    snprintf(what, sizeof what, "shape '%.80s' of the body '%.80s'", def->name ? def->name : "", body);
    ABUT_TRY(check_shape(what, movable, def, error));
    if (!def->geometry) ABUT_TRY(abut_geometry_check(what, &def->form, error));
    AbutStatus status = ABUT_OK;
    if (def->geometry)
        abut_geometry_retain(def->geometry);
    else
        status = abut_geometry_set_get(set, &def->form, &def->geometry, error);
    if (status != ABUT_OK) return status;
    def->form = abut_geometry_def(def->geometry);
    if (!def->visual && def->geometry->surface && !def->geometry->surface_closed) {
        abut_geometry_release(def->geometry);
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "%s: its surface is not closed, or does not run counter-clockwise seen from outside", what);
    }
    const AbutPolyhedron *p = def->geometry->polyhedron;
    if (movable && !def->visual && p && p->dimension < 3) {
        abut_geometry_release(def->geometry);
        return abut_fail(error, ABUT_ERROR_DEGENERATE, "the dynamic body '%s': a shape without volume", body);
    }
    return ABUT_OK;
}

AbutStatus abut_check_pair_friction(double friction, double friction_kinetic, AbutError *error) {
    if (!(friction >= 0.0) || !isfinite(friction) || !isfinite(friction_kinetic) || friction_kinetic > friction)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "pair friction: static %g and kinetic %g: not 0 <= kinetic <= static", friction, friction_kinetic);
    return ABUT_OK;
}

AbutStatus abut_check_pair(const AbutPairDef *def, AbutError *error) {
    if (def->friction < 0.0 && def->friction_kinetic >= 0.0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "pair: expected a static friction too, got only a kinetic one of %g", def->friction_kinetic);
    ABUT_TRY(def->friction < 0.0 ? ABUT_OK : abut_check_pair_friction(def->friction, def->friction_kinetic, error));
    if (!(def->restitution <= 1.0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "pair: the restitution %g is not in 0 .. 1", def->restitution);
    if (!(def->friction_spinning < INFINITY) || !(def->friction_rolling < INFINITY))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "pair: friction against spinning %g and rolling %g: expected lengths", def->friction_spinning,
            def->friction_rolling);
    if (!(def->margin >= 0.0) || !isfinite(def->margin))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "pair: the margin %g is negative or not finite", def->margin);
    return ABUT_OK;
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

AbutStatus abut_check_joint(AbutJointDef *def, AbutError *error) {
    char what[120] = "joint";
    double length = abut_length(def->axis);
    if (def->name) snprintf(what, sizeof what, "joint '%.100s'", def->name);
    if ((int)def->kind < 0 || def->kind >= ABUT_JOINT_KIND_COUNT)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: unknown kind %d", what, (int)def->kind);
    if (!abut_is_finite(def->position) || !abut_is_finite(def->axis) || !isfinite(def->stiffness) ||
        !isfinite(def->damping) || !isfinite(def->armature) || !isfinite(def->friction_loss) ||
        !isfinite(def->reference) || !isfinite(def->range[0]) || !isfinite(def->range[1]) ||
        !isfinite(def->spring_reference) || !isfinite(def->force_range[0]) || !isfinite(def->force_range[1]))
        return abut_fail(error, ABUT_ERROR_NUMBER, "%s: a number is not finite", what);
    if (def->stiffness < 0.0 || def->damping < 0.0 || def->armature < 0.0 || def->friction_loss < 0.0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "%s: stiffness %g, damping %g, armature %g, friction loss %g: expected 0 or above", what, def->stiffness,
            def->damping, def->armature, def->friction_loss);
    if (!(fabs(length - 1.0) <= ABUT_UNIT_TOLERANCE))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the axis %g %g %g has length %g, not 1", what, def->axis.x,
            def->axis.y, def->axis.z, length);
    if (def->limited && def->kind != ABUT_JOINT_BALL && !(def->range[0] <= def->range[1]))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "%s: the range %g .. %g is not ascending", what, def->range[0], def->range[1]);
    if (def->force_limited && !(def->force_range[0] <= def->force_range[1]))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the force range %g .. %g is not ascending", what,
            def->force_range[0], def->force_range[1]);
    return ABUT_OK;
}
