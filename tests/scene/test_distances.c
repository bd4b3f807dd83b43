/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of the bodies of a scene: rows of boxes with known gaps, rules, and robots in their states. */
#include "scene/scene_support.h"

static void boxes_have_known_gaps(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutError error;
    AbutSceneDistance d[16];
    AbutBodyId id[4];
    for (int i = 0; i < 4; ++i)
        id[i] = add_box(scene, i == 3 ? ABUT_BODY_STATIC : ABUT_BODY_DYNAMIC, at(0.5 * i * (i + 1), 0, 0),
            abut_vec3(0.4, 0.4, 0.4));
    assert_int_equal(abut_scene_distances(scene, NULL, INFINITY, 16, d), 6);
    static const double gaps[6] = {0.2, 2.2, 5.2, 1.2, 4.2, 2.2}; /* at 0, 1, 3, 6, less 0.8 */
    for (int i = 0; i < 6; ++i) {
        CHECK_NEAR(d[i].gap.distance, gaps[i], 1e-12);
        CHECK_NEAR(abut_point_distance(d[i].gap.point_a, d[i].gap.point_b), gaps[i], 1e-12);
        CHECK_VEC_NEAR(d[i].gap.normal, abut_axis(0), 1e-9);
    }
    assert_int_equal(d[0].body_a.index1, id[0].index1);
    good(abut_scene_exclude(scene, id[0], id[1], &error), &error);
    assert_int_equal(abut_scene_distances(scene, NULL, INFINITY, 16, d), 5);
    assert_int_equal(abut_scene_distances(scene, NULL, 1.5, 0, NULL), abut_scene_distances(scene, NULL, 1.5, 16, d));
    for (int i = 0; i < abut_scene_distances(scene, NULL, 1.5, 16, d); ++i) CHECK(d[i].gap.distance <= 1.5);
    abut_scene_free(scene);
}

/* The feet of the biped touch the ground; a link and the one it hangs on are no pair. */
static void a_robot_has_pairs(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutError error;
    AbutSceneDistance d[200];
    int touching = 0;
    good(abut_scene_build(scene, "biped", 1, &error), &error);
    good(abut_scene_set_keyframe(scene, 0, 0, &error), &error);
    int32_t count = abut_scene_distances(scene, NULL, INFINITY, 200, d);
    assert_int_equal(count, 13 * 14 / 2 - 12); /* all pairs with the ground and among 13 links, less 12 neighbors */
    for (int32_t i = 0; i < count; ++i) touching += fabs(d[i].gap.distance) < 1e-9;
    assert_int_equal(touching, 2);
    abut_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_known_gaps),
        cmocka_unit_test(a_robot_has_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
