/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames, tendons, actuators, equalities and keyframes of the draft into the model, when its bodies and joints have
 * their numbers. Poses of a connect or weld that the file leaves open are those of the reference. A damping ratio
 * becomes a damping by the mass matrix there.
 */
#include <string.h>

#include "abut/robot.h"
#include "import/mjcf_making.h"
#include "robot/actuator.h"

/* Names the place in the file. */
static AbutStatus fail_at(
    const AbutMjcfMaking *m, AbutSource source, const char *tag, AbutStatus status, const AbutError *inner) {
    AbutXmlElement at = abut_mjcf_at(source, tag);
    return abut_xml_fail(m->reader->error, &at, status, "%.300s", inner->text);
}

static AbutStatus add_sites(AbutMjcfMaking *m) {
    AbutError inner;
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < m->draft->site_count && !status; ++i) {
        AbutFrameDef def = m->draft->sites[i].def;
        def.body = def.body ? m->body_of[def.body] : -1;
        status = abut_model_add_frame(m->model, &def, NULL, &inner);
        if (status) status = fail_at(m, def.source, "site", status, &inner);
    }
    return status;
}

static int32_t model_body(const AbutMjcfMaking *m, int32_t body) { return body > 0 ? m->body_of[body] : -1; }

/* A part of a path with its body and its place there. */
static void settle_point(const AbutMjcfMaking *m, AbutPathPoint *point) {
    const AbutMjcfDraft *draft = m->draft;
    int32_t number = point->body;
    if (point->kind == ABUT_PATH_PULLEY) return;
    if (point->kind == ABUT_PATH_SITE) {
        point->body = model_body(m, draft->sites[number].def.body);
        point->pose = draft->sites[number].def.pose;
        return;
    }
    const AbutShapeDef *geom = &draft->geoms[number].def;
    point->body = model_body(m, geom->body);
    point->pose = geom->pose;
    point->radius = geom->form.size.x;
    if (!point->sided) return;
    point->side = draft->sites[point->side_body].def.pose.p;
    point->side_body = model_body(m, draft->sites[point->side_body].def.body);
}

static AbutStatus settle_path(AbutMjcfMaking *m, AbutTendonDef *def, AbutError *error) {
    AbutPathPoint *path = (AbutPathPoint *)(uintptr_t)def->path;
    for (int32_t i = 0; i < def->path_count; ++i) settle_point(m, &path[i]);
    if (def->rest[0] != -1.0 || def->rest[1] != -1.0) return ABUT_OK;
    def->rest[0] = def->rest[1] = 0.0;
    if (!(def->stiffness > 0.0) || m->reader->options.without_meshes) return ABUT_OK;
    ABUT_TRY(abut_tendon_rest(m->model, def, &def->rest[0], error));
    def->rest[1] = def->rest[0];
    return ABUT_OK;
}

static AbutStatus add_tendons(AbutMjcfMaking *m) {
    AbutError inner;
    AbutStatus status = ABUT_OK;
    for (int32_t i = 0; i < m->draft->tendon_count && !status; ++i) {
        AbutTendonDef def = m->draft->tendons[i];
        int32_t *joints = abut_pool_take(&m->reader->xml.pool, (size_t)def.count * sizeof *joints);
        if (!joints) return abut_fail_memory(m->reader->error);
        for (int32_t k = 0; k < def.count; ++k) joints[k] = m->joint_of[def.joints[k]];
        def.joints = joints;
        if (def.path_count > 0) status = settle_path(m, &def, &inner);
        if (!status) status = abut_model_add_tendon(m->model, &def, NULL, &inner);
        if (status) status = fail_at(m, def.source, def.path_count > 0 ? "spatial" : "fixed", status, &inner);
    }
    return status;
}

/* ---- actuators --------------------------------------------------------------------------------------------------- */

/* One part of the mass that a servo moves: that of a velocity, seen through its share in the length. */
static double seen_mass(const double *matrix, int32_t n, int32_t at, double share) {
    return share * share > 1e-15 ? matrix[(size_t)at * (size_t)n + (size_t)at] / (share * share) : 0.0;
}

/* The mass that an actuator on a joint or a tendon moves, by MuJoCo's rule: the sum of these over its velocities. */
static double moved_mass(AbutConfiguration *c, const AbutModel *model, const AbutActuatorDef *def, double *matrix) {
    int32_t n = abut_configuration_velocity_count(c);
    double mass = 0.0;
    abut_configuration_mass_matrix(c, matrix);
    if (def->target == ABUT_TARGET_TENDON) {
        const AbutTendonDef *tendon = &model->tendons[def->number];
        for (int32_t k = 0; k < tendon->count; ++k)
            mass += seen_mass(matrix, n, abut_configuration_joint_place(c, tendon->joints[k], ABUT_NUMBERS_VELOCITIES),
                tendon->coefficients[k] * def->gear[0]);
        return mass;
    }
    int32_t at = abut_configuration_joint_place(c, def->number, ABUT_NUMBERS_VELOCITIES);
    for (int32_t k = 0; k < (model->joints[def->number].kind == ABUT_JOINT_BALL ? 3 : 1); ++k)
        mass += seen_mass(matrix, n, at + k, def->gear[k]);
    return mass;
}

