/* SPDX-License-Identifier: Apache-2.0 */
/* The structs that a model holds as tables of fields; what has arrays of its own has them in model_lists.c. */
#include "models.h"
#include "records.h"

static const DefField body_fields[] = {
    {"kind", DEF_WORD, offsetof(AbutBodyDef, kind), ABUT_BODY_KIND_COUNT, abut_body_kind_names},
    DEF(AbutBodyDef, name, DEF_TEXT),
    DEF(AbutBodyDef, parent, DEF_INT),
    DEF(AbutBodyDef, pose, DEF_POSE),
    DEF(AbutBodyDef, velocity, DEF_VEC3),
    DEF(AbutBodyDef, spin, DEF_VEC3),
    DEF(AbutBodyDef, mass, DEF_REAL),
    DEF(AbutBodyDef, center, DEF_VEC3),
    DEF(AbutBodyDef, inertia, DEF_MAT3),
    DEF(AbutBodyDef, gravity_compensation, DEF_REAL),
    DEF(AbutBodyDef, joint_name, DEF_TEXT),
    DEF(AbutBodyDef, damping, DEF_REAL),
    DEF(AbutBodyDef, armature, DEF_REAL),
    DEF(AbutBodyDef, friction_loss, DEF_REAL),
    DEF(AbutBodyDef, never_sleeps, DEF_FLAG),
};

const DefTable body_table = DEF_TABLE("body", body_fields);

static const DefField shape_fields[] = {
    DEF(AbutShapeDef, body, DEF_INT),
    DEF(AbutShapeDef, name, DEF_TEXT),
    DEF(AbutShapeDef, pose, DEF_POSE),
    {"kind", DEF_WORD, offsetof(AbutShapeDef, form.kind), ABUT_SHAPE_KIND_COUNT, abut_shape_kind_names},
    {"size", DEF_VEC3, offsetof(AbutShapeDef, form.size), 0, NULL},
    {"resolution", DEF_INT, offsetof(AbutShapeDef, form.resolution), 0, NULL},
    DEF(AbutShapeDef, density, DEF_REAL),
    DEF(AbutShapeDef, margin, DEF_REAL),
    {"friction", DEF_REAL, offsetof(AbutShapeDef, material.friction), 0, NULL},
    {"friction_kinetic", DEF_REAL, offsetof(AbutShapeDef, material.friction_kinetic), 0, NULL},
    {"restitution", DEF_REAL, offsetof(AbutShapeDef, material.restitution), 0, NULL},
    {"friction_spinning", DEF_REAL, offsetof(AbutShapeDef, material.friction_spinning), 0, NULL},
    {"friction_rolling", DEF_REAL, offsetof(AbutShapeDef, material.friction_rolling), 0, NULL},
    {"surface_velocity", DEF_VEC3, offsetof(AbutShapeDef, material.surface_velocity), 0, NULL},
    DEF(AbutShapeDef, category, DEF_UINT),
    DEF(AbutShapeDef, mask, DEF_UINT),
    DEF(AbutShapeDef, color, DEF_UINT),
    DEF(AbutShapeDef, visual, DEF_FLAG),
    DEF(AbutShapeDef, sensor, DEF_FLAG),
    DEF(AbutShapeDef, priority, DEF_INT),
};

const DefTable shape_table = DEF_TABLE("shape", shape_fields);

static const DefField material_fields[] = {
    DEF(AbutMaterial, friction, DEF_REAL),
    DEF(AbutMaterial, friction_kinetic, DEF_REAL),
    DEF(AbutMaterial, restitution, DEF_REAL),
    DEF(AbutMaterial, friction_spinning, DEF_REAL),
    DEF(AbutMaterial, friction_rolling, DEF_REAL),
    DEF(AbutMaterial, surface_velocity, DEF_VEC3),
};

const DefTable material_table = DEF_TABLE("material", material_fields);

