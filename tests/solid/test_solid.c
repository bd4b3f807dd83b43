/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verbs on solids: every entry of the tables against its swapped twin and against the kernel underneath, over random
 * bodies of all kinds; numbers that mean nothing, empty meshes, no pieces; meshes taken as solids.
 */
#include "abut/solid.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random_bodies.h"
#include "mesh/kernels.h"
#include "solid/solid.h"

#include <string.h>

enum { KINDS = ABUT_SOLID_FIELD }; /* height fields have a test of their own */

/* A body of each kind. */
typedef struct Bodies {
    AbutPolyhedron *hull;
    AbutConvex convex;
    AbutMesh mesh;
    AbutMeshTree *tree;
    AbutPieces pieces;
    AbutSolid of[KINDS];
} Bodies;

static void make_bodies(Bodies *x, AbutRng *rng, const char *mesh, int i) {
    AbutError error;
    AbutDecomposeDef few = {.max_pieces = 6, .threads = 1};
    memset(x, 0, sizeof *x);
    x->hull = random_hull(rng, 12 + (int)abut_rng_below(rng, 30), abut_vec3(0.5, 0.4, 0.3));
    x->convex = i % 3 == 0   ? abut_convex_polyhedron(x->hull, 0.0)
                : i % 3 == 1 ? abut_convex_box(abut_vec3(0.4, 0.3, 0.2), 0.0)
                             : abut_convex_cylinder(0.3, 0.4, 0.0);
    good(abut_mesh_make(mesh, 200, NULL, &x->mesh, &error), &error);
    x->tree = tree_of(&x->mesh);
    good(abut_mesh_decompose(&x->mesh, &few, &x->pieces, &error), &error);
    x->of[ABUT_SOLID_CONVEX] = abut_solid_convex(&x->convex);
    x->of[ABUT_SOLID_MESH] = abut_solid_mesh(x->tree);
    x->of[ABUT_SOLID_PIECES] = abut_solid_pieces(&x->pieces);
}

static void free_bodies(Bodies *x) {
    abut_polyhedron_free(x->hull);
    abut_mesh_tree_free(x->tree);
    abut_mesh_free(&x->mesh);
    abut_pieces_free(&x->pieces);
}

static AbutPose random_place(AbutRng *rng) {
    return abut_pose(abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0.0, 2.0)), abut_random_quat(rng));
}

static int same_gap(const AbutGap *x, const AbutGap *y) { return memcmp(x, y, sizeof *x) == 0; }

/* ---- the tables -------------------------------------------------------------------------------------------------- */

/* What the answers about (A, B) and (B, A) have in common. */
static void check_twins(const AbutGap *x, const AbutGap *y, AbutPose b_in_a) {
    AbutGap back = abut_gap_swapped(abut_gap_in(b_in_a, *y));
    double slack = 1e-9 + x->error + y->error;
    if (x->outcome != back.outcome) /* only where rounding decides */
        CHECK(fabs(x->surface) <= slack && fabs(back.surface) <= slack);
    CHECK_NEAR(x->distance, back.distance, slack);
    CHECK_NEAR(x->surface, back.surface, slack);
    if (x->distance > 1e-3) {
        CHECK_VEC_NEAR(abut_sub(x->point_b, x->point_a), abut_scale(x->normal, x->distance), 1e-9);
        CHECK_VEC_NEAR(abut_sub(back.point_b, back.point_a), abut_scale(back.normal, back.distance), 1e-9);
    }
}

static AbutGap kernel(const Bodies *a, AbutSolidKind ka, const Bodies *b, AbutSolidKind kb, AbutPose pose) {
    if (ka == ABUT_SOLID_CONVEX && kb == ABUT_SOLID_CONVEX)
        return abut_convex_distance(&a->convex, &b->convex, pose, NULL, NULL);
    if (ka == ABUT_SOLID_MESH && kb == ABUT_SOLID_MESH) return abut_mesh_distance(a->tree, b->tree, pose, NULL, NULL);
    if (ka == ABUT_SOLID_MESH && kb == ABUT_SOLID_CONVEX)
        return abut_mesh_convex_distance(a->tree, &b->convex, pose, NULL, NULL);
    if (ka == ABUT_SOLID_CONVEX && kb == ABUT_SOLID_MESH)
        return abut_gap_swapped(
            abut_gap_in(pose, abut_mesh_convex_distance(b->tree, &a->convex, abut_pose_inv(pose), NULL, NULL)));
    return abut_pieces_distance(&a->pieces, &b->pieces, pose, NULL);
}

