/* SPDX-License-Identifier: Apache-2.0 */
/* How near does a link of an arm come to a ring while the arm moves? A proved bracket, the closest moments, and how the
 * nearest one changes with the joints. */
#include <abut/abut.h>
#include <stdio.h>

int main(void) {
    /* An arm of two hinges that turn from 0 to 2 rad and from 0 to -1 rad in a second, each along a quintic. */
    const double first[6] = {0, 0, 0, 2, 2, 2}, second[6] = {0, 0, 0, -1, -1, -1};
    AbutCurvePiece curve[2] = {abut_curve_bernstein(0, 1, 5, first), abut_curve_bernstein(0, 1, 5, second)};
    AbutChainJoint joint[2] = {{.parent = -1, .kind = ABUT_CHAIN_HINGE, .axis = {0, 0, 1}}, {0}};
    joint[0].fixed = abut_pose(abut_vec3(0.9, 0, 0), abut_quat_identity());
    joint[0].curve[0] = (AbutCurve){1, &curve[0], 1};
    joint[1] = joint[0];
    joint[1].parent = 0;
    joint[1].fixed = abut_pose(abut_vec3(0.4, 0, 0), abut_quat_identity());
    joint[1].curve[0].pieces = &curve[1];
    AbutChain arm = {2, joint};

    /* The link is a capsule, the ring a mesh. */
    AbutConvex capsule = abut_convex_segment(abut_zero(), abut_vec3(0.4, 0, 0), 0.04);
    AbutMover link = {0}, ring = {0};
    AbutClearanceBody *bodies[2] = {NULL, NULL};
    AbutClearanceSpace *space = NULL;
    AbutMeshTree *tree = NULL;
    AbutMesh mesh;
    AbutError error;
    if (abut_mesh_make("torus", 2000, NULL, &mesh, &error) != ABUT_OK ||
        abut_mesh_tree_create(&mesh, 0, &tree, &error) != ABUT_OK ||
        abut_clearance_body_create(1, (AbutSolid[]){abut_solid_convex(&capsule)}, &bodies[0], &error) != ABUT_OK ||
        abut_clearance_body_create(1, (AbutSolid[]){abut_solid_mesh(tree)}, &bodies[1], &error) != ABUT_OK ||
        abut_clearance_space_create(0, &space, &error) != ABUT_OK ||
        abut_motion_chain(&arm, 1, &link.motion, &error) != ABUT_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    link.solid = abut_solid_prepared(bodies[0]), ring.solid = abut_solid_prepared(bodies[1]);
    ring.motion = abut_motion_static(abut_pose_identity());

    AbutClearanceDef def = {.from = 0, .to = 1, .eps = 1e-4};
    AbutClearanceMinimum minimum[4];
    int32_t count;
    AbutClearance x = abut_clearance_minima(&link, &ring, &def, 0.05, 4, minimum, &count, space);
    printf("%s: never nearer than %.4f m, and %.4f m at %.4f s\n", abut_word(abut_clearance_status_names, x.status),
        x.lb, x.ub, x.t);
    double by_joint[6];
    abut_chain_gradient(
        link.motion.chain, link.motion.link, minimum[0].t, minimum[0].point_a, abut_neg(minimum[0].normal), by_joint);
    printf("%d local minima; by the joints the first changes by %.3f and %.3f m per rad\n", count, by_joint[0],
        by_joint[3]);

    int good = x.certified && x.status == ABUT_CLEARANCE_CLEAR && count >= 1;
    abut_clearance_body_free(bodies[0]);
    abut_clearance_body_free(bodies[1]);
    abut_clearance_space_free(space);
    abut_mesh_tree_free(tree);
    abut_mesh_free(&mesh);
    return good ? 0 : 1;
}
