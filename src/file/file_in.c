/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole file into memory. It is read in one go rather than mapped: a mapped file that another program cuts short
 * would end the process.
 */
#include "file/file_in.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* `size` bytes of an open file into memory of the library. */
static AbutStatus load_bytes(int file, const char *path, size_t size, char **bytes, AbutError *error)
{
    *bytes = abut_alloc(size);
    if (!*bytes)
        return abut_fail(error, ABUT_ERROR_MEMORY, "%.300s: no memory for its %zu bytes", path, size);
    for (size_t done = 0; done < size;) {
        size_t part = size - done < (size_t)1 << 30 ? size - done : (size_t)1 << 30;
        ssize_t got = read(file, *bytes + done, part);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            AbutStatus status =
                got < 0 ? abut_fail(error, ABUT_ERROR_FILE, "%.300s: cannot be read: %s", path, strerror(errno))
                        : abut_fail(error, ABUT_ERROR_FILE, "%.300s: ended at byte %zu of %zu while being read", path,
                              done, size);
            abut_free(*bytes);
            *bytes = NULL;
            return status;
        }
        done += (size_t)got;
    }
    return ABUT_OK;
}

AbutStatus abut_file_load(
    const char *path, const char *what, size_t limit, char **bytes, size_t *count, AbutError *error)
{
    *bytes = NULL;
    *count = 0;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return abut_fail(error, ABUT_ERROR_FILE, "%.300s: cannot be opened: %s", path, strerror(errno));
    struct stat about;
    AbutStatus status;
    if (fstat(file, &about) != 0)
        status = abut_fail(error, ABUT_ERROR_FILE, "%.300s: cannot be examined: %s", path, strerror(errno));
    else if (S_ISDIR(about.st_mode))
        status = abut_fail(error, ABUT_ERROR_FILE, "%.300s: regular file expected, found a folder", path);
    else if (!S_ISREG(about.st_mode))
        status =
            abut_fail(error, ABUT_ERROR_FILE, "%.300s: regular file expected, found a device, pipe or socket", path);
    else if (about.st_size == 0)
        status = abut_fail(error, ABUT_ERROR_FORMAT, "%.300s: %s expected, found 0 bytes", path, what);
    else if ((uint64_t)about.st_size > limit)
        status = abut_fail(error, ABUT_ERROR_LIMIT, "%.300s: at most %zu bytes expected, found %lld", path, limit,
            (long long)about.st_size);
    else {
        *count = (size_t)about.st_size;
        status = load_bytes(file, path, *count, bytes, error);
    }
    close(file);
    return status;
}
