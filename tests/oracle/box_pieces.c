/* SPDX-License-Identifier: Apache-2.0 */
#include "box_pieces.h"
#include "math/matrix.h"

#include "support/check.h"

const AbutAabb oracle_c_box[ORACLE_C_BOXES] = {{{-1.5, -1.5, -0.5}, {1.5, -0.7, 0.5}},
    {{-1.5, -0.7, -0.5}, {-0.7, 0.7, 0.5}}, {{-1.5, 0.7, -0.5}, {1.5, 1.5, 0.5}}};
const AbutAabb oracle_l_box[ORACLE_L_BOXES] = {
    {{-0.8, -0.8, -0.4}, {1.2, -0.2, 0.4}}, {{-0.8, -0.2, -0.4}, {-0.2, 1.2, 0.4}}};

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* A polygon of n corners, cut into n - 2 triangles, as a plate from z = -half to half. */
static AbutMesh plate(int n, const double (*p)[2], const int (*cut)[3], double half) {
    AbutMesh m;
    AbutError error;
    good(abut_mesh_create(2 * n, 4 * n - 4, &m, &error), &error);
    AbutTriangle *t = m.triangles;
    for (int i = 0; i < n; ++i) {
        int j = (i + 1) % n;
        m.vertices[i] = abut_vec3(p[i][0], p[i][1], -half);
        m.vertices[n + i] = abut_vec3(p[i][0], p[i][1], half);
        *t++ = (AbutTriangle){{i, j, n + j}};
        *t++ = (AbutTriangle){{i, n + j, n + i}};
    }
    for (int i = 0; i < n - 2; ++i) {
        *t++ = (AbutTriangle){{n + cut[i][0], n + cut[i][1], n + cut[i][2]}};
        *t++ = (AbutTriangle){{cut[i][0], cut[i][2], cut[i][1]}};
    }
    return m;
}

AbutMesh oracle_c_mesh(void) {
    static const double p[8][2] = {
        {-1.5, -1.5}, {1.5, -1.5}, {1.5, -0.7}, {-0.7, -0.7}, {-0.7, 0.7}, {1.5, 0.7}, {1.5, 1.5}, {-1.5, 1.5}};
    static const int cut[6][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 7}, {4, 5, 6}, {4, 6, 7}};
    return plate(8, p, cut, 0.5);
}

AbutMesh oracle_l_mesh(void) {
    static const double p[6][2] = {{-0.8, -0.8}, {1.2, -0.8}, {1.2, -0.2}, {-0.2, -0.2}, {-0.2, 1.2}, {-0.8, 1.2}};
    static const int cut[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    return plate(6, p, cut, 0.4);
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static AbutVec3 middle_of(AbutAabb b) { return abut_scale(abut_add(b.min, b.max), 0.5); }

static double reach_of(AbutAabb b, AbutVec3 axis) {
    return abut_dot(abut_abs(axis), abut_scale(abut_sub(b.max, b.min), 0.5));
}

void oracle_pieces_place(OraclePieces *o, AbutPose pose) {
    o->axes = o->pairs = 0;
    for (int i = 0; i < 3; ++i) {
        o->axis[o->axes++] = abut_axis(i);
        o->axis[o->axes++] = abut_quat_rotate(pose.q, abut_axis(i));
    }
    for (int i = 0; i < 9; ++i) {
        AbutVec3 n = abut_cross(abut_axis(i / 3), abut_quat_rotate(pose.q, abut_axis(i % 3)));
        if (abut_length(n) > 1e-9) o->axis[o->axes++] = abut_normalize(n);
    }
    for (int i = 0; i < ORACLE_C_BOXES; ++i)
        for (int j = 0; j < ORACLE_L_BOXES; ++j, ++o->pairs)
            for (int k = 0; k < o->axes; ++k) {
                AbutVec3 n = o->axis[k];
                AbutVec3 way = abut_sub(middle_of(oracle_c_box[i]), abut_pose_apply(pose, middle_of(oracle_l_box[j])));
                o->middle[o->pairs][k] = abut_dot(n, way);
                o->reach[o->pairs][k] =
                    reach_of(oracle_c_box[i], n) + reach_of(oracle_l_box[j], abut_quat_rotate_inv(pose.q, n));
            }
}

static void interval_of(const OraclePieces *o, int pair, const double *speed, double *low, double *high) {
    *low = -INFINITY, *high = INFINITY;
    for (int k = 0; k < o->axes; ++k) {
        double c = o->middle[pair][k], r = o->reach[pair][k];
        if (fabs(speed[k]) < 1e-14) {
            if (fabs(c) > r) *low = INFINITY;
            continue;
        }
        double s = (c - r) / speed[k], t = (c + r) / speed[k];
        *low = fmax(*low, fmin(s, t));
        *high = fmin(*high, fmax(s, t));
    }
}

double oracle_pieces_first_free(const OraclePieces *o, AbutVec3 d) {
    double speed[15], low[6], high[6], s = 0.0;
    for (int k = 0; k < o->axes; ++k) speed[k] = abut_dot(o->axis[k], d);
    for (int p = 0; p < o->pairs; ++p) interval_of(o, p, speed, &low[p], &high[p]);
    for (int again = 1; again;) {
        again = 0;
        for (int p = 0; p < o->pairs; ++p)
            if (low[p] < high[p] && low[p] <= s + 1e-12 && high[p] > s + 1e-12) s = high[p], again = 1;
    }
    return s;
}

/* Sixteen directions around d, ever nearer. */
static double follow(const OraclePieces *o, AbutVec3 *d, double s) {
    double angle = 0.02;
    for (int round = 0; angle > 1e-8 && round < 3000; ++round) {
        AbutVec3 v = abut_perpendicular(*d), w = abut_cross(*d, v);
        int better = 0;
        for (int i = 0; i < 16 && !better; ++i) {
            double turn = ABUT_PI * i / 8 + angle * 1e3;
            AbutVec3 side = abut_add(abut_scale(v, cos(turn)), abut_scale(w, sin(turn)));
            AbutVec3 e = abut_normalize(abut_add_scaled(*d, side, angle));
            double t = oracle_pieces_first_free(o, e);
            if (t < s * (1 - 1e-12)) s = t, *d = e, better = 1;
        }
        angle *= better ? 1.0 : 0.6;
    }
    return s;
}

double oracle_pieces_depth(const OraclePieces *o, int directions, AbutVec3 *d) {
    AbutVec3 *u = malloc(sizeof *u * (size_t)directions);
    double *s = malloc(sizeof *s * (size_t)directions), best = INFINITY;
    assert_true(u && s);
    for (int i = 0; i < directions; ++i) {
        double z = 1 - (2 * i + 1.0) / directions, r = sqrt(1 - z * z), angle = i * ABUT_PI * (3 - sqrt(5));
        u[i] = abut_vec3(r * cos(angle), r * sin(angle), z);
        s[i] = oracle_pieces_first_free(o, u[i]);
    }
    for (int k = 0; k < 12; ++k) {
        int first = 0;
        for (int i = 1; i < directions; ++i) first = s[i] < s[first] ? i : first;
        if (s[first] > best * 1.15) break;
        AbutVec3 e = u[first];
        double t = follow(o, &e, s[first]);
        if (t < best) best = t, *d = e;
        for (int i = 0; i < directions; ++i)
            if (abut_dot(u[i], u[first]) > 0.995) s[i] = INFINITY;
    }
    free(u);
    free(s);
    return best;
}
