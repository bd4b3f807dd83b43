/* SPDX-License-Identifier: Apache-2.0 */
/* Collision of meshes against exact integers and all pairs; containment with components and cavities; rays aimed at
 * vertices and edges; winding numbers against solid angles. */
#include "mesh/kernels.h"
#include "oracle/triangle_oracle.h"
#include "mesh/mesh_pair.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random_bodies.h"

#include <string.h>

static int64_t integer(AbutRng *rng, int64_t most) {
    return (int64_t)(abut_rng_u64(rng) % (uint64_t)(2 * most + 1)) - most;
}

/* The families on which signs go wrong: random, nearly coplanar, coplanar, common vertex, common side, vertex on face.
 */
static void hard_integers(AbutRng *rng, int kind, int64_t a[3][3], int64_t b[3][3]) {
    int64_t u = integer(rng, 1000), v = integer(rng, 1000), p = integer(rng, 3), q = integer(rng, 3);
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c) a[k][c] = integer(rng, 1 << 20), b[k][c] = integer(rng, 1 << 20);
    for (int k = 0; k < 3 && kind == 1; ++k) {
        a[k][2] = (a[k][0] * u + a[k][1] * v) / 2048 + integer(rng, 1);
        b[k][2] = (b[k][0] * u + b[k][1] * v) / 2048 + integer(rng, 1);
    }
    for (int k = 0; k < 3 && kind == 2; ++k) {
        a[k][0] /= 4, a[k][1] /= 4, b[k][0] /= 4, b[k][1] /= 4;
        a[k][2] = p * a[k][0] + q * a[k][1], b[k][2] = p * b[k][0] + q * b[k][1];
    }
    if (kind == 3 || kind == 4) memcpy(b[0], a[1], sizeof b[0]);
    if (kind == 4) memcpy(b[1], a[2], sizeof b[1]);
    if (kind == 5) {
        int64_t w0 = 1 + (int64_t)abut_rng_below(rng, 6), w1 = 1 + (int64_t)abut_rng_below(rng, 6);
        for (int c = 0; c < 3; ++c) {
            for (int k = 0; k < 3; ++k) a[k][c] = a[k][c] / 16 * 16;
            b[0][c] = (a[0][c] * w0 + a[1][c] * w1 + a[2][c] * (16 - w0 - w1)) / 16;
        }
    }
}

static AbutMesh one_triangle(int64_t t[3][3]) {
    AbutMesh mesh;
    AbutError error;
    good(abut_mesh_create(3, 1, &mesh, &error), &error);
    for (int k = 0; k < 3; ++k) {
        mesh.vertices[k] = abut_vec3((double)t[k][0], (double)t[k][1], (double)t[k][2]);
        mesh.triangles[0].v[k] = k;
    }
    return mesh;
}

static void signs_are_those_of_integers(void **state) {
    (void)state;
    for (int kind = 0; kind < 6; ++kind) {
        AbutRng rng = abut_rng(81, (uint64_t)kind);
        int met = 0, cases = check_cases(3000);
        for (int i = 0; i < cases; ++i) {
            int64_t a[3][3], b[3][3];
            hard_integers(&rng, kind, a, b);
            int want = oracle_triangles_meet(a, b);
            AbutMesh ma = one_triangle(a), mb = one_triangle(b);
            AbutMeshTree *ta = tree_of(&ma), *tb = tree_of(&mb);
            AbutCollision c = abut_mesh_collide(ta, tb, abut_pose_identity(), NULL);
            AbutGap d = abut_mesh_distance(ta, tb, abut_pose_identity(), NULL, NULL);
            assert_int_equal(c.outcome == ABUT_PENETRATING, want);
            assert_int_equal(d.surface == 0, want);
            met += want;
            abut_mesh_tree_free(ta);
            abut_mesh_tree_free(tb);
            abut_mesh_free(&ma);
            abut_mesh_free(&mb);
        }
        assert_true(kind == 1 || met > 0);
    }
}

