/* SPDX-License-Identifier: Apache-2.0 */
/* Distance of meshes against all pairs in long double; triangle kernels; warm start, vector units, options, convex
 * bodies, points, batches, bad input. */
#include "mesh/kernels.h"
#include "oracle/convex_oracle.h"
#include "oracle/triangle_oracle.h"
#include "mesh/mesh_pair.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random_bodies.h"

#include <string.h>

static AbutMesh mesh_of_kind(AbutRng *rng, int kind) {
    static const char *const names[] = {"torus", "fish", "knot", "cup", "cross", "finger"};
    AbutMesh mesh;
    AbutError error;
    if (kind < 6) return random_soup(rng, 1 + (int)abut_rng_below(rng, 40), kind);
    if (kind == 6) return wavy_torus(12, 8, 3, 2);
    good(abut_mesh_make(names[kind % 6], 150, NULL, &mesh, &error), &error);
    return mesh;
}

static long double brute(const AbutMesh *a, const AbutMesh *b, AbutPose pose) {
    long double best = INFINITY;
    AbutMat3 r = abut_quat_to_mat3(pose.q);
    for (int i = 0; i < a->triangle_count; ++i)
        for (int j = 0; j < b->triangle_count; ++j) {
            AbutVec3 p[3], q[3];
            corners_of(a, i, p);
            corners_of(b, j, q);
            for (int k = 0; k < 3; ++k) q[k] = abut_add(abut_mat3_apply(r, q[k]), pose.p);
            best = fminl(best, oracle_triangles(p, q));
        }
    return best;
}

static int same_answer(const AbutGap *x, const AbutGap *y) {
    return x->outcome == y->outcome && x->surface == y->surface && x->part_a.index[0] == y->part_a.index[0] &&
           x->part_b.index[0] == y->part_b.index[0] && memcmp(&x->point_a, &y->point_a, sizeof x->point_a) == 0 &&
           memcmp(&x->normal, &y->normal, sizeof x->normal) == 0;
}

/* Cold, warm, other vector unit: all the same; against brute force within rounding. */
static void check_pair(const AbutMesh *a, const AbutMesh *b, AbutPose pose, AbutRng *rng) {
    AbutMeshTree *ta = tree_of(a), *tb = tree_of(b);
    AbutWork work = {0}, work_plain = {0};
    AbutGapDef counted = {.work = &work}, counted_plain = {.work = &work_plain};
    AbutGap d = abut_mesh_distance(ta, tb, pose, &counted, NULL);
    double size = ta->radius + tb->radius + abut_length(ta->center) + abut_length(tb->center) + abut_length(pose.p);
    double want = (double)brute(a, b, pose);
    CHECK_NEAR(d.surface, want, 1e-12 * want + 4e-15 * size);
    CHECK_NEAR(abut_point_distance(d.point_a, d.point_b), d.surface, 2e-15 * size);
    CHECK_VEC_NEAR(abut_sub(d.point_b, d.point_a), abut_scale(d.normal, d.surface), 2e-15 * size);
    abut_mesh_walk_force(&abut_mesh_walk_plain);
    AbutGap plain = abut_mesh_distance(ta, tb, pose, &counted_plain, NULL);
    abut_mesh_walk_force(NULL);
    assert_true(same_answer(&d, &plain) && work.node_pairs == work_plain.node_pairs);
    AbutPair cache = {1 + (int)abut_rng_below(rng, (uint32_t)a->triangle_count),
        1 + (int)abut_rng_below(rng, (uint32_t)b->triangle_count)};
    AbutGap warm = abut_mesh_distance(ta, tb, pose, NULL, &cache);
    assert_true(d.surface == 0 ? warm.surface == 0 : same_answer(&d, &warm));
    AbutGap again = abut_mesh_distance(ta, tb, pose, NULL, &cache);
    assert_true(d.surface == 0 ? again.surface == 0 : same_answer(&d, &again));
    abut_mesh_tree_free(ta);
    abut_mesh_tree_free(tb);
}

static void all_pairs_agree(void **state) {
    (void)state;
    AbutRng rng = abut_rng(71, 1);
    for (int i = 0; i < check_cases(300); ++i) {
        int kind = i % 13, other = (i / 13) % 13;
        AbutMesh a = mesh_of_kind(&rng, kind), b = mesh_of_kind(&rng, other);
        double scale = kind == 4 || other == 4 ? 1e-7 : (kind == 5 || other == 5 ? 1e7 : 1);
        AbutVec3 offset = kind == 3 || other == 3 ? abut_vec3(0.1, 0.2, 0.3) : abut_zero();
        AbutVec3 p = abut_add(abut_scale(abut_random_direction(&rng), scale * abut_rng_between(&rng, 0, 3)), offset);
        check_pair(&a, &b, abut_pose(p, i % 3 ? abut_random_quat(&rng) : abut_quat_identity()), &rng);
        abut_mesh_free(&a);
        abut_mesh_free(&b);
    }
}

