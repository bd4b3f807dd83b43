/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the answers that commands print, each beside its command. */
#ifndef ABUT_CLI_ANSWERS_H
#define ABUT_CLI_ANSWERS_H

#include "cli.h"

extern const AbutRecord cli_intersect_answer, cli_distance_answer, cli_collide_answer, cli_decompose_answer,
    cli_volume_answer, cli_volume_pieces_answer, cli_cast_answer, cli_toi_answer, cli_clearance_answer, cli_info_answer,
    cli_make_answer, cli_minkowski_answer, cli_simulate_answer, cli_simulate_list, cli_modes_answer, cli_grasp_answer,
    cli_robot_answer, cli_ik_answer, cli_plan_answer, cli_plan_check_answer, plan_certificate_file, cli_sweep_answer;

/* Prints a table of keys for each; gives the exit status. */
int answers_print(void);

#endif
