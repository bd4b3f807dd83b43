/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of what a simulation and a robot tell: steps, contacts, casts of scenes, inverse kinematics. */
#include "worlds.h"

WORDS(event_kind, "begin", "end", "sleep", "wake", "guarded")

Record record_step = RECORD_OF(abut_step_report_record);

static const AbutField contact_fields[] = {
    COUNT(ContactRow, body_a),
    COUNT(ContactRow, body_b),
    VECTOR(ContactRow, normal),
    VECTOR(ContactRow, center),
    VECTOR(ContactRow, force),
    VECTOR(ContactRow, torque),
    VECTOR(ContactRow, pressure_center),
    REAL(ContactRow, area),
    REAL(ContactRow, volume),
    REAL(ContactRow, depth),
    FLAG(ContactRow, sliding),
    COUNT(ContactRow, vertex_count),
    {ABUT_FIELD_AS("vertex_point", ContactRow, vertex_point, REAL, "", ""), .rows = ABUT_CONTACT_VERTICES,
        .columns = 3},
    {ABUT_FIELD_AS("vertex_force", ContactRow, vertex_force, REAL, "", ""), .rows = ABUT_CONTACT_VERTICES,
        .columns = 3},
    {ABUT_FIELD_AS("vertex_pressure", ContactRow, vertex_pressure, REAL, "", ""), .rows = ABUT_CONTACT_VERTICES},
};

Record record_contact = RECORD("Contact",
    "Two bodies in contact, world axes.\n\n"
    "body_a, body_b: places among the bodies, -1 for none. normal (3,): unit, from A to B. force (N), torque (N m, "
    "about\n"
    "center): what A exerts on B. area (m^2), volume (m^3), depth (m). The first vertex_count of vertex_point (m),\n"
    "vertex_force (N) and vertex_pressure (Pa) are the contact polygon.",
    ContactRow, contact_fields);

Record record_ik = RECORD_OF(abut_ik_result_record);

static const AbutField event_fields[] = {
    WORD(EventRow, kind, event_kind),
    COUNT(EventRow, body_a),
    COUNT(EventRow, body_b),
    REAL(EventRow, time),
    BIG_COUNT(EventRow, shape_a),
    BIG_COUNT(EventRow, shape_b),
    VECTOR(EventRow, point),
    VECTOR(EventRow, normal),
    REAL(EventRow, speed),
};

Record record_event = RECORD("Event",
    "What happened in a step of a simulation.\n\n"
    "kind: 'begin' (two shapes began to touch), 'end', 'sleep' (body_a fell asleep), 'wake' or 'guarded' (the island\n"
    "of body_a gained energy from nowhere and was solved anew). body_a, body_b: places among the bodies, -1 for none. "
    "time: s, after the step. shape_a, shape_b: numbers of the shapes, 0 for none. "
    "point, normal (3,): of the\n"
    "contact, world. speed: of approach along the normal when they began to touch, m/s.",
    EventRow, event_fields);

static const AbutField scene_distance_fields[] = {
    COUNT(SceneDistanceRow, body_a),
    COUNT(SceneDistanceRow, body_b),
    BIG_COUNT(SceneDistanceRow, shape_a),
    BIG_COUNT(SceneDistanceRow, shape_b),
    REAL(SceneDistanceRow, distance),
    VECTOR(SceneDistanceRow, normal),
    VECTOR(SceneDistanceRow, point_a),
    VECTOR(SceneDistanceRow, point_b),
};

Record record_scene_distance = RECORD("SceneDistance",
    "The nearest shapes of two bodies of a scene, world axes.\n\n"
    "body_a, body_b: places among the bodies. shape_a, shape_b: numbers of the shapes. distance: m, negative in\n"
    "overlap. normal (3,): unit, from A to B. point_a, point_b (3,): witness points.",
    SceneDistanceRow, scene_distance_fields);
