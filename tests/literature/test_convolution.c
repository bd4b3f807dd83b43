/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The convolution of two meshes: closed whatever the bodies are, with a winding number that tells the overlap; indices
 * add up to the Euler number; the walk finds what all pairs say; boundary points of the difference lie on its facets.
 */
#include "literature/minkowski/convolution.h"
#include "mesh/kernels.h"
#include "abut/literature.h"
#include "oracle/qhull_oracle.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/meshes.h"

enum { CASES = 9 };

typedef struct Pair {
    AbutMesh a, b;
    AbutMeshTree *tree_a, *tree_b;
    AbutConvolution *c;
    double size;
} Pair;

static Pair open_pair(AbutMesh a, AbutMesh b) {
    Pair p = {a, b, tree_of(&a), tree_of(&b), NULL, 0.0};
    AbutError error;
    good(abut_convolution_create(&a, &b, &p.c, &error), &error);
    p.size = p.c->a.radius + p.c->b.radius;
    return p;
}

static Pair open_case(int number) {
    AbutMesh a, b;
    AbutError error;
    good(abut_direction_case_meshes(number, &a, &b, &error), &error);
    return open_pair(a, b);
}

static void close_pair(Pair *p) {
    abut_convolution_free(p->c);
    abut_mesh_tree_free(p->tree_a);
    abut_mesh_tree_free(p->tree_b);
    abut_mesh_free(&p->a);
    abut_mesh_free(&p->b);
}

static AbutPose random_pose(AbutRng *rng, const Pair *p) {
    return abut_pose(
        abut_scale(abut_random_direction(rng), p->size * abut_rng_between(rng, 0.0, 1.1)), abut_random_quat(rng));
}

/* Closed, with a whole winding number: 0 apart, 1 where convex bodies overlap. */
static void chains_are_closed(void **state) {
    (void)state;
    AbutRng rng = abut_rng(701, 1);
    int apart = 0, overlapping = 0, count = check_cases(4);
    for (int k = 0; k < CASES; ++k) {
        Pair p = open_case(k);
        int convex = k == 5 || k == 6 || k == 8;
        for (int i = 0; i < (convex ? 6 : 1) * count; ++i) {
            AbutPose pose = random_pose(&rng, &p);
            CHECK(abut_convolution_place(p.c, pose));
            AbutConvolutionMeasure m = abut_convolution_measure(p.c);
            int meet = abut_mesh_collide(p.tree_a, p.tree_b, pose, NULL).outcome != ABUT_SEPARATED;
            CHECK(m.open <= 1e-12 && m.facets > 20);
            CHECK_NEAR(m.winding, round(m.winding), 1e-9);
            CHECK(meet || round(m.winding) == 0.0);
            CHECK(!meet || !convex || round(m.winding) == 1.0);
            apart += !meet, overlapping += meet;
        }
        close_pair(&p);
    }
    CHECK(apart >= count && overlapping >= count);
}

/* Over all vertices the indices add up to the Euler number of the solid, half that of its surface. */
static void indices_add_up(void **state) {
    (void)state;
    AbutRng rng = abut_rng(702, 1);
    for (int k = 0; k < CASES; ++k) {
        Pair p = open_case(k);
        for (int side = 0; side < 2; ++side) {
            const AbutRings *r = side ? &p.c->b : &p.c->a;
            int euler = (r->vertex_count - r->edge_count + r->face_count) / 2;
            for (int i = 0; i < check_cases(100); ++i) {
                AbutVec3 n = abut_random_direction(&rng);
                int sum = 0;
                for (int v = 0; v < r->vertex_count; ++v) sum += abut_vertex_index(r, r->vertex, r->normal, v, n, 0);
                assert_int_equal(sum, euler);
            }
        }
        close_pair(&p);
    }
}

typedef struct Tally {
    int64_t count[ABUT_FACET_KIND_COUNT], sum;
} Tally;

static void tally(const AbutFacet *f, void *user) {
    Tally *t = user;
    ++t->count[f->kind];
    t->sum += f->sign * (1 + f->a + 1000 * (int64_t)f->b);
}

