/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is freed as a whole: a list of blocks, each used from its front and twice as large as the one before. */
#include "base/pool.h"

#include <string.h>

struct AbutPoolBlock {
    AbutPoolBlock *next;
    size_t size, used; /* bytes, this header included */
};

enum { FIRST = 1 << 10, LARGEST = 1 << 16, ALIGN = 16, HEADER = 32 };

void *abut_pool_take(AbutPool *pool, size_t bytes) {
    if (bytes > SIZE_MAX / 4) return NULL;
    bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    AbutPoolBlock *block = pool->block;
    if (!block || block->size - block->used < bytes) {
        size_t size = !block ? FIRST : block->size < LARGEST / 2 ? 2 * block->size : LARGEST;
        if (size < bytes + HEADER) size = bytes + HEADER;
        block = abut_alloc(size);
        if (!block) return NULL;
        *block = (AbutPoolBlock){pool->block, size, HEADER};
        pool->block = block;
    }
    void *memory = (char *)block + block->used;
    block->used += bytes;
    return memory;
}

void *abut_pool_take_array(AbutPool *pool, size_t count, size_t bytes_each, int *good) {
    void *memory = count < SIZE_MAX / 8 / bytes_each ? abut_pool_take(pool, (count + 1) * bytes_each) : NULL;
    if (memory) memset(memory, 0, (count + 1) * bytes_each);
    *good &= memory != NULL;
    return memory;
}

char *abut_pool_text(AbutPool *pool, const char *text, size_t count) {
    char *copy = abut_pool_take(pool, count + 1);
    if (!copy) return NULL;
    memcpy(copy, text, count);
    copy[count] = 0;
    return copy;
}

void abut_pool_free(AbutPool *pool) {
    while (pool->block) {
        AbutPoolBlock *next = pool->block->next;
        abut_free(pool->block);
        pool->block = next;
    }
}
