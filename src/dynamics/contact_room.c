/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of contacts. Places of contacts come from a pool, in serial loops, so that they do not depend on threads.
 * Vertices come in blocks of as many as a contact has, from chunks that never move; each worker takes from its own, so
 * that contacts can be built in parallel. Nothing depends on where a block lies.
 */
#include "dynamics/contact.h"

#include <string.h>

enum { FIRST = 15, CHUNK = 255, LINE = 64 };

struct AbutVertexChunk {
    AbutVertexChunk *next;
    int32_t used, size;
    char pad[LINE - 16];
    AbutSolverVertex vertex[];
};

_Static_assert(offsetof(AbutVertexChunk, vertex) == LINE, "vertices begin with a line of the cache");

/* ---- vertices ---------------------------------------------------------------------------------------------------- */

AbutVertexChunk *abut_vertices_chunk(int32_t count) {
    AbutVertexChunk *chunk = abut_alloc(sizeof *chunk + (size_t)count * sizeof *chunk->vertex);
    if (chunk) *chunk = (AbutVertexChunk){.size = count};
    return chunk;
}

/* Chunks grow, so that a simulation with few contacts is small. */
static int32_t next_size(const AbutVertexRoom *room) {
    if (!room->chunk) return FIRST;
    int32_t size = 2 * room->chunk->size + 1;
    return size < FIRST ? FIRST : size < CHUNK ? size : CHUNK;
}

static AbutSolverVertex *take_block(AbutVertexRoom *room, int count) {
    AbutSolverVertex *block = room->free[count];
    if (block) {
        memcpy(&room->free[count], (const void *)block, sizeof(void *)); /* the next free block is named in the first */
        return block;
    }
    if (!room->chunk || room->chunk->used + count > room->chunk->size) {
        AbutVertexChunk *chunk = abut_vertices_chunk(next_size(room));
        if (!chunk) return NULL;
        chunk->next = room->chunk;
        room->chunk = chunk;
    }
    room->chunk->used += count;
    return &room->chunk->vertex[room->chunk->used - count];
}

static void give_back_block(AbutVertexRoom *room, AbutSolverContact *c) {
    if (c->most == 0) return;
    memcpy((void *)c->point, &room->free[c->most], sizeof(void *));
    room->free[c->most] = c->point;
    c->point = NULL;
    c->most = c->count = 0;
}

static void free_chunks(AbutVertexRoom *room) {
    while (room->chunk) {
        AbutVertexChunk *next = room->chunk->next;
        abut_free(room->chunk);
        room->chunk = next;
    }
    memset(room, 0, sizeof *room);
}

int abut_contact_set_count(AbutContacts *contacts, AbutSolverContact *c, int count, int worker) {
    AbutVertexRoom *room = &contacts->vertices[worker];
    if (count > c->most) {
        give_back_block(room, c);
        c->point = take_block(room, count);
        c->most = c->point ? (int16_t)count : 0;
        if (!c->point) {
            room->starved = 1;
            c->touch->built_position.x = INFINITY; /* is built anew next time */
            return 0;
        }
    }
    c->count = (int16_t)count;
    memset(c->sliding, 0, sizeof c->sliding);
    memset(c->touch->vertex, 0, (size_t)count * sizeof *c->touch->vertex);
    if (count > 0) memset(c->point, 0, (size_t)count * sizeof *c->point);
    return 1;
}

int abut_contacts_starved(AbutContacts *contacts) {
    int starved = 0;
    for (int32_t i = 0; i < contacts->workers; ++i) {
        starved |= contacts->vertices[i].starved;
        contacts->vertices[i].starved = 0;
    }
    return starved;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static void link_places(AbutContacts *contacts) {
    for (int32_t i = 0; i < contacts->places; ++i) {
        contacts->at[i].touch = &contacts->touch[i];
        contacts->at[i].room = contacts->keeps ? &contacts->room[i] : NULL;
    }
}

int abut_contacts_reserve(AbutContacts *contacts, int32_t places) {
    size_t count = (size_t)places, before = contacts->touch_capacity + contacts->room_capacity;
    int good = abut_grow((void **)&contacts->at, &contacts->capacity, count, sizeof *contacts->at) &&
               abut_grow((void **)&contacts->touch, &contacts->touch_capacity, count, sizeof *contacts->touch) &&
               (!contacts->keeps ||
                   abut_grow((void **)&contacts->room, &contacts->room_capacity, count, sizeof *contacts->room));
    if (contacts->touch_capacity + contacts->room_capacity > before) link_places(contacts);
    return good;
}

int32_t abut_contact_take(AbutContacts *contacts) {
    int32_t place = contacts->free;
    if (place < 0 && !abut_contacts_reserve(contacts, contacts->places + 1)) return -1;
    if (place < 0)
        place = contacts->places++;
    else
        contacts->free = contacts->touch[place].pair;
    AbutSolverContact *c = &contacts->at[place];
    memset(c, 0, sizeof *c);
    c->touch = &contacts->touch[place];
    memset(c->touch, 0, sizeof *c->touch);
    c->touch->alive = 1;
    ++contacts->changes;
    if (contacts->keeps) {
        c->room = &contacts->room[place];
        memset(c->room, 0, sizeof *c->room);
    }
    return place;
}

void abut_contact_give_back(AbutContacts *contacts, int32_t place) {
    AbutTouch *touch = &contacts->touch[place];
    give_back_block(&contacts->vertices[0], &contacts->at[place]);
    touch->alive = 0;
    ++contacts->changes;
    touch->pair = contacts->free;
    contacts->free = place;
}

AbutSolverVertex *abut_contacts_adopt(AbutContacts *contacts, int32_t places, AbutVertexChunk *chunk) {
    contacts->places = places;
    link_places(contacts);
    for (int32_t i = 0; i < contacts->workers; ++i) free_chunks(&contacts->vertices[i]);
    contacts->vertices[0].chunk = chunk;
    for (int32_t i = 0; i < contacts->places; ++i) {
        AbutSolverContact *c = &contacts->at[i];
        c->most = c->count;
        c->point = c->count ? &chunk->vertex[chunk->used] : NULL;
        chunk->used += c->count;
    }
    return chunk->vertex;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

int abut_contacts_ready(AbutContacts *contacts, int32_t workers, int keeps) {
    size_t count = (size_t)workers, places = (size_t)contacts->places;
    if (!abut_grow((void **)&contacts->vertices, &contacts->vertices_capacity, count, sizeof *contacts->vertices) ||
        (keeps && !abut_grow((void **)&contacts->room, &contacts->room_capacity, places, sizeof *contacts->room)))
        return 0;
    for (; contacts->workers < workers; ++contacts->workers)
        memset(&contacts->vertices[contacts->workers], 0, sizeof *contacts->vertices);
    contacts->keeps = keeps;
    link_places(contacts);
    return 1;
}

void abut_contacts_forget_models(AbutContacts *contacts) {
    for (int32_t i = 0; i < contacts->places; ++i) {
        contacts->touch[i].whole = 0;
        if (contacts->keeps) memset(&contacts->room[i], 0, sizeof contacts->room[i]);
    }
}

void abut_contacts_free(AbutContacts *contacts) {
    for (int32_t i = 0; i < contacts->workers; ++i) free_chunks(&contacts->vertices[i]);
    abut_free(contacts->vertices);
    abut_free(contacts->at);
    abut_free(contacts->touch);
    abut_free(contacts->room);
    abut_free(contacts->memory);
    abut_free(contacts->seat_first);
}
