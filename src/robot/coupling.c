/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joints that follow others. In: a model whose equalities couple joints in pairs, one after the other in chains. Out:
 * the joint at the end of the chain, and the straight line on which a joint follows it. Curves, circles and joints with
 * two couplings are reported as such. Trajectories of joints that follow are polynomials of polynomials, exact up to
 * degree 5.
 */
#include "motion/trajectory.h"
#include "robot/tree.h"

#include <string.h>

/* The equality in force that makes a joint follow, from number `first` on; NULL: none. */
static const AbutEqualityDef *tie_of(const AbutModel *model, int32_t joint, int32_t first) {
    for (int32_t i = first; i < model->equality_count; ++i) {
        const AbutEqualityDef *e = &model->equalities[i];
        if (e->kind == ABUT_EQUALITY_JOINT && !e->inactive && e->a == joint) return e;
    }
    return NULL;
}

static int is_curved(const AbutEqualityDef *e) {
    return e->b >= 0 && (e->polynomial[2] != 0.0 || e->polynomial[3] != 0.0 || e->polynomial[4] != 0.0);
}

static AbutCoupling coupling_of(const AbutModel *model, int32_t joint) {
    const AbutEqualityDef *e = tie_of(model, joint, 0);
    AbutCoupling out = {e ? 1 : 0, joint, 1.0, 0.0, NULL};
    for (int32_t steps = 0; e; ++steps) {
        out.equality = e;
        if (is_curved(e) || steps == model->equality_count ||
            tie_of(model, e->a, (int32_t)(e - model->equalities) + 1)) {
            out.follows = -1;
            break;
        }
        double slope = e->b < 0 ? 0.0 : e->polynomial[1];
        double base = e->b < 0 ? 0.0 : slope * model->joints[e->b].reference;
        out.offset += out.factor * (model->joints[e->a].reference + e->polynomial[0] - base);
        out.factor *= slope;
        out.leader = e->b;
        e = e->b < 0 ? NULL : tie_of(model, e->b, 0);
    }
    return out;
}

void abut_tree_make_couplings(AbutTree *tree) {
    for (int32_t j = 0; j < tree->model->joint_count; ++j) tree->couplings[j] = coupling_of(tree->model, j);
}

AbutCoupling abut_tree_coupling(const AbutTree *tree, int32_t joint) {
    ABUT_ASSERT(tree && tree->couplings && joint >= 0 && joint < tree->model->joint_count);
    return tree->couplings[joint];
}

/* ---- trajectories ------------------------------------------------------------------------------------------------ */

static int degree_of(const double *c, int most) {
    while (most > 0 && c[most] == 0.0) --most;
    return most;
}

/* out = out * y + constant, of degree 5 at most. */
static void horner_step(double *out, const double *y, double constant) {
    double product[6] = {constant};
    for (int i = 0; i < 6; ++i)
        for (int k = 0; i + k < 6; ++k) product[i + k] += out[i] * y[k];
    memcpy(out, product, sizeof product);
}

/* One piece of a joint by that of the joint that it follows. 0: of a degree above 5. */
static int couple_piece(const AbutModel *model, const AbutEqualityDef *e, const double *from, double *to) {
    double a = model->joints[e->a].reference, b = model->joints[e->b].reference, y[6];
    int degree = degree_of(e->polynomial, 4);
    if (degree < 2) {
        for (int c = 0; c < 6; ++c) to[c] = e->polynomial[1] * from[c];
        to[0] += a + e->polynomial[0] - e->polynomial[1] * b;
        return 1;
    }
    memcpy(y, from, sizeof y);
    y[0] -= b;
    memset(to, 0, sizeof y);
    for (int i = degree; i >= 0; --i) horner_step(to, y, e->polynomial[i]);
    to[0] += a;
    return degree * degree_of(from, 5) <= 5;
}

static AbutStatus couple_one(const AbutModel *model, const AbutEqualityDef *e, AbutTrajectory *t, AbutError *error) {
    const AbutJointDef *joints = model->joints;
    for (int32_t k = 0; k < t->piece_count; ++k) {
        double *to = abut_trajectory_piece(t, k, e->a);
        const double *from = abut_trajectory_piece(t, k, e->b);
        if (!couple_piece(model, e, from, to))
            return abut_fail(error, ABUT_ERROR_UNSUPPORTED,
                "joint '%s' follows '%s' on a curve, by the model, which makes polynomials above degree 5 of these "
                "pieces: straight lines between the rows, or '%s' in the file too, expected",
                joints[e->a].name, joints[e->b].name, joints[e->a].name);
    }
    return ABUT_OK;
}

/* Until none is left: those that follow may lead others. */
AbutStatus abut_trajectory_couple(const AbutTree *tree, AbutTrajectory *t, uint8_t *given, AbutError *error) {
    ABUT_ASSERT(tree && t && given && t->joint_count == tree->model->joint_count);
    const AbutModel *model = tree->model;
    AbutStatus status = ABUT_OK;
    for (int more = 1; more && !status;) {
        more = 0;
        for (int32_t i = 0; i < model->equality_count && !status; ++i) {
            const AbutEqualityDef *e = &model->equalities[i];
            if (e->kind != ABUT_EQUALITY_JOINT || e->inactive || e->b < 0 || given[e->a] || !given[e->b]) continue;
            status = couple_one(model, e, t, error);
            given[e->a] = 1;
            more = 1;
        }
    }
    return status;
}
