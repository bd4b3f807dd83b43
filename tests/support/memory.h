/* SPDX-License-Identifier: Apache-2.0 */
/* An allocator that fails at a chosen request and counts what has not been given back. */
#ifndef ABUT_TESTS_MEMORY_H
#define ABUT_TESTS_MEMORY_H

#include <stdlib.h>

#include "abut/base.h"

typedef struct FailingMemory {
    int left; /* requests that still succeed */
    int live; /* blocks that have not been given back */
} FailingMemory;

static inline void *failing_alloc(size_t bytes, void *user)
{
    FailingMemory *memory = user;
    if (memory->left-- <= 0)
        return NULL;
    ++memory->live;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static inline void failing_release(void *block, void *user)
{
    --((FailingMemory *)user)->live;
    free(block);
}

#endif
