/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes as bodies that press. In: the shapes of a scene, a law of pressure, a spacing. Out: for each geometry samples
 * of its surface and a distance field. Half-spaces have a field alone, height fields nothing: their pieces press.
 * Boxes, polyhedra, balls, capsules and cylinders have it in closed form; surfaces of meshes, ellipsoids and cones on
 * a grid.
 */
#include "scene/pressure_set.h"

#include <string.h>

#include "contact/solid_field.h"
#include "scene/tolerance.h"
#include "model/geometry.h"

static int touches(const AbutShape *shape) { return shape->alive && !shape->def.visual; }

static double area_of(const AbutMesh *mesh) {
    double area = 0.0;
    for (int32_t i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *v = mesh->triangles[i].v;
        AbutVec3 a = mesh->vertices[v[0]];
        area += 0.5 * abut_length(abut_cross(abut_sub(mesh->vertices[v[1]], a), abut_sub(mesh->vertices[v[2]], a)));
    }
    return area;
}

/* A field in closed form needs no grid worth the name. */
static AbutStatus make_surface(const AbutPressureSet *set, AbutPressureItem *item, int threads, AbutError *error) {
    AbutMesh mesh = {0};
    AbutStatus status = abut_geometry_to_mesh(item->geometry, ABUT_PRESSURE_AROUND, &mesh, error);
    if (status == ABUT_OK) {
        double radius = item->geometry->bound.radius;
        AbutSoftBodyDef def = {.threads = threads};
        def.tau = abut_larger(set->spacing, sqrt(area_of(&mesh) / ABUT_PRESSURE_SAMPLES));
        def.step = item->has_solid ? 0.5 * radius : abut_larger(0.7 * def.tau, 2.0 * radius / ABUT_PRESSURE_CELLS);
        def.margin = item->has_solid ? radius : set->law.reach + 2.0 * def.step;
        status = abut_soft_body_create(&mesh, &def, &item->surface, error);
    }
    abut_mesh_free(&mesh);
    return status;
}

static AbutStatus make_item(
    const AbutPressureSet *set, AbutPressureItem *item, int surfaces, int threads, AbutError *error) {
    const AbutGeometry *g = item->geometry;
    if (g->field) return ABUT_OK; /* its pieces press, as solids */
    item->solid = abut_geometry_convex(g);
    item->has_solid = !g->surface && abut_solid_has_field(&item->solid);
    if (!surfaces || !g->polyhedron) return ABUT_OK;
    if (g->polyhedron->dimension < 3)
        return abut_fail(error, ABUT_ERROR_UNSUPPORTED, "a shape without volume does not press");
    return make_surface(set, item, threads, error);
}

/* ---- set --------------------------------------------------------------------------------------------------------- */

void abut_pressure_set_free(AbutPressureSet *set) {
    for (int32_t i = 0; i < set->item_count; ++i) {
        abut_soft_body_free(set->item[i].surface);
        abut_geometry_release(set->item[i].geometry);
    }
    abut_free(set->item);
    abut_free(set->of_shape);
    set->item = NULL, set->of_shape = NULL;
    set->item_count = set->current = 0;
}

static int32_t find_item(const AbutPressureSet *set, const AbutGeometry *geometry) {
    int32_t i = set->item_count - 1;
    while (i >= 0 && set->item[i].geometry != geometry) --i;
    return i;
}

static AbutStatus add_shape(
    AbutPressureSet *set, const AbutScene *scene, int32_t shape, int surfaces, int threads, AbutError *error) {
    const AbutShape *s = &scene->shape[shape];
    AbutError inner;
    set->of_shape[shape] = touches(s) ? find_item(set, s->def.geometry) : -1;
    if (!touches(s) || set->of_shape[shape] >= 0) return ABUT_OK;
    AbutPressureItem *item = &set->item[set->item_count];
    memset(item, 0, sizeof *item);
    item->geometry = abut_geometry_retain(s->def.geometry);
    set->of_shape[shape] = set->item_count++;
    AbutStatus status = make_item(set, item, surfaces, threads, &inner);
    return status == ABUT_OK ? ABUT_OK
                             : abut_fail(error, status, "body '%s', shape '%s': %.300s", scene->body[s->body].name,
                                   s->def.name, inner.text);
}

AbutStatus abut_pressure_set_update(
    AbutPressureSet *set, const AbutScene *scene, int surfaces, int threads, AbutError *error) {
    size_t count = (size_t)scene->shape_places + 1;
    abut_pressure_set_free(set);
    set->item = abut_alloc_array(count, sizeof *set->item);
    set->of_shape = abut_alloc_array(count, sizeof *set->of_shape);
    if (!set->item || !set->of_shape) return abut_fail_memory(error);
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < scene->shape_places && status == ABUT_OK; ++i)
        status = add_shape(set, scene, i, surfaces, threads, error);
    set->revision = scene->revision;
    set->current = status == ABUT_OK;
    return status;
}

AbutPressureBody abut_pressure_body(const AbutPressureSet *set, int32_t shape) {
    const AbutPressureItem *item = &set->item[set->of_shape[shape]];
    AbutPressureBody body = {item->surface, item->has_solid ? &item->solid : NULL};
    return body;
}
