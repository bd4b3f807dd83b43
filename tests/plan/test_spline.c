/* SPDX-License-Identifier: Apache-2.0 */
/* Splines against sums, differences and quadrature; steps of the quadratic program against the general one. */
#include "plan_support.h"

#include "plan/planner.h"

static void the_basis_is_one(void **state) {
    (void)state;
    static AbutPlanSpline s;
    for (int32_t points = ABUT_SPLINE_LEAST; points <= ABUT_SPLINE_MOST; ++points) {
        abut_plan_spline_make(points, &s);
        for (int i = 0; i <= 200; ++i) {
            double value[6], sum = 0.0;
            int32_t first = abut_plan_spline_basis(&s, i / 200.0, value);
            assert_true(first >= 0 && first + 6 <= points);
            for (int a = 0; a < 6; ++a) {
                sum += value[a];
                CHECK(value[a] > -1e-12);
            }
            CHECK_NEAR(sum, 1.0, 1e-12);
        }
    }
}

/* From one span to the next four derivatives go on. */
static void spans_join_smoothly(void **state) {
    (void)state;
    static AbutPlanSpline s;
    AbutRng rng = abut_rng(1, 0);
    World w = make_world("planar-arm:2", NULL, NULL);
    double control[14 * 2], a[2], b[2];
    AbutTrajectory t;
    AbutError error;
    abut_plan_spline_make(14, &s);
    for (int i = 0; i < 28; ++i) control[i] = abut_rng_between(&rng, -1, 1);
    good(abut_plan_spline_trajectory(w.problem, s.points, control, 9.0, &t, &error), &error);
    for (int32_t k = 1; k < t.piece_count; ++k)
        for (int order = 0; order <= 4; ++order) {
            abut_trajectory_value(&t, nextafter(t.times[k], 0), order, a);
            abut_trajectory_value(&t, t.times[k], order, b);
            CHECK_NEAR(a[0], b[0], 1e-9);
            CHECK_NEAR(a[1], b[1], 1e-9);
        }
    for (int i = 0; i <= 90; ++i) {
        abut_trajectory_value(&t, i / 10.0, 0, a);
        abut_plan_spline_at(&s, 2, control, i / 90.0, b);
        CHECK_NEAR(a[0], b[0], 1e-12);
        CHECK_NEAR(a[1], b[1], 1e-12);
    }
    abut_trajectory_free(&t);
    free_world(&w);
}

/* The cost is the integral of the squared third derivative over 1440, and steepness bounds the derivatives. */
static void the_cost_is_the_integral(void **state) {
    (void)state;
    enum { STEPS = 20000 };
    static AbutPlanSpline s;
    AbutRng rng = abut_rng(2, 0);
    World w = make_world("planar-arm:2", NULL, NULL);
    double control[14 * 2], d[2], sum = 0.0, most[4] = {0};
    AbutTrajectory t;
    AbutError error;
    abut_plan_spline_make(14, &s);
    for (int i = 0; i < 28; ++i) control[i] = abut_rng_between(&rng, -1, 1);
    good(abut_plan_spline_trajectory(w.problem, s.points, control, 1.0, &t, &error), &error);
    for (int i = 0; i < STEPS; ++i)
        for (int order = 1; order <= 3; ++order) {
            abut_trajectory_value(&t, (i + 0.5) / STEPS, order, d);
            most[order] = fmax(most[order], fmax(fabs(d[0]), fabs(d[1])));
            sum += order == 3 ? (d[0] * d[0] + d[1] * d[1]) / STEPS / 1440.0 : 0.0;
        }
    CHECK_NEAR(abut_plan_spline_cost(&s, 2, control) / sum, 1.0, 1e-6);
    for (int order = 1; order <= 3; ++order) {
        double steep = fmax(abut_plan_spline_steepest(w.problem, s.points, control, 0, order),
            abut_plan_spline_steepest(w.problem, s.points, control, 1, order));
        CHECK(steep >= most[order] - 1e-9);
    }
    abut_trajectory_free(&t);
    free_world(&w);
}

