/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links of URDF: mass from <inertial>, or from the shapes of links that move and have none; shapes from <collision> and
 * <visual>. Sizes of boxes are full sizes, cylinders stand along z; a closed mesh stays as it is, or becomes its hull
 * or convex pieces, as the options say.
 */
#include <stdio.h>
#include <string.h>

#include "import/urdf_read.h"
#include "math/matrix.h"

/* ---- mass -------------------------------------------------------------------------------------------------------- */

/* Moments of a solid: one beyond the sum of the others is cut to it. */
static AbutMat3 possible(AbutUrdfReader *reader, const AbutXmlElement *element, AbutMat3 inertia) {
    double value[3];
    AbutMat3 axes = abut_mat3_eigen_symmetric(inertia, value);
    double most = value[0] + value[1];
    if (value[2] <= most * (1.0 + 1e-9)) return inertia;
    abut_urdf_warn(reader, element,
        "moments %.6g, %.6g and %.6g are those of no solid: the largest is cut to the sum of the others", value[0],
        value[1], value[2]);
    return abut_mat3_mul(abut_mat3_mul(axes, abut_mat3_diagonal(value[0], value[1], most)), abut_mat3_transpose(axes));
}

static AbutStatus read_tensor(AbutUrdfReader *reader, const AbutXmlElement *element, AbutMat3 *out) {
    static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    double v[6] = {0};
    for (int i = 0; i < 6 && element; ++i) ABUT_TRY(abut_urdf_numbers(reader, element, names[i], 1, &v[i]));
    *out = abut_mat3(abut_vec3(v[0], v[3], v[4]), abut_vec3(v[3], v[1], v[5]), abut_vec3(v[4], v[5], v[2]));
    return ABUT_OK;
}

AbutStatus abut_urdf_inertial(AbutUrdfReader *reader, const AbutUrdfLink *link, AbutBodyDef *body) {
    const AbutXmlElement *element = abut_urdf_child(link->element, "inertial");
    AbutPose pose;
    AbutMat3 local;
    if (!element) return ABUT_OK;
    ABUT_TRY(abut_urdf_origin(reader, element, &pose));
    const AbutXmlElement *mass = abut_urdf_child(element, "mass");
    if (mass) ABUT_TRY(abut_urdf_numbers(reader, mass, "value", 1, &body->mass));
    ABUT_TRY(read_tensor(reader, abut_urdf_child(element, "inertia"), &local));
    double value[3];
    (void)abut_mat3_eigen_symmetric(local, value);
    if (!(body->mass >= 0.0) || !(value[0] >= -1e-12 * fabs(value[2])) || !isfinite(value[2]))
        return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            "expected a mass and moments of at least 0, got mass %g and moments %g, %g, %g", body->mass, value[0],
            value[1], value[2]);
    AbutMat3 r = abut_quat_to_mat3(pose.q);
    body->center = pose.p;
    body->inertia = abut_mat3_mul(abut_mat3_mul(r, possible(reader, element, local)), abut_mat3_transpose(r));
    return ABUT_OK;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* A mesh, empty where its hull stands for it, its hull, and the pieces that stand for it, if any. */
typedef struct Solid {
    AbutPolyhedron *hull;
    AbutMesh surface;
    AbutPieces pieces;
} Solid;

static void free_solid(Solid *solid) {
    abut_polyhedron_free(solid->hull);
    abut_pieces_free(&solid->pieces);
    abut_mesh_free(&solid->surface);
}

/* Takes the mesh over where that is asked for, and it is not its hull. */
static void keep_surface(AbutUrdfReader *reader, const AbutXmlElement *element, AbutMesh *mesh, Solid *out) {
    int surface = abut_mjcf_surface(mesh, out->hull);
    if (surface < 0) abut_urdf_warn(reader, element, "meshes that are not closed are taken as their hulls");
    if (surface != 1) return;
    out->surface = *mesh;
    memset(mesh, 0, sizeof *mesh);
}

