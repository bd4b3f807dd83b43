/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies in words: "cylinder:0.1,0.3" is an exact cylinder. One table has the names, how many numbers each takes and
 * what they make. A name that is none of these is left to be a file.
 */
#include "operands.h"

#include <string.h>

typedef struct Primitive {
    const char *name;
    int count; /* of numbers */
    const char *numbers;
    AbutConvex (*make)(const double *v);
} Primitive;

static AbutConvex make_sphere(const double *v)
{
    return abut_convex_point(abut_zero(), v[0]);
}

static AbutConvex make_capsule(const double *v)
{
    return abut_convex_segment(abut_vec3(0, 0, -v[1]), abut_vec3(0, 0, v[1]), v[0]);
}

static AbutConvex make_cylinder(const double *v)
{
    return abut_convex_cylinder(v[0], v[1], 0.0);
}

static AbutConvex make_cone(const double *v)
{
    return abut_convex_cone(v[0], v[1], 0.0);
}

static AbutConvex make_box(const double *v)
{
    return abut_convex_box(abut_vec3(v[0], v[1], v[2]), 0.0);
}

static AbutConvex make_ellipsoid(const double *v)
{
    return abut_convex_ellipsoid(abut_vec3(v[0], v[1], v[2]), 0.0);
}

/* The normal may have any length; the offset goes with it. */
static AbutPlane plane_of(const double *v)
{
    AbutVec3 n = abut_vec3(v[0], v[1], v[2]);
    double length = abut_length(n);
    return (AbutPlane){abut_scale(n, 1.0 / length), v[3] / length};
}

static AbutConvex make_half_space(const double *v)
{
    return abut_convex_half_space(plane_of(v), 0.0);
}

static AbutConvex make_plane(const double *v)
{
    return abut_convex_plane(plane_of(v), 0.0);
}

static const Primitive primitives[] = {
    {"sphere", 1, "RADIUS", make_sphere},
    {"capsule", 2, "RADIUS,HALF_LENGTH", make_capsule},
    {"cylinder", 2, "RADIUS,HALF_HEIGHT", make_cylinder},
    {"cone", 2, "RADIUS,HALF_HEIGHT", make_cone},
    {"box", 3, "X,Y,Z", make_box},
    {"ellipsoid", 3, "X,Y,Z", make_ellipsoid},
    {"half-space", 4, "NX,NY,NZ,OFFSET", make_half_space},
    {"plane", 4, "NX,NY,NZ,OFFSET", make_plane},
};

enum { PRIMITIVES = sizeof primitives / sizeof primitives[0] };

/* Positive sizes; a normal of some length. */
static int numbers_fit(const Primitive *p, const double *v)
{
    int positive = p->count == 4 ? abut_length(abut_vec3(v[0], v[1], v[2])) > 0.0 : 1;
    for (int i = 0; i < p->count; ++i)
        positive = positive && isfinite(v[i]) && (p->count == 4 || v[i] > 0.0);
    return positive;
}

static const double FLATTEST = 1e-6; /* ellipsoid that the queries take */

static int too_flat(const double *axis)
{
    double least = abut_smaller(axis[0], abut_smaller(axis[1], axis[2]));
    return !(least >= FLATTEST * abut_max_abs(abut_vec3(axis[0], axis[1], axis[2])));
}

static int make(const CliCommand *command, const char *text, const char *numbers, const Primitive *p, AbutConvex *out)
{
    CliReals r;
    if (!cli_read_reals(numbers, &r) || r.count != p->count || !numbers_fit(p, r.value))
        return cli_error(command, "'%s': expected %s:%s, %s", text, p->name, p->numbers,
            p->count == 4 ? "with a normal that is not zero" : "all positive");
    *out = p->make(r.value);
    if (out->kind == ABUT_CONVEX_ELLIPSOID && too_flat(r.value))
        return cli_error(command, "'%s': the shortest semi-axis must be at least %g of the longest", text, FLATTEST);
    return CLI_OK;
}

int primitive_parse(const CliCommand *command, const char *text, AbutConvex *out)
{
    const char *colon = strchr(text, ':');
    char name[32];
    size_t length = colon ? (size_t)(colon - text) : sizeof name;
    if (length >= sizeof name)
        return CLI_GO;
    memcpy(name, text, length);
    name[length] = 0;
    for (int i = 0; i < PRIMITIVES; ++i)
        if (strcmp(name, primitives[i].name) == 0)
            return make(command, text, colon + 1, &primitives[i], out);
    const char *near = abut_suggest(name, PRIMITIVES, &primitives[0].name, sizeof primitives[0]);
    return near ? cli_error(command, "'%s': no body is called '%s'; did you mean '%s'?", text, name, near) : CLI_GO;
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

int primitive_shape(const CliCommand *command, const AbutConvex *convex, AbutGeometryDef *out)
{
    out->size = convex->p[0];
    out->resolution = 64;
    switch (convex->kind) {
    case ABUT_CONVEX_BOX:
        out->kind = ABUT_SHAPE_BOX;
        return CLI_GO;
    case ABUT_CONVEX_POINT:
        out->kind = ABUT_SHAPE_SPHERE;
        out->size = abut_vec3(convex->radius, 0, 0);
        return CLI_GO;
    case ABUT_CONVEX_SEGMENT:
        out->kind = ABUT_SHAPE_CAPSULE;
        out->size = abut_vec3(convex->radius, 0, convex->p[1].z);
        return CLI_GO;
    case ABUT_CONVEX_CYLINDER:
        out->kind = ABUT_SHAPE_CYLINDER;
        return CLI_GO;
    case ABUT_CONVEX_ELLIPSOID:
        out->kind = ABUT_SHAPE_ELLIPSOID;
        return CLI_GO;
    case ABUT_CONVEX_CONE:
        out->kind = ABUT_SHAPE_CONE;
        return CLI_GO;
    default:
        return cli_error(command, "half-spaces and planes have no end: no mesh of them can be made");
    }
}
