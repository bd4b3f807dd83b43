/* SPDX-License-Identifier: Apache-2.0 */
/* Fat boxes follow the size of their shapes and their motion: the pairs of a scene do not depend on its unit. */
#include "scene/internal.h"
#include "scene/scene_support.h"
#include "scene/tolerance.h"

enum { SIDE = 10, BOXES = SIDE * SIDE };

/* 10 x 10 boxes of 2 mm, times `scale`, with gaps of 1 mm. */
static AbutScene *grid(double scale, AbutVec3 velocity) {
    AbutScene *scene = new_scene();
    AbutShapeDef shape = abut_shape_default();
    AbutError error;
    shape.form.size = abut_scale(abut_vec3(1e-3, 1e-3, 1e-3), scale);
    for (int i = 0; i < BOXES; ++i) {
        AbutBodyId id = add_body(scene, ABUT_BODY_DYNAMIC, at(3e-3 * scale * (i % SIDE), 3e-3 * scale * (i / SIDE), 0));
        add_shape(scene, id, &shape);
        good(abut_scene_set_velocity(scene, id, abut_scale(velocity, scale), abut_zero(), &error), &error);
    }
    return scene;
}

static int are_neighbors(int a, int b) { return abs(a % SIDE - b % SIDE) <= 1 && abs(a / SIDE - b / SIDE) <= 1; }

static void only_neighbors_are_pairs(void **state) {
    (void)state;
    static const double scales[] = {1.0, 1000.0, 1e-3};
    for (int k = 0; k < 3; ++k) {
        AbutScene *scene = grid(scales[k], abut_zero());
        update(scene, 1.5e-4 * scales[k], ABUT_FAT_MARGIN, 1e-3); /* two boxes reach 2 (0.15 + 0.4) mm over 1 mm */
        assert_int_equal(live_pairs(scene), 342);                 /* 180 across a side, 162 across a corner */
        for (int32_t i = 0; i < scene->pair_places; ++i)
            if (scene->pair[i].alive) CHECK(are_neighbors(scene->pair[i].a, scene->pair[i].b));
        abut_scene_free(scene);
    }
}

/* Boxes that fly many times their size keep their fat boxes for some steps, and pairs stay the neighbors. */
static void fast_boxes_look_ahead(void **state) {
    (void)state;
    AbutScene *scene = grid(1.0, abut_vec3(5.0, 0.0, 0.0));
    int renewed = 0, steps = 40;
    update(scene, 1e-5, ABUT_FAT_MARGIN, 1e-3);
    for (int step = 0; step < steps; ++step) {
        AbutAabb before = scene->shape[0].fat;
        for (int i = 0; i < BOXES; ++i) scene->body[i].x.x += 5e-3;
        update(scene, 1e-5, ABUT_FAT_MARGIN, 1e-3);
        renewed += before.min.x != scene->shape[0].fat.min.x;
        AbutAabb box = scene->shape[0].box, fat = scene->shape[0].fat;
        CHECK(fat.min.x <= box.min.x && fat.max.x >= box.max.x + 5e-3); /* contains the next step */
        CHECK(fat.max.x - fat.min.x < 0.03);
    }
    CHECK(renewed > 5 && renewed < steps / 2);
    for (int32_t i = 0; i < scene->pair_places; ++i)
        if (scene->pair[i].alive)
            assert_int_equal(
                scene->pair[i].a / SIDE, scene->pair[i].b / SIDE); /* rows that fly side by side do not mix */
    for (int i = 0; i < BOXES; ++i)                                /* at rest the long boxes shrink again */
        scene->body[i].v = abut_zero();
    update(scene, 1e-5, ABUT_FAT_MARGIN, 1e-3);
    CHECK(scene->shape[0].fat.max.x - scene->shape[0].fat.min.x < 6e-3);
    abut_scene_free(scene);
}

/* What never moves needs no margin; flat shapes have a size all the same. */
static void size_of_shapes(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutShapeDef shape = abut_shape_default();
    AbutVec3 corner[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    AbutPolyhedron *flat;
    assert_int_equal(abut_polyhedron_from_points(corner, 3, NULL, &flat, NULL), ABUT_OK);
    shape.form.size = abut_vec3(0.1, 0.05, 0.025);
    add_shape(scene, add_body(scene, ABUT_BODY_DYNAMIC, at(0, 0, 0)), &shape);
    add_shape(scene, add_body(scene, ABUT_BODY_STATIC, at(0, 0, 0)), &shape);
    shape.form.kind = ABUT_SHAPE_POLYHEDRON;
    shape.form.polyhedron = flat;
    add_shape(scene, add_body(scene, ABUT_BODY_KINEMATIC, at(0, 0, 0)), &shape);
    shape.form.kind = ABUT_SHAPE_HALF_SPACE;
    add_shape(scene, add_body(scene, ABUT_BODY_KINEMATIC, at(0, 0, 0)), &shape);
    update(scene, 1e-6, ABUT_FAT_MARGIN, 1e-3);
    CHECK_NEAR(scene->shape[0].size, 0.1, 1e-15);
    CHECK_NEAR(scene->shape[0].fat.max.x, 0.1 + 1e-6 + 0.02, 1e-15);
    CHECK_NEAR(scene->shape[1].fat.max.x, 0.1 + 1e-6, 1e-15);
    CHECK(scene->shape[2].size > 0.05 && scene->shape[2].size < 0.1);
    CHECK(scene->shape[3].size == 0.0);
    abut_polyhedron_free(flat);
    abut_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_neighbors_are_pairs),
        cmocka_unit_test(fast_boxes_look_ahead),
        cmocka_unit_test(size_of_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
