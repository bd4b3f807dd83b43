/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One simulation from its start to its end, measured from outside: poses, velocities and ground forces as the engine
 * tells them, read between the steps and not timed. Depth comes from abut's convex distance on the final poses,
 * whatever the engine.
 */
#include "bench/sim_engine.h"

#include <stdlib.h>
#include <string.h>

static const double still_speed = 5e-3; /* m/s */
static const double still_arm = 0.1;    /* m: turns rad/s into m/s */
static const double rest_window = 1.0;  /* s, at the end of a run */
static const double touch_force = 1e-6; /* of the weight: less is no contact */
static const double touch_gap = 2e-5;   /* m: boxes as near as this count as touching */

typedef struct Force {
    double shift, sum, sum_sq; /* sums of the force less its first value, which keeps the digits */
    int touched, missed;       /* steps */
} Force;

typedef struct Meter {
    const SimScene *scene;
    SimBody *body;
    Force *force;
    AbutVec3 *late; /* places one second before the end */
    double energy_start, energy_max;
    double clock_cost;
    int rest_steps;
    double rest_cpu, cpu;
    SimResult result;
} Meter;

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sim_quantile(double *values, int count, double part) {
    if (count == 0) return NAN;
    qsort(values, (size_t)count, sizeof *values, by_value);
    double at = part * (count - 1);
    int low = (int)at, high = low + 1 < count ? low + 1 : low;
    return values[low] + (at - low) * (values[high] - values[low]);
}

/* Cost of reading the clock in a timed step: the smallest of many. */
static double clock_cost(void) {
    double best = 1.0;
    for (int i = 0; i < 200; ++i) {
        double start = sim_cpu_now();
        best = fmin(best, sim_cpu_now() - start);
    }
    return best;
}

static double total_energy(const Meter *m) {
    double sum = 0.0;
    for (int i = 0; i < m->scene->count; ++i) {
        const AbutBodyDef *def = sim_body(m->scene, i);
        const SimBody *b = &m->body[i];
        AbutVec3 spin = abut_quat_rotate(abut_quat_conj(b->pose.q), b->spin);
        sum +=
            0.5 * def->mass * abut_length_sq(b->velocity) + 0.5 * abut_dot(spin, abut_mat3_apply(def->inertia, spin));
        sum -= def->mass * abut_dot(m->scene->gravity, b->pose.p);
    }
    return sum;
}

static double fastest(const Meter *m) {
    double most = 0.0;
    for (int i = 0; i < m->scene->count; ++i)
        most = fmax(most, abut_length(m->body[i].velocity) + still_arm * abut_length(m->body[i].spin));
    return most;
}

static void watch_tremble(Meter *m) {
    for (int i = 0; i < m->scene->count; ++i)
        m->result.tremble = fmax(m->result.tremble, abut_length(m->body[i].velocity));
}

static void judge_places(Meter *m) {
    SimResult *r = &m->result;
    for (int i = 0; i < m->scene->count; ++i) {
        AbutVec3 at = m->body[i].pose.p;
        r->moved = fmax(r->moved, abut_point_distance(at, sim_start(m->scene, i).p));
        r->creep = fmax(r->creep, abut_point_distance(at, m->late[i]) / rest_window);
    }
}

/* Where bodies are when the last second begins. */
static void remember_places(Meter *m) {
    for (int i = 0; i < m->scene->count; ++i) m->late[i] = m->body[i].pose.p;
}

/* Energy that lifts all bodies by their radius. */
static double energy_scale(const Meter *m) {
    double sum = 0.0;
    for (int i = 0; i < m->scene->count; ++i)
        sum += sim_body(m->scene, i)->mass * abut_length(m->scene->gravity) *
               sim_shape(m->scene, i)->geometry->bound.radius;
    return sum;
}

static double smallest_radius(const SimScene *scene) {
    double least = HUGE_VAL;
    for (int i = 0; i < scene->count; ++i) least = fmin(least, sim_shape(scene, i)->geometry->bound.radius);
    return least;
}

static void look(Meter *m, double time, int resting) {
    double energy = total_energy(m);
    m->energy_max = fmax(m->energy_max, energy);
    m->result.failed |= !isfinite(energy);
    if (fastest(m) > still_speed) m->result.settle = time;
    for (int i = 0; resting && i < m->scene->count; ++i) {
        Force *f = &m->force[i];
        double force = m->body[i].ground_force;
        int touches = force > touch_force * sim_body(m->scene, i)->mass * abut_length(m->scene->gravity);
        if (f->touched + f->missed == 0) f->shift = force;
        f->sum += force - f->shift;
        f->sum_sq += (force - f->shift) * (force - f->shift);
        f->touched += touches;
        f->missed += !touches;
    }
}

static double variation(const Force *f) {
    double n = f->touched + f->missed, mean = f->sum / n;
    return sqrt(fmax(0.0, f->sum_sq / n - mean * mean)) / (f->shift + mean);
}

static void judge_forces(Meter *m) {
    SimResult *r = &m->result;
    double sum = 0.0, weight = 0.0;
    if (isnan(m->body[0].ground_force)) {
        r->carried = r->cv = NAN;
        return;
    }
    for (int i = 0; i < m->scene->count; ++i) {
        const Force *f = &m->force[i];
        double own = sim_body(m->scene, i)->mass * fabs(abut_dot(m->scene->gravity, m->scene->ground.normal));
        weight += own;
        if (!f->touched) continue;
        double mean = f->shift + f->sum / (f->touched + f->missed), cv = variation(f);
        r->carried += mean;
        sum += cv;
        if (cv > r->cv_worst) r->cv_worst = cv, r->load_worst = mean / own;
        ++r->floor;
        r->chattering += f->missed > 0;
    }
    r->carried /= weight;
    r->cv = r->floor ? sum / r->floor : NAN;
}

