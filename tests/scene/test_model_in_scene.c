/* SPDX-License-Identifier: Apache-2.0 */
/* Models placed in scenes: welded links, pairs, visual shapes, refusals; and scenes described as models. */
#include "scene/scene_support.h"

static int32_t model_body(AbutModel *model, AbutBodyKind kind, int32_t parent, const char *name, AbutPose pose) {
    AbutBodyDef def = abut_body_default();
    AbutError error;
    int32_t number;
    def.kind = kind;
    def.parent = parent;
    def.name = name;
    def.pose = pose;
    good(abut_model_add_body(model, &def, &number, &error), &error);
    return number;
}

static int32_t model_shape(AbutModel *model, int32_t body, AbutVec3 half, AbutPose pose, int visual) {
    AbutShapeDef def = abut_shape_default();
    AbutError error;
    int32_t number;
    def.body = body;
    def.form.size = half;
    def.pose = pose;
    def.visual = visual;
    good(abut_model_add_shape(model, &def, &number, &error), &error);
    return number;
}

/* A base with an arm welded to it, turned by a quarter. */
static AbutModel *welded(double base_mass) {
    AbutModel *model;
    AbutError error;
    good(abut_model_create(&model, &error), &error);
    AbutBodyDef base = abut_body_default();
    base.name = "base";
    base.mass = base_mass;
    base.inertia = abut_mat3_diagonal(base_mass, base_mass, base_mass);
    good(abut_model_add_body(model, &base, NULL, &error), &error);
    AbutPose side = abut_pose(abut_vec3(1, 0, 0), abut_quat_axis_angle(abut_axis(2), 0.5 * ABUT_PI));
    int32_t arm = model_body(model, ABUT_BODY_LINK, 0, "arm", side);
    model_shape(model, 0, abut_vec3(0.1, 0.1, 0.1), at(0, 0, 0), 0);
    model_shape(model, arm, abut_vec3(0.1, 0.2, 0.3), at(0, 1, 0), 0);
    model_shape(model, arm, abut_vec3(0.5, 0.5, 0.5), at(0, 0, 0), 1);
    return model;
}

static void welded_links_are_one_body(void **state) {
    (void)state;
    AbutModel *model = welded(0.0);
    AbutScene *scene = new_scene();
    AbutBodyId ids[2];
    AbutError error;
    AbutPose there = abut_pose(abut_vec3(5, 6, 7), abut_quat_axis_angle(abut_axis(0), 0.5 * ABUT_PI));
    good(abut_scene_add_model(scene, model, there, ids, &error), &error);
    assert_int_equal(abut_scene_body_count(scene), 1);
    assert_memory_equal(&ids[0], &ids[1], sizeof ids[0]);
    AbutBodyState body;
    CHECK(abut_scene_get_body(scene, ids[0], &body));
    assert_string_equal(body.name, "base");
    assert_int_equal(body.shape_count, 3);
    CHECK_VEC_NEAR(body.pose.p, there.p, 0);
    CHECK_NEAR(body.mass, 1000.0 * (0.008 + 0.048), 1e-12); /* the visual box weighs nothing */
    AbutShapeDef arm, visual;
    CHECK(abut_scene_get_shape(scene, abut_scene_shape_at(scene, ids[0], 1), &arm, NULL));
    CHECK(abut_scene_get_shape(scene, abut_scene_shape_at(scene, ids[0], 2), &visual, NULL));
    CHECK_VEC_NEAR(arm.pose.p, abut_vec3(0, 0, 0), 1e-15); /* from the arm, +y is -x of the base */
    assert_int_equal(visual.visual, 1);
    assert_ptr_equal(arm.geometry, model->shapes[1].geometry);
    abut_model_free(model);
    CHECK(arm.geometry->polyhedron->vertex_count == 8); /* the scene holds it */
    abut_scene_free(scene);
}

/* A mass that is stated for the base and one that follows from the shapes of the arm add up. */
static void masses_of_welded_links_add(void **state) {
    (void)state;
    AbutModel *model = welded(2.0);
    AbutScene *scene = new_scene();
    AbutBodyId id[2];
    AbutBodyState body;
    AbutError error;
    good(abut_scene_add_model(scene, model, abut_pose_identity(), id, &error), &error);
    CHECK(abut_scene_get_body(scene, id[0], &body));
    CHECK_NEAR(body.mass, 50.0, 1e-12);
    CHECK_VEC_NEAR(body.local_center, abut_zero(), 1e-15);
    CHECK_NEAR(body.inertia.x.x, 2.0 + 48.0 / 3.0 * (0.1 * 0.1 + 0.3 * 0.3), 1e-12); /* x of the base is y of the arm */
    abut_model_free(model);
    abut_scene_free(scene);
}

