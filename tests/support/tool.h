/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for the files of a test, and the command-line tool run in it, with what it says. */
#ifndef ABUT_TESTS_TOOL_H
#define ABUT_TESTS_TOOL_H

typedef struct Tool {
    char folder[256]; /* fresh; removed by tool_close */
    int status;       /* exit status of the last run; 128 + signal when it was killed */
    char *out, *err;  /* what it wrote; valid until the next run */
} Tool;

/* Makes the folder. */
Tool tool_open(void);
void tool_close(Tool *tool);

/* Runs `program` with `arguments` (one shell line, printf-like) inside the folder. Gives the exit status. */
int tool_run(Tool *tool, const char *program, const char *arguments, ...) __attribute__((format(printf, 3, 4)));

/* Path of a file in the folder; the text holds until the eighth call after this. */
const char *tool_path(const Tool *tool, const char *name);

/* Writes a file into the folder. */
void tool_file(const Tool *tool, const char *name, const char *text);

/* The whole of a file in the folder, a zero behind it, to be freed; NULL when there is none. */
char *tool_text(const Tool *tool, const char *name);

#endif
