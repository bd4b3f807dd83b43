/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways of fingers from point to point while the object stands still. In: where the fingers are and which go where. Out:
 * for each that goes the corners of its way, straight lines along which its ball touches nothing: the space that a ball
 * sweeps on a line is a segment with its radius, so one distance proves a line clear.
 *
 * Method: back from the old point along its normal, forward to the new one along its normal, and the shortest way
 * between the two over corners around the object, by Dijkstra's search over lines that are tested when they are first
 * needed. A finger that is nowhere comes from any outer corner.
 */
#include "manipulation/search.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 26, SHELLS = 2, CORNERS = DIRECTIONS * SHELLS, NODES = CORNERS + 2, START = CORNERS, END };

#define CLEAR 1e-3 /* m: between a finger on its way and everything else */

typedef struct Way {
    const AbutManip *m;
    AbutPose x;
    const AbutManipHold *others; /* fingers that stay */
    AbutVec3 corner[NODES];
    int8_t there[NODES]; /* 1: usable, 0: not, -1: not known */
    double length[NODES];
    int from[NODES];
    int done[NODES];
} Way;

static int in_room(const AbutManip *m, AbutVec3 c) {
    AbutVec3 low = m->task->finger_low, high = m->task->finger_high;
    return c.x >= low.x && c.y >= low.y && c.z >= low.z && c.x <= high.x && c.y <= high.y && c.z <= high.z;
}

/* Does the ball of a finger touch nothing from a to b? `clear`: of the object. */
static int line_is_free(const Way *w, AbutVec3 a, AbutVec3 b, double clear) {
    const AbutManip *m = w->m;
    AbutConvex swept = abut_convex_segment(abut_zero(), abut_sub(b, a), m->task->finger_radius);
    AbutPose at = abut_pose(a, abut_quat_identity());
    for (int32_t j = 0; j < m->wall_count; ++j) {
        AbutPose pose = abut_pose_between(m->wall[j].pose, at);
        if (!(abut_convex_distance(&m->wall[j].convex, &swept, pose, NULL, NULL).distance >= 0.999 * CLEAR)) return 0;
    }
    for (int32_t i = 0; i < m->part_count; ++i) {
        AbutPose pose = abut_pose_between(abut_pose_mul(w->x, m->part[i].pose), at);
        if (!(abut_convex_distance(&m->part[i].convex, &swept, pose, NULL, NULL).distance >= clear)) return 0;
    }
    for (int32_t i = 0; i < w->others->count; ++i) {
        if (w->others->finger[i] < 0) continue;
        AbutConvex ball = abut_convex_point(abut_zero(), m->task->finger_radius);
        AbutPose from_other = abut_pose_between(
            abut_pose(abut_manip_finger_center(m, w->x, w->others->finger[i]), abut_quat_identity()), at);
        if (abut_convex_distance(&ball, &swept, from_other, NULL, NULL).distance < 0.1 * m->task->finger_radius)
            return 0;
    }
    return 1;
}

/* Back from a point along its normal, as far as there is room; 0: there is none. */
static int stand_off(const Way *w, int32_t point, AbutVec3 *out) {
    const AbutManip *m = w->m;
    double r = m->task->finger_radius;
    AbutVec3 c = abut_manip_finger_center(m, w->x, point), in = abut_quat_rotate(w->x.q, m->point[point].normal);
    for (double far = 2.0 * r; far > 0.2 * r; far *= 0.5) {
        *out = abut_add_scaled(c, in, -far);
        if (in_room(m, *out) && line_is_free(w, c, *out, -2e-3 * r)) return 1;
    }
    return 0;
}

static void place_corners(Way *w) {
    const AbutManip *m = w->m;
    double reach = 0.0;
    int n = 0;
    for (int32_t i = 0; i < m->part_count; ++i) reach = fmax(reach, abut_length(m->part[i].pose.p) + m->part[i].reach);
    for (int shell = 0; shell < SHELLS; ++shell)
        for (int k = 0; k < 27; ++k) {
            AbutVec3 d = abut_vec3(k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1);
            double far = (shell ? 1.6 : 1.0) * reach + 2.5 * m->task->finger_radius;
            if (k != 13) w->corner[n++] = abut_add_scaled(w->x.p, abut_normalize(d), far);
        }
    for (int k = 0; k < CORNERS; ++k) w->there[k] = (int8_t)(in_room(m, w->corner[k]) ? -1 : 0);
}

static int is_there(Way *w, int k) {
    if (w->there[k] < 0) w->there[k] = (int8_t)line_is_free(w, w->corner[k], w->corner[k], CLEAR);
    return w->there[k];
}

