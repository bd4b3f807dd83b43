/* SPDX-License-Identifier: Apache-2.0 */
/* Penetration depth of meshes: known answers, a C and an L against their boxes, curved parts and 70,000 triangles
 * against a wider search, freedom of every answer, coherence, open meshes, bad input. */
#include "oracle/box_pieces.h"
#include "support/depth_along.h"
#include "mesh/kernels.h"
#include "abut/literature.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random_bodies.h"

static int is_free(const AbutMeshTree *a, const AbutMeshTree *b, AbutPose pose, const AbutGap *x) {
    pose.p = abut_add_scaled(pose.p, x->normal, -x->distance * (1 + 1e-6));
    return abut_mesh_collide(a, b, pose, NULL).outcome == ABUT_SEPARATED;
}

enum { METHODS = 2 };
static void (*const methods[METHODS])(struct AbutDepthSearch *, AbutVec3) = {NULL, abut_depth_classic};

static void boxes_have_known_depths(void **state) {
    (void)state;
    AbutMesh big = box_mesh(abut_zero(), abut_vec3(1, 2, 3), 0),
             small = box_mesh(abut_zero(), abut_vec3(0.5, 0.5, 0.5), 0);
    AbutMeshTree *a = tree_of(&big), *b = tree_of(&small);
    AbutMeshCore ca = abut_mesh_core(a), cb = abut_mesh_core(b);
    AbutDepthDef def = {.core_a = &ca, .core_b = &cb};
    assert_true(ca.outward && ca.normal_count == 6 && ca.ball_count > 4);
    CHECK_NEAR(ca.ball[0].radius, 1.0, 0.02);
    for (int method = 0; method < METHODS; ++method) {
        def.method = methods[method];
        AbutGap x = abut_mesh_depth(a, b, abut_pose_identity(), &def, NULL); /* inside, at the center */
        assert_int_equal(x.outcome, ABUT_B_IN_A);
        CHECK_NEAR(-x.distance, 1.5, 1e-9);
        CHECK_NEAR(fabs(x.normal.x), 1.0, 1e-9);
        x = abut_mesh_depth(a, b, abut_pose(abut_vec3(0.2, 2.25, 0.1), abut_quat_identity()), &def, NULL);
        CHECK_NEAR(-x.distance, 0.25, 1e-9);
        CHECK_VEC_NEAR(x.normal, abut_axis(1), 1e-6);
        CHECK_VEC_NEAR(x.plane, abut_axis(1), 1e-9);
        assert_true(x.verified && x.outcome != ABUT_SEPARATED && x.containment_known);
        assert_int_equal(x.kind, method == 1 ? ABUT_GAP_CLASSIC : ABUT_GAP_WAY_OUT);
        CHECK_VEC_NEAR(abut_sub(x.point_a, x.point_b), abut_scale(x.normal, -x.distance), 1e-12);
        x = abut_mesh_depth(a, a, abut_pose_identity(), &def, NULL); /* a body and itself */
        CHECK_NEAR(-x.distance, 2.0, 1e-8);
        x = abut_mesh_depth(a, b, abut_pose(abut_vec3(3, 0, 0), abut_quat_identity()), &def, NULL);
        assert_true(-x.distance == 0.0 && x.outcome == ABUT_SEPARATED && x.verified && x.kind == ABUT_GAP_EXACT);
    }
    abut_mesh_tree_free(a);
    abut_mesh_tree_free(b);
    abut_mesh_free(&big);
    abut_mesh_free(&small);
}

