/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of modes. Mode a is a face of mode b when its signs are those of b with some set to zero; a contact that
 * separates in b may come into contact in a, and its lines are then free. From it the dimension of a mode, the Hasse
 * diagram of a list, and the conservative merge.
 */
#include "mode/constraints.h"
#include "mode/tolerance.h"

#include <string.h>

AbutStatus abut_mode_dimension(const AbutModeSystem *system, AbutMode mode, int *out, AbutError *error) {
    AbutModeConstraints constraints;
    AbutStatus status = abut_mode_constraints_make(system, mode, &constraints, error);
    *out = -1;
    if (status != ABUT_OK) return status == ABUT_ERROR_MEMORY ? status : ABUT_OK;
    int rank = constraints.low
                   ? constraints.zeros
                   : abut_mode_rank(constraints.rows, constraints.zeros, constraints.dof, ABUT_MODE_RANK, NULL, NULL);
    *out = system->dof - rank;
    abut_mode_constraints_free(&constraints);
    return ABUT_OK;
}

int abut_mode_is_face(const AbutModeSystem *s, AbutMode a, AbutMode b) {
    ABUT_ASSERT(s && a.plus && a.minus && b.plus && b.minus);
    for (int i = 0; i < abut_mode_row_count(s); ++i) {
        int sign = abut_mode_sign(a, i);
        if (sign != 0 && abut_mode_counts(s, b, i) && sign != abut_mode_sign(b, i)) return 0;
    }
    return 1;
}

/* ---- the whole diagram ------------------------------------------------------------------------------------------- */

/* The edges of modes whose dimensions are known. */
static AbutStatus find_edges(const AbutModeSystem *system, const AbutModeList *list, const int *dimension,
    size_t *count, AbutPair **edges, AbutError *error) {
    size_t capacity = 0;
    for (size_t i = 0; i < list->count; ++i)
        for (size_t j = 0; j < list->count; ++j) {
            if (dimension[i] + 1 != dimension[j] ||
                !abut_mode_is_face(system, abut_mode_list_get(list, i), abut_mode_list_get(list, j)))
                continue;
            if (!abut_grow((void **)edges, &capacity, *count + 1, sizeof(AbutPair))) return abut_fail_memory(error);
            (*edges)[(*count)++] = (AbutPair){(int32_t)i, (int32_t)j};
        }
    return ABUT_OK;
}

AbutStatus abut_mode_hasse(
    const AbutModeSystem *system, const AbutModeList *list, size_t *count, AbutPair **edges, AbutError *error) {
    enum { MOST = 20000 };
    ABUT_ASSERT(system && list && edges && count);
    *edges = NULL, *count = 0;
    if (list->count > MOST || list->words != abut_mode_words(system, 0))
        return abut_fail(error, ABUT_ERROR_LIMIT, "a diagram of %zu modes; at most %d", list->count, MOST);
    int *dimension = abut_alloc_array(list->count + 1, sizeof(int));
    AbutStatus status = dimension ? ABUT_OK : abut_fail_memory(error);
    for (size_t i = 0; i < list->count && status == ABUT_OK; ++i)
        status = abut_mode_dimension(system, abut_mode_list_get(list, i), &dimension[i], error);
    if (status == ABUT_OK) status = find_edges(system, list, dimension, count, edges, error);
    abut_free(dimension);
    if (status != ABUT_OK) {
        abut_free(*edges);
        *edges = NULL, *count = 0;
    }
    return status;
}

/* ---- merging ----------------------------------------------------------------------------------------------------- */

/* Separating contacts, then sticking contacts, as bits. */
static void merge_key(const AbutModeSystem *s, AbutMode mode, uint64_t *key) {
    memset(key, 0, 8 * (size_t)(2 * s->contacts / 64 + 1));
    for (int i = 0; i < s->contacts; ++i) {
        int slides = 0, stick = s->contacts + i;
        for (int k = 0; k < s->lines; ++k) slides |= abut_mode_sign(mode, s->contacts + i * s->lines + k) != 0;
        if (abut_mode_bit(mode.plus, i))
            abut_mode_set_bit(key, i);
        else if (!slides)
            abut_mode_set_bit(key, stick);
    }
}

AbutStatus abut_mode_merge(const AbutModeSystem *system, AbutModeList *list, AbutError *error) {
    enum { MOST = 100000 };
    ABUT_ASSERT(system && list);
    size_t words = (size_t)abut_mode_words(system, 0), key = (size_t)(2 * system->contacts / 64 + 1), kept = 0;
    if (list->count > MOST || (size_t)list->words != words)
        return abut_fail(error, ABUT_ERROR_LIMIT, "merging %zu modes; at most %d", list->count, MOST);
    uint64_t *keys = abut_alloc_array(list->count + 1, 8 * key);
    uint8_t *drop = abut_alloc(list->count + 1);
    if (!keys || !drop) {
        abut_free(keys);
        abut_free(drop);
        return abut_fail_memory(error);
    }
    for (size_t i = 0; i < list->count; ++i) merge_key(system, abut_mode_list_get(list, i), keys + key * i);
    for (size_t i = 0; i < list->count; ++i) {
        AbutMode a = abut_mode_list_get(list, i);
        drop[i] = 0;
        for (size_t j = 0; j < list->count && !drop[i]; ++j) {
            AbutMode b = abut_mode_list_get(list, j);
            drop[i] = i != j && memcmp(keys + key * i, keys + key * j, 8 * key) == 0 &&
                      memcmp(a.plus, b.plus, 16 * words) != 0 && abut_mode_is_face(system, a, b);
        }
    }
    for (size_t i = 0; i < list->count; ++i)
        if (!drop[i]) memmove(list->bits + 2 * words * kept++, list->bits + 2 * words * i, 16 * words);
    list->count = kept;
    abut_free(keys);
    abut_free(drop);
    return ABUT_OK;
}
