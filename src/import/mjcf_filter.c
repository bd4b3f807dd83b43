/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collision filters. In MJCF two geoms meet when the contype of either shares a bit with the conaffinity of the other,
 * or when a <pair> names them; in a model, when each category is in the other's mask, or when a pair names them. Geoms
 * with the same two numbers form a class, each class gets one category bit, and its mask holds the bits of the classes
 * it meets. Geoms with two zeros are in no class.
 */
#include "import/mjcf_read.h"

enum { CLASSES = 32 };

typedef struct Class {
    uint32_t contype, conaffinity, mask;
} Class;

static int agree(Class a, Class b) { return (a.contype & b.conaffinity) != 0 || (b.contype & a.conaffinity) != 0; }

/* Class of a geom: an old one or a new one at the end; -1 when there is no bit left. */
static int class_of(Class *classes, int *count, const AbutDraftGeom *geom) {
    int i = 0;
    while (i < *count && (classes[i].contype != geom->contype || classes[i].conaffinity != geom->conaffinity)) ++i;
    if (i == CLASSES) return -1;
    if (i == *count) classes[(*count)++] = (Class){geom->contype, geom->conaffinity, 0};
    return i;
}

static void fill_masks(Class *classes, int count) {
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
            if (agree(classes[i], classes[j])) classes[i].mask |= UINT32_C(1) << j;
}

AbutStatus abut_mjcf_filters(AbutMjcfDraft *draft, AbutError *error) {
    Class classes[CLASSES];
    int count = 0;
    if (!draft->has_contacts) draft->pair_count = 0;
    for (int32_t i = 0; i < draft->geom_count; ++i) {
        AbutDraftGeom *geom = &draft->geoms[i];
        if (!draft->has_contacts) geom->contype = geom->conaffinity = 0;
        geom->touches = geom->contype || geom->conaffinity;
        int class = geom->touches ? class_of(classes, &count, geom) : 0;
        if (class < 0)
            return abut_fail(error, ABUT_ERROR_LIMIT,
                "%.100s:%d: <geom>: expected at most %d different sets of geoms by contype and conaffinity",
                geom->def.source.file, (int)geom->def.source.line, CLASSES);
        geom->def.category = geom->touches ? UINT32_C(1) << class : 0;
        geom->def.mask = (uint32_t) class; /* for now */
    }
    fill_masks(classes, count);
    for (int32_t i = 0; i < draft->geom_count; ++i)
        draft->geoms[i].def.mask = draft->geoms[i].touches ? classes[draft->geoms[i].def.mask].mask : 0;
    for (int32_t i = 0; i < draft->pair_count; ++i)
        if (!draft->pairs[i].def.exclude)
            draft->geoms[draft->pairs[i].def.a].touches = draft->geoms[draft->pairs[i].def.b].touches = 1;
    return ABUT_OK;
}
