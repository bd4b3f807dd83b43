/* SPDX-License-Identifier: Apache-2.0 */
/* Which options stand on the command line; for the parser. What commands ask is cli_given and cli_written of cli.h. */
#ifndef ABUT_CLI_GIVEN_H
#define ABUT_CLI_GIVEN_H

#include "cli.h"

/* An option was given; `value` is its argument, NULL for a flag. */
void given_note(const char *option, const char *value);

/*
 * What was given goes together: an option whose help begins "with --other: " has that one beside it, one whose help
 * begins "with --other this or that: " has it at one of these values, and --list has none beside it but --json. CLI_GO,
 * or CLI_BAD after one line.
 */
int given_check(const CliCommand *command, const CliOption *options, int count, int operands, char **argv);

#endif