/* Points and segments as triangles: known answers. */
static void thin_triangles_have_answers(void **state) {
    (void)state;
    static const struct {
        double a[9], b[9];
        int meet;
    } cases[] = {
        {{0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0}, 1},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 1, 0, 0, 1, 0, 0}, 0},
        {{0, 0, 0, 1, 0, 0, 0.5, 0, 0}, {0.5, -1, 0, 0.5, 1, 0, 0.5, 0, 0}, 1},
        {{0, 0, 0, 1, 0, 0, 0.5, 0, 0}, {0.5, -1, 1e-30, 0.5, 1, 1e-30, 0.5, 0, 1e-30}, 0},
        {{0, 0, 0, 1, 1, 1, 2, 2, 2}, {2, 2, 2, 3, 3, 3, 4, 4, 4}, 1},
        {{0, 0, 0, 1, 1, 1, 2, 2, 2}, {2.5, 2.5, 2.5, 3, 3, 3, 4, 4, 4}, 0},
        {{0, 0, -1, 0, 0, 1, 0, 0, 0}, {-1, -1, 0, 1, -1, 0, 0, 1, 0}, 1},
        {{0, 3, -1, 0, 3, 1, 0, 3, 0}, {-1, -1, 0, 1, -1, 0, 0, 1, 0}, 0},
        {{0, 0, 0, 0, 0, 0, 0, 0, 0}, {-1, -1, 0, 1, -1, 0, 0, 1, 0}, 1},
        {{0, 0, 1e-200, 0, 0, 1e-200, 0, 0, 1e-200}, {-1, -1, 0, 1, -1, 0, 0, 1, 0}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        AbutVec3 a[3], b[3];
        for (int k = 0; k < 3; ++k) {
            a[k] = abut_scale(abut_vec3(cases[i].a[3 * k], cases[i].a[3 * k + 1], cases[i].a[3 * k + 2]), 0.125);
            b[k] = abut_scale(abut_vec3(cases[i].b[3 * k], cases[i].b[3 * k + 1], cases[i].b[3 * k + 2]), 0.125);
        }
        assert_int_equal(abut_triangles_meet(a, b), cases[i].meet);
        assert_int_equal(abut_triangles_meet(b, a), cases[i].meet);
        assert_int_equal(abut_triangle_gap(a, b).square == 0, cases[i].meet);
    }
}

/* ---- all pairs --------------------------------------------------------------------------------------------------- */

static int pair_meets(const AbutMesh *a, int i, const AbutMesh *b, int j, AbutPose pose, double scale) {
    AbutVec3 p[3], q[3];
    AbutMat3 r = abut_quat_to_mat3(pose.q);
    corners_of(a, i, p);
    corners_of(b, j, q);
    for (int k = 0; k < 3; ++k) {
        q[k] = abut_scale(abut_add(abut_mat3_apply(r, q[k]), pose.p), scale);
        p[k] = abut_scale(p[k], scale);
    }
    return abut_triangles_meet(p, q);
}

static void all_pairs_are_found(void **state) {
    (void)state;
    enum { ROOM = 4000 };
    static AbutPair pairs[ROOM], plain[ROOM];
    AbutRng rng = abut_rng(82, 1);
    for (int i = 0; i < check_cases(120); ++i) {
        AbutMesh a = i % 2 ? wavy_torus(12, 8, 3, 2) : random_soup(&rng, 60, i / 2 % 3), b = wavy_torus(9, 10, 2, 3);
        AbutMeshTree *ta = tree_of(&a), *tb = tree_of(&b);
        AbutPose pose = random_pose(&rng, i % 4 ? 1.5 : 0.0);
        AbutCollision c = abut_mesh_collide_all(ta, tb, pose, ROOM, pairs);
        AbutCollision first = abut_mesh_collide(ta, tb, pose, NULL);
        int count = 0;
        for (int s = 0; s < a.triangle_count; ++s)
            for (int t = 0; t < b.triangle_count; ++t)
                if (pair_meets(&a, s, &b, t, pose, 0.125)) {
                    assert_true(count < c.count && pairs[count].a == s && pairs[count].b == t);
                    ++count;
                }
        assert_int_equal(c.count, count);
        assert_int_equal(c.outcome, first.outcome);
        assert_int_equal(c.outcome == ABUT_PENETRATING, count > 0);
        if (count > 0) assert_true(pair_meets(&a, first.first.a, &b, first.first.b, pose, 0.125));
        abut_mesh_walk_force(&abut_mesh_walk_plain);
        AbutCollision other = abut_mesh_collide_all(ta, tb, pose, count / 2, plain);
        abut_mesh_walk_force(NULL);
        assert_true(other.more == (count > 0) && other.count == count / 2);
        abut_mesh_tree_free(ta);
        abut_mesh_tree_free(tb);
        abut_mesh_free(&a);
        abut_mesh_free(&b);
    }
}

/* ---- containment ------------------------------------------------------------------------------------------------- */