/* A link with a joint is a body of its own, at the reference, which does not meet the link it hangs on. */
static void joints_make_links(void **state) {
    (void)state;
    AbutModel *model = welded(0.0);
    AbutScene *scene = new_scene();
    AbutJointDef hinge = abut_joint_default();
    AbutBodyId id[3];
    AbutBodyState body;
    AbutError error;
    hinge.body = 1;
    good(abut_model_add_joint(model, &hinge, NULL, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), id, &error), &error);
    assert_int_equal(abut_scene_robot_count(scene), 1);
    assert_int_not_equal(id[0].index1, id[1].index1);
    CHECK(abut_scene_get_body(scene, id[1], &body));
    assert_int_equal(body.kind, ABUT_BODY_LINK);
    assert_int_equal(abut_scene_robot_body(scene, 0, 1).index1, id[1].index1);
    update(scene, 0.0, 0.0, 0.0);
    assert_int_equal(live_pairs(scene), 0);
    assert_int_equal(abut_scene_remove_body(scene, id[0], &error), ABUT_ERROR_ARGUMENT);
    double q[8], v[7];
    abut_scene_get_joints(scene, 0, q, v);
    CHECK_NEAR(q[7], 0.0, 0.0);
    abut_model_free(model);
    abut_scene_free(scene);
}

/* What a configuration refuses a scene refuses, and it is as it was. */
static void massless_links_are_refused(void **state) {
    (void)state;
    AbutModel *model;
    AbutScene *scene = new_scene();
    AbutBodyDef link = abut_body_default();
    AbutJointDef hinge = abut_joint_default();
    AbutError error;
    good(abut_model_create(&model, &error), &error);
    link.kind = ABUT_BODY_LINK;
    link.name = "arm";
    link.source = (AbutSource){"arm.xml", 7};
    good(abut_model_add_body(model, &link, &hinge.body, &error), &error);
    good(abut_model_add_joint(model, &hinge, NULL, &error), &error);
    assert_int_equal(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), ABUT_ERROR_DEGENERATE);
    assert_string_equal(error.text, "arm.xml:7: body 'arm' moves and has no mass");
    assert_int_equal(abut_scene_body_count(scene), 0);
    assert_int_equal(abut_scene_robot_count(scene), 0);
    abut_model_free(model);
    abut_scene_free(scene);
}

/* Two boxes that overlap, with filters that keep them apart. */
static AbutModel *apart_by_filter(void) {
    AbutModel *model;
    AbutError error;
    good(abut_model_create(&model, &error), &error);
    for (int i = 0; i < 2; ++i) {
        AbutShapeDef def = abut_shape_default();
        def.body = model_body(model, ABUT_BODY_DYNAMIC, -1, i ? "b" : "a", at(0.1 * i, 0, 0));
        def.category = 1u << i;
        def.mask = 1u << i;
        good(abut_model_add_shape(model, &def, NULL, &error), &error);
    }
    return model;
}

static int pairs_of(AbutScene *scene) {
    int count = 0;
    assert_int_equal(abut_scene_update_pairs(scene), ABUT_OK);
    for (int32_t i = 0; i < scene->pair_places; ++i) count += scene->pair[i].alive;
    return count;
}

static void pairs_meet_whatever_filters_say(void **state) {
    (void)state;
    for (int with = 0; with < 3; ++with) {
        AbutModel *model = apart_by_filter(), *again;
        AbutScene *scene = new_scene(), *copy = new_scene();
        AbutError error;
        AbutPairDef pair = abut_pair_default();
        pair.a = 1;
        pair.friction = with == 2 ? 0.125 : -1.0;
        pair.margin = with == 2 ? 1e-3 : 0.0;
        if (with) good(abut_model_add_pair(model, &pair, NULL, &error), &error);
        good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
        assert_int_equal(pairs_of(scene), with > 0);
        if (with) CHECK(scene->pair[0].friction == (with == 2 ? 0.125 : 0.5) && scene->pair[0].margin == pair.margin);
        good(abut_scene_model(scene, &again, &error), &error); /* the rule survives the way back */
        assert_int_equal(again->pair_count, with > 0);
        if (with) CHECK(again->pairs[0].friction == pair.friction && again->pairs[0].margin == pair.margin);
        good(abut_scene_add_model(copy, again, abut_pose_identity(), NULL, &error), &error);
        assert_int_equal(pairs_of(copy), with > 0);
        good(abut_scene_exclude(scene, abut_scene_body_at(scene, 0), abut_scene_body_at(scene, 1), &error), &error);
        assert_int_equal(pairs_of(scene), 0);
        abut_model_free(model);
        abut_model_free(again);
        abut_scene_free(scene);
        abut_scene_free(copy);
    }
}

