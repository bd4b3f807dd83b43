/* SPDX-License-Identifier: Apache-2.0 */
/* An actuator of an MJCF file while its settings are applied, in the words and numbers of the format. */
#ifndef ABUT_SRC_IMPORT_MJCF_ACTUATOR_H
#define ABUT_SRC_IMPORT_MJCF_ACTUATOR_H

#include "import/mjcf_read.h"

enum { ABUT_MJCF_ACTUATOR_NUMBERS = 10 };

/* Words of gaintype and biastype; dyntype has those of abut_activation_names, then others. */
enum { ABUT_MJCF_FIXED = 0, ABUT_MJCF_AFFINE, ABUT_MJCF_MUSCLE, ABUT_MJCF_OTHER = 9 };

typedef struct AbutMjcfActuator {
    AbutDraftActuator out;
    int dynamics, gain, bias;
    double gain_numbers[ABUT_MJCF_ACTUATOR_NUMBERS], bias_numbers[ABUT_MJCF_ACTUATOR_NUMBERS],
        time[ABUT_MJCF_ACTUATOR_NUMBERS];
    double inherit;           /* part of the range of the joint that the control has; 0: not said */
    int limited[3], given[3]; /* control, force, activation: 0 false, 1 true, 2 as the range says */
} AbutMjcfActuator;

/* As MuJoCo has it before any setting. */
AbutMjcfActuator abut_mjcf_actuator_default(void);

/* The settings of one element, by the rules of its tag; -1: it is none of an actuator. */
int abut_mjcf_actuator_tag(const char *tag);
AbutStatus abut_mjcf_actuator_apply(AbutMjcfReader *reader, const AbutXmlElement *element, AbutMjcfActuator *a);

#endif
