/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions to start from, and the names of kinds as they stand in files. */
#include "abut/model.h"

#include <string.h>

AbutBodyDef abut_body_default(void) {
    AbutBodyDef def = {0};
    def.parent = -1;
    def.pose = abut_pose_identity();
    return def;
}

AbutShapeDef abut_shape_default(void) {
    AbutShapeDef def = {0};
    def.pose = abut_pose_identity();
    def.form.size = abut_vec3(0.5, 0.5, 0.5);
    def.density = ABUT_DEFAULT_DENSITY;
    def.material.friction = ABUT_DEFAULT_FRICTION;
    def.material.friction_kinetic = -1.0;
    def.category = 1;
    def.mask = UINT32_MAX;
    return def;
}

AbutJointDef abut_joint_default(void) {
    AbutJointDef def = {0};
    def.body = -1;
    def.axis = abut_axis(2);
    return def;
}

AbutPairDef abut_pair_default(void) {
    AbutPairDef def = {0};
    def.friction = def.friction_kinetic = def.restitution = def.friction_spinning = def.friction_rolling = -1.0;
    return def;
}

AbutFrameDef abut_frame_default(void) {
    AbutFrameDef def = {0};
    def.body = -1;
    def.pose = abut_pose_identity();
    return def;
}

AbutActuatorDef abut_actuator_default(void) {
    AbutActuatorDef def = {0};
    def.number = -1;
    def.gear[0] = def.gain = 1.0;
    return def;
}

AbutEqualityDef abut_equality_default(void) {
    AbutEqualityDef def = {0};
    def.a = def.b = -1;
    def.polynomial[1] = 1.0;
    def.pose_a = def.pose_b = abut_pose_identity();
    return def;
}

const char *const abut_body_kind_names[ABUT_BODY_KIND_COUNT + 1] = {"dynamic", "static", "kinematic", "link", NULL};

const char *const abut_joint_kind_names[ABUT_JOINT_KIND_COUNT + 1] = {"hinge", "slide", "ball", NULL};

const char *const abut_activation_names[ABUT_ACTIVATION_COUNT + 1] = {
    "none", "integrator", "filter", "filterexact", "muscle", NULL};

const char *const abut_path_kind_names[ABUT_PATH_KIND_COUNT + 1] = {"site", "sphere", "cylinder", "pulley", NULL};
const char *const abut_target_names[ABUT_TARGET_COUNT + 1] = {"joint", "body", "tendon", "frame", "contacts", NULL};

const char *const abut_equality_kind_names[ABUT_EQUALITY_KIND_COUNT + 1] = {"joint", "connect", "weld", NULL};
