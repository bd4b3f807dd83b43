/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns of a run: names, types, shapes, units, charts and one line about each. This table drives the recorder,
 * the file, the page and the picture; a test compares docs/reference/run_log.md with it.
 */
#include "file/run.h"

#include <string.h>

/* clang-format off */
const AbutRunColumnInfo abut_run_columns[ABUT_RUN_COLUMN_COUNT] = {
    [ABUT_RUN_TIME] = {"time", ABUT_ARRAY_F8, ABUT_RUN_PER_STEP, 0, "s",
        "time after the step", {0}},
    [ABUT_RUN_KINETIC] = {"kinetic", ABUT_ARRAY_F8, ABUT_RUN_PER_STEP, 0, "J",
        "kinetic energy of the dynamic bodies", {"Energy", "kinetic", "J", 1.0}},
    [ABUT_RUN_POTENTIAL] = {"potential", ABUT_ARRAY_F8, ABUT_RUN_PER_STEP, 0, "J",
        "potential energy of the dynamic bodies", {"Energy", "potential", "J", 1.0}},
    [ABUT_RUN_MAX_DEPTH] = {"max_depth", ABUT_ARRAY_F8, ABUT_RUN_PER_STEP, 0, "m",
        "deepest overlap along a contact normal, less the margins", {"Deepest overlap", "depth", "m", 1.0}},
    [ABUT_RUN_RESIDUAL] = {"residual", ABUT_ARRAY_F8, ABUT_RUN_PER_STEP, 0, "m/s",
        "last change of velocity in a sweep, largest of all islands",
        {"Residual of the contact solver", "residual", "m/s", 1.0}},
    [ABUT_RUN_SWEEPS] = {"sweeps", ABUT_ARRAY_I4, ABUT_RUN_PER_STEP, 0, "",
        "sweeps over the contacts, most of all islands",
        {"Sweeps of the contact solver", "sweeps", "", 1.0}},
    [ABUT_RUN_STAGE_SECONDS] = {"stage_seconds", ABUT_ARRAY_F8, ABUT_RUN_PER_STEP, ABUT_STAGE_COUNT, "s",
        "wall time of each stage", {"Time per stage", NULL, "ms", 1e3}},
    [ABUT_RUN_POSE] = {"pose", ABUT_ARRAY_F8, ABUT_RUN_PER_BODY, 7, "m",
        "x, y, z, qw, qx, qy, qz of the body frame", {0}},
    [ABUT_RUN_VELOCITY] = {"velocity", ABUT_ARRAY_F8, ABUT_RUN_PER_BODY, 6, "m/s, rad/s",
        "velocity of the center of mass, then angular velocity", {0}},
    [ABUT_RUN_SPEED] = {"speed", ABUT_ARRAY_F8, ABUT_RUN_PER_BODY, 0, "m/s",
        "length of the velocity of the center of mass", {0}},
    [ABUT_RUN_ASLEEP] = {"asleep", ABUT_ARRAY_I4, ABUT_RUN_PER_BODY, 0, "",
        "1: it rests, and the solver skips it", {0}},
    [ABUT_RUN_ISLAND] = {"island", ABUT_ARRAY_I4, ABUT_RUN_PER_BODY, 0, "",
        "number of its island; -1: none", {0}},
    [ABUT_RUN_CONTACT_START] = {"contact_start", ABUT_ARRAY_I8, ABUT_RUN_PER_CONTACT_START, 0, "",
        "first contact of each step; M at the end", {0}},
    [ABUT_RUN_CONTACT_BODY] = {"contact_body", ABUT_ARRAY_I4, ABUT_RUN_PER_CONTACT, 2, "",
        "bodies A and B; -1: a body that is not in the run", {0}},
    [ABUT_RUN_CONTACT_FORCE] = {"contact_force", ABUT_ARRAY_F8, ABUT_RUN_PER_CONTACT, 3, "N",
        "force that A exerts on B", {0}},
    [ABUT_RUN_CONTACT_TORQUE] = {"contact_torque", ABUT_ARRAY_F8, ABUT_RUN_PER_CONTACT, 3, "N m",
        "torque that A exerts on B, about `contact_center`", {0}},
    [ABUT_RUN_CONTACT_CENTER] = {"contact_center", ABUT_ARRAY_F8, ABUT_RUN_PER_CONTACT, 3, "m",
        "centroid of the overlap", {0}},
    [ABUT_RUN_CONTACT_NORMAL] = {"contact_normal", ABUT_ARRAY_F8, ABUT_RUN_PER_CONTACT, 3, "",
        "unit, from A to B", {0}},
    [ABUT_RUN_CONTACT_AREA] = {"contact_area", ABUT_ARRAY_F8, ABUT_RUN_PER_CONTACT, 0, "m^2",
        "of the contact polygon", {0}},
    [ABUT_RUN_CONTACT_VOLUME] = {"contact_volume", ABUT_ARRAY_F8, ABUT_RUN_PER_CONTACT, 0, "m^3",
        "of the overlap with margins", {0}},
    [ABUT_RUN_CONTACT_DEPTH] = {"contact_depth", ABUT_ARRAY_F8, ABUT_RUN_PER_CONTACT, 0, "m",
        "overlap along the normal less the margins, at least 0", {0}},
    [ABUT_RUN_CONTACT_SLIDING] = {"contact_sliding", ABUT_ARRAY_I4, ABUT_RUN_PER_CONTACT, 0, "",
        "0: sticks everywhere", {0}},
    [ABUT_RUN_VERTEX_START] = {"vertex_start", ABUT_ARRAY_I8, ABUT_RUN_PER_VERTEX_START, 0, "",
        "first vertex of each contact's polygon; V at the end", {0}},
    [ABUT_RUN_VERTEX_POINT] = {"vertex_point", ABUT_ARRAY_F8, ABUT_RUN_PER_VERTEX, 3, "m",
        "position of the vertex", {0}},
    [ABUT_RUN_VERTEX_FORCE] = {"vertex_force", ABUT_ARRAY_F8, ABUT_RUN_PER_VERTEX, 3, "N",
        "force on B there", {0}},
    [ABUT_RUN_VERTEX_PRESSURE] = {"vertex_pressure", ABUT_ARRAY_F8, ABUT_RUN_PER_VERTEX, 0, "Pa",
        "normal force over its share of the area", {0}},
    [ABUT_RUN_JOINT_POSITION] = {"joint_position", ABUT_ARRAY_F8, ABUT_RUN_PER_POSITION, 0, "rad, m",
        "positions of robots, in the order of the model", {"Joint positions", NULL, "rad, m", 1.0}},
    [ABUT_RUN_JOINT_VELOCITY] = {"joint_velocity", ABUT_ARRAY_F8, ABUT_RUN_PER_VELOCITY, 0, "rad/s, m/s",
        "velocities of robots, in the order of the model", {"Joint velocities", NULL, "rad/s, m/s", 1.0}},
    [ABUT_RUN_ACTUATOR_FORCE] = {"actuator_force", ABUT_ARRAY_F8, ABUT_RUN_PER_ACTUATOR, 0, "N m, N",
        "forces of actuators, before the gear", {"Actuator forces", NULL, "N m, N", 1.0}},
    [ABUT_RUN_SENSOR] = {"sensor", ABUT_ARRAY_F8, ABUT_RUN_PER_SENSOR, 0, "",
        "values of sensors, in the order of the model; SI units of their kinds", {"Sensors", NULL, "", 1.0}},
    [ABUT_RUN_ACTIVATION] = {"activation", ABUT_ARRAY_F8, ABUT_RUN_PER_ACTIVATION, 0, "",
        "activations of actuators that have dynamics", {"Activations", NULL, "", 1.0}},
};
/* clang-format on */

