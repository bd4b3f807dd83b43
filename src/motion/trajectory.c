/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trajectories: polynomials of degree 5 at most, one piece after the other, each over x = 0 .. 1. In: samples of
 * joints, with speeds and accelerations where there are some. Out: straight lines, Hermite cubics or quintics, or the
 * cubic spline with two continuous derivatives that is at rest at its ends.
 */
#include "motion/trajectory.h"
#include "motion/curve.h"

#include <string.h>

const char *const abut_interpolation_names[ABUT_INTERPOLATION_COUNT + 1] = {"linear", "cubic", "quintic", NULL};

/* ---- pieces between two samples; m, a are derivatives by x ------------------------------------------------------- */

static void cubic(double p0, double p1, double m0, double m1, double *c) {
    c[0] = p0;
    c[1] = m0;
    c[2] = 3.0 * (p1 - p0) - 2.0 * m0 - m1;
    c[3] = 2.0 * (p0 - p1) + m0 + m1;
}

static void quintic(double p0, double p1, const double m[2], const double a[2], double *c) {
    double d = p1 - p0 - m[0] - 0.5 * a[0], v = m[1] - m[0] - a[0], w = a[1] - a[0];
    c[0] = p0;
    c[1] = m[0];
    c[2] = 0.5 * a[0];
    c[3] = 10.0 * d - 4.0 * v + 0.5 * w;
    c[4] = -15.0 * d + 7.0 * v - w;
    c[5] = 6.0 * d - 3.0 * v + 0.5 * w;
}

/* Speeds of one joint that make the second derivative continuous; 0 at both ends. `room` has `count` numbers. */
static void smooth_speeds(const AbutJointSamples *s, int32_t joint, double *speed, double *room) {
    int32_t n = s->count, w = s->joint_count;
    const double *q = s->values + joint, *t = s->times;
    speed[0] = room[0] = 0.0;
    for (int32_t i = 1; i + 1 < n; ++i) {
        double h0 = t[i] - t[i - 1], h1 = t[i + 1] - t[i];
        double d0 = (q[(size_t)i * (size_t)w] - q[(size_t)(i - 1) * (size_t)w]) / h0;
        double d1 = (q[(size_t)(i + 1) * (size_t)w] - q[(size_t)i * (size_t)w]) / h1;
        double low = h1, middle = 2.0 * (h0 + h1) - low * room[i - 1];
        room[i] = h0 / middle;
        speed[i] = (3.0 * (h1 * d0 + h0 * d1) - low * speed[i - 1]) / middle;
    }
    speed[n - 1] = 0.0;
    for (int32_t i = n - 2; i > 0; --i) speed[i] -= room[i] * speed[i + 1];
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static AbutStatus check_samples(AbutInterpolation kind, const AbutJointSamples *s, AbutError *error) {
    if ((unsigned)kind >= ABUT_INTERPOLATION_COUNT || s->joint_count < 0 || s->count < 2)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "expected two samples or more, got %d", (int)s->count);
    if (kind == ABUT_INTERPOLATE_QUINTIC && (!s->speeds || !s->accelerations))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "quintic: expected speeds and accelerations of the samples");
    for (int32_t i = 1; i < s->count; ++i)
        if (!(s->times[i] > s->times[i - 1]))
            return abut_fail(error, ABUT_ERROR_ARGUMENT, "sample %d: expected a time after %g, got %g", (int)i,
                s->times[i - 1], s->times[i]);
    return ABUT_OK;
}

AbutStatus abut_trajectory_make(int32_t joints, int32_t pieces, AbutTrajectory *out, AbutError *error) {
    size_t numbers = 6 * (size_t)pieces * (size_t)(joints + 1);
    AbutTrajectory made = {joints, pieces, abut_alloc_array((size_t)pieces + 1, sizeof *made.times),
        abut_alloc_array(numbers, sizeof *made.coefficients)};
    *out = made;
    if (!made.times || !made.coefficients) {
        abut_trajectory_free(out);
        return abut_fail_memory(error);
    }
    memset(made.coefficients, 0, numbers * sizeof *made.coefficients);
    return ABUT_OK;
}

/* One joint; `speed` has its speeds where the kind needs them. */
static void fill_joint(
    AbutInterpolation kind, const AbutJointSamples *s, int32_t joint, const double *speed, AbutTrajectory *out) {
    for (int32_t i = 0; i + 1 < s->count; ++i) {
        size_t at = (size_t)i * (size_t)s->joint_count + (size_t)joint, next = at + (size_t)s->joint_count;
        double p0 = s->values[at], p1 = s->values[next], h = s->times[i + 1] - s->times[i];
        double *c = out->coefficients + 6 * at, m[2], a[2];
        if (kind == ABUT_INTERPOLATE_LINEAR) {
            c[0] = p0;
            c[1] = p1 - p0;
            continue;
        }
        m[0] = h * speed[i], m[1] = h * speed[i + 1];
        if (kind == ABUT_INTERPOLATE_CUBIC) {
            cubic(p0, p1, m[0], m[1], c);
            continue;
        }
        a[0] = h * h * s->accelerations[at], a[1] = h * h * s->accelerations[next];
        quintic(p0, p1, m, a, c);
    }
}

