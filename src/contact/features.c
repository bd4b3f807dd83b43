/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contact points on the true bodies. In: two convex bodies of any kind, placed, and how far apart they may be. Out: the
 * normal, the points where they touch, in one plane, and the gap at each. Nothing is grown, so no point leaves its
 * body; nothing is allocated.
 *
 * Method: the signed distance gives the normal, and a face of either body that parts them as far gives it exactly. Each
 * body shows the points within the tolerance of its farthest along the normal: a point, a line, a polygon or a whole
 * plane. The features that both show, cut by each other, hold the points. Two lines that cross give the normal once
 * more, as the product of their directions.
 */
#include "contact/patch.h"
#include "contact/polygon2.h"
#include "contact/tolerance.h"
#include "math/functions.h"

#include <string.h>

enum { MOST = 64, RIM = 8 };

/* The feature that a body shows: a convex polygon in the plane of contact, and its height over that plane, fitted. */
typedef struct Shown {
    int32_t kind;
    AbutPoint2 p[MOST];
    int count;
    double sum[9]; /* 1, x, y, xx, xy, yy, h, hx, hy over all points */
    double height, slope_x, slope_y;
} Shown;

typedef struct Making {
    const AbutConvex *body[2];
    AbutPose b_in_a;
    AbutVec3 origin, e1, e2, normal; /* the plane of contact, frame of A */
    double distance, tolerance;
    Shown shown[2];
    AbutPoint2 p[MOST];
    int count;
} Making;

/* ---- the normal -------------------------------------------------------------------------------------------------- */

/* How far B is beyond A along n. */
static double separation(const Making *m, AbutVec3 n) {
    AbutVec3 back = abut_neg(abut_quat_rotate_inv(m->b_in_a.q, n));
    AbutVec3 a = abut_convex_farthest(m->body[0], n), b = abut_convex_farthest(m->body[1], back);
    return abut_dot(n, abut_sub(abut_pose_apply(m->b_in_a, b), a)) - m->body[0]->radius - m->body[1]->radius;
}

/* The direction of a face of the body near `towards`, own frame; 0: it has none. */
static int face_direction(const AbutConvex *c, AbutVec3 towards, AbutVec3 *out) {
    if (c->kind == ABUT_CONVEX_BOX || (c->kind == ABUT_CONVEX_POLYHEDRON && c->polyhedron->dimension == 3))
        abut_nearest_face(c, towards, out);
    else if (c->kind == ABUT_CONVEX_CYLINDER || c->kind == ABUT_CONVEX_CONE)
        *out = abut_vec3(0.0, 0.0, towards.z > 0.0 && c->kind == ABUT_CONVEX_CYLINDER ? 1.0 : -1.0);
    else
        return 0;
    return abut_dot(*out, towards) > ABUT_ROUND_FACE;
}

/* A face that parts the bodies as far as the normal does is what they touch with, and its direction is exact. */
static void snap_normal(Making *m, double slack) {
    for (int side = 0; side < 2; ++side) {
        AbutVec3 n, towards = side ? abut_neg(abut_quat_rotate_inv(m->b_in_a.q, m->normal)) : m->normal;
        if (!face_direction(m->body[side], towards, &n)) continue;
        n = side ? abut_neg(abut_quat_rotate(m->b_in_a.q, n)) : n;
        double distance = separation(m, n);
        if (!(distance >= m->distance - slack)) continue;
        m->normal = n;
        m->distance = distance;
        return;
    }
}

static void set_axes(Making *m, AbutVec3 normal) {
    m->normal = normal;
    m->e1 = abut_perpendicular(normal);
    m->e2 = abut_cross(normal, m->e1);
}

/* ---- what a body shows ------------------------------------------------------------------------------------------- */

static void put_point(Making *m, int side, AbutVec3 p) {
    Shown *s = &m->shown[side];
    AbutPoint2 room[2 * MOST + 2];
    if (side) p = abut_pose_apply(m->b_in_a, p);
    p = abut_sub(abut_add_scaled(p, m->normal, side ? -m->body[1]->radius : m->body[0]->radius), m->origin);
    double x = abut_dot(p, m->e1), y = abut_dot(p, m->e2), h = abut_dot(p, m->normal);
    double add[9] = {1.0, x, y, x * x, x * y, y * y, h, h * x, h * y};
    for (int k = 0; k < 9; ++k) s->sum[k] += add[k];
    if (s->count == MOST) {
        s->count = abut_polygon_hull(s->p, s->count, room);
        s->count = abut_polygon_thin(s->p, s->count, MOST / 2, room);
    }
    s->p[s->count++] = (AbutPoint2){x, y};
}

