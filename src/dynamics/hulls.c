/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes grown by the contact margin, kept in step with the scene. Growing moves every face plane out by the margin;
 * the new corners follow from the planes. Where that fails by rounding, the vertices are moved out from the centroid
 * instead.
 */
#include "dynamics/sim.h"

#include <string.h>

void abut_clip_hull_free(AbutClipHull *hull)
{
    abut_free(hull->vertex);
    abut_free(hull->plane);
    abut_free(hull->first);
    abut_free(hull->corner);
    abut_polyhedron_free(hull->polyhedron);
    memset(hull, 0, sizeof *hull);
}

/* Copies a polyhedron into the hull, moved to body axes. */
static AbutStatus fill(AbutClipHull *hull, const AbutShape *shape, const AbutPolyhedron *p)
{
    const AbutFace *face = abut_polyhedron_faces(p);
    const AbutHalfEdge *half = abut_polyhedron_half_edges(p);
    hull->vertex_count = p->vertex_count;
    hull->face_count = p->face_count;
    hull->corner_count = p->half_edge_count;
    hull->vertex = abut_alloc_array((size_t)p->vertex_count, sizeof *hull->vertex);
    hull->plane = abut_alloc_array((size_t)p->face_count, sizeof *hull->plane);
    hull->first = abut_alloc_array((size_t)p->face_count + 1, sizeof *hull->first);
    hull->corner = abut_alloc_array((size_t)p->half_edge_count, sizeof *hull->corner);
    if (!hull->vertex || !hull->plane || !hull->first || !hull->corner)
        return ABUT_ERROR_MEMORY;
    hull->box = abut_aabb_empty();
    for (int32_t i = 0; i < p->vertex_count; ++i) {
        hull->vertex[i] =
            abut_add(shape->local_p, abut_mat3_apply(shape->local_rotation, abut_polyhedron_vertices(p)[i]));
        hull->box = abut_aabb_add(hull->box, hull->vertex[i]);
    }
    int32_t at = 0;
    for (int32_t f = 0; f < p->face_count; ++f) {
        hull->plane[f].normal = abut_mat3_apply(shape->local_rotation, face[f].plane.normal);
        hull->plane[f].offset = face[f].plane.offset + abut_dot(hull->plane[f].normal, shape->local_p);
        hull->first[f] = at;
        for (int32_t k = 0; k < face[f].count; ++k)
            hull->corner[at++] = half[face[f].first + k].origin;
    }
    hull->first[p->face_count] = at;
    hull->center = abut_add(shape->local_p, abut_mat3_apply(shape->local_rotation, p->bound.center));
    hull->radius = p->bound.radius;
    return ABUT_OK;
}

/* The polyhedron with all planes moved out by the margin; to be freed. */
static AbutStatus grow(const AbutPolyhedron *p, double margin, AbutPolyhedron **out)
{
    AbutPlane *plane = abut_alloc_array((size_t)p->face_count, sizeof *plane);
    if (!plane)
        return ABUT_ERROR_MEMORY;
    for (int32_t f = 0; f < p->face_count; ++f) {
        plane[f] = abut_polyhedron_faces(p)[f].plane;
        plane[f].offset += margin;
    }
    AbutStatus status = abut_polyhedron_from_planes(plane, p->face_count, out, NULL);
    abut_free(plane);
    if (status == ABUT_OK || status == ABUT_ERROR_MEMORY)
        return status;
    AbutVec3 *v = abut_alloc_array((size_t)p->vertex_count, sizeof *v);
    if (!v)
        return ABUT_ERROR_MEMORY;
    double factor = 1.0 + (p->inner_radius > 0.0 ? margin / p->inner_radius : 0.0);
    for (int32_t i = 0; i < p->vertex_count; ++i)
        v[i] = abut_add_scaled(p->mass.centroid, abut_sub(abut_polyhedron_vertices(p)[i], p->mass.centroid), factor);
    status = abut_polyhedron_from_points(v, p->vertex_count, NULL, out, NULL);
    abut_free(v);
    return status;
}

