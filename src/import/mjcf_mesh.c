/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Meshes of an MJCF model as geometry: read, brought into the frame of the model (reference pose taken off, then
 * scaled), and replaced by their hull, or on request by convex pieces. Mass comes from the mesh by the rule that the
 * file names.
 */
#include "import/mjcf_read.h"
#include "mesh/mesh_pair.h"

#include <stdio.h>
#include <string.h>

enum { DRAWN = 500000, WORTH = 128 }; /* triangles drawn at most; vertices of a mesh that is worth a cache */

AbutXmlElement abut_mjcf_at(AbutSource source, const char *tag) {
    return (AbutXmlElement){.tag = tag, .file = source.file, .line = source.line};
}

int abut_mjcf_stays_inside(const char *path) {
    if (*path == '/' || strchr(path, '\\')) return 0;
    for (const char *p = path; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || p[2] == 0)) return 0;
    }
    return 1;
}

void abut_mjcf_hide_content(AbutError *error) {
    char *quote = strstr(error->text, ", got '");
    if (quote) *quote = 0;
}

int abut_mjcf_locate(const char *folder, const char *file, char *out, size_t room) {
    int n = *file == '/' ? snprintf(out, room, "%s", file) : snprintf(out, room, "%s/%s", folder, file);
    return n >= 0 && (size_t)n < room;
}

AbutStatus abut_mjcf_file_path(const AbutMjcfReader *reader, const AbutXmlElement *at, const char *file, char *out,
    size_t room, AbutError *error) {
    if (!reader->options.folder)
        return abut_xml_fail(error, at, ABUT_ERROR_FORMAT, "attribute file: no folder to read '%.200s' from", file);
    if (!reader->options.allow_outside && !abut_mjcf_stays_inside(file))
        return abut_xml_fail(error, at, ABUT_ERROR_FORMAT,
            "attribute file: expected a file inside the folder of the scene, got '%.200s'; allow-outside lets it lie "
            "elsewhere",
            file);
    if (!abut_mjcf_locate(reader->options.folder, file, out, room))
        return abut_xml_fail(error, at, ABUT_ERROR_LIMIT, "attribute file: expected a shorter path");
    if (!reader->options.allow_outside && abut_mjcf_leads_out(reader->options.folder, out))
        return abut_xml_fail(error, at, ABUT_ERROR_FORMAT,
            "attribute file: '%.200s' is a link out of the folder of the scene; allow-outside follows it", file);
    return ABUT_OK;
}

static AbutStatus load_mesh(const AbutMjcfReader *reader, const AbutDraftMesh *mesh, AbutMesh *out, AbutError *error) {
    AbutXmlElement at = abut_mjcf_at(mesh->source, "mesh");
    AbutError inner;
    char path[4096];
    memset(out, 0, sizeof *out);
    ABUT_TRY(abut_mjcf_file_path(reader, &at, mesh->path, path, sizeof path, error));
    AbutStatus status = abut_mesh_read(path, NULL, 0, out, NULL, &inner);
    if (status) abut_mjcf_hide_content(&inner);
    return status ? abut_xml_fail(error, &at, status, "attribute file: %.300s", inner.text) : ABUT_OK;
}

static AbutStatus inline_mesh(const AbutDraftMesh *mesh, AbutMesh *out, AbutError *error) {
    ABUT_TRY(abut_mesh_create(mesh->vertex_count, mesh->face_count, out, error));
    memcpy(out->vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *out->vertices);
    for (int32_t i = 0; i < mesh->face_count; ++i)
        for (int k = 0; k < 3; ++k) out->triangles[i].v[k] = (int32_t)mesh->faces[3 * i + k];
    return ABUT_OK;
}

/* MuJoCo reads vertices as floats, whatever their file; masses agree when they are. The float is volatile because gcc
 * 12 drops the rounding in the last turns of a vectorized loop. */
static double as_float(double x) {
    volatile float rounded = (float)x;
    return rounded;
}

static void place_vertices(const AbutDraftMesh *mesh, AbutMesh *out) {
    for (int32_t i = 0; i < out->vertex_count; ++i) {
        AbutVec3 v = out->vertices[i];
        v = abut_sub(abut_vec3(as_float(v.x), as_float(v.y), as_float(v.z)), mesh->ref_pos);
        out->vertices[i] = abut_mul(abut_quat_rotate_inv(mesh->ref_quat, v), mesh->scale);
    }
}

