/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sections <tendon> and <keyframe> of an MJCF file. Joints, sites and geoms of a tendon have their numbers in the
 * draft.
 */
#include "import/mjcf_read.h"

#include <string.h>

static AbutStatus tendon_joints(AbutMjcfReader *reader, const AbutXmlElement *element, AbutTendonDef *tendon) {
    int32_t count = 0;
    for (const AbutXmlElement *e = element->child; e; e = e->next) ++count;
    int32_t *joints = abut_pool_take(&reader->xml.pool, (size_t)count * sizeof *joints);
    double *coefficients = abut_pool_take(&reader->xml.pool, (size_t)count * sizeof *coefficients);
    if (!joints || !coefficients) return abut_fail_memory(reader->error);
    for (const AbutXmlElement *e = element->child; e; e = e->next) {
        AbutMjcfView view = {reader, e, NULL, NULL};
        int given;
        ABUT_TRY(abut_mjcf_reference(&view, "joint", ABUT_MJCF_KIND_JOINT, &joints[tendon->count]));
        ABUT_TRY(abut_mjcf_numbers(&view, "coef", 1, 1, &coefficients[tendon->count], &given));
        if (!given || strcmp(e->tag, "joint") != 0)
            return abut_xml_fail(reader->error, e, ABUT_ERROR_FORMAT, "expected <joint> with attribute coef");
        ++tendon->count;
    }
    tendon->joints = joints;
    tendon->coefficients = coefficients;
    return ABUT_OK;
}

/* A part of the path of a tendon: bodies are numbers of sites and geoms. */
static AbutStatus path_point(AbutMjcfReader *reader, const AbutXmlElement *e, AbutPathPoint *out) {
    AbutMjcfView view = {reader, e, NULL, NULL};
    *out = (AbutPathPoint){.pose = abut_pose_identity(), .divisor = 1.0, .side_body = -1};
    if (strcmp(e->tag, "site") == 0) return abut_mjcf_reference(&view, "site", ABUT_MJCF_KIND_SITE, &out->body);
    if (strcmp(e->tag, "pulley") == 0) {
        out->kind = ABUT_PATH_PULLEY;
        return abut_mjcf_numbers(&view, "divisor", 1, 1, &out->divisor, NULL);
    }
    if (strcmp(e->tag, "geom") != 0)
        return abut_xml_fail(reader->error, e, ABUT_ERROR_FORMAT, "expected <site>, <geom> or <pulley> in a path");
    ABUT_TRY(abut_mjcf_reference(&view, "geom", ABUT_MJCF_KIND_GEOM, &out->body));
    AbutMjcfGeomType type = reader->draft.geoms[out->body].type;
    if (type != ABUT_MJCF_SPHERE && type != ABUT_MJCF_CYLINDER)
        return abut_xml_fail(reader->error, e, ABUT_ERROR_FORMAT,
            "attribute geom: expected a sphere or cylinder for a tendon to go around");
    out->kind = type == ABUT_MJCF_SPHERE ? ABUT_PATH_SPHERE : ABUT_PATH_CYLINDER;
    out->sided = abut_mjcf_value(&view, "sidesite", NULL) != NULL;
    return out->sided ? abut_mjcf_reference(&view, "sidesite", ABUT_MJCF_KIND_SITE, &out->side_body) : ABUT_OK;
}

static AbutStatus tendon_path(AbutMjcfReader *reader, const AbutXmlElement *element, AbutTendonDef *tendon) {
    int32_t count = 0;
    for (const AbutXmlElement *e = element->child; e; e = e->next) ++count;
    AbutPathPoint *path = abut_pool_take(&reader->xml.pool, ((size_t)count + 1) * sizeof *path);
    if (!path) return abut_fail_memory(reader->error);
    for (const AbutXmlElement *e = element->child; e; e = e->next)
        ABUT_TRY(path_point(reader, e, &path[tendon->path_count++]));
    tendon->path = path;
    return ABUT_OK;
}

/* Rest lengths: given, or the length where the springs of its joints rest (MuJoCo's qpos_spring: springref, whether or
 * not the joint has a spring). */
