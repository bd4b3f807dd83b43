/* SPDX-License-Identifier: Apache-2.0 */
/* Where the page of a command is, said as a link. */
#ifndef ABUT_CLI_PAGE_LINK_H
#define ABUT_CLI_PAGE_LINK_H

#include "cli.h"

/* Says "page: file:///..." on standard error when the file is there; `open` starts the browser, too. */
void page_link_say(const CliCommand *command, const char *path, int open);

#endif
