/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a plan balance? By another path than the search takes: contacts are those of grown bodies, forces those of the
 * mode room, with sectors of sliding and full friction, at four places of every step.
 */
#include "abut/contact.h"
#include "abut/mode.h"
#include "manipulation/manip.h"

#include "math/functions.h"
#include "math/numbers.h"

#include <string.h>

enum { PLACES = 4, LINES = 4, MOST = 110, WORDS = 16 };

#define GROWN 1.5e-4 /* m */
#define AT_REST 0.02 /* of the speed: slower contacts stick */

typedef struct Place {
    const AbutManip *m;
    AbutPose x;
    AbutVec3 v, w; /* of the step */
    double speed;
    AbutPointContact contact[MOST + ABUT_MANIP_FINGERS];
    double friction[MOST + ABUT_MANIP_FINGERS];
    int count, walls; /* walls: contacts with the surroundings, which come first */
} Place;

static void add(Place *p, AbutVec3 at, AbutVec3 normal, double friction) {
    AbutVec3 t = abut_perpendicular(normal);
    p->contact[p->count] = (AbutPointContact){at, normal, t, abut_cross(normal, t), -1, 0};
    p->friction[p->count++] = friction;
}

static AbutStatus add_walls(Place *p, AbutError *error) {
    const AbutManip *m = p->m;
    AbutContact c;
    int found;
    for (int32_t i = 0; i < m->part_count; ++i)
        for (int32_t j = 0; j < m->wall_count; ++j) {
            const AbutManipShape *part = &m->part[i], *wall = &m->wall[j];
            AbutConvexContact query = {
                &wall->convex, &part->convex, wall->pose, abut_pose_mul(p->x, part->pose), GROWN};
            ABUT_TRY(abut_contact_of_pair(&query, &c, &found, error));
            for (int k = 0; found == 1 && k < c.vertex_count && p->count < MOST; ++k)
                add(p, c.vertex[k].point, c.normal, abut_larger(part->friction, wall->friction));
        }
    p->walls = p->count;
    return ABUT_OK;
}

static void add_finger(Place *p, AbutVec3 local, AbutVec3 normal) {
    add(p, abut_pose_apply(p->x, local), abut_quat_rotate(p->x.q, normal), p->m->task->finger_friction);
}

static void add_fingers(Place *p, const AbutManipPlan *plan, const struct AbutManipMotion *motion) {
    for (int32_t i = 0; i < ABUT_MANIP_FINGERS; ++i) {
        if (motion->finger[i] < 0) continue;
        const struct AbutManipPoint *at = &plan->points[motion->finger[i]];
        add_finger(p, abut_sub(at->point, p->m->center), at->normal);
    }
}

static void set_bit(uint64_t *bits, int at) { bits[at >> 6] |= 1ull << (at & 63); }

/* Behavior of the contacts in the step; fingers stick. */
static void set_mode(const Place *p, AbutMode mode) {
    for (int i = 0; i < p->walls; ++i) {
        const AbutPointContact *c = &p->contact[i];
        AbutVec3 u = abut_add(p->v, abut_cross(p->w, abut_sub(c->point, p->x.p)));
        double away = abut_dot(u, c->normal);
        if (away > AT_REST * p->speed) {
            set_bit(mode.plus, i);
            continue;
        }
        AbutVec3 along = abut_add_scaled(u, c->normal, -away);
        for (int l = 0; l < LINES && abut_length(along) >= AT_REST * p->speed; ++l) {
            double angle = ABUT_PI * l / LINES;
            double s =
                abut_dot(along, c->tangent_x) * abut_cos(angle) + abut_dot(along, c->tangent_y) * abut_sin(angle);
            if (fabs(s) > 1e-6 * p->speed) set_bit(s > 0.0 ? mode.plus : mode.minus, p->count + i * LINES + l);
        }
    }
}