static AbutStatus tendon_rest(const AbutMjcfView *view, AbutTendonDef *tendon) {
    double rest[2] = {-1.0, -1.0};
    int count;
    AbutStatus status = abut_mjcf_numbers(view, "springlength", 1, 2, rest, &count);
    if (count == 1) rest[1] = rest[0];
    if (tendon->path_count == 0 && rest[0] == -1.0 && rest[1] == -1.0) { /* of a path: later */
        rest[0] = 0.0;
        for (int32_t i = 0; i < tendon->count; ++i)
            rest[0] += tendon->coefficients[i] * view->reader->draft.joints[tendon->joints[i]].def.spring_reference;
        rest[1] = rest[0];
    }
    tendon->rest[0] = rest[0];
    tendon->rest[1] = rest[1];
    return status;
}

static AbutStatus tendon_numbers(const AbutMjcfView *view, AbutTendonDef *tendon) {
    int more = 0;
    AbutStatus status = abut_mjcf_limits(view, "limited", "range", &tendon->limited, tendon->range);
    if (!status) status = abut_mjcf_coefficient(view, "stiffness", &tendon->stiffness, &more);
    if (!status) status = abut_mjcf_coefficient(view, "damping", &tendon->damping, &more);
    if (!status) status = abut_mjcf_number(view, "frictionloss", 0.0, &tendon->friction_loss);
    if (more) abut_mjcf_warn(view->reader, view->element, "of stiffness and damping the first number alone is used");
    return status ? status : tendon_rest(view, tendon);
}

static AbutStatus read_tendon(AbutMjcfReader *reader, const AbutXmlElement *element, int spatial) {
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    AbutTendonDef tendon = {0};
    ABUT_TRY(abut_mjcf_view(reader, element, abut_mjcf_root_class(reader), &view));
    view.tag = "tendon";
    ABUT_TRY(
        abut_mjcf_place(reader, element, ABUT_MJCF_KIND_TENDON, draft->tendon_count, &tendon.name, &tendon.source));
    ABUT_TRY(spatial ? tendon_path(reader, element, &tendon) : tendon_joints(reader, element, &tendon));
    ABUT_TRY(tendon_numbers(&view, &tendon));
    ABUT_TRY(ABUT_MJCF_ADD(reader, draft, tendons, tendon, tendon));
    abut_mjcf_ignore_others(reader, element, spatial ? "tendon/spatial" : "tendon/fixed");
    return ABUT_OK;
}

AbutStatus abut_mjcf_tendon(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutStatus status = ABUT_OK;
    for (const AbutXmlElement *e = element->child; e && !status; e = e->next) {
        if (!abut_mjcf_names_are_here(reader, e)) continue;
        int spatial = strcmp(e->tag, "spatial") == 0;
        if (spatial || strcmp(e->tag, "fixed") == 0)
            status = read_tendon(reader, e, spatial);
        else
            abut_mjcf_warn_ignored(reader, e);
    }
    return status;
}

/* ---- keyframes --------------------------------------------------------------------------------------------------- */

/* One list of numbers; its length is checked when the model is there. */
static AbutStatus key_list(const AbutMjcfView *view, const char *name, int32_t *count, const double **out) {
    double *numbers;
    size_t found;
    AbutStatus status = abut_mjcf_number_list(view, name, &numbers, &found);
    *count = status ? 0 : (int32_t)found;
    *out = numbers;
    return status;
}

static AbutStatus read_key(AbutMjcfReader *reader, const AbutXmlElement *element) {
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view = {reader, element, NULL, NULL};
    AbutKeyframeDef key = {0};
    ABUT_TRY(abut_mjcf_place(reader, element, ABUT_MJCF_KIND_KEY, draft->key_count, &key.name, &key.source));
    ABUT_TRY(abut_mjcf_numbers(&view, "time", 1, 1, &key.time, NULL));
    ABUT_TRY(key_list(&view, "qpos", &key.position_count, &key.positions));
    ABUT_TRY(key_list(&view, "qvel", &key.velocity_count, &key.velocities));
    ABUT_TRY(key_list(&view, "ctrl", &key.control_count, &key.controls));
    ABUT_TRY(key_list(&view, "act", &key.activation_count, &key.activations));
    ABUT_TRY(ABUT_MJCF_ADD(reader, draft, keys, key, key));
    abut_mjcf_ignore_others(reader, element, "keyframe/key");
    return ABUT_OK;
}

AbutStatus abut_mjcf_keyframe(AbutMjcfReader *reader, const AbutXmlElement *element) {
    for (const AbutXmlElement *e = element->child; e; e = e->next) ABUT_TRY(read_key(reader, e));
    return ABUT_OK;
}
