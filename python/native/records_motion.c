/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the answers about moving bodies: time of impact, clearance, its curve and minima, times of contact. */
#include "records.h"

Record record_impact = RECORD_OF(abut_impact_record);
Record record_clearance = RECORD_OF(abut_clearance_record);
Record record_sample = RECORD_OF(abut_clearance_sample_record);
Record record_minimum = RECORD_OF(abut_clearance_minimum_record);
Record record_contact_time = RECORD_OF(abut_contact_time_record);
