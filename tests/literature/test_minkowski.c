/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Minkowski differences and sums: convex ones against qhull, others closed, with their vertices on the boundary and
 * their inside where the bodies meet; cavities; bad input.
 */
#include "literature/minkowski/convolution.h"
#include "mesh/kernels.h"
#include "abut/literature.h"
#include "oracle/qhull_oracle.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/meshes.h"

static AbutStatus minkowski_difference(const AbutMesh *a, const AbutMesh *b, AbutPose b_in_a,
    const AbutMinkowskiDef *def, AbutMesh *out, AbutMinkowskiReport *report, AbutError *error) {
    AbutMinkowskiDef as = def ? *def : (AbutMinkowskiDef){0};
    as.difference = 1;
    return abut_minkowski(a, b, b_in_a, &as, out, report, error);
}

static AbutMesh random_convex(AbutRng *rng, int kind) {
    AbutMesh mesh;
    AbutError error;
    if (kind % 3 == 0)
        return box_mesh(abut_zero(), abut_vec3(0.1 + abut_rng_unit(rng), 0.1 + abut_rng_unit(rng), 0.3), 0);
    good(abut_mesh_make(kind % 3 == 1 ? "cone" : "sphere", 40 + 20 * (kind % 5), NULL, &mesh, &error), &error);
    return mesh;
}

/* Volume and area of the hull of all differences, by qhull; 0 without it. */
static int ask_qhull(const AbutMesh *a, const AbutMesh *b, AbutPose pose, QhullAnswer *answer) {
    int count = a->vertex_count * b->vertex_count;
    AbutVec3 *points = malloc((size_t)count * sizeof *points);
    assert_non_null(points);
    for (int i = 0; i < count; ++i)
        points[i] = abut_sub(a->vertices[i / b->vertex_count], abut_pose_apply(pose, b->vertices[i % b->vertex_count]));
    int answered = qhull_oracle(points, count, answer, NULL);
    free(points);
    return answered == 1;
}

static void convex_differences_are_those_of_qhull(void **state) {
    (void)state;
    AbutRng rng = abut_rng(901, 1);
    for (int i = 0; i < check_cases(20); ++i) {
        AbutMesh a = random_convex(&rng, i), b = random_convex(&rng, i / 3), m;
        AbutPose pose = abut_pose(abut_random_direction(&rng), i % 4 ? abut_random_quat(&rng) : abut_quat_identity());
        AbutMinkowskiReport report;
        AbutMeshReport measure;
        AbutError error;
        QhullAnswer oracle;
        good(minkowski_difference(&a, &b, pose, NULL, &m, &report, &error), &error);
        good(abut_mesh_report(&m, &measure, &error), &error);
        CHECK(report.exact && report.step == 0.0 && measure.outward);
        if (ask_qhull(&a, &b, pose, &oracle)) {
            CHECK_NEAR(measure.mass.volume, oracle.volume, 1e-9 * oracle.volume);
            CHECK_NEAR(measure.mass.area, oracle.area, 1e-9 * oracle.area);
        }
        AbutConvolution *c;
        good(abut_convolution_create(&a, &b, &c, &error), &error);
        CHECK(abut_convolution_place(c, pose));
        AbutConvolutionMeasure chain = abut_convolution_measure(c);
        CHECK_NEAR(chain.volume, measure.mass.volume, 1e-9 * measure.mass.volume);
        CHECK_NEAR(chain.area, measure.mass.area, 1e-9 * measure.mass.area);
        abut_convolution_free(c);
        abut_mesh_free(&a);
        abut_mesh_free(&b);
        abut_mesh_free(&m);
    }
}

/* ---- bodies that are not convex ---------------------------------------------------------------------------------- */

typedef struct Nearest {
    const AbutConvolution *c;
    AbutVec3 point;
    double distance;
} Nearest;

static void keep_nearest(const AbutFacet *f, void *user) {
    Nearest *n = user;
    AbutFacetCorner p[4];
    int count = abut_facet_corners(n->c, f, p);
    AbutConvex point = abut_convex_segment(n->point, n->point, 0.0);
    for (int k = 2; k < count; ++k) {
        AbutConvex triangle = abut_convex_triangle(p[0].place, p[k - 1].place, p[k].place, 0.0);
        n->distance =
            fmin(n->distance, abut_convex_distance(&point, &triangle, abut_pose_identity(), NULL, NULL).distance);
    }
}

typedef struct Bodies {
    AbutMesh a, b;
    AbutMeshTree *tree_a, *tree_b;
    AbutConvolution *c;
} Bodies;

