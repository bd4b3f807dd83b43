/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Phong distance: the blended plane against its definition, roots that are known, what continuity there is, and
 * that where there is none the answer says so.
 */
#include "literature/direction/phong_triangle.h"
#include "mesh/kernels.h"
#include "literature/direction/tolerance.h"
#include "abut/direction.h"
#include "abut/literature.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/meshes.h"

/* ---- one triangle ------------------------------------------------------------------------------------------------ */

/* Corner normals within about `spread` of a common one. */
static void random_triangle(AbutRng *rng, double spread, AbutVec3 corner[3], AbutVec3 normal[3]) {
    AbutVec3 common = abut_random_direction(rng);
    for (int k = 0; k < 3; ++k) {
        corner[k] = abut_scale(abut_random_direction(rng), abut_rng_between(rng, 0.2, 1.0));
        normal[k] = abut_normalize(abut_add_scaled(common, abut_random_direction(rng), spread));
    }
}

static AbutPhongPlane sum_of(AbutPhongPlane p, double a, AbutPhongPlane q, double b) {
    for (int i = 0; i < 2; ++i) p.row[i] = abut_add(abut_scale(p.row[i], a), abut_scale(q.row[i], b));
    return p;
}

/* The same by the three edges: Psi_12 = l1 A1 + l2 A2 + l3 (A4 + A5) / 2, and so on, weighted by l1 l2, ... */
static AbutPhongPlane by_edges(const AbutPhongTriangle *t, const double l[3]) {
    AbutPhongPlane out = {{abut_zero(), abut_zero()}};
    double s = l[0] * l[1] + l[1] * l[2] + l[2] * l[0];
    for (int e = 0; e < 3; ++e) {
        double a = l[e], b = l[(e + 1) % 3], c = l[(e + 2) % 3];
        AbutPhongPlane edge = sum_of(t->plane[2 * e], a, t->plane[2 * e + 1], b);
        AbutPhongPlane rest = sum_of(t->plane[(2 * e + 3) % 6], 0.5 * c, t->plane[(2 * e + 4) % 6], 0.5 * c);
        out = sum_of(out, 1.0, sum_of(edge, 1.0, rest, 1.0), a * b / s);
    }
    return out;
}

static void the_blend_is_that_of_the_edges(void **state) {
    (void)state;
    AbutRng rng = abut_rng(801, 1);
    for (int i = 0; i < check_cases(500); ++i) {
        AbutVec3 corner[3], normal[3];
        AbutPhongTriangle t;
        double a = abut_rng_unit(&rng), b = (1.0 - a) * abut_rng_unit(&rng), l[3] = {a, b, 1.0 - a - b};
        random_triangle(&rng, 0.5, corner, normal);
        abut_phong_triangle(corner, normal, &t);
        AbutPhongPlane p = abut_phong_plane(&t, l[0], l[1]), q = by_edges(&t, l);
        CHECK_VEC_NEAR(p.row[0], q.row[0], 1e-12);
        CHECK_VEC_NEAR(p.row[1], q.row[1], 1e-12);
        double value[2], slope[2][2], ahead[2], back[2], step = 1e-6;
        abut_phong_value(&t, l[0], l[1], value, slope);
        AbutVec3 place =
            abut_add(abut_add(abut_scale(corner[0], l[0]), abut_scale(corner[1], l[1])), abut_scale(corner[2], l[2]));
        for (int k = 0; k < 2; ++k) {
            CHECK_NEAR(value[k], abut_dot(p.row[k], place), 1e-13);
            abut_phong_value(&t, l[0] + (k == 0 ? step : 0), l[1] + (k == 1 ? step : 0), ahead, NULL);
            abut_phong_value(&t, l[0] - (k == 0 ? step : 0), l[1] - (k == 1 ? step : 0), back, NULL);
            if (fmin(l[0], fmin(l[1], l[2])) > 0.01)
                for (int m = 0; m < 2; ++m) CHECK_NEAR(slope[m][k], (ahead[m] - back[m]) / (2.0 * step), 1e-5);
        }
    }
}

/* Two triangles with a common edge have the same normal along it. */
static void normals_agree_across_edges(void **state) {
    (void)state;
    AbutRng rng = abut_rng(802, 1);
    for (int i = 0; i < check_cases(200); ++i) {
        AbutVec3 corner[3], normal[3], up;
        AbutPhongTriangle t, u;
        random_triangle(&rng, 0.4, corner, normal);
        abut_phong_triangle(corner, normal, &t);
        up = abut_normalize(abut_add(normal[0], normal[1]));
        AbutVec3 other_corner[3] = {corner[1], corner[0], abut_random_direction(&rng)};
        AbutVec3 other_normal[3] = {
            normal[1], normal[0], abut_normalize(abut_add_scaled(up, abut_random_direction(&rng), 0.4))};
        abut_phong_triangle(other_corner, other_normal, &u);
        double a = abut_rng_between(&rng, 0.01, 0.99);
        AbutPhongPlane p = abut_phong_plane(&t, a, 1.0 - a), q = abut_phong_plane(&u, 1.0 - a, a);
        AbutVec3 n = abut_normalize(abut_cross(p.row[0], p.row[1])), m = abut_normalize(abut_cross(q.row[0], q.row[1]));
        CHECK(abut_length(abut_cross(n, m)) <= 1e-12);
    }
}

