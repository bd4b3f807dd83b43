/* SPDX-License-Identifier: Apache-2.0 */
/* math: identities of vectors, quaternions, poses, 3x3 matrices, and symmetric eigenvalues at all scales. */
#include "support/check.h"
#include "support/slerp.h"
#include "math/matrix.h"

static double det(AbutMat3 m) { return abut_triple(m.x, m.y, m.z); }

static AbutVec3 random_vec(AbutRng *rng) {
    return abut_vec3(abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng));
}

static AbutMat3 random_mat(AbutRng *rng) { return abut_mat3(random_vec(rng), random_vec(rng), random_vec(rng)); }

static double mat_distance(AbutMat3 a, AbutMat3 b) {
    AbutMat3 d = abut_mat3_sub(a, b);
    return fmax(abut_max_abs(d.x), fmax(abut_max_abs(d.y), abut_max_abs(d.z)));
}

/* 0 when a and b are the same rotation; q and -q are. */
static double quat_distance(AbutQuat a, AbutQuat b) {
    double s = abut_quat_dot(a, b) < 0.0 ? -1.0 : 1.0;
    return fmax(fmax(fabs(a.w - s * b.w), fabs(a.x - s * b.x)), fmax(fabs(a.y - s * b.y), fabs(a.z - s * b.z)));
}

static void vectors_obey_identities(void **state) {
    (void)state;
    AbutRng rng = abut_rng(61, 0);
    for (int k = 0; k < check_cases(20000); ++k) {
        AbutVec3 a = random_vec(&rng), b = random_vec(&rng), c = random_vec(&rng);
        CHECK_NEAR(abut_dot(a, abut_cross(a, b)), 0.0, 1e-13);
        CHECK_NEAR(abut_triple(a, b, c), abut_triple(b, c, a), 1e-12);
        CHECK_VEC_NEAR(abut_mat3_apply(abut_mat3_skew(a), b), abut_cross(a, b), 1e-14);
        CHECK_VEC_NEAR(abut_cross(a, abut_cross(b, c)),
            abut_sub(abut_scale(b, abut_dot(a, c)), abut_scale(c, abut_dot(a, b))), 1e-12);
        AbutVec3 n = abut_normalize(a), t = abut_perpendicular(n);
        CHECK_NEAR(abut_length(n), 1.0, 1e-15);
        CHECK_NEAR(abut_length(t), 1.0, 1e-15);
        CHECK_NEAR(abut_dot(n, t), 0.0, 1e-15);
        double scale = k % 2 ? 1e200 : 1e-200;
        CHECK_VEC_NEAR(abut_normalize(abut_scale(a, scale)), n, 1e-15);
        CHECK_VEC_NEAR(abut_lerp(a, b, 1.0), b, 1e-14);
        CHECK_NEAR(abut_get(a, 0) + abut_get(a, 1) + abut_get(a, 2), a.x + a.y + a.z, 1e-15);
        CHECK(abut_max_abs(abut_sub(a, abut_max(a, b))) + abut_max_abs(abut_sub(b, abut_min(a, b))) >= 0.0);
        CHECK_VEC_NEAR(abut_add(abut_min(a, b), abut_max(a, b)), abut_add(a, b), 1e-15);
        CHECK_VEC_NEAR(abut_mul(abut_abs(a), abut_abs(a)), abut_mul(a, a), 0.0);
    }
    CHECK_VEC_NEAR(abut_normalize_or(abut_zero(), abut_axis(2)), abut_axis(2), 0.0);
    CHECK_VEC_NEAR(abut_normalize_or(abut_vec3(NAN, NAN, NAN), abut_axis(1)), abut_axis(1), 0.0);
    CHECK(!abut_is_finite(abut_vec3(0, NAN, 0)) && abut_is_finite(abut_zero()));
    AbutAabb box = abut_aabb_add(abut_aabb_add(abut_aabb_empty(), abut_axis(0)), abut_axis(1)), far = box;
    far.min = abut_vec3(5, 5, 5), far.max = abut_vec3(6, 6, 6);
    CHECK(abut_aabb_overlap(box, box) && !abut_aabb_overlap(box, far) && !abut_aabb_overlap(box, abut_aabb_empty()));
}

