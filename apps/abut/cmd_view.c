/* SPDX-License-Identifier: Apache-2.0 */
/* abut view: logs of one or two runs as one HTML page. In: run.npz. Out: the page, beside the log unless -o says where.
 */
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

/* One log, or two to be shown side by side. */
static AbutStatus write_page(const CliCommand *command, int count, char **logs, RunPage *page, AbutError *error)
{
    AbutRun *run = NULL, *beside = NULL;
    AbutStatus status = abut_run_read(logs[0], &run, error);
    if (status == ABUT_OK && count == 2)
        status = abut_run_read(logs[1], &beside, error);
    page->run = run;
    page->beside = beside;
    page->beside_title = logs[count - 1];
    if (status == ABUT_OK)
        status = run_page_write(command, page, error);
    abut_run_free(beside);
    abut_run_free(run);
    return status;
}

int cli_view(const CliCommand *command, int argc, char **argv)
{
    RunPage page = {.size = NAN};
    int open = 0;
    char beside[4096];
    const CliOption options[] = {
        {"--output", "-o", CLI_TEXT, &page.path, "FILE", "the page (default: the name of the log, ending in .html)"},
        {"--title", NULL, CLI_TEXT, &page.title, "TEXT", "title of the page (default: the name of the log)"},
        RUN_PAGE_OPTION(&page.size),
        {"--open", NULL, CLI_FLAG, &open, NULL, "show the page in the browser"},
    };
    int operands = 0, go = cli_parse(command, options, sizeof options / sizeof *options, argc, argv, &operands);
    if (go != CLI_GO)
        return go;
    if (operands != 1 && operands != 2)
        return cli_error(command, "one log was expected, as 'abut view run.npz', or two to compare, got %d", operands);
    if (!page.path && strcmp(argv[0], "-") == 0)
        return cli_error(command, "-o was expected: a log from standard input has no name to go by");
    page_name(argv[0], beside, sizeof beside);
    page.path = page.path ? page.path : beside;
    page.title = page.title ? page.title : argv[0];
    go = run_page_check(command, page.size);
    if (go == CLI_GO)
        go = cli_check_files(command, operands, (const char *const *)argv, 1, &page.path);
    if (go != CLI_GO)
        return go;
    AbutError error;
    if (write_page(command, operands, argv, &page, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    page_link_say(command, page.path, open);
    return CLI_OK;
}
