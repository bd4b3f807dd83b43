/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans through contact: found, balanced by an independent path, arriving in simulation; the same for the same seed;
 * tasks that cannot be done, and tasks that are refused. Few seeds in a normal run, twenty at full counts.
 */
#include "abut/solid.h"
#include "manipulation/manip.h"
#include "support/check.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct Score {
    int planned, arrives, places, unbalanced;
} Score;

static void run_task(
    const char *name, int seeds, const AbutManipOptions *usual, const AbutManipTrial *trial, Score *out) {
    memset(out, 0, sizeof *out);
    for (int k = 0; k < seeds; ++k) {
        AbutManipTask task;
        AbutModel *model;
        AbutManipPlan plan;
        AbutManipReport report, run;
        AbutError error;
        AbutManipOptions options = *usual;
        options.seed = 200 + (uint64_t)k;
        assert_int_equal(abut_manip_task_build(name, &task, &model, &error), ABUT_OK);
        assert_int_equal(abut_manip_plan(&task, &options, &plan, &error), ABUT_OK);
        assert_int_equal(plan.found, plan.motion_count > 0);
        out->planned += plan.found;
        if (plan.found) {
            assert_int_equal(abut_manip_check(&task, &plan, &report, &error), ABUT_OK);
            out->places += report.places;
            out->unbalanced += report.unbalanced;
            assert_int_equal(abut_manip_execute(&task, &plan, trial, &run, &error), ABUT_OK);
            out->arrives += run.arrives;
        }
        abut_manip_plan_free(&plan);
        abut_model_free(model);
    }
}

static int seeds(void) {
    int n = check_cases(2);
    return n < 20 ? n : 20;
}

/* Every task is planned; of those that a single grasp does, all arrive. */
static void test_tasks_arrive(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double planned, arrive;
    } wanted[] = {{"push", 1.0, 0.95}, {"tumble", 1.0, 0.95}, {"book", 1.0, 0.9}, {"peg", 1.0, 0.9},
        {"plate", 0.95, 0.9}, {"pivot", 0.95, 0.85}, {"flip", 0.75, 0.5}, {"topple", 0.95, 0.5}};
    AbutManipOptions options = {.attempts = 4000};
    int n = seeds(), places = 0, unbalanced = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; ++i) {
        Score s;
        run_task(wanted[i].name, n, &options, NULL, &s);
        print_message("%s: %d of %d planned, %d arrive, %d of %d places unbalanced\n", wanted[i].name, s.planned, n,
            s.arrives, s.unbalanced, s.places);
        assert_true(s.planned >= (int)(wanted[i].planned * n));
        assert_true(s.arrives >= (int)(wanted[i].arrive * n));
        places += s.places, unbalanced += s.unbalanced;
    }
    assert_true(unbalanced <= 0.01 * places);
}

/* Friction and mass wrong by 20 %: most plans arrive all the same. */
static void test_robust(void **state) {
    (void)state;
    AbutManipOptions options = {.attempts = 4000};
    Score s;
    int arrives = 0, n = seeds();
    for (int k = 0; k < 4; ++k) {
        AbutManipTrial trial = {.friction = k == 0   ? 0.8
                                            : k == 1 ? 1.2
                                                     : 1.0,
            .mass = k == 2   ? 0.8
                    : k == 3 ? 1.2
                             : 1.0};
        run_task("push", n, &options, &trial, &s);
        arrives += s.arrives;
    }
    assert_true(arrives >= 4 * n * 8 / 10);
}

/* Without the test of jams plans are found that do not arrive: it is what makes them hold. */
static void test_the_jam_test_guards(void **state) {
    (void)state;
    int n = seeds() < 4 ? 4 : seeds();
    AbutManipOptions with = {.attempts = 4000}, without = {.attempts = 4000, .jam_test = 1};
    Score good, bad;
    run_task("peg-down", n, &with, NULL, &good);
    run_task("peg-down", n, &without, NULL, &bad);
    print_message("peg-down: %d of %d arrive, %d without the jam test\n", good.arrives, n, bad.arrives);
    assert_true(good.arrives >= n / 2);
    assert_true(bad.planned > n / 2 && bad.arrives < good.arrives && bad.arrives <= n / 4);
}