static void matrices_obey_identities(void **state) {
    (void)state;
    AbutRng rng = abut_rng(62, 0);
    for (int k = 0; k < check_cases(20000); ++k) {
        AbutMat3 a = random_mat(&rng), b = random_mat(&rng);
        AbutVec3 v = random_vec(&rng), w = random_vec(&rng);
        CHECK_VEC_NEAR(abut_mat3_apply(abut_mat3_mul(a, b), v), abut_mat3_apply(a, abut_mat3_apply(b, v)), 1e-12);
        CHECK_NEAR(mat_distance(abut_mat3_mul_t(a, b), abut_mat3_mul(abut_mat3_transpose(a), b)), 0.0, 1e-13);
        CHECK_NEAR(det(abut_mat3_mul(a, b)), det(a) * det(b), 1e-9);
        CHECK_NEAR(abut_dot(w, abut_mat3_apply(a, v)), abut_dot(abut_mat3_apply_t(a, w), v), 1e-12);
        CHECK_VEC_NEAR(abut_mat3_apply(abut_mat3_outer(v, w), v), abut_scale(v, abut_dot(w, v)), 1e-12);
        CHECK_NEAR(abut_mat3_trace(abut_mat3_add(a, b)), abut_mat3_trace(a) + abut_mat3_trace(b), 1e-13);
        if (fabs(det(a)) > 0.1)
            CHECK_NEAR(mat_distance(abut_mat3_mul(abut_mat3_inv(a), a), abut_mat3_identity()), 0.0, 1e-11);
        CHECK_NEAR(
            mat_distance(abut_mat3_scale(abut_mat3_diagonal(1, 2, 3), 2.0), abut_mat3_diagonal(2, 4, 6)), 0.0, 0.0);
    }
}

static void quaternions_are_rotations(void **state) {
    (void)state;
    AbutRng rng = abut_rng(63, 0);
    for (int k = 0; k < check_cases(20000); ++k) {
        AbutQuat a = abut_random_quat(&rng), b = abut_random_quat(&rng);
        AbutVec3 v = random_vec(&rng);
        AbutMat3 m = abut_quat_to_mat3(a);
        CHECK_NEAR(abut_quat_dot(a, a), 1.0, 1e-15);
        CHECK_NEAR(mat_distance(abut_mat3_mul_t(m, m), abut_mat3_identity()), 0.0, 4e-15);
        CHECK_NEAR(det(m), 1.0, 1e-14);
        CHECK_VEC_NEAR(abut_mat3_apply(m, v), abut_quat_rotate(a, v), 1e-14);
        CHECK_VEC_NEAR(abut_quat_rotate(abut_quat_mul(a, b), v), abut_quat_rotate(a, abut_quat_rotate(b, v)), 1e-14);
        CHECK_VEC_NEAR(abut_quat_rotate_inv(a, abut_quat_rotate(a, v)), v, 1e-14);
        AbutVec3 from = abut_random_direction(&rng), to = k % 5 ? abut_random_direction(&rng) : abut_neg(from);
        if (k % 5 == 1) to = abut_normalize(abut_add_scaled(abut_neg(from), random_vec(&rng), 1e-6));
        CHECK_VEC_NEAR(abut_quat_rotate(abut_quat_between(from, to), from), to, 1e-11);
        CHECK_VEC_NEAR(abut_quat_rotate(abut_quat_axis_angle(from, 1.0), from), from, 1e-15);
        CHECK_NEAR(quat_distance(abut_quat_normalize(abut_quat(a.w * 1e200, a.x * 1e200, a.y * 1e200, a.z * 1e200)), a),
            0.0, 1e-15);
    }
    CHECK(abut_quat_normalize(abut_quat(0, 0, 0, 0)).w == 1.0);
    CHECK(abut_quat_normalize(abut_quat(NAN, 0, 0, 0)).w == 1.0);
}

