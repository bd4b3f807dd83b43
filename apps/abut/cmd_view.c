/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut view: logs of one or two runs, or a model, as one HTML page. In: run.npz, MJCF, URDF or a built-in model. Out:
 * the page, beside the file unless -o says where.
 */
#include "run_page.h"
#include "operands.h"

#include <math.h>
#include <string.h>

/* The name of the log or model with its ending replaced; of "planar-arm:3" planar-arm-3.html. */
static void page_name(const char *source, int is_model, char *to, size_t room) {
    static const char *const endings[] = {".npz", ".xml", ".urdf", ".xacro"};
    size_t length = strlen(source);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i)
        if (cli_has_ending(source, endings[i])) length = strlen(source) - strlen(endings[i]);
    snprintf(to, room, "%.*s.html", (int)length, source);
    for (char *c = to; is_model && !cli_is_file(source) && *c; ++c) *c = *c == ':' || *c == '/' ? '-' : *c;
}

/* Is it a model: a file of one by its ending, or a built-in scene or robot? */
static int is_model(const char *source) {
    return cli_has_ending(source, ".xml") || cli_has_ending(source, ".urdf") || cli_has_ending(source, ".xacro") ||
           (!cli_is_file(source) && !cli_has_ending(source, ".npz") && strcmp(source, "-") != 0);
}

static void view_model(const char *source, const char *key, const char *path, const char *title) {
    operands_model_options.drawn_meshes = 1;
    const AbutModel *model = operands_load_model(source, 1, OPERAND_SURFACES);
    int32_t number = -1;
    if (key) {
        number = abut_model_find(model, ABUT_MODEL_KEYFRAME, key);
        if (number < 0) cli_error("--keyframe: %s has no keyframe '%s'", source, key);
    }
    cli_need(abut_page_write_model(path, title, model, number, NULL, &cli_why));
}

/* ---- titles of two runs ----------------------------------------------------------------------------------------- */

enum { TITLE = 400 };

/* The shortest end of a path, from after a slash on, that another path has not. */
static const char *own_end(const char *path, const char *other) {
    const char *end = cli_base_name(path);
    while (end > path && strlen(other) >= strlen(end) && strcmp(other + strlen(other) - strlen(end), end) == 0)
        for (--end; end > path && end[-1] != '/';) --end;
    return end;
}

/* Appends the words of a command line that the other has not, an option together with its value. */
static void put_own_words(const char *line, const char *other, char *title) {
    const char *between = ": ";
    for (const char *at = line; at && *at;) {
        size_t length = strcspn(at, " "), n = strlen(title);
        if (strncmp(at, "--", 2) == 0 && at[length]) length += 1 + strcspn(at + length + 1, " ");
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

static void title_of(const char *path, const AbutRun *run, const char *other, const AbutRun *beside, char *title) {
    snprintf(title, TITLE, "%.200s", own_end(path, other));
    if (run->settings && beside->settings) put_own_words(run->settings, beside->settings, title);
}

/* One log, or two to be shown side by side. */
static void write_page(int count, char **logs, RunPage *page) {
    AbutRun *run = NULL, *beside = NULL;
    cli_need(abut_run_read(logs[0], NULL, 0, &run, &cli_why));
    if (count == 2) cli_need(abut_run_read(logs[1], NULL, 0, &beside, &cli_why));
    page->run = run;
    page->beside = beside;
    char title[2][TITLE];
    for (int k = 0; k < count && beside; ++k)
        title_of(logs[k], k ? beside : run, logs[1 - k], k ? run : beside, title[k]);
    page->beside_title = title[1];
    if (!page->title) page->title = beside ? title[0] : cli_base_name(logs[0]);
    run_page_write(page);
}

int cli_view(int argc, char **argv) {
    RunPage page = {.size = NAN};
    const char *key = NULL;
    int open = 0;
    char beside[4096];
    const CliOption options[] = {
        OPTION("--output", CLI_TEXT, &page.path, "FILE",
            "the page (default: the name of the log or model, ending in .html)", .brief = "-o"),
        OPTION("--title", CLI_TEXT, &page.title, "TEXT",
            "title of the page (default: the name of the log or model; of two logs also what differs in how they were "
            "made)"),
        OPTION("--keyframe", CLI_TEXT, &key, "NAME", "of a model: this keyframe alone"),
        OPERAND_MODELS,
        RUN_PAGE_OPTIONS(&page.size, &page.stages, "", "of a log: "),
        OPTION("--open", CLI_FLAG, &open, NULL, "show the page in the browser"),
    };
    int operands = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (operands != 1 && operands != 2)
        cli_error("expected one log or model, as 'abut view run.npz', or two to compare, got %d", operands);
    if (!page.path && strcmp(argv[0], "-") == 0)
        cli_error("expected -o: a log from standard input has no name to go by");
    int model = operands == 1 && is_model(argv[0]);
    if (key && !model) cli_error("--keyframe: %s is a log, not a model", argv[0]);
    if (!model) cli_refuse("--args", "a log was made with its arguments");
    if (model) cli_refuse("--stages", "the page of a model has no charts");
    if (model) cli_refuse("--page-size", "the page of a model has no frames to leave out");
    page_name(argv[0], model, beside, sizeof beside);
    page.path = page.path ? page.path : beside;
    cli_check_files(operands, (const char *const *)argv, 1, &page.path);
    if (model)
        view_model(argv[0], key, page.path, page.title ? page.title : cli_base_name(argv[0]));
    else
        write_page(operands, argv, &page);
    cli_link_page(page.path, open);
    return CLI_OK;
}