const AbutRunColumnInfo *abut_run_column_info(AbutRunColumn column) {
    ABUT_ASSERT(column >= 0 && column < ABUT_RUN_COLUMN_COUNT);
    return &abut_run_columns[column];
}

const char *const abut_run_keep_names[ABUT_RUN_KEEP_COUNT + 1] = {"all", "motion", "poses", NULL};

/* 0 for rows that are no steps. */
static int32_t numbers_per_step(const AbutRun *run, AbutRunColumn column) {
    switch (abut_run_columns[column].row) {
    case ABUT_RUN_PER_STEP:
        return (int32_t)abut_run_width(column);
    case ABUT_RUN_PER_POSITION:
        return run->positions;
    case ABUT_RUN_PER_VELOCITY:
        return run->velocities;
    case ABUT_RUN_PER_ACTUATOR:
        return run->actuators;
    case ABUT_RUN_PER_SENSOR:
        return run->sensors;
    case ABUT_RUN_PER_ACTIVATION:
        return run->activations;
    default:
        return 0;
    }
}

int abut_run_keeps(const AbutRun *run, AbutRunColumn column) {
    int dropped = column == ABUT_RUN_VELOCITY || column == ABUT_RUN_SPEED || column == ABUT_RUN_ASLEEP ||
                  column == ABUT_RUN_ISLAND || (abut_run_columns[column].row > ABUT_RUN_PER_POSITION);
    int of_robots = abut_run_columns[column].row >= ABUT_RUN_PER_POSITION;
    return (run->keep != ABUT_RUN_KEEP_POSES || !dropped) && (!of_robots || numbers_per_step(run, column) > 0);
}

