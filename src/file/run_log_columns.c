/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays of a run log: names, types and shapes. docs/run_log.md explains them. */
#include "file/run_log.h"

#include <string.h>

const AbutRunLogColumnInfo abut_run_log_columns[ABUT_LOG_COLUMNS] = {
    [ABUT_LOG_TIME] = {"time", ABUT_ARRAY_F8, ABUT_LOG_STEP, 0},
    [ABUT_LOG_RESIDUAL] = {"residual", ABUT_ARRAY_F8, ABUT_LOG_STEP, 0},
    [ABUT_LOG_SWEEPS] = {"sweeps", ABUT_ARRAY_I4, ABUT_LOG_STEP, 0},
    [ABUT_LOG_KINETIC] = {"kinetic", ABUT_ARRAY_F8, ABUT_LOG_STEP, 0},
    [ABUT_LOG_POTENTIAL] = {"potential", ABUT_ARRAY_F8, ABUT_LOG_STEP, 0},
    [ABUT_LOG_MAX_DEPTH] = {"max_depth", ABUT_ARRAY_F8, ABUT_LOG_STEP, 0},
    [ABUT_LOG_STAGE_SECONDS] = {"stage_seconds", ABUT_ARRAY_F8, ABUT_LOG_STEP, ABUT_STAGE_COUNT},
    [ABUT_LOG_POSE] = {"pose", ABUT_ARRAY_F8, ABUT_LOG_BODY, 7},
    [ABUT_LOG_VELOCITY] = {"velocity", ABUT_ARRAY_F8, ABUT_LOG_BODY, 6},
    [ABUT_LOG_SPEED] = {"speed", ABUT_ARRAY_F8, ABUT_LOG_BODY, 0},
    [ABUT_LOG_ASLEEP] = {"asleep", ABUT_ARRAY_I4, ABUT_LOG_BODY, 0},
    [ABUT_LOG_ISLAND] = {"island", ABUT_ARRAY_I4, ABUT_LOG_BODY, 0},
    [ABUT_LOG_CONTACTS_AT] = {"contact_start", ABUT_ARRAY_I8, ABUT_LOG_CONTACT_START, 0},
    [ABUT_LOG_CONTACT_BODY] = {"contact_body", ABUT_ARRAY_I4, ABUT_LOG_CONTACT, 2},
    [ABUT_LOG_CONTACT_FORCE] = {"contact_force", ABUT_ARRAY_F8, ABUT_LOG_CONTACT, 3},
    [ABUT_LOG_CONTACT_TORQUE] = {"contact_torque", ABUT_ARRAY_F8, ABUT_LOG_CONTACT, 3},
    [ABUT_LOG_CONTACT_CENTER] = {"contact_center", ABUT_ARRAY_F8, ABUT_LOG_CONTACT, 3},
    [ABUT_LOG_CONTACT_NORMAL] = {"contact_normal", ABUT_ARRAY_F8, ABUT_LOG_CONTACT, 3},
    [ABUT_LOG_CONTACT_AREA] = {"contact_area", ABUT_ARRAY_F8, ABUT_LOG_CONTACT, 0},
    [ABUT_LOG_CONTACT_VOLUME] = {"contact_volume", ABUT_ARRAY_F8, ABUT_LOG_CONTACT, 0},
    [ABUT_LOG_CONTACT_DEPTH] = {"contact_depth", ABUT_ARRAY_F8, ABUT_LOG_CONTACT, 0},
    [ABUT_LOG_CONTACT_SLIDING] = {"contact_sliding", ABUT_ARRAY_I4, ABUT_LOG_CONTACT, 0},
    [ABUT_LOG_VERTICES_AT] = {"vertex_start", ABUT_ARRAY_I8, ABUT_LOG_VERTEX_START, 0},
    [ABUT_LOG_VERTEX_POINT] = {"vertex_point", ABUT_ARRAY_F8, ABUT_LOG_VERTEX, 3},
    [ABUT_LOG_VERTEX_FORCE] = {"vertex_force", ABUT_ARRAY_F8, ABUT_LOG_VERTEX, 3},
    [ABUT_LOG_VERTEX_PRESSURE] = {"vertex_pressure", ABUT_ARRAY_F8, ABUT_LOG_VERTEX, 0},
};

AbutArray abut_run_log_array(AbutRunLogColumn column, AbutRunLogSize size)
{
    const AbutRunLogColumnInfo *about = &abut_run_log_columns[column];
    AbutArray array = {.type = about->type};
    strcpy(array.name, about->name);
    switch (about->row) {
    case ABUT_LOG_STEP:
    case ABUT_LOG_BODY:
        array.shape[array.dimensions++] = size.steps;
        break;
    case ABUT_LOG_CONTACT:
        array.shape[array.dimensions++] = size.contacts;
        break;
    case ABUT_LOG_VERTEX:
        array.shape[array.dimensions++] = size.vertices;
        break;
    case ABUT_LOG_CONTACT_START:
        array.shape[array.dimensions++] = size.steps + 1;
        break;
    case ABUT_LOG_VERTEX_START:
        array.shape[array.dimensions++] = size.contacts + 1;
        break;
    }
    if (about->row == ABUT_LOG_BODY)
        array.shape[array.dimensions++] = size.bodies;
    if (about->width)
        array.shape[array.dimensions++] = about->width;
    return array;
}

void abut_run_log_point(AbutRunLogData *out, AbutRunLogSize size, const void *const data[ABUT_LOG_COLUMNS])
{
    out->steps = (int32_t)size.steps;
    out->bodies = (int32_t)size.bodies;
    out->contacts = size.contacts;
    out->vertices = size.vertices;
    out->time = data[ABUT_LOG_TIME];
    out->residual = data[ABUT_LOG_RESIDUAL];
    out->sweeps = data[ABUT_LOG_SWEEPS];
    out->kinetic = data[ABUT_LOG_KINETIC];
    out->potential = data[ABUT_LOG_POTENTIAL];
    out->max_depth = data[ABUT_LOG_MAX_DEPTH];
    out->stage_seconds = data[ABUT_LOG_STAGE_SECONDS];
    out->pose = data[ABUT_LOG_POSE];
    out->velocity = data[ABUT_LOG_VELOCITY];
    out->speed = data[ABUT_LOG_SPEED];
    out->asleep = data[ABUT_LOG_ASLEEP];
    out->island = data[ABUT_LOG_ISLAND];
    out->contact_start = data[ABUT_LOG_CONTACTS_AT];
    out->contact_body = data[ABUT_LOG_CONTACT_BODY];
    out->contact_force = data[ABUT_LOG_CONTACT_FORCE];
    out->contact_torque = data[ABUT_LOG_CONTACT_TORQUE];
    out->contact_center = data[ABUT_LOG_CONTACT_CENTER];
    out->contact_normal = data[ABUT_LOG_CONTACT_NORMAL];
    out->contact_area = data[ABUT_LOG_CONTACT_AREA];
    out->contact_volume = data[ABUT_LOG_CONTACT_VOLUME];
    out->contact_depth = data[ABUT_LOG_CONTACT_DEPTH];
    out->contact_sliding = data[ABUT_LOG_CONTACT_SLIDING];
    out->vertex_start = data[ABUT_LOG_VERTICES_AT];
    out->vertex_point = data[ABUT_LOG_VERTEX_POINT];
    out->vertex_force = data[ABUT_LOG_VERTEX_FORCE];
    out->vertex_pressure = data[ABUT_LOG_VERTEX_PRESSURE];
}
