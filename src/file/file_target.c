/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target of a path: symbolic links are followed, also those to files that are not there yet. So a file is written
 * where a link points to, and two names of one file are known as such before anything is written.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "base/system.h"
#include "file/file_target.h"

#include "abut/file.h"

#include <string.h>

enum { MOST_LINKS = 40, LONGEST = PATH_MAX, MOST_RESERVED = 16 };

/* `folder_length` characters of `folder`, then `name`. */
static char *join(const char *folder, size_t folder_length, const char *name) {
    size_t length = strlen(name);
    char *text = abut_alloc(folder_length + length + 1);
    if (text) {
        memcpy(text, folder, folder_length);
        memcpy(text + folder_length, name, length + 1);
    }
    return text;
}

/* Length of the folder of a path with its slash; 0: the current one. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Where the links of a name that leads to nothing end. */
static char *follow_links(const char *path) {
    char *at = join("", 0, path), link[LONGEST];
    for (int i = 0; at && i < MOST_LINKS; ++i) {
        ssize_t length = readlink(at, link, sizeof link - 1);
        if (length < 0) return at;
        link[length] = 0;
        char *next = join(at, link[0] == '/' ? 0 : folder_length(at), link);
        abut_free(at);
        at = next;
    }
    return at;
}

/* The name with its folder spelled out. */
static char *absolute(char *path) {
    char folder[LONGEST];
    size_t length = folder_length(path);
    char *head = length ? join("", 0, path) : join("", 0, "./");
    if (!head) {
        abut_free(path);
        return NULL;
    }
    head[length ? length : 2] = 0;
    char *real = realpath(head, folder);
    abut_free(head);
    if (!real) return path;
    size_t used = strlen(folder);
    if (used + 1 < sizeof folder) strcpy(folder + used, used > 1 ? "/" : "");
    char *out = join(folder, strlen(folder), path + length);
    abut_free(path);
    return out;
}

char *abut_file_target(const char *path, int *exists, struct stat *about) {
    char real[LONGEST];
    const char *found = realpath(path, real);
    *exists = stat(path, about) == 0;
    if (found || *exists) return join("", 0, found ? found : path);
    char *end = follow_links(path);
    return end ? absolute(end) : NULL;
}

/* ---- outputs against inputs and each other ----------------------------------------------------------------------- */

/* Do two names lead to one file? Pipes and devices may be shared. -1: no memory to tell. */
static int are_same(const char *a, const char *b) {
    struct stat about_a, about_b;
    int exists_a, exists_b, same = -1;
    char *target_a = abut_file_target(a, &exists_a, &about_a), *target_b = abut_file_target(b, &exists_b, &about_b);
    if (target_a && target_b && exists_a && exists_b)
        same = S_ISREG(about_a.st_mode) && about_a.st_dev == about_b.st_dev && about_a.st_ino == about_b.st_ino &&
               (about_a.st_ino != 0 || strcmp(target_a, target_b) == 0);
    else if (target_a && target_b)
        same = strcmp(target_a, target_b) == 0;
    abut_free(target_a);
    abut_free(target_b);
    return same;
}

static AbutStatus check_pair(const char *output, const char *other, const char *what, AbutError *error) {
    int same = other ? are_same(output, other) : 0;
    if (same < 0) return abut_fail_memory(error);
    return !same ? ABUT_OK
                 : abut_fail(
                       error, ABUT_ERROR_ARGUMENT, "%.200s: cannot be written: it is %s '%.200s'", output, what, other);
}

AbutStatus abut_file_check_outputs(
    int input_count, const char *const *inputs, int output_count, const char *const *outputs, AbutError *error) {
    ABUT_ASSERT((inputs || input_count <= 0) && (outputs || output_count <= 0));
    AbutStatus status = ABUT_OK;
    for (int i = 0; i < output_count && status == ABUT_OK; ++i) {
        for (int k = 0; k < input_count && status == ABUT_OK && outputs[i]; ++k)
            status = check_pair(outputs[i], inputs[k], "the input", error);
        for (int k = 0; k < i && status == ABUT_OK && outputs[i]; ++k)
            status = check_pair(outputs[i], outputs[k], "the same file as the output", error);
    }
    return status;
}

static struct {
    dev_t device;
    ino_t number;
} reserved[MOST_RESERVED];
static int reserved_count;

void abut_file_reserve_outputs(int count, const char *const *outputs) {
    ABUT_ASSERT(outputs || count <= 0);
    struct stat about;
    reserved_count = 0;
    for (int i = 0; i < count && reserved_count < MOST_RESERVED; ++i)
        if (outputs[i] && stat(outputs[i], &about) == 0 && S_ISREG(about.st_mode)) {
            reserved[reserved_count].device = about.st_dev;
            reserved[reserved_count++].number = about.st_ino;
        }
}

int abut_file_is_reserved(const struct stat *about) {
    for (int i = 0; i < reserved_count; ++i)
        if (about->st_ino != 0 && about->st_dev == reserved[i].device && about->st_ino == reserved[i].number) return 1;
    return 0;
}
