/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies of the clearance search: a mesh, convex pieces, or a single half-space or plane.
 *
 * In: what the caller has. Out: its leaves about a center, and the tree of boxes over them (body_tree.c); numbers that
 * floats do not hold are refused.
 */
#include "clearance/clearance_body.h"
#include "math/matrix.h"
#include "query/contract.h"
#include "shape/mesh_tree.h"

#include <math.h>
#include <string.h>

static const double LARGEST = 1e30; /* floats hold no more */

void abut_clearance_body_free(AbutClearanceBody *body) {
    if (!body) return;
    abut_free(body->nodes);
    abut_free(body->triangle);
    abut_free(body->piece);
    abut_free(body->source);
    abut_free(body);
}

/* Gives the body to the caller, or frees it. */
static AbutStatus hand_over(AbutClearanceBody *body, AbutStatus status, AbutClearanceBody **out) {
    *out = status == ABUT_OK ? body : NULL;
    if (status != ABUT_OK) abut_clearance_body_free(body);
    return status;
}

static AbutClearanceBody *new_body(int32_t leaves) {
    AbutClearanceBody *body = abut_alloc(sizeof *body);
    if (body) {
        memset(body, 0, sizeof *body);
        body->leaf_count = leaves;
        body->source = abut_alloc_array((size_t)leaves, sizeof *body->source);
    }
    return body;
}

static AbutStatus make_mesh(const AbutMeshTree *mesh, AbutClearanceBody **out, AbutError *error) {
    if (!(abut_length(mesh->center) + mesh->radius < LARGEST))
        return abut_fail(error, ABUT_ERROR_NUMBER, "clearance body: the mesh is too large, or too far away");
    AbutClearanceBody *body = new_body(mesh->triangle_count);
    if (body) body->triangle = abut_alloc_array((size_t)mesh->triangle_count, sizeof *body->triangle);
    if (!body || !body->source || !body->triangle) return hand_over(body, abut_fail_memory(error), out);
    body->mesh = mesh;
    body->center = abut_clearance_to_float(mesh->center);
    const AbutVec3 *v = abut_tree_vertices(mesh);
    for (int32_t slot = 0; slot < mesh->triangle_count; ++slot) { /* slots without a triangle stand behind all others */
        for (int k = 0; k < 3; ++k) body->triangle[slot][k] = abut_sub(v[3 * slot + k], body->center);
        body->source[slot] = abut_tree_source(mesh)[slot];
    }
    return hand_over(body, abut_clearance_body_tree(body, error), out);
}

static AbutStatus check_piece(const AbutConvex *c, int32_t number, AbutError *error) {
    if (abut_convex_is_unbounded(c))
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED,
            "piece %d: a half-space or plane has no bounds; it must be the only piece of its body", number);
    AbutVec3 far = abut_zero();
    for (int i = 0; i < 6; ++i) far = abut_add(far, abut_abs(abut_convex_farthest(c, abut_clearance_side(i))));
    if (!(c->radius >= 0.0 && c->radius < LARGEST) || !(abut_max_abs(far) < LARGEST) || !abut_is_finite(far))
        return abut_fail(error, ABUT_ERROR_NUMBER, "piece %d: a number is not finite, negative or too large", number);
    return ABUT_OK;
}

/* How many convex pieces solids are in all; a mesh among them is refused. */
static AbutStatus count_pieces(int32_t count, const AbutSolid *solids, int32_t *out, AbutError *error) {
    *out = 0;
    for (int32_t i = 0; i < count; ++i) {
        int pieces = solids[i].kind == ABUT_SOLID_PIECES;
        if (!pieces && solids[i].kind != ABUT_SOLID_CONVEX)
            return abut_fail(
                error, ABUT_ERROR_UNSUPPORTED, "solid %d: expected convex bodies or pieces, or a single mesh", i);
        *out += pieces ? solids[i].pieces->count : 1;
    }
    return ABUT_OK;
}

