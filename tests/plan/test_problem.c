/* SPDX-License-Identifier: Apache-2.0 */
/* Trees, pairs, coordinates and distances of a problem, against the room of robots. */
#include "plan_support.h"

#include "proof/problem.h"
#include "support/asserts.h"
#include "support/random_trees.h"

/* ---- kinematics -------------------------------------------------------------------------------------------------- */

static void set_state(AbutRng *rng, AbutConfiguration *c, double *joints) {
    const AbutModel *model = abut_configuration_model(c);
    double q[400], v[400];
    AbutError error;
    random_state(rng, model, q, v);
    good(abut_configuration_set(c, abut_configuration_position_count(c), q, 0, NULL, &error), &error);
    for (int32_t i = 0; i < model->joint_count; ++i)
        joints[i] = q[abut_configuration_joint_place(c, i, ABUT_NUMBERS_POSITIONS)];
}

static double pose_gap(AbutPose a, AbutPose b) {
    return abut_point_distance(a.p, b.p) + 1.0 - fabs(abut_quat_dot(a.q, b.q));
}

/* Bodies are where the room of robots has them, for every kind of joint, held or not. */
static void poses_are_those_of_the_robot(void **state) {
    (void)state;
    AbutRng rng = abut_rng(5, 0);
    AbutError error;
    for (int trial = 0; trial < check_cases(40); ++trial) {
        AbutModel *model = random_tree(&rng, 3 + trial % 12);
        AbutConfiguration *c;
        AbutPlanProblem *problem;
        AbutPlanDef def = abut_plan_def_default();
        double joints[200];
        uint8_t held[200];
        AbutPose poses[200];
        good(configuration_of(model, &c, &error), &error);
        set_state(&rng, c, joints);
        for (int32_t i = 0; i < model->joint_count; ++i) held[i] = abut_rng_below(&rng, 4) == 0;
        def.held = held;
        good(abut_plan_problem_create(c, NULL, &def, &problem, &error), &error);
        good(abut_plan_link_poses(problem, joints, poses, &error), &error);
        for (int32_t i = 0; i < model->body_count; ++i)
            CHECK_NEAR(pose_gap(poses[i], abut_configuration_body_pose(c, i)), 0.0, 1e-11);
        abut_plan_problem_free(problem);
        abut_configuration_free(c);
        abut_model_free(model);
    }
}