/* A triangle moved so that a chosen place of it is a root: never excluded, and a root is found. */
static void known_roots_are_found(void **state) {
    (void)state;
    AbutRng rng = abut_rng(803, 1);
    int count = check_cases(1000), found = 0;
    for (int i = 0; i < count; ++i) {
        AbutVec3 corner[3], normal[3], place = abut_zero();
        AbutPhongTriangle t;
        double a = abut_rng_between(&rng, 0.02, 0.96), b = (0.98 - a) * abut_rng_unit(&rng) + 0.01,
               l[3] = {a, b, 1 - a - b};
        random_triangle(&rng, 0.3, corner, normal);
        abut_phong_triangle(corner, normal, &t);
        AbutVec3 n = abut_phong_normal(&t, l, normal[0]);
        for (int k = 0; k < 3; ++k) place = abut_add_scaled(place, corner[k], l[k]);
        AbutVec3 shift = abut_sub(abut_scale(n, abut_rng_between(&rng, -1.0, 1.0)), place);
        for (int k = 0; k < 3; ++k) corner[k] = abut_add(corner[k], shift);
        abut_phong_triangle(corner, normal, &t);
        CHECK(!abut_phong_excluded(&t));
        double root[3], value[2];
        if (abut_phong_root(&t, 1.0, root)) {
            abut_phong_value(&t, root[0], root[1], value, NULL);
            CHECK(hypot(value[0], value[1]) <= 1e-9);
            ++found;
        }
    }
    CHECK(found >= 0.97 * count);
}

