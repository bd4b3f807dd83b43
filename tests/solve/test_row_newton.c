/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Newton steps of bounded rows. Oracle: with the impulses w of the answer, x = M^-1 sum J^T w by masses alone, and J x
 * is the answer again. Laws with bounds, with discs, and rows that contradict each other.
 */
#include "solve/row_newton.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

enum { PLAIN = 5, BODIES = 2, SIZE = PLAIN + 6 * BODIES, GROUPS = 9, MOST = GROUPS * SIZE };

typedef struct Case {
    AbutRowProblem problem;
    AbutRowGroup group[GROUPS];
    AbutBlock mass[BODIES];
    int32_t at[MOST], spot[SIZE];
    double g[6 * MOST], room[SIZE * SIZE + 3 * SIZE];
    double stiff[GROUPS], push[GROUPS][6], bound[GROUPS]; /* law: stiff (push - v), within its bound */
} Case;

/* Components of their own within +- bound; of six, the first two in a disc of that radius. */
static void law(const void *user, int32_t n, const double v[6], double w[6], double (*slope)[6]) {
    const Case *c = user;
    double k = c->stiff[n], most = c->bound[n];
    for (int i = 0; i < c->group[n].width; ++i) {
        double f = k * (c->push[n][i] - v[i]);
        w[i] = fmax(-most, fmin(most, f));
        if (slope) slope[i][i] = fabs(f) < most ? k : 0.0;
    }
    if (c->group[n].width == 1) return;
    double f0 = k * (c->push[n][0] - v[0]), f1 = k * (c->push[n][1] - v[1]), f = hypot(f0, f1);
    double part = f > most ? most / f : 1.0, inside = f > most ? 0.0 : 1.0;
    w[0] = part * f0, w[1] = part * f1;
    if (!slope || !(f > 0.0)) return;
    double e0 = f0 / f, e1 = f1 / f;
    slope[0][0] = k * part * (inside + (1.0 - inside) * (1.0 - e0 * e0));
    slope[1][1] = k * part * (inside + (1.0 - inside) * (1.0 - e1 * e1));
    slope[0][1] = slope[1][0] = (1.0 - inside) * -k * part * e0 * e1;
}

static AbutBlock random_mass(AbutRng *rng) {
    AbutBlock b;
    memset(&b, 0, sizeof b);
    double a[3][3], mass = abut_rng_between(rng, 0.1, 10.0);
    for (int i = 0; i < 9; ++i) a[i / 3][i % 3] = abut_rng_normal(rng);
    for (int i = 0; i < 3; ++i) {
        b.m[i][i] = mass;
        for (int j = 0; j < 3; ++j)
            for (int l = 0; l < 3; ++l) b.m[3 + i][3 + j] += 0.1 * mass * (a[i][l] * a[j][l] + (i == j ? 0.1 : 0.0));
    }
    return b;
}

static void make_case(Case *c, AbutRng *rng, double stiffest) {
    memset(c, 0, sizeof *c);
    for (int i = 0; i < BODIES; ++i) c->mass[i] = random_mass(rng);
    int32_t used = 0;
    size_t numbers = 0;
    for (int n = 0; n < GROUPS; ++n) {
        AbutRowGroup *group = &c->group[n];
        *group = (AbutRowGroup){.width = n % 2 ? 6 : 1, .first = used, .column = numbers};
        for (int32_t i = 0; i < SIZE; ++i) {
            if (abut_rng_unit(rng) < 0.4) continue;
            c->at[used + group->count++] = i;
            for (int k = 0; k < group->width; ++k) c->g[numbers++] = abut_rng_normal(rng);
        }
        used += group->count;
        c->stiff[n] = exp(abut_rng_between(rng, 0.0, log(stiffest)));
        c->bound[n] = n % 3 ? abut_rng_between(rng, 0.1, 10.0) : INFINITY;
        for (int k = 0; k < 6; ++k) c->push[n][k] = abut_rng_normal(rng);
    }
    c->problem = (AbutRowProblem){.plain = PLAIN,
        .body_count = BODIES,
        .body = c->mass,
        .group_count = GROUPS,
        .group = c->group,
        .at = c->at,
        .g = c->g,
        .law = law,
        .user = c,
        .room = c->room,
        .spot = c->spot};
}

/* x from the impulses, by Gauss on each block. */
static void from_impulses(const Case *c, double x[SIZE]) {
    memset(x, 0, SIZE * sizeof *x);
    for (int n = 0; n < GROUPS; ++n) {
        const AbutRowGroup *group = &c->group[n];
        double w[6] = {0, 0, 0, 0, 0, 0};
        law(c, n, group->change, w, NULL);
        for (int32_t a = 0; a < group->count; ++a)
            for (int k = 0; k < group->width; ++k)
                x[c->at[group->first + a]] += c->g[group->column + (size_t)(group->width * a + k)] * w[k];
    }
    for (int b = 0; b < BODIES; ++b) {
        double m[6][6], *y = x + PLAIN + 6 * b;
        memcpy(m, c->mass[b].m, sizeof m);
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j) {
                double f = j == i ? 0.0 : m[j][i] / m[i][i];
                for (int k = 0; k < 6; ++k) m[j][k] -= f * m[i][k];
                y[j] -= f * y[i];
            }
        for (int i = 0; i < 6; ++i) y[i] /= m[i][i];
    }
}

static double largest_miss(const Case *c) {
    double x[SIZE], worst = 0.0;
    from_impulses(c, x);
    for (int n = 0; n < GROUPS; ++n)
        for (int k = 0; k < c->group[n].width; ++k) {
            double v = 0.0;
            for (int32_t a = 0; a < c->group[n].count; ++a)
                v += c->g[c->group[n].column + (size_t)(c->group[n].width * a + k)] * x[c->at[c->group[n].first + a]];
            worst = fmax(worst, fabs(v - c->group[n].change[k]));
        }
    return worst;
}

static void test_answers_are_fixed_points(void **state) {
    (void)state;
    AbutRng rng = abut_rng(3, 0);
    static Case c;
    int exact = 0, cases = check_cases(2000);
    for (int i = 0; i < cases; ++i) {
        make_case(&c, &rng, i % 2 ? 10.0 : 3.0);
        int factors = abut_rows_solve(&c.problem);
        CHECK(factors >= 1 && factors <= 8);
        exact += largest_miss(&c) < 1e-6;
    }
    CHECK(exact > 0.95 * cases); /* the others need more than eight factors */
}

/* Without bounds it is one linear system: one factor, and the answer to rounding. */
static void test_linear_laws_take_one_factor(void **state) {
    (void)state;
    AbutRng rng = abut_rng(4, 0);
    static Case c;
    for (int i = 0; i < check_cases(200); ++i) {
        make_case(&c, &rng, 100.0);
        for (int n = 0; n < GROUPS; ++n) c.bound[n] = INFINITY;
        assert_int_equal(abut_rows_solve(&c.problem), 1);
        CHECK(largest_miss(&c) < 1e-9);
    }
}

static void test_masses_that_are_none(void **state) {
    (void)state;
    AbutRng rng = abut_rng(5, 0);
    static Case c;
    make_case(&c, &rng, 10.0);
    memset(c.mass, 0, sizeof c.mass);
    for (int n = 0; n < GROUPS; ++n) c.stiff[n] = 0.0;
    assert_int_equal(abut_rows_solve(&c.problem), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_are_fixed_points),
        cmocka_unit_test(test_linear_laws_take_one_factor),
        cmocka_unit_test(test_masses_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
