/* SPDX-License-Identifier: Apache-2.0 */
/* Convex decomposition: cover, disjoint pieces, excess; signed distance by pieces against that of the meshes; open and
 * bad meshes. */
#include "mesh/kernels.h"
#include "oracle/box_pieces.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random_bodies.h"

static AbutPieces pieces_of(const AbutMesh *mesh, double excess, int most) {
    AbutDecomposeDef def = {.excess = excess, .max_pieces = most};
    AbutPieces out;
    AbutError error;
    good(abut_mesh_decompose(mesh, &def, &out, &error), &error);
    return out;
}

static void check_disjoint(const AbutPieces *p, double size) {
    for (int i = 0; i < p->count; ++i)
        for (int j = 0; j < i; ++j) {
            AbutConvex a = abut_convex_polyhedron(p->piece[i], 0), b = abut_convex_polyhedron(p->piece[j], 0);
            AbutGap d = abut_convex_distance(&a, &b, abut_pose_identity(), NULL, NULL);
            assert_true(d.distance >= -1e-9 * size);
        }
}

/* Number of pieces and excess as measured when the method was chosen, with a fifth to spare. */
static void pieces_cover_and_fit(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int most;
        double excess;
    } cases[] = {{"cross", 8, 0.005}, {"finger", 6, 0.02}, {"fish", 6, 0.02}, {"knot", 32, 0.144}, {"cup", 32, 0.228}};
    int count = check_cases(5); /* fewer in slow builds */
    for (int i = 0; i < count && i < 5; ++i) {
        AbutMesh mesh;
        AbutError error;
        good(abut_mesh_make(cases[i].name, 2000, NULL, &mesh, &error), &error);
        AbutPieces p = pieces_of(&mesh, cases[i].excess, cases[i].most);
        assert_true(p.closed && p.target_met && p.excess <= cases[i].excess && p.excess >= -1e-12);
        assert_int_equal(abut_pieces_cover(&p, &mesh, NULL, NULL), 0);
        CHECK_NEAR(p.volume, p.mesh_volume * (1 + p.excess), 1e-12 * p.volume);
        check_disjoint(&p, 1.0);
        abut_pieces_free(&p);
        abut_mesh_free(&mesh);
    }
}

static int count_cuts(int32_t pieces, double excess, void *user) {
    int *calls = user;
    assert_true(pieces == ++*calls + 1 && excess > 0.005);
    return pieces == 5;
}

/* Cuts of large meshes are chosen by samples: the pieces cover all the same, and are as few. */
static void large_meshes_are_cut_as_well(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int32_t triangles;
        int most;
        double excess;
    } cases[] = {{"statue", 100000, 32, 0.02}, {"bumpy-torus", 20000, 32, 0.096}};
    int count = check_cases(2); /* fewer in slow builds */
    for (int i = 0; i < count && i < 2; ++i) {
        AbutMesh mesh;
        AbutError error;
        good(abut_mesh_make(cases[i].name, cases[i].triangles, NULL, &mesh, &error), &error);
        AbutPieces p = pieces_of(&mesh, cases[i].excess, cases[i].most);
        assert_true(p.closed && p.target_met && p.excess <= cases[i].excess && p.excess >= -1e-12);
        assert_int_equal(abut_pieces_cover(&p, &mesh, NULL, NULL), 0);
        check_disjoint(&p, 1.0);
        abut_pieces_free(&p);
        abut_mesh_free(&mesh);
    }
}

static void progress_is_told_and_stops(void **state) {
    (void)state;
    AbutMesh mesh;
    AbutError error;
    AbutPieces p;
    int calls = 0;
    AbutDecomposeDef def = {.excess = 0.01, .progress = count_cuts, .user = &calls};
    good(abut_mesh_make("knot", 500, NULL, &mesh, &error), &error);
    assert_int_equal(abut_mesh_decompose(&mesh, &def, &p, &error), ABUT_ERROR_CANCELED);
    assert_true(calls == 4 && p.count == 0 && p.piece == NULL);
    abut_mesh_free(&mesh);
}