static void visual_shapes_meet_nothing(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutError error;
    for (int i = 0; i < 2; ++i) {
        AbutShapeDef def = abut_shape_default();
        AbutBodyId id = add_body(scene, i ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC, at(0, 0, 0));
        add_shape(scene, id, &def);
        def.visual = 1;
        def.form.size = abut_vec3(9, 9, 9);
        add_shape(scene, id, &def);
        def.form.kind = ABUT_SHAPE_HALF_SPACE;
        add_shape(scene, id, &def);
    }
    assert_int_equal(abut_scene_update_bounds(scene, 1e-3, 0.02, 1e-3, NULL), ABUT_OK);
    assert_int_equal(pairs_of(scene), 1);
    assert_int_equal(scene->plane_count, 0);
    good(abut_scene_remove_body(scene, abut_scene_body_at(scene, 0), &error), &error);
    good(abut_scene_remove_body(scene, abut_scene_body_at(scene, 0), &error), &error);
    for (int32_t i = 0; i < scene->shape_places; ++i) assert_int_equal(scene->shape[i].alive, 0);
    abut_scene_free(scene);
}

static void equal_shapes_of_a_scene_share(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutShapeDef def = abut_shape_default();
    for (int i = 0; i < 50; ++i) add_shape(scene, add_body(scene, ABUT_BODY_DYNAMIC, at(2 * i, 0, 0)), &def);
    for (int i = 1; i < 50; ++i) assert_ptr_equal(scene->shape[i].def.geometry, scene->shape[0].def.geometry);
    abut_scene_free(scene);
}

/* Geometry of shapes that have gone does not pile up. */
static void geometry_goes_with_its_shapes(void **state) {
    (void)state;
    AbutScene *scene = new_scene();
    AbutError error;
    for (int i = 0; i < 1000; ++i) {
        AbutShapeDef def = abut_shape_default();
        def.form.size.x = 1.0 + i;
        add_shape(scene, add_body(scene, ABUT_BODY_DYNAMIC, at(0, 0, 0)), &def);
        good(abut_scene_remove_body(scene, abut_scene_body_at(scene, 0), &error), &error);
    }
    CHECK(scene->geometry.count <= 16);
    abut_scene_free(scene);
}

static void a_scene_is_described_as_it_stands(void **state) {
    (void)state;
    AbutScene *scene = new_scene(), *copy = new_scene();
    AbutModel *model;
    AbutError error;
    int mine;
    good(abut_scene_build(scene, "bin:5", 3, &error), &error);
    AbutBodyDef def = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    AbutBodyId id;
    def.name = "mine";
    def.user = &mine;
    def.spin = abut_vec3(1, 2, 3);
    shape.user = &error;
    good(abut_scene_add_body(scene, &def, &id, &error), &error);
    add_shape(scene, id, &shape);
    good(abut_scene_remove_body(scene, abut_scene_body_at(scene, 3), &error), &error); /* leaves a gap in places */
    good(abut_scene_exclude(scene, id, abut_scene_body_at(scene, 4), &error), &error);
    good(abut_scene_model(scene, &model, &error), &error);
    assert_int_equal(model->body_count, abut_scene_body_count(scene));
    assert_int_equal(model->pair_count, 1);
    assert_true(model->pairs[0].exclude && model->pairs[0].a + model->pairs[0].b == 4 + 6);
    int32_t number = abut_model_find(model, ABUT_MODEL_BODY, "mine");
    assert_ptr_equal(model->bodies[number].user, &mine);
    assert_ptr_equal(model->shapes[abut_model_next_shape(model, number, -1)].user, &error);
    good(abut_scene_add_model(copy, model, abut_pose_identity(), NULL, &error), &error);
    assert_int_equal(abut_scene_body_count(copy), abut_scene_body_count(scene));
    for (int i = 0; i < abut_scene_body_count(scene); ++i) {
        AbutBodyState a, b;
        abut_scene_get_body(scene, abut_scene_body_at(scene, i), &a);
        abut_scene_get_body(copy, abut_scene_body_at(copy, i), &b);
        assert_string_equal(a.name, b.name);
        assert_ptr_equal(a.user, b.user);
        assert_true(a.kind == b.kind && a.mass == b.mass && a.shape_count == b.shape_count);
        CHECK_VEC_NEAR(a.center, b.center, 1e-15);
        CHECK_VEC_NEAR(a.spin, b.spin, 0);
    }
    abut_model_free(model);
    abut_scene_free(scene);
    abut_scene_free(copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(welded_links_are_one_body),
        cmocka_unit_test(masses_of_welded_links_add),
        cmocka_unit_test(joints_make_links),
        cmocka_unit_test(massless_links_are_refused),
        cmocka_unit_test(pairs_meet_whatever_filters_say),
        cmocka_unit_test(visual_shapes_meet_nothing),
        cmocka_unit_test(equal_shapes_of_a_scene_share),
        cmocka_unit_test(geometry_goes_with_its_shapes),
        cmocka_unit_test(a_scene_is_described_as_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
