/* SPDX-License-Identifier: Apache-2.0 */
/* Folders that commands write to, and names of files without theirs. */
#include "cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

const char *cli_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

int cli_make_folder(const CliCommand *command, const char *folder)
{
    struct stat about;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cli_error(command, "%s: the folder cannot be made: %s", folder, strerror(errno));
    if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode))
        return cli_error(command, "%s: not a folder", folder);
    return CLI_GO;
}
