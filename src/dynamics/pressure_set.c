/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes as bodies that press. In: the shapes of a scene and the settings. Out: for each geometry samples of its
 * surface and a distance field, and the law of pressure for all.
 *
 * Half-spaces have a field alone. Polyhedra, balls, capsules and cylinders have it in closed form; surfaces of meshes
 * and ellipsoids on a grid. What the settings leave open follows from the smallest body that moves, for lengths, and
 * the one that is heaviest for its size, for the pressure: on a drop from its own height it sinks in by about a tenth.
 */
#include "direction/solid_field.h"
#include "dynamics/pressure.h"
#include "dynamics/tolerance.h"
#include "dynamics/tree.h"

#include <string.h>

static int touches(const AbutShape *shape)
{
    return shape->alive && !shape->def.visual;
}

/* ---- law --------------------------------------------------------------------------------------------------------- */

/* What rests on the shape of a body at most: the body, or the robot that it is a link of. */
static double mass_over(const AbutSimulation *sim, int32_t body)
{
    const AbutBody *b = &sim->scene->body[body];
    return b->tree >= 0 && sim->trees ? sim->trees->tree[b->tree].mass : b->mass;
}

static void choose_law(AbutSimulation *sim, AbutPressureSet *set)
{
    const AbutScene *scene = sim->scene;
    double least = INFINITY, most = 0.0, g = ABUT_GRAVITY * abut_scale_gravity(&sim->def);
    for (int32_t i = 0; i < scene->shape_places; ++i) {
        const AbutShape *s = &scene->shape[i];
        if (!touches(s) || s->def.sensor || !(scene->body[s->body].inv_mass > 0.0))
            continue;
        least = abut_smaller(least, s->size);
        most = abut_larger(most, mass_over(sim, s->body) * g / (s->size * s->size));
    }
    least = isfinite(least) ? least : ABUT_REFERENCE_SIZE;
    AbutPressureDef law = {.pressure = sim->def.pressure, .reach = sim->def.reach};
    law.reach = law.reach > 0.0 ? law.reach : ABUT_PRESSURE_REACH * least;
    law.pressure = law.pressure > 0.0 ? law.pressure : abut_larger(ABUT_PRESSURE_WEIGHTS * most, 1e-30);
    set->law = law;
    set->spacing = sim->def.spacing > 0.0 ? sim->def.spacing : ABUT_PRESSURE_SPACING * law.reach;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Of a round kind finer than its picture. */
static AbutStatus mesh_of(const AbutGeometry *geometry, AbutMesh *out, AbutError *error)
{
    if (!abut_geometry_is_round(geometry))
        return abut_geometry_to_mesh(geometry, out, error);
    AbutGeometryDef def = abut_geometry_def(geometry);
    const AbutGeometry *fine;
    def.resolution = ABUT_PRESSURE_AROUND;
    AbutStatus status = abut_geometry_create(&def, &fine, error);
    if (status == ABUT_OK)
        status = abut_geometry_to_mesh(fine, out, error);
    abut_geometry_release(fine);
    return status;
}

static double area_of(const AbutMesh *mesh)
{
    double area = 0.0;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *v = mesh->triangles[i].v;
        AbutVec3 a = mesh->vertices[v[0]];
        area += 0.5 * abut_length(abut_cross(abut_sub(mesh->vertices[v[1]], a), abut_sub(mesh->vertices[v[2]], a)));
    }
    return area;
}

/* A field in closed form needs no grid worth the name. */
static AbutStatus make_surface(const AbutSimulation *sim, AbutPressureItem *item, AbutError *error)
{
    const AbutPressureSet *set = sim->pressure;
    AbutMesh mesh = {0};
    AbutStatus status = mesh_of(item->geometry, &mesh, error);
    if (status == ABUT_OK) {
        double radius = item->geometry->bound.radius;
        AbutSoftBodyDef def = {.threads = sim->def.threads};
        def.tau = abut_larger(set->spacing, sqrt(area_of(&mesh) / ABUT_PRESSURE_SAMPLES));
        def.step = item->has_solid ? 0.5 * radius : abut_larger(0.7 * def.tau, 2.0 * radius / ABUT_PRESSURE_CELLS);
        def.margin = item->has_solid ? radius : set->law.reach + 2.0 * def.step;
        status = abut_soft_body_create(&mesh, &def, &item->surface, error);
    }
    abut_mesh_free(&mesh);
    return status;
}