/* Do forces balance? With `margin`, how much more they hold, with fingers no stronger than they are. */
static AbutStatus balances(const Place *p, int *out, double *margin, AbutError *error) {
    AbutModeBody body = {.kind = ABUT_MODE_BODY_FREE, .position = p->x.p};
    AbutModeSystemDef def = {
        .contacts = p->contact, .contact_count = p->count, .bodies = &body, .body_count = 1, .dof = 6, .lines = LINES};
    AbutModeSystem system;
    AbutModeForceResult result = {0};
    double force[6] = {0.0, 0.0, -p->m->weight, 0.0, 0.0, 0.0}, most[MOST + ABUT_MANIP_FINGERS], scale[6];
    AbutModeForces forces = {.force = force, .friction = p->friction};
    uint64_t bits[2 * WORDS] = {0};
    ABUT_TRY(abut_mode_system_build(&def, &system, error));
    AbutMode mode = {bits, bits + abut_mode_words(&system, 0)};
    set_mode(p, mode);
    AbutStatus status = abut_mode_force_feasible(&system, mode, &forces, &result, NULL, NULL, error);
    for (int i = 0; i < p->count; ++i) most[i] = i < p->walls ? INFINITY : p->m->task->force;
    for (int k = 0; k < 6; ++k) scale[k] = p->m->weight * (k < 3 ? 1.0 : p->m->length);
    forces.most = most;
    if (!status && margin) status = abut_mode_margin(&system, mode, &forces, scale, margin, error);
    abut_mode_system_free(&system);
    *out = result.feasible;
    return status;
}

AbutStatus abut_manip_margin(
    const AbutManip *m, AbutPose a, AbutPose b, const AbutManipHold *hold, double *margin, AbutError *error) {
    Place p = {.m = m, .v = abut_sub(b.p, a.p), .x = abut_manip_between(a, b, 0.5)};
    int good;
    p.w = abut_quat_log(abut_quat_mul(b.q, abut_quat_conj(a.q)));
    p.speed = abut_length(p.v) + m->length * abut_length(p.w);
    if (p.speed < 1e-6) p.speed = 1.0; /* at rest */
    ABUT_TRY(add_walls(&p, error));
    for (int32_t i = 0; i < hold->count; ++i)
        if (hold->finger[i] >= 0) add_finger(&p, m->point[hold->finger[i]].point, m->point[hold->finger[i]].normal);
    return balances(&p, &good, margin, error);
}

static AbutStatus check_step(const AbutManip *m, const AbutManipPlan *plan, const struct AbutManipMotion *motion,
    AbutPose a, AbutPose b, AbutManipReport *out, AbutError *error) {
    Place p = {.m = m, .v = abut_sub(b.p, a.p)};
    p.w = abut_quat_log(abut_quat_mul(b.q, abut_quat_conj(a.q)));
    p.speed = abut_length(p.v) + m->length * abut_length(p.w);
    for (int k = 0; k < PLACES && p.speed > 1e-6; ++k) {
        int good = 0;
        p.x = abut_manip_between(a, b, (k + 0.5) / PLACES);
        p.count = 0;
        ABUT_TRY(add_walls(&p, error));
        add_fingers(&p, plan, motion);
        ABUT_TRY(balances(&p, &good, NULL, error));
        out->places++;
        out->unbalanced += !good;
    }
    return ABUT_OK;
}

/* Where a fall ends the object rests, with nothing at it but the surroundings. */
static AbutStatus check_rest(const AbutManip *m, AbutPose x, AbutManipReport *out, AbutError *error) {
    Place p = {.m = m, .x = x, .speed = 1.0};
    int good = 0;
    ABUT_TRY(add_walls(&p, error));
    ABUT_TRY(balances(&p, &good, NULL, error));
    out->places++;
    out->unbalanced += !good;
    return ABUT_OK;
}

AbutStatus abut_manip_check(
    const AbutManipTask *task, const AbutManipPlan *plan, AbutManipReport *out, AbutError *error) {
    ABUT_ASSERT(task && plan && out);
    AbutManip m;
    memset(out, 0, sizeof *out);
    out->motion = -1;
    ABUT_TRY(abut_manip_setup(task, 0, &m, error));
    AbutPose a = m.start;
    AbutStatus status = ABUT_OK;
    for (int32_t k = 0; k < plan->motion_count && !status; ++k)
        for (int32_t i = 0; i < plan->motions[k].step_count && !status; ++i) {
            const struct AbutManipMotion *motion = &plan->motions[k];
            AbutPose b = abut_manip_center_pose(&m, plan->poses[motion->first_step + i]);
            if (!motion->falls)
                status = check_step(&m, plan, motion, a, b, out, error);
            else if (i == motion->step_count - 1)
                status = check_rest(&m, b, out, error);
            a = b;
        }
    abut_manip_free(&m);
    return status;
}
