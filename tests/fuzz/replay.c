/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target without libFuzzer: every file of the corpus folder as it is, then seeded mutations of it, then
 * plain noise. Usage: replay_NAME CORPUS_DIR [MUTATIONS]. A missing folder means no seeds.
 */
#include "abut/base.h"
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { MAX_BYTES = 1 << 16 };
static uint8_t seed_bytes[MAX_BYTES], work[MAX_BYTES];

/* One to eight edits: flip, replace, swap in extremes, cut out, repeat, cut the end. Gives the new size. */
static size_t mutate(AbutRng *rng, size_t size) {
    static const uint8_t extremes[] = {0, 255, 127, 128, '-', '9', 'e', '.', '\n', ' '};
    int edits = 1 + (int)abut_rng_below(rng, 8);
    for (int e = 0; e < edits && size > 0; ++e) {
        size_t at = abut_rng_below(rng, (uint32_t)size), span = 1 + abut_rng_below(rng, 16);
        if (span > size - at) span = size - at;
        switch (abut_rng_below(rng, 6)) {
        case 0:
            work[at] ^= (uint8_t)(1u << abut_rng_below(rng, 8));
            break;
        case 1:
            work[at] = (uint8_t)abut_rng_u64(rng);
            break;
        case 2:
            work[at] = extremes[abut_rng_below(rng, sizeof extremes)];
            break;
        case 3:
            memmove(work + at, work + at + span, size - at - span);
            size -= span;
            break;
        case 4:
            if (size + span <= MAX_BYTES) {
                memmove(work + at + span, work + at, size - at);
                size += span;
            }
            break;
        default:
            if (abut_rng_below(rng, 4) == 0) size = at;
            break;
        }
    }
    return size;
}

static void run_seed(size_t size, int mutations, uint64_t stream) {
    LLVMFuzzerTestOneInput(seed_bytes, size);
    AbutRng rng = abut_rng(2026, stream);
    for (int i = 0; i < mutations; ++i) {
        memcpy(work, seed_bytes, size);
        LLVMFuzzerTestOneInput(work, mutate(&rng, size));
    }
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s CORPUS_DIR [MUTATIONS]\n", argv[0]);
        return 2;
    }
    int mutations = argc > 2 ? atoi(argv[2]) : 200, files = 0;
    DIR *folder = opendir(argv[1]);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        FILE *file = entry->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (!file) continue;
        size_t size = fread(seed_bytes, 1, sizeof seed_bytes, file);
        fclose(file);
        run_seed(size, mutations, abut_hash(entry->d_name, strlen(entry->d_name), 0));
        ++files;
    }
    if (folder) closedir(folder);
    AbutRng rng = abut_rng(7, 0);
    for (int i = 0; i < 10 * mutations; ++i) {
        size_t size = abut_rng_below(&rng, 2048);
        for (size_t k = 0; k < size; ++k) work[k] = (uint8_t)abut_rng_u64(&rng);
        LLVMFuzzerTestOneInput(work, size);
    }
    printf("%d seed files, %d mutations of each, %d noise inputs: no failure\n", files, mutations, 10 * mutations);
    return 0;
}