/* Tells when the rule of the file and the solid inside differ, where a mass depends on it. */
static void warn_mass(
    AbutMjcfReader *reader, const AbutDraftMesh *from, int weighs, const AbutMesh *mesh, double volume) {
    AbutXmlElement at = abut_mjcf_at(from->source, "mesh");
    AbutMeshReport report;
    if (!weighs || from->inertia != ABUT_MJCF_INERTIA_LEGACY || mesh->triangle_count == 0) return;
    if (abut_mesh_report(mesh, &report, NULL) != ABUT_OK || !report.closed || !report.oriented) return;
    double solid = fabs(report.mass.volume);
    if (fabs(volume - solid) > 0.1 * solid)
        abut_mjcf_warn(reader, &at,
            "mesh '%.60s': inertia=\"legacy\" counts a volume of %.3g m^3, the solid inside has %.3g m^3", from->name,
            volume, solid);
}

enum { FILLS, OPEN, HOLLOW };

/* Is the volume of a mesh of several parts that of the solid? */
static int counts_once(const AbutMesh *mesh) {
    AbutMeshTree *tree = NULL;
    int once = abut_mesh_tree_create(mesh, 1, &tree, NULL) == ABUT_OK && abut_mesh_counts_once(tree, mesh);
    abut_mesh_tree_free(tree);
    return once;
}

/* Does a mesh fill its hull but for this part of its volume, or has it no inside? Its volume, with its sign. */
static int fills_hull(const AbutMesh *mesh, const AbutPolyhedron *hull, double excess, double *volume) {
    AbutMeshReport report;
    if (!hull || mesh->triangle_count == 0) return FILLS;
    if (abut_mesh_report(mesh, &report, NULL) != ABUT_OK || !report.closed || !report.oriented) return OPEN;
    *volume = report.mass.volume;
    if (hull->mass.volume > (1.0 + excess) * fabs(*volume)) return HOLLOW;
    return report.components == 1 || counts_once(mesh) ? FILLS : HOLLOW;
}

int abut_mjcf_surface(AbutMesh *mesh, const AbutPolyhedron *hull) {
    double volume = 0.0;
    int fills = fills_hull(mesh, hull, 1e-6, &volume);
    for (int32_t i = 0; fills == HOLLOW && i < mesh->triangle_count && volume < 0.0; ++i) {
        int32_t *v = mesh->triangles[i].v, kept = v[1];
        v[1] = v[2], v[2] = kept;
    }
    return fills == OPEN ? -1 : fills == HOLLOW;
}

/* Takes the mesh over. */
static void keep_surface(AbutMjcfReader *reader, const AbutDraftMesh *from, AbutMesh *mesh, AbutMjcfSolid *out) {
    AbutXmlElement at = abut_mjcf_at(from->source, "mesh");
    int surface = abut_mjcf_surface(mesh, out->hull);
    if (surface < 0) abut_mjcf_warn(reader, &at, "mesh '%.60s' is not closed: its hull is taken", from->name);
    if (surface != 1) return;
    out->surface = *mesh;
    memset(mesh, 0, sizeof *mesh);
}

static const AbutDecomposeDef fine = {.excess = 0.05, .max_pieces = 32};

/* Hull, and where they are asked for convex pieces of a closed mesh that fills its hull badly. */
static AbutStatus make_solid(const AbutMesh *mesh, int wants_pieces, AbutCached *out, AbutError *error) {
    AbutHullDef def = {.solid_only = 1};
    double volume;
    AbutStatus status = abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, &def, &out->hull, error);
    if (status)
        out->hull = NULL;
    else if (wants_pieces && fills_hull(mesh, out->hull, fine.excess, &volume) == HOLLOW)
        status = abut_mesh_decompose(mesh, &fine, &out->pieces, error);
    return status;
}

AbutStatus abut_import_solid(const AbutMesh *mesh, const char *cache, int wants_pieces, AbutCached *out,
    AbutCacheKey *key, int *fresh, AbutError *error) {
    int worth = cache && mesh->vertex_count >= WORTH;
    memset(out, 0, sizeof *out);
    *fresh = 0;
    if (worth) *key = abut_cache_key(mesh, wants_pieces ? &fine : NULL);
    if (worth && abut_cache_get(cache, *key, out)) return ABUT_OK;
    AbutStatus status = make_solid(mesh, wants_pieces, out, error);
    *fresh = worth && !status;
    return status;
}

