/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamics of random trees against the oracle, against each other, and against closed forms. */
#include "robot/robot_support.h"

#include <string.h>

#include "oracle/tree_oracle.h"

static double big[6][ROBOT_NUMBERS * ROBOT_NUMBERS];

static void check_oracle(Case *item) {
    size_t n = (size_t)item->nv;
    abut_configuration_mass_matrix(item->c, big[0]);
    tree_oracle_mass_matrix(item->model, item->q, big[1]);
    CHECK_NEAR(relative_gap(big[0], big[1], n * n), 0.0, 1e-9);
    abut_configuration_bias(item->c, big[0]);
    tree_oracle_bias(item->model, item->q, item->v, big[1]);
    CHECK_NEAR(relative_gap(big[0], big[1], n), 0.0, 1e-9);
}

static void test_oracle(void **state) {
    (void)state;
    AbutRng rng = abut_rng(11, 0);
    for (int i = 0; i < check_cases(40); ++i) {
        Case item = case_of(&rng, random_tree(&rng, 1 + (int)abut_rng_below(&rng, 9)));
        if (item.nv > 0) check_oracle(&item);
        case_free(&item);
    }
}

/* Both forms of forward dynamics, and inverse dynamics back. */
static void check_round_trip(AbutRng *rng, Case *item, double tolerance) {
    size_t n = (size_t)item->nv;
    double torques[ROBOT_NUMBERS] = {0}, a[ROBOT_NUMBERS], b[ROBOT_NUMBERS], back[ROBOT_NUMBERS];
    for (size_t i = 0; i < n; ++i) torques[i] = abut_rng_between(rng, -10.0, 10.0);
    abut_configuration_forward_dynamics(item->c, ABUT_FORWARD_FACTOR, torques, a);
    abut_configuration_forward_dynamics(item->c, ABUT_FORWARD_ARTICULATED, torques, b);
    CHECK_NEAR(relative_gap(b, a, n), 0.0, tolerance);
    abut_configuration_inverse_dynamics(item->c, a, back);
    CHECK_NEAR(relative_gap(back, torques, n), 0.0, 1e-8);
    abut_configuration_mass_matrix(item->c, big[0]);
    for (size_t i = 0; i < n; ++i) {
        back[i] = 0.0;
        for (size_t j = 0; j < n; ++j) back[i] += big[0][i * n + j] * torques[j];
    }
    abut_configuration_solve(item->c, back);
    CHECK_NEAR(relative_gap(back, torques, n), 0.0, 1e-9);
}

static void test_forward(void **state) {
    (void)state;
    AbutRng rng = abut_rng(12, 0);
    for (int i = 0; i < check_cases(300); ++i) {
        Case item = case_of(&rng, random_tree(&rng, 1 + (int)abut_rng_below(&rng, 14)));
        if (item.nv > 0) check_round_trip(&rng, &item, 1e-10);
        case_free(&item);
    }
    Case chain = case_of(&rng, hinge_chain(60)); /* deep enough that the automatic choice is the articulated form */
    check_round_trip(&rng, &chain, 1e-6);
    double torques[ROBOT_NUMBERS] = {0}, a[ROBOT_NUMBERS], b[ROBOT_NUMBERS];
    abut_configuration_forward_dynamics(chain.c, ABUT_FORWARD_AUTOMATIC, torques, a);
    abut_configuration_forward_dynamics(chain.c, ABUT_FORWARD_ARTICULATED, torques, b);
    assert_memory_equal(a, b, (size_t)chain.nv * sizeof *a);
    case_free(&chain);
}

/* Torques along q (+) t direction, v + t direction. */
static void torques_at(Case *item, const double *direction, double t, int velocity, const double *a, double *out) {
    double q[ROBOT_NUMBERS], v[ROBOT_NUMBERS];
    memcpy(v, item->v, sizeof v);
    abut_configuration_integrate(item->c, item->q, direction, velocity ? 0.0 : t, q);
    for (int i = 0; velocity && i < item->nv; ++i) v[i] += t * direction[i];
    AbutError error = {0};
    good(abut_configuration_set(item->c, item->nq, q, item->nv, v, &error), &error);
    abut_configuration_inverse_dynamics(item->c, a, out);
}