static Bodies open_case(int number) {
    Bodies x;
    AbutError error;
    good(abut_direction_case_meshes(number, &x.a, &x.b, &error), &error);
    good(abut_convolution_create(&x.a, &x.b, &x.c, &error), &error);
    x.tree_a = tree_of(&x.a), x.tree_b = tree_of(&x.b);
    return x;
}

static void close_case(Bodies *x) {
    abut_convolution_free(x->c);
    abut_mesh_tree_free(x->tree_a);
    abut_mesh_tree_free(x->tree_b);
    abut_mesh_free(&x->a);
    abut_mesh_free(&x->b);
}

/* Every vertex lies on a facet of the convolution. */
static void check_vertices(const Bodies *x, const AbutMesh *m, AbutRng *rng) {
    for (int i = 0; i < check_cases(40); ++i) {
        Nearest n = {x->c, m->vertices[abut_rng_below(rng, (uint32_t)m->vertex_count)], INFINITY};
        abut_convolution_facets(x->c, n.point, 1e-4, 0, keep_nearest, &n);
        CHECK(n.distance <= 1e-6);
    }
}

static int meet_at(const Bodies *x, AbutPose pose, AbutVec3 shift) {
    AbutPose moved = abut_pose(abut_add(pose.p, shift), pose.q);
    return abut_mesh_collide(x->tree_a, x->tree_b, moved, NULL).outcome != ABUT_SEPARATED;
}

/* The place between two translations where overlap begins or ends lies on a facet. */
static void check_crossing(const Bodies *x, AbutPose pose, AbutVec3 from, AbutVec3 to) {
    int start = meet_at(x, pose, from);
    for (int k = 0; k < 45; ++k) {
        AbutVec3 middle = abut_lerp(from, to, 0.5);
        *(meet_at(x, pose, middle) == start ? &from : &to) = middle;
    }
    Nearest n = {x->c, to, INFINITY};
    abut_convolution_facets(x->c, n.point, 1e-4, 0, keep_nearest, &n);
    CHECK(n.distance <= 1e-7);
}

typedef struct Rays {
    int rays, crossings, inside;
} Rays;

/* Rays of translations through the difference: places farther than a step from its surface are inside where the bodies
 * meet, by exact collision, and nowhere else; and every change from one to the other is on a facet. */
static void shoot(const Bodies *x, AbutPose pose, const AbutMesh *m, double step, int count, AbutRng *rng, Rays *out) {
    enum { PLACES = 16 };
    AbutMeshTree *tree = tree_of(m);
    for (int i = 0; i < count; ++i, ++out->rays) {
        AbutVec3 from = abut_add_scaled(tree->center, abut_random_direction(rng), 1.05 * tree->radius),
                 aim = abut_add_scaled(tree->center, abut_random_direction(rng), 0.6 * tree->radius);
        AbutVec3 last = from, way = abut_scale(abut_sub(aim, from), 2.0 / PLACES);
        for (int k = 0, before = 0; k <= PLACES; ++k) {
            AbutVec3 p = abut_add_scaled(from, way, k);
            int meet = meet_at(x, pose, p);
            if (abut_mesh_nearest(tree, p, 0.0).distance > step) assert_int_equal(abut_mesh_inside(tree, p), meet);
            if (meet != before) check_crossing(x, pose, last, p);
            out->crossings += meet != before, out->inside += meet;
            before = meet, last = p;
        }
    }
    abut_mesh_tree_free(tree);
}

static void sampled_differences_are_true(void **state) {
    (void)state;
    static const int cases[] = {0, 1, 2, 4};
    enum { CASES = sizeof cases / sizeof cases[0] };
    AbutRng rng = abut_rng(902, 1);
    Rays rays = {0, 0, 0};
    for (int k = 0; k < CASES; ++k) {
        Bodies x = open_case(cases[k]);
        AbutPose pose = abut_pose(abut_zero(), abut_random_quat(&rng));
        AbutMinkowskiDef def = {.grid = 12};
        AbutMinkowskiReport report;
        AbutMeshReport measure;
        AbutError error;
        AbutMesh m;
        good(minkowski_difference(&x.a, &x.b, pose, &def, &m, &report, &error), &error);
        good(abut_mesh_report(&m, &measure, &error), &error);
        CHECK(!report.exact && report.step > 0.0);
        CHECK(measure.closed && measure.oriented && measure.mass.volume > 0.0 && measure.crowded_edges == 0);
        CHECK(abut_convolution_place(x.c, pose));
        check_vertices(&x, &m, &rng);
        shoot(&x, pose, &m, report.step, check_cases(100) / CASES + 1, &rng, &rays);
        abut_mesh_free(&m);
        close_case(&x);
    }
    CHECK(rays.rays >= check_cases(100) && rays.crossings > rays.rays && rays.inside > rays.rays);
}