/* Says how many pieces a mesh has become. */
static void warn_pieces(AbutMjcfReader *reader, const AbutDraftMesh *from, const AbutPieces *pieces) {
    AbutXmlElement at = abut_mjcf_at(from->source, "mesh");
    if (pieces->count == 0) return;
    if (isfinite(pieces->excess))
        abut_mjcf_warn(reader, &at,
            "mesh '%.60s' is not convex: it becomes %d convex pieces, %.2g of its volume too much", from->name,
            pieces->count, pieces->excess);
    else
        abut_mjcf_warn(reader, &at, "mesh '%.60s' is not convex, and parts of it overlap: it becomes %d convex pieces",
            from->name, pieces->count);
}

void abut_mjcf_free_solid(AbutMjcfSolid *solid) {
    abut_polyhedron_free(solid->hull);
    abut_pieces_free(&solid->pieces);
    abut_mesh_free(&solid->surface);
    abut_mesh_free(&solid->drawn);
    abut_mesh_free(&solid->mesh);
}

int abut_import_keep_drawn(const AbutMesh *mesh, AbutVec3 scale, int32_t *total, AbutMesh *out) {
    if (mesh->triangle_count > DRAWN - *total ||
        abut_mesh_create(mesh->vertex_count, mesh->triangle_count, out, NULL) != ABUT_OK)
        return 0;
    memcpy(out->vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *out->vertices);
    for (int32_t i = 0, k = scale.x * scale.y * scale.z < 0.0; i < mesh->triangle_count; ++i) {
        const int32_t *v = mesh->triangles[i].v;
        out->triangles[i] = (AbutTriangle){{v[0], v[1 + k], v[2 - k]}};
    }
    *total += mesh->triangle_count;
    return 1;
}

static void keep_drawn(AbutMjcfReader *reader, const AbutDraftMesh *from, const AbutMesh *mesh, AbutMjcfSolid *out) {
    AbutXmlElement at = abut_mjcf_at(from->source, "mesh");
    if (reader->options.drawn_meshes && out->seen && mesh->triangle_count > 0 &&
        !abut_import_keep_drawn(mesh, from->scale, &reader->drawn, &out->drawn))
        abut_mjcf_warn(reader, &at, "too many triangles to draw: hulls from here on");
}

void abut_mjcf_prepare_solid(const AbutMjcfReader *reader, const AbutDraftMesh *from, AbutMjcfSolid *out) {
    const AbutModelReadOptions *options = &reader->options;
    AbutXmlElement at = abut_mjcf_at(from->source, "mesh");
    AbutError inner;
    AbutCached made;
    out->status =
        *from->path ? load_mesh(reader, from, &out->mesh, &out->why) : inline_mesh(from, &out->mesh, &out->why);
    if (out->status) return;
    place_vertices(from, &out->mesh);
    int pieces = options->convex_pieces && !options->hulls && out->touches;
    out->status = abut_import_solid(&out->mesh, options->cache, pieces, &made, &out->key, &out->fresh, &inner);
    out->hull = made.hull;
    out->pieces = made.pieces;
    if (out->status && !out->hull)
        abut_xml_fail(&out->why, &at, out->status, "expected a hull with volume: %.300s", inner.text);
    else if (out->status)
        abut_xml_fail(&out->why, &at, out->status, "%.300s", inner.text);
    AbutMass mass = {0};
    out->loaded = abut_mjcf_mesh_mass(&out->mesh, out->hull, (AbutMjcfInertia)from->inertia, &mass);
    out->volume = mass.volume;
    if (out->loaded) {
        out->inertial = abut_mjcf_principal(mass.volume, mass.centroid, mass.inertia, ABUT_MJCF_MESH_PART);
        abut_mjcf_measure(&out->mesh, &out->inertial, &out->extent);
    }
}

AbutStatus abut_mjcf_take_solid(
    AbutMjcfReader *reader, const AbutDraftMesh *from, AbutMjcfSolid *out, AbutError *error) {
    if (out->loaded && out->mesh.vertex_count > 0) warn_mass(reader, from, out->weighs, &out->mesh, out->volume);
    if (!out->status) {
        keep_drawn(reader, from, &out->mesh, out);
        if (!reader->options.hulls && !reader->options.convex_pieces && out->touches)
            keep_surface(reader, from, &out->mesh, out);
        warn_pieces(reader, from, &out->pieces);
    }
    abut_mesh_free(&out->mesh);
    out->taken = 1;
    if (out->status && error) *error = out->why;
    return out->status;
}
