/* SPDX-License-Identifier: Apache-2.0 */
/* The bound over intervals and the certificate, against dense samples. */
#include "plan_support.h"

#include "proof/certify.h"

/* Boxes around the robot, some of them thin. */
static AbutModel *clutter(AbutRng *rng, int count) {
    AbutModel *model = no_obstacles();
    for (int i = 0; i < count; ++i) {
        char name[20];
        AbutVec3 at = abut_vec3(
            abut_rng_between(rng, -0.8, 0.8), abut_rng_between(rng, -0.8, 0.8), abut_rng_between(rng, 0.1, 1.2));
        AbutVec3 half = abut_vec3(
            abut_rng_between(rng, 0.004, 0.1), abut_rng_between(rng, 0.004, 0.1), abut_rng_between(rng, 0.05, 0.3));
        snprintf(name, sizeof name, "box%d", i);
        add_box(model, name, abut_pose(at, abut_random_quat(rng)), half);
    }
    return model;
}

/* ---- the bound --------------------------------------------------------------------------------------------------- */

/* The least distance of an item over an interval, by samples. */
static double sampled(const AbutPlanProblem *p, const AbutPlanItem *item, const AbutTrajectory *t, int32_t piece,
    double from, double to, AbutPlanMoment *m) {
    enum { SAMPLES = 25 };
    double least = INFINITY;
    for (int i = 0; i < SAMPLES; ++i) {
        double x = from + (to - from) * i / (SAMPLES - 1);
        abut_plan_moment_set(p, t, piece, x, x, m);
        least = fmin(least, abut_plan_item_distance(p, item, &m->at, NULL).distance);
    }
    return least;
}

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Never above the truth, for the normal and for any direction; the gap is of second order. */
static void bounds_hold(void **state) {
    (void)state;
    static const char *const robots[] = {"arm6", "gripper", "biped", "hand16", "planar-arm:5"};
    enum { WIDTHS = 4, MOST = 20000 };
    static double gap[WIDTHS][MOST];
    AbutRng rng = abut_rng(11, 0);
    int count = 0, trials = check_cases(60);
    for (int r = 0; r < 5; ++r) {
        World w = make_world(robots[r], clutter(&rng, 4), NULL);
        const AbutPlanProblem *p = w.problem;
        void *memory = abut_alloc(2 * abut_plan_moment_size(&p->tree));
        AbutPlanMoment m = abut_plan_moment_in(&p->tree, memory);
        for (int trial = 0; trial < trials; ++trial) {
            AbutTrajectory t = random_trajectory(&rng, &w, (AbutInterpolation)(trial % 3), 2);
            const AbutPlanItem *item = &p->items[abut_rng_below(&rng, (uint32_t)p->item_count)];
            double x = abut_rng_between(&rng, 0.05, 0.95);
            for (int k = 0; k < WIDTHS; ++k) {
                double h = 0.04 / (1 << k), low = sampled(p, item, &t, 0, x - h, x + h, &m);
                abut_plan_moment_set(p, &t, 0, x - h, x + h, &m);
                double bend = abut_plan_item_bend(p, item, &m);
                AbutVec3 n = abut_plan_item_distance(p, item, &m.at, NULL).normal;
                AbutVec3 any = p->pieces[item->b].flat ? n : abut_random_direction(&rng);
                double bound = abut_plan_item_bound(p, item, &m, n, bend);
                CHECK(bound <= low + 1e-10);
                CHECK(abut_plan_item_bound(p, item, &m, any, bend) <= low + 1e-10);
                if (count < MOST) gap[k][count] = low - bound;
            }
            ++count;
            abut_trajectory_free(&t);
        }
        abut_free(memory);
        free_world(&w);
    }
    count = count < MOST ? count : MOST;
    for (int k = 0; k < WIDTHS; ++k) qsort(gap[k], (size_t)count, sizeof gap[k][0], by_number);
    for (int k = 1; k < WIDTHS && count > 100; ++k) {
        double ratio = gap[k - 1][count / 2] / gap[k][count / 2];
        CHECK(ratio > 3.0 && ratio < 9.0);
    }
}

/* ---- the certificate --------------------------------------------------------------------------------------------- */

/* Looks for a posture that is not farther than `level`; gives the least distance. */
static double dense_least(const World *w, const AbutTrajectory *t, int samples) {
    double joints[PLAN_JOINTS], least = INFINITY;
    AbutError error;
    for (int i = 0; i <= samples; ++i) {
        AbutPlanNear near;
        double from = t->times[0], to = t->times[t->piece_count];
        abut_trajectory_value(t, from + (to - from) * i / samples, 0, joints);
        good(abut_plan_nearest(w->problem, joints, &near, NULL, &error), &error);
        least = fmin(least, near.distance);
    }
    return least;
}