/* A C and an L, a quarter of the poses concentric; every answer free, none below the truth, most of them near it. */
static void brackets_are_as_deep_as_their_boxes(void **state) {
    (void)state;
    AbutMesh mc = oracle_c_mesh(), ml = oracle_l_mesh();
    AbutMeshTree *c = tree_of(&mc), *l = tree_of(&ml);
    AbutMeshCore cc = abut_mesh_core(c), cl = abut_mesh_core(l);
    AbutRng rng = abut_rng(94, 1);
    double size = c->radius + l->radius;
    int cases = check_cases(40), near[2] = {0, 0}, missed = 0;
    for (int i = 0; i < cases;) {
        AbutPose pose = random_pose(&rng, 0.0);
        pose.p = abut_sub(c->center, abut_quat_rotate(pose.q, l->center));
        if (i % 4 != 0)
            pose.p = abut_add_scaled(pose.p, abut_random_direction(&rng), abut_rng_between(&rng, 0.0, 0.8 * size));
        if (abut_mesh_collide(c, l, pose, NULL).outcome == ABUT_SEPARATED) continue;
        OraclePieces o;
        AbutVec3 d;
        oracle_pieces_place(&o, pose);
        double truth = oracle_pieces_depth(&o, 5000, &d);
        for (int method = 0; method < METHODS; ++method) {
            AbutDepthDef def = {.method = methods[method], .core_a = &cc, .core_b = &cl};
            AbutGap x = abut_mesh_depth(c, l, pose, &def, NULL);
            assert_true(x.verified && is_free(c, l, pose, &x));
            double own = oracle_pieces_first_free(&o, x.normal);
            assert_true(-x.distance >= own - 1e-6 * size);
            missed += own < truth * (1 - 1e-4) - 1e-6 * size; /* that is a search, which may miss the shortest */
            truth = own < truth ? own : truth;
            near[method] += -x.distance <= 1.02 * truth + 1e-9;
        }
        ++i;
    }
    assert_true(near[0] >= (int)(0.9 * cases) && near[1] >= (int)(0.8 * cases));
    assert_true(missed <= cases / 500);
    abut_mesh_tree_free(c);
    abut_mesh_tree_free(l);
    abut_mesh_free(&mc);
    abut_mesh_free(&ml);
}

/* The shortest way out that a wide search finds: many directions in full, then the whole method from the best 16. */
static double wide_search(const AbutMeshTree *a, const AbutMeshTree *b, AbutPose pose, AbutDepthDef def, int count) {
    enum { KEPT = 16 };
    double length[KEPT], best = INFINITY;
    AbutVec3 way[KEPT];
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        double z = 1 - (2.0 * i + 1) / count, r = sqrt(1 - z * z), angle = ABUT_PI * (3 - sqrt(5.0)) * i;
        AbutVec3 u = abut_vec3(r * cos(angle), r * sin(angle), z);
        double s = -abut_mesh_depth_along(a, b, pose, u, &def).distance;
        if (kept == KEPT && !(s < length[KEPT - 1])) continue;
        int k = kept < KEPT ? kept++ : KEPT - 1;
        for (; k > 0 && length[k - 1] > s; --k) length[k] = length[k - 1], way[k] = way[k - 1];
        length[k] = s, way[k] = u;
    }
    def.directions = 60;
    for (int i = 0; i < kept; ++i) {
        AbutDepthCache cache = {way[i], i + 1, 0};
        best = fmin(best, fmin(length[i], -abut_mesh_depth(a, b, pose, &def, &cache).distance));
    }
    return best;
}

/* Curved parts, a quarter of the poses concentric: free, never below what the direction allows, nine of ten within 2 %.
 */
