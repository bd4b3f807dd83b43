/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the faces of an overlap to what a contact needs: volume, centroid, normal, the contact polygon and the thickness
 * of the overlap over it.
 *
 * Method: volume and centroid from cones over the faces with a common apex. The normal nu (from B to A) is the
 * direction of the area vector of B's faces less that of A's. The contact polygon is the shadow of the overlap along
 * nu: the one face that looks up, or the one that looks down, or else the hull of the corners of the faces that look
 * up. The thickness is a plane over the polygon with the volume and the first moments of the overlap; its slope is
 * damped below EPSR so that slivers do not turn it, and it is raised until the deepest vertex has the depth of the
 * overlap. Vertices that nearly coincide are joined. All lengths that are tolerances scale with the bodies; they were
 * found for bodies of 0.1 m.
 */
#include "dynamics/sim.h"

#include <string.h>

enum { MAX_SHADOW = 256 };
static const double UP = 0.01;    /* faces steeper than this count as sides */
static const double MERGE = 1e-3; /* of the size: vertices closer than this are one */
static const double EPSR = 1e-2;  /* of the size: slopes over shorter patches are damped */

typedef struct Point2 {
    double x, y;
} Point2;

/* Sums over the faces: volume and its first moment about o, area vectors by owner, total area. */
typedef struct Sums {
    double volume, area;
    AbutVec3 moment, vector[2];
} Sums;

static AbutVec3 face_centroid(const AbutVec3 *p, int count, AbutVec3 normal)
{
    AbutVec3 sum = abut_zero();
    double area = 0.0;
    for (int i = 2; i < count; ++i) {
        double a = abut_dot(normal, abut_cross(abut_sub(p[i - 1], p[0]), abut_sub(p[i], p[0])));
        sum = abut_add_scaled(sum, abut_add(abut_sub(p[i - 1], p[0]), abut_sub(p[i], p[0])), a);
        area += a;
    }
    return abut_add_scaled(p[0], sum, area > 0.0 ? 1.0 / (3.0 * area) : 0.0);
}

static Sums sum_faces(const AbutClipSpace *space, AbutVec3 o)
{
    Sums s;
    memset(&s, 0, sizeof s);
    for (int f = 0; f < space->face_count; ++f) {
        const AbutClipFace *face = &space->face[f];
        const AbutVec3 *p = space->point + face->first;
        AbutVec3 c = abut_sub(face_centroid(p, face->count, face->normal), o);
        double cone = abut_dot(face->normal, c) * face->area / 3.0;
        s.volume += cone;
        s.moment = abut_add_scaled(s.moment, c, 0.75 * cone);
        s.vector[face->owner] = abut_add_scaled(s.vector[face->owner], face->normal, face->area);
        s.area += face->area;
    }
    return s;
}

/* Least depth of `body` under the planes of `other`; *normal is the plane's, in the frame of `other`. */
static double least_depth(const AbutClipHull *other, const AbutClipHull *body, AbutMat3 r, AbutVec3 p, AbutVec3 *normal)
{
    double best = INFINITY;
    for (int32_t f = 0; f < other->face_count; ++f) {
        AbutVec3 n = abut_mat3_apply_t(r, other->plane[f].normal);
        double low = INFINITY;
        for (int32_t i = 0; i < body->vertex_count; ++i)
            low = abut_smaller(low, abut_dot(n, body->vertex[i]));
        double depth = other->plane[f].offset - low - abut_dot(other->plane[f].normal, p);
        if (depth < best) {
            best = depth;
            *normal = other->plane[f].normal;
        }
    }
    return best;
}

/* The direction in which the least translation of A parts the bodies, over the face normals of both; A at (r, p) in B.
 */
static AbutVec3 least_depth_normal(const AbutClipHull *a, const AbutClipHull *b, AbutMat3 r, AbutVec3 p)
{
    AbutVec3 nb = abut_axis(2), na = abut_axis(2);
    double under_b = least_depth(b, a, r, p, &nb);
    if (b->vertex_count == 0)
        return nb;
    double under_a = least_depth(a, b, abut_mat3_transpose(r), abut_neg(abut_mat3_apply_t(r, p)), &na);
    return under_b <= under_a ? nb : abut_neg(abut_mat3_apply(r, na));
}

