/* SPDX-License-Identifier: Apache-2.0 */
/* Symbolic links that lead out of the folder of a model. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "base/system.h"
#include "import/mjcf_read.h"

#include <string.h>

int abut_mjcf_leads_out(const char *folder, const char *path) {
    char inside[PATH_MAX], real[PATH_MAX];
    if (!realpath(*folder ? folder : ".", inside) || !realpath(path, real)) return 0;
    size_t n = strlen(inside);
    return strncmp(inside, real, n) != 0 || (n > 1 && real[n] != ABUT_SLASH);
}
