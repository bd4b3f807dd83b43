/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan carried out. In: a task, a plan. Out: where the object ends. Fingers are small dynamic balls on springs: the
 * force of the plan, a spring to its place, and a spring that turns the tip with the object, as a tip that does not
 * turn would roll. A finger comes to its point slowly, where the object lies, and keeps that offset; the forces of
 * holds and motions are the least that balance, faded into each other.
 */
#include "manipulation/manip.h"

#include "math/functions.h"
#include "math/numbers.h"

#include <stdio.h>
#include <string.h>

#define DT 1e-3
#define STIFFNESS 3000.0    /* N/m */
#define FINGER_MASS 0.05    /* kg */
#define TURN_STIFFNESS 5.0  /* N m/rad */
#define FINGER_INERTIA 1e-4 /* kg m^2 */
#define DAMPING 1.6         /* twice the damping ratio */
#define SPEED 0.05          /* m/s of the object */
#define TURN_SPEED 0.6      /* rad/s */
#define APPROACH 3e-3       /* m */
#define TRAVEL 0.25         /* m/s of fingers on their ways */
#define BACK 0.03           /* m: fingers that let go */
#define LOST 20.0           /* sizes of the object: it fell off, and nothing brings it back */

enum { SETTLE = 100, UNLOAD = 150, COME = 120, LOAD = 120, REST = 10, HOLD = 150, FADE = 100, FALL = 1500 };

typedef struct Finger {
    AbutBodyId body;
    AbutShapeId shape;
    int active;
    AbutVec3 place, velocity, force; /* wanted: of its center, N */
    AbutVec3 offset;                 /* of its center from the plan */
    AbutQuat from;                   /* the object's turn where it came to its point */
} Finger;

typedef struct Run {
    AbutManip m;
    const AbutManipPlan *plan;
    const AbutManipTrial *trial;
    AbutScene *scene;
    AbutSimulation *sim;
    AbutBodyId object;
    Finger finger[ABUT_MANIP_FINGERS];
    AbutManipHold hold;
    AbutPose at;   /* of the plan */
    AbutVec3 spin; /* of the plan */
    int32_t motion;
    int stopped, falls;
    AbutManipMoment moment;
    AbutManipReport *out;
    AbutError *error;
} Run;

/* ---- the scene --------------------------------------------------------------------------------------------------- */

/* The surroundings with another friction, the object with another mass. */
static AbutStatus set_trial(Run *r) {
    double friction = r->trial->friction > 0.0 ? r->trial->friction : 1.0;
    double mass = r->trial->mass > 0.0 ? r->trial->mass : 1.0;
    AbutShapeDef def;
    for (int b = 0; b < abut_scene_body_count(r->scene); ++b) {
        AbutBodyId body = abut_scene_body_at(r->scene, b);
        for (int i = 0; i < abut_scene_shape_count(r->scene, body) && friction != 1.0; ++i) {
            AbutShapeId shape = abut_scene_shape_at(r->scene, body, i);
            if (!abut_scene_get_shape(r->scene, shape, &def, NULL)) continue;
            def.material.friction *= friction;
            ABUT_TRY(abut_scene_set_material(r->scene, shape, &def.material, r->error));
        }
    }
    if (mass == 1.0) return ABUT_OK;
    return abut_scene_set_mass(
        r->scene, r->object, mass * r->m.mass, r->m.center, abut_mat3_scale(r->m.inertia, mass), r->error);
}

