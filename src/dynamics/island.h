/* SPDX-License-Identifier: Apache-2.0 */
/* Islands (island.c), and which bodies and pairs a step looks at (awake.c). */
#ifndef ABUT_DYNAMICS_ISLAND_H
#define ABUT_DYNAMICS_ISLAND_H

#include "abut/dynamics.h"

#include <stddef.h>

typedef struct AbutIsland {
    int32_t first, count; /* contacts: AbutIslands.contact[first] .. */
    int32_t sweeps, capped, contacts, asleep;
    int32_t starved;                                        /* no memory for a Newton step or a compact copy */
    int32_t whole;                                          /* 1: its Newton steps take all rows of robots too */
    int32_t packed;                                         /* 1: swept in a compact copy */
    int32_t guarded;                                        /* 1: it gained energy from nowhere, and was solved anew */
    int32_t marks;                                          /* that its bodies have been given in this part */
    int32_t held;                                           /* awake.c */
    int32_t level;                                          /* while contacts are listed: of one that has no mate yet */
    int32_t iterations;                                     /* most sweeps, each time the step is solved */
    int32_t begun;                                          /* sweeps before the last time */
    int32_t first_tree, tree_count, first_join, join_count; /* robots in it, and what joins bodies (solver_tree.h) */
    double tolerance;                                       /* m/s */
    double rows;                                            /* guarded: part of what pushes that is not of contacts */
    double turn;                                            /* of the fastest joint in this part, rad */
    double residual, part;                                  /* part: of the step that its bodies move */
    double violation;                                       /* distance from the law of contact, m/s, when asked for */
} AbutIsland;

/* Contacts that are visited two at a time stand next to each other. */
enum { ABUT_MATE_NONE = 0, ABUT_MATE_FIRST, ABUT_MATE_SECOND };

/* Owned by the stage of islands. */
typedef struct AbutIslands {
    AbutIsland *at;
    size_t capacity;
    int32_t count;
    int32_t *order; /* contacts alive, settled ones first, by height */
    size_t order_capacity;
    int32_t order_count;
    double *height; /* by place of a contact */
    size_t height_capacity;
    int32_t *contact; /* contacts of the islands, one island after the other */
    size_t contact_capacity;
    uint8_t *mate; /* the same */
    size_t mate_capacity;
    int32_t *key, *sorted, *next; /* while they are listed: by place in `order`; places by key; of a key */
    size_t key_capacity, sorted_capacity, next_capacity;
    int32_t *parent; /* union-find over bodies */
    size_t parent_capacity;
} AbutIslands;

/* Owned by awake.c: lists for the next step. Settled is what they leave out. */
typedef struct AbutAwake {
    int32_t *body; /* movers, ascending */
    size_t body_capacity;
    int32_t body_count;
    int32_t *pair;
    size_t pair_capacity;
    int32_t pair_count, all_pairs;              /* all_pairs: alive, settled ones included */
    int32_t settled_bodies, settled_islands;    /* islands: numbers below this */
    int32_t settled_contacts, settled_vertices; /* contacts: the first of AbutIslands.order */
    double settled_depth;                       /* deepest of them */
    uint8_t *settled;                           /* by body place */
    double *settled_energy;                     /* potential, by body place */
    uint8_t *still;                             /* by body place, 1: asleep */
    size_t settled_capacity, settled_energy_capacity, still_capacity;
    uint32_t seen_revision, seen_disturbances, seen_pairs; /* of the scene when the lists were made */
    int32_t all, pairs_listed;                             /* the lists have everything; pairs are listed */
} AbutAwake;

void abut_islands_free(AbutIslands *islands);
void abut_awake_free(AbutAwake *awake);

/* awake.c. Lists of everything; the same where the scene has changed; pairs in step with the scene; everything when a
 * settled body is touched; at the end of a step: what sleeps leaves the lists. 0: no memory. */
int abut_awake_all(AbutSimulation *sim);
int abut_awake_follow(AbutSimulation *sim);
int abut_awake_list_pairs(AbutSimulation *sim);
int abut_awake_touched(AbutSimulation *sim);
void abut_awake_settle(AbutSimulation *sim);

void abut_update_sleep(AbutSimulation *sim); /* sleep.c: which islands sleep, in this step */

/* island.c: contacts at these places of `order`, from the lowest up. */
void abut_sort_by_height(AbutIslands *islands, int32_t from, int32_t to);

#endif
