/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contact modes of robots: a box on joints that leave it free has the modes of a free box, arms of one to three hinges
 * on the ground those counted by hand, and rows, weights and masses are those of the configuration.
 */
#include "abut/grasp.h"
#include "dynamics/robot_world.h"

#include "abut/mode.h"

#include <stdlib.h>
#include <string.h>
#include "support/tree_of.h"

static const double TOLERANCE = 1e-6; /* as the tool has it for scenes */

typedef struct Modes {
    AbutScene *scene;
    AbutContactList contacts;
    AbutModeSystem rows;
} Modes;

/* Takes the scene. */
static Modes modes_of(AbutScene *scene) {
    Modes m = {.scene = scene};
    AbutError error;
    good(abut_scene_find_contacts(scene, 1e-9, 1, &m.contacts, &error), &error);
    good(abut_scene_mode_system(scene, &m.contacts, 2, &m.rows, &error), &error);
    return m;
}

static AbutScene *scene_of(AbutModel *model) {
    AbutScene *scene = new_scene();
    AbutError error;
    good(abut_scene_add_model(scene, model, abut_pose_identity(), NULL, &error), &error);
    abut_model_free(model);
    return scene;
}

static AbutScene *built(const char *name) {
    AbutScene *scene = new_scene();
    AbutError error;
    good(abut_scene_build(scene, name, 1, &error), &error);
    return scene;
}

static void end(Modes *m) {
    abut_mode_system_free(&m->rows);
    abut_contact_list_free(&m->contacts);
    abut_scene_free(m->scene);
}

static AbutModeResult count_modes(const Modes *m) {
    AbutModeOptions options = abut_mode_options_default();
    AbutModeResult result;
    AbutError error;
    options.tolerance = TOLERANCE;
    good(abut_mode_enumerate(&m->rows, &options, &result, &error), &error);
    assert_true(result.complete && !result.depends_on_tolerance);
    return result;
}

static void expect_counts(const Modes *m, uint64_t cs, uint64_t ss) {
    AbutModeResult result = count_modes(m);
    if (result.cs_modes != cs || result.modes != ss)
        fail_msg("%d velocities: %d and %d modes", m->rows.dof, (int)result.cs_modes, (int)result.modes);
}

/* ---- a box that is free in one way or another -------------------------------------------------------------------- */

typedef enum Way { FREE_BODY, FREE_ROOT, SIX_JOINTS, WAYS } Way;

static void put_slides_and_ball(AbutModel *model, int32_t body) {
    for (int k = 0; k < 3; ++k) {
        AbutJointDef slide = joint_def(ABUT_JOINT_SLIDE, body, abut_axis(k));
        put_joint(model, &slide);
    }
    AbutJointDef ball = joint_def(ABUT_JOINT_BALL, body, abut_axis(0));
    put_joint(model, &ball);
}

/* A box on the ground against a wall; as a root it carries a pendulum that touches nothing. */
static AbutScene *box_in_corner(Way way) {
    AbutModel *model = new_model();
    put_floor(model, 0.5);
    int32_t wall = add_mass(model, ABUT_BODY_STATIC, -1, abut_vec3(-1.5, 0.0, 0.0), 0.0, abut_zero(), 0.0);
    put_box(model, wall, abut_zero(), abut_vec3(1.0, 3.0, 3.0), 0.5);
    AbutBodyKind kind = way == SIX_JOINTS ? ABUT_BODY_LINK : ABUT_BODY_DYNAMIC;
    int32_t box = add_mass(model, kind, -1, abut_vec3(0.0, 0.0, 0.5), 2.0, abut_vec3(0.1, 0.2, 0.0), 0.3);
    put_box(model, box, abut_zero(), abut_vec3(0.5, 0.5, 0.5), 0.5);
    if (way == SIX_JOINTS) put_slides_and_ball(model, box);
    if (way == FREE_ROOT)
        put_hinge(
            model, add_mass(model, ABUT_BODY_LINK, box, abut_vec3(0, 0, 1), 1.0, abut_axis(0), 0.1), abut_axis(1));
    return scene_of(model);
}

static int compare_words(const void *a, const void *b) { return memcmp(a, b, 2 * sizeof(uint64_t)); }