static void put_if_near(Making *m, int side, AbutVec3 p, AbutVec3 towards, double farthest, double depth) {
    if (abut_dot(p, towards) >= farthest - depth) put_point(m, side, p);
}

/* An end of a cylinder or the base of a cone: its rim where it lies flat, else the farthest point of the rim. */
static void put_end(Making *m, int side, double z, AbutVec3 d, double farthest, double depth) {
    double r = m->body[side]->p[0].x, across = abut_hypot(d.x, d.y);
    if (2.0 * r * across > depth) {
        put_if_near(m, side, abut_vec3(r * d.x / across, r * d.y / across, z), d, farthest, depth);
        return;
    }
    for (int i = 0; i < RIM; ++i) {
        double angle = 2.0 * ABUT_PI * i / RIM;
        put_if_near(m, side, abut_vec3(r * abut_cos(angle), r * abut_sin(angle), z), d, farthest, depth);
    }
}

static void put_points(Making *m, int side, AbutVec3 d, double depth) {
    const AbutConvex *c = m->body[side];
    double farthest = abut_dot(abut_convex_farthest(c, d), d);
    switch (c->kind) {
    case ABUT_CONVEX_POINT:
    case ABUT_CONVEX_SEGMENT:
    case ABUT_CONVEX_TRIANGLE:
        for (int i = 0; i <= (int)c->kind; ++i) put_if_near(m, side, c->p[i], d, farthest, depth);
        break;
    case ABUT_CONVEX_BOX:
        for (int i = 0; i < 8; ++i)
            put_if_near(m, side,
                abut_vec3(
                    i & 1 ? c->p[0].x : -c->p[0].x, i & 2 ? c->p[0].y : -c->p[0].y, i & 4 ? c->p[0].z : -c->p[0].z),
                d, farthest, depth);
        break;
    case ABUT_CONVEX_POLYHEDRON:
        for (int i = 0; i < c->polyhedron->vertex_count; ++i)
            put_if_near(m, side, abut_polyhedron_vertices(c->polyhedron)[i], d, farthest, depth);
        break;
    case ABUT_CONVEX_CYLINDER:
    case ABUT_CONVEX_CONE:
        put_end(m, side, -c->p[0].z, d, farthest, depth);
        if (c->kind == ABUT_CONVEX_CYLINDER)
            put_end(m, side, c->p[0].z, d, farthest, depth);
        else
            put_if_near(m, side, abut_vec3(0.0, 0.0, c->p[0].z), d, farthest, depth);
        break;
    default:
        put_point(m, side, abut_convex_farthest(c, d));
        break;
    }
}

/* The plane through the heights of all points by least squares, level along directions in which they do not extend. */
static void fit_height(Shown *s) {
    double n = s->sum[0], x = s->sum[1] / n, y = s->sum[2] / n, h = s->sum[6] / n;
    double xx = s->sum[3] / n - x * x, xy = s->sum[4] / n - x * y, yy = s->sum[5] / n - y * y;
    double hx = s->sum[7] / n - h * x, hy = s->sum[8] / n - h * y, mean = 0.5 * (xx + yy);
    double turn = abut_hypot(0.5 * (xx - yy), xy), small = 1e-12 * mean;
    double ux = 0.5 * (xx - yy) + turn, uy = xy, length = abut_hypot(ux, uy);
    if (!(length > 0.0)) ux = xx >= yy ? 1.0 : 0.0, uy = 1.0 - ux, length = 1.0;
    ux /= length, uy /= length;
    double wide = mean + turn > small ? (hx * ux + hy * uy) / (mean + turn) : 0.0;
    double narrow = mean - turn > small ? (hy * ux - hx * uy) / (mean - turn) : 0.0;
    s->slope_x = wide * ux - narrow * uy;
    s->slope_y = wide * uy + narrow * ux;
    s->height = h - s->slope_x * x - s->slope_y * y;
}

static double height_at(const Shown *s, AbutPoint2 p) { return s->height + s->slope_x * p.x + s->slope_y * p.y; }

static void show_plane(Making *m, int side) {
    const AbutConvex *c = m->body[side];
    AbutVec3 n = side ? abut_quat_rotate(m->b_in_a.q, c->p[0]) : c->p[0];
    double sign = abut_dot(n, m->normal) < 0.0 ? -1.0 : 1.0, away = sign * (side ? -1.0 : 1.0);
    AbutVec3 p = abut_scale(c->p[0], c->p[1].x + away * c->radius);
    p = side ? abut_pose_apply(m->b_in_a, p) : p;
    m->shown[side].kind = ABUT_PART_PLANE;
    m->shown[side].height = sign * abut_dot(n, abut_sub(p, m->origin));
}

