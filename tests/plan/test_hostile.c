/* SPDX-License-Identifier: Apache-2.0 */
/* Robots and scenes that nobody builds on purpose: random trees of hinges and slides with odd limits, unbounded and
 * coupled joints, in millimeters and in kilometers, among obstacles of 1e-6 m and 1e6 m, far from 0. What edges and
 * certificates prove is never refuted by the kinematics of another room; starts in contact, equal ends, no obstacle and
 * thousands of them. */
#include "plan_support.h"

static AbutShapeDef draw_shape(AbutRng *rng, double size, int kinds) {
    static const AbutShapeKind all[] = {ABUT_SHAPE_BOX, ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER,
        ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_CONE};
    AbutShapeDef s = abut_shape_default();
    s.form.kind = all[abut_rng_below(rng, (uint32_t)kinds)];
    s.form.size = abut_vec3(size, size, size);
    if (s.form.kind == ABUT_SHAPE_BOX || s.form.kind == ABUT_SHAPE_ELLIPSOID)
        s.form.size.y = size * abut_rng_between(rng, 0.2, 5.0);
    if (s.form.kind != ABUT_SHAPE_SPHERE) s.form.size.z = size * abut_rng_between(rng, 0.1, 8.0);
    return s;
}

/* None, nearly none, a single value, or narrow. */
static void draw_limits(AbutRng *rng, AbutJointDef *joint) {
    static const double ranges[3][2] = {{-1e6, 1e7}, {0.3, 0.3}, {-1.0, 2.0}};
    int kind = (int)abut_rng_below(rng, 4);
    joint->limited = kind > 0;
    if (kind) memcpy(joint->range, ranges[kind - 1], sizeof joint->range);
}

static void add_random_link(AbutRng *rng, AbutModel *m, double scale, int i) {
    AbutBodyDef body = abut_body_default();
    AbutJointDef joint = abut_joint_default();
    AbutError error;
    char name[20];
    snprintf(name, sizeof name, "link%d", i);
    body.kind = ABUT_BODY_LINK;
    body.name = joint.name = name;
    body.parent = i == 0 ? -1 : abut_rng_below(rng, 3) ? i - 1 : (int32_t)abut_rng_below(rng, (uint32_t)i);
    body.pose =
        abut_pose(abut_scale(abut_random_direction(rng), scale * abut_rng_between(rng, 0, 0.5)), abut_random_quat(rng));
    good(abut_model_add_body(m, &body, &joint.body, &error), &error);
    joint.kind = abut_rng_below(rng, 4) ? ABUT_JOINT_HINGE : ABUT_JOINT_SLIDE;
    joint.axis = abut_random_direction(rng);
    joint.position = abut_scale(abut_random_direction(rng), scale * abut_rng_between(rng, 0, 0.2));
    joint.reference = abut_rng_below(rng, 3) ? 0.0 : abut_rng_between(rng, -2, 2);
    draw_limits(rng, &joint);
    good(abut_model_add_joint(m, &joint, NULL, &error), &error);
    for (int k = 0; k < 1 + (int)abut_rng_below(rng, 2); ++k) {
        double size = scale * abut_rng_between(rng, 0.005, 0.1) * (abut_rng_below(rng, 6) ? 1.0 : 1e-4);
        AbutShapeDef shape = draw_shape(rng, size, 5);
        shape.body = joint.body;
        shape.pose = abut_pose(
            abut_scale(abut_random_direction(rng), scale * abut_rng_between(rng, 0, 0.4)), abut_random_quat(rng));
        good(abut_model_add_shape(m, &shape, NULL, &error), &error);
    }
}

