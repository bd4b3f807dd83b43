/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the mode room: the second method of enumeration, by facets and face lattice. */
#ifndef ABUT_SRC_MODE_PAPER_METHOD_H
#define ABUT_SRC_MODE_PAPER_METHOD_H

#include "mode/engine.h"

AbutStatus abut_mode_paper(AbutModeRun *run, AbutError *error);

#endif
