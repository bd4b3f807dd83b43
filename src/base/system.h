/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the library: what differs between POSIX and Windows. Files are opened, named and asked about by the calls
 * of POSIX; Windows gets those that its C library lacks.
 */
#ifndef ABUT_SRC_BASE_SYSTEM_H
#define ABUT_SRC_BASE_SYSTEM_H

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#ifndef _MSC_VER
#include <unistd.h>
#endif

#ifdef _WIN32
#include <io.h>
#define ABUT_SLASH '\\' /* of full paths */
#define O_CLOEXEC (O_BINARY | O_NOINHERIT)
#define O_NOCTTY 0
#define S_ISSOCK(mode) 0
#define realpath(path, out) _fullpath((out), (path), PATH_MAX) /* of files that are not there, too */
#define readlink(path, out, room) ((ssize_t)-1)                /* links are followed by the system */
#define fchmod(file, mode) ((void)(mode), -1)
#define fsync(file) _commit(file)
#define read(file, to, bytes) read((file), (to), (unsigned)(bytes))
#else
#define ABUT_SLASH '/'
#endif

/* Seconds of a clock that never goes back. */
double abut_clock(void);

/* Renames a file, over one of that name; -1 and errno where that fails. */
int abut_rename(const char *from, const char *to);

/* Bytes in whole multiples of `alignment`; NULL: there is no memory. */
void *abut_aligned_alloc(size_t alignment, size_t bytes);
void abut_aligned_free(void *memory);

#endif
