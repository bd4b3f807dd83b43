/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole file into memory. It is read in one go rather than mapped: a mapped file that another program cuts short
 * would end the process. Pipes, and standard input as "-", are read to their end; devices are refused, as they may have
 * none.
 */
#include "base/system.h"
#include "file/file_target.h"
#include "file/input.h"

#include "abut/file.h"

#include <errno.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

/* One read that is tried again when a signal came in between: bytes, 0 at the end, -1 with errno. */
static ssize_t read_some(int file, char *to, size_t most) {
    size_t part = most < (size_t)1 << 30 ? most : (size_t)1 << 30;
    ssize_t got;
    do got = read(file, to, part);
    while (got < 0 && errno == EINTR);
    return got;
}

static AbutStatus fail_read(const char *path, AbutError *error) {
    return abut_fail(error, ABUT_ERROR_FILE, "%.300s: cannot be read: %s", path, strerror(errno));
}

/* `size` bytes of an open file into memory of the library. */
static AbutStatus load_regular(int file, const char *path, size_t size, char **bytes, AbutError *error) {
    *bytes = abut_alloc(size);
    if (!*bytes) return abut_fail_memory(error);
    for (size_t done = 0; done < size;) {
        ssize_t got = read_some(file, *bytes + done, size - done);
        if (got <= 0)
            return got < 0 ? fail_read(path, error)
                           : abut_fail(error, ABUT_ERROR_FILE, "%.300s: ended at byte %zu of %zu while being read",
                                 path, done, size);
        done += (size_t)got;
    }
    return ABUT_OK;
}

/* Everything up to the end of a pipe. */
static AbutStatus load_stream(
    int file, const char *path, const char *what, size_t limit, char **bytes, size_t *count, AbutError *error) {
    size_t capacity = 0;
    for (;;) {
        if (!abut_grow((void **)bytes, &capacity, *count + CHUNK, 1)) return abut_fail_memory(error);
        ssize_t got = read_some(file, *bytes + *count, CHUNK);
        if (got < 0) return fail_read(path, error);
        if (got == 0) break;
        *count += (size_t)got;
        if (*count > limit)
            return abut_fail(error, ABUT_ERROR_LIMIT, "%.300s: expected at most %zu bytes, got more", path, limit);
    }
    return *count > 0 ? ABUT_OK : abut_fail(error, ABUT_ERROR_FORMAT, "%.300s: expected %s, got 0 bytes", path, what);
}

static AbutStatus load_open(
    int file, const char *path, const char *what, size_t limit, char **bytes, size_t *count, AbutError *error) {
    struct stat about;
    if (fstat(file, &about) != 0)
        return abut_fail(error, ABUT_ERROR_FILE, "%.300s: cannot be examined: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return abut_fail(error, ABUT_ERROR_FILE, "%.300s: expected file or pipe, got a folder", path);
    if (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode) || isatty(file))
        return load_stream(file, path, what, limit, bytes, count, error);
    if (!S_ISREG(about.st_mode))
        return abut_fail(error, ABUT_ERROR_FILE, "%.300s: expected file or pipe, got a device", path);
    if (abut_file_is_reserved(&about))
        return abut_fail(error, ABUT_ERROR_ARGUMENT,
            "%.300s: is read, and an output is to be written over it: it must be another file", path);
    if (about.st_size == 0) return abut_fail(error, ABUT_ERROR_FORMAT, "%.300s: expected %s, got 0 bytes", path, what);
    if ((uint64_t)about.st_size > limit)
        return abut_fail(error, ABUT_ERROR_LIMIT, "%.300s: expected at most %zu bytes, got %lld", path, limit,
            (long long)about.st_size);
    *count = (size_t)about.st_size;
    return load_regular(file, path, *count, bytes, error);
}

AbutStatus abut_file_load(
    const char *path, const char *what, size_t limit, char **bytes, size_t *count, AbutError *error) {
    int standard = strcmp(path, "-") == 0;
    *bytes = NULL;
    *count = 0;
    int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0) return abut_fail(error, ABUT_ERROR_FILE, "%.300s: cannot be opened: %s", path, strerror(errno));
    const char *name = standard ? "standard input" : path;
    AbutStatus status = load_open(file, name, what, limit, bytes, count, error);
    if (!standard) close(file);
    if (status == ABUT_OK) return status;
    abut_free(*bytes);
    *bytes = NULL;
    *count = 0;
    return status;
}

AbutStatus abut_file_take(
    const char *name, const char *what, size_t limit, const void **bytes, size_t *count, char **own, AbutError *error) {
    *own = NULL;
    if (*bytes) return ABUT_OK;
    ABUT_TRY(abut_file_load(name, what, limit, own, count, error));
    *bytes = *own;
    return ABUT_OK;
}
