/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Has the surface of a mesh an inside, and of how many parts is it?
 *
 * In: a mesh with good indices. Out: how inside is decided (AbutMeshTree.inside) and one triangle of each component.
 * Method: the sides of all triangles are sorted into lists by their smaller vertex; in each list the sides along one
 * edge are added up, with their direction and without. A winding number exists exactly where the directed sums vanish.
 * Vertices are those of the caller; when that leaves the surface open or of mixed orientation, vertices at equal places
 * are made one and the question is asked again, so that seams with doubled vertices are closed. Components are joined
 * over common vertices.
 */
#include "shape/mesh_tree.h"

#include <string.h>

/* Side lists: those of vertex v are entry[start[v]] .. entry[start[v + 1] - 1], each 2 * other vertex + direction. */
typedef struct Sides {
    size_t *start;
    uint32_t *entry;
    int32_t *balance; /* of each other vertex: sides up minus sides down */
    int32_t *number;  /* of each other vertex: sides */
} Sides;

static int side_of(const AbutTriangle *t, int k, int32_t *low, uint32_t *entry)
{
    int32_t a = t->v[k], b = t->v[(k + 1) % 3];
    *low = a < b ? a : b;
    *entry = a < b ? 2U * (uint32_t)b + 1U : 2U * (uint32_t)a;
    return a != b;
}

static void sort_sides(const AbutMesh *mesh, Sides *s)
{
    int32_t low;
    uint32_t entry;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            if (side_of(&mesh->triangles[t], k, &low, &entry))
                ++s->start[low + 1];
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        s->start[v + 1] += s->start[v];
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            if (side_of(&mesh->triangles[t], k, &low, &entry))
                s->entry[s->start[low]++] = entry;
    for (int32_t v = mesh->vertex_count; v > 0; --v)
        s->start[v] = s->start[v - 1];
    s->start[0] = 0;
}

static int32_t add_sides(const AbutMesh *mesh, Sides *s)
{
    int32_t inside = ABUT_MESH_WINDING;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        for (size_t i = s->start[v]; i < s->start[v + 1]; ++i) {
            s->balance[s->entry[i] / 2] += (s->entry[i] & 1) ? 1 : -1;
            ++s->number[s->entry[i] / 2];
        }
        for (size_t i = s->start[v]; i < s->start[v + 1]; ++i) {
            uint32_t other = s->entry[i] / 2;
            if (s->number[other] % 2 != 0)
                return ABUT_MESH_OPEN;
            if (s->balance[other] != 0)
                inside = ABUT_MESH_PARITY;
        }
        for (size_t i = s->start[v]; i < s->start[v + 1]; ++i)
            s->balance[s->entry[i] / 2] = s->number[s->entry[i] / 2] = 0;
    }
    return inside;
}

static AbutStatus find_inside(const AbutMesh *mesh, int32_t *out, AbutError *error)
{
    size_t n = (size_t)mesh->vertex_count;
    Sides s = {abut_alloc_array(n + 1, sizeof *s.start),
        abut_alloc_array(3 * (size_t)mesh->triangle_count, sizeof *s.entry), abut_alloc_array(n, sizeof *s.balance),
        abut_alloc_array(n, sizeof *s.number)};
    AbutStatus status = ABUT_OK;
    if (s.start && s.entry && s.balance && s.number) {
        memset(s.start, 0, (n + 1) * sizeof *s.start);
        memset(s.balance, 0, n * sizeof *s.balance);
        memset(s.number, 0, n * sizeof *s.number);
        sort_sides(mesh, &s);
        *out = add_sides(mesh, &s);
    } else {
        status = abut_fail_memory(error);
    }
    abut_free(s.start);
    abut_free(s.entry);
    abut_free(s.balance);
    abut_free(s.number);
    return status;
}

static int32_t root_of(int32_t *parent, int32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static void join(int32_t *parent, int32_t a, int32_t b)
{
    a = root_of(parent, a), b = root_of(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* First triangle of each component, in the order of the triangles. */
static AbutStatus find_components(const AbutMesh *mesh, AbutTreeSurface *out, AbutError *error)
{
    size_t n = (size_t)mesh->vertex_count, capacity = 0;
    int32_t *parent = abut_alloc_array(n, sizeof *parent);
    if (!parent)
        return abut_fail_memory(error);
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        parent[v] = v;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 2; ++k)
            join(parent, mesh->triangles[t].v[k], mesh->triangles[t].v[k + 1]);
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        parent[v] = root_of(parent, v);
    AbutStatus status = ABUT_OK;
    for (int32_t t = 0; t < mesh->triangle_count && status == ABUT_OK; ++t) {
        int32_t root = mesh->triangles[t].v[0];
        root = parent[root] >= 0 ? parent[root] : root;
        if (parent[root] < 0)
            continue;
        if (!abut_grow((void **)&out->component, &capacity, (size_t)out->component_count + 1, sizeof *out->component))
            status = abut_fail_memory(error);
        else
            out->component[out->component_count++] = t;
        parent[root] = -1; /* seen; only roots are marked */
    }
    abut_free(parent);
    return status;
}

static AbutStatus look_at(const AbutMesh *mesh, AbutTreeSurface *out, AbutError *error)
{
    AbutStatus status = find_inside(mesh, &out->inside, error);
    if (status == ABUT_OK)
        status = find_components(mesh, out, error);
    if (status != ABUT_OK) {
        abut_free(out->component);
        out->component = NULL;
    }
    return status;
}

static AbutStatus look_at_welded(const AbutMesh *mesh, AbutTreeSurface *out, AbutError *error)
{
    AbutMesh copy = {0};
    AbutStatus status = abut_mesh_create(mesh->vertex_count, mesh->triangle_count, &copy, error);
    if (status != ABUT_OK)
        return status;
    memcpy(copy.vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *copy.vertices);
    memcpy(copy.triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof *copy.triangles);
    status = abut_mesh_weld(&copy, error);
    if (status == ABUT_OK)
        status = look_at(&copy, out, error);
    abut_mesh_free(&copy);
    return status;
}

AbutStatus abut_tree_surface(const AbutMesh *mesh, AbutTreeSurface *out, AbutError *error)
{
    AbutTreeSurface none = {ABUT_MESH_OPEN, 0, NULL};
    *out = none;
    if (mesh->triangle_count == 0)
        return ABUT_OK;
    AbutStatus status = look_at(mesh, out, error);
    if (status != ABUT_OK || out->inside == ABUT_MESH_WINDING)
        return status;
    abut_free(out->component);
    *out = none;
    return look_at_welded(mesh, out, error);
}
