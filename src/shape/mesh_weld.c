/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins the vertices of a mesh that have equal coordinates and drops the unused ones; drops points that were there
 * before.
 *
 * In: a mesh, changed in place. Out: each place in space at most once, in the order of first use by a triangle;
 * triangles in their old order. On failure the mesh is as before. Method: a hash table with open addressing, probed in
 * batches whose slots are asked for ahead of time, since almost every probe misses the cache.
 */
#include "shape/mesh_edges.h"

#include <string.h>

#if defined(__GNUC__)
#define FETCH_AHEAD(address) __builtin_prefetch(address)
#else
#define FETCH_AHEAD(address) ((void)0)
#endif

enum { BATCH = 64 }; /* triangles */

typedef struct Slot {
    int32_t vertex; /* number of a kept vertex, or -1 */
    uint32_t tag;   /* upper half of its hash: most strangers are told apart without a look at the vertex */
} Slot;

typedef struct Table {
    Slot *slot;
    size_t mask;
} Table;

static int same_place(AbutVec3 a, AbutVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static uint64_t hash_place(AbutVec3 p) {
    AbutVec3 key = abut_vec3(p.x + 0.0, p.y + 0.0, p.z + 0.0); /* -0 becomes +0 */
    uint64_t bits[3];
    memcpy(bits, &key, sizeof bits);
    uint64_t h = bits[0] * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 32) ^ bits[1]) * UINT64_C(0xd6e8feb86659fd93);
    h = (h ^ (h >> 32) ^ bits[2]) * UINT64_C(0xa0761d6478bd642f);
    return h ^ (h >> 29);
}

/* The number of the kept vertex at p; a new one at the end of `kept` when there is none. */
static int32_t find_or_keep(Table *table, AbutVec3 p, uint64_t hash, AbutVec3 *kept, int32_t *kept_count) {
    uint32_t tag = (uint32_t)(hash >> 32);
    size_t at = (size_t)hash & table->mask;
    for (; table->slot[at].vertex >= 0; at = (at + 1) & table->mask)
        if (table->slot[at].tag == tag && same_place(kept[table->slot[at].vertex], p)) return table->slot[at].vertex;
    kept[*kept_count] = p;
    table->slot[at] = (Slot){*kept_count, tag};
    return (*kept_count)++;
}

static int open_table(size_t count, Table *out) {
    size_t slots = 16;
    while (slots < count + count / 2) slots *= 2;
    *out = (Table){abut_alloc_array(slots, sizeof *out->slot), slots - 1};
    if (out->slot) memset(out->slot, 0xff, slots * sizeof *out->slot);
    return out->slot != NULL;
}

int32_t abut_points_distinct(AbutVec3 *points, int32_t count) {
    Table table;
    int32_t kept = 0;
    if (!open_table((size_t)count, &table)) return -1;
    for (int32_t i = 0; i < count; ++i) (void)find_or_keep(&table, points[i], hash_place(points[i]), points, &kept);
    abut_free(table.slot);
    return kept;
}

static void renumber(AbutMesh *mesh, Table *table, AbutVec3 *kept) {
    int32_t kept_count = 0;
    for (int32_t first = 0; first < mesh->triangle_count; first += BATCH) {
        uint64_t hash[3 * BATCH];
        int32_t count = mesh->triangle_count - first < BATCH ? mesh->triangle_count - first : BATCH;
        for (int32_t i = 0; i < 3 * count; ++i) {
            hash[i] = hash_place(mesh->vertices[mesh->triangles[first + i / 3].v[i % 3]]);
            FETCH_AHEAD(&table->slot[(size_t)hash[i] & table->mask]);
        }
        for (int32_t i = 0; i < 3 * count; ++i) {
            int32_t *v = &mesh->triangles[first + i / 3].v[i % 3];
            *v = find_or_keep(table, mesh->vertices[*v], hash[i], kept, &kept_count);
        }
    }
    mesh->vertex_count = kept_count;
}

AbutStatus abut_mesh_weld(AbutMesh *mesh, AbutError *error) {
    ABUT_ASSERT(mesh);
    AbutStatus status = abut_mesh_check_indices(mesh, error);
    if (status != ABUT_OK) return status;
    size_t count = (size_t)mesh->vertex_count;
    Table table;
    AbutVec3 *kept = abut_alloc_array(count, sizeof *kept);
    if (open_table(count, &table) && kept) {
        renumber(mesh, &table, kept);
        abut_free(mesh->vertices);
        mesh->vertices = kept;
    } else {
        abut_free(kept);
        status = abut_fail_memory(error);
    }
    abut_free(table.slot);
    return status;
}
