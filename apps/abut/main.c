/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut: the command-line tool. The table below is the list of sub-commands and of their forms; each lives in a file of
 * its own. Their help is docs/commands.txt, which the build puts into the program.
 */
#include "cli.h"
#include "abut/literature.h"

#include <string.h>

#include "progress.h"

static CliCommand commands[] = {
    {"info", cli_info, NULL, NULL, NULL},
    {"make", cli_make, NULL, NULL, NULL},
    {"intersect", cli_intersect, NULL, NULL, NULL},
    {"distance", cli_distance, NULL, NULL, NULL},
    {"collide", cli_collide, NULL, NULL, NULL},
    {"cast", cli_cast, NULL, NULL, NULL},
    {"toi", cli_toi, NULL, NULL, NULL},
    {"clearance", cli_clearance, NULL, NULL, NULL},
    {"decompose", cli_decompose, NULL, NULL, NULL},
    {"minkowski", cli_minkowski, NULL, NULL, NULL},
    {"volume", cli_volume, NULL, NULL, NULL},
    {"simulate", cli_simulate, NULL, NULL, NULL},
    {"modes", cli_modes, NULL, NULL, NULL},
    {"robot", cli_robot, NULL, NULL, NULL},
    {"ik", cli_ik, NULL, NULL, NULL},
    {"plan", cli_plan, NULL, NULL, NULL},
    {"plan check", cli_plan_check, NULL, NULL, NULL},
    {"plan batch", cli_plan_batch, NULL, NULL, NULL},
    {"plan roadmap", cli_plan_roadmap, NULL, NULL, NULL},
    {"plan scenario", cli_plan_scenario, NULL, NULL, NULL},
    {"plan bench", cli_plan_bench, NULL, NULL, NULL},
    {"manipulate", cli_manipulate, NULL, NULL, NULL},
    {"view", cli_view, NULL, NULL, NULL},
    {"render", cli_render, NULL, NULL, NULL},
    {"playground", cli_playground, NULL, NULL, NULL},
    {"sweep", cli_sweep, NULL, NULL, NULL},
    {"reproduce", cli_reproduce, NULL, NULL, NULL},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

/* ---- texts ------------------------------------------------------------------------------------------------------- */

extern const unsigned char cli_texts_bytes[];
extern const size_t cli_texts_count;

/* The row of a name of that length. */
static CliCommand *find(const char *name, size_t length) {
    for (int i = 0; i < COMMAND_COUNT; ++i)
        if (strlen(commands[i].name) == length && strncmp(commands[i].name, name, length) == 0) return &commands[i];
    return NULL;
}

/* Cuts the texts at "## NAME USAGE", whose usage goes on in indented lines; then comes the summary, then the help. */
static void read_texts(void) {
    static const char mark[] = "## ";
    char *text = memcpy(cli_room(cli_texts_count, 1), cli_texts_bytes, cli_texts_count);
    for (char *at = strstr(text, mark), *next; at; at = next) {
        char *name = at + strlen(mark), *space = name + strcspn(name, " "), *line = strchr(name, '\n');
        char *second = space + 1 + strcspn(space + 1, " ");
        CliCommand *command = find(name, (size_t)(second - name));
        space = command ? second : space;
        command = command ? command : find(name, (size_t)(space - name));
        next = strstr(line, "\n## ");
        if (next) *next++ = 0;
        while (line[1] == ' ') line = strchr(line + 1, '\n');
        command->usage = space + 1, *line = 0;
        command->summary = line + 1, line = strchr(line + 1, '\n'), *line = 0;
        command->help = line + 2;
    }
}

static void print_overview(FILE *to) {
    fprintf(to,
        "abut %s: contact geometry and simulation: distance, penetration, overlap, modes, motions\n"
        "\n"
        "usage: abut COMMAND [arguments]\n"
        "\n"
        "commands:\n",
        abut_version());
    for (int i = 0; i < COMMAND_COUNT; ++i)
        if (!strchr(commands[i].name, ' ')) fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fprintf(to, "  %-10s %s\n", "help", "this text, or 'abut help COMMAND' for one command");
    fprintf(to, "\nEvery command that answers a question takes --json (docs/reference/json.md). Lengths are in meters, "
                "angles in "
                "radians.\n"
                "exit status: 0 done or yes, 1 no or interrupted, 2 bad input or usage, 3 not decided\n");
}

int cli_is_command(const char *name) { return find(name, strlen(name)) != NULL; }

/* The command that words begin with, or its form; *count: of the words that name it. */
static const CliCommand *find_command(int argc, char **argv, int *count) {
    char both[64];
    snprintf(both, sizeof both, "%s %s", argv[0], argc > 1 ? argv[1] : "");
    const CliCommand *form = find(both, strlen(both)), *command = find(argv[0], strlen(argv[0]));
    const char *near = command ? NULL : abut_suggest(argv[0], COMMAND_COUNT, &commands[0].name, sizeof commands[0]);
    if (near) cli_error("unknown command '%s'; did you mean '%s'?", argv[0], near);
    if (!command) cli_error("unknown command '%s'; 'abut help' lists the commands", argv[0]);
    *count = form ? 2 : 1;
    return form ? form : command;
}

/* The tables of the answers that commands print, each beside its command. */
extern const AbutRecord cli_intersect_answer, cli_distance_answer, cli_collide_answer, cli_decompose_answer,
    cli_volume_answer, cli_volume_pieces_answer, cli_cast_answer, cli_toi_answer, cli_clearance_answer, cli_info_answer,
    cli_make_answer, cli_minkowski_answer, cli_simulate_answer, cli_simulate_list, cli_modes_answer, cli_grasp_answer,
    cli_robot_answer, cli_ik_answer, cli_plan_answer, cli_plan_check_answer, cli_plan_batch_answer,
    cli_plan_roadmap_answer, plan_certificate_file, cli_sweep_answer, cli_manipulate_answer;

static const AbutRecord *const answers[] = {&cli_info_answer, &cli_make_answer, &abut_mesh_maker_record,
    &cli_intersect_answer, &cli_distance_answer, &cli_collide_answer, &cli_cast_answer, &cli_toi_answer,
    &cli_clearance_answer, &cli_decompose_answer, &cli_minkowski_answer, &cli_volume_answer, &cli_volume_pieces_answer,
    &cli_simulate_answer, &cli_simulate_list, &cli_modes_answer, &cli_grasp_answer, &cli_robot_answer,
    &abut_builtin_scene_record, &cli_ik_answer, &cli_plan_answer, &cli_plan_check_answer, &cli_plan_batch_answer,
    &cli_plan_roadmap_answer, &plan_certificate_file, &cli_sweep_answer, &cli_manipulate_answer};

/* `abut help json`: the keys of every answer, from the tables that print them, as docs/reference/json.md has them. */
static int print_answers(void) {
    for (int i = 0; i < CLI_ROWS(answers); ++i) abut_record_print_keys(stdout, answers[i]);
    return CLI_OK;
}

static int help(int argc, char **argv) {
    static char flag[] = "--help";
    int count;
    if (argc == 0 || strcmp(argv[0], "help") == 0) {
        print_overview(stdout);
        return CLI_OK;
    }
    if (argc == 1 && strcmp(argv[0], "json") == 0) return print_answers();
    const CliCommand *command = find_command(argc, argv, &count);
    if (argc != count) cli_error("help takes one command, got %d", argc);
    cli_command = command;
    return command->run(1, (char *[]){flag});
}

static int run(int argc, char **argv) {
    const char *name = argv[1];
    int count, open;
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("abut %s\ncommit   %s\nfeatures%s\n", abut_version(), CLI_COMMIT, CLI_FEATURES);
        return CLI_OK;
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc - 2, argv + 2);
    cli_command = find_command(argc - 1, argv + 1, &count);
    int status = cli_command->run(argc - 1 - count, argv + 1 + count);
    const char *page = cli_page(&open);
    if (page && status != CLI_BAD) cli_link_page(page, open);
    return status;
}

int cli_main(int argc, char **argv) {
    read_texts();
    abut_literature_register();
    interrupt_install();
    if (argc < 2) {
        print_overview(stderr);
        return CLI_BAD;
    }
    return run(argc, argv);
}
