/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of bodies of an MJCF file. The geoms and joints of a body are read before its inner bodies, so that each
 * body's lie next to each other in the draft.
 */
#include "import/mjcf_read.h"

#include <string.h>

static const char *const truth[] = {"false", "true", NULL};

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static AbutStatus joint_range(const AbutMjcfView *view, AbutDraftJoint *joint) {
    ABUT_TRY(abut_mjcf_limits(view, "limited", "range", &joint->def.limited, joint->def.range));
    if (joint->def.kind != ABUT_JOINT_SLIDE)
        for (int i = 0; i < 2; ++i) joint->def.range[i] *= view->reader->now.angle;
    return ABUT_OK;
}

static AbutStatus joint_numbers(const AbutMjcfView *view, AbutDraftJoint *joint) {
    AbutStatus status = abut_mjcf_vec3(view, "pos", &joint->def.position);
    if (!status) status = abut_mjcf_vec3(view, "axis", &joint->def.axis);
    if (!status) status = joint_range(view, joint);
    int more = 0;
    if (!status) status = abut_mjcf_coefficient(view, "stiffness", &joint->def.stiffness, &more);
    if (!status) status = abut_mjcf_coefficient(view, "damping", &joint->def.damping, &more);
    if (!status) status = abut_mjcf_number(view, "armature", 0.0, &joint->def.armature);
    if (!status) status = abut_mjcf_number(view, "frictionloss", 0.0, &joint->def.friction_loss);
    if (!status) status = abut_mjcf_numbers(view, "ref", 1, 1, &joint->def.reference, NULL);
    if (!status) status = abut_mjcf_numbers(view, "springref", 1, 1, &joint->def.spring_reference, NULL);
    if (!status)
        status = abut_mjcf_limits(
            view, "actuatorfrclimited", "actuatorfrcrange", &joint->def.force_limited, joint->def.force_range);
    int lifted = joint->def.lifted;
    if (!status) status = abut_mjcf_word(view, "actuatorgravcomp", truth, &lifted);
    joint->def.lifted = lifted;
    if (joint->def.kind == ABUT_JOINT_HINGE) {
        joint->def.reference *= view->reader->now.angle;
        joint->def.spring_reference *= view->reader->now.angle;
    }
    if (more) abut_mjcf_warn(view->reader, view->element, "of stiffness and damping the first number alone is used");
    AbutVec3 axis = abut_normalize(joint->def.axis);
    if (!status && !(abut_length(axis) > 0.5))
        status = abut_xml_fail(
            view->reader->error, view->element, ABUT_ERROR_FORMAT, "attribute axis: expected a direction, got zero");
    joint->def.axis = axis;
    return status;
}

static AbutStatus read_joint(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *inherited, int32_t body) {
    static const char *const types[] = {"hinge", "slide", "ball", "free", NULL}, /* as AbutJointKind, then free */
        *const aligned[] = {"false", "auto", "true", NULL};
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    AbutDraftJoint joint = {.def = abut_joint_default(), .free = strcmp(element->tag, "freejoint") == 0, .align = 1};
    int type = joint.free ? ABUT_JOINT_KIND_COUNT : ABUT_JOINT_HINGE;
    joint.def.body = body;
    ABUT_TRY(abut_mjcf_view(reader, element, inherited, &view));
    ABUT_TRY(
        abut_mjcf_place(reader, element, ABUT_MJCF_KIND_JOINT, draft->joint_count, &joint.def.name, &joint.def.source));
    if (!joint.free) ABUT_TRY(abut_mjcf_word(&view, "type", types, &type));
    joint.free = type == ABUT_JOINT_KIND_COUNT;
    joint.def.kind = joint.free ? ABUT_JOINT_HINGE : (AbutJointKind)type;
    ABUT_TRY(joint_numbers(&view, &joint));
    joint.def.position = abut_pose_apply(reader->frame, joint.def.position);
    joint.def.axis = abut_normalize(abut_quat_rotate(reader->frame.q, joint.def.axis));
    if (joint.free) ABUT_TRY(abut_mjcf_word(&view, "align", aligned, &joint.align));
    ABUT_TRY(ABUT_MJCF_ADD(reader, draft, joints, joint, joint));
    abut_mjcf_ignore_others(reader, element, element->tag);
    return ABUT_OK;
}

/* ---- inertia ----------------------------------------------------------------------------------------------------- */

