/* SPDX-License-Identifier: Apache-2.0 */
/* scene: the built-in scenes are what they say, free of overlap at the start; bad names and arguments; memory that runs
 * out. */
#include "scene/internal.h"
#include "scene/scene_support.h"

#include <string.h>

static AbutScene *built(const char *spec, uint64_t seed) {
    AbutScene *scene = new_scene();
    AbutError error;
    good(abut_scene_build(scene, spec, seed, &error), &error);
    return scene;
}

/* Distance of two shapes of which at most one is a half-space. */
static double shape_distance(const AbutScene *scene, int32_t a, int32_t b) {
    const AbutShape *first = &scene->shape[a], *second = &scene->shape[b];
    if (!first->polyhedron || !second->polyhedron) {
        const AbutShape *ground = first->polyhedron ? second : first, *body = first->polyhedron ? first : second;
        AbutPlane plane = abut_shape_plane(scene, ground);
        AbutPose pose = abut_shape_pose(scene, body);
        AbutConvex convex = abut_convex_polyhedron(body->polyhedron, 0);
        AbutVec3 lowest = abut_convex_farthest(&convex, abut_quat_rotate_inv(pose.q, abut_neg(plane.normal)));
        return abut_dot(plane.normal, abut_pose_apply(pose, lowest)) - plane.offset;
    }
    AbutConvex ca = abut_convex_polyhedron(first->polyhedron, 0), cb = abut_convex_polyhedron(second->polyhedron, 0);
    AbutPose between = abut_pose_between(abut_shape_pose(scene, first), abut_shape_pose(scene, second));
    AbutGap d = abut_convex_distance(&ca, &cb, between, NULL, NULL);
    CHECK(d.outcome != ABUT_INVALID && d.outcome != ABUT_NOT_CONVERGED);
    return d.distance;
}

/* No overlap beyond rounding among the pairs; gives the number of pairs that touch. */
static int check_apart(AbutScene *scene) {
    int touching = 0;
    update(scene, 1e-6, 0.0, 0.0);
    for (int32_t i = 0; i < scene->pair_places; ++i) {
        double distance = scene->pair[i].alive ? shape_distance(scene, scene->pair[i].a, scene->pair[i].b) : 1.0;
        CHECK(distance > -1e-12);
        touching += distance < 1e-9;
    }
    return touching;
}

static int count_named(const AbutScene *scene, const char *stem) {
    char name[40];
    int count = 0;
    do snprintf(name, sizeof name, "%s%d", stem, count++);
    while (abut_scene_find_body(scene, name).index1);
    return count - 1;
}

