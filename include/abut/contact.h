/* SPDX-License-Identifier: Apache-2.0 */
/*
 * contact: the description of a contact. Where two bodies overlap, grown by a thin margin, the overlap polyhedron has a
 * normal and a shadow along it, the contact polygon; forces act at the vertices of that polygon and sum to one wrench.
 * This one description serves the simulation, the logs, the pages and the mode room.
 *
 * Signs: the normal points from A to B, a force is that of A on B. World axes unless stated otherwise.
 */
#ifndef ABUT_CONTACT_H
#define ABUT_CONTACT_H

#include "abut/direction.h"
#include "abut/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ids of bodies and shapes in a scene; zeroed: none. */
typedef struct AbutBodyId {
    uint32_t index1; /* slot plus one; 0: null */
    uint32_t generation;
} AbutBodyId;

typedef struct AbutShapeId {
    uint32_t index1;
    uint32_t generation;
} AbutShapeId;

/* ---- one pair in contact ----------------------------------------------------------------------------------------- */

enum { ABUT_CONTACT_VERTICES = 8 };

/* Two shapes in contact. Forces are zero if the contact was found without a simulation. */
typedef struct AbutContact {
    AbutBodyId body_a, body_b; /* null, like the shapes, if one of them was removed or the pair excluded since */
    AbutShapeId shape_a, shape_b;
    AbutVec3 normal;          /* unit, from A to B */
    AbutVec3 center;          /* centroid of the overlap (with margins) */
    AbutVec3 force, torque;   /* of A on B; the torque about `center` */
    AbutVec3 pressure_center; /* point of action of the normal force */
    double area, volume;      /* of the contact polygon; of the overlap with margins */
    double depth;    /* extent of the overlap along the normal less both margins, at least 0; above the true depth by up
                        to a few margins at corners and edges that turn the normal */
    int32_t sliding; /* 0: sticks everywhere */
    int32_t vertex_count;
    struct AbutContactVertex {
        AbutVec3 point;  /* on the contact plane */
        AbutVec3 force;  /* on B, N */
        double pressure; /* normal force over its share of the area, Pa */
        int32_t sliding;
    } vertex[ABUT_CONTACT_VERTICES];
} AbutContact;

/* Contacts of a scene or of a step; zeroed: none. */
typedef struct AbutContactList {
    AbutContact *contacts;
    int32_t count;
    double
        noise; /* contact points on the true bodies: their largest gap, as a fraction of the size of a body; else 0 */
} AbutContactList;

ABUT_API void abut_contact_list_free(AbutContactList *list); /* leaves an empty list */

/* ---- finding the contact of two bodies --------------------------------------------------------------------------- */

/* Two bodies of any kind, placed in one frame. */
typedef struct AbutConvexContact {
    const AbutConvex *a, *b;
    AbutPose pose_a, pose_b;
    double margin; /* of each body, m, 0 or above */
} AbutConvexContact;

/*
 * The contact of a pair in one call, which allocates.
 * *found is 1 for a contact, in the frame of the poses, without bodies and shapes; 0 if they are farther apart than the
 * sum of their margins; -1 if undecided (a non-finite pose, two half-spaces). Volume and center
 * are those of the overlap; the area is that of its shadow; the polygon is reduced to at most ABUT_CONTACT_VERTICES
 * corners.
 *
 * With a round body normal and depth are those of the exact distance, and the vertices a point, the two ends of a line,
 * or eight corners of a disc. Pairs with another kind (rounded, flat, a support function, a plane) touch in one point,
 * halfway between their witness points, if they are at most both margins apart, with the depth of the distance and
 * neither area nor volume.
 */
ABUT_API AbutStatus abut_contact_of_pair(
    const AbutConvexContact *query, AbutContact *out, int *found, AbutError *error);

/* Where two bodies touch: points in one plane, halfway between their features. */
typedef struct AbutContactFeatures {
    AbutVec3 normal;        /* unit, from A to B */
    double distance;        /* of the bodies, negative in penetration */
    int32_t part_a, part_b; /* feature of a body: ABUT_PART_VERTEX (any point), EDGE (any line), FACE or PLANE */
    int32_t count;
    AbutVec3 point[ABUT_CONTACT_VERTICES];
    double gap[ABUT_CONTACT_VERTICES]; /* between the bodies at the point, along the normal; negative in penetration */
} AbutContactFeatures;

