/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where to cut a cell of the convex decomposition.
 *
 * In: a cell and the tree of its mesh. Out: the axis and place of its best cut, and what that takes off. Method: the
 * best of 21 cuts is that with the least sum of hull volumes. These are measured on samples of at most SAMPLE polygons,
 * one corner of each that is not cut, which only guides the choice; volumes that are reported come from all points. A
 * cut that would leave surface in a part with a flat hull is not made: every part has a hull with a volume, and the
 * pieces cover the surface of open meshes, too.
 */
#include "mesh/decompose_cell.h"
#include "mesh/tolerance.h"
#include "shape/hull.h"
#include "shape/mesh_edges.h"

#include <string.h>

enum { SAMPLE = 4000, PROBES = 256, CUTS = 3 * ABUT_CELL_CUTS };

typedef struct Search {
    const AbutCell *cell;
    const AbutMeshTree *tree;
    double low[3], high[3]; /* of the polygons */
    int32_t stride;         /* of the polygons that are looked at */
    double whole;           /* hull volume of these */
    double gain[CUTS], at[CUTS];
    AbutStatus status[CUTS];
} Search;

static void measure_extent(Search *s) {
    for (int axis = 0; axis < 3; ++axis) {
        s->low[axis] = INFINITY, s->high[axis] = -INFINITY;
        for (int32_t i = 0; i < s->cell->count; ++i)
            for (int k = 0; k < s->cell->polygon[i].count; ++k) {
                double x = abut_get(s->cell->polygon[i].v[k], axis);
                s->low[axis] = abut_smaller(s->low[axis], x), s->high[axis] = abut_larger(s->high[axis], x);
            }
    }
}

/* Hull volume of every stride-th polygon on one side of a cut; side 0: of all of them. */
static AbutStatus sample_volume(const Search *s, int32_t stride, int axis, double at, double side, double *volume) {
    const AbutCell *c = s->cell;
    double low[3], high[3];
    memcpy(low, c->low, sizeof low);
    memcpy(high, c->high, sizeof high);
    if (side != 0.0) *(side > 0.0 ? &low[axis] : &high[axis]) = at;
    AbutVec3 *point = abut_alloc_array((size_t)(c->count / stride + 1) * ABUT_CELL_CORNERS + 8, sizeof *point);
    if (!point) return ABUT_ERROR_MEMORY;
    unsigned inside = side == 0.0 ? c->inside : abut_cell_corners_inside(s->tree, low, high);
    int count = abut_cell_add_corners(low, high, inside, point);
    for (int32_t i = 0; i < c->count; i += stride) {
        const AbutCellPolygon *p = &c->polygon[i];
        int corners = p->count;
        if (side != 0.0)
            corners = abut_cell_clip(p, axis, at, side, point + count);
        else
            memcpy(point + count, p->v, (size_t)corners * sizeof *point);
        int whole = corners > 0 && memcmp(point + count, p->v, (size_t)corners * sizeof *point) == 0;
        count += whole && stride > 1 ? 1 : corners; /* of polygons far apart one corner tells as much */
    }
    count = abut_points_distinct(point, count);
    AbutStatus status = count < 0 ? ABUT_ERROR_MEMORY : ABUT_OK;
    *volume = 0.0;
    if (count > 3) status = abut_hull_volume(point, count, ABUT_PIECES_COARSE, volume, NULL);
    abut_free(point);
    return status;
}

/* As above, with a sample as large as needed: a seemingly flat one is measured by all polygons. */
static AbutStatus side_volume(const Search *s, int axis, double at, double side, double *volume) {
    AbutStatus status = sample_volume(s, s->stride, axis, at, side, volume);
    return !status && *volume == 0.0 && s->stride > 1 ? sample_volume(s, 1, axis, at, side, volume) : status;
}

/* Does any polygon reach beyond the cut on this side? */
static int reaches_beyond(const AbutCell *c, int axis, double at, double side) {
    for (int32_t i = 0; i < c->count; ++i)
        for (int k = 0; k < c->polygon[i].count; ++k)
            if (side * (abut_get(c->polygon[i].v[k], axis) - at) > 0.0) return 1;
    return 0;
}

