/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is taken in pieces and freed as a whole. A zeroed pool is empty. */
#ifndef ABUT_BASE_POOL_H
#define ABUT_BASE_POOL_H

#include "abut/base.h"

typedef struct AbutPoolBlock AbutPoolBlock;
typedef struct AbutPool {
    AbutPoolBlock *block;
} AbutPool;

void *abut_pool_take(AbutPool *pool, size_t bytes); /* aligned to 16; NULL: no memory */
/* Zeroed, with one element more than `count`; *good becomes 0 where there is no memory. */
void *abut_pool_take_array(AbutPool *pool, size_t count, size_t bytes_each, int *good);
char *abut_pool_text(AbutPool *pool, const char *text, size_t count); /* a zero-terminated copy */
void abut_pool_free(AbutPool *pool);                                  /* leaves an empty pool */

#endif