static AbutStatus read_moments(const AbutMjcfView *view, AbutDraftBody *body) {
    double full[6], diagonal[3] = {0.0, 0.0, 0.0};
    int has_full = 0, has_diagonal = 0;
    AbutQuat q = abut_quat_identity();
    ABUT_TRY(abut_mjcf_numbers(view, "fullinertia", 6, 6, full, &has_full));
    ABUT_TRY(abut_mjcf_numbers(view, "diaginertia", 3, 3, diagonal, &has_diagonal));
    ABUT_TRY(abut_mjcf_orientation(view, &q));
    if (has_full && has_diagonal)
        return abut_xml_fail(view->reader->error, view->element, ABUT_ERROR_FORMAT,
            "expected attribute diaginertia or fullinertia, got both");
    body->inertial = has_full ? abut_mjcf_principal(0.0, abut_zero(),
                                    abut_mat3(abut_vec3(full[0], full[3], full[4]),
                                        abut_vec3(full[3], full[1], full[5]), abut_vec3(full[4], full[5], full[2])),
                                    ABUT_MJCF_EXACT_PART)
                              : (AbutMjcfInertial){0.0, abut_pose_identity(), {diagonal[0], diagonal[1], diagonal[2]},
                                    abut_mat3_diagonal(diagonal[0], diagonal[1], diagonal[2])};
    AbutMat3 r = abut_quat_to_mat3(q);
    body->inertial.place.q = abut_quat_mul(q, body->inertial.place.q);
    body->inertial.inertia = abut_mat3_mul(abut_mat3_mul(r, body->inertial.inertia), abut_mat3_transpose(r));
    return ABUT_OK;
}

static AbutStatus read_inertial(AbutMjcfReader *reader, const AbutXmlElement *element, int32_t index) {
    AbutMjcfView view = {reader, element, NULL, NULL};
    AbutDraftBody *body = &reader->draft.bodies[index];
    if (index == 0 || body->has_inertial)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            index ? "stands a second time in its body" : "the world has no inertia");
    body->has_inertial = 1;
    if (!abut_xml_attribute(element, "mass") || !abut_xml_attribute(element, "pos"))
        return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT, "expected attributes pos and mass");
    body->inertial_source = (AbutSource){element->file, element->line};
    AbutStatus status = read_moments(&view, body);
    if (!status) status = abut_mjcf_vec3(&view, "pos", &body->inertial.place.p);
    if (!status) status = abut_mjcf_number(&view, "mass", 0.0, &body->inertial.mass);
    AbutMat3 turn = abut_quat_to_mat3(reader->frame.q);
    body->inertial.place = abut_pose_mul(reader->frame, body->inertial.place);
    body->inertial.inertia = abut_mat3_mul(abut_mat3_mul(turn, body->inertial.inertia), abut_mat3_transpose(turn));
    abut_mjcf_ignore_others(reader, element, "inertial");
    return status;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static int is_one_of(const char *tag, const char *const *tags) {
    for (; *tags; ++tags)
        if (strcmp(tag, *tags) == 0) return 1;
    return 0;
}

static AbutStatus child_class(AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass **class) {
    const char *name = abut_xml_attribute(element, "childclass");
    int32_t found = name ? abut_mjcf_find(reader, ABUT_MJCF_KIND_CLASS, name) : 0;
    if (found < 0)
        return abut_xml_fail(reader->error, element, ABUT_ERROR_FORMAT,
            "attribute childclass: expected a default class, got '%.100s'", name);
    if (name) *class = reader->classes[found];
    return ABUT_OK;
}

/* Enters a <frame>: its pose is composed with that of the frames around it. */
static AbutStatus enter_frame(AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass **class) {
    AbutMjcfView view = {reader, element, NULL, NULL};
    AbutPose pose;
    AbutStatus status = child_class(reader, element, class);
    if (!status) status = abut_mjcf_pose(&view, &pose);
    if (!status) reader->frame = abut_pose_mul(reader->frame, pose);
    return status;
}

static AbutStatus read_frame_parts(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *class, int32_t index) {
    AbutPose outer = reader->frame;
    AbutStatus status = enter_frame(reader, element, &class);
    if (!status) status = abut_mjcf_parts(reader, element, class, index);
    reader->frame = outer;
    abut_mjcf_ignore_others(reader, element, "frame");
    return status;
}