static AbutGapOutcome meeting_of(const AbutMesh *a, const AbutMesh *b, AbutPose pose) {
    AbutMeshTree *ta = tree_of(a), *tb = tree_of(b);
    AbutCollision c = abut_mesh_collide(ta, tb, pose, NULL);
    AbutGap d = abut_mesh_distance(ta, tb, pose, NULL, NULL);
    assert_int_equal(c.outcome, d.outcome);
    assert_true(d.outcome == ABUT_SEPARATED ? d.distance == d.surface : d.distance == 0);
    assert_int_equal(c.containment_known, d.containment_known);
    abut_mesh_tree_free(ta);
    abut_mesh_tree_free(tb);
    return c.outcome;
}

static AbutPose at(double x, double y, double z) { return abut_pose(abut_vec3(x, y, z), abut_quat_identity()); }

static void nests_are_found(void **state) {
    (void)state;
    AbutVec3 one = abut_vec3(1, 1, 1);
    AbutMesh big = box_mesh(abut_zero(), abut_scale(one, 3), 0), small = box_mesh(abut_zero(), abut_scale(one, 0.5), 0);
    AbutMesh hole = box_mesh(abut_zero(), one, 1), aside = box_mesh(abut_vec3(10, 0, 0), abut_scale(one, 0.5), 0);
    AbutMesh hollow = both_meshes(&big, &hole), two = both_meshes(&small, &aside), torus = wavy_torus(24, 16, 3, 2);
    assert_int_equal(meeting_of(&small, &big, at(0, 0, 0)), ABUT_A_IN_B);
    assert_int_equal(meeting_of(&big, &small, at(1, 1, 1)), ABUT_B_IN_A);
    assert_int_equal(meeting_of(&big, &small, at(9, 0, 0)), ABUT_SEPARATED);
    assert_int_equal(meeting_of(&hollow, &small, at(0, 0, 0)), ABUT_SEPARATED); /* in the cavity */
    assert_int_equal(meeting_of(&hollow, &small, at(2, 0, 0)), ABUT_B_IN_A);
    assert_int_equal(meeting_of(&big, &two, at(0, 0, 0)), ABUT_B_IN_A); /* one component of two */
    assert_int_equal(meeting_of(&big, &two, at(-10, 0, 0)), ABUT_B_IN_A);
    assert_int_equal(meeting_of(&big, &two, at(20, 0, 0)), ABUT_SEPARATED);
    assert_int_equal(meeting_of(&big, &small, at(2.5, 0, 0)), ABUT_PENETRATING); /* faces in one plane */
    assert_int_equal(meeting_of(&big, &small, at(3.5, 0, 0)), ABUT_PENETRATING); /* touching faces */
    assert_int_equal(meeting_of(&big, &big, at(0, 0, 0)), ABUT_PENETRATING);
    AbutMesh pearl = box_mesh(abut_zero(), abut_scale(one, 0.1), 0);
    assert_int_equal(meeting_of(&torus, &pearl, at(0, 0, 0)), ABUT_SEPARATED); /* in the hole of the ring */
    assert_int_equal(meeting_of(&torus, &pearl, at(1, 0, 0)), ABUT_B_IN_A);
    AbutMesh *all[] = {&big, &small, &hole, &aside, &hollow, &two, &torus, &pearl};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) abut_mesh_free(all[i]);
}

static void open_meshes_have_no_inside(void **state) {
    (void)state;
    AbutMesh big = box_mesh(abut_zero(), abut_vec3(3, 3, 3), 0), small = box_mesh(abut_zero(), abut_vec3(1, 1, 1), 0);
    AbutMesh mixed = box_mesh(abut_zero(), abut_vec3(3, 3, 3), 0);
    big.triangle_count = 11;
    int32_t swap = mixed.triangles[4].v[0];
    mixed.triangles[4].v[0] = mixed.triangles[4].v[1];
    mixed.triangles[4].v[1] = swap;
    AbutMeshTree *open = tree_of(&big), *inner = tree_of(&small), *turned = tree_of(&mixed);
    AbutCollision c = abut_mesh_collide(open, inner, abut_pose_identity(), NULL);
    assert_true(c.outcome == ABUT_SEPARATED && !c.containment_known);
    c = abut_mesh_collide(open, inner, at(50, 0, 0), NULL);
    assert_true(c.outcome == ABUT_SEPARATED && !c.containment_known);
    assert_true(!abut_mesh_distance(open, inner, at(50, 0, 0), NULL, NULL).containment_known);
    assert_int_equal(abut_mesh_inside(open, abut_zero()), -1);
    assert_int_equal(open->inside, ABUT_MESH_OPEN);
    assert_int_equal(turned->inside, ABUT_MESH_PARITY); /* one triangle the wrong way round: crossings are counted */
    assert_int_equal(abut_mesh_inside(turned, abut_vec3(0.3, 0.2, 0.1)), 1);
    c = abut_mesh_collide(turned, inner, abut_pose_identity(), NULL);
    assert_int_equal(c.outcome, ABUT_B_IN_A);
    abut_mesh_tree_free(open);
    abut_mesh_tree_free(inner);
    abut_mesh_tree_free(turned);
    abut_mesh_free(&big);
    abut_mesh_free(&small);
    abut_mesh_free(&mixed);
}

