/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Velocities that keep equalities, against steps of the robot itself: along each of them what is held changes by the
 * square of the step. Grasps, against velocities of points.
 */
#include "support/check.h"
#include "support/tree_of.h"

#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "abut/literature.h"

static AbutError error;

/* An arm of four hinges in one plane, bent, with these equalities. */
static AbutScene *arm_with(int coupled, int closed) {
    AbutModel *model;
    AbutScene *scene;
    AbutConfiguration *c;
    const double q[4] = {0.3, 0.5, -0.4, 0.7};
    good(abut_model_build("planar-arm:4", 1, &model, &error), &error);
    if (coupled) {
        AbutEqualityDef def = abut_equality_default();
        def.a = 3, def.b = 1;
        def.polynomial[0] = 0.2, def.polynomial[1] = -0.5, def.polynomial[2] = 0.8, def.polynomial[3] = 0.1;
        good(abut_model_add_equality(model, &def, NULL, &error), &error);
    }
    if (closed) {
        AbutEqualityDef def = abut_equality_default();
        int32_t tip = abut_model_find(model, ABUT_MODEL_BODY, "link3");
        good(configuration_of(model, &c, &error), &error);
        good(abut_configuration_set(c, 4, q, 0, NULL, &error), &error);
        def.kind = ABUT_EQUALITY_CONNECT;
        def.a = tip, def.b = -1;
        def.pose_a.p = abut_vec3(0.05, 0.0, 0.2);
        def.pose_b.p = abut_pose_apply(abut_configuration_body_pose(c, tip), def.pose_a.p);
        good(abut_model_add_equality(model, &def, NULL, &error), &error);
        abut_configuration_free(c);
    }
    good(abut_scene_create(&scene, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    abut_model_free(model);
    good(abut_scene_set_joints(scene, 0, 4, q, 0, NULL, &error), &error);
    return scene;
}

/* How far the equalities are from held: the coupling, and the point of the loop. */
static double violation(const AbutScene *scene) {
    const AbutModel *model = abut_scene_robot_model(scene, 0);
    double q[4], most = 0.0;
    abut_scene_get_joints(scene, 0, q, NULL);
    for (int32_t e = 0; e < model->equality_count; ++e) {
        const AbutEqualityDef *def = &model->equalities[e];
        if (def->kind == ABUT_EQUALITY_JOINT) {
            double x = q[def->b] - model->joints[def->b].reference, sum = 0.0;
            for (int k = 4; k >= 0; --k) sum = sum * x + def->polynomial[k];
            most = fmax(most, fabs(q[def->a] - model->joints[def->a].reference - sum));
        } else {
            AbutBodyState body;
            CHECK(abut_scene_get_body(scene, abut_scene_robot_body(scene, 0, def->a), &body));
            most = fmax(most, abut_length(abut_sub(abut_pose_apply(body.pose, def->pose_a.p), def->pose_b.p)));
        }
    }
    return most;
}

/* Along each velocity of the basis the violation changes by the square of the step; there are `wanted` of them. */
static void check_basis(AbutScene *scene, int wanted) {
    const double h = 1e-5;
    double *basis, start[4], moved[4];
    int count;
    good(abut_scene_mode_basis(scene, &basis, &count, &error), &error);
    assert_int_equal(count, wanted);
    assert_non_null(basis);
    abut_scene_get_joints(scene, 0, start, NULL);
    double before = violation(scene);
    for (int j = 0; j < count; ++j) {
        for (int i = 0; i < 4; ++i) moved[i] = start[i] + h * basis[i * count + j];
        good(abut_scene_set_joints(scene, 0, 4, moved, 0, NULL, &error), &error);
        CHECK_NEAR(violation(scene), before, 20.0 * h * h);
        good(abut_scene_set_joints(scene, 0, 4, start, 0, NULL, &error), &error);
    }
    abut_free(basis);
    abut_scene_free(scene);
}

static void velocities_keep_equalities(void **state) {
    (void)state;
    check_basis(arm_with(1, 0), 3);
    check_basis(arm_with(0, 1), 2); /* of the three rows of a plane loop one follows from the others */
    check_basis(arm_with(1, 1), 1);
    AbutScene *scene = arm_with(0, 0);
    double *basis;
    int count;
    good(abut_scene_mode_basis(scene, &basis, &count, &error), &error);
    assert_null(basis);
    assert_int_equal(count, 4);
    abut_scene_free(scene);
}

/* ---- free bodies ------------------------------------------------------------------------------------------------- */

static int32_t add_box(AbutModel *model, const char *name, AbutVec3 at, AbutBodyKind kind, double friction) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    int32_t number;
    body.name = name;
    body.kind = kind;
    body.pose.p = at;
    good(abut_model_add_body(model, &body, &number, &error), &error);
    shape.body = number;
    shape.form.kind = ABUT_SHAPE_BOX;
    shape.form.size = abut_vec3(0.1, 0.1, 0.1);
    shape.density = 1000.0;
    shape.material.friction = friction;
    good(abut_model_add_shape(model, &shape, NULL, &error), &error);
    return number;
}

/* Two welded boxes move as one: six velocities, and the second goes with the first. */
static void welded_boxes_move_as_one(void **state) {
    (void)state;
    AbutModel *model;
    AbutScene *scene;
    double *basis;
    int count;
    good(abut_model_create(&model, &error), &error);
    AbutEqualityDef def = abut_equality_default();
    def.kind = ABUT_EQUALITY_WELD;
    def.a = add_box(model, "a", abut_vec3(0, 0, 1), ABUT_BODY_DYNAMIC, 0.5);
    def.b = add_box(model, "b", abut_vec3(0.5, 0.2, 1), ABUT_BODY_DYNAMIC, 0.5);
    def.pose_a.p = abut_vec3(0.5, 0.2, 0.0);
    good(abut_model_add_equality(model, &def, NULL, &error), &error);
    good(abut_scene_create(&scene, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    good(abut_scene_mode_basis(scene, &basis, &count, &error), &error);
    assert_int_equal(abut_scene_mode_dof(scene), 12);
    assert_int_equal(count, 6);
    for (int j = 0; j < count; ++j) {
        double x[12];
        for (int i = 0; i < 12; ++i) x[i] = basis[i * count + j];
        AbutVec3 v = abut_vec3(x[0], x[1], x[2]), w = abut_vec3(x[3], x[4], x[5]);
        CHECK_VEC_NEAR(abut_vec3(x[9], x[10], x[11]), w, 1e-12);
        CHECK_VEC_NEAR(abut_vec3(x[6], x[7], x[8]), abut_add(v, abut_cross(w, abut_vec3(0.5, 0.2, 0))), 1e-12);
    }
    abut_free(basis);
    abut_scene_free(scene);
    abut_model_free(model);
}

/* A system in the velocities of the basis: its rows on y are the rows on x = basis y, with bodies and without. */
static void restricted_rows_agree(void **state) {
    (void)state;
    AbutModeSystem hand, plain, all, fewer;
    AbutRng rng = abut_rng(7, 0);
    double basis[10 * 6], y[6], x[10];
    good(abut_mode_builtin("box-hand", &hand, &error), &error);
    good(abut_mode_system_set_lines(&hand, 2, &plain, &error), &error);
    abut_free((void *)(uintptr_t)plain.def);
    plain.def = NULL;
    for (int i = 0; i < 60; ++i) basis[i] = abut_rng_between(&rng, -1.0, 1.0);
    for (int round = 0; round < 2; ++round) {
        all = round ? plain : hand;
        good(abut_mode_system_restrict(&all, basis, 6, &fewer, &error), &error);
        assert_int_equal(fewer.dof, 6);
        assert_int_equal(fewer.def != NULL, round == 0);
        for (int j = 0; j < 6; ++j) y[j] = abut_rng_between(&rng, -1.0, 1.0);
        for (int i = 0; i < 10; ++i) {
            x[i] = 0.0;
            for (int j = 0; j < 6; ++j) x[i] += basis[6 * i + j] * y[j];
        }
        for (int r = 0; r < 36; ++r) {
            const double *a = r < 12 ? all.normal_rows + 10 * r : all.tangent_rows + 10 * (r - 12),
                         *b = r < 12 ? fewer.normal_rows + 6 * r : fewer.tangent_rows + 6 * (r - 12);
            double full = 0.0, less = 0.0;
            for (int i = 0; i < 10; ++i) full += a[i] * x[i];
            for (int j = 0; j < 6; ++j) less += b[j] * y[j];
            CHECK_NEAR(full, less, 1e-13);
        }
        abut_mode_system_free(&fewer);
    }
    CHECK(abut_mode_system_restrict(&hand, basis, 11, &fewer, &error) == ABUT_ERROR_ARGUMENT);
    basis[3] = NAN;
    CHECK(abut_mode_system_restrict(&hand, basis, 6, &fewer, &error) == ABUT_ERROR_NUMBER);
    abut_mode_system_free(&hand);
    abut_mode_system_free(&plain);
}

/* The system of a scene is that of its rows in the basis: two welded boxes on the ground move as one body, whatever
 * acts on them is in those velocities, and the modes are those of one free body on the same eight points. */
static void systems_of_scenes_keep_equalities(void **state) {
    (void)state;
    AbutModel *model;
    AbutScene *scene;
    AbutContactList contacts;
    AbutModeSystem s;
    double *basis, force[12], velocity[12], mass[144];
    int count;
    good(abut_model_create(&model, &error), &error);
    AbutEqualityDef def = abut_equality_default();
    def.kind = ABUT_EQUALITY_WELD;
    add_box(model, "below a", abut_vec3(0.03, 0, 0), ABUT_BODY_STATIC, 0.5);
    add_box(model, "below b", abut_vec3(-0.2, 0, 0), ABUT_BODY_STATIC, 0.5);
    def.a = add_box(model, "a", abut_vec3(0.05, 0, 0.2), ABUT_BODY_DYNAMIC, 0.5);
    def.b = add_box(model, "b", abut_vec3(-0.2, 0.02, 0.2), ABUT_BODY_DYNAMIC, 0.5);
    def.pose_a.p = abut_vec3(-0.25, 0.02, 0.0);
    good(abut_model_add_equality(model, &def, NULL, &error), &error);
    good(abut_scene_create(&scene, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    good(abut_scene_find_contacts(scene, -1.0, 1, &contacts, &error), &error);
    good(abut_scene_mode_system(scene, &contacts, 2, &s, &error), &error);
    good(abut_scene_mode_basis(scene, &basis, &count, &error), &error);
    assert_int_equal(s.dof, 6);
    assert_int_equal(count, 6);
    assert_int_equal(s.contacts, 8);
    AbutSceneForces forces = {.force = force, .velocity = velocity, .mass = mass};
    good(abut_scene_mode_forces(scene, &contacts, abut_vec3(0, 0, -10), &forces, &error), &error);
    /* the velocities are those of one of the boxes, of 8 kg each: the weight of both, and its moment about that center
     */
    double of_a = basis[5] == 0.0 ? 1.0 : -1.0;
    AbutVec3 center = of_a > 0.0 ? abut_vec3(0.05, 0, 0.2) : abut_vec3(-0.2, 0.02, 0.2);
    CHECK_NEAR(force[2], -160.0, 1e-9);
    CHECK_NEAR(force[3], of_a * 80.0 * -0.02, 1e-9);
    CHECK_NEAR(force[4], of_a * 80.0 * -0.25, 1e-9);
    for (int i = 0; i < 3; ++i) CHECK_NEAR(mass[7 * i], 16.0, 1e-9);
    for (int i = 0; i < s.contacts; ++i) { /* all push up: each row is that of the one box at its point */
        const double *row = s.normal_rows + 6 * i;
        AbutVec3 arm = abut_sub(s.def->contacts[i].point, center);
        CHECK_NEAR(row[2], 1.0, 1e-12);
        CHECK_NEAR(row[3], arm.y, 1e-12);
        CHECK_NEAR(row[4], -arm.x, 1e-12);
    }
    abut_free(basis);
    abut_mode_system_free(&s);
    abut_contact_list_free(&contacts);
    abut_scene_free(scene);
    abut_model_free(model);
}

/* ---- grasps ------------------------------------------------------------------------------------------------------ */

/* A box between two others that stand, below and, where asked for, above; the grasp of it. */
static AbutGrasp grasp_between(double friction, int above, AbutScene **scene, AbutContactList *contacts) {
    AbutModel *model;
    AbutGrasp grasp;
    good(abut_model_create(&model, &error), &error);
    add_box(model, "low", abut_vec3(0, 0, 0), ABUT_BODY_STATIC, friction);
    int32_t held = add_box(model, "held", abut_vec3(0.02, 0, 0.2), ABUT_BODY_DYNAMIC, friction);
    if (above) add_box(model, "high", abut_vec3(0, 0.03, 0.4), ABUT_BODY_STATIC, friction);
    good(abut_scene_create(scene, &error), &error);
    good(abut_scene_add_model(*scene, model, abut_pose_identity(), NULL, &error), &error);
    abut_model_free(model);
    good(abut_scene_find_contacts(*scene, 1e-9, 1, contacts, &error), &error);
    good(abut_scene_grasp(*scene, contacts, abut_scene_body_at(*scene, held), &grasp, &error), &error);
    return grasp;
}

static void grasps_hold_or_do_not(void **state) {
    (void)state;
    static const struct {
        double friction;
        int above, contacts, closure;
    } cases[] = {{0.5, 0, 4, 0}, {0.5, 1, 8, 1}, {0.0, 1, 8, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        AbutScene *scene;
        AbutContactList contacts;
        AbutGrasp g = grasp_between(cases[k].friction, cases[k].above, &scene, &contacts);
        assert_int_equal(g.contacts, cases[k].contacts);
        assert_int_equal(g.rank, 6);
        CHECK(g.least_singular > 0.1);
        assert_int_equal(g.closure, cases[k].closure);
        int n = 3 * g.contacts, column = 0;
        for (int32_t c = 0; c < contacts.count; ++c) /* the first force of a contact presses into the body */
            for (int i = 0; i < contacts.contacts[c].vertex_count; ++i, column += 3) {
                AbutVec3 arm = abut_sub(contacts.contacts[c].vertex[i].point, abut_vec3(0.02, 0, 0.2));
                AbutVec3 f = abut_vec3(g.matrix[column], g.matrix[n + column], g.matrix[2 * n + column]);
                AbutVec3 t = abut_vec3(g.matrix[3 * n + column], g.matrix[4 * n + column], g.matrix[5 * n + column]);
                CHECK(abut_dot(f, arm) < 0.0);
                CHECK_VEC_NEAR(t, abut_cross(arm, f), 1e-12);
            }
        for (int i = 0; i < n * g.velocities; ++i) CHECK(g.jacobian[i] == 0.0); /* what holds it stands */
        abut_free(g.memory);
        abut_contact_list_free(&contacts);
        abut_scene_free(scene);
    }
}

/* A box that lies on a link: J x is the velocity of the link at the vertices. */
static void jacobians_are_velocities(void **state) {
    (void)state;
    AbutModel *model;
    AbutScene *scene;
    AbutContactList contacts;
    AbutGrasp g;
    good(abut_model_create(&model, &error), &error);
    int32_t link = add_box(model, "link", abut_vec3(0, 0, 0), ABUT_BODY_LINK, 0.5);
    int32_t held = add_box(model, "held", abut_vec3(0.02, 0, 0.2), ABUT_BODY_DYNAMIC, 0.5);
    AbutJointDef joint = abut_joint_default();
    joint.body = link;
    joint.position = abut_vec3(-0.1, 0, 0);
    joint.axis = abut_axis(1);
    good(abut_model_add_joint(model, &joint, NULL, &error), &error);
    good(abut_scene_create(&scene, &error), &error);
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    abut_model_free(model);
    good(abut_scene_find_contacts(scene, 1e-9, 1, &contacts, &error), &error);
    good(abut_scene_grasp(scene, &contacts, abut_scene_body_at(scene, held), &g, &error), &error);
    assert_int_equal(g.contacts, 4);
    assert_int_equal(g.velocities, 7);
    int hinge = abut_scene_body_at(scene, link).index1 < abut_scene_body_at(scene, held).index1 ? 0 : 6;
    for (int i = 0; i < 4; ++i) {
        AbutVec3 arm = abut_sub(contacts.contacts[0].vertex[i].point, abut_vec3(-0.1, 0, 0)),
                 v = abut_cross(abut_axis(1), arm);
        for (int k = 0; k < 3; ++k) {
            AbutVec3 d = abut_vec3(g.matrix[3 * i + k], g.matrix[12 + 3 * i + k], g.matrix[24 + 3 * i + k]);
            CHECK_NEAR(g.jacobian[(3 * i + k) * 7 + hinge], abut_dot(d, v), 1e-12);
        }
    }
    abut_free(g.memory);
    CHECK(abut_scene_grasp(scene, &contacts, abut_scene_body_at(scene, link), &g, &error) == ABUT_ERROR_ARGUMENT);
    abut_contact_list_free(&contacts);
    abut_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_keep_equalities),
        cmocka_unit_test(welded_boxes_move_as_one),
        cmocka_unit_test(restricted_rows_agree),
        cmocka_unit_test(systems_of_scenes_keep_equalities),
        cmocka_unit_test(grasps_hold_or_do_not),
        cmocka_unit_test(jacobians_are_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
