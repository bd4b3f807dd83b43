/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sine, cosine, arc tangent, exponential, logarithm, cube root and length of a pair: the same bits with every compiler,
 * C library and machine, and within 1 ulp of the truth. Built from what IEEE 754 rounds exactly: + - * / sqrt fma, and
 * scaling by powers of two.
 *
 * Method: the argument is brought near zero, with the rounding of that step kept as a second double; there a Taylor
 * series converges in a dozen terms, and its leading terms are added as the exact sum of two doubles. Angles beyond
 * 2^30 are reduced with the bits of 2/pi that matter, in whole numbers.
 * Reference: M. Payne, R. Hanek, Radian reduction for trigonometric functions, SIGNUM 18, 1983.
 */
#include "abut/math.h"
#include "math/double_double.h"
#include "math/functions.h"

#include <float.h>

_Static_assert(
    FLT_EVAL_METHOD == 0, "doubles must be computed as doubles: on 32-bit x86 build with -msse2 -mfpmath=sse");

/* c[0] + x c[1] + ... + x^(n-1) c[n-1] */
static double series(double x, int n, const double *c) {
    double s = c[n - 1];
    for (int i = n - 2; i >= 0; --i) s = s * x + c[i];
    return s;
}

static AbutDD product(double a, double b) {
    double p = a * b;
    return (AbutDD){p, abut_product_error(a, b, p)};
}

/* a / b to 104 bits. */
static AbutDD quotient(AbutDD a, AbutDD b) {
    double q = a.hi / b.hi;
    AbutDD rest = abut_dd_sub(a, abut_dd_mul(b, abut_dd(q)));
    return abut_dd_ordered(q, rest.hi / b.hi);
}

/* ---- sine and cosine --------------------------------------------------------------------------------------------- */

/* pi / 2 in three pieces of 53 bits. */
static const double HALF_PI[3] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};

