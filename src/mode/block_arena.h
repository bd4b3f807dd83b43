/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the mode room: the memory of an engine. */
#ifndef ABUT_SRC_MODE_BLOCK_ARENA_H
#define ABUT_SRC_MODE_BLOCK_ARENA_H

#include "abut/base.h"

/* A bump arena of linked blocks that never moves what it gave out. */
typedef struct AbutModeBlock {
    struct AbutModeBlock *next;
    size_t size;
} AbutModeBlock;

typedef struct AbutModeArena {
    AbutModeBlock *first, *block; /* block: where the bump pointer is */
    size_t used;
} AbutModeArena;

typedef struct AbutModeMark {
    AbutModeBlock *block;
    size_t used;
} AbutModeMark;

enum { ABUT_MODE_BLOCK_HEAD = 64 };

void *abut_mode_arena_more(AbutModeArena *arena, size_t bytes);
void abut_mode_arena_free(AbutModeArena *arena);

static inline void *abut_mode_arena_take(AbutModeArena *arena, size_t bytes) {
    bytes = (bytes + 63) & ~(size_t)63;
    if (ABUT_UNLIKELY(!arena->block || arena->block->size - arena->used < bytes))
        return abut_mode_arena_more(arena, bytes);
    void *at = (unsigned char *)arena->block + arena->used;
    arena->used += bytes;
    return at;
}

static inline AbutModeMark abut_mode_arena_mark(const AbutModeArena *arena) {
    AbutModeMark mark = {arena->block, arena->used};
    return mark;
}

static inline void abut_mode_arena_rewind(AbutModeArena *arena, AbutModeMark mark) {
    arena->block = mark.block ? mark.block : arena->first;
    arena->used = mark.block ? mark.used : ABUT_MODE_BLOCK_HEAD;
}

#endif