/* A tiny mesh far from a large one: in the floats of the bounds its triangles have next to no normals, which may part
 * nothing. */
static void tiny_beside_large(void **state) {
    (void)state;
    AbutRng rng = abut_rng(72, 1);
    for (int i = 0; i < check_cases(400); ++i) {
        AbutMesh a = random_soup(&rng, 12, i % 2), b = random_soup(&rng, 30, 0);
        double large = pow(10, abut_rng_between(&rng, 0, 4)), tiny = large * pow(10, abut_rng_between(&rng, -12, -6));
        for (int k = 0; k < a.vertex_count; ++k) a.vertices[k] = abut_scale(a.vertices[k], i % 4 ? 1 : large);
        for (int k = 0; k < b.vertex_count; ++k) b.vertices[k] = abut_scale(b.vertices[k], tiny);
        AbutVec3 p = abut_scale(i % 3 ? abut_random_direction(&rng) : abut_axis(i % 2), large);
        AbutPose pose = abut_pose(p, i % 3 ? abut_random_quat(&rng) : abut_quat_identity());
        for (int k = 0; k < 5; ++k) check_pair(&a, &b, pose, &rng);
        abut_mesh_free(&a);
        abut_mesh_free(&b);
    }
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

static AbutVec3 normal3(AbutRng *rng) {
    return abut_vec3(abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng));
}

/* The families of pairs on which distances go wrong: general, sliver, lattice, near touch, needle, tiny. */
static void hard_pair(AbutRng *rng, int kind, AbutVec3 a[3], AbutVec3 b[3]) {
    for (int k = 0; k < 3; ++k) a[k] = abut_scale(normal3(rng), 0.1), b[k] = abut_scale(normal3(rng), 0.1);
    if (kind == 1) {
        a[2] = abut_lerp(a[0], a[1], abut_rng_unit(rng));
        a[2].x += 1e-9 * abut_rng_normal(rng);
    }
    for (int k = 0; k < 3 && kind == 2; ++k) {
        a[k] = abut_vec3(round(20 * a[k].x) / 64, round(20 * a[k].y) / 64, round(4 * a[k].z) / 64);
        b[k] = abut_vec3(round(20 * b[k].x) / 64, round(20 * b[k].y) / 64, round(4 * b[k].z) / 64);
    }
    if (kind == 3) {
        AbutTriangleGap gap = abut_triangle_gap(a, b);
        for (int k = 0; k < 3; ++k) a[k] = abut_add_scaled(a[k], gap.d, 1 - 1e-6 * abut_rng_unit(rng));
    }
    for (int k = 0; k < 3 && kind == 4; ++k) a[k].y *= 1e-9, a[k].z *= 1e-9;
    for (int k = 0; k < 3 && kind == 5; ++k) {
        a[k] = abut_add(abut_vec3(0.5, 0.5, 0.5), abut_scale(a[k], 1e-6));
        b[k] = abut_add(abut_vec3(0.5, 0.5, 0.5), abut_scale(b[k], 1e-6));
    }
}

