/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of single results: distance and overlap of two bodies, contact modes. */
#include "picture/page.h"

/* ---- two bodies -------------------------------------------------------------------------------------------------- */

static int finite_pose(AbutPose p)
{
    return abut_is_finite(p.p) && isfinite(p.q.w) && abut_is_finite(abut_vec3(p.q.x, p.q.y, p.q.z));
}

/* Heading, bodies and poses; then the panels begin. */
static AbutPage begin_rest(const char *title, const char *subtitle, const AbutPageBody *bodies, const AbutPose *poses,
    int32_t count, AbutError *error)
{
    AbutPage page = abut_page_begin(title, subtitle, abut_zero(), error);
    for (int32_t i = 0; i < count; ++i)
        if (!finite_pose(poses[i]))
            abut_page_fail(&page, ABUT_ERROR_NUMBER, "page: a pose is not finite");
    abut_json_put_integer(&page.json, "stride", 1);
    abut_page_bodies(&page, bodies, count);
    abut_page_rest(&page, poses, count);
    abut_json_key(&page.json, "panels");
    abut_json_begin_array(&page.json);
    return page;
}

static void begin_panel(AbutPage *page, const char *type, const char *note)
{
    abut_json_begin_object(&page->json);
    abut_json_put_string(&page->json, "type", type);
    abut_json_put_string(&page->json, "note", note ? note : "");
}

/* Ends the panel, adds the one with the layers, and writes the file. */
static AbutStatus finish(AbutPage *page, const char *path)
{
    abut_json_end_object(&page->json);
    abut_json_begin_object(&page->json);
    abut_json_put_string(&page->json, "type", "layers");
    abut_json_end_object(&page->json);
    abut_json_end_array(&page->json);
    abut_page_close(page);
    return abut_page_save(page, path);
}

AbutStatus abut_page_write_distance(const char *path, const AbutPagePair *pair, double distance, AbutVec3 point_a,
    AbutVec3 point_b, AbutVec3 normal, AbutError *error)
{
    AbutPage page = begin_rest(pair->title, pair->subtitle, pair->bodies, pair->poses, 2, error);
    if (!isfinite(distance) || !abut_is_finite(point_a) || !abut_is_finite(point_b) || !abut_is_finite(normal))
        abut_page_fail(&page, ABUT_ERROR_NUMBER, "page: the distance or its points are not finite");
    begin_panel(&page, "distance", pair->note);
    abut_json_put_number(&page.json, "distance", distance);
    abut_json_put_vec3(&page.json, "pointA", point_a);
    abut_json_put_vec3(&page.json, "pointB", point_b);
    abut_json_put_vec3(&page.json, "normal", normal);
    return finish(&page, path);
}

AbutStatus abut_page_write_overlap(
    const char *path, const AbutPagePair *pair, const AbutPageOverlap *overlap, AbutError *error)
{
    static const AbutMesh none = {0, 0, NULL, NULL};
    AbutPage page = begin_rest(pair->title, pair->subtitle, pair->bodies, pair->poses, 2, error);
    int found = overlap->overlap != NULL;
    if (found && (!isfinite(overlap->volume) || !isfinite(overlap->area) || !abut_is_finite(overlap->centroid) ||
                     !abut_is_finite(overlap->normal)))
        abut_page_fail(&page, ABUT_ERROR_NUMBER, "page: the overlap has numbers that are not finite");
    begin_panel(&page, "overlap", pair->note);
    abut_page_mesh(&page, found ? overlap->overlap : &none);
    abut_json_put_number(&page.json, "volume", found ? overlap->volume : 0.0);
    abut_json_put_number(&page.json, "area", found ? overlap->area : 0.0);
    abut_json_put_vec3(&page.json, "centroid", found ? overlap->centroid : abut_zero());
    abut_json_put_vec3(&page.json, "normal", found ? overlap->normal : abut_vec3(0.0, 0.0, 1.0));
    return finish(&page, path);
}

/* ---- contact modes ----------------------------------------------------------------------------------------------- */

static void put_contacts(AbutPage *page, const AbutPageModes *modes)
{
    AbutJson *json = &page->json;
    abut_json_put_integer(json, "lines", modes->lines);
    abut_json_key(json, "contacts");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < modes->contact_count; ++i) {
        const AbutPointContact *c = &modes->contacts[i];
        if (!abut_is_finite(c->point) || !abut_is_finite(c->normal))
            abut_page_fail(page, ABUT_ERROR_NUMBER, "page: a contact is not finite");
        if (c->body_a < -1 || c->body_a >= modes->body_count || c->body_b < -1 || c->body_b >= modes->body_count)
            abut_page_fail(page, ABUT_ERROR_ARGUMENT, "page: a contact names a body that is not there");
        abut_json_begin_object(json);
        abut_json_put_vec3(json, "point", c->point);
        abut_json_put_vec3(json, "normal", c->normal);
        abut_json_put_integer(json, "a", c->body_a);
        abut_json_put_integer(json, "b", c->body_b);
        abut_json_end_object(json);
    }
    abut_json_end_array(json);
}

static void put_modes(AbutPage *page, const AbutPageModes *modes)
{
    AbutJson *json = &page->json;
    abut_json_key(json, "texts");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < modes->mode_count; ++i)
        abut_json_string(json, modes->texts[i] ? modes->texts[i] : "");
    abut_json_end_array(json);
    abut_json_key(json, "ranks");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < modes->mode_count; ++i)
        abut_json_integer(json, modes->ranks[i]);
    abut_json_end_array(json);
    abut_json_key(json, "feasible");
    abut_json_begin_array(json);
    for (int32_t i = 0; i < modes->mode_count; ++i)
        abut_json_integer(json, modes->feasible ? modes->feasible[i] : -1);
    abut_json_end_array(json);
    abut_page_numbers(page, "twists", modes->twists, modes->mode_count, 6 * modes->body_count, 0.0, 0);
}

AbutStatus abut_page_write_modes(const char *path, const AbutPageModes *modes, AbutError *error)
{
    if (modes->body_count < 1 || modes->contact_count < 0 || modes->mode_count < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "page: contact modes need a body");
    AbutPage page = begin_rest(modes->title, modes->subtitle, modes->bodies, modes->poses, modes->body_count, error);
    begin_panel(&page, "modes", modes->note);
    put_contacts(&page, modes);
    put_modes(&page, modes);
    return finish(&page, path);
}