/* Where the shape of a body stands. */
static AbutPose shape_pose(const Meter *m, int i) {
    AbutPose pose = sim_shape(m->scene, i)->pose;
    pose.p = abut_sub(pose.p, sim_body(m->scene, i)->center);
    return abut_pose_mul(m->body[i].pose, pose);
}

static double ground_depth(const Meter *m) {
    AbutConvex ground = abut_convex_half_space(m->scene->ground, 0.0);
    double deepest = 0.0;
    for (int i = 0; i < m->scene->count; ++i) {
        AbutConvex body = abut_geometry_convex(sim_shape(m->scene, i)->geometry);
        deepest = fmax(deepest, -abut_convex_distance(&ground, &body, shape_pose(m, i), NULL, NULL).distance);
    }
    return deepest;
}

/* For two bodies; infinite where their bounding spheres are apart. */
static double distance_of(const Meter *m, int i, int k) {
    const AbutGeometry *of_i = sim_shape(m->scene, i)->geometry, *of_k = sim_shape(m->scene, k)->geometry;
    AbutPose at_i = shape_pose(m, i), at_k = shape_pose(m, k);
    AbutVec3 center_i = abut_pose_apply(at_i, of_i->bound.center), center_k = abut_pose_apply(at_k, of_k->bound.center);
    if (abut_point_distance(center_i, center_k) > of_i->bound.radius + of_k->bound.radius + touch_gap) return INFINITY;
    AbutConvex a = abut_geometry_convex(of_i), b = abut_geometry_convex(of_k);
    return abut_convex_distance(&a, &b, abut_pose_between(at_i, at_k), NULL, NULL).distance;
}

static void judge_depth(Meter *m) {
    int n = m->scene->count, count = 0, most = 64 * n;
    double *depth = bench_memory((size_t)most, sizeof *depth);
    for (int i = 0; i < n; ++i) {
        for (int k = i + 1; k < n && count < most; ++k) {
            double distance = distance_of(m, i, k);
            if (distance < touch_gap) depth[count++] = fmax(0.0, -distance);
        }
    }
    m->result.depth_median = count ? sim_quantile(depth, count, 0.5) : 0.0;
    m->result.depth_max = count ? depth[count - 1] : 0.0; /* sorted now */
    m->result.ground_depth = ground_depth(m);
    free(depth);
}

/* 0: the engine failed. */
static int one_step(Meter *m, const SimEngine *engine, void *state, double dt, int resting) {
    SimStep info = {0, 0.0, 0, -1.0};
    double start = sim_cpu_now();
    int done = engine->step(state, dt);
    double spent = fmax(0.0, sim_cpu_now() - start - m->clock_cost);
    engine->info(state, &info);
    if (info.seconds >= 0.0) spent = info.seconds;
    m->cpu += spent;
    m->result.us_worst = fmax(m->result.us_worst, 1e6 * spent);
    m->result.sweeps += info.sweeps;
    m->result.capped += info.capped;
    ++m->result.steps;
    if (resting) {
        m->rest_cpu += spent;
        m->result.sweeps_rest += info.sweeps;
        ++m->rest_steps;
    }
    return done;
}

static void finish(Meter *m) {
    SimResult *r = &m->result;
    r->us = 1e6 * m->cpu / r->steps;
    r->sweeps /= r->steps;
    r->us_rest = m->rest_steps ? 1e6 * m->rest_cpu / m->rest_steps : NAN;
    r->sweeps_rest = m->rest_steps ? r->sweeps_rest / m->rest_steps : NAN;
    r->energy_rise = (m->energy_max - m->energy_start) / energy_scale(m);
    if (!r->failed) {
        judge_forces(m);
        judge_depth(m);
        judge_places(m);
    }
}

SimResult sim_measure(const SimEngine *engine, const SimScene *scene, double dt, double length) {
    Meter m;
    memset(&m, 0, sizeof m);
    m.scene = scene;
    m.body = bench_memory((size_t)scene->count, sizeof *m.body);
    m.force = bench_memory((size_t)scene->count, sizeof *m.force);
    m.late = bench_memory((size_t)scene->count, sizeof *m.late);
    m.result.size = smallest_radius(scene);
    m.clock_cost = clock_cost();
    void *state = engine->open(scene, dt, 1);
    m.result.failed = !state;
    if (state) {
        int steps = (int)lround(length / dt), every = (int)fmax(1.0, round(1e-3 / dt));
        int rest_from = steps - (int)lround(rest_window / dt);
        engine->read(state, m.body);
        m.energy_start = m.energy_max = total_energy(&m);
        for (int i = 0; i < steps && !m.result.failed; ++i) {
            if (i == rest_from) {
                engine->read(state, m.body);
                remember_places(&m);
            }
            m.result.failed |= !one_step(&m, engine, state, dt, i >= rest_from);
            if (i < rest_from && (i + 1) % every) continue;
            engine->read(state, m.body);
            look(&m, (i + 1) * dt, i >= rest_from);
            if (4 * i >= 3 * steps) watch_tremble(&m);
        }
        finish(&m);
        engine->close(state);
    }
    free(m.body);
    free(m.force);
    free(m.late);
    return m.result;
}
