/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a NumPy archive and as a run log. A checksum stops nearly all changes at the gate, so the bytes are also
 * read as the content of one array, behind a sound frame.
 */
#include "fuzz.h"

#include <string.h>

#include "abut/file.h"
#include "file/npz.h"

static void check_archive(const AbutArchive *archive) {
    for (int32_t i = 0; i < archive->count; ++i) {
        size_t bytes;
        FUZZ_REQUIRE(abut_array_bytes(&archive->arrays[i], &bytes) == ABUT_OK);
        FUZZ_REQUIRE(abut_npz_find(archive, archive->arrays[i].name) == &archive->arrays[i]);
        volatile unsigned char last = ((const unsigned char *)archive->arrays[i].data)[bytes];
        FUZZ_REQUIRE(last == 0);
    }
}

/* A stored entry x.npy with these bytes, as a whole archive. */
static size_t frame(const uint8_t *data, size_t size, unsigned char *out) {
    uint32_t crc = abut_crc32(0, data, size), n = (uint32_t)size;
    unsigned char common[26] = {20, 0, 0, 0, 0, 0, 0, 0, 33, 0};
    for (int i = 0; i < 4; ++i) {
        common[10 + i] = (unsigned char)(crc >> 8 * i);
        common[14 + i] = common[18 + i] = (unsigned char)(n >> 8 * i);
    }
    common[22] = 5;
    unsigned char *p = out;
    memcpy(p, "PK\3\4", 4);
    memcpy(p + 4, common, 26);
    memcpy(p + 30, "x.npy", 5);
    memcpy(p + 35, data, size);
    p += 35 + size;
    memset(p, 0, 46);
    memcpy(p, "PK\1\2\24", 6);
    memcpy(p + 6, common, 26);
    memcpy(p + 46, "x.npy", 5);
    p += 51;
    uint32_t at = 35 + n;
    unsigned char end[22] = {'P', 'K', 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, 51};
    for (int i = 0; i < 4; ++i) end[16 + i] = (unsigned char)(at >> 8 * i);
    memcpy(p, end, 22);
    return (size_t)(p + 22 - out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AbutArchive archive;
    AbutRun *run;
    AbutError error = {0};
    if (size > 100000) return 0;
    AbutStatus status = abut_npz_parse(data, size, "input.npz", &archive, &error);
    FUZZ_REQUIRE(status == error.status && (!status || (error.text[0] && !archive.arrays)));
    check_archive(&archive);
    abut_npz_free(&archive);
    if (abut_run_read("input.npz", data, size, &run, NULL) == ABUT_OK)
        FUZZ_REQUIRE(abut_run_i8(run, ABUT_RUN_CONTACT_START)[run->steps] == run->contacts &&
                     abut_run_i8(run, ABUT_RUN_VERTEX_START)[run->contacts] == run->vertices &&
                     run->model->body_count == run->bodies);
    abut_run_free(run);
    static unsigned char framed[100200];
    size_t count = frame(data, size, framed);
    if (abut_npz_parse(framed, count, "framed.npz", &archive, &error) == ABUT_OK)
        FUZZ_REQUIRE(archive.count == 1 && strcmp(archive.arrays[0].name, "x") == 0);
    else
        FUZZ_REQUIRE(strstr(error.text, "array 'x'")); /* the frame itself is sound */
    check_archive(&archive);
    abut_npz_free(&archive);
    return 0;
}