/* Half the length of a body along d. */
static double half_length(const AbutConvex *c, AbutVec3 d) {
    AbutVec3 ends = abut_sub(abut_convex_farthest(c, d), abut_convex_farthest(c, abut_neg(d)));
    return 0.5 * abut_dot(ends, d) + c->radius;
}

static void show(Making *m, int side) {
    Shown *s = &m->shown[side];
    AbutPoint2 room[2 * MOST + 2];
    AbutVec3 d = side ? abut_neg(abut_quat_rotate_inv(m->b_in_a.q, m->normal)) : m->normal;
    memset(s, 0, sizeof *s);
    if (m->body[side]->kind == ABUT_CONVEX_HALF_SPACE || m->body[side]->kind == ABUT_CONVEX_PLANE) {
        show_plane(m, side);
        return;
    }
    /* As deep as the overlap, but not as far as the side that faces away. */
    double depth = abut_smaller(abut_larger(0.0, -m->distance), half_length(m->body[side], d));
    put_points(m, side, d, m->tolerance + depth);
    fit_height(s);
    s->count = abut_polygon_hull(s->p, s->count, room);
    s->count = abut_polygon_merge(s->p, s->count, m->tolerance, room);
    s->kind = s->count == 1 ? ABUT_PART_VERTEX : s->count == 2 ? ABUT_PART_EDGE : ABUT_PART_FACE;
}

static void show_both(Making *m) {
    show(m, 0);
    show(m, 1);
}

/* ---- what both show ---------------------------------------------------------------------------------------------- */