static void boxes_are_one_piece(void **state) {
    (void)state;
    AbutMesh box = box_mesh(abut_vec3(5, 6, 7), abut_vec3(1, 2, 3), 0),
             in = box_mesh(abut_zero(), abut_vec3(1, 2, 3), 1);
    AbutMesh c = oracle_c_mesh(), open = box_mesh(abut_zero(), abut_vec3(1, 1, 1), 0);
    open.triangle_count = 10;
    AbutPieces p = pieces_of(&box, 0, 0), q = pieces_of(&in, 0, 0), r = pieces_of(&c, 1e-3, 64),
               s = pieces_of(&open, 0, 0);
    assert_true(p.count == 1 && q.count == 1 && r.count >= 3 && s.count >= 1);
    CHECK_NEAR(p.volume, 48.0, 1e-9);
    CHECK_NEAR(q.mesh_volume, 48.0, 1e-9);
    assert_true(!s.closed && isnan(s.excess) && abut_pieces_cover(&s, &open, NULL, NULL) == 0);
    double farthest;
    assert_true(abut_pieces_cover(&p, &in, NULL, &farthest) == 8 && farthest > 1);
    abut_pieces_free(&p);
    abut_pieces_free(&q);
    abut_pieces_free(&r);
    abut_pieces_free(&s);
    open.triangle_count = 12;
    AbutMesh *all[] = {&box, &in, &c, &open};
    for (int i = 0; i < 4; ++i) abut_mesh_free(all[i]);
}

/* Parts that overlap, or of which one is inside out: the sum of signed volumes is not that of the solid. */
static void volumes_that_count_parts_twice_are_not_told(void **state) {
    (void)state;
    AbutMesh a = box_mesh(abut_zero(), abut_vec3(1, 0.5, 0.5), 0),
             near = box_mesh(abut_vec3(0.7, 0.1, 0), abut_vec3(0.6, 0.4, 0.3), 0);
    AbutMesh inside_out = box_mesh(abut_vec3(4, 0, 0), abut_vec3(1, 0.5, 0.5), 1),
             beside = box_mesh(abut_vec3(2, 0, 0), abut_vec3(1, 0.5, 0.5), 0);
    AbutMesh hole = box_mesh(abut_zero(), abut_vec3(0.5, 0.2, 0.2), 1),
             aside = box_mesh(abut_vec3(4, 0, 0), abut_vec3(1, 0.5, 0.5), 0);
    const AbutMesh *other[] = {&near, &inside_out, &a, &beside, &hole, &aside};
    static const double volume[] = {NAN, NAN, NAN, 4, 2 - 0.16, 4};
    for (int i = 0; i < 6; ++i) {
        AbutMesh both = both_meshes(&a, other[i]);
        AbutPieces p = pieces_of(&both, 0, 0);
        AbutVolume v;
        AbutError error;
        assert_true(p.closed && abut_pieces_cover(&p, &both, NULL, NULL) == 0);
        assert_int_equal(isnan(p.mesh_volume), isnan(volume[i]));
        assert_int_equal(isnan(p.excess), isnan(volume[i]));
        if (isfinite(volume[i])) CHECK_NEAR(p.mesh_volume, volume[i], 1e-12);
        good(abut_pieces_volume(&p, &p, abut_pose_identity(), &v, &error), &error);
        assert_true(v.high > 1.83 && v.low <= v.high && v.low <= 4);
        abut_pieces_free(&p);
        abut_mesh_free(&both);
    }
    AbutMesh *all[] = {&a, &near, &inside_out, &beside, &hole, &aside};
    for (int i = 0; i < 6; ++i) abut_mesh_free(all[i]);
}

/* A grid of points of all triangles. */
enum { GRID = 12, GRID_POINTS = (GRID + 1) * (GRID + 2) / 2 };

static int surface_points(const AbutMesh *mesh, AbutVec3 *out) {
    int n = 0;
    for (int t = 0; t < mesh->triangle_count; ++t)
        for (int i = 0; i <= GRID; ++i)
            for (int j = 0; i + j <= GRID; ++j) {
                const int32_t *v = mesh->triangles[t].v;
                AbutVec3 p = abut_scale(mesh->vertices[v[0]], (double)(GRID - i - j) / GRID);
                p = abut_add_scaled(p, mesh->vertices[v[1]], (double)i / GRID);
                out[n++] = abut_add_scaled(p, mesh->vertices[v[2]], (double)j / GRID);
            }
    return n;
}

