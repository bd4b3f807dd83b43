/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts in lanes: memory, groups, the choice of the vector unit; sweeps for any processor. See lanes.h. */
#define SWEEP abut_lanes_sweep_plain
#define WIDTH 4
#define KERNEL
#include "solve/lanes_sweep.inc"

void abut_lanes_free(AbutLanes *l)
{
    abut_free(l->body);
    abut_free(l->contact);
    abut_free(l->group);
    abut_free(l->vertex);
    abut_free(l->last);
    abut_free(l->next);
    memset(l, 0, sizeof *l);
}

int abut_lanes_reserve(AbutLanes *l, int32_t contacts)
{
    size_t count = (size_t)contacts, bodies = 2 * count + 1;
    l->body_count = l->contact_count = l->group_count = l->vertex_count = 0;
    return abut_grow((void **)&l->contact, &l->contact_capacity, count, sizeof *l->contact) &&
           abut_grow((void **)&l->group, &l->group_capacity, count, sizeof *l->group) &&
           abut_grow((void **)&l->next, &l->next_capacity, count + 1, sizeof *l->next) &&
           abut_grow((void **)&l->last, &l->last_capacity, bodies, sizeof *l->last) &&
           abut_grow((void **)&l->body, &l->body_capacity, bodies, sizeof *l->body);
}

/* The first group from g on that is not full; the way there is made shorter. */
static int32_t room_from(int32_t *next, int32_t g)
{
    int32_t end = g;
    while (next[end] > 0)
        end = next[end];
    while (next[g] > 0) {
        int32_t after = next[g];
        next[g] = end;
        g = after;
    }
    return end;
}

static void clear_group(AbutLanes *l, int32_t g)
{
    AbutLaneGroup *group = &l->group[g];
    memset(group, 0, sizeof *group);
    for (int k = 0; k < ABUT_LANES; ++k)
        group->a[k] = group->b[k] = l->body_count;
}

/* While contacts are placed, `first` counts those of a group. */
static void place(AbutLanes *l, AbutLaneContact *c)
{
    int32_t after_a = l->body[c->a].s[6] > 0.0 ? l->last[c->a] : 0,
            after_b = l->body[c->b].s[6] > 0.0 ? l->last[c->b] : 0;
    c->group = room_from(l->next, after_a > after_b ? after_a : after_b);
    for (; l->group_count <= c->group; ++l->group_count)
        clear_group(l, l->group_count);
    AbutLaneGroup *group = &l->group[c->group];
    c->lane = group->first++;
    group->a[c->lane] = c->a;
    group->b[c->lane] = c->b;
    group->count = c->count > group->count ? c->count : group->count;
    if (group->first == ABUT_LANES)
        l->next[c->group] = c->group + 1;
    l->last[c->a] = l->last[c->b] = c->group + 1;
}

int abut_lanes_arrange(AbutLanes *l)
{
    memset(&l->body[l->body_count], 0, sizeof *l->body);
    memset(l->last, 0, ((size_t)l->body_count + 1) * sizeof *l->last);
    memset(l->next, 0, ((size_t)l->contact_count + 1) * sizeof *l->next);
    for (int32_t k = 0; k < l->contact_count; ++k)
        place(l, &l->contact[k]);
    for (int32_t g = 0; g < l->group_count; ++g) {
        l->group[g].first = l->vertex_count;
        l->vertex_count += l->group[g].count;
    }
    if (!abut_grow((void **)&l->vertex, &l->vertex_capacity, (size_t)l->vertex_count, sizeof *l->vertex))
        return 0;
    memset(l->vertex, 0, (size_t)l->vertex_count * sizeof *l->vertex);
    return 1;
}

double abut_lanes_sweep(AbutLanes *l, int backward)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return abut_lanes_sweep_avx512(l, backward);
    if (__builtin_cpu_supports("avx2"))
        return abut_lanes_sweep_avx2(l, backward);
#endif
    return abut_lanes_sweep_plain(l, backward);
}
