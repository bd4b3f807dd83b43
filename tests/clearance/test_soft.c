/* SPDX-License-Identifier: Apache-2.0 */
/* The least soft distance over a motion: its bracket holds what dense sampling finds, and is as narrow as asked for. */
#include "abut/clearance.h"
#include "abut/literature.h"
#include "support/check.h"
#include "support/meshes.h"

typedef struct Pair {
    AbutSoftBody *a, *b;
    void *workspace;
} Pair;

static Pair make_pair(int number) {
    AbutMesh a, b;
    AbutError error;
    Pair p = {NULL, NULL, NULL};
    AbutSoftBodyDef def = {.tau = 0.03};
    good(abut_direction_case_meshes(number, &a, &b, &error), &error);
    good(abut_soft_body_create(&a, &def, &p.a, &error), &error);
    good(abut_soft_body_create(&b, &def, &p.b, &error), &error);
    p.workspace = malloc(abut_soft_size(p.a, p.b));
    abut_mesh_free(&a);
    abut_mesh_free(&b);
    return p;
}

static void free_pair(Pair *p) {
    abut_soft_body_free(p->a);
    abut_soft_body_free(p->b);
    free(p->workspace);
}

static double sampled(const Pair *p, const AbutMotion *a, const AbutMotion *b, int count) {
    double least = INFINITY;
    for (int i = 0; i <= count; ++i) {
        double t = (double)i / count;
        AbutPose pose = abut_pose_between(abut_motion_pose(a, t), abut_motion_pose(b, t));
        least = fmin(least, abut_soft_direction(p->a, p->b, pose, NULL, p->workspace).distance);
    }
    return least;
}

static AbutMotion random_motion(AbutRng *rng) {
    AbutVec3 at = abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0.0, 0.5));
    return abut_motion_screw(abut_pose(at, abut_random_quat(rng)), abut_random_direction(rng),
        abut_random_direction(rng), abut_rng_between(rng, -1.0, 1.0), abut_rng_between(rng, -0.5, 0.5));
}

static void bracket_holds_what_samples_find(void **state) {
    (void)state;
    AbutRng rng = abut_rng(31, 1);
    Pair p = make_pair(5);
    AbutError error;
    int decided = 0;
    for (int i = 0; i < check_cases(6); ++i) {
        AbutMotion a = random_motion(&rng), b = random_motion(&rng);
        AbutClearanceDef def = {.from = 0.0, .to = 1.0, .eps = 5e-3};
        AbutClearance x;
        good(abut_clearance_soft(p.a, &a, p.b, &b, &def, &x, &error), &error);
        double least = sampled(&p, &a, &b, 1000);
        CHECK(x.lb <= least + 1e-12 && x.ub <= least + def.eps);
        CHECK(x.certified && x.ub - x.lb <= def.eps);
        AbutPose pose = abut_pose_between(abut_motion_pose(&a, x.t), abut_motion_pose(&b, x.t));
        CHECK_NEAR(abut_soft_direction(p.a, p.b, pose, NULL, p.workspace).distance, x.ub, 1e-15);
        decided += x.status == ABUT_CLEARANCE_CLEAR || x.status == ABUT_CLEARANCE_CONTACT;
        CHECK((x.status == ABUT_CLEARANCE_CLEAR) == (x.lb > 0.0));
    }
    CHECK(decided > 0);
    free_pair(&p);
}

static void budget_and_bad_numbers(void **state) {
    (void)state;
    AbutRng rng = abut_rng(32, 1);
    Pair p = make_pair(5);
    AbutError error;
    AbutMotion a = abut_motion_static(abut_pose_identity()), b = random_motion(&rng);
    AbutClearanceDef def = {.from = 0.0, .to = 1.0, .eps = 1e-6, .budget = 40};
    AbutClearance x;
    good(abut_clearance_soft(p.a, &a, p.b, &b, &def, &x, &error), &error);
    CHECK(!x.certified && x.lb <= sampled(&p, &a, &b, 1000) && x.evaluations <= 60);
    CHECK(x.reason == ABUT_CLEARANCE_BY_BUDGET);
    def.budget = 0, def.seconds = 1e-9; /* over before it began */
    good(abut_clearance_soft(p.a, &a, p.b, &b, &def, &x, &error), &error);
    CHECK(!x.certified && x.lb <= sampled(&p, &a, &b, 1000) && x.evaluations <= 20);
    CHECK(x.reason == ABUT_CLEARANCE_BY_TIME);
    def.to = 0.0; /* a moment */
    good(abut_clearance_soft(p.a, &a, p.b, &b, &def, &x, &error), &error);
    CHECK(x.certified && x.lb == x.ub);
    def.to = -1.0;
    good(abut_clearance_soft(p.a, &a, p.b, &b, &def, &x, &error), &error);
    CHECK(x.status == ABUT_CLEARANCE_INVALID && isnan(x.ub) && isnan(x.lb) && !x.certified);
    def.to = 1.0;
    b.path[0].x = 1e58; /* beyond what a soft distance knows */
    good(abut_clearance_soft(p.a, &a, p.b, &b, &def, &x, &error), &error);
    CHECK(x.status == ABUT_CLEARANCE_INVALID && isnan(x.ub) && isnan(x.lb) && !x.certified);
    def.to = NAN;
    good(abut_clearance_soft(p.a, &a, p.b, &b, &def, &x, &error), &error);
    assert_int_equal(x.status, ABUT_CLEARANCE_INVALID);
    free_pair(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bracket_holds_what_samples_find),
        cmocka_unit_test(budget_and_bad_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
