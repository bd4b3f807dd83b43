/* SPDX-License-Identifier: Apache-2.0 */
/* Distance fields of convex bodies in closed form, and of grids by the same call; solid_field.h says what they are. */
#include "contact/solid_field.h"
#include "math/functions.h"

int abut_solid_has_field(const AbutConvex *solid) {
    switch (solid->kind) {
    case ABUT_CONVEX_POINT:
    case ABUT_CONVEX_SEGMENT:
    case ABUT_CONVEX_BOX:
    case ABUT_CONVEX_HALF_SPACE:
    case ABUT_CONVEX_CYLINDER:
        return 1;
    case ABUT_CONVEX_POLYHEDRON:
        return solid->polyhedron->dimension == 3;
    default:
        return 0;
    }
}

int abut_solid_field_open(AbutPressureBody body, AbutSolidField *out) {
    out->solid = body.solid;
    out->lipschitz = 1.0, out->slack = 0.0;
    if (body.solid) return abut_solid_has_field(body.solid);
    if (!body.surface) return 0;
    out->grid = abut_soft_grid_open(body.surface);
    out->lipschitz = ABUT_SOFT_LIPSCHITZ, out->slack = 2.0 * ABUT_SOFT_FIELD_OFF * body.surface->step;
    return 1;
}

/* From the point of a segment that is nearest. */
static double of_segment(AbutVec3 a, AbutVec3 b, AbutVec3 p, AbutVec3 *gradient) {
    AbutVec3 way = abut_sub(b, a), from = abut_sub(p, a);
    double square = abut_length_sq(way), t = square > 0.0 ? abut_dot(from, way) / square : 0.0;
    from = abut_sub(from, abut_scale(way, abut_smaller(abut_larger(t, 0.0), 1.0)));
    *gradient = abut_normalize(from);
    return abut_length(from);
}

static double of_box(AbutVec3 half, AbutVec3 p, AbutVec3 *gradient) {
    AbutVec3 sign = abut_vec3(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0, p.z < 0.0 ? -1.0 : 1.0);
    AbutVec3 d = abut_vec3(fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z);
    AbutVec3 out = abut_vec3(abut_larger(d.x, 0.0), abut_larger(d.y, 0.0), abut_larger(d.z, 0.0));
    double far = abut_length(out);
    if (far > 0.0) {
        *gradient = abut_scale(abut_mul(out, sign), 1.0 / far);
        return far;
    }
    int axis = d.x >= d.y && d.x >= d.z ? 0 : (d.y >= d.z ? 1 : 2);
    *gradient = abut_scale(abut_axis(axis), abut_get(sign, axis));
    return abut_get(d, axis);
}

/* For a profile: x outside the side, z outside the ends. */
static double of_cylinder(AbutVec3 size, AbutVec3 p, AbutVec3 *gradient) {
    AbutVec3 out = abut_normalize(abut_vec3(p.x, p.y, 0.0)), up = abut_vec3(0.0, 0.0, p.z < 0.0 ? -1.0 : 1.0);
    double x = abut_hypot(p.x, p.y) - size.x, z = fabs(p.z) - size.z;
    if (x <= 0.0 || z <= 0.0) {
        *gradient = x > z ? out : up;
        return abut_larger(x, z);
    }
    double far = abut_hypot(x, z);
    *gradient = abut_scale(abut_add(abut_scale(out, x), abut_scale(up, z)), 1.0 / far);
    return far;
}

static double of_planes(const AbutPolyhedron *polyhedron, AbutVec3 p, AbutVec3 *gradient) {
    const AbutFace *face = abut_polyhedron_faces(polyhedron);
    double most = -INFINITY;
    int32_t which = 0;
    for (int32_t i = 0; i < polyhedron->face_count; ++i) {
        double d = abut_dot(face[i].plane.normal, p) - face[i].plane.offset;
        which = d > most ? i : which;
        most = d > most ? d : most;
    }
    *gradient = face[which].plane.normal;
    return most;
}

static double of_solid(const AbutConvex *c, AbutVec3 p, AbutVec3 *gradient) {
    switch (c->kind) {
    case ABUT_CONVEX_HALF_SPACE:
        *gradient = c->p[0];
        return abut_dot(c->p[0], p) - c->p[1].x;
    case ABUT_CONVEX_BOX:
        return of_box(c->p[0], p, gradient);
    case ABUT_CONVEX_CYLINDER:
        return of_cylinder(c->p[0], p, gradient);
    case ABUT_CONVEX_POLYHEDRON:
        return of_planes(c->polyhedron, p, gradient);
    default:
        return of_segment(c->p[0], c->kind == ABUT_CONVEX_SEGMENT ? c->p[1] : c->p[0], p, gradient);
    }
}

double abut_solid_field(const AbutSolidField *field, AbutVec3 p, AbutVec3 *gradient) {
    AbutVec3 unused;
    if (field->solid) return of_solid(field->solid, p, gradient ? gradient : &unused) - field->solid->radius;
    return gradient ? abut_soft_value_gradient(&field->grid, p, gradient) : abut_soft_value(&field->grid, p);
}
