/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trajectories out. In: a trajectory over the joints of a model, and which of them to write. Out: CSV of positions,
 * speeds and accelerations, which quintics through the rows give back; or a NumPy archive with the polynomials
 * themselves.
 */
#include "abut/file.h"
#include "motion/trajectory.h"
#include "file/npz.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 1000000 };

/* Output in one block: names, a row, and for archives rows and polynomials. */
typedef struct Writing {
    const AbutModel *model;
    const AbutTrajectory *trajectory;
    const uint8_t *given;
    int32_t width, rows;
    double rate;
    char *names;   /* of an archive, as they stand there, one to a line; of a CSV one of them */
    double *value; /* of all joints */
} Writing;

static double row_time(const Writing *w, int32_t row) {
    double from = w->trajectory->times[0], to = w->trajectory->times[w->trajectory->piece_count];
    return row + 1 == w->rows ? to : from + row / w->rate;
}

static int ends_as_csv(const char *path) {
    size_t n = strlen(path);
    return n >= 4 && strcmp(path + n - 4, ".csv") == 0;
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static void put_head(const Writing *w, AbutCsv *csv) {
    static const char *const endings[3] = {"", ":v", ":a"};
    abut_csv_text(csv, "t");
    for (int order = 0; order < 3; ++order)
        for (int32_t j = 0; j < w->model->joint_count; ++j)
            if (w->given[j]) {
                sprintf(w->names, "%s%s", w->model->joints[j].name, endings[order]);
                abut_csv_text(csv, w->names);
            }
    abut_csv_end_row(csv);
}

static AbutStatus write_csv(const char *path, Writing *w, AbutError *error) {
    AbutCsv *csv;
    ABUT_TRY(abut_csv_open(path, "", &csv, error));
    put_head(w, csv);
    for (int32_t row = 0; row < w->rows; ++row) {
        double t = row_time(w, row);
        abut_csv_number(csv, t);
        for (int order = 0; order < 3; ++order) {
            abut_trajectory_value(w->trajectory, t, order, w->value);
            for (int32_t j = 0; j < w->model->joint_count; ++j)
                if (w->given[j]) abut_csv_number(csv, w->value[j]);
        }
        abut_csv_end_row(csv);
    }
    return abut_csv_commit(csv, error);
}

/* ---- archive ----------------------------------------------------------------------------------------------------- */

static void fill_rows(Writing *w, double *time, double *q) {
    for (int32_t row = 0; row < w->rows; ++row) {
        time[row] = row_time(w, row);
        abut_trajectory_value(w->trajectory, time[row], 0, w->value);
        for (int32_t j = 0; j < w->model->joint_count; ++j)
            if (w->given[j]) *q++ = w->value[j];
    }
}

static void fill_polynomials(const Writing *w, double *c) {
    const AbutTrajectory *t = w->trajectory;
    for (int32_t k = 0; k < t->piece_count; ++k)
        for (int32_t j = 0; j < t->joint_count; ++j)
            if (w->given[j]) {
                memcpy(c, abut_trajectory_piece(t, k, j), 6 * sizeof *c);
                c += 6;
            }
}

static AbutStatus write_archive(const char *path, Writing *w, AbutError *error) {
    int64_t pieces = w->trajectory->piece_count, width = w->width, rows = w->rows;
    double *numbers = abut_alloc_array((size_t)(rows * (width + 1) + 6 * pieces * width + 1), sizeof *numbers);
    if (!numbers) return abut_fail_memory(error);
    double *q = numbers + rows, *c = q + rows * width;
    char *end = w->names;
    for (int32_t j = 0; j < w->model->joint_count; ++j)
        if (w->given[j]) end += sprintf(end, "%s\n", w->model->joints[j].name);
    AbutArray arrays[5] = {
        {"breaks", ABUT_ARRAY_F8, 1, {pieces + 1, 0, 0, 0}, w->trajectory->times},
        {"coefficients", ABUT_ARRAY_F8, 3, {pieces, width, 6, 0}, c},
        {"joints", ABUT_ARRAY_U1, 1, {end - w->names, 0, 0, 0}, w->names},
        {"time", ABUT_ARRAY_F8, 1, {rows, 0, 0, 0}, numbers},
        {"q", ABUT_ARRAY_F8, 2, {rows, width, 0, 0}, q},
    };
    fill_rows(w, numbers, q);
    fill_polynomials(w, c);
    AbutStatus status = abut_npz_write(path, arrays, 5, error);
    abut_free(numbers);
    return status;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static AbutStatus take_memory(Writing *w, AbutError *error) {
    size_t text = 8;
    for (int32_t j = 0; j < w->model->joint_count; ++j)
        if (w->given[j]) {
            text += strlen(w->model->joints[j].name) + 4;
            ++w->width;
        }
    w->names = abut_alloc(text);
    w->value = abut_alloc_array((size_t)w->model->joint_count + 1, sizeof *w->value);
    return w->names && w->value ? ABUT_OK : abut_fail_memory(error);
}

AbutStatus abut_trajectory_write(const char *path, const AbutModel *model, const AbutTrajectory *trajectory,
    const uint8_t *given, double rate, AbutError *error) {
    ABUT_ASSERT(path && model && trajectory && given);
    Writing w = {.model = model, .trajectory = trajectory, .given = given, .rate = rate};
    ABUT_TRY(abut_trajectory_check(trajectory, error));
    double rows = ceil((trajectory->times[trajectory->piece_count] - trajectory->times[0]) * rate - 1e-9) + 1.0;
    if (trajectory->joint_count != model->joint_count || !(rate > 0.0) || !(rows <= MOST_ROWS))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "%s: expected joints of the model and at most %d rows, got %d and %g", path, MOST_ROWS,
            (int)trajectory->joint_count, rows);
    w.rows = (int32_t)fmax(rows, 2.0);
    AbutStatus status = take_memory(&w, error);
    if (!status) status = ends_as_csv(path) ? write_csv(path, &w, error) : write_archive(path, &w, error);
    abut_free(w.names);
    abut_free(w.value);
    return status;
}