/* Data beside the hull of a mesh that touches others. */
static void refine_solid(AbutUrdfReader *reader, const AbutXmlElement *element, AbutMesh *mesh, Solid *out) {
    if (out->pieces.count > 0)
        abut_urdf_warn(reader, element, "mesh '%.60s' is not convex: it becomes %d convex pieces",
            abut_xml_attribute(element, "filename"), out->pieces.count);
    else if (!reader->options.hulls && !reader->options.convex_pieces)
        keep_surface(reader, element, mesh, out);
}

/* Hull and pieces of a mesh, from the cache or into it. */
static AbutStatus make_solid(
    const AbutUrdfReader *reader, const AbutMesh *mesh, int touches, Solid *out, AbutError *error) {
    const AbutModelReadOptions *options = &reader->options;
    AbutCached made;
    AbutCacheKey key;
    int fresh;
    AbutStatus status = abut_import_solid(
        mesh, options->cache, touches && options->convex_pieces && !options->hulls, &made, &key, &fresh, error);
    if (fresh) {
        abut_cache_put(options->cache, key, &made);
        abut_cache_trim(options->cache, ABUT_CACHE_LIMIT);
    }
    out->hull = made.hull;
    out->pieces = made.pieces;
    return status;
}

/* Reads a mesh and makes its hull; to be freed. */
static AbutStatus read_solid(
    AbutUrdfReader *reader, const AbutXmlElement *element, int touches, Solid *out, AbutError *error) {
    char path[4096];
    double scale[3] = {1.0, 1.0, 1.0};
    const char *name = abut_xml_attribute(element, "filename");
    AbutMesh mesh = {0};
    AbutError inner, *own = reader->error;
    reader->error = error;
    AbutStatus status = abut_urdf_numbers(reader, element, "scale", 3, scale);
    reader->error = own;
    if (status) return status;
    if (!name)
        return abut_xml_fail(error, element, ABUT_ERROR_FORMAT, "attribute filename: expected a file, got nothing");
    ABUT_TRY(abut_urdf_path(reader, element, name, path, sizeof path, error));
    status = abut_mesh_read(path, NULL, 0, &mesh, NULL, &inner);
    for (int32_t i = 0; i < mesh.vertex_count; ++i)
        mesh.vertices[i] = abut_mul(mesh.vertices[i], abut_vec3(scale[0], scale[1], scale[2]));
    if (!status) status = make_solid(reader, &mesh, touches, out, &inner);
    if (!status && touches)
        refine_solid(reader, element, &mesh, out);
    else if (!status && reader->options.drawn_meshes &&
             !abut_import_keep_drawn(&mesh, abut_vec3(scale[0], scale[1], scale[2]), &reader->drawn, &out->surface))
        abut_urdf_warn(reader, element, "too many triangles to draw: hulls from here on");
    abut_mesh_free(&mesh);
    return status ? abut_xml_fail(error, element, status, "attribute filename: %.300s", inner.text) : ABUT_OK;
}

static AbutStatus positive(const AbutUrdfReader *reader, const AbutXmlElement *element, AbutVec3 size) {
    if (size.x > 0.0 && size.y > 0.0 && size.z > 0.0) return ABUT_OK;
    return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT, "expected positive sizes");
}

/* Kind and size of <box>, <cylinder>, <sphere> or <capsule>. */
static AbutStatus read_form(AbutUrdfReader *reader, const AbutXmlElement *element, AbutGeometryDef *form) {
    double size[3] = {0}, radius = 0.0, length = 0.0;
    int box = strcmp(element->tag, "box") == 0, ball = strcmp(element->tag, "sphere") == 0;
    if (!box && !ball && strcmp(element->tag, "cylinder") != 0 && strcmp(element->tag, "capsule") != 0)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_UNSUPPORTED, "is not supported as geometry");
    ABUT_TRY(abut_urdf_numbers(reader, element, "size", 3, size));
    ABUT_TRY(abut_urdf_numbers(reader, element, "radius", 1, &radius));
    ABUT_TRY(abut_urdf_numbers(reader, element, "length", 1, &length));
    form->kind = box                      ? ABUT_SHAPE_BOX
                 : ball                   ? ABUT_SHAPE_SPHERE
                 : element->tag[1] == 'y' ? ABUT_SHAPE_CYLINDER
                                          : ABUT_SHAPE_CAPSULE;
    form->size = box    ? abut_vec3(0.5 * size[0], 0.5 * size[1], 0.5 * size[2])
                 : ball ? abut_vec3(radius, radius, radius)
                        : abut_vec3(radius, radius, 0.5 * length);
    return positive(reader, element, form->size);
}

