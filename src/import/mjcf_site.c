/* SPDX-License-Identifier: Apache-2.0 */
/* A <site> of an MJCF file, as a frame; and warnings about attributes that are not read. */
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

/* The middle of a segment, z along it. */
static AbutStatus site_segment(const AbutMjcfView *view, AbutPose *pose) {
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
    return ABUT_OK;
}

AbutStatus abut_mjcf_site(
    AbutMjcfReader *reader, const AbutXmlElement *element, const AbutMjcfClass *inherited, int32_t body) {
    AbutMjcfDraft *draft = &reader->draft;
    AbutMjcfView view;
    AbutFrameDef site = abut_frame_default();
    ABUT_TRY(abut_mjcf_view(reader, element, inherited, &view));
    ABUT_TRY(abut_mjcf_place(reader, element, ABUT_MJCF_KIND_SITE, draft->site_count, &site.name, &site.source));
    ABUT_TRY(abut_mjcf_pose(&view, &site.pose));
    ABUT_TRY(site_segment(&view, &site.pose));
    site.body = body;
    site.pose = abut_pose_mul(reader->frame, site.pose);
    ABUT_TRY(ABUT_MJCF_ADD(reader, draft, sites, site, site));
    abut_mjcf_ignore_others(reader, element, "site");
    return ABUT_OK;
}