/* On a foot: the foot stands, and links are to each other as they are on the base. */
static void a_support_stands(void **state) {
    (void)state;
    AbutRng rng = abut_rng(6, 0);
    AbutPlanDef def = abut_plan_def_default();
    World free_base = make_world("biped", NULL, NULL);
    def.support = abut_model_find(free_base.robot, ABUT_MODEL_BODY, "left_foot");
    World standing = make_world("biped", NULL, &def);
    AbutPose foot = abut_configuration_body_pose(standing.c, def.support), a[40], b[40];
    double joints[PLAN_JOINTS];
    AbutError error;
    for (int trial = 0; trial < check_cases(200); ++trial) {
        random_joints(&rng, standing.robot, joints);
        good(abut_plan_link_poses(standing.problem, joints, a, &error), &error);
        good(abut_plan_link_poses(free_base.problem, joints, b, &error), &error);
        CHECK_NEAR(pose_gap(a[def.support], foot), 0.0, 1e-12);
        for (int32_t i = 1; i < standing.robot->body_count; ++i) /* 0 is the ground */
            CHECK_NEAR(
                pose_gap(abut_pose_between(a[def.support], a[i]), abut_pose_between(b[def.support], b[i])), 0.0, 1e-12);
    }
    def.support = 0;
    AbutPlanProblem *refused;
    assert_int_equal(abut_plan_problem_create(standing.c, NULL, &def, &refused, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "free"));
    free_world(&free_base);
    free_world(&standing);
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static int has_pair(const World *w, const char *a, const char *b) {
    int32_t x = find_link(w->problem, a), y = find_link(w->problem, b);
    assert_true(x >= 0 && y >= 0);
    for (int32_t i = 0; i < abut_plan_pair_count(w->problem); ++i) {
        AbutPair links = abut_plan_pair(w->problem, i);
        if ((links.a == x && links.b == y) || (links.a == y && links.b == x)) return 1;
    }
    return 0;
}

static void pairs_are_all_but_neighbors(void **state) {
    (void)state;
    AbutModel *post = no_obstacles();
    add_box(post, "post", abut_pose_identity(), abut_vec3(0.01, 0.01, 0.01));
    World w = make_world("arm6", post, NULL);
    assert_true(has_pair(&w, "upper", "post") && has_pair(&w, "upper", "wrist") && has_pair(&w, "fore", "ground"));
    assert_false(has_pair(&w, "upper", "fore")); /* one joint between */
    assert_false(has_pair(&w, "base", "post"));  /* neither moves */
    AbutPair pair = {find_link(w.problem, "upper"), find_link(w.problem, "post")};
    AbutPlanDef def = abut_plan_def_default();
    AbutPlanProblem *fewer;
    AbutError error;
    int32_t all = abut_plan_pair_count(w.problem);
    def.left_out_count = 1;
    def.left_out = &pair;
    good(abut_plan_problem_create(w.c, post, &def, &fewer, &error), &error);
    assert_int_equal(abut_plan_pair_count(fewer), all - 1);
    abut_plan_problem_free(fewer);
    def.left_out_count = 0;
    def.only_count = 1;
    def.only = &pair;
    good(abut_plan_problem_create(w.c, post, &def, &fewer, &error), &error);
    assert_int_equal(abut_plan_pair_count(fewer), 1);
    abut_plan_problem_free(fewer);
    free_world(&w);
}

/* Neighbors are those of the model: with joints held there are the same pairs. */
static void held_joints_count(void **state) {
    (void)state;
    static const char *const robots[] = {"arm6", "biped", "hand16", "planar-arm:5"};
    for (int r = 0; r < 4; ++r) {
        uint8_t held[PLAN_JOINTS];
        AbutPlanDef def = abut_plan_def_default();
        World all = make_world(robots[r], NULL, NULL);
        def.held = held;
        memset(held, 1, sizeof held);
        held[1] = 0;
        World one = make_world(robots[r], NULL, &def);
        assert_int_equal(abut_plan_joint_count(one.problem), 1);
        assert_int_equal(abut_plan_pair_count(one.problem), abut_plan_pair_count(all.problem));
        assert_int_equal(abut_plan_note_count(one.problem), abut_plan_note_count(all.problem));
        free_world(&all);
        free_world(&one);
    }
}

/* What no joint moves is looked at where it is apart from an obstacle, and named where it is not. */
static void standing_pairs_are_not_forgotten(void **state) {
    (void)state;
    AbutModel *boxes = no_obstacles();
    add_box(boxes, "near", abut_pose_identity(), abut_vec3(0.01, 0.01, 0.01));
    add_box(boxes, "far", abut_pose(abut_vec3(1, 0, 1), abut_quat_identity()), abut_vec3(0.01, 0.01, 0.01));
    World w = make_world("arm6", boxes, NULL);
    int named = 0;
    for (int32_t i = 0; i < abut_plan_note_count(w.problem); ++i)
        named += strstr(abut_plan_note(w.problem, i),
                     "base and near are left out: in each other by 10.0 mm, and no joint moves them") != NULL;
    assert_int_equal(named, 1);
    assert_true(has_pair(&w, "base", "far") && !has_pair(&w, "base", "near"));
    AbutPlanDef def = abut_plan_def_default();
    AbutPair only[2] = {{find_link(w.problem, "base"), find_link(w.problem, "near")},
        {find_link(w.problem, "near"), find_link(w.problem, "far")}};
    def.only = only;
    def.only_count = 2;
    AbutPlanProblem *listed;
    AbutError error;
    good(abut_plan_problem_create(w.c, boxes, &def, &listed, &error), &error);
    assert_int_equal(abut_plan_pair_count(listed), 1);
    assert_int_equal(abut_plan_note_count(listed), 1);
    assert_non_null(strstr(abut_plan_note(listed, 0), "near and far are left out"));
    abut_plan_problem_free(listed);
    free_world(&w);
}

/* Links are left out, by name, where they are near at every posture, and not where the reference alone has them near.
 */
static void what_is_always_near_is_named(void **state) {
    (void)state;
    for (int k = 0; k < 2; ++k) {
        AbutPlanDef def = abut_plan_def_default();
        def.margin = k ? 0.05 : 0.03; /* trunk and hip are 40 mm apart at the reference, with two joints between them */
        World w = make_world("biped", NULL, &def);
        const AbutPair *pairs;
        int named = 0, listed = 0;
        for (int32_t i = 0; i < abut_plan_note_count(w.problem); ++i)
            named +=
                strstr(abut_plan_note(w.problem, i), "trunk and left_hip are left out: always near, at best") != NULL;
        for (int32_t i = abut_plan_exceptions(w.problem, &pairs) - 1; i >= 0; --i)
            listed += strcmp(abut_plan_link_name(w.problem, pairs[i].b), "left_hip") == 0;
        assert_int_equal(named, k);
        assert_true(has_pair(&w, "trunk", "left_hip") == !k && (listed > 0) == k);
        assert_true(has_pair(&w, "left_foot", "right_foot"));
        free_world(&w);
    }
}

static void bad_problems_are_refused(void **state) {
    (void)state;
    World w = make_world("arm6", NULL, NULL);
    AbutPlanProblem *out;
    AbutError error;
    AbutPlanDef def = abut_plan_def_default();
    AbutPair same = {1, 1};
    def.margin = NAN;
    assert_int_equal(abut_plan_problem_create(w.c, NULL, &def, &out, &error), ABUT_ERROR_ARGUMENT);
    def = abut_plan_def_default();
    def.left_out_count = 1;
    def.left_out = &same;
    assert_int_equal(abut_plan_problem_create(w.c, NULL, &def, &out, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "left_out"));
    def = abut_plan_def_default();
    assert_int_equal(abut_plan_problem_create(w.c, w.robot, &def, &out, &error), ABUT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "moves"));
    assert_null(out);
    abut_plan_problem_free(NULL);
    free_world(&w);
}

