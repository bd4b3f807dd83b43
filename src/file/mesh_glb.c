/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary glTF 2.0 (.glb), geometry only. The nodes of the scene are walked from its roots, each with its transform, and
 * the triangles of their meshes are added where they stand; without a scene the roots are all nodes that are no child,
 * and without nodes every mesh is added once. Materials, cameras and animations are skipped; points,
 * lines, skins and morph targets are counted as ignored. Vertices with equal coordinates are joined, since the format
 * splits them where normals or colors differ. Coordinates stand as in the file: y is up in this format.
 */
#include "file/mesh_glb.h"
#include "file/mesh_place.h"

#include <string.h>

enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static AbutStatus add_vertices(
    AbutGlb *glb, const AbutJsonNode *primitive, const AbutGlbRows *rows, const AbutMeshPlace *place) {
    AbutStatus status = abut_mesh_builder_reserve_vertices(glb->builder, (size_t)rows->count);
    if (status) return abut_mesh_builder_fail(glb->text, glb->text->begin, status, 1);
    for (int32_t i = 0; i < rows->count; ++i) {
        AbutVec3 p;
        int good = abut_glb_position(rows, i, &p);
        p = abut_mesh_place_apply(place, p);
        if (!good || !abut_is_finite(p))
            return ABUT_GLB_FAIL(glb, primitive, ABUT_ERROR_NUMBER, "expected finite position %d", i);
        glb->builder->vertices[glb->builder->vertex_count++] = p;
    }
    return ABUT_OK;
}

/* Corner k of triangle i of a list, a strip or a fan, as a place in the list of indices. */
static int32_t corner_place(int64_t mode, int32_t i, int k) {
    if (mode == TRIANGLES) return 3 * i + k;
    if (mode == FAN) return k == 0 ? 0 : i + k;
    return i + (k == 0 ? 0 : (k == 1) == (i % 2 == 0) ? 1 : 2);
}

static AbutStatus add_triangles(AbutGlb *glb, const AbutJsonNode *primitive, const AbutGlbRows *indices, int64_t mode,
    int32_t first, int32_t vertices, int turned) {
    int32_t corners = indices->at ? indices->count : vertices;
    if (mode == TRIANGLES ? corners % 3 != 0 : corners < 3)
        return ABUT_GLB_FAIL(glb, primitive, ABUT_ERROR_FORMAT,
            mode == TRIANGLES ? "expected three corners for each triangle, got %d corners"
                              : "expected three corners or more, got %d",
            corners);
    int32_t count = mode == TRIANGLES ? corners / 3 : corners - 2;
    AbutStatus status = abut_mesh_builder_reserve_triangles(glb->builder, (size_t)count);
    if (status) return abut_mesh_builder_fail(glb->text, glb->text->begin, status, 1);
    for (int32_t i = 0; i < count; ++i) {
        AbutTriangle *out = &glb->builder->triangles[glb->builder->triangle_count++];
        for (int k = 0; k < 3; ++k) {
            int32_t place = corner_place(mode, i, k);
            uint32_t index = indices->at ? abut_glb_index(indices, place) : (uint32_t)place;
            if (index >= (uint32_t)vertices)
                return ABUT_GLB_FAIL(glb, primitive, ABUT_ERROR_FORMAT,
                    "expected indices below %d, the number of positions, got %u", vertices, index);
            out->v[turned ? 2 - k : k] = first + (int32_t)index;
        }
    }
    return ABUT_OK;
}

static AbutStatus add_primitive(AbutGlb *glb, const AbutJsonNode *primitive, const AbutMeshPlace *place) {
    int64_t mode = TRIANGLES, position = -1, index = -1;
    AbutGlbRows rows, indices = {NULL, 0, 0, 0};
    const AbutJsonNode *attributes = abut_json_member(&glb->json, primitive, "attributes");
    if (abut_json_member(&glb->json, primitive, "targets")) abut_mesh_builder_ignore(glb->builder, 1);
    ABUT_TRY(abut_glb_integer(glb, primitive, "mode", FAN, &mode));
    ABUT_TRY(abut_glb_integer(glb, primitive, "indices", (int64_t)glb->accessors.count - 1, &index));
    if (attributes)
        ABUT_TRY(abut_glb_integer(glb, attributes, "POSITION", (int64_t)glb->accessors.count - 1, &position));
    if (mode < TRIANGLES || position < 0) {
        abut_mesh_builder_ignore(glb->builder, 1);
        return ABUT_OK;
    }
    ABUT_TRY(abut_glb_positions(glb, primitive, position, &rows));
    if (index >= 0) ABUT_TRY(abut_glb_indices(glb, primitive, index, &indices));
    size_t first = glb->builder->vertex_count, corners = (size_t)(index >= 0 ? indices.count : rows.count);
    if (first + (size_t)rows.count > ABUT_MESH_PLACED || glb->builder->triangle_count + corners > ABUT_MESH_PLACED)
        return ABUT_GLB_FAIL(glb, primitive, ABUT_ERROR_LIMIT,
            "expected at most %d vertices and triangles, copies included, got more", ABUT_MESH_PLACED);
    ABUT_TRY(add_vertices(glb, primitive, &rows, place));
    return add_triangles(glb, primitive, &indices, mode, (int32_t)first, rows.count, abut_mesh_place_turns(place));
}

