/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut view: logs of one or two runs, or a model, as one HTML page. In: run.npz, MJCF, URDF or a built-in model. Out:
 * the page, beside the file unless -o says where.
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
    operands_draw_meshes(1);
    AbutStatus status = operands_load_model(command, source, 1, OPERAND_SURFACES, &model, error);
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

/* ---- titles of two runs ----------------------------------------------------------------------------------------- */

enum { TITLE = 400 };

/* The shortest end of a path, from after a slash on, that another path has not. */
static const char *own_end(const char *path, const char *other)
{
    const char *end = cli_base_name(path);
    while (end > path && strlen(other) >= strlen(end) && strcmp(other + strlen(other) - strlen(end), end) == 0)
        for (--end; end > path && end[-1] != '/';)
            --end;
    return end;
}

/* Appends the words of a command line that the other has not, an option together with its value. */
static void put_own_words(const char *line, const char *other, char *title)
{
    const char *between = ": ";
    for (const char *at = line; at && *at;) {
        size_t length = strcspn(at, " "), n = strlen(title);
        if (strncmp(at, "--", 2) == 0 && at[length])
            length += 1 + strcspn(at + length + 1, " ");
        char word[TITLE];
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        const char *found = strstr(other, word);
        if (!found || (found[length] && found[length] != ' ')) {
            snprintf(title + n, TITLE - n, "%s%s", between, word);
            between = ", ";
        }
        at += length + strspn(at + length, " ");
    }
}

static void title_of(const char *path, const AbutRun *run, const char *other, const AbutRun *beside, char *title)
{
    snprintf(title, TITLE, "%.200s", own_end(path, other));
    if (run->settings && beside->settings)
        put_own_words(run->settings, beside->settings, title);
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
    char title[2][TITLE];
    for (int k = 0; k < count && beside; ++k)
        title_of(logs[k], k ? beside : run, logs[1 - k], k ? run : beside, title[k]);
    page->beside_title = title[1];
    if (!page->title)
        page->title = beside ? title[0] : cli_base_name(logs[0]);
    if (status == ABUT_OK)
        status = run_page_write(command, page, error);
    abut_run_free(beside);
    abut_run_free(run);
    return status;
}

int cli_view(const CliCommand *command, int argc, char **argv)
{
    RunPage page = {.size = NAN};
    const char *key = NULL;
    int open = 0;
    char beside[4096];
    const CliOption options[] = {
        {"--output", "-o", CLI_TEXT, &page.path, "FILE",
            "the page (default: the name of the log or model, ending in .html)"},
        {"--title", NULL, CLI_TEXT, &page.title, "TEXT",
            "title of the page (default: the name of the log or model; of two logs also what differs in how they were "
            "made)"},
        {"--keyframe", NULL, CLI_TEXT, &key, "NAME", "of a model: this keyframe alone"},
        operands_outside_option(),
        operands_warnings_option(),
        RUN_PAGE_OPTION(&page.size, ""),
        RUN_PAGE_STAGES(&page.stages, "of a log: "),
        {"--open", NULL, CLI_FLAG, &open, NULL, "show the page in the browser"},
    };
    int operands = 0, go = cli_parse(command, options, sizeof options / sizeof *options, argc, argv, &operands);
    if (go != CLI_GO)
        return go;
    if (operands != 1 && operands != 2)
        return cli_error(
            command, "one log or model was expected, as 'abut view run.npz', or two to compare, got %d", operands);
    if (!page.path && strcmp(argv[0], "-") == 0)
        return cli_error(command, "-o was expected: a log from standard input has no name to go by");
    int model = operands == 1 && is_model(argv[0]);
    if (key && !model)
        return cli_error(command, "--keyframe: %s is a log, not a model", argv[0]);
    if (model && cli_refuse(command, "--stages", "the page of a model has no charts") != CLI_GO)
        return CLI_BAD;
    if (model && cli_refuse(command, "--page-size", "the page of a model has no frames to leave out") != CLI_GO)
        return CLI_BAD;
    page_name(argv[0], model, beside, sizeof beside);
    page.path = page.path ? page.path : beside;
    go = run_page_check(command, page.size);
    if (go == CLI_GO)
        go = cli_check_files(command, operands, (const char *const *)argv, 1, &page.path);
    if (go != CLI_GO)
        return go;
    AbutError error;
    ModelPage shown = {.path = page.path, .title = page.title ? page.title : cli_base_name(argv[0])};
    AbutStatus status =
        model ? view_model(command, argv[0], key, &shown, &error) : write_page(command, operands, argv, &page, &error);
    if (status != ABUT_OK)
        return cli_error(command, "%s", error.text);
    page_link_say(command, page.path, open);
    return CLI_OK;
}
