/* SPDX-License-Identifier: Apache-2.0 */
/* Extents of the kinds and the search over directions; see extent_oracle.h for the method. */
#include "oracle/extent_oracle.h"

#include "oracle/oracle_vec.h"

/* ---- the kinds --------------------------------------------------------------------------------------------------- */

static AbutVec3 vertex_of(const AbutConvex *c, int i) {
    AbutVec3 h = c->p[0];
    if (c->kind == ABUT_CONVEX_BOX) return abut_vec3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    return c->kind == ABUT_CONVEX_POLYHEDRON ? abut_polyhedron_vertices(c->polyhedron)[i] : c->p[i];
}

static int vertices_of(const AbutConvex *c) {
    return c->kind == ABUT_CONVEX_BOX          ? 8
           : c->kind == ABUT_CONVEX_POLYHEDRON ? c->polyhedron->vertex_count
                                               : (int)c->kind + 1;
}

long double extent_along(const AbutConvex *c, OracleVec n) {
    long double a = c->p[0].x, b = c->p[0].y, h = c->p[0].z, q = hypotl(n.x, n.y), most = -HUGE_VALL;
    switch (c->kind) {
    case ABUT_CONVEX_SUPPORT:
        return extent_along(c->user, n) + c->radius;
    case ABUT_CONVEX_CYLINDER:
        return a * q + h * fabsl(n.z) + c->radius;
    case ABUT_CONVEX_CONE:
        return fmaxl(h * n.z, a * q - h * n.z) + c->radius;
    case ABUT_CONVEX_ELLIPSOID:
        return ov_length(ov(a * n.x, b * n.y, h * n.z)) + c->radius;
    default:
        for (int i = 0; i < vertices_of(c); ++i) most = fmaxl(most, ov_dot(n, ov_from(vertex_of(c, i))));
        return most + c->radius;
    }
}

long double extent_outside(const AbutConvex *c, AbutVec3 p) {
    long double a = c->p[0].x, b = c->p[0].y, h = c->p[0].z, rho = hypotl(p.x, p.y);
    switch (c->radius == 0.0 ? c->kind : ABUT_CONVEX_POINT) {
    case ABUT_CONVEX_CYLINDER:
        return fmaxl(rho - a, fabsl(p.z) - h);
    case ABUT_CONVEX_CONE:
        return fmaxl(-h - p.z, (2 * h * (rho - a) + a * (p.z + h)) / hypotl(2 * h, a));
    case ABUT_CONVEX_ELLIPSOID:
        return (ov_length(ov(p.x / a, p.y / b, p.z / h)) - 1) * fminl(a, fminl(b, h));
    default:
        return 0;
    }
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

/* A half-space or plane has no width. */
static long double width_along(const AbutConvex *c, OracleVec n) {
    int endless = c->kind == ABUT_CONVEX_HALF_SPACE || c->kind == ABUT_CONVEX_PLANE;
    return endless ? 0 : extent_along(c, n) + extent_along(c, ov_scale(n, -1));
}

ExtentPair extent_pair(const AbutConvex *a, const AbutConvex *b, AbutPose pose) {
    ExtentPair q = {a, b, pose, {{0, 0, 0}}, 0.0};
    long double w = pose.q.w, x = pose.q.x, y = pose.q.y, z = pose.q.z, s = 2 / (w * w + x * x + y * y + z * z);
    q.row[0] = ov(1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y));
    q.row[1] = ov(s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x));
    q.row[2] = ov(s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y));
    for (int i = 0; i < 3; ++i) {
        OracleVec e = ov(i == 0, i == 1, i == 2);
        q.size = fmax(q.size, (double)(width_along(a, e) + width_along(b, e)) / 2);
    }
    if (!(q.size > 0.0)) q.size = abut_max_abs(a->p[0]) + abut_max_abs(b->p[0]) + abut_max_abs(pose.p);
    return q;
}

OracleVec extent_in_b(const ExtentPair *q, OracleVec n) {
    return ov_add(ov_add(ov_scale(q->row[0], n.x), ov_scale(q->row[1], n.y)), ov_scale(q->row[2], n.z));
}

long double extent_gap(const ExtentPair *q, OracleVec n) {
    OracleVec back = ov_scale(extent_in_b(q, n), -1);
    return ov_dot(n, ov_from(q->pose.p)) - extent_along(q->b, back) - extent_along(q->a, n);
}

long double extent_climb(const ExtentPair *q, OracleVec n, long double step) {
    long double best = extent_gap(q, n);
    for (int round = 0; round < 300 && step > 1e-10L; ++round) {
        OracleVec u = ov_perpendicular(n), v = ov_cross(n, u);
        int better = 0;
        for (int k = 0; k < 16 && !better; ++k) {
            OracleVec aside = ov_add(ov_scale(u, cosl(k * 0.39269908L)), ov_scale(v, sinl(k * 0.39269908L)));
            OracleVec trial = ov_unit(ov_add(n, ov_scale(aside, step)));
            long double value = extent_gap(q, trial);
            if (value > best) best = value, n = trial, better = 1;
        }
        step *= better ? 1.5L : 0.5L;
    }
    return best;
}

long double extent_everywhere(const ExtentPair *q, OracleVec hint) {
    enum { DIRECTIONS = 500, STARTS = 3 };
    long double value[STARTS], best;
    OracleVec start[STARTS];
    int count = 0;
    for (int i = 0; i < DIRECTIONS; ++i) {
        double z = 1.0 - (2.0 * i + 1.0) / DIRECTIONS, r = sqrt(1.0 - z * z), angle = 2.399963229728653 * i;
        OracleVec n = ov(r * cos(angle), r * sin(angle), z);
        long double s = extent_gap(q, n);
        int at = count;
        while (at > 0 && value[at - 1] < s) --at;
        if (at >= STARTS) continue;
        count += count < STARTS;
        for (int k = count - 1; k > at; --k) value[k] = value[k - 1], start[k] = start[k - 1];
        value[at] = s, start[at] = n;
    }
    best = extent_climb(q, hint, 1e-4L);
    for (int k = 0; k < count; ++k) best = fmaxl(best, extent_climb(q, start[k], 0.05L));
    return best;
}
