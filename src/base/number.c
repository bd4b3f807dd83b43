/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decimal text to the nearest double, without the C library's locale.
 *
 * Three ways, each exact: a mantissa below 2^53 with a power of ten up to 22 is one rounded operation on doubles; up to
 * 19 digits with a power up to 19 is one 128-bit product or quotient with a sticky bit; everything else is a long
 * division of big integers. 800 digits are kept, the rest only as "more follows": no tie needs more than 768.
 */
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { KEPT_DIGITS = 800, LIMBS = 136, EXPONENT_LIMIT = 1000000000 };

/* The scan of a number: value = (-1)^negative * mantissa * 10^exponent when `exact`. */
typedef struct Decimal {
    const char *digits, *digits_end; /* the digits and the point */
    uint64_t mantissa;               /* first 19 significant digits */
    int64_t exponent;                /* of the mantissa's last digit */
    int64_t written_exponent;        /* behind the e */
    int negative, exact;
} Decimal;

static int is_digit(char c) { return (unsigned)(c - '0') < 10; }

static int leading_zeros(uint64_t x) {
#if defined(__GNUC__)
    return __builtin_clzll(x);
#else
    int n = 0;
    for (; !(x >> 63); x <<= 1) ++n;
    return n;
#endif
}

/* The double nearest to (q + sticky) * 2^exponent, where sticky is a part of one below q's last bit. q > 0. */
static double round_binary(uint64_t q, int sticky, int exponent) {
    int zeros = leading_zeros(q);
    q <<= zeros;
    int top = 63 + exponent - zeros; /* the value lies in [2^top, 2^(top+1)) */
    if (top > 1023) return HUGE_VAL;
    int drop = top >= -1022 ? 11 : 11 + (-1022 - top);
    if (drop > 64) return 0.0;
    uint64_t kept = drop < 64 ? q >> drop : 0, rest = drop < 64 ? q & ((UINT64_C(1) << drop) - 1) : q;
    uint64_t half = UINT64_C(1) << (drop - 1);
    if (rest > half || (rest == half && (sticky || (kept & 1)))) ++kept;
    uint64_t bits = top >= -1022 ? ((uint64_t)(top + 1022) << 52) + kept : kept;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- 19 digits in 128 bits --------------------------------------------------------------------------------------- */

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 Wide;

static const uint64_t power_of_ten[20] = {UINT64_C(1), UINT64_C(10), UINT64_C(100), UINT64_C(1000), UINT64_C(10000),
    UINT64_C(100000), UINT64_C(1000000), UINT64_C(10000000), UINT64_C(100000000), UINT64_C(1000000000),
    UINT64_C(10000000000), UINT64_C(100000000000), UINT64_C(1000000000000), UINT64_C(10000000000000),
    UINT64_C(100000000000000), UINT64_C(1000000000000000), UINT64_C(10000000000000000), UINT64_C(100000000000000000),
    UINT64_C(1000000000000000000), UINT64_C(10000000000000000000)};

static double divide_wide(uint64_t mantissa, uint64_t power) {
    int a = leading_zeros(mantissa), b = leading_zeros(power);
    Wide dividend = (Wide)(mantissa << a) << 63;
    uint64_t divisor = power << b, quotient = (uint64_t)(dividend / divisor);
    return round_binary(quotient, dividend % divisor != 0, b - a - 63);
}

static double multiply_wide(uint64_t mantissa, uint64_t power) {
    Wide product = (Wide)mantissa * power;
    uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
    if (high == 0) return round_binary(low, 0, 0);
    int zeros = leading_zeros(high);
    product <<= zeros;
    return round_binary((uint64_t)(product >> 64), (uint64_t)product != 0, 64 - zeros);
}
#endif

/* ---- any number of digits ---------------------------------------------------------------------------------------- */

typedef struct Big {
    int count;
    uint32_t limb[LIMBS]; /* lowest first */
} Big;

static void big_multiply_add(Big *big, uint32_t factor, uint32_t add) {
    uint64_t carry = add;
    for (int i = 0; i < big->count; ++i) {
        carry += (uint64_t)big->limb[i] * factor;
        big->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) big->limb[big->count++] = (uint32_t)carry;
}

static void big_multiply_power(Big *big, int64_t power) {
    for (; power >= 9; power -= 9) big_multiply_add(big, 1000000000u, 0);
    for (; power > 0; --power) big_multiply_add(big, 10u, 0);
}

static int big_bits(const Big *big) { return 32 * big->count - (leading_zeros(big->limb[big->count - 1]) - 32); }

static void big_shift_left(Big *big, int bits) {
    int whole = bits / 32, part = bits % 32;
    if (part) big_multiply_add(big, 1u << part, 0);
    memmove(big->limb + whole, big->limb, (size_t)big->count * sizeof big->limb[0]);
    memset(big->limb, 0, (size_t)whole * sizeof big->limb[0]);
    big->count += whole;
}

static int big_less(const Big *a, const Big *b) {
    if (a->count != b->count) return a->count < b->count;
    for (int i = a->count - 1; i >= 0; --i)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i];
    return 0;
}

static void big_subtract(Big *a, const Big *b) {
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; ++i) {
        uint64_t take = (i < b->count ? b->limb[i] : 0) + borrow, have = a->limb[i];
        borrow = have < take;
        a->limb[i] = (uint32_t)(have - take);
    }
    while (a->count && a->limb[a->count - 1] == 0) --a->count;
}

