/* SPDX-License-Identifier: Apache-2.0 */
/* Behind the public fields of a model: growing arrays, the memory of all texts, lists of a body. */
#ifndef ABUT_MODEL_INSIDE_H
#define ABUT_MODEL_INSIDE_H

#include "base/pool.h"
#include "model/geometry.h"

typedef struct AbutModelChain {
    int32_t first, last;
} AbutModelChain;

typedef struct AbutModelInside {
    AbutModel model; /* first: a pointer to it is a pointer to the whole */
    AbutPool texts;
    AbutGeometrySet geometry;
    AbutModelChain *body_shapes, *body_joints;
    int32_t *next_shape, *next_joint;
    const char *last_file; /* of the last source: files repeat */
    size_t body_capacity, shape_capacity, joint_capacity, pair_capacity, element_capacity;
    size_t body_shapes_capacity, body_joints_capacity, next_shape_capacity, next_joint_capacity;
    size_t frame_capacity, tendon_capacity, actuator_capacity, equality_capacity, keyframe_capacity, sensor_capacity;
} AbutModelInside;

static inline AbutModelInside *abut_model_inside(const AbutModel *model) { return (AbutModelInside *)(uintptr_t)model; }

/* A list of a model while one more thing comes into it. */
typedef struct AbutModelList {
    void *array; /* address of the public pointer */
    int32_t *count;
    size_t *capacity, bytes; /* of each thing */
    const void *def;
} AbutModelList;

/* Copies the name and the file of a source that are in `def`, then `def` to the end of its list. */
AbutStatus abut_model_append(AbutModelInside *m, const AbutModelList *list, const char **name, AbutSource *source,
    int32_t *out, AbutError *error);

/* As above, for the local names `def`, `out` and `error`. */
#define ABUT_MODEL_APPEND(m, list, thing, name)                                                                        \
    abut_model_append(m,                                                                                               \
        &(AbutModelList){&(m)->model.list, &(m)->model.thing##_count, &(m)->thing##_capacity, sizeof def, &def}, name, \
        &def.source, out, error)

#endif
