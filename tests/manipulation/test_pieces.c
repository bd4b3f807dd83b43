/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pieces of the planner, each against what is known: contact modes of a box on a table, forces of two fingers that
 * hold a cube, rows and screws, contacts that are pulled together again, jams.
 */
#include "manipulation/search.h"
#include "support/check.h"

#include <math.h>

#include "math/functions.h"

static AbutManip setup(const char *name, AbutManipTask *task, AbutModel **model) {
    AbutManip m;
    AbutError error;
    assert_int_equal(abut_manip_task_build(name, task, model, &error), ABUT_OK);
    assert_int_equal(abut_manip_setup(task, 1, &m, &error), ABUT_OK);
    return m;
}

static void end(AbutManip *m, AbutModel *model) {
    abut_manip_free(m);
    abut_model_free(model);
}

/* Its stick / slide patterns are known: 31, of 4 contacts in one plane with gap zero. */
static void test_modes_of_a_box(void **state) {
    (void)state;
    AbutManipTask task;
    AbutModel *model;
    AbutError error;
    AbutManipOptions options = {0};
    AbutManipSearch s = {.m = setup("push", &task, &model), .options = &options, .error = &error};
    AbutManipNode node = {.x = s.m.start};
    AbutManipSight *sight = abut_manip_look(&s, &node);
    assert_non_null(sight);
    assert_int_equal(sight->stance.count, 4);
    assert_int_equal(sight->mode_count, 31);
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(sight->stance.touch[i].n.z, 1.0, 1e-12);
        CHECK_NEAR(sight->stance.touch[i].gap, 0.0, 1e-12);
        CHECK_NEAR(sight->stance.touch[i].p.z, 0.0, 1e-12);
        CHECK_NEAR(sight->stance.touch[i].friction, 0.3, 0.0);
    }
    abut_pool_free(&s.pool);
    end(&s.m, model);
}

/* Rows are the derivatives of points, and the wish leads to the goal in one screw. */
static void test_rows_and_screws(void **state) {
    (void)state;
    AbutManipTask task;
    AbutModel *model;
    AbutManip m = setup("push", &task, &model);
    AbutRng rng = abut_rng(5, 0);
    for (int k = 0; k < check_cases(200); ++k) {
        AbutPose x = abut_pose(abut_random_direction(&rng), abut_random_quat(&rng));
        AbutVec3 local = abut_random_direction(&rng), d = abut_random_direction(&rng), p = abut_pose_apply(x, local);
        double u[6], r[6], h = 1e-6;
        for (int i = 0; i < 6; ++i) u[i] = abut_rng_between(&rng, -1.0, 1.0);
        abut_manip_row(&m, x, p, d, r);
        AbutVec3 ahead = abut_pose_apply(abut_manip_move(&m, x, u, h), local);
        AbutVec3 behind = abut_pose_apply(abut_manip_move(&m, x, u, -h), local);
        CHECK_NEAR(abut_dot(abut_sub(ahead, behind), d) / (2.0 * h), abut_manip_dot(r, u), 1e-6);
        AbutPose goal = abut_manip_move(&m, x, u, 0.02 / m.length * m.length);
        abut_manip_wish(&m, x, goal, u);
        AbutPose there = abut_manip_move(&m, x, u, 1.0);
        double distance, angle;
        abut_manip_far(&m, there, goal, &distance, &angle);
        if (abut_length(abut_quat_log(abut_quat_mul(goal.q, abut_quat_conj(x.q)))) < 0.5)
            assert_true(distance < 1e-12 && angle < 1e-7);
    }
    end(&m, model);
}

/*
 * A cube in the air between two fingers on opposite faces: by Coulomb's law each carries half of the weight, with a
 * normal force of at least W / (2 mu). The planner allows 0.44 of the friction.
 */
static void test_two_fingers_hold_a_cube(void **state) {
    (void)state;
    AbutManipTask task;
    AbutModel *model;
    AbutManip m = setup("push", &task, &model);
    AbutManipStance air = {.x = abut_pose(abut_vec3(0.0, 0.0, 1.0), abut_quat_identity())};
    AbutManipHold hold = {2, {0, 1}};
    m.point[0].point = abut_vec3(-0.05, 0.0, 0.0), m.point[0].normal = abut_axis(0);
    m.point[1].point = abut_vec3(0.05, 0.0, 0.0), m.point[1].normal = abut_neg(abut_axis(0));
    double needed = m.weight / (2.0 * ABUT_MANIP_FINGER_MARGIN * task.finger_friction);
    for (int enough = 0; enough < 2; ++enough) {
        AbutManipTask other = task;
        AbutVec3 force[ABUT_MANIP_TRIED];
        other.force = needed * (enough ? 1.001 : 0.999);
        m.task = &other;
        double left =
            abut_manip_balance(&m, &air, NULL, &hold, (AbutManipDemand){ABUT_MANIP_MARGIN, 0.0, 1, NULL}, force);
        assert_int_equal(left < ABUT_MANIP_BALANCED, enough);
        if (!enough) continue;
        AbutVec3 sum = abut_add(force[0], force[1]);
        CHECK_NEAR(sum.z, m.weight, 1e-6);
        assert_true(fabs(sum.x) < 1e-6 && fabs(sum.y) < 1e-6);
        assert_true(abut_manip_least_forces(
                        &m, &air, NULL, &hold, (AbutManipDemand){ABUT_MANIP_MARGIN, 0.0, 1, NULL}, force) < 1e-3);
        assert_false(abut_manip_determined(&m, &air, NULL, &hold)); /* the axis through both is free */
    }
    m.task = &task;
    end(&m, model);
}