static void answers_agree_with_samples(void **state) {
    (void)state;
    static const char *const robots[] = {"arm6", "planar-arm:3", "gripper", "biped"};
    AbutRng rng = abut_rng(12, 0);
    int clear = 0, contact = 0, trials = check_cases(24);
    for (int r = 0; r < 4; ++r) {
        World w = make_world(robots[r], clutter(&rng, 2), NULL);
        AbutPairCertificate pairs[400];
        AbutError error;
        for (int trial = 0; trial < trials; ++trial) {
            AbutTrajectory t = random_trajectory(&rng, &w, (AbutInterpolation)(trial % 3), 2 + trial % 3);
            AbutCertifyDef def = {trial % 2 ? 0.0 : 0.01, 0, 0};
            AbutCertificate x;
            double joints[PLAN_JOINTS], least = dense_least(&w, &t, 120);
            good(abut_plan_certify(w.problem, &t, &def, &x, pairs, &error), &error);
            assert_true(x.status != ABUT_CERTIFICATE_UNDECIDED);
            CHECK(x.pair >= 0);
            abut_trajectory_value(&t, x.t, 0, joints);
            CHECK_NEAR(link_distance(&w, joints, abut_plan_pair(w.problem, x.pair)), x.ub, 1e-9);
            if (x.status == ABUT_CERTIFICATE_CLEAR) {
                CHECK(least > def.level && x.lb > def.level && x.lb <= least + 1e-9);
                ++clear;
            } else {
                CHECK(x.ub <= def.level);
                ++contact;
            }
            abut_trajectory_free(&t);
        }
        free_world(&w);
    }
    CHECK(trials < 20 || (clear > trials / 10 && contact > trials / 10));
}

/*
 * An arm swings past rows at which it is clear, and through a thin bar between two of them: found every time. The bar
 * stands where a point of the last link is at a time of its own between the rows.
 */
static void overlaps_between_samples_are_found(void **state) {
    (void)state;
    AbutRng rng = abut_rng(13, 0);
    AbutError error;
    int planted = 0;
    for (int trial = 0; trial < check_cases(40); ++trial) {
        World bare = make_world("planar-arm:3", NULL, NULL);
        AbutTrajectory t = random_trajectory(&rng, &bare, (AbutInterpolation)(trial % 3), 4);
        double joints[PLAN_JOINTS], at = t.times[1] + abut_rng_between(&rng, 0.3, 0.7) * (t.times[2] - t.times[1]);
        AbutPose poses[20];
        abut_trajectory_value(&t, at, 0, joints);
        good(abut_plan_link_poses(bare.problem, joints, poses, &error), &error);
        AbutVec3 point = abut_pose_apply(
            poses[find_link(bare.problem, "link2")], abut_vec3(abut_rng_between(&rng, 0.1, 0.39), 0, 0));
        AbutModel *bar = no_obstacles();
        add_box(bar, "bar", abut_pose(point, abut_quat_identity()), abut_vec3(0.002, 0.5, 0.002));
        World w = make_world("planar-arm:3", bar, NULL);
        AbutPair only = {find_link(w.problem, "link2"), find_link(w.problem, "bar")};
        int visible = 0;
        for (int32_t k = 0; k <= t.piece_count; ++k) {
            abut_trajectory_value(&t, t.times[k], 0, joints);
            visible |= link_distance(&w, joints, only) <= 0.0;
        }
        AbutCertifyDef def = {0.0, 0, 0};
        AbutCertificate x;
        AbutPairCertificate pairs[100];
        good(abut_plan_certify(w.problem, &t, &def, &x, pairs, &error), &error);
        assert_int_equal(x.status, ABUT_CERTIFICATE_CONTACT);
        for (int32_t i = 0; i < abut_plan_pair_count(w.problem); ++i) {
            AbutPair links = abut_plan_pair(w.problem, i);
            if (links.a == only.a && links.b == only.b) assert_int_equal(pairs[i].status, ABUT_CERTIFICATE_CONTACT);
        }
        planted += !visible;
        abut_trajectory_free(&t);
        free_world(&w);
        free_world(&bare);
    }
    CHECK(planted > 0);
}