static const DefField joint_fields[] = {
    {"kind", DEF_WORD, offsetof(AbutJointDef, kind), ABUT_JOINT_KIND_COUNT, abut_joint_kind_names},
    DEF(AbutJointDef, name, DEF_TEXT),
    DEF(AbutJointDef, body, DEF_INT),
    DEF(AbutJointDef, position, DEF_VEC3),
    DEF(AbutJointDef, axis, DEF_VEC3),
    DEF(AbutJointDef, limited, DEF_FLAG),
    {"range", DEF_REALS, offsetof(AbutJointDef, range), 2, NULL},
    DEF(AbutJointDef, stiffness, DEF_REAL),
    DEF(AbutJointDef, damping, DEF_REAL),
    DEF(AbutJointDef, armature, DEF_REAL),
    DEF(AbutJointDef, friction_loss, DEF_REAL),
    DEF(AbutJointDef, reference, DEF_REAL),
    DEF(AbutJointDef, spring_reference, DEF_REAL),
    DEF(AbutJointDef, force_limited, DEF_FLAG),
    {"force_range", DEF_REALS, offsetof(AbutJointDef, force_range), 2, NULL},
    DEF(AbutJointDef, lifted, DEF_FLAG),
};

const DefTable joint_table = DEF_TABLE("joint", joint_fields);

static const DefField frame_fields[] = {
    DEF(AbutFrameDef, name, DEF_TEXT),
    DEF(AbutFrameDef, body, DEF_INT),
    DEF(AbutFrameDef, pose, DEF_POSE),
};

const DefTable frame_table = DEF_TABLE("frame", frame_fields);

static const DefField actuator_fields[] = {
    DEF(AbutActuatorDef, name, DEF_TEXT),
    {"target", DEF_WORD, offsetof(AbutActuatorDef, target), ABUT_TARGET_COUNT, abut_target_names},
    DEF(AbutActuatorDef, number, DEF_INT),
    {"gear", DEF_REALS, offsetof(AbutActuatorDef, gear), 6, NULL},
    DEF(AbutActuatorDef, gain, DEF_REAL),
    {"bias", DEF_REALS, offsetof(AbutActuatorDef, bias), 3, NULL},
    DEF(AbutActuatorDef, control_limited, DEF_FLAG),
    DEF(AbutActuatorDef, force_limited, DEF_FLAG),
    {"control_range", DEF_REALS, offsetof(AbutActuatorDef, control_range), 2, NULL},
    {"force_range", DEF_REALS, offsetof(AbutActuatorDef, force_range), 2, NULL},
    {"gain_by", DEF_REALS, offsetof(AbutActuatorDef, gain_by), 2, NULL},
    {"dynamics", DEF_WORD, offsetof(AbutActuatorDef, dynamics), ABUT_ACTIVATION_COUNT, abut_activation_names},
    {"time", DEF_REALS, offsetof(AbutActuatorDef, time), 3, NULL},
    DEF(AbutActuatorDef, activation_limited, DEF_FLAG),
    {"activation_range", DEF_REALS, offsetof(AbutActuatorDef, activation_range), 2, NULL},
    DEF(AbutActuatorDef, activation_early, DEF_FLAG),
    DEF(AbutActuatorDef, muscle, DEF_FLAG),
    {"muscle_numbers", DEF_REALS, offsetof(AbutActuatorDef, muscle_numbers), ABUT_MUSCLE_NUMBERS, NULL},
    {"length_range", DEF_REALS, offsetof(AbutActuatorDef, length_range), 2, NULL},
    DEF(AbutActuatorDef, response, DEF_REAL),
};

const DefTable actuator_table = DEF_TABLE("actuator", actuator_fields);

static const DefField pair_fields[] = {
    DEF(AbutPairDef, exclude, DEF_FLAG),
    DEF(AbutPairDef, a, DEF_INT),
    DEF(AbutPairDef, b, DEF_INT),
    DEF(AbutPairDef, friction, DEF_REAL),
    DEF(AbutPairDef, friction_kinetic, DEF_REAL),
    DEF(AbutPairDef, restitution, DEF_REAL),
    DEF(AbutPairDef, friction_spinning, DEF_REAL),
    DEF(AbutPairDef, friction_rolling, DEF_REAL),
    DEF(AbutPairDef, margin, DEF_REAL),
};

const DefTable pair_table = DEF_TABLE("pair", pair_fields);

/* As above, for two named shapes: without exclude, a and b. */
enum { PAIR_NAMES = 3 };
const DefTable pair_law_table = {
    "pair", (int)(sizeof pair_fields / sizeof *pair_fields) - PAIR_NAMES, pair_fields + PAIR_NAMES};

