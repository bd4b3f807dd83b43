/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mass properties of MJCF geoms in closed form: the solids the file means; and
 * of meshes by the rules that MJCF knows.
 */
#include "import/mjcf_read.h"

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* Of a triangle: area, and the volume of the pyramid over it from a point. */
static void measure(const AbutVec3 v[3], AbutVec3 from, double *area, double *volume, AbutVec3 *middle)
{
    AbutVec3 n = abut_cross(abut_sub(v[1], v[0]), abut_sub(v[2], v[0]));
    *middle = abut_scale(abut_add(v[0], abut_add(v[1], v[2])), 1.0 / 3.0);
    *area = 0.5 * abut_length(n);
    *volume = abut_dot(abut_sub(*middle, from), n) / 6.0;
}

static void corners(const AbutMesh *mesh, int32_t i, AbutVec3 v[3])
{
    for (int k = 0; k < 3; ++k)
        v[k] = mesh->vertices[mesh->triangles[i].v[k]];
}

/* How much a triangle counts by the rule. */
static double weight_of(AbutMjcfInertia rule, double area, double volume)
{
    if (rule == ABUT_MJCF_INERTIA_SHELL)
        return area;
    return rule == ABUT_MJCF_INERTIA_LEGACY ? fabs(volume) : volume;
}

/* Centre of the surface, then of the mass: of the pyramids over all triangles with their tip there. */
static AbutVec3 center_of(const AbutMesh *mesh, AbutMjcfInertia rule)
{
    AbutVec3 surface = abut_zero(), sum = abut_zero(), v[3], middle;
    double all = 0.0, total = 0.0, area, volume;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        corners(mesh, i, v);
        measure(v, abut_zero(), &area, &volume, &middle);
        surface = abut_add_scaled(surface, middle, area);
        all += area;
    }
    surface = all > 0.0 ? abut_scale(surface, 1.0 / all) : mesh->vertices[0];
    for (int32_t i = 0; i < mesh->triangle_count && rule != ABUT_MJCF_INERTIA_SHELL; ++i) {
        corners(mesh, i, v);
        measure(v, surface, &area, &volume, &middle);
        double weight = weight_of(rule, area, volume);
        total += weight;
        sum = abut_add_scaled(sum, abut_lerp(middle, surface, 0.25), weight);
    }
    return total != 0.0 ? abut_scale(sum, 1.0 / total) : surface;
}

/* Integral of x x^T over a pyramid with its tip at the origin, or over a triangle. */
static AbutMat3 second_moment(const AbutVec3 v[3], double weight)
{
    AbutVec3 sum = abut_add(v[0], abut_add(v[1], v[2]));
    AbutMat3 m = abut_mat3_outer(sum, sum);
    for (int k = 0; k < 3; ++k)
        m = abut_mat3_add(m, abut_mat3_outer(v[k], v[k]));
    return abut_mat3_scale(m, weight);
}

/* The solid inside a closed surface, whichever way that is turned; false when there is none. */
static int solid_mass(const AbutMesh *mesh, AbutMass *out)
{
    AbutMeshReport report;
    if (abut_mesh_report(mesh, &report, NULL) != ABUT_OK || !report.closed || !report.oriented ||
        report.mass.volume == 0.0)
        return 0;
    *out = report.mass;
    if (out->volume < 0.0) {
        out->volume = -out->volume;
        out->inertia = abut_mat3_scale(out->inertia, -1.0);
    }
    return 1;
}

int abut_mjcf_mesh_mass(const AbutMesh *mesh, const AbutPolyhedron *hull, AbutMjcfInertia rule, AbutMass *out)
{
    if (rule == ABUT_MJCF_INERTIA_CONVEX || mesh->triangle_count == 0) {
        *out = hull ? hull->mass : (AbutMass){0};
        return hull != NULL;
    }
    if (rule == ABUT_MJCF_INERTIA_EXACT && solid_mass(mesh, out))
        return 1;
    AbutMat3 moment = abut_mat3_diagonal(0.0, 0.0, 0.0);
    AbutVec3 v[3], middle;
    double total = 0.0, area, volume;
    out->centroid = center_of(mesh, rule);
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        corners(mesh, i, v);
        for (int k = 0; k < 3; ++k)
            v[k] = abut_sub(v[k], out->centroid);
        measure(v, abut_zero(), &area, &volume, &middle);
        double weight = weight_of(rule, area, volume);
        total += weight;
        moment = abut_mat3_add(moment, second_moment(v, weight / (rule == ABUT_MJCF_INERTIA_SHELL ? 12.0 : 20.0)));
    }
    double trace = abut_mat3_trace(moment), sign = total < 0.0 ? -1.0 : 1.0;
    out->volume = sign * total;
    out->inertia = abut_mat3_scale(abut_mat3_sub(abut_mat3_diagonal(trace, trace, trace), moment), sign);
    return out->volume > 0.0 && isfinite(out->volume);
}

