/* SPDX-License-Identifier: Apache-2.0 */
/* Postures in words: a keyframe, a file of a state, or joint=value,... */
#ifndef ABUT_CLI_PLAN_POSTURES_H
#define ABUT_CLI_PLAN_POSTURES_H

#include "plan.h"

/* Sets the configuration; of joint=value,... only those joints change. CLI_GO, or CLI_BAD after one line. */
void posture_set(const char *option, const char *text, Robot *robot);

/* Joints that `text` (a,b,c) does not name are held; NULL: none is. To be freed. CLI_GO, or CLI_BAD after one line. */
void posture_held(const char *text, const Robot *robot, uint8_t **held);

#endif