/* The same polynomials run through ten times slower: the same bits but for the times. */
static void speed_does_not_matter(void **state) {
    (void)state;
    AbutRng rng = abut_rng(14, 0);
    World w = make_world("arm6", clutter(&rng, 3), NULL);
    AbutError error;
    for (int trial = 0; trial < check_cases(10); ++trial) {
        AbutTrajectory t = random_trajectory(&rng, &w, ABUT_INTERPOLATE_QUINTIC, 3);
        AbutCertifyDef def = {0.001, 0, 0};
        AbutCertificate fast, slow;
        good(abut_plan_certify(w.problem, &t, &def, &fast, NULL, &error), &error);
        for (int32_t i = 0; i <= t.piece_count; ++i) t.times[i] *= 10.0;
        good(abut_plan_certify(w.problem, &t, &def, &slow, NULL, &error), &error);
        CHECK(fast.status == slow.status && fast.pair == slow.pair && fast.lb == slow.lb && fast.bounds == slow.bounds);
        CHECK_NEAR(slow.t, 10.0 * fast.t, 1e-12);
        abut_trajectory_free(&t);
    }
    free_world(&w);
}

/* The band is below the distance, and its least value below every sample. */
static void curves_have_a_band(void **state) {
    (void)state;
    enum { CELLS = 40 };
    AbutRng rng = abut_rng(16, 0);
    World w = make_world("arm6", clutter(&rng, 2), NULL);
    AbutTrajectory t = random_trajectory(&rng, &w, ABUT_INTERPOLATE_QUINTIC, 3);
    static AbutClearanceSample samples[2 * CELLS];
    double joints[PLAN_JOINTS];
    AbutError error;
    for (int32_t pair = 0; pair < abut_plan_pair_count(w.problem); pair += 5) {
        double gap = 0.0;
        good(abut_plan_curve(w.problem, &t, pair, CELLS, samples, &error), &error);
        for (int i = 0; i < 2 * CELLS; ++i) {
            const AbutClearanceSample *s = &samples[i];
            CHECK(s->from < s->t && s->t < s->to && (i == 0 || s->from == samples[i - 1].to));
            for (int k = 0; k <= 4; ++k) {
                abut_trajectory_value(&t, s->from + (s->to - s->from) * k / 4, 0, joints);
                double d = link_distance(&w, joints, abut_plan_pair(w.problem, pair));
                CHECK(s->lb <= d + 1e-9);
                if (k == 2) CHECK_NEAR(d, s->d, 1e-9);
            }
            gap = fmax(gap, s->d - s->lb);
        }
        CHECK(gap < 0.2);
    }
    abut_trajectory_free(&t);
    free_world(&w);
}

/* At the level all the time: neither can be shown, and the search ends. */
static void touching_is_undecided(void **state) {
    (void)state;
    AbutModel *shelf = no_obstacles();
    add_box(shelf, "shelf", abut_pose(abut_vec3(0, 0, 2.0), abut_quat_identity()), abut_vec3(1, 1, 0.1));
    World w = make_world("gripper", shelf, NULL);
    double times[2] = {0, 1}, q[6] = {0.1, 0, 0, 0.1, 0, 0}, joints[8];
    AbutJointSamples samples = {3, 2, times, q, NULL, NULL};
    AbutTrajectory t;
    AbutPlanNear near;
    AbutCertificate x;
    AbutError error;
    good(abut_trajectory_interpolate(ABUT_INTERPOLATE_LINEAR, &samples, &t, &error), &error);
    abut_trajectory_value(&t, 0.5, 0, joints);
    good(abut_plan_nearest(w.problem, joints, &near, NULL, &error), &error);
    AbutCertifyDef def = {near.distance - 1e-13, 20000, 0};
    good(abut_plan_certify(w.problem, &t, &def, &x, NULL, &error), &error);
    assert_int_equal(x.status, ABUT_CERTIFICATE_UNDECIDED);
    CHECK(x.bounds < 30000);
    abut_trajectory_free(&t);
    free_world(&w);
}

/* The largest level that is proved, to 1e-11 m. */
static double highest_level(const World *w, const AbutTrajectory *t) {
    double low = 0.0, high = 2.0;
    while (high - low > 1e-11) {
        AbutCertifyDef def = {0.5 * (low + high), 200000, 0};
        AbutCertificate x;
        AbutError error;
        good(abut_plan_certify(w->problem, t, &def, &x, NULL, &error), &error);
        *(x.status == ABUT_CERTIFICATE_CLEAR ? &low : &high) = def.level;
    }
    return low;
}

