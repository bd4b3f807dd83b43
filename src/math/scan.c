/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Farthest vertex along a direction, smallest number of a list, planes that see a point: for plain C, AVX2 and AVX-512,
 * chosen at run time. No fused multiply-add: every version rounds alike, so the index does not depend on the processor.
 */
#include "math/scan.h"

#include <math.h>
#include <stddef.h>

static int farthest_plain(const double *rows, int count, const double d[3]) {
    const double *x = rows, *y = rows + count, *z = rows + 2 * (size_t)count;
    double best = x[0] * d[0] + y[0] * d[1] + z[0] * d[2];
    int index = 0;
    for (int i = 1; i < count; ++i) {
        double value = x[i] * d[0] + y[i] * d[1] + z[i] * d[2];
        if (value > best) {
            best = value;
            index = i;
        }
    }
    return index;
}

static int smallest_plain(const double *values, int count) {
    int index = 0;
    for (int i = 1; i < count; ++i)
        if (values[i] < values[index]) index = i;
    return index;
}

static int sees_plain(const double *planes, int stride, int count, const double w[3], double least, uint64_t *seen) {
    const double *x = planes, *y = x + stride, *z = y + stride, *d = z + stride;
    double low = INFINITY;
    int index = 0;
    for (int first = 0; first < count; first += 64) {
        uint64_t bits = 0;
        for (int i = first; i < count && i < first + 64; ++i) {
            int sees = x[i] * w[0] + y[i] * w[1] + z[i] * w[2] - d[i] >= least;
            bits |= (uint64_t)sees << (i - first);
            if (!sees && d[i] < low) {
                low = d[i];
                index = i;
            }
        }
        seen[first / 64] = bits;
    }
    return index;
}

static const AbutScan plain = {farthest_plain, smallest_plain, sees_plain, "plain"};

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* The first index among the lanes that hold the best value: bit k of `hits` is lane k, `index[k]` its block start. */
static int first_hit(unsigned hits, const long long *index) {
    int first = -1;
    for (; hits; hits &= hits - 1) {
        int lane = __builtin_ctz(hits), candidate = (int)index[lane] + lane;
        if (first < 0 || candidate < first) first = candidate;
    }
    return first < 0 ? 0 : first; /* NaN everywhere: no lane compares equal */
}

__attribute__((target("avx2"))) static double lanes_max4(__m256d v) {
    __m128d m = _mm_max_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_max_sd(m, _mm_unpackhi_pd(m, m)));
}

__attribute__((target("avx2"))) static int farthest_avx2(const double *rows, int count, const double d[3]) {
    const double *x = rows, *y = rows + count, *z = rows + 2 * (size_t)count;
    __m256d dx = _mm256_set1_pd(d[0]), dy = _mm256_set1_pd(d[1]), dz = _mm256_set1_pd(d[2]);
    __m256d best0 = _mm256_set1_pd(-__builtin_inf()), best1 = best0, at0 = _mm256_setzero_pd(), at1 = at0;
    for (int i = 0; i < count; i += 8) {
        __m256d v0 = _mm256_add_pd(
            _mm256_add_pd(_mm256_mul_pd(_mm256_load_pd(x + i), dx), _mm256_mul_pd(_mm256_load_pd(y + i), dy)),
            _mm256_mul_pd(_mm256_load_pd(z + i), dz));
        __m256d v1 = _mm256_add_pd(
            _mm256_add_pd(_mm256_mul_pd(_mm256_load_pd(x + i + 4), dx), _mm256_mul_pd(_mm256_load_pd(y + i + 4), dy)),
            _mm256_mul_pd(_mm256_load_pd(z + i + 4), dz));
        __m256d block = _mm256_castsi256_pd(_mm256_set1_epi64x(i));
        __m256d more0 = _mm256_cmp_pd(v0, best0, _CMP_GT_OQ), more1 = _mm256_cmp_pd(v1, best1, _CMP_GT_OQ);
        best0 = _mm256_blendv_pd(best0, v0, more0);
        at0 = _mm256_blendv_pd(at0, block, more0);
        best1 = _mm256_blendv_pd(best1, v1, more1);
        at1 = _mm256_blendv_pd(at1, block, more1);
    }
    __m256d top = _mm256_set1_pd(lanes_max4(_mm256_max_pd(best0, best1)));
    unsigned hits = (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(best0, top, _CMP_EQ_OQ)) |
                    (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(best1, top, _CMP_EQ_OQ)) << 4;
    if (count == 8) return hits ? __builtin_ctz(hits) : 0;
    long long index[8];
    _mm256_storeu_si256((__m256i *)(void *)index, _mm256_castpd_si256(at0));
    _mm256_storeu_si256((__m256i *)(void *)(index + 4), _mm256_castpd_si256(at1));
    return first_hit(hits, index);
}

