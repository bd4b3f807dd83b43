/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of the search: states of the object with fingers at it, each reached from its parent by one motion. */
#ifndef ABUT_MANIPULATION_SEARCH_H
#define ABUT_MANIPULATION_SEARCH_H

#include "manipulation/manip.h"

enum { ABUT_MANIP_CANDIDATES = 160 };

/* Found once for a state. */
typedef struct AbutManipSight {
    AbutManipStance stance;
    int32_t mode_count;
    int8_t *modes; /* mode_count x touches: states */
    int have_free;
    uint8_t free_at[ABUT_MANIP_POINTS]; /* points where a finger has room */
} AbutManipSight;

typedef struct AbutManipNode {
    AbutPose x;
    AbutManipHold hold; /* as many as the task has fingers */
    int32_t parent, fails;
    double left; /* to the goal */
    int32_t relocation[ABUT_MANIP_FINGERS], relocation_count;
    int32_t step_count, touch_count, falls;
    AbutPose *path;
    char mode[64];
    AbutManipSight *sight; /* NULL: not looked at yet */
} AbutManipNode;

typedef struct AbutManipSearch {
    AbutManip m;
    const AbutManipOptions *options;
    AbutPool pool;           /* of what nodes own */
    AbutManipCourse *course; /* of the candidate that is tried */
    AbutManipNode *node;
    int32_t count;
    size_t capacity;
    int32_t goal; /* the node; -1: not found */
    double left;
    uint64_t modes;
    int out_of_memory;
    AbutError *error;
} AbutManipSearch;

/* A velocity of a mode that leads towards a target. */
typedef struct AbutManipCandidate {
    double score; /* how much of the wish; 0: taken */
    AbutManipPattern pattern;
    double u[6];
} AbutManipCandidate;

/* sight.c: NULL: no memory. */
AbutManipSight *abut_manip_look(AbutManipSearch *s, AbutManipNode *node);
const uint8_t *abut_manip_room(AbutManipSearch *s, AbutManipSight *sight);
int32_t abut_manip_candidates(
    AbutManipSearch *s, const AbutManipSight *sight, AbutPose target, AbutManipCandidate *out);

/* search.c */
int32_t abut_manip_add_node(AbutManipSearch *s, const AbutManipNode *node, const AbutManipPath *path);
/* Can the fingers that move before the motion of a node get to their points without touching anything? */
int abut_manip_has_ways(const AbutManipSearch *s, const AbutManipNode *from, const AbutManipNode *node);
int abut_manip_is_goal(const AbutManip *m, AbutPose x);
void abut_manip_name_mode(AbutManipNode *node, const AbutManipStance *stance, const AbutManipPattern *pattern);
AbutStatus abut_manip_search(AbutManipSearch *s, AbutManipPlan *out);

/* shorten.c: joins motions of the path of nodes, in place; gives its new length. */
int32_t abut_manip_shorten(AbutManipSearch *s, int32_t *path, int32_t count, int32_t tries);

#endif
