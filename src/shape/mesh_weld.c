/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins the vertices of a mesh that have equal coordinates and drops the unused ones.
 *
 * In: a mesh, changed in place. Out: each place in space at most once, in the order of first use by a triangle;
 * triangles in their old order. On failure the mesh is as before. Method: a hash table with open addressing.
 */
#include "shape/mesh_edges.h"

#include <string.h>

typedef struct Table {
    int32_t *slot; /* number of a kept vertex, or -1 */
    size_t mask;
} Table;

static int same_place(AbutVec3 a, AbutVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The number of the kept vertex at p; a new one at the end of `kept` when there is none. */
static int32_t find_or_keep(Table *table, AbutVec3 p, AbutVec3 *kept, int32_t *kept_count)
{
    AbutVec3 key = abut_vec3(p.x + 0.0, p.y + 0.0, p.z + 0.0); /* -0 becomes +0 */
    size_t at = (size_t)abut_hash(&key, sizeof key, 0) & table->mask;
    while (table->slot[at] >= 0 && !same_place(kept[table->slot[at]], p))
        at = (at + 1) & table->mask;
    if (table->slot[at] < 0) {
        kept[*kept_count] = p;
        table->slot[at] = (*kept_count)++;
    }
    return table->slot[at];
}

static void renumber(AbutMesh *mesh, Table *table, AbutVec3 *kept, int32_t *renamed)
{
    int32_t kept_count = 0;
    memset(table->slot, 0xff, (table->mask + 1) * sizeof *table->slot);
    memset(renamed, 0xff, (size_t)mesh->vertex_count * sizeof *renamed);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int i = 0; i < 3; ++i) {
            int32_t v = mesh->triangles[t].v[i];
            if (renamed[v] < 0)
                renamed[v] = find_or_keep(table, mesh->vertices[v], kept, &kept_count);
            mesh->triangles[t].v[i] = renamed[v];
        }
    mesh->vertex_count = kept_count;
}

AbutStatus abut_mesh_weld(AbutMesh *mesh, AbutError *error)
{
    AbutStatus status = abut_mesh_check_indices(mesh, error);
    if (status != ABUT_OK)
        return status;
    size_t count = (size_t)mesh->vertex_count, slots = 16;
    while (slots < 2 * count)
        slots *= 2;
    Table table = {abut_alloc_array(slots, sizeof *table.slot), slots - 1};
    int32_t *renamed = abut_alloc_array(count, sizeof *renamed);
    AbutVec3 *kept = abut_alloc_array(count, sizeof *kept);
    if (table.slot && renamed && kept) {
        renumber(mesh, &table, kept, renamed);
        abut_free(mesh->vertices);
        mesh->vertices = kept;
    } else {
        abut_free(kept);
        status = abut_fail(error, ABUT_ERROR_MEMORY, "mesh: no memory to weld %zu vertices", count);
    }
    abut_free(table.slot);
    abut_free(renamed);
    return status;
}
