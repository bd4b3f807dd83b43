/* SPDX-License-Identifier: Apache-2.0 */
/* Private: what stands inside the block of an AbutSoftBody, and the steps that make it. */
#ifndef ABUT_SRC_DIRECTION_BODY_H
#define ABUT_SRC_DIRECTION_BODY_H

#include "abut/direction.h"
#include "shape/ball_tree.h"

enum { ABUT_SOFT_LEAF = 8, ABUT_SOFT_DEPTH = 64, ABUT_SOFT_GRID_PADDING = 4 };

/* A piece of the surface. */
typedef struct AbutSoftSample {
    AbutVec3 p, area_vector;
    double area;
} AbutSoftSample;

static inline const void *abut_soft_part(const AbutSoftBody *body, uint64_t at) {
    return (const unsigned char *)body + at;
}

static inline const float *abut_soft_grid(const AbutSoftBody *body) {
    return (const float *)abut_soft_part(body, body->grid_at);
}

static inline const AbutSoftSample *abut_soft_samples(const AbutSoftBody *body) {
    return (const AbutSoftSample *)abut_soft_part(body, body->sample_at);
}

static inline const AbutBallNode *abut_soft_sample_nodes(const AbutSoftBody *body) {
    return (const AbutBallNode *)abut_soft_part(body, body->sample_node_at);
}

static inline const AbutVec3 *abut_soft_points(const AbutSoftBody *body) {
    return (const AbutVec3 *)abut_soft_part(body, body->point_at);
}

static inline const AbutBallNode *abut_soft_point_nodes(const AbutSoftBody *body) {
    return (const AbutBallNode *)abut_soft_part(body, body->point_node_at);
}

/* Samples of a surface at the given spacing, in an array to be freed. */
AbutStatus abut_soft_sample_mesh(
    const AbutMesh *mesh, double spacing, int32_t *count, AbutSoftSample **out, AbutError *error);

/* Points without area: vertices, and places along sharp edges. To be freed. */
AbutStatus abut_soft_point_mesh(const AbutMesh *mesh, double spacing, int32_t *count, AbutVec3 **out, AbutError *error);

/* Signed distances at the nodes of the grid that the header describes; or none yet. */
void abut_soft_fill_grid(const AbutSoftBody *body, const AbutMeshTree *tree, int threads, float *out);
void abut_soft_empty_grid(const AbutSoftBody *body, float *out);

/* Before the block of a lazy body stands the tree that its grid is filled from. */
enum { ABUT_SOFT_LAZY_BYTES = 64 };

static inline AbutMeshTree *abut_soft_lazy_tree(const AbutSoftBody *body) {
    return *(AbutMeshTree *const *)(const void *)((const unsigned char *)body - ABUT_SOFT_LAZY_BYTES);
}

/* Its grid, which questions may fill: the block is not in memory for reading alone. */
static inline float *abut_soft_lazy_grid(const AbutSoftBody *body) {
    return (float *)((uintptr_t)body + (uintptr_t)body->grid_at);
}

/* Sets the offsets and the size of the block from its counts; 0 when it would be too large. */
int abut_soft_lay_out(AbutSoftBody *body);

/* What `content` of a full body should be. */
uint64_t abut_soft_content(const AbutSoftBody *body);

#endif
