/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that appears whole or not at all: written beside its place under another name, then renamed. A symbolic link
 * stays one (the file it leads to is replaced), an existing file keeps its permissions, and one that must not be
 * written is not. Pipes and devices are written in place. The names of files that are being written stand in a list, so
 * that a signal handler can remove them.
 */
#include "base/system.h"
#include "file/file_target.h"

#include "abut/file.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

enum { TRIES = 100, SUFFIX = 48, LISTED = 64, PROBE = 1 << 16 };

/* ---- the list of temporary files --------------------------------------------------------------------------------- */

static _Atomic(char *) unfinished[LISTED];

/* Puts `to` in the place of `from`; when all places are taken the file is not listed. */
static void change_list(char *from, char *to) {
    for (int i = 0; i < LISTED; ++i) {
        char *expected = from;
        if (atomic_compare_exchange_strong(&unfinished[i], &expected, to)) return;
    }
}

void abut_file_out_discard(void) {
    for (int i = 0; i < LISTED; ++i) {
        char *name = atomic_exchange(&unfinished[i], NULL);
        if (name) unlink(name);
    }
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static AbutStatus fail_write(const char *path, int number, AbutError *error) {
    return abut_fail(error, ABUT_ERROR_FILE, "%.300s: cannot be written: %s", path, strerror(number));
}

static void forget(AbutFileOut *out) {
    if (out->temporary) change_list(out->temporary, NULL);
    abut_free(out->temporary);
    abut_free(out->target);
    *out = (AbutFileOut){NULL, NULL, NULL, NULL};
}

/* A new file beside the target, with its permissions; -1 and errno when there is none. */
static int open_beside(AbutFileOut *out, int exists, const struct stat *about) {
    int descriptor = -1;
    size_t room = strlen(out->target) + SUFFIX;
    for (int i = 0; i < TRIES && descriptor < 0; ++i) {
        snprintf(out->temporary, room, "%s.%ld-%d.part", out->target, (long)getpid(), i);
        change_list(NULL, out->temporary);
        descriptor = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) break;
        change_list(out->temporary, NULL);
        if (errno != EEXIST) break;
    }
    if (descriptor >= 0 && exists)
        (void)!fchmod(descriptor, about->st_mode & 07777); /* a file system without permissions has none to keep */
    return descriptor;
}

/* The descriptor to write to, or -1 and errno. */
static int open_target(AbutFileOut *out, int exists, const struct stat *about) {
    if (exists && S_ISDIR(about->st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (exists && !S_ISREG(about->st_mode)) {
        abut_free(out->temporary);
        out->temporary = NULL;
        return open(out->path, O_WRONLY | O_CLOEXEC);
    }
    if (exists && access(out->target, W_OK) != 0) return -1;
    return open_beside(out, exists, about);
}

AbutStatus abut_file_out_open(AbutFileOut *out, const char *path, AbutError *error) {
    ABUT_ASSERT(out && path);
    struct stat about;
    int exists;
    *out = (AbutFileOut){NULL, path, abut_file_target(path, &exists, &about), NULL};
    if (out->target) out->temporary = abut_alloc(strlen(out->target) + SUFFIX);
    if (!out->temporary) {
        forget(out);
        return abut_fail_memory(error);
    }
    int descriptor = open_target(out, exists, &about), number = errno;
    out->file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (out->file) return ABUT_OK;
    if (descriptor >= 0) {
        number = errno;
        close(descriptor);
        if (out->temporary) unlink(out->temporary);
    }
    forget(out);
    return fail_write(path, number, error);
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

void abut_file_out_cancel(AbutFileOut *out) {
    ABUT_ASSERT(out);
    if (out->file) fclose(out->file);
    if (out->temporary) unlink(out->temporary);
    forget(out);
}

/* Why an earlier write failed, which the stream does not tell: what a write says now. */
static int ask_again(FILE *file) {
    static const char zeros[PROBE];
    errno = 0;
    return write(fileno(file), zeros, PROBE) < 0 && errno ? errno : EIO;
}

/* Everything on its way to the disk; 0, or why not. */
static int flush(const AbutFileOut *out) {
    int before = ferror(out->file);
    errno = 0;
    if (fflush(out->file) != 0) return errno ? errno : EIO;
    if (before || ferror(out->file)) return ask_again(out->file);
    return out->temporary && fsync(fileno(out->file)) != 0 && errno != EINVAL ? errno : 0;
}

AbutStatus abut_file_out_commit(AbutFileOut *out, AbutError *error) {
    ABUT_ASSERT(out && out->file);
    const char *path = out->path;
    int number = flush(out);
    if (number) {
        abut_file_out_cancel(out);
        return fail_write(path, number, error);
    }
    number = fclose(out->file) != 0 || (out->temporary && abut_rename(out->temporary, out->target) != 0) ? errno : 0;
    if (number && out->temporary) unlink(out->temporary);
    forget(out);
    return number ? fail_write(path, number, error) : ABUT_OK;
}