__attribute__((target("avx2"))) static int smallest_avx2(const double *values, int count) {
    __m256d best = _mm256_load_pd(values), at = _mm256_setzero_pd();
    for (int i = 4; i < count; i += 4) {
        __m256d v = _mm256_load_pd(values + i), less = _mm256_cmp_pd(v, best, _CMP_LT_OQ);
        best = _mm256_blendv_pd(best, v, less);
        at = _mm256_blendv_pd(at, _mm256_castsi256_pd(_mm256_set1_epi64x(i)), less);
    }
    double low = -lanes_max4(_mm256_sub_pd(_mm256_setzero_pd(), best));
    unsigned hits = (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(best, _mm256_set1_pd(low), _CMP_EQ_OQ));
    long long index[4];
    _mm256_storeu_si256((__m256i *)(void *)index, _mm256_castpd_si256(at));
    return first_hit(hits, index);
}

__attribute__((target("avx2"))) static int sees_avx2(
    const double *planes, int stride, int count, const double w[3], double least, uint64_t *seen) {
    const double *x = planes, *y = x + stride, *z = y + stride, *d = z + stride;
    __m256d wx = _mm256_set1_pd(w[0]), wy = _mm256_set1_pd(w[1]), wz = _mm256_set1_pd(w[2]);
    __m256d bound = _mm256_set1_pd(least), best = _mm256_set1_pd(INFINITY), at = _mm256_setzero_pd();
    for (int first = 0; first < count; first += 64) {
        uint64_t bits = 0;
        for (int i = first; i < count && i < first + 64; i += 4) {
            __m256d offset = _mm256_load_pd(d + i);
            __m256d v = _mm256_add_pd(
                _mm256_add_pd(_mm256_mul_pd(_mm256_load_pd(x + i), wx), _mm256_mul_pd(_mm256_load_pd(y + i), wy)),
                _mm256_mul_pd(_mm256_load_pd(z + i), wz));
            __m256d sees = _mm256_cmp_pd(_mm256_sub_pd(v, offset), bound, _CMP_GE_OQ);
            __m256d less = _mm256_andnot_pd(sees, _mm256_cmp_pd(offset, best, _CMP_LT_OQ));
            bits |= (uint64_t)_mm256_movemask_pd(sees) << (i - first);
            best = _mm256_blendv_pd(best, offset, less);
            at = _mm256_blendv_pd(at, _mm256_castsi256_pd(_mm256_set1_epi64x(i)), less);
        }
        seen[first / 64] = bits;
    }
    double low = -lanes_max4(_mm256_sub_pd(_mm256_setzero_pd(), best));
    if (low == INFINITY) return 0;
    long long index[4];
    _mm256_storeu_si256((__m256i *)(void *)index, _mm256_castpd_si256(at));
    return first_hit((unsigned)_mm256_movemask_pd(_mm256_cmp_pd(best, _mm256_set1_pd(low), _CMP_EQ_OQ)), index);
}

enum { WIDE_FROM = 192 };

#define AVX512 "avx512f,avx512dq,avx512vl"

/* Eight support values. */
__attribute__((target(AVX512))) static inline __m512d values8(const double *x, int count, const __m512d d[3]) {
    return _mm512_add_pd(
        _mm512_add_pd(_mm512_mul_pd(_mm512_load_pd(x), d[0]), _mm512_mul_pd(_mm512_load_pd(x + count), d[1])),
        _mm512_mul_pd(_mm512_load_pd(x + 2 * (size_t)count), d[2]));
}

/* The first vertex with the best value: a lane of `hits` has it at `index` + lane, or one of the three below that. */
static int first_equal(
    const double *rows, int count, const double d[3], double most, unsigned hits, const long long *index) {
    int first = count;
    for (; hits; hits &= hits - 1) {
        int lane = __builtin_ctz(hits), from = (int)index[lane] + lane, end = from + 32 < count ? from + 32 : count;
        for (int i = from; i < end && i < first; i += 8)
            if (rows[i] * d[0] + rows[i + count] * d[1] + rows[i + 2 * count] * d[2] == most) first = i;
    }
    return first < count ? first : 0;
}

/* For many vertices, blocks of 32 compete by their best values; the winner of a lane is looked up in its block. */
__attribute__((target(AVX512))) static int farthest_avx512(const double *rows, int count, const double d[3]) {
    const __m512d along[3] = {_mm512_set1_pd(d[0]), _mm512_set1_pd(d[1]), _mm512_set1_pd(d[2])};
    __m512d best = _mm512_set1_pd(-__builtin_inf());
    __m512i at = _mm512_setzero_si512();
    int i = 0, wide = count < WIDE_FROM ? 0 : count & ~31;
    for (; i < wide; i += 32) {
        __m512d v0 = values8(rows + i, count, along), v1 = values8(rows + i + 8, count, along);
        __m512d v2 = values8(rows + i + 16, count, along), v3 = values8(rows + i + 24, count, along);
        __m512d top = _mm512_max_pd(_mm512_max_pd(v0, v1), _mm512_max_pd(v2, v3));
        __mmask8 more = _mm512_cmp_pd_mask(top, best, _CMP_GT_OQ);
        best = _mm512_mask_mov_pd(best, more, top);
        at = _mm512_mask_set1_epi64(at, more, i);
    }
    for (; i < count; i += 8) {
        __m512d v = values8(rows + i, count, along);
        __mmask8 more = _mm512_cmp_pd_mask(v, best, _CMP_GT_OQ);
        best = _mm512_mask_mov_pd(best, more, v);
        at = _mm512_mask_set1_epi64(at, more, i);
    }
    __m256d half = _mm256_max_pd(_mm512_castpd512_pd256(best), _mm512_extractf64x4_pd(best, 1));
    double most = lanes_max4(half);
    unsigned hits = _mm512_cmp_pd_mask(best, _mm512_set1_pd(most), _CMP_EQ_OQ);
    if (count == 8) return hits ? __builtin_ctz(hits) : 0;
    long long index[8];
    _mm512_storeu_si512(index, at);
    if (wide == 0) return first_hit(hits, index);
    return first_equal(rows, count, d, most, hits, index);
}

