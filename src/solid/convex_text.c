/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies in words: "cylinder:0.1,0.3" is an exact cylinder; one table has the names and how many numbers each takes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "abut/solid.h"

static const double FLATTEST = 1e-6; /* ellipsoid that the queries take */

static const struct Primitive {
    const char *name;
    AbutConvexKind kind;
    int count; /* of numbers */
    const char *numbers;
} primitives[] = {
    {"sphere", ABUT_CONVEX_POINT, 1, "RADIUS"},
    {"capsule", ABUT_CONVEX_SEGMENT, 2, "RADIUS,HALF_LENGTH"},
    {"cylinder", ABUT_CONVEX_CYLINDER, 2, "RADIUS,HALF_HEIGHT"},
    {"cone", ABUT_CONVEX_CONE, 2, "RADIUS,HALF_HEIGHT"},
    {"box", ABUT_CONVEX_BOX, 3, "X,Y,Z"},
    {"ellipsoid", ABUT_CONVEX_ELLIPSOID, 3, "X,Y,Z"},
    {"half-space", ABUT_CONVEX_HALF_SPACE, 4, "NX,NY,NZ,OFFSET"},
    {"plane", ABUT_CONVEX_PLANE, 4, "NX,NY,NZ,OFFSET"},
};

enum { COUNT = sizeof primitives / sizeof primitives[0] };

static AbutConvex make(AbutConvexKind kind, const double *v) {
    AbutVec3 size = abut_vec3(v[0], v[1], v[2]);
    double length = abut_length(size); /* a normal may have any; the offset goes with it */
    AbutPlane plane = {abut_scale(size, 1.0 / length), v[3] / length};
    switch (kind) {
    case ABUT_CONVEX_POINT:
        return abut_convex_point(abut_zero(), v[0]);
    case ABUT_CONVEX_SEGMENT:
        return abut_convex_segment(abut_vec3(0, 0, -v[1]), abut_vec3(0, 0, v[1]), v[0]);
    case ABUT_CONVEX_CYLINDER:
        return abut_convex_cylinder(v[0], v[1], 0.0);
    case ABUT_CONVEX_CONE:
        return abut_convex_cone(v[0], v[1], 0.0);
    case ABUT_CONVEX_ELLIPSOID:
        return abut_convex_ellipsoid(size, 0.0);
    case ABUT_CONVEX_HALF_SPACE:
        return abut_convex_half_space(plane, 0.0);
    case ABUT_CONVEX_PLANE:
        return abut_convex_plane(plane, 0.0);
    default:
        return abut_convex_box(size, 0.0);
    }
}

/* Positive sizes, or a normal of some length; not too flat. */
static AbutStatus read_numbers(
    const char *text, const char *numbers, const struct Primitive *p, AbutConvex *out, AbutError *error) {
    double v[5] = {0.0};
    int fits = abut_numbers_parse(numbers, 5, v) == p->count;
    double least = INFINITY, most = 0.0;
    for (int i = 0; fits && i < (p->count == 4 ? 3 : p->count); ++i)
        least = fmin(least, v[i]), most = fmax(most, fabs(v[i]));
    if (!fits || !(p->count == 4 ? most > 0.0 : least > 0.0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "'%s': expected %s:%s, %s", text, p->name, p->numbers,
            p->count == 4 ? "with a normal that is not zero" : "all positive");
    if (p->kind == ABUT_CONVEX_ELLIPSOID && !(least >= FLATTEST * most))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "'%s': the shortest semi-axis must be at least %g of the longest",
            text, FLATTEST);
    *out = make(p->kind, v);
    return ABUT_OK;
}

AbutStatus abut_convex_parse(const char *text, AbutConvex *out, int *found, AbutError *error) {
    ABUT_ASSERT(text && out && found);
    char name[32];
    size_t length = strcspn(text, ":");
    *found = 0;
    if (!text[length] || length >= sizeof name) return ABUT_OK;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    for (int i = 0; i < COUNT; ++i)
        if (strcmp(name, primitives[i].name) == 0)
            return *found = 1, read_numbers(text, text + length + 1, &primitives[i], out, error);
    const char *near = abut_suggest(name, COUNT, &primitives[0].name, sizeof primitives[0]);
    return near ? abut_fail(
                      error, ABUT_ERROR_ARGUMENT, "'%s': no body is called '%s'; did you mean '%s'?", text, name, near)
                : ABUT_OK;
}
