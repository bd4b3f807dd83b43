/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes of a scene grown by a margin of contact: equal geometry with the same margin is grown once. */
#ifndef ABUT_SCENE_GROWN_SET_H
#define ABUT_SCENE_GROWN_SET_H

#include "scene/scene.h"

typedef struct AbutGrownEntry {
    const AbutGeometry *geometry; /* retained */
    double own;                   /* margin that the shape states; 0: none */
    AbutGrownBody body;
} AbutGrownEntry;

/*
 * Margins of contact: what a shape states; else `fixed` for all; where that is negative, the larger of `of_size` times
 * the size of a shape and `of_root` times the root of it. Shapes that forces do not move have no more than the smallest
 * of those that they do; a half-space has none of its own (abut_grown_beside).
 */
typedef struct AbutMarginRule {
    double fixed, of_size, of_root;
} AbutMarginRule;

/* Zeroed: empty. */
typedef struct AbutGrownSet {
    const AbutGrownBody **of_shape; /* by shape place; NULL for shapes that touch nothing */
    size_t of_shape_capacity;
    AbutGrownEntry *entry;
    int32_t entry_count;
    AbutMarginRule rule;
    double largest;         /* margin of any shape */
    size_t workspace_bytes; /* enough for the contact of any two */
} AbutGrownSet;

int abut_margin_rule_same(AbutMarginRule a, AbutMarginRule b);

/* Brings the set in step with the shapes of the scene; what is there already is used again. On failure it is empty. */
AbutStatus abut_grown_set_update(AbutGrownSet *set, const AbutScene *scene, AbutMarginRule rule, AbutError *error);
void abut_grown_set_free(AbutGrownSet *set);

/* The body as it is in a pair with the other: a half-space takes the margin of its partner. It may stand in `room`. */
const AbutGrownBody *abut_grown_beside(const AbutGrownBody *body, const AbutGrownBody *other, AbutGrownBody *room);

#endif