AbutStatus abut_trajectory_interpolate(
    AbutInterpolation kind, const AbutJointSamples *samples, AbutTrajectory *out, AbutError *error) {
    ABUT_ASSERT(samples && samples->times && samples->values && out);
    memset(out, 0, sizeof *out);
    AbutStatus status = check_samples(kind, samples, error);
    double *room = status ? NULL : abut_alloc_array(2 * (size_t)samples->count, sizeof *room);
    if (!status && !room) status = abut_fail_memory(error);
    if (!status) status = abut_trajectory_make(samples->joint_count, samples->count - 1, out, error);
    for (int32_t j = 0; j < samples->joint_count && !status; ++j) {
        if (kind != ABUT_INTERPOLATE_LINEAR && samples->speeds)
            for (int32_t i = 0; i < samples->count; ++i)
                room[i] = samples->speeds[(size_t)i * (size_t)samples->joint_count + (size_t)j];
        else if (kind == ABUT_INTERPOLATE_CUBIC)
            smooth_speeds(samples, j, room, room + samples->count);
        fill_joint(kind, samples, j, room, out);
    }
    abut_free(room);
    if (status) return status;
    memcpy(out->times, samples->times, (size_t)samples->count * sizeof *out->times);
    status = abut_trajectory_check(out, error);
    if (status) abut_trajectory_free(out);
    return status;
}

void abut_trajectory_free(AbutTrajectory *trajectory) {
    ABUT_ASSERT(trajectory);
    abut_free(trajectory->times);
    abut_free(trajectory->coefficients);
    memset(trajectory, 0, sizeof *trajectory);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

/* A joint must not be elsewhere when the next piece begins; rounding is forgiven. */
static AbutStatus check_joins(const AbutTrajectory *t, AbutError *error) {
    for (int32_t k = 0; k + 1 < t->piece_count; ++k)
        for (int32_t j = 0; j < t->joint_count; ++j) {
            const double *c = abut_trajectory_piece(t, k, j);
            double end = c[0] + c[1] + c[2] + c[3] + c[4] + c[5], size = 1.0;
            double next = *abut_trajectory_piece(t, k + 1, j);
            for (int i = 0; i < 6; ++i) size += fabs(c[i]);
            if (!abut_pieces_join(end, next, size))
                return abut_fail(error, ABUT_ERROR_ARGUMENT,
                    "trajectory: there is a jump of %g for joint %d at the end of piece %d", next - end, (int)j,
                    (int)k);
        }
    return ABUT_OK;
}

AbutStatus abut_trajectory_check(const AbutTrajectory *t, AbutError *error) {
    ABUT_ASSERT(t);
    static const double MOST = 1e9;
    if (t->piece_count < 1 || t->joint_count < 0 || !t->times || !t->coefficients)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "trajectory: expected a piece or more");
    for (int32_t i = 0; i <= t->piece_count; ++i)
        if (!isfinite(t->times[i]) || (i > 0 && !(t->times[i] > t->times[i - 1])))
            return abut_fail(error, ABUT_ERROR_NUMBER, "trajectory: expected times that grow, got %g as number %d",
                t->times[i], (int)i);
    for (size_t i = 0, n = 6 * (size_t)t->piece_count * (size_t)t->joint_count; i < n; ++i)
        if (!(fabs(t->coefficients[i]) < MOST))
            return abut_fail(error, ABUT_ERROR_NUMBER,
                "trajectory: expected numbers below 1e9, got %g for joint %d in piece %d", t->coefficients[i],
                (int)(i / 6 % (size_t)t->joint_count), (int)(i / 6 / (size_t)t->joint_count));
    return check_joins(t, error);
}

void abut_trajectory_value(const AbutTrajectory *trajectory, double t, int order, double *out) {
    ABUT_ASSERT(trajectory && trajectory->piece_count > 0 && order >= 0 && order <= 5 && out);
    int32_t found = abut_last_at(trajectory->times, sizeof(double), trajectory->piece_count, t),
            k = found < 0 ? 0 : found;
    double from = trajectory->times[k], h = trajectory->times[k + 1] - from, scale = 1.0;
    double x = fmin(fmax((t - from) / h, 0.0), 1.0);
    int outside = t < trajectory->times[0] || t > trajectory->times[trajectory->piece_count];
    for (int i = 0; i < order; ++i) scale /= h;
    for (int32_t j = 0; j < trajectory->joint_count; ++j) {
        double value = abut_piece_value(abut_trajectory_piece(trajectory, k, j), x, order);
        out[j] = outside && order > 0 ? 0.0 : value * scale;
    }
}