static void from_matrix_takes_all_four_branches(void **state) {
    (void)state;
    AbutRng rng = abut_rng(64, 0);
    int largest[4] = {0}, cases = check_cases(20000);
    for (int k = 0; k < cases; ++k) {
        AbutQuat q = abut_random_quat(&rng);
        double size[4] = {fabs(q.w), fabs(q.x), fabs(q.y), fabs(q.z)};
        int at = 0;
        for (int i = 1; i < 4; ++i) at = size[i] > size[at] ? i : at;
        ++largest[at];
        CHECK_NEAR(quat_distance(abut_quat_from_mat3(abut_quat_to_mat3(q)), q), 0.0, 1e-15);
    }
    for (int i = 0; i < 4; ++i) CHECK(largest[i] > cases / 8);
    AbutQuat half[] = {abut_quat(1, 0, 0, 0), abut_quat(0, 1, 0, 0), abut_quat(0, 0, 1, 0), abut_quat(0, 0, 0, 1)};
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(quat_distance(abut_quat_from_mat3(abut_quat_to_mat3(half[i])), half[i]), 0.0, 0.0);
}

static void log_and_exp_are_inverse(void **state) {
    (void)state;
    AbutRng rng = abut_rng(65, 0);
    for (int k = 0; k < check_cases(20000); ++k) {
        double angle =
            k % 2 ? abut_rng_between(&rng, 0.0, ABUT_PI - 1e-6) : pow(10.0, abut_rng_between(&rng, -300.0, 0.4));
        AbutVec3 v = abut_scale(abut_random_direction(&rng), angle);
        CHECK_VEC_NEAR(abut_quat_log(abut_quat_exp(v)), v, 2e-15 * fmax(angle, 1e-290) + (angle > 0.1 ? 2e-15 : 0.0));
        AbutQuat q = abut_random_quat(&rng);
        CHECK_NEAR(quat_distance(abut_quat_exp(abut_quat_log(q)), q), 0.0, 1e-14);
        CHECK(abut_length(abut_quat_log(q)) <= ABUT_PI + 1e-15);
    }
}

static void slerp_turns_evenly(void **state) {
    (void)state;
    AbutRng rng = abut_rng(66, 0);
    for (int k = 0; k < check_cases(5000); ++k) {
        AbutQuat a = abut_random_quat(&rng), b = abut_random_quat(&rng);
        double t = abut_rng_unit(&rng);
        double whole = abut_length(abut_quat_log(abut_quat_mul(abut_quat_conj(a), b)));
        AbutQuat m = slerp(a, b, t);
        CHECK_NEAR(quat_distance(slerp(a, b, 0.0), a), 0.0, 1e-14);
        CHECK_NEAR(quat_distance(slerp(a, b, 1.0), b), 0.0, 1e-14);
        CHECK_NEAR(abut_length(abut_quat_log(abut_quat_mul(abut_quat_conj(a), m))), t * whole, 1e-13);
        CHECK_NEAR(quat_distance(m, slerp(b, a, 1.0 - t)), 0.0, 1e-12);
        CHECK_NEAR(quat_distance(slerp(a, a, t), a), 0.0, 1e-14);
    }
}

static void poses_compose(void **state) {
    (void)state;
    AbutRng rng = abut_rng(67, 0);
    for (int k = 0; k < check_cases(20000); ++k) {
        AbutPose a = abut_pose(random_vec(&rng), abut_random_quat(&rng)),
                 b = abut_pose(random_vec(&rng), abut_random_quat(&rng));
        AbutVec3 v = random_vec(&rng);
        CHECK_VEC_NEAR(abut_pose_apply(abut_pose_mul(a, b), v), abut_pose_apply(a, abut_pose_apply(b, v)), 1e-13);
        CHECK_VEC_NEAR(abut_pose_apply(abut_pose_inv(a), v), abut_pose_apply_inv(a, v), 1e-13);
        CHECK_VEC_NEAR(abut_pose_apply_inv(a, abut_pose_apply(a, v)), v, 1e-13);
        CHECK_VEC_NEAR(
            abut_pose_apply(abut_pose_between(a, b), v), abut_pose_apply_inv(a, abut_pose_apply(b, v)), 1e-13);
        CHECK_VEC_NEAR(abut_pose_apply(abut_pose_identity(), v), v, 0.0);
    }
    AbutPose bad = abut_pose_identity();
    CHECK(abut_pose_is_finite(bad));
    bad.q.y = INFINITY;
    CHECK(!abut_pose_is_finite(bad));
}

