/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The draft of an MJCF file as a model. A body with a free joint is dynamic, a mocap body kinematic, a body of the
 * world without joints static, every other one a link. Masses are those that MJCF's rules give each body; a body that
 * these leave without mass has shapes without density.
 */
#include <stdio.h>
#include <string.h>

#include "import/mjcf_making.h"

typedef AbutMjcfMaking Making;

static AbutStatus create(Making *m) {
    size_t bodies = (size_t)m->draft->body_count, geoms = (size_t)m->draft->geom_count;
    size_t meshes = (size_t)m->draft->mesh_count;
    AbutPool *pool = &m->reader->xml.pool;
    m->owner = abut_pool_take(pool, bodies * sizeof *m->owner);
    m->body_of = abut_pool_take(pool, bodies * sizeof *m->body_of);
    m->joint_of = abut_pool_take(pool, (size_t)m->draft->joint_count * sizeof *m->joint_of);
    m->shape_of = abut_pool_take(pool, geoms * sizeof *m->shape_of);
    m->shapes = abut_pool_take(pool, geoms * sizeof *m->shapes);
    m->mass = abut_pool_take(pool, bodies * sizeof *m->mass);
    m->inertial = abut_pool_take(pool, bodies * sizeof *m->inertial);
    m->whole = abut_pool_take(pool, bodies * sizeof *m->whole);
    m->mesh = abut_pool_take(pool, meshes * sizeof *m->mesh);
    if (!m->owner || !m->body_of || !m->joint_of || !m->shape_of || !m->shapes || !m->mass || !m->inertial ||
        !m->whole || !m->mesh) {
        m->mesh = NULL; /* there is nothing in it to free */
        return abut_fail_memory(m->reader->error);
    }
    memset(m->mass, 0, bodies * sizeof *m->mass);
    for (size_t i = 0; i < bodies; ++i) m->inertial[i] = abut_pose_identity();
    memset(m->whole, 0, bodies * sizeof *m->whole);
    memset(m->mesh, 0, meshes * sizeof *m->mesh);
    return ABUT_OK;
}

/* ---- what bodies are --------------------------------------------------------------------------------------------- */

static int has_free_joint(const Making *m, const AbutDraftBody *body) {
    return body->joint_count > 0 && m->draft->joints[body->first_joint].free;
}

static AbutStatus check_joints(const Making *m, const AbutDraftBody *body) {
    for (int32_t i = 0; i < body->joint_count; ++i) {
        const AbutDraftJoint *joint = &m->draft->joints[body->first_joint + i];
        AbutXmlElement at = abut_mjcf_at(joint->def.source, "joint");
        if (joint->free && (body->parent != 0 || body->joint_count != 1))
            return abut_xml_fail(m->reader->error, &at, ABUT_ERROR_FORMAT,
                "a free joint is the only joint of its body, and its body stands in the world");
    }
    if (body->mocap && (body->parent != 0 || body->joint_count)) {
        AbutXmlElement at = abut_mjcf_at(body->def.source, "body");
        return abut_xml_fail(
            m->reader->error, &at, ABUT_ERROR_FORMAT, "a mocap body stands in the world and has no joint");
    }
    return ABUT_OK;
}

static AbutStatus find_owners(Making *m) {
    for (int32_t i = 0; i < m->draft->body_count; ++i) {
        const AbutDraftBody *body = &m->draft->bodies[i];
        ABUT_TRY(check_joints(m, body));
        m->owner[i] = body->parent <= 0 || body->joint_count ? i : m->owner[body->parent];
    }
    return ABUT_OK;
}

/* Do forces move the body? */
static int is_movable(const Making *m, int32_t body) { return m->draft->bodies[m->owner[body]].joint_count > 0; }

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* Has the mesh of a geom to be read? */
static int is_needed(const Making *m, const AbutDraftGeom *geom) {
    return geom->touches || geom->fit > 0.0 || !m->reader->options.without_visuals || abut_mjcf_weighs(m, geom);
}

static void prepare_meshes(int begin, int end, int worker, void *user) {
    const Making *m = user;
    (void)worker;
    for (int i = begin; i < end; ++i)
        if (m->mesh[i].wanted) abut_mjcf_prepare_solid(m->reader, &m->draft->meshes[i], &m->mesh[i]);
}

/* Puts what was made into the cache. */
static void keep_meshes(const Making *m) {
    const char *folder = m->reader->options.cache;
    int kept = 0;
    for (int32_t i = 0; i < m->draft->mesh_count; ++i)
        if (m->mesh[i].fresh) {
            abut_cache_put(folder, m->mesh[i].key, &(AbutCached){m->mesh[i].hull, m->mesh[i].pieces});
            kept = 1;
        }
    if (kept) abut_cache_trim(folder, ABUT_CACHE_LIMIT);
}