/* The least over the pieces, by the kernels. */
static double least_of_pieces(const Bodies *pieces, const AbutSolid *other, AbutPose other_in_pieces) {
    double least = INFINITY;
    for (int32_t i = 0; i < pieces->pieces.count; ++i) {
        AbutConvex c = abut_convex_polyhedron(pieces->pieces.piece[i], 0.0);
        AbutGap x = other->kind == ABUT_SOLID_CONVEX
                        ? abut_convex_distance(&c, other->convex, other_in_pieces, NULL, NULL)
                        : abut_mesh_convex_distance(other->mesh, &c, abut_pose_inv(other_in_pieces), NULL, NULL);
        least = fmin(least, x.distance);
    }
    return least;
}

static void check_distance(const Bodies *a, int ka, const Bodies *b, int kb, AbutPose pose) {
    AbutGapCache cache = {0};
    AbutGap x = abut_distance(a->of[ka], b->of[kb], pose, NULL, NULL);
    AbutGap y = abut_distance(b->of[kb], a->of[ka], abut_pose_inv(pose), NULL, NULL);
    check_twins(&x, &y, pose);
    if ((ka == ABUT_SOLID_PIECES) == (kb == ABUT_SOLID_PIECES)) {
        AbutGap k = kernel(a, (AbutSolidKind)ka, b, (AbutSolidKind)kb, pose);
        assert_true(same_gap(&x, &k));
    } else {
        double least = ka == ABUT_SOLID_PIECES ? least_of_pieces(a, &b->of[kb], pose)
                                               : least_of_pieces(b, &a->of[ka], abut_pose_inv(pose));
        CHECK_NEAR(x.distance, least, 1e-9 + x.error);
        assert_int_equal(x.kind, ABUT_GAP_PIECES);
        assert_int_equal((ka == ABUT_SOLID_PIECES ? x.part_a : x.part_b).kind, ABUT_PART_PIECE);
    }
    for (int k = 0; k < 2; ++k) {
        AbutGap warm = abut_distance(a->of[ka], b->of[kb], pose, NULL, &cache);
        CHECK_NEAR(warm.distance, x.distance, 1e-9 + x.error);
    }
    AbutGapDef near = {.within = 0.1};
    AbutGap n = abut_distance(a->of[ka], b->of[kb], pose, &near, NULL);
    if (x.distance > 0.1 + 1e-9 + x.error)
        assert_true(n.outcome == ABUT_FARTHER);
    else if (x.distance < 0.1 - 1e-9)
        CHECK_NEAR(n.distance, x.distance, 1e-9 + x.error);
}

static void check_collide(const Bodies *a, int ka, const Bodies *b, int kb, AbutPose pose) {
    AbutCollision c = abut_collide(a->of[ka], b->of[kb], pose, NULL);
    AbutCollision d = abut_collide(b->of[kb], a->of[ka], abut_pose_inv(pose), NULL);
    AbutGap x = abut_distance(a->of[ka], b->of[kb], pose, NULL, NULL);
    if (fabs(x.distance) < 1e-9 + x.error && fabs(x.surface) < 1e-9 + x.error &&
        (ka == ABUT_SOLID_CONVEX || ka == ABUT_SOLID_PIECES || kb != ABUT_SOLID_MESH) && x.distance != 0.0)
        return; /* rounding decides */
    assert_int_equal(abut_gap_meets(c.outcome), x.distance <= 0.0);
    assert_int_equal(abut_gap_meets(d.outcome), abut_gap_meets(c.outcome));
    assert_int_equal(c.containment_known, 1);
    int part_a = ka != ABUT_SOLID_CONVEX && c.outcome == ABUT_PENETRATING;
    assert_int_equal(c.first.a >= 0, part_a || (ka == ABUT_SOLID_PIECES && abut_gap_meets(c.outcome)));
}

