/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Families of planning problems (tests/support/plan_families.h), drawn with a fixed seed: how many are solved, how long
 * that takes, how long the paths and motions are, and how many of the plans touch: certificates at level 0 tell. Times
 * are of the thread.
 */
#include "bench/bench.h"
#include "bench/plan_peer.h"
#include "plan/path.h"
#include "support/plan_families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 50, POINTS = 2000, PLACES = 400 };
static const double DRAWING = 6.0, PEER_ALL = 6.0, PEER_ONE = 2.0; /* s: of a case, and of one problem */

static const char *const robots[] = {"arm6", "arm7", "two-arms", "humanoid"};

/* What an engine did with one problem. */
typedef struct Outcome {
    int solved, touches;
    double ms, length, duration;
} Outcome;

typedef struct Family {
    PlanFamilyRobot robot;
    PlanFamilyProblem problems[PROBLEMS];
    int count;
    AbutRoadmap map;
} Family;

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

static void judge(const AbutPlanProblem *problem, const AbutTrajectory *t, Outcome *out) {
    AbutCertifyDef def = {0.0, 0, 1};
    AbutCertificate x;
    AbutError error;
    bench_require(abut_plan_certify(problem, t, &def, &x, NULL, &error), &error);
    out->touches = x.status == ABUT_CERTIFICATE_CONTACT;
}

static double length_of(const AbutPlanProblem *problem, const AbutTrajectory *t) {
    double joints[64], u[2][PLAN_FAMILY_WIDTH], sum = 0.0;
    for (int i = 0; i <= PLACES; ++i) {
        abut_trajectory_value(t, t->times[0] + (t->times[t->piece_count] - t->times[0]) * i / PLACES, 0, joints);
        abut_plan_coordinates_of(problem, joints, u[i & 1]);
        if (i) sum += abut_plan_apart(abut_plan_coordinate_count(problem), u[0], u[1]);
    }
    return sum;
}

static Outcome ask_own(const Family *f, const PlanFamilyProblem *p, int quality, const AbutRoadmap *map) {
    AbutPlanSettings s = abut_plan_settings_default();
    AbutPlanQuery query = {p->start, p->goal, 0, NULL, NULL};
    AbutPlan plan;
    AbutError error;
    Outcome out = {0};
    (void)f;
    s.quality = quality;
    s.roadmap = map;
    double begin = bench_spent();
    bench_require(abut_plan_solve(p->problem, &query, &s, &plan, &error), &error);
    out.ms = 1e3 * (bench_spent() - begin);
    out.solved = plan.status == ABUT_PLAN_CERTIFIED;
    if (out.solved) {
        judge(p->problem, &plan.trajectory, &out);
        out.length = length_of(p->problem, &plan.trajectory);
        out.duration = plan.trajectory.times[plan.trajectory.piece_count];
    }
    abut_plan_free(&plan);
    return out;
}

static Outcome ask_fast(const Family *f, const PlanFamilyProblem *p) {
    return ask_own(f, p, ABUT_PLAN_QUALITY_FAST, NULL);
}

static Outcome ask_good(const Family *f, const PlanFamilyProblem *p) {
    return ask_own(f, p, ABUT_PLAN_QUALITY_GOOD, NULL);
}

static Outcome ask_map(const Family *f, const PlanFamilyProblem *p) {
    return ask_own(f, p, ABUT_PLAN_QUALITY_FAST, &f->map);
}

#ifdef BENCH_HAVE_OMPL
/* Straight lines between points, as a motion of the model. */
static void judge_path(const Family *f, const PlanFamilyProblem *p, int points, const double *path, Outcome *out) {
    int32_t joints = f->robot.model->joint_count, width = f->robot.width;
    double *q = bench_memory((size_t)points * (size_t)joints, sizeof *q);
    double *times = bench_memory((size_t)points, sizeof *times);
    AbutJointSamples samples = {joints, points, times, q, NULL, NULL};
    AbutTrajectory t;
    AbutError error;
    for (int i = 0; i < points; ++i) {
        times[i] = i;
        abut_plan_joints_of(p->problem, path + i * width, q + i * joints);
    }
    bench_require(abut_trajectory_interpolate(ABUT_INTERPOLATE_LINEAR, &samples, &t, &error), &error);
    judge(p->problem, &t, out);
    out->length = abut_plan_path_length(width, points, path);
    abut_trajectory_free(&t);
    free(q);
    free(times);
}

