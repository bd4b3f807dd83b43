/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Height fields as solids: distance against every piece one by one and against the closed mesh, meeting, casts and
 * nearest points against the mesh, with bodies of all kinds; sets with a tree; kinds that have no kernel; bad heights.
 */
#include "abut/solid.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random_bodies.h"

#include <string.h>

enum { COLUMNS = 9, ROWS = 7, MOST = 2 * COLUMNS * ROWS };

/* A field as a solid, as a closed mesh, and all its pieces. */
typedef struct Ground {
    double heights[COLUMNS * ROWS];
    AbutHeightField field;
    AbutSolidBody body;
    AbutMesh mesh;
    AbutMeshTree *tree;
    AbutPolyhedron *piece[MOST];
    int32_t count;
} Ground;

static AbutStatus take_piece(const AbutPolyhedron *piece, void *user, AbutError *error) {
    Ground *g = user;
    AbutStatus status = abut_polyhedron_from_points(
        abut_polyhedron_vertices(piece), piece->vertex_count, NULL, &g->piece[g->count], error);
    g->count += status == ABUT_OK;
    return status;
}

/* Rough, with a flat corner, whose cells are joined. */
static void make_ground(Ground *g, AbutRng *rng) {
    AbutError error;
    memset(g, 0, sizeof *g);
    for (int i = 0; i < COLUMNS * ROWS; ++i)
        g->heights[i] = i % COLUMNS < 3 && i / COLUMNS < 3 ? 0.2 : abut_rng_between(rng, 0.0, 0.4);
    g->field = (AbutHeightField){COLUMNS, ROWS, 1.0, 0.8, -0.3, g->heights};
    good(abut_solid_from_field(&g->field, &g->body, &error), &error);
    good(abut_height_field_mesh(&g->field, &g->mesh, &error), &error);
    good(abut_height_field_pieces(&g->field, take_piece, g, &error), &error);
    g->tree = tree_of(&g->mesh);
    assert_true(g->count > 20 && abut_solid_of(&g->body).kind == ABUT_SOLID_FIELD);
}

static void free_ground(Ground *g) {
    for (int32_t i = 0; i < g->count; ++i) abut_polyhedron_free(g->piece[i]);
    abut_mesh_tree_free(g->tree);
    abut_mesh_free(&g->mesh);
    abut_solid_body_free(&g->body);
    assert_null(g->body.field);
}

static AbutPose place_near(AbutRng *rng) {
    AbutVec3 p =
        abut_vec3(abut_rng_between(rng, -1.5, 1.5), abut_rng_between(rng, -1.3, 1.3), abut_rng_between(rng, -0.8, 1.2));
    return abut_pose(p, abut_random_quat(rng));
}

static double least_of_pieces(const Ground *g, AbutSolid b, AbutPose b_in_a) {
    double least = INFINITY;
    for (int32_t i = 0; i < g->count; ++i) {
        AbutConvex piece = abut_convex_polyhedron(g->piece[i], 0.0);
        least = fmin(least, abut_distance(abut_solid_convex(&piece), b, b_in_a, NULL, NULL).distance);
    }
    return least;
}

static void check_distance(const Ground *g, AbutSolid b, AbutPose pose) {
    AbutSolid field = abut_solid_of(&g->body);
    AbutWork work = {0};
    AbutGapDef counted = {.work = &work};
    AbutGap x = abut_distance(field, b, pose, &counted, NULL);
    AbutGap y = abut_distance(b, field, abut_pose_inv(pose), NULL, NULL);
    double least = least_of_pieces(g, b, pose);
    CHECK_NEAR(x.distance, least, 1e-9);
    CHECK_NEAR(y.distance, x.distance, 1e-9);
    assert_true(x.kind == ABUT_GAP_PIECES && x.part_a.kind == ABUT_PART_PIECE && y.part_b.kind == ABUT_PART_PIECE);
    assert_true(work.piece_pairs >= 1);
    AbutCollision meet = abut_collide(field, b, pose, NULL), back = abut_collide(b, field, abut_pose_inv(pose), NULL);
    if (fabs(least) > 1e-6) CHECK(abut_gap_meets(meet.outcome) == (least < 0.0));
    CHECK(abut_gap_meets(meet.outcome) == abut_gap_meets(back.outcome));
    CHECK(abut_gap_meets(meet.outcome) == (meet.first.a >= 0) && meet.first.a == back.first.b);
    if (!(x.distance > 0.01)) return;
    CHECK_VEC_NEAR(abut_add_scaled(x.point_a, x.normal, x.distance), x.point_b, 1e-9);
    AbutGapDef within = {.within = 0.5 * x.distance};
    assert_int_equal(abut_distance(field, b, pose, &within, NULL).outcome, ABUT_FARTHER);
    CHECK_NEAR(abut_distance(abut_solid_mesh(g->tree), b, pose, NULL, NULL).distance, x.distance, 1e-9);
}