static void eigenvalues_hold_at_all_scales(void **state) {
    (void)state;
    AbutRng rng = abut_rng(68, 0);
    int cases = check_cases(20000);
    for (int k = 0; k < cases; ++k) {
        double scale = pow(10.0, abut_rng_between(&rng, -150.0, 150.0));
        double tiny = k % 3 == 0 ? 1e-14 : 1.0; /* near multiples, flat ones, and any */
        AbutMat3 r = abut_quat_to_mat3(abut_random_quat(&rng));
        AbutMat3 d =
            abut_mat3_diagonal(abut_rng_normal(&rng), k % 5 ? abut_rng_normal(&rng) * tiny : 0.5, k % 5 ? tiny : 0.5);
        AbutMat3 m = abut_mat3_mul(abut_mat3_mul(r, d), abut_mat3_transpose(r));
        m.x.y = m.y.x, m.x.z = m.z.x, m.y.z = m.z.y;
        double value[3];
        AbutMat3 axes = abut_mat3_eigen_symmetric(abut_mat3_scale(m, scale), value);
        AbutVec3 column[3] = {axes.x, axes.y, axes.z};
        CHECK(value[0] <= value[1] && value[1] <= value[2]);
        CHECK_NEAR(mat_distance(abut_mat3_mul_t(axes, axes), abut_mat3_identity()), 0.0, 1e-14);
        CHECK_NEAR(det(axes), 1.0, 1e-14);
        for (int i = 0; i < 3; ++i)
            CHECK_VEC_NEAR(abut_mat3_apply(m, column[i]), abut_scale(column[i], value[i] / scale), 1e-14 * 5);
    }
    double none[3];
    CHECK(abut_mat3_eigen_symmetric(abut_mat3_diagonal(0, 0, 0), none).x.x == 1.0 && none[2] == 0.0);
    CHECK(abut_mat3_eigen_symmetric(abut_mat3_diagonal(INFINITY, 0, 0), none).x.x == 1.0 && none[2] == 0.0);
}

static void random_directions_are_uniform(void **state) {
    (void)state;
    AbutRng rng = abut_rng(69, 0);
    AbutMat3 second = abut_mat3_diagonal(0, 0, 0), turned = second;
    int n = 200000;
    for (int i = 0; i < n; ++i) {
        AbutVec3 u = abut_random_direction(&rng), w = abut_quat_rotate(abut_random_quat(&rng), abut_axis(0));
        second = abut_mat3_add(second, abut_mat3_scale(abut_mat3_outer(u, u), 3.0 / n));
        turned = abut_mat3_add(turned, abut_mat3_scale(abut_mat3_outer(w, w), 3.0 / n));
    }
    CHECK_NEAR(mat_distance(second, abut_mat3_identity()), 0.0, 0.02);
    CHECK_NEAR(mat_distance(turned, abut_mat3_identity()), 0.0, 0.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_obey_identities),
        cmocka_unit_test(matrices_obey_identities),
        cmocka_unit_test(quaternions_are_rotations),
        cmocka_unit_test(from_matrix_takes_all_four_branches),
        cmocka_unit_test(log_and_exp_are_inverse),
        cmocka_unit_test(slerp_turns_evenly),
        cmocka_unit_test(poses_compose),
        cmocka_unit_test(eigenvalues_hold_at_all_scales),
        cmocka_unit_test(random_directions_are_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