static void most_ways_are_near_the_shortest(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        int triangles, cases;
    } pairs[] = {{"knot", "torus", 2000, 5}, {"fish", "torus", 2000, 5}, {"statue", "statue", 70000, 1}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; ++k) {
        AbutMeshTree *a = made_tree(pairs[k].a, pairs[k].triangles), *b = made_tree(pairs[k].b, pairs[k].triangles);
        AbutMeshCore ca = abut_mesh_core(a), cb = abut_mesh_core(b);
        AbutDepthDef def = {.core_a = &ca, .core_b = &cb};
        AbutRng rng = abut_rng(97, k);
        int cases = check_cases(pairs[k].cases), near = 0;
        for (int i = 0; i < cases;) {
            AbutPose pose = abut_pose(abut_zero(), abut_random_quat(&rng));
            double off = i % 4 ? abut_rng_between(&rng, 0.0, 0.8 * (a->radius + b->radius)) : 0.0;
            pose.p = abut_sub(a->center, abut_quat_rotate(pose.q, b->center));
            pose.p = abut_add_scaled(pose.p, abut_random_direction(&rng), off);
            AbutGap x = abut_mesh_depth(a, b, pose, &def, NULL);
            if (x.outcome == ABUT_SEPARATED) continue;
            assert_true(x.verified && is_free(a, b, pose, &x));
            double along = -abut_mesh_depth_along(a, b, pose, x.normal, &def).distance;
            assert_true(-x.distance >= along - 1e-6 * (a->radius + b->radius));
            near += -x.distance <= 1.02 * wide_search(a, b, pose, def, 250);
            ++i;
        }
        if (near < (int)(0.9 * cases)) fail_msg("%s and %s: %d of %d within 2 %%", pairs[k].a, pairs[k].b, near, cases);
        abut_mesh_tree_free(a);
        abut_mesh_tree_free(b);
    }
}

/* Along a path: every answer is free, and the warm start seldom loses. */
static void answers_on_a_path_are_free(void **state) {
    (void)state;
    static const char *const pair[3][2] = {{"knot", "torus"}, {"fish", "torus"}, {"cup", "finger"}};
    for (int k = 0; k < 3; ++k) {
        AbutMeshTree *a = made_tree(pair[k][0], 1000), *b = made_tree(pair[k][1], 1000);
        AbutMeshCore ca = abut_mesh_core(a), cb = abut_mesh_core(b);
        AbutDepthDef def = {.core_a = &ca, .core_b = &cb};
        AbutDepthCache cache = {0};
        double warm = 0.0, cold = 0.0;
        int cases = check_cases(16);
        for (int i = 0; i < cases; ++i) {
            double t = (i + 0.5) / cases;
            AbutPose pose = abut_pose(abut_scale(abut_vec3(1 - 2 * t, 0.4 * t, 0.3), 0.5 * a->radius),
                abut_quat_axis_angle(abut_vec3(0.6, 0, 0.8), 1.5 * t));
            AbutGap x = abut_mesh_depth(a, b, pose, &def, &cache), y = abut_mesh_depth(a, b, pose, &def, NULL);
            assert_true(x.verified && y.verified && is_free(a, b, pose, &x) && is_free(a, b, pose, &y));
            assert_true((x.outcome == ABUT_SEPARATED) == (-x.distance == 0.0));
            warm += -x.distance, cold += -y.distance;
        }
        assert_true(warm <= 1.1 * cold);
        abut_mesh_tree_free(a);
        abut_mesh_tree_free(b);
    }
}

/* Many triangles take another way through the search. */
static void many_triangles_are_parted(void **state) {
    (void)state;
    AbutMesh ma = wavy_torus(60, 40, 7, 5), mb = wavy_torus(60, 40, 5, 7);
    AbutMeshTree *a = tree_of(&ma), *b = tree_of(&mb);
    AbutMeshCore ca = abut_mesh_core(a), cb = abut_mesh_core(b);
    AbutDepthDef def = {.core_a = &ca, .core_b = &cb}, plain = {0};
    AbutRng rng = abut_rng(95, 1);
    for (int i = 0; i < check_cases(6); ++i) {
        AbutPose pose = random_pose(&rng, 0.5 * i);
        AbutGap x = abut_mesh_depth(a, b, pose, &def, NULL), y = abut_mesh_depth(a, b, pose, &plain, NULL);
        assert_true(is_free(a, b, pose, &x) && is_free(a, b, pose, &y) && x.verified && y.verified);
        assert_true(-x.distance <= 1.5 * -y.distance && -y.distance <= 1.5 * -x.distance);
    }
    abut_mesh_tree_free(a);
    abut_mesh_tree_free(b);
    abut_mesh_free(&ma);
    abut_mesh_free(&mb);
}

