/* SPDX-License-Identifier: Apache-2.0 */
/* abut plan: motions that keep clear, with proof. `abut plan check` proves or refutes a trajectory. */
#include "plan.h"

#include <string.h>

int cli_plan(const CliCommand *command, int argc, char **argv)
{
    if (argc > 0 && strcmp(argv[0], "check") == 0)
        return plan_check(command, argc - 1, argv + 1);
    int operands;
    const CliOption none = {"--json", NULL, CLI_FLAG, &operands, NULL, "as 'abut plan check --help' tells"};
    int status = cli_parse(command, &none, 1, argc, argv, &operands);
    return status == CLI_GO ? cli_error(command, "'abut plan check MODEL TRAJECTORY' expected") : status;
}
