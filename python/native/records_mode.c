/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the answers about contact modes. */
#include "records.h"

Record record_mode_result = RECORD_OF(abut_mode_result_record);

Record record_force_result = RECORD_OF(abut_mode_force_result_record);