static void distance_is_that_of_the_nearest_piece(void **state) {
    (void)state;
    AbutRng rng = abut_rng(4027, 0);
    AbutError error;
    AbutDecomposeDef few = {.max_pieces = 4, .threads = 1};
    int cases = check_cases(40);
    for (int i = 0; i < cases; ++i) {
        Ground g;
        AbutMesh mesh;
        AbutPieces pieces;
        make_ground(&g, &rng);
        AbutPolyhedron *hull = random_hull(&rng, 16, abut_vec3(0.3, 0.2, 0.2));
        good(abut_mesh_make("torus", 120, NULL, &mesh, &error), &error);
        good(abut_mesh_decompose(&mesh, &few, &pieces, &error), &error);
        AbutMeshTree *tree = tree_of(&mesh);
        AbutConvex convex[3] = {abut_convex_polyhedron(hull, 0.0), abut_convex_point(abut_zero(), 0.15),
            abut_convex_cylinder(0.15, 0.2, 0.0)};
        for (int k = 0; k < 3; ++k) check_distance(&g, abut_solid_convex(&convex[k]), place_near(&rng));
        check_distance(&g, abut_solid_mesh(tree), place_near(&rng));
        check_distance(&g, abut_solid_pieces(&pieces), place_near(&rng));
        abut_mesh_tree_free(tree);
        abut_pieces_free(&pieces);
        abut_mesh_free(&mesh);
        abut_polyhedron_free(hull);
        free_ground(&g);
    }
}

/* A half-space has no box: all pieces are asked. */
static void a_half_space_reaches_the_deepest_piece(void **state) {
    (void)state;
    AbutRng rng = abut_rng(4028, 0);
    Ground g;
    make_ground(&g, &rng);
    for (int i = 0; i < 20; ++i) {
        AbutPlane plane = {abut_random_direction(&rng), abut_rng_between(&rng, -1.5, 1.5)};
        AbutConvex half = abut_convex_half_space(plane, 0.0);
        check_distance(&g, abut_solid_convex(&half), abut_pose_identity());
    }
    free_ground(&g);
}

static void casts_and_nearest_points_are_those_of_the_mesh(void **state) {
    (void)state;
    AbutRng rng = abut_rng(4029, 0);
    AbutError error;
    Ground g;
    make_ground(&g, &rng);
    AbutPose pose = abut_pose(abut_vec3(0.3, -0.2, 0.5), abut_random_quat(&rng));
    AbutConvex ball = abut_convex_point(abut_zero(), 0.1), egg = abut_convex_ellipsoid(abut_vec3(0.2, 0.3, 0.4), 0.0);
    AbutPlaced body = {abut_solid_of(&g.body), pose}, mesh = {abut_solid_mesh(g.tree), pose};
    AbutPlaced all[2] = {body, {abut_solid_convex(&egg), abut_pose(abut_vec3(0, 0, 5), abut_quat_identity())}};
    AbutBodyTree *tree;
    good(abut_body_tree_create(2, all, &tree, &error), &error);
    AbutBodySet set = {2, all, NULL, NULL, NULL}, fast = {2, all, NULL, NULL, tree};
    int hits = 0, cases = check_cases(400);
    for (int i = 0; i < cases; ++i) {
        AbutVec3 from = place_near(&rng).p, to = place_near(&rng).p;
        AbutPlaced flown = {abut_solid_convex(&ball), abut_pose(from, abut_quat_identity())};
        AbutCast ray = {.ray = {from, abut_sub(to, from)}}, throw = {.ray = ray.ray, .moved = &flown};
        AbutCastHit x = abut_cast(&body, &ray), y = abut_cast(&mesh, &ray), of_set, of_tree;
        assert_int_equal(x.outcome, y.outcome);
        CHECK_NEAR(x.t, y.t, 1e-9);
        CHECK_VEC_NEAR(x.normal, y.normal, 1e-6);
        hits += x.outcome == ABUT_IMPACT_HIT;
        abut_cast_batch(&set, 1, &ray, &of_set, 1);
        abut_cast_batch(&fast, 1, &ray, &of_tree, 1);
        assert_true(of_set.outcome == of_tree.outcome && of_set.body == of_tree.body);
        CHECK_NEAR(of_set.t, of_tree.t, 0);
        x = abut_cast(&body, &throw), y = abut_cast(&mesh, &throw);
        if (x.outcome == ABUT_IMPACT_HIT && y.outcome == ABUT_IMPACT_HIT) CHECK_NEAR(x.t, y.t, 1e-4);
        CHECK((x.outcome == ABUT_IMPACT_AT_START) == (y.outcome == ABUT_IMPACT_AT_START));
        AbutNearestPoint near[2];
        AbutBodySet one = {1, &body, NULL, NULL, NULL}, other = {1, &mesh, NULL, NULL, NULL};
        abut_nearest_point_batch(&one, 1, &from, &near[0], 1);
        abut_nearest_point_batch(&other, 1, &from, &near[1], 1);
        CHECK_NEAR(near[0].distance, near[1].distance, 1e-9);
    }
    assert_true(hits > cases / 10);
    abut_body_tree_free(tree);
    free_ground(&g);
}

