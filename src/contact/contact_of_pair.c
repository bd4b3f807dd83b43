/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contact of two convex bodies in one call. In: bodies of any kind, poses, the margin of contact. Out: the contact.
 * Boxes, polyhedra, half-spaces and round bodies are grown; of other kinds (rounded boxes, triangles, support
 * functions, planes) the witness points of the distance give one point.
 */
#include "abut/contact.h"
#include "contact/grown.h"
#include "query/round_solid.h"

#include <string.h>

static int can_grow(const AbutConvex *c) {
    return c->kind == ABUT_CONVEX_HALF_SPACE || abut_convex_is_round_solid(c) ||
           (c->radius == 0.0 &&
               (c->kind == ABUT_CONVEX_BOX || (c->kind == ABUT_CONVEX_POLYHEDRON && c->polyhedron->dimension == 3)));
}

/* One point halfway between the witness points. */
static int find_point(const AbutConvexContact *q, AbutContact *out) {
    AbutGap d =
        abut_gap_in(q->pose_a, abut_convex_distance(q->a, q->b, abut_pose_between(q->pose_a, q->pose_b), NULL, NULL));
    if (d.outcome == ABUT_INVALID || d.outcome == ABUT_NOT_CONVERGED || !isfinite(d.distance)) return -1;
    if (d.distance > 2.0 * q->margin && d.outcome != ABUT_TOUCHING) return 0;
    out->normal = d.normal;
    out->center = out->pressure_center = abut_scale(abut_add(d.point_a, d.point_b), 0.5);
    out->depth = abut_larger(0.0, -d.distance);
    out->vertex_count = 1;
    out->vertex[0].point = out->center;
    return 1;
}

static AbutStatus find_grown(const AbutConvexContact *q, const AbutGrownBody *a, const AbutGrownBody *b,
    AbutContact *out, int *found, AbutError *error) {
    size_t bytes = abut_contact_workspace_size(a, b);
    void *workspace = abut_alloc(bytes > 0 ? bytes : 1);
    if (!workspace) return abut_fail_memory(error);
    AbutGrownPair pair = {a, b, q->pose_a, q->pose_b};
    *found = abut_contact_find(&pair, workspace, bytes, out);
    abut_free(workspace);
    return ABUT_OK;
}

AbutStatus abut_contact_of_pair(const AbutConvexContact *q, AbutContact *out, int *found, AbutError *error) {
    ABUT_ASSERT(q && q->a && q->b && out && found);
    memset(out, 0, sizeof *out);
    *found = -1;
    if (!(q->margin >= 0.0) || !isfinite(q->margin))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "margin %g: expected a number of 0 or above", q->margin);
    if (!can_grow(q->a) || !can_grow(q->b)) {
        *found = find_point(q, out);
        return ABUT_OK;
    }
    AbutGrownBody a, b;
    AbutStatus status = abut_grown_body_create(q->a, q->margin, &a, error);
    if (status != ABUT_OK) return status;
    status = abut_grown_body_create(q->b, q->margin, &b, error);
    if (status == ABUT_OK) {
        status = find_grown(q, &a, &b, out, found, error);
        abut_grown_body_free(&b);
    }
    abut_grown_body_free(&a);
    return status;
}
