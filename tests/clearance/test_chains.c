/* SPDX-License-Identifier: Apache-2.0 */
/* Links of chains with joints of all kinds (hinges, slides, places, balls, fixed rotations) about any axes: brackets
 * against samples, for capsules and for meshes, on two chains and on one. */
#include "clearance_support.h"
#include "mesh/kernels.h"
#include "support/random_chain.h"

typedef struct Links {
    AbutConvex capsule;
    AbutMeshTree *tree;
    AbutClearanceBody *body[2]; /* of capsule and mesh */
    AbutClearanceSpace *space;
} Links;

static double distance_at(const Links *l, int mesh, const AbutMover *a, const AbutMover *b, double t) {
    AbutPose pose = pose_of_b_in_a(a, b, t);
    return mesh ? abut_mesh_distance(l->tree, l->tree, pose, NULL, NULL).surface
                : abut_convex_distance(&l->capsule, &l->capsule, pose, NULL, NULL).distance;
}

static void check_links(const Links *l, AbutRng *rng, int mesh) {
    RandomChain chain[2];
    AbutMover mover[2];
    AbutError error;
    int one = abut_rng_below(rng, 2) == 0; /* both links on one chain */
    double eps = pow(10, abut_rng_between(rng, -5, -2));
    for (int k = 0; k < 2; ++k) {
        random_chain(rng, &chain[k], 0, abut_rng_between(rng, 0.1, 2));
        mover[k].solid = abut_solid_prepared(l->body[mesh]);
        int32_t link = one ? (k ? JOINTS - 1 : (int32_t)abut_rng_below(rng, JOINTS - 1)) : JOINTS - 1;
        good(abut_motion_chain(&chain[one ? 0 : k].chain, link, &mover[k].motion, &error), &error);
    }
    AbutClearanceDef def = over_unit(eps);
    AbutClearance x = abut_clearance(&mover[0], &mover[1], &def, l->space);
    assert_true(x.certified && x.ub - x.lb <= eps);
    if (x.status == ABUT_CLEARANCE_CONTAINED) return;
    assert_true(distance_at(l, mesh, &mover[0], &mover[1], x.t) <= x.ub + 1e-12);
    for (int k = 0; k < 60; ++k)
        assert_true(distance_at(l, mesh, &mover[0], &mover[1], sample_time(k, 40, 60, x.t)) >= x.lb - 1e-12);
}

static void joints_of_all_kinds(void **state) {
    (void)state;
    AbutRng rng = abut_rng(1101, 1);
    AbutMesh box = box_mesh(abut_zero(), abut_vec3(0.1, 0.07, 0.04), 0);
    Links l = {abut_convex_segment(abut_vec3(-0.1, 0, 0), abut_vec3(0.1, 0.05, 0), 0.06), tree_of(&box), {NULL, NULL},
        new_space()};
    l.body[0] = body_of_pieces(1, &l.capsule);
    l.body[1] = body_of_mesh(l.tree);
    for (int i = 0; i < check_cases(1000); ++i) check_links(&l, &rng, i % 2);
    abut_clearance_body_free(l.body[0]);
    abut_clearance_body_free(l.body[1]);
    abut_mesh_tree_free(l.tree);
    abut_mesh_free(&box);
    abut_clearance_space_free(l.space);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(joints_of_all_kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
