/* SPDX-License-Identifier: Apache-2.0 */
/* Private: the built-in system that has its own file. */
#ifndef ABUT_SRC_MODE_BUILTIN_H
#define ABUT_SRC_MODE_BUILTIN_H

#include "abut/literature.h"

AbutStatus abut_mode_builtin_hand(int generic, AbutModeSystem *out, AbutError *error);

#endif
