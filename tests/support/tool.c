/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

const char *tool_path(const Tool *tool, const char *name) {
    static char path[8][600];
    static int at;
    at = (at + 1) % 8;
    snprintf(path[at], sizeof path[at], "%s/%s", tool->folder, name);
    return path[at];
}

char *tool_text(const Tool *tool, const char *name) {
    FILE *file = fopen(tool_path(tool, name), "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(size + 1, 1);
    if (!text || fread(text, 1, size, file) != size) abort();
    fclose(file);
    return text;
}

Tool tool_open(void) {
    Tool tool = {.status = -1};
    const char *base = getenv("TMPDIR");
    snprintf(tool.folder, sizeof tool.folder, "%s/abut-test-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(tool.folder)) abort();
    return tool;
}

void tool_close(Tool *tool) {
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", tool->folder);
    if (system(command) != 0) abort();
    free(tool->out);
    free(tool->err);
}

int tool_run(Tool *tool, const char *program, const char *arguments, ...) {
    char words[8000], command[9000];
    va_list args;
    va_start(args, arguments);
    vsnprintf(words, sizeof words, arguments, args);
    va_end(args);
    snprintf(command, sizeof command, "cd '%s' && '%s' %s >.out 2>.err", tool->folder, program, words);
    int status = system(command);
    tool->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    free(tool->out);
    free(tool->err);
    tool->out = tool_text(tool, ".out");
    tool->err = tool_text(tool, ".err");
    return tool->status;
}

void tool_file(const Tool *tool, const char *name, const char *text) {
    FILE *file = fopen(tool_path(tool, name), "wb");
    if (!file || fwrite(text, 1, strlen(text), file) != strlen(text) || fclose(file) != 0) abort();
}
