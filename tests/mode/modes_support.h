/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the tests of the mode room: random contact sets in integers, sorted lists, and their comparison. */
#ifndef ABUT_TESTS_MODES_SUPPORT_H
#define ABUT_TESTS_MODES_SUPPORT_H

#include "abut/literature.h"
#include "mode/engine.h"
#include "support/check.h"

#include <string.h>

/* Modes of at most 64 rows as two words (plus, minus). */
static inline int mode_order(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return x[1] < y[1] ? -1 : x[1] > y[1];
}

static inline void sort_modes(AbutModeList *list) { qsort(list->bits, list->count, 16, mode_order); }

static inline AbutModeSystem build_system(const AbutModeSystemDef *def) {
    AbutModeSystem s;
    AbutError error = {0};
    good(abut_mode_system_build(def, &s, &error), &error);
    return s;
}

static inline uint64_t count_modes(const AbutModeSystem *s, const AbutModeOptions *o) {
    AbutModeResult r;
    AbutError error = {0};
    good(abut_mode_enumerate(s, o, &r, &error), &error);
    return r.modes;
}

static inline AbutModeList collect_modes(const AbutModeSystem *s, const AbutModeOptions *o) {
    AbutModeList list = {0};
    AbutModeResult r;
    AbutError error = {0};
    good(abut_mode_collect(s, o, &list, &r, &error), &error);
    assert_int_equal(list.count, r.modes);
    return list;
}

static inline AbutModeSystem builtin(const char *name) {
    AbutModeSystem s;
    AbutError error = {0};
    good(abut_mode_builtin(name, &s, &error), &error);
    return s;
}

static inline int hash_mode(AbutMode mode, void *user) {
    uint64_t *hash = user, words[2] = {*mode.plus, *mode.minus};
    *hash = abut_hash(words, sizeof words, *hash);
    return 0;
}

/* So many modes, in the same order for each of the three vector units and for 2 threads and more, `ways` in all. */
static inline void require_same_order(const AbutModeSystem *s, AbutModeOptions o, int ways, uint64_t modes) {
    uint64_t first = 0;
    o.visit = hash_mode;
    for (int way = 0; way < ways; ++way) {
        uint64_t hash = 0;
        AbutModeResult r;
        o.threads = way < 3 ? 1 : way - 1, o.user = &hash;
        assert_int_equal(abut_mode_enumerate_level(s, &o, way < 3 ? way : -1, &r, NULL), ABUT_OK);
        assert_int_equal(r.modes, modes);
        if (way == 0) first = hash;
        assert_int_equal(hash, first);
    }
}

/* A random set of contacts with small whole coordinates: `planar`, 1 to 3 bodies, some contacts repeated or coplanar.
 */
static inline AbutModeSystem random_contacts(AbutRng *rng, int contacts, int bodies, int planar, int lines) {
    AbutPointContact c[16] = {0};
    AbutModeBody body[3] = {0};
    int per = planar ? 3 : 6;
    for (int b = 0; b < bodies; ++b) {
        body[b].kind = planar ? ABUT_MODE_BODY_PLANAR : ABUT_MODE_BODY_FREE;
        body[b].first_dof = b * per;
        body[b].position = abut_vec3(b, 0, 0);
    }
    for (int i = 0; i < contacts; ++i) {
        if (i > 0 && abut_rng_below(rng, 6) == 0) {
            c[i] = c[i - 1];
            continue;
        }
        int axis = (int)abut_rng_below(rng, planar ? 2 : 3), sign = abut_rng_below(rng, 2) ? 1 : -1;
        double x[3];
        for (int k = 0; k < 3; ++k) x[k] = (int)abut_rng_below(rng, 3) - 1;
        c[i].point = abut_vec3(x[0], x[1], planar ? 0.0 : x[2]);
        c[i].normal = abut_scale(abut_axis(axis), sign);
        if (abut_rng_below(rng, 5) == 0) /* an edge or a vertex: a slanted normal */
            c[i].normal = abut_add(c[i].normal, abut_axis((axis + 1) % (planar ? 2 : 3)));
        c[i].tangent_x = planar ? abut_vec3(-c[i].normal.y, c[i].normal.x, 0.0) : abut_axis((axis + 2) % 3);
        c[i].tangent_y = planar ? abut_zero() : abut_cross(c[i].normal, c[i].tangent_x);
        c[i].body_b = (int)abut_rng_below(rng, (uint32_t)bodies);
        c[i].body_a = (int)abut_rng_below(rng, (uint32_t)bodies + 1) - 1;
        if (c[i].body_a == c[i].body_b) c[i].body_a = -1;
    }
    return build_system(&(AbutModeSystemDef){.contacts = c,
        .contact_count = contacts,
        .bodies = body,
        .body_count = bodies,
        .dof = bodies * per,
        .lines = lines,
        .planar = planar});
}

#endif