/* Fingers touch the object alone, with the friction of the task. */
static AbutStatus add_finger(Run *r, int32_t i) {
    const AbutManipTask *t = r->m.task;
    Finger *f = &r->finger[i];
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    char name[24];
    snprintf(name, sizeof name, "finger%d", (int)i);
    body.name = name;
    body.pose.p = abut_add(r->m.start.p, abut_vec3(0.0, 0.0, 4.0 * r->m.length + 3.0 * t->finger_radius * i));
    body.gravity_compensation = 1.0;
    body.mass = FINGER_MASS;
    body.inertia = abut_mat3_diagonal(FINGER_INERTIA, FINGER_INERTIA, FINGER_INERTIA);
    body.never_sleeps = 1;
    shape.form = (AbutGeometryDef){
        .kind = ABUT_SHAPE_SPHERE, .size = abut_vec3(t->finger_radius, t->finger_radius, t->finger_radius)};
    shape.mask = 0;
    ABUT_TRY(abut_scene_add_body(r->scene, &body, &f->body, r->error));
    ABUT_TRY(abut_scene_add_shape(r->scene, f->body, &shape, &f->shape, r->error));
    for (int b = 0; b < abut_scene_body_count(r->scene); ++b) {
        AbutBodyId other = abut_scene_body_at(r->scene, b);
        if (other.index1 != r->object.index1 && other.index1 != f->body.index1)
            ABUT_TRY(abut_scene_exclude(r->scene, f->body, other, r->error));
    }
    for (int k = 0; k < abut_scene_shape_count(r->scene, r->object); ++k) {
        AbutShapeId touched = abut_scene_shape_at(r->scene, r->object, k);
        ABUT_TRY(abut_scene_set_pair_friction(r->scene, touched, f->shape, t->finger_friction, -1.0, r->error));
    }
    return ABUT_OK;
}