static void winding_is_the_solid_angle(void **state) {
    (void)state;
    AbutRng rng = abut_rng(83, 1);
    AbutMesh a = wavy_torus(14, 10, 3, 2), b = box_mesh(abut_vec3(0.9, 0, 0), abut_vec3(0.5, 0.5, 0.5), 0);
    AbutMesh mesh = both_meshes(&a, &b); /* components that overlap */
    AbutMeshTree *tree = tree_of(&mesh);
    int inside = 0;
    for (int i = 0; i < check_cases(1000); ++i) {
        AbutVec3 p = abut_vec3(
            abut_rng_between(&rng, -1.5, 1.5), abut_rng_between(&rng, -1.5, 1.5), abut_rng_between(&rng, -0.6, 0.6));
        if (i % 3 == 0) /* behind a vertex, along the ray */
            p.y = mesh.vertices[i % mesh.vertex_count].y, p.z = mesh.vertices[i % mesh.vertex_count].z;
        if (i % 3 == 1) /* the ray runs in a face of the box, or along its edge */
            p = abut_vec3(abut_rng_between(&rng, -1.5, 0.39), 0.5, i % 2 ? p.z : -0.5);
        long double want = oracle_winding(&mesh, p);
        if (fabsl(want - roundl(want)) > 1e-6L) continue; /* on the surface */
        assert_int_equal(abut_mesh_inside(tree, p), roundl(want) != 0);
        inside += roundl(want) != 0;
    }
    assert_true(inside > 0);
    abut_mesh_tree_free(tree);
    abut_mesh_free(&mesh);
    abut_mesh_free(&a);
    abut_mesh_free(&b);
}

/* ---- rays -------------------------------------------------------------------------------------------------------- */

/* From outside to a point inside every ray hits, wherever it is aimed; the hit lies on its triangle and is the first.
 */
static void rays_hit(void **state) {
    (void)state;
    AbutRng rng = abut_rng(84, 1);
    AbutMesh mesh = wavy_torus(20, 14, 3, 2);
    AbutMeshTree *tree = tree_of(&mesh);
    for (int i = 0; i < check_cases(2000); ++i) {
        double angle = abut_rng_between(&rng, 0, 6.28);
        AbutVec3 from = abut_add_scaled(abut_vec3(cos(angle), sin(angle), 0), abut_random_direction(&rng), 0.1), v[3];
        int t = (int)abut_rng_below(&rng, (uint32_t)mesh.triangle_count);
        corners_of(&mesh, t, v);
        double s = i % 3 ? abut_rng_unit(&rng) : 0;
        AbutVec3 aim =
            i % 3 == 2 ? abut_scale(abut_add(abut_add(v[0], v[1]), v[2]), 1.0 / 3) : abut_lerp(v[0], v[1], s);
        AbutMeshHit hit = abut_mesh_ray(tree, from, abut_sub(aim, from), 10, 0);
        assert_true(hit.triangle >= 0);
        corners_of(&mesh, hit.triangle, v);
        const AbutVec3 point[3] = {hit.point, hit.point, hit.point};
        CHECK_NEAR((double)oracle_triangles(v, point), 0, 1e-14);
        assert_true(abut_dot(hit.normal, abut_sub(aim, from)) <= 0);
        AbutMeshHit back = abut_mesh_ray(tree, from, abut_sub(aim, from), hit.t * (1 - 1e-9), 0);
        assert_int_equal(back.triangle, -1);
        AbutVec3 away = abut_scale(abut_random_direction(&rng), 4);
        assert_int_equal(abut_mesh_ray(tree, away, away, 10, 0).triangle, -1);
    }
    assert_int_equal(abut_mesh_ray(tree, abut_zero(), abut_zero(), 1, 0).triangle, -1);
    assert_int_equal(abut_mesh_ray(tree, abut_vec3(NAN, 0, 0), abut_axis(0), 1, 0).triangle, -1);
    abut_mesh_tree_free(tree);
    abut_mesh_free(&mesh);
}