static Tally all_pairs(const AbutConvolution *c, int whole) {
    Tally t = {{0, 0, 0}, 0};
    AbutVec3 n = abut_zero();
    for (int32_t f = 0; f < c->a.face_count; ++f)
        for (int32_t b = 0; b < c->b.vertex_count; ++b) {
            AbutFacet x = {ABUT_FACET_FACE_VERTEX, f, b, 0, n};
            x.sign = abut_vertex_index(&c->b, c->b_turned, c->b_normal, b, abut_neg(c->a.face_normal[f]), !whole);
            if (x.sign) tally(&x, &t);
        }
    for (int32_t a = 0; a < c->a.vertex_count; ++a)
        for (int32_t g = 0; g < c->b.face_count; ++g) {
            AbutFacet x = {ABUT_FACET_VERTEX_FACE, a, g, 0, n};
            x.sign = abut_vertex_index(&c->a, c->a.vertex, c->a.normal, a, abut_neg(c->b_face_normal[g]), !whole);
            if (x.sign) tally(&x, &t);
        }
    for (int32_t e = 0; e < c->a.edge_count; ++e)
        for (int32_t h = 0; h < c->b.edge_count; ++h) {
            AbutFacet x = {ABUT_FACET_EDGES, e, h, abut_edge_facet(c, e, h, !whole, &n), n};
            if (x.sign) tally(&x, &t);
        }
    return t;
}

static void the_walk_finds_every_facet(void **state) {
    (void)state;
    static const char *const names[] = {"cone", "cup", "torus", "cross"};
    AbutRng rng = abut_rng(703, 1);
    for (int k = 0; k < check_cases(16); ++k) {
        AbutMesh a, b;
        AbutError error;
        good(abut_mesh_make(names[k % 4], 60, NULL, &a, &error), &error);
        good(abut_mesh_make(names[k / 4 % 4], 40, NULL, &b, &error), &error);
        Pair p = open_pair(a, b);
        CHECK(abut_convolution_place(p.c, random_pose(&rng, &p)));
        for (int whole = 0; whole < 2; ++whole) {
            Tally want = all_pairs(p.c, whole), got = {{0, 0, 0}, 0};
            abut_convolution_facets(p.c, abut_zero(), 100.0, whole, tally, &got);
            assert_memory_equal(&want, &got, sizeof want);
        }
        close_pair(&p);
    }
}

/* ---- the boundary ------------------------------------------------------------------------------------------------ */

typedef struct Nearest {
    const AbutConvolution *c;
    AbutVec3 point;
    double distance;
} Nearest;

static double to_triangle(AbutVec3 p, AbutVec3 a, AbutVec3 b, AbutVec3 c) {
    AbutVec3 t[3] = {a, b, c};
    AbutConvex point = abut_convex_segment(p, p, 0.0), triangle = abut_convex_triangle(t[0], t[1], t[2], 0.0);
    return abut_convex_distance(&point, &triangle, abut_pose_identity(), NULL, NULL).distance;
}

static void keep_nearest(const AbutFacet *f, void *user) {
    Nearest *n = user;
    AbutFacetCorner p[4];
    int count = abut_facet_corners(n->c, f, p);
    for (int k = 2; k < count; ++k)
        n->distance = fmin(n->distance, to_triangle(n->point, p[0].place, p[k - 1].place, p[k].place));
}

static int overlap_at(const Pair *p, AbutPose pose, AbutVec3 shift) {
    pose.p = abut_add(pose.p, shift);
    return abut_mesh_collide(p->tree_a, p->tree_b, pose, NULL).outcome != ABUT_SEPARATED;
}

/* Where a ray of translations leaves or enters overlap there is a facet. */
static void boundary_points_lie_on_facets(void **state) {
    (void)state;
    AbutRng rng = abut_rng(704, 1);
    for (int k = 0; k < CASES; ++k) {
        Pair p = open_case(k);
        for (int i = 0; i < check_cases(12); ++i) {
            AbutPose pose = abut_pose(abut_zero(), abut_random_quat(&rng));
            AbutVec3 from = abut_scale(abut_random_direction(&rng), 0.5 * p.size * abut_rng_unit(&rng)),
                     to = abut_scale(abut_random_direction(&rng), 1.2 * p.size);
            int start = overlap_at(&p, pose, from);
            double low = 0.0, high = 1.0;
            if (start == overlap_at(&p, pose, to)) continue;
            for (int s = 0; s < 40; ++s) {
                double middle = 0.5 * (low + high);
                *(overlap_at(&p, pose, abut_lerp(from, to, middle)) == start ? &low : &high) = middle;
            }
            /* B moved by s meets A where s lies in the difference at no translation */
            CHECK(abut_convolution_place(p.c, pose));
            Nearest n = {p.c, abut_lerp(from, to, high), INFINITY};
            abut_convolution_facets(p.c, n.point, 1e-3, 0, keep_nearest, &n);
            CHECK(n.distance <= 1e-8);
        }
        close_pair(&p);
    }
}