/* One joint by one radian: the quintic of least jerk costs 1/2, and splines come near it. */
static void one_radian_costs_one_half(void **state) {
    (void)state;
    static AbutPlanSpline s;
    AbutPlanDef def = abut_plan_def_default();
    AbutPair none = {0, 1};
    def.only_count = 1;
    def.only = &none; /* no pair that moves */
    World w = make_world("planar-arm:1", NULL, &def);
    double start = -0.5, goal = 0.5;
    AbutPlanTask task = {.start = &start, .goal = &goal};
    AbutPlanWork work;
    AbutPlanSettings settings = abut_plan_settings_default();
    AbutError error;
    abut_plan_spline_make(14, &s);
    good(abut_plan_work_make(w.problem, &s, &task, &settings, ABUT_PLAN_FINE, &work, &error), &error);
    work.grid = ABUT_PLAN_GRID;
    abut_plan_guess(&work);
    double cost = abut_plan_spline_cost(&s, 1, work.control);
    CHECK(cost >= 0.5 - 1e-9 && cost < 0.505);
    abut_plan_work_free(&work);
    free_world(&w);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

enum { POINTS = 10, FREE = 4, WIDTH = 2, STEP = FREE * WIDTH, ROWS = 9, VARIABLES = STEP + ROWS };

/* The same program with a slack for every row, all inequalities at once. */
static void general_step(const AbutPlanWork *w, double lambda, double penalty, double *out) {
    enum { ALL = 2 * ROWS + 2 * STEP };
    static double h[VARIABLES * VARIABLES], g[VARIABLES], a[ALL * VARIABLES], b[ALL], x[VARIABLES];
    memset(h, 0, sizeof h);
    memset(g, 0, sizeof g);
    memset(a, 0, sizeof a);
    for (int i = 0; i < FREE; ++i)
        for (int c = 0; c < WIDTH; ++c) {
            for (int k = 0; k < FREE; ++k)
                h[(i * WIDTH + c) * VARIABLES + k * WIDTH + c] =
                    w->spline->jerk[i + 3][k + 3] + lambda * w->spline->mass[i + 3][k + 3];
            for (int k = 0; k < POINTS; ++k) g[i * WIDTH + c] += w->spline->jerk[i + 3][k] * w->control[k * WIDTH + c];
        }
    for (int i = 0; i < ROWS; ++i) {
        const AbutPlanRow *row = &w->now.rows[i];
        double value[6];
        int32_t first = abut_plan_spline_basis(w->spline, row->s, value);
        g[STEP + i] = penalty;
        for (int k = 0; k < 6; ++k)
            for (int c = 0; c < WIDTH && first + k >= 3 && first + k < 3 + FREE; ++c)
                a[i * VARIABLES + (first + k - 3) * WIDTH + c] = -value[k] * row->gradient[c];
        a[i * VARIABLES + STEP + i] = -1.0;
        b[i] = row->value - row->wanted;
        a[(ROWS + i) * VARIABLES + STEP + i] = -1.0;
        b[ROWS + i] = 0.0;
    }
    for (int i = 0; i < STEP; ++i) {
        double u = w->control[3 * WIDTH + i];
        a[(2 * ROWS + i) * VARIABLES + i] = 1.0;
        b[2 * ROWS + i] = w->problem->upper[i % WIDTH] - u;
        a[(2 * ROWS + STEP + i) * VARIABLES + i] = -1.0;
        b[2 * ROWS + STEP + i] = u - w->problem->lower[i % WIDTH];
    }
    AbutQp qp = {VARIABLES, ALL, 0, h, g, a, b};
    size_t size = abut_qp_workspace_size(VARIABLES, ALL);
    void *memory = abut_alloc(size);
    AbutQpResult result = abut_qp_solve(&qp, x, NULL, memory, size);
    assert_int_equal(result.outcome, ABUT_QP_OK);
    memcpy(out, x, STEP * sizeof *out);
    abut_free(memory);
}

static void steps_are_those_of_the_general_program(void **state) {
    (void)state;
    static AbutPlanSpline s;
    World w = make_world("planar-arm:2", NULL, NULL);
    AbutRng rng = abut_rng(3, 0);
    AbutError error;
    AbutPlanWork work;
    AbutPlanSettings settings = abut_plan_settings_default();
    double start[2], goal[2], step[STEP], promised;
    AbutPlanTask task = {.start = start, .goal = goal};
    abut_plan_spline_make(POINTS, &s);
    good(abut_plan_work_make(w.problem, &s, &task, &settings, ABUT_PLAN_FINE, &work, &error), &error);
    work.grid = ABUT_PLAN_GRID;
    for (int trial = 0; trial < check_cases(40); ++trial) {
        double lambda = trial % 2 ? 1.0 : 100.0, penalty = trial % 3 ? 10.0 : 1000.0;
        for (int c = 0; c < 2; ++c) {
            start[c] = abut_rng_between(&rng, -2.5, 2.5);
            goal[c] = abut_rng_between(&rng, -2.5, 2.5);
        }
        abut_plan_guess(&work);
        work.now.count = ROWS;
        for (int i = 0; i < ROWS; ++i) {
            AbutPlanRow *row = &work.now.rows[i];
            row->s = abut_rng_between(&rng, 0.1, 0.9);
            row->value = abut_rng_between(&rng, -0.2, 0.1);
            row->wanted = 0.005;
            for (int c = 0; c < WIDTH; ++c) row->gradient[c] = abut_rng_between(&rng, -1, 1);
        }
        abut_plan_qp_step(&work, lambda, penalty, &promised);
        general_step(&work, lambda, penalty, step);
        for (int i = 0; i < STEP; ++i) CHECK_NEAR(work.step[i], step[i], 1e-6);
        CHECK(promised > -1e-9);
    }
    abut_plan_work_free(&work);
    free_world(&w);
}

/* Parts of the time that the free control points cannot meet. */
static void parts_need_room(void **state) {
    (void)state;
    static const double good_parts[4] = {0.3, 0.4, 0.5, 0.6}, close[4] = {0.4, 0.41, 0.42, 0.43}, end[1] = {1e-3};
    AbutPlanSpline spline;
    abut_plan_spline_make(14, &spline);
    assert_int_equal(abut_plan_spline_unmet(&spline, 4, good_parts), -1);
    assert_int_equal(abut_plan_spline_unmet(&spline, 0, NULL), -1);
    assert_true(abut_plan_spline_unmet(&spline, 4, close) > 0);
    assert_int_equal(abut_plan_spline_unmet(&spline, 1, end), 0);
    abut_plan_spline_make(32, &spline);
    assert_int_equal(abut_plan_spline_unmet(&spline, 2, close), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_basis_is_one),
        cmocka_unit_test(spans_join_smoothly),
        cmocka_unit_test(the_cost_is_the_integral),
        cmocka_unit_test(one_radian_costs_one_half),
        cmocka_unit_test(steps_are_those_of_the_general_program),
        cmocka_unit_test(parts_need_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