/* Sheets that meet at an edge, or stand in planes of the axes: no cut may leave a flat part that no piece covers. */
static void open_sheets_are_covered(void **state) {
    (void)state;
    enum { MOST = 6 };
    AbutVec3 v[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {3, 0, 0}, {3, 1, 0}, {3, 0, 1}};
    AbutTriangle t[MOST] = {{{0, 1, 2}}, {{0, 1, 3}}, {{1, 4, 2}}, {{1, 5, 6}}, {{1, 6, 4}}, {{5, 7, 6}}};
    AbutVec3 point[MOST * GRID_POINTS];
    for (int count = 2; count <= MOST; ++count)
        for (int most = 1; most <= 64; most *= 2) {
            AbutMesh mesh = {.vertices = v, .triangles = t, .vertex_count = 8, .triangle_count = count};
            AbutMesh surface = {.vertices = point, .vertex_count = surface_points(&mesh, point)};
            AbutPieces p = pieces_of(&mesh, 1e-6, most);
            assert_true(p.count >= 1 && p.count <= most && !p.closed);
            assert_int_equal(abut_pieces_cover(&p, &surface, NULL, NULL), 0);
            abut_pieces_free(&p);
        }
}

/* Never above the distance of the meshes, below 0 where they overlap, not deeper than the depth, and continuous. */
static void distances_by_pieces_are_sound(void **state) {
    (void)state;
    AbutMesh ma, mb;
    AbutError error;
    good(abut_mesh_make("fish", 600, NULL, &ma, &error), &error);
    good(abut_mesh_make("cross", 600, NULL, &mb, &error), &error);
    AbutMeshTree *a = tree_of(&ma), *b = tree_of(&mb);
    AbutPieces pa = pieces_of(&ma, 0.02, 32), pb = pieces_of(&mb, 0.02, 32);
    AbutRng rng = abut_rng(97, 1);
    double size = a->radius + b->radius, before = NAN;
    for (int i = 0; i < check_cases(200); ++i) {
        AbutPose pose = random_pose(&rng, 0.0);
        pose.p = abut_scale(abut_random_direction(&rng), size * abut_rng_between(&rng, 0.0, 1.2));
        AbutGap p = abut_pieces_distance(&pa, &pb, pose, NULL);
        AbutGap m = abut_mesh_distance(a, b, pose, NULL, NULL);
        assert_true(p.distance <= m.distance + 1e-9 * size && p.part_a.kind == ABUT_PART_PIECE &&
                    p.part_a.index[0] >= 0 && p.part_b.index[0] >= 0 && p.kind == ABUT_GAP_PIECES);
        assert_true(m.outcome == ABUT_SEPARATED || p.distance <= 1e-9 * size);
        if (m.outcome != ABUT_SEPARATED && i % 8 == 0)
            assert_true(-p.distance <= 1.2 * -abut_mesh_depth(a, b, pose, NULL, NULL).distance + 0.1 * size);
        for (int k = 0; k < 3; ++k) {
            before = p.distance;
            pose.p = abut_add_scaled(pose.p, abut_random_direction(&rng), 0.01 * size);
            p = abut_pieces_distance(&pa, &pb, pose, NULL);
            assert_true(fabs(p.distance - before) <= 0.01 * size * (1 + 1e-6));
        }
    }
    abut_pieces_free(&pa);
    abut_pieces_free(&pb);
    abut_mesh_tree_free(a);
    abut_mesh_tree_free(b);
    abut_mesh_free(&ma);
    abut_mesh_free(&mb);
}

