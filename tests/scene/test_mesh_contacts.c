/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contact points on meshes that shapes keep, for modes: an angle iron, which is not convex, in random poses with a
 * ball, a capsule, a cylinder or a box at it. Oracle: where they touch by construction.
 */
#include "import/parse.h"
#include "scene/feature_set.h"
#include "scene/scene_support.h"
#include "support/meshes.h"

#include <stdio.h>
#include <string.h>

/* Legs along x and z of 0.2, thickness 0.04, 0.1 wide. */
static const char angle[] =
    "<asset><mesh name='angle' inertia='exact' vertex='0 0 0 .2 0 0 .2 0 .04 .04 0 .04 .04 0 .2 0 0 .2 0 .1 0 .2 .1 0 "
    ".2 .1 .04 .04 .1 .04 .04 .1 .2 0 .1 .2' face='0 1 2 0 2 3 0 3 4 0 4 5 6 8 7 6 9 8 6 10 9 6 11 10 0 6 7 0 7 1 1 7 "
    "8 1 "
    "8 2 2 8 9 2 9 3 3 9 10 3 10 4 4 10 11 4 11 5 5 11 6 5 6 0'/></asset>";

typedef struct Case {
    const char *geom;         /* of the other body, in the frame of the iron */
    AbutVec3 at;              /* its place there */
    int contacts, points;     /* in all */
    AbutVec3 normal, another; /* of contacts, out of the iron; zero: none */
} Case;

#define HALF 0.70710678118654752
static const Case cases[] = {
    /* a ball between the legs: both faces; the hull of the iron would hold it off */
    {"type='sphere' size='.03'", {.07, .05, .07}, 2, 2, {1, 0, 0}, {0, 0, 1}},
    {"type='sphere' size='.03'", {.07, .05, .0700001}, 2, 2, {1, 0, 0}, {0, 0, 1}},
    {"type='sphere' size='.01'", {.05, .05, .2}, 1, 1, {1, 0, 0}, {0, 0, 0}},
    /* over the edge at the end of a leg, and over a corner */
    {"type='sphere' size='.03'", {.2 + .03 * HALF, .05, .04 + .03 * HALF}, 1, 1, {HALF, 0, HALF}, {0, 0, 0}},
    {"type='sphere' size='.03'", {.2 + .02, .1 + .01, .04 + .02}, 1, 1, {2. / 3, 1. / 3, 2. / 3}, {0, 0, 0}},
    /* a capsule and a cylinder lie along the corner between the legs, each with a line on both */
    {"type='capsule' size='.02 .03' euler='90 0 0'", {.06, .05, .06}, 2, 4, {1, 0, 0}, {0, 0, 1}},
    {"type='cylinder' size='.02 .03' euler='90 0 0'", {.06, .05, .06}, 2, 4, {1, 0, 0}, {0, 0, 1}},
    {"type='cylinder' size='.02 .03'", {.12, .05, .07}, 1, 8, {0, 0, 1}, {0, 0, 0}},
    {"type='ellipsoid' size='.02 .03 .04'", {.06, .05, .08}, 2, 2, {1, 0, 0}, {0, 0, 1}},
    {"type='box' size='.02 .03 .04'", {.06, .05, .08}, 2, 8, {1, 0, 0}, {0, 0, 1}},
    {"type='sphere' size='.03'", {.0701, .05, .0701}, 0, 0, {0, 0, 0}, {0, 0, 0}},
    {"type='sphere' size='.02'", {.1, .05, .12}, 0, 0, {0, 0, 0}, {0, 0, 0}}, /* inside the hull */
};

