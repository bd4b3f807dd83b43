/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The patch of a pair with a round body. In: the pair. Out: normal and depth of the exact distance, and vertices with
 * the thickness of the grown overlap there.
 *
 * Method: what the one body shows along the normal is cut by what the other shows; the thickness at each corner is that
 * of both margins less the gap there, and at most that of the distance. A corner without thickness is none: that alone
 * makes the passage from a disc to a point of its rim, or from a line to its end, continuous. Where bodies touch beside
 * all corners (a rim on an edge), the point of the distance is a vertex.
 */
#include "contact/round_feature.h"
#include "contact/tolerance.h"
#include "math/functions.h"

enum { MOST = 64 };

/* The patch under way: corners about the point of the distance. */
typedef struct Making {
    const AbutPatchPair *pair;
    AbutContactPlane plane;
    AbutShownFeature a, b;
    double size, margins, full; /* full: thickness at the point of the distance */
    int n, open, missed;        /* open: a line; missed: the last corner is the point of the distance */
    AbutPoint2 p[MOST];
    double bend; /* crossing lines part with the square of the way: the factor */
} Making;

/* ---- cutting ----------------------------------------------------------------------------------------------------- */

/* Keeps what lies left of the line from a to b, moved to the right by `wider`. */
static void cut(Making *m, AbutPoint2 a, AbutPoint2 b, double wider) {
    AbutPoint2 out[MOST];
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy), side[MOST];
    int n = 0;
    if (!(length > 0.0)) return;
    for (int i = 0; i < m->n; ++i) side[i] = (dx * (m->p[i].y - a.y) - dy * (m->p[i].x - a.x)) / length + wider;
    for (int i = 0; i < m->n && n < MOST; ++i) {
        int k = i + 1 < m->n ? i + 1 : 0, last = m->open && k == 0;
        if (side[i] >= 0.0) out[n++] = m->p[i];
        if (!last && (side[i] >= 0.0) != (side[k] >= 0.0) && n < MOST) {
            double t = side[i] / (side[i] - side[k]);
            out[n++] = (AbutPoint2){m->p[i].x + t * (m->p[k].x - m->p[i].x), m->p[i].y + t * (m->p[k].y - m->p[i].y)};
        }
    }
    for (int i = 0; i < n; ++i) m->p[i] = out[i];
    m->n = n;
}

static void cut_by(Making *m, const AbutShownFeature *by) {
    AbutPoint2 room[2 * MOST + 2], last = abut_feature_corner(by, &m->plane, by->count - 1);
    for (int i = 0; i < by->count && m->n > 0; ++i) {
        AbutPoint2 next = abut_feature_corner(by, &m->plane, i);
        if (m->n == MOST) m->n = abut_polygon_thin(m->p, m->n, MOST / 2, room);
        cut(m, last, next, ABUT_ROUND_WIDER * m->size);
        last = next;
    }
}

static void take_corners(Making *m, const AbutShownFeature *f) {
    m->open = f->kind == ABUT_PART_EDGE;
    m->n = f->count;
    for (int i = 0; i < f->count; ++i) m->p[i] = abut_feature_corner(f, &m->plane, i);
}

/* Where the line, seen from the origin along the direction (x, y), begins and ends. */
static void stretch(const AbutShownFeature *line, double x, double y, double *from, double *to) {
    double s = line->corner[0].x * x + line->corner[0].y * y, t = line->corner[1].x * x + line->corner[1].y * y;
    *from = abut_larger(*from, abut_smaller(s, t));
    *to = abut_smaller(*to, abut_larger(s, t));
}

static AbutPoint2 direction_of(const AbutShownFeature *line) {
    double x = line->corner[1].x - line->corner[0].x, y = line->corner[1].y - line->corner[0].y,
           length = sqrt(x * x + y * y);
    return (AbutPoint2){x / length, y / length};
}

