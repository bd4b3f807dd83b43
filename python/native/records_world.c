/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of what a simulation and a robot tell: steps, contacts, casts of scenes, inverse kinematics. */
#include "worlds.h"

WORDS(event_kind, "begin", "end", "sleep", "wake")

static const Field step_fields[] = {
    REAL(AbutStepReport, time),
    {"seconds", FIELD_F8, offsetof(AbutStepReport, seconds), ABUT_STAGE_COUNT, 0, NULL, 0},
    COUNT(AbutStepReport, bodies_awake),
    COUNT(AbutStepReport, candidates),
    COUNT(AbutStepReport, contacts),
    COUNT(AbutStepReport, vertices),
    COUNT(AbutStepReport, islands),
    COUNT(AbutStepReport, rebuilt),
    COUNT(AbutStepReport, sweeps),
    REAL(AbutStepReport, sweeps_mean),
    REAL(AbutStepReport, residual),
    COUNT(AbutStepReport, capped_islands),
    COUNT(AbutStepReport, continuous_hits),
    REAL(AbutStepReport, max_depth),
    REAL(AbutStepReport, kinetic),
    REAL(AbutStepReport, potential),
};

Record record_step = RECORD("StepReport",
    "What a step of a simulation did.\n\n"
    "time: s, after it. seconds (6,): wall time of bounds, pairs, contacts, islands, solve, advance. contacts, "
    "vertices,\n"
    "islands, bodies_awake: counts. sweeps, residual (m/s), capped_islands: how the solver converged.\n"
    "max_depth: deepest overlap, m. kinetic, potential: energy, J.",
    AbutStepReport, step_fields);

static const Field contact_fields[] = {
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
    {"vertex_point", FIELD_F8, offsetof(ContactRow, vertex_point), ABUT_CONTACT_VERTICES, 3, NULL, 0},
    {"vertex_force", FIELD_F8, offsetof(ContactRow, vertex_force), ABUT_CONTACT_VERTICES, 3, NULL, 0},
    {"vertex_pressure", FIELD_F8, offsetof(ContactRow, vertex_pressure), ABUT_CONTACT_VERTICES, 0, NULL, 0},
};

Record record_contact = RECORD("Contact",
    "Two bodies in contact, world axes.\n\n"
    "body_a, body_b: places among the bodies, -1 for none. normal (3,): unit, from A to B. force (N), torque (N m, "
    "about\n"
    "center): what A exerts on B. area (m^2), volume (m^3), depth (m). The first vertex_count of vertex_point (m),\n"
    "vertex_force (N) and vertex_pressure (Pa) are the contact polygon.",
    ContactRow, contact_fields);

static const Field ik_fields[] = {
    FLAG(AbutIkResult, reached),
    COUNT(AbutIkResult, iterations),
    COUNT(AbutIkResult, restarts),
    REAL(AbutIkResult, error_position),
    REAL(AbutIkResult, error_rotation),
};

Record record_ik = RECORD("IkResult",
    "How a search for joint coordinates ended: reached, and the largest errors over all tasks, m and rad.",
    AbutIkResult, ik_fields);

static const Field event_fields[] = {
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
    "kind: 'begin' (two shapes began to touch), 'end', 'sleep' (body_a fell asleep) or 'wake'. body_a, body_b: places\n"
    "among the bodies, -1 for none. time: s, after the step. shape_a, shape_b: numbers of the shapes, 0 for none. "
    "point, normal (3,): of the\n"
    "contact, world. speed: of approach along the normal when they began to touch, m/s.",
    EventRow, event_fields);

static const Field scene_distance_fields[] = {
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