static void scenes_are_as_described(void **state) {
    (void)state;
    static const struct {
        const char *spec, *stem;
        int bodies, touching; /* dynamic ones; -1: not said */
    } cases[] = {{"boxes", "box", 50, 0}, {"boxes:300", "box", 300, 0}, {"drop", "box", 1, 0}, {"stack", "box", 10, 10},
        {"stack:100", "box", 100, 100}, {"heavy", "box", 4, 4}, {"heavy:1e6", "box", 4, 4}, {"heavy:1e12", "box", 4, 4},
        {"heavy:1e-9", "box", 4, 4}, {"incline", "box", 1, 1}, {"incline:-3", "box", 1, 1},
        {"incline:1e300", "box", 1, 1}, {"bridge:-0.02", "box", 1, 1}, {"bridge:0.3", "box", 1, 1},

        {"incline:0", "box", 1, 1}, {"incline:10", "box", 1, 1}, {"slide", "box", 1, 1}, {"spin", "box", 1, 1},
        {"bridge", "box", 1, 1}, {"bridge:0", "box", 1, 2}, {"pyramid:5", "box", 15, 5 + 2 * (4 + 3 + 2 + 1)},
        {"pyramid", "box", 210, 20 + 2 * 190}, {"wall", "box", 105, 10 + 9 * 20}, {"arch", "block", 25, 26},
        {"arch:7", "block", 7, 8}, {"arch:99", "block", 99, 100}, {"domino", "box", 20, 20}, {"hulls", "hull", 100, 0},
        {"hulls:500", "hull", 500, 0}, {"bin", "box", 50, 0}, {"balls", "ball", 50, 0}, {"balls:300", "ball", 300, 0},
        {"shapes", "shape", 50, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        AbutModel *model;
        AbutScene *scene = built(cases[c].spec, c);
        assert_int_equal(abut_model_build(cases[c].spec, c, &model, NULL), ABUT_OK);
        CHECK(model->gravity.z == -9.80665 && model->gravity.x == 0.0 && model->timestep == 1e-3 && model->time > 0.0);
        assert_int_equal(model->body_count, abut_scene_body_count(scene));
        assert_string_equal(model->name, cases[c].spec);
        abut_model_free(model);
        CHECK(abut_scene_find_body(scene, "ground").index1 != 0);
        assert_int_equal(abut_scene_check(scene, NULL), ABUT_OK);
        int touching = check_apart(scene);
        if (count_named(scene, cases[c].stem) != cases[c].bodies || touching != cases[c].touching)
            fail_msg("%s: %d bodies, %d touching", cases[c].spec, count_named(scene, cases[c].stem), touching);
        abut_scene_free(scene);
    }
}

static void pile_of_boxes_is_the_scene_of_the_tables(void **state) {
    (void)state;
    AbutScene *scene = built("boxes:50", 0), *again = built("boxes:50", 0), *other = built("boxes:50", 1);
    AbutVec3 center[50];
    int differ = 0;
    for (int i = 0; i < 50; ++i) {
        const AbutBody *body = &scene->body[i + 1];
        center[i] = body->x;
        CHECK(body->mass == 1e-3 && fabs(body->x.x) <= 0.2 && fabs(body->x.y) <= 0.2 && body->x.z > 0.1146);
        CHECK_NEAR(body->inertia.x.x, 1e-3 * (0.01 + 0.0025) / 12, 1e-18);
        CHECK_NEAR(body->inertia.z.z, 1e-3 * (0.04 + 0.01) / 12, 1e-18);
        for (int k = 0; k < i; ++k) CHECK(abut_point_distance(center[i], center[k]) >= 0.235 - 1e-12);
        CHECK(memcmp(&body->x, &again->body[i + 1].x, sizeof body->x) == 0 &&
              memcmp(&body->q, &again->body[i + 1].q, sizeof body->q) == 0);
        differ += abut_point_distance(body->x, other->body[i + 1].x) > 1e-6;
    }
    CHECK(differ > 45);
    update(scene, 0, 10.0, 0);
    CHECK(scene->pair[0].friction == 0.5 && scene->pair[0].friction_kinetic == 0.5);
    abut_scene_free(scene);
    abut_scene_free(again);
    abut_scene_free(other);
}

static void single_boxes_start_right(void **state) {
    (void)state;
    AbutBodyState body;
    AbutScene *scene = built("drop", 0);
    CHECK(abut_scene_get_body(scene, abut_scene_find_body(scene, "box0"), &body));
    CHECK_VEC_NEAR(body.center, abut_vec3(0, 0, 1), 0.0);
    /* z axis of the box after turning about z, y, z: (cos 60 sin 45, sin 60 sin 45, cos 45) */
    CHECK_VEC_NEAR(abut_quat_rotate(body.pose.q, abut_axis(2)),
        abut_vec3(0.5 * sqrt(0.5), sqrt(0.75) * sqrt(0.5), sqrt(0.5)), 1e-15);
    CHECK_NEAR(abut_quat_rotate(body.pose.q, abut_axis(0)).z, -sqrt(0.5) * cos(ABUT_PI / 6), 1e-15);
    abut_scene_free(scene);
    scene = built("slide", 0);
    CHECK(scene->body[1].v.x == 1.0 && scene->body[1].x.z == 0.025);
    abut_scene_free(scene);
    scene = built("spin", 0);
    CHECK(scene->body[1].w.z == 10.0 && scene->body[1].v.x == 0.0);
    abut_scene_free(scene);
    scene = built("incline:0.75", 0);
    CHECK_VEC_NEAR(
        abut_shape_plane(scene, &scene->shape[0]).normal, abut_vec3(0.6, 0, 0.8), 1e-15); /* downhill is +x */
    abut_scene_free(scene);
    scene = built("incline:-0.75", 0);
    CHECK_VEC_NEAR(abut_shape_plane(scene, &scene->shape[0]).normal, abut_vec3(-0.6, 0, 0.8), 1e-15);
    abut_scene_free(scene);
    scene = built("bridge:-0.75", 0); /* on the second, which is higher */
    CHECK_NEAR(scene->body[3].x.z, 0.05 + 0.75 + 0.025, 1e-15);
    abut_scene_free(scene);
    scene = built("edge:-4e7", 0);
    CHECK(abut_scene_get_body(scene, abut_scene_find_body(scene, "ball"), &body));
    CHECK_VEC_NEAR(body.center, abut_vec3(0, -4e7, 0.2), 0.0);
    abut_scene_free(scene);
}

/* Do forces along the arch balance its weight, pass inside every joint and stay within friction? The thrust h at the
 * foot, acting at x = foot, decides all of them: what is left of a joint passes on its own forces and torque (about the
 * origin, in the plane x, z). */
static int arch_stands(const AbutScene *scene, int count, double h, double foot) {
    double weight = scene->body[1].mass * 9.80665, v = 0.5 * count * weight, torque = foot * v;
    for (int joint = 0; joint <= count; ++joint) {
        double t = ABUT_PI * ((double)joint / count - 0.5), normal = h * cos(t) - v * sin(t),
               shear = h * sin(t) + v * cos(t);
        double radius = -torque / normal;
        if (!(normal > 0.0) || fabs(shear) > 0.7 * normal || radius < 0.85 || radius > 1.15) return 0;
        if (joint == count) break;
        v -= weight;
        torque -= scene->body[joint + 1].x.x * weight;
    }
    return 1;
}

static void arch_can_stand(void **state) {
    (void)state;
    const int counts[] = {7, 25, 99};
    for (int c = 0; c < 3; ++c) {
        char spec[20];
        int ways = 0, thin = 0;
        snprintf(spec, sizeof spec, "arch:%d", counts[c]);
        AbutScene *scene = built(spec, 0);
        double all = counts[c] * scene->body[1].mass * 9.80665;
        for (int i = 1; i < 100; ++i)
            for (int k = 0; k <= 30; ++k) {
                ways += arch_stands(scene, counts[c], 0.005 * i * all, -0.85 - 0.01 * k);
                thin += arch_stands(scene, counts[c], 0.005 * i * all, -0.5);
            }
        CHECK(ways > 20 && thin == 0);
        abut_scene_free(scene);
    }
}

static void hulls_are_mixed(void **state) {
    (void)state;
    AbutScene *scene = built("hulls:400", 7);
    int seen[41] = {0}, kinds = 0;
    for (int32_t i = 1; i < scene->shape_places; ++i) {
        const AbutPolyhedron *p = scene->shape[i].polyhedron;
        CHECK(p->vertex_count >= 4 && p->vertex_count <= 40);
        kinds += seen[p->vertex_count]++ == 0;
    }
    CHECK(kinds > 30);
    abut_scene_free(scene);
}

static void bad_specs_are_refused(void **state) {
    (void)state;
    static const char *bad[] = {"", "box", "boxess", "boxes:", "boxes:0", "boxes:100001", "boxes:1.5", "boxes:-3",
        "boxes:5x", "boxes:nan", "boxes: 5", "drop:", "drop:1", "incline:nan", "incline:-inf", "incline:.",
        "incline:1e", "incline:1e999999999999", "incline:0.1.2", "incline:0x10", "pyramid:1000", "arch:3", ":5",
        "stack:10:10", "heavy:0", "heavy:-1", "squeeze:0", "nut:-0.01", "bridge:-1e300"};
    static const char *good_numbers[] = {"incline:11", "incline:-1", "incline:1234567890123456789",
        "incline:0.8999999999999999", "bridge:1", "roll:-1e300", "heavy:1e-300", "squeeze:1e200", "nut:1e300",
        "edge:-1e300"};
    AbutScene *scene = new_scene();
    AbutError error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        error.text[0] = 0;
        if (abut_scene_build(scene, bad[i], 0, &error) != ABUT_ERROR_ARGUMENT || strlen(error.text) < 20)
            fail_msg("'%s' was not refused (%s)", bad[i], error.text);
        assert_int_equal(abut_scene_body_count(scene), 0);
    }
    assert_int_equal(abut_scene_build(scene, "pile", 0, &error), ABUT_ERROR_ARGUMENT);
    CHECK(strstr(error.text, "'pile'") && strstr(error.text, "boxes:N=50") && strstr(error.text, "bin:N=50"));
    for (size_t i = 0; i < sizeof good_numbers / sizeof good_numbers[0]; ++i)
        abut_scene_free(built(good_numbers[i], 0));
    good(abut_scene_build(scene, "incline:4.99e-1", 0, &error), &error);
    assert_int_equal(abut_scene_build(scene, "drop", 0, &error), ABUT_ERROR_ARGUMENT); /* not empty */
    abut_scene_free(scene);
    int count;
    const AbutBuiltinScene *list = abut_builtin_scenes(0, &count);
    CHECK(count == 33);
    for (int i = 0; i < count; ++i) {
        scene = built(list[i].name, 0);
        CHECK(strlen(list[i].summary) > 10 && strlen(list[i].summary) < 80);
        abut_scene_free(scene);
    }
}

