/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which pairs a proof leaves out, against a list and distances made by other means: pairs that are not looked at are
 * neighbors, excluded by the model, or named; no certified motion has any other pair in contact. An arm of our own has
 * what stock arms have: at its reference, which its limits forbid, the hand lies in the forearm.
 */
#include "plan_support.h"

/* ---- an arm of four hinges --------------------------------------------------------------------------------------- */

typedef struct Part {
    const char *name;
    double z, range[2]; /* where its joint is above the parent's, and the limits */
    AbutVec3 axis;
    double middle; /* of its box above the joint */
    AbutVec3 half;
} Part;

/* `stub`: the hand is a ball of the forearm's width around the wrist, and can never be clear of the forearm. */
static World folded_arm(int stub, const AbutPlanDef *def) {
    static const double home[4] = {0.2, -1.2, 2.2, 0.3};
    const Part parts[] = {{"upper", 0.0, {-1.7, 1.7}, {0, 1, 0}, 0.18, {0.04, 0.04, 0.16}},
        {"forearm", 0.4, {-2.8, -0.1}, {0, 1, 0}, 0.2, {0.04, 0.04, stub ? 0.18 : 0.16}},
        {"wrist", 0.4, {-0.1, 3.2}, {0, 1, 0}, 0.0, {0.01, 0.01, 0.01}},
        {"hand", stub ? 0.0 : -0.05, {-2.9, 2.9}, {0, 0, 1}, stub ? 0.0 : -0.05, {0.03, stub ? 0.03 : 0.08, 0.04}}};
    World w = {.obstacles = NULL};
    AbutError error;
    AbutKeyframeDef key = {.name = "home", .position_count = 4, .positions = home};
    int32_t parent = -1;
    good(abut_model_create(&w.robot, &error), &error);
    for (int i = 0; i < 4; ++i) {
        AbutBodyDef body = abut_body_default();
        AbutShapeDef shape = abut_shape_default();
        AbutJointDef joint = abut_joint_default();
        body.kind = ABUT_BODY_LINK;
        body.name = joint.name = parts[i].name;
        body.parent = parent;
        body.pose.p.z = parts[i].z;
        shape.form.size = parts[i].half;
        shape.pose.p.z = parts[i].middle;
        good(abut_model_add_body(w.robot, &body, &parent, &error), &error);
        joint.kind = ABUT_JOINT_HINGE;
        joint.axis = parts[i].axis;
        joint.limited = 1;
        memcpy(joint.range, parts[i].range, sizeof joint.range);
        joint.body = shape.body = parent;
        good(abut_model_add_joint(w.robot, &joint, NULL, &error), &error);
        good(abut_model_add_shape(w.robot, &shape, NULL, &error), &error);
    }
    good(abut_model_add_keyframe(w.robot, &key, NULL, &error), &error);
    good(configuration_of(w.robot, &w.c, &error), &error);
    good(abut_configuration_set_keyframe(w.c, 0, &error), &error);
    good(abut_plan_problem_create(w.c, NULL, def, &w.problem, &error), &error);
    return w;
}

static AbutPlan plan_to(const World *w, const double *goal) {
    double start[PLAN_JOINTS];
    AbutPlanSettings settings = abut_plan_settings_default();
    AbutPlanQuery query = {.start = start, .goal = goal};
    AbutPlan out;
    AbutError error;
    joints_of(w->c, start);
    settings.attempts = 1;
    settings.budget = 60.0;
    good(abut_plan_solve(w->problem, &query, &settings, &out, &error), &error);
    return out;
}

