/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which triangle lies across which side of a mesh.
 *
 * In: a mesh. Out: for each triangle side the neighbour, -1 at a boundary, -2 where more than two triangles meet.
 * Method: the sides are sorted by their two vertices with two stable counting sorts (by the larger vertex number, then
 * by the smaller one), so that the sides along one edge come together. Time and memory grow linearly with the mesh.
 */
#include "shape/mesh_edges.h"

#include <string.h>

AbutStatus abut_mesh_check_indices(const AbutMesh *mesh, AbutError *error)
{
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int i = 0; i < 3; ++i) {
            int32_t v = mesh->triangles[t].v[i];
            if (v < 0 || v >= mesh->vertex_count)
                return abut_fail(error, ABUT_ERROR_ARGUMENT, "mesh: triangle %d names vertex %d of %d", (int)t, (int)v,
                    (int)mesh->vertex_count);
        }
    return ABUT_OK;
}

static int32_t side_key(const AbutMesh *mesh, int32_t side, int larger)
{
    int32_t from = abut_side_from(mesh, side), to = abut_side_to(mesh, side);
    return (from > to) == (larger != 0) ? from : to;
}

/* Stable sort of `count` sides from `in` to `out` by one of their vertices; `start` has vertex_count + 1 places. */
static void counting_sort(
    const AbutMesh *mesh, int larger, const int32_t *in, int32_t count, int32_t *start, int32_t *out)
{
    memset(start, 0, ((size_t)mesh->vertex_count + 1) * sizeof *start);
    for (int32_t k = 0; k < count; ++k)
        ++start[side_key(mesh, in[k], larger) + 1];
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        start[v + 1] += start[v];
    for (int32_t k = 0; k < count; ++k)
        out[start[side_key(mesh, in[k], larger)]++] = in[k];
}

static int32_t list_sides(const AbutMesh *mesh, int32_t *out)
{
    int32_t count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        if (!abut_triangle_repeats(&mesh->triangles[t]))
            for (int i = 0; i < 3; ++i)
                out[count++] = 3 * t + i;
    return count;
}

AbutStatus abut_mesh_edges_sort(const AbutMesh *mesh, AbutMeshEdges *out, AbutError *error)
{
    AbutMeshEdges edges = {NULL, 0};
    *out = edges;
    if (mesh->triangle_count > INT32_MAX / 3)
        return abut_fail(error, ABUT_ERROR_LIMIT, "mesh: %d triangles are too many", (int)mesh->triangle_count);
    AbutStatus status = abut_mesh_check_indices(mesh, error);
    if (status != ABUT_OK)
        return status;
    size_t room = 3 * (size_t)mesh->triangle_count;
    int32_t *other = abut_alloc_array(room, sizeof *other);
    int32_t *start = abut_alloc_array((size_t)mesh->vertex_count + 1, sizeof *start);
    edges.sides = abut_alloc_array(room, sizeof *edges.sides);
    if (other && start && edges.sides) {
        edges.count = list_sides(mesh, edges.sides);
        counting_sort(mesh, 1, edges.sides, edges.count, start, other);
        counting_sort(mesh, 0, other, edges.count, start, edges.sides);
        *out = edges;
    } else {
        abut_free(edges.sides);
        status = abut_fail_memory(error);
    }
    abut_free(other);
    abut_free(start);
    return status;
}

void abut_mesh_edges_free(AbutMeshEdges *edges)
{
    AbutMeshEdges none = {NULL, 0};
    abut_free(edges->sides);
    *edges = none;
}

int32_t abut_mesh_edges_end(const AbutMesh *mesh, const AbutMeshEdges *edges, int32_t first)
{
    int32_t low = side_key(mesh, edges->sides[first], 0), high = side_key(mesh, edges->sides[first], 1);
    int32_t end = first + 1;
    while (end < edges->count && side_key(mesh, edges->sides[end], 0) == low &&
           side_key(mesh, edges->sides[end], 1) == high)
        ++end;
    return end;
}

/* Writes the neighbours for the sides first .. end-1, which share one edge. */
static void join_sides(const int32_t *sides, int32_t first, int32_t end, AbutTriangle *neighbour)
{
    for (int32_t k = first; k < end; ++k) {
        int32_t across = end - first == 1 ? -1 : -2;
        if (end - first == 2)
            across = sides[k == first ? first + 1 : first] / 3;
        neighbour[sides[k] / 3].v[sides[k] % 3] = across;
    }
}

AbutStatus abut_mesh_adjacency(const AbutMesh *mesh, AbutTriangle **out, AbutError *error)
{
    ABUT_ASSERT(mesh && out);
    AbutMeshEdges edges;
    *out = NULL;
    AbutStatus status = abut_mesh_edges_sort(mesh, &edges, error);
    if (status != ABUT_OK)
        return status;
    AbutTriangle *neighbour = abut_alloc_array((size_t)mesh->triangle_count, sizeof *neighbour);
    if (!neighbour) {
        abut_mesh_edges_free(&edges);
        return abut_fail_memory(error);
    }
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        neighbour[t] = (AbutTriangle){{-1, -1, -1}};
    for (int32_t first = 0, end; first < edges.count; first = end) {
        end = abut_mesh_edges_end(mesh, &edges, first);
        join_sides(edges.sides, first, end, neighbour);
    }
    abut_mesh_edges_free(&edges);
    *out = neighbour;
    return ABUT_OK;
}