/* numerator / denominator to the nearest double, by 64 steps of long division. Both are spoiled. */
static double big_divide(Big *numerator, Big *denominator) {
    int shift = big_bits(denominator) - big_bits(numerator);
    big_shift_left(shift > 0 ? numerator : denominator, shift > 0 ? shift : -shift);
    uint64_t quotient = 0;
    for (int i = 0; i < 64; ++i) {
        quotient <<= 1;
        if (!big_less(numerator, denominator)) {
            big_subtract(numerator, denominator);
            quotient |= 1;
        }
        big_multiply_add(numerator, 2u, 0);
    }
    return round_binary(quotient, numerator->count > 0, -shift - 63);
}

static double convert_long(const Decimal *decimal) {
    Big numerator = {0, {0}}, denominator = {1, {1}};
    int64_t exponent = decimal->written_exponent;
    int digits = 0, behind_point = 0, more = 0;
    for (const char *p = decimal->digits; p < decimal->digits_end; ++p) {
        if (*p == '.') {
            behind_point = 1;
        } else if (digits < KEPT_DIGITS) {
            uint32_t digit = (uint32_t)(*p - '0');
            big_multiply_add(&numerator, 10u, digit);
            digits += digits > 0 || digit > 0;
            exponent -= behind_point;
        } else {
            more |= *p != '0';
            exponent += !behind_point;
        }
    }
    if (more) {
        big_multiply_add(&numerator, 10u, 1u);
        --exponent, ++digits;
    }
    if (digits == 0 || exponent + digits < -323) return 0.0;
    if (exponent + digits > 310) return HUGE_VAL;
    big_multiply_power(exponent > 0 ? &numerator : &denominator, exponent > 0 ? exponent : -exponent);
    return big_divide(&numerator, &denominator);
}

/* ---- scan -------------------------------------------------------------------------------------------------------- */

static int same_letters(const char *at, const char *end, const char *lower) {
    for (; *lower; ++at, ++lower)
        if (at == end || (*at | 0x20) != *lower) return 0;
    return 1;
}

/* Digits and point from p on; gives where they end, or NULL when there is no digit. */
static const char *scan_digits(const char *p, const char *end, Decimal *decimal) {
    uint64_t mantissa = 0;
    int64_t exponent = 0;
    int kept = 0, any = 0, lost = 0, point = 0;
    decimal->digits = p;
    for (; p < end && (is_digit(*p) || (*p == '.' && !point)); ++p) {
        if (*p == '.') {
            point = 1;
            continue;
        }
        any = 1;
        if (kept < 19) {
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
            kept += mantissa != 0;
            exponent -= point;
        } else {
            exponent += !point;
            lost |= *p != '0';
        }
    }
    decimal->digits_end = p;
    decimal->mantissa = mantissa;
    decimal->exponent = exponent;
    decimal->exact = !lost;
    return any ? p : NULL;
}

/* Exponent from the 'e' on; gives where it ends, or NULL when the digits are missing. */
static const char *scan_exponent(const char *p, const char *end, int64_t *exponent) {
    int negative = 0;
    if (++p < end && (*p == '+' || *p == '-')) negative = *p++ == '-';
    if (p == end || !is_digit(*p)) return NULL;
    int64_t value = 0;
    for (; p < end && is_digit(*p); ++p)
        if (value < (int64_t)EXPONENT_LIMIT * 1000000) value = value * 10 + (*p - '0');
    *exponent = negative ? -value : value;
    return p;
}

static double convert(const Decimal *decimal) {
    static const double exact_power[23] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
        1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t mantissa = decimal->mantissa;
    int64_t exponent = decimal->exponent + decimal->written_exponent;
    if (decimal->exact && mantissa == 0) return 0.0;
#if FLT_EVAL_METHOD == 0
    if (decimal->exact && mantissa < UINT64_C(1) << 53 && exponent >= -22 && exponent <= 22)
        return exponent < 0 ? (double)mantissa / exact_power[-exponent] : (double)mantissa * exact_power[exponent];
#endif
#if defined(__SIZEOF_INT128__)
    if (decimal->exact && exponent >= -19 && exponent <= 19)
        return exponent < 0 ? divide_wide(mantissa, power_of_ten[-exponent])
                            : multiply_wide(mantissa, power_of_ten[exponent]);
#endif
    return convert_long(decimal);
}

AbutNumber abut_parse_double(const char **at, const char *end, double *out) {
    const char *p = *at;
    Decimal decimal;
    decimal.negative = 0;
    decimal.written_exponent = 0;
    if (p < end && (*p == '-' || *p == '+')) decimal.negative = *p++ == '-';
    const char *after = scan_digits(p, end, &decimal);
    if (!after)
        return same_letters(p, end, "nan") || same_letters(p, end, "inf") ? ABUT_NUMBER_NOT_FINITE : ABUT_NUMBER_NONE;
    if (after < end && (*after == 'e' || *after == 'E')) {
        after = scan_exponent(after, end, &decimal.written_exponent);
        if (!after) return ABUT_NUMBER_NONE;
    } else if (after < end && *after == '#' && after[-1] == '.') {
        return ABUT_NUMBER_NOT_FINITE;
    }
    double value = convert(&decimal);
    if (value > DBL_MAX) return ABUT_NUMBER_NOT_FINITE;
    *out = decimal.negative ? -value : value;
    *at = after;
    return ABUT_NUMBER_OK;
}

AbutNumber abut_parse_integer(const char **at, const char *end, int64_t *out) {
    const char *p = *at;
    int negative = 0;
    if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
    if (p == end || !is_digit(*p)) return ABUT_NUMBER_NONE;
    const int64_t limit = INT64_C(100000000000000000);
    int64_t value = 0;
    for (; p < end && is_digit(*p); ++p) value = value < limit ? value * 10 + (*p - '0') : limit;
    if (value > limit) value = limit;
    *out = negative ? -value : value;
    *at = p;
    return ABUT_NUMBER_OK;
}
