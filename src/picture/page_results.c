/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of single results: distance and overlap of two bodies, contact modes. */
#include "picture/page.h"

/* Heading, bodies and poses; then the panels begin. */
static AbutPage begin_rest(const AbutPageHead *head, const AbutModel *model, AbutError *error) {
    AbutPage page = abut_page_begin(head, model->gravity, error);
    abut_json_put_integer(&page.json, "stride", 1);
    abut_page_bodies(&page, model);
    abut_page_rest(&page, model);
    abut_json_begin_array(abut_json_key(&page.json, "panels"));
    return page;
}

void abut_page_panel(AbutPage *page, const char *type, const char *note) {
    abut_json_begin_object(&page->json);
    abut_json_put_string(&page->json, "type", type);
    abut_json_put_string(&page->json, "note", note ? note : "");
}

void abut_page_minima(
    AbutPage *page, const char *note, int32_t count, const AbutClearanceMinimum *minima, const char *const *names) {
    abut_page_panel(page, "clearance", note);
    abut_json_begin_array(abut_json_key(&page->json, "minima"));
    for (int32_t i = 0; i < count; ++i) {
        const AbutClearanceMinimum *x = &minima[i];
        abut_json_begin_object(&page->json);
        abut_json_put_number(&page->json, "t", x->t);
        abut_json_put_number(&page->json, "d", x->d);
        abut_json_put_number(&page->json, "lb", x->lb);
        abut_json_put_string(&page->json, "kind", names ? names[i] : abut_word(abut_minimum_kind_names, x->kind));
        abut_json_put_vec3(&page->json, "pointA", x->point_a);
        abut_json_put_vec3(&page->json, "pointB", x->point_b);
        abut_json_end_object(&page->json);
    }
    abut_json_end_array(&page->json);
    abut_json_end_object(&page->json);
}

AbutStatus abut_page_finish(AbutPage *page, const char *path) {
    abut_json_end_object(&page->json);
    abut_json_begin_object(&page->json);
    abut_json_put_string(&page->json, "type", "layers");
    abut_json_end_object(&page->json);
    abut_json_end_array(&page->json);
    abut_page_close(page);
    return abut_page_save(page, path);
}

/* ---- two bodies -------------------------------------------------------------------------------------------------- */

/* The panel of one result: its outcome and its method. */
static void begin_result(AbutPage *page, const char *type, const AbutPageHead *head) {
    abut_page_panel(page, type, head->note);
    abut_json_put_string(&page->json, "outcome", head->outcome ? head->outcome : "");
}

void abut_page_distance(AbutPage *page, const AbutPageHead *head, const AbutGap *distance) {
    if (!isfinite(distance->distance) || !abut_is_finite(distance->point_a) || !abut_is_finite(distance->point_b) ||
        !abut_is_finite(distance->normal))
        abut_page_fail(page, ABUT_ERROR_NUMBER, "page: the distance or its points are not finite");
    begin_result(page, "distance", head);
    abut_json_put_number(&page->json, "distance", distance->distance);
    abut_json_put_vec3(&page->json, "pointA", distance->point_a);
    abut_json_put_vec3(&page->json, "pointB", distance->point_b);
    abut_json_put_vec3(&page->json, "normal", distance->normal);
}

AbutStatus abut_page_write_distance(
    const char *path, const AbutPageHead *head, const AbutModel *model, const AbutGap *distance, AbutError *error) {
    ABUT_ASSERT(path && head && model && distance);
    AbutPage page = begin_rest(head, model, error);
    abut_page_distance(&page, head, distance);
    return abut_page_finish(&page, path);
}

AbutStatus abut_page_write_overlap(const char *path, const AbutPageHead *head, const AbutModel *model,
    const AbutOverlap *overlap, AbutPose frame, AbutError *error) {
    ABUT_ASSERT(path && head && model && overlap);
    AbutMesh mesh = {0, 0, NULL, NULL};
    AbutPage page = begin_rest(head, model, error);
    int found = overlap->outcome == ABUT_OVERLAP_VOLUME;
    if (found) abut_page_keep(&page, abut_overlap_to_mesh(overlap, frame, &mesh, error));
    begin_result(&page, "overlap", head);
    abut_page_mesh(&page, &mesh);
    abut_json_put_number(&page.json, "volume", found ? overlap->volume : 0.0);
    abut_json_put_number(&page.json, "area", found ? overlap->area : 0.0);
    abut_json_put_vec3(&page.json, "centroid", found ? abut_pose_apply(frame, overlap->centroid) : abut_zero());
    abut_json_put_vec3(&page.json, "normal", found ? abut_quat_rotate(frame.q, overlap->normal) : abut_axis(2));
    abut_mesh_free(&mesh);
    return abut_page_finish(&page, path);
}

/* ---- contact modes ----------------------------------------------------------------------------------------------- */

static void put_contacts(AbutPage *page, const AbutPageModes *modes) {
    AbutJson *json = &page->json;
    int32_t bodies = modes->model->body_count;
    abut_json_put_integer(json, "lines", modes->lines);
    abut_json_begin_array(abut_json_key(json, "contacts"));
    for (int32_t i = 0; i < modes->contact_count; ++i) {
        const AbutPointContact *c = &modes->contacts[i];
        if (!abut_is_finite(c->point) || !abut_is_finite(c->normal))
            abut_page_fail(page, ABUT_ERROR_NUMBER, "page: a contact is not finite");
        if (c->body_a < -1 || c->body_a >= bodies || c->body_b < -1 || c->body_b >= bodies)
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

static void put_modes(AbutPage *page, const AbutPageModes *modes) {
    AbutJson *json = &page->json;
    abut_json_begin_array(abut_json_key(json, "texts"));
    for (int32_t i = 0; i < modes->mode_count; ++i)
        abut_json_put_string(json, NULL, modes->texts[i] ? modes->texts[i] : "");
    abut_json_end_array(json);
    abut_json_begin_array(abut_json_key(json, "ranks"));
    for (int32_t i = 0; i < modes->mode_count; ++i) abut_json_put_integer(json, NULL, modes->ranks[i]);
    abut_json_end_array(json);
    abut_json_begin_array(abut_json_key(json, "feasible"));
    for (int32_t i = 0; i < modes->mode_count; ++i)
        abut_json_put_integer(json, NULL, modes->feasible ? modes->feasible[i] : -1);
    abut_json_end_array(json);
    abut_page_numbers(page, "twists", modes->twists, modes->mode_count, 6 * modes->model->body_count, 0.0, 0);
}

AbutStatus abut_page_write_modes(
    const char *path, const AbutPageHead *head, const AbutPageModes *modes, AbutError *error) {
    ABUT_ASSERT(path && head && modes && modes->model && modes->contact_count >= 0 && modes->mode_count >= 0);
    if (modes->model->body_count < 1) return abut_fail(error, ABUT_ERROR_EMPTY, "page: contact modes need a body");
    AbutPage page = begin_rest(head, modes->model, error);
    abut_page_panel(&page, "modes", head->note);
    put_contacts(&page, modes);
    put_modes(&page, modes);
    return abut_page_finish(&page, path);
}