/* A box without a lid, inside out, or in two parts; a single triangle; a soup. */
static void imperfect_meshes_are_parted(void **state) {
    (void)state;
    AbutVec3 half = abut_vec3(0.5, 0.5, 0.5);
    AbutMesh box = box_mesh(abut_zero(), half, 0), inward = box_mesh(abut_zero(), half, 1),
             open = box_mesh(abut_zero(), half, 0);
    AbutMesh aside = box_mesh(abut_vec3(2, 0, 0), half, 0), two = both_meshes(&box, &aside),
             one = box_mesh(abut_zero(), half, 0);
    AbutRng rng = abut_rng(96, 1);
    open.triangle_count = 11, one.triangle_count = 1;
    AbutMesh soup = random_soup(&rng, 40, 2);
    const AbutMesh *mesh[] = {&box, &inward, &open, &two, &one, &soup};
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            AbutMeshTree *a = tree_of(mesh[i]), *b = tree_of(mesh[j]);
            AbutMeshCore ca = abut_mesh_core(a), cb = abut_mesh_core(b);
            AbutDepthDef def = {.method = methods[(i + j) % 2], .core_a = &ca, .core_b = &cb};
            for (int k = 0; k < 3; ++k) {
                AbutPose pose = k == 0 ? abut_pose_identity() : random_pose(&rng, 0.4);
                AbutGap x = abut_mesh_depth(a, b, pose, &def, NULL);
                if (x.outcome != ABUT_SEPARATED) {
                    assert_true(x.verified && is_free(a, b, pose, &x) && -x.distance >= 0.0);
                    assert_true(
                        (x.kind == ABUT_GAP_SURFACE) == (a->inside == ABUT_MESH_OPEN || b->inside == ABUT_MESH_OPEN));
                }
                if (k == 0 && i == 0 && j < 2) CHECK_NEAR(-x.distance, 1.0, 1e-8);
                x = abut_mesh_depth_along(a, b, pose, abut_vec3(0, 1, 0), &def);
                assert_true(x.outcome == ABUT_SEPARATED || is_free(a, b, pose, &x));
            }
            abut_mesh_tree_free(a);
            abut_mesh_tree_free(b);
        }
    open.triangle_count = 12, one.triangle_count = 12;
    AbutMesh *all[] = {&box, &inward, &open, &two, &one, &soup, &aside};
    for (int i = 0; i < 7; ++i) abut_mesh_free(all[i]);
}

/* Is x a way out of this length, up to 1e-9 of scenes of at most 20 m, and do its points show it? */
static void check_way(const AbutGap *x, double length) {
    assert_true(x->verified && x->part_a.index[0] >= 0 && x->part_b.index[0] >= 0);
    CHECK_NEAR(-x->distance, length, 2e-8);
    CHECK_VEC_NEAR(abut_sub(x->point_a, x->point_b), abut_scale(x->normal, -x->distance), 1e-12);
}

/* Sheets in one plane: out of it at once, or in it as far as they overlap. */
static void sheets_in_one_plane_are_parted(void **state) {
    (void)state;
    AbutVec3 v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    AbutTriangle t[2] = {{{0, 1, 2}}, {{1, 3, 2}}};
    for (int count = 1; count <= 2; ++count) {
        AbutMesh mesh = {.vertices = v, .triangles = t, .vertex_count = 4, .triangle_count = count};
        AbutMeshTree *sheet = tree_of(&mesh);
        AbutMeshCore core = abut_mesh_core(sheet);
        for (int k = 0; k < 4; ++k) {
            AbutPose pose = abut_pose(abut_vec3(0.1 * k, 0, 0), abut_quat_identity());
            AbutDepthDef def = {.core_a = k % 2 ? &core : NULL, .core_b = k % 2 ? &core : NULL};
            AbutGap x = abut_mesh_depth(sheet, sheet, pose, &def, NULL);
            check_way(&x, 0);
            assert_true(x.kind == ABUT_GAP_SURFACE && x.outcome == ABUT_PENETRATING);
            x = abut_mesh_depth_along(sheet, sheet, pose, abut_axis(0), &def);
            check_way(&x, 1 - 0.1 * k);
            x = abut_mesh_depth_along(sheet, sheet, pose, abut_axis(2), &def);
            check_way(&x, 0);
        }
        abut_mesh_tree_free(sheet);
    }
}

