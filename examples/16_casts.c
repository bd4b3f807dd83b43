/* SPDX-License-Identifier: Apache-2.0 */
/* Rays and moved bodies: what does a laser see, and how far can a ball fly? One body, a set with a filter, a scene. */
#include <abut/abut.h>
#include <stdio.h>

static int not_the_first(int32_t body, void *user) {
    (void)user;
    return body != 0;
}

int main(void) {
    /* A cylinder, a cone and an egg in a row along x. */
    AbutConvex can = abut_convex_cylinder(0.2, 0.5, 0), cone = abut_convex_cone(0.3, 0.5, 0),
               egg = abut_convex_ellipsoid(abut_vec3(0.2, 0.3, 0.4), 0);
    AbutPlaced row[3] = {{abut_solid_convex(&can), abut_pose(abut_vec3(1, 0, 0), abut_quat_identity())},
        {abut_solid_convex(&cone), abut_pose(abut_vec3(2, 0, 0), abut_quat_identity())},
        {abut_solid_convex(&egg), abut_pose(abut_vec3(3, 0, 0), abut_quat_identity())}};
    AbutRay laser = {{0, 0, 0}, {5, 0, 0}};

    AbutCastHit can_hit = abut_cast(&row[0], &(AbutCast){.ray = laser}), hit;
    printf("the can: %s at %.3f of the way, x = %.3f m\n", abut_word(abut_impact_outcome_names, can_hit.outcome),
        can_hit.t, can_hit.point.x);

    AbutBodySet all = {3, row, NULL, NULL, NULL}, others = {3, row, not_the_first, NULL, NULL};
    AbutCastHit hits[3];
    AbutCast beam = {.ray = laser};
    int32_t count = abut_cast_all(&all, &beam, 3, hits);
    abut_cast_batch(&others, 1, &beam, &hit, 1);
    int32_t behind = hit.body;
    printf("the row: %d hits, behind the can body %d\n", count, behind);

    /* A ball thrown the same way stops earlier by its radius. */
    AbutConvex ball = abut_convex_point(abut_zero(), 0.1);
    AbutPlaced thrown = {abut_solid_convex(&ball), abut_pose_identity()};
    AbutCast pitch = {.ray = laser, .moved = &thrown};
    AbutCastHit stop;
    abut_cast_batch(&all, 1, &pitch, &stop, 1);
    printf("the ball: free until %.6f of the way, in contact at %.6f\n", stop.t_lo, stop.t_hi);

    /* A ball over rough ground: heights are a solid too. */
    double heights[9] = {0, 0.1, 0, 0.1, 0.3, 0.1, 0, 0.1, 0};
    AbutHeightField rough = {3, 3, 1, 1, -1, heights};
    AbutSolidBody ground;
    if (abut_solid_from_field(&rough, &ground, NULL) != ABUT_OK) return 1;
    AbutPose above = abut_pose(abut_vec3(0, 0, 1), abut_quat_identity());
    AbutGap gap = abut_distance(abut_solid_of(&ground), abut_solid_convex(&ball), above, NULL, NULL);
    printf("the ground: %.3f m below the ball\n", gap.distance);
    abut_solid_body_free(&ground);

    /* Down onto a stack of boxes. */
    AbutScene *scene = NULL;
    if (abut_scene_create(&scene, NULL) != ABUT_OK || abut_scene_build(scene, "stack:5", 1, NULL) != ABUT_OK) return 1;
    AbutCast down = {.ray = {{0.01, 0.01, 10}, {0, 0, -20}}};
    AbutSceneHit top = abut_scene_cast(scene, &down, NULL, NULL);
    printf("the stack: z = %.3f m, %d shapes along the ray\n", top.hit.point.z,
        abut_scene_cast_all(scene, &down, NULL, NULL, 0, NULL));
    abut_scene_free(scene);
    return can_hit.t == 0.16 && count == 3 && behind == 1 && stop.t_lo <= 0.14 && top.hit.normal.z == 1 &&
                   gap.distance > 0.599 && gap.distance < 0.6001
               ? 0
               : 1;
}
