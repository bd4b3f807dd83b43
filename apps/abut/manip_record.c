/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan through contact while it is carried out. In: moments of the simulation. Out: its run; the plan as a second run
 * of the same bodies at the same times; lines over time of what the contacts do, of the margin, and of force and
 * friction of each finger as the plan has them and as the simulation has them.
 */
#include "manip_record.h"
#include "cli.h"
#include "progress.h"

#include <math.h>
#include <string.h>

enum { FRAME_STEPS = 10, STICK = 0, SLIDE, PART, MARGIN, FINGERS };
enum { FORCE_PLANNED = 0, FORCE, USE_PLANNED, USE, PER_FINGER };

#define MOST_MARGIN 10.0 /* weights: more is drawn as that */
#define LOOSE 0.05       /* N: a finger that presses less uses no friction to speak of */

static void put_at(ManipRecord *r, int line, size_t step, double value) {
    r->values[line] = cli_grow(r->values[line], &r->capacity[line], step + 1, sizeof *r->values[line]);
    r->values[line][step] = value;
}

static void put(ManipRecord *r, int line, double value) { put_at(r, line, (size_t)r->run->steps - 1, value); }

static int32_t finger_body(const ManipRecord *r, int finger) {
    char name[24];
    snprintf(name, sizeof name, "finger%d", finger);
    return abut_model_find(r->run->model, ABUT_MODEL_BODY, name);
}

/* Part of the friction that a force uses, n being the normal into the object. */
static double friction_use(const ManipRecord *r, AbutVec3 force, AbutVec3 n) {
    double push = abut_dot(force, n);
    if (push < LOOSE) return 0.0;
    return abut_length(abut_add_scaled(force, n, -push)) / (r->task->finger_friction * push);
}

static void put_finger(ManipRecord *r, const AbutManipMoment *now, int i) {
    int32_t point = now->motion < r->plan->motion_count ? r->plan->motions[now->motion].finger[i] : -1;
    int first = FINGERS + PER_FINGER * i;
    AbutVec3 n = point < 0 ? abut_zero() : abut_quat_rotate(now->planned.q, r->plan->points[point].normal);
    put(r, first + FORCE_PLANNED, abut_length(now->force[i]));
    put(r, first + USE_PLANNED, friction_use(r, now->force[i], n));
}

/* The bodies as the plan has them: all else stands where the simulation has it. */
static void add_planned(ManipRecord *r, const AbutManipMoment *now) {
    const AbutModel *model = r->run->model;
    const double *pose = abut_run_f8(r->run, ABUT_RUN_POSE) + 7 * (int64_t)(r->run->steps - 1) * r->run->bodies;
    AbutRunBody *body = cli_room((size_t)model->body_count, sizeof *body);
    for (int32_t b = 0; b < model->body_count; ++b) {
        const double *p = pose + 7 * b;
        body[b].pose = abut_pose(abut_vec3(p[0], p[1], p[2]), (AbutQuat){p[3], p[4], p[5], p[6]});
        body[b].island = -1;
        if (b == r->task->object) body[b].pose = now->planned;
        for (int i = 0; i < r->task->fingers; ++i)
            if (b == finger_body(r, i)) body[b].pose.p = now->center[i];
    }
    cli_need(abut_run_add_step(r->planned, now->report, body, &cli_why));
    abut_free(body);
}

int manip_record(const AbutManipMoment *now, void *user) {
    ManipRecord *r = user;
    if (!r->run) {
        const AbutScene *scene = abut_simulation_scene(now->simulation);
        cli_need(abut_run_create_of_scene(scene, NULL, "", &r->run, &cli_why));
    }
    if (r->step++ % FRAME_STEPS) return *interrupt_flag();
    cli_need(abut_run_record(r->run, now->simulation, now->report, &cli_why));
    if (!r->planned) cli_need(abut_run_create(r->run->model, "", &r->planned, &cli_why));
    add_planned(r, now);
    put(r, STICK, now->sticking);
    put(r, SLIDE, now->sliding);
    put(r, PART, now->separating);
    put(r, MARGIN, fmin(now->margin, MOST_MARGIN));
    for (int i = 0; i < r->task->fingers; ++i) put_finger(r, now, i);
    return *interrupt_flag();
}

/* Force of a finger on the object in a step of the run, and the part of its friction that it uses. */
static double simulated(const ManipRecord *r, int32_t body, int32_t step, double *use) {
    const int64_t *start = abut_run_i8(r->run, ABUT_RUN_CONTACT_START);
    const int32_t *pair = abut_run_i4(r->run, ABUT_RUN_CONTACT_BODY);
    const double *force = abut_run_f8(r->run, ABUT_RUN_CONTACT_FORCE),
                 *n = abut_run_f8(r->run, ABUT_RUN_CONTACT_NORMAL);
    AbutVec3 sum = abut_zero(), normal = abut_zero();
    for (int64_t k = start[step]; k < start[step + 1]; ++k) {
        if (pair[2 * k] != body && pair[2 * k + 1] != body) continue;
        double sign = pair[2 * k] == body ? 1.0 : -1.0; /* A pushes B along the normal */
        sum = abut_add_scaled(sum, abut_vec3(force[3 * k], force[3 * k + 1], force[3 * k + 2]), sign);
        normal = abut_scale(abut_vec3(n[3 * k], n[3 * k + 1], n[3 * k + 2]), sign);
    }
    *use = friction_use(r, sum, normal);
    return abut_length(sum);
}

static void name_line(ManipRecord *r, int line, const char *title, const char *unit, const char *name, int finger) {
    snprintf(r->name[line], sizeof r->name[line], finger < 0 ? "%s" : "%s %d", name, finger);
    r->line[line] = (struct AbutPageLine){title, r->name[line], unit, r->values[line]};
}

void manip_record_finish(ManipRecord *r) {
    static const char *const states[] = {"sticking", "sliding", "separating"};
    for (int i = 0; i < r->task->fingers; ++i)
        for (int32_t step = 0; step < r->run->steps; ++step) {
            double use, force = simulated(r, finger_body(r, i), step, &use);
            put_at(r, FINGERS + PER_FINGER * i + FORCE, (size_t)step, force);
            put_at(r, FINGERS + PER_FINGER * i + USE, (size_t)step, use);
        }
    for (int k = 0; k < MARGIN; ++k) name_line(r, k, "Contacts with the surroundings, planned", "", states[k], -1);
    name_line(r, MARGIN, "Disturbance that is held, planned", "weights", "margin", -1);
    for (int i = 0; i < r->task->fingers; ++i) {
        int first = FINGERS + PER_FINGER * i;
        name_line(r, first + FORCE_PLANNED, "Forces of fingers", "N", "planned", i);
        name_line(r, first + FORCE, "Forces of fingers", "N", "finger", i);
        name_line(r, first + USE_PLANNED, "Friction of fingers in use", "", "planned", i);
        name_line(r, first + USE, "Friction of fingers in use", "", "finger", i);
    }
    r->line_count = FINGERS + PER_FINGER * r->task->fingers;
}

void manip_record_free(ManipRecord *r) {
    for (int k = 0; k < MANIP_LINES; ++k) abut_free(r->values[k]);
    abut_run_free(r->run);
    abut_run_free(r->planned);
}