/* A mesh that is only drawn, and of no weight, may be missing; one that does not touch may be flat. */
static AbutStatus load_mesh(Making *m, const AbutDraftGeom *geom) {
    const AbutDraftMesh *mesh = &m->draft->meshes[geom->mesh];
    AbutMjcfSolid *solid = &m->mesh[geom->mesh];
    AbutError inner;
    int heavy = abut_mjcf_weighs(m, geom);
    if (!is_needed(m, geom)) return ABUT_OK;
    AbutStatus status = abut_mjcf_take_solid(m->reader, mesh, solid, &inner);
    if (!status) return ABUT_OK;
    if (geom->touches || (heavy && !solid->loaded && is_movable(m, geom->def.body)) || status == ABUT_ERROR_MEMORY)
        return abut_fail(m->reader->error, status, "%s", inner.text);
    AbutXmlElement at = abut_mjcf_at(mesh->source, "mesh");
    abut_mjcf_warn(m->reader, &at, "mesh '%.60s' is not drawn: it %s", mesh->name,
        solid->loaded                                ? "is flat"
        : strstr(inner.text, "No such file") != NULL ? "is not found"
                                                     : "cannot be read");
    return ABUT_OK;
}

/* Fitted geoms get their size; it must be one. */
static AbutStatus fit_geoms(Making *m) {
    for (int32_t i = 0; i < m->draft->geom_count; ++i) {
        AbutDraftGeom *geom = &m->reader->draft.geoms[i];
        AbutXmlElement at = abut_mjcf_at(geom->def.source, "geom");
        if (!(geom->fit > 0.0)) continue;
        if (m->reader->options.without_meshes || !m->mesh[geom->mesh].loaded)
            return abut_xml_fail(m->reader->error, &at, ABUT_ERROR_FORMAT, "the mesh that it is fitted to is not read");
        abut_mjcf_fit(&m->mesh[geom->mesh], geom);
    }
    return ABUT_OK;
}