/* Aligned boxes, whose faces are parallel: the chain is closed and has the volume of the sum of the sizes. */
static void parallel_faces_are_no_trouble(void **state) {
    (void)state;
    Pair p = open_pair(
        box_mesh(abut_zero(), abut_vec3(0.1, 0.2, 0.3), 0), box_mesh(abut_zero(), abut_vec3(0.3, 0.1, 0.2), 0));
    AbutConvolutionMeasure m = abut_convolution_measure(p.c);
    CHECK(m.open <= 1e-12);
    CHECK_NEAR(m.volume, 8 * 0.4 * 0.3 * 0.5, 1e-12);
    CHECK_NEAR(m.area, 8 * (0.4 * 0.3 + 0.3 * 0.5 + 0.5 * 0.4), 1e-12);
    CHECK_NEAR(m.winding, 1.0, 1e-9);
    close_pair(&p);
}

/* The kernel direction of convex bodies halves with the step, also where Euclid jumps. */
static void kernels_turn_continuously(void **state) {
    (void)state;
    static const int cases[] = {5, 6}; /* over an edge, deep through a box */
    for (int k = 0; k < 2; ++k) {
        Pair p = open_case(cases[k]);
        double turn[2] = {0.0, 0.0};
        for (int fine = 0; fine < 2; ++fine) {
            AbutVec3 last = abut_zero();
            for (int i = 0, steps = fine ? 200 : 100; i <= steps; ++i) {
                AbutPose pose = abut_direction_case_pose(cases[k], (double)i / steps);
                CHECK(abut_convolution_place(p.c, pose));
                AbutKernelDirection d = abut_kernel_direction(p.c, 0.05, 0.05);
                CHECK(d.coherence > 0.01 && d.coherence <= 1.0 + 1e-12);
                turn[fine] = fmax(turn[fine], abut_angle_between(last, d.direction));
                last = d.direction;
            }
        }
        CHECK_NEAR(turn[1] / turn[0], 0.525, 0.075);
        CHECK(abut_kernel_direction(p.c, 0.0, NAN).coherence == 0.0 &&
              abut_kernel_direction(p.c, 0.0, 0.0).coherence == 0.0);
        close_pair(&p);
    }
}

/* Tells sets of facets apart. */
static void mix(const AbutFacet *f, void *user) {
    uint64_t key = ((uint64_t)f->kind * 1000 + (uint64_t)f->a) * 1000 + (uint64_t)f->b + 1;
    *(uint64_t *)user += (key * 0x9E3779B97F4A7C15ull) >> 7;
}

/* Boxes with parallel faces, turned by a hair one way and the other: other facets, the same direction. */
static void kernels_pass_changes_of_facets(void **state) {
    (void)state;
    AbutRng rng = abut_rng(705, 1);
    Pair p = open_pair(
        box_mesh(abut_zero(), abut_vec3(0.1, 0.2, 0.3), 0), box_mesh(abut_zero(), abut_vec3(0.3, 0.1, 0.2), 0));
    int changed = 0, count = check_cases(50);
    for (int i = 0; i < count; ++i) {
        AbutVec3 place = abut_scale(abut_random_direction(&rng), 0.3),
                 turn = abut_scale(abut_random_direction(&rng), 1e-7);
        AbutKernelDirection d[2];
        uint64_t facets[2] = {0, 0};
        for (int k = 0; k < 2; ++k) {
            CHECK(abut_convolution_place(p.c, abut_pose(place, abut_quat_exp(abut_scale(turn, k ? -1.0 : 1.0)))));
            abut_convolution_facets(p.c, abut_zero(), 100.0, 0, mix, &facets[k]);
            d[k] = abut_kernel_direction(p.c, 0.05, 0.05);
        }
        changed += facets[0] != facets[1];
        CHECK(abut_angle_between(d[0].direction, d[1].direction) * 180.0 / ABUT_PI <= 0.1);
    }
    CHECK(2 * changed > count);
    close_pair(&p);
}

static void refuses(AbutMesh *a, AbutStatus want) {
    AbutMesh box = box_mesh(abut_zero(), abut_vec3(0.1, 0.1, 0.1), 0);
    AbutConvolution *c = NULL;
    AbutError error;
    assert_int_equal(abut_convolution_create(a, &box, &c, &error), want);
    assert_null(c);
    abut_mesh_free(&box);
    abut_mesh_free(a);
}

