/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page of two meshes, convex or not, that stand or move: with one pose the distance between them, with more the
 * meshes over time and the curve of the distance; of a certified clearance its lower bound and its minima as well, of a
 * direction of parting its way over the unit sphere.
 */
#include "picture/page.h"

#include <string.h>

static AbutStatus check(const AbutPageMeshes *m, AbutError *error) {
    if (m->count < 1) return abut_fail(error, ABUT_ERROR_EMPTY, "page: the meshes have no pose");
    for (int32_t i = 0; i < m->count; ++i) {
        if (!isfinite(m->times[i]) || (i > 0 && m->times[i] < m->times[i - 1]))
            return abut_fail(error, ABUT_ERROR_NUMBER, "page: time %d is not finite, or before the one before it", i);
        if (!abut_pose_is_finite(m->poses_a ? m->poses_a[i] : m->pose_a) || !abut_pose_is_finite(m->pose_b[i]) ||
            !isfinite(m->distance[i].distance))
            return abut_fail(error, ABUT_ERROR_NUMBER, "page: pose or distance %d is not finite", i);
    }
    return ABUT_OK;
}

static void put_body(AbutPage *page, const char *name, int mesh) {
    static const double unit[4] = {1.0, 0.0, 0.0, 0.0};
    AbutJson *json = &page->json;
    abut_json_begin_object(json);
    abut_json_put_string(json, "name", name ? name : "");
    abut_json_put_string(json, "kind", "kinematic");
    abut_json_put_number(json, "mass", 0.0);
    abut_json_begin_array(abut_json_key(json, "shapes"));
    abut_json_begin_object(json);
    abut_json_put_integer(json, "mesh", mesh);
    abut_json_put_vec3(json, "position", abut_zero());
    abut_json_numbers(abut_json_key(json, "rotation"), unit, 4);
    abut_json_put_integer(json, "color", 0);
    abut_json_end_object(json);
    abut_json_end_array(json);
    abut_json_end_object(json);
}

static void put_bodies(AbutPage *page, const AbutPageMeshes *m) {
    abut_json_begin_array(abut_json_key(&page->json, "bodies"));
    for (int k = 0; k < 2; ++k) put_body(page, m->name[k], k);
    abut_json_end_array(&page->json);
    abut_json_begin_array(abut_json_key(&page->json, "meshes"));
    for (int k = 0; k < 2; ++k) {
        abut_json_begin_object(&page->json);
        abut_page_shown(page, m, k);
        abut_json_end_object(&page->json);
    }
    abut_json_end_array(&page->json);
}

static void put_poses(AbutPage *page, const AbutPageMeshes *m) {
    AbutPose *poses = abut_alloc_array((size_t)m->count, 2 * sizeof *poses);
    for (int32_t i = 0; i < m->count && poses; ++i) {
        poses[2 * i] = m->poses_a ? m->poses_a[i] : m->pose_a;
        poses[2 * i + 1] = m->pose_b[i];
    }
    if (poses)
        abut_page_frames(page, m->times, poses, m->count, 2);
    else
        abut_page_fail(page, ABUT_ERROR_MEMORY, "out of memory");
    abut_free(poses);
}

/* Numbers that lie in memory at equal distances. */
typedef struct Strided {
    const double *first;
    size_t stride; /* bytes */
} Strided;

static double get_strided(const void *source, int64_t row, int32_t column) {
    const Strided *s = source;
    double value;
    (void)column;
    memcpy(&value, (const char *)s->first + (size_t)row * s->stride, sizeof value);
    return value;
}

static void put_series(AbutPage *page, const AbutPageMeshes *m, const char *group, const char *unit, const char *name,
    const double *first, size_t stride) {
    Strided values = {first, stride};
    AbutPageTable table = {get_strided, &values, m->count, 1, 0.0, 0, 0.0, NULL};
    abut_page_line(page, group, name, unit, &table);
}

/* The group that the panel of directions looks for. */
static void put_directions(AbutPage *page, const AbutPageMeshes *m) {
    const double *axis[3] = {&m->direction->x, &m->direction->y, &m->direction->z};
    static const char *const names[3] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) put_series(page, m, "Direction", "", names[k], axis[k], sizeof *m->direction);
}

/* The curve, where there is more than one point of it. */
static void put_curve(AbutPage *page, const AbutPageMeshes *m) {
    abut_json_begin_array(abut_json_key(&page->json, "series"));
    if (m->count > 1) put_series(page, m, "Distance", "m", "distance", &m->distance->distance, sizeof *m->distance);
    if (m->count > 1 && m->lower) put_series(page, m, "Distance", "m", "proved not below", m->lower, sizeof *m->lower);
    if (m->count > 1 && m->soft) put_series(page, m, "Distance", "m", "soft distance", m->soft, sizeof *m->soft);
    if (m->count > 1 && m->direction) put_directions(page, m);
    abut_json_end_array(&page->json);
}

AbutStatus abut_page_write_meshes(
    const char *path, const AbutPageHead *head, const AbutPageMeshes *meshes, AbutError *error) {
    ABUT_ASSERT(path && head && meshes && (meshes->mesh[0] || meshes->convex[0]));
    ABUT_ASSERT(meshes->mesh[1] || meshes->convex[1]);
    ABUT_TRY(check(meshes, error));
    AbutPage page = abut_page_begin(head, abut_zero(), error);
    abut_json_put_integer(&page.json, "stride", 1);
    put_bodies(&page, meshes);
    put_poses(&page, meshes);
    put_curve(&page, meshes);
    abut_json_begin_array(abut_json_key(&page.json, "panels"));
    if (meshes->minimum_count > 0) abut_page_minima(&page, head->note, meshes->minimum_count, meshes->minima, NULL);
    if (meshes->count > 1 && meshes->direction) {
        abut_page_panel(&page, "directions", head->note);
        abut_json_end_object(&page.json);
    }
    if (meshes->count > 1)
        abut_page_panel(&page, "plots", head->note);
    else
        abut_page_distance(&page, head, &meshes->distance[0]);
    return abut_page_finish(&page, path);
}
