/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moments of the surface of an overlap, and the wanted velocity that follows from them as in the paper: the velocity
 * field v + w x r that comes closest, over the surface, to k h along the normal, h the distance from the contact plane
 * through the centroid.
 *
 * In: an overlap, its centroid and contact axes. Out: the integrals of 1, r, r r^T, h, h r over all faces, in contact
 * axes about the centroid. Every face is cut into triangles, triangles are cut where they cross the contact plane, and
 * h is linear on each part, so all integrals are exact.
 */
#include "contact/patch.h"
#include "math/matrix.h"

#include <string.h>

typedef struct Corner {
    AbutVec3 r;
    double h;
} Corner;

/* Adds a triangle of area t on which h is linear. */
static void add_triangle(AbutSurfaceMoments *m, Corner a, Corner b, Corner c, double t) {
    AbutVec3 g = abut_add(abut_add(a.r, b.r), c.r);
    double h = a.h + b.h + c.h;
    AbutMat3 rr = abut_mat3_add(abut_mat3_add(abut_mat3_outer(a.r, a.r), abut_mat3_outer(b.r, b.r)),
        abut_mat3_add(abut_mat3_outer(c.r, c.r), abut_mat3_outer(g, g)));
    AbutVec3 hr = abut_add(
        abut_add(abut_scale(a.r, a.h), abut_scale(b.r, b.h)), abut_add(abut_scale(c.r, c.h), abut_scale(g, h)));
    m->s += t;
    m->m1 = abut_add_scaled(m->m1, g, t / 3.0);
    m->m2 = abut_mat3_add(m->m2, abut_mat3_scale(rr, t / 12.0));
    m->c0 += t * h / 3.0;
    m->c1 = abut_add_scaled(m->c1, hr, t / 12.0);
}

/* Adds the part of a triangle on one side of the plane z = 0; `area_of` turns true areas into counted ones. */
static void add_side(AbutSurfaceMoments *m, const AbutVec3 *p, double side, double area_of) {
    Corner out[4];
    int n = 0;
    for (int i = 0; i < 3; ++i) {
        AbutVec3 from = p[(i + 2) % 3], to = p[i];
        double last = side * from.z, next = side * to.z;
        if ((last < 0.0 && next > 0.0) || (last > 0.0 && next < 0.0)) {
            out[n].r = abut_lerp(from, to, last / (last - next));
            out[n++].h = 0.0;
        }
        if (next >= 0.0) {
            out[n].r = to;
            out[n++].h = next;
        }
    }
    for (int i = 2; i < n; ++i) {
        AbutVec3 area = abut_cross(abut_sub(out[i - 1].r, out[0].r), abut_sub(out[i].r, out[0].r));
        add_triangle(m, out[0], out[i - 1], out[i], 0.5 * abut_length(area) * area_of);
    }
}

/* Adds the triangle p[0..2], contact axes. */
static void add_cut(AbutSurfaceMoments *m, const AbutVec3 p[3], double area_of) {
    int above = p[0].z > 0.0 || p[1].z > 0.0 || p[2].z > 0.0, below = p[0].z < 0.0 || p[1].z < 0.0 || p[2].z < 0.0;
    if (above || !below) add_side(m, p, 1.0, area_of);
    if (below) add_side(m, p, -1.0, area_of);
}

static AbutVec3 to_contact(const AbutPatch *patch, AbutVec3 v) {
    return abut_vec3(abut_dot(patch->e1, v), abut_dot(patch->e2, v), abut_dot(patch->normal, v));
}

/* Places on the contact plane. h was taken before. */
static void project(AbutSurfaceMoments *m) {
    m->m1.z = m->c1.z = 0.0;
    m->m2.x.z = m->m2.y.z = 0.0;
    m->m2.z = abut_zero();
}

static AbutVec3 corner_at(const AbutOverlap *overlap, const AbutPatch *patch, int32_t corner) {
    return to_contact(patch, abut_sub(overlap->vertex[overlap->corner[corner]], patch->centroid));
}

/* Both sides of a flat disc, or of what stands for one, as large as the patch. */
static void add_disc(AbutSurfaceMoments *m, const AbutPatch *patch) {
    m->s = 2.0 * patch->area;
    m->m2.x.x = m->m2.y.y = patch->area * patch->length * patch->length;
    m->c0 = patch->area * patch->plane[0];
}

AbutSurfaceMoments abut_surface_moments(const AbutOverlap *overlap, const AbutPatch *patch, int projected) {
    AbutSurfaceMoments m;
    memset(&m, 0, sizeof m);
    if (patch->round) {
        add_disc(&m, patch);
        return m;
    }
    for (int f = 0; f < overlap->face_count; ++f) {
        const AbutOverlapFace *face = &overlap->face[f];
        double area_of = projected ? fabs(abut_dot(face->plane.normal, patch->normal)) : 1.0;
        AbutVec3 p[3] = {corner_at(overlap, patch, face->first), corner_at(overlap, patch, face->first + 1)};
        for (int i = 2; i < face->count; ++i) {
            p[2] = corner_at(overlap, patch, face->first + i);
            add_cut(&m, p, area_of);
            p[1] = p[2];
        }
    }
    if (projected) project(&m);
    return m;
}

AbutMat6 abut_moments_matrix(const AbutSurfaceMoments *m) {
    AbutMat6 q;
    AbutMat3 cross = abut_mat3_skew(m->m1);
    AbutVec3 c[3] = {cross.x, cross.y, cross.z}, second[3] = {m->m2.x, m->m2.y, m->m2.z};
    double trace = abut_mat3_trace(m->m2);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            q.m[i][j] = i == j ? m->s : 0.0;
            q.m[3 + i][j] = abut_get(c[j], i);
            q.m[j][3 + i] = q.m[3 + i][j];
            q.m[3 + i][3 + j] = (i == j ? trace : 0.0) - abut_get(second[j], i);
        }
    return q;
}

void abut_moments_right_side(const AbutSurfaceMoments *m, double slop, double side[6]) {
    AbutVec3 c1 = abut_add_scaled(m->c1, m->m1, -0.5 * slop);
    side[0] = side[1] = side[5] = 0.0;
    side[2] = m->c0 - 0.5 * slop * m->s;
    side[3] = c1.y; /* c1 x nu */
    side[4] = -c1.x;
}

/* The fitted velocity field is k/2 times a thickness over the contact plane: twice its value at k = 1. */
void abut_patch_fit_moments(const AbutSurfaceMoments *m, AbutPatch *patch) {
    AbutMat6 q = abut_moments_matrix(m);
    double side[6], v[6];
    abut_moments_right_side(m, 0.0, side);
    abut_mat6_solve(&q, side, v, NULL);
    patch->plane[0] = 2.0 * v[2];
    patch->plane[1] = -2.0 * v[4];
    patch->plane[2] = 2.0 * v[3];
    for (int i = 0; i < patch->vertex_count; ++i)
        patch->thickness[i] = patch->plane[0] + patch->plane[1] * patch->x[i] + patch->plane[2] * patch->y[i];
}
