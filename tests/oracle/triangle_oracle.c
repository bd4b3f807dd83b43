/* SPDX-License-Identifier: Apache-2.0 */
/* Triangles the slow way: all vertices against all sides, all pairs of lines, all vertices over faces, in long double;
 * and the closed meeting of integer triangles in 128 bits. */
#include "oracle/triangle_oracle.h"

#include "oracle/oracle_vec.h"

static long double cut(long double x) { return x < 0 ? 0 : (x > 1 ? 1 : x); }

static long double square(OracleVec v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

static long double inner(OracleVec a, OracleVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static OracleVec outer(OracleVec a, OracleVec b) {
    return ov(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static long double point_side(OracleVec p, OracleVec a, OracleVec b) {
    OracleVec d = ov_sub(b, a);
    long double q = square(d), t = q > 0 ? cut(inner(ov_sub(p, a), d) / q) : 0;
    return square(ov_sub(p, ov_add(a, ov_scale(d, t))));
}

static long double lines(OracleVec p, OracleVec q, OracleVec a, OracleVec b) {
    OracleVec d = ov_sub(q, p), e = ov_sub(b, a), r = ov_sub(p, a), n = outer(d, e);
    long double nn = square(n);
    if (!(nn > 0)) return INFINITY;
    long double s = -inner(outer(r, e), n) / nn, t = -inner(outer(r, d), n) / nn, h = inner(r, n);
    return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? h * h / nn : INFINITY;
}

/* Corners of p over the face of t; 0 where a side of p crosses it. */
static long double over_face(const OracleVec *t, const OracleVec *p) {
    OracleVec n = outer(ov_sub(t[1], t[0]), ov_sub(t[2], t[0]));
    long double nn = square(n), best = INFINITY, h[3], g[3][3];
    if (!(nn > 0)) return best;
    for (int i = 0; i < 3; ++i) {
        int in = 1;
        h[i] = inner(n, ov_sub(p[i], t[0]));
        for (int k = 0; k < 3; ++k) {
            g[i][k] = inner(outer(n, ov_sub(t[(k + 1) % 3], t[k])), ov_sub(p[i], t[k]));
            in = in && g[i][k] >= 0;
        }
        best = in && h[i] * h[i] / nn < best ? h[i] * h[i] / nn : best;
    }
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, in = h[i] * h[j] <= 0 && h[i] != h[j];
        for (int k = 0; k < 3; ++k) in = in && (h[i] * g[j][k] - h[j] * g[i][k]) * (h[i] > h[j] ? 1 : -1) >= 0;
        best = in ? 0 : best;
    }
    return best;
}

long double oracle_triangles(const AbutVec3 a[3], const AbutVec3 b[3]) {
    OracleVec p[3], q[3];
    long double best = INFINITY;
    for (int k = 0; k < 3; ++k) p[k] = ov_from(a[k]), q[k] = ov_from(b[k]);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            best = fminl(best, point_side(p[i], q[j], q[(j + 1) % 3]));
            best = fminl(best, point_side(q[i], p[j], p[(j + 1) % 3]));
            best = fminl(best, lines(p[i], p[(i + 1) % 3], q[j], q[(j + 1) % 3]));
        }
    best = fminl(best, fminl(over_face(p, q), over_face(q, p)));
    return sqrtl(best);
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

__extension__ typedef __int128 Wide;

static int sign_of(Wide v) { return (v > 0) - (v < 0); }

static int side(const int64_t *a, const int64_t *b, const int64_t *c, const int64_t *d) {
    Wide u[3], v[3], w[3];
    for (int k = 0; k < 3; ++k) u[k] = b[k] - a[k], v[k] = c[k] - a[k], w[k] = d[k] - a[k];
    return sign_of(
        u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]));
}

static int turn(const int64_t *a, const int64_t *b, const int64_t *c, int x, int y) {
    return sign_of((Wide)(b[x] - a[x]) * (c[y] - a[y]) - (Wide)(b[y] - a[y]) * (c[x] - a[x]));
}

static int between(const int64_t *a, const int64_t *b, const int64_t *p, int k) {
    return (p[k] >= a[k] && p[k] <= b[k]) || (p[k] >= b[k] && p[k] <= a[k]);
}

static int flat_sides(const int64_t *p, const int64_t *q, const int64_t *a, const int64_t *b, int x, int y) {
    int pa = turn(p, q, a, x, y), pb = turn(p, q, b, x, y), ap = turn(a, b, p, x, y), aq = turn(a, b, q, x, y);
    return (pa * pb < 0 && ap * aq < 0) || (pa == 0 && between(p, q, a, x) && between(p, q, a, y)) ||
           (pb == 0 && between(p, q, b, x) && between(p, q, b, y)) ||
           (ap == 0 && between(a, b, p, x) && between(a, b, p, y)) ||
           (aq == 0 && between(a, b, q, x) && between(a, b, q, y));
}

static int flat_side_meets(const int64_t *p, const int64_t *q, int64_t t[3][3]) {
    /* a coordinate plane on which the triangle keeps an area */
    for (int k = 0; k < 3; ++k) {
        int x = (k + 1) % 3, y = (k + 2) % 3;
        if (turn(t[0], t[1], t[2], x, y) == 0) continue;
        for (int i = 0; i < 3; ++i)
            if (flat_sides(p, q, t[i], t[(i + 1) % 3], x, y)) return 1;
        int a = turn(t[0], t[1], p, x, y), b = turn(t[1], t[2], p, x, y), c = turn(t[2], t[0], p, x, y);
        return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
    }
    return 0;
}

static int side_meets(const int64_t *p, const int64_t *q, int64_t t[3][3]) {
    int sp = side(t[0], t[1], t[2], p), sq = side(t[0], t[1], t[2], q);
    if (sp * sq > 0) return 0;
    if (sp == 0 && sq == 0) return flat_side_meets(p, q, t);
    int a = side(p, q, t[0], t[1]), b = side(p, q, t[1], t[2]), c = side(p, q, t[2], t[0]);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

int oracle_triangles_meet(int64_t a[3][3], int64_t b[3][3]) {
    for (int i = 0; i < 3; ++i)
        if (side_meets(a[i], a[(i + 1) % 3], b) || side_meets(b[i], b[(i + 1) % 3], a)) return 1;
    return 0;
}

/* ---- winding number ---------------------------------------------------------------------------------------------- */

/* van Oosterom and Strackee, 1983 */
long double oracle_winding(const AbutMesh *mesh, AbutVec3 p) {
    long double sum = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        OracleVec v[3];
        long double l[3];
        for (int k = 0; k < 3; ++k) {
            v[k] = ov_sub(ov_from(mesh->vertices[mesh->triangles[t].v[k]]), ov_from(p));
            l[k] = sqrtl(square(v[k]));
        }
        long double up = inner(v[0], outer(v[1], v[2]));
        long double down =
            l[0] * l[1] * l[2] + inner(v[0], v[1]) * l[2] + inner(v[1], v[2]) * l[0] + inner(v[2], v[0]) * l[1];
        sum += 2 * atan2l(up, down);
    }
    return sum / (4 * acosl(-1.0L));
}
