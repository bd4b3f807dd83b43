/* SPDX-License-Identifier: Apache-2.0 */
/* abut reproduce: the experiments of a paper again. In: the name of the paper. Out: tables, plots and a summary in a
 * folder. */
#include "reproduce.h"

#include <string.h>

typedef struct Paper {
    const char *name, *folder; /* folder: when none was given */
    int (*run)(const CliCommand *command, const ReproduceArgs *args);
} Paper;

static const Paper papers[] = {
    {"volumetric", "reproduce-volumetric", reproduce_volumetric},
    {"intersection", "reproduce-intersection", reproduce_intersection},
    {"modes", "reproduce-modes", reproduce_modes},
    {"depth", "reproduce-depth", reproduce_depth},
    {"mcd", "reproduce-mcd", reproduce_mcd},
};

static const Paper *find_paper(const char *name)
{
    for (size_t i = 0; i < sizeof papers / sizeof papers[0]; ++i)
        if (strcmp(papers[i].name, name) == 0)
            return &papers[i];
    return NULL;
}

static int unknown_paper(const CliCommand *command, const char *name)
{
    const char *near = abut_suggest(name, (int)(sizeof papers / sizeof papers[0]), &papers[0].name, sizeof papers[0]);
    if (near)
        return cli_error(command, "no paper '%s'; did you mean '%s'?", name, near);
    return cli_error(command, "no paper '%s'; there are: volumetric, modes, depth, mcd, intersection", name);
}

int cli_reproduce(const CliCommand *command, int argc, char **argv)
{
    ReproduceArgs args = {NULL, 0};
    const CliOption options[] = {
        {"--output", "-o", CLI_TEXT, &args.folder, "DIR",
            "folder for the files, made when missing (default: reproduce-PAPER)"},
        {"--quick", NULL, CLI_FLAG, &args.quick, NULL, "short runs with a long step, to see that all works"},
    };
    int count;
    int status = cli_parse(command, options, sizeof options / sizeof options[0], argc, argv, &count);
    if (status != CLI_GO)
        return status;
    if (count != 1)
        return cli_error(
            command, "expected one paper, got %d; there are: volumetric, modes, depth, mcd, intersection", count);
    const Paper *paper = find_paper(argv[0]);
    if (!paper)
        return unknown_paper(command, argv[0]);
    if (!args.folder)
        args.folder = paper->folder;
    status = cli_make_folder(command, args.folder);
    return status == CLI_GO ? paper->run(command, &args) : status;
}
