/* SPDX-License-Identifier: Apache-2.0 */
/* All kinds of answers. Pickled records name theirs by its place: new ones go to the end. */
#include "records.h"

Record *const records[] = {
    &record_gap,
    &record_derivative,
    &record_collision,
    &record_intersection,
    &record_cast,
    &record_nearest,
    &record_report,
    &record_mesh_nearest,
    &record_impact,
    &record_clearance,
    &record_sample,
    &record_minimum,
    &record_contact_time,
    &record_mode_result,
    &record_force_result,
    &record_step,
    &record_contact,
    &record_ik,
    &record_soft,
    &record_certificate,
    &record_pair_certificate,
    &record_event,
    &record_scene_distance,
    &record_facet,
    &record_measure,
    &record_kernel,
    &record_phong,
    &record_plan_sample,
    &record_effort,
    &record_pressure,
};

const int record_count = sizeof records / sizeof records[0];