/* Two lines: the stretch they share, along the direction between them. */
static void share_lines(Making *m) {
    AbutPoint2 a = direction_of(&m->a), b = direction_of(&m->b);
    double sign = a.x * b.x + a.y * b.y < 0.0 ? -1.0 : 1.0, across = a.x * b.y - a.y * b.x;
    double x = a.x + sign * b.x, y = a.y + sign * b.y, length = sqrt(x * x + y * y), from = -INFINITY, to = INFINITY;
    x /= length, y /= length;
    stretch(&m->a, x, y, &from, &to);
    stretch(&m->b, x, y, &from, &to);
    m->bend = 0.5 * across * across * (1.0 / m->a.radius + 1.0 / m->b.radius);
    m->open = 1;
    if (!(to - from > ABUT_CONTACT_MERGE * m->size)) return;
    m->p[0] = (AbutPoint2){from * x, from * y};
    m->p[1] = (AbutPoint2){to * x, to * y};
    m->n = 2;
}

static int has_corners(const AbutShownFeature *f) { return f->kind == ABUT_PART_EDGE || f->kind == ABUT_PART_FACE; }

/* Corners of what both show; none for a point. A round body is cut by the other. */
static void share(Making *m) {
    const AbutShownFeature *own = m->pair->b->round ? &m->b : &m->a, *other = m->pair->b->round ? &m->a : &m->b;
    if (own->kind == ABUT_PART_VERTEX || other->kind == ABUT_PART_VERTEX) return;
    if (own->kind == ABUT_PART_EDGE && other->kind == ABUT_PART_EDGE) {
        share_lines(m);
        return;
    }
    if (other->kind == ABUT_PART_EDGE) {
        const AbutShownFeature *swap = own;
        own = other;
        other = swap;
    }
    take_corners(m, own);
    if (has_corners(other)) cut_by(m, other);
}

/* ---- thickness --------------------------------------------------------------------------------------------------- */

static double thickness(const Making *m, AbutPoint2 p) {
    double gap = abut_feature_height(&m->b, p) - abut_feature_height(&m->a, p) + m->bend * (p.x * p.x + p.y * p.y);
    return abut_smaller(m->margins - gap, m->full);
}

static void remove_corner(Making *m, int i) {
    --m->n;
    for (; i < m->n; ++i) m->p[i] = m->p[i + 1];
}

/* Corners without thickness go; of two that are close, the thinner. Gives the largest thickness. */
static double keep_thick(Making *m) {
    double most = -INFINITY, close = ABUT_CONTACT_MERGE * m->size;
    for (int i = m->n - 1; i >= 0; --i)
        if (!(thickness(m, m->p[i]) > 0.0)) remove_corner(m, i);
    for (int i = 0; i < m->n; ++i) {
        for (int k = m->n - 1; k > i; --k) {
            double dx = m->p[k].x - m->p[i].x, dy = m->p[k].y - m->p[i].y;
            if (dx * dx + dy * dy > close * close) continue;
            if (thickness(m, m->p[k]) > thickness(m, m->p[i])) m->p[i] = m->p[k];
            remove_corner(m, k);
        }
        most = abut_larger(most, thickness(m, m->p[i]));
    }
    return most;
}

/* At most ABUT_CONTACT_VERTICES corners; the point of the distance among them, where they miss it. */
static void choose_corners(Making *m, AbutPatch *patch) {
    AbutPoint2 room[2 * MOST + 2], origin = {0.0, 0.0};
    double slack = abut_larger(0.5 * ABUT_ROUND_MISSED * m->margins, ABUT_ROUND_FACE_SLACK * m->size);
    m->missed = !(keep_thick(m) >= m->full - slack);
    m->n = abut_polygon_thin(m->p, m->n, ABUT_CONTACT_VERTICES - m->missed, room);
    for (int i = 0; i < m->n; ++i) patch->thickness[i] = thickness(m, m->p[i]);
    if (m->missed) {
        patch->thickness[m->n] = m->full;
        m->p[m->n++] = origin;
    }
}

/* ---- the patch --------------------------------------------------------------------------------------------------- */

static void place_vertices(const Making *m, AbutPatch *patch) {
    double sum = 0.0, x = 0.0, y = 0.0, spread = 0.0, least = ABUT_CONTACT_LENGTH * m->size;
    for (int i = 0; i < m->n; ++i) {
        sum += patch->thickness[i];
        x += patch->thickness[i] * m->p[i].x;
        y += patch->thickness[i] * m->p[i].y;
    }
    x /= sum, y /= sum;
    for (int i = 0; i < m->n; ++i) {
        patch->x[i] = m->p[i].x - x;
        patch->y[i] = m->p[i].y - y;
        spread += patch->x[i] * patch->x[i] + patch->y[i] * patch->y[i];
    }
    patch->vertex_count = m->n;
    patch->centroid = abut_add(m->plane.origin, abut_add(abut_scale(m->plane.e1, x), abut_scale(m->plane.e2, y)));
    patch->length = sqrt(abut_larger(spread / m->n, least * least));
    patch->plane[0] = sum / m->n;
    patch->plane[1] = patch->plane[2] = 0.0;
}