static void test_same_seed_same_plan(void **state) {
    (void)state;
    AbutManipTask task;
    AbutModel *model;
    AbutManipPlan a, b;
    AbutError error;
    AbutManipOptions options = {.seed = 3};
    assert_int_equal(abut_manip_task_build("tumble", &task, &model, &error), ABUT_OK);
    assert_int_equal(abut_manip_plan(&task, &options, &a, &error), ABUT_OK);
    assert_int_equal(abut_manip_plan(&task, &options, &b, &error), ABUT_OK);
    assert_int_equal(a.step_count, b.step_count);
    assert_memory_equal(a.poses, b.poses, (size_t)a.step_count * sizeof *a.poses);
    assert_int_equal(a.motion_count, b.motion_count);
    assert_memory_equal(a.motions, b.motions, (size_t)a.motion_count * sizeof *a.motions);
    abut_manip_plan_free(&a);
    abut_manip_plan_free(&b);
    abut_model_free(model);
}

typedef struct Worker {
    pthread_t thread;
    AbutManipTask task;
    AbutModel *model;
    AbutManipPlan plan;
    AbutManipReport checked, run;
} Worker;

static void *work(void *user) {
    Worker *w = user;
    AbutManipOptions options = {.seed = 11};
    AbutManipTrial trial = {.friction = 1.1};
    AbutError error;
    if (abut_manip_task_build("peg-down", &w->task, &w->model, &error) == ABUT_OK &&
        abut_manip_plan(&w->task, &options, &w->plan, &error) == ABUT_OK &&
        abut_manip_check(&w->task, &w->plan, &w->checked, &error) == ABUT_OK)
        abut_manip_execute(&w->task, &w->plan, &trial, &w->run, &error);
    return NULL;
}

