/* SPDX-License-Identifier: Apache-2.0 */
/* What stands behind the public fields of a model: growing arrays, the memory of all texts, lists of a body. */
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
    AbutBodyDef *bodies;
    AbutShapeDef *shapes;
    AbutJointDef *joints;
    AbutPairDef *pairs;
    AbutElement *elements;
    AbutFrameDef *frames;
    AbutTendonDef *tendons;
    AbutActuatorDef *actuators;
    AbutEqualityDef *equalities;
    AbutKeyframeDef *keyframes;
    AbutModelChain *body_shapes, *body_joints;
    int32_t *next_shape, *next_joint;
    const char *last_file; /* of the last source: files repeat */
    size_t body_capacity, shape_capacity, joint_capacity, pair_capacity, element_capacity;
    size_t body_shapes_capacity, body_joints_capacity, next_shape_capacity, next_joint_capacity;
    size_t frame_capacity, tendon_capacity, actuator_capacity, equality_capacity, keyframe_capacity;
} AbutModelInside;

static inline AbutModelInside *abut_model_inside(const AbutModel *model)
{
    return (AbutModelInside *)(uintptr_t)model;
}

/* Copies a name and the file of a source in place; 0: no memory. */
int abut_model_keep_names(AbutModelInside *m, const char **name, AbutSource *source);

#endif