/* Whatever request fails, the scene stays whole, can be filled afterward, and gives all its memory back. */
static void memory_may_run_out(void **state) {
    (void)state;
    static const char *specs[] = {"boxes:40", "hulls:20", "arch", "bin:5", "shapes:10"};
    for (int c = 0; c < 5; ++c) {
        int failures = 0, done = 0;
        for (int left = 0; !done && left < 4000; left += 1 + left / 60) {
            FailingMemory memory = {left, 0};
            AbutAllocator allocator = {failing_alloc, failing_release, &memory};
            AbutScene *scene;
            abut_set_allocator(&allocator);
            if (abut_scene_create(&scene, NULL) == ABUT_OK) {
                AbutStatus status = abut_scene_build(scene, specs[c], 1, NULL);
                CHECK(status == ABUT_OK || (status == ABUT_ERROR_MEMORY && abut_scene_body_count(scene) == 0));
                AbutStatus pairs = abut_scene_update_bounds(scene, 0.2, 1.0, 1e-3, NULL);
                CHECK(pairs == ABUT_OK);
                pairs = abut_scene_update_pairs(scene);
                done = status == ABUT_OK && pairs == ABUT_OK;
                failures += !done;
                memory.left = 1 << 30;
                if (status != ABUT_OK) assert_int_equal(abut_scene_build(scene, specs[c], 1, NULL), ABUT_OK);
                update(scene, 0.3, 1.0, 1e-3);
                for (int32_t a = 0; a < scene->shape_places; ++a)
                    for (int32_t b = 0; b < a; ++b)
                        if (scene->shape[a].polyhedron && scene->shape[b].polyhedron &&
                            abut_scene_may_meet(scene, a, b))
                            CHECK(abut_aabb_overlap(scene->shape[a].fat, scene->shape[b].fat) ==
                                  (abut_scene_find_pair(scene, a, b, -1) >= 0));
                CHECK(live_pairs(scene) > 0);
                abut_scene_free(scene);
            }
            abut_set_allocator(NULL);
            assert_int_equal(memory.live, 0);
        }
        CHECK(done && failures > 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_are_as_described),
        cmocka_unit_test(pile_of_boxes_is_the_scene_of_the_tables),
        cmocka_unit_test(single_boxes_start_right),
        cmocka_unit_test(arch_can_stand),
        cmocka_unit_test(hulls_are_mixed),
        cmocka_unit_test(bad_specs_are_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
