/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed distances of points to a plane: for plain C, AVX2 and AVX-512, chosen at run time. In: points by coordinate.
 * Out: the distances, which points lie beyond the plane, and the least distance. No fused multiply-add: every version
 * rounds alike.
 */
#include "shape/points.h"

#include <math.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

static int32_t distances_plain(
    const AbutPointRows *rows, AbutPlane plane, double snap, int32_t *beyond, double *least) {
    AbutVec3 n = plane.normal;
    double low = INFINITY;
    int32_t found = 0;
    for (int32_t i = 0; i < rows->count; ++i) {
        double value = n.x * rows->x[i] + n.y * rows->y[i] + n.z * rows->z[i] - plane.offset;
        rows->d[i] = value;
        low = value < low ? value : low;
        beyond[found] = i;
        found += value > snap;
    }
    *least = low;
    return found;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static int32_t distances_avx2(
    const AbutPointRows *rows, AbutPlane plane, double snap, int32_t *beyond, double *least) {
    __m256d nx = _mm256_set1_pd(plane.normal.x), ny = _mm256_set1_pd(plane.normal.y),
            nz = _mm256_set1_pd(plane.normal.z), shift = _mm256_set1_pd(plane.offset), limit = _mm256_set1_pd(snap),
            low = _mm256_set1_pd(INFINITY);
    int32_t found = 0;
    for (int32_t i = 0; i < rows->count; i += 4) {
        __m256d xy = _mm256_add_pd(
            _mm256_mul_pd(nx, _mm256_load_pd(rows->x + i)), _mm256_mul_pd(ny, _mm256_load_pd(rows->y + i)));
        __m256d value = _mm256_sub_pd(_mm256_add_pd(xy, _mm256_mul_pd(nz, _mm256_load_pd(rows->z + i))), shift);
        _mm256_store_pd(rows->d + i, value);
        low = _mm256_min_pd(value, low); /* the second operand where the first is NaN */
        unsigned mask = (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(value, limit, _CMP_GT_OQ));
        for (; mask; mask &= mask - 1) beyond[found++] = i + __builtin_ctz(mask);
    }
    __m128d pair = _mm_min_pd(_mm256_castpd256_pd128(low), _mm256_extractf128_pd(low, 1));
    *least = _mm_cvtsd_f64(_mm_min_sd(pair, _mm_unpackhi_pd(pair, pair)));
    return found;
}

__attribute__((target("avx512f"))) static int32_t distances_avx512(
    const AbutPointRows *rows, AbutPlane plane, double snap, int32_t *beyond, double *least) {
    __m512d nx = _mm512_set1_pd(plane.normal.x), ny = _mm512_set1_pd(plane.normal.y),
            nz = _mm512_set1_pd(plane.normal.z), shift = _mm512_set1_pd(plane.offset), limit = _mm512_set1_pd(snap),
            low = _mm512_set1_pd(INFINITY);
    int32_t found = 0;
    for (int32_t i = 0; i < rows->count; i += 8) {
        __m512d xy = _mm512_add_pd(
            _mm512_mul_pd(nx, _mm512_load_pd(rows->x + i)), _mm512_mul_pd(ny, _mm512_load_pd(rows->y + i)));
        __m512d value = _mm512_sub_pd(_mm512_add_pd(xy, _mm512_mul_pd(nz, _mm512_load_pd(rows->z + i))), shift);
        _mm512_store_pd(rows->d + i, value);
        low = _mm512_min_pd(value, low);
        unsigned mask = _mm512_cmp_pd_mask(value, limit, _CMP_GT_OQ);
        for (; mask; mask &= mask - 1) beyond[found++] = i + __builtin_ctz(mask);
    }
    *least = _mm512_reduce_min_pd(low);
    return found;
}

#endif

int abut_point_distances(AbutPointDistances *forms[3]) {
    int count = 0;
    forms[count++] = distances_plain;
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) forms[count++] = distances_avx2;
    if (__builtin_cpu_supports("avx512f")) forms[count++] = distances_avx512;
#endif
    return count;
}
