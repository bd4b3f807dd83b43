/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells of the convex decomposition: cutting, and hulls.
 *
 * In: a mesh and its tree. Out: cells with the polygons inside them. Method: triangles are clipped by planes along the
 * axes; new corners get the coordinate of the plane exactly, so that cells on both sides share them.
 */
#include "mesh/decompose_cell.h"
#include "shape/mesh_edges.h"

#include <string.h>

static AbutVec3 with(AbutVec3 v, int axis, double x) {
    return abut_vec3(axis == 0 ? x : v.x, axis == 1 ? x : v.y, axis == 2 ? x : v.z);
}

static AbutVec3 corner_of(const double low[3], const double high[3], int k) {
    return abut_vec3(k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]);
}

/* ---- cutting ----------------------------------------------------------------------------------------------------- */

/* Where an edge goes through a plane: the same for all polygons that share it. */
static AbutVec3 crossing(AbutVec3 a, AbutVec3 b, int axis, double at) {
    if (abut_get(a, axis) > abut_get(b, axis)) {
        AbutVec3 low = b;
        b = a, a = low;
    }
    return with(abut_lerp(a, b, (at - abut_get(a, axis)) / (abut_get(b, axis) - abut_get(a, axis))), axis, at);
}

int abut_cell_clip(const AbutCellPolygon *p, int axis, double at, double side, AbutVec3 out[ABUT_CELL_CORNERS]) {
    int count = 0;
    for (int i = 0; i < p->count; ++i) {
        AbutVec3 a = p->v[i], b = p->v[i + 1 < p->count ? i + 1 : 0];
        double da = side * (abut_get(a, axis) - at), db = side * (abut_get(b, axis) - at);
        if (da >= 0.0 && count < ABUT_CELL_CORNERS) out[count++] = a;
        if (((da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0)) && count < ABUT_CELL_CORNERS)
            out[count++] = crossing(a, b, axis, at);
    }
    return count;
}

unsigned abut_cell_corners_inside(const AbutMeshTree *tree, const double low[3], const double high[3]) {
    unsigned bits = 0;
    for (int k = 0; k < 8; ++k) bits |= (unsigned)(abut_mesh_inside(tree, corner_of(low, high, k)) == 1) << k;
    return bits;
}

AbutStatus abut_cell_begin(const AbutMesh *mesh, const AbutMeshTree *tree, AbutCell *out, AbutError *error) {
    memset(out, 0, sizeof *out);
    out->polygon = abut_alloc_array((size_t)mesh->triangle_count, sizeof *out->polygon);
    if (!out->polygon) return abut_fail_memory(error);
    out->count = mesh->triangle_count;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        out->polygon[i].count = 3;
        for (int k = 0; k < 3; ++k) out->polygon[i].v[k] = mesh->vertices[mesh->triangles[i].v[k]];
    }
    for (int k = 0; k < 3; ++k) {
        double low = abut_get(tree->box.min, k), high = abut_get(tree->box.max, k), room = 1e-6 * (high - low);
        out->low[k] = low - room, out->high[k] = high + room;
    }
    return ABUT_OK;
}

void abut_cell_free(AbutCell *cell) {
    abut_free(cell->polygon);
    abut_polyhedron_free(cell->hull);
    cell->polygon = NULL;
    cell->hull = NULL;
}

static AbutStatus split_off(
    const AbutCell *cell, const AbutMeshTree *tree, double side, AbutCell *out, AbutError *error) {
    *out = *cell;
    out->hull = NULL;
    out->searched = 0;
    out->polygon = abut_alloc_array((size_t)cell->count + 1, sizeof *out->polygon);
    if (!out->polygon) return abut_fail_memory(error);
    *(side > 0.0 ? &out->low[cell->axis] : &out->high[cell->axis]) = cell->at;
    out->count = 0;
    for (int32_t i = 0; i < cell->count; ++i) {
        AbutCellPolygon *p = &out->polygon[out->count];
        p->count = abut_cell_clip(&cell->polygon[i], cell->axis, cell->at, side, p->v);
        out->count += p->count > 0;
    }
    out->inside = abut_cell_corners_inside(tree, out->low, out->high);
    return ABUT_OK;
}

AbutStatus abut_cell_split(
    const AbutCell *cell, const AbutMeshTree *tree, AbutCell *low, AbutCell *high, AbutError *error) {
    high->polygon = NULL;
    AbutStatus status = split_off(cell, tree, -1.0, low, error);
    if (!status) status = split_off(cell, tree, 1.0, high, error);
    if (status) abut_cell_free(low);
    return status;
}

/* ---- hulls ------------------------------------------------------------------------------------------------------- */

AbutStatus abut_cell_hull_of(int count, AbutVec3 *point, double *volume, AbutPolyhedron **out, AbutError *error) {
    AbutPolyhedron *hull = NULL;
    count = abut_points_distinct(point, count);
    if (count < 0) return abut_fail_memory(error);
    AbutStatus status = count > 3 ? abut_polyhedron_from_points(point, count, NULL, &hull, error) : ABUT_OK;
    *volume = hull && hull->dimension == 3 ? hull->mass.volume : 0.0;
    if (out) *out = *volume > 0.0 ? hull : NULL;
    if (!out || *volume == 0.0) abut_polyhedron_free(hull);
    return status;
}

int abut_cell_add_corners(const double low[3], const double high[3], unsigned inside, AbutVec3 *out) {
    int count = 0;
    for (int k = 0; k < 8; ++k)
        if (inside >> k & 1U) out[count++] = corner_of(low, high, k);
    return count;
}

AbutStatus abut_cell_make_hull(AbutCell *cell, AbutError *error) {
    size_t room = 8;
    for (int32_t i = 0; i < cell->count; ++i) room += (size_t)cell->polygon[i].count;
    AbutVec3 *point = room < INT32_MAX ? abut_alloc_array(room, sizeof *point) : NULL;
    if (!point) return abut_fail_memory(error);
    int count = abut_cell_add_corners(cell->low, cell->high, cell->inside, point);
    for (int32_t i = 0; i < cell->count; ++i)
        for (int k = 0; k < cell->polygon[i].count; ++k) point[count++] = cell->polygon[i].v[k];
    AbutStatus status = abut_cell_hull_of(count, point, &cell->volume, &cell->hull, error);
    abut_free(point);
    return status;
}
