/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of a model: the same things under the same numbers, geometry shared. Each goes through the call that adds it.
 */
#include "abut/model.h"

#define COPY_ALL(count, array, add)                                                                                    \
    for (int32_t i = 0; i < from->count && status == ABUT_OK; ++i) status = add(to, &from->array[i], NULL, error)

static AbutStatus fill(AbutModel *to, const AbutModel *from, AbutError *error) {
    AbutStatus status = abut_model_set_name(to, from->name, error);
    COPY_ALL(body_count, bodies, abut_model_add_body);
    COPY_ALL(shape_count, shapes, abut_model_add_shape);
    COPY_ALL(joint_count, joints, abut_model_add_joint);
    COPY_ALL(pair_count, pairs, abut_model_add_pair);
    COPY_ALL(element_count, elements, abut_model_add_element);
    COPY_ALL(frame_count, frames, abut_model_add_frame);
    COPY_ALL(tendon_count, tendons, abut_model_add_tendon);
    COPY_ALL(actuator_count, actuators, abut_model_add_actuator);
    COPY_ALL(equality_count, equalities, abut_model_add_equality);
    COPY_ALL(sensor_count, sensors, abut_model_add_sensor);
    COPY_ALL(keyframe_count, keyframes, abut_model_add_keyframe);
    return status;
}

AbutStatus abut_model_copy(const AbutModel *model, AbutModel **out, AbutError *error) {
    ABUT_ASSERT(model && out);
    *out = NULL;
    AbutModel *copy;
    AbutStatus status = abut_model_create(&copy, error);
    if (status == ABUT_OK) status = fill(copy, model, error);
    if (status != ABUT_OK) {
        abut_model_free(copy);
        return status;
    }
    copy->gravity = model->gravity;
    copy->magnetic = model->magnetic;
    copy->timestep = model->timestep;
    copy->time = model->time;
    *out = copy;
    return ABUT_OK;
}
