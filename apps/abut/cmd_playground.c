/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abut playground: the page in which the library runs as WebAssembly. In: playground.html, which the build puts beside
 * the tool, `make install` into share/abut and `npm install abut` into node_modules/abut. Out: a copy of it.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum { PAGE_MOST = 64 << 20 };

/* The page that belongs to this program, else that of the npm package in the working folder; NULL: none. */
static FILE *open_own_page(void) {
    static const char *const places[] = {"playground.html", "../share/abut/playground.html"};
    char program[PATH_MAX], path[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    FILE *file = NULL;
    program[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(program, '/');
    for (size_t i = 0; slash && !file && i < sizeof places / sizeof *places; ++i) {
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - program), program, places[i]);
        file = fopen(path, "rb");
    }
    return file ? file : fopen("node_modules/abut/playground.html", "rb");
}

int cli_playground(int argc, char **argv) {
    const char *path = "play.html";
    int open = 0, operands = 0;
    const CliOption options[] = {
        OPTION("--output", CLI_OUTPUT, &path, "FILE", "the page", .brief = "-o"),
        OPTION("--open", CLI_FLAG, &open, NULL, "show the page in the browser"),
    };
    operands = cli_parse(options, CLI_ROWS(options), argc, argv);
    if (operands != 0) cli_error("expected no operand, got '%s'; the scene is chosen on the page", argv[0]);
    FILE *own = open_own_page();
    if (!own)
        cli_error("expected playground.html beside the tool, in ../share/abut or in ./node_modules/abut, got none: run "
                  "npm install abut here, or make playground where abut is built");
    char *bytes = cli_room(PAGE_MOST, 1);
    size_t count = fread(bytes, 1, PAGE_MOST, own);
    if (ferror(own) || count == 0) cli_error("playground.html cannot be read");
    cli_need(abut_file_write(path, bytes, count, &cli_why));
    cli_link_page(path, open);
    return CLI_OK;
}
