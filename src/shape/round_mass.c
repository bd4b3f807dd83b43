/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mass properties of spheres, capsules, cylinders, cones and ellipsoids in closed form, for density 1.
 * A capsule is a cylinder of length L and two half balls; a half ball of mass m has 2/5 m r^2 about any axis through
 * the middle of its flat side, and its centroid lies 3/8 r from there. The area of an ellipsoid is 4 pi R_G(a^2 b^2,
 * a^2 c^2, b^2 c^2), the symmetric elliptic integral of the second kind (Carlson 1995).
 */
#include "shape/round_mass.h"

#include "math/functions.h"
#include "math/matrix.h"

AbutMass abut_sphere_mass(AbutSphere sphere) {
    double r = sphere.radius;
    AbutMass mass = {0};
    mass.volume = 4.0 / 3.0 * ABUT_PI * r * r * r;
    mass.area = 4.0 * ABUT_PI * r * r;
    mass.centroid = sphere.center;
    double moment = 0.4 * mass.volume * r * r;
    mass.inertia = abut_mat3_diagonal(moment, moment, moment);
    return mass;
}

AbutMass abut_capsule_mass(AbutCapsule capsule) {
    double r = capsule.radius, length = abut_point_distance(capsule.a, capsule.b);
    AbutVec3 axis = abut_normalize_or(abut_sub(capsule.b, capsule.a), abut_axis(2));
    double tube = ABUT_PI * r * r * length, caps = 4.0 / 3.0 * ABUT_PI * r * r * r;
    double along = 0.5 * tube * r * r + 0.4 * caps * r * r;
    double across = tube * (3.0 * r * r + length * length) / 12.0 +
                    caps * (0.4 * r * r + 0.25 * length * length + 0.375 * length * r);
    AbutMass mass = {0};
    mass.volume = tube + caps;
    mass.area = 2.0 * ABUT_PI * r * (length + 2.0 * r);
    mass.centroid = abut_add(abut_scale(capsule.a, 0.5), abut_scale(capsule.b, 0.5));
    mass.inertia = abut_mat3_add(
        abut_mat3_diagonal(across, across, across), abut_mat3_scale(abut_mat3_outer(axis, axis), along - across));
    return mass;
}

/* A body about z with the given volume, moments and height of the centroid. */
static AbutMass about_z(double volume, double area, double centroid, double across, double along) {
    AbutMass mass = {0};
    mass.volume = volume;
    mass.area = area;
    mass.centroid = abut_vec3(0.0, 0.0, centroid);
    mass.inertia = abut_mat3_diagonal(volume * across, volume * across, volume * along);
    return mass;
}

AbutMass abut_cylinder_mass(double r, double h) {
    return about_z(
        2.0 * ABUT_PI * r * r * h, 2.0 * ABUT_PI * r * (r + 2.0 * h), 0.0, r * r / 4.0 + h * h / 3.0, r * r / 2.0);
}

AbutMass abut_cone_mass(double r, double h) {
    return about_z(2.0 / 3.0 * ABUT_PI * r * r * h, ABUT_PI * r * (r + abut_hypot(r, 2.0 * h)), -h / 2.0,
        0.15 * (r * r + h * h), 0.3 * r * r);
}

/* R_F(x, y, z) and R_D(x, y, z) by duplication: both at once, since they share every step. Each step makes the
 * arguments four times more alike, and the remainder falls with the sixth power of that. */
static void elliptic(double x, double y, double z, double *rf, double *rd) {
    double sum = 0.0, power = 1.0;
    for (int step = 0; step < 28; ++step) {
        double lambda = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        sum += power / (sqrt(z) * (z + lambda));
        power *= 0.25;
        x = 0.25 * (x + lambda), y = 0.25 * (y + lambda), z = 0.25 * (z + lambda);
    }
    *rf = 1.0 / sqrt((x + y + z) / 3.0);
    *rd = 3.0 * sum + power / (z * sqrt(z));
}

/* R_G(x, y, z), z the largest: 2 R_G = z R_F - (x - z)(y - z) R_D / 3 + sqrt(x y / z). */
static double elliptic_g(double x, double y, double z) {
    double rf, rd;
    elliptic(x, y, z, &rf, &rd);
    return 0.5 * (z * rf - (x - z) * (y - z) * rd / 3.0 + sqrt(x * y / z));
}

static double ellipsoid_area(AbutVec3 a) {
    double x = a.x * a.x * a.y * a.y, y = a.x * a.x * a.z * a.z, z = a.y * a.y * a.z * a.z;
    double least = fmin(x, fmin(y, z)), most = fmax(x, fmax(y, z));
    double middle = fmax(fmin(x, y), fmin(fmax(x, y), z));
    return most > 0.0 ? 4.0 * ABUT_PI * elliptic_g(least, middle, most) : 0.0;
}

AbutMass abut_ellipsoid_mass(AbutVec3 a) {
    AbutMass mass = {0};
    AbutVec3 sq = abut_mul(a, a);
    mass.volume = 4.0 / 3.0 * ABUT_PI * a.x * a.y * a.z;
    mass.area = ellipsoid_area(a);
    mass.inertia = abut_mat3_scale(abut_mat3_diagonal(sq.y + sq.z, sq.z + sq.x, sq.x + sq.y), mass.volume / 5.0);
    return mass;
}