static AbutModel *draw_robot(AbutRng *rng, double scale) {
    AbutModel *m = no_obstacles();
    AbutError error;
    int count = 2 + (int)abut_rng_below(rng, 5);
    for (int i = 0; i < count; ++i) add_random_link(rng, m, scale, i);
    if (count > 2 && abut_rng_below(rng, 2)) { /* the last joint follows the first */
        AbutEqualityDef follow = abut_equality_default();
        follow.kind = ABUT_EQUALITY_JOINT;
        follow.a = count - 1;
        follow.b = 0;
        memset(follow.polynomial, 0, sizeof follow.polynomial);
        follow.polynomial[0] = abut_rng_between(rng, -1, 1);
        follow.polynomial[1] = abut_rng_between(rng, -3, 3);
        good(abut_model_add_equality(m, &follow, NULL, &error), &error);
    }
    return m;
}

static AbutModel *draw_obstacles(AbutRng *rng, double scale) {
    AbutModel *m = no_obstacles();
    int count = 1 + (int)abut_rng_below(rng, 8);
    for (int i = 0; i < count; ++i) {
        AbutBodyDef body = abut_body_default();
        AbutError error;
        char name[20];
        int kind = (int)abut_rng_below(rng, 6);
        double size = kind == 0 ? 1e-6 : kind == 1 ? 1e6 : scale * abut_rng_between(rng, 0.01, 0.2);
        double away = kind == 1 ? size * abut_rng_between(rng, 1.0, 1.0000008) : scale * abut_rng_between(rng, 0, 1.2);
        AbutShapeDef shape = draw_shape(rng, size, 6);
        snprintf(name, sizeof name, "obstacle%d", i);
        body.kind = ABUT_BODY_STATIC;
        body.name = name;
        body.pose = abut_pose(abut_scale(abut_random_direction(rng), away), abut_random_quat(rng));
        good(abut_model_add_body(m, &body, &shape.body, &error), &error);
        good(abut_model_add_shape(m, &shape, NULL, &error), &error);
    }
    return m;
}

/* At 121 places by another room; `loss`: what far angles may lose. */
static void refute_line(const World *w, const double *a, const double *b, double level, double loss) {
    double u[PLAN_JOINTS], joints[PLAN_JOINTS];
    for (int k = 0; k <= 120; ++k) {
        for (int32_t c = 0; c < abut_plan_coordinate_count(w->problem); ++c) u[c] = a[c] + (b[c] - a[c]) * k / 120;
        abut_plan_joints_of(w->problem, u, joints);
        set_joints(w, joints);
        for (int32_t p = 0; p < abut_plan_pair_count(w->problem); ++p)
            CHECK(independent_distance(w, abut_plan_pair(w->problem, p)) > level - loss);
    }
}

/* The straight motion: what its certificate says. */
static AbutCertificateStatus certify_line(const World *w, const double *a, const double *b, double level) {
    double q[2 * PLAN_JOINTS], times[2] = {0.0, 1.0};
    AbutJointSamples samples = {w->robot->joint_count, 2, times, q, NULL, NULL};
    AbutCertifyDef def = {level, 100000, 1};
    AbutTrajectory t;
    AbutCertificate x;
    AbutError error;
    abut_plan_joints_of(w->problem, a, q);
    abut_plan_joints_of(w->problem, b, q + w->robot->joint_count);
    good(abut_trajectory_interpolate(ABUT_INTERPOLATE_LINEAR, &samples, &t, &error), &error);
    good(abut_plan_certify(w->problem, &t, &def, &x, NULL, &error), &error);
    abut_trajectory_free(&t);
    return x.status;
}