/* kv = 2 ratio sqrt(kp m) with the mass that is moved at the reference. */
static AbutStatus set_damping(AbutMjcfMaking *m, const AbutDraftActuator *from, AbutActuatorDef *def) {
    AbutError inner;
    const AbutTree *tree;
    AbutConfiguration *c = NULL;
    AbutXmlElement at = abut_mjcf_at(def->source, "actuator");
    int drives = def->target == ABUT_TARGET_JOINT ||
                 (def->target == ABUT_TARGET_TENDON && m->model->tendons[def->number].path_count == 0);
    if (!drives) abut_mjcf_warn(m->reader, &at, "a damping ratio of what drives no joint or fixed tendon is ignored");
    if (!drives || m->reader->options.without_meshes) return ABUT_OK;
    AbutStatus status = abut_tree_create(m->model, &tree, &inner);
    if (!status) status = abut_configuration_create(tree, &c, &inner);
    abut_tree_release(tree);
    if (status) return fail_at(m, def->source, "actuator", status, &inner);
    size_t n = (size_t)abut_configuration_velocity_count(c);
    double *matrix = abut_alloc_array(n * n, sizeof *matrix);
    if (matrix) def->bias[2] = -2.0 * from->damping_ratio * sqrt(def->gain * moved_mass(c, m->model, def, matrix));
    abut_free(matrix);
    abut_configuration_free(c);
    return matrix ? ABUT_OK : abut_fail_memory(m->reader->error);
}

/* Attachment and lengths of a muscle. */
static AbutStatus measure_muscle(AbutMjcfMaking *m, AbutActuatorDef *def) {
    AbutError inner;
    AbutXmlElement at = abut_mjcf_at(def->source, "actuator");
    if (m->reader->options.without_meshes && m->draft->mesh_count > 0) { /* there may be no masses */
        def->length_range[1] = def->length_range[0] + 1.0;
        return ABUT_OK;
    }
    AbutStatus status = abut_actuator_measure(m->model, def, &inner);
    return status ? abut_xml_fail(m->reader->error, &at, status, "%.300s", inner.text) : ABUT_OK;
}

static AbutStatus add_actuator(AbutMjcfMaking *m, const AbutDraftActuator *from) {
    AbutActuatorDef def = from->def;
    AbutError inner;
    AbutStatus status = ABUT_OK;
    if (!from->kept) return ABUT_OK;
    if (def.target == ABUT_TARGET_JOINT) {
        const AbutDraftJoint *joint = &m->draft->joints[def.number];
        def.target = from->of_free ? ABUT_TARGET_BODY : ABUT_TARGET_JOINT;
        def.number = from->of_free ? m->body_of[joint->def.body] : m->joint_of[def.number];
    }
    if (def.target == ABUT_TARGET_CONTACTS) def.number = m->body_of[def.number];
    if (from->damping_ratio > 0.0) status = set_damping(m, from, &def);
    if (!status && def.muscle) status = measure_muscle(m, &def);
    if (status) return status;
    status = abut_model_add_actuator(m->model, &def, NULL, &inner);
    return status ? fail_at(m, def.source, "actuator", status, &inner) : ABUT_OK;
}

/* ---- equalities -------------------------------------------------------------------------------------------------- */

/* Pose of a body of the draft in the world, all joints at their references. */
static AbutPose reference_pose(const AbutMjcfMaking *m, int32_t body) {
    AbutPose pose = abut_pose_identity();
    for (; body > 0; body = m->draft->bodies[body].parent) pose = abut_pose_mul(m->draft->bodies[body].def.pose, pose);
    return pose;
}

/* A connect has its anchor in body 1, a weld in body 2. */
static void complete(const AbutMjcfMaking *m, const AbutDraftEquality *from, AbutEqualityDef *def) {
    AbutPose anchor = abut_pose(from->anchor, abut_quat_identity());
    AbutPose a = reference_pose(m, def->a), b = reference_pose(m, def->b);
    if (from->has_pose) return;
    if (def->kind == ABUT_EQUALITY_CONNECT) {
        def->pose_a = anchor;
        def->pose_b.p = abut_pose_apply_inv(b, abut_pose_apply(a, anchor.p));
    } else {
        def->pose_b = anchor;
        def->pose_a = abut_pose_mul(abut_pose_between(a, b), anchor);
        def->pose_a.q = abut_quat_normalize(def->pose_a.q);
    }
}

