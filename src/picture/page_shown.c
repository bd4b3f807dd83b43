/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form in which a page shows a body: its mesh, the facets of a convex body, or a plate of one without end, which
 * lies below and around the other body in all poses: a half-space is a slab under its plane, a plane a thin sheet.
 */
#include "picture/page.h"

enum { SIDES = 64 }; /* of round bodies */

static int is_endless(const AbutConvex *c) { return c->kind == ABUT_CONVEX_HALF_SPACE || c->kind == ABUT_CONVEX_PLANE; }

/* Around a body, in its own frame; nothing of one without end. */
static AbutSphere bound_of(const AbutMesh *mesh, const AbutConvex *convex) {
    AbutAabb box = abut_aabb_empty();
    for (int32_t i = 0; mesh && i < mesh->vertex_count; ++i) box = abut_aabb_add(box, mesh->vertices[i]);
    for (int i = 0; !mesh && i < 6; ++i) {
        AbutVec3 d = abut_scale(abut_axis(i / 2), (i & 1) ? 1.0 : -1.0), p = abut_convex_farthest(convex, d);
        box = abut_aabb_add(box, abut_add_scaled(p, d, is_endless(convex) ? 0.0 : convex->radius));
    }
    return (AbutSphere){abut_scale(abut_add(box.min, box.max), 0.5), 0.5 * abut_point_distance(box.min, box.max)};
}

/* A slab along a plane: half sides along the plane and the depth under it. */
static AbutStatus make_slab(
    AbutPlane plane, AbutVec3 middle, double half, double under, double over, AbutPolyhedron **out, AbutError *error) {
    AbutVec3 n = plane.normal, u = abut_perpendicular(n), v = abut_cross(n, u), corner[8];
    AbutVec3 foot = abut_add_scaled(middle, n, plane.offset - abut_dot(n, middle));
    for (int i = 0; i < 8; ++i) {
        AbutVec3 p = abut_add_scaled(foot, n, (i & 4) ? over : -under);
        p = abut_add_scaled(p, u, (i & 1) ? half : -half);
        corner[i] = abut_add_scaled(p, v, (i & 2) ? half : -half);
    }
    return abut_polyhedron_from_points(corner, 8, NULL, out, error);
}

AbutStatus abut_picture_plate(const AbutPageMeshes *m, int which, AbutPolyhedron **out, AbutError *error) {
    ABUT_ASSERT(m && out && m->convex[which] && is_endless(m->convex[which]));
    const AbutConvex *c = m->convex[which];
    AbutPlane plane = {c->p[0], c->p[1].x};
    AbutSphere other = bound_of(m->mesh[!which], m->convex[!which]);
    AbutAabb track = abut_aabb_empty();
    double away = 0.0;
    for (int32_t i = 0; i < m->count; ++i) {
        AbutPose pose[2] = {m->poses_a ? m->poses_a[i] : m->pose_a, m->pose_b[i]};
        AbutVec3 at = abut_pose_apply_inv(pose[which], abut_pose_apply(pose[!which], other.center));
        track = abut_aabb_add(track, at);
        away = fmax(away, fabs(abut_dot(plane.normal, at) - plane.offset));
    }
    double half = 0.5 * abut_point_distance(track.min, track.max) + 2.0 * other.radius + 0.5 * away;
    if (!(half > 0.0)) half = 1.0; /* of two planes */
    int sheet = c->kind == ABUT_CONVEX_PLANE;
    return make_slab(plane, abut_scale(abut_add(track.min, track.max), 0.5), half, (sheet ? 0.001 : 0.1) * half,
        (sheet ? 0.001 : 0.0) * half, out, error);
}

/* The shape that draws a convex body, and its size. */
static AbutGeometryDef form_of(const AbutConvex *c) {
    static const AbutShapeKind kinds[] = {[ABUT_CONVEX_POINT] = ABUT_SHAPE_SPHERE,
        [ABUT_CONVEX_SEGMENT] = ABUT_SHAPE_CAPSULE,
        [ABUT_CONVEX_CYLINDER] = ABUT_SHAPE_CYLINDER,
        [ABUT_CONVEX_CONE] = ABUT_SHAPE_CONE,
        [ABUT_CONVEX_BOX] = ABUT_SHAPE_BOX,
        [ABUT_CONVEX_POLYHEDRON] = ABUT_SHAPE_POLYHEDRON,
        [ABUT_CONVEX_ELLIPSOID] = ABUT_SHAPE_ELLIPSOID};
    AbutGeometryDef form = abut_shape_default().form;
    ABUT_ASSERT(c->kind != ABUT_CONVEX_TRIANGLE && c->kind != ABUT_CONVEX_SUPPORT); /* these have no shape */
    form.kind = kinds[c->kind];
    form.polyhedron = c->polyhedron;
    form.resolution = SIDES;
    form.size = c->p[0];
    if (c->kind == ABUT_CONVEX_POINT || c->kind == ABUT_CONVEX_SEGMENT)
        form.size = abut_vec3(c->radius, 0, c->kind == ABUT_CONVEX_SEGMENT ? c->p[1].z : 0.0);
    return form;
}

void abut_page_shown(AbutPage *page, const AbutPageMeshes *m, int k) {
    const AbutGeometry *geometry = NULL;
    AbutPolyhedron *plate = NULL;
    AbutMesh mesh = {0};
    if (m->mesh[k]) {
        abut_page_mesh(page, m->mesh[k]);
        return;
    }
    AbutGeometryDef form = is_endless(m->convex[k]) ? abut_shape_default().form : form_of(m->convex[k]);
    AbutStatus status = is_endless(m->convex[k]) ? abut_picture_plate(m, k, &plate, page->error)
                                                 : abut_geometry_create(&form, &geometry, page->error);
    if (status == ABUT_OK) status = abut_polyhedron_to_mesh(plate ? plate : geometry->polyhedron, &mesh, page->error);
    if (status == ABUT_OK) abut_page_mesh(page, &mesh);
    abut_page_keep(page, status);
    abut_mesh_free(&mesh);
    abut_polyhedron_free(plate);
    abut_geometry_release(geometry);
}