static void misuse_asserts(void **state) {
    (void)state;
    if (ABUT_ASSERT_LEVEL < 1) skip();
    World w = make_world("arm6", NULL, NULL);
    ASSERTS(abut_plan_pair(w.problem, -1));
    ASSERTS(abut_plan_joint(w.problem, 99));
    ASSERTS(abut_plan_joint_count(NULL));
    ASSERTS(abut_plan_pair_count(NULL));
    ASSERTS(abut_plan_note(w.problem, 1000));
    ASSERTS(abut_plan_coordinate_name(w.problem, -1));
    ASSERTS(abut_plan_problem_create(NULL, NULL, NULL, NULL, NULL));
    ASSERTS(abut_plan_nearest(w.problem, NULL, NULL, NULL, NULL));
    ASSERTS(abut_plan_certify(NULL, NULL, NULL, NULL, NULL, NULL));
    ASSERTS((abut_trajectory_value(NULL, 0.0, 0, NULL), 0));
    free_world(&w);
}

/* ---- coordinates ------------------------------------------------------------------------------------------------- */

static void coupled_joints_follow(void **state) {
    (void)state;
    World w = make_world("gripper", NULL, NULL);
    double u[3] = {0.1, -0.01, 0}, again[3], joints[8], limits[2];
    int32_t left = abut_model_find(w.robot, ABUT_MODEL_JOINT, "left"),
            right = abut_model_find(w.robot, ABUT_MODEL_JOINT, "right");
    assert_int_equal(abut_plan_coordinate_count(w.problem), 2); /* palm and left; right is minus left */
    abut_plan_joints_of(w.problem, u, joints);
    CHECK_NEAR(joints[left], -0.01, 0.0);
    CHECK_NEAR(joints[right], 0.01, 0.0);
    abut_plan_coordinates_of(w.problem, joints, again);
    CHECK_NEAR(again[0], u[0], 1e-15);
    CHECK_NEAR(again[1], u[1], 1e-15);
    abut_plan_coordinate_limits(w.problem, 1, limits);
    CHECK_NEAR(limits[0], -0.04, 1e-15);
    CHECK_NEAR(limits[1], 0.02, 1e-15);
    assert_string_equal(abut_plan_coordinate_name(w.problem, 1), "left");
    free_world(&w);
}

