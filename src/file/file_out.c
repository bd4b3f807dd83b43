/* SPDX-License-Identifier: Apache-2.0 */
/* A file that appears whole or not at all. */
#include "file/file_out.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { TRIES = 100, SUFFIX = 48 };

static AbutStatus fail_write(const char *path, int number, AbutError *error)
{
    return abut_fail(error, ABUT_ERROR_FILE, "%.300s: cannot be written: %s", path, strerror(number));
}

AbutStatus abut_file_out_open(AbutFileOut *out, const char *path, AbutError *error)
{
    size_t room = strlen(path) + SUFFIX;
    *out = (AbutFileOut){NULL, path, abut_alloc(room)};
    if (!out->temporary)
        return abut_fail(error, ABUT_ERROR_MEMORY, "%.300s: no memory for its name", path);
    int descriptor = -1;
    for (int i = 0; i < TRIES && descriptor < 0; ++i) {
        snprintf(out->temporary, room, "%s.%ld-%d.part", path, (long)getpid(), i);
        descriptor = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    int number = errno;
    out->file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (out->file)
        return ABUT_OK;
    if (descriptor >= 0) {
        number = errno;
        close(descriptor);
        unlink(out->temporary);
    }
    abut_free(out->temporary);
    out->temporary = NULL;
    return fail_write(path, number, error);
}

void abut_file_out_cancel(AbutFileOut *out)
{
    fclose(out->file);
    unlink(out->temporary);
    abut_free(out->temporary);
    *out = (AbutFileOut){NULL, NULL, NULL};
}

AbutStatus abut_file_out_commit(AbutFileOut *out, AbutError *error)
{
    const char *path = out->path;
    errno = 0;
    if (fflush(out->file) != 0 || ferror(out->file) || fsync(fileno(out->file)) != 0) {
        int number = errno ? errno : EIO;
        abut_file_out_cancel(out);
        return fail_write(path, number, error);
    }
    int failed = fclose(out->file) != 0 || rename(out->temporary, path) != 0, number = errno;
    if (failed)
        unlink(out->temporary);
    abut_free(out->temporary);
    *out = (AbutFileOut){NULL, NULL, NULL};
    return failed ? fail_write(path, number, error) : ABUT_OK;
}