static void triangle_gap_is_right(void **state) {
    (void)state;
    for (int kind = 0; kind < 6; ++kind) {
        AbutRng rng = abut_rng(72, (uint64_t)kind);
        for (int i = 0; i < check_cases(4000); ++i) {
            AbutVec3 a[3], b[3];
            hard_pair(&rng, kind, a, b);
            AbutTriangleGap gap = abut_triangle_gap(a, b);
            double d = sqrt(gap.square), want = (double)oracle_triangles(a, b), size = 1;
            CHECK_NEAR(d, want, 3e-15 * size);
            CHECK_NEAR(abut_length(gap.d), d, 1e-15);
            CHECK_VEC_NEAR(abut_sub(gap.b, gap.a), gap.d, 1e-15);
            if (want > 1e-12 || kind == 0) assert_int_equal(d == 0, want == 0);
        }
    }
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static void options_keep_their_word(void **state) {
    (void)state;
    AbutMesh ma = wavy_torus(30, 20, 7, 5), mb = wavy_torus(25, 24, 5, 7);
    AbutMeshTree *a = tree_of(&ma), *b = tree_of(&mb);
    AbutRng rng = abut_rng(73, 1);
    for (int i = 0; i < check_cases(200); ++i) {
        AbutPose pose =
            abut_pose(abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 1, 4)), abut_random_quat(&rng));
        AbutWork all = {0}, some = {0};
        AbutGapDef def = {.work = &all};
        AbutGap d = abut_mesh_distance(a, b, pose, &def, NULL);
        def.work = NULL;
        def.within = 0.5;
        AbutGap near = abut_mesh_distance(a, b, pose, &def, NULL);
        assert_int_equal(near.outcome, d.surface > 0.5 && d.outcome == ABUT_SEPARATED ? ABUT_FARTHER : d.outcome);
        if (near.part_a.index[0] >= 0 && d.surface > 0) assert_true(same_answer(&near, &d));
        def.within = 0, def.enough = 0.3;
        near = abut_mesh_distance(a, b, pose, &def, NULL);
        assert_true(near.surface >= d.surface);
        assert_true(near.surface <= fmax(0.3, d.surface));
        assert_true(near.surface - near.error <= d.surface);
        def.enough = 0, def.absolute_error = 0.05, def.relative_error = 0.1, def.work = &some;
        near = abut_mesh_distance(a, b, pose, &def, NULL);
        assert_true(near.surface >= d.surface);
        assert_true(near.surface <= 1.1 * d.surface + 0.05 + 1e-12);
        assert_true(near.surface - near.error <= d.surface + 1e-12);
        assert_true(some.node_pairs <= all.node_pairs || d.surface == 0);
    }
    abut_mesh_tree_free(a);
    abut_mesh_tree_free(b);
    abut_mesh_free(&ma);
    abut_mesh_free(&mb);
}

/* ---- convex bodies ----------------------------------------------------------------------------------------------- */

static AbutVec3 ball(AbutVec3 d, const void *user) { return abut_scale(d, *(const double *)user / abut_length(d)); }

static AbutConvex body_of_kind(AbutRng *rng, int kind, const AbutPolyhedron *hull, const double *radius) {
    AbutVec3 p = abut_random_direction(rng), q = abut_random_direction(rng);
    switch (kind) {
    case 0:
        return abut_convex_point(p, 0.2);
    case 1:
        return abut_convex_segment(p, q, 0.1);
    case 2:
        return abut_convex_triangle(p, q, abut_random_direction(rng), 0);
    case 3:
        return abut_convex_box(abut_vec3(0.2, 0.5, 0.3), 0.05);
    case 4:
        return abut_convex_polyhedron(hull, 0);
    case 5:
        return abut_convex_support(ball, radius, 0);
    default:
        return abut_convex_half_space((AbutPlane){p, -1.0}, 0.1);
    }
}

/* Where the surface meets the body, both points are one, on the triangle that is told and in the body. */
static void check_common_point(const AbutMesh *mesh, const AbutConvex *body, AbutPose pose, const AbutGap *d) {
    AbutVec3 v[3], at;
    AbutConvex point = abut_convex_point(d->point_a, 0);
    CHECK_VEC_NEAR(d->point_b, d->point_a, 0);
    corners_of(mesh, d->part_a.index[0], v);
    assert_true(abut_triangle_nearest(d->point_a, v, &at) < 1e-24);
    assert_true(abut_convex_distance(&point, body, pose, NULL, NULL).distance < 1e-9);
}

/* A needle of a cone pokes through a face, its axis far from the normal: the way out is along the normal, and leads
 * from the tip to a point beside the cone. */
static void slanted_bodies_share_a_point(void **state) {
    (void)state;
    AbutMesh mesh = box_mesh(abut_zero(), abut_vec3(4, 4, 4), 0);
    AbutMeshTree *tree = tree_of(&mesh);
    AbutConvex cone = abut_convex_cone(0.05, 1, 0), ground = abut_convex_half_space((AbutPlane){{0, 0, 1}, 0}, 0);
    for (int i = 0; i < 12; ++i) {
        AbutQuat turn = abut_quat_axis_angle(abut_axis(1), 3.1 - 0.12 * i);
        AbutVec3 tip = abut_quat_rotate(turn, abut_vec3(0, 0, 1));
        AbutPose pose = abut_pose(abut_sub(abut_vec3(0.3, 0.2, 3.9), tip), turn);
        AbutGap d = abut_mesh_convex_distance(tree, &cone, pose, NULL, NULL);
        assert_int_equal(d.outcome, ABUT_PENETRATING);
        check_common_point(&mesh, &cone, pose, &d);
        pose.p = abut_vec3(0, 0, i - 5);
        d = abut_mesh_convex_distance(tree, &ground, pose, NULL, NULL);
        if (d.outcome == ABUT_PENETRATING) check_common_point(&mesh, &ground, pose, &d);
    }
    abut_mesh_tree_free(tree);
    abut_mesh_free(&mesh);
}