/* The iron in a pose and the other body beside it; `later` makes the iron the body that was added last. */
static AbutScene *make(const Case *c, AbutPose pose, int later) {
    char text[3000], iron[400], other[400];
    AbutModel *model;
    AbutScene *scene = new_scene();
    AbutError error;
    AbutVec3 p = abut_pose_apply(pose, c->at);
    snprintf(iron, sizeof iron,
        "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><freejoint/><geom "
        "type='mesh' mesh='angle'/></body>",
        pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z);
    snprintf(other, sizeof other,
        "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><freejoint/><geom "
        "%s/></body>",
        p.x, p.y, p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z, c->geom);
    snprintf(text, sizeof text, "<mujoco>%s<worldbody>%s%s</worldbody></mujoco>", angle, later ? other : iron,
        later ? iron : other);
    good(abut_model_parse_mjcf(text, strlen(text), "m.xml", NULL, &model, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    abut_model_free(model);
    return scene;
}

static int is_near(AbutVec3 a, AbutVec3 b) { return abut_length(abut_sub(a, b)) < 1e-6; }

static void check(const Case *c, AbutPose pose, int later) {
    AbutScene *scene = make(c, pose, later);
    AbutBodyId iron = abut_scene_body_at(scene, later);
    AbutContactList list;
    AbutError error;
    int points = 0;
    good(abut_scene_find_contacts(scene, -1.0, 1, &list, &error), &error);
    for (int32_t i = 0; i < list.count; ++i) {
        const AbutContact *k = &list.contacts[i];
        double sign = k->body_a.index1 == iron.index1 ? 1.0 : -1.0;
        AbutVec3 n = abut_scale(abut_quat_rotate_inv(pose.q, k->normal), sign);
        CHECK(is_near(n, c->normal) || is_near(n, c->another));
        for (int v = 0; v < k->vertex_count; ++v, ++points) {
            AbutVec3 at = abut_quat_rotate_inv(pose.q, abut_sub(k->vertex[v].point, pose.p));
            CHECK(at.x > -1e-9 && at.x < 0.2 + 1e-6 && at.z > -1e-9 && at.z < 0.2 + 1e-6);
            CHECK(at.x < 0.04 + 1e-6 || at.z < 0.04 + 1e-6); /* on a leg */
        }
    }
    if (list.count != c->contacts || points != c->points)
        fail_msg("%s: %d contacts, %d points, expected %d, %d", c->geom, list.count, points, c->contacts, c->points);
    abut_contact_list_free(&list);
    abut_scene_free(scene);
}

static void meshes_touch_where_they_do(void **state) {
    (void)state;
    AbutRng rng = abut_rng(51, 0);
    for (int k = 0; k < check_cases(8); ++k)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            AbutQuat q = abut_quat_normalize(
                (AbutQuat){abut_rng_normal(&rng), abut_rng_normal(&rng), abut_rng_normal(&rng), abut_rng_normal(&rng)});
            AbutVec3 p = abut_vec3(abut_rng_normal(&rng), abut_rng_normal(&rng), abut_rng_normal(&rng));
            check(&cases[i], k ? abut_pose(p, q) : abut_pose_identity(), k & 1);
        }
}

/* A known way out stays while it is not longer than said; else the shortest is looked for. Two cubes, 0.1 deep along x
 * and 0.3 along z. */
static void known_ways_out_are_kept(void **state) {
    (void)state;
    AbutError error;
    AbutMesh mesh = box_mesh(abut_zero(), abut_vec3(0.5, 0.5, 0.5), 0);
    AbutMeshFeatures *f;
    AbutTouchRoom room = {0};
    good(abut_mesh_features_create(&mesh, 1, &f, &error), &error);
    AbutTouchQuestion q = {.a = f, .b = f, .b_in_a = abut_pose(abut_vec3(0.9, 0.1, 0.7), abut_quat_identity())};
    static const struct {
        AbutVec3 known;
        double most, gap;
        AbutVec3 normal;
    } ways[] = {{{0, 0, 0}, 0.0, -0.1, {1, 0, 0}}, {{0, 0, 1}, 0.31, -0.3, {0, 0, 1}},
        {{0, 0, 1}, 0.29, -0.1, {1, 0, 0}}, {{0.8, 0, 0.6}, 0.13, -0.125, {0.8, 0, 0.6}},
        {{-1, 0, 0}, 0.5, -0.1, {1, 0, 0}}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        assert_true(abut_features_way_out(&room, &q, ways[i].known, ways[i].most));
        assert_int_equal(room.touch_count, 1);
        CHECK_NEAR(room.touch[0].gap, ways[i].gap, 1e-6);
        CHECK_VEC_NEAR(room.touch[0].normal, ways[i].normal, 1e-6);
    }
    abut_touch_room_free(&room);
    abut_mesh_features_free(f);
    abut_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_touch_where_they_do), cmocka_unit_test(known_ways_out_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
