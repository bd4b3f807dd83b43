/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The section <equality> of an MJCF file: joints that move as one, points and frames that are one. Numbers of joints
 * and bodies are those of the draft (body 0 is the world); the model is made of them in mjcf_parts.c.
 */
#include "import/mjcf_read.h"

#include <string.h>

static AbutStatus equality_joints(const AbutMjcfView *view, AbutDraftEquality *equality) {
    AbutStatus status = abut_mjcf_reference(view, "joint1", ABUT_MJCF_KIND_JOINT, &equality->def.a);
    equality->def.b = -1;
    if (!status && abut_mjcf_value(view, "joint2", NULL))
        status = abut_mjcf_reference(view, "joint2", ABUT_MJCF_KIND_JOINT, &equality->def.b);
    return status ? status : abut_mjcf_numbers(view, "polycoef", 1, 5, equality->def.polynomial, NULL);
}

/* A body or site; its number of a body, and the pose of the site there. */
static AbutStatus equality_site(const AbutMjcfView *view, const char *attribute, int32_t *body, AbutPose *pose) {
    int32_t site;
    ABUT_TRY(abut_mjcf_reference(view, attribute, ABUT_MJCF_KIND_SITE, &site));
    *body = view->reader->draft.sites[site].def.body;
    *pose = view->reader->draft.sites[site].def.pose;
    return ABUT_OK;
}

static AbutStatus equality_bodies(const AbutMjcfView *view, AbutDraftEquality *equality) {
    AbutEqualityDef *def = &equality->def;
    if (abut_mjcf_value(view, "site1", NULL)) {
        equality->has_pose = 1;
        AbutStatus status = equality_site(view, "site1", &def->a, &def->pose_a);
        return status ? status : equality_site(view, "site2", &def->b, &def->pose_b);
    }
    AbutStatus status = abut_mjcf_reference(view, "body1", ABUT_MJCF_KIND_BODY, &def->a);
    def->b = 0;
    if (!status && abut_mjcf_value(view, "body2", NULL))
        status = abut_mjcf_reference(view, "body2", ABUT_MJCF_KIND_BODY, &def->b);
    return status ? status : abut_mjcf_vec3(view, "anchor", &equality->anchor);
}

/* The turn of body 2 in body 1, and where body 1 has the point that is the anchor in body 2, as in MuJoCo; all zeros in
 * the quaternion mean: as the bodies stand at the reference. */
static AbutStatus equality_pose(const AbutMjcfView *view, AbutDraftEquality *equality) {
    double p[7] = {0};
    AbutStatus status = abut_mjcf_numbers(view, "relpose", 7, 7, p, NULL);
    AbutPose anchor = abut_pose(equality->anchor, abut_quat_identity());
    if (status || (p[3] == 0.0 && p[4] == 0.0 && p[5] == 0.0 && p[6] == 0.0)) return status;
    AbutPose relative = abut_pose(abut_vec3(p[0], p[1], p[2]), abut_quat_normalize(abut_quat(p[3], p[4], p[5], p[6])));
    equality->def.pose_a = relative; /* where body 1 has the anchor */
    equality->def.pose_b = anchor;
    equality->has_pose = 1;
    return ABUT_OK;
}

static AbutStatus equality_parts(const AbutMjcfView *view, AbutDraftEquality *equality) {
    if (equality->def.kind == ABUT_EQUALITY_JOINT) return equality_joints(view, equality);
    ABUT_TRY(equality_bodies(view, equality));
    if (equality->def.kind == ABUT_EQUALITY_WELD && !equality->has_pose) ABUT_TRY(equality_pose(view, equality));
    if (equality->def.a == equality->def.b)
        return abut_xml_fail(
            view->reader->error, view->element, ABUT_ERROR_FORMAT, "expected two different bodies, got one");
    return ABUT_OK;
}

static AbutStatus read_equality(AbutMjcfReader *reader, const AbutXmlElement *element, AbutEqualityKind kind) {
    static const char *const truth[] = {"false", "true", NULL};
    static const char *const rows[] = {"equality/joint", "equality/connect", "equality/weld"};
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    AbutDraftEquality equality = {.def = abut_equality_default()};
    int active = 1;
    equality.def.kind = kind;
    ABUT_TRY(abut_mjcf_view(reader, element, abut_mjcf_root_class(reader), &view));
    view.tag = "equality";
    ABUT_TRY(abut_mjcf_place(
        reader, element, ABUT_MJCF_KIND_EQUALITY, draft->equality_count, &equality.def.name, &equality.def.source));
    ABUT_TRY(abut_mjcf_word(&view, "active", truth, &active));
    ABUT_TRY(equality_parts(&view, &equality));
    equality.def.inactive = !active;
    ABUT_TRY(ABUT_MJCF_ADD(reader, draft, equalities, equality, equality));
    abut_mjcf_ignore_others(reader, element, rows[kind]);
    return ABUT_OK;
}

AbutStatus abut_mjcf_equality(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutStatus status = ABUT_OK;
    for (const AbutXmlElement *e = element->child; e && !status; e = e->next) {
        int kind = abut_word_find(abut_equality_kind_names, e->tag);
        if (!abut_mjcf_names_are_here(reader, e)) continue;
        if (kind >= 0) {
            status = read_equality(reader, e, (AbutEqualityKind)kind);
        } else {
            abut_mjcf_warn(reader, e, "is kept and not in force");
            status = abut_mjcf_keep_element(reader, e, "equality");
        }
    }
    return status;
}