static AbutStatus read_geometry(
    AbutUrdfReader *reader, const AbutXmlElement *element, AbutShapeDef *shape, Solid *solid) {
    const AbutXmlElement *geometry = abut_urdf_child(element, "geometry");
    const AbutXmlElement *form = geometry ? geometry->child : NULL;
    AbutError inner;
    if (!form) return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT, "expected <geometry> with a shape");
    if (strcmp(form->tag, "mesh") != 0) return read_form(reader, form, &shape->form);
    shape->form.kind = ABUT_SHAPE_POLYHEDRON;
    if (reader->options.without_meshes || (shape->visual && reader->options.without_visuals)) return ABUT_OK;
    AbutStatus status = read_solid(reader, form, !shape->visual, solid, &inner);
    if (status && (!shape->visual || status == ABUT_ERROR_MEMORY))
        return abut_fail(reader->error, status, "%s", inner.text);
    if (status) abut_urdf_warn(reader, form, "meshes that are only drawn are left out where they cannot be read");
    shape->form.polyhedron = solid->hull;
    shape->form.surface = solid->surface.triangle_count > 0 ? &solid->surface : NULL;
    return ABUT_OK;
}

/* What moves without any <inertial>, as in files for planners, has the density of water; else shapes have none. */
static double density_of(AbutUrdfReader *reader, const AbutUrdfLink *link, const AbutXmlElement *element) {
    const AbutUrdfLink *weld = &reader->links[link->weld];
    if (weld->has_mass || weld->joint < 0) return 0.0;
    abut_urdf_warn(
        reader, element, "links that move and have no <inertial> get the mass of their shapes, at 1000 kg/m^3");
    return 1000.0;
}

static AbutStatus read_shape(
    AbutUrdfReader *reader, const AbutUrdfLink *link, const AbutXmlElement *element, double friction) {
    AbutShapeDef shape = abut_shape_default();
    Solid solid = {0};
    AbutError inner;
    shape.body = link->body;
    shape.name = abut_xml_attribute(element, "name");
    shape.visual = strcmp(element->tag, "visual") == 0;
    shape.density = shape.visual ? 0.0 : density_of(reader, link, element);
    shape.material.friction = friction;
    shape.source = (AbutSource){element->file, element->line};
    AbutStatus status = abut_urdf_origin(reader, element, &shape.pose);
    if (!status) status = read_geometry(reader, element, &shape, &solid);
    if (status || (shape.form.kind == ABUT_SHAPE_POLYHEDRON && !solid.hull)) return status;
    int32_t count = solid.pieces.count > 0 ? solid.pieces.count : 1;
    for (int32_t i = 0; i < count && !status; ++i) {
        shape.form.polyhedron = solid.pieces.count > 0 ? solid.pieces.piece[i] : shape.form.polyhedron;
        status = abut_model_add_shape(reader->model, &shape, NULL, &inner);
    }
    free_solid(&solid);
    return status ? abut_xml_fail(reader->error, element, status, "%.300s", inner.text) : ABUT_OK;
}

AbutStatus abut_urdf_shapes(AbutUrdfReader *reader, const AbutUrdfLink *link) {
    static const char *const known[] = {"inertial", "collision", "visual", "contact", NULL};
    const AbutXmlElement *contact = abut_urdf_child(link->element, "contact");
    const AbutXmlElement *lateral = contact ? abut_urdf_child(contact, "lateral_friction") : NULL;
    double friction = ABUT_DEFAULT_FRICTION;
    AbutStatus status = lateral ? abut_urdf_numbers(reader, lateral, "value", 1, &friction) : ABUT_OK;
    for (const AbutXmlElement *e = link->element->child; e && !status; e = e->next)
        if (strcmp(e->tag, "collision") == 0 || strcmp(e->tag, "visual") == 0)
            status = read_shape(reader, link, e, friction);
    abut_urdf_ignore_children(reader, link->element, known);
    return status;
}