static void the_premise_is_that_of_the_thesis(void **state) {
    (void)state;
    CHECK_NEAR(ABUT_PHONG_PREMISE, 2.0 * asin(0.5 / sqrt(33.0)), 1e-6);
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

static AbutPhong *open_case(int number, AbutMesh mesh[2]) {
    AbutPhong *p;
    AbutError error;
    good(abut_direction_case_meshes(number, &mesh[0], &mesh[1], &error), &error);
    good(abut_phong_create(&mesh[0], &mesh[1], &p, &error), &error);
    return p;
}

static void close_case(AbutPhong *p, AbutMesh mesh[2]) {
    abut_phong_free(p);
    abut_mesh_free(&mesh[0]);
    abut_mesh_free(&mesh[1]);
}

typedef struct Way {
    double turn; /* largest, degrees */
    int found, lost, not_free, many;
} Way;

static Way follow(AbutPhong *p, int number, int steps, const AbutPhongDef *def) {
    Way way = {0.0, 0, 0, 0, 0};
    AbutVec3 last = abut_zero();
    abut_phong_restart(p);
    for (int i = 0; i <= steps; ++i) {
        AbutPhongDistance d = abut_phong_distance(p, abut_direction_case_pose(number, (double)i / steps), def);
        CHECK(d.full == 0 && (!d.found || isfinite(d.distance)));
        if (d.found) {
            way.turn = fmax(way.turn, abut_angle_between(last, d.direction) * 180.0 / ABUT_PI);
            last = d.direction;
            CHECK_NEAR(abut_length(d.direction), 1.0, 1e-12);
            CHECK_NEAR(fabs(d.distance), abut_length(d.foot), 1e-15);
            CHECK(d.residual <= 1e-8 && d.solutions >= 1 && (d.overlap ? d.distance <= 0 : d.distance >= 0));
        }
        way.found += d.found, way.lost += d.lost, way.not_free += d.found && !d.free, way.many += d.solutions > 1;
    }
    return way;
}

/* Over the edge of a bar it halves with the step; on the pairs of the thesis it jumps, and says when it was lost. */
static void continuous_only_where_it_is(void **state) {
    (void)state;
    AbutMesh mesh[2];
    AbutPhong *p = open_case(5, mesh);
    Way coarse = follow(p, 5, 100, NULL), fine = follow(p, 5, 200, NULL), finest = follow(p, 5, 400, NULL);
    CHECK(coarse.turn < 7.0 && fine.lost == 0 && finest.found == 401 && finest.not_free == 0);
    CHECK_NEAR(fine.turn / coarse.turn, 0.525, 0.075);
    CHECK_NEAR(finest.turn / fine.turn, 0.525, 0.075);
    close_case(p, mesh);
    p = open_case(0, mesh); /* cone/axis */
    Way jumps = follow(p, 0, 200, NULL);
    CHECK(jumps.turn > 30.0 && jumps.lost > 0 && jumps.not_free == 0);
    AbutPhongDef literal = {ABUT_PHONG_TRACK, 1};
    CHECK(follow(p, 0, 100, &literal).not_free > 0);
    close_case(p, mesh);
    p = open_case(3, mesh); /* torus/torus */
    jumps = follow(p, 3, 50, NULL);
    CHECK(jumps.turn > 90.0 && jumps.lost > 0 && jumps.many > 0);
    close_case(p, mesh);
}

/* A ball comes down onto a bar, through contact: the direction goes on. */
static void contact_is_nothing_special(void **state) {
    (void)state;
    AbutMesh mesh[2];
    AbutPhong *p = open_case(5, mesh);
    AbutVec3 last = abut_zero();
    int overlapping = 0;
    for (int i = 0; i < 100; ++i) {
        AbutPose pose = abut_pose(abut_vec3(0.03, 0.02, 0.165 - 1e-4 * i), abut_quat_exp(abut_vec3(0.1, 0.2, 0.3)));
        AbutPhongDistance d = abut_phong_distance(p, pose, NULL);
        CHECK(d.found && d.free && d.direction.z > 0.9);
        CHECK(abut_angle_between(last, d.direction) * 180.0 / ABUT_PI <= 5.0);
        last = d.direction;
        overlapping += d.overlap;
    }
    CHECK(overlapping > 10 && overlapping < 90);
    close_case(p, mesh);
}

/* Apart, the least foot point is at least as far as the distance, and not much farther. */
static void the_least_is_near_the_distance(void **state) {
    (void)state;
    AbutMesh mesh[2];
    AbutPhong *p = open_case(5, mesh);
    AbutMeshTree *a = tree_of(&mesh[0]), *b = tree_of(&mesh[1]);
    AbutPhongDef least = {ABUT_PHONG_LEAST, 0};
    for (int i = 0; i < 10; ++i) {
        AbutPose pose = abut_pose(abut_vec3(0.03, 0.02 + 0.01 * i, 0.2), abut_quat_exp(abut_vec3(0.1, 0.2, 0.3)));
        AbutPhongDistance d = abut_phong_distance(p, pose, &least);
        double exact = abut_mesh_distance(a, b, pose, NULL, NULL).distance;
        CHECK(d.found && d.free && d.distance >= exact - 1e-9 && d.distance <= 1.3 * exact);
    }
    for (double z = 0.2; z < 2000.0; z *= 1.5) { /* and far away */
        AbutPose pose = abut_pose(abut_vec3(0.03, 0.02, z), abut_quat_exp(abut_vec3(0.1, 0.2, 0.3)));
        AbutPhongDistance d = abut_phong_distance(p, pose, &least);
        double exact = abut_mesh_distance(a, b, pose, NULL, NULL).distance;
        CHECK(d.found && d.free && d.distance >= exact - 1e-9 * z && d.distance <= 1.3 * exact);
    }
    abut_mesh_tree_free(a);
    abut_mesh_tree_free(b);
    close_case(p, mesh);
}

static void *no_memory(size_t bytes, void *user) {
    (void)bytes;
    ++*(int *)user;
    return NULL;
}

static void no_release(void *memory, void *user) { (void)memory, (void)user; }

static void odd_questions_and_memory(void **state) {
    (void)state;
    AbutMesh mesh[2];
    AbutPhong *p = open_case(6, mesh);
    int requests = 0;
    AbutAllocator none = {no_memory, no_release, &requests};
    abut_set_allocator(&none);
    for (int i = 0; i < 40; ++i) (void)abut_phong_distance(p, abut_direction_case_pose(6, i / 40.0), NULL);
    abut_set_allocator(NULL);
    assert_int_equal(requests, 0);
    AbutPose nan = abut_pose(abut_vec3(NAN, 0, 0), abut_quat_identity()), twice = abut_pose_identity();
    twice.q.w = 2.0;
    CHECK(!abut_phong_distance(p, nan, NULL).found && !abut_phong_distance(p, twice, NULL).found);
    CHECK(isnan(abut_phong_distance(p, nan, NULL).distance));
    AbutPhongDistance far = abut_phong_distance(p, abut_pose(abut_vec3(100, 0, 0), abut_quat_identity()), NULL);
    CHECK(!far.found || far.distance > 90.0);
    close_case(p, mesh);
    abut_phong_free(NULL);
}

static AbutStatus make_and_free(void) {
    AbutMesh mesh;
    AbutPhong *p = NULL;
    AbutStatus status = abut_mesh_make("box", 12, NULL, &mesh, NULL);
    if (status != ABUT_OK) return status;
    status = abut_phong_create(&mesh, &mesh, &p, NULL);
    abut_phong_free(p);
    abut_mesh_free(&mesh);
    return status;
}

static void memory_may_fail(void **state) {
    (void)state;
    CHECK(check_memory_failures("Phong distance", make_and_free) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_blend_is_that_of_the_edges),
        cmocka_unit_test(normals_agree_across_edges),
        cmocka_unit_test(known_roots_are_found),
        cmocka_unit_test(the_premise_is_that_of_the_thesis),
        cmocka_unit_test(continuous_only_where_it_is),
        cmocka_unit_test(contact_is_nothing_special),
        cmocka_unit_test(the_least_is_near_the_distance),
        cmocka_unit_test(odd_questions_and_memory),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
