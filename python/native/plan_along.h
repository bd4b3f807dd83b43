/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about a trajectory, which may outlive the call of Python that asked them. */
#ifndef ABUT_PYTHON_PLAN_ALONG_H
#define ABUT_PYTHON_PLAN_ALONG_H

#include "problems.h"
#include "abut/literature.h"

typedef struct Along {
    ProblemObject *problem;
    AbutTrajectory trajectory;
    AbutCertifyDef level;
    AbutPlanSettings settings;
    int pair, piece, cells;
    AbutPlanMcd method;
    void *rows; /* of the answer, where it has some */
    AbutCertificate certificate;
    AbutPlanEffort effort;
    AbutPlanLeast least;
    AbutTrajectory fast;
    AbutStatus status;
    AbutError error;
} Along;

/* Reads (times, joints, interpolation, problem), a motion of all joints of the model; to be freed by free_along. NULL
 * with an exception. */
Along *open_along(PyObject *const *args);
void free_along(void *along);

/* Runs `call` so that Ctrl-C ends the wait. 0; -1 with an exception: `along` is gone. */
int run_along(void (*call)(void *), Along *along);

#endif
