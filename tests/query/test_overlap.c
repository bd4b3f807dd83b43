/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overlap of convex polyhedra: exact boxes, clipping against duality, topology, containment of every vertex, symmetry,
 * rigid motion, Monte Carlo volume, coplanar and touching faces, slivers, scales, caches, flat bodies, bad input.
 */
#include "abut/literature.h"
#include "abut/query.h"
#include "math/matrix.h"
#include "query/overlap_clip.h"
#include "query/overlap_trace.h"
#include "support/check.h"
#include "support/random_bodies.h"

#include <string.h>

typedef struct Pair {
    AbutPolyhedron *a, *b;
    void *memory;
    size_t size;
} Pair;

static AbutConvex solid(const AbutPolyhedron *p) { return abut_convex_polyhedron(p, 0.0); }

static Pair make_pair(AbutPolyhedron *a, AbutPolyhedron *b) {
    AbutConvex body_a = solid(a), body_b = solid(b);
    Pair p = {a, b, NULL, abut_overlap_workspace_size(&body_a, &body_b)};
    p.memory = abut_alloc(p.size);
    return p;
}

static void free_pair(Pair *p) {
    abut_free(p->memory);
    abut_polyhedron_free(p->a);
    abut_polyhedron_free(p->b);
}

static AbutOverlap ask(const Pair *p, AbutPose b_in_a) {
    AbutConvex a = solid(p->a), b = solid(p->b);
    return abut_overlap(&a, &b, b_in_a, NULL, p->memory, p->size);
}

static AbutOverlap ask_duality(const Pair *p, AbutPose b_in_a, void *memory, size_t size) {
    AbutConvex a = solid(p->a), b = solid(p->b);
    return abut_overlap_by_duality(&a, &b, b_in_a, memory, size);
}

static AbutPolyhedron *box(double x, double y, double z) {
    AbutPolyhedron *p = NULL;
    assert_int_equal(abut_polyhedron_box(abut_vec3(x, y, z), &p, NULL), ABUT_OK);
    return p;
}

/* Hull of points on an ellipsoid of random axes. */
static AbutPolyhedron *stretched_hull(AbutRng *rng, int points, double scale) {
    AbutVec3 axes;
    axes.x = abut_rng_between(rng, 0.3, 1), axes.y = abut_rng_between(rng, 0.3, 1);
    axes.z = abut_rng_between(rng, 0.3, 1);
    return random_hull(rng, points, abut_scale(axes, scale));
}

/* Most by which a point of A's frame passes a face of either body. */
static double beyond(const Pair *p, AbutPose b_in_a, AbutVec3 x) {
    double most = -INFINITY;
    AbutVec3 y = abut_pose_apply_inv(b_in_a, x);
    for (int i = 0; i < p->a->face_count; ++i) {
        AbutPlane plane = abut_polyhedron_faces(p->a)[i].plane;
        most = fmax(most, abut_dot(plane.normal, x) - plane.offset);
    }
    for (int i = 0; i < p->b->face_count; ++i) {
        AbutPlane plane = abut_polyhedron_faces(p->b)[i].plane;
        most = fmax(most, abut_dot(plane.normal, y) - plane.offset);
    }
    return most;
}

/* Every edge has a face on either side: each directed pair of corners occurs once, and once the other way. */
static void check_topology(const AbutOverlap *o) {
    assert_int_equal(o->vertex_count - o->corner_count / 2 + o->face_count, 2);
    static unsigned char seen[1500][1500];
    assert_true(o->vertex_count < 1500);
    for (int pass = 0; pass < 3; ++pass)
        for (int f = 0; f < o->face_count; ++f) {
            const AbutOverlapFace *face = &o->face[f];
            assert_true(face->count >= 3);
            for (int k = 0; k < face->count; ++k) {
                size_t u = (size_t)o->corner[face->first + k],
                       v = (size_t)o->corner[face->first + (k + 1) % face->count];
                assert_true(u < (size_t)o->vertex_count && v < (size_t)o->vertex_count && u != v);
                if (u >= 1500 || v >= 1500) return;
                if (pass == 0) {
                    assert_int_equal(seen[u][v], 0);
                    seen[u][v] = 1;
                } else if (pass == 1) {
                    assert_int_equal(seen[v][u], 1);
                } else {
                    seen[u][v] = 0;
                }
            }
        }
}

/* What must hold for every overlap with volume. */
static void check_overlap(const Pair *p, AbutPose b_in_a, const AbutOverlap *o) {
    double size = fmax(p->a->bound.radius, p->b->bound.radius), area = 0;
    AbutVec3 sum = abut_zero(), sum_a = abut_zero();
    double volume = 0; /* by heights over the centroid instead of determinants */
    assert_int_equal(o->outcome, ABUT_OVERLAP_VOLUME);
    check_topology(o);
    for (int v = 0; v < o->vertex_count; ++v) CHECK(beyond(p, b_in_a, o->vertex[v]) <= 1e-12 * size);
    for (int f = 0; f < o->face_count; ++f) {
        const AbutOverlapFace *face = &o->face[f];
        area += face->area;
        sum = abut_add_scaled(sum, face->plane.normal, face->area);
        if (face->owner == 0) sum_a = abut_add_scaled(sum_a, face->plane.normal, face->area);
        volume += face->area * (face->plane.offset - abut_dot(face->plane.normal, o->centroid)) / 3;
        for (int k = 0; k < face->count; ++k)
            CHECK_NEAR(
                abut_dot(face->plane.normal, o->vertex[o->corner[face->first + k]]), face->plane.offset, 1e-12 * size);
    }
    CHECK_NEAR(area, o->area, 1e-13 * area);
    CHECK(abut_length(sum) <= 1e-12 * size * sqrt(area) + 1e-12 * area);
    CHECK_VEC_NEAR(sum_a, o->area_vector, 1e-12 * size * sqrt(area) + 1e-12 * area);
    CHECK_NEAR(volume, o->volume, 1e-12 * size * area);
    CHECK_NEAR(abut_length(o->normal), 1, 1e-14);
    CHECK(beyond(p, b_in_a, o->centroid) < 0);
}