/* The depth of a mesh and a convex body: verified here too, and no longer than the way along any axis. */
static void check_way_out(AbutSolid a, AbutSolid b, AbutPose pose, const AbutGap *x) {
    AbutCollision c = abut_collide(a, b, pose, NULL);
    assert_int_equal(x->outcome, c.outcome);
    if (!abut_gap_meets(c.outcome)) return;
    assert_true(x->verified && x->distance <= 0.0);
    AbutPose moved = pose;
    moved.p = abut_add_scaled(pose.p, x->normal, -x->distance * (1.0 + 2e-6) + 1e-9);
    assert_int_equal(abut_collide(a, b, moved, NULL).outcome, ABUT_SEPARATED);
    for (int k = 0; k < 6; ++k) {
        AbutDepthDef def = {.along = abut_scale(abut_axis(k / 2), k % 2 ? 1.0 : -1.0)};
        AbutGap along = abut_depth(a, b, pose, &def, NULL);
        CHECK(x->distance >= along.distance - 1e-6);
        CHECK(abut_dot(along.normal, def.along) > 1.0 - 1e-12);
    }
}

static void check_depth(const Bodies *a, int ka, const Bodies *b, int kb, AbutPose pose) {
    AbutGap x = abut_depth(a->of[ka], b->of[kb], pose, NULL, NULL);
    if ((ka == ABUT_SOLID_MESH) != (kb == ABUT_SOLID_MESH)) {
        if (ka == ABUT_SOLID_PIECES || kb == ABUT_SOLID_PIECES)
            assert_true(x.outcome == ABUT_INVALID && isnan(x.distance));
        else
            check_way_out(a->of[ka], b->of[kb], pose, &x);
    } else if (ka == ABUT_SOLID_MESH) {
        AbutGap k = abut_mesh_depth(a->tree, b->tree, pose, NULL, NULL);
        assert_true(same_gap(&x, &k) && x.distance <= 0.0);
    } else {
        AbutGap k = abut_distance(a->of[ka], b->of[kb], pose, NULL, NULL);
        assert_true(same_gap(&x, &k));
    }
}

static void check_volume(const Bodies *a, int ka, const Bodies *b, int kb, AbutPose pose) {
    AbutVolume x, y;
    AbutError error;
    AbutStatus status = abut_overlap_volume(a->of[ka], b->of[kb], pose, 0, &x, &error);
    if (ka == ABUT_SOLID_MESH || kb == ABUT_SOLID_MESH) {
        assert_int_equal(status, ABUT_ERROR_UNSUPPORTED);
        return;
    }
    good(status, &error);
    good(abut_overlap_volume(b->of[kb], a->of[ka], abut_pose_inv(pose), 0, &y, &error), &error);
    CHECK(x.low <= x.high && x.low >= 0.0);
    CHECK_NEAR(x.low, y.low, 1e-9);
    CHECK_NEAR(x.high, y.high, 1e-9);
    if (abut_distance(a->of[ka], b->of[kb], pose, NULL, NULL).distance > 0.0) CHECK(x.low == 0.0);
}

