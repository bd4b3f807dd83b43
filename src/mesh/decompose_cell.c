/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells of the convex decomposition: cutting, hulls, and where to cut next.
 *
 * In: a mesh and its tree. Out: cells with the polygons inside them. Method: triangles are clipped by planes along the
 * axes; new corners get the coordinate of the plane exactly, so that cells on both sides share them. The best of 21
 * cuts is that with the least sum of hull volumes. These are measured on samples of at most SAMPLE polygons, which only
 * guides the choice; volumes that are reported come from all points. A cut that would leave surface in a part with a
 * flat hull is not made: every part has a hull with a volume, and the pieces cover the surface of open meshes, too.
 */
#include "mesh/decompose_cell.h"
#include "mesh/tolerance.h"
#include "shape/mesh_edges.h"

#include <string.h>

enum { SAMPLE = 4000, PROBES = 256, CUTS = 3 * ABUT_CELL_CUTS };

static double get(AbutVec3 v, int axis)
{
    return abut_get(v, axis);
}

static AbutVec3 with(AbutVec3 v, int axis, double x)
{
    return abut_vec3(axis == 0 ? x : v.x, axis == 1 ? x : v.y, axis == 2 ? x : v.z);
}

static AbutVec3 corner_of(const double low[3], const double high[3], int k)
{
    return abut_vec3(k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]);
}

/* ---- cutting ----------------------------------------------------------------------------------------------------- */

/* Where an edge goes through a plane: the same for all polygons that share it. */
static AbutVec3 crossing(AbutVec3 a, AbutVec3 b, int axis, double at)
{
    if (get(a, axis) > get(b, axis)) {
        AbutVec3 low = b;
        b = a, a = low;
    }
    return with(abut_lerp(a, b, (at - get(a, axis)) / (get(b, axis) - get(a, axis))), axis, at);
}

/* The part of a polygon with side * (x - at) >= 0; gives the number of its corners. */
static int clip(const AbutCellPolygon *p, int axis, double at, double side, AbutVec3 out[ABUT_CELL_CORNERS])
{
    int count = 0;
    for (int i = 0; i < p->count; ++i) {
        AbutVec3 a = p->v[i], b = p->v[i + 1 < p->count ? i + 1 : 0];
        double da = side * (get(a, axis) - at), db = side * (get(b, axis) - at);
        if (da >= 0.0 && count < ABUT_CELL_CORNERS)
            out[count++] = a;
        if (((da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0)) && count < ABUT_CELL_CORNERS)
            out[count++] = crossing(a, b, axis, at);
    }
    return count;
}

static unsigned corners_inside(const AbutMeshTree *tree, const double low[3], const double high[3])
{
    unsigned bits = 0;
    for (int k = 0; k < 8; ++k)
        bits |= (unsigned)(abut_mesh_inside(tree, corner_of(low, high, k)) == 1) << k;
    return bits;
}

AbutStatus abut_cell_begin(const AbutMesh *mesh, const AbutMeshTree *tree, AbutCell *out, AbutError *error)
{
    memset(out, 0, sizeof *out);
    out->polygon = abut_alloc_array((size_t)mesh->triangle_count, sizeof *out->polygon);
    if (!out->polygon)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory to decompose %d triangles", mesh->triangle_count);
    out->count = mesh->triangle_count;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        out->polygon[i].count = 3;
        for (int k = 0; k < 3; ++k)
            out->polygon[i].v[k] = mesh->vertices[mesh->triangles[i].v[k]];
    }
    for (int k = 0; k < 3; ++k) {
        double low = get(tree->box.min, k), high = get(tree->box.max, k), room = 1e-6 * (high - low);
        out->low[k] = low - room, out->high[k] = high + room;
    }
    return ABUT_OK;
}

void abut_cell_free(AbutCell *cell)
{
    abut_free(cell->polygon);
    cell->polygon = NULL;
}

static AbutStatus split_off(
    const AbutCell *cell, const AbutMeshTree *tree, double side, AbutCell *out, AbutError *error)
{
    *out = *cell;
    out->polygon = abut_alloc_array((size_t)cell->count + 1, sizeof *out->polygon);
    if (!out->polygon)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d polygons of a part", cell->count);
    *(side > 0.0 ? &out->low[cell->axis] : &out->high[cell->axis]) = cell->at;
    out->count = 0;
    for (int32_t i = 0; i < cell->count; ++i) {
        AbutCellPolygon *p = &out->polygon[out->count];
        p->count = clip(&cell->polygon[i], cell->axis, cell->at, side, p->v);
        out->count += p->count > 0;
    }
    out->inside = corners_inside(tree, out->low, out->high);
    return ABUT_OK;
}

