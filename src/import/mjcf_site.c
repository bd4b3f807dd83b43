/* SPDX-License-Identifier: Apache-2.0 */
/* A <site> of an MJCF file, as a frame with a volume; and warnings about attributes that are not read. */
#include "import/mjcf_read.h"

#include <string.h>

#include "import/table.h"

void abut_mjcf_ignore_others(AbutMjcfReader *reader, const AbutXmlElement *element, const char *row) {
    for (int32_t i = 0; i < element->attribute_count; ++i) {
        const char *name = element->attributes[i].name;
        int always = strcmp(name, "name") == 0 || strcmp(name, "class") == 0 || strcmp(name, "user") == 0;
        if (!always && !abut_import_reads("mjcf", row, name))
            abut_mjcf_warn(reader, element, "attribute %.60s is ignored", name);
    }
}

/* The middle of a segment, z along it; its half length is the second size. */
static AbutStatus site_segment(const AbutMjcfView *view, AbutPose *pose, double size[3]) {
    double v[6];
    int given;
    AbutStatus status = abut_mjcf_numbers(view, "fromto", 6, 6, v, &given);
    if (status || !given) return status;
    AbutVec3 a = abut_vec3(v[0], v[1], v[2]), b = abut_vec3(v[3], v[4], v[5]);
    AbutVec3 axis = abut_normalize(abut_sub(a, b));
    if (!(abut_length(axis) > 0.5))
        return abut_xml_fail(
            view->reader->error, view->element, ABUT_ERROR_FORMAT, "attribute fromto: expected two points apart");
    *pose = abut_pose(abut_lerp(a, b, 0.5), abut_mjcf_turn_z(axis));
    size[1] = 0.5 * abut_point_distance(a, b);
    return ABUT_OK;
}

AbutStatus abut_mjcf_site(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *inherited, int32_t body) {
    static const char *const types[] = {"box", "sphere", "capsule", "cylinder", "ellipsoid", NULL};
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    AbutDraftSite site = {.def = abut_frame_default()};
    AbutFrameDef *def = &site.def;
    double size[3] = {0.005, 0.005, 0.005};
    int type = ABUT_SHAPE_SPHERE;
    ABUT_TRY(abut_mjcf_view(reader, element, inherited, &view));
    ABUT_TRY(abut_mjcf_place(reader, element, ABUT_MJCF_KIND_SITE, draft->site_count, &def->name, &def->source));
    ABUT_TRY(abut_mjcf_pose(&view, &def->pose));
    ABUT_TRY(abut_mjcf_word(&view, "type", types, &type));
    ABUT_TRY(abut_mjcf_numbers(&view, "size", 1, 3, size, NULL));
    ABUT_TRY(site_segment(&view, &def->pose, size));
    int straight = type == ABUT_SHAPE_CAPSULE || type == ABUT_SHAPE_CYLINDER;
    site.zone = (AbutShapeKind)type;
    site.size = straight ? abut_vec3(size[0], size[0], size[1]) : abut_vec3(size[0], size[1], size[2]);
    def->body = body;
    def->pose = abut_pose_mul(reader->frame, def->pose);
    ABUT_TRY(ABUT_MJCF_ADD(reader, draft, sites, site, site));
    abut_mjcf_ignore_others(reader, element, "site");
    return ABUT_OK;
}
