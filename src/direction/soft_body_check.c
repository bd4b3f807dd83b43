/* SPDX-License-Identifier: Apache-2.0 */
/* Is a block of memory a soft body? Sizes, offsets, trees and numbers are looked at, so that no query can leave it. */
#include "direction/soft_body.h"
#include "direction/tolerance.h"

#include <string.h>

static AbutStatus refuse(AbutError *error, const char *what) {
    return abut_fail(error, ABUT_ERROR_FORMAT, "soft body: %s", what);
}

static int is_length(double x) { return x > 0.0 && x <= 1e3 * ABUT_SOFT_LENGTH; }

static AbutStatus check_head(const AbutSoftBody *b, size_t bytes, AbutError *error) {
    if (bytes < sizeof *b || b->magic != ABUT_SOFT_BODY_MAGIC || b->version != ABUT_SOFT_BODY_VERSION)
        return refuse(error, "not a block of this version");
    if (b->lazy != 0) return refuse(error, "a lazy one, which is no block that can be kept");
    if (!is_length(b->tau) || !is_length(b->spacing) || !is_length(b->step) || !is_length(b->margin) ||
        !is_length(b->radius) || !abut_is_finite(b->center) || !abut_is_finite(b->grid_origin) ||
        abut_max_abs(b->grid_origin) > 1e50 || abut_max_abs(b->center) > 1e50)
        return refuse(error, "its lengths are not numbers");
    for (int k = 0; k < 3; ++k)
        if (b->grid_count[k] < 4 || b->grid_count[k] > 2 * ABUT_SOFT_MAX_NODES)
            return refuse(error, "its grid has no size");
    if (b->sample_count < 1 || b->sample_count > ABUT_SOFT_MAX_SAMPLES || b->point_count < 1 ||
        b->point_count > 8 * ABUT_SOFT_MAX_SAMPLES ||
        b->sample_node_count != abut_ball_node_count(b->sample_count, ABUT_SOFT_LEAF) ||
        b->point_node_count != abut_ball_node_count(b->point_count, ABUT_SOFT_LEAF))
        return refuse(error, "its counts do not fit together");
    AbutSoftBody want = *b;
    double nodes = (double)b->grid_count[0] * b->grid_count[1] * b->grid_count[2];
    if (nodes > 2.0 * ABUT_SOFT_MAX_NODES || !abut_soft_lay_out(&want) || memcmp(&want, b, sizeof want) != 0 ||
        b->bytes != bytes)
        return refuse(error, "its parts are not where they belong");
    return ABUT_OK;
}

/* The nodes from `id` on are the tree over `count` items from `first` on. */
static int tree_is_good(const AbutBallNode *nodes, int32_t id, int32_t first, int32_t count) {
    const AbutBallNode *n = &nodes[id];
    if (n->first != first || n->count != count || !abut_is_finite(n->center) || abut_max_abs(n->center) > 1e50 ||
        !(n->radius >= 0.0 && n->radius <= 1e50))
        return 0;
    if (count <= ABUT_SOFT_LEAF) return n->right == -1;
    int32_t half = count / 2;
    return n->right == id + 1 + abut_ball_node_count(half, ABUT_SOFT_LEAF) &&
           tree_is_good(nodes, id + 1, first, half) && tree_is_good(nodes, n->right, first + half, count - half);
}

static int numbers_are_good(const AbutSoftBody *b) {
    size_t nodes = (size_t)b->grid_count[0] * (size_t)b->grid_count[1] * (size_t)b->grid_count[2];
    for (size_t i = 0; i < nodes + ABUT_SOFT_GRID_PADDING; ++i)
        if (!isfinite(abut_soft_grid(b)[i])) return 0;
    for (int32_t i = 0; i < b->sample_count; ++i) {
        const AbutSoftSample *s = &abut_soft_samples(b)[i];
        if (!abut_is_finite(s->p) || abut_max_abs(s->p) > 1e50 || !abut_is_finite(s->area_vector) ||
            abut_max_abs(s->area_vector) > 1e100 || !(s->area > 0.0 && s->area <= 1e100))
            return 0;
    }
    for (int32_t i = 0; i < b->point_count; ++i)
        if (!abut_is_finite(abut_soft_points(b)[i]) || abut_max_abs(abut_soft_points(b)[i]) > 1e50) return 0;
    return 1;
}

AbutStatus abut_soft_body_check(const void *block, size_t bytes, AbutError *error) {
    ABUT_ASSERT(block || bytes == 0);
    if (((uintptr_t)block & 63) != 0) return refuse(error, "not aligned to 64 bytes");
    const AbutSoftBody *b = block;
    AbutStatus status = check_head(b, bytes, error);
    if (status != ABUT_OK) return status;
    if (abut_soft_content(b) != b->content) return refuse(error, "its content has been changed");
    if (!tree_is_good(abut_soft_sample_nodes(b), 0, 0, b->sample_count) ||
        !tree_is_good(abut_soft_point_nodes(b), 0, 0, b->point_count))
        return refuse(error, "its trees are not sound");
    return numbers_are_good(b) ? ABUT_OK : refuse(error, "its numbers are out of range");
}
