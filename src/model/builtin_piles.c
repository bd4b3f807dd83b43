/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Piles: bodies in random poses above a floor. Each one gets a place of its own: x and y at random, z as low as it can
 * come from above while the centers stay `spacing` apart, which is more than the longest body.
 */
#include "math/functions.h"
#include "model/builtin_scene.h"

enum { HULL_TRIES = 50, HULL_MIN = 4, HULL_MAX = 40 };

/*
 * Columns over a grid of x, y whose cells have the diagonal `spacing`: of two centers in one cell the later is higher,
 * so that a cell is searched from its last center down and left when the next one is too low to matter.
 */
typedef struct Stacker {
    double half_width, spacing, lowest, cell;
    int side, count;
    int32_t *top;  /* last center of each cell, -1: none */
    int32_t *next; /* the one before it in the same cell */
    AbutVec3 *center;
} Stacker;

static void free_stacker(Stacker *s) {
    abut_free(s->top);
    abut_free(s->next);
    abut_free(s->center);
}

static AbutStatus make_stacker(
    Stacker *s, double half_width, double spacing, double lowest, int count, AbutError *error) {
    Stacker fresh = {half_width, spacing, lowest, spacing / sqrt(2.0), 0, 0, NULL, NULL, NULL};
    *s = fresh;
    s->side = (int)(2.0 * half_width / s->cell) + 1;
    size_t cells = (size_t)s->side * (size_t)s->side;
    s->top = abut_alloc_array(cells, sizeof *s->top);
    s->next = abut_alloc_array((size_t)count, sizeof *s->next);
    s->center = abut_alloc_array((size_t)count, sizeof *s->center);
    if (!s->top || !s->next || !s->center) {
        free_stacker(s);
        return abut_fail_memory(error);
    }
    for (size_t i = 0; i < cells; ++i) s->top[i] = -1;
    return ABUT_OK;
}

static int cell_of(const Stacker *s, double x) {
    int i = (int)((x + s->half_width) / s->cell);
    return i < 0 ? 0 : i >= s->side ? s->side - 1 : i;
}

/* Raises p so that it keeps its distance from the centers of one cell. */
static void rise(const Stacker *s, int cell, AbutVec3 *p) {
    for (int32_t i = s->top[cell]; i >= 0 && s->center[i].z + s->spacing > p->z; i = s->next[i]) {
        double dx = s->center[i].x - p->x, dy = s->center[i].y - p->y,
               free_way = s->spacing * s->spacing - dx * dx - dy * dy;
        if (free_way > 0.0) p->z = abut_larger(p->z, s->center[i].z + sqrt(free_way));
    }
}

static AbutVec3 next_place(Stacker *s, AbutRng *rng) {
    AbutVec3 p;
    p.x = abut_rng_between(rng, -s->half_width, s->half_width);
    p.y = abut_rng_between(rng, -s->half_width, s->half_width);
    p.z = s->lowest;
    int cx = cell_of(s, p.x), cy = cell_of(s, p.y);
    for (int i = cx - 2; i <= cx + 2; ++i)
        for (int j = cy - 2; j <= cy + 2; ++j)
            if (i >= 0 && i < s->side && j >= 0 && j < s->side) rise(s, i * s->side + j, &p);
    int32_t *top = &s->top[cx * s->side + cy];
    s->center[s->count] = p;
    s->next[s->count] = *top;
    *top = s->count++;
    return p;
}

/* Seconds that a pile of this height needs to fall and come to rest. */
static double settle_time(const Stacker *s) {
    double highest = 0.0;
    for (int i = 0; i < s->count; ++i) highest = abut_larger(highest, s->center[i].z);
    return abut_larger(4.0, ceil(sqrt(2.0 * highest / ABUT_GRAVITY)) + 2.0);
}

static AbutStatus fall_boxes(AbutBuild *build, double half_width) {
    Stacker stacker;
    int count = (int)build->number;
    ABUT_TRY(make_stacker(&stacker, half_width, 0.235, 0.12, count, build->error));
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        AbutVec3 p = next_place(&stacker, &build->rng);
        status = abut_build_box(build, abut_pose(p, abut_random_quat(&build->rng)), i);
    }
    build->model->time = settle_time(&stacker);
    free_stacker(&stacker);
    return status;
}

AbutStatus abut_build_boxes(AbutBuild *build) {
    AbutStatus status = abut_build_ground(build, abut_pose_identity(), ABUT_DEFAULT_FRICTION);
    return status == ABUT_OK ? fall_boxes(build, 0.2) : status;
}

/* Four walls around a square of half side `inside`, high enough for twice the volume of the bodies, each of `volume`.
 */
static AbutStatus add_bin(AbutBuild *build, double inside, double volume) {
    AbutBodyDef body = abut_body_default();
    int32_t bin;
    double thick = 0.02, height = 0.3 + 2.0 * build->number * volume / (4.0 * inside * inside);
    body.kind = ABUT_BODY_STATIC;
    body.name = "bin";
    AbutStatus status = abut_model_add_body(build->model, &body, &bin, build->error);
    for (int i = 0; i < 4 && status == ABUT_OK; ++i) {
        AbutShapeDef shape = abut_build_box_shape();
        double out = (i % 2 ? 1.0 : -1.0) * (inside + thick);
        shape.pose.p = i < 2 ? abut_vec3(out, 0.0, 0.5 * height) : abut_vec3(0.0, out, 0.5 * height);
        shape.form.size =
            i < 2 ? abut_vec3(thick, inside + 2.0 * thick, 0.5 * height) : abut_vec3(inside, thick, 0.5 * height);
        shape.body = bin;
        status = abut_model_add_shape(build->model, &shape, NULL, build->error);
    }
    return status;
}

