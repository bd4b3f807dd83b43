/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mass properties of MJCF geoms in closed form: the solids the file means; and
 * of meshes by the rules that MJCF knows.
 */
#include "import/mjcf_read.h"
#include "math/matrix.h"
#include "shape/round_mass.h"

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* For a triangle: area, and the volume of the pyramid over it from a point. */
static void measure(const AbutVec3 v[3], AbutVec3 from, double *area, double *volume, AbutVec3 *middle) {
    AbutVec3 n = abut_cross(abut_sub(v[1], v[0]), abut_sub(v[2], v[0]));
    *middle = abut_scale(abut_add(v[0], abut_add(v[1], v[2])), 1.0 / 3.0);
    *area = 0.5 * abut_length(n);
    *volume = abut_dot(abut_sub(*middle, from), n) / 6.0;
}

static void corners(const AbutMesh *mesh, int32_t i, AbutVec3 v[3]) {
    for (int k = 0; k < 3; ++k) v[k] = mesh->vertices[mesh->triangles[i].v[k]];
}

/* How much a triangle counts by the rule. */
static double weight_of(AbutMjcfInertia rule, double area, double volume) {
    if (rule == ABUT_MJCF_INERTIA_SHELL) return area;
    return rule == ABUT_MJCF_INERTIA_LEGACY ? fabs(volume) : volume;
}

