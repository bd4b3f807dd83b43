/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Convex bodies grown by the contact margin, in their own frames. Boxes and half-spaces grow exactly. The face planes
 * of a polyhedron move out by the margin, and its new corners follow from the planes; where that fails by rounding, its
 * vertices move out from the centroid instead. Round bodies take the margin as their radius.
 */
#include "contact/grown.h"
#include "contact/patch.h"
#include "contact/tolerance.h"
#include "math/functions.h"
#include "query/round_solid.h"

#include <string.h>

void abut_grown_body_free(AbutGrownBody *body) {
    ABUT_ASSERT(body);
    abut_polyhedron_free((AbutPolyhedron *)(uintptr_t)body->polyhedron);
    memset(body, 0, sizeof *body);
}

static AbutStatus grow_by_planes(const AbutPolyhedron *p, double margin, AbutPolyhedron **out) {
    AbutPlane *plane = abut_alloc_array((size_t)p->face_count, sizeof *plane);
    if (!plane) return ABUT_ERROR_MEMORY;
    for (int32_t f = 0; f < p->face_count; ++f) {
        plane[f] = abut_polyhedron_faces(p)[f].plane;
        plane[f].offset += margin;
    }
    AbutStatus status = abut_polyhedron_from_planes(plane, p->face_count, out, NULL);
    abut_free(plane);
    return status;
}

static AbutStatus grow_by_vertices(const AbutPolyhedron *p, double margin, AbutPolyhedron **out) {
    AbutVec3 *v = abut_alloc_array((size_t)p->vertex_count, sizeof *v);
    if (!v) return ABUT_ERROR_MEMORY;
    double factor = 1.0 + (p->inner_radius > 0.0 ? margin / p->inner_radius : 0.0);
    for (int32_t i = 0; i < p->vertex_count; ++i)
        v[i] = abut_add_scaled(p->mass.centroid, abut_sub(abut_polyhedron_vertices(p)[i], p->mass.centroid), factor);
    AbutStatus status = abut_polyhedron_from_points(v, p->vertex_count, NULL, out, NULL);
    abut_free(v);
    return status;
}

static AbutStatus grow_polyhedron(const AbutPolyhedron *p, double margin, AbutPolyhedron **out) {
    AbutStatus status = grow_by_planes(p, margin, out);
    return status == ABUT_OK || status == ABUT_ERROR_MEMORY ? status : grow_by_vertices(p, margin, out);
}

/* Farthest vertex from a point, rounded up. */
static double reach_from(const AbutPolyhedron *p, AbutVec3 center) {
    double most = 0.0;
    for (int32_t i = 0; i < p->vertex_count; ++i)
        most = abut_larger(most, abut_point_distance(abut_polyhedron_vertices(p)[i], center));
    return most * (1.0 + ABUT_CONTACT_REACH);
}

/* A round body keeps its kind: its contacts need no faces. */
static void grow_round(const AbutConvex *body, double margin, AbutGrownBody *out) {
    out->round = 1;
    out->size = abut_cbrt(abut_round_solid_mass(body).volume);
    out->reach = (abut_round_solid_bound(body).radius + margin) * (1.0 + ABUT_CONTACT_REACH);
    out->convex = *body;
    out->convex.radius += margin;
}

/* Fills size, reach, polyhedron and convex; of a polyhedron the size alone. */
static AbutStatus grow(const AbutConvex *body, double margin, AbutGrownBody *out) {
    if (abut_convex_is_round_solid(body)) {
        grow_round(body, margin, out);
        return ABUT_OK;
    }
    AbutPolyhedron *grown = NULL;
    AbutStatus status = ABUT_ERROR_ARGUMENT;
    AbutVec3 half = body->p[0];
    switch (body->kind) {
    case ABUT_CONVEX_BOX:
        out->size = abut_cbrt(8.0 * half.x * half.y * half.z);
        half = abut_add(half, abut_vec3(margin, margin, margin));
        out->convex = abut_convex_box(half, 0.0);
        out->reach = abut_length(half) * (1.0 + ABUT_CONTACT_REACH);
        status = abut_polyhedron_box(half, &grown, NULL);
        break;
    case ABUT_CONVEX_POLYHEDRON:
        out->size = abut_cbrt(body->polyhedron->mass.volume);
        out->open = 1;
        return ABUT_OK;
    case ABUT_CONVEX_HALF_SPACE:
        out->size = out->reach = INFINITY;
        out->convex = *body;
        out->convex.radius += margin;
        return ABUT_OK;
    default:
        break;
    }
    out->polyhedron = grown;
    return status;
}

static AbutStatus check(const AbutConvex *body, double margin, AbutError *error) {
    int round = abut_convex_is_round_solid(body),
        rounded = !round && body->kind != ABUT_CONVEX_HALF_SPACE && body->radius != 0.0;
    if (!round && body->kind != ABUT_CONVEX_BOX && body->kind != ABUT_CONVEX_POLYHEDRON &&
        body->kind != ABUT_CONVEX_HALF_SPACE)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "convex kind %d: expected a box, a polyhedron, a half-space or a round body with volume", (int)body->kind);
    if (rounded)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "radius %g: expected a body that is not rounded", body->radius);
    if (!(margin >= 0.0) || !isfinite(margin))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "margin %g: expected a number of 0 or above", margin);
    if (body->kind == ABUT_CONVEX_BOX &&
        (!(body->p[0].x > 0.0 && body->p[0].y > 0.0 && body->p[0].z > 0.0) || !abut_is_finite(body->p[0])))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "box of %g x %g x %g: expected half sizes above 0", body->p[0].x,
            body->p[0].y, body->p[0].z);
    if (body->kind == ABUT_CONVEX_POLYHEDRON && body->polyhedron->dimension < 3)
        return abut_fail(error, ABUT_ERROR_DEGENERATE, "polyhedron: expected a body with volume");
    return ABUT_OK;
}

static AbutStatus cannot_grow(AbutGrownBody *body, AbutStatus status, AbutError *error) {
    double margin = body->margin;
    abut_grown_body_free(body);
    return abut_fail(error, status,
        status == ABUT_ERROR_MEMORY ? "out of memory" : "the body cannot be grown by a margin of %g", margin);
}

AbutStatus abut_grown_body_begin(const AbutConvex *body, double margin, AbutGrownBody *out, AbutError *error) {
    ABUT_ASSERT(body && out);
    ABUT_ASSERT(body->kind != ABUT_CONVEX_POLYHEDRON || body->polyhedron);
    memset(out, 0, sizeof *out);
    AbutStatus status = check(body, margin, error);
    if (status != ABUT_OK) return status;
    out->margin = margin;
    out->body = *body;
    status = grow(body, margin, out);
    return status == ABUT_OK ? ABUT_OK : cannot_grow(out, status, error);
}

AbutStatus abut_grown_body_finish(AbutGrownBody *body, AbutError *error) {
    AbutPolyhedron *grown = NULL;
    if (!body->open) return ABUT_OK;
    AbutStatus status = grow_polyhedron(body->body.polyhedron, body->margin, &grown);
    if (status != ABUT_OK) return cannot_grow(body, status, error);
    body->polyhedron = grown;
    body->convex = abut_convex_polyhedron(grown, 0.0);
    body->reach = reach_from(grown, body->body.polyhedron->bound.center);
    body->open = 0;
    return ABUT_OK;
}

AbutStatus abut_grown_body_create(const AbutConvex *body, double margin, AbutGrownBody *out, AbutError *error) {
    AbutStatus status = abut_grown_body_begin(body, margin, out, error);
    return status == ABUT_OK ? abut_grown_body_finish(out, error) : status;
}
