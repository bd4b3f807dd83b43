/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes grown by the contact margin, kept in step with the scene, and the memory that the geometry of a pair needs. */
#include "dynamics/sim.h"

#include <string.h>

/* The shape as a body of the queries, in its own frame. */
static AbutConvex convex_of(const AbutShape *shape)
{
    AbutPlane plane = {{0.0, 0.0, 1.0}, 0.0};
    if (shape->def.kind == ABUT_SHAPE_HALF_SPACE)
        return abut_convex_half_space(plane, 0.0);
    if (shape->def.kind == ABUT_SHAPE_BOX)
        return abut_convex_box(shape->def.size, 0.0);
    return abut_convex_polyhedron(shape->polyhedron, 0.0);
}

/* Room for every worker, enough for the two largest shapes. */
static int reserve_workspace(AbutSimulation *sim)
{
    const AbutGrownBody *largest = NULL;
    for (int32_t s = 0; s < sim->scene->shape_places; ++s) {
        const AbutGrownBody *body = &sim->grown[s].body;
        if (body->polyhedron && (!largest || body->polyhedron->face_count > largest->polyhedron->face_count))
            largest = body;
    }
    size_t bytes = largest ? (abut_contact_workspace_size(largest, largest) + 63) & ~(size_t)63 : 0;
    if (bytes <= sim->workspace_bytes)
        return 1;
    abut_free(sim->workspace);
    sim->workspace_bytes = 0;
    sim->workspace = abut_alloc_array((size_t)sim->worker_count, bytes);
    if (sim->workspace)
        sim->workspace_bytes = bytes;
    return sim->workspace != NULL;
}

/* Was it grown from this shape as it is now? */
static int is_current(const AbutGrownShape *grown, const AbutShape *shape, double margin)
{
    return grown->body.size > 0.0 && grown->body.margin == margin && grown->generation == shape->generation;
}

static AbutStatus grow_shape(AbutSimulation *sim, int32_t place, AbutError *error)
{
    const AbutShape *shape = &sim->scene->shape[place];
    AbutGrownShape *grown = &sim->grown[place];
    if (shape->alive && is_current(grown, shape, sim->constants.margin))
        return ABUT_OK;
    abut_grown_body_free(&grown->body);
    if (!shape->alive)
        return ABUT_OK;
    AbutConvex convex = convex_of(shape);
    AbutError why;
    grown->generation = shape->generation;
    AbutStatus status = abut_grown_body_create(&convex, sim->constants.margin, &grown->body, &why);
    return status == ABUT_OK ? ABUT_OK
                             : abut_fail(error, status, "shape %d of body \"%s\": %s", place,
                                   sim->scene->body[shape->body].name, why.text);
}

AbutStatus abut_stage_shapes(AbutSimulation *sim, AbutError *error)
{
    AbutScene *scene = sim->scene;
    if (sim->scene_revision == scene->revision && sim->grown_margin == sim->constants.margin)
        return ABUT_OK;
    AbutStatus status = abut_scene_check(scene, error);
    size_t old = sim->grown_capacity;
    if (status != ABUT_OK)
        return status;
    if (!abut_grow((void **)&sim->grown, &sim->grown_capacity, (size_t)scene->shape_places, sizeof *sim->grown))
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the shapes of the simulation");
    if (sim->grown_capacity > old)
        memset(sim->grown + old, 0, (sim->grown_capacity - old) * sizeof *sim->grown);
    for (int32_t s = 0; s < scene->shape_places && status == ABUT_OK; ++s)
        status = grow_shape(sim, s, error);
    if (status == ABUT_OK && !reserve_workspace(sim))
        status = abut_fail(error, ABUT_ERROR_MEMORY, "no memory for the contacts of the largest shapes");
    if (status != ABUT_OK)
        return status;
    sim->scene_revision = scene->revision;
    sim->grown_margin = sim->constants.margin;
    return ABUT_OK;
}