static AbutStatus add_equality(AbutMjcfMaking *m, const AbutDraftEquality *from) {
    AbutEqualityDef def = from->def;
    AbutError inner;
    if (def.kind == ABUT_EQUALITY_JOINT) {
        def.a = m->joint_of[def.a];
        def.b = def.b >= 0 ? m->joint_of[def.b] : -1;
    } else {
        complete(m, from, &def);
        def.a = def.a ? m->body_of[def.a] : -1;
        def.b = def.b ? m->body_of[def.b] : -1;
    }
    AbutStatus status = abut_model_add_equality(m->model, &def, NULL, &inner);
    return status ? fail_at(m, def.source, abut_word(abut_equality_kind_names, def.kind), status, &inner) : ABUT_OK;
}

/* ---- keyframes --------------------------------------------------------------------------------------------------- */

/* A quaternion of zeros turns nowhere, as in MuJoCo; 1: it was one. */
static int mend_turn(double *q) {
    int zero = q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0;
    if (zero) q[0] = 1.0;
    return zero;
}

/* The quaternions of free bodies and balls in the positions of a keyframe. */
static void mend_turns(const AbutMjcfMaking *m, const AbutKeyframeDef *def) {
    double *q = (double *)(uintptr_t)def->positions; /* the draft's own */
    const AbutModel *model = m->model;
    int mended = 0;
    for (int32_t b = 0;
         b < model->body_count && def->position_count == abut_model_number_count(model, ABUT_NUMBERS_POSITIONS); ++b) {
        if (model->bodies[b].kind == ABUT_BODY_DYNAMIC) {
            mended |= mend_turn(q + 3);
            q += 7;
        }
        for (int32_t j = abut_model_next_joint(model, b, -1); j >= 0; j = abut_model_next_joint(model, b, j)) {
            mended |= model->joints[j].kind == ABUT_JOINT_BALL && mend_turn(q);
            q += model->joints[j].kind == ABUT_JOINT_BALL ? 4 : 1;
        }
    }
    AbutXmlElement at = abut_mjcf_at(def->source, "key");
    if (mended) abut_mjcf_warn(m->reader, &at, "a quaternion of zeros is taken for no turn");
}

/* Activations of the actuators that the model has. */
static AbutStatus kept_activations(const AbutMjcfMaking *m, const AbutKeyframeDef *from, AbutKeyframeDef *def) {
    int32_t all = 0;
    for (int32_t i = 0; i < m->draft->actuator_count; ++i) all += m->draft->actuators[i].has_activation;
    if (all != from->activation_count || all == 0) return ABUT_OK;
    double *kept = abut_pool_take(&m->reader->xml.pool, (size_t)all * sizeof *kept);
    if (!kept) return abut_fail_memory(m->reader->error);
    def->activations = kept;
    def->activation_count = all = 0;
    for (int32_t i = 0; i < m->draft->actuator_count; ++i) {
        const AbutDraftActuator *a = &m->draft->actuators[i];
        if (a->has_activation && a->kept) kept[def->activation_count++] = from->activations[all];
        all += a->has_activation;
    }
    return ABUT_OK;
}

/* Controls of the actuators that the model has. */
static AbutStatus add_key(AbutMjcfMaking *m, const AbutKeyframeDef *from) {
    AbutKeyframeDef def = *from;
    AbutError inner;
    mend_turns(m, from);
    if (def.control_count && def.control_count == m->draft->actuator_count) {
        double *controls = abut_pool_take(&m->reader->xml.pool, (size_t)def.control_count * sizeof *controls);
        if (!controls) return abut_fail_memory(m->reader->error);
        def.controls = controls;
        def.control_count = 0;
        for (int32_t i = 0; i < m->draft->actuator_count; ++i)
            if (m->draft->actuators[i].kept) controls[def.control_count++] = from->controls[i];
    }
    ABUT_TRY(kept_activations(m, from, &def));
    AbutStatus status = abut_model_add_keyframe(m->model, &def, NULL, &inner);
    return status ? fail_at(m, def.source, "key", status, &inner) : ABUT_OK;
}

AbutStatus abut_mjcf_make_parts(AbutMjcfMaking *m) {
    ABUT_TRY(add_sites(m));
    ABUT_TRY(add_tendons(m));
    for (int32_t i = 0; i < m->draft->actuator_count; ++i) ABUT_TRY(add_actuator(m, &m->draft->actuators[i]));
    for (int32_t i = 0; i < m->draft->equality_count; ++i) ABUT_TRY(add_equality(m, &m->draft->equalities[i]));
    ABUT_TRY(abut_mjcf_make_sensors(m));
    for (int32_t i = 0; i < m->draft->key_count; ++i) ABUT_TRY(add_key(m, &m->draft->keys[i]));
    return ABUT_OK;
}
