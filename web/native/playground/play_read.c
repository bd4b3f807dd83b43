/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the playground after a step: bodies, contacts, energy, hash, contact modes. */
#include "play.h"
#include "abut/grasp.h"

#include <string.h>

enum { CONTACT = 22, VERTEX = 5, MODE_POINTS = 24, COUNTED_POINTS = 12, LINES = 2 };

static double *put(double *to, AbutVec3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    return to + 3;
}

const double *play_state(void) {
    double *numbers = play_room((int64_t)PLAY_STATE * play_slots());
    for (int i = 0; i < play_slots() && numbers; ++i) {
        AbutBodyState s = {.pose = abut_pose_identity()};
        int there = play.scene && abut_scene_get_body(play.scene, play_body(i), &s);
        double *to = put(numbers + (ptrdiff_t)PLAY_STATE * i, s.pose.p);
        *to++ = s.pose.q.w;
        to = put(to, abut_vec3(s.pose.q.x, s.pose.q.y, s.pose.q.z));
        to = put(put(to, s.velocity), s.spin);
        *to = there;
    }
    return numbers;
}

static double *put_contact(double *to, const AbutContact *c) {
    *to++ = play_slot(c->body_a);
    *to++ = play_slot(c->body_b);
    *to++ = c->sliding;
    to = put(put(put(put(put(to, c->normal), c->center), c->force), c->torque), c->pressure_center);
    *to++ = c->area;
    *to++ = c->volume;
    *to++ = c->depth;
    *to++ = c->vertex_count;
    for (int v = 0; v < c->vertex_count; ++v) {
        to = put(to, c->vertex[v].point);
        *to++ = c->vertex[v].pressure;
        *to++ = c->vertex[v].sliding;
    }
    return to;
}

const double *play_contacts(void) {
    int count = play.simulation ? abut_simulation_contact_count(play.simulation) : 0;
    double *numbers = play_room(1 + (int64_t)count * (CONTACT + VERTEX * ABUT_CONTACT_VERTICES));
    if (!numbers) return NULL;
    double *to = numbers + 1;
    numbers[0] = 0.0;
    for (int i = 0; i < count; ++i) {
        AbutContact c;
        if (!abut_simulation_get_contact(play.simulation, i, &c) || !c.body_a.index1 || !c.body_b.index1) continue;
        to = put_contact(to, &c);
        numbers[0] += 1.0;
    }
    return numbers;
}

double play_number(int which) {
    const AbutStepReport *r = &play.report;
    double numbers[] = {
        play.steps, play.steps * play.step, r->kinetic, r->potential, r->max_depth, r->sweeps, r->residual};
    return which >= 0 && which < (int)(sizeof numbers / sizeof *numbers) ? numbers[which] : NAN;
}

unsigned play_hash(int half) {
    uint64_t hash = play.simulation ? abut_simulation_hash(play.simulation) : 0;
    return (unsigned)(half ? hash >> 32 : hash & 0xffffffffu);
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

/* Vertices of the contacts as points at which the body, number 0, meets what is held. */
static int points_of(const AbutContactList *list, AbutBodyId body, AbutPointContact *points) {
    int count = 0;
    for (int i = 0; i < list->count; ++i)
        for (int v = 0; v < list->contacts[i].vertex_count; ++v, ++count) {
            const AbutContact *c = &list->contacts[i];
            int is_b = c->body_b.index1 == body.index1;
            points[count] = (AbutPointContact){.point = c->vertex[v].point,
                .normal = c->normal,
                .tangent_x = abut_perpendicular(c->normal),
                .body_a = is_b ? -1 : 0,
                .body_b = is_b ? 0 : -1};
            points[count].tangent_y = abut_cross(c->normal, points[count].tangent_x);
        }
    return count;
}

/* Modes of one kind; -1 where they are not to be counted. */
static long long count_modes(const AbutModeSystem *system, int32_t kind, int count) {
    AbutModeOptions options = abut_mode_options_default();
    AbutModeResult result;
    options.kind = kind;
    if (!count || system->contacts > COUNTED_POINTS || abut_mode_enumerate(system, &options, &result, NULL) != ABUT_OK)
        return -1;
    return kind == ABUT_MODES_CS ? (long long)result.cs_modes : (long long)result.modes;
}

static AbutStatus tell_modes(const AbutContactList *list, const AbutModeSystemDef *def, int count, AbutError *error) {
    uint64_t bits[2][8];
    AbutMode now = {bits[0], bits[1]};
    AbutModeSystem system;
    char text[MODE_POINTS * (1 + LINES) + 1] = "-";
    ABUT_TRY(abut_mode_system_build(def, &system, error));
    if (abut_scene_mode(play.scene, list, LINES, 1e-3, now, NULL) == ABUT_OK)
        abut_mode_text(&system, 0, now, text, sizeof text);
    snprintf(play.text, sizeof play.text, "%s %lld %lld", text, count_modes(&system, ABUT_MODES_CS, count),
        count_modes(&system, ABUT_MODES_FULL, count));
    abut_mode_system_free(&system);
    return ABUT_OK;
}

int play_modes(int slot, int count) {
    AbutContact contacts[MODE_POINTS];
    AbutPointContact points[MODE_POINTS * ABUT_CONTACT_VERTICES];
    AbutContactList list = {.contacts = contacts};
    AbutBodyState state;
    AbutError error;
    AbutBodyId body = play_body(slot);
    if (!play.scene || !abut_scene_get_body(play.scene, body, &state))
        return play_result(abut_fail(&error, ABUT_ERROR_ARGUMENT, "there is no such body"), &error);
    list.count = abut_simulation_body_contacts(play.simulation, body, MODE_POINTS, contacts);
    list.count = list.count < MODE_POINTS ? list.count : MODE_POINTS;
    int points_count = points_of(&list, body, points);
    if (points_count == 0) return play_result(abut_fail(&error, ABUT_ERROR_EMPTY, "it touches nothing"), &error);
    if (points_count > MODE_POINTS)
        return play_result(
            abut_fail(&error, ABUT_ERROR_LIMIT, "it touches at %d points: too many", points_count), &error);
    AbutModeBody free_body = {.kind = ABUT_MODE_BODY_FREE, .position = state.center};
    AbutModeSystemDef def = {.contact_count = points_count,
        .body_count = 1,
        .contacts = points,
        .bodies = &free_body,
        .dof = 6,
        .lines = LINES};
    return play_result(tell_modes(&list, &def, count, &error), &error);
}