static void check_derivatives(AbutRng *rng, Case *item) {
    size_t n = (size_t)item->nv;
    double a[ROBOT_NUMBERS], direction[ROBOT_NUMBERS] = {0}, up[ROBOT_NUMBERS], down[ROBOT_NUMBERS], h = 1e-6;
    AbutError error = {0};
    for (size_t i = 0; i < n; ++i) a[i] = abut_rng_between(rng, -3.0, 3.0);
    abut_configuration_inverse_derivatives(item->c, a, big[0], big[1]);
    for (int velocity = 0; velocity < 2; ++velocity) {
        for (size_t j = 0; j < n; ++j) {
            direction[j] = 1.0;
            torques_at(item, direction, h, velocity, a, up);
            torques_at(item, direction, -h, velocity, a, down);
            direction[j] = 0.0;
            for (size_t i = 0; i < n; ++i) big[2][i * n + j] = (up[i] - down[i]) / (2.0 * h);
        }
        CHECK_NEAR(relative_gap(big[velocity], big[2], n * n), 0.0, 1e-6);
    }
    /* forward: M times the derivative is minus that of the torques */
    good(abut_configuration_set(item->c, item->nq, item->q, item->nv, item->v, &error), &error);
    abut_configuration_inverse_dynamics(item->c, a, up);
    abut_configuration_forward_derivatives(item->c, up, down, big[3], big[4]);
    CHECK_NEAR(relative_gap(down, a, n), 0.0, 1e-8);
    abut_configuration_mass_matrix(item->c, big[5]);
    for (int velocity = 0; velocity < 2; ++velocity) {
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j) {
                big[2][i * n + j] = 0.0;
                for (size_t k = 0; k < n; ++k) big[2][i * n + j] -= big[5][i * n + k] * big[3 + velocity][k * n + j];
            }
        CHECK_NEAR(relative_gap(big[2], big[velocity], n * n), 0.0, 1e-7);
    }
}

static void test_derivatives(void **state) {
    (void)state;
    AbutRng rng = abut_rng(13, 0);
    for (int i = 0; i < check_cases(60); ++i) {
        Case item = case_of(&rng, random_tree(&rng, 1 + (int)abut_rng_below(&rng, 9)));
        if (item.nv > 0) check_derivatives(&rng, &item);
        case_free(&item);
    }
}

/* Sums over bodies of the model, from the oracle's velocities. */
static void check_momentum(Case *item) {
    AbutVec3 p = abut_zero(), l = abut_zero(), center = abut_zero();
    double mass = 0.0, kinetic = 0.0;
    for (int pass = 0; pass < 2; ++pass)
        for (int b = 0; b < item->model->body_count; ++b) {
            const AbutBodyDef *def = &item->model->bodies[b];
            if (!abut_model_is_movable(item->model, b)) continue;
            AbutPose pose = abut_configuration_body_pose(item->c, b);
            AbutVec3 at = abut_pose_apply(pose, def->center);
            if (pass == 0) {
                mass += def->mass;
                center = abut_add_scaled(center, at, def->mass);
                continue;
            }
            double local[3] = {def->center.x, def->center.y, def->center.z}, linear[3], angular[3];
            tree_oracle_velocity(item->model, item->q, item->v, b, local, linear, angular);
            AbutVec3 v = abut_vec3(linear[0], linear[1], linear[2]), w = abut_vec3(angular[0], angular[1], angular[2]);
            AbutVec3 turn = abut_quat_rotate(pose.q, abut_mat3_apply(def->inertia, abut_quat_rotate_inv(pose.q, w)));
            p = abut_add_scaled(p, v, def->mass);
            AbutVec3 arm = abut_add_scaled(at, center, -1.0 / mass);
            l = abut_add(abut_add(l, turn), abut_cross(arm, abut_scale(v, def->mass)));
            kinetic += 0.5 * (def->mass * abut_length_sq(v) + abut_dot(w, turn));
        }
    CHECK_NEAR(abut_configuration_mass(item->c), mass, 1e-12);
    CHECK_VEC_NEAR(abut_configuration_center(item->c), abut_scale(center, 1.0 / mass), 1e-12);
    CHECK_VEC_NEAR(abut_configuration_center_velocity(item->c), abut_scale(p, 1.0 / mass), 1e-10);
    CHECK_VEC_NEAR(abut_configuration_momentum(item->c).linear, p, 1e-10 * (1.0 + abut_length(p)));
    CHECK_VEC_NEAR(abut_configuration_momentum(item->c).angular, l, 1e-10 * (1.0 + abut_length(l)));
    CHECK_NEAR(abut_configuration_potential_energy(item->c), -abut_dot(item->model->gravity, center), 1e-10);
    abut_configuration_mass_matrix(item->c, big[0]);
    double energy = 0.0, armature = 0.0;
    for (int i = 0; i < item->nv; ++i)
        for (int j = 0; j < item->nv; ++j) energy += 0.5 * item->v[i] * big[0][i * item->nv + j] * item->v[j];
    armature = abut_configuration_kinetic_energy(item->c) - kinetic;
    CHECK_NEAR(abut_configuration_kinetic_energy(item->c), energy, 1e-10 * (1.0 + energy));
    CHECK(armature > -1e-10 * (1.0 + energy));
}

static void check_matrices(Case *item) {
    AbutVec3 v = abut_configuration_center_velocity(item->c);
    AbutTwist p = abut_configuration_momentum(item->c);
    double sum[9] = {0},
           expected[9] = {v.x, v.y, v.z, p.linear.x, p.linear.y, p.linear.z, p.angular.x, p.angular.y, p.angular.z};
    abut_configuration_center_jacobian(item->c, big[0]);
    abut_configuration_momentum_matrix(item->c, big[1]);
    for (int k = 0; k < 9; ++k) {
        const double *row = k < 3 ? big[0] + k * item->nv : big[1] + (k - 3) * item->nv;
        for (int d = 0; d < item->nv; ++d) sum[k] += row[d] * item->v[d];
        CHECK_NEAR(sum[k], expected[k], 1e-10 * (1.0 + fabs(expected[k])));
    }
}