/* Area and volume: of a cap of a ball, of a strip of a rod, or of the polygon. */
static void measure(const Making *m, AbutPatch *patch) {
    double radius = 1.0 / (1.0 / m->a.radius + 1.0 / m->b.radius), h = m->full, mean = patch->plane[0];
    double strip = 2.0 * sqrt(2.0 * radius * h);
    if (m->n == 1) {
        patch->area = 2.0 * ABUT_PI * radius * h;
        patch->volume = ABUT_PI * radius * h * h;
    } else if (m->n == 2) {
        patch->area = strip * abut_hypot(m->p[1].x - m->p[0].x, m->p[1].y - m->p[0].y);
        patch->volume = 2.0 / 3.0 * patch->area * mean;
    } else {
        AbutPolygonMoments moments = abut_polygon_moments(m->p, m->n - m->missed);
        double whole = m->n == ABUT_DISC_CORNERS && !m->missed ? 0.25 * ABUT_PI / ABUT_ROUND_END
                                                               : 1.0; /* a circle by its octagon */
        patch->area = whole * moments.area;
        patch->volume = patch->area * mean;
    }
    patch->polygon_area = patch->area;
}

/* Twisting friction of uniform pressure beside that of the corners. */
static double spread_of(const Making *m) { return m->n == 1 ? 1.0 : m->n == 2 ? 0.5 : 2.0 / 3.0; }

/* Feature that the round body of the pair rests on. */
static void find_seat(const Making *m, AbutPatch *patch) {
    const AbutPatchPair *pair = m->pair;
    int of_b = pair->b->round;
    const AbutConvex *other = of_b ? &pair->a->body : &pair->b->body;
    AbutVec3 up = of_b ? m->plane.normal : abut_neg(abut_quat_rotate_inv(pair->b_in_a.q, m->plane.normal)), n = up;
    patch->seat_of_b = of_b;
    patch->seat = ABUT_SEAT_NONE;
    if (pair->a->round && pair->b->round) return;
    if (other->kind != ABUT_CONVEX_HALF_SPACE) abut_nearest_face(other, up, &n);
    patch->seat = abut_point_distance(n, up) <= ABUT_ROUND_ON_FACE ? ABUT_SEAT_FLAT : ABUT_SEAT_EDGE;
}

static void begin(Making *m, const AbutPatchPair *pair, const AbutRoundHit *hit) {
    m->pair = pair;
    m->size = abut_smaller(pair->a->size, pair->b->size);
    m->margins = pair->a->margin + pair->b->margin;
    m->full = m->margins - hit->distance;
    m->plane.normal = hit->normal;
    m->plane.e1 = abut_perpendicular(hit->normal);
    m->plane.e2 = abut_cross(hit->normal, m->plane.e1);
    m->plane.origin = abut_scale(abut_add(hit->point_a, hit->point_b), 0.5);
    m->a = abut_shown_feature(pair, 0, &m->plane);
    m->b = abut_shown_feature(pair, 1, &m->plane);
    m->n = m->open = 0;
    m->bend = 0.0;
}

int abut_round_patch(const AbutPatchPair *pair, AbutPatch *patch) {
    AbutRoundHit hit;
    Making m;
    int found = abut_round_distance(pair, pair->a->margin + pair->b->margin, &hit);
    if (found <= 0) return found;
    begin(&m, pair, &hit);
    share(&m);
    choose_corners(&m, patch);
    patch->round = 1;
    find_seat(&m, patch);
    patch->normal = m.plane.normal;
    patch->e1 = m.plane.e1;
    patch->e2 = m.plane.e2;
    patch->high = 0.5 * m.full;
    patch->low = -patch->high;
    place_vertices(&m, patch);
    measure(&m, patch);
    patch->torsion = pair->uniform_torsion ? spread_of(&m) : 1.0;
    return 1;
}