/* All modes in an order that does not depend on the columns. */
static AbutModeList sorted_modes(const Modes *m) {
    AbutModeOptions options = abut_mode_options_default();
    AbutModeResult result;
    AbutModeList list = {0};
    AbutError error;
    options.tolerance = TOLERANCE;
    good(abut_mode_collect(&m->rows, &options, &list, &result, &error), &error);
    assert_int_equal(list.words, 1);
    qsort(list.bits, list.count, 2 * sizeof(uint64_t), compare_words);
    return list;
}

static void a_free_box_has_its_modes_in_any_way(void **state) {
    (void)state;
    static const int dofs[WAYS] = {6, 7, 6};
    Modes m = modes_of(box_in_corner(FREE_BODY));
    AbutModeList expected = sorted_modes(&m);
    expect_counts(&m, 46, 228); /* box:2 */
    end(&m);
    for (Way way = FREE_ROOT; way < WAYS; ++way) {
        m = modes_of(box_in_corner(way));
        assert_int_equal(m.rows.dof, dofs[way]);
        AbutModeList list = sorted_modes(&m);
        assert_int_equal(list.count, expected.count);
        assert_memory_equal(list.bits, expected.bits, list.count * 2 * sizeof(uint64_t));
        abut_mode_list_free(&list);
        end(&m);
    }
    abut_mode_list_free(&expected);
}

/* ---- arms -------------------------------------------------------------------------------------------------------- */

/* Hinges about y at heights 0.9, 0.6, ... and x = -1 - k; the last link lies on the ground from x = 0.5 to 1. */
static Modes flat_arm(int hinges) {
    AbutModel *model = new_model();
    int32_t link = -1;
    AbutVec3 last = abut_zero();
    put_floor(model, 0.5);
    for (int k = 0; k < hinges; ++k) {
        AbutVec3 place = abut_vec3(-(double)(hinges - k), 0.0, 0.3 + 0.3 * (hinges - k) * (hinges - k));
        link = add_mass(model, ABUT_BODY_LINK, link, abut_sub(place, last), 1.0, abut_vec3(0.1, 0, 0), 0.1);
        put_hinge(model, link, abut_axis(1));
        last = place;
    }
    put_box(model, link, abut_sub(abut_vec3(0.75, 0.0, 0.1), last), abut_vec3(0.25, 0.2, 0.1), 0.5);
    return modes_of(scene_of(model));
}

/*
 * Both edges of the foot, near (N) and far (F), move in the plane. One hinge before both: they stay or lift together.
 * Two hinges: N and F are independent, and each of the four patterns leaves one velocity up to its length, 4 modes.
 * Three: both stay and the foot slides back, not at all or forth, 3; N alone stays, the foot tips and N slides
 * likewise, 3; F alone, 3; neither, 1: 10 modes.
 */
static void planar_arms_have_counted_modes(void **state) {
    (void)state;
    static const uint64_t counts[3][2] = {{2, 2}, {4, 4}, {4, 10}};
    for (int hinges = 1; hinges <= 3; ++hinges) {
        Modes m = flat_arm(hinges);
        assert_int_equal(m.rows.dof, hinges);
        assert_int_equal(m.rows.contacts, 4);
        expect_counts(&m, counts[hinges - 1][0], counts[hinges - 1][1]);
        end(&m);
    }
}

/* Two feet on legs of six joints below a free trunk move by themselves: the modes of two boxes on the ground. */
static void two_feet_are_two_boxes(void **state) {
    (void)state;
    Modes m = modes_of(built("biped"));
    assert_int_equal(m.rows.dof, 18);
    expect_counts(&m, 10 * 10, 196 * 196);
    end(&m);
}

/* ---- rows and forces --------------------------------------------------------------------------------------------- */

static AbutVec3 velocity_at(const AbutScene *scene, AbutBodyId id, AbutVec3 point) {
    AbutBodyState body;
    assert_true(abut_scene_get_body(scene, id, &body));
    return abut_add(body.velocity, abut_cross(body.spin, abut_sub(point, body.center)));
}

