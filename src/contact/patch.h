/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The geometry of a contact, for this room and the simulation: the patch of two grown bodies, the moments of its
 * surface. Everything is in the frame of A; the normal points from A to B.
 */
#ifndef ABUT_CONTACT_PATCH_H
#define ABUT_CONTACT_PATCH_H

#include "abut/contact.h"
#include "contact/grown.h"
#include "solve/solve.h"

/* ---- patch.c ----------------------------------------------------------------------------------------------------- */

/* Feature that a round body touches: nothing of these, a face or a plane along its normal, an edge or a corner of a
 * body with faces. */
typedef enum AbutSeat { ABUT_SEAT_NONE = 0, ABUT_SEAT_FLAT, ABUT_SEAT_EDGE } AbutSeat;

typedef struct AbutPatch {
    double volume;
    AbutVec3 centroid, normal, e1, e2; /* e1, e2, normal: a right-handed frame */
    double area;                       /* half the projected surface: area of the shadow along the normal */
    double low, high;                  /* extent along the normal, from the centroid */
    double polygon_area;
    double length;    /* root mean square distance from the centroid */
    double torsion;   /* factor on the twisting friction of the vertices; 1 unless uniform pressure is asked for */
    double plane[3];  /* the thickness as a plane: at the centroid, slopes along e1, e2 */
    int vertex_count; /* of the contact polygon */
    int round;        /* 1: from the distance of a round body; there is no overlap polyhedron */
    int flat;         /* 1: one face of the overlap looks up and one down: a face lies on a face */
    AbutSeat seat;    /* of a round body ... */
    int seat_of_b;    /* ... which is B, not A */
    double x[ABUT_CONTACT_VERTICES], y[ABUT_CONTACT_VERTICES]; /* about the centroid, along e1, e2 */
    double thickness[ABUT_CONTACT_VERTICES];
} AbutPatch;

/* Vertex i on the contact plane, frame of A. */
static inline AbutVec3 abut_patch_vertex(const AbutPatch *patch, int i) {
    AbutVec3 across = abut_add(abut_scale(patch->e1, patch->x[i]), abut_scale(patch->e2, patch->y[i]));
    return abut_add(patch->centroid, across);
}

/* Two grown bodies, and what is known of the pair. */
typedef struct AbutPatchPair {
    const AbutGrownBody *a, *b;
    AbutPose b_in_a;
    AbutVec3 last_normal; /* decides where the overlap has no normal of its own; zero: none */
    AbutVec3 lean;        /* where a disc that lies flat has its first corner, from its middle; zero: anywhere */
    int uniform_torsion;
} AbutPatchPair;

/*
 * Overlap of the pair and its patch. 1: both are there; 0: no overlap; -1: not decided. The overlap points into the
 * workspace, of abut_contact_workspace_size. `cache` may be NULL.
 */
int abut_patch_find(const AbutPatchPair *pair, AbutOverlapCache *cache, void *workspace, size_t workspace_size,
    AbutOverlap *overlap, AbutPatch *patch);

/* ---- round_distance.c -------------------------------------------------------------------------------------------- */

/* Nearest or deepest points of a pair with a round body. */
typedef struct AbutRoundHit {
    double distance, gap; /* gap: bound on the error */
    AbutVec3 normal, point_a, point_b;
} AbutRoundHit;

static inline int abut_patch_is_round(const AbutPatchPair *pair) { return pair->a->round || pair->b->round; }

/* Signed distance of the bodies before growing; last_normal is where the search begins. 1: the hit, nearer than `far`;
 * 0: farther, the normal alone is set; -1: not decided. */
int abut_round_distance(const AbutPatchPair *pair, double far, AbutRoundHit *hit);

/* Face of a box or polyhedron whose normal is nearest to d (own frame), and that normal. */
int abut_nearest_face(const AbutConvex *c, AbutVec3 d, AbutVec3 *normal);

/* ---- round_patch.c ----------------------------------------------------------------------------------------------- */

/* The patch of a pair with a round body; as abut_patch_find. */
int abut_round_patch(const AbutPatchPair *pair, AbutPatch *patch);

/* ---- round_touch.c ----------------------------------------------------------------------------------------------- */

/* Where A (0) or B (1) was at time t, now is 0; world frame. */
typedef AbutPose AbutPoseAt(int side, double t, void *user);

/*
 * A patch of one vertex that is deeper than round bodies touch gets the normal of the moment at which they met, if that
 * was after `earliest`. Its centroid is then the point of A that lies deepest along it; gives the way from there to
 * that of B, which is where the impulse on B acts. Zero: the patch stays as it is.
 */
AbutVec3 abut_round_first_touch(
    const AbutPatchPair *pair, AbutPoseAt *pose, void *user, double earliest, AbutPatch *patch);

/* ---- moments.c --------------------------------------------------------------------------------------------------- */

/* Integrals over the surface of an overlap; r is the place from the centroid, h its distance from the contact plane. */
typedef struct AbutSurfaceMoments {
    double s;    /* area */
    AbutVec3 m1; /* of r */
    AbutMat3 m2; /* of r r^T */
    double c0;   /* of h */
    AbutVec3 c1; /* of h r */
} AbutSurfaceMoments;

/* With `projected`, over the surface seen along the normal: every point moved onto the contact plane, areas shortened
 * to match. */
AbutSurfaceMoments abut_surface_moments(const AbutOverlap *overlap, const AbutPatch *patch, int projected);

AbutMat6 abut_moments_matrix(const AbutSurfaceMoments *m); /* Q */
void abut_moments_right_side(
    const AbutSurfaceMoments *m, double slop, double side[6]); /* C^T nu with h less slop / 2 */

/* Thickness of the patch by the paper's fit, in place of the plane through volume and first moments. */
void abut_patch_fit_moments(const AbutSurfaceMoments *m, AbutPatch *patch);

#endif
