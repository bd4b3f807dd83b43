/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Geometry: made once from a definition, then shared by counted references, and sets in which equal geometry is found
 * again. In: a definition. Out: an immutable geometry with its polyhedron.
 *
 * The counter is atomic, so that threads may share geometry; a set belongs to one thread at a time. Geometry is equal
 * when kind, the sizes that count, resolution, and the bytes of a given polyhedron, surface and height field are.
 */
#include "model/geometry.h"

#include <stdatomic.h>
#include <string.h>

#include "model/shape_kind.h"
#include "query/round_solid.h"

typedef struct Counted {
    AbutGeometry geometry; /* first: a pointer to it is a pointer to the whole */
    atomic_int references;
} Counted;

/* The counter is all of a geometry that ever changes. */
static Counted *counted(const AbutGeometry *geometry) { return (Counted *)(uintptr_t)geometry; }

/* ---- definitions ------------------------------------------------------------------------------------------------- */

/* A closed mesh with volume, counter-clockwise seen from outside? */
static int is_closed(const AbutMeshReport *report) {
    return report->closed && report->oriented && report->mass.volume > 0.0;
}

/* A mesh inside the polyhedron. */
static AbutStatus check_surface(const char *what, const AbutGeometryDef *def, AbutError *error) {
    AbutMeshReport report;
    ABUT_TRY(abut_mesh_report(def->surface, &report, error));
    double slack = 1e-6 * def->polyhedron->bound.radius;
    for (int k = 0; k < 3; ++k)
        if (abut_get(report.box.min, k) < abut_get(def->polyhedron->box.min, k) - slack ||
            abut_get(report.box.max, k) > abut_get(def->polyhedron->box.max, k) + slack)
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: its surface reaches out of its polyhedron", what);
    return ABUT_OK;
}

AbutStatus abut_geometry_check(const char *what, AbutGeometryDef *def, AbutError *error) {
    const AbutShapeKindRow *row = abut_shape_kind_row(def->kind);
    AbutVec3 given = def->size;
    if (!row) return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: unknown kind %d", what, (int)def->kind);
    if (!row->tidy_size(&def->size))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "%s: a size is not a positive number, or too small beside the others: %g %g %g", what, given.x, given.y,
            given.z);
    if (def->resolution == 0) def->resolution = ABUT_DEFAULT_RESOLUTION;
    if (def->resolution < ABUT_MIN_RESOLUTION || def->resolution > ABUT_MAX_RESOLUTION)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: the resolution %d is not in %d .. %d", what, def->resolution,
            ABUT_MIN_RESOLUTION, ABUT_MAX_RESOLUTION);
    if (!row->round) def->resolution = 0;
    if (def->kind != ABUT_SHAPE_HEIGHT_FIELD) def->field = NULL;
    if (def->kind != ABUT_SHAPE_POLYHEDRON)
        def->polyhedron = NULL, def->surface = NULL;
    else if (!def->polyhedron)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: a polyhedron shape without a polyhedron", what);
    if (def->kind == ABUT_SHAPE_HEIGHT_FIELD && (!def->field || !def->field->heights))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: a height field without heights", what);
    ABUT_TRY(def->field ? abut_height_field_check(def->field, error) : ABUT_OK);
    return def->surface ? check_surface(what, def, error) : ABUT_OK;
}

static size_t vertex_bytes(const AbutMesh *mesh) { return (size_t)mesh->vertex_count * sizeof *mesh->vertices; }

static size_t triangle_bytes(const AbutMesh *mesh) { return (size_t)mesh->triangle_count * sizeof *mesh->triangles; }

static uint64_t hash_def(const AbutGeometryDef *def) {
    double numbers[5] = {(double)def->kind, (double)def->resolution, def->size.x, def->size.y, def->size.z};
    uint64_t hash = abut_hash(numbers, sizeof numbers, def->polyhedron ? def->polyhedron->hash : 0);
    if (def->surface) {
        hash = abut_hash(def->surface->vertices, vertex_bytes(def->surface), hash);
        hash = abut_hash(def->surface->triangles, triangle_bytes(def->surface), hash);
    }
    return def->field ? abut_height_field_hash(def->field, hash) : hash;
}

static int same_surface(const AbutMesh *a, const AbutMesh *b) {
    if (!a || !b) return a == b;
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->vertices, b->vertices, vertex_bytes(a)) == 0 &&
           memcmp(a->triangles, b->triangles, triangle_bytes(a)) == 0;
}

