/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes that are not convex: a ring and a peg. How far apart, do they meet, and when does the moving peg touch? */
#include <abut/abut.h>
#include <stdio.h>

static AbutMeshTree *tree_of(const char *shape, const double *sizes) {
    AbutMesh mesh;
    AbutMeshTree *tree = NULL;
    AbutError error;
    if (abut_mesh_make(shape, 2000, sizes, &mesh, &error) != ABUT_OK) return NULL;
    if (abut_mesh_tree_create(&mesh, 0, &tree, &error) != ABUT_OK) tree = NULL;
    abut_mesh_free(&mesh); /* the tree has its own copy */
    return tree;
}

int main(void) {
    const double ring_sizes[] = {0.3, 0.1}, peg_sizes[] = {0.1, 0.1, 0.6};
    AbutMeshTree *ring = tree_of("torus", ring_sizes), *peg = tree_of("box", peg_sizes);
    if (!ring || !peg) return 1;

    /* The peg stands in the hole of the ring: apart, although the hull of the ring holds it. */
    AbutGap d = abut_distance(abut_solid_mesh(ring), abut_solid_mesh(peg), abut_pose_identity(), NULL, NULL);
    printf("in the hole: %s, %.4f m, triangles %d and %d\n", abut_word(abut_gap_outcome_names, d.outcome), d.distance,
        d.part_a.index[0], d.part_b.index[0]);

    /* Moved sideways it meets the ring. */
    AbutPose aside = abut_pose(abut_vec3(0.2, 0, 0), abut_quat_identity());
    AbutCollision c = abut_collide(abut_solid_mesh(ring), abut_solid_mesh(peg), aside, NULL);
    printf(
        "moved aside: %s, first pair %d and %d\n", abut_word(abut_gap_outcome_names, c.outcome), c.first.a, c.first.b);

    /* When? It goes 0.1 m in a second and starts in the middle. */
    AbutMover fixed = {abut_solid_mesh(ring), abut_motion_static(abut_pose_identity())};
    AbutMover moving = {abut_solid_mesh(peg), abut_motion_translation(abut_pose_identity(), abut_vec3(0.1, 0, 0))};
    AbutImpactDef second = {.to = 3.0};
    AbutImpact hit = abut_time_of_impact(&fixed, &moving, &second);
    printf(
        "impact: %s between %.6f and %.6f s\n", abut_word(abut_impact_outcome_names, hit.outcome), hit.t_lo, hit.t_hi);

    int good = d.outcome == ABUT_SEPARATED && d.distance > 0.1 && c.outcome == ABUT_PENETRATING &&
               hit.outcome == ABUT_IMPACT_HIT && hit.t_lo > 1.0 && hit.t_hi < 2.0;
    abut_mesh_tree_free(ring);
    abut_mesh_tree_free(peg);
    return good ? 0 : 1;
}
