/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a motion, for `abut plan` and `abut plan check`. */
#ifndef ABUT_CLI_PLAN_PAGE_H
#define ABUT_CLI_PLAN_PAGE_H

#include "plan.h"

/* Row of an option table. */
CliOption plan_page_option(const char **path);

/* Bodies over time, the pairs that come nearest with what is proved of them, joints. CLI_GO, or CLI_BAD after one line.
 */
int plan_write_page(const CliCommand *command, const char *path, const PlanSetup *setup,
    const AbutTrajectory *trajectory, const AbutPairCertificate *pairs, const char *subtitle);

#endif