AbutStatus abut_cell_split(
    const AbutCell *cell, const AbutMeshTree *tree, AbutCell *low, AbutCell *high, AbutError *error)
{
    high->polygon = NULL;
    AbutStatus status = split_off(cell, tree, -1.0, low, error);
    if (!status)
        status = split_off(cell, tree, 1.0, high, error);
    if (status)
        abut_cell_free(low);
    return status;
}

/* ---- hulls ------------------------------------------------------------------------------------------------------- */

/* Volume of the hull of points, of which only the different ones stay; it is put into *out unless that is NULL, and is
 * freed and NULL when it has no volume. Polygons share corners, and a hull takes long over points that repeat. */
static AbutStatus hull_of(int count, AbutVec3 *point, double *volume, AbutPolyhedron **out, AbutError *error)
{
    AbutPolyhedron *hull = NULL;
    count = abut_points_distinct(point, count);
    if (count < 0)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the hull of a part");
    AbutStatus status = count > 3 ? abut_polyhedron_from_points(point, count, NULL, &hull, error) : ABUT_OK;
    *volume = hull && hull->dimension == 3 ? hull->mass.volume : 0.0;
    if (out)
        *out = *volume > 0.0 ? hull : NULL;
    if (!out || *volume == 0.0)
        abut_polyhedron_free(hull);
    return status;
}

static int add_corners(const double low[3], const double high[3], unsigned inside, AbutVec3 *out)
{
    int count = 0;
    for (int k = 0; k < 8; ++k)
        if (inside >> k & 1U)
            out[count++] = corner_of(low, high, k);
    return count;
}

AbutStatus abut_cell_hull(AbutCell *cell, AbutPolyhedron **out, AbutError *error)
{
    size_t room = 8;
    for (int32_t i = 0; i < cell->count; ++i)
        room += (size_t)cell->polygon[i].count;
    AbutVec3 *point = room < INT32_MAX ? abut_alloc_array(room, sizeof *point) : NULL;
    if (!point)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the hull of %zu points", room);
    int count = add_corners(cell->low, cell->high, cell->inside, point);
    for (int32_t i = 0; i < cell->count; ++i)
        for (int k = 0; k < cell->polygon[i].count; ++k)
            point[count++] = cell->polygon[i].v[k];
    AbutStatus status = hull_of(count, point, &cell->volume, out, error);
    abut_free(point);
    return status;
}

/* ---- where to cut ------------------------------------------------------------------------------------------------ */

typedef struct Search {
    const AbutCell *cell;
    const AbutMeshTree *tree;
    double low[3], high[3]; /* of the polygons */
    double whole;           /* hull volume of the sample */
    double gain[CUTS], at[CUTS];
    AbutStatus status[CUTS];
} Search;

static void measure_extent(Search *s)
{
    for (int axis = 0; axis < 3; ++axis) {
        s->low[axis] = INFINITY, s->high[axis] = -INFINITY;
        for (int32_t i = 0; i < s->cell->count; ++i)
            for (int k = 0; k < s->cell->polygon[i].count; ++k) {
                double x = get(s->cell->polygon[i].v[k], axis);
                s->low[axis] = abut_smaller(s->low[axis], x), s->high[axis] = abut_larger(s->high[axis], x);
            }
    }
}

/* Hull volume of every stride-th polygon on one side of a cut; side 0: of all of them. */
static AbutStatus sample_volume(const Search *s, int32_t stride, int axis, double at, double side, double *volume)
{
    const AbutCell *c = s->cell;
    double low[3], high[3];
    memcpy(low, c->low, sizeof low);
    memcpy(high, c->high, sizeof high);
    if (side != 0.0)
        *(side > 0.0 ? &low[axis] : &high[axis]) = at;
    AbutVec3 *point = abut_alloc_array((size_t)(c->count / stride + 1) * ABUT_CELL_CORNERS + 8, sizeof *point);
    if (!point)
        return ABUT_ERROR_MEMORY;
    unsigned inside = side == 0.0 ? c->inside : corners_inside(s->tree, low, high);
    int count = add_corners(low, high, inside, point);
    for (int32_t i = 0; i < c->count; i += stride) {
        if (side != 0.0) {
            count += clip(&c->polygon[i], axis, at, side, point + count);
        } else {
            memcpy(point + count, c->polygon[i].v, (size_t)c->polygon[i].count * sizeof *point);
            count += c->polygon[i].count;
        }
    }
    AbutStatus status = hull_of(count, point, volume, NULL, NULL);
    abut_free(point);
    return status;
}