/* The nearest place not done; -1: none. */
static int next_place(const Way *w) {
    int best = -1;
    for (int k = 0; k < NODES; ++k)
        if (!w->done[k] && w->length[k] < INFINITY && (best < 0 || w->length[k] < w->length[best])) best = k;
    return best;
}

static void go_on(Way *w, int at) {
    for (int k = 0; k < NODES; ++k) {
        double length = w->length[at] + abut_length(abut_sub(w->corner[k], w->corner[at]));
        if (w->done[k] || k == START || !(length < w->length[k]) || !is_there(w, k)) continue;
        if (!line_is_free(w, w->corner[at], w->corner[k], CLEAR)) continue;
        w->length[k] = length, w->from[k] = at;
    }
}

/* Over one corner, or from one; the shortest first. */
static int way_over_one(Way *w, int from_anywhere) {
    double length[CORNERS];
    int first = from_anywhere ? DIRECTIONS : 0;
    for (int k = first; k < CORNERS; ++k)
        length[k] = abut_length(abut_sub(w->corner[k], w->corner[END])) +
                    (from_anywhere ? 0.0 : abut_length(abut_sub(w->corner[k], w->corner[START])));
    for (int tried = first; tried < CORNERS; ++tried) {
        int at = first;
        for (int k = first; k < CORNERS; ++k)
            if (length[k] < length[at]) at = k;
        length[at] = INFINITY;
        if (!is_there(w, at) || !line_is_free(w, w->corner[at], w->corner[END], CLEAR)) continue;
        if (!from_anywhere && !line_is_free(w, w->corner[START], w->corner[at], CLEAR)) continue;
        w->from[END] = at;
        w->from[at] = from_anywhere ? -1 : START;
        w->from[START] = -1;
        return 1;
    }
    return 0;
}

/* From START, or from any outer corner, to END. */
static int search_way(Way *w, int from_anywhere) {
    for (int k = 0; k < NODES; ++k) w->length[k] = INFINITY, w->from[k] = -1, w->done[k] = 0;
    if (!from_anywhere) w->length[START] = 0.0;
    for (int k = DIRECTIONS; from_anywhere && k < CORNERS; ++k)
        if (is_there(w, k)) w->length[k] = 0.0;
    for (;;) {
        int at = next_place(w);
        if (at < 0) return 0;
        if (at == END) return 1;
        w->done[at] = 1;
        if (at != START && line_is_free(w, w->corner[at], w->corner[END], CLEAR)) {
            double length = w->length[at] + abut_length(abut_sub(w->corner[END], w->corner[at]));
            if (length < w->length[END]) w->length[END] = length, w->from[END] = at;
        }
        go_on(w, at);
    }
}

static int write_way(const Way *w, AbutVec3 *out) {
    int list[NODES], n = 0;
    for (int k = END; k >= 0; k = w->from[k]) list[n++] = k;
    if (n > ABUT_MANIP_WAY - 2) return 0;
    for (int k = 0; k < n; ++k) out[k] = w->corner[list[n - 1 - k]];
    return n;
}

/* The way of one finger; gives its number of corners, 0: there is none. */
static int find_way(Way *w, int32_t from, int32_t to, AbutVec3 *out) {
    int n = 0;
    memset(w->there, -1, sizeof w->there);
    if (!stand_off(w, to, &w->corner[END])) return 0;
    if (from >= 0) {
        if (!stand_off(w, from, &w->corner[START])) return 0;
        out[n++] = abut_manip_finger_center(w->m, w->x, from);
        if (line_is_free(w, w->corner[START], w->corner[END], CLEAR)) {
            out[n++] = w->corner[START], out[n++] = w->corner[END];
            out[n++] = abut_manip_finger_center(w->m, w->x, to);
            return n;
        }
    }
    w->there[START] = w->there[END] = 1;
    place_corners(w);
    if (!way_over_one(w, from < 0) && !search_way(w, from < 0)) return 0;
    int between = write_way(w, out + n);
    if (!between) return 0;
    n += between;
    out[n++] = abut_manip_finger_center(w->m, w->x, to);
    return n;
}

int abut_manip_find_ways(const AbutManip *m, AbutPose x, const AbutManipHold *before, const AbutManipHold *after,
    const int32_t *order, int32_t moved, AbutManipWay *out) {
    AbutManipHold now = *before;
    Way w = {.m = m, .x = x, .others = &now};
    for (int32_t k = 0; k < moved; ++k) {
        int32_t i = order[k], from = now.finger[i];
        now.finger[i] = -1;
        out[k].count = find_way(&w, from, after->finger[i], out[k].corner);
        if (!out[k].count) return 0;
        now.finger[i] = after->finger[i];
    }
    return 1;
}
