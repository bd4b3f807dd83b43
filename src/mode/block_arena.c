/* SPDX-License-Identifier: Apache-2.0 */
/* The block arena: memory that engines take piece by piece and give back by a mark; blocks are kept for the next round.
 */
#include "mode/block_arena.h"

#include <string.h>

/* Goes on to the next block that is large enough, or links a new one behind the current. NULL without memory. */
void *abut_mode_arena_more(AbutModeArena *arena, size_t bytes) {
    AbutModeBlock *block = arena->block ? arena->block->next : arena->first;
    if (!block || block->size - ABUT_MODE_BLOCK_HEAD < bytes) {
        size_t size = (size_t)1 << 18;
        if (size < bytes + ABUT_MODE_BLOCK_HEAD) size = bytes + ABUT_MODE_BLOCK_HEAD;
        AbutModeBlock *fresh = abut_alloc(size);
        if (!fresh) return NULL;
        fresh->size = size, fresh->next = block;
        if (arena->block)
            arena->block->next = fresh;
        else
            arena->first = fresh;
        block = fresh;
    }
    arena->block = block;
    arena->used = ABUT_MODE_BLOCK_HEAD + bytes;
    return (unsigned char *)block + ABUT_MODE_BLOCK_HEAD;
}

void abut_mode_arena_free(AbutModeArena *arena) {
    for (AbutModeBlock *block = arena->first; block;) {
        AbutModeBlock *next = block->next;
        abut_free(block);
        block = next;
    }
    memset(arena, 0, sizeof *arena);
}