/* A box that was lifted and tilted a little comes back to its table, and moves no farther than it has to. */
static void test_settling(void **state) {
    (void)state;
    static const int8_t all[ABUT_MANIP_TOUCHES] = {0};
    AbutManipTask task;
    AbutModel *model;
    AbutManip m = setup("push", &task, &model);
    AbutManipStance stance;
    AbutRng rng = abut_rng(9, 0);
    abut_manip_stand(&m, m.start, ABUT_MANIP_TOUCH, 1, &stance);
    for (int k = 0; k < check_cases(100); ++k) {
        double u[6];
        for (int i = 0; i < 6; ++i) u[i] = abut_rng_between(&rng, -1e-4, 1e-4);
        AbutPose x = abut_manip_move(&m, m.start, u, 1.0), from = x;
        AbutManipStance now;
        assert_true(abut_manip_settle(&m, &x, &stance, all, 2e-3));
        abut_manip_stand(&m, x, ABUT_MANIP_TOUCH, 1, &now);
        assert_int_equal(now.count, 4);
        for (int i = 0; i < 4; ++i) CHECK_NEAR(now.touch[i].gap, 0.0, ABUT_MANIP_CLOSED);
        CHECK_NEAR(x.p.x, from.p.x, 1e-6); /* nothing pulls it along the table */
        CHECK_NEAR(x.p.y, from.p.y, 1e-6);
    }
    end(&m, model);
}

/*
 * Pushed down on its table a box stands still however hard: a jam, also at 14 degrees, as friction 0.3 (and a fifth
 * more) holds up to 20. Pushed along it slides.
 */
static void test_jams(void **state) {
    (void)state;
    AbutManipTask task;
    AbutModel *model;
    AbutManip m = setup("push", &task, &model);
    AbutManipStance stance;
    AbutManipHold top = {1, {0}};
    m.point[0].point = abut_vec3(0.0, 0.0, 0.04), m.point[0].normal = abut_neg(abut_axis(2));
    abut_manip_stand(&m, m.start, ABUT_MANIP_TOUCH, 1, &stance);
    double down[6] = {0.0, 0.0, -1.0, 0.0, 0.0, 0.0}, along[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    double slanted[6] = {1.0, 0.0, -4.0, 0.0, 0.0, 0.0};
    CHECK_NEAR(abut_manip_unjammed(&m, &stance, &top, down), 0.0, 1e-9);
    CHECK_NEAR(abut_manip_unjammed(&m, &stance, &top, slanted), 0.0, 1e-9);
    assert_true(abut_manip_unjammed(&m, &stance, &top, along) > 0.3);
    end(&m, model);
}

/* A block tilted by `angle` about its lower edge: it falls back, or past the balance point onto its side. */
static void test_falls(void **state) {
    (void)state;
    AbutManipTask task;
    AbutModel *model;
    AbutManip m = setup("topple", &task, &model);
    AbutManipPath path;
    double balance = atan(0.03 / 0.08), distance, angle;
    m.wall[0].friction = 0.8; /* a block whose mass is spread out needs 0.75 at 63 degrees */
    for (int k = 0; k < 12; ++k) {
        double tilt = balance + (k - 5.5) / 6.0 * 0.3;
        AbutQuat q = abut_quat_axis_angle(abut_axis(1), tilt);
        AbutVec3 edge = abut_vec3(0.03, 0.0, 0.0);
        AbutPose x = abut_pose(abut_add(edge, abut_quat_rotate(q, abut_vec3(-0.03, 0.0, 0.08))), q);
        assert_int_equal(abut_manip_fall(&m, x, &path), 1);
        assert_true(path.count > 2);
        abut_manip_far(&m, path.pose[path.count - 1], k < 6 ? m.start : m.goal, &distance, &angle);
        assert_true(distance < 1e-4 && angle < 1e-3);
        double height = x.p.z; /* weight gives way, never the other way */
        for (int i = 0; i < path.count; ++i) {
            assert_true(path.pose[i].p.z < height + 1e-7);
            height = path.pose[i].p.z;
        }
    }
    /* in the air: straight down; beside the table: without end */
    AbutPose above = m.start;
    above.p.z += 0.013;
    assert_int_equal(abut_manip_fall(&m, above, &path), 1);
    abut_manip_far(&m, path.pose[path.count - 1], m.start, &distance, &angle);
    assert_true(distance < 1e-4 && angle < 1e-3);
    above.p.x = 2.0;
    assert_int_equal(abut_manip_fall(&m, above, &path), 0);
    end(&m, model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes_of_a_box),
        cmocka_unit_test(test_rows_and_screws),
        cmocka_unit_test(test_two_fingers_hold_a_cube),
        cmocka_unit_test(test_settling),
        cmocka_unit_test(test_jams),
        cmocka_unit_test(test_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
