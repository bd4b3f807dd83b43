/* SPDX-License-Identifier: Apache-2.0 */
/* Private: a motion of a robot as numbers for its page. */
#ifndef ABUT_SRC_PICTURE_PAGE_PLAN_H
#define ABUT_SRC_PICTURE_PAGE_PLAN_H

#include "picture/page.h"

typedef struct AbutPageFrames {
    const AbutModel *model; /* all bodies, each with its shapes; joints are not looked at */
    int32_t count;          /* frames, at least 2 */
    const double *times;    /* growing */
    const AbutPose *poses;  /* [count][bodies] */
    int32_t pair_count; /* distances, the nearest first: the first six have lines in the charts, and any one its own */
    const char *const *pair_names;
    const double *distances; /* [pair_count][count] */
    const double *lower;     /* the same: what is proved around each time */
    int32_t joint_count;
    const char *const *joint_names;
    const double *joints;  /* [joint_count][count] */
    const double *range;   /* the same: where in its limits each is, 0 lower, 1 upper, NaN: none; NULL: not shown */
    const double *balance; /* [count]: how far the center of mass is inside the support, m; NULL: not shown */
    int32_t minimum_count; /* closest moments, to go to; with them copies of the bodies show what they sweep. 0: none */
    const AbutClearanceMinimum *minima; /* nearest first */
    const char *const *minimum_names;   /* which pair each is of */
} AbutPageFrames;

/* Fills *out, which must be freed also after a failure. */
AbutStatus abut_page_frames_make(const AbutPlanProblem *problem, const AbutTrajectory *trajectory,
    const AbutPairCertificate *pairs, const AbutPageFrames **out, AbutError *error);
void abut_page_frames_free(const AbutPageFrames *frames); /* accepts NULL */

#endif