/* ---- geoms ------------------------------------------------------------------------------------------------------- */

static AbutMass round_solid(double volume, double xx, double yy, double zz)
{
    AbutMass out = {.volume = volume, .inertia = abut_mat3_diagonal(volume * xx, volume * yy, volume * zz)};
    return out;
}

/* The solid of density 1 in the frame of the geom; empty for planes and what is not simulated. */
static AbutMass solid_of(const AbutDraftGeom *geom, const AbutMass *mesh)
{
    double a = geom->def.form.size.x, b = geom->def.form.size.y, c = geom->def.form.size.z;
    AbutMass none = {0};
    switch (geom->type) {
    case ABUT_MJCF_SPHERE:
        return abut_sphere_mass((AbutSphere){abut_zero(), a});
    case ABUT_MJCF_CAPSULE:
        return abut_capsule_mass((AbutCapsule){abut_vec3(0, 0, -c), abut_vec3(0, 0, c), a});
    case ABUT_MJCF_ELLIPSOID:
        return round_solid(
            4.0 / 3.0 * ABUT_PI * a * b * c, (b * b + c * c) / 5.0, (a * a + c * c) / 5.0, (a * a + b * b) / 5.0);
    case ABUT_MJCF_CYLINDER:
        return round_solid(
            2.0 * ABUT_PI * a * a * c, a * a / 4.0 + c * c / 3.0, a * a / 4.0 + c * c / 3.0, a * a / 2.0);
    case ABUT_MJCF_BOX:
        return round_solid(8.0 * a * b * c, (b * b + c * c) / 3.0, (a * a + c * c) / 3.0, (a * a + b * b) / 3.0);
    case ABUT_MJCF_MESH:
        return *mesh;
    default:
        return none;
    }
}

AbutRigid abut_mjcf_geom_mass(const AbutDraftGeom *geom, const AbutMass *mesh)
{
    AbutMass solid = solid_of(geom, mesh);
    if (!(solid.volume > 0.0))
        return (AbutRigid){0};
    double mass = geom->mass >= 0.0 ? geom->mass : geom->def.density * solid.volume;
    AbutRigid own = {mass, solid.centroid, abut_mat3_scale(solid.inertia, mass / solid.volume)};
    return abut_rigid_move(own, geom->def.pose);
}

/* Half sides of the box with the inertia of a solid, the longest along z of `pose`. */
static AbutVec3 inertia_box(const AbutMass *solid, AbutPose *pose)
{
    AbutEigen3 e = abut_mat3_eigen_symmetric(solid->inertia);
    double x = e.value[2], y = e.value[1], z = e.value[0], unit = 6.0 / solid->volume;
    *pose = abut_pose(solid->centroid,
        abut_quat_from_mat3(abut_mat3(e.vectors.z, e.vectors.y, abut_cross(e.vectors.z, e.vectors.y))));
    return abut_vec3(0.5 * sqrt(abut_larger(unit * (y + z - x), 0.0)), 0.5 * sqrt(abut_larger(unit * (x + z - y), 0.0)),
        0.5 * sqrt(abut_larger(unit * (x + y - z), 0.0)));
}

void abut_mjcf_fit(const AbutMass *mesh, AbutDraftGeom *geom)
{
    AbutPose pose;
    AbutVec3 box = inertia_box(mesh, &pose);
    double radius = 0.5 * (box.x + box.y);
    AbutVec3 size = box;
    if (geom->type == ABUT_MJCF_SPHERE)
        size.x = size.y = size.z = (box.x + box.y + box.z) / 3.0;
    if (geom->type == ABUT_MJCF_CAPSULE || geom->type == ABUT_MJCF_CYLINDER) {
        size.x = size.y = radius;
        size.z = geom->type == ABUT_MJCF_CAPSULE ? abut_larger(0.0, box.z - 0.5 * radius) : box.z;
    }
    geom->def.form.size = abut_scale(size, geom->fit);
    geom->def.pose = abut_pose_mul(geom->def.pose, pose);
}
