/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Surfaces of revolution about the z axis: sphere, cylinder, cone, capsule, cup.
 *
 * In: an outline of smooth pieces from one point of the axis to another. Out: a mesh with a row of points at each
 * corner of the outline and single vertices on the axis. The rows are shared out among the pieces by length.
 */
#include "math/functions.h"
#include "shape/make.h"

static AbutOutlinePoint line_at(double t, const double *n) {
    AbutOutlinePoint p = {n[0] + t * (n[2] - n[0]), n[1] + t * (n[3] - n[1])};
    return p;
}

static AbutOutlinePoint arc_at(double t, const double *n) {
    double angle = n[3] + t * (n[4] - n[3]);
    AbutOutlinePoint p = {n[0] + n[2] * abut_cos(angle), n[1] + n[2] * abut_sin(angle)};
    return p;
}

void abut_outline_line(AbutOutline *outline, double r0, double z0, double r1, double z1) {
    AbutOutlinePiece piece = {line_at, {r0, z0, r1, z1, 0.0}, abut_hypot(r1 - r0, z1 - z0)};
    outline->piece[outline->count++] = piece;
}

void abut_outline_arc(AbutOutline *outline, double r, double z, double radius, double angle0, double angle1) {
    AbutOutlinePiece piece = {arc_at, {r, z, radius, angle0, angle1}, radius * fabs(angle1 - angle0)};
    outline->piece[outline->count++] = piece;
}

AbutOutlinePoint abut_outline_at(const AbutOutline *outline, double u) {
    int k = (int)u;
    if (k >= outline->count) k = outline->count - 1;
    return outline->piece[k].at(u - k, outline->piece[k].numbers);
}

static double outline_length(const AbutOutline *outline) {
    double length = 0.0;
    for (int k = 0; k < outline->count; ++k) length += outline->piece[k].length;
    return length;
}

/* Shares `steps` (at least one for each piece) among the pieces: one more, again and again, where steps are longest. */
static void share_steps(const AbutOutline *outline, int steps, int *share) {
    double length = outline_length(outline);
    int used = 0;
    for (int k = 0; k < outline->count; ++k) {
        share[k] = 1 + (int)((steps - outline->count) * (outline->piece[k].length / length) * (1.0 - 1e-12));
        used += share[k];
    }
    for (; used < steps; ++used) {
        int widest = 0;
        for (int k = 1; k < outline->count; ++k)
            if (outline->piece[k].length / share[k] > outline->piece[widest].length / share[widest]) widest = k;
        ++share[widest];
    }
}

AbutStatus abut_make_outline(int triangles, const AbutOutline *outline, AbutSurface *surface, const void *shape,
    AbutMesh *out, AbutError *error) {
    AbutGridSize least = {outline->count > 1 ? outline->count - 1 : 1, 3};
    AbutGridSize size = abut_make_grid_size(triangles, outline_length(outline), outline->girth, least);
    int share[ABUT_OUTLINE_PIECES], rows = 0;
    double *u = abut_alloc_array((size_t)size.along + 2, sizeof *u);
    if (!u) return abut_fail_memory(error);
    share_steps(outline, size.along + 1, share);
    for (int k = 0; k < outline->count; ++k)
        for (int i = 0; i < share[k]; ++i) u[rows++] = k + (double)i / share[k];
    u[rows++] = outline->count;
    AbutGrid grid = {u, rows, size.around, 0, surface, shape};
    AbutStatus status = abut_make_grid(&grid, out, error);
    abut_free(u);
    return status;
}

static AbutVec3 revolve(double u, double v, const void *shape) {
    AbutOutlinePoint p = abut_outline_at(shape, u);
    return abut_vec3(p.r * abut_cos(v), p.r * abut_sin(v), p.z);
}

static AbutStatus make_revolved(int triangles, AbutOutline *outline, double girth, AbutMesh *out, AbutError *error) {
    outline->girth = girth;
    return abut_make_outline(triangles, outline, revolve, outline, out, error);
}

AbutStatus abut_make_sphere(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    AbutOutline outline = {0};
    abut_outline_arc(&outline, 0.0, 0.0, sizes[0], -0.5 * ABUT_PI, 0.5 * ABUT_PI);
    return make_revolved(triangles, &outline, 6.0 * sizes[0], out, error);
}

AbutStatus abut_make_cylinder(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    double r = sizes[0], half = 0.5 * sizes[1];
    AbutOutline outline = {0};
    abut_outline_line(&outline, 0.0, -half, r, -half);
    abut_outline_line(&outline, r, -half, r, half);
    abut_outline_line(&outline, r, half, 0.0, half);
    return make_revolved(triangles, &outline, 6.0 * r, out, error);
}

AbutStatus abut_make_cone(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    double r = sizes[0], half = 0.5 * sizes[1];
    AbutOutline outline = {0};
    abut_outline_line(&outline, 0.0, -half, r, -half);
    abut_outline_line(&outline, r, -half, 0.0, half);
    return make_revolved(triangles, &outline, 5.0 * r, out, error);
}

AbutStatus abut_make_capsule(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    double r = sizes[0], half = 0.5 * sizes[1];
    AbutOutline outline = {0};
    abut_outline_arc(&outline, 0.0, -half, r, -0.5 * ABUT_PI, 0.0);
    abut_outline_line(&outline, r, -half, r, half);
    abut_outline_arc(&outline, 0.0, half, r, 0.0, 0.5 * ABUT_PI);
    return make_revolved(triangles, &outline, 6.0 * r, out, error);
}

AbutStatus abut_make_cup(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    double r = sizes[0], half = 0.5 * sizes[1], wall = sizes[2];
    if (!(wall <= 0.9 * r && wall <= 0.9 * sizes[1]))
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "make cup: the wall must be below 0.9 of the radius and the height");
    AbutOutline outline = {0};
    abut_outline_line(&outline, 0.0, -half, r, -half);
    abut_outline_line(&outline, r, -half, r, half);
    abut_outline_line(&outline, r, half, r - wall, half);
    abut_outline_line(&outline, r - wall, half, r - wall, -half + wall);
    abut_outline_line(&outline, r - wall, -half + wall, 0.0, -half + wall);
    return make_revolved(triangles, &outline, 6.0 * r, out, error);
}