int32_t abut_run_number_count(const AbutRun *run, AbutRunColumn column) {
    ABUT_ASSERT(run && column >= 0 && column < ABUT_RUN_COLUMN_COUNT);
    return abut_run_keeps(run, column) ? numbers_per_step(run, column) : 0;
}

/* Line `number` of a text of lines. */
static void copy_line(char *out, size_t room, const char *text, int32_t number) {
    for (; text && number > 0; --number) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    size_t length = text ? strcspn(text, "\n") : 0;
    length = length < room ? length : room - 1;
    if (length > 0) memcpy(out, text, length);
    out[length] = 0;
}

void abut_run_number_name(const AbutRun *run, AbutRunColumn column, int32_t number, size_t room, char *out) {
    ABUT_ASSERT(run && column >= 0 && column < ABUT_RUN_COLUMN_COUNT && out && room > 0);
    const char *names = column == ABUT_RUN_STAGE_SECONDS    ? run->stage_names
                        : column == ABUT_RUN_JOINT_POSITION ? run->position_names
                        : column == ABUT_RUN_JOINT_VELOCITY ? run->velocity_names
                        : column == ABUT_RUN_ACTUATOR_FORCE ? run->actuator_names
                        : column == ABUT_RUN_SENSOR         ? run->sensor_names
                        : column == ABUT_RUN_ACTIVATION     ? run->activation_names
                                                            : NULL;
    copy_line(out, room, names, number);
}

/* Rows that a step has of its own; 1 where a row is a step. */
static int64_t rows_per_step(AbutRunColumn column, AbutRunSize size) {
    switch (abut_run_columns[column].row) {
    case ABUT_RUN_PER_BODY:
        return size.bodies;
    case ABUT_RUN_PER_POSITION:
        return size.positions;
    case ABUT_RUN_PER_VELOCITY:
        return size.velocities;
    case ABUT_RUN_PER_ACTUATOR:
        return size.actuators;
    case ABUT_RUN_PER_SENSOR:
        return size.sensors;
    case ABUT_RUN_PER_ACTIVATION:
        return size.activations;
    default:
        return 1;
    }
}

int64_t abut_run_rows(AbutRunColumn column, AbutRunSize size) {
    switch (abut_run_columns[column].row) {
    case ABUT_RUN_PER_CONTACT:
        return size.contacts;
    case ABUT_RUN_PER_VERTEX:
        return size.vertices;
    case ABUT_RUN_PER_CONTACT_START:
        return size.steps + 1;
    case ABUT_RUN_PER_VERTEX_START:
        return size.contacts + 1;
    default:
        return size.steps * rows_per_step(column, size);
    }
}

AbutArray abut_run_array(AbutRunColumn column, AbutRunSize size) {
    const AbutRunColumnInfo *about = &abut_run_columns[column];
    int many = about->row == ABUT_RUN_PER_BODY || about->row >= ABUT_RUN_PER_POSITION;
    AbutArray array = {.type = about->type};
    strcpy(array.name, about->name);
    array.shape[array.dimensions++] = many ? size.steps : abut_run_rows(column, size);
    if (many) array.shape[array.dimensions++] = rows_per_step(column, size);
    if (about->width) array.shape[array.dimensions++] = about->width;
    return array;
}