static AbutStatus make_item(const AbutSimulation *sim, AbutPressureItem *item, int surfaces, AbutError *error)
{
    const AbutGeometry *g = item->geometry;
    item->solid = abut_geometry_convex(g);
    item->has_solid = !g->surface && abut_solid_has_field(&item->solid);
    if (!surfaces || !g->polyhedron)
        return ABUT_OK;
    if (g->polyhedron->dimension < 3)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "a shape without volume does not press");
    return make_surface(sim, item, error);
}

/* ---- set --------------------------------------------------------------------------------------------------------- */

static void free_items(AbutPressureSet *set)
{
    for (int32_t i = 0; i < set->item_count; ++i) {
        abut_soft_body_free(set->item[i].surface);
        abut_geometry_release(set->item[i].geometry);
    }
    abut_free(set->item);
    abut_free(set->of_shape);
    set->item = NULL, set->of_shape = NULL;
    set->item_count = 0;
}

void abut_pressure_set_free(AbutPressureSet *set)
{
    if (set)
        free_items(set);
    abut_free(set);
}

static int32_t find_item(const AbutPressureSet *set, const AbutGeometry *geometry)
{
    int32_t i = set->item_count - 1;
    while (i >= 0 && set->item[i].geometry != geometry)
        --i;
    return i;
}

static AbutStatus add_shape(const AbutSimulation *sim, int32_t shape, int surfaces, AbutError *error)
{
    AbutPressureSet *set = sim->pressure;
    const AbutShape *s = &sim->scene->shape[shape];
    AbutError inner;
    set->of_shape[shape] = touches(s) ? find_item(set, s->def.geometry) : -1;
    if (!touches(s) || set->of_shape[shape] >= 0)
        return ABUT_OK;
    AbutPressureItem *item = &set->item[set->item_count];
    memset(item, 0, sizeof *item);
    item->geometry = abut_geometry_retain(s->def.geometry);
    set->of_shape[shape] = set->item_count++;
    AbutStatus status = make_item(sim, item, surfaces, &inner);
    return status == ABUT_OK ? ABUT_OK
                             : abut_fail(error, status, "body '%s', shape '%s': %.300s", sim->scene->body[s->body].name,
                                   s->def.name, inner.text);
}

AbutStatus abut_pressure_set_update(AbutSimulation *sim, int surfaces, AbutError *error)
{
    if (!sim->pressure) {
        sim->pressure = abut_alloc(sizeof *sim->pressure);
        if (!sim->pressure)
            return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for a simulation");
        memset(sim->pressure, 0, sizeof *sim->pressure);
    }
    AbutPressureSet *set = sim->pressure;
    if (set->current && set->revision == sim->scene->revision)
        return ABUT_OK;
    size_t count = (size_t)sim->scene->shape_places + 1;
    free_items(set);
    set->current = 0;
    set->item = abut_alloc_array(count, sizeof *set->item);
    set->of_shape = abut_alloc_array(count, sizeof *set->of_shape);
    if (!set->item || !set->of_shape)
        return abut_fail(error, ABUT_ERROR_MEMORY, "no memory for %d shapes", sim->scene->shape_places);
    choose_law(sim, set);
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < sim->scene->shape_places && status == ABUT_OK; ++i)
        status = add_shape(sim, i, surfaces, error);
    set->revision = sim->scene->revision;
    set->current = status == ABUT_OK;
    return status;
}

AbutPressureBody abut_pressure_body(const AbutPressureSet *set, int32_t shape)
{
    const AbutPressureItem *item = &set->item[set->of_shape[shape]];
    AbutPressureBody body = {item->surface, item->has_solid ? &item->solid : NULL};
    return body;
}