/* Volume that a cut removes; -INFINITY where it would leave surface on a side whose hull is flat, which no piece
 * would cover. Surface in the plane of the cut belongs to both sides, and one of them may be flat. */
static AbutStatus measure_cut(const Search *s, int axis, double at, double *gain) {
    double volume[2] = {0.0, 0.0};
    AbutStatus status = ABUT_OK;
    int bare = 0;
    for (int k = 0; k < 2 && !status; ++k) {
        double side = k == 0 ? -1.0 : 1.0;
        status = side_volume(s, axis, at, side, &volume[k]);
        bare |= volume[k] == 0.0 && reaches_beyond(s->cell, axis, at, side);
    }
    *gain = bare ? -INFINITY : s->whole - volume[0] - volume[1];
    return status;
}

static void measure_cuts(int begin, int end, int worker, void *user) {
    Search *s = user;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        int axis = i / ABUT_CELL_CUTS;
        double part = (i % ABUT_CELL_CUTS + 1.0) / (ABUT_CELL_CUTS + 1.0);
        s->at[i] = s->low[axis] + (s->high[axis] - s->low[axis]) * part;
        s->status[i] = measure_cut(s, axis, s->at[i], &s->gain[i]);
    }
}

/* Part of a cell's hull that is not solid, by probes over the box of the cell. */
static double hollow_volume(const AbutCell *c, const AbutMeshTree *tree) {
    static const double step[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    int inside = 0;
    double box = 1.0, f[3];
    for (int k = 0; k < 3; ++k) box *= c->high[k] - c->low[k];
    for (int i = 0; i < PROBES; ++i) {
        for (int k = 0; k < 3; ++k)
            f[k] = c->low[k] + (c->high[k] - c->low[k]) * ((0.5 + step[k] * i) - floor(0.5 + step[k] * i));
        inside += abut_mesh_inside(tree, abut_vec3(f[0], f[1], f[2])) == 1;
    }
    return c->volume - box * inside / PROBES;
}

/* A cup has no first cut that gains: halve it along its longest side, unless that would leave a flat part. */
static AbutStatus halve_if_hollow(AbutCell *c, const Search *s) {
    double hollow = hollow_volume(c, s->tree), gain;
    int axis = 0;
    if (!(hollow > ABUT_PIECES_HOLLOW * c->volume) || 0.25 * hollow <= c->gain) return ABUT_OK;
    for (int k = 1; k < 3; ++k) axis = s->high[k] - s->low[k] > s->high[axis] - s->low[axis] ? k : axis;
    double at = 0.5 * (s->low[axis] + s->high[axis]);
    AbutStatus status = measure_cut(s, axis, at, &gain);
    if (!status && isfinite(gain)) c->gain = 0.25 * hollow, c->axis = axis, c->at = at;
    return status;
}

AbutStatus abut_cell_find_cut(AbutCell *c, const AbutMeshTree *tree, int threads, AbutError *error) {
    Search s = {.cell = c, .tree = tree, .stride = 1 + c->count / SAMPLE};
    c->gain = 0.0;
    if (c->count == 0 || !(c->volume > 0.0)) return ABUT_OK;
    measure_extent(&s);
    AbutStatus status = side_volume(&s, 0, 0.0, 0.0, &s.whole);
    if (!status) abut_parallel_for(CUTS, 1, threads, measure_cuts, &s);
    for (int i = 0; i < CUTS && !status; ++i) {
        status = s.status[i];
        if (!status && s.gain[i] > c->gain) c->gain = s.gain[i], c->axis = i / ABUT_CELL_CUTS, c->at = s.at[i];
    }
    if (!status && tree->inside != ABUT_MESH_OPEN && c->gain < ABUT_PIECES_LITTLE_GAIN * c->volume)
        status = halve_if_hollow(c, &s);
    return status ? abut_fail(error, status, "a part of the mesh has no hull") : ABUT_OK;
}
