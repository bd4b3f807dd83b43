/* SPDX-License-Identifier: Apache-2.0 */
/* A fish swims past a ring. The Euclidean direction between them jumps; the soft one does not, and its certificate
 * proves it. */
#include <abut/abut.h>
#include <stdio.h>

enum { FRAMES = 2000 };

static AbutPose pose_at(int frame) {
    double t = (double)frame / FRAMES;
    return abut_pose(
        abut_vec3(0.3 - 0.3 * t, 0.05, 0.22), abut_quat_axis_angle(abut_normalize(abut_vec3(1, 1, 0)), 0.3 + 0.2 * t));
}

int main(void) {
    AbutMesh ring, fish;
    AbutSoftBody *a = NULL, *b = NULL;
    AbutMeshTree *tree_a = NULL, *tree_b = NULL;
    AbutError error;
    if (abut_mesh_make("torus", 1600, NULL, &ring, &error) != ABUT_OK ||
        abut_mesh_make("fish", 950, NULL, &fish, &error) != ABUT_OK)
        return fprintf(stderr, "%s\n", error.text), 1;
    AbutSoftBodyDef def = {.tau = abut_soft_tau(&ring, &fish)}; /* the same for both */
    if (abut_soft_body_create(&ring, &def, &a, &error) != ABUT_OK ||
        abut_soft_body_create(&fish, &def, &b, &error) != ABUT_OK ||
        abut_mesh_tree_create(&ring, 0, &tree_a, &error) != ABUT_OK ||
        abut_mesh_tree_create(&fish, 0, &tree_b, &error) != ABUT_OK)
        return fprintf(stderr, "%s\n", error.text), 1;
    void *workspace = abut_alloc(abut_soft_size(a, b)); /* once; a query takes no memory */

    AbutSoft last = abut_soft_direction(a, b, pose_at(0), NULL, workspace);
    AbutVec3 normal = abut_distance(abut_solid_mesh(tree_a), abut_solid_mesh(tree_b), pose_at(0), NULL, NULL).normal;
    double soft = 0.0, proved = 0.0, euclid = 0.0;
    for (int i = 1; i <= FRAMES; ++i) {
        AbutSoft s = abut_soft_direction(a, b, pose_at(i), NULL, workspace);
        AbutGap d = abut_distance(abut_solid_mesh(tree_a), abut_solid_mesh(tree_b), pose_at(i), NULL, NULL);
        soft = fmax(soft, abut_angle_between(last.direction, s.direction));
        proved = fmax(proved, abut_soft_turn_bound(b, &last, pose_at(i - 1), &s, pose_at(i)));
        euclid = fmax(euclid, abut_angle_between(normal, d.normal));
        last = s, normal = d.normal;
    }
    printf("largest turn between two frames: Euclid %.2f degrees, soft %.3f, proved to be below %.1f\n",
        euclid * 180 / ABUT_PI, soft * 180 / ABUT_PI, proved * 180 / ABUT_PI);

    int good = soft <= proved && proved < ABUT_PI && soft < euclid;
    abut_free(workspace);
    abut_soft_body_free(a);
    abut_soft_body_free(b);
    abut_mesh_tree_free(tree_a);
    abut_mesh_tree_free(tree_b);
    abut_mesh_free(&ring);
    abut_mesh_free(&fish);
    return good ? 0 : 1;
}
