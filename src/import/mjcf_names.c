/* SPDX-License-Identifier: Apache-2.0 */
/* Names of a file: an open hash table from (kind, name) to a number, at most half full. */
#include "import/mjcf_read.h"

#include <string.h>

static AbutMjcfName *slot_of(const AbutMjcfNames *names, AbutMjcfKind kind, const char *name) {
    size_t mask = names->size - 1;
    for (size_t i = (size_t)abut_hash(name, strlen(name), (uint64_t)kind) & mask;; i = (i + 1) & mask) {
        AbutMjcfName *slot = &names->slots[i];
        if (!slot->name || (slot->kind == kind && strcmp(slot->name, name) == 0)) return slot;
    }
}

static int enlarge(AbutMjcfNames *names) {
    AbutMjcfNames larger = {NULL, names->size ? 2 * names->size : 64, names->count};
    larger.slots = abut_alloc_array(larger.size, sizeof *larger.slots);
    if (!larger.slots) return 0;
    memset(larger.slots, 0, larger.size * sizeof *larger.slots);
    for (size_t i = 0; i < names->size; ++i)
        if (names->slots[i].name) *slot_of(&larger, names->slots[i].kind, names->slots[i].name) = names->slots[i];
    abut_free(names->slots);
    *names = larger;
    return 1;
}

int abut_mjcf_names_add(AbutMjcfNames *names, AbutMjcfKind kind, const char *name, int32_t index, int32_t *old) {
    *old = -1;
    if (2 * (names->count + 1) > names->size && !enlarge(names)) return 0;
    AbutMjcfName *slot = slot_of(names, kind, name);
    if (slot->name) {
        *old = slot->index;
        return 1;
    }
    *slot = (AbutMjcfName){name, kind, index};
    ++names->count;
    return 1;
}

int32_t abut_mjcf_names_find(const AbutMjcfNames *names, AbutMjcfKind kind, const char *name) {
    if (!names->size) return -1;
    const AbutMjcfName *slot = slot_of(names, kind, name);
    return slot->name ? slot->index : -1;
}

void abut_mjcf_names_free(AbutMjcfNames *names) {
    abut_free(names->slots);
    *names = (AbutMjcfNames){NULL, 0, 0};
}
