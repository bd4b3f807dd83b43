/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes like living or carved things: finger, fish, statue. Each is a stack of cross-sections around a spine, with one
 * vertex at each end. Cross-sections are star-shaped about the spine and follow each other without overlap, so the
 * surface does not cut itself.
 */
#include "math/functions.h"
#include "shape/make.h"

/* From 0 to 1 as s goes from a to b, with level ends. */
static double smooth_step(double a, double b, double s) {
    double t = fmin(fmax((s - a) / (b - a), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

static double bell(double middle, double width, double s) {
    double t = (s - middle) / width;
    return abut_exp(-t * t);
}

/* Place along the spine, 0 to 1, with dense rows at the rounded ends. */
static double spine_place(double u) { return 0.5 - 0.5 * abut_cos(ABUT_PI * u); }

/* sizes: length, radius, radius of the arc of the spine. Three phalanges, thinner at the joints and towards the tip. */
static AbutVec3 finger_surface(double u, double v, const void *shape) {
    const double *sizes = shape;
    double s = spine_place(u), middle = abut_cos(ABUT_PI * u), fourth = middle * middle * middle * middle;
    double end = sqrt(fmax(1.0 - fourth * fourth, 0.0));
    double joints = 1.0 - 0.22 * bell(0.4, 0.04, s) - 0.22 * bell(0.71, 0.035, s);
    double r = sizes[1] * end * joints * (1.0 - 0.3 * s);
    double arc = sizes[2], angle = s * sizes[0] / arc, out = arc - r * abut_cos(v);
    return abut_vec3(arc - out * abut_cos(angle), r * abut_sin(v), out * abut_sin(angle));
}

AbutStatus abut_make_finger(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    AbutGridSize least = {6, 4};
    if (!(sizes[2] >= 0.5 * sizes[0] && sizes[2] >= 1.1 * sizes[1]))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "make finger: the arc must be at least 0.5 of the length and 1.1 of the radius");
    AbutGridSize size = abut_make_grid_size(triangles, sizes[0], 4.0 * sizes[1], least);
    AbutStatus status = abut_make_even_grid(0, size, finger_surface, sizes, out, error);
    if (status == ABUT_OK) abut_make_center(out);
    return status;
}

/* sizes: length, height, width. Nose at growing x; the thin tail fin stands upright; the spine waves sideways. */
static AbutVec3 fish_surface(double u, double v, const void *shape) {
    const double *sizes = shape;
    double s = spine_place(u), end = abut_sin(ABUT_PI * u);
    double fore = smooth_step(0.12, 0.55, s), tail = bell(0.06, 0.06, s);
    double height = 0.5 * sizes[1] * end * (0.18 + 0.82 * fore + 1.5 * tail + 0.25 * bell(0.55, 0.08, s));
    double width = 0.5 * sizes[2] * end * (0.15 + 0.85 * fore);
    double wave = 0.06 * sizes[0] * (1.0 - s) * abut_sin(2.0 * ABUT_PI * s);
    return abut_vec3(sizes[0] * s, wave + width * abut_cos(v), height * abut_sin(v));
}

AbutStatus abut_make_fish(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    AbutGridSize least = {6, 4};
    AbutGridSize size = abut_make_grid_size(triangles, sizes[0], 1.2 * (sizes[1] + sizes[2]), least);
    AbutStatus status = abut_make_even_grid(0, size, fish_surface, sizes, out, error);
    if (status == ABUT_OK) abut_make_center(out);
    return status;
}

/* Outline of the figure above its pedestal: robe, waist, shoulders, neck, head. Distances in units of the height. */
static const double figure_knots[][2] = {{0.185, 0.0}, {0.165, 0.10}, {0.145, 0.22}, {0.125, 0.34}, {0.112, 0.45},
    {0.125, 0.55}, {0.150, 0.64}, {0.135, 0.715}, {0.065, 0.765}, {0.055, 0.80}, {0.085, 0.85}, {0.095, 0.90},
    {0.080, 0.95}, {0.045, 0.985}, {0.0, 1.0}};
enum { FIGURE_KNOTS = sizeof figure_knots / sizeof figure_knots[0] };

/* Cubic through b and c with the tangents of the neighbors. */
static double spline(double a, double b, double c, double d, double t) {
    double m0 = 0.5 * (c - a), m1 = 0.5 * (d - b), t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * b + (t3 - 2 * t2 + t) * m0 + (3 * t2 - 2 * t3) * c + (t3 - t2) * m1;
}

/* numbers: height of the figure, height of its foot */
static AbutOutlinePoint figure_at(double t, const double *numbers) {
    double at = t * (FIGURE_KNOTS - 1);
    int k = at >= FIGURE_KNOTS - 2 ? FIGURE_KNOTS - 2 : (int)at;
    int before = k > 0 ? k - 1 : 0, after = k + 2 < FIGURE_KNOTS ? k + 2 : FIGURE_KNOTS - 1;
    double value[2];
    for (int i = 0; i < 2; ++i)
        value[i] =
            spline(figure_knots[before][i], figure_knots[k][i], figure_knots[k + 1][i], figure_knots[after][i], at - k);
    AbutOutlinePoint p = {fmax(value[0], 0.0) * numbers[0], value[1] * numbers[0] + numbers[1]};
    return p;
}

/* How far the surface at height s (0 foot, 1 crown) and angle v stands out of the round figure, as a factor. */
static double carve(double s, double v) {
    double fade = smooth_step(0.0, 0.08, s) * (1.0 - smooth_step(0.93, 1.0, s));
    double robe = 0.07 * (1.0 - smooth_step(0.35, 0.6, s)) * abut_sin(9.0 * v + 5.0 * s);
    double shoulders = 0.34 * bell(0.63, 0.13, s) * abut_cos(2.0 * v);
    double face =
        0.28 * bell(0.885, 0.018, s) * bell(1.5 * ABUT_PI, 0.16, v) + 0.08 * bell(0.86, 0.05, s) * abut_cos(2.0 * v);
    double hair = 0.03 * smooth_step(0.86, 0.9, s) * abut_sin(14.0 * v + 30.0 * s);
    double chisel = 0.006 * abut_sin(31.0 * v) * abut_sin(90.0 * s);
    return 1.0 + fade * (robe + shoulders + face + hair + chisel);
}

static AbutVec3 statue_surface(double u, double v, const void *shape) {
    const AbutOutline *outline = shape;
    const double *figure = outline->piece[3].numbers;
    AbutOutlinePoint p = abut_outline_at(outline, u);
    double r = p.r;
    if (u > 3.0) r *= carve(fmin((p.z - figure[1]) / figure[0], 1.0), v);
    return abut_vec3(r * abut_cos(v), r * abut_sin(v), p.z);
}

AbutStatus abut_make_statue(int triangles, const double *sizes, AbutMesh *out, AbutError *error) {
    double height = sizes[0], half = 0.5 * height, foot = 0.18 * height - half, base = 0.22 * height;
    AbutOutline outline = {0};
    AbutOutlinePiece figure = {figure_at, {0.82 * height, foot, 0.0, 0.0, 0.0}, 1.0 * height};
    abut_outline_line(&outline, 0.0, -half, base, -half);
    abut_outline_line(&outline, base, -half, base, foot);
    abut_outline_line(&outline, base, foot, figure_knots[0][0] * 0.82 * height, foot);
    outline.piece[outline.count++] = figure;
    outline.girth = 0.9 * height;
    return abut_make_outline(triangles, &outline, statue_surface, &outline, out, error);
}