static Outcome ask_ompl(const Family *f, const PlanFamilyProblem *p) {
    static double path[POINTS * PLAN_FAMILY_WIDTH];
    BenchPlanAsk ask = {p->problem, f->robot.model, p->obstacles, p->start, p->goal, PEER_ONE};
    Outcome out = {0};
    double begin = bench_spent();
    int points = bench_plan_ompl(&ask, POINTS, path);
    out.ms = 1e3 * (bench_spent() - begin);
    out.solved = points > 1;
    if (out.solved) judge_path(f, p, points, path, &out);
    return out;
}
#endif

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static int in_order(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double part_of(const double *sorted, int count, double part) {
    int i = (int)ceil(part * count) - 1;
    return sorted[i < 0 ? 0 : i];
}

static void put_row(BenchRun *run, const char *engine, const Outcome *outcomes, int count, int own) {
    double ms[PROBLEMS], length = 0.0, duration = 0.0;
    int solved = 0, touches = 0;
    for (int i = 0; i < count; ++i) {
        ms[i] = outcomes[i].ms;
        solved += outcomes[i].solved;
        touches += outcomes[i].touches;
        length += outcomes[i].length;
        duration += outcomes[i].duration;
    }
    if (count == 0) return;
    qsort(ms, (size_t)count, sizeof *ms, in_order);
    double by = solved ? 1.0 / solved : 0.0;
    double row[5] = {part_of(ms, count, 0.5), part_of(ms, count, 0.95), ms[count - 1], length * by, duration * by};
    char time[20] = ""; /* of a path without a clock: none */
    if (duration > 0.0) snprintf(time, sizeof time, "%.3f", row[4]);
    printf("%-36s %-26s %4d of %-4d %9.3f %9.3f %9.3f %8.2f %8s %5d\n", run->name, engine, solved, count, row[0],
        row[1], row[2], row[3], time[0] ? time : "-", touches);
    fflush(stdout);
    if (run->csv)
        fprintf(run->csv, "\"%s\",\"%s\",%d,%d,%.3f,%.3f,%.3f,%.3f,%s,%d\n", run->name, engine, count, solved, row[0],
            row[1], row[2], row[3], time, touches);
    run->wrong += own ? touches : 0;
    run->failed += own ? count - solved : 0;
}

/* An engine on all problems, or as many as its time allows; best of the rounds. */
static void report(BenchRun *run, const Family *f, const char *engine,
    Outcome (*ask)(const Family *, const PlanFamilyProblem *), double seconds) {
    Outcome outcomes[PROBLEMS];
    double end = bench_spent() + seconds;
    int count = 0, own = isinf(seconds);
    for (; count < f->count && bench_spent() < end; ++count) {
        outcomes[count] = ask(f, &f->problems[count]);
        for (int k = 1; own && k < run->repeat && k < 3; ++k)
            outcomes[count].ms = fmin(outcomes[count].ms, ask(f, &f->problems[count]).ms);
    }
    put_row(run, engine, outcomes, count, own);
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

static void draw(Family *f, int number) {
    AbutRng rng = abut_rng(90, (uint64_t)number);
    double end = bench_spent() + DRAWING;
    AbutError error;
    for (int i = 0; f->count < PROBLEMS && bench_spent() < end; ++i) {
        AbutStatus status =
            plan_family_draw(&f->robot, number % PLAN_FAMILIES, i & 1, &rng, &f->problems[f->count], &error);
        if (status == ABUT_ERROR_EMPTY) continue;
        bench_require(status, &error);
        ++f->count;
    }
}

static void make_map(Family *f) {
    enum { POSTURES = 3000 };
    AbutPlanSettings s = abut_plan_settings_default();
    AbutPlanProblem *alone;
    AbutError error;
    bench_require(abut_plan_robot_problem(f->robot.half, NULL, &f->robot.def, &alone, &error), &error);
    bench_require(abut_roadmap_create(alone, POSTURES, &s, &f->map, &error), &error);
    abut_plan_problem_free(alone);
}

static void run_family(BenchRun *run, int number) {
    Family *f = bench_memory(1, sizeof *f);
    AbutError error;
    memset(f, 0, sizeof *f);
    bench_require(plan_family_robot_make(robots[number / PLAN_FAMILIES], &f->robot, &error), &error);
    draw(f, number);
    make_map(f);
    report(run, f, "abut, fast", ask_fast, INFINITY);
    report(run, f, "abut, good", ask_good, INFINITY);
    report(run, f, "abut, fast with a roadmap", ask_map, INFINITY);
#ifdef BENCH_HAVE_OMPL
    report(run, f, "OMPL 1.5, FCL", ask_ompl, PEER_ALL);
#endif
    for (int i = 0; i < f->count; ++i) plan_family_problem_free(&f->problems[i]);
    abut_roadmap_free(&f->map);
    plan_family_robot_free(&f->robot);
    free(f);
}

#define ROW(robot, family, name)                                                                                       \
    { "families/" name, run_family, (robot)*PLAN_FAMILIES + (family) }
static const BenchCase cases[] = {ROW(0, 0, "arm6/shelf of two boards"), ROW(0, 1, "arm6/tall shelf"),
    ROW(0, 2, "arm6/thin shelf"), ROW(0, 3, "arm6/open box"), ROW(0, 4, "arm6/cage"), ROW(0, 5, "arm6/table"),
    ROW(0, 6, "arm6/under the table"), ROW(1, 0, "arm7/shelf of two boards"), ROW(1, 1, "arm7/tall shelf"),
    ROW(1, 2, "arm7/thin shelf"), ROW(1, 3, "arm7/open box"), ROW(1, 4, "arm7/cage"), ROW(1, 5, "arm7/table"),
    ROW(1, 6, "arm7/under the table"), ROW(2, 0, "two arms/shelf of two boards"), ROW(2, 5, "two arms/table"),
    ROW(3, 0, "humanoid/shelf of two boards"), ROW(3, 4, "humanoid/cage")};

static const char heading[] =
    "case                                 engine                          solved        ms      95 %     worst   "
    "length duration touch";

const BenchList bench_families_list = {cases, sizeof cases / sizeof cases[0], 1, heading,
    "case,engine,problems,solved,median ms,95 % ms,worst ms,length,duration s,touch"};