/* Angles of many turns are known to few digits: no more is proved of them than of the same motion within one turn. */
static void many_turns_prove_no_more(void **state) {
    (void)state;
    static const double starts[] = {3.0, 2e7, 499999996.0, 600000000.0, 900000003.0};
    AbutModel *pole = no_obstacles();
    add_box(pole, "pole", abut_pose(abut_vec3(0.9, 0.7, 0.6), abut_quat_identity()), abut_vec3(0.05, 0.05, 0.6));
    AbutPlanDef def = abut_plan_def_default();
    World w = make_world("arm6", pole, NULL);
    AbutPair only = {abut_model_find(w.robot, ABUT_MODEL_BODY, "flange"), w.robot->body_count};
    AbutError error;
    abut_plan_problem_free(w.problem);
    def.only_count = 1;
    def.only = &only;
    good(abut_plan_problem_create(w.c, pole, &def, &w.problem, &error), &error);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; ++i) {
        double times[2] = {0, 1}, q[12] = {starts[i], 0.9, 0.6, 0, 0, 0, starts[i] + 0.013, 0.9, 0.6, 0, 0, 0};
        double v[12] = {0.37, 0, 0, 0, 0, 0, -0.41, 0, 0, 0, 0, 0};
        AbutJointSamples samples = {6, 2, times, q, v, NULL};
        AbutTrajectory t;
        good(abut_trajectory_interpolate(ABUT_INTERPOLATE_CUBIC, &samples, &t, &error), &error);
        double far = highest_level(&w, &t);
        const long double turn = 6.283185307179586476925286766559005768L;
        t.coefficients[0] = (double)(starts[i] - turn * floorl(starts[i] / turn + 0.5L));
        double near = highest_level(&w, &t);
        CHECK(far <= near + 1e-9);
        CHECK(far >= near - 1e-8 - 5e-14 * starts[i]); /* and not much less */
        abut_trajectory_free(&t);
    }
    free_world(&w);
}

/* A pair that stands still is decided at once, also at the level. */
static void standing_pairs_are_decided_at_once(void **state) {
    (void)state;
    AbutModel *box = no_obstacles();
    add_box(box, "box", abut_pose(abut_vec3(1, 0, 1), abut_quat_identity()), abut_vec3(0.01, 0.01, 0.01));
    World w = make_world("arm6", box, NULL);
    AbutPair only = {find_link(w.problem, "base"), find_link(w.problem, "box")};
    AbutPlanDef def = abut_plan_def_default();
    def.only = &only;
    def.only_count = 1;
    AbutPlanProblem *one;
    AbutError error;
    good(abut_plan_problem_create(w.c, box, &def, &one, &error), &error);
    AbutRng rng = abut_rng(17, 0);
    AbutTrajectory t = random_trajectory(&rng, &w, ABUT_INTERPOLATE_CUBIC, 3);
    double joints[PLAN_JOINTS];
    abut_trajectory_value(&t, t.times[0], 0, joints);
    double apart = link_distance(&w, joints, only);
    const double levels[3] = {0.9 * apart, apart - 1e-13, 1.1 * apart};
    for (int i = 0; i < 3; ++i) {
        AbutCertifyDef level = {levels[i], 0, 0};
        AbutCertificate x;
        good(abut_plan_certify(one, &t, &level, &x, NULL, &error), &error);
        assert_int_equal(x.status, i == 0   ? ABUT_CERTIFICATE_CLEAR
                                   : i == 1 ? ABUT_CERTIFICATE_UNDECIDED
                                            : ABUT_CERTIFICATE_CONTACT);
        CHECK(x.bounds <= 4);
    }
    abut_plan_problem_free(one);
    abut_trajectory_free(&t);
    free_world(&w);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    uint8_t held[6] = {0, 1, 0, 0, 0, 0};
    AbutPlanDef held_def = abut_plan_def_default();
    held_def.held = held;
    World w = make_world("arm6", NULL, NULL), h = make_world("arm6", NULL, &held_def);
    AbutRng rng = abut_rng(15, 0);
    AbutTrajectory t = random_trajectory(&rng, &w, ABUT_INTERPOLATE_LINEAR, 3);
    AbutCertifyDef def = {NAN, 0, 0};
    AbutCertificate x;
    AbutError error;
    assert_int_equal(abut_plan_certify(w.problem, &t, &def, &x, NULL, &error), ABUT_ERROR_ARGUMENT);
    def.level = 0.0;
    assert_int_equal(abut_plan_certify(h.problem, &t, &def, &x, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "'upper' is held"));
    t.coefficients[3] = INFINITY;
    assert_int_equal(abut_plan_certify(w.problem, &t, &def, &x, NULL, &error), ABUT_ERROR_NUMBER);
    t.joint_count = 5;
    t.coefficients[3] = 0.0;
    assert_int_equal(abut_plan_certify(w.problem, &t, &def, &x, NULL, &error), ABUT_ERROR_ARGUMENT);
    abut_trajectory_free(&t);
    free_world(&w);
    free_world(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(answers_agree_with_samples),
        cmocka_unit_test(overlaps_between_samples_are_found),
        cmocka_unit_test(speed_does_not_matter),
        cmocka_unit_test(curves_have_a_band),
        cmocka_unit_test(touching_is_undecided),
        cmocka_unit_test(many_turns_prove_no_more),
        cmocka_unit_test(standing_pairs_are_decided_at_once),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
