/* SPDX-License-Identifier: Apache-2.0 */
/* Models: what they keep, what they refuse, and that equal geometry is held once. */
#include "support/check.h"

#include <stdint.h>
#include <string.h>

#include "abut/model.h"

static AbutModel *new_model(void) {
    AbutModel *model;
    AbutError error;
    assert_int_equal(abut_model_create(&model, &error), ABUT_OK);
    return model;
}

static int32_t add_body(AbutModel *model, AbutBodyKind kind, int32_t parent) {
    AbutBodyDef def = abut_body_default();
    AbutError error;
    int32_t number = -1;
    def.kind = kind;
    def.parent = parent;
    assert_int_equal(abut_model_add_body(model, &def, &number, &error), ABUT_OK);
    return number;
}

static int32_t add_box(AbutModel *model, int32_t body, AbutVec3 half) {
    AbutShapeDef def = abut_shape_default();
    AbutError error;
    int32_t number = -1;
    def.body = body;
    def.form.size = half;
    assert_int_equal(abut_model_add_shape(model, &def, &number, &error), ABUT_OK);
    return number;
}

static void test_equal_boxes_share_one_polyhedron(void **state) {
    (void)state;
    AbutModel *model = new_model();
    for (int i = 0; i < 50; ++i) add_box(model, add_body(model, ABUT_BODY_DYNAMIC, -1), abut_vec3(0.1, 0.05, 0.025));
    int32_t other = add_box(model, add_body(model, ABUT_BODY_DYNAMIC, -1), abut_vec3(0.1, 0.05, 0.026));
    assert_int_equal(model->shape_count, 51);
    for (int i = 1; i < 50; ++i) assert_ptr_equal(model->shapes[i].geometry, model->shapes[0].geometry);
    assert_ptr_not_equal(model->shapes[other].geometry, model->shapes[0].geometry);
    assert_int_equal(model->shapes[0].geometry->polyhedron->vertex_count, 8);
    abut_model_free(model);
}

/* Numbers that a kind does not use make no difference; those that it uses do. */
static void test_geometry_of_kinds(void **state) {
    (void)state;
    for (int kind = 0; kind < ABUT_SHAPE_KIND_COUNT; ++kind) {
        AbutPolyhedron *hull;
        assert_int_equal(abut_polyhedron_regular(20, 1.0, &hull, NULL), ABUT_OK);
        static const double heights[4] = {0.1, 0.2, 0.3, 0.25};
        AbutHeightField field = {2, 2, 1, 1, -1, heights};
        AbutGeometryDef a = {(AbutShapeKind)kind, {0.3, 0.3, 0.2}, hull, 0, NULL, &field}, b = a;
        const AbutGeometry *first, *second;
        b.resolution = 16;
        if (kind == ABUT_SHAPE_SPHERE) b.size.z = 7.0;
        if (kind != ABUT_SHAPE_BOX && kind != ABUT_SHAPE_ELLIPSOID) b.size.y = -1.0;
        assert_int_equal(abut_geometry_create(&a, &first, NULL), ABUT_OK);
        assert_int_equal(abut_geometry_create(&b, &second, NULL), ABUT_OK);
        assert_true(first->hash == second->hash);
        assert_int_equal(first->polyhedron == NULL, kind == ABUT_SHAPE_HALF_SPACE);
        AbutConvex convex = abut_geometry_convex(first);
        if (kind == ABUT_SHAPE_BOX)
            assert_int_equal(convex.kind, ABUT_CONVEX_BOX);
        else if (kind == ABUT_SHAPE_HALF_SPACE)
            assert_int_equal(convex.kind, ABUT_CONVEX_HALF_SPACE);
        else if (kind == ABUT_SHAPE_POLYHEDRON || kind == ABUT_SHAPE_HEIGHT_FIELD)
            assert_ptr_equal(convex.polyhedron, first->polyhedron);
        else /* round: the body itself, a little more than its picture, which lies inside */
            assert_true(convex.polyhedron == NULL && first->mass.volume > first->polyhedron->mass.volume &&
                        first->mass.volume < 1.2 * first->polyhedron->mass.volume &&
                        first->bound.radius >= 0.999 * first->polyhedron->bound.radius / 1.05);
        abut_polyhedron_free(hull);
        abut_geometry_release(first);
        abut_geometry_release(second);
    }
}

