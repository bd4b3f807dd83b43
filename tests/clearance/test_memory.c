/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of clearance: where it runs out, makers and searches over pairs say so and leave nothing; one search takes
 * none. */
#include "clearance/clearance_support.h"
#include "abut/literature.h"
#include "support/memory.h"

typedef struct Made {
    AbutClearanceBody *body[2];
    AbutClearanceSpace *space;
} Made;

static const AbutMeshTree *mesh;
static AbutConvex piece[3];

static void free_made(Made *made) {
    abut_clearance_body_free(made->body[0]);
    abut_clearance_body_free(made->body[1]);
    abut_clearance_space_free(made->space);
}

/* All makers; what a maker that fails leaves in its output is NULL. */
static AbutStatus make(Made *made) {
    Made none = {{NULL, NULL}, NULL};
    *made = none;
    AbutStatus status = abut_clearance_body_create(1, (AbutSolid[]){abut_solid_mesh(mesh)}, &made->body[0], NULL);
    if (status == ABUT_OK) status = prepare_union(3, piece, &made->body[1], NULL);
    if (status == ABUT_OK) status = abut_clearance_space_create(1000, &made->space, NULL);
    return status;
}

static AbutStatus ask_pairs(void) {
    Made made;
    AbutClearance out[3];
    AbutClearanceWorst worst;
    AbutClearanceDef def = {.from = 0.0, .to = 1.0, .eps = 0.1};
    AbutPair pairs[3] = {{0, 1}, {0, 2}, {1, 2}};
    AbutStatus status = make(&made);
    AbutMover movers[3];
    for (int i = 0; i < 3; ++i)
        movers[i] = (AbutMover){abut_solid_prepared(made.body[i > 0]),
            abut_motion_translation(abut_pose(abut_vec3(5.0 * i, 0.5, 0.2), abut_quat_identity()), abut_axis(1))};
    if (status == ABUT_OK) status = abut_clearance_pairs(3, movers, 3, pairs, &def, out, 1, NULL);
    if (status == ABUT_OK) status = abut_clearance_worst(3, movers, 3, pairs, &def, 1, &worst, NULL);
    free_made(&made);
    return status;
}

static void pairs_may_run_out(void **state) {
    (void)state;
    CHECK(check_memory_failures("clearance of pairs", ask_pairs) > 6);
}

static int go_on(const AbutClearanceSample *sample, void *user) {
    (void)sample, (void)user;
    return 0;
}

/* With the space made before, a search asks for nothing. */
static void searches_take_none(void **state) {
    (void)state;
    Made made;
    AbutClearanceMinimum minima[4];
    int32_t count;
    AbutClearanceDef def = {.from = 0.0, .to = 1.0, .eps = 0.05};
    FailingMemory memory = {0, 0};
    AbutAllocator empty = {failing_alloc, failing_release, &memory};
    assert_int_equal(make(&made), ABUT_OK);
    AbutMover a = {abut_solid_prepared(made.body[0]), abut_motion_static(abut_pose_identity())};
    AbutMover b = {abut_solid_prepared(made.body[1]),
        abut_motion_translation(abut_pose(abut_vec3(6.0, 0.5, 0.2), abut_quat_identity()), abut_vec3(-3.0, 0.0, 1.0))};
    abut_set_allocator(&empty);
    for (int method = 0; method < ABUT_CLEARANCE_METHOD_COUNT; ++method)
        abut_clearance_by((AbutClearanceMethod)method, &a, &b, &def, made.space);
    AbutClearance c = abut_clearance(&a, &b, &def, made.space);
    abut_clearance_curve(&a, &b, &def, 0.1, go_on, NULL, made.space);
    abut_clearance_minima(&a, &b, &def, 0.1, 4, minima, &count, made.space);
    abut_clearance_contact_time(&a, &b, &def, 0.0, 0.0, 0, made.space);
    abut_set_allocator(NULL);
    assert_int_equal(memory.left, 0); /* nobody asked */
    CHECK(c.certified && c.lb <= c.ub);
    free_made(&made);
}

int main(void) {
    AbutMesh wavy = wavy_torus(12, 6, 3, 2);
    AbutMeshTree *tree = tree_of(&wavy);
    mesh = tree;
    piece[0] = abut_convex_box(abut_vec3(0.5, 0.4, 0.3), 0.1);
    piece[1] = abut_convex_segment(abut_zero(), abut_axis(2), 0.2);
    piece[2] = abut_convex_ellipsoid(abut_vec3(1.0, 0.4, 0.6), 0.0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_may_run_out),
        cmocka_unit_test(searches_take_none),
    };
    int failed = cmocka_run_group_tests_name("memory of clearance", tests, NULL, NULL);
    abut_mesh_tree_free(tree);
    abut_mesh_free(&wavy);
    return failed;
}