/* An arm with an equality between two joints, and one more unless its name is NULL. */
static World tied_arm(const char *a, const char *b, const double polynomial[5], const char *more) {
    World w = {0};
    AbutEqualityDef tie = abut_equality_default();
    AbutError error;
    good(abut_model_build("arm6", 1, &w.robot, &error), &error);
    tie.a = abut_model_find(w.robot, ABUT_MODEL_JOINT, a);
    tie.b = b ? abut_model_find(w.robot, ABUT_MODEL_JOINT, b) : -1;
    memcpy(tie.polynomial, polynomial, sizeof tie.polynomial);
    good(abut_model_add_equality(w.robot, &tie, NULL, &error), &error);
    if (more) {
        tie.a = abut_model_find(w.robot, ABUT_MODEL_JOINT, more);
        tie.b = abut_model_find(w.robot, ABUT_MODEL_JOINT, a);
        good(abut_model_add_equality(w.robot, &tie, NULL, &error), &error);
    }
    good(configuration_of(w.robot, &w.c, &error), &error);
    return w;
}

/* Joints follow over others between them, and stay where an equality with none has them. */
static void chains_of_joints_follow(void **state) {
    (void)state;
    static const double line[5] = {0.1, 2.0}, still[5] = {0.3, 5.0};
    double u[6] = {0, 0, 0.25}, joints[6];
    AbutError error;
    World w = tied_arm("wrist", "fore", line, "roll");
    good(abut_plan_problem_create(w.c, NULL, NULL, &w.problem, &error), &error);
    assert_int_equal(abut_plan_coordinate_count(w.problem), 4);
    abut_plan_joints_of(w.problem, u, joints);
    CHECK_NEAR(joints[2], 0.25, 0.0);
    CHECK_NEAR(joints[3], 0.6, 1e-15);
    CHECK_NEAR(joints[4], 1.3, 1e-15);
    AbutCoupling coupling = abut_tree_coupling(abut_configuration_tree(w.c), 4);
    assert_int_equal(coupling.follows, 1);
    assert_true(coupling.leader == 2 && coupling.factor == 4.0 && fabs(coupling.offset - 0.3) < 1e-15);
    coupling = abut_tree_coupling(abut_configuration_tree(w.c), 2);
    assert_true(coupling.follows == 0 && coupling.leader == 2 && !coupling.equality);
    free_world(&w);
    w = tied_arm("wrist", NULL, still, NULL);
    good(abut_plan_problem_create(w.c, NULL, NULL, &w.problem, &error), &error);
    assert_int_equal(abut_plan_coordinate_count(w.problem), 5);
    abut_plan_joints_of(w.problem, u, joints);
    CHECK_NEAR(joints[3], 0.3, 0.0);
    free_world(&w);
}

/* What no coordinates keep is not planned: curves, circles, a joint that is held and follows one that moves. */
static void curves_are_not_planned(void **state) {
    (void)state;
    static const double curve[5] = {0, 0, 3.0}, line[5] = {0, 1.0};
    static const uint8_t held[6] = {0, 0, 0, 1, 0, 0}, both[6] = {0, 0, 1, 1, 0, 0};
    double start[6] = {0}, goal[6] = {0.1};
    AbutPlanQuery query = {.start = start, .goal = goal};
    AbutPlanSettings settings = abut_plan_settings_default();
    AbutPlanDef def = abut_plan_def_default();
    AbutPlan plan;
    AbutError error;
    for (int circle = 0; circle < 2; ++circle) {
        World w = tied_arm("wrist", circle ? "roll" : "fore", circle ? line : curve, circle ? "roll" : NULL);
        assert_int_equal(abut_tree_coupling(abut_configuration_tree(w.c), 3).follows, -1);
        good(abut_plan_problem_create(w.c, NULL, &def, &w.problem, &error), &error);
        assert_int_equal(abut_plan_solve(w.problem, &query, &settings, &plan, &error), ABUT_ERROR_UNSUPPORTED);
        assert_true(strstr(error.text, "joint 'wrist' follows") || strstr(error.text, "joint 'roll' follows"));
        free_world(&w);
    }
    World w = tied_arm("wrist", "fore", curve, NULL);
    def.held = both;
    settings.attempts = 1;
    good(abut_plan_problem_create(w.c, NULL, &def, &w.problem, &error), &error);
    good(abut_plan_solve(w.problem, &query, &settings, &plan, &error), &error);
    abut_plan_free(&plan);
    free_world(&w);
    w = tied_arm("wrist", "fore", line, NULL);
    def.held = held;
    assert_int_equal(abut_plan_problem_create(w.c, NULL, &def, &w.problem, &error), ABUT_ERROR_ARGUMENT);
    assert_true(strstr(error.text, "joint 'wrist' is held, and follows joint 'fore', which moves"));
    free_world(&w);
}