static void test_geometry_is_counted(void **state) {
    (void)state;
    AbutGeometryDef def = {.kind = ABUT_SHAPE_SPHERE, .size = {1.0, 0.0, 0.0}, .resolution = 8};
    const AbutGeometry *geometry;
    AbutModel *model = new_model();
    AbutShapeDef shape = abut_shape_default();
    assert_int_equal(abut_geometry_create(&def, &geometry, NULL), ABUT_OK);
    shape.geometry = geometry;
    shape.body = add_body(model, ABUT_BODY_STATIC, -1);
    assert_int_equal(abut_model_add_shape(model, &shape, NULL, NULL), ABUT_OK);
    assert_ptr_equal(model->shapes[0].geometry, geometry);
    assert_int_equal(model->shapes[0].form.kind, ABUT_SHAPE_SPHERE);
    abut_geometry_release(geometry);
    assert_int_equal(model->shapes[0].geometry->polyhedron->vertex_count, 8 + 2 * 8 + 2); /* the model holds it */
    abut_model_free(model);
    abut_geometry_release(NULL);
}

static void test_names_and_lists(void **state) {
    (void)state;
    AbutModel *model = new_model();
    char name[8] = "base", file[8] = "a.xml";
    int mine = 5;
    AbutBodyDef def = abut_body_default();
    def.name = name;
    def.user = &mine;
    def.source = (AbutSource){file, 12};
    int32_t base, arm;
    assert_int_equal(abut_model_add_body(model, &def, &base, NULL), ABUT_OK);
    memset(name, 'x', 4);
    memset(file, 'x', 4);
    arm = add_body(model, ABUT_BODY_LINK, base);
    assert_string_equal(model->bodies[base].name, "base");
    assert_string_equal(model->bodies[base].source.file, "a.xml");
    assert_ptr_equal(model->bodies[base].user, &mine);
    assert_string_equal(model->bodies[arm].name, "");
    assert_null(model->bodies[arm].source.file);
    assert_int_equal(abut_model_find(model, ABUT_MODEL_BODY, "base"), base);
    assert_int_equal(abut_model_find(model, ABUT_MODEL_BODY, ""), -1);
    AbutVec3 half = abut_vec3(1, 1, 1);
    int32_t a = add_box(model, base, half), b = add_box(model, arm, half), c = add_box(model, base, half);
    assert_int_equal(abut_model_next_shape(model, base, -1), a);
    assert_int_equal(abut_model_next_shape(model, base, a), c);
    assert_int_equal(abut_model_next_shape(model, base, c), -1);
    assert_int_equal(abut_model_next_shape(model, arm, -1), b);
    assert_int_equal(abut_model_next_shape(model, arm, b), -1);
    assert_int_equal(abut_model_next_joint(model, arm, -1), -1);
    assert_int_equal(abut_model_set_name(model, "two", NULL), ABUT_OK);
    assert_string_equal(model->name, "two");
    abut_model_free(model);
    abut_model_free(NULL);
}

static void test_what_moves(void **state) {
    (void)state;
    AbutModel *model = new_model();
    int32_t ground = add_body(model, ABUT_BODY_STATIC, -1), shelf = add_body(model, ABUT_BODY_LINK, ground);
    int32_t box = add_body(model, ABUT_BODY_DYNAMIC, -1), lid = add_body(model, ABUT_BODY_LINK, box);
    int32_t door = add_body(model, ABUT_BODY_LINK, -1), knob = add_body(model, ABUT_BODY_LINK, door);
    AbutJointDef hinge = abut_joint_default();
    hinge.body = door;
    assert_int_equal(abut_model_add_joint(model, &hinge, NULL, NULL), ABUT_OK);
    assert_int_equal(abut_model_is_movable(model, ground), 0);
    assert_int_equal(abut_model_is_movable(model, shelf), 0);
    assert_int_equal(abut_model_is_movable(model, box), 1);
    assert_int_equal(abut_model_is_movable(model, lid), 1);
    assert_int_equal(abut_model_is_movable(model, knob), 1);
    assert_int_equal(abut_model_is_movable(model, -1), 0);
    AbutShapeDef plane = abut_shape_default();
    AbutError error;
    plane.form.kind = ABUT_SHAPE_HALF_SPACE;
    plane.body = knob;
    assert_int_equal(abut_model_add_shape(model, &plane, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "half-space"));
    plane.visual = 1;
    assert_int_equal(abut_model_add_shape(model, &plane, NULL, &error), ABUT_OK);
    plane.visual = 0;
    plane.body = shelf;
    assert_int_equal(abut_model_add_shape(model, &plane, NULL, &error), ABUT_OK);
    abut_model_free(model);
}

