/* SPDX-License-Identifier: Apache-2.0 */
/* The offers of a state: its touches, its contact modes, where fingers have room, and the velocities towards a target.
 */
#include "manipulation/search.h"

#include "abut/mode.h"
#include "math/numbers.h"

#include <string.h>

static AbutStatus build_system(const AbutManipStance *s, AbutModeSystem *out, AbutError *error) {
    AbutPointContact contact[ABUT_MANIP_TOUCHES];
    AbutModeBody body = {.kind = ABUT_MODE_BODY_FREE, .position = s->x.p};
    AbutModeSystemDef def = {
        .contacts = contact, .contact_count = s->count, .bodies = &body, .body_count = 1, .dof = 6, .lines = 2};
    for (int32_t i = 0; i < s->count; ++i) {
        const AbutManipTouch *t = &s->touch[i];
        contact[i] = (AbutPointContact){t->p, t->n, t->t1, t->t2, -1, 0};
    }
    return abut_mode_system_build(&def, out, error);
}

/* Signs of a nonlinear mode: contacts first, then whether those that touch slide. */
static void read_mode(AbutMode mode, int32_t count, int8_t *out) {
    for (int32_t i = 0; i < count; ++i) {
        int32_t at = count + i;
        int parts = mode.plus[i >> 6] >> (i & 63) & 1, slides = mode.plus[at >> 6] >> (at & 63) & 1;
        out[i] = parts ? ABUT_MANIP_PART : slides ? ABUT_MANIP_SLIDE : ABUT_MANIP_STICK;
    }
}

/* All patterns of sticking, sliding and separating. */
static int find_modes(AbutManipSearch *s, AbutManipSight *sight) {
    AbutModeSystem system;
    AbutModeList list = {0};
    AbutModeResult result;
    AbutModeOptions options = abut_mode_options_default();
    int32_t n = sight->stance.count;
    int good = 1;
    options.nonlinear = 1, options.tolerance = 1e-6, options.limit = 4000, options.arithmetic = ABUT_MODE_DOUBLE;
    if (build_system(&sight->stance, &system, s->error)) return 0;
    AbutStatus status = abut_mode_collect(&system, &options, &list, &result, s->error);
    sight->modes = abut_pool_take_array(&s->pool, list.count * (size_t)n, 1, &good);
    sight->mode_count = good && !status ? (int32_t)list.count : 0;
    for (int32_t k = 0; k < sight->mode_count; ++k)
        read_mode(abut_mode_list_get(&list, (size_t)k), n, sight->modes + (size_t)k * (size_t)n);
    s->modes += list.count;
    abut_mode_list_free(&list);
    abut_mode_system_free(&system);
    return good && !status;
}

AbutManipSight *abut_manip_look(AbutManipSearch *s, AbutManipNode *node) {
    if (node->sight) return node->sight;
    AbutManipSight *sight = abut_pool_take(&s->pool, sizeof *sight);
    if (!sight) return NULL;
    memset(sight, 0, sizeof *sight);
    abut_manip_stand(&s->m, node->x, ABUT_MANIP_TOUCH, 1, &sight->stance);
    if (sight->stance.count && !find_modes(s, sight)) return NULL;
    return node->sight = sight;
}

const uint8_t *abut_manip_room(AbutManipSearch *s, AbutManipSight *sight) {
    for (int32_t k = 0; k < s->m.point_count && !sight->have_free; ++k)
        sight->free_at[k] = (uint8_t)abut_manip_finger_free(&s->m, sight->stance.x, k);
    sight->have_free = 1;
    return sight->free_at;
}

static int is_new(const AbutManipCandidate *list, int32_t count, const double *u, double full) {
    for (int32_t k = 0; k < count; ++k) {
        double e = 0.0;
        for (int i = 0; i < 6; ++i) e += (u[i] - list[k].u[i]) * (u[i] - list[k].u[i]);
        if (e < 1e-8 * full * full) return 0;
    }
    return 1;
}

int32_t abut_manip_candidates(
    AbutManipSearch *s, const AbutManipSight *sight, AbutPose target, AbutManipCandidate *out) {
    const AbutManipStance *stance = &sight->stance;
    double wish[6], u[6];
    int32_t n = 0;
    abut_manip_wish(&s->m, stance->x, target, wish);
    double full = sqrt(abut_manip_dot(wish, wish));
    if (!stance->count) {
        memcpy(out[0].u, wish, sizeof wish);
        out[0].score = 1.0;
        return 1;
    }
    for (int32_t k = 0; k < sight->mode_count && n < ABUT_MANIP_CANDIDATES; ++k) {
        if (!abut_manip_project(&s->m, stance, sight->modes + (size_t)k * (size_t)stance->count, wish, u)) continue;
        double size = sqrt(abut_manip_dot(u, u));
        if (size < 0.05 * full || !is_new(out, n, u, full)) continue;
        memcpy(out[n].u, u, sizeof u);
        out[n].score = size / full;
        abut_manip_classify(&s->m, stance, u, 1e-6, 1e-5, &out[n++].pattern);
    }
    return n;
}
