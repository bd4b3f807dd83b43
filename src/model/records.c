/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables of the results of this room. */
#include "abut/model.h"

static const AbutField scene_fields[] = {
    {ABUT_FIELD(AbutBuiltinScene, name, TEXT, "", "Name of the scene or robot.")},
    {ABUT_FIELD(AbutBuiltinScene, argument, TEXT, "", "What may follow it after a colon; empty for nothing.")},
    {ABUT_FIELD(AbutBuiltinScene, summary, TEXT, "", "A summary in one line.")},
};

const AbutRecord abut_builtin_scene_record =
    ABUT_RECORD("BuiltinScene", "A scene or robot that the library builds.", AbutBuiltinScene, scene_fields);

static const AbutField joint_fields[] = {
    {ABUT_FIELD(AbutJointDef, name, TEXT, "", "Name of the joint.")},
    {ABUT_FIELD_WORDS(AbutJointDef, kind, abut_joint_kind_names, "`hinge`, `slide` or `ball`.")},
    {ABUT_FIELD(AbutJointDef, range, REAL, "rad or m", "Limits of the coordinate; null for none."), .rows = 2,
        .known_at = offsetof(AbutJointDef, limited)},
    {ABUT_FIELD(AbutJointDef, force_range, REAL, "N m or N", "Limits of the sum of all actuators; null for none."),
        .rows = 2, .known_at = offsetof(AbutJointDef, force_limited)},
    {ABUT_FIELD(AbutJointDef, armature, REAL, "kg m^2 or kg", "Inertia of the drive.")},
    {ABUT_FIELD(AbutJointDef, damping, REAL, "N m s or N s/m", "Damping.")},
    {ABUT_FIELD(AbutJointDef, friction_loss, REAL, "N m or N", "Dry friction.")},
    {ABUT_FIELD(AbutJointDef, stiffness, REAL, "N m or N/m", "Stiffness of the spring.")},
};

const AbutRecord abut_joint_record = ABUT_RECORD("JointDef", "A joint of a model.", AbutJointDef, joint_fields);

static const AbutField actuator_fields[] = {
    {ABUT_FIELD(AbutActuatorDef, name, TEXT, "", "Name of the actuator.")},
    {ABUT_FIELD_AS("target_kind", AbutActuatorDef, target, WORD, "", "What it drives: a joint, body, tendon or frame."),
        .words = abut_target_names},
    {ABUT_FIELD(AbutActuatorDef, gear, REAL, "", "Ratio to the target, for up to six velocities."), .rows = 6},
    {ABUT_FIELD(AbutActuatorDef, gain, REAL, "", "Force per control.")},
    {ABUT_FIELD_AS(
         "bias_terms", AbutActuatorDef, bias, REAL, "", "Force without control: constant, per length, per speed."),
        .rows = 3},
    {ABUT_FIELD(AbutActuatorDef, control_range, REAL, "", "Limits of the control; null for none."), .rows = 2,
        .known_at = offsetof(AbutActuatorDef, control_limited)},
    {ABUT_FIELD(AbutActuatorDef, force_range, REAL, "", "Limits of the force; null for none."), .rows = 2,
        .known_at = offsetof(AbutActuatorDef, force_limited)},
};

const AbutRecord abut_actuator_record =
    ABUT_RECORD("ActuatorDef", "An actuator of a model.", AbutActuatorDef, actuator_fields);
