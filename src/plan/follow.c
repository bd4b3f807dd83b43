/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trajectories of joints that follow others. In: a trajectory, and which joints of a model it has. Out: those that
 * equalities of the model tie to them, by the polynomial of a polynomial, which stays exact up to degree 5.
 */
#include "abut/plan.h"

#include <string.h>

static int degree_of(const double *c, int most)
{
    while (most > 0 && c[most] == 0.0)
        --most;
    return most;
}

/* out = out * y + constant, of degree 5 at most. */
static void horner_step(double *out, const double *y, double constant)
{
    double product[6] = {constant};
    for (int i = 0; i < 6; ++i)
        for (int k = 0; i + k < 6; ++k)
            product[i + k] += out[i] * y[k];
    memcpy(out, product, sizeof product);
}

/* One piece of a joint by that of the joint that it follows. 0: of a degree above 5. */
static int follow_piece(const AbutModel *model, const AbutEqualityDef *e, const double *from, double *to)
{
    double a = model->joints[e->a].reference, b = model->joints[e->b].reference, y[6];
    int degree = degree_of(e->polynomial, 4);
    if (degree < 2) {
        for (int c = 0; c < 6; ++c)
            to[c] = e->polynomial[1] * from[c];
        to[0] += a + e->polynomial[0] - e->polynomial[1] * b;
        return 1;
    }
    memcpy(y, from, sizeof y);
    y[0] -= b;
    memset(to, 0, sizeof y);
    for (int i = degree; i >= 0; --i)
        horner_step(to, y, e->polynomial[i]);
    to[0] += a;
    return degree * degree_of(from, 5) <= 5;
}

static AbutStatus follow_one(const AbutModel *model, const AbutEqualityDef *e, AbutTrajectory *t, AbutError *error)
{
    const AbutJointDef *joints = model->joints;
    for (int32_t k = 0; k < t->piece_count; ++k) {
        double *to = t->coefficients + 6 * ((size_t)k * (size_t)t->joint_count + (size_t)e->a);
        const double *from = t->coefficients + 6 * ((size_t)k * (size_t)t->joint_count + (size_t)e->b);
        if (!follow_piece(model, e, from, to))
            return abut_fail(error, ABUT_ERROR_UNSUPPORTED,
                "joint '%s' follows '%s' on a curve, by the model, which makes polynomials above degree 5 of these "
                "pieces: straight lines between the rows, or '%s' in the file too, expected",
                joints[e->a].name, joints[e->b].name, joints[e->a].name);
    }
    return ABUT_OK;
}

/* Until none is left: those that follow may lead others. */
AbutStatus abut_trajectory_follow(const AbutModel *model, AbutTrajectory *t, uint8_t *given, AbutError *error)
{
    ABUT_ASSERT(model && t && given && t->joint_count == model->joint_count);
    AbutStatus status = ABUT_OK;
    for (int more = 1; more && !status;) {
        more = 0;
        for (int32_t i = 0; i < model->equality_count && !status; ++i) {
            const AbutEqualityDef *e = &model->equalities[i];
            if (e->kind != ABUT_EQUALITY_JOINT || e->inactive || e->b < 0 || given[e->a] || !given[e->b])
                continue;
            status = follow_one(model, e, t, error);
            given[e->a] = 1;
            more = 1;
        }
    }
    return status;
}
