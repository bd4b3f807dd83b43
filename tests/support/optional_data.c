/* SPDX-License-Identifier: Apache-2.0 */
#include "support/optional_data.h"

#include <dirent.h>
#include <stdio.h>

const char *optional_data(const char *relative)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/../shared/%s", ABUT_SOURCE_DIR, relative);
    DIR *folder = opendir(path);
    if (!folder) {
        printf("optional data %s is not here\n", relative);
        return NULL;
    }
    closedir(folder);
    return path;
}