static AbutStatus read_part(
    AbutMjcfReader *reader, const AbutXmlElement *e, const AbutMjcfClass *class, int32_t index) {
    static const char *const joints[] = {"joint", "freejoint", NULL}, *const pictures[] = {"camera", "light", NULL};
    if (strcmp(e->tag, "geom") == 0) return abut_mjcf_geom(reader, e, class, index);
    if (strcmp(e->tag, "site") == 0) return abut_mjcf_site(reader, e, class, index);
    if (index > 0 && is_one_of(e->tag, joints)) return read_joint(reader, e, class, index);
    if (strcmp(e->tag, "inertial") == 0) return read_inertial(reader, e, index);
    if (strcmp(e->tag, "frame") == 0) return read_frame_parts(reader, e, class, index);
    if (strcmp(e->tag, "attach") == 0) return abut_mjcf_attach(reader, e, index, 0);
    if (is_one_of(e->tag, pictures))
        abut_mjcf_warn_ignored(reader, e);
    else if (strcmp(e->tag, "body") != 0)
        return abut_xml_fail(reader->error, e, ABUT_ERROR_UNSUPPORTED, "is not supported inside <%.40s>",
            e->parent ? e->parent->tag : "");
    return ABUT_OK;
}

AbutStatus abut_mjcf_parts(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *class, int32_t index) {
    AbutMjcfDraft *draft = &reader->draft;
    for (const AbutXmlElement *e = element->child; e; e = e->next) ABUT_TRY(read_part(reader, e, class, index));
    AbutDraftBody *body = &draft->bodies[index];
    body->geom_count = draft->geom_count - body->first_geom;
    body->joint_count = draft->joint_count - body->first_joint;
    return ABUT_OK;
}

AbutStatus abut_mjcf_bodies(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *class, int32_t parent) {
    AbutStatus status = ABUT_OK;
    for (const AbutXmlElement *e = element->child; e && !status; e = e->next) {
        if (strcmp(e->tag, "body") == 0)
            status = abut_mjcf_body(reader, e, class, parent);
        else if (strcmp(e->tag, "attach") == 0)
            status = abut_mjcf_attach(reader, e, parent, 1);
        if (strcmp(e->tag, "frame") != 0) continue;
        AbutPose outer = reader->frame;
        const AbutMjcfClass *inner = class;
        status = enter_frame(reader, e, &inner);
        if (!status) status = abut_mjcf_bodies(reader, e, inner, parent);
        reader->frame = outer;
    }
    return status;
}

static AbutStatus body_numbers(const AbutMjcfView *view, AbutDraftBody *body) {
    ABUT_TRY(abut_mjcf_pose(view, &body->def.pose));
    ABUT_TRY(abut_mjcf_word(view, "mocap", truth, &body->mocap));
    ABUT_TRY(abut_mjcf_numbers(view, "gravcomp", 1, 1, &body->def.gravity_compensation, NULL));
    body->written = body->def.pose;
    body->def.pose = abut_pose_mul(view->reader->frame, body->def.pose);
    return ABUT_OK;
}

AbutStatus abut_mjcf_body(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *class, int32_t parent) {
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view = {reader, element, NULL, NULL};
    int32_t index = draft->body_count;
    AbutPose outer = reader->frame;
    AbutDraftBody body = {.def = abut_body_default(),
        .rules = reader->now.mass,
        .parent = parent,
        .first_geom = draft->geom_count,
        .first_joint = draft->joint_count};
    ABUT_TRY(abut_mjcf_place(reader, element, ABUT_MJCF_KIND_BODY, index, &body.def.name, &body.def.source));
    ABUT_TRY(child_class(reader, element, &class));
    ABUT_TRY(body_numbers(&view, &body));
    ABUT_TRY(ABUT_MJCF_ADD(reader, draft, bodies, body, body));
    abut_mjcf_ignore_others(reader, element, "body");
    reader->frame = abut_pose_identity();
    AbutStatus status = abut_mjcf_parts(reader, element, class, index);
    if (!status) status = abut_mjcf_bodies(reader, element, class, index);
    reader->frame = outer;
    return status;
}

AbutStatus abut_mjcf_world_geoms(AbutMjcfReader *reader, const AbutXmlElement *element) {
    const AbutMjcfClass *class = abut_mjcf_root_class(reader);
    AbutStatus status = child_class(reader, element, &class);
    return status ? status : abut_mjcf_parts(reader, element, class, 0);
}

AbutStatus abut_mjcf_world_bodies(AbutMjcfReader *reader, const AbutXmlElement *element) {
    const AbutMjcfClass *class = abut_mjcf_root_class(reader);
    AbutStatus status = child_class(reader, element, &class);
    return status ? status : abut_mjcf_bodies(reader, element, class, 0);
}