/* The convex pieces of solids one after the other. */
static void list_pieces(int32_t count, const AbutSolid *solids, AbutConvex *out) {
    for (int32_t i = 0; i < count; ++i) {
        if (solids[i].kind == ABUT_SOLID_CONVEX) *out++ = *solids[i].convex;
        for (int32_t k = 0; solids[i].kind == ABUT_SOLID_PIECES && k < solids[i].pieces->count; ++k)
            *out++ = abut_convex_polyhedron(solids[i].pieces->piece[k], 0.0);
    }
}

static AbutVec3 middle_of(int32_t count, const AbutConvex *pieces) {
    AbutAabb box = abut_aabb_empty();
    for (int32_t i = 0; i < count; ++i)
        for (int k = 0; k < 6; ++k) box = abut_aabb_add(box, abut_convex_farthest(&pieces[i], abut_clearance_side(k)));
    return count > 0 ? abut_clearance_to_float(abut_scale(abut_add(box.min, box.max), 0.5)) : abut_zero();
}

/* A single half-space or plane: one leaf, about a point of its surface. */
static AbutStatus make_unbounded(const AbutConvex *c, AbutClearanceBody **out, AbutError *error) {
    if (!(fabs(abut_length_sq(c->p[0]) - 1.0) <= 1e-9) || !(fabs(c->p[1].x) < LARGEST) ||
        !(c->radius >= 0.0 && c->radius < LARGEST))
        return abut_fail(error, ABUT_ERROR_NUMBER,
            "piece 0: a number is not finite, negative or too large, or the normal is not of unit length");
    AbutClearanceBody *body = new_body(1);
    if (body) {
        body->piece = abut_alloc_array(1, sizeof *body->piece);
        body->nodes = abut_alloc_array(1, sizeof *body->nodes);
    }
    if (!body || !body->source || !body->piece || !body->nodes) return hand_over(body, abut_fail_memory(error), out);
    memset(body->nodes, 0, sizeof *body->nodes);
    body->nodes[0].child = ~0;
    body->node_count = body->depth = body->solid = 1;
    body->piece[0] = *c, body->source[0] = 0;
    body->sides = c->kind == ABUT_CONVEX_PLANE ? 2 : 1;
    body->normal = c->p[0];
    body->center = abut_clearance_to_float(abut_scale(c->p[0], c->p[1].x));
    body->level = c->p[1].x - abut_dot(c->p[0], body->center);
    body->reach = fabs(body->level);
    return hand_over(body, ABUT_OK, out);
}

static AbutStatus make_union(int32_t count, const AbutSolid *solids, AbutClearanceBody **out, AbutError *error) {
    int32_t pieces;
    AbutStatus status = count_pieces(count, solids, &pieces, error);
    if (status != ABUT_OK) return status;
    AbutClearanceBody *body = new_body(pieces);
    if (body) body->piece = abut_alloc_array((size_t)pieces, sizeof *body->piece);
    if (!body || !body->source || !body->piece) return hand_over(body, abut_fail_memory(error), out);
    list_pieces(count, solids, body->piece);
    for (int32_t i = 0; i < pieces && status == ABUT_OK; ++i) {
        body->source[i] = i;
        status = check_piece(&body->piece[i], i, error);
    }
    if (status != ABUT_OK) return hand_over(body, status, out);
    body->solid = 1;
    body->center = middle_of(pieces, body->piece);
    return hand_over(body, abut_clearance_body_tree(body, error), out);
}

AbutStatus abut_clearance_body_create(
    int32_t count, const AbutSolid *solids, AbutClearanceBody **out, AbutError *error) {
    ABUT_ASSERT(count >= 0 && (count == 0 || solids) && out);
    *out = NULL;
    if (count == 1 && solids[0].kind == ABUT_SOLID_MESH) return make_mesh(solids[0].mesh, out, error);
    if (count == 1 && solids[0].kind == ABUT_SOLID_CONVEX && abut_convex_is_unbounded(solids[0].convex))
        return make_unbounded(solids[0].convex, out, error);
    return make_union(count, solids, out, error);
}