static void axis_aligned_boxes_are_exact(void **state) {
    (void)state;
    int volumes = 0, touching = 0, disjoint = 0;
    for (int ha = 1; ha <= 4; ++ha)
        for (int hb = 1; hb <= 4; ++hb) {
            double a = 0.25 * ha, b = 0.25 * hb;
            Pair p = make_pair(box(a, 2 * a, a), box(b, b, 0.5 * b));
            AbutVec3 half_a = {a, 2 * a, a}, half_b = {b, b, 0.5 * b};
            for (int i = 0; i < 9 * 9 * 9; ++i) {
                AbutVec3 t = abut_scale(abut_vec3(i % 9 - 4, i / 9 % 9 - 4, i / 81 - 4), 0.25);
                t = abut_mul(t, abut_add(half_a, half_b));
                AbutVec3 low = abut_max(abut_neg(half_a), abut_sub(t, half_b)),
                         high = abut_min(half_a, abut_add(t, half_b));
                AbutVec3 side = abut_sub(high, low);
                double least = fmin(side.x, fmin(side.y, side.z));
                AbutOverlap o = ask(&p, abut_pose(t, abut_quat_identity()));
                if (least > 0) {
                    ++volumes;
                    check_overlap(&p, abut_pose(t, abut_quat_identity()), &o);
                    CHECK_NEAR(o.volume, side.x * side.y * side.z, 1e-14);
                    CHECK_NEAR(o.area, 2 * (side.x * side.y + side.y * side.z + side.z * side.x), 1e-14);
                    CHECK_VEC_NEAR(o.centroid, abut_lerp(low, high, 0.5), 1e-14);
                    assert_int_equal(o.vertex_count, 8);
                    assert_int_equal(o.face_count, 6);
                } else {
                    touching += least == 0, disjoint += least < 0;
                    assert_int_equal(o.outcome, least < 0 ? ABUT_OVERLAP_DISJOINT : ABUT_OVERLAP_TOUCHING);
                    assert_true(o.volume == 0 && o.face_count == 0);
                }
            }
            free_pair(&p);
        }
    assert_true(volumes > 3000 && touching > 3000);
}

static void check_same(const AbutOverlap *o, const AbutOverlap *r, double size) {
    double tolerance = 1e-11 * o->volume + 1e-13 * size * o->area;
    CHECK_NEAR(o->volume, r->volume, tolerance);
    CHECK_NEAR(o->area, r->area, 1e-10 * o->area + 1e-12 * size * size);
    CHECK_VEC_NEAR(o->centroid, r->centroid, size * (1e-11 + 10 * tolerance / o->volume));
    CHECK_VEC_NEAR(o->area_vector, r->area_vector, 1e-10 * o->area + 1e-12 * size * size);
}

/* One random pair: all invariants, duality, swap and rigid motion. */
static int compare_paths(AbutRng *rng, int points_a, int points_b, double scale, double reach) {
    Pair p = make_pair(stretched_hull(rng, points_a, scale), stretched_hull(rng, points_b, scale));
    Pair q = {p.b, p.a, abut_alloc(p.size), p.size};
    AbutPose pose = random_pose(rng, reach * scale);
    AbutOverlap o = ask(&p, pose), dual = ask_duality(&p, pose, q.memory, q.size);
    double size = fmax(p.a->bound.radius, p.b->bound.radius);
    int found = o.outcome == ABUT_OVERLAP_VOLUME;
    assert_int_equal(o.outcome, dual.outcome);
    if (found) {
        check_overlap(&p, pose, &o);
        check_same(&o, &dual, size);
        assert_true(dual.face_count <= o.face_count + 2 && dual.face_count >= o.face_count - 2);
        AbutOverlap swapped = ask(&q, abut_pose_inv(pose));
        swapped.centroid = abut_pose_apply(pose, swapped.centroid);
        swapped.area_vector = abut_neg(abut_quat_rotate(pose.q, swapped.area_vector));
        check_same(&o, &swapped, size);
    } else {
        AbutConvex a = abut_convex_polyhedron(p.a, 0), b = abut_convex_polyhedron(p.b, 0);
        CHECK(abut_convex_distance(&a, &b, pose, NULL, NULL).distance > -1e-11 * size);
    }
    abut_free(q.memory);
    free_pair(&p);
    return found;
}

static void clipping_agrees_with_duality(void **state) {
    (void)state;
    AbutRng rng = abut_rng(31, 1);
    int found = 0, cases = check_cases(6000);
    for (int i = 0; i < cases; ++i)
        found += compare_paths(&rng, 4 + (int)abut_rng_below(&rng, 40), 4 + (int)abut_rng_below(&rng, 40), 1.0, 1.6);
    assert_true(found > cases / 4 && found < cases);
}