static AbutStatus make_scene(Run *r) {
    AbutSimulationDef def = abut_simulation_default();
    AbutBodyId *bodies = abut_alloc_array((size_t)r->m.task->model->body_count, sizeof *bodies);
    if (!bodies) return abut_fail_memory(r->error);
    AbutStatus status = abut_scene_create(&r->scene, r->error);
    if (!status) status = abut_scene_add_model(r->scene, r->m.task->model, abut_pose_identity(), bodies, r->error);
    if (!status) r->object = bodies[r->m.task->object];
    abut_free(bodies);
    ABUT_TRY(status);
    ABUT_TRY(set_trial(r));
    for (int32_t i = 0; i < r->hold.count; ++i) ABUT_TRY(add_finger(r, i));
    def.gravity = abut_vec3(0.0, 0.0, -ABUT_GRAVITY);
    def.threads = 1;
    def.sleeping = 0;
    return abut_simulation_create(r->scene, &def, &r->sim, r->error);
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

static AbutStatus drive(Run *r, const Finger *f) {
    AbutBodyState b;
    abut_scene_get_body(r->scene, f->body, &b);
    AbutVec3 push = abut_add_scaled(f->force, abut_sub(f->place, b.pose.p), STIFFNESS);
    push = abut_add_scaled(push, abut_sub(f->velocity, b.velocity), DAMPING * sqrt(STIFFNESS * FINGER_MASS));
    AbutQuat wanted = abut_quat_mul(r->at.q, abut_quat_conj(f->from));
    AbutVec3 turn = abut_scale(abut_quat_log(abut_quat_mul(wanted, abut_quat_conj(b.pose.q))), TURN_STIFFNESS);
    turn = abut_add_scaled(turn, abut_sub(r->spin, b.spin), DAMPING * sqrt(TURN_STIFFNESS * FINGER_INERTIA));
    ABUT_TRY(abut_scene_add_force(r->scene, f->body, push, b.pose.p, r->error));
    return abut_scene_add_torque(r->scene, f->body, turn, r->error);
}

static AbutPose object_pose(const Run *r) {
    AbutBodyState b;
    abut_scene_get_body(r->scene, r->object, &b);
    return abut_manip_center_pose(&r->m, b.pose);
}

static void watch(Run *r, const AbutStepReport *report) {
    AbutManipMoment *now = &r->moment;
    now->simulation = r->sim, now->report = report;
    now->planned = abut_manip_frame_pose(&r->m, r->at), now->motion = r->motion;
    for (int32_t i = 0; i < r->hold.count; ++i) {
        now->center[i] = r->finger[i].active ? abut_sub(r->finger[i].place, r->finger[i].offset) : r->finger[i].place;
        now->force[i] = r->hold.finger[i] >= 0 ? r->finger[i].force : abut_zero();
    }
    if (r->trial->watch(now, r->trial->user)) r->stopped = 1;
}

/* What the watcher hears of a step of the plan: contacts and the margin. */
static AbutStatus look(Run *r, AbutPose b, AbutVec3 w) {
    AbutManipStance s;
    AbutManipPattern pattern;
    AbutVec3 v = abut_sub(b.p, r->at.p);
    double u[6] = {v.x, v.y, v.z, w.x * r->m.length, w.y * r->m.length, w.z * r->m.length};
    int32_t count[3] = {0};
    if (!r->trial->watch) return ABUT_OK;
    abut_manip_stand(&r->m, abut_manip_between(r->at, b, 0.5), ABUT_MANIP_TOUCH, 1, &s);
    abut_manip_classify(&r->m, &s, u, 0.03, 0.03, &pattern);
    for (int32_t i = 0; i < s.count; ++i) ++count[pattern.state[i]];
    r->moment.sticking = count[ABUT_MANIP_STICK], r->moment.sliding = count[ABUT_MANIP_SLIDE];
    r->moment.separating = count[ABUT_MANIP_PART];
    return abut_manip_margin(&r->m, r->at, b, &r->hold, &r->moment.margin, r->error);
}

static AbutStatus step(Run *r) {
    AbutStepReport report;
    double distance, angle;
    if (r->stopped) return ABUT_OK;
    for (int32_t i = 0; i < r->hold.count; ++i)
        if (r->finger[i].active) ABUT_TRY(drive(r, &r->finger[i]));
    ABUT_TRY(abut_simulation_step(r->sim, DT, &report, r->error));
    abut_manip_far(&r->m, r->at, object_pose(r), &distance, &angle);
    AbutManipReport *out = r->out;
    out->time = report.time;
    out->off_distance = distance, out->off_angle = angle;
    out->most_distance = abut_larger(out->most_distance, r->falls ? 0.0 : distance);
    out->most_angle = abut_larger(out->most_angle, r->falls ? 0.0 : angle);
    if (!r->falls && out->motion < 0 && (distance > 4e-3 || angle > 0.08)) out->motion = r->motion;
    if (distance > LOST * r->m.length) r->stopped = 1;
    if (r->trial->watch) watch(r, &report);
    return ABUT_OK;
}

/* Steps in which the forces of the fingers go from one set to another within `fade` steps. */
static AbutStatus hold_on(Run *r, int steps, int fade, const AbutVec3 *to) {
    AbutVec3 from[ABUT_MANIP_FINGERS];
    for (int32_t i = 0; i < r->hold.count; ++i) from[i] = r->finger[i].force;
    for (int k = 1; k <= steps; ++k) {
        for (int32_t i = 0; i < r->hold.count; ++i)
            r->finger[i].force = abut_lerp(from[i], to[i], abut_smaller(1.0, (double)k / fade));
        ABUT_TRY(step(r));
    }
    return ABUT_OK;
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

/* The least forces that balance; where the margins leave none, those without. */
static void find_forces(Run *r, const AbutManipStance *s, const AbutManipPattern *pattern, const AbutManipHold *hold,
    double preload, AbutVec3 *forces) {
    AbutManipDemand demand = {0.9, r->m.force_least, 1, NULL};
    memset(forces, 0, ABUT_MANIP_FINGERS * sizeof *forces);
    if (abut_manip_least_forces(&r->m, s, pattern, hold, demand, forces) <= 0.02) return;
    demand = (AbutManipDemand){1.0, preload, 1, NULL};
    abut_manip_least_forces(&r->m, s, pattern, hold, demand, forces);
}

static void holding_forces(Run *r, const AbutManipHold *hold, AbutVec3 *forces) {
    AbutManipStance s;
    abut_manip_stand(&r->m, r->at, ABUT_MANIP_FEATURE, 1, &s);
    find_forces(r, &s, NULL, hold, 0.0, forces);
}

/* ---- fingers come and go ----------------------------------------------------------------------------------------- */

static AbutVec3 point_normal(const Run *r, int32_t finger) {
    return abut_quat_rotate(r->at.q, r->m.point[r->hold.finger[finger]].normal);
}

/* The load is taken off while the others hold, and the finger goes back. */
static AbutStatus release(Run *r, int32_t i) {
    AbutManipHold others = r->hold;
    AbutVec3 to[ABUT_MANIP_FINGERS], start = r->finger[i].place, back = abut_scale(point_normal(r, i), -2e-3);
    AbutVec3 from[ABUT_MANIP_FINGERS];
    others.finger[i] = -1;
    holding_forces(r, &others, to);
    for (int32_t k = 0; k < r->hold.count; ++k) from[k] = r->finger[k].force;
    for (int k = 1; k <= UNLOAD; ++k) {
        double t = (double)k / UNLOAD;
        for (int32_t j = 0; j < r->hold.count; ++j) r->finger[j].force = abut_lerp(from[j], to[j], t);
        r->finger[i].place = abut_add_scaled(start, back, t);
        ABUT_TRY(step(r));
    }
    return ABUT_OK;
}

/* In a straight line, at the speed of travel. */
static AbutStatus travel(Run *r, Finger *f, AbutVec3 to) {
    AbutVec3 from = f->place;
    int steps = (int)ceil(abut_length(abut_sub(to, from)) / (TRAVEL * DT)) + 1;
    f->velocity = abut_scale(abut_sub(to, from), 1.0 / (steps * DT));
    for (int k = 1; k <= steps; ++k) {
        f->place = abut_lerp(from, to, (double)k / steps);
        ABUT_TRY(step(r));
    }
    f->velocity = abut_zero();
    return ABUT_OK;
}

/*
 * The finger goes the way of the plan, touches the object where it lies, and keeps that offset from the plan. It is
 * taken from a free place if it is nowhere.
 */
static AbutStatus come(Run *r, int32_t i, int32_t point, const AbutVec3 *corner, int32_t corners) {
    Finger *f = &r->finger[i];
    AbutVec3 to[ABUT_MANIP_FINGERS];
    r->hold.finger[i] = point;
    if (!f->active) {
        f->place = corner[0];
        ABUT_TRY(abut_scene_set_pose(r->scene, f->body, abut_pose(corner[0], abut_quat_identity()), r->error));
        ABUT_TRY(abut_scene_set_velocity(r->scene, f->body, abut_zero(), abut_zero(), r->error));
        ABUT_TRY(abut_scene_set_filter(r->scene, f->shape, 1, UINT32_MAX, r->error));
    }
    f->velocity = f->force = abut_zero();
    f->from = r->at.q;
    f->active = 1;
    for (int32_t k = 1; k + 1 < corners; ++k) ABUT_TRY(travel(r, f, corner[k]));
    AbutVec3 there = abut_manip_finger_center(&r->m, object_pose(r), point);
    AbutVec3 far = abut_add_scaled(there, point_normal(r, i), -APPROACH);
    f->offset = abut_sub(there, abut_manip_finger_center(&r->m, r->at, point));
    ABUT_TRY(travel(r, f, far));
    holding_forces(r, &r->hold, to);
    ABUT_TRY(look(r, r->at, abut_zero()));
    for (int k = 1; k <= COME; ++k) {
        f->place = abut_lerp(far, there, (double)k / COME);
        ABUT_TRY(step(r));
    }
    return hold_on(r, LOAD + REST, LOAD, to);
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* Forces in the middle of a step. */
static void moving_forces(Run *r, AbutPose b, AbutVec3 w, AbutVec3 *forces) {
    AbutManipStance s;
    AbutManipPattern pattern;
    AbutVec3 v = abut_sub(b.p, r->at.p);
    double u[6] = {v.x, v.y, v.z, w.x * r->m.length, w.y * r->m.length, w.z * r->m.length};
    abut_manip_stand(&r->m, abut_manip_between(r->at, b, 0.5), ABUT_MANIP_FEATURE, 1, &s);
    abut_manip_classify(&r->m, &s, u, 0.03, 0.03, &pattern);
    find_forces(r, &s, &pattern, &r->hold, r->m.force_least, forces);
}

static AbutStatus move_to(Run *r, AbutPose b) {
    AbutPose a = r->at;
    AbutVec3 w = abut_quat_log(abut_quat_mul(b.q, abut_quat_conj(a.q)));
    AbutVec3 from[ABUT_MANIP_FINGERS], to[ABUT_MANIP_FINGERS];
    double time = abut_larger(abut_length(abut_sub(b.p, a.p)) / SPEED, abut_length(w) / TURN_SPEED);
    int steps = (int)ceil(abut_larger(time, 0.01) / DT);
    ABUT_TRY(look(r, b, w));
    moving_forces(r, b, w, to);
    r->spin = abut_scale(w, 1.0 / (steps * DT));
    for (int32_t i = 0; i < r->hold.count; ++i) {
        AbutVec3 start = abut_manip_finger_center(&r->m, a, r->hold.finger[i]);
        AbutVec3 end = abut_manip_finger_center(&r->m, b, r->hold.finger[i]);
        r->finger[i].velocity = abut_scale(abut_sub(end, start), 1.0 / (steps * DT));
        from[i] = r->finger[i].force;
    }
    for (int k = 1; k <= steps; ++k) {
        double t = (double)k / steps;
        r->at = abut_manip_between(a, b, t);
        for (int32_t i = 0; i < r->hold.count; ++i) {
            Finger *f = &r->finger[i];
            f->place = abut_add(abut_manip_finger_center(&r->m, r->at, r->hold.finger[i]), f->offset);
            f->force = abut_lerp(from[i], to[i], abut_smaller(1.0, 2.0 * t));
        }
        ABUT_TRY(step(r));
    }
    r->at = b;
    return ABUT_OK;
}

/* All fingers go back at once, and the object falls to where the plan says, or elsewhere. */
static AbutStatus let_fall(Run *r, const struct AbutManipMotion *motion) {
    AbutVec3 back[ABUT_MANIP_FINGERS];
    const AbutPose *pose = r->plan->poses + motion->first_step;
    ABUT_TRY(move_to(r, abut_manip_center_pose(&r->m, pose[0])));
    for (int32_t i = 0; i < r->hold.count; ++i) {
        back[i] = r->hold.finger[i] < 0 ? abut_zero() : abut_scale(point_normal(r, i), -BACK / UNLOAD);
        r->finger[i].force = abut_zero();
        r->finger[i].velocity = abut_scale(back[i], 1.0 / DT);
    }
    r->falls = 1;
    r->spin = abut_zero();
    for (int k = 0; k < UNLOAD; ++k) {
        for (int32_t i = 0; i < r->hold.count; ++i) r->finger[i].place = abut_add(r->finger[i].place, back[i]);
        ABUT_TRY(step(r));
    }
    r->at = abut_manip_center_pose(&r->m, pose[motion->step_count - 1]);
    for (int32_t i = 0; i < r->hold.count; ++i) {
        r->hold.finger[i] = -1;
        r->finger[i].active = 0;
        ABUT_TRY(abut_scene_set_filter(r->scene, r->finger[i].shape, 1, 0, r->error));
        ABUT_TRY(abut_scene_set_velocity(r->scene, r->finger[i].body, abut_zero(), abut_zero(), r->error));
    }
    for (int k = 0; k < FALL; ++k) ABUT_TRY(step(r));
    r->falls = 0;
    return ABUT_OK;
}

static AbutStatus run_motion(Run *r, const struct AbutManipMotion *motion) {
    AbutVec3 forces[ABUT_MANIP_FINGERS];
    if (motion->falls) return let_fall(r, motion);
    for (int32_t k = 0; k < motion->relocation_count; ++k) {
        int32_t i = motion->relocation[k];
        if (r->hold.finger[i] >= 0) ABUT_TRY(release(r, i));
        ABUT_TRY(come(r, i, motion->finger[i], r->plan->corners + motion->first_corner[k], motion->corner_count[k]));
    }
    for (int32_t k = 0; k < motion->step_count; ++k)
        ABUT_TRY(move_to(r, abut_manip_center_pose(&r->m, r->plan->poses[motion->first_step + k])));
    r->spin = abut_zero();
    for (int32_t i = 0; i < r->hold.count; ++i) r->finger[i].velocity = abut_zero();
    ABUT_TRY(look(r, r->at, abut_zero()));
    holding_forces(r, &r->hold, forces);
    return hold_on(r, HOLD, FADE, forces);
}

static AbutStatus run(Run *r) {
    const AbutManipTask *t = r->m.task;
    ABUT_TRY(make_scene(r));
    ABUT_TRY(look(r, r->at, abut_zero()));
    for (int k = 0; k < SETTLE; ++k) ABUT_TRY(step(r));
    for (r->motion = 0; r->motion < r->plan->motion_count && !r->stopped; ++r->motion)
        ABUT_TRY(run_motion(r, &r->plan->motions[r->motion]));
    abut_manip_far(&r->m, r->m.goal, object_pose(r), &r->out->distance, &r->out->angle);
    r->out->arrives = !r->stopped && r->plan->found && r->out->distance < 2.0 * t->goal_distance &&
                      r->out->angle < 2.0 * t->goal_angle;
    return ABUT_OK;
}

/* The points of the plan, which another seed would draw elsewhere. */
static AbutStatus take_points(Run *r) {
    const AbutManipPlan *plan = r->plan;
    for (int32_t k = 0; k < plan->motion_count; ++k)
        for (int32_t i = 0; i < r->hold.count; ++i)
            if ((plan->motions[k].finger[i] < 0 && !plan->motions[k].falls) ||
                plan->motions[k].finger[i] >= plan->point_count)
                return abut_fail(r->error, ABUT_ERROR_ARGUMENT,
                    "motion %d of a plan: expected a point from 0 to %d, got %d", (int)k, (int)plan->point_count - 1,
                    (int)plan->motions[k].finger[i]);
    if (plan->point_count > ABUT_MANIP_POINTS)
        return abut_fail(r->error, ABUT_ERROR_LIMIT, "points of a plan: expected at most %d, got %d", ABUT_MANIP_POINTS,
            (int)plan->point_count);
    for (int32_t i = 0; i < plan->point_count; ++i)
        r->m.point[i] = (struct AbutManipPoint){abut_sub(plan->points[i].point, r->m.center), plan->points[i].normal};
    r->m.point_count = plan->point_count;
    return ABUT_OK;
}

AbutStatus abut_manip_execute(const AbutManipTask *task, const AbutManipPlan *plan, const AbutManipTrial *trial,
    AbutManipReport *out, AbutError *error) {
    ABUT_ASSERT(task && plan && out);
    static const AbutManipTrial as_planned = {0};
    Run r = {.plan = plan, .trial = trial ? trial : &as_planned, .out = out, .error = error};
    ABUT_TRY(abut_manip_setup(task, 0, &r.m, error));
    r.at = r.m.start;
    r.hold = (AbutManipHold){task->fingers, {-1, -1, -1}};
    out->motion = -1, out->arrives = 0;
    out->off_distance = out->off_angle = out->distance = out->angle = out->most_distance = out->most_angle = out->time =
        0.0;
    AbutStatus status = take_points(&r);
    if (!status) status = run(&r);
    abut_simulation_free(r.sim);
    abut_scene_free(r.scene);
    abut_manip_free(&r.m);
    return status;
}