static void test_momentum(void **state) {
    (void)state;
    AbutRng rng = abut_rng(14, 0);
    for (int i = 0; i < check_cases(100); ++i) {
        Case item = case_of(&rng, random_tree(&rng, 2 + (int)abut_rng_below(&rng, 10)));
        if (abut_configuration_mass(item.c) > 0.0) {
            check_momentum(&item);
            check_matrices(&item);
        }
        case_free(&item);
    }
}

/* Passive torques are minus the slope of the potential of springs and compensated weights, and damping. */
static void test_passive(void **state) {
    (void)state;
    AbutModel *model = hinge_chain(1);
    AbutConfiguration *c;
    AbutError error = {0};
    AbutJointDef slide = abut_joint_default();
    AbutBodyDef cart = abut_body_default();
    cart.kind = ABUT_BODY_LINK;
    cart.mass = 2.0;
    cart.gravity_compensation = 0.25;
    good(abut_model_add_body(model, &cart, &slide.body, &error), &error);
    slide.kind = ABUT_JOINT_SLIDE;
    slide.stiffness = 30.0;
    slide.damping = 4.0;
    slide.spring_reference = 0.1;
    slide.reference = 0.5;
    good(abut_model_add_joint(model, &slide, NULL, &error), &error);
    good(configuration_of(model, &c, &error), &error);
    double q[2] = {0.3, 0.9}, v[2] = {1.0, -2.0}, passive[2], bias[2];
    good(abut_configuration_set(c, 2, q, 2, v, &error), &error);
    abut_configuration_passive(c, passive);
    CHECK_NEAR(passive[0], 0.0, 0);
    CHECK_NEAR(passive[1], -30.0 * 0.8 + 8.0 + 0.25 * 2.0 * ABUT_GRAVITY, 1e-13);
    abut_configuration_bias(c, bias);
    CHECK_NEAR(bias[1], 2.0 * ABUT_GRAVITY, 1e-13);
    CHECK_NEAR(bias[0], -0.1 * 0.05 * ABUT_GRAVITY * cos(0.3), 1e-15); /* about +y a positive angle points down */
    CHECK_NEAR(abut_configuration_body_pose(c, 1).p.z, 0.4, 1e-15);
    abut_configuration_free(c);
    abut_model_free(model);
}

/* Two rods in a plane, angles from the horizontal: the textbook's matrix and velocity products. */
static void test_double_pendulum(void **state) {
    (void)state;
    AbutModel *model;
    AbutConfiguration *c;
    AbutError error = {0};
    double m1 = 1.5, m2 = 0.7, l1 = 0.8, c1 = 0.3, c2 = 0.45, i1 = 0.02, i2 = 0.05;
    good(abut_model_create(&model, &error), &error);
    for (int32_t i = 0; i < 2; ++i) {
        AbutBodyDef body = abut_body_default();
        AbutJointDef joint = abut_joint_default();
        body.kind = ABUT_BODY_LINK;
        body.parent = i - 1;
        body.pose.p = abut_vec3(i ? l1 : 0.0, 0.0, 0.0);
        body.mass = i ? m2 : m1;
        body.center = abut_vec3(i ? c2 : c1, 0.0, 0.0);
        body.inertia = abut_mat3_diagonal(0.01, i ? i2 : i1, i ? i2 : i1);
        joint.body = i;
        joint.axis = abut_vec3(0.0, -1.0, 0.0); /* positive angles lift */
        good(abut_model_add_body(model, &body, NULL, &error), &error);
        good(abut_model_add_joint(model, &joint, NULL, &error), &error);
    }
    good(configuration_of(model, &c, &error), &error);
    double q[2] = {0.4, -1.1}, v[2] = {1.3, -0.6}, matrix[4], bias[2], g = ABUT_GRAVITY;
    good(abut_configuration_set(c, 2, q, 2, v, &error), &error);
    abut_configuration_mass_matrix(c, matrix);
    abut_configuration_bias(c, bias);
    double cross = m2 * l1 * c2, m22 = i2 + m2 * c2 * c2, m12 = m22 + cross * cos(q[1]);
    CHECK_NEAR(matrix[3], m22, 1e-15);
    CHECK_NEAR(matrix[1], m12, 1e-15);
    CHECK_NEAR(matrix[0], i1 + m1 * c1 * c1 + m2 * l1 * l1 + m12 + cross * cos(q[1]), 1e-15);
    double s = cross * sin(q[1]), low = m2 * c2 * g * cos(q[0] + q[1]);
    CHECK_NEAR(bias[0], -s * (2.0 * v[0] * v[1] + v[1] * v[1]) + (m1 * c1 + m2 * l1) * g * cos(q[0]) + low, 1e-14);
    CHECK_NEAR(bias[1], s * v[0] * v[0] + low, 1e-14);
    abut_configuration_free(c);
    abut_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_oracle), cmocka_unit_test(test_forward),
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_momentum), cmocka_unit_test(test_passive),
        cmocka_unit_test(test_double_pendulum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