AbutStatus abut_clip_hull_build(AbutClipHull *hull, const AbutShape *shape, double margin)
{
    memset(hull, 0, sizeof *hull);
    hull->margin = margin;
    if (shape->def.form.kind == ABUT_SHAPE_HALF_SPACE) {
        hull->plane = abut_alloc(sizeof *hull->plane);
        if (!hull->plane)
            return ABUT_ERROR_MEMORY;
        hull->face_count = 1;
        hull->plane[0].normal = shape->local_rotation.z;
        hull->plane[0].offset = abut_dot(shape->local_rotation.z, shape->local_p) + margin;
        hull->size = hull->radius = INFINITY;
        return ABUT_OK;
    }
    AbutPolyhedron *grown = NULL;
    AbutStatus status;
    if (shape->def.form.kind == ABUT_SHAPE_BOX) {
        hull->is_box = 1;
        hull->box_half = abut_add(shape->def.form.size, abut_vec3(margin, margin, margin));
        hull->box_axes = shape->local_rotation;
        hull->box_center = shape->local_p;
        status = abut_polyhedron_box(hull->box_half, &grown, NULL);
    } else {
        status = grow(shape->polyhedron, margin, &grown);
    }
    if (status == ABUT_OK)
        status = fill(hull, shape, grown);
    hull->size = cbrt(shape->polyhedron->mass.volume);
    if (hull->is_box)
        abut_polyhedron_free(grown);
    else
        hull->polyhedron = grown;
    if (status != ABUT_OK)
        abut_clip_hull_free(hull);
    return status;
}

/* Largest counts over all hulls, for the clip spaces. */
static int reserve_spaces(AbutSimulation *sim)
{
    int32_t vertices = 8, faces = 6, corners = 24;
    for (int32_t s = 0; s < sim->hull_count; ++s) {
        const AbutClipHull *h = &sim->hull[s];
        vertices = h->vertex_count > vertices ? h->vertex_count : vertices;
        faces = h->face_count > faces ? h->face_count : faces;
        corners = h->corner_count > corners ? h->corner_count : corners;
    }
    for (int w = 0; w < sim->space_count; ++w)
        if (!abut_clip_space_reserve(&sim->space[w], vertices, faces, corners))
            return 0;
    return 1;
}

/* Was the hull made from this shape as it is now? */
static int is_current(const AbutClipHull *hull, const AbutShape *shape, double margin)
{
    return hull->face_count > 0 && hull->margin == margin && hull->generation == shape->generation &&
           abut_max_abs(abut_sub(hull->shape_p, shape->local_p)) == 0.0 &&
           abut_quat_dot(hull->shape_q, shape->local_q) == abut_quat_dot(shape->local_q, shape->local_q);
}

AbutStatus abut_stage_hulls(AbutSimulation *sim, AbutError *error)
{
    AbutScene *scene = sim->scene;
    double margin = sim->constants.margin;
    if (sim->scene_revision == scene->revision && sim->hull_margin == margin)
        return ABUT_OK;
    AbutStatus status = abut_scene_check(scene, error);
    if (status != ABUT_OK)
        return status;
    size_t old = sim->hull_capacity;
    if (!abut_grow((void **)&sim->hull, &sim->hull_capacity, (size_t)scene->shape_places, sizeof *sim->hull))
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the shapes of the simulation");
    if (sim->hull_capacity > old)
        memset(sim->hull + old, 0, (sim->hull_capacity - old) * sizeof *sim->hull);
    for (int32_t s = 0; s < scene->shape_places; ++s) {
        const AbutShape *shape = &scene->shape[s];
        AbutClipHull *hull = &sim->hull[s];
        if (shape->alive && is_current(hull, shape, margin))
            continue;
        abut_clip_hull_free(hull);
        if (!shape->alive || shape->def.visual)
            continue;
        status = abut_clip_hull_build(hull, shape, margin);
        if (status != ABUT_OK)
            return abut_fail(error, status, "shape %d of body \"%s\" cannot be grown by its contact margin", s,
                scene->body[shape->body].name);
        hull->generation = shape->generation;
        hull->shape_p = shape->local_p;
        hull->shape_q = shape->local_q;
    }
    sim->hull_count = scene->shape_places;
    if (!reserve_spaces(sim))
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory to clip the shapes of the simulation");
    sim->scene_revision = scene->revision;
    sim->hull_margin = margin;
    return ABUT_OK;
}
