/* SPDX-License-Identifier: Apache-2.0 */
/* Allocator hook. All blocks are aligned to 64 bytes: one cache line, any vector unit. */
#include "abut/base.h"
#include "base/system.h"

#include <string.h>

enum { ALIGNMENT = 64 };

static size_t round_up(size_t bytes) { return (bytes + (ALIGNMENT - 1)) & ~(size_t)(ALIGNMENT - 1); }

static void *default_alloc(size_t bytes, void *user) {
    (void)user;
    return abut_aligned_alloc(ALIGNMENT, bytes);
}

static void default_release(void *memory, void *user) {
    (void)user;
    abut_aligned_free(memory);
}

static AbutAllocator current = {default_alloc, default_release, NULL};

void abut_set_allocator(const AbutAllocator *allocator) {
    ABUT_ASSERT(!allocator || (allocator->alloc && allocator->release));
    AbutAllocator standard = {default_alloc, default_release, NULL};
    current = allocator ? *allocator : standard;
}

void *abut_alloc(size_t bytes) {
    if (bytes > SIZE_MAX / 2) return NULL;
    return current.alloc(round_up(bytes ? bytes : 1), current.user);
}

void *abut_alloc_array(size_t count, size_t bytes_each) {
    if (bytes_each && count > SIZE_MAX / 2 / bytes_each) return NULL;
    return abut_alloc(count * bytes_each);
}

void abut_free(void *memory) {
    if (memory) current.release(memory, current.user);
}

int abut_grow(void **memory, size_t *capacity, size_t need, size_t bytes_each) {
    ABUT_ASSERT(memory && capacity && bytes_each > 0);
    if (need <= *capacity) return 1;
    size_t wider = *capacity < 2 ? 4 : *capacity * 2;
    if (wider < need) wider = need;
    void *moved = abut_alloc_array(wider, bytes_each);
    if (!moved) return 0;
    if (*capacity) memcpy(moved, *memory, *capacity * bytes_each);
    abut_free(*memory);
    *memory = moved;
    *capacity = wider;
    return 1;
}
