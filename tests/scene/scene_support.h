/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of scenes: makers that must succeed, live pairs. */
#ifndef ABUT_TESTS_SCENE_SUPPORT_H
#define ABUT_TESTS_SCENE_SUPPORT_H

#include "scene/scene.h"
#include "support/check.h"
#include "support/memory.h"

static inline AbutScene *new_scene(void) {
    AbutScene *scene;
    AbutError error;
    good(abut_scene_create(&scene, &error), &error);
    return scene;
}

static inline AbutPose at(double x, double y, double z) { return abut_pose(abut_vec3(x, y, z), abut_quat_identity()); }

static inline AbutBodyId add_body(AbutScene *scene, AbutBodyKind kind, AbutPose pose) {
    AbutBodyDef def = abut_body_default();
    AbutBodyId id;
    AbutError error;
    def.kind = kind;
    def.pose = pose;
    good(abut_scene_add_body(scene, &def, &id, &error), &error);
    return id;
}

static inline AbutShapeId add_shape(AbutScene *scene, AbutBodyId body, const AbutShapeDef *def) {
    AbutShapeId id;
    AbutError error;
    good(abut_scene_add_shape(scene, body, def, &id, &error), &error);
    return id;
}

/* A body with a box of these half sizes. */
static inline AbutBodyId add_box(AbutScene *scene, AbutBodyKind kind, AbutPose pose, AbutVec3 half) {
    AbutBodyId id = add_body(scene, kind, pose);
    AbutShapeDef def = abut_shape_default();
    def.form.size = half;
    add_shape(scene, id, &def);
    return id;
}

static inline int live_pairs(const AbutScene *scene) {
    int count = 0;
    for (int32_t i = 0; i < scene->pair_places; ++i) count += scene->pair[i].alive;
    return count;
}

static inline void update(AbutScene *scene, double margin, double fatten, double dt) {
    assert_int_equal(abut_scene_update_bounds(scene, margin, fatten, dt, NULL), ABUT_OK);
    assert_int_equal(abut_scene_update_pairs(scene), ABUT_OK);
}

#endif
