/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The folder of the cache: where it is, one file for each mesh, written whole or not at all, the oldest removed when
 * there are too many. Nothing here fails: what cannot be read or written is as if there were no cache.
 * Windows has none.
 */
#define _XOPEN_SOURCE 700 /* mkdir, utimensat */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abut/import.h"
#include "import/cache.h"

#ifndef _WIN32

enum { PATH = 4096, NAME = 40, MOST_BYTES = 1 << 30 };

static const char ending[] = ".pieces";

/* ---- where ------------------------------------------------------------------------------------------------------- */

static int join(char *out, size_t room, const char *folder, const char *rest) {
    int n = snprintf(out, room, "%s%s", folder, rest);
    return n > 0 && (size_t)n < room;
}

int abut_cache_folder(char *out, size_t room) {
    const char *own = getenv("ABUT_CACHE"), *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int found = own                        ? join(out, room, own, "")
                : caches && *caches == '/' ? join(out, room, caches, "/abut")
                : home && *home == '/'     ? join(out, room, home, "/.cache/abut")
                                           : 0;
    if (!found && room > 0) *out = 0;
    return found;
}

static int file_of(const char *folder, AbutCacheKey key, char out[PATH]) {
    int n = snprintf(out, PATH, "%s/%016" PRIx64 "%016" PRIx64 "%s", folder, key.word[0], key.word[1], ending);
    return n > 0 && n < PATH;
}

/* Makes a folder, with those above it. */
static void make_folder(const char *folder) {
    char path[PATH];
    if (!join(path, sizeof path, folder, "")) return;
    for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; ++slash) {
        *slash = 0;
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    (void)mkdir(path, 0700);
}

/* ---- one file ---------------------------------------------------------------------------------------------------- */

enum { MISSING, PLAIN, OTHER };

/* Links, pipes and devices are none of ours: nothing is read from them, and nothing written through them. */
static int kind_of(const char *path) {
    struct stat about;
    if (lstat(path, &about) != 0) return MISSING;
    return S_ISREG(about.st_mode) ? PLAIN : OTHER;
}

int abut_cache_get(const char *folder, AbutCacheKey key, AbutCached *out) {
    char path[PATH], *bytes = NULL;
    size_t count = 0;
    memset(out, 0, sizeof *out);
    if (!file_of(folder, key, path) || kind_of(path) != PLAIN ||
        abut_file_load(path, "a cached mesh", MOST_BYTES, &bytes, &count, NULL) != ABUT_OK)
        return 0;
    int found = abut_cache_decode(bytes, count, key, out);
    abut_free(bytes);
    if (found) (void)utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW); /* used now: it goes last */
    return found;
}

void abut_cache_put(const char *folder, AbutCacheKey key, const AbutCached *cached) {
    char path[PATH], *bytes = NULL;
    size_t count;
    AbutFileOut out;
    if (!file_of(folder, key, path) || kind_of(path) == OTHER || !abut_cache_encode(cached, key, &bytes, &count))
        return;
    make_folder(folder);
    if (abut_file_out_open(&out, path, NULL) == ABUT_OK) {
        (void)fwrite(bytes, 1, count, out.file); /* the commit looks whether that went well */
        (void)abut_file_out_commit(&out, NULL);
    }
    abut_free(bytes);
}

/* ---- all files --------------------------------------------------------------------------------------------------- */

typedef struct Entry {
    char name[NAME];
    uint64_t bytes;
    struct timespec used;
} Entry;

static int is_ours(const char *name) {
    return strlen(name) == 32 + sizeof ending - 1 && strspn(name, "0123456789abcdef") == 32 &&
           strcmp(name + 32, ending) == 0;
}

static int earlier(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    return x->used.tv_nsec != y->used.tv_nsec ? (x->used.tv_nsec < y->used.tv_nsec ? -1 : 1) : strcmp(x->name, y->name);
}

/* All our files in the folder; gives their number. */
static size_t list(DIR *dir, Entry **out) {
    size_t count = 0, room = 0;
    struct stat about;
    for (const struct dirent *d; (d = readdir(dir)) != NULL;) {
        if (!is_ours(d->d_name) || fstatat(dirfd(dir), d->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(about.st_mode) || !abut_grow((void **)out, &room, count + 1, sizeof **out))
            continue;
        Entry *e = &(*out)[count++];
        memcpy(e->name, d->d_name, 32 + sizeof ending);
        e->bytes = (uint64_t)about.st_size;
        e->used = about.st_mtim;
    }
    return count;
}

void abut_cache_trim(const char *folder, uint64_t limit) {
    DIR *dir = opendir(folder);
    Entry *entry = NULL;
    if (!dir) return;
    size_t count = list(dir, &entry);
    uint64_t sum = 0;
    if (count > 0) qsort(entry, count, sizeof *entry, earlier);
    for (size_t i = 0; i < count; ++i) sum += entry[i].bytes;
    for (size_t i = 0; i < count && sum > limit; ++i) {
        (void)unlinkat(dirfd(dir), entry[i].name, 0);
        sum -= entry[i].bytes;
    }
    abut_free(entry);
    closedir(dir);
}

#else

int abut_cache_folder(char *out, size_t room) {
    if (room > 0) *out = 0;
    return 0;
}

int abut_cache_get(const char *folder, AbutCacheKey key, AbutCached *out) {
    (void)folder;
    (void)key;
    memset(out, 0, sizeof *out);
    return 0;
}

void abut_cache_put(const char *folder, AbutCacheKey key, const AbutCached *cached) {
    (void)folder;
    (void)key;
    (void)cached;
}

void abut_cache_trim(const char *folder, uint64_t limit) {
    (void)folder;
    (void)limit;
}

#endif
