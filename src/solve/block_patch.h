/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stiffness of a patch between two bodies as blocks (block_factor.h). In: what its rows add up to in its frame, lever
 * arms. Out: added to the blocks of the bodies and of the pair. Inline: Newton steps of small islands are made of it.
 */
#ifndef ABUT_SOLVE_BLOCK_PATCH_H
#define ABUT_SOLVE_BLOCK_PATCH_H

#include "math/matrix.h"
#include "solve/block_factor.h"

/* Sums over the rows of a contact, in its frame: weights 1/c of normal rows times 1, x, y, ..., of friction rows
 * times 1, x, y, x^2 + y^2; and the impulses r / c as a wrench. */
typedef struct AbutRowSums {
    double nn, nx, ny, nxx, nxy, nyy, tt, tx, ty, tr, push[6];
} AbutRowSums;

/* In world axes about the centroid: force by velocity, force by spin, torque by spin; and what a body at arm r makes of
 * it: torque by velocity, torque by spin. */
typedef struct AbutStiffness {
    AbutMat3 ll, la, aa;
} AbutStiffness;

typedef struct AbutStiffnessArm {
    AbutVec3 r;
    AbutMat3 al, aa;
} AbutStiffnessArm;

/* [r] m and m [r], where [r] v is r x v. */
static inline AbutMat3 abut_skew_mul(AbutVec3 r, AbutMat3 m) {
    return abut_mat3(abut_cross(r, m.x), abut_cross(r, m.y), abut_cross(r, m.z));
}

static inline AbutMat3 abut_mul_skew(AbutMat3 m, AbutVec3 r) {
    return abut_mat3(abut_sub(abut_scale(m.y, r.z), abut_scale(m.z, r.y)),
        abut_sub(abut_scale(m.z, r.x), abut_scale(m.x, r.z)), abut_sub(abut_scale(m.x, r.y), abut_scale(m.y, r.x)));
}

/* In the frame: ll = diag(tt, tt, nn); la has the columns (0, 0, ny), (0, 0, -nx), (-ty, tx, 0); aa has the columns
 * (nyy, -nxy, 0), (-nxy, nxx, 0), (0, 0, tr). */
static inline AbutStiffness abut_stiffness(AbutMat3 f, const AbutRowSums *s) {
    AbutStiffness k;
    k.ll = abut_mat3_add(abut_mat3_diagonal(s->tt, s->tt, s->tt), abut_mat3_outer(abut_scale(f.z, s->nn - s->tt), f.z));
    k.la = abut_mat3_add(abut_mat3_outer(f.z, abut_sub(abut_scale(f.x, s->ny), abut_scale(f.y, s->nx))),
        abut_mat3_outer(abut_sub(abut_scale(f.y, s->tx), abut_scale(f.x, s->ty)), f.z));
    k.aa = abut_mat3_add(abut_mat3_outer(f.x, abut_sub(abut_scale(f.x, s->nyy), abut_scale(f.y, s->nxy))),
        abut_mat3_add(abut_mat3_outer(f.y, abut_sub(abut_scale(f.y, s->nxx), abut_scale(f.x, s->nxy))),
            abut_mat3_outer(abut_scale(f.z, s->tr), f.z)));
    return k;
}

static inline AbutStiffnessArm abut_stiffness_arm(const AbutStiffness *k, AbutVec3 r) {
    AbutStiffnessArm a;
    a.r = r;
    a.al = abut_mat3_add(abut_skew_mul(r, k->ll), abut_mat3_transpose(k->la));
    a.aa = abut_mat3_add(abut_skew_mul(r, k->la), k->aa);
    return a;
}

/* Adds a 3x3 matrix from this row and column on. */
static inline void abut_block_add(AbutBlock *to, int row, int column, AbutMat3 m, double sign) {
    AbutVec3 by_column[3] = {m.x, m.y, m.z};
    for (int j = 0; j < 3; ++j) {
        to->m[row][column + j] += sign * by_column[j].x;
        to->m[row + 1][column + j] += sign * by_column[j].y;
        to->m[row + 2][column + j] += sign * by_column[j].z;
    }
}

/* Adds the block of an arm to that of its body. Nobody reads what is above the diagonal: the corner there is left out.
 */
static inline void abut_block_stiffen(AbutBlock *to, const AbutStiffness *k, const AbutStiffnessArm *arm) {
    abut_block_add(to, 0, 0, k->ll, 1.0);
    abut_block_add(to, 3, 0, arm->al, 1.0);
    abut_block_add(to, 3, 3, abut_mat3_sub(arm->aa, abut_mul_skew(arm->al, arm->r)), 1.0);
}

/* Takes the block of two arms from that of their pair: rows of the one, columns of the other. */
static inline void abut_block_couple(
    AbutBlock *to, const AbutStiffness *k, const AbutStiffnessArm *rows, const AbutStiffnessArm *columns) {
    abut_block_add(to, 0, 0, k->ll, -1.0);
    abut_block_add(to, 0, 3, abut_mat3_sub(k->la, abut_mul_skew(k->ll, columns->r)), -1.0);
    abut_block_add(to, 3, 0, rows->al, -1.0);
    abut_block_add(to, 3, 3, abut_mat3_sub(rows->aa, abut_mul_skew(rows->al, columns->r)), -1.0);
}

#endif
