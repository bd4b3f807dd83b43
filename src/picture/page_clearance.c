/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a clearance: the samples of its curve, and times between them, both ends of the motion among them. */
#include "abut/picture.h"

enum { GRID = 200 }; /* intervals of the times beside those of the samples */

typedef struct Rows {
    const AbutPageClearance *page;
    int32_t count;
    double *times, *lower;
    AbutPose *pose[2];
    AbutGap *distance;
} Rows;

static double distance_at(const AbutPageClearance *page, double t) {
    AbutClearanceDef def = {.from = t, .to = t, .eps = 1e-9, .budget = 100000};
    return abut_clearance(page->a, page->b, &def, page->space).ub;
}

static void add_row(Rows *r, double t, double d, double lower) {
    if (r->count > 0 && r->times[r->count - 1] == t) return;
    r->times[r->count] = t;
    r->lower[r->count] = lower;
    r->distance[r->count] = (AbutGap){.distance = d};
    r->pose[0][r->count] = abut_motion_pose(&r->page->a->motion, t);
    r->pose[1][r->count++] = abut_motion_pose(&r->page->b->motion, t);
}

static double grid_time(const AbutPageClearance *page, int k) {
    double part = (double)k / GRID;
    return page->from * (1.0 - part) + page->to * part;
}

/* Samples may be far apart where little is open or the budget ended. */
static void fill_rows(Rows *r) {
    const AbutPageClearance *p = r->page;
    for (int32_t i = 0, k = 0; i < p->sample_count; ++i) {
        const AbutClearanceSample *x = &p->samples[i];
        for (; k <= GRID && grid_time(p, k) < x->t; ++k)
            add_row(r, grid_time(p, k), distance_at(p, grid_time(p, k)), x->lb);
        add_row(r, x->t, x->d, x->lb);
        for (; k <= GRID && (grid_time(p, k) <= x->to || i + 1 == p->sample_count); ++k)
            add_row(r, grid_time(p, k), distance_at(p, grid_time(p, k)), x->lb);
    }
}

AbutStatus abut_page_write_clearance(const char *path, const AbutPageHead *head, AbutPageMeshes meshes,
    const AbutPageClearance *page, AbutError *error) {
    ABUT_ASSERT(path && head && page && page->a && page->b && page->space);
    size_t n = (size_t)page->sample_count + GRID + 2;
    Rows r = {.page = page,
        .times = abut_alloc_array(n, sizeof *r.times),
        .lower = abut_alloc_array(n, sizeof *r.lower),
        .pose = {abut_alloc_array(n, sizeof **r.pose), abut_alloc_array(n, sizeof **r.pose)},
        .distance = abut_alloc_array(n, sizeof *r.distance)};
    int room = r.times && r.lower && r.pose[0] && r.pose[1] && r.distance;
    AbutStatus status = room ? ABUT_OK : abut_fail_memory(error);
    if (room) {
        fill_rows(&r);
        meshes.count = r.count, meshes.times = r.times, meshes.lower = r.lower, meshes.distance = r.distance;
        meshes.poses_a = r.pose[0], meshes.pose_b = r.pose[1];
        status = abut_page_write_meshes(path, head, &meshes, error);
    }
    abut_free(r.times);
    abut_free(r.lower);
    abut_free(r.pose[0]);
    abut_free(r.pose[1]);
    abut_free(r.distance);
    return status;
}