/* A loop that moves is told of, one that does not is not. */
static void loops_are_told(void **state) {
    (void)state;
    AbutError error;
    for (int moves = 0; moves < 2; ++moves) {
        World w = {0};
        AbutEqualityDef tie = abut_equality_default();
        good(abut_model_build("arm6", 1, &w.robot, &error), &error);
        tie.kind = ABUT_EQUALITY_CONNECT;
        tie.a = abut_model_find(w.robot, ABUT_MODEL_BODY, moves ? "fore" : "base");
        tie.b = -1;
        good(abut_model_add_equality(w.robot, &tie, NULL, &error), &error);
        good(configuration_of(w.robot, &w.c, &error), &error);
        good(abut_plan_problem_create(w.c, NULL, NULL, &w.problem, &error), &error);
        int told = 0;
        for (int32_t i = 0; i < abut_plan_note_count(w.problem); ++i)
            told += strstr(abut_plan_note(w.problem, i), "connect of fore and the world is not kept") != NULL;
        assert_int_equal(told, moves);
        free_world(&w);
    }
}

/* Both feet of the biped stand when its legs are coupled: hip and knee of both alike, ankles against them. */
static void a_coupling_keeps_both_feet(void **state) {
    (void)state;
    static const char *const sides[2] = {"left_", "right_"};
    World plain = make_world("biped", NULL, NULL);
    AbutPlanDef def = abut_plan_def_default();
    double coupling[PLAN_JOINTS * 3] = {0}, offset[PLAN_JOINTS] = {0}, u[3], joints[PLAN_JOINTS];
    double lower[3] = {-0.4, -1.0, 0.0}, upper[3] = {0.4, 0.5, 2.0};
    for (int s = 0; s < 2; ++s) {
        static const char *const names[5] = {"hip", "foot", "thigh", "shin", "ankle"};
        static const double rows[5][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, -1}};
        for (int k = 0; k < 5; ++k) {
            char name[40];
            snprintf(name, sizeof name, "%s%s", sides[s], names[k]);
            memcpy(coupling + 3 * abut_model_find(plain.robot, ABUT_MODEL_JOINT, name), rows[k], sizeof rows[k]);
        }
    }
    def.support = abut_model_find(plain.robot, ABUT_MODEL_BODY, "left_foot");
    def.coordinate_count = 3;
    def.coupling = coupling;
    def.offset = offset;
    def.lower = lower;
    def.upper = upper;
    World w = make_world("biped", NULL, &def);
    AbutPose first[40], now[40];
    AbutRng rng = abut_rng(7, 0);
    AbutError error;
    int32_t right = abut_model_find(w.robot, ABUT_MODEL_BODY, "right_foot");
    for (int trial = 0; trial < 1000; ++trial) {
        for (int c = 0; c < 3; ++c) u[c] = trial ? abut_rng_between(&rng, lower[c], upper[c]) : 0.0;
        abut_plan_joints_of(w.problem, u, joints);
        good(abut_plan_link_poses(w.problem, joints, trial ? now : first, &error), &error);
        CHECK_NEAR(trial ? pose_gap(now[right], first[right]) : 0.0, 0.0, 1e-12);
    }
    free_world(&w);
    free_world(&plain);
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