static AbutStatus load_meshes(Making *m) {
    for (int32_t i = 0; i < m->draft->geom_count; ++i) {
        const AbutDraftGeom *geom = &m->draft->geoms[i];
        AbutMjcfSolid *solid = geom->mesh >= 0 ? &m->mesh[geom->mesh] : NULL;
        if (!solid) continue;
        *(geom->touches ? &solid->touches : &solid->seen) = 1;
        solid->weighs |= abut_mjcf_weighs(m, geom) && !(geom->mass > 0.0);
        solid->wanted |= is_needed(m, geom) && !m->reader->options.without_meshes;
    }
    abut_parallel_for(m->draft->mesh_count, 1, 0, prepare_meshes, m);
    keep_meshes(m);
    for (int32_t i = 0; i < m->draft->geom_count && !m->reader->options.without_meshes; ++i) {
        const AbutDraftGeom *geom = &m->draft->geoms[i];
        AbutXmlElement at = abut_mjcf_at(geom->def.source, "geom");
        if (geom->type == ABUT_MJCF_SDF)
            return abut_xml_fail(m->reader->error, &at, ABUT_ERROR_UNSUPPORTED, "geom type sdf is not supported");
        if (geom->type == ABUT_MJCF_HFIELD && is_movable(m, geom->def.body))
            return abut_xml_fail(
                m->reader->error, &at, ABUT_ERROR_UNSUPPORTED, "expected a height field on a body that does not move");
        const AbutMjcfSolid *solid = geom->mesh >= 0 ? &m->mesh[geom->mesh] : NULL;
        int done = !solid || (solid->taken && (solid->hull || (solid->loaded && !geom->touches)));
        ABUT_TRY(done ? ABUT_OK : load_mesh(m, geom));
    }
    return ABUT_OK;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* A name for a body without one: its number in the file, with an underscore as long as that is taken. */
static const char *name_of(const Making *m, int32_t index) {
    const char *given = m->draft->bodies[index].def.name;
    char name[64];
    int n = snprintf(name, sizeof name, "body%d", (int)index);
    if (*given) return given;
    while (abut_mjcf_names_find(&m->reader->names, ABUT_MJCF_KIND_BODY, name) >= 0 && n < 60) {
        name[n++] = '_';
        name[n] = 0;
    }
    const char *copy = abut_pool_text(&m->reader->xml.pool, name, strlen(name));
    return copy ? copy : "";
}

static AbutBodyKind kind_of(const Making *m, const AbutDraftBody *body) {
    if (body->parent > 0 || (body->joint_count && !has_free_joint(m, body))) return ABUT_BODY_LINK;
    return has_free_joint(m, body) ? ABUT_BODY_DYNAMIC : body->mocap ? ABUT_BODY_KINEMATIC : ABUT_BODY_STATIC;
}

/* Settings of a free joint for its six degrees of freedom. */
static void free_joint(const Making *m, const AbutDraftBody *body, AbutBodyDef *def) {
    const AbutJointDef *joint = &m->draft->joints[body->first_joint].def;
    AbutXmlElement at = abut_mjcf_at(joint->source, "joint");
    def->joint_name = joint->name;
    def->damping = joint->damping;
    def->armature = joint->armature;
    def->friction_loss = joint->friction_loss;
    if (joint->damping > 0.0 || joint->armature > 0.0 || joint->friction_loss > 0.0)
        abut_mjcf_warn(m->reader, &at, "damping, armature and friction loss of a free joint are not simulated");
    if (joint->stiffness > 0.0) abut_mjcf_warn(m->reader, &at, "the stiffness of a free joint is ignored");
}

static AbutStatus add_body(Making *m, int32_t i) {
    const AbutDraftBody *body = &m->draft->bodies[i];
    AbutXmlElement at = abut_mjcf_at(body->def.source, "body");
    AbutBodyDef def = body->def;
    AbutError inner;
    m->body_of[i] = -1;
    if (i == 0 && body->geom_count == 0) return ABUT_OK;
    def.kind = kind_of(m, body);
    def.name = name_of(m, i);
    def.parent = body->parent > 0 ? m->body_of[body->parent] : -1;
    if (def.kind == ABUT_BODY_DYNAMIC) free_joint(m, body, &def);
    def.mass = m->mass[i].mass;
    def.center = m->mass[i].center;
    def.inertia = m->mass[i].inertia;
    if (def.kind == ABUT_BODY_DYNAMIC && !(m->whole[i] > 0.0) && !m->reader->options.without_meshes)
        return abut_xml_fail(m->reader->error, &at, ABUT_ERROR_FORMAT,
            "body '%.80s' has a free joint and no mass: expected a geom with mass or <inertial>", def.name);
    AbutStatus status = abut_model_add_body(m->model, &def, &m->body_of[i], &inner);
    if (status) return abut_xml_fail(m->reader->error, &at, status, "%.300s", inner.text);
    for (int32_t k = 0; k < body->joint_count && !status; ++k) {
        AbutJointDef joint = m->draft->joints[body->first_joint + k].def;
        joint.body = m->body_of[i];
        m->joint_of[body->first_joint + k] = -1;
        if (def.kind == ABUT_BODY_LINK)
            status = abut_model_add_joint(m->model, &joint, &m->joint_of[body->first_joint + k], &inner);
        at = abut_mjcf_at(joint.source, "joint");
    }
    return status ? abut_xml_fail(m->reader->error, &at, status, "%.300s", inner.text) : ABUT_OK;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static void warn_about(const Making *m, const AbutDraftGeom *geom) {
    AbutXmlElement at = abut_mjcf_at(geom->def.source, "geom");
    if (geom->touches && geom->condim < 3) abut_mjcf_warn(m->reader, &at, "condim 1 means a friction of 0");
}

/* Adds the shape of a geom, or one for each piece of its mesh. */
static AbutStatus add_shapes(Making *m, int32_t i, AbutShapeDef *def, const AbutPieces *pieces) {
    AbutXmlElement at = abut_mjcf_at(def->source, "geom");
    AbutError inner;
    AbutStatus status = ABUT_OK;
    m->shapes[i] = pieces && !def->visual && pieces->count > 0 ? pieces->count : 1;
    for (int32_t k = 0; k < m->shapes[i] && !status; ++k) {
        int32_t number;
        if (m->shapes[i] > 1) def->form.polyhedron = pieces->piece[k];
        status = abut_model_add_shape(m->model, def, &number, &inner);
        if (!status && m->shape_of[i] < 0) m->shape_of[i] = number;
    }
    return status ? abut_xml_fail(m->reader->error, &at, status, "%.300s", inner.text) : ABUT_OK;
}

static AbutStatus add_geom(Making *m, int32_t i) {
    const AbutDraftGeom *geom = &m->draft->geoms[i];
    AbutShapeDef def = geom->def;
    m->shape_of[i] = -1;
    m->shapes[i] = 0;
    warn_about(m, geom);
    def.body = m->body_of[geom->def.body];
    def.visual = !geom->touches;
    if (geom->field >= 0) {
        m->shapes[i] = !m->reader->options.without_meshes;
        return m->shapes[i] ? abut_mjcf_add_field(m->reader, m->model, geom->field, &def, &m->shape_of[i]) : ABUT_OK;
    }
    if (def.form.kind == ABUT_SHAPE_POLYHEDRON) {
        def.form.polyhedron = geom->mesh >= 0 ? m->mesh[geom->mesh].hull : NULL;
        if (!def.form.polyhedron) return ABUT_OK;
        const AbutMesh *surface = def.visual ? &m->mesh[geom->mesh].drawn : &m->mesh[geom->mesh].surface;
        if (surface->triangle_count > 0) def.form.surface = surface;
    }
    if (is_movable(m, geom->def.body) && !(m->mass[geom->def.body].mass > 0.0)) def.density = 0.0;
    return add_shapes(m, i, &def, geom->mesh >= 0 ? &m->mesh[geom->mesh].pieces : NULL);
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static AbutStatus add_pair(Making *m, const AbutDraftPair *draft) {
    const AbutPairDef *pair = &draft->def;
    AbutXmlElement at = abut_mjcf_at(pair->source, pair->exclude ? "exclude" : "pair");
    AbutPairDef def = *pair;
    if (!def.exclude) abut_mjcf_pair_law(m->draft, draft, &def);
    if (def.exclude && (m->owner[def.a] != def.a || m->owner[def.b] != def.b))
        abut_mjcf_warn(m->reader, &at, "holds for all that its bodies are welded to");
    int32_t first_a = def.exclude ? m->body_of[pair->a] : m->shape_of[pair->a];
    int32_t first_b = def.exclude ? m->body_of[pair->b] : m->shape_of[pair->b];
    int32_t count_a = def.exclude ? 1 : m->shapes[pair->a], count_b = def.exclude ? 1 : m->shapes[pair->b];
    AbutStatus status = ABUT_OK;
    AbutError inner;
    for (int32_t k = 0; k < count_a * count_b && first_a >= 0 && first_b >= 0 && !status; ++k) {
        def.a = first_a + k / count_b, def.b = first_b + k % count_b;
        status = abut_model_add_pair(m->model, &def, NULL, &inner);
    }
    return status ? abut_xml_fail(m->reader->error, &at, status, "%.300s", inner.text) : ABUT_OK;
}

static AbutStatus add_rest(Making *m) {
    const AbutMjcfDraft *draft = m->draft;
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < draft->pair_count && !status; ++i) status = add_pair(m, &draft->pairs[i]);
    for (int32_t i = 0; i < draft->element_count && !status; ++i) {
        AbutXmlElement at = abut_mjcf_at(draft->elements[i].source, draft->elements[i].section);
        if (strcmp(at.tag, "sensor") == 0) abut_mjcf_warn(m->reader, &at, "is not simulated");
        status = abut_model_add_element(m->model, &draft->elements[i], NULL, m->reader->error);
    }
    return status ? status : abut_mjcf_make_parts(m);
}

static AbutStatus fill(Making *m) {
    const AbutMjcfDraft *draft = m->draft;
    AbutStatus status = create(m);
    if (!status) status = find_owners(m);
    if (!status) status = abut_mjcf_filters(&m->reader->draft, m->reader->error);
    if (!status) status = load_meshes(m);
    if (!status) status = fit_geoms(m);
    if (!status) status = abut_mjcf_find_masses(m);
    for (int32_t i = 0; i < draft->body_count && !status; ++i) {
        status = add_body(m, i);
        int32_t first = draft->bodies[i].first_geom, end = first + draft->bodies[i].geom_count;
        for (int32_t k = first; k < end && !status; ++k) status = add_geom(m, k);
    }
    return status ? status : add_rest(m);
}

AbutStatus abut_mjcf_make_model(AbutMjcfReader *reader, AbutModel *model) {
    Making m = {.reader = reader, .draft = &reader->draft, .model = model};
    model->gravity = reader->draft.has_gravity ? reader->draft.gravity : abut_zero();
    model->magnetic = reader->draft.magnetic;
    model->timestep = reader->draft.timestep > 0.0 ? reader->draft.timestep : ABUT_MJCF_STEP;
    AbutStatus status = abut_model_set_name(model, reader->draft.name, reader->error);
    if (!status) status = fill(&m);
    for (int32_t i = 0; m.mesh && i < reader->draft.mesh_count; ++i) abut_mjcf_free_solid(&m.mesh[i]);
    return status;
}
