/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many equal bodies that stand, as scans and occupancy maps give them: balls around points, or cubes along the axes,
 * which may be rounded. A grid of at most 64 cells along each axis knows for every cell how far the next occupied one
 * is at least, and the points of occupied cells follow each other.
 */
#ifndef ABUT_SRC_PROOF_CLOUD_H
#define ABUT_SRC_PROOF_CLOUD_H

#include "abut/proof.h"

enum { ABUT_CLOUD_SIDE = 64, ABUT_CLOUD_FAR = 100 };

/* An occupied cell: bounds of its points from the middle of the grid; they begin at `start` and end with the next. */
typedef struct AbutCloudCell {
    float low[3], high[3];
    int32_t start;
} AbutCloudCell;

struct AbutCloud {
    int32_t count, cell_count;
    int32_t side[3];     /* cells along the axes */
    double size;         /* of a cell, m */
    double radius, half; /* of a body: of the ball, and half an edge of the cube within */
    AbutVec3 middle;     /* of the grid */
    AbutAabb box;        /* around the points */
    AbutSphere ball;     /* around the bodies */
    float low[3], inverse;
    float gap[ABUT_CLOUD_FAR + 1]; /* what an entry of `far` means, m; bodies without their radius */
    AbutVec3 *points;              /* by cells */
    float *at[3];                  /* the same, from the middle of the grid */
    AbutCloudCell *cells;          /* and one at the end */
    uint64_t *row;                 /* [z][y]: bits of occupied cells along x */
    int32_t *first;                /* [z][y]: occupied cells before the row */
    uint8_t *far; /* [z][y][64]: squared gap to the next occupied cell in cells, ABUT_CLOUD_FAR at most */
};

AbutStatus abut_cloud_make(
    int64_t count, const AbutVec3 *points, double radius, double half, const struct AbutCloud **out, AbutError *error);
void abut_cloud_free(const struct AbutCloud *cloud);

/* The squared distance of p, seen from the middle of the grid, to the nearest body without its radius, where that is
 * below `most` squared; else a number from there to the truth. The search ends with a body nearer than `enough`. NaN
 * where p is not finite. */
float abut_cloud_square(const struct AbutCloud *cloud, const float p[3], float most, float enough);

/* Bodies in cells that a ball of the cloud's frame may reach, cell by cell, until a call gives 0. */
typedef int AbutCloudVisit(const struct AbutCloud *cloud, int32_t cell, void *user);
void abut_cloud_visit(const struct AbutCloud *cloud, AbutSphere ball, AbutCloudVisit *visit, void *user);

/* A body about its point. */
static inline AbutConvex abut_cloud_body(const struct AbutCloud *cloud) {
    double h = cloud->half;
    return h > 0.0 ? abut_convex_box(abut_vec3(h, h, h), cloud->radius) : abut_convex_point(abut_zero(), cloud->radius);
}

#endif