static void what_has_no_kernel_is_refused(void **state) {
    (void)state;
    AbutRng rng = abut_rng(4030, 0);
    AbutError error;
    AbutVolume volume;
    Ground g;
    make_ground(&g, &rng);
    AbutConvex ball = abut_convex_point(abut_zero(), 0.1);
    AbutSolid field = abut_solid_of(&g.body), other[3] = {abut_solid_convex(&ball), abut_solid_mesh(g.tree), field};
    AbutPose here = abut_pose_identity(), nowhere = abut_pose(abut_vec3(NAN, 0, 0), abut_quat_identity());
    AbutImpactDef def = {.to = 1.0};
    for (int k = 0; k < 3; ++k)
        for (int turned = 0; turned < 2; ++turned) {
            AbutSolid a = turned ? other[k] : field, b = turned ? field : other[k];
            AbutMover moving_a = {a, abut_motion_static(here)}, moving_b = {b, abut_motion_static(here)};
            assert_int_equal(abut_depth(a, b, here, NULL, NULL).outcome, ABUT_INVALID);
            assert_int_equal(abut_overlap_volume(a, b, here, 32, &volume, &error), ABUT_ERROR_UNSUPPORTED);
            assert_non_null(strstr(error.text, k == 1 && turned ? "a mesh" : "a height field"));
            assert_int_equal(abut_time_of_impact(&moving_a, &moving_b, &def).outcome, ABUT_IMPACT_INVALID);
            assert_int_equal(abut_distance(a, b, nowhere, NULL, NULL).outcome, ABUT_INVALID);
            assert_int_equal(abut_collide(a, b, nowhere, NULL).outcome, ABUT_INVALID);
        }
    assert_int_equal(abut_distance(field, field, here, NULL, NULL).outcome, ABUT_INVALID);
    assert_int_equal(abut_collide(field, field, here, NULL).outcome, ABUT_INVALID);
    AbutPlaced still = {field, here}, lost = {abut_solid_convex(&ball), nowhere};
    AbutCast on_field = {.ray = {abut_zero(), abut_axis(2)}, .moved = &still}, from_nowhere = {.moved = &lost};
    assert_int_equal(abut_cast(&still, &on_field).outcome, ABUT_IMPACT_INVALID);
    assert_int_equal(abut_cast(&still, &from_nowhere).outcome, ABUT_IMPACT_INVALID);
    free_ground(&g);
}

static void bad_heights_make_no_solid(void **state) {
    (void)state;
    double heights[4] = {0, 1, NAN, 2};
    AbutHeightField field = {2, 2, 1, 1, -1, heights};
    AbutSolidBody body;
    AbutError error;
    assert_int_not_equal(abut_solid_from_field(&field, &body, &error), ABUT_OK);
    assert_true(error.text[0] && !body.field);
    heights[2] = 0.5, field.bottom = 3.0;
    assert_int_not_equal(abut_solid_from_field(&field, &body, &error), ABUT_OK);
    abut_solid_body_free(&body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_is_that_of_the_nearest_piece),
        cmocka_unit_test(a_half_space_reaches_the_deepest_piece),
        cmocka_unit_test(casts_and_nearest_points_are_those_of_the_mesh),
        cmocka_unit_test(what_has_no_kernel_is_refused),
        cmocka_unit_test(bad_heights_make_no_solid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
