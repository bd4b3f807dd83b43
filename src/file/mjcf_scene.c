/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model into a scene. Bodies hang together in groups: a body without joints belongs to the group of its parent,
 * except that bodies of the world without joints stay bodies of their own (static), so that their names are kept. Each
 * group is one body of the scene, in the frame of its outermost body.
 */
#include "file/mjcf_read.h"

#include <stdio.h>
#include <string.h>

typedef struct Build {
    AbutMjcfReader *reader;
    const AbutMjcfModel *model;
    AbutScene *scene;
    int32_t *owner;      /* per body: the outermost body of its group */
    AbutPose *pose;      /* per body: in the frame of its owner */
    AbutMjcfMass *mass;  /* per body: of its group, at the owner */
    AbutBodyId *body_id; /* per body: of its group; null when the scene has none */
    AbutShapeId *shape_id;
    AbutMjcfFilter *filter;
    AbutMjcfSolid *solid;
} Build;

static AbutStatus create(Build *build)
{
    size_t bodies = (size_t)build->model->body_count, geoms = (size_t)build->model->geom_count;
    size_t meshes = (size_t)build->model->mesh_count;
    AbutPool *pool = &build->reader->xml.pool;
    build->owner = abut_pool_take(pool, bodies * sizeof *build->owner);
    build->pose = abut_pool_take(pool, bodies * sizeof *build->pose);
    build->mass = abut_pool_take(pool, bodies * sizeof *build->mass);
    build->body_id = abut_pool_take(pool, bodies * sizeof *build->body_id);
    build->shape_id = abut_pool_take(pool, geoms * sizeof *build->shape_id);
    build->filter = abut_pool_take(pool, geoms * sizeof *build->filter);
    build->solid = abut_pool_take(pool, meshes * sizeof *build->solid);
    if (!build->owner || !build->pose || !build->mass || !build->body_id || !build->shape_id || !build->filter ||
        !build->solid)
        return abut_mjcf_no_memory(build->reader, build->reader->xml.root);
    memset(build->mass, 0, bodies * sizeof *build->mass);
    memset(build->body_id, 0, bodies * sizeof *build->body_id);
    memset(build->shape_id, 0, geoms * sizeof *build->shape_id);
    memset(build->solid, 0, meshes * sizeof *build->solid);
    return ABUT_OK;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static AbutStatus check_joints(const Build *build, const AbutMjcfBody *body)
{
    static const char *const types[] = {"free", "ball", "slide", "hinge"};
    for (int32_t i = 0; i < body->joint_count; ++i) {
        const AbutMjcfJoint *joint = &build->model->joints[body->first_joint + i];
        AbutXmlElement at = abut_mjcf_at(&joint->place, "joint");
        if (joint->type != ABUT_MJCF_FREE)
            return abut_xml_fail(build->reader->error, &at, ABUT_ERROR_UNSUPPORTED,
                "joint type %s is not simulated yet", types[joint->type]);
        if (body->parent != 0 || body->joint_count != 1)
            return abut_xml_fail(build->reader->error, &at, ABUT_ERROR_FORMAT,
                "a free joint is the only joint of its body, and its body stands in the world");
    }
    if (body->mocap && (body->parent != 0 || body->joint_count)) {
        AbutXmlElement at = abut_mjcf_at(&body->place, "body");
        return abut_xml_fail(
            build->reader->error, &at, ABUT_ERROR_FORMAT, "a mocap body stands in the world and has no joint");
    }
    return ABUT_OK;
}

static AbutStatus find_groups(Build *build)
{
    const AbutMjcfModel *model = build->model;
    for (int32_t i = 0; i < model->body_count; ++i) {
        const AbutMjcfBody *body = &model->bodies[i];
        AbutStatus status = check_joints(build, body);
        if (status)
            return status;
        int own = body->parent <= 0;
        build->owner[i] = own ? i : build->owner[body->parent];
        build->pose[i] = own ? abut_pose_identity() : abut_pose_mul(build->pose[body->parent], body->pose);
        build->pose[i].q = abut_quat_normalize(build->pose[i].q);
    }
    return ABUT_OK;
}

static int is_dynamic(const AbutMjcfBody *body)
{
    return body->joint_count > 0;
}

/* ---- mass -------------------------------------------------------------------------------------------------------- */

/* The mesh of a geom is loaded where its shape or its mass is needed. */
static AbutStatus load_meshes(Build *build)
{
    const AbutMjcfModel *model = build->model;
    for (int32_t i = 0; i < model->geom_count; ++i) {
        const AbutMjcfGeom *geom = &model->geoms[i];
        AbutXmlElement at = abut_mjcf_at(&geom->place, "geom");
        if (geom->type == ABUT_MJCF_HFIELD || geom->type == ABUT_MJCF_SDF)
            return abut_xml_fail(build->reader->error, &at, ABUT_ERROR_UNSUPPORTED, "geom type %s is not supported",
                geom->type == ABUT_MJCF_SDF ? "sdf" : "hfield");
        int heavy = is_dynamic(&model->bodies[build->owner[geom->body]]);
        if (geom->mesh < 0 || build->solid[geom->mesh].hull || !(heavy || build->filter[i].used))
            continue;
        AbutStatus status = abut_mjcf_load_solid(build->reader, &model->meshes[geom->mesh], &build->solid[geom->mesh]);
        if (status)
            return status;
    }
    return ABUT_OK;
}

static AbutMjcfMass body_mass(const Build *build, const AbutMjcfBody *body)
{
    const AbutMjcfModel *model = build->model;
    AbutMjcfMass sum = {0};
    int from_geom = model->inertia_from_geom;
    if (body->has_inertial && from_geom != 1)
        return (AbutMjcfMass){body->mass, body->center, body->inertia};
    for (int32_t i = body->first_geom; from_geom && i < body->first_geom + body->geom_count; ++i) {
        const AbutMjcfGeom *geom = &model->geoms[i];
        const AbutMass *solid = geom->mesh >= 0 ? &build->solid[geom->mesh].mass : NULL;
        sum = abut_mjcf_mass_add(sum, abut_mjcf_geom_mass(geom, solid));
    }
    return sum;
}

static void apply_bounds(const AbutMjcfReader *reader, AbutMjcfMass *mass)
{
    mass->mass = abut_larger(mass->mass, reader->bound_mass);
    if (!(reader->bound_inertia > 0.0))
        return;
    AbutEigen3 e = abut_mat3_eigen_symmetric(mass->inertia);
    for (int i = 0; i < 3; ++i)
        e.value[i] = abut_larger(e.value[i], reader->bound_inertia);
    mass->inertia = abut_mat3_mul(abut_mat3_mul(e.vectors, abut_mat3_diagonal(e.value[0], e.value[1], e.value[2])),
        abut_mat3_transpose(e.vectors));
}

static void add_masses(Build *build)
{
    for (int32_t i = 1; i < build->model->body_count; ++i) {
        AbutMjcfMass *sum = &build->mass[build->owner[i]];
        if (!is_dynamic(&build->model->bodies[build->owner[i]]))
            continue;
        AbutMjcfMass own = body_mass(build, &build->model->bodies[i]);
        apply_bounds(build->reader, &own);
        *sum = abut_mjcf_mass_add(*sum, abut_mjcf_mass_move(own, build->pose[i]));
    }
}

/* ---- bodies and shapes ------------------------------------------------------------------------------------------- */

/* A name for a body without one: its number in the file, with an underscore as long as that is taken. */
static const char *name_of(const Build *build, int32_t index)
{
    const char *given = build->model->bodies[index].place.name;
    char name[64];
    int n = snprintf(name, sizeof name, "body%d", (int)index);
    if (*given)
        return given;
    while (abut_mjcf_names_find(&build->reader->names, ABUT_MJCF_KIND_BODY, name) >= 0 && n < 60) {
        name[n++] = '_';
        name[n] = 0;
    }
    const char *copy = abut_pool_text(&build->reader->xml.pool, name, strlen(name));
    return copy ? copy : "";
}

static AbutStatus add_body(Build *build, int32_t index)
{
    const AbutMjcfBody *body = &build->model->bodies[index];
    AbutXmlElement at = abut_mjcf_at(&body->place, "body");
    AbutBodyDef def = abut_body_default();
    def.kind = is_dynamic(body) ? ABUT_BODY_DYNAMIC : body->mocap ? ABUT_BODY_KINEMATIC : ABUT_BODY_STATIC;
    def.name = name_of(build, index);
    def.pose = body->pose;
    if (def.kind == ABUT_BODY_DYNAMIC) {
        AbutMjcfMass m = build->mass[index];
        if (!(m.mass > 0.0))
            return abut_xml_fail(build->reader->error, &at, ABUT_ERROR_FORMAT,
                "body '%.80s' has a free joint and no mass: a geom with mass or <inertial> expected", def.name);
        def.mass = m.mass;
        def.center = m.center;
        def.inertia = abut_mat3_scale(abut_mat3_add(m.inertia, abut_mat3_transpose(m.inertia)), 0.5);
    }
    AbutError inner;
    AbutStatus status = abut_scene_add_body(build->scene, &def, &build->body_id[index], &inner);
    return status ? abut_xml_fail(build->reader->error, &at, status, "%.300s", inner.text) : ABUT_OK;
}

static uint32_t color_of(const AbutMjcfGeom *geom)
{
    uint32_t color = 0;
    for (int i = 0; i < 3; ++i) {
        double c = abut_smaller(abut_larger(geom->rgba[i], 0.0), 1.0);
        color = color << 8 | (uint32_t)(c * 255.0 + 0.5);
    }
    return !geom->colored ? 0 : color ? color : 0x010101; /* 0 would mean: any */
}

static AbutShapeDef shape_of(const Build *build, int32_t index)
{
    static const AbutShapeKind kinds[] = {ABUT_SHAPE_HALF_SPACE, ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE,
        ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_BOX, ABUT_SHAPE_POLYHEDRON};
    const AbutMjcfGeom *geom = &build->model->geoms[index];
    AbutShapeDef def = abut_shape_default();
    def.form.kind = kinds[geom->type];
    def.name = geom->place.name;
    def.pose = abut_pose_mul(build->pose[geom->body], geom->pose);
    def.pose.q = abut_quat_normalize(def.pose.q);
    def.form.size = geom->size;
    if (geom->type == ABUT_MJCF_CAPSULE || geom->type == ABUT_MJCF_CYLINDER)
        def.form.size = abut_vec3(geom->size.x, geom->size.x, geom->size.y);
    if (geom->type == ABUT_MJCF_PLANE || geom->type == ABUT_MJCF_MESH)
        def.form.size = abut_vec3(1.0, 1.0, 1.0);
    def.form.polyhedron = geom->mesh >= 0 ? build->solid[geom->mesh].hull : NULL;
    def.density = geom->density;
    def.material.friction = geom->condim == 1 ? 0.0 : geom->friction[0];
    def.category = build->filter[index].category;
    def.mask = build->filter[index].mask;
    def.color = color_of(geom);
    return def;
}

static AbutStatus add_geom(Build *build, int32_t index)
{
    const AbutMjcfGeom *geom = &build->model->geoms[index];
    AbutXmlElement at = abut_mjcf_at(&geom->place, "geom");
    int32_t owner = build->owner[geom->body];
    if (!build->filter[index].used) {
        abut_mjcf_warn(build->reader, &at, "a geom that meets nothing (contype and conaffinity 0) is left out");
        return ABUT_OK;
    }
    if (geom->condim > 3)
        abut_mjcf_warn(build->reader, &at,
            "friction against twisting and rolling is ignored: twisting follows from the contact polygon");
    if (geom->condim < 3)
        abut_mjcf_warn(build->reader, &at, "condim 1 means a friction of 0");
    AbutStatus status = ABUT_OK;
    if (!build->body_id[owner].index1)
        status = add_body(build, owner);
    if (status)
        return status;
    AbutShapeDef def = shape_of(build, index);
    AbutError inner;
    status = abut_scene_add_shape(build->scene, build->body_id[owner], &def, &build->shape_id[index], &inner);
    return status ? abut_xml_fail(build->reader->error, &at, status, "%.300s", inner.text) : ABUT_OK;
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static AbutStatus add_exclusion(Build *build, const AbutMjcfPair *pair, const AbutXmlElement *at)
{
    int32_t a = build->owner[pair->a], b = build->owner[pair->b];
    if (a != pair->a || b != pair->b)
        abut_mjcf_warn(build->reader, at, "holds for all that its bodies are welded to");
    if (a == b || !build->body_id[a].index1 || !build->body_id[b].index1)
        return ABUT_OK;
    return abut_scene_exclude(build->scene, build->body_id[a], build->body_id[b], build->reader->error);
}

static AbutStatus add_pairs(Build *build)
{
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < build->model->pair_count && !status; ++i) {
        const AbutMjcfPair *pair = &build->model->pairs[i];
        AbutXmlElement at = abut_mjcf_at(&pair->place, pair->exclude ? "exclude" : "pair");
        if (pair->exclude)
            status = add_exclusion(build, pair, &at);
        else if (pair->friction >= 0.0 && pair->a != pair->b)
            status = abut_scene_set_pair_friction(build->scene, build->shape_id[pair->a], build->shape_id[pair->b],
                pair->friction, pair->friction, build->reader->error);
    }
    return status;
}

static void warn_kept(const Build *build)
{
    for (int32_t i = 0; i < build->model->element_count; ++i) {
        AbutXmlElement at = abut_mjcf_at(&build->model->elements[i].place, build->model->elements[i].section);
        abut_mjcf_warn(build->reader, &at, "is not simulated");
    }
}

static AbutStatus fill(Build *build)
{
    const AbutMjcfModel *model = build->model;
    AbutStatus status = create(build);
    if (!status)
        status = find_groups(build);
    if (!status)
        status = abut_mjcf_filters(model, build->filter, build->reader->error);
    if (!status)
        status = load_meshes(build);
    if (status)
        return status;
    add_masses(build);
    for (int32_t i = 0; i < model->body_count && !status; ++i) {
        const AbutMjcfBody *body = &model->bodies[i];
        if (i > 0 && build->owner[i] == i)
            status = add_body(build, i);
        for (int32_t k = body->first_geom; k < body->first_geom + body->geom_count && !status; ++k)
            status = add_geom(build, k);
    }
    if (!status)
        status = add_pairs(build);
    if (!status)
        warn_kept(build);
    return status;
}

AbutStatus abut_mjcf_build(AbutMjcfReader *reader, AbutScene *scene, AbutSceneInfo *info)
{
    Build build = {.reader = reader, .model = reader->model, .scene = scene};
    if (abut_scene_body_count(scene) != 0)
        return abut_fail(reader->error, ABUT_ERROR_ARGUMENT, "an empty scene expected, found %d bodies",
            abut_scene_body_count(scene));
    AbutStatus status = fill(&build);
    for (int32_t i = 0; build.solid && i < reader->model->mesh_count; ++i)
        abut_polyhedron_free(build.solid[i].hull);
    if (status)
        while (abut_scene_body_count(scene) > 0)
            if (abut_scene_remove_body(scene, abut_scene_body_at(scene, 0), NULL) != ABUT_OK)
                break;
    if (!status && info)
        *info = (AbutSceneInfo){.gravity = reader->model->gravity, .timestep = reader->model->timestep};
    return status;
}