static AbutPoint2 between(AbutPoint2 a, AbutPoint2 b, double t) {
    return (AbutPoint2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/* Keeps what lies left of the line from a to b, or no farther right of it than the tolerance. */
static void cut(Making *m, AbutPoint2 a, AbutPoint2 b, int open) {
    AbutPoint2 out[MOST];
    double dx = b.x - a.x, dy = b.y - a.y, length = abut_hypot(dx, dy), side[MOST];
    int n = 0;
    for (int i = 0; i < m->count; ++i) {
        side[i] = (dx * (m->p[i].y - a.y) - dy * (m->p[i].x - a.x)) / length;
        side[i] = fabs(side[i]) <= m->tolerance ? 0.0 : side[i];
    }
    for (int i = 0; i < m->count && n < MOST; ++i) {
        int k = i + 1 < m->count ? i + 1 : 0, last = open && k == 0;
        if (side[i] >= 0.0) out[n++] = m->p[i];
        if (!last && side[i] * side[k] < 0.0 && n < MOST)
            out[n++] = between(m->p[i], m->p[k], side[i] / (side[i] - side[k]));
    }
    memcpy(m->p, out, (size_t)n * sizeof *out);
    m->count = n;
}

/* Parallel lines share a stretch, others cross. */
static void share_lines(Making *m) {
    const AbutPoint2 *a = m->shown[0].p, *b = m->shown[1].p;
    double ux = a[1].x - a[0].x, uy = a[1].y - a[0].y, vx = b[1].x - b[0].x, vy = b[1].y - b[0].y;
    double la = abut_hypot(ux, uy), lb = abut_hypot(vx, vy), cross = ux * vy - uy * vx;
    if (fabs(cross) > m->tolerance * abut_larger(la, lb)) {
        double t = ((b[0].x - a[0].x) * vy - (b[0].y - a[0].y) * vx) / cross;
        m->p[0] = between(a[0], a[1], abut_larger(0.0, abut_smaller(1.0, t)));
        m->count = 1;
        return;
    }
    ux /= la, uy /= la;
    double s = (b[0].x - a[0].x) * ux + (b[0].y - a[0].y) * uy, t = (b[1].x - a[0].x) * ux + (b[1].y - a[0].y) * uy;
    double from = abut_larger(0.0, abut_smaller(s, t)), to = abut_smaller(la, abut_larger(s, t));
    m->p[0] = between(a[0], a[1], from / la);
    m->p[1] = between(a[0], a[1], to / la);
    m->count = to - from > m->tolerance ? 2 : to - from >= -m->tolerance ? 1 : 0;
}

static void share(Making *m) {
    int of_b = m->shown[1].kind < m->shown[0].kind; /* the lesser is cut by the greater */
    const Shown *own = &m->shown[of_b], *by = &m->shown[!of_b];
    m->count = own->count;
    memcpy(m->p, own->p, (size_t)own->count * sizeof *own->p);
    if (own->kind == ABUT_PART_VERTEX || by->kind == ABUT_PART_PLANE) return;
    if (by->kind == ABUT_PART_EDGE) {
        share_lines(m);
        return;
    }
    AbutPoint2 room[2 * MOST + 2];
    for (int i = 0; i < by->count && m->count > 0; ++i) {
        if (m->count == MOST) m->count = abut_polygon_thin(m->p, m->count, MOST / 2, room);
        cut(m, by->p[i], by->p[i + 1 < by->count ? i + 1 : 0], own->kind == ABUT_PART_EDGE);
    }
}

/* The normal of two lines that cross is the product of their directions; 0: they do not. */
static int sharpen(Making *m) {
    const Shown *a = &m->shown[0], *b = &m->shown[1];
    if (a->kind != ABUT_PART_EDGE || b->kind != ABUT_PART_EDGE) return 0;
    AbutVec3 d[2];
    for (int k = 0; k < 2; ++k) {
        AbutPoint2 p = m->shown[k].p[0], q = m->shown[k].p[1];
        AbutVec3 flat = abut_add(abut_scale(m->e1, q.x - p.x), abut_scale(m->e2, q.y - p.y));
        d[k] =
            abut_normalize(abut_add_scaled(flat, m->normal, height_at(&m->shown[k], q) - height_at(&m->shown[k], p)));
    }
    AbutVec3 n = abut_cross(d[0], d[1]);
    double length = abut_length(n);
    if (!(length > 1.0 - ABUT_ROUND_FACE)) return 0;
    n = abut_scale(n, abut_dot(n, m->normal) < 0.0 ? -1.0 / length : 1.0 / length);
    double distance = separation(m, n);
    if (!(distance >= m->distance - m->tolerance) || !(abut_dot(n, m->normal) > ABUT_ROUND_FACE)) return 0;
    m->distance = distance;
    set_axes(m, n);
    return 1;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static double gap_at(const Making *m, AbutPoint2 p) { return height_at(&m->shown[1], p) - height_at(&m->shown[0], p); }

/* Points within the tolerance, few enough; at least the point of the distance. */
static void choose(Making *m) {
    AbutPoint2 room[2 * MOST + 2];
    int kept = 0;
    for (int i = 0; i < m->count; ++i)
        if (gap_at(m, m->p[i]) <= m->tolerance) m->p[kept++] = m->p[i];
    if (kept == 0) m->p[kept++] = (AbutPoint2){0.0, 0.0};
    m->count = kept > 1 ? abut_polygon_merge(m->p, kept, 2.0 * m->tolerance, room) : kept;
    m->count = abut_polygon_thin(m->p, m->count, ABUT_CONTACT_VERTICES, room);
}

static void answer(const Making *m, AbutPose pose_a, AbutContactFeatures *out) {
    double middle = 0.0;
    for (int i = 0; i < m->count; ++i)
        middle += 0.5 * (height_at(&m->shown[0], m->p[i]) + height_at(&m->shown[1], m->p[i])) / m->count;
    out->normal = abut_quat_rotate(pose_a.q, m->normal);
    out->distance = m->distance;
    out->part_a = m->shown[0].kind;
    out->part_b = m->shown[1].kind;
    out->count = m->count;
    for (int i = 0; i < m->count; ++i) {
        AbutVec3 flat = abut_add(abut_scale(m->e1, m->p[i].x), abut_scale(m->e2, m->p[i].y));
        AbutVec3 p = abut_add(m->origin, abut_add_scaled(flat, m->normal, middle));
        out->point[i] = abut_pose_apply(pose_a, p);
        out->gap[i] = abut_larger(gap_at(m, m->p[i]), m->distance); /* the fitted heights may cross farther */
    }
}

int abut_contact_features(const AbutConvexContact *q, AbutContactFeatures *out) {
    ABUT_ASSERT(q && q->a && q->b && out);
    memset(out, 0, sizeof *out);
    if (!(q->margin >= 0.0) || !isfinite(q->margin)) return -1;
    Making m = {.body = {q->a, q->b}, .b_in_a = abut_pose_between(q->pose_a, q->pose_b)};
    AbutGap d = abut_convex_distance(q->a, q->b, m.b_in_a, NULL, NULL);
    m.tolerance = 2.0 * q->margin + d.error;
    if (d.outcome == ABUT_INVALID || !isfinite(d.distance) || !(abut_length_sq(d.normal) > 0.5) ||
        (d.outcome == ABUT_NOT_CONVERGED && d.error > 2.0 * q->margin))
        return -1;
    if (d.distance > m.tolerance) return 0;
    m.distance = d.distance;
    m.origin = abut_scale(abut_add(d.point_a, d.point_b), 0.5);
    m.normal = d.normal;
    snap_normal(&m, d.error);
    set_axes(&m, m.normal);
    show_both(&m);
    if (sharpen(&m)) show_both(&m);
    if (m.shown[0].kind == ABUT_PART_PLANE && m.shown[1].kind == ABUT_PART_PLANE) return -1;
    share(&m);
    choose(&m);
    answer(&m, q->pose_a, out);
    return 1;
}
