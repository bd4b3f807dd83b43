/* SPDX-License-Identifier: Apache-2.0 */
/* Mass properties of cylinders, cones and ellipsoids against sums of thin slices, and areas against sums of patches. */
#include "abut/shape.h"
#include "support/check.h"
#include "shape/round_mass.h"

/* Elliptic slices with half axes x(z), y(z) between -h and h, by Gauss's rule of three points in each layer. */
typedef struct Profile {
    double a, b, h;
    int kind; /* 0 cylinder, 1 cone, 2 ellipsoid */
} Profile;

static double scale_at(const Profile *p, double z) {
    return p->kind == 0 ? 1.0 : p->kind == 1 ? (p->h - z) / (2.0 * p->h) : sqrt(fmax(0.0, 1.0 - z * z / (p->h * p->h)));
}

static AbutMass sum_slices(const Profile *p) {
    static const double node[3] = {-0.7745966692414834, 0.0, 0.7745966692414834}, weight[3] = {5. / 9, 8. / 9, 5. / 9};
    enum { LAYERS = 200 };
    double v = 0, vz = 0, zz = 0, xx = 0, yy = 0;
    for (int i = 0; i < LAYERS; ++i)
        for (int k = 0; k < 3; ++k) {
            double half = p->h / LAYERS, z = -p->h + half * (2 * i + 1 + node[k]), s = scale_at(p, z);
            double slice = ABUT_PI * p->a * p->b * s * s * half * weight[k];
            v += slice;
            vz += slice * z;
            zz += slice * z * z;
            xx += slice * p->a * p->a * s * s / 4;
            yy += slice * p->b * p->b * s * s / 4;
        }
    AbutMass out = {0};
    double c = vz / v;
    out.volume = v;
    out.centroid = abut_vec3(0, 0, c);
    zz -= v * c * c;
    out.inertia = abut_mat3_diagonal(yy + zz, xx + zz, xx + yy);
    return out;
}

static void check_mass(AbutMass got, const Profile *p) {
    AbutMass want = sum_slices(p);
    double size = fmax(p->a, fmax(p->b, p->h));
    CHECK_NEAR(got.volume, want.volume, 1e-12 * want.volume);
    CHECK_VEC_NEAR(got.centroid, want.centroid, 1e-12 * size);
    CHECK_VEC_NEAR(got.inertia.x, want.inertia.x, 1e-12 * want.volume * size * size);
    CHECK_VEC_NEAR(got.inertia.y, want.inertia.y, 1e-12 * want.volume * size * size);
    CHECK_VEC_NEAR(got.inertia.z, want.inertia.z, 1e-12 * want.volume * size * size);
}

/* Area of the ellipsoid as an integral over angles: the trapezoidal rule on smooth periodic functions. */
static double area_by_patches(AbutVec3 s) {
    enum { AROUND = 400, UP = 400 };
    double sum = 0;
    for (int i = 0; i < UP; ++i)
        for (int j = 0; j < AROUND; ++j) {
            double t = ABUT_PI * i / UP, f = 2 * ABUT_PI * j / AROUND, st = sin(t), ct = cos(t);
            double x = s.y * s.z * st * cos(f), y = s.x * s.z * st * sin(f), z = s.x * s.y * ct;
            sum += st * sqrt(x * x + y * y + z * z);
        }
    return sum * ABUT_PI / UP * 2 * ABUT_PI / AROUND;
}

static void masses_by_slices(void **state) {
    (void)state;
    AbutRng rng = abut_rng(91, 1);
    for (int i = 0; i < 200; ++i) {
        double a = abut_rng_between(&rng, 0.1, 2), b = abut_rng_between(&rng, 0.1, 2),
               h = abut_rng_between(&rng, 0.1, 2);
        Profile can = {a, a, h, 0}, cone = {a, a, h, 1}, egg = {a, b, h, 2};
        check_mass(abut_cylinder_mass(a, h), &can);
        check_mass(abut_cone_mass(a, h), &cone);
        check_mass(abut_ellipsoid_mass(abut_vec3(a, b, h)), &egg);
    }
}

static void areas(void **state) {
    (void)state;
    AbutSphere ball = {{0, 0, 0}, 0.7};
    CHECK_NEAR(abut_ellipsoid_mass(abut_vec3(0.7, 0.7, 0.7)).area, abut_sphere_mass(ball).area, 1e-14);
    CHECK_NEAR(abut_cylinder_mass(1, 0.5).area, 4 * ABUT_PI, 1e-14);
    CHECK_NEAR(abut_cone_mass(3, 2).area, 24 * ABUT_PI, 1e-13); /* slant 5 */
    static const AbutVec3 axes[] = {{1, 2, 3}, {3, 1, 2}, {2, 3, 1}, {1, 1, 3}, {1, 3, 3}, {0.5, 1, 0.6}};
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; ++i) {
        double area = abut_ellipsoid_mass(axes[i]).area;
        CHECK_NEAR(area, area_by_patches(axes[i]), 2e-4 * area);
    }
    CHECK_NEAR(abut_ellipsoid_mass(abut_vec3(1, 2, 3)).area, abut_ellipsoid_mass(abut_vec3(3, 1, 2)).area, 1e-13);
    CHECK_NEAR(
        abut_ellipsoid_mass(abut_vec3(1, 1, 2)).area, 2 * ABUT_PI * (1 + 2 / sqrt(0.75) * asin(sqrt(0.75))), 1e-13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_by_slices),
        cmocka_unit_test(areas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
