/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An allocator that fails at a chosen request and counts what has not been given back; and the test that every request
 * of a piece of work may fail: it then says so, and nothing is left behind.
 */
#ifndef ABUT_TESTS_MEMORY_H
#define ABUT_TESTS_MEMORY_H

#include "base/system.h"
#include "support/check.h"

typedef struct FailingMemory {
    int left; /* requests that still succeed */
    int live; /* blocks that have not been given back */
} FailingMemory;

static inline void *failing_alloc(size_t bytes, void *user) {
    FailingMemory *memory = user;
    if (memory->left-- <= 0) return NULL;
    ++memory->live;
    return abut_aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static inline void failing_release(void *block, void *user) {
    --((FailingMemory *)user)->live;
    abut_aligned_free(block);
}

/*
 * Does the work with memory that fails at the first request, at the second, ... until none fails. The work gives back
 * all it took and returns its status. Gives the number of requests.
 */
static inline int check_memory_failures(const char *name, AbutStatus (*work)(void)) {
    enum { MOST = 20000 };
    FailingMemory memory = {0, 0};
    AbutAllocator allocator = {failing_alloc, failing_release, &memory};
    AbutStatus status = ABUT_ERROR_MEMORY;
    int requests = 0;
    abut_set_allocator(&allocator);
    for (; requests < MOST && status != ABUT_OK; ++requests) {
        memory.left = requests;
        status = work();
        if ((status != ABUT_OK && status != ABUT_ERROR_MEMORY) || memory.live != 0 ||
            (status == ABUT_OK && memory.left < 0))
            break;
    }
    abut_set_allocator(NULL);
    if (status != ABUT_OK || memory.live != 0 || memory.left < 0)
        fail_msg("%s, request %d fails: status %d (%s), %d blocks are left", name, requests, (int)status,
            abut_status_text(status), memory.live);
    return requests;
}

#endif
