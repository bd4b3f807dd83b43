/* SPDX-License-Identifier: Apache-2.0 */
/* abut reproduce: the experiments of a paper again. In: the name of the paper. Out: tables, plots, a summary and a page
 * in a folder. */
#include "reproduce.h"

#include <string.h>

typedef struct Paper {
    const char *name, *folder; /* folder: when none was given */
    const char *title;         /* of its page */
    int (*run)(const CliCommand *command, const ReproduceArgs *args);
} Paper;

static const Paper papers[] = {
    {"volumetric", "reproduce-volumetric", "Volumetric contact force", reproduce_volumetric},
    {"intersection", "reproduce-intersection", "Intersection of convex regions", reproduce_intersection},
    {"modes", "reproduce-modes", "Contact modes", reproduce_modes},
    {"depth", "reproduce-depth", "Penetration depth of meshes", reproduce_depth},
    {"mcd", "reproduce-mcd", "Least distance over a motion", reproduce_mcd},
    {"planning", "reproduce-planning", "Motion planning with continuous constraints", reproduce_planning},
    {"phong", "reproduce-phong", "Directions along the paths of Lee's thesis", reproduce_phong},
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
    return cli_error(command,
        "no paper '%s'; there are: volumetric, modes, depth, mcd, planning, phong, intersection, and all", name);
}

enum { PAPER_COUNT = sizeof papers / sizeof papers[0], PATH_LIMIT = 4000 };

static const char *path_in(const char *folder, const char *name, char *out)
{
    snprintf(out, PATH_LIMIT, "%.3000s/%s", folder, name);
    return out;
}

static int write_page(
    const CliCommand *command, const char *folder, const char *title, int count, const ReproduceSection *sections)
{
    AbutError error;
    char path[PATH_LIMIT];
    path_in(folder, "index.html", path);
    if (reproduce_page(path, title, count, sections, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    printf("as a page: %s\n", path);
    return CLI_GO;
}

static int run_one(const CliCommand *command, const Paper *paper, ReproduceArgs args)
{
    if (!args.folder)
        args.folder = paper->folder;
    int status = cli_make_folder(command, args.folder);
    if (status != CLI_GO)
        return status;
    status = paper->run(command, &args);
    ReproduceSection section = {paper->name, args.folder};
    if (status == CLI_BAD)
        return status;
    return write_page(command, args.folder, paper->title, 1, &section) == CLI_GO ? status : CLI_BAD;
}

/* Every paper into a folder of its own; one page of them all. */
static int run_all(const CliCommand *command, ReproduceArgs args)
{
    static char folders[PAPER_COUNT][PATH_LIMIT];
    ReproduceSection sections[PAPER_COUNT];
    const char *folder = args.folder ? args.folder : "reproduce-all";
    int worst = cli_make_folder(command, folder) == CLI_GO ? CLI_OK : CLI_BAD;
    for (int i = 0; i < PAPER_COUNT && worst != CLI_BAD; ++i) {
        args.folder = path_in(folder, papers[i].name, folders[i]);
        printf("%s\n", papers[i].name);
        fflush(stdout);
        int status = run_one(command, &papers[i], args);
        sections[i] = (ReproduceSection){papers[i].name, status == CLI_BAD ? NULL : args.folder};
        worst = status > worst ? status : worst;
    }
    if (worst == CLI_BAD)
        return CLI_BAD;
    return write_page(command, folder, "abut: published and computed", PAPER_COUNT, sections) == CLI_GO ? worst
                                                                                                        : CLI_BAD;
}

int cli_reproduce(const CliCommand *command, int argc, char **argv)
{
    ReproduceArgs args = {NULL, 0, 0};
    const CliOption options[] = {
        {"--output", "-o", CLI_TEXT, &args.folder, "DIR",
            "folder for the files, made when missing (default: reproduce-PAPER, reproduce-all)"},
        {"--quick", NULL, CLI_FLAG, &args.quick, NULL, "short runs with a long step, to see that all works"},
        {"--as-printed", NULL, CLI_FLAG, &args.as_printed, NULL,
            "modes, all: also count with the faults of the published program, where they are known"},
    };
    int count;
    int status = cli_parse(command, options, sizeof options / sizeof options[0], argc, argv, &count);
    if (status != CLI_GO)
        return status;
    if (count != 1)
        return cli_error(command,
            "expected one paper, got %d; there are: volumetric, modes, depth, mcd, planning, phong, intersection, and "
            "all",
            count);
    if (strcmp(argv[0], "all") == 0)
        return run_all(command, args);
    const Paper *paper = find_paper(argv[0]);
    if (paper && args.as_printed && paper->run != reproduce_modes)
        return cli_error(command, "--as-printed is for modes and all, not %s", paper->name);
    return paper ? run_one(command, paper, args) : unknown_paper(command, argv[0]);
}
