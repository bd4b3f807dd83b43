/* SPDX-License-Identifier: Apache-2.0 */
/* Roadmaps in NumPy archives: `postures` [n][k], `start` [n + 1] and `to`, of which the edges of posture i are those
 * from start[i] up to start[i + 1] - 1. */
#include "file/input.h"
#include "file/npz.h"

#include <math.h>
#include <string.h>

enum { MOST_BYTES = 1 << 30 };

static AbutStatus bad(const char *name, const char *array, const char *expected, AbutError *error) {
    return abut_fail(error, ABUT_ERROR_FORMAT, "%s: %s: expected %s", name, array, expected);
}

static int is_list(const AbutArray *array) { return array && array->type == ABUT_ARRAY_I4 && array->dimensions == 1; }

static AbutStatus check_postures(const char *name, const AbutArray *array, AbutError *error) {
    if (!array || array->type != ABUT_ARRAY_F8 || array->dimensions != 2 || array->shape[0] < 1 ||
        array->shape[0] > ABUT_ROADMAP_POSTURES || array->shape[1] < 1 || array->shape[1] > 100000)
        return bad(name, "postures", "doubles of the shape (postures, coordinates)", error);
    for (int64_t i = 0; i < abut_array_count(array); ++i)
        if (!isfinite(((const double *)array->data)[i])) return bad(name, "postures", "finite numbers", error);
    return ABUT_OK;
}

/* Do edges stand in the order of the postures that they leave, and lead to postures? */
static AbutStatus check_edges(
    const char *name, const AbutArray *start, const AbutArray *to, int64_t postures, AbutError *error) {
    if (!is_list(start) || start->shape[0] != postures + 1)
        return bad(name, "start", "32-bit integers, one more than postures", error);
    if (!is_list(to)) return bad(name, "to", "32-bit integers", error);
    const int32_t *first = start->data, *end = to->data;
    int good = first[0] == 0 && first[postures] == to->shape[0];
    for (int64_t i = 0; i < postures && good; ++i) good = first[i] <= first[i + 1];
    if (!good) return bad(name, "start", "numbers that grow from 0 to the number of edges", error);
    for (int64_t i = 0; i < to->shape[0]; ++i)
        if (end[i] < 0 || end[i] >= postures) return bad(name, "to", "numbers of postures", error);
    return ABUT_OK;
}

static void *copy_of(const AbutArray *array, size_t size) {
    size_t bytes = (size_t)abut_array_count(array) * size;
    void *out = abut_alloc(bytes + 1);
    if (out && bytes > 0) memcpy(out, array->data, bytes);
    return out;
}

static AbutStatus take(const char *name, const AbutArchive *archive, AbutRoadmap *out, AbutError *error) {
    const AbutArray *postures = abut_npz_find(archive, "postures");
    const AbutArray *start = abut_npz_find(archive, "start"), *to = abut_npz_find(archive, "to");
    ABUT_TRY(check_postures(name, postures, error));
    ABUT_TRY(check_edges(name, start, to, postures->shape[0], error));
    *out = (AbutRoadmap){.width = (int32_t)postures->shape[1],
        .count = (int32_t)postures->shape[0],
        .postures = copy_of(postures, sizeof *out->postures),
        .start = copy_of(start, sizeof *out->start),
        .to = copy_of(to, sizeof *out->to)};
    if (out->postures && out->start && out->to) return ABUT_OK;
    abut_roadmap_free(out);
    return abut_fail_memory(error);
}

AbutStatus abut_roadmap_read(const char *name, const void *bytes, size_t count, AbutRoadmap *out, AbutError *error) {
    ABUT_ASSERT(name && out);
    AbutArchive archive;
    char *own;
    *out = (AbutRoadmap){0};
    ABUT_TRY(abut_file_take(name, "a roadmap", MOST_BYTES, &bytes, &count, &own, error));
    AbutStatus status = abut_npz_parse(bytes, count, name, &archive, error);
    abut_free(own);
    if (status) return status;
    status = take(name, &archive, out, error);
    abut_npz_free(&archive);
    return status;
}

AbutStatus abut_roadmap_write(const char *path, const AbutRoadmap *map, AbutError *error) {
    ABUT_ASSERT(path && map && map->start);
    AbutArray arrays[3] = {
        {"postures", ABUT_ARRAY_F8, 2, {map->count, map->width, 0, 0}, map->postures},
        {"start", ABUT_ARRAY_I4, 1, {map->count + 1, 0, 0, 0}, map->start},
        {"to", ABUT_ARRAY_I4, 1, {map->start[map->count], 0, 0, 0}, map->to},
    };
    return abut_npz_write(path, arrays, 3, error);
}
