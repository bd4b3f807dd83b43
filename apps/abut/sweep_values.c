/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of one variable. In: "3..7" (whole numbers, in either direction), "0..1/5" (five numbers evenly spaced,
 * both ends among them), or a list "a,b,c" whose parts may be ranges; with a semicolon in it the list is cut at
 * semicolons, so that values may hold commas. Out: the values as they will stand on the command line.
 */
#include "sweep.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT = 40 };

static void add_number(SweepWords *out, double value) {
    char text[NUMBER_TEXT];
    int length = abut_format_double(text, sizeof text, value);
    sweep_words_add(out, text, (size_t)length);
}

/* digits / 10^places; whole numbers are exact in doubles below 2^53. */
typedef struct Decimal {
    double digits;
    int places;
} Decimal;

static const double EXACT = 9007199254740992.0;

/* A text that read_number takes, "-0.25" or "1e-3", in decimal; 0: it has too many digits. */
static int read_decimal(const char *word, Decimal *out) {
    int sign = *word == '-' ? -1 : 1, behind = 0;
    *out = (Decimal){0.0, 0};
    for (word += *word == '-' || *word == '+'; (*word >= '0' && *word <= '9') || *word == '.'; ++word) {
        if (*word == '.') {
            behind = 1;
            continue;
        }
        out->digits = 10.0 * out->digits + (*word - '0');
        out->places += behind;
    }
    if (*word == 'e' || *word == 'E') {
        long exponent = strtol(word + 1, NULL, 10);
        if (labs(exponent) > 15) return 0;
        out->places -= (int)exponent;
        word += strlen(word);
    }
    out->digits *= sign;
    return !*word && fabs(out->digits) < EXACT;
}

/* Brings the number to so many places; 0: it has too many digits then. */
static int set_places(Decimal *d, int places) {
    for (; d->places < places && fabs(d->digits) < EXACT; ++d->places) d->digits *= 10.0;
    return fabs(d->digits) < EXACT;
}

/* From a to b in `count` values: each is the double next to the exact fraction where whole numbers can say it. */
static void spread(double from, double to, Decimal a, Decimal b, long count, SweepWords *out) {
    double parts = count > 1 ? (double)(count - 1) : 1.0, below = parts;
    int places = a.places > b.places ? a.places : b.places;
    places = places > 0 ? places : 0;
    int exact = set_places(&a, places) && set_places(&b, places);
    for (int i = 0; i < places; ++i) below *= 10.0;
    exact = exact && below < EXACT && (fabs(a.digits) + fabs(b.digits)) * parts < EXACT;
    for (long i = 0; i < count; ++i) {
        double s = (double)i;
        if (exact)
            add_number(out, (a.digits * (parts - s) + b.digits * s) / below);
        else
            add_number(out, i + 1 == count && count > 1 ? to : from + s / parts * (to - from));
    }
}

/* A piece of the text by itself: "0." of "0..1" would be a number too. */
static int piece(const char *text, const char *end, char *out) {
    size_t length = (size_t)(end - text);
    if (length == 0 || length >= NUMBER_TEXT) return 0;
    memcpy(out, text, length);
    out[length] = 0;
    return 1;
}

static int read_whole(const char *text, const char *end, long *out) {
    char word[NUMBER_TEXT], *behind;
    if (!piece(text, end, word)) return 0;
    errno = 0;
    *out = strtol(word, &behind, 10);
    return !*behind && !errno;
}

static int read_number(const char *text, const char *end, double *out) {
    char word[NUMBER_TEXT], *behind;
    if (!piece(text, end, word)) return 0;
    *out = strtod(word, &behind);
    return !*behind && isfinite(*out);
}

static int whole_range(const char *text, const char *dots, const char *end, SweepWords *out) {
    long a, b;
    if (!read_whole(text, dots, &a) || !read_whole(dots + 2, end, &b)) return 0;
    if (labs(b) > 1L << 60 || labs(a) > 1L << 60 || labs(b - a) >= SWEEP_CASES_MAX) return 0;
    for (long v = a, step = a <= b ? 1 : -1;; v += step) {
        char word[NUMBER_TEXT];
        int length = snprintf(word, sizeof word, "%ld", v);
        sweep_words_add(out, word, (size_t)length);
        if (v == b) return 1;
    }
}

static int even_range(const char *text, const char *dots, const char *slash, const char *end, SweepWords *out) {
    char word[NUMBER_TEXT];
    Decimal from = {0}, to = {0};
    double a, b;
    long count;
    if (!read_number(text, dots, &a) || !read_number(dots + 2, slash, &b) || !read_whole(slash + 1, end, &count) ||
        count < 1 || count > SWEEP_CASES_MAX)
        return 0;
    if (!piece(text, dots, word) || !read_decimal(word, &from) || !piece(dots + 2, slash, word) ||
        !read_decimal(word, &to))
        from.digits = EXACT; /* as close as doubles come */
    spread(a, b, from, to, count, out);
    return 1;
}

static const char *find(const char *text, const char *end, const char *what) {
    const char *at = strstr(text, what);
    return at && at < end ? at : NULL;
}

/* 0: it begins as a range does, with a number and two dots, and is none. "../mesh.obj" is a value. */
static int add_part(const char *text, const char *end, SweepWords *out) {
    const char *dots = find(text, end, ".."), *slash = dots ? find(dots, end, "/") : NULL;
    double first;
    if (dots && (slash ? even_range(text, dots, slash, end, out) : whole_range(text, dots, end, out))) return 1;
    if (dots && read_number(text, dots, &first)) return 0;
    sweep_words_add(out, text, (size_t)(end - text));
    return 1;
}

void sweep_values(const char *name, const char *text, SweepWords *out) {
    const char *cut = strchr(text, ';') ? ";" : ",";
    for (;; ++text) {
        const char *end = text + strcspn(text, cut);
        if (end == text)
            cli_error("--%s: expected values as 1..9, 0..1/5, a,b,c or 'x,y;x,y'; one of them is empty", name);
        if (!add_part(text, end, out))
            cli_error("--%s: '%.*s' is no range: A..B for up to %d whole numbers, A..B/N for N numbers", name,
                (int)(end - text), text, SWEEP_CASES_MAX);
        text = end;
        if (!*text) break;
    }
}

/* ---- texts and lists of words that grow ----------------------------------------------------------------------------- */

void sweep_text_add(SweepText *to, const char *bytes, size_t count) {
    to->text = cli_grow(to->text, &to->capacity, to->count + count + 1, 1);
    memcpy(to->text + to->count, bytes, count);
    to->count += count;
    to->text[to->count] = 0;
}

void sweep_text_put(SweepText *to, const char *text) { sweep_text_add(to, text, strlen(text)); }

void sweep_text_free(SweepText *text) {
    abut_free(text->text);
    *text = (SweepText){0};
}

void sweep_words_add(SweepWords *words, const char *bytes, size_t count) {
    char *word = memcpy(cli_room(count, 1), bytes, count);
    words->word = cli_grow(words->word, &words->capacity, (size_t)words->count + 2, sizeof *words->word);
    words->word[words->count++] = word;
    words->word[words->count] = NULL;
}

void sweep_words_take(SweepWords *words, SweepText *text) {
    sweep_words_add(words, text->text ? text->text : "", text->count);
    sweep_text_free(text);
}

void sweep_words_free(SweepWords *words) {
    for (int i = 0; i < words->count; ++i) abut_free(words->word[i]);
    abut_free(words->word);
    *words = (SweepWords){0};
}
