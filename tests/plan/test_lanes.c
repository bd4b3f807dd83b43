/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of eight intervals: what covering balls call proved is never refuted by distances of the exact bodies at many
 * places; every vector unit gives the same bits; an obstacle of any kind, size and place. */
#include "plan_support.h"

#include "proof/lanes.h"

static const char *const ROBOTS[] = {"arm6", "gripper", "biped", "hand16", "planar-arm:5", "two-arms", "humanoid-mesh"};
enum { ROBOT_COUNT = 7 };

/* Eight random intervals of a trajectory; from[i] to to[i] of its first piece. */
static void set_intervals(
    AbutRng *rng, AbutPlanBlock *block, const AbutTrajectory *t, double level, double *from, double *to) {
    for (int i = 0; i < ABUT_PLAN_LANES; ++i) {
        double width = 0.3 * abut_rng_unit(rng) * abut_rng_unit(rng);
        from[i] = abut_rng_between(rng, 0.0, 1.0 - width);
        to[i] = from[i] + width;
        abut_plan_block_set(block, i, t, 0, from[i], to[i], level);
        block->t.x[i] = (float)i;
    }
    block->active = 0xff;
}

static int is_asked(const AbutPlanBlock *block, int32_t pair, int lane) {
    for (int32_t i = 0; i < block->ask_count; ++i)
        if (block->asks[i].pair == pair && (block->asks[i].lanes >> lane & 1)) return 1;
    return 0;
}

/* Distances of all pairs at places of the interval are above the level and the bound, where the block proves it. */
static void check_lane(const World *w, const AbutPlanBlock *block, int lane, const AbutTrajectory *t, double from,
    double to, double level, int64_t proved[2]) {
    enum { PLACES = 9, PAIRS = 4000 };
    static double distance[PAIRS];
    int32_t pairs = abut_plan_pair_count(w->problem);
    assert_true(pairs <= PAIRS);
    for (int i = 0; i < PLACES; ++i) {
        double joints[PLAN_JOINTS], x = from + (to - from) * i / (PLACES - 1);
        AbutPlanNear near;
        AbutError error;
        abut_trajectory_value(t, t->times[0] + x * (t->times[1] - t->times[0]), 0, joints);
        good(abut_plan_nearest(w->problem, joints, &near, distance, &error), &error);
        for (int32_t k = 0; k < pairs; ++k) {
            if (!w->problem->scene.is_seen[k]) continue;
            int open = is_asked(block, k, lane);
            ++proved[!open];
            if (!open) CHECK(distance[k] > level);
        }
    }
}

static AbutTrajectory draw_motion(AbutRng *rng, const World *w, int far) {
    AbutTrajectory t = random_trajectory(rng, w, ABUT_INTERPOLATE_QUINTIC, 2);
    for (int32_t j = 0; j < t.joint_count && far; ++j) /* many turns away, where angles are known less well */
        if (w->robot->joints[j].kind == ABUT_JOINT_HINGE) abut_trajectory_piece(&t, 0, j)[0] += 2.0 * ABUT_PI * 1e6;
    return t;
}

static void proofs_by_balls_hold(void **state) {
    (void)state;
    AbutRng rng = abut_rng(41, 0);
    int64_t proved[2] = {0, 0};
    for (int r = 0; r < ROBOT_COUNT; ++r) {
        World w = make_world(ROBOTS[r], mixed(&rng, 12), NULL);
        int trials = check_cases(r < 5 ? 8 : 1);
        AbutPlanBlock *block;
        AbutError error;
        good(abut_plan_block_make(w.problem, ABUT_PLAN_BLOCK_BOUNDS, &block, &error), &error);
        for (int trial = 0; trial < trials; ++trial) {
            AbutTrajectory t = draw_motion(&rng, &w, trial % 10 == 9);
            double from[ABUT_PLAN_LANES], to[ABUT_PLAN_LANES], level = trial % 2 ? 0.0 : 0.02;
            set_intervals(&rng, block, &t, level, from, to);
            assert_true(abut_plan_block_run(block));
            for (int i = 0; i < ABUT_PLAN_LANES; ++i) check_lane(&w, block, i, &t, from[i], to[i], level, proved);
            abut_trajectory_free(&t);
        }
        abut_plan_block_free(block);
        free_world(&w);
    }
    CHECK(proved[1] > 2 * proved[0]); /* measured: 4.6 times */
}

static void tight_proofs_hold(void **state) {
    (void)state;
    AbutRng rng = abut_rng(46, 0);
    int trials = check_cases(600);
    int64_t proved[2] = {0, 0};
    for (int r = 0; r < 10; ++r) {
        World w = world_of(balls_on_arms(), mixed(&rng, 5), NULL);
        AbutPlanBlock *block;
        AbutError error;
        good(abut_plan_block_make(w.problem, ABUT_PLAN_BLOCK_BOUNDS, &block, &error), &error);
        for (int trial = 0; trial < trials; ++trial) {
            double q[6], times[2] = {0.0, 1.0}, from[ABUT_PLAN_LANES], to[ABUT_PLAN_LANES];
            AbutJointSamples samples = {3, 2, times, q, NULL, NULL};
            AbutTrajectory t;
            for (int k = 0; k < 6; ++k) q[k] = abut_rng_between(&rng, -3, 3);
            good(abut_trajectory_interpolate(ABUT_INTERPOLATE_LINEAR, &samples, &t, &error), &error);
            set_intervals(&rng, block, &t, 0.0, from, to);
            assert_true(abut_plan_block_run(block));
            for (int i = 0; i < ABUT_PLAN_LANES; ++i) check_lane(&w, block, i, &t, from[i], to[i], 0.0, proved);
            abut_trajectory_free(&t);
        }
        abut_plan_block_free(block);
        free_world(&w);
    }
    CHECK(proved[1] > proved[0]);
}

