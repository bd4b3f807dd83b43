/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest points of small simplices by trying every subset, in long double. */
#include "oracle/oracle_vec.h"

/* Weights of the point of the affine hull of 1 .. 4 points nearest to the origin; 0 when they are dependent. */
static int affine_weights(const OracleVec *p, int count, long double *weight) {
    if (count == 1) {
        weight[0] = 1;
        return 1;
    }
    OracleVec e[3];
    for (int i = 1; i < count; ++i) e[i - 1] = ov_sub(p[i], p[0]);
    if (count == 2) {
        long double l = ov_dot(e[0], e[0]);
        weight[1] = l > 0 ? -ov_dot(p[0], e[0]) / l : 0;
        weight[0] = 1 - weight[1];
        return l > 0;
    }
    OracleVec n = ov_cross(e[0], e[1]);
    long double area = ov_dot(n, n);
    if (!(area > 0)) return 0;
    if (count == 3) { /* q = -p0 in the plane: coordinates by triple products with the normal */
        OracleVec q = ov_scale(p[0], -1);
        weight[1] = ov_dot(ov_cross(q, e[1]), n) / area;
        weight[2] = ov_dot(ov_cross(e[0], q), n) / area;
        weight[0] = 1 - weight[1] - weight[2];
        return 1;
    }
    long double volume = ov_dot(n, e[2]);
    if (volume == 0) return 0;
    OracleVec q = ov_scale(p[0], -1);
    weight[1] = ov_dot(q, ov_cross(e[1], e[2])) / volume;
    weight[2] = ov_dot(q, ov_cross(e[2], e[0])) / volume;
    weight[3] = ov_dot(q, n) / volume;
    weight[0] = 1 - weight[1] - weight[2] - weight[3];
    return 1;
}

static OracleVec combine(const OracleVec *p, int count, const long double *weight) {
    OracleVec x = ov(0, 0, 0);
    for (int i = 0; i < count; ++i) x = ov_add(x, ov_scale(p[i], weight[i]));
    return x;
}

OracleVec ov_simplex_nearest(OracleVec *set, int *count) {
    OracleVec best = set[0], best_set[4] = {set[0]};
    int best_count = 1;
    long double best_sq = INFINITY;
    for (int mask = 1; mask < 1 << *count; ++mask) {
        OracleVec p[4];
        long double weight[4];
        int size = 0, inside = 1;
        for (int i = 0; i < *count; ++i)
            if (mask >> i & 1) p[size++] = set[i];
        if (!affine_weights(p, size, weight)) continue;
        for (int i = 0; i < size; ++i) inside = inside && weight[i] >= 0;
        if (!inside) continue;
        OracleVec x = combine(p, size, weight);
        long double sq = size == 4 ? 0 : ov_dot(x, x);
        if (sq < best_sq) {
            best_sq = sq;
            best = size == 4 ? ov(0, 0, 0) : x;
            best_count = size;
            for (int i = 0; i < size; ++i) best_set[i] = p[i];
        }
    }
    for (int i = 0; i < best_count; ++i) set[i] = best_set[i];
    *count = best_count;
    return best;
}

OracleVec ov_segment_nearest(OracleVec a, OracleVec b, OracleVec c, OracleVec d) {
    OracleVec u = ov_sub(b, a), v = ov_sub(d, c), w = ov_sub(c, a);
    long double uu = ov_dot(u, u), uv = ov_dot(u, v), vv = ov_dot(v, v), uw = ov_dot(u, w), vw = ov_dot(v, w);
    long double det = uu * vv - uv * uv;
    if (det <= 1e-18L * uu * vv) return w;
    long double s = (uw * vv - vw * uv) / det, t = (uw * uv - vw * uu) / det;
    if (s < 0 || s > 1 || t < 0 || t > 1) return w;
    return ov_sub(ov_add(c, ov_scale(v, t)), ov_add(a, ov_scale(u, s)));
}