static void convex_bodies_agree(void **state) {
    (void)state;
    AbutRng rng = abut_rng(74, 1);
    AbutPolyhedron *hull = random_hull(&rng, 30, abut_vec3(0.3, 0.4, 0.5));
    const double radius = 0.35;
    AbutMesh mesh = wavy_torus(14, 10, 3, 2);
    AbutMeshTree *tree = tree_of(&mesh);
    int met = 0, inside = 0;
    for (int i = 0; i < check_cases(280); ++i) {
        AbutConvex body = body_of_kind(&rng, i % 7, hull, &radius);
        AbutPose pose =
            abut_pose(abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0, 3)), abut_random_quat(&rng));
        double want = INFINITY;
        AbutPair hit[280], found[280];
        int32_t hits = 0;
        for (int t = 0; t < mesh.triangle_count; ++t) {
            AbutVec3 v[3];
            corners_of(&mesh, t, v);
            AbutConvex triangle = abut_convex_triangle(v[0], v[1], v[2], 0);
            AbutGap d = abut_convex_distance(&triangle, &body, pose, NULL, NULL);
            double apart = d.outcome == ABUT_TOUCHING ? 0 : fmax(d.distance, 0);
            want = fmin(want, apart);
            if (apart == 0) hit[hits++] = (AbutPair){t, -1};
        }
        AbutCollision all = abut_mesh_convex_collide_all(tree, &body, pose, 280, found);
        AbutCollision some = abut_mesh_convex_collide_all(tree, &body, pose, hits / 2, found + 140);
        AbutCollision one = abut_mesh_convex_collide(tree, &body, pose, NULL);
        assert_true(all.count == hits && !all.more && one.outcome == all.outcome && one.first.b == -1);
        assert_true((one.outcome == ABUT_PENETRATING) == (hits > 0) && (one.first.a >= 0) == (hits > 0));
        assert_true(some.count == hits / 2 && some.more == (hits > hits / 2));
        if (hits > 0 && hits <= 140) assert_memory_equal(found, hit, (size_t)hits * sizeof *hit);
        AbutPair cache = {0, 0};
        AbutGap d = abut_mesh_convex_distance(tree, &body, pose, NULL, &cache);
        AbutGap warm = abut_mesh_convex_distance(tree, &body, pose, NULL, &cache);
        CHECK_NEAR(d.surface, want, 1e-12);
        CHECK_NEAR(warm.surface, want, 1e-12);
        met += d.outcome == ABUT_PENETRATING, inside += d.outcome == ABUT_B_IN_A;
        assert_int_equal(d.outcome == ABUT_PENETRATING, want == 0);
        assert_true(d.outcome == one.outcome);
        if (want > 0)
            CHECK_VEC_NEAR(abut_sub(d.point_b, d.point_a), abut_scale(d.normal, d.surface), 1e-9);
        else
            check_common_point(&mesh, &body, pose, &d);
        AbutGapDef within = {.within = 0.4};
        AbutGap near = abut_mesh_convex_distance(tree, &body, pose, &within, NULL);
        assert_int_equal(near.outcome == ABUT_FARTHER, want > 0.4 && d.outcome == ABUT_SEPARATED);
    }
    assert_true(met > 0);
    AbutConvex small = abut_convex_point(abut_vec3(1, 0, 0), 0.01), bad = abut_convex_point(abut_vec3(NAN, 0, 0), 0);
    assert_int_equal(abut_mesh_convex_distance(tree, &small, abut_pose_identity(), NULL, NULL).outcome, ABUT_B_IN_A);
    AbutGap unknown = abut_mesh_convex_distance(tree, &bad, abut_pose_identity(), NULL, NULL);
    assert_true(unknown.outcome == ABUT_INVALID && isnan(unknown.distance) && isnan(unknown.point_a.x));
    assert_int_equal(abut_mesh_convex_collide(tree, &small, abut_pose_identity(), NULL).outcome, ABUT_B_IN_A);
    assert_int_equal(abut_mesh_convex_collide(tree, &bad, abut_pose_identity(), NULL).outcome, ABUT_INVALID);
    abut_mesh_tree_free(tree);
    abut_mesh_free(&mesh);
    abut_polyhedron_free(hull);
}

