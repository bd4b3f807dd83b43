/* SPDX-License-Identifier: Apache-2.0 */
/* The page and the picture of a motion. */
#ifndef ABUT_CLI_PLAN_PAGE_H
#define ABUT_CLI_PLAN_PAGE_H

#include "plan.h"

/* Rows of an option table: --html, --picture. */
CliOption plan_page_option(const char **path);
CliOption plan_picture_option(const char **path);
/* Does the name of a picture, unless NULL, say what it is? CLI_GO, or CLI_BAD after one line. */
void plan_check_picture(const char *path);

/* A motion for a page. */
typedef struct PlanMotion {
    const AbutTrajectory *trajectory;
    const AbutPairCertificate *pairs; /* of the problem; NULL: no curves of distances */
    const char *title;
} PlanMotion;

/* Bodies over time and what they sweep, the pairs that come nearest with what is proved of them, joints; the bodies of
 * another motion on the same clock, unless `beside` is NULL. CLI_GO, or CLI_BAD after one line. */
void plan_write_page(const char *path, const PlanSetup *setup, const PlanMotion *motion, const PlanMotion *beside);

/* The robot at several times at once. CLI_GO, or CLI_BAD after one line. */
void plan_write_picture(const char *path, const PlanSetup *setup, const AbutTrajectory *trajectory);

#endif
