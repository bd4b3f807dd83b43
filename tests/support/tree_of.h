/* SPDX-License-Identifier: Apache-2.0 */
/* What is made from the tree of a model, where a test needs the tree for nothing else. */
#ifndef ABUT_TESTS_SUPPORT_TREE_OF_H
#define ABUT_TESTS_SUPPORT_TREE_OF_H

#include "abut/robot.h"

static inline AbutStatus configuration_of(const AbutModel *model, AbutConfiguration **out, AbutError *error) {
    const AbutTree *tree;
    *out = NULL;
    AbutStatus status = abut_tree_create(model, &tree, error);
    if (status == ABUT_OK) status = abut_configuration_create(tree, out, error);
    abut_tree_release(tree);
    return status;
}

static inline AbutStatus motion_of(const AbutModel *model, int32_t count, const double *times, const double *positions,
    AbutRobotMotion **out, AbutError *error) {
    const AbutTree *tree;
    *out = NULL;
    AbutStatus status = abut_tree_create(model, &tree, error);
    if (status == ABUT_OK) status = abut_robot_motion_create(tree, count, times, positions, out, error);
    abut_tree_release(tree);
    return status;
}

static inline AbutStatus curve_motion_of(
    const AbutModel *model, int32_t count, const AbutCurve *curves, AbutRobotMotion **out, AbutError *error) {
    const AbutTree *tree;
    *out = NULL;
    AbutStatus status = abut_tree_create(model, &tree, error);
    if (status == ABUT_OK) status = abut_robot_motion_create_curves(tree, count, curves, out, error);
    abut_tree_release(tree);
    return status;
}

#endif
