/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies of the clearance search: a mesh, convex pieces, or a single half-space or plane.
 *
 * In: what the caller has. Out: its leaves about a centre, and the tree of boxes over them (body_tree.c); numbers that
 * floats do not hold are refused.
 */
#include "clearance/body.h"
#include "math/matrix.h"
#include "shape/mesh_tree.h"

#include <math.h>
#include <string.h>

static const double LARGEST = 1e30; /* floats hold no more */

void abut_clearance_body_free(AbutClearanceBody *body)
{
    if (!body)
        return;
    abut_free(body->nodes);
    abut_free(body->triangle);
    abut_free(body->piece);
    abut_free(body->source);
    abut_free(body);
}

static AbutStatus no_memory(int32_t leaves, AbutError *error)
{
    return abut_fail_memory(error);
}

/* Gives the body to the caller, or frees it. */
static AbutStatus hand_over(AbutClearanceBody *body, AbutStatus status, AbutClearanceBody **out)
{
    *out = status == ABUT_OK ? body : NULL;
    if (status != ABUT_OK)
        abut_clearance_body_free(body);
    return status;
}

static AbutClearanceBody *new_body(int32_t leaves)
{
    AbutClearanceBody *body = abut_alloc(sizeof *body);
    if (body) {
        memset(body, 0, sizeof *body);
        body->leaf_count = leaves;
        body->source = abut_alloc_array((size_t)leaves, sizeof *body->source);
    }
    return body;
}

AbutStatus abut_clearance_mesh_create(const AbutMeshTree *mesh, AbutClearanceBody **out, AbutError *error)
{
    *out = NULL;
    if (!(abut_length(mesh->center) + mesh->radius < LARGEST))
        return abut_fail(error, ABUT_ERROR_NUMBER, "clearance body: the mesh is too large, or too far away");
    AbutClearanceBody *body = new_body(mesh->triangle_count);
    if (body)
        body->triangle = abut_alloc_array((size_t)mesh->triangle_count, sizeof *body->triangle);
    if (!body || !body->source || !body->triangle)
        return hand_over(body, no_memory(mesh->triangle_count, error), out);
    body->mesh = mesh;
    body->center = abut_clearance_to_float(mesh->center);
    const AbutVec3 *v = abut_tree_vertices(mesh);
    for (int32_t slot = 0; slot < mesh->triangle_count; ++slot) { /* slots without a triangle stand behind all others */
        for (int k = 0; k < 3; ++k)
            body->triangle[slot][k] = abut_sub(v[3 * slot + k], body->center);
        body->source[slot] = abut_tree_source(mesh)[slot];
    }
    return hand_over(body, abut_clearance_body_tree(body, error), out);
}

static int is_unbounded(const AbutConvex *c)
{
    return c->kind == ABUT_CONVEX_HALF_SPACE || c->kind == ABUT_CONVEX_PLANE;
}

static AbutStatus check_piece(const AbutConvex *c, int32_t number, AbutError *error)
{
    if (is_unbounded(c))
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED,
            "piece %d: a half-space or plane has no bounds; it must be the only piece of its body", number);
    AbutVec3 far = abut_zero();
    for (int i = 0; i < 6; ++i)
        far = abut_add(far, abut_abs(abut_convex_farthest(c, abut_clearance_side(i))));
    if (!(c->radius >= 0.0 && c->radius < LARGEST) || !(abut_max_abs(far) < LARGEST) || !abut_is_finite(far))
        return abut_fail(error, ABUT_ERROR_NUMBER, "piece %d: a number is not finite, negative or too large", number);
    return ABUT_OK;
}

static AbutVec3 middle_of(int32_t count, const AbutConvex *pieces)
{
    AbutAabb box = abut_aabb_empty();
    for (int32_t i = 0; i < count; ++i)
        for (int k = 0; k < 6; ++k)
            box = abut_aabb_add(box, abut_convex_farthest(&pieces[i], abut_clearance_side(k)));
    return count > 0 ? abut_clearance_to_float(abut_scale(abut_add(box.min, box.max), 0.5)) : abut_zero();
}

/* A single half-space or plane: one leaf, about a point of its surface. */
static AbutStatus make_unbounded(const AbutConvex *c, AbutClearanceBody **out, AbutError *error)
{
    if (!(fabs(abut_length_sq(c->p[0]) - 1.0) <= 1e-9) || !(fabs(c->p[1].x) < LARGEST) ||
        !(c->radius >= 0.0 && c->radius < LARGEST))
        return abut_fail(error, ABUT_ERROR_NUMBER,
            "piece 0: a number is not finite, negative or too large, or the normal is not of unit length");
    AbutClearanceBody *body = new_body(1);
    if (body) {
        body->piece = abut_alloc_array(1, sizeof *body->piece);
        body->nodes = abut_alloc_array(1, sizeof *body->nodes);
    }
    if (!body || !body->source || !body->piece || !body->nodes)
        return hand_over(body, no_memory(1, error), out);
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

AbutStatus abut_clearance_convex_create(
    int32_t count, const AbutConvex *pieces, AbutClearanceBody **out, AbutError *error)
{
    AbutStatus status = ABUT_OK;
    ABUT_ASSERT(count >= 0);
    *out = NULL;
    if (count == 1 && is_unbounded(&pieces[0]))
        return make_unbounded(&pieces[0], out, error);
    for (int32_t i = 0; i < count && status == ABUT_OK; ++i)
        status = check_piece(&pieces[i], i, error);
    if (status != ABUT_OK)
        return status;
    AbutClearanceBody *body = new_body(count);
    if (body)
        body->piece = abut_alloc_array((size_t)count, sizeof *body->piece);
    if (!body || !body->source || !body->piece)
        return hand_over(body, no_memory(count, error), out);
    body->solid = 1;
    body->center = middle_of(count, pieces);
    for (int32_t i = 0; i < count; ++i)
        body->piece[i] = pieces[i], body->source[i] = i;
    return hand_over(body, abut_clearance_body_tree(body, error), out);
}
