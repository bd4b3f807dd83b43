/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Listing a direct sum. In: a system whose contacts fall into groups that have nothing to do with each other. Out: its
 * modes, every combination of one mode per group. The modes of a group are collected once; a combination then costs a
 * few instructions. Combinations with the same contacting / separating pattern come together.
 */
#include "mode/independent_groups.h"
#include "mode/mode_bits.h"
#include "mode/tolerance.h"

#include <string.h>

enum { MOST_LISTED = 1 << 18 }; /* modes per group that are kept; larger groups are left to the search */

/* The modes of one group, as bits of the whole system. Range k holds the modes of its pattern k. */
typedef struct Group {
    AbutModeList list;
    size_t *range; /* ranges + 1 places */
    size_t ranges, range_capacity;
    const int *contact; /* contact of the group -> contact of the system */
    const AbutModeSystem *system;
    int contacts, lines, failed;
} Group;

typedef struct Product {
    const AbutModeOptions *options;
    Group *parts;
    int groups, words, stop;
    size_t *chosen;  /* range of each group */
    uint64_t *modes; /* groups + 1 times: what the groups so far add up to */
    uint64_t count, patterns;
} Product;

static int add_mode(AbutMode mode, void *user) {
    Group *p = user;
    AbutModeList *l = &p->list;
    size_t words = (size_t)l->words;
    if (!abut_grow((void **)&l->bits, &l->capacity, l->count + 1, 16 * words) ||
        !abut_grow((void **)&p->range, &p->range_capacity, p->ranges + 2, sizeof(size_t)))
        return p->failed = 1;
    uint64_t *to = l->bits + 2 * words * l->count;
    memset(to, 0, 16 * words);
    for (int i = 0; i < p->contacts * (1 + p->lines); ++i) {
        int k = (i - p->contacts) % (p->lines > 0 ? p->lines : 1),
            of = i < p->contacts ? i : (i - p->contacts) / p->lines;
        int bit = i < p->contacts ? p->contact[of] : p->system->contacts + p->contact[of] * p->lines + k;
        to[bit >> 6] |= (uint64_t)abut_mode_bit(mode.plus, i) << (bit & 63);
        to[words + (size_t)(bit >> 6)] |= (uint64_t)abut_mode_bit(mode.minus, i) << (bit & 63);
    }
    int same = l->count > 0;
    for (int i = 0; i < p->contacts && same; ++i) {
        int bit = p->contact[i];
        same = ((to[bit >> 6] ^ *(to + (bit >> 6) - 2 * words)) >> (bit & 63) & 1) == 0;
    }
    if (!same) p->range[p->ranges++] = l->count;
    p->range[p->ranges] = ++l->count;
    return 0;
}

/* Hands out all combinations of the groups from g on, within the chosen patterns. */
static void combine_modes(Product *x, int g) {
    const Group *p = &x->parts[g];
    const AbutModeOptions *o = x->options;
    size_t words = 2 * (size_t)x->words;
    const uint64_t *before = x->modes + words * (size_t)g;
    uint64_t *mode = x->modes + words * (size_t)(g + 1);
    for (size_t i = p->range[x->chosen[g]]; i < p->range[x->chosen[g] + 1] && !x->stop; ++i) {
        for (size_t k = 0; k < words; ++k) mode[k] = before[k] | p->list.bits[words * i + k];
        if (g + 1 < x->groups) {
            combine_modes(x, g + 1);
            continue;
        }
        ++x->count;
        if (o->visit(abut_mode_in(mode, (size_t)x->words), o->user) || (o->limit && x->count >= o->limit) ||
            ((x->count & 1023) == 0 && o->cancel && *o->cancel))
            x->stop = 1;
    }
}

static void combine_patterns(Product *x, int g) {
    for (x->chosen[g] = 0; x->chosen[g] < x->parts[g].ranges && !x->stop; ++x->chosen[g]) {
        if (g + 1 < x->groups) {
            combine_patterns(x, g + 1);
        } else {
            ++x->patterns;
            combine_modes(x, 0);
        }
    }
}

/* Collects the modes of one group; *small is 0 when there are too many of them. */
static AbutStatus collect_group(const AbutModeSystem *system, const AbutModeOptions *options, const int *group,
    int which, int level, int *contact, Group *part, AbutModeResult *total, int *small, AbutError *error) {
    AbutModeSystem own;
    AbutModeResult r;
    AbutModeOptions o = *options;
    AbutStatus status = abut_mode_group_system(system, group, which, &own, error);
    if (status != ABUT_OK) return status;
    for (int i = 0, n = 0; i < system->contacts; ++i)
        if (group[i] == which) contact[n++] = i;
    part->contact = contact, part->system = system, part->contacts = own.contacts;
    part->lines = options->kind == ABUT_MODES_CS ? 0 : options->nonlinear ? 1 : own.lines;
    part->list.words = abut_mode_words(system, options->nonlinear);
    o.visit = add_mode, o.user = part, o.limit = MOST_LISTED;
    status = abut_mode_run_whole(&own, &o, level, &r, error);
    if (status == ABUT_OK && part->failed) status = abut_fail_memory(error);
    *small = r.modes < MOST_LISTED;
    abut_mode_result_join(total, &r);
    abut_mode_system_free(&own);
    return status;
}

AbutStatus abut_mode_group_product(const AbutModeSystem *system, const AbutModeOptions *options, const int *group,
    int groups, int level, AbutModeResult *result, int *done, AbutError *error) {
    AbutModeResult total = {
        .cs_modes = 1, .modes = 1, .complete = 1, .exact = 1, .smallest_nonzero = ABUT_MODE_WATCHED};
    Product x = {.options = options, .groups = groups, .words = abut_mode_words(system, options->nonlinear)};
    size_t words = 2 * (size_t)x.words, n = (size_t)system->contacts, g = (size_t)groups;
    AbutStatus status = ABUT_OK;
    int small = 1, *contact = abut_alloc_array(n, sizeof(int));
    x.parts = abut_alloc_array(g, sizeof(Group));
    x.chosen = abut_alloc_array(g, sizeof(size_t));
    x.modes = abut_alloc_array((g + 1) * words, sizeof(uint64_t));
    int ready = contact && x.parts && x.chosen && x.modes;
    if (!ready) {
        groups = 0;
        status = abut_fail_memory(error);
    } else {
        memset(x.parts, 0, g * sizeof(Group));
        memset(x.modes, 0, (g + 1) * words * sizeof(uint64_t));
    }
    for (int i = 0; i < groups && status == ABUT_OK && small && total.complete; ++i)
        status = collect_group(system, options, group, i, level, contact, &x.parts[i], &total, &small, error);
    *done = small || status != ABUT_OK;
    if (ready && status == ABUT_OK && small && total.complete) combine_patterns(&x, 0);
    *result = total;
    result->modes = x.count, result->saturated = 0;
    result->cs_modes = options->kind == ABUT_MODES_CS ? x.count : x.patterns;
    result->complete = total.complete && !x.stop;
    for (int i = 0; i < groups; ++i) {
        abut_mode_list_free(&x.parts[i].list);
        abut_free(x.parts[i].range);
    }
    abut_free(contact);
    abut_free(x.parts);
    abut_free(x.chosen);
    abut_free(x.modes);
    return status;
}