static void large_hulls_and_all_scales(void **state) {
    (void)state;
    AbutRng rng = abut_rng(32, 1);
    int found = 0, cases = check_cases(200);
    for (int i = 0; i < cases; ++i)
        found +=
            compare_paths(&rng, 200 + (int)abut_rng_below(&rng, 300), 8 + (int)abut_rng_below(&rng, 300), 1.0, 1.0);
    assert_true(found >= cases / 4);
    cases = check_cases(2000);
    for (int i = 0; i < cases; ++i) found += compare_paths(&rng, 12, 20, pow(10.0, abut_rng_between(&rng, -6, 6)), 1.2);
    assert_true(found >= cases / 4);
}

static void volume_agrees_with_monte_carlo(void **state) {
    (void)state;
    AbutRng rng = abut_rng(33, 1);
    for (int i = 0; i < check_cases(20); ++i) {
        Pair p = make_pair(stretched_hull(&rng, 30, 1.0), stretched_hull(&rng, 30, 1.0));
        AbutPose pose = random_pose(&rng, 0.5);
        AbutOverlap o = ask(&p, pose);
        int n = 40000, hits = 0;
        AbutVec3 side = abut_sub(p.a->box.max, p.a->box.min), mean = abut_zero();
        double all = side.x * side.y * side.z;
        for (int k = 0; k < n; ++k) {
            AbutVec3 u = abut_vec3(abut_rng_unit(&rng), abut_rng_unit(&rng), abut_rng_unit(&rng));
            AbutVec3 x = abut_add(p.a->box.min, abut_mul(side, u));
            if (beyond(&p, pose, x) <= 0) {
                ++hits;
                mean = abut_add(mean, x);
            }
        }
        double fraction = (double)hits / n;
        CHECK_NEAR(o.volume, all * fraction, 5 * all * sqrt((fraction + 1e-4) / n));
        if (hits > 1000) CHECK_VEC_NEAR(o.centroid, abut_scale(mean, 1.0 / hits), 6 / sqrt((double)hits));
        free_pair(&p);
    }
}

static void one_inside_the_other(void **state) {
    (void)state;
    AbutRng rng = abut_rng(34, 1);
    for (int i = 0; i < check_cases(500); ++i) {
        int big_first = i & 1;
        AbutPolyhedron *small = stretched_hull(&rng, 20, 0.05), *big = box(1, 1, 1);
        Pair p = make_pair(big_first ? big : small, big_first ? small : big);
        AbutPose pose = random_pose(&rng, 0.8);
        AbutOverlap o = ask(&p, pose);
        check_overlap(&p, pose, &o);
        CHECK_NEAR(o.volume, small->mass.volume, 1e-12 * o.volume);
        assert_int_equal(o.face_count, small->face_count);
        assert_int_equal(o.normal_from_depth, 1);
        for (int f = 0; f < o.face_count; ++f) assert_int_equal(o.face[f].owner, big_first);
        /* moving B out along the normal, by more than both bodies are wide, separates the pair */
        pose.p = abut_add_scaled(pose.p, o.normal, 4);
        assert_int_equal(ask(&p, pose).outcome, ABUT_OVERLAP_DISJOINT);
        free_pair(&p);
    }
}

/* Bodies that share face planes: exact answers, and poses that are off by rounding. */
static void coplanar_faces(void **state) {
    (void)state;
    AbutRng rng = abut_rng(35, 1);
    Pair p = make_pair(box(1, 1, 1), box(1, 1, 1));
    AbutOverlap o = ask(&p, abut_pose_identity());
    check_overlap(&p, abut_pose_identity(), &o);
    CHECK_NEAR(o.volume, 8, 1e-14);
    for (int i = 0; i < check_cases(20000); ++i) {
        double tiny = pow(10.0, abut_rng_between(&rng, -17, -8));
        AbutVec3 t =
            abut_vec3(abut_rng_below(&rng, 3) * 0.5, abut_rng_below(&rng, 3) * 0.5, abut_rng_below(&rng, 3) * 0.5);
        t = abut_add_scaled(t, abut_random_direction(&rng), tiny);
        AbutQuat turn =
            abut_quat_axis_angle(abut_axis((int)abut_rng_below(&rng, 3)), abut_rng_below(&rng, 4) * ABUT_PI / 2);
        AbutPose pose = abut_pose(t, abut_quat_mul(abut_quat_exp(abut_scale(abut_random_direction(&rng), tiny)), turn));
        o = ask(&p, pose);
        check_overlap(&p, pose, &o);
        CHECK_NEAR(o.volume, (2 - fabs(t.x)) * (2 - fabs(t.y)) * (2 - fabs(t.z)), 1e-14 + 20 * tiny);
    }
    free_pair(&p);
    /* a hull with itself, at the same place and turned by whole symmetries of its faces */
    for (int i = 0; i < check_cases(1000); ++i) {
        AbutRng twin = rng;
        int points = 6 + (int)abut_rng_below(&rng, 60);
        twin = rng;
        p = make_pair(stretched_hull(&rng, points, 1), stretched_hull(&twin, points, 1));
        double tiny = i % 2 ? 0.0 : pow(10.0, abut_rng_between(&rng, -17, -9));
        AbutQuat turn = abut_quat_exp(abut_scale(abut_random_direction(&rng), tiny));
        AbutPose pose = abut_pose(abut_scale(abut_random_direction(&rng), tiny), turn);
        o = ask(&p, pose);
        check_overlap(&p, pose, &o);
        CHECK_NEAR(o.volume, p.a->mass.volume, 1e-12 + 20 * tiny);
        free_pair(&p);
    }
}

