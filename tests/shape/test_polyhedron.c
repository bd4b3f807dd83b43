/* SPDX-License-Identifier: Apache-2.0 */
/* The polyhedron block: makers, mass, half-spaces, check of untrusted blocks, memory failures, mesh and sphere. */
#include "support/check.h"

#include "abut/shape.h"
#include "shape/hull.h"
#include "support/hull_check.h"
#include "support/memory.h"

#include <string.h>

static void expect_sound(const AbutPolyhedron *p) {
    const AbutVec3 *v = abut_polyhedron_vertices(p);
    double extent = abut_max_abs(abut_sub(p->box.max, p->box.min));
    const char *fault = hull_fault(
        p, v, p->vertex_count, 1e-10 * extent + 1e-14 * fmax(abut_max_abs(p->box.min), abut_max_abs(p->box.max)));
    if (fault) fail_msg("polyhedron of %d vertices: %s", p->vertex_count, fault);
}

static void expect_box_mass(AbutMass m, AbutVec3 h, double part) {
    double volume = 8.0 * h.x * h.y * h.z;
    CHECK_NEAR(m.volume, volume, part * volume);
    double area = 8.0 * (h.x * h.y + h.y * h.z + h.z * h.x);
    CHECK_NEAR(m.area, area, part * area);
    CHECK_NEAR(m.inertia.x.x, volume / 3.0 * (h.y * h.y + h.z * h.z), part * volume * abut_length_sq(h));
    CHECK_NEAR(m.inertia.y.y, volume / 3.0 * (h.x * h.x + h.z * h.z), part * volume * abut_length_sq(h));
    CHECK_NEAR(m.inertia.z.z, volume / 3.0 * (h.x * h.x + h.y * h.y), part * volume * abut_length_sq(h));
    CHECK_NEAR(m.inertia.x.y, 0.0, part * volume * abut_length_sq(h));
}

