/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Has the surface of a mesh an inside, and of how many parts is it?
 *
 * In: a mesh with good indices. Out: how inside is decided (AbutMeshTree.inside) and one triangle of each component.
 * Method: the sides of all triangles are sorted by edge, and those along one edge added up, with their direction and
 * without. A winding number exists exactly where the directed sums vanish.
 * Vertices are those of the caller; when that leaves the surface open or of mixed orientation, vertices at equal places
 * are made one and the question is asked again, so that seams with doubled vertices are closed. Components are joined
 * over common vertices.
 */
#include "shape/mesh_edges.h"
#include "shape/mesh_tree.h"

#include <string.h>

/* How inside is decided: by what the sides along every edge add up to, with their direction and without. */
static AbutStatus find_inside(const AbutMesh *mesh, int32_t *out, AbutError *error) {
    AbutMeshEdges edges;
    AbutStatus status = abut_mesh_edges_sort(mesh, &edges, error);
    *out = ABUT_MESH_WINDING;
    for (int32_t first = 0, end; first < edges.count && *out != ABUT_MESH_OPEN; first = end) {
        int32_t balance = 0;
        end = abut_mesh_edges_end(&edges, first);
        for (int32_t k = first; k < end; ++k) balance += edges.sides[k].up;
        if (balance != 0) *out = ABUT_MESH_PARITY;
        if ((end - first) % 2 != 0) *out = ABUT_MESH_OPEN;
    }
    abut_mesh_edges_free(&edges);
    return status;
}

/* First triangle of each component, in the order of the triangles. */
static AbutStatus find_components(const AbutMesh *mesh, AbutTreeSurface *out, AbutError *error) {
    size_t n = (size_t)mesh->vertex_count, capacity = 0;
    int32_t *parent = abut_alloc_array(n, sizeof *parent);
    if (!parent) return abut_fail_memory(error);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) parent[v] = v;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 2; ++k) abut_parts_join(parent, mesh->triangles[t].v[k], mesh->triangles[t].v[k + 1]);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) parent[v] = abut_part_root(parent, v);
    AbutStatus status = ABUT_OK;
    for (int32_t t = 0; t < mesh->triangle_count && status == ABUT_OK; ++t) {
        int32_t root = mesh->triangles[t].v[0];
        root = parent[root] >= 0 ? parent[root] : root;
        if (parent[root] < 0) continue;
        if (!abut_grow((void **)&out->component, &capacity, (size_t)out->component_count + 1, sizeof *out->component))
            status = abut_fail_memory(error);
        else
            out->component[out->component_count++] = t;
        parent[root] = -1; /* seen; only roots are marked */
    }
    abut_free(parent);
    return status;
}

static AbutStatus look_at(const AbutMesh *mesh, AbutTreeSurface *out, AbutError *error) {
    AbutStatus status = find_inside(mesh, &out->inside, error);
    if (status == ABUT_OK) status = find_components(mesh, out, error);
    if (status != ABUT_OK) {
        abut_free(out->component);
        out->component = NULL;
    }
    return status;
}

static AbutStatus look_at_welded(const AbutMesh *mesh, AbutTreeSurface *out, AbutError *error) {
    AbutMesh copy = {0};
    AbutStatus status = abut_mesh_create(mesh->vertex_count, mesh->triangle_count, &copy, error);
    if (status != ABUT_OK) return status;
    memcpy(copy.vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *copy.vertices);
    memcpy(copy.triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof *copy.triangles);
    status = abut_mesh_weld(&copy, error);
    if (status == ABUT_OK) status = look_at(&copy, out, error);
    abut_mesh_free(&copy);
    return status;
}

AbutStatus abut_tree_surface(const AbutMesh *mesh, AbutTreeSurface *out, AbutError *error) {
    AbutTreeSurface none = {ABUT_MESH_OPEN, 0, NULL};
    *out = none;
    if (mesh->triangle_count == 0) return ABUT_OK;
    AbutStatus status = look_at(mesh, out, error);
    if (status != ABUT_OK || out->inside == ABUT_MESH_WINDING) return status;
    abut_free(out->component);
    *out = none;
    return look_at_welded(mesh, out, error);
}
