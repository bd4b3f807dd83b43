/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of procedural meshes, and the one entry that makes them by name.
 * In: a name, a wished number of triangles, sizes in meters. Out: a mesh centered at the origin (the middle of its box;
 * of the ideal shape for round ones).
 */
#include "shape/make.h"

#include <string.h>

static const AbutMeshMaker makers[] = {
    {"sphere", "ball with poles on the z axis", "radius=0.25", 1, {0.25}, 2000, abut_make_sphere},
    {"box", "box along the axes", "x=0.4,y=0.3,z=0.2", 3, {0.4, 0.3, 0.2}, 12, abut_make_box},
    {"cylinder", "cylinder along the z axis", "radius=0.15,height=0.4", 2, {0.15, 0.4}, 2000, abut_make_cylinder},
    {"cone", "cone along the z axis, tip up", "radius=0.2,height=0.4", 2, {0.2, 0.4}, 2000, abut_make_cone},
    {"capsule", "cylinder along the z axis with half balls", "radius=0.1,length=0.3", 2, {0.1, 0.3}, 2000,
        abut_make_capsule},
    {"torus", "ring about the z axis", "ring=0.3,tube=0.1", 2, {0.3, 0.1}, 4000, abut_make_torus},
    {"bumpy-torus", "ring with bumps", "ring=0.3,tube=0.1,bump=0.02", 3, {0.3, 0.1, 0.02}, 10000,
        abut_make_bumpy_torus},
    {"cup", "thick-walled cup, open upward", "radius=0.15,height=0.3,wall=0.02", 3, {0.15, 0.3, 0.02}, 4000,
        abut_make_cup},
    {"finger", "bent robot finger of three phalanges", "length=0.3,radius=0.04,arc=0.35", 3, {0.3, 0.04, 0.35}, 4000,
        abut_make_finger},
    {"fish", "fish swimming along x", "length=0.5,height=0.18,width=0.1", 3, {0.5, 0.18, 0.1}, 4000, abut_make_fish},
    {"cross", "three bars along the axes, as one solid", "length=0.5,width=0.1", 2, {0.5, 0.1}, 1000, abut_make_cross},
    {"knot", "trefoil tube", "ring=0.2,tube=0.035", 2, {0.2, 0.035}, 10000, abut_make_knot},
    {"statue", "standing figure on a pedestal", "height=1", 1, {1.0}, 100000, abut_make_statue},
};

enum { MAKERS = sizeof makers / sizeof makers[0] };

const AbutMeshMaker *abut_mesh_makers(int *count) {
    ABUT_ASSERT(count);
    *count = MAKERS;
    return makers;
}

/* Sizes must be positive and near enough to each other for triangles that are not slivers. */
static AbutStatus check_sizes(const AbutMeshMaker *maker, const double *sizes, AbutError *error) {
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < maker->size_count; ++i) {
        if (!isfinite(sizes[i]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "make %s: size %d is not finite", maker->name, i + 1);
        if (!(sizes[i] >= 1e-9 && sizes[i] <= 1e9))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "make %s: size %d (%g) is not in 1e-9 .. 1e9 (%s)",
                maker->name, i + 1, sizes[i], maker->sizes);
        least = fmin(least, sizes[i]), most = fmax(most, sizes[i]);
    }
    if (most > 1e4 * least)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "make %s: sizes differ by more than a factor of 1e4", maker->name);
    return ABUT_OK;
}

static int find_maker(const char *name) {
    int k = 0;
    while (k < MAKERS && strcmp(makers[k].name, name) != 0) ++k;
    return k;
}

AbutStatus abut_mesh_make(const char *name, int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    ABUT_ASSERT(name && out);
    AbutMesh none = {0, 0, NULL, NULL};
    *out = none;
    int k = find_maker(name);
    if (k == MAKERS) return abut_fail(error, ABUT_ERROR_ARGUMENT, "make: there is no shape called '%s'", name);
    if (triangles < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "make %s: %d triangles cannot be made", name, triangles);
    if (triangles > ABUT_MAKE_MAX_TRIANGLES)
        return abut_fail(error, ABUT_ERROR_LIMIT, "make %s: more than %d triangles", name, ABUT_MAKE_MAX_TRIANGLES);
    if (!sizes) sizes = makers[k].size_default;
    AbutStatus status = check_sizes(&makers[k], sizes, error);
    if (status != ABUT_OK) return status;
    return makers[k].make(triangles ? triangles : makers[k].triangles_default, sizes, out, error);
}