static AbutPolyhedron *regular_body(AbutRng *rng) {
    static const int faces[] = {4, 6, 8, 12, 20};
    AbutPolyhedron *p = NULL;
    AbutVec3 v[40];
    switch (abut_rng_below(rng, 4)) {
    case 0:
        abut_polyhedron_prism(3 + (int)abut_rng_below(rng, 30), 1, 1, 1, &p, NULL);
        break;
    case 1:
        abut_polyhedron_prism(3 + (int)abut_rng_below(rng, 30), 1, 0.0, 1, &p, NULL);
        break;
    case 2:
        abut_polyhedron_regular(faces[abut_rng_below(rng, 5)], 1, &p, NULL);
        break;
    default: /* points of a grid: many faces with the same normals */
        for (int i = 0; i < 40; ++i)
            v[i] = abut_vec3(abut_rng_below(rng, 5) * 0.5, abut_rng_below(rng, 5) * 0.5, abut_rng_below(rng, 5) * 0.5);
        abut_polyhedron_from_points(v, 40, NULL, &p, NULL);
    }
    assert_non_null(p);
    return p;
}

/* Symmetric bodies at poses of their symmetry, exactly or off by next to nothing: faces, edges and vertices coincide.
 */
static void symmetric_bodies(void **state) {
    (void)state;
    AbutRng rng = abut_rng(40, 1);
    int volumes = 0, compared = 0, cases = check_cases(20000);
    for (int i = 0; i < cases; ++i) {
        AbutRng twin = rng;
        AbutPolyhedron *a = regular_body(&rng), *b = regular_body(abut_rng_below(&rng, 2) ? &twin : &rng);
        Pair p = make_pair(a, b);
        void *memory = abut_alloc(p.size);
        double tiny = i % 3 ? pow(10.0, abut_rng_between(&rng, -17, -6)) : 0;
        AbutVec3 t = abut_vec3(abut_rng_below(&rng, 3), abut_rng_below(&rng, 3), abut_rng_below(&rng, 3));
        t = abut_scale(t, i & 1 ? 0.25 : 0);
        uint32_t k = 1 + abut_rng_below(&rng, 30);
        AbutQuat turn =
            abut_quat_axis_angle(abut_axis((int)abut_rng_below(&rng, 3)), 2 * ABUT_PI * abut_rng_below(&rng, k) / k);
        AbutQuat off = abut_quat_exp(abut_scale(abut_random_direction(&rng), tiny));
        AbutPose pose = abut_pose(abut_add_scaled(t, abut_random_direction(&rng), tiny), abut_quat_mul(off, turn));
        AbutOverlap o = ask(&p, pose), dual = ask_duality(&p, pose, memory, p.size);
        assert_true(o.outcome <= ABUT_OVERLAP_DISJOINT);
        if (o.outcome == ABUT_OVERLAP_VOLUME) {
            ++volumes;
            check_topology(&o);
            for (int v = 0; v < o.vertex_count; ++v) CHECK(beyond(&p, pose, o.vertex[v]) <= 1e-10);
        }
        if (o.outcome == ABUT_OVERLAP_VOLUME && dual.outcome == ABUT_OVERLAP_VOLUME) {
            ++compared;
            CHECK_NEAR(o.volume, dual.volume, 1e-10 * o.area + 1e-12);
        }
        abut_free(memory);
        free_pair(&p);
    }
    assert_true(volumes > cases / 2 && compared > volumes * 0.99);
}

static void thin_overlaps(void **state) {
    (void)state;
    AbutRng rng = abut_rng(36, 1);
    Pair p = make_pair(box(1, 1, 1), box(0.5, 0.5, 0.5));
    int volumes = 0, touching = 0, disjoint = 0, cases = check_cases(4000);
    for (int i = 0; i < cases; ++i) {
        double depth = pow(10.0, abut_rng_between(&rng, -17, -2)) * (i & 1 ? 1 : -1);
        AbutVec3 t = abut_vec3(abut_rng_between(&rng, -0.25, 0.25), abut_rng_between(&rng, -0.25, 0.25), 1.5 - depth);
        AbutPose pose = abut_pose(t, abut_quat_axis_angle(abut_axis(2), abut_rng_between(&rng, 0, 6)));
        AbutOverlap o = ask(&p, pose);
        volumes += o.outcome == ABUT_OVERLAP_VOLUME, touching += o.outcome == ABUT_OVERLAP_TOUCHING;
        disjoint += o.outcome == ABUT_OVERLAP_DISJOINT;
        if (o.outcome == ABUT_OVERLAP_VOLUME) {
            assert_true(depth > 0);
            check_overlap(&p, pose, &o);
            CHECK_VEC_NEAR(o.normal, abut_axis(2), 1e-12);
        } else if (o.outcome == ABUT_OVERLAP_TOUCHING) {
            assert_true(fabs(depth) < 1e-9);
        } else {
            assert_int_equal(o.outcome, ABUT_OVERLAP_DISJOINT);
            assert_true(depth < -1e-11);
        }
        if (depth > 1e-11) assert_int_equal(o.outcome, ABUT_OVERLAP_VOLUME);
        if (depth < -1e-8) assert_int_equal(o.outcome, ABUT_OVERLAP_DISJOINT);
    }
    assert_true(volumes > cases / 40 && disjoint > cases / 40 && touching > cases / 40);
    free_pair(&p);
}