/* Center of the surface, then of the mass: of the pyramids over all triangles with their tip there. */
static AbutVec3 center_of(const AbutMesh *mesh, AbutMjcfInertia rule) {
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
static AbutMat3 second_moment(const AbutVec3 v[3], double weight) {
    AbutVec3 sum = abut_add(v[0], abut_add(v[1], v[2]));
    AbutMat3 m = abut_mat3_outer(sum, sum);
    for (int k = 0; k < 3; ++k) m = abut_mat3_add(m, abut_mat3_outer(v[k], v[k]));
    return abut_mat3_scale(m, weight);
}

/* The solid inside a closed surface, whichever way that is turned; false when there is none. */
static int solid_mass(const AbutMesh *mesh, AbutMass *out) {
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

/* Points without triangles have the surface of their hull. */
static int hull_shell(const AbutPolyhedron *hull, AbutMass *out) {
    AbutMesh surface;
    if (!hull || abut_polyhedron_to_mesh(hull, &surface, NULL) != ABUT_OK) return 0;
    int found = surface.triangle_count > 0 && abut_mjcf_mesh_mass(&surface, NULL, ABUT_MJCF_INERTIA_SHELL, out);
    abut_mesh_free(&surface);
    return found;
}

int abut_mjcf_mesh_mass(const AbutMesh *mesh, const AbutPolyhedron *hull, AbutMjcfInertia rule, AbutMass *out) {
    if (rule == ABUT_MJCF_INERTIA_SHELL && mesh->triangle_count == 0) return hull_shell(hull, out);
    if (rule == ABUT_MJCF_INERTIA_CONVEX || mesh->triangle_count == 0) {
        *out = hull ? hull->mass : (AbutMass){0};
        return hull != NULL;
    }
    if (rule == ABUT_MJCF_INERTIA_EXACT && solid_mass(mesh, out)) return 1;
    AbutMat3 moment = abut_mat3_diagonal(0.0, 0.0, 0.0);
    AbutVec3 v[3], middle;
    double total = 0.0, area, volume;
    out->centroid = center_of(mesh, rule);
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        corners(mesh, i, v);
        for (int k = 0; k < 3; ++k) v[k] = abut_sub(v[k], out->centroid);
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

/* Volume and moments of unit density, in the axes of the geom. */
static AbutMjcfInertial in_axes(double volume, double xx, double yy, double zz) {
    return (AbutMjcfInertial){volume, abut_pose_identity(), {xx, yy, zz}, abut_mat3_diagonal(xx, yy, zz)};
}

static AbutMjcfInertial of_round(AbutMass solid) {
    return in_axes(solid.volume, solid.inertia.x.x, solid.inertia.y.y, solid.inertia.z.z);
}

/* The solid of density 1 in the frame of the geom; empty for planes and what is not simulated. */
static AbutMjcfInertial solid_of(const AbutDraftGeom *geom) {
    double a = geom->def.form.size.x, b = geom->def.form.size.y, c = geom->def.form.size.z;
    double aa = a * a, bb = b * b, cc = c * c, v;
    switch (geom->type) {
    case ABUT_MJCF_SPHERE:
        return of_round(abut_sphere_mass((AbutSphere){abut_zero(), a}));
    case ABUT_MJCF_CAPSULE:
        return of_round(abut_capsule_mass((AbutCapsule){abut_vec3(0, 0, -c), abut_vec3(0, 0, c), a}));
    case ABUT_MJCF_ELLIPSOID:
        v = 4.0 / 3.0 * ABUT_PI * a * b * c;
        return in_axes(v, v * ((bb + cc) / 5.0), v * ((aa + cc) / 5.0), v * ((aa + bb) / 5.0));
    case ABUT_MJCF_CYLINDER:
        v = 2.0 * ABUT_PI * a * a * c;
        return in_axes(v, v * (aa / 4.0 + cc / 3.0), v * (aa / 4.0 + cc / 3.0), v * (aa / 2.0));
    case ABUT_MJCF_BOX:
        v = 8.0 * a * b * c;
        return in_axes(v, v * ((bb + cc) / 3.0), v * ((aa + cc) / 3.0), v * ((aa + bb) / 3.0));
    default:
        return in_axes(0.0, 0.0, 0.0, 0.0);
    }
}

/*
 * The surface of an ellipsoid, as MuJoCo weighs it: its area by Thomsen's formula, within 1.1 % of the true one, spread
 * like the solid between this ellipsoid and one with half axes longer by 1e-6 m.
 */
static AbutMjcfInertial ellipsoid_shell(const AbutDraftGeom *geom) {
    const double p = 1.6075, skin = 1e-6;
    double a = geom->def.form.size.x, b = geom->def.form.size.y, c = geom->def.form.size.z;
    double area = 4.0 * ABUT_PI * pow((pow(a * b, p) + pow(b * c, p) + pow(c * a, p)) / 3.0, 1.0 / p);
    AbutDraftGeom outer = *geom;
    outer.def.form.size = abut_vec3(a + skin, b + skin, c + skin);
    AbutMjcfInertial in = solid_of(geom), out = solid_of(&outer);
    double part = area / (out.mass - in.mass);
    return in_axes(area, part * (out.moment[0] - in.moment[0]), part * (out.moment[1] - in.moment[1]),
        part * (out.moment[2] - in.moment[2]));
}

/* The surface likewise; the ends of a cylinder are closed. */
static AbutMjcfInertial shell_of(const AbutDraftGeom *geom) {
    double a = geom->def.form.size.x, b = geom->def.form.size.y, c = geom->def.form.size.z;
    double aa = a * a, bb = b * b, cc = c * c;
    double ball = 4.0 * ABUT_PI * aa, side = 4.0 * ABUT_PI * a * c, ends = 2.0 * ABUT_PI * aa;
    double across = side * (aa / 2.0 + cc / 3.0), yz = 8.0 * b * c, xz = 8.0 * a * c, xy = 8.0 * a * b;
    switch (geom->type) {
    case ABUT_MJCF_SPHERE:
        return in_axes(ball, ball * aa / 1.5, ball * aa / 1.5, ball * aa / 1.5);
    case ABUT_MJCF_CAPSULE:
        across += ball * (5.0 / 12.0 * aa + (c + a / 2.0) * (c + a / 2.0));
        return in_axes(side + ball, across, across, side * aa + ball * aa / 1.5);
    case ABUT_MJCF_ELLIPSOID:
        return ellipsoid_shell(geom);
    case ABUT_MJCF_CYLINDER:
        across += ends * (aa / 4.0 + cc);
        return in_axes(side + ends, across, across, side * aa + ends * aa / 2.0);
    case ABUT_MJCF_BOX:
        return in_axes(yz + xz + xy, yz * (bb + cc) / 3.0 + xz * (cc / 3.0 + bb) + xy * (bb / 3.0 + cc),
            xz * (aa + cc) / 3.0 + yz * (cc / 3.0 + aa) + xy * (aa / 3.0 + cc),
            xy * (aa + bb) / 3.0 + yz * (bb / 3.0 + aa) + xz * (aa / 3.0 + bb));
    default:
        return in_axes(0.0, 0.0, 0.0, 0.0);
    }
}

AbutMjcfInertial abut_mjcf_geom_mass(const AbutDraftGeom *geom, const AbutMjcfInertial *mesh) {
    AbutMjcfInertial out = geom->type == ABUT_MJCF_MESH ? *mesh : geom->shell ? shell_of(geom) : solid_of(geom);
    if (!(out.mass > 0.0)) return (AbutMjcfInertial){.place = geom->def.pose};
    double mass = geom->mass >= 0.0 ? geom->mass : geom->def.density * out.mass;
    AbutRigid own = {mass, out.place.p, abut_mat3_scale(out.inertia, mass / out.mass)};
    own = abut_rigid_move(own, geom->def.pose);
    for (int i = 0; i < 3; ++i) out.moment[i] *= mass / out.mass;
    out.mass = mass;
    out.place = abut_pose(own.center, abut_quat_mul(geom->def.pose.q, out.place.q));
    out.inertia = own.inertia;
    return out;
}
