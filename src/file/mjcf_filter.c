/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collision filters. In MJCF two geoms meet when the contype of either shares a bit with the conaffinity of the other,
 * or when a <pair> names them; in a scene, when each category is in the other's mask. Geoms with the same two numbers
 * form a class, each class gets one category bit, and its mask holds the bits of the classes it meets. Geoms of a pair
 * that the numbers keep apart are classes of their own.
 */
#include "file/mjcf_read.h"

#include <string.h>

enum { CLASSES = 32 };

typedef struct Class {
    uint32_t contype, conaffinity, mask;
    int32_t alone; /* geom that has it for itself, or -1 */
} Class;

static int agree(uint32_t type_a, uint32_t affinity_a, uint32_t type_b, uint32_t affinity_b)
{
    return (type_a & affinity_b) != 0 || (type_b & affinity_a) != 0;
}

/* Marks geoms that only a pair brings together (used = 2). */
static void mark_paired(const AbutMjcfModel *model, AbutMjcfFilter *out)
{
    for (int32_t i = 0; i < model->pair_count; ++i) {
        const AbutMjcfPair *pair = &model->pairs[i];
        if (pair->exclude)
            continue;
        const AbutMjcfGeom *a = &model->geoms[pair->a], *b = &model->geoms[pair->b];
        if (!agree(a->contype, a->conaffinity, b->contype, b->conaffinity))
            out[pair->a].used = out[pair->b].used = 2;
    }
}

/* Class of a geom: an old one or a new one at the end; -1 when there is no bit left. */
static int class_of(Class *classes, int *count, const AbutMjcfGeom *geom, int32_t alone)
{
    int i = 0;
    while (i < *count && (classes[i].contype != geom->contype || classes[i].conaffinity != geom->conaffinity ||
                             classes[i].alone != alone))
        ++i;
    if (i == CLASSES)
        return -1;
    if (i == *count)
        classes[(*count)++] = (Class){geom->contype, geom->conaffinity, 0, alone};
    return i;
}

static void fill_masks(Class *classes, int count)
{
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
            if (agree(classes[i].contype, classes[i].conaffinity, classes[j].contype, classes[j].conaffinity))
                classes[i].mask |= UINT32_C(1) << j;
}

AbutStatus abut_mjcf_filters(const AbutMjcfModel *model, AbutMjcfFilter *out, AbutError *error)
{
    Class classes[CLASSES];
    int count = 0;
    memset(out, 0, (size_t)model->geom_count * sizeof *out);
    mark_paired(model, out);
    for (int32_t i = 0; i < model->geom_count; ++i) {
        const AbutMjcfGeom *geom = &model->geoms[i];
        int alone = out[i].used == 2;
        if (!alone && geom->contype == 0 && geom->conaffinity == 0)
            continue;
        int class = class_of(classes, &count, geom, alone ? i : -1);
        if (class < 0)
            return abut_fail(error, ABUT_ERROR_LIMIT,
                "%.100s:%d: <geom>: at most %d different sets of geoms by contype, conaffinity and pair expected",
                geom->place.file, (int)geom->place.line, CLASSES);
        out[i] = (AbutMjcfFilter){UINT32_C(1) << class, 0, 1};
    }
    fill_masks(classes, count);
    for (int32_t i = 0; i < model->geom_count; ++i)
        for (int k = 0; k < count; ++k)
            if (out[i].category == UINT32_C(1) << k)
                out[i].mask = classes[k].mask;
    for (int32_t i = 0; i < model->pair_count; ++i)
        if (!model->pairs[i].exclude) {
            AbutMjcfFilter *a = &out[model->pairs[i].a], *b = &out[model->pairs[i].b];
            a->mask |= b->category;
            b->mask |= a->category;
        }
    return ABUT_OK;
}
