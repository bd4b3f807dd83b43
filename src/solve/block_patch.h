/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stiffness of a patch between two bodies as blocks (block_factor.h). In: what its rows add up to in its frame, lever
 * arms. Out: added to the blocks of the bodies and of the pair. Inline: Newton steps of small islands are made of it.
 */
#ifndef ABUT_SOLVE_BLOCK_PATCH_H
#define ABUT_SOLVE_BLOCK_PATCH_H

#include "math/matrix.h"
#include "solve/block_factor.h"

/* What the rows of a contact add up to, in its frame: weights 1/c of normal rows times 1, x, y, ..., of friction rows
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
    AbutMat3 skew, al, aa;
} AbutStiffnessArm;

static inline AbutMat3 abut_turned(AbutMat3 frame, AbutVec3 x, AbutVec3 y, AbutVec3 z)
{
    return abut_mat3_mul(abut_mat3_mul(frame, abut_mat3(x, y, z)), abut_mat3_transpose(frame));
}

/* Matrices below are written by columns. */
static inline AbutStiffness abut_stiffness(AbutMat3 frame, const AbutRowSums *s)
{
    AbutStiffness k;
    k.ll = abut_turned(frame, abut_vec3(s->tt, 0, 0), abut_vec3(0, s->tt, 0), abut_vec3(0, 0, s->nn));
    k.la = abut_turned(frame, abut_vec3(0, 0, s->ny), abut_vec3(0, 0, -s->nx), abut_vec3(-s->ty, s->tx, 0));
    k.aa = abut_turned(frame, abut_vec3(s->nyy, -s->nxy, 0), abut_vec3(-s->nxy, s->nxx, 0), abut_vec3(0, 0, s->tr));
    return k;
}

static inline AbutStiffnessArm abut_stiffness_arm(const AbutStiffness *k, AbutVec3 r)
{
    AbutStiffnessArm a;
    a.skew = abut_mat3_skew(r);
    a.al = abut_mat3_add(abut_mat3_mul(a.skew, k->ll), abut_mat3_transpose(k->la));
    a.aa = abut_mat3_add(abut_mat3_mul(a.skew, k->la), k->aa);
    return a;
}

/* Adds a 3x3 matrix from this row and column on. */
static inline void abut_block_add(AbutBlock *to, int row, int column, AbutMat3 m, double sign)
{
    AbutVec3 by_column[3] = {m.x, m.y, m.z};
    for (int j = 0; j < 3; ++j) {
        to->m[row][column + j] += sign * by_column[j].x;
        to->m[row + 1][column + j] += sign * by_column[j].y;
        to->m[row + 2][column + j] += sign * by_column[j].z;
    }
}

/* Adds the block of two arms: rows of the one, columns of the other. */
static inline void abut_block_stiffen(
    AbutBlock *to, const AbutStiffness *k, const AbutStiffnessArm *rows, const AbutStiffnessArm *columns, double sign)
{
    abut_block_add(to, 0, 0, k->ll, sign);
    abut_block_add(to, 0, 3, abut_mat3_sub(k->la, abut_mat3_mul(k->ll, columns->skew)), sign);
    abut_block_add(to, 3, 0, rows->al, sign);
    abut_block_add(to, 3, 3, abut_mat3_sub(rows->aa, abut_mat3_mul(rows->al, columns->skew)), sign);
}

#endif