/* ---- the convolution itself -------------------------------------------------------------------------------------- */

typedef struct Side {
    int32_t low, high, way;
} Side;

static int compare_sides(const void *x, const void *y) {
    const Side *a = x, *b = y;
    return a->low != b->low ? a->low - b->low : a->high - b->high;
}

/* Edges that are not run along as often one way as the other. */
static int unbalanced(const AbutMesh *m) {
    int count = 3 * m->triangle_count, wrong = 0;
    Side *side = malloc((size_t)count * sizeof *side);
    assert_non_null(side);
    for (int i = 0; i < count; ++i) {
        int32_t u = m->triangles[i / 3].v[i % 3], v = m->triangles[i / 3].v[(i + 1) % 3];
        side[i] = u < v ? (Side){u, v, 1} : (Side){v, u, -1};
    }
    qsort(side, (size_t)count, sizeof *side, compare_sides);
    for (int i = 0, sum = 0; i < count; ++i) {
        sum += side[i].way;
        if (i + 1 == count || compare_sides(&side[i], &side[i + 1]) != 0) wrong += sum != 0, sum = 0;
    }
    free(side);
    return wrong;
}

static void check_ball(const Bodies *x, AbutPose pose, AbutMinkowskiDef def, const AbutMinkowskiReport *whole) {
    AbutMinkowskiReport report;
    AbutError error;
    AbutMesh m;
    def.center = x->c->a.vertex[0];
    def.center = abut_sub(def.center, abut_pose_apply(pose, x->b.vertices[0]));
    def.radius = 0.01;
    if (minkowski_difference(&x->a, &x->b, pose, &def, &m, &report, &error) == ABUT_OK) {
        CHECK(report.chain.facets > 0 && report.chain.facets < whole->chain.facets);
        abut_mesh_free(&m);
    }
    def.radius = 100.0;
    good(minkowski_difference(&x->a, &x->b, pose, &def, &m, &report, &error), &error);
    assert_int_equal(report.chain.facets, whole->chain.facets);
    abut_mesh_free(&m);
    def.center = abut_vec3(50, 0, 0), def.radius = 1.0;
    assert_int_equal(minkowski_difference(&x->a, &x->b, pose, &def, &m, NULL, &error), ABUT_ERROR_EMPTY);
    assert_null(m.vertices);
}

/* As a mesh the chain runs along every edge as often one way as the other, and has the volume that it measures. */
static void convolutions_are_closed_meshes(void **state) {
    (void)state;
    AbutRng rng = abut_rng(903, 1);
    AbutMinkowskiDef def = {.convolution = 1};
    for (int k = 0; k < 9; ++k) {
        Bodies x = open_case(k);
        AbutPose pose = abut_pose(abut_scale(abut_random_direction(&rng), 0.1), abut_random_quat(&rng));
        AbutMinkowskiReport report;
        AbutMeshReport measure;
        AbutError error;
        AbutMesh m;
        for (int sum = 0; sum < 2; ++sum) {
            good((sum ? abut_minkowski : minkowski_difference)(&x.a, &x.b, pose, &def, &m, &report, &error), &error);
            good(abut_mesh_report(&m, &measure, &error), &error);
            assert_int_equal(unbalanced(&m), 0);
            CHECK(!report.exact && report.step == 0.0 && report.chain.open <= 1e-12);
            CHECK(report.chain.facets > 20 && m.triangle_count >= report.chain.facets);
            CHECK_NEAR(measure.mass.volume, report.chain.volume, 1e-9 * fabs(report.chain.volume));
            if (sum == 0) check_ball(&x, pose, def, &report);
            abut_mesh_free(&m);
        }
        close_case(&x);
    }
}

