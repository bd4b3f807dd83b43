/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which triangle lies across which side of a mesh.
 *
 * In: a mesh. Out: for each triangle side the neighbor, -1 at a boundary, -2 where more than two triangles meet.
 * Method: the sides are sorted by their two vertices with two stable counting sorts (by the larger vertex number, then
 * by the smaller one), so that the sides along one edge come together. Time and memory grow linearly with the mesh.
 */
#include "shape/mesh_edges.h"

#include <string.h>

AbutStatus abut_mesh_check_indices(const AbutMesh *mesh, AbutError *error) {
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int i = 0; i < 3; ++i) {
            int32_t v = mesh->triangles[t].v[i];
            if (v < 0 || v >= mesh->vertex_count)
                return abut_fail(error, ABUT_ERROR_ARGUMENT, "mesh: triangle %d names vertex %d of %d", (int)t, (int)v,
                    (int)mesh->vertex_count);
        }
    return ABUT_OK;
}

/* Stable sort of `count` sides by the larger vertex, or the smaller; `start` has vertex_count + 1 places. */
static void counting_sort(
    const AbutMeshSide *in, int32_t count, int larger, int32_t vertex_count, int32_t *start, AbutMeshSide *out) {
    memset(start, 0, ((size_t)vertex_count + 1) * sizeof *start);
    for (int32_t k = 0; k < count; ++k) ++start[(larger ? in[k].high : in[k].low) + 1];
    for (int32_t v = 0; v < vertex_count; ++v) start[v + 1] += start[v];
    for (int32_t k = 0; k < count; ++k) out[start[larger ? in[k].high : in[k].low]++] = in[k];
}

static int32_t list_sides(const AbutMesh *mesh, AbutMeshSide *out) {
    int32_t count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int32_t i = 0; i < 3 && !abut_triangle_repeats(&mesh->triangles[t]); ++i) {
            int32_t from = mesh->triangles[t].v[i], to = mesh->triangles[t].v[i < 2 ? i + 1 : 0];
            out[count++] = from < to ? (AbutMeshSide){from, to, t, i, 1} : (AbutMeshSide){to, from, t, i, -1};
        }
    return count;
}

AbutStatus abut_mesh_edges_sort(const AbutMesh *mesh, AbutMeshEdges *out, AbutError *error) {
    AbutMeshEdges edges = {NULL, 0};
    *out = edges;
    if (mesh->triangle_count > INT32_MAX / 3)
        return abut_fail(error, ABUT_ERROR_LIMIT, "mesh: %d triangles are too many", (int)mesh->triangle_count);
    AbutStatus status = abut_mesh_check_indices(mesh, error);
    if (status != ABUT_OK) return status;
    size_t room = 3 * (size_t)mesh->triangle_count;
    AbutMeshSide *other = abut_alloc_array(room, sizeof *other);
    int32_t *start = abut_alloc_array((size_t)mesh->vertex_count + 1, sizeof *start);
    edges.sides = abut_alloc_array(room, sizeof *edges.sides);
    if (other && start && edges.sides) {
        edges.count = list_sides(mesh, edges.sides);
        counting_sort(edges.sides, edges.count, 1, mesh->vertex_count, start, other);
        counting_sort(other, edges.count, 0, mesh->vertex_count, start, edges.sides);
        *out = edges;
    } else {
        abut_free(edges.sides);
        status = abut_fail_memory(error);
    }
    abut_free(other);
    abut_free(start);
    return status;
}

void abut_mesh_edges_free(AbutMeshEdges *edges) {
    AbutMeshEdges none = {NULL, 0};
    abut_free(edges->sides);
    *edges = none;
}

int32_t abut_mesh_edges_end(const AbutMeshEdges *edges, int32_t first) {
    const AbutMeshSide *side = edges->sides;
    int32_t end = first + 1;
    while (end < edges->count && side[end].low == side[first].low && side[end].high == side[first].high) ++end;
    return end;
}

AbutStatus abut_mesh_adjacency(const AbutMesh *mesh, AbutTriangle **out, AbutError *error) {
    ABUT_ASSERT(mesh && out);
    AbutMeshEdges edges;
    *out = NULL;
    AbutStatus status = abut_mesh_edges_sort(mesh, &edges, error);
    if (status != ABUT_OK) return status;
    AbutTriangle *neighbor = abut_alloc_array((size_t)mesh->triangle_count, sizeof *neighbor);
    if (!neighbor) {
        abut_mesh_edges_free(&edges);
        return abut_fail_memory(error);
    }
    for (int32_t t = 0; t < mesh->triangle_count; ++t) neighbor[t] = (AbutTriangle){{-1, -1, -1}};
    for (int32_t first = 0, end; first < edges.count; first = end) {
        end = abut_mesh_edges_end(&edges, first);
        for (int32_t k = first; k < end; ++k)
            neighbor[edges.sides[k].triangle].v[edges.sides[k].i] = end - first == 1 ? -1
                                                                    : end - first == 2
                                                                        ? edges.sides[first + end - 1 - k].triangle
                                                                        : -2;
    }
    abut_mesh_edges_free(&edges);
    *out = neighbor;
    return ABUT_OK;
}