static void nearest_points_agree(void **state) {
    (void)state;
    AbutRng rng = abut_rng(75, 1);
    AbutMesh mesh = wavy_torus(20, 12, 3, 2);
    AbutMeshTree *tree = tree_of(&mesh);
    for (int i = 0; i < check_cases(500); ++i) {
        AbutVec3 p = abut_scale(abut_random_direction(&rng), abut_rng_between(&rng, 0, 3));
        const AbutVec3 point[3] = {p, p, p};
        long double want = INFINITY;
        for (int t = 0; t < mesh.triangle_count; ++t) {
            AbutVec3 v[3];
            corners_of(&mesh, t, v);
            want = fminl(want, oracle_triangles(v, point));
        }
        AbutMeshNearest near = abut_mesh_nearest(tree, p, 0);
        CHECK_NEAR(near.distance, (double)want, 4e-15);
        CHECK_NEAR(abut_point_distance(p, near.point), near.distance, 1e-15);
        assert_int_equal(near.inside, oracle_winding(&mesh, p) > 0.5L);
        near = abut_mesh_nearest(tree, p, 0.5);
        assert_int_equal(near.triangle >= 0, want <= 0.5L);
    }
    abut_mesh_tree_free(tree);
    abut_mesh_free(&mesh);
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static void odd_input_has_an_outcome(void **state) {
    (void)state;
    AbutMesh none = {0}, mesh = wavy_torus(8, 6, 2, 2);
    AbutMeshTree *empty = tree_of(&none), *tree = tree_of(&mesh);
    AbutPose nan = abut_pose(abut_vec3(NAN, 0, 0), abut_quat_identity()), far = nan;
    far.p.x = 1e70;
    AbutGap d = abut_mesh_distance(empty, tree, abut_pose_identity(), NULL, NULL);
    assert_int_equal(d.outcome, ABUT_EMPTY);
    assert_true(isinf(d.distance) && d.part_a.index[0] == -1);
    d = abut_mesh_distance(tree, tree, nan, NULL, NULL);
    assert_int_equal(d.outcome, ABUT_INVALID);
    assert_true(isnan(d.distance) && isnan(d.surface) && isnan(d.error) && isnan(d.normal.y));
    assert_true(isnan(d.point_a.x) && isnan(d.point_b.z) && d.part_a.index[0] == -1);
    AbutConvex ball = abut_convex_point(abut_zero(), 1.0);
    d = abut_mesh_convex_distance(empty, &ball, nan, NULL, NULL);
    assert_true(d.outcome == ABUT_INVALID && isnan(d.distance));
    assert_int_equal(abut_mesh_distance(tree, tree, far, NULL, NULL).outcome, ABUT_INVALID);
    AbutGapDef bad = {.within = -1};
    assert_int_equal(abut_mesh_distance(tree, tree, abut_pose_identity(), &bad, NULL).outcome, ABUT_INVALID);
    d = abut_mesh_distance(tree, tree, abut_pose_identity(), NULL, NULL);
    assert_true(d.outcome == ABUT_PENETRATING && d.distance == 0);
    assert_int_equal(abut_mesh_nearest(empty, abut_zero(), 0).triangle, -1);
    AbutVec3 odd[3] = {nan.p, far.p, abut_vec3(0, 0, -INFINITY)};
    for (int i = 0; i < 3; ++i) {
        AbutMeshNearest near = abut_mesh_nearest(tree, odd[i], 0);
        assert_true(near.triangle == -1 && near.inside == -1 && near.distance == INFINITY);
    }
    AbutPair wild = {1 << 30, -5};
    assert_int_equal(abut_mesh_distance(tree, tree, abut_pose_identity(), NULL, &wild).outcome, ABUT_PENETRATING);
    abut_mesh_tree_free(empty);
    abut_mesh_tree_free(tree);
    abut_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_agree),
        cmocka_unit_test(tiny_beside_large),
        cmocka_unit_test(triangle_gap_is_right),
        cmocka_unit_test(options_keep_their_word),
        cmocka_unit_test(convex_bodies_agree),
        cmocka_unit_test(slanted_bodies_share_a_point),
        cmocka_unit_test(nearest_points_agree),
        cmocka_unit_test(odd_input_has_an_outcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
