/* SPDX-License-Identifier: Apache-2.0 */
/* Modes collected in a list: the enumeration with a visitor that appends. */
#include "mode/mode_bits.h"
#include "mode/prepared_rows.h"

#include <string.h>

typedef struct Collector {
    AbutModeList *list;
    int failed;
} Collector;

static int collect_one(AbutMode mode, void *user) {
    Collector *c = user;
    size_t words = (size_t)c->list->words;
    if (!abut_grow((void **)&c->list->bits, &c->list->capacity, c->list->count + 1, 16 * words)) {
        c->failed = 1;
        return 1;
    }
    uint64_t *to = c->list->bits + 2 * words * c->list->count++;
    memcpy(to, mode.plus, 8 * words);
    memcpy(to + words, mode.minus, 8 * words);
    return 0;
}

AbutStatus abut_mode_collect(const AbutModeSystem *system, const AbutModeOptions *options, AbutModeList *list,
    AbutModeResult *result, AbutError *error) {
    ABUT_ASSERT(system && list && result);
    AbutModeOptions own = options ? *options : abut_mode_options_default();
    Collector collector = {list, 0};
    memset(result, 0, sizeof *result);
    AbutStatus status = abut_mode_system_check(system, error);
    if (status != ABUT_OK) return status;
    int words = abut_mode_words(system, own.nonlinear);
    if (list->words != words) abut_mode_list_free(list);
    list->words = words, list->count = 0;
    own.visit = collect_one, own.user = &collector;
    status = abut_mode_enumerate(system, &own, result, error);
    if (collector.failed) return abut_fail_memory(error);
    return status;
}

void abut_mode_list_free(AbutModeList *list) {
    ABUT_ASSERT(list);
    abut_free(list->bits);
    memset(list, 0, sizeof *list);
}

AbutMode abut_mode_list_get(const AbutModeList *list, size_t i) {
    ABUT_ASSERT(list && i < list->count);
    return abut_mode_in(list->bits + 2 * (size_t)list->words * i, (size_t)list->words);
}
