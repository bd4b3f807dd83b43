/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps along a direction against all pairs in long double, and against the exact collision test. */
#include "mesh/kernels.h"
#include "support/depth_along.h"
#include "mesh/sweep.h"
#include "abut/literature.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random_bodies.h"

typedef struct Span {
    long double low, high;
} Span;

typedef long double Wide[3];

static void wide(AbutVec3 v, Wide out) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

static long double triple(const Wide a, const Wide b, const Wide c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static void minus(const Wide a, const Wide b, Wide out) {
    for (int k = 0; k < 3; ++k) out[k] = a[k] - b[k];
}

static void widen(Span *span, long double s) { span->low = fminl(span->low, s), span->high = fmaxl(span->high, s); }

/* s at which p + sign s d lies in the triangle t. */
static void corner_in_face(Span *span, const Wide p, Wide t[3], const Wide d, int sign) {
    Wide e, f, w, g = {-sign * d[0], -sign * d[1], -sign * d[2]};
    minus(t[1], t[0], e);
    minus(t[2], t[0], f);
    minus(p, t[0], w);
    long double det = triple(e, f, g);
    if (fabsl(det) < 1e-15L) return;
    long double x = triple(w, f, g) / det, y = triple(e, w, g) / det, s = triple(e, f, w) / det;
    if (x >= 0 && y >= 0 && x + y <= 1) widen(span, s);
}

/* s at which side b moved by s d meets side a. */
static void side_on_side(Span *span, const Wide a0, const Wide a1, const Wide b0, const Wide b1, const Wide d) {
    Wide e, f, w, back = {-d[0], -d[1], -d[2]};
    minus(a1, a0, e);
    minus(b0, b1, f);
    minus(b0, a0, w);
    long double det = triple(e, f, back);
    if (fabsl(det) < 1e-15L) return;
    long double x = triple(w, f, back) / det, y = triple(e, w, back) / det;
    if (x >= 0 && x <= 1 && y >= 0 && y <= 1) widen(span, triple(e, f, w) / det);
}

static Span span_of(const AbutVec3 a[3], const AbutVec3 b[3], AbutVec3 direction) {
    Span span = {INFINITY, -INFINITY};
    Wide p[3], q[3], d;
    wide(direction, d);
    for (int k = 0; k < 3; ++k) wide(a[k], p[k]), wide(b[k], q[k]);
    for (int k = 0; k < 3; ++k) {
        corner_in_face(&span, q[k], p, d, 1);
        corner_in_face(&span, p[k], q, d, -1);
        for (int l = 0; l < 3; ++l) side_on_side(&span, p[k], p[(k + 1) % 3], q[l], q[(l + 1) % 3], d);
    }
    return span;
}

/* Of all pairs: the last end, and the least s >= from in any interval. */
static void brute(
    const AbutMesh *a, const AbutMesh *b, AbutPose pose, AbutVec3 d, double from, double *last, double *first) {
    *last = -INFINITY, *first = INFINITY;
    for (int i = 0; i < a->triangle_count; ++i)
        for (int j = 0; j < b->triangle_count; ++j) {
            AbutVec3 p[3], q[3];
            corners_of(a, i, p);
            corners_of(b, j, q);
            for (int k = 0; k < 3; ++k) q[k] = abut_pose_apply(pose, q[k]);
            Span s = span_of(p, q, d);
            *last = fmax(*last, (double)s.high);
            if (s.high >= from) *first = fmin(*first, fmax(from, (double)s.low));
        }
}

static AbutPose moved(AbutPose pose, AbutVec3 d, double s) { return abut_pose(abut_add_scaled(pose.p, d, s), pose.q); }

static int free_at(const AbutMeshTree *a, const AbutMeshTree *b, AbutPose pose, AbutVec3 d, double s) {
    return abut_mesh_collide(a, b, moved(pose, d, s), NULL).outcome == ABUT_SEPARATED;
}

typedef struct Pair {
    AbutMesh a, b;
    AbutMeshTree *ta, *tb;
} Pair;

static Pair pair_of(int i) {
    static const char *const names[] = {"torus", "fish", "knot", "cup", "cross", "finger"};
    Pair p;
    AbutError error;
    good(abut_mesh_make(names[i % 6], 150, NULL, &p.a, &error), &error);
    good(abut_mesh_make(names[(i / 6 + i + 1) % 6], 150, NULL, &p.b, &error), &error);
    p.ta = tree_of(&p.a), p.tb = tree_of(&p.b);
    return p;
}

static void free_pair(Pair *p) {
    abut_mesh_tree_free(p->ta);
    abut_mesh_tree_free(p->tb);
    abut_mesh_free(&p->a);
    abut_mesh_free(&p->b);
}

static void sweeps_are_those_of_all_pairs(void **state) {
    (void)state;
    AbutRng rng = abut_rng(91, 1);
    for (int i = 0; i < check_cases(24); ++i) {
        Pair p = pair_of(i);
        double size = p.ta->radius + p.tb->radius, last, first;
        AbutPose pose = random_pose(&rng, 0.3 * size);
        AbutVec3 d = abut_random_direction(&rng);
        AbutMeshSweep s;
        assert_true(abut_sweep_open(&s, p.ta, p.tb, pose, 0));
        double exit = abut_sweep_exit(&s, d, 0.0, INFINITY);
        s.outward = 1;
        assert_true(abut_sweep_exit(&s, d, 0.0, INFINITY) == exit);
        exit /= s.pair.scale;
        brute(&p.a, &p.b, pose, d, 0.0, &last, &first);
        if (last > 0.0) {
            CHECK_NEAR(exit, last, 1e-9 * size);
            assert_true(free_at(p.ta, p.tb, pose, d, exit + 1e-6 * size));
            assert_int_equal(
                abut_mesh_collide(p.ta, p.tb, moved(pose, d, exit - 1e-6 * size), NULL).outcome == ABUT_PENETRATING,
                exit > 1e-5 * size);
            AbutPose far = moved(pose, d, exit + 0.5 * size);
            AbutMeshCast back = abut_mesh_cast(p.ta, p.tb, far, abut_scale(d, -2.0), size);
            brute(&p.a, &p.b, far, abut_neg(d), 0.0, &last, &first);
            CHECK_NEAR(2.0 * back.t, first, 1e-9 * size);
            CHECK_NEAR(2.0 * back.t, 0.5 * size, 1e-9 * size);
            assert_true(abut_dot(back.normal, d) >= 0.0);
        }
        free_pair(&p);
    }
}

static void first_free_places_are_first(void **state) {
    (void)state;
    AbutRng rng = abut_rng(92, 1);
    for (int i = 0; i < check_cases(60); ++i) {
        Pair p = pair_of(i);
        double size = p.ta->radius + p.tb->radius;
        AbutPose pose = random_pose(&rng, 0.3 * size);
        AbutVec3 d = abut_random_direction(&rng);
        AbutGap x = abut_mesh_depth_along(p.ta, p.tb, pose, abut_scale(d, 3.0), NULL);
        int meets = !free_at(p.ta, p.tb, pose, d, 0.0);
        assert_int_equal(-x.distance > 0.0, meets);
        assert_true(x.verified && free_at(p.ta, p.tb, pose, d, -x.distance * (1 + 1e-6)));
        for (int k = 0; k < 40 && meets; ++k)
            assert_true(!free_at(p.ta, p.tb, pose, d, -x.distance * (k + abut_rng_unit(&rng)) / 40.0 * (1 - 1e-9)));
        if (meets) {
            CHECK_VEC_NEAR(x.normal, d, 1e-12);
            CHECK_VEC_NEAR(abut_sub(x.point_a, x.point_b), abut_scale(d, -x.distance), 1e-9 * size);
        }
        free_pair(&p);
    }
}

static void vector_units_agree(void **state) {
    (void)state;
    AbutRng rng = abut_rng(93, 1);
    for (int i = 0; i < check_cases(20); ++i) {
        Pair p = pair_of(i);
        AbutMeshCore ca = abut_mesh_core(p.ta), cb = abut_mesh_core(p.tb);
        AbutWork work_x = {0}, work_y = {0};
        AbutDepthDef def = {.method = i % 2 ? abut_depth_classic : NULL, .core_a = &ca, .core_b = &cb, .work = &work_x};
        AbutPose pose = random_pose(&rng, 0.2 * p.ta->radius);
        AbutGap x = abut_mesh_depth(p.ta, p.tb, pose, &def, NULL);
        abut_mesh_walk_force(&abut_mesh_walk_plain);
        def.work = &work_y;
        AbutGap y = abut_mesh_depth(p.ta, p.tb, pose, &def, NULL);
        abut_mesh_walk_force(NULL);
        assert_true(-x.distance == -y.distance && abut_point_distance(x.normal, y.normal) == 0.0);
        assert_true(x.part_a.index[0] == y.part_a.index[0] && x.part_b.index[0] == y.part_b.index[0] &&
                    work_x.sweeps == work_y.sweeps);
        free_pair(&p);
    }
}

static void casts_have_answers(void **state) {
    (void)state;
    AbutMesh box = box_mesh(abut_zero(), abut_vec3(0.5, 0.5, 0.5), 0), none = {0};
    AbutMeshTree *t = tree_of(&box), *empty = tree_of(&none);
    AbutPose away = abut_pose(abut_vec3(4, 0.25, 0.125), abut_quat_identity());
    AbutMeshCast x = abut_mesh_cast(t, t, away, abut_vec3(-1, 0, 0), 10);
    CHECK_NEAR(x.t, 3.0, 1e-14);
    CHECK_VEC_NEAR(x.normal, abut_axis(0), 1e-14);
    CHECK_NEAR(x.point.x, 0.5, 1e-14);
    assert_true(abut_mesh_cast(t, t, away, abut_vec3(-1, 0, 0), 2.9).t == INFINITY);
    assert_true(abut_mesh_cast(t, t, away, abut_vec3(1, 0, 0), 1e9).t == INFINITY);
    assert_true(abut_mesh_cast(t, t, abut_pose_identity(), abut_vec3(1, 0, 0), 1).t == 0.0);
    x = abut_mesh_cast(t, t, away, abut_zero(), 1);
    assert_true(x.outcome == ABUT_INVALID && isnan(x.t) && isnan(x.point.x));
    assert_int_equal(abut_mesh_cast(t, t, away, abut_vec3(NAN, 0, 0), 1).outcome, ABUT_INVALID);
    assert_int_equal(abut_mesh_cast(t, t, away, abut_axis(0), NAN).outcome, ABUT_INVALID);
    assert_int_equal(abut_mesh_cast(empty, t, away, abut_axis(0), 1).outcome, ABUT_EMPTY);
    abut_mesh_tree_free(t);
    abut_mesh_tree_free(empty);
    abut_mesh_free(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_are_those_of_all_pairs),
        cmocka_unit_test(first_free_places_are_first),
        cmocka_unit_test(vector_units_agree),
        cmocka_unit_test(casts_have_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