/* Alone, and four at once on threads of the caller: the same plan, balance and simulation, bit by bit. */
static void test_same_bits_on_any_threads(void **state) {
    (void)state;
    enum { WORKERS = 5 };
    Worker w[WORKERS];
    memset(w, 0, sizeof w);
    work(&w[0]);
    assert_true(w[0].plan.found);
    for (int i = 1; i < WORKERS; ++i) assert_int_equal(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
    for (int i = 1; i < WORKERS; ++i) {
        assert_int_equal(pthread_join(w[i].thread, NULL), 0);
        const AbutManipPlan *a = &w[0].plan, *b = &w[i].plan;
        assert_int_equal(a->motion_count, b->motion_count);
        assert_int_equal(a->step_count, b->step_count);
        assert_int_equal(a->corner_count, b->corner_count);
        assert_int_equal(a->modes, b->modes);
        assert_memory_equal(a->motions, b->motions, (size_t)a->motion_count * sizeof *a->motions);
        assert_memory_equal(a->poses, b->poses, (size_t)a->step_count * sizeof *a->poses);
        assert_memory_equal(a->corners, b->corners, (size_t)a->corner_count * sizeof *a->corners);
        assert_memory_equal(&w[0].checked, &w[i].checked, sizeof w[i].checked);
        assert_memory_equal(&w[0].run, &w[i].run, sizeof w[i].run);
    }
    for (int i = 0; i < WORKERS; ++i) {
        abut_manip_plan_free(&w[i].plan);
        abut_model_free(w[i].model);
    }
}

typedef struct Watched {
    int moments, held, mode_changes, pushing;
    int32_t contacts;
    double least, most_force;
} Watched;

static int watch(const AbutManipMoment *now, void *user) {
    Watched *w = user;
    ++w->moments;
    w->held += now->margin > 0.0;
    w->least = fmin(w->least, now->margin);
    w->contacts = now->sticking + now->sliding + now->separating;
    w->pushing += now->sliding > 0;
    for (int i = 0; i < 2; ++i) w->most_force = fmax(w->most_force, abut_length(now->force[i]));
    return 0;
}

/* A box on a table has four contacts, some slide while it is pushed; forces stay below their limit, every place holds.
 */
static void test_moments(void **state) {
    (void)state;
    AbutManipTask task;
    AbutModel *model;
    AbutManipPlan plan;
    AbutManipReport with = {0}, without = {0};
    AbutError error;
    AbutManipOptions options = {.seed = 4};
    Watched w = {.least = INFINITY};
    AbutManipTrial trial = {.watch = watch, .user = &w};
    assert_int_equal(abut_manip_task_build("push", &task, &model, &error), ABUT_OK);
    assert_int_equal(abut_manip_plan(&task, &options, &plan, &error), ABUT_OK);
    assert_int_equal(abut_manip_execute(&task, &plan, &trial, &with, &error), ABUT_OK);
    assert_int_equal(abut_manip_execute(&task, &plan, NULL, &without, &error), ABUT_OK);
    assert_memory_equal(&with, &without, sizeof with); /* watching changes nothing */
    assert_true(with.arrives && with.off_distance < 1e-3 && with.off_distance <= with.most_distance);
    assert_int_equal(w.contacts, 4);
    assert_int_equal(w.held, w.moments);
    assert_true(w.least > 0.0 && w.least < 10.0 && w.pushing > w.moments / 10);
    assert_true(w.most_force > 0.4 && w.most_force < task.force * sqrt(1.0 + 0.64) + 1e-6);
    abut_manip_plan_free(&plan);
    abut_model_free(model);
}

/* The table is taken away: the object falls, and the simulation ends soon. */
static void test_what_is_lost_stays_lost(void **state) {
    (void)state;
    AbutManipTask task;
    AbutModel *model;
    AbutManipPlan plan;
    AbutManipReport report;
    AbutError error;
    AbutManipOptions options = {.seed = 4};
    assert_int_equal(abut_manip_task_build("push", &task, &model, &error), ABUT_OK);
    assert_int_equal(abut_manip_plan(&task, &options, &plan, &error), ABUT_OK);
    assert_true(plan.found);
    ((AbutBodyDef *)(uintptr_t)&model->bodies[0])->pose.p.z -= 50.0;
    assert_int_equal(abut_manip_execute(&task, &plan, NULL, &report, &error), ABUT_OK);
    assert_true(!report.arrives && report.motion >= 0 && report.time < 3.0 && report.off_distance < 5.0);
    abut_manip_plan_free(&plan);
    abut_model_free(model);
}

/* Two fingers that are too weak to lift: no plan, and how near the search came. */
static void test_what_cannot_be_done(void **state) {
    (void)state;
    AbutManipTask task;
    AbutModel *model;
    AbutManipPlan plan;
    AbutManipReport report;
    AbutError error;
    AbutManipOptions options = {.seed = 1, .attempts = 60};
    assert_int_equal(abut_manip_task_build("push", &task, &model, &error), ABUT_OK);
    task.goal.p = abut_vec3(0.0, 0.0, 0.2);
    assert_int_equal(abut_manip_plan(&task, &options, &plan, &error), ABUT_OK);
    assert_int_equal(plan.found, 0);
    assert_int_equal(plan.attempts, 60);
    assert_int_equal(plan.motion_count, 0);
    assert_true(plan.left > 0.1 && plan.left < 0.3);
    assert_int_equal(abut_manip_check(&task, &plan, &report, &error), ABUT_OK);
    assert_int_equal(report.places, 0);
    assert_int_equal(abut_manip_execute(&task, &plan, NULL, &report, &error), ABUT_OK);
    assert_int_equal(report.arrives, 0);
    abut_manip_plan_free(&plan);
    abut_model_free(model);
}

/* At the goal already: a plan without motions is not needed. */
static void test_nothing_to_do(void **state) {
    (void)state;
    AbutManipTask task;
    AbutModel *model;
    AbutManipPlan plan;
    AbutError error;
    assert_int_equal(abut_manip_task_build("push", &task, &model, &error), ABUT_OK);
    task.goal = model->bodies[task.object].pose;
    assert_int_equal(abut_manip_plan(&task, NULL, &plan, &error), ABUT_OK);
    assert_int_equal(plan.found, 1);
    assert_int_equal(plan.motion_count, 0);
    abut_manip_plan_free(&plan);
    abut_model_free(model);
}

/* Does a ball that moves along a line come nearer than `level` to a shape, by the time of impact? */
static int hits(const AbutManip *m, const AbutManipShape *shape, AbutPose at, AbutVec3 a, AbutVec3 b, double level) {
    AbutConvex ball = abut_convex_point(abut_zero(), m->task->finger_radius);
    AbutMover still = {abut_solid_convex(&shape->convex), abut_motion_static(at)};
    AbutMover moved = {
        abut_solid_convex(&ball), abut_motion_translation(abut_pose(a, abut_quat_identity()), abut_sub(b, a))};
    AbutImpactDef def = {.from = 0.0, .to = 1.0, .level = level};
    return abut_time_of_impact(&still, &moved, &def).outcome != ABUT_IMPACT_NONE;
}

static int check_way(const AbutManip *m, AbutPose x, const AbutVec3 *corner, int32_t count) {
    assert_true(count >= 2);
    for (int32_t k = 0; k + 1 < count; ++k) {
        for (int32_t j = 0; j < m->wall_count; ++j)
            assert_false(hits(m, &m->wall[j], m->wall[j].pose, corner[k], corner[k + 1], 0.9e-3));
        for (int32_t i = 0; i < m->part_count; ++i) {
            int end = k + 2 == count || (k == 0 && abut_length(abut_sub(corner[1], corner[0])) < 0.02);
            AbutPose at = abut_pose_mul(x, m->part[i].pose);
            assert_false(hits(m, &m->part[i], at, corner[k], corner[k + 1], end ? -1e-4 : 0.9e-3));
        }
    }
    return count - 1;
}

/* By another path: the time of impact of a ball that goes the ways of fingers, with everything. */
static void test_ways_touch_nothing(void **state) {
    (void)state;
    static const char *const names[] = {"tumble", "peg-down", "topple", "book"};
    int lines = 0;
    for (size_t t = 0; t < sizeof names / sizeof names[0]; ++t) {
        AbutManipTask task;
        AbutModel *model;
        AbutManipPlan plan;
        AbutManip m;
        AbutError error;
        AbutManipOptions options = {.seed = 3};
        assert_int_equal(abut_manip_task_build(names[t], &task, &model, &error), ABUT_OK);
        assert_int_equal(abut_manip_plan(&task, &options, &plan, &error), ABUT_OK);
        assert_int_equal(abut_manip_setup(&task, 1, &m, &error), ABUT_OK);
        assert_true(plan.found && plan.motion_count > 0);
        AbutPose x = m.start;
        AbutVec3 at[ABUT_MANIP_FINGERS];
        int known[ABUT_MANIP_FINGERS] = {0};
        for (int32_t k = 0; k < plan.motion_count; ++k) {
            const struct AbutManipMotion *motion = &plan.motions[k];
            for (int32_t i = 0; i < motion->relocation_count; ++i) {
                const AbutVec3 *corner = plan.corners + motion->first_corner[i];
                int32_t finger = motion->relocation[i], count = motion->corner_count[i];
                lines += check_way(&m, x, corner, count);
                if (known[finger]) CHECK_VEC_NEAR(corner[0], at[finger], 1e-9); /* it begins where the finger is */
                known[finger] = 1;
            }
            x = abut_manip_center_pose(&m, plan.poses[motion->first_step + motion->step_count - 1]);
            for (int32_t f = 0; f < task.fingers; ++f) {
                if (motion->finger[f] < 0) {
                    known[f] = 0;
                    continue;
                }
                const struct AbutManipPoint *p = &plan.points[motion->finger[f]];
                AbutVec3 local = abut_add_scaled(abut_sub(p->point, m.center), p->normal, -task.finger_radius);
                at[f] = abut_pose_apply(x, local);
            }
        }
        abut_manip_free(&m);
        abut_manip_plan_free(&plan);
        abut_model_free(model);
    }
    assert_true(lines > 20);
}

static void refused(const AbutManipTask *task, const char *text) {
    AbutManipPlan plan;
    AbutError error;
    assert_int_not_equal(abut_manip_plan(task, NULL, &plan, &error), ABUT_OK);
    if (!strstr(error.text, text)) fail_msg("'%s' does not say '%s'", error.text, text);
    assert_null(plan.memory);
}

static void test_refusals(void **state) {
    (void)state;
    AbutManipTask task, t;
    AbutModel *model, *none;
    AbutError error;
    assert_int_equal(abut_manip_task_build("book", &task, &model, &error), ABUT_OK);
    assert_int_not_equal(abut_manip_task_build("boko", &t, &none, &error), ABUT_OK);
    assert_non_null(strstr(error.text, "expected one of push, pivot"));
    t = task, t.fingers = 4;
    refused(&t, "fingers of a task: expected 1 to 3, got 4");
    t = task, t.model = NULL;
    refused(&t, "expected a model, got NULL");
    t = task, t.object = 99;
    refused(&t, "object of a task: expected a body from 0 to 4, got 99");
    t = task, t.object = 0;
    refused(&t, "expected a dynamic body, got a static one");
    t = task, t.goal.p.x = NAN;
    refused(&t, "goal of a task: expected a finite pose");
    t = task, t.force = -1.0;
    refused(&t, "force of a task: expected a number above 0, got -1");
    t = task, t.high.x = t.low.x - 1.0;
    refused(&t, "expected a box with low <= high");
    t = task, t.angle_low = INFINITY;
    refused(&t, "angle_low, angle_high of a task: expected a range");
    t = task, t.forbidden_count = 5;
    refused(&t, "forbidden_count of a task: expected 0 to 4, got 5");
    ((AbutBodyDef *)(uintptr_t)&model->bodies[task.object])->pose.p.z -= 0.01;
    refused(&task, "expected an object that overlaps nothing");
    abut_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tasks_arrive),
        cmocka_unit_test(test_robust),
        cmocka_unit_test(test_the_jam_test_guards),
        cmocka_unit_test(test_same_seed_same_plan),
        cmocka_unit_test(test_same_bits_on_any_threads),
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_what_is_lost_stays_lost),
        cmocka_unit_test(test_ways_touch_nothing),
        cmocka_unit_test(test_what_cannot_be_done),
        cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