/* Gives the robot random velocities; the rows applied to them are the speeds of the bodies at the contacts. */
static void check_rows(const char *name) {
    AbutScene *scene = built(name);
    AbutRng rng = abut_rng(7, 0);
    AbutError error;
    double q[64], v[64], velocity[64];
    const AbutModel *model = abut_scene_robot_model(scene, 0);
    abut_scene_get_joints(scene, 0, q, NULL);
    for (int i = 0; i < abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES); ++i)
        v[i] = abut_rng_between(&rng, -1.0, 1.0);
    good(abut_scene_set_joints(scene, 0, abut_model_number_count(model, ABUT_NUMBERS_POSITIONS), q,
             abut_model_number_count(model, ABUT_NUMBERS_VELOCITIES), v, &error),
        &error);
    Modes m = modes_of(scene);
    AbutSceneForces forces = {.velocity = velocity};
    int row = 0;
    good(abut_scene_mode_forces(scene, NULL, abut_zero(), &forces, &error), &error);
    assert_true(m.contacts.count > 0);
    for (int32_t k = 0; k < m.contacts.count; ++k)
        for (int i = 0; i < m.contacts.contacts[k].vertex_count; ++i, ++row) {
            const AbutContact *c = &m.contacts.contacts[k];
            AbutVec3 point = c->vertex[i].point;
            AbutVec3 speed = abut_sub(velocity_at(scene, c->body_b, point), velocity_at(scene, c->body_a, point));
            double sum = 0.0;
            for (int j = 0; j < m.rows.dof; ++j) sum += m.rows.normal_rows[row * m.rows.dof + j] * velocity[j];
            CHECK_NEAR(sum, abut_dot(speed, c->normal), 1e-12);
        }
    end(&m);
}

static void rows_are_speeds_at_the_contacts(void **state) {
    (void)state;
    check_rows("biped");
    check_rows("humanoid");
    check_rows("gripper"); /* a tree and a free box */
}

/* A tree alone: the weights are the bias at rest with the other sign, the masses its matrix. */
static void weights_and_masses_are_those_of_the_robot(void **state) {
    (void)state;
    enum { N = 18 };
    AbutScene *scene = built("biped");
    const AbutModel *model = abut_scene_robot_model(scene, 0);
    AbutConfiguration *c;
    AbutError error;
    double q[64], force[N], bias[N], mass[N * N], matrix[N * N];
    good(configuration_of(model, &c, &error), &error);
    assert_int_equal(abut_configuration_velocity_count(c), N);
    memcpy(q, abut_configuration_positions(c), (size_t)abut_configuration_position_count(c) * sizeof *q);
    for (int i = 7; i < abut_configuration_position_count(c); ++i) q[i] = 0.1 * (i % 5) - 0.2;
    good(abut_configuration_set(c, abut_configuration_position_count(c), q, 0, NULL, &error), &error);
    good(abut_scene_set_joints(scene, 0, abut_configuration_position_count(c), q, 0, NULL, &error), &error);
    AbutSceneForces forces = {.force = force, .mass = mass};
    good(abut_scene_mode_forces(scene, NULL, model->gravity, &forces, &error), &error);
    abut_configuration_bias(c, bias);
    abut_configuration_mass_matrix(c, matrix);
    for (int i = 0; i < N; ++i) CHECK_NEAR(force[i], -bias[i], 1e-10);
    for (int i = 0; i < N * N; ++i) CHECK_NEAR(mass[i], matrix[i], 1e-12);
    abut_configuration_free(c);
    abut_scene_free(scene);
}

/* The block of a tree and that of a free box stand on the diagonal, nothing beside them. */
static void blocks_of_masses_stay_apart(void **state) {
    (void)state;
    enum { N = 8 }; /* its fingers are coupled: one velocity follows */
    AbutScene *scene = built("gripper");
    double mass[N * N];
    AbutSceneForces forces = {.mass = mass};
    assert_int_equal(abut_scene_mode_dof(scene), N + 1);
    AbutError error;
    good(abut_scene_mode_forces(scene, NULL, abut_zero(), &forces, &error), &error);
    int tree = mass[0 * N + 1] == 0.0 && mass[0 * N] == mass[1 * N + 1] && mass[0 * N] == mass[2 * N + 2] ? 6 : 0;
    for (int i = 0; i < N; ++i) {
        CHECK(mass[i * N + i] > 0.0);
        for (int j = 0; j < N; ++j) {
            int apart = (i >= tree && i < tree + 2) != (j >= tree && j < tree + 2);
            CHECK(!apart || mass[i * N + j] == 0.0);
            CHECK_NEAR(mass[i * N + j], mass[j * N + i], 1e-12);
        }
    }
    abut_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_box_has_its_modes_in_any_way),
        cmocka_unit_test(planar_arms_have_counted_modes),
        cmocka_unit_test(two_feet_are_two_boxes),
        cmocka_unit_test(rows_are_speeds_at_the_contacts),
        cmocka_unit_test(weights_and_masses_are_those_of_the_robot),
        cmocka_unit_test(blocks_of_masses_stay_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