static void every_entry_agrees(void **state) {
    (void)state;
    static const char *const meshes[] = {"cup", "torus", "box"};
    AbutRng rng = abut_rng(811, 1);
    for (int i = 0; i < 3; ++i) {
        Bodies a, b;
        make_bodies(&a, &rng, meshes[i], i);
        make_bodies(&b, &rng, meshes[(i + 1) % 3], i + 1);
        for (int n = 0; n < check_cases(40); ++n) {
            AbutPose pose = random_place(&rng);
            for (int k = 0; k < KINDS * KINDS; ++k) {
                int ka = k / KINDS, kb = k % KINDS;
                check_distance(&a, ka, &b, kb, pose);
                check_collide(&a, ka, &b, kb, pose);
                if (n % 10 == 0) {
                    check_depth(&a, ka, &b, kb, pose);
                    check_volume(&a, ka, &b, kb, pose);
                }
            }
        }
        free_bodies(&a);
        free_bodies(&b);
    }
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */

static void batches_give_the_same_bits(void **state) {
    (void)state;
    enum { PAIRS = 90 };
    static AbutSolidPair pair[PAIRS];
    static AbutGap gap[2][PAIRS];
    AbutRng rng = abut_rng(812, 1);
    Bodies a, b;
    make_bodies(&a, &rng, "cup", 0);
    make_bodies(&b, &rng, "torus", 1);
    for (int i = 0; i < PAIRS; ++i) pair[i] = (AbutSolidPair){a.of[i % 3], b.of[i / 3 % 3], random_place(&rng), NULL};
    for (int t = 0; t < 2; ++t) abut_distance_batch(PAIRS, pair, NULL, gap[t], t ? 3 : 1);
    assert_memory_equal(gap[0], gap[1], sizeof gap[0]);
    for (int i = 0; i < PAIRS; ++i) {
        AbutGap x = abut_distance(pair[i].a, pair[i].b, pair[i].b_in_a, NULL, NULL);
        assert_true(same_gap(&x, &gap[0][i]));
    }
    abut_distance_batch(0, NULL, NULL, NULL, 4);
    free_bodies(&a);
    free_bodies(&b);
}

/* ---- pairs of triangles ------------------------------------------------------------------------------------------ */

static void all_triangles_are_listed_either_way(void **state) {
    (void)state;
    AbutRng rng = abut_rng(813, 1);
    AbutPair one[400], two[400];
    Bodies x;
    make_bodies(&x, &rng, "torus", 1);
    AbutConvex ball = abut_convex_point(abut_vec3(0.3, 0, 0), 0.1);
    AbutCollision c = abut_collide_all(x.of[ABUT_SOLID_MESH], abut_solid_convex(&ball), abut_pose_identity(), 400, one);
    AbutCollision d = abut_collide_all(abut_solid_convex(&ball), x.of[ABUT_SOLID_MESH], abut_pose_identity(), 400, two);
    assert_true(c.outcome == ABUT_PENETRATING && c.count > 0 && c.count == d.count && c.first.a == d.first.b);
    for (int i = 0; i < c.count; ++i) assert_true(one[i].a == two[i].b && one[i].b == -1 && two[i].a == -1);
    c = abut_collide_all(x.of[ABUT_SOLID_MESH], x.of[ABUT_SOLID_MESH], abut_pose_identity(), 4, one);
    assert_true(c.outcome == ABUT_PENETRATING && c.count == 4 && c.more);
    free_bodies(&x);
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void bad_questions_are_invalid(void **state) {
    (void)state;
    AbutRng rng = abut_rng(814, 1);
    AbutPieces none = {0};
    AbutMesh nothing = {0};
    AbutVolume v;
    Bodies x;
    make_bodies(&x, &rng, "box", 0);
    AbutMeshTree *empty = tree_of(&nothing);
    AbutPose bad = abut_pose(abut_vec3(NAN, 0, 0), abut_quat_identity());
    AbutSolid unknown = {ABUT_SOLID_KIND_COUNT, {NULL}};
    for (int k = 0; k < KINDS * KINDS; ++k) {
        AbutSolid a = x.of[k / KINDS], b = x.of[k % KINDS];
        AbutGap d = abut_distance(a, b, bad, NULL, NULL);
        assert_true(d.outcome == ABUT_INVALID && isnan(d.distance) && isnan(d.normal.x) && isnan(d.point_b.z));
        assert_int_equal(abut_collide(a, b, bad, NULL).outcome, ABUT_INVALID);
        assert_int_equal(abut_depth(a, b, bad, NULL, NULL).outcome, ABUT_INVALID);
        assert_true(abut_overlap_volume(a, b, bad, 0, &v, NULL) != ABUT_OK);
        d = abut_distance(a, abut_solid_mesh(empty), abut_pose_identity(), NULL, NULL);
        assert_true(d.outcome == ABUT_EMPTY && d.distance == INFINITY);
        assert_true(!abut_gap_meets(abut_collide(a, abut_solid_mesh(empty), abut_pose_identity(), NULL).outcome));
        d = abut_distance(abut_solid_pieces(&none), b, abut_pose_identity(), NULL, NULL);
        assert_int_equal(d.outcome, ABUT_INVALID);
        assert_int_equal(abut_distance(a, unknown, abut_pose_identity(), NULL, NULL).outcome, ABUT_INVALID);
        assert_int_equal(abut_collide(unknown, b, abut_pose_identity(), NULL).outcome, ABUT_INVALID);
        assert_int_equal(abut_depth(unknown, b, abut_pose_identity(), NULL, NULL).outcome, ABUT_INVALID);
    }
    abut_mesh_tree_free(empty);
    free_bodies(&x);
}

/* ---- meshes as solids -------------------------------------------------------------------------------------------- */

static void meshes_become_solids(void **state) {
    (void)state;
    AbutMesh box = box_mesh(abut_zero(), abut_vec3(0.5, 0.4, 0.3), 0), cup, flat = {0};
    AbutSolidBody body;
    AbutError error;
    good(abut_mesh_make("cup", 300, NULL, &cup, &error), &error);
    good(abut_solid_from_mesh(&box, ABUT_SOLID_AS_IS, NULL, &body, &error), &error);
    assert_true(body.is_convex && body.tree && body.hull && abut_solid_of(&body).kind == ABUT_SOLID_CONVEX);
    assert_ptr_equal(abut_solid_of(&body).convex, &body.convex);
    abut_solid_body_free(&body);
    good(abut_solid_from_mesh(&box, ABUT_SOLID_ONLY_CONVEX, NULL, &body, &error), &error);
    assert_true(body.is_convex && !body.tree && abut_solid_of(&body).kind == ABUT_SOLID_CONVEX);
    abut_solid_body_free(&body);
    good(abut_solid_from_mesh(&cup, ABUT_SOLID_AS_IS, NULL, &body, &error), &error);
    assert_true(!body.is_convex && abut_solid_of(&body).kind == ABUT_SOLID_MESH);
    assert_ptr_equal(abut_solid_of(&body).mesh, body.tree);
    abut_solid_body_free(&body);
    good(abut_solid_from_mesh(&cup, ABUT_SOLID_HULL, NULL, &body, &error), &error);
    assert_true(body.hull && !body.tree && abut_solid_of(&body).kind == ABUT_SOLID_CONVEX);
    abut_solid_body_free(&body);
    assert_int_equal(abut_solid_from_mesh(&cup, ABUT_SOLID_ONLY_CONVEX, NULL, &body, &error), ABUT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "expected a convex mesh"));
    assert_true(!body.hull && !body.tree);
    AbutDecomposeDef few = {.max_pieces = 3, .threads = 1};
    good(abut_solid_from_mesh(&cup, ABUT_SOLID_IN_PIECES, &few, &body, &error), &error);
    assert_true(body.pieces.count <= 3 && abut_solid_of(&body).kind == ABUT_SOLID_PIECES);
    abut_solid_body_free(&body);
    assert_true(abut_solid_from_mesh(&flat, ABUT_SOLID_HULL, NULL, &body, &error) != ABUT_OK);
    assert_non_null(strstr(error.text, "no convex hull"));
    abut_solid_body_free(NULL);
    abut_mesh_free(&box);
    abut_mesh_free(&cup);
}

/* A ball and a half-space against the mesh of a cube of side 1: closed forms, whichever comes first. */
static void a_mesh_and_a_convex_body_have_a_depth(void **state) {
    (void)state;
    AbutMesh cube = box_mesh(abut_zero(), abut_vec3(0.5, 0.5, 0.5), 0);
    AbutMeshTree *tree;
    AbutError error;
    good(abut_mesh_tree_create(&cube, 1, &tree, &error), &error);
    AbutConvex ball = abut_convex_point(abut_zero(), 0.1),
               floor = abut_convex_half_space((AbutPlane){abut_axis(2), -0.2}, 0.0);
    AbutSolid mesh = abut_solid_mesh(tree);
    for (int k = 0; k < 8; ++k) {
        AbutVec3 p = abut_vec3(0.03 * k - 0.1, 0.1 - 0.02 * k, 0.16 * k - 0.55);
        double expected = 0.6 - abut_max_abs(p);
        AbutPose pose = {p, abut_quat_identity()};
        AbutGap x = abut_depth(mesh, abut_solid_convex(&ball), pose, NULL, NULL);
        AbutGap y = abut_depth(abut_solid_convex(&ball), mesh, abut_pose_inv(pose), NULL, NULL);
        CHECK_NEAR(-x.distance, expected, 1e-6);
        CHECK_NEAR(-y.distance, expected, 1e-6);
        CHECK_NEAR(abut_point_distance(x.point_a, x.point_b), expected, 1e-6);
        CHECK_NEAR(abut_point_distance(y.point_a, y.point_b), expected, 1e-6);
        CHECK_NEAR(abut_length(y.point_a), 0.1, 1e-6);
    }
    AbutGap z = abut_depth(mesh, abut_solid_convex(&floor), abut_pose_identity(), NULL, NULL);
    CHECK_NEAR(-z.distance, 0.3, 1e-6);
    CHECK_NEAR(z.normal.z, -1.0, 1e-9);
    abut_mesh_tree_free(tree);
    abut_mesh_free(&cube);
}

/* A cube as a mesh and as a convex body: the convex distance is exact. */
static void the_depth_in_a_convex_mesh_is_exact(void **state) {
    (void)state;
    AbutVec3 half = abut_vec3(0.5, 0.4, 0.3);
    AbutMesh mesh = box_mesh(abut_zero(), half, 0);
    AbutMeshTree *tree = tree_of(&mesh);
    AbutConvex cube = abut_convex_box(half, 0.0);
    AbutConvex body[] = {abut_convex_point(abut_zero(), 0.2),
        abut_convex_segment(abut_vec3(0, 0, -0.3), abut_vec3(0, 0, 0.3), 0.1), abut_convex_cylinder(0.2, 0.3, 0.0),
        abut_convex_cone(0.2, 0.3, 0.0), abut_convex_ellipsoid(abut_vec3(0.3, 0.2, 0.1), 0.0),
        abut_convex_box(abut_vec3(0.3, 0.2, 0.1), 0.05)};
    AbutRng rng = abut_rng(407, 3);
    for (int n = 0; n < check_cases(60); ++n) {
        AbutPose pose = random_place(&rng);
        AbutConvex *b = &body[n % 6];
        pose.p = abut_scale(pose.p, 0.25);
        AbutGap x = abut_depth(abut_solid_mesh(tree), abut_solid_convex(b), pose, NULL, NULL);
        AbutGap exact = abut_convex_distance(&cube, b, pose, NULL, NULL);
        if (exact.distance > -1e-3) continue;
        CHECK(-x.distance >= -exact.distance - exact.error - 1e-9);
        CHECK(-x.distance <= -exact.distance * (1.0 + 1e-4) + 1e-6);
        CHECK(x.kind == ABUT_GAP_WAY_OUT && x.verified && x.part_a.kind == ABUT_PART_TRIANGLE);
    }
    AbutConvex sheet = abut_convex_plane((AbutPlane){abut_axis(2), 0.0}, 0.0);
    AbutGap none = abut_depth(abut_solid_mesh(tree), abut_solid_convex(&sheet), abut_pose_identity(), NULL, NULL);
    assert_true(none.outcome == ABUT_INVALID && isnan(none.distance));
    abut_mesh_tree_free(tree);
    abut_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_depth_in_a_convex_mesh_is_exact),
        cmocka_unit_test(a_mesh_and_a_convex_body_have_a_depth),
        cmocka_unit_test(every_entry_agrees),
        cmocka_unit_test(batches_give_the_same_bits),
        cmocka_unit_test(all_triangles_are_listed_either_way),
        cmocka_unit_test(bad_questions_are_invalid),
        cmocka_unit_test(meshes_become_solids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