static void box_keeps_its_promises(void **state) {
    (void)state;
    AbutRng rng = abut_rng(1, 0);
    for (int c = 0; c < check_cases(300); ++c) {
        double scale = pow(10.0, abut_rng_between(&rng, -9.0, 9.0));
        AbutVec3 h = abut_vec3(scale * abut_rng_between(&rng, 0.1, 1.0), scale * abut_rng_between(&rng, 0.1, 1.0),
            scale * abut_rng_between(&rng, 0.1, 1.0));
        AbutPolyhedron *box;
        assert_int_equal(abut_polyhedron_box(h, &box, NULL), ABUT_OK);
        expect_sound(box);
        for (int i = 0; i < 8; ++i) {
            AbutVec3 v = abut_polyhedron_vertices(box)[i];
            CHECK(v.x == (i & 1 ? h.x : -h.x) && v.y == (i & 2 ? h.y : -h.y) && v.z == (i & 4 ? h.z : -h.z));
        }
        for (int f = 0; f < 6; ++f) {
            AbutPlane plane = abut_polyhedron_faces(box)[f].plane;
            CHECK(abut_get(plane.normal, f / 2) == (f % 2 ? 1.0 : -1.0) && plane.offset == abut_get(h, f / 2));
        }
        expect_box_mass(box->mass, h, 1e-14);
        CHECK_VEC_NEAR(box->mass.centroid, abut_zero(), 1e-15 * scale);
        CHECK_NEAR(box->inner_radius, fmin(h.x, fmin(h.y, h.z)), 1e-15 * scale);
        CHECK_NEAR(box->bound.radius, abut_length(h), 1e-12 * scale);
        abut_polyhedron_free(box);
    }
    AbutPolyhedron *box;
    AbutError error;
    AbutVec3 wrong[] = {{0, 1, 1}, {1, -1, 1}, {1, 1, NAN}, {INFINITY, 1, 1}, {1, 1e-60, 1}, {1e60, 1, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        assert_int_equal(abut_polyhedron_box(wrong[i], &box, &error), ABUT_ERROR_ARGUMENT);
        assert_null(box);
    }
}

/* A box anywhere in any orientation has the inertia of the box, turned. */
static void mass_follows_rotation(void **state) {
    (void)state;
    AbutRng rng = abut_rng(2, 0);
    for (int c = 0; c < check_cases(200); ++c) {
        AbutVec3 h = abut_vec3(abut_rng_between(&rng, 0.1, 1.0), abut_rng_between(&rng, 0.1, 1.0),
                     abut_rng_between(&rng, 0.1, 1.0)),
                 p[8];
        AbutPose x = abut_pose(abut_scale(abut_random_direction(&rng), 10.0), abut_random_quat(&rng));
        AbutPolyhedron *box, *turned;
        assert_int_equal(abut_polyhedron_box(h, &box, NULL), ABUT_OK);
        for (int i = 0; i < 8; ++i) p[i] = abut_pose_apply(x, abut_polyhedron_vertices(box)[i]);
        assert_int_equal(abut_polyhedron_from_points(p, 8, NULL, &turned, NULL), ABUT_OK);
        AbutMat3 r = abut_quat_to_mat3(x.q);
        AbutMass m = turned->mass;
        m.inertia = abut_mat3_mul(abut_mat3_mul_t(r, m.inertia), r);
        expect_box_mass(m, h, 2e-13);
        CHECK_VEC_NEAR(m.centroid, x.p, 1e-13);
        abut_polyhedron_free(box);
        abut_polyhedron_free(turned);
    }
}

static void named_polyhedra(void **state) {
    (void)state;
    static const int faces[] = {4, 6, 8, 12, 20}, vertices[] = {4, 8, 6, 20, 12}, sides[] = {3, 4, 3, 5, 3};
    static const double volume[] = {0.513200239279667, 1.53960071783900, 4.0 / 3.0, 2.78516386312262, 2.53615071012041};
    AbutPolyhedron *p;
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(abut_polyhedron_regular(faces[i], 2.0, &p, NULL), ABUT_OK);
        expect_sound(p);
        assert_int_equal(p->face_count, faces[i]);
        assert_int_equal(p->vertex_count, vertices[i]);
        for (int f = 0; f < p->face_count; ++f) assert_int_equal(abut_polyhedron_faces(p)[f].count, sides[i]);
        CHECK_NEAR(p->mass.volume, 8.0 * volume[i], 1e-13);
        CHECK_NEAR(p->bound.radius, 2.0, 1e-12);
        abut_polyhedron_free(p);
    }
    assert_int_equal(abut_polyhedron_regular(5, 1.0, &p, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_polyhedron_regular(4, -1.0, &p, NULL), ABUT_ERROR_ARGUMENT);
    for (int n = 3; n < 5000; n = 2 * n + 1) {
        double base = 0.5 * n * sin(2.0 * ABUT_PI / n);
        assert_int_equal(abut_polyhedron_prism(n, 1.0, 1.0, 3.0, &p, NULL), ABUT_OK);
        assert_int_equal(abut_polyhedron_check(p, (size_t)p->bytes, NULL), ABUT_OK);
        assert_int_equal(p->face_count, n + 2);
        CHECK_NEAR(p->mass.volume, 3.0 * base, 1e-12);
        abut_polyhedron_free(p);
        assert_int_equal(abut_polyhedron_prism(n, 1.0, 0.0, 3.0, &p, NULL), ABUT_OK);
        assert_int_equal(abut_polyhedron_check(p, (size_t)p->bytes, NULL), ABUT_OK);
        assert_int_equal(p->face_count, n + 1);
        CHECK_NEAR(p->mass.volume, base, 1e-12);
        CHECK_NEAR(p->mass.centroid.z, -0.75, 1e-12);
        abut_polyhedron_free(p);
    }
    assert_int_equal(abut_polyhedron_prism(2, 1.0, 1.0, 1.0, &p, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_polyhedron_prism(3, 0.0, 0.0, 1.0, &p, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_polyhedron_prism(3, 1.0, 0.0, NAN, &p, NULL), ABUT_ERROR_ARGUMENT);
}

static void hull_planes_give_the_hull_back(void **state) {
    (void)state;
    AbutRng rng = abut_rng(3, 0);
    int cases = check_cases(600);
    for (int c = 0; c < cases; ++c) {
        AbutVec3 points[60];
        AbutPlane planes[300];
        double scale = pow(10.0, abut_rng_between(&rng, -6.0, 6.0));
        AbutVec3 shift =
            abut_scale(abut_random_direction(&rng), scale * abut_rng_between(&rng, 0.0, c % 2 ? 100.0 : 1.0));
        AbutVec3 squeeze = c % 3 ? abut_vec3(1, 1, 1) : abut_vec3(1.0, 0.1, 0.01);
        int n = 4 + (int)abut_rng_below(&rng, 56), count = 0;
        for (int i = 0; i < n; ++i)
            points[i] = abut_add(abut_scale(abut_mul(abut_random_direction(&rng), squeeze), scale), shift);
        AbutPolyhedron *hull, *again;
        AbutError error;
        assert_int_equal(abut_polyhedron_from_points(points, n, NULL, &hull, &error), ABUT_OK);
        for (int f = 0; f < hull->face_count; ++f) {
            double s = pow(10.0, abut_rng_between(&rng, -3.0, 3.0));
            AbutPlane plane = abut_polyhedron_faces(hull)[f].plane;
            planes[count].normal = abut_scale(plane.normal, s);
            planes[count++].offset = plane.offset * s;
        }
        for (int i = 0; i < 20; ++i) { /* planes that cut nothing, and rows without a direction */
            AbutVec3 d = i % 2 ? abut_random_direction(&rng) : abut_zero();
            planes[count].normal = d;
            planes[count++].offset = i % 2 ? abut_dot(d, shift) + 1.5 * scale : 1.0;
        }
        if (abut_polyhedron_from_planes(planes, count, &again, &error) != ABUT_OK)
            fail_msg("case %d, %d planes: %s", c, count, error.text);
        expect_sound(again);
        double part = 1e-9 * (c % 3 ? 1.0 : 100.0);
        CHECK_NEAR(again->mass.volume, hull->mass.volume, part * pow(scale, 3.0));
        CHECK_VEC_NEAR(again->mass.centroid, hull->mass.centroid, 1e-4 * scale);
        abut_polyhedron_free(hull);
        abut_polyhedron_free(again);
    }
}

static AbutStatus planes_status(const AbutPlane *planes, int count) {
    AbutPolyhedron *p;
    AbutError error;
    AbutStatus status = abut_polyhedron_from_planes(planes, count, &p, &error);
    assert_true((status == ABUT_OK) == (p != NULL));
    abut_polyhedron_free(p);
    return status;
}

static void half_spaces_without_a_polyhedron(void **state) {
    (void)state;
    AbutPlane box[8] = {{{1, 0, 0}, 1}, {{-1, 0, 0}, 1}, {{0, 1, 0}, 1}, {{0, -1, 0}, 1}, {{0, 0, 1}, 1},
        {{0, 0, -1}, 1}, {{0, 0, 0}, 0}, {{1, 1, 1}, 9}};
    assert_int_equal(planes_status(box, 8), ABUT_OK);
    for (int n = 0; n < 6; ++n) assert_int_equal(planes_status(box, n), ABUT_ERROR_ARGUMENT);
    box[6].offset = -1;
    assert_int_equal(planes_status(box, 8), ABUT_ERROR_EMPTY);
    box[6].offset = 0;
    box[7].offset = -3.001;
    assert_int_equal(planes_status(box, 8), ABUT_ERROR_EMPTY);
    box[7].offset = -3;
    assert_int_equal(planes_status(box, 8), ABUT_ERROR_DEGENERATE);
    box[7].offset = -2.99;
    assert_int_equal(planes_status(box, 8), ABUT_OK);
    box[7].offset = NAN;
    assert_int_equal(planes_status(box, 8), ABUT_ERROR_NUMBER);
    box[7].offset = 9;
    box[5].offset = -1; /* z = 1 */
    assert_int_equal(planes_status(box, 8), ABUT_ERROR_DEGENERATE);
    box[5].offset = -1.001;
    assert_int_equal(planes_status(box, 8), ABUT_ERROR_EMPTY);
    assert_int_equal(planes_status(box + 4, 2), ABUT_ERROR_EMPTY);
    AbutPlane cone[3] = {{{1, 0, 0}, 0}, {{0, 1, 0}, 0}, {{0, 0, 1}, 0}};
    assert_int_equal(planes_status(cone, 3), ABUT_ERROR_ARGUMENT);
    AbutPlane zero = {{0, 0, 0}, 1};
    assert_int_equal(planes_status(&zero, 1), ABUT_ERROR_ARGUMENT);
}

static void block_can_be_moved(void **state) {
    (void)state;
    AbutPolyhedron *p;
    assert_int_equal(abut_polyhedron_regular(12, 1.0, &p, NULL), ABUT_OK);
    AbutPolyhedron *copy = malloc((size_t)p->bytes);
    assert_non_null(copy);
    memcpy(copy, p, (size_t)p->bytes);
    size_t bytes = (size_t)p->bytes;
    memset(p, 0xab, bytes);
    abut_polyhedron_free(p);
    expect_sound(copy);
    assert_int_equal(copy->face_count, 12);
    assert_int_equal(abut_polyhedron_check(copy, bytes, NULL), ABUT_OK);
    free(copy);
}

/* Any changed byte is found; and with the hash made right again nothing unsafe passes. */
static void check_finds_damage(void **state) {
    (void)state;
    AbutRng rng = abut_rng(4, 0);
    AbutPolyhedron *p;
    AbutError error;
    assert_int_equal(abut_polyhedron_regular(20, 1.0, &p, NULL), ABUT_OK);
    size_t bytes = (size_t)p->bytes;
    AbutPolyhedron *copy = abut_alloc(bytes);
    for (size_t at = 0; at < bytes; ++at) {
        memcpy(copy, p, bytes);
        ((unsigned char *)copy)[at] ^= (unsigned char)(1u << abut_rng_below(&rng, 8));
        assert_int_equal(abut_polyhedron_check(copy, bytes, &error), ABUT_ERROR_FORMAT);
    }
    for (size_t cut = 0; cut < bytes; cut += 7)
        assert_int_equal(abut_polyhedron_check(p, cut, &error), ABUT_ERROR_FORMAT);
    assert_int_equal(abut_polyhedron_check(NULL, 0, &error), ABUT_ERROR_FORMAT);
    int rejected = 0, cases = check_cases(20000);
    for (int c = 0; c < cases; ++c) {
        memcpy(copy, p, bytes);
        size_t at = (size_t)p->half_edge_at + 4 * abut_rng_below(&rng, (uint32_t)(bytes - p->half_edge_at) / 4);
        int32_t value = (int32_t)abut_rng_below(&rng, 40) - 3;
        if (memcmp((unsigned char *)copy + at, &value, 4) == 0) continue;
        memcpy((unsigned char *)copy + at, &value, 4);
        copy->hash = abut_polyhedron_hash(copy);
        rejected += abut_polyhedron_check(copy, bytes, &error) != ABUT_OK;
    }
    assert_true(rejected > cases * 6 / 10); /* gaps between parts and low bits of planes may pass */
    abut_free(copy);
    abut_polyhedron_free(p);
}

/* Geometry that lies, with all indices and the hash in order. */
static void check_finds_lies(void **state) {
    (void)state;
    AbutPolyhedron *p;
    for (int lie = 0; lie < 8; ++lie) {
        assert_int_equal(abut_polyhedron_box(abut_vec3(1, 2, 3), &p, NULL), ABUT_OK);
        AbutVec3 *v = (AbutVec3 *)((unsigned char *)p + p->vertex_at);
        AbutFace *f = (AbutFace *)((unsigned char *)p + p->face_at);
        double *row = (double *)((unsigned char *)p + p->row_at);
        switch (lie) {
        case 0:
            v[3].x = row[3] = 0.5; /* dents a face */
            break;
        case 1:
            f[2].plane.offset *= 1.01;
            break;
        case 2:
            f[2].plane.normal = abut_scale(f[2].plane.normal, 1.001);
            break;
        case 3:
            p->mass.volume *= 1.001;
            break;
        case 4:
            p->bound.radius *= 0.999;
            break;
        case 5:
            p->inner_radius = 2.0;
            break;
        case 6:
            p->box.max.x += 1.0;
            break;
        default:
            v[0].z = NAN;
            break;
        }
        p->hash = abut_polyhedron_hash(p);
        assert_int_equal(abut_polyhedron_check(p, (size_t)p->bytes, NULL), ABUT_ERROR_FORMAT);
        abut_polyhedron_free(p);
    }
}

/* ---- memory that runs out ---------------------------------------------------------------------------------------- */

static AbutStatus make_kind(int kind, AbutPolyhedron **out) {
    AbutRng rng = abut_rng(5, 0);
    AbutVec3 points[200];
    AbutPlane planes[30];
    for (int i = 0; i < 200; ++i)
        points[i] =
            abut_mul(abut_random_direction(&rng), abut_vec3(1, kind == 1 ? 0 : 1, kind <= 2 && kind > 0 ? 0 : 1));
    for (int i = 0; i < 30; ++i) {
        planes[i].normal = points[i];
        planes[i].offset = 1.0;
    }
    switch (kind) {
    case 3:
        return abut_polyhedron_from_planes(planes, 30, out, NULL);
    case 4:
        return abut_polyhedron_prism(9, 1.0, 1.0, 1.0, out, NULL);
    case 5:
        return abut_polyhedron_box(abut_vec3(1, 1, 1), out, NULL);
    default:
        return abut_polyhedron_from_points(points, 200, NULL, out, NULL);
    }
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    FailingMemory memory = {0, 0};
    AbutAllocator table = {failing_alloc, failing_release, &memory};
    abut_set_allocator(&table);
    int failures = 0;
    for (int kind = 0; kind < 6; ++kind) {
        AbutStatus status = ABUT_ERROR_MEMORY;
        for (int allowed = 0; status != ABUT_OK && allowed < 1000; ++allowed) {
            AbutPolyhedron *p;
            memory.left = allowed;
            status = make_kind(kind, &p);
            assert_true(status == ABUT_OK || status == ABUT_ERROR_MEMORY);
            if (status == ABUT_OK) {
                AbutMesh mesh;
                memory.left = 1;
                if (p->dimension >= 2) {
                    assert_int_equal(abut_polyhedron_to_mesh(p, &mesh, NULL), ABUT_ERROR_MEMORY);
                    memory.left = 0;
                    assert_int_equal(abut_polyhedron_check(p, (size_t)p->bytes, NULL), ABUT_ERROR_MEMORY);
                }
            } else {
                ++failures;
                assert_null(p);
            }
            abut_polyhedron_free(p);
            assert_int_equal(memory.live, 0);
        }
        assert_int_equal(status, ABUT_OK);
    }
    abut_set_allocator(NULL);
    assert_true(failures > 40);
}

static void mesh_and_back(void **state) {
    (void)state;
    AbutPolyhedron *p, *again;
    AbutMesh mesh;
    AbutError error;
    for (int kind = 0; kind < 3; ++kind) {
        AbutStatus made = kind == 0   ? abut_polyhedron_regular(12, 1.0, &p, NULL)
                          : kind == 1 ? abut_polyhedron_prism(50, 1.0, 1.0, 1.0, &p, NULL)
                                      : abut_polyhedron_box(abut_vec3(1, 2, 3), &p, NULL);
        assert_int_equal(made, ABUT_OK);
        assert_int_equal(abut_polyhedron_to_mesh(p, &mesh, &error), ABUT_OK);
        assert_int_equal(mesh.triangle_count, 2 * p->vertex_count - 4);
        double volume = 0.0;
        for (int i = 0; i < mesh.triangle_count; ++i) {
            const int32_t *v = mesh.triangles[i].v;
            volume += abut_triple(mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]) / 6.0;
        }
        CHECK_NEAR(volume, p->mass.volume, 1e-12 * p->mass.volume);
        assert_int_equal(abut_polyhedron_from_points(mesh.vertices, mesh.vertex_count, NULL, &again, &error), ABUT_OK);
        assert_int_equal(again->vertex_count, p->vertex_count);
        assert_int_equal(again->face_count, p->face_count);
        abut_polyhedron_free(again);
        abut_polyhedron_free(p);
        abut_mesh_free(&mesh);
        assert_null(mesh.vertices);
    }
    AbutVec3 line[2] = {{0, 0, 0}, {1, 0, 0}};
    assert_int_equal(abut_polyhedron_from_points(line, 2, NULL, &p, NULL), ABUT_OK);
    assert_int_equal(abut_polyhedron_to_mesh(p, &mesh, &error), ABUT_ERROR_DEGENERATE);
    abut_polyhedron_free(p);
    assert_int_equal(abut_mesh_create(-1, 3, &mesh, &error), ABUT_ERROR_ARGUMENT);
}

/* Radius of the smallest sphere by many small steps of the center towards the farthest point. */
static double least_radius(const AbutVec3 *points, int count) {
    AbutVec3 c = points[0];
    double least = INFINITY;
    for (int step = 1; step < 20000; ++step) {
        int at = 0;
        for (int i = 1; i < count; ++i)
            if (abut_point_distance(points[i], c) > abut_point_distance(points[at], c)) at = i;
        least = fmin(least, abut_point_distance(points[at], c));
        c = abut_lerp(c, points[at], 1.0 / (step + 1));
    }
    return least;
}

static void bounding_sphere_is_smallest(void **state) {
    (void)state;
    AbutRng rng = abut_rng(6, 0);
    for (int c = 0; c < check_cases(120); ++c) {
        AbutVec3 points[40];
        int n = 1 + (int)abut_rng_below(&rng, 40);
        double scale = pow(10.0, abut_rng_between(&rng, -9.0, 9.0));
        AbutVec3 shape = c % 4 == 0 ? abut_vec3(1, 0, 0) : (c % 4 == 1 ? abut_vec3(1, 1, 0) : abut_vec3(1, 1, 1));
        for (int i = 0; i < n; ++i) {
            AbutVec3 d = c % 5 ? abut_random_direction(&rng)
                               : abut_vec3(abut_rng_below(&rng, 3), abut_rng_below(&rng, 3), abut_rng_below(&rng, 3));
            points[i] = abut_scale(abut_add(abut_mul(d, shape), abut_vec3(3, 4, 5)), scale);
        }
        AbutSphere s = abut_bounding_sphere(points, n);
        for (int i = 0; i < n; ++i) CHECK(abut_point_distance(s.center, points[i]) <= s.radius);
        CHECK(s.radius <= 1.001 * least_radius(points, n) + 1e-14 * scale);
    }
    AbutVec3 bad = {NAN, 0, 0};
    CHECK(abut_bounding_sphere(&bad, 1).radius == INFINITY);
    CHECK(abut_bounding_sphere(NULL, 0).radius == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_keeps_its_promises),
        cmocka_unit_test(mass_follows_rotation),
        cmocka_unit_test(named_polyhedra),
        cmocka_unit_test(hull_planes_give_the_hull_back),
        cmocka_unit_test(half_spaces_without_a_polyhedron),
        cmocka_unit_test(block_can_be_moved),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(check_finds_lies),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(mesh_and_back),
        cmocka_unit_test(bounding_sphere_is_smallest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