/* Boxes whose overlap is known, and a C and an L against the sum over their boxes. */
static void volumes_are_sums(void **state) {
    (void)state;
    AbutMesh mc = oracle_c_mesh(), ml = oracle_l_mesh();
    AbutPieces c = pieces_of(&mc, 1e-3, 32), l = pieces_of(&ml, 1e-3, 32);
    AbutRng rng = abut_rng(98, 1);
    AbutError error;
    for (int i = 0; i < check_cases(20); ++i) {
        AbutPose pose = random_pose(&rng, 0.5);
        AbutVolume v;
        double sum = 0;
        good(abut_pieces_volume(&c, &l, pose, &v, &error), &error);
        for (int k = 0; k < ORACLE_C_BOXES * ORACLE_L_BOXES; ++k) {
            static double workspace[4096];
            AbutAabb a = oracle_c_box[k / ORACLE_L_BOXES], b = oracle_l_box[k % ORACLE_L_BOXES];
            AbutConvex p = abut_convex_box(abut_scale(abut_sub(a.max, a.min), 0.5), 0);
            AbutConvex q = abut_convex_box(abut_scale(abut_sub(b.max, b.min), 0.5), 0);
            AbutPose pa = abut_pose(abut_scale(abut_add(a.min, a.max), 0.5), abut_quat_identity());
            AbutPose pb = abut_pose(abut_scale(abut_add(b.min, b.max), 0.5), abut_quat_identity());
            AbutPose between = abut_pose_between(pa, abut_pose_mul(pose, pb));
            AbutOverlap o = abut_overlap(&p, &q, between, NULL, workspace, sizeof workspace);
            sum += o.outcome == ABUT_OVERLAP_VOLUME ? o.volume : 0;
        }
        assert_true(v.low <= sum + 1e-9 && v.high >= sum - 1e-9 && v.high - v.low <= 2e-3 * (c.volume + l.volume));
    }
    AbutVolume v;
    good(abut_pieces_volume(&c, &c, abut_pose_identity(), &v, &error), &error);
    CHECK_NEAR(v.high, c.mesh_volume, 1e-15);
    CHECK(v.low >= c.mesh_volume - 2 * (c.volume - c.mesh_volume) - 1e-12);
    assert_true(abut_pieces_volume(&c, &l, abut_pose(abut_vec3(NAN, 0, 0), abut_quat_identity()), &v, NULL) != ABUT_OK);
    abut_pieces_free(&c);
    abut_pieces_free(&l);
    abut_mesh_free(&mc);
    abut_mesh_free(&ml);
}

static void any_number_of_threads_gives_the_same(void **state) {
    (void)state;
    AbutMesh mesh;
    AbutPieces p[2];
    AbutError error;
    good(abut_mesh_make("cup", 800, NULL, &mesh, &error), &error);
    for (int k = 0; k < 2; ++k) {
        AbutDecomposeDef def = {.max_pieces = 10, .threads = 1 + 3 * k};
        good(abut_mesh_decompose(&mesh, &def, &p[k], &error), &error);
    }
    assert_true(p[0].count == p[1].count && p[0].volume == p[1].volume && p[0].count == 10 && !p[0].target_met);
    for (int k = 0; k < 2; ++k) abut_pieces_free(&p[k]);
    abut_mesh_free(&mesh);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    AbutMesh none = {0}, box = box_mesh(abut_zero(), abut_vec3(1, 1, 1), 0),
             flat = box_mesh(abut_zero(), abut_vec3(1, 1, 0), 0);
    AbutPieces p;
    AbutError error;
    AbutDecomposeDef bad = {.excess = -1}, many = {.max_pieces = ABUT_PIECES_MAX + 1}, nan = {.excess = NAN};
    assert_int_equal(abut_mesh_decompose(&none, NULL, &p, &error), ABUT_ERROR_EMPTY);
    assert_int_equal(abut_mesh_decompose(&flat, NULL, &p, &error), ABUT_ERROR_DEGENERATE);
    assert_int_equal(abut_mesh_decompose(&box, &bad, &p, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_decompose(&box, &nan, &p, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_decompose(&box, &many, &p, NULL), ABUT_ERROR_ARGUMENT);
    box.vertices[0].x = NAN;
    assert_true(abut_mesh_decompose(&box, NULL, &p, &error) != ABUT_OK);
    AbutPieces empty = {0};
    AbutGap unknown = abut_pieces_distance(&empty, &empty, abut_pose_identity(), NULL);
    assert_true(unknown.outcome == ABUT_INVALID && isnan(unknown.distance) && isnan(unknown.normal.x));
    abut_pieces_free(&empty);
    abut_pieces_free(NULL);
    abut_mesh_free(&box);
    abut_mesh_free(&flat);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_cover_and_fit),
        cmocka_unit_test(large_meshes_are_cut_as_well),
        cmocka_unit_test(progress_is_told_and_stops),
        cmocka_unit_test(boxes_are_one_piece),
        cmocka_unit_test(volumes_that_count_parts_twice_are_not_told),
        cmocka_unit_test(open_sheets_are_covered),
        cmocka_unit_test(distances_by_pieces_are_sound),
        cmocka_unit_test(volumes_are_sums),
        cmocka_unit_test(any_number_of_threads_gives_the_same),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
