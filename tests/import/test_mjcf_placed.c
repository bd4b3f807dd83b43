/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our scene files and built-in scenes, placed: every bit of poses, masses, geometry, filters and friction is what it
 * has been since version 0.1.0. The hashes were taken from a build of that time, whose readers filled scenes directly;
 * those of boxes, arch, hulls and bin again when sines and draws became the same for every compiler (poses of boxes,
 * arch and bin moved by 1.1e-16 at most).
 */
#include "support/check.h"

#include <string.h>

#include "abut/import.h"

static uint64_t hash_numbers(const double *numbers, int count, uint64_t hash) {
    for (int i = 0; i < count; ++i) {
        double value = numbers[i] + 0.0; /* -0 becomes 0 */
        hash = abut_hash(&value, sizeof value, hash);
    }
    return hash;
}

static uint64_t hash_pose(AbutPose pose, uint64_t hash) {
    double numbers[7] = {pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z};
    return hash_numbers(numbers, 7, hash);
}

static uint64_t hash_shape(const AbutScene *scene, AbutShapeId id, uint64_t hash) {
    AbutShapeDef shape;
    abut_scene_get_shape(scene, id, &shape, NULL);
    const AbutPolyhedron *p = shape.geometry->polyhedron;
    double numbers[2] = {shape.material.friction, shape.material.restitution};
    uint32_t whole[3] = {shape.category, shape.mask, shape.color};
    hash = hash_pose(shape.pose, hash);
    hash = hash_numbers(numbers, 2, hash);
    hash = abut_hash(whole, sizeof whole, hash);
    return p ? abut_hash(abut_polyhedron_vertices(p), (size_t)p->vertex_count * sizeof(AbutVec3), hash) : hash;
}

static uint64_t hash_scene(const AbutScene *scene) {
    uint64_t hash = 0;
    for (int i = 0; i < abut_scene_body_count(scene); ++i) {
        AbutBodyId id = abut_scene_body_at(scene, i);
        AbutBodyState body;
        abut_scene_get_body(scene, id, &body);
        double numbers[] = {(double)body.kind, body.mass, body.local_center.x, body.local_center.y, body.local_center.z,
            body.velocity.x, body.velocity.y, body.velocity.z, body.spin.x, body.spin.y, body.spin.z, body.inertia.x.x,
            body.inertia.x.y, body.inertia.x.z, body.inertia.y.y, body.inertia.y.z, body.inertia.z.z};
        hash = abut_hash(body.name, strlen(body.name), hash);
        hash = hash_pose(body.pose, hash);
        hash = hash_numbers(numbers, (int)(sizeof numbers / sizeof numbers[0]), hash);
        for (int k = 0; k < body.shape_count; ++k) hash = hash_shape(scene, abut_scene_shape_at(scene, id, k), hash);
    }
    return hash;
}

static void check_placed(const char *name, AbutModel *model, uint64_t expected) {
    AbutScene *scene;
    assert_int_equal(abut_scene_create(&scene, NULL), ABUT_OK);
    assert_int_equal(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, NULL), ABUT_OK);
    uint64_t hash = hash_scene(scene);
    if (hash != expected) fail_msg("%s: 0x%016llx", name, (unsigned long long)hash);
    abut_scene_free(scene);
    abut_model_free(model);
}

typedef struct Placed {
    const char *name;
    uint64_t hash;
} Placed;

static void scene_files_are_as_before(void **state) {
    (void)state;
#ifdef ABUT_TEST_XML
    static const Placed files[] = {{"table", UINT64_C(0xbf9cdeda8b3701a3)}, {"mixed", UINT64_C(0x8178125047b5522b)},
        {"domino", UINT64_C(0x5c09a7928d7d4484)}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char path[1000];
        AbutModel *model;
        snprintf(path, sizeof path, "%s/scenes/%s.xml", ABUT_SOURCE_DIR, files[i].name);
        assert_int_equal(abut_model_read(path, NULL, &model, NULL), ABUT_OK);
        check_placed(files[i].name, model, files[i].hash);
    }
#endif
}

static void built_in_scenes_are_as_before(void **state) {
    (void)state;
    static const Placed scenes[] = {{"boxes", UINT64_C(0x5c4494ab9cc00888)}, {"drop", UINT64_C(0xc82aa68b53e2b75f)},
        {"stack", UINT64_C(0xae5267ba14e3a307)}, {"incline", UINT64_C(0x5c19c36a1b553b91)},
        {"slide", UINT64_C(0x6e615b2b74eb981d)}, {"spin", UINT64_C(0x9048a810f46bba8a)},
        {"bridge", UINT64_C(0x6b4208929387f407)}, {"pyramid:6", UINT64_C(0xaf184e1de798e842)},
        {"wall", UINT64_C(0x2e76a4834f7e55ec)}, {"arch", UINT64_C(0xb9115f124e4e44a5)},
        {"domino", UINT64_C(0x81294801781f91b3)}, {"hulls:20", UINT64_C(0x3f3bead427b81a2e)},
        {"bin:10", UINT64_C(0xb091f0fbaa9cc75f)}};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        AbutModel *model;
        assert_int_equal(abut_model_build(scenes[i].name, 1, &model, NULL), ABUT_OK);
        check_placed(scenes[i].name, model, scenes[i].hash);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scene_files_are_as_before),
        cmocka_unit_test(built_in_scenes_are_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
