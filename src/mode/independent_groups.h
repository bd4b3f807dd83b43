/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the mode room: contacts that have nothing to do with each other. */
#ifndef ABUT_SRC_MODE_INDEPENDENT_GROUPS_H
#define ABUT_SRC_MODE_INDEPENDENT_GROUPS_H

#include "mode/engine.h"

/*
 * Numbers the contacts by group so that the modes of the system are all combinations of the modes of the groups. Gives
 * the number of groups, 1 when it does not fall apart or there is no memory to tell.
 */
int abut_mode_find_groups(const AbutModePrepared *prepared, int *group);

/* The contacts of one group as a system of its own; release with abut_mode_system_free. */
AbutStatus abut_mode_group_system(
    const AbutModeSystem *system, const int *group, int which, AbutModeSystem *out, AbutError *error);

/* Puts the numbers of a group into those of the whole: counts multiply, margins join. */
void abut_mode_result_join(AbutModeResult *total, const AbutModeResult *part);

/* Prepares a system and runs it as a whole, whether or not it falls apart. */
AbutStatus abut_mode_run_whole(
    const AbutModeSystem *system, const AbutModeOptions *options, int level, AbutModeResult *result, AbutError *error);

/* Lists all combinations of the modes of the groups. *done is 0 when a group is too large and nothing was handed out.
 */
AbutStatus abut_mode_group_product(const AbutModeSystem *system, const AbutModeOptions *options, const int *group,
    int groups, int level, AbutModeResult *result, int *done, AbutError *error);

#endif