static void distances_agree_with_the_shapes(void **state) {
    (void)state;
    AbutModel *boxes = no_obstacles();
    AbutRng rng = abut_rng(8, 0);
    double joints[PLAN_JOINTS], distances[400];
    AbutError error;
    add_box(boxes, "shelf", abut_pose(abut_vec3(0.4, 0, 0.5), abut_random_quat(&rng)), abut_vec3(0.2, 0.1, 0.02));
    World w = make_world("arm6", boxes, NULL);
    for (int trial = 0; trial < check_cases(100); ++trial) {
        AbutPlanNear near;
        double least = INFINITY;
        random_joints(&rng, w.robot, joints);
        good(abut_plan_nearest(w.problem, joints, &near, distances, &error), &error);
        for (int32_t i = 0; i < abut_plan_pair_count(w.problem); ++i) {
            CHECK_NEAR(distances[i], link_distance(&w, joints, abut_plan_pair(w.problem, i)), 1e-9);
            least = fmin(least, distances[i]);
        }
        CHECK_NEAR(near.distance, least, 0.0);
        CHECK_VEC_NEAR(abut_sub(near.point_b, near.point_a), abut_scale(near.normal, near.distance), 1e-9);
    }
    joints[0] = NAN;
    AbutPlanNear near;
    assert_int_equal(abut_plan_nearest(w.problem, joints, &near, NULL, &error), ABUT_ERROR_NUMBER);
    free_world(&w);
}

static double item_distance(const World *w, const AbutPlanItem *item, const double *u, AbutPlanPosture *at) {
    double joints[PLAN_JOINTS], q[PLAN_JOINTS];
    abut_plan_joints_of(w->problem, u, joints);
    abut_plan_pick_joints(w->problem, joints, q);
    abut_plan_tree_place(&w->problem->tree, q, at);
    return abut_plan_item_distance(w->problem, item, at, NULL).distance;
}

/* Against central differences; where these do not agree with half their step the nearest features change. */
static void gradients_are_differences(void **state) {
    (void)state;
    World w = make_world("gripper", NULL, NULL), arm = make_world("arm6", NULL, NULL);
    AbutRng rng = abut_rng(9, 0);
    void *memory = abut_alloc(abut_plan_posture_size(&arm.problem->tree) + abut_plan_posture_size(&w.problem->tree));
    int smooth = 0, close = 0, trials = check_cases(2000);
    for (int trial = 0; trial < trials; ++trial) {
        const World *of = trial % 4 ? &arm : &w;
        const AbutPlanProblem *p = of->problem;
        AbutPlanPosture at = abut_plan_posture_in(&p->tree, memory);
        const AbutPlanItem *item = &p->items[abut_rng_below(&rng, (uint32_t)p->item_count)];
        double u[PLAN_JOINTS], g[PLAN_JOINTS], h = 1e-5;
        int32_t c = (int32_t)abut_rng_below(&rng, (uint32_t)p->coordinate_count);
        for (int32_t i = 0; i < p->coordinate_count; ++i) u[i] = abut_rng_between(&rng, p->lower[i], p->upper[i]);
        double middle = item_distance(of, item, u, &at);
        AbutPlanDistance d = abut_plan_item_distance(p, item, &at, NULL);
        abut_plan_item_gradient(p, item, &at, &d, g);
        u[c] += h;
        double more = item_distance(of, item, u, &at);
        u[c] -= 2 * h;
        double less = item_distance(of, item, u, &at);
        if (fabs(more + less - 2 * middle) > 1e-7 * h) continue; /* a kink, or strongly curved */
        ++smooth;
        close += fabs((more - less) / (2 * h) - g[c]) < 1e-6;
    }
    CHECK(smooth > trials / 3);
    CHECK(close >= 0.99 * smooth);
    abut_free(memory);
    free_world(&w);
    free_world(&arm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_are_those_of_the_robot),
        cmocka_unit_test(a_support_stands),
        cmocka_unit_test(pairs_are_all_but_neighbors),
        cmocka_unit_test(held_joints_count),
        cmocka_unit_test(standing_pairs_are_not_forgotten),
        cmocka_unit_test(what_is_always_near_is_named),
        cmocka_unit_test(bad_problems_are_refused),
        cmocka_unit_test(misuse_asserts),
        cmocka_unit_test(coupled_joints_follow),
        cmocka_unit_test(chains_of_joints_follow),
        cmocka_unit_test(curves_are_not_planned),
        cmocka_unit_test(loops_are_told),
        cmocka_unit_test(a_coupling_keeps_both_feet),
        cmocka_unit_test(distances_agree_with_the_shapes),
        cmocka_unit_test(gradients_are_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