__attribute__((target(AVX512))) static int smallest_avx512(const double *values, int count) {
    __m512d best = _mm512_load_pd(values);
    __m512i at = _mm512_setzero_si512();
    for (int i = 8; i < count; i += 8) {
        __m512d v = _mm512_load_pd(values + i);
        __mmask8 less = _mm512_cmp_pd_mask(v, best, _CMP_LT_OQ);
        best = _mm512_mask_mov_pd(best, less, v);
        at = _mm512_mask_set1_epi64(at, less, i);
    }
    __m256d half = _mm256_min_pd(_mm512_castpd512_pd256(best), _mm512_extractf64x4_pd(best, 1));
    double low = -lanes_max4(_mm256_sub_pd(_mm256_setzero_pd(), half));
    long long index[8];
    _mm512_storeu_si512(index, at);
    return first_hit(_mm512_cmp_pd_mask(best, _mm512_set1_pd(low), _CMP_EQ_OQ), index);
}

__attribute__((target(AVX512))) static int sees_avx512(
    const double *planes, int stride, int count, const double w[3], double least, uint64_t *seen) {
    const double *x = planes, *y = x + stride, *z = y + stride, *d = z + stride;
    __m512d wx = _mm512_set1_pd(w[0]), wy = _mm512_set1_pd(w[1]), wz = _mm512_set1_pd(w[2]);
    __m512d bound = _mm512_set1_pd(least), best = _mm512_set1_pd(INFINITY);
    __m512i at = _mm512_setzero_si512();
    for (int first = 0; first < count; first += 64) {
        uint64_t bits = 0;
        for (int i = first; i < count && i < first + 64; i += 8) {
            __m512d offset = _mm512_load_pd(d + i);
            __m512d v = _mm512_add_pd(
                _mm512_add_pd(_mm512_mul_pd(_mm512_load_pd(x + i), wx), _mm512_mul_pd(_mm512_load_pd(y + i), wy)),
                _mm512_mul_pd(_mm512_load_pd(z + i), wz));
            __mmask8 sees = _mm512_cmp_pd_mask(_mm512_sub_pd(v, offset), bound, _CMP_GE_OQ);
            __mmask8 less = _mm512_mask_cmp_pd_mask((__mmask8)~sees, offset, best, _CMP_LT_OQ);
            bits |= (uint64_t)sees << (i - first);
            best = _mm512_mask_mov_pd(best, less, offset);
            at = _mm512_mask_set1_epi64(at, less, i);
        }
        seen[first / 64] = bits;
    }
    __m256d half = _mm256_min_pd(_mm512_castpd512_pd256(best), _mm512_extractf64x4_pd(best, 1));
    double low = -lanes_max4(_mm256_sub_pd(_mm256_setzero_pd(), half));
    if (low == INFINITY) return 0;
    long long index[8];
    _mm512_storeu_si512(index, at);
    return first_hit(_mm512_cmp_pd_mask(best, _mm512_set1_pd(low), _CMP_EQ_OQ), index);
}

static const AbutScan avx2 = {farthest_avx2, smallest_avx2, sees_avx2, "avx2"};
static const AbutScan avx512 = {farthest_avx512, smallest_avx512, sees_avx512, "avx512"};

static int has_avx2(void) { return __builtin_cpu_supports("avx2"); }

static int has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

int abut_scan_all(const AbutScan **sets) {
    int count = 0;
    sets[count++] = &plain;
    if (has_avx2()) sets[count++] = &avx2;
    if (has_avx512()) sets[count++] = &avx512;
    return count;
}
#else
int abut_scan_all(const AbutScan **sets) {
    sets[0] = &plain;
    return 1;
}
#endif

const AbutScan *abut_scan(void) {
    const AbutScan *sets[3];
    static const AbutScan *chosen; /* a race writes the same value twice */
    const AbutScan *scan = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    if (!scan) {
        int count = abut_scan_all(sets);
        scan = sets[count - 1];
        __atomic_store_n(&chosen, scan, __ATOMIC_RELAXED);
    }
    return scan;
}
