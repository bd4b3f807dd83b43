/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output and end of commands: errors, warnings, answers as text or JSON, files that are checked before the work
 * and the link to a page. An error ends the program; what it was writing is removed.
 */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "progress.h"

const CliCommand *cli_command;
AbutError cli_why;
void (*cli_at_end)(void);

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* One line whatever the names in it hold: control characters are escaped. */
static void put_line(const char *text) {
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '\n')
            fputs("\\n", stderr);
        else if (c < ' ' || c == 127)
            fprintf(stderr, "\\x%02x", c);
        else
            fputc(c, stderr);
    }
    fputc('\n', stderr);
}

int cli_say(const char *kind, const char *format, ...) {
    char text[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    progress_clear();
    fprintf(stderr, "abut%s%s: %s", cli_command ? " " : "", cli_command ? cli_command->name : "", kind);
    put_line(text);
    return CLI_BAD;
}

void cli_need(AbutStatus status) {
    if (status != ABUT_OK) cli_error("%s", cli_why.text);
}

void cli_need_of(const char *what, AbutStatus status) {
    if (status != ABUT_OK) cli_error("%s: %s", what, cli_why.text);
}

void *cli_room(size_t count, size_t size) {
    void *room = abut_alloc_array(count + 1, size);
    if (!room) cli_error("out of memory");
    return memset(room, 0, (count + 1) * size);
}

void *cli_grow(void *room, size_t *capacity, size_t count, size_t size) {
    if (!abut_grow(&room, capacity, count, size)) cli_error("out of memory");
    return room;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

/* Why standard output takes no more: what it says to one more byte. */
static const char *why_lost(void) {
    errno = 0;
    return write(STDOUT_FILENO, "\n", 1) < 0 && errno ? strerror(errno) : "an earlier write failed";
}

int cli_finish(int status) {
    cli_command = NULL;
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_complain("standard output: the result could not be written: %s", why_lost());
    return status;
}

void __gcov_dump(void) __attribute__((weak));

void cli_end(int status) {
    status = cli_finish(status);
    abut_file_out_discard();
    if (cli_at_end) cli_at_end();
    if (__gcov_dump) /* measures what the tests reach; _exit leaves it out */
        __gcov_dump();
    _exit(status); /* memory is not looked through for leaks: it goes back with the process */
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

int cli_json_end(AbutJson *json, int status) {
    AbutStatus done = abut_json_finish(json, &cli_why);
    if (done != ABUT_OK && done != ABUT_ERROR_FILE) /* cli_finish reports that one, with its cause */
        cli_need_of("standard output", done);
    return status;
}

int cli_answer(int indent, const AbutRecord *record, const char *text, const void *data, int status) {
    if (indent == CLI_AS_TEXT) {
        abut_record_print(stdout, record, text, data);
        return status;
    }
    AbutJson json = abut_json_to_file(stdout, indent);
    abut_record_put_object(&json, record, data);
    return cli_json_end(&json, status);
}

int cli_answers(int indent, const AbutRecord *record, const void *rows, int count) {
    AbutJson json = abut_json_to_file(stdout, indent);
    abut_json_begin_array(&json);
    for (int i = 0; i < count; ++i)
        abut_record_put_object(&json, record, (const char *)rows + (size_t)i * record->size);
    abut_json_end_array(&json);
    return cli_json_end(&json, CLI_OK);
}

void cli_put_quat(AbutJson *json, const void *member) {
    const AbutQuat *q = member;
    const double numbers[] = {q->w, q->x, q->y, q->z};
    abut_json_begin_array(json);
    for (int i = 0; i < 4; ++i) abut_json_put_number(json, NULL, numbers[i]);
    abut_json_end_array(json);
}

static const double NOISE = 1e-13;

double cli_calm(double value, double scale) { return fabs(value) <= NOISE * fabs(scale) ? 0.0 : value; }

AbutVec3 cli_calm_vec(AbutVec3 v, double scale) {
    double size = fmax(abut_max_abs(v), fabs(scale));
    return abut_vec3(cli_calm(v.x, size), cli_calm(v.y, size), cli_calm(v.z, size));
}

void cli_print_vec(const char *name, AbutVec3 v, double scale, const char *unit) {
    AbutVec3 c = cli_calm_vec(v, scale);
    printf("  %-12s %.9g %.9g %.9g%s\n", name, c.x, c.y, c.z, unit);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static int count_dashes(int count, const char *const *names) {
    int dashes = 0;
    for (int k = 0; k < count; ++k) dashes += names[k] && strcmp(names[k], "-") == 0;
    return dashes;
}

/* Can the file be written? Devices and pipes are not opened for that. */
static void check_output(const char *path) {
    struct stat about;
    AbutFileOut probe;
    int exists = path && stat(path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode)) cli_error("%s: cannot be written: it is a folder", path);
    if (!path || (exists && !S_ISREG(about.st_mode))) return;
    cli_need(abut_file_out_open(&probe, path, &cli_why));
    abut_file_out_cancel(&probe);
}

void cli_check_files(int input_count, const char *const *inputs, int output_count, const char *const *outputs) {
    if (count_dashes(input_count, inputs) > 1)
        cli_error("'-' stands for two inputs: standard input can be read only once");
    if (count_dashes(output_count, outputs) > 0)
        cli_error("output '-': files are not written to standard output; name a file, or ./- for one of that name");
    cli_need(abut_file_check_outputs(input_count, inputs, output_count, outputs, &cli_why));
    for (int i = 0; i < output_count; ++i) check_output(outputs[i]);
    abut_file_reserve_outputs(output_count, outputs);
}

const char *cli_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

void cli_make_folder(const char *folder) {
    struct stat about;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        cli_error("%s: the folder cannot be made: %s", folder, strerror(errno));
    if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode)) cli_error("%s: not a folder", folder);
}

int cli_has_ending(const char *file, const char *ending) {
    size_t n = strlen(file), m = strlen(ending);
    for (size_t i = 0; i < m && m < n; ++i)
        if (tolower((unsigned char)file[n - m + i]) != ending[i]) return 0;
    return m < n;
}

int cli_is_file(const char *source) {
    return strcmp(source, "-") == 0 || strchr(source, '/') || access(source, F_OK) == 0;
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

enum { LINK_ROOM = 6 * PATH_MAX + 16 };

/* "file://" and the path, with every byte escaped that is not plain in a link. */
static int make_link(const char *path, char *out, size_t room) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    char whole[2 * PATH_MAX] = "";
    if (path[0] != '/' && !getcwd(whole, PATH_MAX)) return 0;
    size_t n = strlen(whole);
    snprintf(whole + n, sizeof whole - n, "%s%s", path[0] == '/' ? "" : "/", path);
    n = (size_t)snprintf(out, room, "file://");
    for (const char *c = whole; *c && n + 4 < room; ++c)
        n += (size_t)snprintf(out + n, room - n, strchr(plain, *c) ? "%c" : "%%%02X", (unsigned char)*c);
    return 1;
}

/* Does the desktop open the link? */
static int open_link(char *link) {
    char program[] = "xdg-open";
    char *words[] = {program, link, NULL};
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        execvp(program, words);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void cli_link_page(const char *path, int open) {
    char link[LINK_ROOM];
    if (access(path, F_OK) != 0 || !make_link(path, link, sizeof link)) return;
    fflush(stdout);
    fprintf(stderr, "page: %s\n", link);
    if (open && !open_link(link)) cli_warning("--open: no browser could be started (the program xdg-open is asked)");
}
