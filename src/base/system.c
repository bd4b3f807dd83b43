/* SPDX-License-Identifier: Apache-2.0 */
/* Differences between POSIX and Windows. */
#include "base/system.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#ifdef _WIN32

#include <malloc.h>
#include <windows.h>

double abut_clock(void) {
    LARGE_INTEGER ticks, rate;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&rate);
    return (double)ticks.QuadPart / (double)rate.QuadPart;
}

int abut_rename(const char *from, const char *to) {
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING)) return 0;
    errno = EACCES;
    return -1;
}

void *abut_aligned_alloc(size_t alignment, size_t bytes) { return _aligned_malloc(bytes, alignment); }

void abut_aligned_free(void *memory) { _aligned_free(memory); }

#else

double abut_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int abut_rename(const char *from, const char *to) { return rename(from, to); }

void *abut_aligned_alloc(size_t alignment, size_t bytes) { return aligned_alloc(alignment, bytes); }

void abut_aligned_free(void *memory) { free(memory); }

#endif