/* The bin of 50 boxes and fewer has one size; with their number it widens so that its filling keeps its form. */
AbutStatus abut_build_bin(AbutBuild *build) {
    double least = 0.14, inside = abut_larger(least, 0.038 * abut_cbrt(build->number));
    ABUT_TRY(abut_build_ground(build, abut_pose_identity(), ABUT_DEFAULT_FRICTION));
    ABUT_TRY(add_bin(build, inside, 0.001));
    return fall_boxes(build, 0.025 + (inside - least));
}

/* ---- round bodies ------------------------------------------------------------------------------------------------ */

/* One of six kinds; all are round but the last, a box. They resist rolling a little, as real ones do. */
static AbutShapeDef round_shape(int kind) {
    static const AbutShapeKind kinds[] = {ABUT_SHAPE_SPHERE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_CAPSULE,
        ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_CONE, ABUT_SHAPE_BOX};
    const AbutVec3 sizes[] = {{0.04, 0.04, 0.04}, {0.03, 0.03, 0.04}, {0.03, 0.03, 0.035}, {0.05, 0.04, 0.03},
        {0.045, 0.045, 0.045}, {0.04, 0.03, 0.03}};
    AbutShapeDef shape = abut_shape_default();
    shape.form.kind = kinds[kind];
    shape.form.size = sizes[kind];
    shape.form.resolution = 32;
    shape.material.friction_spinning = 1e-3;
    shape.material.friction_rolling = 1e-4;
    return shape;
}

/* Bodies of the first `kinds` kinds in turn fall into a bin that widens with their number. */
static AbutStatus fall_round(AbutBuild *build, int kinds, const char *stem, double spacing) {
    Stacker stacker;
    int count = (int)build->number;
    double inside = abut_larger(0.2, 0.055 * abut_cbrt(build->number));
    AbutBodyDef body = abut_body_default();
    ABUT_TRY(abut_build_ground(build, abut_pose_identity(), ABUT_DEFAULT_FRICTION));
    ABUT_TRY(add_bin(build, inside, spacing * spacing * spacing));
    ABUT_TRY(make_stacker(&stacker, inside - 0.55 * spacing, spacing, 0.5 * spacing + 0.01, count, build->error));
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        AbutShapeDef shape = round_shape(i % kinds);
        body.pose.p = next_place(&stacker, &build->rng);
        body.pose.q = abut_random_quat(&build->rng);
        status = abut_build_body(build, &body, &shape, stem, i);
    }
    build->model->time = settle_time(&stacker);
    free_stacker(&stacker);
    return status;
}

AbutStatus abut_build_balls(AbutBuild *build) { return fall_round(build, 1, "ball", 0.085); }

AbutStatus abut_build_shapes(AbutBuild *build) { return fall_round(build, 6, "shape", 0.135); }

/* ---- hulls ------------------------------------------------------------------------------------------------------- */

/* A hull of points on an ellipsoid within 0.06 m of the origin; drawn again while it is a sliver. */
static AbutStatus random_hull(AbutRng *rng, AbutPolyhedron **out, AbutError *error) {
    AbutVec3 points[HULL_MAX];
    int count = HULL_MIN + (int)abut_rng_below(rng, HULL_MAX - HULL_MIN + 1);
    AbutVec3 axes; /* drawn one by one: the order of arguments is the compiler's choice */
    axes.x = abut_rng_between(rng, 0.03, 0.06);
    axes.y = abut_rng_between(rng, 0.03, 0.06);
    axes.z = abut_rng_between(rng, 0.03, 0.06);
    for (int i = 0; i < HULL_TRIES; ++i) {
        for (int k = 0; k < count; ++k) points[k] = abut_mul(axes, abut_random_direction(rng));
        AbutStatus status = abut_polyhedron_from_points(points, count, NULL, out, error);
        if (status != ABUT_OK || (*out)->inner_radius > 0.15 * (*out)->bound.radius) return status;
        abut_polyhedron_free(*out);
    }
    return abut_polyhedron_regular(4, 0.05, out, error);
}

AbutStatus abut_build_hulls(AbutBuild *build) {
    Stacker stacker;
    int count = (int)build->number;
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    ABUT_TRY(abut_build_ground(build, abut_pose_identity(), ABUT_DEFAULT_FRICTION));
    ABUT_TRY(
        make_stacker(&stacker, abut_larger(0.2, 0.08 * abut_cbrt(build->number)), 0.125, 0.065, count, build->error));
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        AbutPolyhedron *hull;
        body.pose.p = next_place(&stacker, &build->rng);
        body.pose.q = abut_random_quat(&build->rng);
        status = random_hull(&build->rng, &hull, build->error);
        if (status != ABUT_OK) break;
        shape.form.polyhedron = hull;
        status = abut_build_body(build, &body, &shape, "hull", i);
        abut_polyhedron_free(hull);
    }
    build->model->time = settle_time(&stacker);
    free_stacker(&stacker);
    return status;
}