/* Two pyramids on one star with `corners` corners, of which every second is drawn in. */
static AbutMesh star_mesh(int corners, double inner) {
    AbutMesh m;
    AbutError error;
    good(abut_mesh_create(corners + 2, 2 * corners, &m, &error), &error);
    for (int i = 0; i < corners; ++i) {
        double angle = 2.0 * ABUT_PI * i / corners, radius = i % 2 ? inner : 1.0;
        m.vertices[i] = abut_vec3(radius * cos(angle), radius * sin(angle), 0.0);
        m.triangles[2 * i] = (AbutTriangle){{i, (i + 1) % corners, corners}};
        m.triangles[2 * i + 1] = (AbutTriangle){{(i + 1) % corners, i, corners + 1}};
    }
    m.vertices[corners] = abut_vec3(0, 0, 1), m.vertices[corners + 1] = abut_vec3(0, 0, -1);
    return m;
}

/* As many edges at a vertex as they like, where few of them are reflex. */
static void vertices_may_have_many_edges(void **state) {
    (void)state;
    AbutRng rng = abut_rng(711, 1);
    for (int k = 0; k < 2; ++k) {
        AbutMesh star = k ? star_mesh(500, 1.0) : star_mesh(64, 0.5);
        Pair p = open_pair(star, box_mesh(abut_zero(), abut_vec3(0.1, 0.2, 0.3), 0));
        for (int i = 0; i < check_cases(20); ++i) {
            int sum = 0;
            AbutVec3 n = i ? abut_random_direction(&rng) : abut_vec3(0.01, 0.001, 1.0);
            for (int v = 0; v < p.c->a.vertex_count; ++v)
                sum += abut_vertex_index(&p.c->a, p.c->a.vertex, p.c->a.normal, v, n, 0);
            assert_int_equal(sum, 1);
            CHECK(abut_convolution_place(p.c, random_pose(&rng, &p)));
            CHECK(abut_convolution_measure(p.c).open <= 1e-12);
        }
        close_pair(&p);
    }
    AbutMesh busy = star_mesh(80, 0.5);
    refuses(&busy, ABUT_ERROR_LIMIT);
}

static void bad_meshes_are_refused(void **state) {
    (void)state;
    AbutMesh open = box_mesh(abut_zero(), abut_vec3(1, 1, 1), 0), inward = box_mesh(abut_zero(), abut_vec3(1, 1, 1), 1);
    --open.triangle_count;
    refuses(&open, ABUT_ERROR_ARGUMENT);
    refuses(&inward, ABUT_ERROR_ARGUMENT);
    /* two boxes that share a corner */
    AbutMesh one = box_mesh(abut_zero(), abut_vec3(1, 1, 1), 0),
             two = box_mesh(abut_vec3(2, 2, 2), abut_vec3(1, 1, 1), 0);
    AbutMesh both = both_meshes(&one, &two);
    AbutError error;
    good(abut_mesh_weld(&both, &error), &error);
    abut_mesh_free(&one);
    abut_mesh_free(&two);
    refuses(&both, ABUT_ERROR_ARGUMENT);
    AbutMesh cone;
    good(abut_mesh_make("cylinder", 400, NULL, &cone, &error), &error);
    Pair p = open_pair(cone, box_mesh(abut_zero(), abut_vec3(1, 1, 1), 0));
    AbutPose nan = abut_pose(abut_vec3(NAN, 0, 0), abut_quat_identity()), twice = abut_pose_identity();
    twice.q.w = 2.0;
    CHECK(!abut_convolution_place(p.c, nan) && !abut_convolution_place(p.c, twice));
    close_pair(&p);
    abut_convolution_free(NULL);
}

static AbutStatus make_and_free(void) {
    AbutMesh mesh;
    AbutConvolution *c = NULL;
    AbutStatus status = abut_mesh_make("box", 12, NULL, &mesh, NULL);
    if (status != ABUT_OK) return status;
    status = abut_convolution_create(&mesh, &mesh, &c, NULL);
    abut_convolution_free(c);
    abut_mesh_free(&mesh);
    return status;
}

static void memory_may_fail(void **state) {
    (void)state;
    CHECK(check_memory_failures("convolution", make_and_free) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_are_closed),
        cmocka_unit_test(indices_add_up),
        cmocka_unit_test(the_walk_finds_every_facet),
        cmocka_unit_test(boundary_points_lie_on_facets),
        cmocka_unit_test(parallel_faces_are_no_trouble),
        cmocka_unit_test(kernels_turn_continuously),
        cmocka_unit_test(kernels_pass_changes_of_facets),
        cmocka_unit_test(vertices_may_have_many_edges),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