static void ask_edges(AbutRng *rng, const World *w, double scale, int64_t found[2]) {
    double a[PLAN_JOINTS], b[PLAN_JOINTS], level = abut_rng_below(rng, 2) ? 0.0 : 0.001 * scale;
    AbutPlanProver *prover;
    AbutError error;
    good(abut_plan_prover_create(w->problem, level, &prover, &error), &error);
    for (int i = 0; i < 24; ++i) {
        double far = i % 8 == 7 ? abut_rng_between(rng, 0, 1e5) : 3.0,
               length = abut_rng_between(rng, 0, i % 3 ? 0.3 : 3);
        for (int32_t c = 0; c < abut_plan_coordinate_count(w->problem); ++c) {
            a[c] = abut_rng_between(rng, -far, far);
            b[c] = a[c] + length * abut_rng_normal(rng);
        }
        int is_free = abut_plan_edge_free(prover, a, b);
        AbutCertificateStatus status = i % 4 ? ABUT_CERTIFICATE_UNDECIDED : certify_line(w, a, b, level);
        int clear = status == ABUT_CERTIFICATE_CLEAR || status == ABUT_CERTIFICATE_CLEAR_EXCEPT;
        assert_false(is_free && status == ABUT_CERTIFICATE_CONTACT);
        if (is_free || clear) refute_line(w, a, b, level, scale * (1e-9 + 1e-15 * far));
        ++found[is_free];
    }
    abut_plan_prover_free(prover);
}

static void nothing_false_is_proved(void **state) {
    (void)state;
    int64_t found[2] = {0, 0};
    int refused = 0, trials = 20 + check_cases(20);
    for (int i = 0; i < trials; ++i) {
        AbutRng rng = abut_rng((uint64_t)i, 91);
        double scale = i % 5 == 1 ? 1e-3 : i % 5 == 2 ? 1e3 : 1.0;
        World w = {.robot = draw_robot(&rng, scale), .obstacles = draw_obstacles(&rng, scale)};
        AbutPlanDef def = abut_plan_def_default();
        AbutError error;
        def.neighbors = (int32_t)abut_rng_below(&rng, 2);
        def.margin = 0.005 * scale;
        good(configuration_of(w.robot, &w.c, &error), &error);
        if (abut_plan_problem_create(w.c, w.obstacles, &def, &w.problem, &error) == ABUT_OK)
            ask_edges(&rng, &w, scale, found);
        else if (strstr(error.text, "leave nothing")) /* a coupled joint beyond its limits */
            ++refused;
        else
            fail_msg("%s", error.text);
        free_world(&w);
    }
    CHECK(found[1] * 10 > found[0] && refused * 4 < trials);
}

/* Plans from contact, to contact, nowhere and beyond limits; of no obstacle and of thousands. */
static void odd_questions_are_answered(void **state) {
    (void)state;
    enum { MANY = 2000 };
    AbutRng rng = abut_rng(93, 0);
    AbutModel *many = no_obstacles();
    for (int i = 0; i < MANY; ++i) {
        char name[20];
        snprintf(name, sizeof name, "box%d", i);
        AbutVec3 at = abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 1.6, 3.0));
        add_box(many, name, abut_pose(at, abut_random_quat(&rng)), abut_vec3(0.02, 0.03, 0.04));
    }
    add_box(many, "near", abut_pose(abut_vec3(0.5, 0.3, 0.4), abut_quat_identity()), abut_vec3(0.05, 0.05, 0.05));
    for (int k = 0; k < 2; ++k) {
        World w = make_world("arm6", k ? many : NULL, NULL);
        double free[6] = {-0.6, 0.9, 0.6, 0, 0, 0}, goal[6] = {1.9, 0.9, 0.6, 0, 0, 0}, beyond[6] = {9},
               folded[6] = {0, 2.6, 2.6};
        const double *ends[5][2] = {{free, goal}, {free, free}, {folded, free}, {free, folded}, {free, beyond}};
        for (int i = 0; i < 5; ++i) {
            AbutPlanSettings s = abut_plan_settings_default();
            AbutPlanQuery query = {ends[i][0], ends[i][1], 0, NULL, NULL};
            AbutPlan plan;
            AbutError error;
            s.quality = ABUT_PLAN_QUALITY_FAST;
            good(abut_plan_solve(w.problem, &query, &s, &plan, &error), &error);
            assert_int_equal(plan.status, i < 2 ? ABUT_PLAN_CERTIFIED : ABUT_PLAN_INFEASIBLE_INPUT);
            assert_true((plan.reason[0] == 0) == (i < 2));
            abut_plan_free(&plan);
        }
        free_world(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_false_is_proved),
        cmocka_unit_test(odd_questions_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