static int is_equal(const AbutGeometry *geometry, const AbutGeometryDef *def) {
    AbutVec3 a = geometry->size, b = def->size;
    if (geometry->kind != def->kind || geometry->resolution != def->resolution || a.x != b.x || a.y != b.y ||
        a.z != b.z || !same_surface(geometry->surface, def->surface) ||
        !abut_height_field_same(geometry->field, def->field))
        return 0;
    return !def->polyhedron || (geometry->polyhedron->bytes == def->polyhedron->bytes &&
                                   memcmp(geometry->polyhedron, def->polyhedron, (size_t)def->polyhedron->bytes) == 0);
}

AbutGeometryDef abut_geometry_def(const AbutGeometry *geometry) {
    AbutGeometryDef def = {
        geometry->kind, geometry->size, NULL, geometry->resolution, geometry->surface, geometry->field};
    def.polyhedron = geometry->kind == ABUT_SHAPE_POLYHEDRON ? geometry->polyhedron : NULL;
    return def;
}

/* ---- what it is ---------------------------------------------------------------------------------------------------- */

/* Mass and bounds of a round kind are those of the body, not of its picture. */
static void measure(AbutGeometry *geometry) {
    AbutConvex convex = abut_geometry_convex(geometry);
    if (abut_geometry_is_round(geometry)) {
        geometry->mass = abut_round_solid_mass(&convex);
        geometry->bound = abut_round_solid_bound(&convex);
    } else if (geometry->polyhedron) {
        geometry->mass = geometry->polyhedron->mass;
        geometry->bound = geometry->polyhedron->bound;
    } else {
        geometry->bound.radius = INFINITY;
    }
    if (geometry->field) memset(&geometry->mass, 0, sizeof geometry->mass);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void free_surface(AbutMesh *surface) {
    if (surface) abut_mesh_free(surface);
    abut_free(surface);
}

static AbutStatus copy_mesh(const AbutMesh *mesh, AbutMesh *out, AbutError *error) {
    ABUT_TRY(abut_mesh_create(mesh->vertex_count, mesh->triangle_count, out, error));
    memcpy(out->vertices, mesh->vertices, vertex_bytes(mesh));
    memcpy(out->triangles, mesh->triangles, triangle_bytes(mesh));
    return ABUT_OK;
}

static AbutStatus copy_surface(const AbutMesh *mesh, AbutMesh **out, AbutError *error) {
    *out = mesh ? abut_alloc(sizeof **out) : NULL;
    if (!mesh) return ABUT_OK;
    AbutStatus status = *out ? copy_mesh(mesh, *out, error) : abut_fail_memory(error);
    if (status != ABUT_OK) {
        abut_free(*out);
        *out = NULL;
    }
    return status;
}

/* From a checked definition, with one reference. */
static AbutStatus make(const AbutGeometryDef *def, const AbutGeometry **out, AbutError *error) {
    AbutPolyhedron *polyhedron = NULL;
    Counted *fresh = abut_alloc(sizeof *fresh);
    *out = NULL;
    if (!fresh) return abut_fail_memory(error);
    AbutMesh *surface = NULL;
    AbutHeightGrid *grid = NULL;
    AbutMeshReport report;
    AbutStatus status = def->surface ? abut_mesh_report(def->surface, &report, error) : ABUT_OK;
    if (status == ABUT_OK) status = copy_surface(def->surface, &surface, error);
    if (status == ABUT_OK && def->field) status = abut_height_grid_create(def->field, &grid, error);
    AbutGeometryDef own = *def;
    own.field = grid ? &grid->field : NULL;
    if (status == ABUT_OK) status = abut_shape_kind_row(def->kind)->make(&own, &polyhedron, error);
    if (status != ABUT_OK) {
        free_surface(surface);
        abut_height_grid_free(grid);
        abut_free(fresh);
        return status;
    }
    AbutGeometry geometry = {.kind = def->kind,
        .size = def->size,
        .resolution = def->resolution,
        .polyhedron = polyhedron,
        .surface = surface,
        .field = own.field};
    geometry.hash = hash_def(def);
    measure(&geometry);
    geometry.surface_closed = surface && is_closed(&report);
    if (geometry.surface_closed) geometry.mass = report.mass;
    fresh->geometry = geometry;
    atomic_init(&fresh->references, 1);
    *out = &fresh->geometry;
    return ABUT_OK;
}

AbutStatus abut_geometry_create(const AbutGeometryDef *given, const AbutGeometry **out, AbutError *error) {
    ABUT_ASSERT(given && out);
    AbutGeometryDef def = *given;
    *out = NULL;
    const AbutShapeKindRow *row = abut_shape_kind_row(def.kind);
    AbutStatus status = abut_geometry_check(row ? abut_shape_kind_names[def.kind] : "geometry", &def, error);
    return status == ABUT_OK ? make(&def, out, error) : status;
}

const AbutGeometry *abut_geometry_retain(const AbutGeometry *geometry) {
    ABUT_ASSERT(geometry);
    atomic_fetch_add_explicit(&counted(geometry)->references, 1, memory_order_relaxed);
    return geometry;
}

void abut_geometry_release(const AbutGeometry *geometry) {
    if (!geometry || atomic_fetch_sub_explicit(&counted(geometry)->references, 1, memory_order_acq_rel) > 1) return;
    abut_polyhedron_free((AbutPolyhedron *)(uintptr_t)geometry->polyhedron);
    free_surface((AbutMesh *)(uintptr_t)geometry->surface);
    abut_height_grid_free((AbutHeightGrid *)(uintptr_t)geometry->field);
    abut_free(counted(geometry));
}

AbutStatus abut_geometry_to_mesh(const AbutGeometry *geometry, int around, AbutMesh *out, AbutError *error) {
    if (geometry->field) return abut_height_field_mesh(geometry->field, out, error);
    if (geometry->surface) return copy_mesh(geometry->surface, out, error);
    if (geometry->resolution == 0 || geometry->resolution >= around)
        return abut_polyhedron_to_mesh(geometry->polyhedron, out, error);
    AbutGeometryDef def = abut_geometry_def(geometry);
    const AbutGeometry *fine = NULL;
    def.resolution = around;
    AbutStatus status = abut_geometry_create(&def, &fine, error);
    if (status == ABUT_OK) status = abut_polyhedron_to_mesh(fine->polyhedron, out, error);
    abut_geometry_release(fine);
    return status;
}

AbutConvex abut_geometry_convex(const AbutGeometry *geometry) {
    ABUT_ASSERT(geometry);
    return abut_shape_kind_row(geometry->kind)->convex(geometry);
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

/* Where this geometry stands, or the free slot where it would. */
static const AbutGeometry **slot_of(const AbutGeometrySet *set, const AbutGeometryDef *def, uint64_t hash) {
    size_t i = (size_t)hash & (set->size - 1);
    while (set->slots[i] && !(set->slots[i]->hash == hash && is_equal(set->slots[i], def)))
        i = (i + 1) & (set->size - 1);
    return &set->slots[i];
}

static int is_shared(const AbutGeometry *geometry) {
    return atomic_load_explicit(&counted(geometry)->references, memory_order_acquire) > 1;
}

/* A table for one more than are in use, without those that only the set holds; 0: no memory, nothing has changed. */
static int renew(AbutGeometrySet *set) {
    AbutGeometrySet fresh = {NULL, 16, 0};
    size_t used = 1;
    for (size_t i = 0; i < set->size; ++i) used += set->slots[i] && is_shared(set->slots[i]);
    while (fresh.size < 4 * used) fresh.size *= 2;
    fresh.slots = abut_alloc_array(fresh.size, sizeof *fresh.slots);
    if (!fresh.slots) return 0;
    for (size_t i = 0; i < fresh.size; ++i) fresh.slots[i] = NULL;
    for (size_t i = 0; i < set->size; ++i) {
        const AbutGeometry *geometry = set->slots[i];
        if (geometry && is_shared(geometry)) {
            AbutGeometryDef def = abut_geometry_def(geometry);
            *slot_of(&fresh, &def, geometry->hash) = geometry;
            ++fresh.count;
        } else {
            abut_geometry_release(geometry);
        }
    }
    abut_free(set->slots);
    *set = fresh;
    return 1;
}

AbutStatus abut_geometry_set_get(
    AbutGeometrySet *set, const AbutGeometryDef *def, const AbutGeometry **out, AbutError *error) {
    *out = NULL;
    if (2 * (set->count + 1) > set->size && !renew(set)) return abut_fail_memory(error);
    const AbutGeometry **slot = slot_of(set, def, hash_def(def));
    if (!*slot) {
        ABUT_TRY(make(def, slot, error));
        ++set->count;
    }
    *out = abut_geometry_retain(*slot);
    return ABUT_OK;
}

void abut_geometry_set_free(AbutGeometrySet *set) {
    for (size_t i = 0; i < set->size; ++i) abut_geometry_release(set->slots[i]);
    abut_free(set->slots);
    AbutGeometrySet empty = {NULL, 0, 0};
    *set = empty;
}
