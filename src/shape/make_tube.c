/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Closed tubes: torus, bumpy torus, trefoil knot. A tube is a closed curve with, at each of its points, two unit
 * vectors e1, e2 across it such that e1 x e2 runs along the curve.
 */
#include "shape/make.h"

/* Girth of a tube against its length decide the shape of the cells. */
static AbutStatus make_tube(int triangles, double length, double girth, AbutGridSize least, AbutSurface *surface,
    const double *sizes, AbutMesh *out, AbutError *error) {
    return abut_make_even_grid(1, abut_make_grid_size(triangles, length, girth, least), surface, sizes, out, error);
}

/* Torus about the z axis: s is the angle along the ring. */
static AbutVec3 torus_point(double s, double v, double ring, double tube) {
    double out = ring + tube * abut_cos(v);
    /* e1 points outward, e2 down, and e1 x e2 along growing s */
    return abut_vec3(out * abut_cos(s), out * abut_sin(s), -tube * abut_sin(v));
}

static AbutVec3 torus_surface(double u, double v, const void *shape) {
    const double *sizes = shape;
    return torus_point(2.0 * ABUT_PI * u, v, sizes[0], sizes[1]);
}

static AbutVec3 bumpy_surface(double u, double v, const void *shape) {
    const double *sizes = shape;
    double s = 2.0 * ABUT_PI * u;
    return torus_point(s, v, sizes[0], sizes[1] + sizes[2] * abut_sin(7.0 * s) * abut_sin(3.0 * v + 2.0 * s));
}

AbutStatus abut_make_torus(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    AbutGridSize least = {3, 3};
    if (!(sizes[1] <= 0.99 * sizes[0]))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "make torus: the tube radius must be below 0.99 of the ring radius");
    return make_tube(triangles, sizes[0], sizes[1], least, torus_surface, sizes, out, error);
}

AbutStatus abut_make_bumpy_torus(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    AbutGridSize least = {5, 4};
    if (!(sizes[1] + sizes[2] <= 0.99 * sizes[0] && sizes[2] <= 0.5 * sizes[1]))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "make bumpy-torus: bumps must be below half the tube radius, and tube and bumps below 0.99 of the ring");
    return make_tube(triangles, sizes[0], sizes[1], least, bumpy_surface, sizes, out, error);
}

/*
 * The trefoil winds twice around the z axis and three times around the tube of a torus of ring radius R and tube radius
 * R / 2. The normal of that torus lies across the curve and comes back to itself: it is e1.
 */
static AbutVec3 knot_surface(double u, double v, const void *shape) {
    const double *sizes = shape;
    double s = 2.0 * ABUT_PI * u, small = 0.5 * sizes[0], far = sizes[0] + small * abut_cos(3.0 * s);
    double c2 = abut_cos(2.0 * s), s2 = abut_sin(2.0 * s), c3 = abut_cos(3.0 * s), s3 = abut_sin(3.0 * s);
    AbutVec3 center = abut_vec3(far * c2, far * s2, small * s3);
    AbutVec3 e1 = abut_vec3(c3 * c2, c3 * s2, s3);
    AbutVec3 along =
        abut_vec3(-3.0 * small * s3 * c2 - 2.0 * far * s2, -3.0 * small * s3 * s2 + 2.0 * far * c2, 3.0 * small * c3);
    AbutVec3 e2 = abut_cross(abut_normalize(along), e1);
    return abut_add_scaled(abut_add_scaled(center, e1, sizes[1] * abut_cos(v)), e2, sizes[1] * abut_sin(v));
}

AbutStatus abut_make_knot(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    AbutGridSize least = {18, 3};
    if (!(sizes[1] <= 0.2 * sizes[0]))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "make knot: the tube radius must be at most 0.2 of the ring radius");
    return make_tube(triangles, 2.6 * sizes[0], sizes[1], least, knot_surface, sizes, out, error);
}