/* The bits of 2 / pi from 2^31 down, 32 to a word. */
static const uint32_t TWO_OVER_PI[] = {0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5,
    0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
    0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

enum { WORDS = 6 };

/* 192 bits of 2 / pi, of which the first has the weight 2^(1 - e), times m; what is above 192 bits counts whole turns
 * and goes. Least word first. */
static void multiply_two_over_pi(uint64_t m, int e, uint32_t out[WORDS]) {
    uint32_t low = (uint32_t)m, high = (uint32_t)(m >> 32), window[WORDS];
    int bit = e + 30, word = bit / 32, shift = bit % 32; /* 2^-i stands at bit 31 + i; i starts at e - 1 */
    for (int k = 0; k < WORDS; ++k) {
        uint64_t two = (uint64_t)TWO_OVER_PI[word + k] << 32 | TWO_OVER_PI[word + k + 1];
        window[WORDS - 1 - k] = (uint32_t)(two >> (32 - shift));
    }
    uint64_t carry = 0, before = 0;
    for (int k = 0; k < WORDS; ++k) {
        uint64_t a = (uint64_t)window[k] * low, b = before * high;
        uint64_t sum = (a & 0xffffffff) + (b & 0xffffffff) + (carry & 0xffffffff);
        out[k] = (uint32_t)sum;
        carry = (carry >> 32) + (a >> 32) + (b >> 32) + (sum >> 32);
        before = window[k];
    }
}

/* As reduce, for x of 2^30 and more. */
static AbutDD reduce_far(double x, int *quadrant) {
    int e;
    uint32_t p[WORDS];
    uint64_t m = (uint64_t)ldexp(frexp(x, &e), 53);
    multiply_two_over_pi(m, e - 53, p);
    int back = (int)(p[WORDS - 1] >> 29 & 1); /* beyond the middle of a quadrant: counted back from the next */
    *quadrant = (int)(p[WORDS - 1] >> 30) + back;
    double scale = back ? -0x1p-30 : 0x1p-30;
    AbutDD part = {0.0, 0.0};
    for (int k = WORDS - 1; k >= 0; --k, scale *= 0x1p-32) {
        uint32_t bits = (back ? ~p[k] : p[k]) & (k == WORDS - 1 ? 0x3fffffff : 0xffffffff);
        part = abut_dd_add(part, abut_dd(bits * scale));
    }
    return abut_dd_mul(part, (AbutDD){HALF_PI[0], HALF_PI[1]});
}

/* x - k pi / 2 in -pi/4 .. pi/4 for x >= 0; the quadrant is k modulo 4. */
static AbutDD reduce(double x, int *quadrant) {
    *quadrant = 0;
    if (x <= 0.78) return abut_dd(x);
    if (x >= 0x1p30) return reduce_far(x, quadrant);
    double k = rint(x * (2.0 / ABUT_PI));
    *quadrant = (int)((int64_t)k & 3);
    AbutDD near = product(k, HALF_PI[0]), r = abut_dd_sub(abut_dd(x), near);
    r = abut_dd_sub(r, product(k, HALF_PI[1]));
    return abut_dd_sub(r, abut_dd(k * HALF_PI[2]));
}

static double sin_near(AbutDD r) {
    static const double c[] = {-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800,
        -1.0 / 1307674368000, 1.0 / 355687428096000, -1.0 / 121645100408832000};
    double z = r.hi * r.hi;
    return r.hi + (r.lo * (1.0 - 0.5 * z) + r.hi * z * series(z, 9, c));
}

static double cos_near(AbutDD r) {
    static const double c[] = {1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200,
        1.0 / 20922789888000, -1.0 / 6402373705728000};
    double z = r.hi * r.hi, half = 0.5 * z, w = 1.0 - half;
    return w + (((1.0 - w) - half) + (z * z * series(z, 8, c) - r.hi * r.lo));
}

/* Sine of the angle and so many quarter turns more. */
static double sin_quarters(AbutDD r, int quarters) {
    double s = quarters & 1 ? cos_near(r) : sin_near(r);
    return quarters & 2 ? -s : s;
}

double abut_sin(double x) {
    int quadrant;
    if (!isfinite(x) || x == 0.0) return x - (isfinite(x) ? 0.0 : x);
    AbutDD r = reduce(fabs(x), &quadrant);
    double s = sin_quarters(r, quadrant);
    return x < 0.0 ? -s : s;
}

double abut_cos(double x) {
    int quadrant;
    if (!isfinite(x)) return x - x;
    AbutDD r = reduce(fabs(x), &quadrant);
    return sin_quarters(r, quadrant + 1);
}

/* ---- arc tangent ------------------------------------------------------------------------------------------------- */

/* atan(k / 8) */
static const AbutDD ATAN[] = {{0.0, 0.0}, {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57}, {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56}, {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56}, {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

/* atan(y / x) for 0 <= y <= x, neither tiny nor huge: from the nearest of the table on. */
static AbutDD atan_ratio(double y, double x) {
    static const double c[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13};
    double k = rint(8.0 * y / x), step = 0.125 * k;
    AbutDD t = quotient(abut_dd_sub(abut_dd(y), product(step, x)), abut_dd_add(abut_dd(x), product(step, y)));
    double z = t.hi * t.hi;
    return abut_dd_add(ATAN[(int)k], abut_dd_sum(t.hi, t.lo + t.hi * z * series(z, 6, c)));
}

/* Infinities and zeros as the numbers 0 and 1 that give the same angle. */
static void tame(double *y, double *x) {
    if (isinf(*y) || isinf(*x)) {
        *y = isinf(*y) ? 1.0 : 0.0;
        *x = isinf(*x) ? 1.0 : 0.0;
    }
    if (*y == 0.0 && *x == 0.0) *x = 1.0;
}

double abut_atan2(double y, double x) {
    const AbutDD half = {HALF_PI[0], HALF_PI[1]}, whole = {2.0 * HALF_PI[0], 2.0 * HALF_PI[1]};
    double up = fabs(y), across = fabs(x);
    if (isnan(x) || isnan(y)) return x + y;
    tame(&up, &across);
    int steep = up > across, exponent;
    double least = steep ? across : up, most = steep ? up : across;
    if (!steep && !signbit(x) && least < 1e-9 * most) return copysign(least / most, y);
    (void)frexp(most, &exponent);
    AbutDD angle = atan_ratio(ldexp(least, -exponent), ldexp(most, -exponent));
    angle = steep ? abut_dd_sub(half, angle) : angle;
    angle = signbit(x) ? abut_dd_sub(whole, angle) : angle;
    return copysign(angle.hi, y);
}

/* ---- exponential and logarithm ----------------------------------------------------------------------------------- */

static const AbutDD LN2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

double abut_exp(double x) {
    static const double c[] = {1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880,
        1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800, 1.0 / 87178291200};
    if (!(fabs(x) < 800.0)) return x > 0.0 ? INFINITY : (x < 0.0 ? 0.0 : x);
    double k = rint(x / LN2.hi);
    AbutDD r = abut_dd_sub(abut_dd(x), abut_dd_mul(abut_dd(k), LN2)), sum = abut_dd_sum(1.0, r.hi);
    return ldexp(sum.hi + (sum.lo + (r.lo + r.hi * r.hi * series(r.hi, 13, c))), (int)k);
}

double abut_ln(double x) {
    static const double c[] = {
        1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23};
    int e;
    if (!(x > 0.0) || isinf(x)) return x == 0.0 ? -INFINITY : (x < 0.0 ? NAN : x);
    double m = frexp(x, &e);
    if (m < 0x1.6a09e667f3bcdp-1) /* half the root of 2 */
        m *= 2.0, --e;
    AbutDD f = quotient(abut_dd(m - 1.0), abut_dd_sum(m, 1.0)); /* log m = 2 atanh f */
    double z = f.hi * f.hi;
    AbutDD sum = abut_dd_add(abut_dd_mul(abut_dd(e), LN2), abut_dd_ordered(2.0 * f.hi, 2.0 * f.lo));
    return sum.hi + (sum.lo + 2.0 * f.hi * z * series(z, 11, c));
}

/* ---- roots ------------------------------------------------------------------------------------------------------- */

double abut_cbrt(double x) {
    int e;
    if (!isfinite(x) || x == 0.0) return x;
    double a = frexp(fabs(x), &e);
    int third = (e + 3000) / 3 - 1000;
    a = ldexp(a, e - 3 * third); /* in 1/2 .. 4 */
    double y = 0.685 + 0.24 * a;
    for (int i = 0; i < 3; ++i) { /* E. Halley's steps triple the digits */
        double cube = y * y * y;
        y *= (cube + 2.0 * a) / (2.0 * cube + a);
    }
    AbutDD cube = abut_dd_mul(product(y, y), abut_dd(y));
    y -= abut_dd_sub(cube, abut_dd(a)).hi / (3.0 * y * y);
    return copysign(ldexp(y, third), x);
}

/* Root of x^2 + y^2 for numbers whose squares are far from the ends of the range. */
static double hypot_plain(double x, double y) {
    AbutDD square = abut_dd_add(product(x, x), product(y, y));
    double root = sqrt(square.hi);
    return root + abut_dd_sub(square, product(root, root)).hi / (2.0 * root);
}

double abut_hypot(double x, double y) {
    int e;
    x = fabs(x), y = fabs(y);
    if (isinf(x) || isinf(y)) return INFINITY;
    double most = x > y ? x : y;
    if (isnan(x) || isnan(y) || most == 0.0) return x + y;
    if (most > 1e-100 && most < 1e100) return hypot_plain(x, y);
    (void)frexp(most, &e);
    return ldexp(hypot_plain(ldexp(x, -e), ldexp(y, -e)), e);
}