/* The hand goes into the forearm, where the reference has it: refused by name, and refuted. */
static void a_reference_beyond_limits_excuses_nothing(void **state) {
    (void)state;
    World w = folded_arm(0, NULL);
    double start[4], goal[4] = {0.2, -1.2, 0.1, 0.0};
    joints_of(w.c, start);
    const AbutPair pair = {find_link(w.problem, "forearm"), find_link(w.problem, "hand")};
    const double reference[4] = {0};
    CHECK(link_distance(&w, reference, pair) < -0.01 && link_distance(&w, goal, pair) < -0.01);
    CHECK(link_distance(&w, start, pair) > 0.02);
    assert_int_equal(abut_plan_exceptions(w.problem, NULL), 0);
    AbutPlan p = plan_to(&w, goal);
    assert_int_equal(p.status, ABUT_PLAN_INFEASIBLE_INPUT);
    assert_non_null(strstr(p.reason, "goal: forearm and hand overlap by"));
    assert_non_null(strstr(p.reason, "or allow the pair forearm:hand"));
    abut_plan_free(&p);
    AbutTrajectory t = straight(&w, start, goal, 1.0);
    AbutCertifyDef def = {0.001, 0, 0};
    AbutCertificate x;
    AbutError error;
    good(abut_plan_certify(w.problem, &t, &def, &x, NULL, &error), &error);
    assert_int_equal(x.status, ABUT_CERTIFICATE_CONTACT);
    assert_int_equal(abut_plan_pair(w.problem, x.pair).b, pair.b);
    abut_trajectory_free(&t);
    free_world(&w);
}

/* What no posture parts is left out by name: such a proof says so, unless the caller allows the pair. */
static void exceptions_are_part_of_the_answer(void **state) {
    (void)state;
    static const double goal[4] = {-0.3, -1.5, 2.0, 1.0};
    for (int k = 0; k < 3; ++k) {
        World named = folded_arm(1, NULL);
        AbutPair pair = {find_link(named.problem, "forearm"), find_link(named.problem, "hand")};
        const AbutPair *found;
        assert_int_equal(abut_plan_exceptions(named.problem, &found), 1);
        assert_true(found[0].a == pair.a && found[0].b == pair.b);
        AbutPlanDef def = abut_plan_def_default();
        def.left_out = def.added = &pair;
        def.left_out_count = k == 1;
        def.added_count = k == 2;
        World w = folded_arm(1, &def);
        AbutPlan p = plan_to(&w, goal);
        assert_int_equal(p.status, k == 0   ? ABUT_PLAN_CERTIFIED_EXCEPT
                                   : k == 1 ? ABUT_PLAN_CERTIFIED
                                            : ABUT_PLAN_INFEASIBLE_INPUT);
        assert_int_equal(abut_plan_exceptions(w.problem, NULL), k == 0);
        if (k < 2) assert_int_equal(p.certificate.status, k ? ABUT_CERTIFICATE_CLEAR : ABUT_CERTIFICATE_CLEAR_EXCEPT);
        assert_int_equal(abut_certificate_is_proof(&p.certificate), k == 1);
        assert_true(k == 1 ? !p.reason[0] : strstr(p.reason, "forearm:hand") != NULL);
        abut_plan_free(&p);
        free_world(&w);
        free_world(&named);
    }
}

/* ---- five robots ------------------------------------------------------------------------------------------------- */

/* Joints on the way from a link to another one, by their parents. */
static int joints_apart(const AbutModel *model, int32_t a, int32_t b) {
    int count = 0;
    while (a != b) {
        int32_t *later = a > b ? &a : &b; /* parents come before children */
        for (int32_t j = 0; j < model->joint_count; ++j) count += model->joints[j].body == *later;
        *later = model->bodies[*later].parent;
    }
    return count;
}

static int is_among(int32_t count, const AbutPair *list, int32_t a, int32_t b) {
    for (int32_t i = 0; i < count; ++i)
        if ((list[i].a == a && list[i].b == b) || (list[i].a == b && list[i].b == a)) return 1;
    return 0;
}

static int is_excluded(const AbutModel *model, int32_t a, int32_t b) {
    for (int32_t i = 0; i < model->pair_count; ++i)
        if (model->pairs[i].exclude &&
            ((model->pairs[i].a == a && model->pairs[i].b == b) || (model->pairs[i].a == b && model->pairs[i].b == a)))
            return 1;
    return 0;
}