/* ---- shadow ------------------------------------------------------------------------------------------------------ */

static double turn(Point2 a, Point2 b, Point2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Convex hull of points in place, counter-clockwise; gives the count. */
static int hull2(Point2 *p, int n)
{
    Point2 out[2 * MAX_SHADOW + 1];
    for (int i = 1; i < n; ++i) { /* few points: insertion sort */
        Point2 key = p[i];
        int j = i;
        for (; j > 0 && (p[j - 1].x > key.x || (p[j - 1].x == key.x && p[j - 1].y > key.y)); --j)
            p[j] = p[j - 1];
        p[j] = key;
    }
    if (n < 3)
        return n;
    int k = 0;
    for (int i = 0; i < n; ++i) {
        while (k >= 2 && turn(out[k - 2], out[k - 1], p[i]) <= 0.0)
            --k;
        out[k++] = p[i];
    }
    for (int i = n - 2, lower = k + 1; i >= 0; --i) {
        while (k >= lower && turn(out[k - 2], out[k - 1], p[i]) <= 0.0)
            --k;
        out[k++] = p[i];
    }
    k = k > 1 ? k - 1 : k;
    memcpy(p, out, (size_t)k * sizeof *p);
    return k;
}

/* Corners of the shadow along nu about the centroid, counter-clockwise seen against nu. */
static int shadow(const AbutClipSpace *space, const AbutPatch *patch, int half_space, Point2 *out)
{
    int up = 0, down = 0, up_face = -1, down_face = -1, count = 0;
    for (int f = 0; f < space->face_count; ++f) {
        double d = abut_dot(space->face[f].normal, patch->nu);
        if (d > UP)
            ++up, up_face = f;
        else if (d < -UP)
            ++down, down_face = f;
    }
    int single = (up == 1 && !half_space) ? up_face : (down == 1 ? down_face : -1);
    for (int f = 0; f < space->face_count; ++f) {
        const AbutClipFace *face = &space->face[f];
        double d = abut_dot(face->normal, patch->nu);
        if (single >= 0 ? f != single : (half_space ? d > UP : d <= UP))
            continue;
        for (int i = 0; i < face->count && count < MAX_SHADOW; ++i) {
            AbutVec3 r =
                abut_sub(space->point[face->first + (single == down_face && single >= 0 ? face->count - 1 - i : i)],
                    patch->centroid);
            out[count].x = abut_dot(r, patch->e1);
            out[count++].y = abut_dot(r, patch->e2);
        }
    }
    return single >= 0 ? count : hull2(out, count);
}

/* ---- polygon ----------------------------------------------------------------------------------------------------- */

/* Area, centroid and central second moments per area; a polygon without area is taken as its corners. */
typedef struct Moments2 {
    double area, cx, cy, xx, xy, yy;
} Moments2;

static Moments2 polygon_moments(const Point2 *p, int n)
{
    Moments2 m = {0, 0, 0, 0, 0, 0};
    Point2 o = p[0];
    for (int i = 2; i < n; ++i) {
        double ax = p[i - 1].x - o.x, ay = p[i - 1].y - o.y, bx = p[i].x - o.x, by = p[i].y - o.y,
               t = 0.5 * (ax * by - ay * bx);
        m.area += t;
        m.cx += t * (ax + bx) / 3.0;
        m.cy += t * (ay + by) / 3.0;
        m.xx += t / 6.0 * (ax * ax + ax * bx + bx * bx);
        m.yy += t / 6.0 * (ay * ay + ay * by + by * by);
        m.xy += t / 12.0 * (2.0 * ax * ay + ax * by + bx * ay + 2.0 * bx * by);
    }
    if (m.area > 0.0) {
        m.cx /= m.area, m.cy /= m.area;
        m.xx = m.xx / m.area - m.cx * m.cx;
        m.yy = m.yy / m.area - m.cy * m.cy;
        m.xy = m.xy / m.area - m.cx * m.cy;
    } else {
        for (int i = 0; i < n; ++i)
            m.cx += (p[i].x - o.x) / n, m.cy += (p[i].y - o.y) / n;
        m.area = 0.0;
        m.xx = m.xy = m.yy = 0.0;
    }
    m.cx += o.x, m.cy += o.y;
    return m;
}

static int are_near(Point2 a, Point2 b, double tolerance)
{
    double dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy < tolerance * tolerance;
}

/* Joins neighbours closer than `tolerance` into their mean; gives the count. */
static int merge_points(Point2 *p, int n, double tolerance)
{
    Point2 out[MAX_SHADOW];
    int start = -1, kept = 0;
    for (int i = 0; i < n && start < 0; ++i) /* a gap to begin behind */
        if (!are_near(p[i], p[i == 0 ? n - 1 : i - 1], tolerance))
            start = i;
    if (start < 0) {
        Point2 mean = {0, 0};
        for (int i = 0; i < n; ++i)
            mean.x += p[i].x / n, mean.y += p[i].y / n;
        p[0] = mean;
        return 1;
    }
    for (int i = 0; i < n;) {
        Point2 sum = {0, 0}, last = p[(start + i) % n];
        int m = 0;
        for (; i < n; ++i, ++m) {
            Point2 q = p[(start + i) % n];
            if (m > 0 && !are_near(q, last, tolerance))
                break;
            sum.x += q.x, sum.y += q.y;
            last = q;
        }
        out[kept].x = sum.x / m;
        out[kept++].y = sum.y / m;
    }
    memcpy(p, out, (size_t)kept * sizeof *p);
    return kept;
}

/* Drops the corner whose loss costs the least area until few enough are left. */
static int thin_out(Point2 *p, int n, int most)
{
    while (n > most) {
        int drop = 0;
        double least = INFINITY;
        for (int i = 0; i < n; ++i) {
            double loss = fabs(turn(p[(i + n - 1) % n], p[i], p[(i + 1) % n]));
            if (loss < least) {
                least = loss;
                drop = i;
            }
        }
        memmove(p + drop, p + drop + 1, (size_t)(n - 1 - drop) * sizeof *p);
        --n;
    }
    return n;
}

/* Integral of the distance from the origin over the triangle (origin, a, b); signed like its area. */
static double radius_integral(Point2 a, Point2 b)
{
    double ex = b.x - a.x, ey = b.y - a.y, length = hypot(ex, ey), cross = a.x * b.y - a.y * b.x;
    if (!(length > 0.0) || cross == 0.0)
        return 0.0;
    double h = cross / length, s0 = (a.x * ex + a.y * ey) / length, s1 = s0 + length, r0 = hypot(a.x, a.y),
           r1 = hypot(b.x, b.y);
    double fold = fabs(h) * fabs(h) * (asinh(s1 / fabs(h)) - asinh(s0 / fabs(h)));
    return h / 6.0 * (s1 * r1 - s0 * r0 + fold);
}

/* Twisting friction of uniform pressure over that of load at the vertices: mean radius over the area by that over the
 * corners. */
static double torsion_factor(const Point2 *p, int n, Moments2 m)
{
    double over_area = 0.0, over_corners = 0.0;
    for (int i = 0; i < n; ++i) {
        Point2 a = {p[i].x - m.cx, p[i].y - m.cy}, b = {p[(i + 1) % n].x - m.cx, p[(i + 1) % n].y - m.cy};
        over_area += radius_integral(a, b);
        over_corners += hypot(a.x, a.y) / n;
    }
    return m.area > 0.0 && over_corners > 0.0 ? over_area / m.area / over_corners : 1.0;
}

/* A plane over the polygon with the volume and first moments of the overlap, raised to the true depth. */
static void fit_thickness(AbutPatch *patch, Moments2 m, double epsr)
{
    double mean = patch->area > 0.0 ? patch->volume / patch->area : patch->high - patch->low;
    double xx = m.xx + epsr * epsr, yy = m.yy + epsr * epsr, det = xx * yy - m.xy * m.xy;
    double gx = -mean * (yy * m.cx - m.xy * m.cy) / det, gy = -mean * (xx * m.cy - m.xy * m.cx) / det, most = -INFINITY;
    for (int i = 0; i < patch->vertex_count; ++i) {
        patch->thickness[i] = mean + gx * (patch->x[i] - m.cx) + gy * (patch->y[i] - m.cy);
        most = abut_larger(most, patch->thickness[i]);
    }
    double lift = abut_larger(0.0, patch->high - patch->low - most);
    for (int i = 0; i < patch->vertex_count; ++i)
        patch->thickness[i] += lift;
    patch->plane[0] = mean + lift - gx * m.cx - gy * m.cy;
    patch->plane[1] = gx;
    patch->plane[2] = gy;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

/* Apex of the cones: a point of the overlap, on the plane of a half-space so that its missing face counts nothing. */
static AbutVec3 apex(const AbutClipSpace *space, const AbutClipHull *b)
{
    AbutVec3 p = space->point[space->face[0].first];
    if (b->vertex_count == 0)
        p = abut_add_scaled(p, b->plane[0].normal, b->plane[0].offset - abut_dot(b->plane[0].normal, p));
    return p;
}

static void measure_extent(const AbutClipSpace *space, AbutPatch *patch)
{
    double up = 0.0, down = 0.0;
    patch->low = INFINITY;
    patch->high = -INFINITY;
    for (int f = 0; f < space->face_count; ++f) {
        const AbutClipFace *face = &space->face[f];
        double d = abut_dot(face->normal, patch->nu) * face->area;
        *(d > 0.0 ? &up : &down) += fabs(d);
        for (int i = 0; i < face->count; ++i) {
            double s = abut_dot(patch->nu, abut_sub(space->point[face->first + i], patch->centroid));
            patch->low = abut_smaller(patch->low, s);
            patch->high = abut_larger(patch->high, s);
        }
    }
    patch->area = abut_larger(up, down);
}

int abut_patch_measure(const AbutClipSpace *space, const AbutClipHull *a, const AbutClipHull *b, const AbutMat3 *r,
    AbutVec3 p_a, AbutVec3 last_nu, int uniform_torsion, AbutPatch *patch)
{
    AbutVec3 o = apex(space, b);
    Sums sums = sum_faces(space, o);
    double size = abut_smaller(a->size, b->size);
    if (!(sums.volume > 1e-27 * size * size * size))
        return 0;
    if (b->vertex_count == 0)
        sums.vector[1] = abut_neg(sums.vector[0]);
    AbutVec3 push = abut_sub(sums.vector[1], sums.vector[0]);
    patch->volume = sums.volume;
    patch->centroid = abut_add_scaled(o, sums.moment, 1.0 / sums.volume);
    if (abut_length(push) >= 0.01 * sums.area)
        patch->nu = abut_normalize(push);
    else
        patch->nu = abut_length_sq(last_nu) > 0.0 ? last_nu : least_depth_normal(a, b, *r, p_a);
    patch->e1 = abut_perpendicular(patch->nu);
    patch->e2 = abut_cross(patch->nu, patch->e1);
    measure_extent(space, patch);
    Point2 p[MAX_SHADOW];
    int n = shadow(space, patch, b->vertex_count == 0, p);
    if (n == 0)
        return 0;
    Moments2 m = polygon_moments(p, n);
    patch->polygon_area = m.area;
    patch->ell = sqrt(abut_larger(m.xx + m.yy + m.cx * m.cx + m.cy * m.cy, 1e-12 * size * size));
    patch->torsion = uniform_torsion ? torsion_factor(p, n, m) : 1.0;
    n = thin_out(p, merge_points(p, n, MERGE * size + 1e-4 * patch->ell), ABUT_MAX_CONTACT_VERTICES);
    patch->vertex_count = n;
    for (int i = 0; i < n; ++i) {
        patch->x[i] = p[i].x;
        patch->y[i] = p[i].y;
    }
    fit_thickness(patch, m, EPSR * size);
    return 1;
}