static void moving_both_changes_nothing(void **state) {
    (void)state;
    AbutRng rng = abut_rng(37, 1);
    for (int i = 0; i < check_cases(1000); ++i) {
        AbutVec3 va[24], vb[24],
            shift = abut_scale(abut_random_direction(&rng), pow(10.0, abut_rng_between(&rng, -2, 4)));
        AbutQuat turn = abut_random_quat(&rng);
        AbutPolyhedron *a = stretched_hull(&rng, 20, 1), *b = stretched_hull(&rng, 20, 1), *moved_a = NULL,
                       *moved_b = NULL;
        for (int k = 0; k < a->vertex_count; ++k)
            va[k] = abut_pose_apply(abut_pose(shift, turn), abut_polyhedron_vertices(a)[k]);
        for (int k = 0; k < b->vertex_count; ++k)
            vb[k] = abut_pose_apply(abut_pose(abut_neg(shift), turn), abut_polyhedron_vertices(b)[k]);
        abut_polyhedron_from_points(va, a->vertex_count, NULL, &moved_a, NULL);
        abut_polyhedron_from_points(vb, b->vertex_count, NULL, &moved_b, NULL);
        AbutPose pose = random_pose(&rng, 1.0);
        AbutPose back = abut_pose_inv(abut_pose(abut_neg(shift), turn));
        AbutPose moved = abut_pose_mul(abut_pose_mul(abut_pose(shift, turn), pose), back);
        Pair p = make_pair(a, b), q = make_pair(moved_a, moved_b);
        AbutOverlap o = ask(&p, pose), r = ask(&q, moved);
        double far = 1 + abut_length(shift);
        if (o.outcome == ABUT_OVERLAP_VOLUME && o.volume > 1e-6) {
            assert_int_equal(r.outcome, ABUT_OVERLAP_VOLUME);
            CHECK_NEAR(o.volume, r.volume, 1e-13 * far);
            CHECK_VEC_NEAR(
                abut_pose_apply(abut_pose(shift, turn), o.centroid), r.centroid, 1e-14 * far * (1 + 1 / o.volume));
            CHECK_VEC_NEAR(abut_quat_rotate(turn, o.area_vector), r.area_vector, 1e-13 * far * 10);
        }
        free_pair(&p);
        free_pair(&q);
    }
}

static void cache_changes_nothing(void **state) {
    (void)state;
    AbutRng rng = abut_rng(38, 1);
    for (int i = 0; i < check_cases(200); ++i) {
        Pair p = make_pair(stretched_hull(&rng, 30, 1), stretched_hull(&rng, 40, 1));
        AbutOverlapCache cache = {0};
        AbutConvex a = solid(p.a), b = solid(p.b);
        AbutPose pose = random_pose(&rng, 1.2);
        for (int k = 0; k < 20; ++k) {
            pose.p = abut_add_scaled(pose.p, abut_random_direction(&rng), 0.05);
            AbutOverlap o = abut_overlap(&a, &b, pose, &cache, p.memory, p.size);
            double volume = o.volume, area = o.area;
            AbutVec3 centroid = o.centroid;
            AbutOverlapOutcome outcome = o.outcome;
            o = ask(&p, pose);
            assert_int_equal(outcome, o.outcome);
            CHECK_NEAR(volume, o.volume, 1e-13);
            CHECK_NEAR(area, o.area, 1e-11);
            CHECK(abut_point_distance(centroid, o.centroid) * o.volume <= 1e-12);
        }
        memset(&cache, 0x7f, sizeof cache); /* rubbish is not trusted */
        abut_overlap(&a, &b, pose, &cache, p.memory, p.size);
        free_pair(&p);
    }
}