static void refuse_body(AbutModel *model, const AbutBodyDef *def, const char *part) {
    AbutError error;
    int32_t before = model->body_count, number = 77;
    assert_int_not_equal(abut_model_add_body(model, def, &number, &error), ABUT_OK);
    assert_non_null(strstr(error.text, part));
    assert_int_equal(model->body_count, before);
    assert_int_equal(number, 77);
}

static void test_bad_bodies(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutBodyDef def = abut_body_default(), good = def;
    def.parent = 0;
    refuse_body(model, &def, "only a link has a parent");
    def.kind = ABUT_BODY_LINK;
    refuse_body(model, &def, "its parent 0 is not one of the 0 bodies");
    def.parent = -1;
    def.velocity.x = 1.0;
    refuse_body(model, &def, "a link has no velocity");
    def = good;
    def.kind = ABUT_BODY_KIND_COUNT;
    refuse_body(model, &def, "unknown kind");
    def = good;
    def.mass = 1.0;
    def.inertia = abut_mat3_diagonal(1.0, 1.0, 3.0);
    refuse_body(model, &def, "no body has the moments");
    def.kind = ABUT_BODY_STATIC; /* not looked at */
    assert_int_equal(abut_model_add_body(model, &def, NULL, NULL), ABUT_OK);
    abut_model_free(model);
}

static void refuse_joint(AbutModel *model, const AbutJointDef *def, const char *part) {
    AbutError error;
    assert_int_not_equal(abut_model_add_joint(model, def, NULL, &error), ABUT_OK);
    assert_non_null(strstr(error.text, part));
    assert_int_equal(model->joint_count, 0);
}

static void test_bad_joints(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutJointDef def = abut_joint_default(), good;
    refuse_joint(model, &def, "is not a link");
    def.body = add_body(model, ABUT_BODY_DYNAMIC, -1);
    refuse_joint(model, &def, "is not a link");
    def.body = add_body(model, ABUT_BODY_LINK, def.body);
    good = def;
    def.axis = abut_vec3(0.0, 0.0, 2.0);
    refuse_joint(model, &def, "has length 2");
    def = good;
    def.damping = -1.0;
    refuse_joint(model, &def, "0 or above");
    def = good;
    def.limited = 1;
    def.range[0] = 1.0;
    def.range[1] = -1.0;
    refuse_joint(model, &def, "not ascending");
    def.kind = ABUT_JOINT_BALL;
    def.damping = (double)NAN;
    refuse_joint(model, &def, "not finite");
    abut_model_free(model);
}

static void test_pairs_and_elements(void **state) {
    (void)state;
    AbutModel *model = new_model();
    AbutError error;
    int32_t a = add_body(model, ABUT_BODY_DYNAMIC, -1), b = add_body(model, ABUT_BODY_DYNAMIC, -1);
    int32_t shape = add_box(model, a, abut_vec3(1, 1, 1));
    AbutPairDef exclude = {.exclude = 1, .a = a, .b = b}, pair = abut_pair_default();
    pair.a = pair.b = shape;
    assert_int_equal(abut_model_add_pair(model, &exclude, NULL, &error), ABUT_OK);
    assert_int_equal(abut_model_add_pair(model, &pair, NULL, &error), ABUT_OK);
    pair.friction = 0.1;
    pair.friction_kinetic = 0.2;
    assert_int_equal(abut_model_add_pair(model, &pair, NULL, &error), ABUT_ERROR_ARGUMENT);
    pair.friction = -1.0;
    assert_int_equal(abut_model_add_pair(model, &pair, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "expected a static friction"));
    pair.friction_kinetic = -1.0;
    pair.margin = -1e-3;
    assert_int_equal(abut_model_add_pair(model, &pair, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "the margin -0.001"));
    pair.margin = 0.0;
    pair.b = 1;
    assert_int_equal(abut_model_add_pair(model, &pair, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(model->pair_count, 2);
    AbutAttribute attribute = {"kp", "50"};
    AbutElement motor = {"actuator", "position", NULL, &attribute, 1, {NULL, 0}};
    assert_int_equal(abut_model_add_element(model, &motor, NULL, &error), ABUT_OK);
    attribute.value = "60";
    assert_string_equal(abut_element_attribute(&model->elements[0], "kp"), "50");
    assert_null(abut_element_attribute(&model->elements[0], "kv"));
    abut_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_boxes_share_one_polyhedron),
        cmocka_unit_test(test_geometry_of_kinds),
        cmocka_unit_test(test_geometry_is_counted),
        cmocka_unit_test(test_names_and_lists),
        cmocka_unit_test(test_what_moves),
        cmocka_unit_test(test_bad_bodies),
        cmocka_unit_test(test_bad_joints),
        cmocka_unit_test(test_pairs_and_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
