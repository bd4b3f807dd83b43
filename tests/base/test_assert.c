/* SPDX-License-Identifier: Apache-2.0 */
/* Misuse asserts where assertions are built in (ABUT_ASSERT_LEVEL 1 and up), and the handler learns what and where. */
#include "abut/abut.h"
#include "support/check.h"
#include "math/poly.h"
#include "solve/solve.h"

#include <string.h>

typedef struct Caught {
    jmp_buf back;
    int count;
    char expression[200], file[200];
    int line;
} Caught;

static Caught caught;

/* Leaves the call: what follows a broken contract is not to be run. */
static void catch_assertion(const char *expression, const char *file, int line, void *user) {
    Caught *c = user;
    ++c->count;
    snprintf(c->expression, sizeof c->expression, "%s", expression);
    snprintf(c->file, sizeof c->file, "%s", file);
    c->line = line;
    longjmp(c->back, 1);
}

#define ASSERTS(call)                                                                                                  \
    do {                                                                                                               \
        int before = caught.count;                                                                                     \
        if (setjmp(caught.back) == 0) call;                                                                            \
        assert_int_equal(caught.count, before + 1);                                                                    \
    } while (0)

static void misuse_asserts(void **state) {
    (void)state;
    if (ABUT_ASSERT_LEVEL < 1) skip();
    AbutConvex box = abut_convex_box(abut_vec3(1, 1, 1), 0), hollow = abut_convex_polyhedron(NULL, 0);
    AbutPose pose = abut_pose_identity();
    AbutVec3 point = abut_zero();
    double a[4] = {1, 0, 0, 1};
    int order[2];
    abut_set_assert_handler(catch_assertion, &caught);
    ASSERTS(abut_rng_u64(NULL));
    ASSERTS(abut_grow(NULL, NULL, 1, 8));
    ASSERTS(abut_poly_eval(NULL, 0.5));
    ASSERTS(abut_lu_factor(ABUT_LU_MAX_SIZE + 1, a, order));
    ASSERTS(abut_lp_solve(NULL, NULL, 0));
    ASSERTS(abut_polyhedron_from_points(&point, 1, NULL, NULL, NULL));
    ASSERTS(abut_mesh_report(NULL, NULL, NULL));
    ASSERTS(abut_convex_distance(&box, NULL, pose, NULL, NULL));
    assert_non_null(strstr(caught.file, "distance.c"));
    assert_non_null(strstr(caught.expression, "abut_convex_is_set"));
    assert_true(caught.line > 0);
    ASSERTS(abut_convex_meet(&hollow, &box, pose, NULL));
    ASSERTS(abut_overlap(&box, &hollow, pose, NULL, a, sizeof a));
    ASSERTS(abut_distance_batch(3, NULL, NULL, NULL, 1));
    abut_set_assert_handler(NULL, NULL);
}

/* What is no misuse asserts nothing at any level. */
static void proper_use_does_not(void **state) {
    (void)state;
    AbutConvex box = abut_convex_box(abut_vec3(1, 1, 1), 0);
    int before = caught.count;
    abut_set_assert_handler(catch_assertion, &caught);
    abut_free(NULL);
    abut_polyhedron_free(NULL);
    abut_distance_batch(0, NULL, NULL, NULL, 0);
    abut_overlap(&box, &box, abut_pose_identity(), NULL, NULL, 0);
    assert_int_equal(abut_polyhedron_from_points(NULL, 0, NULL, &(AbutPolyhedron *){NULL}, NULL), ABUT_ERROR_EMPTY);
    abut_set_assert_handler(NULL, NULL);
    assert_int_equal(caught.count, before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misuse_asserts),
        cmocka_unit_test(proper_use_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
