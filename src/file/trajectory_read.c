/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trajectories from files. In: CSV, a NumPy archive or a message of ROS, told apart by their first bytes, and a
 * configuration whose joints they are. Out: a trajectory of all joints of the model. Joints that an equality of the
 * model ties to one in the file follow it, on curves where the polynomial of a polynomial is still one of degree 5;
 * others stay as in the posture.
 */
#include "file/trajectory_file.h"
#include "file/input.h"
#include "robot/tree.h"

#include <string.h>

static const size_t MOST_BYTES = (size_t)1 << 30;

int32_t abut_trajectory_joint(
    const AbutModel *model, const char *what, const char *joint, size_t length, AbutError *error) {
    char name[200];
    int shown = length < sizeof name ? (int)length : (int)sizeof name - 1;
    memcpy(name, joint, (size_t)shown);
    name[shown] = 0;
    int32_t i = length < sizeof name ? abut_model_find(model, ABUT_MODEL_JOINT, name) : -1;
    if (i >= 0 && model->joints[i].kind != ABUT_JOINT_BALL) return i;
    const char *near = i < 0 && model->joint_count
                           ? abut_suggest(name, model->joint_count, &model->joints[0].name, sizeof model->joints[0])
                           : NULL;
    if (i >= 0)
        abut_fail(error, ABUT_ERROR_FORMAT, "%s '%s': expected a hinge or slide, got a ball", what, name);
    else if (near)
        abut_fail(error, ABUT_ERROR_FORMAT, "%s '%s': no such joint; did you mean '%s'?", what, name, near);
    else
        abut_fail(error, ABUT_ERROR_FORMAT, "%s '%s': the model has no such joint", what, name);
    return -1;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

int abut_trajectory_add_row(AbutTrajectoryTable *table, double time) {
    size_t n = (size_t)table->model->joint_count, need = (size_t)table->count + 1, capacity = table->capacity;
    for (int order = 0; order < 3; ++order) {
        capacity = table->capacity;
        if (!abut_grow((void **)&table->order[order], &capacity, need, (n + 1) * sizeof(double))) return 0;
    }
    capacity = table->capacity;
    if (!abut_grow((void **)&table->times, &capacity, need, sizeof *table->times)) return 0;
    table->capacity = capacity;
    size_t row = (size_t)table->count * n;
    memcpy(table->order[0] + row, table->rest, n * sizeof(double));
    memset(table->order[1] + row, 0, n * sizeof(double));
    memset(table->order[2] + row, 0, n * sizeof(double));
    table->times[table->count++] = time;
    return 1;
}

static void table_free(AbutTrajectoryTable *table) {
    for (int order = 0; order < 3; ++order) abut_free(table->order[order]);
    abut_free(table->given[0]);
    abut_free(table->times);
}

/* All three rows of flags in one block. */
static int table_make(AbutTrajectoryTable *table) {
    size_t n = (size_t)table->model->joint_count + 1;
    table->given[0] = abut_alloc(3 * n);
    if (!table->given[0]) return 0;
    memset(table->given[0], 0, 3 * n);
    table->given[1] = table->given[0] + n;
    table->given[2] = table->given[1] + n;
    return 1;
}

/* ---- from table to trajectory ------------------------------------------------------------------------------------ */

/* Is there a speed (order 1) or acceleration (order 2) for all joints in the file? Some but not all is an error. */
static AbutStatus has_order(const AbutTrajectoryTable *table, int order, int *out, AbutError *error) {
    int32_t some = 0, all = 1, missing = -1;
    for (int32_t i = 0; i < table->model->joint_count; ++i) {
        some |= table->given[order][i];
        if (table->given[0][i] != table->given[order][i]) {
            all = 0;
            missing = i;
        }
    }
    *out = some;
    return !some || all ? ABUT_OK
                        : abut_fail(error, ABUT_ERROR_FORMAT,
                              "%s: joint '%s': expected positions%s for the same joints", table->name,
                              table->model->joints[missing].name, order == 1 ? " and speeds" : " and accelerations");
}

static AbutStatus interpolate(
    const AbutTrajectoryTable *table, int interpolation, AbutTrajectory *out, AbutError *error) {
    AbutJointSamples samples = {table->model->joint_count, table->count, table->times, table->order[0], NULL, NULL};
    AbutError inner;
    int speeds, accelerations;
    ABUT_TRY(has_order(table, 1, &speeds, error));
    ABUT_TRY(has_order(table, 2, &accelerations, error));
    if (accelerations && !speeds && interpolation < 0)
        return abut_fail(
            error, ABUT_ERROR_FORMAT, "%s: accelerations without speeds: expected speeds too", table->name);
    samples.speeds = speeds ? table->order[1] : NULL;
    samples.accelerations = speeds && accelerations ? table->order[2] : NULL;
    if (interpolation < 0)
        interpolation = samples.accelerations ? ABUT_INTERPOLATE_QUINTIC
                        : speeds              ? ABUT_INTERPOLATE_CUBIC
                                              : ABUT_INTERPOLATE_LINEAR;
    AbutStatus status = abut_trajectory_interpolate((AbutInterpolation)interpolation, &samples, out, &inner);
    return status ? abut_fail(error, status, "%s: %s", table->name, inner.text) : ABUT_OK;
}

static AbutStatus parse(const void *bytes, size_t count, AbutTrajectoryTable *table, int interpolation,
    AbutTrajectory *out, AbutError *error) {
    AbutError inner;
    int zip = count >= 4 && memcmp(bytes, "PK\3\4", 4) == 0, bag = count >= 5 && memcmp(bytes, "\x89MCAP", 5) == 0;
    if (bag)
        return abut_fail(error, ABUT_ERROR_FORMAT,
            "%s: expected CSV, NumPy, YAML or JSON, got an MCAP bag, which abut.ros of the Python package reads",
            table->name);
    AbutStatus status = zip ? abut_trajectory_parse_npz(bytes, count, table->name, table, out, error)
                        : abut_trajectory_is_ros(bytes, count, table->name)
                            ? abut_trajectory_parse_ros(bytes, count, table->name, table, error)
                            : abut_trajectory_parse_csv(bytes, count, table->name, table, error);
    if (!status && !out->times) return interpolate(table, interpolation, out, error);
    if (!status && interpolation >= 0)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: expected no interpolation of polynomials", table->name);
    if (!status && abut_trajectory_check(out, &inner) != ABUT_OK)
        status = abut_fail(error, ABUT_ERROR_FORMAT, "%s: %s", table->name, inner.text);
    return status;
}

AbutStatus abut_trajectory_read(const char *name, const void *bytes, size_t count, const AbutConfiguration *posture,
    int interpolation, AbutTrajectory *out, uint8_t *given, AbutError *error) {
    ABUT_ASSERT((name || bytes) && posture && out && given);
    const AbutModel *model = abut_configuration_model(posture);
    char *own;
    memset(out, 0, sizeof *out);
    ABUT_TRY(abut_file_take(name, "a trajectory", MOST_BYTES, &bytes, &count, &own, error));
    double *rest = abut_alloc_array((size_t)model->joint_count + 1, sizeof *rest);
    AbutTrajectoryTable table = {.model = model, .name = name && *name ? name : "trajectory", .rest = rest};
    if (rest) abut_plan_joints_at(posture, rest);
    AbutStatus status =
        rest && table_make(&table) ? parse(bytes, count, &table, interpolation, out, error) : abut_fail_memory(error);
    if (!status) {
        memcpy(given, table.given[0], (size_t)model->joint_count);
        AbutError inner;
        if ((status = abut_trajectory_couple(abut_configuration_tree(posture), out, given, &inner)) != ABUT_OK)
            abut_fail(error, status, "%s: %s", table.name, inner.text);
    }
    if (status) abut_trajectory_free(out);
    table_free(&table);
    abut_free(rest);
    abut_free(own);
    return status;
}
