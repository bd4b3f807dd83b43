/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patches of two meshes. In: their touches. Out: patches as convex bodies have them, frame of A.
 *
 * Touches with one normal in one plane are one patch, with the corners of their hull: faces that lie on each other give
 * the polygon of their common part. Where there are more groups than a pair may have, as on a thread, touches are taken
 * one by one, each time the one whose wrench is farthest from those that were taken, and each then stands for its
 * deepest neighbor.
 */
#include "contact/touch_patch.h"
#include "contact/tolerance.h"
#include "math/functions.h"

#include <stdlib.h>
#include <string.h>

/* Rows of numbers of touches: wrenches about the middle of all, how far they are from those that were taken, which of
 * these is the nearest, how much the distance counts; from the last that was taken. */
enum { WRENCH = 0, FAR = 6, NEAREST, COUNTS, APART, ROWS };

void abut_touch_scratch_free(AbutTouchScratch *s) {
    abut_free(s->group);
    abut_free(s->member);
    abut_free(s->corner);
    abut_free(s->hull);
    abut_free(s->row);
    memset(s, 0, sizeof *s);
}

static int reserve(AbutTouchScratch *s, int32_t count) {
    size_t n = (size_t)count + 1;
    return abut_grow((void **)&s->group, &s->group_capacity, n, sizeof *s->group) &&
           abut_grow((void **)&s->member, &s->member_capacity, n, sizeof *s->member) &&
           abut_grow((void **)&s->corner, &s->corner_capacity, n, sizeof *s->corner) &&
           abut_grow((void **)&s->hull, &s->hull_capacity, 2 * n, sizeof *s->hull) &&
           abut_grow((void **)&s->row, &s->row_capacity, ROWS * n, sizeof *s->row);
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static int in_plane_of(const AbutFeatureTouch *t, const AbutFeatureTouch *lead, double offset) {
    AbutVec3 d = abut_sub(t->normal, lead->normal);
    return abut_length_sq(d) < ABUT_TOUCH_TURNED * ABUT_TOUCH_TURNED &&
           fabs(abut_dot(lead->normal, abut_sub(t->place, lead->place))) < offset;
}

/* The group of each touch, led by the first of it; `member` names the leads. Gives the number of groups, or one more
 * than a pair may have. */
static int group_touches(AbutTouchScratch *s, const AbutFeatureTouch *touch, int32_t count, double offset) {
    int groups = 0;
    for (int32_t i = 0; i < count; ++i) {
        int g = 0;
        while (g < groups && !in_plane_of(&touch[i], &touch[s->member[g]], offset)) ++g;
        if (g == groups) {
            if (groups == ABUT_TOUCH_PATCHES) return groups + 1;
            s->member[groups++] = i;
        }
        s->group[i] = g;
    }
    return groups;
}

/* ---- one patch --------------------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b) {
    const AbutTouchCorner *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return (p->gap > q->gap) - (p->gap < q->gap);
}

static double turn(AbutTouchCorner o, AbutTouchCorner a, AbutTouchCorner b) {
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/* Sorted corners with the least gap of those that are one; gives how many are left. */
static int32_t join_corners(AbutTouchCorner *p, int32_t count, double near) {
    int32_t kept = 0;
    qsort(p, (size_t)count, sizeof *p, by_place);
    for (int32_t i = 0; i < count; ++i) {
        int32_t k = kept - 1;
        while (k >= 0 && !(p[i].x - p[k].x < near && fabs(p[i].y - p[k].y) < near))
            k = p[i].x - p[k].x < near ? k - 1 : -1;
        if (k >= 0)
            p[k].gap = abut_smaller(p[k].gap, p[i].gap);
        else
            p[kept++] = p[i];
    }
    return kept;
}

/* Hull of sorted corners, counter-clockwise, into `hull`. */
static int32_t wrap(const AbutTouchCorner *p, int32_t count, double area, AbutTouchCorner *hull) {
    int32_t n = 0;
    for (int32_t i = 0; i < count; ++i) {
        while (n >= 2 && turn(hull[n - 2], hull[n - 1], p[i]) <= area) --n;
        hull[n++] = p[i];
    }
    for (int32_t i = count - 2, low = n + 1; i >= 0; --i) {
        while (n >= low && turn(hull[n - 2], hull[n - 1], p[i]) <= area) --n;
        hull[n++] = p[i];
    }
    return n - 1;
}

/* Corners of the least area go, until a contact can have the others. */
static int32_t thin_out(AbutTouchCorner *hull, int32_t n) {
    for (; n > ABUT_CONTACT_VERTICES; --n) {
        int32_t drop = 0;
        double least = INFINITY;
        for (int32_t i = 0; i < n; ++i) {
            double area = turn(hull[(i + n - 1) % n], hull[i], hull[(i + 1) % n]);
            if (area < least) least = area, drop = i;
        }
        memmove(hull + drop, hull + drop + 1, sizeof *hull * (size_t)(n - drop - 1));
    }
    return n;
}

/* The corners of a patch from those of its touches, which are about `middle` in its axes. */
static void set_corners(
    AbutPatch *out, AbutVec3 middle, const AbutTouchCorner *p, int n, const AbutTouchPatchDef *def) {
    double x = 0.0, y = 0.0, spread = 0.0, mean = 0.0, area = 0.0, least = INFINITY;
    for (int i = 0; i < n; ++i) x += p[i].x / n, y += p[i].y / n;
    for (int i = 0; i < n; ++i) {
        out->x[i] = p[i].x - x, out->y[i] = p[i].y - y;
        out->thickness[i] = def->margins - p[i].gap;
        spread += (out->x[i] * out->x[i] + out->y[i] * out->y[i]) / n;
        mean += out->thickness[i] / n;
        least = abut_smaller(least, p[i].gap);
    }
    for (int i = 0; i < n; ++i) area += 0.5 * (out->x[i] * out->y[(i + 1) % n] - out->x[(i + 1) % n] * out->y[i]);
    out->centroid = abut_add_scaled(abut_add_scaled(middle, out->e1, x), out->e2, y);
    out->vertex_count = n;
    out->torsion = 1.0;
    out->high = def->margins - least;
    out->length = sqrt(spread) + ABUT_TOUCH_LEAST_LENGTH * def->scale;
    out->area = out->polygon_area = abut_larger(area, 0.0);
    out->volume = abut_larger(mean, 0.0) * out->area;
    out->plane[0] = mean;
}

/* Faces know their normal better than edges that cross. */
static double weight_of(const AbutFeatureTouch *t) {
    return t->kind == ABUT_TOUCH_CROSSING ? ABUT_TOUCH_CROSSING_WEIGHT : 1.0;
}

static void make_patch(AbutTouchScratch *s, const AbutFeatureTouch *touch, const int32_t *member, int32_t count,
    const AbutTouchPatchDef *def, AbutPatch *out) {
    AbutVec3 n = abut_zero(), middle = abut_zero();
    memset(out, 0, sizeof *out);
    for (int32_t i = 0; i < count; ++i) {
        n = abut_add_scaled(n, touch[member[i]].normal, weight_of(&touch[member[i]]));
        middle = abut_add_scaled(middle, touch[member[i]].place, 1.0 / count);
    }
    out->normal = abut_normalize(n);
    out->e1 = abut_perpendicular(out->normal);
    out->e2 = abut_cross(out->normal, out->e1);
    for (int32_t i = 0; i < count; ++i) {
        AbutVec3 r = abut_sub(touch[member[i]].place, middle);
        s->corner[i] = (AbutTouchCorner){abut_dot(r, out->e1), abut_dot(r, out->e2), touch[member[i]].gap};
    }
    double near = ABUT_TOUCH_SAME * def->scale;
    int32_t corners = join_corners(s->corner, count, near);
    if (corners < 3) {
        set_corners(out, middle, s->corner, corners, def);
        return;
    }
    corners = thin_out(s->hull, wrap(s->corner, corners, near * near, s->hull));
    set_corners(out, middle, s->hull, corners, def);
}

/* ---- few of many ------------------------------------------------------------------------------------------------- */

/* Wrenches of all touches, lengths in parts of their spread; gives the deepest. What is farther apart than it by
 * `margins` does not hold now. */
static int32_t weigh(AbutTouchScratch *s, const AbutFeatureTouch *touch, int32_t count, double margins) {
    AbutVec3 middle = abut_zero();
    double spread = 0.0;
    int32_t deepest = 0;
    for (int32_t i = 0; i < count; ++i) middle = abut_add_scaled(middle, touch[i].place, 1.0 / count);
    for (int32_t i = 0; i < count; ++i) {
        spread += abut_length_sq(abut_sub(touch[i].place, middle)) / count;
        deepest = touch[i].soon < touch[deepest].soon ? i : deepest;
    }
    double inverse = spread > 0.0 ? 1.0 / sqrt(spread) : 0.0, band = touch[deepest].soon + margins;
    for (int32_t i = 0; i < count; ++i) {
        AbutVec3 n = touch[i].normal, m = abut_scale(abut_cross(abut_sub(touch[i].place, middle), n), inverse);
        const double numbers[ROWS] = {
            n.x, n.y, n.z, m.x, m.y, m.z, INFINITY, 0.0, touch[i].soon < band ? 1.0 : ABUT_TOUCH_LOOSE, 0.0};
        for (int k = 0; k < ROWS; ++k) s->row[k * count + i] = numbers[k];
    }
    return deepest;
}

/* Squared distances of all touches to one of them. */
static void measure(const double *restrict w, int32_t count, int32_t to, double *restrict d) {
    const double *x = w, *y = x + count, *z = y + count, *u = z + count, *v = u + count, *t = v + count;
    const double at[6] = {x[to], y[to], z[to], u[to], v[to], t[to]};
    for (int32_t i = 0; i < count; ++i)
        d[i] = (x[i] - at[0]) * (x[i] - at[0]) + (y[i] - at[1]) * (y[i] - at[1]) + (z[i] - at[2]) * (z[i] - at[2]) +
               (u[i] - at[3]) * (u[i] - at[3]) + (v[i] - at[4]) * (v[i] - at[4]) + (t[i] - at[5]) * (t[i] - at[5]);
}

/* Distances to the touches that were taken, when `taken` becomes number `number` of them; gives the one to take next,
 * -1: none is far enough. */
static int32_t spread(AbutTouchScratch *s, int32_t count, int32_t taken, int number) {
    double *far = s->row + FAR * count, *nearest = s->row + NEAREST * count, *d = s->row + APART * count;
    const double *counts = s->row + COUNTS * count;
    int32_t best = -1;
    double most = 0.0;
    measure(s->row + WRENCH * count, count, taken, d);
    for (int32_t i = 0; i < count; ++i) {
        if (d[i] < far[i]) far[i] = d[i], nearest[i] = number;
        double score = counts[i] * far[i];
        if (score > most && far[i] > ABUT_TOUCH_LEAST * ABUT_TOUCH_LEAST) most = score, best = i;
    }
    return best;
}

static int take_few(AbutTouchScratch *s, const AbutFeatureTouch *touch, int32_t count, double margins) {
    int taken = 0;
    int32_t next = weigh(s, touch, count, margins);
    const double *far = s->row + FAR * count, *nearest = s->row + NEAREST * count;
    while (taken < ABUT_TOUCH_PATCHES && next >= 0) {
        s->member[taken] = next;
        next = spread(s, count, next, taken);
        ++taken;
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t *of = &s->member[(int)nearest[i]];
        if (far[i] < ABUT_TOUCH_CELL * ABUT_TOUCH_CELL && touch[i].soon < touch[*of].soon) *of = i;
    }
    return taken;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* Touches by group; `first` has room for one more than the groups. */
static void list_members(AbutTouchScratch *s, int32_t count, int groups, int32_t first[ABUT_TOUCH_PATCHES + 1]) {
    int32_t at[ABUT_TOUCH_PATCHES + 1] = {0};
    for (int32_t i = 0; i < count; ++i) ++at[s->group[i] + 1];
    for (int g = 0; g < groups; ++g) at[g + 1] += at[g];
    memcpy(first, at, sizeof at);
    for (int32_t i = 0; i < count; ++i) s->member[at[s->group[i]]++] = i;
}

int abut_touch_patches(
    AbutTouchScratch *s, const AbutFeatureTouch *touch, int32_t count, const AbutTouchPatchDef *def, AbutPatch *out) {
    if (count == 0) return 0;
    if (!reserve(s, count)) return -1;
    int groups = group_touches(s, touch, count, def->offset);
    if (groups > ABUT_TOUCH_PATCHES) {
        groups = take_few(s, touch, count, def->margins);
        for (int g = 0; g < groups; ++g) make_patch(s, touch, &s->member[g], 1, def, &out[g]);
        return groups;
    }
    int32_t first[ABUT_TOUCH_PATCHES + 1];
    list_members(s, count, groups, first);
    for (int g = 0; g < groups; ++g) make_patch(s, touch, s->member + first[g], first[g + 1] - first[g], def, &out[g]);
    return groups;
}
