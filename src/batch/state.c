/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Save and restore of a batch: a header, the arrays, the simulations one after the other, a hash; each begins at a
 * multiple of 16 bytes. Everything is checked before anything is changed.
 */
#include <string.h>

#include "batch/batch.h"
#include "math/numbers.h"

typedef struct Header {
    uint64_t magic, bytes, model; /* model: hash of the saved start */
    int32_t worlds, watch_count;
    uint32_t fields, pad[3]; /* a bit for each array that is saved */
} Header;

/* Before the state of a simulation. */
typedef struct Block {
    uint64_t bytes;
    char reason[ABUT_REASON];
} Block;

_Static_assert(sizeof(Header) % 16 == 0 && sizeof(Block) % 16 == 0, "states begin at multiples of 16 bytes");

static const uint64_t MAGIC = 0x3168637461627561u;

static size_t array_bytes(const AbutBatch *b, int field) {
    size_t row = field == ABUT_BATCH_STATUS ? sizeof *b->status : abut_batch_width(b, field) * sizeof(double);
    return (size_t)b->worlds * row;
}

/* Arrays 0 .. FIELD_COUNT - 1 are those of the fields, the others the parameters that the simulations have. */
static void *array_of(const AbutBatch *b, int k) {
    if (k == ABUT_BATCH_STATUS) return b->status;
    return k < ABUT_BATCH_FIELD_COUNT ? b->array[k] : b->applied[k - ABUT_BATCH_FIELD_COUNT];
}

enum { ARRAYS = 2 * ABUT_BATCH_FIELD_COUNT };

static size_t bytes_of(const AbutBatch *b, int k) {
    return array_of(b, k) ? array_bytes(b, k % ABUT_BATCH_FIELD_COUNT) : 0;
}

static size_t rounded(size_t bytes) { return (bytes + 15) & ~(size_t)15; }

static Header describe(const AbutBatch *b) {
    Header h = {.magic = MAGIC, .worlds = b->worlds, .watch_count = b->watch_count};
    h.model = abut_hash(b->start, b->start_bytes, 0);
    for (int f = 0; f < ABUT_BATCH_FIELD_COUNT; ++f) h.fields |= array_of(b, f) ? 1u << f : 0u;
    return h;
}

size_t abut_batch_state_size(const AbutBatch *b) {
    ABUT_ASSERT(b);
    size_t bytes = sizeof(Header) + sizeof(uint64_t);
    for (int k = 0; k < ARRAYS; ++k) bytes += rounded(bytes_of(b, k));
    for (int32_t i = 0; i < b->worlds; ++i)
        bytes += sizeof(Block) + rounded(abut_simulation_state_size(b->world[i].sim));
    return bytes;
}

void abut_batch_save(const AbutBatch *b, void *state) {
    ABUT_ASSERT(b && state);
    unsigned char *at = state;
    Header h = describe(b);
    h.bytes = abut_batch_state_size(b);
    memset(state, 0, h.bytes);
    memcpy(at, &h, sizeof h);
    at += sizeof h;
    for (int k = 0; k < ARRAYS; ++k) {
        size_t bytes = bytes_of(b, k);
        if (bytes) memcpy(at, array_of(b, k), bytes);
        at += rounded(bytes);
    }
    for (int32_t i = 0; i < b->worlds; ++i) {
        Block block = {.bytes = abut_simulation_state_size(b->world[i].sim)};
        memcpy(block.reason, b->world[i].reason, ABUT_REASON);
        memcpy(at, &block, sizeof block);
        abut_simulation_save(b->world[i].sim, at + sizeof block);
        at += sizeof block + rounded((size_t)block.bytes);
    }
    uint64_t hash = abut_hash(state, (size_t)(at - (unsigned char *)state), 0);
    memcpy(at, &hash, sizeof hash);
}