/* Bodies that touch at a face, an edge or a corner are parted by next to nothing. */
static void touching_bodies_are_parted(void **state) {
    (void)state;
    AbutMesh box = box_mesh(abut_zero(), abut_vec3(0.5, 0.5, 0.5), 0), l = oracle_l_mesh();
    AbutMeshTree *a = tree_of(&box), *b = tree_of(&l);
    AbutAabb hull = b->box;
    for (int i = 1; i < 8; ++i) {
        AbutVec3 way = abut_vec3(i & 1, i >> 1 & 1, i >> 2 & 1);
        for (int k = 0; k < 2; ++k) {
            const AbutMeshTree *body = k ? b : a;
            AbutPose pose =
                abut_pose(abut_mul(way, k ? abut_sub(hull.max, hull.min) : abut_vec3(1, 1, 1)), abut_quat_identity());
            AbutGap x = abut_mesh_depth(body, body, pose, NULL, NULL);
            if (x.outcome == ABUT_SEPARATED) continue; /* a notch of the L */
            check_way(&x, 0);
            x = abut_mesh_depth_along(body, body, pose, way, NULL);
            check_way(&x, 0);
        }
    }
    abut_mesh_tree_free(a);
    abut_mesh_tree_free(b);
    abut_mesh_free(&box);
    abut_mesh_free(&l);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    AbutMesh box = box_mesh(abut_zero(), abut_vec3(1, 1, 1), 0), none = {0};
    AbutMeshTree *a = tree_of(&box), *empty = tree_of(&none);
    AbutDepthDef def = {.directions = 121};
    AbutPose bad = abut_pose(abut_vec3(NAN, 0, 0), abut_quat_identity());
    assert_int_equal(abut_mesh_depth(a, a, abut_pose_identity(), &def, NULL).outcome, ABUT_INVALID);
    AbutGap none_known = abut_mesh_depth(a, a, bad, NULL, NULL);
    assert_int_equal(none_known.outcome, ABUT_INVALID);
    assert_true(isnan(-none_known.distance) && isnan(none_known.normal.x) && isnan(none_known.point_b.z));
    assert_true(!none_known.verified);
    assert_int_equal(abut_mesh_depth(empty, a, abut_pose_identity(), NULL, NULL).outcome, ABUT_EMPTY);
    assert_int_equal(
        abut_mesh_depth_along(a, a, abut_pose_identity(), abut_vec3(NAN, 0, 0), NULL).outcome, ABUT_INVALID);
    AbutMeshCore core = abut_mesh_core(empty);
    assert_true(core.ball_count == 0 && core.normal_count == 0 && !core.outward);
    assert_string_equal(abut_word(abut_gap_kind_names, ABUT_GAP_SURFACE), "surface");
    assert_string_equal(abut_word(abut_gap_kind_names, ABUT_GAP_KIND_COUNT), "unknown");
    AbutDepthCache odd = {{NAN, 0, 0}, 7, 0};
    assert_true(abut_mesh_depth(a, a, abut_pose_identity(), NULL, &odd).verified);
    abut_mesh_tree_free(a);
    abut_mesh_tree_free(empty);
    abut_mesh_free(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_known_depths),
        cmocka_unit_test(brackets_are_as_deep_as_their_boxes),
        cmocka_unit_test(most_ways_are_near_the_shortest),
        cmocka_unit_test(answers_on_a_path_are_free),
        cmocka_unit_test(many_triangles_are_parted),
        cmocka_unit_test(imperfect_meshes_are_parted),
        cmocka_unit_test(sheets_in_one_plane_are_parted),
        cmocka_unit_test(touching_bodies_are_parted),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
