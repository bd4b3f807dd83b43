/* SPDX-License-Identifier: Apache-2.0 */
/* Sensors of a model: the table of their kinds, and what a legal one is. */
#include "model/sensor_kind.h"

#include <string.h>

#include "model/check.h"
#include "model/inside.h"

#define NAME(tag, width, object, data, read) tag,
const char *const abut_sensor_kind_names[] = {ABUT_SENSOR_KINDS(NAME) NULL};

#define ROW(tag, width, object, data, read) {width, ABUT_SENSOR_##object, ABUT_SENSOR_##data},
const AbutSensorRow abut_sensor_rows[] = {ABUT_SENSOR_KINDS(ROW)};

int32_t abut_sensor_row(const char *kind) {
    for (int32_t i = 0; kind && abut_sensor_kind_names[i]; ++i)
        if (strcmp(abut_sensor_kind_names[i], kind) == 0) return i;
    return -1;
}

static int in_range(int32_t number, int32_t least, int32_t count) { return number >= least && number < count; }

const char *const abut_sensed_side_names[ABUT_SENSED_SIDE_COUNT + 1] = {"any", "shape", "body", "subtree", NULL};
const char *const abut_sensed_reduce_names[ABUT_SENSED_REDUCE_COUNT + 1] = {
    "none", "mindist", "maxforce", "netforce", NULL};

enum { MOST_ROWS = 10000 };

static int has_side(const AbutModel *model, int32_t kind, int32_t number) {
    if (kind == ABUT_SENSED_SHAPE) return in_range(number, 0, model->shape_count);
    return kind == ABUT_SENSED_ANY ||
           (in_range(kind, 0, ABUT_SENSED_SIDE_COUNT) && in_range(number, -1, model->body_count));
}

/* Of contact: at least one number, a known order, rows; *width of all rows. */
static int has_rows(AbutSensorDef *def, int32_t *width) {
    static const int32_t widths[] = {1, 3, 3, 1, 3, 3, 3};
    if (def->rows == 0 || def->reduce == ABUT_SENSED_SUM) def->rows = 1;
    if (def->data == 0) def->data = ABUT_SENSED_FOUND;
    *width = 0;
    for (int i = 0; i < 7; ++i) *width += def->data >> i & 1 ? widths[i] * def->rows : 0;
    return in_range(def->data, 1, ABUT_SENSED_ALL + 1) && in_range(def->reduce, 0, ABUT_SENSED_REDUCE_COUNT) &&
           in_range(def->rows, 1, MOST_ROWS);
}

/* Checks that the mount exists and is of the kind that the sensor reads; *wanted names that kind. */
static int has_object(const AbutModel *model, const AbutSensorDef *def, const char **wanted) {
    static const char *const names[] = {
        "", "hinge or slide", "ball", "joint", "tendon", "actuator", "body", "body", "body", "side of contacts"};
    AbutSensorObject object = abut_sensor_rows[def->row].object;
    int32_t n = def->number;
    *wanted = names[object];
    switch (object) {
    case ABUT_SENSOR_NONE:
        return 1;
    case ABUT_SENSOR_JOINT:
    case ABUT_SENSOR_BALL:
        return in_range(n, 0, model->joint_count) &&
               (model->joints[n].kind == ABUT_JOINT_BALL) == (object == ABUT_SENSOR_BALL);
    case ABUT_SENSOR_LIMIT:
        return in_range(n, 0, model->joint_count);
    case ABUT_SENSOR_TENDON:
        return in_range(n, 0, model->tendon_count);
    case ABUT_SENSOR_ACTUATOR:
        return in_range(n, 0, model->actuator_count);
    case ABUT_SENSOR_SUBTREE:
        return in_range(n, -1, model->body_count);
    case ABUT_SENSOR_CONTACTS:
        return has_side(model, def->first_kind, def->first) && has_side(model, def->second_kind, def->second) &&
               in_range(def->body, -1, model->body_count);
    default:
        return in_range(def->body, -1, model->body_count) &&
               (!def->has_reference || in_range(def->reference_body, -1, model->body_count));
    }
}

static int32_t object_number(const AbutSensorDef *def) {
    AbutSensorObject object = abut_sensor_rows[def->row].object;
    return object == ABUT_SENSOR_SITE || object == ABUT_SENSOR_FRAME ? def->body : def->number;
}

static AbutStatus settle_pose(const char *what, AbutPose *pose, AbutError *error) {
    if (pose->q.w == 0.0 && pose->q.x == 0.0 && pose->q.y == 0.0 && pose->q.z == 0.0) pose->q = abut_quat_identity();
    return abut_check_pose(what, pose, error);
}

AbutStatus abut_model_add_sensor(AbutModel *model, const AbutSensorDef *given, int32_t *out, AbutError *error) {
    ABUT_ASSERT(model && given);
    AbutModelInside *m = abut_model_inside(model);
    AbutSensorDef def = *given;
    const char *name = def.name ? def.name : "", *wanted;
    def.row = abut_sensor_row(def.kind);
    if (def.row < 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "sensor '%.100s': expected a known kind, got '%.40s'", name,
            def.kind ? def.kind : "");
    def.kind = abut_sensor_kind_names[def.row];
    if (!has_object(model, &def, &wanted))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "sensor '%.100s': expected the number of a %s of the model, got %d", name, wanted,
            (int)object_number(&def));
    if (!(def.cutoff >= 0.0) || !isfinite(def.cutoff) || !abut_is_finite(def.zone_size))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "sensor '%.100s': expected a cutoff of 0 or above and finite sizes, got %g", name, def.cutoff);
    int32_t width = abut_sensor_rows[def.row].width;
    if (abut_sensor_rows[def.row].object == ABUT_SENSOR_CONTACTS && !has_rows(&def, &width))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "sensor '%.100s': expected known data, a known order and 1 to %d rows, got %d, %d, %d", name, MOST_ROWS,
            (int)def.data, (int)def.reduce, (int)def.rows);
    ABUT_TRY(settle_pose("sensor", &def.pose, error));
    ABUT_TRY(settle_pose("reference of a sensor", &def.reference_pose, error));
    def.place = model->sensor_values;
    def.width = width;
    ABUT_TRY(ABUT_MODEL_APPEND(m, sensors, sensor, &def.name));
    model->sensor_values += def.width;
    return ABUT_OK;
}