/* A point of a face, an edge or a vertex, as rounding leaves it. */
static AbutVec3 point_on(AbutRng *rng, const AbutVec3 v[3], int kind) {
    double s = abut_rng_unit(rng), t = kind == 0 ? abut_rng_unit(rng) * (1 - s) : 0;
    return kind == 2 ? v[0] : abut_add_scaled(abut_add_scaled(v[0], abut_sub(v[1], v[0]), s), abut_sub(v[2], v[0]), t);
}

/* From points of the surface every ray hits at once, whichever way it goes, at any size and far from the origin. */
static void rays_begin_on_surfaces(void **state) {
    (void)state;
    AbutRng rng = abut_rng(85, 1);
    const struct { double size, far; } cases[] = {{1, 0}, {1e-6, 0}, {1e6, 0}, {1, 1e4}, {1e-3, 10}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        AbutMesh mesh = wavy_torus(20, 14, 3, 2);
        AbutVec3 away = abut_scale(abut_random_direction(&rng), cases[k].far);
        for (int32_t i = 0; i < mesh.vertex_count; ++i)
            mesh.vertices[i] = abut_add_scaled(away, mesh.vertices[i], cases[k].size);
        AbutMeshTree *tree = tree_of(&mesh);
        for (int i = 0; i < check_cases(600); ++i) {
            AbutVec3 v[3], u = abut_scale(abut_random_direction(&rng), cases[k].size);
            corners_of(&mesh, (int)abut_rng_below(&rng, (uint32_t)mesh.triangle_count), v);
            AbutVec3 p = point_on(&rng, v, i % 3), along = abut_sub(v[1], v[0]);
            AbutMeshHit hit = abut_mesh_ray(tree, p, i % 5 == 0 ? along : i % 7 == 0 ? abut_zero() : u, 10, 0);
            assert_true(hit.triangle >= 0 && hit.t == 0);
            corners_of(&mesh, hit.triangle, v);
            const AbutVec3 point[3] = {p, p, p};
            CHECK_NEAR((double)oracle_triangles(v, point), 0, 1e-13 * (3 * cases[k].size + cases[k].far));
            /* a hair farther off than the tolerance is not on the surface */
            AbutVec3 n = abut_normalize(abut_cross(abut_sub(v[1], v[0]), abut_sub(v[2], v[0])));
            AbutVec3 off = abut_add_scaled(p, n, 1e-12 * (5 * cases[k].size + cases[k].far));
            hit = abut_mesh_ray(tree, off, n, 10, 0);
            assert_true(i % 3 != 0 || hit.triangle < 0 || hit.t > 0);
        }
        abut_mesh_tree_free(tree);
        abut_mesh_free(&mesh);
    }
}

static void odd_input_has_an_outcome(void **state) {
    (void)state;
    AbutMesh none = {0}, mesh = box_mesh(abut_zero(), abut_vec3(1, 1, 1), 0);
    AbutMeshTree *empty = tree_of(&none), *tree = tree_of(&mesh);
    AbutPose nan = at(NAN, 0, 0);
    assert_int_equal(abut_mesh_collide(empty, tree, at(0, 0, 0), NULL).outcome, ABUT_EMPTY);
    assert_int_equal(abut_mesh_collide(tree, tree, nan, NULL).outcome, ABUT_INVALID);
    assert_int_equal(abut_mesh_ray(empty, abut_zero(), abut_axis(0), 1, 0).triangle, -1);
    assert_int_equal(abut_mesh_inside(empty, abut_zero()), -1);
    AbutPair cache = {0, 0};
    assert_int_equal(abut_mesh_collide(tree, tree, at(1, 0.5, 0.2), &cache).outcome, ABUT_PENETRATING);
    assert_true(cache.a > 0);
    assert_int_equal(abut_mesh_collide(tree, tree, at(1, 0.5, 0.2), &cache).outcome, ABUT_PENETRATING);
    assert_string_equal(abut_word(abut_gap_outcome_names, ABUT_A_IN_B), "a_in_b");
    abut_mesh_tree_free(empty);
    abut_mesh_tree_free(tree);
    abut_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_are_those_of_integers),
        cmocka_unit_test(thin_triangles_have_answers),
        cmocka_unit_test(all_pairs_are_found),
        cmocka_unit_test(nests_are_found),
        cmocka_unit_test(open_meshes_have_no_inside),
        cmocka_unit_test(winding_is_the_solid_angle),
        cmocka_unit_test(rays_hit),
        cmocka_unit_test(rays_begin_on_surfaces),
        cmocka_unit_test(odd_input_has_an_outcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
