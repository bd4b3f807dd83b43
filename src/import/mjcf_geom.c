/* SPDX-License-Identifier: Apache-2.0 */
/* A <geom> of an MJCF file. */
#include "import/mjcf_read.h"

#include <string.h>

static const char *const types[] = {
    "plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "hfield", "sdf", NULL};

static const AbutShapeKind kinds[] = {ABUT_SHAPE_HALF_SPACE, ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE,
    ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_BOX, ABUT_SHAPE_POLYHEDRON, ABUT_SHAPE_POLYHEDRON,
    ABUT_SHAPE_POLYHEDRON};

/* Numbers of `size` that a type needs, all positive; planes and meshes need none. */
static const int size_needs[] = {0, 1, 2, 3, 2, 3, 0, 0, 0};

/* A segment instead of a pose: its middle, z along it, and its half length behind the given radius. */
static AbutStatus apply_fromto(const AbutMjcfView *view, const double *v, AbutDraftGeom *geom, double *size) {
    AbutVec3 a = abut_vec3(v[0], v[1], v[2]), b = abut_vec3(v[3], v[4], v[5]), along = abut_sub(a, b);
    AbutVec3 axis = abut_normalize(along);
    if (!(abut_length(axis) > 0.5) || geom->type < ABUT_MJCF_CAPSULE || geom->type > ABUT_MJCF_BOX)
        return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
            "attribute fromto: expected two points apart, of a capsule, ellipsoid, cylinder or box");
    geom->def.pose.p = abut_lerp(a, b, 0.5);
    geom->def.pose.q = abut_mjcf_turn_z(axis);
    int round = geom->type == ABUT_MJCF_CAPSULE || geom->type == ABUT_MJCF_CYLINDER;
    if (!round) size[1] = size[0];
    size[round ? 1 : 2] = 0.5 * abut_length(along);
    return ABUT_OK;
}

static AbutStatus read_size(const AbutMjcfView *view, AbutDraftGeom *geom) {
    double size[3] = {0.0, 0.0, 0.0}, segment[6];
    int given = 0;
    ABUT_TRY(abut_mjcf_numbers(view, "size", 1, 3, size, NULL));
    ABUT_TRY(abut_mjcf_numbers(view, "fromto", 6, 6, segment, &given));
    if (given) ABUT_TRY(apply_fromto(view, segment, geom, size));
    int fitted = geom->type != ABUT_MJCF_MESH && abut_mjcf_value(view, "mesh", NULL);
    for (int i = 0; i < size_needs[geom->type] && !fitted; ++i)
        if (!(size[i] > 0.0))
            return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
                "attribute size: expected %d positive number%s for a %s", given ? 1 : size_needs[geom->type],
                given || size_needs[geom->type] == 1 ? "" : "s", types[geom->type]);
    geom->def.form.kind = kinds[geom->type];
    geom->def.form.size = abut_vec3(size[0], size[1], size[2]);
    if (geom->type == ABUT_MJCF_CAPSULE || geom->type == ABUT_MJCF_CYLINDER)
        geom->def.form.size = abut_vec3(size[0], size[0], size[1]);
    return ABUT_OK;
}

static uint32_t color_of(const double *rgba) {
    uint32_t color = 0;
    for (int i = 0; i < 3; ++i) {
        double c = abut_smaller(abut_larger(rgba[i], 0.0), 1.0);
        color = color << 8 | (uint32_t)(c * 255.0 + 0.5);
    }
    return color ? color : 0x010101; /* 0 would mean: any */
}

/* From the geom itself or its material. */
static AbutStatus read_color(const AbutMjcfView *view, AbutDraftGeom *geom) {
    double rgba[4] = {0.5, 0.5, 0.5, 1.0};
    int given = 0, material_given = abut_mjcf_value(view, "material", NULL) != NULL;
    int32_t material;
    if (material_given) {
        ABUT_TRY(abut_mjcf_reference(view, "material", ABUT_MJCF_KIND_MATERIAL, &material));
        memcpy(rgba, view->reader->materials[material].rgba, sizeof rgba);
    }
    AbutStatus status = abut_mjcf_numbers(view, "rgba", 4, 4, rgba, &given);
    if (given || material_given) geom->def.color = color_of(rgba);
    return status;
}

AbutStatus abut_mjcf_condim(const AbutMjcfView *view, int64_t *out) {
    AbutStatus status = abut_mjcf_integer(view, "condim", 1, 6, out);
    if (status || (*out != 2 && *out != 5)) return status;
    return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
        "attribute condim: expected 1, 3, 4 or 6, got %d", (int)*out);
}