static AbutStatus add_mesh(AbutGlb *glb, int64_t number, const AbutMeshPlace *place) {
    AbutStatus status = ABUT_OK;
    const AbutJsonNode *list = abut_json_member(&glb->json, glb->meshes.item[number], "primitives");
    if (!list || list->kind != ABUT_JSON_ARRAY)
        return ABUT_GLB_FAIL(glb, glb->meshes.item[number], ABUT_ERROR_FORMAT, "expected an array primitives");
    for (const AbutJsonNode *e = abut_json_first(list); e && status == ABUT_OK; e = abut_json_next(&glb->json, e))
        status = add_primitive(glb, e, place);
    return status;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

/* Nodes still to be visited, each with the place of its parent. */
typedef struct Visit {
    int32_t node;
    AbutMeshPlace parent;
} Visit;

typedef struct Walk {
    AbutGlb *glb;
    Visit *stack; /* room for every node: none is put there twice */
    char *seen;
    int32_t top;
} Walk;

static AbutStatus push_nodes(Walk *walk, const AbutJsonNode *list, const AbutMeshPlace *place) {
    AbutGlb *glb = walk->glb;
    if (list && list->kind != ABUT_JSON_ARRAY)
        return ABUT_GLB_FAIL(glb, list, ABUT_ERROR_FORMAT, "expected an array of nodes");
    for (const AbutJsonNode *e = list ? abut_json_first(list) : NULL; e; e = abut_json_next(&glb->json, e)) {
        int good = e->kind == ABUT_JSON_NUMBER && e->number >= 0.0 && e->number < (double)glb->nodes.count;
        int32_t node = good ? (int32_t)e->number : 0;
        if (!good || (double)node != e->number)
            return ABUT_GLB_FAIL(glb, e, ABUT_ERROR_FORMAT, "expected a node below %d", glb->nodes.count);
        if (walk->seen[node])
            return ABUT_GLB_FAIL(glb, e, ABUT_ERROR_FORMAT, "node %d stands twice in the tree of nodes", node);
        walk->seen[node] = 1;
        walk->stack[walk->top++] = (Visit){node, *place};
    }
    return ABUT_OK;
}

/* A matrix column by column, or scale, rotation, translation. */
static AbutStatus read_place(const AbutGlb *glb, const AbutJsonNode *node, AbutMeshPlace *out) {
    double v[16], s[3] = {1.0, 1.0, 1.0}, q[4] = {0.0, 0.0, 0.0, 1.0}, t[3] = {0.0, 0.0, 0.0};
    int found;
    ABUT_TRY(abut_glb_numbers(glb, node, "matrix", 16, v, &found));
    if (found) {
        AbutMat3 m = abut_mat3(abut_vec3(v[0], v[1], v[2]), abut_vec3(v[4], v[5], v[6]), abut_vec3(v[8], v[9], v[10]));
        *out = abut_mesh_place(m, abut_vec3(v[12], v[13], v[14]));
        return ABUT_OK;
    }
    ABUT_TRY(abut_glb_numbers(glb, node, "scale", 3, s, &found));
    ABUT_TRY(abut_glb_numbers(glb, node, "rotation", 4, q, &found));
    ABUT_TRY(abut_glb_numbers(glb, node, "translation", 3, t, &found));
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(square > 1e-6 && square < 1e6))
        return ABUT_GLB_FAIL(glb, node, ABUT_ERROR_NUMBER, "expected a rotation that is a quaternion of unit length");
    AbutMat3 r = abut_quat_to_mat3(abut_quat_normalize(abut_quat(q[3], q[0], q[1], q[2])));
    AbutVec3 x = abut_scale(abut_mat3_apply(r, abut_axis(0)), s[0]);
    AbutVec3 y = abut_scale(abut_mat3_apply(r, abut_axis(1)), s[1]);
    AbutVec3 z = abut_scale(abut_mat3_apply(r, abut_axis(2)), s[2]);
    *out = abut_mesh_place(abut_mat3(x, y, z), abut_vec3(t[0], t[1], t[2]));
    return ABUT_OK;
}

static AbutStatus visit_node(Walk *walk, Visit at) {
    AbutGlb *glb = walk->glb;
    const AbutJsonNode *node = glb->nodes.item[at.node];
    int64_t mesh = -1;
    AbutMeshPlace own = abut_mesh_place(abut_mat3_identity(), abut_zero());
    ABUT_TRY(read_place(glb, node, &own));
    ABUT_TRY(abut_glb_integer(glb, node, "mesh", (int64_t)glb->meshes.count - 1, &mesh));
    AbutMeshPlace place = abut_mesh_place_mul(&at.parent, &own);
    if (abut_json_member(&glb->json, node, "skin")) abut_mesh_builder_ignore(glb->builder, 1);
    AbutStatus status = ABUT_OK;
    if (mesh >= 0) status = add_mesh(glb, mesh, &place);
    return status ? status : push_nodes(walk, abut_json_member(&glb->json, node, "children"), &place);
}

