/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes of a scene grown by a margin of contact: equal geometry with the same margin is grown once. */
#ifndef ABUT_SCENE_GROWN_SET_H
#define ABUT_SCENE_GROWN_SET_H

#include "contact/grown.h"
#include "scene/scene.h"

typedef struct AbutGrownEntry {
    const AbutGeometry *geometry; /* retained */
    double own;                   /* margin that the shape states, or a rule of pairs; 0: none */
    int32_t place;                /* of a shape that has it */
    AbutGrownBody body;
} AbutGrownEntry;

/* A piece of a height field, made when something comes near it. */
typedef struct AbutGrownPiece {
    const AbutGeometry *geometry; /* retained */
    const AbutGrownBody *whole;   /* what `of_shape` has for its height field */
    AbutPolyhedron *polyhedron;   /* as it is */
    AbutGrownBody body;
    int32_t piece, used;
} AbutGrownPiece;

/*
 * Margins of contact: what a shape states; else `fixed` for all; where that is negative, the larger of `of_size` times
 * the size of a shape and `of_root` times the root of it. Shapes that forces do not move have no more than the smallest
 * of those that they do; a half-space has none of its own (abut_grown_beside). A margin that a pair states goes before
 * all that (abut_grown_whole). Where the rule is `alone`, `fixed` holds whatever shapes and pairs state.
 */
typedef struct AbutMarginRule {
    double fixed, of_size, of_root;
    int32_t alone, pad;
} AbutMarginRule;

/* Zeroed: empty. */
typedef struct AbutGrownSet {
    const AbutGrownBody **of_shape; /* by shape place; NULL for shapes that touch nothing; of a height field its box */
    size_t of_shape_capacity;
    AbutGrownEntry *entry;
    int32_t entry_count;
    int32_t *slot; /* hash table of the entries, by geometry and margin of its own */
    size_t slot_count;
    AbutMarginRule rule;
    double largest;         /* margin of any shape or pair */
    size_t workspace_bytes; /* enough for the contact of any two that are finished */
    size_t piece_bytes;     /* of two pieces of height fields */
    int32_t open_count;     /* bodies that are not finished */
    int32_t finished_pairs; /* AbutGrowWhich: those of these pairs are, as of `finished_at` */
    uint32_t finished_at;
    int32_t field_count;      /* height fields */
    AbutGrownPiece **of_pair; /* by pair place: the piece of its height field; NULL: it has none */
    size_t of_pair_capacity;
    AbutGrownPiece **piece; /* all there are */
    size_t piece_capacity;
    int32_t piece_count, pieces_current;
    int32_t *piece_slot; /* hash table of them */
    size_t piece_slot_capacity;
    uint32_t seen_pairs; /* of the scene, when they were found */
} AbutGrownSet;

int abut_margin_rule_same(AbutMarginRule a, AbutMarginRule b);

/* Brings the set in step with the shapes of the scene; what is there already is used again, and polyhedra stay open
 * until a pair needs them. On failure it is empty. */
AbutStatus abut_grown_set_update(AbutGrownSet *set, const AbutScene *scene, AbutMarginRule rule, AbutError *error);
void abut_grown_set_free(AbutGrownSet *set);

typedef enum AbutGrowWhich {
    ABUT_GROW_ALL = 0,
    ABUT_GROW_PAIRS,       /* of pairs of the scene */
    ABUT_GROW_CONVEX_PAIRS /* of those that do not touch by the features of a mesh */
} AbutGrowWhich;

/* Finishes bodies. Most shapes of a robot never touch anything, and a hull of many faces takes milliseconds. On failure
 * the set is empty. */
AbutStatus abut_grown_set_finish(
    AbutGrownSet *set, const AbutScene *scene, AbutGrowWhich which, int threads, AbutError *error);

/* Pieces of height fields in step with the pairs of the scene; those that no pair has had for a while are freed. */
AbutStatus abut_grown_set_pieces(AbutGrownSet *set, const AbutScene *scene, AbutError *error);
void abut_grown_pieces_free(AbutGrownSet *set);

/* One piece of a shape that is a height field, to be freed. */
AbutStatus abut_grown_piece_create(
    const AbutShape *field, int32_t piece, double margin, AbutGrownPiece **out, AbutError *error);
void abut_grown_piece_free(AbutGrownPiece *piece); /* accepts NULL */

size_t abut_grown_piece_workspace(void); /* enough for the contact of two pieces; 0: no memory */

/* A shape as it is in a pair that states this margin; 0: the pair states none. Together, the margins of two shapes. */
const AbutGrownBody *abut_grown_with(const AbutGrownSet *set, const AbutScene *scene, int32_t shape, double margin);
double abut_grown_margins(const AbutGrownSet *set, const AbutScene *scene, int32_t a, int32_t b);

/* A side of a pair as a whole. */
static inline const AbutGrownBody *abut_grown_whole(
    const AbutGrownSet *set, const AbutScene *scene, int32_t shape, int32_t pair) {
    double margin = scene->pair[pair].margin;
    return margin > 0.0 ? abut_grown_with(set, scene, shape, margin) : set->of_shape[shape];
}

/* The piece of the height field that a side of a pair is; NULL: that side is none. */
static inline const AbutGrownBody *abut_grown_piece(const AbutGrownSet *set, int32_t shape, int32_t pair) {
    const AbutGrownPiece *piece = set->field_count > 0 ? set->of_pair[pair] : NULL;
    return piece && piece->whole == set->of_shape[shape] ? &piece->body : NULL;
}

/* A side of a pair: the shape, or the piece of it that the pair is about. */
static inline const AbutGrownBody *abut_grown_side(
    const AbutGrownSet *set, const AbutScene *scene, int32_t shape, int32_t pair) {
    const AbutGrownBody *piece = abut_grown_piece(set, shape, pair);
    return piece ? piece : abut_grown_whole(set, scene, shape, pair);
}

/* The body as it is in a pair with the other: a half-space takes the margin of its partner. It may stand in `room`. */
const AbutGrownBody *abut_grown_beside(const AbutGrownBody *body, const AbutGrownBody *other, AbutGrownBody *room);

#endif
