/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests of the command-line tool: one tool per program, in a folder of its own that the fixtures open_tool and
 * close_tool make and remove; what it prints and writes, and how it refuses bad input.
 */
#ifndef ABUT_TESTS_CLI_H
#define ABUT_TESTS_CLI_H

#include "support/check.h"
#include "support/json.h"
#include "support/tool.h"

#include <string.h>

static Tool tool;

static inline int open_tool(void **state) {
    (void)state;
    tool = tool_open();
    return 0;
}

static inline int close_tool(void **state) {
    (void)state;
    tool_close(&tool);
    return 0;
}

static inline int lines_of(const char *text) {
    int lines = 0;
    for (; *text; ++text) lines += *text == '\n';
    return lines;
}

/* Is `part` in `text`? Says so when it is not. */
static inline int has(const char *text, const char *part) {
    if (strstr(text, part)) return 1;
    print_error("'%s' is not in:\n%s\n", part, text);
    return 0;
}

/* The command fails with status 2, says nothing on standard output, and one line of error with `says` in it. */
static inline void refuses(const char *command, const char *arguments, const char *says) {
    int status = tool_run(&tool, ABUT_CLI, "%s %s", command, arguments);
    if (status != 2 || !strstr(tool.err, says) || lines_of(tool.err) != 1 || strncmp(tool.err, "abut", 4) != 0 ||
        *tool.out)
        fail_msg("abut %s %s: status %d, said: %s%s", command, arguments, status, tool.err, tool.out);
}

/* A vector of three in the JSON that the tool printed. */
static inline AbutVec3 json_vec3(const char *name) {
    double v[3];
    for (int i = 0; i < 3; ++i) {
        char path[120];
        snprintf(path, sizeof path, "%s.%d", name, i);
        v[i] = json_number(tool.out, path);
    }
    return abut_vec3(v[0], v[1], v[2]);
}

#endif