static void flat_bodies_and_bad_input(void **state) {
    (void)state;
    AbutVec3 square[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    AbutPolyhedron *flat = NULL, *point = NULL;
    assert_int_equal(abut_polyhedron_from_points(square, 4, NULL, &flat, NULL), ABUT_OK);
    assert_int_equal(abut_polyhedron_from_points(square, 1, NULL, &point, NULL), ABUT_OK);
    Pair p = make_pair(flat, box(0.5, 0.5, 0.5));
    AbutConvex dot = solid(point), cube = solid(p.b);
    AbutPose pose = abut_pose_identity();
    AbutOverlap o = ask(&p, pose);
    assert_int_equal(o.outcome, ABUT_OVERLAP_TOUCHING);
    assert_true(o.volume == 0);
    assert_int_equal(ask_duality(&p, pose, p.memory, p.size).outcome, ABUT_OVERLAP_TOUCHING);
    pose.p.z = 0.6;
    assert_int_equal(ask(&p, pose).outcome, ABUT_OVERLAP_DISJOINT);
    assert_int_equal(abut_overlap(&dot, &dot, abut_pose_identity(), NULL, NULL, 0).outcome, ABUT_OVERLAP_TOUCHING);
    assert_int_equal(abut_overlap(&dot, &dot, pose, NULL, NULL, 0).outcome, ABUT_OVERLAP_DISJOINT);
    pose.p.z = NAN;
    assert_int_equal(ask(&p, pose).outcome, ABUT_OVERLAP_INVALID);
    pose = abut_pose_identity();
    assert_int_equal(abut_overlap(&cube, &cube, pose, NULL, p.memory, 100).outcome, ABUT_OVERLAP_CAPACITY);
    assert_int_equal(abut_overlap(&cube, &cube, pose, NULL, NULL, 0).outcome, ABUT_OVERLAP_CAPACITY);
    abut_polyhedron_free(point);
    free_pair(&p);
}

/* A box as a kind gives what the same box gives as a polyhedron, with faces numbered -x, +x, -y, +y, -z, +z. */
static void boxes_as_kind(void **state) {
    (void)state;
    AbutRng rng = abut_rng(41, 1);
    int volumes = 0, cases = check_cases(2000);
    for (int i = 0; i < cases; ++i) {
        Pair p = make_pair(box(0.5, 1, 0.8), stretched_hull(&rng, 20, 1));
        AbutConvex a = abut_convex_box(abut_vec3(0.5, 1, 0.8), 0), b = solid(p.b);
        AbutPose pose = random_pose(&rng, 1.5);
        AbutOverlap o = abut_overlap(&a, &b, pose, NULL, p.memory, p.size);
        void *memory = abut_alloc(p.size);
        AbutOverlap r = abut_overlap_by_duality(&a, &b, pose, memory, p.size);
        assert_int_equal(o.outcome, r.outcome);
        if (o.outcome == ABUT_OVERLAP_VOLUME) {
            ++volumes;
            check_overlap(&p, pose, &o);
            check_same(&o, &r, 1);
            r = ask(&p, pose);
            check_same(&o, &r, 1);
            for (int f = 0; f < o.face_count; ++f)
                if (o.face[f].owner == 0)
                    CHECK_NEAR(
                        abut_get(o.face[f].plane.normal, o.face[f].source / 2), o.face[f].source % 2 ? 1 : -1, 0);
        }
        abut_free(memory);
        free_pair(&p);
    }
    assert_true(volumes > cases / 4 && volumes < cases);
}

/* Half-spaces against their place as a huge box: same set, one face. */
static void half_spaces(void **state) {
    (void)state;
    AbutRng rng = abut_rng(42, 1);
    int volumes = 0, from_depth = 0, cases = check_cases(2000);
    for (int i = 0; i < cases; ++i) {
        Pair p = make_pair(box(50, 50, 50), i % 4 ? stretched_hull(&rng, 30, 1) : box(1, 0.5, 0.7));
        AbutPlane plane = {abut_random_direction(&rng), abut_rng_between(&rng, -2, 2)};
        AbutQuat upright = abut_quat_between(abut_axis(2), plane.normal);
        AbutPose big = abut_pose(abut_scale(plane.normal, plane.offset - 50), upright), pose = random_pose(&rng, 2.5);
        AbutConvex ground = abut_convex_half_space(plane, 0), body = solid(p.b);
        AbutOverlap o = abut_overlap(&ground, &body, pose, NULL, p.memory, p.size);
        void *memory = abut_alloc(p.size);
        Pair q = {p.a, p.b, memory, p.size};
        AbutOverlap r = ask(&q, abut_pose_mul(abut_pose_inv(big), pose));
        assert_int_equal(o.outcome, r.outcome);
        if (o.outcome == ABUT_OVERLAP_VOLUME) {
            ++volumes, from_depth += o.normal_from_depth;
            check_topology(&o);
            r.centroid = abut_pose_apply(big, r.centroid);
            r.area_vector = abut_quat_rotate(big.q, r.area_vector);
            CHECK_NEAR(o.volume, r.volume, 1e-12);
            CHECK_NEAR(o.area, r.area, 1e-11);
            CHECK(abut_point_distance(o.centroid, r.centroid) * o.volume <= 1e-12);
            CHECK_VEC_NEAR(o.area_vector, r.area_vector, 1e-11);
            CHECK_VEC_NEAR(o.normal, plane.normal, 1e-12);
            for (int f = 0; f < o.face_count; ++f)
                assert_true(o.face[f].owner == 1 || (o.face[f].source == 0 && !o.normal_from_depth));
            /* the other way round, and by duality */
            AbutVec3 centroid = abut_pose_apply_inv(pose, o.centroid);
            double volume = o.volume;
            r = abut_overlap_by_duality(&ground, &body, pose, memory, p.size);
            check_same(&o, &r, 1);
            r = abut_overlap(&body, &ground, abut_pose_inv(pose), NULL, memory, p.size);
            CHECK_NEAR(r.volume, volume, 1e-13);
            CHECK(abut_point_distance(r.centroid, centroid) * volume <= 1e-12);
            CHECK_VEC_NEAR(abut_quat_rotate(pose.q, r.normal), abut_neg(plane.normal), 1e-12);
        }
        abut_free(memory);
        free_pair(&p);
    }
    assert_true(volumes > cases / 4 && from_depth > cases / 40 && volumes < cases);
}

/* A disc of many sides on the ground: its whole bottom is the contact. */
static void discs_of_many_sides(void **state) {
    (void)state;
    static const int sides[] = {300, 400, 600, 1000};
    AbutPlane plane = {{0, 0, 1}, 0};
    AbutConvex ground = abut_convex_half_space(plane, 0), slab = abut_convex_box(abut_vec3(1, 1, 0.5), 0);
    for (int i = 0; i < 4; ++i) {
        AbutPolyhedron *disc = NULL;
        assert_int_equal(abut_polyhedron_prism(sides[i], 0.1, 0.1, 0.02, &disc, NULL), ABUT_OK);
        AbutConvex body = solid(disc);
        size_t size = abut_overlap_workspace_size(&slab, &body);
        void *memory = abut_alloc(size);
        double area = 0.5 * sides[i] * 0.01 * sin(2 * ABUT_PI / sides[i]);
        for (int k = 0; k < 2; ++k) {
            AbutPose pose = abut_pose(abut_vec3(0, 0, k ? 0.5 + 0.009 : 0.009), abut_quat_identity());
            AbutOverlap o = abut_overlap(k ? &slab : &ground, &body, pose, NULL, memory, size);
            assert_int_equal(o.outcome, ABUT_OVERLAP_VOLUME);
            assert_int_equal(o.face_count, sides[i] + 2);
            CHECK_NEAR(o.volume, area * 0.001, 1e-15);
            CHECK_NEAR(abut_length(o.area_vector), area, 1e-13);
        }
        /* two such discs, turned against each other: every side of both cuts */
        size = abut_overlap_workspace_size(&body, &body);
        abut_free(memory);
        memory = abut_alloc(size);
        AbutPose pose = abut_pose(abut_vec3(0, 0, 0.019), abut_quat_axis_angle(abut_axis(2), ABUT_PI / sides[i]));
        AbutOverlap o = abut_overlap(&body, &body, pose, NULL, memory, size);
        assert_int_equal(o.outcome, ABUT_OVERLAP_VOLUME);
        assert_int_equal(o.face_count, 2 * sides[i] + 2);
        double inner = 0.1 * cos(ABUT_PI / sides[i]); /* a regular polygon of twice the sides around this circle */
        CHECK_NEAR(o.volume, 0.001 * 2 * sides[i] * inner * inner * tan(ABUT_PI / (2 * sides[i])), 1e-14);
        abut_free(memory);
        abut_polyhedron_free(disc);
    }
}

static void kinds_and_their_outcomes(void **state) {
    (void)state;
    double room[4096];
    AbutPlane up = {{0, 0, 1}, 0}, down = {{0, 0, -1}, 0}, bad = {{0, 0, 2}, 0};
    AbutConvex ground = abut_convex_half_space(up, 0), ceiling = abut_convex_half_space(down, 0),
               cube = abut_convex_box(abut_vec3(1, 1, 1), 0), ball = abut_convex_point(abut_zero(), 1),
               rounded = abut_convex_box(abut_vec3(1, 1, 1), 0.1), wrong = abut_convex_half_space(bad, 0),
               thick = abut_convex_half_space(up, 0.25), nan_box = abut_convex_box(abut_vec3(1, NAN, 1), 0),
               plate = abut_convex_box(abut_vec3(1, 1, 0), 0);
    AbutPose pose = abut_pose_identity(), raised = abut_pose(abut_vec3(0, 0, 1), pose.q),
             lowered = abut_pose(abut_vec3(0, 0, -1), pose.q);
#define OUTCOME(a, b, pose) (int)abut_overlap(&(a), &(b), pose, NULL, room, sizeof room).outcome
    assert_int_equal(OUTCOME(ground, ground, pose), ABUT_OVERLAP_UNBOUNDED);
    assert_int_equal(OUTCOME(ground, ceiling, pose), ABUT_OVERLAP_TOUCHING);
    assert_int_equal(OUTCOME(ground, ceiling, raised), ABUT_OVERLAP_DISJOINT);
    assert_int_equal(OUTCOME(ground, ceiling, lowered), ABUT_OVERLAP_UNBOUNDED);
    assert_int_equal(OUTCOME(ground, wrong, pose), ABUT_OVERLAP_INVALID);
    assert_int_equal(OUTCOME(ground, ball, pose), ABUT_OVERLAP_UNSUPPORTED);
    assert_int_equal(OUTCOME(rounded, cube, pose), ABUT_OVERLAP_UNSUPPORTED);
    assert_int_equal(OUTCOME(nan_box, cube, pose), ABUT_OVERLAP_INVALID);
    assert_int_equal(OUTCOME(cube, wrong, pose), ABUT_OVERLAP_INVALID);
    assert_int_equal(OUTCOME(plate, cube, pose), ABUT_OVERLAP_TOUCHING);
    assert_int_equal(OUTCOME(ground, plate, raised), ABUT_OVERLAP_DISJOINT);
    assert_int_equal(OUTCOME(ground, cube, raised), ABUT_OVERLAP_TOUCHING);
    assert_int_equal(abut_overlap_workspace_size(&ball, &cube), 0);
    AbutOverlap o = abut_overlap(&thick, &cube, raised, NULL, room, sizeof room);
    CHECK_NEAR(o.volume, 1, 1e-15); /* the plane lies a quarter above z = 0 */
    assert_int_equal(abut_overlap(&ground, &cube, pose, NULL, room, 100).outcome, ABUT_OVERLAP_CAPACITY);
#undef OUTCOME
}

/* Every vector form of the distances to a plane gives the bits of the plain one, free slots left out. */
static void kernels_give_the_same_bits(void **state) {
    (void)state;
    enum { MOST = 64 };
    AbutPointDistances *forms[3];
    int count = abut_point_distances(forms);
    double *memory = abut_alloc_array((size_t)MOST * 6, sizeof *memory);
    AbutRng rng = abut_rng(43, 1);
    for (int i = 0; i < 2000; ++i) {
        int32_t n = 1 + (int32_t)abut_rng_below(&rng, MOST), plain[MOST], other[MOST];
        double *d = memory + 4 * (size_t)MOST, least, low;
        AbutPointRows rows = {memory, memory + MOST, memory + 2 * (size_t)MOST, memory + 3 * (size_t)MOST, n};
        for (int k = 0; k < MOST; ++k) {
            rows.x[k] = k >= n || abut_rng_below(&rng, 5) == 0 ? NAN : abut_rng_normal(&rng);
            rows.y[k] = abut_rng_normal(&rng), rows.z[k] = abut_rng_normal(&rng);
        }
        AbutPlane plane = {abut_random_direction(&rng), abut_rng_between(&rng, -1, 1)};
        int32_t found = forms[0](&rows, plane, 0.01, plain, &least);
        memcpy(d, rows.d, (size_t)n * sizeof *d);
        for (int f = 1; f < count; ++f) {
            assert_int_equal(forms[f](&rows, plane, 0.01, other, &low), found);
            assert_memory_equal(other, plain, (size_t)found * sizeof *plain);
            assert_memory_equal(&low, &least, sizeof low);
            for (int k = 0; k < n; ++k) assert_true(rows.d[k] == d[k] || (isnan(rows.d[k]) && isnan(d[k])));
        }
    }
    abut_free(memory);
}

/* Deep hulls: the curves of crossing are found nearly always, and give what the duality gives. */
static void deep_hulls_are_traced(void **state) {
    (void)state;
    AbutRng rng = abut_rng(41, 1);
    int traced = 0, cases = check_cases(1500);
    for (int i = 0; i < cases; ++i) {
        AbutPolyhedron *hull = stretched_hull(&rng, 4 + (int)abut_rng_below(&rng, 60), 1.0);
        Pair p = make_pair(hull, stretched_hull(&rng, 4 + (int)abut_rng_below(&rng, i % 4 ? 60 : 300), 1.0));
        AbutPose pose = random_pose(&rng, i % 5 ? 0.2 : 0.0);
        AbutConvex a = solid(p.a), b = solid(p.b);
        int faces = p.a->face_count + p.b->face_count;
        AbutOverlapBodies bodies;
        AbutOverlap o = {0};
        AbutOverlapArrays arrays = abut_overlap_arrays(p.memory, faces);
        assert_int_equal(abut_overlap_view(&bodies, &a, &b, pose), ABUT_OVERLAP_VOLUME);
        o.vertex = arrays.vertex, o.face = arrays.face, o.corner = arrays.corner;
        if (abut_overlap_trace(&bodies, (char *)p.memory + abut_overlap_result_size(faces), arrays, &o)) {
            abut_overlap_measure(&bodies, arrays, &o);
            check_overlap(&p, pose, &o);
            double volume = o.volume;
            CHECK_NEAR(abut_overlap_by_duality(&a, &b, pose, p.memory, p.size).volume, volume, 1e-12);
            ++traced;
        }
        free_pair(&p);
    }
    CHECK(traced > cases * 9 / 10);
}

static void overlap_becomes_a_mesh(void **state) {
    (void)state;
    AbutRng rng = abut_rng(39, 1);
    Pair p = make_pair(stretched_hull(&rng, 40, 1), stretched_hull(&rng, 40, 1));
    AbutPose pose = random_pose(&rng, 0.3), world = random_pose(&rng, 5);
    AbutOverlap o = ask(&p, pose);
    AbutMesh mesh;
    AbutMeshReport report;
    assert_int_equal(abut_overlap_to_mesh(&o, world, &mesh, NULL), ABUT_OK);
    assert_int_equal(abut_mesh_report(&mesh, &report, NULL), ABUT_OK);
    assert_true(report.closed && report.oriented && report.outward && report.components == 1);
    CHECK_NEAR(report.mass.volume, o.volume, 1e-13);
    CHECK_VEC_NEAR(report.mass.centroid, abut_pose_apply(world, o.centroid), 1e-12);
    abut_mesh_free(&mesh);
    o.outcome = ABUT_OVERLAP_DISJOINT;
    AbutError error;
    assert_int_equal(abut_overlap_to_mesh(&o, world, &mesh, &error), ABUT_ERROR_EMPTY);
    free_pair(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axis_aligned_boxes_are_exact),
        cmocka_unit_test(clipping_agrees_with_duality),
        cmocka_unit_test(large_hulls_and_all_scales),
        cmocka_unit_test(volume_agrees_with_monte_carlo),
        cmocka_unit_test(one_inside_the_other),
        cmocka_unit_test(coplanar_faces),
        cmocka_unit_test(symmetric_bodies),
        cmocka_unit_test(thin_overlaps),
        cmocka_unit_test(moving_both_changes_nothing),
        cmocka_unit_test(cache_changes_nothing),
        cmocka_unit_test(flat_bodies_and_bad_input),
        cmocka_unit_test(boxes_as_kind),
        cmocka_unit_test(half_spaces),
        cmocka_unit_test(discs_of_many_sides),
        cmocka_unit_test(kinds_and_their_outcomes),
        cmocka_unit_test(kernels_give_the_same_bits),
        cmocka_unit_test(deep_hulls_are_traced),
        cmocka_unit_test(overlap_becomes_a_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