static const DefField equality_fields[] = {
    {"kind", DEF_WORD, offsetof(AbutEqualityDef, kind), ABUT_EQUALITY_KIND_COUNT, abut_equality_kind_names},
    DEF(AbutEqualityDef, name, DEF_TEXT),
    DEF(AbutEqualityDef, a, DEF_INT),
    DEF(AbutEqualityDef, b, DEF_INT),
    {"polynomial", DEF_REALS, offsetof(AbutEqualityDef, polynomial), 5, NULL},
    DEF(AbutEqualityDef, pose_a, DEF_POSE),
    DEF(AbutEqualityDef, pose_b, DEF_POSE),
    DEF(AbutEqualityDef, inactive, DEF_FLAG),
};

const DefTable equality_table = DEF_TABLE("equality", equality_fields);

static const DefField keyframe_fields[] = {
    DEF(AbutKeyframeDef, name, DEF_TEXT),
    DEF(AbutKeyframeDef, time, DEF_REAL),
};

const DefTable keyframe_table = DEF_TABLE("keyframe", keyframe_fields);

static const DefField tendon_fields[] = {
    DEF(AbutTendonDef, name, DEF_TEXT),
    DEF(AbutTendonDef, limited, DEF_FLAG),
    {"range", DEF_REALS, offsetof(AbutTendonDef, range), 2, NULL},
    DEF(AbutTendonDef, stiffness, DEF_REAL),
    DEF(AbutTendonDef, damping, DEF_REAL),
    DEF(AbutTendonDef, friction_loss, DEF_REAL),
    {"rest", DEF_REALS, offsetof(AbutTendonDef, rest), 2, NULL},
};

const DefTable tendon_table = DEF_TABLE("tendon", tendon_fields);

static const DefField path_fields[] = {
    {"kind", DEF_WORD, offsetof(AbutPathPoint, kind), ABUT_PATH_KIND_COUNT, abut_path_kind_names},
    DEF(AbutPathPoint, body, DEF_INT),
    DEF(AbutPathPoint, pose, DEF_POSE),
    DEF(AbutPathPoint, radius, DEF_REAL),
    DEF(AbutPathPoint, sided, DEF_FLAG),
    DEF(AbutPathPoint, side_body, DEF_INT),
    DEF(AbutPathPoint, side, DEF_VEC3),
    DEF(AbutPathPoint, divisor, DEF_REAL),
};

const DefTable path_table = DEF_TABLE("path", path_fields);

static const DefField sensor_fields[] = {
    DEF(AbutSensorDef, kind, DEF_TEXT),
    DEF(AbutSensorDef, name, DEF_TEXT),
    DEF(AbutSensorDef, number, DEF_INT),
    {"first_kind", DEF_WORD, offsetof(AbutSensorDef, first_kind), ABUT_SENSED_SIDE_COUNT, abut_sensed_side_names},
    DEF(AbutSensorDef, first, DEF_INT),
    {"second_kind", DEF_WORD, offsetof(AbutSensorDef, second_kind), ABUT_SENSED_SIDE_COUNT, abut_sensed_side_names},
    DEF(AbutSensorDef, second, DEF_INT),
    DEF(AbutSensorDef, data, DEF_INT),
    {"reduce", DEF_WORD, offsetof(AbutSensorDef, reduce), ABUT_SENSED_REDUCE_COUNT, abut_sensed_reduce_names},
    DEF(AbutSensorDef, rows, DEF_INT),
    DEF(AbutSensorDef, body, DEF_INT),
    DEF(AbutSensorDef, pose, DEF_POSE),
    DEF(AbutSensorDef, has_reference, DEF_FLAG),
    DEF(AbutSensorDef, reference_body, DEF_INT),
    DEF(AbutSensorDef, reference_pose, DEF_POSE),
    {"zone", DEF_WORD, offsetof(AbutSensorDef, zone), ABUT_SHAPE_KIND_COUNT, abut_shape_kind_names},
    DEF(AbutSensorDef, zone_size, DEF_VEC3),
    DEF(AbutSensorDef, cutoff, DEF_REAL),
    DEF(AbutSensorDef, place, DEF_INT),
    DEF(AbutSensorDef, width, DEF_INT),
};

const DefTable sensor_table = DEF_TABLE("sensor", sensor_fields);

static const DefField model_fields[] = {
    DEF(AbutModel, gravity, DEF_VEC3),
    DEF(AbutModel, magnetic, DEF_VEC3),
    DEF(AbutModel, timestep, DEF_REAL),
    DEF(AbutModel, time, DEF_REAL),
};

const DefTable model_table = DEF_TABLE("model", model_fields);