/* Pairs with shapes that are neither neighbors nor excluded nor exceptions, by a list of our own. */
static int list_pairs(const World *w, AbutPair *out) {
    const AbutPair *named;
    int count = 0, exceptions = abut_plan_exceptions(w->problem, &named);
    double joints[PLAN_JOINTS];
    joints_of(w->c, joints);
    for (int32_t a = 0; a < w->robot->body_count; ++a)
        for (int32_t b = a + 1; b < w->robot->body_count; ++b) {
            AbutPair pair = {a, b};
            if (joints_apart(w->robot, a, b) > 1 && !is_excluded(w->robot, a, b) &&
                !is_among(exceptions, named, a, b) && isfinite(link_distance(w, joints, pair)))
                out[count++] = pair;
        }
    return count;
}

static double least_distance(const World *w, const double *joints, int count, const AbutPair *pairs) {
    double least = INFINITY;
    for (int i = 0; i < count; ++i) least = fmin(least, link_distance(w, joints, pairs[i]));
    return least;
}

/* Postures of the same robot that are clear by our own list, to plan between. */
static void clear_posture(AbutRng *rng, const World *w, int count, const AbutPair *pairs, double *joints) {
    do {
        double u[PLAN_JOINTS];
        random_joints(rng, w->robot, joints);
        abut_plan_coordinates_of(w->problem, joints, u); /* coupled ones follow */
        abut_plan_joints_of(w->problem, u, joints);
    } while (least_distance(w, joints, count, pairs) < 0.006);
}

static void no_certified_motion_has_another_contact(void **state) {
    (void)state;
    static const char *const robots[] = {"arm6", "arm-gripper", "two-arms", "planar-arm:6", "hand16", "folded"};
    AbutRng rng = abut_rng(61, 0);
    int certified = 0, tries = 0;
    for (int r = 0; r < 6; ++r) {
        AbutPair pairs[400];
        World w = strcmp(robots[r], "folded") == 0 ? folded_arm(0, NULL) : make_world(robots[r], NULL, NULL);
        int count = list_pairs(&w, pairs);
        assert_int_equal(count, abut_plan_pair_count(w.problem));
        for (int i = 0; i < abut_plan_pair_count(w.problem); ++i)
            assert_true(is_among(count, pairs, abut_plan_pair(w.problem, i).a, abut_plan_pair(w.problem, i).b));
        for (int k = 0; k < check_cases(4); ++k) {
            double joints[PLAN_JOINTS], u[2][PLAN_JOINTS];
            for (int e = 0; e < 2; ++e) {
                clear_posture(&rng, &w, count, pairs, joints);
                abut_plan_coordinates_of(w.problem, joints, u[e]);
            }
            AbutPlanSettings settings = abut_plan_settings_default();
            AbutPlanQuery query = {.start = u[0], .goal = u[1]};
            AbutPlan p;
            AbutError error;
            settings.attempts = 1;
            settings.budget = 60.0;
            good(abut_plan_solve(w.problem, &query, &settings, &p, &error), &error);
            int proved = p.status == ABUT_PLAN_CERTIFIED || p.status == ABUT_PLAN_CERTIFIED_EXCEPT;
            for (int i = 0; i <= 40 && proved; ++i) {
                abut_trajectory_value(&p.trajectory, p.trajectory.times[p.trajectory.piece_count] * i / 40, 0, joints);
                CHECK(least_distance(&w, joints, count, pairs) >= settings.level);
            }
            certified += proved;
            ++tries;
            abut_plan_free(&p);
        }
        free_world(&w);
    }
    CHECK(tries < 20 || certified >= tries / 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reference_beyond_limits_excuses_nothing),
        cmocka_unit_test(exceptions_are_part_of_the_answer),
        cmocka_unit_test(no_certified_motion_has_another_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
