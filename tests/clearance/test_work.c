/* SPDX-License-Identifier: Apache-2.0 */
/* What a search takes, counted: pairs of nodes and distances of triangles for meshes of thousands and of a hundred
 * thousand triangles, beside subdivision that takes the least bound first and beside certified sampling. */
#include "clearance/search.h"
#include "abut/literature.h"
#include "clearance_support.h"

typedef struct Meshes {
    AbutMeshTree *tree[2];
    AbutClearanceBody *body[2];
    AbutClearanceSpace *space;
    double size;
} Meshes;

static Meshes make_meshes(const char *a, int triangles_a, const char *b, int triangles_b) {
    Meshes m = {{made_tree(a, triangles_a), made_tree(b, triangles_b)}, {NULL, NULL}, new_space(), 0};
    for (int k = 0; k < 2; ++k) {
        m.body[k] = body_of_mesh(m.tree[k]);
        m.size += m.tree[k]->radius;
    }
    return m;
}

static void free_meshes(Meshes *m) {
    for (int k = 0; k < 2; ++k) {
        abut_clearance_body_free(m->body[k]);
        abut_mesh_tree_free(m->tree[k]);
    }
    abut_clearance_space_free(m->space);
}

typedef struct Work {
    double pairs, triangles; /* means */
} Work;

/* Motions without contact, as those that are timed. */
static Work mean_work(const Meshes *m, int cases) {
    AbutRng rng = abut_rng(1201, 1);
    Work sum = {0, 0};
    AbutClearanceDef def = over_unit(1e-3);
    for (int i = 0; i < cases;) {
        FreeMotion motion;
        AbutMover a = {
            abut_solid_prepared(m->body[0]), random_free_motion(&rng, 0.9 * m->size, 0.25 * m->size, 0.5, &motion)};
        AbutMover b = {abut_solid_prepared(m->body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearance x = abut_clearance(&a, &b, &def, m->space);
        if (x.status != ABUT_CLEARANCE_CLEAR) continue;
        assert_true(x.certified);
        sum.pairs += (double)x.node_pairs / cases;
        sum.triangles += (double)x.evaluations / cases;
        ++i;
    }
    print_message("%.0f pairs of nodes, %.0f of triangles\n", sum.pairs, sum.triangles);
    return sum;
}

static void thousands_of_triangles(void **state) {
    (void)state;
    Meshes m = make_meshes("knot", 3482, "torus", 894);
    Work w = mean_work(&m, 100);
    assert_true(w.pairs <= 6000 && w.triangles <= 400);
    free_meshes(&m);
}

static void a_hundred_thousand_triangles(void **state) {
    (void)state;
    Meshes m = make_meshes("statue", 100000, "knot", 3482);
    assert_true(mean_work(&m, 10).pairs <= 16000);
    free_meshes(&m);
}

/* Triangles that one distance of the bodies asks for. */
static double triangles_of_distance(const Meshes *m, const AbutMover *a, const AbutMover *b) {
    AbutSearch s;
    AbutClearanceDef def = over_unit(1e-3);
    AbutWitness none = {-1, -1};
    assert_true(abut_search_open(&s, a, b, &def, m->space));
    AbutPlace place = abut_search_place(&s, 0.5);
    (void)abut_search_nearest(&s, &place, INFINITY, 0, &none);
    return (double)s.evaluations;
}

static void other_methods_take_more(void **state) {
    (void)state;
    Meshes m = make_meshes("knot", 3482, "torus", 894);
    AbutRng rng = abut_rng(1202, 1);
    AbutClearanceDef def = over_unit(1e-3);
    double front = 0, best_first = 0, sampling = 0;
    for (int i = 0; i < 2;) {
        FreeMotion motion;
        AbutMover a = {
            abut_solid_prepared(m.body[0]), random_free_motion(&rng, 0.9 * m.size, 0.25 * m.size, 0.5, &motion)};
        AbutMover b = {abut_solid_prepared(m.body[1]), abut_motion_static(abut_pose_identity())};
        AbutClearance x = abut_clearance(&a, &b, &def, m.space);
        if (x.status != ABUT_CLEARANCE_CLEAR) continue;
        AbutClearance y = abut_clearance_by(ABUT_CLEARANCE_BEST_FIRST, &a, &b, &def, m.space);
        AbutClearance z = abut_clearance_by(ABUT_CLEARANCE_SAMPLING, &a, &b, &def, m.space);
        assert_true(y.certified && z.certified && y.lb <= x.ub && x.lb <= y.ub && z.lb <= x.ub && x.lb <= z.ub);
        double each = triangles_of_distance(&m, &a, &b);
        front += (double)x.evaluations;
        best_first += each * (double)y.evaluations;
        sampling += each * (double)z.evaluations;
        ++i;
    }
    print_message("triangles: front %.0f, best first %.0f, sampling %.0f\n", front, best_first, sampling);
    assert_true(best_first >= 6 * front && sampling >= 100 * front);
    free_meshes(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_triangles),
        cmocka_unit_test(a_hundred_thousand_triangles),
        cmocka_unit_test(other_methods_take_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