/* The same of a sample that is as large as it needs to be: what seems to be flat is measured by all polygons. */
static AbutStatus side_volume(const Search *s, int axis, double at, double side, double *volume)
{
    int32_t stride = 1 + s->cell->count / SAMPLE;
    AbutStatus status = sample_volume(s, stride, axis, at, side, volume);
    return !status && *volume == 0.0 && stride > 1 ? sample_volume(s, 1, axis, at, side, volume) : status;
}

/* Does any polygon reach beyond the cut on this side? */
static int reaches_beyond(const AbutCell *c, int axis, double at, double side)
{
    for (int32_t i = 0; i < c->count; ++i)
        for (int k = 0; k < c->polygon[i].count; ++k)
            if (side * (get(c->polygon[i].v[k], axis) - at) > 0.0)
                return 1;
    return 0;
}

/* What a cut takes off the volume; -INFINITY where it would leave surface on a side whose hull is flat, which no piece
 * would cover. Surface in the plane of the cut belongs to both sides, and one of them may be flat. */
static AbutStatus measure_cut(const Search *s, int axis, double at, double *gain)
{
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

static void measure_cuts(int begin, int end, int worker, void *user)
{
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
static double hollow_volume(const AbutCell *c, const AbutMeshTree *tree)
{
    static const double step[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    int inside = 0;
    double box = 1.0, f[3];
    for (int k = 0; k < 3; ++k)
        box *= c->high[k] - c->low[k];
    for (int i = 0; i < PROBES; ++i) {
        for (int k = 0; k < 3; ++k)
            f[k] = c->low[k] + (c->high[k] - c->low[k]) * ((0.5 + step[k] * i) - floor(0.5 + step[k] * i));
        inside += abut_mesh_inside(tree, abut_vec3(f[0], f[1], f[2])) == 1;
    }
    return c->volume - box * inside / PROBES;
}

/* A cup has no first cut that gains: halve it along its longest side, unless that would leave a flat part. */
static AbutStatus halve_if_hollow(AbutCell *c, const Search *s)
{
    double hollow = hollow_volume(c, s->tree), gain;
    int axis = 0;
    if (!(hollow > ABUT_PIECES_HOLLOW * c->volume) || 0.25 * hollow <= c->gain)
        return ABUT_OK;
    for (int k = 1; k < 3; ++k)
        axis = s->high[k] - s->low[k] > s->high[axis] - s->low[axis] ? k : axis;
    double at = 0.5 * (s->low[axis] + s->high[axis]);
    AbutStatus status = measure_cut(s, axis, at, &gain);
    if (!status && isfinite(gain))
        c->gain = 0.25 * hollow, c->axis = axis, c->at = at;
    return status;
}

AbutStatus abut_cell_find_cut(AbutCell *c, const AbutMeshTree *tree, int threads, AbutError *error)
{
    Search s = {.cell = c, .tree = tree};
    c->gain = 0.0;
    if (c->count == 0 || !(c->volume > 0.0))
        return ABUT_OK;
    measure_extent(&s);
    AbutStatus status = side_volume(&s, 0, 0.0, 0.0, &s.whole);
    if (!status)
        abut_parallel_for(CUTS, 1, threads, measure_cuts, &s);
    for (int i = 0; i < CUTS && !status; ++i) {
        status = s.status[i];
        if (!status && s.gain[i] > c->gain)
            c->gain = s.gain[i], c->axis = i / ABUT_CELL_CUTS, c->at = s.at[i];
    }
    if (!status && tree->inside != ABUT_MESH_OPEN && c->gain < ABUT_PIECES_LITTLE_GAIN * c->volume)
        status = halve_if_hollow(c, &s);
    return status ? abut_fail(error, status, "a part of the mesh has no hull") : ABUT_OK;
}