static AbutStatus read_contact(const AbutMjcfView *view, AbutDraftGeom *geom) {
    int64_t type = 1, affinity = 1, condim = 3, group = 0, priority = 0;
    double friction[3] = {1.0, 0.005, 0.0001};
    AbutStatus status = abut_mjcf_numbers(view, "friction", 1, 3, friction, NULL);
    if (!status) status = abut_mjcf_integer(view, "contype", INT32_MIN, UINT32_MAX, &type);
    if (!status) status = abut_mjcf_integer(view, "conaffinity", INT32_MIN, UINT32_MAX, &affinity);
    if (!status) status = abut_mjcf_condim(view, &condim);
    if (!status) status = abut_mjcf_integer(view, "group", INT32_MIN, INT32_MAX, &group);
    if (!status) status = abut_mjcf_integer(view, "priority", INT32_MIN, INT32_MAX, &priority);
    for (int k = 0; k < 3 && !status; ++k)
        if (!(friction[k] >= 0.0))
            status = abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
                "attribute friction: expected numbers of at least 0, got %g", friction[k]);
    geom->contype = (uint32_t)type;
    geom->conaffinity = (uint32_t)affinity;
    geom->condim = (int32_t)condim;
    memcpy(geom->friction, friction, sizeof friction);
    geom->group = (int32_t)group;
    geom->def.priority = (int32_t)priority;
    geom->def.material.friction = condim == 1 ? 0.0 : friction[0];
    geom->def.material.friction_spinning = condim > 3 ? friction[1] : 0.0;
    geom->def.material.friction_rolling = condim == 6 ? friction[2] : 0.0;
    return status;
}

static AbutStatus read_mass(const AbutMjcfView *view, AbutDraftGeom *geom) {
    geom->mass = -1.0;
    static const char *const truth[] = {"false", "true", NULL};
    ABUT_TRY(abut_mjcf_word(view, "shellinertia", truth, &geom->shell));
    if (geom->shell && geom->type == ABUT_MJCF_MESH)
        return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
            "attribute shellinertia: a mesh has inertia=\"shell\" instead");
    ABUT_TRY(abut_mjcf_number(view, "density", 0.0, &geom->def.density));
    return abut_mjcf_number(view, "mass", 0.0, &geom->mass);
}

/* A round shape or box that is fitted to a mesh when that is loaded. */
static AbutStatus read_fit(const AbutMjcfView *view, AbutDraftGeom *geom) {
    geom->fit = 1.0;
    geom->fit_vertices = view->reader->now.fit_vertices;
    AbutStatus status = abut_mjcf_number(view, "fitscale", 1e-9, &geom->fit);
    return status ? status : abut_mjcf_reference(view, "mesh", ABUT_MJCF_KIND_MESH, &geom->mesh);
}

static AbutStatus read_mesh(const AbutMjcfView *view, AbutDraftGeom *geom) {
    geom->mesh = geom->field = -1;
    if (geom->type == ABUT_MJCF_HFIELD) return abut_mjcf_reference(view, "hfield", ABUT_MJCF_KIND_HFIELD, &geom->field);
    if (geom->type == ABUT_MJCF_MESH) return abut_mjcf_reference(view, "mesh", ABUT_MJCF_KIND_MESH, &geom->mesh);
    if (geom->type >= ABUT_MJCF_SPHERE && geom->type <= ABUT_MJCF_BOX && abut_mjcf_value(view, "mesh", NULL))
        return read_fit(view, geom);
    return ABUT_OK;
}

AbutStatus abut_mjcf_geom(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *inherited, int32_t body) {
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    AbutDraftGeom geom = {.def = abut_shape_default()};
    int type = ABUT_MJCF_SPHERE;
    ABUT_TRY(abut_mjcf_view(reader, element, inherited, &view));
    ABUT_TRY(
        abut_mjcf_place(reader, element, ABUT_MJCF_KIND_GEOM, draft->geom_count, &geom.def.name, &geom.def.source));
    ABUT_TRY(abut_mjcf_word(&view, "type", types, &type));
    geom.type = (AbutMjcfGeomType)type;
    geom.def.body = body;
    ABUT_TRY(abut_mjcf_pose(&view, &geom.def.pose));
    ABUT_TRY(read_size(&view, &geom));
    geom.def.pose = abut_pose_mul(reader->frame, geom.def.pose);
    ABUT_TRY(read_mesh(&view, &geom));
    ABUT_TRY(read_mass(&view, &geom));
    ABUT_TRY(read_contact(&view, &geom));
    ABUT_TRY(read_color(&view, &geom));
    ABUT_TRY(ABUT_MJCF_ADD(reader, draft, geoms, geom, geom));
    abut_mjcf_ignore_others(reader, element, "geom");
    return ABUT_OK;
}