/* Two rings: where they are linked without touching, their difference has two holes inside. */
static void linked_rings_leave_cavities(void **state) {
    (void)state;
    const double thin[2] = {0.3, 0.05};
    AbutMesh a, b, m;
    AbutError error;
    AbutMeshReport measure;
    AbutMinkowskiDef def = {.grid = 20};
    good(abut_mesh_make("torus", 200, thin, &a, &error), &error);
    good(abut_mesh_make("torus", 200, thin, &b, &error), &error);
    AbutPose pose = abut_pose(abut_zero(), abut_quat_exp(abut_vec3(0.5 * ABUT_PI, 0.05, 0)));
    good(minkowski_difference(&a, &b, pose, &def, &m, NULL, &error), &error);
    good(abut_mesh_report(&m, &measure, &error), &error);
    CHECK(measure.closed && measure.oriented);
    assert_int_equal(measure.components, 3);
    assert_int_equal(m.vertex_count - m.triangle_count / 2, 6);
    AbutMinkowskiDef one = {.grid = 20, .threads = 1};
    AbutMesh same;
    good(minkowski_difference(&a, &b, pose, &one, &same, NULL, &error), &error);
    assert_int_equal(same.vertex_count, m.vertex_count);
    assert_memory_equal(same.vertices, m.vertices, (size_t)m.vertex_count * sizeof *m.vertices);
    abut_mesh_free(&same);
    abut_mesh_free(&a);
    abut_mesh_free(&b);
    abut_mesh_free(&m);
}

/* Sums: of boxes, the box of the sizes together, at the sum of the places. */
static void sums_of_boxes(void **state) {
    (void)state;
    AbutMesh a = box_mesh(abut_vec3(1, 0, 0), abut_vec3(0.1, 0.2, 0.3), 0),
             b = box_mesh(abut_vec3(0, 1, 0), abut_vec3(0.3, 0.1, 0.2), 0), m;
    AbutMeshReport measure;
    AbutError error;
    AbutPose pose = abut_pose(abut_vec3(0, 0, 1), abut_quat_identity());
    good(abut_minkowski(&a, &b, pose, NULL, &m, NULL, &error), &error);
    good(abut_mesh_report(&m, &measure, &error), &error);
    CHECK_NEAR(measure.mass.volume, 8 * 0.4 * 0.3 * 0.5, 1e-12);
    CHECK_VEC_NEAR(measure.mass.centroid, abut_vec3(1, 1, 1), 1e-12);
    abut_mesh_free(&m);
    good(minkowski_difference(&a, &b, pose, NULL, &m, NULL, &error), &error);
    good(abut_mesh_report(&m, &measure, &error), &error);
    CHECK_VEC_NEAR(measure.mass.centroid, abut_vec3(1, -1, -1), 1e-12);
    abut_mesh_free(&m);
    AbutMinkowskiDef coarse = {.grid = 3}, fine = {.grid = 1000};
    AbutPose nan = abut_pose(abut_vec3(NAN, 0, 0), abut_quat_identity());
    assert_int_equal(abut_minkowski(&a, &b, pose, &coarse, &m, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_minkowski(&a, &b, pose, &fine, &m, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_minkowski(&a, &b, nan, NULL, &m, NULL, &error), ABUT_ERROR_NUMBER);
    AbutMinkowskiDef negative = {.convolution = 1, .radius = -1.0}, endless = {.convolution = 1, .radius = INFINITY};
    assert_int_equal(abut_minkowski(&a, &b, pose, &negative, &m, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_minkowski(&a, &b, pose, &endless, &m, NULL, &error), ABUT_ERROR_NUMBER);
    --a.triangle_count;
    assert_int_equal(abut_minkowski(&a, &b, pose, NULL, &m, NULL, &error), ABUT_ERROR_ARGUMENT);
    assert_null(m.vertices);
    ++a.triangle_count;
    abut_mesh_free(&a);
    abut_mesh_free(&b);
}

static AbutStatus make_and_free(void) {
    const double thin[2] = {0.3, 0.1};
    AbutMesh mesh, m = {0, 0, NULL, NULL};
    AbutMinkowskiDef def = {.grid = 4, .threads = 1};
    AbutStatus status = abut_mesh_make("torus", 40, thin, &mesh, NULL);
    if (status != ABUT_OK) return status;
    status = abut_minkowski(&mesh, &mesh, abut_pose_identity(), &def, &m, NULL, NULL);
    abut_mesh_free(&m);
    def.convolution = 1;
    if (status == ABUT_OK) status = abut_minkowski(&mesh, &mesh, abut_pose_identity(), &def, &m, NULL, NULL);
    abut_mesh_free(&m);
    abut_mesh_free(&mesh);
    return status;
}

static void memory_may_fail(void **state) {
    (void)state;
    CHECK(check_memory_failures("Minkowski sum", make_and_free) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_differences_are_those_of_qhull),
        cmocka_unit_test(sampled_differences_are_true),
        cmocka_unit_test(convolutions_are_closed_meshes),
        cmocka_unit_test(linked_rings_leave_cavities),
        cmocka_unit_test(sums_of_boxes),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
