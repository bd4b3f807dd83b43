/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The name that was probably meant. In: an unknown word, and the names that are. Out: the nearest name by the edits
 * (insert, delete, replace, swap of neighbors) that lead to it, or none when it takes too many (Damerau 1964, in the
 * form that edits no letter twice).
 */
#include "abut/base.h"

#include <string.h>

enum { LONGEST = 31 }; /* letters of a word or a name; longer ones are near to nothing */

static int smaller(int a, int b) { return a < b ? a : b; }

static int edit_distance(const char *a, const char *b) {
    int cost[LONGEST + 1][LONGEST + 1], m = (int)strnlen(a, LONGEST + 1), n = (int)strnlen(b, LONGEST + 1);
    if (m > LONGEST || n > LONGEST) return LONGEST;
    for (int i = 0; i <= m; ++i)
        for (int j = 0; j <= n; ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            int best = smaller(cost[i - 1][j], cost[i][j - 1]) + 1;
            best = smaller(best, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = smaller(best, cost[i - 2][j - 2] + 1);
            cost[i][j] = best;
        }
    return cost[m][n];
}

const char *abut_suggest(const char *word, int count, const char *const *first_name, size_t stride) {
    ABUT_ASSERT(word && (first_name || count <= 0));
    const char *best = NULL;
    size_t length = strlen(word);
    int limit = length < 5 ? 1 : 2;
    for (int i = 0; i < count; ++i) {
        const char *name = *(const char *const *)((const char *)first_name + (size_t)i * stride);
        int begins = length >= 3 && strncmp(name, word, length) == 0;
        int edits = begins ? 0 : edit_distance(word, name);
        if (edits <= limit) {
            best = name;
            limit = edits - 1;
        }
    }
    return best;
}

const char *abut_word(const char *const *words, int number) {
    for (int i = 0; words[i] && number >= 0; ++i)
        if (i == number) return words[i];
    return "unknown";
}

int abut_word_find(const char *const *words, const char *word) {
    for (int i = 0; words[i] && word; ++i)
        if (strcmp(words[i], word) == 0) return i;
    return -1;
}
