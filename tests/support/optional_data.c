/* SPDX-License-Identifier: Apache-2.0 */
#include "support/optional_data.h"

#include <dirent.h>
#include <stdio.h>

/* Robots and cases are written in XML. */
#ifdef ABUT_TEST_XML
enum { READS_XML = 1 };
#else
enum { READS_XML = 0 };
#endif

const char *optional_data(const char *relative) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/../shared/%s", ABUT_SOURCE_DIR, relative);
    DIR *folder = READS_XML ? opendir(path) : NULL;
    if (!folder) {
        printf(READS_XML ? "optional data %s is not here\n" : "optional data %s: this build reads no XML\n", relative);
        return NULL;
    }
    closedir(folder);
    return path;
}
