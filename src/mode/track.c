/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mode along a motion. In: rows and velocity as functions of time. Out: an event at the beginning and at every
 * change, in order of time. The motion is sampled; between two samples with different modes the interval is halved
 * until it is as short as the time tolerance, both halves being searched, so that short modes in between are found too.
 */
#include "mode/mode_bits.h"

#include <string.h>

/* Part of the whole time that a mode must last to be found, unless the track says otherwise. */
static const double SHORTEST = 1e-9;

/* The mode at one time: one word of `allowed`, then plus, then minus. */
typedef struct Walk {
    const AbutModeTrack *track;
    AbutModeSystem system;
    double *rows, *velocity, shortest;
    size_t words;
    AbutError *error;
    AbutStatus status;
    int stop;
} Walk;

static void look(Walk *w, double time, uint64_t *mode) {
    const AbutModeTrack *t = w->track;
    AbutError inner = {0};
    double *tangent = w->rows + (size_t)t->contacts * (size_t)t->dof;
    memset(mode, 0, 8 * (1 + 2 * w->words));
    w->status = t->motion(time, w->rows, tangent, w->velocity, t->user);
    if (w->status == ABUT_OK) {
        w->status =
            abut_mode_of_velocity(&w->system, w->velocity, t->tolerance, abut_mode_in(mode + 1, w->words), &inner);
        mode[0] = w->status == ABUT_OK;
        if (w->status == ABUT_ERROR_EMPTY) {
            w->status = ABUT_OK;
            memset(mode, 0, 8 * (1 + 2 * w->words));
        }
    }
    if (w->status != ABUT_OK)
        abut_fail(
            w->error, w->status, "no mode at time %g: %s", time, inner.text[0] ? inner.text : "the motion has none");
}

static void tell(Walk *w, double time, uint64_t *mode) {
    w->stop |= w->track->event(time, (int)mode[0], abut_mode_in(mode + 1, w->words), w->track->user);
}

/* Reports every change in (from, to]; `first` and `last` are the modes at the ends, `room` takes those in between. */
static void narrow_down(Walk *w, double from, double to, const uint64_t *first, uint64_t *last, uint64_t *room) {
    double middle = 0.5 * (from + to);
    if (memcmp(first, last, 8 * (1 + 2 * w->words)) == 0 || w->stop || w->status != ABUT_OK) return;
    if (to - from <= w->shortest || middle <= from || middle >= to) {
        tell(w, to, last);
        return;
    }
    look(w, middle, room);
    if (w->status != ABUT_OK) return;
    narrow_down(w, from, middle, first, room, room + 1 + 2 * w->words);
    narrow_down(w, middle, to, room, last, room + 1 + 2 * w->words);
}

static AbutStatus check_track(const AbutModeTrack *t, AbutError *error) {
    ABUT_ASSERT(t && t->motion && t->event);
    if (t->samples < 1 || t->contacts < 0 || t->dof < 0 || t->lines < 0 || t->contacts > ABUT_MODE_SIZE ||
        t->dof > ABUT_MODE_SIZE || t->lines > ABUT_MODE_SIZE)
        return abut_fail(
            error, ABUT_ERROR_ARGUMENT, "tracking needs sizes from 0 to %d and at least one sample", ABUT_MODE_SIZE);
    if (!isfinite(t->begin) || !isfinite(t->end) || !(t->end >= t->begin) || !(t->time_tolerance >= 0.0))
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "times %g to %g are out of order", t->begin, t->end);
    return ABUT_OK;
}

AbutStatus abut_mode_track(const AbutModeTrack *track, AbutError *error) {
    enum { DEPTH = 80 };
    AbutStatus status = check_track(track, error);
    if (status != ABUT_OK) return status;
    size_t d = (size_t)track->dof, rows = (size_t)track->contacts * (size_t)(1 + track->lines) * d;
    Walk w = {.track = track, .error = error};
    w.system = (AbutModeSystem){track->contacts, track->dof, track->lines, NULL, NULL, NULL, NULL, NULL, 0.0};
    w.words = (size_t)abut_mode_words(&w.system, 0);
    size_t size = 1 + 2 * w.words;
    w.rows = abut_alloc((rows + d + (DEPTH + 2) * size) * 8 + 64);
    if (!w.rows) return abut_fail_memory(error);
    w.velocity = w.rows + rows;
    w.system.normal_rows = w.rows, w.system.tangent_rows = w.rows + (size_t)track->contacts * d;
    double span = track->end - track->begin;
    w.shortest = fmax(track->time_tolerance > 0.0 ? track->time_tolerance : SHORTEST * span, ldexp(span, 3 - DEPTH));
    uint64_t *before = (uint64_t *)(void *)(w.velocity + d), *after = before + size;
    look(&w, track->begin, before);
    if (w.status == ABUT_OK) tell(&w, track->begin, before);
    for (int i = 1; i <= track->samples && !w.stop && w.status == ABUT_OK && span > 0.0; ++i) {
        double from = track->begin + span * (i - 1) / track->samples;
        double to = i == track->samples ? track->end : track->begin + span * i / track->samples;
        look(&w, to, after);
        if (w.status == ABUT_OK) narrow_down(&w, from, to, before, after, after + size);
        memcpy(before, after, 8 * size);
    }
    abut_free(w.rows);
    return w.status;
}