/* The roots of the scene that the file shows, of its first scene, or NULL where no scene lists its nodes. */
static AbutStatus find_roots(const AbutGlb *glb, const AbutJsonNode **out) {
    int64_t scene = 0;
    const AbutJsonNode *root = &glb->json.nodes[0], *scenes = abut_json_member(&glb->json, root, "scenes");
    *out = NULL;
    if (!scenes || scenes->kind != ABUT_JSON_ARRAY || scenes->count == 0) return ABUT_OK;
    AbutStatus status = abut_glb_integer(glb, root, "scene", (int64_t)scenes->count - 1, &scene);
    const AbutJsonNode *e = abut_json_first(scenes);
    for (; scene > 0 && e && status == ABUT_OK; --scene) e = abut_json_next(&glb->json, e);
    *out = e && status == ABUT_OK ? abut_json_member(&glb->json, e, "nodes") : NULL;
    return status;
}

static AbutStatus visit_all(Walk *walk) {
    AbutStatus status = ABUT_OK;
    while (status == ABUT_OK && walk->top > 0) {
        Visit at = walk->stack[--walk->top];
        status = visit_node(walk, at);
    }
    return status;
}

/* Marks nodes that are children of others; what is no number of a node is refused when it is visited. */
static void mark_children(const AbutGlb *glb, char *child) {
    for (int32_t i = 0; i < glb->nodes.count; ++i) {
        const AbutJsonNode *list = abut_json_member(&glb->json, glb->nodes.item[i], "children");
        const AbutJsonNode *e = list && list->kind == ABUT_JSON_ARRAY ? abut_json_first(list) : NULL;
        for (; e; e = abut_json_next(&glb->json, e))
            if (e->kind == ABUT_JSON_NUMBER && e->number >= 0.0 && e->number < (double)glb->nodes.count)
                child[(int32_t)e->number] = 1;
    }
}

/* Without a scene: every node that is no child of another is a root. */
static AbutStatus visit_trees(Walk *walk, const AbutMeshPlace *unit) {
    AbutGlb *glb = walk->glb;
    size_t count = (size_t)glb->nodes.count;
    char *child = abut_alloc_array(count, 1);
    if (!child) return abut_fail_memory(glb->text->error);
    memset(child, 0, count);
    mark_children(glb, child);
    for (int32_t i = glb->nodes.count - 1; i >= 0; --i)
        if (!child[i]) {
            walk->seen[i] = 1;
            walk->stack[walk->top++] = (Visit){i, *unit};
        }
    abut_free(child);
    ABUT_TRY(visit_all(walk));
    for (int32_t i = 0; i < glb->nodes.count; ++i)
        if (!walk->seen[i])
            return ABUT_GLB_FAIL(
                glb, glb->nodes.item[i], ABUT_ERROR_FORMAT, "expected a tree of nodes, got node %d below itself", i);
    return ABUT_OK;
}

static AbutStatus add_all(AbutGlb *glb) {
    AbutMeshPlace unit = abut_mesh_place(abut_mat3_identity(), abut_zero());
    size_t count = (size_t)glb->nodes.count;
    Walk walk = {glb, abut_alloc_array(count, sizeof *walk.stack), abut_alloc_array(count, 1), 0};
    const AbutJsonNode *roots = NULL;
    AbutStatus status = ABUT_OK;
    if (!walk.stack || !walk.seen)
        status = abut_fail_memory(glb->text->error);
    else
        memset(walk.seen, 0, count);
    if (status == ABUT_OK) status = find_roots(glb, &roots);
    if (status == ABUT_OK && roots) status = push_nodes(&walk, roots, &unit);
    if (status == ABUT_OK) status = roots ? visit_all(&walk) : visit_trees(&walk, &unit);
    for (int32_t i = 0; i < glb->meshes.count && !roots && count == 0 && status == ABUT_OK; ++i)
        status = add_mesh(glb, i, &unit);
    abut_free(walk.stack);
    abut_free(walk.seen);
    return status;
}

/* ---- format ------------------------------------------------------------------------------------------------------ */

static int sniff_glb(const AbutText *text) {
    if (text->end - text->begin >= 4 && memcmp(text->begin, "glTF", 4) == 0) return ABUT_SNIFF_MARK;
    return abut_mesh_has_ending(text->name, ".glb") ? ABUT_SNIFF_NAME : 0;
}

static AbutStatus read_glb(AbutText *text, AbutMeshBuilder *builder) {
    AbutGlb glb = {.text = text, .builder = builder};
    AbutStatus status = abut_glb_open(&glb);
    if (status == ABUT_OK) status = add_all(&glb);
    abut_glb_close(&glb);
    return status;
}

const AbutMeshFormat abut_mesh_glb = {"glb", ".glb", 0.0, sniff_glb, 1, read_glb, NULL};
