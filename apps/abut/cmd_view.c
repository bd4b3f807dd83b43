/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut view: the log of a run, or a model, as one HTML page. In: run.npz, MJCF, URDF or a built-in model. Out: the
 * page, beside the file unless -o says where.
 */
#include "model_page.h"
#include "operands.h"
#include "page_link.h"
#include "run_page.h"

#include <math.h>
#include <string.h>

/* The name of the log or model with its ending replaced; of "planar-arm:3" planar-arm-3.html. */
static void page_name(const char *source, int is_model, char *to, size_t room)
{
    static const char *const endings[] = {".npz", ".xml", ".urdf"};
    size_t length = strlen(source);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i)
        if (cli_has_ending(source, endings[i]))
            length = strlen(source) - strlen(endings[i]);
    snprintf(to, room, "%.*s.html", (int)length, source);
    for (char *c = to; is_model && !cli_is_file(source) && *c; ++c)
        *c = *c == ':' || *c == '/' ? '-' : *c;
}

/* Is it a model: a file of one by its ending, or a built-in scene or robot? */
static int is_model(const char *source)
{
    return cli_has_ending(source, ".xml") || cli_has_ending(source, ".urdf") ||
           (!cli_is_file(source) && !cli_has_ending(source, ".npz") && strcmp(source, "-") != 0);
}

static AbutStatus view_model(
    const CliCommand *command, const char *source, const char *key, ModelPage *page, AbutError *error)
{
    AbutModel *model = NULL;
    AbutStatus status = operands_load_model(command, source, 1, 0, &model, error);
    page->model = model;
    page->key = -1;
    if (status == ABUT_OK && key) {
        page->key = abut_model_find_keyframe(model, key);
        if (page->key < 0)
            status = abut_fail(error, ABUT_ERROR_ARGUMENT, "--keyframe: %s has no keyframe '%s'", source, key);
    }
    if (status == ABUT_OK)
        status = model_page_write(command, page, error);
    abut_model_free(model);
    return status;
}

static AbutStatus view_run(
    const CliCommand *command, const char *source, const char *page, const char *title, double size, AbutError *error)
{
    AbutRun *run;
    AbutStatus status = abut_run_read(source, &run, error);
    if (status == ABUT_OK)
        status = run_page_write(command, page, title, NULL, size, run, error);
    abut_run_free(run);
    return status;
}

int cli_view(const CliCommand *command, int argc, char **argv)
{
    const char *page = NULL, *title = NULL, *key = NULL;
    double size = NAN;
    int open = 0;
    char beside[4096];
    const CliOption options[] = {
        {"--output", "-o", CLI_TEXT, &page, "FILE",
            "the page (default: the name of the log or model, ending in .html)"},
        {"--title", NULL, CLI_TEXT, &title, "TEXT", "title of the page (default: the name of the log or model)"},
        {"--keyframe", NULL, CLI_TEXT, &key, "NAME", "of a model: this keyframe alone"},
        RUN_PAGE_OPTION(&size),
        {"--open", NULL, CLI_FLAG, &open, NULL, "show the page in the browser"},
    };
    int operands = 0, go = cli_parse(command, options, sizeof options / sizeof *options, argc, argv, &operands);
    if (go != CLI_GO)
        return go;
    if (operands != 1)
        return cli_error(command, "one log or model was expected, as 'abut view run.npz', got %d", operands);
    if (!page && strcmp(argv[0], "-") == 0)
        return cli_error(command, "-o was expected: a log from standard input has no name to go by");
    int model = is_model(argv[0]);
    if (key && !model)
        return cli_error(command, "--keyframe: %s is a log, not a model", argv[0]);
    page_name(argv[0], model, beside, sizeof beside);
    page = page ? page : beside;
    go = run_page_check(command, size);
    if (go == CLI_GO)
        go = cli_check_files(command, 1, (const char *const *)argv, 1, &page);
    if (go != CLI_GO)
        return go;
    AbutError error;
    ModelPage shown = {.path = page, .title = title ? title : argv[0]};
    AbutStatus status = model ? view_model(command, argv[0], key, &shown, &error)
                              : view_run(command, argv[0], page, shown.title, size, &error);
    if (status != ABUT_OK)
        return cli_error(command, "%s", error.text);
    page_link_say(command, page, open);
    return CLI_OK;
}
