/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trajectories in NumPy archives. In: `time` [n] and `q` [n][k], `v` and `a` like q; or the polynomials themselves,
 * `breaks` [p + 1] and `coefficients` [p][k][6]. The k columns are the joints that `joints` names (bytes of a text, a
 * name to a line), or without it all hinges and slides of the model in order.
 */
#include "file/npz.h"
#include "file/trajectory_file.h"

#include <math.h>
#include <string.h>

static AbutStatus bad(const char *name, const char *array, const char *expected, AbutError *error) {
    return abut_fail(error, ABUT_ERROR_FORMAT, "%s: %s: expected %s", name, array, expected);
}

static int is_numbers(const AbutArray *array, int dimensions) {
    return array && array->type == ABUT_ARRAY_F8 && array->dimensions == dimensions;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Joints that `joints` names, a line each. */
static AbutStatus named_columns(
    const AbutArray *text, const AbutTrajectoryTable *table, int32_t width, int32_t *joint, AbutError *error) {
    const char *p = text->data, *end = p + abut_array_count(text);
    int32_t count = 0;
    while (p < end && count < width) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop ? stop : end;
        AbutError inner;
        joint[count] = abut_trajectory_joint(table->model, "joints", p, (size_t)(stop - p), &inner);
        if (joint[count] < 0) return abut_fail(error, ABUT_ERROR_FORMAT, "%s: %s", table->name, inner.text);
        ++count;
        p = stop < end ? stop + 1 : end;
    }
    return p == end && count == width ? ABUT_OK
                                      : bad(table->name, "joints", "a name for every column, a line each,", error);
}

/* All hinges and slides. */
static AbutStatus all_columns(const AbutTrajectoryTable *table, int32_t width, int32_t *joint, AbutError *error) {
    int32_t count = 0;
    for (int32_t i = 0; i < table->model->joint_count; ++i)
        if (table->model->joints[i].kind != ABUT_JOINT_BALL) {
            if (count < width) joint[count] = i;
            ++count;
        }
    return count == width ? ABUT_OK
                          : abut_fail(error, ABUT_ERROR_FORMAT,
                                "%s: expected %d columns, one for each hinge and slide, or names in 'joints', got %d",
                                table->name, (int)count, (int)width);
}

static AbutStatus find_columns(
    const AbutArchive *archive, AbutTrajectoryTable *table, int32_t width, int32_t *joint, AbutError *error) {
    const AbutArray *text = abut_npz_find(archive, "joints");
    AbutStatus status = text && (text->type != ABUT_ARRAY_U1 || text->dimensions > 1)
                            ? bad(table->name, "joints", "the bytes of a text", error)
                        : text ? named_columns(text, table, width, joint, error)
                               : all_columns(table, width, joint, error);
    for (int32_t i = 0; i < width && !status; ++i) {
        if (table->given[0][joint[i]])
            status = abut_fail(error, ABUT_ERROR_FORMAT, "%s: joint '%s' stands there twice", table->name,
                table->model->joints[joint[i]].name);
        else
            table->given[0][joint[i]] = 1;
    }
    return status;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static AbutStatus take_samples(
    const AbutArchive *archive, AbutTrajectoryTable *table, const int32_t *joint, int32_t width, AbutError *error) {
    static const char *const names[3] = {"q", "v", "a"};
    const AbutArray *time = abut_npz_find(archive, "time");
    int64_t rows = time->shape[0];
    for (int64_t i = 0; i < rows; ++i)
        if (!abut_trajectory_add_row(table, ((const double *)time->data)[i])) return abut_fail_memory(error);
    for (int order = 0; order < 3; ++order) {
        const AbutArray *array = abut_npz_find(archive, names[order]);
        if (!array && order > 0) continue;
        if (!is_numbers(array, 2) || array->shape[0] != rows || array->shape[1] != width)
            return bad(table->name, names[order], "doubles of a row for each time", error);
        for (int64_t i = 0; i < rows; ++i)
            for (int32_t k = 0; k < width; ++k)
                table->order[order][i * table->model->joint_count + joint[k]] =
                    ((const double *)array->data)[i * width + k];
        for (int32_t k = 0; k < width; ++k) table->given[order][joint[k]] = 1;
    }
    return ABUT_OK;
}

/* ---- polynomials ------------------------------------------------------------------------------------------------- */

static AbutStatus take_polynomials(const AbutArray *breaks, const AbutArray *array, const AbutTrajectoryTable *table,
    const int32_t *joint, AbutTrajectory *out, AbutError *error) {
    int32_t n = table->model->joint_count, pieces = (int32_t)array->shape[0], width = (int32_t)array->shape[1];
    ABUT_TRY(abut_trajectory_make(n, pieces, out, error));
    memcpy(out->times, breaks->data, ((size_t)pieces + 1) * sizeof *out->times);
    for (int32_t i = 0; i < pieces; ++i) {
        for (int32_t j = 0; j < n; ++j) *abut_trajectory_piece(out, i, j) = table->rest[j];
        for (int32_t k = 0; k < width; ++k)
            memcpy(abut_trajectory_piece(out, i, joint[k]),
                (const double *)array->data + 6 * ((size_t)i * (size_t)width + (size_t)k), 6 * sizeof(double));
    }
    return ABUT_OK;
}

static AbutStatus take_archive(
    const AbutArchive *archive, AbutTrajectoryTable *table, AbutTrajectory *exact, AbutError *error) {
    const AbutArray *time = abut_npz_find(archive, "time"), *q = abut_npz_find(archive, "q");
    const AbutArray *breaks = abut_npz_find(archive, "breaks"), *c = abut_npz_find(archive, "coefficients");
    if (c && (!is_numbers(c, 3) || c->shape[2] != 6 || c->shape[0] < 1 || c->shape[0] > 1000000))
        return bad(table->name, "coefficients", "doubles of the shape (pieces, joints, 6)", error);
    if (c && (!is_numbers(breaks, 1) || breaks->shape[0] != c->shape[0] + 1))
        return bad(table->name, "breaks", "doubles, one more than pieces,", error);
    if (!c && (!is_numbers(time, 1) || time->shape[0] < 2 || time->shape[0] > 1000000 || !is_numbers(q, 2)))
        return bad(table->name, "time and q", "doubles of the shapes (rows) and (rows, joints)", error);
    int64_t width = c ? c->shape[1] : q->shape[1];
    if (width > table->model->joint_count)
        return bad(table->name, c ? "coefficients" : "q", "no more joints than the model has", error);
    int32_t *joint = abut_alloc_array((size_t)width + 1, sizeof *joint);
    if (!joint) return abut_fail_memory(error);
    AbutStatus status = find_columns(archive, table, (int32_t)width, joint, error);
    if (!status)
        status = c ? take_polynomials(breaks, c, table, joint, exact, error)
                   : take_samples(archive, table, joint, (int32_t)width, error);
    abut_free(joint);
    return status;
}

AbutStatus abut_trajectory_parse_npz(const void *bytes, size_t count, const char *name, AbutTrajectoryTable *out,
    AbutTrajectory *exact, AbutError *error) {
    AbutArchive archive;
    ABUT_TRY(abut_npz_parse(bytes, count, name, &archive, error));
    AbutStatus status = take_archive(&archive, out, exact, error);
    abut_npz_free(&archive);
    return status;
}