static AbutStatus check(const AbutBatch *b, const void *state, size_t bytes, Header *h, AbutError *error) {
    Header own = describe(b);
    uint64_t hash;
    if (bytes < sizeof *h + sizeof hash)
        return abut_fail(error, ABUT_ERROR_FORMAT, "saved batch: %zu bytes are too few", bytes);
    memcpy(h, state, sizeof *h);
    if (h->magic != MAGIC || h->bytes != bytes)
        return abut_fail(error, ABUT_ERROR_FORMAT, "saved batch: not a state of this version, or cut short");
    memcpy(&hash, (const unsigned char *)state + bytes - sizeof hash, sizeof hash);
    if (hash != abut_hash(state, bytes - sizeof hash, 0))
        return abut_fail(error, ABUT_ERROR_FORMAT, "saved batch: damaged");
    if (h->worlds != own.worlds || h->watch_count != own.watch_count || h->model != own.model)
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "saved batch: expected %d worlds of this model with %d watches, got %d with %d%s", (int)own.worlds,
            (int)own.watch_count, (int)h->worlds, (int)h->watch_count,
            h->model != own.model ? " of another model" : "");
    return ABUT_OK;
}

/* Room for the arrays that the state has. */
static int take_arrays(AbutBatch *b, const Header *h) {
    int32_t shape[3];
    int good = 1;
    for (int f = 0; f < ABUT_BATCH_FIELD_COUNT; ++f)
        if (h->fields & 1u << f) good &= abut_batch_array(b, f, shape) != NULL;
    return good;
}

/* A field that the state lacks: as the model has it. */
static void put_model(AbutBatch *b, int field) {
    size_t width = abut_batch_width(b, field);
    for (int32_t i = 0; i < b->worlds; ++i)
        if (b->model_row[field])
            memcpy(abut_batch_row(b, field, i), b->model_row[field], width * sizeof(double));
        else
            memset(abut_batch_row(b, field, i), 0, width * sizeof(double));
}

/* Copies the arrays of the state: parameters that simulations had into the arrays of the fields (`applied`), so that
 * each world takes them over, or the fields. Returns what follows. */
static const unsigned char *restore_arrays(AbutBatch *b, const Header *h, const unsigned char *at, int applied) {
    for (int k = 0; k < ARRAYS; ++k) {
        int f = k % ABUT_BATCH_FIELD_COUNT;
        size_t bytes = bytes_of(b, k);
        if (bytes && !(h->fields & 1u << f)) {
            if (k == f) put_model(b, f);
        } else if (bytes) {
            if (applied || k == f) memcpy(array_of(b, f), at, bytes);
            at += rounded(bytes);
        }
    }
    return at;
}

static AbutStatus restore_world(
    AbutBatch *b, int32_t world, const Block *block, const unsigned char *state, AbutError *error) {
    AbutWorld *w = &b->world[world];
    ABUT_TRY(abut_world_tune(b, world, error));
    ABUT_TRY(abut_simulation_restore(w->sim, state, (size_t)block->bytes, error));
    memcpy(w->reason, block->reason, ABUT_REASON);
    if (b->applied[ABUT_BATCH_GRAVITY])
        abut_vec3_put(abut_simulation_settings(w->sim).gravity, b->applied[ABUT_BATCH_GRAVITY] + 3 * (size_t)world);
    return ABUT_OK;
}

AbutStatus abut_batch_restore(AbutBatch *b, const void *state, size_t bytes, AbutError *error) {
    ABUT_ASSERT(b && (state || bytes == 0));
    Header h;
    ABUT_TRY(check(b, state, bytes, &h, error));
    if (!take_arrays(b, &h)) return abut_fail_memory(error);
    const unsigned char *arrays = (const unsigned char *)state + sizeof h, *at = restore_arrays(b, &h, arrays, 1);
    for (int32_t i = 0; i < b->worlds; ++i) {
        Block block;
        memcpy(&block, at, sizeof block);
        ABUT_TRY(restore_world(b, i, &block, at + sizeof block, error));
        at += sizeof block + rounded((size_t)block.bytes);
    }
    restore_arrays(b, &h, arrays, 0);
    return ABUT_OK;
}
