/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page that a command wrote: its place as a link that a terminal makes clickable, and the browser on request. In:
 * the path of the page. Out: a line on standard error, so that results on standard output stay as they are.
 */
#include "page_link.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINK_ROOM = 6 * PATH_MAX + 16 };

/* "file://" and the path, with every byte escaped that is not plain in a link. */
static int make_link(const char *path, char *out, size_t room)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    char whole[2 * PATH_MAX] = "";
    if (path[0] != '/' && !getcwd(whole, PATH_MAX))
        return 0;
    size_t n = strlen(whole);
    snprintf(whole + n, sizeof whole - n, "%s%s", path[0] == '/' ? "" : "/", path);
    n = (size_t)snprintf(out, room, "file://");
    for (const char *c = whole; *c && n + 4 < room; ++c)
        n += (size_t)snprintf(out + n, room - n, strchr(plain, *c) ? "%c" : "%%%02X", (unsigned char)*c);
    return 1;
}

/* Does the desktop open the link? */
static int open_link(char *link)
{
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

void page_link_say(const CliCommand *command, const char *path, int open)
{
    char link[LINK_ROOM];
    if (access(path, F_OK) != 0 || !make_link(path, link, sizeof link))
        return;
    fflush(stdout);
    fprintf(stderr, "page: %s\n", link);
    if (open && !open_link(link))
        cli_warning(command, "--open: no browser could be started (the program xdg-open is asked)");
}