/* The least bounds that blocks keep are not above the distance anywhere. */
static void bounds_by_balls_hold(void **state) {
    (void)state;
    AbutRng rng = abut_rng(42, 0);
    for (int r = 0; r < ROBOT_COUNT - 1; ++r) {
        World w = make_world(ROBOTS[r], mixed(&rng, 8), NULL);
        int trials = check_cases(r < 5 ? 4 : 1);
        AbutPairCertificate *pairs = abut_alloc_array((size_t)abut_plan_pair_count(w.problem) + 1, sizeof *pairs);
        for (int trial = 0; trial < trials; ++trial) {
            AbutTrajectory t = draw_motion(&rng, &w, 0);
            AbutCertifyDef def = {0.001 * (trial % 3), 0, 0};
            AbutCertificate x;
            AbutError error;
            good(abut_plan_certify(w.problem, &t, &def, &x, pairs, &error), &error);
            for (int i = 0; i <= 60; ++i) {
                static double distance[4000];
                double joints[PLAN_JOINTS];
                AbutPlanNear near;
                abut_trajectory_value(&t, t.times[0] + (t.times[1] - t.times[0]) * i / 60, 0, joints);
                good(abut_plan_nearest(w.problem, joints, &near, distance, &error), &error);
                for (int32_t k = 0; k < abut_plan_pair_count(w.problem); ++k)
                    CHECK(pairs[k].status != ABUT_CERTIFICATE_CLEAR ||
                          (distance[k] >= pairs[k].lb - 1e-12 && pairs[k].ub >= pairs[k].lb));
            }
            abut_trajectory_free(&t);
        }
        abut_free(pairs);
        free_world(&w);
    }
}

static void units_give_the_same_bits(void **state) {
    (void)state;
#if defined(__x86_64__) && defined(__GNUC__)
    if (!__builtin_cpu_supports("avx2")) skip();
    int (*const unit[3])(AbutPlanBlock *) = {abut_plan_block_plain, abut_plan_block_avx2, abut_plan_block_avx512};
    int units = __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") ? 3 : 2;
    AbutRng rng = abut_rng(43, 0);
    for (int r = 0; r < ROBOT_COUNT; ++r) {
        World w = make_world(ROBOTS[r], mixed(&rng, 12), NULL);
        size_t bytes = (size_t)abut_plan_pair_count(w.problem) * sizeof(AbutPlanLane);
        for (int trial = 0; trial < 8; ++trial) {
            AbutPlanBlock *block[3];
            AbutTrajectory t = draw_motion(&rng, &w, trial == 7);
            int answer[3];
            for (int k = 0; k < units; ++k) {
                AbutRng same = abut_rng(44, (uint64_t)trial);
                double from[ABUT_PLAN_LANES], to[ABUT_PLAN_LANES];
                AbutError error;
                good(abut_plan_block_make(w.problem, (AbutPlanBlockMode)(trial % 3), &block[k], &error), &error);
                set_intervals(&same, block[k], &t, 0.001, from, to);
                block[k]->still = trial == 5;
                answer[k] = unit[k](block[k]);
            }
            for (int k = 1; k < units; ++k) {
                assert_int_equal(answer[0], answer[k]);
                assert_int_equal(block[0]->active, block[k]->active);
                assert_int_equal(block[0]->ask_count, block[k]->ask_count);
                for (int32_t i = 0; i < block[0]->ask_count; ++i)
                    assert_memory_equal(&block[0]->asks[i], &block[k]->asks[i], sizeof block[0]->asks[i]);
                if (trial % 3 != ABUT_PLAN_BLOCK_BOUNDS) continue;
                assert_memory_equal(block[0]->lb, block[k]->lb, bytes);
                assert_memory_equal(block[0]->when, block[k]->when, bytes);
            }
            for (int k = 0; k < units; ++k) abut_plan_block_free(block[k]);
            abut_trajectory_free(&t);
        }
        free_world(&w);
    }
#else
    skip();
#endif
}

/* Motions that are not finite prove nothing. */
static void bad_numbers_prove_nothing(void **state) {
    (void)state;
    AbutRng rng = abut_rng(45, 0);
    World w = make_world("arm6", mixed(&rng, 6), NULL);
    AbutTrajectory t = draw_motion(&rng, &w, 0);
    AbutPlanBlock *block;
    AbutError error;
    double from[ABUT_PLAN_LANES], to[ABUT_PLAN_LANES];
    abut_trajectory_piece(&t, 0, 0)[1] = NAN;
    abut_trajectory_piece(&t, 0, 1)[2] = 1e300;
    good(abut_plan_block_make(w.problem, ABUT_PLAN_BLOCK_BOUNDS, &block, &error), &error);
    set_intervals(&rng, block, &t, 0.0, from, to);
    abut_plan_block_run(block);
    for (int32_t k = 0; k < abut_plan_pair_count(w.problem); ++k)
        for (int i = 0; i < ABUT_PLAN_LANES && w.problem->scene.is_seen[k]; ++i) CHECK(is_asked(block, k, i));
    abut_plan_block_free(block);
    abut_trajectory_free(&t);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_by_balls_hold),
        cmocka_unit_test(tight_proofs_hold),
        cmocka_unit_test(bounds_by_balls_hold),
        cmocka_unit_test(units_give_the_same_bits),
        cmocka_unit_test(bad_numbers_prove_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
