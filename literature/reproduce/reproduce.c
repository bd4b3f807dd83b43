/* SPDX-License-Identifier: Apache-2.0 */
/* abut reproduce: the experiments of a paper again. In: the name of the paper. Out: tables, plots, a summary and a page
 * in a folder. */
#include "reproduce.h"

#include <string.h>

typedef struct Paper {
    const char *name, *folder; /* folder: when none was given */
    const char *title;         /* of its page */
    int (*run)(const ReproduceArgs *args);
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

/* The paper of that name. */
static const Paper *need_paper(const char *name) {
    for (size_t i = 0; i < sizeof papers / sizeof papers[0]; ++i)
        if (strcmp(papers[i].name, name) == 0) return &papers[i];
    const char *near = abut_suggest(name, (int)(sizeof papers / sizeof papers[0]), &papers[0].name, sizeof papers[0]);
    if (near) cli_error("no paper '%s'; did you mean '%s'?", name, near);
    cli_error("no paper '%s'; there are: volumetric, modes, depth, mcd, planning, phong, intersection, and all", name);
}

enum { PAPER_COUNT = sizeof papers / sizeof papers[0], PATH_LIMIT = 4000 };

static const char *path_in(const char *folder, const char *name, char *out) {
    snprintf(out, PATH_LIMIT, "%.3000s/%s", folder, name);
    return out;
}

static void write_page(const char *folder, const char *title, int count, const ReproduceSection *sections) {
    char path[PATH_LIMIT];
    path_in(folder, "index.html", path);
    cli_need(reproduce_page(path, title, count, sections, &cli_why));
    printf("as a page: %s\n", path);
}

static int run_one(const Paper *paper, ReproduceArgs args) {
    if (!args.folder) args.folder = paper->folder;
    cli_make_folder(args.folder);
    int status = paper->run(&args);
    write_page(args.folder, paper->title, 1, &(ReproduceSection){paper->name, args.folder});
    return status;
}

/* Every paper into a folder of its own; one page of them all. */
static int run_all(ReproduceArgs args) {
    static char folders[PAPER_COUNT][PATH_LIMIT];
    ReproduceSection sections[PAPER_COUNT];
    const char *folder = args.folder ? args.folder : "reproduce-all";
    int worst = CLI_OK;
    cli_make_folder(folder);
    for (int i = 0; i < PAPER_COUNT; ++i) {
        args.folder = path_in(folder, papers[i].name, folders[i]);
        printf("%s\n", papers[i].name);
        fflush(stdout);
        int status = run_one(&papers[i], args);
        sections[i] = (ReproduceSection){papers[i].name, args.folder};
        worst = status > worst ? status : worst;
    }
    write_page(folder, "abut: published and computed", PAPER_COUNT, sections);
    return worst;
}

int cli_reproduce(int argc, char **argv) {
    ReproduceArgs args = {NULL, 0, 0};
    const CliOption options[] = {
        OPTION("--output", CLI_TEXT, &args.folder, "DIR",
            "folder for the files, made when missing (default: reproduce-PAPER, reproduce-all)", .brief = "-o"),
        OPTION("--quick", CLI_FLAG, &args.quick, NULL, "short runs with a long step, to see that all works"),
        OPTION("--as-printed", CLI_FLAG, &args.as_printed, NULL,
            "modes, all: also count with the faults of the published program, where they are known"),
    };
    int count = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (count != 1)
        cli_error(
            "expected one paper, got %d; there are: volumetric, modes, depth, mcd, planning, phong, intersection, and "
            "all",
            count);
    if (strcmp(argv[0], "all") == 0) return run_all(args);
    const Paper *paper = need_paper(argv[0]);
    if (args.as_printed && paper->run != reproduce_modes)
        cli_error("--as-printed is for modes and all, not %s", paper->name);
    return run_one(paper, args);
}