/*
 * Contact points on the true bodies, for contact modes and grasps: nothing is grown, and nothing is allocated. Returns
 * 1 for bodies at most two margins apart, with points whose gaps are at most that, in the frame of the poses; 0 for
 * bodies farther apart; -1 if undecided (a non-finite pose, a negative margin, two half-spaces). Points nearer to each
 * other than twice that distance are merged, and at most ABUT_CONTACT_VERTICES remain. A flat disc has eight corners of
 * its rim.
 */
ABUT_API int abut_contact_features(const AbutConvexContact *query, AbutContactFeatures *out);

/*
 * Settles a body onto what it nearly touches. Bodies A of the pairs stand, bodies B are parts of the one that moves:
 * *move is the least motion (about the origin of the first B, angles times `length`) after which every contact point of
 * a pair that is within two of its margins has no gap, to 1e-6 of the margin. It takes pose_b to
 * abut_pose_mul(*move, pose_b). Returns the number of these points; 0: nothing is that near; -1: no such motion was
 * found, as between walls that are too far apart, or a number is not finite or not above 0. Allocates nothing.
 */
ABUT_API int abut_contact_settle(const AbutConvexContact *pairs, int count, double length, AbutPose *move);

/* ---- bodies that press on each other ---------------------------------------------------------------------------- */

/* A body that presses on another. */
typedef struct AbutPressureBody {
    const AbutSoftBody *surface; /* samples of the surface and its distance field; NULL: no samples */
    /* The field of this body instead: point or segment with a radius, box, half-space, cylinder or polyhedron (outside
     * its edges the largest distance from a face plane). NULL: that of the surface. */
    const AbutConvex *solid;
} AbutPressureBody;

/* The law of pressure: P = pressure ((reach - phi) / reach)^power where the distance field phi of the other body is
 * below `reach`, else 0. */
typedef struct AbutPressureDef {
    double pressure;    /* Pa for surfaces in contact; above 0 */
    double reach;       /* m, above 0 */
    int32_t power;      /* 2 to 8; 0: 4 */
    int32_t derivative; /* 1: also compute the derivative */
} AbutPressureDef;

enum { ABUT_PRESSURE_POINTS = 8 };

typedef struct AbutPressure {
    int32_t valid;           /* 0: bad pose or settings, or bodies without samples or field; no numbers */
    int32_t samples;         /* number under pressure */
    AbutVec3 force, torque;  /* on B, N and N m, the torque about its origin; axes of A. The opposite acts on A */
    double derivative[6][6]; /* row: of force and torque; column: as B moves, and as it turns about its origin */
    AbutVec3 center;         /* center of pressure, frame of A */
    double load;             /* N: pressure times area, summed */
    double area;             /* m^2 under pressure; of both surfaces if both have samples */
    double nearest;          /* least field value of the tested samples, at most `reach` */
    int32_t point_count;
    /* One group of pressed samples. */
    struct AbutPressurePoint {
        AbutVec3 place;            /* its center of pressure, frame of A */
        AbutVec3 force;            /* on B, N, axes of A */
        AbutVec3 normal;           /* unit: direction in which B separates there, by the gradients of the fields; points
                                      within 60 degrees of each other share it */
        double load;               /* N: pressure times area, whatever its direction */
        double stiffness;          /* N/m: increase of the load as the bodies approach */
    } point[ABUT_PRESSURE_POINTS]; /* the samples in a few groups, for friction and damping */
} AbutPressure;

/*
 * The force of two bodies that press on each other wherever they come nearer than `reach`: minus the gradient of the
 * integral of P over the volume of each body, so no motion gains energy except by the error of the samples, which
 * scales with the square of their spacing. Continuous in the pose for any closed bodies. If the samples of a body are
 * more than twice as far apart as those of the other, they are ignored and the others count twice. Allocates nothing.
 */
ABUT_API AbutPressure abut_pressure_force(
    AbutPressureBody a, AbutPressureBody b, AbutPose b_in_a, const AbutPressureDef *def);

/* ---- contact at a point, for contact modes ----------------------------------------------------------------------- */

/* A contact that acts at one point. Bodies are numbered by the user of the list; -1 is a fixed body. */
typedef struct AbutPointContact {
    AbutVec3 point, normal;        /* the normal points from A to B, any length but zero */
    AbutVec3 tangent_x, tangent_y; /* of any length, at right angles to each other and the normal; zero: chosen */
    int body_a, body_b;
} AbutPointContact;

#ifdef __cplusplus
}
#endif

#endif
