/* SPDX-License-Identifier: Apache-2.0 */
/* abut view: the log of a run as one HTML page. In: run.npz. Out: the page, beside the log unless -o says where. */
#include "page_link.h"
#include "run_page.h"

#include <math.h>
#include <string.h>

/* The name of the log with its ending replaced. */
static void page_name(const char *log, char *to, size_t room)
{
    size_t length = strlen(log);
    if (cli_has_ending(log, ".npz"))
        length -= strlen(".npz");
    snprintf(to, room, "%.*s.html", (int)length, log);
}

int cli_view(const CliCommand *command, int argc, char **argv)
{
    const char *page = NULL, *title = NULL;
    double size = NAN;
    int open = 0;
    char beside[4096];
    const CliOption options[] = {
        {"--output", "-o", CLI_TEXT, &page, "FILE", "the page (default: the name of the log, ending in .html)"},
        {"--title", NULL, CLI_TEXT, &title, "TEXT", "title of the page (default: the name of the log)"},
        RUN_PAGE_OPTION(&size),
        {"--open", NULL, CLI_FLAG, &open, NULL, "show the page in the browser"},
    };
    int operands = 0, go = cli_parse(command, options, sizeof options / sizeof *options, argc, argv, &operands);
    if (go != CLI_GO)
        return go;
    if (operands != 1)
        return cli_error(command, "one log was expected, as 'abut view run.npz', got %d", operands);
    if (!page && strcmp(argv[0], "-") == 0)
        return cli_error(command, "-o was expected: a log from standard input has no name to go by");
    page_name(argv[0], beside, sizeof beside);
    page = page ? page : beside;
    go = run_page_check(command, size);
    if (go == CLI_GO)
        go = cli_check_files(command, 1, (const char *const *)argv, 1, &page);
    if (go != CLI_GO)
        return go;
    AbutRun *run;
    AbutError error;
    if (abut_run_read(argv[0], &run, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    AbutStatus status = run_page_write(command, page, title ? title : argv[0], NULL, size, run, &error);
    abut_run_free(run);
    if (status != ABUT_OK)
        return cli_error(command, "%s", error.text);
    page_link_say(command, page, open);
    return CLI_OK;
}
